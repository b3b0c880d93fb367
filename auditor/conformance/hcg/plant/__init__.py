"""Faults planted while a card game is being played, and what an audit must find of each.

A fault is planted at the table, not into a finished log: the game goes on from what the log then claims (catalogue 1.3).
`NUMBERS` spoil what an event says when it is written; `TWISTS` let a choice be made wrongly; `MISDEEDS` are whole acts.
"""

from auditor.conformance.hcg.plant.games import PLANTABLE, plant, planted

__all__ = ["PLANTABLE", "plant", "planted"]
