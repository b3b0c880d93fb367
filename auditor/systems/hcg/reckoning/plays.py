"""Which ability an event announces, and which one an event belongs to (HCG-OPT-02, catalogue 5.2 and 5.3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from auditor.systems.hcg import records
from auditor.systems.hcg.abilities import Ability
from auditor.systems.hcg.abilities.shapes import Amount, Effect
from auditor.systems.hcg.position.kept import of_event
from auditor.systems.hcg.position.parts import Rolling
from auditor.systems.hcg.position.play import Play
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.reckoning.named import targets_of

_KINDS: dict[type, str] = {
    records.BaCard: "BA",
    records.BaAbility: "BA",
    records.BaAssault: "A",
    records.Tactic: "T",
    records.Reaction: "R",
    records.Modifier: "M",
    records.SetupAbility: "setup",
    records.EventResolved: "E",
}
"""Event type -> the kind of ability that it announces."""
ANNOUNCES = frozenset(_KINDS)
ANNOUNCED: tuple[Any, ...] = tuple(kind for kind in _KINDS if kind not in (records.BaCard, records.BaAssault))
"""Those that name the source of the ability."""


def ability_of(position: Position, source: records.Source | Play | None) -> Ability | None:
    """The text that a source names; None where its card is not known, has no such text, or prints several abilities in it:
    which of them is meant nobody can tell."""
    if source is None:
        return None
    card = position.card_of(source.card)
    if card is None and source.zone == "sectorcard":
        card = position.table.cards.get(source.card)
    if card is None:
        return None
    named = None
    if source.ability == "line":
        named = card.line
    elif isinstance(source.ability, int) and 0 <= source.ability < len(card.abilities):
        named = card.abilities[source.ability]
    return None if named is None or named.several else named


def source_of(event: records.Event) -> records.Source | None:
    """Where the ability of an event comes from: as the log names it, or as its event type has it."""
    if isinstance(event, records.BaCard):
        return None if event.card is None else records.Source(zone="hand", card=event.card, ability="line")
    if isinstance(event, records.BaAssault):
        if not event.special or event.unit is None:
            return None
        return records.Source(zone="sector", card=event.unit, ability=event.ability)
    found = getattr(event, "source", None)
    return found if isinstance(found, records.Source) else None


def may_be_anybodys(event: records.Event) -> bool:
    """Whether an event names neither the text that did it nor what it did it to, so that any text may have."""
    return source_of(event) is None and bool(records.lacking(event))


def announced(event: records.Event, position: Position) -> Play | None:
    """The ability that an event announces; None where it announces none, or does not say which, or whose."""
    return _announced(event, position) if type(event) in _KINDS else None


@of_event
def _announced(event: records.Event, position: Position) -> Play | None:
    kind, source = _KINDS[type(event)], source_of(event)
    if source is None or source.card is None or event.by not in position.table.other:
        return None
    choices = getattr(event, "choices", None)
    action = position.action
    return Play(
        event.seq,
        kind,
        _whose(event, position),
        lies_in(source, position, fights=isinstance(event, records.BattleAction)),
        source.card,
        source.ability if source.ability is not None else _only_one(position, source, kind),
        None if choices is None else choices.cards,
        getattr(event, "x", None),
        action.tactics if action is not None and not isinstance(event, records.BattleAction) else 0,
        on=answers(event),
        said=source.zone,
    )


def numbered(event: records.Event, position: Position) -> Any:
    """An event that announces an ability, with the text that it means where it names none."""
    play = announced(event, position)
    if play is None or play.ability is None:
        return event
    if isinstance(event, records.BaAssault):
        return event if event.ability is not None else msgspec.structs.replace(event, ability=play.ability)
    source = getattr(event, "source", None)
    if source is None or source.ability is not None:
        return event
    return msgspec.structs.replace(event, source=msgspec.structs.replace(source, ability=play.ability))


def _whose(event: Any, position: Position) -> str:
    """Whose an ability is: of who announces it, except a special assault in the turn of the player whose unit it is (HCG-BA-01)."""
    at = position.at.get(event.unit or "") if isinstance(event, records.BaAssault) else None
    action, battle = position.action, position.battle
    if at is None or at.player == event.by or battle is None:
        return event.by  # type: ignore[no-any-return]
    due = position.other(action.by) if action is not None else battle.next
    return at.player if at.player == due else event.by


def lies_in(source: records.Source, position: Position, *, fights: bool = False) -> str | None:
    """The zone of a source: where its card is known to lie, if the text that it names can be played from there; else as the
    log has it. A command line is played from the hand. `fights`: it is used as a battle action, so that the set-up is over."""
    at, battle = position.at.get(source.card or ""), position.battle
    if source.zone is None and source.ability == "line":
        return "hand"
    if source.zone is None or source.ability is None or battle is None:
        return source.zone
    if at is None:
        theirs = {sector.card for sector in position.sectors.values()}
        return "sectorcard" if source.card in theirs else source.zone
    lies = _ZONES.get(at.zone)
    if lies == "sector":
        card = position.card_of(source.card)
        waits = card is not None and card.kind == "ship" and (battle.step != "setup" or fights)
        lies = None if waits or at.sector != battle.sector else lies
    return lies if lies is not None and (lies == "hand") == (source.ability == "line") else source.zone


_ZONES = {"command_hand": "hand", "sector": "sector", "fleet": "fleet"}
"""Places of cards -> the zones of sources."""


def players_of(whose: str | None, by: str, position: Position) -> tuple[str, ...]:
    """Whom the text of a player means by "you", "your enemy", "each player"."""
    return {"enemy": (position.other(by),), "each": position.table.players}.get(whose or "you", (by,))


def answers(event: records.Event) -> int | None:
    """The roll or the event in whose window something is played or passed."""
    if isinstance(event, (records.Modifier, records.ModifierPass, records.RollFinal)):
        return event.roll
    return event.trigger if isinstance(event, (records.Reaction, records.ReactionPass)) else None


def _only_one(position: Position, source: records.Source, kind: str) -> int | str | None:
    """The text that a source means where it names none: the command line of a hand card, the only one of its kind."""
    if source.zone == "hand":
        return "line"
    card = position.card_of(source.card)
    fits = [n for n, ability in enumerate(card.abilities) if ability.type == kind] if card is not None else []
    return fits[0] if len(fits) == 1 else None


def is_in_hand(instance: str, player: str, position: Position) -> bool:
    """Whether a card can be played from a player's command hand."""
    at = position.at.get(instance)
    known = position.count(player, "command_hand") > 0 and not position.table.setup.terse
    if at is not None:
        return (at.zone, at.player) == ("command_hand", player) or (at.zone == "deck" and not known)
    listed = position.table.listed.get(player)
    return not known or listed is None or position.may_be(instance, player, "command_hand")


