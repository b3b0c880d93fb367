"""What a player has at the edge of the table: the hands with their cards, the fleet, deck, piles and sectors won."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from auditor.report.boards.cards.pieces import marked
from auditor.report.boards.cards.table import cards_of, mapping, name_of, sectors, unknown_in
from auditor.report.boards.pen import Board
from auditor.report.words import label

HELD = ("command_hand", "deploy_hand", "fleet")
"""Zones of which the cards are shown; of the others, how many lie there."""
PILES = ("discard", "limbo", "set_aside")
MOST_BACKS = 12


def edge(board: Board, player: str, side: str, ringed: Sequence[Any], marks: Mapping[str, Any]) -> Markup:
    """All that a player has beside the rows. `ringed`: the zones that differ, None for all; `marks`: by card."""
    zones = mapping(mapping(board.get("zones")).get(player))
    role = mapping(board.get("roles")).get(player)
    won = [str(one.get("title") or f"sector {one.get('slot')}") for one in sectors(board) if one.get("by") == player]
    parts = [Markup('<p class="pl"><span class="side {}"><bdi>{}</bdi></span>{}</p>').format(side, player, _said(role))]
    for zone in HELD:
        row = zones.get(zone)
        if cards_of(row) or unknown_in(row):
            parts.append(_held(row, label(zone), side, zone in ringed or None in ringed, marks))
    deck = zones.get("deck")
    if "deck" in zones:
        parts.append(_pile("back", "?" if deck is None else deck, "deck", side, "deck" in ringed))
    for zone in PILES:
        n = len(cards_of(zones.get(zone))) + unknown_in(zones.get(zone))
        if n:
            parts.append(_pile("up", n, label(zone), side, zone in ringed))
    if won:
        parts.append(
            Markup('<p class="won">sectors won: <b>{}</b> <small>{}</small></p>').format(len(won), ", ".join(won))
        )
    return Markup('<div class="edge {}">{}</div>').format(side, Markup(" ").join(parts))


def _said(role: Any) -> Markup:
    return Markup(" <small>{}</small>").format(role) if isinstance(role, str) else Markup("")


def _held(row: Any, name: str, side: str, is_ringed: bool, marks: Mapping[str, Any]) -> Markup:
    """A hand: its cards as far as they are known, backs for the others, and how many there are."""
    known, hidden = cards_of(row), unknown_in(row)
    cards = [
        Markup('<li class="{}"><span>{}</span></li>').format(
            " ".join(["hc", side, *(one for one in marked(marks.get(str(card.get("card")), ())) if one != "changed")]),
            name_of(card),
        )
        for card in known
    ]
    cards += [Markup('<li class="hc back {}"></li>').format(side) for _ in range(min(hidden, MOST_BACKS))]
    not_shown = f", {hidden} not shown" if hidden and known else ", not shown" if hidden else ""
    return Markup('<div class="held{}"><p><b>{}</b> {}{}</p> <ul>{}</ul></div>').format(
        " changed" if is_ringed else "", len(known) + hidden, name, not_shown, Markup(" ").join(cards)
    )


def _pile(kind: str, n: Any, name: str, side: str, is_ringed: bool) -> Markup:
    return Markup('<p class="pile-of{}"><span class="pile {} {}"></span><b>{}</b> {}</p>').format(
        " changed" if is_ringed else "", kind, side, n, name
    )


def zones_that_differ(before: Any, after: Any) -> list[str]:
    """The zones of a player that hold other cards, or another number of them, than before."""

    def holds(zones: Any, zone: str) -> Any:
        row = mapping(zones).get(zone)
        if zone == "deck":
            return row
        return sorted(str(card.get("card")) for card in cards_of(row)), unknown_in(row)

    names = [*HELD, "deck", *PILES]
    return [zone for zone in names if holds(before, zone) != holds(after, zone)]
