"""Marks on a table: ways with the length of each leg, gaps, zones, ranges, limits, lines of sight, arcs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import cos, radians, sin
from typing import Any

from auditor.report.boards.inches.labels import Label, Room, beside, length_words, side
from auditor.report.boards.inches.outlines import round_hull
from auditor.report.boards.inches.plane import Plane, far, number, point, points
from auditor.report.boards.pen import Board, Mark, Spot, arrowhead, letters, mix, num, stroke


def places(mark: Mark, board: Board) -> list[Spot]:
    """The places on the table that a mark is about."""
    found = points(mark.get("path"))
    for link in mark.get("links") or ():
        found += points(link)
    found += [at for key in ("at", "from", "to", "stopped") if (at := point(mark.get(key))) is not None]
    if mark.get("mark") in ("model", "way") and (home := _home(mark, board)) is not None:
        found.append(home)
    found += _reached(mark)
    return found


def _reached(mark: Mark) -> list[Spot]:
    """The places farthest off that a circle, an arc, or what is so far from a hull goes to."""
    kind, centre = mark.get("mark"), point(mark.get("at"))
    reach = number(mark.get("radius" if kind == "zone" else "length"))
    if kind not in ("zone", "range", "arc") or not reach:
        return []
    if kind == "arc" and centre is not None and (span := _span(mark)) is not None:
        first, last = span
        ends = [first, last, *(quarter for quarter in range(-720, 1081, 90) if first < quarter < last)]
        return [_toward(centre, end, reach) for end in ends]
    about = points(mark.get("hull")) or ([] if centre is None else [centre])
    return [(x + dx * reach, y + dy * reach) for x, y in about for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))]


def _span(mark: Mark) -> tuple[float, float] | None:
    """The angles between which an arc lies, from the first against the clock to the last."""
    between = [number(angle) for angle in mark.get("between") or ()]
    if len(between) != 2 or between[0] is None or between[1] is None:
        return None
    first = between[0] % 360
    return first, first + (between[1] - between[0]) % 360


def _toward(at: Spot, angle: float, far_off: float) -> Spot:
    """The place so far from another at an angle."""
    return at[0] + far_off * cos(radians(angle)), at[1] + far_off * sin(radians(angle))


def _home(mark: Mark, board: Board) -> Spot | None:
    model = _model(mark, board)
    return None if model is None else point(model.get("at"))


def _model(mark: Mark, board: Board) -> Mapping[str, Any] | None:
    return next((m for m in board.get("models") or () if str(m.get("id")) == str(mark.get("model"))), None)


def drawn(mark: Mark, board: Board, plane: Plane, room: Room, lengths: list[Label]) -> tuple[str, Spot | None]:
    """A mark, and where its letter would stand. Its lines are taken from the room, and the lengths to be written beside
    it added to `lengths`."""
    bad = "" if mark.get("ok", True) else " bad"
    match mark.get("mark"):
        case "way":
            return _way(mark, board, plane, room, lengths, bad)
        case "gap":
            return _gap(mark, plane, room, lengths, bad)
        case "line":
            return _line(mark, plane, room)
        case "net":
            links = [plane.spots(link) for link in map(points, mark.get("links") or ()) if len(link) == 2]
            for link in links:
                room.lines.line(*link)
            drawn_links = "".join(stroke("walk", link[0], link[1]) for link in links)
            return drawn_links, mix(links[-1][0], links[-1][1], 0.5) if links else None
        case "limit":
            a, b = point(mark.get("from")), point(mark.get("to"))
            if a is not None and b is not None:
                start, end = plane.spot(a), plane.spot(b)
                room.lines.line(start, end)
                return stroke(f"range{bad}", start, end), mix(start, end, 0.8)
        case "zone" | "range" as kind:
            at, reach = point(mark.get("at")), number(mark.get("radius" if kind == "zone" else "length"))
            hull = plane.spots(points(mark.get("hull")))
            if len(hull) > 2 and reach:
                d = round_hull(hull, reach * plane.scale)
                for corner in hull:
                    room.lines.ring(corner, reach * plane.scale)
                x, y = min(hull, key=lambda spot: spot[1] - spot[0])
                off = reach * plane.scale * 0.7
                return f'<path class="{kind}{bad}" d="{d}"/>', (x + off, y - off)
            if at is not None and reach:
                x, y = plane.spot(at)
                size = reach * plane.scale
                room.lines.ring((x, y), size)
                drawing = f'<circle class="{kind}{bad}" cx="{num(x)}" cy="{num(y)}" r="{num(size)}"/>'
                return drawing, (x + size * 0.7, y - size * 0.7)
        case "arc":
            return _arc(mark, plane, room, lengths, bad)
        case "model" | "spot" as kind:
            at = _home(mark, board) if kind == "model" else point(mark.get("at"))
            if at is not None:
                x, y = plane.spot(at)
                model = _model(mark, board) if kind == "model" else None
                radius = max((number((model or {}).get("radius")) or 0.6) * plane.scale, 4) + 5
                how = str(mark.get("how"))
                how = how if how in ("bad", "claimed", "ruled", "note") else "note"
                room.lines.ring((x, y), radius)
                ring = f'<circle class="ringed {how}" cx="{num(x)}" cy="{num(y)}" r="{num(radius)}"/>'
                return ring, (x + radius, y - radius)
    return "", None


def _way(mark: Mark, board: Board, plane: Plane, room: Room, lengths: list[Label], bad: str) -> tuple[str, Spot | None]:
    """A way from middle to middle: each leg and the total with its length, and what is beyond the allowance by itself."""
    path = points(mark.get("path"))
    spots = plane.spots(path)
    if len(spots) < 2:
        return "", spots[0] if spots else None
    model = _model(mark, board) or {}
    radius = (number(mark.get("radius")) or number(model.get("radius")) or 0.0) * plane.scale
    ends = "".join(
        f'<circle class="ghost{how}" cx="{num(x)}" cy="{num(y)}" r="{num(radius)}"/>'
        for (x, y), how in ((spots[0], ""), (spots[-1], bad))
        if radius
    )
    for at in (spots[0], spots[-1]) if radius else ():
        room.lines.ring(at, radius)
    room.lines.line(*spots)
    d = "L".join(f"{num(x)} {num(y)}" for x, y in spots)
    (x, y), far_off = spots[0], far(spots[-2], spots[-1])
    head = arrowhead(f"act head{bad}", spots[-2], spots[-1], 9)
    if far_off:
        room.lines.disc(spots[-1], 5)
    out = (
        f'{ends}<path class="act under" d="M{d}"/><path class="act thin{bad}" d="M{d}"/>'
        f'<circle class="act head{bad}" cx="{num(x)}" cy="{num(y)}" r="2.6"/>{head}'
    )
    legs = [far(a, b) for a, b in pairwise(path)]
    walked = [leg for leg in legs if leg > 0]
    total, allowed, gone = sum(legs), number(mark.get("allowed")), 0.0
    for leg, (here, there) in zip(legs, pairwise(spots), strict=True):
        if leg > 0 and (len(walked) > 1 or total == leg):
            of = f"leg {walked.index(leg) + 1}: " if len(walked) > 1 and bad else ""
            lengths.append(beside(here, there, of + length_words(leg), first=bool(bad)))
        if allowed is not None and leg > 0 and gone <= allowed < gone + leg:
            t = (allowed - gone) / leg
            out += _tick(here, there, t, f"{allowed:g}″", room, lengths)
            if bad:
                over = beside(
                    mix(here, there, t), there, f"{length_words(total - allowed)} too far", first=True, kind="len bad"
                )
                lengths.append(over)
        gone += leg
    x, y = spots[-1]
    if len(walked) > 1:
        legs_words = " + ".join(map(length_words, walked[:4])) + (" + …" if len(walked) > 4 else "")
        around = tuple((x + dx, y + dy) for dx, dy in ((0, -radius - 16), (0, radius + 16)))
        said = f"{legs_words} = {length_words(total)}" if bad else length_words(total)
        lengths.append(Label(said, around, bool(bad), of=(spots[-1],), reach=radius))
    return out, (x + max(radius, 8) + 4, y - max(radius, 8))


def _tick(a: Spot, b: Spot, t: float, text: str, room: Room, lengths: list[Label]) -> str:
    """Where on a line an allowance ends."""
    (x, y), (dx, dy) = mix(a, b, t), side(a, b)
    ends = (x - dx * 9, y - dy * 9), (x + dx * 9, y + dy * 9)
    room.lines.line(*ends)
    places = ((x - dx * out, y - dy * (out - 3)) for out in (26, -26))
    lengths.append(Label(text, tuple(places), first=True, of=ends))
    return stroke("tick", *ends)


def _gap(mark: Mark, plane: Plane, room: Room, lengths: list[Label], bad: str) -> tuple[str, Spot | None]:
    a, b = point(mark.get("from")), point(mark.get("to"))
    if a is None or b is None:
        return "", None
    start, end = plane.spot(a), plane.spot(b)
    dx, dy = side(start, end)
    bars = ""
    for x, y in (start, end):
        bar = (x - dx * 5, y - dy * 5), (x + dx * 5, y + dy * 5)
        room.lines.line(*bar)
        bars += stroke(f"act thin{bad}", *bar)
    length = mark.get("length")
    text = f"{length}″" if length is not None else length_words(far(a, b))
    x, y = mix(start, end, 0.5)
    room.lines.line(start, end)
    lengths.append(beside(start, end, text, first=bool(bad)))
    return stroke(f"act thin{bad}", start, end) + bars, (x - dx * 14, y - dy * 14)


def _line(mark: Mark, plane: Plane, room: Room) -> tuple[str, Spot | None]:
    a, b = point(mark.get("from")), point(mark.get("to"))
    if a is None or b is None:
        return "", None
    start, end, stopped = plane.spot(a), plane.spot(b), point(mark.get("stopped"))
    room.lines.line(start, end)
    if stopped is None:
        return stroke("ray under", start, end) + stroke("ray", start, end), mix(start, end, 0.3)
    x, y = plane.spot(stopped)
    room.lines.disc((x, y), 7)
    return stroke("ray", start, (x, y)) + stroke("ray beyond", (x, y), end) + cross((x, y)), mix(start, end, 0.3)


def cross(at: Spot) -> str:
    return f'<path class="cross" d="M{num(at[0] - 6)} {num(at[1] - 6)}l12 12m0-12l-12 12"/>'


def _arc(mark: Mark, plane: Plane, room: Room, lengths: list[Label], bad: str) -> tuple[str, Spot | None]:
    at, span = point(mark.get("at")), _span(mark)
    if at is None or span is None:
        return "", None
    reach = number(mark.get("length")) or 6.0
    first, last = span
    rim = [plane.spot(_toward(at, first + (last - first) * n / 24, reach)) for n in range(25)]
    a, b = rim[0], rim[-1]
    x, y = plane.spot(at)
    room.lines.line((x, y), *rim, (x, y))
    large = 1 if last - first > 180 else 0
    size = num(reach * plane.scale)
    d = f"M{num(x)} {num(y)}L{num(a[0])} {num(a[1])}A{size} {size} 0 {large} 0 {num(b[0])} {num(b[1])}z"
    if mark.get("name"):
        # Beyond the rim and beside its middle: within it, what comes from there is drawn.
        name = str(mark["name"])
        turns = [first + (last - first) * t for t in (0.25, 0.75, 0.12, 0.88)]
        rims = [(turn, 16 + 6 * len(name) * abs(cos(radians(turn)))) for turn in turns]
        spots = plane.spots(_toward(at, turn, reach + off / plane.scale) for turn, off in rims)
        lengths.append(Label(name, tuple(spots), first=True, of=(rim[6], rim[18])))
    return f'<path class="range{bad}" d="{d}"/>', plane.spot(_toward(at, (first + last) / 2, reach * 0.5))


LETTER_BOX = 19.0
"""The width of the box of a letter where it is largest, on a phone."""


def letter_boxes(marks: Sequence[Mark], at: Sequence[Spot | None], room: Room) -> str:
    """The letters of the marks that say something, each as near to its place as there is room."""
    out: list[str] = []
    for letter, place in zip(letters(marks), at, strict=True):
        if not letter or place is None:
            continue
        found = room.find(LETTER_BOX, LETTER_BOX, (place,), (place,), 8.0)
        (x, y), leader = found or ((min(max(place[0], 8), 592), max(place[1], 8)), "")
        box = '<rect x="-6.5" y="-6.5" width="13" height="13" rx="2"/>'
        out.append(
            f'{leader}<g class="let far" transform="translate({num(x)} {num(y)})">{box}<text y="4.6">{letter}</text></g>'
        )
    return "".join(out)


_HOW = {"bad": ", not allowed", "claimed": ", as the log claims", "ruled": ", by the rules"}


def spot_words(at: Any) -> str:
    """'12, 6.5'."""
    return ", ".join(str(c) for c in at[:2]) if isinstance(at, Sequence) and not isinstance(at, str) else str(at)


def way_words(path: Any) -> str:
    if isinstance(path, str) or not isinstance(path, Sequence):
        return str(path)
    return " → ".join(f"({spot_words(at)})" for at in path)


def mark_words(mark: Mark) -> str:
    """A mark in words, for the list beside the picture and for those who hear it."""
    said = str(mark.get("label") or "")
    ends = f"from ({spot_words(mark.get('from'))}) to ({spot_words(mark.get('to'))})"
    match mark.get("mark"):
        case "way":
            path = mark.get("path") or ()
            what = f"{mark.get('model')} moves {way_words(path)}"
            if mark.get("allowed") is not None:
                what += f"; {mark['allowed']} inches are allowed"
        case "gap":
            length = mark.get("length")
            what = f"a gap {ends}" if length is None else f"a gap of {length} inches" + ("" if said else f" {ends}")
        case "net":
            what = "what holds the unit together"
        case "zone":
            what = f"{mark.get('radius')} inches round ({spot_words(mark.get('at'))})"
        case "range":
            whence = "the hull" if mark.get("hull") else f"({spot_words(mark.get('at'))})"
            what = f"a reach of {mark.get('length')} inches from {whence}"
        case "limit":
            what = f"a limit {ends}"
        case "line":
            what = "a line" if said else f"a line {ends}"
            if mark.get("stopped") is not None:
                what += f", stopped at ({spot_words(mark['stopped'])})"
        case "arc":
            what = f"an arc at ({spot_words(mark.get('at'))})"
        case "model":
            what = str(mark.get("model")) + _HOW.get(str(mark.get("how")), "")
        case "spot":
            what = f"({spot_words(mark.get('at'))})" + _HOW.get(str(mark.get("how")), "")
        case other:
            what = str(other)
    what += "" if mark.get("ok", True) else ", not allowed"
    return f"{what}: {said}" if said else what
