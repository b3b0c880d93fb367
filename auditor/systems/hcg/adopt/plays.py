"""How abilities change the position: BA cards and BA abilities, costs, and what moves, locks or destroys cards."""

from __future__ import annotations

from typing import Any

from auditor.core.findings import Fact
from auditor.core.rulings import Hearing
from auditor.systems.hcg import records
from auditor.systems.hcg.abilities import Ability
from auditor.systems.hcg.adopt.battle import (
    attack_window,
    destroy,
    lock,
    may_have_fallen,
    open_action,
    settle,
    take_place,
)
from auditor.systems.hcg.adopt.in_doubt import from_hand, from_hand_unseen, return_unseen
from auditor.systems.hcg.position.parts import Pending
from auditor.systems.hcg.position.places import At
from auditor.systems.hcg.position.play import Play, Table
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.position.watched import watched
from auditor.systems.hcg.readings import DEFAULTS
from auditor.systems.hcg.reckoning.amounts import defined_x, is_counted
from auditor.systems.hcg.reckoning.costs import ended_by, is_next, overtaken, owed, pays_nothing, waits
from auditor.systems.hcg.reckoning.plays import ability_of, play_by, source_of
from auditor.systems.hcg.records import ZoneName


def _ba_card(event: records.BaCard, position: Position, hearing: Hearing) -> None:
    """The card is laid on the table, and lies there until the battle action is over."""
    open_action(event, "card", position, source=event.card)
    if event.card is not None and event.by in position.table.other:
        # When a battle action is over that nobody can follow is not known: its card is discarded in it all the same.
        lies: ZoneName = "limbo" if position.action is not None else "discard"
        from_hand(event.card, event.by, At(lies, event.by), position)
    _announce(event, position)


def _ba_ability(event: records.BaAbility, position: Position, hearing: Hearing) -> None:
    open_action(event, "ability", position, source=event.source.card if event.source is not None else None)
    _announce(event, position)


def _announce(event: Any, position: Position) -> None:
    position.pending = None
    attack_window(position)
    source = source_of(event)
    ability = ability_of(position, source) if source is not None else None
    if ability is None or source is None or source.card is None or event.by not in position.table.other:
        return
    if ability.tests:
        chosen = event.choices.cards if event.choices is not None else ()
        zone = source.zone == "hand"
        position.pending = Pending(event.seq, event.by, source.card, source.ability, chosen, None, zone, whole=True)


def _cost(event: records.Cost, position: Position, hearing: Hearing) -> None:
    """A cost is paid. What the log leaves out of it changes nothing."""
    settle(position)
    play = play_by(event, position)
    cards = tuple(event.cards or ())
    if play is not None and event.op is not None and not pays_nothing(event, ability_of(position, play), play):
        replaced(position, play._replace(costs=(*play.costs, (event.op, cards))))
    for instance in cards:
        if event.op == "lock":
            lock(position, instance)
        elif event.op == "rally":
            rally(position, instance)
        elif event.op == "destroy":
            destroy(position, instance)
            end_attack(position)
        elif event.op == "discard":
            discard(position, instance, event.by)
        elif event.op == "mill":
            mill(position, instance, event.by if event.by is not None else play.by if play is not None else None)


def with_its_table(play: Play | None, was_at: int, position: Position) -> Play | None:
    """A play that keeps the table as it is announced, where its X is counted from that; `was_at`: the event before."""
    ability = ability_of(position, play)
    if play is None or ability is None or not is_counted(ability):
        return play
    table = position.copy()
    table.seq, table.adopting = was_at, False
    if table.holes:
        read = set[Fact]()
        defined_x(ability, play, watched(table, read), Hearing(DEFAULTS))
        if (hole := table.holes.doubt(read)) is not None:
            position.holes.open(hole.of([("x", str(play.seq))]))
    return play._replace(table=Table(table))


def note_late(position: Position, event: records.Event) -> None:
    """What should have been paid before an event is from now on missing."""
    owing: dict[Play, Ability] = {}
    for play in position.plays:
        ability = ability_of(position, play)
        if ability is not None and ability.costs:
            owing[play] = ability
    for play in ended_by(event, position) if owing else ():
        if play in owing and owed(owing[play], play):
            paid = len(play.costs)
            at_end = play.late_end if waits(event, play, position) else paid
            replaced(position, play._replace(late=paid, late_end=at_end))


