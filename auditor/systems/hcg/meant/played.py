"""An event as the table went on with it, where a single value of its line cannot be true.

What is wrong with the line is said there, by the rules. That nobody is accused of what only follows from it, the table goes
on with what the rest of the record says: whose cards they were, who acts next, what comes next, what was still due
(catalogue 1.3). Where that tells nothing, what cannot be known is a hole.
"""

from __future__ import annotations

from typing import Any

import msgspec

from auditor.core.findings import Fact
from auditor.core.holes import Hole
from auditor.systems.hcg import records
from auditor.systems.hcg.meant import fought as as_fought
from auditor.systems.hcg.meant.discarded import doubt_discarded
from auditor.systems.hcg.meant.drawn import AS_DRAWN
from auditor.systems.hcg.position.state import PHASES, SLOTS, At, Position
from auditor.systems.hcg.reckoning.battles import cards_at, instructions, is_chosen_again, may_fight_at
from auditor.systems.hcg.reckoning.claims import stat_of, until_of
from auditor.systems.hcg.reckoning.costs import unpaid
from auditor.systems.hcg.reckoning.deployment import begins_unsaid, belied
from auditor.systems.hcg.reckoning.plays import ANNOUNCED, ANNOUNCES, ability_of, is_in_hand, lies_in, play_by
from auditor.systems.hcg.reckoning.reactions import window_of
from auditor.systems.hcg.reckoning.rolls import window_on
from auditor.systems.hcg.reckoning.setup import role_in_play
from auditor.systems.hcg.reckoning.victory import unresolved, victory_of, whose_hand

_IN_A_WINDOW = (
    records.Tactic, records.TacticPass, records.Reaction, records.ReactionPass, records.Modifier, records.ModifierPass,
)  # fmt: skip


_IN_TURN = records.of(records.BattleAction, *_IN_A_WINDOW)
_ANSWERS = (records.Reaction, records.ReactionPass)


def as_played(event: Any, position: Position) -> Any:
    """The event with what cannot be true of it put in the place that the rest of the record gives it."""
    kind = type(event)
    if kind in _ANSWERS:
        event = _answer(event, position)
    if kind in _IN_TURN:
        by = _who_acts(event, position)
        if by != event.by:
            event = msgspec.structs.replace(event, by=by)
    made = _OF_A_KIND.get(kind)
    if made is not None:
        event = made(event, position)
    if kind not in ANNOUNCES:
        return event
    event = as_fought.text(as_fought.hand_card(event, position), position)
    event = as_fought.chosen(event, position)
    source: records.Source | None = getattr(event, "source", None)
    if (
        isinstance(event, ANNOUNCED)
        and source is not None
        and source.zone != (zone := lies_in(source, position, fights=isinstance(event, records.BattleAction)))
    ):
        event = msgspec.structs.replace(event, source=msgspec.structs.replace(source, zone=zone))
    return event


def _who_acts(event: Any, position: Position) -> str | None:
    """Who took a battle action or a say in a window: who is said to have, unless it was the other's turn and the cards are
    the other's."""
    player, battle, action = event.by, position.battle, position.action
    if player not in position.table.other or battle is None:
        return player  # type: ignore[no-any-return]
    if isinstance(event, records.BattleAction):
        due = position.other(action.by) if action is not None else battle.next
        if action is not None and event.ba == action.said:
            return player  # type: ignore[no-any-return]
    else:
        window = _window(event, position)
        due = window.next if window is not None else None
    if due is None or due == player:
        return player  # type: ignore[no-any-return]
    return due if {_holder(one, position) for one in _acting(event)} - {None} == {due} else player


def _window(event: Any, position: Position) -> Any:
    if isinstance(event, (records.Tactic, records.TacticPass)):
        return position.window if position.window is not None and position.window.kind == "tactics" else None
    if isinstance(event, (records.Reaction, records.ReactionPass)):
        return window_of(event, position)
    return window_on(event, position)


def _acting(event: Any) -> tuple[str, ...]:
    """The cards with which a player acts."""
    if isinstance(event, records.BaWithdraw):
        return tuple(event.destroyed or ())
    source = getattr(event, "source", None)
    found = (getattr(event, "unit", None), getattr(event, "card", None), source.card if source is not None else None)
    return tuple(one for one in found if one is not None)


def _holder(instance: str, position: Position) -> str | None:
    """Who has a card in play or in hand, else whose deck it is of."""
    at = position.at.get(instance)
    return at.player if at is not None else position.owner.get(instance)


