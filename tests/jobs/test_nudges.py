"""Messages that there is work: as many as jobs are due, and none while enough of them wait to be taken."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable

import pytest

from auditor.jobs.broker import MOST_NUDGES, Nudges, celery_app


class Backlog:
    def __init__(self) -> None:
        self.jobs = 0
        self.nobody_claims = False

    def due(self) -> int:
        return min(self.jobs, MOST_NUDGES)

    def idle(self, _seconds: float) -> bool:
        return self.nobody_claims and self.jobs > 0


@pytest.fixture
def backlog() -> Backlog:
    return Backlog()


@pytest.fixture
def bell(backlog: Backlog, monkeypatch: pytest.MonkeyPatch):
    """Over a broker within this process, whose queue no other test has."""
    monkeypatch.setattr("auditor.jobs.broker.QUEUE", f"auditor-{uuid.uuid4().hex}")
    monkeypatch.setattr("auditor.jobs.broker._SWEEP_SECONDS", 0.2)
    bell = Nudges(celery_app("memory://"), backlog)
    bell.start()
    yield bell
    bell.stop()


def until(so: Callable[[], bool]) -> bool:
    end = time.monotonic() + 60
    while not so() and time.monotonic() < end:
        time.sleep(0.01)
    return so()


def test_as_many_messages_as_jobs_and_no_more_while_these_wait(bell: Nudges, backlog: Backlog):
    backlog.jobs = 3
    bell.wake()
    assert until(lambda: bell.waiting() == 3)
    backlog.jobs = 5
    bell.wake()
    assert until(lambda: bell.waiting() == 5)
    backlog.jobs = 1000
    for _ in range(3):
        bell.wake()
        assert until(lambda: bell.waiting() == MOST_NUDGES)
    time.sleep(0.5)  # the sweeper looks as well
    assert bell.waiting() == MOST_NUDGES


def test_one_job_is_one_message_each_time_it_is_told(bell: Nudges, backlog: Backlog):
    backlog.jobs = 1
    bell.wake()
    assert until(lambda: bell.waiting() == 1)
    bell.wake()
    assert until(lambda: bell.waiting() == 2)


def test_what_the_broker_forgot_is_sent_again(bell: Nudges, backlog: Backlog):
    backlog.jobs = 4
    bell.wake()
    assert until(lambda: bell.waiting() == 4)
    backlog.nobody_claims = True
    app = bell._app
    with app.connection_for_write() as connection:
        connection.default_channel.queue_purge(app.conf.task_default_queue)
    assert until(lambda: bell.waiting() == 4)