def misplayed(play: Play, ability: Ability, position: Position) -> bool:
    """Whether an ability is announced as what it is not, or from a hand that its card is not in: what its text would ask for
    is then no matter."""
    if play.kind != ability.type:
        return True
    return play.zone == "hand" and play.kind in _FROM_HAND and not is_in_hand(play.card, play.by, position)


_FROM_HAND = ("BA", "T", "R", "M")


def cannot_be_played(play: Play, ability: Ability, position: Position) -> bool:
    """Whether an ability is announced as what it is not, or from where it cannot be used: a command line in a hand alone."""
    in_hand = play.zone == "hand" or play.kind not in _FROM_HAND
    return misplayed(play, ability, position) or (play.ability == "line" and not in_hand)


def same_source(play: Play, source: records.Source) -> bool:
    """Whether a source is that of a play; an ability that the log does not number fits any of the card."""
    return play.card == source.card and (None in (play.ability, source.ability) or play.ability == source.ability)


def a_text_is_not_known(position: Position) -> bool:
    """Whether a card that nobody knows was played in this battle action, or one that cannot have been: nobody can say what its
    text did, or stopped."""
    return any(bool(play.astray) or not is_known(play, position) for play in position.plays)


def is_known(play: Play, position: Position) -> bool:
    """Whether a pack tells what is printed on the card of an ability, which may be a sector card."""
    return position.card_of(play.card) is not None or play.card in position.table.cards


@of_event
def play_by(event: records.Event, position: Position) -> Play | None:
    """The ability that an event belongs to: the last announced of its source; where the event names no source, the last
    whose text has such a cost, test or effect, and rather one that has not done it yet and whose text says just that."""
    if not position.plays:
        return None
    if isinstance(event, records.Roll) and (first := _rerolled(event, position)) is not None:
        return first
    if restates(event, position):
        return None
    source = source_of(event)
    if source is not None and source.card is not None:
        return play_of(position, source)
    if isinstance(event, records.Damage) and not event.by_ability:
        return None  # Damage of an attack.
    if getattr(event, "cause", None) == "unique":
        return None  # A copy that gives way to another.
    if isinstance(event, records.Draw) and event.cause in ("command", "deployment") and _in_a_set_up(position):
        return None  # The command hand: with it what set-up instructions do is over (catalogue 5.3).
    if isinstance(event, (records.Cost, records.Roll)):
        paid = event.op if isinstance(event, records.Cost) else "test"
        owing = [play for play in reversed(position.plays) if _owes(position, play, paid)]
        return next((play for play in owing if play.by == event.by), owing[0] if owing else None)
    if a_text_is_not_known(position):
        return None
    op = event.op if isinstance(event, records.Effect) else str(type(event).__struct_config__.tag)
    able = [
        (play, found)
        for play in reversed(position.plays)
        if (ability := ability_of(position, play)) is not None
        and (found := [one for effect in ability.effects for one in _with_rows(effect) if one.op == op])
    ]
    if len(able) < 2:
        return able[0][0] if able else None
    return max(able, key=lambda one: _explains(event, one[0], one[1], position))[0]


