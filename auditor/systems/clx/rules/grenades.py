"""Grenades: who throws them, when and how far; the tests that they call for, and what they do to a charge."""

from __future__ import annotations

from typing import Any

from auditor.core.findings import RAN, Figure, Remark, Unchecked
from auditor.core.ruleset import Rule
from auditor.core.rulings import Hearing
from auditor.geometry.inches.lengths import shown
from auditor.geometry.inches.shapes import gap
from auditor.systems.clx import records
from auditor.systems.clx.position.combat import Charge, Throw
from auditor.systems.clx.position.state import Position
from auditor.systems.clx.reckoning.attacks import allocated, leadership
from auditor.systems.clx.reckoning.blows import READINGS as BLOWS
from auditor.systems.clx.reckoning.blows import frag, photon
from auditor.systems.clx.reckoning.due import certainly_short, pinning_of
from auditor.systems.clx.reckoning.frame import leaves_phase
from auditor.systems.clx.reckoning.needs import CAP, FRAG_STRENGTH, toughness
from auditor.systems.clx.reckoning.throws import (
    begins_blows_of,
    calls_for_a_test,
    emp,
    fought,
    pinned_by,
    side_of,
    strikers_hit_by,
    throw_of,
    thrown,
    weapon_of_throw,
    wounded_nobody,
    wounds_by,
)
from auditor.systems.clx.reckoning.ways import Ways
from auditor.systems.clx.rules.blows import blows_seen
from auditor.systems.clx.rules.common import Seen, fault, inches, rule, unchecked, within_tolerance
from auditor.systems.clx.rules.suppression import EVERY_EVENT, may_owe, pinned_before
from auditor.systems.clx.tables import tables, to_wound
from auditor.systems.clx.tolerance import RND, judge
from auditor.systems.words import at_most, count

REACH = int(tables()["grenades"]["range"])
"""Of a frag grenade."""


def _charge(unit: str | None, position: Position) -> Charge | None:
    """The charge of a unit in this turn, as far as it is known."""
    charge = position.combat.charges.get(unit or "")
    now = (position.turn, position.active)
    return charge if charge is not None and charge.moment == now and not charge.stated else None


# -- throwing -----------------------------------------------------------------------------------------------------


