"""The app factory: limits, headers, tokens, errors, and a blueprint for each subject."""

from __future__ import annotations

import logging

from flask import Flask
from flask_wtf.csrf import CSRFProtect
from jinja2 import StrictUndefined

from auditor.report.render import FILTERS, templates_dir
from auditor.service import Service
from auditor.settings import Settings
from auditor.web import api, audits, guide, metrics, ops, packs, rulebook, rulings, uploads
from auditor.web.guard import guard
from auditor.web.shell import EXTENSION, add_shell

log = logging.getLogger("auditor.web")

csrf = CSRFProtect()


def create_app(settings: Settings, service: Service) -> Flask:
    """The web side of one open service. The caller starts and closes the service."""
    app = Flask("auditor.web", template_folder=str(templates_dir()))
    app.config.update(
        SECRET_KEY=service.secret_key(),
        SESSION_COOKIE_NAME="auditor",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Strict",
        WTF_CSRF_TIME_LIMIT=None,  # as long as the session: a page may stay open for a whole tournament
        # Only names of this machine: another site's name that points here (DNS rebinding) gets nothing.
        TRUSTED_HOSTS=["127.0.0.1", "localhost"],
        MAX_CONTENT_LENGTH=settings.max_request_bytes,
        MAX_FORM_MEMORY_SIZE=settings.max_form_bytes,
        MAX_FORM_PARTS=settings.max_files + 10,
        SEND_FILE_MAX_AGE_DEFAULT=3600,
    )
    app.jinja_options = {"undefined": StrictUndefined, "trim_blocks": True, "lstrip_blocks": True}
    app.jinja_env.filters |= FILTERS
    app.extensions[EXTENSION] = service
    csrf.init_app(app)
    metrics.count_requests(app, service)
    guard(app)
    add_shell(app)
    for module in (uploads, audits, rulebook, rulings, packs, guide, api, ops, metrics):
        app.register_blueprint(module.pages)
    return app
