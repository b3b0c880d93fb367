"""The list of 100,000 audits: every way to look at it goes by an index. Plans and steps are counted, never time."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from sqlmodel import select

from auditor.store import jobs, migrate, queries
from auditor.store.database import Sqlite
from auditor.store.queries import Wanted
from auditor.store.tables import Audit, Log, LogWord
from auditor.store.words import words_of

MANY = 100_000
FILL = (
    "CREATE TEMP TABLE n AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {many}) SELECT i FROM n",
    """INSERT INTO log (id, sha256, size, name, game, header, created_at)
       SELECT i, printf('%064d', i), 1, 'game-' || i, CASE WHEN i % 2000 = 3 THEN 'clx' WHEN i % 10 = 1 THEN 'hcg'
       ELSE 'calth' END, '{{}}', '2026-01-01' FROM n""",
    """INSERT INTO audit (id, key, log_id, ruleset_version, rulings_digest, rulings_label, verdict, counts, standing, created_at)
       SELECT i, printf('%020d', i), i, '1', 'd', CASE i % 50 WHEN 0 THEN 'Cup' ELSE 'defaults' END,
       CASE WHEN i % 1000 = 7 THEN NULL WHEN i % 4 = 0 THEN 'findings' ELSE 'clean' END, '{{}}', i % 9, '2026-01-01' FROM n""",
    """INSERT INTO job (kind, audit_id, state, attempts, turn, tries, created_at, updated_at)
       SELECT 'audit', i, CASE WHEN i % 2000 = 7 THEN 'failed' WHEN i % 1000 = 7 THEN 'queued' ELSE 'done' END,
       0, i, 0, '2026-01-01', '2026-01-01' FROM n""",
    "INSERT INTO log_word (word, log_id) SELECT 'event=muster ' || (i % 40), i FROM n",
    "INSERT INTO log_word (word, log_id) SELECT 'round=' || (i % 5), i FROM n",
    "INSERT INTO log_word (word, log_id) SELECT 'player=name' || (i % 3000), i FROM n",
    "INSERT INTO log_word (word, log_id) SELECT 'game', i FROM n",
    "DROP TABLE n",
)  # fmt: skip


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sqlite]:
    database = Sqlite(tmp_path_factory.mktemp("large") / "x.sqlite3")
    migrate.upgrade(database.writer)
    with database.writer.begin() as connection:
        for statement in FILL:
            connection.exec_driver_sql(statement.format(many=MANY))
    yield database
    database.close()


def steps(database: Sqlite, work: Callable[[Any], Any]) -> tuple[Any, int]:
    """What some reading gives, and about how many thousands of SQLite's steps it took."""
    count = 0

    def beat() -> int:
        nonlocal count
        count += 1
        return 0

    with database.read() as session:
        raw = session.connection().connection.dbapi_connection
        assert raw is not None
        raw.set_progress_handler(beat, 1000)  # type: ignore[attr-defined]
        try:
            return work(session), count
        finally:
            raw.set_progress_handler(None, 0)  # type: ignore[attr-defined]


