"""An event in its position: what the rules ask of each kind of event.

A view is made for each event and works out what is asked for, when it is asked for. What hangs on a reading is worked
out anew each time, so that no remembered answer swallows a question; only what asks nothing is kept.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import pairwise
from typing import Any, Literal

from auditor.core.fields import leaves
from auditor.core.lazily import cached_property
from auditor.geometry.hexes import Hex
from auditor.systems.calth import records
from auditor.systems.calth.reckoning.labels import (
    Meant,
    is_gone,
    left_out,
    side_of_gone,
    unit_acting,
    unit_assaulted,
    unit_called,
    unit_meant,
    units_listed,
)
from auditor.systems.calth.reckoning.licence import (
    Licence,
    Warrant,
    change_told,
    destruction_told,
    licence_of,
    removal_told,
    warrant_by_scenario,
)
from auditor.systems.calth.reckoning.moves import MapProblem, Problem, can_stand, problems_of_step
from auditor.systems.calth.reckoning.overrides import override_named
from auditor.systems.calth.state import SIDES, Moving, Position, Unit, side_key
from auditor.systems.calth.words import names as listed

MovesCause = Literal["consolidate", "retreat"]


class View:
    """An event in its position, and the phase and the round that it belongs to.

    actor    the unit that acts
    late     what is said of a step that comes too late in its round
    licence  whether the open activation allows the act: see `licence`
    cause    for moves, what the move belongs to
    warrant  for lines that change the position by themselves, what stands behind them
    astray   what the event names and all else in it contradicts, in sentences
    subject  what the event names that rules go by
    """

    __slots__ = ("event", "named", "phase", "position", "round")

    actor: Unit | None = None
    late: str | None = None
    licence: Licence = "part"
    cause: str | None = None
    warrant: Warrant | None = None
    astray: tuple[str, ...] = ()
    subject: tuple[str, ...] = ()
    event: records.Event
    named: frozenset[str]
    phase: str
    round: int

    def __init__(self, event: records.Event, position: Position) -> None:
        self.event = event
        self.position = position

    def __getattr__(self, name: str) -> Any:
        """The phase, the round and the units that the event names, worked out when they are first asked for."""
        if name not in ("named", "phase", "round"):
            raise AttributeError(name)
        value: Any = getattr(self, f"_{name}")()
        setattr(self, name, value)
        return value

    def _named(self) -> frozenset[str]:
        return frozenset(leaf.value for leaf in leaves(self.event) if leaf.of == "unit")

    def _phase(self) -> str:
        return self.position.phase

    def _round(self) -> int:
        return self.position.round

    def __eq__(self, other: object) -> bool:
        # Resolving asks no reading here, so the same event is resolved alike whatever the options.
        return isinstance(other, View) and self.event is other.event

    __hash__ = None  # type: ignore[assignment]

    def destroyed(self, label: str | None) -> bool:
        """Whether the unit of that label, one of the player's, has lost all its models."""
        position, player = self.position, self.event.player
        if not is_gone(position, label, player):
            return False
        return player is None or label in position.shared or side_of_gone(position, label) in (None, player)

    def explains(self, model: str) -> bool:
        """Whether something before removes this model."""
        return model in self.position.casualties or model in self.position.removed


class FloatingView(View):
    """Events that may stand between any others; what they state of the moment is taken as it is, as far as it can be."""

    __slots__ = ()

    def _phase(self) -> str:
        return self.event.phase if self.event.phase is not None else self.position.phase

    def _round(self) -> int:
        return round_of(self.event, self.position)


def round_of(event: records.Event, position: Position) -> int:
    """The round of an event that may stand between any others: as it says, as far as that can be."""
    stated, now = event.round, position.round
    return stated if stated is not None and stated in (now, now + 1) else now


RIGHT = (None, None)
"""Neither the round nor the phase is astray."""


def labels_astray(event: records.Event, view: View) -> tuple[Hashable, Hashable]:
    """The round and the phase that an event states and does not belong to, so that like ones are equal; None where
    they are right or not stated. A stated position has none: it says what the round and the phase are.
    """
    if event.round == view.round and event.phase == view.phase:
        return RIGHT  # as in nearly all events
    round_ = phase = None
    if type(event) is not records.Position:
        if event.round is not None and event.round != view.round:
            round_ = event.round - view.round
        if event.phase is not None and event.phase != view.phase:
            phase = event.phase, view.phase
    return round_, phase