def note_over(position: Position, event: records.Event) -> None:
    """Tactics, reactions and modifiers take effect before anything else is done."""
    if is_next(event):
        position.plays = tuple(
            play if play.over or play.kind in ("BA", "A") else play._replace(over=True) for play in position.plays
        )
    for play in overtaken(event, position):
        replaced(position, play._replace(over=True))


def replaced(position: Position, play: Play) -> None:
    """A play takes the place of the one that was announced by the same event."""
    position.plays = tuple(play if one.seq == play.seq else one for one in position.plays)


def rally(position: Position, instance: str) -> None:
    at = position.at.get(instance)
    if at is not None and at.zone in ("sector", "fleet"):
        position.at[instance] = at._replace(stance="ready")


def discard(position: Position, instance: str, player: str | None) -> None:
    """A card goes to its owner's discard pile, out of a hand where the log has not shown where it lay."""
    at = position.at.get(instance)
    owner = position.owner.get(instance, at.player if at is not None else player)
    if owner not in position.table.other or owner is None:
        return
    if at is not None and at.zone in ("sector", "fleet", "limbo", "set_aside", "deploy_hand"):
        if position.holes.doubt((("at", instance),)) is not None:
            from_hand_unseen(owner, position)
        position.put(position.take(owner, "command_hand", instance), At("discard", owner))
    elif at is None or at.zone != "discard":
        from_hand(instance, player if player in position.table.other else owner, At("discard", owner), position)


def mill(position: Position, instance: str, player: str | None) -> None:
    """A card goes from the top of the deck to the discard pile."""
    at = position.at.get(instance)
    if player not in position.table.other or player is None or (at is not None and at.zone == "discard"):
        return
    position.show(instance, player, None)
    position.put(position.take(player, "deck", instance), At("discard", player))


def give_back(position: Position, instance: str, to: str) -> None:
    """A card goes back to its owner's hand, or into the deck, nobody knows where."""
    at = position.at.get(instance)
    if at is None:
        return_unseen(instance, position)
        return
    owner = position.owner.get(instance, at.player)
    if to == "deck":
        position.shuffle_in(owner, (instance,), None)
        left = position.deck_n.get(owner)
        if left is not None:
            position.deck_n[owner] = left + 1
    else:
        zone: Any = to if to in ("deploy_hand", "set_aside") else "command_hand"
        position.at[instance] = At(zone, owner, face="down")


def _changed(event: Any, position: Position) -> None:
    """What follows from an ability is noted on its play; the window of a battle action that takes effect is closed."""
    settle(position)
    battle = position.battle
    if event.cause == "unique" and battle is not None:
        position.battle = battle._replace(both=(*battle.both, *(event.cards or ())))
    note_done(position, event, str(type(event).__struct_config__.tag), tuple(event.cards or ()))


def note_done(position: Position, event: records.Event, op: str, cards: tuple[str, ...]) -> None:
    """An ability has done something."""
    play = _meant(op, play_by(event, position), event, position)
    if play is None:
        return
    if not _leaves_it_open(event, play, position):
        replaced(position, play._replace(done=(*play.done, (op, cards))))
    action = position.action
    if action is not None and play.kind in ("BA", "A"):
        position.action = take_place(action, position)
        position.windows = tuple(
            window for window in position.windows if window.kind != "tactics" or window.ba != action.n
        )


def _meant(op: str, play: Play | None, event: records.Event, position: Position) -> Play | None:
    """The ability that did something: where the text of the one that is named says no such thing (HCG-DOC-04), or none of that
    card was announced, and one other has yet to do it, that one."""
    ability, source = ability_of(position, play), source_of(event)
    if play is None:
        if source is None or source.card is None:
            return None
    elif (
        ability is None or ability.status != "full" or not {one.op for one in ability.effects}.isdisjoint((op, "table"))
    ):
        return play
    others = [one for one in position.plays if op not in {done for done, _ in one.done} and _does(op, one, position)]
    return others[0] if len(others) == 1 else play


def _does(op: str, play: Play, position: Position) -> bool:
    ability = ability_of(position, play)
    return ability is not None and any(one.op == op for one in ability.effects)


def _leaves_it_open(event: records.Event, play: Play, position: Position) -> bool:
    """Whether an event says that a text which was not read changed a number, and not which."""
    if not isinstance(event, records.Effect) or event.op != "modify" or event.stat is not None:
        return False
    ability = ability_of(position, play)
    return ability is None or ability.status != "full"


