"""What an operator may set, in one frozen value. Sizes are bytes, times are seconds."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

MIB = 1024 * 1024

LOOPBACK = ("127.0.0.1", "localhost")
"""The only addresses the service listens on while it has no accounts: two names of one."""


def default_data_dir(environ: Mapping[str, str] | None = None) -> Path:
    """Where uploads and the database live: AUDITOR_DATA, else ./auditor-data."""
    env = os.environ if environ is None else environ
    return Path(env.get("AUDITOR_DATA") or "auditor-data")


@dataclass(frozen=True)
class Settings:
    """The limits are shown on the page /limits, and enforced from here and nowhere else."""

    data_dir: Path = field(default_factory=default_data_dir)
    host: str = "127.0.0.1"
    port: int = 8000

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
    draw_seconds: float = 20.0
    """Of processor time."""
    patience: float = 5.0
    """A child is stopped after so many times its processor time by the clock, however little it worked."""
    audit_memory_bytes: int = 2048 * MIB
    max_kept_bytes: int = 256 * MIB
    """Drawings of replays are kept up to so much, and made again when they are asked for later."""
    audits_a_child: int = 200
    workers: int = field(default_factory=lambda: max(1, min(4, (os.cpu_count() or 2) - 1)))
    max_tries: int = 3
    """How often a child may die over one log before its audit has failed."""
    lease_seconds: float = 60.0

    wait_seconds: float = 2.0
    """How long an upload waits for small logs before it answers with the page that shows progress."""
    page_size: int = 50
    load_examples: bool = True

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
