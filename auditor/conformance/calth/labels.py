"""Which unit a label means, and where an event contradicts itself: catalogue section 5, "Labels".

In the position each unit stands under a key of its own; as a rule that is its label. `Labels.read` gives an event in
which every label of a unit is the key of the unit that is meant, notes on what contradicts the record (CAL-AUD-06),
and the rule of a fact that is missing because nothing decides which unit is meant (CAL-AUD-04).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from auditor.conformance.calth import fitting
from auditor.conformance.calth.board import as_hex
from auditor.conformance.calth.position import Event, Position, Unit, step_card
from auditor.conformance.calth.tables import SIDES, Readings, other

# Events with one unit that acts, and the rule that needs to know which.
ACTORS = {
    "activate": "CAL-ACT-02",
    "attack": "CAL-ATK-01",
    "counter": "CAL-ASL-03",
    "retreat": "CAL-RET-01",
    "last_stand": "CAL-DLS-01",
    "move_unit": "CAL-ACT-02",
    "move_models": "CAL-CON-01",
}
OF_THE_TARGET = ("counter", "retreat", "last_stand")


@dataclass
class Reading:
    """An event with keys for labels."""

    event: Event
    notes: list[tuple[str, Any, Any]] = field(default_factory=list)
    missing: str | None = None


class Labels:
    """The label that each unit bears, and the models that each label was last borne by."""

    def __init__(self, readings: Readings) -> None:
        self.ask = readings
        self.of: dict[str, str] = {}
        self.borne: dict[tuple[str, str], list[str]] = {}
        self.keys: dict[tuple[str, str], str] = {}
        self.turn_of: str | None = None
        self.lost_tps: Collection[str] = ()
        self.refreshed: Collection[str] = ()
        self.of_nobody: set[str] = set()

    def remember(self, position: Position) -> None:
        """Take note of who bears which label, after an event."""
        for key, unit in position.units.items():
            label = self.of.setdefault(key, key)
            self.borne[unit.side, label] = list(unit.models)
            self.keys[unit.side, label] = key

    # -------------------------------------------------------------- one label

    def sides_of(self, label: str) -> list[str]:
        """The sides that use a label or have used it."""
        return [side for side in SIDES if (side, label) in self.borne]

    def find(self, position: Position, label: str, side: str, others: Collection[str] = ()) -> Unit | None:
        """The unit of a side that a label means; None where all its models are removed, or where it means nobody.

        `others` are the other labels of the event.
        """
        standing = Counter(
            unit.id for model in self.borne.get((side, label), ()) if (unit := position.unit_of(model)) is not None
        )
        if not standing:
            return None
        for key in standing:
            if self.of.get(key) == label:
                return position.units[key]
        meant = {key for key in standing if self.of.get(key) in others}
        return position.units[max(standing, key=lambda key: (key not in meant, standing[key]))]

    def key_for(self, position: Position, label: str, h: tuple[int, int], side: str) -> str:
        """The key of a unit that forms in a hex under a label."""
        there = position.unit_at(h)
        if there is not None and there.side == side:
            return there.id
        key = label
        if key in position.units and position.units[key].hex != h:
            key = f"{label} in {h[0]},{h[1]}"
        self.of[key] = label
        return key

    # -------------------------------------------------------------- an event

    def read(self, position: Position, event: Event, acting: str | None, target: str | None) -> Reading:
        """The event with keys for labels. `acting` is the unit activated, `target` the one that it attacks."""
        reading = Reading(dict(event))
        name = event["type"]
        if name in ACTORS:
            self._actor(position, reading, acting, target)
        if reading.missing is None and name == "attack":
            self._target(position, reading, acting)
        new = reading.event
        others = {new[key] for key in ("unit", "attacker", "target") if isinstance(new.get(key), str)}
        if name in ("tp_loss", "unit_removed", "card_play"):
            self._any(position, new, "target" if name == "card_play" else "unit")
        if name == "unit_removed" and self.of.get(new["unit"], event["unit"]) != event["unit"]:
            # Nobody bears the label any more: its models are with another unit, and none of them is meant.
            new["unit"] = ""
        if name in ("tp_refresh", "move_models"):
            lines = [dict(line) for line in new.get("units", ())]
            if name == "move_models":
                self._formed(position, new, lines)
            else:
                self._listed(position, lines, "tp_before")
                self._left_out(position, reading, lines)
            new["units"] = lines
        for field_ in ("tp", "tp_left"):
            if isinstance(new.get(field_), dict):
                new[field_] = self._map(position, new[field_], str(event.get("player")), others)
        if name == "place":
            self._placed(position, new)
        elif name == "position":
            new["units"] = [dict(line) for line in new["units"]]
            self._restated(new)
        return reading

    def _actor(self, position: Position, reading: Reading, acting: str | None, target: str | None) -> None:
        event, name = reading.event, reading.event["type"]
        field_ = "attacker" if name == "attack" else "unit"
        player, label = event.get("player"), event.get(field_)
        of_target = name in OF_THE_TARGET or (name == "attack" and event.get("role") == "counter")
        of_target = of_target or (name == "move_models" and event.get("cause") == "retreat")
        due = position.units.get((target if of_target else acting) or "")
        named = self._unit_of_models(position, event)
        meant = self._by_label(position, label, player) if label is not None else None
        known = label is not None and bool(self.sides_of(label))
        if name == "move_unit" and due is not None and meant is not due and known and player in (None, due.side):
            # The path begins where the unit stands that is due, and not where the one named does.
            starts = as_hex(event["path"][0])
            if starts == due.hex != (meant.hex if meant is not None else None):
                named = due
        if name == "attack" and named is None and meant is not None and due is not None and meant is not due:
            if self._is_another(position, event, meant, due):
                reading.notes.append(("the unit", label, self.of[due.id]))
                meant = due
        if meant is not None and named is not None and named is not meant:
            if named is due or (named.side == player != meant.side):
                reading.notes.append(("the unit", label, self.of[named.id]))
                meant = named
        elif meant is None and named is not None:
            if label is not None:
                reading.notes.append(("the unit", label, self.of[named.id]))
            meant = named
        elif meant is None and due is not None and name != "activate" and self.may_be(due, label, player, known):
            if label is not None:
                reading.notes.append(("the unit", label, self.of[due.id]))
            meant = due
        if name == "counter" and event.get("choice") == "made" and not known and meant is None:
            reading.missing = self._rule(event)
            return
        if name == "counter" and meant is None and not known:
            event[field_] = ""  # nobody strikes back, whoever is meant
            return
        if meant is None:
            if known and name == "activate" and player is not None and player not in self.sides_of(str(label)):
                # A unit of the player's own was activated, and nobody can tell which.
                reading.missing = self._rule(event)
            elif known:
                event.setdefault("player", self.sides_of(str(label))[0])
                self._gone(position, event, field_, str(player or event["player"]))
            else:
                reading.missing = self._rule(event)
            return
        if player is None:
            event["player"] = meant.side
        elif player != meant.side:
            if (
                name != "activate"
                and due is not None
                and due is not meant
                and due.side == player
                and named is not meant
            ):
                reading.notes.append(("the unit", label, self.of[due.id]))
                meant = due
            elif name == "counter" and event.get("choice") != "made":
                reading.notes.append(("whose counter-attack is declined", player, meant.side))
                event["player"] = meant.side
            elif name == "activate" and self.turn_of != meant.side:
                reading.missing = self._rule(event)
                return
            elif name == "activate" or meant is due or named is meant or (name == "move_unit" and "override" in event):
                reading.notes.append(("the player", player, meant.side))
                event["player"] = meant.side
            else:
                reading.missing = self._rule(event)
                return
        event[field_] = meant.id

    def _is_another(self, position: Position, event: Event, meant: Unit, due: Unit) -> bool:
        """Whether a melee attack that names no model of its own says all else as if the unit that is due made it."""
        crits = event["crit"] if isinstance(event.get("crit"), list) else [event.get("crit")]
        if event.get("mode") != "melee" or meant.side != due.side or event.get("weapons") or "vexilla" in event:
            return False
        if any(isinstance(one, dict) and "model" in one for one in crits):
            return False
        target = self._by_label(position, str(event["target"]), other(due.side))
        mine, theirs = (fitting.as_attacker(position, event, one, target, self.ask) for one in (due, meant))
        return mine > theirs

    def may_be(self, due: Unit, label: str | None, player: str | None, known: bool) -> bool:
        """Whether a label that names nobody, or a removed unit of the other side, is a slip for the unit that is due."""
        if player not in (None, due.side):
            return False
        return not known or (player is not None and self.sides_of(str(label)) == [other(player)])

    def _rule(self, event: Event) -> str:
        if event["type"] == "attack" and event.get("mode") == "ranged":
            return "CAL-ATK-02"
        if event["type"] == "move_unit":
            causes = {"advance": "CAL-ADV-01", "run": "CAL-RUN-01", "assault_pre": "CAL-ASL-02"}
            causes["move_in"] = "CAL-ASL-04"
            return causes.get(str(event.get("cause")), "CAL-ACT-02")
        return ACTORS[event["type"]]

    def _by_label(self, position: Position, label: str, player: str | None) -> Unit | None:
        """The unit of a label: the player's own before the other's."""
        sides = SIDES if player not in SIDES else (str(player), other(str(player)))
        for side in sides:
            if (side, label) in self.borne:
                return self.find(position, label, side)
        return None

    def _unit_of_models(self, position: Position, event: Event) -> Unit | None:
        """The one unit of all models that an event says move, roll or are counted."""
        models = [line["model"] for line in event.get("moves", ())]
        if event["type"] == "attack":
            rolling = [*(event["crit"] if isinstance(event.get("crit"), list) else [event.get("crit")])]
            rolling += [event.get("vexilla"), *event.get("rerolls", ())]
            models = [pair[0] for pair in event.get("weapons", ())]
            models += [one["model"] for one in rolling if isinstance(one, dict) and "model" in one]
        elif event["type"] in ("last_stand", "move_unit"):
            models = list(event.get("models", ()))
        units = [position.unit_of(model) for model in models]
        return units[0] if units and units[0] is not None and all(unit is units[0] for unit in units) else None

    def _gone(self, position: Position, event: Event, field_: str, side: str) -> None:
        """A label of a side whose unit is removed, while the other side uses the same."""
        key = self.keys.get((side, event[field_]), event[field_])
        event[field_] = key if key not in position.units else f"{event[field_]} of {side}"

    def _target(self, position: Position, reading: Reading, acting: str | None) -> None:
        event = reading.event
        label, foe = event["target"], other(event["player"])
        hit = [position.unit_of(step["target_model"]) for step in event.get("steps", ()) if "target_model" in step]
        cards = [step for step in event.get("steps", ()) if step_card(step) is not None]
        if cards and not hit:
            # A Damage card stands for the one model that has such a deck.
            hit = [
                unit for unit in position.units.values() if any(position.models[m].has_damage_deck for m in unit.models)
            ]
        by_model = hit[0] if hit and all(unit is hit[0] for unit in hit) else None
        meant = self._by_label(position, label, foe)
        unit = position.units.get(event["attacker"])
        if by_model is not None and by_model is not meant and by_model.side == foe and unit is not None:
            # A label of a unit that cannot be meant, beside a model of one that can.
            out = meant is None or meant.side != foe
            if event.get("role") == "counter":
                # A counter-attack has one target, and the model is of that one.
                out = out or (by_model is position.units.get(acting or "") is not meant)
            elif meant is not None and not out and None not in hit:
                picked = {step["target_model"] for step in event["steps"] if "target_model" in step}
                shown, said = (fitting.as_target(position, event, unit, one, self.ask) for one in (by_model, meant))
                out = shown > said or (shown == said and len(picked) > 1)
                event["either"] = shown == said and len(picked) == 1
            if out and self.sides_of(label):
                reading.notes.append(("the target", label, self.of[by_model.id]))
                meant = by_model
        if by_model is not None and not self.sides_of(label):
            reading.notes.append(("the target", label, self.of[by_model.id]))
            meant = by_model
        if meant is not None:
            event["target"] = meant.id
        elif self.sides_of(label):
            self._gone(position, event, "target", foe)
        else:
            reading.missing = "CAL-ASL-01" if event["mode"] == "melee" else "CAL-SHT-01"

    def _any(self, position: Position, event: Event, field_: str) -> None:
        """A label of any unit of either side; the player's own first."""
        label = event.get(field_)
        if label is None:
            return
        sides = self.sides_of(label)
        if event.get("player") in sides:
            sides.sort(key=lambda side: side != event["player"])
        found = {side: self.find(position, label, side) for side in sides}
        if event["type"] == "unit_removed" and None in found.values():
            event[field_] = ""  # that one is gone, as the line says
            return
        units = [unit for unit in found.values() if unit is not None]
        if units:
            after = event.get("tp_after")
            units.sort(key=lambda unit: (unit.id not in self.lost_tps, after is not None and unit.tp != after))
            event[field_] = units[0].id

    def _formed(self, position: Position, event: Event, lines: Sequence[dict[str, Any]]) -> None:
        """In the units of a move the hex says which one is meant, whatever its label."""
        parent = position.units.get(event.get("unit", ""))
        side = parent.side if parent is not None else str(event.get("player"))
        moved = {line["model"] for line in event["moves"]}
        stays = parent is not None and any(model not in moved for model in parent.models)
        ends = {as_hex(line["to"]) for line in event["moves"]}
        for line in lines:
            h = as_hex(line["hex"])
            there = position.unit_at(h)
            if there is not None and (there is not parent or stays):
                line["unit"] = there.id
            elif parent is None or h != parent.hex:
                label = str(line.get("unit") or f"{side.lower()}-at-{h[0]}-{h[1]}")
                if h not in ends:
                    self.of_nobody.add(label)
                if parent is not None and not stays and label == self.of.get(parent.id):
                    line["unit"] = parent.id
                else:
                    line["unit"] = self.key_for(position, label, h, side)

    def _listed(self, position: Position, lines: Sequence[dict[str, Any]], claim: str) -> None:
        """In a list each entry means a unit of its own, the one whose claim agrees first."""
        taken: set[str] = set()
        # Who bears a label now is meant before whoever bore it.
        for bears in (True, False):
            for line in lines:
                label = line.get("unit")
                if not isinstance(label, str) or line.get("read") is True:
                    continue
                found = [one for side in self.sides_of(label) if (one := self.find(position, label, side)) is not None]
                found = [unit for unit in found if (self.of.get(unit.id) == label) is bears]
                free = [unit for unit in found if unit.id not in taken]
                if not bears and found and not free:
                    line["unit"], line["read"] = "", True  # its models stand in a unit that has a line of its own
                    continue
                if found:
                    meant = min(free or found, key=lambda unit: line.get(claim, unit.tp) != unit.tp)
                    taken.add(meant.id)
                    line["unit"], line["read"] = meant.id, True
        for line in lines:
            line.pop("read", None)

    def _left_out(self, position: Position, reading: Reading, lines: Sequence[dict[str, Any]]) -> None:
        """A label that nobody ever bore means the one unit that a refresh leaves out, and is its label from then on."""
        keys = [line.get("unit") for line in lines]
        strays = [line for line in lines if isinstance(line.get("unit"), str) and line["unit"]]
        strays = [line for line in strays if line["unit"] not in position.units and not self.sides_of(line["unit"])]
        sides = {position.units[key].side for key in keys if key in position.units} or set(SIDES)
        left = [one for one in position.units.values() if one.id not in (*keys, *self.refreshed) and one.side in sides]
        if len(strays) == len(left) == 1:
            label, unit = strays[0]["unit"], left[0]
            reading.notes.append(("the unit", label, self.of[unit.id]))
            strays[0]["unit"], self.of[unit.id] = unit.id, label

    def _map(self, position: Position, claims: dict[str, int], player: str, others: Iterable[str]) -> dict[str, int]:
        keyed: dict[str, int] = {}
        for label, number in claims.items():
            if label in others and label in position.units:
                keyed[label] = number
                continue
            sides = sorted(self.sides_of(label), key=lambda side: side != player)
            found = [unit for side in sides if (unit := self.find(position, label, side)) is not None]
            agreeing = [unit for unit in found if unit.tp == number and unit.id not in keyed]
            if found:
                keyed[(agreeing or found)[0].id] = number
        return keyed

    def _placed(self, position: Position, event: Event) -> None:
        model = position.models.get(event["model"])
        label, h = event.get("unit"), as_hex(event["hex"])
        if model is not None and isinstance(label, str):
            event["unit"] = self.key_for(position, label, h, model.side)

    def _restated(self, event: Event) -> None:
        """A position gives every label anew; one that both sides use gets two keys."""
        seen: set[str] = set()
        self.of.clear()
        for line in event["units"]:
            label = key = line["unit"]
            if key in seen:
                key = line["unit"] = f"{label} of {line['side']}"
            seen.add(key)
            self.of[key] = label
