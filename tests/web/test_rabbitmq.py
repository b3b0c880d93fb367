"""RabbitMQ in Redis's place (`AUDITOR_BROKER=amqp://…`): the same promises. Run in whole runs (`make test-whole`)."""

from __future__ import annotations

import io
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from auditor import engine
from auditor.jobs.broker import QUEUE, celery_app, trouble_with
from tests import servers
from tests.cli.shell import CLEAN, FINDINGS, auditor, written
from tests.cluster import SHORT_LEASE, Cluster, cluster
from tests.web.test_cluster import game, get, send, settled

pytestmark = [pytest.mark.rabbitmq, pytest.mark.servers, pytest.mark.timeout(900)]


@pytest.fixture(scope="module")
def made() -> Iterator[Cluster]:
    with cluster(webs=1, workers=1, more=SHORT_LEASE, start_broker=servers.rabbitmq) as made:
        yield made


def test_an_upload_is_audited_as_if_undisturbed(made: Cluster):
    data = game(1)
    (audit,) = settled(made.addresses[0], send(made, data))
    assert audit["digest"] == engine.audit_log(data)["digest"]


def test_a_broker_that_was_killed_has_lost_nothing(made: Cluster):
    made.broker.kill()
    assert trouble_with(made.env["AUDITOR_BROKER"])
    key = send(made, game(2))  # acknowledged without it
    made.broker.start()
    assert [audit["state"] for audit in settled(made.addresses[0], key)] == ["done"]
    assert not trouble_with(made.env["AUDITOR_BROKER"])


def test_a_folder_is_audited_by_the_workers(made: Cluster, tmp_path: Path):
    folder = written(tmp_path / "logs", a=FINDINGS, b=CLEAN)
    here = auditor("audit", folder, "--format", "jsonl")
    assert auditor("audit", folder, "--format", "jsonl", "--broker", made.env["AUDITOR_BROKER"]) == here


def test_the_message_of_a_killed_worker_is_delivered_again_and_its_audits_are_done(made: Cluster):
    """Acknowledged late: it goes back into the queue, marked as one that somebody had."""
    pack = io.BytesIO()
    with zipfile.ZipFile(pack, "w") as out:
        for n in range(12):
            out.writestr(f"{n}.jsonl", game(n))
    key = send(made, pack.getvalue(), "round.zip")
    end = time.monotonic() + 60
    while time.monotonic() < end:
        states = [file["audit"]["state"] for file in get(f"{made.addresses[0]}/api/v1/uploads/{key}")["files"]]
        if "running" in states and "done" in states:
            break
        time.sleep(0.05)
    made.workers[-1].kill()
    app = celery_app(made.env["AUDITOR_BROKER"])
    with app.connection_for_read() as connection:
        box = connection.SimpleQueue(app.amqp.queues[QUEUE])
        while not box.get(timeout=60).delivery_info["redelivered"]:
            pass  # one that nobody has had
    made.add_worker()  # what was looked at here went back with the connection
    assert [audit["state"] for audit in settled(made.addresses[0], key)] == ["done"] * 12
