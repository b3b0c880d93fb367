"""Every kind of page, at a desk's and at a phone's width, light and dark: it fits, it keeps the policy, axe finds nothing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.e2e.conftest import GAMES, Site, Tab, Tabs

pytestmark = pytest.mark.browser

OPEN_ALL = "document.querySelectorAll('details').forEach(d => { d.open = true; })"
TOO_WIDE = "document.documentElement.scrollWidth - window.innerWidth"
SMALL_TEXT = """() => Array.from(document.querySelectorAll('a.btn, button, summary')).filter(e => {
    const box = e.getBoundingClientRect(); return box.width > 0 && box.height < 24;
}).map(e => e.outerHTML.slice(0, 120))"""


@pytest.fixture(scope="module")
def kinds(site: Site) -> dict[str, str]:
    """One address of each kind of page."""
    faulty, clean = site.reports["faulty-2.jsonl"], site.reports["clean-1.jsonl"]
    audits = {f"/audits/{one['id']}": one for one in site.json("/api/v1/audits")["audits"]}
    log = audits[faulty]["log_sha256"]
    return {
        "games": "/audits",
        "games of one verdict": "/audits?verdict=clean",
        "upload": "/upload",
        "report": faulty,
        "clean report": clean,
        "a shot in the replay": f"{faulty}/events/205",
        "a move in the replay": f"{faulty}/events/223",
        "first event": f"{clean}/events/1",
        "rules": "/rules",
        "rule": "/rules/CAL-LOS-01",
        "readings": "/readings",
        "rulings": "/rulings",
        "limits": "/limits",
        "log": f"/logs/{log}",
        "lines": f"/logs/{log}/lines/205",
        "nothing": "/nothing-here",
    }


def visit(tab: Tab, name: str, path: str) -> None:
    if name == "nothing":
        tab.page.goto(tab.site.address + path)
        tab.said[:] = [said for said in tab.said if "404" not in said]
    else:
        tab.open(path)
    tab.page.evaluate(OPEN_ALL)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_every_kind_of_page_fits_and_keeps_the_policy(
    tabs: Tabs, kinds: dict[str, str], width: int, scheme: str
) -> None:
    tab = tabs(width, scheme)
    for name, path in kinds.items():
        visit(tab, name, path)
        over = tab.page.evaluate(TOO_WIDE)
        assert over <= 0, (name, over)
        assert tab.page.evaluate(SMALL_TEXT) == [], name


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_axe_finds_no_violation_on_any_kind_of_page(tabs: Tabs, kinds: dict[str, str], width: int, scheme: str) -> None:
    tab = tabs(width, scheme)
    axe = Axe()
    wrong = {}
    for name, path in kinds.items():
        visit(tab, name, path)
        results = axe.run(tab.page)
        assert len(results.response["passes"]) > 5, name
        if results.violations_count:
            wrong[name] = [
                (one["id"], [node["html"][:160] for node in one["nodes"][:4]]) for one in results.response["violations"]
            ]
    assert wrong == {}


@pytest.mark.parametrize(("width", "scheme"), [(1280, "dark"), (390, "light")])
def test_axe_finds_no_violation_in_the_one_file_report_or_after_an_upload(
    tabs: Tabs, site: Site, width: int, scheme: str, tmp_path: Path
) -> None:
    tab = tabs(width, scheme)
    page = tab.open("/upload")
    page.get_by_label("Logs to audit").set_input_files(
        [
            {"name": "damaged.jsonl", "mimeType": "text/plain", "buffer": b'{"type":"header"}\n{oops\n'},
            {
                "name": "fine.jsonl",
                "mimeType": "text/plain",
                "buffer": (GAMES / "clean-1.jsonl").read_bytes(),
            },
        ]
    )
    page.get_by_role("button", name="Audit", exact=True).click()
    page.wait_for_url(re.compile(r"/uploads/\w+"))
    page.wait_for_selector("[data-follow=settled]")
    assert Axe().run(page).violations_count == 0, "delivery"
    assert page.evaluate(TOO_WIDE) <= 0
    page.get_by_role("link", name="report on damaged.jsonl").click()
    page.wait_for_selector("table.errs")
    assert Axe().run(page).violations_count == 0, "unreadable log"
    tab.is_quiet()
    file = tmp_path / "report.html"
    file.write_bytes(page.request.get(f"{site.address}{site.reports['faulty-1.jsonl']}.html").body())
    page.goto(file.as_uri())
    tab.foreign.clear()
    page.evaluate(OPEN_ALL)
    assert page.evaluate(TOO_WIDE) <= 0
    results = Axe().run(page)
    assert results.violations_count == 0, results.generate_report()
