"""What a planter looks at while a game is being played, and what it says an audit must find."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from auditor.conformance.calth.position import Event, Position, Unit
from auditor.conformance.calth.tables import (
    other,
)

if TYPE_CHECKING:
    from auditor.conformance.calth.plant.table import SpoiledTable


CLOSING = ("activate", "pass", "round_end", "scenario_end")


@dataclass
class Expected:
    """What an audit must find. `seq` is 0 while the event that shows an omission is still to come.

    `also` is what must be found beside it, where one act breaks several rules (CAL-AUD-03): at the same event, if it
    bears no `seq` of its own.
    """

    rule: str
    kind: str
    player: str | None
    text: str
    claimed: Mapping[str, Any] | None = None
    recomputed: Mapping[str, Any] | None = None
    seq: int = 0
    at_next: tuple[str, ...] = ()
    also: list[Expected] = field(default_factory=list)

    def breaks_too(self, rule: str, text: str) -> Expected:
        """The same fault, where the act breaks another rule in the same way."""
        self.also.append(Expected(rule, self.kind, self.player, text))
        return self

    def as_json(self) -> dict[str, Any]:
        """As it stands in an `expected.json`."""
        line: dict[str, Any] = {
            "rule": self.rule, "kind": self.kind, "seq": self.seq, "player": self.player, "text": self.text,
        }  # fmt: skip
        if self.claimed is not None:
            line["claimed"] = dict(self.claimed)
        if self.recomputed is not None:
            line["recomputed"] = dict(self.recomputed)
        if self.also:
            line["also"] = [{**one.as_json(), "seq": one.seq or self.seq} for one in self.also]
        return line


def findings_of(fault: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The findings that a fault must lead to, one by one, from `Expected.as_json`."""
    return [fault, *fault.get("also", ())]


@dataclass
class Moment:
    """An event while it is being written, with the units of an attack."""

    table: SpoiledTable
    event: Event
    unit: Unit | None = None
    target: Unit | None = None

    @property
    def position(self) -> Position:
        """What stands on the table."""
        return self.table.position

    @property
    def side(self) -> str:
        """The player who acts."""
        if self.unit is not None:
            return self.unit.side
        return str(self.event["player"])

    @property
    def foe(self) -> str:
        """The other player."""
        return other(self.side)

    @property
    def step(self) -> dict[str, Any]:
        """The newest step of an attack's damage loop."""
        newest: dict[str, Any] = self.event["steps"][-1]
        return newest

    def step_field(self, name: str) -> str:
        """The log field of the newest step."""
        return f"steps.{len(self.event['steps']) - 1}.{name}"

    def fault(
        self, rule: str, kind: str, player: str | None, text: str, name: str = "", claimed: Any = None, due: Any = None
    ) -> Expected:
        """What the audit must find in this event."""
        if not name:
            return Expected(rule, kind, player, text)
        return Expected(rule, kind, player, text, {name: claimed}, {name: due})


Spoiler = Callable[[Moment], Expected | None]
Misdeed = Callable[["SpoiledTable", str], Expected | None]
