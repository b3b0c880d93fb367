"""What `auditor doctor` finds wrong with a data folder, each with what to do; and that it changes nothing."""

from __future__ import annotations

import io
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from auditor.service import Incoming, Service
from auditor.service.doctor import examine
from auditor.settings import Settings
from tests.cli.shell import auditor
from tests.web.conftest import CLEAN, ENGINE, FAULTY, Near
from tests.web.test_start import picture


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sound") / "data"
    settings = Settings(data_dir=folder, workers=1, load_examples=False, wait_seconds=60.0)
    service = Service(settings, ENGINE, Near.make)
    service.start()
    for data in (CLEAN, FAULTY):
        key = service.deliveries.receive([Incoming("a.jsonl", io.BytesIO(data))], service.rulings.own())
        assert service.deliveries.wait(key, 60)
    service.close()
    return folder


def run(folder: Path, *statements: str) -> None:
    database = sqlite3.connect(folder / "auditor.sqlite3")
    for statement in statements:
        database.execute(statement)
    database.commit()
    database.close()


def wrong(folder: Path) -> dict[str, str]:
    return {one.part: f"{one.found}; {one.remedy}" for one in examine(Settings(data_dir=folder)) if not one.ok}


def test_a_sound_folder_is_said_to_be_so_and_nothing_is_changed(sound: Path):
    sound.chmod(0o700)
    before = picture(sound)
    assert wrong(sound) == {}
    assert {one.part for one in examine(Settings(data_dir=sound))} == {
        "folder",
        "space",
        "database",
        "archive",
        "audits",
    }
    assert {name: each for name, each in picture(sound).items() if not name.endswith(("-shm", "-wal"))} == before


def lost(folder: Path) -> None:
    next((folder / "archive").glob("??/*")).unlink()


def altered(folder: Path) -> None:
    next((folder / "archive").glob("??/*")).write_bytes(b"something else")


def exchanged(folder: Path) -> None:
    run(folder, "UPDATE audit_value SET canonical = (SELECT canonical FROM audit_value ORDER BY audit_id LIMIT 1)")


def stored_under_another_log(folder: Path) -> None:
    run(folder, "UPDATE audit SET log_id = 3 - log_id, rulings_digest = 'x' || id")


def newer_program(folder: Path) -> None:
    run(folder, "UPDATE note SET value = '99.0' WHERE name = 'engine'")


def newer_tables(folder: Path) -> None:
    run(folder, "UPDATE alembic_version SET version_num = '9999'")


def no_database(folder: Path) -> None:
    (folder / "auditor.sqlite3").unlink()


def damaged(folder: Path) -> None:
    (folder / "auditor.sqlite3").write_bytes(b"Dear diary, " * 1000)


def open_to_others(folder: Path) -> None:
    folder.chmod(0o755)
    (folder / "auditor.sqlite3").chmod(0o644)


def no_folder(folder: Path) -> None:
    shutil.rmtree(folder)


def foreign_folder(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.mkdir()
    (folder / "recipes.txt").write_text("mine")


@pytest.mark.parametrize(
    ("spoil", "part", "said"),
    [
        (lost, "archive", "send the same bytes again"),
        (altered, "archive", "1 of 2 files are missing or altered"),
        (exchanged, "audits", "1 of 2 are not those"),
        (stored_under_another_log, "audits", "2 of 2 are not those"),
        (newer_program, "database", "start the newer version"),
        (newer_tables, "database", "step 9999"),
        (no_database, "database", "put a backup in its place"),
        (damaged, "database", "put a backup in its place"),
        (open_to_others, "folder", "chmod"),
        (no_folder, "folder", "is not there"),
        (foreign_folder, "folder", "no data folder of this program"),
    ],
)
def test_what_is_wrong_is_found_with_what_to_do(
    tmp_path: Path, sound: Path, spoil: Callable[[Path], None], part: str, said: str
):
    folder = tmp_path / "data"
    shutil.copytree(sound, folder)
    folder.chmod(0o700)
    spoil(folder)
    found = wrong(folder)
    assert set(found) == {part}
    assert said in found[part]


def test_the_command_ends_with_status_0_or_1(tmp_path: Path, sound: Path):
    folder = tmp_path / "data"
    shutil.copytree(sound, folder)
    folder.chmod(0o700)
    answer = auditor("doctor", "--data", folder)
    assert (answer.status, answer.err) == (0, "")
    assert answer.out.splitlines()[-1] == "ok    audits: 2, each of its own log"
    lost(folder)
    answer = auditor("doctor", "--data", folder)
    assert answer.status == 1
    assert "WRONG archive: 1 of 2 files" in answer.out
