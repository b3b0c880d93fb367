"""A shot explained: who reaches whom, what the line between the two meets, and why that stops it or does not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from auditor.core.rulings import Hearing
from auditor.geometry.inches.lengths import shown
from auditor.geometry.inches.shapes import Circle, Point, centroid, overlap, stretches_inside
from auditor.systems.clx import records
from auditor.systems.clx.packs import Model, Terrain, Unit, Weapon
from auditor.systems.clx.position.state import Position
from auditor.systems.clx.reckoning.attacks import weapon_of
from auditor.systems.clx.reckoning.cover import pieces_for
from auditor.systems.clx.reckoning.shots import OUT, Pair, Reach, pair_of, reach
from auditor.systems.clx.show.marks import COVERS, place, points_nearest

MOST_FIRERS = 12
"""So many of those who fire are told one by one."""
MOST_MET = 12
"""So many things that a line meets are told."""
Spans = list[tuple[float, dict[str, Any]]]
Said = tuple[str, str]


def sight(event: records.Event, position: Position, hearing: Hearing) -> dict[str, Any] | None:
    """The shot of an event as a drawing, as `report/boards/inches` reads it; None for other events.

    Of those who fire the one is explained that decides: the first that reaches nobody, else the nearest.
    """
    found = _units(event, position)
    if found is None:
        return None
    unit, target, weapon, firing = found
    firers = [model for model in firing if position.on_table(model.id)]
    if not firers or not position.living(target):
        return None
    stands = [(model, None if weapon is None else reach(model, weapon, target, position, hearing)) for model in firers]
    out = [one for _, one in stands if one is not None and one.state in OUT]
    reached = [one for _, one in stands if one is not None and one.state not in OUT]
    decides = min(out or reached, key=lambda one: one.pair.about, default=None)
    pair = decides.pair if decides is not None else _nearest(firers, target, position)
    return {
        **_line(pair, position),
        "gap": _gap(pair, decides),
        "answers": [list(one) for one in _answers(pair, decides, stands, weapon, position)],
        "others": [
            [_middle(one.pair.firer, position), _middle(one.pair.target, position), one.state not in OUT]
            for _, one in stands[:MOST_FIRERS]
            if one is not None and one.pair is not pair
        ],
        "units": [unit.id, target.id],
    }


def _units(event: records.Event, position: Position) -> tuple[Unit, Unit, Weapon | None, Sequence[Model]] | None:
    """Who shoots at whom with what; the weapon is None where the unit has not yet said which, or it is not known."""
    setup = position.setup
    if isinstance(event, records.Shoot):
        names: tuple[str | None, str | None] = (event.unit, event.target)
        weapon, firing = None, None
    else:
        attack = position.attacks.get(getattr(event, "attack", None))
        if attack is None:
            return None
        names = (attack.unit, attack.target)
        name = weapon_of(getattr(event, "weapon", None), attack)
        weapon = setup.weapons.get(name or "")
        firing = [one.model for one in event.firers or ()] if isinstance(event, records.WeaponFire) else None
        if firing is None and name in attack.firers:
            firing = list(attack.firers[name])
    unit, target = (setup.units.get(name or "") for name in names)
    if unit is None or target is None:
        return None
    if weapon is not None and (weapon.guess or weapon.type in ("grenade", "bomb", "melee")):
        return None  # These are not shot straight at what is in range and sight.
    if firing is None:
        return unit, target, weapon, position.living(unit)
    known = (setup.models.get(name or "") for name in dict.fromkeys(firing))
    return unit, target, weapon, [model for model in known if model is not None and model.unit == unit.id]


def _nearest(firers: Sequence[Model], target: Unit, position: Position) -> Pair:
    """Of those who fire and their targets the nearest two that see each other, else the nearest two."""
    pairs = sorted(
        (pair_of(firer, model, position) for firer in firers[:MOST_FIRERS] for model in position.living(target)),
        key=lambda one: one.about,
    )
    ground = position.setup.ground
    return next((one for one in pairs[:MOST_FIRERS] if one.sees(ground, Fraction(0))), pairs[0])


# -- the line ------------------------------------------------------------------------------------------------------


def _line(pair: Pair, position: Position) -> dict[str, Any]:
    start, end = (centroid(shape) for shape in pair.shapes)
    seen = position.setup.ground.sight(*pair.shapes, pair.tops)
    blockers = [piece for piece in position.setup.terrain.values() if piece.blocks_los]
    stops = {blockers[at].id for at in seen.stops}
    met = sorted(
        [*_terrain(pair, start, end, stops, position), *_models(pair, start, end, position)], key=lambda one: one[0]
    )[:MOST_MET]
    numbered = [{"n": n, **one} for n, (_, one) in enumerate(met, 1)]
    stop = next((one["n"] for one in numbered if one["stops"]), None)
    last = {"n": len(numbered) + 1, "at": _middle(pair.target, position), "what": called(pair.target, position)}
    covers = _covers(pair, position)
    note = f"{covers}." if covers else "It has no cover."
    if seen.visible is None:
        how = "perhaps sees"
        note = "It hangs on a height that is not known."
    else:
        how = "sees" if seen.visible else "does not see"
    found: dict[str, Any] = {
        "from": _middle(pair.firer, position),
        "to": _middle(pair.target, position),
        "models": [pair.firer.id, pair.target.id],
        "sight": {True: "free", False: "stopped", None: "not known"}[seen.visible],
        "met": [*numbered, {**last, "how": how, "stops": False, "note": note if seen.visible is not False else ""}],
        "stop": stop,
    }
    if seen.visible and stop is not None:
        (ax, ay), (bx, by) = seen.line
        found["line"] = [[_decimal(ax), _decimal(ay)], [_decimal(bx), _decimal(by)]]
    return found


def _terrain(pair: Pair, start: Point, end: Point, stops: set[str], position: Position) -> Spans:
    found: Spans = []
    seen = pair.sees(position.setup.ground, Fraction(0))
    for piece in position.setup.terrain.values():
        spans = stretches_inside(start, end, piece.area)
        if not spans:
            continue
        share = spans[0][0]
        at = [shown(start.x + share * (end.x - start.x)), shown(start.y + share * (end.y - start.y))]
        stopping = piece.id in stops
        what = piece.name or piece.id
        note = _why(piece, pair, stopping, bool(seen), position)
        found.append((float(share), {"at": at, "what": what, "how": "through", "stops": stopping, "note": note}))
    return found


def _why(piece: Terrain, pair: Pair, stopping: bool, seen: bool, position: Position) -> str:
    """Why a piece of terrain stops a line, or does not."""
    if stopping:
        return "It stops the line between the middles; another line goes past it." if seen else "It blocks sight."
    if not piece.blocks_los:
        return "It does not block sight."
    inside = [
        called(model, position)
        for model, shape in zip((pair.firer, pair.target), pair.shapes, strict=True)
        if overlap(shape, piece.area)
    ]
    if inside:
        verb = "stands" if len(inside) == 1 else "stand"
        return f"It blocks sight, but not of who stands in it: {' and '.join(inside)} {verb} there."
    if piece.los_height is not None:
        return f"It blocks sight up to {shown(piece.los_height)} inches; the line passes above, or may."
    return "It does not stop the line."


def _models(pair: Pair, start: Point, end: Point, position: Position) -> Spans:
    """Bases that the line runs over, those of one unit as one: no model stops a line of sight."""
    ax, ay, dx, dy = float(start.x), float(start.y), float(end.x - start.x), float(end.y - start.y)
    long = (dx * dx + dy * dy) or 1.0
    over: dict[str, list[tuple[float, Model]]] = {}
    for model in position.setup.models.values():
        if model in (pair.firer, pair.target) or not position.on_table(model.id):
            continue
        shape = position.shape(model)
        if not isinstance(shape, Circle):
            spans = stretches_inside(start, end, shape)
            if spans:
                over.setdefault(model.unit, []).append((float(spans[0][0]), model))
            continue
        t = ((shape.fx - ax) * dx + (shape.fy - ay) * dy) / long
        off = abs((shape.fx - ax) * dy - (shape.fy - ay) * dx) / long**0.5
        if 0 < t < 1 and off < shape.fr:
            over.setdefault(model.unit, []).append((t, model))
    found: Spans = []
    for met in over.values():
        t, first = min(met, key=lambda one: one[0])
        unit = position.setup.units[first.unit]
        what = called(first, position) if len(met) == 1 else f"{len(met)} models of {unit.name}"
        at = [_decimal(ax + t * dx), _decimal(ay + t * dy)]
        found.append((t, {"at": at, "what": what, "how": "over", "stops": False, "note": "Models never stop sight."}))
    return found


def _covers(pair: Pair, position: Position) -> str:
    """What gives the target of a pair cover, in words; "" for nothing."""
    if position.setup.base["BASE-COVER-GEOM"] is None:
        return "What gives cover is not said by this event"
    said = "; ".join(
        f"{COVERS[piece.cover]}: it {'stands in' if stands else 'is behind'} {piece.name or piece.id}"
        for piece, stands in pieces_for(pair.firer, pair.target, position)
    )
    return said[:1].upper() + said[1:]


# -- what it comes to ---------------------------------------------------------------------------------------------


def _answers(
    pair: Pair,
    decides: Reach | None,
    stands: Sequence[tuple[Model, Reach | None]],
    weapon: Weapon | None,
    position: Position,
) -> Iterable[Said]:
    known = [one for _, one in stands if one is not None]
    if known and len(known) == len(stands):
        yield "In range and sight", _verdict(stands, position)
    elif weapon is not None:
        why = "distances between heights" if weapon.range is not None else f"the range of {weapon.name}"
        yield "In range and sight", f"not known: {why}"
    yield from _seen(pair, position)
    if decides is not None and weapon is not None:
        limit = decides.limit
        high = limit - (weapon.range or 0)
        more = f", {shown(high)}″ of it for height" if high else ""
        yield "Range", f"{shown(decides.pair.gap)}″ from edge to edge; {weapon.name} reaches {shown(limit)}″{more}"
    else:
        yield "Distance", f"{shown(pair.gap)}″ from edge to edge"
    yield "Cover", _covers(pair, position) or f"none for {called(pair.target, position)}"


def _seen(pair: Pair, position: Position) -> Iterable[Said]:
    names = f"{called(pair.firer, position)} to {called(pair.target, position)}"
    seen = position.setup.ground.sight(*pair.shapes, pair.tops)
    said = {True: "free", False: "stopped", None: "not known, for want of a height"}[seen.visible]
    if seen.visible and seen.stops:
        said = "free, past what stops the line between the middles"
    yield "Line of sight", f"{said}; from {names}"


def _verdict(stands: Sequence[tuple[Model, Reach | None]], position: Position) -> str:
    """Whether those who fire reach somebody whom they see; each that does not, with why."""
    bad = [_said(one, position) for _, one in stands if one is not None and one.state != "fine"]
    if not bad:
        return "yes" if len(stands) == 1 else f"yes, all {len(stands)} who fire"
    good = len(stands) - len(bad)
    more = f"; and {len(bad) - 4} more" if len(bad) > 4 else ""
    head = "no" if not good else f"{good} of {len(stands)} who fire"
    if all(one is not None and one.state not in OUT for _, one in stands):
        head = "by so little that it may be the rounding of the log"
    return f"{head}: {'; '.join(bad[:4])}{more}"


def _said(found: Reach, position: Position) -> str:
    name = called(found.pair.firer, position)
    match found.state:
        case "far":
            return f"{name} is too far by {shown(found.judged.over)}″"
        case "unseen":
            return f"{name} sees nobody in range"
        case "unknown":
            return f"whether {name} sees anybody hangs on a height that is not known"
        case _:
            return f"{name} reaches within the tolerance only"


def _gap(pair: Pair, decides: Reach | None) -> dict[str, Any]:
    """The gap between the two bases, from edge to edge; with the range, where one is known."""
    start, end = points_nearest(*pair.shapes)
    found: dict[str, Any] = {"from": start, "to": end, "length": shown(pair.gap)}
    if decides is not None:
        found |= {"limit": shown(decides.limit), "ok": decides.state != "far"}
    return found


def called(model: Model, position: Position) -> str:
    """A model as the table calls it: 'Mortar Crew 3', or 'Iron Heron' where a unit has one model."""
    unit = position.setup.units[model.unit]
    if len(unit.models) == 1:
        return unit.name
    return f"{unit.name} {next(n for n, one in enumerate(unit.models, 1) if one.id == model.id)}"


def _middle(model: Model, position: Position) -> list[str]:
    return place(centroid(position.shape(model)))


def _decimal(number: float) -> str:
    return shown(Fraction(round(number, 3)))
