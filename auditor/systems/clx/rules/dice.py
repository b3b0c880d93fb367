"""The dice of the record: faces that exist, as many as the step asks for, and counts that follow from them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from auditor.core.findings import RAN, Figure, Remark
from auditor.core.ruleset import Rule
from auditor.core.rulings import Hearing
from auditor.systems.clx import records
from auditor.systems.clx.reckoning.psychic import psyker_of
from auditor.systems.clx.rules.bombs import effect_dice_due
from auditor.systems.clx.rules.common import Seen, fault, listed, rule, unchecked
from auditor.systems.clx.rules.cover import cover_dice_due
from auditor.systems.clx.state import Position

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


def _faces(event: Any) -> Iterator[tuple[int, int]]:
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


@rule("CLX-LOG-03", "Dice as they are rolled", events=WITH_DICE, kinds=["illegal"], readings=["OR-CHARGE"])
def dice_have_their_faces_and_number(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """A D6 shows 1 to 6, a D3 1 to 3, and as many are rolled as the step asks for.

    Log:  the dice as rolled, before any modifier. A D3 may be recorded as the D6 that it was rolled with.
    Edge: two dice for difficult terrain and for tests (three under Hatred), one for each mastery level for lore, one for
          each shot for cover, one for each model that an EMP grenade hit.
    """
    seen: list[Remark] = []
    wrong = [(face, sides) for face, sides in _faces(event) if not 1 <= face <= sides]
    if wrong:
        text = f"A die shows {listed(str(face) for face, _ in wrong)}; a D{wrong[0][1]} shows 1 to {wrong[0][1]}."
        seen.append(fault("CLX-LOG-03", "illegal", text, claimed=[face for face, _ in wrong]))
    due = _number_due(event, position, hearing)
    if due is not None:
        found, wanted, what = due
        if found not in wanted:
            text = f"{found} {'die was' if found == 1 else 'dice were'} rolled for {what}; {' or '.join(map(str, wanted))} are due."
            seen.append(fault("CLX-LOG-03", "illegal", text, claimed=found, recomputed=wanted[0]))
    return seen


def _number_due(event: Any, position: Position, hearing: Hearing) -> tuple[int, tuple[int, ...], str] | None:
    """How many dice stand in an event, how many it asks for, and for what; None where that is not this rule's."""
    if isinstance(event, records.Move) and event.difficult_dice is not None:
        return len(event.difficult_dice), (2,), "difficult terrain"
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
        hates = isinstance(event, (records.Morale, records.LdTest))
        return len(event.dice), (2, 3) if hates else (2,), f"the test of {event.unit}"
    if isinstance(event, records.Grenade) and event.effect_dice is not None:
        hit = effect_dice_due(event, position)
        return None if hit is None else (len(event.effect_dice), (hit,), "the models that were hit")
    if isinstance(event, records.CoverRolls) and event.dice is not None:
        wanted_dice = cover_dice_due(event, position, hearing)
        return None if wanted_dice is None else (len(event.dice), (wanted_dice,), "cover")
    return None


# -- counts -------------------------------------------------------------------------------------------------------


@rule(
    "CLX-LOG-04",
    "Counts that follow from the dice",
    events=["hit_rolls", "wound_rolls", "cover_rolls", "allocate"],
    kinds=["miscalculated"],
)
def counts_follow_from_the_dice(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """Hits, wounds and saves are as many as the recorded dice reach the number that is claimed to be needed.

    Log:  the dice, the number needed as claimed, the count as claimed.
    Edge: a 1 never succeeds. A number above 6, or none, cannot be reached.
    Edge: where a die was rolled again and two numbers may have counted for it, either count is accepted.
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
    counted = _counted(event)
    if counted is None:
        return [unchecked("CLX-LOG-04", "the dice, or the number claimed to be needed, are not recorded")]
    least, most = counted
    if least <= claimed <= most:
        return RAN
    right = str(least) if least == most else f"{least} to {most}"
    text = f"The dice give {right} {name} on {event.claimed_needed} or more, not {claimed}."
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


def _counted(event: Any) -> tuple[int, int] | None:
    """The fewest and the most successes that the dice can be read as."""
    if isinstance(event, records.CoverRolls):
        if event.waived:
            return 0, 0
        if event.dice is None or event.claimed_needed is None:
            return None
        count = sum(_reaches(die, event.claimed_needed) for die in event.dice)
        return count, count
    if event.rolls is None:
        return None
    needed = event.claimed_needed
    # A second roll to hit may need another number than the first (CLX-SHOOT-09); left out, it may be any.
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
        if roll.reroll is None:
            success = _reaches(roll.die, needed)
            least, most = least + success, most + success
            continue
        final = roll.reroll[-1] if isinstance(roll.reroll, list) and roll.reroll else roll.reroll
        if not isinstance(final, int):
            return None
        options = {_reaches(final, number) for number in (needed, *others)}
        least, most = least + min(options), most + max(options)
    return least, most


def _reaches(die: int, needed: int | None) -> bool:
    return needed is not None and needed <= 6 and die > 1 and die >= needed


def wears_one_plus(wound: records.Wound, position: Position) -> bool:
    """Whether a wound is one against armour of 1+."""
    model = position.setup.models.get(wound.model or "")
    return model is not None and model.profile.AS == 1


def _saves(event: records.Allocate, position: Position, hearing: Hearing) -> Iterator[Remark]:
    wounds: Sequence[records.Wound] = event.wounds or ()
    for number, wound in enumerate(wounds, 1):
        save = wound.save
        if wound.claimed_saved is None or save is None:
            hearing.not_claimed()
            continue
        if save.die is None or save.claimed_needed is None:
            yield unchecked("CLX-LOG-04", f"the die or the number needed of save {number} is not recorded")
            continue
        right = _reaches(save.die, save.claimed_needed)
        if save.die == 1 and wears_one_plus(wound, position):
            continue  # CLX-MISC-03
        if right != wound.claimed_saved:
            text = (
                f"A {save.die} {'saves' if right else 'does not save'} {wound.model} on {save.claimed_needed} or more."
            )
            yield fault(
                "CLX-LOG-04",
                "miscalculated",
                text,
                str(wound.model),
                claimed=wound.claimed_saved,
                recomputed=right,
            )


RULES: tuple[Rule, ...] = (dice_have_their_faces_and_number, counts_follow_from_the_dice)
