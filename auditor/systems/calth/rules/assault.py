"""Assault: target and pre-move, counter-attack, retreat, desperate last stand, free move-in."""

from __future__ import annotations

from typing import Any

from auditor.core.findings import RAN, Figure, Remark
from auditor.core.rulings import Hearing
from auditor.systems.calth.records import faces
from auditor.systems.calth.rules.common import (
    AT_CLOSING,
    CLOSING,
    NO_FACTS,
    PLAYERS,
    assault_losses,
    at,
    closes,
    count,
    dice_of,
    hex_marks,
    illegal,
    miscalculated,
    missing,
    move_marks,
    names,
    omitted,
    retreat_due,
    retreat_room,
    rule,
    step_problems,
    unit_marks,
)
from auditor.systems.calth.rules.dice import rerolled
from auditor.systems.calth.state import OTHER, Activation, Position, Unit

Seen = list[Remark] | tuple[Remark, ...] | None


def _assault(position: Position) -> Activation | None:
    act = position.act
    return act if act is not None and act.action == "assault" else None


def _target(position: Position, act: Activation) -> Unit | None:
    """The unit that an Assault is made on, as it stands now in its hex."""
    unit = position.by_hex.get(act.target_hex) if act.target_hex is not None else None
    return unit if unit is not None and unit.side != act.side else None


