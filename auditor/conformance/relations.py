"""A game written otherwise: what an audit finds must not hang on how a record was written down.

A relation takes a log (header first) and random numbers, and gives the log as another hand would have written it.
Here stand those that need no knowledge of the game but which fields of its events are numbers of other events.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from random import Random

from auditor.conformance.logs import Json, Lines, as_jsonl

FREE_FIELDS = {"noted_by": "somebody", "clock": 12, "weather": {"hall": "cold"}}


@dataclass(frozen=True)
class Related:
    """A log written otherwise.

    data    its bytes
    seqs    number of an event before -> its number now; events that are not in it are left out
    fewer   whether it may show fewer faults, and none at an event where nothing was wrong before
    without numbers of the events before that lost a claim: a wrong one that is gone shows in what followed from it
    holes   whether its numbers leave holes, which may leave open what was not before
    """

    data: bytes
    seqs: Mapping[int, int]
    fewer: bool = False
    without: Set[int] = frozenset()
    holes: bool = False


Relation = Callable[[Lines, Random], Related]


def written(lines: Lines, seqs: Mapping[int, int] | None = None) -> Related:
    """A log with what it is related by; without `seqs` its events keep their numbers."""
    return Related(as_jsonl(lines).encode(), same_numbers(lines) if seqs is None else seqs)


def same_numbers(lines: Lines) -> dict[int, int]:
    """Every event keeps its number; what is wrong with the header or a data pack is at event 0."""
    return {0: 0, **{event["seq"]: event["seq"] for event in lines[1:]}}


def with_claims_left_out(lines: Lines, made: Lines) -> Related:
    """A log and the same with fewer claims, event for event: nobody is accused of what was not claimed."""
    without = {event["seq"] for event, now in zip(lines[1:], made[1:], strict=True) if now != event}
    return Related(as_jsonl(made).encode(), same_numbers(lines), fewer=True, without=without)


def as_one_object(lines: Lines, rng: Random) -> Related:
    """Header and events as one JSON object, its fields in another order."""
    whole = {"events": [_turned_round(event) for event in lines[1:]], "header": lines[0]}
    return Related(json.dumps(whole, indent=1).encode(), same_numbers(lines))


def _turned_round(event: Json) -> Json:
    return dict(reversed(event.items()))


def with_unknown_fields(lines: Lines, rng: Random) -> Related:
    """Fields that nobody knows, on some of the lines."""
    return written([{**line, **FREE_FIELDS} if rng.random() < 0.3 else line for line in lines])


def with_remarks(references: Sequence[str]) -> Relation:
    """Remarks between the events, which take numbers of their own; `references`: fields that number other events."""

    def relation(lines: Lines, rng: Random) -> Related:
        made: list[Json] = []
        seqs = {0: 0}
        for event in lines[1:]:
            # Before the first event there is nothing to remark on: what comes first may have to come first.
            while len(made) > 1 and rng.random() < 0.15:
                made.append({"type": "remark", "text": "The players had tea."})
            made.append(event)
            seqs[event["seq"]] = len(made)
        # An event may name a later one: numbers are written when all are known.
        renumbered = (_renumbered(one, _given_by(seqs), references) for one in made)
        return written([lines[0], *({**one, "seq": seq} for seq, one in enumerate(renumbered, 1))], seqs)

    return relation


def with_gaps(references: Sequence[str]) -> Relation:
    """Numbers left out between the events, each gap a hole: nobody is accused of more; `references` as for remarks."""

    def relation(lines: Lines, rng: Random) -> Related:
        events = lines[1:]
        gaps = set(rng.sample(range(1, len(events)), min(3, len(events) - 1))) if events else set()
        seqs, number = {0: 0}, 0
        for place, event in enumerate(events):
            number += 1 + (rng.randint(1, 3) if place in gaps else 0)
            seqs[event["seq"]] = number
        made = [_renumbered(event, _given_by(seqs), references) for event in events]
        return Related(as_jsonl([lines[0], *made]).encode(), seqs, fewer=True, holes=True)

    return relation


def undone_and_replayed(references: Sequence[str]) -> Relation:
    """A stretch of the game taken back and played again, word for word; `references` as for remarks."""

    def relation(lines: Lines, rng: Random) -> Related:
        if len(lines) < 4:
            return written(lines)
        end = rng.randint(2, len(lines) - 1)
        start = max(1, end - rng.randint(1, 30))
        back_to, later = lines[start]["seq"], end - start + 1

        def now(seq: int) -> int:
            return seq + later if seq > back_to else seq

        undo = {"seq": lines[end]["seq"] + 1, "type": "undo", "to": back_to}
        # What stands before the stretch may name an event of it: that is the one played again.
        before = [_renumbered(event, now, references) for event in lines[: start + 1]]
        again = [_renumbered(event, now, references) for event in lines[start + 1 :]]
        made = [*before, *lines[start + 1 : end + 1], undo, *again]
        return written(made, {seq: now(seq) for seq in same_numbers(lines)})

    return relation


def cut_short(references: Sequence[str]) -> Relation:
    """The record breaks off somewhere, where what is said of an act may hang on events that the cut took away."""

    def relation(lines: Lines, rng: Random) -> Related:
        kept = lines[: rng.randrange(len(lines) // 3, len(lines))]
        end = kept[-1]["seq"]

        def is_lost(name: str, value: object) -> bool:
            return name in references and isinstance(value, int) and value > end

        made = [{name: value for name, value in line.items() if not is_lost(name, value)} for line in kept]
        return Related(as_jsonl(made).encode(), same_numbers(kept), fewer=True)

    return relation


def _renumbered(event: Json, now: Callable[[int], int], references: Sequence[str]) -> Json:
    return {**event, **{name: now(event[name]) for name in ("seq", *references) if isinstance(event.get(name), int)}}


def _given_by(seqs: dict[int, int]) -> Callable[[int], int]:
    """The new number of an event. One that names no event still names none, and what would come later still would."""
    return lambda seq: seqs[seq] if seq in seqs else seq + max(seqs.values())
