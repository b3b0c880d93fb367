"""Tolerance: nothing is held against anybody for the rounding of a record, or within what a tournament allows."""

from __future__ import annotations

from fractions import Fraction

import pytest

from auditor.geometry.inches.lengths import Length, root
from auditor.systems.clx.tolerance import judge, judge_met
from tests.clx.examples import audited, example

QUARTER = {"measuring_tolerance": "1/4"}


@pytest.mark.parametrize(
    ("over", "parts", "settings", "verdict"),
    [
        ("0", 1, {}, "fine"),
        ("-0.001", 1, {}, "fine"),
        ("0.001", 1, {}, "tolerance"),
        ("0.015", 1, {}, "tolerance"),
        ("0.0151", 1, {}, "beyond"),
        ("0.03", 2, {}, "tolerance"),
        ("0.0301", 2, {}, "beyond"),
        ("0.25", 1, QUARTER, "tolerance"),
        ("0.2501", 1, QUARTER, "beyond"),
        ("0.3", 30, QUARTER, "tolerance"),
    ],
)
def test_at_most(over: str, parts: int, settings: dict[str, str], verdict: str) -> None:
    assert judge(Length(Fraction(over)), settings, parts=parts).verdict == verdict


def test_a_length_that_must_be_met() -> None:
    assert judge_met(root(Fraction(1, 10**5)), {}).verdict == "fine"
    assert judge_met(Length(Fraction("-0.02")), {}).verdict == "beyond"
    assert judge_met(Length(Fraction("-0.02")), QUARTER).verdict == "tolerance"
    assert judge_met(Length(Fraction("0.02")), {}, parts=2).verdict == "fine"


def test_a_move_of_6_708_is_too_far_and_at_a_tolerance_of_an_inch_it_is_noted() -> None:
    log = example("CLX-MOVE-01/illegal").log
    assert audited(log)["verdict"] == "findings"
    assert audited(log, measuring_tolerance="1/4")["verdict"] == "findings"
    lenient = audited(log, measuring_tolerance="1")
    assert lenient["verdict"] == "clean"
    assert [(note["kind"], note["margin"]) for note in lenient["notes"]] == [("tolerance", "0.708")]


def test_without_a_movement_in_the_pack_the_check_is_not_run_and_says_what_is_lacking() -> None:
    log = example("CLX-MOVE-01/illegal").log
    model = {"id": "x.m1", "profile": {}, "base": {"shape": "circle", "r": 0.5}}
    log["header"]["units"] = [
        {"id": unit, "type": "infantry", "models": [{**model, "id": f"{unit}.m1"}]} for unit in ("hw", "sv")
    ]
    log["header"]["players"] = [{"id": "A", "units": ["hw"]}, {"id": "B", "units": ["sv"]}]
    audit = audited(log)
    assert audit["verdict"] == "incomplete"
    assert audit["findings"] == []
    assert "BASE-MOVE" in audit["coverage"]["unchecked"][0]["why"]
    log["header"]["base_rules"] = {"BASE-MOVE": {"infantry": 6}}
    assert audited(log)["verdict"] == "findings"


def test_one_picture_shows_a_move_that_is_too_far_and_one_that_a_tape_could_not_tell() -> None:
    audit = audited(example("CLX-MOVE-01/illegal-beside-one-within-the-tolerance").log)
    (finding,) = [one for one in audit["findings"] if one["stands"]]
    (note,) = audit["notes"]
    assert "too far by 0.708 inch" in finding["text"]
    assert note["kind"] == "tolerance" and "0.02 inch over, within the 0.25 inch" in note["text"]
    far, near = finding["evidence"]["marks"]
    assert (far["model"], far["ok"], far["allowed"]) == ("hw.m1", False, "6")
    assert (near["model"], near["ok"], near["allowed"]) == ("hw.m2", True, "6")
    assert near["label"] == "Highwatch 2 (hw.m2): 0.02 inch over, within the tolerance of 0.25 inch"
