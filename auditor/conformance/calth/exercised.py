"""Which rules of the catalogue a log calls for: a count of what a game exercises, not a judgement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

from auditor.conformance.calth import referee as rules
from auditor.conformance.calth.adoption import apply
from auditor.conformance.calth.board import as_hex, edge_of, neighbours
from auditor.conformance.calth.packs import Packs
from auditor.conformance.calth.position import Event, Position, opening
from auditor.conformance.calth.sight import centre, chord, corner, cross, edge_ends, hexes_near, minus, time_of
from auditor.conformance.calth.tables import CANNON, MELT, PISTOLS, SIDES, WEAPONS, Readings


def exercised(lines: Sequence[Event], packs: Packs | None = None) -> set[str]:
    """The rules for which something happens in a log that they decide, under the readings of its header."""
    header = (packs or Packs()).inlined(lines[0])
    readings = header.get("rulings", {}).get("readings", {})
    position = opening(header)
    found: set[str] = set()
    for event in lines[1:]:
        found |= set(called_for(position, event, readings))
        apply(position, event, readings)
    return found


def called_for(position: Position, event: Event, readings: Readings) -> Iterator[str]:
    """The rules that one event calls for."""
    name = event["type"]
    if name == "game_start":
        yield "CAL-SET-01"
    elif name == "place":
        yield from ("CAL-SET-01", "CAL-SET-02", "CAL-HEX-01", "CAL-HEX-07")
    elif name == "door":
        yield "CAL-SET-03"
    elif name == "initiative":
        yield from ("CAL-INI-01", "CAL-DIE-01")
        if len(event.get("attempts", ())) > 1:
            yield from ("CAL-INI-02", "CAL-DIE-02")
    elif name == "card_draw":
        yield from ("CAL-RDY-01", "CAL-RDY-03")
    elif name == "tp_refresh":
        yield "CAL-RDY-02"
    elif name == "activate":
        yield from ("CAL-ACT-01", "CAL-ACT-02", "CAL-ACT-03", "CAL-ACT-05")
        if not all(position.has_tp(side) for side in SIDES):
            yield "CAL-ACT-04"
        unit = position.units[event["unit"]]
        if rules.next_to_enemy(position, unit.hex, unit.side):
            yield "CAL-PIN-01"
    elif name == "pass":
        yield "CAL-ACT-04"
    elif name == "round_end":
        yield "CAL-RND-01"
    elif name == "campaign_end":
        yield from ("CAL-CMP-01", "CAL-CMP-02")
    elif name == "move_unit":
        yield from moved(position, event)
    elif name == "move_models":
        yield from models_moved(position, event)
    elif name == "retreat":
        yield "CAL-RET-01"
    elif name == "last_stand":
        yield from ("CAL-DLS-01", "CAL-DLS-02", "CAL-RET-03", "CAL-DIE-01")
        if "vexilla" in event:
            yield from ("CAL-DLS-03", "CAL-WAR-02", "CAL-DIE-02")
    elif name == "counter":
        yield "CAL-ASL-03"
    elif name == "attack":
        yield from attacked(position, event, readings)


def moved(position: Position, event: Event) -> Iterator[str]:
    """The rules of a unit's move."""
    yield from ("CAL-HEX-01", "CAL-HEX-04", "CAL-HEX-06")
    path = rules.path_of(event)
    side = event["player"]
    cause = event["cause"]
    if any(h not in position.board.kinds for h in neighbours(path[0])):
        yield "CAL-HEX-02"
    if any(edge_of(a, b) in position.board.doors for a, b in pairwise(path)):
        yield "CAL-HEX-05"
    if any(position.board.is_rubble(h) for h in path[1:]):
        yield "CAL-HEX-03"
    if cause == "advance":
        yield "CAL-ADV-01"
    elif cause == "run":
        yield from ("CAL-RUN-01", "CAL-PIN-01")
        if any(rules.next_to_enemy(position, h, side) for h in path[1:]):
            yield "CAL-RUN-02"
        if any(position.board.is_rubble(h) for h in path[1:]):
            yield "CAL-RUN-03"
    elif cause == "assault_pre":
        yield "CAL-ASL-02"
    elif cause == "move_in":
        yield "CAL-ASL-04"


