"""Faults in who acts when: acts out of turn, second attacks, runs beside shots, tests that were not due (CLX-GAME-01,
CLX-SUPP-01, CLX-SHOOT-01 to -03, -05, CLX-RUN-02, CLX-USR-14)."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from auditor.conformance.clx.inches import apart, connected
from auditor.conformance.clx.moving import EXACT, carry_out, stuck, turn_to_way
from auditor.conformance.clx.nerve import shaken
from auditor.conformance.clx.plant.moves import CENT, model_of
from auditor.conformance.clx.plant.spoiling import Expected, Occasion, found
from auditor.conformance.clx.shooting import attack, firers_at, run, suits, wasted, weapon_of
from auditor.conformance.clx.table import Json, Table, Unit

BIG = ("vehicle", "walker", "monstrous", "fmc")
ROUGH = ("difficult", "dangerous", "impassable")
CLEAR = Decimal("0.1")
"""Inches by which a range is reached for sure."""
BUSY = "busy"
"""In what a planter keeps in mind: it is writing events of its own."""


def ends(o: Occasion, phase: str) -> bool:
    """Whether a phase is about to end, and the planter is not writing yet."""
    return o.event["type"] == "phase_end" and o.event["phase"] == phase and BUSY not in o.memo


def put(o: Occasion, type_: str, player: str, **fields: Any) -> int:
    """Write an event before the one that is offered; its number."""
    o.memo[BUSY] = True
    seq = played(o) + 1
    o.t.write(type_, player, **fields)
    played(o)
    return seq


def played(o: Occasion) -> int:
    """Number the event that is offered anew, after events that the table has written; how many there are before it."""
    o.event["seq"] = len(o.t.log) + 1
    return len(o.t.log)


def of_phase(o: Occasion, type_: str) -> list[Json]:
    """The events of a type in the phase that is on."""
    rows: list[Json] = []
    for event in reversed(o.t.log):
        if event["type"] == "phase_start":
            break
        if event["type"] == type_:
            rows.append(event)
    return rows


def attacks_made(o: Occasion) -> dict[str, Json]:
    """Unit -> the attack that it made in this phase, dice and all."""
    rolled = {event["attack"] for event in of_phase(o, "hit_rolls")}
    return {event["unit"]: event for event in of_phase(o, "shoot") if event["attack"] in rolled}


# -- out of turn --------------------------------------------------------------------------------------------------


def half_an_inch(t: Table, unit: Unit, o: Occasion) -> list[Json] | None:
    """All models of a unit go half an inch in one direction, where nothing but the moment is wrong with that."""
    if not connected([m.base for m in unit.living]):
        return None
    for d in o.rng.sample(EXACT, len(EXACT)):
        by = ((d[0] / 2).quantize(CENT), (d[1] / 2).quantize(CENT))
        plan = [(m, [m.at, (m.at[0] + by[0], m.at[1] + by[1])]) for m in unit.living]
        if not t.room([(m, m.base_at(way[-1])) for m, way in plan]):
            continue
        if any(t.crossed(m, way, flag) for m, way in plan for flag in ROUGH):
            continue
        if all(t.keeps_clear(m, way) and t.surface(way[-1]) == m.z for m, way in plan):
            before = unit.centre
            rows = carry_out(t, plan)
            turn_to_way(unit, before)
            return rows
    return None


def light(t: Table, unit: Unit) -> bool:
    """Whether nothing that a unit does later hangs on whether it moved."""
    types = {t.weapons[key]["type"] for model in unit.living for key in model.entry["weapons"]}
    free = not (unit.locked or unit.falling_back or stuck(t, unit) or unit.moved)
    return free and unit.kind not in BIG and not types & {"heavy", "ordnance", "salvo"} and "frenzy" not in unit.rules


def moves_late(o: Occasion) -> Expected | None:
    """A unit moves in the Psychic Phase."""
    if not ends(o, "psychic"):
        return None
    for unit in o.t.of(o.t.active):
        if light(o.t, unit) and (rows := half_an_inch(o.t, unit, o)) is not None:
            unit.moved = True
            return found("CLX-GAME-01", "illegal", seq=put(o, "move", unit.owner, unit=unit.id, models=rows))
    return None


def moves_out_of_turn(o: Occasion) -> Expected | None:
    """A unit moves in the Movement Phase of the other player."""
    if not ends(o, "movement"):
        return None
    for unit in o.t.of(o.t.other(o.t.active)):
        if light(o.t, unit) and (rows := half_an_inch(o.t, unit, o)) is not None:
            seq = put(o, "move", unit.owner, unit=unit.id, models=rows)
            return found("CLX-GAME-01", "illegal", seq=seq, player=unit.owner)
    return None


# -- who shoots at whom, and with what ----------------------------------------------------------------------------


def another_target(o: Occasion, unit: Unit, weapon: str) -> Unit | None:
    """A unit that nobody has shot at in this phase, and that a unit can shoot at."""
    for target in o.rng.sample(o.t.enemies(unit), len(o.t.enemies(unit))):
        free = not (target.attacks or target.locked or target.falling_back or target.vehicle)
        if free and o.t.arc(target, unit.centre) is not None and suits(o.t, unit, weapon, target):
            return target
    return None


def shoots(o: Occasion, unit: Unit, weapon: str, target: Unit) -> int:
    """A unit makes an attack, with all that comes of it; the number of its `shoot`."""
    o.memo[BUSY] = True
    seq = played(o) + 1
    attack(o.t, unit, [weapon], target)
    if not target.gone:
        shaken(o.t, target)
    played(o)
    return seq


def able(o: Occasion, unit: Unit) -> bool:
    """Whether a unit may shoot at all."""
    until = max(unit.pinned_until, unit.grounded_until, unit.no_shots_until)
    return not (unit.gone or unit.locked or unit.falling_back) and o.t.clock > until and unit.kind not in BIG


def second_target(o: Occasion) -> Expected | None:
    """A unit that has shot at one enemy shoots at another."""
    if not ends(o, "shooting"):
        return None
    for key, shot in attacks_made(o).items():
        unit = o.t.units[key]
        used = {e["weapon"] for e in of_phase(o, "weapon_fire") if e["attack"] == shot["attack"]}
        for weapon in sorted(used & set(weapon_of(o.t, unit))) if able(o, unit) else ():
            target = another_target(o, unit, weapon)
            if target is not None:
                seq = shoots(o, unit, weapon, target)
                return found("CLX-SHOOT-01", "illegal", seq=seq, player=unit.owner)
    return None


def two_groups(o: Occasion) -> Expected | None:
    """The shots of a weapon are told in two groups."""
    if o.event["type"] != "weapon_fire" or BUSY in o.memo or not attack_goes_on(o):
        return None
    if len(o.event["firers"]) < 2:
        return None
    rows = o.event["firers"]
    cut = o.rng.randint(1, len(rows) - 1)
    put(o, "weapon_fire", o.event["player"], attack=o.event["attack"], weapon=o.event["weapon"], firers=rows[:cut])
    o.event["firers"] = rows[cut:]
    return found("CLX-SHOOT-02", "illegal")


def attack_goes_on(o: Occasion) -> bool:
    """Whether the attack of an event is one that reaches its target."""
    shot = next(e for e in reversed(o.t.log) if e["type"] == "shoot")
    return not shot.get("claimed_failed")


def second_gun(o: Occasion) -> Expected | None:
    """A model fires two weapons (and misses with the second)."""
    if o.event["type"] == "weapon_fire" and not o.memo and attack_goes_on(o):
        o.memo["shot"] = o.event
        return None
    if not o.memo or o.event["type"] not in ("prone_choice", "pinning_test", "morale", "shoot", "run", "phase_end"):
        return None
    fired = o.memo.pop("shot")
    unit = model_of(o.t, fired["firers"][0]["model"]).unit
    shot = next(e for e in reversed(o.t.log) if e["type"] == "shoot")
    target = o.t.units[shot["target"]]
    if target.gone or target.vehicle or target.gone_to_ground or unit.kind in BIG or shot["attack"] != fired["attack"]:
        return None
    names = {row["model"] for row in fired["firers"]}
    for key in weapon_of(o.t, unit):
        weapon = o.t.weapons[key]
        if key == fired["weapon"] or "pinning" in weapon.get("rules", ()) or not suits(o.t, unit, key, target):
            continue
        for firer in firers_at(o.t, unit, weapon, target)[0]:
            if firer.model.id in names and not o.t.cover_from(firer.model, target):
                rows = [{"model": firer.model.id, "shots": firer.shots}]
                seq = put(o, "weapon_fire", unit.owner, attack=fired["attack"], weapon=key, firers=rows)
                misses = [{"die": 1}] * firer.shots
                put(o, "hit_rolls", unit.owner, attack=fired["attack"], weapon=key, rolls=misses, claimed_hits=0)
                unit.fired.add(weapon["type"])
                return found("CLX-SHOOT-03", "illegal", seq=seq, player=unit.owner, subject=[firer.model.id])
    return None


def idle(o: Occasion) -> list[tuple[Unit, str]]:
    """Units that could shoot and did nothing in this phase, each with a weapon."""
    return [
        (unit, weapon)
        for unit in o.t.of(o.t.active)
        if able(o, unit) and not unit.tried and not unit.ran and unit.living[0].n("BS")
        for weapon in weapon_of(o.t, unit)
    ]


def called_failed(o: Occasion) -> Expected | None:
    """An attack is called lost though its target is in range."""
    if not ends(o, "shooting"):
        return None
    for unit, weapon in idle(o):
        target = another_target(o, unit, weapon)
        firers = [] if target is None else firers_at(o.t, unit, o.t.weapons[weapon], target)[0]
        if target is not None and any(f.reach - f.nearest > CLEAR for f in firers):
            name = o.t.name("k")
            seq = put(o, "shoot", unit.owner, attack=name, unit=unit.id, target=target.id, claimed_failed=True)
            rows = [{"model": f.model.id, "shots": 1} for f in firers]
            put(o, "weapon_fire", unit.owner, attack=name, weapon=weapon, firers=rows)
            unit.tried = True
            unit.fired.add(o.t.weapons[weapon]["type"])
            return found("CLX-SHOOT-05", "miscalculated", seq=seq, player=unit.owner)
    return None


def too_far_away(o: Occasion, unit: Unit, weapon: str) -> Unit | None:
    """A unit of which nobody is near the range of a weapon."""
    reach = Decimal(o.t.weapons[weapon]["range"]) + 8
    for target in o.t.enemies(unit):
        far = min(apart(m.at, n.at) for m in unit.living for n in target.living)
        if far > reach and not (target.locked or target.falling_back or target.vehicle):
            return target
    return None


def once_more(o: Occasion) -> Expected | None:
    """A unit whose attack fell short shoots at somebody who is nearer."""
    if not ends(o, "shooting"):
        return None
    for unit, weapon in idle(o):
        far, near = too_far_away(o, unit, weapon), another_target(o, unit, weapon)
        if far is not None and near is not None:
            o.memo[BUSY] = True
            wasted(o.t, unit, o.t.weapons[weapon], far)
            seq = shoots(o, unit, weapon, near)
            return found("CLX-SHOOT-05", "illegal", seq=seq, player=unit.owner)
    return None


# -- runs, tests and charges --------------------------------------------------------------------------------------


def runs_after_shooting(o: Occasion) -> Expected | None:
    """A unit that has shot runs."""
    if not ends(o, "shooting"):
        return None
    for key in attacks_made(o):
        unit = o.t.units[key]
        if not able(o, unit) or o.t.clock <= unit.stuck_until or unit.ran:
            continue
        o.memo[BUSY] = True
        seq = played(o) + 1
        run(o.t, unit)
        if played(o) >= seq:
            return found("CLX-RUN-02", "illegal", seq=seq, player=unit.owner)
        o.memo.clear()
    return None


def shoots_after_running(o: Occasion) -> Expected | None:
    """A unit that has run shoots."""
    if not ends(o, "shooting"):
        return None
    for unit in o.t.of(o.t.active):
        if not unit.ran or not able(o, unit) or not unit.living[0].n("BS"):
            continue
        for weapon in weapon_of(o.t, unit):
            target = another_target(o, unit, weapon)
            if target is not None:
                seq = shoots(o, unit, weapon, target)
                return found("CLX-RUN-02", "illegal", seq=seq, player=unit.owner)
    return None


def pinned_by_plain_shots(o: Occasion) -> Expected | None:
    """A unit is pinned by shots of weapons that do not pin."""
    if not ends(o, "shooting"):
        return None
    for target in o.t.of(o.t.other(o.t.active)):
        if len(target.attacks) != 1 or target.vehicle or target.locked or target.falling_back or target.ld > 11:
            continue
        if {"fearless", "prone_position"} & set(target.rules) or o.t.clock <= target.pinned_until:
            continue
        name = target.attacks[0]["attack"]
        used = [e["weapon"] for e in of_phase(o, "weapon_fire") if e["attack"] == name]
        if any("pinning" in o.t.weapons[weapon].get("rules", ()) for weapon in used):
            continue
        target.pinned_until = o.t.clock + 1
        claims = {"claimed_modifier": 0, "claimed_pinned": True}
        seq = put(o, "pinning_test", target.owner, unit=target.id, causes=[name], dice=[6, 6], **claims)
        return found("CLX-SUPP-01", "illegal", seq=seq, player=target.owner)
    return None


def charges_after_running(o: Occasion) -> Expected | None:
    """A unit without Fleet charges after it has run."""
    if o.event["type"] == "phase_start" and o.event["phase"] == "assault":
        ran = [unit for unit in o.t.of(o.t.active) if unit.ran and "fleet" not in unit.rules]
        for unit in ran:
            unit.ran = False
        if ran:
            o.memo["ran"] = ran
        return None
    if not o.memo:
        return None
    bold = o.event["type"] == "charge" and o.t.units[o.event["unit"]] in o.memo["ran"]
    if bold or o.event["type"] == "phase_end":
        for unit in o.memo.pop("ran"):
            unit.ran = True
    return found("CLX-USR-14", "illegal") if bold else None


ACTS = {
    "CLX-GAME-01": moves_late,
    "CLX-GAME-01 out of turn": moves_out_of_turn,
    "CLX-SUPP-01": pinned_by_plain_shots,
    "CLX-SHOOT-01": second_target,
    "CLX-SHOOT-02": two_groups,
    "CLX-SHOOT-03": second_gun,
    "CLX-SHOOT-05": called_failed,
    "CLX-SHOOT-05 once more": once_more,
    "CLX-RUN-02": runs_after_shooting,
    "CLX-RUN-02 shot": shoots_after_running,
    "CLX-USR-14": charges_after_running,
}
