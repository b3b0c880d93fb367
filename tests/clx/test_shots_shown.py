"""A shot is explained on every event of it, fault or none: who reaches whom, what the line meets and why that stops it."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from auditor import engine
from auditor.report.boards import Scene, View, draw
from auditor.report.boards.inches import INCHES
from tests.clx.examples import example, examples, judged

SHOTS = ("shoot", "weapon_fire", "cover_rolls", "hit_rolls", "wound_rolls", "allocate")


def sight_of(name: str) -> dict[str, Any]:
    """The sight of the one finding of an example that stands."""
    (found,) = (one for one in judged(example(name).log)["findings"] if one["stands"])
    sight: dict[str, Any] = found["evidence"]["sight"]
    return sight


@cache
def frames(name: str) -> list[dict[str, Any]]:
    log = example(name).log
    lines = [json.dumps(log["header"]), *map(json.dumps, log["events"])]
    found: list[dict[str, Any]] = engine.replay_frames("\n".join(lines).encode(), seqs=range(10_000))
    return found


def test_a_wall_that_stops_the_line_is_told_and_drawn_with_its_number() -> None:
    sight = sight_of("CLX-SHOOT-04/illegal-nobody-sees")
    answers = dict(sight["answers"])
    assert sight["sight"] == "stopped" and answers["In range and sight"].startswith("no: ")
    assert answers["Line of sight"].startswith("stopped; from ")
    (stopping, *_) = (one for one in sight["met"] if one["stops"])
    assert stopping["n"] == sight["stop"] and stopping["note"] == "It blocks sight."
    assert sight["met"][-1]["how"] == "does not see"
    told = INCHES.contacts(Scene({"kind": "inches"}, (), sight))
    assert [one.stops for one in told].count(True) == 1 and told[sight["stop"] - 1].place == stopping["what"]


@pytest.mark.parametrize(
    ("name", "sight", "says"),
    [
        ("CLX-SHOOT-04/legal-past-the-corner", "free", "past what stops the line between the middles"),
        ("CLX-SHOOT-04/legal-over-a-low-wall", "free", "free; from "),
        ("CLX-SHOOT-04/legal", "free", "free; from "),
    ],
)
def test_a_shot_that_is_no_fault_is_answered_as_well(name: str, sight: str, says: str) -> None:
    shots = [frame for frame in frames(name) if frame["type"] in SHOTS]
    assert shots and all(frame["sight"] is not None for frame in shots)
    fired = next(frame["sight"] for frame in shots if frame["type"] == "weapon_fire")
    answers = dict(fired["answers"])
    assert fired["sight"] == sight and says in answers["Line of sight"]
    assert answers["In range and sight"].startswith("yes")
    assert ("line" in fired) == (fired["stop"] is not None)


def test_a_shot_that_is_too_far_says_who_and_by_how_much() -> None:
    sight = sight_of("CLX-SHOOT-04/illegal")
    said = dict(sight["answers"])["In range and sight"]
    assert "is too far by" in said and sight["gap"]["ok"] is False
    assert float(sight["gap"]["length"]) > float(sight["gap"]["limit"])


def test_the_gap_is_drawn_from_edge_to_edge() -> None:
    for name in ("CLX-SHOOT-04/illegal", "CLX-SHOOT-04/legal"):
        for frame in frames(name):
            if not frame["sight"]:
                continue
            gap = frame["sight"]["gap"]
            (ax, ay), (bx, by) = (tuple(map(float, gap[end])) for end in ("from", "to"))
            assert abs(((ax - bx) ** 2 + (ay - by) ** 2) ** 0.5 - float(gap["length"])) < 0.005
            assert str(draw(Scene(frame["board"], frame["marks"], frame["sight"]), View(size="near"))).count(
                'class="mk'
            )


def test_cover_names_the_piece_that_gives_it() -> None:
    sight = sight_of("CLX-SHOOT-07c/illegal")
    assert "it stands in brush" in dict(sight["answers"])["Cover"].lower()


def test_a_charge_shows_the_gap_to_the_nearest_model_and_what_was_rolled() -> None:
    found = [
        one for charge in examples("illegal", "CLX-ASLT-01") for one in judged(charge.log)["findings"] if one["stands"]
    ]
    gaps = [mark for one in found for mark in one["evidence"]["marks"] if mark["mark"] == "gap"]
    assert gaps
    for gap in gaps:
        (ax, ay), (bx, by) = (tuple(map(float, gap[end])) for end in ("from", "to"))
        assert abs(((ax - bx) ** 2 + (ay - by) ** 2) ** 0.5 - float(gap["length"])) < 0.005
    assert any("rolled" in gap.get("label", "") for gap in gaps)
