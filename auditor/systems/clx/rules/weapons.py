"""Types of weapons: how many shots they fire, after what move, and whether their unit may charge afterwards."""

from __future__ import annotations

from fractions import Fraction

from auditor.core.findings import RAN, Figure, Remark
from auditor.core.ruleset import Rule
from auditor.core.rulings import Hearing
from auditor.geometry.inches.lengths import Length, shown
from auditor.systems.clx import records
from auditor.systems.clx.packs import Model, Unit, Weapon
from auditor.systems.clx.position.state import Position, UnitState
from auditor.systems.clx.reckoning.attacks import attack_of, weapon_of
from auditor.systems.clx.reckoning.fights import held_in_combat
from auditor.systems.clx.reckoning.shots import (
    ELEV,
    ELEV_REF,
    HEIGHTS,
    Pair,
    pair_of,
    spatial,
    visible,
)
from auditor.systems.clx.reckoning.ways import Ways
from auditor.systems.clx.rules.common import Seen, fault, inches, rule, unchecked, within_tolerance
from auditor.systems.clx.tables import tables
from auditor.systems.clx.tolerance import Judged, judge

FREE_TO_MOVE = ("monstrous", "fmc", "bike", "jetbike", "eldar_jetbike", "artillery")
"""Types of units of which the base game may say that they move and fire all the same: the text does not."""


def _of_type(event: records.WeaponFire, kind: str, position: Position) -> tuple[Unit, Unit, Weapon] | None:
    """Who fires a weapon of one type at whom, in an attack that did not fail."""
    found = attack_of(event, position)
    weapon = position.setup.weapons.get(event.weapon or "")
    if found is None or weapon is None or weapon.type != kind or found[0].failed:
        return None
    return found[1], found[2], weapon


def _most(rule_id: str, event: records.WeaponFire, most: int | None, unit: Unit, weapon: Weapon, why: str = "") -> Seen:
    """Nobody fires more shots than a number."""
    if most is None:
        return [unchecked(rule_id, f"the shots of {weapon.name} are not in the pack of weapons")]
    seen: list[Remark] = []
    for firer in event.firers or ():
        if firer.shots is not None and firer.shots > most:
            times = "shot" if most == 1 else "shots"
            seen.append(
                fault(
                    rule_id,
                    "illegal",
                    f"{firer.model} fires {firer.shots} shots with {weapon.name}{why}; it has {most} {times}.",
                    str(firer.model),
                    claimed=firer.shots,
                    recomputed=most,
                    figures=[Figure("shots", most)],
                )
            )
    return seen


def _printed(weapon: Weapon) -> int | None:
    return weapon.shots if isinstance(weapon.shots, int) else None


# -- what may charge afterwards -----------------------------------------------------------------------------------

CHARGES = ("CLX-WPN-06", "CLX-WPN-03", "CLX-WPN-02", "CLX-WPN-05")
CHARGE_READINGS = ["OR-SALVO-STAND", "OR-HEAVY-CHARGE", "OR-RAPID-CHARGE"]


def _forbidden(state: UnitState, unit: Unit, position: Position, hearing: Hearing) -> list[str]:
    """The rules that forbid a unit to charge after the weapons that it fired, the strictest first."""
    if "relentless" in unit.rules:
        return []
    kinds = {known.type for one in state.declared if (known := position.setup.weapons.get(one)) is not None}
    found: list[str] = []
    if "salvo" in kinds and (state.moved or hearing.ask("OR-SALVO-STAND") == "NO"):
        found.append("CLX-WPN-06")
    heavy = [name for kind, name in (("ordnance", "CLX-WPN-03"), ("heavy", "CLX-WPN-02")) if kind in kinds]
    if heavy and (state.moved or hearing.ask("OR-HEAVY-CHARGE") == "NEVER"):
        found += heavy
    if "rapid_fire" in kinds and hearing.ask("OR-RAPID-CHARGE") == "NO":
        found.append("CLX-WPN-05")
    return found


