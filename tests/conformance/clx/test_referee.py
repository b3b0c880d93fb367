"""The second referee of Calixtus' Edition: legal games are clean for it, and it finds what was planted, without an audit."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from random import Random

import pytest

from auditor.conformance.clx.games import GAMES, RECIPES
from auditor.conformance.clx.generate import Settings, generate
from auditor.conformance.clx.plant import PLANTABLE, planted
from auditor.conformance.clx.plant.prepared import PREPARED
from auditor.conformance.clx.referee import JUDGED, check
from auditor.conformance.clx.table import Json
from auditor.conformance.inventor import NOT_JUDGED
from auditor.conformance.logs import as_jsonl, read_jsonl

SMALL = Settings(size=8, turns=2)
RULED = {
    "OR-DISPEL": "TOTAL_VS_TOTAL", "OR-MR-STACK": "ALL", "OR-ARC": "HALVES", "OR-COVER-UNIT": "ANY",
    "OR-ALLOC-FROM": "UNIT_CENTRE", "OR-TWICE": "EXACT", "OR-PEN": "N", "OR-ELEV": "LINEAR", "OR-WOUNDS": "INFLICTED",
}  # fmt: skip
FEW = ("CLX-GAME-02", "CLX-PSY-07", "CLX-PSY-13", "CLX-MOVE-04 omitted", "CLX-RUN-03", "CLX-FACE-01", "CLX-SUPP-03",
       "CLX-SHOOT-06", "CLX-SHOOT-08", "CLX-MOR-01", "CLX-VEH-06", "CLX-ASLT-01")  # fmt: skip
"""Faults of which the first small game that is tried soon gives an occasion."""


@pytest.mark.parametrize("seed", range(1, 7))
def test_a_legal_game_is_clean_to_its_end(seed: int) -> None:
    assert check(generate(seed, SMALL)) == []


@pytest.mark.parametrize("seed", range(11, 15))
def test_a_legal_game_under_other_readings_is_clean_as_far_as_it_is_followed(seed: int) -> None:
    lines = generate(seed, Settings(size=8, turns=2, readings=RULED))
    assert [one for one in check(lines) if one.kind != NOT_JUDGED] == []


@pytest.mark.parametrize("name", FEW)
def test_a_planted_fault_is_found_and_nothing_else(name: str) -> None:
    game = planted(name, 0, SMALL)
    assert game is not None
    fault = {key: game.fault[key] for key in ("seq", "rule", "kind", "player")}
    assert [vars(one) for one in check(game.lines)] == [fault]


NOT_YET_JUDGED = {
    *("CLX-LOG-05", "CLX-GAME-07", "CLX-PSY-05", "CLX-SUPP-01", "CLX-SHOOT-12"),
    *("CLX-GEAR-01", "CLX-GREN-03", "CLX-GREN-09", "CLX-GREN-10"),
    *(
        "CLX-GREN-11",
        "CLX-ASLT-03",
        "CLX-VEH-04",
        "CLX-USR-01",
        "CLX-USR-08",
    ),
    "CLX-USR-13",
    *("CLX-ASLT-07a", "CLX-USR-02", "CLX-USR-15", "CLX-SHOOT-15", "CLX-USR-17"),
}
"""Rules of which faults are planted, and which the second referee does not judge."""


def test_what_is_planted_is_of_rules_that_are_judged_or_named_here() -> None:
    assert {name.split()[0] for name in PLANTABLE} - set(JUDGED) == NOT_YET_JUDGED


@pytest.mark.parametrize(
    ("name", "followed"),
    [
        *(("faulty-1", True), ("faulty-2", False), ("faulty-3", True), ("faulty-4", False)),
        *(("no-base-rules", True), ("close-quarters", True)),
    ],
)
def test_of_a_recorded_game_it_finds_what_the_list_names_as_far_as_it_follows(name: str, followed: bool) -> None:
    (recipe,) = [one for one in RECIPES if one.name == name]
    lines = read_jsonl((GAMES / f"{name}.jsonl").read_text(encoding="utf-8"))
    listed = GAMES / f"{name}.expected.json"
    expected = json.loads(listed.read_text(encoding="utf-8"))["findings"] if recipe.faults else []
    found = check(lines)
    until = found.pop().seq if found and found[-1].kind == NOT_JUDGED else None
    assert (until is None) == followed
    assert [(one.seq, one.rule, one.kind, one.player) for one in found] == [
        (one["seq"], one["rule"], one["kind"], one["player"]) for one in expected if until is None or one["seq"] < until
    ]


def led_to(name: str, fits: Callable[[Json, Json], bool]) -> tuple[list[Json], Json]:
    """A legal game that is led to the occasion for a fault, and an event of it that fits, looked at after the one before."""
    for seed in range(60):
        header, *events = generate(seed, Settings(turns=4, steer=PREPARED[name](Random(seed))))
        told = [event for event in events if event["type"] != "allocate"]
        for before, event in itertools.pairwise(told):
            if fits(before, event):
                return [header, *events], event
    raise AssertionError(name)


@pytest.mark.parametrize(("more", "rule"), [(1, "CLX-GEAR-03"), (9, "CLX-SHOOT-08")])
def test_a_die_to_wound_for_a_hit_that_rends_is_told_from_one_for_no_hit(more: int, rule: str) -> None:
    lines, event = led_to(
        "CLX-SHOOT-12", lambda before, event: "automatic" in before and event["type"] == "wound_rolls"
    )
    event["rolls"] += [{"die": 1}] * more
    (said,) = check(lines)[:1]
    assert (said.seq, said.rule, said.kind) == (event["seq"], rule, "miscalculated")


def test_a_number_to_hit_that_fear_does_not_explain_is_not_put_down_to_it() -> None:
    game = planted("CLX-ASLT-05", 32)
    assert game is not None and "fear_charg" in as_jsonl(game.lines)
    assert [(one.rule, one.kind) for one in check(game.lines)] == [("CLX-ASLT-05", "miscalculated")]


def test_fear_that_is_kept_after_it_ended_is_no_wrong_chart() -> None:
    game = planted("CLX-USR-13", 0)
    assert game is not None and check(game.lines) == []
    game.lines[-1]["claimed_needed"] = 3
    assert [(one.rule, one.kind) for one in check(game.lines)] == [("CLX-ASLT-05", "miscalculated")]


def test_what_it_cannot_follow_ends_its_judgement_there() -> None:
    header, *events = generate(1, SMALL)
    (said,) = check([{**header, "rulings": {"settings": {"measuring_tolerance": "1/4"}}}, *events])
    assert (said.seq, said.kind) == (0, NOT_JUDGED)
    move = next(event for event in events if event["type"] == "move")
    move["models"][0]["ends_only"] = True
    (said,) = check([header, *events])
    assert (said.seq, said.kind) == (move["seq"], NOT_JUDGED)


def test_a_die_that_hit_a_hull_shows_one_to_six() -> None:
    lines = [dict(line) for line in read_jsonl((GAMES / "five-turns.jsonl").read_text())]
    hit = next(line for line in lines if line["type"] == "vehicle_hit" and "to_hit_die" in line)
    hit["to_hit_die"] = 8
    said = check(lines)[0]
    assert (said.seq, said.rule, said.kind, said.player) == (hit["seq"], "CLX-LOG-03", "illegal", hit["player"])


@pytest.mark.parametrize(
    ("name", "seed"),
    [
        *(("CLX-USR-04", 0), ("CLX-USR-05", 0), ("CLX-USR-06", 0), ("CLX-VEH-01", 0)),
        *(("CLX-VEH-03", 0), ("CLX-VEH-03 strength", 0), ("CLX-VEH-03 modifier", 0), ("CLX-VEH-03 omitted", 2)),
    ],
)
def test_faults_about_hidden_units_and_passengers_are_found_and_nothing_else(name: str, seed: int) -> None:
    game = planted(name, seed)
    assert game is not None
    fault = {key: game.fault[key] for key in ("seq", "rule", "kind", "player")}
    assert [vars(one) for one in check(game.lines) if one.kind != NOT_JUDGED] == [fault]


def test_games_with_hidden_units_and_with_tests_of_the_base_game_are_followed_to_their_end() -> None:
    hides = generate(4, Settings(size=6, turns=2, favoured=("oa", "lk"), habits=("hides",)))
    tests = generate(4, Settings(size=8, turns=3, deep=20, habits=("tests", "huddles")))
    assert any(event.get("hidden") for event in hides) and any(event["type"] == "spot" for event in hides)
    assert any(event["type"] == "char_test" and event["cause"] == "other" for event in tests)
    assert check(hides) == [] and check(tests) == []


def test_a_characteristic_test_is_held_to_the_value_of_its_unit() -> None:
    lines = generate(4, Settings(size=8, turns=3, deep=20, habits=("tests", "huddles")))
    test = next(event for event in lines if event["type"] == "char_test" and event["cause"] == "other")
    test["claimed_passed"] = not test["claimed_passed"]
    said = check(lines)[0]
    assert (said.seq, said.rule, said.kind) == (test["seq"], "CLX-MISC-01", "miscalculated")


@pytest.mark.parametrize("slip", ["nobody fires", "another weapon too", "nobody is left"])
def test_a_guess_that_does_not_fit_its_attack_is_not_judged(slip: str) -> None:
    game = planted("CLX-SHOOT-06g", 0)
    assert game is not None
    header, *before, fire, guess = game.lines
    assert (fire["type"], guess["type"]) == ("weapon_fire", "guess_shot")
    frame = {key: fire[key] for key in ("turn", "phase")}
    if slip == "nobody fires":
        between = [{**fire, "firers": []}]
    elif slip == "another weapon too":
        gun = {"id": "gun", "name": "Gun", "type": "assault", "range": 30, "S": 4, "AP": None, "shots": 3}
        header["weapons"].append(gun)
        header["units"][0]["models"][0]["weapons"].append("gun")
        between = [fire, {**fire, "weapon": "gun", "firers": [{"model": fire["firers"][0]["model"], "shots": 3}]}]
    else:
        between = [fire, {**frame, "player": "B", "type": "removed", "model": "b.m1", "reason": "a judge says so"}]
    events = [{**event, "seq": n} for n, event in enumerate([*before, *between, guess], 1)]
    (said,) = check([header, *events])[-1:]
    assert (said.seq, said.kind) == (len(events) - (slip == "nobody fires"), NOT_JUDGED)


@pytest.mark.parametrize(("type_", "rule"), [("hit_rolls", "CLX-SHOOT-07b"), ("wound_rolls", "CLX-SHOOT-08")])
def test_dice_that_are_too_few_are_a_fault_only_when_the_phase_is_over(type_: str, rule: str) -> None:
    lines = [dict(line) for line in read_jsonl((GAMES / "five-turns.jsonl").read_text(encoding="utf-8"))]
    place, event = next(
        (n, line)
        for n, line in enumerate(lines)
        if line["type"] == type_ and line["phase"] == "shooting" and line["rolls"][-1:] == [{"die": 1}]
    )
    event["rolls"] = event["rolls"][:-1]
    over = next(n for n, line in enumerate(lines) if n > place and line["type"] == "phase_end")
    assert check(lines[: place + 1]) == []
    (said,) = check(lines[: over + 1])
    assert (said.seq, said.rule, said.kind) == (event["seq"], rule, "miscalculated")
    strange = {**lines[over], "type": "nothing that is followed"}
    assert [(one.seq, one.kind) for one in check([*lines[:over], strange])] == [(event["seq"], NOT_JUDGED)]


def test_perils_are_recorded_whatever_their_cause_is_said_to_be() -> None:
    for seed in range(1, 30):
        lines = generate(seed, SMALL)
        perils = next((event for event in lines if event["type"] == "perils"), None)
        if perils is not None:
            break
    assert perils is not None
    cast = next(event for event in lines if perils["cause"] in (event.get("id"), event.get("cast")))
    del cast["claimed_perils"]
    perils["cause"] = "another"
    assert check(lines) == []


def test_who_is_removed_in_a_fight_is_for_no_rule_and_is_not_judged() -> None:
    lines = [dict(line) for line in read_jsonl((GAMES / "five-turns.jsonl").read_text(encoding="utf-8"))]
    place, event = next(
        (n, line)
        for n, line in enumerate(lines)
        if line["type"] == "allocate" and line["phase"] == "assault" and not line["list"][-1]["claimed_removed"]
    )
    event["list"][-1]["claimed_removed"] = True
    assert [(one.seq, one.kind) for one in check(lines[: place + 1])] == [(event["seq"], NOT_JUDGED)]
