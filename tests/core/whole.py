"""The slow way to find scopes: the whole record, replayed from the start under every combination of every reading.

It shares nothing with `auditor.core.replay`: no lanes, no branches, one plain loop for each full assignment. It
knows no undos, no judges and no breaks in `seq`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from auditor.core.findings import Fault
from auditor.core.record import Record
from auditor.core.ruleset import Ruleset
from auditor.core.rulings import Hearing, Rulings

Assignment = tuple[tuple[str, str], ...]
Key = tuple[int, str, tuple[str, ...], int]


def every_assignment(domains: Mapping[str, Sequence[str]]) -> Iterator[dict[str, str]]:
    for options in product(*domains.values()):
        yield dict(zip(domains, options, strict=True))


def whole_replay(ruleset: Ruleset, record: Record, options: Mapping[str, str], rulings: Rulings) -> dict[Key, Fault]:
    """All faults of a record under one full assignment, by (index of the event, rule, subject, n)."""
    seen: dict[Key, Fault] = {}
    position = ruleset.opening(record)
    for index, event in enumerate(record.events):
        name = ruleset.events[type(event)]
        hearing = Hearing(options, rulings.settings)
        resolved = ruleset.resolve(event, position, hearing)
        faults: list[Fault] = []
        for rule in ruleset.rules:
            if rule.check is not None and name in rule.events:
                remarks = rule.check(event, resolved, position, hearing) or ()
                faults += [remark for remark in remarks if isinstance(remark, Fault)]
        if ruleset.sift is not None and faults:
            faults = ruleset.sift(event, position, faults)
        for fault in faults:
            n = 1
            while (index, fault.rule, fault.subject, n) in seen:
                n += 1
            seen[index, fault.rule, fault.subject, n] = fault
        ruleset.adopt(event, resolved, position, hearing)
    return seen


def expected_findings(ruleset: Ruleset, record: Record, rulings: Rulings) -> dict[Key, dict[str, Any]]:
    """What the audit must say of every fault: kind, scope, whether it stands, and the readings that change it."""
    domains = rulings.domains
    games = [(options, whole_replay(ruleset, record, options, rulings)) for options in every_assignment(domains)]
    selected = next(game for options, game in games if options == dict(rulings.selected))
    undecided = rulings.undecided
    possible = [
        game
        for options, game in games
        if all(key in undecided or options[key] == rulings.selected[key] for key in options)
    ]
    found: dict[Key, dict[str, Any]] = {}
    for key in dict.fromkeys(key for _, game in games for key in game):
        truth = {tuple(sorted(options.items())): key in game for options, game in games}
        decisive = sorted(
            reading for reading in domains if any(truth[a] != truth[b] for a, b in _pairs(truth, reading, domains))
        )
        holds, clears = [], []
        for options in every_assignment({reading: domains[reading] for reading in decisive}):
            full = tuple(sorted({**rulings.selected, **options}.items()))
            (holds if truth[full] else clears).append(options)
        scope = (
            {"kind": "only_under", "holds": _sorted(holds), "clears": _sorted(clears), "partial": False}
            if decisive
            else {"kind": "every_reading"}
        )
        in_force = [game for game in possible if key in game]
        disagree = 0 < len(in_force) < len(possible)
        if key in selected:
            shown = selected[key]
        else:
            shown = None
        found[key] = {
            "shown": shown,
            "kind": "ambiguous" if disagree else None if shown is None else shown.kind,
            "stands": len(in_force) == len(possible),
            "scope": scope,
            "values": {
                tuple(sorted(options.items())): (game[key].kind, game[key].recomputed)
                for options, game in games
                if key in game
            },
        }
    return found


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
