"""Faults put into legal games of Calixtus' Edition while they are played, each with what an audit must find.

A planter sees an event before it is written, with the table as it then stands. It changes the event (or keeps it out
of the log) so that one rule is broken and nothing after it rests on the fault, and says what must be found.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from auditor.conformance.clx.generate import Settings, play, table_for
from auditor.conformance.clx.plant.acts import ACTS, BIG
from auditor.conformance.clx.plant.fights import FIGHTS
from auditor.conformance.clx.plant.frame import FRAME
from auditor.conformance.clx.plant.minds import MINDS
from auditor.conformance.clx.plant.more_fights import MORE_FIGHTS
from auditor.conformance.clx.plant.moves import MOVES
from auditor.conformance.clx.plant.prepared import PREPARED
from auditor.conformance.clx.plant.reactions import REACTIONS
from auditor.conformance.clx.plant.scenes import SCENES, by_the_defaults
from auditor.conformance.clx.plant.shots import SHOTS
from auditor.conformance.clx.plant.spoiling import Expected, Pending, Planter, Spoiler
from auditor.conformance.clx.table import Table
from auditor.conformance.inventor import Planted

Json = dict[str, Any]

PLANTERS: dict[str, Planter] = {**FRAME, **MOVES, **MINDS, **SHOTS, **FIGHTS, **MORE_FIGHTS, **ACTS, **REACTIONS}
PLANTABLE = (*PLANTERS, *SCENES)
"""Faults in games that are played, and those that stand in a record of their own."""
TRIES = 40
TABLES_SEEN = 200
"""So many tables are laid for one that is played, where an army needs something."""
TURNS = {"CLX-GAME-05": 6, "CLX-GAME-06": 7, "CLX-GAME-07": 8}
"""Faults that need a game of more than five game turns."""
TURNS_LED = 4
"""Game turns of a game that is led to its fault: it comes soon, if it comes."""
NEEDS = {
    "CLX-PSY-03": "two disciplines",
    "CLX-SHOOT-03": "two guns",
    "CLX-SHOOT-10": "twin_linked",
    "CLX-SHOOT-12": "needle_gun",
    "CLX-WPN-02": "heavy",
    "CLX-WPN-03": "ordnance",
    "CLX-WPN-04": "pistol",
    "CLX-WPN-05": "rapid_fire",
    "CLX-WPN-06": "salvo",
    "CLX-WPN-07": "primary",
    "CLX-GEAR-01": "hammer and pistol",
    "CLX-GEAR-02": "bore_gun",
    "CLX-GEAR-03": "rending",
    "CLX-GEAR-04": "needle_gun",
    "CLX-GREN-01": "frag",
    "CLX-GREN-02": "frag",
    "CLX-GREN-06": "frag",
    "CLX-USR-02": "counterattack",
    "CLX-USR-03": "nbc",
    "CLX-USR-09": "preferred_enemy",
    "CLX-USR-10": "fear",
    "CLX-USR-11": "fear",
    "CLX-USR-12": "fear",
    "CLX-USR-15": "frenzy",
    "CLX-USR-16": "hatred",
    "CLX-USR-18": "surprise_assault",
    "CLX-MISC-01": "counterattack",
    "CLX-MISC-03": "1+ armour",
    "CLX-MISC-03 illegal": "rod",
    "CLX-VEH-02": "vehicle",
    "CLX-VEH-03": "vehicle",
    "CLX-VEH-05": "vehicle",
    "CLX-VEH-06": "vehicle",
    "CLX-VEH-07": "vehicle",
    "CLX-VEH-08": "vehicle",
    "CLX-VEH-09": "vehicle",
    **{f"CLX-PSY-{n:02}": "psyker" for n in (1, 2, 4, 5, 6, 7, 9, 10, 11, 12, 13)},
}
"""What an army must have to give an occasion: a special rule, a weapon, its type or a rule of it, a psyker or a vehicle."""
AT_CLOSE_QUARTERS = (
    *("CLX-ASLT", "CLX-USR", "CLX-GREN", "CLX-GEAR-01", "CLX-MOR-02", "CLX-MISC-01", "CLX-MISC-03", "CLX-SHOOT-14"),
    *("CLX-FACE-02", "CLX-SHOOT-01"),
)
"""Faults in what happens where armies meet: these begin nearer to each other."""
APART = 8
"""So many events lie between two faults of a game, at least."""
SECONDS = ("CLX-MOVE-01 miscalculated", "CLX-SHOOT-09", "CLX-RUN-01 miscalculated", "CLX-SHOOT-13 miscalculated")
"""Faults that most games give an occasion for: the ones that stand beside another."""
LASTING = 3
"""So many player turns a game with one fault goes on after it: what follows from a fault shows soon."""


def faulty_game(
    seed: int, names: Sequence[str], settings: Settings, *, apart: int = APART, lasting: int | None = None
) -> tuple[list[Json], list[Expected]]:
    """A game with the faults of these names, as far as it gave occasions, and what must be found, in the log's order."""
    lines, spoiler = _spoiled(seed, names, settings, apart, lasting)
    return lines, sorted((p.expected for p in spoiler.planted()), key=lambda e: e["seq"])


