"""Claims of TPs: every number of TPs that an event states, against what is due. Catalogue section 5, "Claims of TPs".

One finding a unit and event; what is claimed is adopted afterwards (module adoption).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from auditor.conformance.calth import referee as rules
from auditor.conformance.calth.bench import Bench, Found
from auditor.conformance.calth.board import as_hex
from auditor.conformance.calth.position import Event, Unit
from auditor.conformance.calth.tables import SUPPRESS

BOOKS = "CAL-ACT-05"


class Claim(NamedTuple):
    """One number of TPs that an event states of a unit, and the one that is due.

    `idle` is the number that would stand there if the event's own gain or loss had not been applied.
    """

    unit: str
    side: str
    name: str
    claimed: int | None
    due: int
    rule: str
    idle: int | None = None


class Claims(Bench):
    """What the events say of TPs."""

    def tps_are_as_claimed(self, event: Event) -> Found:
        """The first claim of each unit that is not what is due."""
        wrong: set[str] = set()
        for one in self._claims(event):
            if one.claimed == one.due or one.unit in wrong:
                continue
            wrong.add(one.unit)
            kind = "omitted" if one.idle is not None and one.claimed == one.idle else "miscalculated"
            text = f"the TPs of {one.unit}"
            yield self.fault(one.rule, kind, one.side, text, {one.name: one.claimed}, {one.name: one.due})

    def _claims(self, event: Event) -> Iterator[Claim]:
        touched: dict[str, tuple[str, int, int | None]] = {}
        read = getattr(self, f"_of_{event['type']}", None)
        if read is not None:
            yield from read(event, touched)
        for key, claimed in event.get("tp", {}).items():
            unit = self.position.units.get(key)
            if key in touched:
                rule, due, idle = touched[key]
                side = unit.side if unit is not None and rule != SUPPRESS else str(event.get("player"))
                yield Claim(key, side, "tp", claimed, due, rule, idle)
            elif unit is not None:
                yield Claim(key, unit.side, "tp", claimed, unit.tp, BOOKS)

    # -------------------------------------------------------------- one reader an event type

    Touched = dict[str, tuple[str, int, int | None]]

    def _of_activate(self, event: Event, touched: Touched) -> Iterator[Claim]:
        unit = self.position.units.get(event["unit"])
        if unit is None:
            return
        before = event.get("tp_before", unit.tp)
        # That a spent unit is activated is one finding, whatever its TPs are said to be (CAL-ACT-02).
        if unit.tp > 0:
            yield Claim(unit.id, unit.side, "tp_before", before, unit.tp, BOOKS)
        due = max(0, before - 1)
        after = event.get("tp_after", due)
        if unit.tp < 1 and "tp_before" not in event:
            # What it had is not said, and what it has then follows from that.
            due = event.get("tp", {}).get(unit.id, due)
        else:
            yield Claim(unit.id, unit.side, "tp_after", max(after, due) if before < 1 else after, due, "CAL-ACT-02")
        touched[unit.id] = ("CAL-ACT-02", due, None)

    def _of_tp_refresh(self, event: Event, touched: Touched) -> Iterator[Claim]:
        rule = "CAL-RDY-02"
        for line in event["units"]:
            unit = self.position.units.get(line.get("unit", ""))
            if unit is None or unit.id in touched or unit.id in self.refreshed_units:
                continue  # twice in a round is a fault of its own
            before = line.get("tp_before", unit.tp)
            yield Claim(unit.id, unit.side, "tp_before", before, unit.tp, rule)
            yield Claim(unit.id, unit.side, "tp_after", line.get("tp_after", before + 2), before + 2, rule, before)
            touched[unit.id] = (rule, before + 2, before)

    def _of_move_models(self, event: Event, touched: Touched) -> Iterator[Claim]:
        position = self.position
        parent = position.units.get(event["unit"])
        if parent is None:
            return
        copied = rules.new_unit_tp(position, parent, event["cause"], self.ask)
        goes = {line["model"]: as_hex(line["to"]) for line in event["moves"]}
        goes = {model: h for model, h in goes.items() if h != parent.hex}
        stays = any(model not in goes for model in parent.models)
        unlisted = set(goes.values()) - {as_hex(line["hex"]) for line in event["units"]}
        for line in event["units"]:
            h = as_hex(line["hex"])
            host = position.unit_at(h)
            if h not in goes.values() and h != parent.hex and unlisted:
                continue  # the hex of a unit that the move made, written down wrongly
            if host is not None and host is not parent:
                key, rule, due = host.id, "CAL-CON-04" if h in goes.values() else BOOKS, host.tp
            elif h == parent.hex and stays:
                key, rule, due = parent.id, "CAL-CON-05", parent.tp
            elif h in goes.values():
                key, rule, due = str(line["unit"]), "CAL-CON-05", copied
            elif h != parent.hex:
                continue
            else:
                if "tp" in line:
                    yield Claim(f"nobody in {h}", parent.side, "units", 1, 0, "CAL-CON-05")
                continue
            touched[key] = (rule, due, None)
            if "tp" in line:
                side = host.side if host is not None else parent.side
                yield Claim(key, side, "tp", line["tp"], due, rule)

    def _of_attack(self, event: Event, touched: Touched) -> Iterator[Claim]:
        position = self.position
        unit, target = position.units.get(event["attacker"]), position.units.get(event["target"])
        if unit is None or target is None:
            return
        free = {"counter": "CAL-ASL-03", "flamer_follow_up": "CAL-CRT-04"}
        touched[unit.id] = (free.get(event.get("role", ""), BOOKS), unit.tp, None)
        crit = rules.the_crit(event)
        if crit is None or crit.get("effect") != SUPPRESS:
            return
        lost = min(1, target.tp)
        due = target.tp - lost
        touched[target.id] = (SUPPRESS, due, target.tp if lost else None)
        side = event["player"]  # an effect is its user's act
        if "tp_after" in crit and crit.get("tp_lost", 0) == 0 and crit["tp_after"] == target.tp and lost:
            yield Claim(target.id, side, "tp_after", target.tp, due, SUPPRESS, target.tp)
        if "tp_lost" in crit:
            idle = 0 if "tp_after" not in crit and lost else None
            yield Claim(target.id, side, "tp_lost", crit["tp_lost"], lost, SUPPRESS, idle)
        if "tp_after" in crit:
            yield Claim(target.id, side, "tp_after", crit["tp_after"], due, SUPPRESS)

    def _of_counter(self, event: Event, touched: Touched) -> Iterator[Claim]:
        yield from self._leaves_alone(event["unit"], "CAL-ASL-03", touched)

    def _of_retreat(self, event: Event, touched: Touched) -> Iterator[Claim]:
        yield from self._leaves_alone(event["unit"], "CAL-CON-05", touched)

    def _of_move_unit(self, event: Event, touched: Touched) -> Iterator[Claim]:
        yield from self._leaves_alone(
            event["unit"], "CAL-ASL-04" if event.get("cause") == "move_in" else BOOKS, touched
        )

    def _leaves_alone(self, key: str, rule: str, touched: Touched) -> Iterator[Claim]:
        unit = self.position.units.get(key)
        if unit is not None:
            touched[key] = (rule, unit.tp, None)
        yield from ()

    def _of_last_stand(self, event: Event, touched: Touched) -> Iterator[Claim]:
        key, rule = event["unit"], "CAL-DLS-02"
        side = str(event.get("player"))
        claimed = event.get("tp_after")
        if claimed is not None:
            yield Claim(key, side, "tp_after", claimed, 0, rule)
        touched[key] = (rule, 0, None)

    def _of_tp_loss(self, event: Event, touched: Touched) -> Iterator[Claim]:
        unit = self.position.units.get(event["unit"])
        if unit is None or unit.id not in event.get("tp", {}):
            return
        owners = {"crit": SUPPRESS, "last_stand": "CAL-DLS-02", "activation": "CAL-ACT-02"}
        rule, due = owners.get(str(event.get("cause")), BOOKS), unit.tp
        if unit.id not in self.held.losses:
            given = self.given(event)
            lost = given if given is not None else event.get("amount", 0)
            due = event.get("tp_after", max(0, event.get("tp_before", unit.tp) - lost))
        touched[unit.id] = (rule, due, None)
        yield Claim(unit.id, unit.side, "tp", event["tp"][unit.id], due, rule)

    def _of_card_play(self, event: Event, touched: Touched) -> Iterator[Claim]:
        unit = self.position.units.get(event.get("target", ""))
        if unit is not None:
            due = max(0, unit.tp + self.position.card_tps.get(event.get("card", ""), 0))
            touched[unit.id] = (BOOKS, due, None)
        yield from ()

    def _of_round_end(self, event: Event, touched: Touched) -> Iterator[Claim]:
        rule = "CAL-RND-01"
        units = self.position.units
        if any(unit.tp for unit in units.values()):
            # That the round ended too early is one finding, and names these numbers (CAL-RND-01).
            for unit in units.values():
                touched[unit.id] = (rule, event.get("tp", {}).get(unit.id, 0), None)
            return
        for unit in units.values():
            touched[unit.id] = (rule, 0, None)
        for key, claimed in event.get("tp_left", {}).items():
            left: Unit | None = units.get(key)
            if left is not None:
                yield Claim(key, left.side, "tp_left", claimed, 0, rule)
