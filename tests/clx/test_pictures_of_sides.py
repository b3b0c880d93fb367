"""What findings on the side of a hull, on crossfire, on charges from the rear and on explosions show on the table, and what
a replay shows of such an event when nothing is wrong."""

from __future__ import annotations

import json
from math import atan2, degrees, hypot
from typing import Any

import pytest

from auditor.engine.replays import replay_frames
from auditor.report.boards import Scene, View, draw
from tests.clx.examples import example, judged


def shown(name: str, rule: str | None = None, **readings: str) -> list[dict[str, Any]]:
    """The marks of the one finding of an example, or that of a rule, that stands; a picture can be drawn of them."""
    log = example(name).log
    found = [one for one in judged(log, readings)["findings"] if one["stands"] and rule in (None, one["rule"])]
    (evidence,) = (one["evidence"] for one in found)
    for size in ("near", "whole"):
        assert 'class="marks"' in draw(Scene(evidence["before"], evidence["marks"]), View(size=size))
    marks: list[dict[str, Any]] = evidence["marks"]
    return marks


def of(marks: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [mark for mark in marks if mark["mark"] == kind]


def arcs(marks: list[dict[str, Any]]) -> list[tuple[str, bool, tuple[float, float]]]:
    """The arcs among some marks: name, whether it is right, and between which angles it lies, from 0 on."""
    found = []
    for mark in of(marks, "arc"):
        first, last = (float(angle) for angle in mark["between"])
        found.append((mark["name"], mark["ok"], (round(first % 360, 1), round(last % 360, 1))))
    return found


def off(gap: dict[str, Any], limit: dict[str, Any]) -> float:
    """How far the end of a gap that something stands at lies from a limit."""
    (x, y), (ax, ay), (bx, by) = (tuple(map(float, at)) for at in (gap["from"], limit["from"], limit["to"]))
    return abs((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / hypot(bx - ax, by - ay)


# -- hulls --------------------------------------------------------------------------------------------------------

CORNER = round(degrees(atan2(1.5, 2.25)), 1)


def test_a_wrong_side_of_a_hull_shows_both_sides_and_how_far_the_shooter_is_from_the_ray_between_them() -> None:
    marks = shown("CLX-VEH-06/illegal-beside-the-ray")
    assert arcs(marks) == [
        ("front", False, (360 - CORNER, CORNER)),
        ("side", True, (CORNER, 180 - CORNER)),
        ("side", True, (180 + CORNER, 360 - CORNER)),
    ]
    assert [mark.get("label") for mark in of(marks, "arc")] == [
        "the front, as claimed",
        "the side, by the corners of its hull",
        None,
    ]
    (line,), (limit,), (gap,) = of(marks, "line"), of(marks, "limit"), of(marks, "gap")
    assert (line["from"], line["to"], line["label"]) == (
        ["25", "25"],
        ["20", "20"],
        "River Drakes 1 (rd.m1) hits Ash Carrier (tr.m1)",
    )
    assert (gap["from"], gap["length"], gap["label"]) == (["25", "25"], "1.387", "from the limit of the front")
    assert off(gap, limit) == pytest.approx(1.387, abs=0.001)


def test_under_quarters_the_sides_of_a_hull_are_drawn_by_its_heading() -> None:
    beside = shown_of("CLX-VEH-06/illegal-beside-the-ray", [25, 24.5], "side", **{"OR-VARC": "QUARTERS"})
    assert arcs(beside)[-1] == ("front", True, (315, 45))
    assert of(beside, "arc")[-1]["label"] == "the front, by quarters of its heading"


def test_where_both_readings_of_a_hull_agree_both_are_named() -> None:
    agreed = "by the corners of its hull, and by quarters of its heading too"
    for ruled in ("DIAGONALS", "QUARTERS"):
        marks = shown("CLX-VEH-06/illegal-side", **{"OR-VARC": ruled})
        assert of(marks, "arc")[1]["label"] == f"the side, {agreed}"


def test_the_sides_of_a_walker_on_a_round_base_are_quarters() -> None:
    log = example("CLX-VEH-06/illegal").log
    text = json.dumps(log).replace('"tr.m1"', '"wk.m1"').replace('"tr"', '"wk"')
    (found,) = judged(json.loads(text))["findings"]
    assert found["evidence"]["marks"][1]["label"] == "the front, by quarters of its heading"


def shown_of(name: str, pos: list[float], side: str, **readings: str) -> list[dict[str, Any]]:
    """The marks of the finding where the shooter of an example stands elsewhere and another side is claimed."""
    log = example(name).log
    log["events"][0]["units"][1]["models"][0]["pos"] = pos
    log["events"][-1]["claimed_facing"] = side
    (found,) = (one for one in judged(log, readings)["findings"] if one["stands"])
    marks: list[dict[str, Any]] = found["evidence"]["marks"]
    return marks


def test_the_side_of_a_hull_is_the_rear_for_who_outflanks() -> None:
    agreed = "by the corners of its hull, and by quarters of its heading too"
    marks = shown("CLX-USR-08/illegal-vehicle")
    assert of(marks, "arc")[0]["label"] == "the side, as claimed"
    assert of(marks, "arc")[2]["label"] == f"the side, {agreed}, and the rear for who outflanks"


def test_all_who_may_have_made_a_hit_are_drawn() -> None:
    log = example("CLX-VEH-06/illegal").log
    stated = log["events"][0]
    stated["removed"].remove("rd.m2")
    stated["units"][1]["models"].append({"id": "rd.m2", "pos": [30, 22]})
    log["events"][2]["firers"].append({"model": "rd.m2", "shots": 1})
    (found,) = judged(log)["findings"]
    lines = of(found["evidence"]["marks"], "line")
    assert [(line["from"], line.get("label")) for line in lines] == [
        (["30", "20"], "River Drakes 1 (rd.m1) hits Ash Carrier (tr.m1)"),
        (["30", "22"], None),
    ]


# -- crossfire ----------------------------------------------------------------------------------------------------


def test_crossfire_shows_the_front_and_the_rear_and_each_attack_with_what_it_took() -> None:
    marks = shown("CLX-SHOOT-14/illegal")
    assert marks[0]["how"] == "bad" and marks[0]["label"] == "Salt Vultures tests with -2, not with -3"
    assert arcs(marks) == [("front", True, (315, 45)), ("rear", True, (135, 225))]
    assert [mark["label"] for mark in of(marks, "arc")] == [
        "the front of Salt Vultures: within 45 degrees of its facing before the first attack",
        "the rear of Salt Vultures: more than 135 degrees off its facing before the first attack",
    ]
    assert [(line["from"], line["label"]) for line in of(marks, "line")] == [
        (["50", "20"], "the attack of Highwatch from the front: 1 wound not saved"),
        (["30", "20"], "the attack of Ember Rifles from the rear: 2 wounds not saved"),
    ]


def test_two_attacks_from_the_front_are_seen_to_be_none() -> None:
    marks = shown("CLX-SHOOT-14/illegal-not-opposite")
    assert all("from the front" in line["label"] for line in of(marks, "line"))
    assert marks[0]["label"] == "Salt Vultures fails a check for crossfire"


def test_crossfire_by_halves_and_by_directions_is_drawn_as_it_is_decided() -> None:
    halves = shown("CLX-SHOOT-14/illegal", "CLX-SHOOT-14", **{"OR-ARC": "HALVES"})
    assert arcs(halves) == [("front", True, (270, 90)), ("rear", True, (90, 270))]
    assert "within 90 degrees" in of(halves, "arc")[0]["label"]
    opposed = shown("CLX-SHOOT-14/illegal", "CLX-SHOOT-14", **{"OR-CROSS": "OPPOSED"})
    ((name, _, (first, last)),) = arcs(opposed)
    assert name == "opposite" and (last - first) % 360 == pytest.approx(90, abs=0.2)
    assert of(opposed, "arc")[0]["label"].startswith(
        "opposite to the attack of Highwatch: more than 135 degrees from where it came. The attack of Ember Rifles came"
    )
    assert [line["label"] for line in of(opposed, "line")] == [
        "the attack of Highwatch: 1 wound not saved",
        "the attack of Ember Rifles: 2 wounds not saved",
    ]


def test_a_missing_check_and_a_missing_test_are_told_at_the_unit() -> None:
    assert shown("CLX-SHOOT-14/illegal-no-check", "CLX-SHOOT-14")[0]["label"] == "Salt Vultures took no Morale Check"
    name = "CLX-SHOOT-14/illegal-one-attack-without-a-test"
    assert shown(name, "CLX-SHOOT-14")[0]["label"] == "Salt Vultures took no pinning test"


# -- charges ------------------------------------------------------------------------------------------------------


def test_a_charge_that_is_wrongly_one_from_the_rear_shows_the_rear_and_where_it_came_from() -> None:
    marks = shown("CLX-ASLT-07b/illegal")
    assert (marks[0]["model"], marks[0]["how"]) == ("gr.m1", "bad")
    assert arcs(marks) == [("rear", False, (315, 45)), ("front", True, (135, 225))]
    assert [mark["label"] for mark in of(marks, "arc")] == [
        "the rear of Post Six, as claimed: more than 135 degrees off its facing",
        "its front: within 45 degrees of its facing",
    ]
    (line,) = of(marks, "line")
    assert line["from"] == ["20", "20"] and "where it stood when the charge was declared" in line["label"]
    assert not of(marks, "limit")  # It is on the other side altogether.


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (
            "CLX-ASLT-07b/illegal-left-out",
            "Grey Runners 1 (gr.m1) has 4 attacks, not 3 and Grey Runners 1 strikes at Initiative 6, not 5",
        ),
        ("CLX-ASLT-07a/illegal", "the test of Post Six leaves out a charge from the rear"),
    ],
)
def test_a_charge_from_the_rear_shows_how_far_it_was_within(name: str, said: str) -> None:
    marks = shown(name)
    assert marks[0]["label"] == said and marks[0]["how"] == "bad"
    assert arcs(marks) == [("rear", True, (135, 225))]
    (limit,), (gap,) = of(marks, "limit"), of(marks, "gap")
    assert gap["label"] == "from the limit of the rear" and off(gap, limit) == pytest.approx(
        float(gap["length"]), abs=0.01
    )


def test_outflanking_and_acute_senses_are_told_at_the_arc() -> None:
    flanked = shown("CLX-USR-08/illegal")
    assert [mark["label"] for mark in of(flanked, "arc") if "label" in mark] == [
        "the rear of Highwatch: more than 135 degrees off its facing",
        "its side: from 45 to 135 degrees off its facing, which counts as the rear for who outflanks",
    ]
    sharp = shown("CLX-USR-01/illegal")
    assert of(sharp, "arc")[0]["label"].endswith("; its Acute Senses leave it none")


def test_a_wrong_arc_of_an_attack_shows_how_far_it_is_from_its_limit() -> None:
    log = example("CLX-FACE-01/illegal").log
    log["events"][1]["claimed_arc"] = "side"
    (found,) = judged(log)["findings"]
    (gap,) = of(found["evidence"]["marks"], "gap")
    assert gap["length"] == found["figures"][0]["value"]


# -- explosions ---------------------------------------------------------------------------------------------------


def test_an_explosion_shows_how_far_its_debris_flies_from_the_hull_and_who_is_left_out() -> None:
    blast, gap = shown("CLX-VEH-02/illegal")
    assert (blast["length"], blast["label"]) == ("4", "the debris of Ash Carrier: the die shows 4")
    assert len(blast["hull"]) == 4
    assert (gap["from"], gap["to"], gap["length"]) == (["22.25", "20"], ["25.5", "20"], "3.25")
    assert (gap["label"], gap["ok"]) == ("Post Six 1 (ps.m1) is hit", False)
    _, gap, hit = shown("CLX-VEH-02/illegal-too-many")
    assert (gap["length"], gap["label"]) == ("5.25", "Post Six 2 (ps.m2) is not hit")
    assert (hit["model"], hit["how"], hit["label"]) == ("ps.m1", "claimed", "hit, 3.25 inches from the hull")


def test_dice_of_an_explosion_stand_beside_whom_they_are_of() -> None:
    log = example("CLX-VEH-02/illegal-too-many").log
    explosion = log["events"][1]
    explosion |= {"wound_rolls": [{"model": "ps.m1", "die": 5}], "saves": [{"model": "ps.m1", "die": 2}]}
    explosion["casualties"] = ["ps.m1"]
    hit = of(judged(log)["findings"][0]["evidence"]["marks"], "model")[0]
    assert hit["label"] == "hit, 3.25 inches from the hull; to wound 5; saved with 2; it falls"
    inside = of(shown("CLX-VEH-03/illegal-strength"), "model")[-1]
    assert (inside["model"], inside["label"]) == ("tr.m1", "2 hits on those inside; to wound 1 1")


def test_who_climbs_out_too_far_is_shown_beside_the_place_of_the_hull() -> None:
    put_down, gap = shown("CLX-VEH-03/illegal-too-far-out")
    assert (put_down["at"], put_down["label"]) == (["20", "22.5"], "here Ember Rifles 2 (er.m2) is put down")
    assert (gap["from"], gap["to"], gap["length"], gap["ok"]) == (["20", "21.5"], ["20", "22"], "0.5", False)


# -- what a replay shows of legal play ----------------------------------------------------------------------------


def replayed(name: str, kind: str) -> list[dict[str, Any]]:
    """The marks of the last event of a type in the replay of an example."""
    log = example(name).log
    seqs = [event["seq"] for event in log["events"] if event["type"] == kind]
    found = replay_frames(json.dumps(log).encode(), seqs=seqs)
    marks: list[dict[str, Any]] = found[-1]["marks"]
    assert not [mark for mark in marks if mark.get("ok") is False or mark.get("how") == "bad"]
    return marks


def test_a_replay_shows_an_explosion_a_check_for_crossfire_and_a_fight_and_judges_none_of_them() -> None:
    blast, *hit = replayed("CLX-VEH-02/legal", "vehicle_explodes")
    assert blast["mark"] == "range" and {mark["mark"] for mark in hit} == {"model"}
    assert len(replayed("CLX-SHOOT-14/legal", "morale")) == 2
    (line,) = replayed("CLX-ASLT-07b/legal", "fight_step")
    assert line["mark"] == "line" and line["from"] != line["to"]