@rule("CLX-GREN-01", "Throwing grenades", events=["grenade"], kinds=["illegal"], readings=["OR-GREN-G"])
def one_model_throws_within_six_inches(
    event: records.Grenade, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """One model of a unit that charges, or is charged, may throw one grenade at a unit within 6 inches, just before combat
    is joined.

    Log:  the thrower, its target, the places, and where the throw stands between charge and charge move.
    Edge: exactly 6 inches is in range. A second throw of the unit in the same charge is one too many.
    Edge: what the thrower gives up is CLX-ASLT-09, when defenders throw CLX-GREN-04.
    """
    rule_id = one_model_throws_within_six_inches.id
    unit, target = position.setup.units.get(event.unit or ""), position.setup.units.get(event.target or "")
    model = position.setup.models.get(event.model or "")
    if unit is None or target is None or model is None:
        return None
    seen: list[Remark] = []
    another = next((one for one in position.combat.throws if one.unit == unit.id and one.target == target.id), None)
    if another is not None:
        text = f"{model.id} throws a grenade at {target.name} after {another.model} of its unit did."
        seen.append(fault(rule_id, "illegal", text, model.id, player=unit.player))
    charge = _charge(unit.id, position)
    if side_of(event, position) == "attacker" and charge is not None and charge.moved and not charge.assumed:
        text = f"{model.id} throws a grenade after {unit.name} has made its charge move."
        seen.append(fault(rule_id, "illegal", text, model.id, player=unit.player))
    living = position.living(target)
    if not position.on_table(model.id) or not living:
        return seen
    far = min((gap(position.shape(model), position.shape(one)) for one in living), key=float)
    blur = max(position.shape(one).blur for one in living) + position.shape(model).blur
    judged = judge(far - REACH, hearing.settings, blur=blur)
    said = f"{model.id} throws a grenade at {target.name}, {inches(far)} away; {REACH} inches are in range"
    if judged.verdict == "tolerance":
        seen.append(within_tolerance(rule_id, judged, f"{said}."))
    elif judged.verdict == "beyond":
        if position.models[model.id].z >= 1:
            seen.append(unchecked(rule_id, f"whether its height adds to the range of a grenade of {model.id}"))
        elif hearing.ask("OR-GREN-G") == "GUESS":
            seen.append(Unchecked(None, f"where the grenade of {model.id} was guessed to fall"))
        else:
            seen.append(
                fault(
                    rule_id,
                    "illegal",
                    f"{said}: too far by {inches(judged.over)}.",
                    model.id,
                    player=unit.player,
                    recomputed={"distance": shown(far), "range": str(REACH)},
                    figures=[Figure("distance", shown(far))],
                    judged=judged,
                )
            )
    return seen


# -- pinning ------------------------------------------------------------------------------------------------------


@rule(
    "CLX-GREN-02",
    "Grenades pin",
    events=EVERY_EVENT,
    kinds=["illegal", "miscalculated", "omitted"],
    readings=["OR-FRAG-TEST", "OR-FRAG-TRIGGER", "OR-EMP-PIN"],
)
def a_blast_grenade_calls_for_a_pinning_test(
    event: records.Event, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """A Blast grenade has Pinning: the unit that it hit takes a pinning test at its Leadership less 1 for each unsaved wound
    by it, before it fights.

    Log:  the models that were hit, the wounds and saves, the test with the throw that called for it.
    Edge: whether a hit is enough, and whether several wounds make one test or several, are readings. Vehicles, Fearless
          units and units that are pinned take none.
    Edge: a test that was not due is nobody's fault unless it pinned the unit. Of a defensive grenade (CLX-GREN-07) that
          hit and wounded nobody, and of an EMP grenade, it is not held against anybody even then.
    """
    if isinstance(event, records.PinningTest):
        return _test(event, position, hearing)
    if not position.combat.throws:
        return None
    over = leaves_phase(event, position, "assault")
    fighting = begins_blows_of(event, position)
    seen: list[Remark] = []
    for throw in position.combat.throws:
        unit = position.setup.units.get(throw.target or "")
        if unit is None or not (unit.id in fighting or (over and unit.id not in fought(position))):
            continue
        tests = [test for test in position.pin_tests if test.unit == unit.id]
        if not may_owe(unit, position) or any(test.causes is None or throw.attack in test.causes for test in tests):
            continue
        if calls_for_a_test(throw, position, hearing):
            text = f"{unit.name} was hit by a grenade and took no pinning test."
            rule_id = a_blast_grenade_calls_for_a_pinning_test.id
            due = pinning_of(unit, [throw.attack])
            seen.append(fault(rule_id, "omitted", text, unit.id, player=unit.player, due=due))
    return seen


def _test(event: records.PinningTest, position: Position, hearing: Hearing) -> Seen:
    rule_id = a_blast_grenade_calls_for_a_pinning_test.id
    unit, throws = position.setup.units.get(event.unit or ""), thrown(event.causes, position)
    if unit is None or throws is None or any(throw.target != unit.id for throw in throws):
        return None
    claims = (event.claimed_modifier, event.claimed_pinned)
    hearing.not_claimed(claims.count(None))
    if claims == (None, None) or pinned_before(unit, position):
        return RAN
    undue = _undue(throws, position, hearing) if event.claimed_pinned and "fearless" not in unit.rules else None
    if undue is not None:
        text = f"{unit.name} is pinned although no grenade {undue} it."
        return [fault(rule_id, "illegal", text, unit.id, player=unit.player)]
    best, dice = leadership(unit, position), event.dice
    if best is None:
        return [unchecked(rule_id, f"the Leadership of {unit.name} is not known (BASE-LD)")]
    if event.claimed_pinned is not None and (dice is None or len(dice) != 2 or not all(1 <= d <= 6 for d in dice)):
        return [unchecked(rule_id, "the dice of the test are not recorded")]

    def fits(modifier: int) -> bool:
        pinned = None if event.claimed_pinned is None or dice is None else sum(dice) > best - modifier
        return event.claimed_modifier in (None, -modifier) and event.claimed_pinned in (None, pinned)

    fearless = "fearless" in unit.rules
    low, high = (sum(one) for one in zip(*(wounds_by(throw) for throw in throws), strict=True))
    if low != high:
        given = [allocated(throw.counts) for throw in throws if throw.counts is not None]
        least = sum(one for one, _ in given)
        sure = all(one == most for one, most in given) and not (fearless and event.claimed_pinned)
        if sure and fits(least) and fits(min(least, 1)):
            return RAN  # What the record gives to nobody may have been lost.
        return [unchecked(rule_id, "which wounds count for the test is not recorded for certain")]
    if fits(low) and fits(min(low, 1)) and not (fearless and event.claimed_pinned):
        return RAN
    less = low if low <= 1 or hearing.ask("OR-FRAG-TEST") == "ONE" else 1
    if fearless and (event.claimed_pinned or not fits(less)):
        why = f"what {unit.name} being Fearless does is a matter of the base game"
        return [unchecked(rule_id, why) if low <= 1 else Unchecked(None, why)]
    if fits(less):
        return RAN
    pinned = None if dice is None else sum(dice) > best - less
    result = "" if pinned is None else f" The dice show {sum(dice or ())}: {'pinned' if pinned else 'not pinned'}."
    return [
        fault(
            rule_id,
            "miscalculated",
            f"{unit.name} tests for pinning and needs {at_most(best, less)}.{result}",
            unit.id,
            claimed={"modifier": claims[0], "pinned": claims[1]},
            recomputed={"modifier": -less, "pinned": pinned},
            figures=[Figure("needed at most", best - less, (("Leadership", best), ("unsaved wounds", -less)))],
        )
    ]


def _undue(throws: list[Throw], position: Position, hearing: Hearing) -> str | None:
    """What the grenades that a test names certainly did not do to the unit so that it called for one; None where it may
    have been due."""
    weapons = [weapon_of_throw(throw, position) for throw in throws]
    if any(weapon is None or emp(weapon) for weapon in weapons):
        return None
    if all(throw.hits == () and not throw.wounds for throw in throws):
        return "hit"
    if any(photon(weapon) for weapon in weapons) or not all(wounded_nobody(throw) for throw in throws):
        return None
    return "wounded" if hearing.ask("OR-FRAG-TRIGGER") == "WOUND" else None


@rule("CLX-GREN-03", "Pinned by a grenade", events=["cover_rolls"], kinds=["illegal"])
def a_unit_pinned_by_a_grenade_has_no_cover(
    event: records.CoverRolls, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """A unit that a grenade pinned has no cover for the rest of the charge. (That it fights at Initiative 1 is CLX-ASLT-10.)

    Log:  the throws, the pinning tests, and cover dice that follow.
    Edge: cover dice against a grenade before the test for it count; after a test that pinned there is none.
    """
    throw = throw_of(event.attack, position)
    unit = None if throw is None else position.setup.units.get(throw.target or "")
    if throw is None or unit is None:
        return None
    earlier = [one for one in position.combat.throws if one.attack != throw.attack and one.target == unit.id]
    # Not so `throw.pinned`: an EMP grenade is said to pin when it is thrown, and its cover dice are written after that.
    tested = any(
        test.unit == unit.id and test.pinned and throw.attack in (test.causes or ()) for test in position.pin_tests
    )
    if not event.dice or not (tested or any(one.pinned for one in earlier)):
        return RAN
    text = f"{unit.name} rolls for cover although a grenade has pinned it in this charge."
    rule_id = a_unit_pinned_by_a_grenade_has_no_cover.id
    return [fault(rule_id, "illegal", text, unit.id, player=unit.player)]


# -- defensive throws ---------------------------------------------------------------------------------------------


@rule(
    "CLX-GREN-04",
    "Defensive throws",
    events=["grenade", "charge_move"],
    kinds=["illegal"],
    readings=["OR-DEF-TIME", "OR-DEF-FAIL"],
)
def a_charged_unit_throws_when_the_charge_reaches(
    event: records.Grenade | records.ChargeMove, resolved: Any, position: Position, hearing: Hearing
) -> Seen:
    """A unit that is charged may throw a grenade at those who charge it once their charge roll has succeeded. If these fail
    the pinning test, their charge fails.

    Log:  the charge with its dice, the throw, the test, and the charge move.
    Edge: the text gives two moments for the throw: before or after the charge dice is a reading. So is whether pinned
          chargers stay where they are, or move what they rolled, short of contact.
    """
    if isinstance(event, records.ChargeMove):
        return _pinned_chargers(event, resolved, position, hearing)
    if side_of(event, position) != "defender":
        return None
    rule_id = a_charged_unit_throws_when_the_charge_reaches.id
    unit, charger = position.setup.units.get(event.unit or ""), position.setup.units.get(event.target or "")
    if unit is None or charger is None:
        return None
    charge = position.combat.charges.get(charger.id)
    if charge is None or charge.moment != (position.turn, position.active) or charge.target != unit.id:
        if hearing.ask("OR-DEF-TIME") != "AFTER_ROLL":
            return RAN
        text = f"{unit.name} throws a grenade at {charger.name} before its charge roll."
        return [fault(rule_id, "illegal", text, unit.id, player=unit.player)]
    if charge.stated or (charge.roll is None and charge.claimed is None):
        return [unchecked(rule_id, f"whether {charger.name} had rolled for its charge is not recorded")]
    if charge.claimed is False and None not in (charge.roll, charge.gap) and not certainly_short(charge, hearing):
        return [unchecked(rule_id, f"whether the charge of {charger.name} failed is told otherwise than its dice show")]
    if charge.claimed is False or (charge.claimed is None and certainly_short(charge, hearing)):
        text = f"{unit.name} throws a grenade at {charger.name}, whose charge has failed."
        return [fault(rule_id, "illegal", text, unit.id, player=unit.player)]
    if hearing.ask("OR-DEF-TIME") != "BEFORE_ROLL":
        return RAN
    text = f"{unit.name} throws a grenade at {charger.name} after its charge roll."
    return [fault(rule_id, "illegal", text, unit.id, player=unit.player)]


def _pinned_chargers(event: records.ChargeMove, ways: Ways, position: Position, hearing: Hearing) -> Seen:
    """A charge that goes on although a grenade has pinned the chargers."""
    unit = ways.unit
    if unit is None:
        return None
    thrown_at = [one for one in position.combat.throws if one.target == unit.id and one.side == "defender"]
    if not any(pinned_by(one, position) for one in thrown_at) or not any(way.moved for way in ways.ways):
        return RAN
    rule_id = a_charged_unit_throws_when_the_charge_reaches.id
    target = position.setup.units.get(event.target or "")
    touches = target is not None and any(
        gap(position.shape(way.model, way.end, way.heading), position.shape(model)) <= RND
        for way in ways.ways
        for model in position.living(target)
    )
    if not touches and hearing.ask("OR-DEF-FAIL") == "FULL":
        return RAN
    what = "comes into contact" if touches else "moves"
    text = f"{unit.name} {what} although a grenade has pinned it: its charge has failed."
    return [fault(rule_id, "illegal", text, unit.id, claimed=event.target)]


# -- frag grenades ------------------------------------------------------------------------------------------------


@rule(
    "CLX-GREN-06",
    "Frag grenades",
    events=["wound_rolls", "fight_step"],
    kinds=["miscalculated"],
    readings=["OR-TWICE", *BLOWS],
)
def a_frag_grenade_wounds_with_strength_four(
    event: records.WoundRolls | records.FightStep, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """A frag grenade has Strength 4 and AP 6. Each model that it hits and that has no cover save takes one roll to wound. A
    target out of cover fights at an Initiative of one less for each model that the grenade removed.

    Log:  the models that were hit, the dice to wound, and the number that is claimed; the cover of the target, who was
          removed, the Initiative that is claimed.
    Edge: against a Preferred Enemy (CLX-USR-09) 3 is accepted where more is due.
    Edge: its test is CLX-GREN-02. Within the tolerance of cover either Initiative is accepted; pinned units are CLX-ASLT-10,
          but for one that it pinned in cover where that strikes in its normal order (OR-FRAG-INIT=NORMAL).
    """
    rule_id = a_frag_grenade_wounds_with_strength_four.id
    if isinstance(event, records.FightStep):
        return blows_seen(rule_id, event, position, hearing) if strikers_hit_by(frag, event, position) else None
    return _wounded_by_frag(rule_id, event, position, hearing)


def _wounded_by_frag(rule_id: str, event: records.WoundRolls, position: Position, hearing: Hearing) -> Seen:
    """What is wrong with the dice to wound of a frag grenade."""
    throw = throw_of(event.attack, position)
    target = None if throw is None else position.setup.units.get(throw.target or "")
    if throw is None or target is None or not frag(weapon_of_throw(throw, position)) or target.vehicle is not None:
        return None
    seen: list[Remark] = []
    rolled = len(event.rolls or ())
    if throw.hits is not None and rolled > len(throw.hits):
        text = f"{throw.unit} rolled {count(rolled, 'die', 'dice')} to wound for a grenade that hit {count(len(throw.hits), 'model')}."
        seen.append(
            fault(
                rule_id,
                "miscalculated",
                text,
                str(throw.unit),
                claimed={"dice": rolled},
                recomputed={"dice": len(throw.hits)},
            )
        )
    if event.claimed_needed is None or not event.rolls:
        hearing.not_claimed(int(event.claimed_needed is None))
        return seen
    strength, tough = FRAG_STRENGTH, toughness(target, position)
    if tough is None:
        return [*seen, unchecked(rule_id, f"the Toughness of {target.name} is not known (BASE-MAJORITY)")]
    options = {option: to_wound(strength, tough, option) for option in ("AT_LEAST", "EXACT")}
    if set(options.values()) == {event.claimed_needed}:
        return seen
    needed = options["AT_LEAST"] if len(set(options.values())) == 1 else options[hearing.ask("OR-TWICE")]
    thrower = position.setup.units.get(throw.unit or "")
    if thrower is not None and thrower.prefers(target) and event.claimed_needed == min(needed, CAP):
        return seen
    if needed == event.claimed_needed:
        return seen
    text = (
        f"The grenade of {throw.unit or 'a unit'} wounds {target.name} on {needed} or more, with Strength {strength} against Toughness {tough}, "
        f"not on {event.claimed_needed}."
    )
    return [
        *seen,
        fault(
            rule_id,
            "miscalculated",
            text,
            str(throw.unit),
            claimed={"needed": event.claimed_needed},
            recomputed={"needed": needed},
            figures=[Figure("needed", needed), Figure("Strength", strength), Figure("Toughness", tough)],
        ),
    ]


RULES: tuple[Rule, ...] = (
    one_model_throws_within_six_inches,
    a_blast_grenade_calls_for_a_pinning_test,
    a_unit_pinned_by_a_grenade_has_no_cover,
    a_charged_unit_throws_when_the_charge_reaches,
    a_frag_grenade_wounds_with_strength_four,
)
