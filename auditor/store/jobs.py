"""Jobs as rows: claimed, kept by a lease, and settled only by the attempt that claimed them last.

The same statements serve one process on SQLite and many on PostgreSQL.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

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


def claim(session: Session, owner: str, lease_seconds: float) -> Claim | None:
    """The oldest job that is due, now ours; None when nothing is due."""
    at = now()
    due = sa.or_(
        col(Job.state) == "queued",
        sa.and_(col(Job.state) == "running", col(Job.lease_until) < at),
    )
    job = session.exec(select(Job).where(due).order_by(col(Job.id)).limit(1).with_for_update(skip_locked=True)).first()
    if job is None or job.id is None:
        return None
    job.state = "running"
    job.attempts += 1
    job.owner = owner
    job.lease_until = at + timedelta(seconds=lease_seconds)
    job.updated_at = at
    session.add(job)
    return Claim(job.id, job.audit_id, owner, job.attempts)


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
    """Put the job back into the queue, or mark it failed for good."""
    return _change(session, held, state="queued" if again else "failed", lease_until=None, error=error)


def release_all(session: Session) -> int:
    """Queue what a process that died was doing; only for one who knows that no other process works on this store."""
    result = session.execute(
        sa.update(Job).where(col(Job.state) == "running").values(state="queued", lease_until=None, updated_at=now())
    )
    return int(result.rowcount)  # type: ignore[attr-defined]


def fail_worn_out(session: Session, max_attempts: int, error: str) -> int:
    """Mark failed what was tried too often: a log that brings its worker down must not do so for ever."""
    result = session.execute(
        sa.update(Job)
        .where(col(Job.state) == "queued", col(Job.attempts) >= max_attempts)
        .values(state="failed", error=error, updated_at=now())
    )
    return int(result.rowcount)  # type: ignore[attr-defined]


def retry(session: Session, audit_id: int) -> bool:
    """Queue a failed job again, as if it were new."""
    result = session.execute(
        sa.update(Job)
        .where(col(Job.audit_id) == audit_id, col(Job.state) == "failed")
        .values(state="queued", attempts=0, error=None, updated_at=now())
    )
    return bool(result.rowcount)  # type: ignore[attr-defined]


def ahead(session: Session, audit_ids: Iterable[int]) -> dict[int, int]:
    """For each audit still queued: how many jobs stand before it."""
    rows = session.exec(select(col(Job.audit_id)).where(col(Job.state) == "queued").order_by(col(Job.id))).all()
    places = {audit_id: place for place, audit_id in enumerate(rows)}
    return {audit_id: places[audit_id] for audit_id in audit_ids if audit_id in places}


def _change(session: Session, held: Claim, **values: object) -> bool:
    result = session.execute(
        sa.update(Job)
        .where(col(Job.id) == held.job_id, col(Job.owner) == held.owner, col(Job.attempts) == held.attempt)
        .where(col(Job.state) == "running")
        .values(updated_at=now(), **values)
    )
    return bool(result.rowcount)  # type: ignore[attr-defined]
