"""The program as a user starts it, with the example games in it, and tabs of a real browser that watch what pages say."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from auditor.service.examples import games_in
from tests.drawn import drawn

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "fixtures"
GAMES = FIXTURES / "calth" / "games"


@dataclass(frozen=True)
class Site:
    """A running service: its address, and the report of each example game by the name of its file, with the game before
    it where that is not Calth ("hcg/two-sectors.json")."""

    address: str
    reports: dict[str, str]

    def json(self, path: str) -> Any:
        with urllib.request.urlopen(f"{self.address}{path}", timeout=30) as answer:
            return json.load(answer)

    def file(self, path: str) -> bytes:
        """What a program is given under an address, when it has been drawn."""
        return drawn(self.address + path)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The first test of a run waits until all example games are audited: on a busy machine that takes minutes."""
    for item in items:
        if "site" in getattr(item, "fixturenames", ()) and item.get_closest_marker("timeout") is None:
            item.add_marker(pytest.mark.timeout(900))


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """`auditor serve` in a process of its own, on a free port, when its examples are audited."""
    folder = tmp_path_factory.mktemp("service")
    shutil.copytree(_audited_once(tmp_path_factory), folder / "data")
    with _serving(folder) as site:
        yield site


def _audited_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the audits of the examples: the first process of a run has them made, the others wait for it."""
    base = tmp_path_factory.getbasetemp()
    common = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    made, failed = common / "examples-audited", common / "examples-not-audited"
    try:
        (common / "examples-in-work").mkdir()
    except FileExistsError:
        end = time.monotonic() + 700
        while not made.exists():
            assert not failed.exists(), "another process could not have the examples audited"
            assert time.monotonic() < end, "another process had the examples audited too slowly"
            time.sleep(0.2)
        return made
    try:
        with _serving(common / "examples-in-work"):
            pass
    except BaseException:
        failed.touch()
        raise
    (common / "examples-in-work" / "data").rename(made)
    return made


@contextlib.contextmanager
def _serving(folder: Path) -> Iterator[Site]:
    """A service over `data` in a folder, when all its audits are done."""
    with (folder / "log").open("w+") as said:
        process = subprocess.Popen(
            [sys.executable, "-m", "auditor", "serve", "--port", "0", "--data", str(folder / "data")],
            stdout=said,
            stderr=subprocess.STDOUT,
            cwd=folder,
            env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"},
        )
        try:
            yield _when_ready(process, folder / "log")
        finally:
            process.terminate()
            process.wait(20)


def _when_ready(process: subprocess.Popen[bytes], log: Path) -> Site:
    end = time.monotonic() + 600
    address = None
    while time.monotonic() < end:
        assert process.poll() is None, log.read_text()
        found = re.search(r"http://127\.0\.0\.1:\d+", log.read_text())
        if found:
            address = found.group()
            audits = Site(address, {}).json("/api/v1/audits")["audits"]
            if audits and all(one["state"] == "done" for one in audits):
                logs = {
                    hashlib.sha256(path.read_bytes()).hexdigest(): path.relative_to(FIXTURES).as_posix()
                    for games in FIXTURES.glob("*/games")
                    for path in games_in(games)
                }
                names = {log: name.replace("/games/", "/").removeprefix("calth/") for log, name in logs.items()}
                return Site(address, {names[one["log_sha256"]]: f"/audits/{one['id']}" for one in audits})
        time.sleep(0.2)
    raise AssertionError(f"the service was not ready in time: {address} {log.read_text()}")


def is_drawn(page: Page) -> None:
    """Wait until a page is there as a whole: one that says that it is being drawn loads itself anew when it has been."""
    page.wait_for_load_state()
    while page.locator("[data-drawing]").count():
        page.wait_for_selector("[data-drawing]", state="detached")
        page.wait_for_load_state()


def is_audited(page: Page) -> None:
    """Wait until the report of a log that was just sent is there: on a busy machine a long log takes minutes."""
    page.wait_for_selector(".verdict .word", timeout=300_000)


@dataclass
class Tab:
    """A page in a browser, and all that went wrong in it."""

    page: Page
    site: Site
    said: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.set_default_timeout(120_000)
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("request", self._asked)

    def _asked(self, request: Any) -> None:
        if not request.url.startswith((self.site.address, "data:")):
            self.foreign.append(request.url)

    def open(self, path: str) -> Page:
        """Go to a page of the service; anything that the browser complains of fails the test."""
        self.page.goto(path if "://" in path else self.site.address + path)
        is_drawn(self.page)
        self.is_quiet()
        return self.page

    def is_quiet(self) -> None:
        assert not self.said, (self.page.url, self.said)
        assert not self.foreign, (self.page.url, self.foreign)


class Tabs:
    """Opens tabs, and closes them after the test. Nothing moves in them: a colour that still changes cannot be measured."""

    def __init__(self, browser: Browser, site: Site) -> None:
        self.browser, self.site = browser, site
        self.opened: list[tuple[BrowserContext, Tab]] = []

    def __call__(self, width: int = 1280, scheme: Any = "light", **how: Any) -> Tab:
        how = {"viewport": {"width": width, "height": 900}, "color_scheme": scheme, "reduced_motion": "reduce"} | how
        context = self.browser.new_context(**how)
        tab = Tab(context.new_page(), self.site)
        self.opened.append((context, tab))
        return tab


@pytest.fixture
def tabs(chromium: Browser, site: Site) -> Iterator[Tabs]:
    tabs = Tabs(chromium, site)
    yield tabs
    for context, tab in tabs.opened:
        tab.is_quiet()
        context.close()


@pytest.fixture
def tab(tabs: Tabs) -> Tab:
    """A tab of a desk's width, light, with scripts."""
    return tabs()
