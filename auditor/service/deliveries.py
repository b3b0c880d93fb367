"""Deliveries: what was sent in one go, and what became of each file of it."""

from __future__ import annotations

import hashlib
import io
import math
import secrets
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

from sqlmodel import Session, insert

from auditor.core.rulings import BadRulings
from auditor.ingest.kinds import is_junk
from auditor.jobs.opening import OpenedLog, OpenedUpload
from auditor.jobs.queue import Runner
from auditor.jobs.unpack import problem
from auditor.service import filling
from auditor.service.audits import Audits
from auditor.service.examples import fixtures_dir, games_in
from auditor.service.games import Games
from auditor.service.opening import Opener
from auditor.service.removing import Removing
from auditor.service.rulings import Rulings
from auditor.service.shared import Shared, checked_hex, row_id
from auditor.service.values import AuditLine, Choice, DeliveryPage, Fate, Incoming, NotFound
from auditor.store import fillings, jobs, queries
from auditor.store.archive import Stored
from auditor.store.cleaning import clean
from auditor.store.database import Busy
from auditor.store.tables import (
    KEY,
    LABEL,
    NAME,
    SHA256,
    Audit,
    Delivery,
    DeliveryFile,
    Filling,
    Job,
    Log,
    LogWord,
    Member,
    Upload,
)
from auditor.store.words import words_of

_TROUBLE_FIRST = ("refused", "failed", "in part", "in work", "queued", "audited", "skipped")
_LOOK_SECONDS = 0.25
"""How often to look whether an audit that another process does is settled."""
SHOWN = 100
"""Files of a delivery that a page lists."""
_MANY = 200
"""Audits of a delivery that nobody waits for."""
_SKIPPED = "It is no log by its name or its first lines, so it was passed over."


