"""A game written otherwise must be judged the same: each game of a run once, by one relation after the other."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import inf
from random import Random
from typing import Any

from auditor import engine
from auditor.conformance.inventor import Inventor
from auditor.trials.tally import Json, Tally

Judged = tuple[int, str, str, str | None, bool, str]


def judged(findings: Iterable[Mapping[str, Any]], seqs: Mapping[int, int] | None = None) -> Counter[Judged]:
    """What findings say that does not hang on names and places: event, rule, kind, player, whether it stands, scope.

    With `seqs`, the events are given by their numbers there, and those that it does not name are left out.
    """
    said: Counter[Judged] = Counter()
    for one in findings:
        seq = one["seq"] if seqs is None else seqs.get(one["seq"])
        if seq is not None and not one["undone"] and (seqs is None or one["seen_at"] in seqs):
            scope = json.dumps(one["scope"], sort_keys=True)
            said[seq, one["rule"], one["kind"], one["player"], one["stands"], scope] += 1
    return said


def broken(
    inventor: Inventor, lines: Sequence[Json], findings: Sequence[Mapping[str, Any]], name: str, number: int
) -> list[str]:
    """What an audit of the log written otherwise says differently, a sentence each."""
    related = inventor.relations[name](lines, Random(f"{name} {number}"))
    audit = engine.audit_log(related.data, digest=False, causes=False, strict=True)
    wanted, found = judged(findings, related.seqs), judged(audit["findings"])
    missing, more = wanted - found, found - wanted
    if related.fewer:
        # Without a wrong claim the fault shows in what followed from it; where nothing was wrong, nobody is accused.
        missing, at_fault = Counter(), {one[0] for one in judged(findings) if _counts(one)}
        at_fault = {(related.seqs or {}).get(seq, seq) for seq in at_fault}
        last = min(at_fault & related.without, default=inf)
        more = Counter({one: n for one, n in more.items() if _counts(one) and one[0] not in at_fault and one[0] < last})
    if related.holes:
        more = Counter(
            {one: n for one, n in more.items() if one[2] != "ambiguous"}
        )  # what a hole may hold is left open
    # What is cut off may have come too late, or have taken something back: then that is missing, or stands.
    undone = {(one["seq"], one["rule"]) for one in findings if one["undone"]}
    more = Counter({one: n for one, n in more.items() if (one[0], one[1]) not in undone})
    late = {one["player"] for one in findings if related.seqs is not None and one["seq"] not in related.seqs}
    more = Counter({one: n for one, n in more.items() if one[2] != "omitted" or one[3] not in late})
    return [f"{rule} {kind} of {player} at event {seq} is missing" for seq, rule, kind, player, *_ in missing] + [
        f"{rule} {kind} of {player} at event {seq} is too much" for seq, rule, kind, player, *_ in more
    ]


def _counts(one: Judged) -> bool:
    _, _, kind, _, stands, _ = one
    return stands or kind == "ambiguous"


def try_relation(inventor: Inventor, lines: Sequence[Json], audit: Json, number: int, tally: Tally) -> None:
    """Write one game of the run otherwise, audit it again, and count whether the same was found."""
    names = tuple(inventor.relations)
    if not names:
        return
    name = names[number % len(names)]
    wrong = broken(inventor, lines, audit["findings"], name, number)
    tally.relations[name, "broken" if wrong else "held"] += 1
    tally.broken_listed += [{"relation": name, "number": number, "text": one} for one in wrong[:5]]
