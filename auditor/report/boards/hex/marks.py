"""Marks and counted paths: what an act was, what was not allowed in it, and where things stand by the rules."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from itertools import pairwise

from auditor.report.boards.hex import plane
from auditor.report.boards.hex.places import NO_NAMES, Names, edge_words, hex_words, is_pair, path_words
from auditor.report.boards.hex.plane import RING, RING_TOP, R, hex_path, spot
from auditor.report.boards.hex.room import Room
from auditor.report.boards.pen import Mark, Spot, arrowhead, letters, mix, num, stroke

STEP = (8.0, 8.0)
LETTER = (7.5, 7.5)
"""Half the width and height of a step's number and of a letter's box where they are largest, on a phone."""


def distance(path: Sequence[Sequence[int]], room: Room, taken: Container[tuple[int, ...]] = ()) -> str:
    """A counted path: dots from hex to hex, the steps numbered. It runs below the centres, and lower yet where a
    unit stands, or wherever there is room."""
    if len(path) < 2:
        return ""
    low = [(x, y + (24.0 if tuple(at) in taken else 12.0)) for at, (x, y) in zip(path, map(spot, path), strict=True)]
    low[0] = mix(low[0], low[1], 0.3)
    low[-1] = mix(low[-2], low[-1], 0.62)
    low[1:] = [room.find(STEP, (at,))[0] for at in low[1:]]
    room.lines += pairwise(low)
    d = "L".join(f"{num(x)} {num(y)}" for x, y in low)
    dots = "".join(
        f'<g transform="translate({num(x)} {num(y)})"><circle r="6"/><text y="3">{i}</text></g>'
        for i, (x, y) in enumerate(low[1:], 1)
    )
    return f'<path class="walk" d="M{d}"/><g class="wk">{dots}</g>'


def _cross(at: Spot) -> str:
    return f'<path class="cross" d="M{num(at[0] - 7)} {num(at[1] - 7)}l14 14m0-14l-14 14"/>'


def letter_box(letter: str, at: Spot) -> str:
    """A letter on the board, for a mark that has something to say."""
    box = '<rect x="-6.5" y="-6.5" width="13" height="13" rx="2"/>'
    return f'<g class="let" transform="translate({num(at[0])} {num(at[1])})">{box}<text y="3.8">{letter}</text></g>'


def letter_boxes(marks: Sequence[Mark], places: Sequence[Spot | None], room: Room) -> str:
    """The letters of the marks that say something, each at its place or as near to it as there is room."""
    out = []
    for letter, at in zip(letters(marks), places, strict=True):
        if letter and at is not None:
            free, leader = room.find(LETTER, (at,), off_lines=True)
            out.append(leader + letter_box(letter, free))
    return "".join(out)


_HOW = {"bad": ", not allowed", "claimed": ", as the log claims", "ruled": ", by the rules"}


def mark_words(mark: Mark, names: Names = NO_NAMES) -> str:
    """A mark in words, for the list beside the picture and for those who hear it."""
    said = str(mark.get("label") or "")
    match mark.get("mark"):
        case "move":
            drawn = path_words(mark.get("path") or (), names) + ("" if mark.get("ok", True) else ", not allowed")
        case "hex":
            how = _HOW.get(str(mark.get("how")), "")
            drawn = hex_words(mark.get("hex") or (), names) + how
        case "unit":
            drawn = str(mark.get("unit"))
        case "edge":
            drawn = edge_words(mark.get("edge") or (), names)
        case "shot":
            drawn = f"{hex_words(mark.get('from') or (), names)} shoots at {hex_words(mark.get('to') or (), names)}"
            drawn += "" if mark.get("ok", True) else ", not allowed"
        case other:
            drawn = str(other)
    return f"{drawn}: {said}" if said else drawn


def ground_of(mark: Mark) -> str:
    """The part of a mark that lies under the tokens."""
    if mark.get("mark") == "hex" and is_pair(mark.get("hex")):
        how = str(mark.get("how"))
        how = how if how in ("bad", "claimed", "ruled", "note") else "note"
        back = hex_path("closer-bg", [mark["hex"]], RING, RING_TOP) if how == "bad" else ""
        return back + hex_path(f"ringed {how}", [mark["hex"]], RING, RING_TOP)
    return ""


def over(
    mark: Mark, homes: Mapping[str, Sequence[int]], share: Callable[[str], str], room: Room, has_line: bool = False
) -> tuple[str, Spot | None]:
    """The part of a mark that lies over the tokens, and where its letter would stand. Its lines are taken from the room.

    `has_line`: a line of sight is drawn, so that a shot needs no arrow of its own.
    """
    match mark.get("mark"):
        case "move":
            return _move(mark, room)
        case "hex" if is_pair(mark.get("hex")):
            x, y = spot(mark["hex"])
            bad = f'<path class="cross" d="M{num(x - 23)} {num(y + 8)}l9 9m0-9l-9 9"/>'
            return bad if mark.get("how") == "bad" else "", (x + 19, y + 13)
        case "unit":
            at = mark.get("hex") if is_pair(mark.get("hex")) else homes.get(str(mark.get("unit")))
            if at is not None:
                x, y = spot(at)
                ring = share('<circle class="called-bg" r="24"/><circle class="called" r="24"/>')
                return f'<g transform="translate({num(x)} {num(y + 3)})">{ring}</g>', (x + 21, y - 12)
        case "edge" if len(mark.get("edge") or ()) == 2:
            ends = plane.hexside(*mark["edge"])
            if ends is not None:
                p, q = spot(ends[0]), spot(ends[1])
                kind = "shut" if mark.get("how") == "bad" else "sided"
                x, y = mix(p, q, 0.5)
                drawn = stroke("shut-bg", p, q) + stroke(kind, mix(p, q, 0.04), mix(p, q, 0.96))
                room.lines.append((p, q))
                return drawn, (x + (q[1] - p[1]) / R * 14, y - (q[0] - p[0]) / R * 14)
        case "shot" if is_pair(mark.get("from")) and is_pair(mark.get("to")):
            return _shot(mark, room, has_line)
    return "", None


def _move(mark: Mark, room: Room) -> tuple[str, Spot | None]:
    points = [spot(p) for p in mark.get("path") or () if is_pair(p)]
    if not points:
        return "", None
    if len(points) == 1:
        x, y = points[0]
        return f'<circle class="eye" cx="{num(x)}" cy="{num(y)}" r="5"/>', (x + 20, y - 12)
    bad = "" if mark.get("ok", True) else " bad"
    before, last = points[-2], points[-1]
    start = mix(points[0], points[1], 0.34)
    room.lines += pairwise((start, *points[1:]))
    d = "L".join(f"{num(x)} {num(y)}" for x, y in (start, *points[1:-1], mix(before, last, 0.8)))
    drawn = f'<path class="act under" d="M{d}"/><path class="act{bad}" d="M{d}"/>'
    drawn += arrowhead(f"act head{bad}", before, mix(before, last, 0.9), 12)
    middle = mix(before, last, 0.5)
    if bad:
        drawn += _cross(middle)
    side = (last[1] - before[1], before[0] - last[0])
    length = (side[0] ** 2 + side[1] ** 2) ** 0.5 or 1.0
    return drawn, (middle[0] + side[0] / length * 17, middle[1] + side[1] / length * 17)


def _shot(mark: Mark, room: Room, has_line: bool) -> tuple[str, Spot | None]:
    a, b = spot(mark["from"]), spot(mark["to"])
    far = ((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2) ** 0.5 or 1.0
    a, b = mix(a, b, 22 / far), mix(a, b, 1 - 22 / far)
    room.lines.append((a, b))
    bad = "" if mark.get("ok", True) else " bad"
    if has_line:
        return _cross(mix(a, b, 0.9)) if bad else "", mix(a, b, 0.3) if mark.get("label") else None
    drawn = stroke("shot under", a, b) + stroke(f"shot{bad}", a, b) + arrowhead(f"act head{bad}", a, b, 11)
    return drawn + (_cross(mix(a, b, 0.5)) if bad else ""), mix(a, b, 0.3)
