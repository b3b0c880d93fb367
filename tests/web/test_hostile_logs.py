"""Logs that hang, die or eat memory cost a child process, never the service; and what is shown says so."""

from __future__ import annotations

import io
import logging
import multiprocessing
import time
from dataclasses import replace
from typing import Any

import pytest

from auditor.jobs import work
from auditor.jobs.child import ChildFailed
from auditor.service import Incoming, Service
from auditor.store import jobs
from auditor.web import create_app
from tests.web.conftest import CLEAN, ENGINE, Browser, Near, log_of, settled


@pytest.fixture
def strict(settings, request):
    """A service with narrow limits. The clock is narrow for a log that hangs only: a busy machine is no fault."""
    hangs = "hang" in request.node.name
    narrow = replace(settings, audit_seconds=1.0 if hangs else 2.0, max_tries=2, audit_memory_bytes=1024**3)
    service = Service(replace(narrow, patience=3.0 if hangs else 30.0), ENGINE)
    service.start()
    yield service
    service.close()


def send(service: Service, data: bytes) -> str:
    return service.deliveries.receive([Incoming("game.jsonl", io.BytesIO(data))], service.rulings.own())


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("hang", "took longer than 3 seconds"),
        ("die", "exit status 9"),
        ("eat", "more than 1024 MiB"),
        ("fault", "A fault of ours: KeyError"),
    ],
)
def test_a_poisonous_log_fails_with_its_reason_and_the_next_is_audited(strict, kind, said, caplog):
    caplog.set_level(logging.CRITICAL)
    poison, cure = send(strict, log_of({"type": kind})), send(strict, CLEAN)
    assert strict.deliveries.wait(poison, 120)
    assert strict.deliveries.wait(cure, 120)
    failed = strict.deliveries.page(poison).files[0]
    assert failed.fate == "failed"
    assert said in failed.text
    assert "secret" not in failed.text
    assert strict.deliveries.page(cure).files[0].text == "Clean."


def test_a_log_that_needs_too_much_processor_time_fails_however_long_it_waits_for_it(settings, caplog):
    caplog.set_level(logging.CRITICAL)
    service = Service(replace(settings, audit_seconds=1.0, patience=1000.0), ENGINE)
    service.start()
    try:
        key = send(service, log_of({"type": "spin"}))
        assert service.deliveries.wait(key, 120)
        failed = service.deliveries.page(key).files[0]
        assert failed.text == "It needed more than 1 s of processor time and was stopped."
    finally:
        service.close()


def test_a_failed_audit_can_be_tried_again(strict, caplog):
    caplog.set_level(logging.CRITICAL)
    key = send(strict, log_of({"type": "fault"}))
    assert strict.deliveries.wait(key, 120)
    audit = strict.audits.page().audits[0]
    assert audit.state == "failed"
    strict.audits.retry(audit.key)
    assert strict.deliveries.wait(key, 120)
    assert strict.audits.line(audit.key).state == "failed"


def test_what_was_running_when_the_process_died_is_done_after_the_next_start(settings):
    first = Service(settings, ENGINE)
    key = send(first, CLEAN)
    with first._shared.database.write() as session:
        assert jobs.claim(session, "a worker that dies", 3600) is not None
    first.close()
    second = Service(settings, ENGINE)
    second.start()
    try:
        assert second.deliveries.wait(key, 20)
        assert second.deliveries.page(key).files[0].text == "Clean."
    finally:
        second.close()


def test_a_service_that_died_many_times_holds_that_against_no_audit(settings):
    for _ in range(settings.max_tries + 2):
        service = Service(settings, ENGINE, Near.make)
        if not service.audits.page().audits:
            send(service, CLEAN)
        with service._shared.database.write() as session:
            assert jobs.claim(session, "a worker that dies", 3600) is not None
        service.close()
    service = Service(settings, ENGINE, Near.make)
    service.start()
    try:
        assert settled(service, service.audits.page().audits[0].key).verdict == "clean"
    finally:
        service.close()


def test_a_log_that_ends_its_child_is_tried_as_often_as_is_allowed_and_no_more(strict, caplog, monkeypatch):
    caplog.set_level(logging.CRITICAL)
    claims: list[int] = []
    claim = jobs.claim

    def counted(*args: Any) -> Any:
        held = claim(*args)
        claims.extend([] if held is None else [held.tries])
        return held

    monkeypatch.setattr(jobs, "claim", counted)
    key = send(strict, log_of({"type": "die"}))
    assert strict.deliveries.wait(key, 120)
    assert claims == [0, 1]


def test_a_child_that_dies_with_its_service_is_no_try(settings, caplog):
    caplog.set_level(logging.CRITICAL)
    service = Service(settings, ENGINE)
    key = send(service, log_of({"type": "slow", "seconds": 60}))
    service.start()
    for _ in range(400):
        if service.deliveries.page(key).files[0].fate == "in work":
            break
        time.sleep(0.05)
    for child in multiprocessing.active_children():
        child.kill()
    service.close()
    again = Service(settings, ENGINE, Near.make)
    with again._shared.database.write() as session:
        held = jobs.claim(session, "somebody", 60)
    again.close()
    assert held is not None
    assert (held.attempt, held.tries) == (2, 0)


def test_all_failed_audits_can_be_tried_again_at_once(settings, caplog, monkeypatch):
    caplog.set_level(logging.CRITICAL)
    service = Service(settings, ENGINE, Near.make)
    whole = work.audit

    def broken(*_args: Any) -> Any:
        raise ChildFailed("The child is broken.")

    monkeypatch.setattr(work, "audit", broken)
    service.start()
    try:
        keys = [send(service, CLEAN + b"\n" * n) for n in range(3)]
        assert all(service.deliveries.wait(key, 20) for key in keys)
        assert service.audits.page().tally == {"failed": 3}
        browser = Browser(create_app(settings, service).test_client())
        assert "3 audits failed" in browser.page("/")
        monkeypatch.setattr(work, "audit", whole)
        assert browser.post("/audits/retry").status_code == 303
        assert all(service.deliveries.wait(key, 20) for key in keys)
        assert service.audits.page().tally == {"clean": 3}
        assert "failed" not in browser.page("/")
        assert browser.post("/api/v1/audits/retry").json == {"retried": 0}
    finally:
        service.close()


def test_a_result_that_comes_too_late_is_thrown_away(idle: Service):
    send(idle, CLEAN)
    with idle._shared.database.write() as session:
        early = jobs.claim(session, "slow", -1)
        late = jobs.claim(session, "quick", 60)
    assert early is not None and late is not None
    with idle._shared.database.write() as session:
        assert not jobs.settle(session, early)
        assert not jobs.extend(session, early, 60)
        assert jobs.settle(session, late)
