"""What the table went on with: the only place where a position changes.

The log's claims are adopted where they can exist.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec import UNSET

from auditor.core.findings import Fact, Fault
from auditor.core.holes import Hole
from auditor.core.rulings import Hearing
from auditor.systems.hcg import (
    adopt_battle,
    adopt_deployment,
    adopt_plays,
    adopt_reactions,
    adopt_rolls,
    adopt_setup,
    adopt_special,
    adopt_victory,
    as_fought,
    records,
)
from auditor.systems.hcg.adopt_battle import FOLLOWED as BATTLE
from auditor.systems.hcg.adopt_battle import IN_THE_FIGHT, come_to_light, damage
from auditor.systems.hcg.adopt_deployment import begin_turn, enter, refill_unsaid
from auditor.systems.hcg.as_bare import BARE, as_bare
from auditor.systems.hcg.as_played import DOUBTED, PUT_RIGHT, as_played, doubt
from auditor.systems.hcg.readings import DEFAULTS
from auditor.systems.hcg.reckoning.amounts import told
from auditor.systems.hcg.reckoning.attacks import outcome
from auditor.systems.hcg.reckoning.choices import unchosen
from auditor.systems.hcg.reckoning.costs import goes_on
from auditor.systems.hcg.reckoning.deployment import begins_as_foretold
from auditor.systems.hcg.reckoning.game_end import winner_by_sectors
from auditor.systems.hcg.reckoning.plays import ANNOUNCES, announced, play_by
from auditor.systems.hcg.reckoning.reactions import BRINGS_ABOUT
from auditor.systems.hcg.reckoning.refills import MAY_RUN_SHORT, ran_short
from auditor.systems.hcg.reckoning.resolve import View
from auditor.systems.hcg.reckoning.victory import STEPS, flags_of, supplied
from auditor.systems.hcg.state import SLOTS, At, Battle, Bonus, Pool, Position, Reveal, Sector, Taken, Victory, on_board


def adopt(event: Any, view: View, position: Position, hearing: Hearing) -> None:
    """Go on with what the log claims, where it can exist."""
    kind = type(event)
    if kind is records.Effect:
        event = as_bare(event, position)
        kind = type(event)
    if kind in DOUBTED and position.battle is not None:
        doubt(event, position)
    if kind in PUT_RIGHT:
        event = as_played(event, position)
    # Readings are asked before anything is changed.
    if kind is records.Effect and event.amount is None and event.op in ("modify", "flags"):
        event = msgspec.structs.replace(event, amount=told(event, position, hearing))
    fell = rolled = asked = last_word = play = None
    ends: tuple[adopt_rolls.End, ...] = ()
    if kind is records.Damage:
        if event.by_ability and event.to is None:
            found = play_by(event, position)
            if found is not None and found.choices is not None and len(found.choices) == 1:
                event = msgspec.structs.replace(event, to=found.choices[0])
        fell = as_fought.fell(event, outcome(event, position, hearing), position, hearing)
    elif kind is records.Roll:
        rolled = adopt_rolls.result(event, position, hearing)
    if position.roll is not None and not position.roll.settled:
        ends = adopt_rolls.unwind(event, position, hearing)
        last_word = adopt_rolls.last_word(event, position, hearing)
    if kind in STEPS:
        asked = adopt_victory.Asked(event, position, hearing)
    position.kept = None
    was_at = position.seq
    if kind in MAY_RUN_SHORT and (short := ran_short(event, position)) is not None:
        position.short |= {short}
        refill_unsaid(event, short, position)
    position.seq, position.adopting = event.seq or position.seq + 1, True
    if kind not in (records.Reshuffle, records.Remark):
        position.settled = ()
    if event.ids:
        drawn = (event.cards or ()) if kind is records.Draw and event.by in position.table.other else ()
        for instance, card in event.ids.items():
            position.show(instance, event.by if instance in drawn else None, card)
    for end in ends:
        adopt_rolls.settle_roll(position, end)
    if position.battle is not None and position.battle.step == "setup":
        adopt_setup.lie_elsewhere(event, position)
    if kind in ANNOUNCES:
        play = adopt_plays.with_its_table(announced(event, position), was_at, position)
    if position.happened or position.reacted or position.windows:
        adopt_reactions.passes_by(event, position)
    if kind in BRINGS_ABOUT:
        adopt_reactions.note(event, position, fell)
    if position.plays:
        # What cards are, an event may show, and the one after it (`card_of`).
        if "costs" in view.topics or position.table.shows:
            adopt_plays.note_late(position, event)
        adopt_plays.note_over(position, event)
    if position.arrived and goes_on(event):
        position.arrived = ()
    if kind in _FOLLOW_ASKING:
        if kind in IN_THE_FIGHT:
            come_to_light(event, position)
        _FOLLOW_ASKING[kind](event, position, hearing)
    elif kind in _FOLLOW:
        _FOLLOW[kind](event, position)
    elif kind is records.Roll:
        adopt_rolls.roll(event, rolled, position)
    elif asked is not None:
        adopt_victory.step(event, position, asked)
    else:
        assert fell is not None, f"{kind.__name__} is not followed"
        if event.by_ability:
            adopt_plays.effect_damage(event, fell.destroyed, position)
        else:
            damage(event, fell, position)
    if kind not in (records.Remark, records.Position, records.Judge):
        position.foretold = False
    if kind in GOES_ON and winner_by_sectors(position) is not None:
        position.after_win |= {"battle" if kind is records.BattleChoose else "turn"}
    if kind is records.Effect and event.op is not None:
        moved = event.op in BARE  # The bare event beside it says which cards.
        adopt_plays.note_done(position, event, event.op, () if moved else tuple(event.targets or ()))
        adopt_plays.note_given(position, event)
    if last_word is not None:
        adopt_rolls.settle_roll(position, last_word)
    if play is not None:
        position.plays = (*position.plays, play)
        adopt_special.announced(event, position)
    if position.action is not None and position.action.mode == "special":
        adopt_special.follow(event, position)
    lacking = records.lacking(event)
    if play is not None and unchosen(play, position):
        lacking.append("what was chosen")
    if lacking:
        why = f"event {position.seq} does not state {' and '.join(lacking)}"
        position.holes.open(Hole(position.seq, why))
    position.started, position.adopting = True, False


def correct(event: Any, view: View, position: Position, hearing: Hearing, fault: Fault) -> None:
    """Adopt an event with one fault put right: an illegal act does not happen, a wrong number is not believed."""
    if type(event) in (records.Roll, records.RollFinal) and fault.kind == "miscalculated":
        event = msgspec.structs.replace(event, final=None, passed=None)
        if fault.rule == "HCG-ROLL-01":
            event = msgspec.structs.replace(event, die=None)
    if type(event) is records.Damage and fault.kind == "miscalculated":
        event = msgspec.structs.replace(event, stat=None, amount=None, armor=None, destroyed=None)
    if type(event) in STEPS and fault.kind in ("miscalculated", "omitted"):
        event = adopt_victory.put_right(event)
    if type(event) is records.Effect and fault.kind == "miscalculated":
        event = msgspec.structs.replace(event, amount=None)
    if type(event) is records.BaEnd:
        event = msgspec.structs.replace(event, positions=None)
    if fault.rule == "HCG-DEP-01" and fault.kind == "illegal" and isinstance(fault.recomputed, int):
        event = msgspec.structs.replace(
            event, n=fault.recomputed, cards=(event.cards or [])[: fault.recomputed] or None
        )
    elif fault.kind == "illegal" and fault.seq is None and not isinstance(event, _MARKS):
        position.kept = None
        position.seq = event.seq or position.seq + 1
        position.started = True
        return
    if fault.rule == "HCG-SETUP-02" and fault.kind == "miscalculated":
        event = records.SetupReveal(seq=event.seq, by=event.by, card=event.card, ids=event.ids)
    adopt(event, view, position, hearing)


_MARKS = (records.PhaseStart, records.TurnStart, records.TurnEnd)


# -- setting up ---------------------------------------------------------------------------------------------------


def _shuffle(event: records.SetupShuffle, position: Position) -> None:
    if event.by in position.table.other:
        position.shuffle_in(event.by, (), tuple(event.order) if event.order is not None else None)
        if event.by in position.reveals:
            position.shuffled |= {event.by}


def _reveal(event: records.SetupReveal, position: Position) -> None:
    if event.by not in position.table.other:
        return
    if event.card is not None:
        position.show(event.card, event.by, None)
        if event.card not in position.at and not position.deck_top.get(event.by):
            position.order_deck(event.by, (event.card,))
        position.contradict_top(event.by, event.card)
    card = position.card_of(event.card)
    die = event.die if event.die is not None else card.die if card is not None else None
    position.reveals.setdefault(event.by, Reveal(event.card, die, position.seq))


def _coin(event: records.SetupCoin, position: Position) -> None:
    if event.winner in position.table.other:
        position.coin = event.winner


def _role(event: records.SetupRole, position: Position) -> None:
    if position.roles or event.by not in position.table.other or event.role is None:
        return  # Roles never change (HCG-SETUP-04).
    position.role_by = event.by
    position.roles[event.by] = event.role
    position.roles[position.other(event.by)] = "defender" if event.role == "attacker" else "attacker"


def _planet(event: records.SetupPlanet, position: Position) -> None:
    position.planet = event.planet


# -- turns --------------------------------------------------------------------------------------------------------


def _turn_start(event: records.TurnStart, position: Position) -> None:
    if begins_as_foretold(event, position):
        # The position says where everything lies in this turn.
        position.phase, position.marked = "first_wave", ""
    else:
        begin_turn(position, event.turn)


def _phase_start(event: records.PhaseStart, position: Position) -> None:
    if event.phase is None or event.phase in ("setup", "over"):
        return
    if position.phase == "setup":
        begin_turn(position, event.turn)
    enter(position, event.phase)
    position.marked = event.phase


def _ships(event: records.EndShips, position: Position) -> None:
    enter(position, "end")
    adopt_victory.ships(event, position)


def _end_check(event: records.EndCheck, position: Position) -> None:
    enter(position, "end")


def _turn_end(event: records.TurnEnd, position: Position) -> None:
    enter(position, "end")


# -- what every game has ------------------------------------------------------------------------------------------


def _nothing(event: Any, position: Position) -> None:
    """An event that changes nothing on the table."""


def _stated(event: records.Position, position: Position) -> None:
    state(position, event)


def _judge(event: records.Judge, position: Position) -> None:
    if event.position is not None:
        state(position, event.position)


def _begins_within(position: Position, stated: records.Position | records.Stated) -> bool:
    """Whether a record begins with this position, and what follows belongs to a battle action that it does not show."""
    if position.started:
        return False
    return position.table.later.within_a_battle_action(position.seq, stated.ba)


def state(position: Position, stated: records.Position | records.Stated) -> None:
    """Adopt a stated position. What it leaves out is a hole (catalogue 5.3, *Position*)."""
    facts: set[Fact] = {"phase", "roles", "next", "reveals", "sectors"}
    facts |= {("sector", slot) for slot in SLOTS}
    for player in position.table.players:
        facts |= {("served", player), ("drawn", player), ("deck", player)}
        facts |= {("zone", player, zone, None) for zone in _ZONES}
        facts |= {("zone", player, "sector", slot) for slot in SLOTS}
    told: set[Fact] = set()
    within = position.action is not None or _begins_within(position, stated)
    position.left = frozenset()
    position.foretold = stated.turn is not None and stated.phase in (None, "first_wave")
    facts |= {"turn"}
    if stated.turn is not None:
        position.turn = position.turn_said = stated.turn
        told |= {"turn"}
    if stated.planet is not None:
        position.planet = stated.planet
    in_battle = stated.sector in SLOTS and stated.step is not None
    phase: Any = stated.phase or ("battle" if in_battle else None)
    if phase is not None:
        # Whether its mark came before, or comes after the position, nobody can say.
        position.marked = position.marked if position.phase == phase else ""
        position.phase = phase
        told |= {"phase"}
    elif position.phase == "setup":
        position.phase = "first_wave"
    if stated.roles is not None:
        position.roles = dict(stated.roles)
        told |= {"roles"}
    if position.phase != "setup":
        told |= {"reveals"}
    for instance, card in (stated.ids or {}).items():
        position.show(instance, None, card)
    for one in stated.sectors or ():
        if one.slot in position.sectors and one.state is not None:
            there = position.sectors[one.slot]
            position.sectors[one.slot] = Sector(there.card, one.state, one.by, bool(one.fought))
            told |= {("sector", one.slot)}
    if told >= {("sector", slot) for slot in SLOTS}:
        told |= {"sectors"}
    for player, slots in (stated.served or {}).items():
        if player in position.table.other:
            position.served[player] = tuple(slots)
            told |= {("served", player)}
    if stated.next is not UNSET:
        position.last = position.other(stated.next) if stated.next in position.table.other else None
        told |= {"next"}
    for player, zones in (stated.zones or {}).items():
        if player in position.table.other:
            told |= _state_zones(position, player, zones)
    told |= _state_battle(position, stated)
    told |= _state_turns_battles(position, stated)
    # Whether a withdrawal came before it, a position cannot say; a further battle action does.
    known = position.battle is None or position.battle.step != "battle" or position.battle.passes >= 2
    told |= {"withdrawn"} if known else set()
    facts |= {"battle", "bonuses", "battles", "setup", "passes", "flags", "withdrawn", "granted"}
    for player in position.table.players:
        # How many cards were drawn and deployed before, a position does not say.
        begun = phase is None or position.phase == "deployment"
        position.drawn[player] = None if begun else 0
        position.dealt = frozenset(position.table.players if begun else ())
        if position.phase != "first_wave":
            told |= {("served", player)}
        told |= {("drawn", player)}
        held = {slot for slot in position.open_slots() if position.has_cards_at(player, slot)}
        position.here[player] = frozenset(held.difference(position.served[player]))
    position.midway = within and position.battle is not None and position.battle.step == "battle"
    if position.midway:
        # Nobody else is next than whom the end of the battle action makes next, and then no roll is open.
        position.unstated = adopt_battle.OPEN - told - {"next", "roll"}
        facts |= adopt_battle.OPEN
        told -= adopt_battle.OPEN
    if facts <= told:
        position.holes.close()
        return
    if position.battle is None and _may_be_fought(position, stated, told):
        # What battle actions change can be followed in a battle alone.
        position.holes.open(Hole(position.seq, f"the position at event {position.seq} does not state the battle"))
        return
    if any(isinstance(fact, tuple) and fact[0] == "zone" for fact in facts - told):
        # Where cards lie that it does not name, nobody can say.
        position.holes.open(Hole(position.seq, f"the position at event {position.seq} does not state every zone"))
        told |= {("at", one) for one, at in position.at.items() if ("zone", at.player, at.zone, at.sector) in told}
    position.holes.state(told)
    position.holes.open(
        Hole(position.seq, f"the position at event {position.seq} does not state it", frozenset(facts - told))
    )
    for player in position.table.players if position.midway else ():
        if on_table := position.located(player, "limbo"):
            why = f"when a card that lay on the table at event {position.seq} was discarded is not known"
            piles: set[Fact] = {("zone", player, "discard", None), ("deck", player)}
            position.holes.open(Hole(position.seq, why, frozenset({*piles, *(("at", one) for one in on_table)})))


def _may_be_fought(position: Position, stated: records.Position | records.Stated, told: set[Fact]) -> bool:
    """Whether a battle may be going on, though a position states none that can be followed."""
    if "phase" not in told and position.started and position.phase != "battle":
        return position.holes.doubt(("phase",)) is not None
    between = "sectors" in told and all(sector.state != "in_battle" for sector in position.sectors.values())
    return not between and ("phase" not in told or position.phase == "battle")


def _state_turns_battles(position: Position, stated: records.Position | records.Stated) -> set[Fact]:
    """Adopt which battles of the turn have been: that of the battle stated, else the one whose choice is due."""
    attacker, defender = position.player_as("attacker"), position.player_as("defender")
    known = position.battle is None or (stated.step is not None and stated.step != "setup")
    told: set[Fact] = {"setup"} if known else set()
    if position.battle is None or stated.passes is not None:
        told.add("passes")
    position.had = {}
    if position.phase != "battle":
        if position.phase in ("end", "over"):
            position.had = dict.fromkeys(position.table.players, "fought")
        return told | {"battles"}
    if attacker is None or defender is None:
        return told
    if position.battle is None and any(sector.state == "in_battle" for sector in position.sectors.values()):
        return told  # a battle is on, and the position does not say where
    if position.battle is not None:
        n = position.battle.n
    else:
        # Between battles: as many as there are sectors that were fought over, and those of whoever is not next.
        fought = sum(sector.fought for sector in position.sectors.values())
        due = {attacker: 0, defender: 1}.get(str(stated.next))
        if due is None and fought < 2:
            return told
        n = max(due or 0, min(fought, 2))
    position.had = dict.fromkeys((attacker, defender)[:n], "fought")
    return told | {"battles"}


def _is_withdrawn(before: Battle, stated: Battle) -> bool:
    """Whether a battle that is stated as being fought is the one that a withdrawal has ended: a position cannot say that
    one did, before the end of the battle is recorded."""
    if before.step != "victory" or before.victory is None:
        return False
    untouched = before.victory == Victory(due=before.victory.due)
    return untouched and stated.step == "battle" and (stated.n, stated.sector) == (before.n, before.sector)


def _is_set_up_still(before: Battle, stated: Battle) -> bool:
    """Whether a battle that is stated as being set up is the one whose set-up was recorded up to here."""
    return before.step == stated.step == "setup" and (before.n, before.sector) == (stated.n, stated.sector)


def _granted(before: Battle | None, position: Position) -> tuple[Bonus, ...]:
    """The traits given in this battle to cards that are in play still: a position lists numbers alone."""
    now = position.battle
    if before is None or now is None or (before.n, before.sector) != (now.n, now.sector):
        return ()
    in_play = {instance for instance, _ in on_board(position)}
    return tuple(one for one in position.bonuses if one.stat == "keyword" and one.target in in_play)


def _state_battle(position: Position, stated: records.Position | records.Stated) -> set[Fact]:
    """Adopt what is stated of the battle; what is open inside a battle action it cannot say. Gives back the facts."""
    before = position.battle
    # Which traits were given no position lists: they are those that were recorded.
    is_sure = not position.started or position.holes.doubt(("bonuses", "granted")) is None
    position.action, position.windows = None, ()
    position.happened, position.reacted = (), ()
    if position.phase != "battle" or stated.sector not in SLOTS:
        position.battle = None
        position.bonuses = ()
        return {"battle", "bonuses", "flags", "granted"} if position.phase != "battle" else set()
    defender = position.player_as("defender")
    # Without its number a battle is told by who chose the sector.
    numbered = stated.battle is not None or (stated.chooser is not None and defender is not None)
    told: set[Fact] = {"battle"} if stated.step is not None and numbered else set()
    told |= {"granted"} if is_sure else set()
    position.battle = Battle(
        n=stated.battle or (2 if stated.chooser is not None and stated.chooser == defender else 1),
        sector=stated.sector,
        chooser=stated.chooser,
        step=stated.step or "battle",
        next=stated.next if isinstance(stated.next, str) else None,
        passes=stated.passes or 0,
        ba=stated.ba or 0,
        said=stated.ba or 0,
    )
    if before is not None and _is_withdrawn(before, position.battle):
        position.battle = before
    elif before is not None and _is_set_up_still(before, position.battle):
        # What has been done of a set-up a position does not say again.
        position.battle = before._replace(chooser=position.battle.chooser, next=position.battle.next)
        told |= {"setup"} if position.holes.doubt(("setup",)) is None else set()
    if stated.bonuses is not None:
        told |= {"bonuses"}
        numbers = tuple(
            Bonus(one.target, "flags" if one.stat == "flag" else one.stat, one.amount, one.until or "battle", None, 0)
            for one in stated.bonuses
            if one.target is not None and one.stat is not None and one.amount is not None
        )
        position.bonuses = (*_granted(before, position), *numbers)
    if position.battle is not before and position.battle.step == "victory":
        position.battle = position.battle._replace(victory=Victory(due=supplied(position), partial=True))
    if stated.flags is not None and set(stated.flags) >= set(position.table.players):
        told |= {"flags"}
        silent = Hearing(DEFAULTS)
        for player in position.table.players:
            value = flags_of(position, player, silent)
            if value.unknown is None and value.amount != stated.flags[player]:
                more = Bonus(player, "flags", stated.flags[player] - value.amount, "battle", None, 0)
                position.bonuses = (*position.bonuses, more)
    return told


_ZONES: tuple[records.ZoneName, ...] = ("deploy_hand", "command_hand", "discard", "limbo", "set_aside", "fleet")


def _state_zones(position: Position, player: str, zones: records.ZonesStated) -> set[Fact]:
    """Adopt what is stated of a player's zones. Gives back the facts stated."""
    told: set[Fact] = set()
    rows: list[tuple[records.ZoneName, int | None, Any]] = [
        (zone, None, value) for zone in _ZONES if (value := getattr(zones, zone)) is not None
    ]
    rows += [("sector", int(slot), value) for slot, value in (zones.sectors or {}).items() if slot in ("1", "2", "3")]
    for zone, sector, value in rows:
        for instance in position.located(player, zone, sector):
            position.free_since[instance] = position.seq
            del position.at[instance]
        position.pools.pop((player, zone, sector), None)
        unknown = value if isinstance(value, int) else sum(1 for row in value if row is None)
        if unknown > 0:
            position.pools[player, zone, sector] = Pool(unknown, position.seq)
        face: Any = "up" if zone in ("sector", "fleet", "discard", "limbo") else "down"
        for row in () if isinstance(value, int) else value:
            if isinstance(row, str):
                position.show(row, player, None)
                position.put(Taken(row, position.seq), At(zone, player, sector, face))
            elif row is not None and row.card is not None:
                position.show(row.card, row.owner or player, None)
                stance: Any = row.position or "ready"
                card = position.card_of(row.card)
                if stance == "charging" and card is not None and card.kind != "unit":
                    stance = "ready"  # Only units charge (HCG-POS-04).
                position.put(Taken(row.card, position.seq), At(zone, player, sector, row.face or face, stance))
        told.add(("zone", player, zone, sector))
    if zones.deck is not None:
        position.shuffle_in(player, (), tuple(zones.deck.order) if zones.deck.order is not None else None)
        if zones.deck.n is not None:
            position.deck_n[player] = zones.deck.n
            told.add(("deck", player))
    if zones.sectors is not None:
        # A taken sector holds no cards, so that nothing need be said of it.
        told |= {("zone", player, "sector", slot) for slot in SLOTS if slot not in position.open_slots()}
    return told


