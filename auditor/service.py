"""What the service does with uploads and audits. Only this module knows that there is a database *and* an audit.

A page or a command asks here and gets frozen values; no session, row or engine object leaves this module.
"""

from __future__ import annotations

import hashlib
import importlib
import io
import logging
import secrets
import shutil
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from itertools import chain
from pathlib import Path
from typing import IO, Any

import orjson
import rfc8785
from sqlmodel import Session

from auditor import __version__
from auditor.core.record import UnreadableLog
from auditor.core.rulings import BadRulings as BadRulings
from auditor.ingest import LIMITS, Limits, NotRead, open_container
from auditor.ingest import Member as PackedMember
from auditor.ingest.containers import GZIP, gunzip, is_zip
from auditor.jobs.child import Child, ChildFailed
from auditor.jobs.worker import Workers
from auditor.settings import Settings
from auditor.store import jobs, migrate, queries
from auditor.store.archive import Archive, Stored
from auditor.store.database import Database, sqlite_version
from auditor.store.database import StoreBusy as StoreBusy
from auditor.store.tables import (
    KEY,
    LABEL,
    NAME,
    SHA256,
    Audit,
    AuditValue,
    Delivery,
    DeliveryFile,
    Job,
    Log,
    Member,
    RulingsSet,
    Upload,
    now,
)
from auditor.store.text import clean, clean_value

log = logging.getLogger("auditor.service")

OWN = "own"
DEFAULTS = "defaults"
FILE = "file"
SET = "set:"
WAITING = "waiting"
FAILED = "failed"
GIVEN_UP = "It was tried several times and the process that did the work ended each time."


class NotFound(LookupError):
    """There is no such audit, log, upload, delivery, rule or set of rulings."""


class NotYet(RuntimeError):
    """The audit is still queued or running, or it failed."""


class NotDrawn(RuntimeError):
    """The replay could not be drawn in the time or memory there is."""


@dataclass(frozen=True)
class Incoming:
    """A file as it was sent: a name that may be anything, and bytes."""

    name: str
    stream: IO[bytes]


@dataclass(frozen=True)
class Choice:
    """Which rulings were chosen. `value` is null for the log's own and for the defaults, which each game has itself."""

    kind: str
    label: str
    value: dict[str, Any] | None = None
    game: str | None = None


@dataclass(frozen=True)
class OpenedMember:
    """One log out of an upload; `data` is missing when the member could not be read."""

    name: str
    data: bytes | None
    problems: tuple[dict[str, Any], ...] = ()
    skipped: bool = False


@dataclass(frozen=True)
class Opened:
    """An upload unpacked: `container` is plain, gzip or zip. The members come one by one, to be in memory so."""

    container: str
    members: Iterable[OpenedMember]
    problems: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True)
class AuditLine:
    """An audit as lists show it. `state` is queued, running, done or failed; the verdict is null until it is done."""

    key: str
    title: str
    name: str
    game: str | None
    header: dict[str, Any]
    log_sha256: str
    log_size: int
    rulings_label: str
    rulings_kind: str
    rulings_digest: str
    ruleset_version: str
    outdated: bool
    state: str
    verdict: str | None
    digest: str | None
    counts: dict[str, Any]
    error: str | None
    ahead: int | None
    asked_at: datetime
    finished_at: datetime | None
    cursor: int

    @property
    def players(self) -> tuple[dict[str, str], ...]:
        """Who played: ids and names."""
        return tuple(self.header.get("players", []))

    @property
    def match(self) -> dict[str, str]:
        """Event, round and table, as far as the header has them."""
        return dict(self.header.get("match", {}))

    @property
    def settled(self) -> bool:
        """True when nothing more will happen by itself."""
        return self.state in ("done", "failed")


@dataclass(frozen=True)
class Page:
    """Some audits of many; `next` is the cursor of the next page."""

    audits: tuple[AuditLine, ...]
    next: int | None
    tally: dict[str, int]


@dataclass(frozen=True)
class Source:
    """An upload that holds a log."""

    sha256: str
    name: str
    member: str
    size: int
    container: str
    received_at: datetime


@dataclass(frozen=True)
class Fate:
    """What became of one file: audited, in part, in work, queued, refused or failed; `known` if it was here before."""

    name: str
    size: int
    upload_sha256: str
    container: str
    fate: str
    known: bool
    text: str
    problems: tuple[dict[str, Any], ...]
    audit: AuditLine | None


@dataclass(frozen=True)
class DeliveryPage:
    """What was sent in one go, trouble first."""

    key: str
    source: str
    rulings_label: str
    received_at: datetime
    files: tuple[Fate, ...]
    tally: dict[str, int]
    settled: bool


