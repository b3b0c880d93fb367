"""Rolls for the initiative and last stands of which dice are missing or too many."""

from __future__ import annotations

from fractions import Fraction

from auditor.core.effects import NOTHING_ASIDE, Aside, Chance
from auditor.core.findings import Fault
from auditor.core.odds import Cases, die, in_words, rolled
from auditor.core.rulings import Hearing
from auditor.systems.calth import records
from auditor.systems.calth.aftermath.dice import CRITICAL, HIT, SHIELD, WHICH, die_words, throw
from auditor.systems.calth.packs import die_faces
from auditor.systems.calth.reckoning.initiative import DICE, decided_attempts
from auditor.systems.calth.reckoning.retreats import must_roll
from auditor.systems.calth.records import Attempt, Initiative, LastStand, ModelRemoved, UnitRemoved, faces
from auditor.systems.calth.state import SIDES, Position
from auditor.systems.calth.words import PLAYERS, count, names


def of_initiative(event: records.Event, hearing: Hearing, fault: Fault) -> Aside:
    """Who might have won the initiative with the dice due, or by a roll that was not made."""
    if not isinstance(event, Initiative) or not event.attempts:
        if fault.kind != "omitted":
            return NOTHING_ASIDE
        return _not_rolled("The roll was not made; each side would have won it", hearing)
    for attempt in event.attempts:
        shown = [faces(getattr(attempt, side)) for side in SIDES]
        if None not in shown and any(len(one or "") != DICE for one in shown):
            return _with_the_dice_due(attempt, hearing)
    won = decided_attempts(event, hearing)
    alone = any(faces(getattr(attempt, side)) is None for attempt in event.attempts for side in SIDES)
    if alone or (won is not None and not any(won)):
        return _not_rolled("The next roll of both was not made; each side would have won it", hearing)
    return NOTHING_ASIDE


def _hits(hearing: Hearing) -> str:
    return HIT if hearing.ask("R-DIE-INIT") == "crit_is_hit" else "".join(face for face in HIT if face != CRITICAL)


def against(a: Cases, b: Cases) -> tuple[Fraction, Fraction, Fraction]:
    """The odds that the first roll has more, that both have as many, that the second has more."""
    whole = sum(a) * sum(b)
    more = sum(x * y for i, x in enumerate(a) for k, y in enumerate(b) if i > k)
    even = sum(x * y for x, y in zip(a, b, strict=False))
    return Fraction(more, whole), Fraction(even, whole), Fraction(whole - more - even, whole)


def _not_rolled(said: str, hearing: Hearing) -> Aside:
    fresh = rolled(die(die_faces(), _hits(hearing)), DICE)
    first, _, second = against(fresh, fresh)
    odds = first / (first + second)  # ties are rolled again until one side has more
    return Aside((f"{said}: {in_words(odds)}.",), (Chance("a side wins the initiative", odds),), open=True)


def _with_the_dice_due(attempt: Attempt, hearing: Hearing) -> Aside:
    good = _hits(hearing)
    rolls, gaps, unknown, choice = [], [], False, False
    for side in SIDES:
        roll = throw(faces(getattr(attempt, side)) or "", DICE, good)
        if roll is None:
            return NOTHING_ASIDE
        rolls.append(roll.cases)
        unknown, choice = unknown or roll.lacking > 0, choice or roll.surplus > 0
        if gap := roll.gap("die", "dice", PLAYERS[side]):
            gaps.append(gap)
    first, even, second = against(rolls[0], rolls[1])
    odds = dict(zip(SIDES, (first, second), strict=True))
    said: list[str] = []
    chances: list[Chance] = []
    for side, of in odds.items():
        if 0 < of < 1:
            chances.append(Chance(f"{side} wins this roll", of))
            said.append(f"{PLAYERS[side]} win it in {in_words(of)}")
    if 0 < even < 1:
        chances.append(Chance("this roll is a tie", even))
        said.append(f"it is a tie, to be rolled again, in {in_words(even)}")
    if not said:
        sure = next((side for side, of in odds.items() if of == 1), None)
        said.append(f"{PLAYERS[sure]} win it all the same" if sure else "it is a tie all the same")
    head = names(gaps)
    told = [f"{head[0].upper()}{head[1:]}.", *((WHICH,) if choice else ()), f"With the dice due, {', '.join(said)}."]
    if unknown and chances:
        told.append(die_words())
    return Aside(tuple(told), tuple(chances), open=bool(chances), settled=not chances)


def of_last_stand(event: records.Event, position: Position, hearing: Hearing, fault: Fault) -> Aside:
    """Who might have stayed by a last stand with the dice due."""
    due = must_roll(position, position.act, hearing)
    shield = Fraction(die(die_faces(), SHIELD)[1], len(die_faces()))
    if isinstance(event, LastStand) and event.models is not None and fault.kind == "miscalculated":
        shown, number = faces(event.faces) or "", len(event.models)
        if len(shown) == number:
            return NOTHING_ASIDE
        if len(shown) > number:
            return _more_than_models(event.models, shown)
        return _nobody_rolled_for(list(event.models[len(shown) :]), shield)
    if fault.kind != "omitted" or due is None:
        return NOTHING_ASIDE
    unit, models = due
    if isinstance(event, LastStand):
        return _nobody_rolled_for([m for m in models if m not in (event.models or ())], shield)
    del unit
    left = [m for m in fault.subject if m in models] or list(models)
    return _nobody_rolled_for(left, shield, lost=isinstance(event, (ModelRemoved, UnitRemoved)))


def _more_than_models(models: list[str], shown: str) -> Aside:
    """What a last stand with too many dice leaves open: whose is which."""
    odds = Fraction(shown.count("S"), len(shown))
    head = f"Which of the {len(shown)} dice are due nobody can tell, so every choice of them counts alike"
    if not 0 < odds < 1:
        return Aside((f"{head}; {'all of them show' if odds else 'none of them shows'} a shield.",), settled=True)
    who = names(models) if len(models) == 1 else f"each of {names(models)}"
    return Aside(
        (f"{head}: {who} stays in {in_words(odds)}.",), tuple(Chance(f"{m} stays", odds) for m in models), True
    )


def _nobody_rolled_for(models: list[str], shield: Fraction, *, lost: bool = True) -> Aside:
    """What the dice of a last stand that were not rolled might have shown, by whether the models are lost as logged."""
    if not models:
        return NOTHING_ASIDE
    one = len(models) == 1
    head = f"{count(len(models), 'die', 'dice')} of the last stand {'was' if one else 'were'} not rolled"
    odds, came = (shield, "have stayed") if lost else (1 - shield, "have been lost")
    who = names(models) if one else f"each of {names(models)}"
    told = f"{head}; {who} would {came}: {in_words(odds)}"
    chances = [Chance(f"{m} {'stays' if lost else 'is removed'}", odds) for m in models]
    if not one:
        none = (1 - shield) ** len(models)
        told += f", and {'none' if lost else 'all'} of them: {in_words(none)}"
        chances.append(Chance("nobody stays", none))
    return Aside((f"{told}.", die_words()), tuple(chances), open=True)
