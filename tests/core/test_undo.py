"""Play that was taken back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from auditor.core import bounds
from auditor.core.replay import Replay
from tests.core.helpers import a_record, audited, brief, numbered, ruled
from tests.core.inches import INCHES, End, EndPhase, Move, Remark, Shoot, Test, Undo

AT_ZERO = {"where": {"a": "0", "b": "0"}}


def the_audit(*events, **more):
    return audited(INCHES, numbered(*events), header=AT_ZERO, **more)


def test_play_goes_on_from_just_after_the_event_that_is_named():
    value = the_audit(Move(0, "A", "a", "5"), Move(0, "A", "a", "10"), Undo(0, None, 1), Move(0, "A", "a", "11"))
    assert value["findings"] == [] and value["verdict"] == "clean"
    without = the_audit(Move(0, "A", "a", "5"), Move(0, "A", "a", "10"), Move(0, "A", "a", "17"))
    assert brief(without) == [("INCH-MOVE", 3, "illegal", True)]


def test_a_finding_that_was_taken_back_is_shown_and_does_not_stand():
    value = the_audit(Move(0, "A", "a", "9"), Undo(0, None, 0), Move(0, "A", "a", "6"))
    assert brief(value) == [("INCH-MOVE", 1, "illegal", False)]
    assert value["findings"][0]["undone"] and "taken back at event 2" in value["findings"][0]["text"]
    assert value["verdict"] == "clean"


def test_an_undo_within_what_another_takes_back():
    value = the_audit(
        Move(0, "A", "a", "5"),  # 1
        Move(0, "A", "a", "14"),  # 2, illegal, taken back at 3
        Undo(0, None, 1),
        Move(0, "A", "a", "15"),  # 4, illegal, taken back at 5
        Undo(0, None, 0),
        Move(0, "A", "a", "7"),  # 6, illegal
    )
    assert [(one["seq"], one["stands"], one["undone"]) for one in value["findings"]] == [
        (2, False, True),
        (4, False, True),
        (6, True, False),
    ]
    assert "at event 3" in value["findings"][0]["text"] and "at event 5" in value["findings"][1]["text"]


def test_play_can_return_to_what_was_taken_back():
    value = the_audit(
        Move(0, "A", "a", "9"),  # 1, illegal
        Move(0, "A", "b", "9"),  # 2, illegal, taken back at 3, played after all at 5
        Undo(0, None, 1),
        Move(0, "A", "b", "8"),  # 4, illegal, taken back at 5
        Undo(0, None, 2),
        Move(0, "A", "b", "15"),  # 6, legal: 9 to 15
    )
    assert [(one["seq"], one["stands"]) for one in value["findings"]] == [(1, True), (2, True), (4, False)]


def test_an_undo_to_an_event_that_is_not_there_is_a_hole():
    for to in (7, 3, 99, -1):
        value = the_audit(Move(0, "A", "a", "5"), Move(0, "A", "a", "9"), Undo(0, None, to), Move(0, "A", "a", "17"))
        assert brief(value) == [("INCH-MOVE", 4, "ambiguous", False)]
        assert [one["seq"] for one in value["coverage"]["unchecked"]] == [3]
        assert value["verdict"] == "incomplete"


def test_a_gap_that_was_taken_back_leaves_nothing_open_but_is_said():
    events = [Move(1, "A", "a", "5"), Move(3, "A", "b", "9"), Undo(4, None, 1), Move(5, "A", "b", "9")]
    value = audited(INCHES, events, header=AT_ZERO)
    assert brief(value) == [("INCH-MOVE", 3, "ambiguous", False), ("INCH-MOVE", 5, "illegal", True)]
    assert value["coverage"]["unchecked"] == []
    (said,) = [one for one in value["notes"] if one["kind"] == "hole"]
    assert said["seq"] == 3 and "event 2 is missing" in said["text"]
    assert audited(INCHES, [*events[:3], Move(5, "A", "b", "6")], header=AT_ZERO)["verdict"] == "clean"


def test_lanes_are_taken_back_as_well():
    value = the_audit(Shoot(0, "B", "b", "a", 1), Undo(0, None, 0), Test(0, "A", "a"))
    assert value["findings"][0]["scope"] == {"kind": "every_reading"}
    back_into = the_audit(Shoot(0, "B", "b", "a", 1), EndPhase(0), Undo(0, None, 1), Test(0, "A", "a"))
    assert [(one["rule"], one["stands"]) for one in back_into["findings"]] == [
        ("INCH-TEST", False),
        ("INCH-UNDUE", False),
    ]
    assert back_into["findings"][1]["scope"]["holds"] == [{"R-PIN": "two_hits"}]


def test_an_end_that_was_taken_back_is_no_end():
    value = the_audit(End(0, None, "finished"), Undo(0, None, 0), Shoot(0, "B", "b", "a", 2))
    assert any("Unfinished" in one["text"] for one in value["notes"])


def test_several_undos_may_go_back_to_the_same_event():
    events = [Move(0, "A", "a", "5")]
    for _ in range(20):
        events += [Move(0, "A", "a", "9"), Undo(0, None, 1)]
    value = the_audit(*events, Move(0, "A", "a", "11"))
    assert value["findings"] == [] and value["verdict"] == "clean"


def test_positions_kept_for_undos_are_bounded(monkeypatch):
    monkeypatch.setattr(bounds, "MOST_SNAPSHOTS", 10)
    forward = [Move(0, "A", "a", "5") for _ in range(50)]
    events = numbered(*forward, *(Undo(0, None, n) for n in range(1, 51)))
    kept = []

    replay = Replay(INCHES, a_record(INCHES, events, header=AT_ZERO), ruled(INCHES), strict=True)
    outcome = replay.run(lambda index, event, position: kept.append(len(replay.undos.snapshots)))
    assert max(kept) == 10 and len(outcome.unchecked) == 40


NEEDS_AN_END = replace(INCHES, ends=frozenset({"end"}))


@pytest.mark.parametrize(
    ("events", "verdict", "ended", "said"),
    [
        ([], "incomplete", False, "The record breaks off after its header: it holds no event."),
        ([Remark(0, None, "hello")], "incomplete", False, "The record breaks off in turn 4, moves, after event 1."),
        ([Remark(0, None, "hello"), End(0)], "incomplete", True, "Nothing was checked: the record holds no act"),
        ([Move(0, "A", "a", "5")], "incomplete", False, "moves, after event 1; nothing wrong until there."),
        ([Move(0, "A", "a", "9")], "findings", False, "The record breaks off in turn 4, moves, after event 1."),
        ([Move(0, "A", "a", "5"), End(0)], "clean", True, ""),
        ([Move(0, "A", "a", "5"), End(0), Remark(0, None, "well played")], "clean", True, ""),
        ([Move(0, "A", "a", "5"), End(0), Undo(0, None, 1)], "incomplete", False, "after event 3; nothing wrong"),
        ([Move(0, "A", "a", "5"), End(0), Undo(0, None, 1), Move(0, "A", "a", "6"), End(0)], "clean", True, ""),
    ],
)
def test_a_game_is_clean_only_with_its_end_and_an_act_that_was_checked(events, verdict, ended, said):
    value = audited(NEEDS_AN_END, numbered(*events), header=AT_ZERO)
    assert (value["verdict"], value["coverage"]["ended"]) == (verdict, ended)
    assert said in (value["notes"][0]["text"] if said else "") and bool(value["notes"]) is bool(said)


@pytest.mark.parametrize("after", [Move(0, "A", "a", "20"), End(0)])
def test_what_stands_after_the_end_of_a_record_is_not_judged_and_that_is_said(after):
    value = audited(NEEDS_AN_END, numbered(Move(0, "A", "a", "5"), End(0), after), header=AT_ZERO)
    assert value["findings"] == [] and value["verdict"] == "incomplete"
    why = "the record ends at event 2, so what stands after that is not judged"
    assert value["coverage"]["unchecked"] == [{"seq": 3, "rule": None, "why": why}]
