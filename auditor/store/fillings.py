"""Deliveries that are not wholly taken in: claimed by whoever goes on with them, as jobs are (`store/jobs`)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import sqlalchemy as sa
from sqlmodel import Session, col, func, select

from auditor.store.tables import DeliveryFile, Filling, now


def count(session: Session) -> int:
    """How many there are."""
    return session.exec(select(func.count()).select_from(Filling)).one()


def of(session: Session, delivery_id: int) -> Filling | None:
    """That of a delivery, if it is not wholly taken in."""
    return session.get(Filling, delivery_id)


def _due(slow: bool) -> sa.ColumnElement[bool]:
    free = sa.or_(col(Filling.lease_until).is_(None), col(Filling.lease_until) < now())
    return sa.and_(free, col(Filling.slow).is_(slow))


def any_due(session: Session, slow: bool) -> bool:
    """Whether one could be claimed."""
    return session.exec(select(Filling.delivery_id).where(_due(slow)).limit(1)).first() is not None


def claim(session: Session, owner: str, lease_seconds: float, slow: bool) -> Filling | None:
    """The first that nobody is at, now ours."""
    due = select(Filling).where(_due(slow)).order_by(col(Filling.delivery_id)).limit(1)
    found = session.exec(due.with_for_update(skip_locked=True)).first()
    if found is not None:
        found.owner, found.lease_until = owner, now() + timedelta(seconds=lease_seconds)
        session.add(found)
    return found


def ours(session: Session, delivery_id: int, owner: str, lease_seconds: float) -> Filling | None:
    """That of a delivery for longer, if it is still ours."""
    mine = select(Filling).where(col(Filling.delivery_id) == delivery_id, col(Filling.owner) == owner)
    found = session.exec(mine.with_for_update()).first()
    if found is not None:
        found.lease_until = now() + timedelta(seconds=lease_seconds)
        session.add(found)
    return found


def release_all(session: Session) -> None:
    """Nobody is at any of them; only for one who knows that no other process works on this store."""
    session.execute(sa.update(Filling).values(lease_until=None, owner=None))


def taken_in(session: Session, delivery_id: int) -> int:
    """How many files of a delivery are written."""
    mine = select(func.count()).select_from(DeliveryFile).where(col(DeliveryFile.delivery_id) == delivery_id)
    return session.exec(mine).one()


def naming(session: Session, sha256: str) -> Sequence[int]:
    """The deliveries that wait for these bytes to be taken in."""
    rows = session.exec(select(Filling)).all()
    return [row.delivery_id for row in rows if any(file["sha256"] == sha256 for file in row.files)]
