"""What findings show on the table beside ways and gaps: what stops sight, what gives cover, arcs, facings and heights."""

from __future__ import annotations

import re
from typing import Any

import pytest

from auditor.report.boards import Scene, View, draw
from auditor.report.boards.inches import INCHES
from tests.clx.examples import audited, example


def shown(name: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The board and the marks of the one finding of an example that stands."""
    (found,) = (one for one in audited(example(name).log)["findings"] if one["stands"])
    return found["evidence"]["before"], found["evidence"]["marks"]


def test_a_line_of_sight_shows_where_which_piece_of_terrain_stops_it() -> None:
    board, (line,) = shown("CLX-SHOOT-04/illegal-nobody-sees")
    wall = next(piece for piece in board["terrain"] if piece["name"] in line["label"])
    assert wall["blocks_sight"] and line["ok"] is False
    xs, ys = ([float(corner[axis]) for corner in wall["outline"]] for axis in (0, 1))
    x, y = map(float, line["stopped"])
    assert min(xs) <= x <= max(xs) and min(ys) <= y <= max(ys)
    ends = [tuple(map(float, line[end])) for end in ("from", "to")]
    on_it = (x - ends[0][0]) * (ends[1][1] - ends[0][1]) - (y - ends[0][1]) * (ends[1][0] - ends[0][0])
    assert abs(on_it) < 0.1
    assert 'class="cross"' in draw(Scene(board, [line]), View(size="near"))
    assert "stopped at" in INCHES.mark_words(line)


@pytest.mark.parametrize("rule", ["CLX-FACE-01", "CLX-FACE-02"])
def test_a_wrong_arc_is_drawn_beside_the_one_in_which_the_attack_lies(rule: str) -> None:
    board, (claimed, right, line) = shown(f"{rule}/illegal")
    assert (claimed["label"], right["label"]) == ("the rear, as claimed", "the front, as it faces")
    assert (claimed["between"], right["between"]) == (["315", "405"], ["135", "225"])
    assert claimed["at"] == right["at"] == line["to"] and not claimed["ok"] and right["ok"]
    assert "range bad" in draw(Scene(board, [claimed, right, line]), View(size="near"))


def test_cover_that_is_wrong_says_from_which_piece_of_terrain_it_comes() -> None:
    _, lines = shown("CLX-SHOOT-07c/illegal")
    assert [line["label"] for line in lines] == [
        f"Salt Vultures {n} (sv.m{n}) stands in brush: soft cover (6+)" for n in range(1, len(lines) + 1)
    ]
    _, (behind, *_) = shown("CLX-SHOOT-07c/illegal-between")
    assert "is behind" in behind["label"]
    _, (opened, *_) = shown("CLX-SHOOT-07b/illegal-in-the-open")
    assert "nothing gives" in opened["label"]


def test_dice_of_an_attack_show_who_shoots_at_whom() -> None:
    _, (line,) = shown("CLX-SHOOT-09/illegal")
    assert line["mark"] == "line" and line["from"] != line["to"]


def test_a_board_says_which_way_units_face_where_no_reading_decides_it() -> None:
    board, _ = shown("CLX-FACE-01/illegal")
    facing = {unit["id"]: unit["facing"] for unit in board["units"]}
    assert facing["sv"] == "180" and None in facing.values()
    assert 'class="nose"' in draw(Scene(board), View(size="near"))


def test_a_unit_on_a_height_says_so_beside_its_name() -> None:
    board, _ = shown("CLX-SHOOT-06/illegal")
    high = next(model for model in board["models"] if float(model["z"]) > 0)
    name = next(unit["name"] for unit in board["units"] if unit["id"] == high["unit"])
    assert f"{name} +{float(high['z']):g}″" in draw(Scene(board), View(size="near", labels=True))


def test_one_picture_shows_a_move_that_is_too_far_and_one_that_is_held_against_nobody() -> None:
    """A move of 6.7 inches beside one of 6.02, at a tolerance of a quarter inch."""
    board, marks = shown("CLX-MOVE-01/illegal-beside-one-within-the-tolerance")
    (far, near) = (mark for mark in marks if mark["mark"] == "way")
    assert (far["model"], far["ok"], far["allowed"]) == ("hw.m1", False, "6")
    assert (near["model"], near["ok"], near["allowed"]) == ("hw.m2", True, "6")
    assert near["label"] == "Highwatch 2 (hw.m2): 0.02 inch over, within the tolerance of 0.25 inch"
    drawn = draw(Scene(board, marks), View(size="near"))
    lengths = set(re.findall(r'class="len"[^>]*>([^<]+)<', drawn))
    assert lengths == {"6.708″", "6.02″", "6″"}
    assert drawn.count('class="act thin bad"') == 1 and drawn.count('class="tick"') == 2
