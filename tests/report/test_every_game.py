"""Games that the reports have never heard of go through every output: what a board shows is its own affair."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

import pytest

from auditor import batch, engine
from auditor.cli.comparing import _difference_in_words
from auditor.core.record import Record
from auditor.core.ruleset import Ruleset
from auditor.engine import audits, games, replays, rulings
from auditor.report.boards import KINDS, UNKNOWN, Scene, View, draw, kind_of
from auditor.report.lists import counts, game_row
from auditor.report.onefile import onefile_csp, onefile_html
from auditor.report.pages import report_page
from auditor.report.render import render
from auditor.report.replay import replay_page
from auditor.report.sarif import sarif_log
from auditor.report.spreadsheet import csv_head
from auditor.web.guard import CSP
from tests.core.cards import CARDS, Attack, Block, Damage, Play
from tests.core.helpers import a_record, numbered
from tests.core.inches import INCHES, Move, Place, Shoot
from tests.e2e.looks import flaws
from tests.e2e.test_pages import OPEN_ALL, violations
from tests.report.pages_of import LINKS, around, taken_apart
from tests.report.samples import Sample
from tests.shares import in_turn, is_tried

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Route

STATIC = Path(__file__).parents[2] / "auditor" / "web" / "static"

PLAYERS = [{"id": "A", "name": "Ada Aster"}, {"id": "B", "name": "Ben Birk"}]


@dataclass(frozen=True)
class Toy:
    """A toy game with a record of it, and words that its reports have to hold."""

    ruleset: Ruleset
    record: Callable[[], Record]
    other_rulings: dict[str, Any]
    heading: str
    finding: str
    board: str
    """A sentence about the board before the finding."""
    mark: str

    def register(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Make it the only game that the engine knows, and its record what any log is read as."""
        for module in (games, rulings, audits, replays):
            monkeypatch.setattr(module, "GAMES", {self.ruleset.key: self.ruleset})
        for module in (audits, replays):
            monkeypatch.setattr(module, "read", lambda data, **_: self.record())
        monkeypatch.setattr(
            audits, "Reading", lambda data, **_: SimpleNamespace(record=lambda convention: self.record())
        )


def a_line() -> Record:
    events = numbered(
        Place(0, None, {"a": "0", "b": "20"}),
        Move(0, "A", "a", "13/2"),
        Move(0, "B", "b", "13"),
        Shoot(0, "A", "a", "b"),
    )
    return a_record(INCHES, events, header={"where": {"a": "0", "b": "20"}, "players": PLAYERS})


def a_table() -> Record:
    events = numbered(
        Play(0, "A", "bear", "x"),
        Play(0, "B", "crow", "y"),
        Attack(0, "A", "x"),
        Block(0, "B", "y"),
        Damage(0, "A", "x", 3),
    )
    return a_record(CARDS, events, header={"players": PLAYERS})


TOYS = {
    "inches": Toy(
        INCHES,
        a_line,
        {"readings": {"R-WHOLE": "rounded_down"}},
        "Turn 4, shooting",
        "b moved 7 inches; 6 are allowed.",
        "b stands at 20 inches.",
        "move (unit b, from 20, where it goes 13): a measured move",
    ),
    "cards": Toy(
        CARDS,
        a_table,
        {"readings": {"R-EQUAL": "equal_blocks"}},
        "Battle 3, sector 2",
        "y is too weak to block.",
        "Cards: x, bear; y, crow.",
        "card (slot y): block",
    ),
}