def _answer(event: records.Reaction | records.ReactionPass, position: Position) -> Any:
    """What answers nothing that has just happened belongs to the window in which its player has the say."""
    windows = [one.trigger for one in position.windows if one.kind == "reaction" and one.trigger is not None]
    happened = [one.seq for one in position.happened if one.seq is not None]
    if event.trigger is None or event.trigger in windows or event.trigger in happened:
        return event
    for trigger in sorted({*windows, *happened}, reverse=True):
        meant = msgspec.structs.replace(event, trigger=trigger)
        window = window_of(meant, position)
        if window is not None and window.next == event.by and window.passes < 2:
            return meant
    return event


def _discard(event: records.Discard, position: Position) -> records.Discard:
    """Cards that are all in the other player's hand were picked by that player."""
    held = {
        at.player if (at := position.at.get(one)) and at.zone == "command_hand" else None for one in event.cards or ()
    }
    if event.by in position.table.other and held == {position.other(event.by)}:
        event = msgspec.structs.replace(event, by=position.other(event.by))
    return event


def _ended(event: Any, position: Position) -> Any:
    """The sector that is taken or reset is that of the battle."""
    battle = position.battle
    if battle is None or event.sector in (None, battle.sector) or victory_of(position).closed:
        return event
    return msgspec.structs.replace(event, sector=battle.sector)


def _rallied(event: records.EndShips, position: Position) -> records.EndShips:
    """Ships that are all the other player's were rallied by that player."""
    if event.rallied is None or event.by not in position.table.other:
        return event
    other = position.other(event.by)
    theirs = {position.at[one].player if one in position.at else None for one in event.rallied} == {other}
    return msgspec.structs.replace(event, by=other) if theirs else event


def _flip(event: records.SetupFlip, position: Position) -> records.SetupFlip:
    """A card that cannot have been turned up here was the one that would be missing."""
    battle = position.battle
    if battle is None or not event.cards:
        return event
    named = {one.card for one in event.cards}
    players = position.table.players
    down = [
        one for player in players for _, one, at in cards_at(position, player) if at.face == "down" and one not in named
    ]
    wrong = [n for n, one in enumerate(event.cards) if one.card is not None and _lies_elsewhere(one.card, position)]
    if len(down) != 1 or len(wrong) != 1:
        return event
    cards = [records.Flip(card=down[0]) if n == wrong[0] else one for n, one in enumerate(event.cards)]
    return msgspec.structs.replace(event, cards=cards)


def _lies_elsewhere(instance: str, position: Position) -> bool:
    at = position.at.get(instance)
    if at is not None:
        return at.zone not in ("sector", "deploy_hand")
    slot = position.battle.sector if position.battle is not None else None
    listed = len(position.table.listed) == len(position.table.players)
    return listed and not any(position.may_be(instance, player, "sector", slot) for player in position.table.players)


def _ships(event: records.SetupShips, position: Position) -> records.SetupShips:
    """What cannot have moved to the fleet was the ship that would be missing."""
    if event.by not in position.table.other or position.battle is None or not event.ships:
        return event
    there = [
        one
        for _, one, _ in cards_at(position, event.by)
        if (card := position.card_of(one)) is not None and card.kind == "ship"
    ]
    left, wrong = [one for one in there if one not in event.ships], [one for one in event.ships if one not in there]
    if len(left) != 1 or len(wrong) != 1:
        return event
    return msgspec.structs.replace(event, ships=[one for one in event.ships if one not in wrong] + left)


def _role(event: records.SetupRole, position: Position) -> records.SetupRole:
    """The role is that in which the player acts from then on."""
    told = role_in_play(event, position)
    return msgspec.structs.replace(event, role=told) if told is not None else event


def _hand(event: Any, position: Position) -> Any:
    """A hand is shown or discarded by the player whose cards it holds."""
    whose = whose_hand(event, position)
    return event if whose == event.by else msgspec.structs.replace(event, by=whose)


def _phase(event: records.PhaseStart, position: Position) -> records.PhaseStart:
    """A mark that what follows belies marks what follows; one of a phase that is over marks nothing."""
    if begins_unsaid(event, position):
        return event
    if event.phase in PHASES and position.phase in PHASES and PHASES.index(event.phase) < PHASES.index(position.phase):
        return msgspec.structs.replace(event, phase=position.phase)
    told = belied(event, position)
    return event if told is None else msgspec.structs.replace(event, phase=told)


