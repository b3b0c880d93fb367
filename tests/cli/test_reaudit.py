"""`auditor reaudit`: games audited anew by the command line, in the folder of a service that is stopped."""

from __future__ import annotations

import io
import sqlite3
import stat
import sys
from pathlib import Path

import pytest

from auditor.service import Incoming, Service
from auditor.settings import Settings
from auditor.systems import game
from tests.cli.shell import CLEAN, FINDINGS, auditor


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two games that were audited by older rules, which found nothing."""
    data = tmp_path_factory.mktemp("installation") / "data"
    service = Service(Settings(data_dir=data, workers=1, load_examples=False))
    service.start()
    try:
        files = [Incoming(name, io.BytesIO(log)) for name, log in (("a.jsonl", CLEAN), ("b.jsonl", FINDINGS))]
        assert service.deliveries.wait(service.deliveries.receive(files, service.rulings.own()), 120)
    finally:
        service.close()
    with sqlite3.connect(data / "auditor.sqlite3") as database:
        changed = database.execute(
            "UPDATE audit SET ruleset_version = '0.0.1', verdict = 'clean', standing = 0, key = key || '0'"
        )
        assert changed.rowcount == 2
    return data


def test_all_games_are_audited_anew_once_and_what_differs_is_named(folder: Path) -> None:
    for _ in range(2):
        said = auditor("reaudit", "--all", "--data", folder)
        assert said.status == 1, said
        first, last = said.out.splitlines()
        assert "clean (0 to decide) before, findings (1) now" in first
        assert last == "2 audits, 1 of them with another verdict or number, 0 failed"
    with sqlite3.connect(folder / "auditor.sqlite3") as database:
        assert database.execute("SELECT count(*) FROM audit").fetchone() == (4,)


def test_games_of_an_event_that_nobody_plays_are_none(folder: Path) -> None:
    said = auditor("reaudit", "--event", "No such cup", "--data", folder)
    assert (said.status, said.out) == (0, "0 audits, 0 of them with another verdict or number, 0 failed\n")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ((), "say either --event EVENT or --all"),
        (("--all", "--event", "Cup"), "say either --event EVENT or --all"),
        (
            ("--all", "--ruleset", "calth=0.9", "--ruleset", "chess=1"),
            f"the rules of calth that are installed have the version {game('calth').ruleset.version}",
        ),
    ],
)
def test_a_wrong_call_is_said_and_nothing_is_done(folder: Path, words: tuple[str, ...], why: str) -> None:
    said = auditor("reaudit", *words, "--data", folder)
    assert said.status == 2 and why in said.err


@pytest.mark.skipif(sys.platform == "win32", reason="modes of files are a matter of POSIX")
def test_what_a_command_stores_is_the_owner_s_alone(tmp_path: Path) -> None:
    data, copied = tmp_path / "data", tmp_path / "copied"
    for folder in (data, copied):
        folder.mkdir(mode=0o755)
    assert auditor("reaudit", "--event", "No such cup", "--data", data).status == 0
    (data / "archive").mkdir(exist_ok=True)
    urls = [f"sqlite:///{folder / 'auditor.sqlite3'}" for folder in (data, copied)]
    said = auditor("migrate-store", *urls, "--archive", data / "archive", copied / "archive")
    assert said.status == 0, said
    for folder in (data, copied):
        files = list(folder.rglob("*"))
        assert folder / "auditor.sqlite3" in files
        assert {oct(stat.S_IMODE(path.stat().st_mode) & 0o077) for path in files} == {"0o0"}
