"""One mistake in a whole game is said once, whatever the rest of the record goes on from."""

from __future__ import annotations

from typing import Any

import pytest

from tests.hcg.examples import FIXTURES, audited, read


def game(name: str) -> dict[str, Any]:
    log: dict[str, Any] = read(FIXTURES / "games" / f"{name}.json")
    return log


def said(log: dict[str, Any], events: list[dict[str, Any]]) -> list[tuple[str, str, int]]:
    audit = audited({**log, "events": events}, log["header"].get("rulings"))
    return [(found["rule"], found["kind"], found["seq"]) for found in audit["findings"] if found["stands"]]


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
