"""The dice of the record: faces that exist, as many as the step asks for, and counts that follow from them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from auditor.core.findings import RAN, Figure, Remark, Unchecked
from auditor.core.ruleset import Rule
from auditor.core.rulings import Hearing
from auditor.systems.clx import records
from auditor.systems.clx.packs import Unit
from auditor.systems.clx.position.state import Position
from auditor.systems.clx.reckoning.attacks import attack_of, weapon_of
from auditor.systems.clx.reckoning.blows import READINGS as BLOWS
from auditor.systems.clx.reckoning.blows import extra_blows
from auditor.systems.clx.reckoning.cover import levels_due
from auditor.systems.clx.reckoning.dice import parts_of, reaches
from auditor.systems.clx.reckoning.fights import dice_of_a_test
from auditor.systems.clx.reckoning.frame import by_day
from auditor.systems.clx.reckoning.needs import may_need
from auditor.systems.clx.reckoning.pools import save_of_shots
from auditor.systems.clx.reckoning.psychic import psyker_of
from auditor.systems.clx.reckoning.runs import rows_for
from auditor.systems.clx.reckoning.saves import save_needs
from auditor.systems.clx.reckoning.ways import Ways
from auditor.systems.clx.rules.bombs import effect_dice_due
from auditor.systems.clx.rules.common import Seen, fault, listed, rule, unchecked, who_plays
from auditor.systems.clx.rules.cover import COVER_READINGS, cover_dice_due
from auditor.systems.clx.rules.wounding import CHART

_LISTS = ("dice", "difficult_dice", "scatter_dice", "passenger_wound_rolls", "passenger_saves", "d6", "rending_d3")
_SINGLE = ("die", "to_hit_die", "radius_die", "die_spotter", "die_target", "reroll_spotter", "reroll_target", "reroll")
_ROWS = ("rolls", "dangerous", "effect_dice", "wound_rolls", "saves")
_D3 = ("d3",)

WITH_DICE = tuple(
    name
    for name, kind in records.EVENTS.items()
    if {*_LISTS, *_SINGLE, *_ROWS, *_D3, "wounds"} & set(kind.__struct_fields__)
)


def _all_of(value: Any) -> Iterator[int]:
    for one in value if isinstance(value, list) else [value]:
        if isinstance(one, int):
            yield one


def _faces(event: records.Event) -> Iterator[tuple[int, int]]:
    """Every die of an event as (face, sides)."""
    for name in event.__struct_fields__:
        value = getattr(event, name)
        if value is None:
            continue
        if name in _LISTS or name in _SINGLE:
            yield from ((face, 6) for face in _all_of(value))
        elif name in _D3:
            yield from ((face, 3) for face in _all_of(value))
        elif name in _ROWS:
            for row in value:
                yield from ((face, 6) for face in _all_of(getattr(row, "die", None)))
                yield from ((face, 6) for face in _all_of(getattr(row, "reroll", None)))
        elif name == "wounds":
            for wound in value:
                for part in (wound.save, wound.look_out_sir):
                    if part is not None and part.die is not None:
                        yield part.die, 6


@rule("CLX-LOG-03", "Dice as they are rolled", events=WITH_DICE, kinds=["illegal"], readings=["OR-CHARGE", *BLOWS])
def dice_have_their_faces_and_number(event: records.Event, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """A D6 shows 1 to 6, a D3 1 to 3, and as many are rolled as the step asks for.

    Log:  the dice as rolled, before any modifier. A D3 may be recorded as the D6 that it was rolled with.
    Edge: two dice for difficult terrain and for tests (three under Hatred), one for each mastery level for lore, one for
          each shot for cover, one for each model that an EMP grenade hit; for a run as its kind does, for a charge and for
          falling back as the base rules say (BASE-CHARGE, BASE-FALLBACK); to hit in a step of a fight no more than it has attacks.
    """
    seen: list[Remark] = []
    wrong = [(face, sides) for face, sides in _faces(event) if not 1 <= face <= sides]
    if wrong:
        text = f"The log has a die{_by(event, position)} show {listed(str(face) for face, _ in wrong)}; a D{wrong[0][1]} shows 1 to {wrong[0][1]}."
        seen.append(fault("CLX-LOG-03", "illegal", text, claimed=[face for face, _ in wrong]))
    # Whose run it is nobody can say where its models are of another unit than the one it names.
    astray = isinstance(event, records.Run) and resolved.unit is None
    due = None if astray else _number_due(event, position, hearing)
    if due is not None:
        found, wanted, what = due
        if found not in wanted:
            text = f"{found} {'die was' if found == 1 else 'dice were'} rolled for {what}; {' or '.join(map(str, wanted))} {'is' if wanted == (1,) else 'are'} due."
            seen.append(fault("CLX-LOG-03", "illegal", text, claimed=found, recomputed=wanted[0]))
    return seen


def _by(event: records.Event, position: Position) -> str:
    """Whose dice an event has, where it says so."""
    unit = getattr(event, "unit", None)
    of = unit if isinstance(unit, str) else position.setup.player(event.player) if event.player else ""
    return f" of {of}" if of else ""


def _covered(event: records.CoverRolls, position: Position) -> str:
    found = attack_of(event, position)
    return found[2].name if found is not None else who_plays(event.player, position)


def _hates_all(unit: Unit, position: Position) -> bool:
    """Whether a unit hates every enemy that it fought in a combat of this phase that has its result."""
    units = position.setup.units
    fought = {one for result in position.combat.results if unit.id in result.units for one in result.units}
    foes = [units[one] for one in fought if one in units and units[one].player != unit.player]
    return bool(foes) and all(unit.hates(one) for one in foes)


def _number_due(event: records.Event, position: Position, hearing: Hearing) -> tuple[int, tuple[int, ...], str] | None:
    """How many dice stand in an event, how many it asks for, and for what; None where that is not this rule's."""
    if isinstance(event, records.Move) and event.difficult_dice is not None:
        return len(event.difficult_dice), (2,), f"the difficult terrain that {event.unit or 'a unit'} crossed"
    if isinstance(event, records.LoreMastery) and event.dice is not None:
        psyker = psyker_of(event.psyker, position.setup)
        return None if psyker is None else (len(event.dice), (psyker.ML,), f"the lore of {event.psyker}")
    if isinstance(event, records.WarpCharge):
        rolled = event.d3 if event.d3 is not None else event.d6
        psyker = psyker_of(event.psyker, position.setup)
        number = len(rolled) if isinstance(rolled, list) else 1
        if rolled is None or psyker is None or psyker.ML == 1 == number:
            return None
        wanted = 1 if hearing.ask("OR-CHARGE") == "D3_TIMES_ML" else psyker.ML
        return number, (wanted,), f"the warp charges of {event.psyker}"
    if isinstance(event, (records.PinningTest, records.Morale, records.LdTest)) and event.dice is not None:
        unit = position.setup.units.get(event.unit or "")
        may_be = (2,) if isinstance(event, records.PinningTest) else (2, 3) if unit is None else dice_of_a_test(unit)
        if isinstance(event, records.Morale) and event.cause == "combat" and unit is not None:
            may_be = (3,) if _hates_all(unit, position) else may_be
        return len(event.dice), may_be, f"the test of {event.unit}"
    if isinstance(event, (records.Charge, records.FallBack)) and event.dice:
        hook, what = (
            ("BASE-CHARGE", "the charge") if isinstance(event, records.Charge) else ("BASE-FALLBACK", "falling back")
        )
        written = parts_of(position.setup.base[hook])
        return None if written is None else (len(event.dice), written[:1], f"{what} of {event.unit}")
    if isinstance(event, records.Run) and event.dice:
        rows = rows_for(position.setup.units[str(event.unit)], event)
        if not all("dice" in row for row in rows):
            return None
        return len(event.dice), tuple(int(row["dice"]) for row in rows), f"the run of {event.unit}"
    if isinstance(event, records.Grenade) and event.effect_dice is not None:
        hit = effect_dice_due(event, position)
        return (
            None
            if hit is None
            else (len(event.effect_dice), (hit,), f"the models that the grenade of {event.unit or 'a unit'} hit")
        )
    if isinstance(event, records.CoverRolls) and event.dice is not None:
        wanted_dice = cover_dice_due(event, position, hearing)
        return (
            None
            if wanted_dice is None
            else (len(event.dice), (wanted_dice,), f"the cover of {_covered(event, position)}")
        )
    if isinstance(event, records.HitRolls):
        rolled, extra = extra_blows(event, position, hearing)
        return (
            (rolled, (rolled - extra,), f"the blows of {position.combat.steps[event.attack].unit}") if extra else None
        )
    return None


