"""What is asked of sight and distance in an attack.

Worked out when a rule asks, and anew each time where it hangs on a reading (see `resolve`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any, Literal, NamedTuple

from auditor.core.lazily import cached_property
from auditor.core.rulings import Hearing
from auditor.geometry.hexes import Hex, side
from auditor.geometry.lines import Contact
from auditor.systems.calth import records
from auditor.systems.calth.answers import Ask, once
from auditor.systems.calth.reckoning.ahead import answers
from auditor.systems.calth.reckoning.dice import crits
from auditor.systems.calth.reckoning.labels import (
    is_gone,
    unit_acting,
    unit_assaulted,
    unit_called,
    unit_meant,
    unit_of_models,
)
from auditor.systems.calth.reckoning.licence import Licence, licence_of
from auditor.systems.calth.reckoning.slips import fits_as_attacker, fits_as_target
from auditor.systems.calth.reckoning.views import View
from auditor.systems.calth.records import exact
from auditor.systems.calth.shots import Shot
from auditor.systems.calth.sight import DISTANCE, OBSCURED, Class, Crossed, HowSeen, is_crossed
from auditor.systems.calth.state import OTHER, Position, Table, Unit, side_key


class OnTheLine(StrEnum):
    """What the line between the centres of two hexes may meet; each matters to one rule of sight (CAL-LOS-01 to 05)."""

    INSIDE = "the inside of a hex, or a sealed door"
    HEXSIDE = "a hexside along which it runs"
    CORNER = "a corner"
    DOOR_END = "the end of a door"
    SEEN_THROUGH = "rubble, a barricade, a door or an obstruction"


_SEEN: tuple[Class, ...] = ("clear", "obscured")
_DECIDING = (OnTheLine.INSIDE, OnTheLine.HEXSIDE, OnTheLine.DOOR_END, OnTheLine.CORNER, OnTheLine.SEEN_THROUGH)


def met_by(table: Table, contacts: Iterable[Contact]) -> tuple[OnTheLine, ...]:
    """What a line meets on a board that rules of sight speak of, whatever stands where on it; always in one order."""
    doors, found = table.board.doors, set()
    for c in contacts:
        if c.how == "along":
            found.add(OnTheLine.HEXSIDE)
        elif c.how == "corner":
            found.add(OnTheLine.CORNER)
            if any(door in doors for door, _ in c.spokes):
                found.add(OnTheLine.DOOR_END)
        elif c.how == "through":
            if c.hexes[0] in table.rubble:
                found.add(OnTheLine.SEEN_THROUGH)
        elif c.edge is not None:
            on_it = any(side(hex_, k) == c.edge for hex_, k in table.barricades if hex_ in c.edge)
            if on_it or c.edge in doors or c.edge in table.obstructions:
                found.add(OnTheLine.SEEN_THROUGH)
    return tuple(one for one in _DECIDING if one in found)


_ACTION_OF = {"melee": "assault", "ranged": "shoot"}


def says_its_kind(event: records.Attack) -> bool:
    """Whether an attack states its mode or its role. One that states neither is followed as what was due, a guess."""
    return event.mode is not None or event.role is not None


def _rolling(event: records.Attack) -> list[str | None]:
    """The models that an attack names on the attacker's side."""
    found = [model for model, _ in event.weapons or ()] + [crit.model for crit in crits(event)]
    return [*found, event.vexilla.model] if event.vexilla is not None else found


@once
@dataclass(frozen=True, slots=True, eq=False)
class BarricadeDice:
    """The question which bonus dice a barricade gives to a target that one may protect: by the true class of the shot,
    then by the class claimed; None where undecidable.

    by_class  for each class that the shot may have or is claimed to have whether its line crosses a barricade
    dice      the bonus that the log claims
    """

    seen: HowSeen
    by_class: tuple[tuple[Class, Crossed], ...]
    claimed: str | None
    dice: int | None

    def __call__(self, ask: Ask) -> tuple[int, ...] | None:
        true = self.seen(ask)
        found: list[int] = []
        for class_, either in sorted(self.by_class, key=lambda one: one[0] != true):
            if class_ not in (true, self.claimed):
                continue
            crossed = is_crossed(either, ask)
            if crossed is None:
                return None
            if class_ == "obscured" != true and not self._has_obscured_line(crossed, ask):
                return None
            found.append(2 if crossed else 0)
        return tuple(dict.fromkeys(found)) or None

    def _has_obscured_line(self, crossed: bool, ask: Ask) -> bool:
        """Whether the bonus of an obscured shot hangs on a line that is there: any legal one, or that of the
        centres.
        """
        if self.dice == 2 * crossed or ask("R-OBS-BARR") == "centre_line":
            return True
        return OBSCURED.decide(self.seen.reached, ask)


