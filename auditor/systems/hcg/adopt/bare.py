"""An `effect` that stands in place of the bare event (catalogue 5.3, Abilities), as the table went on with it."""

from __future__ import annotations

from typing import Any

import msgspec

from auditor.core.findings import Fact
from auditor.core.holes import Hole
from auditor.systems.hcg import records
from auditor.systems.hcg.abilities.shapes import Effect
from auditor.systems.hcg.position.play import Play
from auditor.systems.hcg.position.state import Position, on_board
from auditor.systems.hcg.reckoning.claims import op_of
from auditor.systems.hcg.reckoning.plays import ability_of, play_by, players_of

BARE: dict[str | None, Any] = {
    "destroy": records.Destroy,
    "lock": records.Lock,
    "rally": records.Rally,
    "return": records.Return,
    "infiltrate": records.Infiltrate,
    "draw": records.Draw,
    "discard": records.Discard,
    "mill": records.Mill,
}
"""What an `effect` may say in place of a bare event."""
_PLACES: dict[str | None, records.ZoneName] = {"hand": "command_hand", "discard": "discard", "deck": "deck"}
"""Places as texts name them -> zones."""


def as_bare(event: records.Effect, position: Position) -> Any:
    """The bare event that an `effect` stands in place of; where that stands beside it, it changes nothing more, and where it
    does not tell which cards moved, those in question are a hole."""
    play = play_by(event, position)
    ability = ability_of(position, play)
    effects = ability.effects if ability is not None else ()
    if event.op is None:
        told = op_of(event, position)
        if told is None:
            _leave_all_open(event, position)
            return event
        event = msgspec.structs.replace(event, op=told)
    kind = BARE.get(event.op)
    if kind is None:
        return event
    players = [one for one in event.targets or () if one in position.table.other]
    says: dict[str, Any] | None
    if kind in (records.Destroy, records.Lock, records.Rally) and event.targets is not None:
        says = {"cards": event.targets}
    elif _stands_beside(event, kind, play, players, position):
        return event
    else:
        printed = next((one for one in effects if one.op == event.op), None)
        if kind is records.Draw and event.targets is None and play is not None and printed is not None:
            players = [*players_of(printed.player, play.by, position)]
        says = _says(event, kind, play, printed, players, position)
    if says is None:
        _leave_open(event, players or list(position.table.players), position)
        return event
    labels: dict[str, Any] = {"turn": event.turn, "battle": event.battle, "ba": event.ba, "ids": event.ids}
    return kind(seq=event.seq, cause="effect", source=event.source, **labels, **says)


def _says(
    event: records.Effect, kind: Any, play: Play | None, printed: Effect | None, players: list[str], position: Position
) -> dict[str, Any] | None:
    """What the bare event says of who moves which cards, and where; None where the effect and its text do not tell."""
    if kind is records.Draw:
        n = printed.n if event.amount is None and printed is not None else event.amount
        return {"by": players[0], "n": n, "to": "command_hand"} if len(players) == 1 and isinstance(n, int) else None
    if event.targets is None or play is None:
        return None
    says: dict[str, Any] = {"cards": event.targets}
    if kind is records.Return and ability_of(position, play) is not None:
        to = _PLACES.get(printed.to.place) if printed is not None and printed.to is not None else None
        return {**says, "to": to} if all(map(position.lives_in_play, event.targets)) else None
    if kind is records.Mill and not players:
        whose = players_of(printed.player if printed is not None else None, play.by, position)
        return {**says, "by": whose[0]} if len(whose) == 1 else None
    source = printed.source if printed is not None else None
    if kind is records.Infiltrate and source is not None and source.whose in ("you", "owner"):
        return {**says, "by": play.by, "from_": _PLACES[source.place]}
    return None


def _stands_beside(event: records.Effect, kind: Any, play: Play | None, players: list[str], position: Position) -> bool:
    """Whether the bare event is recorded too, since the ability was announced or later in the same battle action."""
    says_barely = position.table.later.says_barely
    if play is not None:
        return says_barely(kind, play.card, play.seq, players)
    return says_barely(kind, event.source.card if event.source is not None else None, event.seq, players)


def _leave_all_open(event: records.Effect, position: Position) -> None:
    """What an ability did nobody can say: it may have changed numbers, traits and positions, and moved cards."""
    _leave_open(event, list(position.table.players), position)
    why = f"what event {event.seq} did is not known"
    position.holes.open(Hole(event.seq, why, frozenset({"bonuses", "granted", "flags", "roll"})))


def _leave_open(event: records.Effect, players: list[str], position: Position) -> None:
    """Which cards moved nobody can say."""
    lying = [one for one, _ in on_board(position)] if event.targets is None else event.targets
    facts: set[Fact] = {"flags", *(("at", one) for one in lying if one not in position.table.other)}
    for player in players:
        facts |= {("deck", player), *(("zone", player, zone, None) for zone in ("command_hand", "discard", "fleet"))}
        facts |= {("at", one) for one in position.located(player, "command_hand")}
        facts |= {("at", one) for one in position.located(player, "discard") if event.targets is None}
        facts |= {("zone", player, "sector", slot) for slot in position.sectors}
    why = f"which cards event {event.seq} moved is not known"
    position.holes.open(Hole(event.seq, why, frozenset(facts)))
