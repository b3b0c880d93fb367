"""Boards of cards: sectors between the rows of two players, fleets, what is known of hands and decks, open windows.

{"kind": "cards", "roles": {player: role}, "sectors": [{"slot", "title", "state", "by", "requirement", "flags": {player:
total}, "counted": {player: [{"card": id|null, "title", "flags"}…]}, "rows": {player: row}}…], "zones": {player: {"deck":
n|null, "fleet": row, "deploy_hand": row, "command_hand": row, "discard": row, …}}, "windows": [{"kind", "next", "passes",
"entries": [event…]}…] (the innermost last), "battle": {"sector", "step", "next", "passes", "action"}, "texts": [{"card",
"title", "lines": [text…]}…]}; a row is {"cards": [{"card", "title", "type", "face", "position", "stats": {name: number},
"flags"}…], "unknown": n}; `counted` is what `flags` is made of, by cards there and elsewhere. All but `kind` may
be absent. A card that no pack knows has no title and is shown by its id.
Marks, each with a "label" if it has something to say, and "ok": false for what was not allowed:
{"mark": "card", "card", "how": "acts|bad|claimed|ruled|changed|note"}   a card that is meant
{"mark": "sector", "sector", "how": "changed"}                   a sector that is meant
{"mark": "hand", "player", "zone", "how": "changed"}             what a player holds
{"mark": "takes", "sector", "player"|null, "how": "claimed|ruled"}   who takes a sector
{"mark": "attack", "from", "to"}                                 who attacks whom
{"mark": "sum", "card", "title", "stat", "parts": [[name, number]…], "total", "against", "outcome"}   a number's parts
{"mark": "test", "need", "roll", "final"}                        what a test needs, what was rolled and made of it
{"mark": "text", "card", "text", "from", "to"}                   the part of a card's text that applied
"""

from __future__ import annotations

from auditor.report.boards.cards.action import ACTIONS
from auditor.report.boards.cards.drawing import draw, key_items
from auditor.report.boards.cards.pieces import DEFS
from auditor.report.boards.cards.rows import zones
from auditor.report.boards.cards.table import named
from auditor.report.boards.cards.words import (
    changes,
    description,
    differing,
    interest,
    mark_words,
    state,
    value_words,
    when,
)
from auditor.report.boards.kind import Kind

CARDS = Kind(
    key="cards",
    template="boards/cards.html",
    draw=draw,
    interest=interest,
    description=description,
    state=state,
    when=when,
    changes=changes,
    differing=differing,
    beside=zones,
    key_items=key_items,
    mark_words=mark_words,
    value=value_words,
    passages=ACTIONS,
    named=named,
    defs=DEFS,
    closes_up=False,
)
