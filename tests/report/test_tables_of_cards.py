"""Tables of cards: how each card lies is said in words, windows are a stack, sums are shown, and nothing raises."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.report.boards import Scene, View, draw, kind_of
from auditor.report.boards.cards import CARDS
from auditor.report.pages import report_page
from auditor.report.render import render
from auditor.report.replay import replay_page
from auditor.report.signs import page_defs
from auditor.systems.hcg.ruleset import RULESET
from tests.hcg.examples import audited, example, record_of
from tests.report.pages_of import LINKS, around, taken_apart
from tests.report.test_every_game import STATIC, Toy, is_seen_well, pages_of, sample_of
from tests.shares import in_turn

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def row(*cards: dict[str, Any], unknown: int = 0) -> dict[str, Any]:
    return {"cards": list(cards), "unknown": unknown}


RIDERS = {"card": "a-1", "title": "Riders", "face": "up", "position": "locked", "stats": {"speed": 3}, "flags": 1}
GUARD = {"card": "b-1", "title": "Guard", "face": "up", "position": "charging", "stats": {}, "flags": 2}
UNKNOWN_CARD = {"card": "b-9", "title": None, "face": "down", "position": "ready"}
SHIP = {"card": "a-7", "title": "Frigate", "face": "up", "position": "ready"}

BOARD: dict[str, Any] = {
    "kind": "cards",
    "roles": {"A": "attacker", "B": "defender"},
    "sectors": [
        {"slot": 1, "title": "Gate", "requirement": 4, "rows": {"A": row(), "B": row(unknown=2)}, "by": None},
        {"slot": 2, "title": "Keep", "requirement": 5, "rows": {"A": row(RIDERS), "B": row(GUARD, UNKNOWN_CARD)}},
    ],
    "zones": {"A": {"deck": 31, "fleet": row(SHIP), "deploy_hand": row(unknown=6)}, "B": {"deck": None}},
    "windows": [
        {"kind": "block", "next": "B", "passes": 0, "entries": [12]},
        {"kind": "tactics", "next": "A", "passes": 1, "entries": [13, 14]},
    ],
    "battle": {"sector": 2, "step": "battle", "next": "A", "passes": 0},
    "moment": {"part": "Turn 2", "short": "T2", "text": "Turn 2, battle"},
}
SUM = {"mark": "sum", "card": "a-1", "stat": "firepower", "parts": [["printed", 3], ["Bolter Drill", 2]], "total": 5}


def page(*marks: dict[str, Any], size: Literal["near", "whole"] = "whole", board: dict[str, Any] = BOARD) -> Any:
    return taken_apart(str(draw(Scene(board, marks), View(size=size))))


def test_each_card_lies_as_it_is_and_says_so() -> None:
    drawn = page()
    text = " ".join(drawn.text.split())
    for words in (
        "Riders",
        "speed 3 locked a-1 1 flag",
        "Guard",
        "charging b-1 2 flags",
        "b-9",
        "face down",
        "2 unknown",
    ):
        assert words in text, words
    full = {cls: len(drawn.all("div", cls)) for cls in ("locked", "charging", "back")}
    assert full == {"locked": 1, "charging": 1, "back": 3}
    assert "1 fleet" in text and "Frigate" in text
    assert "Keep sector 2 needs 5 flags" in text


FOUGHT = {
    **BOARD["sectors"][1],
    "flags": {"A": 3, "B": 0},
    "counted": {
        "A": [{"card": "a-1", "title": "Riders", "flags": 1}, {"card": "a-7", "title": "Frigate", "flags": 2}],
        "B": [{"card": "b-1", "title": "Guard", "flags": 0}],
    },
}


def test_each_row_of_the_sector_that_is_fought_for_is_the_sum_of_its_flags() -> None:
    drawn = page(board={**BOARD, "sectors": [BOARD["sectors"][0], FOUGHT]})
    assert [one.text.strip() for one in drawn.all("li", "rowsum")] == ["= 0 flags", "= 3 flags"]
    pens = [one.text.strip() for one in drawn.all("span", "counts")]
    assert pens == ["0 flags", "1 flag", "2 flags"]
    (elsewhere,) = (one for one in drawn.all("div", "hand"))
    assert "Frigate" in elsewhere.text and "+2 flags" in elsewhere.text and "a-7" in elsewhere.text
    assert not page().all("li", "rowsum") and not page().all("span", "counts")


def test_who_is_said_to_take_a_sector_has_an_arrow() -> None:
    taken = {"mark": "takes", "sector": 2, "player": "B", "how": "claimed"}
    said = " ".join(page(taken, board={**BOARD, "sectors": [BOARD["sectors"][0], FOUGHT]}).text.split())
    assert "▲ The log: B takes it with 0 flags against 3" in said
    assert CARDS.mark_words({**taken, "player": None}) == "The log: nobody takes it"


def test_of_all_sectors_one_lies_in_full_and_any_can_be_chosen() -> None:
    drawn = page()
    radios = drawn.all("input")
    assert [("checked" in one.attrs) for one in radios] == [False, True]
    assert len({one.attrs["name"] for one in radios}) == 1
    assert [" ".join(one.text.split()) for one in drawn.all("label")] == ["1 Gate needs 4", "2 Keep needs 5"]
    assert len(drawn.all("ul", "full")) == 4 and len(drawn.all("div", "both")) == 2


def test_the_innermost_window_comes_first() -> None:
    said = [" ".join(one.text.split()) for one in page().all("ol", "stack")]
    assert len(said) == 1
    assert said[0].index("Window for tactics: A may act; 1 pass in a row; events 13 and 14") < said[0].index(
        "Window for block: B may act; event 12"
    )


def test_near_shows_the_sectors_of_the_marks_and_the_others_small() -> None:
    act = {"mark": "attack", "from": "a-1", "to": "b-1", "label": "the shot", "ok": False}
    near = page(act, size="near")
    small = [one.attrs["aria-label"] for one in near.all("div", "small")]
    assert (small, [one.attrs["aria-label"] for one in near.all("div", "sector")]) == (
        ["Sector 1, Gate"],
        ["Sector 1, Gate", "Sector 2, Keep"],
    )
    assert "attacks" in near.text and "is attacked" in near.text
    assert len(near.all("ul", "full")) == 2 and not near.all("input")
    assert CARDS.mark_words(act) == "a-1 attacks b-1, not allowed: the shot"


def test_sums_tests_and_texts_are_shown() -> None:
    test = {"mark": "test", "need": 4, "roll": 3, "final": 5, "label": "with a modifier"}
    text = {"mark": "text", "card": "a-1", "text": "T. +2 firepower. Draw.", "from": 3, "to": 16, "label": "applied"}
    said = page({**SUM, "against": "armor 4"}, test, text).text
    assert "firepower 5 = 3 printed + 2 Bolter Drill, against armor 4" in said
    told = page({**SUM, "against": "armor 4", "outcome": "destroyed"}).text
    assert "firepower 5 = 3 printed + 2 Bolter Drill, against armor 4: destroyed" in told
    assert "needs 4 or more; rolled 3, became 5" in " ".join(said.split())
    assert [one.text for one in page(text).all("mark")] == ["+2 firepower."]
    whole = page({"mark": "text", "card": "a-1", "text": "T. +2 firepower."})
    assert "T. +2 firepower." in whole.text and not whole.all("mark")
    assert CARDS.mark_words({**SUM, "parts": [["printed", 3], ["Smoke", -1]], "total": 2}) == (
        "firepower 2 = 3 printed - 1 Smoke"
    )


def test_a_table_in_words() -> None:
    said = CARDS.description(Scene(BOARD))
    assert "Sector 1, Gate: 4 flags are required. A: no cards. B: 2 unknown cards" in said
    assert "Riders, locked" in said and "b-9, face down" in said
    assert CARDS.state(BOARD) == "Turn 2, battle. Battle at sector 2, battle step, A has the next action"


def test_changes_between_two_tables() -> None:
    sectors = [BOARD["sectors"][0], {**BOARD["sectors"][1], "by": "A", "rows": {"A": row(), "B": row(UNKNOWN_CARD)}}]
    zones = {"A": {"deck": 30, "fleet": row(SHIP), "discard": row(RIDERS)}, "B": {"deck": None}}
    said = CARDS.changes(BOARD, {**BOARD, "sectors": sectors, "zones": zones})
    assert said == ("Riders: sector 2 → discard; Guard is gone (sector 2); sector 2 taken by A; deck of A 31 → 30")
    assert CARDS.changes(BOARD, BOARD) == ""


def test_what_differs_from_the_picture_before_is_ringed() -> None:
    zones = {"A": {**BOARD["zones"]["A"], "deck": 30, "deploy_hand": row(unknown=7)}, "B": {"deck": None}}
    marks = CARDS.differing(BOARD, {**BOARD, "zones": zones})
    assert [(one["player"], one["zone"]) for one in marks] == [("A", "deploy_hand"), ("A", "deck")]
    drawn = page(*marks, board={**BOARD, "zones": zones})
    assert [" ".join(one.text.split()) for one in drawn.all(cls="changed")] == ["7 deploy hand, not shown", "30 deck"]
    assert CARDS.differing(BOARD, BOARD) == [] and not page().all(cls="changed")


def test_hands_and_decks_stand_beside_it() -> None:
    (side, rows), (_, others) = CARDS.beside(BOARD, ())
    assert side.id == "A"
    assert [(r.name, r.count, r.cards) for r in rows] == [
        ("deck", "31", ""),
        ("fleet", "1", "Frigate"),
        ("deploy hand", "6", "6 unknown cards"),
    ]
    assert [(r.name, r.count) for r in others] == [("deck", "?")]


JUNK = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=4)),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["cards", "card", "A"]), inner),
    max_leaves=6,
)


@given(st.fixed_dictionaries({}, optional={key: JUNK for key in BOARD if key != "kind"}), JUNK)
def test_whatever_a_board_says_it_is_drawn(part: dict[str, Any], value: Any) -> None:
    board = {**BOARD, **part}
    marks = [{**SUM, "parts": value, "label": "x"}, {"mark": "card", "card": value}, {"mark": "text", "text": value}]
    scene = Scene(board, marks)
    assert "board cards" in draw(scene, View(size="near")) and CARDS.description(scene)
    CARDS.beside(board, ())
    CARDS.changes(BOARD, board)
    CARDS.state(board)


@pytest.fixture
def game(monkeypatch: pytest.MonkeyPatch) -> Toy:
    """A block by a unit that is too slow, known to the engine as if the card game were registered."""
    log = example("HCG-SHOOT-03/illegal").log
    toy = Toy(RULESET, lambda: record_of(log), {}, "", audited(log)["findings"][0]["text"], "", "")
    toy.register(monkeypatch)
    return toy


def test_the_report_and_every_event_show_the_table(game: Toy) -> None:
    sample = sample_of(game)
    html = taken_apart(render("report.html", shell=around(), page=report_page(*sample.parts, LINKS)))
    assert game.finding in html.text and html.all("div", "cards")
    for frame in sample.frames:
        assert kind_of(frame["board"]) is CARDS
        event = replay_page(sample.audit, sample.frames, frame["seq"], *sample.parts[2:], LINKS)
        html = taken_apart(render("replay.html", shell=around(), page=event))
        assert html.all("div", "cards") and html.all("table", "ut"), frame["seq"]


@pytest.mark.browser
@pytest.mark.parametrize(("width", "scheme"), in_turn(0, [(1280, "light"), (390, "dark")]))
def test_its_pages_fit_a_screen_and_axe_finds_no_violation(
    game: Toy, chromium: Browser, width: int, scheme: Literal["light", "dark"]
) -> None:
    is_seen_well(pages_of(sample_of(game)), chromium, width, scheme, ".board.cards")


@pytest.mark.browser
def test_a_phone_shows_one_sector_at_a_time_and_goes_to_any(chromium: Browser) -> None:
    css = (STATIC / "app.css").read_text()
    tab = chromium.new_page(viewport={"width": 390, "height": 800})
    tab.set_content(f"<style>{css}</style>{page_defs()}{draw(Scene(BOARD), View())}")
    seen = tab.locator("div.sector").filter(visible=True)
    assert [one.get_attribute("aria-label") for one in seen.all()] == ["Sector 2, Keep"]
    tab.get_by_text("1 Gate").click()
    assert [one.get_attribute("aria-label") for one in seen.all()] == ["Sector 1, Gate"]
    tab.set_viewport_size({"width": 1280, "height": 800})
    assert seen.count() == 2
    tab.close()
