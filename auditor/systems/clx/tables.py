"""The tables of Calixtus' Edition: data/tables.json, each with the line of the text that it stands on."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Any


@cache
def tables() -> dict[str, Any]:
    """All tables, as they stand in the file."""
    text = resources.files(__package__).joinpath("data", "tables.json").read_text(encoding="utf-8")
    return json.loads(text)  # type: ignore[no-any-return]


def to_hit(bs: int) -> tuple[int | None, int | None]:
    """What a shot needs to hit, and what a reroll of its miss needs, where there is one. Of BS 0: nothing hits."""
    if bs < 1:
        return None, None
    row = tables()["to_hit_by_bs"]["rows"][min(bs, 10) - 1]
    return row["needed"], row["reroll"]


def to_hit_in_combat(attacker: int, defender: int) -> int:
    """What a blow needs to hit, by Weapon Skills of 1 to 10 (others count as the nearest of these)."""
    rows = tables()["to_hit_in_combat"]["rows"]
    return int(rows[_row(attacker)][_row(defender)])


def to_wound(strength: int, toughness: int, twice: str = "AT_LEAST") -> int:
    """What a hit needs to wound. `twice`: the option of OR-TWICE."""
    if twice == "EXACT":
        if strength == 2 * toughness:
            return 2
        if 2 * strength == toughness:
            return 6
        return 4 if strength == toughness else 3 if strength > toughness else 5
    return int(tables()["to_wound"]["AT_LEAST"][_row(strength)][_row(toughness)])


def _row(value: int) -> int:
    return min(max(value, 1), 10) - 1


def move_in_shooting(who: str) -> dict[str, Any]:
    """The row of the table of moves in the Shooting Phase for one kind of unit: `dice` added up, or `most` and `least`
    inches; `most` null: not allowed."""
    return next(row for row in tables()["shooting_phase_moves"]["rows"] if row["who"] == who)


def goes_on_at(after_turn: int) -> int | None:
    """What the die after a game turn must show for the game to go on; None where none is rolled."""
    return next((row["goes_on"] for row in tables()["game_length"]["rows"] if row["after"] == after_turn), None)


def resists_at(conditions: int, stacking: str) -> int:
    """What mental resistance needs when so many of its three conditions are met. `stacking`: of OR-MR-STACK."""
    return int(tables()["mental_resistance"][stacking][conditions])


def highest_passing(value: int) -> tuple[int, int | None]:
    """The highest die that passes a test of a characteristic, and of its reroll, if there is one."""
    row = tables()["characteristic_tests"]
    reroll = row["reroll"][_row(value)]
    return (min(value, 1) if value < 1 else row["first"][_row(value)]), reroll
