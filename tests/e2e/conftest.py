"""A service with the example games in it, and tabs of a real browser that watch what pages say."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.serving import FIXTURES, Site, serving

GAMES = FIXTURES / "calth" / "games"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The first test of a run waits until all example games are audited: on a busy machine that takes minutes."""
    for item in items:
        if "site" in getattr(item, "fixturenames", ()) and item.get_closest_marker("timeout") is None:
            item.add_marker(pytest.mark.timeout(900))


@pytest.fixture(scope="session")
def site(examples_audited: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """`auditor serve` in a process of its own, on a free port, when its examples are audited."""
    folder = tmp_path_factory.mktemp("service")
    shutil.copytree(examples_audited, folder / "data")
    with serving(folder) as site:
        yield site


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
