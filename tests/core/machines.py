"""A game without a meaning: its events are small programs over three registers that ask readings as they go.

Whatever a game does with readings, one of these does it too: asks in resolve, in a check, in adopt or in all three,
asks one reading only under an option of another, leaves different positions, and makes them equal again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from auditor.core.findings import Fault
from auditor.core.holes import Holes
from auditor.core.ruleset import Ruleset, rule
from auditor.core.rulings import Option, Reading

Program = tuple[Any, ...]
"""("is", n) | ("in", register) | ("sum", a, b) | ("ask", reading, {option: program}) | ("settle", program)"""

READINGS = {"R-A": ("a1", "a2"), "R-B": ("b1", "b2", "b3"), "R-C": ("c1", "c2")}


@dataclass(slots=True)
class Act:
    """`result` goes to a register: as claimed, else as resolved, or what `instead` gives while it is adopted."""

    seq: int
    register: int
    result: Program
    claimed: int | None = None
    instead: Program | None = None
    limit: Program = ("is", 0)
    player: str | None = None


@dataclass(slots=True)
class Registers:
    values: list[int] = field(default_factory=lambda: [0, 0, 0])
    holes: Holes = field(default_factory=Holes)

    def copy(self) -> Registers:
        return Registers(list(self.values), self.holes.copy())


def ask(reading: str, **answers: int) -> Program:
    """The program that asks a reading and gives a number for each option."""
    return ("ask", reading, {option: ("is", value) for option, value in answers.items()})


class Settling:
    """What a program asks while it is settled."""

    def __init__(self, ask: Callable[[str], str]) -> None:
        self.ask = ask

    def settle(self, program: Callable[[Callable[[str], str]], int]) -> int:
        return program(self.ask)


def work_out(program: Program, position: Registers, hearing: Any) -> int:
    """The number that a program comes to, 0 to 2."""
    match program:
        case ("is", number):
            return int(number)
        case ("in", register):
            return position.values[register]
        case ("sum", a, b):
            return (work_out(a, position, hearing) + work_out(b, position, hearing)) % 3
        case ("ask", reading, answers):
            return work_out(answers[hearing.ask(reading)], position, hearing)
        case ("settle", settled):
            return int(hearing.settle(lambda ask: work_out(settled, position, Settling(ask))))
    raise ValueError(program)


def adopt(event: Act, resolved: int, position: Registers, hearing: Any) -> None:
    if event.claimed is not None:
        value = event.claimed
    elif event.instead is not None:
        value = work_out(event.instead, position, hearing)
    else:
        value = resolved
    position.values[event.register] = value


@rule("MAC-RESULT", "Result", chapter="All", source="toy", events=["act"], kinds=["miscalculated", "omitted"])
def the_result_is_what_the_program_gives(event: Act, resolved: int, position: Registers, hearing: Any) -> Any:
    """A result that is claimed is the one worked out."""
    if event.claimed is None:
        return None
    if event.claimed == resolved:
        return ()
    kind: Any = ("omitted", "miscalculated", "ambiguous")[resolved]
    return [Fault("MAC-RESULT", kind, "Wrong.", claimed=event.claimed, recomputed=resolved, rests_on=())]


@rule("MAC-LIMIT", "Limit", chapter="All", source="toy", events=["act"], kinds=["illegal"])
def the_register_is_below_the_limit(event: Act, resolved: int, position: Registers, hearing: Any) -> Any:
    """A register that is used stays below a limit, and two faults may be alike."""
    for _ in range(work_out(event.limit, position, hearing)):
        yield Fault("MAC-LIMIT", "illegal", "Too much.", (f"r{event.register}",), rests_on=())


MACHINE = Ruleset(
    key="machine",
    title="Machine",
    version="1",
    events={Act: "act"},
    rules=(the_result_is_what_the_program_gives, the_register_is_below_the_limit),
    readings=tuple(Reading(key, key, tuple(Option(o, o) for o in names), names[0]) for key, names in READINGS.items()),
    opening=lambda record: Registers(),
    resolve=lambda event, position, hearing: work_out(event.result, position, hearing),
    adopt=adopt,
    undone=lambda event, resolved, position, hearing, fault: adopt(event, resolved, position, hearing),
    about=lambda event, position: None,
    facts=lambda position: {f"r{n}": value for n, value in enumerate(position.values)},
    draw=lambda position, event: {"kind": "registers", "values": list(position.values)},
    describe=lambda event, position: "act",
    unfinished=lambda position: (),
    moment=lambda event, position: {},
    ends=frozenset(),
)
