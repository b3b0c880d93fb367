"""Invented games of Calixtus' Edition: complete, the same from the same seed, and legal by the audit's word too."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from auditor import engine
from auditor.conformance.clx.generate import Settings, generate
from auditor.conformance.clx.led import LEADS, OF_THEIR_OWN, led_to
from auditor.conformance.clx.variants import coarse, jittered, without_claims
from auditor.conformance.logs import as_jsonl, read_jsonl
from tests.clx.examples import audited
from tests.shares import is_tried

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
    "defensive grenades": ["grenade", "charge"],
    "frag in cover": ["grenade", "cover_rolls", "charge_move"],
    "frag in the open": ["guess_shot", "grenade", "charge_move"],
    "EMP grenades": ["grenade", "allocate"],
    "bombs": ["vehicle_hit"],
    "exploding hulls": ["vehicle_explodes", "pinning_test"],
    "guessed shots": ["guess_shot"],
    "reserves": ["reserve_arrival", "shoot"],
    "tank shock": ["tank_shock", "fall_back"],
    "spotting": ["spot"],
    "fear": ["ld_test", "charge"],
    "round a wall": ["charge_move"],
    "far away": ["shoot", "run"],
}


def led_game(name, seed):
    """A game of a lead as it is played; how it is written down is another matter."""
    chosen = {"turns": 3, "readings": LEADS[name][2], **OF_THEIR_OWN.get(name, {})}
    chosen.pop("omit_claims", None)
    lines = generate(seed, Settings(**chosen, steer=led_to(name, seed)))
    return jittered(lines, Random(seed)) if chosen.get("jittered") else lines


@pytest.mark.parametrize("name", [name for name in LED_TO if is_tried(4, name)])
def test_a_game_that_is_led_comes_to_what_it_is_led_to_and_accuses_nobody(name):
    found = set()
    for seed in range(4):
        lines = led_game(name, seed)
        assert accusations(lines) == []
        found |= {event["type"] for event in lines[1:]}
    assert found >= set(LED_TO[name])


def test_a_place_of_deployment_that_is_left_out_accuses_nobody_of_the_blows_for_charging():
    """Where the unit stood when it began its Movement Phase is not known: it need not have come to the table since."""
    header, *events = led_game("short charges", 0)
    charged = {event["unit"] for event in events if event["type"] == "charge_move" and not event["failed"]}
    placed = [event for event in events if event["type"] == "deploy" and event["unit"] in charged]
    assert len(placed) > 5
    for event in placed:
        unplaced = {key: value for key, value in event.items() if key != "models"}
        assert accusations([header, *(unplaced if one is event else one for one in events)]) == []


ASKS = {
    "lore of two disciplines": "OR-LORE-SPLIT",
    "past the enemy": "OR-STOP",
    "round a wall": "OR-CHARGE-DIST",
    "short charges": "OR-CHARGE-SHORT",
    "far away": "OR-RUN-AFTER-FAIL",
    "rolled again twice": "OR-REROLL-ONCE",
    "nbc on shields": "OR-HES-AP",
    "guessed shots, a little off": "OR-GUESS-DIE",
    "frag in the open": "OR-GREN-G",
    "frag in cover": "OR-FRAG-INIT",
    "defensive grenades": "OR-PHOTON",
    "heavy and charge": "OR-HEAVY-CHARGE",
    "Snap Shots at the preferred": "OR-PE-SNAP",
    "crossfire": "OR-CROSS-MORALE",
    "in the front line": "OR-FRONT",
}


@pytest.mark.parametrize("name", [name for name in ASKS if is_tried(2, name, "asks")])
def test_a_game_that_is_led_to_a_reading_asks_it_and_is_clean(name):
    asked = set()
    for seed in range(2):
        audit, counts = engine.audit_counts(as_jsonl(led_game(name, seed)).encode())
        assert audit["verdict"] == "clean"
        asked |= set(counts)
    assert ASKS[name] in asked
