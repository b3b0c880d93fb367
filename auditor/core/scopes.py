"""Under which readings a fault holds.

Judging an event under every reading that it asks gives cells: partial assignments of options that do not overlap and
together cover everything, each with the faults seen under it. From the cells follow a fault's scope, whether it
stands under the rulings in force, and what it would be under the others.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import prod
from typing import Any, TypeVar

from auditor.core.findings import Fault, Remark
from auditor.core.rulings import OPEN, Rulings

Cube = Mapping[str, str]
FaultKey = tuple[str, int | None, tuple[str, ...], int]
Result = TypeVar("Result")

MOST_ASSIGNMENTS = 64
MOST_CUBES, MOST_SCOPES, MOST_RULINGS = 10_000, 16, 8
"""Assignments of the partitions that are kept under one rulings set, scopes that are kept of each partition, and the
rulings sets under which some are kept."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Where a fault holds. `readings` are those on which it really depends; empty means under every reading.

    `partial`: `holds` and `clears` do not name every assignment of the readings.
    """

    readings: tuple[str, ...] = ()
    holds: tuple[Cube, ...] = ()
    clears: tuple[Cube, ...] = ()
    partial: bool = False

    def key(self) -> Hashable:
        """Equal for equal scopes."""
        cubes = [tuple(tuple(sorted(cube.items())) for cube in part) for part in (self.holds, self.clears)]
        return self.readings, *cubes, self.partial

    def as_json(self) -> dict[str, Any]:
        if not self.readings:
            return {"kind": "every_reading"}
        return {
            "kind": "only_under",
            "holds": [dict(sorted(cube.items())) for cube in self.holds],
            "clears": [dict(sorted(cube.items())) for cube in self.clears],
            "partial": self.partial,
        }


EVERY_READING = Scope()


def faults_of(remarks: Iterable[Remark]) -> dict[FaultKey, Fault]:
    """The faults among some remarks, by what tells one from another; equal ones are numbered from 1."""
    found: dict[FaultKey, Fault] = {}
    equals: dict[tuple[str, int | None, tuple[str, ...]], int] = {}
    for remark in remarks:
        if isinstance(remark, Fault):
            name = (remark.rule, remark.seq, remark.subject)
            n = equals[name] = equals.get(name, 0) + 1
            found[(*name, n)] = remark
    return found


def explore(
    judge: Callable[[dict[str, str]], tuple[Mapping[str, str], Result]],
    domains: Mapping[str, tuple[str, ...]],
    fixed: Cube,
    most: int,
) -> tuple[list[tuple[dict[str, str], Result]], bool]:
    """Judge under every combination of the readings asked; gives back the results, and whether these are all.

    `judge(overrides)` gives back the readings asked with their options, in the order of asking, and a result. Readings
    in `fixed` have their option there and do not branch. Readings first asked on a branch join the tree. The first
    result is the one under no other overrides than `fixed`. Each result stands beside its assignment; assignments do
    not overlap. At most `most` results.
    """
    todo: deque[dict[str, str]] = deque([dict(fixed)])
    given: list[tuple[dict[str, str], Result]] = []
    while todo and len(given) < most:
        overrides = todo.popleft()
        asked, result = judge(overrides)
        settled = dict(overrides)
        for reading, option in asked.items():
            if reading in settled:
                continue
            for other in domains[reading]:
                if other != option:
                    todo.append({**settled, reading: other})
            settled[reading] = option
        given.append((settled, result))
    return given, not todo


def agrees(a: Cube, b: Cube) -> bool:
    """Whether some full assignment lies in both."""
    for reading, option in a.items():
        if b.get(reading, option) != option:
            return False
    return True


def _agrees_with_any(assignment: Cube, cubes: Iterable[Cube]) -> bool:
    for cube in cubes:
        if agrees(cube, assignment):
            return True
    return False


def _on(cubes: Iterable[Cube], readings: Container[str]) -> list[Cube]:
    """What cubes say of some readings, each once."""
    found: dict[tuple[tuple[str, str], ...], Cube] = {}
    for cube in cubes:
        said = tuple([entry for entry in cube.items() if entry[0] in readings])
        if said not in found:
            found[said] = dict(said)
    return list(found.values())


def scope_of(cells: Sequence[tuple[Cube, bool]], rulings: Rulings, *, partial: bool = False) -> Scope:
    """The scope of a fault that holds in some cells and not in others.

    `partial` says that the cells do not cover every assignment; then no reading that was asked is known not to matter.
    """
    holding = [cube for cube, holds in cells if holds]
    clearing = [cube for cube, holds in cells if not holds]
    if not clearing and not partial:
        return EVERY_READING
    if partial:
        depends = sorted({reading for cube, _ in cells for reading in cube})
    else:
        depends = sorted(_decisive(holding, clearing))
    size = 1
    for reading in depends:
        size *= len(rulings.domains[reading])
    holding, clearing = _on(holding, depends), _on(clearing, depends)
    holds: list[Cube] = []
    clears: list[Cube] = []
    for assignment in _assignments(depends, rulings, every=size <= MOST_ASSIGNMENTS):
        # A reading that does not matter has no say, so any cell that the assignment touches answers for it.
        if _agrees_with_any(assignment, holding):
            holds.append(assignment)
        elif _agrees_with_any(assignment, clearing):
            clears.append(assignment)
    return Scope(
        tuple(depends),
        tuple(sorted(holds, key=_in_order)),
        tuple(sorted(clears, key=_in_order)),
        partial or size > MOST_ASSIGNMENTS,
    )


class Partition:
    """Assignments that do not overlap, and what follows from them under some rulings; scopes are worked out once.

    maybe    the places of those that lie in the rulings in force if open readings may go either way, in order; whether
             each lies in the rulings as they are selected
    covered  whether `maybe` covers every answer to the open readings
    whole    whether all together cover every answer to every reading
    """

    __slots__ = ("_cubes", "_rulings", "_scopes", "covered", "maybe", "whole")

    def __init__(self, cubes: Sequence[Cube], rulings: Rulings) -> None:
        self._cubes, self._rulings = cubes, rulings
        self._scopes: dict[tuple[int, ...], Scope] = {}
        self.maybe = {n: in_force(cube, rulings) for n, cube in enumerate(cubes) if may_be_in_force(cube, rulings)}
        self.covered = covers((cubes[n] for n in self.maybe), rulings.undecided, rulings.domains)
        self.whole = covers(cubes, rulings.domains.keys(), rulings.domains)

    def scope(self, holding: Sequence[int]) -> Scope:
        """The scope of a fault that holds in these places and in no other."""
        key = tuple(holding)
        scope = self._scopes.get(key)
        if scope is None:
            if len(self._scopes) >= MOST_SCOPES:
                self._scopes.clear()
            holds = set(key)
            cells = [(cube, n in holds) for n, cube in enumerate(self._cubes)]
            scope = self._scopes[key] = scope_of(cells, self._rulings, partial=not self.whole)
        return scope


class Partitions:
    """The partitions under some rulings. Rules ask the same again and again, so those of equal assignments are one."""

    def __init__(self, rulings: Rulings) -> None:
        self._rulings = rulings
        self._kept: dict[tuple[tuple[tuple[str, str], ...], ...], Partition] = {}
        self._cubes = 0

    def of(self, cubes: Sequence[Cube]) -> Partition:
        key = tuple([tuple(cube.items()) for cube in cubes])
        found = self._kept.get(key)
        if found is None:
            self._cubes += len(key)
            if self._cubes > MOST_CUBES:
                self._kept.clear()
                self._cubes = len(key)
            found = self._kept[key] = Partition(cubes, self._rulings)
        return found


def partitions_under(rulings: Rulings) -> Partitions:
    """The partitions under some rulings, kept from one record to the next: a tournament's logs share its rulings."""
    key = tuple(tuple(part.items()) for part in (rulings.readings, rulings.selected, rulings.domains))
    found = _UNDER.get(key)
    if found is None:
        if len(_UNDER) >= MOST_RULINGS:
            _UNDER.pop(next(iter(_UNDER)))
        found = _UNDER[key] = Partitions(rulings)
    return found


