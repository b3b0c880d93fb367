"""The running service in a real browser: files are chosen and sent, the work is followed, nothing breaks the policy."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest
from flask import Flask

from auditor.settings import Settings
from auditor.web.server import make_server
from tests.web.conftest import FAULTY, log_of

pytestmark = pytest.mark.browser


@pytest.fixture
def address(app: Flask, settings: Settings) -> Iterator[str]:
    server = make_server(app, settings, host="127.0.0.1", port=0)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.effective_port}"
    server.task_dispatcher.shutdown(timeout=5)
    server.asyncore.close_all(server._map)
    thread.join(5)


def test_logs_are_chosen_sent_followed_and_read(address, app, service, settings, chromium):
    service._shared.settings = replace(settings, wait_seconds=0.0)
    nasty = '"><img src=x onerror=alert(1)>\u202e' + "n" * 300
    players = [{"id": "UM", "name": nasty}, {"id": "WB", "name": "Bob"}]
    files = {
        "fine.jsonl": FAULTY,
        "slow.jsonl": log_of({"type": "slow", "seconds": 3}, title=nasty, players=players),
        "<b>bad.jsonl": FAULTY + b"{oops " + b"<script>alert(2)</script>" * 20 + b"\n",
    }
    said: list[str] = []
    tab = chromium.new_page(viewport={"width": 390, "height": 800})
    tab.on("console", lambda message: said.append(message.text))
    tab.on("pageerror", lambda error: said.append(str(error)))
    tab.on("dialog", lambda dialog: (said.append("a dialog"), dialog.dismiss()))

    tab.goto(f"{address}/upload")
    tab.get_by_label("Logs to audit").set_input_files(
        [{"name": name, "mimeType": "text/plain", "buffer": data} for name, data in files.items()]
    )
    tab.get_by_role("button", name="Audit", exact=True).click()
    tab.wait_for_url("**/uploads/*")
    assert tab.locator("[data-follow=working]").count() == 1
    here = tab.url
    tab.wait_for_selector("[data-follow=settled]")  # without a reload and without a touch
    assert tab.url == here
    assert tab.locator("ul.files > li").count() == 3

    todo, seen = [here, f"{address}/", f"{address}/rulings"], set[str]()
    while todo:
        page = todo.pop().split("#")[0]
        if (
            page in seen
            or not page.startswith(address)
            or page.endswith((".json", ".html", ".csv", ".sarif", "/bytes"))
        ):
            continue
        if "/by-hash/" in page or "/api/" in page:
            continue
        seen.add(page)
        tab.goto(page)
        over = tab.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        assert over <= 0, (page, over)
        assert not said, (page, said)
        todo += tab.evaluate("Array.from(document.links, a => a.href)")
    assert len(seen) > 15
    tab.close()
    assert not said


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return replace(settings, max_request_bytes=400_000)


def test_a_file_over_the_limit_gets_our_page_in_a_browser_too(address, chromium):
    tab = chromium.new_page()
    tab.goto(f"{address}/upload")
    big = {"name": "big.jsonl", "mimeType": "text/plain", "buffer": b"x" * 1_000_000}
    tab.get_by_label("Logs to audit").set_input_files([big])
    with tab.expect_navigation() as sent:
        tab.get_by_role("button", name="Audit", exact=True).click()
    assert sent.value.status == 413
    assert "at most 391 KB" in tab.inner_text("main")
    assert tab.get_by_role("link", name="How much fits").get_attribute("href") == "/limits"
    tab.close()
