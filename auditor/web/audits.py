"""The list of games, the report, the replay, and the report's other forms."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

from flask import Blueprint, Response, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from auditor.jobs.packed import whole
from auditor.report.casebook import sides_of
from auditor.report.counting import summary
from auditor.report.lists import GameRow
from auditor.report.onefile import onefile_csp
from auditor.report.pages import VERDICTS
from auditor.report.paging import LISTS
from auditor.report.sheet import code_to_scan
from auditor.report.words import shorten
from auditor.service import (
    DEFAULTS,
    FAILED,
    MOST_COUNTED,
    OWN,
    SORTS,
    WAITING,
    AuditLine,
    NotYet,
    Wanted,
    example_hashes,
)
from auditor.web.made import made_bytes, made_page
from auditor.web.rulings import rulings_bytes
from auditor.web.shell import service
from auditor.web.words import number_words, time_words

pages = Blueprint("audits", __name__)

MOST_NAMES = 30
FILTERS = (*VERDICTS, WAITING, FAILED)


ASKED = ("search", "player", "event", "round", "table", "rulings", "game", "sort", "verdict")


@pages.get("/")
@pages.get("/audits")
def games() -> str:
    """Audits, newest first unless another order is asked for, a page at a time; those that are looked for, or all."""
    cursor = before()
    asked = {name: " ".join(request.args.get(name, "").split())[:120] for name in ASKED}
    asked = {name: value for name, value in asked.items() if value}
    titles = service().games.titles()
    if asked.get("verdict", WAITING) not in FILTERS or asked.get("sort", "newest") not in SORTS:
        abort(404)
    if "game" in asked and asked["game"] not in titles:
        abort(404)
    are_away = request.cookies.get("examples") == "away"
    wanted = Wanted(**asked, without=tuple(sorted(example_hashes())) if are_away else (), among=())
    page = service().audits.find(wanted, _number())
    if cursor is not None:  # addresses of older pages, as they were given once
        older = service().audits.page(before=cursor, verdict=asked.get("verdict"))
        page = replace(page, audits=older.audits)

    def at(**changes: Any) -> str:
        values = {**asked, **changes}
        return url_for("audits.games", **{name: value for name, value in values.items() if value})

    verdict = asked.get("verdict")
    filters = [("all", at(verdict=None), verdict is None, number_words(*page.tally.values()))]
    filters += [
        (VERDICTS.get(name, name).lower(), at(verdict=name), name == verdict, number_words(page.tally[name]))
        for name in FILTERS
        if page.tally.get(name)
    ]
    is_first = page.number == 1 and cursor is None and not asked
    near = sorted({1, page.pages, *range(max(1, page.number - 2), min(page.pages, page.number + 2) + 1)})
    return render_template(
        "games_list.html",
        games=[game_row(line) for line in page.audits],
        upload_href=url_for("uploads.form"),
        filters=filters,
        waiting=page.tally.get(WAITING, 0),
        waiting_words=number_words(page.tally.get(WAITING, 0)),
        failed=page.tally.get(FAILED, 0),
        failed_words=number_words(page.tally.get(FAILED, 0)),
        total=sum(page.tally.values()),
        total_words=number_words(*page.tally.values()),
        all_counted=max(page.tally.values(), default=0) <= MOST_COUNTED,
        count=page.count,
        last_page=page.pages if page.count > MOST_COUNTED else 0,
        asked={name: asked.get(name, "") for name in ASKED},
        rulings_names=[
            service().rulings.own().label,
            service().rulings.choose(DEFAULTS).label,
            *(named.name for named in service().rulings.all_named()[:MOST_NAMES]),
        ],
        titles=[(key, title, key == wanted.game) for key, title in titles.items()] if len(titles) > 1 else [],
        sorts=[(name, words, name == wanted.sort) for name, words in SORT_WORDS.items()],
        looked_for=any(name not in ("sort", "verdict") for name in asked),
        numbers=[(n, at(page=n), n == page.number) for n in near] if page.pages > 1 else [],
        examples="away" if are_away else "here" if service().settings.load_examples else "",
        is_first=is_first,
        shown_first=_faulty_examples() if is_first and not are_away else [],
    )


def _faulty_examples() -> list[GameRow]:
    """An example game with findings of each game, as far as they are audited."""
    among = tuple(sorted(example_hashes()))
    found = [
        service().audits.find(Wanted(game=key, verdict="findings", sort="oldest", among=among), 1).audits
        for key in service().games.titles()
    ]
    return [game_row(lines[0]) for lines in found if lines]


@pages.post("/examples")
def examples() -> AnyResponse:
    """Put the example games away in this browser, or show them again."""
    response = redirect(url_for("audits.games"), 303)
    how = "shown" if request.form.get("how") == "shown" else "away"
    response.set_cookie(
        "examples", how, max_age=365 * 24 * 3600, httponly=True, samesite="Lax", path=request.script_root or "/"
    )
    return response


SORT_WORDS = {"newest": "newest first", "oldest": "oldest first", "findings": "most findings first"}


def _number() -> int:
    """The number of the page that is asked for; 400 for what is none."""
    asked = request.args.get("page", "1")
    if not re.fullmatch(r"[1-9][0-9]{0,8}", asked):
        abort(400)
    return int(asked)


def before() -> int | None:
    """The cursor of a page of audits, as far as there are numbers of audits; 400 for what is none."""
    asked = request.args.get("before")
    if asked is None:
        return None
    if not re.fullmatch(r"[0-9]{1,19}", asked) or int(asked) >= 2**63:
        abort(400)
    return int(asked)


@pages.get("/compare")
def compare() -> str:
    """Two audits, of one log or of two: which findings are in one only, which changed."""
    old, new = (done(request.args.get(name, "")) for name in ("old", "new"))
    difference = json.loads(whole(service().forms.compared(old, new, listed=True)))
    heads = difference["audits"]
    words = {
        "log_sha256": "Log, SHA-256",
        "ruleset_version": "Rules version",
        "rulings": "Answers",
        "verdict": "Verdict",
    }
    return render_template(
        "compare.html",
        old=old,
        new=new,
        difference=difference,
        sentence=_in_words(difference),
        heads=[
            ("File", old.name, new.name),
            *((name, heads["old"][key], heads["new"][key]) for key, name in words.items()),
            ("Events", *(_counted(line, "events") for line in (old, new))),
            ("To decide", *(_counted(line, "standing") for line in (old, new))),
        ],
        json_href=url_for("api.compare", old=old.key, new=new.key),
    )


def _in_words(difference: dict[str, Any]) -> str:
    """What differs between two audits, as somebody would say it: what counts now, what no longer does."""
    turned = [change["new"]["stands"] for change in difference["changed"] if "stands" in change["differs"]]
    more, fewer = (
        difference["standing"]["new"] + turned.count(True),
        difference["standing"]["gone"] + turned.count(False),
    )
    other = difference["standing"]["changed"] - len(turned)
    said = []
    if more:
        said.append(f"{_findings(more)} {'counts' if more == 1 else 'count'} in the second that did not in the first.")
    if fewer:
        said.append(f"{_findings(fewer)} no longer {'counts' if fewer == 1 else 'count'}.")
    if other > 0:
        said.append(
            f"{_findings(other)} {'counts' if other == 1 else 'count'} in both and {'is' if other == 1 else 'are'} told otherwise."
        )
    same = difference["unchanged"]
    said.append(f"{_findings(same)} {'is' if same == 1 else 'are'} the same in both.")
    return " ".join(said) if said[1:] else f"Nothing that counts differs. {said[0]}"


def _findings(n: int) -> str:
    return f"{n:,} finding{'' if n == 1 else 's'}"


def _counted(line: AuditLine, what: str) -> str:
    """A number that an audit counts, as a page says it."""
    return f"{line.counts.get(what, 0):,}"


@pages.get("/audits/<key>")
def report(key: str) -> str | Response:
    """The report; while the audit is in work, a page that waits for it."""
    line = service().audits.line(key)
    if line.verdict is None:
        return render_template("waiting.html", line=line, row=game_row(line))
    known = known_names(line.game) if line.verdict == "unreadable" else None
    made = service().forms.report(line, request.script_root)
    before = service().audits.as_written(key)
    words = None if before is None or before.verdict is None else (line_words(before), line_words(line))
    return made_page("report_web.html", made, line=line, known=known, before=before, words=words)


@pages.get("/audits/<key>/lists/<name>/<int:number>")
def report_list(key: str, name: str, number: int) -> Response:
    """A further page of a long list of the report; the first page of each stands in the report itself."""
    line = done(key)
    if number < 2 or name not in LISTS:
        abort(404)
    made = service().forms.report_list(line, name, number, request.script_root)
    return made_page("report_list_web.html", made, line=line)


@pages.get("/audits/<key>/findings/<ident>")
def finding(key: str, ident: str) -> AnyResponse:
    """To a finding, on whichever page of the report it stands."""
    return redirect(service().forms.place(done(key), ident, request.script_root), 303)


@pages.get("/audits/<key>.json")
def as_json(key: str) -> AnyResponse:
    """The audit as canonical JSON, byte for byte what its digest was taken of, with the digest."""
    response = made_bytes(service().audits.packed(key), "application/json")
    response.set_etag(key)
    return response.make_conditional(request)


@pages.get("/audits/<key>.html")
def one_file(key: str) -> Response:
    """The report as one file that needs nothing else."""
    line = done(key)
    response = made_bytes(service().forms.one_file(line), "text/html", name=f"audit-{key}.html")
    response.headers["Content-Security-Policy"] = onefile_csp() + "; frame-ancestors 'none'"
    return response


@pages.get("/audits/<key>.csv")
def as_csv(key: str) -> Response:
    """The findings as a table, one a row."""
    return made_bytes(service().forms.csv(done(key)), "text/csv", name=f"audit-{key}.csv")


@pages.get("/audits/<key>.sarif")
def as_sarif(key: str) -> Response:
    """The findings in the form that code scanners share."""
    return made_bytes(service().forms.sarif(done(key)), "application/sarif+json", name=f"audit-{key}.sarif")


@pages.get("/audits/<key>/findings/<ident>/drawn")
def drawn_finding(key: str, ident: str) -> Response:
    """A finding that holds only under readings not in force, drawn when somebody asks."""
    if not re.fullmatch(r"[0-9a-f]{1,64}", ident):
        abort(404)
    line = done(key)
    return made_page("finding_web.html", service().forms.drawn(line, ident, request.script_root), line=line)


@pages.get("/audits/<key>/findings/<ident>/sheet")
def incident_sheet(key: str, ident: str) -> Response:
    """A finding on one page of paper, with a code that leads to it."""
    if not re.fullmatch(r"[0-9a-f]{1,64}", ident):
        abort(404)
    line = done(key)
    address = url_for("audits.finding", key=line.key, ident=ident, _external=True)
    made = service().forms.sheet(line, ident, request.script_root)
    return made_page("sheet_web.html", made, line=line, ident=ident, address=address, code=code_to_scan(address))


@pages.get("/audits/<key>/transcript")
def transcript(key: str) -> Response:
    """The game as text, an event a line; with ?q= only the lines in which these words occur."""
    line = done(key)
    asked = " ".join(request.args.get("q", "").split())[:120]
    made = service().forms.transcript(line, asked, request.script_root)
    return made_page("transcript_web.html", made, line=line, asked=asked)


@pages.get("/audits/<key>/events")
def replay(key: str) -> AnyResponse:
    """To an event by its number, else to the first."""
    line = done(key)
    # A number that is not there goes to the next that is.
    seq = service().forms.nearest_event(key, request.args.get("seq", type=int))
    if seq is None:
        abort(404)
    return redirect(url_for("audits.event", key=line.key, seq=seq), 303)


@pages.get("/audits/<key>/events/<int:seq>")
def event(key: str, seq: int) -> Response:
    """One event of the replay, drawn when one near it is first asked for. This address can be sent to somebody."""
    line = done(key)
    return made_page("replay_web.html", service().forms.event(line, seq, request.script_root), line=line)


@pages.post("/logs/<sha256>/audits")
def again(sha256: str) -> AnyResponse:
    """Audit a log once more: under other rulings, or under the rules of today."""
    key = service().audits.again(sha256, service().rulings.choose(request.form.get("rulings", ""), rulings_bytes()))
    return redirect(url_for("audits.report", key=key), 303)


@pages.post("/audits/<key>/read-as")
def read_as(key: str) -> AnyResponse:
    """Audit the log of an audit once more, read as written in another way."""
    made = service().audits.read_as(key, request.form.get("read_as", ""))
    return redirect(url_for("audits.report", key=made), 303)


@pages.post("/audits/<key>/retry")
def retry(key: str) -> AnyResponse:
    """Queue a failed audit again."""
    service().audits.retry(key)
    return redirect(url_for("audits.report", key=key), 303)


@pages.post("/audits/retry")
def retry_all() -> AnyResponse:
    """Queue all failed audits again."""
    service().audits.retry_all()
    return redirect(url_for("audits.games"), 303)


def game_row(line: AuditLine) -> GameRow:
    """An audit as lists print it."""
    match = [str(line.match[word]) if word == "event" else f"{word} {line.match[word]}" for word in line.match]
    verdict = line.verdict or (FAILED if line.state == "failed" else WAITING)
    players = sides_of(line.header, {})
    titles = service().games.titles()
    named_so = line.title == " against ".join(side.name for side in players)
    return GameRow(
        href=url_for("audits.report", key=line.key),
        players=players,
        title=shorten(line.name if named_so else line.title, 80),
        match=shorten(", ".join(match), 100),
        verdict=verdict,
        word=VERDICTS.get(verdict, "In work" if verdict == WAITING else "Failed"),
        words=line_words(line),
        when=time_words(line.asked_at),
        rulings="" if line.rulings_kind == OWN else shorten(line.rulings_label, 60),
        game=titles.get(line.game or "", "") if len(titles) > 1 else "",
        is_example=line.log_sha256 in example_hashes(),
    )


def line_words(line: AuditLine) -> str:
    """What there is to say of an audit in one line."""
    counts = line.counts
    if line.verdict is None:
        return (line.error or "") if line.state == "failed" else "running" if line.state == "running" else "queued"
    return summary(
        verdict=line.verdict,
        acts=counts["standing"],
        following=counts["following"],
        ambiguous=counts["ambiguous"],
        errors=counts["errors"],
    )


def known_names(game: str | None) -> list[tuple[str, list[str]]]:
    """What a header could have named here: the games; of a known game, the ids of its packs by kind."""
    if game is None:
        return [("games", list(service().games.titles()))]
    kinds: dict[str, set[str]] = {}
    for pack in service().packs.all():
        if pack.game == game:
            kinds.setdefault(pack.kind.replace("_", " "), set()).add(shorten(pack.id, 60))
    return [(f"{kind} packs", sorted(ids)[:MOST_NAMES]) for kind, ids in kinds.items()]


def done(key: str) -> AuditLine:
    line = service().audits.line(key)
    if line.verdict is None:
        raise NotYet(line.state)
    return line
