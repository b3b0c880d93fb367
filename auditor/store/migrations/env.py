"""Run by Alembic with the open connection that store/migrate.py hands over."""

from __future__ import annotations

from typing import Any, Literal

import sqlalchemy as sa
from alembic import context
from sqlmodel import SQLModel

import auditor.store.tables  # noqa: F401  (fills the metadata)
from auditor.store.columns import Json, SafeText


def render(kind: str, column_type: Any, _context: Any) -> str | Literal[False]:
    """Write our column types as what they are in the database, so that a step never needs our code."""
    if kind == "type" and isinstance(column_type, SafeText):
        return f"sa.String(length={column_type.length})"
    if kind == "type" and isinstance(column_type, Json):
        return "sa.Text()"
    if kind == "type" and type(column_type).__name__ == "UTCDateTime":
        return "sa.DateTime(timezone=True)"
    return False


def run(connection: sa.Connection) -> None:
    """Apply the steps inside the caller's transaction."""
    context.configure(
        connection=connection,
        target_metadata=SQLModel.metadata,
        render_as_batch=True,
        render_item=render,
        transactional_ddl=True,
    )
    context.run_migrations()


run(context.config.attributes["connection"])
