"""How the victory step, the end phase and the end of the game change the position (catalogue 4.26, 4.27)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import UNSET

from auditor.core.findings import Fact, Fault
from auditor.core.holes import Hole
from auditor.core.rulings import Hearing
from auditor.systems.hcg import records
from auditor.systems.hcg.adopt.battle import announce, begin_victory, close_action
from auditor.systems.hcg.position.parts import SETUP, Bonus, Pending
from auditor.systems.hcg.position.places import At
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.reckoning.plays import ability_of
from auditor.systems.hcg.reckoning.victory import (
    AFTER_EVENTS,
    CLAIMED,
    COMPARES,
    claimed_winner,
    closes_late,
    flags_of,
    is_left,
    round_of,
    rounds_over,
    tally,
    unresolved,
    victory_of,
)


class Asked:
    """What the readings say of an event of the victory step, asked before anything is changed."""

    __slots__ = ("known", "more", "own", "round", "winner")

    def __init__(self, event: records.Event, position: Position, hearing: Hearing) -> None:
        self.more: list[tuple[str, int]] = []
        self.round: str | None = None
        self.own = False
        self.known, self.winner = False, None
        if position.battle is None:
            return
        if isinstance(event, records.VictoryFlags):
            for role, claimed in (("attacker", event.atk), ("defender", event.dfd)):
                player = position.player_as(role)  # type: ignore[arg-type]
                if player is not None and claimed is not None:
                    value = flags_of(position, player, hearing)
                    if value.unknown is None and value.amount != claimed:
                        self.more.append((player, claimed - value.amount))
        elif isinstance(event, records.EventResolved) and event.source is not None:
            for one in unresolved(position):
                if one.card == event.source.card and event.source.ability in (None, one.ability):
                    self.round, self.own = round_of(one, position, hearing), one.by == event.by
        elif isinstance(event, records.VictoryResult):
            if event.winner is UNSET:
                found = tally(position, hearing)
                self.known = found is not None and found.unknown is None and not found.tainted
                self.winner = found.winner if found is not None else None
            else:
                self.known, self.winner = True, event.winner
        elif isinstance(event, records.SectorTaken):
            self.known, self.winner = claimed_winner(position, hearing)
            if event.by:
                told = position.battle.victory is not None and position.battle.victory.told
                self.known, self.winner = not told or event.by == self.winner, event.by


def put_right(event: records.Event, fault: Fault) -> Any:
    """A sector that went to the wrong player, or to nobody, goes to its winner, or to nobody."""
    winner = fault.recomputed.get("winner", UNSET) if isinstance(fault.recomputed, Mapping) else UNSET
    if isinstance(event, records.SectorReset) and isinstance(winner, str):
        return records.SectorTaken(seq=event.seq, sector=event.sector, by=winner)
    if isinstance(event, records.SectorTaken) and winner is None:
        return records.SectorReset(seq=event.seq, sector=event.sector)
    return msgspec.structs.replace(event, by=None) if isinstance(event, records.SectorTaken) else event


def step(event: records.Event, position: Position, asked: Asked) -> None:
    """An event of the victory step. Without a battle it says where cards came to lie, as far as it names the place."""
    if position.battle is None or closes_late(event, position):
        if isinstance(event, records.SectorTaken) and event.sector in position.sectors:
            _known_again(event.sector, position)
            _take(position, event.sector, event.by, event.discarded)
        elif isinstance(event, records.SectorReset) and event.sector in position.sectors:
            _known_again(event.sector, position)
            _lie_ready(position, event.sector, event)
        elif isinstance(event, records.VictoryDiscard) and event.by in position.table.other:
            _throw(position, event.by, event)
        return
    if position.battle.victory is None:
        begin_victory(position)
    if isinstance(event, AFTER_EVENTS):
        _change(position, over=True)
    if isinstance(event, COMPARES):
        _change(position, compared=True)
    roles = rounds_over(event, asked.round if asked.own else None)
    if roles and not isinstance(event, AFTER_EVENTS):
        shown = ("", *victory_of(position).revealed)
        _change(position, looked=victory_of(position).looked.union((role, one) for role in roles for one in shown))
    _STEPS[type(event)](event, position, asked)


def _change(position: Position, **more: Any) -> None:
    battle = position.battle
    if battle is not None and battle.victory is not None:
        position.battle = battle._replace(victory=battle.victory._replace(**more))


def _flags(event: records.VictoryFlags, position: Position, asked: Asked) -> None:
    """The table went on with the totals that it counted."""
    _change(position, counted=(*victory_of(position).counted, event.stage))
    for player, more in asked.more:
        position.bonuses = (*position.bonuses, Bonus(player, "flags", more, "battle", None, event.seq, what=CLAIMED))


def _reveal(event: records.VictoryReveal, position: Position, asked: Asked) -> None:
    if event.by not in position.table.other:
        return
    victory = victory_of(position)
    for instance in event.cards or ():
        if _may_be_held(instance, event.by, position):
            _to_hand(position, instance, event.by)
    shown = victory.shown.union(position.located(event.by, "command_hand"))
    _change(position, revealed=(*victory.revealed, event.by), shown=shown)
    if event.cards is not None:
        # The hand is what was shown of it.
        for instance in position.located(event.by, "command_hand"):
            if instance not in event.cards and not position.table.setup.terse:
                del position.at[instance]
        position.pools.pop((event.by, "command_hand", None), None)
        held = set(position.located(event.by, "command_hand")).intersection(
            event.cards
        )  # Else its place is still open.
        position.holes.state((("zone", event.by, "command_hand", None), *(("at", one) for one in held)))


def _may_be_held(instance: str, player: str, position: Position) -> bool:
    """Whether a card that is shown can be of a command hand: one of the player's, where not all that it holds is known."""
    hand: Fact = ("zone", player, "command_hand", None)
    known = not position.pool(player, "command_hand").n and position.holes.doubt((hand, ("at", instance))) is None
    return position.owner.get(instance, player) == player and (position.table.setup.terse or not known)


