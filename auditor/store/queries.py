"""Questions to the store, answered in rows; what they mean to a reader is said in auditor/service/."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlmodel import Session, SQLModel, col, func, select

from auditor.store import words
from auditor.store.tables import (
    VERDICTS,
    Audit,
    AuditValue,
    Delivery,
    DeliveryFile,
    Job,
    Log,
    LogWord,
    Member,
    Pack,
    RulingsSet,
    Upload,
)

AuditRow = tuple[Audit, Log, Job]


def _audits() -> Any:
    rows = select(Audit, Log, Job).join(Log, col(Audit.log_id) == col(Log.id))
    return rows.join(Job, col(Job.audit_id) == col(Audit.id))


def audit(session: Session, key: str) -> AuditRow | None:
    """One audit by its key."""
    row = session.exec(_audits().where(col(Audit.key) == key)).first()
    return None if row is None else (row[0], row[1], row[2])


def audits(
    session: Session, *, limit: int, before: int | None = None, verdict: str | None = None, log_id: int | None = None
) -> list[AuditRow]:
    """Newest first; `before` is the id at which the page before ended. A verdict may also be a job's state."""
    query = _audits().order_by(col(Audit.id).desc()).limit(limit)
    if before is not None:
        query = query.where(col(Audit.id) < before)
    if log_id is not None:
        query = query.where(col(Audit.log_id) == log_id)
    if verdict == "waiting":
        query = query.where(col(Job.state).in_(("queued", "running")))
    elif verdict == "failed":
        query = query.where(col(Job.state) == "failed")
    elif verdict is not None:
        query = query.where(col(Audit.verdict) == verdict)
    return [(row[0], row[1], row[2]) for row in session.exec(query).all()]


@dataclass(frozen=True)
class Wanted:
    """Which audits a list shows, and in which order. Empty: all of them."""

    verdict: str = ""
    search: str = ""
    player: str = ""
    event: str = ""
    round: str = ""
    table: str = ""
    rulings: str = ""
    game: str = ""
    sort: str = "newest"
    without: tuple[str, ...] = ()  # the SHA-256 of logs that are left out
    among: tuple[str, ...] = ()  # the SHA-256 of logs, where only theirs are wanted


SORTS = ("newest", "oldest", "findings")
MOST_COUNTED = 100_000
"""Where there are more audits than these, a page counts no further: to count a million takes longer than to show some."""


def found(session: Session, wanted: Wanted, *, limit: int, offset: int) -> tuple[list[AuditRow], int]:
    """Some of the audits that are wanted, in their order, and how many there are in all, counted to one beyond
    `MOST_COUNTED`."""
    conditions = _conditions(wanted)
    some = _counted(session, select(col(Audit.id)).where(*conditions))
    count = session.exec(select(func.count()).select_from(some)).one()
    ids = session.exec(some_ids(conditions, wanted.sort).limit(limit).offset(offset)).all()
    rows = {row[0].id: (row[0], row[1], row[2]) for row in session.exec(_audits().where(col(Audit.id).in_(ids)))}
    return [rows[ident] for ident in ids if ident in rows], count


def _counted(session: Session, query: Any) -> Any:
    """As many rows of what is asked as are counted."""
    newest = session.exec(select(func.max(col(Audit.id)))).one() or 0
    return (query if newest <= MOST_COUNTED else query.limit(MOST_COUNTED + 1)).subquery()


def some_ids(conditions: Sequence[Any], sort: str) -> Any:
    """The ids of audits in an order; only an index of the one table is walked to skip many."""
    by_id = col(Audit.id).asc() if sort == "oldest" else col(Audit.id).desc()
    order = (col(Audit.standing).desc(), by_id) if sort == "findings" else (by_id,)
    return select(col(Audit.id)).where(*conditions).order_by(*order)


