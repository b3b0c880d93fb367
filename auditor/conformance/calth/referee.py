"""What the rules make of a position: who may do what, how many dice, who falls. Catalogue sections 7 to 15.

Every function takes the readings as a mapping and changes nothing. Numbers come back as they
stand in a log, so that the generator can write them and the replay check can compare them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from auditor.conformance.calth.board import Hex, as_hex, neighbours
from auditor.conformance.calth.position import Event, Position, Unit, faces_of, step_card
from auditor.conformance.calth.sight import Known, Point, Scene, Sight, look, over_barricade
from auditor.conformance.calth.tables import (
    CANNON,
    CHAINFIST,
    FIST,
    FLAMERS,
    MELT,
    PISTOLS,
    SIDES,
    SWORD,
    WEAPONS,
    Readings,
    cannon_breaks_on,
    chain_faces,
    option,
    other,
    overheat_face,
)

CAPACITY = 3
ON_FIRST_TARGET = (MELT, FIST, CHAINFIST, SWORD)

# ------------------------------------------------------------------ rounds and turns


def initiative_hits(faces: Any, readings: Readings) -> int:
    """The hits of one player's initiative dice (R-DIE-INIT)."""
    counted = "H" if option(readings, "R-DIE-INIT") == "plain_hits_only" else "HC"
    return sum(face in counted for face in faces_of(faces))


def initiative_winner(attempts: Sequence[Mapping[str, Any]], readings: Readings) -> str | None:
    """The winner of the first attempt that is not a tie; None while all are ties, or one player did not roll."""
    for attempt in attempts:
        if any(side not in attempt for side in SIDES):
            return None
        um, wb = (initiative_hits(attempt[side], readings) for side in SIDES)
        if um != wb:
            return "UM" if um > wb else "WB"
    return None


def side_to_act(position: Position) -> str | None:
    """Which side activates next (CAL-ACT-01, -04); None when nobody has TPs."""
    if position.last_actor is None:
        wanted = position.first_actor or position.initiative
    else:
        wanted = other(position.last_actor)
    if wanted is None:
        return None
    for side in (wanted, other(wanted)):
        if position.has_tp(side):
            return side
    return None


# ------------------------------------------------------------------ moves


def adjacent(position: Position, a: Hex, b: Hex) -> bool:
    """Whether two hexes are adjacent as the doors now stand."""
    return position.board.adjacent(a, b, position.sealed)


def next_to_enemy(position: Position, h: Hex, side: str) -> bool:
    """Whether an enemy of `side` stands adjacent to a hex."""
    return any(adjacent(position, h, unit.hex) for unit in position.side_units(other(side)))


def may_enter(position: Position, a: Hex, b: Hex) -> bool:
    """Whether a unit may take the step from a to b: adjacent, enterable, unoccupied."""
    return adjacent(position, a, b) and not position.board.is_shut(b) and position.unit_at(b) is None


def advances(position: Position, unit: Unit) -> list[Hex]:
    """The hexes that a unit may Advance into."""
    return [h for h in neighbours(unit.hex) if may_enter(position, unit.hex, h)]


def runs(position: Position, unit: Unit) -> list[list[Hex]]:
    """Every path that a unit may Run, its start included; none while it is pinned."""
    if next_to_enemy(position, unit.hex, unit.side):
        return []
    paths: list[list[Hex]] = []
    for first in advances(position, unit):
        paths.append([unit.hex, first])
        if next_to_enemy(position, first, unit.side) or position.board.is_rubble(first):
            continue
        for second in neighbours(first):
            # The start hex has been vacated.
            if second == unit.hex or may_enter(position, first, second):
                paths.append([unit.hex, first, second])
    return paths


def room(position: Position, h: Hex, side: str) -> int:
    """How much bulk of `side` still fits into a hex; 0 where enemies stand or nothing can."""
    if position.board.is_shut(h):
        return 0
    unit = position.unit_at(h)
    if unit is None:
        return CAPACITY
    return CAPACITY - position.bulk(unit.models) if unit.side == side else 0


def consolidation_hexes(position: Position, unit: Unit) -> dict[Hex, int]:
    """The hexes that models of a unit may Consolidate into, each with the bulk that fits."""
    hexes = {h: room(position, h, unit.side) for h in neighbours(unit.hex) if adjacent(position, unit.hex, h)}
    return {h: free for h, free in hexes.items() if free > 0}


def retreat_hexes(position: Position, unit: Unit) -> dict[Hex, int]:
    """The hexes open to a retreating unit: those of a Consolidate that are not next to an enemy."""
    hexes = consolidation_hexes(position, unit)
    return {h: free for h, free in hexes.items() if not next_to_enemy(position, h, unit.side)}


