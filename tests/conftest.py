"""What all tests share: hypothesis without a deadline, since a machine may be busy, and a browser for those that need one.

Tests in a browser are marked `browser`. Without chromium they are left out of the run, which says so once at its end and does not
count them as passed; with REQUIRE_BROWSER set they are run and fail.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
ARGS = [
    "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking",
    "--disable-sync", "--disable-quic", "--disable-component-update",
]  # fmt: skip
LEFT_OUT = pytest.StashKey[int]()

settings.register_profile("auditor", deadline=None)
settings.load_profile("auditor")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "browser: needs chromium")


LONG_FIRST = ("conformance", "calth", "web", "e2e", "cli", "bench", "clx", "hcg", "report", "systems")
"""Folders whose modules take longest: begun first, so that no process is left with one of them at the end."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    place = {name: n for n, name in enumerate(LONG_FIRST)}
    items.sort(key=lambda item: place.get(item.path.parent.name, len(place)))
    if CHROMIUM is not None or os.environ.get("REQUIRE_BROWSER"):
        return
    with_browser = [item for item in items if item.get_closest_marker("browser")]
    items[:] = [item for item in items if not item.get_closest_marker("browser")]
    config.stash[LEFT_OUT] = len(with_browser)
    config.hook.pytest_deselected(items=with_browser)


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    left_out = config.stash.get(LEFT_OUT, 0)
    if left_out:
        terminalreporter.write_line(
            f"{left_out} tests in a browser were NOT run: there is no chromium on this machine", yellow=True
        )


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The browser of the whole run; each test opens a page or a context of its own."""
    if CHROMIUM is None:
        pytest.fail("REQUIRE_BROWSER is set, and there is no chromium on this machine")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        yield browser
        browser.close()
