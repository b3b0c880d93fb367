"""A table of cards as markup that reads from top to bottom: one row a player, the sector between them, the windows.

Cards are words in frames, so that they can be read on a phone and heard. How a card lies is written on it, and shown by
the frame: locked is hatched, charging has a double edge, face down is dark.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup, escape

from auditor.report.boards.cards.table import (
    cards_of,
    fought,
    listing,
    mapping,
    name_of,
    players,
    sectors,
    unknown_in,
)
from auditor.report.boards.cards.words import (
    battle_words,
    interest,
    part_of,
    sector_words,
    sum_words,
    window_words,
    zones_words,
)
from auditor.report.boards.kind import Scene, View
from auditor.report.boards.pen import Board, Mark, letters
from auditor.report.words import label, side_class

_LETTER = Markup('<b class="mark-letter">{}</b>')


def draw(scene: Scene, view: View) -> Markup:
    """The table as one element. "near" shows the sectors that the scene is about, "whole" all of them."""
    board = scene.board
    sides = view.sides if view.sides is not None else sorted(players(board))
    order = [*players(board)]
    about = list(view.focus) or interest(scene)
    all_sectors = sectors(board)
    shown = [one for one in all_sectors if one.get("slot") in about] if view.size == "near" and about else all_sectors
    of = _letters_of(scene.marks)
    hands = [mark.get("player") for mark in scene.marks if mark.get("mark") == "hand"]
    parts = [_hands(board, player, player in hands) for player in order[1:2]]
    parts += [_fleet(board, player, sides, of) for player in order[1:2]]
    ringed = [mark.get("sector") for mark in scene.marks if mark.get("mark") == "sector"]
    columns = Markup("").join(
        _sector(one, order, sides, of, board, one.get("slot") in ringed) for one in shown or all_sectors
    )
    parts.append(Markup('<div class="sectors n{}">{}</div>').format(min(len(shown or all_sectors), 3), columns))
    parts += [_fleet(board, player, sides, of) for player in order[:1]]
    parts += [_hands(board, player, player in hands) for player in order[:1]]
    parts.append(_battle(board))
    parts.append(_told(scene.marks))
    title = view.title or "The table"
    return Markup('<div class="board cards {}" role="group" aria-label="{}">{}</div>').format(
        view.size, title, Markup("").join(parts)
    )


def _letters_of(marks: Sequence[Mark]) -> dict[str, list[tuple[str, Mark]]]:
    """The marks of each card, with their letters."""
    found: dict[str, list[tuple[str, Mark]]] = {}
    for letter, mark in zip(letters(marks), marks, strict=True):
        for key in ("card", "from", "to"):
            ident = mark.get(key)
            if isinstance(ident, str) and (key == "card" or mark.get("mark") == "attack"):
                found.setdefault(ident, []).append((letter, mark))
    return found


def _fleet(board: Board, player: str, sides: Sequence[str], of: Mapping[str, list[tuple[str, Mark]]]) -> Markup:
    row = mapping(mapping(board.get("zones")).get(player)).get("fleet")
    if not cards_of(row) and not unknown_in(row):
        return Markup("")
    said = Markup('<p class="zone-name">Fleet of {}</p>').format(player)
    return Markup('<div class="fleet">{}{}</div>').format(said, _row(row, side_class(sides, player), of, player))


def _hands(board: Board, player: str, is_ringed: bool) -> Markup:
    """What a player holds, the hands with their cards as far as they are known, and how many lie in deck and discard."""
    said = zones_words(mapping(board.get("zones")).get(player))
    if not said:
        return Markup("")
    return Markup('<p class="hand{}"><b>{}</b> {}</p>').format(" changed" if is_ringed else "", player, said)


def _sector(
    sector: Mapping[str, Any],
    order: Sequence[str],
    sides: Sequence[str],
    of: Mapping[str, list[tuple[str, Mark]]],
    board: Board,
    is_ringed: bool,
) -> Markup:
    """A sector: the second player's row, the sector's card, the first player's row."""
    rows = mapping(sector.get("rows"))
    is_fought = fought(board) is not None and sector.get("slot") == fought(board)
    said = sector_words(sector)
    flags = [f"{player} {total}" for player in order if (total := mapping(sector.get("flags")).get(player)) is not None]
    sums = Markup(' <span class="flags">flags: {}</span>').format(", ".join(flags)) if flags else ""
    middle = Markup('<p class="sector-card{}">{}{}</p>').format(
        (" fought" if is_fought else "") + (" changed" if is_ringed else ""), said, sums
    )
    first, second = (order[0] if order else "", order[1] if len(order) > 1 else "")
    top = _row(rows.get(second), side_class(sides, second), of, second) if second else ""
    low = _row(rows.get(first), side_class(sides, first), of, first) if first else ""
    return Markup('<div class="sector">{}{}{}</div>').format(top, middle, low)


