"""Places of a board as a player finds them: coordinates at its rim, and the names that are printed on it."""

from __future__ import annotations

import re
from typing import Any

from auditor.report.boards import Scene, View, draw, kind_of, speech_of
from auditor.report.boards.hex.places import edge_words, hex_words, names_of, path_words
from auditor.report.boards.hex.words import aim_words
from auditor.report.words import value_words
from auditor.systems.calth.pack_shapes import BoardHex, BoardPack
from auditor.systems.calth.packs import board_of

HEXES = [[q, r, "open"] for q in range(-2, 3) for r in range(-2, 3) if abs(q + r) <= 2]


def board(**changes: Any) -> dict[str, Any]:
    unit = {"id": "um-1", "side": "UM", "hex": [1, 0], "tp": 1, "models": []}
    return {"kind": "hex", "hexes": HEXES, "edges": [], "barricades": [], "units": [unit], "acting": None, **changes}


def drawn(value: dict[str, Any]) -> str:
    return str(draw(Scene(value), View(size="whole")))


def test_every_row_and_column_has_its_coordinate_at_the_rim_once():
    (rim,) = re.findall(r'<g class="rim">(.*?)</g>', drawn(board()))
    rows = re.findall(r'<text class="row"[^>]*>(-?\d+)</text>', rim)
    columns = re.findall(r'<text x="[^>]*>(-?\d+)</text>', rim)
    assert sorted(map(int, rows)) == sorted(map(int, columns)) == [-2, -1, 0, 1, 2]
    spots = re.findall(r'x="([-\d.]+)" y="([-\d.]+)"', rim)
    apart = [(float(x), float(y)) for x, y in spots]
    assert all(abs(a[0] - b[0]) + abs(a[1] - b[1]) > 20 for i, a in enumerate(apart) for b in apart[:i])
    left, top, wide, high = map(float, re.search(r'viewBox="([^"]+)"', drawn(board())).group(1).split())
    assert all(left + 10 <= x <= left + wide and top <= y <= top + high for x, y in apart)


def test_a_hex_is_called_by_the_name_that_is_printed_on_it():
    named = [[*h, "C7"] if h[:2] == [1, 0] else h for h in HEXES]
    value = board(hexes=named)
    assert ">C7</text>" in drawn(value) and ">1,0</text>" not in drawn(value)
    assert "um-1 (UM) in C7 (1,0)" in drawn(value)
    moved = board(hexes=named, units=[{**value["units"][0], "hex": [0, 0]}])
    assert kind_of(value).changes(moved, value) == "um-1 moved 0,0 → C7 (1,0)"
    names = names_of(value)
    assert hex_words([1, 0], names) == "C7 (1,0)"
    assert path_words([[0, 0], [1, 0]], names) == "0,0 → C7 (1,0)"
    assert edge_words([[1, 0], [0, 0]], names) == "C7 (1,0) | 0,0"
    assert aim_words([1, 0], [1, 0], names) == "the centre of C7 (1,0)"
    assert names_of(board()) == {}


def test_marks_and_values_are_told_by_the_names_of_their_board():
    named = board(hexes=[[*h, "C7"] if h[:2] == [1, 0] else h for h in HEXES])
    speech = speech_of(named)
    assert speech.mark_words({"mark": "move", "path": [[0, 0], [1, 0]], "ok": False}) == "0,0 → C7 (1,0), not allowed"
    assert speech.mark_words({"mark": "hex", "hex": [1, 0], "how": "ruled"}) == "C7 (1,0), by the rules"
    assert speech.mark_words({"mark": "edge", "edge": [[0, 0], [1, 0]]}) == "0,0 | C7 (1,0)"
    assert speech.mark_words({"mark": "shot", "from": [1, 0], "to": [0, 0]}) == "C7 (1,0) shoots at 0,0"
    assert value_words([[1, 0], [0, 0]], "path", speech) == "C7 (1,0) → 0,0"
    assert value_words([1, 0], "hex", speech) == "C7 (1,0)"
    assert speech_of(board()) is kind_of(board())


def test_names_come_from_the_pack_of_a_board_and_each_is_of_one_hex():
    hexes = [BoardHex(q=0, r=0, name="A1"), BoardHex(q=1, r=0), BoardHex(q=2, r=0, name="A1")]
    made, wrong = board_of(BoardPack(id="hall", title="Hall", hexes=hexes))
    assert [(one.path, one.expected) for one in wrong] == [("hexes[2].name", "a name for one hex")]
    assert made.names[0, 0] == "A1"
    assert made.names.keys() == {(0, 0), (2, 0)}
