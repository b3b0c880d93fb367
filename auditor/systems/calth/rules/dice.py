"""Dice: faces and re-rolls (DIE)."""

from __future__ import annotations

from collections.abc import Iterable

from auditor.core.findings import RAN, Remark
from auditor.core.rulings import Hearing
from auditor.systems.calth.reckoning.attack import AttackView
from auditor.systems.calth.reckoning.dice import KNOWN, early, hits, late
from auditor.systems.calth.reckoning.views import InitiativeView, LastStandView
from auditor.systems.calth.records import (
    Attack,
    Initiative,
    LastStand,
    Reroll,
    Thrown,
    faces,
)
from auditor.systems.calth.rules.common import (
    Seen,
    rule,
)
from auditor.systems.calth.state import Position
from auditor.systems.calth.words import count, names

Roll = tuple[str, int, Thrown]
"""A field that holds faces: its place, in which {} stands for a number, that number, the faces."""


def _of_attack(event: Attack, view: AttackView) -> list[Roll]:
    """Every field of an attack that holds faces."""
    found: list[Roll] = [("roll", 0, event.roll)]
    if event.vexilla is not None:
        found.append(("vexilla.faces", 0, event.vexilla.faces))
    if event.rerolls:
        found += [("rerolls.{}.faces", i, entry.faces) for i, entry in enumerate(event.rerolls)]
    for crit in view.crits:
        found.append(("crit.added", 0, crit.added))
        found += [("crit.passes.{}.faces", i, entry.faces) for i, entry in enumerate(crit.passes or ())]
    return found + [("steps.{}.faces", i, step.faces) for i, step in enumerate(view.steps)]


def _of_initiative(event: Initiative) -> list[Roll]:
    return [
        roll
        for i, attempt in enumerate(event.attempts or ())
        for roll in (("attempts.{}.UM", i, attempt.UM), ("attempts.{}.WB", i, attempt.WB))
    ]


def _of_last_stand(event: LastStand) -> list[Roll]:
    found: list[Roll] = [("faces", 0, event.faces)]
    if event.vexilla is not None:
        found.append(("vexilla.faces", 0, event.vexilla.faces))
    return found + [("rerolls.{}.faces", i, entry.faces) for i, entry in enumerate(event.rerolls or ())]


def _odd(value: Thrown) -> str | None:
    """What is wrong with recorded faces, if anything."""
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
    finds={"attack": ("dice in doubt",)},
)
def die_faces(event: Attack, view: AttackView, position: Position, hearing: Hearing) -> Seen:
    """Every roll shows criticals (C), hits (H), shields (S) or blanks (B); a critical is one hit, never two.

    Log:  the faces of every die, in order; as many as dice were due.
    Edge: a shield in an attack roll and a hit in a defence roll do nothing.
    """
    odd = _first_odd(_of_attack(event, view))
    if odd:
        return odd
    shown = faces(event.roll)
    attacker = view.attacker
    if shown is None or attacker is None:
        return RAN
    if view.dice_number(hearing) is None:
        return RAN
    claimed = event.dice.total if event.dice is not None else None
    if len(shown) == claimed or view.allows_dice(len(shown), hearing):
        return RAN
    due = view.dice_due(hearing)
    assert due is not None
    return [
        die_faces.miscalculated(
            f"{attacker.id} has {count(int(due.value), 'die', 'dice')} for this attack ({due.working()}); "
            f"the log shows {count(len(shown), 'face')}.",
            attacker.id,
            claimed={"roll": shown, "dice": len(shown)},
            recomputed={"dice": due.value},
            figures=(due,),
        )
    ]


@die_faces.at("initiative")
def _faces_of_the_initiative(event: Initiative, view: InitiativeView, position: Position, hearing: Hearing) -> Seen:
    return _first_odd(_of_initiative(event)) or RAN


@die_faces.at("last_stand")
def _faces_of_a_last_stand(event: LastStand, view: LastStandView, position: Position, hearing: Hearing) -> Seen:
    return _first_odd(_of_last_stand(event)) or RAN


def _first_odd(rolls: Iterable[Roll]) -> list[Remark]:
    """The first roll whose faces are none of these dice, or are not stated."""
    for where, number, value in rolls:
        if value is None or (type(value) is str and KNOWN.issuperset(value)):
            continue  # as nearly all
        odd = _odd(value)
        if odd is not None:
            place = where.format(number)
            return [die_faces.ambiguous(f"{place}: {odd}, so the roll cannot be judged.", place)]
    return []


