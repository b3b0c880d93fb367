"""From which side something comes: what rules have to show of it, as marks of a board of inches.

Everything here is drawn, and nothing judged by it: angles are floats.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import atan2, cos, degrees, hypot, radians, sin

from auditor.core.rulings import Hearing
from auditor.geometry.inches.arcs import Arc, Direction, halves, quarters
from auditor.geometry.inches.lengths import shown
from auditor.geometry.inches.shapes import Point
from auditor.systems.clx.position.combat import Charge
from auditor.systems.clx.position.state import Look, Position
from auditor.systems.clx.reckoning.charges import faced, outflanks, rear_of
from auditor.systems.clx.reckoning.crossfire import Lying
from auditor.systems.clx.reckoning.facing import ARC, Seen
from auditor.systems.clx.show.marks import MOST_LINES, Marks, place

Spans = Mapping[str, Sequence[tuple[float, float]]]
"""The angles between which each arc lies, in degrees; a side lies on the left and on the right."""
NARROW, WIDE = 3.0, 9.0
"""Inches that an arc is drawn at least and at most."""
OPPOSITE = 135.0
ORDINALS = ("first", "second", "third", "fourth", "fifth")


def by_facing(direction: Direction, *, only_halves: bool) -> Spans:
    """The arcs of what faces in a direction."""
    faces = degrees(atan2(*map(float, reversed(direction))))
    parts: Spans = {"front": ((-45, 45),), "side": ((45, 135), (225, 315)), "rear": ((135, 225),)}
    if only_halves:
        parts = {"front": ((-90, 90),), "rear": ((90, 270),)}
    return {arc: [(faces + first, faces + last) for first, last in spans] for arc, spans in parts.items()}


def by_corners(at: Point, rays: Sequence[Point]) -> Spans:
    """The arcs of a hull, which rays from its middle bound; `rays`: front left, rear left, rear right, front right."""
    left, behind, right, ahead = (_angle(at, ray) for ray in rays)
    turns = {"front": ((ahead, left),), "side": ((left, behind), (right, ahead)), "rear": ((behind, right),)}
    return {arc: [(first, first + (last - first) % 360) for first, last in spans] for arc, spans in turns.items()}


def extent(arc: str, *, only_halves: bool) -> str:
    """How far off the facing of a unit an arc of it lies, in words."""
    first, last = (90, 90) if only_halves else (45, 135)
    ahead, behind = f"within {first} degrees of its facing", f"more than {last} degrees off its facing"
    return {"front": ahead, "rear": behind}.get(arc, f"from {first} to {last} degrees off its facing")


def arcs(seen: Seen, at: Point, of: Point, claimed: str, off: str | None = None) -> Marks:
    """The line from an attacker at `of` to a unit at `at`, the arc that is claimed and the arc that the attacker is in.

    off   how far from the arc claimed that is
    """
    spans = by_facing(seen.look.direction, only_halves=seen.halves)
    return [
        *_wedges(at, of, spans, claimed, f"the {claimed}, as claimed", ok=False),
        *_wedges(at, of, spans, seen.bearing.arc, f"the {seen.bearing.arc}, as it faces"),
        {"mark": "line", "from": place(of), "to": place(at)},
        *_past(at, of, spans, claimed, off),
    ]


def hull(
    at: Point, hits: Sequence[tuple[Point, str]], spans: Spans, claimed: str, right: tuple[str, str], off: str | None
) -> Marks:
    """The side of a hull that is claimed, and the one that lies towards the first of those who made the hit.

    hits   where each who may have made the hit stands, and what the line from there shows
    right  the side that it is on, and by what
    """
    of = hits[0][0]
    return [
        *_wedges(at, of, spans, claimed, f"the {claimed}, as claimed", ok=False),
        *_wedges(at, of, spans, right[0], f"the {right[0]}, {right[1]}"),
        *(
            {"mark": "line", "from": place(whence), "to": place(at), **({"label": said} if said else {})}
            for whence, said in hits[:MOST_LINES]
        ),
        *_past(at, of, spans, claimed, off),
    ]


def crossfire(target: str, attacks: Sequence[Lying], said: str, *, only_halves: bool) -> Marks:
    """A unit that was shot at from several sides: its front and its rear, or the direction opposite to one of the shots, and
    a line for each attack, from where the unit that made it stood.

    said   what is wrong about it
    """
    if not attacks:
        return []
    found: Marks = [{"mark": "spot", "at": place(attacks[-1].at), "how": "bad", "label": said}]
    looks = [one.look for one in attacks if one.look is not None]
    opposite = None if looks else _most_opposite(attacks)
    if looks:
        at, of = attacks[0].at, attacks[-1].of
        spans = by_facing(looks[-1].direction, only_halves=only_halves)
        when = "the first attack" if len(set(looks)) == 1 else _called(attacks[-1], attacks)
        for arc in ("front", "rear"):
            said = f"the {arc} of {target}: {extent(arc, only_halves=only_halves)} before {when}"
            found += _wedges(at, of, spans, arc, said)
    elif opposite is not None:
        one, other, apart = opposite
        whence = _angle(one.at, one.of)
        spans = {"opposite": [(whence + OPPOSITE, whence + 360 - OPPOSITE)]}
        label = (
            f"opposite to {_called(one, attacks)}: more than {OPPOSITE:.0f} degrees from where it came. "
            f"The{_called(other, attacks)[3:]} came {apart:.1f} degrees from it"
        )
        found += _wedges(one.at, other.of, spans, "opposite", label)
    for one in attacks[:MOST_LINES]:
        side = f" from the {one.side}" if one.side else ""
        label = f"{_called(one, attacks)}{side}: {_wounds(one)}"
        if one.side == "side":
            label += "; a side is no part of a crossfire"
        found.append({"mark": "line", "from": place(one.of), "to": place(one.at), "label": label})
    return found


def _called(one: Lying, attacks: Sequence[Lying]) -> str:
    """An attack by the unit that made it, and by its place where that unit made several."""
    of = [other for other in attacks if other.unit == one.unit]
    nth = f"{ORDINALS[n]} " if len(of) > 1 and (n := of.index(one)) < len(ORDINALS) else ""
    return f"the {nth}attack of {one.name}"


def _wounds(one: Lying) -> str:
    low, high = one.wounds
    number = str(low) if low == high else f"{low} to {high}"
    what = "caused" if one.inflicted else "not saved"
    return f"{number} {'wound' if low == high == 1 else 'wounds'} {what}"


def _most_opposite(attacks: Sequence[Lying]) -> tuple[Lying, Lying, float] | None:
    """The two attacks of different units whose directions differ most, and by how many degrees."""
    pairs = [
        (one, other, _turn(_angle(one.at, one.of), _angle(other.at, other.of)))
        for n, one in enumerate(attacks)
        for other in attacks[n + 1 :]
        if one.unit != other.unit
    ]
    return max(pairs, key=lambda pair: pair[2], default=None)


def charge(one: Charge, look: Look, names: tuple[str, str], *, only_halves: bool, flanks: bool, claimed: bool) -> Marks:
    """The rear of the target of a charge as it faced when the charge was declared, the arc from which the charge came, and
    how far it was from the limit of the rear.

    names    of the unit that charged, and of its target
    flanks   it outflanks, so that a side of its target counts as the rear
    claimed  the log counts it as a charge from the rear, and it is none
    """
    at, of = one.at, one.of
    if at is None or of is None:
        return []
    spans = by_facing(look.direction, only_halves=only_halves)
    arc: Arc = (halves if only_halves else quarters)(look.direction, at, of).arc
    counts = ", which counts as the rear for who outflanks" if flanks and arc == "side" else ""
    line = {"mark": "line", "from": place(of), "to": place(at)}
    how = {name: extent(name, only_halves=only_halves) for name in ("front", "side", "rear")}
    said = f"the rear of {names[1]}{', as claimed' if claimed and arc != 'rear' else ''}: {how['rear']}"
    if claimed and arc == "rear":
        said += "; its Acute Senses leave it none"
    found = _wedges(at, of, spans, "rear", said, ok=not claimed)
    if arc != "rear":
        found += _wedges(at, of, spans, arc, f"its {arc}: {how[arc]}{counts}")
    return [
        *found,
        {"mark": "spot", "at": place(of), "how": "note"},
        {**line, "label": f"the charge of {names[0]}, from where it stood when the charge was declared"},
        *_past(at, of, spans, "front" if counts else "rear", None),
    ]


# -- how it is drawn ----------------------------------------------------------------------------------------------


def _wedges(at: Point, of: Point, spans: Spans, arc: str, label: str, *, ok: bool = True) -> Marks:
    """An arc with its name; what it is stands at the part of it that is nearest to the direction of `of`."""
    toward = _angle(at, of)
    reach = shown(Fraction(round(min(max(_far(at, of), NARROW), WIDE), 3)))
    found: Marks = []
    for first, last in sorted(spans.get(arc, ()), key=lambda span: _turn((span[0] + span[1]) / 2, toward)):
        between = [shown(Fraction(round(end, 3))) for end in (first, last)]
        found.append({"mark": "arc", "at": place(at), "between": between, "length": reach, "ok": ok, "name": arc})
    return [{**found[0], "label": label}, *found[1:]] if found else []


def _past(at: Point, of: Point, spans: Spans, arc: str, off: str | None) -> Marks:
    """The ray that bounds an arc, and how far from it something lies: where a ray of it goes by that at all.

    off   inches; None: as they are on the drawing
    """
    toward, far = _angle(at, of), _far(at, of)
    ray = min((end for span in spans.get(arc, ()) for end in span), key=lambda end: _turn(end, toward), default=None)
    if ray is None or _turn(ray, toward) >= 90:
        return []
    turn = radians(_turn(ray, toward))
    foot, end = (_there(at, ray, far * cos(turn) + beyond) for beyond in (0.0, 1.0))
    label = f"from the limit of the {arc}"
    length = shown(Fraction(round(far * sin(turn), 3))) if off is None else off
    return [
        {"mark": "limit", "from": place(at), "to": place(end)},
        {"mark": "gap", "from": place(of), "to": place(foot), "length": length, "label": label},
    ]


def _angle(at: Point, of: Point) -> float:
    return degrees(atan2(float(of.y - at.y), float(of.x - at.x)))


def _far(at: Point, of: Point) -> float:
    return hypot(float(of.x - at.x), float(of.y - at.y))


def _turn(one: float, other: float) -> float:
    """Degrees between two directions, the shorter way round."""
    return abs((one - other + 180) % 360 - 180)


def _there(at: Point, angle: float, far: float) -> Point:
    dx, dy = far * cos(radians(angle)), far * sin(radians(angle))
    return Point(at.x + Fraction(round(dx, 6)), at.y + Fraction(round(dy, 6)))


def charge_marks(one: Charge, position: Position, hearing: Hearing) -> Marks:
    """From which side a charge came, to be drawn, under the readings in force."""
    look, options, units = faced(one, hearing.options), hearing.options, position.setup.units
    if look is None:
        return []
    rear = rear_of(one, position, Hearing(options, hearing.settings)).rear
    names = (units[one.unit].name, units[str(one.target)].name)
    half, flanks = options[ARC] == "HALVES", outflanks(one, position)
    return charge(one, look, names, only_halves=half, flanks=flanks, claimed=rear is False)
