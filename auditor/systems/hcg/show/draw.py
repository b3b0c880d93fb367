"""The table as data to draw, its facts, and events in words."""

from __future__ import annotations

from typing import Any

from auditor.core.ruleset import Moment
from auditor.core.rulings import Hearing
from auditor.systems.hcg import records
from auditor.systems.hcg.position.parts import SLOTS
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.readings import DEFAULTS
from auditor.systems.hcg.reckoning.game_end import winner_by_sectors
from auditor.systems.hcg.reckoning.values import PartOf
from auditor.systems.hcg.reckoning.victory import flags_of


def facts(position: Position) -> dict[str, Any]:
    """What two positions are compared by: where each known card lies, how many lie where."""
    found: dict[str, Any] = {"turn": position.turn, "phase": position.phase.replace("_", " ")}
    for player, role in position.roles.items():
        found[f"role of {player}"] = role
    for slot, of in position.sectors.items():
        taken = f"taken by {of.by}" if of.by is not None else "taken by nobody"
        found[f"sector {slot}"] = taken if of.state == "taken" else of.state.replace("_", " ")
    found["winner"] = winner_by_sectors(position)
    for instance, at in position.at.items():
        if at.zone != "deck":
            facing = f", face {at.face}, {at.stance}" if at.zone == "sector" else ""
            found[instance] = f"{_place(at.zone, at.sector, at.player)}{facing}"
    for (player, zone, sector), pool in position.pools.items():
        found[f"unknown cards: {_place(zone, sector, player)}"] = pool.n
    for player, n in position.deck_n.items():
        if n is not None:
            found[f"deck of {player}"] = n
    return found


def _place(zone: str, sector: int | None, player: str) -> str:
    """Where a card lies, as players call it."""
    if zone == "limbo":
        return f"being played by {player}"
    return f"sector {sector} of {player}" if sector is not None else f"{zone.replace('_', ' ')} of {player}"


def draw(position: Position, event: records.Event) -> dict[str, Any]:
    """The board of kind `cards`: three sectors, the rows of both players, hands, decks, fleets, open windows."""
    return {
        "kind": "cards",
        "moment": moment(event, position),
        "turn": position.turn,
        "phase": position.phase,
        "roles": dict(position.roles),
        "sectors": [
            {
                "slot": slot,
                "card": position.sectors[slot].card,
                **_sector(position, position.sectors[slot].card),
                "state": position.sectors[slot].state,
                "by": position.sectors[slot].by,
                **_flags(position, slot),
                "rows": {player: _row(position, player, "sector", slot) for player in position.table.players},
            }
            for slot in SLOTS
        ],
        "zones": {
            player: {
                "deck": position.deck_n.get(player),
                **{
                    zone: _row(position, player, zone, None)
                    for zone in ("deploy_hand", "command_hand", "fleet", "discard", "limbo", "set_aside")
                },
            }
            for player in position.table.players
        },
        "windows": [
            {"kind": window.kind, "next": window.next, "passes": window.passes, "entries": list(window.entries)}
            for window in position.windows
        ],
        "battle": _battle(position),
    }


def _sector(position: Position, card_id: str | None) -> dict[str, Any]:
    card = position.table.cards.get(card_id)
    return (
        {"title": card_id, "requirement": None}
        if card is None
        else {"title": card.title, "requirement": card.requirement}
    )


def _flags(position: Position, slot: int) -> dict[str, Any]:
    """The flag total of each player at the sector of the battle, and what it is made of, in the order of the row and then of
    what changed it; none that hangs on an open reading, on a card that nobody knows or on a text that was not read."""
    battle = position.battle
    if battle is None or battle.sector != slot or battle.step == "setup":
        return {}
    totals, counted = {}, {}
    by_name: dict[str, str] | None = None
    for player in position.table.players:
        hearing = Hearing(DEFAULTS)
        value = flags_of(position, player, hearing)
        if not (value.unknown or value.tainted or hearing.asked):
            if by_name is None:
                by_name = {position.named(card): card for card in reversed(tuple(position.at))}
            totals[player] = value.amount
            counted[player] = [_counted(part, by_name.get(part.what), position) for part in value.parts]
    return {"flags": totals, "counted": counted} if totals else {}


def _counted(part: PartOf, card: str | None, position: Position) -> dict[str, Any]:
    """A part of a flag total: of the card that has it, or that changed it, where that can be told."""
    known = position.card_of(card) if card is not None else None
    return {"card": card, "title": known.title if known is not None else part.what, "flags": part.amount}


def _battle(position: Position) -> dict[str, Any] | None:
    battle = position.battle
    if battle is None:
        return None
    return {"sector": battle.sector, "step": battle.step, "next": battle.next, "passes": battle.passes}


def _row(position: Position, player: str, zone: Any, sector: int | None) -> dict[str, Any]:
    cards = []
    for instance in position.located(player, zone, sector):
        at = position.at[instance]
        card = position.card_of(instance)
        title = card.title if card is not None else None
        stats = {name: n for name, n in card.stats.items() if n is not None} if card is not None else {}
        flags = card.flags if card is not None else None
        shown = {"card": instance, "title": title, "face": at.face, "position": at.stance, "flags": flags}
        cards.append({**shown, "stats": stats if zone == "sector" else {}})
    return {"cards": cards, "unknown": position.pool(player, zone, sector).n}


def moment(event: records.Event, position: Position) -> Moment:
    """The turn and phase in which an event stands. All that comes before the first turn is the set-up."""
    if position.phase == "setup" and not isinstance(event, (records.TurnStart, records.PhaseStart)):
        return {"part": "Set-up", "short": "", "text": "Set-up"}
    turn, phase = position.turn, position.phase
    if isinstance(event, records.TurnStart):
        turn, phase = event.turn or turn + 1, "first_wave"
    elif isinstance(event, records.PhaseStart) and event.phase is not None:
        phase = event.phase
    return {"part": f"Turn {turn}", "short": f"T{turn}", "text": f"Turn {turn}, {phase.replace('_', ' ')}"}


def unfinished(position: Position) -> list[str]:
    """What is still due at the end of a record."""
    if position.phase in ("setup", "over"):
        return []
    due = [f"turn {position.turn} is in its {position.phase.replace('_', ' ')}."]
    for player in position.table.players:
        n = position.count(player, "deploy_hand")
        if n:
            due.append(f"{player} has {n} card{'s' * (n > 1)} left to deploy.")
    return due