class RemovalView(FloatingView):
    """`removal`: what licenses the removal of models."""

    __slots__ = ("removal", "warrant")
    event: records.ModelRemoved | records.UnitRemoved

    def __init__(self, event: records.ModelRemoved | records.UnitRemoved, position: Position) -> None:
        FloatingView.__init__(self, event, position)
        self.removal = removal_told(event, position)
        self.warrant = self.removal.warrant


class DestructionView(FloatingView):
    """`destruction`: what licenses the destruction of a weapon."""

    __slots__ = ("destruction", "warrant")
    event: records.WeaponDestroyed

    def __init__(self, event: records.WeaponDestroyed, position: Position) -> None:
        FloatingView.__init__(self, event, position)
        self.destruction = destruction_told(event, position)
        self.warrant = self.destruction.warrant


class PlaceView(FloatingView):
    """A model is placed; after the set-up that takes a licence."""

    event: records.Place

    def __init__(self, event: records.Place, position: Position) -> None:
        FloatingView.__init__(self, event, position)
        meant = position.recorded.set_up.meant.get(event.seq)
        self.astray = ()
        if meant is not None:
            model, hex_ = meant
            where = f"in {position.at(hex_)}" if hex_ is not None else "elsewhere"
            self.astray = (f"By all else in the record, {model} was placed {where}.",)
        label = position.recorded.set_up.labels.get(event.seq)
        if label is not None:
            self.astray = (*self.astray, f"{event.unit} is named, and the others there are {label}.")

    @cached_property
    def warrant(self) -> Warrant | None:  # type: ignore[override]
        if self.position.phase in ("setup", "over"):
            return None
        return warrant_by_scenario(self.event, self.position)


class StatedView(FloatingView):
    """A stated position."""

    __slots__ = ()
    event: records.Position

    @property
    def differences(self) -> list[str]:
        """What a stated position changes, in sentences."""
        return stated_differences(self.event, self.position)


# -- the steps of a round -------------------------------------------------------------------------------------


class InitiativeView(View):
    event: records.Initiative

    @cached_property
    def phase(self) -> str:  # type: ignore[override]
        return (self.event.phase if self.late is not None else None) or "initiative"

    @cached_property
    def round(self) -> int:  # type: ignore[override]
        return self.position.round + 1 if self._begins_a_round() else self.position.round

    @cached_property
    def late(self) -> str | None:  # type: ignore[override]
        position = self.position
        if position.phase not in ("ready", "action") or self._begins_a_round():
            return None
        whom = self.event.winner or "somebody"
        if position.rolled:
            return f"The log gives {whom} the initiative of round {position.round} a second time."
        return f"The log gives {whom} the initiative of round {position.round} after the ready phase had begun."

    def _begins_a_round(self) -> bool:
        position = self.position
        return position.phase == "action" and (position.rolled or position.last_side is not None)


class DrawView(FloatingView):
    """`licensed`: effects allow what this draws beyond the one card of the ready phase."""

    __slots__ = ("late", "licensed")
    event: records.CardDraw

    def __init__(self, event: records.CardDraw, position: Position) -> None:
        # Where nobody says who drew, it may have been either.
        who = SIDES if event.player is None else (event.player,)
        drawn = max(position.drawn.get(side, 0) for side in who)
        self.late = None
        count = event.count if event.count is not None else 1
        allowed = max(position.draws_allowed.get(side, 0) for side in who)
        effect = known.effect if (known := override_named(position, event)) is not None else None
        by_text = event.override is not None and effect is None
        if effect is not None and effect.draw is not None:
            allowed += effect.draw
        # The draw of the ready phase is due besides; it comes first.
        due = 0 if position.phase == "action" or drawn else 1
        self.licensed = by_text or (allowed > 0 and 0 <= count - due <= allowed)
        View.__init__(self, event, position)
        if self.licensed:
            return
        self.phase, self.round = "ready", position.round
        if position.phase == "initiative" and not position.rolled:
            self.phase = event.phase or "ready"
        elif position.phase == "action":
            self.phase = event.phase or "ready"
            if not drawn:
                self.late = f"{event.player or 'A player'} drew the Command card of the ready phase after the actions had begun."
        elif position.phase == "setup":
            self.phase = event.phase or "setup"


