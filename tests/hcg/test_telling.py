"""Every event of the card game is told in words, also where it says hardly anything."""

from __future__ import annotations

import json

import msgspec
import pytest

from auditor import engine
from auditor.systems.hcg import records
from auditor.systems.hcg.show.telling import TOLD, describe
from tests.hcg.examples import example


def test_every_type_of_event_has_its_words() -> None:
    assert TOLD.keys() == records.EVENTS.keys()


@pytest.mark.parametrize("name", records.EVENTS)
def test_an_event_that_says_nothing_is_told_without_a_gap(name: str) -> None:
    event = msgspec.json.decode(json.dumps({"seq": 1, "type": name}).encode(), type=records.EVENTS[name])
    said = describe(event, None)
    assert said and "None" not in said


@pytest.mark.parametrize(
    ("event", "said"),
    [
        ({"type": "ba.shoot", "by": "p1", "unit": "a", "target": "b"}, "p1: a shoots at b"),
        ({"type": "damage", "from": "a", "to": "b", "amount": 5, "armor": 4, "destroyed": True}, "a deals 5 damage to b, armor 4: destroyed"),
        ({"type": "cost", "by": "p2", "op": "lock", "cards": ["a", "b", "c"]}, "p2: pays: lock a, b and c"),
        ({"type": "lock", "cards": list("abcdefgh")}, "8 cards: locked"),
        ({"type": "roll", "by": "p1", "card": "a", "die": 3, "need": 5, "passed": False}, "p1: rolls a, 3; 5 or more is needed, failed"),
        ({"type": "victory.result", "winner": None}, "the battle is decided: nobody wins"),
    ],
)  # fmt: skip
def test_what_an_event_says_is_told(event: dict[str, object], said: str) -> None:
    kind = records.EVENTS[str(event["type"])]
    assert describe(msgspec.convert({"seq": 1, **event}, kind), None) == said


def test_the_cards_of_a_game_are_called_by_their_titles() -> None:
    log = example("HCG-SHOOT-04/illegal").read_bytes()
    texts = [entry["text"] for entry in engine.timeline(log, texts=True)]
    assert "p2: blocks with Outriders (p2-2)" in texts
