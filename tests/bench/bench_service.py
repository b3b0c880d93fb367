"""The service: an upload to its audit, pages, uploads a second beside the least server, the web process's memory."""

from __future__ import annotations

import contextlib
import http.client
import io
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from auditor.engine import audit_log
from auditor.service import Service
from auditor.settings import Settings
from auditor.web import create_app
from tests.bench import bench_worst
from tests.bench.games import examples
from tests.bench.measure import ROOT, middle, seconds
from tests.bench.table import Row, at_most

EVENTS = 300
GOAL_MS = 250.0


def bench(uploads: int, *, quick: bool = False) -> list[Row]:
    rows = bench_pages(uploads)
    rows += bench_uploads(rounds=1 if quick else 5, uploads=4 if quick else 60)
    return rows + (bench_memory(divided_by=500, most=2) if quick else bench_memory())


def a_game() -> tuple[bytes, list[bytes]]:
    """The header and the lines of a long example game without faults."""
    game = max((path.read_bytes() for path in examples() if path.stem.startswith("clean")), key=len)
    header, *events = game.splitlines(keepends=True)
    return header, events[:EVENTS]


def titled(title: str) -> bytes:
    """A log of that game under a title of its own."""
    header, events = a_game()
    return json.dumps({**json.loads(header), "title": title}).encode() + b"\n" + b"".join(events)


def bench_pages(uploads: int) -> list[Row]:
    """An upload until its audit is settled, by the clock; pages of it, by the processor time of the web process."""
    logs = [titled(f"Game {n}") for n in range(uploads + 1)]
    times = []
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(data_dir=Path(folder), load_examples=False, wait_seconds=240.0, look_seconds=240.0)
        service = Service(settings)
        service.start()
        try:
            client = create_app(settings, service).test_client()
            found = re.search(r'name="csrf_token" value="([^"]+)"', client.get("/upload").text)
            assert found is not None
            faulty = max((path.read_bytes() for path in examples() if path.stem.startswith("faulty")), key=len)
            for n, log in enumerate([*logs, faulty]):
                form = {"csrf_token": found.group(1), "logs": (io.BytesIO(log), f"{n}.jsonl")}
                start = time.perf_counter()
                answer = client.post("/upload", data=form)
                times.append(time.perf_counter() - start)
                assert answer.status_code in (302, 303), answer.status
                assert all(line.settled for line in service.audits.page().audits)
            key = answer.location.split("/")[-1]

            def page(address: str) -> float:
                """Processor time of this process for a page that was made before; the middle of several."""
                assert client.get(address).status_code == 200, address
                return middle([seconds(lambda: client.get(address).data) for _ in range(uploads)])

            report, event = page(f"/audits/{key}"), page(f"/audits/{key}/events/100")
            whole = page(f"/audits/{key}.html")
        finally:
            service.close()
    alone = seconds(lambda: audit_log(logs[0]), 3)
    took = middle(times[1:-1] or times) * 1e3  # the first finds the child still starting
    words = "processor time of the web process, faulty game"
    return [
        Row(
            f"upload to settled audit in the service, {EVENTS} events, by the clock",
            f"{took:.0f} ms (the first {times[0] * 1e3:.0f})",
            f"the audit alone, processor time: {alone * 1e3:.0f} ms",
            f"{took / alone / 1e3:.1f} x",
            *at_most(GOAL_MS, took, "ms"),
        ),
        Row(f"report page, {words}", f"{report * 1e3:.1f} ms", "", "", *at_most(50, report * 1e3, "ms")),
        Row(f"event page, {words}", f"{event * 1e3:.1f} ms", "", "", *at_most(30, event * 1e3, "ms")),
        Row(f"one-file report, {words}", f"{whole * 1e3:.1f} ms", "", ""),
    ]


# -- uploads a second -----------------------------------------------------------------------------------------------


@contextlib.contextmanager
def server(*command: str, ready: str) -> Iterator[subprocess.Popen[str]]:
    """A server in a process of its own, once it says that it listens."""
    alone = {**os.environ, "AUDITOR_EXAMPLES": "0"}  # nothing is measured beside the audits of the example games
    running = subprocess.Popen([sys.executable, *command], cwd=ROOT, stdout=subprocess.PIPE, text=True, env=alone)
    try:
        assert running.stdout is not None
        while ready not in running.stdout.readline():
            assert running.poll() is None, command
        yield running
    finally:
        running.terminate()
        running.wait(30)
        if running.stdout is not None:
            running.stdout.close()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as door:
        return int(door.getsockname()[1])


def posted(port: int, path: str, log: bytes, headers: Mapping[str, str] | None = None, *, seconds: float = 60) -> bytes:
    """The answer to a log sent as a form."""
    edge = "8f3a"
    body = (
        f'--{edge}\r\nContent-Disposition: form-data; name="logs"; filename="game.jsonl"\r\n\r\n'.encode()
        + log
        + f"\r\n--{edge}--\r\n".encode()
    )
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=seconds)
    connection.request("POST", path, body, {"Content-Type": f"multipart/form-data; boundary={edge}", **(headers or {})})
    answer = connection.getresponse()
    data = answer.read()
    connection.close()
    assert answer.status == 201, (answer.status, data[:300])
    return data