FEW = 3
"""Units that a sentence names one by one."""


class RefreshView(View):
    """`listed`: the unit of each entry; a label that names none means the one unit that is left out."""

    event: records.TpRefresh

    @cached_property
    def _stray(self) -> tuple[int, Unit] | None:
        return left_out(self.position, [entry.unit for entry in self.event.units or ()], self._called)

    @cached_property
    def _called(self) -> list[Unit | None]:
        return units_listed(self.position, [(entry.unit, entry.tp_before) for entry in self.event.units or ()])

    @cached_property
    def listed(self) -> list[Unit | None]:
        place, unit = self._stray or (None, None)
        return [unit if number == place else one for number, one in enumerate(self._called)]

    @cached_property
    def astray(self) -> tuple[str, ...]:  # type: ignore[override]
        if self._stray is None:
            return ()
        label, unit = (self.event.units or ())[self._stray[0]].unit, self._stray[1]
        return (f"{label} is named, and no unit of that name is on the board; {unit.id} is meant.",)

    def _phase(self) -> str:
        position = self.position
        begun = position.phase == "action" or (position.phase == "initiative" and not position.rolled)
        return (self.event.phase if begun else None) or "ready"

    @cached_property
    def late(self) -> str | None:  # type: ignore[override]
        if self.position.phase != "action" or self._gives_again(self.position):
            return None
        return f"The log gives {self._whose()} their TPs after the actions had begun."

    def _whose(self) -> str:
        """The units that are listed, where they are few, else of whom they are."""
        there = [unit for unit in self.listed if unit is not None]
        if 0 < len(there) == len(self.listed) <= FEW:
            return listed(unit.id for unit in there)
        sides = sorted({unit.side for unit in there})
        return f"units of {' and '.join(sides)}" if sides else "units"

    def _gives_again(self, position: Position) -> bool:
        """Whether every unit listed has had its TPs of this round: then none is given late."""
        if not (position.awaited or frozenset()).isdisjoint(entry.unit for entry in self.event.units or ()):
            return False  # they are awaited
        given = position.refreshed or ()
        return bool(self.listed) and all(unit is not None and unit.id in given for unit in self.listed)


class PassView(View):
    __slots__ = ()
    event: records.Pass

    def _phase(self) -> str:
        return "action" if self.position.phase == "ready" else self.position.phase


class RoundEndView(View):
    __slots__ = ()
    event: records.RoundEnd

    def _phase(self) -> str:
        phase = self.position.phase
        return phase if phase == "action" else self.event.phase or phase


# -- acts of units --------------------------------------------------------------------------------------------


class NamedView(View):
    """An act of the unit that it names, or that it means all the same (`unit_meant`)."""

    @cached_property
    def meant(self) -> Meant:
        raise NotImplementedError

    @cached_property
    def actor(self) -> Unit | None:  # type: ignore[override]
        return self.meant.unit

    @property
    def astray(self) -> tuple[str, ...]:  # type: ignore[override]
        return self.meant.astray


class ActView(NamedView):
    """What an event says of the unit that an Assault is made on."""

    event: records.Counter | records.Retreat

    def __init__(self, event: records.Counter | records.Retreat, position: Position) -> None:
        View.__init__(self, event, position)
        self.phase = "action"

    @cached_property
    def meant(self) -> Meant:
        event, position = self.event, self.position
        unit, astray = unit_meant(position, event.unit, event.player, unit_assaulted, alone=True)
        if isinstance(event, records.Counter) and event.choice in ("declined", "not_possible"):
            if unit is not None and unit is not unit_assaulted(position):
                astray = (*astray, f"{unit.id} is said not to strike back, and nobody attacked it.")
        return Meant(unit, astray)


