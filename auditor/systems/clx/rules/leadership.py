"""Tests of Leadership and of morale: what the dice give, and which rule a wrong result is about."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from auditor.core.findings import RAN, Evidence, Fault, Figure, Note
from auditor.core.rulings import Hearing
from auditor.systems.clx import records
from auditor.systems.clx.packs import Unit
from auditor.systems.clx.position.state import Count, Position
from auditor.systems.clx.reckoning.attacks import leadership
from auditor.systems.clx.reckoning.dice import passes
from auditor.systems.clx.reckoning.fights import dice_of_a_test
from auditor.systems.clx.rules.common import Seen, fault, listed, unchecked
from auditor.systems.words import at_most


# Long: its arguments and what they mean.
def leadership_seen(
    rule_id: str,
    event: records.Morale | records.LdTest,
    unit: Unit,
    modifier: Count,
    position: Position,
    hearing: Hearing,
    enemy: Unit | None = None,
    *,
    what_for: str,
    special: Sequence[tuple[str, int, str]] = (),
    asking: str | None = None,
    within: bool = False,
    recorded: Sequence[int] = (),
    shows: Callable[[], Evidence] | None = None,
) -> Seen:
    """What a rule sees of the modifier and the result that a test claims.

    modifier   the least and the most that it may be (both 0 or less); what lies between is not known
    enemy      against whom the test is; of a hated one three dice are rolled, and a wrong result is CLX-USR-16
    what_for   what the test is for
    special    modifiers of other rules that are wrong in what is claimed if nothing else is: (rule, modifier that the
               claim would be right with, why)
    asking     the rule whose findings are wanted; else `rule_id`
    within     the modifier is open only because a length is within the tolerance
    recorded   modifiers by the wounds that models were given; what the record gives to nobody may have been lost
    shows      what is to be drawn where one of `special` is wrong
    """
    asking = asking or rule_id
    claims = (event.claimed_modifier, event.claimed_passed)
    hearing.not_claimed(claims.count(None) if asking == rule_id else 0)
    if claims == (None, None):
        return RAN
    best, dice = leadership(unit, position), event.dice
    if best is None:
        return _own(rule_id, asking, f"the Leadership of {unit.name} is not known (BASE-LD)")
    if event.claimed_passed is not None and not _are_due(dice, unit):
        return _own(rule_id, asking, "the dice of the test are not recorded, or not those that are due")
    low, high = min(modifier), max(modifier)

    def fits(number: int) -> bool:
        right = None if event.claimed_passed is None or dice is None else passes(dice, best + number)
        return event.claimed_modifier in (None, number) and event.claimed_passed in (None, right)

    fitting = [number for number in range(max(low, high - 40), high + 1) if fits(number)]
    if len(fitting) == high - low + 1 or any(number in fitting for number in recorded):
        return RAN
    if fitting and within:
        text = f"Within the tolerance: what modifies the test of {unit.name}. What is claimed is accepted."
        return [Note("tolerance", text, rule_id)] if asking == rule_id else RAN
    if fitting:
        return _own(rule_id, asking, f"what modifies the test of {unit.name}")
    hated = enemy is not None and unit.hates(enemy) and dice is not None and len(dice) == 3
    about, why = rule_id, ""
    if hated and event.claimed_modifier in (None, high) and low == high:
        about, why = "CLX-USR-16", "; of three dice the two lowest count"
    else:
        about, why = next(((rule, reason) for rule, number, reason in special if fits(number)), (rule_id, ""))
    if about != asking:
        return RAN
    drawn = shows if any(about == rule for rule, *_ in special) else None
    return [_wrong_numbers(about, event, unit, best, high, f"{what_for} and needs {at_most(best, -high)}{why}", drawn)]


def _are_due(dice: Sequence[int] | None, unit: Unit) -> bool:
    return dice is not None and len(dice) in dice_of_a_test(unit) and all(1 <= die <= 6 for die in dice)


def _wrong_numbers(
    about: str,
    event: records.Morale | records.LdTest,
    unit: Unit,
    best: int,
    modifier: int,
    tests: str,
    shows: Callable[[], Evidence] | None,
) -> Fault:
    """A modifier or a result that is not what Leadership and dice give; `tests`: what for, and what it needs."""
    dice = event.dice
    result = None if dice is None or len(dice) not in (2, 3) else passes(dice, best + modifier)
    outcome = (
        ""
        if result is None or dice is None
        else f" The dice show {listed(map(str, dice))}: it {'passes' if result else 'fails'}."
    )
    return fault(
        about,
        "miscalculated",
        f"{unit.name} tests {tests}.{outcome}",
        unit.id,
        player=unit.player,
        claimed={"modifier": event.claimed_modifier, "passed": event.claimed_passed},
        recomputed={"modifier": modifier, "passed": result},
        figures=[Figure("needed at most", best + modifier, (("Leadership", best), ("modifier", modifier)))],
        evidence=shows,
    )


def _own(rule_id: str, asking: str, why: str) -> Seen:
    return [unchecked(rule_id, why)] if asking == rule_id else RAN
