"""The embedded server: one process, waitress, this machine only."""

from __future__ import annotations

import signal
import socket
import sys
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import NoReturn

from waitress import create_server  # type: ignore[import-untyped]

from auditor.service import Service, StoreBusy
from auditor.settings import LOOPBACK, Settings
from auditor.web.app import create_app

THREADS = 8


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
    settings = replace(settings or Settings(), host=host, port=port)
    if data_dir is not None:
        settings = replace(settings, data_dir=data_dir)
    try:
        door = socket.create_server((host, port))
    except OSError as error:
        raise CannotServe(f"port {port} of {host} cannot be used: {error.strerror or error}") from None
    with door:
        try:
            service = Service(settings, engine)
        except StoreBusy as error:
            raise CannotServe(str(error)) from None
        try:
            _serve(settings, service, door)
        finally:
            service.close()


def _serve(settings: Settings, service: Service, door: socket.socket) -> None:
    app = create_app(settings, service)
    server = create_server(
        app, sockets=[door], threads=THREADS, ident=None, max_request_body_size=settings.max_request_bytes
    )
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


def _stop(_signal: int, _frame: FrameType | None) -> NoReturn:
    raise SystemExit(0)
