"""Attacks with dice that were not rolled, or too many: who might have been removed, as exact odds.

The attack is gone through as it is due, over the faces that were rolled: a die that was not rolled counts in each of
its faces alike, and where dice were too many every choice of the number due counts alike. Models are picked as they
were; nobody rolls again what was not rolled again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from msgspec import structs

from auditor.core.effects import NOTHING_ASIDE, Aside, Chance
from auditor.core.findings import Fault
from auditor.core.odds import Cases, at_least, die, in_words, rolled, sure, taken, together
from auditor.core.rulings import Hearing
from auditor.systems.calth.aftermath.dice import CRITICAL, HIT, SHIELD, WHICH, Throw, die_words, throw
from auditor.systems.calth.effects import ADDING, ON_FIRST_TARGET, Critical
from auditor.systems.calth.packs import die_faces
from auditor.systems.calth.reckoning.attack import AttackView
from auditor.systems.calth.reckoning.claims import unclaimed
from auditor.systems.calth.reckoning.dice import ORDER_OF_ROLL, VEXILLA, early, late, rerolled
from auditor.systems.calth.reckoning.resolve import resolve
from auditor.systems.calth.records import Attack, Reroll, Step, faces
from auditor.systems.calth.state import Position
from auditor.systems.calth.words import count, names

ABOUT_DICE = ("dice", "roll", "weapons", "crit.added", "faces", "indices", "los.class", "los.bonuses", "pool", "steps")
"""The first words of the claims that bear on dice or on hits; a wrong distance or TP does not."""
ABOUT_THE_ROLL = ("weapons", "dice.total")
"""The same for illegal acts: weapons counted that may not be, and their dice."""

ATTACK, DEFENCE, ADDED = ("attack die", "attack dice"), ("defence die", "defence dice"), ("added die", "added dice")
REROLLED = ("die of the re-roll", "dice of the re-roll")

Removed = frozenset[str]
State = tuple[int, Removed, bool]
"""The pool, who was removed, whether the loop goes on."""


def of_attack(event: Attack, position: Position, hearing: Hearing, fault: Fault) -> Aside:
    """What dice not rolled, or too many, leave open in an attack."""
    if fault.kind == "illegal" and only_rolled_again(event, fault):
        return _without_rerolls(event, position, hearing, fault)
    if fault.kind == "illegal" and not about_its_roll(fault):
        return NOTHING_ASIDE
    played = resolve(event, position, hearing)
    due = Due.of(unclaimed(event), position, hearing)
    if due is None:
        return NOTHING_ASIDE
    removed = _removed(played, hearing)
    if fault.kind != "illegal" and not _says(fault, ABOUT_DICE):
        return Aside(settled=_comes_to(due, removed))
    return replace(_told(due, removed, hearing), settled=_comes_to(due, removed))


def about_its_roll(fault: Fault) -> bool:
    """Whether an illegal act is only that dice were rolled which the attack did not have."""
    return _says(fault, ABOUT_THE_ROLL)


def _says(fault: Fault, words: tuple[str, ...]) -> bool:
    return any(str(key).startswith(words) for part in (fault.claimed, fault.recomputed) for key in _keys(part))


def _comes_to(due: Due, removed: Removed) -> bool:
    """Whether an attack as it is due removes those who were removed, whatever its dice show, and then is over."""
    return {gone for _, gone, _ in due.states} == {removed} and not due.going_on()


def _keys(value: Any) -> tuple[str, ...]:
    return tuple(value) if isinstance(value, Mapping) else ()


@dataclass
class Due:
    """An attack as it is due.

    gaps     what is missing of its rolls, or too many
    states   how the recorded passes end, by equally likely cases
    unknown  whether a die that nobody rolled is in it
    choice   whether some dice were too many
    """

    view: AttackView
    pool: Cases
    gaps: list[str] = field(default_factory=list)
    states: dict[State, int] = field(default_factory=dict)
    unknown: bool = False
    choice: bool = False
    criticals: Chance | None = None

    @classmethod
    def of(cls, event: Attack, position: Position, hearing: Hearing) -> Due | None:
        """None where something that it needs is not known."""
        view = resolve(event, position, hearing)
        assert isinstance(view, AttackView)
        if view.target is None or event.steps is None or view.vague:
            return None
        roll = _attack_roll(view, hearing)
        if roll is None:
            return None
        due = cls(view, sure(0))
        due.pool = due.note(roll, *ATTACK if not _without_new_face(view) else REROLLED)
        if roll.lacking and view.effect is None and not view.crits and "C" not in (view.final or "C"):
            due.criticals = _criticals(view, roll.lacking, hearing)
        if view.effect in ADDING:
            added = _added(view, hearing)
            if added is None:
                return None
            due.pool = together(due.pool, due.note(added, *ADDED))
        due.states = {(pool, frozenset(), True): n for pool, n in enumerate(due.pool) if n}
        return due if due.passes(hearing) else None

    def note(self, roll: Throw, one: str, many: str, of: str = "") -> Cases:
        """The cases of a roll; what is missing of it, or too many, is kept."""
        if gap := roll.gap(one, many, of):
            self.gaps.append(gap)
        self.unknown = self.unknown or roll.lacking > 0
        self.choice = self.choice or 0 < roll.surplus < roll.rolled
        return roll.cases

    def passes(self, hearing: Hearing) -> bool:
        """Go through the recorded passes; whether all that they need is known."""
        view = self.view
        for number, step in enumerate(view.steps):
            who = _aimed_at(view, number)
            armour, bonus = view.armour_due(number, hearing), view.bonus_due(number, hearing)
            stamina = view.stamina_due(number)
            if who is None or armour is None or bonus is None or stamina is None:
                return False
            dice = max(0, int(armour.value)) + int(bonus.value)
            shown = faces(step.faces)
            if shown is None and dice:
                return False
            final = rerolled(shown or "", step)
            if final is None:
                return False
            roll = throw(final, dice, SHIELD)
            if roll is None:
                return False
            reached = any(on and pool > 0 for pool, _, on in self.states)
            shields = self.note(roll, *DEFENCE, who) if reached else roll.cases
            self.states = _after(self.states, shields, int(stamina.value), who)
        return True

    def removes(self, who: str) -> Fraction:
        """The odds that somebody is removed."""
        return Fraction(sum(n for (_, gone, _), n in self.states.items() if who in gone), sum(self.states.values()))

    def going_on(self) -> dict[tuple[int, Removed], int]:
        """The cases in which hits and models are left when the recorded passes are over."""
        found: dict[tuple[int, Removed], int] = defaultdict(int)
        if not self.view.target_is_sor:
            for (pool, gone, on), n in self.states.items():
                if on and pool > 0 and len(gone) < len(self.view.target_models):
                    found[pool, gone] += n
        return found


def _after(states: Mapping[State, int], shields: Cases, stamina: int, who: str) -> dict[State, int]:
    """The cases after one pass more."""
    found: dict[State, int] = defaultdict(int)
    whole = sum(shields)
    for (pool, gone, on), n in states.items():
        if not on or pool <= 0:
            found[pool, gone, on] += n * whole
            continue
        for blocked, ways in enumerate(shields):
            left = max(0, pool - blocked)
            if left and left >= stamina:
                found[left - stamina, gone | {who}, True] += n * ways
            else:
                found[0, gone, False] += n * ways
    return {state: n for state, n in found.items() if n}


def _aimed_at(view: AttackView, number: int) -> str | None:
    """The model, or the location of Sor Gharax, that a pass was aimed at."""
    if view.is_location(number):
        location = view.location(number)
        return location.id if location is not None else None
    return view.steps[number].target_model


def _removed(view: Any, hearing: Hearing) -> Removed:
    """Who was removed as it was played."""
    return frozenset(
        who
        for number in range(len(view.steps))
        if (who := _aimed_at(view, number)) is not None and view.casualty(number, hearing)
    )


# -- the attack roll ----------------------------------------------------------------------------------------------


def _attack_roll(view: AttackView, hearing: Hearing) -> Throw | None:
    """The dice of the attack itself, without those that an effect adds."""
    number, final = view.dice_due(hearing), view.final
    if number is None or final is None:
        return None
    lying, open_ = final[: len(faces(view.event.roll) or "")], _without_new_face(view)
    if open_:
        if len(lying) != int(number.value):
            return None
        lying = "".join(face for i, face in enumerate(lying) if i not in open_)
    roll = throw(lying, int(number.value), HIT, one=_one_die(view, hearing))
    if roll is not None and roll.surplus and view.effect is Critical.CHAINSWORD:
        return None  # how many dice the effect adds hangs on which dice are left
    return roll


def _one_die(view: AttackView, hearing: Hearing) -> Cases:
    """The hits that one attack die brings, with the die that the effect of a chainsword may add for it."""
    sides = die_faces()
    plain = die(sides, HIT)
    if view.effect is not Critical.CHAINSWORD:
        return plain
    triggering = HIT if hearing.ask("R-GLY-CHAIN") == "any_hit" else CRITICAL
    cases = [0, 0, 0]
    for face in sides:
        hit = face in HIT
        extra = plain if face in triggering else (len(sides),)
        for more, ways in enumerate(extra):
            cases[hit + more] += ways
    return tuple(cases)


def _entries(view: AttackView) -> Iterator[Reroll]:
    yield from early(view.event)
    for crit in view.crits:
        yield from crit.passes or ()
    yield from late(view.event)


def _without_new_face(view: AttackView) -> set[int]:
    """The dice of the roll that were taken up again and of which no new face is recorded."""
    found: set[int] = set()
    size = len(faces(view.event.roll) or "")
    for entry in _entries(view):
        new = faces(entry.faces)
        if entry.indices is not None and new is not None and len(new) < len(entry.indices):
            found.update(i for i in entry.indices[len(new) :] if 0 <= i < size)
    return found


def _added(view: AttackView, hearing: Hearing) -> Throw | None:
    """The dice that an effect adds."""
    roll, before = faces(view.event.roll) or "", view.before_effect
    added = (view.final or "")[len(roll) :]
    if before is None:
        return None
    if view.effect is Critical.PLASMA:
        number = 4
    elif view.effect is Critical.MISSILE_LAUNCHER:
        number = len(view.target_models)
    else:
        number = before.count("C")
        if "H" in before and hearing.ask("R-GLY-CHAIN") == "any_hit":
            number += before.count("H")
    return throw(added, number, HIT)


def _criticals(view: AttackView, lacking: int, hearing: Hearing) -> Chance | None:
    """The odds that one of the dice that were not rolled had shown a critical."""
    if view.mode == "ranged" and view.class_played(hearing) != "clear":
        return None
    odds = at_least(rolled(die(die_faces(), CRITICAL), lacking), 1)
    return Chance("a critical shows, so that an effect could be used", odds)


# -- in words -----------------------------------------------------------------------------------------------------


def _told(due: Due, removed: Removed, hearing: Hearing) -> Aside:
    """What the cases come to, against what was played."""
    view = due.view
    chances: list[Chance] = []
    said: list[str] = []
    everybody = sorted({who for _, gone, _ in due.states for who in gone} | removed)
    for who in everybody:
        odds = due.removes(who)
        if not 0 < odds < 1:
            continue
        if who in removed:
            chances.append(Chance(f"{who} stays", 1 - odds))
            said.append(f"{who} could have stayed: {in_words(1 - odds)}")
        else:
            chances.append(Chance(f"{who} is removed", odds))
            said.append(f"{who} could have been removed: {in_words(odds)}")
    if due.criticals is not None:
        chances.append(due.criticals)
        said.append(f"a critical could have shown, and an effect been used: {in_words(due.criticals.odds)}")
    elif due.gaps and not due.unknown and view.crits:
        lost = _no_critical_left(view, hearing)
        if lost:
            chances.append(Chance("no critical is left for the effect used", lost))
            said.append(f"no critical could have been left for the effect that was used: {in_words(lost)}")
    onward, more = _next_model(due, hearing)
    if not due.gaps and not onward:
        return NOTHING_ASIDE
    told: list[str] = []
    if due.gaps:
        head = names(due.gaps) if len(due.gaps) < 4 else f"{names(due.gaps[:3])}, and more"
        told.append(f"{head[0].upper()}{head[1:]}.")
        if due.choice:
            told.append(WHICH)
        told.append(f"So {'; '.join(said)}." if said else f"Whatever the dice show, {_the_same(onward)}.")
    if onward:
        told.append(onward)
    chances += more
    if (due.unknown and chances) or more:
        told.append(die_words())
    return Aside(tuple(told), tuple(chances), open=bool(chances))


def _the_same(onward: str) -> str:
    """That other dice would have removed nobody else: of those aimed at, where the attack might have gone on."""
    return "the same models of those aimed at are removed" if onward else "the same models are removed"


def _no_critical_left(view: AttackView, hearing: Hearing) -> Fraction | None:
    """The odds that none of the dice that showed a critical is among those due."""
    due, roll = view.dice_due(hearing), (view.before_effect or "")[: len(faces(view.event.roll) or "")]
    if due is None or len(roll) <= int(due.value) or "C" not in roll:
        return None
    cases = taken(roll.count("C"), len(roll), int(due.value))
    return Fraction(cases[0], sum(cases)) or None


def _next_model(due: Due, hearing: Hearing) -> tuple[str, list[Chance]]:
    """What is said of an attack that goes on after the recorded passes: who is picked next was never said."""
    view, onward = due.view, due.going_on()
    whole, number = sum(due.states.values()), len(view.steps)
    if not onward or (not number and view.effect in ON_FIRST_TARGET):
        return "", []
    bonus = view.bonus_due(number, hearing)
    if bonus is None:
        return "", []
    known = view.position.table.models
    odds: dict[str, Fraction] = {}
    for model in view.target_models:
        if model not in known:
            return "", []
        dice = rolled(die(die_faces(), SHIELD), max(0, known[model].armour) + int(bonus.value))
        ways = Fraction(0)
        for (pool, gone), n in onward.items():
            if model not in gone:
                enough = pool - max(1, known[model].stamina)  # shields with which the model still falls
                if enough >= 0:
                    ways += Fraction(n * sum(dice[: enough + 1]), whole * sum(dice))
        if any(model not in gone for _, gone in onward):
            odds[model] = ways
    target = view.target.id if view.target is not None else "the target"
    hits = sorted({pool for pool, _ in onward})
    sure_ = sum(onward.values()) == whole
    left = count(hits[0], "hit") if len(hits) == 1 else f"{hits[0]} to {count(hits[-1], 'hit')}"
    goes, overall = ("would have gone on", "") if sure_ else ("could have gone on", " in all")
    model = "another model" if number else "a model"
    head = f"The attack {goes} with {left} against {model} of {target}"
    values = sorted(set(odds.values()))
    if len(values) == 1:
        return (
            f"{head}, which could have been removed: {in_words(values[0])}{overall}.",
            [Chance(f"{model} of {target} is removed", values[0])],
        )
    low, high = values[0], values[-1]
    by = {value: names(m for m, o in odds.items() if o == value) for value in (low, high)}
    return (
        f"{head}, picked by its player, which could have been removed: {in_words(low)} ({by[low]}) to "
        f"{in_words(high)} ({by[high]}){overall}.",
        [Chance(f"{model} is removed, if it is {by[value]}", value) for value in (low, high)],
    )


# -- re-rolls that nothing allows ---------------------------------------------------------------------------------


def only_rolled_again(event: Attack, fault: Fault) -> bool:
    """Whether an illegal act is nothing but dice rolled again with a Legion Vexilla, or in a defence roll."""
    if fault.rule not in (VEXILLA, ORDER_OF_ROLL):
        return False
    return event.vexilla is not None or bool(event.rerolls) or any(s.rerolls or s.vexilla for s in event.steps or ())


def without_rerolls(event: Attack, fault: Fault) -> Attack:
    """The attack with the faces before they were rolled again; where only the time was wrong, before what came too late."""
    if fault.rule == ORDER_OF_ROLL:
        size = len(faces(event.roll) or "")
        kept = [entry for entry in early(event) if all(i < size for i in entry.indices or ())]
        vexilla = event.vexilla if event.vexilla in kept else None
        return structs.replace(event, vexilla=vexilla, rerolls=[one for one in event.rerolls or () if one in kept])

    def first(step: Step) -> Step:
        return structs.replace(step, rerolls=None, vexilla=None)

    return structs.replace(event, vexilla=None, rerolls=None, steps=[first(step) for step in event.steps or ()])


def _without_rerolls(event: Attack, position: Position, hearing: Hearing, fault: Fault) -> Aside:
    """What the first faces would have come to."""
    plain = without_rerolls(event, fault)
    played = resolve(event, position, hearing)
    due = Due.of(unclaimed(plain), position, hearing)
    if due is None or due.gaps:
        return NOTHING_ASIDE
    removed = _removed(played, hearing)
    stay = sorted(who for who in removed if not due.removes(who))
    fall = sorted(who for _, gone, _ in due.states for who in gone if who not in removed)
    what = [f"{names(stay)} {'stays' if len(stay) == 1 else 'stay'}"] if stay else []
    if fall:
        what.append(f"{names(fall)} {'is' if len(fall) == 1 else 'are'} removed")
    onward, chances = _next_model(due, hearing)
    said = " and ".join(what) or _the_same(onward)
    told = (f"With the faces before the re-roll {said}.", *((onward, die_words()) if onward else ()))
    return Aside(told, tuple(chances), settled=_comes_to(due, removed))
