"""A disputed battle action of the card game, from its block to its damage on one screen of a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator

from tests.e2e.conftest import Tab, Tabs
from tests.e2e.looks import flaws
from tests.e2e.test_pages import OPEN_ALL, violations
from tests.e2e.test_reports import row_of
from tests.serving import Site
from tests.shares import in_turn

pytestmark = pytest.mark.browser

PHONE = {"width": 390, "height": 844}
SMALLEST = 12
"""Pixels of the smallest letters."""

FONTS = "e => Array.from(e.querySelectorAll('*'), one => parseFloat(getComputedStyle(one).fontSize))"
TALL = """e => e.getBoundingClientRect().bottom - e.closest('.find').querySelector('summary').getBoundingClientRect().top"""
HEIGHTS = """() => Array.from(document.querySelectorAll('.find .passage'), e => [
    e.closest('.find').querySelector('.at b').textContent, e.getBoundingClientRect().height])"""


def strip_of(tab: Tab, site: Site, seq: int, rule: str) -> Locator:
    """The strip of a finding of a recorded game, opened as a judge opens it."""
    page = tab.open(site.reports["hcg/faulty-2.jsonl"])
    finding = row_of(page, seq, rule)
    finding.locator("summary").first.press("Enter")
    return finding.locator(".passage")


@pytest.mark.parametrize(
    ("scripts", "scheme"),
    [(scripts, scheme) for turn, scripts in enumerate((True, False)) for scheme in in_turn(turn, ("light", "dark"))],
)
def test_it_is_followed_from_its_block_over_both_players_tactics_to_the_damage_on_one_screen(
    tabs: Tabs, site: Site, scheme: str, scripts: bool
) -> None:
    tab = tabs(390, scheme, viewport=PHONE, java_script_enabled=scripts)
    strip = strip_of(tab, site, 406, "HCG-SHOOT-07")
    lines = [" ".join(line.split()) for line in strip.locator("li").all_inner_texts()]
    assert lines == [
        "401 Tobias Renn: Salt Pikes (p2-53) shoots at Bramble Bastion (p1-30)",
        "402 Tobias Renn: plays the ability of Salt Pikes (p2-53)",
        "403 modify +2 firepower for Salt Pikes (p2-53)",
        "404 Ione Vasquez 405 Tobias Renn pass",
        "406 Salt Pikes (p2-53) deals 7 damage to Bramble Bastion (p1-30), armor 1: it survives"
        " destroyed: the log says no, the rules give yes"
        " by the rules: firepower 7 = 5 printed + 2 Salt Pikes, against armor 1: destroyed",
    ]
    assert strip.evaluate(TALL) <= PHONE["height"]  # with the sentence of the finding above it
    assert min(strip.evaluate(FONTS)) >= SMALLEST
    assert strip.bounding_box()["y"] < strip.locator("xpath=../..").locator(".board").first.bounding_box()["y"]  # type: ignore[index]
    assert strip.locator("[aria-current]").inner_text().startswith("406")
    if scripts:
        assert flaws(tab.page) == {}
        assert violations(tab.page) == []
    strip.locator("a").nth(1).press("Enter")
    tab.page.wait_for_url("**/events/402")
    assert tab.page.locator(".passage [aria-current]").inner_text().startswith("402")


@pytest.mark.parametrize("game", in_turn(2, ["faulty-1", "faulty-2", "faulty-3"]))
def test_every_action_of_a_recorded_game_fits_one_screen_with_what_is_far_from_the_finding_folded(
    tabs: Tabs, site: Site, game: str
) -> None:
    tab = tabs(390, viewport=PHONE)
    page = tab.open(site.reports[f"hcg/{game}.jsonl"])
    page.evaluate("document.querySelectorAll('details:not(.passage details)').forEach(d => { d.open = true; })")
    heights = dict(page.evaluate(HEIGHTS))
    assert len(heights) >= 5
    assert {seq: height for seq, height in heights.items() if height > PHONE["height"]} == {}


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_the_page_of_an_event_shows_its_action_and_axe_finds_no_violation(
    tabs: Tabs, site: Site, width: int, scheme: str
) -> None:
    tab = tabs(width, scheme)
    page = tab.open(f"{site.reports['hcg/faulty-2.jsonl']}/events/313")
    strip = page.locator(".passage")
    assert strip.locator("details").count() == 2 and not strip.locator("details li").first.is_visible()
    strip.locator("summary").first.press("Enter")
    assert strip.locator("details li").first.is_visible()
    assert strip.bounding_box()["y"] < page.locator(".board.cards").last.bounding_box()["y"] or width > PHONE["width"]  # type: ignore[index]
    page.evaluate(OPEN_ALL)
    assert flaws(page) == {}
    assert violations(page) == []
    page.emulate_media(media="print")
    assert strip.locator("li").last.is_visible()
    # From event to event without loading the page.
    page.emulate_media(media="screen")
    strip.locator("a", has_text="335").press("Enter")
    page.wait_for_url("**/events/335")
    assert page.locator(".passage [aria-current]").inner_text().startswith("335")
