"""The same as JSON, for programs: /api/v1. An audit is served as the bytes that its digest stands in."""

from __future__ import annotations

from typing import Any

import orjson
from flask import Blueprint, Response, abort, request, url_for
from flask_wtf.csrf import generate_csrf

from auditor.service import OWN, AuditLine, Fate, StoredPack
from auditor.web.audits import FILTERS, before, done
from auditor.web.guard import problem
from auditor.web.made import made_bytes
from auditor.web.packs import pack_files
from auditor.web.rulings import rulings_bytes
from auditor.web.shell import service
from auditor.web.uploads import NO_FILE, sent_logs

pages = Blueprint("api", __name__, url_prefix="/api/v1")

JSON = "application/json"
MOST_FILES = 1000
"""Of a delivery, in one answer."""


def answer(value: Any, code: int = 200) -> Response:
    """A value as JSON."""
    return Response(orjson.dumps(value), code, mimetype="application/json")


@pages.get("/games")
def games() -> Response:
    """[{id, title, ruleset_version}]"""
    known = service().games.titles().items()
    return answer([{"id": k, "title": t, "ruleset_version": service().games.version(k)} for k, t in known])


@pages.get("/rules")
def rules() -> Response:
    """All rules, as `auditor rules --format json` gives them; ?game= for one game."""
    return answer([rule for game in _games() for rule in service().games.rules(game)])


@pages.get("/readings")
def readings() -> Response:
    """All readings, as `auditor readings --format json` gives them; ?game= for one game."""
    return answer([reading for game in _games() for reading in service().games.readings(game)])


@pages.get("/packs")
def packs() -> Response:
    """Every data pack that logs can name: [{game, kind, id, version, title, sha256, size, received_at, pack}]."""
    return answer([pack_json(pack) for pack in service().packs.all()])


@pages.post("/packs")
def store_packs() -> Response:
    """Data packs as multipart `packs`; all are stored or none. 201 with each, 400 with everything that is wrong."""
    return answer([pack_json(pack) for pack in service().packs.store(pack_files())], 201)


@pages.get("/packs/<sha256>")
def pack(sha256: str) -> Response:
    """A pack as canonical JSON."""
    return Response(service().packs.canonical(sha256)[1], mimetype="application/json")


def pack_json(pack: StoredPack) -> dict[str, Any]:
    """A pack as lists show it; `received_at` is null for one that comes with the program."""
    return {
        "game": pack.game,
        "kind": pack.kind,
        "id": pack.id,
        "version": pack.version,
        "title": pack.title,
        "sha256": pack.sha256,
        "size": pack.size,
        "received_at": pack.received_at.isoformat() if pack.received_at else None,
        "pack": url_for("api.pack", sha256=pack.sha256),
    }


@pages.get("/audits")
def audits() -> Response:
    """{audits: [...], next: cursor or null}; ?before= takes the cursor, ?verdict= a verdict, waiting or failed."""
    verdict = request.args.get("verdict")
    if verdict is not None and verdict not in FILTERS:
        return problem(400, message=f"A verdict is one of {', '.join(FILTERS)}.")
    page = service().audits.page(before=before(), verdict=verdict)
    return answer({"audits": [line_json(line) for line in page.audits], "next": page.next})


@pages.get("/compare")
def compare() -> Response:
    """What differs between the audits ?old= and ?new=, as `auditor compare --format json` gives it."""
    old, new = (done(request.args.get(name, "")) for name in ("old", "new"))
    return made_bytes(service().forms.compared(old, new, listed=False), JSON)


@pages.post("/audits/retry")
def retry_all() -> Response:
    """Queue all failed audits again. {retried: how many}"""
    return answer({"retried": service().audits.retry_all()})


@pages.get("/audits/<key>")
def audit(key: str) -> Response:
    """The audit. 409 with the state while it is in work."""
    return made_bytes(service().audits.packed(key), JSON)


