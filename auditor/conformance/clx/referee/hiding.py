"""Hidden infiltrators: who attacks them, how they are spotted, and what reveals them (catalogue 6.12)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from auditor.conformance.clx.chart import majority
from auditor.conformance.clx.inches import number, to_polygon
from auditor.conformance.clx.referee.board import Reader
from auditor.conformance.clx.referee.found import Faults, Found, NotJudged
from auditor.conformance.clx.referee.guesses import Guesses
from auditor.conformance.clx.referee.moves import ROUNDED, Way
from auditor.conformance.clx.table import Json, Unit


class Hiding(Guesses):
    """The game with its hidden units."""

    def __init__(self, header: Json, options: Mapping[str, str] | None) -> None:
        super().__init__(header, options)
        self.doubtful: set[str] = set()
        """Units of which nobody knows whether they are still hidden."""

    def leaves_cover(self, unit: Unit, ways: Sequence[Way]) -> None:
        """A base that ends clear of all cover reveals its unit; else it is left open whether it stays in its piece."""
        covers = [self.t.corners(piece) for piece in self.t.terrain if piece.get("cover", "none") != "none"]
        for way in ways:
            end = way.points[-1]
            if all(to_polygon(end, end, corners) > way.model.base.r + ROUNDED for corners in covers):
                unit.hidden = False
                return
        self.doubtful.add(unit.id)

    def is_hidden_from(self, target: Unit, unit: Unit, shoots: bool) -> bool:
        """CLX-USR-04, -06: whether a unit may not attack another because that is hidden."""
        if not target.hidden or (target.shot_hidden and self.by("OR-HIDE-SHOOT") == "REVEALS"):
            return False
        if target.id in self.doubtful:
            raise NotJudged("a unit that may be hidden or not")
        if not shoots or not self.has_auspex(unit):
            return True
        reach = self.t.base_rules.get("BASE-SPOT")
        if type(reach) not in (int, float):
            raise NotJudged("the spotting distance is not told")
        off = self.t.unit_gap(unit, target) - number(reach)
        if abs(off) <= ROUNDED:
            raise NotJudged("the spotting distance by a hair")
        return off > 0

    @staticmethod
    def has_auspex(unit: Unit) -> bool:
        """Whether somebody of a unit carries an auspex."""
        return any("auspex" in model.entry.get("wargear", ()) for model in unit.living)

    def on_shoot(self, at: Reader) -> Faults:
        yield from self.attacks_openly(at, [*super().on_shoot(at)], True)

    def on_charge(self, at: Reader) -> Faults:
        yield from self.attacks_openly(at, [*super().on_charge(at)], False)

    def attacks_openly(self, at: Reader, faults: list[Found], shoots: bool) -> Faults:
        """What else is wrong with an attack, and that its target is hidden; one reason for which it is not made is one
        fault."""
        unit = at.unit()
        if self.is_hidden_from(at.unit("target"), unit, shoots):
            if any(one.kind == "illegal" for one in faults):
                raise NotJudged("more than one reason against an attack")
            self.stops = True
            yield self.fault("USR-04", "illegal", unit.owner)
        yield from faults

    def on_weapon_fire(self, at: Reader) -> Faults:
        yield from super().on_weapon_fire(at)
        attack = self.attack(at)
        if attack.unit.hidden:
            attack.unit.shot_hidden = True
            if attack.failed and self.by("OR-HIDE-SHOOT") == "REVEALS":
                self.doubtful.add(attack.unit.id)

    def on_spot(self, at: Reader) -> Faults:
        """CLX-USR-05, -06."""
        unit, target = at.unit("spotter"), at.unit("target")
        if unit.owner != self.t.active or target.owner == unit.owner:
            raise NotJudged("who spots a friend, or in the turn of the enemy")
        keys = ("die_spotter", "die_target", "reroll_spotter", "reroll_target")
        dice = {key: at.whole(key) for key in keys if key in at.event or not key.startswith("reroll")}
        if not all(1 <= die <= 6 for die in dice.values()):
            raise NotJudged("a die that shows something else")
        claimed = at.flag_claimed("claimed_revealed")
        if len(dice) > 2 and not self.has_auspex(unit):
            yield self.fault("USR-06", "illegal", unit.owner)
            self.stops = True
            return
        sums = []
        for one, name in ((unit, "spotter"), (target, "target")):
            keen = majority(model.n("I") for model in one.living)
            if not keen:
                raise NotJudged("a unit without an Initiative")
            sums.append(keen + dice.get(f"reroll_{name}", dice[f"die_{name}"]))
        if claimed not in (None, sums[0] > sums[1]):
            yield self.fault("USR-05", "miscalculated", unit.owner)
        if claimed is None and target.hidden:
            self.doubtful.add(target.id)
        elif claimed:
            target.hidden = False
