"""The embedded server: one process, waitress, this machine only."""

from __future__ import annotations

import signal
import sys
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import NoReturn

from waitress import create_server  # type: ignore[import-untyped]

from auditor.service import Service
from auditor.settings import LOOPBACK, Settings
from auditor.store.database import StoreBusy
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
        service = Service(settings, engine)
    except StoreBusy as error:
        raise CannotServe(str(error)) from None
    try:
        app = create_app(settings, service)
        try:
            server = create_server(
                app,
                host=host,
                port=port,
                threads=THREADS,
                ident=None,
                max_request_body_size=settings.max_request_bytes,
            )
        except OSError as error:
            raise CannotServe(f"port {port} of {host} cannot be used: {error.strerror or error}") from None
        signal.signal(signal.SIGTERM, _stop)
        service.start()
        sys.stdout.write(
            f"Auditor listens on http://{host}:{server.effective_port}/ and keeps its data in {settings.data_dir}.\n"
            "There are no accounts yet: only this machine can reach it. Ctrl-C stops it.\n"
        )
        sys.stdout.flush()
        try:
            server.run()
        finally:
            server.close()
    finally:
        service.close()


def _stop(_signal: int, _frame: FrameType | None) -> NoReturn:
    raise SystemExit(0)
