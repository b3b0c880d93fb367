"""The same game written otherwise: what an audit finds must not hang on how a record was written down."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence, Set
from copy import deepcopy
from dataclasses import dataclass
from random import Random
from typing import Any

from auditor.conformance.hcg.generate import as_jsonl
from auditor.conformance.hcg.record import CLAIMS, REFERENCES
from auditor.conformance.hcg.table import Event

Lines = Sequence[Event]
FREE_FIELDS = {"noted_by": "somebody", "clock": 12, "weather": {"hall": "cold"}}


@dataclass(frozen=True)
class Related:
    """A log written otherwise.

    data    its bytes
    seqs    number of an event before -> its number now; events that are not in it are left out
    fewer   whether claims are left out: it may show fewer faults, and none at an event where nothing was wrong before
    without numbers of the events before that lost a claim: a wrong one that is gone shows in what followed from it
    """

    data: bytes
    seqs: Mapping[int, int]
    fewer: bool = False
    without: Set[int] = frozenset()


def _same(lines: Lines) -> dict[int, int]:
    """The header, where decks are judged, is event 0."""
    return {0: 0, **{event["seq"]: event["seq"] for event in lines[1:]}}


def as_one_object(lines: Lines, rng: Random) -> Related:
    """Header and events as one JSON object."""
    return Related(json.dumps({"header": lines[0], "events": list(lines[1:])}).encode(), _same(lines))


def with_unknown_fields(lines: Lines, rng: Random) -> Related:
    """Fields of nobody's business on some of the events."""
    made = [lines[0], *({**event, **FREE_FIELDS} if rng.random() < 0.3 else event for event in lines[1:])]
    return Related(as_jsonl(made).encode(), _same(lines))


def with_remarks(lines: Lines, rng: Random) -> Related:
    """Remarks between the events, which take numbers of their own."""
    made: list[Event] = [lines[0]]
    seqs = {0: 0}
    for event in lines[1:]:
        if rng.random() < 0.1:
            made.append({"seq": len(made), "type": "remark", "text": "The players had tea."})
        seqs[event["seq"]] = len(made)
        made.append({**event, "seq": len(made)})
    for event in made[1:]:
        for key in REFERENCES:
            if isinstance(event.get(key), int):
                event[key] = seqs[event[key]]
    return Related(as_jsonl(made).encode(), seqs)


def with_other_instances(lines: Lines, rng: Random) -> Related:
    """Other names for the instances of both decks."""

    def renamed(value: Any) -> Any:
        if isinstance(value, str):
            return f"{value[:2]}/card {value[3:]}" if value[:3] in ("p1-", "p2-") else value
        if isinstance(value, list):
            return [renamed(one) for one in value]
        if isinstance(value, dict):
            return {renamed(name): renamed(one) for name, one in value.items()}
        return value

    return Related(as_jsonl([renamed(line) for line in lines]).encode(), _same(lines))


def with_claims_left_out(lines: Lines, rng: Random) -> Related:
    """Some of the claims left out."""
    made: list[Event] = [lines[0]]
    for event in lines[1:]:
        names = CLAIMS.get(event["type"], ()) if event.get("op") != "grant" else ()
        made.append({key: value for key, value in event.items() if key not in names or rng.random() < 0.6})
    without = {event["seq"] for event, now in zip(lines[1:], made[1:], strict=True) if len(now) < len(event)}
    return Related(as_jsonl(made).encode(), _same(lines), fewer=True, without=without)


def cut_short(lines: Lines, rng: Random) -> Related:
    """The record breaks off somewhere."""
    end = rng.randrange(len(lines) // 3, len(lines))
    made = [deepcopy(line) for line in lines[:end]]
    for event in made[1:]:
        if event.get("reroll", 0) >= end:
            del event["reroll"]
    # What is said of an act may hang on events that the cut took away.
    return Related(as_jsonl(made).encode(), _same(made[:-1]), fewer=True)


RELATIONS: dict[str, Callable[[Lines, Random], Related]] = {
    "one JSON object": as_one_object,
    "unknown fields": with_unknown_fields,
    "remarks": with_remarks,
    "other instances": with_other_instances,
    "claims left out": with_claims_left_out,
    "cut short": cut_short,
}