@dataclass(frozen=True)
class LogPage:
    """A log with all its audits and the uploads it came in."""

    sha256: str
    name: str
    title: str
    game: str | None
    size: int
    header: dict[str, Any]
    audits: tuple[AuditLine, ...]
    sources: tuple[Source, ...]


@dataclass(frozen=True)
class NamedRulings:
    """Rulings stored under a name."""

    name: str
    digest: str
    game: str | None
    value: dict[str, Any]
    created_at: datetime


@dataclass(frozen=True)
class Ready:
    """Whether the service can work, check by check; `ok` is all of them."""

    ok: bool
    checks: dict[str, dict[str, Any]] = field(default_factory=dict)


def open_upload(name: str, data: bytes, limits: Limits = LIMITS) -> Opened:
    """Unpack an upload: what it is, the logs in it, and what is wrong with it. Never raises for bad bytes."""
    if not is_zip(data):
        whole = _unpacked(data, limits)
        return Opened("gzip" if data.startswith(GZIP) else "plain", (OpenedMember(name, whole),))
    members = open_container(data, limits=limits)
    first = next(members, None)
    if first is None:
        return Opened("zip", (), (_problem("a zip without files", "logs"),))
    if isinstance(first.content, NotRead) and not first.name:
        return Opened("zip", (), (_problem(first.content.why, "a zip that can be trusted"),))
    return Opened("zip", (_opened(member, limits) for member in chain((first,), members)))


def _opened(member: PackedMember, limits: Limits) -> OpenedMember:
    if isinstance(member.content, NotRead):
        return OpenedMember(member.name, None, (_problem(member.content.why, "a log"),), member.content.skipped)
    return OpenedMember(member.name, _unpacked(member.content, limits))


def _unpacked(data: bytes, limits: Limits) -> bytes:
    """A log's own bytes. A damaged gzip file stays as it came, so that its audit names the damage."""
    if data.startswith(GZIP):
        try:
            whole, errors = gunzip(data, limits)
        except UnreadableLog:
            return data
        return data if errors else whole
    return data


def _child(settings: Settings, engine: str) -> Child:
    return Child(
        "auditor.jobs.work",
        memory_bytes=settings.audit_memory_bytes,
        calls=settings.audits_a_child,
        first=("warm", (engine,)),
    )


def fixtures_dir() -> Path | None:
    """The folder of games that come with the program: in a wheel beside the code, else in the checkout."""
    here = Path(__file__).resolve().parent
    for folder in (here / "_fixtures", here.parent / "fixtures"):
        if folder.is_dir():
            return folder
    return None


