"""Where models stand whose `place` the rest of the record contradicts (CAL-AUD-06).

A set-up is typed in a hurry: one hex or one model of a `place` may be another than the one meant. Where the unit that
the line itself names stands elsewhere, or nobody can stand in the hex, or the model has been placed already, what the
record shows later decides: models that act or fall in one event stand together. The line is judged as it is written;
the game goes on from what all else says.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import takewhile
from typing import Any, NamedTuple

from auditor.core.record import Unread
from auditor.geometry.hexes import Hex
from auditor.systems.calth import records
from auditor.systems.calth.packs import Setup
from auditor.systems.calth.reckoning.ahead import together
from auditor.systems.calth.state import CAPACITY, SIDES, Meant, SetUp


class _Placed(NamedTuple):
    """A `place` in the set-up. `side` is empty where no roster has the model; `fits`: models may stand in its hex, which
    is not full with those of other labels."""

    seq: int
    model: str
    side: str
    hex: Hex
    label: str | None
    fits: bool


def set_up_of(events: Sequence[Any], setup: Setup, after_gap: frozenset[int] = frozenset()) -> SetUp:
    """The set-up of a record. `events` are those that count, in their order; before those in `after_gap` one is missing."""
    first = [event for event in takewhile(_is_of_the_set_up, events) if type(event) is records.Place]
    lines = _lines(first, setup)
    at: dict[str, set[Hex]] = {}
    hexes: dict[tuple[str, str], set[Hex]] = {}
    for line in lines:
        at.setdefault(line.model, set()).add(line.hex)
        if line.label is not None:
            hexes.setdefault((line.side, line.label), set()).add(line.hex)
    strange = {model for model, where in at.items() if len(where) > 1 or model not in setup.models}
    shared = set.intersection(*({line.hex for line in lines if line.side == side} for side in SIDES))
    apart = any(len(where) > 1 for where in hexes.values())
    named = frozenset(event.model for event in first if event.model is not None)
    placed = {event.model: event for event in reversed(first) if event.model is not None and event.hex is not None}
    begins = next((n for n, event in enumerate(events) if not _is_of_the_set_up(event)), len(events))
    over = events[begins].seq if begins < len(events) else None
    if not (strange or shared or apart) and all(line.fits for line in lines):
        return SetUp({}, {}, named, placed, over)
    later = events[begins:]
    breaks_off = not later or type(later[0]) is Unread
    whole = not breaks_off and after_gap.isdisjoint(event.seq for event in events[: begins + 1])
    meant: dict[int, Meant] = {}
    for line in lines:
        if line.label is not None:
            if line.model in strange:
                found = _other_model(line, lines, setup, later)
            else:
                found = _other_hex(line, lines, setup, later, whole)
            if found is not None:
                meant[line.seq] = found
    return SetUp(meant, _labels([line for line in lines if line.seq not in meant], hexes), named, placed, over)


def _labels(lines: Sequence[_Placed], hexes: Mapping[tuple[str, str], set[Hex]]) -> dict[int, str]:
    """`SetUp.labels`; `hexes` has those of each label of a side."""
    found: dict[int, str] = {}
    for line in lines:
        if line.label is not None and len(hexes[line.side, line.label]) > 1:
            here = {(one.side, one.label) for one in lines if one.hex == line.hex and one.label is not None}
            own = [label for side, label in here if side == line.side and hexes[side, label] == {line.hex}]
            if len(own) == 1:
                found[line.seq] = own[0]
    return found


_SET_UP = frozenset({records.GameStart, records.Place, records.Remark, records.Door})


def _is_of_the_set_up(event: records.Event) -> bool:
    return type(event) in _SET_UP


def _lines(events: Sequence[records.Place], setup: Setup) -> list[_Placed]:
    """Those lines that say who stands where."""
    lines: list[_Placed] = []
    there: dict[tuple[str, Hex], set[str]] = {}
    for event in events:
        if event.model is not None and event.hex is not None:
            side = setup.models[event.model].side if event.model in setup.models else ""
            lines.append(
                _Placed(event.seq, event.model, side, event.hex, event.unit, event.hex in setup.board.passable)
            )
            there.setdefault((side, event.hex), set()).add(event.model)
    full = {at for at, models in there.items() if at[0] and _bulk(models, setup) > CAPACITY}
    return [
        line._replace(fits=False) if (line.side, line.hex) in full and _is_one_too_many(line, lines, setup) else line
        for line in lines
    ]


def _bulk(models: Collection[str], setup: Setup) -> int:
    return sum(setup.models[one].bulk for one in models)


def _is_one_too_many(line: _Placed, lines: Sequence[_Placed], setup: Setup) -> bool:
    """Whether those of other labels leave no room in the hex of a line."""
    others = {one.model for one in lines if (one.side, one.hex) == (line.side, line.hex) and one.label != line.label}
    return _bulk({line.model, *others}, setup) > CAPACITY


def _other_model(line: _Placed, lines: Sequence[_Placed], setup: Setup, later: Sequence[Any]) -> Meant | None:
    """Who is meant by a line whose model is in no roster or stands elsewhere as well: one never placed that acts or falls
    under its label, or the only one never placed of the side whose label it is.
    """
    if not line.fits:
        return None
    placed = {one.model for one in lines}
    shown = _never_placed(line, placed, setup, later)
    if shown is not None:
        return shown, line.hex
    sides = _sides_of_label(line, lines)
    if line.side and sides <= {line.side}:
        twins = (one for one in lines if one.model == line.model and one is not line and one.label is not None)
        if any(_never_placed(one, placed, setup, later) for one in twins):
            return None  # it is the other line that has another model than the one meant
        if not _is_the_wrong_one(line, lines, later):
            return None
        sides = {line.side}
    if len(sides) != 1:
        return None
    never = [model.id for model in setup.models.values() if model.side in sides and model.id not in placed]
    return (never[0], line.hex) if len(never) == 1 else (line.model, None)


def _never_placed(line: _Placed, placed: Collection[str], setup: Setup, later: Sequence[Any]) -> str | None:
    """A model that was placed nowhere and acts or falls first under the label of a line."""
    first: dict[str, str | None] = {}
    for event in later:
        for label, models in together(event):
            first.update((one, label) for one in sorted(models) if one not in placed and one not in first)
    return next((one for one, label in first.items() if label == line.label and one in setup.models), None)


def _sides_of_label(line: _Placed, lines: Sequence[_Placed]) -> set[str]:
    """The sides of those who are placed under the label of a line in others."""
    return {one.side for one in lines if one.label == line.label and one is not line}


def _is_the_wrong_one(line: _Placed, lines: Sequence[_Placed], later: Sequence[Any]) -> bool:
    """Whether a line that places a model which another line places too is the one at fault: the model acts or falls
    under the label of the other; the later line where nothing tells.
    """
    twins = [one for one in lines if one.model == line.model and one is not line]
    others = {one.label: one for one in twins if _sides_of_label(one, lines) <= {one.side}}
    for event in later:
        for label, models in together(event):
            if line.model in models and (label == line.label or label in others):
                return label != line.label
    return any(one.seq < line.seq for one in others.values())


def _other_hex(
    line: _Placed, lines: Sequence[_Placed], setup: Setup, later: Sequence[Any], whole: bool
) -> Meant | None:
    """Where a model stands that was placed apart from its unit, or where nobody can stand.

    The lines of its unit may be among those that are missing, where the record of the set-up is not `whole`: then who
    finds no room among others stands elsewhere.
    """
    mates = [
        one
        for one in lines
        if one.label == line.label and one.side == line.side and one.model != line.model and one.fits
    ]
    if not mates:
        if line.fits and not _is_in_the_way(line, lines, setup):
            return None
        start = _first_start(line, setup, later)
        if start is not None and all(one.hex != start for one in lines):
            return line.model, start
        return (line.model, None) if line.fits or not whole else None
    hexes = {one.hex for one in mates}
    there = mates[0].hex
    if len(hexes) > 1 or there == line.hex:
        return None
    odd = not line.fits or _is_odd(line, lines, setup) > _is_odd(mates[0], lines, setup)
    if len(mates) == 1 and not odd:
        return None  # nothing says which of the two it is
    if _bulk({line.model, *(mate.model for mate in mates)}, setup) > CAPACITY:
        return None
    names = {mate.model for mate in mates}
    others = {one.label for one in lines if one.hex == line.hex and one.label != line.label}
    for event in later:
        for label, models in together(event):
            if line.model in models:
                if label != line.label:
                    return None
                if not line.fits or names & models:
                    return line.model, there
        if isinstance(event, records.MoveModels) and any(
            move.model == line.model or move.to == line.hex for move in event.moves or ()
        ):
            break  # from here on they may have come together, or parted
        if isinstance(event, records.MoveUnit) and event.path:
            if event.path[0] == line.hex and (line.fits or event.unit not in others):
                odd = False  # somebody does stand there
            if event.path[-1] == line.hex:
                others.add(event.unit)
    return (line.model, there) if odd else None


def _is_odd(line: _Placed, lines: Sequence[_Placed], setup: Setup) -> bool:
    """Whether something else speaks against the hex of a line: the model's zone, or another unit that stands there."""
    return not _is_in_its_zone(line, setup) or any(
        one.hex == line.hex and (one.side, one.label) != (line.side, line.label) for one in lines
    )


def _is_in_the_way(line: _Placed, lines: Sequence[_Placed], setup: Setup) -> bool:
    """Whether a model is outside its zone where others of the other side are set up, inside theirs."""
    return not _is_in_its_zone(line, setup) and any(
        one.hex == line.hex and one.side not in ("", line.side) and _is_in_its_zone(one, setup) for one in lines
    )


def _first_start(line: _Placed, setup: Setup, later: Sequence[Any]) -> Hex | None:
    """Where the first move of a unit starts, if nobody of it moved before."""
    for event in later:
        if isinstance(event, records.MoveUnit) and event.unit == line.label:
            return event.path[0] if event.path and event.path[0] in setup.board.passable else None
        if isinstance(event, records.MoveModels) and event.unit == line.label:
            return None
    return None


def _is_in_its_zone(line: _Placed, setup: Setup) -> bool:
    """Whether the scenario lets a model be set up in its hex; so it is where the zones are not known."""
    deployments = setup.scenario.deployments if setup.scenario is not None else None
    own = [e for e in deployments or () if e.side == line.side and (e.models is None or line.model in e.models)]
    return not own or any(e.zone is None or line.hex in e.zone for e in own)
