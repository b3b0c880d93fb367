"""The current numbers of cards, as figures that remember their parts (HCG-DMG-04, HCG-STAT-01, HCG-VS-01 to 03)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from auditor.core.findings import Figure
from auditor.core.rulings import Hearing
from auditor.systems.hcg.abilities import Ability
from auditor.systems.hcg.abilities.shapes import Condition, Effect, Selector
from auditor.systems.hcg.packs import Card
from auditor.systems.hcg.position.kept import of_position
from auditor.systems.hcg.position.parts import SETUP, Action, Bonus
from auditor.systems.hcg.position.places import Lying
from auditor.systems.hcg.position.play import Play
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.reckoning.plays import ability_of
from auditor.systems.hcg.reckoning.selectors import holds, matches, whose

STAT_WORDS = (
    "firepower", "assault", "speed", "armor", "armour", "flag", "damage", "destroy", "block", "charge",
)  # fmt: skip


class PartOf(NamedTuple):
    """What a number is made of. kind: printed, static, sector, versus, bonus, floor."""

    kind: str
    what: str
    amount: int


class Value(NamedTuple):
    """A current number.

    parts    what it is made of, the printed number first
    tainted  texts that could not be read, or could not be told to apply, and may have changed it
    unknown  why there is no number at all: the card is not known, or it prints none
    """

    stat: str
    parts: tuple[PartOf, ...]
    tainted: tuple[str, ...] = ()
    unknown: str | None = None

    @property
    def amount(self) -> int:
        return sum(part.amount for part in self.parts)

    def figure(self, name: str) -> Figure:
        return Figure(name, self.amount, tuple((part.what, part.amount) for part in self.parts))

    def of(self, kind: str) -> tuple[PartOf, ...]:
        return tuple(part for part in self.parts if part.kind == kind)


def current(position: Position, instance: str, stat: str, against: str | None, hearing: Hearing) -> Value:
    """The current number of a card, while it fights `against` (None: nobody)."""
    card = position.card_of(instance)
    if card is None:
        return Value(stat, (), unknown=f"the card of {instance} is not known")
    printed = card.flags if stat == "flags" else card.stats.get(stat)
    if printed is None:
        return Value(stat, (), unknown=f"{position.named(instance)} has no {stat}")
    parts = [PartOf("printed", "printed", printed)]
    tainted: list[str] = []
    for part in _given(position, instance, stat, against, hearing):
        if isinstance(part, PartOf):
            parts.append(part)
        else:
            tainted.append(part)
    for bonus in position.alive:
        if bonus.target == instance and bonus.stat == stat:
            if not is_alive(bonus, position, hearing):
                continue
            parts.append(PartOf("bonus", _source_of(position, bonus.source), bonus.amount))
            if not bonus.verified:
                tainted.append(_source_of(position, bonus.source))
    if card.standing:
        tainted += _unread(card)
    if against is not None:
        tainted += _unread(position.card_of(against))
    tainted += [
        text for bearer, text in _standing(position).unread if bearer is None or bearer not in (instance, against)
    ]
    tainted += untold(position)
    total = printed if len(parts) == 1 else sum(part.amount for part in parts)
    if total < 0 and hearing.ask("OR-STATFLOOR") == "floor-0":
        parts.append(PartOf("floor", "not below 0", -total))
    return Value(stat, tuple(parts), tuple(dict.fromkeys(tainted)) if tainted else ())


def now(position: Position, instance: str, stat: str, hearing: Hearing) -> tuple[Value, ...]:
    """The current number of a card outside a damage step: while an attack is under way, against the card that it fights
    (HCG-VS-02). Between the damage and the end of the battle action it may be either number, with and without, and so where
    the attack has just ended because one of the two was destroyed: what destroyed it may do more at once."""
    action = position.going
    foe = _foe(action, instance)
    if action is None or foe is None:
        return (current(position, instance, stat, None, hearing),)
    fights = current(position, instance, stat, foe, hearing)
    if action.ended is None and not action.dealt:
        return (fights,)
    alone = current(position, instance, stat, None, hearing)
    return (alone,) if alone == fights else (alone, fights)


def _foe(action: Action | None, instance: str) -> str | None:
    """The card that one attacks, or is attacked by."""
    if action is None or action.kind not in ("shoot", "assault"):
        return None
    return {action.unit: action.defending, action.defending: action.unit}.get(instance)


def is_alive(bonus: Bonus, position: Position, hearing: Hearing) -> bool:
    """Whether a bonus has not run out: one of a set-up instruction may have, with the first battle action."""
    if bonus.until != SETUP or position.battle is None or not position.battle.ba:
        return True
    return hearing.ask("OR-BONUSSETUP") == "battle"


def standing(position: Position, instance: str, stat: str, against: str | None, hearing: Hearing) -> tuple[PartOf, ...]:
    """The static and versus bonuses of a card while it fights `against`."""
    return tuple(part for part in _given(position, instance, stat, against, hearing) if isinstance(part, PartOf))


def _given(position: Position, instance: str, stat: str, against: str | None, hearing: Hearing) -> list[PartOf | str]:
    """What standing texts give to a number of a card, or a text of which nobody can say whether it does."""
    texts = changing(position).get(stat)
    found = [] if texts is None else list(_static(texts, position, instance, stat, hearing))
    if against is not None:
        found += _versus(position, instance, stat, against)
    return found


def _source_of(position: Position, source: str | None) -> str:
    if source is None:
        return "an ability"
    card = position.card_of(source)
    return card.title if card is not None else source


def _met(
    condition: Condition | None,
    stat: str,
    position: Position,
    controller: str | None,
    bearer: str | None,
    hearing: Hearing,
) -> bool | None:
    """Whether the condition of a standing bonus is met; None where that cannot be told."""
    if condition is None:
        return True
    if condition.what != "has" or condition.cards is not None:
        return holds(condition, position, controller, bearer)
    battle, one = position.battle, whose(condition.player, position, controller)
    if battle is None or one is None or stat == "flags":
        return None  # What changes flags by flags cannot be counted.
    mine = _flags(position, one, hearing)
    if condition.count in ("more", "fewer"):
        other = whose(condition.than, position, controller)
        theirs = None if other is None else _flags(position, other, hearing)
        if mine is None or theirs is None:
            return None
        met = mine > theirs if condition.count == "more" else mine < theirs
    elif mine is None:
        return None
    elif condition.count == "no":
        met = mine == 0
    elif condition.count == "exact" and isinstance(condition.n, int):
        met = mine >= condition.n
    else:
        return None  # "X flags": nobody says how many.
    return met != condition.negated


def _flags(position: Position, player: str, hearing: Hearing) -> int | None:
    """The flag total of a player at the sector of the battle; None where it cannot be told."""
    battle = position.battle
    if battle is None or battle.unread or position.pool(player, "sector", battle.sector).n or position.untold:
        return None
    total = 0
    for _, instance, at in position.at.lying("sector", battle.sector):
        if at.player == player:
            if not position.lives_at(instance, battle.sector):
                continue
            card = position.card_of(instance)
            if card is None:
                return None
            if card.kind in ("unit", "asset"):
                value = current(position, instance, "flags", None, hearing)
                if value.tainted:
                    return None
                total += value.amount
    changes = [bonus for bonus in position.alive if bonus.target == player and bonus.stat == "flags"]
    return None if any(not bonus.verified for bonus in changes) else total + sum(bonus.amount for bonus in changes)


def _static(
    texts: Iterable[Changing], position: Position, instance: str, stat: str, hearing: Hearing
) -> Iterator[PartOf | str]:
    """Standing bonuses of cards at this sector, of ships, and of the sector card."""
    for bearer, title, controller, effect, target in texts:
        means = matches(target, instance, position, controller, bearer)
        if means is False:
            continue
        met = _met(effect.condition, stat, position, controller, bearer, hearing)
        if met is False:
            continue
        if means is None or met is None:
            yield title
        else:
            yield from _parts("static" if bearer is not None else "sector", title, title, effect, stat)


def _versus(position: Position, instance: str, stat: str, against: str) -> Iterator[PartOf | str]:
    """Bonuses against the card that it fights, in attack and in defence (HCG-VS-01)."""
    card = position.card_of(instance)
    if card is None:
        return
    at = position.at.get(instance)
    controller = at.player if at is not None else None
    for ability in card.standing:
        for effect in _modifies(ability, stat):
            if effect.versus is None:
                continue
            means = matches(effect.versus, against, position, controller, instance)
            if means is None:
                yield card.title
            elif means:
                yield from _parts("versus", f"{card.title} vs. {_said(effect)}", card.title, effect, stat)


def _said(effect: Effect) -> str:
    assert effect.versus is not None
    return " ".join([*effect.versus.keywords, f"{effect.versus.kind}s"])


def _modifies(ability: Ability, stat: str) -> Iterator[Effect]:
    for effect in ability.effects:
        if effect.op == "modify" and any(change.stat == stat for change in effect.changes):
            yield effect


def _parts(kind: str, said: str, title: str, effect: Effect, stat: str) -> Iterator[PartOf | str]:
    """What a text adds to a number; of one that names no number ("+d6 armor") nobody can say what it adds."""
    for change in effect.changes:
        if change.stat == stat:
            yield PartOf(kind, said, change.amount) if isinstance(change.amount, int) else title


InForce = tuple[str | None, str, str | None, Ability]
"""(bearer, title, controller, text); of a sector card there is neither bearer nor controller."""


Changing = tuple[str | None, str, str | None, Effect, Selector]
"""(bearer, title, controller, what it changes, of which cards)."""


class Standing(NamedTuple):
    """The static texts in force, and those of them that change a number of cards, by that number: not those that count
    against some cards only. `there`: all that they hang on, beside what the cards are (`Places.moved`, the sector of the battle
    and its card). `unread`: (bearer, text) of those that could not be read, or that nobody knows, and that may change
    numbers of other cards."""

    there: tuple[int, int | None, str | None]
    texts: Sequence[InForce]
    changing: Mapping[str, Sequence[Changing]]
    unread: Sequence[tuple[str | None, str]] = ()


def in_force(position: Position) -> Sequence[InForce]:
    """The static texts in force at the sector of the battle."""
    return _standing(position).texts


def changing(position: Position) -> Mapping[str, Sequence[Changing]]:
    """The static texts in force that change a number of cards, by that number; not those that count against some cards only."""
    return _standing(position).changing


@of_position
def _standing(position: Position) -> Standing:
    """What stands on the table. It is found anew only where other cards lie there, or face up; while one of them is not
    known, each time."""
    battle = position.battle
    slot = battle.sector if battle is not None else None
    sector = position.sectors[slot].card if slot is not None else None
    there = (position.at.moved, slot, sector)
    found = found_before(position, there)
    if found is None:
        lying = sorted(position.at.lying("sector", slot) + position.at.lying("fleet"))
        texts = tuple(_in_force(position, lying, sector))
        ground = () if slot is None or position.table.cards.get(sector) is not None else (_nobody_knows(sector),)
        unread = (*_unread_for_all(texts), *_not_known(position, lying), *((None, text) for text in ground))
        found = Standing(there, texts, _by_number(texts), unread)
        if position.card.keys() >= {instance for _, instance, _ in lying}:
            position.standing = found
    return found


def found_before(position: Position, there: tuple[int, int | None, str | None]) -> Standing | None:
    """What was found before, where nothing has moved there."""
    before: Standing | None = position.standing
    return before if before is not None and before.there == there else None


def _by_number(texts: Iterable[InForce]) -> Mapping[str, Sequence[Changing]]:
    found: dict[str, list[Changing]] = {}
    for bearer, title, controller, ability in texts:
        for effect in ability.effects:
            if effect.op == "modify" and effect.versus is None and effect.target is not None:
                for stat in dict.fromkeys(change.stat for change in effect.changes):
                    found.setdefault(stat, []).append((bearer, title, controller, effect, effect.target))
    return found


def _in_force(position: Position, lying: Iterable[Lying], sector: str | None) -> Iterator[InForce]:
    for _, instance, at in lying:
        card = position.card_of(instance) if at.face == "up" else None
        if card is not None:
            for ability in card.standing:
                yield instance, card.title, at.player, ability
    card = position.table.cards.get(sector)
    if card is not None:
        for ability in card.standing:
            yield None, card.title, None, ability


def _not_known(position: Position, lying: Iterable[Lying]) -> Iterator[tuple[str, str]]:
    """Cards that lie face up at the sector and of which nobody knows which they are: any text may stand on them."""
    for _, instance, at in lying:
        if at.zone == "sector" and at.face == "up" and position.card_of(instance) is None:
            yield instance, _nobody_knows(instance)


def _nobody_knows(card: str | None) -> str:
    return f"{card or 'the sector'}, a card that nobody knows"


def _unread(card: Card | None) -> list[str]:
    """Static texts of a fighter that cannot be read and speak of numbers (catalogue 8.6)."""
    if card is None:
        return []
    return [f"{card.title}: {ability.text}" for ability in card.standing if _speaks_of_numbers(ability)]


def _speaks_of_numbers(ability: Ability) -> bool:
    """Whether a static text could not be read and speaks of numbers."""
    return ability.status != "full" and any(word in ability.text.lower() for word in STAT_WORDS)


def _unread_for_all(texts: Iterable[InForce]) -> Iterator[tuple[str | None, str]]:
    """Those that speak of numbers and could not be read, but for what speaks of its own card alone."""
    for bearer, title, _, ability in texts:
        if _speaks_of_numbers(ability):
            words = ability.text.lower().replace(",", " ").split()
            if words[:1] != ["this"] or not OF_OTHERS.isdisjoint(words):
                yield bearer, f"{title}: {ability.text}"


OF_OTHERS = frozenset({"all", "any", "each", "every", "other", "others", "friendly", "enemy", "your", "units", "cards"})
"""Words by which a text speaks of other cards than its own."""


@of_position
def untold(position: Position) -> Sequence[str]:
    """Abilities whose text could not be read, which may still be in force, and of whose effect nothing is recorded."""
    return (*(title for _, title in position.untold), *_untold(position))


def _untold(position: Position) -> Iterator[str]:
    """Abilities played in this battle action whose text could not be read, or whose choice cannot be right, and of whose effect
    nothing is recorded."""
    for play in position.plays:
        ability = ability_of(position, play)
        silent = not play.done or (ability is not None and ability.gives_a_text)
        if not silent or play.passed is False or play.kind == "M" or (play.kind == "A" and not _resolved(position)):
            continue
        if play.kind == "BA" and any(one.kind == "tactics" and one.passes < 2 for one in position.windows):
            continue  # It takes effect once the window of its battle action is closed.
        if ability is None or play.astray or _in_doubt(play, position) or not ability.bonuses_are_told:
            yield f"{position.named(play.card)}: {ability.text}" if ability is not None else position.named(play.card)


def _in_doubt(play: Play, position: Position) -> bool:
    """Whether the test of an ability is over, and nobody can tell whether it was passed."""
    if play.passed is not None or ("test", ()) not in play.costs:
        return False
    roll = position.roll
    return roll is None or roll.settled or play.seq not in (roll.play, *(one.play for one in position.below))


def _resolved(position: Position) -> bool:
    return position.action is not None and position.action.step > 0


def cannot_tell(values: Sequence[Value]) -> str | None:
    """Why nobody can tell a number, given as all that it may be; None where it can be told."""
    unknown = next((one.unknown for one in values if one.unknown), None)
    unread = dict.fromkeys(text for one in values for text in one.tainted)
    if unknown is None and unread:
        return f"the {values[0].stat} may hang on what was not read: {' '.join(unread)}"
    return unknown


def not_verified(tainted: Sequence[str]) -> str:
    """A sentence on the texts that a number hangs on and that nobody could read."""
    return f" Not verified: {', '.join(tainted).removesuffix('.')}."
