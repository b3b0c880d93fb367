"""Invented games of Calixtus' Edition: complete, the same from the same seed, and legal by the audit's word too."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from auditor.conformance.clx.generate import Settings, generate
from auditor.conformance.clx.led import LEADS, OF_THEIR_OWN, led_to
from auditor.conformance.clx.variants import coarse, jittered, without_claims
from auditor.conformance.logs import as_jsonl, read_jsonl
from tests.clx.examples import audited

HERE = Path(__file__).parents[3] / "auditor" / "conformance" / "clx"
SMALL = Settings(size=5, turns=2)


def audit_of(lines):
    return audited({"header": lines[0], "events": lines[1:]})


def accusations(lines):
    return [
        (f["rule"], f["kind"], f["seq"], f["text"])
        for f in audit_of(lines)["findings"]
        if f["stands"] or f["kind"] == "ambiguous"
    ]


def test_the_same_seed_gives_the_same_game():
    assert as_jsonl(generate(7, SMALL)) == as_jsonl(generate(7, SMALL))
    assert as_jsonl(generate(7, SMALL)) != as_jsonl(generate(8, SMALL))


def test_nothing_here_looks_at_the_ruleset_or_its_geometry():
    for path in HERE.rglob("*.py"):
        assert not re.search(
            r"auditor\.(systems|geometry|core)", path.read_text(encoding="utf-8").split('"""', 2)[2]
        ), path


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_legal_game_accuses_nobody(seed):
    assert accusations(generate(seed, SMALL)) == []


def test_a_legal_game_accuses_nobody_when_claims_are_left_out():
    lines = without_claims(generate(4, SMALL), 0.4, Random(4))
    assert not accusations(lines)
    assert as_jsonl(lines).count("claimed_") < as_jsonl(generate(4, SMALL)).count("claimed_")


def test_a_legal_game_with_every_place_a_little_off_accuses_nobody():
    assert accusations(jittered(generate(5, SMALL), Random(5))) == []


def test_a_game_of_units_centres_and_totals_accuses_nobody():
    assert accusations(coarse(generate(6, SMALL))) == []


def test_a_game_has_all_its_turns_and_ends():
    lines = generate(9, Settings(size=5, turns=5, plain=True))
    assert {event["turn"] for event in lines[1:]} >= {0, 1}
    assert lines[-1]["type"] == "end"
    assert [event["seq"] for event in lines[1:]] == list(range(1, len(lines)))
    assert read_jsonl(as_jsonl(lines)) == lines


LED_TO = {
    "pistols in combat": ["shoot"],
    "late jinks": ["jink"],
    "Snap Shots at the preferred": ["hit_rolls"],
    "shots of the hidden": ["shoot"],
    "prone by choice": ["prone_choice"],
    "prone in cover": ["cover_rolls"],
    "defensive grenades": ["grenade", "charge_move"],
    "EMP grenades": ["grenade", "allocate"],
    "bombs": ["vehicle_hit"],
    "guessed shots": ["guess_shot"],
    "reserves": ["reserve_arrival", "shoot"],
    "tank shock": ["tank_shock", "fall_back"],
}


@pytest.mark.parametrize("name", LED_TO)
def test_a_game_that_is_led_comes_to_what_it_is_led_to_and_accuses_nobody(name):
    found = set()
    for seed in range(9):
        chosen = {"turns": 3, "readings": LEADS[name][2], **OF_THEIR_OWN.get(name, {})}
        chosen.pop("omit_claims", None)  # how a game is written down, not how it is played
        settings = Settings(**chosen, steer=led_to(name, seed))
        lines = generate(seed, settings)
        assert accusations(lines) == []
        found |= {event["type"] for event in lines[1:]}
    assert found >= set(LED_TO[name])
