"""From hits to wounds: how many dice, what they need, and what Rending makes of a 6."""

from __future__ import annotations

from auditor.core.findings import RAN, Figure, Remark, Unchecked
from auditor.core.ruleset import Rule
from auditor.core.rulings import Hearing
from auditor.systems.clx import records
from auditor.systems.clx.packs import Unit, Weapon
from auditor.systems.clx.position.state import AttackState, Group, Position
from auditor.systems.clx.reckoning.attacks import NONE
from auditor.systems.clx.reckoning.cover import single_shots
from auditor.systems.clx.reckoning.frame import leaves_shooting
from auditor.systems.clx.reckoning.needs import CAP, toughness, wounded_by
from auditor.systems.clx.reckoning.ways import Ways
from auditor.systems.clx.rules.common import Seen, fault, rule, unchecked, whose
from auditor.systems.clx.rules.suppression import EVERY_EVENT
from auditor.systems.clx.tables import to_wound
from auditor.systems.words import count

TWICE, CHART = "OR-TWICE", "OR-TOWOUND-SHOOT"
NEEDED = "CLX-ASLT-06"


def _over(event: records.Event, position: Position) -> list[tuple[AttackState, Unit, Weapon, Group]]:
    """The groups of shots of a Shooting Phase that is over with an event."""
    if not leaves_shooting(event, position):
        return []
    found: list[tuple[AttackState, Unit, Weapon, Group]] = []
    for attack in position.attacks.values():
        unit, target = position.setup.units.get(attack.unit or ""), position.setup.units.get(attack.target or "")
        if unit is None or target is None or attack.failed or target.vehicle is not None:
            continue
        for weapon, group in attack.groups.items():
            known = position.setup.weapons.get(weapon or "")
            if known is not None and single_shots(known) and not group.unsure:
                found.append((attack, unit, known, group))
    return found


def _sixes(weapon: Weapon, group: Group) -> int | None:
    """The hits that wound without a die; None where the dice do not say."""
    return group.sixes if "rending" in weapon.rules else 0


@rule(
    "CLX-SHOOT-08",
    "Hits and wounds",
    events=[*EVERY_EVENT],
    kinds=["miscalculated"],
)
def each_hit_rolls_to_wound(event: records.Event, resolved: Ways | None, position: Position, hearing: Hearing) -> Seen:
    """Each hit rolls one die to wound.

    Log:  the hits and the dice to wound. What they need is CLX-ASLT-06.
    Edge: hits that wound by themselves (CLX-GEAR-03) roll none.
    """
    if isinstance(event, records.WoundRolls):
        return _rolled(event, position)
    over = _over(event, position)
    seen: list[Remark] = []
    for attack, unit, weapon, group in over:
        hits, sixes = attack.hits.get(weapon.id, NONE), _sixes(weapon, group)
        if sixes is None or not group.wound_dice or group.wound_dice >= hits[0] - sixes:
            continue
        seen.append(_number(attack, unit, weapon, group.wound_dice, hits[0] - sixes, group.wound_seq))
    return seen if over else None


def _number(attack: AttackState, unit: Unit, weapon: Weapon, dice: int, hits: int, seq: int | None) -> Remark:
    text = f"{unit.name} rolls {count(dice, 'die', 'dice')} to wound {attack.target} with {weapon.name}; each of {count(hits, 'hit')} rolls one."
    return fault(
        each_hit_rolls_to_wound.id,
        "miscalculated",
        text,
        unit.id,
        player=unit.player,
        claimed={"dice": dice},
        recomputed={"dice": hits},
        figures=[Figure("hits", hits)],
        seq=seq,
    )


def _rolled(event: records.WoundRolls, position: Position) -> Seen:
    found = wounded_by(event, position)
    if found is None:
        return None
    attack, unit, _, weapon, group = found
    seen: list[Remark] = []
    hits, sixes = attack.hits.get(weapon.id, NONE), _sixes(weapon, group)
    dice = group.wound_dice + len(event.rolls or ())
    if event.rolls and single_shots(weapon) and dice > hits[1] and group.hit_dice:
        seen.append(_number(attack, unit, weapon, dice, hits[1] - (sixes or 0), None))
    return seen


