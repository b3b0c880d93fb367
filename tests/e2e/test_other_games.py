"""A faulty game of cards and one of inches, from the upload to the paper: each page fits, and says what Calth's do."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from auditor import systems
from auditor.systems import UNPROVED
from tests.e2e.conftest import Tab, Tabs, is_drawn
from tests.e2e.looks import flaws
from tests.e2e.test_pages import OPEN_ALL, TOO_WIDE, violations
from tests.e2e.test_reports import leaves, row_of, said_value, table_of, upload
from tests.examples import Example, example
from tests.serving import FIXTURES, Site
from tests.shares import WHOLE, in_turn, is_tried

pytestmark = pytest.mark.browser


class Shown(NamedTuple):
    """An example with a fault, and an element of its picture that shows the act."""

    example: Example
    act: str

    @property
    def fault(self) -> dict[str, Any]:
        (expected,) = self.example.expected["findings"]
        return expected


EXAMPLES = {
    "hcg": Shown(example("hcg", "HCG-SHOOT-04/illegal"), ".board.cards .meant"),
    "clx": Shown(example("clx", "CLX-MOVE-01/illegal"), "svg.board .marks"),
}
RECORDED = sorted(
    f"{key}/{path.name.removesuffix('.expected.json')}"
    for key in EXAMPLES
    for path in (FIXTURES / key / "games").glob("faulty-*.expected.json")
)
SIZES = [(1280, "light"), (390, "dark")]


@pytest.mark.parametrize(
    ("game", "width", "scheme"), [(game, *size) for turn, game in enumerate(EXAMPLES) for size in in_turn(turn, SIZES)]
)
def test_every_page_of_a_faulty_game_fits_and_axe_finds_no_violation(
    tabs: Tabs, site: Site, game: str, width: int, scheme: str, tmp_path: Path
) -> None:
    tab, shown = tabs(width, scheme), EXAMPLES[game]
    fault = shown.fault
    page = upload(tab, f"{game}.json", shown.example.read_bytes())
    report = page.url.split("#")[0]
    assert page.locator(".verdict .word").inner_text() == "Findings"
    assert (UNPROVED in page.locator(".verdict").inner_text()) == (not systems.game(game).proved)
    page.evaluate(OPEN_ALL)
    finding = row_of(page, fault["seq"], fault["rule"])
    assert finding.locator(shown.act).first.is_visible()
    assert finding.locator(".landing .note a.rid").first.get_attribute("href") == f"/rules/{fault['rule']}"
    pages = {"report": report, "event": f"{report}/events/{fault['seq']}", "one file": tmp_path / "report.html"}
    pages["one file"].write_bytes(tab.site.file(f"{report.removeprefix(tab.site.address)}.html"))
    for name, at in pages.items():
        page.goto(at.as_uri() if isinstance(at, Path) else at)
        is_drawn(page)
        page.evaluate(OPEN_ALL)
        assert flaws(page) == {}, name
        assert violations(page) == [], name
        assert (UNPROVED in page.locator("main").inner_text()) == (not systems.game(game).proved), name
    tab.foreign.clear()  # the file on disk
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 680, "height": 960})
    assert page.evaluate(TOO_WIDE) <= 0


@pytest.mark.parametrize("name", RECORDED if WHOLE else ["hcg/faulty-3", "clx/faulty-1"])
def test_each_planted_fault_of_a_recorded_game_is_shown_with_its_numbers_its_picture_and_its_windows(
    tab: Tab, site: Site, name: str
) -> None:
    planted = json.loads((FIXTURES / f"{name.replace('/', '/games/')}.expected.json").read_text())["findings"]
    report = site.reports[f"{name}.jsonl"]
    audit = site.json(f"{report}.json")
    page = tab.open(report)
    assert page.locator(".verdict .word").inner_text() == "Findings"
    page.evaluate(OPEN_ALL)
    rows = page.locator(".bar + .finds .find")  # what follows from another stands below it
    game, windows = name.split("/")[0], []
    in_windows = {event["seq"] for event in events_of(name) if event["type"].split(".")[0] in SAID_IN_WINDOWS}
    assert rows.count() == len(planted) >= 12
    for entry in planted:
        if not is_tried(4, name, entry["seq"], entry["rule"]) and entry["seq"] not in in_windows:
            continue
        (found,) = (
            one
            for one in audit["findings"]
            if one["stands"] and (one["seq"], one["rule"]) == (entry["seq"], entry["rule"])
        )
        own = ":scope > details > summary"
        finding = rows.filter(has=page.locator(f"{own} .rid:text-is('{entry['rule']}')")).filter(
            has=page.locator(f"{own} .at b:text-is('{entry['seq']}')")
        )
        assert finding.count() == 1 and finding.locator(".landing").first.is_visible(), entry
        assert finding.locator("summary svg.k").first.get_attribute("aria-label") == entry["kind"]
        assert finding.locator(".landing .note a.rid").first.get_attribute("href") == f"/rules/{entry['rule']}"
        assert finding.locator(".board").first.is_visible(), entry
        if game == "clx" and found["evidence"]["marks"]:
            assert finding.locator("svg.board .marks").first.is_visible(), entry
        if game == "hcg":
            stack = finding.locator(".board.cards").first.locator("ol.stack li").all_inner_texts()
            assert stack == stack_of(found["evidence"]["before"], players_of(name)), entry
            windows += [(entry["seq"], len(stack))]
        told = table_of(finding) if found["claimed"] is not None or found["recomputed"] is not None else {}
        for column, side in enumerate(("claimed", "recomputed")):
            for path, value in leaves(found[side] if isinstance(found[side], dict) else {}):
                if type(value) in (int, bool):
                    assert said_value(value) in {row[column] for row in told.values()}, (entry, path, told)
    # What is said in a window is shown in it, and in each of these games some of it is at fault.
    said = in_windows & {entry["seq"] for entry in planted}
    assert game != "hcg" or (said and said <= {seq for seq, depth in windows if depth})


SAID_IN_WINDOWS = ("tactic", "reaction", "modifier")


def events_of(name: str) -> list[dict[str, Any]]:
    """The events of a recorded game."""
    return [
        json.loads(line) for line in (FIXTURES / f"{name.replace('/', '/games/')}.jsonl").read_text().splitlines()[1:]
    ]


def players_of(name: str) -> dict[str, str]:
    """The names of the players of a recorded game, by id."""
    header = json.loads((FIXTURES / f"{name.replace('/', '/games/')}.jsonl").read_text().splitlines()[0])
    return {player["id"]: player["name"] for player in header["players"]}


def stack_of(board: dict[str, Any], names: dict[str, str]) -> list[str]:
    """The open windows of a table in words, the innermost first: who may act, how many passed, and what was said in it."""
    told = []
    for window in reversed(board["windows"]):
        passes, entries = window["passes"], window["entries"]
        said = [f"Window for {window['kind']}: {names[window['next']]} may act"]
        said += [f"{passes} {'pass' if passes == 1 else 'passes'} in a row"] if passes else []
        numbers = [", ".join(map(str, entries[:-1])), str(entries[-1])] if len(entries) > 1 else list(map(str, entries))
        said += [f"{'event' if len(entries) == 1 else 'events'} {' and '.join(numbers)}"] if entries else []
        told.append("; ".join(said))
    return told


@pytest.mark.parametrize("game", EXAMPLES)
def test_from_the_choice_of_a_game_to_its_rules_and_back(tab: Tab, game: str) -> None:
    rule = EXAMPLES[game].fault["rule"]
    page = tab.open("/rules")
    page.locator(f"main a[href='/rules/{game}']").click()
    page.wait_for_url(f"**/rules/{game}")
    others = {"calth": "CAL-", "hcg": "HCG-", "clx": "CLX-"}
    listed = page.locator(".rulelist .rid").all_inner_texts()
    assert rule in listed and all(each.startswith(others[game]) for each in listed)
    assert (UNPROVED in page.locator("main").inner_text()) == (not systems.game(game).proved)
    page.locator(f".rulelist a[href='/rules/{rule}']").click()
    page.wait_for_url(f"**/rules/{rule}")
    assert page.locator("h1").inner_text()
    page.get_by_role("link", name="Rules").last.click()
    page.wait_for_url(re.compile(rf"/rules/{game}$"))