def _to_hand(position: Position, instance: str, player: str) -> None:
    """An instance is shown to be in a command hand. One that lies elsewhere stays there."""
    at = position.at.get(instance)
    if at is None or at.zone == "deck":
        position.show(instance, player, None)
        position.put(position.take(player, "command_hand", instance), At("command_hand", player, face="down"))


def _event(event: records.EventResolved, position: Position, asked: Asked) -> None:
    position.pending = None
    source = event.source
    if source is None or source.card is None:
        return
    victory = victory_of(position)
    numbered: Any = source.ability
    if numbered is None:
        same = [one.ability for one in unresolved(position) if one.card == source.card]
        numbered = same[0] if same else None
    rounds = victory.rounds if asked.round is None else (*victory.rounds, asked.round)
    _change(position, resolved=(*victory.resolved, (source.card, numbered)), rounds=rounds)
    ability = ability_of(position, records.Source(card=source.card, ability=numbered))
    if ability is None or event.by not in position.table.other:
        return
    if ability.status != "full" and position.battle is not None and "flag" in ability.text.lower():
        unread = (*position.battle.unread, f"{position.named(source.card)}: {ability.text}")
        position.battle = position.battle._replace(unread=unread)
    chosen = event.choices.cards if event.choices is not None else ()
    announce(Pending(event.seq, event.by, source.card, numbered, chosen), ability, position)


def _discard(event: records.VictoryDiscard, position: Position, asked: Asked) -> None:
    if event.by not in position.table.other:
        return
    _change(position, discarded=(*victory_of(position).discarded, event.by))
    _throw(position, event.by, event)


def _throw(position: Position, player: str, event: records.VictoryDiscard) -> None:
    for instance in position.located(player, "command_hand"):
        position.at[instance] = At("discard", player)  # One that is left out, too.
    for instance in event.cards or ():
        if position.at.get(instance) is None:
            position.show(instance, player, None)
            position.put(position.take(player, "command_hand", instance), At("discard", player))
    if event.cards is None:
        _discard_unknown(position, player)


def _discard_unknown(position: Position, player: str) -> None:
    for _ in range(position.pool(player, "command_hand").n):
        position.put(position.take(player, "command_hand", None), At("discard", player))


def _result(event: records.VictoryResult, position: Position, asked: Asked) -> None:
    if asked.known:
        _change(position, told=True, winner=asked.winner)


def _taken(event: records.SectorTaken, position: Position, asked: Asked) -> None:
    """The sector goes to its winner, the cards at it to their owners' discard piles, as far as the log says so."""
    assert position.battle is not None
    slot = event.sector if event.sector in position.sectors else position.battle.sector
    if not asked.known:
        why = (
            f"who took sector {slot} is not known: event {position.seq} says another player than the result before it"
            if event.by
            else f"event {position.seq} does not say who took sector {slot}"
        )
        position.holes.open(Hole(position.seq, why, frozenset({("sector", slot), "sectors"})))
    _take(position, slot, asked.winner, event.discarded)
    _close(position)


