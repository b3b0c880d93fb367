"""What the events of one action held by their stated or computed effects, so that a line may restate it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from auditor.conformance.calth.board import Edge
from auditor.conformance.calth.position import Event


@dataclass
class Held:
    """Effects since the last `activate`; doors since the round began.

    losses    unit -> TPs lost by one event of this action, and the rule that took them
    hit       models on which an attack of this action rolled -> the rule about their fate
    removed   models removed in this action
    left      labels of units of which nobody is left where they stood
    weapons   (model, weapon) destroyed in this action
    drawn     Damage cards drawn in this action
    played    what was played in this action: the cards as the data know them
    overheated  models whose plasma effect was triggered
    """

    losses: dict[str, tuple[int, str]] = field(default_factory=dict)
    hit: dict[str, str] = field(default_factory=dict)
    removed: set[str] = field(default_factory=set)
    left: set[str] = field(default_factory=set)
    weapons: set[tuple[str, str]] = field(default_factory=set)
    drawn: list[str] = field(default_factory=list)
    locations: bool = False
    played: list[Event] = field(default_factory=list)
    unread: bool = False
    overheated: set[str] = field(default_factory=set)
    doors: Mapping[Edge, Any] = field(default_factory=dict)

    def next_action(self) -> Held:
        """Nothing of this action is held in the next one."""
        return Held(doors=self.doors)
