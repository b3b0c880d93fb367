"""One log that needs long never keeps others waiting: it gets a short first turn, and then a lane of its own."""

from __future__ import annotations

import io
import logging
import sys
import time
from dataclasses import replace

import pytest
from sqlmodel import select

from auditor.service import Incoming, Service
from auditor.store import jobs
from auditor.store.tables import Job
from tests.web.conftest import CLEAN, ENGINE, log_of
from tests.web.test_queue import next_log, send
from tests.web.test_uploads import zipped


def test_of_a_delivery_the_smallest_logs_come_first(idle: Service):
    small, middle, large = (CLEAN + b" \n" * n for n in (0, 10, 20))
    files = [
        Incoming("large.jsonl", io.BytesIO(large)),
        Incoming("some.zip", io.BytesIO(zipped(("middle.jsonl", middle), ("small.jsonl", small)))),
    ]
    idle.deliveries.receive(files, idle.rulings.own())
    assert [next_log(idle) for _ in range(3)] == ["small.jsonl", "middle.jsonl", "large.jsonl"]


def test_a_slow_job_waits_in_its_own_lane_and_that_is_no_try(idle: Service):
    for n in range(3):
        send(idle, f"{n}.jsonl", CLEAN + b" \n" * n)
    with idle._shared.database.write() as session:
        held = jobs.claim(session, "a worker", 60, slow=False)
        assert held is not None and jobs.later(session, held)
        assert not jobs.settle(session, held)  # it is not this worker's any more
        assert jobs.claim(session, "a slow one", 60, slow=True).job_id == held.job_id
        assert jobs.claim(session, "a slow one", 60, slow=True) is None
        others = [jobs.claim(session, "a worker", 60, slow=False) for _ in range(3)]
        assert others[2] is None and held.job_id not in {other.job_id for other in others[:2]}
        assert session.exec(select(Job.tries)).all() == [0, 0, 0]


def test_who_does_all_jobs_does_the_slow_ones_last(idle: Service):
    for n in range(3):
        send(idle, f"{n}.jsonl", CLEAN + b" \n" * n)
    with idle._shared.database.write() as session:
        first = jobs.claim(session, "a worker", 60)
        jobs.later(session, first)
        order = [jobs.claim(session, "a worker", 60).job_id for _ in range(3)]
    assert order[-1] == first.job_id


@pytest.mark.skipif(sys.platform == "win32", reason="processor time is limited on POSIX")
def test_small_logs_behind_two_that_need_long_are_done_before_these(settings, caplog):
    caplog.set_level(logging.CRITICAL)
    service = Service(replace(settings, first_seconds=2.0, audit_seconds=60.0, patience=100.0), ENGINE)
    slow = [send(service, f"hostile {n}", log_of({"type": "spin"}, title=f"hostile {n}")) for n in range(2)]
    small = [send(service, f"small {n}", CLEAN + b" \n" * n) for n in range(20)]
    service.start()
    try:
        end = time.monotonic() + 240
        for key in small:
            assert service.deliveries.wait(key, end - time.monotonic())
        assert {service.deliveries.page(key).files[0].fate for key in slow} <= {"queued", "in work"}
        while "in work" not in {service.deliveries.page(key).files[0].fate for key in slow}:
            assert time.monotonic() < end
            time.sleep(0.1)
        with service._shared.database.read() as session:
            assert sorted(session.exec(select(Job.slow)).all()) == [False] * 20 + [True] * 2
            assert set(session.exec(select(Job.tries)).all()) == {0}
    finally:
        service.close()


@pytest.mark.skipif(sys.platform == "win32", reason="processor time is limited on POSIX")
def test_a_worker_of_many_machines_leaves_slow_jobs_to_their_lane_too(settings, caplog):
    """The messages say only that there is work: with slow jobs alone there is none for those who get messages."""
    caplog.set_level(logging.CRITICAL)
    service = Service(replace(settings, first_seconds=0.5, audit_seconds=1.5, patience=100.0), ENGINE)
    child = service._make_child()
    try:
        slow = send(service, "hostile", log_of({"type": "spin"}, title="hostile"))
        quick = send(service, "quick", CLEAN)
        service._hands.work(child, "a worker", 60.0, lambda: False, slow=False)
        assert service.deliveries.page(quick).settled
        with service._shared.database.read() as session:
            assert jobs.due(session, 5) == 0
            assert session.exec(select(Job.slow, Job.state).order_by(Job.id)).all() == [
                (True, "queued"),
                (False, "done"),
            ]
        service._hands.work(child, "a slow one", 60.0, lambda: False, slow=True)
        assert [file.fate for file in service.deliveries.page(slow).files] == ["failed"]
        running, ended = service.work_done.told()
        assert running == 0
        assert {how: times for how, (times, _seconds) in ended.items()} == {"slow": 1, "done": 1, "failed": 1}
    finally:
        child.stop()
        service.close()
