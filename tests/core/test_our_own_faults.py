"""When the auditor itself goes wrong: tests see it raised, users see it said, and the audit goes on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from auditor.core.findings import Fault
from tests.core.helpers import audited, brief, numbered
from tests.core.inches import INCHES, EndPhase, Move, Shoot

AT_ZERO = {"where": {"a": "0", "b": "0"}}


class OursError(Exception):
    pass


def broken(*_: Any) -> Any:
    raise OursError("x")


def with_check(rule_id: str, check: Callable[..., Any]) -> Any:
    return replace(INCHES, rules=tuple(replace(one, check=check) if one.id == rule_id else one for one in INCHES.rules))


def breaking_after_one_fault(event, resolved, position, hearing):
    yield Fault("INCH-LENGTH", "miscalculated", "Wrong.", rests_on=())
    raise OursError("x")


@pytest.mark.parametrize(("check", "found"), [(broken, []), (breaking_after_one_fault, ["INCH-LENGTH"])])
def test_a_check_that_breaks_is_unchecked_and_the_others_go_on(check, found):
    game = with_check("INCH-LENGTH", check)
    value = audited(game, numbered(Move(0, "A", "a", "9")), header=AT_ZERO, strict=False)
    assert [one["rule"] for one in value["findings"]] == sorted([*found, "INCH-MOVE"])
    assert value["coverage"]["unchecked"] == [
        {"seq": 1, "rule": "INCH-LENGTH", "why": "a fault of the auditor, not of the players (OursError)"}
    ]
    assert value["verdict"] == "findings"


@pytest.mark.parametrize("part", ["check", "resolve", "adopt", "draw", "facts", "undone", "evidence", "unfinished"])
def test_tests_see_what_breaks(part):
    def evidence_breaks(event, resolved, position, hearing):
        return [Fault("INCH-MOVE", "illegal", "Wrong.", evidence=broken)]

    if part == "check":
        game = with_check("INCH-MOVE", broken)
    elif part == "evidence":
        game = with_check("INCH-MOVE", evidence_breaks)
    else:
        game = replace(INCHES, **{part: broken})
    with pytest.raises(OursError):
        audited(game, numbered(Move(0, "A", "a", "9")), header=AT_ZERO, strict=True)


@pytest.mark.parametrize("part", ["resolve", "adopt"])
def test_an_event_that_cannot_be_replayed_is_a_hole(part):
    good = getattr(INCHES, part)

    def breaks_on_b(event, *rest):
        if getattr(event, "unit", None) == "b":
            raise OursError("x")
        return good(event, *rest)

    game = replace(INCHES, **{part: breaks_on_b})
    events = numbered(Move(0, "A", "b", "3"), Move(0, "A", "a", "9"), Shoot(0, "B", "x", "a", 2), EndPhase(0))
    value = audited(game, events, header=AT_ZERO, strict=False)
    assert brief(value) == [("INCH-MOVE", 2, "ambiguous", False), ("INCH-TEST", 4, "omitted", True)]
    assert "event 1 could not be resolved" in value["findings"][0]["text"]
    assert [(one["seq"], one["rule"]) for one in value["coverage"]["unchecked"]] == [(1, None)]


@pytest.mark.parametrize("part", ["draw", "facts", "undone", "evidence"])
def test_a_fault_is_not_lost_because_its_picture_failed(part):
    def evidence_breaks(event, resolved, position, hearing):
        return [Fault("INCH-MOVE", "illegal", "Wrong.", ("a",), rests_on=("a",), evidence=broken)]

    game = with_check("INCH-MOVE", evidence_breaks) if part == "evidence" else replace(INCHES, **{part: broken})
    events = numbered(Move(0, "A", "a", "9"), Move(0, "A", "b", "6"))
    value = audited(game, events, header=AT_ZERO, strict=False)
    assert brief(value)[0] == ("INCH-MOVE", 1, "illegal", True)
    assert any("fault of the auditor" in one["text"] for one in value["notes"])
    assert value["coverage"]["unchecked"] == []
    assert set(value["findings"][0]["evidence"]) == {"before", "after", "marks", "sight", "path"}


@pytest.mark.parametrize("part", ["about", "undone"])
def test_a_correction_that_makes_no_sense_leaves_findings_independent(part):
    events = numbered(Move(0, "A", "a", "9"), Move(0, "A", "a", "2"))
    value = audited(replace(INCHES, **{part: broken}), events, header=AT_ZERO, strict=False)
    assert [one["depends_on"] for one in value["findings"]] == [[], []]


def test_a_branch_that_breaks_makes_the_scope_partial():
    def check(event, resolved, position, hearing):
        if hearing.ask("R-WHOLE") == "rounded_down":
            raise OursError("x")
        return [Fault("INCH-MOVE", "illegal", "Wrong.", ("a",), rests_on=())]

    value = audited(with_check("INCH-MOVE", check), numbered(Move(0, "A", "a", "9")), header=AT_ZERO, strict=False)
    assert value["findings"][0]["stands"] and value["findings"][0]["scope"]["partial"]
    assert value["coverage"]["unchecked"] == []
    left_open = audited(
        with_check("INCH-MOVE", check),
        numbered(Move(0, "A", "a", "9")),
        {"R-WHOLE": "open"},
        header=AT_ZERO,
        strict=False,
    )
    assert brief(left_open) == [("INCH-MOVE", 1, "ambiguous", False)]
    assert left_open["verdict"] == "incomplete"


def test_what_is_unfinished_may_break_too():
    value = audited(replace(INCHES, unfinished=broken), numbered(Move(0, "A", "a", "6")), header=AT_ZERO, strict=False)
    assert value["verdict"] == "incomplete"
