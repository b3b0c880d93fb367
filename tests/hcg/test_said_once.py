"""One mistake in a whole game is said once, whatever the rest of the record goes on from."""

from __future__ import annotations

import json
from typing import Any

import pytest

from auditor.engine import audit_log
from tests.hcg.examples import FIXTURES, audited, example, read


def game(name: str) -> dict[str, Any]:
    log: dict[str, Any] = read(FIXTURES / "games" / f"{name}.json")
    return log


def said(log: dict[str, Any], events: list[dict[str, Any]]) -> list[tuple[str, str, int]]:
    """What stands and follows from nothing else."""
    audit = audited({**log, "events": events}, log["header"].get("rulings"))
    roots = (found for found in audit["findings"] if found["stands"] and not found["depends_on"])
    return [(found["rule"], found["kind"], found["seq"]) for found in roots]


def without(card: str, name: str, events: list[dict[str, Any]], seq: int) -> list[dict[str, Any]]:
    """Events of which one does not list a card."""
    return [{**one, name: [it for it in one[name] if it != card]} if one["seq"] == seq else one for one in events]


@pytest.mark.parametrize(
    ("name", "seq", "card"),
    [("four-turns", 72, "p1-20"), ("four-turns", 198, "p1-19"), ("extra-turn", 112, "p2-09")],
)
def test_a_card_that_a_reset_leaves_out_and_that_then_acts_was_made_ready(name: str, seq: int, card: str) -> None:
    log = game(name)
    assert said(log, without(card, "readied", log["events"], seq)) == [("HCG-VIC-09", "omitted", seq)]


def test_a_ship_that_the_end_phase_leaves_out_and_that_is_then_locked_was_rallied() -> None:
    log = game("deck-runs-out")
    assert said(log, without("p2-05", "rallied", log["events"], 115)) == [("HCG-END-02", "omitted", 115)]


OTHER = {"attacker": "defender", "defender": "attacker"}


@pytest.mark.parametrize("name", ["four-turns", "extra-turn"])
def test_a_role_that_is_written_for_the_other_is_named_where_who_has_it_acts_first(name: str) -> None:
    log = game(name)
    chosen = next(one for one in log["events"] if one["type"] == "setup.role")
    swapped = [{**one, "role": OTHER[one["role"]]} if one is chosen else one for one in log["events"]]
    audit = audited({**log, "events": swapped}, log["header"].get("rulings"))
    (root,) = (found for found in audit["findings"] if found["stands"] and not found["depends_on"])
    assert (root["rule"], root["player"], root["meant"]["seq"]) == ("HCG-SETUP-06", chosen["by"], chosen["seq"])


HANDS = {"deployment": "HCG-DEP-01", "command": "HCG-BSET-07"}