# -- counts -------------------------------------------------------------------------------------------------------


@rule(
    "CLX-LOG-04",
    "Counts that follow from the dice",
    events=["hit_rolls", "wound_rolls", "cover_rolls", "allocate"],
    kinds=["miscalculated"],
    readings=[CHART, *COVER_READINGS, *BLOWS],
)
def counts_follow_from_the_dice(event: Any, resolved: Ways | None, position: Position, hearing: Hearing) -> Seen:
    """Hits, wounds and saves are as many as the recorded dice reach the number that is claimed to be needed.

    Log:  the dice, the number needed as claimed, the count as claimed.
    Edge: a 1 never succeeds. A number above 6, or none, cannot be reached.
    Edge: where a die was rolled again and two numbers may have counted for it, either count is accepted.
    Edge: a number that is not claimed is worked out, for hits and wounds, and for saves in a fight.
    Edge: a count that is right by the number that is due, beside another number, is one fault: that of the number.
    Edge: what saves against shots come to is CLX-SHOOT-13.
    """
    if isinstance(event, records.Allocate):
        return list(_saves(event, position, hearing))
    if isinstance(event, records.CoverRolls):
        if event.reread:
            return None
        claimed, name = event.claimed_saved, "shots stopped"
    elif isinstance(event, records.HitRolls):
        claimed, name = event.claimed_hits, "hits"
    else:
        claimed, name = event.claimed_wounds, "wounds"
    if claimed is None:
        hearing.not_claimed()
        return RAN
    if _may_rend(event, position):
        return [unchecked("CLX-LOG-04", "the wounds without a die are not recorded")]
    needed = _claimed_needed(event)
    if needed is None and not getattr(event, "waived", None):
        return _without_a_number(event, claimed, name, position, hearing)
    counted = _counted(event, needed)
    if counted is None:
        return [unchecked("CLX-LOG-04", "the dice are not recorded")]
    extra = extra_blows(event, position, hearing)[1] if isinstance(event, records.HitRolls) else 0
    if counted[0] - extra <= claimed <= counted[1]:
        return RAN  # Which of the dice are too many nobody can tell.
    alone = _number_alone(event, claimed, position, hearing)
    return _miscounted(event, claimed, name, needed, counted, position) if alone is None else alone


