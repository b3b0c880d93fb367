"""Real servers for tests and for `make cluster`: PostgreSQL, Redis or RabbitMQ, and an S3 server, each started privately on
a free port over a folder of its own, and stopped with the block.

Debian's packages `postgresql` and `redis-server` bring the programs; the S3 server is moto's. What is not installed is
left out of the run, which says so; with REQUIRE_SERVERS set it fails (`tests/conftest.py`). RabbitMQ (`rabbitmq-server`)
is asked for by whole runs only.
"""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_SECONDS = 240.0
"""A busy machine may take long to start a process; how long it took is nobody's concern here."""
BUCKET = "auditor"
S3_KEYS = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_REGION": "us-east-1"}


def _postgres_bin() -> Path | None:
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name), reverse=True)
    found = [folder for folder in folders if (folder / "initdb").exists()]
    if found:
        return found[0]
    there = shutil.which("initdb")
    return Path(there).parent if there else None


POSTGRES = _postgres_bin()
REDIS = shutil.which("redis-server")
RABBITMQ = max(Path("/usr/lib/rabbitmq/lib").glob("rabbitmq_server-*/sbin/rabbitmq-server"), default=None)
"""Itself, and not Debian's command before it, which runs it as one user over one folder."""
EPMD = shutil.which("epmd")


def missing() -> list[str]:
    """The servers that are not installed on this machine."""
    return [name for name, there in (("PostgreSQL", POSTGRES), ("Redis", REDIS)) if there is None]


def free_port(host: str = "127.0.0.1") -> int:
    """A port that nobody listens on now."""
    with socket.create_server((host, 0)) as door:
        return int(door.getsockname()[1])


class Server:
    """A process that can be killed and started again, as a test likes."""

    def __init__(self, words: list[str], up: Callable[[], bool], log: Path, **how: Any) -> None:
        self.words = words
        self._up = up
        self._log = log
        self._how = how
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with self._log.open("ab") as out:
            self._process = subprocess.Popen(self.words, stdout=out, stderr=out, stdin=subprocess.DEVNULL, **self._how)
        end = time.monotonic() + _SECONDS
        while not self._up():
            if self._process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"{self.words[0]} did not start:\n{self.last_lines()}")
            time.sleep(0.05)

    @property
    def ended(self) -> bool:
        """Whether it has ended by itself."""
        return self._process is not None and self._process.poll() is not None

    @property
    def runs(self) -> bool:
        """Whether it was started and not ended since."""
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int:
        """Its number. Raises AssertionError where it does not run."""
        assert self._process is not None
        return self._process.pid

    def last_lines(self) -> str:
        """The end of what it said."""
        return self._log.read_text(errors="replace")[-2000:]

    def stop(self, seconds: float = 20) -> int | None:
        """Ask it to end (SIGTERM), and kill it if it takes longer; the status that it ended with by itself, if it did."""
        status: int | None = None
        if self._process is not None:
            self._process.terminate()
            try:
                status = self._process.wait(seconds)
            except subprocess.TimeoutExpired:
                self.kill()
            self._process = None
        return status

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


def _listens(host: str, port: int) -> bool:
    try:
        socket.create_connection((host, port), 1).close()
    except OSError:
        return False
    return True


def _as_nobody_of_note(folder: Path) -> dict[str, Any]:
    """PostgreSQL does not run as root: where we are root, it runs as the user of Debian's package, who must get to the
    folder: pytest closes its own to others."""
    if os.geteuid() != 0:
        return {}
    user = pwd.getpwnam("postgres")
    shutil.chown(folder, user.pw_uid, user.pw_gid)
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


@contextmanager
def postgres(folder: Path, host: str = "127.0.0.1") -> Iterator[tuple[str, Server]]:
    """The URL of an empty database, and its server."""
    assert POSTGRES is not None
    folder.mkdir(parents=True, exist_ok=True)
    who = _as_nobody_of_note(folder)
    port, data = free_port(host), folder / "data"
    env = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "HOME": str(folder)}
    initdb = [str(POSTGRES / "initdb"), "-D", str(data), "-U", "auditor", "--auth=trust", "-E", "UTF8", "--no-sync"]
    initdb += ["--locale-provider=icu", "--icu-locale=en"]  # not the order of bytes, as on most servers
    done = subprocess.run(initdb, check=False, capture_output=True, text=True, env=env, cwd=folder, **who)
    if done.returncode:
        raise RuntimeError(f"initdb: {done.stderr}")
    with (data / "pg_hba.conf").open("a") as rules:
        rules.write("host all all 10.0.0.0/8 trust\n")
    words = [str(POSTGRES / "postgres"), "-D", str(data), "-p", str(port), "-k", str(folder), "-F"]
    words += ["-c", f"listen_addresses={host}", "-c", "max_connections=200"]

    def up() -> bool:
        ready = [str(POSTGRES / "pg_isready"), "-q", "-h", host, "-p", str(port)]
        return subprocess.run(ready, check=False, capture_output=True).returncode == 0

    server = Server(words, up, folder / "server.log", env=env, cwd=folder, **who)
    (folder / "server.log").touch()
    server.start()
    try:
        yield f"postgresql+psycopg://auditor@{host}:{port}/postgres", server
    finally:
        server.stop()


