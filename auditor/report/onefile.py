"""A whole report in one file: opens anywhere, asks for nothing, prints, and needs no script."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Container, Sequence
from dataclasses import dataclass
from functools import lru_cache

from auditor.report.boards import Scene, Sheet
from auditor.report.casebook import Casebook, bears_on_the_verdict
from auditor.report.links import Links
from auditor.report.model import Case, EventLine, Json, Picture
from auditor.report.pages import build_report, listed_first
from auditor.report.render import render, stylesheet
from auditor.report.rulebook import ReadingLine, RulePage, reading_line, rule_page
from auditor.report.signs import page_defs
from auditor.report.timeline import parts_of
from auditor.report.words import label, shorten, slug

MOST_LISTED = 1_000
"""Entries of each list that the file holds; it has no further pages, so what is beyond is counted. The service's pages
have all of them, and so has the JSON."""
MOST_EVENTS = 5_000
"""Events that the file tells in words: more than any game has."""
MOST_DRAWN = 20_000_000
"""Letters of pictures in the file, and of events told round its findings. It may so weigh ten times as much as a page; no
record is known that has more."""


@dataclass(frozen=True)
class GamePart:
    """A part of the game, such as a round: the board at its start and its events in words."""

    name: str
    anchor: str
    picture: Picture | None
    events: tuple[EventLine, ...]


@lru_cache(maxsize=1)
def _style() -> tuple[str, str]:
    css = stylesheet()
    digest = base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()
    return css, f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; base-uri 'none'; form-action 'none'"


def onefile_csp() -> str:
    """The Content-Security-Policy that the file carries: its one style by hash, and nothing else. For serving it."""
    return _style()[1]


def onefile_html(
    audit: Json, frames: Sequence[Json], rules: Sequence[Json], readings: Sequence[Json], header: Json
) -> str:
    """The report as one HTML file: findings with their boards, the start of each part of the game, the rules and readings
    named. Of each list it has the first `MOST_LISTED` and counts the others; so it does with events."""
    cited = {str(f.get("rule")) for f in audit.get("findings") or ()}
    named = {
        str(reading)
        for f in audit.get("findings") or ()
        for key in ("holds", "clears")
        for row in (f.get("scope") or {}).get(key) or ()
        for reading in row
    }
    chosen = (audit.get("rulings") or {}).get("readings") or {}
    defaults = {str(r["id"]): r.get("default") for r in readings}
    named |= {str(r) for r, option in chosen.items() if defaults.get(str(r)) != option}
    cited &= {str(r["id"]) for r in rules}
    named &= set(defaults)
    places = {f.get("seq") for f in frames[:MOST_EVENTS]}
    links = Links(
        rule=lambda rule: f"#rule-{slug(rule)}" if rule in cited else None,
        reading=lambda reading: f"#reading-{slug(reading)}" if reading in named else None,
        finding=lambda ident: f"#f-{slug(ident)}",
        replay=lambda seq: f"#e-{seq}" if seq in places else None,
    )
    sheet = Sheet(room=MOST_DRAWN, told=MOST_DRAWN)
    book = Casebook(audit, frames, rules, readings, header, links, sheet)
    listed = listed_first(book, MOST_LISTED)
    # What is not in this file stands on a page that it cannot lead to.
    book.elsewhere = {ident: ("findings", 2) for ident in book.by_id if ident not in listed}
    page = build_report(book, most=MOST_LISTED)
    parts = _parts(book, listed)
    css, csp = _style()
    shown: tuple[RulePage, ...] = tuple(rule_page(r, readings, links) for r in rules if str(r["id"]) in cited)
    asked: tuple[ReadingLine, ...] = tuple(
        reading_line(r, links, book.force.get(str(r["id"]), "")) for r in readings if str(r["id"]) in named
    )
    return render(
        "onefile.html",
        page=page,
        parts=parts,
        untold=max(0, len(book.frames) - MOST_EVENTS),
        rules=shown,
        readings=asked,
        css=css,
        csp=csp,
        signs=page_defs(),
        defs=sheet.defs,
    )


def _parts(book: Casebook, listed: Container[str]) -> tuple[GamePart, ...]:
    by_event: dict[int, list[Case]] = {}
    for finding in book.findings:
        if bears_on_the_verdict(finding) and str(finding["id"]) in listed:
            by_event.setdefault(finding.get("seq") or 0, []).append(book.case(finding, deep=False))
    out = []
    for name, first, last in parts_of(book.frames[:MOST_EVENTS]):
        frames = book.frames[first : last + 1]
        # Only some events may come with their boards.
        start = next((f["seq"] for f in frames if book.board(f["seq"])), None)
        picture = None
        if start is not None:
            title = f"{name}: the board at event {start}"
            picture = book.picture(title, Scene(book.shown_board(book.board(start))), size="whole")
        out.append(
            GamePart(
                name,
                f"r-{slug(name)}-{first}",
                picture,
                tuple(
                    EventLine(
                        f["seq"],
                        None,
                        shorten(str(f.get("text") or label(str(f.get("type")))), 160),
                        tuple(by_event.get(f["seq"], ())),
                        0,
                        False,
                    )
                    for f in frames
                ),
            )
        )
    return tuple(out)
