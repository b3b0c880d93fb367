"""The database: that its steps and its tables agree, that one connection writes, and what it refuses to hold."""

from __future__ import annotations

import errno
import hashlib
import io
import re
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.script import ScriptDirectory
from sqlmodel import SQLModel, select

import auditor.store
from auditor.store import jobs, migrate
from auditor.store.archive import Archive
from auditor.store.cleaning import clean, clean_value, is_clean
from auditor.store.database import Busy, CannotOpen, Database, Sqlite, StoreBusy
from auditor.store.keys import session_key
from auditor.store.opening import open_database
from auditor.store.postgres import Postgres
from auditor.store.tables import Audit, Job, Log, RulingsSet, Upload
from tests import servers


@pytest.fixture
def sqlite(tmp_path: Path) -> Iterator[Sqlite]:
    database = Sqlite(tmp_path / "x.sqlite3")
    migrate.upgrade(database.writer)
    yield database
    database.close()


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.servers)])
def database(request: pytest.FixtureRequest) -> Iterator[Database]:
    """Both databases that an installation may have."""
    if request.param == "sqlite":
        yield request.getfixturevalue("sqlite")
        return
    database = Postgres(servers.database(request.getfixturevalue("postgres")))
    migrate.upgrade(database.writer)
    yield database
    database.close()


def upload(**changes: object) -> Upload:
    return Upload(**{"sha256": "0" * 64, "size": 1, "container": "plain", "name": "n", "source": "upload", **changes})


def audit_with_job(database: Database, n: int = 0) -> int:
    with database.write() as session:
        log = Log(sha256=f"{n:064x}", size=1, name="n")
        session.add(log)
        session.flush()
        audit = Audit(
            key=f"{n:020x}", log_id=log.id or 0, ruleset_version="1", rulings_digest="0" * 64, rulings_label="defaults"
        )
        session.add(audit)
        session.flush()
        session.add(Job(audit_id=audit.id or 0))
        return audit.id or 0


def test_the_steps_are_those_that_alembic_reads_one_after_the_other():
    steps = list(ScriptDirectory.from_config(migrate.config()).walk_revisions())
    assert {step.revision for step in steps} == migrate.steps()
    assert steps[0].revision == migrate.head() and [step.down_revision for step in steps] == [
        *(step.revision for step in steps[1:]),
        None,
    ]


def test_a_start_that_finds_nothing_to_do_loads_no_steps(tmp_path):
    file = tmp_path / "x.sqlite3"
    open_database(file).close()
    code = (
        "import sys, pathlib, auditor.web; from auditor.store.opening import open_database; "
        f"open_database(pathlib.Path({str(file)!r})).close(); print(sorted({{'alembic', 'mako'}} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=Path(__file__).parents[2], check=True, capture_output=True, timeout=120
    )
    assert done.stdout == b"[]\n"


def test_the_steps_make_exactly_the_tables_that_the_code_has(database):
    migrate.check(database.writer)
    assert migrate.current(database.reader) == migrate.head()


def test_the_steps_can_be_taken_back_and_again_with_rows_in_the_tables(database):
    audit_with_job(database)
    migrate.downgrade(database.writer)
    assert sa.inspect(database.reader).get_table_names() == ["alembic_version"]
    migrate.upgrade(database.writer)
    migrate.check(database.writer)


def test_a_step_that_fails_leaves_nothing_behind(tmp_path, monkeypatch):
    database = Sqlite(tmp_path / "x.sqlite3")
    broken = sa.Table("delivery", sa.MetaData(), sa.Column("id", sa.Integer))
    with database.writer.begin() as connection:
        broken.create(connection)  # the first step will stumble over it
    with pytest.raises(sa.exc.OperationalError):
        migrate.upgrade(database.writer)
    assert sa.inspect(database.reader).get_table_names() == ["delivery"]
    database.close()


def test_the_steps_go_into_the_package():
    folder = Path(auditor.store.__file__).parent / "migrations"
    assert list((folder / "versions").glob("*.py"))
    assert (folder / "env.py").is_file()


def test_the_module_of_the_tables_reads_its_annotations_at_once():
    source = (Path(auditor.store.__file__).parent / "tables.py").read_text()
    assert not re.search(r"^from __future__", source, re.MULTILINE)


def test_a_reader_cannot_write(database):
    with pytest.raises(sa.exc.DBAPIError, match=r"read-?only"), database.read() as session:
        session.add(upload())
        session.flush()


def test_readers_do_not_wait_for_the_writer(database):
    with database.write() as writing:
        writing.add(upload())
        writing.flush()
        with database.read() as session:
            assert session.exec(select(Upload)).all() == []
    with database.read() as session:
        assert len(session.exec(select(Upload)).all()) == 1