def _nobody_answers(reading: str) -> str:
    """For questions of which it is known that they hang on no reading."""
    raise AssertionError(f"{reading} was asked")


class Kind(NamedTuple):
    """Role and mode of an attack.

    contradicts  whether the mode contradicts the role and the action declared agrees with it
    recast       whether only the role contradicts the record, and the attack is judged as the part that it fits
    """

    role: str | None
    mode: str | None
    contradicts: bool = False
    recast: bool = False


class _Target(NamedTuple):
    """The unit attacked, whether it has lost all its models, the other that it may be, what is said of that."""

    target: Unit | None
    nobody_left: bool = False
    either: Unit | None = None
    astray: tuple[str, ...] = ()


class ShotView(View):
    """The two units of an attack as they stand, and what the shooter sees of the target.

    between      whether this is a ranged attack between two hexes that are known
    nobody_left  whether the unit attacked has lost all its models
    recast       whether only the role contradicts the record, and the attack is judged as the part that it fits
    either       the other unit that may be the one attacked, where nothing tells
    """

    event: records.Attack

    def __init__(self, event: records.Attack, position: Position) -> None:
        View.__init__(self, event, position)
        self.phase = "action"
        self._aim: tuple[Fraction, Fraction] | None = None
        los = event.los
        self.claimed_class = los.class_ if los is not None else None
        self._shot: Shot | None = None
        self._sure: Class | Literal["unknown"] | None = "unknown"
        self._unasked: tuple[Mapping[str, str], Class] | None = None
        self._deciding: OnTheLine | None = None

    @cached_property
    def role(self) -> str | None:
        return self._kind.role

    @cached_property
    def mode(self) -> str | None:
        role, mode = self.event.role, self.event.mode
        by_role = "melee" if role in ("assault", "counter") else "ranged"
        return by_role if role is not None and mode in (None, by_role) else self._kind.mode

    @cached_property
    def recast(self) -> bool:
        return self._kind.recast

    @cached_property
    def unrecorded(self) -> str | None:
        """That an attack which is read as a part of the open activation may be of one that is not recorded."""
        unit, position = self.attacker, self.position
        if unit is None or unit.tp < 1 or not self.recast or self.event.role not in ("assault", "shoot"):
            return None
        if position.side_to_act() not in (None, unit.side):
            return None
        return f"whether {unit.id} was activated for its attack at event {self.event.seq} is not recorded"

    @cached_property
    def follow_up(self) -> bool:
        return self.role == "flamer_follow_up"

    @cached_property
    def attacker(self) -> Unit | None:
        return self._by[0]

    @cached_property
    def actor(self) -> Unit | None:  # type: ignore[override]
        return self._by[0]

    @cached_property
    def target(self) -> Unit | None:
        return self._at.target

    @cached_property
    def nobody_left(self) -> bool:
        return self._at.nobody_left

    @cached_property
    def either(self) -> Unit | None:
        return self._at.either

    @cached_property
    def astray(self) -> tuple[str, ...]:  # type: ignore[override]
        return (*self._by[1], *self._at.astray)

    @cached_property
    def between(self) -> bool:
        return self.mode == "ranged" and self.attacker is not None and self.target is not None

    @cached_property
    def licence(self) -> Licence:  # type: ignore[override]
        role, act = self.role, self.position.act
        found: Licence = "part"
        if role == "assault" or role == "shoot":
            found = licence_of(self.position, self.attacker, role, act is not None and act.attacked)
        astray = self._kind.contradicts or self._kind.recast
        return "other" if astray and found in ("activation", "part") else found

    @cached_property
    def attacker_models(self) -> tuple[str, ...]:
        return self.attacker.models if self.attacker is not None else ()

    @cached_property
    def target_models(self) -> tuple[str, ...]:
        return self.target.models if self.target is not None else ()

    @cached_property
    def shooter_hex(self) -> Hex | None:
        return self.attacker.hex if self.attacker is not None else None

    @cached_property
    def target_hex(self) -> Hex | None:
        return self.target.hex if self.target is not None else None

    @cached_property
    def target_is_sor(self) -> bool:
        return any(model in self.target_models for model in self.position.table.with_damage_deck)

    @cached_property
    def _kind(self) -> Kind:
        """Role and mode. Where they contradict each other the role counts, unless the action declared agrees with the
        mode. Where neither is stated the attack is followed as what was due, and nothing in it accuses anybody.
        """
        role, mode, act = self.event.role, self.event.mode, self.position.act
        if role is None:
            due = self._role_due() or {"melee": "assault", "ranged": "shoot"}.get(mode or "")
            of_due = "melee" if due in ("assault", "counter") else "ranged"
            return Kind(due, of_due) if due is not None and mode in (None, of_due) else Kind(None, mode)
        by_role = "melee" if role in ("assault", "counter") else "ranged"
        if mode in (None, by_role) or act is None or act.action != _ACTION_OF[mode]:
            meant = self._role_meant(role)
            return Kind(meant, by_role, recast=meant != role)
        if act.attacked:
            return Kind({"melee": "counter", "ranged": "flamer_follow_up"}[mode], mode, contradicts=True)
        return Kind(_ACTION_OF[mode], mode, contradicts=True)

    def _role_due(self) -> str | None:
        """As what an attack is due that does not state it, by the action declared and by whose attack it is."""
        position, act = self.position, self.position.act
        if act is None or act.action not in ("assault", "shoot"):
            return None
        acting, against = unit_acting(position), unit_assaulted(position)
        if act.action == "assault" and act.attacked:
            side = against.side if against is not None else None
            unit = unit_called(position, self.event.attacker, side)
            return "counter" if unit is not None and unit is not acting else None
        if act.action == "shoot" and act.attacked:
            return "flamer_follow_up" if act.flame is not None else None
        return act.action

    def _role_meant(self, role: str) -> str:
        """The role, or the part of the action declared that the attack fits where only its role does not."""
        position, act = self.position, self.position.act
        if act is None:
            return role
        acting = unit_acting(position)
        unit = unit_called(position, self.event.attacker, self.event.player)
        if unit is None or acting is None:
            return role
        if unit is acting and not act.attacked:
            if role == "counter" and act.action == "assault":
                return "assault"
            if role == "flamer_follow_up" and act.action == "shoot":
                return "shoot"
        if role == "shoot" and unit is acting and act.flame is not None:
            return "flamer_follow_up"
        if role == "assault" and unit is unit_assaulted(position) and not (act.countered or act.retreated):
            against = unit_called(position, self.event.target, acting.side)
            if against is acting and act.counter in (None, "made") and act.said is None:
                return "counter"
        return role

    @cached_property
    def _by(self) -> tuple[Unit | None, tuple[str, ...]]:
        """The unit that attacks: the one named, unless all else in the event is that of the one whose act is due."""
        position, event = self.position, self.event
        rolling = _rolling(event)
        attacker, astray = unit_meant(position, event.attacker, event.player, self._due, models=rolling)
        if attacker is None or self.mode != "melee" or any(model is not None for model in rolling):
            return attacker, astray
        due = self._due(position)
        if due is None or attacker is due or attacker.side != due.side:
            return attacker, astray
        target = unit_called(position, event.target, OTHER[due.side])
        if fits_as_attacker(event, position, due, target) <= fits_as_attacker(event, position, attacker, target):
            return attacker, astray
        return due, (*astray, f"{event.attacker} is named, and all else in the event is that of {due.id}.")

    def _due(self, position: Position) -> Unit | None:
        """The unit whose attack is due."""
        return unit_assaulted(position) if self.role == "counter" else unit_acting(position)

    @cached_property
    def _at(self) -> _Target:
        """The unit attacked: the one named; where that is none, or of the attacker's side, or all else in the event is
        as if it were another, the one of the models that are picked.
        """
        position, event, attacker = self.position, self.event, self.attacker
        against = OTHER[attacker.side] if attacker is not None else None
        target = unit_called(position, event.target, against)
        aimed_at = self._picked()
        shown = unit_of_models(position, aimed_at)
        picked = shown is not None and (attacker is None or shown.side != attacker.side)
        nobody_left = target is None and not picked and is_gone(position, event.target, against)
        named = _Target(target, nobody_left)
        if event.target is None or nobody_left:
            return named
        if target is not None and (attacker is None or target.side != attacker.side):
            if attacker is None or shown is None or not picked:
                return named
            slip, either = self._is_a_slip(attacker, target, shown, aimed_at)
            if not slip:
                return named._replace(either=either)
        elif shown is None or shown is attacker or (target is not None and shown.side == target.side):
            return named
        text = f"{event.target} is named as the target, and the models picked are of {shown.id}."
        return _Target(shown, astray=(text,))

    def _picked(self) -> frozenset[str]:
        """The models picked as targets; where Damage cards are drawn instead, those that the cards stand for."""
        steps = self.event.steps or ()
        picked = frozenset(step.target_model for step in steps if step.target_model is not None)
        if not picked and any(step.damage_card for step in steps):
            return frozenset(one for one in self.position.table.with_damage_deck if one in self.position.unit_of)
        return picked

    def _is_a_slip(self, attacker: Unit, target: Unit, shown: Unit, picked: frozenset[str]) -> tuple[bool, Unit | None]:
        """Whether the attack is made on the unit of the models picked, of which the one named has none; and that unit where
        nothing tells."""
        event, position = self.event, self.position
        if shown is target or not picked <= set(shown.models):
            return False, None
        if self.role == "counter":
            act = position.act
            return act is not None and shown.hex in act.hexes and target.hex not in act.hexes, None
        melee = self.mode == "melee"
        fits = fits_as_target(event, position, attacker, shown, self.aim, melee=melee)
        fits_named = fits_as_target(event, position, attacker, target, self.aim, melee=melee)
        if fits != fits_named or len(picked) > 1:
            return fits >= fits_named, None
        answered = answers(position.recorded.events, event.seq) if melee else None
        return answered == shown.id, shown if answered not in (shown.id, target.id) else None

    @property
    def aim(self) -> tuple[Fraction, Fraction] | None:
        """The point aimed at, exact; None where none is stated, or no number."""
        los = self.event.los
        if self._aim is None and los is not None and los.aim is not None:
            q, r = exact(los.aim[0]), exact(los.aim[1])
            self._aim = (q, r) if q is not None and r is not None else None
        return self._aim

    # -- where ------------------------------------------------------------------------------------------------

    @property
    def shot(self) -> Shot:
        """The shot as a question of sight and distance; only between two hexes that are known."""
        if self._shot is None:
            position = self.position
            assert self.shooter_hex is not None and self.target_hex is not None
            self._shot = position.table.shot(self.shooter_hex, self.target_hex, position.occupied, position.sealed_mask)
        return self._shot

    def distance(self, hearing: Hearing) -> int | None:
        """Steps from shooter to target (CAL-DST-01); None without a way."""
        paths, tables = self.shot.lengths
        which = hearing.settle(DISTANCE.choice(tables, DISTANCE.always)) if len(paths) > 1 else 0
        assert which is not None
        path = paths[which]
        return None if path is None else len(path) - 1

    def way(self, hearing: Hearing) -> list[list[int]]:
        """A shortest way as evidence; asks nothing that counts."""
        if self.shooter_hex is None or self.target_hex is None:
            return []
        return [list(hex_) for hex_ in self.shot.path(hearing.options.__getitem__) or ()]

    @property
    def sure(self) -> Class | None:
        """The class of the shot where it is the same under all readings; else None."""
        if self._sure == "unknown":
            self._sure = self.shot.classify(_nobody_answers) if self.shot.is_sure else None
        return self._sure

    def sight(self, hearing: Hearing) -> Class:
        """clear | obscured | none."""
        sure = self.sure
        return sure if sure is not None else hearing.settle(self.shot.how_seen)

    def unasked_sight(self, hearing: Hearing) -> Class:
        """The class where nothing to be said hangs on it: asks nothing that counts."""
        kept, options = self._unasked, hearing.options
        if kept is None or kept[0] is not options:
            kept = self._unasked = options, self.sure or self.shot.classify(options.__getitem__)
        return kept[1]

    def unasked_distance(self, hearing: Hearing) -> int | None:
        """The distance where it is only mentioned: asks nothing that counts."""
        return self.shot.distance(hearing.options.__getitem__)

    def unseen(self, hearing: Hearing) -> bool:
        """Whether there is no line of sight at all; asks nothing that only tells clear from obscured."""
        return self.sure == "none" if self.sure is not None else hearing.settle(self.shot.how_seen.unseen)

    def within(self, limit: int, hearing: Hearing) -> bool:
        """Whether the target is at most so many steps away; asks only where the readings disagree about that."""
        return hearing.settle(self.shot.within(limit))

    def class_played(self, hearing: Hearing) -> str | None:
        """The class that the attack was played with: the claimed one, else the recomputed one."""
        if self.claimed_class is not None:
            return self.claimed_class
        found = self.sight(hearing)
        return found if found != "none" else None

    def aim_is_legal(self, hearing: Hearing) -> bool:
        aim = self.aim
        assert aim is not None
        return hearing.settle(self.shot.aimed(aim))

    def legal_aim(self, hearing: Hearing) -> list[str] | None:
        """A point that an obscured shot may be aimed at."""
        if self.shooter_hex is None or self.target_hex is None:
            return None
        found = hearing.settle(self.shot.legal_aim(self.position.table.barricades))
        return None if found is None else list(found)

    def barricade_dice(self, hearing: Hearing) -> tuple[int, ...] | None:
        """Bonus dice for a barricade by the true class, then by the class claimed; None where undecidable."""
        table = self.position.table
        if not table.barricades:
            return (0,)
        shot, claimed = self.shot, self.claimed_class
        if self.target_hex not in table.protected:
            return None if claimed is None and self.unseen(hearing) else (0,)
        los, seen = self.event.los, HowSeen(shot.stopped, shot.reached)
        return hearing.settle(
            BarricadeDice(
                seen,
                tuple(
                    [(c, shot.crossed(c, table.barricades, self.aim)) for c in _SEEN if c == claimed or seen.may_be(c)]
                ),
                claimed,
                los.bonuses.barricade if los is not None and los.bonuses is not None else None,
            )
        )

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
    def decided_by(self) -> OnTheLine:
        """What a wrong class is told by: what stops the centre line, or may under some reading, or, where nothing does,
        what may have been taken for a stop. The same under every reading, so that a wrong class is one fault.
        """
        if self._deciding is None:
            self._deciding = self._find_deciding()
        return self._deciding

    def _find_deciding(self) -> OnTheLine:
        position, table = self.position, self.position.table
        occupied, sealed, obstructions = position.occupied & ~self._ends, position.sealed_mask, table.obstruction_mask
        met = [(self._stopped_by(contact), contact) for contact in self._contacts()]
        for one in _DECIDING:
            for what, contact in met:
                if what is one and table.sight.stops(contact, occupied, sealed, obstructions):
                    return one
        if self._closed_beside():
            return OnTheLine.HEXSIDE
        return OnTheLine.SEEN_THROUGH if self.meets(OnTheLine.SEEN_THROUGH) else OnTheLine.INSIDE

    @property
    def _ends(self) -> int:
        bit = self.position.table.bit
        assert self.shooter_hex is not None and self.target_hex is not None
        return bit.get(self.shooter_hex, 0) | bit.get(self.target_hex, 0)

    def _stopped_by(self, contact: Contact) -> OnTheLine:
        """What of a contact stops the line."""
        if contact.how == "through":
            return OnTheLine.INSIDE
        if contact.how == "along":
            return OnTheLine.HEXSIDE
        if contact.how == "cross":
            on_obstruction = contact.edge in self.position.table.obstructions
            return OnTheLine.SEEN_THROUGH if on_obstruction else OnTheLine.INSIDE
        doors = self.position.sealed | self.position.table.obstructions
        return OnTheLine.DOOR_END if any(door in doors for door, _ in contact.spokes) else OnTheLine.CORNER

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

    @property
    def class_in_doubt(self) -> bool:
        """Whether the class of the shot is not claimed, or is or may be another than the one claimed."""
        claimed, sure = self.claimed_class, self.sure
        return claimed is None or sure is None or (sure != claimed and (sure != "none" or claimed != "obscured"))

    def meets(self, what: OnTheLine) -> bool:
        """Whether the centre line meets such a thing, whether or not it stops there."""
        return what in self.met

    @property
    def met(self) -> tuple[OnTheLine, ...]:
        """What the centre line meets, whether or not it stops there."""
        if self.shooter_hex is None or self.target_hex is None:
            return ()
        known = self.position.table.met
        ends = (self.shooter_hex, self.target_hex)
        found = known.get(ends)
        if found is None:
            if len(known) >= 50_000:
                known.clear()
            found = known[ends] = met_by(self.position.table, self._contacts())
        return found

    def what_stops(self, hearing: Hearing) -> str:
        """What stops the centre line, in words."""
        stop = self._stop(hearing)
        if stop is None:
            return "something stops its line"
        hexes = stop.get("hexes") or stop.get("edge") or []
        told = " and ".join(self.position.at((q, r)) for q, r in hexes)
        if stop["how"] == "through":
            what = "blocked or occupied" if len(hexes) == 1 else "closed"
            return f"its line passes through {told}, which is {what}"
        if stop["how"] == "along":
            return f"its line runs along the hexside of {told}, both closed"
        if stop["how"] == "corner":
            return f"its line touches a corner of {told}"
        what = "an obstruction" if self._is_obstruction(stop) else "a sealed door"
        return f"{what} between {told} stops its line"
