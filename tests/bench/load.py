"""The service under load, over HTTP: `python -m tests.bench.load [--logs 5000] [--kills 200] [--seconds 60]`.

Two hostile logs, a delivery of many, ten clicks on the largest report and 30 half-sent requests at once; meanwhile /healthz
and a small report are asked for. With `--kills` the server or one of its children is killed at random, and at the end
everything that was acknowledged has to be there: done, each audit of its own log, with the digest of an undisturbed one.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import http.cookiejar
import io
import json
import multiprocessing
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from auditor.engine import audit_log
from tests.bench import heavy_cards
from tests.bench.measure import ROOT

SMALL = ROOT / "fixtures/hcg/games/in-short.json"
ONE = ROOT / "fixtures/calth/games/clean-1.jsonl"
HALF = b"POST /upload HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-"


class Server:
    """The program as it is started by hand, in a group of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.create_server(("127.0.0.1", 0)) as door:
            self.port = door.getsockname()[1]
        self.begin()

    def begin(self) -> None:
        command = [sys.executable, "-m", "auditor", "serve", "--port", str(self.port), "--data", str(self.folder)]
        environ = {**os.environ, "AUDITOR_EXAMPLES": "0"}
        with (self.folder.parent / "server.log").open("ab") as said:
            self.process = subprocess.Popen(
                command, cwd=ROOT, env=environ, stdout=said, stderr=said, start_new_session=True
            )

    def children(self) -> list[int]:
        """All processes below it."""
        below: dict[int, list[int]] = {}
        for stat in Path("/proc").glob("[0-9]*/stat"):
            try:
                ident, parent = int(stat.parent.name), int(stat.read_text().rpartition(")")[2].split()[1])
            except (OSError, ValueError):
                continue
            below.setdefault(parent, []).append(ident)
        found, todo = [], [self.process.pid]
        while todo:
            here = below.get(todo.pop(), [])
            found += here
            todo += here
        return found

    def kill_one(self, chance: random.Random) -> str:
        """Kill the server, and start it again, or, as often as not, one of its children: one that was just started is given time
        to have some."""
        if chance.random() < 0.5:
            end = time.monotonic() + 20
            while not (children := self.children()) and time.monotonic() < end:
                time.sleep(0.05)
            with contextlib.suppress(ProcessLookupError, IndexError):
                os.kill(chance.choice(children), signal.SIGKILL)
                return "child"
        self.process.kill()
        self.process.wait()
        self.begin()
        return "server"

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(60)


class Client:
    """Asks, and counts what is answered; `patient`: one that is told to come again waits as long as it is told."""

    def __init__(self, port: int, answers: Counter[str], patient: bool = False) -> None:
        self.base, self.answers, self.patient = f"http://127.0.0.1:{port}", answers, patient
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))

    def get(self, path: str, data: bytes | None = None, **headers: str) -> bytes | None:
        request = urllib.request.Request(self.base + path, data, headers)
        try:
            with self.opener.open(request, timeout=60) as answer:
                self.answers[str(answer.status)] += 1
                return bytes(answer.read())
        except urllib.error.HTTPError as error:
            again = error.code == 503 and "Retry-After" in error.headers
            self.answers[f"{error.code}{' with Retry-After' if again else ''}"] += 1
            if again and self.patient:
                time.sleep(float(error.headers["Retry-After"]))
        except (OSError, http.client.HTTPException):
            self.answers["no answer"] += 1
            time.sleep(0.05)
        return None

    def send(self, name: str, data: bytes) -> Any:
        """Send a file until it is acknowledged; the delivery."""
        while True:
            token = self.get("/api/v1/token")
            if token is not None:
                headers = {"X-CSRFToken": json.loads(token)["token"], "Content-Type": "application/octet-stream"}
                given = self.get(f"/api/v1/uploads?name={name}", data, **headers)
                if given is not None:
                    return json.loads(given)
            time.sleep(0.5)

    def files(self, key: str) -> Iterator[Any]:
        """All files of a delivery when it is settled."""
        page: str | None = f"/api/v1/uploads/{key}"
        while page:
            given = self.get(page)
            said = json.loads(given) if given is not None else {"settled": False}
            if not said["settled"]:
                time.sleep(1.0)
                continue
            yield from said["files"]
            page = said.get("next")


def variants(number: int) -> dict[str, bytes]:
    """So many logs of one small game, each with a title of its own."""
    value = json.loads(SMALL.read_bytes())
    return {
        f"{n}.json": json.dumps(value | {"header": {**value["header"], "title": f"Game {n}"}}).encode()
        if "header" in value
        else json.dumps({**value, "title": f"Game {n}"}).encode()
        for n in range(number)
    }


def again_and_again(what: Callable[[], Any], until: threading.Event) -> threading.Thread:
    def run() -> None:
        while not until.is_set():
            what()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread


