"""The slow way to find scopes: the whole record, replayed from the start under every combination of every reading.

It shares nothing with `auditor.core.replay`: no lanes, no branches, one plain loop for each full assignment. It
knows no undos, no judges and no breaks in `seq`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import Any

from auditor.core.findings import Fault
from auditor.core.holes import Hole
from auditor.core.record import Record
from auditor.core.ruleset import Ruleset
from auditor.core.rulings import Hearing, Rulings

Assignment = tuple[tuple[str, str], ...]
Key = tuple[int, str, tuple[str, ...], int]


def every_assignment(domains: Mapping[str, Sequence[str]]) -> Iterator[dict[str, str]]:
    for options in product(*domains.values()):
        yield dict(zip(domains, options, strict=True))


def whole_replay(
    ruleset: Ruleset,
    record: Record,
    options: Mapping[str, str],
    rulings: Rulings,
    asked: dict[str, str] | None = None,
) -> dict[Key, Fault]:
    """All faults of a record under one full assignment, by (index of the event, rule, subject, n).

    Readings that were asked on the way are put into `asked`.
    """
    seen: dict[Key, Fault] = {}
    position = ruleset.opening(record)
    for index, event in enumerate(record.events):
        name = ruleset.events.get(type(event))
        if name is None:
            position.holes.open(Hole(event.seq, f"event {event.seq} is of an unknown type"))
            continue
        assert name not in ("undo", "judge") and event.seq == index + 1, "this method knows no undos, judges and gaps"
        if name == "remark":
            continue
        hearing = Hearing(options, rulings.settings)
        resolved = ruleset.resolve(event, position, hearing)
        faults: list[Fault] = []
        for rule in ruleset.rules:
            check = rule.check_of(name)
            if check is not None and (name in rule.events or "*" in rule.events):
                for remark in check(event, resolved, position, hearing) or ():
                    if isinstance(remark, Fault):
                        cells = rests_on(ruleset, check, remark, event, resolved, position, hearing)
                        if remark.kind != "ambiguous" and position.holes.doubt(cells) is not None:
                            remark = remark._replace(kind="ambiguous", would_be=remark.kind)
                        faults.append(remark)
        if ruleset.suspended is not None and faults:
            faults = [fault for fault in faults if fault.rule not in ruleset.suspended(event, position)]
        for fault in faults:
            n = 1
            while (index, fault.rule, fault.subject, n) in seen:
                n += 1
            seen[index, fault.rule, fault.subject, n] = fault
        ruleset.adopt(event, resolved, position, hearing)
        if asked is not None:
            asked.update(hearing.asked)
    return seen


def rests_on(
    ruleset: Ruleset, check: Any, fault: Fault, event: Any, resolved: Any, position: Any, hearing: Hearing
) -> Iterable[Any] | None:
    """What a fault rests on: what is written, else what its check reads in the position until it tells it; None:
    everything."""
    if fault.rests_on is not None or ruleset.watched is None or not position.holes:
        return fault.rests_on
    asked: set[Any] = set()
    read: set[Any] | None = None
    hearing = Hearing(hearing.options, hearing.settings)
    hearing.read = asked
    twin, there = ruleset.watched(event, resolved, position, asked, hearing)
    for one in check(event, there, twin, hearing) or ():
        if isinstance(one, Fault) and one[:4] == fault[:4]:
            read = set(asked)
    if read is None:
        return None
    cells = read
    if position.holes.allow_anything():
        return None
    if ruleset.stated is not None:
        alike, _, facts = ruleset.stated(event, position)
        if read & facts:
            return None
        cells = read - alike
    if ruleset.otherwise is None:
        return cells
    supposed, positions = ruleset.otherwise(position, {cell for cell in cells if position.holes.doubt([cell])})
    always = bool(supposed) and all(
        any(
            isinstance(one, Fault) and (one.rule, one.kind, one.subject) == (fault.rule, fault.kind, fault.subject)
            for one in check(event, ruleset.resolve(event, other, hearing), other, hearing) or ()
        )
        for other in positions
    )
    return set(cells) - supposed if always else cells


def readings_that_matter(ruleset: Ruleset, record: Record, rulings: Rulings, most: int) -> list[str] | None:
    """Every reading that some whole replay asks; None where they have more than `most` assignments."""
    asked: dict[str, str] = {}
    known: list[str] = []
    while True:
        for options in every_assignment({reading: rulings.domains[reading] for reading in known}):
            whole_replay(ruleset, record, {**rulings.selected, **options}, rulings, asked)
        if set(asked) == set(known):
            return known
        known = sorted(asked)
        if prod(len(rulings.domains[reading]) for reading in known) > most:
            return None


def expected_findings(
    ruleset: Ruleset, record: Record, rulings: Rulings, readings: Sequence[str] | None = None
) -> dict[Key, dict[str, Any]]:
    """What the audit must say of every fault: kind, scope, whether it stands, and the readings that change it.

    `readings` are those to combine, all if not given; the rest is as in force.
    """
    chosen = rulings.domains if readings is None else readings
    domains = {reading: rulings.domains[reading] for reading in chosen}
    in_force = {reading: rulings.selected[reading] for reading in domains}
    games = [
        (options, whole_replay(ruleset, record, {**rulings.selected, **options}, rulings))
        for options in every_assignment(domains)
    ]
    selected = next(game for options, game in games if options == in_force)
    undecided = rulings.undecided
    possible = [
        game
        for options, game in games
        if all(key in undecided or options[key] == rulings.selected[key] for key in options)
    ]
    found: dict[Key, dict[str, Any]] = {}
    for key in dict.fromkeys(key for _, game in games for key in game):
        with_it = [game[key] for game in possible if key in game]
        shown = selected.get(key)
        seen = [shown] if shown is not None else with_it or [game[key] for _, game in games if key in game]
        accuses = any(fault.kind != "ambiguous" for fault in seen)
        if not accuses and not with_it:
            continue  # An ambiguity under readings that nobody chose is a note.

        def holds_in(game: Mapping[Key, Fault], key: Key = key, accuses: bool = accuses) -> bool:
            """An accusation does not hold where the same thing is only ambiguous."""
            return key in game and not (accuses and game[key].kind == "ambiguous")

        truth = {tuple(sorted(options.items())): holds_in(game) for options, game in games}
        decisive = sorted(
            reading for reading in domains if any(truth[a] != truth[b] for a, b in _pairs(truth, reading, domains))
        )
        holds, clears = [], []
        for options in every_assignment({reading: domains[reading] for reading in decisive}):
            full = tuple(sorted({**in_force, **options}.items()))
            (holds if truth[full] else clears).append(options)
        everywhere = all(holds_in(game) for game in possible)
        found[key] = {
            "shown": shown,
            "kind": "ambiguous" if with_it and not everywhere else None if shown is None else shown.kind,
            "stands": accuses and everywhere,
            "scope": {"kind": "only_under", "holds": _sorted(holds), "clears": _sorted(clears), "partial": False}
            if decisive
            else {"kind": "every_reading"},
            "values": {
                tuple(sorted(options.items())): (game[key].kind, game[key].recomputed)
                for options, game in games
                if key in game
            },
        }
    return found


def is_the_scope(said: Mapping[str, Any], wanted: Mapping[str, Any], most: int = 64) -> bool:
    """Whether a scope is what whole replays give; above `most` assignments it may list only some of them."""
    count = len(wanted.get("holds", ())) + len(wanted.get("clears", ()))
    if count <= most or not said.get("partial"):
        return said == wanted
    return all(cube in wanted[part] for part in ("holds", "clears") for cube in said[part])


def _pairs(
    truth: Mapping[Assignment, bool], reading: str, domains: Mapping[str, Sequence[str]]
) -> Iterator[tuple[Assignment, Assignment]]:
    """Assignments that differ in one reading only."""
    for a in truth:
        options = dict(a)
        for other in domains[reading]:
            if other != options[reading]:
                yield a, tuple(sorted({**options, reading: other}.items()))


def _sorted(cubes: list[dict[str, str]]) -> list[dict[str, str]]:
    return sorted((dict(sorted(cube.items())) for cube in cubes), key=lambda cube: sorted(cube.items()))
