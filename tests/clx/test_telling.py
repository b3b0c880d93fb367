"""Every event of Calixtus' Edition is told in words, also where it says hardly anything."""

from __future__ import annotations

import json

import msgspec
import pytest

from auditor import engine
from auditor.systems.clx.records import EVENTS
from auditor.systems.clx.show.telling import TOLD, describe
from tests.clx.examples import FIXTURES


def test_every_type_of_event_has_its_words() -> None:
    assert set(TOLD) == set(EVENTS.values())


@pytest.mark.parametrize("name", EVENTS)
def test_an_event_that_says_nothing_is_told_without_a_gap(name: str) -> None:
    said = describe(msgspec.json.decode(json.dumps({"seq": 1, "type": name}), type=EVENTS[name]), None)
    assert said and "None" not in said and "  " not in said and not said.endswith((":", " "))


@pytest.mark.parametrize(
    ("event", "said"),
    [
        ({"type": "move", "unit": "ja", "models": [{"id": "m1"}, {"id": "m2"}], "claimed_allowance": 6},
         "ja moves: 2 models, 6 inches allowed by the log"),
        ({"type": "hit_rolls", "weapon": "bow", "rolls": [{"die": 6}, {"die": 1, "reroll": 4}], "claimed_needed": 3,
          "claimed_hits": 2}, "to hit with bow: rolling 6 1→4, 3 needed, 2 hit"),
        ({"type": "cast", "psyker": "o", "power": "fog", "target": "b", "dice": [3, 3], "claimed_total": 9,
          "claimed_success": False, "claimed_perils": True},
         "o casts fog at b: rolling 3 3, total 9, fails, perils"),
        ({"type": "charge", "unit": "a", "target": "b", "dice": [3, 4], "claimed_success": True},
         "a charges b: rolling 3 4, reaches"),
        ({"type": "combat_result", "wounds_by_A": 0, "wounds_by_B": 1, "claimed_loser": None},
         "result of the combat: wounds 0 by A and 1 by B, nobody lost"),
        ({"type": "allocate", "list": [{"model": "m1", "claimed_removed": True}, {"model": "m1"}]},
         "2 wounds allocated: to m1, removed m1"),
        ({"type": "morale", "unit": "u", "cause": "tank_shock", "dice": [2, 2], "claimed_modifier": -1,
          "claimed_passed": True}, "morale test of u (tank shock): rolling 2 2, -1, passed"),
        ({"type": "char_test", "unit": "u", "characteristic": "I", "die": 6, "reroll": 2},
         "I test of u: rolling 6→2"),
    ],
)  # fmt: skip
def test_what_an_event_says_is_told(event: dict[str, object], said: str) -> None:
    kind = EVENTS[str(event["type"])]
    assert describe(msgspec.convert({"seq": 1, **event}, kind), None) == said


def test_units_and_weapons_are_called_by_their_names() -> None:
    texts = [entry["text"] for entry in engine.timeline((FIXTURES / "games/faulty-1.jsonl").read_bytes(), texts=True)]
    assert texts[60].startswith("Jump Ashen (ja) moves: 4 models")
    assert any(text.startswith("to hit with Needle gun: rolling") for text in texts)
