"""A report with long lists comes in pages: each entry stands on one of them, and every link leads to the right one."""

from __future__ import annotations

import re

import pytest

from auditor.report import paging
from tests.web.conftest import log_of

BAD = 7


@pytest.fixture
def report(browser, monkeypatch) -> str:
    """The address of a report of seven findings, three on a page."""
    monkeypatch.setattr(paging, "ON_A_PAGE", 3)
    events = [{"bad": f"It was {n} too far."} for n in range(BAD)]
    return browser.upload(("game.jsonl", log_of(*events, title="A wild game"))).location


def findings_on(page: str) -> list[str]:
    """The ids of the findings that stand on a page, in order."""
    return re.findall(r'<div id="f-([^"]+)" class="landing">', page)


def test_every_finding_stands_on_one_page_in_order(browser, report):
    pages = [browser.page(report), *(browser.page(f"{report}/lists/findings/{n}") for n in (2, 3))]
    found = [findings_on(page) for page in pages]
    assert [len(page) for page in found] == [3, 3, 1]
    listed = [one["id"] for one in browser.get(f"{report}.json").json["findings"]]
    assert [ident for page in found for ident in page] == listed
    assert f"{BAD} to decide" in pages[0]
    assert ["1 to 3 of 7" in pages[0], "4 to 6 of 7" in pages[1], "7 to 7 of 7" in pages[2]] == [True] * 3
    assert 'data-filter="all"' not in pages[0]  # chips could only show what is on this page


def test_pages_of_a_list_lead_to_each_other_and_back(browser, report):
    second = browser.page(f"{report}/lists/findings/2")
    for address in (f"{report}#findings", f"{report}/lists/findings/3", report):
        assert f'href="{address}"' in second
    assert '<b aria-current="page">' in second
    assert 'id="findings"' in browser.page(report)


@pytest.mark.parametrize("page", ["findings/1", "findings/4", "findings/99999999999999999999", "acts/2", "notes/2"])
def test_a_page_that_is_none_is_not_there(browser, report, page):
    assert browser.get(f"{report}/lists/{page}").status_code == 404


def test_a_link_to_a_finding_leads_to_its_page(browser, report):
    found = [one["id"] for one in browser.get(f"{report}.json").json["findings"]]
    where = [report, f"{report}/lists/findings/2", f"{report}/lists/findings/3"]
    for place, ident in enumerate(found):
        answer = browser.get(f"{report}/findings/{ident}")
        assert answer.status_code == 303
        assert answer.location == f"{where[place // 3]}#f-{ident}"
        assert ident in findings_on(browser.page(answer.location.split("#")[0]))
        seq = place + 1
        assert f'href="{where[place // 3]}#f-{ident}"' in browser.page(f"{report}/events/{seq}")
    assert browser.get(f"{report}/findings/none").status_code == 404
    marked = re.findall(r'<a href="([^"]*#f-[^"]+)" tabindex="-1"', browser.page(report))
    assert marked == [f"{where[n // 3] if n > 2 else ''}#f-{ident}" for n, ident in enumerate(found)]


def test_one_file_has_them_all(browser, report):
    assert len(findings_on(browser.page(f"{report}.html"))) == BAD
