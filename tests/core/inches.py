"""A toy game of measured moves on a line: enough of a miniatures game to hold the core to.

Units stand at exact distances along one line. A unit moves at most 6 inches, measured with a tournament's tolerance.
Hits make a test due, which must be made before the phase ends; how many hits is an open reading, and what the log
does not claim under it is carried.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from auditor.core.findings import RAN, Fault, Figure, Note
from auditor.core.holes import Holes
from auditor.core.ruleset import Moment, Ruleset, not_auditable, rule
from auditor.core.rulings import Option, Reading, Setting


@dataclass(slots=True)
class Event:
    seq: int
    player: str | None = None


@dataclass(slots=True)
class Move(Event):
    unit: str = ""
    to: str = "0"
    length: str | None = None


@dataclass(slots=True)
class Shoot(Event):
    unit: str = ""
    target: str = ""
    hits: int = 0


@dataclass(slots=True)
class Test(Event):
    __test__ = False
    unit: str = ""


@dataclass(slots=True)
class EndPhase(Event):
    pass


@dataclass(slots=True)
class Place(Event):
    where: Mapping[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Undo(Event):
    to: int = 0


@dataclass(slots=True)
class Judge(Event):
    text: str = ""
    position: Mapping[str, str] | None = None


@dataclass(slots=True)
class Remark(Event):
    text: str = ""


@dataclass(slots=True)
class End(Event):
    reason: str = "finished"


@dataclass(slots=True)
class Line:
    where: dict[str, Fraction]
    due: frozenset[str] = frozenset()
    holes: Holes = field(default_factory=Holes)

    def copy(self) -> Line:
        return Line(dict(self.where), self.due, self.holes.copy())


def resolve(event: Any, position: Line, hearing: Any) -> Any:
    if type(event) is Move:
        start = position.where.get(event.unit)
        return None if start is None else abs(Fraction(event.to) - start)
    return None


def adopt(event: Any, resolved: Any, position: Line, hearing: Any) -> None:
    kind = type(event)
    if kind is Move:
        position.where[event.unit] = Fraction(event.to)
        position.holes.state([event.unit])
    elif kind is Shoot and event.hits:
        needed = 1 if event.hits > 1 or hearing.ask("R-PIN") == "one_hit" else 2
        if event.hits >= needed:
            position.due |= {event.target}
    elif kind is Test:
        position.due -= {event.unit}
    elif kind is EndPhase:
        position.due = frozenset()
    elif kind is Place or (kind is Judge and event.position is not None):
        stated = event.where if kind is Place else event.position
        position.where.update({unit: Fraction(x) for unit, x in stated.items()})
        position.holes.state(stated)
        if set(stated) >= set(position.where):
            position.holes.close()


def undone(event: Any, resolved: Any, position: Line, hearing: Any, fault: Fault) -> None:
    if type(event) is not Move:  # An illegal move does not happen; the rest plays on as it was.
        adopt(event, resolved, position, hearing)


@rule("INCH-MOVE", "A move", chapter="Moves", source="toy", events=["move"], kinds=["illegal"], readings=["R-WHOLE"])
def a_move_is_at_most_six_inches(event: Move, length: Fraction | None, position: Line, hearing: Any) -> Any:
    """A unit moves at most 6 inches."""
    if length is None:
        return None
    allowed = Fraction(6)
    over = length - allowed
    if over > 0 and length < 7 and hearing.ask("R-WHOLE") == "rounded_down":
        over = Fraction(0)
    if over <= 0:
        return RAN
    if over <= Fraction(hearing.settings["measuring_tolerance"]):
        return [Note("tolerance", f"{event.unit} moved {over} too far.", "INCH-MOVE", margin=str(over))]
    return [
        Fault(
            "INCH-MOVE",
            "illegal",
            f"{event.unit} moved {length} inches; 6 are allowed.",
            (event.unit,),
            claimed=str(length),
            recomputed=str(allowed),
            rests_on=(event.unit,),
            figures=(Figure("length", str(length)),),
            evidence=lambda: {"path": [str(position.where[event.unit])]},
        )
    ]


@rule("INCH-LENGTH", "A measured length", chapter="Moves", source="toy", events=["move"], kinds=["miscalculated"])
def the_length_is_exact(event: Move, length: Fraction | None, position: Line, hearing: Any) -> Any:
    """The length claimed is the length moved."""
    if length is None:
        return None
    if event.length is None:
        hearing.not_claimed()
        return RAN
    if Fraction(event.length) == length:
        return RAN
    said = f"{event.unit} moved {length}, not {event.length}."
    return [Fault("INCH-LENGTH", "miscalculated", said, (event.unit,), None, event.length, str(length))]


@rule("INCH-TEST", "A test that is due", chapter="Tests", source="toy", events=["end_phase", "end"], kinds=["omitted"])
def tests_are_made_before_the_phase_ends(event: Any, resolved: Any, position: Line, hearing: Any) -> Any:
    """A unit that was hit tests before the end of the phase."""
    if type(event) is End and event.reason != "finished":
        return None
    for unit in sorted(position.due):
        yield Fault("INCH-TEST", "omitted", f"{unit} did not test.", (unit,), rests_on=())


@rule("INCH-UNDUE", "A test that is not due", chapter="Tests", source="toy", events=["test"], kinds=["illegal"])
def only_what_was_hit_tests(event: Test, resolved: Any, position: Line, hearing: Any) -> Any:
    """A unit tests only if it was hit."""
    if event.unit in position.due:
        return RAN
    return [Fault("INCH-UNDUE", "illegal", f"{event.unit} tested for nothing.", (event.unit,), rests_on=())]


def draw(position: Line, event: Any) -> dict[str, Any]:
    """The line as data; no report knows this kind of board, so it says itself what stands on it."""
    return {
        "kind": "toy-line",
        "units": [[unit, str(x)] for unit, x in position.where.items()],
        "text": [f"{unit} stands at {x} inches." for unit, x in position.where.items()],
    }


def marks(event: Any, position: Line) -> list[dict[str, Any]]:
    if type(event) is not Move:
        return []
    where = position.where.get(event.unit)
    return [{"mark": "move", "unit": event.unit, "from": str(where), "to": event.to, "label": "a measured move"}]


def moment(event: Any, position: Line) -> Moment:
    shooting = isinstance(event, Shoot | Test)
    return {"part": "Turn 4, shooting", "short": "T4s"} if shooting else {"part": "Turn 4, moves", "short": "T4m"}


INCHES = Ruleset(
    key="inches",
    title="Inches",
    version="1",
    events={
        Move: "move",
        Shoot: "shoot",
        Test: "test",
        EndPhase: "end_phase",
        Place: "position",
        Undo: "undo",
        Judge: "judge",
        Remark: "remark",
        End: "end",
    },
    rules=(
        a_move_is_at_most_six_inches,
        the_length_is_exact,
        tests_are_made_before_the_phase_ends,
        only_what_was_hit_tests,
        not_auditable("INCH-POLITE", "Politeness", "no log shows it", "Be polite.", chapter="Manners", source="toy"),
    ),
    readings=(
        Reading("R-PIN", "How many hits?", (Option("one_hit", "one"), Option("two_hits", "two")), "one_hit"),
        Reading("R-WHOLE", "Rounded?", (Option("exact", "no"), Option("rounded_down", "yes")), "exact"),
    ),
    opening=lambda record: Line({unit: Fraction(x) for unit, x in record.header.get("where", {}).items()}),
    resolve=resolve,
    adopt=adopt,
    undone=undone,
    about=lambda event, position: None if type(event) is Move else position.where.get(getattr(event, "unit", None)),
    facts=lambda position: {f"place of {unit}": str(x) for unit, x in position.where.items()},
    draw=draw,
    describe=lambda event, position: type(event).__name__,
    unfinished=lambda position: [f"{unit} has still to test." for unit in sorted(position.due)],
    moment=moment,
    ends=frozenset(),
    marks=marks,
    settings=(Setting("measuring_tolerance", "By how many inches a length may be over and still be played on."),),
    fields={"excess": "By how many inches a move was too long."},
)
