"""What `auditor doctor` finds wrong with a data folder, each with what to do; and that it changes nothing."""

from __future__ import annotations

import hashlib
import io
import shutil
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import obstore
import pytest

from auditor.service import Incoming, Service
from auditor.service.doctor import examine
from auditor.settings import Settings
from auditor.store.objects import ObjectArchive
from tests import servers
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


@pytest.mark.servers
@pytest.mark.timeout(900)
def test_the_servers_of_an_installation_are_looked_at(tmp_path: Path, postgres: str, monkeypatch: pytest.MonkeyPatch):
    with servers.redis(tmp_path / "redis") as (broker, redis), servers.s3(tmp_path / "s3") as (env, s3):
        for name, value in env.items():
            monkeypatch.setenv(name, value)
        here = Settings(
            data_dir=tmp_path / "data",
            database_url=servers.database(postgres),
            archive_url=env["AUDITOR_ARCHIVE"],
            workers=1,
            load_examples=False,
            wait_seconds=60.0,
        )
        whole = replace(here, broker_url=broker, data_dir=tmp_path / "elsewhere")
        assert [one.part for one in examine(whole)] == ["database", "broker"]  # empty, and nothing is made
        assert not whole.data_dir.exists()
        service = Service(here, ENGINE, Near.make)
        service.start()
        key = service.deliveries.receive([Incoming("a.jsonl", io.BytesIO(FAULTY))], service.rulings.own())
        assert service.deliveries.wait(key, 60)
        service.close()
        found = {one.part: one for one in examine(whole)}
        assert list(found) == ["database", "archive", "audits", "broker"]
        assert all(one.ok for one in found.values()), found
        assert "1 files looked at" in found["archive"].found
        ident = hashlib.sha256(FAULTY).hexdigest()
        bucket = ObjectArchive(tmp_path / "other", env["AUDITOR_ARCHIVE"], 10**9)
        obstore.delete(bucket._store, bucket._name(ident))
        assert [one.part for one in examine(whole) if not one.ok] == ["archive"]
        redis.kill()
        s3.kill()
        elsewhere = replace(whole, database_url="postgresql+psycopg://nobody:secret@127.0.0.1:1/x")
        assert {one.part for one in examine(whole) if not one.ok} == {"archive", "broker"}
        assert {one.part for one in examine(elsewhere) if not one.ok} == {"database", "broker"}
        assert "secret" not in "".join(one.found for one in examine(elsewhere))


def test_what_to_do_about_the_folder_of_another_program_is_said_once(tmp_path: Path):
    (tmp_path / "thesis.txt").write_text("mine")
    (said,) = wrong(tmp_path).values()
    assert said.count("choose another data folder") == 1 and str(tmp_path) in said
