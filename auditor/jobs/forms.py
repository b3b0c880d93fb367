"""The forms of an audit that may be large: pages, one file, tables. A child makes them; each is packed (`packed`).

Of a page the part between the shell's head and foot is made here: a line of JSON (its title, and what its head needs),
then HTML. The engine is handed over as a module. The audit that was last asked about stays open, so that going from event to event reads nothing again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

import orjson

from auditor.core.canonical import json_text
from auditor.jobs import drawings
from auditor.jobs.identity import Made, NotOfThis
from auditor.jobs.packed import packed, whole
from auditor.jobs.subject import Subject
from auditor.report.boards import Sheet
from auditor.report.casebook import Casebook, is_slim
from auditor.report.links import links_of_audit
from auditor.report.onefile import onefile_html
from auditor.report.pages import build_report, further_pages
from auditor.report.render import render
from auditor.report.replay import build_replay
from auditor.report.sarif import sarif_log, sarif_part
from auditor.report.sheet import sheet_page
from auditor.report.spreadsheet import csv_head, csv_rows
from auditor.report.transcript import transcript as told_as_text
from auditor.store.words import folded

MOST_COMPARED = 200
"""Findings of each sort that the page of a comparison lists; its JSON has them all."""


class Opened:
    """An audit with its events, read once."""

    def __init__(self, engine: Any, subject: Subject, canonical: bytes, timeline: bytes) -> None:
        self.subject = subject
        self.audit: dict[str, Any] = orjson.loads(whole(canonical))
        self.of = str(self.audit["digest"])
        # A damaged gzip file goes by the hash of what could be unpacked of it, and then that is among the errors.
        if self.audit["log_sha256"] != subject.log_sha256 and not self.audit["errors"]:
            raise NotOfThis("the audit is of another log")
        self.timeline: list[dict[str, Any]] = json.loads(whole(timeline))
        self.rules = engine.rules(subject.game) if subject.game else []
        self.readings = engine.readings(subject.game) if subject.game else []
        title, caveat = engine.title(subject.game), engine.caveat(subject.game)
        self.header = {**subject.header, "caveat": caveat, "game_title": title}

    @cached_property
    def book(self) -> Casebook:
        subject = self.subject
        book = Casebook(
            self.audit,
            list({frame["seq"]: frame for frame in self.timeline}.values()),
            self.rules,
            self.readings,
            self.header,
            links_of_audit(
                subject.key,
                game=subject.game,
                log_sha256=subject.log_sha256,
                readable=subject.verdict != "unreadable" and subject.events > 0,
                prefix=subject.prefix,
            ),
            Sheet(),
        )
        book.elsewhere = further_pages(book)
        return book


_open: dict[tuple[str, str, str, bytes], Opened] = {}
"""The audit that was asked about last, by engine, key, prefix and the hash of what was given."""


def _opened(engine: Any, subject: Subject, canonical: bytes, timeline: bytes) -> Opened:
    key = (engine.__name__, subject.key, subject.prefix, hashlib.sha256(canonical + timeline).digest())
    if key not in _open:
        _open.clear()
        _open[key] = Opened(engine, subject, canonical, timeline)
    return _open[key]


def report(opened: Opened) -> bytes:
    """The report, without the shell's head and foot."""
    opened.book.sheet = Sheet()
    page = build_report(opened.book, paged=True)
    head = {"title": page.title, "perhaps": opened.audit.get("perhaps")}
    return _page(head, render("_report.html", page=page) + str(page.defs()))


def report_list(opened: Opened, name: str, number: int) -> bytes | None:
    """A further page of one of the `LISTS` of the report; None where it has not so many."""
    opened.book.sheet = Sheet()
    page = build_report(opened.book, paged=True, only=(name, number))
    if not page.lists[name].shown:
        return None
    title = f"{page.title}, {page.titles.get(name, name).lower()}, page {number}"
    return _page({"title": title}, render("_report_list.html", page=page, name=name) + str(page.defs()))


def place(opened: Opened, ident: str) -> bytes | None:
    """The address of a finding within the pages of the report; None where there is none."""
    address = opened.book.place_of(ident, here=False) if ident in opened.book.by_id else None
    return None if address is None else packed(_bytes(address))


def event(opened: Opened, block: bytes, seq: int) -> bytes | None:
    """The page of an event, its drawing taken from a block of them (`drawings`)."""
    frame = drawings.frame_of(block, seq)
    if frame is None:
        return None
    page = build_replay(opened.book, frame)
    ways = {"prev": page.previous[1] if page.previous else None, "next": page.next[1] if page.next else None}
    return _page({"title": page.title, **ways}, render("_replay.html", page=page))


def one_file(opened: Opened, rounds: bytes | None) -> bytes:
    """The report as one file; `rounds`: the drawings of each round's start."""
    frames = {frame["seq"]: frame for frame in opened.timeline}
    if rounds is not None:
        frames |= {frame["seq"]: frame for frame in drawings.unpack(rounds)}
    written = onefile_html(opened.audit, list(frames.values()), opened.rules, opened.readings, opened.header)
    return packed(_bytes(written))


