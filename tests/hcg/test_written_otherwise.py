"""The same record written otherwise is judged alike: lists in another order, texts that are not numbered."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from typing import Any

import pytest

from tests.examples import Example
from tests.hcg.examples import judged
from tests.hcg.test_other_names import EXAMPLES, Said, said
from tests.shares import is_tried

IN_NO_ORDER = ("cards", "discarded", "returned", "rallied", "readied", "ships", "targets")
ON_THE_NUMBER = {
    "illegal-source-said-to-be-in-the-fleet": "from where a text is played that is not numbered nobody can say",
    "ambiguous-ability-of-another-card": "only its number tells that it is not the text of that card",
    **dict.fromkeys(
        ("ambiguous-a-text-below-the-first", "ambiguous-no-such-text", "illegal-another-ability-of-the-card"),
        "without its number it is a text that the card has",
    ),
    "illegal-not-in-the-hand": "which text of a card that was not played did something is asked of its number alone",
    "illegal-named-as-a-set-up-instruction": "without its number it is a card without such an instruction (HCG-BSET-04)",
}


def with_lists_the_other_way_round(log: dict[str, Any]) -> dict[str, Any]:
    """The card set, cards that lie somewhere, and cards that something happens to; what is drawn has an order."""
    log = deepcopy(log)
    if isinstance(log["header"].get("cards"), list):
        log["header"]["cards"].reverse()
    for event in log["events"]:
        for name in IN_NO_ORDER:
            if event["type"] != "draw" and isinstance(event.get(name), list):
                event[name].reverse()
        for zones in (event.get("zones") or {}).values():
            for cards in (*zones.values(), *(zones.get("sectors") or {}).values()):
                if isinstance(cards, list):
                    cards.reverse()
    return log


def with_texts_not_numbered(log: dict[str, Any]) -> dict[str, Any]:
    """Without the number of a text that is the only one in its card's box, and without the word for a command line."""
    log = deepcopy(log)
    given = log["header"].get("cards")
    boxes = {card["id"]: card.get("abilities") or () for card in given if isinstance(card, dict)} if given else {}
    cards: dict[str, str] = {}
    for event in log["events"]:
        cards |= event.get("ids") or {}
    for source, card in _sources(log["events"]):
        box = boxes.get(cards.get(str(card), ""), ())
        line = source.get("ability") == "line" and source.get("zone") == "hand"
        if line or (source.get("ability") == 0 and source.get("zone") != "hand" and len(box) == 1):
            del source["ability"]
    return log


def _sources(value: Any) -> Iterator[tuple[dict[str, Any], Any]]:
    """Whatever says which text of which card, and the card."""
    if isinstance(value, dict):
        if isinstance(value.get("source"), dict):
            yield value["source"], value["source"].get("card")
        if value.get("type") == "ba.assault":
            yield value, value.get("unit")
        for one in value.values():
            yield from _sources(one)
    elif isinstance(value, list):
        for one in value:
            yield from _sources(one)


NUMBERED = [one for one in EXAMPLES if one.name not in ON_THE_NUMBER]


@cache
def said_of(example: Example) -> Said:
    return said(judged(example.log))


@pytest.mark.parametrize("example", [one for one in EXAMPLES if is_tried(8, one, "lists")], ids=str)
def test_lists_have_no_order(example: Example) -> None:
    assert said(judged(with_lists_the_other_way_round(example.log))) == said_of(example)


@pytest.mark.parametrize("example", [one for one in NUMBERED if is_tried(8, one, "texts")], ids=str)
def test_a_text_that_alone_can_be_meant_need_not_be_numbered(example: Example) -> None:
    assert said(judged(with_texts_not_numbered(example.log))) == said_of(example)
