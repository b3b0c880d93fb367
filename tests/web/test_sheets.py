"""One finding on one page of paper, and the game as text: what they hold, and what of a game can be looked for."""

from __future__ import annotations

import json
import re

import pytest

from auditor.report.boards import Sheet
from auditor.report.casebook import Casebook
from auditor.report.links import Links
from auditor.report.sheet import code_to_scan, sheet_page
from auditor.report.transcript import transcript, transcript_text
from tests.report.samples import sample
from tests.web.conftest import FAULTY


@pytest.fixture
def book():
    parts = sample("full").parts
    return Casebook(*parts, Links(replay=lambda seq: f"/events/{seq}"), Sheet())


def test_a_sheet_names_both_players_the_rule_and_where_it_was(book):
    finding = next(one for one in book.findings if one["stands"])
    page = sheet_page(book, finding)
    assert page.case.rule == finding["rule"]
    assert dict(page.head)["Line of the record"].startswith(f"event {finding['seq']}")
    assert [side.name for side in page.players] == ["Ines Aldana", "Tomasz Birk"]
    assert len(page.case.pictures) <= 2 and page.foot


def test_the_code_to_scan_is_drawn_without_a_style_of_its_own():
    drawn = str(code_to_scan("https://auditor.example/audits/a/findings/b"))
    assert drawn.startswith("<svg") and "style" not in drawn and "script" not in drawn
    assert drawn != str(code_to_scan("https://auditor.example/audits/a/findings/c"))


def test_a_transcript_has_a_line_for_every_event_and_the_findings_beside_them(book):
    page = transcript(book)
    assert [line.seq for line in page.lines] == [frame["seq"] for frame in book.frames]
    beside = [one.text for line in page.lines for one in line.beside]
    standing = [one for one in book.findings if one["stands"] and one["seq"] in book.by_seq]
    assert len(beside) >= len(standing) > 0
    text = transcript_text(book)
    assert text.count("        ! ") == len(beside)
    assert "Ines Aldana" in text


def test_a_game_is_searched_by_word_kind_of_act_and_finding(book):
    finding = next(one for one in book.findings if one["stands"] and one["seq"] in book.by_seq)
    found = transcript(book, finding["rule"].lower())
    assert finding["seq"] in [line.seq for line in found.lines] and found.found < found.count
    kind = str(book.by_seq[finding["seq"]]["type"])
    assert finding["seq"] in [line.seq for line in transcript(book, kind.replace("_", " ").upper()).lines]
    assert transcript(book, "no such word anywhere").lines == ()


def test_the_service_serves_sheet_and_transcript(browser, service):
    browser.upload(("game.jsonl", FAULTY))
    line = service.audits.page().audits[0]
    report = f"/audits/{line.key}"
    value = json.loads(browser.get(f"{report}.json").data)
    ident = value["findings"][0]["id"]
    sheet = browser.page(f"{report}/findings/{ident}/sheet")
    assert (
        "Incident sheet" in sheet
        and "Statement" in sheet
        and '<svg class="qr"' in re.sub(r' viewBox="[^"]*"', "", sheet)
    )
    assert f"{report}/findings/{ident}" in sheet
    assert browser.get(f"{report}/findings/ffff/sheet").status_code == 404
    assert browser.get(f"{report}/findings/zz/sheet").status_code == 404
    assert "3 events, a line each" in browser.page(f"{report}/transcript")
    assert "0 of 3 events have" in browser.page(f"{report}/transcript?q=nothingofthekind")


def test_example_games_are_marked_and_can_be_put_away(browser, service, monkeypatch):
    import auditor.web.audits as audits

    browser.upload(("game.jsonl", FAULTY))
    digest = service.audits.page().audits[0].log_sha256
    monkeypatch.setattr(audits, "example_hashes", lambda: frozenset([digest]))
    assert ">example<" in browser.page("/audits")
    assert browser.post("/examples", how="away").status_code == 303
    assert ">example<" not in browser.page("/audits") and "put away" in browser.page("/audits")
    assert browser.post("/examples", how="shown").status_code == 303
    assert ">example<" in browser.page("/audits")