def _choose(event: records.BattleChoose, position: Position) -> records.BattleChoose:
    """The sector that is set up is the one that was chosen, where the one named cannot have been. One that is written
    twice stands as it is."""
    if is_chosen_again(event, position):
        return event
    told = position.table.later.set_up_at(event.seq)
    legal = may_fight_at(position, event.by) if event.by in position.table.other and event.by is not None else SLOTS
    if event.sector is not None and event.sector not in legal and told in legal:
        event = msgspec.structs.replace(event, sector=told)
    return event


def _cost(event: records.Cost, position: Position) -> records.Cost:
    """A cost that the text does not print was the one that was to be paid."""
    play = play_by(event, position)
    if play is not None and event.by not in (None, play.by):
        event = msgspec.structs.replace(event, by=play.by)
    ability = ability_of(position, play)
    if play is None or ability is None or event.op is None:
        return event
    unpaid_costs = unpaid(ability, play)[0]
    left = [cost.op for cost in unpaid_costs]
    if left and event.op not in left and "raw" not in left and left[0] not in ("test", "other"):
        event = msgspec.structs.replace(event, op=left[0])
    due = next((cost for cost in unpaid_costs if cost.op == event.op), None)
    if due is not None and due.target is not None and due.target.q == "self" and event.cards not in (None, [play.card]):
        event = msgspec.structs.replace(event, cards=[play.card])
    return event


def _event(event: records.EventResolved, position: Position) -> records.EventResolved:
    """An event that there is not was the one that would be missing."""
    if event.source is None or event.source.card is None or position.battle is None:
        return event
    due = unresolved(position)
    mine = [one for one in due if one.card == event.source.card]
    if any(event.source.ability in (None, one.ability) for one in mine):
        by = mine[0].by
        if by == event.by or event.by not in position.table.other:
            return event
        if not position.table.later_event(event.seq, event.source.card):
            return msgspec.structs.replace(event, by=by)
        mine = []  # The other player's, which comes later (HCG-VIC-04).
    if event.source.card not in position.at and event.source.ability in (None, "line") and event.by is not None:
        if position.may_be(event.source.card, event.by, "command_hand"):
            return event  # It is one of a hand that nobody knows.
    left = mine or [one for one in due if one.by == event.by and not position.table.later_event(event.seq, one.card)]
    if len(left) != 1:
        return event
    source = records.Source(zone=event.source.zone, card=left[0].card, ability=left[0].ability)  # type: ignore[arg-type]
    return msgspec.structs.replace(event, source=source)


def _instruction(event: records.SetupAbility, position: Position) -> records.SetupAbility:
    """An instruction that there is not was the one that would be missing."""
    if event.source is None or event.source.card is None or position.battle is None:
        return event
    due = [one for player in position.table.players for one in instructions(position, player)]
    mine = [one for one in due if one[0] == event.source.card]
    if any(event.source.ability in (None, n) for _, n in mine):
        at = position.at.get(event.source.card)
        return event if at is None else msgspec.structs.replace(event, by=at.player)
    later = position.table.later_instruction
    left = mine or [one for one in due if not later(event.seq, one[0])]
    if len(left) != 1:
        return event
    source = records.Source(zone="sector", card=left[0][0], ability=left[0][1])
    return msgspec.structs.replace(event, source=source)


def _withdraw(event: records.BaWithdraw, position: Position) -> records.BaWithdraw:
    """Cards that the list of a withdrawal leaves out, and that the record never shows there again, were destroyed."""
    if event.destroyed is None or event.by not in position.table.other:
        return event
    later = position.table.later
    left = [
        one
        for _, one, _ in cards_at(position, event.by)
        if one not in event.destroyed
        and later.shown_at(event.seq, one) is None
        and not later.lies_there(event.seq, one)
    ]
    return msgspec.structs.replace(event, destroyed=[*event.destroyed, *left]) if left else event


def _effect(event: records.Effect, position: Position) -> records.Effect:
    """What a text gives lasts as long as it says, and changes the number that it names."""
    play = play_by(event, position) if event.op == "modify" and event.source is None else None
    if play is not None:
        source = records.Source(zone=play.said, card=play.card, ability=play.ability)  # type: ignore[arg-type]
        event = msgspec.structs.replace(event, source=source)
    stat: Any = stat_of(event, position)
    if stat is not None:
        event = msgspec.structs.replace(event, stat=stat)
    until: Any = until_of(event, position)
    return event if until is None or event.until is None else msgspec.structs.replace(event, until=until)


