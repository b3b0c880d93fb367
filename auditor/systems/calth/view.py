"""An event in its position: what the rules ask of every kind of event."""

from __future__ import annotations

from typing import Any

from auditor.geometry.hexes import Hex
from auditor.systems.calth.state import Position, Unit, side_key


class View:
    """An event in its position. Attributes that a kind of event does not have are None."""

    __slots__ = (
        "actor",
        "cause",
        "echo",
        "event",
        "late",
        "licence",
        "licensed_draw",
        "phase",
        "position",
        "round",
        "side_due",
    )

    def __init__(self, event: Any, position: Position) -> None:
        self.event = event
        self.position = position
        self.actor: Unit | None = None
        self.cause: str | None = None
        self.licence: str = "part"
        self.phase: str = position.phase
        self.round: int = position.round
        self.late: str | None = None
        self.side_due: str | None = None
        self.licensed_draw = False
        self.echo = False

    def __eq__(self, other: object) -> bool:
        # Resolving asks no reading here, so the same event is resolved alike whatever the options.
        return isinstance(other, View) and self.event is other.event

    __hash__ = None  # type: ignore[assignment]

    @property
    def subject(self) -> tuple[str, ...]:
        """What the event names that rules go by."""
        return () if self.cause is None else (self.cause,)

    @property
    def differences(self) -> list[str]:
        """What a stated position changes, in sentences."""
        return stated_differences(self.event, self.position)

    def destroyed(self, label: str) -> bool:
        """Whether the unit of that label has lost all its models."""
        return label in self.position.gone and label not in self.position.units

    def explains(self, model: str) -> bool:
        """Whether something before removes this model."""
        return model in self.position.casualties or model in self.position.removed

    def tps_after(self, label: str) -> int | None:
        """TPs that the unit has after this event by the rules; None where that is another rule's business."""
        unit = self.position.units.get(label)
        kind = type(self.event).__name__
        if unit is None or kind in (
            "Activate",
            "TpRefresh",
            "MoveModels",
            "LastStand",
            "TpLoss",
            "Position",
            "CardPlay",
        ):
            return None
        if kind == "Attack":
            return None if self.event.attacker == label or self.event.target == label else unit.tp
        if kind == "MoveUnit" and self.event.unit == label:
            return None if self.cause == "move_in" else unit.tp
        return unit.tp


def acting_unit(position: Position, label: str | None, start: Hex | None, side: str | None) -> Unit | None:
    """The unit that a label means; where nobody bears it, the one that stands where the act starts."""
    unit = position.units.get(label) if label is not None else None
    if unit is None and start is not None and label not in position.gone:
        unit = position.by_hex.get(start)
        if unit is not None and side is not None and unit.side != side:
            unit = None
    return unit


def licence(view: View, unit: Unit | None, action: str, done: bool) -> None:
    """Whether the open activation allows this action: activation | second | other | none."""
    act = view.position.act
    if act is None or unit is None or unit.side != act.side or unit.hex != act.hex:
        view.licence = "none" if unit is not None else "part"
        return
    if act.action == action:
        view.licence = "second" if done else "activation"
    elif act.moved or act.attacked:
        view.licence = "second"
    else:
        view.licence = "other"


def stated_differences(event: Any, position: Position) -> list[str]:
    """Where a stated position differs from the replayed one, in sentences."""
    told: list[str] = []
    stated: dict[str, tuple[Any, int | None]] = {}
    for entry in event.units or ():
        for model in entry.models or ():
            stated[model] = (entry.hex, entry.tp)
    if event.units is not None:
        for model, unit in position.unit_of.items():
            if model not in stated:
                told.append(f"{model} stood at {unit.hex[0]},{unit.hex[1]} and is not in the stated position.")
            else:
                hex_, tp = stated[model]
                if hex_ is not None and hex_ != unit.hex:
                    told.append(
                        f"{model} is stated at {hex_[0]},{hex_[1]}; by the record so far it stands at {unit.hex[0]},{unit.hex[1]}."
                    )
                elif tp is not None and tp != unit.tp and model == unit.models[0]:
                    told.append(f"{unit.id} is stated with {tp} TPs; by the record so far it has {unit.tp}.")
        for model in stated:
            if model not in position.unit_of:
                told.append(f"{model} is stated on the board; by the record so far it is not there.")
    for entry in event.doors or ():
        if entry.edge is not None and entry.state is not None:
            door = side_key(*entry.edge)
            if (entry.state == "sealed") != (door in position.sealed):
                told.append(
                    f"The door {door[0][0]},{door[0][1]} | {door[1][0]},{door[1][1]} is stated as {entry.state}; by the record so far it is not."
                )
    if event.initiative is not None and event.initiative != position.initiative:
        told.append(
            f"The initiative is stated for {event.initiative}; by the record so far {position.initiative or 'nobody'} has it."
        )
    return told
