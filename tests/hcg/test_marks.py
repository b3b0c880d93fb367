"""What a table of cards shows of an act: sums, tests and the part of a text that an event carries out."""

from __future__ import annotations

import json
from typing import Any

import pytest

from auditor.engine.replays import replay_frames
from tests.hcg.examples import example


def frame_of(name: str, seq: int) -> dict[str, Any]:
    """An event of an example as the replay shows it."""
    log = example(name).log
    data = "\n".join(json.dumps(line) for line in (log["header"], *log["events"]))
    (frame,) = replay_frames(data.encode(), seqs=[seq])
    return frame


def shown(name: str, seq: int) -> list[dict[str, Any]]:
    """The marks of an event of an example."""
    return [mark for mark in frame_of(name, seq)["marks"] if mark["mark"] not in ("card", "attack")]


def flags_at(name: str, seq: int) -> list[Any]:
    """The flag totals that stand at the sectors before an event."""
    return [sector.get("flags") for sector in frame_of(name, seq)["board"]["sectors"]]


def test_an_attack_is_two_sums() -> None:
    damage, armor = shown("HCG-STAT-01/illegal", 5)
    assert (damage["stat"], damage["total"], damage["against"]) == ("firepower", 4, f"armor {armor['total']}")
    assert damage["outcome"] == ("destroyed" if armor["total"] <= 4 else "not destroyed")
    assert damage["parts"] == [["printed", 3], ["Watch Post", 1]]
    assert (armor["stat"], sum(n for _, n in armor["parts"])) == ("armor", armor["total"])


def test_what_hangs_on_a_text_that_nobody_can_read_is_no_sum() -> None:
    assert shown("HCG-SHOOT-07/ambiguous-unread-text", 5) == []


@pytest.mark.parametrize(
    ("seq", "part"), [(4, "(5+)"), (15, "Any unit gets +1 assault")], ids=["the cost of a test", "the effect"]
)
def test_the_part_of_a_text_that_an_event_carries_out_is_marked(seq: int, part: str) -> None:
    mark = next(one for one in shown("HCG-MOD-03/legal-a-test-of-a-modifier-modified", seq) if one["mark"] == "text")
    assert part in mark["text"][mark["from"] : mark["to"]]


def test_a_roll_shows_its_need() -> None:
    found = [one for one in shown("HCG-MOD-03/legal-a-test-of-a-modifier-modified", 8) if one["mark"] == "test"]
    assert found == [{"mark": "test", "need": 4, "roll": 3, "final": 3}]


def test_the_flags_at_the_sector_of_a_battle_are_shown_as_they_are_counted() -> None:
    """Before the attacker's event, and when both players' events have changed the totals (catalogue 9.1, W6)."""
    assert flags_at("fights/W6", 6) == [None, {"p1": 4, "p2": 4}, None]
    last = max(event["seq"] for event in example("fights/W6").log["events"] if event["type"] == "victory.flags")
    assert flags_at("fights/W6", last + 1)[1] == {"p1": 3, "p2": 4}


def test_the_flags_at_a_sector_are_the_sum_of_what_they_are_counted_from() -> None:
    last = max(event["seq"] for event in example("fights/W6").log["events"] if event["type"] == "victory.flags")
    sector = frame_of("fights/W6", last + 1)["board"]["sectors"][1]
    for player, total in sector["flags"].items():
        assert sum(one["flags"] for one in sector["counted"][player]) == total
    here = {card["card"] for row in sector["rows"].values() for card in row["cards"]}
    assert {one["card"] for parts in sector["counted"].values() for one in parts} - here


def test_who_is_said_to_take_a_sector_is_marked() -> None:
    said = next(event for event in example("fights/W6").log["events"] if event["type"] == "victory.result")
    (mark,) = shown("fights/W6", said["seq"])
    assert mark == {"mark": "takes", "sector": 2, "player": said["winner"], "how": "claimed"}


def test_flags_that_hang_on_a_text_that_nobody_can_read_are_not_shown() -> None:
    assert flags_at("HCG-VIC-02/ambiguous-text-not-read", 8)[1] == {"p1": 4, "p2": 4}
    assert flags_at("HCG-VIC-02/ambiguous-text-not-read", 10)[1] is None
