"""The one place where bytes become audits: reads the log, finds its game and its rulings, asks the core.

Values in, values out: no file, clock, database or request. The service and the command line both ask here, so that
both give the same audit for the same log, rulings, data packs and ruleset version.
"""

from auditor.engine.audits import ENGINE, audit_counts, audit_json, audit_log, not_read, seldom_collected
from auditor.engine.comparing import compare, verify
from auditor.engine.conventions import not_a_way
from auditor.engine.games import GAMES, PacksOfGames, caveat, readings, rules, schema, table, title
from auditor.engine.headers import log_header, log_heading, log_sha256
from auditor.engine.replays import replay_frames, timeline
from auditor.engine.rulings import check_rulings, game_of_rulings

__all__ = [
    "ENGINE",
    "GAMES",
    "PacksOfGames",
    "audit_counts",
    "audit_json",
    "audit_log",
    "caveat",
    "check_rulings",
    "compare",
    "game_of_rulings",
    "log_header",
    "log_heading",
    "log_sha256",
    "not_a_way",
    "not_read",
    "readings",
    "replay_frames",
    "rules",
    "schema",
    "seldom_collected",
    "table",
    "timeline",
    "title",
    "verify",
]
