"""The worked fights of the catalogue (9.1) and the rulebook's own examples (9.2), with their exact numbers."""

from __future__ import annotations

import json
from typing import Any

import pytest

from auditor.core.rulings import Hearing
from auditor.systems.hcg import records
from auditor.systems.hcg.position.places import At
from auditor.systems.hcg.readings import READINGS
from auditor.systems.hcg.ruleset import RULESET
from tests.examples import Example
from tests.hcg.examples import audited, example, examples, judged, record_of

FIGHTS = examples(file="fights")
NUMBERS = ("amount", "armor", "leftover", "die", "need", "atk", "dfd", "requirement")

SUMS = {
    "W1": [("p1-1", "p2-2", 5, 6, False)],
    "W2": [("p1-1", "p2-1", 6, 4, True), ("p2-1", "p1-1", 3, 3, True)],
    "W3": [("p1-1", "p2-1", 7, 4, True), ("p1-1", "p2-2", 4, 4, True)],
    "W4": [("p1-1", "p2-1", 3, 4, False), ("p2-1", "p1-1", 4, 4, True)],
    "W5": [("p2-1", "p1-2", 1, 3, False)],
    "W6": [],
    "W7": [],
    "S1": [("p1-1", "p2-2", 4, 4, True)],
    "S2": [("p1-1", "p2-2", 6, 4, True), ("p1-1", "p2-1", 4, 3, True)],
    "S3": [("p1-1", "p2-2", 4, 3, True)],
}


DEPENDENT = {
    # In W3 the earlier bonus would count again under `reapply`, as the catalogue says.
    "W3": [("HCG-SWEEP-03", {"amount": 6}, [{"OR-SWEEPPOOL": "reapply"}])],
    # In W5 the costs are paid at the announcement, and the battle action is spent by the failed test.
    "W5": [
        ("HCG-BAC-01", None, [{"OR-COSTTIME": "resolve"}]),
        ("HCG-BAC-01", None, [{"OR-COSTTIME": "resolve"}]),
        ("HCG-BA-01", "p1", [{"OR-FAILEDTEST": "refunded"}]),
    ],
}
"""What would be found under another reading, as the catalogue says of each fight."""


def test_the_fights_are_those_of_the_catalogue() -> None:
    found = {
        one.name: [
            (event["from"], event["to"], event["amount"], event["armor"], event["destroyed"])
            for event in one.log["events"]
            if event["type"] == "damage"
        ]
        for one in FIGHTS
    }
    assert found == SUMS


@pytest.mark.parametrize("example", FIGHTS, ids=lambda example: example.name)
def test_each_comes_out_clean_with_every_number_compared(example: Example) -> None:
    audit = audited(example.log)
    assert audit["verdict"] == "clean" and not audit["coverage"]["unchecked"]
    assert audit["coverage"]["not_claimed"] == 0
    dependent = [(f["rule"], f["recomputed"], f["scope"]["holds"]) for f in audit["findings"]]
    assert dependent == DEPENDENT.get(example.name, [])


@pytest.mark.parametrize("example", FIGHTS, ids=lambda example: example.name)
def test_no_number_can_be_off_by_one(example: Example) -> None:
    log = example.log
    for number, event in enumerate(log["events"]):
        for name in NUMBERS:
            for off in (-1, 1):
                if name not in event:
                    continue
                events = [dict(one) for one in log["events"]]
                events[number][name] += off
                found = [f for f in judged({**log, "events": events})["findings"] if f["stands"]]
                assert found and found[0]["seq"] == event["seq"], (event["seq"], name, off)
                assert found[0]["kind"] == "miscalculated"


@pytest.mark.parametrize("example", FIGHTS, ids=lambda example: example.name)
def test_without_its_claims_each_is_clean_too_and_comes_out_the_same(example: Example) -> None:
    log = example.log
    bare = [
        {k: v for k, v in event.items() if event["type"] not in ("damage", "sweep") or k not in (*CLAIMS, "leftover")}
        for event in log["events"]
    ]
    audit = audited({**log, "events": bare})
    assert audit["verdict"] == "clean"
    acts = [rule for rule, _, _ in DEPENDENT.get(example.name, []) if rule != "HCG-SWEEP-03"]
    assert [f["rule"] for f in audit["findings"]] == acts
    assert (audit["coverage"]["not_claimed"] > 0) == any(event["type"] == "damage" for event in log["events"])
    assert final(log) == final({**log, "events": bare})


CLAIMS = ("stat", "amount", "armor", "destroyed", "step")


def final(log: Any) -> dict[str, At]:
    """Where every known card lies in the end, under the default readings."""
    record = record_of(log)
    position = RULESET.opening(record)
    hearing = Hearing({reading.id: reading.default for reading in READINGS})
    for event in record.events:
        RULESET.adopt(event, RULESET.resolve(event, position, hearing), position, hearing)
    return dict(position.at)


def test_where_the_cards_lie_after_the_fights() -> None:
    def fallen(name: str) -> set[str]:
        at = final(example(f"fights/{name}").log)
        return {instance for instance, where in at.items() if where.zone == "discard" and instance[-1].isdigit()}

    assert fallen("W1") == set()
    assert fallen("W2") == {"p1-1", "p2-1"}, "both die at once"
    assert fallen("W3") == {"p2-1", "p2-2"}
    assert fallen("W4") == {"p1-1"}, "the shooter dies"
    assert fallen("S1") == {"p2-2"}, "the dreadnought is untouched"
    assert fallen("S2") == {"p2-1", "p2-2"}
    assert fallen("S3") == {"p2-2"}, "the special effect deals no damage"


def test_an_assault_refused_a_sweep_because_its_unit_died() -> None:
    log = example("fights/W2").log
    events = [*log["events"][:6], {"type": "sweep", "by": "p1", "ba": 1, "unit": "p1-1", "target": "p2-9"}]
    for number, event in enumerate(events, 1):
        event["seq"] = number
    found = audited({**log, "events": events})["findings"]
    assert [(f["rule"], f["kind"], f["seq"]) for f in found if f["rule"] == "HCG-SWEEP-01"] == [
        ("HCG-SWEEP-01", "illegal", 7)
    ]


def test_followed_events_are_read_as_they_are_written() -> None:
    for one in FIGHTS:
        for event in one.log["events"]:
            assert event["type"] in records.EVENTS, json.dumps(event)