def models_moved(position: Position, event: Event) -> Iterator[str]:
    """The rules of a Consolidate or a retreat."""
    yield from ("CAL-CON-01", "CAL-CON-02", "CAL-CON-03", "CAL-HEX-04", "CAL-HEX-07")
    if event["cause"] == "retreat":
        yield from ("CAL-RET-02", "CAL-RET-03")
    for line in event["moves"]:
        yield "CAL-CON-05" if position.unit_at(as_hex(line["to"])) is None else "CAL-CON-04"


def attacked(position: Position, event: Event, readings: Readings) -> Iterator[str]:
    """The rules of an attack."""
    unit, target = position.units[event["attacker"]], position.units[event["target"]]
    carried = {w for _, w in rules.intact(position, unit)}
    yield from ("CAL-DIE-01", "CAL-ATK-03", "CAL-ATK-10")
    if event["mode"] == "melee":
        yield from ("CAL-ATK-01", "CAL-ASL-01" if event["role"] == "assault" else "CAL-ASL-03", "CAL-RET-01")
        if any(WEAPONS[w].kind == "melee" for w in carried):
            yield "CAL-MEL-01"
        if event["dice"]["harness"]:
            yield "CAL-WAR-01"
        if "vexilla" in event:
            yield from ("CAL-WAR-02", "CAL-DIE-02")
    else:
        yield from ("CAL-ATK-02", "CAL-RNG-01", "CAL-DST-01", "CAL-SHT-01", "CAL-LOS-01")
        if any(WEAPONS[w].limit for w in carried) or carried & set(PISTOLS):
            yield "CAL-SHT-02"
        yield from sighted(position, event)
    crit = rules.the_crit(event)
    if crit is not None:
        yield from ("CAL-CRT-01", "CAL-CRT-02", crit["effect"])
        if crit["effect"] in (CANNON, "CAL-CRT-11"):
            yield "CAL-DIE-02"
    if event["role"] == "flamer_follow_up":
        yield "CAL-CRT-04"
    steps = event["steps"]
    if steps:
        yield from ("CAL-ATK-05", "CAL-ATK-06", "CAL-ATK-07")
    if len(steps) > 1 and rules.first_target_effect(event, 0) is not None:
        yield "CAL-CRT-14"
    falls: Counter[str] = Counter()
    for step in steps:
        if "damage_card" in step:
            yield "CAL-SOR-01"
            if event["mode"] == "melee":
                yield "CAL-SOR-02"
        else:
            yield "CAL-ATK-04"
            falls[target.id] += step["casualty"]
    if any(falls.values()):
        yield "CAL-ATK-08"
    if (
        crit is not None
        and crit["effect"] == MELT
        and not rules.within(event["los"]["distance"], WEAPONS[crit["weapon"]].effect_range)
    ):
        yield "CAL-DST-01"


def sighted(position: Position, event: Event) -> Iterator[str]:
    """The rules of sight and defence of a ranged attack."""
    unit, target = position.units[event["attacker"]], position.units[event["target"]]
    los = event["los"]
    bonuses = los["bonuses"]
    if los["class"] == "obscured":
        yield from ("CAL-OBS-01", "CAL-OBS-02", "CAL-OBS-03")
    if bonuses["rubble"]:
        yield "CAL-DEF-02"
    if position.board.barricades:
        yield "CAL-DEF-03"
    if sum(n > 0 for n in bonuses.values()) > 1:
        yield "CAL-DEF-04"
    s, d = centre(unit.hex), minus(centre(target.hex), centre(unit.hex))
    for h in hexes_near(s, d, Fraction(1)):
        if h in (unit.hex, target.hex):
            continue
        crossed = chord(h, s, d)
        if crossed is not None and 0 < crossed[0] < 1 and position.board.is_rubble(h):
            yield "CAL-LOS-05"
        on_line = [k for k in range(6) if cross(d, minus(corner(h, k), s)) == 0]
        within = [k for k in on_line if 0 < time_of(corner(h, k), s, d) < 1]
        if position.board.is_shut(h) or h in position.occupied():
            if len(within) == 2:
                yield "CAL-LOS-02"
            elif len(within) == 1 and crossed is None:
                yield "CAL-LOS-03"
    for edge in position.sealed:
        ends = [cross(d, minus(end, s)) for end in edge_ends(edge)]
        for end, side in zip(edge_ends(edge), ends, strict=True):
            if side == 0 and 0 < time_of(end, s, d) < 1:
                yield "CAL-LOS-04"
