"""A third toy game, whole: a format, data packs, a ruleset. Players take pebbles from a bag, at most so many at once.

It is registered by tests alone, to show that whoever asks the registry knows no game by name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from msgspec import Meta

from auditor.conformance.inventor import CannotInvent, Inventor
from auditor.conformance.logs import as_jsonl
from auditor.conformance.relations import written
from auditor.core.findings import RAN, Fault
from auditor.core.holes import Holes
from auditor.core.record import PackUsed
from auditor.core.ruleset import Ruleset, rule
from auditor.core.rulings import Option, Reading
from auditor.systems import Game
from auditor.systems.formats import Format
from auditor.systems.packs import PackFormat, Packs
from auditor.systems.shapes import REFUSALS, Misfit, Shape

MOST = 3


class Event(msgspec.Struct, kw_only=True):
    seq: Annotated[int, Meta(ge=1)]
    player: str | None = None
    by: str | None = None


class Take(Event, tag_field="type", tag="take"):
    pebbles: int | None = None
    left: int | None = None


class Stop(Event, tag_field="type", tag="end"):
    reason: str = "finished"


class Player(msgspec.Struct):
    id: str
    name: str


class Header(msgspec.Struct, tag_field="type", tag="header"):
    game: Literal["pebbles"]
    format: Literal[1]
    players: list[Player]
    bag: str
    rulings: dict[str, Any] | None = None


class Bag(msgspec.Struct):
    id: str
    title: str
    source: str
    holds: Annotated[int, Meta(ge=1)]


@dataclass(slots=True)
class Table:
    left: int
    holes: Holes = field(default_factory=Holes)

    def copy(self) -> Table:
        return replace(self, holes=self.holes.copy())


HEADER: Shape[Header] = Shape(Header)
BAG: Shape[Bag] = Shape(Bag)


def setup(header: bytes, packs: Packs) -> tuple[Bag | None, list[Misfit], tuple[PackUsed, ...]]:
    named = msgspec.json.decode(header).get("bag")
    pack = packs.find("bag", str(named))
    if pack is None:
        return None, [Misfit("bag", f'"{named}"', "the id of a bag known here")], ()
    return pack.made, [], (pack.used,)


def checked(kind: str, value: Mapping[str, Any]) -> tuple[Any, list[Misfit]]:
    try:
        return BAG.of(value), []
    except REFUSALS:
        return None, BAG.misfits(value)


def built_in() -> list[tuple[str, bytes]]:
    bag = {"id": "small-bag", "title": "A small bag", "source": "invented", "holds": 10}
    return [("small-bag.json", msgspec.json.encode({**bag, "game": "pebbles"}))]


FORMAT = Format(
    events={"take": Take, "end": Stop},
    event=Take | Stop,
    free=frozenset(),
    header=HEADER,
    given=frozenset({"bag"}),
    setup=setup,
)

PACKS = PackFormat(
    kinds={"bag": BAG},
    words={"bag": "a bag"},
    told_by="a bag holds pebbles",
    kind_of=lambda value: "bag" if "holds" in value else None,
    check=checked,
    built_in=built_in,
)


@rule(
    "PEB-TAKE", "At most three", chapter="Taking", source="toy", events=["take"], kinds=["illegal"], readings=["R-LAST"]
)
def a_handful_is_at_most_three(event: Take, resolved: Any, table: Table, hearing: Any) -> Any:
    """A player takes at most three pebbles at once."""
    taken = event.pebbles or 0
    if taken <= MOST or (taken == table.left and hearing.ask("R-LAST") == "all_of_them"):
        return RAN
    return [Fault("PEB-TAKE", "illegal", f"{taken} pebbles were taken.", claimed=taken, recomputed=MOST, rests_on=())]


@rule("PEB-LEFT", "What is left", chapter="Taking", source="toy", events=["take"], kinds=["miscalculated"])
def what_is_left_adds_up(event: Take, resolved: Any, table: Table, hearing: Any) -> Any:
    """The pebbles left are those that nobody took."""
    if event.left is None:
        hearing.not_claimed()
        return RAN
    left = table.left - (event.pebbles or 0)
    if event.left == left:
        return RAN
    said = f"{left} pebbles are left, not {event.left}."
    return [Fault("PEB-LEFT", "miscalculated", said, claimed=event.left, recomputed=left, rests_on=())]


def adopt(event: Any, resolved: Any, table: Table, hearing: Any) -> None:
    if type(event) is Take:
        table.left -= event.pebbles or 0


RULESET = Ruleset(
    key="pebbles",
    title="Pebbles",
    version="7",
    events={Take: "take", Stop: "end"},
    rules=(a_handful_is_at_most_three, what_is_left_adds_up),
    readings=(
        Reading(
            "R-LAST",
            "May the last ones be taken at once?",
            (Option("three_at_most", "No."), Option("all_of_them", "Yes.")),
            "three_at_most",
        ),
    ),
    opening=lambda record: Table(record.setup.holds),
    resolve=lambda event, table, hearing: None,
    adopt=adopt,
    undone=lambda event, resolved, table, hearing, fault: None,
    about=lambda event, table: None,
    facts=lambda table: {"pebbles left": table.left},
    draw=lambda table, event: {"kind": "bag", "left": table.left},
    describe=lambda event, table: f"{event.player} takes {getattr(event, 'pebbles', None)}",
    unfinished=lambda table: [],
    moment=lambda event, table: {},
)

PEBBLES = Game("pebbles", FORMAT, PACKS, lambda: RULESET)


def log(*takes: dict[str, Any], **header: Any) -> bytes:
    """A log of pebbles: so many events after the header."""
    players = [{"id": "a", "name": "Ann"}, {"id": "b", "name": "Bob"}]
    first = {"type": "header", "game": "pebbles", "format": 1, "players": players, "bag": "small-bag", **header}
    events = [{"seq": n, "type": "take", "player": "ab"[n % 2], **take} for n, take in enumerate(takes, 1)]
    events.append({"seq": len(takes) + 1, "type": "end"})
    return b"".join(msgspec.json.encode(line) + b"\n" for line in (first, *events))


# -- a second opinion, so that generator and conformance run have something to ask ------------------------------------

OPTIONS = {"R-LAST": ("three_at_most", "all_of_them")}


class Disagreement(NamedTuple):
    seq: int
    rule: str
    kind: str
    player: str | None = None


class Faulty(NamedTuple):
    seed: int
    lines: list[dict[str, Any]]
    fault: dict[str, Any]
    beside: None = None


def legal_lines(seed: int) -> list[dict[str, Any]]:
    return [
        msgspec.json.decode(line) for line in log(*({"pebbles": 1 + (seed + n) % 3} for n in range(3))).splitlines()
    ]


def faulty(name: str, number: int) -> Faulty:
    header, *events = legal_lines(number)
    events[0]["pebbles"] = 4
    return Faulty(number, [header, *events], {"seq": 1, "rule": name, "kind": "illegal", "player": "b", "text": "4"})


def check(lines: Sequence[Mapping[str, Any]], readings: Mapping[str, str] | None) -> list[Disagreement]:
    return [
        Disagreement(one["seq"], "PEB-TAKE", "illegal", one.get("player")) for one in lines[1:] if one["pebbles"] > MOST
    ]


def write_game(seed: int, rounds: int, board: Path | None, out: Path, share: float, options: Mapping[str, str]) -> int:
    out.write_text(as_jsonl(legal_lines(seed)), encoding="utf-8")
    return 3


def write_faulty_game(seed: int, fault: str, out: Path) -> Path:
    out.write_text(as_jsonl(faulty(fault, seed).lines), encoding="utf-8")
    return out


def write_mutated_game(log: Path, fault: str, seed: int, out: Path, options: Mapping[str, str]) -> Path:
    raise CannotInvent("pebbles are never changed")


INVENTOR = Inventor(
    readings=OPTIONS,
    plantable=("PEB-TAKE",),
    plantable_readings=(),
    never={f"R-LAST={option}": "nobody tried" for option in OPTIONS["R-LAST"]},
    near={"three": ("PEB-TAKE", "three pebbles taken")},
    number_rules=("PEB-LEFT",),
    check=check,
    findings_of=lambda fault: [fault],
    numbers=lambda event: set(),
    legal_game=lambda seed: (legal_lines(seed), Counter({"three": 1})),
    legal_lines=legal_lines,
    settings_of=lambda seed: {"omit_claims": 1.0},
    planted=faulty,
    plant_reading=lambda name, number: None,
    relations={"as it is": lambda lines, rng: written(lines)},
    write_game=write_game,
    write_faulty_game=write_faulty_game,
    write_mutated_game=write_mutated_game,
)


WITH_INVENTOR = replace(PEBBLES, load_inventor=lambda: INVENTOR)