def _explains(event: records.Event, play: Play, effects: list[Effect], position: Position) -> tuple[bool, bool, bool]:
    """Whether an event that names no source is still to come of a play, whether it is what one of these effects does, and
    whether it would be the first of it."""
    fits = any(_is_done_by(event, play, one, position) for one in effects)
    done = [befallen for op, befallen in play.done if op == effects[0].op]
    if not done or isinstance(event, records.Effect):  # A number need not be recorded, and may be as two events.
        return play.passed is not False, fits, True
    return play.passed is not False and all(done) and _goes_on(event, effects, done), fits, False


def _goes_on(event: records.Event, effects: list[Effect], done: list[tuple[str, ...]]) -> bool:
    """Whether one of several events in which an ability does something may be still to come after others."""
    if isinstance(event, records.Damage) and any(one.target is not None and one.target.q == "all" for one in effects):
        return all(event.to not in befallen for befallen in done)
    named = [one.n if one.target is None else one.target.n for one in effects]
    return sum(map(len, done)) < sum(n for n in named if isinstance(n, int))


def _is_done_by(event: Any, play: Play, effect: Effect, position: Position) -> bool:
    """Whether what happened is what an effect does: who does it, how much, to which cards."""
    by = getattr(event, "by", None)
    if effect.op in ("draw", "discard", "mill") and by not in (None, *players_of(effect.player, play.by, position)):
        return False
    if not _befalls_the_chosen(event, play, effect):
        return False
    if isinstance(event, records.Effect) and effect.op == "modify":
        return any(event.stat in (None, one.stat) and _may_be(event.amount, one.amount) for one in effect.changes)
    if isinstance(event, (records.Effect, records.Damage)):
        return _may_be(event.amount, effect.amount)
    n = event.n if isinstance(event, records.Draw) and event.n is not None else len(event.cards or ())
    return not isinstance(effect.n, int) or (n <= effect.n if effect.upto else n == effect.n)


def _may_be(said: int | None, printed: Amount | None) -> bool:
    return said is None or not isinstance(printed, int) or said == printed


def _befalls_the_chosen(event: records.Event, play: Play, effect: Effect) -> bool:
    """Whether it befell no other cards than were chosen, or than the text names itself."""
    cards, target = targets_of(event), effect.target
    if target is not None and target.q == "self":
        return all(one == play.card for one in cards)
    if target is not None and target.q in ("exact", "upto") and play.choices is not None:
        return all(one in play.choices for one in cards)
    return True


def _in_a_set_up(position: Position) -> bool:
    return position.battle is not None and position.battle.step == "setup"


def restates(event: records.Event, position: Position) -> bool:
    """Whether a bare change is no effect: it says once more what another event implied (catalogue 5.3, Implied), or calls a
    card destroyed that was discarded (HCG-DES-02). So is a card from the hand that goes back because its test has failed
    (OR-FAILEDTEST)."""
    if isinstance(event, records.Return):
        failed = {play.card for play in position.plays if play.zone == "hand" and play.passed is False}
        return event.cards is not None and bool(event.cards) and failed.issuperset(event.cards)
    if not isinstance(event, (records.Lock, records.Destroy, records.Discard)):
        return False
    if not event.cards or event.cause in ("effect", "unique"):
        return False
    if not isinstance(event, records.Lock):
        return all((at := position.at.get(one)) is not None and at.zone in ("discard", "limbo") for one in event.cards)
    locked = {one for play in position.plays for op, cards in play.costs if op == "lock" for one in cards}
    if position.action is not None:
        locked |= {one for one in (position.action.unit, position.action.blocker) if one is not None}
    return locked.issuperset(event.cards)


def replaced_by(event: records.Roll, position: Position) -> Rolling | None:
    """The open roll that a roll takes the place of, where a modifier names it as a reroll."""
    old = position.table.rerolled.get(event.seq)
    rolls = (*position.below, *((position.roll,) if position.roll is not None else ()))
    return next((roll for roll in rolls if old is not None and roll.seq == old), None)


def need_before(event: records.Roll, position: Position) -> int | None:
    """The number that was needed of the roll that a roll takes the place of."""
    old = replaced_by(event, position)
    return old.need if old is not None else None


def _rerolled(event: records.Roll, position: Position) -> Play | None:
    """The ability of the open roll that a roll takes the place of."""
    old = replaced_by(event, position)
    made_for = old.play if old is not None else None
    return next((play for play in position.plays if play.seq == made_for), None)


def _with_rows(effect: Effect) -> Iterator[Effect]:
    """An effect, and what the rows of a variable roll do."""
    yield effect
    for row in effect.rows:
        yield from row.effects


def _owes(position: Position, play: Play, op: str | None) -> bool:
    ability = ability_of(position, play)
    printed = sum(cost.op == op for cost in ability.costs) if ability is not None else 0
    return printed > sum(paid == op for paid, _ in play.costs)


def text_of(position: Position, source: records.Source | None) -> Ability | None:
    """The text that a source names; where it names none, that of the last ability announced from its card."""
    if source is not None and source.ability is None:
        return ability_of(position, play_of(position, source))
    return ability_of(position, source)


def play_of(position: Position, source: records.Source) -> Play | None:
    """The last ability announced that a source names; None where none was, in this battle action."""
    if source.card is None:
        return None
    return next((play for play in reversed(position.plays) if same_source(play, source)), None)