def token(port: int) -> dict[str, str]:
    """What a program needs to send something to the service."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", "/api/v1/token")
    answer = connection.getresponse()
    cookie = (answer.getheader("Set-Cookie") or "").split(";")[0]
    data = answer.read()
    connection.close()
    return {"X-CSRFToken": json.loads(data)["token"], "Cookie": cookie}


def bench_uploads(rounds: int, uploads: int) -> list[Row]:
    """Uploads a second, one after the other, while a child audits; the service and the least server in turn."""
    ours, bare = [], []
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "game.jsonl"
        log.write_bytes(titled("The work beside it"))
        ports = free_port(), free_port()
        service = ("-m", "auditor", "serve", "--port", str(ports[0]), "--data", f"{folder}/data")
        least = ("-m", "tests.bench.bare", str(ports[1]), folder, str(log))
        with server(*service, ready="listens") as first, server(*least, ready="listens") as second:
            sent = token(ports[0])
            for turn in range(rounds + 1):
                logs = [titled(f"Game {turn}.{n}") for n in range(uploads)]
                for running, other, rates, port, path in (
                    (first, second, ours, ports[0], "/api/v1/uploads"),
                    (second, first, bare, ports[1], "/upload"),
                ):
                    with stopped(other):
                        start = time.perf_counter()
                        for each in logs:
                            posted(port, path, each, sent)
                        rates.append(uploads / (time.perf_counter() - start))
                    assert running.poll() is None
    ratio = middle([a / b for a, b in zip(ours[1:], bare[1:], strict=True)])
    return [
        Row(
            f"uploads a second of {EVENTS} events, a child auditing meanwhile, by the clock",
            f"{middle(ours[1:]):.0f}",
            f"Flask + sqlite3 under waitress, a child auditing: {middle(bare[1:]):.0f}",
            f"{ratio:.2f} x",
            "at least 0.40 x",
            ratio >= 0.40,
        )
    ]


@contextlib.contextmanager
def stopped(server: subprocess.Popen[str]) -> Iterator[None]:
    """A server and its children hold still meanwhile, so that they take no time from the other."""
    family = [server.pid, *children_of(server.pid)]
    for pid in family:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in family:
            os.kill(pid, signal.SIGCONT)


def children_of(pid: int) -> list[int]:
    """The children of a process, and theirs; none where the system does not say."""
    try:
        listed = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
        threads = [p for p in Path(f"/proc/{pid}/task").iterdir() if p.name != str(pid)]
        listed += [child for t in threads for child in (t / "children").read_text(encoding="ascii").split()]
    except OSError:
        return []
    found = [int(child) for child in listed]
    return [*found, *(grandchild for child in found for grandchild in children_of(child))]


# -- memory ---------------------------------------------------------------------------------------------------------

MEGABYTES = 300.0


def hostile(divided_by: int) -> Mapping[str, bytes]:
    """Logs that cost most, as large as they are taken."""
    made = {name: make(count // divided_by) for name, (make, count) in bench_worst.LOGS.items()}
    made["64 MB of empty lines"] = bench_worst.legal(1) + b"\n" * (60 * 2**20 // divided_by)
    return made


def bench_memory(divided_by: int = 1, most: int | None = None) -> list[Row]:
    """The most memory of the web process while it takes in the worst logs and serves everything that it has of them; of
    the first `most` of these logs."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        command = ("-m", "auditor", "serve", "--port", str(port), "--data", f"{folder}/data")
        with server(*command, ready="listens") as running:
            sent = token(port)
            before = most_resident(running.pid)
            slowest, refused = (0.0, ""), []
            for name, log in islice(hostile(divided_by).items(), most):
                delivery = json.loads(posted(port, "/api/v1/uploads", log, sent, seconds=600))
                line = delivery["files"][0]["audit"]
                while line is not None and line["state"] not in ("done", "failed"):
                    time.sleep(0.5)
                    line = json.loads(fetched(port, f"/api/v1/audits/{line['id']}/state")[1])
                if line is None or line["state"] == "failed":
                    refused.append(f"{name}: no audit")
                    continue
                for address in addresses(line):
                    start = time.perf_counter()
                    status, data = fetched(port, address)
                    took = time.perf_counter() - start
                    slowest = max(slowest, (took, f"{address.rsplit('/', 1)[-1][-12:]} of {name}, {len(data):,} bytes"))
                    if status != 200:
                        refused.append(f"{name}: {address.rsplit('/', 1)[-1][-12:]} {status}")
            resident = most_resident(running.pid)
        rows.append(
            Row(
                "the web process, all worst logs taken in and every form of them asked for",
                f"{resident / 1e6:.0f} MB (before it {before / 1e6:.0f} MB)",
                f"slowest answer, by the clock: {slowest[0]:.1f} s, {slowest[1]}",
                "; ".join(refused) or "every form was served",
                f"at most {MEGABYTES:.0f} MB",
                resident / 1e6 <= MEGABYTES,
            )
        )
    return rows


def addresses(line: Mapping[str, Any]) -> list[str]:
    """Everything that the service has of one audit."""
    report, log = f"/audits/{line['id']}", f"/logs/{line['log_sha256']}"
    pages = [report, *(f"{report}.{ending}" for ending in ("json", "csv", "sarif", "html"))]
    pages += [f"/compare?old={line['id']}&new={line['id']}", f"/api/v1/compare?old={line['id']}&new={line['id']}"]
    pages += [f"/api/v1{report}", f"/api/v1{report}/events", log, f"{log}/bytes", f"{log}/lines/3"]
    if line["counts"].get("events"):
        pages += [f"{report}/events/1"]
    return pages


def fetched(port: int, path: str) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=600)
    connection.request("GET", path)
    answer = connection.getresponse()
    data = answer.read()
    connection.close()
    return answer.status, data


def most_resident(pid: int) -> int:
    """The most memory that a process has had, in bytes; 0 where the system does not say."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    except OSError:
        return 0
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    return int(found.group(1)) * 1024 if found else 0
