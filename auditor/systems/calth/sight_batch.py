"""Questions about sight as JSON lines, for checking the geometry from outside (`auditor sight --batch`).

One query is {"from": hex, "to": hex, "board": [hex...] or null, "blocked", "occupied": [hex...], "sealed",
"obstructions": [hexside...], "barricades": [{"hex", "dir"}...], "aim": ["n/d", "n/d"], "readings": {id: option}}.
Only the two ends are required. A query that cannot be answered is answered with {"error": why}.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from auditor.geometry.fans import Exact
from auditor.geometry.hexes import Edge, Hex, edge, steps
from auditor.systems.calth.readings import READINGS
from auditor.systems.calth.sight import Barricade, Sight
from auditor.systems.questions import Unanswerable, answered, answered_lines

FURTHEST = 200
"""How many hexes apart the ends of a query may lie."""
MOST = 20_000
"""How many entries a list of a query may have."""

_NUMBER = re.compile(r"[+-]?[0-9]{1,60}(/[0-9]{1,60})?")
_OPTIONS = {reading.id: tuple(option.id for option in reading.options) for reading in READINGS}
_DEFAULTS = {reading.id: reading.default for reading in READINGS}


def answer(query: Mapping[str, Any]) -> dict[str, Any]:
    """The answer to one query: `sight` and what it rests on, or {"error"}.

    `clear` is the clear test alone; `obscured` whether some legal obscured line exists, also where the sight is
    clear; `distance` is null without a route; `barricade` is that of the shot as `sight` classes it; `crossings` what
    the line between the centres meets, nearest first, the ends left out; `line` one legal obscured line.
    """
    return answered(query, _answer)


def answer_lines(lines: Iterable[str | bytes]) -> Iterator[str]:
    """One JSON answer for each line, in order, without line ends."""
    return answered_lines(lines, _answer)


def _answer(query: Mapping[str, Any]) -> dict[str, Any]:
    start, target = _hex(query.get("from"), "from"), _hex(query.get("to"), "to")
    if start == target:
        raise Unanswerable("from and to are the same hex")
    if steps(start, target) > FURTHEST:
        raise Unanswerable(f"from and to are {steps(start, target)} hexes apart; at most {FURTHEST} are looked at")
    board = None if query.get("board") is None else _hexes(query, "board")
    blocked, occupied = _hexes(query, "blocked"), _hexes(query, "occupied")
    barricades = [_barricade(entry) for entry in _entries(query, "barricades")]
    aim = None if query.get("aim") is None else _point(query["aim"])
    ask = _options(query.get("readings")).__getitem__

    eye = Sight(board, blocked)
    sealed, obstructions = eye.edges(_edges(query, "sealed")), eye.edges(_edges(query, "obstructions"))
    taken = eye.hexes(occupied)
    clear = eye.clear(start, target, taken, sealed, obstructions, ask)
    obscured = eye.obscured(start, target, sealed, obstructions, ask)
    sight = eye.classify(start, target, taken, sealed, obstructions, ask)
    crossings = eye.crossings(start, target, taken, sealed, obstructions, ask)
    for crossing in crossings:
        # Of hexes the contract tells only whether they are closed, of doors whether they stop the line.
        if "hexes" in crossing:
            del crossing["stops"]
    return {
        "sight": sight,
        "clear": clear,
        "obscured": obscured,
        "distance": eye.distance(start, target, taken, sealed, obstructions, ask),
        "barricade": eye.barricade(start, target, sight, set(barricades), aim, sealed, obstructions, ask),
        "crossings": crossings,
        "line": eye.obscured_line(start, target, sealed, obstructions, ask, set(barricades)),
    }


def _entries(query: Mapping[str, Any], name: str) -> list[Any]:
    found = query.get(name)
    if found is None:
        return []
    if not isinstance(found, list) or len(found) > MOST:
        raise Unanswerable(f"{name} is a list of at most {MOST} entries")
    return found


def _hexes(query: Mapping[str, Any], name: str) -> list[Hex]:
    return [_hex(entry, name) for entry in _entries(query, name)]


def _hex(value: Any, where: str) -> Hex:
    if not isinstance(value, (list, tuple)) or len(value) != 2 or not all(type(part) is int for part in value):
        raise Unanswerable(f"{where}: a hex is [q, r], two whole numbers")
    q, r = value
    if max(abs(q), abs(r)) > 10**9:
        raise Unanswerable(f"{where}: a coordinate is beyond a thousand million")
    return q, r


def _edges(query: Mapping[str, Any], name: str) -> list[Edge]:
    found: list[Edge] = []
    for entry in _entries(query, name):
        if not isinstance(entry, (list, tuple)) or len(entry) != 2:
            raise Unanswerable(f"{name}: a hexside is [[q, r], [q, r]], two neighbouring hexes")
        found.append(edge(_hex(entry[0], name), _hex(entry[1], name)))
    return found


def _barricade(value: Any) -> Barricade:
    if not isinstance(value, Mapping) or type(value.get("dir")) is not int or not 0 <= value["dir"] <= 5:
        raise Unanswerable('barricades: a barricade is {"hex": [q, r], "dir": 0 to 5}')
    return _hex(value.get("hex"), "barricades"), value["dir"]


def _point(value: Any) -> Exact:
    if not isinstance(value, (list, tuple)) or len(value) != 2:
        raise Unanswerable('aim: a point is ["n/d", "n/d"] in axial units')
    parts: list[Fraction] = []
    for part in value:
        text = str(part) if type(part) is int else part
        if not isinstance(text, str) or not _NUMBER.fullmatch(text) or re.search("/0+$", text):
            raise Unanswerable('aim: a point is ["n/d", "n/d"] in axial units, with at most 60 digits each')
        parts.append(Fraction(text))
    return parts[0], parts[1]


def _options(value: Any) -> dict[str, str]:
    """All readings with the options given, the defaults for the rest."""
    if value is None:
        return _DEFAULTS
    if not isinstance(value, Mapping):
        raise Unanswerable("readings is an object of reading and option")
    for reading, option in value.items():
        if reading not in _OPTIONS:
            raise Unanswerable(f"there is no reading {reading!r}")
        if option not in _OPTIONS[reading]:
            raise Unanswerable(f"{reading} has no option {option!r}; it has {', '.join(_OPTIONS[reading])}")
    return {**_DEFAULTS, **value}
