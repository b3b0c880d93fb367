"""An independent replay of a log: every place where it departs from the rules, in the catalogue's rule ids.

`check` reads the same logs as the auditor and was written without looking at it. It knows one set
of readings at a time, has no notion of scopes, drawings or causes, and keeps quiet where a fact is
missing. What it does say should be what the auditor says.
"""

from __future__ import annotations

from collections.abc import Sequence

from auditor.conformance.calth import referee as rules
from auditor.conformance.calth.adoption import apply
from auditor.conformance.calth.attacks import Attacks
from auditor.conformance.calth.bench import CLOSING, Activation, Disagreement, Found
from auditor.conformance.calth.board import as_hex
from auditor.conformance.calth.claims import Claims
from auditor.conformance.calth.facts import AS_THEY_STAND, UNREADABLE, read
from auditor.conformance.calth.moves import Moves
from auditor.conformance.calth.packs import Packs
from auditor.conformance.calth.position import Event, step_card
from auditor.conformance.calth.rounds import Rounds
from auditor.conformance.calth.set_ups import judged_as_meant
from auditor.conformance.calth.tables import (
    CANNON,
    FOLLOW_UP,
    Readings,
    option,
    other,
)

__all__ = ["Disagreement", "Replay", "check"]

SHOWS_SOMETHING = ("move_unit", "move_models", "attack", "judge")
OF_THE_ACTIONS = ("activate", "pass", "move_unit", "move_models", "attack", "counter", "retreat", "last_stand")


