"""A service over a fresh folder with the small game of fake_engine, and a browser without one."""

from __future__ import annotations

import importlib
import io
import json
import re
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from auditor.jobs.child import Child
from auditor.service import AuditLine, Service
from auditor.settings import Settings
from auditor.store.opening import open_database
from auditor.web import create_app
from tests import servers
from tests.shares import WHOLE, is_tried

ENGINE = "tests.web.fake_engine"


def log_of(*events: dict[str, Any], **header: Any) -> bytes:
    """A log of the small game; events get their numbers here."""
    lines = [{"type": "header", "game": "calth", "format": 1, "players": PLAYERS, **header}]
    lines += [{"seq": n, "type": "act", "player": "UM", **event} for n, event in enumerate(events, 1)]
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def settled(service: Service, key: str) -> AuditLine:
    """An audit when nothing more will happen to it by itself. On a busy machine the first child takes half a minute."""
    for _ in range(2400):
        line = service.audits.line(key)
        if line.settled:
            return line
        time.sleep(0.05)
    raise AssertionError("the audit was not settled in time")


PLAYERS = [{"id": "UM", "name": "Ann"}, {"id": "WB", "name": "Bob"}]
CLEAN = log_of({}, {"player": "WB"}, {"round": 2}, title="A calm game")
FAULTY = log_of({}, {"bad": "It was too far."}, {"round": 2}, title="A lively game")


OVER_BOTH = {"test_fair_turns", "test_own_names", "test_queue"}
"""The modules whose tests of a service are run over a SQLite file and over PostgreSQL each time: those of who claims what."""
A_SHARE_OVER_BOTH = {"test_compare", "test_packs", "test_uploads"}
"""Of these a share of the tests is, and all of them with AUDITOR_WHOLE set (`make test-whole`)."""
OVER_BOTH_IN_WHOLE_RUNS = {"test_faults", "test_forms", "test_pages"}


def _is_over_both(module: str, test: str) -> bool:
    if module in OVER_BOTH_IN_WHOLE_RUNS:
        return WHOLE
    return module in OVER_BOTH or (module in A_SHARE_OVER_BOTH and is_tried(3, test, "over both"))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    module = metafunc.module.__name__.rpartition(".")[2]
    if "store" in metafunc.fixturenames and _is_over_both(module, metafunc.function.__name__):
        both = ["sqlite", pytest.param("postgres", marks=pytest.mark.servers)]
        metafunc.parametrize("store", both, indirect=True)


@pytest.fixture(scope="session")
def empty_on_a_server(postgres: str) -> str:
    """The name of the database on a server of a service that was opened and has nothing yet, to be copied."""
    at = servers.database(postgres)
    open_database(Path(), at).close()
    return at.rpartition("/")[2]


@pytest.fixture
def store(request: pytest.FixtureRequest) -> str:
    """The address of an empty database on a server; "" for the file of the data folder."""
    if getattr(request, "param", "sqlite") == "sqlite":
        return ""
    return servers.database(request.getfixturevalue("postgres"), request.getfixturevalue("empty_on_a_server"))


@pytest.fixture
def settings(tmp_path: Path, store: str) -> Settings:
    return settings_over(tmp_path / "data", store)


def settings_over(data: Path, store: str = "") -> Settings:
    return Settings(
        data_dir=data,
        database_url=store,
        workers=1,
        look_seconds=20.0,
        remember_seconds=0.0,
        wait_seconds=20.0,  # with a fresh child to start; the answer comes as soon as the audit is there
        audit_seconds=20.0,
        load_examples=False,
    )


class Near(Child):
    """Works in the same process, where starting another would only take time."""

    def start(self) -> None: ...

    def call(self, function: str, *args: Any, **_how: Any) -> Any:
        return getattr(importlib.import_module(self.module), function)(*args)

    @staticmethod
    def make(settings: Settings, engine: str) -> Child:
        return Near("auditor.jobs.work", memory_bytes=settings.audit_memory_bytes)


@pytest.fixture(scope="session")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of a service that was opened and has nothing yet: to bring a new one's tables up to date takes as long
    as most tests."""
    folder = tmp_path_factory.mktemp("empty") / "data"
    Service(Settings(data_dir=folder, load_examples=False), ENGINE, Near.make).close()
    return folder


@pytest.fixture
def opened(settings: Settings, empty: Path) -> Settings:
    """The settings of a service, over a copy of the empty folder where there is none yet."""
    if not settings.database_url and not settings.data_dir.exists():
        shutil.copytree(empty, settings.data_dir)
    return settings


@pytest.fixture
def service(opened: Settings) -> Iterator[Service]:
    service = Service(opened, ENGINE, Near.make)
    service.start()
    yield service
    service.close()


@pytest.fixture
def idle(opened: Settings) -> Iterator[Service]:
    """A service whose workers have not been started: what is queued stays queued."""
    service = Service(opened, ENGINE, Near.make)
    yield service
    service.close()


@pytest.fixture
def app(service: Service, settings: Settings) -> Flask:
    return create_app(settings, service)


class Browser:
    """Reads pages and sends their forms, token and all."""

    def __init__(self, client: FlaskClient) -> None:
        self.client = client

    def get(self, address: str, **how: Any) -> TestResponse:
        answer = self.client.get(address, **how)
        answer.get_data()
        answer.close()  # static files are open until then
        return answer

    def page(self, address: str) -> str:
        answer = self.client.get(address, follow_redirects=True)
        assert answer.status_code == 200, (address, answer.status_code, answer.text[:400])
        return answer.text

    def token(self) -> str:
        found = re.search(r'name="csrf_token" value="([^"]+)"', self.page("/upload"))
        assert found is not None
        return found.group(1)

    def post(self, address: str, **fields: Any) -> TestResponse:
        return self.client.post(address, data={"csrf_token": self.token(), **fields})

    def upload(self, *files: tuple[str, bytes], **fields: Any) -> TestResponse:
        logs = [(io.BytesIO(data), name) for name, data in files]
        return self.post("/upload", logs=logs, **fields)


@pytest.fixture
def browser(app: Flask) -> Browser:
    return Browser(app.test_client())
