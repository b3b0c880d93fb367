"""One step from a fault: the Psychic Phase, and tests of Leadership."""

from __future__ import annotations

from collections.abc import Iterator

from auditor.conformance.clx.near.watch import Look, Near, Watch, within_one
from auditor.conformance.clx.table import Json, Model, Table

NEAR: Near = {
    "primaris swapped": ("CLX-PSY-01", "the primaris power swapped for one that costs as much, or is kept beside one"),
    "costs by one": ("CLX-PSY-02", "powers that cost the whole roll of lore, or one less"),
    "two shares": ("CLX-PSY-03", "lore split between two disciplines"),
    "charges of level 2": ("CLX-PSY-04", "warp charges of a psyker of level 2 or more"),
    "charges to dispel": ("CLX-PSY-05", "charges to dispel given beside some to cast"),
    "last charge": ("CLX-PSY-06", "a cast or dispel that takes the last charge, or leaves one"),
    "cast by one": ("CLX-PSY-07", "a cast that reaches exactly the casting level, or misses it by one"),
    "level 11": ("CLX-PSY-08", "a power known whose casting level is the least allowed"),
    "sixes": ("CLX-PSY-09", "casting dice with exactly one 6 of several, or exactly two"),
    "dispel by one": ("CLX-PSY-10", "a dispel roll equal to the casting roll, one above or one below"),
    "dispelling sixes": ("CLX-PSY-11", "dice to dispel with exactly one 6 of several, or exactly two"),
    "charges are left": ("CLX-PSY-12", "a resistance though its player has psykers, none of whom dispelled"),
    "resisted by one": ("CLX-PSY-13", "a resistance that shows the number needed, or one less"),
    "pinning alone": ("CLX-SUPP-01", "a pinning test for hits of which none cost a wound"),
    "pinned by one": ("CLX-SUPP-03", "a pinning test passed exactly, or failed by one"),
    "shaken by one": ("CLX-MOR-01", "a Morale Check after shooting passed exactly or failed by one, or for one wound"),
    "lost by one": (
        "CLX-MOR-02",
        "a Morale Check after combat passed exactly or failed by one, or a combat lost by one",
    ),
    "from the rear": ("CLX-ASLT-07a", "a Morale Check of a unit in the turn in which it was charged"),
    "charged in fear": ("CLX-USR-10", "a unit charged by one that it fears, or that is as fearsome"),
    "afraid by one": ("CLX-USR-11", "a test for fear passed exactly or failed by one"),
    "three dice": ("CLX-USR-16", "a test of a unit with Hatred"),
    "prone all the same": (
        "CLX-USR-17",
        "a unit presses on, which asks for a test, drops without a hit, or tests by one",
    ),
    "spotted by one": ("CLX-USR-05", "an attempt to spot that is equal, or one ahead"),
    "auspex rolls": ("CLX-USR-06", "a reroll to spot of a unit with an auspex that is equal or at most two off"),
    "test by one": ("CLX-MISC-01", "a characteristic test that shows the value, one more, or a 6"),
}


def _lore(watch: Watch, t: Table, event: Json, tag: Json) -> Iterator[str]:
    powers = [t.powers[name] for name in event["known"]]
    cost = sum(power["mastery_cost"] for power in powers)
    if tag["swapped"] or sum(bool(power.get("primaris")) for power in powers) < len(powers):
        yield "primaris swapped"
    if sum(event["dice"]) - cost in (0, 1):
        yield "costs by one"
    if len(set(event["allocation"])) > 1:
        yield "two shares"
    if any(power["casting_level"] == 11 for power in powers):
        yield "level 11"


def _level(t: Table, name: str) -> tuple[Model, int]:
    for unit in t.units.values():
        for model in unit.models:
            if model.id == name:
                return model, int(model.entry["psyker"]["ML"])
    raise LookupError(name)