_FOLLOW: Mapping[type, Callable[[Any, Position], None]] = {
    records.SetupShuffle: _shuffle,
    records.SetupReveal: _reveal,
    records.SetupCoin: _coin,
    records.SetupRole: _role,
    records.SetupPlanet: _planet,
    records.TurnStart: _turn_start,
    records.PhaseStart: _phase_start,
    records.TurnEnd: _turn_end,
    records.Position: _stated,
    records.Judge: _judge,
    **adopt_deployment.FOLLOWED,
    **adopt_setup.FOLLOWED,
    records.Modifier: adopt_rolls.modifier,
    records.ModifierPass: adopt_rolls.modifier_pass,
    records.RollFinal: _nothing,
    records.EndShips: _ships,
    records.EndCheck: _end_check,
    records.End: adopt_victory.game_end,
    records.GameEnd: adopt_victory.game_end,
}

_FOLLOW_ASKING: Mapping[type, Callable[[Any, Position, Hearing], None]] = {
    **adopt_plays.FOLLOWED,
    **adopt_special.FOLLOWED,
    **adopt_reactions.FOLLOWED,
    **BATTLE,
}
"""Those that may ask readings."""

GOES_ON = frozenset({records.BattleChoose, records.TurnStart, records.DeployFirst, records.DeployRegular})
"""Events with which a game goes on that somebody has won."""

FOLLOWED = frozenset(
    {
        *_FOLLOW,
        *_FOLLOW_ASKING,
        *STEPS,
        records.Damage,
        records.Roll,
    }
)
"""Event types that are followed. To the core all others are unknown: they open a hole, and no audit with one is clean."""


def can_judge(event: Any, position: Position, played: Position) -> bool:
    """Whether an event can still be judged in a corrected game: the cards that it names lie where they lay."""
    named = [card for name in ("card", "unit") if isinstance(card := getattr(event, name, None), str)]
    return all(position.at.get(card) == played.at.get(card) for card in named)


def alike(fault: Fault) -> tuple[str, str]:
    """What `correct` goes by."""
    return (fault.kind, fault.rule)
