"""Sending logs, seeing what became of them, and getting the bytes back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from urllib.parse import quote

from flask import Blueprint, Response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from auditor.report.casebook import sides_of
from auditor.report.lists import UploadRow
from auditor.report.words import plural, shorten
from auditor.service import DEFAULTS, FILE, OWN, SET, SHOWN, BadRulings, DeliveryPage, Fate, Incoming
from auditor.web.audits import game_row
from auditor.web.guard import rulings_places
from auditor.web.rulings import rulings_bytes
from auditor.web.shell import service
from auditor.web.words import size_words

pages = Blueprint("uploads", __name__)

ERRORS, ERRORS_OF_MANY = 50, 5
"""Errors that are listed of a file that was sent alone, and of one of many; its report lists them all."""
LINES_AROUND = 10
LINE_LENGTH = 2000


NO_FILE = (
    "No file came with this. Logs are sent as files of a form (curl -F logs=@game.jsonl), whatever the field is called,"
    " or one as the body itself (curl -H 'Content-Type: application/octet-stream' --data-binary @game.jsonl)."
    " The names in a form are UTF-8: from a system with another code page a file with other letters than a to z in its"
    " name is sent under a plain one (curl -F 'logs=@Zoë.jsonl;filename=game.jsonl')."
)
_FORMS = ("multipart/form-data", "application/x-www-form-urlencoded")


def sent_logs() -> list[Incoming]:
    """The files of a request but for that of the rulings, whatever their field is called; or its body, which is then one
    file, with ?name= for its name."""
    files = [
        Incoming(file.filename, file.stream)
        for field, file in request.files.items(multi=True)
        if file.filename and field != "rulings_file"
    ]
    has_body = bool(request.content_length) or "chunked" in request.headers.get("Transfer-Encoding", "")
    if files or not has_body or request.mimetype in _FORMS:
        return files
    return [Incoming(request.args.get("name") or "upload", request.stream)]


@pages.get("/upload")
def form() -> str:
    """The form."""
    return _form()


@pages.post("/upload")
def send() -> AnyResponse | tuple[str, int]:
    """Take in files; small logs are audited before the answer, others are followed on their page."""
    files = sent_logs()
    if not files:
        return _form("Choose at least one file." if request.form else NO_FILE), 400
    if len(files) > service().settings.max_files:
        fits = service().settings
        words = f"At most {fits.max_files} files at once, and nothing was kept. A zip may hold {fits.max_members:,}."
        return _form(words), 413
    try:
        choice = service().rulings.choose(request.values.get("rulings", OWN), rulings_bytes())
    except BadRulings as error:
        return _form("These rulings cannot be used; no file was taken in.", rulings_places(error)), 400
    key = service().deliveries.receive(files, choice)
    service().deliveries.wait(key, service().settings.wait_seconds)
    delivery = service().deliveries.page(key)
    only = delivery.files[0].audit if delivery.count == 1 and delivery.total is None else None
    if only is not None and only.state == "done":
        return redirect(url_for("audits.report", key=only.key), 303)
    return redirect(url_for("uploads.delivery", key=key), 303)


@pages.get("/uploads/<key>")
def delivery(key: str) -> str:
    """What became of each file; the page follows the work by itself."""
    number = request.args.get("page", 1, type=int)
    page = service().deliveries.page(key, number)
    most = ERRORS if len(page.files) == 1 else ERRORS_OF_MANY
    return render_template(
        "delivery.html",
        page=page,
        summary=summary(page),
        rows=[(row(fate, most), fate.upload_sha256) for fate in page.files],
        pages=[(n, url_for("uploads.delivery", key=key, page=n), n == page.number) for n in _near(page)],
        first=(page.number - 1) * SHOWN + 1,
    )


def _near(page: DeliveryPage) -> list[int]:
    """The pages of a delivery that are linked: the first, the last, and some round this one; none where there is one."""
    near = {1, page.pages, *range(max(1, page.number - 4), min(page.pages, page.number + 4) + 1)}
    return sorted(near) if page.pages > 1 else []


@pages.get("/uploads/by-hash/<sha256>/remove")
def ask_removal(sha256: str) -> str:
    """What goes with an upload, and the button that removes it."""
    gone = service().removing.look(sha256)
    return render_template("remove.html", gone=gone, size=size_words(gone.size))


@pages.post("/uploads/by-hash/<sha256>/remove")
def remove(sha256: str) -> str:
    """Remove an upload and everything of it."""
    gone = service().removing.remove(sha256)
    return render_template("removed.html", gone=gone)


@pages.get("/uploads/by-hash/<sha256>")
def upload_bytes(sha256: str) -> Response:
    """An upload exactly as it came."""
    return download(*service().deliveries.upload_bytes(sha256))


@pages.get("/logs/<sha256>")
def log(sha256: str) -> str:
    """A log, its uploads and all its audits."""
    page = service().audits.log_page(sha256)
    return render_template(
        "log.html",
        page=page,
        size=size_words(page.size),
        games=[(game_row(line), line) for line in page.audits],
        compared=[line for line in (*page.audits, *page.same_match) if line.verdict is not None],
        form={"action": url_for("audits.again", sha256=sha256), "rulings": rulings_choices()},
    )


@pages.get("/logs/<sha256>/bytes")
def log_bytes(sha256: str) -> Response:
    """A log's own bytes: unpacked, otherwise untouched."""
    return download(*service().audits.log_bytes(sha256))


