"""Names as they come: words stay whole wherever they fit, signs stay with their words, no name widens a page."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import GAMES, Tabs, is_audited
from tests.e2e.looks import flaws
from tests.e2e.test_pages import OPEN_ALL
from tests.serving import Site
from tests.shares import in_turn

pytestmark = pytest.mark.browser

COMMON = ("Wolfgang Achterbergerhof", "Bartholomew Featherstonehaugh")
ENDLESS = ("N" * 200, "n" * 200)


@pytest.fixture(scope="module")
def named(site: Site, chromium: Any) -> dict[str, str]:
    """The first half of a faulty game, uploaded under long names that everything that has a name bears: addresses by kind of
    page."""
    places = {}
    for key, names in (("common", COMMON), ("endless", ENDLESS)):
        header, *events = (GAMES / "faulty-2.jsonl").read_text().splitlines()
        head = json.loads(header)
        head["players"] = [
            {"id": player["id"], "name": name} for player, name in zip(head["players"], names, strict=True)
        ]
        head["title"] = " against ".join(names)
        head["match"] = {"event": names[0], "round": 2, "table": 8}
        page = chromium.new_page()
        page.set_default_timeout(120_000)
        page.goto(f"{site.address}/upload")
        data = "\n".join([json.dumps(head), *events[:210]]).encode()
        name = f"{names[0][:180]}.jsonl"
        page.get_by_label("Logs to audit").set_input_files([{"name": name, "mimeType": "text/plain", "buffer": data}])
        page.get_by_role("button", name="Audit", exact=True).click()
        page.wait_for_url(re.compile(r"/(audits|uploads)/\w+"))
        if "/uploads/" in page.url:
            places[f"{key} delivery"] = page.url.removeprefix(site.address)
            page.get_by_role("link", name="report").first.click()
            page.wait_for_url(re.compile(r"/audits/\w+"))
        is_audited(page)
        report = page.url.removeprefix(site.address).split("#")[0]
        places |= {
            f"{key} report": report,
            f"{key} replay": f"{report}/events/205",
            f"{key} one file": f"{report}.html",
        }
        page.close()
    one = next(one for one in site.json("/api/v1/audits")["audits"] if f"/audits/{one['id']}" == report)
    return places | {"log": f"/logs/{one['log_sha256']}", "games": "/audits"}


@pytest.mark.parametrize("width", in_turn(1, [1280, 390]))
def test_words_of_names_stay_whole_signs_with_their_words_and_every_page_fits(
    tabs: Tabs, site: Site, named: dict[str, str], width: int, tmp_path: Path
) -> None:
    assert len(named) >= 8
    wrong = {}
    for kind, path in named.items():
        tab = tabs(width)
        if kind.endswith("one file"):
            file = tmp_path / "report.html"
            file.write_bytes(site.file(path))
            tab.page.goto(file.as_uri())
            tab.foreign.clear()
        else:
            tab.open(path)
        wrong[kind, "closed"] = flaws(tab.page)
        tab.page.evaluate(OPEN_ALL)
        wrong[kind, "open"] = flaws(tab.page)
        if "replay" not in kind:
            tab.page.emulate_media(media="print")
            tab.page.set_viewport_size({"width": 680, "height": 960})
            wrong[kind, "paper"] = flaws(tab.page)
    assert {place: found for place, found in wrong.items() if found} == {}
