"""Audits: asked for, listed, given back as the bytes that their digest stands in; and the logs that they are of."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import orjson
from sqlmodel import Session

from auditor.jobs.identity import digest_in, terms_digest
from auditor.jobs.packed import whole
from auditor.jobs.queue import Runner
from auditor.service.games import Games
from auditor.service.opening import Opener
from auditor.service.packs import Packs
from auditor.service.rulings import READ_AS, Rulings
from auditor.service.shared import Shared, checked_hex, row_id
from auditor.service.values import (
    FILE,
    OWN,
    AuditLine,
    Choice,
    Found,
    LogPage,
    NotDrawn,
    NotFound,
    NotYet,
    Page,
    Source,
)
from auditor.store import jobs, queries
from auditor.store.cleaning import clean
from auditor.store.queries import MOST_COUNTED, Wanted
from auditor.store.tables import KEY, LABEL, SHA256, Log

log = logging.getLogger("auditor.service")


class Audits:
    """An audit is of one log under one ruleset version and one set of rulings, and is never rewritten."""

    def __init__(
        self, shared: Shared, games: Games, rulings: Rulings, packs: Packs, workers: Runner, opener: Opener
    ) -> None:
        self._shared = shared
        self._games = games
        self._rulings = rulings
        self._packs = packs
        self._workers = workers
        self._opener = opener

    def page(self, *, before: int | None = None, verdict: str | None = None) -> Page:
        """A page of audits, newest first."""
        size = self._shared.settings.page_size
        with self._shared.database.read() as session:
            rows = queries.audits(session, limit=size + 1, before=before, verdict=verdict)
            places = jobs.ahead(session, [row_id(audit) for audit, _log, _job in rows])
            tally = queries.tally(session)
        lines = tuple(self.line_of(row, places) for row in rows[:size])
        return Page(lines, lines[-1].cursor if len(rows) > size else None, tally)

    def find(self, wanted: Wanted, number: int) -> Found:
        """A page, by its number from 1, of the audits that are wanted; the last one where there are fewer."""
        size = self._shared.settings.page_size
        wanted = replace(wanted, rulings=clean(wanted.rulings, LABEL))
        with self._shared.database.read() as session:
            rows, count = queries.found(session, wanted, limit=size, offset=(number - 1) * size)
            pages = max(1, -(-min(count, MOST_COUNTED) // size))
            if number > pages:
                number = pages
                rows, count = queries.found(session, wanted, limit=size, offset=(number - 1) * size)
            places = jobs.ahead(session, [row_id(audit) for audit, _log, _job in rows])
            tally = queries.tally(session, wanted)
        return Found(tuple(self.line_of(row, places) for row in rows), count, number, pages, tally)

    def line(self, key: str) -> AuditLine:
        """An audit as lists show it. Raises NotFound."""
        return self.line_of(*self.row(key))

    def packed(self, key: str) -> bytes:
        """The audit as canonical JSON, packed (`jobs.packed`). Raises NotYet while there is none."""
        with self._shared.database.read() as session:
            row = queries.audit(session, checked_hex(key, KEY))
            if row is None:
                raise NotFound("audit")
            canonical = queries.canonical(session, row_id(row[0]))
        if canonical is None:
            raise NotYet(row[2].state)
        if digest_in(canonical) != row[0].digest:
            log.critical("what is stored as audit %s is not that audit", key)
            raise NotDrawn("What is stored under this address is not this audit, so it is not shown.")
        return canonical

    def value(self, key: str) -> dict[str, Any]:
        """The audit as a value, all of it at once: for those who know that it is small. Pages ask `forms`."""
        value: dict[str, Any] = orjson.loads(whole(self.packed(key)))
        return value

    def ask(self, session: Session, row: Log, mentioned: Iterable[str], choice: Choice, turn: int) -> queries.Known:
        """The audit of a log under a choice of rulings: the one there is, or a new one, done in this turn at the latest.

        `mentioned`: texts of its header that may name data packs.
        """
        rulings = self._rulings.for_game(choice, row.game)
        packs = self._packs.meant(session, row.game, mentioned)
        digest = terms_digest(rulings, packs)
        version = self._games.version(row.game)
        known = queries.identity(session, row_id(row), version, digest)
        if known is not None:
            jobs.sooner(session, known.id, turn)
            return known
        key = audit_key(row.sha256, version, digest)
        audit = {
            "key": key,
            "log_id": row_id(row),
            "ruleset_version": version,
            "rulings_digest": digest,
            "rulings_label": clean(choice.label, LABEL),
            "rulings": rulings,
            "packs": packs,
        }
        return queries.Known(jobs.queue(session, audit, turn), key)

    def read_as(self, key: str, way: str) -> str:
        """Audit the log of an audit under the same rulings, read as written in another way; the new audit's key."""
        (audit, row, _job), _places = self.row(key)
        return self.again(row.sha256, self._rulings.read_as(audit, row.game, way))

    def as_written(self, key: str) -> AuditLine | None:
        """Of an audit that reads its log as written in another way: the newest one of the same log that does not."""
        (audit, row, _job), _places = self.row(key)
        if not (audit.rulings or {}).get(READ_AS):
            return None
        with self._shared.database.read() as session:
            others = queries.audits(session, limit=200, log_id=row.id)
        return next((self.line_of(one, {}) for one in others if READ_AS not in (one[0].rulings or {})), None)

    def again(self, log_sha256: str, choice: Choice) -> str:
        """Audit a log that is here under other rulings, or under the rules and packs of today; the audit's key."""
        mentioned = self._opener.mentioned(self.log_name(log_sha256)[1])
        with self._shared.database.one_at_a_time() as session:
            row = queries.log(session, checked_hex(log_sha256, SHA256))
            if row is None:
                raise NotFound("log")
            key = self.ask(session, row, mentioned, choice, jobs.next_turn(session)).key
        self._workers.wake()
        return key

    def retry_all(self) -> int:
        """Queue all audits that failed once more; gives back how many."""
        with self._shared.database.write() as session:
            count = jobs.retry(session)
        self._workers.wake()
        return count

    def retry(self, key: str) -> None:
        """Queue an audit that failed once more."""
        (audit, _log, _job), _places = self.row(key)
        with self._shared.database.write() as session:
            jobs.retry(session, row_id(audit))
        self._workers.wake()

    def log_page(self, sha256: str) -> LogPage:
        """A log, its audits and its uploads."""
        with self._shared.database.read() as session:
            row = queries.log(session, checked_hex(sha256, SHA256))
            if row is None:
                raise NotFound("log")
            rows = queries.audits(session, limit=200, log_id=row.id)
            others = queries.same_match(session, row, limit=50)
            places = jobs.ahead(session, [row_id(audit) for audit, _log, _job in rows])
            sources = [
                Source(upload.sha256, upload.name, member.name, upload.size, upload.container, upload.received_at)
                for upload, member in queries.uploads_of(session, row_id(row))
            ]
        audits = tuple(self.line_of(each, places) for each in rows)
        same = tuple(self.line_of(each, {}) for each in others)
        return LogPage(
            row.sha256, row.name, row.title or row.name, row.game, row.size, row.header, audits, tuple(sources), same
        )

    def row(self, key: str) -> tuple[queries.AuditRow, dict[int, int]]:
        """The rows of an audit, and how many are queued before it. For the other rooms. Raises NotFound."""
        with self._shared.database.read() as session:
            row = queries.audit(session, checked_hex(key, KEY))
            if row is None:
                raise NotFound("audit")
            return row, jobs.ahead(session, [row_id(row[0])])

    def line_of(self, row: queries.AuditRow, places: dict[int, int]) -> AuditLine:
        """The rows of an audit as lists show it. For the other rooms."""
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
            outdated=audit.ruleset_version != self._games.version(record.game),
            state=job.state,
            verdict=audit.verdict,
            digest=audit.digest,
            counts=audit.counts,
            error=job.error,
            ahead=places.get(row_id(audit)),
            asked_at=audit.created_at,
            finished_at=audit.finished_at,
            cursor=row_id(audit),
        )

    def log_name(self, sha256: str) -> tuple[str, str]:
        """The name and the hash of a log that is here. Raises NotFound."""
        with self._shared.database.read() as session:
            row = queries.log(session, checked_hex(sha256, SHA256))
        if row is None:
            raise NotFound("log")
        return row.name, row.sha256

    def log_bytes(self, sha256: str) -> tuple[str, Iterator[bytes]]:
        """The name and the bytes of a log, unpacked, in parts."""
        name, sha256 = self.log_name(sha256)
        return name, self._shared.archive.parts(sha256)

    def log_lines(self, sha256: str, first: int, last: int, most: int) -> tuple[str, list[bytes], int]:
        """The name of a log, its lines from one number to another (at most so many bytes of each), and how many it
        has."""
        name, sha256 = self.log_name(sha256)
        return name, *self._shared.archive.lines(sha256, first, last, most)


def audit_key(log_sha256: str, ruleset_version: str, rulings_digest: str) -> str:
    """The name of an audit in addresses: the same audit has the same name in every installation."""
    identity = "\n".join((log_sha256, ruleset_version, rulings_digest))
    return hashlib.sha256(identity.encode()).hexdigest()[:KEY]
