"""Who sees whom at Calth: clear and obscured lines of sight, barricades, distances.

Geometry says what a line meets; here the rules say what stops it. Where the rules can be read in several ways, the
answer is worked out for every combination of options at once, as one bit each, and a reading is asked only if the
answer still hangs on it. So what is kept between queries are such tables, never answers, and no question is lost.

Source: Calth catalogue sections 11 and 16.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, Literal

from auditor.geometry.fans import Exact, LaidFan, Outlook, bits, runs
from auditor.geometry.hexes import OUTWARD, Edge, Hex, Point, edge, neighbour
from auditor.geometry.lines import Contact, Laid, centre_line, moved, span
from auditor.geometry.paths import Paths, around
from auditor.geometry.paths import route as shortest
from auditor.systems.calth.answers import Answers, Ask, Choice, Holds, once

Hexes = int | Iterable[Hex]
Edges = int | Iterable[Edge]
Barricade = tuple[Hex, int]
"""A barricade: the hex inside which it is drawn, and the hexside (direction 0 to 5) on which it stands."""
Class = Literal["clear", "obscured", "none"]
Route = tuple[tuple[Hex, ...], int, int]
"""A path with both ends, the bits of the hexes between them, and those of the hexsides that it crosses."""
Lengths = tuple[tuple[tuple[Hex, ...] | None, ...], tuple[int, ...]]
"""A shortest path of each length, and for each the readings (a table of `DISTANCE`) under which it is one."""
Crossed = Choice | bool | None
"""Whether a line crosses a barricade: under all readings the same, or no, yes and undecidable by readings of `SHOT`."""

LINE = Answers(
    "R-LOS-VERTEX",
    "R-LOS-EDGEMIX",
    "R-LOS-OFFBOARD",
    "R-LOS-EDGEADJ",
    "R-LOS-TIP",
    "R-LOS-ALONG",
    "R-LOS-OBST",
)
OBSCURED = Answers(*LINE.options, "R-OBS-POINT", "R-OBS-WIDTH")
SHOT = Answers(*OBSCURED.options, "R-OBS-BARR", "R-BAR-TIP", "R-BAR-OWNER")
DISTANCE = Answers("R-DST-OCC", "R-DST-OBST")
_BY_STRICTNESS = tuple(
    DISTANCE.where("R-DST-OCC", past) & DISTANCE.where("R-DST-OBST", across)
    for past, across in (("passable", "passable"), ("stops", "passable"), ("passable", "stops"), ("stops", "stops"))
)


@once
@dataclass(frozen=True, slots=True, eq=False)
class HowSeen:
    """The question how one hex is seen from another: "clear", "obscured" or "none".

    stopped  under which readings something stops the line between the centres, as a table of `LINE`
    reached  under which readings some line comes to the target, as a table of `OBSCURED`
    """

    stopped: int
    reached: int

    def __call__(self, ask: Ask) -> Class:
        if not self.stopped or (self.stopped != LINE.always and not LINE.decide(self.stopped, ask)):
            return "clear"
        return "obscured" if self.reached == OBSCURED.always or OBSCURED.decide(self.reached, ask) else "none"

    def may_be(self, class_: Class) -> bool:
        """Whether that may be the answer under some reading."""
        if class_ == "clear":
            return self.stopped != LINE.always
        return bool(self.stopped) and (self.reached != 0 if class_ == "obscured" else self.reached != OBSCURED.always)

    @property
    def unseen(self) -> Holds:
        """Whether it is "none"; asks nothing that only tells clear from obscured."""
        if not self.stopped or self.reached == OBSCURED.always:
            return Holds(OBSCURED, 0)
        return Holds(OBSCURED, OBSCURED.widen(self.stopped, LINE) & ~self.reached)


@dataclass(frozen=True, slots=True)
class Way:
    """Lines that come to a hex in one direction, or in any direction of one arc.

    into      under which readings (a table of `LINE`) they may go on into the hex
    up_to     under which they may end where they meet its border
    sides     the target's hexside by which they come to it, or two where they come to their corner
    wide      whether there is a whole fan of them
    grazing   whether they only touch the border and never come inside
    """

    direction: Point
    into: int
    up_to: int
    sides: tuple[int, ...]
    wide: bool
    grazing: bool

    def legal(self) -> int:
        """Under which readings an obscured shot may use it, as a table of `OBSCURED`."""
        table = OBSCURED.widen(self.up_to, LINE) & OBSCURED.where("R-OBS-POINT", "closed")
        if not self.grazing:
            table |= OBSCURED.widen(self.into, LINE)
        return table if self.wide else table & OBSCURED.where("R-OBS-WIDTH", "line")


def _point_on(way: Way, a: Hex, laid: LaidFan, goes_in: bool) -> list[str]:
    """Where a way from `a` ends: in the middle of its part within the target hex, or where it touches it."""
    enters, leaves = span(way.direction, laid.fan.target)
    at = (enters + leaves) / 2 if goes_in else enters
    return [str(a[i] + at * way.direction[i] / 3) for i in (0, 1)]


class Aim:
    """Where a way from `a` may be aimed at: inside the target hex, or on its border.

    legal  under which readings (a table of `OBSCURED`) the way may be used; into: under which it may end inside
    """

    def __init__(self, way: Way, a: Hex, laid: LaidFan) -> None:
        self._place = (way, a, laid)
        self.legal = way.legal()
        self.into = 0 if way.grazing else OBSCURED.widen(way.into, LINE)

    @cached_property
    def inside(self) -> list[str]:
        return _point_on(*self._place, True)

    @cached_property
    def border(self) -> list[str]:
        return _point_on(*self._place, False)


class Sight:
    """Lines of sight and distances on one board.

    board_hexes  the hexes that exist, or None for a plane without end
    blocked      the blocked ones
    edges        hexsides that may carry a door or an obstruction; others are noticed when first named

    Queries take the occupied hexes as hexes or as the sum of their `bit`s, and the sealed doors and obstructions as
    hexsides or as the sum of their `edge_bit`s; masks are faster. The two ends of a line are never obstacles,
    whatever the lists say. `ask` gives the option of a reading (catalogue section 2) and is called only where the
    answer hangs on it. `met`, `adjacent` and `sealed_masks` are
    room to keep what hangs on the board alone: what lines have to do with, and what states of the doors mean.
    """

    def __init__(
        self, board_hexes: Iterable[Hex] | None, blocked: Iterable[Hex] = (), edges: Iterable[Edge] = ()
    ) -> None:
        self.field = Outlook(board_hexes, blocked, edges)
        self.bit = self.field.hex_bit
        self.edge_bit = self.field.edge_bit
        self._lines = self.field.lines
        self._hex_of = {bit: hex_ for hex_, bit in self.bit.items()}
        self._paths: Paths | None = None
        self._paths_around: frozenset[Hex] = frozenset()
        self._shut: dict[int, frozenset[Edge]] = {}
        self._routes: dict[tuple[Hex, Hex, int, int], Route | None] = {}
        self._steps: dict[int, dict[int, int]] = {}
        self._ways: dict[tuple[Hex, Hex, int, int], list[Way]] = {}
        self._rays: dict[tuple[Hex, Hex, int, int, int], Way] = {}
        self._legal: dict[tuple[Hex, Hex, int, int], dict[tuple[int, ...], int]] = {}
        self.met: dict[tuple[Hex, Hex], tuple[Any, ...]] = {}
        self.adjacent: dict[frozenset[Edge], dict[Hex, frozenset[Hex]]] = {}
        self.sealed_masks: dict[frozenset[Edge], int] = {}
        self._protected: dict[Hex, list[int]] = {}
        self._aims: dict[tuple[Hex, Hex, int, int], list[Aim]] = {}
        self._barricades: Collection[Barricade] = ()
        self._parts_seen: dict[tuple[Hex, Hex, int, int], list[list[str]]] = {}

    def hexes(self, hexes: Hexes) -> int:
        """Hexes as a mask. Those that are blocked or off the board are left out: they are obstacles anyway."""
        if isinstance(hexes, int):
            return hexes
        mask = 0
        for hex_ in hexes:
            mask |= self.bit.get(hex_) or self.field.notice(hex_)
        return mask

    def edges(self, edges: Edges) -> int:
        """Hexsides, named in either order, as a mask."""
        if isinstance(edges, int):
            return edges
        mask = 0
        for a, b in edges:
            mask |= self.field.mark(edge(a, b))
        return mask

    # -- clear lines ---------------------------------------------------------------------------------------------

    def clear(self, a: Hex, b: Hex, occupied: Hexes, sealed: Edges, obstructions: Edges, ask: Ask) -> bool:
        """Whether the straight line between two hex centres is clear (CAL-LOS-01 to 05). The same both ways."""
        try:
            # By far the most questions come in masks, about a line asked for before that meets nothing unclear.
            laid = self._lines[a][b]
            if laid.walled or laid.solid & occupied:  # type: ignore[operator]
                return False
            if laid.plain:
                return True
            if laid.crossed & sealed:  # type: ignore[operator]
                return False
            if not (laid.grazes or laid.crossed & obstructions):  # type: ignore[operator]
                return True
            near, edges = laid.near & occupied, laid.spokes | laid.crossed  # type: ignore[operator]
            if not (near or laid.walled_beside or edges & (sealed | obstructions)):  # type: ignore[operator]
                return True
            table = laid.kept[near, edges & sealed, edges & obstructions]  # type: ignore[operator]
        except (KeyError, TypeError):
            table = self.stopped(a, b, self.hexes(occupied), self.edges(sealed), self.edges(obstructions))
        return not table or not LINE.decide(table, ask)

    def stopped(self, a: Hex, b: Hex, occupied: int, sealed: int, obstructions: int) -> int:
        """Under which readings something stops the line between two hex centres, as a table of `LINE`."""
        laid = self._lines.get(a, {}).get(b)
        if laid is None:
            if a == b or self.field.out_of_reach(a, b):
                return 0 if a == b else LINE.always
            laid = self.field.between(a, b)
        if laid.walled or laid.solid & occupied or laid.crossed & sealed:
            return LINE.always
        if not (laid.grazes or laid.crossed & obstructions):
            return 0
        return self._stops_clear(laid, occupied, sealed, obstructions)

    def _stops_clear(self, laid: Laid, occupied: int, sealed: int, obstructions: int) -> int:
        """Under which readings something stops a line that passes through nothing closed and crosses no sealed door."""
        edges = laid.spokes | laid.crossed
        key = (occupied & laid.near, sealed & edges, obstructions & edges)
        table = laid.kept.get(key)
        if table is None:
            if len(laid.kept) >= 256:
                laid.kept.clear()
            table = 0
            for contact in laid.contacts():
                table |= self.stops(contact, occupied, sealed, obstructions)
            laid.kept[key] = table
        return table

    def stops(self, contact: Contact, occupied: int, sealed: int, obstructions: int) -> int:
        """Under which readings one contact stops a line, as a table of `LINE`. Source: catalogue 16.4a."""
        if contact.how == "through":
            return LINE.always if self._closed(contact.hexes[0], occupied) else 0
        if contact.how == "along":
            assert contact.edge is not None
            return self.both_closed(contact, occupied, sealed, obstructions) | (
                self._door(contact.edge, sealed, obstructions) & LINE.where("R-LOS-ALONG", "crossing")
            )
        if contact.how == "cross":
            assert contact.edge is not None
            return self._door(contact.edge, sealed, obstructions)
        table = 0
        if contact.hexes and self._closed(contact.hexes[0], occupied):
            table = LINE.where("R-LOS-VERTEX", "blocks")
        return table | self.ends_stop(contact, occupied, sealed, obstructions)

    def both_closed(self, along: Contact, occupied: int, sealed: int, obstructions: int) -> int:
        """Under which readings a hexside that a line runs along is closed on both sides (R-LOS-EDGE*, -OFFBOARD)."""
        if len(along.hexes) < 2 or not all(self._closed(hex_, occupied) for hex_ in along.hexes):
            return 0
        assert along.edge is not None
        table = LINE.always
        if any(self.field.off_board(hex_) for hex_ in along.hexes):
            table &= LINE.where("R-LOS-OFFBOARD", "blocked")
        if self.edge_bit.get(along.edge, 0) & (sealed | obstructions):
            table &= LINE.where("R-LOS-EDGEADJ", "geometric")
        if self.field.closed(along.hexes[0]) != self.field.closed(along.hexes[1]):
            table &= LINE.where("R-LOS-EDGEMIX", "counts")
        return table

    def ends_stop(self, corner: Contact, occupied: int, sealed: int, obstructions: int) -> int:
        """Under which readings the door ends at a corner of the line stop it (R-LOS-TIP)."""
        if not any(self.edge_bit.get(spoke, 0) & (sealed | obstructions) for spoke, _ in corner.spokes):
            return 0
        doors = {lies for spoke, lies in corner.spokes if self.edge_bit.get(spoke, 0) & sealed}
        both = doors | {lies for spoke, lies in corner.spokes if self.edge_bit.get(spoke, 0) & obstructions}
        beside = {lies for hex_, lies in corner.beside if self._closed(hex_, occupied)}

        def stop(tips: set[int]) -> int:
            table = LINE.where("R-LOS-TIP", "touch_blocks") if tips else 0
            if tips and tips | beside == {-1, 1}:
                table |= LINE.where("R-LOS-TIP", "pinch")
            return table

        return stop(doors) | (stop(both) & LINE.where("R-LOS-OBST", "stops"))

    def _door(self, crossed: Edge, sealed: int, obstructions: int) -> int:
        """Under which readings a hexside counts as a sealed door."""
        bit = self.edge_bit.get(crossed, 0)
        if bit & sealed:
            return LINE.always
        return LINE.where("R-LOS-OBST", "stops") if bit & obstructions else 0

    def _closed(self, hex_: Hex, occupied: int) -> bool:
        return bool(self.bit.get(hex_, 0) & occupied) or self.field.closed(hex_)

    # -- obscured lines ------------------------------------------------------------------------------------------

    def obscured(self, a: Hex, b: Hex, sealed: Edges, obstructions: Edges, ask: Ask) -> bool:
        """Whether some line from the centre of `a` comes to some point of `b` (CAL-OBS-01). Not the same both ways."""
        if not (type(sealed) is type(obstructions) is int):
            sealed, obstructions = self.edges(sealed), self.edges(obstructions)
        table = self.reached(a, b, sealed, obstructions)
        return table == OBSCURED.always or OBSCURED.decide(table, ask)

    def reached(self, a: Hex, b: Hex, sealed: int, obstructions: int) -> int:
        """Under which readings some line from the centre of `a` comes to some point of `b`, as a table of
        `OBSCURED`.
        """
        laid = self.field.fans.get((a, b))
        if laid is None:
            if a == b or self.field.out_of_reach(a, b):
                return OBSCURED.always if a == b else 0
            laid = self.field.fan_between(a, b)
        arcs = laid.open_arcs
        if arcs:
            shut = (sealed | obstructions) & laid.marked
            if not shut:
                return OBSCURED.always
            for bit, covered, _ in laid.doors:
                if bit & shut:
                    arcs &= ~covered
            if arcs:
                return OBSCURED.always
        return self._obscured_table(laid, sealed, obstructions)

    def _obscured_table(self, laid: LaidFan, sealed: int, obstructions: int) -> int:
        table = laid.kept.get((sealed, obstructions))
        if table is None:
            if len(laid.kept) >= 64:
                laid.kept.clear()
            table = 0
            for way in self.ways(laid, sealed, obstructions):
                table |= way.legal()
            laid.kept[sealed, obstructions] = table
        return table

    def ways(self, laid: LaidFan, sealed: int, obstructions: int) -> list[Way]:
        """Every way to come to a hex that may be legal under some reading: arcs first, then single rays."""
        key = (laid.start, laid.fan.target, sealed, obstructions)
        kept = self._ways.get(key)
        if kept is None:
            ends = (0, len(laid.fan.rays) - 1)
            found = self._open_arcs(laid, sealed, obstructions)
            rays = sorted(bits(laid.open_rays), key=lambda ray: ray in ends)
            found += [self._ray(laid, ray, sealed, obstructions) for ray in rays]
            if len(self._ways) >= 2_000:
                self._ways.clear()
            kept = self._ways[key] = [way for way in found if way.into or way.up_to]
        return kept

    def _open_arcs(self, laid: LaidFan, sealed: int, obstructions: int) -> list[Way]:
        return [self._arc(laid, arc, sealed, obstructions) for arc in bits(laid.open_arcs)]

    def _arc(self, laid: LaidFan, arc: int, sealed: int, obstructions: int) -> Way:
        shut_before = shut = 0
        for bit, covered, own in laid.doors:
            if covered >> arc & 1:
                door = LINE.always if bit & sealed else LINE.where("R-LOS-OBST", "stops") if bit & obstructions else 0
                shut |= door
                if not own:
                    shut_before |= door
        fan = laid.fan
        return Way(
            fan.between(arc),
            LINE.always & ~shut,
            LINE.always & ~shut_before,
            (fan.sides[arc],),
            wide=True,
            grazing=False,
        )

    def _ray(self, laid: LaidFan, ray: int, sealed: int, obstructions: int) -> Way:
        key = (laid.start, laid.fan.target, ray, sealed, obstructions)
        found = self._rays.get(key)
        if found is None:
            if len(self._rays) >= 20_000:
                self._rays.clear()
            found = self._rays[key] = self._find_ray(laid, ray, sealed, obstructions)
        return found

    def _find_ray(self, laid: LaidFan, ray: int, sealed: int, obstructions: int) -> Way:
        line = laid.fan.line(ray)
        stopped_before = stopped = 0
        for contact in line.contacts:
            table = self.stops(moved(contact, laid.start), 0, sealed, obstructions)
            stopped |= table
            if contact.at < line.enters:
                stopped_before |= table
                if stopped_before == LINE.always:
                    break
        return Way(
            line.direction,
            LINE.always & ~stopped,
            LINE.always & ~stopped_before,
            line.sides,
            wide=False,
            grazing=ray in (0, len(laid.fan.rays) - 1),
        )

    def classify(self, a: Hex, b: Hex, occupied: Hexes, sealed: Edges, obstructions: Edges, ask: Ask) -> Class:
        """How `a` sees `b`: "clear", "obscured" or "none"."""
        if self.clear(a, b, occupied, sealed, obstructions, ask):
            return "clear"
        return "obscured" if self.obscured(a, b, sealed, obstructions, ask) else "none"

    # -- a declared aim ------------------------------------------------------------------------------------------

    def aim_is_legal(self, a: Hex, b: Hex, aim: Exact, sealed: Edges, obstructions: Edges, ask: Ask) -> bool:
        """Whether the line to one point (axial units, exact) is itself a legal obscured line to hex `b`."""
        return OBSCURED.decide(self.aimed(a, b, aim, self.edges(sealed), self.edges(obstructions)), ask)

    def aimed(self, a: Hex, b: Hex, aim: Exact, sealed: int, obstructions: int) -> int:
        """Under which readings the line to one point is a legal obscured line to `b`, as a table of `OBSCURED`."""
        if a == b or self.field.out_of_reach(a, b):
            return OBSCURED.always if a == b and not is_outside(aim, b) else 0
        found = self._aimed(a, b, aim, sealed, obstructions)
        return 0 if found is None else found[0]

    def _aimed(self, a: Hex, b: Hex, aim: Exact, sealed: int, obstructions: int) -> tuple[int, tuple[int, ...]] | None:
        """Under which readings the line to a point is legal, and the hexsides it comes to; None outside the hex."""
        beyond = _beyond(aim, b)
        if max(beyond) > 0:
            return None
        on = [k for k, far in enumerate(beyond) if far == 0]
        (q, r), (n, m) = aim, (aim[0].denominator, aim[1].denominator)
        direction = ((q.numerator - a[0] * n) * m, (r.numerator - a[1] * m) * n)
        laid = self.field.fan_between(a, b)
        arc, ray = laid.fan.find(direction)
        if arc is not None:
            way = self._arc(laid, arc, sealed, obstructions)
            reaches_inside = way.sides[0] not in on
            if not laid.open_arcs >> arc & 1:
                return 0, way.sides
        else:
            assert ray is not None
            way = self._ray(laid, ray, sealed, obstructions)
            reaches_inside = not set(way.sides) <= set(on)
        table = OBSCURED.widen(way.into if reaches_inside else way.up_to, LINE)
        return table & OBSCURED.where("R-OBS-POINT", "closed") if on else table, way.sides

    # -- barricades ----------------------------------------------------------------------------------------------

    def barricade(
        self,
        a: Hex,
        b: Hex,
        sight_class: Class,
        barricades: Collection[Barricade],
        aim: Exact | None,
        sealed: Edges,
        obstructions: Edges,
        ask: Ask,
    ) -> bool | None:
        """Whether the line of a shot of this class crosses a barricade of the target hex (CAL-DEF-03).

        None where there is no such shot, and where the line that counts is the declared one (R-OBS-BARR), none is
        declared or it is not legal, and the legal ones differ.
        """
        if sight_class == "none":
            return None
        crossed = self.crossed(a, b, sight_class, barricades, aim, self.edges(sealed), self.edges(obstructions))
        return is_crossed(crossed, ask)

    def crossed(
        self,
        a: Hex,
        b: Hex,
        sight_class: Class,
        barricades: Collection[Barricade],
        aim: Exact | None,
        sealed: int,
        obstructions: int,
    ) -> Crossed:
        """Under which readings the line of a shot of this class, clear or obscured, crosses a barricade of the target
        hex (`barricade`): the same under all, or a choice between no, yes and undecidable.
        """
        carries = self._carrying(b, barricades)
        if a == b or not any(carries):
            return False
        if self.field.out_of_reach(a, b):
            return None
        along_centres = self._crosses(centre_line((b[0] - a[0], b[1] - a[1])).sides, carries)
        if sight_class == "clear":
            return SHOT.choice((SHOT.always & ~along_centres, along_centres), SHOT.always)
        free = crossed = 0
        for sides, legal in self._legal_by_sides(a, b, sealed, obstructions).items():
            crosses = self._crosses(sides, carries)
            free |= legal & ~crosses
            crossed |= legal & crosses
        legal = free | crossed
        yes, no = crossed & ~free, free
        declared_yes, declared_no = crossed & ~free, free & ~crossed
        found = self._aimed(a, b, aim, sealed, obstructions) if aim is not None else None
        if found is not None:
            aimed, crosses = SHOT.widen(found[0], OBSCURED), self._crosses(found[1], carries)
            declared_yes = (declared_yes & ~aimed) | (aimed & crosses)
            declared_no = (declared_no & ~aimed) | (aimed & ~crosses)
        best, declared, centres = (
            SHOT.where("R-OBS-BARR", option) for option in ("shooter_best", "declared_line", "centre_line")
        )
        yes = (yes & best) | (declared_yes & declared) | (along_centres & centres)
        no = (no & best) | (declared_no & declared) | (~along_centres & centres)
        return SHOT.choice((no, yes, SHOT.always & ~(yes | no)), legal)

    def _legal_by_sides(self, a: Hex, b: Hex, sealed: int, obstructions: int) -> dict[tuple[int, ...], int]:
        """For the hexsides by which ways come to a hex, the readings (a table of `SHOT`) under which one is legal."""
        key = (a, b, sealed, obstructions)
        found = self._legal.get(key)
        if found is None:
            if len(self._legal) >= 2_000:
                self._legal.clear()
            found = self._legal[key] = {}
            for way in self.ways(self.field.fan_between(a, b), sealed, obstructions):
                found[way.sides] = found.get(way.sides, 0) | SHOT.widen(way.legal(), OBSCURED)
        return found

    def _carrying(self, target: Hex, barricades: Collection[Barricade]) -> list[int]:
        """Under which readings each hexside of the target carries a barricade that protects it."""
        if barricades is not self._barricades:
            self._protected.clear()
            self._aims.clear()
            self._barricades = barricades
        found = self._protected.get(target)
        if found is None:
            found = self._protected[target] = [self._carries(target, k, barricades) for k in range(6)]
        return found

    def _carries(self, target: Hex, direction: int, barricades: Collection[Barricade]) -> int:
        """Under which readings a hexside of the target carries a barricade that protects it (R-BAR-OWNER)."""
        if (target, direction) in barricades:
            return SHOT.always
        if (neighbour(target, direction), (direction + 3) % 6) in barricades:
            return SHOT.where("R-BAR-OWNER", "both_sides")
        return 0

    def _crosses(self, sides: tuple[int, ...], carries: list[int]) -> int:
        """Under which readings a line that comes to the target by these hexsides crosses a barricade (R-BAR-TIP)."""
        if len(sides) == 1:
            return carries[sides[0]]
        one, two = (carries[k] for k in sides)
        return (one & two & SHOT.where("R-BAR-TIP", "pinch")) | ((one | two) & SHOT.where("R-BAR-TIP", "touch_blocks"))

    # -- distances -----------------------------------------------------------------------------------------------

    def distance(self, a: Hex, b: Hex, occupied: Hexes, sealed: Edges, obstructions: Edges, ask: Ask) -> int | None:
        """The number of hexes counted from `a` to `b` (CAL-DST-01), or None where there is no route."""
        path = self.path(a, b, occupied, sealed, obstructions, ask)
        return None if path is None else len(path) - 1

    def within(self, a: Hex, b: Hex, limit: int, occupied: Hexes, sealed: Edges, obstructions: Edges, ask: Ask) -> bool:
        """Whether `b` is at most `limit` hexes from `a`; asks only where the readings disagree about that."""
        lengths = self.lengths(a, b, self.hexes(occupied), self.edges(sealed), self.edges(obstructions))
        return DISTANCE.decide(near(lengths, limit), ask)

    def path(
        self, a: Hex, b: Hex, occupied: Hexes, sealed: Edges, obstructions: Edges, ask: Ask
    ) -> tuple[Hex, ...] | None:
        """A shortest route with both ends, or None where there is none. Asks only where its length depends on it.

        Of routes of the same length it is one that is open under the most readings.
        """
        return chosen(self.lengths(a, b, self.hexes(occupied), self.edges(sealed), self.edges(obstructions)), ask)

    def lengths(self, a: Hex, b: Hex, occupied: int, sealed: int, obstructions: int) -> Lengths:
        """A shortest route of each length that some reading gives, with those readings (a table of `DISTANCE`)."""
        routes = self._routes_by_reading(a, b, occupied, sealed, obstructions)
        if len(routes) == 1:
            return (routes[0][0],), (DISTANCE.always,)
        by_length: dict[int, tuple[tuple[Hex, ...] | None, int]] = {}
        for path, table in routes:
            length = 0 if path is None else len(path)
            by_length[length] = path, table | by_length.get(length, (None, 0))[1]
        paths, tables = zip(*by_length.values(), strict=True)
        return paths, tables

    def _routes_by_reading(
        self, a: Hex, b: Hex, occupied: int, sealed: int, obstructions: int
    ) -> list[tuple[tuple[Hex, ...] | None, int]]:
        """A shortest route with the readings (a table of `DISTANCE`) under which it is one, the strictest last."""
        route = self._route(a, b, sealed, occupied)
        if route is None:
            return [(None, DISTANCE.always)]
        if not (route[1] & occupied or route[2] & obstructions):
            return [(route[0], DISTANCE.always)]

        def keeping(shut: int, taken: int, *others: Route | None) -> Route | None:
            # A route that is open to fewer is the shortest for them too, if it keeps clear of what they may not pass.
            for other in others:
                if other is None or not (other[1] & taken or other[2] & shut):
                    return other
            return self._route_clear_of(a, b, sealed | shut, taken, occupied)

        past = keeping(0, occupied, route)
        across = keeping(obstructions, 0, route)
        neither = keeping(obstructions, occupied, past, across)
        return [
            (found[0] if found is not None else None, table)
            for found, table in zip((route, past, across, neither), _BY_STRICTNESS, strict=True)
        ]

    def _route(self, a: Hex, b: Hex, sealed: int, occupied: int) -> Route | None:
        """A shortest route past occupied hexes and obstructions."""
        self._ground(a, b, occupied)
        # What a route crosses is known only as far as hexsides were marked when it was found.
        key = (a, b, sealed, len(self.edge_bit))
        if key in self._routes:
            return self._routes[key]
        if len(self._routes) >= 50_000:
            self._routes.clear()
        found = self._routes[key] = self._route_clear_of(a, b, sealed, 0, occupied)
        return found

    def _route_clear_of(self, a: Hex, b: Hex, shut: int, taken: int, occupied: int) -> Route | None:
        """A shortest route across no hexside of `shut` and through no hex of `taken`."""
        paths = self._ground(a, b, occupied)
        start, end = self.bit.get(a, 0), self.bit.get(b, 0)
        path: tuple[Hex, ...] | None
        if start and end and self.field.board is not None:
            steps = self._steps.get(shut)
            if steps is None:
                if len(self._steps) >= 64:
                    self._steps.clear()
                steps = self._steps[shut] = paths.steps(self.bit, self._edges_of(shut))
            passed = shortest(steps, start, end, taken)
            path = None if passed is None else tuple([self._hex_of[bit] for bit in passed])
        else:
            path = paths.path(a, b, self._edges_of(shut), self._hexes_of(taken))
        if path is None:
            return None
        inner = sum([self.bit.get(hex_, 0) for hex_ in path[1:-1]])
        marked = self.edge_bit
        crossed = sum([marked.get(edge(one, two), 0) for one, two in pairwise(path)]) if marked else 0
        return path, inner, crossed

    def _ground(self, a: Hex, b: Hex, occupied: int) -> Paths:
        """What routes may be looked for on: the board, or as much of a plane without end as can matter."""
        if self.field.board is not None:
            if self._paths is None:
                self._paths = Paths(self.field.board - self.field.blocked)
            return self._paths
        named = self.field.blocked.union((a, b), self._hexes_of(occupied), *(set(marked) for marked in self.edge_bit))
        if self._paths is None or named != self._paths_around:
            self._paths = Paths(frozenset(around(named)) - self.field.blocked)
            self._paths_around = named
            self._routes.clear()
        return self._paths

    def _hexes_of(self, mask: int) -> frozenset[Hex]:
        if not mask:
            return frozenset()
        hexes = list(self.bit)
        return frozenset(hexes[i] for i in bits(mask))

    def _edges_of(self, mask: int) -> frozenset[Edge]:
        found = self._shut.get(mask)
        if found is None:
            if len(self._shut) >= 256:
                self._shut.clear()
            edges = list(self.edge_bit)
            found = self._shut[mask] = frozenset(edges[i] for i in bits(mask))
        return found

    # -- what to draw --------------------------------------------------------------------------------------------

    def crossings(
        self, a: Hex, b: Hex, occupied: Hexes, sealed: Edges, obstructions: Edges, ask: Ask
    ) -> list[dict[str, Any]]:
        """What the line between two centres meets, nearest first, the end hexes left out, under the options given.

        Hexes: {"hexes", "how": "through|along|corner", "closed", "stops"}. `closed` is whether the hex is closed, for
        a line along a hexside whether it counts as closed on both sides. Doors: {"edge", "how":
        "door|door_end|door_along", "stops"}; obstructions are listed as doors where they count as such (R-LOS-OBST).
        """
        occupied, sealed, obstructions = self.hexes(occupied), self.edges(sealed), self.edges(obstructions)
        options = LINE.under(ask)
        found: list[dict[str, Any]] = []
        if a == b or self.field.out_of_reach(a, b):
            return found
        for contact in self.field.between(a, b).contacts():
            if contact.hexes:
                closed = (
                    bool(self.both_closed(contact, occupied, sealed, obstructions) & options)
                    if contact.how == "along"
                    else self._closed(contact.hexes[0], occupied)
                )
                stops = closed and (contact.how != "corner" or bool(LINE.where("R-LOS-VERTEX", "blocks") & options))
                hexes = [list(hex_) for hex_ in contact.hexes]
                found.append({"hexes": hexes, "how": contact.how, "closed": closed, "stops": stops})
            met: list[tuple[Edge, str, bool]] = []
            if contact.how == "cross" and contact.edge:
                met = [(contact.edge, "door", True)]
            elif contact.how == "along" and contact.edge:
                met = [(contact.edge, "door_along", bool(LINE.where("R-LOS-ALONG", "crossing") & options))]
            elif contact.how == "corner":
                stops = bool(self.ends_stop(contact, occupied, sealed, obstructions) & options)
                met = [(spoke, "door_end", stops) for spoke, _ in contact.spokes]
            found += [
                {"edge": [list(hex_) for hex_ in door], "how": how, "stops": stops}
                for door, how, stops in sorted(met)
                if self._door(door, sealed, obstructions) & options
            ]
        return found

    def obscured_line(
        self,
        a: Hex,
        b: Hex,
        sealed: Edges,
        obstructions: Edges,
        ask: Ask,
        barricades: Collection[Barricade] = (),
    ) -> dict[str, Any] | None:
        """One legal obscured line under the options given: {"to": ["n/d", "n/d"], "wide"}, axial; None without one.

        A line that crosses no barricade goes first, then one with room on both sides (`wide`), then the middle one.
        """
        if a == b or self.field.out_of_reach(a, b):
            return None
        # Before the fan: hexsides that are named for the first time become part of it.
        doors, across = self.edges(sealed), self.edges(obstructions)
        laid = self.field.fan_between(a, b)
        options, shot = OBSCURED.under(ask), SHOT.under(ask)
        carries = self._carrying(b, barricades)
        legal = [way for way in self.ways(laid, doors, across) if way.legal() & options]
        if not legal:
            return None
        kinds: dict[tuple[bool, bool], list[Way]] = {}
        for way in legal:
            kinds.setdefault((bool(self._crosses(way.sides, carries) & shot), not way.wide), []).append(way)
        ways = kinds[min(kinds)]
        way = ways[len(ways) // 2]
        goes_in = not way.grazing and bool(OBSCURED.widen(way.into, LINE) & options)
        return {"to": _point_on(way, a, laid, goes_in), "wide": way.wide}

    def legal_aim(
        self,
        a: Hex,
        b: Hex,
        sealed: Edges,
        obstructions: Edges,
        ask: Ask,
        barricades: Collection[Barricade] = (),
    ) -> list[str] | None:
        """A point that an obscured shot may be aimed at, axial as fractions; None without one.

        It asks what it hangs on and nothing more: ways are tried in an order that no reading changes (those that cross
        no barricade under any reading go first, then those with room on both sides, then the middle ones) until one
        is legal.
        """
        if a == b or self.field.out_of_reach(a, b):
            return None
        # Before the fan: hexsides that are named for the first time become part of it.
        doors, across = self.edges(sealed), self.edges(obstructions)
        carries = self._carrying(b, barricades)
        key = (a, b, doors, across)
        aims = self._aims.get(key)
        if aims is None:
            if len(self._aims) >= 2_000:
                self._aims.clear()
            aims = self._aims[key] = self._aims_in_order(a, b, doors, across, carries)
        for aim in aims:
            if OBSCURED.decide(aim.legal, ask):
                return aim.inside if aim.into and OBSCURED.decide(aim.into, ask) else aim.border
        return None

    def _aims_in_order(self, a: Hex, b: Hex, doors: int, across: int, carries: list[int]) -> list[Aim]:
        """Where an obscured shot may be aimed under some reading, in the order of `legal_aim`, up to the first that is
        legal under every one."""
        laid = self.field.fan_between(a, b)
        kinds: dict[tuple[bool, bool], list[Way]] = {}
        best = self._open_arcs(laid, doors, across)
        if not any(way.into == LINE.always and not self._crosses(way.sides, carries) for way in best):
            best = self.ways(laid, doors, across)
        for way in best:
            if way.legal():
                kinds.setdefault((bool(self._crosses(way.sides, carries)), not way.wide), []).append(way)
        found: list[Aim] = []
        for kind in sorted(kinds):
            ways, middle = kinds[kind], len(kinds[kind]) // 2
            for n in sorted(range(len(ways)), key=lambda n: abs(n - middle)):
                found.append(Aim(ways[n], a, laid))
                if found[-1].legal == OBSCURED.always:
                    return found
        return found

    def seen(self, a: Hex, b: Hex, sealed: Edges, obstructions: Edges, ask: Ask) -> list[list[list[str]]]:
        """The parts of `b` that obscured lines from `a` come to, as polygons with exact axial corners."""
        if a == b or self.field.out_of_reach(a, b):
            return []
        laid = self.field.fan_between(a, b)
        sealed, obstructions = self.edges(sealed), self.edges(obstructions)
        options = LINE.under(ask)
        arcs = sum(
            1 << arc for arc in bits(laid.open_arcs) if self._arc(laid, arc, sealed, obstructions).into & options
        )
        return [self._part_seen(laid, first, last) for first, last in runs(arcs)]

    def _part_seen(self, laid: LaidFan, first: int, last: int) -> list[list[str]]:
        """The part of a hex that some arcs see, as a polygon."""
        q, r = laid.start
        key = (laid.start, laid.fan.target, first, last)
        found = self._parts_seen.get(key)
        if found is None:
            if len(self._parts_seen) >= 2_000:
                self._parts_seen.clear()
            found = self._parts_seen[key] = [[str(x + q), str(y + r)] for x, y in laid.fan.seen(first, last)]
        return found


def is_crossed(crossed: Crossed, ask: Ask) -> bool | None:
    """Whether a line crosses a barricade; None where that is undecidable."""
    if not isinstance(crossed, Choice):
        return crossed
    which = crossed(ask)
    return None if which is None else (False, True, None)[which]


def chosen(lengths: Lengths, ask: Ask) -> tuple[Hex, ...] | None:
    """The route that holds under the options given; None where there is none."""
    paths, tables = lengths
    if len(paths) == 1:
        return paths[0]
    which = DISTANCE.choice(tables, DISTANCE.always)(ask)
    assert which is not None
    return paths[which]


def near(lengths: Lengths, limit: int) -> int:
    """Under which readings a route is at most `limit` steps long, as a table of `DISTANCE`."""
    found = 0
    for path, table in zip(*lengths, strict=True):
        if path is not None and len(path) - 1 <= limit:
            found |= table
    return found


def _beyond(point: Exact, hex_: Hex) -> list[int]:
    """How far a point lies beyond each hexside of a hex (direction 0 to 5), in some unit; 0 on it, less inside."""
    (q, r), (n, m) = point, (point[0].denominator, point[1].denominator)
    x, y = (q.numerator - hex_[0] * n) * m, (r.numerator - hex_[1] * m) * n
    return [gx * x + gy * y - n * m for gx, gy in OUTWARD]


def is_outside(point: Exact, hex_: Hex) -> bool:
    """Whether a point, axial, is outside a hex and not on its border."""
    return max(_beyond(point, hex_)) > 0
