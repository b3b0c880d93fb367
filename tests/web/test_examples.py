"""What `make run` shows: the games that come with the program, audited by the real engine, page by page."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path

import pytest

import auditor.service.examples
from auditor.core import bounds
from auditor.engine import audit_log
from auditor.service import OWN, Service, fixtures_dir
from auditor.web import create_app
from tests.web.conftest import Browser

GAMES = Path(__file__).parents[2] / "fixtures" / "calth" / "games"


@pytest.fixture
def examples(settings):
    service = Service(replace(settings, load_examples=True))
    service.start()
    end = time.monotonic() + 120
    while service.audits.page().tally.get("waiting") and time.monotonic() < end:
        time.sleep(0.1)
    yield service
    service.close()


def test_every_example_is_audited_shown_and_the_same_as_without_the_service(examples, settings):
    browser = Browser(create_app(settings, examples).test_client())
    lines = examples.audits.page().audits
    assert {line.name for line in lines} == {path.name for path in GAMES.glob("*.jsonl")} != set()
    for line in lines:
        assert line.state == "done", line.error
        assert line.rulings_kind == OWN
        value = json.loads(browser.get(f"/audits/{line.key}.json").data)
        assert value == audit_log((GAMES / line.name).read_bytes())
        report = browser.page(f"/audits/{line.key}")
        assert value["digest"] in report
        for finding in value["findings"]:
            assert f'id="f-{finding["id"]}"' in report
        events = examples.replays.timeline(line.key)
        for seq in (events[0]["seq"], events[len(events) // 2]["seq"], events[-1]["seq"]):
            assert "<svg" in browser.page(f"/audits/{line.key}/events/{seq}")
        assert len(browser.page(f"/audits/{line.key}.html")) > 10_000
    # The next start finds them there.
    assert examples.deliveries.load_examples() == 0


def test_every_rule_has_its_page(examples, settings):
    browser = Browser(create_app(settings, examples).test_client())
    index = browser.page("/rules")
    for rule in examples.games.rules("calth"):
        assert rule["id"] in index
        assert rule["id"] in browser.page(f"/rules/{rule['id']}")
    readings = browser.page("/readings")
    for reading in examples.games.readings("calth"):
        assert reading["id"] in readings


def test_the_games_come_from_the_package_or_from_the_checkout(tmp_path, monkeypatch):
    assert fixtures_dir() == GAMES.parents[1]
    (tmp_path / "auditor" / "_fixtures").mkdir(parents=True)
    module = tmp_path / "auditor" / "service" / "examples.py"
    monkeypatch.setattr(auditor.service.examples, "__file__", str(module))
    assert fixtures_dir() == tmp_path / "auditor" / "_fixtures"
    (tmp_path / "auditor" / "_fixtures").rmdir()
    assert fixtures_dir() is None


def test_the_limits_of_an_audit_are_on_their_page(examples, settings):
    page = Browser(create_app(settings, examples).test_client()).get("/limits").text
    for words in (f"{bounds.MOST_SEEN:,}", f"{bounds.MOST_ERRORS:,}", f"{bounds.MOST_UNCHECKED:,}"):
        assert words in page
