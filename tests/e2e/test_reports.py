"""What a judge does: open a faulty game's report and find each fault with its numbers and its board, upload a game,
walk its replay, take the report home."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from jinja2 import Environment, FileSystemLoader
from playwright.sync_api import Locator, Page, Route

from auditor.core.naming import in_plain_words
from tests.e2e.conftest import GAMES, Tab, Tabs, is_audited, is_drawn
from tests.serving import Site
from tests.shares import WHOLE, in_turn, is_tried

pytestmark = pytest.mark.browser

FAULTY = sorted(path.name.removesuffix(".expected.json") for path in GAMES.glob("faulty-*.expected.json"))
TEMPLATES = Path(__file__).parents[2] / "templates"
FIRST_SCREEN = 900
AS_AT_FIRST = """open => {
    document.querySelectorAll('details').forEach((d, i) => { d.open = open[i]; });
    scrollTo({top: 0, behavior: 'instant'});
}"""


def expected(game: str) -> list[dict[str, Any]]:
    """What was written down about a game before anything audited it."""
    return json.loads((GAMES / f"{game}.expected.json").read_text())["findings"]


def row_of(page: Page, seq: int, rule: str) -> Locator:
    """The finding of a rule at an event, among those that stand."""
    rows = page.locator(".bar + .finds > .find").filter(has=page.locator(f"summary .rid:text-is('{rule}')"))
    return rows.filter(has=page.locator(f"summary .at b:text-is('{seq}')"))


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """The single values of a nested one, by their dotted names."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, f"{path}.{key}" if path else key)
    else:
        yield path, value


def names_of(game: str) -> dict[str, str]:
    """The names of the players of an example game, by id."""
    header = json.loads((GAMES / f"{game}.jsonl").read_text().splitlines()[0])
    return {player["id"]: player["name"] for player in header["players"]}


def said_name(path: str, names: Mapping[str, str]) -> str:
    """A field as the table of a finding names it: 'units.wb-5.tp' is 'units wb-5 tp' once commas and case are gone, and a
    player goes by the name."""
    path = ".".join(names.get(part, part) for part in path.split("."))
    numbered = re.sub(r"(\w+?)s\.(\d+)\.", lambda m: f"{m[1]} {int(m[2]) + 1} ", path)
    said = re.sub(r"[._]", " ", numbered).lower()
    return re.sub(r"\bcrit\b", "critical effect", re.sub(r"\blos\b", "line of sight", said))


def said_value(value: Any, names: Mapping[str, str] | None = None) -> str:
    """A value as a reader says it."""
    words = {"None": "nothing", "True": "yes", "False": "no", **(names or {})}
    return words.get(str(value)) or in_plain_words(str(value))


def table_of(finding: Locator) -> dict[str, tuple[str, str]]:
    """The rows 'claimed and recomputed' of an open finding, by their names."""
    found = {}
    for row in finding.locator("table.cmp").first.locator("tbody tr").all():
        name = row.locator("th").inner_text().replace(",", "").lower()
        cells = [cell.inner_text().strip() for cell in row.locator("td:not(.sg)").all()]
        found[name] = (cells[0], cells[-1])
    return found


@pytest.mark.parametrize("game", FAULTY)
def test_each_planted_fault_is_one_click_from_the_first_screen_with_its_numbers_and_its_board(
    tab: Tab, site: Site, game: str
) -> None:
    planted, names = expected(game), names_of(game)
    assert len(planted) >= 10
    page = tab.open(site.reports[f"{game}.jsonl"])
    assert page.locator(".verdict .word").inner_text() == "Findings"
    assert page.locator(".bar + .finds > .find").count() == len(planted)
    at_first = page.evaluate("Array.from(document.querySelectorAll('details'), d => d.open)")
    for entry in planted:
        if not is_tried(4, game, entry["seq"], entry["rule"]):
            continue
        page.evaluate(AS_AT_FIRST, at_first)
        flag = page.locator(f"svg.tl a[aria-label^='Event {entry['seq']}, {entry['kind']}:']")
        box = flag.bounding_box()
        assert box is not None and box["y"] + box["height"] < FIRST_SCREEN, entry
        finding = row_of(page, entry["seq"], entry["rule"])
        assert finding.count() == 1, entry
        assert not finding.locator(".landing").is_visible()
        flag.click()
        assert finding.locator(".landing").is_visible(), entry
        assert finding.locator("summary svg.k").first.get_attribute("aria-label") == entry["kind"]
        assert finding.locator(".landing .note a.rid").first.get_attribute("href") == f"/rules/{entry['rule']}"
        board = finding.locator("svg.board").first
        assert board.is_visible(), entry
        marked = board.locator(".marks, .ray").first.bounding_box()
        assert marked is not None and marked["width"] > 5, entry
        rows = table_of(finding) if entry.get("claimed") or entry.get("recomputed") else {}
        for side, column in (("claimed", 0), ("recomputed", 1)):
            for path, value in leaves(entry.get(side) or {}):
                assert rows[said_name(path, names)][column] == said_value(value, names), (entry, rows)


