"""Boards go into an audit as they are drawn, so they hold nothing that an audit may not hold, whatever a log says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from auditor.core.audit import filled
from auditor.core.plain import plain
from auditor.engine import audit_log
from tests.shares import WHOLE

GAME = Path(__file__).parents[2] / "fixtures" / "calth" / "games" / "clean-1.jsonl"
MOST = 2**53 - 1


def drawn(log: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The evidence of a log's findings; the digest refuses what may not stand in an audit."""
    data = "".join(json.dumps(line) + "\n" for line in log).encode()
    return [finding["evidence"] for finding in filled(audit_log(data, strict=True, everything=True))["findings"]]


def test_numbers_beyond_those_of_an_audit_are_drawn_as_text() -> None:
    log = [json.loads(line) for line in GAME.read_text().splitlines()]
    refresh = next(event for event in log if event["type"] == "tp_refresh")
    unit = refresh["units"][0]["unit"]
    refresh["units"][0] = {"unit": unit, "tp_before": MOST}
    evidence = drawn(log)
    tps = {u["tp"] for shown in evidence for u in shown["before"]["units"] if u["id"] == unit}
    assert str(MOST + 2) in tps
    assert evidence == plain(evidence)


def test_every_part_of_a_drawing_is_plain() -> None:
    for name in ("clean-2", "faulty-1", "faulty-2") if WHOLE else ("faulty-2",):
        log = [json.loads(line) for line in GAME.with_name(f"{name}.jsonl").read_text().splitlines()]
        evidence = drawn(log)
        assert evidence
        assert evidence == plain(evidence)
