"""What a line states again of the position: the fields say what (`records`), here is whether the position agrees."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from auditor.core import restated as restating
from auditor.core.fields import restated
from auditor.core.findings import Fact
from auditor.core.restated import Compared
from auditor.systems.hcg import records
from auditor.systems.hcg.position.state import Position

Look = Callable[[Any, Position, Any], "Iterator[tuple[bool, Fact]]"]
"""(event, position, the value) -> cells, each with whether the position agrees."""


def _open(event: records.Event, position: Position, slot: Any) -> Iterator[tuple[bool, Fact]]:
    """A sector to which cards go before the battles of a turn: nobody has taken it, and it was not fought over."""
    if slot in position.sectors:
        sector = position.sectors[slot]
        yield sector.state == "open" and not sector.fought, ("sector", slot)


def _off_the_deck(event: records.Event, position: Position, card: Any) -> Iterator[tuple[bool, Fact]]:
    """A card that came off the deck."""
    if event.by in position.table.other:
        yield position.may_be_drawn(card, event.by), ("at", card)


def _turned_up(event: Any, position: Position, card: Any) -> Iterator[tuple[bool, Fact]]:
    """A card that lay face down at a sector."""
    at, battle = position.at.get(card), position.battle
    if at is not None and battle is not None:
        yield at.zone == "sector" and at.sector == (event.sector or battle.sector), ("at", card)


def _turn(event: records.Event, position: Position, turn: Any) -> Iterator[tuple[bool, Fact]]:
    """The turn that a line says it is of."""
    if turn == position.turn == position.turn_said:
        yield True, "turn"


BEFORE: Mapping[str, Look] = {"open": _open, "off the deck": _off_the_deck, "turned up": _turned_up, "turn": _turn}
"""What is held against the position before the event."""


def _fought_over(event: records.Event, position: Position, slot: Any) -> Iterator[tuple[bool, Fact]]:
    """A sector at which a battle is fought."""
    if slot in position.sectors:
        yield position.sectors[slot].state == "in_battle", ("sector", slot)


def _reset(event: records.Event, position: Position, slot: Any) -> Iterator[tuple[bool, Fact]]:
    """A sector that nobody took in its battle."""
    if slot in position.sectors:
        yield position.sectors[slot].state == "open" and position.sectors[slot].fought, ("sector", slot)


def _taken(event: records.Event, position: Position, slot: Any) -> Iterator[tuple[bool, Fact]]:
    """A sector that its winner took: as the line names it, and the result before it does not say otherwise."""
    victory = position.battle.victory if position.battle is not None else None
    winner = victory.winner if victory is not None and victory.told else event.by
    if slot in position.sectors and winner is not None and event.by in (None, winner):
        sector = position.sectors[slot]
        yield sector.state == "taken" and sector.by == winner and event.turn in (None, position.turn), ("sector", slot)


AFTER: Mapping[str, Look] = {"fought over": _fought_over, "reset": _reset, "taken": _taken}
"""What is held against the position after it."""


def compared(event: records.Event, position: Position, looks: Mapping[str, Look]) -> Compared:
    """What an event states, held against a position."""
    return restating.compared(
        (one.leaf, looks[one.word](event, position, one.leaf.value)) for one in restated(event) if one.word in looks
    )


def state(said: Compared, position: Position) -> None:
    """What an event states as the position has it is known again: all sectors, where each of them is."""
    restating.state(said, position.holes)
    if position.holes.doubt(("sector", slot) for slot in position.sectors) is None:
        position.holes.state(("sectors",))


def stated(event: records.Event, position: Position) -> Compared:
    """What an event states of the position before it."""
    return compared(event, position, BEFORE)
