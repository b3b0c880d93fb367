"""Who is gone by the wounds that an event allocates, and who may be. Source: catalogue CLX-SHOOT-13, last steps.

A removal that the log does not claim is worked out: a model is gone by its last wound if that was certainly not saved.
Where the record does not settle it, the model may be gone, and nobody is accused for what hangs on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from auditor.systems.clx import records
from auditor.systems.clx.packs import Model
from auditor.systems.clx.position.state import AttackState, Position, places_of
from auditor.systems.clx.reckoning.saves import saved


@dataclass(frozen=True, slots=True)
class Losses:
    """What the wounds of one event come to.

    gone     models that are removed, in the order of their wounds
    perhaps  models that may be
    left     model -> the wounds that it has left, at least
    """

    gone: tuple[str, ...] = ()
    perhaps: tuple[str, ...] = ()
    left: Mapping[str, int] | None = None


def losses(event: records.Allocate, position: Position) -> Losses:
    """What the wounds that an event allocates come to. Where it does not say who took them, anybody may be gone."""
    struck = _struck(event, position)
    if event.wounds is None:
        return Losses(perhaps=_living(struck, position))
    gone: list[str] = []
    perhaps: list[str] = []
    left: dict[str, int] = {}
    spare: dict[str, int] = {}  # wounds that are left if every one that may have been saved was
    for wound in event.wounds:
        taker = wound.look_out_sir.to if wound.look_out_sir and wound.look_out_sir.to else wound.model
        standing = position.models.get(taker or "")
        if standing is None or taker in gone:
            # Nobody is named, or nobody of that name, or one that is gone by a wound before: another may have been meant.
            perhaps += _living(struck, position)
        if taker is None or standing is None:
            continue
        found = {saved(wound, event.pool, counts, position) for counts in _counts(event, position)} or {None}
        least, most = found == {False}, found != {True}
        wounds = left.get(taker, standing.wounds)
        if most and standing.alive and wounds is not None:
            wounds = left[taker] = max(wounds - 1, 0)
            spare[taker] = max(spare.get(taker, standing.wounds or 0) - least, 0)
        if wound.claimed_removed and wounds and not _may_fell(event, position.setup.models[taker], position):
            perhaps.append(taker)  # It has wounds left: that is one fault, and nobody knows what followed.
        elif wound.claimed_removed:
            gone.append(taker)
        elif wound.claimed_removed is False and least and spare.get(taker) == 0:
            perhaps.append(taker)  # It has none left and is not removed: one fault as well.
        elif wound.claimed_removed is None and most and standing.alive:
            model = position.setup.models[taker]
            if least and spare.get(taker) == 0 and position.holes.doubt(places_of([taker])) is None:
                gone.append(taker)  # By this wound, if not by one before that may have felled it outright.
            elif not least or not wounds or _may_fell(event, model, position):
                perhaps.append(taker)
    attack = position.attacks.get(event.attack)
    weapon, over = (None, 0) if attack is None else attack.pools.get(event.pool, (None, 0))
    low, high = (0, 0) if attack is None else attack.inflicted.get(weapon, (0, 0))
    if over < 0 and low == high:
        # More wounds than the pool had: who took none? Of fewer the others were lost.
        perhaps += _living(struck, position)
    return Losses(tuple(gone), tuple(one for one in dict.fromkeys(perhaps) if one not in gone), left)


def _counts(event: records.Allocate, position: Position) -> list[AttackState]:
    """The attack that an event belongs to; all of this phase where it does not say."""
    steps = {name: step.counts for name, step in position.combat.steps.items()}
    throws = {throw.attack: throw.counts for throw in position.combat.throws}
    known = {**throws, **steps, **position.attacks}
    return [known[event.attack]] if event.attack in known else list(known.values())


def _struck(event: records.Allocate, position: Position) -> list[str]:
    """The units that an attack may have been at."""
    found = {counts.target for counts in _counts(event, position)}
    found |= {throw.target for throw in position.combat.throws if throw.attack == event.attack}
    return sorted(one for one in found if one is not None and one in position.setup.units)


def _living(units: Iterable[str], position: Position) -> tuple[str, ...]:
    setup = position.setup
    return tuple(model.id for unit in units for model in setup.units[unit].models if position.models[model.id].alive)


def _may_fell(event: records.Allocate, model: Model, position: Position) -> bool:
    """Whether one wound may remove a model outright: the Strength is, or may be, twice its Toughness or more."""
    for counts in _counts(event, position):
        weapons = [counts.pools[event.pool][0]] if event.pool in counts.pools else [*counts.weapons]
        for name in weapons:
            weapon = position.setup.weapons.get(name or "")
            strength = None if weapon is None else weapon.strength
            if not isinstance(strength, int) or model.profile.T is None or strength >= 2 * model.profile.T:
                return True
    return not _counts(event, position)
