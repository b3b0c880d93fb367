"""The map: where no model can go, what a hex holds, distances (HEX, DST)."""

from __future__ import annotations

from collections.abc import Sequence

from auditor.core.findings import RAN, Fault, Remark
from auditor.core.ruleset import Rule, not_auditable
from auditor.core.rulings import Hearing
from auditor.geometry.hexes import Hex
from auditor.systems.calth.reckoning.attack import AttackView
from auditor.systems.calth.reckoning.lacking import lack_of_move_in
from auditor.systems.calth.reckoning.moves import MapProblem, filling
from auditor.systems.calth.reckoning.views import FloatingView, MovesView, MoveView
from auditor.systems.calth.records import (
    Attack,
    MoveModels,
    MoveUnit,
    Place,
)
from auditor.systems.calth.rules.common import (
    CHAPTERS,
    SOURCE,
    Seen,
    bulk_of,
    hex_marks,
    move_marks,
    rule,
)
from auditor.systems.calth.state import CAPACITY, Position
from auditor.systems.calth.words import at, count, names


def _broken(
    under: Rule,
    who: str,
    path: Sequence[Hex],
    why: str,
    *,
    player: str | None = "",
) -> Fault:
    return under.illegal(
        f"{who} cannot go there: {why}.",
        who,
        player=player,
        evidence=move_marks(path, False, why),
    )


def _map_rule(rule_id: str, title: str, problem: MapProblem, text: str) -> Rule:
    """A rule of the map that a step of any move can break, and where `_at_placement` adds it, a placement."""

    def look(event: MoveUnit, view: MoveView, position: Position, hearing: Hearing) -> Seen:
        if not event.path:
            return None
        if view.cause == "scenario":  # whichever way it went, only where it ends is judged
            if position.table.zone_of(event.path[-1]) != zone:
                return RAN
            why_not = f"{position.at(event.path[-1])} {words}"
            return [_broken(declared, str(event.unit), (event.path[-1],), why_not)]
        if not view.problems:
            return RAN
        why = view.breaks(problem)
        return [_broken(declared, str(event.unit), event.path, "; ".join(why))] if why else RAN

    look.__doc__ = text
    on_placement = problem is not MapProblem.SEALED
    zone = {MapProblem.BLOCKED: "blocked", MapProblem.OFF_BOARD: "off"}.get(problem, "")
    words = "is blocked" if problem is MapProblem.BLOCKED else "is no hex of the board"
    declared = rule(
        rule_id,
        title,
        section=8,
        events=("move_unit", "move_models", "place") if on_placement else ("move_unit", "move_models"),
        kinds=("illegal",),
        finds={"move_unit": ("not free",), "move_models": ("not free",)},
    )(look)

    @declared.at("move_models")
    def look_at_models(event: MoveModels, view: MovesView, position: Position, hearing: Hearing) -> Seen:
        unit = view.actor
        if unit is None or not event.moves:
            return None
        if not view.problems:
            return RAN
        return [_broken(declared, model, (unit.hex, to), "; ".join(why)) for model, to, why in view.breaks(problem)]

    if on_placement:

        @declared.at("place")
        def look_at_placement(event: Place, view: FloatingView, position: Position, hearing: Hearing) -> Seen:
            if event.hex is None:
                return None
            if position.table.zone_of(event.hex) != zone:
                return RAN
            model = position.table.models.get(event.model) if event.model is not None else None
            side = event.player or (model.side if model is not None else None)
            why = f"{position.at(event.hex)} {words}"
            return [_broken(declared, str(event.model), (event.hex,), why, player=side)]

    return declared


blocked_hexes = _map_rule(
    "CAL-HEX-01",
    "Blocked hexes",
    MapProblem.BLOCKED,
    """Blocked hexes hold no models, cannot be entered, are not counted through and stop lines of sight.

    Log:  the path of every move, the hex of every placement.
    """,
)


empty_space = _map_rule(
    "CAL-HEX-02",
    "Empty space",
    MapProblem.OFF_BOARD,
    """Whatever is no hex of the board counts as a blocked hex for all purposes, holes between sections included.

    Log:  the path of every move, the hex of every placement.
    """,
)


doors_and_movement = _map_rule(
    "CAL-HEX-05",
    "No model moves through a sealed door",
    MapProblem.SEALED,
    """No model moves across a sealed door, in any move.

    Log:  the path of every move; the state of every door.
    """,
)


rubble = not_auditable(
    "CAL-HEX-03",
    "Rubble",
    "Rubble has two effects, and a fault in either bears the number of the rule for that effect (CAL-RUN-03, "
    "CAL-DEF-02).",
    """Rubble hexes are open hexes that end a Run when they are entered and give the unit in them one more defence die
    against shooting. They do nothing else.""",
    chapter=CHAPTERS[8],
    source=f"{SOURCE}, section 8",
)


adjacency = not_auditable(
    "CAL-HEX-04",
    "Adjacency",
    "It defines a word; a step across an obstruction bears the number of the move's own rule, one through a sealed "
    "door "
    "also CAL-HEX-05.",
    """Two hexes are adjacent when they share a hexside that carries neither a sealed door nor an obstruction. Moves,
    being pinned, assaults, limits on retreats and flamer follow-ups all use this. A barricade or an open door never
    matters; touching at a corner is nothing.""",
    chapter=CHAPTERS[8],
    source=f"{SOURCE}, section 8",
)


