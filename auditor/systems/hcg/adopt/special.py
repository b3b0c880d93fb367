"""How special assaults change the position (catalogue 4.18)."""

from __future__ import annotations

from typing import Any

from auditor.core.rulings import Hearing
from auditor.systems.hcg import records
from auditor.systems.hcg.adopt.battle import given, lock, settle, take_place
from auditor.systems.hcg.position.parts import Action, Pending
from auditor.systems.hcg.position.play import Play
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.reckoning.costs import owed
from auditor.systems.hcg.reckoning.plays import ability_of, play_by

_BEFORE_THE_LOCK = (
    records.BaAssault, records.Cost, records.Roll, records.RollFinal, records.Modifier, records.ModifierPass,
    records.Reaction, records.ReactionPass, records.Reshuffle, records.Remark,
)  # fmt: skip
"""Events that may stand between the announcement of a special assault and the lock of its unit."""


def play_of_special(position: Position) -> Play | None:
    """The ability of the special assault under way."""
    action = position.action
    if action is None or action.kind != "assault" or action.mode != "special":
        return None
    return next((play for play in position.plays if play.kind == "A"), None)


def announced(event: records.Event, position: Position) -> None:
    """An announced special assault whose test fails may be refunded (OR-FAILEDTEST)."""
    play = play_of_special(position) if isinstance(event, records.BaAssault) else None
    ability = ability_of(position, play)
    if play is not None and ability is not None and ability.tests:
        chosen = play.choices or ()
        position.pending = Pending(play.seq, play.by, play.card, play.ability, chosen, whole=True)


def follow(event: records.Event, action: Action, position: Position) -> None:
    """The unit of a special assault is locked once its costs are paid; not if its test failed."""
    if action.step or action.spent:
        return
    play = play_of_special(position)
    if play is not None and play.passed is False:
        return
    ability = ability_of(position, play)
    other = play_by(event, position)
    answers = other is not None and other.kind in ("M", "R")
    if (answers or isinstance(event, _BEFORE_THE_LOCK)) and play is not None and ability is not None:
        tested = bool(ability.tests)
        if owed(ability, play) or (tested and play.passed is None):
            return
    lock(position, action.unit)
    # Once: what rallies it afterwards, in the tactics window, leaves it ready.
    position.action = action._replace(spent=True)


def _special(event: records.Special, position: Position, hearing: Hearing) -> None:
    """The effect takes place: what its text gives in numbers at once, everything else as the record has it."""
    settle(position)
    play = play_of_special(position)
    action = position.action
    if action is None:
        return
    position.action = take_place(action, position)._replace(rewarded=True)
    position.windows = tuple(window for window in position.windows if window.ba != action.n)
    ability = ability_of(position, play)
    if play is None or ability is None or action.rewarded:
        return
    position.pending = None
    if ability.effects_are_read:
        said = Pending(event.seq, play.by, play.card, play.ability, play.choices or ())
        position.bonuses = (*position.bonuses, *given(said, ability, position))


def _no_special(event: records.SpecialNone, position: Position, hearing: Hearing) -> None:
    settle(position)


FOLLOWED: dict[type, Any] = {records.Special: _special, records.SpecialNone: _no_special}
