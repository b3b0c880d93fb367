"""Lines that a record may lack before an event, as far as the rules tell them (`Fault.due`, `Fault.lacks`).

Nothing here is judged: a line that could not have been there is found so when it is tried. What dice showed nobody can
tell.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from functools import partial
from math import atan2, ceil, degrees
from typing import Any

from auditor.core.findings import Lack
from auditor.core.rulings import Hearing
from auditor.geometry.inches.lengths import Length
from auditor.geometry.inches.shapes import Point, distance
from auditor.systems.clx import records
from auditor.systems.clx.packs import Model, Unit
from auditor.systems.clx.position.combat import Charge
from auditor.systems.clx.position.state import Position
from auditor.systems.clx.reckoning.blows import photon
from auditor.systems.clx.reckoning.charges import charge_now
from auditor.systems.clx.reckoning.dice import parts_of
from auditor.systems.clx.reckoning.due import charges_of_now, last_failed
from auditor.systems.clx.reckoning.runs import rows_for
from auditor.systems.clx.reckoning.ways import Way
from auditor.systems.clx.tolerance import RND

Lines = Iterator[Any]


def phase_due(phase: Any, position: Position) -> Callable[[], records.PhaseStart]:
    """The line by which a phase of the turn that is on began."""
    return partial(records.PhaseStart, seq=0, turn=position.turn, phase=phase, player=position.active)


def turn_end_due(turn: int, position: Position) -> Callable[[], list[records.TurnEnd]]:
    """The end of a turn, of each player who has not ended it."""
    ended = {player for number, player in position.ended_turns if number == turn}
    left = [player for player in position.setup.players if player not in ended]

    def lines() -> list[records.TurnEnd]:
        return [records.TurnEnd(seq=0, turn=turn, phase="assault", player=player) for player in left]

    return lines


def lack_of_roll_off(event: records.Event) -> Lack:
    """The roll-off, before the line that needs it."""
    return Lack(event.seq, lambda position, hearing: [records.RollOff(seq=0, turn=0, phase="pre")], whole=False)


def lack_of_choice(unit: Unit, event: records.Event, position: Position) -> Lack | None:
    """The choice of a unit to press on, before the last test of it for that."""
    tested = position.later.last_test(unit.id, "prone", event.seq)

    def lines(position: Position, hearing: Hearing) -> Lines:
        under = [name for name, attack in position.attacks.items() if attack.target == unit.id]
        line = partial(records.ProneChoice, turn=position.turn, phase="shooting", player=unit.player, unit=unit.id)
        yield from (line(seq=0, attack=name, choice="press") for name in reversed(under))

    return None if tested is None else Lack(tested, lines, whole=False)


def lack_of_deployment(unit: Unit, position: Position) -> Lack | None:
    """The deployment of a unit, where its models go on from with their first way, or nobody knows where."""
    first = position.later.first_deployed(unit.player)

    def lines(position: Position, hearing: Hearing) -> Lines:
        way = position.later.next_way(unit.id, 0)
        line = partial(records.Deploy, turn=0, phase="pre", player=unit.player, unit=unit.id)
        if way is not None and way.starts:
            yield line(seq=0, models=[records.Placed(id=name, pos=_written(at)) for name, at in way.starts.items()])
        yield line(seq=0)

    return None if first is None else Lack(first, lines, whole=False)


def lack_of_throw(model: Model, position: Position) -> Lack | None:
    """A grenade that took its attack for charging from a model: its own, or a defensive one at its unit. It was thrown after
    the charge was declared."""
    charge = charge_now(model.unit, position)
    return (
        None
        if charge is None or charge.seq is None
        else Lack(charge.seq + 1, partial(_throws, model, charge), whole=False)
    )


def _throws(model: Model, charge: Charge, position: Position, hearing: Hearing) -> Lines:
    setup = position.setup
    target = setup.units.get(charge.target or "")
    at_it = [("defender", one, model.unit) for one in (position.living(target) if target is not None else ())]
    for side, thrower, at in (*at_it, ("attacker", model, charge.target)):
        for grenade in thrower.weapons:
            held = setup.weapons.get(grenade)
            if held is not None and held.type == "grenade" and (side == "attacker" or photon(held)):
                said: dict[str, Any] = {"model": thrower.id, "unit": thrower.unit, "grenade": grenade, "side": side}
                player = setup.units[thrower.unit].player
                line = partial(records.Grenade, seq=0, turn=position.turn, phase="assault", player=player, target=at)
                yield line(hit_models=[], **said)


def lack_of_way(unit: Unit, off: list[Way], event: records.Event, position: Position) -> Lack | None:
    """A move, run, charge or flight of a unit to where ways of its models begin, since it moved last. What is as long
    as dice show may have been a run, else a move; where one way alone begins an inch off, that is likelier a slip."""
    to = {way.model.id: way.path[0] for way in off}
    jumps = [(way.before.at, way.path[0]) for way in off if way.before.at is not None]
    far = max((distance(*jump) for jump in jumps), key=float)
    seqs = position.later.may_have_moved(unit, event.seq, "shooting" if _as_dice_show(far) else "movement")
    lines = partial(_ways_to, event, unit, to)
    return Lack(seqs[0], lines, whole=False, also=seqs[1:], far=3 * _is_an_inch_off(jumps)) if seqs else None


def _is_an_inch_off(jumps: Sequence[tuple[Point, Point]]) -> bool:
    """Whether one way alone begins elsewhere, an inch along one side of the table."""
    (start, end), *others = jumps
    return not others and sorted((abs(end.x - start.x), abs(end.y - start.y))) == [0, 1]


def _as_dice_show(far: Length) -> bool:
    """Whether a length is a whole number of inches, but for how lengths are written."""
    return ceil(float(far)) - float(far) <= RND


def _ways_to(event: records.Event, unit: Unit, to: Mapping[str, Point], position: Position, hearing: Hearing) -> Lines:
    rows, far = _straight(unit, to, [row.id for row in getattr(event, "models", None) or ()], position)
    if rows and position.phase not in position.closed:
        if last_failed(unit, position, perhaps=True) is not None and not isinstance(event, records.FallBack):
            yield _flight(unit, rows, far, position)
        if position.active == unit.player:
            yield from _in_its_own_turn(unit, rows, far, position)


def _in_its_own_turn(unit: Unit, rows: list[records.Moved], far: int, position: Position) -> Lines:
    """What moves models of a unit in the phase that is on, `far` inches at most."""
    said: dict[str, Any] = {"turn": position.turn, "phase": position.phase, "player": unit.player, "unit": unit.id}
    state = position.units[unit.id]
    if position.phase == "movement" and not state.moved:
        yield records.Move(seq=0, models=rows, **said)
    elif position.phase == "shooting" and state.ran is None:
        yield from (records.Run(seq=0, models=rows, **said, **how) for how in _runs(unit, far))
    elif position.phase == "assault":
        made = (one for one in charges_of_now(position) if one.unit == unit.id and not one.moved)
        yield from (records.ChargeMove(seq=0, models=rows, target=one.target, **said) for one in made)


def _straight(
    unit: Unit, to: Mapping[str, Point], named: Container[str | None], position: Position
) -> tuple[list[records.Moved], int]:
    """Straight ways of models to places, and how many inches they take at most; none where one is not on the table. Who is
    gone since went along, if all went the same way. `named`: who is not gone."""
    stood = {model.id: at for model in position.living(unit) if (at := position.models[model.id].at) is not None}
    if not stood.keys() >= to.keys():
        return [], 0
    ways = {(at.x - stood[name].x, at.y - stood[name].y) for name, at in to.items()}
    ends = dict(to)
    if len(ways) == 1:
        (x, y), *_ = ways
        ends |= {name: Point(at.x + x, at.y + y) for name, at in stood.items() if name not in to and name not in named}
    far = max(ceil(float(distance(stood[name], at))) for name, at in to.items())
    return [_row(name, stood[name], at, unit) for name, at in ends.items()], far


def lack_of_flight(unit: Unit, position: Position) -> Lack | None:
    """The flight of a unit after the test that it failed: to where it goes on from, or nobody knows where."""
    test = last_failed(unit, position)
    return None if test is None else Lack(test.seq + 1, partial(_flights, unit, test.seq), whole=False)


def _flights(unit: Unit, test: int, position: Position, hearing: Hearing) -> Lines:
    way = position.later.next_way(unit.id, test)
    rows, far = _straight(unit, way.starts, way.starts, position) if way is not None and way.starts else ([], 0)
    if rows:
        yield _flight(unit, rows, far, position)
    yield _flight(unit, None, 0, position)


def _flight(unit: Unit, rows: list[records.Moved] | None, far: int, position: Position) -> records.FallBack:
    """A flight, with the least dice by which it came so far."""
    dice = parts_of(position.setup.base["BASE-FALLBACK"])
    rolled = _least_dice(far - dice[2], dice[0]) if dice is not None and rows is not None else None
    phase: Any = position.phase
    line = partial(records.FallBack, turn=position.turn, phase=phase, player=unit.player, unit=unit.id)
    return line(seq=0, models=rows, dice=rolled)


def _row(model: str, start: Point, end: Point, unit: Unit) -> records.Moved:
    """A straight way; a vehicle faces where it goes."""
    along = round(degrees(atan2(end.y - start.y, end.x - start.x)) % 360)
    headings: Any = [along, along] if unit.vehicle is not None else None
    return records.Moved(id=model, path=[_written(start), _written(end)], headings=headings)


def _runs(unit: Unit, far: int) -> Iterator[dict[str, Any]]:
    """How a unit may have run so far, with the least dice."""
    for row in rows_for(unit, records.Run(seq=0)):
        n = row.get("dice", 0)
        dice = {"dice": _least_dice(far, n)} if n else {}
        if row.get("most", 0) is not None and far <= (6 * n if n else row["most"]):
            yield {"mode": row["mode"], **dice}


def _written(at: Point | None) -> list[int | float | str]:
    """A place as logs write it."""
    return [] if at is None else [float(at.x), float(at.y)]


def _least_dice(far: int, n: int) -> list[int]:
    """So many dice that come to a number, or to as little as they can."""
    dice: list[int] = []
    for more in reversed(range(n)):
        dice.append(min(max(far - sum(dice) - more, 1), 6))
    return dice
