"""Faults of a reading: acts that one option allows and another does not, or numbers that come out otherwise.

A game is played by a fair table under one option, and the referee judges it under another. Where that finds the first
thing wrong, the fault is planted: under the option in the header players did what it forbids, and under the option
that they played by they did nothing wrong. The record ends before anything else would be wrong.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from random import Random
from typing import Any, NamedTuple

from auditor.conformance.calth import referee as rules
from auditor.conformance.calth.board import Hex
from auditor.conformance.calth.boards import Pack, hexagon, is_in_one_piece, random_roster
from auditor.conformance.calth.check import Disagreement, Replay, check
from auditor.conformance.calth.generate import lay_out, play
from auditor.conformance.calth.position import Event, Unit
from auditor.conformance.calth.sight import Sight
from auditor.conformance.calth.table import Table
from auditor.conformance.calth.tables import READINGS, SIDES, Readings, option
from auditor.conformance.inventor import Turned, plantable

ROUNDS = 3
TRIES = 500
"""So many games are played for one planted fault before it is given up; most need fewer than five, the rarest 60."""

# Faults of an option that no log can show, because whatever the other option lets players do this one allows too.
NEVER: dict[str, str] = {
    "R-VEX-TIMING=any_time": "It allows every re-roll that the other option allows.",
    "R-ACT-PASS=pass_allowed": "It allows a pass, and never asks for one.",
    "R-ACT-NOP=allowed": "It allows every Run and every Consolidate that the other option allows.",
    "R-DLS-VEX=unit_before_retreat": "A bearer who is still in the hex was in the unit before the retreat as well.",
    "R-CRT-UNUSED=any_carried": "A weapon that is used is also carried.",
    "R-FLM-CHAIN=chain": "It allows a further follow-up, and never asks for one.",
    "R-FLM-GONE=last_hex": "It allows a follow-up, and never asks for one.",
    "R-FLM-SIDE=any_unit": "An enemy is also a unit.",
    "R-SOR-DECK=reshuffle_each": "A card that was not drawn before may be drawn under it too.",
}

# What a verdict on these hangs on besides the reading: with the defaults of the others it cannot turn.
WITH: dict[str, dict[str, str]] = {
    "R-CANNON-COUNT": {"R-GLY-CANNON-MAX": "blank"},
}

PLANTABLE_READINGS = plantable(READINGS, NEVER)

# ---------------------------------------------------------------------- games in which a reading matters

Json = dict[str, Any]
SIGHT = ("R-LOS", "R-OBS", "R-BAR", "R-DST")
RIFLES = (("boltgun",), ("heavy_bolter",), ("combi_bolter",), ("missile_launcher",), ("plasma_gun",))
BLADES = (("chainsword", "bolt_pistol"), ("power_sword",), ("power_fist",), ("two_lightning_claws",), ("chainfist",))
FLAMES = (("flamer",), ("heavy_flamer",), ("flamer", "boltgun"))


class Ground(NamedTuple):
    """How often an invented board has what: of the hexes, of the edges, of the sides of hexes."""

    radius: int = 3
    blocked: float = 0.08
    rubble: float = 0.1
    hole: float = 0.0
    door: float = 0.04
    sealed: float = 0.6
    obstruction: float = 0.03
    barricade: float = 0.05
    corridor: int = 0


class Game(NamedTuple):
    """What a game of a reading is played with. `weapons` are sets of which each model bears one."""

    weapons: Sequence[Sequence[str]] = ()
    wargear: Sequence[str] = ()
    ground: Ground = Ground()
    models: int = 10
    walker: bool = False
    mixed: bool = False
    bulk: int | None = None
    trap: bool = False
    die: str = "CHHSSB"
    rounds: int = ROUNDS
    more: Mapping[str, Any] = {}


OPEN_GROUND = Ground(3, 0.02, 0.1, 0, 0.02, 0.5, 0.0, 0.0)
WALLS = Ground(3, 0.06, 0.2, 0.0, 0.02, 0.6, 0.02, 0.35)
MAZE = Ground(3, 0.05, 0.05, 0.0, 0.02, 0.6, 0.25, 0.0)
CORRIDOR = Ground(0, 0.0, 0.1, 0.0, 0.0, 0.5, 0.0, 0.0, 4)

PLAIN = Game(ground=OPEN_GROUND)
GAMES: dict[str, Game] = {
    "R-RRL-FINAL": Game(BLADES, ("legion_vexilla",), OPEN_GROUND),
    "R-VEX-TIMING": Game(BLADES, ("legion_vexilla",), OPEN_GROUND, die="CCHSSB"),
    "R-GLY-CANNON": Game((("assault_cannon",),), (), OPEN_GROUND),
    "R-GLY-CANNON-MAX": Game((("assault_cannon",),), (), OPEN_GROUND, die="CCHSSB"),
    "R-CANNON-COUNT": Game((("assault_cannon",),), (), OPEN_GROUND),
    "R-CANNON-WHEN": Game((("assault_cannon",), ("assault_cannon", "boltgun")), (), OPEN_GROUND, die="CCCHSB"),
    "R-GLY-CHAIN": Game((("chainsword",),), (), OPEN_GROUND, die="CCHSSB"),
    "R-GLY-PLASMA": Game((("plasma_gun",), ("plasma_pistol",)), (), OPEN_GROUND, die="CCHSSB"),
    "R-CMP-TALLY": Game(rounds=1, ground=OPEN_GROUND, models=4, more={"campaign": True}),
    "R-RDY-EMPTY": Game(ground=OPEN_GROUND, more={"plays_cards": True}),
    "R-ASL-HARNESS": Game(BLADES, ("grenade_harness",), OPEN_GROUND),
    "R-HAR-STACK": Game(BLADES, ("grenade_harness",), OPEN_GROUND),
    "R-DLS-VEX": Game((("boltgun",),), ("legion_vexilla",), CORRIDOR, models=5, bulk=1, trap=True),
    "R-DEF-STACK": Game(RIFLES, (), WALLS),
    "R-ARM0-BONUS": Game((("meltagun",), ("multi_melta",)), (), WALLS, die="CCHSSB"),
    "R-SWD-ROUND": Game((("power_sword",),), (), OPEN_GROUND, die="CCHSSB"),
    "R-ATK-MULTI": Game((("boltgun", "flamer"), ("boltgun", "meltagun")), (), OPEN_GROUND),
    "R-PIS-TWO": Game((("bolt_pistol", "plasma_pistol"), ("chainsword", "bolt_pistol", "plasma_pistol"))),
    "R-CRT-UNUSED": Game((("boltgun", "flamer"), ("boltgun", "plasma_pistol")), (), OPEN_GROUND, die="CCHSSB"),
    "R-FLM-CHAIN": Game(FLAMES, (), OPEN_GROUND, mixed=True, models=14, die="CCHHSB"),
    "R-FLM-GONE": Game(FLAMES, (), OPEN_GROUND, mixed=True, models=14, die="CCHHSB"),
    "R-FLM-SIDE": Game(FLAMES, (), OPEN_GROUND, mixed=True, models=14, die="CCHHSB"),
    "R-SOR-DECK": Game(walker=True, ground=OPEN_GROUND, models=8, die="CHHHSB"),
    "R-SOR-CAS": Game(BLADES, walker=True, ground=OPEN_GROUND, models=8, die="CHHHSB"),
    "R-LOS-VERTEX": Game(RIFLES, (), Ground(4, 0.1, 0.05, 0.0, 0.02, 0.9, 0.0, 0.0), 8, mixed=True, bulk=3),
    "R-LOS-EDGEMIX": Game(RIFLES, (), Ground(3, 0.25, 0.05, 0.0, 0.02, 0.9, 0.0, 0.0), 10, mixed=True, bulk=3),
    "R-LOS-OFFBOARD": Game(RIFLES, (), Ground(3, 0.15, 0.05, 0.2, 0.02, 0.9, 0.0, 0.0), 8, mixed=True, bulk=3),
    "R-LOS-EDGEADJ": Game(RIFLES, (), Ground(3, 0.25, 0.0, 0.0, 0.1, 0.9, 0.4, 0.0), 8, mixed=True, bulk=3),
    "R-LOS-TIP": Game(RIFLES, (), Ground(3, 0.1, 0.05, 0.0, 0.15, 0.9, 0.0, 0.0), 8, mixed=True, bulk=3),
    "R-LOS-ALONG": Game(RIFLES, (), Ground(3, 0.05, 0.05, 0.0, 0.2, 0.9, 0.0, 0.0), 8, mixed=True, bulk=3),
    "R-LOS-OBST": Game(RIFLES, (), MAZE, 8, mixed=True, bulk=3),
    "R-OBS-POINT": Game(RIFLES, (), Ground(3, 0.15, 0.05, 0.0, 0.1, 0.9, 0.0, 0.3), 8, mixed=True, bulk=3),
    "R-OBS-WIDTH": Game(RIFLES, (), Ground(3, 0.25, 0.05, 0.0, 0.1, 0.9, 0.0, 0.3), 8, mixed=True, bulk=3),
    "R-OBS-BARR": Game(RIFLES, (), WALLS, 8, mixed=True, bulk=3),
    "R-BAR-TIP": Game(RIFLES, (), WALLS, 8, mixed=True, bulk=3),
    "R-BAR-OWNER": Game(RIFLES, (), WALLS, 8, mixed=True, bulk=3),
    "R-DST-OCC": Game(RIFLES, (), Ground(3, 0.3, 0.0, 0.0, 0.1, 0.9, 0.0, 0.0), 8, mixed=True, bulk=3),
    "R-DST-OBST": Game(RIFLES, (), MAZE, mixed=True),
}


def ground_of(rng: Random, wanted: Ground) -> Pack:
    """A board pack with about so much of everything."""
    while True:
        hexes = [h for h in hexagon(wanted.radius) if rng.random() >= wanted.hole]
        if wanted.corridor:
            hexes = [(q, 0) for q in range(wanted.corridor)]
        shares = (wanted.blocked, wanted.rubble, 1 - wanted.blocked - wanted.rubble)
        kinds = {h: rng.choices(("blocked", "rubble", "open"), shares)[0] for h in hexes}
        if is_in_one_piece({h for h, kind in kinds.items() if kind != "blocked"}):
            break
    edges: list[Json] = []
    for h in sorted(kinds):
        for g in ((h[0] + 1, h[1]), (h[0] + 1, h[1] - 1), (h[0], h[1] - 1)):
            draw = rng.random()
            if g in kinds and draw < wanted.door:
                sealed = rng.random() < wanted.sealed
                edges.append({"a": list(h), "b": list(g), "feature": "door", "sealed": sealed})
            elif g in kinds and draw < wanted.door + wanted.obstruction:
                edges.append({"a": list(h), "b": list(g), "feature": "obstruction"})
    return {
        "id": f"board-{rng.randrange(10**6)}",
        "title": "Random ground",
        "source": "invented for testing",
        "hexes": [{"q": q, "r": r, "kind": kinds[q, r], "section": "a"} for q, r in sorted(kinds)],
        "edges": edges,
        "barricades": [
            {"hex": list(h), "dir": k}
            for h in sorted(kinds)
            for k in range(6)
            if kinds[h] != "blocked" and rng.random() < wanted.barricade
        ],
    }


def settings_of(reading: str, rng: Random) -> Json:
    """The settings of `lay_out` for a game in which a reading is likely to matter."""
    game = GAMES.get(reading, PLAIN)
    board = ground_of(rng, game.ground)
    rosters = {side: random_roster(rng, side, game.models, heavy=game.walker and side == "WB") for side in SIDES}
    for roster in rosters.values():
        for profile in roster["profiles"] if game.bulk else ():
            profile["bulk"] = game.bulk
        for model in roster["models"]:
            if "damage_deck" in model["wargear"]:
                continue
            if game.weapons:
                model["weapons"] = list(rng.choice(game.weapons))
            if game.wargear and rng.random() < 0.6:
                model["wargear"] = sorted({*model["wargear"], *game.wargear})
        for card in roster.get("damage_cards", ()):
            card |= {"armour": rng.choice((1, 2)), "stamina": 1, "stays_on_model": rng.random() < 0.6}
    ground = sorted((h["q"], h["r"]) for h in board["hexes"] if h["kind"] != "blocked")
    half = len(ground) // 2
    zones = {"UM": ground, "WB": ground} if game.mixed else {"UM": ground[:half], "WB": ground[half:]}
    deployments = [{"side": s, "models": "all", "zone": [list(h) for h in zone]} for s, zone in zones.items()]
    if game.trap:
        # Three who are attacked, and behind them friends with room for one more.
        victims, crowd = rng.sample(SIDES, 2)
        for profile in rosters[victims]["profiles"]:
            profile |= {"armour": 2, "stamina": 2}
        names = [model["id"] for model in rosters[victims]["models"]]
        deployments = [
            {"side": victims, "models": names[:2], "zone": [[0, 0]]},
            {"side": victims, "models": names[2:], "zone": [[1, 0]]},
            {"side": crowd, "models": "all", "zone": [[2, 0], [3, 0]]},
        ]
    scenario = {
        "id": f"scenario-{rng.randrange(10**6)}",
        "title": "Random meeting",
        "source": "invented for testing",
        "board": board["id"],
        "first_initiative": None,
        "deployments": deployments,
        "rounds": game.rounds,
        "end": "After the last round.",
    }
    cards = [
        {"id": f"{side.lower()}-card-{n}", "side": side, "name": f"Order {n}", "timing": "action", "rule_ids": [],
         "effect": {"tp": 1}}
        for side in SIDES
        for n in range(1, 3)
    ]  # fmt: skip
    return {
        "board": board, "rosters": rosters, "scenario": scenario, "command_cards": cards, "rounds": game.rounds,
        **game.more,
    }  # fmt: skip


# ---------------------------------------------------------------------- a table under two options


class OneFaultIsEnough(Exception):
    """The players stop: the next event would be another fault."""


class TurningTable(Table):
    """A fair table under one option of a reading, watched by a referee who goes by another.

    Players like to do what the option allows them and others do not.
    """

    def watch(self, reading: str, under: Readings, die: str) -> None:
        """Say which reading the game turns on, what the referee goes by, and which faces the dice have."""
        self.reading, self.die = reading, die
        self.referee = Replay(self.header, under)
        self.wrong: list[Disagreement] = []

    def write(self, type_: str, player: str | None = None, **fields: Any) -> Event:
        """Add an event to the log, unless it would be the second fault; raises OneFaultIsEnough then."""
        event = super().write(type_, player, **fields)
        found = list(self.referee.event(event))
        if found and self.wrong:
            self.log.pop()
            raise OneFaultIsEnough
        self.wrong += found
        return event

    def roll(self, count: int) -> str:
        """So many dice; a critical may show more often than on a fair one."""
        return "".join(self.rng.choice(self.die) for _ in range(count))

    def played(self, chosen: str) -> bool:
        """Whether the game is played under this option."""
        return option(self.readings, self.reading) == chosen

    def raise_vexilla(self, unit: Unit, event: Event) -> None:
        """As at a fair table, or on any dice where it matters which faces count."""
        if self.reading != "R-RRL-FINAL":
            super().raise_vexilla(unit, event)
            return
        bearer = next((m for m in unit.models if rules.has_vexilla(self.position, [m])), None)
        if bearer is not None:
            chosen = sorted(self.rng.sample(range(len(event["roll"])), self.rng.randint(1, len(event["roll"]))))
            event["vexilla"] = {"model": bearer, "indices": chosen, "faces": self.roll(len(chosen))}

    def meddle(self, stage: str, event: Event, unit: Unit | None = None, target: Unit | None = None) -> None:
        """Under R-VEX-TIMING `any_time`: the vexilla after the effect, also on dice that it added."""
        if stage != "crit" or event["mode"] != "melee" or unit is None or not self.played("any_time"):
            return
        bearer = next((m for m in unit.models if rules.has_vexilla(self.position, [m])), None)
        if bearer is None or "vexilla" in event or not isinstance(event["crit"], dict):
            return
        count = len(event["roll"]) + len(event["crit"].get("added", ()))
        taken = {i for one in event["crit"].get("passes", ()) for i in one["indices"]}
        free = [i for i in range(count) if i not in taken]
        chosen = sorted(self.rng.sample(free, min(len(free), 2)))
        if chosen:
            event["vexilla"] = {
                "model": bearer, "indices": chosen, "faces": self.roll(len(chosen)), "when": "after_crit",
            }  # fmt: skip

    def activation(self, side: str) -> None:
        """Under R-ACT-PASS `pass_allowed`: a pass now and then."""
        if self.played("pass_allowed") and self.chance(0.2):
            self.write("pass", side, reason="waits")
            return
        super().activation(side)

    def choose_retreat(self, unit: Unit) -> dict[str, Hex | None]:
        """Under R-DLS-VEX `unit_before_retreat`: the bearers leave and others stay, where that can be."""
        ways = rules.retreats(self.position, unit)
        if self.played("unit_before_retreat"):
            bearers = [m for m in unit.models if rules.has_vexilla(self.position, [m])]
            left = [w for w in ways if None in w.values() and bearers and all(w[m] is not None for m in bearers)]
            ways = left or ways
        return self.rng.choice(ways)

    def follow_ups(self, unit: Unit, spot: Hex) -> list[tuple[Unit, Sight, int | None]]:
        """Under R-FLM-SIDE `any_unit`: friends where there are any."""
        found = super().follow_ups(unit, spot)
        if not self.played("any_unit"):
            return found
        position, friends = self.position, list[tuple[Unit, Sight, int | None]]()
        for friend in position.side_units(unit.side):
            if friend is unit or not rules.adjacent(position, spot, friend.hex):
                continue
            steps = rules.distance(position, unit.hex, friend.hex, self.readings)
            seen = rules.sight(position, unit, friend, self.readings)
            if seen.barricade is None:
                seen = rules.sight(position, unit, friend, self.readings, seen.aim)
            weapons = rules.shooting_weapons(position, unit, steps, "flamer_follow_up")
            if seen.kind != "none" and rules.shooting_dice(weapons)["total"]:
                friends.append((friend, seen, steps))
        return friends or found


# ---------------------------------------------------------------------- planting


def plant_reading(name: str, number: int) -> Turned:
    """The game number `number` with a fault of a reading.

    `name` is one of PLANTABLE_READINGS, such as "R-CON-TP=current": under that option the referee finds the faults,
    all of one event and nothing else; under the option in `played` it finds nothing. Raises LookupError where no game
    gives an occasion.
    """
    if name not in PLANTABLE_READINGS:
        raise LookupError(NEVER.get(name, f"no fault called {name} can be planted"))
    reading, _, chosen = name.partition("=")
    rng = Random(f"{name} {number}")
    game = GAMES.get(reading, PLAIN)
    for _ in range(TRIES):
        seed = rng.randrange(2**31)
        under = {**WITH.get(reading, {}), reading: chosen}
        played = {**under, reading: rng.choice([one for one in READINGS[reading] if one != chosen])}
        header, table = lay_out(TurningTable, seed, readings=played, **settings_of(reading, Random(seed)))
        table.watch(reading, under, game.die)
        with suppress(OneFaultIsEnough):
            play(table, game.rounds)
        if not table.wrong:
            continue
        header["rulings"] = {"name": f"with {chosen}", "readings": under}
        lines = [header, *table.log]
        if check(lines) == table.wrong and not check(lines, played):
            return Turned(seed, reading, under, played, lines, [as_expected(one) for one in table.wrong])
    raise LookupError(f"no occasion for {name} in {TRIES} games")


def as_expected(found: Disagreement) -> Json:
    """What the referee found, as it stands in an `expected.json`."""
    text = f"{found.text[:1].upper()}{found.text[1:]}."
    if isinstance(found.claimed, dict) and isinstance(found.recomputed, dict) and len(found.claimed) == 1:
        ((name, claimed),) = found.claimed.items()
        text = f"Recorded is {name} {claimed}; what follows is {found.recomputed.get(name)}."
    return {"rule": found.rule, "kind": found.kind, "seq": found.seq, "player": found.player, "text": text}
