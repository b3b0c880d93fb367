"""A value that is wrong in a way in which people write wrong ones: what was meant is found, and named first."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from auditor.conformance.logs import as_jsonl
from auditor.engine import audit_log
from tests.calth.examples import example
from tests.systems.test_lines_that_are_due import lines_of

Line = dict[str, Any]
CALTH, INCHES = "calth/games/clean-1.jsonl", "clx/games/five-turns.jsonl"


def first_told(lines: list[Line], place: int, wrong: Line) -> Line:
    """What is first said of what may have been meant, where a line is another."""
    value = audit_log(as_jsonl([*lines[:place], {**lines[place], **wrong}, *lines[place + 1 :]]).encode(), digest=False)
    standing = [one for one in value["findings"] if one["stands"] and not one["depends_on"]]
    meant = [one["meant"] for one in standing if one["meant"] is not None]
    assert meant, standing[0]["text"]
    return dict(meant[0])


def moves(game: str) -> list[int]:
    """The places of moves of one step and more."""
    return [n for n, line in enumerate(lines_of(game)) if len(line.get("path", ())) > 1 and line["type"] == "move_unit"]


@pytest.mark.parametrize("place", moves(CALTH)[::7])
def test_a_hex_of_a_path_that_is_far_from_the_one_before(place: int) -> None:
    lines = lines_of(CALTH)
    path = lines[place]["path"]
    end = path[-1]
    far = [end[0] + 3, end[1] - 1]
    meant = first_told(lines, place, {"path": [*path[:-1], far]})
    change = {"path": f"path[{len(path) - 1}]", "from": far, "to": end}
    assert [change] in [one.get("change") for one in (meant, *meant["or"])]


@pytest.mark.parametrize("place", moves(CALTH)[::7])
def test_a_hex_of_a_path_that_stands_there_twice(place: int) -> None:
    lines = lines_of(CALTH)
    path = lines[place]["path"]
    meant = first_told(lines, place, {"path": [*path, path[0]]})
    change = {"path": f"path[{len(path)}]", "from": path[0], "to": None}
    assert [change] in [one.get("change") for one in (meant, *meant["or"])]
    q, r = path[0]
    assert f"event {place} did not have {q},{r} a second time (the path, with the hex where it begins)" in meant["text"]


@pytest.mark.parametrize(("hex_", "number", "off"), [(0, 0, 1), (0, 1, -1), (1, 0, 1), (1, 1, -1)])
def test_a_door_of_which_one_number_is_one_off(hex_: int, number: int, off: int) -> None:
    log = example("CAL-SET-03/legal").log
    lines = [log["header"], *log["events"]]
    (place,) = (n for n, line in enumerate(lines) if line["type"] == "door")
    wrong = deepcopy(lines[place]["edge"])
    wrong[hex_][number] += off
    meant = first_told(lines, place, {"edge": wrong})
    assert meant["change"] == [{"path": "edge", "from": wrong, "to": lines[place]["edge"]}]
    assert f"event {place} had 1,0 and 2,0 instead of" in meant["text"]


def phases(game: str) -> list[int]:
    """The places of phases that begin, and in which somebody acts."""
    lines = lines_of(game)
    same = [n for n in range(1, len(lines) - 1) if lines[n]["type"] == "phase_start" and lines[n + 1]["type"] == "move"]
    return [n for n in same if lines[n - 1].get("phase") == lines[n]["phase"] == lines[n + 1]["phase"]]


@pytest.mark.parametrize("place", phases(INCHES))
def test_a_phase_that_neither_of_the_lines_on_both_sides_is_in(place: int) -> None:
    lines = lines_of(INCHES)
    meant = first_told(lines, place, {"phase": "assault"})
    assert meant["seq"] == lines[place]["seq"]
    assert meant["change"] == [{"path": "phase", "from": "assault", "to": lines[place]["phase"]}]


def test_the_places_are_those_of_some_lines() -> None:
    assert len(moves(CALTH)) > 20 and len(phases(INCHES)) > 1


def test_a_card_sent_to_a_wrong_sector_long_before_it_is_missed_there() -> None:
    lines = lines_of("hcg/games/extra-turn.json")
    place = 131
    assert lines[place]["type"] == "deploy.regular" and lines[place]["sector"] == 3
    meant = first_told(lines, place, {"sector": 1})
    assert meant["change"] == [{"path": "sector", "from": 1, "to": 3}] and meant["seq"] == lines[place]["seq"]