def _may_rend(event: records.Event, position: Position) -> bool:
    """Whether wounds without a die were left out of an event that has no dice either (CLX-GEAR-03)."""
    if not isinstance(event, records.WoundRolls) or event.rolls or event.automatic is not None:
        return False
    attack, step = position.attacks.get(event.attack), position.combat.steps.get(event.attack)
    name = event.weapon or (step.weapon if step is not None else None if attack is None else weapon_of(None, attack))
    weapon = position.setup.weapons.get(name or "")
    return weapon is None or "rending" in weapon.rules


def _number_alone(event: Any, claimed: int, position: Position, hearing: Hearing) -> Seen:
    """What is said of a count that follows from the dice by the number that is due, but not by the one claimed: that one is
    wrong, which is for another rule. None: it is not so."""
    if isinstance(event, records.CoverRolls):
        levels = levels_due(event, position, hearing)
        due = frozenset() if levels is None else frozenset(7 - level for level in levels if level)
    else:
        due = may_need(event, position)[0] or frozenset()
    needed = _claimed_needed(event)
    if needed in due or not any(one[0] <= claimed <= one[1] for number in due if (one := _counted(event, number))):
        return None
    if event.attack in position.attacks and isinstance(event, records.HitRolls):
        snap = position.setup.base["BASE-SNAP"]
        if len(due) > 1 or snap in (None, needed) or not by_day(position):
            return None  # What they need is not known, and the count does not follow from what is claimed.
    if event.attack in position.attacks and isinstance(event, records.WoundRolls) and hearing.ask(CHART) == "BASE":
        return [Unchecked(None, "what shots need to wound: the chart of the base game is not stated")]
    return RAN


