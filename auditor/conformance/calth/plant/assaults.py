"""Faults in the middle of an assault: who strikes back, what that costs, and who makes a last stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from auditor.conformance.calth import referee as rules
from auditor.conformance.calth.board import Hex
from auditor.conformance.calth.plant.moment import CLOSING, Expected, Misdeed, Moment, Spoiler
from auditor.conformance.calth.position import Event, Unit
from auditor.conformance.calth.tables import option, other

if TYPE_CHECKING:
    from auditor.conformance.calth.plant.table import SpoiledTable

# Faults that SpoiledTable plants itself, by the functions below that it calls.
HERE = ("CAL-ASL-03", "CAL-ASL-03 target", "CAL-ASL-03 twice", "CAL-DLS-01 omitted", "CAL-DLS-01 illegal")


def struck_back_wrongly(table: SpoiledTable, unit: Unit, attacker: Unit) -> int | None:
    """A counter-attack that the rules do not allow, and how many models the attacker lost in it; None without one."""
    position = table.position
    friends = [u for u in position.side_units(unit.side) if u is not unit and _beside(table, u, attacker)]
    if friends and table.is_time_for("CAL-ASL-03"):
        text = "A unit that was not attacked made the counter-attack."
        table.plant("CAL-ASL-03", table.expect("CAL-ASL-03", "illegal", unit.side, text))
        return table.attack(friends[0], attacker, "melee", "counter")
    if unit.id not in position.units:
        return None
    others = [u for u in position.side_units(attacker.side) if u is not attacker and _beside(table, u, unit)]
    if others and table.is_time_for("CAL-ASL-03 target"):
        text = "The counter-attack was made on a unit that had not attacked."
        table.plant("CAL-ASL-03 target", table.expect("CAL-ASL-03", "illegal", unit.side, text))
        table.attack(unit, others[0], "melee", "counter")
        return 0  # models of third units do not count (CAL-RET-01)
    if table.is_time_for("CAL-ASL-03 twice"):
        lost = table.attack(unit, attacker, "melee", "counter")
        if unit.id in position.units and attacker.id in position.units:
            text = "A unit made two counter-attacks."
            table.plant("CAL-ASL-03 twice", table.expect("CAL-ASL-03", "illegal", unit.side, text))
            lost += table.attack(unit, attacker, "melee", "counter")
        return lost
    return None


def _beside(table: SpoiledTable, a: Unit, b: Unit) -> bool:
    return rules.adjacent(table.position, a.hex, b.hex)


def is_too_early(table: SpoiledTable) -> bool:
    """Whether a fault of a last stand is to come, and not in this round."""
    return any(name.startswith("CAL-DLS") and when > table.position.round for name, when in table.pending.items())


STANDS = ("CAL-DLS-01", "CAL-DLS-01 lost", "CAL-DLS-01 dice", "CAL-DLS-01 omitted", "CAL-DLS-02", "CAL-DLS-03")


def a_stand_is_wanted(table: SpoiledTable) -> bool:
    """Whether it is time for a fault of a last stand, and the table seeks one."""
    return table.seeks and any(table.is_time_for(name) for name in STANDS)


def corners(table: SpoiledTable, side: str) -> bool:
    """An Assault on a unit without room to retreat, or a Run towards the enemy; whether there was one."""
    position = table.position
    units = [unit for unit in position.side_units(side) if unit.tp >= 1]
    table.rng.shuffle(units)
    for unit in units:
        spots: list[Hex | None] = [None]
        if not rules.next_to_enemy(position, unit.hex, side):
            spots = [h for h in rules.advances(position, unit) if rules.next_to_enemy(position, h, side)]
        for spot in spots:
            for enemy in position.side_units(other(side)):
                if len(enemy.models) < 2 or not rules.adjacent(position, spot or unit.hex, enemy.hex):
                    continue
                ways = rules.retreat_hexes(position, enemy)
                room = sum(free for h, free in ways.items() if spot is None or not rules.adjacent(position, spot, h))
                if room < len(enemy.models) - 1:
                    table.assault(unit, spot, enemy)
                    return True
    for unit in units:
        paths = rules.runs(position, unit)
        if paths:
            table.move(unit, "run", paths)
            return True
    return False


def cast(event: Event, target: Unit) -> None:
    """Let the dice of an assault fall so that its target loses a model and keeps one."""
    count = len(event["roll"])
    hits = min(count, len(target.models)) if event["role"] == "assault" else 0
    event["roll"] = "H" * hits + "B" * (count - hits)


def faces_to_spoil(table: SpoiledTable, count: int) -> str:
    """The faces of a last stand that a fault which is due needs; none where any will do."""
    if table.is_time_for("CAL-DLS-02") or table.is_time_for("CAL-DLS-01 lost"):
        return "S" * count
    return "H" * count if table.is_time_for("CAL-DLS-01") or table.is_time_for("CAL-DLS-03") else ""


def forgets_to_stand(table: SpoiledTable, unit: Unit) -> bool:
    """Whether models that could not leave make no last stand."""
    name = "CAL-DLS-01 omitted"
    text = "Models that could not leave made no last stand."
    return table.is_time_for(name) and table.plant(
        name, Expected("CAL-DLS-01", "omitted", unit.side, text, at_next=CLOSING)
    )


def stands_elsewhere(table: SpoiledTable, models: list[str]) -> None:
    """A model that got away makes a last stand where it is now, if it is time for that."""
    away = table.position.unit_of(models[0])
    if away is not None and table.is_time_for("CAL-DLS-01 illegal"):
        text = "A model that had got away made a last stand."
        table.plant("CAL-DLS-01 illegal", table.expect("CAL-DLS-01", "illegal", away.side, text))
        table.write(
            "last_stand", away.side, unit=away.id, models=models[:1], faces="S", survivors=models[:1], tp_after=0
        )  # fmt: skip


def assault_from_afar(table: SpoiledTable, side: str) -> Expected | None:
    """An Assault on a unit that is not adjacent."""
    position = table.position
    units = [unit for unit in position.side_units(side) if unit.tp >= 1]
    table.rng.shuffle(units)
    for unit in units:
        far = [enemy for enemy in position.side_units(other(side)) if not _beside(table, unit, enemy)]
        if far:
            expected = table.expect("CAL-ASL-01", "illegal", side, "An Assault was made on a unit not adjacent.", 1)
            table.assault(unit, None, table.rng.choice(far))
            return expected
    return None


def _charged(at: Moment, rule: str, unit: Unit, text: str) -> Expected | None:
    if unit.tp < 1:
        return None
    at.event["tp"] = {unit.id: unit.tp - 1}
    return at.fault(rule, "miscalculated", unit.side, text, f"tp.{unit.id}", unit.tp - 1, unit.tp)


def counter_costs_a_tp(at: Moment) -> Expected | None:
    """A TP is taken for a counter-attack."""
    event = at.event
    if event["type"] != "attack" or event["role"] != "counter":
        return None
    return _charged(at, "CAL-ASL-03", at.position.units[event["attacker"]], "A TP was taken for a counter-attack.")


def move_in_costs_a_tp(at: Moment) -> Expected | None:
    """A TP is taken for the free move."""
    event = at.event
    if event["type"] != "move_unit" or event["cause"] != "move_in":
        return None
    return _charged(at, "CAL-ASL-04", at.position.units[event["unit"]], "A TP was taken for the free move.")


def vexilla_of_nobody(at: Moment) -> Expected | None:
    """Dice of a last stand are rolled again as if there were a vexilla."""
    event = at.event
    if event["type"] != "last_stand" or option(at.table.readings, "R-DLS-VEX") != "in_hex":
        return None
    failed = [i for i, face in enumerate(event["faces"]) if face != "S"]
    if not failed or rules.has_vexilla(at.position, at.position.units[event["unit"]].models):
        return None
    event["vexilla"] = {"model": event["models"][0], "indices": failed, "faces": at.table.roll(len(failed))}
    final = rules.final_faces(event["faces"], event)
    event["survivors"] = [m for m, face in zip(event["models"], final, strict=True) if face == "S"]
    event["tp_after"] = 0 if event["survivors"] else None
    text = "Dice of a last stand were rolled again without a Legion Vexilla."
    return at.fault("CAL-DLS-03", "illegal", event["player"], text)


SPOILERS: dict[str, tuple[str, Spoiler]] = {
    "CAL-ASL-03 miscalculated": ("write", counter_costs_a_tp),
    "CAL-ASL-04 miscalculated": ("write", move_in_costs_a_tp),
    "CAL-DLS-03": ("write", vexilla_of_nobody),
}

MISDEEDS: dict[str, Misdeed] = {"CAL-ASL-01 illegal": assault_from_afar}
