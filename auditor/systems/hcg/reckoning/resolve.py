"""What the rules make of one event, before any rule looks at it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from auditor.core.ruleset import Topics
from auditor.core.rulings import Hearing
from auditor.systems.hcg import records
from auditor.systems.hcg.kept import Kept
from auditor.systems.hcg.state import Position


@dataclass(frozen=True, slots=True)
class View:
    """first: nothing has been replayed before this event. begins: this event begins the first turn. shows: it may tell the
    cards of instances."""

    first: bool
    begins: bool
    shows: bool


_PLAIN, _SHOWS = View(False, False, False), View(False, False, True)
_SHOWERS = (records.SetupFlip, records.Position)
_BEGINNERS = (records.TurnStart, records.PhaseStart, records.DeployFirst)


def resolve(event: Any, position: Position, hearing: Hearing) -> View:
    """Where in the game an event stands. What the position comes to may be kept from now on until it changes."""
    position.kept = Kept(event)
    shows = bool(event.ids) or isinstance(event, _SHOWERS)
    if position.started and position.phase != "setup":
        return _SHOWS if shows else _PLAIN
    return View(not position.started, position.phase == "setup" and isinstance(event, _BEGINNERS), shows)


def topics(event: Any, view: View) -> Topics:
    """`first` for the first event of a record, `begins` for the one that ends the set-up of the game, `shows` for one that
    may tell the cards of instances."""
    if view is _PLAIN or view is _SHOWS:
        return ("shows",) if view.shows else ()
    named = (("first", view.first), ("begins", view.begins), ("shows", view.shows))
    return tuple(name for name, holds in named if holds)
