"""In a real browser, under the strict policy: no page breaks it, nothing runs that players wrote, every width fits."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from auditor.report.onefile import onefile_csp
from tests.report.pages_of import one_file, web_pages
from tests.report.samples import sample

if TYPE_CHECKING:
    from playwright.sync_api import Browser

POLICY = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:"
STATIC = Path(__file__).parents[2] / "auditor" / "web" / "static"

pytestmark = pytest.mark.browser


def all_pages() -> dict[str, tuple[str, str]]:
    """Address to (policy, page), for the two samples that hold the most."""
    pages = {}
    for name in ("full", "hostile"):
        chosen = sample(name)
        pages |= {f"/{name}/{n}": (POLICY, html) for n, html in web_pages(chosen).items()}
        pages[f"/{name}/onefile"] = (onefile_csp(), one_file(chosen))
    return pages


@pytest.fixture(scope="module")
def site() -> Iterator[tuple[str, dict[str, tuple[str, str]]]]:
    """The pages behind a server of their own: its address, and the pages."""
    pages = all_pages()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = self.path.split("?")[0]
            if path in pages:
                policy, html = pages[path]
                body, kind = html.encode(), "text/html; charset=utf-8"
            else:
                policy, file = POLICY, STATIC / Path(path).name
                if not file.is_file():
                    self.send_error(404)
                    return
                body, kind = file.read_bytes(), "text/css" if file.suffix == ".css" else "text/javascript"
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Security-Policy", policy)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}", pages
    server.shutdown()
    server.server_close()


def test_every_page_keeps_the_policy_runs_nothing_foreign_and_fits(
    site: tuple[str, dict[str, tuple[str, str]]], chromium: Browser
) -> None:
    address, pages = site
    for width in (1280, 390):
        context = chromium.new_context(viewport={"width": width, "height": 900})
        tab = context.new_page()
        said: list[str] = []
        asked: list[str] = []
        tab.on("console", lambda message, said=said: said.append(message.text))
        tab.on("pageerror", lambda error, said=said: said.append(str(error)))
        tab.on("dialog", lambda dialog, said=said: (said.append("a dialog"), dialog.dismiss()))
        tab.on("request", lambda request, asked=asked: asked.append(request.url))
        for path in pages:
            tab.goto(address + path)
            tab.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })")
            over = tab.evaluate("document.documentElement.scrollWidth - window.innerWidth")
            assert over <= 0, (path, width, over)
            assert not said, (path, width, said)
            if path.endswith("/onefile"):
                assert [a for a in asked if not a.startswith("data:")] == [address + path]
            assert not [a for a in asked if not a.startswith((address, "data:"))]
            asked.clear()
        context.close()


def test_keys_walk_the_replay_and_a_link_to_a_finding_opens_it(
    site: tuple[str, dict[str, tuple[str, str]]], chromium: Browser
) -> None:
    address, _ = site
    tab = chromium.new_page()
    tab.goto(f"{address}/full/replay-32")
    tab.keyboard.press("ArrowLeft")
    tab.wait_for_url(f"{address}/replay/31")
    follows = next(f for f in sample("full").audit["findings"] if f["rule"] == "CAL-ACT-02")
    for page in ("report", "onefile"):
        tab.goto(f"{address}/full/{page}#f-{follows['id']}")
        assert tab.locator(f"#f-{follows['id']} .board").first.is_visible(), page
    tab.goto(f"{address}/full/report")
    tab.get_by_role("button", name="Tomasz Birk").click()
    assert [row.is_visible() for row in tab.locator(".bar + .finds > .find").all()] == [
        False,
        False,
        True,
        False,
        True,
    ]
    tab.close()


def test_on_paper_what_stands_is_whole_and_the_rest_is_a_line_each(
    site: tuple[str, dict[str, tuple[str, str]]], chromium: Browser
) -> None:
    address, _ = site
    tab = chromium.new_page()
    tab.goto(f"{address}/full/onefile")
    tab.emulate_media(media="print")
    standing = tab.locator(".bar + .finds > .find > details > .landing")
    assert standing.count() == 5 and all(one.is_visible() for one in standing.all())
    apart = tab.locator(".apart .find")
    assert apart.count() == 2 and all(one.locator("summary").is_visible() for one in apart.all())
    assert not any(one.is_visible() for one in tab.locator(".apart .landing").all())
    tab.close()