def _row(row: Any, side: str, of: Mapping[str, list[tuple[str, Mark]]], player: str) -> Markup:
    cards = [_card(card, of) for card in cards_of(row)]
    n = unknown_in(row)
    if n:
        cards.append(Markup('<li class="card down">{} unknown</li>').format(n))
    if not cards:
        return Markup('<p class="row none">{}: no cards</p>').format(player)
    return Markup('<ul class="row {}" aria-label="{}">{}</ul>').format(side, player, Markup("").join(cards))


def _card(card: Mapping[str, Any], of: Mapping[str, list[tuple[str, Mark]]]) -> Markup:
    stance = str(card.get("position") or "")
    down = card.get("face") == "down"
    kinds = [one for one in (stance if stance in ("locked", "charging") else "", "down" if down else "") if one]
    marks = of.get(str(card.get("card")), [])
    if marks:
        kinds.append("changed" if all(mark.get("how") == "changed" for _, mark in marks) else "meant")
    kinds += ["bad"] if any(mark.get("how") == "bad" or mark.get("ok") is False for _, mark in marks) else []
    lettered = Markup("").join(_LETTER.format(letter) for letter, _ in marks if letter)
    ident = Markup(" <i>{}</i>").format(card["card"]) if card.get("title") and card.get("card") else ""
    name = Markup('<span class="card-name">{}{}</span>').format(name_of(card), ident)
    lies = [stance if stance not in ("", "ready") else "", "face down" if down else ""]
    does = dict.fromkeys(_does(mark, card.get("card")) for _, mark in marks)
    how = ", ".join(one for one in (*lies, *does) if one)
    said = Markup('<span class="stance">{}</span>').format(how) if how else Markup("")
    stats = mapping(card.get("stats"))
    numbers = [f"{label(str(stat))} {value}" for stat, value in stats.items() if value is not None]
    if isinstance(card.get("flags"), int) and card["flags"]:
        numbers.append(f"{card['flags']} {'flag' if card['flags'] == 1 else 'flags'}")
    told = Markup('<span class="stats">{}</span>').format(", ".join(numbers)) if numbers else Markup("")
    words = Markup(" ").join(part for part in (lettered, name, said, told) if part)
    return Markup('<li class="{}">{}</li>').format(" ".join(["card", *kinds]), words)


def _does(mark: Mark, ident: Any) -> str:
    """What a marked card does in the act."""
    if mark.get("mark") == "attack":
        return "attacks" if mark.get("from") == ident else "is attacked"
    return "acts" if mark.get("how") == "acts" else ""


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
    for letter, mark in zip(letters(marks), marks, strict=True):
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
            lead = _LETTER.format(letter) if letter else Markup("")
            out += Markup('<p class="reckoned">{}{}</p>').format(lead, said)
    return out


def key_items(sides: Sequence[str]) -> list[tuple[Markup, str]]:
    """Each way in which a card may lie, and what it means."""

    def card(kind: str, text: str) -> Markup:
        return Markup('<span class="card {}">{}</span>').format(kind, text)

    return [
        (card("", "ready"), "ready"),
        (card("locked", "locked"), "locked"),
        (card("charging", "charging"), "charging"),
        (card("down", "down"), "face down, or not known"),
        (card("meant", "meant"), "what the finding is about"),
        (card("meant bad", "bad"), "not allowed"),
        (card("changed", "changed"), "what differs from the picture before"),
    ]