def _charges(rule_id: str, event: records.Charge, position: Position, hearing: Hearing) -> Seen:
    """A charge after firing a weapon that forbids it, told by the first of the rules that do."""
    unit = position.setup.units.get(event.unit or "")
    if unit is None:
        return None
    state = position.units[unit.id]
    if not state.declared:
        return RAN
    forbidden = _forbidden(state, unit, position, hearing)
    if forbidden[:1] != [rule_id]:
        return RAN
    if unit.vehicle is not None or unit.type in FREE_TO_MOVE:
        return [unchecked(rule_id, f"whether the base game lets {unit.name} charge after these weapons is not stated")]
    kind = {"CLX-WPN-06": "salvo", "CLX-WPN-03": "ordnance", "CLX-WPN-02": "heavy"}.get(rule_id, "rapid fire")
    moved = " on the move" if state.moved else ""
    text = f"{unit.name} charges after it fired {kind} weapons{moved} in this turn."
    return [fault(rule_id, "illegal", text, unit.id, claimed=sorted(state.declared), also=tuple(forbidden[1:]))]


# -- the types ----------------------------------------------------------------------------------------------------


@rule("CLX-WPN-01", "Assault weapons", events=["weapon_fire"], kinds=["illegal"])
def assault_weapons_fire_their_shots(
    event: records.WeaponFire, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """An assault weapon fires all its shots whether its unit moved or not, and its unit may charge afterwards.

    Log:  the shots of each firer. The number of shots is in the pack of weapons.
    Edge: to fire fewer shots is allowed.
    """
    found = _of_type(event, "assault", position)
    if found is None:
        return None
    return _most(assault_weapons_fire_their_shots.id, event, _printed(found[2]), found[0], found[2])


@rule(
    "CLX-WPN-02",
    "Heavy weapons",
    events=["weapon_fire", "hit_rolls", "charge"],
    kinds=["illegal"],
    readings=[*CHARGE_READINGS, "OR-PE-SNAP"],
)
def heavy_weapons_snap_on_the_move(
    event: records.WeaponFire | records.HitRolls | records.Charge,
    resolved: Ways | None,
    position: Position,
    hearing: Hearing,
) -> Seen:
    """A heavy weapon fires all its shots from a unit that stood still. From one that moved it makes Snap Shots only. Its
    unit does not charge in that turn.

    Log:  the moves of the unit, the shots of each firer, and the number claimed to hit.
    Edge: what a Snap Shot needs is a base rule (BASE-SNAP). Relentless units and vehicles are free of it all.
    Edge: against the enemy that a unit prefers, a Snap Shot needs no more than 3.
    """
    if isinstance(event, records.Charge):
        return _charges(heavy_weapons_snap_on_the_move.id, event, position, hearing)
    if isinstance(event, records.HitRolls):
        return _snapped(event, position, hearing)
    found = _of_type(event, "heavy", position)
    if found is None:
        return None
    return _most(heavy_weapons_snap_on_the_move.id, event, _printed(found[2]), found[0], found[2])


def _snapped(event: records.HitRolls, position: Position, hearing: Hearing) -> Seen:
    """Dice to hit of a heavy weapon after a move."""
    rule_id = heavy_weapons_snap_on_the_move.id
    found = attack_of(event, position)
    weapon = None if found is None else position.setup.weapons.get(weapon_of(event.weapon, found[0]) or "")
    if found is None or weapon is None or weapon.type != "heavy":
        return None
    _, unit, target = found
    if not _snaps(unit, position):
        return RAN
    if event.claimed_needed is None:
        hearing.not_claimed()
        return RAN
    snap = position.setup.base["BASE-SNAP"]
    if snap is None:
        return [unchecked(rule_id, "what a Snap Shot needs is not stated (BASE-SNAP)")]
    least = snap
    if unit.prefers(target) and least > PREFERRED and event.claimed_needed >= PREFERRED:
        least = PREFERRED if hearing.ask("OR-PE-SNAP") == "APPLIES" else least
    if event.claimed_needed >= least:
        return RAN
    if unit.type in FREE_TO_MOVE:
        return [unchecked(rule_id, f"whether the base game lets {unit.name} move and fire is not stated")]
    text = (
        f"{unit.name} moved, so {weapon.name} makes Snap Shots only, which hit on {least} or more (base rule), not on"
        f" {event.claimed_needed}."
    )
    return [
        fault(
            rule_id,
            "illegal",
            text,
            unit.id,
            claimed={"needed": event.claimed_needed},
            recomputed={"needed": least},
        )
    ]


PREFERRED = int(tables()["preferred_enemy"]["needed"])


def _snaps(unit: Unit, position: Position) -> bool:
    """Whether a unit fires its heavy weapons after a move, and is not free of what that does."""
    return position.units[unit.id].moved and "relentless" not in unit.rules and unit.vehicle is None


def only_snap_shots(unit: Unit, weapon: Weapon | None, position: Position) -> bool:
    """Whether the shots of a weapon can be nothing but Snap Shots."""
    heavy = weapon is not None and weapon.type == "heavy"
    return heavy and _snaps(unit, position) and unit.type not in FREE_TO_MOVE


@rule(
    "CLX-WPN-03",
    "Ordnance",
    events=["weapon_fire", "charge"],
    kinds=["illegal"],
    readings=CHARGE_READINGS,
)
def ordnance_does_not_move_and_fire(
    event: records.WeaponFire | records.Charge, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """Ordnance fires all its shots from a unit that stood still, and not at all from one that moved. Its unit does not
    charge in that turn.

    Log:  the moves of the unit, the shots of each firer.
    Edge: Relentless units and vehicles are free of it; what the base game lets other kinds do is unchecked.
    """
    rule_id = ordnance_does_not_move_and_fire.id
    if isinstance(event, records.Charge):
        return _charges(rule_id, event, position, hearing)
    found = _of_type(event, "ordnance", position)
    if found is None:
        return None
    unit, _, weapon = found
    fires = [firer for firer in event.firers or () if firer.shots != 0]
    if not position.units[unit.id].moved or "relentless" in unit.rules or unit.vehicle is not None or not fires:
        return _most(rule_id, event, _printed(weapon), unit, weapon)
    if unit.type in FREE_TO_MOVE:
        return [unchecked(rule_id, f"whether the base game lets {unit.name} move and fire is not stated")]
    text = f"{unit.name} fires {weapon.name}, which is ordnance, after it moved."
    return [fault(rule_id, "illegal", text, unit.id, claimed=weapon.id)]


@rule(
    "CLX-WPN-04",
    "Pistols",
    events=["weapon_fire"],
    kinds=["illegal"],
    readings=["OR-PISTOL"],
)
def pistols_fire_one_shot_even_in_combat(
    event: records.WeaponFire, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """A pistol fires one shot, whether its unit moved or not, and may be fired by a unit in combat. No other weapon may
    (a base rule).

    Log:  the shots of each firer, and that the unit is in combat.
    """
    rule_id = pistols_fire_one_shot_even_in_combat.id
    found = attack_of(event, position)
    weapon = position.setup.weapons.get(event.weapon or "")
    if found is None or weapon is None or found[0].failed:
        return None
    unit = found[1]
    fires = any(firer.shots != 0 for firer in event.firers or ())
    held = held_in_combat(unit, position) if fires else ()
    if held:
        if weapon.type != "pistol":
            text = f"{unit.name} fires {weapon.name} while it is in combat; only pistols are (base rule)."
            return [fault(rule_id, "illegal", text, unit.id, claimed=weapon.id)]
        if hearing.ask("OR-PISTOL") == "CCW":
            text = f"{unit.name} fires {weapon.name} while it is in combat, where pistols are combat weapons only."
            return [fault(rule_id, "illegal", text, unit.id, claimed=weapon.id)]
    return _most(rule_id, event, 1, unit, weapon) if weapon.type == "pistol" else None


HALF = "OR-RAPID-HALF"


@rule(
    "CLX-WPN-05",
    "Rapid fire",
    events=["weapon_fire", "charge"],
    kinds=["illegal", "miscalculated"],
    readings=[HALF, ELEV, ELEV_REF, *CHARGE_READINGS],
)
def rapid_fire_doubles_within_half_range(
    event: records.WeaponFire | records.Charge, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """A rapid fire weapon fires one shot, or two at a target within half its range, each model by itself. Moving changes
    nothing, and its unit may charge.

    Log:  the places, the shots of each firer, and whether it is said to be within half range.
    Edge: at exactly half two shots. The range is that with what height adds.
    """
    rule_id = rapid_fire_doubles_within_half_range.id
    if isinstance(event, records.Charge):
        return _charges(rule_id, event, position, hearing)
    found = _of_type(event, "rapid_fire", position)
    if found is None:
        return None
    unit, target, weapon = found
    if weapon.shots not in (None, 1) or weapon.range is None:
        return [unchecked(rule_id, f"{weapon.name} has no range, or more than one shot, in the pack of weapons")]
    seen: list[Remark] = list(_most(rule_id, event, 2, unit, weapon) or ())
    for firer in event.firers or ():
        model = position.setup.models.get(firer.model or "")
        if model is None or not position.on_table(model.id) or firer.shots not in (None, 1, 2):
            continue
        if firer.shots != 2 and firer.claimed_half is None:
            hearing.not_claimed()
            continue
        seen += _half(rule_id, firer, model, (unit, target), weapon, weapon.range, position, hearing)
    return seen


def _half(
    rule_id: str,
    firer: records.Firer,
    model: Model,
    units: tuple[Unit, Unit],
    weapon: Weapon,
    reach: Fraction,
    position: Position,
    hearing: Hearing,
) -> list[Remark]:
    """Two shots, or the claim of half range, of one model."""
    living = position.living(units[1])
    if spatial(model, living, position, hearing):
        return [unchecked(rule_id, "distances between different heights are measured on the plan only (OR-3D)")]
    pairs = sorted((pair_of(model, one, position) for one in living), key=lambda one: one.about)
    pairs = [pair for pair in pairs if visible(model, pair.target, position)]
    if not pairs:
        return []  # Half the range of nobody who is seen: there is no distance.
    options = {
        (half, heights): min(_over_half(pair, reach, half, heights) for pair in pairs)
        for half in ("EFFECTIVE", "PRINTED")
        for heights in HEIGHTS
    }
    blur = max(pair.blur for pair in pairs)
    within = {over <= blur for over in options.values()}
    claims_half = firer.shots == 2 or firer.claimed_half is True
    if within == {claims_half}:
        if claims_half and firer.claimed_half is False:
            return _half_claim(rule_id, firer, model, units, (pairs[0], options["EFFECTIVE", HEIGHTS[0]]), hearing)
        return []
    over = _asked(options, blur, hearing)
    is_half = over <= blur
    if is_half == claims_half:
        return []
    judged = judge(over if claims_half else -over, hearing.settings, blur=blur)
    if not claims_half:
        return _half_claim(rule_id, firer, model, units, (pairs[0], over), hearing)
    limit = pairs[0].gap - over
    said = f"{model.id} is {inches(pairs[0].gap)} from {pairs[0].target.id}; half the range of {weapon.name} is {inches(limit)}"
    if judged.verdict != "beyond":
        return [within_tolerance(rule_id, judged, f"{said}.")]
    two = firer.shots == 2
    return [
        fault(
            rule_id,
            "illegal" if two else "miscalculated",
            f"{said}, so it has one shot." if two else f"{said}.",
            model.id,
            claimed={"shots": 2} if two else {"half": True},
            recomputed={"shots": 1} if two else {"half": False},
            figures=[Figure("distance", shown(pairs[0].gap)), Figure("half range", shown(limit))],
            judged=judged,
        )
    ]


def _over_half(pair: Pair, reach: Fraction, half: str, heights: tuple[str, str]) -> Length:
    limit = reach / 2 if half == "PRINTED" else pair.limit(reach, heights) / 2
    return pair.gap - limit


def _asked(options: dict[tuple[str, tuple[str, str]], Length], blur: Fraction, hearing: Hearing) -> Length:
    """What holds under the readings in force, asked only as far as the answer hangs on them."""
    if len({over <= blur for over in options.values()}) == 1:
        return options["EFFECTIVE", HEIGHTS[0]]
    half = hearing.ask(HALF)
    if len({options[half, heights] <= blur for heights in HEIGHTS}) == 1:
        return options[half, HEIGHTS[0]]
    return options[half, (hearing.ask(ELEV), hearing.ask(ELEV_REF))]


def _half_claim(
    rule_id: str,
    firer: records.Firer,
    model: Model,
    units: tuple[Unit, Unit],
    nearest: tuple[Pair, Length],
    hearing: Hearing,
) -> list[Remark]:
    """A model that is said to be beyond half range although it is not."""
    pair, over = nearest
    judged = judge(-over, hearing.settings)
    said = f"{model.id} is {inches(pair.gap)} from {pair.target.id}, within half range by {inches(-over)}"
    if judged.verdict != "beyond":
        return [within_tolerance(rule_id, judged, f"{said}.")]
    return [
        fault(
            rule_id,
            "miscalculated",
            f"{said}, not beyond it.",
            model.id,
            claimed={"half": False},
            recomputed={"half": True},
            figures=[Figure("distance", shown(pair.gap)), Figure("half range", shown(pair.gap - over))],
            judged=Judged(judged.over, "beyond", judged.allowed),
        )
    ]


@rule(
    "CLX-WPN-06",
    "Salvo weapons",
    events=["weapon_fire", "charge"],
    kinds=["illegal"],
    readings=CHARGE_READINGS,
)
def salvo_weapons_fire_less_on_the_move(
    event: records.WeaponFire | records.Charge, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """A salvo weapon fires the higher of its numbers of shots from a unit that stood still, and the lower from one that
    moved; then its unit does not charge.

    Log:  the moves of the unit, the shots of each firer.
    Edge: Relentless units fire as if they had stood still. What the base game lets other kinds do is unchecked.
    """
    rule_id = salvo_weapons_fire_less_on_the_move.id
    if isinstance(event, records.Charge):
        return _charges(rule_id, event, position, hearing)
    found = _of_type(event, "salvo", position)
    if found is None:
        return None
    unit, _, weapon = found
    if not isinstance(weapon.shots, tuple):
        return [unchecked(rule_id, f"the shots of {weapon.name} are not in the pack of weapons")]
    low, high = weapon.shots
    moved = position.units[unit.id].moved and "relentless" not in unit.rules
    free = unit.vehicle is not None or unit.type in FREE_TO_MOVE
    most = max((firer.shots or 0 for firer in event.firers or ()), default=0)
    if moved and free and low < most <= high:
        return [unchecked(rule_id, f"whether the base game lets {unit.name} move and fire is not stated")]
    less = moved and not free
    return _most(rule_id, event, low if less else high, unit, weapon, " after a move" if less else "")


@rule("CLX-WPN-07", "Primary weapons", events=["weapon_fire"], kinds=["illegal"])
def primary_weapons_fire_their_shots(
    event: records.WeaponFire, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """A primary weapon fires all its shots whether its unit moved or not, and its unit may charge afterwards.

    Log:  the shots of each firer. The number of shots is in the pack of weapons.
    """
    found = _of_type(event, "primary", position)
    if found is None:
        return None
    return _most(primary_weapons_fire_their_shots.id, event, _printed(found[2]), found[0], found[2])


RULES: tuple[Rule, ...] = (
    assault_weapons_fire_their_shots,
    heavy_weapons_snap_on_the_move,
    ordnance_does_not_move_and_fire,
    pistols_fire_one_shot_even_in_combat,
    rapid_fire_doubles_within_half_range,
    salvo_weapons_fire_less_on_the_move,
    primary_weapons_fire_their_shots,
)
