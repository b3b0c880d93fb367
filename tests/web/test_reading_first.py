"""Nobody who reads waits for a child: what takes long is being drawn meanwhile, once for all who ask."""

from __future__ import annotations

import io
import logging
import threading
import time
from dataclasses import replace
from typing import Any

import pytest

from auditor.jobs import work
from auditor.jobs.child import ChildFailed, OutOfTime, SharedChild
from auditor.service import Incoming, Service
from auditor.service import making as service_making
from auditor.store.database import Busy
from auditor.web import create_app
from tests.web.conftest import CLEAN, ENGINE, FAULTY, Browser, Near, log_of, settled

HTML = {"Accept": "text/html,application/xhtml+xml"}


@pytest.fixture
def quick(settings, caplog):
    """A service whose requests wait for hardly anything."""
    caplog.set_level(logging.CRITICAL + 1)
    service = Service(replace(settings, look_seconds=0.05, remember_seconds=60.0), ENGINE, Near.make)
    service.start()
    yield service
    service.close()


def audited(service: Service, *logs: bytes) -> list[str]:
    keys = []
    for n, data in enumerate(logs):
        delivery = service.deliveries.receive([Incoming(f"{n}.jsonl", io.BytesIO(data))], service.rulings.own())
        audit = service.deliveries.page(delivery).files[0].audit
        assert audit is not None
        keys.append(settled(service, audit.key).key)
    return keys


