"""Assault: target, pre-move, counter-attack, free move-in (ASL)."""

from __future__ import annotations

from functools import partial
from typing import Any

from auditor.core.findings import RAN, Remark
from auditor.core.rulings import Hearing
from auditor.systems.calth.reckoning.attack import AttackView
from auditor.systems.calth.reckoning.claims import COUNTER, MOVE_IN, WrongTps
from auditor.systems.calth.reckoning.labels import unit_assaulted
from auditor.systems.calth.reckoning.lacking import lack_of_attack, lack_of_move_in, lack_of_retreat
from auditor.systems.calth.reckoning.named import TARGET_OF_AN_ASSAULT
from auditor.systems.calth.reckoning.retreats import open_assault
from auditor.systems.calth.reckoning.views import (
    ActView,
    MoveView,
    View,
)
from auditor.systems.calth.records import (
    Activate,
    Attack,
    Counter,
    Event,
    MoveUnit,
)
from auditor.systems.calth.rules.common import (
    AT_CLOSING,
    CLOSING,
    Seen,
    closes,
    move_marks,
    rule,
    tp_faults,
    unit_marks,
)
from auditor.systems.calth.state import OTHER, Activation, Position, Unit
from auditor.systems.calth.words import count, names


@rule(
    TARGET_OF_AN_ASSAULT,
    "The target of an Assault",
    section=10,
    events=("attack", *CLOSING),
    kinds=("illegal", "omitted", "ambiguous"),
    when={"attack": ("assault",), **AT_CLOSING},
)
def assault_target(event: Attack, view: AttackView, position: Position, hearing: Hearing) -> Seen:
    """The activated unit makes a melee attack on one adjacent enemy unit.

    Log:  the attack and its target.
    Edge: a declared Assault without an attack is missing something, also when the unit only moved.
    """
    if view.role != "assault":
        return None
    attacker, target = view.attacker, view.target
    if attacker is not None and view.nobody_left:
        return [
            assault_target.illegal(f"{attacker.id} assaulted {event.target}, which has no model left.", attacker.id)
        ]
    if attacker is None or target is None:
        return None
    if target.side == attacker.side:
        return [assault_target.illegal(f"{attacker.id} assaulted {target.id} of its own side.", attacker.id)]
    if target.hex not in position.adjacent(attacker.hex):
        return [
            assault_target.illegal(
                f"{attacker.id} at {position.at(attacker.hex)} assaulted {target.id} at {position.at(target.hex)}, "
                "which is not adjacent.",
                attacker.id,
                due=partial(list, _steps_beside(attacker, target, position)),
                lacks=lack_of_move_in(event, position, attacker.id, target.id),
                evidence=move_marks([attacker.hex, target.hex], False, "not adjacent"),
            )
        ]
    return RAN


def _steps_beside(attacker: Unit, target: Unit, position: Position) -> list[MoveUnit]:
    """The steps that would have brought a unit beside the one that it assaulted."""
    kind: Any = MoveUnit
    line = partial(kind, seq=0, player=attacker.side, unit=attacker.id, cause="assault_pre")
    reached = set(position.adjacent(attacker.hex)) & set(position.adjacent(target.hex))
    return [line(path=[attacker.hex, one]) for one in sorted(reached)]


