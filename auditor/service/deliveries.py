"""Deliveries: what was sent in one go, and what became of each file of it."""

from __future__ import annotations

import hashlib
import io
import secrets
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from sqlmodel import Session, insert

from auditor.core.rulings import BadRulings
from auditor.ingest.kinds import is_junk
from auditor.jobs.opening import OpenedLog, OpenedUpload
from auditor.jobs.queue import Runner
from auditor.jobs.unpack import problem
from auditor.service.audits import Audits
from auditor.service.examples import fixtures_dir, games_in
from auditor.service.games import Games
from auditor.service.opening import Opener
from auditor.service.rulings import Rulings
from auditor.service.shared import Shared, checked_hex, row_id
from auditor.service.values import AuditLine, Choice, DeliveryPage, Fate, Incoming, NotFound
from auditor.store import jobs, queries
from auditor.store.archive import Stored
from auditor.store.cleaning import clean
from auditor.store.tables import (
    KEY,
    LABEL,
    NAME,
    SHA256,
    Audit,
    Delivery,
    DeliveryFile,
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
_SKIPPED = "It is no log by its name or its first lines, so it was passed over."


class Deliveries:
    """Takes files in, and says what became of them."""

    def __init__(
        self, shared: Shared, games: Games, rulings: Rulings, audits: Audits, workers: Runner, opener: Opener
    ) -> None:
        self._shared = shared
        self._games = games
        self._rulings = rulings
        self._audits = audits
        self._workers = workers
        self._opener = opener

    def receive(self, files: Iterable[Incoming], choice: Choice, source: str = "upload") -> str:
        """Take in what was sent and queue its audits; gives back the delivery's key.

        Each file is on disk, whole and under its hash, before anything reads it; then all rows are written in one
        transaction. If that fails nothing was taken in: bytes without a row are no upload, and come to be one when
        they are sent again.
        """
        kept = [(clean(file.name, NAME) or "unnamed", self._shared.archive.put(file.stream)) for file in files]
        opened = [(name, stored, self._opener.open(name, stored)) for name, stored in kept]
        with self._shared.database.one_at_a_time() as session:
            delivery = Delivery(
                key=secrets.token_hex(KEY // 2), source=source, rulings_label=clean(choice.label, LABEL)
            )
            session.add(delivery)
            session.flush()
            turns = _turns([content for *_rest, content in opened], jobs.next_turn(session))
            position = 0
            for (name, stored, content), its_turns in zip(opened, turns, strict=True):
                for fate in self._take_in(session, name, stored, content, choice, source, its_turns):
                    session.add(DeliveryFile(delivery_id=row_id(delivery), position=position, **fate))
                    position += 1
        self._workers.wake()
        return delivery.key

    def _take_in(
        self,
        session: Session,
        name: str,
        stored: Stored,
        content: OpenedUpload,
        choice: Choice,
        source: str,
        turns: Sequence[int],
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
        listed = {member.position: member for member, _log in queries.members(session, row_id(upload))}
        fates: list[dict[str, Any]] = []
        if content.problems:
            fates.append({"name": name, "upload_id": upload.id, "known": known, "problems": list(content.problems)})
        for position, member in enumerate(content.logs):
            if member.skipped and is_junk(member.name) and len(content.logs) > 1:
                continue
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
                    fate["audit_id"] = row_id(self._audits.ask(session, row, member.mentioned, choice, turns[position]))
                except BadRulings as refusal:
                    fate["problems"] = fate["problems"] + [problem(text, path="rulings") for text in refusal.problems]
            fates.append(fate)
        return fates

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

    def page(self, key: str) -> DeliveryPage:
        """What became of what was sent, trouble first."""
        with self._shared.database.read() as session:
            row = queries.delivery(session, checked_hex(key, KEY))
            if row is None:
                raise NotFound("delivery")
            rows = queries.delivery_files(session, row_id(row))
            places = jobs.ahead(session, [row_id(audit) for *_rest, audit, _job in rows if audit is not None])
            errors = {
                audit.id: queries.errors(session, row_id(audit))
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
            line = self._audits.line_of((audit, row, job), places)
            problems += errors.get(audit.id, [])
        fate, text = ("skipped", _SKIPPED) if file.skipped else _what_became(line, bool(file.problems))
        size = row.size if row is not None else upload.size if file.size is None else file.size
        problems = [] if file.skipped else problems
        return Fate(file.name, size, upload.sha256, upload.container, fate, file.known, text, tuple(problems), line)

    def wait(self, key: str, seconds: float) -> bool:
        """Wait until all audits of a delivery are settled, or the time is over; True if they are."""
        if not self._shared.waiters.acquire(blocking=False):
            return False  # the page follows the work by itself
        try:
            return self._wait(key, seconds)
        finally:
            self._shared.waiters.release()

    def _wait(self, key: str, seconds: float) -> bool:
        end = time.monotonic() + seconds
        with self._shared.database.read() as session:
            row = queries.delivery(session, checked_hex(key, KEY))
            if row is None:
                raise NotFound("delivery")
            ids = [
                row_id(audit)
                for *_rest, audit, _job in queries.delivery_files(session, row_id(row))
                if audit is not None
            ]
        while True:
            with self._shared.settled:
                with self._shared.database.read() as session:
                    if queries.unsettled(session, ids) == 0:
                        return True
                left = end - time.monotonic()
                if left <= 0:
                    return False
                self._shared.settled.wait(left if self._shared.database.alone else min(left, _LOOK_SECONDS))

    def upload_bytes(self, sha256: str) -> tuple[str, Iterator[bytes]]:
        """The name and the bytes of an upload, as they came, in parts."""
        with self._shared.database.read() as session:
            row = queries.upload(session, checked_hex(sha256, SHA256))
        if row is None:
            raise NotFound("upload")
        return row.name, self._shared.archive.parts(row.sha256)


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
