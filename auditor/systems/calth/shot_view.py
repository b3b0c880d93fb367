"""What is asked of sight and distance in an attack.

Worked out when a rule asks, and anew each time where it hangs on a reading (see `resolve`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from auditor.core.rulings import Hearing
from auditor.geometry.hexes import side
from auditor.geometry.lines import Contact
from auditor.systems.calth.records import exact
from auditor.systems.calth.sight import Class, Shot
from auditor.systems.calth.state import Position, Table, side_key
from auditor.systems.calth.view import View, licence


def rules_met(table: Table, contacts: Iterable[Contact]) -> frozenset[str]:
    """The rules of sight that speak of what a line meets on a board, whatever stands where on it."""
    doors, found = table.board.doors, set()
    for c in contacts:
        if c.how == "along":
            found.add("CAL-LOS-02")
        elif c.how == "corner":
            found.add("CAL-LOS-03")
            if any(door in doors for door, _ in c.spokes):
                found.add("CAL-LOS-04")
        elif c.how == "through":
            if c.hexes[0] in table.rubble:
                found.add("CAL-LOS-05")
        elif c.edge is not None:
            on_it = any(side(hex_, k) == c.edge for hex_, k in table.barricades if hex_ in c.edge)
            if on_it or c.edge in doors or c.edge in table.obstructions:
                found.add("CAL-LOS-05")
    return frozenset(found)


class ShotView(View):
    """The two units of an attack as they stand, and what the shooter sees of the target."""

    __slots__ = (
        "_deciding",
        "_shot",
        "aim",
        "attacker",
        "attacker_models",
        "claimed_class",
        "follow_up",
        "mode",
        "role",
        "shooter_hex",
        "target",
        "target_hex",
        "target_is_sor",
        "target_models",
    )

    def __init__(self, event: Any, position: Position) -> None:
        View.__init__(self, event, position)
        self.phase = "action"
        role, mode = event.role, event.mode
        if role is None:
            role = {"melee": "assault", "ranged": "shoot"}.get(mode)
        if mode is None and role is not None:
            mode = "melee" if role in ("assault", "counter") else "ranged"
        self.role, self.mode = role, mode
        self.follow_up = role == "flamer_follow_up"
        self.attacker = position.units.get(event.attacker) if event.attacker is not None else None
        self.target = position.units.get(event.target) if event.target is not None else None
        self.attacker_models = self.attacker.models if self.attacker is not None else ()
        self.target_models = self.target.models if self.target is not None else ()
        self.shooter_hex = self.attacker.hex if self.attacker is not None else None
        self.target_hex = self.target.hex if self.target is not None else None
        self.actor = self.attacker
        act = position.act
        if role == "assault":
            licence(self, self.attacker, "assault", act is not None and act.attacked)
        elif role == "shoot":
            licence(self, self.attacker, "shoot", act is not None and act.attacked)
        self.claimed_class = event.los.class_ if event.los is not None else None
        self.aim = None
        if event.los is not None and event.los.aim is not None:
            q, r = exact(event.los.aim[0]), exact(event.los.aim[1])
            self.aim = (q, r) if q is not None and r is not None else None
        known = position.table.models
        self.target_is_sor = position.table.has_damage_deck and any(
            known[m].has_damage_deck for m in self.target_models if m in known
        )
        self._shot: Shot | None = None
        self._deciding: str | None = None

    # -- where ------------------------------------------------------------------------------------------------

    @property
    def shot(self) -> Shot:
        """The shot as a question of sight and distance; only between two hexes that are known."""
        if self._shot is None:
            position, table = self.position, self.position.table
            assert self.shooter_hex is not None and self.target_hex is not None
            self._shot = Shot(
                table.sight,
                self.shooter_hex,
                self.target_hex,
                position.occupied,
                position.sealed_mask,
                table.obstruction_mask,
            )
        return self._shot

    def distance(self, hearing: Hearing) -> int | None:
        """Steps from shooter to target (CAL-DST-01); None without a way."""
        return self.shot.distance(hearing.ask)

    def way(self, hearing: Hearing) -> list[list[int]]:
        """A shortest way as evidence; asks nothing that counts."""
        if self.shooter_hex is None or self.target_hex is None:
            return []
        return [list(hex_) for hex_ in self.shot.path(hearing.options.__getitem__) or ()]

    def sight(self, hearing: Hearing) -> str:
        """clear | obscured | none."""
        return self.shot.classify(hearing.ask)

    def unasked_sight(self, hearing: Hearing) -> str:
        """The class where nothing to be said hangs on it: asks nothing that counts."""
        return self.shot.classify(hearing.options.__getitem__)

    def unasked_distance(self, hearing: Hearing) -> int | None:
        """The distance where it is only mentioned: asks nothing that counts."""
        return self.shot.distance(hearing.options.__getitem__)

    def unseen(self, hearing: Hearing) -> bool:
        """Whether there is no line of sight at all; asks nothing that only tells clear from obscured."""
        return self.shot.is_unseen(hearing.ask)

    def within(self, limit: int, hearing: Hearing) -> bool:
        """Whether the target is at most so many steps away; asks only where the readings disagree about that."""
        return self.shot.within(limit, hearing.ask)

    def class_played(self, hearing: Hearing) -> str | None:
        """The class that the attack was played with: the claimed one, else the recomputed one."""
        if self.claimed_class is not None:
            claimed: str = self.claimed_class
            return claimed
        found = self.sight(hearing)
        return found if found != "none" else None

    def aim_is_legal(self, hearing: Hearing) -> bool:
        assert self.aim is not None
        return self.shot.aim_is_legal(self.aim, hearing.ask)

    def legal_aim(self, hearing: Hearing) -> list[str] | None:
        """A point that an obscured shot may be aimed at; asks nothing that counts."""
        if self.shooter_hex is None or self.target_hex is None:
            return None
        line = self.shot.obscured_line(hearing.options.__getitem__, self.position.table.barricades)
        return line["to"] if line else None

    def barricade_dice(self, hearing: Hearing) -> tuple[int, ...] | None:
        """Bonus dice for a barricade by the true class, then by the class claimed; None where undecidable."""
        table = self.position.table
        barricades = table.barricades
        if not barricades:
            return (0,)
        if self.target_hex not in table.protected:
            return None if self.claimed_class is None and self.unseen(hearing) else (0,)
        true = self.sight(hearing)
        both: tuple[Class, ...] = ("clear", "obscured")
        classes = sorted((c for c in both if c in (true, self.claimed_class)), key=lambda c: c != true)
        found: list[int] = []
        for class_ in classes:
            crossed = self.shot.barricade(class_, barricades, self.aim, hearing.ask)
            if crossed is None:
                return None
            if class_ == "obscured" != true and not self._has_obscured_line(crossed, hearing):
                return None
            found.append(2 if crossed else 0)
        return tuple(dict.fromkeys(found)) or None

    def _has_obscured_line(self, crossed: bool, hearing: Hearing) -> bool:
        """Whether the bonus of an obscured shot hangs on a line that is there: any legal one, or that of the centres."""
        claimed = self.event.los.bonuses.barricade if self.event.los.bonuses is not None else None
        if claimed == 2 * crossed or hearing.ask("R-OBS-BARR") == "centre_line":
            return True
        return self.shot.is_reached(hearing.ask)

    def sight_evidence(self, hearing: Hearing) -> dict[str, Any]:
        """The line of sight as a drawing, with the distance as a path."""
        if self.shooter_hex is None or self.target_hex is None:
            return {}
        drawn = self.shot.evidence(
            hearing.options.__getitem__, self.position.table.barricades, self.aim, self.claimed_class
        )
        shot = {
            "mark": "shot",
            "from": list(self.shooter_hex),
            "to": list(self.target_hex),
            "ok": drawn["sight"] != "none",
        }
        return {"sight": drawn, "path": self.way(hearing), "marks": [shot]}

    def _stop(self, hearing: Hearing) -> dict[str, Any] | None:
        """The contact that stops the centre line."""
        return next((c for c in self._crossings(hearing) if c["stops"]), None)

    def _crossings(self, hearing: Hearing) -> list[dict[str, Any]]:
        """What the centre line meets; asks nothing that counts."""
        return self.shot.crossings(hearing.options.__getitem__)

    @property
    def deciding_rule(self) -> str:
        """The rule under which a wrong class is told: that of what stops the centre line, or may under some reading, or,
        where nothing does, that of what may have been taken for a stop. The same under every reading, so that a wrong
        class is one fault."""
        if self._deciding is None:
            self._deciding = self._find_deciding_rule()
        return self._deciding

    def _find_deciding_rule(self) -> str:
        position, table = self.position, self.position.table
        met: set[str] = set()
        for contact in self._contacts():
            if table.sight.stops(
                contact, position.occupied & ~self._ends, position.sealed_mask, table.obstruction_mask
            ):
                met.add(self._rule_of(contact))
        for rule_id in ("CAL-LOS-01", "CAL-LOS-02", "CAL-LOS-04", "CAL-LOS-03", "CAL-LOS-05"):
            if rule_id in met:
                return rule_id
        if self._closed_beside():
            return "CAL-LOS-02"
        return "CAL-LOS-05" if self._seen_through() else "CAL-LOS-01"

    @property
    def _ends(self) -> int:
        bit = self.position.table.bit
        assert self.shooter_hex is not None and self.target_hex is not None
        return bit.get(self.shooter_hex, 0) | bit.get(self.target_hex, 0)

    def _rule_of(self, contact: Any) -> str:
        """The rule of a contact that stops the line."""
        if contact.how == "through":
            return "CAL-LOS-01"
        if contact.how == "along":
            return "CAL-LOS-02"
        if contact.how == "cross":
            return "CAL-LOS-05" if contact.edge in self.position.table.obstructions else "CAL-LOS-01"
        doors = self.position.sealed | self.position.table.obstructions
        return "CAL-LOS-04" if any(door in doors for door, _ in contact.spokes) else "CAL-LOS-03"

    def _is_obstruction(self, stop: Mapping[str, Any]) -> bool:
        edge = stop.get("edge")
        return edge is not None and side_key(tuple(edge[0]), tuple(edge[1])) in self.position.table.obstructions

    def _contacts(self) -> Sequence[Contact]:
        """What the centre line meets."""
        shot = self.shot
        return shot.sight.field.between(shot.a, shot.b).contacts() if shot.a != shot.b else ()

    def _closed_beside(self) -> bool:
        """Whether the centre line runs along a hexside with one closed hex."""
        position = self.position
        return any(
            hex_ in position.by_hex or hex_ not in position.table.passable
            for c in self._contacts()
            if c.how == "along"
            for hex_ in c.hexes
        )

    def _seen_through(self) -> bool:
        """Whether the centre line meets rubble, a barricade, an open door or an obstruction."""
        return self.meets("CAL-LOS-05")

    def meets(self, rule_id: str) -> bool:
        """Whether the centre line meets what the rule speaks of."""
        if self.shooter_hex is None or self.target_hex is None:
            return False
        known = self.position.table.met
        ends = (self.shooter_hex, self.target_hex)
        found = known.get(ends)
        if found is None:
            if len(known) >= 50_000:
                known.clear()
            found = known[ends] = rules_met(self.position.table, self._contacts())
        return rule_id in found

    def what_stops(self, hearing: Hearing) -> str:
        """What stops the centre line, in words."""
        stop = self._stop(hearing)
        if stop is None:
            return "something stops its line"
        hexes = stop.get("hexes") or stop.get("edge") or []
        told = " and ".join(f"{q},{r}" for q, r in hexes)
        if stop["how"] == "through":
            what = "blocked or occupied" if len(hexes) == 1 else "closed"
            return f"its line passes through {told}, which is {what}"
        if stop["how"] == "along":
            return f"its line runs along the hexside of {told}, both closed"
        if stop["how"] == "corner":
            return f"its line touches a corner of {told}"
        what = "an obstruction" if self._is_obstruction(stop) else "a sealed door"
        return f"{what} between {told} stops its line"