class Replay(Rounds, Moves, Attacks, Claims):
    """One pass over a log."""

    def event(self, event: Event) -> Found:
        """Judge one event and then take it over."""
        self.seq = event.get("seq", self.seq + 1)
        settled = event.get("position") if event.get("type") == "judge" else None
        if isinstance(settled, dict):
            # What a judge states is adopted and accuses nobody.
            event = {**settled, "type": "position"}
        event, missing = read(event)
        name = event["type"]
        # A door may move at any time; what ends the set-up is the first step of a round.
        if name not in ("place", "game_start", "position", "door") and not self.set_up_checked:
            self.set_up_checked = True
            yield from self.set_up_is_complete()
        if name in CLOSING:
            yield from self.close()
            self.held = self.held.next_action()
        if name not in ("move_unit", "move_models", "remark"):
            self.going = None
        if name in SHOWS_SOMETHING and self.active is not None:
            self.active.recorded = True
        yield from self.is_dated(event)
        if missing is None:
            active = self.active
            labels = active.unit if active is not None else None, active.target if active is not None else None
            self.labels.lost_tps = self.held.losses if name == "tp_loss" else ()
            self.labels.refreshed = self.refreshed_units
            self.labels.turn_of = rules.side_to_act(self.position)
            reading = self.labels.read(self.position, event, *labels)
            event, missing = reading.event, reading.missing
            for what, stated, is_so in reading.notes:
                yield from self.says_otherwise(what, stated, is_so)
        if missing == UNREADABLE:
            return
        if missing is not None:
            yield self.fault(missing, "ambiguous", event.get("player"), "a fact is not recorded")
            return
        self.fill_in(event)
        suspended = self.suspended(event)
        judge = getattr(self, f"on_{name}", None)
        found = [*self.tps_are_as_claimed(event), *(judge(event) if judge is not None else ())]
        if isinstance(settled, dict):
            found = []
        yield from (one for one in found if one.rule not in suspended)
        yield from self.overridden(event)
        if self.can_exist(event):
            position = self.position
            removed, broken = set(position.removed), set(position.broken)
            self.locations = self.locations_lost(event)
            before = {unit.id: unit.tp for unit in position.units.values()}
            apply(position, event, self.ask)
            self.after(event, position.removed - removed, broken)
            self.keep_in_hand(event, before, position.removed - removed, position.broken - broken)
        self.labels.remember(self.position)

    def fill_in(self, event: Event) -> None:
        """What follows from the rest of an event, or from the action that it is part of."""
        name, active, position = event["type"], self.active, self.position
        if name == "tp_loss":
            event["restates"] = event["unit"] in self.held.losses
        elif name == "move_models":
            if event.get("cause") not in ("consolidate", "retreat"):
                retreats = active is not None and active.target == event["unit"]
                event["cause"] = "retreat" if retreats else "consolidate"
        elif name == "initiative" and event["source"] == "scenario":
            event.pop("attempts", None)
        elif name == "attack":
            unit, target = position.units.get(event["attacker"]), position.units.get(event["target"])
            by_role = "ranged" if event.get("role") in ("shoot", "flamer_follow_up") else "melee"
            shows = {"shoot": "ranged", "assault": "melee"}.get(str(active.action) if active is not None else "")
            if "role" in event and by_role != event["mode"] and shows != event["mode"]:
                event["mode"] = by_role
            if "role" not in event or by_role != event["mode"]:
                event["role_contradicts"] = "role" in event
                melee = "counter" if active is not None and active.target == event["attacker"] else "assault"
                ranged = "flamer_follow_up" if active is not None and active.may_follow_up else "shoot"
                event["role"] = melee if event["mode"] == "melee" else ranged
            elif active is not None and (part := self.part_of_action(event, active)) is not None:
                event["role"], event["role_contradicts"] = part, True
            if unit is not None and target is not None:
                if "weapons" not in event:
                    event["weapons"] = self.weapons_due(event, unit, target)
                alive = list(target.models)
                for step in event.get("steps", ()):
                    if step_card(step) is None and "target_model" not in step and len(alive) == 1:
                        if not position.models[alive[0]].has_damage_deck:
                            step["target_model"] = alive[0]
                    if step.get("casualty") and step.get("target_model") in alive:
                        alive.remove(step["target_model"])

    def part_of_action(self, event: Event, active: Activation) -> str | None:
        """The part of the open action that an attack is, where nothing but its role says another (CAL-ACT-03)."""
        role, by, on = event["role"], event["attacker"], event["target"]
        if role == "assault":
            strikes_back = by == active.target and on == (active.striker or active.unit) and not active.countered
            still_may = active.said in ("", "made") and not active.retreat_seen and active.left_behind is None
            return "counter" if strikes_back and still_may else None
        if by != active.unit:
            return None
        if role == "shoot":
            return "flamer_follow_up" if active.flamed else None
        due = {"counter": "assault", "flamer_follow_up": "shoot"}[role]
        return due if active.action == due and due not in active.done and active.target is None else None

    def is_dated(self, event: Event) -> Found:
        """The round and the phase that an event states: a note at the first of a stretch of like ones (CAL-AUD-06)."""
        position, name = self.position, event["type"]
        if name in AS_THEY_STAND:
            return
        phases = {position.phase}
        if name == "initiative":
            phases = {"initiative"}
        elif name in OF_THE_ACTIONS:
            phases = {"action"}
        elif position.phase in ("setup", "initiative", "ready"):
            phases = {"setup", "initiative", "ready", "action"} if name == "door" else {position.phase}
            phases |= {"ready"} if name in ("card_draw", "tp_refresh") else {"action"} if name == "card_play" else set()
        for label, due in (("round", {position.round}), ("phase", phases)):
            stated = event.get(label)
            if stated is None or not isinstance(stated, int if label == "round" else str):
                continue
            if stated in due:
                self.misdated.pop(label, None)
            elif self.misdated.get(label) != (stated, sorted(due)):
                self.misdated[label] = (stated, sorted(due))
                yield from self.says_otherwise(f"the {label}", stated, sorted(due))

    def can_exist(self, event: Event) -> bool:
        """Whether the position that an event claims could stand on a table (CAL-AUD-01)."""
        position, name = self.position, event["type"]
        if name == "move_unit":
            unit = position.units.get(event["unit"])
            end = as_hex(event["path"][-1])
            return unit is not None and not position.board.is_shut(end) and position.unit_at(end) in (None, unit)
        if name == "move_models":
            unit = position.units.get(event["unit"])
            placing = {line["model"]: as_hex(line["to"]) for line in event["moves"]}
            if unit is None:
                return False
            for model in placing:
                own = position.unit_of(model)
                if own is None or own.side != unit.side:
                    return False
            return not any(
                position.board.is_shut(h)
                or list(self.has_room(h, [m for m, to in placing.items() if to == h], unit.side, (), placing))
                for h in set(placing.values())
            )
        if name == "attack" and not all(self.is_known(event, step) for step in event.get("steps", ())):
            return False
        if name in ("attack", "last_stand", "tp_loss"):
            named = [event[key] for key in ("attacker", "target", "unit") if key in event]
            return all(unit in position.units for unit in named)
        if name == "place":
            h, model = as_hex(event["hex"]), position.models.get(event["model"])
            if model is None or model.id in position.removed or position.board.is_shut(h):
                return False
            return not list(self.has_room(h, [model.id], model.side))
        return True

    def is_known(self, event: Event, step: Event) -> bool:
        """Whether a step of a damage loop names somebody whom the rosters know, or nobody who falls."""
        card = step_card(step)
        if card is not None:
            target = self.position.units.get(event["target"])
            bearers = target is not None and any(self.position.models[m].has_damage_deck for m in target.models)
            return card in self.position.damage_cards and bearers
        return step.get("target_model") in self.position.models if "target_model" in step else True

    def locations_lost(self, event: Event) -> int:
        """How many locations of Sor Gharax an attack removes, as it says or as is due."""
        if event["type"] != "attack" or event["target"] not in self.position.units:
            return 0
        steps, judged = event.get("steps", ()), rules.judged_steps(self.position, event, self.ask)
        fell = (step.get("casualty", due["casualty"]) for step, due in zip(steps, judged, strict=True))
        return sum(lost and step_card(step) is not None for step, lost in zip(steps, fell, strict=True))

    def after(self, event: Event, fallen: set[str], broken: set[tuple[str, str]]) -> None:
        """Keep the books of the open activation, once the event is taken over."""
        active, name = self.active, event["type"]
        if active is None:
            return
        if (
            name == "attack"
            and event["role"] in ("assault", "counter")
            and event["target"] in (active.unit, active.striker, active.target)
        ):
            victim = other(event["player"])
            locations = self.locations
            counted = len([m for m in fallen if self.position.models[m].side == victim])
            if option(self.ask, "R-SOR-CAS") == "locations_count" and locations:
                counted = locations
            active.lost[victim] += counted
        if name == "weapon_destroyed" and event["model"] in active.unmarked:
            active.unmarked.remove(event["model"])
        if name == "attack" and event["mode"] == "ranged":
            crit = rules.the_crit(event)
            triggered = crit.get("model") if crit is not None and crit["effect"] == CANNON else None
            lost = [m for m in rules.cannons_lost(event, self.ask) if (m, "assault_cannon") not in broken]
            active.unmarked += [m for m in lost if m != triggered]
            active.may_follow_up = active.flamed = crit is not None and crit["effect"] == FOLLOW_UP
            if event["target"] not in self.position.units and option(self.ask, "R-FLM-GONE") == "no_follow_up":
                active.may_follow_up = False


def played_in_the_end(events: Sequence[Event]) -> list[Event]:
    """The events of the game as it was played in the end: without what was undone, and without the undos."""
    kept: list[Event] = []
    for event in events:
        back_to = event.get("to")
        if event.get("type") != "undo":
            kept.append(event)
        elif any(one.get("seq") == back_to for one in kept):
            while kept[-1].get("seq") != back_to:
                kept.pop()
    return kept


def check(lines: Sequence[Event], readings: Readings | None = None, packs: Packs | None = None) -> list[Disagreement]:
    """Every disagreement between a log (header first) and the rules, in the order of the log.

    `readings` left out are those of the header, and the defaults where that has none.
    """
    header, events = (packs or Packs()).inlined(lines[0]), played_in_the_end(lines[1:])
    in_force = readings if readings is not None else header.get("rulings", {}).get("readings", {})

    def judge(events: Sequence[Event]) -> list[Disagreement]:
        replay = Replay(header, in_force, lines[0])
        found: list[Disagreement] = []
        for n, event in enumerate(events):
            replay.to_come = events[n + 1 :]
            found += replay.event(event)
        return found

    return judged_as_meant(events, judge, Replay(header, in_force, lines[0]).position.models, judge(events))
