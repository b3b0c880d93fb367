"""The same game written otherwise: what an audit finds must not hang on how a record was written down."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from decimal import Decimal
from random import Random
from typing import Any

from auditor.conformance.clx.armies import pack
from auditor.conformance.clx.generate import as_jsonl
from auditor.conformance.clx.table import Json
from auditor.conformance.clx.variants import without_claims

Lines = Sequence[Json]
FREE_FIELDS = {"noted_by": "somebody", "clock": 12, "weather": {"hall": "cold"}}
PLACES, ANGLES = ("pos", "aim", "claimed_final"), ("facing", "heading", "scatter_angle")
NAMES = ("attack", "attacks", "causes", "pool", "cast")
"""Fields that name attacks, pools of wounds and casts."""


@dataclass(frozen=True)
class Related:
    """A log written otherwise.

    data   its bytes
    seqs   number of an event before -> its number now; events that are not in it are left out
    fewer  whether it may show fewer faults, and none at an event where nothing was wrong before
    without numbers of the events before that lost a claim: a wrong one that is gone shows in what followed from it
    """

    data: bytes
    seqs: Mapping[int, int]
    fewer: bool = False
    without: Set[int] = frozenset()


def _same(lines: Lines) -> dict[int, int]:
    """Findings against data packs are at event 0."""
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
    made: list[Json] = [lines[0]]
    seqs = {0: 0}
    for event in lines[1:]:
        if rng.random() < 0.1:
            made.append({"seq": len(made), "type": "remark", "text": "The players had tea."})
        seqs[event["seq"]] = len(made)
        made.append({**event, "seq": len(made)})
    return Related(as_jsonl(made).encode(), seqs)


def undone_and_replayed(lines: Lines, rng: Random) -> Related:
    """Some events are taken back, and played again as they were."""
    first = rng.randrange(1, len(lines))
    last = min(len(lines), first + rng.randint(1, 30))
    undo = {"seq": last, "type": "undo", "to": first - 1}
    again = [{**event, "seq": event["seq"] + last - first + 1} for event in lines[first:]]
    seqs = {seq: seq if seq < first else seq + last - first + 1 for seq in _same(lines)}
    return Related(as_jsonl([*lines[:last], undo, *again]).encode(), seqs)


def with_other_names(lines: Lines, rng: Random) -> Related:
    """Other names for the attacks, the pools of wounds and the casts."""

    def renamed(name: Any) -> Any:
        return [renamed(one) for one in name] if isinstance(name, list) else name if name is None else f"the {name}!"

    made = [lines[0]]
    for event in lines[1:]:
        names = NAMES + {"cast": ("id",), "perils": ("cause",)}.get(event["type"], ())
        made.append({key: renamed(value) if key in names else value for key, value in event.items()})
    return Related(as_jsonl(made).encode(), _same(lines))


def turned_half_round(lines: Lines, rng: Random) -> Related:
    """The table seen from its other side."""
    size = (lines[0]["table"]["W"], lines[0]["table"]["D"])

    def place(at: Any) -> Any:
        return [*(float(Decimal(edge) - Decimal(str(one))) for edge, one in zip(size, at, strict=False)), *at[2:]]

    def turned(value: Any, key: str = "") -> Any:
        if key in PLACES and isinstance(value, list):
            return place(value)
        if key in ("path", "poly"):
            return [place(one) for one in value]
        if key in ANGLES and value is not None:
            return float((Decimal(str(value)) + 180) % 360)
        if isinstance(value, list):
            return [turned(one, "heading" if key == "headings" else "") for one in value]
        if isinstance(value, dict):
            return {name: turned(one, name) for name, one in value.items()}
        return value

    ground = lines[0].get("terrain") or []
    header = {**lines[0], "terrain": turned(pack(ground)["terrain"] if isinstance(ground, str) else ground)}
    return Related(as_jsonl([header, *(turned(event) for event in lines[1:])]).encode(), _same(lines))


def with_claims_left_out(lines: Lines, rng: Random) -> Related:
    """Some of the claims left out."""
    made = without_claims(lines, 0.4, rng)
    without = {event["seq"] for event, now in zip(lines[1:], made[1:], strict=True) if now != event}
    return Related(as_jsonl(made).encode(), _same(lines), fewer=True, without=without)


def cut_short(lines: Lines, rng: Random) -> Related:
    """The record breaks off somewhere."""
    end = rng.randrange(len(lines) // 3, len(lines))
    return Related(as_jsonl(lines[:end]).encode(), _same(lines[: end - 1]), fewer=True)


RELATIONS: dict[str, Callable[[Lines, Random], Related]] = {
    "one JSON object": as_one_object,
    "unknown fields": with_unknown_fields,
    "remarks": with_remarks,
    "undone and replayed": undone_and_replayed,
    "other names": with_other_names,
    "turned half round": turned_half_round,
    "claims left out": with_claims_left_out,
    "cut short": cut_short,
}
