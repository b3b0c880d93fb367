"""The sides of a hull, crossfire, a charge from the rear and an explosion on a desk, on a phone without scripts, and on paper."""

from __future__ import annotations

from typing import Any

import pytest

from tests.e2e.conftest import Tabs
from tests.e2e.looks import flaws
from tests.e2e.test_pages import OPEN_ALL, TOO_WIDE, violations
from tests.e2e.test_reports import row_of, upload
from tests.examples import Example, example
from tests.serving import Site

pytestmark = pytest.mark.browser

EXAMPLES = {
    "CLX-VEH-06/illegal-beside-the-ray": ["front", "side", "side", "1.387″"],
    "CLX-SHOOT-14/illegal": ["front", "rear"],
    "CLX-ASLT-07b/illegal-left-out": ["4.243″", "rear"],
    "CLX-VEH-02/illegal-too-many": ["5.25″"],
}
SMALLEST = 10.95
"""Pixels of the smallest letters."""

SIZES = """e => Array.from(e.querySelectorAll('.board text')).map(text =>
    parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().d)"""


def fault_of(shown: Example) -> dict[str, Any]:
    (fault,) = (one for one in shown.expected["findings"] if one["stands"] and one["rule"] == shown.rule)
    found: dict[str, Any] = fault
    return found


@pytest.mark.parametrize("name", EXAMPLES)
def test_what_decides_is_drawn_with_letters_that_can_be_read(tabs: Tabs, site: Site, name: str) -> None:
    shown = example("clx", name)
    fault = fault_of(shown)
    page = upload(tabs(1280, "light"), "game.json", shown.read_bytes())
    report = page.url.split("#")[0]
    page.evaluate(OPEN_ALL)
    finding = row_of(page, fault["seq"], fault["rule"])
    assert finding.locator("svg.board .marks").first.is_visible()
    assert sorted(finding.locator("svg.board .marks .len").all_text_contents()) == sorted(EXAMPLES[name])
    assert min(finding.evaluate(SIZES)) >= SMALLEST
    assert flaws(page) == {} and violations(page) == []
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 680, "height": 960})
    assert finding.locator("svg.board .marks").first.is_visible() and page.evaluate(TOO_WIDE) <= 0
    # On a phone, in the dark, without a script.
    page = tabs(390, "dark", java_script_enabled=False).open(report)
    finding = row_of(page, fault["seq"], fault["rule"])
    if not finding.locator("details[open]").count():  # the one finding of a report stands open
        finding.locator("summary").first.press("Enter")
    board = finding.locator("svg.board").first
    box = board.bounding_box()
    assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= 390
    assert board.locator(".marks").is_visible()
    letters = board.locator(".let text").all_text_contents()
    assert letters and finding.locator(".lt").first.is_visible()
    assert min(finding.evaluate(SIZES)) >= SMALLEST
