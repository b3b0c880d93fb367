"""Data packs: the list of those that logs can name, the form for more, and each to be had back."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from auditor.service import BadPack, StoredPack
from auditor.web.shell import service
from auditor.web.words import size_words, time_words

pages = Blueprint("packs", __name__)


@pages.get("/packs")
def packs() -> str:
    """All of them, and the form for more."""
    return _page()


@pages.post("/packs")
def store() -> AnyResponse | tuple[str, int]:
    """Store the packs of some files, all or none."""
    try:
        service().packs.store(pack_files())
    except BadPack as error:
        return _page(error.problems), 400
    return redirect(url_for("packs.packs"), 303)


@pages.get("/packs/<sha256>.json")
def as_json(sha256: str) -> Response:
    """A pack as canonical JSON: its SHA-256 is what audits name it by."""
    pack, data = service().packs.canonical(sha256)
    response = Response(data, mimetype="application/json")
    safe = "".join(sign if sign.isascii() and (sign.isalnum() or sign in "._-") else "_" for sign in pack.id)[:80]
    response.headers["Content-Disposition"] = f'attachment; filename="{safe.lstrip(".") or "pack"}.json"'
    response.headers["Cache-Control"] = "private, max-age=31536000, immutable"
    return response


def pack_files() -> list[tuple[str, bytes]]:
    """The files of a form or an API call, together one byte more than may be at most."""
    left = service().settings.max_pack_bytes + 1
    files: list[tuple[str, bytes]] = []
    for _field, file in request.files.items(multi=True):
        if file.filename:
            files.append((file.filename, file.stream.read(left)))
            left -= len(files[-1][1])
    return files


def _tables() -> str:
    """Of which games packs may be tables, in words; "" where of none."""
    titles = service().games.titles()
    games = [title for key, title in titles.items() if service().packs.reads_tables(key)]
    return f", or CSV for {' and '.join(games)}" if games else ""


def _page(places: list[dict[str, Any]] | None = None) -> str:
    titles = service().games.titles()
    games: dict[str, list[tuple[StoredPack, str, str]]] = {game: [] for game in titles}
    for pack in service().packs.all():
        when = "comes with the program" if pack.received_at is None else time_words(pack.received_at)
        games.setdefault(pack.game, []).append((pack, size_words(pack.size), when))
    return render_template(
        "packs.html",
        games=[(titles.get(game, game), game, lines) for game, lines in games.items() if lines],
        action=url_for("packs.store"),
        accepts=f"JSON, one pack or a list of packs in a file{_tables()}; up to {size_words(service().settings.max_pack_bytes)} together",
        places=places or [],
    )
