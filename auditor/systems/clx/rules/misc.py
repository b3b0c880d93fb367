"""Characteristic tests and levels of cover."""

from __future__ import annotations

from collections import Counter

from auditor.core.findings import RAN, Fault, Figure
from auditor.core.ruleset import Rule
from auditor.core.rulings import Hearing
from auditor.systems.clx import records
from auditor.systems.clx.position.state import Position
from auditor.systems.clx.reckoning.attacks import attack_of
from auditor.systems.clx.reckoning.cover import levels_due
from auditor.systems.clx.rules.common import Seen, fault, rule, unchecked, who_plays
from auditor.systems.clx.rules.cover import COVER_READINGS, LEVEL, number_of_cover
from auditor.systems.clx.tables import highest_passing, tables

BEST = int(tables()["cover"]["best"])


def _value(event: records.CharTest, position: Position) -> tuple[int | None, str, str]:
    """The value that is tested, whose it is, and the unit, which is known where the value is; of a mixed unit that of the
    majority, the higher in a tie."""
    setup = position.setup
    if event.model is not None and event.model in setup.models:
        model = setup.models[event.model]
        return getattr(model.profile, str(event.characteristic), None), model.id, model.unit
    unit = setup.units.get(event.unit or "")
    if unit is None:
        return None, str(event.unit), ""
    values = [
        value
        for model in position.living(unit)
        if (value := getattr(model.profile, str(event.characteristic), None)) is not None
    ]
    if not values:
        return None, unit.name, unit.id
    counts = Counter(values)
    most = max(counts.values())
    return max(value for value, count in counts.items() if count == most), unit.name, unit.id


@rule("CLX-MISC-01", "Characteristic tests", events=["char_test"], kinds=["illegal", "miscalculated"])
def a_test_is_passed_at_or_under_the_value(
    event: records.CharTest, resolved: object, position: Position, hearing: Hearing
) -> Seen:
    """A test of Strength, Toughness or Initiative is a D6: at most the value passes, a 6 never does. With a value above 5
    a failed test is rolled again once, and passes at most at the value less 5.

    Log:  the characteristic, the die, the reroll, and whether it passed. A unit tests on the value of the majority.
    Edge: not to reroll is allowed. A pinned unit fights at Initiative 1: a test of its Initiative whose result hangs on
          whether that holds for tests as well is left open.
    """
    value, who, unit = _value(event, position)
    if event.characteristic is None or event.die is None or not 1 <= event.die <= 6:
        return [unchecked("CLX-MISC-01", "the characteristic or the die of the test is not recorded")]
    if value is None:
        return [unchecked("CLX-MISC-01", f"the {event.characteristic} of {who} is not known")]
    if event.claimed_passed is None:
        hearing.not_claimed()
    seen = _seen(event, value, who, unit)
    pinned = position.units[unit].pinned is not None
    if pinned and event.characteristic == "I" and bool(seen) != bool(_seen(event, 1, who, unit)):
        return [unchecked("CLX-MISC-01", f"{who} is pinned; what that does to tests of its Initiative is not stated")]
    return tuple(seen)


CHARACTERISTICS = {
    **{"WS": "Weapon Skill", "BS": "Ballistic Skill", "S": "Strength", "T": "Toughness", "W": "Wounds"},
    **{"I": "Initiative", "A": "Attacks", "Ld": "Leadership"},
}


def _seen(event: records.CharTest, value: int, who: str, unit: str) -> list[Fault]:
    """What is wrong with a test of a value."""
    assert event.die is not None
    what = CHARACTERISTICS.get(str(event.characteristic), str(event.characteristic))
    first, again = highest_passing(value)
    passed = event.die <= first
    rerolls = records.rolled_again(event.reroll)
    if rerolls:
        why = ""
        if again is None:
            why = "with a value of 5 or less there is no reroll"
        elif passed:
            why = "it had passed"
        elif len(rerolls) > 1:
            why = "once only"
        else:
            passed = rerolls[0] <= again
        if why:
            text = f"The test of {who} on {what} {value} was rolled again: {why}."
            # What it came to is no second fault: the claim may go by the die that was not to be rolled.
            return [fault("CLX-MISC-01", "illegal", text, who, claimed=event.reroll, recomputed=None)]
    if event.claimed_passed is not None and event.claimed_passed != passed:
        dice = [event.die, *rerolls[:1]]
        text = (
            f"{who} {'passes' if passed else 'fails'} a test on {what} {value} with a "
            f"{' and then a '.join(map(str, dice))}; the log says it {'failed' if passed else 'passed'}."
        )
        return [
            fault(
                "CLX-MISC-01",
                "miscalculated",
                text,
                who,
                claimed=event.claimed_passed,
                recomputed=passed,
                figures=[Figure(str(event.characteristic), value)],
            )
        ]
    return []


@rule(
    "CLX-MISC-02",
    "Levels of cover",
    events=["cover_rolls"],
    kinds=["miscalculated"],
    readings=COVER_READINGS,
)
def the_level_of_cover_is_seven_less_the_save(
    event: records.CoverRolls, resolved: object, position: Position, hearing: Hearing
) -> Seen:
    """The level of cover is 7 less the save: 6+ is level 1, 2+ is level 5, the highest (that nothing is better than 2+ is
    a base rule).

    Log:  the level and the save claimed. Which save a unit has is CLX-SHOOT-07c; a level that is claimed without it is held
          against the cover that there is.
    Edge: beside a wrong save a level that the unit has is right: the save alone is the fault.
    """
    level, needed = event.claimed_level, event.claimed_needed
    if level is None:
        hearing.not_claimed()
        return RAN
    if needed is None:
        return number_of_cover(LEVEL, event, position, hearing)
    right = 7 - needed if needed <= 6 else 0
    if needed >= BEST and level == right:
        return RAN
    due = levels_due(event, position, hearing) if needed >= BEST else None
    if due is not None and level in due and right not in due:
        return RAN
    found = attack_of(event, position)
    of = f" of {found[2].name if found is not None else who_plays(event.player, position)}"
    text = (
        f"A cover save of {needed}+{of} is level {right}, not {level}."
        if needed >= BEST
        else f"A cover save of {needed}+{of} is better than {BEST}+, the best there is (base rule)."
    )
    hearing.apart()  # Two numbers of one line.
    return [
        fault(
            LEVEL,
            "miscalculated",
            text,
            str(event.attack),
            claimed={"level": level, "needed": needed},
            recomputed={"level": right if needed >= BEST else 7 - BEST},
        )
    ]


RULES: tuple[Rule, ...] = (a_test_is_passed_at_or_under_the_value, the_level_of_cover_is_seven_less_the_save)
