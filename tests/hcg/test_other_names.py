"""What the players, the sectors and the cards are called decides nothing: an example with other names is judged alike."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.examples import Example
from tests.hcg.examples import example, examples, judged
from tests.shares import is_tried

EXAMPLES = [
    *(one for name in ("legal", "illegal", "ambiguous") for one in examples(name)),
    *examples("example", "readings/*"),
]
PLAYERS = {"p1": "p2", "p2": "p1"}
SLOTS = {1: 3, 2: 1, 3: 2}
Said = set[tuple[str, str, int, str | None, bool]]


def with_players_renamed(value: Any) -> Any:
    """Each player under the name of the other, in names of cards too."""
    if isinstance(value, dict):
        return {with_players_renamed(key): with_players_renamed(one) for key, one in value.items()}
    if isinstance(value, list):
        return [with_players_renamed(one) for one in value]
    return re.sub(r"\bp[12]\b", lambda found: PLAYERS[found[0]], value) if isinstance(value, str) else value


def with_sectors_renumbered(value: Any, key: str = "") -> Any:
    """Each sector under another number."""
    if isinstance(value, dict):
        if key == "sectors":
            return {str(_slot(int(slot)) if slot.isdigit() else slot): one for slot, one in value.items()}
        if key == "served":
            return {player: [_slot(slot) for slot in slots] for player, slots in value.items()}
        return {name: with_sectors_renumbered(one, name) for name, one in value.items()}
    if isinstance(value, list):
        return [with_sectors_renumbered(one) for one in value]
    return _slot(value) if key in ("sector", "slot") else value


def _slot(slot: Any) -> Any:
    return SLOTS.get(slot, slot) if isinstance(slot, int) else slot


def said(audit: dict[str, Any], of: Callable[[Any], Any] = lambda player: player) -> Said:
    return {(f["rule"], f["kind"], f["seq"], of(f["player"]), f["stands"]) for f in audit["findings"]}


@pytest.mark.parametrize("example", [one for one in EXAMPLES if is_tried(8, one, "players")], ids=str)
def test_each_player_may_bear_the_name_of_the_other(example: Example) -> None:
    log = example.log
    assert said(judged(with_players_renamed(log))) == said(judged(log), with_players_renamed)


@pytest.mark.parametrize("example", [one for one in EXAMPLES if is_tried(8, one, "sectors")], ids=str)
def test_the_sectors_may_bear_other_numbers(example: Example) -> None:
    log = example.log
    assert said(judged(with_sectors_renumbered(log))) == said(judged(log))


def test_no_example_is_left_out() -> None:
    assert len(EXAMPLES) > 900 and example("HCG-BA-01/legal") in EXAMPLES
