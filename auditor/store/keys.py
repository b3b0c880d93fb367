"""The key that signs sessions: made once, and the same for all processes of an installation."""

from __future__ import annotations

import secrets

from auditor.store.database import Database
from auditor.store.tables import Secret

_NAME = "sessions"


def session_key(database: Database) -> bytes:
    """The key, made at the first start."""
    with database.read() as session:
        row = session.get(Secret, _NAME)
    if row is None:
        with database.one_at_a_time() as session:
            row = session.get(Secret, _NAME)
            if row is None:
                row = Secret(name=_NAME, value=secrets.token_bytes(32))
                session.add(row)
    return row.value
