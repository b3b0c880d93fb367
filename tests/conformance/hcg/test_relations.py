"""A game of the card game written otherwise is the same game."""

from __future__ import annotations

import json
from random import Random

import pytest

from auditor.conformance.hcg.inventor import INVENTOR
from auditor.conformance.hcg.relations import RELATIONS


@pytest.mark.parametrize("name", RELATIONS)
def test_what_is_written_otherwise_can_be_read_and_names_its_events(name: str) -> None:
    lines = INVENTOR.legal_lines(5)
    related = RELATIONS[name](lines, Random(1))
    text = related.data.decode()
    made = json.loads(text) if name == "one JSON object" else None
    events = made["events"] if made else [json.loads(line) for line in text.splitlines()[1:]]
    types = {event["seq"]: event["type"] for event in events}
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert related.seqs and all(
        types[related.seqs[e["seq"]]] == e["type"] for e in lines[1:] if e["seq"] in related.seqs
    )
