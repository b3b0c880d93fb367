"""What rules have to show on a table, as marks of a board of inches (`report/boards/inches` lists them)."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import hypot
from types import MappingProxyType
from typing import Any

from auditor.geometry.inches.coherency import Chain
from auditor.geometry.inches.lengths import shown
from auditor.geometry.inches.shapes import NEAR, Circle, Polygon, Shape, gap
from auditor.systems.clx import records
from auditor.systems.clx.packs import Model, Unit
from auditor.systems.clx.position.state import Position
from auditor.systems.clx.reckoning.attacks import on
from auditor.systems.clx.reckoning.cover import pieces_for
from auditor.systems.clx.reckoning.debris import wreck_of
from auditor.systems.clx.reckoning.shots import Pair, pair_of
from auditor.systems.clx.reckoning.ways import ways_of
from auditor.systems.clx.tables import tables

Marks = list[dict[str, Any]]
COVERS = {level: f"{name} cover ({tables()['cover'][name]}+)" for level, name in ((1, "soft"), (2, "hard"))}
Floats = tuple[float, float]
MOST_LINES = 8
"""So many lines of those who fire are drawn, and so many of those hit by debris are told with their dice."""
MOST_DICE = 16
MOST_INCHES = 100
"""A log may say anything of a die."""
NONE_WRONG: Mapping[str, str] = MappingProxyType({})


def place(at: Any) -> list[str]:
    """A point as decimals."""
    return [shown(at.x), shown(at.y)]


def way(model: str, path: Iterable[Any], allowed: Any = None, *, ok: bool = False) -> dict[str, Any]:
    """The way of a model, and where on it the allowance ended."""
    mark: dict[str, Any] = {"mark": "way", "model": model, "path": [place(p) for p in path], "ok": ok}
    if allowed is not None:
        mark["allowed"] = shown(allowed)
    return mark


def zone(shape: Shape, reach: Fraction) -> Marks:
    """So far round a base nobody may come; nothing for a hull."""
    if not isinstance(shape, Circle):
        return []
    radius = shown(shape.radius + reach)
    return [{"mark": "zone", "at": place(shape.centre), "radius": radius, "ok": False}]


def net(chain: Chain, bases: Mapping[Hashable, Shape]) -> Marks:
    """What holds a unit together, and its longest gap with its length."""
    if chain.between is None or chain.widest is None:
        return []
    middle = {name: _middle(shape) for name, shape in bases.items()}
    links = [[middle[a], middle[b]] for a, b in chain.links]
    longest = points_nearest(*(bases[end] for end in chain.between))
    return [
        {"mark": "net", "links": links},
        {"mark": "gap", "from": longest[0], "to": longest[1], "length": shown(chain.widest), "ok": False},
    ]


def shot(pair: Pair, limit: Fraction, position: Position, *, seen: bool, ok: bool) -> Marks:
    """A shot from one model at another: the gap between their bases and the reach of the one from its base on, or the
    line where it cannot see the other, with what stops it.

    limit  the range with what height adds to it, in inches
    """
    if not seen:
        ends = [_middle(shape) for shape in pair.shapes]
        line = {"mark": "line", "from": ends[0], "to": ends[1], "label": "no model in range can be seen", "ok": ok}
        return [{**line, **_stop(pair, position)}]
    start, end = points_nearest(*pair.shapes)
    marks: Marks = [{"mark": "gap", "from": start, "to": end, "length": shown(pair.gap), "ok": ok}]
    base = pair.shapes[0]
    if isinstance(base, Circle):
        marks.append({"mark": "range", "at": place(base.centre), "length": shown(base.radius + limit)})
    return marks


def _stop(pair: Pair, position: Position) -> dict[str, Any]:
    """Where the first piece of terrain stops the line between the middles of two bases, and which it is."""
    setup = position.setup
    pieces = [piece for piece in setup.terrain.values() if piece.blocks_los]
    (ax, ay), (bx, by) = ((float(x), float(y)) for x, y in map(_middle, pair.shapes))
    met = [
        (t, pieces[place])
        for place in setup.ground.sight(*pair.shapes, pair.tops).stops
        for t in _entering((ax, ay), (bx, by), pieces[place].area.floats)
    ]
    if not met:
        return {}
    t, piece = min(met, key=lambda one: one[0])
    label = f"{piece.name} stops the line between their middles; no model in range can be seen"
    return {"stopped": [shown(Fraction(ax + t * (bx - ax))), shown(Fraction(ay + t * (by - ay)))], "label": label}


def _entering(start: Floats, end: Floats, corners: Sequence[Floats]) -> Iterator[float]:
    """Where a line meets the sides of a polygon, as shares of its length from the start on."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    for (px, py), (qx, qy) in zip(corners, (*corners[1:], corners[0]), strict=True):
        ex, ey = qx - px, qy - py
        across = dx * ey - dy * ex
        if abs(across) < NEAR:
            continue
        t = ((px - start[0]) * ey - (py - start[1]) * ex) / across
        u = ((px - start[0]) * dy - (py - start[1]) * dx) / across
        if 0 <= t <= 1 and 0 <= u <= 1:
            yield t