def _claimed_needed(event: Any) -> int | None:
    """The number that is claimed to be needed, or that the claimed level of cover comes to."""
    if event.claimed_needed is None and isinstance(event, records.CoverRolls) and event.claimed_level is not None:
        return 7 - event.claimed_level
    return None if event.claimed_needed is None else int(event.claimed_needed)


def _without_a_number(event: Any, claimed: int, name: str, position: Position, hearing: Hearing) -> Seen:
    """A count whose number is not claimed: held against what the dice give on the number that is due."""
    if isinstance(event, records.CoverRolls):
        return RAN  # What cover needs is not among the numbers that are worked out here.
    if event.rolls is not None and not event.rolls:
        counted = _counted(event, None)
        return (
            RAN
            if counted == (claimed, claimed)
            else _miscounted(event, claimed, name, None, counted or (0, 0), position)
        )
    due, why = may_need(event, position)
    if due is None:
        return [unchecked("CLX-LOG-04", why)]
    counts = {number: _counted(event, number) for number in due}
    if None in counts.values():
        return [unchecked("CLX-LOG-04", "the dice are not recorded")]
    if any(one is not None and one[0] <= claimed <= one[1] for one in counts.values()):
        return RAN
    if isinstance(event, records.HitRolls) and event.attack in position.attacks:
        snap = _counted(event, position.setup.base["BASE-SNAP"])
        if snap is None or snap[0] <= claimed <= snap[1] or not by_day(position):
            return [
                unchecked("CLX-LOG-04", "whether these were Snap Shots, or what darkness does to them (BASE-NIGHT)")
            ]
    if isinstance(event, records.WoundRolls) and event.attack in position.attacks and hearing.ask(CHART) == "BASE":
        # Of no rule: it is unchecked under this option only, and the scope of a fault under the other is whole.
        return [Unchecked(None, "what shots need to wound: the chart of the base game is not stated")]
    number = min(due)
    return _miscounted(event, claimed, name, number, counts[number] or (0, 0), position)


def _whose(event: Any, position: Position) -> str:
    """Whose dice they are, of an attack: ' of Salt Vultures'; "" where that is not known."""
    attack = position.attacks.get(event.attack)
    step = position.combat.steps.get(event.attack)
    throw = next((one for one in position.combat.throws if one.attack == event.attack), None)
    if attack is None and step is not None:
        attack = step.counts
    if attack is None and throw is not None:
        attack = throw.counts
    name = event.unit if hasattr(event, "unit") else attack.unit if attack is not None else None
    if isinstance(event, records.CoverRolls) and attack is not None:
        name = attack.target
    unit = position.setup.units.get(name or "")
    if unit is not None:
        return f" of {unit.name}"
    return f" of {position.setup.player(event.player)}" if event.player else ""