def _charge(watch: Watch, t: Table, event: Json, tag: Json) -> Iterator[str]:
    if event["role"] == "attack":
        watch.charges += event["claimed_charges"]
        if _level(t, event["psyker"])[1] > 1:
            yield "charges of level 2"
    else:
        watch.answers += event["claimed_charges"]
        if watch.charges:
            yield "charges to dispel"


def _sixes(dice: list[int]) -> bool:
    return len(dice) > 1 and dice.count(6) in (1, 2)


def _cast(watch: Watch, t: Table, event: Json, tag: Json) -> Iterator[str]:
    watch.cast_dice = event["dice"]
    watch.charges -= len(event["dice"])
    if watch.charges <= 1:
        yield "last charge"
    if event["claimed_total"] - tag["level"] in (0, -1):
        yield "cast by one"
    if _sixes(event["dice"]):
        yield "sixes"


def _dispel(watch: Watch, t: Table, event: Json, tag: Json) -> Iterator[str]:
    watch.answers -= len(event["dice"])
    if watch.answers <= 1:
        yield "last charge"
    if abs(sum(event["dice"]) - sum(watch.cast_dice)) <= 1:
        yield "dispel by one"
    if _sixes(event["dice"]):
        yield "dispelling sixes"


def _resist(watch: Watch, t: Table, event: Json, tag: Json) -> Iterator[str]:
    if watch.answers:
        yield "charges are left"
    if event["claimed_needed"] - event["die"] in (0, 1):
        yield "resisted by one"


def _pinning(watch: Watch, t: Table, event: Json, tag: Json) -> Iterator[str]:
    if event["claimed_modifier"] == 0:
        yield "pinning alone"
    if within_one(sum(event["dice"]), tag["limit"]):
        yield "pinned by one"


def _morale(watch: Watch, t: Table, event: Json, tag: Json) -> Iterator[str]:
    unit = t.units[event["unit"]]
    close = within_one(sum(sorted(event["dice"])[:2]), tag["limit"]) or event["claimed_modifier"] == -1
    if event["cause"] == "combat":
        if close:
            yield "lost by one"
        if any(foe.charged == unit.id for foe in t.enemies(unit)):
            yield "from the rear"
    elif close:
        yield "shaken by one"
    if len(event["dice"]) == 3 or any(rule.startswith("hatred:") for rule in unit.rules):
        yield "three dice"


def _prone(watch: Watch, t: Table, event: Json, tag: Json) -> Iterator[str]:
    unit = t.units[event["unit"]]
    if event["choice"] == "press" or (unit.attacks and unit.attacks[-1]["hits"] == 0):
        yield "prone all the same"


def _leadership(watch: Watch, t: Table, event: Json, tag: Json) -> Iterator[str]:
    if event["cause"] == "prone" and within_one(sum(event["dice"]), t.units[event["unit"]].ld):
        yield "prone all the same"
    if event["cause"].startswith("fear"):
        if event["cause"] == "fear_charged":
            yield "charged in fear"
        elif within_one(sum(sorted(event["dice"])[:2]), tag["limit"]):
            yield "afraid by one"
        if len(event["dice"]) == 3:
            yield "three dice"


def _spot(watch: Watch, t: Table, event: Json, tag: Json) -> Iterator[str]:
    if tag["ahead"] in (0, 1):
        yield "spotted by one"
    if event.get("reroll_spotter") is not None and abs(tag["ahead"]) <= 2:
        yield "auspex rolls"


def _characteristic(watch: Watch, t: Table, event: Json, tag: Json) -> Iterator[str]:
    value = t.units[event["unit"]].living[0].n(event["characteristic"])
    if event["die"] == 6 or within_one(event["die"], value):
        yield "test by one"


LOOKS: dict[str, tuple[Look, ...]] = {
    "lore_mastery": (_lore,),
    "warp_charge": (_charge,),
    "cast": (_cast,),
    "dispel": (_dispel,),
    "mental_resistance": (_resist,),
    "pinning_test": (_pinning,),
    "morale": (_morale,),
    "ld_test": (_leadership,),
    "char_test": (_characteristic,),
    "spot": (_spot,),
    "prone_choice": (_prone,),
}
