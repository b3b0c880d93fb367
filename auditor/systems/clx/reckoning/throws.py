"""Grenades of a phase: what was thrown, what it did, and which tests it calls for. Source: catalogue 6.7."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from auditor.core.rulings import Hearing
from auditor.systems.clx import records
from auditor.systems.clx.packs import Model, Weapon
from auditor.systems.clx.position.combat import Throw
from auditor.systems.clx.position.state import Count, Position
from auditor.systems.clx.reckoning.attacks import NONE, plus, unsaved_by
from auditor.systems.clx.reckoning.frame import phase_of
from auditor.systems.clx.tables import tables

POWERED = ("power", "artificer", "terminator")


def throw_of(attack: str | None, position: Position) -> Throw | None:
    """The throw that an attack is."""
    return next((one for one in position.combat.throws if attack is not None and one.attack == attack), None)


def side_of(event: records.Grenade, position: Position) -> str | None:
    """On which side of a charge a grenade is thrown: where that is left out, whose turn it is tells."""
    unit = position.setup.units.get(event.unit or "")
    if event.side is not None or unit is None or position.active is None:
        return event.side
    return "attacker" if unit.player == position.active else "defender"


def weapon_of_throw(throw: Throw, position: Position) -> Weapon | None:
    return position.setup.weapons.get(throw.weapon or "")


def thrown(causes: Iterable[str] | None, position: Position) -> list[Throw] | None:
    """The throws that a test names; None where one of its causes is none."""
    found = [throw_of(name, position) for name in causes or ()]
    known = [one for one in found if one is not None]
    return known if known and len(known) == len(found) else None


def wounds_by(throw: Throw) -> Count:
    """The wounds of a grenade that were not saved."""
    found = NONE
    for count in unsaved_by(throw.counts).values():
        found = plus(found, count)
    return found


def emp(weapon: Weapon | None) -> bool:
    """Whether a grenade is an EMP grenade."""
    return weapon is not None and "emp" in weapon.rules


def pinned_by(throw: Throw, position: Position) -> bool:
    """Whether a grenade has pinned its target: an EMP grenade where that is said of it, another where a test says so."""
    tested = any(test.unit == throw.target and test.pinned for test in position.pin_tests)
    return bool(throw.pinned) and (tested or emp(weapon_of_throw(throw, position)))


def calls_for_a_test(throw: Throw, position: Position, hearing: Hearing) -> bool:
    """Whether a grenade certainly calls for a pinning test of its target."""
    weapon = weapon_of_throw(throw, position)
    if weapon is None or not throw.hits or "blast" not in weapon.rules:
        return False
    if not _came_through(throw, throw.hits):
        return False
    if emp(weapon):
        return hearing.ask("OR-EMP-PIN") == "TEST"
    return wounds_by(throw)[0] > 0 or hearing.ask("OR-FRAG-TRIGGER") == "HIT"


def wounded_nobody(throw: Throw) -> bool:
    """Whether a grenade certainly caused no wound, saved or not: dice to wound are recorded for all whom it hit."""
    if throw.hits is None or throw.wounds < len(throw.hits):
        return False
    return all(high == 0 for _, high in throw.counts.inflicted.values()) and wounds_by(throw) == NONE


def _came_through(throw: Throw, hits: tuple[str, ...]) -> bool:
    """Whether cover certainly did not stop all hits: its dice say so, or dice to wound were rolled."""
    if throw.counts.inflicted:
        return True
    unknown = 0 if throw.cover is False else len(hits)
    return len(hits) > (unknown if throw.stopped is None else throw.stopped)


def powered(model: Model) -> bool | None:
    """Whether an EMP grenade has an effect on a model: by its armour; None where the text leaves that open."""
    if model.armour_class in POWERED or (model.profile.AS is not None and model.profile.AS <= 2):
        return True
    return None if model.armour_class == "eldar" or model.profile.AS is None else False


def struck_by_emp(event: records.Grenade, position: Position) -> bool | None:
    """Whether a die of an EMP grenade shows what it needs for a model in powered armour; None where that is not known."""
    target = position.setup.units.get(event.target or "")
    if not emp(position.setup.weapons.get(event.grenade or "")):
        return False
    if target is None or event.hit_models is None or event.effect_dice is None:
        return None
    dice = {row.model: row.die for row in event.effect_dice}
    needed = int(tables()["grenades"]["emp"]["needed"])
    found: set[bool | None] = set()
    for model in target.models:
        if model.id in event.hit_models and powered(model) is not False:
            die = dice.get(model.id)
            found.add(None if die is None or (powered(model) is None and die >= needed) else die >= needed)
    return True if True in found else None if None in found else False


def begins_blows_of(event: records.Event, position: Position) -> set[str]:
    """The units whose first blows of the phase an event begins."""
    if not isinstance(event, records.FightStep):
        return set()
    found = {row.target for row in event.attackers or () if row.target is not None}
    found |= {unit.id for row in event.attackers or () if (unit := position.unit_of(row.model)) is not None}
    return found - fought(position)


def guess_of_a_throw(event: records.Event, position: Position) -> bool:
    """Whether an event is the guess before a grenade is thrown (OR-GREN-G=GUESS): in the Assault Phase, by a model that has
    one, for no shooting attack."""
    if not isinstance(event, records.GuessShot) or event.attack in position.attacks:
        return False
    model = position.setup.models.get(event.model or "")
    may_throw = model is None or bool(grenades_of(model, position)) or not position.setup.arms_are_known(model)
    return phase_of(event, position) == "assault" and may_throw


def grenades_of(model: Model, position: Position) -> list[Weapon]:
    """The grenades that a model has."""
    held = (position.setup.weapons.get(name) for name in model.weapons)
    return [weapon for weapon in held if weapon is not None and weapon.type == "grenade"]


def strikers_hit_by(kind: Callable[[Weapon | None], bool], event: records.FightStep, position: Position) -> bool:
    """Whether a grenade of some kind was thrown at a unit that strikes in a step."""
    units = {unit.id for row in event.attackers or () if (unit := position.unit_of(row.model)) is not None}
    return any(one.target in units and kind(weapon_of_throw(one, position)) for one in position.combat.throws)


def fought(position: Position) -> set[str]:
    """The units that are in a step of a fight of this phase."""
    steps = position.combat.steps.values()
    return {unit for step in steps for unit in (step.unit, step.target) if unit is not None}