def csv(opened: Opened) -> bytes:
    """The findings as a table."""
    rows = csv_rows(opened.audit, opened.rules, name=opened.subject.name, heading=opened.header)
    return packed(_bytes(csv_head() + rows))


def sarif(opened: Opened) -> bytes:
    """The findings in the form that code scanners share."""
    part = sarif_part(opened.audit, name=opened.subject.name)
    written = sarif_log([part], opened.rules, str(opened.audit["engine"]))
    return packed(_bytes(json_text(json.dumps(written, ensure_ascii=False, indent=1))))


def finding(opened: Opened, ident: str) -> bytes | None:
    """One finding as JSON; None where there is none."""
    for each in opened.audit["findings"]:
        if each["id"] == ident:
            return packed(orjson.dumps(each))
    return None


def sheet(opened: Opened, ident: str) -> bytes | None:
    """The incident sheet of a finding, without the shell; None where there is none."""
    found = opened.book.by_id.get(ident)
    if found is None:
        return None
    opened.book.sheet = Sheet()
    page = sheet_page(opened.book, found)
    return _page({"title": page.title}, render("_sheet.html", page=page) + str(opened.book.sheet.defs()))


def transcript(opened: Opened, asked: str) -> bytes:
    """The game as text, without the shell: all of its events, or those in which the words asked for occur."""
    page = told_as_text(opened.book, asked, folded=folded)
    return _page({"title": page.title}, render("_transcript.html", page=page))


def drawn(opened: Opened, engine: Any, log: bytes, ident: str, **terms: Any) -> bytes | None:
    """The page of a finding that its audit does not draw, without the shell's head and foot; None where there is none.

    The log is audited once more (`terms`: its rulings and packs), and what belongs to the finding's event is drawn.
    """
    finding = next((each for each in opened.audit["findings"] if each["id"] == ident), None)
    if finding is None or not is_slim(finding):
        return None
    everything = frozenset([finding["seq"]])
    shown = engine.audit_log(log, everything=everything, causes=False, digest=False, **terms).get("drawn", {})
    if ident not in shown:
        return None  # rules of another version see it otherwise
    audit = {**opened.audit, "findings": [{**finding, **shown[ident]}], "errors": [], "notes": []}
    frames = [frame for frame in opened.timeline if frame["seq"] == finding["seq"]][-1:]
    book = Casebook(
        audit, frames, opened.rules, opened.readings, dict(opened.subject.header), opened.book.links, Sheet()
    )
    case = book.case(book.findings[0])
    body = render("_finding.html", case=case) + str(book.sheet.defs())
    return _page({"title": f"{case.rule} at event {case.seq}, drawn"}, body)


MAKERS: Mapping[str, Callable[..., bytes | None]] = {
    "report": report,
    "report_list": report_list,
    "place": place,
    "event": event,
    "one_file": one_file,
    "csv": csv,
    "sarif": sarif,
    "finding": finding,
    "drawn": drawn,
    "sheet": sheet,
    "transcript": transcript,
}


def form(engine: Any, subject: Subject, canonical: bytes, timeline: bytes, name: str, *more: Any, **terms: Any) -> Made:
    """A form of an audit by its name in `MAKERS`; None where there is no such thing in it."""
    opened = _opened(engine, subject, canonical, timeline)
    return Made(opened.of, MAKERS[name](opened, *more, **terms))


def compared(engine: Any, old: bytes, new: bytes, listed: bool) -> Made:
    """What differs between two audits, as the engine says it; `listed`: as a page lists it (`as_listed`)."""
    first, second = orjson.loads(whole(old)), orjson.loads(whole(new))
    difference = engine.compare(first, second)
    made = packed(orjson.dumps(as_listed(difference) if listed else difference))
    return Made(f"{first['digest']} {second['digest']}", made)


def as_listed(difference: Mapping[str, Any]) -> dict[str, Any]:
    """A comparison as a page shows it: at most `MOST_COMPARED` findings of each sort, those that stand (in one audit or in
    both) first, what is said of each, how many there are in all (`counts`), and how many of them stand (`standing`)."""
    shown = ("id", "seq", "rule", "kind", "stands", "text")

    def short(found: Mapping[str, Any]) -> dict[str, Any]:
        return {key: found.get(key) for key in shown}

    def stands(one: Mapping[str, Any]) -> bool:
        return any(found.get("stands") for found in ((one["old"], one["new"]) if "old" in one else (one,)))

    def first(part: str) -> list[Mapping[str, Any]]:
        return sorted(difference[part], key=lambda one: not stands(one))[:MOST_COMPARED]

    return {
        "audits": difference["audits"],
        "gone": [{**short(one), "first": stands(one)} for one in first("gone")],
        "new": [{**short(one), "first": stands(one)} for one in first("new")],
        "changed": [
            {"id": one["id"], "differs": one["differs"], "new": short(one["new"]), "first": stands(one)}
            for one in first("changed")
        ],
        "standing": {part: sum(map(stands, difference[part])) for part in ("gone", "new", "changed")},
        "unchanged": difference["unchanged"],
        "counts": {part: len(difference[part]) for part in ("gone", "new", "changed")},
    }


def _page(head: Mapping[str, Any], body: str) -> bytes:
    return packed(json.dumps(head).encode() + b"\n" + _bytes(body))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "replace")