def covers(firers: Sequence[Model], target: Unit, position: Position) -> Marks:
    """The lines from those who fire to the models of a target nearest to them, with the pieces of terrain that give these
    cover."""
    found: Marks = []
    for firer in firers[:MOST_LINES]:
        pairs = [pair_of(firer, model, position) for model in position.living(target)]
        if not position.on_table(firer.id) or not pairs:
            continue
        pair = min(pairs, key=lambda one: one.about)
        line: dict[str, Any] = {"mark": "line", "from": _middle(pair.shapes[0]), "to": _middle(pair.shapes[1])}
        said = [
            f"{pair.target.id} {'stands in' if stands else 'is behind'} {piece.name}: {COVERS[piece.cover]}"
            for piece, stands in pieces_for(firer, pair.target, position)
        ]
        line["label"] = "; ".join(said) or f"nothing gives {pair.target.id} cover"
        found.append(line)
    return found


def _middle(shape: Shape) -> list[str]:
    if isinstance(shape, Circle):
        return place(shape.centre)
    corners = list(shape.corners)
    return [shown(Fraction(sum(getattr(c, axis) for c in corners)) / len(corners)) for axis in ("x", "y")]


def blast(event: records.VehicleExplodes, position: Position, wrong: Mapping[str, str] = NONE_WRONG) -> Marks:
    """A vehicle that explodes: how far its debris flies, who was hit with their dice, and what happens to those inside.

    wrong   model -> what is wrong about it; the gap from the hull to each of these is drawn
    """
    found, flies = wreck_of(event, position), event.radius_die
    if found is None:
        return []
    unit, hull, shape = found
    hulls = _corners(shape) if isinstance(shape, Polygon) else None
    marks: Marks = []
    if flies is not None and 0 < flies <= MOST_INCHES:
        reach = Fraction(flies) + (shape.radius if isinstance(shape, Circle) else 0)
        round_it: dict[str, Any] = {"at": place(shape.centre)} if isinstance(shape, Circle) else {"hull": hulls}
        label = f"the debris of {unit.name}: the die shows {flies}"
        marks.append({"mark": "range", **round_it, "length": shown(reach), "label": label})
    for name, said in wrong.items():
        model = position.setup.models[name]
        start, end, length = _nearest(shape, position.shape(model))
        marks.append({"mark": "gap", "from": start, "to": end, "length": length, "label": said, "ok": False})
    marks += [
        {"mark": "model", "model": name, "how": "claimed", **({"label": said} if n < MOST_LINES else {})}
        for n, (name, said) in enumerate(_struck(event, shape, position, wrong))
    ]
    inside = _inside(event)
    return [*marks, {"mark": "model", "model": hull.id, "how": "note", "label": inside}] if inside else marks


