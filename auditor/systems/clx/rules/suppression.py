"""Suppression Fire and pinning tests."""

from __future__ import annotations

from collections.abc import Iterable

from auditor.core.findings import RAN, Fault, Figure, Remark, Unchecked
from auditor.core.ruleset import Rule
from auditor.core.rulings import Hearing
from auditor.systems.clx import records
from auditor.systems.clx.packs import Unit
from auditor.systems.clx.position.state import AttackState, Count, Position
from auditor.systems.clx.reckoning.attacks import (
    NONE,
    allocated,
    leadership,
    of_pinning,
    on,
    otherwise_suppressing,
    pins,
    plus,
    unsaved_by,
    wounds_of,
)
from auditor.systems.clx.reckoning.crossfire import READINGS as CROSS_READINGS
from auditor.systems.clx.reckoning.crossfire import Crossfire, crossfires, may_cross
from auditor.systems.clx.reckoning.due import pinning_of
from auditor.systems.clx.reckoning.fights import not_rolled
from auditor.systems.clx.reckoning.frame import leaves_shooting
from auditor.systems.clx.reckoning.options import asked
from auditor.systems.clx.reckoning.throws import thrown
from auditor.systems.clx.reckoning.ways import Ways
from auditor.systems.clx.rules.common import Seen, by_whom, fault, listed, rule, unchecked
from auditor.systems.words import at_most

EVERY_EVENT = tuple(
    name for name in records.EVENTS if name not in ("undo", "remark", "end", "position", "judge", "note")
)


def _causes(event: records.PinningTest, position: Position) -> list[AttackState] | None:
    """The attacks of this phase that a test names; None where one is not recorded, or is no shooting attack."""
    if not event.causes:
        return None
    found = [position.attacks.get(name) for name in event.causes]
    known = [attack for attack in found if attack is not None]
    return known if len(known) == len(found) and all(attack.target == event.unit for attack in known) else None


def _crossed(event: records.PinningTest, unit: Unit, position: Position, hearing: Hearing) -> bool | None:
    """Whether the attacks that a test names were all of a crossfire (CLX-SHOOT-14); None: not certain, nor where one of them
    is of a unit that arrived this turn (CLX-USR-07)."""
    shooters = [position.units.get(attack.unit or "") for attack in on(unit, position).values() if not attack.failed]
    if any(one is None or one.arrived_in(position.turn) for one in shooters):
        return None
    if any(position.is_open("arrived", str(attack.unit)) for attack in on(unit, position).values()):
        return None
    if not may_cross(unit, position):
        return False
    causes = set(event.causes or ())

    def outcome(one: Crossfire) -> bool | None:
        if one.verdict == "no" or (one.verdict == "yes" and causes.isdisjoint(one.sides | one.unsure)):
            return False
        return True if one.verdict == "yes" and causes <= one.sides - one.unsure else None

    crossed = crossfires(unit, position, hearing.settings)
    found = {key: outcome(one) for key, one in crossed.under.items()}
    return asked(found, crossed.readings, hearing, lambda answer: answer)


def of_arrivals(event: records.PinningTest, unit: Unit, position: Position) -> list[AttackState] | None:
    """The attacks that a test names, where nobody but one unit with Outflank that arrived this turn shot at the target, and
    no weapon of it pins; None otherwise."""
    attacks = _causes(event, position)
    shooters = {attack.unit for attack in on(unit, position).values() if not attack.failed}
    if not attacks or len(shooters) != 1 or any(attack.failed for attack in attacks):
        return None
    shooter = position.setup.units.get(str(next(iter(shooters))))
    if shooter is None or "outflank" not in shooter.rules or not position.units[shooter.id].arrived_in(position.turn):
        return None
    weapons = [weapon for attack in attacks for weapon in attack.weapons]
    return attacks if weapons and all(pins(weapon, position) is False for weapon in weapons) else None


UNSURE = "whether shots were a crossfire, or those of a unit that arrived this turn"
"""Of no rule: it hangs on readings, and the scope of a fault under others is whole."""

# -- undue tests --------------------------------------------------------------------------------------------------


