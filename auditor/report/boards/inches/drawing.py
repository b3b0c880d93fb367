"""Tables of inches as SVG pictures: "near" shows what the scene is about, larger; "whole" all of the table."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from auditor.report.boards.inches import marks as marks_of
from auditor.report.boards.inches import pieces, plane
from auditor.report.boards.inches.labels import Label, placed
from auditor.report.boards.inches.plane import MARGIN, WIDE, point
from auditor.report.boards.inches.words import description
from auditor.report.boards.kind import Scene, View, framed
from auditor.report.boards.pen import Spot


def interest(scene: Scene) -> list[Spot]:
    """The places on the table that a scene is about, in inches."""
    found = plane.points(scene.path)
    if scene.sight:
        found += [at for key in ("from", "to") if (at := point(scene.sight.get(key))) is not None]
    for mark in scene.marks:
        found += marks_of.places(mark, scene.board)
    if not found and scene.board.get("acting") is not None:
        models = scene.board.get("models") or ()
        found = [at for m in models if m.get("unit") == scene.board["acting"] and (at := point(m.get("at")))]
    return found


def draw(scene: Scene, view: View) -> Markup:
    """The table as one SVG element."""
    board, share = scene.board, view.share
    about: Sequence[Spot] = plane.points(view.focus) or interest(scene)
    at = plane.near(board, about) if view.size == "near" else plane.whole(board)
    sides = view.sides if view.sides is not None else sorted({str(m.get("player")) for m in board.get("models") or ()})
    lengths: list[Label] = []
    drawn = [marks_of.drawn(mark, board, at, lengths) for mark in scene.marks]
    if scene.path and not any(mark.get("mark") == "way" for mark in scene.marks):
        drawn.append(marks_of.drawn({"mark": "way", "path": scene.path}, board, at, lengths))
    if scene.sight:
        drawn.append(marks_of.drawn({"mark": "line", **scene.sight}, board, at, lengths))
    written, taken = placed(lengths, at.depth)
    clip = "".join(markup for markup, _ in drawn) + written
    layers = [
        share(pieces.ground(at)),
        share(pieces.terrain(board, at)),
        pieces.faces(board, at),
        pieces.models(board, at, sides, share),
        f'<g class="marks">{clip}</g>' if clip else "",
        pieces.unit_names(board, at, sides, [(x, y) for x, y, _ in taken]) if view.labels else "",
        marks_of.letter_boxes(scene.marks, [place for _, place in drawn[: len(scene.marks)]], taken),
    ]
    # What hangs over the part that is shown is cut off, the ruler beside it is not.
    table = f'<svg width="600" height="{at.depth:.1f}" viewBox="0 0 600 {at.depth:.1f}">{"".join(layers)}</svg>'
    window = (-MARGIN, -12.0, WIDE + MARGIN + 14, at.depth + MARGIN + 24)
    return framed(table + pieces.ruler(at), window, view, description(scene))
