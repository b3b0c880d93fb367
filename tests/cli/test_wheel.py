"""The wheel holds all that the program needs: pages, rules, migrations and the example games."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
import urllib.request
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.shell import FINDINGS
from tests.drawn import drawn

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder, far from the checkout, that holds what the wheel holds."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder / "dist")]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=120)
    (wheel,) = (folder / "dist").glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    yield folder / "site"


def environment(installed: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(installed), "PYTHONUNBUFFERED": "1"}


def test_a_log_is_audited_from_the_wheel(installed: Path, tmp_path: Path) -> None:
    def run(*command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *command],
            cwd=tmp_path,
            env=environment(installed),
            capture_output=True,
            text=True,
            timeout=120,
        )

    asked = run("-c", "import auditor; print(auditor.__file__)")
    assert Path(asked.stdout.strip()).is_relative_to(installed), asked
    log = tmp_path / "log.jsonl"
    log.write_bytes(FINDINGS)
    audited = run("-m", "auditor", "audit", str(log), "--format", "json")
    assert audited.returncode == 1, audited.stderr
    assert json.loads(audited.stdout)["verdict"] == "findings"
    page = run("-m", "auditor", "audit", str(log), "--format", "html")
    assert page.returncode == 1 and "<svg" in page.stdout, page.stderr


def test_the_service_starts_from_the_wheel_with_its_examples(installed: Path, tmp_path: Path) -> None:
    with (tmp_path / "said").open("w") as said:
        process = subprocess.Popen(
            [sys.executable, "-m", "auditor", "serve", "--port", "0", "--data", "data"],
            cwd=tmp_path,
            env=environment(installed),
            stdout=said,
            stderr=subprocess.STDOUT,
        )
    try:
        end = time.monotonic() + 60
        audits: list[dict[str, str]] = []
        done: list[dict[str, str]] = []
        while time.monotonic() < end and process.poll() is None:
            found = re.search(r"http://127\.0\.0\.1:\d+", (tmp_path / "said").read_text())
            if found:
                with urllib.request.urlopen(f"{found.group()}/api/v1/audits", timeout=120) as answer:
                    audits = json.load(answer)["audits"]
                done = [one for one in audits if one["state"] == "done"]
                if done:
                    break
            time.sleep(0.2)
        assert len(audits) >= 4 and done, (tmp_path / "said").read_text()
        assert b"<main" in drawn(found.group() + done[0]["report"])
    finally:
        process.terminate()
        process.wait(20)
