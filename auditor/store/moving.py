"""An installation copied to another database, and its archive to another place; counted and compared row by row and byte
by byte. Either side may be a SQLite file or a PostgreSQL server, a folder or a bucket.

All rows go in one transaction: a copy that was cut off leaves an empty database, and can be begun again. Bytes go before
rows, as with an upload; those that are there already are only looked over.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlmodel import SQLModel

from auditor.store.archive import Archive
from auditor.store.database import CannotOpen, Database
from auditor.store.opening import open_database

_ROWS = 200
"""Copied at a time: an audit may have some megabytes."""
_NOT_MOVED = frozenset({"secret", "note"})
"""Each installation signs its own sessions, and notes for itself which version wrote there."""

Progress = Callable[[str, int, int], None]
"""Called with what is copied, how much of it is done, and how much there is."""


@dataclass(frozen=True)
class Copied:
    """Rows of a table, or files of an archive, and the SHA-256 over all of them, the same on both sides."""

    what: str
    count: int
    digest: str


def open_url(url: str, *, fresh: bool = False) -> Database:
    """The database that a URL names, in its newest shape. Raises CannotOpen.

    `fresh`: it may be missing. Else a SQLite file must be there.
    """
    kind, _, rest = url.partition("://")
    if kind == "sqlite":
        file = Path(rest.removeprefix("/"))
        if not fresh and not file.is_file():
            raise CannotOpen(f"{file} is not there")
        return open_database(file)
    return open_database(Path(), url)


def copy(source: Database, target: Database, progress: Progress) -> list[Copied]:
    """Copy all rows into an empty database. Raises CannotOpen where it is not empty, or where both are not the same
    afterwards; then nothing was copied."""
    tables = [table for table in SQLModel.metadata.sorted_tables if table.name not in _NOT_MOVED]
    copied = []
    with source.reader.connect() as reading, target.writer.begin() as writing:
        for table in tables:
            if writing.execute(sa.select(sa.func.count()).select_from(table)).scalar():
                raise CannotOpen(
                    f"the database that is copied to has rows in its table {table.name}; take an empty one"
                )
        for table in tables:
            count = reading.execute(sa.select(sa.func.count()).select_from(table)).scalar() or 0
            done = 0
            for rows in _chunks(reading, table):
                writing.execute(table.insert(), rows)
                done += len(rows)
                progress(table.name, done, count)
            _count_on(writing, table)
            here, there = _digest(reading, table), _digest(writing, table)
            if here != there:
                raise CannotOpen(f"the table {table.name} did not arrive as it was; nothing was copied")
            copied.append(Copied(table.name, *here))
    return copied


def copy_archive(database: Database, source: Archive, target: Archive, progress: Progress) -> tuple[Copied, list[str]]:
    """Copy the bytes that the rows of a database name. Gives back what was copied, and the hashes of those that are
    missing or not what they were, which are left out."""
    with database.reader.connect() as reading:
        names = [
            set(reading.execute(sa.select(table.c.sha256)).scalars())
            for table in SQLModel.metadata.sorted_tables
            if table.name in ("upload", "log", "pack")
        ]
        waiting = reading.execute(sa.select(SQLModel.metadata.tables["filling"].c.files)).scalars()
        names.append({file["sha256"] for files in waiting for file in files})
    wanted, lost, whole = sorted(set().union(*names)), [], hashlib.sha256()
    for done, sha256 in enumerate(wanted, 1):
        try:
            source.read(sha256)
            with source.here(sha256).open("rb") as stream:
                if target.put(stream).sha256 != sha256:
                    raise ValueError(sha256)
            whole.update(sha256.encode())
        except (FileNotFoundError, ValueError):
            lost.append(sha256)
        progress("archive", done, len(wanted))
    return Copied("archive", len(wanted) - len(lost), whole.hexdigest()), lost


def _chunks(connection: sa.Connection, table: sa.Table) -> Iterator[list[dict[str, Any]]]:
    """The rows in the order of their key, some at a time."""
    rows = sa.select(table).order_by(*table.primary_key.columns).execution_options(yield_per=_ROWS)
    for some in connection.execute(rows).mappings().partitions(_ROWS):
        yield [dict(row) for row in some]


def _digest(connection: sa.Connection, table: sa.Table) -> tuple[int, str]:
    """How many rows, and a SHA-256 that does not hang on their order or on how a database writes a value."""
    count, total = 0, 0
    for rows in _chunks(connection, table):
        for row in rows:
            written = json.dumps({name: _plain(value) for name, value in row.items()}, sort_keys=True)
            total = (total + int.from_bytes(hashlib.sha256(written.encode()).digest())) % 2**256
            count += 1
    return count, f"{total:064x}"


def _plain(value: Any) -> Any:
    if isinstance(value, bytes):
        return hashlib.sha256(value).hexdigest()
    if isinstance(value, datetime):
        return (value if value.tzinfo else value.replace(tzinfo=UTC)).astimezone(UTC).isoformat()
    return value


def _count_on(connection: sa.Connection, table: sa.Table) -> None:
    """Have a server's counter of ids go on after those that were copied; SQLite does so by itself."""
    if connection.dialect.name == "postgresql" and "id" in table.c:
        connection.execute(
            sa.text(f"SELECT setval(pg_get_serial_sequence('{table.name}', 'id'), max(id)) FROM {table.name}")
        )
