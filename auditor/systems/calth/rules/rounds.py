"""The end of a round (RND)."""

from __future__ import annotations

from collections.abc import Mapping

from auditor.core.findings import RAN
from auditor.core.rulings import Hearing
from auditor.systems.calth.reckoning.claims import END_OF_ROUND, WrongTps
from auditor.systems.calth.reckoning.views import InitiativeView, RoundEndView
from auditor.systems.calth.records import Initiative, RoundEnd
from auditor.systems.calth.rules.common import (
    Seen,
    rule,
    said_of,
    tp_faults,
    unit_marks,
)
from auditor.systems.calth.state import Position
from auditor.systems.calth.words import names


@rule(
    END_OF_ROUND,
    "The end of a round",
    section=7,
    events=("round_end", "initiative"),
    kinds=("illegal", "miscalculated"),
)
def end_of_round(event: RoundEnd, view: RoundEndView, position: Position, hearing: Hearing) -> Seen:
    """A round ends exactly when no unit of either side has TPs; then the next begins with the initiative.

    Log:  the end of the round, and the TPs that units have left.
    """
    found = _nobody_has_tps(event.tp_left or {}, position)
    return [*(found or ()), *tp_faults(end_of_round, event, view, position, hearing, _left_words)] or RAN


def _left_words(wrong: WrongTps) -> str:
    return f"{wrong.name} has no TPs left at the end of the round; {said_of(wrong)}."


@end_of_round.at("initiative")
def _next_round_began(event: Initiative, view: InitiativeView, position: Position, hearing: Hearing) -> Seen:
    """The initiative of the next round ends a round that nothing else did."""
    if position.phase == "action" and view.late is None:
        return _nobody_has_tps({}, position)
    return None


def _nobody_has_tps(claimed: Mapping[str, int], position: Position) -> Seen:
    left = [unit for unit in position.units.values() if unit.tp > 0]
    if not left:
        return RAN
    return [
        end_of_round.illegal(
            f"The round was ended while units have TPs: {names(f'{unit.id} ({unit.tp})' for unit in left)}.",
            player=None,
            claimed={"tp_left": dict(claimed)},
            recomputed={"tp_left": {unit.id: unit.tp for unit in left}},
            evidence=unit_marks(position, *(unit.id for unit in left), label="has TPs"),
        )
    ]