@pytest.fixture(params=sorted(TOYS))
def toy(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Toy:
    """A toy game, known to the engine as if it were registered."""
    toy = TOYS[request.param]
    toy.register(monkeypatch)
    return toy


def log_of(toy: Toy) -> bytes:
    return json.dumps({"type": "header", "game": toy.ruleset.key, "format": 1, "players": PLAYERS}).encode() + b"\n"


def sample_of(toy: Toy) -> Sample:
    """What every page of a toy game is made from, each event with its board."""
    log, key = log_of(toy), toy.ruleset.key
    seqs = [entry["seq"] for entry in engine.timeline(log)]
    frames = engine.replay_frames(log, seqs=seqs)
    return Sample(engine.audit_log(log), frames, engine.rules(key), engine.readings(key), engine.log_heading(log))


def pages_of(sample: Sample) -> dict[str, tuple[str, str]]:
    """Every page of a game by its path, with its policy: one file, report, and each event."""
    pages = {"/onefile": (onefile_csp(), onefile_html(*sample.parts))}
    pages["/report"] = (CSP, render("report.html", shell=around(), page=report_page(*sample.parts, LINKS)))
    for seq in (frame["seq"] for frame in sample.frames):
        event = replay_page(sample.audit, sample.frames, seq, *sample.parts[2:], LINKS)
        pages[f"/replay/{seq}"] = (CSP, render("replay.html", shell=around(), page=event))
    return pages


def _is_for_axe(path: str, width: int) -> bool:
    return not path.startswith("/replay") or is_tried(4, path, width)


def is_seen_well(pages: Mapping[str, tuple[str, str]], chromium: Browser, width: int, scheme: Any, board: str) -> None:
    """Each page fits and a board is seen on it; axe finds no violation on any but the replay, and on a share of that."""
    context = chromium.new_context(
        viewport={"width": width, "height": 800}, color_scheme=scheme, reduced_motion="reduce"
    )
    tab = context.new_page()
    tab.route("**/*", lambda route: _answer(route, pages))
    for path in pages:
        tab.goto(f"http://toy.test{path}")
        tab.evaluate(OPEN_ALL)
        assert flaws(tab) == {}, path
        assert not _is_for_axe(path, width) or violations(tab) == [], path
        assert tab.locator(board).filter(visible=True).count() >= 1, path
    context.close()


def written(toy: Toy, form: str, **more: Any) -> str:
    """An audit as `auditor audit --format` writes it."""
    done = batch.Clerk(batch.Order(format=form, **more)).audit("toy.jsonl", log_of(toy))
    assert done.fault is None and done.wrong is None, done
    return done.part


def test_the_report_shows_the_finding_with_its_board_in_words(toy: Toy) -> None:
    sample = sample_of(toy)
    html = render("report.html", shell=around(), page=report_page(*sample.parts, LINKS))
    page = taken_apart(html)
    for words in (toy.finding, toy.board, toy.mark, toy.heading, "Ada Aster"):
        assert words in page.text, words
    assert page.all("div", "board-words") and not page.all("svg", "board")


def test_every_event_has_its_page_with_the_board_in_words(toy: Toy) -> None:
    sample = sample_of(toy)
    flagged = next(f for f in sample.audit["findings"] if f["text"] == toy.finding)
    for frame in sample.frames:
        seq = frame["seq"]
        event = replay_page(sample.audit, sample.frames, seq, *sample.parts[2:], LINKS)
        page = taken_apart(render("replay.html", shell=around(), page=event))
        assert toy.heading in page.text and page.all("div", "board-words")
        if seq == flagged["seq"]:
            assert toy.board in page.text and toy.finding in page.text and toy.mark in page.text
    assert len(sample.frames) >= 4


def test_one_file_holds_all_of_it(toy: Toy) -> None:
    sample = sample_of(toy)
    for html in (onefile_html(*sample.parts), written(toy, "html")):
        text = taken_apart(html).text
        assert all(words in text for words in (toy.finding, toy.heading, toy.board)), text[-2000:]


@pytest.mark.browser
@pytest.mark.parametrize(("width", "scheme"), in_turn(1, [(1280, "light"), (390, "dark")]))
def test_its_pages_fit_a_screen_and_paper_and_axe_finds_no_violation(
    toy: Toy, chromium: Browser, width: int, scheme: Literal["light", "dark"]
) -> None:
    pages = pages_of(sample_of(toy))
    context = chromium.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
    tab = context.new_page()
    said: list[str] = []
    tab.on("console", lambda message: said.append(message.text))
    tab.on("pageerror", lambda error: said.append(str(error)))
    tab.route("**/*", lambda route: _answer(route, pages))
    for path in pages:
        tab.goto(f"http://toy.test{path}")
        tab.evaluate(OPEN_ALL)
        assert (flaws(tab), said) == ({}, []), path
        assert not _is_for_axe(path, width) or violations(tab) == [], path
        if path.startswith("/replay"):
            assert tab.locator(".board-words").filter(visible=True).count() >= 1, path
            continue
        tab.emulate_media(media="print")
        tab.set_viewport_size({"width": 680, "height": 960})
        assert flaws(tab) == {}, path
        finding = tab.locator(".bar + .finds > .find").filter(has_text=toy.finding).first
        assert finding.locator(".landing .board-words").first.is_visible()
        assert len(re.findall(rb"/Type */Page\b", tab.pdf(format="A4"))) in (1, 2, 3)
        tab.emulate_media(media="screen")
        tab.set_viewport_size({"width": width, "height": 800})
    context.close()


def _answer(route: Route, pages: Mapping[str, tuple[str, str]]) -> None:
    """A page with its policy, or one of our files of style and script."""
    path = urlsplit(route.request.url).path
    if path in pages:
        policy, html = pages[path]
        route.fulfill(body=html, content_type="text/html; charset=utf-8", headers={"Content-Security-Policy": policy})
    else:
        route.fulfill(path=STATIC / path.rsplit("/", 1)[1])


def test_text_csv_and_sarif_hold_the_finding(toy: Toy) -> None:
    long = " ".join(written(toy, "text").split())
    assert toy.finding in long and "Ada Aster" in long
    assert toy.finding in " ".join(written(toy, "text", many=True).split())
    rows = list(csv.DictReader(io.StringIO((csv_head() + written(toy, "csv")).removeprefix("\ufeff"))))
    assert toy.finding in [row["text"] for row in rows]
    log = sarif_log([json.loads(written(toy, "sarif"))], engine.rules(toy.ruleset.key), "tabletop-auditor 1")
    assert toy.finding in [result["message"]["text"] for result in log["runs"][0]["results"]]
    assert json.loads(written(toy, "json"))["game"] == json.loads(written(toy, "jsonl"))["game"] == toy.ruleset.key


def test_two_audits_are_compared_and_a_list_counts(toy: Toy) -> None:
    old = engine.audit_log(log_of(toy))
    new = engine.audit_log(log_of(toy), rulings=toy.other_rulings)
    assert "unchanged" in _difference_in_words(engine.compare(old, new))
    assert "to decide" in counts(old)
    assert game_row(old, engine.log_heading(log_of(toy)), href="/x").players[0].name == "Ada Aster"


def test_findings_without_evidence_and_effect_go_through_every_output(toy: Toy) -> None:
    sample = sample_of(toy)
    slim = [{**f, "stands": False, "evidence": None, "effect": None} for f in sample.audit["findings"]]
    audit = {**sample.audit, "findings": slim}
    parts = (audit, *sample.parts[1:])
    assert toy.finding in render("report.html", shell=around(), page=report_page(*parts, LINKS))
    assert toy.finding in onefile_html(*parts)
    for frame in sample.frames:
        replay_page(audit, sample.frames, frame["seq"], *sample.parts[2:], LINKS)


# -- boards that nobody knows ------------------------------------------------------------------------------------------

STRANGE: list[Any] = [
    {"kind": "volume", "cells": [[[1, 2], [3]], {"deep": {"er": None}}], "on": True, "": 0},
    {"kind": None},
    {"kind": ["a", "list"], "text": ["Two sentences.", "In a list."]},
    {"text": 7, "units": "none"},
    {"kind": "volume", "text": "", "moment": "now"},
    {"kind": "volume", "moment": {"part": "Dusk"}, "text": "<script>alert(1)</script>"},
    {},
]


@pytest.mark.parametrize("board", STRANGE, ids=range(len(STRANGE)))
def test_a_board_of_a_kind_that_nobody_knows_is_described_everywhere_and_never_raises(board: Any) -> None:
    kind = kind_of(board)
    assert kind is UNKNOWN
    marks = [{}, {"mark": "ray", "at": [1, {"x": 2}], "ok": False}, {"mark": 3, "label": "three", "how": "bad"}]
    scene = Scene(board, marks, {"from": 3, "through": ["fog"]}, ["a", "b"])
    drawn = draw(scene, View(size="near", sides=["A"], title="A board"))
    assert "<script>" not in drawn and taken_apart(f"<div>{drawn}</div>").text.strip()
    assert kind.description(scene) and kind.answers(scene) and kind.contacts(scene) == ()
    for other in STRANGE:
        assert isinstance(kind.changes(board, other), str)
    assert (kind.changes(board, board), kind.interest(scene)) == ("", ())
    assert isinstance(kind.state(board), str) and isinstance(kind.when(board), str)


def test_pages_of_strange_boards_are_made(toy: Toy) -> None:
    sample = sample_of(toy)
    for board in STRANGE:
        frames = [{**frame, "board": board} for frame in sample.frames]
        evidence = {"before": board, "after": {"kind": "another"}, "marks": [{}], "sight": {"a": 1}, "path": ["x"]}
        findings = [{**f, "evidence": evidence} for f in sample.audit["findings"]]
        parts = ({**sample.audit, "findings": findings}, frames, *sample.parts[2:])
        assert toy.finding in onefile_html(*parts)
        assert toy.finding in render("report.html", shell=around(), page=report_page(*parts, LINKS))
        render("replay.html", shell=around(), page=replay_page(*parts[:2], frames[0]["seq"], *parts[2:], LINKS))


def test_every_kind_has_its_template_and_a_key_of_its_own() -> None:
    for key, kind in KINDS.items():
        assert kind.key == key
        board = {"kind": key}
        assert kind_of(board) is kind
        assert draw(Scene(board)) and kind.description(Scene(board)) and kind.changes(board, board) == ""
        kind.beside(board, ())
