"""The same game written otherwise: what an audit finds must not hang on how a record was written down.

Each relation takes a log (header first) and gives the log as another hand would have written it: on a board that is
turned, mirrored or shifted, with other ids, with remarks and unknown fields, in another form of JSON, cut short, or
with a stretch taken back and played again. `seqs` says which event of the new log each event of the old one is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence, Set
from copy import deepcopy
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

from auditor.conformance.calth.games import PACKS
from auditor.conformance.calth.generate import as_jsonl
from auditor.conformance.calth.packs import Packs
from auditor.conformance.calth.position import Event

Lines = list[Event]
Hexes = Callable[[Fraction, Fraction], tuple[Fraction, Fraction]]

HEX, HEXES = ("hex", "to", "from"), ("path", "zone")
EDGE = ("edge",)
CLAIMS = ("tp", "pool", "tp_left", "tally")
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


def _same(lines: Sequence[Event]) -> dict[int, int]:
    return {event["seq"]: event["seq"] for event in lines[1:]}


@cache
def _packs() -> Packs:
    return Packs.read(PACKS)


def _inlined(header: Event) -> Event:
    """A copy of a header with every pack in full."""
    return _packs().inlined(deepcopy(header))


def _written(lines: Sequence[Event]) -> bytes:
    return as_jsonl(lines).encode()


# -- boards ---------------------------------------------------------------------------------------------------------


def moved_board(lines: Sequence[Event], move: Hexes, direction: Callable[[int], int]) -> Lines:
    """A log on another board: `move` maps hexes (and points in hex units), `direction` the six directions."""

    def at(hex_: Sequence[Any]) -> list[int]:
        q, r = move(Fraction(hex_[0]), Fraction(hex_[1]))
        return [int(q), int(r)]

    def moved(value: Any, name: str = "") -> Any:
        if isinstance(value, list):
            if name in HEX and _is_hex(value):
                return at(value)
            if name in HEXES or name in EDGE:
                return [at(one) if _is_hex(one) else one for one in value]
            if name == "aim":
                return [_exact(part) for part in move(*(Fraction(str(part)) for part in value))]
            return [moved(one) for one in value]
        if isinstance(value, dict):
            made = {key: moved(part, key) for key, part in value.items()}
            if "q" in made and "r" in made:
                made["q"], made["r"] = at([made["q"], made["r"]])
            if "a" in made and "b" in made and _is_hex(made["a"]):
                made["a"], made["b"] = at(made["a"]), at(made["b"])
            if "dir" in made:
                made["dir"] = direction(made["dir"])
            return made
        return value

    return [moved(_inlined(lines[0])), *(moved(event) for event in lines[1:])]


def _is_hex(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(type(part) is int for part in value)


def _exact(number: Fraction) -> Any:
    return int(number) if number.denominator == 1 else str(number)


def turned(lines: Sequence[Event], rng: Random) -> Related:
    """On a board turned by a multiple of 60 degrees."""
    made = list(lines)
    for _ in range(rng.randint(1, 5)):
        made = moved_board(made, lambda q, r: (-r, q + r), lambda d: (d - 1) % 6)
    return Related(_written(made), _same(lines))


def mirrored(lines: Sequence[Event], rng: Random) -> Related:
    """On the board's mirror image."""
    return Related(_written(moved_board(lines, lambda q, r: (r, q), lambda d: (5 - d) % 6)), _same(lines))


def shifted(lines: Sequence[Event], rng: Random) -> Related:
    """On a board whose hexes are counted from elsewhere."""
    dq, dr = rng.randint(-40, 40), rng.randint(-40, 40)
    return Related(_written(moved_board(lines, lambda q, r: (q + dq, r + dr), lambda d: d)), _same(lines))


# -- names ----------------------------------------------------------------------------------------------------------


def renamed(lines: Sequence[Event], rng: Random) -> Related:
    """With other ids for models, and other labels for units."""
    header = _inlined(lines[0])
    models = [model["id"] for roster in header["rosters"].values() for model in roster["models"]]
    labels = sorted(_labels(lines) - set(models))
    new_names = [f"n{n}" for n in range(len(models) + len(labels))]
    rng.shuffle(new_names)
    names = dict(zip([*models, *labels], new_names, strict=True))

    def named(value: Any, name: str = "") -> Any:
        if isinstance(value, str):
            return (
                names.get(value, value) if name not in ("type", "source", "cause", "faces", "roll", "text") else value
            )
        if isinstance(value, list):
            return [named(one, name) for one in value]
        if isinstance(value, dict):
            return {names.get(key, key): named(part, key) for key, part in value.items()}
        return value

    for roster in header["rosters"].values():
        for model in roster["models"]:
            model["id"] = names[model["id"]]
    for line in header["scenario"].get("deployments") or ():
        line["models"] = named(line["models"])
    return Related(_written([header, *(named(event) for event in lines[1:])]), _same(lines))


