"""Lines that a record may lack before an event, as far as the rules and what else it shows tell them (`Fault.lacks`).

What is left open is told in each way: who fell in an attack, who stood a last stand, where a retreat went. What dice
showed nobody can tell. Nothing here is judged: a line that could not have been there is found so when it is tried.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, combinations, islice, permutations, product
from typing import Any

from auditor.core.findings import Lack
from auditor.core.rulings import Hearing
from auditor.geometry.hexes import Hex
from auditor.systems.calth import records
from auditor.systems.calth.reckoning.ahead import NUMBER, OVER, together
from auditor.systems.calth.reckoning.moves import can_stand
from auditor.systems.calth.reckoning.retreats import must_roll, open_assault, retreat_room
from auditor.systems.calth.state import OTHER, Assault, Position, Unit

Lines = Iterator[Any]
MOST_WAYS = 4_096
"""Ways of the models of a unit to retreat that are looked at, beside those in which all go to one hex: all those of four."""


def lack_of_attack(event: records.Event, position: Position) -> Lack:
    """The attack of the open Assault."""
    return Lack(_begun_with(position.recorded.events, event.seq), _attacks_beside, whole=False)


def lack_of_counter(event: records.Event, lost: int) -> Lack:
    """A counter-attack by which so many models fell."""
    return Lack(event.seq, partial(_counters, lost), whole=False)


def lack_of_retreat(event: records.Event) -> Lack:
    """The retreat or the last stand of the unit assaulted."""
    return Lack(event.seq, partial(_retreats_or_stands, event.seq), whole=False)


def lack_of_move_in(event: records.Event, position: Position, *labels: str | None) -> Lack | None:
    """The move into the hex left empty, by the last of some units that made an Assault: it may stand there since."""
    over = _assault_over(position.recorded.assaults, event.seq, labels)
    return None if over is None else Lack(over, _moves_in)


def lack_of_place(label: str, event: records.Event, position: Position) -> Lack | None:
    """A line of the set-up by which a model stands in a unit with which this line or a later one names it."""
    over = position.recorded.set_up.over
    return None if over is None else Lack(over, partial(_placements, label, event.seq))


def _attacks_beside(position: Position, hearing: Hearing) -> Lines:
    act = open_assault(position)
    unit = position.of_act(act.hex) if act is not None else None
    if act is not None and unit is not None and not act.attacked:
        for target in position.enemies_beside(unit.hex, act.side):
            yield from _attacks(unit, target, "assault", position)


def _counters(lost: int, position: Position, hearing: Hearing) -> Lines:
    act = open_assault(position)
    unit = position.of_act(act.hex) if act is not None else None
    target = position.of_act(act.target_hex) if act is not None else None
    if unit is not None and target is not None and target.side != unit.side:
        for line in _attacks(target, unit, "counter", position):
            if len(line.steps) == lost:
                yield line


def _attacks(attacker: Unit, target: Unit, role: str, position: Position) -> Lines:
    """Melee attacks of one unit on another, the fewer casualties the earlier."""
    kind: Any = records.Attack
    line = partial(kind, seq=0, player=attacker.side, attacker=attacker.id, target=target.id, mode="melee", role=role)
    for fallen in _some_of(_passes(target, position)):
        yield line(steps=list(fallen))


def _passes(target: Unit, position: Position) -> list[records.Step]:
    """The passes of an attack by which something of a unit is removed: its models, or the locations of Sor Gharax."""
    known = position.table.models
    if not any(known[model].has_damage_deck for model in target.models if model in known):
        return [records.Step(target_model=model, casualty=True) for model in target.models]
    kind: Any = records.CardDrawn
    drawn = partial(kind, by=OTHER[target.side], shuffled=True, selection="drawn")
    cards = sorted(position.damage_in_deck if position.damage_in_deck is not None else position.table.locations)
    return [records.Step(damage_card=drawn(card=card), casualty=True) for card in cards]


def _some_of(entries: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
    """Any of some entries, the fewest first."""
    for n in range(len(entries) + 1):
        yield from combinations(entries, n)


def _retreats_or_stands(seq: int, position: Position, hearing: Hearing) -> Lines:
    act = open_assault(position)
    due = must_roll(position, act, hearing)
    if act is not None and due is not None:
        if not act.retreated:
            yield from _retreats(due[0], seq, position)
        yield from _last_stands(due[0])


def _moves_in(position: Position, hearing: Hearing) -> Lines:
    act = open_assault(position)
    if act is not None and act.hex is not None and act.target_hex is not None and act.target_hex not in position.by_hex:
        kind: Any = records.MoveUnit
        yield kind(seq=0, player=act.side, unit=act.unit, path=[act.hex, act.target_hex], cause="move_in")


def _last_stands(unit: Unit) -> Lines:
    """The last stands of a unit, with any of its models left."""
    kind: Any = records.LastStand
    line = partial(kind, seq=0, player=unit.side, unit=unit.id, models=list(unit.models))
    yield from (line(survivors=list(saved)) for saved in _some_of(unit.models))


def _retreats(unit: Unit, seq: int, position: Position) -> Lines:
    """The retreats of a unit, each of its models to a hex where it has room, those together first. Units that come of it are
    called as lines from an event on call units of which none is known."""
    known = position.table.models
    rooms: list[Sequence[Hex | None]] = [
        (retreat_room(position, unit.hex, unit.side, known[model].bulk) if model in known else []) or [None]
        for model in unit.models
    ]
    labels = [name for name in _named_from(position.recorded.events, seq) if _is_new(position, name, unit.side)]
    as_one = [(to,) * len(rooms) for to in dict.fromkeys(chain(*rooms)) if all(to in room for room in rooms)]
    ways = dict.fromkeys((*as_one, *islice(product(*rooms), MOST_WAYS)))
    for way in sorted(ways, key=lambda way: len(set(way))):
        yield from _retreat(position, unit, way, labels)


def _is_new(position: Position, label: str, side: str) -> bool:
    return position.own_label(label, side) not in position.units and label not in position.former


def _retreat(position: Position, unit: Unit, way: Sequence[Hex | None], labels: Sequence[str]) -> Lines:
    """The retreat of the models of a unit to hexes, None for those that stay; under each order of labels."""
    going: dict[Hex, list[str]] = {}
    for model, to in zip(unit.models, way, strict=True):
        if to is not None:
            going.setdefault(to, []).append(model)
    if not going or not all(can_stand(position, to, unit.side, models) for to, models in going.items()):
        return
    kind: Any = records.MoveModels
    line = partial(kind, seq=0, player=unit.side, unit=unit.id, cause="retreat")
    moves = [records.ModelMove(model=model, to=to) for to, models in going.items() for model in models]
    new = [to for to in going if to not in position.by_hex]
    own = () if None in way else (unit.id,)
    for names in dict.fromkeys(permutations([*labels[: len(new)], *own], len(new))):
        units = [records.UnitAfter(unit=name, hex=to) for to, name in zip(new, names, strict=True)]
        yield line(moves=moves, units=units)


def _placements(label: str, seq: int, position: Position, hearing: Hearing) -> Lines:
    """Models that were put nowhere and that lines from one on name in a unit, where others of it were put."""
    recorded = position.recorded
    named = _named_with(label, seq, recorded.events)
    mates = [one for model, one in recorded.set_up.placed.items() if model in named or one.unit == label]
    kind: Any = records.Place
    for model in named:
        if model in position.reserve and model not in recorded.set_up.named:
            for hex_, unit in dict.fromkeys((one.hex, one.unit) for one in mates):
                yield kind(seq=0, model=model, hex=hex_, unit=unit)


def _named_with(label: str, seq: int, events: Iterable[Any]) -> list[str]:
    """The models that lines from one on name in a unit, in the order in which they do."""
    later = (event for event in events if event.seq >= seq)
    named = (model for event in later for name, models in together(event) if name == label for model in sorted(models))
    return list(dict.fromkeys(named))


def _begun_with(events: Sequence[Any], seq: int) -> int:
    """The first line after the last activation before an event and after the move before its attack; the event itself if none is."""
    found = seq
    for event in reversed(events[: bisect_left(events, seq, key=NUMBER)]):
        if type(event) is records.Activate or type(event) in OVER or getattr(event, "cause", None) == "assault_pre":
            return found
        found = event.seq
    return seq


def _assault_over(assaults: Sequence[Assault], seq: int, labels: Collection[str | None]) -> int | None:
    """The line with which the last Assault before an event was over that one of some units made; None where none did."""
    for one in reversed(assaults[: bisect_left(assaults, seq, key=NUMBER)]):
        if one.attacker in labels:
            return seq if one.over is None else min(seq, one.over)
    return None


def _named_from(events: Sequence[Any], seq: int) -> list[str]:
    """The labels of units that lines from an event on name as of units that are there, in the order in which they do; not
    those that a line among them makes before.
    """
    found: dict[str, bool] = {}
    for event in events[bisect_left(events, seq, key=NUMBER) :]:
        kind = type(event)
        labels = [getattr(event, name, None) for name in ("unit", "attacker", "target")]
        listed = [entry.unit for entry in event.units or ()] if kind in (records.TpRefresh, records.MoveModels) else []
        for label in (*labels, *listed):
            if label is not None:
                found.setdefault(label, kind is not records.MoveModels or label == event.unit)
    return [label for label, is_there in found.items() if is_there]