@pages.get("/logs/<sha256>/lines/<int:number>")
def log_lines(sha256: str, number: int) -> str:
    """A line of a log with some lines around it, as text."""
    first = max(1, number - LINES_AROUND)
    name, lines, count = service().audits.log_lines(sha256, first, number + LINES_AROUND, 4 * LINE_LENGTH)
    shown = [
        (n, shorten(line.decode("utf-8", "backslashreplace"), LINE_LENGTH), n == number)
        for n, line in enumerate(lines, first)
    ]
    return render_template("lines.html", name=name, sha256=sha256, number=number, lines=shown, count=count)


def rulings_choices() -> list[tuple[str, str, bool]]:
    """The rulings that a form offers: value, words, whether it is the one to begin with."""
    chosen = request.form.get("rulings", OWN)
    choices = [(OWN, "the log's own, else the defaults"), (DEFAULTS, "the defaults")]
    choices += [(f"{SET}{named.name}", named.name) for named in service().rulings.all_named() if named.game is not None]
    choices.append((FILE, "those in the rulings file below"))
    return [(value, words, value == chosen) for value, words in choices]


def summary(page: DeliveryPage) -> list[tuple[str, int]]:
    """How many files ended how, in the order that a reader asks."""
    order = ("audited", "in part", "in work", "queued", "refused", "failed", "skipped")
    counts = [(fate, page.tally.get(fate, 0)) for fate in order if page.tally.get(fate)]
    return [*counts, ("known already", page.known)] if page.known else counts


def row(fate: Fate, most: int) -> UploadRow:
    """A file as the list of results prints it, with at most so many of its errors."""
    href = None if fate.audit is None else url_for("audits.report", key=fate.audit.key)
    words = f"{fate.text} These bytes were here before; they are counted once." if fate.known else fate.text
    name = shorten(fate.name, 120)
    line = fate.audit
    verdict = (line.verdict or "") if line is not None and fate.fate == "audited" else ""
    players = sides_of(line.header, {}) if line is not None else ()
    return UploadRow(name, size_words(fate.size), fate.fate, words, href, tuple(fate.problems[:most]), verdict, players)


def download(name: str, data: Iterable[bytes] | bytes) -> Response:
    """Bytes to be saved, never shown: what is in them is not ours."""
    safe = "".join(sign if sign.isascii() and (sign.isalnum() or sign in "._-") else "_" for sign in name)[-100:]
    response = Response(data, mimetype="application/octet-stream")
    # The name as it is for browsers, beside one of ASCII for whatever knows no other.
    whole = "".join(sign for sign in name if sign.isprintable() and sign not in '/\\:*?"<>|')[-100:].lstrip(". ")
    named = f"; filename*=UTF-8''{quote(whole, safe='')}" if whole and not whole.isascii() else ""
    response.headers["Content-Disposition"] = f'attachment; filename="{safe.lstrip(".") or "log"}"{named}'
    response.headers["Cache-Control"] = "private, max-age=31536000, immutable"
    return response


def _form(message: str = "", places: list[dict[str, Any]] | None = None) -> str:
    settings = service().settings
    accepts = (
        "JSONL or JSON, gzip or zip accepted; up to "
        f"{plural(settings.max_files, 'file')}, {size_words(settings.max_request_bytes)} together"
    )
    return render_template(
        "upload_form.html",
        form={"action": url_for("uploads.send"), "accepts": accepts, "rulings": rulings_choices()},
        message=message,
        places=places or [],
    )
