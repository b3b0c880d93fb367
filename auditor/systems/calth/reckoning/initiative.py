"""Who wins the initiative, and whom a scenario gives it to."""

from __future__ import annotations

from auditor.core.rulings import Hearing
from auditor.systems.calth.records import Initiative, faces
from auditor.systems.calth.state import SIDES, Position

DICE = 3
"""Dice that each side rolls for the initiative (CAL-INI-01)."""


def initiative_hits(shown: str, hearing: Hearing) -> int:
    """Hits in an initiative roll; whether criticals count is asked where one shows."""
    hits = shown.count("H")
    if "C" in shown and hearing.ask("R-DIE-INIT") == "crit_is_hit":
        hits += shown.count("C")
    return hits


def decided_attempts(event: Initiative, hearing: Hearing) -> list[str | None] | None:
    """For each attempt the side that won it (None: a tie); None where faces are missing."""
    won: list[str | None] = []
    for attempt in event.attempts or ():
        um, wb = faces(attempt.UM), faces(attempt.WB)
        if um is None or wb is None:
            return None
        a, b = initiative_hits(um, hearing), initiative_hits(wb, hearing)
        won.append("UM" if a > b else "WB" if b > a else None)
    return won


def first_initiative(position: Position) -> str | None:
    """The side that the scenario gives the initiative in this round, if it does."""
    if position.round != 1 or position.table.scenario is None:
        return None
    holder = position.table.scenario.first_initiative
    return holder if holder in SIDES else None
