"""PostgreSQL, for installations of more than one process: `AUDITOR_DATABASE=postgresql+psycopg://…`.

Any number of processes may have it open. What SQLite's one writer keeps apart by itself, an advisory lock keeps apart
here (`one_at_a_time`); everything else is done by the statements themselves (`store/jobs`).
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa
from sqlalchemy import event
from sqlmodel import Session

from auditor.store.database import CannotOpen, Database

_ONE_AT_A_TIME = 0x6A756467
"""The number of our advisory lock: any, as long as it is always the same."""
_CONNECT_SECONDS = 5
_FRESH_SECONDS = 1.0
"""A connection that was used so lately is not tried before it is used again."""


class Postgres(Database):
    """The two engines over one database on a server."""

    alone = False

    def __init__(self, url: str) -> None:
        at = sa.make_url(url)
        try:
            shared = {"connect_args": {"connect_timeout": _CONNECT_SECONDS}}
            self.writer = sa.create_engine(at, pool_size=4, max_overflow=12, pool_timeout=10, **shared)
            self.reader = sa.create_engine(
                at,
                pool_size=4,
                max_overflow=12,
                pool_timeout=10,
                isolation_level="REPEATABLE READ",
                execution_options={"postgresql_readonly": True},
                **shared,
            )
            _try_after_a_pause(self.writer)
            _try_after_a_pause(self.reader)
            with self.reader.connect() as connection:
                number = connection.exec_driver_sql("SHOW server_version").scalar()
        except ModuleNotFoundError as error:
            raise CannotOpen(f"{error.name} is not installed; install auditor[cluster]") from None
        except (sa.exc.OperationalError, sa.exc.NoSuchModuleError) as error:
            raise CannotOpen(f"{at.render_as_string()} cannot be opened: {_first_line(error)}") from error
        self.version = f"PostgreSQL {number}"

    @contextmanager
    def one_at_a_time(self) -> Iterator[Session]:
        with self.write() as session:
            session.execute(sa.select(sa.func.pg_advisory_xact_lock(_ONE_AT_A_TIME)))
            yield session

    def is_full(self, error: sa.exc.OperationalError) -> bool:
        return getattr(error.orig, "sqlstate", None) == "53100"

    def is_locked(self, error: sa.exc.OperationalError) -> bool:
        """Also whether there is no server to be reached."""
        state = getattr(error.orig, "sqlstate", None)
        return state is None or state.startswith(_GONE)


_GONE = ("08", "57P", "53")
"""How the states of errors begin where the server was stopped, is starting, or has no room for another connection."""


def _try_after_a_pause(engine: sa.Engine) -> None:
    """A server that was restarted leaves dead connections behind: one that was not used for a moment is tried first, and if it
    is dead all of them are opened anew. Trying each, each time, would cost as much as what is asked."""

    def given_back(_connection: Any, record: Any) -> None:
        record.info["used"] = time.monotonic()

    def taken(connection: Any, record: Any, _proxy: Any) -> None:
        at = time.monotonic()
        if at - record.info.get("used", at) > _FRESH_SECONDS:
            try:
                engine.dialect.do_ping(connection)
            except engine.dialect.loaded_dbapi.Error as error:
                raise sa.exc.InvalidatePoolError from error

    event.listen(engine, "checkin", given_back)
    event.listen(engine, "checkout", taken)


def _first_line(error: Exception) -> str:
    return str(getattr(error, "orig", None) or error).strip().splitlines()[0]