def test_a_clean_game_says_that_it_is_clean_and_what_was_looked_at(tab: Tab, site: Site) -> None:
    for game in sorted(path.stem for path in GAMES.glob("clean-*.jsonl")):
        page = tab.open(site.reports[f"{game}.jsonl"])
        assert page.locator(".verdict .word").inner_text() == "Clean"
        assert page.locator(".find").filter(visible=True).count() == 0
        ran = re.search(r"([\d,]+) rules checked", page.locator(".verdict").inner_text())
        assert ran is not None and int(ran.group(1)) >= 60


def upload(tab: Tab, name: str, data: bytes) -> Page:
    page = tab.open("/upload")
    page.get_by_label("Logs to audit").set_input_files({"name": name, "mimeType": "text/plain", "buffer": data})
    page.get_by_role("button", name="Audit", exact=True).click()
    page.wait_for_url(re.compile(r"/(audits|uploads)/\w+"))
    if "/uploads/" in page.url:
        page.get_by_role("link", name="report").first.click()
        page.wait_for_url(re.compile(r"/audits/\w+"))
    is_audited(page)
    return page


def test_an_uploaded_game_is_read_in_the_browser_and_the_same_bytes_twice_are_one_upload(tab: Tab, site: Site) -> None:
    data = (GAMES / "faulty-1.jsonl").read_bytes().replace(b"Winter Muster", b"Summer Muster")
    page = upload(tab, "mine.jsonl", data)
    assert page.locator(".verdict .word").inner_text() == "Findings"
    assert page.locator(".bar + .finds > .find").count() == len(expected("faulty-1"))
    first, before = page.url, len(site.json("/api/v1/audits")["audits"])
    page = upload(tab, "again under another name.jsonl", data)
    assert page.url == first
    assert len(site.json("/api/v1/audits")["audits"]) == before
    # The same log in a gzip has the same audit: its digest is of the log, not of the wrapping.
    digest = page.locator("footer.proof dd").all_inner_texts()
    page = upload(tab, "mine.jsonl.gz", gzip.compress(data, mtime=0))
    assert page.locator("footer.proof dd").all_inner_texts() == digest


def test_every_error_of_a_damaged_file_is_shown_with_its_place(tab: Tab) -> None:
    lines = (GAMES / "clean-1.jsonl").read_text().splitlines()
    lines[9] = lines[9][: len(lines[9]) // 2]
    wrong = json.loads(lines[40])
    wrong["type"], wrong["player"] = wrong["type"], "UMM"
    lines[40] = json.dumps(wrong)
    lines[60] = lines[60].replace('"seq"', '"seq":1,"seq"', 1)
    page = upload(tab, "damaged.jsonl", "\n".join(lines).encode())
    assert page.locator(".verdict .word").inner_text() in ("Incomplete", "Findings")
    errors = page.locator("table.errs tbody tr").all_inner_texts()
    assert any(row.startswith("line 10") for row in errors), errors
    assert any(row.startswith("line 41") and "UMM" in row and "UM" in row for row in errors), errors
    page = upload(tab, "not a log.jsonl", b"Dear judge,\nwe forgot to write a log.\n")
    assert page.locator(".verdict .word").inner_text() == "Unreadable"
    assert page.locator("table.errs tbody tr").count() >= 1


TYPED = "([key, held]) => document.body.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, ...held}))"


def test_a_page_being_drawn_comes_by_itself_without_scripts_asked_for_at_a_finding_too(tabs: Tabs, site: Site) -> None:
    report = site.reports["faulty-1.jsonl"]
    follow = Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True).get_template("_follow.html")
    asked = SimpleNamespace(script_root="", path=report, query_string=b"")
    drawing = follow.render(static="/static/{}".format, request=asked) + "<main data-drawing>Being drawn"
    tab = tabs(java_script_enabled=False)
    answers = iter([drawing])

    def answer(route: Route) -> None:
        body = next(answers, None)
        route.fulfill(status=202, content_type="text/html", body=body) if body else route.continue_()

    tab.page.route(f"**{report}", answer)
    tab.page.goto(f"{site.address}{report}#f-1")
    tab.page.locator("[data-drawing]").wait_for()
    is_drawn(tab.page)
    assert tab.page.locator(".verdict .word").is_visible()


