"""A shot on a table of inches: the line between two models, what it meets, where it stops, and the gap from edge to edge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from auditor.report.boards.inches.labels import Label, Room, length_words, side
from auditor.report.boards.inches.marks import cross
from auditor.report.boards.inches.plane import Plane, far, number, point
from auditor.report.boards.kind import Scene
from auditor.report.boards.pen import Sight, Spot, arrowhead, mix, num, stroke
from auditor.report.model import ContactLine

BADGE = 20.0
"""The width of a numbered sign where it is largest, on a phone."""
SIGN = '<circle r="9.4"/>'


def spots(sight: Sight) -> list[Spot]:
    """The places that a shot is about."""
    found = [point(sight.get(key)) for key in ("from", "to")]
    gap = sight.get("gap")
    if isinstance(gap, Mapping):
        found += [point(gap.get(key)) for key in ("from", "to")]
    return [at for at in found if at is not None]


def met(sight: Sight) -> list[Mapping[str, Any]]:
    listed = sight.get("met")
    return [one for one in listed if isinstance(one, Mapping)] if isinstance(listed, Sequence) else []


def drawn(sight: Sight, plane: Plane, room: Room, labels: list[Label], *, with_gap: bool) -> tuple[str, str]:
    """The lines of a shot, and the numbered signs on the line. What is taken is taken from the room."""
    a, b = point(sight.get("from")), point(sight.get("to"))
    if a is None or b is None:
        return "", ""
    start, end = plane.spot(a), plane.spot(b)
    stop = next((one for one in met(sight) if one.get("stops")), None)
    stopped = point(stop.get("at")) if stop is not None else None
    room.lines.line(start, end)
    out = [_others(sight, plane, room)]
    if stopped is None:
        out.append(stroke("ray under", start, end) + stroke("ray", start, end))
    else:
        x, y = plane.spot(stopped)
        room.lines.disc((x, y), 7)
        out.append(stroke("ray", start, (x, y)) + stroke("ray beyond", (x, y), end) + cross((x, y)))
    line = [at for at in map(point, sight.get("line") or ()) if at is not None]
    if len(line) == 2:
        used = plane.spot(line[0]), plane.spot(line[1])
        room.lines.line(*used)
        out.append(stroke("aim", *used) + arrowhead("aim head", mix(*used, 0.86), used[1]))
    if with_gap:
        out.append(_gap(sight.get("gap"), plane, room, labels))
    return "".join(out), _badges(sight, plane, room, (start, end))


def _others(sight: Sight, plane: Plane, room: Room) -> str:
    """The lines of the others who fire, thin."""
    out = []
    for one in sight.get("others") or ():
        a, b = (point(at) for at in one[:2]) if isinstance(one, Sequence) and len(one) > 2 else (None, None)
        if a is not None and b is not None:
            ends = plane.spot(a), plane.spot(b)
            room.lines.line(*ends)
            out.append(stroke("fire" if one[2] else "fire bad", *ends))
    return "".join(out)


def _gap(gap: Any, plane: Plane, room: Room, labels: list[Label]) -> str:
    """The gap between two bases, from edge to edge: a bow beside the line, with its length and the range."""
    if not isinstance(gap, Mapping):
        return ""
    a, b = point(gap.get("from")), point(gap.get("to"))
    if a is None or b is None:
        return ""
    start, end = plane.spot(a), plane.spot(b)
    bad = "" if gap.get("ok", True) else " bad"
    long, (dx, dy) = far(start, end), side(start, end)
    bend = min(long * 0.22, 46.0)
    x, y = mix(start, end, 0.5)
    over = (x + dx * bend, y + dy * bend)
    bow = [mix(mix(start, over, t), mix(over, end, t), t) for t in (n / 12 for n in range(13))]
    room.lines.line(*bow)
    length, limit = number(gap.get("length")), number(gap.get("limit"))
    words = length_words(far(a, b) if length is None else length)
    text = words if limit is None else f"{words} of {length_words(limit)}"
    top = bow[6]
    places = tuple((top[0] + dx * out, top[1] + dy * out) for out in (16.0, 30.0))
    labels.append(Label(text, places, True, f"reach{bad}", (top, bow[4], bow[8])))
    d = f"M{num(start[0])} {num(start[1])}Q{num(over[0])} {num(over[1])} {num(end[0])} {num(end[1])}"
    return f'<path class="range{bad}" d="{d}"/>'


def _badges(sight: Sight, plane: Plane, room: Room, ends: tuple[Spot, Spot]) -> str:
    """The numbered signs beside what the line meets, each with a dot on the line."""
    out = []
    for one in met(sight):
        at = point(one.get("at"))
        if at is None:
            continue
        x, y = plane.spot(at)
        dx, dy = side(*ends)
        places = [(x + dx * off, y + dy * off) for off in (20.0, -20.0)]
        found = room.find(BADGE, BADGE, places, ((x, y),), 3.0)
        (u, v), leader = found or ((x, y), "")
        out.append(f'<circle class="act head" cx="{num(x)}" cy="{num(y)}" r="2.8"/>{leader}{badge(one, sight, (u, v))}')
    return "".join(out)


def badge(one: Mapping[str, Any], sight: Sight, at: Spot | None = None) -> str:
    """The numbered sign of what a line meets, for the picture (at a place) or for the list beside it."""
    stop = number(sight.get("stop"))
    n = number(one.get("n")) or 0
    state = " stop" if one.get("stops") and n == stop else " idle" if stop is not None and n > stop else ""
    where = f' transform="translate({num(at[0])} {num(at[1])})"' if at else ""
    return f'<g class="mk far{state}"{where}>{SIGN}<text y="4.6">{n:g}</text></g>'


def contacts(scene: Scene) -> tuple[ContactLine, ...]:
    """What the line meets, as the list beside the picture says it."""
    if not scene.sight:
        return ()
    return tuple(_contact(one, scene.sight) for one in met(scene.sight))


def _contact(one: Mapping[str, Any], sight: Sight) -> ContactLine:
    sign = Markup('<svg viewBox="-15 -12 30 24" aria-hidden="true">' + badge(one, sight) + "</svg>")
    how, what, note = (str(one.get(key) or "") for key in ("how", "what", "note"))
    return ContactLine(sign, how, what, note, bool(one.get("stops")) and one.get("n") == sight.get("stop"))


def answers(sight: Sight) -> list[tuple[str, str]]:
    """What a shot comes to: (question, answer)."""
    said = sight.get("answers")
    if not isinstance(said, Sequence) or isinstance(said, str):
        return [("Line of sight", str(sight["sight"]))] if sight.get("sight") is not None else []
    return [(str(one[0]), str(one[1])) for one in said if isinstance(one, Sequence) and len(one) == 2]
