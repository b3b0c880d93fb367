"""Games with planted faults, which must be found where and as they were planted, and nothing beside them."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from auditor import engine
from auditor.conformance.inventor import Inventor
from auditor.conformance.logs import as_jsonl
from auditor.trials.audited import as_the_referee_tells, held_against, named, record_notes
from auditor.trials.compared import compare
from auditor.trials.relations import try_relation
from auditor.trials.tally import Json, Tally


def try_fault(inventor: Inventor, name: str, number: int, tally: Tally) -> None:
    """Audit one game with a planted fault, and count what came of it."""
    begun = time.process_time()
    game = inventor.planted(name, number)
    tally.milliseconds["games with faults"] += round(1000 * (time.process_time() - begun))
    if game is None:
        tally.faults[name, "no occasion"] += 1
        return
    begun = time.process_time()
    audit, _ = engine.audit_counts(as_jsonl(game.lines).encode())
    tally.milliseconds["their audits, with causes"] += round(1000 * (time.process_time() - begun))
    done = time.process_time()
    compare(inventor, game.lines, audit, {"fault": name, "number": number, "seed": game.seed}, tally)
    try_relation(inventor, game.lines, audit, number, tally)
    tally.milliseconds["written otherwise"] += round(1000 * (time.process_time() - done))
    held = held_against(as_the_referee_tells(audit))
    held += record_notes(audit)
    faults = inventor.findings_of(game.fault)
    how = _how_found(faults, held)
    tally.faults[name, "planted"] += 1
    tally.faults[name, how] += 1
    tally.faults[name, f"round {round_of(game.lines, game.fault['seq'])}"] += 1
    left = [one for one in held if not _is_among(faults, one)]
    problems = [] if how == "found" else [{**named(game.fault), "how": how}]
    if how == "elsewhere":
        left = [one for one in left if one["seq"] != game.fault["seq"]]
    if game.beside is not None:
        tally.faults[name, "beside another"] += 1
        second = inventor.findings_of(game.beside)
        how = _how_found(second, held)
        tally.faults["", f"second {how}"] += 1
        left = [one for one in left if not _is_among(second, one)]
        if how != "found":
            problems.append({**named(game.beside), "how": how})
    if left:
        tally.faults[name, "with others"] += 1
        problems += [{**named(one), "how": "not planted"} for one in left]
    tally.missed_listed += [{"fault": name, "number": number, "seed": game.seed, **one} for one in problems[:5]]


def _is(expected: Mapping[str, Any], finding: Json) -> bool:
    return all(expected[key] == finding[key] for key in ("rule", "seq", "kind", "player"))


def _is_among(expected: Sequence[Mapping[str, Any]], finding: Json) -> bool:
    return any(_is(one, finding) for one in expected)


def _how_found(expected: Sequence[Mapping[str, Any]], held: list[Json]) -> str:
    """How findings that must be there were found; the first of them is the fault's own."""
    if all(any(_is(part, one) for one in held) for part in expected):
        return "found"
    return "elsewhere" if any(one["seq"] == expected[0]["seq"] for one in held) else "missed"


def round_of(lines: list[Json], seq: int) -> int:
    """The round (or the game turn) of an event; of one that bears none, that of the event before."""
    return next((line[key] for line in reversed(lines[1 : seq + 1]) for key in ("round", "turn") if key in line), 1)
