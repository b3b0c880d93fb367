"""An event with one wrong number put right: the claim replaced by what the rules give, and what is counted by it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec import structs

from auditor.core.findings import Fault
from auditor.systems.clx import records
from auditor.systems.clx.reckoning.dice import reaches

SUCCESSES: Mapping[type, str] = {
    records.HitRolls: "claimed_hits",
    records.WoundRolls: "claimed_wounds",
    records.CoverRolls: "claimed_saved",
}
"""Events with dice against a number, and where they claim how many reached it."""
ALONE: Mapping[type, str] = {
    **SUCCESSES,
    records.WarpCharge: "claimed_charges",
    records.Dispel: "claimed_success",
    records.TurnStart: "claimed_night",
    records.TurnEnd: "claimed_night",
    records.CharTest: "claimed_passed",
    records.GameLengthRoll: "claimed_continues",
    records.RollOff: "claimed_winner",
    records.Seize: "claimed_success",
    records.Shoot: "claimed_arc",
    records.Charge: "claimed_arc",
}
"""What a value is that stands without a name in a fault."""
PERILS = ("CLX-PSY-09", "CLX-PSY-11")
PARTS = ("attackers", "wounds", "firers")
"""Lists of an event whose entries are each about a model."""


def put_right(event: records.Event, fault: Fault) -> Any:
    """The event with the claims of a fault as the rules give them; as it is where that cannot be said."""
    right = fault.recomputed
    if fault.kind != "miscalculated":
        return event
    if not isinstance(right, Mapping):
        name = "claimed_perils" if fault.rule in PERILS else ALONE.get(type(event), "")
        if isinstance(event, records.Allocate) and isinstance(right, bool):
            return _in_parts(event, fault, {"claimed_saved": right})
        is_one = type(right) is type(fault.claimed) or isinstance(event, records.RollOff)  # Nobody wins a tie.
        return structs.replace(event, **{name: right}) if name and is_one else event
    effects = getattr(event, "claimed_effects", None)
    if effects is not None:
        event = structs.replace(event, claimed_effects=_part(effects, right))
    named = {f"claimed_{key}": value for key, value in right.items()}
    mine = {name: value for name, value in named.items() if name in event.__struct_fields__}
    if mine:
        event = structs.replace(event, **mine)
        if "needed" in right and type(event) in SUCCESSES:
            counted = successes(event, right["needed"])
            if counted is not None:
                event = structs.replace(event, **{SUCCESSES[type(event)]: counted})
    return _in_parts(event, fault, named)


def _in_parts(event: records.Event, fault: Fault, named: Mapping[str, Any]) -> Any:
    """The event with claims about one model replaced in its list: of its wounds, those that the fault is about."""
    for name in PARTS:
        parts = getattr(event, name, None)
        if parts:
            mine = [getattr(one, "model", None) in fault.subject and _is_meant(one, fault) for one in parts]
            changed = [_part(one, named) if is_mine else one for one, is_mine in zip(parts, mine, strict=True)]
            if changed != parts:
                event = structs.replace(event, **{name: changed})
    return event


def _is_meant(part: Any, fault: Fault) -> bool:
    """Whether a fault may be about an entry of a list: a wound of which the log says what the fault has, and that comes out
    as it has it."""
    if not isinstance(part, records.Wound):
        return True
    logged = fault.claimed if isinstance(fault.claimed, Mapping) else {"saved": fault.claimed}
    right = fault.recomputed if isinstance(fault.recomputed, Mapping) else {"saved": fault.recomputed}
    needed, die = (None, None) if part.save is None else (part.save.claimed_needed, part.save.die)
    has = {"needed": needed, "saved": part.claimed_saved, "removed": part.claimed_removed}
    if any(value != has[key] for key, value in logged.items() if key in has):
        return False
    due = right.get("needed", needed)
    return die is None or due is None or "saved" not in right or reaches(die, due) == right["saved"]


def _part(part: Any, named: Mapping[str, Any]) -> Any:
    mine = {name: value for name, value in named.items() if name in part.__struct_fields__}
    if isinstance(part, records.Wound) and part.save is not None and "claimed_needed" in named:
        mine["save"] = structs.replace(part.save, claimed_needed=named["claimed_needed"])
    return structs.replace(part, **mine) if mine else part


def successes(event: Any, needed: int | None) -> int | None:
    """How many dice of an event reach a number; None where one is not recorded or was rolled again."""
    if isinstance(event, records.CoverRolls):
        return None if event.dice is None else sum(reaches(die, needed) for die in event.dice)
    dice = [None if roll.reroll is not None else roll.die for roll in event.rolls or ()]
    if event.rolls is None or None in dice:
        return None
    beside = getattr(event, "automatic", None) or 0
    return _count(dice, lambda die: reaches(die or 0, needed)) + beside


def _count(dice: Iterable[int | None], good: Callable[[int | None], bool]) -> int:
    return sum(map(good, dice))
