"""Grenades in the Assault Phase of an invented game (catalogue 6.7)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from auditor.conformance.clx.chart import majority, to_wound
from auditor.conformance.clx.inches import gap
from auditor.conformance.clx.nerve import pin
from auditor.conformance.clx.shooting import guessed
from auditor.conformance.clx.table import Json, Model, Table, Unit
from auditor.conformance.clx.wounding import wounded

REACH = 6
"""Inches that a grenade is thrown (CLX-GREN-01)."""
EMP_NEEDS = 4
STRUCK_BY_EMP = ("power", "artificer", "terminator")
"""Armour that an EMP grenade surely has an effect on; of Eldar armour the text leaves it open (CLX-GREN-08)."""


def grenade(t: Table, unit: Unit, target: Unit, kind: str = "frag") -> None:
    """A model throws a frag or photon grenade at a unit that its own charges, or that charges it (CLX-GREN-01, -02, -04,
    -06, -07)."""
    if "throws" in t.habits and t.clock <= max(target.grounded_until, target.pinned_until, target.stuck_until):
        return  # What cover a unit on the ground still has in the Assault Phase is not stated.
    able = in_reach(unit, target, kind)
    if not able:
        return
    weapon = t.weapons[kind]
    thrower = t.rng.choice(able)
    if any(t.visible(thrower, n) is not True for n in target.living):
        return
    struck = nearest(t, thrower, target)
    if t.led("lands wide"):
        struck = []
    name = throw(t, thrower, target, kind, struck)
    if kind == "photon" and (struck or not t.rules("OR-PHOTON", "HIT")):
        target.no_bonus = True
    level = t.cover_from(thrower, target)
    hits = len(struck)
    if level and hits:
        dice = t.dice(hits)
        saved = sum(die >= 7 - level for die in dice)
        t.write("cover_rolls", target.owner, attack=name, weapon=kind, dice=dice, claimed_level=level,
                claimed_needed=7 - level, claimed_saved=saved)  # fmt: skip
        hits -= saved
    unsaved = casualties = 0
    if hits:
        needed = to_wound(weapon["S"], majority(n.n("T") for n in target.living), t.rules("OR-TWICE", "EXACT"))
        dice = t.dice(hits)
        wounds = sum(die >= needed for die in dice)
        t.write("wound_rolls", unit.owner, attack=name, weapon=kind, rolls=[{"die": d} for d in dice],
                claimed_needed=needed, claimed_wounds=wounds, pool=f"{name}p")  # fmt: skip
        rows: list[Json] = []
        for _ in range(wounds):
            near = sorted(((gap(thrower.base, n.base), i) for i, n in enumerate(target.models) if n.alive))
            if not near:
                break
            rows.append(wounded(t, target.models[near[0][1]], weapon["S"], weapon["AP"], weapon["rules"]))
            unsaved += not rows[-1]["claimed_saved"]
            casualties += bool(rows[-1]["claimed_removed"])
        if rows:
            t.write("allocate", target.owner, attack=name, pool=f"{name}p", list=rows)
    if target.gone:
        return
    if not level and kind == "frag":
        target.init_loss = casualties
    if hits and t.clock > target.pinned_until and "prone_position" not in target.rules:
        pin(t, target, [name], unsaved)


def in_reach(unit: Unit, target: Unit, kind: str) -> list[Model]:
    """The models of a unit that have a grenade of a kind and reach another unit with it (CLX-GREN-01)."""
    able = [m for m in unit.living if kind in m.entry["weapons"]]
    return [m for m in able if min(gap(m.base, n.base) for n in target.living) <= REACH]


def nearest(t: Table, thrower: Model, target: Unit) -> list[Model]:
    """Whom a grenade hits: one to three models, those nearest to whoever throws it."""
    return sorted(target.living, key=lambda n: gap(thrower.base, n.base))[: t.rng.randint(1, 3)]


def throw(t: Table, thrower: Model, target: Unit, kind: str, struck: Sequence[Model], **more: Any) -> str:
    """A grenade is thrown, under OR-GREN-G=GUESS after a guess of how far it is; the name of the attack. `more`: what else
    the record says of it."""
    unit, name = thrower.unit, t.name("g")
    charges = unit.owner == t.active
    if t.rules("OR-GREN-G", "GUESS"):
        guessed(t, t.weapons[kind], thrower, target, name)
    t.write(
        "grenade",
        unit.owner,
        attack=name,
        unit=unit.id,
        model=thrower.id,
        grenade=kind,
        side="attacker" if charges else "defender",
        target=target.id,
        hit_models=[n.id for n in struck],
        **more,
    )
    if charges:
        unit.thrower = thrower.id
    return name


def defend(t: Table, unit: Unit, charger: Unit) -> None:
    """A unit throws a grenade at those whose charge has just reached it (CLX-GREN-04, OR-DEF-TIME)."""
    if t.clock <= unit.pinned_until or unit.vehicle is not None:
        return
    kinds = [key for key in unit.living[0].entry["weapons"] if key in ("frag", "photon")]
    if kinds:
        grenade(t, unit, charger, t.rng.choice(kinds))


def emp(t: Table, unit: Unit, target: Unit) -> bool:
    """A charging model throws an EMP grenade at models in powered armour (CLX-GREN-05, -08); whether it does."""
    able = in_reach(unit, target, "emp")
    if not able or any(n.entry.get("armour_class") not in STRUCK_BY_EMP for n in target.living):
        return False
    thrower = t.rng.choice(able)
    if t.cover_from(thrower, target) or any(t.visible(thrower, n) is not True for n in target.living):
        return False
    struck = nearest(t, thrower, target)
    dice = {n.id: t.d6() for n in struck}
    worked = [n for n in struck if dice[n.id] >= EMP_NEEDS]
    wounds = [] if t.rules("OR-EMP", "NO_WOUND") else worked
    outright = bool(worked) and not t.rules("OR-EMP-PIN", "TEST")
    name = throw(
        t,
        thrower,
        target,
        "emp",
        struck,
        effect_dice=[{"model": key, "die": die} for key, die in dice.items()],
        claimed_needed=EMP_NEEDS,
        claimed_effects={
            "wounded": [n.id for n in wounds],
            "pinned": outright,
            "initiative_one": [n.id for n in struck],
        },
    )
    target.slowed |= set(dice)
    rows: list[Json] = [wounded(t, n, 0, 2, t.weapons["emp"]["rules"]) for n in wounds]
    if rows:
        t.write("allocate", target.owner, attack=name, pool=f"{name}p", list=rows)
    if target.gone:
        return True
    if outright:
        target.pinned_until = max(target.pinned_until, t.clock + 1)
    elif t.rules("OR-EMP-PIN", "TEST") and t.clock > target.pinned_until and "prone_position" not in target.rules:
        pin(t, target, [name], sum(not row["claimed_saved"] for row in rows))
    return True