def test_a_block_that_raises_leaves_nothing_behind(database):
    with pytest.raises(RuntimeError), database.write() as session:
        session.add(upload())
        session.flush()
        raise RuntimeError("pulled the plug")
    with database.read() as session:
        assert session.exec(select(Upload)).all() == []


def test_a_full_disk_is_said_to_be_one_and_leaves_nothing_behind(sqlite):
    with sqlite.writer.connect() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
        connection.exec_driver_sql(f"PRAGMA max_page_count={pages}")
    with pytest.raises(OSError) as caught, sqlite.write() as session:
        session.add_all([upload(sha256=f"{n:064x}", name="n" * 255) for n in range(200)])
    assert caught.value.errno == errno.ENOSPC
    with sqlite.read() as session:
        assert session.exec(select(Upload)).all() == []


def test_the_pragmas_are_those_that_keep_what_was_acknowledged(sqlite):
    for engine, wanted in (
        (sqlite.writer, {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "trusted_schema": 0}),
        (sqlite.reader, {"query_only": 1, "wal_autocheckpoint": 0, "foreign_keys": 1, "trusted_schema": 0}),
    ):
        with engine.connect() as connection:
            for name, value in wanted.items():
                assert connection.exec_driver_sql(f"PRAGMA {name}").scalar() == value, name


def test_a_second_process_is_kept_out(sqlite):
    with pytest.raises(StoreBusy, match="another auditor"):
        Sqlite(sqlite.file)


@pytest.mark.parametrize("name", ["a\0b", "\ud800", "x" * 256])
def test_unclean_text_never_reaches_the_database(database, name):
    with pytest.raises(sa.exc.StatementError), database.write() as session:
        session.add(upload(name=name))


@pytest.mark.parametrize("changes", [{"container": "rar"}, {"source": "elsewhere"}])
def test_words_that_are_not_on_the_list_are_refused(database, changes):
    with pytest.raises(sa.exc.IntegrityError), database.write() as session:
        session.add(upload(**changes))


def test_the_same_bytes_cannot_be_two_uploads(database):
    with database.write() as session:
        session.add(upload())
    with pytest.raises(sa.exc.IntegrityError), database.write() as session:
        session.add(upload(name="other"))


def test_json_comes_back_clean(database):
    value = {"a\0": ["\ud800", float("inf"), 2**80, None, True], "deep": [[["x" * 5000]]]}
    with database.write() as session:
        session.add(RulingsSet(name="n", digest="0" * 64, value=value))
    with database.read() as session:
        back = session.exec(select(RulingsSet)).one().value
    assert back["a\N{REPLACEMENT CHARACTER}"] == ["\\ud800", "inf", 2**80, None, True]
    assert len(back["deep"][0][0][0]) == 2000


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("plain", "plain"),
        ("  two\nlines ", "two lines"),
        ("\ud800", "\\ud800"),
        ("a\0b", "a\ufffdb"),
        ("a\u202eb", "a\ufffdb"),
        ("e\u0301", "é"),
        ("x" * 30, "x" * 19 + "…"),
        ("\ud800" * 30, ("\\ud800" * 5)[:19] + "…"),
        (41, "41"),
    ],
)
def test_text_is_made_fit_to_keep_and_to_show(text, kept):
    assert clean(text, 20) == kept
    assert is_clean(clean(text, 20))


def test_values_may_nest_as_deep_as_they_like():
    value: object = 1
    for _ in range(100_000):
        value = [value]
    assert str(clean_value(value)).count("[") <= 41


@pytest.mark.servers
def test_a_server_that_is_not_there_or_holds_other_tables_is_named(postgres):
    with pytest.raises(CannotOpen, match=r"127\.0\.0\.1:1/x cannot be opened"):
        open_database(Path("unused"), "postgresql+psycopg://nobody:secret@127.0.0.1:1/x")
    foreign = Postgres(servers.database(postgres))
    with foreign.writer.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE invoices (id int)")
    foreign.close()
    with pytest.raises(CannotOpen, match="database of another program"):
        open_database(Path("unused"), foreign.writer.url.render_as_string(hide_password=False))


@pytest.mark.servers
def test_several_processes_may_bring_one_server_up_to_date_at_once(postgres):
    url = servers.database(postgres)
    with ThreadPoolExecutor(4) as pool:
        opened = list(pool.map(lambda _n: open_database(Path("unused"), url), range(4)))
    assert {migrate.current(database.reader) for database in opened} == {migrate.head()}
    for database in opened:
        database.close()


