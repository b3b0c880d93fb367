"""Jobs as rows: claimed, kept by a lease, and settled only by the attempt that claimed them last.

The same statements serve one process on SQLite and many on PostgreSQL. Those that every audit needs are written once, over
the tables and not over objects: what they cost is the cost of the queue.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session, SQLModel, col, select

from auditor.store.tables import Job, now

_JOB, _AUDIT, _LOG, _VALUE = (SQLModel.metadata.tables[name] for name in ("job", "audit", "log", "audit_value"))


@dataclass(frozen=True)
class Asked:
    """What a job is to do: the audit as it was asked for."""

    log_id: int
    sha256: str
    version: str
    rulings_digest: str
    rulings: dict[str, Any] | None
    packs: list[str]


@dataclass(frozen=True)
class Claim:
    """The right to do a job: valid while owner and attempt are still those of the row."""

    job_id: int
    audit_id: int
    owner: str
    attempt: int
    tries: int
    asked: Asked


_LAST_TURNS = sa.select(
    *(
        sa.select(sa.func.max(_JOB.c.turn)).where(_JOB.c.state == state, _JOB.c.slow == slow).scalar_subquery()
        for state in ("running", "done", "failed")
        for slow in (sa.false(), sa.true())  # each is one look at the end of an index
    )
)


def next_turn(session: Session) -> int:
    """The turn of a job that is queued now: the one after that of the last job that was claimed.

    The first job of a delivery gets this turn, its second the next, and so on. So deliveries take turns: one log does
    not wait behind the many of a zip that came before it, and the zip is not kept waiting by whatever comes later.
    """
    return 1 + max(turn or 0 for turn in session.execute(_LAST_TURNS).one())


_SOONER = (
    sa.update(_JOB)
    .where(_JOB.c.audit_id == sa.bindparam("of"), _JOB.c.state == "queued", _JOB.c.turn > sa.bindparam("at"))
    .values(turn=sa.bindparam("at"))
)


def sooner(session: Session, audit_id: int, turn: int) -> None:
    """Bring a queued job forward, for somebody who asks for what a larger delivery has asked for too."""
    session.execute(_SOONER, {"of": audit_id, "at": turn})


_NEW_AUDIT, _NEW_JOB = sa.insert(_AUDIT), sa.insert(_JOB)


def queue(session: Session, audit: dict[str, Any], turn: int) -> int:
    """Write down an audit that nobody asked for before, and its job; gives back its id."""
    at = now()
    made = session.execute(_NEW_AUDIT, {"counts": {}, "standing": 0, "created_at": at, **audit})
    ident = int(made.inserted_primary_key[0])  # type: ignore[attr-defined]
    job = {
        "kind": "audit",
        "audit_id": ident,
        "state": "queued",
        "turn": turn,
        "attempts": 0,
        "tries": 0,
        "slow": False,
    }
    session.execute(_NEW_JOB, {**job, "created_at": at, "updated_at": at})
    return ident


def _first_due(slow: bool | None, *, locked: bool) -> Any:
    """The id of the job whose turn it is: one whose lease is over, or one that is queued."""
    job = _JOB.alias("due")
    lost = sa.select(job.c.id).where(job.c.state == "running", job.c.lease_until < sa.bindparam("at"))
    ids = []
    for due in (lost, sa.select(job.c.id).where(job.c.state == "queued")):
        if slow is not None:
            due = due.where(job.c.slow.is_(slow))
        due = due.order_by(job.c.slow, job.c.turn, job.c.id).limit(1)
        ids.append((due.with_for_update(skip_locked=True) if locked else due).scalar_subquery())
    return sa.func.coalesce(*ids)


def _of_its_audit(column: Any) -> Any:
    """A value of the audit of a job, or of its log, given back with the job: no other statement has to ask for it.

    Written out, since of what an update gives back SQLAlchemy takes off the names of the tables, within a question too.
    """
    found = f"(SELECT {column} FROM audit JOIN log ON log.id = audit.log_id WHERE audit.id = job.audit_id)"
    return sa.literal_column(found, column.type).label(column.name)


_LANES = (None, False, True)
_LOOK = {slow: sa.select(_first_due(slow, locked=False)) for slow in _LANES}
_CLAIM = {
    slow: sa.update(_JOB)
    .where(_JOB.c.id == _first_due(slow, locked=True))
    .values(
        state="running",
        attempts=_JOB.c.attempts + 1,
        owner=sa.bindparam("who"),
        lease_until=sa.bindparam("until"),
        updated_at=sa.bindparam("at"),
    )
    .returning(
        *(_JOB.c.id, _JOB.c.audit_id, _JOB.c.attempts, _JOB.c.tries),
        *map(_of_its_audit, (_AUDIT.c.log_id, _LOG.c.sha256)),
        *map(_of_its_audit, (_AUDIT.c.ruleset_version, _AUDIT.c.rulings_digest, _AUDIT.c.rulings, _AUDIT.c.packs)),
    )
    for slow in _LANES
}


def any_due(session: Session, slow: bool | None = None) -> bool:
    """Whether there is something to claim."""
    return session.execute(_LOOK[slow], {"at": now()}).scalar() is not None


def claim(session: Session, owner: str, lease_seconds: float, slow: bool | None = None) -> Claim | None:
    """The job whose turn it is, now ours; None when nothing is due. `slow`: of the lane of slow ones, or of the other; else of
    either, the slow ones last."""
    at = now()
    until = at + timedelta(seconds=lease_seconds)
    row = session.execute(_CLAIM[slow], {"at": at, "who": owner, "until": until}).first()
    return None if row is None else Claim(row[0], row[1], owner, row[2], row[3], Asked(*row[4:]))


def due(session: Session, most: int) -> int:
    """How many jobs may be claimed now, counted up to `most`; those that turned out to be slow are not among them."""
    quick = select(Job.id).where(col(Job.slow).is_(False)).limit(most)
    queued = quick.where(col(Job.state) == "queued")
    lost = quick.where(col(Job.state) == "running", col(Job.lease_until) < now())
    return min(most, len(session.exec(queued).all()) + len(session.exec(lost).all()))


def last_claimed(session: Session) -> datetime | None:
    """When the last of the jobs that run now was claimed, or its lease made longer, slow ones apart; None where none runs."""
    running = select(sa.func.max(col(Job.updated_at))).where(col(Job.state) == "running", col(Job.slow).is_(False))
    return session.exec(running.where(col(Job.lease_until) >= now())).one()


def extend(session: Session, held: Claim, lease_seconds: float) -> bool:
    """Keep the job for longer; False when it is not ours any more."""
    return _change(session, held, lease_until=now() + timedelta(seconds=lease_seconds))


_STORE_AUDIT = sa.update(_AUDIT).where(_AUDIT.c.id == sa.bindparam("of"))
_STORE_VALUE = sa.insert(_VALUE)


def settle(session: Session, held: Claim) -> bool:
    """Mark the job done; False when it is not ours any more, and then its result must be thrown away."""
    return _change(session, held, state="done", lease_until=None, error=None)


def store(session: Session, held: Claim, version: str, counts: dict[str, Any], **value: Any) -> None:
    """Write what came of a job that was settled: the audit under the version of the rules that judged it, and its value."""
    facts = {"verdict": counts["verdict"], "digest": counts["digest"], "standing": counts["standing"]}
    audit = {"of": held.audit_id, "ruleset_version": version, "counts": counts, "finished_at": now(), **facts}
    session.execute(_STORE_AUDIT, audit)
    session.execute(_STORE_VALUE, {"audit_id": held.audit_id, **value})


def give_back(session: Session, held: Claim, error: str, *, again: bool) -> bool:
    """Put the job back into the queue, or mark it failed for good; either way this was one try."""
    state = "queued" if again else "failed"
    return _change(session, held, state=state, tries=held.tries + 1, lease_until=None, error=error)


def later(session: Session, held: Claim) -> bool:
    """Put the job among the slow ones; that is no try."""
    return _change(session, held, state="queued", slow=True, lease_until=None)


def release_all(session: Session) -> int:
    """Queue what a process that died was doing; only for one who knows that no other process works on this store.

    That is not held against the jobs: nobody knows whose fault it was, and mostly it was nobody's.
    """
    result = session.execute(
        sa.update(Job).where(col(Job.state) == "running").values(state="queued", lease_until=None, updated_at=now())
    )
    return int(result.rowcount)  # type: ignore[attr-defined]


def retry(session: Session, audit_id: int | None = None) -> int:
    """Queue a failed job again, as if it were new, or all of them as one delivery; gives back how many."""
    failed = select(col(Job.id)).where(col(Job.state) == "failed").order_by(col(Job.id))
    if audit_id is not None:
        failed = failed.where(col(Job.audit_id) == audit_id)
    first = next_turn(session)
    ids = session.exec(failed).all()
    for turn, ident in enumerate(ids, first):
        session.execute(
            sa.update(Job)
            .where(col(Job.id) == ident)
            .values(state="queued", turn=turn, tries=0, error=None, updated_at=now())
        )
    return len(ids)


_IN_TURN = (_JOB.c.slow, _JOB.c.turn, _JOB.c.id)
"""The order in which queued jobs are claimed: that of `ix_job_due`."""


def ahead(session: Session, audit_ids: Iterable[int]) -> dict[int, int]:
    """For each audit still queued: how many jobs stand before it, those that turned out to be slow behind all others.

    What stands before the first of them is counted along the index; only those between it and the last are numbered.
    """
    queued, key = _JOB.c.state == "queued", sa.tuple_(*_IN_TURN)
    # Whether they are queued is looked at here: SQLite would look for these among all that are.
    asked = sa.select(*_IN_TURN, _JOB.c.audit_id, _JOB.c.state).where(_JOB.c.audit_id.in_(list(audit_ids)))
    audits = {tuple(row[:3]): int(row[3]) for row in session.execute(asked) if row[4] == "queued"}
    if not audits:
        return {}
    first, last = min(audits), max(audits)
    before = sa.select(sa.func.count()).select_from(_JOB).where(queued, key < first).scalar_subquery()
    place = sa.func.row_number().over(order_by=_IN_TURN) - 1
    between = sa.select(*_IN_TURN, place.label("place")).where(queued, key >= first, key <= last).subquery()
    places = sa.select(*between.c, before).where(between.c.id.in_([ident for _slow, _turn, ident in audits]))
    return {audits[tuple(row[:3])]: row[3] + row[4] for row in session.execute(places)}


_MINE = (
    sa.update(_JOB)
    .where(_JOB.c.id == sa.bindparam("of"), _JOB.c.owner == sa.bindparam("who"))
    .where(_JOB.c.attempts == sa.bindparam("attempt"), _JOB.c.state == "running")
)
"""Of a job that is ours still; what it is changed to is what else is given."""


def _change(session: Session, held: Claim, **values: object) -> bool:
    ours = {"of": held.job_id, "who": held.owner, "attempt": held.attempt}
    result = session.execute(_MINE, {**ours, "updated_at": now(), **values})
    return bool(result.rowcount)  # type: ignore[attr-defined]