def database(url: str, of: str = "template1") -> str:
    """The URL of a new database on a server: an empty one, or the copy of another that nobody has open."""
    import psycopg

    name = f"t{secrets.token_hex(8)}"
    with psycopg.connect(url.replace("+psycopg", ""), autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{of}"')
    return url.rsplit("/", 1)[0] + f"/{name}"


@contextmanager
def redis(folder: Path, host: str = "127.0.0.1") -> Iterator[tuple[str, Server]]:
    """The URL of a Redis that keeps nothing on disk, and its server."""
    assert REDIS is not None
    folder.mkdir(parents=True, exist_ok=True)
    port = free_port(host)
    words = [REDIS, "--port", str(port), "--bind", host, "--dir", str(folder), "--save", "", "--protected-mode", "no"]
    server = Server(words, lambda: _listens(host, port), folder / "server.log")
    server.start()
    try:
        yield f"redis://{host}:{port}/0", server
    finally:
        server.stop()


@contextmanager
def rabbitmq(folder: Path, host: str = "127.0.0.1") -> Iterator[tuple[str, Server]]:
    """The URL of a RabbitMQ, and its server. It keeps on disk what was sent to be kept, and has it after a start."""
    assert RABBITMQ is not None and EPMD is not None
    folder.mkdir(parents=True, exist_ok=True)
    port, names, nodes = free_port(host), free_port(), free_port()
    (folder / "plugins").write_text("[].")
    (folder / "rabbit.conf").write_text("loopback_users = none\n")
    env = {
        **os.environ,
        **{"HOME": str(folder), "ERL_EPMD_PORT": str(names), "ERL_EPMD_ADDRESS": "127.0.0.1"},
        **{"RABBITMQ_NODENAME": f"auditor{port}@localhost", "RABBITMQ_NODE_IP_ADDRESS": host},
        **{"RABBITMQ_NODE_PORT": str(port), "RABBITMQ_DIST_PORT": str(nodes), "RUNNING_UNDER_SYSTEMD": "1"},
        **{"RABBITMQ_MNESIA_BASE": str(folder / "kept"), "RABBITMQ_LOG_BASE": str(folder / "log")},
        **{"RABBITMQ_ENABLED_PLUGINS_FILE": str(folder / "plugins"), "RABBITMQ_CONFIG_FILE": str(folder / "rabbit")},
        **{"RABBITMQ_CONF_ENV_FILE": str(folder / "none"), "RABBITMQ_PID_FILE": str(folder / "pid")},
    }
    env.pop("NOTIFY_SOCKET", None)
    # The names of its nodes: a service that it would start by itself, and leave behind.
    book = Server([EPMD, "-port", str(names)], lambda: _listens("127.0.0.1", names), folder / "names.log", env=env)
    server = Server([str(RABBITMQ)], lambda: _listens(host, port), folder / "server.log", env=env)
    book.start()
    try:
        server.start()
        yield f"amqp://guest:guest@{host}:{port}//", server
    finally:
        server.stop()
        book.stop()


@contextmanager
def s3(folder: Path, host: str = "127.0.0.1") -> Iterator[tuple[dict[str, str], Server]]:
    """What an installation must be set to, to keep its archive in a bucket of a private S3 server; and the server.

    moto's server keeps all in memory: what is stopped and started again is empty.
    """
    folder.mkdir(parents=True, exist_ok=True)
    port = free_port(host)
    words = [sys.executable, "-m", "moto.server", "-H", host, "-p", str(port)]
    server = Server(words, lambda: _listens(host, port), folder / "server.log", env={**os.environ, **S3_KEYS})
    server.start()
    end = time.monotonic() + _SECONDS
    while True:
        try:
            ask = urllib.request.Request(f"http://{host}:{port}/{BUCKET}", method="PUT")
            urllib.request.urlopen(ask, timeout=5).close()
            break
        except (urllib.error.URLError, OSError):
            if time.monotonic() > end:
                raise
            time.sleep(0.1)
    env = {"AUDITOR_ARCHIVE": f"s3://{BUCKET}/archive", "AWS_ENDPOINT_URL": f"http://{host}:{port}", **S3_KEYS}
    try:
        yield env, server
    finally:
        server.stop()
