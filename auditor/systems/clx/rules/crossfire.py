"""Crossfire: the Morale Check of a unit that is shot at from two opposite directions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from auditor.core.findings import RAN, Evidence, Fault, Figure, Note, Remark, Unchecked
from auditor.core.ruleset import Rule
from auditor.core.rulings import Hearing
from auditor.systems.clx import records
from auditor.systems.clx.packs import Unit
from auditor.systems.clx.position.state import Position
from auditor.systems.clx.reckoning.attacks import allocated, leadership, on, pins
from auditor.systems.clx.reckoning.crossfire import READINGS, Crossfire, crossfires, lying, may_cross
from auditor.systems.clx.reckoning.dice import passes
from auditor.systems.clx.reckoning.due import can_flee, check_of, pinning_of
from auditor.systems.clx.reckoning.facing import ARC
from auditor.systems.clx.reckoning.frame import leaves_shooting
from auditor.systems.clx.reckoning.options import asked
from auditor.systems.clx.reckoning.ways import Ways
from auditor.systems.clx.rules.common import Seen, fault, rule, unchecked
from auditor.systems.clx.rules.suppression import EVERY_EVENT, may_owe
from auditor.systems.clx.show.sides import crossfire
from auditor.systems.clx.tolerance import allowance
from auditor.systems.words import at_most

REPEAT, COUNT = "OR-CROSS-REPEAT", "OR-PIN-COUNT"


def _shown(unit: Unit, said: str, position: Position, hearing: Hearing) -> Callable[[], Evidence]:
    """The shots of this phase at a unit, and its sides, under the readings in force."""

    def show() -> Evidence:
        attacks = lying(unit, position, allowance(hearing.settings), hearing.options)
        return {"marks": crossfire(unit.name, attacks, said, only_halves=hearing.options[ARC] == "HALVES")}

    return show


def _given(one: Crossfire, unit: Unit, position: Position) -> int | None:
    """The wounds of a crossfire that models were given and did not save; None where that is not certain."""
    if one.unsure:
        return None
    given = [allocated(attack) for name, attack in on(unit, position).items() if name in one.sides]
    return sum(least for least, _ in given) if all(least == most for least, most in given) else None


def _checks(unit: Unit, position: Position, *, perhaps: bool = False) -> list[Any]:
    """The crossfire checks of a unit in this phase. `perhaps`: and those that do not say what they are for."""
    causes = ("crossfire", None) if perhaps else ("crossfire",)
    return [
        test
        for test in position.combat.tests
        if test.kind == "morale" and test.unit == unit.id and test.cause in causes and test.phase == "shooting"
    ]


@rule(
    "CLX-SHOOT-14",
    "Crossfire",
    events=EVERY_EVENT,
    kinds=["illegal", "miscalculated", "omitted"],
    readings=[*READINGS, REPEAT, COUNT],
)
def a_unit_in_crossfire_checks_morale_at_once(
    event: records.Event, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """A unit that two units shoot at from opposite directions, front and rear, takes a Morale Check at once, at its
    Leadership less 1 for each wound lost to the shots at its front and rear together. These shots are Suppression Fire:
    each attack that hit calls for a pinning test.

    Log:  the places of the units, which way the target faced before the first attack, hits, wounds and saves, the check.
    Edge: two fronts, or a side, are no crossfire. Without a wound the check is due all the same.
    Edge: whether each attack calls for a pinning test or all of a phase for one, whether sides are told by the facing before the first attack, what both must have done, how often a unit is
          caught, and which wounds count, are readings. Vehicles and units in combat are never caught.
    """
    if position.phase != "shooting":
        return None
    if isinstance(event, records.Morale):
        return _check(event, position, hearing)
    if not position.attacks:
        return None
    over = leaves_shooting(event, position)
    if not over and not isinstance(event, records.Shoot):
        return None
    seen: list[Remark] = []
    last, attack = list(position.attacks.items())[-1]
    unit = position.setup.units.get(attack.target or "")
    if unit is not None and may_cross(unit, position):
        seen += _left_out(unit, last, position, hearing)
    for target in dict.fromkeys(one.target for one in position.attacks.values()) if over else ():
        other = position.setup.units.get(target or "")
        if other is not None and may_cross(other, position):
            seen += _untested(other, position, hearing)
    return seen


# -- the check ----------------------------------------------------------------------------------------------------


def _check(event: records.Morale, position: Position, hearing: Hearing) -> Seen:
    """A crossfire check: whether it was due where it changed something, and its numbers."""
    unit = position.setup.units.get(event.unit or "")
    if event.cause != "crossfire" or unit is None:
        return None
    rule_id = a_unit_in_crossfire_checks_morale_at_once.id
    claims = (event.claimed_modifier, event.claimed_passed)
    hearing.not_claimed(claims.count(None))
    if claims == (None, None):
        return RAN
    found = crossfires(unit, position, hearing.settings)
    before = _checks(unit, position)
    since = {name for name, one in on(unit, position).items() if before and one.seq > before[-1].seq}
    best, dice = leadership(unit, position), event.dice
    result = None if dice is None or len(dice) not in (2, 3) or not all(1 <= die <= 6 for die in dice) else dice

    def fits(wounds: int, ld: int) -> bool:
        right = None if result is None else passes(result, ld - wounds)
        return event.claimed_modifier in (None, -wounds) and event.claimed_passed in (None, right)

    def outcome(one: Crossfire, repeat: str, counted: str) -> str:
        crossed = one.verdict in ("yes", "near")
        if before and crossed and not since & (one.sides | one.unsure):
            return "undue" if event.claimed_passed is False else "fine"
        if one.verdict == "no" or (before and repeat == "ONCE"):
            return "undue" if event.claimed_passed is False else "fine"
        if one.verdict != "yes" or best is None or (event.claimed_passed is not None and result is None):
            return "unknown"
        low, high = one.wounds
        found = {fits(wounds, best) for wounds in range(low, min(high, low + 40) + 1)}
        if len(found) == 1:
            return "fine" if found == {True} else "wrong"
        # What the record gives to nobody may have been lost.
        given = _given(one, unit, position) if counted == "UNSAVED" else None
        return "fine" if given is not None and fits(given, best) else "unknown"

    outcomes = {
        (repeat, *key): (outcome(one, repeat, key[-1]), one)
        for repeat in ("ONCE", "EACH")
        for key, one in found.under.items()
    }
    verdict, one = asked(outcomes, (REPEAT, *found.readings), hearing, lambda answer: answer[0])
    fearless = "fearless" in unit.rules
    if verdict == "fine" and not (fearless and event.claimed_passed is False):
        return RAN
    if fearless:
        return [unchecked(rule_id, f"what {unit.name} being Fearless does is a matter of the base game")]
    if verdict == "unknown":
        return [Unchecked(None, f"the sides from which {unit.name} was shot at, its wounds, Leadership or dice")]
    if verdict == "undue":
        why = "was checked for crossfire before" if one.verdict != "no" else "was not shot at from opposite sides"
        text = f"{unit.name} fails a check for crossfire, but it {why} in this phase."
        shows = _shown(unit, f"{unit.name} fails a check for crossfire", position, hearing)
        return [fault(rule_id, "illegal", text, unit.id, player=unit.player, evidence=shows)]
    assert best is not None
    return [_wrong_numbers(event, unit, one, best, result, position, hearing)]


def _wrong_numbers(
    event: records.Morale,
    unit: Unit,
    one: Crossfire,
    best: int,
    result: list[int] | None,
    position: Position,
    hearing: Hearing,
) -> Fault:
    """A check whose modifier or outcome is not that of the wounds; `result`: its dice, where they are those due."""
    rule_id = a_unit_in_crossfire_checks_morale_at_once.id
    claims = (event.claimed_modifier, event.claimed_passed)
    low, high = one.wounds
    passed = None if result is None else passes(result, best - low)
    lost = str(low) if low == high else f"{low} to {high}"
    said = f"the test of {unit.name} at {best - low} comes out otherwise"
    if claims[0] not in (None, -low):
        said = f"{unit.name} tests with {claims[0]}, not with {-low}"
    shown = "" if passed is None else f" The dice show {sum(event.dice or ())}: it {'passes' if passed else 'fails'}."
    text = f"{unit.name} lost {lost} to the shots at its front and rear: it needs {at_most(best, low)}.{shown}"
    return fault(
        rule_id,
        "miscalculated",
        text,
        unit.id,
        player=unit.player,
        claimed={"modifier": claims[0], "passed": claims[1]},
        recomputed={"modifier": -low, "passed": passed},
        figures=[Figure("needed at most", best - low, (("Leadership", best), ("wounds", -low)))],
        evidence=_shown(unit, said, position, hearing),
    )


# -- what is left out ---------------------------------------------------------------------------------------------


def _left_out(unit: Unit, last: str | None, position: Position, hearing: Hearing) -> list[Remark]:
    """A check that the last attack made due, and that was not taken before the next."""
    rule_id = a_unit_in_crossfire_checks_morale_at_once.id
    if not can_flee(unit, position):
        return []
    tests = _checks(unit, position, perhaps=True)
    if any(test.attacks is None or last in test.attacks for test in tests):
        return []
    if all(one.verdict == "no" for one in crossfires(unit, position, hearing.settings).under.values()):
        return []
    found = crossfires(unit, position, hearing.settings, without=last)

    def outcome(key: tuple[str, ...], repeat: str) -> str:
        one, earlier = found.under[key], found.before[key]
        if one.verdict == "no" or (repeat == "ONCE" and (tests or earlier.verdict == "yes")):
            return "fine"
        if repeat == "EACH" and earlier.verdict == "yes" and last in one.unsure:
            return "unknown"
        if repeat == "EACH" and last not in one.sides:
            return "fine"
        if one.verdict == "yes" and earlier.verdict in ("no", "yes"):
            return "due"
        return "near" if "unknown" not in (one.verdict, earlier.verdict) else "unknown"

    outcomes = {(repeat, *key): outcome(key, repeat) for repeat in ("ONCE", "EACH") for key in found.under}
    verdict = asked(outcomes, (REPEAT, *found.readings), hearing, lambda answer: answer)
    if verdict == "fine":
        return []
    if verdict == "unknown":
        return [Unchecked(None, f"whether {unit.name} was in crossfire: its facing, or what the shots did")]
    if verdict == "near":
        text = f"Whether {unit.name} was in crossfire hangs on a ray between two of its sides, within the tolerance."
        return [Note("tolerance", text, rule_id, margin="0")]
    text = f"{unit.name} was shot at from opposite sides and took no Morale Check before the next attack."
    shows = _shown(unit, f"{unit.name} took no Morale Check", position, hearing)
    due = check_of(unit, "crossfire")
    return [fault(rule_id, "omitted", text, unit.id, player=unit.player, evidence=shows, due=due)]


def _untested(unit: Unit, position: Position, hearing: Hearing) -> list[Remark]:
    """Attacks of a crossfire that hit with other than Pinning weapons and got no pinning test (others: CLX-SUPP-02)."""
    tests = [test for test in position.pin_tests if test.unit == unit.id]
    if not may_owe(unit, position) or any(test.causes is None or test.pinned is None for test in tests):
        return []
    found = crossfires(unit, position, hearing.settings)
    mine = on(unit, position)
    hit = {name for name, one in mine.items() if sum(low for low, _ in one.hits.values())}
    pinning = {name for name in hit if any(pins(weapon, position) for weapon in mine[name].weapons)}
    answered = {name for test in tests for name in test.causes or ()}
    if pinning - answered:
        return []

    def owes(one: Crossfire, count: str) -> bool:
        left = (hit & (one.sides - one.unsure)) - answered
        return one.verdict == "yes" and bool(left) and not (answered and count == "PER_PHASE")

    outcomes = {
        (count, *key): owes(one, count) for count in ("PER_ATTACK", "PER_PHASE") for key, one in found.under.items()
    }
    if not asked(outcomes, (COUNT, *found.readings), hearing, lambda answer: answer):
        return []
    text = f"{unit.name} was hit in crossfire, which is Suppression Fire, and took no pinning test."
    rule_id = a_unit_in_crossfire_checks_morale_at_once.id
    shows = _shown(unit, f"{unit.name} took no pinning test", position, hearing)
    due = pinning_of(unit, [one for one in mine if one in (pinning or hit)])
    return [fault(rule_id, "omitted", text, unit.id, player=unit.player, evidence=shows, due=due)]


RULES: tuple[Rule, ...] = (a_unit_in_crossfire_checks_morale_at_once,)
