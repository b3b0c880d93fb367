"""The program as a user starts it, with example games in it, audited once for all processes of a run."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from auditor.service.examples import games_in
from tests.drawn import drawn
from tests.shares import WHOLE

ROOT = Path(__file__).parents[1]
FIXTURES = ROOT / "fixtures"
SHOWN = {
    *("calth/clean-1", "calth/clean-2", "calth/faulty-1", "calth/faulty-2"),
    *("hcg/in-short", "hcg/faulty-2", "hcg/faulty-3"),
    *("clx/no-base-rules", "clx/faulty-1", "clx/faulty-4"),
}
"""The example games of the service; in whole runs it has all."""


def shown_in(games: Path) -> list[Path]:
    """The games of a folder that the service has."""
    return [path for path in games_in(games) if WHOLE or f"{games.parent.name}/{path.stem}" in SHOWN]


IN_EARNEST = f"""from auditor.jobs import worker
from auditor.service import deliveries
worker.NICE = worker.NICE_IF_SLOW = 0
there, shown = deliveries.games_in, {None if WHOLE else SHOWN}
deliveries.games_in = lambda games: [
    path for path in there(games) if shown is None or games.parent.name + "/" + path.stem in shown
]
from auditor.cli import main
main()"""
"""Its audits give way to nobody, since tests wait for them while others keep the machine busy."""


@dataclass(frozen=True)
class Site:
    """A running service: its address, and the report of each of its games by the name of its file, with the game before
    it where that is not Calth ("hcg/two-sectors.json")."""

    address: str
    reports: dict[str, str]

    def json(self, path: str) -> Any:
        return json.loads(drawn(self.address + path))

    def file(self, path: str) -> bytes:
        """What a program is given under an address, when it has been drawn."""
        return drawn(self.address + path)


def audited_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the audits of the examples: the first process of a run has them made, the others wait for it."""
    base = tmp_path_factory.getbasetemp()
    common = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    made, failed = common / "examples-audited", common / "examples-not-audited"
    try:
        (common / "examples-in-work").mkdir()
    except FileExistsError:
        end = time.monotonic() + 700
        while not made.exists():
            assert not failed.exists(), "another process could not have the examples audited"
            assert time.monotonic() < end, "another process had the examples audited too slowly"
            time.sleep(0.2)
        return made
    try:
        with serving(common / "examples-in-work"):
            pass
    except BaseException:
        failed.touch()
        raise
    (common / "examples-in-work" / "data").rename(made)
    return made


@contextlib.contextmanager
def serving(folder: Path) -> Iterator[Site]:
    """A service over `data` in a folder, when all its audits are done."""
    with (folder / "log").open("w+") as said:
        process = subprocess.Popen(
            [sys.executable, "-c", IN_EARNEST, "serve", "--port", "0", "--data", str(folder / "data")],
            stdout=said,
            stderr=subprocess.STDOUT,
            cwd=folder,
            env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"},
        )
        try:
            yield _when_ready(process, folder / "log")
        finally:
            process.terminate()
            process.wait(120)  # a busy machine


def _when_ready(process: subprocess.Popen[bytes], log: Path) -> Site:
    end = time.monotonic() + 600
    address = None
    while time.monotonic() < end:
        assert process.poll() is None, log.read_text()
        found = re.search(r"http://127\.0\.0\.1:\d+", log.read_text())
        if found:
            address = found.group()
            audits = Site(address, {}).json("/api/v1/audits")["audits"]
            if audits and all(one["state"] == "done" for one in audits):
                logs = {
                    hashlib.sha256(path.read_bytes()).hexdigest(): path.relative_to(FIXTURES).as_posix()
                    for games in FIXTURES.glob("*/games")
                    for path in shown_in(games)
                }
                names = {log: name.replace("/games/", "/").removeprefix("calth/") for log, name in logs.items()}
                return Site(address, {names[one["log_sha256"]]: f"/audits/{one['id']}" for one in audits})
        time.sleep(0.2)
    raise AssertionError(f"the service was not ready in time: {address} {log.read_text()}")
