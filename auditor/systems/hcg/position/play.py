"""An ability that was announced, and what has become of it so far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from auditor.systems.hcg.position.state import Position


@dataclass(frozen=True)
class Table:
    """The table as an ability was announced, by which its X is fixed (HCG-X-01)."""

    position: Position

    def __hash__(self) -> int:
        return 0  # A position has none; equal tables have to have the same.


class Play(NamedTuple):
    """One use of a printed ability.

    seq      the event that announced it
    kind     how it was announced: BA, T, R, M, A, setup, E
    by       who plays it
    zone     hand, sector, fleet, sectorcard: where its card lies; as the log has it where that does not tell
    card     the instance that prints it (of a sector, the card of the set)
    ability  its index in the ability box, or "line"; None where the log does not say
    choices  the cards chosen as it was announced; None: the log names none there
    x        the X named as it was announced
    tactics  how many tactics had been played in its battle action before it
    costs    (op, cards) of the costs paid so far, in order; of a test ("test", ())
    passed   whether its test was passed; None: not rolled, or not settled yet
    late     how many costs had been paid when something followed that all of them must have been paid before
    late_end the same, if the costs of a battle action are paid after its tactics (OR-COSTTIME)
    picked   (player, event, cards, cards left in the hand right after) of each discard for it
    on       the roll or the event that a modifier or a reaction answers
    said     the zone as the log has it
    over     something followed that it must have been done before
    done     (op, cards or number) of what it has done so far, in order
    given    (stat, card, amount, roll) of what it has given to cards on a rolled number so far, in order
    refilled a refill has taken its card off the table since
    table    what its X is counted from, where its text has it counted; None: as the table is now
    astray   played: it cannot be used so (HCG-CMD-02, HCG-BA-02 and the like), chosen: not on what was chosen (HCG-TAC-08 and
             the like). Nobody knows what was played instead, or on which cards it was done
    """

    seq: int
    kind: str
    by: str
    zone: str | None
    card: str
    ability: int | str | None
    choices: tuple[str, ...] | None
    x: int | None = None
    tactics: int = 0
    costs: tuple[tuple[str, tuple[str, ...]], ...] = ()
    passed: bool | None = None
    late: int | None = None
    late_end: int | None = None
    picked: tuple[tuple[str, int, int, int], ...] = ()
    over: bool = False
    on: int | None = None
    said: str | None = None
    done: tuple[tuple[str, tuple[str, ...]], ...] = ()
    given: tuple[tuple[str, str, int, int], ...] = ()
    refilled: bool = False
    table: Table | None = None
    astray: Literal["", "played", "chosen"] = ""