def _spoiled(
    seed: int, names: Sequence[str], settings: Settings, apart: int, lasting: int | None
) -> tuple[list[Json], Spoiler]:
    t = table_for(seed, settings)
    spoiler = Spoiler(
        [Pending(name, PLANTERS[name]) for name in names if name not in SCENES], Random(seed), apart, lasting
    )
    t.spoil = spoiler
    play(t, settings.turns)
    return [t.header, *t.log], spoiler


def traits(t: Table) -> set[str]:
    """What the armies of a table have, in the words of NEEDS."""
    found: set[str] = set()
    for unit in t.units.values():
        found |= {rule.split(":")[0] for rule in unit.rules}
        if unit.vehicle is not None:
            found.add("vehicle")
        for model in unit.models:
            for key in model.entry["weapons"]:
                weapon = t.weapons[key]
                found |= {key, weapon["type"], *weapon.get("rules", ())}
            if "side_arm" in model.entry["weapons"][1:] and unit.kind not in BIG:
                types = {t.weapons[key]["type"] for key in model.entry["weapons"]}
                found |= {"two guns"} if types & {"assault", "rapid_fire", "primary"} else set()
                found |= {"hammer and pistol"} if "thunder_hammer" in model.entry["weapons"] else set()
            if model.entry["profile"].get("AS") == 1:
                found.add("1+ armour")
            psyker = model.entry.get("psyker")
            if psyker:
                found.add("psyker")
            if psyker and psyker["ML"] > 1 and len(psyker["disciplines"]) > 1:
                found.add("two disciplines")
    return found


def planted(name: str, number: int, settings: Settings | None = None, *, alone: bool = False) -> Planted | None:
    """The game number `number` with a fault, every other time (not where it is to be `alone`) beside a second one where the
    game gives an occasion for that too; None where no game gave an occasion for the first."""
    if name in SCENES:
        return by_the_defaults(name, number)
    rng = Random(f"{name} {number}")
    rule = name.split()[0]
    names = [name, *rng.sample([one for one in SECONDS if one != name], 0 if alone else number % 2)]
    for _ in range(TRIES):
        if settings is None and name in PREPARED:
            seed = rng.randrange(2**31)
            led = Settings(turns=TURNS.get(rule, TURNS_LED), steer=PREPARED[name](Random(seed)))
            if (game := _game(name, names, seed, led)) is not None:
                return game
            continue
        size, deep = rng.choice((5, 8, 12)), 18 if rule.startswith(AT_CLOSE_QUARTERS) else 10
        chosen = settings or Settings(size=size, turns=TURNS.get(rule, 5), deep=deep, any_facing=deep > 10)
        seed = rng.randrange(2**31)
        for _ in range(TABLES_SEEN):
            need = NEEDS.get(name, NEEDS.get(rule))
            if need is None or need in traits(table_for(seed, chosen)):
                break
            seed = rng.randrange(2**31)
        if (game := _game(name, names, seed, chosen)) is not None:
            return game
    return None


def _game(name: str, names: Sequence[str], seed: int, settings: Settings) -> Planted | None:
    lines, spoiler = _spoiled(seed, names, settings, APART, LASTING)
    done = {p.name: p.expected for p in spoiler.planted()}
    return Planted(seed, lines, done.pop(name), next(iter(done.values()), None)) if name in done else None