def _take(position: Position, slot: int, winner: str | None, discarded: list[str] | None) -> None:
    position.sectors[slot] = position.sectors[slot]._replace(state="taken", by=winner, when=position.turn)
    for instance, at in list(position.at.items()):
        here = at.zone == "sector" and at.sector == slot
        if here if discarded is None else (here or at.zone == "fleet") and instance in discarded:
            position.at[instance] = At("discard", position.owner.get(instance, at.player))
    for instance in discarded or ():
        owner = next((one for one in position.table.players if position.may_be(instance, one, "sector", slot)), None)
        if owner is not None:  # One that nobody has seen there before.
            position.put(position.take(owner, "sector", instance, slot), At("discard", owner))
    if discarded is None:
        for player in position.table.players:
            for _ in range(position.pool(player, "sector", slot).n):
                position.put(position.take(player, "sector", None, slot), At("discard", player))


def _known_again(slot: int, position: Position) -> None:
    """What became of a sector after its battle is said late."""
    if (hole := position.holes.doubt((("sector", slot),))) is not None:
        position.holes.fill(hole)


def _reset(event: records.SectorReset, position: Position, asked: Asked) -> None:
    """Every card at the sector is ready, as far as the log says so, and lies as it says."""
    battle = position.battle
    assert battle is not None
    if event.sector not in (None, battle.sector):
        return
    _lie_ready(position, battle.sector, event)
    _close(position)


def _lie_ready(position: Position, slot: int, event: records.SectorReset) -> None:
    for instance, at in list(position.at.items()):
        if at.zone == "sector" and at.sector == slot:
            ready = event.readied is None or instance in event.readied
            position.at[instance] = at._replace(stance="ready" if ready else at.stance, face=event.face or "up")
    position.sectors[slot] = position.sectors[slot]._replace(state="open")


def _close(position: Position) -> None:
    _change(position, closed=True)
    _end_bonuses(position)


def _end_bonuses(position: Position) -> None:
    position.end_bonuses("ba", "battle", SETUP)
    position.untold = ()


_STEPS: dict[type, Any] = {
    records.VictoryFlags: _flags,
    records.VictoryReveal: _reveal,
    records.EventResolved: _event,
    records.VictoryDiscard: _discard,
    records.VictoryResult: _result,
    records.SectorTaken: _taken,
    records.SectorReset: _reset,
}


def leave(position: Position) -> None:
    """Play goes on after a battle. What was due in it and is not recorded may have happened or not."""
    battle = position.battle
    if battle is None:
        return
    here = {one for one in position.left if (at := position.at.get(one)) is None or at.sector == battle.sector}
    position.left -= here
    close_action(position)
    victory = victory_of(position)
    for player in position.table.players:
        if player not in victory.discarded and battle.step != "setup":
            # Compulsory, and the record does not say anything else.
            for instance in position.located(player, "command_hand"):
                position.at[instance] = At("discard", player)
            _discard_unknown(position, player)
    if not victory.closed:
        why = f"the record does not say what became of sector {battle.sector} after its battle in turn {position.turn}"
        facts: set[Fact] = {("sector", battle.sector), "sectors", "flags"}
        facts |= {("zone", player, "sector", battle.sector) for player in position.table.players}
        facts |= {("zone", player, "discard", None) for player in position.table.players}
        facts |= {
            ("at", instance)
            for instance, at in position.at.items()
            if at.zone == "sector" and at.sector == battle.sector
        }
        position.holes.open(Hole(position.seq, why, frozenset(facts)))
    _end_bonuses(position)
    position.battle = None


# -- end phase, end of the game -----------------------------------------------------------------------------------


def ships(event: records.EndShips, position: Position) -> None:
    if event.by not in position.table.other:
        return
    position.rallied |= {event.by}
    for instance in position.located(event.by, "fleet"):
        if event.rallied is None or instance in event.rallied:
            position.at[instance] = position.at[instance]._replace(stance="ready")


def game_end(event: records.GameEnd | records.End, position: Position) -> None:
    """The game is over; play that goes on all the same is followed."""
    if isinstance(event, records.GameEnd) or event.reason == "finished":
        if is_left(event, position):
            leave(position)
        position.phase = "over"
