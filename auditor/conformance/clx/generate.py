"""Whole legal games of Calixtus' Edition, played by a bot from a seed: the same seed gives the same bytes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from auditor.conformance.clx.armies import (
    MORE_WEAPONS,
    SIDES,
    TABLES,
    chosen_units,
    pack,
    random_terrain,
    two_halves,
    varied,
    with_auspex,
)
from auditor.conformance.clx.chart import goes_on
from auditor.conformance.clx.fighting import assault_phase
from auditor.conformance.clx.inches import number
from auditor.conformance.clx.minds import learn, psychic_phase, psykers
from auditor.conformance.clx.moving import deploy, movement_phase
from auditor.conformance.clx.shooting import shooting_phase
from auditor.conformance.clx.steer import Steer
from auditor.conformance.clx.table import DOUBT, WIDE_DOUBT, Json, Model, Table, Unit

WIDTH, DEPTH = 72, 48
LAST_TURN = 8
READINGS: Mapping[str, tuple[str, ...]] = {
    "OR-FIRST": ("SPLIT",),
    "OR-LENGTH-ROLLER": ("ANY",),
    "OR-DIFF-CAP": ("REPLACE",),
    "OR-DANGEROUS": ("ROLL_ONLY",),
    "OR-LORE-SPLIT": ("BY_POINT",),
    "OR-CHARGE": ("ML_D3",),
    "OR-DISPEL": ("DICE_VS_TOTAL", "TOTAL_VS_TOTAL"),
    "OR-PERILS": ("FAILS",),
    "OR-MR-STACK": ("ONCE", "ALL"),
    "OR-MR-AFTER": ("ALSO",),
    "OR-ARC": ("HALVES",),
    "OR-RUN-AFTER-FAIL": ("YES",),
    "OR-COVER-UNIT": ("CLOSEST", "ANY"),
    "OR-REROLL-ONCE": ("BOTH",),
    "OR-ALLOC-FROM": ("UNIT_CENTRE",),
    "OR-CROSS-MORALE": ("BOTH",),
    "OR-HEAVY-CHARGE": ("IF_MOVED",),
    "OR-RAPID-CHARGE": ("NO",),
    "OR-RAPID-HALF": ("PRINTED",),
    "OR-SALVO-STAND": ("NO",),
    "OR-FORGO": ("ALL",),
    "OR-FRONT": ("ENGAGED",),
    "OR-TWICE": ("EXACT",),
    "OR-SURPRISE-STACK": ("YES",),
    "OR-PIVOT": ("FLOOR",),
    "OR-PEN": ("N",),
    "OR-AP1-GLANCE": ("ONE",),
    "OR-HATRED-A": ("FIRST_TURN",),
}
"""The options other than the defaults under which games are played: those that allow more than the bot does, and those
whose numbers it knows."""


@dataclass(frozen=True)
class Settings:
    """How a game is made.

    size        models a side; `turns`: game turns
    plain       packs as they are, not varied; `base_rules`: filled in, not empty
    deep        inches from an edge to the end of its deployment zone; `any_facing`: units may face anywhere there
    jittered    its places are to be written a little off: the bot keeps further from the rims of arcs
    readings    what a tournament has ruled other than by default (of `READINGS`)
    steer       what the game is led to; None: to nothing
    favoured    the units that armies have before others; `habits`: what its players like to do, see `table.Table`
    """

    size: int = 20
    turns: int = 5
    plain: bool = False
    base_rules: bool = False
    names: tuple[str, str] = ("Player one", "Player two")
    title: str | None = None
    match: Json | None = None
    terrain: str | None = None
    jittered: bool = False
    deep: int = 10
    any_facing: bool = False
    readings: Mapping[str, str] = field(default_factory=dict)
    steer: Steer | None = None
    favoured: Sequence[str] = ()
    habits: Sequence[str] = ()


def table_for(seed: int, settings: Settings) -> Table:
    """A header and an empty table."""
    rng = Random(seed)
    units: list[Json] = []
    players: list[Json] = []
    for side, name in zip(SIDES, settings.names, strict=True):
        led = settings.steer
        mine = led.army(side) if led else chosen_units(rng, side, settings.size, favoured=settings.favoured)
        if not settings.plain:
            mine = [varied(rng, unit) for unit in mine]
        if led is not None:
            mine = [led.armed(side, unit) for unit in mine]
        if "hides" in settings.habits:
            mine = [with_auspex(unit) for unit in mine]
        units += mine
        players.append({"id": side, "name": name, "units": [unit["id"] for unit in mine]})
    header: Json = {"type": "header", "game": "clx", "format": 1}
    if settings.title:
        header["title"] = settings.title
    if settings.match:
        header["match"] = settings.match
    header["players"] = players
    header["table"] = {"W": WIDTH, "D": DEPTH}
    header["recording_precision"] = 0.001
    if settings.readings:
        header["rulings"] = {"name": "rulings of another table", "readings": dict(settings.readings)}
    weapons = list(pack("example-weapons")["weapons"])
    known = {unit["id"] for unit in pack("example-armies")["units"]}
    if settings.plain and settings.steer is None and {unit["id"] for unit in units} <= known:
        header["units"], header["weapons"] = "example-armies", "example-weapons"
    else:
        weapons += MORE_WEAPONS
        header["units"], header["weapons"] = units, weapons
    header["powers"] = "example-powers"
    ground = settings.terrain or (rng.choice(TABLES) if settings.plain or rng.random() < 0.3 else None)
    if settings.steer is not None and settings.steer.ground is not None:
        header["terrain"] = terrain = list(settings.steer.ground)
    elif ground is None:
        terrain = random_terrain(rng, WIDTH, DEPTH)
        if rng.random() < 0.3:
            terrain = two_halves(rng, rng.randint(10, 50), rng.randint(20, 24))
        header["terrain"] = terrain
    else:
        header["terrain"], terrain = ground, pack(ground)["terrain"]
    rules: Json = {}
    if settings.base_rules:
        header["base_rules"], rules = "example-base-rules", pack("example-base-rules")["base_rules"]
    t = Table(
        rng=rng,
        header=header,
        units={},
        weapons={w["id"]: w for w in weapons},
        powers={p["id"]: p for p in pack("example-powers")["powers"]},
        terrain=terrain,
        base_rules=rules,
        deep=number(settings.deep),
        any_facing=settings.any_facing,
        doubt=WIDE_DOUBT if settings.jittered else DOUBT,
        readings=settings.readings,
        steer=settings.steer,
        habits=frozenset(settings.habits),
        width=number(WIDTH),
        depth=number(DEPTH),
    )
    for player in players:
        for key in player["units"]:
            entry = next(unit for unit in units if unit["id"] == key)
            t.units[key] = _unit(key, player["id"], entry)
    return t


def _unit(key: str, owner: str, entry: Json) -> Unit:
    unit = Unit(key, owner, entry)
    for one in entry["models"]:
        wounds = entry["vehicle"]["W"] if entry.get("vehicle") else one["profile"]["W"]
        unit.models.append(Model(one["id"], one, unit, wounds))
    return unit


def play(t: Table, turns: int) -> None:
    """Play a whole game of so many game turns; one that ends before its fifth is ended by the clock."""
    _before(t)
    for turn in range(1, min(turns, LAST_TURN) + 1):
        t.turn = turn
        for player in (t.first, t.other(t.first)):
            _player_turn(t, player)
            if t.last is not None and t.clock >= t.last:
                return
        if any(not t.of(side) for side in SIDES) and turn < 5:
            turns = turn
        if turn >= turns or turn >= 5:
            t.phase = "post"
            if _over(t, turn, turns):
                return


def _over(t: Table, turn: int, turns: int) -> bool:
    """Whether a game is over after a game turn, with what the log says of it."""
    if turn < 5:
        t.write("game_end", after_turn=turn, reason="time")
        t.write("end", reason="time")
        return True
    if turn == LAST_TURN:
        t.write("game_end", after_turn=turn, reason="last_turn")
        t.write("end", reason="finished")
        return True
    die = t.d6()
    while goes_on(turn, die) != (turn < turns):
        die = t.d6()
    roller = t.first if t.rules("OR-LENGTH-ROLLER", "ANY") and t.chance(0.7) else t.other(t.first)
    t.write("game_length_roll", roller, after_turn=turn, roller=roller, die=die, claimed_continues=goes_on(turn, die))
    if goes_on(turn, die):
        return False
    t.write("game_end", after_turn=turn, reason="roll")
    t.write("end", reason="finished")
    return True


def _before(t: Table) -> None:
    """Everything before the first turn (CLX-GAME-02, -03, CLX-PSY-01 to -03)."""
    rolls: list[Json] = []
    while True:
        pair = {side: t.d6() for side in SIDES}
        rolls += [{"player": side, "die": die} for side, die in pair.items()]
        if pair["A"] != pair["B"]:
            break
    winner = max(pair, key=lambda side: pair[side])
    t.write("roll_off", rolls=rolls, claimed_winner=winner)
    first = t.rng.choice(SIDES)
    begins = t.other(first) if t.rules("OR-FIRST", "SPLIT") and t.chance(0.7) else first
    t.write("deploy_choice", winner, deploys_first=first, first_turn=begins)
    t.first = begins
    for player in (first, t.other(first)):
        mine = [unit for unit in t.units.values() if unit.owner == player]
        mine.sort(key=lambda unit: -max(m.base.reach for m in unit.models))
        for unit in mine:
            if t.steer is None or unit.id not in t.steer.later:
                deploy(t, unit)
    if t.often("seize", 0.4):
        second = t.other(t.first)
        die = t.d6()
        t.write("seize", second, die=die, claimed_success=die == 6)
        if die == 6:
            t.first = second
    for player in SIDES:
        for psyker in psykers(t, player):
            learn(t, psyker)


def _player_turn(t: Table, player: str) -> None:
    t.active = player
    t.clock += 1
    t.phase = "movement"
    for unit in t.units.values():
        unit.begin_turn(player)
    t.write("turn_start", player, claimed_night=t.turn >= 5)
    movement_phase(t)
    psychic_phase(t)
    shooting_phase(t)
    assault_phase(t)
    t.write("turn_end", player)


def generate(
    seed: int, settings: Settings | None = None, look: Callable[[Table, Json, Json], bool] | None = None
) -> list[Json]:
    """The header and the events of a legal game with every claim; `look` is shown each event before it is written."""
    chosen = settings or Settings()
    t = table_for(seed, chosen)
    t.spoil = look
    play(t, chosen.turns)
    return [t.header, *t.log]
