"""Holes: what a record does not say, and what cannot be decided because of it."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace

import pytest

from auditor.core.findings import Unchecked
from auditor.core.holes import Hole, Holes
from auditor.core.record import InputError, Unknown, Unread
from tests.core.helpers import audited, brief, numbered
from tests.core.inches import INCHES, EndPhase, Judge, Move, Place, Remark, Shoot, Test

AT_ZERO = {"where": {"a": "0", "b": "0"}}


def moves(*numbers, to="9"):
    """One illegal move of 9 inches after legal ones, under the numbers given."""
    ends = ["1", "2", "3", "4", "5", "6"][: len(numbers) - 1]
    return [Move(n, "A", "a", end) for n, end in zip(numbers[:-1], ends, strict=True)] + [
        Move(numbers[-1], "A", "b", to)
    ]


@pytest.mark.parametrize(
    ("numbers", "why", "at"),
    [
        ((1, 2, 4), "event 3 is missing from the record", [4]),
        ((1, 2, 6), "events 3 to 5 are missing from the record", [6]),
        ((1, 2, 2), "event number 2 stands where 3 was expected", [2]),
        ((2, 3), "event 1 is missing from the record", [2]),
    ],
)
def test_a_break_in_the_numbers_is_a_hole(numbers, why, at):
    value = audited(INCHES, moves(*numbers), header=AT_ZERO)
    assert [(one["kind"], one["would_be"]) for one in value["findings"]] == [("ambiguous", "illegal")]
    assert why in value["findings"][0]["text"]
    assert [(one["seq"], one["why"]) for one in value["coverage"]["unchecked"]] == [(at[0], why)]
    assert value["verdict"] == "incomplete"


def test_without_a_break_the_same_move_is_illegal():
    assert brief(audited(INCHES, moves(1, 2, 3), header=AT_ZERO)) == [("INCH-MOVE", 3, "illegal", True)]


@pytest.mark.parametrize(
    "event",
    [
        Unknown(2, "teleport", {"type": "teleport"}),
        Unread(2, 3, "line 3 could not be read"),
        Unread(None, 3, "line 3 could not be read"),
    ],
)
def test_an_event_that_nobody_understands_is_a_hole_and_the_audit_goes_on(event):
    value = audited(INCHES, [Move(1, "A", "a", "5"), event, Move(3, "A", "b", "9")], header=AT_ZERO)
    assert brief(value) == [("INCH-MOVE", 3, "ambiguous", False)]
    assert [one["seq"] for one in value["coverage"]["unchecked"]] == [2]
    said = [one["text"] for one in value["notes"] if one["kind"] == "unknown_event"]
    assert said == (['Event 2 is of the unknown type "teleport".'] if isinstance(event, Unknown) else [])


def test_an_event_that_is_doubtful_is_a_hole_for_itself_and_what_follows():
    events = numbered(Move(0, "A", "a", "9"), Move(0, "A", "b", "9"))
    value = audited(INCHES, events, header=AT_ZERO, doubtful={0: "a key is given twice"})
    assert brief(value) == [("INCH-MOVE", 1, "ambiguous", False), ("INCH-MOVE", 2, "ambiguous", False)]


def test_a_hole_closes_for_a_fact_when_the_record_states_it_again():
    events = [Move(2, "A", "a", "5"), Move(3, "A", "a", "12"), Move(4, "A", "b", "9")]
    assert brief(audited(INCHES, events, header=AT_ZERO)) == [
        ("INCH-MOVE", 3, "illegal", True),
        ("INCH-MOVE", 4, "ambiguous", False),
    ]


def test_a_hole_closes_altogether_when_the_whole_position_is_stated():
    events = [Place(2, None, {"a": "0", "b": "0"}), Move(3, "A", "b", "9")]
    assert brief(audited(INCHES, events, header=AT_ZERO)) == [("INCH-MOVE", 3, "illegal", True)]


def test_a_fault_that_rests_on_the_event_alone_stands_over_any_hole():
    events = [Shoot(1, "B", "b", "a", 2), EndPhase(3)]
    assert brief(audited(INCHES, events, header=AT_ZERO)) == [("INCH-TEST", 3, "omitted", True)]


def test_a_fault_that_rests_on_everything_is_undecided_over_any_hole():
    events = [Move(2, "A", "a", "3"), Move(3, "A", "a", "5", "3")]
    assert brief(audited(INCHES, events, header=AT_ZERO)) == [("INCH-LENGTH", 3, "ambiguous", False)]


def test_what_a_judge_settled_without_saying_what_changed_is_a_hole():
    events = numbered(Move(0, "A", "a", "5"), Judge(0, None, "b goes back."), Move(0, "A", "b", "9"))
    value = audited(INCHES, events, header=AT_ZERO)
    assert brief(value) == [("INCH-MOVE", 3, "ambiguous", False)]
    assert [(one["kind"], one["seq"], one["text"]) for one in value["notes"]] == [("by_judge", 2, "b goes back.")]


def test_what_a_judge_settled_is_adopted_and_accuses_nobody():
    events = numbered(Judge(0, None, "b stands at 20.", {"a": "0", "b": "20"}), Move(0, "A", "b", "26"))
    value = audited(INCHES, events, header=AT_ZERO)
    assert value["findings"] == [] and value["verdict"] == "clean"


def test_a_remark_changes_nothing():
    value = audited(INCHES, numbered(Remark(0, None, "hello"), Move(0, "A", "b", "6")), header=AT_ZERO)
    assert value["verdict"] == "clean" and value["coverage"]["resolved"] == 1


def test_a_file_with_errors_is_audited_and_incomplete():
    errors = [InputError(3, "to", "five", "a length")]
    value = audited(INCHES, numbered(Move(0, "A", "b", "6")), header=AT_ZERO, errors=errors)
    assert value["verdict"] == "incomplete" and value["errors"][0]["line"] == 3


def test_a_lane_has_the_holes_of_the_record_too():
    events = [Shoot(1, "B", "b", "a", 1), Test(3, "A", "a"), Move(4, "A", "b", "9")]
    value = audited(INCHES, events, header=AT_ZERO)
    assert brief(value) == [("INCH-UNDUE", 3, "illegal", False), ("INCH-MOVE", 4, "ambiguous", False)]
    assert value["findings"][1]["scope"] == {"kind": "every_reading"}


def test_holes_remember_what_was_stated_again():
    holes = Holes()
    assert not holes and holes.doubt(None) is None
    first, second = Hole(3, "first"), Hole(5, "second", frozenset({"x"}))
    holes.open(first)
    holes.state(["x", "y"])
    assert holes.doubt(["x", "y"]) is None and holes.doubt(["z"]) is first and holes.doubt(None) is first
    assert holes.doubt([]) is None
    holes.open(second)
    assert holes.doubt(["y", "x"]) is second and holes.doubt(["z", "x"]) is first
    twin = holes.copy()
    assert twin == holes
    twin.state(["x"])
    assert twin != holes and holes.doubt(["x"]) is second
    holes.open(first)
    assert holes.doubt(["y"]) is first
    holes.close()
    assert not holes


def test_holes_that_leave_the_same_unknown_are_equal():
    stated, never = Holes(), Holes()
    for holes in (stated, never):
        holes.open(Hole(1, "everything"))
    stated.state(["x"])
    assert stated != never
    for holes in (stated, never):
        holes.open(Hole(2, "x", frozenset({"x"})))
    assert stated == never


def test_a_hole_over_some_facts_closes_when_they_are_stated():
    holes = Holes()
    holes.open(Hole(1, "cards", frozenset({"x", "y"})))
    assert holes.doubt(["z"]) is None and holes.doubt(None) is not None
    holes.state(["x"])
    assert holes.doubt(["x"]) is None and holes
    holes.state(["y"])
    assert not holes


def test_digests_do_not_depend_on_the_hash_seed():
    program = """