@rule(
    "CAL-ASL-01",
    "The target of an Assault",
    section=10,
    events=("attack", *CLOSING),
    kinds=("illegal", "omitted"),
    when={"attack": ("assault",), **AT_CLOSING},
)
def assault_target(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """The activated unit makes a melee attack on one adjacent enemy unit.

    Log:  the attack and its target.
    Edge: a declared Assault without an attack is missing something, also when the unit only moved.
    """
    if type(event).__name__ != "Attack":
        act = _assault(position)
        if act is None or act.attacked or not closes(event, position):
            return None
        return [
            omitted(
                "CAL-ASL-01",
                f"{act.unit} declared an Assault and made no attack.",
                act.unit,
                player=act.side,
                evidence=unit_marks(position, act.unit, label="no attack"),
            )
        ]
    if resolved.role != "assault":
        return None
    attacker, target = resolved.attacker, resolved.target
    if attacker is None or resolved.target_hex is None:
        return None
    if target is None:
        return [
            illegal("CAL-ASL-01", f"{attacker.id} assaulted {event.target}, which is not on the board.", attacker.id)
        ]
    if target.side == attacker.side:
        return [illegal("CAL-ASL-01", f"{attacker.id} assaulted {target.id} of its own side.", attacker.id)]
    if target.hex not in position.adjacent(attacker.hex):
        return [
            illegal(
                "CAL-ASL-01",
                f"{attacker.id} at {at(attacker.hex)} assaulted {target.id} at {at(target.hex)}, which is not adjacent.",
                attacker.id,
                evidence=move_marks([attacker.hex, target.hex], False, "not adjacent"),
            )
        ]
    return RAN


@rule(
    "CAL-ASL-02",
    "Moving before the attack",
    section=10,
    events=("move_unit",),
    kinds=("illegal", "ambiguous"),
    when={"move_unit": ("assault_pre",)},
)
def pre_move(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """Only a unit that starts the Assault next to no enemy may first move one step, into a free adjacent hex that is next
    to an enemy.

    Log:  the path.
    Edge: entering rubble does not matter; afterwards any adjacent enemy may be the target.
    """
    if resolved.cause != "assault_pre":
        return None
    unit: Unit | None = resolved.actor
    lacking = [what for what, value in (("the unit", unit), ("the path", event.path)) if not value]
    if lacking:
        return [missing("CAL-ASL-02", lacking, *((event.unit,) if event.unit else ()))]
    assert unit is not None
    problems: list[str] = []
    if position.next_to_enemy(event.path[0], unit.side):
        enemies = position.enemies_beside(event.path[0], unit.side)
        problems.append(f"it was already next to {names(sorted(e.id for e in enemies))}")
    if len(event.path) != 2:
        problems.append(f"it moves one step, and the path has {len(event.path) - 1}")
    for start, end in zip(event.path, event.path[1:], strict=False):
        problems += [why for _, why in step_problems(position, start, end)]
        there = position.by_hex.get(end)
        if there is not None and there is not unit:
            problems.append(f"{at(end)} is occupied by {there.id}")
    end = event.path[-1]
    if len(event.path) > 1 and position.table.zone_of(end) in ("open", "rubble"):
        if not position.next_to_enemy(end, unit.side):
            problems.append(f"{at(end)} is next to no enemy")
    if event.models is not None and set(event.models) != set(unit.models):
        problems.append(f"only {names(event.models)} of {unit.id} moved")
    if not problems:
        return RAN
    return [
        illegal(
            "CAL-ASL-02",
            f"{unit.id} could not move before its attack: {'; '.join(problems)}.",
            unit.id,
            claimed={"path": [list(h) for h in event.path]},
            evidence=move_marks(event.path, False, "before the attack"),
        )
    ]


@rule(
    "CAL-ASL-03",
    "Counter-attack",
    section=10,
    events=("attack", "counter"),
    kinds=("illegal", "miscalculated", "ambiguous"),
    readings=("R-ASL-HARNESS",),
    when={"attack": ("counter",)},
)
def counter_attack(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """If the unit assaulted still has a model it may at once attack the activated unit, without activation or TP.

    Log:  the counter-attack made or declined.
    Edge: legal at 0 TPs and when a retreat is to follow. It is a full attack with an effect of its own.
    """
    kind = type(event).__name__
    if kind == "Attack":
        if resolved.role != "counter":
            return None
        unit, target = resolved.attacker, resolved.target
        who = event.attacker
    else:
        unit = position.units.get(event.unit) if event.unit else None
        who, target = event.unit, None
        if event.choice != "made":
            return RAN if event.choice is not None else [missing("CAL-ASL-03", ["whether a counter-attack was made"])]
    if who is None:
        return None if kind == "Attack" else [missing("CAL-ASL-03", ["the unit"])]
    act = _assault(position)
    if act is None or not act.attacked:
        return [
            illegal(
                "CAL-ASL-03",
                f"{who} made a counter-attack, and no Assault was made on it.",
                str(who),
            )
        ]
    if unit is None or act.target_hex is None:
        return [illegal("CAL-ASL-03", f"{who} made a counter-attack and has no model left on the board.", str(who))]
    found: list[Remark] = []
    if unit.hex != act.target_hex or unit.side == act.side:
        found.append(
            illegal(
                "CAL-ASL-03",
                f"{unit.id} made a counter-attack; the Assault was made on {act.target}.",
                unit.id,
                player=unit.side,
                evidence=unit_marks(position, unit.id, act.target, label="not assaulted"),
            )
        )
    elif kind == "Attack" and target is not None and (target.hex != act.hex or target.side != act.side):
        found.append(
            illegal(
                "CAL-ASL-03",
                f"{unit.id} made its counter-attack on {target.id}; it may only strike back at {act.unit}.",
                unit.id,
                player=unit.side,
                evidence=unit_marks(position, target.id, label="not the attacker"),
            )
        )
    elif kind == "Attack" and act.countered:
        found.append(illegal("CAL-ASL-03", f"{unit.id} made a second counter-attack.", unit.id, player=unit.side))
    claimed = event.tp.get(unit.id) if event.tp else None
    if claimed is not None and claimed != unit.tp:
        found.append(
            miscalculated(
                "CAL-ASL-03",
                f"A counter-attack costs nothing; {unit.id} keeps its {count(unit.tp, 'TP')}.",
                unit.id,
                "tp",
                player=unit.side,
                claimed={f"tp.{unit.id}": claimed},
                recomputed={f"tp.{unit.id}": unit.tp},
                rests_on=(("tp", unit.id),),
            )
        )
    return found or RAN


@rule(
    "CAL-ASL-04",
    "Free move-in",
    section=10,
    events=("move_unit",),
    kinds=("illegal", "miscalculated", "ambiguous"),
    when={"move_unit": ("move_in",)},
)
def move_in(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """If the hex of the unit assaulted is empty when all else is over, the activated unit may move into it, whole and free.

    Log:  the path.
    Edge: it comes after last stands. Next to further enemies and into rubble is fine.
    """
    if resolved.cause != "move_in":
        return None
    unit: Unit | None = resolved.actor
    lacking = [what for what, value in (("the unit", unit), ("the path", event.path)) if not value]
    if lacking:
        return [missing("CAL-ASL-04", lacking, *((event.unit,) if event.unit else ()))]
    assert unit is not None
    act = _assault(position)
    problems: list[str] = []
    if act is None or not act.attacked:
        problems.append("no Assault was made")
    else:
        if unit.hex != act.hex or unit.side != act.side:
            problems.append(f"the Assault was made by {act.unit}")
        if act.moved_in:
            problems.append("it has moved in already")
        end = event.path[-1]
        if act.target_hex is not None and end != act.target_hex:
            problems.append(f"{at(end)} is not the hex of the unit assaulted, {at(act.target_hex)}")
        elif (there := position.by_hex.get(end)) is not None and there is not unit:
            problems.append(f"{at(end)} is still held by {there.id}")
        if len(event.path) != 2:
            problems.append(f"it moves one step, and the path has {len(event.path) - 1}")
    for start, end in zip(event.path, event.path[1:], strict=False):
        problems += [why for _, why in step_problems(position, start, end) if why not in problems]
    if event.models is not None and set(event.models) != set(unit.models):
        problems.append(f"only {names(event.models)} of {unit.id} moved")
    found: list[Remark] = []
    if problems:
        found.append(
            illegal(
                "CAL-ASL-04",
                f"{unit.id} could not move in: {'; '.join(problems)}.",
                unit.id,
                claimed={"path": [list(h) for h in event.path]},
                evidence=move_marks(event.path, False, "move-in"),
            )
        )
    claimed = event.tp.get(unit.id) if event.tp else None
    if claimed is not None and claimed != unit.tp:
        found.append(
            miscalculated(
                "CAL-ASL-04",
                f"Moving in costs nothing; {unit.id} keeps its {count(unit.tp, 'TP')}.",
                unit.id,
                "tp",
                claimed={f"tp.{unit.id}": claimed},
                recomputed={f"tp.{unit.id}": unit.tp},
                rests_on=(("tp", unit.id),),
            )
        )
    return found or RAN


def _loss_figures(act: Activation) -> tuple[Figure, ...]:
    return tuple(Figure(f"models lost by {side}", act.losses[side]) for side in ("UM", "WB"))


@rule(
    "CAL-RET-01",
    "Who retreats",
    section=10,
    events=("retreat", "move_models", *CLOSING),
    kinds=("illegal", "miscalculated", "omitted"),
    readings=("R-SOR-CAS",),
    when={"move_models": ("retreat",), **AT_CLOSING},
)
def who_retreats(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """After all melee attacks of an Assault the unit assaulted retreats if it lost strictly more models in them than the
    activated unit, and has a model left. The activated unit never retreats.

    Log:  the models that each side lost; a retreat made or not.
    Edge: it retreats also if its counter-attack wiped out the attacker, as long as it lost more. Models of other units
          never count.
    """
    kind = type(event).__name__
    act = _assault(position)
    if kind == "Retreat":
        return _retreat_claimed(event, position, act, hearing)
    if kind == "MoveModels":
        if resolved.cause != "retreat" or (act is not None and (act.retreated or act.said)):
            return None  # a retreat that is said to be due has been judged where that was said (CAL-AUD-02)
        if act is not None and act.attacked and retreat_due(act, position, hearing):
            return RAN
        unit = resolved.actor
        who = unit.id if unit is not None else str(event.unit)
        return [illegal("CAL-RET-01", f"{who} retreated although no retreat was due.", who)]
    if act is None or not act.attacked or act.retreated or act.said is False:
        return None
    if not closes(event, position):
        return None
    if not retreat_due(act, position, hearing):
        return RAN
    unit = _target(position, act)
    assert unit is not None
    if act.said and not _can_leave(position, unit):
        return RAN  # CAL-DLS-01 names the last stand that was not rolled
    return [
        omitted(
            "CAL-RET-01",
            f"{unit.id} lost more models than {act.unit} ({act.losses[unit.side]} against {act.losses[act.side]}) "
            "and did not retreat.",
            unit.id,
            player=unit.side,
            figures=_loss_figures(act),
            evidence=unit_marks(position, unit.id, label="had to retreat"),
        )
    ]


def _retreat_claimed(event: Any, position: Position, act: Activation | None, hearing: Hearing) -> Seen:
    if act is None or not act.attacked:
        return [
            illegal(
                "CAL-RET-01",
                f"{event.unit} retreated, and no Assault was made on it.",
                str(event.unit),
            )
        ]
    unit = position.units.get(event.unit) if event.unit else _target(position, act)
    owner = OTHER[act.side]
    if unit is not None and unit.side == act.side and event.due:
        return [
            illegal("CAL-RET-01", f"{unit.id} made the Assault and never retreats from it.", unit.id, player=unit.side)
        ]
    found: list[Remark] = []
    due = retreat_due(act, position, hearing)
    lost = {side: assault_losses(act, side, hearing) for side in ("UM", "WB")}
    followed = due
    if event.casualties:
        # Where the last location took the model with it, either may have been counted alone.
        either = {side: {n, act.locations[side]} if n > act.losses[side] else {n} for side, n in lost.items()}
        wrong = {side: n for side, n in event.casualties.items() if n not in either[side]}
        if wrong:
            found.append(
                miscalculated(
                    "CAL-RET-01",
                    "The models lost in this Assault are "
                    + names(f"{lost[side]} of {PLAYERS[side]}, not {n}" for side, n in wrong.items())
                    + ".",
                    str(event.unit),
                    player=owner,
                    claimed={f"casualties.{side}": n for side, n in wrong.items()},
                    recomputed={f"casualties.{side}": lost[side] for side in wrong},
                    figures=_loss_figures(act),
                )
            )
            stated = {**lost, **event.casualties}
            followed = unit is not None and stated[owner] > stated[act.side]
    else:
        hearing.not_claimed()
    if event.due is None:
        hearing.not_claimed()
        return found or RAN
    if event.due != due and event.due != followed:
        if event.due:
            who = unit.id if unit is not None else str(event.unit)
            found.append(
                illegal(
                    "CAL-RET-01",
                    f"{who} retreated although it lost no more models than {act.unit} "
                    f"({lost[owner]} against {lost[act.side]}).",
                    who,
                    "due",
                    player=owner,
                    claimed={"due": True},
                    recomputed={"due": False},
                    figures=_loss_figures(act),
                )
            )
        else:
            who = unit.id if unit is not None else str(event.unit)
            found.append(
                omitted(
                    "CAL-RET-01",
                    f"{who} lost more models than {act.unit} ({lost[owner]} against {lost[act.side]}) and had to retreat.",
                    who,
                    "due",
                    player=owner,
                    claimed={"due": False},
                    recomputed={"due": True},
                    figures=_loss_figures(act),
                )
            )
    return found or RAN


@rule(
    "CAL-RET-02",
    "Where a retreat may go",
    section=10,
    events=("move_models",),
    kinds=("illegal",),
    when={"move_models": ("retreat",)},
)
def retreat_move(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """The retreating unit at once makes a Consolidate without activation or TP; hexes next to an enemy are closed to it.

    Log:  every model's destination.
    Edge: an enemy behind a sealed door does not count; the attacker does. Models may go different ways.
    """
    unit: Unit | None = resolved.actor
    if resolved.cause != "retreat" or unit is None or not event.moves:
        return None
    problems: list[tuple[str, Any]] = []
    arriving: dict[Any, int] = {}
    for move in event.moves:
        if move.model is None or move.to is None:
            continue
        problems += [(why, move.to) for _, why in step_problems(position, unit.hex, move.to)]
        if position.next_to_enemy(move.to, unit.side):
            enemies = position.enemies_beside(move.to, unit.side)
            problems.append((f"{at(move.to)} is next to {names(sorted(e.id for e in enemies))}", move.to))
        if move.model in position.table.models:
            arriving[move.to] = arriving.get(move.to, 0) + position.table.models[move.model].bulk
    for hex_, bulk in arriving.items():
        there = position.by_hex.get(hex_)
        if (there is None or there.side == unit.side) and bulk > position.room(hex_):
            problems.append((f"{at(hex_)} has room for a bulk of {position.room(hex_)}, not {bulk}", hex_))
    if not problems:
        return RAN
    told = "; ".join(dict.fromkeys(why for why, _ in problems))
    return [
        illegal(
            "CAL-RET-02",
            f"{unit.id} cannot retreat so: {told}.",
            unit.id,
            player=unit.side,
            evidence=move_marks([unit.hex, problems[0][1]], False, problems[0][0]),
        )
    ]


def _can_leave(position: Position, unit: Unit) -> bool:
    """Whether some model of a unit that has to retreat can."""
    known = position.table.models
    return any(retreat_room(position, unit.hex, unit.side, known[m].bulk) for m in unit.models if m in known)


def _stayed_needlessly(position: Position, unit: Unit, staying: tuple[str, ...]) -> Seen:
    """A model that stays although a hex had room for it after the others had gone."""
    found: list[Remark] = []
    for model in staying:
        if model not in position.table.models:
            continue
        room = retreat_room(position, unit.hex, unit.side, position.table.models[model].bulk)
        if room:
            found.append(
                illegal(
                    "CAL-RET-03",
                    f"{model} stayed although it could retreat to {names(at(h) for h in room)}.",
                    model,
                    player=unit.side,
                    evidence=hex_marks(*room, how="ruled", label="room"),
                )
            )
            break  # the room left is for one of them; which, is the player's choice
    return found or RAN


@rule(
    "CAL-RET-03",
    "Models leave if they can",
    section=10,
    events=("move_models", "last_stand"),
    kinds=("illegal",),
    when={"move_models": ("retreat",)},
)
def must_leave(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """A model of a retreating unit may stay only if it cannot leave.

    Log:  which models left, which stayed.
    Edge: which of two models takes a single free place is its player's choice.
    """
    kind = type(event).__name__
    if kind == "MoveModels":
        unit: Unit | None = resolved.actor
        if resolved.cause != "retreat" or unit is None:
            return None
        if event.moves is None or any(m.model is None or m.to is None for m in event.moves):
            return None  # CAL-CON-01 says that they are not stated
        leaving = [m.model for m in event.moves]
        staying = tuple(m for m in unit.models if m not in leaving)
        if not staying:
            return RAN
        after = position.copy()
        gone = after.units[unit.id]
        for move in event.moves:
            if move.model in gone.models:
                _arrive(after, gone, move.model, move.to)
        return _stayed_needlessly(after, unit, staying)
    act = _assault(position)
    if act is None or not act.attacked or act.staying or act.kept:
        return None
    if not (act.retreated or act.said or retreat_due(act, position, hearing)):
        return None
    unit = _target(position, act)
    if unit is None:
        return None
    return _stayed_needlessly(position, unit, unit.models)


def _arrive(position: Position, parent: Unit, model: str, to: Any) -> None:
    """Move one model on a copy of the position, for looking only."""
    position.take(model)
    host = position.by_hex.get(to)
    if host is None:
        position.put(Unit(f"{parent.id} at {at(to)}", parent.side, to, (model,), parent.tp))
    else:
        position.join(host, (model,))


def must_roll(position: Position, act: Activation | None, hearing: Hearing) -> tuple[Unit, tuple[str, ...]] | None:
    """The unit and its models that have to roll in a desperate last stand, if one is due."""
    if act is None or act.action != "assault" or not act.attacked or act.rolled:
        return None
    unit = _target(position, act)
    if unit is None:
        return None
    if act.retreated or act.said or retreat_due(act, position, hearing):
        return unit, unit.models
    return None


@rule(
    "CAL-DLS-01",
    "Desperate last stand",
    section=10,
    events=("last_stand", *CLOSING),
    kinds=("illegal", "miscalculated", "omitted", "ambiguous"),
    when=AT_CLOSING,
)
def last_stand(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """Each model that could not leave rolls one die: on a shield it stays, on anything else it is removed.

    Log:  the models, one face for each in that order, the survivors.
    Edge: only a shield saves. These losses do not count for who retreats.
    """
    kind = type(event).__name__
    act = _assault(position)
    if kind != "LastStand":
        if not closes(event, position):
            return None
        if act is None or act.rolled or act.target_hex is None or not (act.retreated or act.said):
            return None
        unit = _target(position, act)
        if unit is None:
            return None
        if not act.retreated and (not retreat_due(act, position, hearing) or _can_leave(position, unit)):
            return None  # nobody had to roll: CAL-RET-01 names a retreat that was due and not made
        return [
            omitted(
                "CAL-DLS-01",
                f"{names(unit.models)} could not leave {at(unit.hex)} and made no desperate last stand.",
                unit.id,
                player=unit.side,
                evidence=unit_marks(position, unit.id, label="no last stand"),
            )
        ]
    unit = resolved.actor
    if unit is None:
        return None
    lacking = [
        what for what, value in (("the models", event.models), ("the faces", faces(event.faces))) if value is None
    ]
    if lacking:
        return [missing("CAL-DLS-01", lacking, unit.id, player=unit.side)]
    shown = faces(event.faces) or ""
    found: list[Remark] = []
    due = must_roll(position, act, hearing)
    if due is None or due[0] is not unit:
        return [
            illegal(
                "CAL-DLS-01",
                f"{unit.id} made a desperate last stand that was not due.",
                unit.id,
                player=unit.side,
            )
        ]
    gone = [m for m in event.models if m not in due[1]]
    if gone:
        found.append(
            illegal(
                "CAL-DLS-01",
                f"{names(gone)} rolled in a last stand without being left behind.",
                *gone,
                player=unit.side,
            )
        )
    idle = [m for m in due[1] if m not in event.models]
    if idle:
        found.append(
            omitted(
                "CAL-DLS-01",
                f"{names(idle)} {'was' if len(idle) == 1 else 'were'} left behind and did not roll.",
                *idle,
                player=unit.side,
            )
        )
    if len(shown) != len(event.models):
        found.append(
            miscalculated(
                "CAL-DLS-01",
                f"{count(len(event.models), 'model')} rolled {count(len(shown), 'die', 'dice')}; each rolls one.",
                unit.id,
                player=unit.side,
                claimed={"faces": shown},
                recomputed={"dice": len(event.models)},
                rests_on=NO_FACTS,
            )
        )
        return found
    final = rerolled(shown, event)
    if final is None:
        return [*found, missing("CAL-DLS-01", ["the dice and faces of a re-roll"], unit.id, player=unit.side)]
    if event.survivors is None:
        hearing.not_claimed()
        return found or RAN
    saved = [m for m, face in zip(event.models, final, strict=True) if face == "S"]
    if set(saved) != set(event.survivors):
        found.append(
            miscalculated(
                "CAL-DLS-01",
                f"The faces {final} save {names(saved) or 'nobody'}; the record keeps {names(event.survivors) or 'nobody'}.",
                unit.id,
                "survivors",
                player=unit.side,
                claimed={"survivors": list(event.survivors)},
                recomputed={"survivors": saved},
                figures=(dice_of("the last stand", final),),
                rests_on=NO_FACTS,
            )
        )
    return found or RAN


@rule(
    "CAL-DLS-02",
    "TPs after a last stand",
    section=10,
    events=("last_stand",),
    kinds=("miscalculated",),
)
def last_stand_tps(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """The unit of the models that survive a last stand drops to 0 TPs.

    Edge: models that got away keep what they have by CAL-CON-04 and CAL-CON-05.
    """
    unit = resolved.actor
    found: list[Remark] = []
    for label, claimed in (event.tp or {}).items():
        other = position.units.get(label)
        if other is not None and other is not unit and claimed != other.tp:
            found.append(
                miscalculated(
                    "CAL-DLS-02",
                    f"{label} got away and keeps its {count(other.tp, 'TP')}; the record gives it {claimed}.",
                    label,
                    player=other.side,
                    claimed={f"tp.{label}": claimed},
                    recomputed={f"tp.{label}": other.tp},
                )
            )
    if event.tp_after is None:
        if event.survivors:
            hearing.not_claimed()
    elif event.tp_after != 0:
        found.append(
            miscalculated(
                "CAL-DLS-02",
                f"The unit that survives a last stand has 0 TPs, not {event.tp_after}.",
                *((unit.id,) if unit is not None else ()),
                player=unit.side if unit is not None else "",
                claimed={"tp_after": event.tp_after},
                recomputed={"tp_after": 0 if event.survivors else None},
                rests_on=NO_FACTS,
            )
        )
    return found or RAN


@rule(
    "CAL-DLS-03",
    "The Legion Vexilla in a last stand",
    section=10,
    events=("last_stand",),
    kinds=("illegal",),
    readings=("R-DLS-VEX",),
)
def last_stand_vexilla(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """With a Legion Vexilla any of the dice of a last stand may be rolled again, once each.

    Log:  the bearer, the dice, the new faces.
    Edge: all dice of the unit count as rolled together, so a bearer whose own die failed can still use it.
    """
    rerolls = [r for r in (event.vexilla, *(event.rerolls or ())) if r is not None]
    if not rerolls:
        return None
    unit: Unit | None = resolved.actor
    if unit is None:
        return None
    for entry in rerolls:
        bearer = entry.model
        if bearer is None:
            return [missing("CAL-DLS-03", ["who bears the vexilla"], unit.id, player=unit.side)]
        model = position.table.models.get(bearer)
        if model is None or "legion_vexilla" not in model.wargear:
            problem = f"{bearer} bears no Legion Vexilla"
        elif bearer in unit.models:
            continue
        else:
            act = position.act
            before = act is not None and bearer in act.target_models and bearer not in position.removed
            if before and hearing.ask("R-DLS-VEX") == "unit_before_retreat":
                continue
            problem = f"{bearer} is not among the models that roll"
        return [
            illegal(
                "CAL-DLS-03",
                f"{unit.id} rolled dice of its last stand again with a Legion Vexilla: {problem}.",
                unit.id,
                player=unit.side,
            )
        ]
    return RAN


RULES = (
    assault_target,
    pre_move,
    counter_attack,
    move_in,
    who_retreats,
    retreat_move,
    must_leave,
    last_stand,
    last_stand_tps,
    last_stand_vexilla,
)