@pytest.mark.servers
def test_many_that_claim_at_once_get_a_job_each(postgres):
    database = open_database(Path("unused"), servers.database(postgres))
    ids = [audit_with_job(database, n) for n in range(40)]

    def claims(owner: str) -> list[int]:
        mine = []
        while True:
            with database.write() as session:
                claim = jobs.claim(session, owner, 60)
            if claim is None:
                return mine
            mine.append(claim.audit_id)

    with ThreadPoolExecutor(4) as pool:
        taken = [one for mine in pool.map(claims, "abcd") for one in mine]
    assert sorted(taken) == ids
    database.close()


@pytest.mark.servers
def test_connections_that_a_restarted_server_left_dead_are_opened_anew(postgres, monkeypatch):
    database = open_database(Path("unused"), servers.database(postgres))

    def ended() -> None:
        with database.read() as session, database.write() as other:
            mine = sa.select(sa.func.pg_backend_pid()).scalar_subquery()
            at = session.execute(sa.select(mine, sa.func.current_database())).one()
            found = sa.text(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = :of AND pid <> :me"
            )
            session.execute(found, {"of": at[1], "me": at[0]})
            other.rollback()

    def seen() -> int:
        with database.read() as session:
            return int(session.execute(sa.select(1)).scalar_one())

    with database.read() as one, database.read() as two:  # two readers are open
        one.execute(sa.select(1))
        two.execute(sa.select(1))
    monkeypatch.setattr("auditor.store.postgres._FRESH_SECONDS", 0.0)
    ended()
    assert seen() == 1
    monkeypatch.setattr("auditor.store.postgres._FRESH_SECONDS", 600.0)
    with database.read() as one, database.read() as two:
        one.execute(sa.select(1))
        two.execute(sa.select(1))
    ended()
    answers = []
    for _ in range(4):
        try:
            answers.append(seen())
        except Busy:
            answers.append(0)
    assert answers.count(0) <= 1 and answers[-2:] == [1, 1]
    database.close()


def test_what_an_audit_costs_in_statements(database):
    """The cost of the queue: each statement is a way to the server and back."""
    said: list[str] = []

    def hear(_connection: object, _cursor: object, statement: str, *_more: object) -> None:
        if not statement.startswith("BEGIN"):
            said.append(statement)

    sa.event.listen(database.writer, "before_cursor_execute", hear)
    ident = audit_with_job(database)
    said.clear()
    with database.write() as session:
        held = jobs.claim(session, "a", 60)
    assert held is not None
    asked = held.asked
    assert len(said) == 1
    with database.write() as session:
        assert jobs.settle(session, held)
        counts = {"verdict": "clean", "digest": "0" * 64, "standing": 3}
        jobs.store(session, held, "2", counts, canonical=b"c", timeline=b"t", numbers=b"n", errors=[])
    assert len(said) == 4
    with database.write() as session:
        digest = asked.rulings_digest
        of = {"log_id": asked.log_id, "rulings_digest": digest, "rulings_label": "x", "rulings": None, "packs": []}
        new = jobs.queue(session, {"key": "k" * 20, "ruleset_version": "3", **of}, 7)
    assert len(said) == 6
    with database.read() as session:
        audit, other = session.get_one(Audit, ident), session.get_one(Audit, new)
        assert (audit.ruleset_version, audit.verdict, audit.standing, audit.counts) == ("2", "clean", 3, counts)
        assert audit.finished_at is not None
        assert (other.ruleset_version, other.verdict, other.counts) == ("3", None, {})
        job = session.exec(select(Job).where(Job.audit_id == new)).one()
        assert (job.state, job.turn, job.tries, job.slow) == ("queued", 7, 0, False)


def test_the_key_of_the_sessions_is_made_once(database):
    key = session_key(database)
    assert len(key) == 32
    assert session_key(database) == key


def test_jobs_are_done_in_the_order_they_came_and_by_one_at_a_time(database):
    ids = [audit_with_job(database, n) for n in range(3)]
    taken = []
    for owner in ("a", "b", "c", "d"):
        with database.write() as session:
            taken.append(jobs.claim(session, owner, 60))
    assert [claim.audit_id for claim in taken if claim] == ids
    assert taken[3] is None


def test_as_many_stand_before_a_job_as_are_claimed_before_it_the_slow_ones_last(database):
    ids = [audit_with_job(database, n) for n in range(9)]
    turns = {ids[0]: 5, ids[1]: 5, ids[2]: 0, ids[3]: 2, ids[4]: 7, ids[5]: 1, ids[6]: 3, ids[7]: 1, ids[8]: 6}
    with database.write() as session:
        for ident, turn in turns.items():
            slow = ident in (ids[2], ids[5])
            session.execute(sa.update(Job).where(Job.audit_id == ident).values(turn=turn, slow=slow))
        jobs.claim(session, "a", 60)  # that of turn 1 which is not slow
    places = {3: 0, 6: 1, 0: 2, 1: 3, 8: 4, 4: 5, 5: 7, 2: 6}
    expected = {ids[n]: place for n, place in places.items()}
    with database.read() as session:
        assert jobs.ahead(session, ids) == expected
        for some in ([], [ids[7]], [ids[1]], [ids[8], ids[0]], [ids[7], ids[5], ids[3]]):
            assert jobs.ahead(session, some) == {ident: expected[ident] for ident in some if ident in expected}
    with database.write() as session:
        claimed = [jobs.claim(session, "a", 60) for _ in places]
    assert [held.audit_id for held in claimed if held] == sorted(expected, key=expected.__getitem__)


