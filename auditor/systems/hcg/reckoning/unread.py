"""Texts that nobody could read and that may allow what a rule forbids (catalogue 8.6).

Asked only where something is accused: whoever did it may have followed the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from auditor.core.findings import Fault
from auditor.systems.hcg import records
from auditor.systems.hcg.abilities.shapes import Ability
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.reckoning.values import OF_OTHERS, in_force, untold

_ACTS: Mapping[type[records.Event], str] = {
    records.BaShoot: "shoot|shot",
    records.BaCharge: "charg",
    records.BaAssault: "assault",
    records.Block: "block",
    records.Sweep: "sweep",
    records.DeployFirst: "deploy",
    records.DeployRegular: "deploy",
    records.Draw: "draw",
    records.VictoryDiscard: "keep",
}
"""Event type -> how a text names that act."""

_BY_ITSELF = "may"
"""With what a text allows an act that has no name of its own, or that something is left undone."""


def may_allow(event: records.Event, position: Position, fault: Fault) -> str | None:
    """The first text that nobody could read and that may allow what a fault accuses, with its card; None where none does.

    An act: a text that names it, of the card that did it, or one that may reach that card. Something left undone: a text
    that says "may". A wrong number is no act: what feeds it is told by its parts.
    """
    if fault.kind == "illegal":
        named = "counterattack" if getattr(event, "counter", None) else _ACTS.get(type(event))
    else:
        named = _BY_ITSELF if fault.kind == "omitted" else None
    if named is None:
        return None
    cards = {*_who(event), *fault.subject}
    speaks = re.compile(rf"\b({named})", re.IGNORECASE)
    return next((text for text in _unread(cards, position) if speaks.search(text)), None)


def _who(event: records.Event) -> Iterator[str]:
    """The cards by which an act is done."""
    source = getattr(event, "source", None)
    for card in (getattr(event, "unit", None), getattr(event, "card", None), getattr(source, "card", None)):
        if card is not None:
            yield card


def _unread(cards: Iterable[str], position: Position) -> Iterator[str]:
    """The texts that could not be read: on these cards, in force for others, and of what was played and may last."""
    for instance in sorted(cards):
        card = position.card_of(instance)
        if card is not None:
            yield from (f"{card.title}: {text.text}" for text in card.standing if text.status != "full")
    if position.battle is not None:
        for _, title, _, text in in_force(position):
            if text.status != "full" and _speaks_of_others(text):
                yield f"{title}: {text.text}"
        yield from untold(position)


def _speaks_of_others(text: Ability) -> bool:
    return not OF_OTHERS.isdisjoint(re.findall(r"[a-z]+", text.text.lower()))
