"""Questions to the store, answered in rows; what they mean to a reader is said in auditor/service.py."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session, col, func, select

from auditor.store.tables import (
    Audit,
    AuditValue,
    Delivery,
    DeliveryFile,
    Job,
    Log,
    Member,
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


def tally(session: Session) -> dict[str, int]:
    """How many audits there are by verdict, and by state where there is none yet."""
    rows = session.exec(
        select(Audit.verdict, Job.state, func.count())
        .join(Job, col(Job.audit_id) == col(Audit.id))
        .group_by(col(Audit.verdict), col(Job.state))
    ).all()
    counts: dict[str, int] = {}
    for verdict, state, number in rows:
        name = verdict or ("failed" if state == "failed" else "waiting")
        counts[name] = counts.get(name, 0) + number
    return counts


def identity(session: Session, log_id: int, version: str, rulings_digest: str) -> Audit | None:
    """The audit of this log under this version and these rulings, if it was ever asked for."""
    return session.exec(
        select(Audit).where(
            Audit.log_id == log_id, Audit.ruleset_version == version, Audit.rulings_digest == rulings_digest
        )
    ).first()


def value(session: Session, audit_id: int) -> AuditValue | None:
    """The audit's own JSON."""
    return session.get(AuditValue, audit_id)


def upload(session: Session, sha256: str) -> Upload | None:
    """An upload by the hash of its bytes."""
    return session.exec(select(Upload).where(Upload.sha256 == sha256)).first()


def log(session: Session, sha256: str) -> Log | None:
    """A log by the hash of its own bytes."""
    return session.exec(select(Log).where(Log.sha256 == sha256)).first()


def members(session: Session, upload_id: int) -> Sequence[tuple[Member, Log | None]]:
    """What an upload holds, in its own order."""
    rows = session.exec(
        select(Member, Log)
        .join(Log, col(Member.log_id) == col(Log.id), isouter=True)
        .where(Member.upload_id == upload_id)
        .order_by(col(Member.position))
    ).all()
    return [(row[0], row[1]) for row in rows]


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


def delivery_files(
    session: Session, delivery_id: int
) -> list[tuple[DeliveryFile, Upload, Log | None, Audit | None, Job | None]]:
    """What became of each file of a delivery, in the order they came."""
    rows = session.execute(
        sa.select(DeliveryFile, Upload, Log, Audit, Job)
        .join(Upload, col(DeliveryFile.upload_id) == col(Upload.id))
        .join(Log, col(DeliveryFile.log_id) == col(Log.id), isouter=True)
        .join(Audit, col(DeliveryFile.audit_id) == col(Audit.id), isouter=True)
        .join(Job, col(Job.audit_id) == col(Audit.id), isouter=True)
        .where(col(DeliveryFile.delivery_id) == delivery_id)
        .order_by(col(DeliveryFile.position))
    ).all()
    return [(row[0], row[1], row[2], row[3], row[4]) for row in rows]


def rulings_sets(session: Session) -> Sequence[RulingsSet]:
    """All named rulings, by name."""
    return session.exec(select(RulingsSet).order_by(col(RulingsSet.name))).all()


def rulings_set(session: Session, name: str) -> RulingsSet | None:
    """One set by its name."""
    return session.exec(select(RulingsSet).where(RulingsSet.name == name)).first()


def unsettled(session: Session, audit_ids: Sequence[int]) -> int:
    """How many of these audits are still queued or running."""
    return session.exec(
        select(func.count())
        .select_from(Job)
        .where(col(Job.audit_id).in_(audit_ids), col(Job.state).in_(("queued", "running")))
    ).one()


def oldest_waiting(session: Session) -> Job | None:
    """The job that has been queued longest."""
    return session.exec(select(Job).where(Job.state == "queued").order_by(col(Job.id)).limit(1)).first()