@rule(
    "CAL-DIE-02",
    "Re-rolls",
    section=6,
    events=("attack", "last_stand"),
    kinds=("illegal", "miscalculated", "ambiguous"),
    when={"attack": ("crit", "rolled again")},
)
def rerolls(event: Attack, view: AttackView, position: Position, hearing: Hearing) -> Seen:
    """A die rolled again shows its new face even if it is worse, and is not rolled a second time, save where the text
    that grants it says so: ties for the initiative and the assault cannon.

    Log:  source, dice and new faces of every re-roll.
    Edge: two sources never make a second re-roll of one die legal; dice that an effect adds have not been rolled again.
    """
    if (event.vexilla is None and not event.rerolls and not view.crits) or faces(event.roll) is None:
        return None
    entries = [("the Legion Vexilla", entry, False) for entry in early(event)]
    size = len(faces(event.roll) or "")
    for crit in view.crits:
        free = crit.weapon in (None, "assault_cannon")  # a weapon that is not stated may be one
        entries += [(_weapon_name(position, crit.weapon), entry, free) for entry in crit.passes or ()]
        size += len(faces(crit.added) or "")
    entries += [("the Legion Vexilla", entry, False) for entry in late(event)]
    if not entries:
        return None
    found = _wrong_rerolls(event.attacker or "A unit", entries, size)
    if found or event.pool is None:
        return found or RAN
    final, first = view.final, view.first_with_added
    due, old = hits(final), hits(first)
    if final is not None and event.pool != due and event.pool == old:
        return [
            rerolls.miscalculated(
                f"{event.attacker} has a pool of {event.pool} by faces that were rolled again; the new faces give {due}.",
                str(event.attacker),
                claimed={"pool": event.pool},
                recomputed={"pool": due},
            )
        ]
    return RAN


@rerolls.at("last_stand")
def _rerolls_of_a_last_stand(event: LastStand, view: LastStandView, position: Position, hearing: Hearing) -> Seen:
    entries = [("the Legion Vexilla", entry, False) for entry in (*early(event), *late(event))]
    if faces(event.faces) is None:
        return None  # CAL-DLS-01 says that the roll is not stated
    who = view.actor.id if view.actor is not None else event.unit or "A unit"
    return (_wrong_rerolls(who, entries, len(faces(event.faces) or "")) or RAN) if entries else None


def _wrong_rerolls(who: str, entries: Iterable[tuple[str, Reroll, bool]], size: int) -> list[Remark]:
    """What is wrong with re-rolls of a roll of `size` dice by a unit: (by what, the re-roll, whether dice may go again)."""
    before: set[int] = set()
    found: list[Remark] = []
    for source, entry, free in entries:
        indices = entry.indices or []
        outside = sorted({i for i in indices if not 0 <= i < size})
        twice = sorted({i for i in indices if i in before or indices.count(i) > 1}) if not free else []
        new = faces(entry.faces)
        if outside:
            found.append(
                rerolls.illegal(
                    f"With {source}, {who} rolled dice again that are not in the roll ({names(str(i) for i in outside)} "
                    f"of {size}).",
                    source,
                )
            )
        elif twice:
            found.append(
                rerolls.illegal(
                    f"With {source}, {who} rolled {'a die' if len(twice) == 1 else 'dice'} again that had already been rolled "
                    f"again (number {names(str(i + 1) for i in twice)}).",
                    source,
                    claimed={"indices": list(indices)},
                )
            )
        elif new is not None and entry.indices is not None and len(new) != len(indices):
            found.append(
                rerolls.miscalculated(
                    f"With {source}, {who} rolled {count(len(indices), 'die', 'dice')} again; the log shows "
                    f"{count(len(new), 'face')}.",
                    source,
                    claimed={"indices": list(indices), "faces": new},
                    recomputed={"dice": len(indices)},
                )
            )
        before.update(indices)
    return found


def _weapon_name(position: Position, weapon: str | None) -> str:
    row = position.table.weapons.get(weapon) if weapon is not None else None
    return f"the {row.name}" if row is not None else "the effect"