def _conditions(wanted: Wanted) -> list[Any]:
    conditions: list[Any] = []
    if wanted.verdict in ("waiting", "failed"):
        states = ("queued", "running") if wanted.verdict == "waiting" else ("failed",)
        conditions.append(col(Audit.id).in_(select(col(Job.audit_id)).where(col(Job.state).in_(states))))
    elif wanted.verdict:
        conditions.append(col(Audit.verdict) == wanted.verdict)
    if wanted.rulings:
        conditions.append(col(Audit.rulings_label) == wanted.rulings)
    if wanted.without:
        put_away = select(col(Log.id)).where(col(Log.sha256).in_(wanted.without))
        conditions.append(col(Audit.log_id).not_in(put_away))
    if wanted.among:
        conditions.append(col(Audit.log_id).in_(select(col(Log.id)).where(col(Log.sha256).in_(wanted.among))))
    if wanted.game:
        conditions.append(col(Audit.log_id).in_(select(col(Log.id)).where(col(Log.game) == wanted.game)))
    whole = [words.of_field(field, getattr(wanted, field)) for field in words.FIELDS if getattr(wanted, field)]
    begun = [words.of_player(part) for part in words.parts(wanted.player)] + words.parts(wanted.search)
    conditions += [_has(col(LogWord.word) == word) for word in whole]
    conditions += [_has(col(LogWord.word) >= word, col(LogWord.word) < word + _LAST) for word in begun[:8]]
    return conditions


_LAST = "\U0010ffff"


def _has(*word: Any) -> Any:
    return col(Audit.log_id).in_(select(col(LogWord.log_id)).where(*word))


def same_match(session: Session, row: Log, *, limit: int) -> list[AuditRow]:
    """Audits of other logs whose headers name the same event, round and table; of none where one of these is missing."""
    match = row.header.get("match", {})
    if not all(field in match for field in words.FIELDS):
        return []
    conditions = [_has(col(LogWord.word) == words.of_field(field, match[field])) for field in words.FIELDS]
    query = _audits().where(col(Audit.log_id) != row.id, *conditions).order_by(col(Audit.id).desc()).limit(limit)
    return [(each[0], each[1], each[2]) for each in session.exec(query).all()]


def tally(session: Session, wanted: Wanted | None = None) -> dict[str, int]:
    """How many audits there are by verdict, and by state where there is none yet; counted in indexes alone, each number to one
    beyond `MOST_COUNTED`. Of those that are wanted whatever their verdict, where some are."""
    conditions = [] if wanted is None else _conditions(replace(wanted, verdict=""))
    some = _counted(session, select(Audit.verdict).where(col(Audit.verdict) > "", *conditions))
    counts = _numbers(session, sa.select(some.c.verdict, func.count()).group_by(some.c.verdict))
    if sum(counts.values()) > MOST_COUNTED:  # which of them these are is chance, so each verdict is counted by itself
        each = [
            _counted(session, select(col(Audit.id)).where(col(Audit.verdict) == verdict, *conditions))
            for verdict in VERDICTS
        ]
        by_verdict = zip(VERDICTS, each, strict=True)
        counts = _numbers(
            session,
            sa.union_all(*(sa.select(sa.literal(name), func.count()).select_from(of) for name, of in by_verdict)),
        )
    # Of each job that is open, and these are few, it is asked whether its audit is wanted.
    whose = [sa.exists().where(col(Audit.id) == col(Job.audit_id), *conditions)] if conditions else []
    for name, states in (("waiting", ("queued", "running")), ("failed", ("failed",))):
        unsettled = _counted(session, select(col(Job.id)).where(col(Job.state).in_(states), *whose))
        number = session.exec(select(func.count()).select_from(unsettled)).one()
        counts |= {name: number} if number else {}
    return counts


def _numbers(session: Session, query: Any) -> dict[str, int]:
    """Names with a number each, without those of which there is none."""
    return {str(name): number for name, number in session.execute(query) if number}


def verdicts(session: Session) -> dict[str, int]:
    """How many audits there are by verdict, all of them counted."""
    verdict = col(Audit.verdict)
    return _numbers(session, select(verdict, func.count()).where(verdict > "").group_by(verdict))


class Known(NamedTuple):
    """An audit that was asked for before."""

    id: int
    key: str


_AUDIT = SQLModel.metadata.tables["audit"]
_IDENTITY = sa.select(_AUDIT.c.id, _AUDIT.c.key).where(
    _AUDIT.c.log_id == sa.bindparam("log"),
    _AUDIT.c.ruleset_version == sa.bindparam("version"),
    _AUDIT.c.rulings_digest == sa.bindparam("digest"),
)


def identity(session: Session, log_id: int, version: str, rulings_digest: str) -> Known | None:
    """The audit of this log under this version and these rulings, if it was ever asked for."""
    row = session.execute(_IDENTITY, {"log": log_id, "version": version, "digest": rulings_digest}).first()
    return None if row is None else Known(row[0], row[1])


def canonical(session: Session, audit_id: int) -> bytes | None:
    """The audit's own JSON, packed."""
    return session.exec(select(AuditValue.canonical).where(AuditValue.audit_id == audit_id)).first()


