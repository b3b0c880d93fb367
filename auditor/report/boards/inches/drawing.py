"""Tables of inches as SVG pictures: "near" shows what the scene is about, larger; "whole" all of the table."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from auditor.report.boards.inches import marks as marks_of
from auditor.report.boards.inches import pieces, plane, sightline
from auditor.report.boards.inches.labels import Label, Room, placed
from auditor.report.boards.inches.plane import MARGIN, WIDE, point
from auditor.report.boards.inches.words import description
from auditor.report.boards.kind import Scene, View, framed
from auditor.report.boards.pen import Spot


def interest(scene: Scene) -> list[Spot]:
    """The places on the table that a scene is about, in inches."""
    found = plane.points(scene.path)
    if scene.sight:
        found += sightline.spots(scene.sight)
    for mark in scene.marks:
        found += marks_of.places(mark, scene.board)
    if not found and scene.board.get("acting") is not None:
        models = scene.board.get("models") or ()
        found = [at for m in models if m.get("unit") == scene.board["acting"] and (at := point(m.get("at")))]
    return found


def _concerned(scene: Scene) -> frozenset[str]:
    """The units that a picture is about: who acts, who shoots and is shot at, and those of the models that are marked."""
    board, sight = scene.board, scene.sight or {}
    marked = {str(mark.get("model")) for mark in scene.marks if mark.get("model") is not None}
    named = {str(m.get("unit")) for m in board.get("models") or () if str(m.get("id")) in marked}
    acting = {str(board["acting"])} if board.get("acting") is not None else set()
    return frozenset({*named, *acting, *(str(unit) for unit in sight.get("units") or ())})


def draw(scene: Scene, view: View) -> Markup:
    """The table as one SVG element."""
    board, share = scene.board, view.share
    about: Sequence[Spot] = plane.points(view.focus) or interest(scene)
    at = plane.near(board, about) if view.size == "near" else plane.whole(board)
    sides = view.sides if view.sides is not None else sorted({str(m.get("player")) for m in board.get("models") or ()})
    lengths: list[Label] = []
    room = Room.of(at.depth)
    sight = scene.sight
    listed = [one for one in scene.marks if not (sight and one.get("mark") == "line" and not one.get("label"))]
    concerned = _concerned(scene)
    tokens = pieces.models(board, at, sides, share, room, concerned if sight else ())
    noses = pieces.faces(board, at, room)
    drawn = [marks_of.drawn(mark, board, at, room, lengths) for mark in listed]
    if scene.path and not any(mark.get("mark") == "way" for mark in listed):
        drawn.append(marks_of.drawn({"mark": "way", "path": scene.path}, board, at, room, lengths))
    lines = signs = ""
    if sight:
        with_gap = not any(mark.get("mark") == "gap" for mark in listed)
        lines, signs = sightline.drawn(sight, at, room, lengths, with_gap=with_gap)
    letters = marks_of.letter_boxes(listed, [place for _, place in drawn[: len(listed)]], room)
    over = "".join(markup for markup, _ in drawn) + lines + signs + placed(lengths, room)
    written = placed(pieces.unit_names(board, at, sides, concerned), room) if view.labels else ""
    layers = [
        share(pieces.ground(at)),
        share(pieces.terrain(board, at)),
        noses,
        tokens,
        f'<g class="marks">{over}</g>' if over else "",
        written,
        letters,
    ]
    # What hangs over the part that is shown is cut off, the ruler beside it is not.
    table = f'<svg width="600" height="{at.depth:.1f}" viewBox="0 0 600 {at.depth:.1f}">{"".join(layers)}</svg>'
    window = (-MARGIN, -12.0, WIDE + MARGIN + 14, at.depth + MARGIN + 24)
    return framed(table + pieces.ruler(at), window, view, description(scene))