@pytest.mark.parametrize("scripts", [True, False], ids=["keys", "links without scripts"])
def test_the_replay_is_walked_event_by_event_and_finding_by_finding(tabs: Tabs, site: Site, scripts: bool) -> None:
    tab = tabs(java_script_enabled=scripts)
    report = site.reports["faulty-1.jsonl"]
    numbers = [entry["seq"] for entry in expected("faulty-1")]
    page = tab.open(f"{report}/events/1")

    def go(key: str, name: str, to: int, **held: bool) -> None:
        if held:
            page.evaluate(TYPED, [key, held])
        elif scripts:
            page.keyboard.press(key)
        else:
            page.locator(f".ctl [data-key='{key}']").click()
        page.wait_for_url(f"**{report}/events/{to}")
        is_drawn(page)
        page.locator("svg.board").filter(visible=True).first.wait_for()
        assert str(to) in page.locator("h1").inner_text(), name

    go("ArrowRight", "next", 2)
    go("ArrowRight", "next", 3)
    go("ArrowLeft", "previous", 2)
    go("]", "next finding", numbers[0])
    assert page.locator(".here .rid").inner_text() == expected("faulty-1")[0]["rule"]
    go("]", "next finding", numbers[1])
    go("[", "previous finding", numbers[0])
    if scripts:  # where a bracket needs AltGr, which a browser tells as Ctrl and Alt, or Option, which is Alt
        go("]", "next finding", numbers[1], ctrlKey=True, altKey=True)
        go("[", "previous finding", numbers[0], altKey=True)
    # From the replay to the finding in the report, and from there back to the replay.
    page.locator(".here a").first.click()
    page.wait_for_url(re.compile(rf"{report}#f-\w+"))
    there = page.url
    is_drawn(page)
    page.goto(there)  # without scripts a page that had to be drawn first is shown from its top
    finding = row_of(page, numbers[0], expected("faulty-1")[0]["rule"])
    assert finding.locator(".landing svg.board").first.is_visible()
    finding.locator(f".foot a[href='{report}/events/{numbers[0]}']").first.click()
    page.wait_for_url(f"**{report}/events/{numbers[0]}")
    # Any number can be asked for, and each event has an address that can be sent to somebody.
    page.locator("#seq").fill("125")
    page.get_by_role("button", name="Go", exact=True).click()
    page.wait_for_url(f"**{report}/events/125")


@pytest.mark.parametrize("game", in_turn(1, FAULTY))
def test_the_one_file_report_opens_from_disk_and_asks_for_nothing(
    tabs: Tabs, site: Site, game: str, tmp_path: Path
) -> None:
    tab = tabs(accept_downloads=True)
    page = tab.open(site.reports[f"{game}.jsonl"])
    with page.expect_download() as download:
        page.get_by_role("link", name="One-file report").click()
    file = tmp_path / "report.html"
    download.value.save_as(file)
    assert file.stat().st_size <= 2 * 1024 * 1024
    alone = tabs()
    asked: list[str] = []
    alone.page.on("request", lambda request: asked.append(request.url))
    alone.page.goto(file.as_uri())
    alone.foreign.clear()
    assert [address for address in asked if not address.startswith("data:")] == [file.as_uri()]
    for entry in expected(game):
        finding = row_of(alone.page, entry["seq"], entry["rule"])
        if not finding.locator(".landing").is_visible():
            finding.locator("summary").first.click()
        assert finding.locator("svg.board").first.is_visible(), entry
    rounds = alone.page.locator("details.round")
    assert rounds.count() >= 4
    for drawn in rounds.all():
        assert drawn.locator("svg.board").count() >= 1


def test_an_audit_is_served_as_json_csv_and_sarif(tab: Tab, site: Site) -> None:
    page = tab.open(site.reports["faulty-2.jsonl"])
    planted = expected("faulty-2")
    for name, kind in (("JSON", "application/json"), ("CSV", "text/csv"), ("SARIF", "application/sarif+json")):
        href = page.get_by_role("link", name=name, exact=True).get_attribute("href")
        site.file(href or "")  # when it has been drawn
        answer = page.request.get(f"{site.address}{href}")
        assert answer.ok and answer.headers["content-type"].startswith(kind), (name, answer.headers)
        text = answer.text()
        assert all(entry["rule"] in text for entry in planted), name


OTHERS = (
    "hcg/faulty-1",
    "hcg/faulty-2",
    "hcg/faulty-3",
    "clx/faulty-1",
    "clx/faulty-2",
    "clx/faulty-3",
    "clx/faulty-4",
)


@pytest.mark.parametrize("game", [*FAULTY, *OTHERS] if WHOLE else ["faulty-1", "hcg/faulty-3", "clx/faulty-4"])
def test_on_paper_no_finding_is_split_and_short_ones_share_a_page(tab: Tab, site: Site, game: str) -> None:
    """A4 with the margins of the stylesheet leaves 180 by 271 mm; two findings of a usual length go on a page."""
    page = tab.open(site.reports[f"{game}.jsonl"])
    sheets = len(re.findall(rb"/Type */Page\b", page.pdf(format="A4", prefer_css_page_size=True)))
    page.emulate_media(media="print")
    page.set_viewport_size({"width": round(180 / 25.4 * 96), "height": 900})
    heights = [
        box["height"] for box in (row.bounding_box() for row in page.locator(".bar + .finds > .find").all()) if box
    ]
    assert heights
    if "/" not in game:
        assert len(heights) == len(expected(game))
    over = (
        "() => Array.from(document.querySelectorAll('.board')).filter(one => one.scrollHeight > one.clientHeight + 1)"
    )
    assert page.evaluate(f"({over})().length") == 0, "a picture that hangs over what stands below it"
    assert max(heights) <= 271 / 25.4 * 96
    assert sheets <= len(heights) + 3, sheets
