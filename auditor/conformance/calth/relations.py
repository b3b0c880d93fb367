"""The same game written otherwise: what an audit finds must not hang on how a record was written down.

Each relation takes a log (header first) and gives the log as another hand would have written it: on a board that is
turned, mirrored or shifted, with other ids, with remarks and unknown fields, in another form of JSON, with numbers of
events left out, cut short, or with a stretch taken back and played again. `seqs` says which event of the new log each event of the old one is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

from auditor.conformance import relations
from auditor.conformance.calth.games import PACKS
from auditor.conformance.calth.packs import Packs
from auditor.conformance.calth.position import Event
from auditor.conformance.relations import Related, Relation, with_claims_left_out, written

Lines = list[Event]
Hexes = Callable[[Fraction, Fraction], tuple[Fraction, Fraction]]

HEX, HEXES = ("hex", "to", "from"), ("path", "zone")
EDGE = ("edge",)
CLAIMS = ("tp", "pool", "tp_left", "tally")
REFERENCES = ("to",)
"""The field by which an undo names an event; a `to` that is a hex is no number."""


@cache
def _packs() -> Packs:
    return Packs.read(PACKS)


def _inlined(header: Event) -> Event:
    """A copy of a header with every pack in full."""
    return _packs().inlined(deepcopy(header))


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
    return written(made)


def mirrored(lines: Sequence[Event], rng: Random) -> Related:
    """On the board's mirror image."""
    return written(moved_board(lines, lambda q, r: (r, q), lambda d: (5 - d) % 6))


def shifted(lines: Sequence[Event], rng: Random) -> Related:
    """On a board whose hexes are counted from elsewhere."""
    dq, dr = rng.randint(-40, 40), rng.randint(-40, 40)
    return written(moved_board(lines, lambda q, r: (q + dq, r + dr), lambda d: d))


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
    return written([header, *(named(event) for event in lines[1:])])


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


def as_one_object(lines: Sequence[Event], rng: Random) -> Related:
    """As a single JSON object, faces as lists, edges the other way round."""

    def other(value: Any, name: str = "") -> Any:
        if isinstance(value, dict):
            return {key: other(part, key) for key, part in value.items()}
        if name in ("faces", "roll", "added") and isinstance(value, str):
            return list(value)
        if name == "edge" and isinstance(value, list):
            return value[::-1]
        return [other(one) for one in value] if isinstance(value, list) else value

    return relations.as_one_object([lines[0], *(other(event) for event in lines[1:])], rng)


# -- less of it -----------------------------------------------------------------------------------------------------


def cut(lines: Sequence[Event], rng: Random) -> Related:
    """Cut after some event."""
    return written(lines[: rng.randint(2, len(lines))])


def without_claims(lines: Sequence[Event], rng: Random) -> Related:
    """With some claims of events left out."""
    made = [lines[0]]
    for event in lines[1:]:
        lost = [name for name in CLAIMS if name in event and rng.random() < 0.5]
        made.append({key: value for key, value in event.items() if key not in lost})
    return with_claims_left_out(lines, made)


RELATIONS: Mapping[str, Relation] = {
    "turned": turned,
    "mirrored": mirrored,
    "shifted": shifted,
    "renamed": renamed,
    "with remarks": relations.with_remarks(REFERENCES),
    "with unknown fields": relations.with_unknown_fields,
    "as one object": as_one_object,
    "with gaps in its numbers": relations.with_gaps(REFERENCES),
    "cut short": cut,
    "claims left out": without_claims,
    "taken back and played again": relations.undone_and_replayed(REFERENCES),
}
