"""Complete, legal, varied games, written by a seeded bot that asks the referee what is allowed.

Dice, cards and choices come from `random.Random(seed)` alone: the same call gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from random import Random
from typing import Any, TypeVar

from auditor.conformance.calth.boards import Pack, random_board, random_cards, random_roster, random_scenario
from auditor.conformance.calth.packs import Packs
from auditor.conformance.calth.position import Event
from auditor.conformance.calth.referee import CAPACITY
from auditor.conformance.calth.table import Table
from auditor.conformance.calth.tables import (
    LEVELS,
    MIRROR,
    SIDES,
    Readings,
)


def header_of(
    rng: Random,
    rounds: int,
    board: str | Pack | None,
    scenario: str | Pack | None,
    rosters: Mapping[str, str | Pack] | None,
    command_cards: str | list[Pack] | None,
) -> Event:
    """The header's packs, each an id or inline; what is not given is made up."""
    ground = board if board is not None else random_board(rng)
    if isinstance(ground, dict):
        size = sum(h.get("kind", "open") != "blocked" for h in ground["hexes"])
    else:
        size = 60
    count = max(6, min(18, size * 2 // 5))
    walker = rng.random() < 0.5
    made = {side: random_roster(rng, side, count, heavy=side == "WB" and walker) for side in SIDES}
    play = scenario
    if play is None:
        if not isinstance(ground, dict):
            raise ValueError("a board given by id needs a scenario")
        play = random_scenario(rng, ground, rounds)
    cards: Any = command_cards if command_cards is not None else random_cards(rng)
    return {"scenario": play, "board": ground, "rosters": dict(rosters or made), "command_cards": cards}


def leave_behind(header: Event) -> None:
    """Take out of the made-up rosters those for whom the zones of a made-up scenario have no room.

    The widest come first: those of bulk 2 or 3 need a hex each, and the others fit where there is room at all.
    """
    play, board = header["scenario"], header["board"]
    if not isinstance(play, dict) or not isinstance(board, dict):
        return
    shut = {(h["q"], h["r"]) for h in board["hexes"] if h.get("kind", "open") == "blocked"}
    for line in play.get("deployments", ()):
        roster = header["rosters"][line["side"]]
        if line["models"] != "all" or not isinstance(roster, dict):
            continue
        hexes = sum((q, r) not in shut for q, r in line["zone"])
        bulk_of = {profile["id"]: profile["bulk"] for profile in roster["profiles"]}
        models = list(roster["models"])
        while models:
            bulks = [bulk_of[model["profile"]] for model in models]
            if sum(bulk > 1 for bulk in bulks) <= hexes and sum(bulks) <= CAPACITY * hexes:
                break
            models.pop()
        header["rosters"][line["side"]] = {**roster, "models": models}


Setting = Any
T = TypeVar("T", bound=Table)


def lay_out(
    kind: type[T],
    seed: int,
    *,
    rounds: int = 4,
    board: str | Pack | None = None,
    scenario: str | Pack | None = None,
    rosters: Mapping[str, str | Pack] | None = None,
    command_cards: str | list[Pack] | None = None,
    packs: Packs | None = None,
    readings: Readings | None = None,
    omit_claims: float = 0.0,
    campaign: bool = False,
    plays_cards: bool = False,
    names: tuple[str, str] = ("Player one", "Player two"),
    match: Mapping[str, Any] | None = None,
    title: str | None = None,
) -> tuple[Event, T]:
    """A header and the table for its game; the settings are those of `generate`."""
    rng = Random(seed)
    ask = dict(readings or {})
    header: Event = {
        "type": "header",
        "game": "calth",
        "format": 1,
        "players": [{"id": side, "name": name} for side, name in zip(SIDES, names, strict=True)],
    }
    if title is not None:
        header["title"] = title
    if match is not None:
        header["match"] = dict(match)
    header.update(header_of(rng, rounds, board, scenario, rosters, command_cards))
    leave_behind(header)
    if campaign:
        results = []
        for number in range(1, 6):
            level = rng.choice(LEVELS)
            results.append({"scenario": number, "UM": level, "WB": MIRROR[level]})
        header["campaign"] = {"scenario": 6, "results": results}
    header["rulings"] = {"name": "defaults" if not ask else "as generated", "readings": ask}
    table = kind((packs or Packs()).inlined(header), rng, ask, omit_claims)
    table.plays_cards = plays_cards
    return header, table


def play(table: Table, rounds: int, first_round: int = 1) -> None:
    """A whole game, to its last round or until the table says that it is over.

    With a `first_round` after the first the record begins there, with a `position`.
    """
    if table.chance(0.3):
        table.write("game_start", players=deepcopy(table.header["players"]))
    table.deploy()
    for number in range(1, rounds + 1):
        if number == first_round and number > 1:
            table.restart()
        table.play_round()
        if table.is_over():
            break
    table.finish()


def generate(seed: int, *, rounds: int = 4, first_round: int = 1, **settings: Setting) -> list[Event]:
    """A complete legal game as header and events; the same call gives the same list.

    Settings: `board`, `scenario`, `rosters` (by side) and `command_cards` are ids of data packs
    found in `packs`, or inline packs, or left out for invented ones. `readings` are the rulings
    played under. `omit_claims` is the share of claim fields left out. With `campaign` the game is
    the sixth scenario and ends a campaign. With `plays_cards` the players play the Command cards
    whose effect is a number of TPs. With `first_round` the record begins at that round. `names`, `match` and `title` go into the header.
    """
    header, table = lay_out(Table, seed, rounds=rounds, **settings)
    play(table, rounds, first_round)
    return [header, *table.log]
