"""Faults in what units do that is seldom: jinking, spotting, pressing on, moving as another kind does (CLX-SHOOT-07a, -15,
CLX-USR-05, -06, -17)."""

from __future__ import annotations

from auditor.conformance.clx.plant.acts import BUSY, ends, put
from auditor.conformance.clx.plant.spoiling import DROP, UNTIL, Expected, Occasion, Planter, found
from auditor.conformance.clx.table import Json, Unit

ON_FOOT = ("infantry", "jump", "artillery", "monstrous", "beast")


def moves_as_others_do(o: Occasion) -> Expected | None:
    """A unit on foot is said to turbo-boost."""
    if o.event["type"] != "run" or o.event["mode"] != "run" or o.t.units[o.event["unit"]].kind not in ON_FOOT:
        return None
    o.event["mode"] = "turbo"
    return found("CLX-SHOOT-15", "illegal")


def jinks_on_foot(o: Occasion) -> Expected | None:
    """A unit on foot jinks when it is named as the target."""
    if o.event["type"] != "weapon_fire" or BUSY in o.memo:
        return None
    named = next((e for e in reversed(o.t.log) if e["type"] == "shoot" and e["attack"] == o.event["attack"]), None)
    target = None if named is None else o.t.units[named["target"]]
    if named is None or target is None or target.kind not in ON_FOOT or named.get("claimed_failed") is not False:
        return None
    seq = put(o, "jink", target.owner, unit=target.id, attack=o.event["attack"])
    return found("CLX-SHOOT-07a", "illegal", seq=seq, player=target.owner)


def who_spots(o: Occasion) -> tuple[Unit, Unit] | None:
    """A unit without an auspex and an enemy, both of one Initiative each."""
    if not ends(o, "movement"):
        return None

    def plain(unit: Unit) -> bool:
        each = {model.n("I") for model in unit.living if unit.vehicle is None}
        return len(each) == 1 and not any("auspex" in model.entry.get("wargear", ()) for model in unit.living)

    mine = [unit for unit in o.t.of(o.t.active) if plain(unit)]
    theirs = [unit for unit in o.t.enemies(mine[0]) if plain(unit)] if mine else []
    return (o.rng.choice(mine), o.rng.choice(theirs)) if theirs else None


def spotting_misread(o: Occasion) -> Expected | None:
    """Whether a unit is spotted is said wrongly."""
    pair = who_spots(o)
    if pair is None:
        return None
    dice = [o.rng.randint(1, 6), o.rng.randint(1, 6)]
    own, other = (unit.living[0].n("I") for unit in pair)
    revealed = dice[0] + own > dice[1] + other
    return _spots(o, pair, "CLX-USR-05", "miscalculated", dice, claimed_revealed=not revealed)


def spots_again(o: Occasion) -> Expected | None:
    """A unit without an auspex rolls again when it spots."""
    pair = who_spots(o)
    if pair is None:
        return None
    dice, again = [o.rng.randint(1, 6), o.rng.randint(1, 6)], o.rng.randint(1, 6)
    own, other = (unit.living[0].n("I") for unit in pair)
    revealed = again + own > dice[1] + other
    return _spots(o, pair, "CLX-USR-06", "illegal", dice, reroll_spotter=again, claimed_revealed=revealed)


def _spots(o: Occasion, pair: tuple[Unit, Unit], rule: str, kind: str, dice: list[int], **more: int | bool) -> Expected:
    by, at = pair
    both: Json = {"spotter": by.id, "target": at.id, "die_spotter": dice[0], "die_target": dice[1]}
    seq = put(o, "spot", by.owner, **both, **more)
    return found(rule, kind, seq=seq, player=by.owner)


def presses_on_wrongly(o: Occasion) -> Expected | None:
    """A unit that presses on fails its test, and is said to pass it."""
    test = o.event["type"] == "ld_test" and o.event["cause"] == "prone"
    if not test or o.event["claimed_passed"]:
        return None
    o.event["claimed_passed"] = True
    return found("CLX-USR-17", "miscalculated")


def presses_on_untested(o: Occasion) -> Expected | None:
    """A unit presses on and takes no test."""
    if o.event["type"] != "ld_test" or o.event["cause"] != "prone":
        return None
    unit = o.t.units[o.event["unit"]]
    return found(
        "CLX-USR-17", "omitted", player=unit.owner, **{DROP: True, UNTIL: ("phase_end", lambda _: not unit.gone)}
    )


REACTIONS: dict[str, Planter] = {
    "CLX-SHOOT-07a": jinks_on_foot,
    "CLX-SHOOT-15": moves_as_others_do,
    "CLX-USR-05": spotting_misread,
    "CLX-USR-06": spots_again,
    "CLX-USR-17": presses_on_wrongly,
    "CLX-USR-17 omitted": presses_on_untested,
}
"""Name of a fault -> how it is planted."""