def test_a_job_whose_lease_is_over_is_claimed_by_another(database):
    audit_with_job(database)
    with database.write() as session:
        first = jobs.claim(session, "a", -1)
    with database.write() as session:
        second = jobs.claim(session, "b", 60)
    assert first is not None and second is not None
    assert (second.job_id, second.attempt) == (first.job_id, 2)
    with database.write() as session:
        assert not jobs.give_back(session, first, "late", again=True)


def test_the_archive_keeps_bytes_under_their_hash(tmp_path):
    archive = Archive(tmp_path / "archive")
    data = b"some log\n"
    stored = archive.put(io.BytesIO(data))
    assert stored.sha256 == hashlib.sha256(data).hexdigest()
    assert not stored.known
    assert archive.read(stored.sha256) == data
    assert archive.path(stored.sha256) == tmp_path / "archive" / stored.sha256[:2] / stored.sha256
    assert archive.put(io.BytesIO(data)).known


def test_a_write_that_is_cut_off_leaves_no_file_under_a_hash(tmp_path):
    class CutOff(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            if self.tell():
                raise OSError("connection lost")
            return super().read(4)

    archive = Archive(tmp_path / "archive")
    with pytest.raises(OSError, match="connection lost"):
        archive.put(CutOff(b"a long log"))
    assert [path for path in (tmp_path / "archive").rglob("*") if path.is_file()] == []


def test_drafts_of_a_process_that_was_killed_are_swept(tmp_path):
    archive = Archive(tmp_path / "archive")
    (tmp_path / "archive" / "incoming" / ("d" * 32)).write_bytes(b"half")
    assert archive.sweep() == 1
    assert archive.sweep() == 0


def test_bytes_that_changed_on_disk_are_not_served_and_are_put_right_when_they_are_sent_again(tmp_path):
    archive = Archive(tmp_path / "archive")
    stored = archive.put(io.BytesIO(b"a log"))
    archive.path(stored.sha256).write_bytes(b"A log")
    with pytest.raises(ValueError, match="changed on disk"):
        archive.read(stored.sha256)
    assert not archive.put(io.BytesIO(b"a log")).known
    assert archive.read(stored.sha256) == b"a log"


def test_bytes_that_were_never_sent_are_not_there(tmp_path):
    with pytest.raises(FileNotFoundError):
        Archive(tmp_path / "archive").read("0" * 64)


@pytest.mark.parametrize("name", ["../../etc/passwd", "", "ABCDEF" + "0" * 58, "0" * 63, "0" * 64 + "\n"])
def test_only_a_hash_is_ever_a_path(tmp_path, name):
    with pytest.raises(ValueError):
        Archive(tmp_path / "archive").path(name)


def test_every_table_has_a_key_and_every_constraint_a_name():
    for table in SQLModel.metadata.tables.values():
        assert table.primary_key.columns, table.name
        for constraint in table.constraints:
            assert constraint.name, (table.name, constraint)


def shape(database: Database) -> dict[tuple[str, str], tuple[str, bool, bool]]:
    """Of each column: its type, whether it may be empty, and whether the database knows what it is where nobody says."""
    seen = sa.inspect(database.writer)
    return {
        (table, column["name"]): (str(column["type"]), column["nullable"], column["default"] is not None)
        for table in seen.get_table_names()
        for column in seen.get_columns(table)
    }


@pytest.mark.parametrize("step", sorted(migrate.steps())[9:])
def test_beside_a_new_version_the_one_before_goes_on_reading_and_writing(database, step):
    """Whatever it knows is there as it was, and what it does not know need not be said: a column that is new in a table that
    it writes may be empty, or has a default."""
    migrate.downgrade(database.writer, step)
    migrate.downgrade(database.writer, "-1")
    before = shape(database)
    migrate.upgrade(database.writer, step)
    after = shape(database)
    assert {name: after.get(name) for name in before} == before
    known = {table for table, _column in before}
    for (table, column), (_type, may_be_empty, has_default) in after.items():
        if table in known and (table, column) not in before:
            assert may_be_empty or has_default, f"{table}.{column}"
