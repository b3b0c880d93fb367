"""The incident sheet: one finding on one page of paper, for the table; and the code that leads from it to the report."""

from __future__ import annotations

from dataclasses import dataclass, replace

import segno
from markupsafe import Markup

from auditor.report.casebook import Casebook
from auditor.report.model import Case, Json, Picture, Side
from auditor.report.words import shorten

MOST_ROWS = 7
"""Rows of each table that a page has room for; how many more there are is said."""
LONGEST = 420
"""Characters of each paragraph."""


@dataclass(frozen=True)
class SheetPage:
    """What an incident sheet prints.

    head    (name, value) of where and when it was
    more    rows of the two tables that the page has no room for
    foot    by what it was judged
    """

    title: str
    players: tuple[Side, ...]
    head: tuple[tuple[str, str], ...]
    case: Case
    more: int
    foot: tuple[str, ...]


def sheet_page(book: Casebook, finding: Json) -> SheetPage:
    """The sheet of one finding."""
    case = book.case(finding)
    match = book.header.get("match") or {}
    events = (book.audit.get("coverage") or {}).get("events")
    head = [(name.capitalize(), str(match[name])) for name in ("event", "round", "table") if match.get(name)]
    if case.seq == 0:
        head.append(("Line of the record", "the header"))
    elif case.seq is not None:
        head += [("In the game", case.place)] if case.place else []
        head.append(("Line of the record", f"event {case.seq}" + (f" of {events:,}" if events else "")))
    more = max(0, len(case.rows) - MOST_ROWS) + max(0, len(case.changed) - MOST_ROWS)
    audit = book.audit
    rulings = (audit.get("rulings") or {}).get("name") or "defaults"
    foot = (
        "The sheet says what the record shows; it accuses nobody.",
        f"{audit.get('game')} {audit.get('ruleset_version')}, answers: {rulings}",
        f"log {str(audit.get('log_sha256'))[:12]}",
        f"audit {str(audit.get('digest'))[:12]}",
    )
    return SheetPage(
        title=f"Incident sheet: {case.rule}" + (f" at event {case.seq}" if case.seq else ""),
        players=book.sides,
        head=tuple((name, shorten(value, 60)) for name, value in head),
        case=replace(
            case,
            rows=case.rows[:MOST_ROWS],
            changed=case.changed[:MOST_ROWS],
            effect=shorten(case.effect, LONGEST),
            rule_words=shorten(case.rule_words, LONGEST),
            odds=case.odds[:3],
            pictures=_the_two(case.pictures),
        ),
        more=more,
        foot=foot,
    )


def _the_two(pictures: tuple[Picture, ...]) -> tuple[Picture, ...]:
    """The pictures that a page has room for: as logged and as it should be where there are both, else the first two."""
    both = tuple(one for one in pictures if one.stamp in ("as logged", "as it should be"))
    return both if len(both) == 2 else pictures[:2]


def code_to_scan(address: str) -> Markup:
    """An address as a QR code, drawn in the colour of the text."""
    drawn = segno.make(address, error="m", micro=False).svg_inline(
        border=2, omitsize=True, svgclass="qr", lineclass=None
    )
    return Markup(drawn)
