"""Why the corrected position is what it is where an illegal act counts as not made (see `adopt.correct`)."""

from __future__ import annotations

from auditor.core.effects import NOTHING_ASIDE, Aside
from auditor.core.rulings import Hearing
from auditor.systems.calth import records
from auditor.systems.calth.reckoning.resolve import resolve
from auditor.systems.calth.reckoning.views import MoveView
from auditor.systems.calth.state import Position

MOST_STEPS = {"advance": 1, "run": 2}
"""CAL-ADV-01, CAL-RUN-01."""
NAMES = {"advance": "Advance", "run": "Run"}


def not_made(event: records.Event, position: Position, hearing: Hearing) -> Aside:
    """What is said of an illegal act: what of it counts by the rules, and what nobody can tell."""
    if isinstance(event, records.MoveUnit):
        view = resolve(event, position, hearing)
        assert isinstance(view, MoveView)
        said = _move(view, position)
        return Aside((said,) if said else ())
    if isinstance(event, records.MoveModels):
        return Aside(("Without these moves the models stand where they stood before.",))
    if isinstance(event, records.Attack):
        return Aside(("Without this attack its dice and its TPs stay spent.",))
    if isinstance(event, records.Activate):
        return Aside(("Without its action the activation comes to nothing; its TP stays spent.",))
    if isinstance(event, AS_PLAYED):
        return Aside(unsure="What would have been done instead nobody can tell")
    return NOTHING_ASIDE


AS_PLAYED = (
    records.Initiative,
    records.CardPlay,
    records.RoundEnd,
    records.Pass,
    records.TpRefresh,
    records.CardDraw,
    records.Position,
)
"""What is adopted although it is illegal: the round goes on from it."""


def _move(view: MoveView, position: Position) -> str:
    """How far a move might have gone, and that nobody can tell whether it would have been made so."""
    unit, path = view.actor, view.event.path
    if unit is None or not path:
        return ""
    back = f"{unit.id} is back at {position.at(unit.hex)}"
    far = _may_go(view, position)
    if not far or path[0] != unit.hex:
        return f"Without this move {back}."
    return (
        f"This {NAMES[view.cause or '']} could have gone as far as {position.at(path[far])} and no farther. "
        "We cannot know whether the player would still have moved. What is said here assumes that the move was not made: "
        f"{back}."
    )


def _may_go(view: MoveView, position: Position) -> int:
    """The steps of the path that are legal from its start."""
    most, unit = MOST_STEPS.get(view.cause or "", 0), view.actor
    assert unit is not None
    steps = 0
    for number, (_, end) in enumerate(view.steps[:most]):
        there = position.by_hex.get(end)
        if (view.problems and view.problems[number]) or (there is not None and there is not unit):
            break
        steps = number + 1
        if position.next_to_enemy(end, unit.side) or end in position.table.rubble:
            break
    return steps if steps < len(view.steps) else 0