@rule(
    "CLX-SUPP-01",
    "What Suppression Fire is",
    events=["pinning_test"],
    kinds=["illegal"],
    readings=CROSS_READINGS,
)
def only_suppression_fire_pins(
    event: records.PinningTest, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """Suppression Fire are the shots of Pinning weapons, those of a crossfire, and those of units that have just
    outflanked. No other shots pin a unit.

    Log:  the attacks that called for the test, with their weapons, and that the unit is pinned.
    Edge: a test that was not due and changed nothing is nobody's fault.
    """
    unit = position.setup.units.get(event.unit or "")
    attacks = _causes(event, position)
    if unit is None or not event.claimed_pinned or attacks is None:
        return None
    if pinned_before(unit, position):
        return RAN
    weapons = [weapon for attack in attacks for weapon in attack.weapons]
    if not weapons or any(pins(weapon, position) is not False for weapon in weapons):
        return RAN
    if of_arrivals(event, unit, position) is not None:
        return RAN  # All shots of a unit that has just outflanked may be.
    if otherwise_suppressing(unit, position):
        crossed = _crossed(event, unit, position, hearing)
        if crossed:
            return RAN
        if crossed is None:
            return [Unchecked(None, UNSURE)]
    named = listed(dict.fromkeys(position.setup.weapons[str(weapon)].name for weapon in weapons))
    text = f"{unit.name} is pinned by {named}, which is no Suppression Fire."
    return [fault("CLX-SUPP-01", "illegal", text, unit.id, player=unit.player)]


# -- tests that are due -------------------------------------------------------------------------------------------


def pinned_before(unit: Unit, position: Position) -> bool:
    """Whether a unit is pinned already: a test that is taken all the same changes nothing (catalogue 1.3)."""
    return position.units[unit.id].pinned is not None


def may_owe(unit: Unit, position: Position) -> bool:
    """Whether hits by Suppression Fire call for a pinning test of a unit at all. A model without wounds left is gone, even
    if the record does not say so; one of which nobody knows how many it had may be."""
    state = position.units[unit.id]
    return (
        unit.vehicle is None
        and state.pinned is None
        and not state.falling_back
        and not unit.rules & {"prone_position", "fearless"}
        and any(model.profile.Ld is not None and position.models[model.id].wounds for model in position.living(unit))
    )


def _untested(unit: Unit, position: Position, hearing: Hearing) -> list[str]:
    """The attacks of the phase that called for a pinning test of a unit, and got none."""
    tests = [test for test in position.pin_tests if test.unit == unit.id]
    if any(test.causes is None or (test.pinned is None and not test.prone) for test in tests):
        return []
    hit: list[str] = []
    for name, attack in on(unit, position).items():
        if of_pinning(attack.hits, position)[0] == 0 or attack.failed or name is None:
            continue
        if of_pinning(unsaved_by(attack), position)[0] == 0 and hearing.ask("OR-SUPP") == "SEPARATE":
            continue
        hit.append(name)
    answered = {one for test in tests if not test.prone for one in test.causes or ()}
    left = [name for name in hit if name not in answered]
    chosen = {one for test in tests if test.prone for one in test.causes or ()}
    if chosen & set(left) and hearing.ask("OR-PRONE") == "GENERAL":
        left = [name for name in left if name not in chosen]
    if left and len(left) < len(hit) and hearing.ask("OR-PIN-COUNT") == "PER_PHASE":
        return []
    return left


@rule(
    "CLX-SUPP-02",
    "A hit by Suppression Fire",
    events=EVERY_EVENT,
    kinds=["illegal", "omitted"],
    readings=["OR-SUPP", "OR-PIN-COUNT", "OR-PRONE", *(one for one in CROSS_READINGS if one != "OR-SUPP")],
)
def a_hit_calls_for_a_pinning_test(
    event: records.Event, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """A unit that was hit by Suppression Fire takes a pinning test before the Shooting Phase ends; wounds are not needed.

    Log:  the hits of each attack, and the tests with the attacks that called for them.
    Edge: vehicles, and units that are pinned, falling back or destroyed take none. Units with Prone Position are
          CLX-USR-17. A test without hits is nobody's fault unless it pinned the unit.
    """
    if isinstance(event, records.PinningTest):
        return _without_a_hit(event, position, hearing)
    if not leaves_shooting(event, position) or not position.attacks:
        return None
    seen: list[Remark] = []
    for unit_id in dict.fromkeys(attack.target for attack in position.attacks.values()):
        unit = position.setup.units.get(unit_id or "")
        if unit is None or not may_owe(unit, position):
            continue
        left = _untested(unit, position, hearing)
        if left:
            text = f"{unit.name} was hit by the Suppression Fire of {by_whom(left, position)} and took no pinning test for it."
            figures: list[Figure] = []
            if len(left) == 1 and not otherwise_suppressing(unit, position):
                low, high = _sum([position.attacks[left[0]]], "unsaved", position)
                figures = not_rolled(unit, (-high, -low), position, pinning=True)
            due = pinning_of(unit, left)
            seen.append(fault("CLX-SUPP-02", "omitted", text, unit.id, player=unit.player, figures=figures, due=due))
    return seen


def _without_a_hit(event: records.PinningTest, position: Position, hearing: Hearing) -> Seen:
    unit = position.setup.units.get(event.unit or "")
    attacks = _causes(event, position)
    if unit is None or not event.claimed_pinned or attacks is None:
        return None
    if not any(pins(weapon, position) is not False for attack in attacks for weapon in attack.weapons):
        return None
    if pinned_before(unit, position):
        return RAN
    hits, lost = _sum(attacks, "hits", position), _sum(attacks, "unsaved", position)
    what = "hit"
    if hits[1] > 0:
        if lost[1] > 0 or hearing.ask("OR-SUPP") == "ALL_PINNING":
            return RAN
        what = "wounded"
    if otherwise_suppressing(unit, position):
        crossed = _crossed(event, unit, position, hearing)
        if crossed is None:
            return [Unchecked(None, UNSURE)]
        if crossed and any(high for attack in attacks for _, high in attack.hits.values()):
            return RAN
    text = f"{unit.name} is pinned although no shot of {by_whom(event.causes or (), position)} {what} it."
    return [fault("CLX-SUPP-02", "illegal", text, unit.id, player=unit.player)]


def _sum(attacks: list[AttackState], what: str, position: Position) -> Count:
    found = NONE
    for attack in attacks:
        found = plus(found, of_pinning(attack.hits if what == "hits" else unsaved_by(attack), position))
    return found


def _within(span: Count) -> range:
    """The numbers of a span; of a very long one the lowest, which hardly all fit."""
    return range(span[0], min(span[1], span[0] + 40) + 1)


def _given(attacks: list[AttackState], position: Position) -> Count:
    """The wounds by Pinning weapons that models were given, and that were not saved."""
    found = NONE
    for attack in attacks:
        found = plus(found, of_pinning(attack.unsaved, position))
    return found


def _all_given(attacks: Iterable[AttackState]) -> Count:
    found = NONE
    for attack in attacks:
        found = plus(found, allocated(attack))
    return found


def _all_unsaved(attacks: Iterable[AttackState]) -> Count:
    found = NONE
    for attack in attacks:
        found = plus(found, wounds_of(attack))
    return found


# -- the test itself ----------------------------------------------------------------------------------------------


@rule(
    "CLX-SUPP-03",
    "Pinning tests",
    events=["pinning_test"],
    kinds=["miscalculated"],
    readings=["OR-PIN-COUNT", *CROSS_READINGS],
)
def a_pinning_test_is_against_leadership_less_wounds(
    event: records.PinningTest, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """2D6 of at most the Leadership, less 1 for each unsaved wound by the Pinning weapons of the attack, pass the test;
    a unit that fails is pinned.

    Log:  the attack, its wounds and saves, the dice, and what is claimed of modifier and result.
    Edge: wounds by other weapons do not count, but all those of a crossfire do. There is no lower limit.
    """
    if any(name in position.combat.wrecks for name in event.causes or ()):
        return None  # Of survivors of an explosion, for whom no attack called for it.
    claims = (event.claimed_modifier, event.claimed_pinned)
    hearing.not_claimed(claims.count(None))
    if claims == (None, None):
        return RAN
    unit = position.setup.units.get(event.unit or "")
    attacks = _causes(event, position)
    if thrown(event.causes, position) is not None:
        return None  # Of a grenade, for which no attack called.
    if unit is None or attacks is None:
        return [unchecked("CLX-SUPP-03", "the unit, or the shooting attacks that called for the test, are not known")]
    if pinned_before(unit, position):
        return RAN
    best, dice = leadership(unit, position), event.dice
    if best is None:
        return [unchecked("CLX-SUPP-03", f"the Leadership of {unit.name} is not known (BASE-LD)")]
    if event.claimed_pinned is not None and (dice is None or len(dice) != 2 or not all(1 <= d <= 6 for d in dice)):
        return [unchecked("CLX-SUPP-03", "the dice of the test are not recorded")]
    counted = _wounds_counted(event, unit, attacks, position, hearing)
    if counted is None:
        return [Unchecked(None, UNSURE)]
    lost, given = counted

    def fits(wounds: int) -> bool:
        pinned = None if event.claimed_pinned is None or dice is None else sum(dice) > best - wounds
        return event.claimed_modifier in (None, -wounds) and event.claimed_pinned in (None, pinned)

    def given_fits(span: Count) -> bool:
        # What the record gives to nobody may have been lost.
        return span[0] == span[1] and fits(span[0])

    fearless = "fearless" in unit.rules
    if all(fits(wounds) for span in lost.values() for wounds in _within(span)) and not (fearless and claims[1]):
        return RAN
    if not (fearless and claims[1]) and all(map(given_fits, given.values())):
        return RAN
    alike = lost["PER_ATTACK"] == lost["PER_PHASE"]
    option = "PER_ATTACK" if alike else hearing.ask("OR-PIN-COUNT")
    low, high = lost[option]
    if fearless:
        if not claims[1] and (given_fits(given[option]) or all(fits(wounds) for wounds in _within((low, high)))):
            return RAN
        why = f"what {unit.name} being Fearless does is a matter of the base game"
        return [unchecked("CLX-SUPP-03", why) if alike else Unchecked(None, why)]
    if low != high:
        if given_fits(given[option]):
            return RAN
        why = "which wounds count for the test is not recorded for certain"
        return [unchecked("CLX-SUPP-03", why) if alike else Unchecked(None, why)]
    return RAN if fits(low) else [_wrong_numbers(event, unit, best, low)]


def _wounds_counted(
    event: records.PinningTest, unit: Unit, attacks: list[AttackState], position: Position, hearing: Hearing
) -> tuple[dict[str, Count], dict[str, Count]] | None:
    """The wounds that count for a test by the options of OR-PIN-COUNT, and those of them that models were given; None
    where it is not certain which do."""
    lost = {
        "PER_ATTACK": _sum(attacks, "unsaved", position),
        "PER_PHASE": _sum(list(on(unit, position).values()), "unsaved", position),
    }
    whole = {
        "PER_ATTACK": _all_unsaved(attacks),
        "PER_PHASE": (_all_unsaved(attacks)[0], _all_unsaved(on(unit, position).values())[1]),
    }
    if otherwise_suppressing(unit, position) and whole != lost:
        crossed = _crossed(event, unit, position, hearing)
        if crossed is None:
            return None
        if crossed:
            return whole, {"PER_ATTACK": _all_given(attacks), "PER_PHASE": _all_given(on(unit, position).values())}
    given = {
        "PER_ATTACK": _given(attacks, position),
        "PER_PHASE": _given(list(on(unit, position).values()), position),
    }
    return lost, given


def _wrong_numbers(event: records.PinningTest, unit: Unit, best: int, wounds: int) -> Fault:
    """A modifier or a result that is not what Leadership, wounds and dice give."""
    roll = None if event.dice is None else sum(event.dice)
    pinned = None if roll is None else roll > best - wounds
    result = "" if pinned is None else f" The dice show {roll}: {'pinned' if pinned else 'not pinned'}."
    text = f"{unit.name} tests for pinning and needs {at_most(best, wounds)}.{result}"
    return fault(
        "CLX-SUPP-03",
        "miscalculated",
        text,
        unit.id,
        player=unit.player,
        claimed={"modifier": event.claimed_modifier, "pinned": event.claimed_pinned},
        recomputed={"modifier": -wounds, "pinned": pinned},
        figures=[Figure("needed at most", best - wounds, (("Leadership", best), ("unsaved wounds", -wounds)))],
    )


RULES: tuple[Rule, ...] = (
    only_suppression_fire_pins,
    a_hit_calls_for_a_pinning_test,
    a_pinning_test_is_against_leadership_less_wounds,
)
