"""A table of cards as markup, as players lay it: two rows that face each other across each sector, the hands, decks and
fleets at the edges, and below it the windows and what was reckoned.

Shape before colour: how a card lies is drawn (ready upright, locked turned, charging forward, face down with its back)
and written on it. All sizes go by the size of the letters, so that paper needs no drawing of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from markupsafe import Markup, escape

from auditor.report.boards.cards.hands import edge
from auditor.report.boards.cards.pieces import back, card_markup, flags_markup, from_elsewhere, icon, letter, mini
from auditor.report.boards.cards.table import (
    cards_of,
    counted_by,
    fought,
    listing,
    mapping,
    players,
    sectors,
    unknown_in,
)
from auditor.report.boards.cards.words import (
    battle_words,
    interest,
    part_of,
    sum_words,
    takes_words,
    window_words,
)
from auditor.report.boards.kind import Scene, View
from auditor.report.boards.pen import Board, Mark, letters
from auditor.report.words import side_class

MOST_BACKS = 9
"""So many cards that nobody can name are drawn as backs; how many there are is written."""
Lettered = Mapping[str, Sequence[tuple[str, Mark]]]


class Table(NamedTuple):
    """What is drawn, and how: `marks` of each card with their letters."""

    board: Board
    order: Sequence[str]
    sides: Sequence[str]
    marks: Lettered
    about: Sequence[Any]
    scene: Scene

    def side(self, player: str) -> str:
        return side_class(self.sides, player)


def draw(scene: Scene, view: View) -> Markup:
    """The table as one element. "near": the sectors that the scene is about as they lie, the others small. "whole": one
    sector as it lies, which can be chosen, and the others small."""
    board = scene.board
    order = players(board)
    sides = view.sides if view.sides is not None else sorted(order)
    focus = list(view.focus) or interest(scene)
    table = Table(board, order, sides, _letters_of(scene.marks), focus, scene)
    held = [
        edge(board, player, table.side(player), _hands_in(scene.marks, player), table.marks) for player in order[:2]
    ]
    middle = _chosen(table, view) if view.size == "whole" else _near(table)
    parts = [held[1] if len(held) > 1 else "", middle, held[0] if held else "", _battle(board), _told(scene.marks)]
    return Markup('<div class="board cards {}" role="group" aria-label="{}">{}</div>').format(
        view.size, view.title or "The table", Markup(" ").join(parts)
    )


def _letters_of(marks: Sequence[Mark]) -> dict[str, list[tuple[str, Mark]]]:
    """The marks of each card, with their letters."""
    found: dict[str, list[tuple[str, Mark]]] = {}
    for sign, mark in zip(letters(marks), marks, strict=True):
        for key in ("card", "from", "to"):
            ident = mark.get(key)
            if isinstance(ident, str) and (key == "card" or mark.get("mark") == "attack"):
                found.setdefault(ident, []).append((sign, mark))
    return found


def _hands_in(marks: Sequence[Mark], player: str) -> list[Any]:
    """The zones of a player that are marked."""
    return [mark.get("zone") for mark in marks if mark.get("mark") == "hand" and mark.get("player") == player]


# -- the sectors ------------------------------------------------------------------------------------------------------


def _near(table: Table) -> Markup:
    found = [
        _sector(table, one, is_full=one.get("slot") in table.about, is_small=one.get("slot") not in table.about)
        for one in sectors(table.board)
    ]
    apart = "" if any(one.get("slot") in table.about for one in sectors(table.board)) else " apart-none"
    return Markup('<div class="secs{}">{}</div>').format(apart, Markup("").join(found))


def _chosen(table: Table, view: View) -> Markup:
    """All sectors, with a choice of the one that lies in full."""
    all_of = sectors(table.board)
    wanted = [*table.about, fought(table.board)]
    filled = [one.get("slot") for one in all_of if any(map(_has_cards, mapping(one.get("rows")).values()))]
    first = next(
        (one for one in (*wanted, *filled) if one is not None and one in [s.get("slot") for s in all_of]), None
    )
    picked = [one.get("slot") == first or (first is None and n == 0) for n, one in enumerate(all_of)]
    name = f"sector-{view.sheet.number() if view.sheet is not None else 0}"
    radios = Markup("").join(
        Markup('<label><input type="radio" name="{}" class="vh"{}><b>{}</b> <small>{}</small></label> ').format(
            name, Markup(" checked") if is_picked else "", _title(one), _needs(one, table)
        )
        for one, is_picked in zip(all_of, picked, strict=True)
    )
    # The button that cannot be pressed keeps the key Enter from sending the form off.
    choice = Markup(
        '<form class="pick"><button disabled hidden></button><fieldset><legend class="vh">Which sector</legend>{}'
        "</fieldset></form>"
    ).format(radios)
    drawn = Markup("").join(_sector(table, one, is_full=True, is_small=True) for one in all_of)
    return (choice if len(all_of) > 1 else Markup("")) + Markup('<div class="secs">{}</div>').format(drawn)


def _has_cards(row: Any) -> bool:
    return bool(cards_of(row) or unknown_in(row))


def _title(sector: Mapping[str, Any]) -> str:
    """'3 Sunken Market'."""
    title, slot = sector.get("title"), sector.get("slot")
    return f"{slot} {title}" if title and title != f"Sector {slot}" else f"Sector {slot}"


def _called(sector: Mapping[str, Any]) -> str:
    """'Sector 3, Sunken Market'."""
    title, slot = sector.get("title"), sector.get("slot")
    return f"Sector {slot}, {title}" if title and title != f"Sector {slot}" else f"Sector {slot}"


def _needs(sector: Mapping[str, Any], table: Table) -> str:
    totals = [mapping(sector.get("flags")).get(player) for player in table.order]
    said = [" : ".join(map(str, totals))] if totals and None not in totals else []
    said += [f"needs {sector['requirement']}"] if sector.get("requirement") is not None else []
    said += [f"taken by {sector['by']}"] if sector.get("by") is not None else []
    return ", ".join(said)


def _sector(table: Table, sector: Mapping[str, Any], *, is_full: bool, is_small: bool) -> Markup:
    """A sector: the second player's row, the sector's card, the first player's row; in full, small, or one of both."""
    rows, order = mapping(sector.get("rows")), table.order
    low, top = (order[0] if order else ""), (order[1] if len(order) > 1 else "")
    both = ((top, "up"), ("", ""), (low, "low"))
    out = Markup("")
    for player, place in both:
        if not place:
            out += _lane(table, sector, is_full=is_full, is_small=is_small)
            continue
        row = rows.get(player) if player else None
        drawn = _row(table, sector, row, player, place) if is_full else ""
        small = _minis(row, table.side(player), table.marks, player) if is_small else ""
        out += Markup('<div class="rw {}">{} {}</div>').format(place, drawn, small)
    kinds = ["sector"] + (["small"] if not is_full else []) + (["both"] if is_full and is_small else [])
    return Markup('<div class="{}" role="group" aria-label="{}">{}</div>').format(" ".join(kinds), _called(sector), out)


