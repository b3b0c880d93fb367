"""What an operator may set, in one frozen value. Sizes are bytes, times are seconds."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

MIB = 1024 * 1024

VARIABLES = {
    "database_url": "AUDITOR_DATABASE",
    "broker_url": "AUDITOR_BROKER",
    "archive_url": "AUDITOR_ARCHIVE",
}
SCHEMES = {
    "database_url": ("postgresql+psycopg", "postgresql"),
    "broker_url": ("redis", "rediss", "amqp", "amqps"),
    "archive_url": ("s3",),
}
"""What each may begin with."""

LOOPBACK = ("127.0.0.1", "localhost")
"""The only addresses the service listens on while it has no accounts: two names of one."""


def default_data_dir(environ: Mapping[str, str] | None = None) -> Path:
    """Where uploads and the database live: AUDITOR_DATA, else ./auditor-data."""
    env = os.environ if environ is None else environ
    return Path(env.get("AUDITOR_DATA") or "auditor-data")


class BadSettings(ValueError):
    """What an operator has set cannot be meant; the text names it and says what to set."""


@dataclass(frozen=True)
class Settings:
    """The limits are shown on the page /limits, and enforced from here and nowhere else."""

    data_dir: Path = field(default_factory=default_data_dir)
    host: str = "127.0.0.1"
    port: int = 8000

    database_url: str = ""
    """Of a PostgreSQL server that several processes share; empty: the SQLite file of the data folder."""
    broker_url: str = ""
    """Of the message broker between web and workers (redis or amqp); empty: the web process does the audits itself."""
    archive_url: str = ""
    """Of the bucket that the uploads are kept in (s3://…); empty: the folder `archive` of the data folder."""

    max_request_bytes: int = 64 * MIB
    max_files: int = 60
    max_form_bytes: int = 256 * 1024
    max_members: int = 1000
    max_unpacked_bytes: int = 512 * MIB
    max_rulings_bytes: int = 64 * 1024
    max_pack_bytes: int = 4 * MIB
    """Of all data packs that are sent in one go."""

    audit_seconds: float = 120.0
    """Of processor time, so that a machine that is busy otherwise fails no audit."""
    first_seconds: float = 6.0
    """Of processor time for each audit at first; what needs more waits for those who do the slow ones. Long enough for
    a tournament's games: one that is cut off costs its child, and the next one has to be made ready."""
    draw_seconds: float = 20.0
    """Of processor time."""
    patience: float = 5.0
    """A child is stopped after so many times its processor time by the clock, however little it worked."""
    audit_memory_bytes: int = 2048 * MIB
    max_kept_bytes: int = 256 * MIB
    """Drawings of replays are kept up to so much, and made again when they are asked for later."""
    min_free_bytes: int = 256 * MIB
    """With less room on the disk nothing is taken in, so that what is here can still be worked with."""
    max_fetched_bytes: int = 4096 * MIB
    """Of logs fetched from a bucket, so much stays on this machine."""
    audits_a_child: int = 200
    workers: int = field(default_factory=lambda: max(1, min(4, (os.cpu_count() or 2) - 1)))
    slow_workers: int = 1
    """So many audits that need long are done at once, beside the others and behind them."""
    max_tries: int = 3
    """How often a child may die over one log before its audit has failed."""
    lease_seconds: float = 60.0
    """After so long without a sign of life an audit is another worker's."""

    look_seconds: float = 0.5
    """How long a request waits for what is being drawn before it answers that it is."""
    remember_seconds: float = 60.0
    """How long it is remembered that something could not be drawn."""
    wait_seconds: float = 2.0
    """How long an upload waits for small logs before it answers with the page that shows progress."""
    page_size: int = 50
    load_examples: bool = True

    @classmethod
    def of_environment(cls, environ: Mapping[str, str] | None = None, **more: Any) -> Self:
        """The settings, with what the environment says of database, broker and archive. Raises BadSettings."""
        env = os.environ if environ is None else environ
        said: dict[str, Any] = {name: env.get(variable, "").strip() for name, variable in VARIABLES.items()}
        lease = env.get("AUDITOR_LEASE", "").strip()
        if lease:
            if not lease.isdecimal() or not int(lease):
                raise BadSettings(f"AUDITOR_LEASE is {lease}; it is a number of seconds, 60 if it is not set")
            said["lease_seconds"] = float(lease)
        said["load_examples"] = env.get("AUDITOR_EXAMPLES", "").strip() != "0"
        settings = cls(**{"data_dir": default_data_dir(env), **said, **more})
        settings.check()
        return settings

    def check(self) -> None:
        """Raises BadSettings, with everything that is wrong or contradicts something else, for what cannot be meant."""
        wrong = [f"{VARIABLES[name]} is {why}" for name in SCHEMES if (why := self._foreign(name))]
        if self.broker_url and not self.database_url:
            wrong.append(
                "AUDITOR_BROKER is set and AUDITOR_DATABASE is not: workers elsewhere cannot reach the SQLite file of "
                "this data folder; set AUDITOR_DATABASE to a PostgreSQL server, or leave AUDITOR_BROKER out"
            )
        if self.broker_url and not self.archive_url:
            wrong.append(
                "AUDITOR_BROKER is set and AUDITOR_ARCHIVE is not: workers elsewhere cannot reach the uploads in this data "
                "folder; set AUDITOR_ARCHIVE to a bucket, or leave AUDITOR_BROKER out"
            )
        if wrong:
            raise BadSettings("; ".join(wrong))

    def check_broker(self) -> None:
        """Raises BadSettings where the broker's address is of a kind that is not known."""
        if why := self._foreign("broker_url"):
            raise BadSettings(why)

    def _foreign(self, name: str) -> str:
        """Why an address is none that is known; "" where it is, or is not set."""
        begins = getattr(self, name).split("://")[0]
        known = SCHEMES[name]
        return f"{begins}://…, and may begin with {_either(known)}" if begins and begins not in known else ""

    @property
    def broker_host(self) -> str:
        """The broker without its password."""
        return self.broker_url.rpartition("@")[2].partition("://")[2] or self.broker_url.rpartition("@")[2]

    @property
    def database(self) -> Path:
        """The SQLite file."""
        return self.data_dir / "auditor.sqlite3"

    @property
    def archive(self) -> Path:
        """The folder of uploads, each under its SHA-256."""
        return self.data_dir / "archive"

    @property
    def kept(self) -> Path:
        """The folder of what can be made again; emptied at each start."""
        return self.data_dir / "kept"


def _either(words: tuple[str, ...]) -> str:
    return " or ".join(f"{word}://" for word in words)