class Held:
    """A function of the child that goes on when it is let go."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, function: str, only: str = "") -> None:
        self.go, self.calls, whole = threading.Event(), 0, getattr(work, function)

        def held(*args: Any) -> Any:
            if only in str(args[1]):
                self.calls += 1
                assert self.go.wait(60)
            return whole(*args)

        monkeypatch.setattr(work, function, held)


def until(browser: Browser, address: str, status: int, **how: Any) -> Any:
    for _ in range(400):
        answer = browser.get(address, **how)
        if answer.status_code == status:
            return answer
        time.sleep(0.05)
    raise AssertionError((address, answer.status_code))


def test_a_page_that_takes_long_says_so_and_asks_again_and_is_drawn_once_for_all(quick, monkeypatch):
    (key,) = audited(quick, FAULTY)
    browser = Browser(create_app(quick.settings, quick).test_client())
    held = Held(monkeypatch, "form")
    try:
        for _ in range(10):
            begun = time.monotonic()
            page = browser.get(f"/audits/{key}", headers=HTML)
            assert time.monotonic() - begun < 2.0
            assert page.status_code == 202
        assert "being drawn" in page.text
        assert f'http-equiv="refresh" content="3; url=/audits/{key}"' in page.text and "<progress" in page.text
        listed = browser.get(f"/audits/{key}?at=2&words=a%20%22b%22", headers=HTML).text
        assert f'content="3; url=/audits/{key}?at=2&amp;words=a%20%22b%22"' in listed
        program = browser.get(f"/audits/{key}")
        assert (program.status_code, program.headers["Retry-After"]) == (503, "1")
        finding = quick.audits.value(key)["findings"][0]["id"]
        api = browser.get(f"/api/v1/audits/{key}/findings/{finding}", headers=HTML)
        assert (api.status_code, api.json["error"]["code"], api.headers["Retry-After"]) == (503, 503, "1")
        for address in ("/healthz", "/", "/readyz", f"/audits/{key}.json"):
            assert browser.get(address).status_code == 200
    finally:
        held.go.set()
    assert "It was too far." in until(browser, f"/audits/{key}", 200, headers=HTML).text
    until(browser, f"/api/v1/audits/{key}/findings/{finding}", 200, headers=HTML)
    assert held.calls == 2  # the report, and the finding


def test_a_small_report_does_not_wait_behind_a_large_one(quick, monkeypatch):
    long = log_of(*({} for _ in range(1600)), title="A long game")
    large, small = audited(quick, long, FAULTY)
    browser = Browser(create_app(quick.settings, quick).test_client())
    held = Held(monkeypatch, "form", only=large)
    try:
        assert browser.get(f"/audits/{large}", headers=HTML).status_code == 202
        assert "It was too far." in until(browser, f"/audits/{small}", 200).text
        assert browser.get(f"/audits/{large}", headers=HTML).status_code == 202
    finally:
        held.go.set()
    until(browser, f"/audits/{large}", 200)


def test_what_turns_out_to_be_slow_goes_to_the_other_lane(quick, monkeypatch):
    slow, small = audited(quick, FAULTY, CLEAN)
    seconds: list[float] = []
    call = Near.call

    def noted(self: Near, function: str, *args: Any, **how: Any) -> Any:
        if function == "form" and slow in str(args[1]):
            seconds.append(how["seconds"])
            if how["seconds"] <= service_making.QUICK_SECONDS:
                raise OutOfTime("It needed more than 1 s of processor time and was stopped.")
        return call(self, function, *args, **how)

    monkeypatch.setattr(Near, "call", noted)
    browser = Browser(create_app(quick.settings, quick).test_client())
    until(browser, f"/audits/{slow}", 200)
    until(browser, f"/audits/{slow}.csv", 200)
    until(browser, f"/audits/{small}", 200)
    assert seconds == [service_making.QUICK_SECONDS, quick.settings.draw_seconds, quick.settings.draw_seconds]


def test_what_could_not_be_drawn_is_remembered(quick, monkeypatch):
    (key,) = audited(quick, FAULTY)
    browser = Browser(create_app(quick.settings, quick).test_client())
    tries: list[int] = []

    def fail(*_args: Any) -> Any:
        tries.append(1)
        raise ChildFailed("It needed more than 20 s of processor time and was stopped.")

    monkeypatch.setattr(work, "form", fail)
    for _ in range(20):
        answer = browser.get(f"/audits/{key}", headers=HTML)
        if answer.status_code != 202:
            break
        time.sleep(0.05)
    for _ in range(3):
        answer = browser.get(f"/audits/{key}", headers=HTML)
        assert answer.status_code == 503
        assert "20 s of processor time" in answer.text
    assert len(tries) == 1


def test_what_is_too_large_to_be_kept_is_still_given_to_whoever_asks_again(settings, monkeypatch):
    service = Service(replace(settings, look_seconds=0.01, max_kept_bytes=10), ENGINE, Near.make)
    service.start()
    try:
        (key,) = audited(service, FAULTY)
        browser = Browser(create_app(settings, service).test_client())
        assert "It was too far." in until(browser, f"/audits/{key}", 200).text
    finally:
        service.close()


def test_no_more_than_is_allowed_waits_to_be_drawn(quick, monkeypatch):
    (key,) = audited(quick, FAULTY)
    browser = Browser(create_app(quick.settings, quick).test_client())
    monkeypatch.setattr(service_making, "MOST_WAITING", 2)
    held = Held(monkeypatch, "form")
    try:
        names = ["", ".csv", ".sarif", ".html", "/events/1"]
        answers = [browser.get(f"/audits/{key}{name}", headers=HTML) for name in names]
        assert [answer.status_code for answer in answers].count(503) >= 2
        assert all(answer.headers["Retry-After"] for answer in answers if answer.status_code == 503)
    finally:
        held.go.set()


def test_only_so_many_wait_for_a_child_that_opens_uploads(settings):
    go = threading.Event()

    class Slow(Near):
        def call(self, *_args: Any, **_how: Any) -> Any:
            return go.wait(60)

    child, answers = SharedChild(Slow("x", memory_bytes=1), most=3), []
    threads = [
        threading.Thread(target=lambda: answers.append(child.call("f", seconds=1.0, patience=1.0))) for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    while child._callers._value:
        time.sleep(0.01)
    with pytest.raises(Busy):
        child.call("f", seconds=1.0, patience=1.0)
    go.set()
    for thread in threads:
        thread.join()
    assert answers == [True] * 3


def test_a_service_that_stops_gives_up_what_is_being_drawn(settings, caplog):
    caplog.set_level(logging.CRITICAL + 1)
    service = Service(replace(settings, look_seconds=0.01), ENGINE)
    making = service._making
    ready = service._make_child()  # what children are forked from loads the games once, and nobody can give that up
    ready.start()
    ready.stop()

    def make() -> bytes:
        return making.call("no_such_thing", "x", seconds=20.0, patience=5.0)

    from auditor.service import BeingDrawn

    with pytest.raises(BeingDrawn):
        making.ask("key report", make)
    begun = time.monotonic()
    service.close()
    assert time.monotonic() - begun < 20.0
