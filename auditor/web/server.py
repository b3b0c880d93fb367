"""The embedded server: one process, waitress, this machine only."""

from __future__ import annotations

import select
import signal
import socket
import sys
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

from flask import Flask
from waitress import create_server  # type: ignore[import-untyped]
from waitress.task import ThreadedTaskDispatcher  # type: ignore[import-untyped]

from auditor.service import CannotOpen, Service, keep_private
from auditor.settings import LOOPBACK, BadSettings, Settings
from auditor.web.app import create_app
from auditor.web.taking import take_in

THREADS = 12
CONNECTIONS = 1000 if hasattr(select, "poll") else 100
IDLE_SECONDS = 30
LOOK_SECONDS = 5
"""A connection on which nothing happens is closed after so long; how often that is looked at."""
TAKEN = 4
"""So many times the largest request is taken in, to be answered with a page."""


class CannotServe(RuntimeError):
    """The service cannot start as it was asked to; the text says why. The command line ends with status 2."""


def serve(
    host: str = "127.0.0.1",
    port: int = 8000,
    data_dir: Path | None = None,
    *,
    engine: str = "auditor.engine",
    settings: Settings | None = None,
) -> None:
    """Open the data folder, bring it up to date, and serve until a signal says stop. Raises CannotServe.

    There are no accounts: who reaches the port may see and send everything. So only this machine is listened to.
    """
    if host not in LOOPBACK:
        raise CannotServe(
            f"the service has no accounts yet, so it listens on {LOOPBACK[0]} only and not on {host}; "
            "to reach it from elsewhere, forward a port to this machine for people you trust"
        )
    try:
        settings = replace(settings or Settings.of_environment(), host=host, port=port)
    except BadSettings as error:
        raise CannotServe(str(error)) from None
    if data_dir is not None:
        settings = replace(settings, data_dir=data_dir)
    keep_private()
    try:
        door = socket.create_server((host, port))
    except OSError as error:
        raise CannotServe(
            f"port {port} of {host} cannot be used: {error.strerror or error}; "
            "stop what uses it, or choose another with --port"
        ) from None
    with door:
        try:
            service = Service(settings, engine)
        except CannotOpen as error:
            raise CannotServe(str(error)) from None
        except OSError as error:
            raise CannotServe(_unusable(settings.data_dir, error)) from None
        try:
            _serve(settings, service, door)
        finally:
            service.close()


def _unusable(data_dir: Path, error: OSError) -> str:
    """What is wrong with a data folder, with the file that it is about, and what to do."""
    file = error.filename or data_dir
    return f"{file}: {error.strerror or error}; choose another data folder, or see who may write there"


def _serve(settings: Settings, service: Service, door: socket.socket) -> None:
    try:
        app = create_app(settings, service)
    except OSError as error:
        raise CannotServe(_unusable(settings.data_dir, error)) from None
    server = make_server(app, settings, sockets=[door])
    signal.signal(signal.SIGTERM, _stop)
    try:
        service.start()
        sys.stdout.write(
            f"Auditor listens on http://{settings.host}:{door.getsockname()[1]}/ and keeps its data in "
            f"{settings.data_dir}.\nThere are no accounts yet: only this machine can reach it. Ctrl-C stops it.\n"
        )
        sys.stdout.flush()
        server.run()
    finally:
        server.close()


def make_server(app: Flask, settings: Settings, **how: Any) -> Any:
    """The server around an app.

    It takes more than may be sent and drops it, because a browser that is cut off in the middle of its sending shows
    no page that says why; beyond that it is cut off.
    """
    most = TAKEN * settings.max_request_bytes
    server = create_server(
        app,
        threads=THREADS,
        ident=None,
        max_request_body_size=most,
        connection_limit=CONNECTIONS,
        asyncore_use_poll=hasattr(select, "poll"),
        channel_timeout=IDLE_SECONDS,
        cleanup_interval=LOOK_SECONDS,
        **how,
    )
    take_in(server, app)
    _keep_a_thread(server)
    return server


def _keep_a_thread(server: Any) -> None:
    """Keep a thread for /healthz: it tells that the process lives, however many others wait for something."""
    own = ThreadedTaskDispatcher()
    own.set_thread_count(1)
    others, close = server.add_task, server.close

    def add_task(channel: Any) -> None:
        asked = getattr(channel.requests[0], "path", "")
        (own.add_task if asked == "/healthz" else others)(channel)

    def close_all() -> None:
        own.shutdown()
        close()

    server.add_task, server.close = add_task, close_all


def _stop(_signal: int, _frame: FrameType | None) -> NoReturn:
    raise SystemExit(0)
