"""The pieces of a table of cards: a card as it lies, its back, a small one, its flags, and the signs of its numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from auditor.report.boards.cards.table import Card, mapping, name_of
from auditor.report.boards.pen import Mark
from auditor.report.words import label

_SIGNS = {
    "flags": '<path d="M3.5 1.5v13"/><path class="f" d="M4 2h9.5l-3 3.2 3 3.3H4z"/>',
    "firepower": '<circle cx="8" cy="8" r="4.6"/><path d="M8 1v4M8 11v4M1 8h4M11 8h4"/>',
    "assault": '<path d="M2 2l8.6 8.6M14 2L5.4 10.6M8.7 12.5l3.8-3.8M3.5 8.7l3.8 3.8M12.2 12.2l2 2M3.8 12.2l-2 2"/>',
    "speed": '<path d="M2 3l5 5-5 5M8.5 3l5 5-5 5"/>',
    "armor": '<path d="M2.5 2.5h11v5c0 4-3 6-5.5 7-2.5-1-5.5-3-5.5-7z"/>',
}
"""A sign for each number of a card."""

DEFS = (
    '<svg class="defs" width="0" height="0" aria-hidden="true" focusable="false"><defs>'
    + "".join(f'<symbol id="c-{name}" viewBox="0 0 16 16">{drawn}</symbol>' for name, drawn in _SIGNS.items())
    + "</defs></svg>"
)


def icon(name: str) -> Markup:
    """The sign of a number; nothing where it has none."""
    if name not in _SIGNS:
        return Markup("")
    return Markup('<svg class="ci" viewBox="0 0 16 16" aria-hidden="true"><use href="#c-{}"/></svg>').format(name)


def letter(sign: str) -> Markup:
    """The letter by which the list beside the picture calls a mark."""
    return Markup('<b class="mark-letter">{}</b>').format(sign) if sign else Markup("")


def flags_markup(n: int, is_counted: bool = False) -> Markup:
    """The flags of a card: as they count in a sum, or as they are printed."""
    kinds = "pen" + (" counts" if is_counted else "") + (" zero" if n == 0 else "")
    return Markup('<span class="{}">{}{} <span class="vh">{}</span></span>').format(
        kinds, icon("flags"), n, "flag" if n == 1 else "flags"
    )


def card_markup(card: Card, side: str, marks: Sequence[tuple[str, Mark]], flags: Markup) -> Markup:
    """A card in its row: upright, turned or forward, with its name, its numbers and how it lies."""
    stance = str(card.get("position") or "")
    is_down = card.get("face") == "down"
    lies = stance if stance in ("locked", "charging") else "ready"
    does = dict.fromkeys(_does(mark, card.get("card")) for _, mark in marks)
    shown = [lies if lies != "ready" else "", "face down" if is_down else "", *does]
    how = ", ".join(one for one in shown if one) or (lies if stance == "ready" else "")
    said = Markup('<span class="stance">{}</span>').format(how) if how else Markup("")
    kinds = " ".join(["card", side, *(["back"] if is_down else []), *marked(marks)])
    ident = Markup(" <i>{}</i>").format(card["card"]) if card.get("title") and card.get("card") else ""
    name = Markup('<b class="card-name"><span>{}</span></b>').format(name_of(card))
    stats = "" if is_down else _stats(card)
    lettered = Markup("").join(letter(sign) for sign, _ in marks)
    foot = Markup('<span class="foot-of">{}{}</span>').format(said, ident)
    return Markup(
        '<li class="cell" title="{}"><div class="slot {}"><div class="{}">{}{} {} {}</div></div> {}</li>'
    ).format(name_of(card), lies, kinds, lettered, name, stats, foot, "" if is_down else flags)


def marked(marks: Sequence[tuple[str, Mark]]) -> list[str]:
    """How a card is ringed."""
    if not marks:
        return []
    kinds = ["changed" if all(mark.get("how") == "changed" for _, mark in marks) else "meant"]
    return kinds + ["bad"] * any(mark.get("how") == "bad" or mark.get("ok") is False for _, mark in marks)


def _stats(card: Card) -> Markup:
    """The numbers of a card, each with its sign, and its name for those who hear it."""
    numbers = [(str(stat), value) for stat, value in mapping(card.get("stats")).items() if value is not None]
    if not numbers:
        return Markup("")
    items = Markup("").join(
        Markup('<span>{}<span class="{}">{} </span>{} </span>').format(
            icon(stat), "vh" if icon(stat) else "word", label(stat), value
        )
        for stat, value in numbers
    )
    return Markup('<span class="stats">{}</span>').format(items)


def _does(mark: Mark, ident: Any) -> str:
    """What a marked card does in the act."""
    if mark.get("mark") == "attack":
        return "attacks" if mark.get("from") == ident else "is attacked"
    return "acts" if mark.get("how") == "acts" else ""


def back(side: str, words: str) -> Markup:
    """A card face down that nobody can name."""
    said = Markup('<span class="stance">{}</span>').format(words) if words else ""
    return Markup('<li class="cell"><div class="slot ready"><div class="card back {}">{}</div></div></li>').format(
        side, said
    )


def from_elsewhere(part: Mapping[str, Any], side: str) -> Markup:
    """A change of a flag total by a card that does not lie there: a dashed card beside the row."""
    n = part["flags"]
    does = f"{'+' if n > 0 else ''}{n} {'flag' if abs(n) == 1 else 'flags'}"
    ident = Markup(" <i>{}</i>").format(part["card"]) if part.get("card") else ""
    return Markup(
        '<li class="cell"><div class="slot ready"><div class="card hand {}"><b class="card-name"><span>{}</span></b> '
        '<span class="fx">{}</span> <span class="foot-of"><span class="stance">not in the row</span>{}</span></div></div> {}</li>'
    ).format(side, part.get("title"), does, ident, flags_markup(n, True))


def mini(card: Card, side: str, is_marked: bool) -> Markup:
    """A card small: its flags, or its back."""
    is_down = card.get("face") == "down"
    said = f"{name_of(card)}{', face down' if is_down else ''}"
    flags = card.get("flags")
    shown = flags if isinstance(flags, int) and not is_down else ""
    kinds = " ".join(["mc", side, *(["back"] if is_down else []), *(["meant"] if is_marked else [])])
    return Markup('<li class="{}" title="{}"><span class="vh">{} </span>{}</li>').format(kinds, said, said, shown)