def shots_wound_by_strength(
    event: records.WoundRolls, position: Position, hearing: Hearing, rule_id: str = NEEDED
) -> Seen:
    """What a rule sees of the number that dice to wound of shots are claimed to need: CLX-USR-09 where the Preferred Enemy was
    forgotten, else CLX-ASLT-06; None for other dice."""
    found = wounded_by(event, position)
    if found is None or (rule_id != NEEDED and not found[1].prefers(found[2])):
        return None
    _, unit, target, weapon, _ = found
    if event.claimed_needed is None:
        hearing.not_claimed(int(rule_id == NEEDED))
        return RAN
    if not event.rolls:
        return RAN
    return _needed(rule_id, event.claimed_needed, unit, target, weapon, position, hearing) or RAN


def _needed(
    rule_id: str,
    claimed: int,
    unit: Unit,
    target: Unit,
    weapon: Weapon,
    position: Position,
    hearing: Hearing,
) -> list[Remark]:
    own = rule_id == NEEDED
    if not isinstance(weapon.strength, int):
        return [unchecked(rule_id, f"the Strength of {weapon.name} is not known")] if own else []
    tough = toughness(target, position)
    if tough is None:
        return [unchecked(rule_id, f"the Toughness of {target.name} is not known (BASE-MAJORITY)")] if own else []
    capped = unit.prefers(target)
    options = {option: to_wound(weapon.strength, tough, option) for option in ("AT_LEAST", "EXACT")}
    due = {option: min(one, CAP) if capped else one for option, one in options.items()}
    if set(due.values()) == {claimed}:
        return []
    needed = due["AT_LEAST"] if due["AT_LEAST"] == due["EXACT"] else due[hearing.ask(TWICE)]
    worse = capped and claimed > CAP
    forgotten = worse and claimed in options.values()
    if claimed == needed or forgotten == own:
        return []
    # Of a Preferred Enemy no chart asks for more than 3.
    if not worse and hearing.ask(CHART) == "BASE":
        # Of no rule: it is unchecked under this option only, and the scope of a fault under the other is whole.
        return [Unchecked(None, "what shots need to wound: the chart of the base game is not stated")]
    enemy = f", for {target.name} is a Preferred Enemy" if capped and set(options.values()) != {needed} else ""
    text = (
        f"{weapon.name} of {unit.name} wounds {target.name} on {needed} or more, with Strength {weapon.strength} against Toughness "
        f"{tough}, not on {claimed}{enemy}."
    )
    return [
        fault(
            rule_id,
            "miscalculated",
            text,
            unit.id,
            claimed={"needed": claimed},
            recomputed={"needed": needed},
            figures=[Figure("needed", needed), Figure("Strength", weapon.strength), Figure("Toughness", tough)],
        )
    ]


# -- Rending ------------------------------------------------------------------------------------------------------


@rule("CLX-GEAR-03", "Rending", events=[*EVERY_EVENT], kinds=["illegal", "miscalculated"])
def a_six_to_hit_rends(event: records.Event, resolved: Ways | None, position: Position, hearing: Hearing) -> Seen:
    """A 6 to hit with a Rending weapon wounds without a die, at AP 1: no armour saves against it.

    Log:  the dice to hit, the wounds without a die (in a pool of their own), the saves against these.
    Edge: the die that counts is the one after a reroll. A 6 to wound does nothing.
    """
    if isinstance(event, records.Allocate):
        return _armour_against_rending(event, position)
    rule_id = a_six_to_hit_rends.id
    if not isinstance(event, records.WoundRolls):
        over = _over(event, position)
        seen: list[Remark] = []
        for of, unit, weapon, group in over:
            sixes = _sixes(weapon, group)
            if sixes and group.automatic < sixes and (group.wound_dice or group.automatic):
                seq = group.wound_seq
                seen.append(_automatic(of, unit, weapon, group.automatic, sixes, seq))
        return seen if over else None
    found = wounded_by(event, position)
    if found is None:
        return None
    attack, unit, _, weapon, group = found
    sixes = _sixes(weapon, group)
    if sixes is None:
        return [unchecked(rule_id, "the dice to hit are not recorded")] if event.automatic else RAN
    if group.automatic + (event.automatic or 0) > sixes and (group.hit_dice or "rending" not in weapon.rules):
        return [_automatic(attack, unit, weapon, group.automatic + (event.automatic or 0), sixes, None)]
    hits = attack.hits.get(weapon.id, NONE)
    dice = group.wound_dice + len(event.rolls or ())
    if event.rolls and sixes and single_shots(weapon) and hits[1] - sixes < dice <= hits[1]:
        text = f"{unit.name} rolls {count(dice, 'die', 'dice')} to wound; {sixes} of the {hits[1]} hits {'rends' if sixes == 1 else 'rend'} without a die, by a 6."
        return [
            fault(
                rule_id,
                "miscalculated",
                text,
                unit.id,
                claimed={"dice": dice},
                recomputed={"dice": hits[1] - sixes},
                also=("CLX-SHOOT-08",),
            )
        ]
    return RAN


