"""The language of printed abilities, against the table of catalogue 7.4 and against texts that nobody can read."""

from __future__ import annotations

import contextlib
import time
from typing import Any

import msgspec
import pytest

from auditor.systems.hcg.abilities import TextRefused, read
from auditor.systems.hcg.abilities.shapes import Ability
from auditor.systems.hcg.abilities.words import MOST_CHARACTERS

KEYWORDS = frozenset({"infantry", "vehicle", "elite", "anti-tank"})

ANY_UNIT = {"q": "exact", "n": 1, "kind": "unit"}
ENEMY_UNIT = {**ANY_UNIT, "side": "enemy"}
THIS_UNIT = {"q": "self", "n": 1, "side": "own", "kind": "unit"}
THIS_CARD = {"q": "self", "n": 1, "side": "own"}


def without_places(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_places(part) for key, part in value.items() if key != "at"}
    if isinstance(value, list):
        return [without_places(part) for part in value]
    return value


def parts(ability: Ability) -> dict[str, Any]:
    """What was read, without the text, the status and the places."""
    plain = without_places(msgspec.json.decode(msgspec.json.encode(ability)))
    return {key: value for key, value in plain.items() if key not in ("text", "status", "limit")}


def modify(target: dict[str, Any], stat: str, amount: Any, until: str = "ba", **more: Any) -> dict[str, Any]:
    return {"op": "modify", "target": target, "changes": [{"stat": stat, "amount": amount}], "until": until, **more}


