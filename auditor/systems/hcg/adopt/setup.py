"""How the choice of a battle and its set-up change the position (catalogue 4.9 to 4.11)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from auditor.core.findings import Fact
from auditor.core.holes import Hole
from auditor.systems.hcg import records
from auditor.systems.hcg.adopt.battle import given, may_last, ships_have_left
from auditor.systems.hcg.adopt.in_doubt import return_unseen
from auditor.systems.hcg.adopt.victory import leave
from auditor.systems.hcg.position.parts import SETUP, SLOTS, Battle, Pending
from auditor.systems.hcg.position.places import At
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.reckoning.battles import (
    cards_at,
    is_chosen_again,
    may_fight_at,
    owner_of_flipped,
    stage_of,
    stands_for,
    won,
)
from auditor.systems.hcg.reckoning.plays import ability_of, announced


def _choose(event: records.BattleChoose, position: Position) -> None:
    if is_chosen_again(event, position):
        position.unsaid = 0
        return
    leave(position)
    position.phase = "battle"
    position.last = position.missed = None
    position.action, position.windows = None, ()
    position.end_bonuses()
    position.roll = position.pending = None
    position.plays, position.arrived, position.untold = (), (), ()
    position.wounds = {}
    for slot, sector in position.sectors.items():
        if sector.state == "in_battle":
            position.sectors[slot] = sector._replace(state="open")
    position.joined = ()
    locked = {one for one, at in position.at.items() if at.zone == "fleet" and at.stance == "locked"}
    position.spent = frozenset(locked) if "fought" in position.had.values() else frozenset()
    if event.by in position.table.other:
        position.had[event.by] = "fought"
        attacker = position.player_as("attacker")
        if attacker not in (None, event.by) and not position.table.later_choice(event.seq, str(attacker)):
            position.had.setdefault(str(attacker), "none")
    if event.sector not in SLOTS:
        position.battle = None
        why = f"at which sector the battle of event {position.seq} was fought is not known, nor what it changed"
        position.holes.open(Hole(position.seq, why))
        return
    # A battle begins, in which nobody has done anything yet.
    position.holes.state(("battle", "setup", "stage", "next", "passes", "bonuses", "flags", "granted", "roll"))
    n = 2 if event.by is not None and event.by == position.player_as("defender") else 1
    chooser = event.by if event.by in position.table.other else None
    position.battle = Battle(n, event.sector, chooser, "setup", chooser)
    if not any(position.has_cards_at(player, event.sector) for player in position.table.players):
        position.battle = position.battle._replace(chosen="void")
    there = position.sectors[event.sector]
    if there.state != "taken":
        position.sectors[event.sector] = there._replace(state="in_battle", fought=True)


def choose_unsaid(event: records.SetupFlip, position: Position) -> None:
    """A battle is set up next whose choice is not recorded (HCG-BPH-02, HCG-BPH-03), or comes late: it is that of the player
    who has had none in this turn, if there can be such a battle."""
    if (battle := position.battle) is not None and (battle.victory is None or not battle.victory.closed):
        return
    attacker, defender = position.player_as("attacker"), position.player_as("defender")
    had = position.had if position.phase == "battle" else {}
    due = defender if attacker in had or (event.battle == 2 and defender not in had) else attacker
    may_be = position.phase in ("deployment", "battle") or position.holes.doubt(("phase",)) is not None
    if due is None or due in had or not may_be or won(position):
        return
    if event.sector not in may_fight_at(position, due):
        return
    _choose(records.BattleChoose(seq=event.seq, by=due, sector=event.sector), position)
    if position.battle is not None:
        position.battle = position.battle._replace(chosen="unsaid")
    position.unsaid = event.seq


def _none(event: records.BattleNone, position: Position) -> None:
    leave(position)
    position.phase = "battle"
    position.last = position.missed = None
    if event.by in position.table.other:
        position.had.setdefault(event.by, "none")


def _staged(event: records.Event, position: Position) -> None:
    battle, stage = position.battle, stage_of(event)
    if battle is not None and stage is not None:
        position.battle = battle._replace(stage=max(battle.stage, stage), behind=stage < battle.stage)
        position.holes.state(("stage",))


def _flip(event: records.SetupFlip, position: Position) -> None:
    _staged(event, position)
    battle = position.battle
    if battle is not None and event.sector in position.open_slots() and event.sector != battle.sector:
        battle = _move(battle, event, position)
    unsure, astray, listed = [], [], list[str]()
    position.left -= {one.card for one in event.cards or () if one.card is not None}
    for one in event.cards or ():
        if one.card is None or battle is None:
            continue
        owner = owner_of_flipped(position, one.card, one.id)
        if one.id is not None and position.card.get(one.card, one.id) != one.id:
            astray.append(one.card)  # It is another card (HCG-DOC-02).
        if one.card in listed:
            astray.append(one.card)
        listed.append(one.card)
        position.show(one.card, owner, one.id)
        at = position.at.get(one.card)
        if at is not None and at.zone not in ("deploy_hand", "deck") and at.sector != battle.sector:
            _stands_for(event, one.card, owner, position)
            astray.append(one.card)
        if at is not None and at.zone == "sector":
            position.at[one.card] = at._replace(face="up", sector=battle.sector)
        elif owner is None:
            unsure.append(one.card)
        elif at is None or at.zone in ("deploy_hand", "deck"):
            taken = position.take(owner, "sector", one.card, battle.sector)
            position.put(taken, At("sector", owner, battle.sector))
    if unsure:
        why = f"event {position.seq} does not tell whose the cards are that were turned up"
        position.holes.open(Hole(position.seq, why))
    if astray and battle is not None:
        _meant(astray, battle, position)


def _meant(astray: Sequence[str], battle: Battle, position: Position) -> None:
    """Cards were said to be turned up that lie elsewhere (HCG-BSET-03), or are others. Where no more than these are left face
    down, they may have been meant, and the others lie where they lay."""
    players = position.table.players
    down = [one for player in players for _, one, at in cards_at(position, player) if at.face == "down"]
    unknown = [player for player in players for _ in range(position.pool(player, "sector", battle.sector).n)]
    if not 0 < len(down) + len(unknown) <= len(astray):
        return
    for instance in down:
        position.at[instance] = position.at[instance]._replace(face="up")
    for player in unknown:
        position.lose(player, "sector", battle.sector)
    named = " or ".join(map(position.named, dict.fromkeys((*astray, *down))))
    why = f"whether {named} was turned up at event {position.seq}, or which card, is not known"
    facts: set[Fact] = {("at", one) for one in (*astray, *down)}
    facts |= {("zone", player, "sector", battle.sector) for player in unknown}
    position.holes.open(Hole(position.seq, why, frozenset(facts)))


def _stands_for(event: records.SetupFlip, instance: str, owner: str | None, position: Position) -> None:
    """A card that cannot be there was turned up in place of one that was deployed unnamed: which that is nobody knows."""
    if position.battle is None or owner is None or not stands_for(event, owner, position):
        return
    slot = position.battle.sector
    position.lose(owner, "sector", slot)
    why = f"which card of {owner} lies at sector {slot} instead of {instance} is not known"
    position.holes.open(Hole(position.seq, why, frozenset({("zone", owner, "sector", slot)})))


def _move(battle: Battle, event: records.SetupFlip, position: Position) -> Battle:
    """The battle is fought where the cards lie that are turned up (HCG-BSET-02)."""
    sector = event.sector
    lie = {at.sector for one in event.cards or () if (at := position.at.get(one.card or "")) and at.zone == "sector"}
    if sector is None or lie != {sector} or position.sectors[sector].fought:
        return battle
    position.sectors[battle.sector] = position.sectors[battle.sector]._replace(state="open", fought=False)
    position.sectors[sector] = position.sectors[sector]._replace(state="in_battle", fought=True)
    position.battle = battle._replace(sector=sector)
    return position.battle


def _unique(event: records.SetupUnique, position: Position) -> None:
    _staged(event, position)
    if position.battle is None:
        return
    for instance in event.returned or ():
        at = position.at.get(instance)
        if at is None:
            return_unseen(instance, position)
        if at is None or at.zone != "sector":
            continue
        owner = position.owner.get(instance, at.player)
        position.at[instance] = At(event.to or "command_hand", owner, face="down")
        battle = position.battle
        both = (*battle.both, instance) if event.reason != "own" else battle.both
        position.battle = battle._replace(returned=(*battle.returned, owner), both=both)


def _ability(event: records.SetupAbility, position: Position) -> None:
    _staged(event, position)
    source = event.source
    if position.battle is not None and source is not None and source.card is not None:
        carried = (*position.battle.carried, (source.card, source.ability))
        position.battle = position.battle._replace(carried=carried)
        if event.by not in position.table.other and (at := position.at.get(source.card)) is not None:
            event = msgspec.structs.replace(event, by=at.player)  # Whose card it is carries it out.
        _given(event, source, position)


def _given(event: records.SetupAbility, source: records.Source, position: Position) -> None:
    """The numbers that an instruction gives, as far as its choices are recorded; an effect that follows takes their place."""
    play = announced(event, position)
    ability = ability_of(position, play)
    if play is None or ability is None:
        return
    if may_last(ability):
        position.untold = (*position.untold, (play.card, f"{position.named(play.card)}: {ability.text}"))
    if ability.type != "setup" or not ability.effects_are_read:
        return
    made = given(Pending(play.seq, play.by, play.card, play.ability, play.choices or ()), ability, position)
    lasting = tuple(bonus._replace(until=SETUP) if bonus.until == "ba" else bonus for bonus in made)
    position.bonuses = (*position.bonuses, *lasting)


def _ships(event: records.SetupShips, position: Position) -> None:
    _staged(event, position)
    for instance in event.ships or ():
        at, card = position.at.get(instance), position.card_of(instance)
        if at is not None and at.zone == "sector" and (card is None or card.kind == "ship"):
            position.at[instance] = At("fleet", at.player)
            position.joined = (*position.joined, instance)


def _skip(event: records.SetupSkip, position: Position) -> None:
    _staged(event, position)
    if position.battle is not None:
        position.battle = position.battle._replace(skipped=True)
        ships_have_left(position)


FOLLOWED: dict[type, Callable[[Any, Position], None]] = {
    records.BattleChoose: _choose,
    records.BattleNone: _none,
    records.SetupFlip: _flip,
    records.SetupUnique: _unique,
    records.SetupAbility: _ability,
    records.SetupShips: _ships,
    records.SetupSkip: _skip,
}
"""Event types of the battle phase before the first battle action."""
