"""Calixtus' Edition as the core sees it."""

from __future__ import annotations

from typing import Any

from auditor.core.ruleset import Ruleset
from auditor.core.rulings import Hearing
from auditor.systems.clx import records
from auditor.systems.clx.adopt import adopt, can_judge, correct
from auditor.systems.clx.draw import draw, facts, moment, unfinished
from auditor.systems.clx.marks import act
from auditor.systems.clx.packs import Setup
from auditor.systems.clx.readings import READINGS
from auditor.systems.clx.reckoning.ways import Ways, ways_of
from auditor.systems.clx.rules import RULES
from auditor.systems.clx.rules.common import FIELDS
from auditor.systems.clx.state import Position, Standing, UnitState
from auditor.systems.clx.telling import describe
from auditor.systems.clx.tolerance import MEASURING_TOLERANCE, allowance

VERSION = "0.1.0"


def opening(record: Any) -> Position:
    """The position before the first event: nobody on the table."""
    setup: Setup = record.setup
    return Position(
        setup,
        {model_id: Standing(wounds=model.wounds) for model_id, model in setup.models.items()},
        dict.fromkeys(setup.units, UnitState()),
    )


def resolve(event: Any, position: Position, hearing: Hearing) -> Ways | None:
    """What the rules make of an event: so far, the ways of the models that it moves."""
    return ways_of(event, position, allowance(hearing.settings))


RULESET = Ruleset(
    key="clx",
    title="Calixtus' Edition",
    version=VERSION,
    events={kind: name for name, kind in records.EVENTS.items()},
    rules=RULES,
    readings=READINGS,
    opening=opening,
    resolve=resolve,
    adopt=adopt,
    correct=correct,
    can_judge=can_judge,
    facts=facts,
    draw=draw,
    marks=act,
    describe=describe,
    unfinished=unfinished,
    moment=moment,
    settings=(MEASURING_TOLERANCE,),
    fields=FIELDS,
)
