"""One step from a fault: the course of a game, deployment, moves and runs."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise

from auditor.conformance.clx.near.watch import QUARTER, Look, Near, Watch, far, far_of
from auditor.conformance.clx.table import Json, Table

NEAR: Near = {
    "moved before": ("CLX-LOG-01", "a way that begins where an earlier move of the turn has ended"),
    "others are gone": ("CLX-LOG-02", "an act of a unit that has lost models"),
    "bases nearly touch": ("CLX-LOG-05", "a move that ends within a quarter inch of another base"),
    "empty phase": ("CLX-GAME-01", "a phase in which nothing happens"),
    "roll-off by one": ("CLX-GAME-02", "a roll-off decided by one, or after a tie"),
    "five or six": ("CLX-GAME-03", "a 5 or a 6 to seize the initiative"),
    "three or four": ("CLX-GAME-04", "a 3 or a 4 for the length of the game after turn 5"),
    "two or three": ("CLX-GAME-05", "a 2 or a 3 for the length of the game after turn 6"),
    "one or two": ("CLX-GAME-06", "a 1 or a 2 for the length of the game after turn 7"),
    "eighth turn": ("CLX-GAME-07", "the game ends after turn 8"),
    "dusk": ("CLX-GAME-08", "the last turn by day, or the first by night"),
    "whole way": ("CLX-MOVE-01", "a move within a quarter inch of what is allowed"),
    "an inch off": ("CLX-MOVE-02", "a move that ends within 1 and 1 1/4 inches of an enemy"),
    "two inches": ("CLX-MOVE-03", "a move after which a model has 1 3/4 to 2 inches to the nearest of its unit"),
    "capped by dice": (
        "CLX-MOVE-04",
        "difficult terrain whose dice show less than the Movement, or dice that do not count",
    ),
    "whole run": ("CLX-RUN-01", "a run within a quarter inch of what is allowed"),
    "could have shot": ("CLX-RUN-02", "a run of a unit with an enemy within two feet"),
    "run to the limit": (
        "CLX-RUN-03",
        "a run that ends two inches from the unit, or one from an enemy, within a quarter inch",
    ),
    "in its own way": ("CLX-SHOOT-15", "a unit that turbo-boosts, goes flat out or runs with two dice"),
    "pivot": ("CLX-VEH-05", "a pivot in a move of a vehicle"),
}


def _lengths(event: Json) -> list[float]:
    return [
        sum(math.hypot(float(b[0]) - float(a[0]), float(b[1]) - float(a[1])) for a, b in pairwise(row["path"]))
        for row in event["models"]
    ]


def _acts(watch: Watch, t: Table, event: Json, tag: Json) -> Iterator[str]:
    unit = t.units[event["unit"]]
    if 0 < len(unit.living) < len(unit.models):
        yield "others are gone"


def _ends(watch: Watch, t: Table, event: Json, tag: Json) -> Iterator[str]:
    """Where the models of a unit stand after their way."""
    unit = t.units[event["unit"]]
    run, others = event["type"] == "run", [m for m in t.standing() if m.unit is not unit]
    for model in unit.living:
        to_friend = min((far(model, one) for one in unit.living if one is not model), default=0.0)
        if 2 - QUARTER <= to_friend <= 2:
            yield "run to the limit" if run else "two inches"
        if 0 <= to_friend < QUARTER and len(unit.living) > 1:
            yield "bases nearly touch"
        for other in others:
            gap = far(model, other)
            if 0 <= gap < QUARTER:
                yield "bases nearly touch"
            elif 1 <= gap < 1 + QUARTER and other.unit.owner != unit.owner:
                yield "run to the limit" if run else "an inch off"


def _move(watch: Watch, t: Table, event: Json, tag: Json) -> Iterator[str]:
    longest = max(_lengths(event))
    if tag.get("hull"):
        for row in event["models"]:
            headings = row.get("headings", ())
            if headings and headings[0] != headings[-1]:
                yield "pivot"
                longest += abs((headings[-1] - headings[0] + 180) % 360 - 180) / 90
                break
    if longest >= float(tag["allowance"]) - QUARTER:
        yield "whole way"
    dice = event.get("difficult_dice")
    if dice and (not tag["crossing"] or max(dice) < tag["full"]):
        yield "capped by dice"


def _run(watch: Watch, t: Table, event: Json, tag: Json) -> Iterator[str]:
    unit = t.units[event["unit"]]
    if unit.moved:
        yield "moved before"
    if max(_lengths(event)) >= float(tag["allowance"]) - QUARTER:
        yield "whole run"
    if any(far_of(unit.living[0], foe) <= 24 for foe in t.enemies(unit)):
        yield "could have shot"
    if event["mode"] != "run" or len(event["dice"]) > 1:
        yield "in its own way"


def _charge_move(watch: Watch, t: Table, event: Json, tag: Json) -> Iterator[str]:
    unit = t.units[event["unit"]]
    if unit.moved or unit.ran:
        yield "moved before"


def _phase(watch: Watch, t: Table, event: Json, tag: Json) -> Iterator[str]:
    watch.phase_events = -1
    watch.arcs = {}
    watch.charges = watch.answers = 0
    yield from ()


def _phase_end(watch: Watch, t: Table, event: Json, tag: Json) -> Iterator[str]:
    if watch.phase_events == 0:
        yield "empty phase"


def _roll_off(watch: Watch, t: Table, event: Json, tag: Json) -> Iterator[str]:
    dice = [one["die"] for one in event["rolls"]]
    if len(dice) > 2 or abs(dice[0] - dice[1]) == 1:
        yield "roll-off by one"


def _seize(watch: Watch, t: Table, event: Json, tag: Json) -> Iterator[str]:
    if event["die"] >= 5:
        yield "five or six"


def _game_length(watch: Watch, t: Table, event: Json, tag: Json) -> Iterator[str]:
    low, key = {5: (3, "three or four"), 6: (2, "two or three"), 7: (1, "one or two")}[event["after_turn"]]
    if event["die"] in (low, low + 1):
        yield key


def _game_end(watch: Watch, t: Table, event: Json, tag: Json) -> Iterator[str]:
    if event["reason"] == "last_turn":
        yield "eighth turn"


def _turn(watch: Watch, t: Table, event: Json, tag: Json) -> Iterator[str]:
    if t.turn in (4, 5):
        yield "dusk"


LOOKS: dict[str, tuple[Look, ...]] = {
    "move": (_acts, _ends, _move),
    "run": (_acts, _ends, _run),
    "charge_move": (_acts, _charge_move),
    "shoot": (_acts,),
    "phase_start": (_phase,),
    "phase_end": (_phase_end,),
    "roll_off": (_roll_off,),
    "seize": (_seize,),
    "game_length_roll": (_game_length,),
    "game_end": (_game_end,),
    "turn_start": (_turn,),
}
