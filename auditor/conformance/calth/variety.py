"""The legal games of the conformance run: which game a number stands for."""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random
from typing import Any

from auditor.conformance.calth.boards import large_board, random_board, random_roster, random_scenario
from auditor.conformance.calth.games import PACKS
from auditor.conformance.calth.generate import lay_out, play
from auditor.conformance.calth.habits import ENDINGS, RecordEnds, TableWithHabits, some_habits, stop
from auditor.conformance.calth.near import written
from auditor.conformance.calth.orders import CURRENT, cards_of_orders
from auditor.conformance.calth.packs import Packs
from auditor.conformance.calth.small_games import SMALL_GAMES
from auditor.conformance.calth.tables import READINGS, SIDES
from auditor.conformance.calth.tastes import TableWithTastes

Json = dict[str, Any]

RECORDED = ("gate-skirmish", "flooded-cistern")


@cache
def _packs() -> Packs:
    return Packs.read(PACKS)


# Options under which players may do what they may not by default, and so seldom do: only then is the reading asked.
SELDOM_ASKED = {
    "R-FLM-SIDE": "any_unit",
    "R-VEX-TIMING": "any_time",
    "R-DLS-VEX": "unit_before_retreat",
    "R-ACT-PASS": "pass_allowed",
    "R-CRT-UNUSED": "any_carried",
}
SHARE_OF_SMALL_GAMES = 0.5
SHARE_WITH_ORDERS = 0.3
# How often which: in the order of SMALL_GAMES.
WEIGHTS = (3, 5, 4, 2, 2)


def _crowd(rng: Random, side: str) -> Json:
    """More models than a small board has room for at ease, some with a Legion Vexilla."""
    roster = random_roster(rng, side, 10, heavy=False)
    for model in rng.sample(roster["models"], 7):
        model["wargear"] = sorted({*model["wargear"], "legion_vexilla"})
    return roster


def settings_of(seed: int) -> Json:
    """How the legal game of a seed is played: a mixture, so that thousands of games try all there is.

    Half of them are small and short, each made for something that seldom happens otherwise (`small_games`).
    """
    rng = Random(f"settings of {seed}")
    settings: Json = {
        "rounds": rng.choice((3, 4, 4, 5, 6)),
        "omit_claims": rng.choice((0.1, 0.3, 0.6)) if seed % 2 else 0.0,
        "campaign": rng.random() < 0.25,
        "plays_cards": rng.random() < 0.25,
    }
    if rng.random() < 0.5:
        settings["readings"] = {name: rng.choice(options) for name, options in READINGS.items() if rng.random() < 0.3}
        settings["readings"] |= {name: chosen for name, chosen in SELDOM_ASKED.items() if rng.random() < 0.3}
    if rng.random() < 0.1:
        settings["first_round"] = 2
    if rng.random() < 0.5:
        settings["habits"] = some_habits(rng)
    if rng.random() < 0.25:
        settings["ending"] = rng.choice(ENDINGS)
    kind = rng.random()
    if rng.random() < SHARE_OF_SMALL_GAMES:
        small_game = rng.choices(SMALL_GAMES, WEIGHTS)[0]
        made = small_game(rng, rng.choice((1, 2, 2)))
        settings |= {**made, "readings": settings.get("readings", {}) | made["readings"]}
        settings.pop("first_round", None)
    elif kind < 0.14:
        # Only where there is no room does anybody have to make a last stand.
        settings["board"] = random_board(Random(seed), radius=2)
        settings["rosters"] = {side: _crowd(rng, side) for side in SIDES}
    elif kind < 0.24:
        scenario = rng.choice(RECORDED)
        settings |= {
            "scenario": scenario,
            "board": _packs().find(scenario)["board"],
            "rosters": {"UM": "example-um", "WB": "example-wb"},
            "command_cards": "example-cards",
            "packs": _packs(),
        }
    elif kind < 0.92:
        settings["board"] = large_board(rng)
        settings["rounds"] = rng.choice((3, 4, 6))
    if "board" in settings and "packs" not in settings and rng.random() < SHARE_WITH_ORDERS:
        settings |= with_orders(rng, settings)
    return settings


def with_orders(rng: Random, settings: Json) -> Json:
    """What is other in a game whose cards and scenario do what no rule does."""
    board = settings["board"]
    scenario = settings.get("scenario") or random_scenario(rng, board, settings["rounds"])
    rules_of_scenario = [*scenario["special_rules"], CURRENT]
    return {
        "orders": rng.choice((0.2, 0.5)),
        "command_cards": cards_of_orders(rng, board),
        "scenario": {**scenario, "special_rules": rules_of_scenario},
    }


def legal_game(seed: int) -> tuple[list[Json], Counter[str]]:
    """The legal game of a seed, and how often it came near which fault."""
    return game_of(seed, settings_of(seed))


def legal_lines(seed: int) -> list[Json]:
    """The legal game of a seed as header and events, every pack of the header in full, every ruling of a judge stated."""
    settings = settings_of(seed)
    if "habits" in settings:
        # What a judge settles without saying what it changed leaves open all that comes after it.
        settings["habits"] = {**settings["habits"], "judges": 0.0}
    header, *events = game_of(seed, settings)[0]
    return [_packs().inlined(header), *events]


def game_of(seed: int, settings: Json) -> tuple[list[Json], Counter[str]]:
    """The game of a seed with these settings, and how often it came near which fault."""
    told = dict(settings)
    first_round, taste, ending = told.pop("first_round", 1), told.pop("taste", None), told.pop("ending", "")
    habits, orders = told.pop("habits", {}), told.pop("orders", 0.0)
    header, table = lay_out(TableWithHabits if taste is None else TableWithTastes, seed, **told)
    if isinstance(table, TableWithTastes):
        table.taste = taste
    table.habits, table.orders, table.seen = habits, orders, Counter()
    if ending:
        table.ending, table.ends_at = ending, Random(f"end of {seed}").randrange(30, 200)
    try:
        play(table, told["rounds"], first_round)
    except RecordEnds:
        stop(table)
    table.seen.update(key for event in table.log for key in written(event))
    return [header, *table.log], table.seen