TABLE: list[tuple[str, str, dict[str, Any]]] = [
    ("T: Any unit gets +2 armor", "once", {"type": "T", "effects": [modify(ANY_UNIT, "armor", 2)]}),
    (
        "T: Any blocking unit gets +2 armor",
        "once",
        {"type": "T", "effects": [modify({**ANY_UNIT, "role": "blocking"}, "armor", 2)]},
    ),
    ("T: Any unit gets +d6 armor.", "once", {"type": "T", "effects": [modify(ANY_UNIT, "armor", "d6")]}),
    (
        "BA (5+): Draw 1 card",
        "none",
        {"type": "BA", "costs": [{"op": "test", "n": 5}], "effects": [{"op": "draw", "n": 1}]},
    ),
    (
        "A: Your enemy discards 3 cards",
        "none",
        {"type": "A", "effects": [{"op": "discard", "player": "enemy", "n": 3}]},
    ),
    ("A: Lock two enemy units", "none", {"type": "A", "effects": [{"op": "lock", "target": {**ENEMY_UNIT, "n": 2}}]}),
    (
        "BA: Lock all enemy units.",
        "none",
        {"type": "BA", "effects": [{"op": "lock", "target": {"q": "all", "side": "enemy", "kind": "unit"}}]},
    ),
    ("BA: Destroy one enemy unit.", "none", {"type": "BA", "effects": [{"op": "destroy", "target": ENEMY_UNIT}]}),
    (
        "BA Lock 2 of your charging units, (3+): Destroy up to three enemy units.",
        "none",
        {
            "type": "BA",
            "costs": [
                {"op": "lock", "target": {**ANY_UNIT, "n": 2, "side": "own", "state": "charging"}},
                {"op": "test", "n": 3},
            ],
            "effects": [{"op": "destroy", "target": {**ENEMY_UNIT, "q": "upto", "n": 3}}],
        },
    ),
    (
        "+2 firepower vs. infantry units",
        "none",
        {
            "type": "static",
            "effects": [
                modify(
                    THIS_CARD, "firepower", 2, "static", versus={"q": "all", "kind": "unit", "keywords": ["infantry"]}
                )
            ],
        },
    ),
    (
        "T Discard 1 card: This unit gets +1 firepower. Unlimited.",
        "unlimited",
        {"type": "T", "costs": [{"op": "discard", "n": 1}], "effects": [modify(THIS_UNIT, "firepower", 1)]},
    ),
    (
        "BA (X+): Destroy one enemy unit. X = the unit's armor.",
        "none",
        {
            "type": "BA",
            "costs": [{"op": "test", "n": "X"}],
            "effects": [{"op": "destroy", "target": ENEMY_UNIT}],
            "x": {"what": "stat", "of": "the", "kind": "unit", "stat": "armor"},
        },
    ),
    (
        "T (X+): Any unit gets +X Firepower.",
        "once",
        {"type": "T", "costs": [{"op": "test", "n": "X"}], "effects": [modify(ANY_UNIT, "firepower", "X")]},
    ),
    (
        "BA Lock this card: Rally any unit.",
        "none",
        {
            "type": "BA",
            "costs": [{"op": "lock", "target": THIS_CARD}],
            "effects": [{"op": "rally", "target": ANY_UNIT}],
        },
    ),
    (
        "R: When one of your units is destroyed, draw 1 card.",
        "once",
        {
            "type": "R",
            "trigger": {"word": "when", "what": "destroyed", "cards": {**ANY_UNIT, "side": "own"}},
            "effects": [{"op": "draw", "n": 1}],
        },
    ),
    ("M: Add 1 to any roll.", "once", {"type": "M", "effects": [{"op": "roll_add", "amount": 1, "roll": "any"}]}),
    ("E: You get +2 flags.", "once", {"type": "E", "effects": [{"op": "flags", "player": "you", "amount": 2}]}),
    ("E: +2 flags.", "once", {"type": "E", "effects": [{"op": "flags", "amount": 2}]}),
    (
        "E (4+): Destroy one enemy flag unit.",
        "once",
        {
            "type": "E",
            "costs": [{"op": "test", "n": 4}],
            "effects": [{"op": "destroy", "target": {**ENEMY_UNIT, "flag": True}}],
        },
    ),
    (
        "When you set up your army, draw 2 cards.",
        "none",
        {"type": "setup", "effects": [{"op": "draw", "n": 2}]},
    ),
    (
        "BA: Infiltrate a unit from your discard pile.",
        "none",
        {
            "type": "BA",
            "effects": [
                {
                    "op": "infiltrate",
                    "target": {**ANY_UNIT, "side": "own"},
                    "source": {"whose": "you", "place": "discard"},
                }
            ],
        },
    ),
    (
        "BA: Discard the top 2 cards of your deck.",
        "none",
        {"type": "BA", "effects": [{"op": "mill", "n": 2, "source": {"whose": "you", "place": "deck"}}]},
    ),
    (
        "All your infantry units get +1 armor.",
        "none",
        {
            "type": "static",
            "effects": [
                modify({"q": "all", "side": "own", "kind": "unit", "keywords": ["infantry"]}, "armor", 1, "static")
            ],
        },
    ),
    (
        "Counterattack.",
        "none",
        {
            "type": "static",
            "effects": [{"op": "grant", "target": THIS_CARD, "what": "counterattack", "until": "static"}],
        },
    ),
    (
        "T: Any unit gets +1 firepower. Only playable while you have a charging unit.",
        "once",
        {
            "type": "T",
            "effects": [modify(ANY_UNIT, "firepower", 1)],
            "conditions": [
                {
                    "what": "has",
                    "player": "you",
                    "count": "exact",
                    "n": 1,
                    "cards": {"q": "all", "kind": "unit", "state": "charging"},
                }
            ],
        },
    ),
    (
        "BA: Roll: 1-2: discard 1 card; 3-5: draw 1 card; 6: draw 3 cards.",
        "none",
        {
            "type": "BA",
            "effects": [
                {
                    "op": "table",
                    "rows": [
                        {"low": 1, "high": 2, "effects": [{"op": "discard", "n": 1}]},
                        {"low": 3, "high": 5, "effects": [{"op": "draw", "n": 1}]},
                        {"low": 6, "high": 6, "effects": [{"op": "draw", "n": 3}]},
                    ],
                }
            ],
        },
    ),
]