def fits(position: Position, placing: Mapping[str, Hex | None], hexes: Mapping[Hex, int]) -> bool:
    """Whether no hex takes more bulk than it has room for."""
    load: Counter[Hex] = Counter()
    for model, h in placing.items():
        if h is not None:
            load[h] += position.models[model].bulk
    return all(load[h] <= hexes.get(h, 0) for h in load)


def needlessly_stayed(position: Position, placing: Mapping[str, Hex | None], hexes: Mapping[Hex, int]) -> list[str]:
    """The models that stayed although room was left for them after the others had gone (CAL-RET-03)."""
    load: Counter[Hex] = Counter()
    for model, h in placing.items():
        if h is not None:
            load[h] += position.models[model].bulk
    return [
        model
        for model, h in placing.items()
        if h is None and any(load[x] + position.models[model].bulk <= free for x, free in hexes.items())
    ]


def retreats(position: Position, unit: Unit) -> list[dict[str, Hex | None]]:
    """Every way in which a unit may retreat: for each model the hex it goes to, None where it has to stay."""
    hexes = retreat_hexes(position, unit)
    ways = []
    for choice in product([*hexes, None], repeat=len(unit.models)):
        placing = dict(zip(unit.models, choice, strict=True))
        if fits(position, placing, hexes) and not needlessly_stayed(position, placing, hexes):
            ways.append(placing)
    return ways


def new_unit_tp(position: Position, parent: Unit, cause: str, readings: Readings) -> int:
    """The TPs of a unit that models of `parent` form in an empty hex (CAL-CON-05, R-CON-TP)."""
    if cause == "consolidate" and option(readings, "R-CON-TP") == "before_activation":
        if position.activated == parent.id and position.tp_before_activation is not None:
            return position.tp_before_activation
    return parent.tp


# ------------------------------------------------------------------ shots


def distance(position: Position, a: Hex, b: Hex, readings: Readings) -> int | None:
    """The counted distance between two hexes as things stand."""
    return position.board.distance(a, b, position.sealed, position.occupied(), readings)


def within(steps: int | None, limit: int | None) -> bool:
    """Whether a counted distance is within a limit; without a route it is within none."""
    return limit is None or (steps is not None and steps <= limit)


def scene(position: Position, shooter: Unit, target: Unit, readings: Readings) -> Scene:
    """The two hexes of a shot and all that may stop it, as things stand."""
    return Scene(position.board, shooter.hex, target.hex, position.occupied(), position.sealed, readings)


def sight(
    position: Position,
    shooter: Unit,
    target: Unit,
    readings: Readings,
    aim: Point | None = None,
    known: Known | None = None,
) -> Sight:
    """What a unit sees of another; `known` as in `look`."""
    return look(scene(position, shooter, target, readings), aim, known)


def barricade_of(
    position: Position, shooter: Unit, target: Unit, kind: str, readings: Readings, aim: Point | None = None
) -> bool | None:
    """Whether a barricade would help the target if the shot were of this class; None as in `Sight`."""
    return over_barricade(scene(position, shooter, target, readings), kind, aim)


def bonuses(position: Position, target: Unit, seen: Sight) -> dict[str, int]:
    """The three kinds of defence dice that a target has against this shot."""
    return {
        "obscured": 2 if seen.kind == "obscured" else 0,
        "rubble": 1 if position.board.is_rubble(target.hex) else 0,
        "barricade": 2 if seen.barricade else 0,
    }


def bonus_dice(parts: Mapping[str, int], readings: Readings) -> int:
    """How many dice the bonuses come to (R-DEF-STACK)."""
    return sum(parts.values()) if option(readings, "R-DEF-STACK") == "add" else max(parts.values(), default=0)


def carried(position: Position, unit: Unit) -> list[tuple[str, str]]:
    """Every weapon of a unit's models, destroyed or not, as (model, weapon)."""
    return [(m, w) for m in unit.models for w in position.models[m].weapons]


def intact(position: Position, unit: Unit) -> list[tuple[str, str]]:
    """Every weapon of a unit that is not destroyed, as (model, weapon)."""
    pairs = [(m, w) for m in unit.models for w in position.models[m].weapons]
    return [pair for pair in pairs if pair not in position.broken]


