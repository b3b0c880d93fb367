"""What a save needs, and whether a wound was saved. Source: catalogue CLX-SHOOT-13, CLX-GEAR-03, CLX-MISC-03, CLX-USR-03.

Where the log claims neither the number nor the result, both are worked out from the armour and the weapon, so far as no
reading is in question.
"""

from __future__ import annotations

from collections.abc import Iterable

from auditor.systems.clx import records
from auditor.systems.clx.packs import Model, Unit, Weapon
from auditor.systems.clx.position.state import AttackState, Count, Position
from auditor.systems.clx.reckoning.dice import reaches
from auditor.systems.clx.tables import tables

UNHEFTY = 3
"""A Hefty weapon takes one off an armour save for each point of Strength above this (CLX-GEAR-02)."""
SHIELDING = frozenset(tables()["shielding"]["armour"])


def strength_of(weapon: Weapon | None, own: int | None) -> int | None:
    """The Strength of a blow: of the weapon, or made from that of the one who strikes; at most 10."""
    if weapon is None or weapon.strength is None:
        return None
    if isinstance(weapon.strength, int):
        return weapon.strength
    if own is None:
        return None
    if weapon.strength.startswith("x"):
        return min(own * int(weapon.strength[1:]), 10)
    return min(own + int(weapon.strength.removeprefix("user") or 0), 10)


def shielded(model: Model, unit: Unit) -> bool:
    """Whether a model's armour has Hostile Environment Shielding."""
    return "hostile_environment_shielding" in unit.rules or model.armour_class in SHIELDING


def save_by_ap(armour: int, ap: int | None, position: Position) -> tuple[bool, int | None]:
    """Whether it is known what an armour save needs against an AP, without any other rule, and what: None where there is
    no such save (base rule)."""
    if armour == 1:
        return True, None if ap == 1 else 2
    if ap is None:
        return True, armour
    if position.setup.base["BASE-AS"] is None:
        return False, None
    return True, None if ap <= armour else armour


def save_needs(
    save: records.Save, model: Model, weapon: Weapon, automatic: bool, position: Position
) -> tuple[bool, int | None]:
    """Whether it is known, under every reading, what a save needs, and what: None where there is no such save.

    automatic   the wound is by a 6 of a Rending weapon, at AP 1
    """
    if save.kind == "inv":
        return model.profile.inv is not None, model.profile.inv
    armour = model.profile.AS
    if save.kind != "AS" or armour is None:
        return False, None
    if automatic or "power" in weapon.rules:
        return True, None
    by_ap = save_by_ap(armour, weapon.ap, position)
    if "nbc" in weapon.rules:
        if not shielded(model, position.setup.units[model.unit]):
            return True, None
        return by_ap[1] == max(armour, 2), max(armour, 2)
    if "hefty" in weapon.rules and by_ap != (True, None):
        # What a blow has for its Strength is a reading, and what Hefty does to 1+ armour is another.
        if armour == 1 or weapon.type == "melee" or not isinstance(weapon.strength, int) or not by_ap[0]:
            return False, None
        needed = armour + max(0, weapon.strength - UNHEFTY)
        return True, needed if needed <= 6 else None
    return by_ap


def saved(wound: records.Wound, pool: str | None, counts: AttackState, position: Position) -> bool | None:
    """Whether a wound was saved, as the record goes on; None: it does not say, or says what its die does not.

    counts   the attack, or what a step of a fight or a grenade came to
    """
    save = wound.save
    if wound.claimed_saved is not None or save is None:
        return None if _is_contradicted(wound, save, position) else bool(wound.claimed_saved)
    if save.die is None:
        return None
    if save.die == 1:
        return False
    if save.claimed_needed is not None:
        return reaches(save.die, save.claimed_needed)
    taker = wound.look_out_sir.to if wound.look_out_sir and wound.look_out_sir.to else wound.model
    model = position.setup.models.get(taker or "")
    made = set(counts.made.get(pool, ())) or {(weapon, False) for weapon in counts.weapons}
    if model is None or len(made) != 1:
        return None
    name, automatic = made.pop()
    weapon = position.setup.weapons.get(name or "")
    if weapon is None or ("rending" in weapon.rules and not counts.made.get(pool)):
        return None
    known, needed = save_needs(save, model, weapon, automatic, position)
    if known:
        return reaches(save.die, needed)
    found = {reaches(save.die, one) for one in _may_need(save, model, weapon, counts, position)}
    return found.pop() if len(found) == 1 else None


def _may_need(
    save: records.Save, model: Model, weapon: Weapon, counts: AttackState, position: Position
) -> set[int | None]:
    """What a save against Hefty may need under one reading or another (OR-HEFTY-S, OR-1PLUS); none where nobody knows."""
    unit, armour = position.setup.units.get(counts.unit or ""), model.profile.AS
    if save.kind != "AS" or armour is None or unit is None or "hefty" not in weapon.rules:
        return set()
    known, by_ap = save_by_ap(armour, weapon.ap, position)
    users = {one.profile.S for one in unit.models}
    user = users.pop() if len(users) == 1 else None
    by_blow = strength_of(weapon, user)
    if not known or by_ap is None or user is None or by_blow is None:
        return set()
    worse = {max(0, strength - UNHEFTY) for strength in ((user, by_blow) if weapon.type == "melee" else (by_blow,))}
    return {max(base + by, 2) for by in worse for base in {armour, by_ap}}


def _is_contradicted(wound: records.Wound, save: records.Save | None, position: Position) -> bool:
    """Whether a save is claimed that nobody took, or that its die does not make on the number claimed; or the other way
    round."""
    if save is None:
        return bool(wound.claimed_saved)
    if save.die is None or save.claimed_needed is None or wears_one_plus(wound, position):
        return False
    return reaches(save.die, save.claimed_needed) != wound.claimed_saved


def wears_one_plus(wound: records.Wound, position: Position) -> bool:
    """Whether a wound is one against armour of 1+."""
    model = position.setup.models.get(wound.model or "")
    return model is not None and model.profile.AS == 1


def unsaved(wounds: Iterable[records.Wound], pool: str | None, counts: AttackState, position: Position) -> Count:
    """How many of the wounds that were allocated were not saved: at least, at most."""
    least = most = 0
    for wound in wounds:
        stopped = saved(wound, pool, counts, position)
        least, most = least + (stopped is False), most + (not stopped)
    return least, most