class Deliveries:
    """Takes files in, and says what became of them."""

    def __init__(
        self,
        shared: Shared,
        games: Games,
        rulings: Rulings,
        audits: Audits,
        workers: Runner,
        opener: Opener,
        removing: Removing,
    ) -> None:
        self._shared = shared
        self._games = games
        self._rulings = rulings
        self._audits = audits
        self._workers = workers
        self._opener = opener
        self._removing = removing
        self._fillers = filling.Fillers(shared, opener, self._write_part, workers.wake)

    def start(self) -> None:
        """Go on with what was not wholly taken in when the process before ended."""
        self._fillers.start()

    def stop(self) -> None:
        """Give up what is being opened; it is gone on with at the next start."""
        self._fillers.stop()

    def receive(self, files: Iterable[Incoming], choice: Choice, source: str = "upload") -> str:
        """Take in what was sent and queue its audits; gives back the delivery's key.

        Each file is on disk, whole and under its hash, before anything reads it. Of small files all rows are written at
        once. Others are opened and written part by part by threads of their own (`filling`), and are waited for a moment;
        what they are is written first, so that nothing is lost whatever happens then. If that fails nothing was taken in:
        bytes without a row are no upload, and are removed. Raises Busy where too much waits to be opened.
        """
        kept: list[tuple[str, Stored]] = []
        try:
            for file in files:
                kept.append((clean(file.name, NAME) or "unnamed", self._shared.archive.put(file.stream)))
            opened = [(name, stored, self._opener.open_small(name, stored)) for name, stored in kept]
            small = [(name, stored, content) for name, stored, content in opened if content is not None]
            delivery = Delivery(
                key=secrets.token_hex(KEY // 2), source=source, rulings_label=clean(choice.label, LABEL)
            )
            with self._shared.database.one_at_a_time() as session:
                if not all(self._shared.archive.has(stored.sha256) for _name, stored in kept):
                    raise Busy("the same bytes were removed meanwhile")
                session.add(delivery)
                session.flush()
                if len(small) == len(kept):
                    self._write(session, row_id(delivery), source, small, choice, jobs.next_turn(session))
                else:
                    self._promise(session, row_id(delivery), kept, choice)
        except BaseException:
            self._removing.discard([stored.sha256 for _name, stored in kept if not stored.known])
            raise
        self._workers.wake()
        if len(small) < len(kept):
            self._fillers.start()
            self._wait_for(lambda: self._is_filled(row_id(delivery)), self._shared.settings.wait_seconds)
        return delivery.key

    def _promise(self, session: Session, delivery_id: int, kept: Sequence[tuple[str, Stored]], choice: Choice) -> None:
        """Write down that these files are to be opened."""
        if fillings.count(session) >= filling.MOST_WAITING:
            raise Busy("too much waits to be opened")
        files = [{"name": name, "sha256": stored.sha256, "size": stored.size} for name, stored in kept]
        session.add(Filling(delivery_id=delivery_id, files=files, choice=asdict(choice)))

    def _write_part(self, row: Filling, opened: Sequence[filling.Opened], heap: str) -> bool:
        """Write what comes next of a delivery that was opened; whether something is left. Raises Lost."""
        assert row.owner is not None
        lease = self._shared.settings.lease_seconds
        with self._shared.database.read() as session:
            done = fillings.taken_in(session, row.delivery_id)
        units = [(log.stored, log.member) for log in _units(opened)]
        new = {stored.sha256 for stored, member in units[done : done + filling.PART] if stored is not None and member}
        self._shared.archive.take_over(heap, sorted(new))
        with self._shared.database.one_at_a_time() as session:
            mine = fillings.ours(session, row.delivery_id, row.owner, lease)
            if mine is None:
                return False
            if not all(map(self._shared.archive.has, new)):
                raise filling.Lost
            mine.total = len(units)
            delivery = session.get_one(Delivery, row.delivery_id)
            choice, end = Choice(**row.choice), time.monotonic() + filling.PART_SECONDS
            turn = jobs.next_turn(session)
            done += self._write(session, row.delivery_id, delivery.source, opened, choice, turn, done, end)
            if done < len(units):
                session.add(mine)
            else:
                session.delete(mine)
        return done < len(units)

    def _write(
        self,
        session: Session,
        delivery_id: int,
        source: str,
        opened: Sequence[filling.Opened],
        choice: Choice,
        first_turn: int,
        start: int = 0,
        end: float = math.inf,
    ) -> int:
        """Write the rows of a delivery from a place in it on, until a time; gives back how many."""
        turns = _turns([content for *_rest, content in opened], first_turn)
        place, written = 0, 0
        for (name, stored, content), its_turns in zip(opened, turns, strict=True):
            count = len(_units([(name, stored, content)]))
            skipped = max(0, start - place)
            if skipped < count:
                for fate in self._take_in(session, name, stored, content, choice, source, its_turns, skipped):
                    session.add(DeliveryFile(delivery_id=delivery_id, position=start + written, **fate))
                    written += 1
                    if (written >= filling.PART and end < math.inf) or time.monotonic() > end:
                        return written
            place += count
        return written

    def _take_in(
        self,
        session: Session,
        name: str,
        stored: Stored,
        content: OpenedUpload,
        choice: Choice,
        source: str,
        turns: Sequence[int],
        start: int = 0,
    ) -> Iterator[dict[str, Any]]:
        """Write the rows of one file, from a place in it on; gives a delivery's row for it, or one for each member of a
        zip, in their order (`_units`)."""
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
        units = _units([(name, stored, content)])[start:]
        positions = [unit.position for unit in units[: filling.PART] if unit.position is not None]
        listed = queries.members_at(session, row_id(upload), positions)
        for unit in units:
            if unit.position is None:
                problems = list(content.problems)
                yield {"name": name, "upload_id": upload.id, "known": known, "problems": problems}
                continue
            position = unit.position
            member = content.logs[position]
            row, seen = self._log_row(session, member)
            there = listed.get(position)
            if there is not None and there.log_id is None and row is not None:
                there.log_id, there.problems = row.id, list(member.problems)
            if there is None:
                session.add(
                    Member(
                        upload_id=row_id(upload),
                        position=position,
                        name=clean(member.name, NAME),
                        log_id=None if row is None else row.id,
                        problems=list(member.problems),
                    )
                )
            fate: dict[str, Any] = {
                "name": f"{name} › {clean(member.name, NAME)}" if content.container == "zip" else name,
                "upload_id": upload.id,
                "known": seen,
                "problems": list(member.problems),
                "skipped": member.skipped,
                "size": member.size,
            }
            if row is not None:
                fate["log_id"] = row.id
                try:
                    fate["audit_id"] = self._audits.ask(session, row, member.mentioned, choice, turns[position]).id
                except BadRulings as refusal:
                    fate["problems"] = fate["problems"] + [problem(text, path="rulings") for text in refusal.problems]
            yield fate

    def _log_row(self, session: Session, member: OpenedLog) -> tuple[Log | None, bool]:
        """The row of a log, made if there is none; and whether the log was known."""
        if member.stored is None:
            return None, False
        row = queries.log(session, member.stored.sha256)
        if row is not None:
            return row, True
        header = dict(member.header or {})
        game = header.get("game")
        row = Log(
            sha256=member.stored.sha256,
            size=member.stored.size,
            name=clean(member.name, NAME),
            game=game if game in self._games.rulesets() else None,
            title=header.get("title"),
            header=header,
        )
        session.add(row)
        session.flush()
        words = [{"word": word, "log_id": row_id(row)} for word in words_of(row.name, header)]
        if words:
            session.execute(insert(LogWord), words)
        return row, False

    def load_examples(self) -> int:
        """Take in the games that come with the program and are not here yet; gives back how many."""
        folder = fixtures_dir()
        if folder is None:
            return 0
        fresh: list[Path] = []
        with self._shared.database.read() as session:
            for path in (path for games in sorted(folder.glob("*/games")) for path in games_in(games)):
                if queries.upload(session, hashlib.sha256(path.read_bytes()).hexdigest()) is None:
                    fresh.append(path)
        if fresh:
            files = [Incoming(path.name, io.BytesIO(path.read_bytes())) for path in fresh]
            self.receive(files, self._rulings.own(), source="example")
        return len(fresh)

    def page(self, key: str, number: int = 1, size: int = SHOWN) -> DeliveryPage:
        """What became of what was sent, trouble first: so many files, from a page by its number on."""
        with self._shared.database.read() as session:
            row = queries.delivery(session, checked_hex(key, KEY))
            if row is None:
                raise NotFound("delivery")
            waiting = fillings.of(session, row_id(row))
            light = queries.delivery_states(session, row_id(row))
            order = sorted(light, key=lambda each: _TROUBLE_FIRST.index(_word(each)))
            pages = max(1, -(-len(light) // size))
            number = min(max(1, number), pages)
            ids = [each.id for each in order[(number - 1) * size : number * size]]
            rows = queries.delivery_files(session, ids)
            places = jobs.ahead(session, [row_id(audit) for *_rest, audit, _job in rows if audit is not None])
            errors = {
                audit.id: queries.errors(session, row_id(audit))
                for *_rest, audit, _job in rows
                if audit is not None and audit.counts.get("errors")
            }
        fates = {each[0].id: self._fate(*each, places, errors) for each in rows}
        return DeliveryPage(
            row.key,
            row.source,
            row.rulings_label,
            row.received_at,
            tuple(fates[ident] for ident in ids),
            dict(Counter(_word(each) for each in light)),
            waiting is None and all(each.state in (None, "done", "failed") for each in light),
            number,
            pages,
            len(light),
            sum(each.known for each in light),
            None if waiting is None else waiting.total or 0,
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
            line = self._audits.line_of((audit, row, job), places)
            problems += errors.get(audit.id, [])
        fate, text = ("skipped", _SKIPPED) if file.skipped else _what_became(line, bool(file.problems))
        size = row.size if row is not None else upload.size if file.size is None else file.size
        problems = [] if file.skipped else problems
        return Fate(file.name, size, upload.sha256, upload.container, fate, file.known, text, tuple(problems), line)

    def wait(self, key: str, seconds: float) -> bool:
        """Wait until all audits of a delivery are settled, or the time is over; True if they are. Of many, nobody waits."""
        with self._shared.database.read() as session:
            row = queries.delivery(session, checked_hex(key, KEY))
            if row is None:
                raise NotFound("delivery")
            if fillings.of(session, row_id(row)) is not None:
                return False
            ids = [state.audit_id for state in queries.delivery_states(session, row_id(row)) if state.audit_id]
        if len(ids) > _MANY:
            return False

        def settled() -> bool:
            with self._shared.database.read() as session:
                return queries.unsettled(session, ids) == 0

        return self._wait_for(settled, seconds)

    def _is_filled(self, delivery_id: int) -> bool:
        with self._shared.database.read() as session:
            return fillings.of(session, delivery_id) is None

    def _wait_for(self, there: Callable[[], bool], seconds: float) -> bool:
        """Wait until something is so, or the time is over; True if it is. Only some wait at once: pages follow the work by
        themselves."""
        if not self._shared.waiters.acquire(blocking=False):
            return False
        try:
            end = time.monotonic() + seconds
            while True:
                with self._shared.settled:
                    if there():
                        return True
                    left = end - time.monotonic()
                    if left <= 0:
                        return False
                    self._shared.settled.wait(left if self._shared.database.alone else min(left, _LOOK_SECONDS))
        finally:
            self._shared.waiters.release()

    def upload_bytes(self, sha256: str) -> tuple[str, Iterator[bytes]]:
        """The name and the bytes of an upload, as they came, in parts."""
        with self._shared.database.read() as session:
            row = queries.upload(session, checked_hex(sha256, SHA256))
        if row is None:
            raise NotFound("upload")
        return row.name, self._shared.archive.parts(row.sha256)


class _Unit(NamedTuple):
    """What becomes one file of a delivery: a log of an upload, or (without a position) what is wrong with the upload."""

    position: int | None
    stored: Stored | None
    member: bool


def _units(opened: Sequence[filling.Opened]) -> list[_Unit]:
    """All that becomes a file of the delivery, in order; the same whenever it is asked of the same bytes."""
    units: list[_Unit] = []
    for _name, _stored, content in opened:
        if content.problems:
            units.append(_Unit(None, None, False))
        many = len(content.logs) > 1
        units += [
            _Unit(position, log.stored, content.container != "plain")
            for position, log in enumerate(content.logs)
            if not (log.skipped and many and is_junk(log.name))
        ]
    return units


def _turns(uploads: Sequence[OpenedUpload], first: int) -> list[list[int]]:
    """The turns of the logs of some uploads, the first for the smallest of all: it is done soon, and the large can wait."""
    sizes = [
        (0 if log.stored is None else log.stored.size, at, place)
        for at, upload in enumerate(uploads)
        for place, log in enumerate(upload.logs)
    ]
    turns = [[0] * len(upload.logs) for upload in uploads]
    for turn, (_size, at, place) in enumerate(sorted(sizes), first):
        turns[at][place] = turn
    return turns


def _word(file: queries.FileState) -> str:
    """The one word for a file of a delivery, the same as `_what_became` says."""
    if file.skipped:
        return "skipped"
    if file.state is None or (file.state == "done" and file.verdict == "unreadable"):
        return "refused"
    if file.state != "done":
        return {"failed": "failed", "running": "in work", "queued": "queued"}[file.state]
    return "in part" if file.errors or file.problems else "audited"


def _what_became(line: AuditLine | None, problems: bool) -> tuple[str, str]:
    """The one word and the one sentence for a file of a delivery."""
    if line is None:
        return "refused", "Nothing could be audited. The bytes are kept."
    if line.state == "failed":
        return "failed", line.error or "The audit failed."
    if line.state == "running":
        return "in work", "The audit is running."
    if line.state == "queued":
        return "queued", "Next." if not line.ahead else f"{line.ahead} ahead in the queue."
    counts = line.counts
    if line.verdict == "unreadable":
        return "refused", "Its header cannot be used, so nothing could be audited. The bytes are kept."
    found = _plural(counts["standing"], "finding to decide", "findings to decide")
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