class Service:
    """One data folder, one engine. `start()` opens it and starts the work; `close()` gives both up."""

    def __init__(
        self,
        settings: Settings,
        engine: str = "auditor.engine",
        make_child: Callable[[Settings, str], Child] | None = None,
    ) -> None:
        self.settings = settings
        self.limits = replace(LIMITS, members=settings.max_members, total=settings.max_unpacked_bytes)
        self.engine_name = engine
        self.engine: Any = importlib.import_module(engine)
        self._make_child = partial(make_child or _child, settings, engine)
        self._changed = threading.Condition()
        self._drawing = threading.Lock()
        settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)  # logs name people
        self._db = Database(settings.database)
        try:
            migrate.upgrade(self._db.writer)
            self._archive = Archive(settings.archive)
            self._archive.sweep()
            with self._db.write() as session:
                jobs.release_all(session)
                jobs.fail_worn_out(session, settings.max_attempts, GIVEN_UP)
        except BaseException:
            self._db.close()
            raise
        self._pencil = self._make_child()
        self._workers: Workers | None = None

    # Life

    def start(self) -> None:
        """Start the workers, and load the example games where they are not here yet."""
        self._workers = Workers(
            _Queue(self),
            threads=self.settings.workers,
            seconds=self.settings.audit_seconds,
            lease=self.settings.lease_seconds,
            make_child=self._make_child,
            engine=self.engine_name,
        )
        self._workers.start()
        self._pencil.start()
        if self.settings.load_examples:
            self.load_examples()

    def close(self) -> None:
        """Stop the work and let go of the data folder; what was running is queued again at the next start."""
        if self._workers is not None:
            self._workers.stop()
        with self._drawing:
            self._pencil.stop()
        self._db.close()

    # The engine's own knowledge

    def games(self) -> dict[str, str]:
        """Each game's key and title."""
        return {key: ruleset.title for key, ruleset in self._rulesets().items()}

    def ruleset_version(self, game: str | None) -> str:
        """The version under which a log of this game would be audited now; the engine's own for an unknown game."""
        ruleset = self._rulesets().get(game or "")
        return clean(ruleset.version if ruleset is not None else f"engine {__version__}", 64)

    def rules(self, game: str) -> list[dict[str, Any]]:
        """All rules of a game, in the shape of the command line's JSON."""
        return list(self.engine.rules(self._known_game(game)))

    def readings(self, game: str) -> list[dict[str, Any]]:
        """All readings of a game, in the shape of the command line's JSON."""
        return list(self.engine.readings(self._known_game(game)))

    def rule(self, rule_id: str) -> tuple[str, dict[str, Any]]:
        """A rule and the game it belongs to."""
        for game in self.games():
            for rule in self.rules(game):
                if rule["id"] == rule_id:
                    return game, rule
        raise NotFound("rule")

    def _rulesets(self) -> dict[str, Any]:
        games = self.engine.GAMES
        return dict(games) if isinstance(games, Mapping) else {ruleset.key: ruleset for ruleset in games}

    def _known_game(self, game: str) -> str:
        if game not in self._rulesets():
            raise NotFound("game")
        return game

    # Rulings

    def own_rulings(self) -> Choice:
        """The log's own rulings where its header has them, over the defaults."""
        return Choice(OWN, "the log's own, else the defaults")

    def choose(self, choice: str, data: bytes = b"") -> Choice:
        """The rulings that a form or an API call asks for: `own`, `defaults`, `set:NAME`, or `file` with its bytes.

        Raises BadRulings with everything that is wrong with them.
        """
        if choice in ("", OWN):
            return self.own_rulings()
        if choice == DEFAULTS:
            return Choice(DEFAULTS, "the defaults")
        if choice.startswith(SET):
            named = self.named_rulings(choice.removeprefix(SET))
            return Choice(SET, named.name, named.value, named.game)
        if choice == FILE:
            value, game = self.read_rulings(data)
            return Choice(FILE, clean(value["name"], LABEL), value, game)
        raise BadRulings([f'rulings are "{OWN}", "{DEFAULTS}", "{SET}NAME" or "{FILE}"'])

    def read_rulings(self, data: bytes, name: str | None = None) -> tuple[dict[str, Any], str]:
        """Rulings from their JSON, with the game they are for. Raises BadRulings with all that is wrong with them."""
        if len(data) > self.settings.max_rulings_bytes:
            raise BadRulings([f"a rulings file has at most {self.settings.max_rulings_bytes} bytes"])
        try:
            given = orjson.loads(data)
        except orjson.JSONDecodeError as error:
            raise BadRulings([f"line {error.lineno}, column {error.colno}: this is not JSON"]) from None
        if not isinstance(given, dict):
            raise BadRulings(["a rulings set is an object"])
        if name:
            wrapped = bool({"name", "readings", "settings", "not_audited"} & given.keys()) or not given
            given = {**(given if wrapped else {"readings": given}), "name": name}
        refusals: list[BadRulings] = []
        for game in self._rulesets():
            try:
                return self._normal_rulings(given, game), game
            except BadRulings as refusal:
                refusals.append(refusal)
        # Many games: the one that complains least is the one that was meant.
        raise min(refusals, key=lambda refusal: len(refusal.problems))

    def _normal_rulings(self, given: dict[str, Any], game: str) -> dict[str, Any]:
        whole = self.engine.check_rulings(given, game)
        problems = [
            f'"{text[:64]}" holds signs that cannot be stored'
            for text in (whole.name, *whole.settings, *whole.settings.values(), *whole.not_audited.values())
            if text != clean_value(text)
        ]
        if problems:
            raise BadRulings(problems)
        # Only what was said is kept: silence means the default of the version that audits.
        wrapped = bool({"name", "readings", "settings", "not_audited"} & given.keys()) or not given
        said = given.get("readings", {}) if wrapped else given
        return {
            "name": clean(whole.name, LABEL),
            "readings": {key: whole.readings[key] for key in sorted(said)},
            "settings": dict(sorted(whole.settings.items())),
            "not_audited": dict(sorted(whole.not_audited.items())),
        }

    def named_rulings(self, name: str) -> NamedRulings:
        """Rulings by their name. Raises NotFound."""
        with self._db.read() as session:
            row = queries.rulings_set(session, clean(name, LABEL))
        if row is None:
            raise NotFound("rulings")
        return self._named(row)

    def all_named_rulings(self) -> list[NamedRulings]:
        """All stored rulings, by name."""
        with self._db.read() as session:
            return [self._named(row) for row in queries.rulings_sets(session)]

    def store_rulings(self, name: str, data: bytes) -> NamedRulings:
        """Store rulings under a name. The same again is no change; other answers under a used name are refused."""
        label = clean(name, LABEL)
        if not label:
            raise BadRulings(["rulings are stored under a name"])
        value, _game = self.read_rulings(data, label)
        digest = _digest(value)
        with self._db.write() as session:
            row = queries.rulings_set(session, label)
            if row is None:
                row = RulingsSet(name=label, digest=digest, value=value)
                session.add(row)
                session.flush()
            elif row.digest != digest:
                raise BadRulings([f'"{label}" is stored with other answers already; choose another name'])
        return self._named(row)

    def _named(self, row: RulingsSet) -> NamedRulings:
        try:
            game: str | None = self.read_rulings(orjson.dumps(row.value))[1]
        except BadRulings:
            game = None  # a reading it names is gone from the rules; choosing it says so
        return NamedRulings(row.name, row.digest, game, row.value, row.created_at)

    def _rulings_for(self, choice: Choice, game: str | None) -> dict[str, Any] | None:
        """What the engine gets: null for the log's own. Raises BadRulings when the set is another game's."""
        if choice.kind == OWN or game not in self._rulesets():
            return None
        if choice.kind == DEFAULTS:
            defaults = {reading["id"]: reading["default"] for reading in self.readings(game)}
            return {"name": DEFAULTS, "readings": defaults, "settings": {}, "not_audited": {}}
        if choice.game != game:
            raise BadRulings([f'the rulings "{choice.label}" are not for the game "{game}"'])
        return choice.value

    # Uploads

    def deliver(self, files: Iterable[Incoming], choice: Choice, source: str = "upload") -> str:
        """Take in what was sent and queue its audits; gives back the delivery's key.

        Each file is on disk, whole and under its hash, before anything reads it; then all rows are written in one
        transaction. If that fails nothing was taken in: bytes without a row are no upload, and come to be one when
        they are sent again.
        """
        kept = [(clean(file.name, NAME) or "unnamed", self._archive.put(file.stream)) for file in files]
        opened = [(name, stored, self._open(name, stored)) for name, stored in kept]
        with self._db.write() as session:
            delivery = Delivery(
                key=secrets.token_hex(KEY // 2), source=source, rulings_label=clean(choice.label, LABEL)
            )
            session.add(delivery)
            session.flush()
            position = 0
            for name, stored, content in opened:
                for fate in self._take_in(session, name, stored, content, choice, source):
                    session.add(DeliveryFile(delivery_id=_id(delivery), position=position, **fate))
                    position += 1
        if self._workers is not None:
            self._workers.wake()
        return delivery.key

    def _open(self, name: str, stored: Stored) -> _Content:
        """The logs of an upload, each on disk under its own hash too, with what their headers say."""
        opened = open_upload(name, self._archive.read(stored.sha256), self.limits)
        logs: list[_OpenedLog] = []
        for member in opened.members:
            if member.data is None:
                logs.append(_OpenedLog(clean(member.name, NAME), None, {}, member.problems, member.skipped))
                continue
            bytes_of_log = stored if opened.container == "plain" else self._archive.put(io.BytesIO(member.data))
            header = self._header(member.data)
            logs.append(_OpenedLog(clean(member.name, NAME), bytes_of_log, header, member.problems))
        return _Content(opened.container, tuple(logs), opened.problems)

    def _header(self, data: bytes) -> dict[str, Any]:
        """The header of a log, or an empty one: what is wrong with it the audit will say."""
        try:
            header = self.engine.log_header(data)
        except Exception:
            # A log may be anything; only its audit, in a child, judges it.
            log.info("a header could not be read")
            return {}
        return header if isinstance(header, dict) else {}

    def _take_in(
        self, session: Session, name: str, stored: Stored, content: _Content, choice: Choice, source: str
    ) -> list[dict[str, Any]]:
        """Write the rows of one file; gives back a delivery's row for it, or one for each member of a zip."""
        upload = queries.upload(session, stored.sha256)
        known = upload is not None
        if upload is None:
            upload = Upload(
                sha256=stored.sha256, size=stored.size, container=content.container, name=name, source=source
            )
        # What was refused before may be readable to today's program.
        upload.container, upload.problems = content.container, list(content.problems)
        session.add(upload)
        session.flush()
        listed = {member.position for member, _log in queries.members(session, _id(upload))}
        fates: list[dict[str, Any]] = []
        if content.problems:
            fates.append({"name": name, "upload_id": upload.id, "known": known, "problems": list(content.problems)})
        for position, member in enumerate(content.logs):
            row, seen = self._log_row(session, member)
            if position not in listed:
                session.add(
                    Member(
                        upload_id=_id(upload),
                        position=position,
                        name=member.name,
                        log_id=None if row is None else row.id,
                        problems=list(member.problems),
                    )
                )
            fate: dict[str, Any] = {
                "name": f"{name} › {member.name}" if content.container == "zip" else name,
                "upload_id": upload.id,
                "known": seen,
                "problems": list(member.problems),
                "skipped": member.skipped,
            }
            if row is not None:
                fate["log_id"] = row.id
                try:
                    fate["audit_id"] = _id(self._ask(session, row, choice))
                except BadRulings as refusal:
                    fate["problems"] = fate["problems"] + [_problem(text, path="rulings") for text in refusal.problems]
            fates.append(fate)
        return fates

    def _log_row(self, session: Session, member: _OpenedLog) -> tuple[Log | None, bool]:
        """The row of a log, made if there is none; and whether the log was known."""
        if member.stored is None:
            return None, False
        row = queries.log(session, member.stored.sha256)
        if row is not None:
            return row, True
        header = header_summary(member.header)
        game = header.get("game")
        row = Log(
            sha256=member.stored.sha256,
            size=member.stored.size,
            name=member.name,
            game=game if game in self._rulesets() else None,
            title=header.get("title"),
            header=header,
        )
        session.add(row)
        session.flush()
        return row, False

    def _ask(self, session: Session, row: Log, choice: Choice) -> Audit:
        """The audit of a log under a choice of rulings: the one there is, or a new one with its job."""
        rulings = self._rulings_for(choice, row.game)
        digest = _digest(rulings)
        version = self.ruleset_version(row.game)
        audit = queries.identity(session, _id(row), version, digest)
        if audit is None:
            audit = Audit(
                key=audit_key(row.sha256, version, digest),
                log_id=_id(row),
                ruleset_version=version,
                rulings_digest=digest,
                rulings_label=clean(choice.label, LABEL),
                rulings=rulings,
            )
            session.add(audit)
            session.flush()
            session.add(Job(audit_id=_id(audit)))
        return audit

    def load_examples(self) -> int:
        """Take in the games that come with the program and are not here yet; gives back how many."""
        folder = fixtures_dir()
        if folder is None:
            return 0
        fresh: list[Path] = []
        with self._db.read() as session:
            for path in sorted(folder.glob("*/games/*.jsonl")):
                if queries.upload(session, hashlib.sha256(path.read_bytes()).hexdigest()) is None:
                    fresh.append(path)
        if fresh:
            files = [Incoming(path.name, io.BytesIO(path.read_bytes())) for path in fresh]
            self.deliver(files, self.own_rulings(), source="example")
        return len(fresh)

    def delivery(self, key: str) -> DeliveryPage:
        """What became of what was sent, trouble first."""
        with self._db.read() as session:
            row = queries.delivery(session, _hex(key, KEY))
            if row is None:
                raise NotFound("delivery")
            rows = queries.delivery_files(session, _id(row))
            places = jobs.ahead(session, [_id(audit) for *_rest, audit, _job in rows if audit is not None])
            errors = {
                audit.id: _errors(queries.value(session, _id(audit)))
                for *_rest, audit, _job in rows
                if audit is not None and audit.counts.get("errors")
            }
        fates = [self._fate(*each, places, errors) for each in rows]
        fates.sort(key=lambda fate: _TROUBLE_FIRST.index(fate.fate))
        return DeliveryPage(
            row.key,
            row.source,
            row.rulings_label,
            row.received_at,
            tuple(fates),
            dict(Counter(fate.fate for fate in fates)),
            all(fate.audit is None or fate.audit.settled for fate in fates),
        )

    def _fate(
        self,
        file: DeliveryFile,
        upload: Upload,
        row: Log | None,
        audit: Audit | None,
        job: Job | None,
        places: dict[int, int],
        errors: dict[int | None, list[dict[str, Any]]],
    ) -> Fate:
        line = None
        problems = list(file.problems)
        if row is not None and audit is not None and job is not None:
            line = self._line((audit, row, job), places)
            problems += errors.get(audit.id, [])
        fate, text = ("skipped", _SKIPPED) if file.skipped else _what_became(line, bool(file.problems))
        size = upload.size if row is None else row.size
        problems = [] if file.skipped else problems
        return Fate(file.name, size, upload.sha256, upload.container, fate, file.known, text, tuple(problems), line)

    def wait(self, key: str, seconds: float) -> bool:
        """Wait until all audits of a delivery are settled, or the time is over; True if they are."""
        end = time.monotonic() + seconds
        with self._db.read() as session:
            row = queries.delivery(session, _hex(key, KEY))
            if row is None:
                raise NotFound("delivery")
            ids = [_id(audit) for *_rest, audit, _job in queries.delivery_files(session, _id(row)) if audit is not None]
        while True:
            with self._changed:
                with self._db.read() as session:
                    if queries.unsettled(session, ids) == 0:
                        return True
                left = end - time.monotonic()
                if left <= 0:
                    return False
                self._changed.wait(left)

    def upload_bytes(self, sha256: str) -> tuple[str, bytes]:
        """The name and the bytes of an upload, as they came."""
        with self._db.read() as session:
            row = queries.upload(session, _hex(sha256, SHA256))
        if row is None:
            raise NotFound("upload")
        return row.name, self._archive.read(row.sha256)

    def log_bytes(self, sha256: str) -> tuple[str, bytes]:
        """The name and the bytes of a log, unpacked."""
        with self._db.read() as session:
            row = queries.log(session, _hex(sha256, SHA256))
        if row is None:
            raise NotFound("log")
        return row.name, self._archive.read(row.sha256)

    # Audits

    def audits(self, *, before: int | None = None, verdict: str | None = None) -> Page:
        """A page of audits, newest first."""
        size = self.settings.page_size
        with self._db.read() as session:
            rows = queries.audits(session, limit=size + 1, before=before, verdict=verdict)
            places = jobs.ahead(session, [_id(audit) for audit, _log, _job in rows])
            tally = queries.tally(session)
        lines = tuple(self._line(row, places) for row in rows[:size])
        return Page(lines, lines[-1].cursor if len(rows) > size else None, tally)

    def audit(self, key: str) -> AuditLine:
        """An audit as lists show it. Raises NotFound."""
        return self._line(*self._row(key))

    def audit_bytes(self, key: str) -> bytes:
        """The audit as canonical JSON. Raises NotYet while there is none."""
        with self._db.read() as session:
            row = queries.audit(session, _hex(key, KEY))
            if row is None:
                raise NotFound("audit")
            value = queries.value(session, _id(row[0]))
        if value is None:
            raise NotYet(row[2].state)
        return value.canonical

    def audit_value(self, key: str) -> dict[str, Any]:
        """The audit as a value."""
        value: dict[str, Any] = orjson.loads(self.audit_bytes(key))
        return value

    def timeline(self, key: str) -> list[dict[str, Any]]:
        """The events of an audited log: its frames without the drawings."""
        with self._db.read() as session:
            row = queries.audit(session, _hex(key, KEY))
            if row is None:
                raise NotFound("audit")
            value = queries.value(session, _id(row[0]))
        if value is None:
            raise NotYet(row[2].state)
        return value.timeline

    def frames(self, key: str, seqs: Sequence[int] | None = None) -> list[dict[str, Any]]:
        """Drawings of some events under this audit's rulings, or of each round's start. Raises NotDrawn."""
        (audit, row, _job), _places = self._row(key)
        if audit.verdict is None:
            raise NotYet(_job.state)
        data = self._archive.read(row.sha256)
        with self._drawing:
            try:
                frames: list[dict[str, Any]] = self._pencil.call(
                    "frames", self.engine_name, data, audit.rulings, seqs, seconds=self.settings.draw_seconds
                )
            except ChildFailed as failure:
                log.warning("a replay could not be drawn: %s %s", failure, failure.detail)
                raise NotDrawn(str(failure)) from failure
        return frames

    def audit_again(self, log_sha256: str, choice: Choice) -> str:
        """Audit a log that is here under other rulings, or under the rules of today; gives back the audit's key."""
        with self._db.write() as session:
            row = queries.log(session, _hex(log_sha256, SHA256))
            if row is None:
                raise NotFound("log")
            key = self._ask(session, row, choice).key
        if self._workers is not None:
            self._workers.wake()
        return key

    def retry(self, key: str) -> None:
        """Queue an audit that failed once more."""
        (audit, _log, _job), _places = self._row(key)
        with self._db.write() as session:
            jobs.retry(session, _id(audit))
        if self._workers is not None:
            self._workers.wake()

    def log_page(self, sha256: str) -> LogPage:
        """A log, its audits and its uploads."""
        with self._db.read() as session:
            row = queries.log(session, _hex(sha256, SHA256))
            if row is None:
                raise NotFound("log")
            rows = queries.audits(session, limit=200, log_id=row.id)
            places = jobs.ahead(session, [_id(audit) for audit, _log, _job in rows])
            sources = [
                Source(upload.sha256, upload.name, member.name, upload.size, upload.container, upload.received_at)
                for upload, member in queries.uploads_of(session, _id(row))
            ]
        audits = tuple(self._line(each, places) for each in rows)
        return LogPage(
            row.sha256, row.name, row.title or row.name, row.game, row.size, row.header, audits, tuple(sources)
        )

    def _row(self, key: str) -> tuple[queries.AuditRow, dict[int, int]]:
        with self._db.read() as session:
            row = queries.audit(session, _hex(key, KEY))
            if row is None:
                raise NotFound("audit")
            return row, jobs.ahead(session, [_id(row[0])])

    def _line(self, row: queries.AuditRow, places: dict[int, int]) -> AuditLine:
        audit, record, job = row
        return AuditLine(
            key=audit.key,
            title=record.title or record.name,
            name=record.name,
            game=record.game,
            header=record.header,
            log_sha256=record.sha256,
            log_size=record.size,
            rulings_label=audit.rulings_label,
            rulings_kind=OWN if audit.rulings is None else FILE,
            rulings_digest=audit.rulings_digest,
            ruleset_version=audit.ruleset_version,
            outdated=audit.ruleset_version != self.ruleset_version(record.game),
            state=job.state,
            verdict=audit.verdict,
            digest=audit.digest,
            counts=audit.counts,
            error=job.error,
            ahead=places.get(_id(audit)),
            asked_at=audit.created_at,
            finished_at=audit.finished_at,
            cursor=_id(audit),
        )

    # Operations

    def ready(self) -> Ready:
        """Whether an upload sent now would be taken in and audited."""
        checks: dict[str, dict[str, Any]] = {}
        try:
            with self._db.write():
                pass
            checks["writer"] = {"ok": True, "sqlite": sqlite_version()}
        except Exception as error:
            checks["writer"] = {"ok": False, "why": type(error).__name__}
        at, head = migrate.current(self._db.reader), migrate.head()
        checks["migrations"] = {"ok": at == head, "at": at, "newest": head}
        with self._db.read() as session:
            oldest = queries.oldest_waiting(session)
        age = 0 if oldest is None else int((now() - oldest.created_at).total_seconds())
        checks["queue"] = {"ok": age < 600, "oldest_seconds": age}
        free = shutil.disk_usage(self.settings.data_dir).free
        checks["disk"] = {"ok": free > 2 * self.settings.max_request_bytes, "free_bytes": free}
        return Ready(all(check["ok"] for check in checks.values()), checks)

    def _notify(self) -> None:
        with self._changed:
            self._changed.notify_all()


@dataclass(frozen=True)
class _OpenedLog:
    name: str
    stored: Stored | None
    header: dict[str, Any]
    problems: tuple[dict[str, Any], ...]
    skipped: bool = False


@dataclass(frozen=True)
class _Content:
    container: str
    logs: tuple[_OpenedLog, ...]
    problems: tuple[dict[str, Any], ...]


@dataclass(frozen=True)
class _Task:
    """A claimed audit, as the workers see it."""

    claim: jobs.Claim
    args: tuple[bytes, dict[str, Any] | None]
    function: str = "audit"


class _Queue:
    """The job table, as the workers see it."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._db = service._db

    def claim(self, owner: str) -> _Task | None:
        settings = self._service.settings
        with self._db.read() as session:
            if queries.oldest_waiting(session) is None and not jobs.any_lost(session):
                return None  # looking costs no write
        with self._db.write() as session:
            held = jobs.claim(session, owner, settings.lease_seconds)
            if held is None:
                return None
            if held.attempt > settings.max_attempts:
                jobs.give_back(session, held, GIVEN_UP, again=False)
                return None
            audit = session.get_one(Audit, held.audit_id)
            sha256 = session.get_one(Log, audit.log_id).sha256
        return _Task(held, (self._service._archive.read(sha256), audit.rulings))

    def extend(self, task: _Task) -> bool:
        with self._db.write() as session:
            return jobs.extend(session, task.claim, self._service.settings.lease_seconds)

    def finish(self, task: _Task, result: tuple[bytes, dict[str, Any], list[dict[str, Any]]]) -> None:
        canonical, counts, timeline = result
        with self._db.write() as session:
            if jobs.settle(session, task.claim):
                audit = session.get_one(Audit, task.claim.audit_id)
                audit.verdict, audit.digest = counts["verdict"], counts["digest"]
                audit.counts, audit.finished_at = counts, now()
                session.add(audit)
                session.add(AuditValue(audit_id=_id(audit), canonical=canonical, timeline=timeline))
        self._service._notify()

    def fail(self, task: _Task, text: str, again: bool) -> None:
        again = again and task.claim.attempt < self._service.settings.max_attempts
        with self._db.write() as session:
            jobs.give_back(session, task.claim, clean(text, 500), again=again)
        self._service._notify()


_HEX_DIGITS = frozenset("0123456789abcdef")
_TROUBLE_FIRST = ("refused", "failed", "in part", "in work", "queued", "audited", "skipped")
_SKIPPED = "It is no log by its name or its first lines, so it was passed over."


def _what_became(line: AuditLine | None, problems: bool) -> tuple[str, str]:
    """The one word and the one sentence for a file of a delivery."""
    if line is None:
        return "refused", "Nothing could be audited. The bytes are kept."
    if line.state == "failed":
        return "failed", line.error or "The audit failed."
    if line.state == "running":
        return "in work", "The audit is running."
    if line.state == "queued":
        return "queued", "Next." if not line.ahead else f"{line.ahead} before it."
    counts = line.counts
    if line.verdict == "unreadable":
        return "refused", "Its header cannot be used, so nothing could be audited. The bytes are kept."
    found = _plural(counts["standing"], "finding to rule on", "findings to rule on")
    if counts["following"]:
        found += f", {counts['following']} that {'follows' if counts['following'] == 1 else 'follow'}"
    if counts["errors"] or problems:
        unjudged = f" {counts['ambiguous']} could not be judged." if counts["ambiguous"] else ""
        return "in part", f"{_plural(counts['errors'], 'place', 'places')} could not be read. {found}.{unjudged}"
    if line.verdict == "clean":
        return "audited", "Clean."
    if line.verdict == "incomplete":
        return "audited", "No finding stands, but something could not be checked."
    return "audited", f"{found}."


def _plural(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _problem(found: str, expected: str = "", path: str = "") -> dict[str, Any]:
    """Something wrong with an upload, in the shape of the audit's errors."""
    return {"line": None, "path": path, "found": found, "expected": expected, "nearest": None}


def _errors(value: AuditValue | None) -> list[dict[str, Any]]:
    """Everything that the audit could not read in the log, with its place."""
    return [] if value is None else list(orjson.loads(value.canonical)["errors"])


def _digest(rulings: dict[str, Any] | None) -> str:
    return hashlib.sha256(rfc8785.dumps(rulings)).hexdigest()


def _hex(text: str, length: int) -> str:
    """The text, if it can be a key or a hash at all; whatever else stood in an address is not to be found."""
    if len(text) != length or not set(text) <= _HEX_DIGITS:
        raise NotFound("key")
    return text


def _id(row: Any) -> int:
    """The id of a row that has one."""
    assert row.id is not None
    return int(row.id)


def audit_key(log_sha256: str, ruleset_version: str, rulings_digest: str) -> str:
    """The name of an audit in addresses: the same audit has the same name in every installation."""
    identity = "\n".join((log_sha256, ruleset_version, rulings_digest))
    return hashlib.sha256(identity.encode()).hexdigest()[:KEY]


def header_summary(header: Mapping[str, Any]) -> dict[str, Any]:
    """What lists show of a header: game, title, players and match, cleaned; boards and rosters are left out."""

    def text(value: Any, limit: int) -> str | None:
        return clean(value, limit) or None if isinstance(value, str | int) and not isinstance(value, bool) else None

    players = header.get("players")
    match = header.get("match")
    summary: dict[str, Any] = {
        "game": text(header.get("game"), 32),
        "title": text(header.get("title"), 200),
        "players": [
            {"id": text(player.get("id"), 60) or "", "name": text(player.get("name"), 120) or ""}
            for player in (players if isinstance(players, list) else [])[:8]
            if isinstance(player, dict)
        ],
        "board": text(_named_part(header.get("board")), 120),
        "scenario": text(_named_part(header.get("scenario")), 120),
        "recorded_by": text(header.get("recorded_by"), 120),
        "match": {
            name: text(match.get(name), 80)
            for name in ("event", "round", "table")
            if isinstance(match, dict) and text(match.get(name), 80)
        },
    }
    return {name: value for name, value in summary.items() if value is not None}


def _named_part(value: Any) -> Any:
    """A board or scenario may be an id, or stand in the header whole."""
    return (value.get("title") or value.get("id")) if isinstance(value, dict) else value
