"""What all tests share: hypothesis without a deadline, since a machine may be busy, and a browser for those that need one.

Tests in a browser are marked `browser`, those on PostgreSQL, Redis or an S3 server `servers`. Without chromium, or without
the servers, they are left out of the run, which says so once at its end and does not count them as passed; with REQUIRE_BROWSER
or REQUIRE_SERVERS set they are run and fail. Those marked `rabbitmq` need a RabbitMQ too, and are for whole runs
(`make test-whole`), since it takes long to start.
"""

from __future__ import annotations

import gc
import importlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import pytest
from flask import Flask
from hypothesis import settings
from jinja2.bccache import Bucket, BytecodeCache
from werkzeug.routing import Rule
from xdist.scheduler import LoadScopeScheduling

from tests import servers, serving
from tests.cluster import SHORT_LEASE, Cluster, cluster
from tests.shares import WHOLE, left_for_whole_runs, tries

if TYPE_CHECKING:
    from playwright.sync_api import Browser

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first that is there is taken: without a window of its own a page opens with a fifth of the processor time."""
ROOT, TESTS = Path(__file__).parents[1], Path(__file__).parent
CHROMIUM = next(filter(None, map(shutil.which, BROWSERS)), None)
ARGS = [
    "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking",
    "--disable-sync", "--disable-quic", "--disable-component-update",
]  # fmt: skip
LEFT_OUT = pytest.StashKey[dict[str, int]]()

settings.register_profile("auditor", deadline=None, max_examples=tries(100))
settings.load_profile("auditor")


class Compiled(BytecodeCache):
    """Templates as they were compiled for another app of the same run: many tests make an app, and read one page of it."""

    kept: ClassVar[dict[str, bytes]] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if bucket.key in self.kept:
            bucket.bytecode_from_string(self.kept[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        self.kept[bucket.key] = bucket.bytecode_to_string()


@pytest.fixture(scope="session", autouse=True)
def templates_are_compiled_once() -> Iterator[None]:
    make = Flask.create_jinja_environment

    def made(app: Flask) -> Any:
        environment = make(app)
        environment.bytecode_cache = Compiled()
        return environment

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Flask, "create_jinja_environment", made)
        yield


@pytest.fixture(scope="session", autouse=True)
def addresses_are_compiled_when_one_is_made() -> Iterator[None]:
    """An app has two functions that make addresses for each of its 64 rules, which cost a tenth of a second to compile: most
    tests make a few addresses."""
    compile_builder = Rule._compile_builder

    def when_asked(rule: Rule, append_unknown: bool = True) -> Any:
        made: list[Any] = []

        def build(self: Rule, **values: Any) -> Any:
            if not made:
                made.append(compile_builder(rule, append_unknown))
            return made[0](self, **values)

        return build

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Rule, "_compile_builder", when_asked)
        yield


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "browser: needs chromium")
    config.addinivalue_line("markers", "servers: needs PostgreSQL and Redis")
    config.addinivalue_line("markers", "rabbitmq: needs RabbitMQ")


@pytest.hookimpl(trylast=True)
def pytest_sessionstart() -> None:
    gc.disable()  # until all tests are collected: what is made meanwhile stays


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Iterator[None]:
    _import_in_turn(session.config)
    yield
    gc.freeze()
    gc.enable()


def _import_in_turn(config: pytest.Config) -> None:
    """Of several processes each begins with test modules of its own, so that what one has compiled the others find. What cannot
    be imported is told when it is collected."""
    worker, count = os.environ.get("PYTEST_XDIST_WORKER", ""), os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")
    if not worker or config.args != config.getini("testpaths"):
        return
    names = [".".join(path.relative_to(ROOT).with_suffix("").parts) for path in sorted(TESTS.rglob("test_*.py"))]
    first = len(names) * int(worker.removeprefix("gw")) // int(count)
    for name in names[first:] + names[:first]:
        with suppress(Exception):
            importlib.import_module(name)


LONG_FIRST = (
    "e2e", "conformance", "calth", "web", "cli", "jobs", "mutants", "bench", "clx", "hcg", "report", "systems",
)  # fmt: skip
"""Folders whose modules take longest: begun first, so that no process is left with one of them at the end. All in a browser is
for one process, and takes half of the run."""
TOGETHER = ("tests/e2e/", "tests/cli/test_faraway.py", "tests/web/test_cluster.py")
"""What needs a browser, or a whole cluster."""


class OneBrowser(LoadScopeScheduling):
    """A module is for one process, and so are all tests in a browser or on a cluster: another browser, another service over the
    example games and another cluster cost more than they save."""

    def _split_scope(self, nodeid: str) -> str:
        return "together" if nodeid.startswith(TOGETHER) else super()._split_scope(nodeid)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadScopeScheduling | None:
    return OneBrowser(config, log) if config.getoption("dist") == "loadscope" else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    place = {name: n for n, name in enumerate(LONG_FIRST)}
    items.sort(key=lambda item: place.get(item.path.parent.name, len(place)))
    left = left_for_whole_runs(item.nodeid.removeprefix("tests/") for item in items)
    config.hook.pytest_deselected(items=[items[place] for place in sorted(left)])
    items[:] = [item for place, item in enumerate(items) if place not in left]
    left_out: dict[str, int] = {}
    for mark, why in (("browser", _no_browser()), ("servers", _no_servers()), ("rabbitmq", _no_rabbitmq())):
        if why:
            without = [item for item in items if item.get_closest_marker(mark)]
            items[:] = [item for item in items if not item.get_closest_marker(mark)]
            if without:
                left_out[why] = len(without)
                config.hook.pytest_deselected(items=without)
    config.stash[LEFT_OUT] = left_out


def _no_browser() -> str:
    return "" if CHROMIUM is not None or os.environ.get("REQUIRE_BROWSER") else "there is no chromium on this machine"


def _no_servers() -> str:
    missing = [] if os.environ.get("REQUIRE_SERVERS") else servers.missing()
    return f"there is no {' or '.join(missing)} on this machine" if missing else ""


def _no_rabbitmq() -> str:
    if not WHOLE:
        return "RabbitMQ is for whole runs (make test-whole)"
    return "" if servers.RABBITMQ and servers.EPMD else "there is no RabbitMQ on this machine"


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    for why, number in config.stash.get(LEFT_OUT, {}).items():
        terminalreporter.write_line(f"{number} tests were NOT run: {why}", yellow=True)


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URL of a PostgreSQL server of this run; each test makes a database of its own (`tests.servers.database`)."""
    folder = Path(tempfile.mkdtemp(prefix="auditor-postgres-"))
    with servers.postgres(folder) as (url, _server):
        yield url
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def one_cluster() -> Iterator[Cluster]:
    with cluster(webs=2, workers=1, more=SHORT_LEASE) as made:
        yield made


@pytest.fixture
def made(one_cluster: Cluster) -> Cluster:
    """A cluster that all tests of the run share, with all of its servers, and a worker, whatever the last one did to it."""
    for server in (one_cluster.postgres, one_cluster.broker, *one_cluster.webs):
        if not server.runs:
            server.start()
    if not any(worker.runs for worker in one_cluster.workers):
        one_cluster.add_worker()
    return one_cluster


@pytest.fixture(scope="session")
def examples_audited(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the example games of `serving.SHOWN`, audited, to be copied."""
    return serving.audited_once(tmp_path_factory)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The browser of the whole run; each test opens a page or a context of its own."""
    if CHROMIUM is None:
        pytest.fail("REQUIRE_BROWSER is set, and there is no chromium on this machine")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        yield browser
        browser.close()
