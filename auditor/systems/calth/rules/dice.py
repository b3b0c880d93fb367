"""Dice: faces, re-rolls, and the attack roll as it finally lies."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from auditor.core.findings import RAN, Remark
from auditor.core.rulings import Hearing
from auditor.systems.calth.records import faces
from auditor.systems.calth.rules.common import (
    NO_FACTS,
    ambiguous,
    count,
    illegal,
    miscalculated,
    names,
    rule,
)
from auditor.systems.calth.state import SIDES, Position

Seen = list[Remark] | tuple[Remark, ...] | None
KNOWN = frozenset("CHSB")


def with_rerolls(shown: str, entries: Iterable[Any]) -> str:
    """The faces after re-rolls, entry by entry; what does not fit the roll is passed over."""
    lying: list[str] | None = None
    for entry in entries:
        new = faces(entry.faces)
        if not entry.indices or new is None:
            continue
        if lying is None:
            lying = list(shown)
        for index, face in zip(entry.indices, new, strict=False):
            if 0 <= index < len(lying):
                lying[index] = face
    return shown if lying is None else "".join(lying)


def early(event: Any) -> list[Any]:
    """The re-rolls beside a roll that come before an effect is chosen."""
    entries = [entry for entry in event.rerolls or () if entry.when != "after_crit"]
    if event.vexilla is not None and event.vexilla.when != "after_crit":
        entries.insert(0, event.vexilla)
    return entries


def late(event: Any) -> list[Any]:
    """The re-rolls beside an attack roll that come after an effect has been carried out."""
    entries = [entry for entry in event.rerolls or () if entry.when == "after_crit"]
    if event.vexilla is not None and event.vexilla.when == "after_crit":
        entries.insert(0, event.vexilla)
    return entries


def unstated(entries: Iterable[Any]) -> bool:
    """Whether the dice or the new faces of some re-roll are not stated, so that nobody knows how the roll ended."""
    return any(entry.indices is None or faces(entry.faces) is None for entry in entries)


def rerolled(shown: str, event: Any) -> str | None:
    """The faces of a roll after the `vexilla` and `rerolls` that stand beside it; None where these are not all stated."""
    entries = [*early(event), *late(event)]
    return None if unstated(entries) else with_rerolls(shown, entries)


def _groups(event: Any) -> list[tuple[str, Any]]:
    """Every field of an event that holds faces, by its place."""
    kind = type(event).__name__
    if kind == "Attack":
        found = [("roll", event.roll)]
        if event.vexilla is not None:
            found.append(("vexilla.faces", event.vexilla.faces))
        found += [(f"rerolls.{i}.faces", entry.faces) for i, entry in enumerate(event.rerolls or ())]
        for crit in crits(event):
            found.append(("crit.added", crit.added))
            found += [(f"crit.passes.{i}.faces", entry.faces) for i, entry in enumerate(crit.passes or ())]
        found += [(f"steps.{i}.faces", step.faces) for i, step in enumerate(event.steps or ())]
        return found
    if kind == "Initiative":
        return [
            (f"attempts.{i}.{side}", getattr(attempt, side))
            for i, attempt in enumerate(event.attempts or ())
            for side in SIDES
        ]
    if kind == "LastStand":
        found = [("faces", event.faces)]
        if event.vexilla is not None:
            found.append(("vexilla.faces", event.vexilla.faces))
        return found + [(f"rerolls.{i}.faces", entry.faces) for i, entry in enumerate(event.rerolls or ())]
    return []


def crits(event: Any) -> list[Any]:
    """The effects that an attack claims to have triggered."""
    crit = event.crit
    if crit is None or isinstance(crit, str):
        return []
    return crit if isinstance(crit, list) else [crit]


def _odd(value: Any) -> str | None:
    """What is wrong with recorded faces, if anything."""
    if value is None:
        return None
    if isinstance(value, int):
        return f"only a total of {value} is recorded"
    shown = faces(value) or ""
    if KNOWN.issuperset(shown):
        return None
    strange = "".join(dict.fromkeys(face for face in shown if face not in KNOWN))
    return f'"{strange[:8]}" is no face of these dice'


@rule(
    "CAL-DIE-01",
    "Faces of the dice",
    section=6,
    events=("attack", "initiative", "last_stand"),
    kinds=("miscalculated", "ambiguous"),
)
def die_faces(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """Every roll shows criticals (C), hits (H), shields (S) or blanks (B); a critical is one hit, never two.

    Log:  the faces of every die, in order; as many as dice were due.
    Edge: a shield in an attack roll and a hit in a defence roll do nothing.
    """
    found: list[Remark] = []
    for place, value in _groups(event):
        odd = _odd(value)
        if odd is not None:
            found.append(ambiguous("CAL-DIE-01", f"{place}: {odd}, so the roll cannot be judged.", place))
    if found:
        return found[:1]
    if type(event).__name__ != "Attack":
        return RAN
    shown = faces(event.roll)
    attacker = resolved.attacker
    if shown is None or attacker is None:
        return RAN
    due = resolved.dice_due(hearing)
    if due is None:
        return RAN
    claimed = event.dice.total if event.dice is not None else None
    if (claimed is None or len(shown) != claimed) and not resolved.allows_dice(len(shown), hearing):
        return [
            miscalculated(
                "CAL-DIE-01",
                f"{count(len(shown), 'face')} {'is' if len(shown) == 1 else 'are'} recorded for an attack of "
                f"{count(int(due.value), 'die', 'dice')} ({due.working()}).",
                attacker.id,
                claimed={"roll": shown, "dice": len(shown)},
                recomputed={"dice": due.value},
                figures=(due,),
                rests_on=None,
            )
        ]
    return RAN


@rule(
    "CAL-DIE-02",
    "Re-rolls",
    section=6,
    events=("attack", "initiative", "last_stand"),
    kinds=("illegal", "miscalculated"),
)
def rerolls(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """A die rolled again shows its new face even if it is worse, and is not rolled a second time, save where the text that
    grants it says so: ties for the initiative and the assault cannon.

    Log:  source, dice and new faces of every re-roll.
    Edge: two sources never make a second re-roll of one die legal; dice that an effect adds have not been rolled again.
    """
    kind = type(event).__name__
    if kind == "Initiative":
        return None
    entries = [("the Legion Vexilla", entry, False) for entry in early(event)]
    if kind == "Attack":
        for crit in crits(event):
            free = crit.weapon == "assault_cannon"
            entries += [(_weapon_name(position, crit.weapon), entry, free) for entry in crit.passes or ()]
    entries += [("the Legion Vexilla", entry, False) for entry in late(event)]
    if not entries:
        return None
    shown = faces(event.roll if kind == "Attack" else event.faces) or ""
    size = len(shown)
    if kind == "Attack":
        size += sum(len(faces(crit.added) or "") for crit in crits(event))
    before: set[int] = set()
    found: list[Remark] = []
    for source, entry, free in entries:
        indices = entry.indices or []
        outside = sorted({i for i in indices if not 0 <= i < size})
        twice = sorted({i for i in indices if i in before or indices.count(i) > 1}) if not free else []
        new = faces(entry.faces)
        if outside:
            found.append(
                illegal(
                    "CAL-DIE-02",
                    f"{source} rolled dice again that are not in the roll ({names(str(i) for i in outside)} of {size}).",
                    source,
                    rests_on=NO_FACTS,
                )
            )
        elif twice:
            found.append(
                illegal(
                    "CAL-DIE-02",
                    f"{source} rolled {'a die' if len(twice) == 1 else 'dice'} again that had already been rolled again "
                    f"(number {names(str(i + 1) for i in twice)}).",
                    source,
                    claimed={"indices": list(indices)},
                    rests_on=NO_FACTS,
                )
            )
        elif new is not None and entry.indices is not None and len(new) != len(indices):
            found.append(
                miscalculated(
                    "CAL-DIE-02",
                    f"{count(len(indices), 'die', 'dice')} rolled again show {count(len(new), 'face')}.",
                    source,
                    claimed={"indices": list(indices), "faces": new},
                    recomputed={"dice": len(indices)},
                    rests_on=NO_FACTS,
                )
            )
        before.update(indices)
    if found:
        return found
    if kind == "Attack" and event.pool is not None:
        final, first = resolved.final, resolved.first_with_added
        due, old = hits(final), hits(first)
        if final is not None and event.pool != due and event.pool == old:
            return [
                miscalculated(
                    "CAL-DIE-02",
                    f"The pool of {event.pool} counts faces that were rolled again; the new faces give {due}.",
                    str(event.attacker),
                    claimed={"pool": event.pool},
                    recomputed={"pool": due},
                    rests_on=NO_FACTS,
                )
            ]
    return RAN


def hits(shown: str | None) -> int:
    """Hits of all sorts in an attack roll."""
    return 0 if shown is None else shown.count("H") + shown.count("C")


def _weapon_name(position: Position, weapon: str | None) -> str:
    row = position.table.weapons.get(weapon) if weapon is not None else None
    return f"the {row.name}" if row is not None else "the effect"


RULES = (die_faces, rerolls)
