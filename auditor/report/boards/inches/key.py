"""The key to the pictures of tables."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from auditor.report.boards.pen import arrowhead
from auditor.report.words import side_class


def key_items(sides: Sequence[str]) -> list[tuple[Markup, str]]:
    """Each sign and what it means."""

    def base(side: str) -> str:
        inner = '<circle class="tok-in" r="6.4"/>' if side == "a" else ""
        return f'<g class="unit {side}"><circle class="tok" r="9"/>{inner}</g>'

    def box(kind: str, fill: str = "") -> str:
        hatch = f'<path class="hatch" fill="url(#{fill})" d="M-12-9H12V9H-12z"/>' if fill else ""
        return f'<path class="{kind}" d="M-12-9H12V9H-12z"/>{hatch}'

    arrow = arrowhead("act head", (0, 0), (13, 0), 9)
    bad_arrow = arrowhead("act head bad", (0, 0), (13, 0), 9)
    signs = [
        *((base(side_class(sides, s)), s) for s in list(sides)[:3]),
        ('<path class="act thin" d="M-13 0H6"/>' + arrow, "a way, with the length of each leg"),
        ('<path class="act thin bad" d="M-13 0H6"/>' + bad_arrow, "not allowed"),
        ('<path class="act thin" d="M-13 3H13"/><path class="tick" d="M3-7V11"/>', "where an allowance ends"),
        ('<path class="act thin" d="M-11 0H11M-11-5V5M11-5V5"/>', "a measured gap"),
        ('<circle class="zone" r="10"/>', "nobody may come into this"),
        ('<circle class="range" r="10"/>', "how far something reaches, or an arc or its limit"),
        ('<path class="ray" d="M-14 0H14"/>', "line of sight"),
        (
            '<path class="ray" d="M-14 0H2"/><path class="ray beyond" d="M2 0H14"/>'
            '<path class="cross" d="M-3-5l10 10m0-10l-10 10"/>',
            "stopped here",
        ),
        ('<path class="walk" d="M-13 0H13"/>', "what holds a unit together"),
        ('<path class="nose" d="M-8 0H8"/>', "which way it faces"),
        ('<circle class="ringed claimed" r="9"/>', "as the log claims"),
        ('<circle class="ringed ruled" r="9"/>', "by the rules"),
        (box("ter soft", "p-rough"), "difficult ground"),
        (box("ter soft", "p-danger"), "dangerous ground"),
        (box("ter blocked", "p-wall"), "blocks sight or movement"),
    ]
    frame = Markup('<svg viewBox="-15 -13 30 26" aria-hidden="true">')
    return [(frame + Markup(drawn) + Markup("</svg>"), said) for drawn, said in signs]
