"""What follows an attack hand to hand: catalogue section 10."""

from __future__ import annotations

from collections import Counter

from auditor.conformance.calth import referee as rules
from auditor.conformance.calth.bench import Activation, Bench, Found
from auditor.conformance.calth.board import Hex
from auditor.conformance.calth.position import Event, Unit
from auditor.conformance.calth.tables import (
    CANNON,
    SIDES,
    option,
)

MUST_BE_SEEN = ("advance", "run", "consolidate", "shoot")


class Assaults(Bench):
    """Counter-attack, retreat and last stand, and what an assault still owes."""

    def close(self) -> Found:
        """Compulsory acts of the open activation that were not recorded."""
        active, self.active = self.active, None
        if active is None:
            return
        if active.action == "assault" and active.target is None and "assault" not in active.done:
            yield self.fault("CAL-ASL-01", "omitted", active.player, "an Assault without its attack")
        elif active.action in MUST_BE_SEEN and not active.recorded:
            # What was done, or that nothing was, is a missing fact (CAL-ACT-03).
            yield self.fault("CAL-ACT-03", "ambiguous", active.player, f"nothing is recorded of the {active.action}")
        for model in active.unmarked:
            side = self.position.models[model].side
            yield self.fault(CANNON, "omitted", side, f"the assault cannon of {model} was not marked as destroyed")
        if active.said == "made" and not active.countered:
            text = "a counter-attack was made, and it is not recorded"
            yield self.fault("CAL-ASL-03", "ambiguous", active.target_side, text)
        if active.owes_draw:
            yield self.fault("CAL-ATK-07", "omitted", active.owes_draw, "hits and Sor Gharax were left")
        yield from self.retreat_was_made(active)

    def retreat_was_made(self, active: Activation) -> Found:
        """The retreat and the last stand that an assault owes, when something else comes."""
        position = self.position
        if (
            active.target is None
            or active.stood
            or active.retreat_denied
            or (active.said == "made" and not active.countered)
        ):
            return
        side = active.target_side
        due = rules.retreat_is_due(position, active.target, active.lost)
        if active.left_behind is None:
            unit = position.units.get(active.target)
            if not due or unit is None:
                return
            hexes = rules.retreat_hexes(position, unit)
            nowhere: dict[str, Hex | None] = dict.fromkeys(unit.models)
            stuck = not rules.needlessly_stayed(position, nowhere, hexes)
            if active.retreat_seen and stuck:
                yield self.fault("CAL-DLS-01", "omitted", side, "no last stand was rolled")
            else:
                yield self.fault("CAL-RET-01", "omitted", side, "a retreat was due and not made")
        elif active.left_behind:
            yield self.fault("CAL-DLS-01", "omitted", side, "no last stand was rolled")

    def on_counter(self, event: Event) -> Found:
        active, side = self.active, event.get("player")
        if "choice" not in event:
            yield self.fault("CAL-ASL-03", "ambiguous", side, "whether a counter-attack was made")
            return
        choice, gone = event["choice"], event["unit"] not in self.position.units
        if active is None or active.target != event["unit"]:
            if choice == "made":
                yield self.fault("CAL-ASL-03", "illegal", side, "this unit has no counter-attack")
            else:
                yield from self.says_otherwise("whose counter-attack is declined", event["unit"], None)
            return
        if choice == "made" and gone:
            yield self.fault("CAL-ASL-03", "illegal", side, "a unit without models has no counter-attack")
        elif choice == "not_possible" and not gone:
            yield self.fault("CAL-ASL-03", "miscalculated", side, "the unit has models for a counter-attack")
        if not (choice == "made" and gone):
            active.said = choice

    def on_retreat(self, event: Event) -> Found:
        active, side = self.active, event["player"]
        if active is None or active.target != event["unit"]:
            # Of a unit that is gone nothing can move: nothing was made of what the line says.
            if event.get("due") and (active is None or event["unit"] in self.position.units):
                yield self.fault("CAL-RET-01", "illegal", side, "no retreat of this unit can be due")
            return
        lost = {s: active.lost[s] for s in SIDES}
        claimed = {**lost, **event.get("casualties", {})}
        known = active.said != "made" or active.countered
        if claimed != lost and known:
            yield self.fault("CAL-RET-01", "miscalculated", side, "the casualties of both units", claimed, lost)
        due = rules.retreat_is_due(self.position, event["unit"], claimed)
        # What follows from the right numbers is no second fault beside the wrong ones.
        if event.get("due", due) not in (due, rules.retreat_is_due(self.position, event["unit"], lost)) and known:
            yield from self.compare("CAL-RET-01", event, "due", due, side, "omitted" if due else "illegal")
        active.retreat_seen = event.get("due", due)
        active.retreat_denied = event.get("due") is False
        if claimed != lost:
            active.lost = Counter(claimed)

    def retreat_allowed(self, unit: Unit) -> Found:
        """A retreat move is made by the attacked unit, and only when it is due."""
        active = self.active
        due = (
            active is not None
            and active.target == unit.id
            and rules.retreat_is_due(self.position, unit.id, active.lost)
        )
        if not due and not (active is not None and active.retreat_seen):
            yield self.fault("CAL-RET-01", "illegal", unit.side, "a retreat that was not due")

    def on_last_stand(self, event: Event) -> Found:
        position, side, active = self.position, event["player"], self.active
        unit = position.units.get(event["unit"])
        if unit is None or active is None:
            yield self.fault("CAL-DLS-01", "illegal", side, "nobody has to stand here")
            return
        if active.left_behind is None:
            active.before_retreat = list(unit.models)
            nowhere: dict[str, Hex | None] = dict.fromkeys(unit.models)
            if rules.needlessly_stayed(position, nowhere, rules.retreat_hexes(position, unit)):
                yield self.fault("CAL-RET-03", "illegal", side, "a model stayed although it could leave")
            active.left_behind = list(unit.models)
        active.stood = True
        named = list(event["models"])
        if not named and active.left_behind:
            yield self.fault("CAL-DLS-01", "omitted", side, "no last stand was rolled")
        elif set(named) & position.removed:
            yield self.fault("CAL-ATK-08", "illegal", side, "a model rolled that is removed for good")
        elif set(named) < set(active.left_behind) and len(event["faces"]) == len(active.left_behind):
            yield self.fault("CAL-DLS-01", "ambiguous", side, "which model rolled which die is not recorded")
        elif len(named) == len(active.left_behind) and set(named) - set(active.before_retreat):
            yield self.fault("CAL-DLS-01", "ambiguous", side, "a model is named that was never of this unit")
        elif not set(named) <= set(active.left_behind):
            yield self.fault("CAL-DLS-01", "illegal", side, "a model that did not stay rolled")
        elif len(named) != len(active.left_behind) or len(event["faces"]) != len(named):
            yield self.fault("CAL-DLS-01", "miscalculated", side, "one die for each model that stayed")
        pool = unit.models if option(self.ask, "R-DLS-VEX") == "in_hex" else active.before_retreat
        yield from self.rerolls_are_legal(event, event["faces"], rules.has_vexilla(position, pool), side)
        faces = rules.final_faces(event["faces"], event)
        due = [m for m, face in zip(named, faces, strict=False) if face == "S"]
        survivors = event.get("survivors", due)
        whole = len(event["faces"]) == len(named) == len(set(named))
        if set(survivors) != set(due) and whole:
            yield self.fault("CAL-DLS-01", "miscalculated", side, "who survives the last stand", survivors, due)