def _miscounted(
    event: Any, claimed: int, name: str, needed: int | None, counted: tuple[int, int], position: Position
) -> list[Remark]:
    """A count that the dice do not give."""
    least, most = counted
    right = str(least) if least == most else f"{least} to {most}"
    on = "" if needed is None else f" on {needed} or more"
    text = f"The dice{_whose(event, position)} give {right} {name.removesuffix('s') if right == '1' else name}{on}, not {claimed}."
    return [
        fault(
            "CLX-LOG-04",
            "miscalculated",
            text,
            str(event.attack),
            claimed=claimed,
            recomputed=most if claimed > most else least,
            figures=[Figure(name, right)],
        )
    ]


def _counted(event: Any, needed: int | None) -> tuple[int, int] | None:
    """The fewest and the most successes that the dice can be read as where they need a number."""
    if isinstance(event, records.CoverRolls):
        if event.waived:
            return 0, 0
        if event.dice is None:
            return None
        count = sum(reaches(die, needed) for die in event.dice)
        return count, count
    if event.rolls is None:
        return None
    # A second roll to hit may need another number than the first; left out, it may be any.
    others: Sequence[int | None] = ()
    if isinstance(event, records.HitRolls):
        others = (2, 6) if event.claimed_reroll_needed is None else (event.claimed_reroll_needed,)
    if needed is None and event.rolls:
        return None
    automatic = getattr(event, "automatic", None) or 0
    least = most = automatic
    for roll in event.rolls:
        if roll.die is None:
            return None
        if not roll.again:
            success = reaches(roll.die, needed)
            least, most = least + success, most + success
            continue
        # A shot that is rolled again by two rights has two numbers for it, and one of them is claimed (OR-REROLL-ONCE).
        twice = isinstance(event, records.HitRolls) and len(roll.again) > 1
        options = {reaches(roll.again[-1], number) for number in (needed, *others, *((2, 6) if twice else ()))}
        least, most = least + min(options), most + max(options)
    return least, most


def _saves(event: records.Allocate, position: Position, hearing: Hearing) -> Iterator[Remark]:
    wounds: Sequence[records.Wound] = event.wounds or ()
    for number, wound in enumerate(wounds, 1):
        save = wound.save
        if wound.claimed_saved is None or save is None:
            hearing.not_claimed()
            continue
        if save.die is None:
            yield unchecked("CLX-LOG-04", f"the die of save {number} is not recorded")
            continue
        if save_of_shots(event, wound, save, position):
            continue  # What saves against shots need is worked out with who takes the wounds.
        needed = save.claimed_needed
        if needed is None:
            known, needed = _save_due(event, wound, save, position)
            if not known:
                continue
        right = reaches(save.die, needed)
        if right != wound.claimed_saved:
            text = f"A {save.die} {'saves' if right else 'does not save'} {wound.model}" + (
                f" on {needed} or more." if needed is not None else ", which has no such save."
            )
            yield fault(
                "CLX-LOG-04",
                "miscalculated",
                text,
                str(wound.model),
                claimed=wound.claimed_saved,
                recomputed=right,
            )


def _save_due(
    event: records.Allocate, wound: records.Wound, save: records.Save, position: Position
) -> tuple[bool, int | None]:
    """Whether it is for this rule to say what a save in a fight needs, and what; with a special rule at work, and in
    shooting (CLX-SHOOT-13), others do."""
    step, model = position.combat.steps.get(event.attack), position.setup.models.get(wound.model or "")
    made = set(() if step is None else step.counts.made.get(event.pool, ()))
    if model is None or len(made) != 1 or event.attack in position.attacks:
        return False, None
    name, automatic = made.pop()
    weapon = position.setup.weapons.get(name or "")
    if weapon is None or automatic or weapon.rules & {"nbc", "hefty", "power"} or model.profile.AS == 1:
        return False, None
    return save_needs(save, model, weapon, automatic, position)


RULES: tuple[Rule, ...] = (dice_have_their_faces_and_number, counts_follow_from_the_dice)
