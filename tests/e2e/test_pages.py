"""Every kind of page, at a desk's and at a phone's width, light and dark: it fits, words stay whole and signs with their words,
it keeps the policy, axe finds nothing."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from tests.bench import bench_worst
from tests.e2e.conftest import GAMES, Tab, Tabs
from tests.e2e.looks import flaws
from tests.e2e.test_reports import upload
from tests.serving import Site
from tests.shares import WHOLE, in_turn

pytestmark = pytest.mark.browser

SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
OPEN_ALL = "document.querySelectorAll('details').forEach(d => { d.open = true; })"
TOO_WIDE = "document.documentElement.scrollWidth - window.innerWidth"
SMALL_TEXT = """() => Array.from(document.querySelectorAll('a.btn, button, summary')).filter(e => {
    const box = e.getBoundingClientRect(); return box.width > 0 && box.height < 24;
}).map(e => e.outerHTML.slice(0, 120))"""


KINDS = {
    "games": "/audits",
    "games of one verdict": "/audits?verdict=clean",
    "upload": "/upload",
    "report": "{faulty}",
    "clean report": "{clean}",
    "a shot in the replay": "{faulty}/events/205",
    "a move in the replay": "{faulty}/events/223",
    "a table of cards in the replay": "{cards}/events/129",
    "a table of inches in the replay": "{inches}/events/61",
    "first event": "{clean}/events/1",
    "whose rules": "/rules",
    "rules": "/rules/calth",
    "rule": "/rules/CAL-LOS-01",
    "readings": "/readings/calth",
    "rulings": "/rulings",
    "packs": "/packs",
    "limits": "/limits",
    "guide": "/guide/report-guide",
    "format of a log": "/guide/log-format",
    "a later page of a list": "{long}/lists/only_under/2",
    "log": "/logs/{log}",
    "comparison": "/compare?old={old}&new={new}",
    "lines": "/logs/{log}/lines/205",
    "nothing": "/nothing-here",
}
"""One address of each kind of page."""
SEEN_FIRST = {"games", "upload", "report", "a shot in the replay"}
LOOKS = [
    (name, width)
    for turn, name in enumerate(KINDS)
    for width in ((1280, 390) if name in SEEN_FIRST else in_turn(turn, (1280, 390)))
]
"""At which widths each is opened: those that are seen first at both, in whole runs all."""


@pytest.fixture(scope="module")
def places(site: Site, chromium: Browser) -> dict[str, str]:
    """What stands in the addresses above."""
    faulty, clean = site.reports["faulty-2.jsonl"], site.reports["clean-1.jsonl"]
    cards, inches = site.reports["hcg/faulty-3.jsonl"], site.reports["clx/faulty-1.jsonl"]
    page = upload(Tab(chromium.new_page(), site), "long.jsonl", bench_worst.faulty(1200))
    long = page.url.removeprefix(site.address).split("#")[0]
    page.close()
    audits = {f"/audits/{one['id']}": one for one in site.json("/api/v1/audits")["audits"]}
    old, new = (audits[report]["id"] for report in (faulty, clean))
    shown = {"faulty": faulty, "clean": clean, "cards": cards, "inches": inches, "long": long}
    return shown | {"log": audits[faulty]["log_sha256"], "old": old, "new": new}


def visit(tab: Tab, name: str, path: str) -> None:
    if name == "nothing":
        tab.page.goto(tab.site.address + path)
        tab.said[:] = [said for said in tab.said if "404" not in said]
    else:
        tab.open(path)
    tab.page.evaluate(OPEN_ALL)


THIN = """most => {
    const seen = new WeakMap();
    window.cut = [];
    document.querySelectorAll('main *').forEach(e => {
        const beside = e.parentElement, next = e.nextSibling;
        if (!e.isConnected || !e.nextElementSibling) return;
        const alike = seen.get(beside) || seen.set(beside, {}).get(beside);
        const kind = [e.tagName, e.getAttribute('class'), e.firstElementChild?.tagName].join();
        alike[kind] = (alike[kind] || 0) + 1;
        if (alike[kind] > most) { window.cut.push([e, beside, next]); e.remove(); }
    });
}"""
ALIKE = """() => {
    const behind = new Map(), seen = new Set();
    const ground = e => {
        if (!e) return '';
        if (!behind.has(e)) {
            const {backgroundColor, backgroundImage, opacity, filter} = getComputedStyle(e);
            const own = [backgroundColor, backgroundImage, opacity, filter].join();
            behind.set(e, (own === 'rgba(0, 0, 0, 0),none,1,none' ? '' : own + ';') + ground(e.parentElement));
        }
        return behind.get(e);
    };
    document.querySelectorAll('body *').forEach(e => {
        if (!Array.from(e.childNodes).some(one => one.nodeType === 3 && one.data.trim())) return;
        if (!e.checkVisibility({visibilityProperty: true, opacityProperty: true})) return;
        const {color, fill, fontSize, fontWeight, textShadow, position} = getComputedStyle(e);
        const look = [color, fill, fontSize, fontWeight, textShadow, position, !!e.ownerSVGElement, ground(e)].join();
        if (!seen.has(look)) { seen.add(look); e.setAttribute('data-contrast', ''); }
    });
}"""
"""Marks of all texts that have one colour, size and ground the first."""
WHOLE_AGAIN = """() => {
    window.cut.reverse().forEach(([e, beside, next]) => beside.insertBefore(e, next));
    document.querySelectorAll('[data-contrast]').forEach(e => e.removeAttribute('data-contrast'));
}"""


def violations(page: Page) -> list[tuple[str, list[str]]]:
    """What axe finds wrong with a page: the rule and the first elements that break it. Of what stands beside each other and is
    made alike (rows, findings, hexes) it is shown the first few and the last, since it takes a second for each hundred
    elements, and of texts in one colour on one ground the first: contrast takes three quarters of that; in whole runs it
    is shown all."""
    page.evaluate(Axe().axe_script)
    if not WHOLE:
        page.evaluate(THIN, 2)
        page.evaluate(ALIKE)
        page.evaluate("axe.configure({rules: [{id: 'color-contrast', selector: '[data-contrast]'}]})")
    found = page.evaluate(
        "options => axe.run(options)", {"resultTypes": ["violations"], "rules": {"target-size": {"enabled": True}}}
    )  # of what passes one element a rule will do
    if not WHOLE:
        page.evaluate(WHOLE_AGAIN)
    assert len(found["passes"]) > 5
    return [(one["id"], [node["html"][:160] for node in one["nodes"][:4]]) for one in found["violations"]]


@pytest.mark.parametrize(("name", "width"), LOOKS)
def test_every_kind_of_page_fits_keeps_the_policy_and_axe_finds_no_violation(
    tabs: Tabs, places: dict[str, str], name: str, width: int
) -> None:
    """Opened once for each width, in both schemes; axe looks at the wide page by day and at the narrow one by night."""
    tab = tabs(width)
    visit(tab, name, KINDS[name].format(**places))
    assert flaws(tab.page) == {}
    for scheme in SCHEMES:
        tab.page.emulate_media(color_scheme=scheme)
        assert tab.page.evaluate("document.getAnimations().length") == 0, scheme
        assert tab.page.evaluate(TOO_WIDE) <= 0, scheme
        assert tab.page.evaluate(SMALL_TEXT) == [], scheme
        if (width, scheme) in ((1280, "light"), (390, "dark")):
            assert violations(tab.page) == []


def test_axe_is_shown_what_is_wrong_in_every_row_of_a_long_list_and_the_page_is_whole_again(tab: Tab) -> None:
    page = tab.open("/upload")
    rows = f"<ul id=rows>{'<li><input type=text></li>' * 40}</ul>"
    page.evaluate("rows => document.querySelector('main').insertAdjacentHTML('beforeend', rows)", rows)
    ((rule, _),) = violations(page)
    assert rule == "label" and page.locator("#rows li").count() == 40
    page.locator("#rows").evaluate("one => one.remove()")
    page.evaluate("""() => [['#bbb', '#fff'], ['#bbb', '#fff'], ['#bbb', '#fff'], ['#777', '#888'], ['#000', '#fff']].forEach(
        ([color, backgroundColor]) => {
            const text = document.createElement('p');
            text.textContent = 'some words';
            text.className = color.slice(1);
            Object.assign(text.style, {color, backgroundColor});
            document.querySelector('main').append(text);
        })""")
    ((rule, nodes),) = violations(page)
    assert rule == "color-contrast" and len(nodes) == 2


@pytest.mark.parametrize("name", ["comparison", "lines"])
def test_on_a_phone_rows_of_a_table_are_divided_by_one_line_each(tabs: Tabs, places: dict[str, str], name: str) -> None:
    tab = tabs(390)
    visit(tab, name, KINDS[name].format(**places))
    drawn = tab.page.evaluate("""() => Array.from(document.querySelectorAll('.errs tbody tr')).map(row =>
        [row, ...row.children].filter(one => parseFloat(getComputedStyle(one).borderTopWidth) > 0).length)""")
    assert len(drawn) > 4 and set(drawn) == {1}


SHADES = """() => { const strip = document.querySelector('.strip.scroll'), style = getComputedStyle(strip);
    return [strip.scrollWidth > strip.clientWidth, style.overflowX, style.backgroundAttachment.split(', '),
            style.backgroundImage.split('linear-gradient').length - 1]; }"""


def test_a_strip_that_scrolls_has_a_shade_at_the_edge_beyond_which_there_is_more(
    tabs: Tabs, places: dict[str, str]
) -> None:
    """Paper that moves with the strip lies over a shade that stays: at either end the shade is covered."""
    for width, wider in ((390, True), (1280, False)):
        tab = tabs(width)
        tab.open(places["faulty"])
        assert tab.page.evaluate(SHADES) == [wider, "auto", ["local", "local", "scroll", "scroll"], 4]


@pytest.mark.parametrize(("width", "scheme"), in_turn(1, [(1280, "dark"), (390, "light")]))
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
    assert violations(page) == [], "delivery"
    assert page.evaluate(TOO_WIDE) <= 0
    page.get_by_role("link", name="report on damaged.jsonl").click()
    page.wait_for_selector("table.errs")
    assert violations(page) == [], "unreadable log"
    tab.is_quiet()
    file = tmp_path / "report.html"
    file.write_bytes(site.file(f"{site.reports['faulty-1.jsonl']}.html"))
    page.goto(file.as_uri())
    tab.foreign.clear()
    page.evaluate(OPEN_ALL)
    assert page.evaluate(TOO_WIDE) <= 0
    assert violations(page) == [], "one file"