occupied = not_auditable(
    "CAL-HEX-06",
    "Occupied hexes",
    "It defines a word; a fault bears the number of the rule that uses it (CAL-ADV-01, CAL-RUN-01, CAL-LOS-01).",
    """A hex with at least one model of either side is occupied; the removal of its last model frees it at once.""",
    chapter=CHAPTERS[8],
    source=f"{SOURCE}, section 8",
)


@rule(
    "CAL-HEX-07",
    "How many models a hex holds",
    section=8,
    events=("move_unit", "move_models", "place"),
    kinds=("illegal",),
)
def capacity(event: MoveUnit, view: MoveView, position: Position, hearing: Hearing) -> Seen:
    """Models of one side share a hex while the sum of their bulk is at most 3; the two sides never share one.

    Log:  where every model stands; bulk comes from the roster.
    Edge: 3 is full and legal. A casualty makes room at once. A hex that a whole unit enters although it is occupied, or
          that both sides would share, is a fault of the act alone (CAL-ADV-01, CAL-RUN-01, CAL-ASL-02, CAL-ASL-04,
          CAL-CON-01, CAL-RET-02, CAL-SET-02); only a move that no act of the rules makes is judged here.
    """
    unit, path = view.actor, view.path
    if unit is None or len(path) < 2 or path[-1] == unit.hex:
        return None
    if view.cause not in (None, "scenario"):
        return RAN
    moving = event.models or unit.models
    return over_capacity(capacity, position, path[-1], moving, unit.side, moving)


@capacity.at("move_models")
def _capacity_for_models(event: MoveModels, view: MovesView, position: Position, hearing: Hearing) -> Seen:
    return hexes_entered(capacity, view, position) if view.arriving else None


@capacity.at("place")
def _capacity_at_placement(event: Place, view: FloatingView, position: Position, hearing: Hearing) -> Seen:
    model = position.table.models.get(event.model) if event.model is not None else None
    if event.hex is None or model is None:
        return None
    there = position.by_hex.get(event.hex)
    if there is not None and there.side != model.side:
        return RAN  # CAL-SET-02
    return over_capacity(capacity, position, event.hex, [model.id], model.side, [model.id])


def hexes_entered(under: Rule, view: MovesView, position: Position) -> Seen:
    """The faults of models that go to hexes without room for them, where the other side is not."""
    unit = view.actor
    if unit is None:
        return None
    moving = [model for models in view.arriving.values() for model in models]
    found: list[Remark] = []
    for hex_, models in view.arriving.items():
        there = position.by_hex.get(hex_)
        if there is not None and there.side != unit.side:
            continue  # CAL-CON-01, CAL-RET-02
        found += over_capacity(under, position, hex_, models, unit.side, moving)
    return found or RAN


def over_capacity(
    under: Rule, position: Position, hex_: Hex, arriving: Sequence[str], side: str, moving: Sequence[str]
) -> Sequence[Fault]:
    """The fault of models that enter a hex without room for them, or one that holds the other side.

    `moving` are all models that move in the same event: what counts is how full the hexes are in the end.
    """
    full = filling(position, hex_, side, arriving, moving)
    if full.held_by is not None and full.present:
        return [
            under.illegal(
                f"{names(arriving)} {'enters' if len(arriving) == 1 else 'enter'} {position.at(hex_)}, "
                f"which {full.held_by.id} of the other side holds.",
                at(hex_),
                player=side,
                evidence=hex_marks(hex_, label="both sides"),
            )
        ]
    if full.bulk <= CAPACITY:
        return ()
    return [
        under.illegal(
            f"{names(arriving)} {'comes' if len(arriving) == 1 else 'come'} to {position.at(hex_)}, which would then hold a bulk "
            f"of {full.bulk}; it holds 3 at most.",
            at(hex_),
            player=side,
            claimed={"bulk": full.bulk},
            recomputed={"bulk": CAPACITY},
            figures=(bulk_of(position, (*full.present, *arriving)),),
            evidence=hex_marks(hex_, label=f"bulk {full.bulk} of 3"),
        )
    ]


@rule(
    "CAL-DST-01",
    "Counting hexes",
    section=8,
    events=("attack",),
    kinds=("miscalculated",),
    readings=("R-DST-OCC", "R-DST-OBST"),
    when={"attack": ("ranged",)},
)
def distance(event: Attack, view: AttackView, position: Position, hearing: Hearing) -> Seen:
    """The distance of two hexes is the number of steps of the shortest way between them: across shared hexsides, never
    into a blocked hex and never through a sealed door. The start is not counted, the end is. Without a way there is
    none.

    Log:  the distance claimed.
    Edge: a short distance gives no line of sight, and a range of 3 is 3 such steps, not a straight line.
    """
    if view.mode != "ranged" or view.shooter_hex is None or view.target_hex is None:
        return None
    claimed = event.los.distance if event.los is not None else None
    if claimed is None:
        hearing.not_claimed()
        return RAN
    due = view.distance(hearing)
    if due == claimed:
        return RAN
    said = "there is no way at all" if due is None else f"the shortest way is {count(due, 'step')}"
    return [
        distance.miscalculated(
            f"{event.attacker or 'A unit'} at {position.at(view.shooter_hex)} shot at {event.target or 'a unit'} at {position.at(view.target_hex)}. "
            f"The log has {claimed} as the distance; {said}.",
            str(event.attacker),
            claimed={"los.distance": claimed},
            recomputed={"los.distance": due},
            lacks=lack_of_move_in(event, position, event.attacker, event.target),
            evidence=lambda: {"path": view.way(hearing)},
        )
    ]