@pytest.mark.parametrize(("text", "limit", "expected"), TABLE, ids=[row[0] for row in TABLE])
def test_every_row_of_the_catalogues_table_is_read_in_full(text: str, limit: str, expected: dict[str, Any]) -> None:
    ability = read(text, KEYWORDS)
    assert ability.status == "full"
    assert ability.limit == limit
    assert parts(ability) == expected


@pytest.mark.parametrize(
    ("printed", "same"),
    [
        ("T: any UNIT gets +2 Armour.", "T: Any unit gets +2 armor"),
        ("  T :  Any   unit gets + 2 armor.  ", "T: Any unit gets +2 armor"),
        ("+2 firepower versus infantry units.", "+2 firepower vs. infantry units"),
        ("+2 firepower VS infantry unit", "+2 firepower vs. infantry units"),
        ("M: −1 to your enemy’s roll.", "M: -1 to your enemy's roll."),
        ("A: Lock 2 enemy units,.", "A: Lock two enemy units"),
        ("BA Lock this card (3+): Draw 1 card.", "BA Lock this card, (3+),: Draw 1 card."),
    ],
)
def test_spelling_makes_no_difference(printed: str, same: str) -> None:
    assert parts(read(printed, KEYWORDS)) == parts(read(same, KEYWORDS))
    assert read(printed, KEYWORDS).status == "full"


def test_every_part_knows_its_place_in_the_text() -> None:
    text = "BA Lock 2 of your charging units, (3+), Discard 1 card: Destroy up to three enemy units. Unlimited."
    ability = read(text)
    assert [ability.words(cost.at) for cost in ability.costs] == [
        "Lock 2 of your charging units",
        "(3+)",
        "Discard 1 card",
    ]
    (effect,) = ability.effects
    assert ability.words(effect.at) == "Destroy up to three enemy units"
    assert effect.target is not None and ability.words(effect.target.at) == "up to three enemy units"
    versus = read("+2 firepower and -1 speed vs. infantry units.", KEYWORDS).effects[0]
    assert [text[slice(*change.at)] for text in ("+2 firepower and -1 speed",) for change in versus.changes] == [
        "+2 firepower",
        "-1 speed",
    ]


def test_an_article_is_no_special_assault() -> None:
    assert read("A unit gets +1 armor.").type == "static"
    assert read("A unit gets +1 armor. Roll: 1-3: draw 1 card.").type == "static"
    assert read("A: Draw 1 card.").type == "A"
    assert read("Tanks roll: on.").type == "static"


def test_and_joins_two_numbers_before_it_joins_two_clauses() -> None:
    (both,) = read("T: Any unit gets +1 armor and +1 flag.").effects
    assert [(change.stat, change.amount) for change in both.changes] == [("armor", 1), ("flags", 1)]
    modify_, roll = read("T: Any unit gets +1 armor and +1 to any roll.").effects
    assert (modify_.op, roll.op) == ("modify", "roll_add")
    flags, draw = read("E: +1 flag and draw 1 card.").effects
    assert (flags.op, draw.op) == ("flags", "draw")


def test_an_ability_in_quotes_is_read_and_one_within_it_is_not() -> None:
    text = 'T: Any unit gains "T Discard 1 card: This unit gets +1 firepower." until the end of the battle.'
    ability = read(text)
    (grant,) = ability.effects
    assert ability.status == "full" and grant.until == "battle"
    assert grant.ability is not None and grant.ability.costs[0].op == "discard"
    twice = read('T: Any unit gains “T: Any unit gains "R: Draw 1 card.".”.')
    assert twice.status == "partial"


