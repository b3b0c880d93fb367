"""What `make run` shows: the games that come with the program, audited by the real engine, page by page."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

import auditor.service.examples
from auditor import systems
from auditor.core import bounds
from auditor.engine import audit_log
from auditor.report import onefile, replay
from auditor.report.boards.pen import MOST_DRAWN, MOST_TOLD
from auditor.service import OWN, Service, deliveries, fixtures_dir
from auditor.service.examples import games_in
from auditor.systems import UNPROVED, game_keys
from auditor.web import create_app
from auditor.web.words import size_words
from tests.serving import shown_in
from tests.shares import WHOLE, is_tried
from tests.web.conftest import Browser

FIXTURES = Path(__file__).parents[2] / "fixtures"

pytestmark = pytest.mark.timeout(900)  # every page of every example is made


@pytest.fixture
def examples(settings, examples_audited, monkeypatch):
    """A service of which the examples are audited."""
    monkeypatch.setattr(deliveries, "games_in", shown_in)
    shutil.copytree(examples_audited, settings.data_dir, dirs_exist_ok=True)
    service = Service(replace(settings, load_examples=True, wait_seconds=200.0))
    service.start()
    yield service
    service.close()


@pytest.fixture
def at_rest(settings):
    """A service with nothing to do."""
    service = Service(settings)
    yield service
    service.close()


def test_every_example_is_audited_shown_and_the_same_as_without_the_service(examples, settings, monkeypatch):
    browser = Browser(create_app(settings, examples).test_client())
    lines = examples.audits.page().audits
    logs = {(path.parents[1].name, path.name): path for games in FIXTURES.glob("*/games") for path in shown_in(games)}
    assert {(line.game, line.name) for line in lines} == logs.keys()
    assert {line.game for line in lines} == set(game_keys())
    for line in lines:  # The pages of one game of each system; in whole runs of all.
        assert line.state == "done", line.error
        assert line.rulings_kind == OWN
        value = json.loads(browser.get(f"/audits/{line.key}.json").data)
        if WHOLE or line.name in ("clean-1.jsonl", "in-short.json", "no-base-rules.jsonl"):
            assert value == audit_log(logs[line.game, line.name].read_bytes())
        if not (
            WHOLE or (line.game, line.name[:8]) in {("calth", "faulty-1"), ("hcg", "faulty-2"), ("clx", "faulty-1")}
        ):
            continue
        report = browser.page(f"/audits/{line.key}")
        assert value["digest"] in report
        assert (UNPROVED in report) == (not systems.game(line.game).proved)
        pages = {f"/audits/{line.key}": report}
        for finding in value["findings"]:
            if not is_tried(12, line.game, line.name, finding["id"]):
                continue
            place, _, mark = browser.get(f"/audits/{line.key}/findings/{finding['id']}").location.partition("#")
            if place not in pages:
                pages[place] = browser.page(place)
            assert mark == f"f-{finding['id']}"
            assert f'id="{mark}"' in pages[place]
        events = examples.replays.timeline(line.key)
        for seq in (events[0]["seq"], events[len(events) // 2]["seq"], events[-1]["seq"]):
            assert 'class="board ' in browser.page(f"/audits/{line.key}/events/{seq}")
        assert len(browser.page(f"/audits/{line.key}.html")) > 10_000
    # The next start finds them there, and takes in what is new.
    assert examples.deliveries.load_examples() == 0
    monkeypatch.undo()
    every = [path for games in FIXTURES.glob("*/games") for path in games_in(games)]
    assert examples.deliveries.load_examples() == len(every) - len(logs)


def test_every_rule_has_its_page(at_rest, settings):
    browser = Browser(create_app(settings, at_rest).test_client())
    for game in game_keys():
        index = browser.page(f"/rules/{game}")
        for rule in at_rest.games.rules(game):
            assert rule["id"] in index
            assert rule["id"] in browser.page(f"/rules/{rule['id']}")
        assert (UNPROVED in index) == (not systems.game(game).proved)
        readings = browser.page(f"/readings/{game}")
        for reading in at_rest.games.readings(game):
            assert reading["id"] in readings


def test_the_games_come_from_the_package_or_from_the_checkout(tmp_path, monkeypatch):
    assert fixtures_dir() == FIXTURES
    (tmp_path / "auditor" / "_fixtures").mkdir(parents=True)
    module = tmp_path / "auditor" / "service" / "examples.py"
    monkeypatch.setattr(auditor.service.examples, "__file__", str(module))
    assert fixtures_dir() == tmp_path / "auditor" / "_fixtures"
    (tmp_path / "auditor" / "_fixtures").rmdir()
    assert fixtures_dir() is None


def test_the_limits_of_an_audit_are_on_their_page(at_rest, settings):
    page = Browser(create_app(settings, at_rest).test_client()).get("/limits").text
    for words in (
        f"{bounds.MOST_SEEN:,}",
        f"{bounds.MOST_ERRORS:,}",
        f"{bounds.MOST_UNCHECKED:,}",
        f"{MOST_DRAWN:,}",
        f"{MOST_TOLD:,}",
    ):
        assert words in page
    for name, most in (
        ("Files in one zip", f"{settings.max_members:,}"),
        ("One file of it unpacked", f"1 MB, and {at_rest.limits.ratio} times its packed size"),
        ("A rulings file", size_words(settings.max_rulings_bytes)),
        ("The same of a report in one file, which may weigh more than a page", f"{onefile.MOST_DRAWN:,}"),
        ("Findings of an event that its page tells", f"{replay.MOST_CASES:,}"),
        ("Changes of a line tried for each", f"{bounds.MOST_SUPPOSED:,}"),
        ("Such events in an audit", f"{2 * bounds.LEAST_STEPS:,} to {2 * bounds.MOST_STEPS:,}"),
        ("Events gone through for that in an audit", f"from {bounds.LEAST_RETOLD:,} to {bounds.MOST_RETOLD:,}"),
    ):
        assert re.search(rf"{name}\s*</[^>]*>\s*<[^>]*>[^<]*{re.escape(most)}", page), name
    assert f"at least {bounds.LEAST_OTHERWISE} accusations or errors speak against a record" in page
