"""When a deck is refilled: remarks are nothing that happened, and a record may break off anywhere (HCG-ROLL-06)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.hcg.examples import audited, example

LEGAL = example("HCG-ROLL-06/legal").log
POSITION = LEGAL["events"][0]
REFILL = {"type": "reshuffle", "by": "p1", "n": 20}
REMARK = {"type": "remark", "text": "The players had tea."}
END = {"type": "end", "reason": "time"}


def drawn(by: str, n: int) -> dict[str, Any]:
    return {"type": "draw", "by": by, "n": n, "to": "command_hand", "cause": "command"}


def standing(*events: dict[str, Any], time: str = "on-need") -> list[tuple[str, int]]:
    """Rules and events of what stands where p1 has three cards left in the deck and draws."""
    zones = POSITION["zones"]
    position = {**POSITION, "zones": {**zones, "p1": {**zones["p1"], "deck": {"n": 3}}}}
    played = [{**event, "seq": n} for n, event in enumerate([position, *events], 1)]
    audit = audited({"header": LEGAL["header"], "events": played}, {"OR-RESHUFFLETIME": time})
    return [(one["rule"], one["seq"]) for one in audit["findings"] if one["stands"] or one["kind"] == "ambiguous"]


@pytest.mark.parametrize("time", ["on-need", "on-empty"])
def test_remarks_do_not_part_a_refill_from_the_events_beside_it(time: str) -> None:
    events = (drawn("p1", 3), REMARK, REFILL, REMARK, drawn("p1", 3), drawn("p2", 6), END)
    assert standing(*events, time=time) == []


def test_a_hand_of_which_cards_are_still_due_needs_the_refill_whoever_draws_next() -> None:
    assert standing(drawn("p1", 3), REFILL, drawn("p2", 6), drawn("p1", 3), END) == []
    assert standing(drawn("p1", 3), REMARK, REFILL, REMARK, drawn("p2", 6), drawn("p1", 3), END) == []


def test_a_refill_that_is_written_after_what_had_needed_it_is_missed_there_and_only_there() -> None:
    assert standing(drawn("p1", 6), REFILL, drawn("p2", 6), END) == [("HCG-ROLL-06", 2)]
    assert standing(drawn("p1", 6), drawn("p2", 6), REFILL, END) == [("HCG-ROLL-06", 2)]


@pytest.mark.parametrize("rest", [[], [END], [REMARK]])
def test_a_record_may_break_off_after_a_refill(rest: list[dict[str, Any]]) -> None:
    assert standing(drawn("p1", 3), REFILL, *rest) == []