WAYS: list[tuple[Wanted, int, int]] = [
    (Wanted(), MANY, 700),
    (Wanted(sort="oldest"), MANY, 700),
    (Wanted(sort="findings"), MANY, 700),
    (Wanted(verdict="findings"), MANY // 4, 400),
    (Wanted(verdict="waiting"), 50, 60),
    (Wanted(verdict="failed"), 50, 60),
    (Wanted(rulings="Cup"), MANY // 50, 60),
    (Wanted(event="Muster 7"), MANY // 40, 200),
    (Wanted(game="clx"), MANY // 2000, 60),
    (Wanted(game="hcg"), MANY // 10, 400),
    (Wanted(game="calth"), MANY - MANY // 10 - MANY // 2000, 4000),
    (Wanted(game="none"), 0, 5),
    (Wanted(event="MUSTER  7", round="2"), MANY // 40, 1000),
    (Wanted(player="name77"), 34 + 10 * 33 + 4, 100),
    (Wanted(search="game"), MANY, 4000),
    (Wanted(search="nothing such"), 0, 50),
    (Wanted(event="Muster 8", verdict="findings"), MANY // 40, 1500),
]


@pytest.mark.parametrize(("wanted", "count", "most"), WAYS, ids=[str(way[0]) for way in WAYS])
def test_no_way_to_look_at_many_audits_takes_more_steps_than_a_walk_along_an_index(large, wanted, count, most):
    for page in (0, max(0, count // 50 - 1)):
        (rows, number), taken = steps(large, lambda s, p=page: queries.found(s, wanted, limit=50, offset=50 * p))
        assert number == count or wanted.player, number
        assert len(rows) == min(50, number) or page
        assert taken <= most, (page, taken)


def plan(database: Sqlite, query: Any) -> list[str]:
    with database.read() as session:
        compiled = query.compile(session.get_bind(), compile_kwargs={"literal_binds": True})
        return [row[3] for row in session.connection().exec_driver_sql(f"EXPLAIN QUERY PLAN {compiled}")]


@pytest.mark.parametrize("wanted", [way[0] for way in WAYS], ids=str)
def test_every_table_is_reached_by_an_index_and_nothing_is_sorted_that_an_index_could_give(large, wanted):
    said = plan(large, queries.some_ids(queries._conditions(wanted), wanted.sort).limit(50))
    for line in said:
        assert not line.startswith("SCAN") or "USING" in line or line == "SCAN audit", said
        assert "log_word" not in line or line.startswith("SEARCH"), said
    if not (wanted.search or wanted.player or wanted.event or wanted.game or wanted.verdict in ("waiting", "failed")):
        assert not any("TEMP B-TREE" in line for line in said), said


def test_the_numbers_above_the_list_are_counted_in_indexes(large):
    counts, taken = steps(large, queries.tally)
    assert counts["waiting"] == counts["failed"] == 50
    assert sum(counts.values()) == MANY
    assert taken <= 700
    _, taken = steps(large, lambda session: jobs.ahead(session, [7, 1007]))
    assert taken <= 20
    _, taken = steps(large, jobs.next_turn)
    assert taken <= 2


def test_the_numbers_above_the_list_of_a_game_are_counted_in_indexes_too(large):
    asked: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, statement: str, values: Any, *_: Any) -> None:
        asked.append((statement, values))

    sa.event.listen(large.reader, "before_cursor_execute", note)
    try:
        counts, taken = steps(large, lambda session: queries.tally(session, Wanted(game="calth")))
    finally:
        sa.event.remove(large.reader, "before_cursor_execute", note)
    assert counts["waiting"] == counts["failed"] == 50
    assert taken <= 3600  # 4,858 where all audits of the game are looked through for each state
    with large.read() as session:
        read = session.connection().exec_driver_sql
        lines = [row[3] for one in asked if "game" in one[0] for row in read(f"EXPLAIN QUERY PLAN {one[0]}", one[1])]
    of_audits = [line for line in lines if line.startswith("SEARCH audit")]
    assert of_audits and all("COVERING INDEX" in line or "PRIMARY KEY" in line for line in of_audits), lines


def test_what_stands_before_a_job_in_a_long_queue_is_counted_up_to_it_and_no_further(large):
    change = "UPDATE job SET state = '{}' WHERE id > 80000 AND state = '{}'"
    with large.writer.begin() as connection:
        connection.exec_driver_sql(change.format("queued", "done"))
    try:
        for ids, most in (([80_100, 80_150], 10), ([99_900, 99_950], 300), ([5, 6], 1)):
            places, taken = steps(large, lambda s, ids=ids: jobs.ahead(s, ids))
            queued = [n for n in range(1, 100_000) if n % 2000 == 1007 or (n > 80_000 and n % 2000 != 7)]
            assert places == {ident: queued.index(ident) for ident in ids if ident in queued}
            assert taken <= most, (ids, taken)
    finally:
        with large.writer.begin() as connection:
            connection.exec_driver_sql(change.format("done", "queued") + " AND id % 1000 <> 7")


def test_beyond_a_number_of_audits_nothing_is_counted(large, monkeypatch):
    """What a page says is "more than" then; a million are shown as fast as these."""
    monkeypatch.setattr(queries, "MOST_COUNTED", 1000)
    counts, taken = steps(large, queries.tally)
    assert counts == {"clean": 1001, "findings": 1001, "waiting": 50, "failed": 50}
    assert taken <= 60
    for wanted in (Wanted(), Wanted(sort="findings"), Wanted(verdict="findings")):
        (rows, number), taken = steps(large, lambda s, w=wanted: queries.found(s, w, limit=50, offset=0))
        assert (len(rows), number) == (50, 1001)
        assert taken <= 30
    narrow = Wanted(player="name77", verdict="findings")
    with large.read() as session:
        counts = queries.tally(session, narrow)
        _, number = queries.found(session, narrow, limit=50, offset=0)
        assert counts["findings"] == number <= sum(counts.values()) < 1001
        counts = queries.tally(session, Wanted(event="Muster 7"))
        assert sum(queries.verdicts(session).values()) == MANY - MANY // 1000
    assert max(counts.values()) == 1001


def test_logs_that_were_there_before_are_found_by_their_words_too(tmp_path: Path):
    database = Sqlite(tmp_path / "x.sqlite3")
    migrate.upgrade(database.writer, "0004")
    header = {
        "title": "A lively Game",
        "players": [{"id": "UM", "name": "Marit Solheim"}],
        "match": {"event": "Winter Muster", "round": "2"},
        "board": "ossuary-gate",
    }
    with database.writer.begin() as connection:
        connection.exec_driver_sql(
            "INSERT INTO log (id, sha256, size, name, header, created_at) VALUES (1, 'a', 1, 'g.jsonl', ?, '2026-01-01')",
            (json.dumps(header),),
        )
        connection.exec_driver_sql(
            "INSERT INTO audit (id, key, log_id, ruleset_version, rulings_digest, rulings_label, counts, created_at)"
            " VALUES (1, 'k', 1, '1', 'd', 'l', '{\"standing\": 3}', '2026-01-01')"
        )
    migrate.upgrade(database.writer)
    with database.read() as session:
        kept = set(session.exec(select(LogWord.word)).all())
        assert session.exec(select(Audit.standing)).one() == 3
        assert session.exec(select(Log.name)).one() == "g.jsonl"
    assert kept == words_of("g.jsonl", header)
    assert {"event=winter muster", "round=2", "player=marit", "marit", "lively", "ossuary"} <= kept
    database.close()


def test_audits_that_were_there_before_are_packed_and_can_be_unpacked_again(tmp_path: Path):
    database = Sqlite(tmp_path / "x.sqlite3")
    migrate.upgrade(database.writer, "0005")
    canonical = b'{"errors":[{"line":2}],"findings":[]}'
    events = [{"seq": 1, "text": "a"}, {"seq": 2, "text": "\u00e4"}]
    with database.writer.begin() as connection:
        connection.exec_driver_sql(
            "INSERT INTO log (id, sha256, size, name, header, created_at) VALUES (1, 'a', 1, 'g', '{}', '2026-01-01')"
        )
        connection.exec_driver_sql(
            "INSERT INTO audit (id, key, log_id, ruleset_version, rulings_digest, rulings_label, counts, created_at)"
            " VALUES (1, 'k', 1, '1', 'd', 'l', '{}', '2026-01-01')"
        )
        connection.exec_driver_sql(
            "INSERT INTO audit_value (audit_id, canonical, timeline) VALUES (1, ?, ?)", (canonical, json.dumps(events))
        )
    migrate.upgrade(database.writer)
    migrate.check(database.writer)
    with database.read() as session:
        assert zlib.decompress(queries.canonical(session, 1)) == canonical
        assert json.loads(zlib.decompress(queries.timeline(session, 1))) == events
        assert json.loads(zlib.decompress(queries.numbers(session, 1))) == [1, 2]
        assert queries.errors(session, 1) == [{"line": 2}]
        assert queries.errors(session, 2) == []
    migrate.downgrade(database.writer, "0005")
    with database.reader.connect() as connection:
        row = connection.exec_driver_sql("SELECT canonical, timeline FROM audit_value").one()
    assert (row[0], json.loads(row[1])) == (canonical, events)
    database.close()
