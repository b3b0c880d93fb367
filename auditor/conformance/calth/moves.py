"""Moves of units and models: catalogue sections 8 and 9."""

from __future__ import annotations

from itertools import pairwise

from auditor.conformance.calth import referee as rules
from auditor.conformance.calth.assaults import Assaults
from auditor.conformance.calth.bench import Found, Going
from auditor.conformance.calth.board import Hex, as_hex
from auditor.conformance.calth.facts import OF_A_MOVE
from auditor.conformance.calth.licences import Licences
from auditor.conformance.calth.position import Event, Unit
from auditor.conformance.calth.tables import (
    option,
)

# What the two moves of an Assault may have been called by mistake, one for the other too (CAL-ACT-03).
ALSO_CALLED = ("advance", "run", "assault_pre", "move_in")


class Moves(Assaults, Licences):
    """Every step of every move."""

    def step_is_legal(self, a: Hex, b: Hex, start: Hex, rule: str, unit: Unit, side: str) -> Found:
        """One step of a unit into an adjacent, enterable, unoccupied hex."""
        position = self.position
        if not rules.adjacent(position, a, b) or position.board.is_shut(b):
            yield self.fault(rule, "illegal", side, f"{b} is not adjacent to {a}, or cannot be entered")
        elif (there := position.unit_at(b)) is not None and there is not unit and b != start:
            yield self.fault(rule, "illegal", side, f"{b} is occupied")
        yield from self.map_allows(a, b, side)

    def on_move_unit(self, event: Event) -> Found:
        """A move of a unit, with the lines that it goes on with judged as one path."""
        unit = self.position.units.get(event["unit"])
        if unit is None:
            yield self.fault("CAL-ATK-08", "illegal", event["player"], f"{event['unit']} is not on the board")
            return
        path = rules.path_of(event)
        yield from self.says_otherwise("where a move starts", path[0], unit.hex)
        if self.position.board.is_shut(path[0]) or self.position.unit_at(path[0]) not in (None, unit):
            # Nobody of this unit can have stood there: the move began where the unit stands (CAL-AUD-06).
            path[0] = unit.hex
        cause = self.part_of(event, unit, len(path) - 1)
        before = self.going
        goes_on = (
            before is not None
            and (before.type, before.unit, before.cause) == ("move_unit", unit.id, cause)
            and before.path[-1] == path[0] == unit.hex
        )
        going = before if before is not None and goes_on else Going("move_unit", unit.id, cause, [path[0]])
        going.path += path[1:]
        broken = set(going.broken)
        for found in self.moved(event, unit, cause, path, going if goes_on else None):
            # Of one path each rule is told once (CAL-AUD-03).
            if found.rule not in broken or found.kind == "record":
                yield found
            going.broken.add(found.rule)
        self.going = going

    def moved(self, event: Event, unit: Unit, cause: str, path: list[Hex], going: Going | None) -> Found:
        """One line of a move; `going` is the whole path where the line goes on with an earlier one."""
        position, side = self.position, event["player"]
        start, whole = path[0], going.path if going is not None else path
        steps = len(whole) - 1
        if cause == "scenario":
            yield from self.moved_by_the_scenario(event, side)
            return
        if cause != event.get("cause", cause) and event["cause"] in OF_A_MOVE:
            yield self.fault(
                "CAL-ACT-03", "ambiguous", side, "another cause than the action has", event["cause"], cause
            )
        if cause in ("advance", "run") and going is None:
            yield from self.licensed(event, unit.id, cause)
        rule = OF_A_MOVE[cause]
        if cause == "move_in":
            yield from self.moved_in(event, unit, path)
            for a, b in pairwise(path):
                yield from self.map_allows(a, b, side)
            return
        broken: set[str] = set()
        for a, b in pairwise(path):
            for found in self.step_is_legal(a, b, start, rule, unit, side):
                if found.rule not in broken:
                    yield found
                broken.add(found.rule)
        reported = rule in broken or (going is not None and rule in going.broken)
        if cause == "run":
            yield from self.run_stopped(whole, side, reported)
        elif steps != 1 and not reported and not (steps == 0 and self.path_goes_on(event)):
            yield self.fault(rule, "illegal", side, "this move is exactly one step", steps, 1)
        if event.get("models") and set(event["models"]) != set(unit.models):
            yield self.fault(rule, "illegal", side, "the unit moves as a whole")
        if cause == "assault_pre":
            active = self.active
            if active is None or active.unit != unit.id:
                yield self.fault("CAL-ACT-02", "illegal", side, f"{unit.id} acts without having been activated")
                return
            reported = reported or steps != 1
            beside = active.beside_enemy
            if whole[0] != active.hex:
                beside = rules.next_to_enemy(position, whole[0], side)  # where the log has it start is adopted
            if (beside or not rules.next_to_enemy(position, path[-1], side)) and not reported:
                yield self.fault("CAL-ASL-02", "illegal", side, "this step before the attack is not allowed")

    def next_line(self, event: Event) -> Event:
        """The line after this one, remarks passed over, if it is of the same kind and cause; else an empty one."""
        after = next((line for line in self.to_come if line.get("type") != "remark"), {})
        same = after.get("type") == event["type"] and after.get("cause", event.get("cause")) == event.get("cause")
        return after if same else {}

    def path_goes_on(self, event: Event) -> bool:
        """Whether the next line goes on where this move ends."""
        after = self.next_line(event).get("path")
        return isinstance(after, list) and bool(after) and after[0] == event["path"][-1]

    def models_go_on(self, event: Event, unit: Unit) -> bool:
        """Whether the next line moves more models of the same unit."""
        after = self.next_line(event)
        moves = after.get("moves")
        if not isinstance(moves, list):
            return False
        if after.get("unit") == self.labels.of.get(unit.id, unit.id):
            return True
        return all(isinstance(line, dict) and line.get("model") in unit.models for line in moves)

    def part_of(self, event: Event, unit: Unit, steps: int) -> str:
        """Which part of which action a move is: as it says, or as the action declared has it (CAL-ACT-03)."""
        cause, active = event.get("cause"), self.active
        if "cause" in event and cause not in OF_A_MOVE and "override" in event:
            return "scenario"
        declared = active.action if active is not None and active.unit == unit.id else None
        if declared == "assault" and active is not None and (cause not in OF_A_MOVE or cause in ALSO_CALLED):
            if active.target is None and (steps == 1 or cause not in OF_A_MOVE):
                return "assault_pre"
            if active.target is not None and event["path"][-1] == list(active.target_hex or ()):
                return "move_in"
        if declared in ("advance", "run") and cause in ("assault_pre", "move_in"):
            return str(declared)
        if cause in OF_A_MOVE:
            return str(cause)
        return declared if declared in ("advance", "run") else "advance" if steps == 1 else "run"

    def run_stopped(self, path: list[Hex], side: str, reported: bool) -> Found:
        """The length of a Run, and the hexes that end it."""
        steps = len(path) - 1
        if steps > 2 and not reported:
            yield self.fault("CAL-RUN-01", "illegal", side, "a Run is at most two steps", steps, 2)
        if steps == 0 and option(self.ask, "R-ACT-NOP") == "not_allowed":
            yield self.fault("CAL-RUN-01", "illegal", side, "a Run of no steps")
        between = [h for h in path[1:-1] if not self.position.board.is_shut(h)]
        if any(rules.next_to_enemy(self.position, h, side) for h in between):
            yield self.fault("CAL-RUN-02", "illegal", side, "a step beyond a hex next to an enemy")
        if any(self.position.board.is_rubble(h) for h in between):
            yield self.fault("CAL-RUN-03", "illegal", side, "a step beyond rubble")

    def moved_in(self, event: Event, unit: Unit, path: list[Hex]) -> Found:
        """The free move into the hex that the attacked unit has left."""
        active, side = self.active, event["player"]
        if active is not None:
            yield from self.retreat_was_made(active)
        fine = (
            active is not None
            and unit.id in (active.unit, active.striker)
            and active.target_hex is not None
            and path[1:] == [active.target_hex]
            and rules.adjacent(self.position, path[0], path[1])
            and self.position.unit_at(active.target_hex) is None
            and not active.moved_in
        )
        if not fine:
            yield self.fault("CAL-ASL-04", "illegal", side, "this is not the free move of the unit that attacked")
        elif active is not None:
            active.moved_in = True

    def on_move_models(self, event: Event) -> Found:
        """A Consolidate or a retreat, with the lines that it goes on with judged as one."""
        unit, before = self.position.units.get(event["unit"]), self.going
        if unit is None:
            yield self.fault("CAL-ATK-08", "illegal", event["player"], f"{event['unit']} is not on the board")
            return
        kind = ("move_models", unit.id, event["cause"])
        if before is None or (before.type, before.unit, before.cause) != kind:
            before = None
        going = before or Going(*kind)
        broken = set(going.broken)
        for found in self.models_moved(event, unit, going, before is not None):
            if found.rule not in broken or found.kind == "record":
                yield found
            going.broken.add(found.rule)
        self.going = going

    def models_moved(self, event: Event, unit: Unit, going: Going, later: bool) -> Found:
        """One line of a Consolidate or a retreat; `going` holds the lines before it, if this is a `later` one."""
        position, side, retreat = self.position, event["player"], event["cause"] == "retreat"
        placing: dict[str, Hex | None] = {**dict.fromkeys(unit.models), **going.placed}
        goes_on = self.models_go_on(event, unit)
        if retreat:
            yield from self.retreat_allowed(unit)
        elif not later:
            yield from self.licensed(event, unit.id, "consolidate")
            if not event["moves"] and not goes_on and option(self.ask, "R-ACT-NOP") == "not_allowed":
                yield self.fault("CAL-CON-01", "illegal", side, "a Consolidate of no models")
        yield from self.nothing_else_moves(event, unit)
        for line in event["moves"]:
            model, h = line["model"], as_hex(line["to"])
            if model in position.removed:
                yield self.fault("CAL-ATK-08", "illegal", side, f"{model} is removed for good")
            if model not in placing or placing[model] is not None:
                yield self.fault("CAL-CON-01", "illegal", side, f"{model} is not of this unit or moves twice")
                continue
            placing[model] = going.placed[model] = h
            host = position.unit_at(h)
            shut = not rules.adjacent(position, unit.hex, h) or position.board.is_shut(h)
            # A retreat is a Consolidate with further limits, and one rule tells of them all (CAL-RET-02).
            if retreat and (shut or rules.next_to_enemy(position, h, side) or (host and host.side != side)):
                yield self.fault("CAL-RET-02", "illegal", side, f"{h} is not open to a retreat")
            elif not retreat and (shut or (host and host.side != side)):
                yield self.fault("CAL-CON-01", "illegal", side, f"{h} is not open to {model}")
            yield from self.map_allows(unit.hex, h, side)
        claimed = {line["model"]: as_hex(line["to"]) for line in event["moves"]}
        too_full = ("CAL-RET-02",) if retreat else ("CAL-CON-03",)
        for h in dict.fromkeys(claimed.values()):
            if self.enemy_holds(h, side):
                continue
            yield from self.has_room(h, [m for m, to in claimed.items() if to == h], side, too_full, claimed)
        if retreat:
            staying = {model: placing[model] for model in unit.models}
            if not goes_on and rules.needlessly_stayed(position, staying, rules.retreat_hexes(position, unit)):
                yield self.fault("CAL-RET-03", "illegal", side, "a model stayed although it could leave")
            if self.active is not None:
                self.active.left_behind = [m for m, h in placing.items() if h is None]
                self.active.before_retreat = self.active.before_retreat if later else list(unit.models)

    def nothing_else_moves(self, event: Event, unit: Unit) -> Found:
        """Models of a unit that is joined do not move (CAL-CON-02)."""
        entered = {as_hex(line["to"]) for line in event["moves"]}
        for line in event["moves"]:
            own = self.position.unit_of(line["model"])
            if own is not None and own is not unit and own.side == unit.side and own.hex in entered:
                yield self.fault("CAL-CON-02", "illegal", event["player"], f"{line['model']} is of the unit joined")