def shooting_weapons(position: Position, unit: Unit, steps: int | None, role: str) -> list[tuple[str, str]]:
    """The weapons that give dice in a ranged attack over a counted distance (CAL-ATK-02, -SHT-02, -CRT-04)."""
    return [
        (m, w)
        for m, w in intact(position, unit)
        if WEAPONS[w].kind == "ranged"
        and within(steps, WEAPONS[w].limit)
        and (role != "flamer_follow_up" or w in FLAMERS)
    ]


def shooting_dice(weapons: Iterable[Sequence[str]]) -> dict[str, int]:
    """The dice of a ranged attack with their parts."""
    total = sum(WEAPONS[w].shoot for _, w in weapons if w in WEAPONS)
    return {"models": 0, "weapons": total, "pistols": 0, "harness": 0, "total": total}


# ------------------------------------------------------------------ melee


def melee_weapons(position: Position, unit: Unit, readings: Readings) -> list[tuple[str, str]]:
    """The melee weapons of a unit and the pistols that give it dice (R-PIS-TWO)."""
    listed: list[tuple[str, str]] = []
    for m in unit.models:
        own = [w for model, w in intact(position, unit) if model == m]
        listed += [(m, w) for w in own if WEAPONS[w].kind == "melee"]
        pistols = [(m, w) for w in own if w in PISTOLS]
        listed += pistols if option(readings, "R-PIS-TWO") == "each" else pistols[:1]
    return listed


def harness_dice(position: Position, unit: Unit, target: Unit, role: str, readings: Readings) -> int:
    """The dice of a grenade harness: one per model in the target (CAL-WAR-01)."""
    if role != "assault" and option(readings, "R-ASL-HARNESS") == "action_only":
        return 0
    bearers = sum("grenade_harness" in position.models[m].wargear for m in unit.models)
    if option(readings, "R-HAR-STACK") == "once":
        bearers = min(bearers, 1)
    return bearers * len(target.models)


def melee_dice(position: Position, unit: Unit, target: Unit, role: str, readings: Readings) -> dict[str, int]:
    """The dice of a melee attack with their parts (CAL-ATK-01)."""
    listed = melee_weapons(position, unit, readings)
    parts = {
        "models": sum(position.models[m].assault for m in unit.models),
        "weapons": sum(WEAPONS[w].assault for _, w in listed if w not in PISTOLS),
        "pistols": sum(w in PISTOLS for _, w in listed),
        "harness": harness_dice(position, unit, target, role, readings),
    }
    return {**parts, "total": sum(parts.values())}


def has_vexilla(position: Position, models: Iterable[str]) -> bool:
    """Whether one of the models bears a Legion Vexilla."""
    return any("legion_vexilla" in position.models[m].wargear for m in models)


# ------------------------------------------------------------------ the attack roll