def _lane(table: Table, sector: Mapping[str, Any], *, is_full: bool, is_small: bool) -> Markup:
    """The sector's card between the rows, and who takes it."""
    ringed = [mark.get("sector") for mark in table.scene.marks if mark.get("mark") == "sector"]
    is_fought = fought(table.board) is not None and sector.get("slot") == fought(table.board)
    kinds = ["sector-card"] + ["fought"] * is_fought + ["changed"] * (sector.get("slot") in ringed)
    title, slot = sector.get("title"), sector.get("slot")
    name = Markup("<b>{}</b>").format(title if title else f"Sector {slot}")
    where = Markup(" <small>sector {}</small>").format(slot) if title and title != f"Sector {slot}" else ""
    needs = (
        Markup(' <span class="need">{}needs {}<span class="vh"> flags</span></span>').format(
            icon("flags"), sector["requirement"]
        )
        if sector.get("requirement") is not None
        else ""
    )
    taken = Markup(' <span class="by">taken by {}</span>').format(sector["by"]) if sector.get("by") is not None else ""
    card = Markup('<div class="{}">{}{}{}{}</div>').format(" ".join(kinds), name, where, needs, taken)
    goes = Markup("").join(_goes(table, sector, mark) for mark in table.scene.marks if mark.get("mark") == "takes")
    full = Markup('<div class="lane full">{}{}</div>').format(card, goes) if is_full else ""
    small = Markup('<div class="lane mini">{}</div>').format(card) if is_small else ""
    return Markup("{}{}").format(full, small)


def _goes(table: Table, sector: Mapping[str, Any], mark: Mark) -> Markup:
    """An arrow to who is said to take a sector."""
    if mark.get("sector") != sector.get("slot"):
        return Markup("")
    player = mark.get("player")
    arrow = "▲" if len(table.order) > 1 and player == table.order[1] else "▼" if player in table.order else "–"
    totals = mapping(sector.get("flags"))
    own, others = totals.get(str(player)), [n for one, n in totals.items() if one != player]
    against = f"with {own} flags against {others[0]}" if own is not None and len(others) == 1 else ""
    return Markup(
        '<p class="goes"><span class="arrow" aria-hidden="true">{}</span> <span><b>{}</b> {}</span></p>'
    ).format(arrow, takes_words(mark), against)