_UNDER: dict[Hashable, Partitions] = {}


def simplified(cubes: Sequence[Cube], domains: Mapping[str, tuple[str, ...]]) -> list[Cube]:
    """The same assignments in fewer cubes: those that differ in one reading only and cover its options are joined."""
    left = [dict(cube) for cube in cubes]
    while len(left) > 1:
        for reading in sorted({reading for cube in left for reading in cube}):
            groups: dict[tuple[tuple[str, str], ...], list[dict[str, str]]] = {}
            for cube in left:
                if reading in cube:
                    rest = tuple(sorted((key, option) for key, option in cube.items() if key != reading))
                    groups.setdefault(rest, []).append(cube)
            whole = {
                rest for rest, group in groups.items() if {cube[reading] for cube in group} == set(domains[reading])
            }
            if whole:
                joined = [cube for rest in whole for cube in groups[rest]]
                left = [cube for cube in left if cube not in joined] + [dict(rest) for rest in sorted(whole)]
                break
        else:
            break
    return list(left)


def in_force(cube: Cube, rulings: Rulings) -> bool:
    """Whether the rulings in force, with the default where a reading is open, lie in a cube."""
    selected = rulings.selected
    for reading, option in cube.items():  # asked of every lane at every event: a generator would take longer
        if selected[reading] != option:
            return False
    return True


