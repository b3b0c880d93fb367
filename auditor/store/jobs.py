"""Jobs as rows: claimed, kept by a lease, and settled only by the attempt that claimed them last.

The same statements serve one process on SQLite and many on PostgreSQL.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlmodel import Session, col, select

from auditor.store.tables import Job, now


@dataclass(frozen=True)
class Claim:
    """The right to do a job: valid while owner and attempt are still those of the row."""

    job_id: int
    audit_id: int
    owner: str
    attempt: int
    tries: int = 0


def next_turn(session: Session) -> int:
    """The turn of a job that is queued now: the one after that of the last job that was claimed.

    The first job of a delivery gets this turn, its second the next, and so on. So deliveries take turns: one log does
    not wait behind the many of a zip that came before it, and the zip is not kept waiting by whatever comes later.
    """
    claimed = [
        session.exec(select(sa.func.max(col(Job.turn))).where(Job.state == state, col(Job.slow) == slow)).one()
        for state in ("running", "done", "failed")
        for slow in (False, True)  # each is one look at the end of an index
    ]
    return 1 + max(turn or 0 for turn in claimed)


def sooner(session: Session, audit_id: int, turn: int) -> None:
    """Bring a queued job forward, for somebody who asks for what a larger delivery has asked for too."""
    session.execute(
        sa.update(Job)
        .where(col(Job.audit_id) == audit_id, col(Job.state) == "queued", col(Job.turn) > turn)
        .values(turn=turn)
    )


def claim(session: Session, owner: str, lease_seconds: float, slow: bool | None = None) -> Claim | None:
    """The job whose turn it is, now ours; None when nothing is due. `slow`: of the lane of slow ones, or of the other; else of
    either, the slow ones last."""
    at = now()
    lost = select(Job).where(col(Job.state) == "running", col(Job.lease_until) < at)
    queued = select(Job).where(col(Job.state) == "queued")
    for due in (lost, queued):
        if slow is not None:
            due = due.where(col(Job.slow).is_(slow))
        in_turn = due.order_by(col(Job.slow), col(Job.turn), col(Job.id)).limit(1).with_for_update(skip_locked=True)
        job = session.exec(in_turn).first()
        if job is not None:
            break
    if job is None or job.id is None:
        return None
    job.state = "running"
    job.attempts += 1
    job.owner = owner
    job.lease_until = at + timedelta(seconds=lease_seconds)
    job.updated_at = at
    session.add(job)
    return Claim(job.id, job.audit_id, owner, job.attempts, job.tries)


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


def any_lost(session: Session) -> bool:
    """True if a job is marked as running but its lease is over."""
    lost = select(Job.id).where(col(Job.state) == "running", col(Job.lease_until) < now()).limit(1)
    return session.exec(lost).first() is not None


def extend(session: Session, held: Claim, lease_seconds: float) -> bool:
    """Keep the job for longer; False when it is not ours any more."""
    return _change(session, held, lease_until=now() + timedelta(seconds=lease_seconds))


def settle(session: Session, held: Claim) -> bool:
    """Mark the job done; False when it is not ours any more, and then its result must be thrown away."""
    return _change(session, held, state="done", lease_until=None, error=None)


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


def ahead(session: Session, audit_ids: Iterable[int]) -> dict[int, int]:
    """For each audit still queued: how many jobs stand before it."""
    place = sa.func.row_number().over(order_by=(col(Job.turn), col(Job.id)))
    queued = sa.select(col(Job.audit_id), (place - 1).label("place")).where(col(Job.state) == "queued").subquery()
    asked = sa.select(queued).where(queued.c.audit_id.in_(list(audit_ids)))
    return {int(row[0]): int(row[1]) for row in session.execute(asked)}


def _change(session: Session, held: Claim, **values: object) -> bool:
    result = session.execute(
        sa.update(Job)
        .where(col(Job.id) == held.job_id, col(Job.owner) == held.owner, col(Job.attempts) == held.attempt)
        .where(col(Job.state) == "running")
        .values(updated_at=now(), **values)
    )
    return bool(result.rowcount)  # type: ignore[attr-defined]
