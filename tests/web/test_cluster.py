"""Several machines: what one web process takes in any worker audits and any web process shows; and nothing that was
acknowledged is lost, whichever part goes down."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from auditor import engine
from tests.cluster import Cluster, cluster
from tests.drawn import drawn
from tests.servers import Server
from tests.web.test_uploads import zipped

pytestmark = [pytest.mark.servers, pytest.mark.timeout(900)]

GAMES = Path(__file__).parents[2] / "fixtures" / "calth" / "games"


def game(n: int) -> bytes:
    """A game that differs from every other by its title."""
    first, rest = (GAMES / "clean-2.jsonl").read_bytes().split(b"\n", 1)
    header = json.loads(first)
    header["title"] = f"game {n} {uuid.uuid4()}"
    return json.dumps(header).encode() + b"\n" + rest


def get(address: str) -> Any:
    """An answer in JSON, asked for again while the service says that it cannot answer yet."""
    return json.loads(drawn(address))


def send(made: Cluster, data: bytes, name: str = "game.jsonl", *, patient: bool = True) -> str:
    """Upload a file to the first web process; the key of the delivery, once it was acknowledged. The token is the last
    one's. Who is patient sends again when the service asks for it."""
    for _ in range(60):
        try:
            return _send(made, data, name)
        except urllib.error.HTTPError as error:
            error.close()
            if not patient or error.code != 503:
                raise
            time.sleep(float(error.headers["Retry-After"]))
    raise AssertionError("the service never took it")


def _send(made: Cluster, data: bytes, name: str) -> str:
    address = made.addresses[0]
    cookies = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    with cookies.open(f"{made.addresses[-1]}/api/v1/token", timeout=30) as answer:
        token = json.load(answer)["token"]
    edge = uuid.uuid4().hex
    body = (
        f'--{edge}\r\nContent-Disposition: form-data; name="logs"; filename="{name}"\r\n'
        "Content-Type: application/octet-stream\r\n\r\n"
    ).encode() + data + f"\r\n--{edge}--\r\n".encode()  # fmt: skip
    ask = urllib.request.Request(f"{address}/api/v1/uploads", body)
    ask.add_header("Content-Type", f"multipart/form-data; boundary={edge}")
    ask.add_header("X-CSRFToken", token)
    with cookies.open(ask, timeout=60) as answer:
        return str(json.load(answer)["id"])