from auditor.core.findings import Unchecked
from auditor.core.holes import Hole
from tests.core.cards import *
from tests.core.helpers import audited, numbered
from tests.core import inches
def adopt_holes(event, resolved, table, hearing):
    facts = frozenset(f"fact {event.seq * n % 11}" for n in range(1, 6))
    table.holes.open(Hole(event.seq, f"hole {event.seq}", facts))
    adopt(event, resolved, table, hearing)
game = replace(CARDS, adopt=adopt_holes, rules=tuple(
    replace(r, check=lambda e, r, t, h: [Fault("CARD-SPENT", "illegal", "?")]) if r.id == "CARD-SPENT" else r
    for r in CARDS.rules
))
events = [Play(0, "A", "hydra", "x"), Play(0, "B", "bear", "y"), Attack(0, "A", "x"), Block(0, "B", "y"),
          Boost(0, "A", "x"), Block(0, "B", "y"), Damage(0, "A", "x"), Damage(0, "A", "y", 7), Block(0, "B", "z")]
print(audited(game, numbered(*events))["digest"])
lines = [inches.Move(1, "A", "a", "7"), inches.Shoot(3, "A", "a", "b", 1), inches.Test(4, "B", "b"), inches.EndPhase(5)]
print(audited(inches.INCHES, lines, header={"where": {"a": "0", "b": "9"}})["digest"])
"""
    digests = set()
    for seed in ("0", "1", "2", "3"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        ran = subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
        )
        digests.add(ran.stdout)
    assert len(digests) == 1 and digests != {b""}


@pytest.mark.parametrize("strict", [True, False])
def test_a_rule_says_itself_what_it_could_not_check(strict):
    def check(event, resolved, position, hearing):
        return [Unchecked("INCH-MOVE", "no ruler")]

    game = replace(
        INCHES, rules=tuple(replace(one, check=check) if one.id == "INCH-MOVE" else one for one in INCHES.rules)
    )
    value = audited(game, numbered(Move(0, "A", "a", "9")), header=AT_ZERO, strict=strict)
    assert value["coverage"]["unchecked"] == [{"seq": 1, "rule": "INCH-MOVE", "why": "no ruler"}]
    assert value["verdict"] == "incomplete"
