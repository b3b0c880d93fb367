"""Who fought whom and on what an ability was played, as the table went on, where a line names a card that cannot have been.

See `as_played`; what is wrong with the line is said by the rules of the act.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import msgspec

from auditor.core.holes import Hole
from auditor.core.rulings import Hearing
from auditor.systems.hcg import records
from auditor.systems.hcg.position.play import Play
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.readings import READINGS
from auditor.systems.hcg.reckoning.amounts import told
from auditor.systems.hcg.reckoning.attacks import UNKNOWN, Outcome, blow, cannot_act
from auditor.systems.hcg.reckoning.choices import choices_made, misfits
from auditor.systems.hcg.reckoning.effects import left_out
from auditor.systems.hcg.reckoning.plays import ANNOUNCED, ability_of, announced, is_in_hand, play_by

_ANY = ("ready", "locked", "charging")


def _swapped(
    said: str | None, told: Collection[str], player: str, kinds: Collection[str], stances: Collection[str], at: Position
) -> str | None:
    """The card that the record goes on with, where the one named cannot have been it and the other can; else the one named."""
    if _may_have_been(said, player, kinds, stances, at):
        return said
    fit = {one for one in told if cannot_act(at, one, player, kinds, stances) is None}
    return fit.pop() if len(fit) == 1 else said


def _may_have_been(
    said: str | None, player: str, kinds: Collection[str], stances: Collection[str], at: Position
) -> bool:
    """Whether nothing tells that the card named was another."""
    return said is None or cannot_act(at, said, player, kinds, stances) in (None, UNKNOWN)


def attack(event: records.BaShoot | records.BaAssault, position: Position) -> Any:
    """The unit and the target of an attack are those that its damage names, where those of the line cannot have been."""
    player, fights = event.by, position.table.later.fights
    if position.battle is None or player is None or player not in position.table.other:
        return event
    other = position.other(player)
    stances = ("charging",) if isinstance(event, records.BaAssault) else ("ready", "charging")
    if _may_have_been(event.unit, player, ("unit",), stances, position) and _may_have_been(
        event.target, other, ("unit", "asset"), _ANY, position
    ):
        return event
    blows = [
        one
        for one in fights.blows(event.seq)
        if (at := position.at.get(one.from_ or "")) is not None and at.player == player
    ][:1]
    told = [one.from_ for one in blows if one.from_ is not None] or fights.attackers(event.seq)
    unit = _swapped(event.unit, told, player, ("unit",), stances, position)
    target = event.target
    if not fights.is_blocked(event.seq):
        hit = [one.to for one in blows if one.to is not None]
        target = _swapped(target, hit, other, ("unit", "asset"), _ANY, position)
    if (unit, target) == (event.unit, event.target):
        return event
    return msgspec.structs.replace(event, unit=unit, target=target)


def sweep(event: records.Sweep, position: Position) -> records.Sweep:
    """The target of a sweep is the one that its damage names, where that of the line cannot have been."""
    action = position.action
    if action is None or event.target is None:
        return event
    hit = [one.to for one in position.table.later.fights.blows(event.seq) if one.to not in (None, action.unit)][:1]
    told = [one for one in hit if one is not None]
    target = _swapped(event.target, told, position.other(action.by), ("unit",), _ANY, position)
    return event if target == event.target else msgspec.structs.replace(event, target=target)


def charge(event: records.BaCharge, position: Position) -> records.BaCharge:
    """The unit that charged is the one that assaults later without having charged, where the one named cannot have."""
    if position.battle is None or event.by is None or event.by not in position.table.other:
        return event
    if event.unit is None or cannot_act(position, event.unit, event.by, ("unit",), ("ready",)) is None:
        return event
    told = position.table.later.fights.assaulters(event.seq)
    unit = _swapped(event.unit, told, event.by, ("unit",), ("ready",), position)
    return event if unit == event.unit else msgspec.structs.replace(event, unit=unit)


def block(event: records.Block, position: Position) -> records.Block:
    """The unit that blocked is the one that the damage goes to, where the one named cannot have."""
    action = position.action
    if action is None or action.kind not in ("shoot", "assault") or action.blocker is not None or event.unit is None:
        return event
    player = position.other(action.by)
    stances = ("charging",) if action.kind == "assault" else ("ready", "charging")
    hit = [one.to for one in position.table.later.fights.blows(event.seq) if one.to not in (None, action.unit)][:1]
    if hit == [action.target]:
        return event
    told = [one for one in hit if one is not None]
    unit = _swapped(event.unit, told, player, ("unit",), stances, position)
    if unit == event.unit == action.target and action.kind == "shoot":
        # It cannot take the shot that is aimed at it.
        unit = next((one for one in told if cannot_act(position, one, player, ("unit",), stances) is None), unit)
    return event if unit == event.unit else msgspec.structs.replace(event, unit=unit)


def chosen(event: Any, position: Position) -> Any:
    """What was chosen for an ability is that to which it is said to have been done, where what the line names cannot be."""
    choices: records.Choices | None = getattr(event, "choices", None)
    play = announced(event, position) if choices is not None and choices.cards else None
    if play is None or choices is None or position.battle is None:
        return event
    told = position.table.later.fights.befell(event.seq, play.card)
    more = [one for one in told if one not in choices.cards]
    if len(more) != 1:
        return event
    silent = Hearing({reading.id: reading.default for reading in READINGS})
    for choice in choices_made(event, position) or ():
        selector, op = choice.wanted.selector, choice.wanted.effect.op

        def fits(one: str, selector: Any = selector, op: str = op) -> bool:
            return misfits(selector, op, one, position, play.by, play.card, silent) in (None, [])

        wrong = [one for one in choice.cards if one not in told and not fits(one)]
        if len(wrong) == 1 and fits(more[0]):
            cards = [more[0] if one == wrong[0] else one for one in choices.cards]
            return msgspec.structs.replace(event, choices=records.Choices(targets=cards))
    return event


def hand_card(event: Any, position: Position) -> Any:
    """The hand card that was played is the one whose costs, rolls and effects follow, where the one named cannot have been."""
    play = announced(event, position) if isinstance(event, _FROM_HAND) else None
    if play is None or play.said != "hand" or _can_be_played(play.card, play, position) is not False:
        return event
    told = position.table.later.fights.played(event.seq, frozenset(one.card for one in position.plays))
    if told is None or not _can_be_played(told, play, position):
        return event
    if isinstance(event, records.BaCard):
        return msgspec.structs.replace(event, card=told)
    return msgspec.structs.replace(event, source=msgspec.structs.replace(event.source, card=told))


_FROM_HAND = (records.BaCard, records.Tactic, records.Reaction, records.Modifier)


def text(event: Any, position: Position) -> Any:
    """The text that was played is the one of which the lines after it speak, where that named is none of its kind."""
    play = announced(event, position) if isinstance(event, ANNOUNCED) else None
    named = ability_of(position, play)
    if play is None or play.ability is None or (named is not None and named.type == play.kind):
        return event
    told = position.table.later.fights.text(event.seq, play.card)
    right = ability_of(position, play._replace(ability=told)) if told is not None else None
    if right is None or right.type != play.kind:
        return event
    return msgspec.structs.replace(event, source=msgspec.structs.replace(event.source, ability=told))


def _can_be_played(instance: str, play: Play, position: Position) -> bool | None:
    """Whether a card can be played from its player's hand as what it is played; None where nobody knows."""
    if position.owner.get(instance, play.by) != play.by or not is_in_hand(instance, play.by, position):
        return False
    printed = position.card_of(instance)
    line = printed.line if printed is not None else None
    return None if line is None else line.type == play.kind


