"""The list of games, the report, the replay, and the report's other forms."""

from __future__ import annotations

import json
from typing import Any

from flask import Blueprint, Response, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from auditor.report.desk import sides_of
from auditor.report.lists import GameRow
from auditor.report.onefile import onefile_csp, onefile_html
from auditor.report.pages import VERDICTS, report_page
from auditor.report.replay import replay_page
from auditor.report.sarif import sarif_log, sarif_part
from auditor.report.spreadsheet import csv_head, csv_rows
from auditor.report.words import plural, shorten
from auditor.service import FAILED, WAITING, AuditLine, NotYet
from auditor.web.shell import audit_links, service
from auditor.web.uploads import rulings_bytes
from auditor.web.words import time_words

pages = Blueprint("audits", __name__)

FILTERS = (*VERDICTS, WAITING, FAILED)


@pages.get("/")
@pages.get("/audits")
def games() -> str:
    """All audits, newest first, a page at a time."""
    verdict = request.args.get("verdict")
    if verdict is not None and verdict not in FILTERS:
        abort(404)
    page = service().audits(before=request.args.get("before", type=int), verdict=verdict)
    filters = [("all", url_for("audits.games"), verdict is None, sum(page.tally.values()))]
    filters += [
        (VERDICTS.get(name, name).lower(), url_for("audits.games", verdict=name), name == verdict, page.tally[name])
        for name in FILTERS
        if page.tally.get(name)
    ]
    return render_template(
        "games_list.html",
        games=[game_row(line) for line in page.audits],
        upload_href=url_for("uploads.form"),
        filters=filters,
        waiting=page.tally.get(WAITING, 0),
        total=sum(page.tally.values()),
        next_href=url_for("audits.games", verdict=verdict, before=page.next) if page.next else None,
    )


@pages.get("/audits/<key>")
def report(key: str) -> str | tuple[str, int]:
    """The report; while the audit is in work, a page that waits for it."""
    line = service().audit(key)
    if line.verdict is None:
        return render_template("waiting.html", line=line, row=game_row(line))
    page = report_page(
        service().audit_value(key),
        service().timeline(key),
        *_book(line),
        line.header,
        audit_links(line),
    )
    return render_template("report_web.html", page=page, line=line)


@pages.get("/audits/<key>.json")
def as_json(key: str) -> AnyResponse:
    """The audit as canonical JSON, byte for byte what its digest was taken of, with the digest."""
    response = Response(service().audit_bytes(key), mimetype="application/json")
    response.set_etag(key)
    return response.make_conditional(request)


@pages.get("/audits/<key>.html")
def one_file(key: str) -> Response:
    """The report as one file that needs nothing else."""
    line = _done(key)
    frames = {frame["seq"]: frame for frame in service().timeline(key)}
    if frames:
        frames |= {frame["seq"]: frame for frame in service().frames(key)}
    page = onefile_html(service().audit_value(key), list(frames.values()), *_book(line), line.header)
    response = _file(page, "text/html", line, "html")
    response.headers["Content-Security-Policy"] = onefile_csp() + "; frame-ancestors 'none'"
    return response


@pages.get("/audits/<key>.csv")
def as_csv(key: str) -> Response:
    """The findings as a table, one a row."""
    line = _done(key)
    rules, _ = _book(line)
    return _file(csv_head() + csv_rows(service().audit_value(key), rules, name=line.name), "text/csv", line, "csv")


@pages.get("/audits/<key>.sarif")
def as_sarif(key: str) -> Response:
    """The findings in the form that code scanners share."""
    line = _done(key)
    rules, _ = _book(line)
    value = service().audit_value(key)
    written = sarif_log([sarif_part(value, name=line.name)], rules, str(value["engine"]))
    return _file(json.dumps(written, ensure_ascii=False, indent=1), "application/sarif+json", line, "sarif")


def _file(text: str, mimetype: str, line: AuditLine, ending: str) -> Response:
    """Text to be kept as a file."""
    response = Response(text, mimetype=mimetype)
    response.headers["Content-Disposition"] = f'attachment; filename="audit-{line.key}.{ending}"'
    return response


@pages.get("/audits/<key>/events")
def replay(key: str) -> AnyResponse:
    """To an event by its number, else to the first."""
    line = _done(key)
    timeline = service().timeline(key)
    if not timeline:
        abort(404)
    asked = request.args.get("seq", type=int)
    numbers = [frame["seq"] for frame in timeline]
    # A number that is not there goes to the next that is.
    seq = numbers[0] if asked is None else min((n for n in numbers if n >= asked), default=max(numbers))
    return redirect(url_for("audits.event", key=line.key, seq=seq), 303)


@pages.get("/audits/<key>/events/<int:seq>")
def event(key: str, seq: int) -> str:
    """One event of the replay, drawn when it is asked for. This address can be sent to somebody."""
    line = _done(key)
    frames = {frame["seq"]: frame for frame in service().timeline(key)}
    if seq not in frames:
        abort(404)
    frames |= {frame["seq"]: frame for frame in service().frames(key, [seq])}
    page = replay_page(
        service().audit_value(key), list(frames.values()), seq, *_book(line), line.header, audit_links(line)
    )
    return render_template("replay.html", page=page)


@pages.post("/logs/<sha256>/audits")
def again(sha256: str) -> AnyResponse:
    """Audit a log once more: under other rulings, or under the rules of today."""
    key = service().audit_again(sha256, service().choose(request.form.get("rulings", ""), rulings_bytes()))
    return redirect(url_for("audits.report", key=key), 303)


@pages.post("/audits/<key>/retry")
def retry(key: str) -> AnyResponse:
    """Queue a failed audit again."""
    service().retry(key)
    return redirect(url_for("audits.report", key=key), 303)


def game_row(line: AuditLine) -> GameRow:
    """An audit as lists print it."""
    match = [str(line.match[word]) if word == "event" else f"{word} {line.match[word]}" for word in line.match]
    verdict = line.verdict or (FAILED if line.state == "failed" else WAITING)
    players = sides_of(line.header, {})
    named_so = line.title == " against ".join(side.name for side in players)
    return GameRow(
        href=url_for("audits.report", key=line.key),
        players=players,
        title=shorten(line.name if named_so else line.title, 80),
        match=shorten(", ".join(match), 100),
        verdict=verdict,
        word=VERDICTS.get(verdict, "In work" if verdict == WAITING else "Failed"),
        words=line_words(line),
        when=f"{time_words(line.asked_at)}, rulings: {shorten(line.rulings_label, 60)}",
    )


def line_words(line: AuditLine) -> str:
    """What there is to say of an audit in one line."""
    counts = line.counts
    if line.verdict is None:
        return (line.error or "") if line.state == "failed" else "running" if line.state == "running" else "queued"
    said = []
    if counts["standing"]:
        follow = f", {counts['following']} more follow" if counts["following"] else ""
        said.append(plural(counts["standing"], "act") + " to rule on" + follow)
    if counts["ambiguous"]:
        said.append(f"{counts['ambiguous']} could not be judged")
    if counts["errors"]:
        said.append(f"{plural(counts['errors'], 'error')} in the file")
    return "; ".join(said) or ("nothing found" if line.verdict == "clean" else "not everything could be checked")


def _book(line: AuditLine) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Rules and readings of the game; of an unknown game there are none."""
    if line.game is None:
        return [], []
    return service().rules(line.game), service().readings(line.game)


def _done(key: str) -> AuditLine:
    line = service().audit(key)
    if line.verdict is None:
        raise NotYet(line.state)
    return line
