"""What stands round every page, and the ways from one page to another."""

from __future__ import annotations

import hashlib
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, cast

from flask import Flask, current_app, request, url_for

from auditor.report.links import Links, shell
from auditor.service import Service

EXTENSION = "auditor-service"
_STATIC = Path(__file__).parent / "static"
_HERE = {"uploads": "Upload", "audits": "Games", "rulings": "Answers", "packs": "Packs"}


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
            "Open questions": url_for("rulebook.readings"),
            "Answers": url_for("rulings.sets"),
            "Packs": url_for("packs.packs"),
            "Limits": url_for("rulebook.limits"),
        }
        here = _HERE.get(request.blueprint or "", "")
        if request.endpoint in ("uploads.log", "uploads.log_lines"):
            here = "Games"
        if request.blueprint == "rulebook":
            here = {"readings": "Open questions", "game_readings": "Open questions", "limits": "Limits"}.get(
                (request.endpoint or "").split(".")[-1], "Rules"
            )
        around = shell(static("app.css"), static("app.js"), url_for("audits.games"), addresses, here)
        return {"shell": around, "static": static}


def rule_href(rule: str) -> str:
    """The page of a rule."""
    return url_for("rulebook.rule", game_or_id=rule)


def reading_href(reading: str, game: str | None) -> str:
    """The place of a reading on the page of its game."""
    from auditor.report.words import slug

    if game is None:
        return url_for("rulebook.game_readings", game_or_id=reading)
    return url_for("rulebook.game_readings", game_or_id=game, _anchor=f"reading-{slug(reading)}")


def rule_links(game: str) -> Links:
    """Links of pages about the rules of a game."""
    return Links(rule=rule_href, reading=partial(reading_href, game=game))