def note_given(position: Position, event: records.Effect) -> None:
    """An ability has given cards a number that it rolled for, as the log has it."""
    play, roll = play_by(event, position), position.roll
    if play is None or roll is None or roll.source != (play.card, play.ability) or roll.purpose not in (None, "d6"):
        return
    if event.op == "modify" and event.stat is not None and event.amount is not None:
        given = tuple((event.stat, one, event.amount, roll.seq) for one in event.targets or ())
        replaced(position, play._replace(given=(*play.given, *given)))


def _destroy(event: records.Destroy, position: Position, hearing: Hearing) -> None:
    _changed(event, position)
    for instance in event.cards or ():
        destroy(position, instance)
    end_attack(position)


def end_attack(position: Position) -> None:
    """An attack ends where the attacking or the defending card has left play in its tactics window (HCG-DES-03)."""
    action = position.action
    if action is None or action.kind not in ("shoot", "assault") or action.dealt or action.ended is not None:
        return
    for instance in (action.unit, action.defending):
        at = position.at.get(instance) if instance is not None else None
        if at is not None and at.zone not in ("sector", "fleet"):
            position.action = action._replace(ended=instance)
            return


def effect_damage(event: records.Damage, destroyed: bool | None, position: Position) -> None:
    """Damage that an ability dealt: what it destroys leaves play at once."""
    settle(position)
    note_done(position, event, "damage", () if event.to is None else (event.to,))
    if destroyed and event.to is not None:
        destroy(position, event.to)
        end_attack(position)
    elif destroyed is None and event.to is not None:
        may_have_fallen(event.to, position)


def _lock(event: records.Lock, position: Position, hearing: Hearing) -> None:
    _changed(event, position)
    for instance in event.cards or ():
        lock(position, instance)


def _rally(event: records.Rally, position: Position, hearing: Hearing) -> None:
    _changed(event, position)
    for instance in event.cards or ():
        rally(position, instance)


def _return(event: records.Return, position: Position, hearing: Hearing) -> None:
    _changed(event, position)
    to = event.to.zone if isinstance(event.to, records.ZoneOf) else event.to
    for instance in event.cards or ():
        give_back(position, instance, to or "command_hand")
    end_attack(position)


def _discard(event: records.Discard, position: Position, hearing: Hearing) -> None:
    held = position.count(event.by, "command_hand") if event.by is not None else 0
    _changed(event, position)
    for instance in event.cards or ():
        discard(position, instance, event.by)
    play = play_by(event, position)
    if play is not None and event.cards is not None and event.by in position.table.other and event.by is not None:
        one = (event.by, event.seq, len(event.cards), max(0, held - len(event.cards)))
        replaced(position, play._replace(picked=(*play.picked, one)))


def _mill(event: records.Mill, position: Position, hearing: Hearing) -> None:
    _changed(event, position)
    for instance in event.cards or ():
        mill(position, instance, event.by)


def _infiltrate(event: records.Infiltrate, position: Position, hearing: Hearing) -> None:
    """Cards come into play: ships to the fleet, others to the current sector, face up and ready."""
    _changed(event, position)
    battle = position.battle
    if event.by not in position.table.other or event.by is None or battle is None:
        return
    source = event.from_.zone if isinstance(event.from_, records.ZoneOf) else event.from_
    whose = event.from_.player if isinstance(event.from_, records.ZoneOf) else None
    for instance in event.cards or ():
        owner = position.owner.get(instance) or (whose if whose in position.table.other else event.by)
        position.show(instance, owner, None)
        taken = position.take(owner, source or "command_hand", instance)
        card = position.card_of(instance)
        fleet = card.kind == "ship" if card is not None else event.to == "fleet"
        sector = None if fleet else event.sector if event.sector is not None else battle.sector
        position.put(taken, At("fleet" if fleet else "sector", event.by, sector, "up", event.position or "ready"))
        position.arrived = (*position.arrived, instance)
        # What a card was given before it left play was given to that one.
        position.expire(one for one in position.bonuses if one.target == instance)
        position.bonuses = tuple(one for one in position.bonuses if one.target != instance)


FOLLOWED: dict[type, Any] = {
    records.BaCard: _ba_card,
    records.BaAbility: _ba_ability,
    records.Cost: _cost,
    records.Destroy: _destroy,
    records.Lock: _lock,
    records.Rally: _rally,
    records.Return: _return,
    records.Discard: _discard,
    records.Mill: _mill,
    records.Infiltrate: _infiltrate,
}
"""Event types of abilities that are followed, beside windows and rolls."""
