"""The map, distances, and the movement actions: Advance, Run, Consolidate, and what being pinned forbids."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from auditor.core.findings import RAN, Fault, Figure, Remark
from auditor.core.ruleset import not_auditable
from auditor.core.rulings import Hearing
from auditor.geometry.hexes import Hex
from auditor.systems.calth.rules.common import (
    CHAPTERS,
    NO_FACTS,
    SOURCE,
    at,
    count,
    hex_marks,
    illegal,
    miscalculated,
    missing,
    move_marks,
    names,
    rule,
    step_problems,
    unit_marks,
)
from auditor.systems.calth.state import CAPACITY, Position, Unit

Seen = list[Remark] | tuple[Remark, ...] | None
STEPS = {"advance": 1, "run": 2, "assault_pre": 1, "move_in": 1}


def _steps(event: Any) -> list[tuple[Hex, Hex]]:
    return list(zip(event.path, event.path[1:], strict=False))


def _map_rule(rule_id: str, words: str) -> Any:
    """The check of a map rule that a step of any move can break."""

    def look(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
        kind = type(event).__name__
        broken: list[tuple[str, str, list[Hex]]] = []
        if kind == "MoveUnit":
            if not event.path or resolved.cause == "scenario":
                return None
            problems = [
                why for start, end in _steps(event) for r, why in step_problems(position, start, end) if r == rule_id
            ]
            if problems:
                broken.append((str(event.unit), "; ".join(problems), event.path))
        elif kind == "MoveModels":
            unit = resolved.actor
            if unit is None or not event.moves:
                return None
            for move in event.moves:
                if move.to is None or move.model is None:
                    continue
                problems = [why for r, why in step_problems(position, unit.hex, move.to) if r == rule_id]
                if problems:
                    broken.append((move.model, "; ".join(problems), [unit.hex, move.to]))
        elif kind == "Place":
            if event.hex is None or rule_id not in ("CAL-HEX-01", "CAL-HEX-02"):
                return None
            zone = position.table.zone_of(event.hex)
            if (zone, rule_id) in (("blocked", "CAL-HEX-01"), ("off", "CAL-HEX-02")):
                broken.append((str(event.model), f"{at(event.hex)} {words}", [event.hex]))
        if not broken:
            return RAN
        return [
            illegal(
                rule_id,
                f"{who} cannot go there: {why}.",
                who,
                evidence=move_marks(path, False, why),
                rests_on=NO_FACTS if rule_id != "CAL-HEX-05" else None,
            )
            for who, why, path in broken
        ]

    return look


def _declare(rule_id: str, title: str, text: str, words: str, events: tuple[str, ...]) -> Any:
    check = _map_rule(rule_id, words)
    check.__doc__ = text
    return rule(rule_id, title, section=8, events=events, kinds=("illegal",))(check)


blocked_hexes = _declare(
    "CAL-HEX-01",
    "Blocked hexes",
    """Blocked hexes hold no models, cannot be entered, are not counted through and stop lines of sight.

    Log:  the path of every move, the hex of every placement.
    """,
    "is blocked",
    ("move_unit", "move_models", "place"),
)
empty_space = _declare(
    "CAL-HEX-02",
    "Empty space",
    """Whatever is no hex of the board counts as a blocked hex for all purposes, holes between sections included.

    Log:  the path of every move, the hex of every placement.
    """,
    "is no hex of the board",
    ("move_unit", "move_models", "place"),
)
doors_and_movement = _declare(
    "CAL-HEX-05",
    "No model moves through a sealed door",
    """No model moves across a sealed door, in any move.

    Log:  the path of every move; the state of every door.
    """,
    "",
    ("move_unit", "move_models"),
)

rubble = not_auditable(
    "CAL-HEX-03",
    "Rubble",
    "Rubble has two effects, and a fault in either bears the number of the rule for that effect (CAL-RUN-03, CAL-DEF-02).",
    """Rubble hexes are open hexes that end a Run when they are entered and give the unit in them one more defence die
    against shooting. They do nothing else.""",
    chapter=CHAPTERS[8],
    source=f"{SOURCE}, section 8",
)
adjacency = not_auditable(
    "CAL-HEX-04",
    "Adjacency",
    "It defines a word; a step across an obstruction bears the number of the move's own rule, one through a sealed door "
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
def capacity(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """Models of one side share a hex while the sum of their bulk is at most 3; the two sides never share one.

    Log:  where every model stands; bulk comes from the roster.
    Edge: 3 is full and legal. A casualty makes room at once.
    """
    kind = type(event).__name__
    arriving: dict[Hex, list[str]] = {}
    side = event.player
    if kind == "MoveUnit":
        unit = resolved.actor
        if unit is None or not event.path or len(event.path) < 2 or event.path[-1] == unit.hex:
            return None
        side = unit.side
        arriving[event.path[-1]] = list(event.models or unit.models)
    elif kind == "MoveModels":
        unit = resolved.actor
        if unit is None:
            return None
        side = unit.side
        for move in event.moves or ():
            if move.to is not None and move.model in position.table.models:
                arriving.setdefault(move.to, []).append(move.model)
    elif event.hex is not None and event.model in position.table.models:
        side = position.table.models[event.model].side
        arriving[event.hex] = [event.model]
    if not arriving:
        return None
    found: list[Remark] = []
    moving = [model for models in arriving.values() for model in models]
    for hex_, models in arriving.items():
        fault = over_capacity("CAL-HEX-07", position, hex_, models, side, moving)
        if fault is not None:
            found.append(fault)
    return found or RAN


def over_capacity(
    rule_id: str, position: Position, hex_: Hex, arriving: Sequence[str], side: str | None, moving: Sequence[str]
) -> Fault | None:
    """The fault of models that enter a hex without room for them, or one that holds the other side.

    `moving` are all models that move in the same event: what counts is how full the hexes are in the end.
    """
    known = position.table.models
    there = position.by_hex.get(hex_)
    present = [m for m in there.models if m not in moving] if there is not None else []
    if there is not None and present and there.side != side:
        return illegal(
            rule_id,
            f"{names(arriving)} {'enters' if len(arriving) == 1 else 'enter'} {at(hex_)}, which {there.id} of the other side holds.",
            at(hex_),
            player=side,
            evidence=hex_marks(hex_, label="both sides"),
        )
    bulk = position.bulk(present) + sum(known[m].bulk for m in arriving if m in known)
    if bulk <= CAPACITY:
        return None
    parts = tuple((f"bulk of {m}", known[m].bulk) for m in (*present, *arriving) if m in known)
    return illegal(
        rule_id,
        f"{at(hex_)} would hold a bulk of {bulk}; it holds 3 at most.",
        at(hex_),
        player=side,
        claimed={"bulk": bulk},
        recomputed={"bulk": CAPACITY},
        figures=(Figure("bulk", bulk, parts),),
        evidence=hex_marks(hex_, label=f"bulk {bulk} of 3"),
    )


@rule(
    "CAL-ADV-01",
    "Advance",
    section=9,
    events=("move_unit",),
    kinds=("illegal", "ambiguous"),
    when={"move_unit": ("advance",)},
)
def advance(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """The unit as a whole moves one step into an adjacent hex that is neither occupied nor blocked.

    Log:  the path.
    Edge: legal when pinned, into rubble, and from one enemy to the next. A unit does not join another by an Advance,
          and a part of a unit that moves away is a Consolidate.
    """
    if resolved.cause != "advance":
        return None
    return _whole_move("CAL-ADV-01", "an Advance", event, resolved, position, exactly=1)


def _whole_move(
    rule_id: str,
    action: str,
    event: Any,
    resolved: Any,
    position: Position,
    *,
    exactly: int | None = None,
    most: int = 1,
) -> Seen:
    """A unit that moves as a whole, step by step into free adjacent hexes."""
    unit: Unit | None = resolved.actor
    lacking = [what for what, value in (("the unit", unit), ("the path", event.path)) if not value]
    if unit is None and event.unit in position.gone:
        return None  # it has no model left: CAL-ATK-08
    if lacking:
        return [missing(rule_id, lacking, *((event.unit,) if event.unit else ()))]
    assert unit is not None
    problems: list[str] = []
    steps = _steps(event)
    if exactly is not None and len(steps) != exactly:
        problems.append(f"{action} is {count(exactly, 'step')}, and the path has {len(steps)}")
    elif len(steps) > most and exactly is None:
        problems.append(f"{action} is at most {count(most, 'step')}, and the path has {len(steps)}")
    intrinsic = bool(problems)
    for start, end in steps:
        for map_rule, why in step_problems(position, start, end):
            problems.append(why)
            intrinsic = intrinsic or map_rule != "CAL-HEX-05"
        there = position.by_hex.get(end)
        if there is not None and there is not unit:
            problems.append(f"{at(end)} is occupied by {there.id}")
    if event.models is not None and set(event.models) != set(unit.models):
        away = [m for m in unit.models if m not in event.models]
        strange = [m for m in event.models if m not in unit.models]
        if away:
            problems.append(f"only {names(event.models)} of {unit.id} moved")
        elif strange:
            problems.append(f"{names(strange)} {'is' if len(strange) == 1 else 'are'} not of {unit.id}")
    if not problems:
        return RAN
    return [
        illegal(
            rule_id,
            f"{unit.id} cannot make this move: {'; '.join(problems)}.",
            unit.id,
            player=unit.side if event.player is None else "",
            claimed={"path": [list(h) for h in event.path]},
            rests_on=NO_FACTS if intrinsic else None,
            evidence=move_marks(event.path, False, action),
        )
    ]


@rule(
    "CAL-PIN-01",
    "Pinned units",
    section=9,
    events=("activate",),
    kinds=("illegal",),
)
def pinned(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """A unit adjacent to an enemy unit is pinned when its action starts: it may only Advance, Consolidate or Assault.

    Edge: an enemy behind a sealed door or an obstruction does not pin. Doing nothing is allowed.
    """
    if event.action not in ("run", "shoot"):
        return None
    unit = position.units.get(event.unit) if event.unit else None
    if unit is None:
        return None
    if not position.next_to_enemy(unit.hex, unit.side):
        return RAN
    enemies = position.enemies_beside(unit.hex, unit.side)
    who = names(sorted(e.id for e in enemies))
    return [
        illegal(
            "CAL-PIN-01",
            f"{unit.id} was to {event.action.capitalize()} while pinned by {who} beside it.",
            unit.id,
            player=unit.side,
            claimed={"action": event.action},
            evidence=unit_marks(position, unit.id, *(e.id for e in enemies), label="pins"),
        )
    ]


@rule(
    "CAL-RUN-01",
    "Run",
    section=9,
    events=("move_unit", "activate", "pass", "round_end"),
    kinds=("illegal", "ambiguous"),
    readings=("R-ACT-NOP",),
    when={"move_unit": ("run",)},
)
def run(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """The unit as a whole moves up to two steps, each into an adjacent hex that is neither occupied nor blocked.

    Log:  the path.
    Edge: stepping back to the start is legal, it is empty by then; so is a single step.
    """
    if type(event).__name__ != "MoveUnit" or resolved.cause != "run":
        return None
    seen = _whole_move("CAL-RUN-01", "a Run", event, resolved, position, most=2)
    if not seen and event.path and len(event.path) == 1 and hearing.ask("R-ACT-NOP") == "not_allowed":
        who = resolved.actor.id if resolved.actor is not None else str(event.unit)
        return [illegal("CAL-RUN-01", f"{who} ran no step at all.", who, rests_on=NO_FACTS)]
    return seen


@rule(
    "CAL-RUN-02",
    "A Run stops next to an enemy",
    section=9,
    events=("move_unit",),
    kinds=("illegal",),
    when={"move_unit": ("run",)},
)
def run_stops_at_enemies(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """On entering a hex adjacent to an enemy unit the Run ends.

    Edge: an enemy behind a sealed door or an obstruction does not stop it.
    """
    unit: Unit | None = resolved.actor
    if resolved.cause != "run" or unit is None or not event.path or len(event.path) < 3:
        return None
    for hex_ in event.path[1:-1]:
        if position.next_to_enemy(hex_, unit.side):
            enemies = position.enemies_beside(hex_, unit.side)
            return [
                illegal(
                    "CAL-RUN-02",
                    f"{unit.id} ran on after entering {at(hex_)}, next to {names(sorted(e.id for e in enemies))}.",
                    unit.id,
                    claimed={"path": [list(h) for h in event.path]},
                    evidence=move_marks(event.path, False, "the Run ends next to an enemy"),
                )
            ]
    return RAN


@rule(
    "CAL-RUN-03",
    "A Run stops in rubble",
    section=9,
    events=("move_unit",),
    kinds=("illegal",),
    when={"move_unit": ("run",)},
)
def run_stops_in_rubble(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """On entering a rubble hex the Run ends.

    Edge: rubble in the start hex costs nothing; a second step into rubble is fine.
    """
    unit: Unit | None = resolved.actor
    if resolved.cause != "run" or unit is None or not event.path or len(event.path) < 2:
        return None
    for hex_ in event.path[1:-1]:
        if hex_ in position.table.rubble:
            return [
                illegal(
                    "CAL-RUN-03",
                    f"{unit.id} ran on after entering the rubble at {at(hex_)}.",
                    unit.id,
                    claimed={"path": [list(h) for h in event.path]},
                    rests_on=NO_FACTS,
                    evidence=move_marks(event.path, False, "the Run ends in rubble"),
                )
            ]
    return RAN


# -- Consolidate: also the way in which a unit retreats -------------------------------------------------------


def _leaving(event: Any) -> list[tuple[str, Hex]]:
    return [(m.model, m.to) for m in event.moves or () if m.model is not None and m.to is not None]


@rule(
    "CAL-CON-01",
    "Consolidate",
    section=9,
    events=("move_models",),
    kinds=("illegal", "ambiguous"),
    readings=("R-ACT-NOP",),
)
def consolidate(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """Any number of models of the unit move one step each, singly, into adjacent hexes with room; they may part.

    Log:  every model's destination, and the units that result.
    Edge: legal when pinned, next to enemies and into rubble (a retreat may not end next to an enemy).
    """
    unit: Unit | None = resolved.actor
    lacking = [what for what, value in (("the unit", unit), ("the moves", event.moves is not None)) if not value]
    if not lacking and any(m.model is None or m.to is None for m in event.moves):
        lacking = ["every model and its destination"]
    if unit is None and event.unit in position.gone:
        return None  # it has no model left: CAL-ATK-08
    if lacking:
        return [missing("CAL-CON-01", lacking, *((event.unit,) if event.unit else ()))]
    assert unit is not None
    problems: list[tuple[str, str, Hex]] = []
    moved: set[str] = set()
    for model, to in _leaving(event):
        if model in moved:
            problems.append((model, f"{model} moves twice", to))
        moved.add(model)
        if model not in unit.models:
            problems.append((model, f"{model} is not of {unit.id}", to))
            continue
        for _, why in step_problems(position, unit.hex, to):
            problems.append((model, why, to))
        there = position.by_hex.get(to)
        if there is not None and there.side != unit.side:
            problems.append((model, f"{there.id} of the other side holds {at(to)}", to))
    if not event.moves and resolved.cause != "retreat" and hearing.ask("R-ACT-NOP") == "not_allowed":
        return [illegal("CAL-CON-01", f"{unit.id} consolidated no model at all.", unit.id, rests_on=NO_FACTS)]
    if not problems:
        return RAN
    told = "; ".join(dict.fromkeys(why for _, why, _ in problems))
    return [
        illegal(
            "CAL-CON-01",
            f"{unit.id} cannot consolidate so: {told}.",
            unit.id,
            player=unit.side if event.player is None else "",
            claimed={"moves": [{"model": m, "to": list(to)} for m, to in _leaving(event)]},
            evidence=move_marks([unit.hex, problems[0][2]], False, problems[0][1]),
        )
    ]


@rule(
    "CAL-CON-02",
    "Nothing else moves",
    section=9,
    events=("move_models",),
    kinds=("illegal",),
)
def nothing_else_moves(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """Models of the units that are joined do not move.

    Log:  the moves.
    """
    unit: Unit | None = resolved.actor
    if unit is None or not event.moves:
        return None
    entered = {to for _, to in _leaving(event)}
    found: list[Remark] = []
    for model, to in _leaving(event):
        other = position.unit_of.get(model)
        if other is not None and other is not unit and other.hex in entered:
            found.append(
                illegal(
                    "CAL-CON-02",
                    f"{model} of {other.id} moved although {other.id} is only being joined.",
                    model,
                    evidence=move_marks([other.hex, to], False, "does not move"),
                )
            )
    return found or RAN


@rule(
    "CAL-CON-03",
    "Room in the hexes entered",
    section=9,
    events=("move_models",),
    kinds=("illegal",),
)
def consolidate_room(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """In every hex entered, the bulk there and the bulk that arrives are at most 3 together.

    Edge: the order of the models does not matter; only how full the hexes are in the end.
    """
    unit: Unit | None = resolved.actor
    if unit is None or not event.moves:
        return None
    arriving: dict[Hex, list[str]] = {}
    for model, to in _leaving(event):
        if model in position.table.models:
            arriving.setdefault(to, []).append(model)
    found: list[Remark] = []
    moving = [model for models in arriving.values() for model in models]
    for hex_, models in arriving.items():
        there = position.by_hex.get(hex_)
        if there is not None and there.side != unit.side:
            continue
        fault = over_capacity("CAL-CON-03", position, hex_, models, unit.side, moving)
        if fault is not None:
            found.append(fault)
    return found or RAN


def tps_of_new(cause: str | None, position: Position, unit: Unit, hearing: Hearing) -> int:
    """The TPs that a unit copies which a Consolidate or retreat of `unit` creates (R-CON-TP)."""
    act = position.act
    if cause != "consolidate" or act is None or act.unit != unit.id or act.tp_before == unit.tp:
        return unit.tp
    return unit.tp if hearing.ask("R-CON-TP") == "current" else act.tp_before


@rule(
    "CAL-CON-04",
    "Joining a unit",
    section=9,
    events=("move_models",),
    kinds=("miscalculated",),
)
def joining(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """A model that enters a hex of friends becomes part of that unit and shares its TPs, which do not change.

    Log:  the TPs of the unit joined.
    Edge: a fresh model may thereby lose or gain activations.
    """
    unit: Unit | None = resolved.actor
    if unit is None or not event.moves:
        return None
    entered = {to for _, to in _leaving(event)}
    found: list[Remark] = []
    looked = False
    for entry in event.units or ():
        host = position.by_hex.get(entry.hex) if entry.hex is not None else None
        if host is None or host is unit or host.side != unit.side or entry.hex not in entered:
            continue
        looked = True
        if entry.tp is None:
            hearing.not_claimed()
        elif entry.tp != host.tp:
            found.append(
                miscalculated(
                    "CAL-CON-04",
                    f"{host.id} was joined and keeps its {host.tp} TPs; the record gives it {entry.tp}.",
                    host.id,
                    player=unit.side,
                    claimed={f"units.{entry.unit or host.id}.tp": entry.tp},
                    recomputed={f"units.{entry.unit or host.id}.tp": host.tp},
                    evidence=unit_marks(position, host.id, label=f"{host.tp} TPs"),
                )
            )
    return found or (RAN if looked else None)


@rule(
    "CAL-CON-05",
    "New units",
    section=9,
    events=("move_models",),
    kinds=("miscalculated",),
    readings=("R-CON-TP",),
)
def new_units(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """An empty hex that receives models holds a new unit, one a hex, with as many TPs as the unit that they came from;
    that unit keeps its own.

    Log:  the TPs of every unit that results.
    Edge: if everybody left, the old unit is gone and the new ones still get its TPs.
    """
    unit: Unit | None = resolved.actor
    if unit is None or not event.moves:
        return None
    entered = {to for _, to in _leaving(event)}
    found: list[Remark] = []
    looked = False
    for entry in event.units or ():
        if entry.hex is None:
            continue
        if entry.hex == unit.hex:
            due, words = unit.tp, f"{unit.id} keeps its {count(unit.tp, 'TP')}"
        elif entry.hex in entered and entry.hex not in position.by_hex:
            if entry.tp is None:
                hearing.not_claimed()
                looked = True
                continue
            due = tps_of_new(resolved.cause, position, unit, hearing)
            words = f"the new unit at {at(entry.hex)} has {count(due, 'TP')}, as {unit.id} had"
        else:
            continue
        looked = True
        if entry.tp is None:
            hearing.not_claimed()
        elif entry.tp != due:
            found.append(
                miscalculated(
                    "CAL-CON-05",
                    f"{words[0].upper()}{words[1:]}; the record gives {entry.tp}.",
                    str(entry.unit or at(entry.hex)),
                    player=unit.side,
                    claimed={f"units.{entry.unit}.tp": entry.tp},
                    recomputed={f"units.{entry.unit}.tp": due},
                    evidence=hex_marks(entry.hex, how="ruled", label=f"{due} TPs"),
                )
            )
    return found or (RAN if looked else None)


@rule(
    "CAL-DST-01",
    "Counting hexes",
    section=8,
    events=("attack",),
    kinds=("miscalculated",),
    readings=("R-DST-OCC", "R-DST-OBST"),
    when={"attack": ("ranged",)},
)
def distance(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """The distance of two hexes is the number of steps of the shortest way between them: across shared hexsides, never
    into a blocked hex and never through a sealed door. The start is not counted, the end is. Without a way there is none.

    Log:  the distance claimed.
    Edge: a short distance gives no line of sight, and a range of 3 is 3 such steps, not a straight line.
    """
    if resolved.mode != "ranged" or resolved.shooter_hex is None or resolved.target_hex is None:
        return None
    claimed = event.los.distance if event.los is not None else None
    if claimed is None:
        hearing.not_claimed()
        return RAN
    due = resolved.distance(hearing)
    if due == claimed:
        return RAN
    said = "there is no way at all" if due is None else f"the shortest way is {count(due, 'step')}"
    return [
        miscalculated(
            "CAL-DST-01",
            f"The distance from {at(resolved.shooter_hex)} to {at(resolved.target_hex)} is recorded as {claimed}; {said}.",
            str(event.attacker),
            claimed={"los.distance": claimed},
            recomputed={"los.distance": due},
            evidence=lambda: {"path": resolved.way(hearing)},
        )
    ]


RULES = (
    blocked_hexes,
    empty_space,
    rubble,
    adjacency,
    doors_and_movement,
    occupied,
    capacity,
    distance,
    advance,
    pinned,
    run,
    run_stops_at_enemies,
    run_stops_in_rubble,
    consolidate,
    nothing_else_moves,
    consolidate_room,
    joining,
    new_units,
)
