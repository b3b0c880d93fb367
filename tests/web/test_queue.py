"""Whose turn it is: deliveries take turns, and a service that is killed owes nobody anything."""

from __future__ import annotations

import contextlib
import http.client
import io
import json
import os
import random
import signal
import threading
import time
import urllib.request
from pathlib import Path
from typing import Any

from auditor.jobs import work
from auditor.service import Incoming, Service
from auditor.settings import Settings
from auditor.store import jobs
from auditor.store.tables import Audit
from tests.shares import WHOLE
from tests.web import fake_engine
from tests.web.conftest import CLEAN, ENGINE, Near, log_of
from tests.web.test_server import started
from tests.web.test_uploads import zipped

KILLS = int(os.environ.get("AUDITOR_KILLS", "3" if WHOLE else "2"))
"""How often the server is killed in the middle of its work; more take longer and say more."""
PATIENCE = 120.0
"""Seconds for an answer, however busy the machine is."""


def send(service: Service, name: str, data: bytes) -> str:
    return service.deliveries.receive([Incoming(name, io.BytesIO(data))], service.rulings.own())


def a_zip(number: int, begin: int = 0) -> bytes:
    return zipped(*((f"{n:03}.jsonl", CLEAN + b" \n" * n) for n in range(begin, begin + number)))


def next_log(service: Service) -> str:
    """Claim a job, and settle it; the name of its log."""
    with service._shared.database.write() as session:
        held = jobs.claim(session, "a worker", 60)
        assert held is not None
        jobs.settle(session, held)
        key = session.get_one(Audit, held.audit_id).key
    return service.audits.line(key).name


def test_a_single_log_does_not_wait_behind_a_zip_of_200(idle: Service):
    send(idle, "round.zip", a_zip(200))
    for _ in range(50):
        next_log(idle)
    key = send(idle, "single.jsonl", log_of({"player": "WB"}, title="A single game"))
    assert idle.deliveries.page(key).files[0].text == "1 ahead in the queue."
    assert [next_log(idle) for _ in range(3)] == ["050.jsonl", "single.jsonl", "051.jsonl"]


def test_two_zips_take_turns_and_none_is_overtaken_for_ever(idle: Service):
    send(idle, "a.zip", a_zip(5))
    next_log(idle)
    send(idle, "b.zip", a_zip(5, 100))
    order = [next_log(idle)]
    for n in range(8):
        send(idle, f"late-{n}", log_of({"player": "WB"}, title=f"late {n}"))
        order.append(next_log(idle))
    zips = [name for name in order if name.endswith(".jsonl")]
    assert zips[:4] == ["001.jsonl", "100.jsonl", "002.jsonl", "101.jsonl"]  # whatever comes later


def test_a_log_that_a_zip_holds_too_comes_forward_when_somebody_asks_for_it_alone(idle: Service):
    send(idle, "round.zip", a_zip(20))
    send(idle, "mine.jsonl", CLEAN + b" \n" * 19)
    assert [next_log(idle), next_log(idle)] == ["000.jsonl", "019.jsonl"]


def test_a_child_is_warm_before_the_first_upload(monkeypatch):
    audited: list[bytes] = []
    whole = fake_engine.audit_log

    def counted(data: bytes, **how: Any) -> Any:
        audited.append(data)
        return whole(data, **how)

    monkeypatch.setattr(fake_engine, "audit_log", counted)
    assert work.warm(ENGINE, (CLEAN,))
    assert audited == [CLEAN]


def test_a_server_killed_again_and_again_in_the_middle_of_its_work_fails_no_audit(tmp_path: Path):
    chance = random.Random(7)
    sent: dict[str, bytes] = {}
    for kill in range(KILLS):
        process, address = started(tmp_path, examples=True)
        with process:
            try:
                data, late = (log_of({"type": "slow", "seconds": 0.6}, title=f"{n}, game {kill}") for n in range(2))
                sent[upload(address, data)] = data
                in_work(address)
                other = threading.Thread(target=upload_if_taken, args=(address, late, sent), daemon=True)
                other.start()  # so that the server dies now before this one, now in it, now after it
                time.sleep(chance.random() * 0.3)
            finally:
                process.send_signal(signal.SIGKILL)
        other.join(PATIENCE)
    settings = Settings(data_dir=tmp_path / "data", workers=1, load_examples=False)
    service = Service(settings, ENGINE, Near.make)
    try:
        service.start()
        keys = [key for sha256 in sent for key in (line.key for line in service.audits.log_page(sha256).audits)]
        assert len(keys) == len(sent) >= KILLS
        until_nothing_waits(service)
        assert {service.audits.line(key).verdict for key in keys} == {"clean"}
        # Nor has any failed that was never acknowledged, or that came with the program.
        assert not {"failed", "waiting"} & service.audits.page().tally.keys()
        for sha256, data in sent.items():
            assert b"".join(service.audits.log_bytes(sha256)[1]) == data
    finally:
        service.close()


def until_nothing_waits(service: Service) -> None:
    """Wait until all is done: however much that is, as long as some of it is done in the time that there is patience."""
    left, end = -1, 0.0
    while waiting := service.audits.page().tally.get("waiting", 0):
        if waiting != left:
            left, end = waiting, time.monotonic() + PATIENCE
        assert time.monotonic() < end, f"{waiting} audits wait, and none was done in {PATIENCE:.0f} s"
        time.sleep(0.05)


def upload(address: str, data: bytes) -> str:
    """Send a log; gives back the hash that was acknowledged."""
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    token = json.load(browser.open(f"{address}api/v1/token", timeout=PATIENCE))["token"]
    body = b'--x\r\nContent-Disposition: form-data; name="logs"; filename="a"\r\n\r\n' + data + b"\r\n--x--\r\n"
    headers = {"X-CSRFToken": token, "Content-Type": "multipart/form-data; boundary=x"}
    request = urllib.request.Request(f"{address}api/v1/uploads", body, headers)
    with browser.open(request, timeout=PATIENCE) as answer:
        return str(json.load(answer)["files"][0]["upload_sha256"])


def upload_if_taken(address: str, data: bytes, sent: dict[str, bytes]) -> None:
    """Send a log to a server that may die meanwhile; `sent` gets it where it was acknowledged."""
    with contextlib.suppress(OSError, http.client.HTTPException, ValueError):
        sent[upload(address, data)] = data


def in_work(address: str) -> None:
    """Wait until an audit is running, or nothing is left to do."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        states, more = set[str](), ""
        while more is not None:  # what runs is among the oldest that wait, on the last page perhaps
            with urllib.request.urlopen(f"{address}api/v1/audits{more}", timeout=PATIENCE) as answer:
                page = json.load(answer)
            states |= {audit["state"] for audit in page["audits"]}
            more = f"?before={page['next']}" if page["next"] is not None else None
        if "running" in states or states <= {"done", "failed"}:
            return
        time.sleep(0.05)
    raise AssertionError("no audit began in time")
