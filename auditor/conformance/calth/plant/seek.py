"""What a table does to come to an occasion for a fault that is due: whom it shoots at or fights, and how its dice fall.

All of it is legal play. The dice may fall in any way, and these fall so that there is something to spoil.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from math import gcd
from typing import TYPE_CHECKING

from auditor.conformance.calth import referee as rules
from auditor.conformance.calth.board import Hex
from auditor.conformance.calth.misjudged import ALONG, CORNER, DOOR_END, SEEN_THROUGH, THROUGH, rules_met
from auditor.conformance.calth.position import Event, Unit
from auditor.conformance.calth.sight import Scene
from auditor.conformance.calth.tables import (
    CANNON,
    CHAINFIST,
    CHAINSWORD,
    CLAWS,
    FIST,
    FLAMERS,
    FOLLOW_UP,
    MELT,
    MISSILE,
    PISTOLS,
    PLASMA,
    SUPPRESS,
    SWORD,
    WEAPONS,
    other,
)

if TYPE_CHECKING:
    from auditor.conformance.calth.plant.table import SpoiledTable

Line = Callable[["SpoiledTable", Unit, Unit], bool]


# ------------------------------------------------------------------ who, and at whom


def anybody(table: SpoiledTable, unit: Unit, target: Unit) -> bool:
    """Any unit against any other."""
    return True


def meets_only(rule: str) -> Line:
    """Lines that meet what this rule speaks of and nothing of another rule; for CAL-LOS-01 nothing at all will do too."""

    def line(table: SpoiledTable, unit: Unit, target: Unit) -> bool:
        met = rules_met(rules.scene(table.position, unit, target, table.readings))
        return met == [rule] or (rule == THROUGH and not met)

    return line


def at_two_models(table: SpoiledTable, unit: Unit, target: Unit) -> bool:
    """At a unit of two models or more."""
    return len(target.models) > 1


def in_rubble(table: SpoiledTable, unit: Unit, target: Unit) -> bool:
    """At a unit in rubble."""
    return table.position.board.is_rubble(target.hex)


def two_in_rubble(table: SpoiledTable, unit: Unit, target: Unit) -> bool:
    """At two models or more in rubble."""
    return in_rubble(table, unit, target) and len(target.models) > 1


def behind_a_barricade(table: SpoiledTable, unit: Unit, target: Unit) -> bool:
    """At a unit in whose hex there is a barricade."""
    return any((target.hex, k) in table.position.board.barricades for k in range(6))


def at_the_walker(table: SpoiledTable, unit: Unit, target: Unit) -> bool:
    """At the model that the Damage deck stands for."""
    return table.position.models[target.models[0]].has_damage_deck


def with_tps(count: int) -> Line:
    """At a unit with so many TPs."""

    def line(table: SpoiledTable, unit: Unit, target: Unit) -> bool:
        return target.tp >= count

    return line


def tough(table: SpoiledTable, unit: Unit, target: Unit) -> bool:
    """At a unit in which every model has a Stamina of two or more."""
    return all(table.position.models[m].stamina > 1 for m in target.models)


def two_tough(table: SpoiledTable, unit: Unit, target: Unit) -> bool:
    """At two models or more of a Stamina of two or more."""
    return tough(table, unit, target) and len(target.models) > 1


def by_a_bearer(wargear: str) -> Line:
    """By a unit with this wargear."""

    def line(table: SpoiledTable, unit: Unit, target: Unit) -> bool:
        return any(wargear in table.position.models[m].wargear for m in unit.models)

    return line


def plainly_armed(table: SpoiledTable, unit: Unit, target: Unit) -> bool:
    """By a unit none of whose ranged weapons cares for the distance."""
    carried = [WEAPONS[w] for _, w in rules.intact(table.position, unit)]
    return not any(w.limit is not None or w.effect_range is not None for w in carried if w.kind == "ranged")


def _steps(table: SpoiledTable, unit: Unit, target: Unit) -> int | None:
    return rules.distance(table.position, unit.hex, target.hex, table.readings)


def with_a_pistol_to_forget(table: SpoiledTable, unit: Unit, target: Unit) -> bool:
    """With one weapon that reaches three hexes, another beside it, and the target within three."""
    shooting = rules.shooting_weapons(table.position, unit, _steps(table, unit, target), "shoot")
    return len(shooting) > 1 and any(WEAPONS[w].limit is not None for _, w in shooting)


def with_a_pistol_too_short(table: SpoiledTable, unit: Unit, target: Unit) -> bool:
    """With a weapon that does not reach the target."""
    steps = _steps(table, unit, target)
    carried = rules.intact(table.position, unit)
    return any(WEAPONS[w].kind == "ranged" and not rules.within(steps, WEAPONS[w].limit) for _, w in carried)


def _other_enemies(table: SpoiledTable, unit: Unit, target: Unit) -> list[Unit]:
    """The enemies beside the target that are within three hexes of the shooter."""
    enemies = [e for e in table.position.side_units(other(unit.side)) if e is not target]
    return [e for e in enemies if rules.within(_steps(table, unit, e), 3)]


def with_an_enemy_apart(table: SpoiledTable, unit: Unit, target: Unit) -> bool:
    """With another enemy in reach of the flamers that is not next to the target."""
    enemies = _other_enemies(table, unit, target)
    return any(not rules.adjacent(table.position, target.hex, e.hex) for e in enemies)


def with_an_enemy_beside(table: SpoiledTable, unit: Unit, target: Unit) -> bool:
    """With another enemy in reach of the flamers next to the target, and a weapon that is no flamer."""
    carried = rules.intact(table.position, unit)
    if not any(WEAPONS[w].kind == "ranged" and w not in FLAMERS for _, w in carried):
        return False
    enemies = _other_enemies(table, unit, target)
    return any(rules.adjacent(table.position, target.hex, e.hex) for e in enemies)


def with_a_pistol(table: SpoiledTable, unit: Unit, target: Unit) -> bool:
    """By a unit with a pistol."""
    return any(w in PISTOLS for _, w in rules.intact(table.position, unit))


# ------------------------------------------------------------------ how the dice fall


def with_a_critical(roll: str) -> str:
    """A roll that shows a critical."""
    return roll if "C" in roll else "C" + roll[1:]


def without_criticals(roll: str) -> str:
    """A roll that shows none."""
    return roll.replace("C", "H")


def without_hits(roll: str) -> str:
    """A roll that hits nothing."""
    return roll.translate({ord("C"): "B", ord("H"): "S"})


def with_misses(roll: str) -> str:
    """A roll with a critical and, where there are dice enough, two misses."""
    return "CSB"[: len(roll)] + roll[3:]


def of_hits(roll: str) -> str:
    """A roll of hits, a critical before them."""
    return "C" + "H" * (len(roll) - 1)


def of_two_hits(roll: str) -> str:
    """A roll of two hits, a critical one before the other."""
    return ("CH" + "B" * len(roll))[: len(roll)]


def of_criticals(roll: str) -> str:
    """A roll of criticals."""
    return "C" * len(roll)


# ------------------------------------------------------------------ what is sought


@dataclass(frozen=True)
class Sought:
    """An attack that gives an occasion: by whom at whom, with which effect, and how its roll falls.

    `kind` is the class of a shot that will do, "" where any will; `vexilla` says whether one must be raised or must not;
    `rule` is the one rule of sight that may speak of what the line meets.
    """

    mode: str
    line: Line = anybody
    effect: str | None = None
    roll: Callable[[str], str] | None = None
    kind: str = ""
    vexilla: bool | None = None
    rule: str = ""


def shot(
    line: Line = anybody, effect: str | None = None, roll: Callable[[str], str] | None = None, kind: str = ""
) -> Sought:
    """A ranged attack; one with an effect shows a critical in a clear shot."""
    if effect is not None:
        return Sought("ranged", line, effect, roll or with_a_critical, kind or "clear")
    return Sought("ranged", line, None, roll, kind)


def shot_along(rule: str, kind: str = "") -> Sought:
    """A ranged attack along a line of which this rule of sight speaks, and no other."""
    return Sought("ranged", meets_only(rule), kind=kind, rule=rule)


def fight(
    line: Line = anybody,
    effect: str | None = None,
    roll: Callable[[str], str] | None = None,
    vexilla: bool | None = None,
) -> Sought:
    """A melee attack; one with an effect shows a critical."""
    return Sought("melee", line, effect, roll or (with_a_critical if effect is not None else None), "", vexilla)


SOUGHT: dict[str, Sought] = {
    "CAL-DST-01": shot(plainly_armed),
    "CAL-LOS-01": shot_along(THROUGH, kind="clear"),
    "CAL-LOS-01 clear": shot_along(THROUGH, kind="obscured"),
    "CAL-LOS-02": shot_along(ALONG),
    "CAL-LOS-03": shot_along(CORNER, kind="clear"),
    "CAL-LOS-04": shot_along(DOOR_END),
    "CAL-LOS-05": shot_along(SEEN_THROUGH, kind="clear"),
    "CAL-OBS-01 miscalculated": shot(kind="obscured"),
    "CAL-OBS-02": shot(kind="obscured"),
    "CAL-OBS-03": Sought("ranged", effect=SUPPRESS, roll=with_a_critical, kind="obscured"),
    "CAL-SHT-02": shot(with_a_pistol_too_short),
    "CAL-SHT-02 miscalculated": shot(with_a_pistol_to_forget),
    "CAL-DEF-02": shot(in_rubble),
    "CAL-DEF-03": shot(behind_a_barricade),
    "CAL-DEF-04": shot(two_in_rubble, roll=of_hits),
    "CAL-ATK-07": fight(at_two_models, roll=of_hits),
    "CAL-RNG-01": shot(),
    "CAL-ATK-01": fight(),
    "CAL-ATK-02": shot(),
    "CAL-MEL-01": fight(),
    "CAL-WAR-01": fight(by_a_bearer("grenade_harness")),
    "CAL-WAR-02": fight(roll=with_misses),
    "CAL-WAR-02 ranged": shot(by_a_bearer("legion_vexilla"), roll=with_misses),
    "CAL-ATK-10": Sought("melee", by_a_bearer("legion_vexilla"), SWORD, with_misses, vexilla=False),
    "CAL-CRT-01": Sought("ranged", effect=SUPPRESS, roll=without_criticals, kind="clear"),
    "CAL-CRT-02": fight(with_a_pistol, roll=with_a_critical),
    "CAL-CRT-03": shot(with_tps(2), SUPPRESS),
    "CAL-CRT-03 omitted": shot(with_tps(1), SUPPRESS),
    "CAL-CRT-04": shot(with_an_enemy_apart, FOLLOW_UP),
    "CAL-CRT-04 miscalculated": shot(with_an_enemy_beside, FOLLOW_UP),
    "CAL-CRT-05": shot(effect=MELT),
    "CAL-CRT-05 later": shot(at_two_models, MELT, of_hits),
    "CAL-CRT-06": shot(effect=CANNON, roll=with_misses),
    "CAL-CRT-06 omitted": shot(effect=CANNON, roll=of_criticals),
    "CAL-CRT-06 miscalculated": shot(effect=CANNON),
    "CAL-CRT-07": shot(effect=MISSILE),
    "CAL-CRT-08": shot(effect=PLASMA),
    "CAL-CRT-08 miscalculated": shot(effect=PLASMA),
    "CAL-CRT-09": fight(effect=FIST),
    "CAL-CRT-09 later": fight(at_two_models, FIST, of_hits),
    "CAL-CRT-10": fight(effect=CHAINSWORD),
    "CAL-CRT-11": fight(effect=CLAWS, vexilla=False),
    "CAL-DIE-02": fight(by_a_bearer("legion_vexilla"), CLAWS, with_misses, vexilla=True),
    "CAL-DIE-02 miscalculated": fight(by_a_bearer("legion_vexilla"), roll=with_misses, vexilla=True),
    "CAL-CRT-12": fight(tough, CHAINFIST, of_hits),
    "CAL-CRT-13": fight(effect=SWORD),
    "CAL-CRT-14": fight(at_two_models, SWORD, of_hits),
    "CAL-CRT-14 Stamina": fight(two_tough, CHAINFIST, of_hits),
    "CAL-SOR-01": fight(at_the_walker, roll=of_hits),
    "CAL-SOR-02": fight(at_the_walker, roll=of_two_hits),
    "CAL-SOR-01 omitted": fight(at_the_walker, roll=of_hits),
    "CAL-OBS-02 one": shot(kind="obscured"),
    "CAL-DEF-02 two": shot(in_rubble),
    "CAL-DEF-03 one": shot(behind_a_barricade),
    "CAL-DEF-04 more": shot(two_in_rubble, roll=of_hits),
    "CAL-ATK-01 pistol forgotten": fight(with_a_pistol),
    "CAL-WAR-01 fewer": fight(by_a_bearer("grenade_harness")),
    "CAL-CRT-02 of another": shot(with_tps(1), SUPPRESS),
    "CAL-CRT-03 more left": shot(with_tps(1), SUPPRESS),
    "CAL-CRT-07 fewer": shot(effect=MISSILE),
    "CAL-CRT-08 another": shot(effect=PLASMA),
    "CAL-CRT-08 five": shot(effect=PLASMA),
    "CAL-CRT-08 for nothing": shot(effect=PLASMA),
    "CAL-CRT-09 some": fight(effect=FIST),
    "CAL-CRT-10 fewer": fight(effect=CHAINSWORD),
    "CAL-CRT-11 five": fight(effect=CLAWS, vexilla=False),
    "CAL-CRT-13 less": fight(effect=SWORD),
    "CAL-ATK-04 of another": fight(at_two_models),
    "CAL-ATK-06 more left": fight(roll=of_hits),
    "CAL-ATK-06 less left": fight(roll=of_hits),
    "CAL-OBS-02 counted twice": shot(kind="obscured"),
    "CAL-DEF-03 counted twice": shot(behind_a_barricade),
    "CAL-ATK-01 pistols counted twice": fight(with_a_pistol),
    "CAL-MEL-01 counted twice": fight(),
    "CAL-WAR-01 counted twice": fight(by_a_bearer("grenade_harness")),
    "CAL-CRT-07 added twice": shot(effect=MISSILE),
    "CAL-CRT-08 added twice": shot(effect=PLASMA),
    "CAL-CRT-10 added twice": fight(effect=CHAINSWORD),
    "CAL-CRT-03 taken again": shot(with_tps(2), SUPPRESS),
}

# Whole acts, for which shooters are needed.
SHOTS_PLAYED_WHOLE = ("CAL-SHT-01", "CAL-SHT-01 friends", "CAL-SHT-01 no dice", "CAL-OBS-01")
KNOWN = {*SOUGHT, *SHOTS_PLAYED_WHOLE}


def sought_now(table: SpoiledTable, mode: str) -> Iterator[Sought]:
    """The attacks of this mode that would give an occasion for a fault that is due."""
    for name in table.pending if table.seeks else ():
        sought = SOUGHT.get(name)
        if sought is not None and sought.mode == mode and table.is_time_for(name):
            yield sought


def waits(table: SpoiledTable, mode: str = "") -> bool:
    """Whether an attack (of this mode) is sought, and its round is still to come."""
    later = [name for name, turn in table.pending.items() if turn > table.position.round]
    modes = {"ranged" if name in SHOTS_PLAYED_WHOLE else SOUGHT[name].mode for name in later if name in KNOWN}
    return table.seeks and (mode in modes if mode else bool(modes))


def has_effect(table: SpoiledTable, unit: Unit, effect: str | None) -> bool:
    """Whether a unit carries a weapon with this effect."""
    return effect is None or any(WEAPONS[w].effect == effect for _, w in rules.intact(table.position, unit))


def acts(table: SpoiledTable, side: str) -> bool:
    """One activation that gives an occasion, or leads to one; whether there was any."""
    return any(
        _shoots(table, side, sought) or _takes_position(table, side, sought) for sought in sought_now(table, "ranged")
    ) or any(_fights(table, side, sought) or _closes_in(table, side, sought) for sought in sought_now(table, "melee"))


def _ready(table: SpoiledTable, side: str, sought: Sought) -> list[Unit]:
    """The units that could make the attack, in a chance order."""
    units = [u for u in table.position.side_units(side) if u.tp >= 1 and has_effect(table, u, sought.effect)]
    table.rng.shuffle(units)
    return units


def _shoots(table: SpoiledTable, side: str, sought: Sought) -> bool:
    position = table.position
    enemies = position.side_units(other(side))
    table.rng.shuffle(enemies)
    free = [u for u in _ready(table, side, sought) if not rules.next_to_enemy(position, u.hex, side)]
    for unit, target in product(free, enemies):
        if sought.rule in (ALONG, CORNER, DOOR_END) and not touches_corners(unit.hex, target.hex):
            continue
        if not sought.line(table, unit, target):
            continue
        found = table.look_at(unit, target)
        if found is None or sought.kind not in ("", found[0].kind):
            continue
        if sought.line is behind_a_barricade and not found[0].barricade:
            continue
        if sought.effect is not None and not _reaches(table, unit, sought.effect, found[1]):
            continue
        table.shoot(unit, target, *found)
        return True
    return False


def touches_corners(a: Hex, b: Hex) -> bool:
    """Whether the line between two hex centres meets corners of hexes on its way."""
    dq, dr = b[0] - a[0], b[1] - a[1]
    n = gcd(dq, dr)
    return (dq // n - dr // n) % 3 == 0


def _takes_position(table: SpoiledTable, side: str, sought: Sought) -> bool:
    """A move to a hex from which there is a line as it is sought, by a unit that can shoot afterwards."""
    if sought.rule not in (ALONG, CORNER, DOOR_END):
        return False
    position = table.position
    enemies = position.side_units(other(side))
    for unit in _ready(table, side, sought):
        paths = rules.runs(position, unit) if unit.tp > 1 else []
        table.rng.shuffle(paths)
        for path, target in product(paths, enemies):
            h = path[-1]
            if h == unit.hex or not touches_corners(h, target.hex) or rules.next_to_enemy(position, h, side):
                continue
            left = position.occupied() - {unit.hex}
            if rules_met(Scene(position.board, h, target.hex, left, position.sealed, table.readings)) == [sought.rule]:
                table.move(unit, "run", [path])
                return True
    return False


def _reaches(table: SpoiledTable, unit: Unit, effect: str, steps: int | None) -> bool:
    """Whether a weapon with this effect shoots so far, and has its effect there."""
    shooting = rules.shooting_weapons(table.position, unit, steps, "shoot")
    return any(WEAPONS[w].effect == effect and rules.within(steps, WEAPONS[w].effect_range) for _, w in shooting)


def _fights(table: SpoiledTable, side: str, sought: Sought) -> bool:
    position = table.position
    for unit in _ready(table, side, sought):
        if rules.next_to_enemy(position, unit.hex, side):
            spots: list[Hex | None] = [None]
        else:
            spots = [h for h in rules.advances(position, unit) if rules.next_to_enemy(position, h, side)]
        for spot, target in product(spots, position.side_units(other(side))):
            if rules.adjacent(position, spot or unit.hex, target.hex) and sought.line(table, unit, target):
                table.assault(unit, spot, target)
                return True
    return False


def _closes_in(table: SpoiledTable, side: str, sought: Sought) -> bool:
    """A Run towards the enemy by a unit that could make the attack."""
    for unit in _ready(table, side, sought):
        paths = rules.runs(table.position, unit)
        if paths:
            table.move(unit, "run", paths)
            return True
    return False


# ------------------------------------------------------------------ inside an attack


def cast(table: SpoiledTable, event: Event, unit: Unit, target: Unit) -> None:
    """Let the dice of an attack fall as a fault that is due needs them."""
    for sought in sought_now(table, event["mode"]):
        if sought.roll is not None and event["roll"] and has_effect(table, unit, sought.effect):
            if sought.line(table, unit, target):
                event["roll"] = sought.roll(event["roll"])
                return
    strikes_back = event["role"] == "counter" and any(True for _ in sought_now(table, "melee"))
    if strikes_back or (waits(table) and table.chance(0.8)):
        # Most of the models are still needed.
        event["roll"] = without_hits(event["roll"])


def drop_shields(table: SpoiledTable, event: Event, unit: Unit, target: Unit) -> None:
    """Let no shield show in the newest defence roll, where a fault that is due needs models that fall."""
    for sought in sought_now(table, event["mode"]):
        if (
            sought.roll in (of_hits, of_two_hits)
            and has_effect(table, unit, sought.effect)
            and sought.line(table, unit, target)
        ):
            step = event["steps"][-1]
            step["faces"], step["shields"] = step["faces"].replace("S", "B"), 0
            return


def weapon_for(table: SpoiledTable, event: Event) -> tuple[str, str] | None:
    """The weapon whose effect gives an occasion in this attack, if one may be used."""
    open_ = rules.effects_open(table.position, event, table.readings)
    for sought in sought_now(table, event["mode"]):
        for pair in open_:
            if WEAPONS[pair[1]].effect == sought.effect:
                return pair
    return None


def vexilla_wanted(table: SpoiledTable, event: Event) -> bool | None:
    """Whether a vexilla must be raised in this attack, or must not; None where it does not matter."""
    return next((sought.vexilla for sought in sought_now(table, event["mode"]) if sought.vexilla is not None), None)
