"""Rows that go with an upload: some at a time, those first that hang on others."""

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
    LogWord,
    Member,
    Pack,
    Upload,
)


def _alone(upload_id: int) -> Any:
    """The logs that an upload holds and no other."""
    held = select(col(Member.log_id)).where(Member.upload_id == upload_id, col(Member.log_id).is_not(None))
    by_others = select(col(Member.id)).where(col(Member.log_id) == col(Log.id), col(Member.upload_id) != upload_id)
    sent = select(col(DeliveryFile.id)).where(
        col(DeliveryFile.log_id) == col(Log.id), col(DeliveryFile.upload_id) != upload_id
    )
    return (col(Log.id).in_(held), ~by_others.exists(), ~sent.exists())


def count(session: Session, upload_id: int) -> tuple[int, int, int]:
    """How many logs go with an upload, how many audits of them, and how many logs it holds."""
    ids = select(col(Log.id)).where(*_alone(upload_id))
    logs = session.exec(select(func.count()).select_from(ids.subquery())).one()
    audits = session.exec(select(func.count()).select_from(Audit).where(col(Audit.log_id).in_(ids))).one()
    held = select(func.count(sa.distinct(col(Member.log_id)))).where(Member.upload_id == upload_id)
    return logs, audits, session.exec(held).one()


def remove_some(session: Session, upload_id: int, most: int) -> tuple[list[str], list[str]]:
    """Remove at most so many of the logs that go with an upload; gives back their hashes, and the keys of their audits."""
    logs = session.exec(select(Log.id, Log.sha256).where(*_alone(upload_id)).limit(most)).all()
    ids = [ident for ident, _sha256 in logs]
    audits = session.exec(select(Audit.id, Audit.key).where(col(Audit.log_id).in_(ids))).all()
    of_audits = [ident for ident, _key in audits]
    for gone in (
        # The deliveries are known by these rows until the upload itself goes.
        sa.update(DeliveryFile).where(col(DeliveryFile.log_id).in_(ids)).values(log_id=None, audit_id=None),
        sa.delete(Member).where(col(Member.log_id).in_(ids)),
        sa.delete(LogWord).where(col(LogWord.log_id).in_(ids)),
        sa.delete(Job).where(col(Job.audit_id).in_(of_audits)),
        sa.delete(AuditValue).where(col(AuditValue.audit_id).in_(of_audits)),
        sa.delete(Audit).where(col(Audit.id).in_(of_audits)),
        sa.delete(Log).where(col(Log.id).in_(ids)),
    ):
        session.execute(gone)
    return [sha256 for _ident, sha256 in logs], [key for _ident, key in audits]


def remove_upload(session: Session, upload_id: int) -> None:
    """Remove an upload without the logs that others hold too, and the deliveries of which nothing is left."""
    mine = col(DeliveryFile.upload_id) == upload_id
    deliveries: Sequence[int] = session.exec(select(DeliveryFile.delivery_id).where(mine).distinct()).all()
    session.execute(sa.delete(DeliveryFile).where(mine))
    session.execute(sa.delete(Member).where(col(Member.upload_id) == upload_id))
    session.execute(sa.delete(Upload).where(col(Upload.id) == upload_id))
    left = select(col(DeliveryFile.id)).where(col(DeliveryFile.delivery_id) == col(Delivery.id))
    session.execute(sa.delete(Delivery).where(col(Delivery.id).in_(deliveries), ~left.exists()))


def is_named(session: Session, sha256: str) -> bool:
    """Whether a row needs these bytes."""
    return any(
        session.exec(select(col(table.id)).where(table.sha256 == sha256).limit(1)).first() is not None
        for table in (Upload, Log, Pack)
    )