def _labels(lines: Sequence[Event]) -> set[str]:
    """Everything that some event calls a unit."""
    found: set[str] = set()

    def look(value: Any) -> None:
        if isinstance(value, dict):
            found.update(value[key] for key in ("unit", "attacker", "target") if isinstance(value.get(key), str))
            for key in ("tp", "tp_left"):
                if isinstance(value.get(key), dict):
                    found.update(value[key])
            for part in value.values():
                look(part)
        elif isinstance(value, list):
            for part in value:
                look(part)

    for event in lines[1:]:
        look(event)
    return found


# -- what is written besides, or in another way ---------------------------------------------------------------------


def with_remarks(lines: Sequence[Event], rng: Random) -> Related:
    """With remarks between the events, and the numbers that go with them."""
    made, seqs = [lines[0]], dict[int, int]()
    for event in lines[1:]:
        # Before the first event there is nothing to remark on: what comes first may have to come first.
        while len(made) > 2 and rng.random() < 0.15:
            made.append({"seq": len(made), "type": "remark", "text": "a short rest"})
        seqs[event["seq"]] = len(made)
        made.append({**event, "seq": len(made), **_back_to(event, seqs.__getitem__)})
    return Related(_written(made), seqs)


def with_free_fields(lines: Sequence[Event], rng: Random) -> Related:
    """With fields that nobody knows."""
    made = [{**line, **FREE_FIELDS} if rng.random() < 0.3 else line for line in lines]
    return Related(_written(made), _same(lines))


def as_one_object(lines: Sequence[Event], rng: Random) -> Related:
    """As a single JSON object, its fields in another order, faces as lists, edges the other way round."""

    def written(value: Any, name: str = "") -> Any:
        if isinstance(value, dict):
            keys = sorted(value, reverse=True)
            return {key: written(value[key], key) for key in keys}
        if name in ("faces", "roll", "added") and isinstance(value, str):
            return list(value)
        if name == "edge" and isinstance(value, list):
            return value[::-1]
        return [written(one) for one in value] if isinstance(value, list) else value

    whole = {"events": [written(event) for event in lines[1:]], "header": lines[0]}
    return Related(json.dumps(whole, indent=1).encode(), _same(lines))


# -- more or less of it ---------------------------------------------------------------------------------------------


def cut(lines: Sequence[Event], rng: Random) -> Related:
    """Cut after some event."""
    kept = lines[: rng.randint(2, len(lines))]
    return Related(_written(kept), _same(kept))


def without_claims(lines: Sequence[Event], rng: Random) -> Related:
    """With some claims of events left out: nobody is accused of what was not claimed."""
    made = [lines[0]]
    for event in lines[1:]:
        lost = [name for name in CLAIMS if name in event and rng.random() < 0.5]
        made.append({key: value for key, value in event.items() if key not in lost})
    without = {event["seq"] for event, now in zip(lines[1:], made[1:], strict=True) if len(now) < len(event)}
    return Related(_written(made), _same(lines), fewer=True, without=without)


def _back_to(event: Event, now: Callable[[int], int]) -> Event:
    """Where an undo goes back to, by the new numbers; nothing for another event."""
    return {"to": now(event["to"])} if event["type"] == "undo" else {}


def undone(lines: Sequence[Event], rng: Random) -> Related:
    """With a stretch of the game taken back and played again, word for word."""
    if len(lines) < 4:
        return Related(_written(lines), _same(lines))
    end = rng.randint(2, len(lines) - 1)
    start = max(1, end - rng.randint(1, 12))
    back_to = lines[start]["seq"]
    later = end - start + 1
    again = [
        {**event, "seq": event["seq"] + later, **_back_to(event, lambda to: to + later if to > back_to else to)}
        for event in lines[start + 1 :]
    ]
    undo = {"seq": lines[end]["seq"] + 1, "type": "undo", "to": back_to}
    seqs = {**_same(lines[: start + 1])}
    seqs |= {event["seq"]: now["seq"] for event, now in zip(lines[start + 1 :], again, strict=True)}
    return Related(_written([*lines[: end + 1], undo, *again]), seqs)


RELATIONS: Mapping[str, Callable[[Sequence[Event], Random], Related]] = {
    "turned": turned,
    "mirrored": mirrored,
    "shifted": shifted,
    "renamed": renamed,
    "with remarks": with_remarks,
    "with unknown fields": with_free_fields,
    "as one object": as_one_object,
    "cut short": cut,
    "claims left out": without_claims,
    "taken back and played again": undone,
}
