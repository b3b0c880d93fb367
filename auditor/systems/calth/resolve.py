"""What the rules make of an event in a position: whose turn, licences, dice due, distance, sight, pool, casualties.

`resolve` is pure and refuses nothing. Most of what it finds is worked out only when a rule asks for it, because most
rules have little to ask of most events; whatever hangs on a reading is worked out anew at each asking, so that no
remembered answer swallows a question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import msgspec

from auditor.core.findings import Figure, total
from auditor.core.rulings import Hearing
from auditor.geometry.hexes import Hex, side
from auditor.geometry.lines import Contact
from auditor.systems.calth import records
from auditor.systems.calth.arms import Arms
from auditor.systems.calth.packs import DamageCard, Model
from auditor.systems.calth.records import exact, faces
from auditor.systems.calth.rules.dice import crits, early, hits, late, rerolled, with_rerolls
from auditor.systems.calth.rules.weapons import CANNON_FACES, DESTROYING_FACE, OVERHEAT_FACE
from auditor.systems.calth.sight import Class, Shot
from auditor.systems.calth.state import OTHER, SIDES, Position, Table, Unit, side_key

RESTRICTED_RANGE = 3
ARMOUR_EFFECTS = ("CAL-CRT-05", "CAL-CRT-09", "CAL-CRT-13")


class View:
    """An event in its position. Attributes that a kind of event does not have are None."""

    __slots__ = (
        "actor",
        "cause",
        "echo",
        "event",
        "late",
        "licence",
        "licensed_draw",
        "phase",
        "position",
        "round",
        "side_due",
    )

    def __init__(self, event: Any, position: Position) -> None:
        self.event = event
        self.position = position
        self.actor: Unit | None = None
        self.cause: str | None = None
        self.licence: str = "part"
        self.phase: str = position.phase
        self.round: int = position.round
        self.late: str | None = None
        self.side_due: str | None = None
        self.licensed_draw = False
        self.echo = False

    def __eq__(self, other: object) -> bool:
        # Resolving asks no reading here, so the same event is resolved alike whatever the options.
        return isinstance(other, View) and self.event is other.event

    __hash__ = None  # type: ignore[assignment]

    @property
    def subject(self) -> tuple[str, ...]:
        """What the event names that rules go by."""
        return () if self.cause is None else (self.cause,)

    @property
    def differences(self) -> list[str]:
        """What a stated position changes, in sentences."""
        return stated_differences(self.event, self.position)

    def destroyed(self, label: str) -> bool:
        """Whether the unit of that label has lost all its models."""
        return label in self.position.gone and label not in self.position.units

    def explains(self, model: str) -> bool:
        """Whether something before removes this model."""
        return model in self.position.casualties or model in self.position.removed

    def tps_after(self, label: str) -> int | None:
        """TPs that the unit has after this event by the rules; None where that is another rule's business."""
        unit = self.position.units.get(label)
        kind = type(self.event).__name__
        if unit is None or kind in (
            "Activate",
            "TpRefresh",
            "MoveModels",
            "LastStand",
            "TpLoss",
            "Position",
            "CardPlay",
        ):
            return None
        if kind == "Attack":
            return None if self.event.attacker == label or self.event.target == label else unit.tp
        if kind == "MoveUnit" and self.event.unit == label:
            return None if self.cause == "move_in" else unit.tp
        return unit.tp


def _floating(event: Any, position: Position) -> View:
    """Events that may stand between any others; what they state of the moment is taken as it is."""
    view = View(event, position)
    if event.phase is not None:
        view.phase = event.phase
    if event.round is not None and event.round in (position.round, position.round + 1):
        view.round = event.round
    return view


def _plain(event: Any, position: Position) -> View:
    return View(event, position)


def _place(event: Any, position: Position) -> View:
    return _floating(event, position)


def _initiative(event: Any, position: Position) -> View:
    view = View(event, position)
    view.phase = "initiative"
    if position.phase == "action" and (position.rolled or position.last_side is not None):
        view.round = position.round + 1
    elif position.phase == "ready" or (position.phase == "action" and not position.rolled):
        if position.rolled:
            view.late = f"The initiative of round {position.round} was decided a second time."
        else:
            view.late = f"The initiative of round {position.round} was decided after the ready phase had begun."
        view.phase = event.phase or view.phase
    return view


