"""The key to the pictures of hex boards."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from auditor.report.boards.hex import pieces, sightline
from auditor.report.boards.hex.signs import ACTING, TOKENS
from auditor.report.boards.pen import arrowhead, stroke
from auditor.report.words import side_class


def key_items(sides: Sequence[str]) -> list[tuple[Markup, str]]:
    """The key to the pictures: each sign and what it means."""

    def contact(n: int, how: str, stops: bool = False, reached: bool = True) -> str:
        return sightline.badge(sightline.Contact(n, how, stops, reached, (), False, None, None))

    def token(side: str, acting: bool = False) -> str:
        ring = ACTING[side] if acting else ""
        drawn = TOKENS[side] + ring + pieces.points_of(1) + pieces.pills([{"bulk": 2}, {"bulk": 1}])
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
        (pieces.zigzag((-14, 0), (14, 0)), "obstruction"),
        ('<path class="b-rail" d="M-12 5H12"/><path class="b-tooth" d="M-9 5V-1M-3 5V-1M3 5V-1M9 5V-1"/>', "barricade"),
    ]
    frame = Markup('<svg viewBox="-15 -13 30 26" aria-hidden="true">')
    return [(frame + Markup(drawn) + Markup("</svg>"), said) for drawn, said in signs]