def may_be_in_force(cube: Cube, rulings: Rulings) -> bool:
    """The same, with every option allowed where a reading is open."""
    readings = rulings.readings
    return all(readings[reading] in (option, OPEN) for reading, option in cube.items())


def covers(cubes: Iterable[Cube], readings: Container[str], domains: Mapping[str, tuple[str, ...]]) -> bool:
    """Whether cubes cover every answer to some readings, in which no two of them overlap; others have no say."""
    answered: list[int] = []
    met: set[str] = set()
    for cube in cubes:
        parts = 1
        for reading in cube:
            if reading in readings:
                parts *= len(domains[reading])
                met.add(reading)
        if parts == 1:
            return True
        answered.append(parts)
    # Counted in combinations of the options of all readings met: each cube holds its even part of them.
    size = prod(len(domains[reading]) for reading in met)
    return bool(answered) and sum(size // parts for parts in answered) == size


def _assignments(readings: Sequence[str], rulings: Rulings, *, every: bool) -> Iterator[Cube]:
    """Every assignment of some readings, or the selected one and all that differ from it in one or two."""
    if every:
        for options in product(*(rulings.domains[reading] for reading in readings)):
            yield dict(zip(readings, options, strict=True))
        return
    selected = {reading: rulings.selected[reading] for reading in readings}
    yield selected
    for count in (1, 2):
        for apart in combinations(readings, count):
            pools = [[option for option in rulings.domains[key] if option != selected[key]] for key in apart]
            for options in product(*pools):
                yield {**selected, **dict(zip(apart, options, strict=True))}


def _in_order(cube: Cube) -> list[tuple[str, str]]:
    return sorted(cube.items())


def _decisive(holding: Sequence[Cube], clearing: Sequence[Cube]) -> set[str]:
    """Readings for which two assignments that differ in nothing else are judged differently."""
    shared = {reading for a in holding for reading in a} & {reading for b in clearing for reading in b}
    found: set[str] = set()
    for a in holding:
        for b in clearing:
            apart = None
            for reading, option in a.items():
                if b.get(reading, option) != option:
                    if apart is not None:
                        break
                    apart = reading
            else:
                if apart is not None:
                    found.add(apart)
        if len(found) == len(shared):
            break
    return found
