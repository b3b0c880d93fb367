"""Boards as SVG pictures: one drawing function for each kind of board, chosen by the board's own `kind`.

Shapes: Board, Marks, Sight and Path as the audit carries them (`evidence` of a finding, frames of a replay). Nothing is
set inline: colours and weights come from classes, patterns and dice from `signs.page_defs()`, which a page holds once.
Every mark differs in shape, weight or pattern before it differs in colour. All text is escaped.

A `Sheet` belongs to one page. What several boards share (hexes, doors, models) is drawn once, in its `defs()`, and
used by number, so that a page of sixty boards stays small.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeAlias

from markupsafe import Markup, escape

from auditor.report import marks as marks_of
from auditor.report import plane, sightline, table
from auditor.report.pen import Board, Hex, Mark, Sheet, Sight, Window, arrowhead, num, stroke
from auditor.report.plane import R, Spot, spot
from auditor.report.signs import ACTING, TOKENS
from auditor.report.words import hex_words, is_pair, label, plural, shorten, side_class

Size: TypeAlias = Literal["whole", "near"]

_EDGE_PAD = 5.0


def interest(board: Board, marks: Sequence[Mark], sight: Sight | None, path: Sequence[Sequence[int]]) -> list[Hex]:
    """The hexes that the picture is about."""
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


def _description(board: Board, marks: Sequence[Mark], sight: Sight | None) -> str:
    said = [table.unit_words(u) for u in board.get("units") or ()]
    said += [marks_of.mark_words(m) for m in marks]
    if sight:
        stop = next((c for c in sightline.contacts(sight) if c.stops), None)
        line = f"Line of sight from {hex_words(sight['from'])} to {hex_words(sight['to'])}: {sight.get('sight')}"
        said.append(line + (f", stopped at contact {stop.n}" if stop else ""))
    return ". ".join(said) + "." if said else "No units."


def _hex_board(
    board: Board,
    marks: Sequence[Mark],
    sight: Sight | None,
    path: Sequence[Sequence[int]],
    size: Size,
    labels: bool,
    sides: Sequence[str],
    share: Callable[[str], str],
    focus: Sequence[Hex],
) -> tuple[str, Window]:
    hexes = board.get("hexes") or ()
    units = board.get("units") or ()
    kinds = {(h[0], h[1]): h[2] for h in hexes}
    ends = {tuple(sight["from"]), tuple(sight["to"])} if sight else set()
    taken = {tuple(u["hex"]): u for u in units if tuple(u["hex"]) not in ends}
    homes = {str(u["id"]): u["hex"] for u in units}
    found = sightline.contacts(sight) if sight else []
    under, aim = sightline.used_line(sight) if sight else ("", "")
    drawn = [marks_of.over(m, homes, share, has_line=bool(sight)) for m in marks]
    layers = [
        share(table.ground(hexes)),
        sightline.seen_part(sight) if sight else "",
        f'<g class="cl">{share(table.coordinates(hexes))}</g>' if labels else "",
        share(table.edges(board.get("edges") or ()) + table.barricades(board.get("barricades") or ())),
        _marked("".join(marks_of.ground_of(m) for m in marks)),
        sightline.closers(found, kinds, taken),
        sightline.centre_line(sight, found) if sight else "",
        under,
        "".join(table.token(u, sides, u["id"] == board.get("acting"), share) for u in units),
        marks_of.distance(path, taken),
        _marked("".join(markup for markup, _ in drawn)),
        sightline.contact_badges(sight, found, taken) if sight else "",
        marks_of.letter_boxes(marks, [at for _, at in drawn]),
        aim,
    ]
    return "".join(layers), _window(hexes, focus or interest(board, marks, sight, path), size)


def _marked(drawn: str) -> str:
    """Marks as a group of their own, so that a page or a test can tell them from the board."""
    return f'<g class="marks">{drawn}</g>' if drawn else ""


# One entry a kind of board. Each gives the drawing and the part of it that is shown (x, y, width, height).
DRAWINGS: dict[str, Callable[..., tuple[str, Window]]] = {"hex": _hex_board}


def board_svg(
    board: Board | None,
    *,
    marks: Sequence[Mark] = (),
    sight: Sight | None = None,
    path: Sequence[Sequence[int]] = (),
    size: Size = "whole",
    labels: bool = True,
    sheet: Sheet | None = None,
    title: str = "",
    sides: Sequence[str] | None = None,
    focus: Sequence[Hex] = (),
) -> Markup:
    """A board as one SVG element.

    `size` "near" shows the hexes that the marks, the sight and the path are about and what is round them, or round the
    hexes that `focus` names, so that two boards can show the same ground; "whole" shows all. `labels` adds the
    coordinates. `sides` says which side is drawn with which token (default: the sides of the board, in alphabetical
    order). With a `sheet`, what boards share is put there and used from there. A board of an unknown kind gives a
    sentence that says so. The page must hold `signs.page_defs()` once.
    """
    board = board or {}
    draw = DRAWINGS.get(str(board.get("kind")))
    if draw is None:
        return Markup('<p class="quiet">No picture: the board is of a kind that cannot be drawn ({}).</p>').format(
            shorten(str(board.get("kind")), 40)
        )
    known = sides if sides is not None else sorted({str(u.get("side")) for u in board.get("units") or ()})
    share: Callable[[str], str] = sheet.share if sheet is not None else lambda markup: markup
    drawn, (x, y, wide, high) = draw(board, marks, sight, path, size, labels, known, share, focus)
    n = sheet.number() if sheet is not None else 0
    return Markup(
        f'<svg class="board {size}" viewBox="{num(x)} {num(y)} {num(wide)} {num(high)}" width="{wide * 1.5:.0f}" '
        f'role="img" aria-labelledby="b{n}t" aria-describedby="b{n}d"><title id="b{n}t">{escape(title or "The board")}</title>'
        f'<desc id="b{n}d">{escape(_description(board, marks, sight))}</desc>{drawn}</svg>'
    )


def state_words(board: Board | None) -> str:
    """'Round 2, action phase, UM to act, UM has the initiative'. Empty where the board does not say."""
    if not board:
        return ""
    said = []
    if board.get("round"):
        said.append(f"round {board['round']}")
    if board.get("phase"):
        said.append(f"{label(str(board['phase']))} phase")
    if board.get("to_act"):
        said.append(f"{board['to_act']} to act")
    if board.get("initiative"):
        said.append(f"{board['initiative']} has the initiative")
    text = ", ".join(said)
    return text[:1].upper() + text[1:]


def units_count(board: Board) -> str:
    """'9 units'."""
    return plural(len(board.get("units") or ()), "unit")


def key_items(sides: Sequence[str]) -> list[tuple[Markup, str]]:
    """The key to the pictures: each sign and what it means."""

    def contact(n: int, how: str, stops: bool = False, reached: bool = True) -> str:
        return sightline.badge(sightline.Contact(n, how, stops, reached, (), False, None, None))

    def token(side: str, acting: bool = False) -> str:
        ring = ACTING[side] if acting else ""
        drawn = TOKENS[side] + ring + table.points_of(1) + table.pills([{"bulk": 2}, {"bulk": 1}])
        return f'<g class="unit {side}" transform="scale(.62)">{drawn}</g>'

    def box(kind: str) -> str:
        return f'<path class="{kind}" d="M-11-9H11V9H-11z"/>'

    arrow = arrowhead("act head", (0, 0), (13, 0), 10)
    bad_arrow = arrowhead("act head bad", (0, 0), (13, 0), 10)
    signs = [
        *((token(side_class(sides, s)), s) for s in list(sides)[:3]),
        (token("a", acting=True), "the unit that acts"),
        ('<path class="act" d="M-13 0H6"/>' + arrow, "the act"),
        (
            '<path class="act bad" d="M-13 0H6"/>' + bad_arrow + '<path class="cross" d="M-8-5l10 10m0-10l-10 10"/>',
            "not allowed",
        ),
        (box("ringed claimed"), "as the log claims"),
        (box("ringed ruled"), "by the rules"),
        ('<path class="ray" d="M-14 0H14"/>', "centre line"),
        ('<path class="ray beyond" d="M-14 0H14"/>', "beyond where it stops"),
        (contact(1, "through"), "goes through a hex"),
        (contact(2, "along"), "runs along a hexside"),
        (contact(3, "corner"), "touches a corner"),
        (contact(4, "through", stops=True), "stops here"),
        (contact(5, "through", reached=False), "not reached"),
        ('<path class="shut" d="M-12 0H12"/>', "hexside that stops it"),
        ('<path class="aim" d="M-14 0H6"/><circle class="aimpt" cx="9" r="3.6"/>', "line used, aim point"),
        ('<path class="seen" fill="url(#p-seen)" d="M-12-9H12V9H-12z"/>', "part that can be seen"),
        (
            '<path class="walk" d="M-13 0H13"/><g class="wk"><circle r="6"/><text y="3">4</text></g>',
            "distance in steps",
        ),
        (box("hex blocked") + '<path fill="url(#p-blocked)" d="M-10-8H10V8H-10z"/>', "blocked"),
        (box("hex") + '<path fill="url(#p-rubble)" d="M-11-9H11V9H-11z"/>', "rubble"),
        (stroke("d-bar", (-13, 0), (13, 0)) + stroke("d-core", (-11.5, 0), (11.5, 0)), "sealed door"),
        (stroke("d-jamb", (-13, 0), (-6, 0)) + stroke("d-jamb", (6, 0), (13, 0)), "open door"),
        (table.zigzag((-14, 0), (14, 0)), "obstruction"),
        ('<path class="b-rail" d="M-12 5H12"/><path class="b-tooth" d="M-9 5V-1M-3 5V-1M3 5V-1M9 5V-1"/>', "barricade"),
    ]
    frame = Markup('<svg viewBox="-15 -13 30 26" aria-hidden="true">')
    return [(frame + Markup(drawn) + Markup("</svg>"), said) for drawn, said in signs]
