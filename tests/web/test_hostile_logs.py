"""Logs that hang, die or eat memory cost a child process, never the service; and what is shown says so."""

from __future__ import annotations

import io
import logging
from dataclasses import replace

import pytest

from auditor.service import Incoming, Service
from auditor.store import jobs
from tests.web.conftest import CLEAN, ENGINE, log_of


@pytest.fixture
def strict(settings):
    service = Service(replace(settings, audit_seconds=6.0, max_attempts=2, audit_memory_bytes=1024**3), ENGINE)
    service.start()
    yield service
    service.close()


def send(service: Service, data: bytes) -> str:
    return service.deliver([Incoming("game.jsonl", io.BytesIO(data))], service.own_rulings())


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("hang", "took longer than 6 seconds"),
        ("die", "exit status 9"),
        ("eat", "more than 1024 MiB"),
        ("fault", "A fault of ours: KeyError"),
    ],
)
def test_a_poisonous_log_fails_with_its_reason_and_the_next_is_audited(strict, kind, said, caplog):
    caplog.set_level(logging.CRITICAL)
    poison, cure = send(strict, log_of({"type": kind})), send(strict, CLEAN)
    assert strict.wait(poison, 40)
    assert strict.wait(cure, 40)
    failed = strict.delivery(poison).files[0]
    assert failed.fate == "failed"
    assert said in failed.text
    assert "secret" not in failed.text
    assert strict.delivery(cure).files[0].text == "Clean."


def test_a_failed_audit_can_be_tried_again(strict, caplog):
    caplog.set_level(logging.CRITICAL)
    key = send(strict, log_of({"type": "fault"}))
    assert strict.wait(key, 40)
    audit = strict.audits().audits[0]
    assert audit.state == "failed"
    strict.retry(audit.key)
    assert strict.wait(key, 40)
    assert strict.audit(audit.key).state == "failed"


def test_what_was_running_when_the_process_died_is_done_after_the_next_start(settings):
    first = Service(settings, ENGINE)
    key = send(first, CLEAN)
    with first._db.write() as session:
        assert jobs.claim(session, "a worker that dies", 3600) is not None
    first.close()
    second = Service(settings, ENGINE)
    second.start()
    try:
        assert second.wait(key, 20)
        assert second.delivery(key).files[0].text == "Clean."
    finally:
        second.close()


def test_a_log_that_brought_the_whole_service_down_too_often_is_given_up(settings):
    for _ in range(settings.max_attempts):
        service = Service(settings, ENGINE)
        if not service.audits().audits:
            send(service, CLEAN)
        with service._db.write() as session:
            assert jobs.claim(session, "a worker that dies", 3600) is not None
        service.close()
    service = Service(settings, ENGINE)
    try:
        assert service.audits().audits[0].state == "failed"
    finally:
        service.close()


def test_a_result_that_comes_too_late_is_thrown_away(idle: Service):
    send(idle, CLEAN)
    with idle._db.write() as session:
        early = jobs.claim(session, "slow", -1)
        late = jobs.claim(session, "quick", 60)
    assert early is not None and late is not None
    with idle._db.write() as session:
        assert not jobs.settle(session, early)
        assert not jobs.extend(session, early, 60)
        assert jobs.settle(session, late)
