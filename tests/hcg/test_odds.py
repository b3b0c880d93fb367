"""Odds of the card game: a test that was not rolled is passed by a part of the cards left in the deck."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

from auditor import engine
from auditor.systems.hcg.packs.files import example_files
from tests.hcg.examples import FIXTURES, example

GAMES = FIXTURES / "games"


def without_the_roll(order: bool) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """A recorded game as far as event 45, with a remark in place of its roll at event 44, with the order of the decks or
    without; and its finding. Event 43 plays a tactic (5+), and event 45 carries it out."""
    lines = [json.loads(line) for line in (GAMES / "faulty-2.jsonl").read_text().splitlines()]
    log: list[dict[str, Any]] = []
    for line in lines[: next(n for n, line in enumerate(lines) if line.get("seq") == 45) + 1]:
        played = {"seq": 44, "type": "remark", "text": "-"} if line.get("seq") == 44 else line
        log.append(played if order else {key: value for key, value in played.items() if key != "order"})
    audit = engine.audit_log("\n".join(map(json.dumps, log)).encode())
    (finding,) = (one for one in audit["findings"] if one["rule"] == "HCG-OPT-06" and one["stands"])
    return log, finding


def test_a_test_that_was_not_rolled_has_the_odds_of_the_cards_left_in_the_deck() -> None:
    log, finding = without_the_roll(order=False)
    player = next(one for one in log[0]["players"] if one["id"] == finding["player"])
    said = json.dumps([line for line in log[1:] if line["seq"] < 44])
    left = [one for one in player["instances"] if f'"{one}"' not in said]
    dice = [card_of(player["instances"][one])["die"] for one in left]
    (odds,) = finding["effect"]["odds"]
    assert Fraction(odds["chance"]) == Fraction(sum(die >= 5 for die in dice), len(dice))
    assert odds["of"] == "the test is passed" and finding["effect"]["unknown_from"] == 45
    told = f"The test, 5+, was not rolled: {sum(die >= 5 for die in dice)} of the {len(dice)} cards left in the deck"
    assert told in finding["effect"]["text"]


def test_where_the_top_card_is_known_what_it_bears_is_said_and_no_odds() -> None:
    lines = (GAMES / "faulty-2.jsonl").read_text().splitlines()
    (roll,) = (line for line in map(json.loads, lines) if line.get("seq") == 44)
    _, finding = without_the_roll(order=True)
    assert finding["effect"]["odds"] == []
    assert f"the top card of the deck bears {roll['die']}." in finding["effect"]["text"]


def card_of(ident: str) -> dict[str, Any]:
    """A card of the example set as its file has it."""
    for _, data in example_files():
        for card in json.loads(data).get("cards") or ():
            if card.get("id") == ident:
                found: dict[str, Any] = card
                return found
    raise KeyError(ident)


def test_where_nobody_knows_the_deck_there_are_no_odds() -> None:
    audit = engine.audit_log(example("HCG-OPT-06/illegal-test-not-rolled").lines().encode())
    found = [one for one in audit["findings"] if one["rule"] == "HCG-OPT-06" and one["stands"]]
    assert found and all(one["effect"]["odds"] == [] for one in found)