def _card_draw(event: Any, position: Position) -> View:
    view = View(event, position)
    view.licensed_draw = (
        position.phase == "action" and bool(position.drawn.get(event.player, 0)) and (position.draws_allowed > 0)
    )
    if event.override is not None or view.licensed_draw:
        return _floating(event, position)
    view.phase = "ready"
    if position.phase == "initiative" and not position.rolled:
        view.phase = event.phase or "ready"
    elif position.phase == "action":
        view.phase = event.phase or "ready"
        if not position.drawn.get(event.player, 0):
            view.late = "A Command card of the ready phase was drawn after the actions had begun."
    elif position.phase == "setup":
        view.phase = event.phase or "setup"
    return view


def _tp_refresh(event: Any, position: Position) -> View:
    view = View(event, position)
    view.phase = "ready"
    if position.phase == "initiative" and not position.rolled:
        view.phase = event.phase or "ready"
    elif position.phase == "action":
        view.phase = event.phase or "ready"
        view.late = "Units were given their TPs after the actions had begun."
    return view


def _activate(event: Any, position: Position) -> View:
    view = View(event, position)
    view.phase = "action"
    unit = position.units.get(event.unit) if event.unit is not None else None
    view.actor = unit
    view.side_due = position.side_to_act()
    if position.phase == "initiative" and not position.rolled:
        view.phase = event.phase or "action"
    return view


def _pass(event: Any, position: Position) -> View:
    view = View(event, position)
    view.phase = "action" if position.phase == "ready" else position.phase
    return view


def acting_unit(position: Position, label: str | None, start: Hex | None, side: str | None) -> Unit | None:
    """The unit that a label means; where nobody bears it, the one that stands where the act starts."""
    unit = position.units.get(label) if label is not None else None
    if unit is None and start is not None and label not in position.gone:
        unit = position.by_hex.get(start)
        if unit is not None and side is not None and unit.side != side:
            unit = None
    return unit


def _licence(view: View, unit: Unit | None, action: str, done: bool) -> None:
    """Whether the open activation allows this action: activation | second | other | none."""
    act = view.position.act
    if act is None or unit is None or unit.side != act.side or unit.hex != act.hex:
        view.licence = "none" if unit is not None else "part"
        return
    if act.action == action:
        view.licence = "second" if done else "activation"
    elif act.moved or act.attacked:
        view.licence = "second"
    else:
        view.licence = "other"


def _move_unit(event: Any, position: Position) -> View:
    view = View(event, position)
    view.phase = "action" if position.phase != "setup" else "setup"
    act = position.act
    unit = acting_unit(position, event.unit, event.path[0] if event.path else None, event.player)
    view.actor = unit
    cause = event.cause
    if cause is None and act is not None:
        if act.action in ("advance", "run"):
            cause = act.action
        elif act.action == "assault":
            cause = "move_in" if act.attacked else "assault_pre"
    view.cause = cause
    if cause in ("advance", "run"):
        _licence(view, unit, cause, act is not None and act.moved)
    elif cause == "assault_pre":
        _licence(view, unit, "assault", act is not None and (act.premoved or act.attacked))
    elif cause == "scenario":
        return _with_actor(_floating(event, position), unit, cause)
    return view


def _with_actor(view: View, unit: Unit | None, cause: str | None) -> View:
    view.actor = unit
    view.cause = cause
    return view


def _move_models(event: Any, position: Position) -> View:
    view = View(event, position)
    view.phase = "action"
    unit = position.units.get(event.unit) if event.unit is not None else None
    if unit is None and event.unit not in position.gone:
        models = [m.model for m in event.moves or () if m.model in position.unit_of]
        unit = position.unit_of[models[0]] if models else None
    view.actor = unit
    act = position.act
    cause = event.cause
    if cause is None and act is not None:
        cause = "consolidate" if act.action == "consolidate" else "retreat"
    view.cause = cause
    if cause == "consolidate":
        _licence(view, unit, "consolidate", act is not None and act.moved)
    return view


def _last_stand(event: Any, position: Position) -> View:
    view = View(event, position)
    view.phase = "action"
    act = position.act
    unit = position.units.get(event.unit) if event.unit is not None else None
    if unit is None and act is not None and act.target_hex is not None:
        unit = position.by_hex.get(act.target_hex)
    if unit is None:
        rolled = [m for m in event.models or () if m in position.unit_of]
        unit = position.unit_of[rolled[0]] if rolled else None
    view.actor = unit
    return view


def _in_action(event: Any, position: Position) -> View:
    view = View(event, position)
    view.phase = "action"
    unit = getattr(event, "unit", None)
    view.actor = position.units.get(unit) if unit is not None else None
    return view


