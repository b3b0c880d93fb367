"""Rolls as they finally lie: re-rolls, effects triggered, hits."""

from __future__ import annotations

from collections.abc import Iterable

from auditor.systems.calth.records import Attack, Attempt, Crit, Event, Initiative, LastStand, Reroll, Step, faces

KNOWN = frozenset("CHSB")
"""The faces of these dice."""
VEXILLA, ORDER_OF_ROLL = "CAL-WAR-02", "CAL-ATK-10"
"""The rule of the Legion Vexilla."""

Rolled = Attack | LastStand | Step
"""What may have re-rolls beside its roll."""

ROLLS = (Initiative, LastStand)
"""Events beside attacks in which dice are rolled that may be rolled again."""


def rolled_again(event: Event) -> list[Reroll]:
    """The re-rolls beside every roll of an event: in long hand, those of a Legion Vexilla apart."""
    rolls: list[Rolled | Attempt] = []
    if isinstance(event, Initiative):
        rolls += event.attempts or ()
    elif isinstance(event, Attack):
        rolls += (event, *(event.steps or ()))
    elif isinstance(event, LastStand):
        rolls.append(event)
    return [entry for roll in rolls for entry in roll.rerolls or ()]


def has_rerolls(event: Attack) -> bool:
    """Whether some re-roll stands beside a roll of an attack, a Legion Vexilla's included."""
    if event.vexilla is not None or event.rerolls:
        return True
    for step in event.steps or ():
        if step.vexilla is not None or step.rerolls:
            return True
    return False


def with_rerolls(shown: str, entries: Iterable[Reroll]) -> str:
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


def early(event: Rolled) -> list[Reroll]:
    """The re-rolls beside a roll that come before an effect is chosen."""
    entries = [entry for entry in event.rerolls or () if entry.when != "after_crit"]
    if event.vexilla is not None and event.vexilla.when != "after_crit":
        entries.insert(0, event.vexilla)
    return entries


def late(event: Rolled) -> list[Reroll]:
    """The re-rolls beside an attack roll that come after an effect has been carried out."""
    entries = [entry for entry in event.rerolls or () if entry.when == "after_crit"]
    if event.vexilla is not None and event.vexilla.when == "after_crit":
        entries.insert(0, event.vexilla)
    return entries


def unstated(entries: Iterable[Reroll]) -> bool:
    """Whether the dice or the new faces of some re-roll are not stated, so that nobody knows how the roll ended."""
    return any(entry.indices is None or faces(entry.faces) is None for entry in entries)


def rerolled(shown: str, event: Rolled) -> str | None:
    """The faces of a roll after the `vexilla` and `rerolls` that stand beside it; None where these are not all
    stated.
    """
    if event.vexilla is None and not event.rerolls:
        return shown
    entries = [*early(event), *late(event)]
    return None if unstated(entries) else with_rerolls(shown, entries)


def crits(event: Attack) -> list[Crit]:
    """The effects that an attack claims to have triggered."""
    crit = event.crit
    if crit is None or isinstance(crit, str):
        return []
    return crit if isinstance(crit, list) else [crit]


def hits(shown: str | None) -> int:
    """Hits of all sorts in an attack roll."""
    return 0 if shown is None else shown.count("H") + shown.count("C")
