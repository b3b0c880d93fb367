"""What an attack deals: the damage due, the armor against it, and whether it destroys (HCG-SHOOT-07, HCG-ASLT-06,
HCG-SWEEP-03, HCG-CA-01)."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from auditor.core.rulings import Hearing
from auditor.systems.hcg.position.kept import unasked
from auditor.systems.hcg.position.parts import Action
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.reckoning.amounts import told
from auditor.systems.hcg.reckoning.values import PartOf, Value, current, is_alive, now
from auditor.systems.hcg.records import Damage

UNKNOWN = "unknown"


def cannot_act(
    position: Position, instance: str, player: str | None, kinds: Collection[str], stances: Collection[str]
) -> str | None:
    """Why a card cannot be the player's actor at the current sector, as the end of a sentence; None where it can,
    `UNKNOWN` where that cannot be told."""
    battle = position.battle
    if battle is None:
        return UNKNOWN
    at = position.at.get(instance)
    if at is None:
        free = any(position.may_be(instance, one, "sector", battle.sector) for one in position.table.players)
        return UNKNOWN if free or position.holes else f"is not known to be at sector {battle.sector}"
    if not position.lives_at(instance, battle.sector):
        where = f"sector {at.sector}" if at.zone == "sector" else f"the {at.zone.replace('_', ' ')}"
        return (
            f"lies in {where}, not at sector {battle.sector}"
            if at.zone != "sector" or at.sector != battle.sector
            else ("was destroyed")
        )
    if player is not None and at.player != player:
        return f"is {at.player}'s"
    card = position.card_of(instance)
    if card is None:
        return UNKNOWN
    if card.kind not in kinds:
        return f"is {'an' if card.kind == 'asset' else 'a'} {card.kind}, and only {_any_of(kinds)} may"
    if at.stance not in stances:
        return f"is {at.stance}, and must be {' or '.join(stances)}"
    return None


def _any_of(kinds: Collection[str]) -> str:
    """Kinds of cards: 'a unit or an asset'."""
    return " or ".join(f"{'an' if kind == 'asset' else 'a'} {kind}" for kind in kinds)


class Blow(NamedTuple):
    """Damage of one direction, as the rules have it.

    kind      shot, assault, sweep, counter
    source, to   the instances
    stat      firepower or assault
    amount    what is dealt; `armor` against it; `before`: damage that it survived earlier in the battle action
    """

    kind: str
    source: str
    to: str
    stat: str
    amount: Value
    armor: Value
    before: int = 0

    @property
    def unknown(self) -> str | None:
        return self.amount.unknown or self.armor.unknown

    @property
    def tainted(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.amount.tainted, *self.armor.tainted)))


def blow(event: Damage, position: Position, hearing: Hearing) -> Blow | None:
    """What the rules make of a `damage` event of the attack under way; None where it is none of it."""
    kept = position.kept
    if kept is None or kept.event is not event:
        return _blow(event, position, hearing)
    return unasked(position, hearing, blow, lambda: _blow(event, position, hearing))


def _blow(event: Damage, position: Position, hearing: Hearing) -> Blow | None:
    action = position.action
    if action is None or action.kind not in ("shoot", "assault") or event.by_ability:
        return None
    unit, defending = action.unit, action.defending
    if unit is None or defending is None:
        return None
    stat = "firepower" if action.kind == "shoot" else "assault"
    if is_counter(event, action):
        amount = current(position, defending, stat, unit, hearing)
        return Blow(
            "counter",
            defending,
            unit,
            stat,
            amount,
            current(position, unit, "armor", defending, hearing),
            action.suffered,
        )
    if event.from_ not in (None, unit):
        return None
    armor = current(position, defending, "armor", unit, hearing)
    if action.sweep:
        return Blow("sweep", unit, defending, stat, sweep_damage(position, action, hearing), armor)
    kind = "shot" if action.kind == "shoot" else "assault"
    return Blow(kind, unit, defending, stat, current(position, unit, stat, defending, hearing), armor)


class Outcome(NamedTuple):
    """What the damage of one direction came to, as the table went on with it; None where nobody knows. disputed: the log tells
    wrongly whether it destroyed the card, and nothing shows how play went on."""

    amount: int | None
    armor: int | None
    destroyed: bool | None
    disputed: bool = False


def outcome(event: Damage, position: Position, hearing: Hearing) -> Outcome:
    """What the log claims of a `damage` event, and what was recomputed where it claims nothing."""
    amount, armor, destroyed = event.amount, event.armor, event.destroyed
    if event.by_ability:
        if amount is None and destroyed is None:
            amount = told(event, position, hearing)
        if armor is None and event.to is not None and destroyed is None:
            value, *others = now(position, event.to, "armor", hearing)
            armor = None if value.unknown or others else value.amount
    elif amount is None or armor is None:
        due = blow(event, position, hearing)
        if due is not None and due.unknown is None:
            amount = due.amount.amount if amount is None else amount
            armor = due.armor.amount if armor is None else armor
    if destroyed is None and amount is not None and armor is not None:
        destroyed = destroys(amount, armor, hearing, suffered(event, position))
    return Outcome(amount, armor, destroyed)


def is_counter(event: Damage, action: Action) -> bool:
    """Whether a `damage` event goes back at the attacking unit: as its cards tell, whatever it is marked as."""
    if event.by_ability:
        return False
    between = (event.from_, event.to)
    if None not in between and between == (action.defending, action.unit):
        return True
    if None not in between and between == (action.unit, action.defending) and action.unit not in action.dealt:
        return False
    if event.counter is not None:
        return event.counter
    return event.from_ is not None and event.from_ == action.defending and event.to in (None, action.unit)


def step_is_missing(position: Position, action: Action) -> bool:
    """Whether no line deals the damage of an attack, or of the sweep that it has led to, though both cards are there."""
    if action.kind not in ("shoot", "assault") or position.table.setup.terse:
        return False
    if action.sweep:
        # One that was not allowed, which was said there, deals nothing.
        if action.unit in action.dealt or action.mode is None or not action.over or action.over < 0:
            return False
    elif action.step:
        return False
    if action.mode == "special" and action.blocker is None and not action.sweep:
        return False
    slot = position.battle.sector if position.battle is not None else None
    # A counterattack may stand alone.
    return bool(action.dealt) or (position.lives_at(action.unit, slot) and position.lives_at(action.defending, slot))


def may_have_fallen(position: Position) -> str | None:
    """The card at which the attack under way goes, where no line deals its damage: whether it lives nobody can tell yet."""
    action = position.action
    return action.defending if action is not None and step_is_missing(position, action) else None


def sweep_damage(position: Position, action: Action, hearing: Hearing) -> Value:
    """What was left over, and the assault bonuses that count in the sweep (OR-SWEEPPOOL)."""
    assert action.unit is not None
    whole = current(position, action.unit, "assault", action.defending, hearing)
    if whole.unknown is not None or action.leftover is None:
        return whole._replace(unknown=whole.unknown or "it is not known how much damage was left over")
    bonuses = [part for part in whole.parts if part.kind in ("static", "sector", "versus", "bonus")]
    old = [
        bonus
        for bonus in position.bonuses
        if bonus.target == action.unit and bonus.stat == "assault" and not bonus.step
        if is_alive(bonus, position, hearing)
    ]
    new = [part for part in bonuses if part.kind != "bonus" and part.what not in action.fought]
    new += [part for part in bonuses if part.kind == "bonus"][len(old) :]
    if len(new) != len(bonuses) and hearing.ask("OR-SWEEPPOOL") == "reapply":
        new = bonuses
    return whole._replace(parts=(PartOf("leftover", "left over", action.leftover), *new))


def suffered(event: Damage, position: Position) -> int:
    """Damage that the attacking unit has survived in the same battle action, where this comes on top of it."""
    action = position.action
    return action.suffered if action is not None and is_counter(event, action) else 0


def destroys(amount: int, armor: int, hearing: Hearing, before: int = 0) -> bool:
    """Damage of at least the current armor destroys (HCG-DMG-02). `before`: damage of an earlier step of the same battle
    action, which counts only under one answer to OR-DMGACC."""
    if amount < armor <= amount + before:
        return hearing.ask("OR-DMGACC") == "per-ba"
    if amount == 0 == armor:
        return hearing.ask("OR-ZEROKILL") == "literal"
    return amount >= armor


def counter_is_due(position: Position, action: Action, amount: int, hearing: Hearing) -> bool | None:
    """Whether the defending card counterattacks (HCG-CA-01); None where its card is not known."""
    card = position.card_of(action.defending)
    if card is None:
        return None
    given = {bonus.what for bonus in position.bonuses if bonus.target == action.defending and bonus.stat == "keyword"}
    if card.kind != "unit" or not (card.counterattacks or "counterattack" in given):
        return False
    return amount > 0 or hearing.ask("OR-CAZERO") == "always"
