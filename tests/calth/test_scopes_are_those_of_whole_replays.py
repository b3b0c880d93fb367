"""For every example and for damaged games: the scopes of an audit are those of whole replays under every combination
of the readings that the record asks."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from auditor.conformance.calth.generate import generate
from auditor.conformance.logs import as_jsonl
from auditor.core.replay import Replay
from auditor.core.rulings import rulings
from auditor.ingest import read
from auditor.systems.calth.readings import READINGS
from auditor.systems.calth.ruleset import RULESET
from tests.calth.examples import examples
from tests.core.whole import expected_findings, is_the_scope, readings_that_matter
from tests.shares import WHOLE, is_tried

FEW = 100


def disagreements(log: bytes, given: Mapping[str, str] | None = None, most: int = FEW) -> list[str] | None:
    """Where an audit and whole replays differ; None where whole replays cannot be had."""
    record = read(log, packs=None)
    in_force = rulings(given, READINGS, [rule.id for rule in RULESET.rules])
    names = [RULESET.events.get(type(event)) for event in record.events]
    numbered = all(event.seq == n for n, event in enumerate(record.events, 1))
    if record.errors or record.doubtful or not numbered or {None, "undo", "judge"} & set(names):
        return None
    readings = readings_that_matter(RULESET, record, in_force, most)
    if readings is None:
        return None
    wanted = expected_findings(RULESET, record, in_force, readings)
    seen = {
        (one.index, key[0], key[2], key[3]): one
        for one in Replay(RULESET, record, in_force, strict=True).run().seen
        for key in one.keys
    }
    told = [f"only one of the two sees {key}" for key in seen.keys() ^ wanted.keys()]
    for key in seen.keys() & wanted.keys():
        said, want = seen[key], wanted[key]
        if not is_the_scope(said.scope.as_json(), want["scope"]):
            told.append(f"{key}: the scope is {said.scope.as_json()}, not {want['scope']}")
        if said.stands != want["stands"] or want["kind"] not in (None, said.fault.kind):
            told.append(f"{key}: {said.fault.kind}, stands: {said.stands}; not {want['kind']}, {want['stands']}")
    return told


def test_in_the_examples() -> None:
    compared = 0
    for example in examples():
        if not is_tried(3, example, "whole replays"):
            continue
        told = disagreements(example.read_bytes())
        assert not told, (str(example), told)
        compared += told is not None
    assert compared > (300 if WHOLE else 80)


def damaged(seed: int) -> tuple[bytes, dict[str, str]]:
    """The beginning of a generated game without some of its claims, with wrong numbers and a lost event, and rulings
    that leave some readings open."""
    chance = Random(seed)
    header, *events = generate(seed, rounds=1, omit_claims=chance.choice([0.0, 0.3, 0.7, 1.0]))
    events = events[: chance.randint(15, 45)]
    del events[chance.randrange(8, len(events))]
    for n, event in enumerate(events, 1):
        numbers: list[Any] = [key for key, value in event.items() if type(value) is int and key != "seq"]
        if numbers and chance.random() < 0.1:
            event[chance.choice(numbers)] += chance.choice([-1, 1])
        event["seq"] = n
    chosen = chance.sample(READINGS, chance.randint(0, 6))
    return as_jsonl([header, *events]).encode(), {one.id: chance.choice([*one.names, "open"]) for one in chosen}


@pytest.mark.parametrize("first", [0, 100])
def test_in_damaged_games(first: int) -> None:
    compared = 0
    for seed in range(first, first + (25 if WHOLE else 15)):
        told = disagreements(*damaged(seed))
        assert not told, (seed, told)
        compared += told is not None
    assert compared > (5 if WHOLE else 2)