_OF_A_KIND: dict[type, Any] = {
    records.Effect: _effect,
    records.SetupRole: _role,
    **AS_DRAWN,
    records.SetupFlip: _flip,
    records.SetupShips: _ships,
    records.Discard: _discard,
    records.SectorTaken: _ended,
    records.SectorReset: _ended,
    records.EndShips: _rallied,
    records.VictoryReveal: _hand,
    records.VictoryDiscard: _hand,
    records.PhaseStart: _phase,
    records.BattleChoose: _choose,
    records.Cost: _cost,
    records.EventResolved: _event,
    records.SetupAbility: _instruction,
    records.BaWithdraw: _withdraw,
    records.BaShoot: as_fought.attack,
    records.BaAssault: as_fought.attack,
    records.BaCharge: as_fought.charge,
    records.Block: as_fought.block,
    records.Sweep: as_fought.sweep,
    records.Destroy: as_fought.destroyed,
    records.Lock: as_fought.befell,
    records.Rally: as_fought.befell,
    records.Return: as_fought.befell,
}

PUT_RIGHT = frozenset({*_OF_A_KIND, *_IN_TURN, *ANNOUNCES})
"""Event types of which something may be put in its place."""


# -- what nobody can know ----------------------------------------------------------------------------------------------


_OF_UNITS = (records.BaShoot, records.BaCharge, records.BaAssault, records.Block)
DOUBTED = frozenset(
    {
        *_OF_UNITS, records.Discard, records.Cost, records.Destroy, records.Lock, records.Rally, records.Return,
        records.Infiltrate,
    }
)  # fmt: skip
"""Event types of lines that leave something in doubt where they cannot be true."""


def doubt(event: Any, position: Position) -> None:
    """Open the holes that a line of a battle leaves which cannot be true. Before the event is adopted."""
    if isinstance(event, _OF_UNITS):
        if event.by in position.table.other:
            _unit(_OF_A_KIND[type(event)](event, position), position)
    elif isinstance(event, (records.Discard, records.Cost)):
        doubt_discarded(event, position)
    else:
        play = play_by(event, position)
        others = set(event.cards or ()) - set(play.choices or ()) if play is not None else set()
        left = set(play.choices or ()) - set(event.cards or ()) if play is not None and others else set()
        if left:
            why = f"whether event {event.seq} befell what was chosen is not known"
            position.holes.open(Hole(event.seq, why, frozenset(("at", one) for one in left)))
        as_fought.doubt_befallen(event, position)


def _unit(event: Any, position: Position) -> None:
    """A unit that is not at the sector cannot have acted: one that lies at another is taken to lie here; of any other card
    nobody knows which unit of the player it stands for."""
    battle = position.battle
    at = position.at.get(event.unit) if event.unit is not None else None
    if battle is None or event.unit is None:
        return
    if at is not None and at.zone == "sector" and at.player == event.by:
        if at.sector != battle.sector and position.table.later.shown_at(event.seq, event.unit) == battle.sector:
            position.kept = None
            position.at[event.unit] = at._replace(sector=battle.sector, face="up")
        return
    if at is None and event.unit not in {one for listed in position.table.listed.values() for one in listed}:
        if len(position.table.listed) < len(position.table.players):
            return  # Nobody has said which cards there are.
    elif at is None:
        return
    why = f"which unit acted at event {event.seq} is not known"
    mine = frozenset(("at", one) for _, one, _ in cards_at(position, event.by))
    position.holes.open(Hole(event.seq, why, mine))


def from_hand(instance: str, player: str, to: At, position: Position) -> None:
    """A card of a command hand is played or discarded. One that lies elsewhere stays there: which card it was nobody knows."""
    if not is_in_hand(instance, player, position):
        from_hand_unseen(player, position)
        return
    position.show(instance, player, None)
    position.put(position.take(player, "command_hand", instance), to)


def from_hand_unseen(player: str, position: Position) -> None:
    """A card has left a command hand, and nobody knows which, or whether it was one of the hand."""
    why = f"which card left {player}'s hand at event {position.seq} is not known"
    facts: set[Fact] = {("zone", player, "command_hand", None)}
    facts |= {("at", one) for one in position.located(player, "command_hand")}
    position.holes.open(Hole(position.seq, why, frozenset(facts)))


def return_unseen(instance: str, position: Position) -> None:
    """A card that lay where nobody knows goes back to its owner's hand or deck, or it is another one that went back."""
    owner = position.owner.get(instance)
    facts: set[Fact] = {("at", instance)}
    for player in position.table.players if owner is None else (owner,):
        facts |= {("zone", player, "command_hand", None), ("deck", player)}
        facts |= {("at", one) for one in position.located(player, "command_hand")}
    why = f"from where {instance} went back at event {position.seq} is not known"
    position.holes.open(Hole(position.seq, why, frozenset(facts)))
