"""Boards, marks and lines of sight are drawn where they are, and each can be told from the others without colour."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import pytest

from auditor.report.boards import Scene, View, draw, kind_of, letters
from auditor.report.boards.hex import HEX, plane
from auditor.report.boards.hex.marks import mark_words
from auditor.report.boards.hex.sightline import contacts
from auditor.report.boards.hex.signs import ACTING, BADGES, TOKENS
from auditor.report.boards.hex.words import aim_words, contact_line
from auditor.report.boards.pen import MOST_DRAWN, Sheet
from tests.report.golden import ALONG, FOLDER, GROUND, UNITS, board, board_svg, pictures, unit
from tests.report.pages_of import taken_apart


@pytest.mark.parametrize("name", sorted(pictures()))
def test_the_small_pictures_are_as_they_were_accepted(name: str) -> None:
    kept = (FOLDER / f"{name}.svg").read_text(encoding="utf-8")
    assert str(pictures()[name]).replace("><", ">\n<") + "\n" == kept


def classes(drawn: str) -> set[str]:
    """Every class in a picture, and every pair such as 'act bad'."""
    found = set(re.findall(r'class="([^"]+)"', drawn))
    return found | {part for cls in found for part in cls.split()}


MARKS: list[tuple[dict[str, Any], set[str]]] = [
    ({"mark": "move", "path": [[0, 0], [0, 1]], "ok": True, "label": "x"}, {"act", "act head", "let"}),
    (
        {"mark": "move", "path": [[0, 0], [0, 1]], "ok": False, "label": "x"},
        {"act bad", "act head bad", "cross", "let"},
    ),
    ({"mark": "move", "path": [[0, 0]], "ok": True, "label": "x"}, {"eye", "let"}),
    ({"mark": "hex", "hex": [0, 1], "label": "x", "how": "bad"}, {"ringed bad", "closer-bg", "cross", "let"}),
    ({"mark": "hex", "hex": [0, 1], "label": "x", "how": "claimed"}, {"ringed claimed", "let"}),
    ({"mark": "hex", "hex": [0, 1], "label": "x", "how": "ruled"}, {"ringed ruled", "let"}),
    ({"mark": "hex", "hex": [0, 1], "label": "x", "how": "note"}, {"ringed note", "let"}),
    ({"mark": "unit", "unit": "um-1", "hex": [0, 0], "label": "x"}, {"called", "let"}),
    ({"mark": "unit", "unit": "um-1", "hex": None, "label": "x"}, {"called", "let"}),
    ({"mark": "edge", "edge": [[0, 0], [0, 1]], "label": "x", "how": "bad"}, {"shut", "shut-bg", "let"}),
    ({"mark": "edge", "edge": [[0, 0], [0, 1]], "label": "x", "how": "note"}, {"sided", "let"}),
    ({"mark": "shot", "from": [0, 0], "to": [2, -1], "ok": True, "label": "x"}, {"shot", "act head", "let"}),
    ({"mark": "shot", "from": [0, 0], "to": [2, -1], "ok": False, "label": "x"}, {"shot bad", "act head bad", "cross"}),
]


@pytest.mark.parametrize(
    ("mark", "drawn_as"), MARKS, ids=[f"{m['mark']}-{m.get('how', m.get('ok'))}" for m, _ in MARKS]
)
def test_every_mark_is_drawn_and_lettered(mark: dict[str, Any], drawn_as: set[str]) -> None:
    bare = classes(board_svg(board(*UNITS)))
    drawn = board_svg(board(*UNITS), marks=[mark])
    assert drawn_as <= classes(drawn) - bare
    assert f">{letters([mark])[0]}</text>" in drawn
    assert taken_apart(drawn).all("desc")[0].text.count(mark_words(mark)) == 1


@pytest.mark.parametrize("broken", [
    {"mark": "hex", "hex": None}, {"mark": "edge", "edge": [[0, 0], [5, 5]], "how": "bad"},
    {"mark": "edge", "edge": []},
    {"mark": "unit", "unit": "nobody"}, {"mark": "shot", "from": [0, 0], "to": None}, {"mark": "move", "path": []},
    {"mark": "unheard of"}, {},
])  # fmt: skip
def test_a_mark_that_has_no_place_is_left_out_and_the_board_is_drawn(broken: dict[str, Any]) -> None:
    drawn = board_svg(board(*UNITS), marks=[{**broken, "label": "words"}])
    assert "tok" in classes(drawn) and "let" not in classes(drawn)
    assert "words" in taken_apart(drawn).all("desc")[0].text


def test_letters_that_would_lie_on_each_other_stand_apart() -> None:
    same = {"mark": "hex", "hex": [0, 1], "label": "x", "how": "note"}
    drawn = board_svg(board(), marks=[same, dict(same), dict(same)])
    places = re.findall(r'class="let" transform="translate\(([-\d.]+) ([-\d.]+)\)"', drawn)
    spots = [(float(x), float(y)) for x, y in places]
    assert len(spots) == 3
    for i, (x, y) in enumerate(spots):
        assert all((x - u) ** 2 + (y - v) ** 2 >= 15**2 for u, v in spots[:i])


def test_badges_tokens_and_rings_differ_in_shape() -> None:
    for shapes in (BADGES, TOKENS, ACTING):
        assert len(set(shapes.values())) == len(shapes)
    assert set(BADGES) == {"through", "along", "corner", "door", "door_end", "door_along"}


def test_the_line_is_solid_to_where_it_stops_and_dotted_beyond() -> None:
    drawn = board_svg(board(*UNITS), sight=ALONG)
    # From 0,0 to 2,-1 the hexside of 1,-1 and 1,0 runs from a third of the way to two thirds (catalogue 17, example 2).
    assert '<path class="ray" d="M0 0L29.4 -17"/>' in drawn
    assert '<path class="ray beyond" d="M29.4 -17L88.3 -51"/>' in drawn
    clear = {**ALONG, "stop": None, "sight": "clear", "crossings": [{**ALONG["crossings"][0], "stops": False}]}
    drawn = board_svg(board(*UNITS), sight=clear)
    assert '<path class="ray" d="M0 0L88.3 -51"/>' in drawn and "beyond" not in classes(drawn)
    assert "rail" in classes(drawn) and "closer" not in classes(drawn)


def test_where_the_line_is_drawn_the_shot_is_not_drawn_again() -> None:
    shot = {"mark": "shot", "from": [0, 0], "to": [2, -1], "ok": True}
    assert "shot" in classes(board_svg(board(*UNITS), marks=[shot]))
    assert "shot" not in classes(board_svg(board(*UNITS), marks=[shot], sight=ALONG))
    crossed = classes(board_svg(board(*UNITS), marks=[{**shot, "ok": False}], sight=ALONG))
    assert "shot bad" not in crossed and "cross" in crossed


def test_each_kind_of_contact_has_its_badge_at_its_place() -> None:
    sight = {
        "from": [0, 0],
        "to": [5, -4],
        "sight": "clear",
        "crossings": [
            {"n": 1, "hexes": [[1, -1]], "how": "through", "closed": False, "stops": False},
            {"n": 2, "hexes": [[2, -1]], "how": "corner", "closed": True, "stops": False},
            {"n": 3, "edge": [[1, -1], [2, -2]], "how": "door_end", "stops": False},
            {"n": 4, "hexes": [[2, -2]], "how": "through", "closed": False, "stops": False},
        ],
        "stop": None,
        "line": None,
        "seen": [],
    }
    met = contacts(sight)
    third = Fraction(1, 3)
    # Example 4 of the catalogue: the line meets 2,-1 in one corner only, a third of the way along.
    assert [c.span for c in met[1:3]] == [(third, third), (third, third)]
    assert met[0].span == (Fraction(1, 9), third)
    drawn = board_svg(board(), sight=sight)
    places = re.findall(r'class="mk" transform="translate\(([-\d.]+ [-\d.]+)\)"', drawn)
    assert len(places) == len(set(places)) == 4
    for how in ("through", "corner", "door_end"):
        assert BADGES[how] in drawn


def test_doors_stop_a_line_where_it_crosses_them() -> None:
    sight = {
        "from": [0, 0],
        "to": [3, 0],
        "sight": "none",
        "crossings": [
            {"n": 1, "hexes": [[1, 0]], "how": "through", "closed": False, "stops": False},
            {"n": 2, "edge": [[1, 0], [2, 0]], "how": "door", "stops": True},
            {"n": 3, "hexes": [[2, 0]], "how": "through", "closed": False, "stops": False},
        ],
        "stop": 2,
        "line": None,
        "seen": [],
    }
    met = contacts(sight)
    assert met[1].span == (Fraction(1, 2), Fraction(1, 2)) and met[1].stops
    assert [c.reached for c in met] == [True, True, False]
    drawn = board_svg(board(), sight=sight)
    assert "shut" in classes(drawn) and "mk idle" in classes(drawn) and "mk stop" in classes(drawn)


def test_the_part_that_can_be_seen_and_the_line_used_are_drawn_where_they_are() -> None:
    sight = {
        **ALONG,
        "sight": "obscured",
        "line": {"to": ["5/3", "-2/3"], "wide": True},
        "seen": [[["4/3", "-2/3"], ["5/3", "-4/3"], ["2", "-1"]]],
    }
    drawn = board_svg(board(*UNITS), sight=sight)
    x, y = plane.spot((Fraction(5, 3), Fraction(-2, 3)))
    assert f'class="aim" d="M0 0L{x:.1f} {y:.0f}"' in drawn
    corners = [plane.spot((Fraction(q), Fraction(r))) for q, r in (("4/3", "-2/3"), ("5/3", "-4/3"), ("2", "-1"))]
    for x, _ in corners:
        assert f"{x:.1f}".rstrip("0").rstrip(".") in drawn
    assert {"seen", "fan", "aimpt", "aim head"} <= classes(drawn)
    assert 'fill="url(#p-seen)"' in drawn


def test_a_hex_off_the_board_that_stops_the_line_is_outlined_and_in_the_picture() -> None:
    sight = {**ALONG, "from": [0, 0], "to": [0, -2], "crossings": [
        {"n": 1, "hexes": [[0, -1]], "how": "through", "closed": True, "stops": True}]}  # fmt: skip
    drawn = board_svg(board(), sight=sight)
    assert {"ghosthex", "closer"} <= classes(drawn)
    top = float(re.findall(r'viewBox="\S+ (\S+)', drawn)[0])
    assert top < plane.spot((0, -2))[1]
    assert contact_line(contacts(sight)[0], board()).note == "off the board"


def test_a_counted_path_has_a_number_for_each_step_but_the_start() -> None:
    drawn = board_svg(board(), path=[[0, 0], [1, -1], [2, -1]])
    walk = drawn[drawn.index('<g class="wk">') :]
    assert re.findall(r">(\d+)</text>", walk) == ["1", "2"]


@pytest.mark.parametrize(
    ("tp", "drawn_as"), [(0, ["tp off"]), (1, ["tp"]), (3, ["tp"] * 3), (7, ["tp", "tpq"]), (None, ["tpq"])]
)
def test_tactical_points_are_triangles(tp: int | None, drawn_as: list[str]) -> None:
    drawn = board_svg(board(unit("um-1", "UM", [0, 0], tp)))
    assert re.findall(r'class="(tp[^"]*)"', drawn) == drawn_as


def test_models_are_pills_as_long_as_their_bulk_and_always_fit_the_token() -> None:
    for bulks in ((1,), (2, 1), (3,), (1, 1, 1, 1, 1, 1, 1, 1), (3, 3, 3)):
        drawn = board_svg(board(unit("um-1", "UM", [0, 0], 1, bulks)))
        pills = [(float(x), float(w)) for x, w in re.findall(r'class="mod" x="(\S+)" y="8" width="(\S+)"', drawn)]
        assert len(pills) == len(bulks)
        assert pills[0][0] >= -13 and pills[-1][0] + pills[-1][1] <= 13
        lengths = [w for _, w in pills]
        assert [b for _, b in sorted(zip(lengths, bulks, strict=True))] == sorted(bulks)


def test_a_side_looks_the_same_whoever_else_is_on_the_board() -> None:
    alone = board_svg(board(unit("wb-1", "WB", [0, 0])), sides=["UM", "WB"])
    assert TOKENS["b"] in alone and TOKENS["a"] not in alone
    stranger = board_svg(board(unit("x-1", "XX", [0, 0])), sides=["UM", "WB"])
    assert TOKENS["c"] in stranger


def test_boards_on_one_page_share_their_ground() -> None:
    sheet = Sheet()
    first = board_svg(board(*UNITS), sheet=sheet)
    second = board_svg(board(UNITS[0]), sheet=sheet)
    assert "hex blocked" not in first and sheet.defs().count('class="hex blocked"') == 1
    assert re.findall('<use href="#(L1)"', first) == re.findall('<use href="#(L1)"', second) == ["L1"]
    opened = {**board(), "edges": [{"edge": [[0, 0], [0, 1]], "feature": "door_open"}]}
    board_svg(opened, sheet=sheet)
    assert sheet.defs().count('class="hex blocked"') == 1, "a door that opens leaves the ground as it was"


def test_a_page_draws_boards_while_it_has_room_and_says_where_the_others_are() -> None:
    scene, other = Scene(board(*UNITS)), Scene(board(UNITS[0]))
    for room, drawn in ((1, 1), (MOST_DRAWN, 3)):
        view = View(sheet=Sheet(room))
        made = [draw(one, view) for one in (scene, scene, other)]
        assert [one.startswith("<svg") for one in made] == [True] * drawn + [False] * (3 - drawn)
        assert all("not drawn" in one and "replay" in one for one in made[drawn:])


def test_near_shows_less_than_whole_and_two_boards_can_show_the_same() -> None:
    wide = {**GROUND, "hexes": [[q, r, "open"] for q in range(20) for r in range(20)]}
    marks = [{"mark": "hex", "hex": [3, 3], "label": "", "how": "bad"}]
    box = re.compile(r'viewBox="([^"]+)"')
    whole, near = (box.findall(board_svg(wide, marks=marks, size=s))[0].split() for s in ("whole", "near"))
    assert float(near[2]) < float(whole[2]) / 2
    again = board_svg(wide, size="near", focus=HEX.interest(Scene(wide, marks)))
    assert box.findall(again)[0].split() == near


def test_a_board_of_an_unknown_kind_is_described() -> None:
    assert "Units: a, 0." in board_svg({"kind": "unheard of", "units": ["a", "0"]})
    assert "All is quiet." in board_svg({"kind": "unheard of", "text": "All is quiet.", "units": ["a", "0"]})
    assert "no board" in board_svg(None)
    assert kind_of({"kind": "hex"}) is HEX


def test_the_key_names_every_sign_once() -> None:
    words = [w for _, w in HEX.key_items(["UM", "WB"])]
    assert len(words) == len(set(words))
    assert {"UM", "WB", "blocked", "rubble", "sealed door", "open door", "obstruction", "barricade"} <= set(words)


def test_the_words_of_a_sight() -> None:
    said = dict(HEX.answers(Scene(board(), (), ALONG, [[0, 0], [1, -1], [2, -1]])))
    assert said["Line of sight"] == "none"
    assert said["The log claims"] == "clear (not as computed)"
    assert said["Centre line"] == "stopped at contact 1, along 1,-1 | 1,0"
    assert said["Counted along"] == "0,0 → 1,-1 → 2,-1"


@pytest.mark.parametrize(("point", "words"), [
    (["2", "-1"], "the centre of 2,-1"),
    (["7/3", "-5/3"], "the upper corner of 2,-1"),
    (["5/3", "-4/3"], "the upper left corner of 2,-1"),
    (["4/3", "-2/3"], "the lower left corner of 2,-1"),
    (["5/3", "-1/3"], "the lower corner of 2,-1"),
    (["8/3", "-4/3"], "the upper right corner of 2,-1"),
    (["3/2", "-1"], "a point on the left side of 2,-1"),
    (["2", "-3/2"], "a point on the upper left side of 2,-1"),
    (["5/2", "-1"], "a point on the right side of 2,-1"),
    (["9/4", "-1"], "a point inside 2,-1"),
    (["9", "9"], "a point off that hex"),
])  # fmt: skip
def test_an_aim_point_is_named_by_its_place_in_the_hex(point: list[str], words: str) -> None:
    assert aim_words(point, [2, -1]) == words
    (x, y), (cx, cy) = plane.spot(plane.place(point)), plane.spot((2, -1))
    drawn = {"left": x < cx - 1, "right": x > cx + 1, "upper": y < cy - 1, "lower": y > cy + 1}
    assert all(drawn[word] for word in drawn if word in words)


def test_who_acts_is_said_and_drawn() -> None:
    assert HEX.state(board()) == "Round 1, action phase, UM to act, UM has the initiative"
    assert "acting" in classes(board_svg(board(*UNITS, acting="um-1")))
    assert "acting" not in classes(board_svg(board(*UNITS)))