def _automatic(attack: AttackState, unit: Unit, weapon: Weapon, claimed: int, sixes: int, seq: int | None) -> Remark:
    why = (
        f"{count(sixes, 'die to hit shows', 'dice to hit show')} a 6"
        if "rending" in weapon.rules
        else "it does not rend"
    )
    text = f"{weapon.name} of {unit.name} wounds {attack.target} {count(claimed, 'time')} without a die; {why}."
    return fault(
        a_six_to_hit_rends.id,
        "miscalculated",
        text,
        unit.id,
        player=unit.player,
        claimed={"automatic": claimed},
        recomputed={"automatic": sixes},
        seq=seq,
    )


def _armour_against_rending(event: records.Allocate, position: Position) -> Seen:
    attack, step = position.attacks.get(event.attack), position.combat.steps.get(event.attack)
    made = attack.made if attack is not None else {} if step is None else step.counts.made
    if not made.get(event.pool) or not all(automatic for _, automatic in made[event.pool]):
        return None
    seen: list[Remark] = []
    for wound in event.wounds or ():
        save = wound.save
        if save is None or save.kind != "AS":
            continue
        if wound.claimed_saved is not False or (save.claimed_needed is not None and save.claimed_needed <= 6):
            unit = position.unit_of(wound.model)
            text = f"{wound.model} takes an armour save against a Rending wound, which has AP 1."
            seen.append(
                fault(
                    a_six_to_hit_rends.id,
                    "illegal",
                    text,
                    str(wound.model),
                    player="" if unit is None else unit.player,
                    claimed="AS",
                )
            )
    return seen


@rule(
    "CLX-GEAR-04",
    "Rending on vehicles",
    events=["vehicle_hit"],
    kinds=["illegal", "omitted"],
    readings=["OR-REND-VEH"],
)
def rending_adds_a_d3_on_a_six(
    event: records.VehicleHit, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """Against a vehicle a Rending weapon adds a D3 to the penetration on a 6.

    Log:  the dice of the hit, the die to hit, and the D3.
    Edge: which of the two dice must show the 6 is a reading. No 6, no D3.
    """
    weapon = position.setup.weapons.get(event.weapon or "")
    if weapon is None or not event.dice:
        return None
    rule_id = rending_adds_a_d3_on_a_six.id
    extra = event.rending_d3 is not None
    if "rending" not in weapon.rules:
        if not extra:
            return None
        text = f"{weapon.name} of {whose(event, position)} adds a D3 to its penetration of {event.vehicle}, but it does not rend."
        return [fault(rule_id, "illegal", text, str(event.vehicle), claimed=event.rending_d3)]
    by = {"PEN_DIE": 6 in event.dice, "HIT_DIE": event.to_hit_die == 6 if event.to_hit_die is not None else None}
    if set(by.values()) == {extra}:
        return RAN
    due = by[hearing.ask("OR-REND-VEH")] if by["PEN_DIE"] != by["HIT_DIE"] else by["PEN_DIE"]
    if due is None or due == extra:
        return RAN
    if due:
        text = f"{weapon.name} of {whose(event, position)} rends on a 6, but no D3 was added to its penetration of {event.vehicle}."
        return [fault(rule_id, "omitted", text, str(event.vehicle))]
    text = f"{weapon.name} of {whose(event, position)} adds a D3 to its penetration of {event.vehicle} without a 6."
    return [fault(rule_id, "illegal", text, str(event.vehicle), claimed=event.rending_d3)]


RULES: tuple[Rule, ...] = (each_hit_rolls_to_wound, a_six_to_hit_rends, rending_adds_a_d3_on_a_six)
