"""What every answer carries, and how errors are said: as JSON to programs, as a page to people."""

from __future__ import annotations

import logging
from typing import Any

from flask import Flask, Response, jsonify, make_response, render_template, request, url_for
from flask_wtf.csrf import CSRFError
from werkzeug.exceptions import HTTPException, SecurityError

from auditor.service import (
    Altered,
    BadPack,
    BadRulings,
    BeingDrawn,
    Busy,
    Missing,
    NotDrawn,
    NotFound,
    NotYet,
    Outdated,
    Replaced,
    Unreadable,
)
from auditor.web.shell import service
from auditor.web.words import size_words

log = logging.getLogger("auditor.web")

CSP = "; ".join(
    (
        "default-src 'none'",
        "style-src 'self'",
        "script-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": CSP,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}

SAID = {
    400: ("This could not be understood", "The request is not one that a page of this service makes."),
    404: ("There is nothing here", "No page, game, audit or rule has this address."),
    405: ("This address does not do that", "It can be read, not sent to, or the other way round."),
    413: ("That is too much at once", "Nothing of it was kept. Send fewer or smaller files."),
    500: (
        "A fault of ours",
        "Something went wrong here, not in what you sent. Whoever runs the service finds it in its log.",
    ),
    507: ("The disk is full", "Nothing of what you sent was kept. Send it again when there is room."),
}


def guard(app: Flask) -> None:
    """Put headers on every answer and words to every error."""

    @app.after_request
    def headers(response: Response) -> Response:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        if request.endpoint != "static":
            response.headers.setdefault("Cache-Control", "private, no-cache")
        return response

    @app.errorhandler(NotFound)
    def not_found(_error: NotFound) -> Response:
        return problem(404)

    @app.errorhandler(NotYet)
    def not_yet(error: NotYet) -> Response:
        if str(error) == "failed":
            return problem(409, "The audit failed", "Its page says why, and can try again.", state="failed")
        response = problem(409, "Not audited yet", "The audit is still in work.", state=str(error))
        response.headers["Retry-After"] = "1"
        return response

    @app.errorhandler(BeingDrawn)
    def being_drawn(error: BeingDrawn) -> Response:
        if wants_page():
            return make_response(render_template("drawing.html", ahead=error.ahead), 202)
        return later(1, "Being drawn", "This is being made. Ask for it again in a moment.", ahead=error.ahead)

    @app.errorhandler(NotDrawn)
    def not_drawn(error: NotDrawn) -> Response:
        return problem(503, "This could not be drawn", str(error))

    @app.errorhandler(Busy)
    def busy(_error: Busy) -> Response:
        return later(2, "Too much at once", "The database is busy, so nothing was changed. Try it again in a moment.")

    @app.errorhandler(Replaced)
    def replaced(error: Replaced) -> Response:
        log.critical("%s", error)
        return later(
            60,
            "Nothing can be stored",
            "The files of this service were changed under it, so nothing that is sent would last. Whoever runs it has to "
            "look at it: its log names the file.",
        )

    @app.errorhandler(Unreadable)
    def unreadable(error: Unreadable) -> Response:
        log.critical("%s", error)
        return later(
            60,
            "The database cannot be read",
            "Nothing was changed. Whoever runs the service has to look at its disk: its log has the reason.",
        )

    @app.errorhandler(BadRulings)
    def bad_rulings(error: BadRulings) -> Response:
        return problem(400, "These rulings cannot be used", "Nothing was stored.", places=rulings_places(error))

    @app.errorhandler(BadPack)
    def bad_pack(error: BadPack) -> Response:
        return problem(400, "These data packs cannot be used", "Nothing was stored.", places=error.problems)

    @app.errorhandler(CSRFError)
    def no_token(_error: CSRFError) -> Response:
        return problem(
            400,
            "Please send that again",
            "The page was open too long, or its form came from somewhere else.",
            token=False,
        )

    @app.errorhandler(SecurityError)
    def other_host(_error: SecurityError) -> Response:
        # Plain words: without a trusted host no address can be built, so no page can be made.
        return Response("The service answers to the names of this machine only.\n", 400, mimetype="text/plain")

    @app.errorhandler(HTTPException)
    def http(error: HTTPException) -> Response:
        code = error.code or 500
        if code < 400:
            return make_response(error.get_response())
        response = too_much() if code == 413 else problem(code, *SAID.get(code, (error.name, "")))
        original = error.get_response()
        for name in ("Allow", "Retry-After"):
            if name in original.headers:
                response.headers[name] = original.headers[name]
        return response

    @app.errorhandler(Missing)
    @app.errorhandler(Altered)
    def lost(error: Exception) -> Response:
        log.critical("the archive has not what it had: %s", error)
        how = "is not there any more" if isinstance(error, Missing) else "is not what it was"
        return problem(
            410,
            "The stored bytes are lost",
            f"What was stored here {how}, on the disk of this service. Its audits are still here. Whoever has the file can "
            "send the same bytes again: that puts them back in their place.",
        )

    @app.errorhandler(Outdated)
    def outdated(_error: Outdated) -> Response:
        return problem(
            409,
            "The rules have changed since",
            "This audit was made by an older version of the rules, and those of today see this otherwise, so it cannot be "
            "drawn any more. Audit the log again under the rules of today.",
        )

    @app.errorhandler(OSError)
    def disk(error: OSError) -> Response:
        import errno

        log.exception("the disk refused")
        return problem(507 if error.errno in (errno.ENOSPC, errno.EDQUOT) else 500)

    @app.errorhandler(Exception)
    def ours(_error: Exception) -> Response:
        log.exception("a request failed")
        return problem(500)


def wants_json() -> bool:
    """True where a program asks: under /api/, or for a .json address."""
    return request.path.startswith("/api/") or request.path.endswith((".json", "/readyz"))


def wants_page() -> bool:
    """True where somebody reads in a browser, which says that it takes pages; a program takes anything."""
    return not wants_json() and "text/html" in request.headers.get("Accept", "")


def problem(code: int, title: str = "", message: str = "", *, places: Any = (), **more: Any) -> Response:
    """An error, said in the way the asker can read."""
    said = SAID.get(code, ("This did not work", ""))
    title, message = title or said[0], message or said[1]
    if wants_json():
        body = {"error": {"code": code, "title": title, "message": message, "places": list(places), **more}}
        return make_response(jsonify(body), code)
    error = {"code": code, "title": title, "message": message, "places": list(places), "link": more.get("link")}
    return make_response(render_template("error.html", error=error), code)


def later(seconds: int, title: str, message: str, **more: Any) -> Response:
    """That it cannot be done now, and when to ask again."""
    response = problem(503, title, message, **more)
    response.headers["Retry-After"] = str(seconds)
    return response


def too_much() -> Response:
    """The answer to more than fits, with how much that is and where it says so."""
    settings = service().settings
    title, message = SAID[413]
    fits = f"One upload has at most {size_words(settings.max_request_bytes)} and {settings.max_files} files."
    link = ("How much fits", url_for("rulebook.limits"))
    return problem(413, title, f"{message} {fits}", link=link, limit=settings.max_request_bytes)


def rulings_places(error: BadRulings) -> list[dict[str, Any]]:
    """What is wrong with rulings, in the shape of a file's errors."""
    return [
        {"line": None, "path": "rulings", "found": text, "expected": "", "nearest": None} for text in error.problems
    ]