# -- the rows ---------------------------------------------------------------------------------------------------------


def _row(table: Table, sector: Mapping[str, Any], row: Any, player: str, place: str) -> Markup:
    """A player's cards at a sector. Where the flags were counted each card has its own below it, and the row is the sum."""
    counted = counted_by(sector, player)
    side, here = table.side(player), [str(card.get("card")) for card in cards_of(row)]
    ours = {str(one["card"]): one["flags"] for one in counted or () if one.get("card") is not None}
    cells = []
    for card, ident in zip(cards_of(row), here, strict=True):
        n = card.get("flags") if counted is None else ours.get(ident)
        flags = flags_markup(n, is_counted=counted is not None) if isinstance(n, int) else Markup("")
        cells.append(card_markup(card, side, table.marks.get(ident, ()), flags))
    cells += [from_elsewhere(one, side) for one in counted or () if str(one.get("card")) not in here]
    n = unknown_in(row)
    cells += [back(side, f"{n} unknown" if not k else "") for k in range(min(n, MOST_BACKS))]
    total = mapping(sector.get("flags")).get(player)
    if counted is not None and total is not None:
        cells.append(Markup('<li class="rowsum">= {}<span class="vh"> flags</span></li>').format(total))
    if not cards_of(row) and not n:
        none = Markup('<li class="none">{}: no cards</li>').format(player) if player else ""
        cells.insert(0, Markup(none))
    return Markup('<ul class="row {} full" aria-label="{}">{}</ul>').format(
        side, f"Cards of {player}", Markup(" ").join(cells)
    )


def _minis(row: Any, side: str, marks: Lettered, player: str) -> Markup:
    """The same cards small: their flags alone."""
    cells = [mini(card, side, bool(marks.get(str(card.get("card"))))) for card in cards_of(row)]
    n = unknown_in(row)
    if n:
        cells.append(Markup('<li class="mc back {}"><span>{}</span></li>').format(side, n))
    if not cells:
        return Markup("")
    return Markup('<ul class="minis mini" aria-label="{}">{}</ul>').format(
        f"Cards of {player}", Markup(" ").join(cells)
    )


# -- below the table --------------------------------------------------------------------------------------------------


def _battle(board: Board) -> Markup:
    """The battle and the open windows, the innermost on top, as the players have to close them."""
    said = battle_words(board)
    windows = [window for window in listing(board.get("windows")) if isinstance(window, Mapping)]
    stack = Markup("").join(Markup("<li>{}</li>").format(window_words(one)) for one in reversed(windows))
    out = Markup('<p class="battle">{}</p>').format(said) if said else Markup("")
    return out + (
        Markup('<ol class="stack" aria-label="Open windows">{}</ol>').format(stack) if windows else Markup("")
    )


def _told(marks: Sequence[Mark]) -> Markup:
    """Sums, tests and texts: what was reckoned, below the table."""
    out = Markup("")
    for sign, mark in zip(letters(marks), marks, strict=True):
        said: Markup | None = None
        if mark.get("mark") == "sum":
            said = Markup(escape(sum_words(mark)))
        elif mark.get("mark") == "test":
            final = mark.get("final")
            became = f", became {final}" if final is not None and final != mark.get("roll") else ""
            said = Markup("needs {} or more; rolled {}{}").format(mark.get("need"), mark.get("roll"), became)
        elif mark.get("mark") == "text":
            before, part, after = part_of(mark)
            said = Markup("{}{}{}").format(before, Markup("<mark>{}</mark>").format(part) if part else "", after)
        if said is not None:
            out += Markup('<p class="reckoned">{}{}</p>').format(letter(sign), said)
    return out


def key_items(sides: Sequence[str]) -> list[tuple[Markup, str]]:
    """Each way in which a card may lie, and what it means; the signs of the numbers."""

    def card(kind: str) -> Markup:
        return Markup('<span class="lg {}"></span>').format(kind)

    return [
        (card(""), "ready: upright"),
        (card("charging"), "charging: forward, thick edge"),
        (card("locked"), "locked: turned"),
        (card("back a") + card("back b"), "face down, or not known"),
        (card("hand"), "changes the flags from elsewhere"),
        (card("meant"), "what the finding is about"),
        (card("meant bad"), "not allowed"),
        (card("changed"), "what differs from the picture before"),
        *((icon(name), name) for name in ("firepower", "assault", "speed", "armor", "flags")),
    ]