def befell(event: records.Change, position: Position) -> records.Change:
    """An empty list of what an ability did, where it was played on cards that it could be done to, stands for those."""
    due = left_out(event, position)
    return msgspec.structs.replace(event, cards=list(due)) if due else event


def destroyed(event: records.Destroy, position: Position) -> records.Change:
    """As `befell`. A card that was not chosen, and that the record goes on to show in play, was not destroyed."""
    play = play_by(event, position)
    if play is None or not play.choices or not event.cards:
        return befell(event, position)
    gone = [one for one in event.cards if one in play.choices or not _lives_on(one, event.seq, position)]
    return event if gone == event.cards else msgspec.structs.replace(event, cards=gone)


def _lives_on(instance: str, seq: int, position: Position) -> bool | None:
    at = position.at.get(instance)
    if at is None:
        return None
    ready = at.stance == "ready"
    return position.table.later.fights.lives_on(seq, instance, at.player, at.sector, ready=ready)


def doubt_befallen(event: records.Change, position: Position) -> None:
    """What an empty list leaves out may have befallen the cards or not."""
    if due := left_out(event, position):
        why = f"whether event {event.seq} befell what was chosen is not known"
        position.holes.open(Hole(event.seq, why, frozenset(("at", one) for one in due)))


def fell(event: records.Damage, claimed: Outcome, position: Position, hearing: Hearing) -> Outcome:
    """What damage came to. Where it is claimed to have destroyed a card and did not, or not to have and did, the rest of the
    record tells whether that lived on; where it does not, that is a hole."""
    if event.by_ability and event.destroyed is None and None not in (event.amount, claimed.armor, claimed.destroyed):
        text = told(event, position, hearing)
        if text is not None and (text >= (claimed.armor or 0)) != claimed.destroyed:
            return claimed._replace(destroyed=None)  # By the number of its text it comes out otherwise (HCG-DOC-04).
    due = blow(event, position, hearing) if event.destroyed is not None else None
    if due is None or due.unknown is not None or due.tainted or event.to not in (None, due.to):
        return claimed
    at, amount, armor = position.at.get(due.to), due.amount.amount, due.armor.amount
    if amount == 0 == armor or amount < armor <= amount + due.before:
        return claimed  # It hangs on a reading.
    if at is None or (amount >= armor) == event.destroyed:
        return claimed
    lives = _lives_on(due.to, event.seq, position)
    if lives is None:
        why = f"whether event {event.seq} destroyed {due.to} is not known"
        position.holes.open(Hole(event.seq, why, frozenset({("at", due.to)})))
        return claimed._replace(disputed=True)
    return claimed._replace(destroyed=not lives)
