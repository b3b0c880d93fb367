"""Tables of inches: what stands on them is drawn to scale, a way shows where it became too long, and nothing raises."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.report.boards import Scene, View, draw, kind_of
from auditor.report.boards.inches import INCHES
from auditor.report.boards.inches.plane import WIDE, near, number, point, whole
from auditor.report.pages import report_page
from auditor.report.render import render
from auditor.report.replay import replay_page
from auditor.systems.clx.ruleset import RULESET
from tests.clx.examples import audited, example, examples, record_of
from tests.report.pages_of import LINKS, around, taken_apart
from tests.report.test_every_game import Toy, is_seen_well, pages_of, sample_of
from tests.shares import in_turn

if TYPE_CHECKING:
    from playwright.sync_api import Browser

BOARD: dict[str, Any] = {
    "kind": "inches",
    "width": "48",
    "depth": "36",
    "terrain": [
        {"id": "t-1", "name": "Ruin", "outline": [["10", "10"], ["16", "10"], ["16", "14"]], "blocks_sight": True},
        {
            **{"id": "t-2", "name": "Wood", "outline": [["30", "20"], ["36", "20"], ["36", "26"]], "difficult": True},
            "cover": "soft cover (6+)",
        },
    ],
    "models": [
        {"id": "a-1", "unit": "a", "player": "A", "at": ["6", "6"], "z": "0", "radius": "0.5", "wounds": 1},
        {"id": "a-2", "unit": "a", "player": "A", "at": ["8", "6"], "z": "3", "radius": "0.5", "wounds": 2},
        {
            "id": "tank",
            "unit": "b",
            "player": "B",
            "at": ["20", "20"],
            "hull": [["18", "19"], ["22", "19"], ["22", "21"], ["18", "21"]],
            "heading": "0",
        },
    ],
    "units": [{"id": "a", "name": "Line", "player": "A", "states": ["pinned"], "facing": "90"}],
    "acting": "a",
    "moment": {"part": "Turn 2", "short": "T2", "text": "Turn 2, movement phase"},
}

MARKS: list[tuple[dict[str, Any], str]] = [
    ({"mark": "way", "model": "a-1", "path": [["6", "6"], ["6", "13"]], "allowed": "6", "ok": False}, "act thin bad"),
    ({"mark": "gap", "from": ["6", "6"], "to": ["9", "6"], "length": "2"}, "len"),
    ({"mark": "net", "links": [[["6", "6"], ["8", "6"]]]}, "walk"),
    ({"mark": "zone", "at": ["6", "6"], "radius": "1.5", "ok": False}, "zone bad"),
    ({"mark": "range", "at": ["6", "6"], "length": "12"}, "range"),
    ({"mark": "line", "from": ["6", "6"], "to": ["20", "20"], "stopped": ["10", "10"]}, "ray beyond"),
    ({"mark": "arc", "at": ["6", "6"], "between": ["45", "135"], "length": "4"}, "range"),
    ({"mark": "limit", "from": ["6", "6"], "to": ["20", "20"]}, "range"),
    ({"mark": "model", "model": "a-1", "how": "claimed"}, "ringed claimed"),
    ({"mark": "spot", "at": ["6", "6"], "how": "ruled"}, "ringed ruled"),
]


def drawing(board: dict[str, Any], *marks: dict[str, Any], size: Literal["near", "whole"] = "whole") -> str:
    return str(draw(Scene(board, marks), View(size=size)))


@pytest.mark.parametrize(("mark", "drawn_as"), MARKS, ids=[mark["mark"] for mark, _ in MARKS])
def test_every_mark_is_drawn_lettered_and_told(mark: dict[str, Any], drawn_as: str) -> None:
    drawn = drawing(BOARD, {**mark, "label": "what it says"})
    assert f'class="{drawn_as}"' in drawn and 'class="let far"' in drawn
    assert f'class="{drawn_as}"' not in drawing(BOARD)
    said = INCHES.mark_words({**mark, "label": "what it says"})
    assert said.endswith(": what it says") and ("not allowed" in said) == (mark.get("ok") is False)


def test_a_table_is_drawn_to_scale() -> None:
    plane = whole(BOARD)
    assert plane.spot((0, 36)) == (0, 0) and plane.spot((48, 0)) == (WIDE, plane.depth)
    assert plane.depth == WIDE * 36 / 48
    drawn = drawing(BOARD)
    x, y = plane.spot((6, 6))
    assert f'translate({x:g} {y:g})"><title>a-1 of a (A) at 6, 6, 1 wound left</title>' in drawn
    assert f'r="{0.5 * WIDE / 48:.1f}"' in drawn


def test_a_way_shows_its_length_and_where_it_became_too_long() -> None:
    drawn = drawing(BOARD, MARKS[0][0], size="near")
    assert sorted(re.findall(r'class="len"[^>]*>([^<]+)<', drawn)) == ["6″", "7″"]
    assert re.findall(r'class="len bad"[^>]*>([^<]+)<', drawn) == ["1″ too far"]
    assert 'class="tick"' in drawn


HULL = [["18", "19"], ["22", "19"], ["22", "21"], ["18", "21"]]


@pytest.mark.parametrize("corners", [HULL, HULL[::-1]], ids=["against the clock", "with it"])
def test_what_is_so_far_from_a_hull_has_its_sides_moved_out_and_round_corners(corners: list[list[str]]) -> None:
    blast = {"mark": "range", "hull": corners, "length": "4", "label": "debris"}
    (path,) = re.findall(r'class="range" d="([^"]+)"', drawing(BOARD, blast))
    scale = WIDE / 48
    assert path.count("L") == 4 and path.count(f"A{4 * scale:g} {4 * scale:g} 0 0 1 ") == 4
    places = [(float(x), float(y)) for x, y in re.findall(r"([\d.]+) ([\d.]+)(?=[LAz])", path.replace("0 0 1 ", ""))]
    assert {min(x for x, _ in places), max(x for x, _ in places)} == {14 * scale, 26 * scale}
    assert {min(y for _, y in places), max(y for _, y in places)} == {(36 - 25) * scale, (36 - 15) * scale}
    near_it = near(BOARD, INCHES.interest(Scene(BOARD, [blast])))
    assert near_it.left <= 14 and near_it.right >= 26 and near_it.low <= 15 and near_it.high >= 25
    assert INCHES.mark_words(blast) == "a reach of 4 inches from the hull: debris"


def test_an_arc_with_a_name_has_it_written_in_it_off_its_middle() -> None:
    arc = {"mark": "arc", "at": ["20", "20"], "between": ["315", "405"], "length": "6", "name": "front <b>"}
    drawn = drawing(BOARD, arc)
    ((x, y, name),) = re.findall(r'class="len" x="([^"]+)" y="([^"]+)"[^>]*>([^<]+)<', drawn)
    assert name == "front &lt;b&gt;"
    left, middle = whole(BOARD).spot((20, 20))
    assert float(x) > left and abs(float(y) - middle) > 10


def test_what_an_arc_reaches_is_the_arc_and_not_the_circle_round_it() -> None:
    arc = {"mark": "arc", "at": ["20", "20"], "between": ["315", "405"], "length": "6"}
    places = INCHES.interest(Scene(BOARD, [arc]))
    assert min(x for x, _ in places) == 20 and max(x for x, _ in places) == 26
    assert {round(y, 3) for _, y in places} == {15.757, 20, 24.243}


def test_lengths_beside_each_other_stand_apart_and_the_one_that_is_too_long_is_there() -> None:
    """As event 61 of the faulty game: four models side by side go one way, seen from far off."""
    fine = [{"mark": "way", "path": [[x, "6"], [str(int(x) + 10), "6"]], "allowed": "10"} for x in ("5", "6", "7")]
    long = {"mark": "way", "path": [["8", "6"], ["18.5", "6"]], "allowed": "10", "ok": False}
    for others in (fine, fine * 8):
        drawn = drawing({**BOARD, "width": "72", "depth": "48"}, *others, long)
        lengths = re.findall(r'class="len" x="([^"]+)" y="([^"]+)"[^>]*>([^<]+)<', drawn)
        assert "10.5″" in [text for _, _, text in lengths]
        boxes = [(float(x), float(y), 8 * len(text)) for x, y, text in lengths]
        for n, (x, y, wide) in enumerate(boxes):
            assert all(abs(x - u) >= (wide + w) / 2 or abs(y - v) >= 15 for u, v, w in boxes[:n]), boxes


def test_a_finding_says_in_words_how_far_from_the_limit_it_is_and_what_is_tolerated() -> None:
    said = INCHES.extra({"excess": "5.772", "unit": "in", "tolerance": "0.015", "turn": 2})
    assert said == [
        ("away from the limit by", "5.772 inches"),
        ("tolerance", "0.015 inch: what rounding in the log may come to, or what the tournament allows"),
        ("turn", "2"),
    ]
    assert INCHES.extra({"turn": 2}) is None


@pytest.mark.parametrize("about", [[(1.0, 1.0)], [(47.0, 35.0)], [(6.0, 6.0), (20.0, 20.0)], [(60.0, -3.0)]])
def test_what_is_near_lies_on_the_table_and_holds_its_places(about: list[tuple[float, float]]) -> None:
    plane = near(BOARD, about)
    assert 0 <= plane.left < plane.right <= 48 and 0 <= plane.low < plane.high <= 36
    for x, y in about:
        if 0 <= x <= 48 and 0 <= y <= 36:
            assert plane.left <= x <= plane.right and plane.low <= y <= plane.high


def test_a_table_in_words() -> None:
    said = INCHES.description(Scene(BOARD))
    assert "A table of 48 by 36 inches" in said and "Ruin (t-1): blocks sight" in said
    assert "Wood (t-2): difficult ground, soft cover (6+)" in said
    assert "Line (A): 2 models round 7.0, 6.0; pinned" in said and "b (B): 1 model at 20, 20" in said
    assert INCHES.state(BOARD) == "Turn 2, movement phase" and INCHES.when(BOARD) == "Turn 2"
    assert INCHES.value(["1.5", "2"], "pos") == "(1.5, 2)" and INCHES.value(["1.5", "2"], "dice") is None


def test_changes_between_two_tables() -> None:
    moved = {**BOARD["models"][0], "at": ["6", "12"]}
    after = {**BOARD, "models": [moved], "units": [{"id": "a", "states": ["falling_back"]}]}
    said = INCHES.changes(BOARD, after)
    assert "Line: a-1 moved (6, 6) → (6, 12), without a-2, now falling back, no longer pinned" in said
    assert "b: without tank" in said
    assert INCHES.changes(BOARD, BOARD) == ""


def test_units_stand_beside_it() -> None:
    (side, rows), (_, others) = INCHES.beside(BOARD, ())
    assert side.id == "A" and [(r.id, r.models, r.wounds, r.states, r.acting) for r in rows] == [
        ("a", "2", "3", "pinned", True)
    ]
    assert [(r.id, r.wounds) for r in others] == [("b", "?")]


ANY = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=4), st.lists(st.integers()))


@given(
    st.dictionaries(st.sampled_from(["id", "n", "unit", "player", "at", "z", "radius", "hull", "heading"]), ANY),
    ANY,
    ANY,
)
def test_whatever_a_board_says_it_is_drawn(model: dict[str, Any], wide: Any, place: Any) -> None:
    board = {**BOARD, "width": wide, "models": [model, *BOARD["models"]]}
    marks = [{**mark, "at": place, "path": place, "label": "x"} for mark, _ in MARKS]
    for size in ("near", "whole"):
        assert "<svg" in draw(Scene(board, marks), View(size=size))
    assert INCHES.description(Scene(board, marks))
    assert point(place) is None or all(number(c) is not None for c in place[:2])


def test_every_board_of_the_examples_is_of_this_kind_and_drawn() -> None:
    shown = 0
    for one in examples("illegal", "CLX-MOVE-*"):
        for finding in audited(one.log)["findings"] if one.name == "illegal" else ():
            evidence = finding["evidence"]
            if evidence is None:
                continue
            scene = Scene(evidence["before"], evidence["marks"], evidence["sight"], evidence["path"] or ())
            assert kind_of(scene.board) is INCHES
            assert 'class="marks"' in draw(scene, View(size="near")), str(one)
            shown += 1
    assert shown >= 4


@pytest.fixture
def game(monkeypatch: pytest.MonkeyPatch) -> Toy:
    """A recorded move of Calixtus' Edition that comes too near the enemy, known to the engine as if it were registered."""
    log = example("CLX-MOVE-02/illegal").log
    found = audited(log)["findings"][0]["text"]
    toy = Toy(RULESET, lambda: record_of(log), {}, "", found, "", "")
    toy.register(monkeypatch)
    return toy


def test_the_report_and_every_event_show_the_table(game: Toy) -> None:
    sample = sample_of(game)
    page = taken_apart(render("report.html", shell=around(), page=report_page(*sample.parts, LINKS)))
    assert game.finding in page.text and page.all("svg", "board")
    for frame in sample.frames:
        event = replay_page(sample.audit, sample.frames, frame["seq"], *sample.parts[2:], LINKS)
        page = taken_apart(render("replay.html", shell=around(), page=event))
        assert page.all("svg", "board") and page.all("table", "ut"), frame["seq"]


@pytest.mark.browser
@pytest.mark.parametrize(("width", "scheme"), in_turn(1, [(1280, "light"), (390, "dark")]))
def test_its_pages_fit_a_screen_and_axe_finds_no_violation(
    game: Toy, chromium: Browser, width: int, scheme: Literal["light", "dark"]
) -> None:
    is_seen_well(pages_of(sample_of(game)), chromium, width, scheme, "svg.board")
