"""Boards of hexes as SVG pictures.

Shapes: Board, Marks, Sight and Path as the audit carries them (`evidence` of a finding, frames of a replay). Nothing is
set inline: colours and weights come from classes, patterns and dice from `signs.DEFS`, which a page holds once.
Every mark differs in shape, weight or pattern before it differs in colour. All text is escaped.

A `Sheet` belongs to one page. What several boards share (hexes, doors, models) is drawn once, in its `defs()`, and
used by number, so that a page of sixty boards stays small.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from auditor.report.boards.hex import marks as marks_of
from auditor.report.boards.hex import pieces, plane, sightline
from auditor.report.boards.hex.places import is_pair
from auditor.report.boards.hex.plane import Hex, R, spot
from auditor.report.boards.hex.room import Room
from auditor.report.boards.hex.words import description
from auditor.report.boards.kind import Scene, Size, View, framed
from auditor.report.boards.pen import Spot, Window

_EDGE_PAD = 5.0
_RIM = 26.0
"""Room for the coordinates left of a board and below it."""


def interest(scene: Scene) -> list[Hex]:
    """The hexes that the picture is about."""
    board, marks, sight, path = scene.board, scene.marks, scene.sight, scene.path
    out: list[Sequence[int]] = [*path]
    if sight:
        out += [sight["from"], sight["to"]]
        for c in sight.get("crossings") or ():
            out += c.get("hexes") or c.get("edge") or ()
    homes = {str(u["id"]): u["hex"] for u in board.get("units") or ()}
    for mark in marks:
        out += mark.get("path") or ()
        out += [mark[k] for k in ("hex", "from", "to") if is_pair(mark.get(k))]
        out += mark.get("edge") or ()
        if mark.get("mark") == "unit" and str(mark.get("unit")) in homes:
            out.append(homes[str(mark["unit"])])
    if not out and str(board.get("acting")) in homes:
        out.append(homes[str(board["acting"])])
    return [(int(p[0]), int(p[1])) for p in out if is_pair(p)]


def _box(spots: Sequence[Spot], pad_x: float, pad_y: float) -> Window:
    xs, ys = [s[0] for s in spots], [s[1] for s in spots]
    return min(xs) - pad_x, min(ys) - pad_y, max(xs) + pad_x, max(ys) + pad_y


def _window(hexes: Sequence[Sequence[Any]], shown: Sequence[Hex], size: Size) -> Window:
    """The part of the drawing that is shown: x, y, width, height."""
    ground = [spot((h[0], h[1])) for h in hexes] or [(0.0, 0.0)]
    marked = [spot(p) for p in shown]
    x0, y0, x1, y1 = _box(ground + marked, plane.WIDE / 2 + _EDGE_PAD, R + _EDGE_PAD)
    x0, y1 = x0 - _RIM, y1 + _RIM / 2
    if size == "near" and marked:
        a0, b0, a1, b1 = _box(marked, plane.WIDE * 1.55, R * 2.3)
        grow_x, grow_y = max(0.0, 380 - (a1 - a0)) / 2, max(0.0, 250 - (b1 - b0)) / 2
        a0, a1, b0, b1 = a0 - grow_x, a1 + grow_x, b0 - grow_y, b1 + grow_y
        # Pushed back inside the board where it hangs over, so that no picture is half empty.
        shift_x = max(x0 - a0, 0.0) or min(x1 - a1, 0.0)
        shift_y = max(y0 - b0, 0.0) or min(y1 - b1, 0.0)
        a0, a1, b0, b1 = a0 + shift_x, a1 + shift_x, b0 + shift_y, b1 + shift_y
        a0, a1, b0, b1 = max(a0, x0), min(a1, x1), max(b0, y0), min(b1, y1)
        if (a1 - a0) * (b1 - b0) < 0.8 * (x1 - x0) * (y1 - y0):
            x0, x1, y0, y1 = a0, a1, b0, b1
    return x0, y0, x1 - x0, y1 - y0


def draw(scene: Scene, view: View) -> Markup:
    """The board as one SVG element.

    "near" shows the hexes that the marks, the sight and the path are about and what is round them. Without `sides` they
    are those of the board, in alphabetical order.
    """
    board, marks, sight, path, share = scene.board, scene.marks, scene.sight, scene.path, view.share
    hexes = board.get("hexes") or ()
    units = board.get("units") or ()
    sides = view.sides if view.sides is not None else sorted({str(u.get("side")) for u in units})
    kinds = {(h[0], h[1]): h[2] for h in hexes}
    ends = {tuple(sight["from"]), tuple(sight["to"])} if sight else set()
    taken = {tuple(u["hex"]): u for u in units if tuple(u["hex"]) not in ends}
    homes = {str(u["id"]): u["hex"] for u in units}
    found = sightline.contacts(sight) if sight else []
    under, aim = sightline.used_line(sight) if sight else ("", "")
    room = Room.of(board, labels=view.labels)
    if sight:
        room.lines.append((spot(plane.place(sight["from"])), spot(plane.place(sight["to"]))))
    drawn = [marks_of.over(m, homes, share, room, has_line=bool(sight)) for m in marks]
    badges = sightline.contact_badges(sight, found, room) if sight else ""
    steps = marks_of.distance(path, room, taken)
    layers = [
        share(pieces.ground(hexes)),
        sightline.seen_part(sight) if sight else "",
        f'<g class="cl">{share(pieces.coordinates(hexes))}</g>' if view.labels else "",
        share(pieces.rim(hexes)) if view.labels else "",
        share(pieces.edges(board.get("edges") or ()) + pieces.barricades(board.get("barricades") or ())),
        _marked("".join(marks_of.ground_of(m) for m in marks)),
        sightline.closers(found, kinds, taken),
        sightline.centre_line(sight, found) if sight else "",
        under,
        "".join(pieces.token(u, sides, u["id"] == board.get("acting"), share) for u in units),
        steps,
        _marked("".join(markup for markup, _ in drawn)),
        badges,
        marks_of.letter_boxes(marks, [at for _, at in drawn], room),
        aim,
    ]
    window = _window(hexes, view.focus or interest(scene), view.size)
    return framed("".join(layers), window, view, description(scene))


def _marked(drawn: str) -> str:
    """Marks as a group of their own, so that a page or a test can tell them from the board."""
    return f'<g class="marks">{drawn}</g>' if drawn else ""