def stated_rerolls(holder: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The re-rolls that stand beside some faces, whether they are whole or not; a vexilla first."""
    entries: list[Mapping[str, Any]] = []
    if holder.get("vexilla"):
        entries.append({"source": "vexilla", **holder["vexilla"]})
    return entries + list(holder.get("rerolls", ()))


def rerolls_of(holder: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The re-rolls that stand beside some faces, with their dice; a vexilla first."""
    return [entry for entry in stated_rerolls(holder) if "indices" in entry and "faces" in entry]


def rerolled(faces: Sequence[str], entries: Iterable[Mapping[str, Any]]) -> list[str]:
    """The faces after some re-rolls; an index beyond the roll is left alone."""
    result = list(faces)
    for entry in entries:
        for i, face in zip(entry["indices"], faces_of(entry["faces"]), strict=False):
            if 0 <= i < len(result):
                result[i] = face
    return result


def final_faces(faces: Any, holder: Mapping[str, Any]) -> list[str]:
    """The faces of a roll after the re-rolls that stand beside it."""
    return rerolled(faces_of(faces), rerolls_of(holder))


def is_late(entry: Mapping[str, Any]) -> bool:
    """Whether a re-roll was made after the decision on a critical effect."""
    return entry.get("when") == "after_crit"


def faces_before_crit(event: Event) -> list[str]:
    """The attack roll when the decision on a critical effect is made; no faces where it is not recorded."""
    return rerolled(faces_of(event.get("roll", "")), [e for e in rerolls_of(event) if not is_late(e)])


def faces_for_trigger(event: Event, readings: Readings) -> list[str]:
    """The faces among which a critical must show for an effect (R-RRL-FINAL)."""
    return faces_of(event["roll"]) if option(readings, "R-RRL-FINAL") == "first_faces" else faces_before_crit(event)


def roll_is_whole(event: Event) -> bool:
    """Whether every face of an attack roll is recorded, re-rolls and passes included."""
    crit = the_crit(event) or {}
    again = [*stated_rerolls(event), *crit.get("passes", ())]
    lost = crit.get("passes_lost", False)
    return "roll" in event and not lost and all("indices" in entry and "faces" in entry for entry in again)


def the_crit(event: Event) -> dict[str, Any] | None:
    """The critical effect that an attack claims; the first one where it claims several."""
    crit = event.get("crit")
    if isinstance(crit, list):
        crit = crit[0] if crit else None
    return crit if isinstance(crit, dict) else None


def with_effect_of_weapon(event: Event) -> Event:
    """The attack with the effect that its weapon has, whatever it is called in the log."""
    crit = the_crit(event)
    weapon = WEAPONS.get((crit or {}).get("weapon", ""))
    return event if crit is None or weapon is None else {**event, "crit": {**crit, "effect": weapon.effect}}


def faces_after_crit(event: Event) -> list[str]:
    """The attack roll as it finally stands, added dice at its end."""
    faces = faces_before_crit(event)
    crit = the_crit(event)
    if crit is not None:
        faces = rerolled(faces, crit.get("passes", ())) + faces_of(crit.get("added", ()))
    return rerolled(faces, [e for e in rerolls_of(event) if is_late(e)])


def hits(faces: Iterable[str]) -> int:
    """Plain hits and criticals together."""
    return sum(face in "HC" for face in faces)


def effects_open(position: Position, event: Event, readings: Readings) -> list[tuple[str, str]]:
    """The (model, weapon) pairs whose critical effect may be used in this attack, if a C shows (CAL-CRT-02)."""
    unit = position.units[event["attacker"]]
    if event["mode"] == "melee":
        return [(m, w) for m, w in intact(position, unit) if WEAPONS[w].kind == "melee"]
    ranged = [(m, w) for m, w in intact(position, unit) if WEAPONS[w].kind == "ranged"]
    if option(readings, "R-CRT-UNUSED") == "any_carried":
        return ranged
    used = {(m, w) for m, w in event["weapons"]}
    reaching = shooting_weapons(position, unit, attack_distance(position, event, readings), event["role"])
    if option(readings, "R-ATK-MULTI") == "one_per_model":
        armed = {m for m, _ in used}
        return [(m, w) for m, w in reaching if (m, w) in used or m not in armed]
    return reaching


def chain_dice(event: Event, readings: Readings) -> int:
    """How many dice a chainsword adds to this attack."""
    wanted = chain_faces(readings)
    return sum(face in wanted for face in faces_before_crit(event))


def overheats(added: Any, readings: Readings) -> bool:
    """Whether the four added plasma dice cost the firer."""
    return sum(face == overheat_face(readings) for face in faces_of(added)) >= 2


def cannon_breaks(event: Event, readings: Readings) -> bool:
    """Whether this attack shows the destroying face of an assault cannon often enough."""
    crit = the_crit(event)
    shown = faces_after_crit(event)
    if option(readings, "R-CANNON-COUNT") == "ever_shown":
        passes = crit.get("passes", ()) if crit is not None else ()
        shown = faces_of(event["roll"]) + [f for p in passes for f in faces_of(p["faces"])]
    return shown.count(cannon_breaks_on(readings)) >= 4


def cannons_lost(event: Event, readings: Readings) -> list[str]:
    """The models whose assault cannon this attack destroys: as the log claims, else as the rules make it."""
    crit = the_crit(event)
    lost = []
    if crit is not None and crit["effect"] == CANNON and crit.get("weapon_destroyed", cannon_breaks(event, readings)):
        lost.append(str(crit.get("model")))
    if option(readings, "R-CANNON-WHEN") == "always" and event["mode"] == "ranged" and cannon_breaks(event, readings):
        triggered = crit.get("model") if crit is not None and crit["effect"] == CANNON else None
        lost += [m for m, w in event["weapons"] if w == "assault_cannon" and m != triggered]
    return lost


# ------------------------------------------------------------------ defence and casualties


def first_target_effect(event: Event, steps: int | None) -> str | None:
    """The effect that touches the first target model of this attack, if one was triggered and is in range."""
    crit = the_crit(event)
    if crit is None or crit["effect"] not in ON_FIRST_TARGET:
        return None
    weapon = WEAPONS.get(crit.get("weapon", ""))
    if crit["effect"] == MELT and weapon is not None and weapon.effect_range is not None:
        if not within(steps, weapon.effect_range):
            return None
    return str(crit["effect"])


def defence(printed: tuple[int, int], bonus: int, effect: str | None, readings: Readings) -> tuple[int, int, int]:
    """Armour used, bonus dice and Stamina used for one target, from its printed Armour and Stamina."""
    armour, stamina = printed
    if effect in (MELT, FIST):
        armour = 0
        if option(readings, "R-ARM0-BONUS") == "no_dice":
            bonus = 0
    if effect == SWORD:
        armour = (armour + 1) // 2 if option(readings, "R-SWD-ROUND") == "up" else armour // 2
    if effect == CHAINFIST:
        stamina = 1
    return armour, bonus, stamina


def printed_values(position: Position, step: Mapping[str, Any]) -> tuple[int, int]:
    """Armour and Stamina of a step's target model or Damage card."""
    card = step_card(step)
    if card in position.damage_cards:
        printed = position.damage_cards[str(card)]
        return printed["armour"], printed["stamina"]
    model = position.models[step["target_model"]]
    return model.armour, model.stamina


def claimed_bonus(position: Position, event: Event, readings: Readings) -> int:
    """The bonus dice of an attack's defence rolls: as the log claims them, else recomputed; none in melee.

    A class that is claimed wrongly is followed (CAL-AUD-02).
    """
    if event["mode"] == "melee":
        return 0
    los = event.get("los", {})
    shooter, target = position.units[event["attacker"]], position.units[event["target"]]
    if len(los.get("bonuses", ())) == 3:
        return bonus_dice(los["bonuses"], readings)
    aim = aim_of(event)
    seen = sight(position, shooter, target, readings, aim)
    parts = bonuses(position, target, seen)
    claimed = los.get("class", seen.kind)
    if claimed in ("clear", "obscured") and claimed != seen.kind:
        parts["obscured"] = 2 if claimed == "obscured" else 0
        parts["barricade"] = 2 if barricade_of(position, shooter, target, claimed, readings, aim) else 0
    return bonus_dice(parts, readings)


def aim_of(event: Event) -> Point | None:
    """The declared aim point as exact numbers."""
    aim = event.get("los", {}).get("aim")
    try:
        return None if aim is None or len(aim) != 2 else (Fraction(str(aim[0])), Fraction(str(aim[1])))
    except (ValueError, TypeError, ZeroDivisionError):
        return None


def attack_distance(position: Position, event: Event, readings: Readings) -> int | None:
    """The true counted distance of an attack."""
    return distance(position, position.units[event["attacker"]].hex, position.units[event["target"]].hex, readings)


def judged_steps(position: Position, event: Event, readings: Readings) -> list[dict[str, Any]]:
    """For each step of the damage loop what it should say, each number from the log's own number before it."""
    pool = event.get("pool", hits(faces_after_crit(event)))
    if not event.get("steps"):
        return []
    steps = attack_distance(position, event, readings)
    bonus = claimed_bonus(position, event, readings)
    judged = []
    for n, step in enumerate(event["steps"]):
        effect = first_target_effect(event, steps) if n == 0 else None
        unknown = step_card(step) not in position.damage_cards and step.get("target_model") not in position.models
        if unknown:
            # Nobody knows who rolled: it is taken as it was played.
            armour, extra, stamina = step.get("armour_used", 0), bonus, step.get("stamina_used", 1)
        else:
            armour, extra, stamina = defence(printed_values(position, step), bonus, effect, readings)
        faces = final_faces(step.get("faces", ""), step)
        shields = faces.count("S")
        after = max(0, pool - step.get("shields", shields))
        stood = step.get("pool_after_shields", after)
        falls = stood >= step.get("stamina_used", stamina)
        fell = step.get("casualty", falls)
        left = max(0, stood - step.get("stamina_used", stamina)) if fell else 0
        judged.append(
            {
                "armour_used": armour,
                "bonus_dice": extra,
                "melted": effect == MELT,
                "dice": step.get("armour_used", armour) + step.get("bonus_dice", extra),
                "shields": shields,
                "pool_before": pool,
                "pool_after_shields": after,
                "stamina_used": stamina,
                "casualty": falls,
                "pool_left": left,
            }
        )
        pool = step.get("pool_left", left)
    return judged


def retreat_is_due(position: Position, target: str, lost: Mapping[str, int]) -> bool:
    """Whether the attacked unit has to retreat: it lost more models and some are left (CAL-RET-01)."""
    unit = position.units.get(target)
    return unit is not None and lost[unit.side] > lost[other(unit.side)]


def path_of(event: Event) -> list[Hex]:
    """The path of a `move_unit` event."""
    return [as_hex(h) for h in event["path"]]
