"""What stands round every page, and the ways from one page to another."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

from flask import Flask, current_app, request, url_for

from auditor.report.links import Links, shell
from auditor.service import AuditLine, Service

EXTENSION = "auditor-service"
_STATIC = Path(__file__).parent / "static"
_HERE = {"uploads": "Upload", "audits": "Games", "rulings": "Readings"}


def service() -> Service:
    """The service behind this app."""
    return cast(Service, current_app.extensions[EXTENSION])


@lru_cache(maxsize=16)
def _version(name: str) -> str:
    return hashlib.sha256((_STATIC / name).read_bytes()).hexdigest()[:12]


def static(name: str) -> str:
    """The address of a file of ours; it changes with the file, so it may be kept for ever."""
    return url_for("static", filename=name, v=_version(name))


def add_shell(app: Flask) -> None:
    """Give every template `shell` and `static`."""

    @app.context_processor
    def around() -> dict[str, Any]:
        addresses = {
            "Games": url_for("audits.games"),
            "Upload": url_for("uploads.form"),
            "Rules": url_for("rulebook.rules"),
            "Readings": url_for("rulebook.readings"),
            "Limits": url_for("rulebook.limits"),
        }
        here = _HERE.get(request.blueprint or "", "")
        if request.blueprint == "rulebook":
            here = {"readings": "Readings", "limits": "Limits"}.get((request.endpoint or "").split(".")[-1], "Rules")
        around = shell(static("app.css"), static("app.js"), url_for("audits.games"), addresses, here)
        return {"shell": around, "static": static}


def rule_href(rule: str) -> str:
    """The page of a rule."""
    return url_for("rulebook.rule", rule_id=rule)


def reading_href(reading: str) -> str:
    """The place of a reading on its page."""
    from auditor.report.words import slug

    return url_for("rulebook.readings", _anchor=f"reading-{slug(reading)}")


def rule_links() -> Links:
    """Links of pages about the rules."""
    return Links(rule=rule_href, reading=reading_href)


def audit_links(line: AuditLine) -> Links:
    """Links of the report and the replay of one audit."""
    from auditor.report.words import slug

    report = url_for("audits.report", key=line.key)
    readable = line.verdict != "unreadable" and line.counts.get("events", 0) > 0
    files = [
        ("One-file report", url_for("audits.one_file", key=line.key)),
        ("JSON", url_for("audits.as_json", key=line.key)),
        ("CSV", url_for("audits.as_csv", key=line.key)),
        ("SARIF", url_for("audits.as_sarif", key=line.key)),
        ("The log as audited", url_for("uploads.log_bytes", sha256=line.log_sha256)),
        ("All audits of this log", url_for("uploads.log", sha256=line.log_sha256)),
    ]
    return Links(
        rule=rule_href,
        reading=reading_href,
        finding=lambda ident: f"{report}#f-{slug(ident)}",
        finding_json=lambda ident: url_for("api.finding", key=line.key, ident=ident),
        replay=lambda seq: url_for("audits.event", key=line.key, seq=seq) if seq >= 0 else None,
        log_line=lambda number: url_for("uploads.log_lines", sha256=line.log_sha256, number=number, _anchor="here"),
        report=report,
        replay_start=url_for("audits.replay", key=line.key) if readable else None,
        replay_jump=url_for("audits.replay", key=line.key) if readable else None,
        crumbs=(("Games", url_for("audits.games")),),
        files=tuple(files),
    )
