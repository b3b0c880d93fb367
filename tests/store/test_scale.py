"""Lists over many findings on PostgreSQL: whatever a page asks for is found by an index. Plans are looked at, never time."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from auditor.store import migrate
from auditor.store.database import Database
from auditor.store.postgres import Postgres
from tests import servers
from tests.bench import scale_rows

pytestmark = [pytest.mark.servers, pytest.mark.timeout(600)]

FINDINGS = 200_000


@pytest.fixture(scope="module")
def large(postgres: str) -> Iterator[Database]:
    database = Postgres(servers.database(postgres))
    migrate.upgrade(database.writer)
    scale_rows.fill(database, FINDINGS // scale_rows.FINDINGS_AN_AUDIT)
    yield database
    database.close()


@pytest.mark.parametrize("asked", scale_rows.ASKED)
def test_no_page_reads_a_whole_table_of_findings(large: Database, asked: str):
    plans = scale_rows.plans(large, scale_rows.ASKED[asked])
    assert plans, "nothing was asked"
    for plan in plans:
        assert not scale_rows.whole_walks(plan), plan


def test_nor_where_there_are_more_than_are_counted(large: Database, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("auditor.store.queries.MOST_COUNTED", FINDINGS // scale_rows.FINDINGS_AN_AUDIT // 20)
    for asked in scale_rows.ASKED.values():
        for plan in scale_rows.plans(large, asked):
            assert not scale_rows.whole_walks(plan), plan


def test_a_walk_through_a_whole_table_would_be_seen(large: Database):
    with large.reader.connect() as connection:
        plan = [row[0] for row in connection.exec_driver_sql("EXPLAIN SELECT count(finished_at) FROM audit")]
    assert scale_rows.whole_walks(plan)
