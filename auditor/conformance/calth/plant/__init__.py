"""Faults planted while a game is being played, one kind for each rule that a log can break.

A fault is planted at the table, not into a finished log: the game goes on from what the log then
claims (CAL-AUD-01), so that nothing else follows from it. `SPOILERS` says for each fault at which
stage of an event its planter may act; a planter looks at the event, and either spoils it and says
what an audit must find, or leaves it alone. `MISDEEDS` are whole acts, and some faults sit in the
middle of an assault, where the table itself plants them.
"""

from auditor.conformance.calth.plant.moment import Expected, Moment, findings_of
from auditor.conformance.calth.plant.table import PLANTABLE, SPOILERS, SpoiledTable, faulty_game, plant

__all__ = ["PLANTABLE", "SPOILERS", "Expected", "Moment", "SpoiledTable", "faulty_game", "findings_of", "plant"]