@assault_target.at(*CLOSING)
def _assault_was_made(event: Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """What was declared as an Assault has had its attack when the activation is over."""
    act = open_assault(position)
    if act is None or act.shows_its_attack or not act.told or not closes(event, view):
        return None
    return [
        assault_target.omitted(
            f"{act.unit} declared an Assault and made no attack.",
            act.unit,
            player=act.side,
            due=partial(list, _declared_as_made(act, position)),
            lacks=lack_of_attack(event, position),
            evidence=unit_marks(position, act.unit, label="no attack"),
        )
    ]


def _declared_as_made(act: Activation, position: Position) -> list[Activate]:
    """The activation as it would be written if it declared what the record shows of it."""
    kind: Any = Activate
    line = partial(kind, seq=0, player=act.side, unit=act.unit)
    made = frozenset(position.recorded.actions.get(act.number, ())) - {"assault", "counter"}
    return [line(tp_before=act.tp_before, tp_after=act.tp_after, action=action) for action in sorted(made)]


@rule(
    "CAL-ASL-02",
    "Moving before the attack",
    section=10,
    events=("move_unit",),
    kinds=("illegal", "ambiguous"),
    when={"move_unit": ("assault_pre",)},
)
def pre_move(event: MoveUnit, view: MoveView, position: Position, hearing: Hearing) -> Seen:
    """Only a unit that starts the Assault next to no enemy may first move one step, into a free adjacent hex that is
    next to an enemy.

    Log:  the path.
    Edge: entering rubble does not matter; afterwards any adjacent enemy may be the target.
    """
    if view.cause != "assault_pre":
        return None
    unit, path = view.actor, view.path
    if unit is None or not path:
        lacking = [what for what, value in (("the unit", unit), ("the path", path)) if not value]
        return [pre_move.missing(lacking, *((event.unit,) if event.unit else ()))]
    problems: list[str] = []
    if not view.before and position.next_to_enemy(path[0], unit.side):
        enemies = position.enemies_beside(path[0], unit.side)
        problems.append(f"it was already next to {names(sorted(e.id for e in enemies))}")
    if len(path) != 2:
        problems.append(f"it moves one step, and the path has {len(path) - 1}")
    for number, (_, end) in enumerate(view.steps):
        problems += [why for _, why in view.problems[number]] if view.problems else ()
        there = position.by_hex.get(end)
        if there is not None and there is not unit:
            problems.append(f"{position.at(end)} is occupied by {there.id}")
    end = path[-1]
    if len(path) > 1 and position.table.zone_of(end) in ("open", "rubble"):
        if not position.next_to_enemy(end, unit.side):
            problems.append(f"{position.at(end)} is next to no enemy")
    if event.models is not None and set(event.models) != set(unit.models):
        problems.append(f"only {names(event.models)} of {unit.id} moved")
    if not problems:
        return RAN
    return [
        pre_move.illegal(
            f"{unit.id} could not move before its attack: {'; '.join(problems)}.",
            unit.id,
            claimed={"path": [list(h) for h in event.path or ()]},
            evidence=move_marks(path, False, "before the attack"),
        )
    ]


@rule(
    COUNTER,
    "Counter-attack",
    section=10,
    events=("attack", "counter", *CLOSING),
    kinds=("illegal", "miscalculated", "ambiguous"),
    readings=("R-ASL-HARNESS",),
    when={"attack": ("counter",), **AT_CLOSING},
)
def counter_attack(event: Attack, view: AttackView, position: Position, hearing: Hearing) -> Seen:
    """If the unit assaulted still has a model it may at once attack the activated unit, without activation or TP.

    Log:  the counter-attack made or declined.
    Edge: legal at 0 TPs and when a retreat is to follow. It is a full attack with an effect of its own.
    """
    if view.role != "counter" or event.attacker is None:
        return None
    if view.attacker is None and not view.destroyed(event.attacker):
        return None  # whose attack it is, CAL-AUD-04 asks
    found = _counter_faults(event, event.attacker, view.attacker, view.target, view, position, hearing)
    act = open_assault(position)
    if act is not None and act.counter in ("declined", "not_possible") and not act.countered:
        text = f"{event.attacker} made a counter-attack, and the log says before that it made none."
        return [*(found or ()), counter_attack.ambiguous(text, event.attacker)]
    return found


@counter_attack.at("counter")
def _counter_told(event: Counter, view: ActView, position: Position, hearing: Hearing) -> Seen:
    """What a `counter` event says: who strikes back, and that it cannot."""
    if event.choice is None:
        return [counter_attack.missing(["whether a counter-attack was made"])]
    if event.choice == "made":
        if event.unit is None:
            return [counter_attack.missing(["the unit"])]
        return _counter_faults(event, event.unit, view.actor, None, view, position, hearing)
    found: list[Remark] = []
    unit = view.actor
    if event.choice == "not_possible" and unit is not None and unit is unit_assaulted(position):
        found.append(
            counter_attack.miscalculated(
                f"The log has {unit.id} unable to strike back; it has {count(len(unit.models), 'model')} left.",
                unit.id,
                player=unit.side,
                claimed={"choice": event.choice},
                recomputed={"choice": "declined"},
                evidence=unit_marks(position, unit.id, label="can strike back"),
            )
        )
    return [*found, *tp_faults(counter_attack, event, view, position, hearing, _counter_words)] or RAN


@counter_attack.at(*CLOSING)
def _counter_was_made(event: Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """A counter-attack that was said to be made is recorded when the activation is over."""
    act = open_assault(position)
    if act is None or act.counter != "made" or act.countered or not closes(event, view):
        return None
    return [
        counter_attack.missing(
            [f"the counter-attack that {act.target} is said to have made"], str(act.target), player=OTHER[act.side]
        )
    ]


def _counter_faults(
    event: Attack | Counter,
    who: str,
    unit: Unit | None,
    target: Unit | None,
    view: AttackView | ActView,
    position: Position,
    hearing: Hearing,
) -> Seen:
    """What is wrong with a counter-attack of the unit that goes by the label `who`."""
    act = open_assault(position)
    if act is None or not act.attacked:
        lacks = lack_of_attack(event, position)
        return [
            counter_attack.illegal(f"{who} made a counter-attack, and no Assault was made on it.", who, lacks=lacks)
        ]
    if unit is None and not view.destroyed(who):
        return [counter_attack.missing(["whose counter-attack it is"], who)]
    if unit is None or act.target_hex is None:
        return [counter_attack.illegal(f"{who} made a counter-attack and has no model left on the board.", who)]
    found: list[Remark] = []
    if unit.hex != act.target_hex or unit.side == act.side:
        found.append(
            counter_attack.illegal(
                f"{unit.id} made a counter-attack; the Assault was made on {act.target}.",
                unit.id,
                player=unit.side,
                evidence=unit_marks(position, unit.id, act.target, label="not assaulted"),
            )
        )
    elif target is not None and (target.hex not in act.hexes or target.side != act.side):
        found.append(
            counter_attack.illegal(
                f"{unit.id} made its counter-attack on {target.id}; it may only strike back at {act.unit}.",
                unit.id,
                player=unit.side,
                evidence=unit_marks(position, target.id, label="not the attacker"),
            )
        )
    elif act.countered and isinstance(event, Attack):
        found.append(counter_attack.illegal(f"{unit.id} made a second counter-attack.", unit.id, player=unit.side))
    return [*found, *tp_faults(counter_attack, event, view, position, hearing, _counter_words)] or RAN


def _counter_words(wrong: WrongTps) -> str:
    return f"A counter-attack costs nothing; {wrong.name} keeps its {count(wrong.due or 0, 'TP')}."


@rule(
    MOVE_IN,
    "Free move-in",
    section=10,
    events=("move_unit",),
    kinds=("illegal", "miscalculated", "ambiguous"),
    when={"move_unit": ("move_in",)},
)
def move_in(event: MoveUnit, view: MoveView, position: Position, hearing: Hearing) -> Seen:
    """If the hex of the unit assaulted is empty when all else is over, the activated unit may move into it, whole and
    free.

    Log:  the path.
    Edge: it comes after last stands. Next to further enemies and into rubble is fine.
    """
    if view.cause != "move_in":
        return None
    unit, path = view.actor, view.path
    if unit is None or not path:
        lacking = [what for what, value in (("the unit", unit), ("the path", path)) if not value]
        return [move_in.missing(lacking, *((event.unit,) if event.unit else ()))]
    act = open_assault(position)
    problems: list[str] = []
    if act is None or not act.attacked:
        problems.append("no Assault was made")
    else:
        if unit.side != act.side or unit.hex not in act.hexes:
            problems.append(f"the Assault was made by {act.unit}")
        if act.moved_in and not view.before:
            problems.append("it has moved in already")
        end = path[-1]
        if act.target_hex is not None and end != act.target_hex:
            problems.append(f"{position.at(end)} is not the hex of the unit assaulted, {position.at(act.target_hex)}")
        elif (there := position.by_hex.get(end)) is not None and there is not unit:
            problems.append(f"{position.at(end)} is still held by {there.id}")
        if len(path) != 2:
            problems.append(f"it moves one step, and the path has {len(path) - 1}")
    for step in view.problems:
        problems += [why for _, why in step if why not in problems]
    if event.models is not None and set(event.models) != set(unit.models):
        problems.append(f"only {names(event.models)} of {unit.id} moved")
    found: list[Remark] = []
    if problems:
        found.append(
            move_in.illegal(
                f"{unit.id} could not move in: {'; '.join(problems)}.",
                unit.id,
                claimed={"path": [list(h) for h in event.path or ()]},
                lacks=lack_of_retreat(event) if act and act.attacked else lack_of_attack(event, position),
                evidence=move_marks(path, False, "move-in"),
            )
        )
    return [*found, *tp_faults(move_in, event, view, position, hearing, _move_in_words, actor=True)] or RAN


def _move_in_words(wrong: WrongTps) -> str:
    return f"Moving in costs nothing; {wrong.name} keeps its {count(wrong.due or 0, 'TP')}."