@pages.get("/audits/<key>/state")
def state(key: str) -> Response:
    """The audit as lists show it, at any time."""
    return answer(line_json(service().audits.line(key)))


@pages.get("/audits/<key>/findings/<ident>")
def finding(key: str, ident: str) -> Response:
    """One finding of an audit."""
    return made_bytes(service().forms.finding(done(key), ident), JSON)


@pages.get("/audits/<key>/events")
def events(key: str) -> Response:
    """The events of the log, without drawings."""
    return made_bytes(service().replays.packed_timeline(key), JSON)


@pages.get("/audits/<key>/events/<int:seq>")
def event(key: str, seq: int) -> Response:
    """One event with its board, marks and sight."""
    return answer(service().replays.frame(key, seq))


@pages.get("/token")
def token() -> Response:
    """The token that a POST carries in the header X-CSRFToken, together with the cookie that comes with it."""
    return answer({"token": generate_csrf()})


@pages.post("/uploads")
def send() -> Response:
    """Logs as files of a form, whatever their field is called, or one as the body; `rulings` as in the form,
    `rulings_file`. 201 with what becomes of each."""
    files = sent_logs()
    if not files:
        return problem(400, message=NO_FILE)
    if len(files) > service().settings.max_files:
        abort(413)
    choice = service().rulings.choose(request.values.get("rulings", OWN), rulings_bytes())
    key = service().deliveries.receive(files, choice, source="api")
    response = answer(_delivery(key), 201)
    response.headers["Location"] = url_for("api.delivery", key=key)
    return response


@pages.get("/uploads/<key>")
def delivery(key: str) -> Response:
    """What became of what was sent, 1,000 files at a time; `next` is where there are more, `taken_in` is there until all are."""
    return answer(_delivery(key))


@pages.delete("/uploads/by-hash/<sha256>")
def remove(sha256: str) -> Response:
    """Remove an upload, the logs that no other upload holds, and their audits. {sha256, logs, audits, kept}"""
    gone = service().removing.remove(sha256)
    return answer({"sha256": gone.sha256, "logs": gone.logs, "audits": gone.audits, "kept": gone.kept})


def line_json(line: AuditLine) -> dict[str, Any]:
    """An audit as lists show it."""
    return {
        "id": line.key,
        "title": line.title,
        "game": line.game,
        "players": list(line.players),
        "match": line.match,
        "log_sha256": line.log_sha256,
        "rulings": line.rulings_label,
        "ruleset_version": line.ruleset_version,
        "outdated": line.outdated,
        "state": line.state,
        "verdict": line.verdict,
        "digest": line.digest,
        "counts": line.counts,
        "error": line.error,
        "asked_at": line.asked_at.isoformat(),
        "finished_at": line.finished_at.isoformat() if line.finished_at else None,
        "audit": url_for("api.audit", key=line.key),
        "report": url_for("audits.report", key=line.key),
    }


def _delivery(key: str) -> dict[str, Any]:
    page = service().deliveries.page(key, request.args.get("page", 1, type=int), MOST_FILES)
    said: dict[str, Any] = {"id": page.key, "settled": page.settled, "files": [_fate(fate) for fate in page.files]}
    if page.total is not None:
        said["taken_in"] = {"files": page.count, "of": page.total or None}
    if page.number < page.pages:
        said["next"] = url_for("api.delivery", key=key, page=page.number + 1)
    return said


def _fate(fate: Fate) -> dict[str, Any]:
    return {
        "name": fate.name,
        "size": fate.size,
        "upload_sha256": fate.upload_sha256,
        "fate": fate.fate,
        "known": fate.known,
        "text": fate.text,
        "problems": list(fate.problems),
        "audit": None if fate.audit is None else line_json(fate.audit),
    }


def _games() -> list[str]:
    asked = request.args.get("game")
    return list(service().games.titles()) if asked is None else [asked]
