"""The questions of one shot: how the shooter sees the target, how far it is, what its line crosses, what to draw of it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from auditor.geometry.fans import Exact
from auditor.geometry.hexes import Hex
from auditor.systems.calth.answers import Ask, Holds
from auditor.systems.calth.sight import (
    DISTANCE,
    LINE,
    OBSCURED,
    Barricade,
    Class,
    Crossed,
    HowSeen,
    Lengths,
    Sight,
    chosen,
    is_crossed,
    near,
)


class Shot:
    """The question of one shot from hex `a` to hex `b` in one state of the board, occupied hexes and hexsides as masks.

    What is kept are tables over readings, so that each question is asked anew.
    """

    __slots__ = (
        "_aims",
        "_crossed",
        "_lengths",
        "_reached",
        "_stopped",
        "a",
        "b",
        "obstructions",
        "occupied",
        "sealed",
        "sight",
    )

    def __init__(self, sight: Sight, a: Hex, b: Hex, occupied: int, sealed: int, obstructions: int) -> None:
        self.sight = sight
        self.a, self.b = a, b
        self.occupied, self.sealed, self.obstructions = occupied, sealed, obstructions
        self._stopped = self._reached = -1
        self._lengths: Lengths | None = None
        self._aims: dict[Exact, int] | None = None
        self._crossed: dict[Class, tuple[Exact | None, Collection[Barricade], Crossed]] = {}

    @property
    def stopped(self) -> int:
        """Under which readings something stops the line between the centres, as a table of `LINE`."""
        if self._stopped < 0:
            self._stopped = self.sight.stopped(self.a, self.b, self.occupied, self.sealed, self.obstructions)
        return self._stopped

    @property
    def reached(self) -> int:
        """Under which readings some line comes to the target, as a table of `OBSCURED`."""
        if self._reached < 0:
            self._reached = self.sight.reached(self.a, self.b, self.sealed, self.obstructions)
        return self._reached

    @property
    def how_seen(self) -> HowSeen:
        """How the shooter sees the target, as a question."""
        return HowSeen(self.stopped, self.reached if self.stopped else OBSCURED.always)

    def classify(self, ask: Ask) -> Class:
        """How the shooter sees the target: "clear", "obscured" or "none"."""
        return "clear" if not self.stopped else self.how_seen(ask)

    @property
    def is_sure(self) -> bool:
        """Whether the class is the same under all readings."""
        return not self.stopped or (self.stopped == LINE.always and self.reached in (0, OBSCURED.always))

    def aimed(self, aim: Exact) -> Holds:
        """Whether the line to a point is a legal obscured line, as a question."""
        if self._aims is None:
            self._aims = {}
        table = self._aims.get(aim)
        if table is None:
            table = self._aims[aim] = self.sight.aimed(self.a, self.b, aim, self.sealed, self.obstructions)
        return Holds(OBSCURED, table)

    @property
    def lengths(self) -> Lengths:
        """A shortest route of each length that some reading gives."""
        if self._lengths is None:
            self._lengths = self.sight.lengths(self.a, self.b, self.occupied, self.sealed, self.obstructions)
        return self._lengths

    def path(self, ask: Ask) -> tuple[Hex, ...] | None:
        """A shortest route with both ends (CAL-DST-01), or None where there is none."""
        return chosen(self.lengths, ask)

    def distance(self, ask: Ask) -> int | None:
        path = chosen(self.lengths, ask)
        return None if path is None else len(path) - 1

    def within(self, limit: int) -> Holds:
        """Whether the target is at most `limit` hexes away, as a question that asks only where the readings disagree
        about that."""
        return Holds(DISTANCE, near(self.lengths, limit))

    def crossings(self, ask: Ask) -> list[dict[str, Any]]:
        """What the line between the centres meets (`Sight.crossings`)."""
        return self.sight.crossings(self.a, self.b, self.occupied, self.sealed, self.obstructions, ask)

    def obscured_line(self, ask: Ask, barricades: Collection[Barricade] = ()) -> dict[str, Any] | None:
        """One legal obscured line (`Sight.obscured_line`); None where the class is another."""
        if self.classify(ask) != "obscured":
            return None
        return self.sight.obscured_line(self.a, self.b, self.sealed, self.obstructions, ask, barricades)

    def legal_aim(self, barricades: frozenset[Barricade]) -> LegalAim:
        """A point that may be aimed at, as a question."""
        return LegalAim(self.sight, self.a, self.b, self.sealed, self.obstructions, barricades)

    def crossed(self, sight_class: Class, barricades: Collection[Barricade], aim: Exact | None) -> Crossed:
        """Under which readings the line of a shot of this class crosses a barricade of the target hex."""
        kept = self._crossed.get(sight_class)
        if kept is None or kept[0] != aim or kept[1] is not barricades:
            found = self.sight.crossed(self.a, self.b, sight_class, barricades, aim, self.sealed, self.obstructions)
            kept = self._crossed[sight_class] = aim, barricades, found
        return kept[2]

    def barricade(
        self, sight_class: Class, barricades: Collection[Barricade], aim: Exact | None, ask: Ask
    ) -> bool | None:
        """Whether the line of a shot of this class crosses a barricade of the target hex (`Sight.barricade`)."""
        if sight_class == "none":
            return None
        return is_crossed(self.crossed(sight_class, barricades, aim), ask)

    def evidence(
        self,
        ask: Ask,
        barricades: Collection[Barricade] = (),
        aim: Exact | None = None,
        claimed: str | None = None,
    ) -> dict[str, Any]:
        """All that a drawing of the shot needs, under the options that `ask` gives.

        It asks about everything that it shows: hand it an `ask` that does not count as asking. Shape: `from`, `to`,
        `claimed`, `sight`, `crossings` (numbered from 1), `stop` (the number of the first that stops the line),
        `line` (an obscured shot's), `seen`, `barricade`, `distance`.
        """
        sight = self.classify(ask)
        met = [{"n": n, **crossing} for n, crossing in enumerate(self.crossings(ask), start=1)]
        return {
            "from": list(self.a),
            "to": list(self.b),
            "claimed": claimed,
            "sight": sight,
            "crossings": met,
            "stop": next((crossing["n"] for crossing in met if crossing["stops"]), None),
            "line": self.obscured_line(ask, barricades),
            "seen": self.sight.seen(self.a, self.b, self.sealed, self.obstructions, ask),
            "barricade": self.barricade(sight, barricades, aim, ask),
            "distance": self.distance(ask),
        }


@dataclass(frozen=True, slots=True)
class LegalAim:
    """The question where an obscured shot may be aimed (`Sight.legal_aim`)."""

    sight: Sight
    a: Hex
    b: Hex
    sealed: int
    obstructions: int
    barricades: frozenset[Barricade]

    def __call__(self, ask: Ask) -> tuple[str, ...] | None:
        found = self.sight.legal_aim(self.a, self.b, self.sealed, self.obstructions, ask, self.barricades)
        return None if found is None else tuple(found)
