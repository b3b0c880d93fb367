"""A PostgreSQL database as it is after very many games, made by SQL, and what is asked of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa

from auditor.store import jobs, queries
from auditor.store.database import Database
from auditor.store.queries import Wanted

FINDINGS_AN_AUDIT = 5
TABLES = ("audit", "audit_value", "job", "log", "log_word", "delivery_file", "upload", "member")
_COUNTS = json.dumps(
    {
        **{"verdict": "findings", "digest": "0" * 64, "events": 418, "standing": FINDINGS_AN_AUDIT, "following": 2},
        **{"kinds": {"illegal": 2, "miscalculated": 2, "omitted": 1}, "ambiguous": 3, "only_under": 4, "notes": 1},
        **{"errors": 0, "unchecked": 0},
    }
)
"""As wide as those of real audits (`jobs.work.counts`)."""
_FILL = (
    """INSERT INTO log (id, sha256, size, name, game, header, created_at)
       SELECT i, lpad(i::text, 64, '0'), 30000, 'game-' || i, CASE WHEN i % 2000 = 3 THEN 'clx' WHEN i % 10 = 1 THEN 'hcg'
       ELSE 'calth' END, '{{}}', now() FROM generate_series({first}, {last}) AS i""",
    """INSERT INTO audit (id, key, log_id, ruleset_version, rulings_digest, rulings_label, verdict, counts, standing, created_at)
       SELECT i, lpad(i::text, 20, '0'), i, '1', 'd', CASE i % 50 WHEN 0 THEN 'Cup' ELSE 'defaults' END,
       CASE WHEN i % 1000 = 7 AND NOT {settled} THEN NULL WHEN i % 4 = 0 THEN 'findings' ELSE 'clean' END,
       '{counts}', {each}, now() FROM generate_series({first}, {last}) AS i""",
    """INSERT INTO job (kind, audit_id, state, attempts, turn, tries, created_at, updated_at)
       SELECT 'audit', i, CASE WHEN {settled} THEN 'done' WHEN i % 2000 = 7 THEN 'failed' WHEN i % 1000 = 7 THEN 'queued'
       ELSE 'done' END, 0, i, 0, now(), now() FROM generate_series({first}, {last}) AS i""",
    """INSERT INTO log_word (word, log_id) SELECT word, i FROM generate_series({first}, {last}) AS i, LATERAL (VALUES
       ('event=muster ' || (i % (1 + {many} / 100))), ('round=' || (i % 5)), ('player=name' || (i % (1 + {many} / 50))),
       ('player=name' || (i * 7 % (1 + {many} / 50) + 1000000)), ('name' || (i % (1 + {many} / 50)))) AS w (word)""",
    """INSERT INTO audit_value (audit_id, canonical, timeline, numbers, errors)
       SELECT i, decode(repeat(md5(i::text), 20), 'hex'), '', '', '[]' FROM generate_series({first}, {last}, 10) AS i""",
)  # fmt: skip


def fill(database: Database, audits: int, *, first: int = 1, settled: bool = False) -> None:
    """So many audits, numbered from `first`; one in a thousand waits or failed, unless all are settled. A tenth of them hold a
    value."""
    numbers = {"first": first, "last": first + audits - 1, "many": audits, "each": FINDINGS_AN_AUDIT}
    with database.writer.begin() as connection:
        for statement in _FILL:
            connection.exec_driver_sql(statement.format(**numbers, settled=settled, counts=_COUNTS).replace("%", "%%"))
    with database.writer.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql("VACUUM ANALYZE")


SOUGHT = "name777"
"""The beginning of so rare a word that an index is the better way in a small table as well, whatever rows a server draws to
estimate how many there are."""
ASKED: Mapping[str, Callable[[Any], Any]] = {
    "list": lambda session: queries.found(session, Wanted(), limit=50, offset=0),
    "list, most findings first": lambda session: queries.found(session, Wanted(sort="findings"), limit=50, offset=0),
    "list of an event": lambda session: queries.found(session, Wanted(event="muster 7"), limit=50, offset=0),
    "list of a game": lambda session: queries.found(session, Wanted(game="hcg"), limit=50, offset=0),
    "list of a game that few play": lambda session: queries.found(session, Wanted(game="clx"), limit=50, offset=0),
    "queue": lambda session: queries.found(session, Wanted(verdict="waiting"), limit=50, offset=0),
    "queue, for who does the work": lambda session: (
        jobs.due(session, 16),
        jobs.next_turn(session),
        jobs.last_claimed(session),
        jobs.ahead(session, range(1007, 100_000, 2000)),
        [jobs.any_due(session, slow) for slow in (None, False, True)],
        queries.oldest_waiting(session),
    ),
    "search": lambda session: queries.found(session, Wanted(search=SOUGHT), limit=50, offset=0),
    "a player's page": lambda session: queries.found(session, Wanted(player=SOUGHT), limit=50, offset=0),
    "numbers above the list": queries.tally,
    "numbers above the list of a game": lambda session: queries.tally(session, Wanted(game="hcg")),
}


@contextmanager
def said_to(database: Database) -> Iterator[list[tuple[str, Any]]]:
    """Every statement that readers send meanwhile, with its values."""
    statements: list[tuple[str, Any]] = []

    def hear(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_more: Any) -> None:
        if statement.lstrip().upper().startswith("SELECT"):
            statements.append((statement, parameters))

    sa.event.listen(database.reader, "before_cursor_execute", hear)
    try:
        yield statements
    finally:
        sa.event.remove(database.reader, "before_cursor_execute", hear)


def plans(database: Database, ask: Callable[[Any], Any]) -> list[list[str]]:
    """How the server carries out each statement of what is asked."""
    with said_to(database) as statements, database.read() as session:
        ask(session)
    with database.reader.connect() as connection:
        return [
            [row[0] for row in connection.exec_driver_sql(f"EXPLAIN {statement}", parameters)]
            for statement, parameters in statements
        ]


def whole_walks(lines: list[str]) -> list[str]:
    """The lines of a plan that read a whole table of ours, row by row."""
    return [
        line.strip() for line in lines if "Seq Scan on" in line and line.split("Seq Scan on ")[1].split()[0] in TABLES
    ]
