"""What stands on a table: the table with its ruler, terrain, bases and hulls, and the names of units."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from math import ceil, cos, radians, sin
from typing import Any

from markupsafe import escape

from auditor.report.boards.inches.labels import HIGH, Label, Room
from auditor.report.boards.inches.plane import WIDE, Plane, far, number, point, points
from auditor.report.boards.pen import Board, Spot, mix, num, stroke, xy
from auditor.report.words import listed, shorten, side_class


def outline(spots: Sequence[Spot]) -> str:
    """A closed figure as the data of a path."""
    return "M" + "L".join(f"{num(x)} {num(y)}" for x, y in spots) + "z" if spots else ""


def ground(plane: Plane) -> str:
    """The part of the table, a line each 6 inches (each inch where an inch is wide enough), and the ruler below."""
    wide, deep = plane.right - plane.left, plane.depth
    step = 1 if wide <= 24 else 6
    lines = []
    for x in range(ceil(plane.left / step) * step, int(plane.right) + 1, step):
        at = plane.spot((x, 0))[0]
        lines.append(f"M{num(at)} 0V{num(deep)}")
    for y in range(ceil(plane.low / step) * step, int(plane.high) + 1, step):
        at = plane.spot((0, y))[1]
        lines.append(f"M0 {num(at)}H600")
    return f'<rect class="hex" width="600" height="{num(deep)}"/><path class="grid" d="{"".join(lines)}"/>'


def ruler(plane: Plane) -> str:
    """Below the table and at its left: inches from its corner, and a bar of so many inches to measure by."""
    step = 2 if plane.right - plane.left <= 24 else 6
    deep = plane.depth
    out = []
    for x in range(ceil(plane.left / step) * step, int(plane.right) + 1, step):
        at = plane.spot((x, 0))[0]
        out.append(f"<text {xy((at, deep + 14))}>{x}</text>")
    for y in range(ceil(plane.low / step) * step, int(plane.high) + 1, step):
        at = plane.spot((0, y))[1]
        out.append(f"<text {xy((-12, at + 3.5))}>{y}</text>")
    bar = step * plane.scale
    end = 600 - 6 - bar
    return (
        f'<g class="coord ruler">{"".join(out)}</g><g class="scale"><path d="M{num(end)} {num(deep + 24)}v6h{num(bar)}v-6"/>'
        f"<text {xy((end - 8, deep + 31))}>{step} inches</text></g>"
    )


def terrain(board: Board, plane: Plane) -> str:
    out = []
    for piece in board.get("terrain") or ():
        d = outline(plane.spots(points(piece.get("outline"))))
        if not d:
            continue
        kind = "blocked" if piece.get("impassable") or piece.get("blocks_sight") else ""
        fill = "p-wall" if kind else "p-danger" if piece.get("dangerous") else "p-rough"
        said = escape(terrain_words(piece))
        edge = " soft" if not piece.get("blocks_sight") else ""
        out.append(
            f'<g><title>{said}</title><path class="ter {kind}{edge}" d="{d}"/>'
            f'<path class="hatch" fill="url(#{fill})" d="{d}"/></g>'
        )
    return "".join(out)


def terrain_words(piece: Mapping[str, Any]) -> str:
    """'Ruin (t-1): difficult ground, hard cover (5+), blocks sight'."""
    kinds = [word for word in ("difficult", "dangerous", "impassable") if piece.get(word)]
    said = [f"{listed(kinds)} ground"] if kinds else []
    if piece.get("cover"):
        said.append(str(piece["cover"]))
    if piece.get("blocks_sight"):
        said.append("blocks sight")
    name = f"{piece.get('name') or 'Terrain'} ({piece.get('id')})"
    return f"{name}: {', '.join(said)}" if said else name


def models(
    board: Board, plane: Plane, sides: Sequence[str], share: Callable[[str], str], room: Room, about: Container[str]
) -> str:
    """Every base and hull, larger than life where it would be too small to see; pale where it is none of the units that the
    picture is about, if it is about some."""
    out = []
    names = names_of(board)
    for model in board.get("models") or ():
        at = point(model.get("at"))
        if at is None:
            continue
        side = side_class(sides, model.get("player"))
        if about and str(model.get("unit")) not in about:
            side += " pale"
        acts = model.get("unit") is not None and model.get("unit") == board.get("acting")
        said = escape(model_words(model))
        hull = points(model.get("hull"))
        x, y = plane.spot(at)
        if hull:
            corners = plane.spots(hull)
            room.solid.area(corners)
            body = f'<path class="tok" d="{outline(corners)}"/>' + _nose(model, hull, plane)
            out.append(f'<g class="unit {side}"><title>{said}</title>{body}</g>')
            continue
        radius = max((number(model.get("radius")) or 0.5) * plane.scale, 3.2)
        room.solid.disc((x, y), min(radius, 2 * WIDE))
        inner = f'<circle class="tok-in" r="{num(radius - 2.6)}"/>' if side[0] == "a" and radius > 5 else ""
        ring = f'<circle class="acting" r="{num(radius + 3)}"/>' if acts and radius > 6 else ""
        body = share(f'<circle class="tok" r="{num(radius)}"/>{inner}{ring}')
        name = ""
        inside = model.get("n") if str(model.get("unit")) in names else model.get("id")
        if inside is not None and radius >= (15 if inside == model.get("id") else 11):
            short = str(inside)
            short = short if len(short) <= 7 else short[:3] + "…" + short[-3:]
            wide = min(radius * 1.7, 8 * len(short))  # squeezed where the base is small, never drawn out
            fit = f' textLength="{num(wide)}" lengthAdjust="spacingAndGlyphs"' if len(short) > 4 else ""
            name = f'<text class="uid mid" y="4"{fit}>{escape(short)}</text>'
        out.append(
            f'<g class="unit {side}" transform="translate({num(x)} {num(y)})"><title>{said}</title>{body}{name}</g>'
        )
    return "".join(out)


def _nose(model: Mapping[str, Any], hull: Sequence[Spot], plane: Plane) -> str:
    """Which way a hull faces: a tick from its middle to its front."""
    heading = number(model.get("heading"))
    if heading is None:
        return ""
    centre = (sum(x for x, _ in hull) / len(hull), sum(y for _, y in hull) / len(hull))
    reach = max(abs((x - centre[0]) * cos(radians(heading)) + (y - centre[1]) * sin(radians(heading))) for x, y in hull)
    front = (centre[0] + reach * cos(radians(heading)), centre[1] + reach * sin(radians(heading)))
    a, b = plane.spot(centre), plane.spot(front)
    return stroke("nose", mix(a, b, 0.35), b)


def model_words(model: Mapping[str, Any]) -> str:
    """'m-1 of u-1 (A) at 12, 6.5, 3 inches up, 2 wounds left'."""
    at = model.get("at") or ("?", "?")
    said = [f"{model.get('id')} of {model.get('unit')} ({model.get('player')}) at {at[0]}, {at[1]}"]
    if number(model.get("z")):
        said.append(f"{model['z']} inches up")
    if model.get("wounds") is not None:
        said.append(f"{model['wounds']} {'wound' if model['wounds'] == 1 else 'wounds'} left")
    return ", ".join(said)


def unit_names(board: Board, plane: Plane, sides: Sequence[str], about: Container[str] = ()) -> list[Label]:
    """The name of each unit, with how high its models stand, to be written below them or wherever there is room; where there
    is none, the short one by which the log calls it."""
    homes: dict[tuple[str, str], list[tuple[Spot, float]]] = {}
    for model in board.get("models") or ():
        at = point(model.get("at"))
        if at is not None and plane.left <= at[0] <= plane.right and plane.low <= at[1] <= plane.high:
            hull = [far(at, corner) for corner in points(model.get("hull"))]
            radius = (number(model.get("radius")) or max(hull, default=0.5)) * plane.scale
            key = (str(model.get("unit")), str(model.get("player")))
            homes.setdefault(key, []).append((plane.spot(at), max(min(radius, 60.0), 3.2)))
    heights, names = _heights(board), names_of(board)
    out = []
    for (unit, player), stand in homes.items():
        spots, radius = [spot for spot, _ in stand], max(reach for _, reach in stand)
        x = sum(x for x, _ in spots) / len(spots)
        low, high = max(y for _, y in spots) + radius, min(y for _, y in spots) - radius
        text = shorten(names.get(unit, unit), 28) + heights.get(unit, "")
        places = ((x, low + HIGH / 2 + 3), (x, high - HIGH / 2 - 3))
        kind = f"uname {side_class(sides, player)}"
        short = shorten(unit, 12) if unit != text else ""
        ends = (spots[0], spots[-1], spots[len(spots) // 2], *spots)
        out.append(Label(text, places, unit in about, kind, ends, radius, short))
    return sorted(out, key=lambda label: not label.first)


def names_of(board: Board) -> dict[str, str]:
    """Units by their ids, as the table calls them."""
    return {str(one.get("id")): str(one["name"]) for one in board.get("units") or () if one.get("name")}


def called(model: Mapping[str, Any], names: Mapping[str, str], *, alone: bool) -> str:
    """A model as the table calls it: by its unit, and if it is not alone in that by its number there."""
    unit = names.get(str(model.get("unit")))
    if unit is None or not (alone or isinstance(model.get("n"), int)):
        return str(model.get("id"))
    return f"{unit} {model['n']}" if isinstance(model.get("n"), int) else unit


def _heights(board: Board) -> dict[str, str]:
    """How high above the table the models of each unit stand, where one of them does: ' +3″', ' +1″ to 3″'."""
    found: dict[str, list[float]] = {}
    for model in board.get("models") or ():
        found.setdefault(str(model.get("unit")), []).append(number(model.get("z")) or 0.0)
    said = {}
    for unit, high in found.items():
        if max(high) > 0:
            said[unit] = f" +{min(high):g}″" + (f" to {max(high):g}″" if max(high) > min(high) else "")
    return said


def faces(board: Board, plane: Plane, room: Room) -> str:
    """Which way units face, where the board says: an arrow from the middle of their models."""
    out = []
    for unit in board.get("units") or ():
        facing = number(unit.get("facing"))
        spots = [
            at for m in board.get("models") or () if m.get("unit") == unit.get("id") and (at := point(m.get("at")))
        ]
        if facing is None or not spots:
            continue
        x, y = sum(x for x, _ in spots) / len(spots), sum(y for _, y in spots) / len(spots)
        tip = (x + 1.6 * cos(radians(facing)), y + 1.6 * sin(radians(facing)))
        ends = plane.spot((x, y)), plane.spot(tip)
        room.lines.line(*ends)
        out.append(stroke("nose", *ends))
    return "".join(out)
