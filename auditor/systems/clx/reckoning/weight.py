"""How much work an event is, and how large a position: see `Ruleset.weight`."""

from __future__ import annotations

from functools import partial

from auditor.systems.clx import records
from auditor.systems.clx.position.state import Position
from auditor.systems.clx.records import EVENTS
from auditor.systems.weights import entries_in

_OF_AN_EVENT, _OF_AN_ENTRY, _OF_A_MODEL, _OF_A_LINE = 250, 25, 2, 4
"""Work: an event, each entry of its lists, each model of the armies, each line of what is open."""

entries = entries_in(EVENTS.values())


def weight(event: records.Event, position: Position) -> int:
    """An event, what it lists, the models of both armies, and the lines of the phase that it may go on from."""
    attack = position.attacks.get(getattr(event, "attack", None))
    open_ = len(position.attacks) + len(position.casts) + len(position.perils) + len(position.pin_tests)
    open_ += position.combat.lines + (0 if attack is None else len(attack.rolled) + len(attack.order))
    models = len(position.models) + len(position.setup.terrain)
    listed = position.ever.once("entries", partial(entries, event), (event,))
    return _OF_AN_EVENT + _OF_AN_ENTRY * listed + _OF_A_MODEL * models + _OF_A_LINE * open_


def size(position: Position) -> int:
    """Models, units and pieces of terrain with their corners."""
    setup = position.setup
    return 2 * len(setup.models) + len(setup.units) + setup.corners // 4