def _struck(
    event: records.VehicleExplodes, shape: Shape, position: Position, wrong: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """Those whom the log says debris hit and who stand on the table, how far from the hull, with their dice."""
    for name in dict.fromkeys(event.hit_models or ()):
        model = position.setup.models.get(name or "")
        if model is None or not position.on_table(model.id) or model.id in wrong:
            continue
        said = f"hit, {shown(gap(shape, position.shape(model)))} inches from the hull"
        for rolls, what in ((event.wound_rolls, "to wound"), (event.saves, "saved with")):
            dice = [str(roll.die) for roll in rolls or () if roll.model == model.id and roll.die is not None]
            said += f"; {what} {' '.join(dice)}" if dice else ""
        yield model.id, said + ("; it falls" if model.id in (event.casualties or ()) else "")


def _inside(event: records.VehicleExplodes) -> str:
    """What the log says happens to those inside."""
    said = [] if event.passenger_hits is None else [f"{event.passenger_hits} hits on those inside"]
    for dice, what in ((event.passenger_wound_rolls, "to wound"), (event.passenger_saves, "saved with")):
        said += (
            [f"{what} {' '.join(map(str, dice[:MOST_DICE]))}{' …' if len(dice) > MOST_DICE else ''}"] if dice else []
        )
    return "; ".join(said)


def climbing_out(model: Model, shape: Shape, base: Shape, said: str) -> Marks:
    """Where somebody comes out of a wreck, and the gap between that place and the hull as it stood."""
    start, end, length = _nearest(shape, base)
    return [
        {"mark": "spot", "at": _middle(base), "how": "claimed", "label": f"here {model.id} is put down"},
        {"mark": "gap", "from": start, "to": end, "length": length, "label": said, "ok": False},
    ]


def _nearest(one: Shape, other: Shape) -> tuple[list[str], list[str], str]:
    """The points of two bases or hulls that are nearest to each other, to be drawn, and the gap between them."""
    return *points_nearest(one, other), shown(gap(one, other))


def points_nearest(one: Shape, other: Shape) -> tuple[list[str], list[str]]:
    """The points of two bases or hulls that are nearest to each other, to be drawn."""
    a, b = (_rim(shape) for shape in (one, other))
    pairs = [*((p, _on(b, p)) for p in a), *((_on(a, q), q) for q in b)]
    p, q = min(pairs, key=lambda pair: hypot(pair[0][0] - pair[1][0], pair[0][1] - pair[1][1]))
    apart = hypot(p[0] - q[0], p[1] - q[1])
    ends = []
    for shape, end, far in ((one, p, q), (other, q, p)):
        share = min(float(shape.radius) / apart, 1) if isinstance(shape, Circle) and apart else 0.0
        ends.append([shown(Fraction(round(x + (u - x) * share, 3))) for x, u in zip(end, far, strict=True)])
    return ends[0], ends[1]


def _rim(shape: Shape) -> list[Floats]:
    """The corners of a hull; of a base its middle."""
    return [(shape.fx, shape.fy)] if isinstance(shape, Circle) else list(shape.floats)


def _on(corners: Sequence[Floats], of: Floats) -> Floats:
    """The point of the rim of a hull that is nearest to another point; of a base its middle."""
    found = []
    for (ax, ay), (bx, by) in zip(corners, (*corners[1:], corners[0]), strict=True):
        dx, dy = bx - ax, by - ay
        t = min(max(((of[0] - ax) * dx + (of[1] - ay) * dy) / ((dx * dx + dy * dy) or 1), 0), 1)
        found.append((ax + t * dx, ay + t * dy))
    return min(found, key=lambda spot: hypot(spot[0] - of[0], spot[1] - of[1]))


def _corners(shape: Polygon) -> list[list[str]]:
    return [place(corner) for corner in shape.corners]


def act(event: Any, position: Position) -> Marks:
    """The act of an event: the ways of the models that it moves, how far debris flies, or a line from a unit to its target;
    of dice, those of the attack that they are of; of a check for crossfire, those of all shots at the unit."""
    if isinstance(event, records.VehicleExplodes):
        return blast(event, position)
    if isinstance(event, records.Charge):
        return reached(event, position)
    ways = ways_of(event, position)
    if ways is not None:
        return [way(one.model.id, one.path, ok=True) for one in ways.ways if len(one.path) > 1]
    if isinstance(event, records.Morale) and event.cause == "crossfire":
        unit = position.setup.units.get(event.unit or "")
        shots = [] if unit is None else [one.places for one in on(unit, position).values() if not one.failed]
        return [{"mark": "line", "from": place(of), "to": place(at)} for of, at in filter(None, shots[:MOST_LINES])]
    if isinstance(event, records.FightStep):
        fights = {(model.unit, row.target) for row in event.attackers or () if (model := _model(row.model, position))}
        lines = [(where(unit, position), where(target, position)) for unit, target in sorted(fights, key=str)]
        return [{"mark": "line", "from": a, "to": b} for a, b in lines[:MOST_LINES] if a and b]
    whose = event
    if hasattr(event, "attack"):
        whose = position.attacks.get(event.attack) or position.combat.steps.get(event.attack) or event
    ends = [where(getattr(whose, name, None), position) for name in ("unit", "target")]
    if ends[0] is None or ends[1] is None:
        return []
    return [{"mark": "line", "from": ends[0], "to": ends[1]}]


def reached(event: records.Charge, position: Position, *, ok: bool = True) -> Marks:
    """What a charge has to cover: the gap from the model of the unit to that of its target that is nearest, with what was
    rolled for it."""
    unit, target = (position.setup.units.get(name or "") for name in (event.unit, event.target))
    if unit is None or target is None:
        return []
    pairs = [pair_of(one, other, position) for one in position.living(unit) for other in position.living(target)]
    if not pairs:
        return []
    nearest = min(pairs, key=lambda one: one.about)
    start, end = points_nearest(*nearest.shapes)
    dice = [die for die in event.dice or () if isinstance(die, int)]
    rolled = f"; rolled {' + '.join(map(str, dice[:MOST_DICE]))} = {sum(dice)}" if dice else ""
    label = f"from edge to edge, {nearest.firer.id} to {nearest.target.id}{rolled}"
    sums = {"rolled": str(sum(dice))} if dice else {}
    return [{"mark": "gap", "from": start, "to": end, "length": shown(nearest.gap), "label": label, "ok": ok, **sums}]


def _model(name: str | None, position: Position) -> Model | None:
    return position.setup.models.get(name or "")


def where(unit_id: Any, position: Position) -> list[str] | None:
    """The middle of a unit's models."""
    unit = position.setup.units.get(unit_id) if isinstance(unit_id, str) else None
    spots = [position.models[model.id].at for model in position.living(unit)] if unit is not None else []
    if not spots:
        return None
    return [shown(sum((getattr(p, axis) for p in spots), start=Fraction(0)) / len(spots)) for axis in ("x", "y")]
