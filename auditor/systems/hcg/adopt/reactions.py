"""How reactions change the position, and what has happened that they may answer (catalogue 4.23)."""

from __future__ import annotations

from typing import Any

from auditor.core.rulings import Hearing
from auditor.systems.hcg import records
from auditor.systems.hcg.adopt.battle import announce
from auditor.systems.hcg.adopt.in_doubt import from_hand
from auditor.systems.hcg.position.parts import Pending
from auditor.systems.hcg.position.places import At
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.reckoning.attacks import Outcome
from auditor.systems.hcg.reckoning.plays import ability_of, announced
from auditor.systems.hcg.reckoning.reactions import goes_on, happenings, window_of


def passes_by(event: records.Event, position: Position) -> None:
    """What went before can no longer be answered once play goes on: its windows are closed."""
    if not goes_on(event, position):
        return
    position.happened, position.reacted = (), ()
    position.windows = tuple(window for window in position.windows if window.kind != "reaction")


def note(event: records.Event, position: Position, fell: Outcome | None) -> None:
    if new := happenings(event, position, fell):
        position.happened = (*position.happened, *new)[-100:]


def _entry(event: Any, position: Position, *, passed: bool) -> None:
    if event.trigger is not None and event.trigger > event.seq:
        position.said_early |= {event.trigger}
    window = window_of(event, position)
    if window is None and event.trigger is not None:
        # It names an event that nothing answers: for which of the open windows it was meant nobody knows.
        position.windows = tuple(
            one._replace(astray=True) if one.kind == "reaction" else one for one in position.windows
        )
    if window is None or event.by not in position.table.other:
        return
    other = position.other(event.by)
    changed = window.entered(event.seq, event.by, other, passed=passed)
    # What was opened within it is closed; one that is opened now lies on top.
    at = next((n for n, one in enumerate(position.windows) if one == window), len(position.windows))
    below = position.windows[:at]
    if not window.entries and changed.astray and below and (below[-1].kind, below[-1].next) == ("reaction", event.by):
        # It may have been meant for the window below, in which its player had the say.
        below = (*below[:-1], below[-1]._replace(astray=True))
    position.windows = (*below, changed)


def _reaction(event: records.Reaction, position: Position, hearing: Hearing) -> None:
    play = announced(event, position)
    _entry(event, position, passed=False)
    if play is None:
        return
    position.reacted = (*position.reacted, (play.card, play.ability, event.trigger, event.seq))
    by = str(event.by)
    if play.said == "hand":
        from_hand(play.card, by, At("discard", by), position)
    ability = ability_of(position, play)
    if ability is not None:
        said = Pending(event.seq, play.by, play.card, play.ability, play.choices or (), None, play.said == "hand")
        announce(said, ability, position)


def _reaction_pass(event: records.ReactionPass, position: Position, hearing: Hearing) -> None:
    _entry(event, position, passed=True)


FOLLOWED: dict[type, Any] = {records.Reaction: _reaction, records.ReactionPass: _reaction_pass}