def timed(port: int, paths: list[str], over: Any, said: Any) -> None:
    """In a process of its own, so that nobody else who asks is in its way: how long some pages take, until it is over."""
    client, times = Client(port, Counter()), {path: list[float]() for path in paths}
    while not over.is_set():
        for path, took in times.items():
            at = time.monotonic()
            if client.get(path) is not None:
                took.append(time.monotonic() - at)
        time.sleep(0.05)
    said.put(times)


def p95(times: list[float]) -> str:
    """The 95th in a hundred, and the longest, in words."""
    some = sorted(times)
    return f"{1000 * some[int(0.95 * (len(some) - 1))]:.0f} ms (longest {1000 * some[-1]:.0f} ms, {len(some)} asked)"


def main() -> int:
    """Run it and print what was measured; status 1 where something was lost, failed or is another's."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--logs", type=int, default=100)
    words.add_argument("--kills", type=int, default=0)
    words.add_argument("--seconds", type=float, default=20.0)
    asked = words.parse_args()
    signal.signal(signal.SIGTERM, lambda *_said: sys.exit(1))  # the server ends with us
    answers: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder) / "data")
        try:
            return _load(server, answers, asked)
        finally:
            server.stop()


def _load(server: Server, answers: Counter[str], asked: argparse.Namespace) -> int:
    client = Client(server.port, answers)
    while client.get("/healthz") is None:
        time.sleep(0.5)
    small = next(client.files(client.send("small.jsonl", ONE.read_bytes())["id"]))["audit"]
    largest = heavy_cards.SHAPES["results of one battle"][0](5000)
    large = next(client.files(client.send("largest.jsonl", largest)["id"]))["audit"]
    while client.get(f"/audits/{small['id']}") is None:  # one that was read before
        time.sleep(0.5)
    answers.clear()

    hostile = [client.send(f"hostile-{n}.jsonl", list(heavy_cards.SHAPES.values())[n][0](2_000)) for n in range(2)]
    logs = variants(asked.logs)
    keys, begun = [], time.monotonic()
    names = list(logs)
    for at in range(0, len(names), 1000):
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as out:
            for name in names[at : at + 1000]:
                out.writestr(name, logs[name])
        keys.append(client.send(f"all-{at}.zip", packed.getvalue())["id"])
    print(f"{asked.logs:,} logs acknowledged after {time.monotonic() - begun:.1f} s", flush=True)
    over = threading.Event()
    clicks = [Client(server.port, answers, patient=True) for _ in range(10)]
    crowd = [again_and_again(lambda one=one: one.get(f"/audits/{large['id']}"), over) for one in clicks]
    half = []
    for _ in range(30):
        half.append(socket.create_connection(("127.0.0.1", server.port)))
        half[-1].sendall(HALF)
    kills: Counter[str] = Counter()
    processes = multiprocessing.get_context("spawn")
    enough, said = processes.Event(), processes.SimpleQueue()
    paths = ["/healthz", f"/audits/{small['id']}"]
    watch = processes.Process(target=timed, args=(server.port, paths, enough, said))
    watch.start()
    chance, end = random.Random(1), time.monotonic() + asked.seconds
    while time.monotonic() < end or sum(kills.values()) < asked.kills:
        time.sleep(0.05)
        if sum(kills.values()) < asked.kills:
            kills[server.kill_one(chance)] += 1
            time.sleep(chance.random())
    enough.set()
    times = said.get()
    watch.join()
    over.set()
    for thread in crowd:
        thread.join()
    for line in half:
        line.close()
    print("; ".join(f"p95 of {path[:8]} {p95(took)}" for path, took in times.items() if took), flush=True)
    files = [file for key in keys for file in client.files(key)]
    wrong = check(client, files, asked.logs)
    files += [file for one in hostile for file in client.files(one["id"])]
    failed = [file["name"] for file in files if file["fate"] in ("failed", "refused")]
    print(
        f"{len(files)} files, {len(failed)} failed, {len(wrong)} wrong or lost; kills {dict(kills)}; answers {dict(answers)}"
    )
    bad = [said for said in answers if said[0] == "5" and said != "503 with Retry-After"]
    return int(bool(failed or wrong or (bad and not asked.kills)))


def check(client: Client, files: list[Any], number: int) -> list[str]:
    """What is lost, or is not the audit that its log has when nobody disturbs it; every tenth is audited once more."""
    wrong = [] if len(files) == number else [f"{len(files)} of {number}"]
    logs = variants(number)
    for place, file in enumerate(files):
        audit = file["audit"]
        value = None if audit is None else json.loads(client.get(f"/api/v1/audits/{audit['id']}") or b"{}")
        if (
            value is None
            or value.get("log_sha256") != audit["log_sha256"]
            or value.get("digest") != audit["digest"]
            or (place % 10 == 0 and audit_log(logs[file["name"].rpartition("› ")[2]])["digest"] != audit["digest"])
        ):
            wrong.append(file["name"])
    return wrong


if __name__ == "__main__":
    sys.exit(main())