def _tp_loss(event: Any, position: Position) -> View:
    view = _floating(event, position)
    act = position.act
    view.echo = event.cause == "crit" and act is not None and event.unit in act.suppressed
    return view


def _round_end(event: Any, position: Position) -> View:
    view = View(event, position)
    view.phase = position.phase if position.phase == "action" else event.phase or position.phase
    return view


def _over(event: Any, position: Position) -> View:
    return _floating(event, position)


def _attack(event: Any, position: Position) -> AttackView:
    return AttackView(event, position)


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


class AttackView(View):
    """An attack: the units as they stand, and what is due at every step of it."""

    __slots__ = (
        "_arms",
        "_before_effect",
        "_deciding",
        "_final",
        "_shot",
        "added",
        "aim",
        "attacker",
        "attacker_models",
        "claimed_class",
        "crits",
        "effect",
        "first_with_added",
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
            _licence(self, self.attacker, "assault", act is not None and act.attacked)
        elif role == "shoot":
            _licence(self, self.attacker, "shoot", act is not None and act.attacked)
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
        self._arms: Arms | None = None
        self._deciding: str | None = None
        self._roll()

    @property
    def subject(self) -> tuple[str, ...]:
        shown = "critical shown" if "C" in (faces(self.event.roll) or "") else None
        crit = "crit" if self.crits else None
        return tuple([one for one in (self.mode, self.role, self.effect, crit, shown) if one is not None])

    # -- the attack roll --------------------------------------------------------------------------------------

    def _roll(self) -> None:
        """The faces before an effect, and as they finally lie."""
        event = self.event
        self.crits = crits(event) if event.crit is not None else []
        self.effect = None
        weapon = self.position.table.weapons.get(self.crits[0].weapon) if self.crits else None
        if weapon is not None:
            self.effect = weapon.crit
        roll = faces(event.roll)
        self.added = ""
        self._before_effect = self._final = self.first_with_added = None
        if roll is None:
            return
        if not self.crits and event.vexilla is None and not event.rerolls:
            self._before_effect = self._final = self.first_with_added = roll
            return
        self._before_effect = with_rerolls(roll, early(event))
        lying = self._before_effect
        first = roll
        for crit in self.crits:
            lying = with_rerolls(lying, crit.passes or ())
            added = faces(crit.added) or ""
            self.added += added
            lying += added
            first += added
        self.first_with_added = first
        self._final = with_rerolls(lying, late(event))

    @property
    def before_effect(self) -> str | None:
        """The attack roll when an effect is chosen: re-rolls of the vexilla made, nothing added."""
        return self._before_effect

    @property
    def final(self) -> str | None:
        """The attack roll as it finally lies."""
        return self._final

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

    # -- dice -------------------------------------------------------------------------------------------------

    @property
    def arms(self) -> Arms:
        """What the attacking unit carries."""
        if self._arms is None:
            self._arms = self.position.table.arms(self.attacker_models, self.position.destroyed)
        return self._arms

    def bearers(self, wargear: str) -> list[str]:
        """Models of the attacking unit that carry a piece of wargear."""
        return self.arms.bearers(wargear)

    @property
    def all_carried(self) -> list[tuple[str, str]]:
        """Every weapon of the attacking unit that is not destroyed."""
        return self.arms.carried

    @property
    def carried_ranged(self) -> list[tuple[str, str]]:
        """Ranged weapons that could shoot in this attack, whatever the distance."""
        return self.arms.flamers if self.follow_up else self.arms.ranged

    @property
    def one_weapon_each(self) -> bool:
        """Whether no model carries two of the weapons that could shoot."""
        carried = self.carried_ranged
        return len({m for m, _ in carried}) == len(carried)

    def restricted(self) -> list[tuple[str, str]]:
        """Weapons of the unit that reach 3 hexes only."""
        known = self.position.table.weapons
        return [(m, w) for m, w in self.carried_ranged if known[w].range_limit is not None]

    def took_part(self, entry: tuple[str, str], hearing: Hearing) -> bool:
        """Whether a weapon gave dice to a ranged attack, or could have: it reaches, and it is counted or may be."""
        if entry not in self.in_reach(hearing):
            return False
        return entry in [(m, w) for m, w in self.event.weapons or ()] or entry in self.usable(hearing)

    def in_reach(self, hearing: Hearing) -> list[tuple[str, str]]:
        """The ranged weapons that reach the target."""
        known = self.position.table.weapons
        carried = self.carried_ranged
        limits = {limit for _, w in carried if (limit := known[w].range_limit) is not None}
        if not limits or self.shooter_hex is None or self.target_hex is None:
            return carried
        reached = {limit for limit in sorted(limits) if self.within(limit, hearing)}
        return [(m, w) for m, w in carried if (limit := known[w].range_limit) is None or limit in reached]

    def usable(self, hearing: Hearing) -> list[tuple[str, str]]:
        """The weapons that give dice to a ranged attack."""
        found = self.in_reach(hearing)
        armed = [m for m, _ in found]
        if len(set(armed)) == len(armed) or hearing.ask("R-ATK-MULTI") == "all":
            return found
        listed = [(m, w) for m, w in self.event.weapons or ()]
        chosen: list[tuple[str, str]] = []
        for model in dict.fromkeys(armed):
            own = [entry for entry in found if entry[0] == model]
            chosen.append(next((entry for entry in own if entry in listed), own[0]))
        return chosen

    def wrong_weapons(self, hearing: Hearing) -> bool:
        """Whether the list of weapons counted is itself at fault."""
        if self.mode != "ranged" or self.event.weapons is None:
            return False
        return sorted((m, w) for m, w in self.event.weapons) != sorted(self.usable(hearing))

    def weapon_dice(self, hearing: Hearing) -> Figure | None:
        """Dice that weapons give: Shoot values, or Assault bonuses in melee."""
        if self.attacker is None:
            return None
        if self.mode == "melee":
            return self.arms.melee
        listed = self.event.weapons
        return self.arms.shooting(listed if listed is not None else self.usable(hearing))

    def harness_dice(self, hearing: Hearing) -> Figure | None:
        """Dice of grenade harnesses in a melee attack; None where the target is unknown."""
        bearers = self.bearers("grenade_harness")
        if not bearers or self.mode != "melee":
            return Figure("dice of the grenade harness", 0)
        if self.target is None:
            return None
        each = len(self.target_models)
        if self.role == "counter" and hearing.ask("R-ASL-HARNESS") == "action_only":
            return Figure("dice of the grenade harness", 0)
        times = 1
        if len(bearers) > 1 and hearing.ask("R-HAR-STACK") == "each":
            times = len(bearers)
        parts = tuple(("models in the target unit", each) for _ in range(times))
        return Figure("dice of the grenade harness", each * times, parts)

    def dice_parts(self, hearing: Hearing) -> dict[str, int]:
        """The number of attack dice, part by part, under the log's names."""
        weapons = self.weapon_dice(hearing)
        parts = {"models": 0, "weapons": int(weapons.value) if weapons is not None else 0, "pistols": 0, "harness": 0}
        if self.mode == "melee":
            parts["models"] = self.arms.assault
            parts["pistols"] = self._pistols(hearing)
            harness = self.harness_dice(hearing)
            parts["harness"] = int(harness.value) if harness is not None else 0
        return parts

    def _pistols(self, hearing: Hearing) -> int:
        numbers = self.arms.pistols
        if any(n > 1 for n in numbers) and hearing.ask("R-PIS-TWO") == "each":
            return sum(numbers)
        return sum(1 for n in numbers if n)

    def dice_due(self, hearing: Hearing) -> Figure | None:
        """The attack dice due, with their parts."""
        if self.attacker is None or self.mode is None:
            return None
        if self.mode == "ranged":
            weapons = self.weapon_dice(hearing)
            assert weapons is not None
            return Figure("attack dice", weapons.value, weapons.parts)
        harness = self.harness_dice(hearing)
        if harness is None:
            return None
        return self.arms.in_melee(self._pistols(hearing), int(harness.value), self._card_dice("dice"))

    def _card_dice(self, name: str) -> int:
        """Dice that an override on the event gives by a machine-readable effect."""
        if self.event.override is None:
            return 0
        from auditor.systems.calth.rules.setup import override_named

        known = override_named(self.position, self.event)
        value = getattr(known.effect, name) if known is not None and known.effect is not None else None
        return int(value or 0)

    def dice_allowed(self, hearing: Hearing) -> set[int]:
        """Numbers of attack dice that are no fault of their own: by the weapons counted, and by those usable."""
        due = self.dice_due(hearing)
        if due is None:
            return set()
        allowed = {int(due.value)}
        if self.mode == "ranged":
            known = self.position.table.weapons
            if self.wrong_weapons(hearing):
                allowed.add(sum(known[w].shoot for _, w in self.usable(hearing)))
            extra = self._card_dice("dice")
            if extra:
                allowed = {n + extra for n in allowed}
        return allowed

    def allows_dice(self, number: int, hearing: Hearing) -> bool:
        """Whether so many attack dice are no fault of their own."""
        due = self.dice_due(hearing)
        if due is not None and number == due.value and self.event.override is None:
            return True
        return number in self.dice_allowed(hearing)

    def has_dice(self, hearing: Hearing) -> bool:
        """Whether some weapon that can really shoot gives a die."""
        known = self.position.table.weapons
        if self.one_weapon_each and any(
            known[w].range_limit is None and known[w].shoot for _, w in self.carried_ranged
        ):
            return True
        return self.usable_dice(hearing) > 0

    def usable_dice(self, hearing: Hearing) -> int:
        """Dice of the weapons that can really shoot."""
        known = self.position.table.weapons
        return sum(known[w].shoot for _, w in self.usable(hearing))

    # -- passes -----------------------------------------------------------------------------------------------

    @property
    def target_is_only_sor(self) -> bool:
        return self.target_is_sor and len(self.target_models) == 1

    def location(self, number: int) -> DamageCard | None:
        """The location that a pass was aimed at, where the target is Sor Gharax."""
        card = self.event.steps[number].damage_card
        if card is None or not self.target_is_sor:
            return None
        card_id = card if isinstance(card, str) else card.card
        return self.position.table.locations.get(card_id) if card_id is not None else None

    def is_location(self, number: int) -> bool:
        return self.target_is_sor and self.event.steps[number].damage_card is not None

    def _aimed_at(self, number: int) -> Model | DamageCard | None:
        location = self.location(number)
        if location is not None:
            return location
        if self.is_location(number):
            return None
        model = self.event.steps[number].target_model
        return self.position.table.models.get(model) if model is not None else None

    def _melts(self, hearing: Hearing) -> bool:
        """Whether the target is within the range of a melta's effect."""
        weapon = self.position.table.weapons[self.crits[0].weapon]
        if weapon.crit_range is None or self.shooter_hex is None or self.target_hex is None:
            return True
        return self.within(weapon.crit_range, hearing)

    def _under_effect(self, armour: int, hearing: Hearing) -> Figure:
        """The Armour of the first target under the effect."""
        if self.effect == "CAL-CRT-09" or (self.effect == "CAL-CRT-05" and self._melts(hearing)):
            return Figure("Armour", 0, (("counts as", 0),))
        if self.effect == "CAL-CRT-13":
            half = armour // 2
            if armour % 2 and hearing.ask("R-SWD-ROUND") == "up":
                half += 1
            return Figure("Armour", half, ((f"half of {armour}", half),))
        return Figure("Armour", armour)

    def armour_due(self, number: int, hearing: Hearing) -> Figure | None:
        """The Armour that the target of a pass rolls with."""
        target = self._aimed_at(number)
        if target is None:
            return None
        if number == 0 and self.effect in ARMOUR_EFFECTS:
            return self._under_effect(target.armour, hearing)
        return Figure("Armour", target.armour)

    def armour_rule(self, number: int, hearing: Hearing) -> str | None:
        """The rule of an effect that a wrong Armour is told under; None: CAL-ATK-05."""
        if self.effect not in ARMOUR_EFFECTS:
            return None
        if number == 0:
            return self.effect
        target, step = self._aimed_at(number), self.event.steps[number]
        if target is None or step.armour_used is None:
            return None
        if step.armour_used != self._under_effect(target.armour, hearing).value:
            return None
        return "CAL-CRT-14" if self.effect == "CAL-CRT-13" else self.effect

    def stamina_due(self, number: int, hearing: Hearing) -> Figure | None:
        """The Stamina against which hits are allocated in a pass."""
        target = self._aimed_at(number)
        if target is None:
            return None
        if number == 0 and self.effect == "CAL-CRT-12":
            return Figure("Stamina", 1, (("counts as", 1),))
        return Figure("Stamina", target.stamina)

    def stamina_rule(self, number: int, hearing: Hearing) -> str | None:
        """The rule of an effect that a wrong Stamina is told under; None: CAL-ATK-06."""
        if self.effect != "CAL-CRT-12":
            return None
        if number == 0:
            return self.effect
        return "CAL-CRT-14" if self.event.steps[number].stamina_used == 1 else None

    def bonuses(self, hearing: Hearing) -> dict[str, int] | None:
        """Defence dice for obscured, rubble, barricade: as claimed where claimed, else recomputed."""
        if self.mode != "ranged":
            return {"obscured": 0, "rubble": 0, "barricade": 0}
        if self.shooter_hex is None or self.target_hex is None:
            return None
        claimed = self.event.los.bonuses if self.event.los is not None else None
        found: dict[str, int] = {}
        if claimed is not None and claimed.obscured is not None:
            found["obscured"] = claimed.obscured
        else:
            class_ = self.class_played(hearing)
            if class_ is None:
                return None
            found["obscured"] = 2 if class_ == "obscured" else 0
        if claimed is not None and claimed.rubble is not None:
            found["rubble"] = claimed.rubble
        else:
            found["rubble"] = 1 if self.target_hex in self.position.table.rubble else 0
        if claimed is not None and claimed.barricade is not None:
            found["barricade"] = claimed.barricade
        else:
            dice = self.barricade_dice(hearing)
            if dice is None:
                return None
            found["barricade"] = dice[0]
        return found

    def bonus_due(self, number: int, hearing: Hearing) -> Figure | None:
        """The bonus dice of the defence roll of a pass."""
        bonuses = self.bonuses(hearing)
        if bonuses is None:
            return None
        parts = tuple((name, n) for name, n in bonuses.items() if n)
        extra = self._card_dice("defence_dice")
        if len(parts) > 1 and hearing.ask("R-DEF-STACK") == "highest":
            parts = (max(parts, key=lambda part: part[1]),)
        if extra:
            parts = (*parts, ("card", extra))
        if parts and number == 0 and self.effect in ("CAL-CRT-05", "CAL-CRT-09"):
            armour = self.armour_due(0, hearing)
            if armour is not None and armour.value == 0 and armour.parts:
                if hearing.ask("R-ARM0-BONUS") == "no_dice":
                    return Figure("bonus dice", 0, (("Armour counts as 0", 0),))
        return total("bonus dice", parts)

    def pool_played(self) -> int | None:
        """The pool with which the passes begin: as claimed, else as the faces make it."""
        if self.event.pool is not None:
            return int(self.event.pool)
        return hits(self.final) if self.final is not None else None

    def pool_before(self, number: int, hearing: Hearing) -> int | None:
        """The pool when a pass begins."""
        return self.pool_played() if number == 0 else self.pool_after(number - 1, hearing)

    def pool_shielded(self, number: int, hearing: Hearing) -> int | None:
        """The pool after the shields of a pass."""
        step = self.event.steps[number]
        if step.pool_after_shields is not None:
            return int(step.pool_after_shields)
        pool = self.pool_before(number, hearing)
        shown = faces(step.faces)
        shields = step.shields
        if shields is None and shown is not None:
            shields = rerolled(shown, step).count("S")
        if shields is None:
            armour, bonus = self.armour_due(number, hearing), self.bonus_due(number, hearing)
            if armour is None or bonus is None or int(armour.value) + int(bonus.value):
                return None
            shields = 0
        return None if pool is None else max(0, pool - shields)

    def casualty(self, number: int, hearing: Hearing) -> bool:
        """Whether the target of a pass is removed: as claimed, else as recomputed."""
        step = self.event.steps[number]
        if step.casualty is not None:
            return bool(step.casualty)
        return self._dies(number, hearing)

    def _dies(self, number: int, hearing: Hearing) -> bool:
        step = self.event.steps[number]
        pool = self.pool_shielded(number, hearing)
        stamina = self.stamina_due(number, hearing)
        used = step.stamina_used if step.stamina_used is not None else (stamina.value if stamina is not None else None)
        return pool is not None and used is not None and pool > 0 and pool >= int(used)

    def pool_after(self, number: int, hearing: Hearing) -> int | None:
        """The pool when a pass is over."""
        step = self.event.steps[number]
        if step.pool_left is not None:
            return int(step.pool_left)
        if not self.casualty(number, hearing):
            return 0
        pool, stamina = self.pool_shielded(number, hearing), self.stamina_due(number, hearing)
        used = step.stamina_used if step.stamina_used is not None else (stamina.value if stamina is not None else None)
        return None if pool is None or used is None else max(0, pool - int(used))

    def target_gone(self, hearing: Hearing) -> bool:
        """Whether Sor Gharax is removed by the locations destroyed in this attack."""
        most = self.position.table.removed_at
        if not self.target_is_sor:
            return False
        if most is None:
            return True  # when it is removed only the log says
        return self.cards_after(hearing) >= most

    def cards_after(self, hearing: Hearing) -> int:
        """Cards that lie on Sor Gharax after this attack."""
        staying = set(self.position.damage_on_model)
        for number in range(len(self.event.steps or ())):
            location = self.location(number)
            if location is not None and location.stays_on_model and self.casualty(number, hearing):
                staying.add(location.id)
        return len(staying)

    # -- what effects do to their own side --------------------------------------------------------------------

    def cannons(self) -> list[str]:
        """Models that shoot an assault cannon in this attack."""
        if self.mode != "ranged":
            return []
        listed = self.event.weapons
        cannons = [m for m, w in self.carried_ranged if w == "assault_cannon"]
        return [m for m in cannons if listed is None or (m, "assault_cannon") in [(n, w) for n, w in listed]]

    def doomed(self, hearing: Hearing, *, without_effect: bool = False) -> bool | None:
        """Whether this attack destroys the assault cannon of its effect, or `without_effect` any other that it used; None
        where faces are missing."""
        final = self.final
        if final is None:
            return None
        triggered = self.effect == "CAL-CRT-06"
        shown = {face: final.count(face) for face in "CHB"}
        ever = dict(shown)
        if triggered:
            for entry in self.crits[0].passes or ():
                for face in self._rolled_over(entry):
                    if face in ever:
                        ever[face] += 1
        if not any(n >= 4 for n in ever.values()):
            return False
        if (without_effect or not triggered) and hearing.ask("R-CANNON-WHEN") == "if_triggered":
            return False
        face = DESTROYING_FACE[hearing.ask("R-GLY-CANNON-MAX")]
        if (ever[face] >= 4) != (shown[face] >= 4) and hearing.ask("R-CANNON-COUNT") == "ever_shown":
            return True
        return shown[face] >= 4

    def _rolled_over(self, wanted: Any) -> str:
        """The faces that a pass of re-rolls replaced."""
        lying = list(self.before_effect or "")
        for entry in self.crits[0].passes or ():
            indices, new = entry.indices or [], faces(entry.faces) or ""
            old = "".join(lying[i] for i in indices if 0 <= i < len(lying))
            if entry is wanted:
                return old
            for index, face in zip(indices, new, strict=False):
                if 0 <= index < len(lying):
                    lying[index] = face
        return ""

    def destruction_told(self) -> bool | None:
        """Whether the log marks the assault cannon as destroyed; None where it says nothing."""
        if self.effect == "CAL-CRT-06":
            told = self.crits[0].weapon_destroyed
            return None if told is None else bool(told)
        return None

    def overheats(self, hearing: Hearing) -> bool:
        """Whether the plasma weapon overheats with the dice added."""
        shown = faces(self.crits[0].added) or ""
        by_option = {option: shown.count(face) >= 2 for option, face in OVERHEAT_FACE.items()}
        if len(set(by_option.values())) == 1:
            return by_option["critical"]
        return by_option[hearing.ask("R-GLY-PLASMA")]

    def overheat_told(self) -> str | None:
        """The model that the log removes for overheating, "" for nobody, None where it says nothing."""
        told = self.crits[0].self_casualty
        if told is msgspec.UNSET:
            return None
        return told or ""

    # -- what is missing --------------------------------------------------------------------------------------

    def lacking(self, hearing: Hearing) -> list[tuple[str, str]]:
        """Facts that this attack does not state, each with the rule that needs it most."""
        event = self.event
        found: list[tuple[str, str]] = []
        if event.attacker is None:
            found.append(("CAL-ATK-01" if self.mode == "melee" else "CAL-ATK-02", "the attacking unit"))
        if event.target is None:
            found.append(("CAL-ASL-01" if self.mode == "melee" else "CAL-SHT-01", "the target"))
        if self.mode is None:
            found.append(("CAL-ATK-10", "the kind of attack"))
        if event.roll is None:
            found.append(("CAL-DIE-01", "the faces of the attack roll"))
        roll = self.before_effect
        if event.crit is None and roll is not None and "C" in roll and self.claimed_class != "obscured":
            found.append(("CAL-CRT-01", "whether a critical effect was used"))
        pool = self.pool_played()
        if event.steps is None:
            if self.target is not None and (pool is None or pool > 0):
                found.append(("CAL-ATK-07", "the defence rolls"))
            return found
        for number, step in enumerate(event.steps):
            if step.target_model is None and not self.target_is_sor and len(self.target_models) > 1:
                found.append(("CAL-ATK-04", f"the target model of pass {number + 1}"))
            if step.faces is None:
                armour, bonus = self.armour_due(number, hearing), self.bonus_due(number, hearing)
                if armour is None or bonus is None or int(armour.value) + int(bonus.value) > 0:
                    found.append(("CAL-ATK-05", f"the faces of defence roll {number + 1}"))
        return found


def stated_differences(event: Any, position: Position) -> list[str]:
    """Where a stated position differs from the replayed one, in sentences."""
    told: list[str] = []
    stated: dict[str, tuple[Any, int | None]] = {}
    for entry in event.units or ():
        for model in entry.models or ():
            stated[model] = (entry.hex, entry.tp)
    if event.units is not None:
        for model, unit in position.unit_of.items():
            if model not in stated:
                told.append(f"{model} stood at {unit.hex[0]},{unit.hex[1]} and is not in the stated position.")
            else:
                hex_, tp = stated[model]
                if hex_ is not None and hex_ != unit.hex:
                    told.append(
                        f"{model} is stated at {hex_[0]},{hex_[1]}; by the record so far it stands at {unit.hex[0]},{unit.hex[1]}."
                    )
                elif tp is not None and tp != unit.tp and model == unit.models[0]:
                    told.append(f"{unit.id} is stated with {tp} TPs; by the record so far it has {unit.tp}.")
        for model in stated:
            if model not in position.unit_of:
                told.append(f"{model} is stated on the board; by the record so far it is not there.")
    for entry in event.doors or ():
        if entry.edge is not None and entry.state is not None:
            door = side_key(*entry.edge)
            if (entry.state == "sealed") != (door in position.sealed):
                told.append(
                    f"The door {door[0][0]},{door[0][1]} | {door[1][0]},{door[1][1]} is stated as {entry.state}; by the record so far it is not."
                )
    if event.initiative is not None and event.initiative != position.initiative:
        told.append(
            f"The initiative is stated for {event.initiative}; by the record so far {position.initiative or 'nobody'} has it."
        )
    return told


def topics(event: Any, view: View) -> tuple[str, ...]:
    """What an event is about, for `Rule.when`: what it names, and what is out of the ordinary about it.

    opening            nothing has been adopted before it
    override           it says that something changed the rules
    tps                it states TPs
    misdated           its round or phase is not the one that it belongs to, or it comes too late
    before actions     the actions of the round have not begun
    during an Assault  an Assault is open
    For moves their cause; for attacks mode, role and effect, `crit` where one was triggered, `critical shown`.
    """
    position, act = view.position, view.position.act
    if (
        position.phase == "action"
        and position.started
        and event.override is None
        and not event.tp
        and (act is None or act.action != "assault")
        and (event.phase is None or event.phase == view.phase)
        and (event.round is None or event.round == view.round)
        and view.late is None
    ):
        return view.subject
    found = list(view.subject)
    if not position.started:
        found.append("opening")
    if event.override is not None:
        found.append("override")
    if event.tp:
        found.append("tps")
    if (
        (event.phase is not None and event.phase != view.phase)
        or (event.round is not None and event.round != view.round)
        or view.late is not None
    ):
        found.append("misdated")
    if position.phase != "action":
        found.append("before actions")
    if act is not None and act.action == "assault":
        found.append("during an Assault")
    return tuple(found)


RESOLVERS: Mapping[type, Callable[[Any, Position], View]] = {
    records.GameStart: _over,
    records.Position: _over,
    records.Place: _place,
    records.Initiative: _initiative,
    records.CardDraw: _card_draw,
    records.CardPlay: _floating,
    records.TpRefresh: _tp_refresh,
    records.Activate: _activate,
    records.Pass: _pass,
    records.MoveUnit: _move_unit,
    records.MoveModels: _move_models,
    records.Attack: _attack,
    records.Counter: _in_action,
    records.Retreat: _in_action,
    records.LastStand: _last_stand,
    records.TpLoss: _tp_loss,
    records.Door: _floating,
    records.WeaponDestroyed: _floating,
    records.DamageCard: _floating,
    records.UnitRemoved: _floating,
    records.ModelRemoved: _floating,
    records.RoundEnd: _round_end,
    records.ScenarioEnd: _over,
    records.CampaignEnd: _over,
    records.Judge: _over,
    records.End: _over,
}


def resolve(event: Any, position: Position, hearing: Hearing) -> View:
    """What the rules make of an event in a position."""
    return RESOLVERS[type(event)](event, position)


__all__ = ["CANNON_FACES", "OTHER", "RESOLVERS", "SIDES", "AttackView", "Fraction", "View", "resolve"]
