"""A position that tells which of its cells are asked: what a fault rests on is what its check reads.

The words of the cells are those that holes open and events state (`CELLS`). A plain position pays nothing for this: the
twin is made only where a check accuses while something is in doubt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from itertools import product
from math import prod
from typing import Any

from auditor.core.findings import Fact
from auditor.core.watched import Asked, telling, twin
from auditor.geometry.inches.shapes import Circle
from auditor.systems.clx.position.combat import Charge, Combat
from auditor.systems.clx.position.kept import Kept
from auditor.systems.clx.position.state import (
    BOXES,
    ENDED,
    NOTHING_DONE,
    NOW,
    OF_A_PHASE,
    OF_A_TURN,
    AttackState,
    Group,
    Position,
    Standing,
    UnitState,
)

CELLS: Mapping[str, str] = {
    "at": "whether a model is on the table, and where it stands: (at, model)",
    "heading": "which way a hull faces: (heading, model)",
    "height": "how high a model stands, where its line left that out after a lost one: (height, model)",
    "wounds": "how many wounds a model has left: (wounds, model)",
    "known": "which powers a psyker knows: (known, psyker)",
    "unit": "all of what a unit is and has done: (unit, unit)",
    **{field.name: f"a flag of a unit: ({field.name}, unit)" for field in fields(UnitState)},
    "charge": "whom a unit charged, and how: (charge, unit)",
    "attack": "an attack, a step of a fight or a grenade, and what its dice came to: (attack, name)",
    "measured": "where who shoots and their target stood, and what cover lay between: (measured, name of the attack)",
    "faced": "what the target of a charge was when it was declared, and which way it faced: (faced, unit)",
    "game": "of the game: whose turn is now; which have ended; what has been done in this phase, and in this turn; who has fought since when",
}
"""The cells of a position: the first word of each, and what it says."""

_FIELDS: Mapping[str, tuple[Fact, ...]] = {
    **dict.fromkeys(("turn", "phase", "active", "closed", "begun", "over"), NOW),
    **dict.fromkeys(("rolled", "winner", "choice", "first", "seized"), NOW),
    **dict.fromkeys(("ended_turns", "length", "length_open"), ENDED),
    **dict.fromkeys(("pools", "charged", "casts", "perils", "pin_tests", "fired", "flat_out"), OF_A_PHASE),
}
"""Field of a position -> the cells that are asked with it."""

_OF_COMBAT: Mapping[str, tuple[Fact, ...]] = {
    **dict.fromkeys(("results", "shocked", "wrecks", "fallen", "throws"), OF_A_PHASE),
    **dict.fromkeys(("tests", "started", "gaps"), OF_A_TURN),
    **dict.fromkeys(("since", "bound"), (("game", "fights"),)),
}


def _feared(position: Position, unit: str) -> list[frozenset[str]]:
    """Nobody, or all enemies whom one can fear."""
    player = position.setup.units[unit].player
    enemies = [one.id for one in position.setup.units.values() if one.player != player and "fear" in one.rules]
    return list({frozenset[str](), frozenset(enemies)})


_LIES = (None, "new", "serving")
_MAY_BE: Mapping[str, Callable[[Position, str], Sequence[Any]]] = {
    "pinned": lambda position, unit: _LIES,
    "gone_to_ground": lambda position, unit: _LIES,
    "prone": lambda position, unit: (None, *product(("dropped", "pressed", "against_orders"), _LIES[1:])),
    "jinking": lambda position, unit: (False, True),
    "falling_back": lambda position, unit: (False, True),
    "arrived": lambda position, unit: (None, *((position.turn, how) for how in ("normal", "outflank", "deepstrike"))),
    "wounds": lambda position, model: range(1, (position.setup.models[model].wounds or 0) + 1),
    **dict.fromkeys(("fear_overcome", "fear_failed", "fear_doubt"), _feared),
}
"""Flag of a unit, or the wounds of a model that stands -> what it may be."""
_MOST_WAYS = 200
"""In so many ways at most several flags are supposed to be."""


_UNIT = {field.name: (field.name,) for field in fields(UnitState)}
_PLACE = {field.name: ("at",) for field in fields(Standing)}
_MODEL = {**_PLACE, "wounds": ("at", "wounds")}
_Position, _Combat = telling(Position, _FIELDS), telling(Combat, _OF_COMBAT)
# What is of one turn hangs on whose turn it is.
_OF_ITS_TURN = dict.fromkeys((*NOTHING_DONE, "pinned", "gone_to_ground", "prone", "jinking", "arrived"), NOW)
_Unit = telling(UnitState, _OF_ITS_TURN, _UNIT)
_Attack = telling(AttackState, own=dict.fromkeys(("places", "frame", "toward"), ("measured",)))
_Group = telling(Group, own=dict.fromkeys(("whole", "cover", "alike"), ("measured",)))
_Charge = telling(Charge, own={"face": ("faced",)})
_Standings = {
    (hull, z_open): telling(
        Standing,
        own={
            **_MODEL,
            **({"heading": ("at", "heading")} if hull else {}),
            **({"z": ("at", "height")} if z_open else {}),
        },
    )
    for hull in (False, True)
    for z_open in (False, True)
}
"""Whether it is a hull, and whether its height is in doubt -> a model that tells what is asked of it."""


def watched(position: Position, cells: set[Fact]) -> Position:
    """A twin of a position that adds to `cells` what is asked of it."""
    ask, setup = cells.add, position.setup

    def each(word: str, entries: Mapping[Any, Any], others: tuple[Fact, ...] = ()) -> Asked:
        """A map whose entries are cells; `others`: what says that there are no more."""

        def one(key: Any) -> None:
            if key is not None or key in entries:
                ask((word, key))
            if key not in entries:
                cells.update(others)

        return Asked(entries, one, lambda: cells.update(others, [(word, key) for key in entries]))

    def hull(name: str) -> bool:
        return not isinstance(setup.models[name].base, Circle)

    def attack(name: Any, one: AttackState) -> AttackState:
        groups = {weapon: twin(_Group, group, ask, name) for weapon, group in one.groups.items()}
        return twin(_Attack, replace(one, groups=groups), ask, name)

    made = twin(_Position, position, ask)
    made.now = Kept()
    made.now.once(BOXES, position.boxes)
    made.models = {
        name: twin(_Standings[hull(name), one.z_open], one, ask, name) for name, one in position.models.items()
    }
    made.units = {name: twin(_Unit, one, ask, name) for name, one in position.units.items()}
    made.known = each("known", position.known)
    made.attacks = each("attack", {name: attack(name, one) for name, one in position.attacks.items()}, OF_A_PHASE)
    made.combat = twin(_Combat, position.combat, ask)
    charges = position.combat.charges
    made.combat.charges = each("charge", {name: twin(_Charge, one, ask, name) for name, one in charges.items()})
    made.combat.steps = each("attack", position.combat.steps, OF_A_PHASE)
    return made


def otherwise(position: Position, cells: set[Any]) -> tuple[set[Any], Iterator[Position]]:
    """Those of some cells that may be few things, and the position in each way in which they may be together."""
    flags = {cell: _MAY_BE[cell[0]](position, cell[1]) for cell in sorted(cells) if cell[0] in _MAY_BE}
    if not 0 < prod(map(len, flags.values())) <= _MOST_WAYS:
        return set(), iter(())
    return set(flags), (_supposed(position, zip(flags, ways, strict=True)) for ways in product(*flags.values()))


def _supposed(position: Position, flags: Iterable[tuple[tuple[str, str], Any]]) -> Position:
    made = position.copy()
    for (flag, name), value in flags:
        of: dict[str, Any] = made.models if flag == "wounds" else made.units
        of[name] = replace(of[name], **{flag: value})
    return made