def numbered(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Events numbered anew, as if none had ever been missing or said twice, and what they say of each other with them."""
    now: dict[int, int] = {}
    for n, event in enumerate(events, 1):
        now.setdefault(event["seq"], n)
    of = ("trigger", "roll", "reroll")
    return [
        {**{key: now[value] if key in of else value for key, value in event.items()}, "seq": n}
        for n, event in enumerate(events, 1)
    ]


def draws(name: str) -> list[tuple[str, int, str]]:
    """(game, place, rule) of the hands that are drawn in it."""
    events = game(name)["events"]
    found = [(n, one["cause"]) for n, one in enumerate(events) if one["type"] == "draw" and one["cause"] in HANDS]
    return [(name, n, HANDS[cause]) for n, cause in found]


@pytest.mark.parametrize(("name", "place", "rule"), [*draws("two-sectors"), *draws("hidden-decks")])
def test_a_hand_that_was_drawn_without_a_word_is_missed_once(name: str, place: int, rule: str) -> None:
    log = game(name)
    events = numbered(log["events"][:place] + log["events"][place + 1 :])
    assert [(it, kind) for it, kind, _ in said(log, events)] == [(rule, "omitted")]


@pytest.mark.parametrize(("name", "place", "rule"), [*draws("two-sectors"), *draws("hidden-decks")])
def test_a_hand_that_is_said_twice_to_have_been_drawn_is_found_once(name: str, place: int, rule: str) -> None:
    log = game(name)
    events = numbered(log["events"][: place + 1] + log["events"][place:])
    assert said(log, events) == [(rule, "illegal", place + 2)]


@pytest.mark.parametrize(("name", "place", "rule"), [*draws("two-sectors"), *draws("hidden-decks")])
def test_a_hand_of_which_one_card_is_left_out_is_missed_once(name: str, place: int, rule: str) -> None:
    log = game(name)
    draw = log["events"][place]
    fewer = {**draw, "n": draw["n"] - 1, **({"cards": draw["cards"][:-1]} if "cards" in draw else {})}
    events = [*log["events"][:place], fewer, *log["events"][place + 1 :]]
    assert [(it, kind) for it, kind, _ in said(log, events)] == [(rule, "omitted")]


@pytest.mark.parametrize(("place", "rule"), [(251, "HCG-BAC-01"), (264, "HCG-BAC-01"), (270, "HCG-BAC-01")])
def test_cards_that_an_ability_drew_without_a_word_are_missed_once(place: int, rule: str) -> None:
    log = game("deck-runs-out")
    assert log["events"][place]["type"] == "draw"
    events = numbered(log["events"][:place] + log["events"][place + 1 :])
    assert [(it, kind) for it, kind, _ in said(log, events)] == [(rule, "omitted")]


@pytest.mark.parametrize(("name", "place", "rule"), draws("two-sectors"))
def test_a_hand_of_which_the_first_card_is_left_out_is_missed_once(name: str, place: int, rule: str) -> None:
    log = game(name)
    draw = log["events"][place]
    fewer = {**draw, "n": draw["n"] - 1, "cards": draw["cards"][1:]}
    events = [*log["events"][:place], fewer, *log["events"][place + 1 :]]
    assert [(it, kind) for it, kind, _ in said(log, events)] == [(rule, "omitted")]


def deployments(name: str) -> list[tuple[str, int, str]]:
    """(game, place, rule) of the first-wave cards and deployments in it."""
    rules = {"deploy.first": "HCG-FW-04", "deploy.regular": "HCG-DEP-04"}
    return [(name, n, rules[one["type"]]) for n, one in enumerate(game(name)["events"]) if one["type"] in rules]


@pytest.mark.parametrize(
    ("name", "place", "rule"),
    [*deployments("two-sectors"), *deployments("four-turns")[::7], *deployments("hidden-decks")[::5]],
)
def test_a_card_that_came_to_a_sector_without_a_word_is_missed_once(name: str, place: int, rule: str) -> None:
    log = game(name)
    events = numbered(log["events"][:place] + log["events"][place + 1 :])
    another = [("HCG-FW-02", "illegal")], [("HCG-SETUP-05", "illegal")]  # Another card is flipped than lay on top.
    assert [(it, kind) for it, kind, _ in said(log, events)] in ([(rule, "omitted")], *another)


@pytest.mark.parametrize(
    ("name", "place", "rule"), [*deployments("two-sectors")[::3], *deployments("hidden-decks")[::5]]
)
def test_who_deploys_before_the_other_is_named(name: str, place: int, rule: str) -> None:
    log = game(name)
    one, other = log["events"][place : place + 2]
    if one["type"] == other["type"]:
        act = {"HCG-FW-04": "HCG-FW-01", "HCG-DEP-04": "HCG-DEP-02"}[rule]
        assert said(log, exchanged(log["events"], place)) == [(act, "illegal", place + 1)]


def blows(name: str) -> list[tuple[str, int]]:
    """(game, place) of the damage of attacks in it."""
    return [(name, n) for n, one in enumerate(game(name)["events"]) if one["type"] == "damage"]


@pytest.mark.parametrize(
    ("name", "place"), [*blows("two-sectors"), *blows("four-turns")[::3], *blows("extra-turn")[::4]]
)
def test_damage_that_was_dealt_without_a_word_is_missed_once(name: str, place: int) -> None:
    log = game(name)
    events = numbered(log["events"][:place] + log["events"][place + 1 :])
    rules = {"HCG-SHOOT-07", "HCG-ASLT-06", "HCG-SWEEP-03", "HCG-CA-01", "HCG-CA-02"}
    ((rule, kind, _),) = said(log, events)
    assert (rule in rules, kind) == (True, "omitted")


def in_parts(name: str) -> list[tuple[str, int, str]]:
    """(game, place, rule) of the hands that are drawn about a refill."""
    events = game(name)["events"]
    found = [n for n, one in enumerate(events) if one["type"] == "reshuffle"]
    near = sorted({n + step for n in found for step in (-1, 1) if events[n + step]["type"] == "draw"})
    return [(name, n, HANDS[events[n]["cause"]]) for n in near if events[n]["cause"] in HANDS]


@pytest.mark.parametrize(("name", "place", "rule"), [*in_parts("four-turns"), *in_parts("extra-turn")])
def test_a_part_of_a_hand_about_a_refill_that_was_drawn_without_a_word_is_missed_once(
    name: str, place: int, rule: str
) -> None:
    log = game(name)
    events = numbered(log["events"][:place] + log["events"][place + 1 :])
    once = [(rule, "omitted")], [("HCG-ROLL-06", "illegal")]  # The deck still had cards as it was refilled.
    assert [(it, kind) for it, kind, _ in said(log, events)] in once


def lines(name: str, *types: str) -> list[tuple[str, int]]:
    """(game, place) of the lines of some types in it that are not its last."""
    return [(name, n) for n, one in enumerate(game(name)["events"][:-1]) if one["type"] in types]


def exchanged(events: list[dict[str, Any]], place: int) -> list[dict[str, Any]]:
    """Events of which one and the next have changed places."""
    return numbered([*events[:place], events[place + 1], events[place], *events[place + 2 :]])


@pytest.mark.parametrize(("name", "place"), lines("two-sectors", "sector.taken", "sector.reset"))
def test_a_sector_that_is_cleared_only_after_play_has_gone_on_is_missed_once(name: str, place: int) -> None:
    log = game(name)
    rule = "HCG-VIC-08" if log["events"][place]["type"] == "sector.taken" else "HCG-VIC-09"
    ended = (
        log["events"][place + 1]["type"] == "game.end"
    )  # what an end seems to leave out, and comes after it, is in doubt
    assert said(log, exchanged(log["events"], place)) == ([] if ended else [(rule, "omitted", place + 1)])


@pytest.mark.parametrize(("name", "place"), lines("extra-turn", "reshuffle"))
def test_a_refill_that_comes_after_its_draw_is_missed_once(name: str, place: int) -> None:
    log = game(name)
    assert said(log, exchanged(log["events"], place)) == [("HCG-ROLL-06", "omitted", place + 1)]


@pytest.mark.parametrize(("name", "place"), lines("two-sectors", "ba.end"))
def test_an_end_that_changed_places_with_the_next_battle_action_is_held_against_nobody(name: str, place: int) -> None:
    log = game(name)
    if log["events"][place + 1]["type"].startswith("ba."):
        assert said(log, exchanged(log["events"], place)) == []


@pytest.mark.parametrize(("name", "place"), lines("deck-runs-out", "ba.pass"))
def test_a_pass_that_is_written_twice_is_held_against_nobody(name: str, place: int) -> None:
    log = game(name)
    events = numbered(log["events"][: place + 1] + log["events"][place:])
    assert said(log, events) == []


def turns(name: str) -> list[tuple[str, int]]:
    """(game, place) of the marks of its turns."""
    return [(name, n) for n, one in enumerate(game(name)["events"]) if one["type"] == "turn.start"]


@pytest.mark.parametrize(("name", "place"), turns("two-sectors"))
def test_a_turn_that_is_said_twice_to_begin_is_found_once(name: str, place: int) -> None:
    log = game(name)
    events = numbered(log["events"][: place + 1] + log["events"][place:])
    assert said(log, events) == [("HCG-TURN-01", "illegal", place + 2)]


@pytest.mark.parametrize(("name", "place"), turns("two-sectors"))
def test_a_turn_that_begins_after_its_first_wave_is_found_once(name: str, place: int) -> None:
    log = game(name)
    before, mark, wave, after = (log["events"][a:b] for a, b in _cut(place))
    assert wave[0]["type"] == "phase.start"
    found = said(log, numbered([*before, *wave, *mark, *after]))
    assert [(rule, kind) for rule, kind, _ in found] == [("HCG-TURN-01", "illegal")]


def _cut(place: int) -> list[tuple[int, int | None]]:
    return [(0, place), (place, place + 1), (place + 1, place + 2), (place + 2, None)]


@pytest.mark.parametrize("marks", [1, 2])
def test_a_turn_that_begins_without_a_word_is_found_once(marks: int) -> None:
    log = game("two-sectors")
    (_, _), (_, place) = turns("two-sectors")
    events = numbered(log["events"][:place] + log["events"][place + marks :])
    assert [(rule, kind) for rule, kind, _ in said(log, events)] == [("HCG-TURN-01", "illegal")]


@pytest.mark.parametrize(
    ("place", "field"),
    [
        (3, "card"), (9, "card"), (18, "card"), (103, "unit"), (103, "target"), (104, "unit"), (105, "choices"),
        (112, "from"), (112, "to"), (114, "unit"), (118, "unit"), (118, "target"),
    ],
)  # fmt: skip
def test_a_line_that_names_no_card_is_held_against_nobody(place: int, field: str) -> None:
    log = game("two-sectors")
    event = log["events"][place - 1]
    nobody = {"target": "p1-none"} if field == "choices" else "p1-none"
    events = [{**one, field: nobody} if one is event else one for one in log["events"]]
    audit = audit_log(json.dumps({**log, "events": events}).encode(), digest=False)
    assert [one["expected"] for one in audit["errors"]] == ["a card of the lists of instances"]
    assert [one for one in audit["findings"] if one["stands"]] == []


def charges(name: str) -> list[tuple[str, int]]:
    """(game, place) of the charges in it."""
    return [(name, n) for n, one in enumerate(game(name)["events"]) if one["type"] == "ba.charge"]


@pytest.mark.parametrize(("name", "place"), [*charges("two-sectors"), *charges("deck-runs-out")])
@pytest.mark.parametrize("lines", [1, 2])
def test_a_charge_that_is_left_out_is_found_once(name: str, place: int, lines: int) -> None:
    log = game(name)
    assert log["events"][place + 1]["type"] == "ba.end" or lines == 1
    events = numbered(log["events"][:place] + log["events"][place + lines :])
    assert [(rule, kind) for rule, kind, _ in said(log, events)] == [("HCG-DOC-04", "miscalculated")]


LEFT_OUT = [
    *(("deck-runs-out", place) for place in (2, 4, 5, 44, 52, 96, 111, 114)),
    ("four-turns", 92),
    ("extra-turn", 105),
    ("extra-turn", 270),
]
"""A reveal, a coin, a role, events, sectors that are reset and taken, withdrawals, ships, a refill."""


@pytest.mark.parametrize(("name", "place"), LEFT_OUT)
def test_a_line_that_is_left_out_is_named_where_it_is_missed(name: str, place: int) -> None:
    log = game(name)
    lost = log["events"][place]["type"]
    events = numbered(log["events"][:place] + log["events"][place + 1 :])
    audit = audited({**log, "events": events}, log["header"].get("rulings"))
    (root,) = (found for found in audit["findings"] if found["stands"] and not found["depends_on"])
    assert root["meant"]["missing"]["type"] == lost


def test_what_a_line_written_twice_breaks_is_one_finding() -> None:
    log = example("HCG-REA-03/legal").log
    events = numbered(log["events"][:7] + log["events"][6:])
    audit = audited({**log, "events": events})
    root, other = (found for found in audit["findings"] if found["stands"])
    assert (root["rule"], root["meant"]["twice"]) == ("HCG-REA-02", 7)
    assert (other["rule"], other["scope"]["kind"], other["depends_on"]) == ("HCG-REA-03", "only_under", [root["id"]])


def test_a_withdrawal_that_is_left_out_is_named_by_the_rule_of_the_act() -> None:
    log = example("HCG-BA-06/illegal").log
    (root,) = (found for found in audited(log)["findings"] if found["stands"])
    assert (root["rule"], root["also"], root["meant"]["missing"]) == ("HCG-BA-06", ["HCG-BA-04"], WITHDRAWN)


WITHDRAWN = {"type": "ba.withdraw", "by": "p2"}
