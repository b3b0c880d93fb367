"""For whoever keeps the service running."""

from __future__ import annotations

from flask import Blueprint, Response

from auditor.web.api import answer
from auditor.web.shell import service

pages = Blueprint("ops", __name__)


@pages.get("/healthz")
def healthz() -> Response:
    """The process lives."""
    return Response("ok\n", mimetype="text/plain")


@pages.get("/readyz")
def readyz() -> Response:
    """Whether an upload sent now would be taken in and audited; 503 if not, check by check."""
    ready = service().health.ready()
    return answer({"ok": ready.ok, "checks": ready.checks}, 200 if ready.ok else 503)
