"""The second opinion on sight and distance against the worked examples of catalogue section 17."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from auditor.conformance.calth.board import Board, edge_of
from auditor.conformance.calth.boards import hexagon, random_board
from auditor.conformance.calth.sight import Scene, is_clear, legal_lines, look

OPEN_GROUND = dict.fromkeys(hexagon(9), "open")
DOOR = edge_of((1, -1), (2, -2))


def seen(start, end, *, blocked=(), occupied=(), doors=(), kinds=None, **readings):
    ground = dict(kinds or OPEN_GROUND)
    ground.update(dict.fromkeys(blocked, "blocked"))
    asked = {name.replace("_", "-"): chosen for name, chosen in readings.items()}
    return look(Scene(Board(ground), start, end, set(occupied), set(doors), asked)).kind


@pytest.mark.parametrize(
    ("start", "end", "table", "answer"),
    [
        ((0, 0), (2, -1), {"blocked": [(1, 0)]}, "clear"),
        ((0, 0), (2, -1), {"blocked": [(1, 0), (1, -1)]}, "none"),
        ((0, 0), (2, -1), {"blocked": [(1, 0)], "occupied": [(1, -1)]}, "obscured"),
        ((0, 0), (2, -1), {"blocked": [(1, 0)], "occupied": [(1, -1)], "R_LOS_EDGEMIX": "same_kind"}, "clear"),
        ((0, 0), (5, -4), {"blocked": [(2, -1)]}, "clear"),
        ((0, 0), (5, -4), {"blocked": [(2, -1)], "R_LOS_VERTEX": "blocks"}, "obscured"),
        ((0, 0), (5, -4), {"doors": [DOOR]}, "clear"),
        ((0, 0), (5, -4), {"doors": [DOOR], "R_LOS_TIP": "touch_blocks"}, "obscured"),
        ((0, 0), (5, -4), {"doors": [DOOR], "blocked": [(2, -1)]}, "none"),
        ((0, 0), (5, -4), {"doors": [DOOR], "blocked": [(2, -1)], "R_LOS_TIP": "graze_ok"}, "clear"),
        ((0, 0), (3, 0), {"occupied": [(1, 0)]}, "obscured"),
        ((0, 0), (3, 0), {"doors": [edge_of((1, 0), (2, 0))]}, "none"),
        ((0, 0), (3, 0), {"doors": [edge_of((1, 0), (2, 0))], "R_OBS_POINT": "closed"}, "obscured"),
        ((0, 0), (2, 1), {"blocked": [(1, 1)]}, "obscured"),
        ((2, 1), (0, 0), {"blocked": [(1, 1)]}, "none"),
        ((2, 1), (0, 0), {"blocked": [(1, 1)], "R_OBS_POINT": "closed"}, "obscured"),
        ((0, 0), (2, 2), {"occupied": [(1, 1)], "blocked": [(1, 0), (1, 2)]}, "obscured"),
        ((0, 0), (2, 2), {"occupied": [(1, 1)], "blocked": [(1, 0), (1, 2)], "R_OBS_WIDTH": "width"}, "none"),
        ((0, 0), (1, 1), {"kinds": {(0, 0): "open", (1, 0): "blocked", (1, 1): "open"}}, "none"),
        (
            (0, 0),
            (1, 1),
            {"kinds": {(0, 0): "open", (1, 0): "blocked", (1, 1): "open"}, "R_LOS_OFFBOARD": "ignored"},
            "clear",
        ),
    ],
)
def test_the_worked_examples_of_sight_come_out_as_the_catalogue_says(start, end, table, answer):
    assert seen(start, end, **table) == answer


def test_the_worked_examples_of_distance_come_out_as_the_catalogue_says():
    round_the_block = Board({**OPEN_GROUND, (1, 0): "blocked"})
    assert round_the_block.distance((0, 0), (2, 0), (), (), {}) == 3
    assert Board(OPEN_GROUND).distance((0, 0), (2, 0), {edge_of((0, 0), (1, 0))}, (), {}) == 3


def test_a_hex_behind_a_wall_is_within_no_distance():
    walled = Board({(0, 0): "open", (1, 0): "blocked", (2, 0): "open"})
    assert walled.distance((0, 0), (2, 0), (), (), {}) is None


@pytest.mark.parametrize("seed", range(4))
def test_clear_sight_is_the_same_both_ways_and_allows_an_obscured_line(seed):
    rng = Random(seed)
    board = Board.read(random_board(rng, radius=3))
    ground = sorted(h for h in board.kinds if not board.is_shut(h))
    occupied = set(rng.sample(ground, 6))
    sealed = {edge for edge, shut in board.doors.items() if shut}
    for a, b in rng.sample(list(combinations(ground, 2)), 60):
        there = is_clear(Scene(board, a, b, occupied, sealed))
        assert there == is_clear(Scene(board, b, a, occupied, sealed)), (a, b)
        if there:
            assert any(legal_lines(Scene(board, a, b, occupied, sealed))), (a, b)


@pytest.mark.parametrize("seed", range(3))
def test_taking_an_obstacle_away_never_hides_anything(seed):
    rng = Random(seed)
    board = Board.read(random_board(rng, radius=3))
    ground = sorted(h for h in board.kinds if not board.is_shut(h))
    occupied = set(rng.sample(ground, 8))
    sealed = set(board.doors)
    order = {"none": 0, "obscured": 1, "clear": 2}
    for a, b in rng.sample(list(combinations(ground, 2)), 40):
        before = look(Scene(board, a, b, occupied, sealed)).kind
        fewer = set(rng.sample(sorted(occupied), 4))
        opened = set(rng.sample(sorted(sealed), len(sealed) // 2))
        assert order[look(Scene(board, a, b, fewer, opened)).kind] >= order[before], (a, b)
