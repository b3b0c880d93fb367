"""What is wrong with a data folder or with the servers of an installation, and what to do: for `auditor doctor`. Nothing is
changed, and a service may be running."""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from auditor import __version__
from auditor.jobs.identity import digest_in
from auditor.jobs.packed import unpacked
from auditor.settings import Settings
from auditor.store import migrate, queries
from auditor.store.archive import Archive
from auditor.store.database import CannotOpen
from auditor.store.notes import engine_that_wrote, order
from auditor.store.opening import check_folder, open_as_it_is

_SHOWN = 10
_SOME, _SOME_BYTES = 20, 2**20
"""On servers so many logs, of at most so many bytes, and so many audits are looked at."""
_AUDITS = (
    "SELECT a.key, a.digest, a.counts, l.sha256, v.canonical FROM audit a"
    " JOIN log l ON l.id = a.log_id JOIN audit_value v ON v.audit_id = a.id"
)
_LOG = re.compile(rb',"log_sha256":"([0-9a-f]{64})"')


@dataclass(frozen=True)
class Diagnosis:
    """What was looked at, what was found, and what to do about it ("" where all is well)."""

    part: str
    found: str
    remedy: str = ""

    @property
    def ok(self) -> bool:
        return not self.remedy


def examine(settings: Settings) -> Iterator[Diagnosis]:
    """Folder, database, versions, archive, audits, space and broker, one after the other."""
    folder, file = settings.data_dir, settings.database
    try:
        check_folder(folder)
    except CannotOpen as error:
        found, _, remedy = str(error).rpartition("; ")
        yield Diagnosis("folder", found, remedy)
        return
    if folder.is_dir():
        yield _folder(folder)
        yield _space(settings)
    elif not settings.database_url:
        yield Diagnosis("folder", f"{folder} is not there", "name the folder that `auditor serve --data` was given")
        return
    if settings.database_url:
        yield from _servers(settings)
        return
    if not file.is_file():
        yield Diagnosis("database", f"{file} is not there", "put a backup in its place, or start with an empty folder")
        return
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True, timeout=2.0)) as database:
            yield from _database(database, file)
            yield from _bucket_or_folder(database, settings)
            yield _audits(database.execute(_AUDITS))
    except sqlite3.Error as error:
        yield Diagnosis("database", f"{file} cannot be read ({error})", "put a backup in its place")


def _folder(folder: Path) -> Diagnosis:
    if os.name != "nt":
        others = [path for path in (folder, *folder.iterdir()) if path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO)]
        if folder in others and len(others) > 1:
            return Diagnosis("folder", f"other users can read {others[1]}", f"chmod -R go= {folder}")
    if not os.access(folder, os.W_OK):
        return Diagnosis("folder", f"{folder} cannot be written", "see whose it is")
    return Diagnosis("folder", f"{folder}")


def _space(settings: Settings) -> Diagnosis:
    free = shutil.disk_usage(settings.data_dir).free
    found = f"{free // 1024**2:,} MB are free"
    return Diagnosis("space", found, "make room" if free < settings.min_free_bytes else "")


def _database(database: sqlite3.Connection, file: Path) -> Iterator[Diagnosis]:
    wrong = database.execute("PRAGMA quick_check(1)").fetchone()[0]
    if wrong != "ok":
        yield Diagnosis("database", f"{file} is damaged ({wrong})", "put a backup in its place")
    step = database.execute("SELECT version_num FROM alembic_version").fetchone()[0]
    if step not in migrate.steps():
        yield Diagnosis("database", f"its tables are at step {step}", "start the newer version that made them")
    elif step != migrate.head():
        yield Diagnosis(
            "database", f"whole; its tables are at step {step} and are brought up to date at the next start"
        )
    else:
        wrote = database.execute("SELECT value FROM note WHERE name = 'engine'").fetchone()
        newer = wrote is not None and order(wrote[0]) > order(__version__)
        found = f"whole; written by version {wrote[0] if wrote else '?'}, and this is {__version__}"
        yield Diagnosis("database", found, "start the newer version" if newer else "")


def _bucket_or_folder(database: sqlite3.Connection, settings: Settings) -> Iterator[Diagnosis]:
    hashes = database.execute("SELECT sha256 FROM upload UNION SELECT sha256 FROM log UNION SELECT sha256 FROM pack")
    names = [row[0] for row in hashes]
    if settings.archive_url:
        yield _bucket(settings, names[:_SOME])
    else:
        yield _archive(settings, names)