class ActivationView(View):
    """`side_due` is the side whose turn it is; `disputed`: nobody can tell whose unit was activated, since what is named
    is of the other side than the player.
    """

    event: records.Activate

    def _phase(self) -> str:
        position = self.position
        return (self.event.phase if position.phase == "initiative" and not position.rolled else None) or "action"

    @cached_property
    def side_due(self) -> str | None:
        return self.position.side_to_act()

    @cached_property
    def actor(self) -> Unit | None:  # type: ignore[override]
        return unit_called(self.position, self.event.unit, self.event.player or self.side_due)

    @cached_property
    def is_late(self) -> bool:
        """Whether it activates a unit for what that has done before it."""
        act = self.position.act
        if act is None or act.told or act.action != self.event.action:
            return False
        return self.actor is not None and self.position.of_act(act.hex) is self.actor

    @cached_property
    def disputed(self) -> bool:
        event, unit = self.event, self.actor
        if unit is None:
            return is_gone(self.position, event.unit, event.player) and not self.destroyed(event.unit)
        return event.player is not None and event.player != unit.side != self.side_due

    @cached_property
    def subject(self) -> tuple[str, ...]:  # type: ignore[override]
        event, unit = self.event, self.actor
        in_doubt = (
            unit is None
            or (event.player != unit.side and event.player is not None)
            or (event.tp_before != unit.tp and event.tp_before is not None)
        )
        found = ("in doubt",) if in_doubt else ()
        return (*found, "action unstated") if event.action is None else found


class MoveView(NamedView):
    """A move of a unit.

    actor    the unit of that label; where nobody bears it, the one that stands where the path starts
    path     as it is judged: from where the unit stands if it cannot have stood where the event starts, and with what
             the lines before went of it
    before   how many hexes of it are of lines before
    steps    the steps that this event makes, from hex to hex
    problems why each step cannot be made by any model; empty where all can
    recast   the event states another cause, and the move fits the action declared as what `cause` names
    """

    event: records.MoveUnit

    def _phase(self) -> str:
        if self.cause == "scenario" and not self.recast:
            return self.event.phase if self.event.phase is not None else self.position.phase
        return "action" if self.position.phase != "setup" else "setup"

    def _round(self) -> int:
        by_scenario = self.cause == "scenario" and not self.recast
        return round_of(self.event, self.position) if by_scenario else self.position.round

    @cached_property
    def meant(self) -> Meant:
        event = self.event
        start = event.path[0] if event.path else None
        models = event.models or ()
        return unit_meant(self.position, event.unit, event.player, unit_acting, models=models, start=start)

    @cached_property
    def _own(self) -> Sequence[Hex]:
        """The path of this event, from where the unit can have stood."""
        own: Sequence[Hex] = self.event.path or ()
        unit = self.actor
        if own and unit is not None and not could_start(self.position, unit, own[0]):
            return (unit.hex, *own[1:])
        return own

    @cached_property
    def steps(self) -> Sequence[tuple[Hex, Hex]]:
        return list(pairwise(self._own))

    @cached_property
    def _stated(self) -> str | None:
        """The cause that the event states, else that of the action declared."""
        if self.event.cause is not None:
            return self.event.cause
        act = self.position.act
        if act is None:
            return None
        if act.action == "assault":
            return "move_in" if act.attacked else "assault_pre"
        return act.action if act.action in ("advance", "run") else None

    @property
    def _going(self) -> Moving | None:
        """The move of the line before, where this one goes on with it as the record shows."""
        position = self.position
        return position.moving if position.recorded.goes_on(self.event.seq) else None

    @cached_property
    def _begun(self) -> Sequence[Hex]:
        """What the lines before went of the path that this one goes on with."""
        own, unit = self._own, self.actor
        going = self._going if own else None
        if unit is None or going is None or not going.path or going.path[-1] != own[0] or unit.hex != going.hex:
            return ()
        return going.path if self._stated == going.cause else ()

    @cached_property
    def path(self) -> Sequence[Hex]:
        return (*self._begun, *self._own[1:]) if self._begun else self._own

    @cached_property
    def before(self) -> int:
        return len(self._begun)

    @property
    def _goes_on(self) -> bool:
        """Whether the line goes on with the move of the one before; one that states no path may."""
        if self.event.path:
            return bool(self.before)
        return self._going is not None and self._going.cause == self._stated

    @cached_property
    def _part(self) -> str | None:
        """The part of the action declared as which a move of another cause fits (CAL-ACT-03)."""
        cause, unit, position = self._stated, self.actor, self.position
        of_an_assault, a_step = cause in ("assault_pre", "move_in"), cause != "scenario" and len(self.path) == 2
        a_step = a_step and not self.problems
        if self.before or unit is None or not (of_an_assault or a_step):
            return None
        act = position.act
        if act is None or unit is not unit_acting(position):
            return None
        if act.action in ("advance", "run") and of_an_assault:
            return act.action
        if act.action != "assault" or not a_step or self.path[-1] in position.by_hex:
            return None
        if act.attacked:
            return "move_in" if cause != "move_in" and self.path[-1] == act.target_hex else None
        if cause == "assault_pre" or act.premoved or act.moved or position.next_to_enemy(unit.hex, unit.side):
            return None
        return "assault_pre" if position.next_to_enemy(self.path[-1], unit.side) else None

    @property
    def recast(self) -> bool:
        return self._part is not None

    @cached_property
    def cause(self) -> str | None:  # type: ignore[override]
        return self._part or self._stated

    @cached_property
    def licence(self) -> Licence:  # type: ignore[override]
        if self.recast:
            return "other"
        position, act = self.position, self.position.act
        if self.cause == "advance" or self.cause == "run":
            return licence_of(position, self.actor, self.cause, act is not None and act.moved and not self._goes_on)
        if self.cause == "assault_pre":
            made = act is not None and (act.attacked or (act.premoved and not self._goes_on))
            return licence_of(position, self.actor, "assault", made)
        return "part"

    @cached_property
    def warrant(self) -> Warrant | None:  # type: ignore[override]
        if self.cause != "scenario" or self.recast or self.actor is None:
            return None
        return warrant_by_scenario(self.event, self.position)

    @cached_property
    def problems(self) -> Sequence[tuple[Problem, ...]]:
        found = [problems_of_step(self.position, start, end) for start, end in self.steps]
        return found if any(found) else ()

    @cached_property
    def subject(self) -> tuple[str, ...]:  # type: ignore[override]
        event, unit = self.event, self.actor
        found: tuple[str, ...] = () if self.cause is None else (self.cause,)
        if unit is None or (event.path and event.path[0] != unit.hex):
            found += ("in doubt",)
        if not event.path or self.problems or self.cause == "scenario":
            found += ("not free",)
        if event.models:
            found += ("models named",)
        if self.licence != "activation":
            found += ("not as activated",)
        return found

    def breaks(self, problem: MapProblem) -> list[str]:
        """What steps of the path break one rule of the map, in words."""
        return [why for step in self.problems for kind, why in step if kind is problem]


