"""What is wrong with a data folder, and what to do: for `auditor doctor`. Nothing is changed, and a service may be running."""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from auditor import __version__
from auditor.jobs.identity import digest_in
from auditor.jobs.packed import unpacked
from auditor.settings import Settings
from auditor.store import migrate
from auditor.store.archive import Archive
from auditor.store.database import CannotOpen
from auditor.store.notes import order
from auditor.store.opening import check_folder

_SHOWN = 10
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
    """Folder, database, versions, archive, audits and space, one after the other."""
    folder, file = settings.data_dir, settings.database
    try:
        check_folder(folder)
    except CannotOpen as error:
        yield Diagnosis("folder", str(error), "choose another data folder")
        return
    if not folder.is_dir():
        yield Diagnosis("folder", f"{folder} is not there", "name the folder that `auditor serve --data` was given")
        return
    yield _folder(folder)
    yield _space(settings)
    if settings.database_url:
        yield Diagnosis("database", "it is on a server; /readyz of the service looks at it")
        return
    if not file.is_file():
        yield Diagnosis("database", f"{file} is not there", "put a backup in its place, or start with an empty folder")
        return
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True, timeout=2.0)) as database:
            yield from _database(database, file)
            yield _archive(database, settings)
            yield _audits(database)
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


def _archive(database: sqlite3.Connection, settings: Settings) -> Diagnosis:
    if settings.archive_url:
        return Diagnosis("archive", "it is in a bucket; /readyz of the service looks at it")
    hashes = database.execute("SELECT sha256 FROM upload UNION SELECT sha256 FROM log UNION SELECT sha256 FROM pack")
    names = [row[0] for row in hashes]
    there = settings.archive.is_dir()
    lost = [name for name in names if not (there and Archive(settings.archive).is_whole(name))]
    if lost:
        found = f"{len(lost):,} of {len(names):,} files are missing or altered: {' '.join(lost[:_SHOWN])}"
        return Diagnosis("archive", found, "put them back from a backup, or send the same bytes again")
    return Diagnosis("archive", f"{len(names):,} files, all as they came")


def _audits(database: sqlite3.Connection) -> Diagnosis:
    """Whether every audit that is stored is the one that its row names, and of its own log."""
    rows = database.execute(
        "SELECT a.key, a.digest, a.counts, l.sha256, v.canonical FROM audit a"
        " JOIN log l ON l.id = a.log_id JOIN audit_value v ON v.audit_id = a.id"
    )
    count, wrong = 0, []
    for key, digest, counts, sha256, canonical in rows:
        count += 1
        damaged = json.loads(counts).get("errors")  # a damaged gzip file goes by the hash of what is in it
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