def timeline(session: Session, audit_id: int) -> bytes | None:
    """The events of the audited log as JSON, packed."""
    return session.exec(select(AuditValue.timeline).where(AuditValue.audit_id == audit_id)).first()


def numbers(session: Session, audit_id: int) -> bytes | None:
    """The numbers of the events of the audited log as JSON, packed."""
    return session.exec(select(AuditValue.numbers).where(AuditValue.audit_id == audit_id)).first()


def errors(session: Session, audit_id: int) -> list[dict[str, Any]]:
    """The first of what could not be read in the audited log."""
    found = session.exec(select(AuditValue.errors).where(AuditValue.audit_id == audit_id)).first()
    return list(found or ())


def upload(session: Session, sha256: str) -> Upload | None:
    """An upload by the hash of its bytes."""
    return session.exec(select(Upload).where(Upload.sha256 == sha256)).first()


def log(session: Session, sha256: str) -> Log | None:
    """A log by the hash of its own bytes."""
    return session.exec(select(Log).where(Log.sha256 == sha256)).first()


def members_at(session: Session, upload_id: int, positions: Sequence[int]) -> dict[int, Member]:
    """What is written of the members of an upload at some places in it."""
    rows = session.exec(select(Member).where(Member.upload_id == upload_id, col(Member.position).in_(positions)))
    return {row.position: row for row in rows}


def uploads_of(session: Session, log_id: int) -> Sequence[tuple[Upload, Member]]:
    """The uploads that hold a log, oldest first."""
    rows = session.exec(
        select(Upload, Member)
        .join(Member, col(Member.upload_id) == col(Upload.id))
        .where(Member.log_id == log_id)
        .order_by(col(Upload.id), col(Member.position))
        .limit(20)
    ).all()
    return [(row[0], row[1]) for row in rows]


def delivery(session: Session, key: str) -> Delivery | None:
    """A delivery by its key."""
    return session.exec(select(Delivery).where(Delivery.key == key)).first()


class FileState(NamedTuple):
    """As much of a file of a delivery as says what became of it."""

    id: int
    known: bool
    skipped: bool
    problems: bool
    audit_id: int | None
    verdict: str | None
    errors: int
    state: str | None


def delivery_states(session: Session, delivery_id: int) -> list[FileState]:
    """What became of each file of a delivery, in the order they came."""
    file = DeliveryFile
    rows = session.execute(
        sa.select(
            col(file.id),
            col(file.known),
            col(file.skipped),
            col(file.problems),
            col(file.audit_id),
            col(Audit.verdict),
            col(Audit.counts),
            col(Job.state),
        )
        .join(Audit, col(file.audit_id) == col(Audit.id), isouter=True)
        .join(Job, col(Job.audit_id) == col(Audit.id), isouter=True)
        .where(col(file.delivery_id) == delivery_id)
        .order_by(col(file.position))
    )
    return [
        FileState(ident, known, skipped, bool(problems), audit, verdict, (counts or {}).get("errors", 0), state)
        for ident, known, skipped, problems, audit, verdict, counts, state in rows
    ]


def delivery_files(
    session: Session, ids: Sequence[int]
) -> list[tuple[DeliveryFile, Upload, Log | None, Audit | None, Job | None]]:
    """Some files of a delivery with all that is known of them."""
    rows = session.execute(
        sa.select(DeliveryFile, Upload, Log, Audit, Job)
        .join(Upload, col(DeliveryFile.upload_id) == col(Upload.id))
        .join(Log, col(DeliveryFile.log_id) == col(Log.id), isouter=True)
        .join(Audit, col(DeliveryFile.audit_id) == col(Audit.id), isouter=True)
        .join(Job, col(Job.audit_id) == col(Audit.id), isouter=True)
        .where(col(DeliveryFile.id).in_(ids))
    ).all()
    return [(row[0], row[1], row[2], row[3], row[4]) for row in rows]


def rulings_sets(session: Session) -> Sequence[RulingsSet]:
    """All named rulings, by name."""
    return session.exec(select(RulingsSet).order_by(col(RulingsSet.name))).all()


def rulings_set(session: Session, name: str) -> RulingsSet | None:
    """One set by its name."""
    return session.exec(select(RulingsSet).where(RulingsSet.name == name)).first()


