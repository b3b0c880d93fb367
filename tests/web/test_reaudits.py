"""Games audited anew: each once, under the rulings that it had, beside what was said before."""

from __future__ import annotations

import hashlib
from types import SimpleNamespace
from typing import Any

import pytest

from auditor.service import Service
from tests.web import fake_engine
from tests.web.conftest import CLEAN, FAULTY, Browser, log_of


@pytest.fixture
def newer(monkeypatch: pytest.MonkeyPatch) -> None:
    """A next version of the rules, which finds fault with every act of round 2."""
    old = fake_engine.audit_log

    def stricter(data: bytes, **how: Any) -> dict[str, Any]:
        later = data.replace(b'"round": 2', b'"round": 2, "bad": "Too late."')
        own = {"ruleset_version": "fake-2", "log_sha256": hashlib.sha256(data).hexdigest()}
        return {**old(later, **how), **own}

    monkeypatch.setattr(fake_engine, "GAMES", {"calth": SimpleNamespace(key="calth", title="x", version="fake-2")})
    monkeypatch.setattr(fake_engine, "audit_log", stricter)


def quiet(_number: int) -> None: ...


def test_every_game_is_audited_anew_and_what_differs_is_named(service: Service, browser: Browser, newer_later):
    browser.upload(("a.jsonl", CLEAN), ("b.jsonl", FAULTY), ("c.jsonl", log_of({}, title="One act")))
    newer_later()
    asked = service.reaudits.ask(None)
    service.reaudits.wait(asked, quiet)
    again = list(service.reaudits.compared(asked))
    assert len(again) == 3
    assert {one.title: (one.verdict_before, one.verdict) for one in again if one.differs} == {
        "A calm game": ("clean", "findings"),
        "A lively game": ("findings", "findings"),
    }
    assert service.reaudits.ask(None) == asked  # nothing is done twice


def test_only_the_games_of_an_event_are_audited_anew(service: Service, browser: Browser, newer_later):
    cup = log_of({}, title="Cup", match={"event": "Spring Cup"})
    browser.upload(("a.jsonl", CLEAN), ("b.jsonl", cup))
    newer_later()
    asked = service.reaudits.ask("Spring cup")
    service.reaudits.wait(asked, quiet)
    assert [one.title for one in service.reaudits.compared(asked)] == ["Cup"]


def test_a_log_whose_bytes_are_gone_is_left_out(service: Service, browser: Browser, newer_later):
    browser.upload(("a.jsonl", CLEAN), ("b.jsonl", FAULTY))
    line = service.audits.page().audits[0]
    service._shared.archive.path(line.log_sha256).unlink()
    newer_later()
    assert len(service.reaudits.ask(None)) == 1


@pytest.fixture
def newer_later(request: pytest.FixtureRequest) -> Any:
    return lambda: request.getfixturevalue("newer")