def settled(address: str, key: str, seconds: float = 400) -> list[dict[str, Any]]:
    """The audits of a delivery, when all of it is taken in and settled."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        said = get(f"{address}/api/v1/uploads/{key}")
        if said["settled"]:
            return [file["audit"] for file in said["files"]]
        time.sleep(0.2)
    raise AssertionError(f"not settled after {seconds} s: {said}")


def test_what_one_web_process_takes_in_the_other_shows_as_an_undisturbed_audit(made):
    data = game(1)
    other = made.addresses[1]
    (audit,) = settled(other, send(made, data))
    assert audit["digest"] == engine.audit_log(data)["digest"]
    assert engine.log_sha256(data).encode() in drawn(f"{other}/audits/{audit['id']}")
    assert get(f"{other}/api/v1/audits/{audit['id']}")["log_sha256"] == engine.log_sha256(data)


def test_a_broker_that_is_down_or_forgot_everything_loses_nothing(made):
    made.broker.kill()
    key = send(made, game(2))  # acknowledged without it
    assert [audit["state"] for audit in settled(made.addresses[1], key)] == ["done"]  # and done, if it never comes back
    made.broker.start()
    key = send(made, game(3))
    assert [audit["state"] for audit in settled(made.addresses[1], key)] == ["done"]


def test_what_a_killed_worker_had_begun_another_finishes_and_that_is_no_try(made):
    key = send(made, zipped(*((f"{n}.jsonl", game(n)) for n in range(12))), "round.zip")
    end = time.monotonic() + 60
    while time.monotonic() < end:
        states = [file["audit"]["state"] for file in get(f"{made.addresses[0]}/api/v1/uploads/{key}")["files"]]
        if "running" in states and "done" in states:
            break
        time.sleep(0.05)
    made.workers[-1].kill()
    made.add_worker()
    audits = settled(made.addresses[1], key)
    assert {audit["state"] for audit in audits} == {"done"}


def test_a_database_that_is_restarted_is_found_again(made):
    made.postgres.stop()
    with pytest.raises(urllib.error.HTTPError) as refused:
        send(made, game(3), patient=False)
    refused.value.close()
    assert refused.value.code == 503
    assert refused.value.headers["Retry-After"]
    made.postgres.start()
    key = send(made, game(3))
    assert [audit["state"] for audit in settled(made.addresses[1], key)] == ["done"]


def test_an_archive_that_does_not_answer_takes_nothing_in(made):
    made.s3.kill()
    with pytest.raises(urllib.error.HTTPError) as refused:
        send(made, game(4), patient=False)
    refused.value.close()
    assert refused.value.code == 503
    made.s3.start()
    ask = urllib.request.Request(made.env["AWS_ENDPOINT_URL"] + "/auditor", method="PUT")
    urllib.request.urlopen(ask, timeout=30).close()  # this server forgets its buckets
    key = send(made, game(4))
    assert [audit["state"] for audit in settled(made.addresses[1], key)] == ["done"]


@contextmanager
def standing_still(made: Cluster) -> Iterator[list[Server]]:
    """The workers, which do nothing meanwhile."""
    workers = [one for one in made.workers if one.runs]
    for one in workers:
        os.kill(one.pid, signal.SIGSTOP)
    try:
        yield workers
    finally:
        for one in workers:
            os.kill(one.pid, signal.SIGCONT)


def test_a_worker_ends_when_what_it_had_begun_is_done_and_begins_nothing_more(made):
    with standing_still(made):
        worker = made.add_worker()
        assert b"auditor_work_running" in drawn(made.metrics[-1])
        key = send(made, zipped(*((f"{n}.jsonl", game(n)) for n in range(12))), "round.zip")
        asked = "SELECT job.state, audit.verdict IS NULL FROM job JOIN audit ON audit.id = job.audit_id"
        end = time.monotonic() + 60
        while ("running", True) not in said(made, asked) and time.monotonic() < end:
            time.sleep(0.01)
        assert worker.stop(60) == 0  # by itself; killed, it would leave what it had begun
        states = [state for state, _ in said(made, asked)]
        assert "running" not in states and "queued" in states
    assert {audit["state"] for audit in settled(made.addresses[0], key)} == {"done"}


def test_deliveries_take_turns_and_a_slow_log_waits_in_its_own_lane(made):
    """Workers that stand still find a round of twelve, a log that turned out to be slow, and a single log that came last."""
    with standing_still(made) as workers:
        games = {f"{n}.jsonl": game(n) for n in range(12)}
        key, slow = send(made, zipped(*games.items()), "round.zip"), send(made, game(20))
        (late,) = get(f"{made.addresses[0]}/api/v1/uploads/{slow}")["files"]
        said(
            made,
            "UPDATE job SET slow = true WHERE audit_id = (SELECT id FROM audit WHERE key = %s)",
            late["audit"]["id"],
        )
        alone = send(made, game(21))
    round_, (single,), (late,) = (settled(made.addresses[1], each) for each in (key, alone, slow))
    assert {audit["state"] for audit in (*round_, single, late)} == {"done"}
    before = [audit for audit in round_ if audit["finished_at"] < single["finished_at"]]
    assert len(before) <= 1 + len(workers)
    owners = "SELECT owner FROM job JOIN audit ON audit.id = job.audit_id WHERE key = ANY(%s)"
    assert all("-slow-" in owner for (owner,) in said(made, owners, [late["id"]]))
    assert not any("-slow-" in owner for (owner,) in said(made, owners, [audit["id"] for audit in (*round_, single)]))


def said(made: Cluster, statement: str, *values: Any) -> list[Any]:
    """What the database itself answers."""
    import psycopg

    with psycopg.connect(made.env["AUDITOR_DATABASE"].replace("+psycopg", ""), autocommit=True) as connection:
        asked = connection.execute(statement, values)
        return asked.fetchall() if asked.description else []


@pytest.mark.skipif(os.geteuid() != 0 or shutil.which("ip") is None, reason="makes a network namespace")
def test_a_worker_on_a_second_host_needs_nothing_but_the_settings():
    """The second host is a network namespace: it reaches the servers by their address only."""
    name, net = f"aud{os.getpid()}", f"10.{os.getpid() % 200 + 20}.77"
    words = [
        f"ip netns add {name}",
        f"ip link add {name}a type veth peer name {name}b",
        f"ip link set {name}b netns {name}",
        f"ip addr add {net}.1/24 dev {name}a",
        f"ip link set {name}a up",
        f"ip -n {name} addr add {net}.2/24 dev {name}b",
        f"ip -n {name} link set {name}b up",
        f"ip -n {name} link set lo up",
    ]
    try:
        for line in words:
            subprocess.run(line.split(), check=True, capture_output=True)
        with cluster(webs=1, workers=0, host=f"{net}.1", more={"AUDITOR_EXAMPLES": "0"}) as made:
            made.add_worker("ip", "netns", "exec", name)

            (audit,) = settled(made.addresses[0], send(made, game(6)))
            assert audit["state"] == "done"
    finally:
        subprocess.run(["ip", "netns", "del", name], check=False, capture_output=True)
        subprocess.run(["ip", "link", "del", f"{name}a"], check=False, capture_output=True)