@pytest.mark.parametrize(
    ("text", "several"),
    [
        ("BA: Draw 1 card. T: Any unit gets +1 firepower.", True),
        ("T: Draw 1 card\nR When a unit is destroyed: Draw 1 card.", True),
        ("Shield walls get +1 armor. A: Destroy the enemy unit.", True),
        ("T: Draw 1 card. Draw 1 card.", False),
        ("Roll: 1-3: Draw 1 card; 4-6: Draw 2 cards.", False),
        ('Any unit gets "T: Draw 1 card. T: Draw 1 card."', False),
    ],
)
def test_a_string_with_two_abilities_says_so(text: str, several: bool) -> None:
    assert read(text).several is several


def test_what_cannot_be_read_keeps_its_cost_its_timing_and_its_limit() -> None:
    text = "T Discard 1 card, (4+): Any unit dreams of home and draw 1 card. Unlimited. Only playable while it rains."
    ability = read(text)
    assert (ability.type, ability.status, ability.limit) == ("T", "partial", "unlimited")
    assert [cost.op for cost in ability.costs] == ["discard", "test"]
    assert [effect.op for effect in ability.effects] == ["raw", "draw"]
    assert ability.effects[0].text == "Any unit dreams of home"
    assert [(one.part, [ability.words(word) for word in one.words]) for one in ability.unread] == [
        ("effect", ["dreams", "home"]),
        ("condition", ["it", "rains"]),
    ]


def test_an_unreadable_cost_leaves_the_others_readable() -> None:
    ability = read("BA Sing a hymn, (5+), Lock this unit: Draw 1 card.")
    assert [cost.op for cost in ability.costs] == ["raw", "test", "lock"]
    assert ability.costs[0].text == "Sing a hymn"
    assert [one.part for one in ability.unread] == ["cost"]


def test_words_in_a_wrong_order_name_the_place_where_reading_stopped() -> None:
    ability = read("T: Any unit armor gets +2.")
    assert [ability.words(word) for one in ability.unread for word in one.words] == ["armor"]


def test_a_text_without_type_or_known_words_is_read_not_at_all() -> None:
    ability = read("Long may they march.")
    assert (ability.type, ability.status) == ("static", "none")
    assert read("").status == "none"


def test_keywords_are_those_of_the_card_set_and_the_named_traits() -> None:
    assert read("T: Any elite unit gets +1 armor.").status == "partial"
    assert read("T: Any elite unit gets +1 armor.", KEYWORDS).status == "full"
    assert read("T: Any counterattack unit gets +1 armor.").status == "full"
    assert read("T: Any anti-tank unit gets +1 armor.", KEYWORDS).status == "full"


HOSTILE = {
    "a million characters": "T: " + "a" * 1_000_000,
    "a million brackets": "(" * 1_000_000,
    "brackets in brackets": "BA ((((1+)))): Draw 1 card.",
    "quotes in quotes": "T: Any unit gains " + "“" * 300,
    "each keyword a thousand times": " ".join(["any", "unit", "gets", "+1", "armor", "and"] * 1_000),
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_texts_are_refused_at_once(text: str) -> None:
    started = time.process_time()
    with pytest.raises(TextRefused):
        read(text)
    assert time.process_time() - started < 1


@pytest.mark.parametrize(
    "word",
    [
        "and ",
        "then ",
        "; ",
        "+1 armor and ",
        "gets +1 ",
        ". ",
        ", ",
        '"',
        "(1+) ",
        "roll: 1: ",
        "x = ",
        "when ",
        "1-2: ",
        "“”",
    ],
)
def test_the_longest_text_that_is_taken_costs_no_more_than_its_length(word: str) -> None:
    read("T: Draw 1 card.")
    for head in ("", "T: ", "BA ", "T: Any unit gets "):
        text = (head + word * MOST_CHARACTERS)[:MOST_CHARACTERS]
        took = []
        while not took or (
            min(took) >= 0.25 and len(took) < 5
        ):  # a busy machine makes the same work dearer for a while
            started = time.process_time()
            with contextlib.suppress(TextRefused):
                read(text)
            took.append(time.process_time() - started)
        assert min(took) < 0.25
