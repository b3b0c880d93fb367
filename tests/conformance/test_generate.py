"""The generated games: the same seed gives the same bytes, and the table stays possible throughout."""

from __future__ import annotations

import pytest

from auditor.conformance.calth.adoption import apply
from auditor.conformance.calth.check import check
from auditor.conformance.calth.generate import generate
from auditor.conformance.calth.packs import Packs
from auditor.conformance.calth.position import opening
from auditor.conformance.calth.tables import READINGS
from auditor.conformance.calth.variety import legal_game
from auditor.conformance.logs import as_jsonl, read_jsonl

OTHER_READINGS = {name: options[-1] for name, options in READINGS.items()}


@pytest.mark.parametrize("seed", range(3))
def test_the_same_seed_gives_the_same_bytes(seed):
    assert as_jsonl(generate(seed, rounds=2)) == as_jsonl(generate(seed, rounds=2))


def test_another_seed_gives_another_game():
    assert as_jsonl(generate(1, rounds=1)) != as_jsonl(generate(2, rounds=1))


@pytest.mark.parametrize("readings", [{}, OTHER_READINGS], ids=["defaults", "the other readings"])
@pytest.mark.parametrize("seed", range(8))
def test_the_table_stays_possible_after_every_event(seed, readings):
    header, *events = read_jsonl(as_jsonl(generate(seed, rounds=3, readings=readings)))
    position = opening(Packs().inlined(header))
    for event in events:
        apply(position, event, readings)
        hexes = [unit.hex for unit in position.units.values()]
        assert len(hexes) == len(set(hexes)), event["seq"]
        members = [model for unit in position.units.values() for model in unit.models]
        assert len(members) == len(set(members)) and not set(members) & position.removed, event["seq"]
        for unit in position.units.values():
            assert unit.models and unit.tp >= 0, event["seq"]
            assert position.bulk(unit.models) <= 3, event["seq"]
            assert not position.board.is_shut(unit.hex), event["seq"]
            assert {position.models[m].side for m in unit.models} == {unit.side}, event["seq"]


def test_leaving_claims_out_changes_no_fact():
    whole = generate(5, rounds=3)
    partial = generate(5, rounds=3, omit_claims=0.4)
    assert len(whole) == len(partial)
    for one, other in zip(whole[1:], partial[1:], strict=True):
        assert all(one[name] == other[name] for name in ("type", "seq"))
        for name in ("roll", "weapons", "path", "moves", "models", "faces", "winner"):
            if name in other and name in one:
                assert one[name] == other[name]
    assert sum(len(as_jsonl([e])) for e in partial) < sum(len(as_jsonl([e])) for e in whole)


def test_a_made_up_game_brings_no_more_models_than_its_zones_hold():
    lines, _ = legal_game(3068)  # four hexes a side, and four models of ten need one each
    brought = {model["id"] for side in ("UM", "WB") for model in lines[0]["rosters"][side]["models"]}
    assert brought == {event["model"] for event in lines[1:] if event["type"] == "place"}
    assert check(lines) == []