def logs_with_newest_audit(session: Session, event: str | None, *, after: int, limit: int) -> list[tuple[Log, Audit]]:
    """Logs beyond an id, in their order, of an event or all, each with its newest audit; those without one are left out."""
    newest = select(func.max(col(Audit.id))).where(col(Audit.log_id) == col(Log.id)).correlate(Log).scalar_subquery()
    query = select(Log, Audit).join(Audit, col(Audit.id) == newest).where(col(Log.id) > after)
    if event is not None:
        word = words.of_field("event", event)
        query = query.where(col(Log.id).in_(select(LogWord.log_id).where(col(LogWord.word) == word)))
    return [(row[0], row[1]) for row in session.exec(query.order_by(col(Log.id)).limit(limit)).all()]


def with_those_before(session: Session, ids: Sequence[int]) -> list[tuple[Audit, Log, Job, Audit | None]]:
    """Audits, each with the newest one of the same log under the same rulings that was asked for before it."""
    found = []
    for audit, record, job in session.exec(_audits().where(col(Audit.id).in_(ids)).order_by(col(Audit.id))).all():
        earlier = select(Audit).where(col(Audit.log_id) == audit.log_id, col(Audit.id) < audit.id)
        earlier = earlier.where(col(Audit.rulings_label) == audit.rulings_label, col(Audit.verdict).is_not(None))
        found.append((audit, record, job, session.exec(earlier.order_by(col(Audit.id).desc()).limit(1)).first()))
    return found


def unsettled(session: Session, audit_ids: Sequence[int]) -> int:
    """How many of these audits are still queued or running."""
    return session.exec(
        select(func.count())
        .select_from(Job)
        .where(col(Job.audit_id).in_(audit_ids), col(Job.state).in_(("queued", "running")))
    ).one()


def newest_values(session: Session, most: int) -> list[tuple[str, str, dict[str, Any], str, bytes]]:
    """Of the newest audits: key, digest, counts, the hash of the log, and the audit itself, packed."""
    query = (
        sa.select(col(Audit.key), col(Audit.digest), col(Audit.counts), col(Log.sha256), col(AuditValue.canonical))
        .join(Log, col(Audit.log_id) == col(Log.id))
        .join(AuditValue, col(AuditValue.audit_id) == col(Audit.id))
        .order_by(col(Audit.id).desc())
        .limit(most)
    )
    return [(row[0], str(row[1]), row[2], row[3], row[4]) for row in session.execute(query)]


def some_logs(session: Session, most: int, largest: int) -> Sequence[str]:
    """The hashes of some logs of at most so many bytes, others at each call."""
    last = session.exec(select(func.max(col(Log.id)))).one() or 0
    begin = random.randint(1, max(1, last))
    ids = {(begin + step * max(1, last // most)) % max(1, last) + 1 for step in range(most)}
    return session.exec(select(col(Log.sha256)).where(col(Log.id).in_(ids), col(Log.size) <= largest)).all()


def job_numbers(session: Session) -> tuple[dict[str, int], int]:
    """How many jobs there are by state, and how many children died over those that are not done."""
    rows = session.exec(select(Job.state, func.count()).group_by(col(Job.state))).all()
    unsettled = col(Job.state).in_(("queued", "running", "failed"))
    tries = session.exec(select(func.coalesce(func.sum(col(Job.tries)), 0)).where(unsettled)).one()
    return {str(state): number for state, number in rows}, int(tries)


def oldest_waiting(session: Session) -> Job | None:
    """The job that has been queued longest."""
    return session.exec(select(Job).where(Job.state == "queued").order_by(col(Job.id)).limit(1)).first()


def packs(session: Session, game: str | None = None) -> Sequence[Pack]:
    """The uploaded packs, of all games or of one, by game, kind and id, in the order they came."""
    query = select(Pack).order_by(col(Pack.game), col(Pack.kind), col(Pack.name), col(Pack.id))
    return session.exec(query if game is None else query.where(Pack.game == game)).all()


def pack_names(session: Session, game: str) -> Sequence[tuple[str, str, str, str]]:
    """(hash, kind, id, version) of each uploaded pack of a game."""
    rows = session.exec(select(Pack.sha256, Pack.kind, Pack.name, Pack.version).where(Pack.game == game)).all()
    return [(row[0], row[1], row[2], row[3]) for row in rows]


def pack_mentions(session: Session, sha256: str) -> list[str]:
    """The texts in a pack that may be ids of others."""
    found = session.exec(select(Pack.mentions).where(Pack.sha256 == sha256)).first()
    return list(found or ())


def pack(session: Session, sha256: str) -> Pack | None:
    """A pack by the hash of its canonical JSON."""
    return session.exec(select(Pack).where(Pack.sha256 == sha256)).first()
