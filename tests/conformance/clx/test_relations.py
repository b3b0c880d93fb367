"""A game in inches written otherwise is the same game."""

from __future__ import annotations

import json
from random import Random

import pytest

from auditor import engine
from auditor.conformance.clx.inventor import INVENTOR
from auditor.conformance.clx.relations import RELATIONS
from auditor.conformance.logs import as_jsonl
from auditor.trials.relations import broken


@pytest.mark.parametrize("name", RELATIONS)
def test_what_is_written_otherwise_can_be_read_and_names_its_events(name: str) -> None:
    lines = INVENTOR.legal_lines(5001)
    related = RELATIONS[name](lines, Random(1))
    text = related.data.decode()
    made = json.loads(text) if name == "as one object" else None
    events = made["events"] if made else [json.loads(line) for line in text.splitlines()[1:]]
    types = {event["seq"]: event["type"] for event in events}
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert related.seqs and all(
        types[related.seqs[e["seq"]]] == e["type"] for e in lines[1:] if e["seq"] in related.seqs
    )


def test_what_is_written_otherwise_is_judged_the_same() -> None:
    game = INVENTOR.planted("CLX-FACE-01", 777)
    assert game is not None
    findings = engine.audit_log(as_jsonl(game.lines).encode(), digest=False, causes=False)["findings"]
    assert any(one["stands"] for one in findings)
    for name in RELATIONS:
        assert broken(INVENTOR, game.lines, findings, name, 1) == [], name
