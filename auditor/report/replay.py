"""One event of a game on a page of its own: the board, the event in words, and the ways to the next."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import replace

from auditor.report.boards import Scene, Sheet, kind_of
from auditor.report.casebook import Casebook, bears_on_the_verdict
from auditor.report.links import Links
from auditor.report.model import Case, EventLine, Json, ReplayPage
from auditor.report.timeline import moment_of, parts_of, timeline
from auditor.report.words import label, shorten, tidy

LISTED = 150
"""Events that are listed before and after the one shown, as far as they are of its part of the game."""
PARTS_LISTED = 20
"""The same for the parts of the game; a log may claim thousands."""
MOST_CASES, MOST_ON_A_LINE = 100, 5
"""Findings of the event that are told, and of each in the list; how many more there are is said, and the report has them."""


def replay_page(
    audit: Json,
    frames: Sequence[Json],
    seq: int,
    rules: Sequence[Json],
    readings: Sequence[Json],
    header: Json,
    links: Links | None = None,
) -> ReplayPage:
    """One event of the replay. Raises KeyError if no frame has this number."""
    book = Casebook(audit, frames, rules, readings, header, links or Links(), Sheet())
    if seq not in book.by_seq:
        raise KeyError(seq)
    return build_replay(book, next(f for f in reversed(frames) if f["seq"] == seq))


class Course:
    """The course of a game for the pages of its events: their order, its parts, where its findings lie."""

    def __init__(self, book: Casebook) -> None:
        self.order = [frame["seq"] for frame in book.frames]
        self.places = {seq: place for place, seq in enumerate(self.order)}
        self.flags = book.flags(to_replay=True)
        flagged = {flag.seq for flag in self.flags}
        self.marked = sorted({self.places[seq] for seq in flagged if seq in self.places})
        self.parts = parts_of(book.frames)
        self.by_event: dict[int, list[Json]] = {}
        for finding in book.findings:
            if bears_on_the_verdict(finding):
                self.by_event.setdefault(finding.get("seq") or 0, []).append(finding)


def build_replay(book: Casebook, drawn: Json) -> ReplayPage:
    """As replay_page, for a casebook that is already made; `drawn` is the event's frame with its drawing."""
    links, seq, book.sheet = book.links, drawn["seq"], Sheet()
    course = book.course = book.course or Course(book)
    order, at, parts, by_event = course.order, course.places[seq], course.parts, course.by_event
    frame = tidy({key: value for key, value in drawn.items() if key != "board"})

    def go(place: int | None) -> tuple[int, str | None] | None:
        return None if place is None else (order[place], links.replay(order[place]))

    here = next(n for n, r in enumerate(parts) if r[1] <= at <= r[2])
    name, first, last = parts[here]
    near = parts[max(0, here - PARTS_LISTED) : here + PARTS_LISTED + 1]
    from_, to = max(first, at - LISTED), min(last, at + LISTED)
    before, after = bisect_left(course.marked, at), bisect_right(course.marked, at)
    sight, marks = frame.get("sight"), _judged_marks(by_event.get(seq, ())) or frame.get("marks") or ()
    plain_board: Json = tidy(drawn.get("board") or {})
    board = book.shown_board(plain_board)
    scene = Scene(board, book.shown_marks(marks), sight)
    kind = kind_of(board) if board else book.kind
    cases, more = _some(book, by_event.get(seq, ()), MOST_CASES)
    differing = [(case.rule_title, row) for case in cases for row in case.rows]
    text = book.names(str(frame.get("text") or label(str(frame.get("type")))))
    return ReplayPage(
        title=f"Event {seq}: {shorten(text, 80)}",
        seq=seq,
        heading=f"Event {seq}",
        text=text,
        state=kind.state(board) or str(moment_of(frame).get("text") or ""),
        caveat=book.caveat,
        side=book.side(frame.get("player")),
        position=f"{at + 1} of {len(order)}",
        cases=cases,
        more=more,
        passage=book.passages.around(seq, differing, frame.get("marks") or ()),
        picture=book.picture(f"The board at event {seq}", scene, size="whole"),
        closeup=book.picture(f"Close up, event {seq}", scene) if kind.closes_up and kind.interest(scene) else None,
        further=book.further(scene),
        contacts=kind.contacts(scene),
        answers=kind.answers(scene),
        previous=go(at - 1 if at else None),
        next=go(at + 1 if at + 1 < len(order) else None),
        previous_finding=go(course.marked[before - 1] if before else None),
        next_finding=go(course.marked[after] if after < len(course.marked) else None),
        parts=tuple((n, links.replay(order[a]), n == name and a == first) for n, a, _ in near),
        part=name,
        strip=timeline(book.frames, course.flags, now=seq),
        events=tuple(
            EventLine(
                s,
                links.replay(s),
                shorten(book.names(str(book.by_seq[s].get("text") or book.by_seq[s].get("type"))), 160),
                *_some(book, by_event.get(s, ()), MOST_ON_A_LINE),
                s == seq,
            )
            for s in order[from_ : to + 1]
        ),
        beside=kind.beside(plain_board, book.sides),
        line=frame.get("line"),
        key=tuple(kind.key_items(book.side_ids)),
        board_template=kind.template,
        links=replace(links, finding=lambda ident: book.place_of(ident, here=False)),
        defs=book.sheet.defs,
    )


def _some(book: Casebook, found: Sequence[Json], most: int) -> tuple[tuple[Case, ...], int]:
    """So many findings as cases, and how many more there are."""
    return tuple(book.case(finding, deep=False) for finding in found[:most]), max(0, len(found) - most)


def _judged_marks(found: Sequence[Json]) -> Sequence[Json]:
    """The act as a finding draws it, where it says that the act is not allowed."""
    for finding in found:
        marks: Sequence[Json] = (finding.get("evidence") or {}).get("marks") or ()
        if any(mark.get("ok") is False or mark.get("how") == "bad" for mark in marks):
            return marks
    return ()
