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
    """first: nothing has been replayed before this event. begins: this event begins the first turn."""

    first: bool
    begins: bool


_PLAIN = View(False, False)
_BEGINNERS = (records.TurnStart, records.PhaseStart, records.DeployFirst)


def resolve(event: Any, position: Position, hearing: Hearing) -> View:
    """Where in the game an event stands. What the position comes to may be kept from now on until it changes."""
    position.kept = Kept(event)
    if position.started and position.phase != "setup":
        return _PLAIN
    return View(not position.started, position.phase == "setup" and isinstance(event, _BEGINNERS))


def topics(event: Any, view: View) -> Topics:
    """`first` for the first event of a record, `begins` for the one that ends the set-up of the game."""
    if view is _PLAIN:
        return ()
    return tuple(name for name, holds in (("first", view.first), ("begins", view.begins)) if holds)
