"""The pages and the JSON API. They ask auditor.service and know no database."""

from __future__ import annotations

from auditor.web.app import create_app
from auditor.web.server import CannotServe, serve

__all__ = ["CannotServe", "create_app", "serve"]
