"""Who sees whom at Calth: clear and obscured lines of sight, barricades, distances.

Geometry says what a line meets; here the rules say what stops it. Where the rules can be read in several ways, the
answer is worked out for every combination of options at once, as one bit each, and a reading is asked only if the
answer still hangs on it. So what is kept between queries are such tables, never answers, and no question is lost.

Source: Calth catalogue sections 11 and 16.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import prod

from auditor.geometry.hexes import Edge, Hex, edge
from auditor.geometry.lines import Contact, Field, Laid
from auditor.systems.calth.readings import READINGS

Ask = Callable[[str], str]
Hexes = int | Iterable[Hex]
Edges = int | Iterable[Edge]


class Answers:
    """Tables over some readings: one bit for each combination of their options, set where the thing holds.

    A table is an integer, so that "or", "and" and "not" of rules are those of integers.
    """

    def __init__(self, *readings: str) -> None:
        known = {reading.id: tuple(option.id for option in reading.options) for reading in READINGS}
        self.options = {reading: known[reading] for reading in readings}
        self.size = prod(len(options) for options in self.options.values())
        self.always = (1 << self.size) - 1
        self._masks: dict[tuple[str, str], int] = {}
        self._stride: dict[str, int] = {}
        stride = 1
        for reading, options in self.options.items():
            self._stride[reading] = stride
            block = (1 << stride) - 1
            period = stride * len(options)
            repeated = sum(block << start for start in range(0, self.size, period))
            for i, option in enumerate(options):
                self._masks[reading, option] = repeated << (i * stride)
            stride = period

    def where(self, reading: str, *options: str) -> int:
        """The table that holds exactly under these options of one reading."""
        table = 0
        for option in options:
            table |= self._masks[reading, option]
        return table

    def decide(self, table: int, ask: Ask, among: int | None = None) -> bool | None:
        """Whether the table holds, asking, in order, only readings on which that still depends.

        Combinations outside `among` do not matter. None if the answers given lead to one of those.
        """
        left = self.always if among is None else among
        for reading in self.options:
            if table & left in (0, left):
                break
            if self._hangs_on(reading, table, left):
                left &= self._masks[reading, ask(reading)]
        return None if not left else bool(table & left)

    def _hangs_on(self, reading: str, table: int, left: int) -> bool:
        """Whether two combinations in `left` that differ in this reading only are answered differently."""
        stride, options = self._stride[reading], self.options[reading]
        first = self._masks[reading, options[0]]
        for i in range(1, len(options)):
            for j in range(i):
                both = (left >> (i * stride)) & (left >> (j * stride)) & first
                if ((table >> (i * stride)) ^ (table >> (j * stride))) & both:
                    return True
        return False


LINE = Answers(
    "R-LOS-VERTEX",
    "R-LOS-EDGEMIX",
    "R-LOS-OFFBOARD",
    "R-LOS-EDGEADJ",
    "R-LOS-TIP",
    "R-LOS-ALONG",
    "R-LOS-OBST",
)


class Sight:
    """Lines of sight and distances on one board.

    board_hexes  the hexes that exist, or None for a plane without end
    blocked      the blocked ones
    edges        hexsides that may carry a door or an obstruction; others are noticed when first named

    Queries take the occupied hexes as hexes or as the sum of their `bit`s, and the sealed doors and obstructions as
    hexsides or as the sum of their `edge_bit`s; masks are faster. The two ends of a line are never obstacles,
    whatever the lists say. `ask` gives the option of a reading (catalogue section 2) and is called only where the
    answer hangs on it.
    """

    def __init__(
        self, board_hexes: Iterable[Hex] | None, blocked: Iterable[Hex] = (), edges: Iterable[Edge] = ()
    ) -> None:
        self.field = Field(board_hexes, blocked, edges)
        self.bit = self.field.hex_bit
        self.edge_bit = self.field.edge_bit

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
        if not (type(occupied) is type(sealed) is type(obstructions) is int):
            occupied, sealed, obstructions = self.hexes(occupied), self.edges(sealed), self.edges(obstructions)
        laid = self.field.lines.get((a, b))
        if laid is None:
            if a == b:
                return True
            if self.field.out_of_reach(a, b):
                return False
            laid = self.field.between(a, b)
        if laid.walled or laid.solid & occupied or laid.crossed & sealed:
            return False
        if not (laid.grazes or laid.crossed & obstructions):
            return True
        table = self._stops_clear(laid, occupied, sealed, obstructions)
        return not table or not LINE.decide(table, ask)

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
            return self.both_closed(contact.edge, occupied, sealed, obstructions) | (
                self._door(contact.edge, sealed, obstructions) & LINE.where("R-LOS-ALONG", "crossing")
            )
        if contact.how == "cross":
            assert contact.edge is not None
            return self._door(contact.edge, sealed, obstructions)
        table = 0
        if contact.hexes and self._closed(contact.hexes[0], occupied):
            table = LINE.where("R-LOS-VERTEX", "blocks")
        return table | self.ends_stop(contact, occupied, sealed, obstructions)

    def both_closed(self, traced: Edge, occupied: int, sealed: int, obstructions: int) -> int:
        """Under which readings a hexside that a line runs along is closed on both sides (R-LOS-EDGE*, -OFFBOARD)."""
        if not all(self._closed(hex_, occupied) for hex_ in traced):
            return 0
        table = LINE.always
        if any(self.field.off_board(hex_) for hex_ in traced):
            table &= LINE.where("R-LOS-OFFBOARD", "blocked")
        if self.edge_bit.get(traced, 0) & (sealed | obstructions):
            table &= LINE.where("R-LOS-EDGEADJ", "geometric")
        if self.field.closed(traced[0]) != self.field.closed(traced[1]):
            table &= LINE.where("R-LOS-EDGEMIX", "counts")
        return table

    def ends_stop(self, corner: Contact, occupied: int, sealed: int, obstructions: int) -> int:
        """Under which readings the door ends at a corner of the line stop it (R-LOS-TIP)."""
        doors = {lies for spoke, lies in corner.spokes if self.edge_bit.get(spoke, 0) & sealed}
        both = doors | {lies for spoke, lies in corner.spokes if self.edge_bit.get(spoke, 0) & obstructions}
        if not both:
            return 0
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
