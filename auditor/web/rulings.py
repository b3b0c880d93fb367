"""Rulings stored under a name, to be chosen for logs."""

from __future__ import annotations

import json

from flask import Blueprint, Response, redirect, render_template, request, url_for
from werkzeug.datastructures import FileStorage
from werkzeug.wrappers import Response as AnyResponse

from auditor.service import BadRulings, NamedRulings
from auditor.web.guard import rulings_places
from auditor.web.shell import service
from auditor.web.words import time_words

pages = Blueprint("rulings", __name__)


@pages.get("/rulings")
def sets() -> str:
    """All of them, and the form for another."""
    return _page()


@pages.post("/rulings")
def store() -> AnyResponse | tuple[str, int]:
    """Store a rulings file under a name."""
    try:
        service().rulings.store(request.form.get("name", ""), rulings_bytes())
    except BadRulings as error:
        return _page(error), 400
    return redirect(url_for("rulings.sets"), 303)


@pages.get("/rulings/set.json")
def by_name() -> Response:
    """A set as the JSON that the command line takes; ?name= may hold any signs."""
    return as_json(request.args.get("name", ""))


@pages.get("/rulings/<name>.json")
def as_json(name: str) -> Response:
    """The same for a plain name."""
    import orjson

    value = service().rulings.named(name).value
    return Response(orjson.dumps(value, option=orjson.OPT_INDENT_2), mimetype="application/json")


def _page(error: BadRulings | None = None) -> str:
    named: list[NamedRulings] = service().rulings.all_named()
    return render_template(
        "rulings.html",
        sets=[(each, time_words(each.created_at)) for each in named],
        action=url_for("rulings.store"),
        places=rulings_places(error) if error is not None else [],
        example=_example(),
        name=request.form.get("name", ""),  # after an error only the file has to be chosen again
    )


def _example() -> str:
    """A rulings file with one answer, as it may be sent."""
    for game in service().games.titles():
        for reading in service().games.readings(game):
            return json.dumps({"readings": {reading["id"]: reading["default"]}})
    return ""


def rulings_bytes() -> bytes:
    """The rulings file of a form, one byte more than may be at most."""
    file: FileStorage | None = request.files.get("rulings_file")
    return b"" if file is None else file.stream.read(service().settings.max_rulings_bytes + 1)