def _archive(settings: Settings, names: Sequence[str]) -> Diagnosis:
    there = settings.archive.is_dir()
    lost = [name for name in names if not (there and Archive(settings.archive).is_whole(name))]
    if lost:
        found = f"{len(lost):,} of {len(names):,} files are missing or altered: {' '.join(lost[:_SHOWN])}"
        return Diagnosis("archive", found, "put them back from a backup, or send the same bytes again")
    return Diagnosis("archive", f"{len(names):,} files, all as they came")


def _bucket(settings: Settings, names: Sequence[str]) -> Diagnosis:
    """Whether the bucket answers and gives some files as they came, whatever of them is on this machine."""
    from auditor.store.objects import ObjectArchive, Unreachable

    try:
        with TemporaryDirectory() as nowhere:
            bucket = ObjectArchive(Path(nowhere), settings.archive_url, settings.max_fetched_bytes)
            bucket.answers()
            lost = [name for name in names if not bucket.is_whole(name)]
    except (CannotOpen, Unreachable) as error:
        return Diagnosis("archive", str(error), "start it, or set AUDITOR_ARCHIVE and the AWS_… variables right")
    if lost:
        found = f"{len(lost):,} of {len(names):,} files looked at are missing or altered: {' '.join(lost[:_SHOWN])}"
        return Diagnosis("archive", found, "put them back from a backup, or send the same bytes again")
    return Diagnosis("archive", f"{settings.archive_url} answers; {len(names):,} files looked at, all as they came")


def _servers(settings: Settings) -> Iterator[Diagnosis]:
    """Database, archive, audits and broker of an installation of several machines; of what may be much, some is looked at."""
    try:
        database = open_as_it_is(settings.database_url)
    except CannotOpen as error:
        yield Diagnosis("database", str(error), "start it, or set AUDITOR_DATABASE right")
    else:
        try:
            step = migrate.current(database.reader)
            if step is None:
                yield Diagnosis("database", f"{database.version}; empty, its tables are made at the next start")
            elif step not in migrate.steps():
                yield Diagnosis("database", f"its tables are at step {step}", "start the newer version that made them")
            else:
                with database.read() as session:
                    wrote = engine_that_wrote(session) or "?"
                    names = queries.some_logs(session, _SOME, _SOME_BYTES)
                    values = queries.newest_values(session, _SOME)
                newer = order(wrote) > order(__version__)
                found = f"{database.version}; written by version {wrote}, and this is {__version__}"
                yield Diagnosis("database", found, "start the newer version" if newer else "")
                yield _bucket(settings, names) if settings.archive_url else _archive(settings, names)
                yield _audits(values)
        finally:
            database.close()
    if settings.broker_url:
        yield _broker(settings)


def _broker(settings: Settings) -> Diagnosis:
    from auditor.jobs.broker import trouble_with

    trouble = trouble_with(settings.broker_url)
    if trouble:
        found = f"{settings.broker_host} does not answer ({trouble})"
        return Diagnosis("broker", found, "start it, or set AUDITOR_BROKER right")
    return Diagnosis("broker", f"{settings.broker_host} answers")


def _audits(rows: Iterable[tuple[str, str, Any, str, bytes]]) -> Diagnosis:
    """Whether every audit that is stored is the one that its row names, and of its own log."""
    count, wrong = 0, []
    for key, digest, counts, sha256, canonical in rows:
        count += 1
        said = json.loads(counts) if isinstance(counts, str) else counts
        damaged = said.get("errors")  # a damaged gzip file goes by the hash of what is in it
        if digest_in(canonical) != digest or (_log_in(canonical) != sha256 and not damaged):
            wrong.append(key)
    if wrong:
        found = f"{len(wrong):,} of {count:,} are not those that their addresses name: {' '.join(wrong[:_SHOWN])}"
        return Diagnosis("audits", found, "do not go by these; audit their logs again with `auditor audit`")
    return Diagnosis("audits", f"{count:,}, each of its own log")


def _log_in(canonical: bytes) -> str | None:
    end = b""
    for part in unpacked(canonical):
        found = _LOG.search(end + part)
        if found is not None:
            return found[1].decode()
        end = (end + part)[-100:]
    return None
