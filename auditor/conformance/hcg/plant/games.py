"""Games with a planted fault, by the name of the fault and a number."""

from __future__ import annotations

from random import Random
from typing import Any

from auditor.conformance.hcg.generate import lay_out, settings_of
from auditor.conformance.hcg.plant.beside import with_a_second
from auditor.conformance.hcg.plant.headers import DECKS, HEADERS, TABLES
from auditor.conformance.hcg.plant.leading import temper
from auditor.conformance.hcg.plant.misdeeds import MISDEEDS
from auditor.conformance.hcg.plant.numbers import NUMBERS
from auditor.conformance.hcg.plant.played import PLAYED
from auditor.conformance.hcg.plant.prepared import READINGS, prepare
from auditor.conformance.hcg.plant.shown import WRITTEN, written
from auditor.conformance.hcg.plant.table import Expected, SpoiledGame
from auditor.conformance.hcg.plant.twists import TWISTS
from auditor.conformance.hcg.record import Style, dress
from auditor.conformance.hcg.table import PLAYERS, Event
from auditor.conformance.inventor import Planted

PLANTABLE = tuple(sorted({*NUMBERS, *TWISTS, *MISDEEDS, *PLAYED, *HEADERS, *WRITTEN}))
COUNTED = (
    *("HCG-TURN-03", "HCG-ROLL-06", "HCG-DEP-01", "HCG-BSET-07"),
    *("HCG-BAC-01", "HCG-BAA-01", "HCG-TAC-05"),
)
"""Rules about how many cards a deck has, or about cards that are not drawn from it."""
TRIES = 80
PATIENT = 40
"""After so many games the fault may be planted in any turn."""
MOST_ADDRESSED = 2**31
ONCE = (
    "HCG-SETUP-03",
    "HCG-SETUP-02 miscalculated",
    "HCG-SETUP-02 illegal",
    "HCG-SETUP-06 miscalculated",
    "HCG-SETUP-06 illegal",
    "HCG-SETUP-05 shuffle",
    "HCG-SETUP-05 flip",
    "HCG-SETUP-04 omitted",
)


def plant(name: str, seed: int, number: int = 0, *, soon: bool = False) -> tuple[list[Event], Event] | None:
    """The game of a seed with one fault, which may come `soon`, in any turn; None where it gives no occasion."""
    settings: dict[str, Any] = {
        **settings_of(seed),
        **{"omit_claims": 0.0, "detail": "full", "passes": "explicit", "unread": False, "readings": {}},
    }
    settings.pop("stops_at", None)
    if name in ("HCG-FW-02", "HCG-DEP-03", "HCG-DOC-03", "HCG-SHIP-01"):
        # They show on what everybody saw only.
        settings["hidden"] = "open"
    if name.split()[0] in COUNTED and settings["hidden"] == "all":
        # How many cards a deck has left nobody can say of one that is not listed.
        settings["hidden"] = "hands"
    if name in HEADERS:
        return with_a_spoiled_header(name, seed, number, settings)
    rule = name.split()[0]
    settings["readings"] = READINGS.get(rule, {})
    if name == "HCG-UNIQ-05":
        settings["hidden"] = "open"
    if name == "HCG-BSET-03 illegal":
        settings["hidden"] = "hands"
    if name in WRITTEN:
        settings["hidden"] = "all" if name == "HCG-CARD-01" else "no instances"
    rng = Random(f"{name} of {seed}")
    game = lay_out(SpoiledGame, seed, settings, lambda sides, decks: prepare(rule, rng, sides, decks))
    assert isinstance(game, SpoiledGame)
    game.pending, game.high = name, number % 2 == 0
    game.due = 0 if name in ONCE else 1 if soon else 1 + number // 2 % 3
    game.plays_on = number % 5 == 0
    temper(game, rule)
    game.play()
    if name in WRITTEN:
        style = Style(0.0, terse=False, implied=False, hidden=settings["hidden"])
        lines, _ = dress(game, style, Random(f"dress {seed}"))
        found = written(name, game, lines, rng, game.plays_on)
        return None if found is None else (found[0], found[1].as_json())
    expected = game.planted
    if expected is None or expected.event is None:
        return None
    style = Style(0.0, terse=False, implied=False, hidden=settings["hidden"])
    lines, seqs = dress(game, style, Random(f"dress {seed}"))
    if expected.event["seq"] not in seqs:
        return None
    expected.seq = seqs[expected.event["seq"]]
    return lines, expected.as_json()


def with_a_spoiled_header(name: str, seed: int, number: int, settings: dict[str, Any]) -> tuple[list[Event], Event]:
    """The game of a seed in which a deck, or the sectors, break a rule from the start."""
    rng = Random(f"{name} of {seed}")
    player = rng.choice(PLAYERS)
    if settings["hidden"] == "all":
        settings = {**settings, "hidden": "open"}
    game = lay_out(
        SpoiledGame,
        seed,
        settings,
        lambda sides, decks: DECKS[name](rng, player, sides, decks) if name in DECKS else None,
    )
    at_fault = TABLES[name](game, player) if name in TABLES else player
    if name in TABLES or number % 5:
        game.stops_at, game.stop_reason = rng.randint(4, 60), "stop"
    game.play()
    style = Style(0.0, terse=False, implied=False, hidden=settings["hidden"])
    lines, _ = dress(game, style, Random(f"dress {seed}"))
    return lines, Expected(name, "illegal", at_fault, None).as_json()


def planted(name: str, number: int, *, alone: bool = False) -> Planted | None:
    """The game number `number` with a fault, too high and too low by turns, every other time (not where it is to be `alone`)
    beside a second one; None where no game gives an occasion."""
    rng = Random(f"{name} {number}")
    for attempt in range(TRIES):
        seed = rng.randrange(MOST_ADDRESSED)
        found = plant(name, seed, number, soon=attempt >= PATIENT)
        if found is not None:
            lines, fault = found
            return Planted(
                seed, lines, fault, with_a_second(lines, fault, rng) if number // 2 % 2 and not alone else None
            )
    return None
