"""One event of a game on a page of its own: the board, the event in words, and the ways to the next."""

from __future__ import annotations

from collections.abc import Sequence

from auditor.report import svg
from auditor.report.compare import sight_words
from auditor.report.desk import Desk, counts_for_much
from auditor.report.links import Links
from auditor.report.model import EventLine, Json, ReplayPage, Side, UnitRow
from auditor.report.pen import Sheet
from auditor.report.timeline import rounds_of, timeline
from auditor.report.words import hex_words, label, shorten, side_class


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
    desk = Desk(audit, frames, rules, readings, header, links or Links(), Sheet())
    links = desk.links
    frame = desk.by_seq[seq]
    order = [f["seq"] for f in desk.frames]
    at = order.index(seq)
    flagged = {s for s in (f.seq for f in desk.flags(to_replay=True)) if s in desk.by_seq}
    marked = [s for s in order if s in flagged]

    def go(to: int | None) -> tuple[int, str | None] | None:
        return None if to is None else (to, links.replay(to))

    rounds = rounds_of(desk.frames)
    name, first, last = next(r for r in rounds if r[1] <= at <= r[2])
    by_event: dict[int, list[Json]] = {}
    for f in desk.findings:
        if counts_for_much(f):
            by_event.setdefault(f.get("seq") or 0, []).append(f)
    sight, marks = frame.get("sight"), _judged_marks(by_event.get(seq, ())) or frame.get("marks") or ()
    board = desk.board(seq)
    text = str(frame.get("text") or label(str(frame.get("type"))))
    return ReplayPage(
        title=f"Event {seq}: {shorten(text, 80)}",
        seq=seq,
        heading=f"Event {seq}",
        text=text,
        state=svg.state_words(board) or _frame_state(frame),
        side=desk.side(frame.get("player")),
        position=f"{at + 1} of {len(order)}",
        cases=tuple(desk.case(f, deep=False) for f in by_event.get(seq, ())),
        picture=desk.picture(f"The board at event {seq}", board, marks, sight, (), size="whole"),
        closeup=desk.picture(f"Close up, event {seq}", board, marks, sight, ())
        if svg.interest(board, marks, sight, ())
        else None,
        contacts=desk.contacts(sight, board) if sight else (),
        answers=sight_words(sight, ()),
        previous=go(order[at - 1]) if at else None,
        next=go(order[at + 1]) if at + 1 < len(order) else None,
        previous_finding=go(next((s for s in reversed(marked) if order.index(s) < at), None)),
        next_finding=go(next((s for s in marked if order.index(s) > at), None)),
        rounds=tuple((n, links.replay(order[a]), n == name and a == first) for n, a, _ in rounds),
        round_name=name,
        strip=timeline(desk.frames, desk.flags(to_replay=True), now=seq),
        events=tuple(
            EventLine(
                s,
                links.replay(s),
                shorten(str(desk.by_seq[s].get("text") or desk.by_seq[s].get("type")), 160),
                tuple(desk.case(f, deep=False) for f in by_event.get(s, ())),
                s == seq,
            )
            for s in order[first : last + 1]
        ),
        units=_units(desk, board),
        line=frame.get("line"),
        key=tuple(svg.key_items(desk.side_ids)),
        links=links,
        defs=desk.sheet.defs(),
    )


def _judged_marks(found: Sequence[Json]) -> Sequence[Json]:
    """The act as a finding draws it, where it says that the act is not allowed."""
    for finding in found:
        marks: Sequence[Json] = (finding.get("evidence") or {}).get("marks") or ()
        if any(mark.get("ok") is False or mark.get("how") == "bad" for mark in marks):
            return marks
    return ()


def _frame_state(frame: Json) -> str:
    said = [f"Round {frame['round']}"] if frame.get("round") else []
    return ", ".join([*said, *([f"{label(str(frame['phase']))} phase"] if frame.get("phase") else [])])


def _units(desk: Desk, board: Json) -> tuple[tuple[Side, tuple[UnitRow, ...]], ...]:
    units = board.get("units") or ()
    ids = sorted({str(u.get("side")) for u in units} | set(desk.side_ids))
    out = []
    for ident in ids:
        side = desk.side(ident) or Side(ident, ident, side_class(ids, ident))
        rows = [
            UnitRow(
                str(u["id"]),
                hex_words(u["hex"]),
                ", ".join(_carries(m) for m in u.get("models") or ()) or "none",
                str(sum(m["bulk"] for m in u.get("models") or () if isinstance(m.get("bulk"), int))),
                "?" if u.get("tp") is None else str(u["tp"]),
                u["id"] == board.get("acting"),
            )
            for u in units
            if str(u.get("side")) == ident
        ]
        out.append((side, tuple(rows)))
    return tuple(out)


def _carries(model: Json) -> str:
    things = [label(str(w)) for w in (*(model.get("weapons") or ()), *(model.get("wargear") or ()))]
    name = str(model.get("name") or model.get("id"))
    return f"{name} ({', '.join(things)})" if things else name