class MovesView(NamedView):
    """Moves of single models: a Consolidate or a retreat.

    going     where each model goes, of those whose destination is stated
    arriving  for each hex entered the models of the rosters that enter it
    before    the models that lines before of the same move have moved; None where this is the first
    problems  why the unit's models cannot go where they go, one entry for each of `going`; empty where all can
    """

    event: records.MoveModels

    def __init__(self, event: records.MoveModels, position: Position) -> None:
        View.__init__(self, event, position)
        self.phase = "action"
        self.going = [(m.model, m.to) for m in event.moves or () if m.model is not None and m.to is not None]

    @cached_property
    def cause(self) -> MovesCause | None:  # type: ignore[override]
        act = self.position.act if self.event.cause is None else None
        if act is not None:
            return "consolidate" if act.action == "consolidate" else "retreat"
        return self.event.cause

    @cached_property
    def meant(self) -> Meant:
        event, due = self.event, unit_assaulted if self.cause == "retreat" else unit_acting
        models = [m.model for m in event.moves or ()]
        return unit_meant(self.position, event.unit, event.player, due, models=models)

    @cached_property
    def before(self) -> tuple[str, ...] | None:
        unit, position = self.actor, self.position
        if unit is None or not position.recorded.goes_on(self.event.seq):
            return None
        going = position.moving
        on = going is not None and not going.path and unit.hex == going.hex
        return going.models if on and going is not None and self.cause == going.cause else None

    @cached_property
    def licence(self) -> Licence:  # type: ignore[override]
        if self.cause != "consolidate":
            return "part"
        act = self.position.act
        done = act is not None and act.moved and self.before is None
        return licence_of(self.position, self.actor, "consolidate", done)

    @cached_property
    def problems(self) -> Sequence[tuple[Problem, ...]]:
        unit = self.actor
        found = [problems_of_step(self.position, unit.hex, to) for _, to in self.going] if unit is not None else []
        return found if any(found) else ()

    @cached_property
    def subject(self) -> tuple[str, ...]:  # type: ignore[override]
        found: tuple[str, ...] = () if self.cause is None else (self.cause,)
        if self.actor is None:
            found += ("in doubt",)
        if self.actor is None or not self.event.moves or self.problems:
            found += ("not free",)
        if self.licence != "activation":
            found += ("not as activated",)
        return found

    @cached_property
    def arriving(self) -> dict[Hex, list[str]]:
        found: dict[Hex, list[str]] = {}
        for model, to in self.going:
            entering = found.setdefault(to, []) if model in self.position.table.models else None
            if entering is not None and model not in entering:
                entering.append(model)
        return found

    def breaks(self, problem: MapProblem) -> list[tuple[str, Hex, list[str]]]:
        """The models whose move breaks one rule of the map: the model, its destination, why."""
        broken: list[tuple[str, Hex, list[str]]] = []
        if self.problems:
            for (model, to), step in zip(self.going, self.problems, strict=True):
                why = [words for kind, words in step if kind is problem]
                if why:
                    broken.append((model, to, why))
        return broken


