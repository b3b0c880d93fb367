"""A whole cluster on one machine, of real servers on free ports: `make cluster`, and what the tests of it stand on.

Two web processes, two workers, PostgreSQL, Redis (in one test RabbitMQ) and an S3 server, each a process of its own over folders of its own,
connected by nothing but the settings that docs/operating.md names.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import shutil
import signal
import socket
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests import servers
from tests.servers import Server

_AUDITOR = [sys.executable, "-m", "auditor"]
SHORT_LEASE = {"AUDITOR_EXAMPLES": "0", "AUDITOR_LEASE": "4"}
"""Settings of tests in which a worker is killed: what it had begun is another's soon."""


@dataclass
class Cluster:
    """What runs: `env` is all that a process of it needs to know."""

    folder: Path
    env: dict[str, str]
    postgres: Server
    broker: Server
    s3: Server
    webs: list[Server] = field(default_factory=list)
    workers: list[Server] = field(default_factory=list)
    addresses: list[str] = field(default_factory=list)
    metrics: list[str] = field(default_factory=list)

    def settings(self, name: str) -> dict[str, str]:
        """The environment of a process, with a data folder of its own."""
        return {**os.environ, **self.env, "AUDITOR_DATA": str(self.folder / name), "PYTHONUNBUFFERED": "1"}

    def add_web(self) -> Server:
        """Start one more web process."""
        name, port = f"web-{len(self.webs) + 1}", servers.free_port()
        address = f"http://127.0.0.1:{port}"
        words = [*_AUDITOR, "serve", "--port", str(port)]
        web = Server(words, lambda: answers(f"{address}/healthz"), self.folder / f"{name}.log", env=self.settings(name))
        web.start()
        self.webs.append(web)
        self.addresses.append(address)
        return web

    def add_worker(self, *before: str, concurrency: int = 1, env: dict[str, str] | None = None) -> Server:
        """Start one more worker; `before`: words that its command begins with, such as those of a network namespace."""
        name, port = f"worker-{len(self.workers) + 1}", servers.free_port()
        words = [*before, *_AUDITOR, "worker", "--concurrency", str(concurrency), "--metrics-port", str(port)]
        log = self.folder / f"{name}.log"
        worker = Server(
            words,
            lambda: "takes work" in log.read_text(errors="replace"),
            log,
            env={**self.settings(name), **(env or {})},
        )
        worker.start()
        self.workers.append(worker)
        self.metrics.append(f"http://127.0.0.1:{port}/metrics")
        return worker


class Front:
    """One address before several web processes, each connection to the next of them; nothing of a session is here."""

    def __init__(self, addresses: Sequence[str]) -> None:
        self._behind = itertools.cycle([int(address.rpartition(":")[2]) for address in addresses])
        self._door = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._door.getsockname()[1]}"
        threading.Thread(target=self._run, daemon=True).start()

    def close(self) -> None:
        self._door.close()

    def _run(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                ours, _who = self._door.accept()
                threading.Thread(target=_join, args=(ours, next(self._behind)), daemon=True).start()


def _join(ours: socket.socket, port: int) -> None:
    """Pass on what is said on a connection, both ways, and close it when both have said all."""
    with ours, contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 10) as theirs:
        theirs.settimeout(None)
        back = threading.Thread(target=_pass_on, args=(theirs, ours), daemon=True)
        back.start()
        _pass_on(ours, theirs)
        back.join()


def _pass_on(one: socket.socket, other: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := one.recv(65536):
            other.sendall(data)
    with contextlib.suppress(OSError):
        other.shutdown(socket.SHUT_WR)


def answers(address: str) -> bool:
    """Whether a page is answered with 200."""
    try:
        with urllib.request.urlopen(address, timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


@contextlib.contextmanager
def cluster(
    *,
    webs: int = 2,
    workers: int = 2,
    host: str = "127.0.0.1",
    more: dict[str, str] | None = None,
    start_broker: Callable[[Path, str], contextlib.AbstractContextManager[tuple[str, Server]]] = servers.redis,
) -> Iterator[Cluster]:
    """A running cluster; all of it is stopped and removed with the block."""
    folder = Path(tempfile.mkdtemp(prefix="auditor-cluster-"))
    folder.chmod(0o711)  # PostgreSQL runs as somebody else and must get to its own
    with contextlib.ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        database, postgres = stack.enter_context(servers.postgres(folder / "postgres", host))
        broker, broker_server = stack.enter_context(start_broker(folder / "broker", host))
        archive, s3 = stack.enter_context(servers.s3(folder / "s3", host))
        env = {"AUDITOR_DATABASE": database, "AUDITOR_BROKER": broker, **archive, **(more or {})}
        made = Cluster(folder, env, postgres, broker_server, s3)
        stack.callback(lambda: [one.stop() for one in (*made.webs, *made.workers)])
        for _ in range(webs):
            made.add_web()
        for _ in range(workers):
            made.add_worker()
        yield made


def main(words: Sequence[str] = ()) -> int:
    """Start a cluster, say where it is, and wait for Ctrl-C; what ends meanwhile is started again, as compose.yaml would."""
    if servers.missing():
        print(f"not installed: {', '.join(servers.missing())} (Debian: apt-get install postgresql redis-server)")
        return 1
    print("starting PostgreSQL, Redis, an S3 server, two web processes and two workers …", flush=True)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with cluster() as made:
        for name, value in made.env.items():
            print(f"  export {name}={value}")
        parts = {"PostgreSQL": made.postgres, "Redis": made.broker, "S3 server": made.s3}
        parts |= {f"{address}/": web for address, web in zip(made.addresses, made.webs, strict=True)}
        parts |= {f"worker {address}": one for address, one in zip(made.metrics, made.workers, strict=True)}
        for name, part in parts.items():
            print(f"  process {part.pid}: {name}")
        print(
            "Either web address shows the same games. What is killed is started again (not the S3 server, which keeps"
        )
        print("all in memory). Ctrl-C stops all of it and removes what it kept.", flush=True)
        with contextlib.suppress(KeyboardInterrupt):
            while True:
                time.sleep(1)
                for name, part in parts.items():
                    if part.ended:
                        print(f"{name} has ended; its last lines:\n{part.last_lines()}", flush=True)
                        if part is made.s3:
                            return 1
                        part.start()
                        print(f"  process {part.pid}: {name}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
