"""A record that may be written in another way is read so by a button, which asks for no JavaScript."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from auditor.service import Service
from auditor.settings import Settings
from auditor.web import create_app
from tests.cli.shell import GAMES
from tests.cli.test_read_as import offset
from tests.web.conftest import Browser, Near, settled


@pytest.fixture
def engine(settings: Settings) -> Iterator[Service]:
    """A service with the games that there are."""
    service = Service(settings, "auditor.engine", Near.make)
    service.start()
    yield service
    service.close()


def fields(page: str, action: str) -> dict[str, str]:
    """What a form of a page sends when its button is pressed."""
    form = re.search(rf'<form[^>]*method="post" action="{action}">(.*?)</form>', page, re.DOTALL)
    assert form is not None, "there is no such form"
    assert "<button" in form[1]
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', form[1]))


def test_the_page_offers_the_way_and_both_counts_and_the_audit_made_says_what_was_chosen(
    settings: Settings, engine: Service
) -> None:
    browser = Browser(create_app(settings, engine).test_client())
    lines = [json.loads(line) for line in (GAMES / "clean-1.jsonl").read_text(encoding="utf-8").splitlines()]
    sent = browser.upload(("game.jsonl", "".join(json.dumps(line) + "\n" for line in offset(lines)).encode()))
    first = settled(engine, sent.location.split("/")[-1])
    perhaps: Any = engine.audits.value(first.key)["perhaps"]
    assert perhaps["read_as"] == "offset" and perhaps["against_as_written"] > perhaps["against_read_so"]
    page, action = browser.page(f"/audits/{first.key}"), f"/audits/{first.key}/read-as"
    assert f"as it is written: <b>{perhaps['against_as_written']}</b>" in page
    assert f"read so: <b>{perhaps['against_read_so']}</b>" in page
    answer = browser.client.post(action, data=fields(page, action))
    assert answer.status_code == 303
    chosen = settled(engine, answer.location.split("/")[-1])
    audit = engine.audits.value(chosen.key)
    assert audit["read_as"] == "offset" and "perhaps" not in audit
    assert chosen.rulings_label.endswith("; read as offset") and chosen.log_sha256 == first.log_sha256
    page = browser.page(f"/audits/{chosen.key}")
    assert "The record was read as it was asked for: with hexes by column and row, odd columns lower." in page
    assert f'<a href="/audits/{first.key}">As it is written</a>' in page and "read-as" not in page
    where = {str(frame["board"]["units"]) for frame in engine.replays.rounds(chosen.key)}
    assert where != {str(frame["board"]["units"]) for frame in engine.replays.rounds(first.key)}
    again = browser.client.post(
        f"/audits/{chosen.key}/read-as", data=fields(browser.page(f"/audits/{first.key}"), action)
    )
    assert again.location == answer.location, "the same choice is the same audit, from whichever page"


def test_a_way_that_there_is_not_is_refused_by_name(browser: Browser, service: Service) -> None:
    sent = browser.upload(("game.jsonl", (GAMES / "clean-1.jsonl").read_bytes()))
    key = settled(service, sent.location.split("/")[-1]).key
    answer = browser.post(f"/audits/{key}/read-as", read_as="furlongs")
    assert answer.status_code == 400 and "furlongs" in answer.text
    assert len(service.audits.page().audits) == 1