class LastStandView(NamedView):
    """Who makes a last stand: the unit named, else the one assaulted, else the one of the first model that rolls."""

    event: records.LastStand

    def __init__(self, event: records.LastStand, position: Position) -> None:
        View.__init__(self, event, position)
        self.phase = "action"

    @cached_property
    def meant(self) -> Meant:
        event, position = self.event, self.position
        found = unit_meant(position, event.unit, event.player, unit_assaulted, models=event.models or ())
        if found.unit is None and unit_called(position, event.unit) is None:
            return found._replace(unit=unit_assaulted(position))
        return found


class LossView(FloatingView):
    """`change`: what licenses the loss, and what it comes to."""

    __slots__ = ("actor", "change", "warrant")
    event: records.TpLoss

    def __init__(self, event: records.TpLoss, position: Position) -> None:
        FloatingView.__init__(self, event, position)
        self.change = change_told(event, position)
        self.actor = self.change.unit
        self.warrant = self.change.warrant


def could_start(position: Position, unit: Unit, start: Hex) -> bool:
    """Whether a unit can have stood where a record lets it start: there, or where it is free to stand (CAL-AUD-06)."""
    return start == unit.hex or (start not in position.by_hex and can_stand(position, start, unit.side, unit.models))


def stated_differences(event: records.Position, position: Position) -> list[str]:
    """Where a stated position differs from the replayed one, in sentences."""
    told: list[str] = []
    stated: dict[str, tuple[Hex | None, int | None]] = {}
    for entry in event.units or ():
        for model in entry.models or ():
            stated[model] = (entry.hex, entry.tp)
    if event.units is not None:
        for model, unit in position.unit_of.items():
            if model not in stated:
                told.append(f"{model} stood at {position.at(unit.hex)} and is not in the stated position.")
            else:
                hex_, tp = stated[model]
                if hex_ is not None and hex_ != unit.hex:
                    told.append(
                        f"{model} is stated at {position.at(hex_)}; "
                        f"by the record so far it stands at {position.at(unit.hex)}."
                    )
                elif tp is not None and tp != unit.tp and model == unit.models[0]:
                    told.append(f"{unit.id} is stated with {tp} TPs; by the record so far it has {unit.tp}.")
        for model in stated:
            if model not in position.unit_of:
                told.append(f"{model} is stated on the board; by the record so far it is not there.")
    for door_entry in event.doors or ():
        if door_entry.edge is not None and door_entry.state is not None:
            door = side_key(*door_entry.edge)
            if (door_entry.state == "sealed") != (door in position.sealed):
                told.append(
                    f"The door {position.at(door[0])} | {position.at(door[1])} is stated as {door_entry.state}; "
                    "by the record so far it is not."
                )
    if event.initiative is not None and event.initiative != position.initiative:
        told.append(
            f"The initiative is stated for {event.initiative}; by the record so far "
            f"{position.initiative or 'nobody'} has it."
        )
    return told
