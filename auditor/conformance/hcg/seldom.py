"""Legal games about the readings that games seldom come to: about a quarter of a run are such."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from auditor.conformance.hcg import generate
from auditor.conformance.hcg.generate import Lines
from auditor.conformance.hcg.near import WatchedGame
from auditor.conformance.hcg.plant.turning import TurningGame, play_for

SELDOM: dict[str, tuple[int, tuple[str, ...]]] = {
    "OR-BOTHEMPTY": (280, ("skip", "fight")),
    "OR-BONUSSETUP": (10, ("battle", "first-ba")),
    "OR-CHARGEWIN": (10, ("window", "window-all")),
    "OR-CMDFACE": (80, ("yes",)),
    "OR-D6SHARE": (110, ("one-roll",)),
    "OR-DMGACC": (75, ("per-step", "per-ba")),
    "OR-EVENTSNAP": (420, ("snapshot", "must-remain")),
    "OR-EXTRABOTH": (380, ("compare-totals", "play-on")),
    "OR-FAILWIN": (35, ("window",)),
    "OR-FIZZLE": (110, ("partial", "rechoose", "all-or-nothing")),
    "OR-NOCARDSATK": (160, ("skip-to-defender", "turn-ends")),
    "OR-SELFBLOCK": (190, ("shooting-only",)),
    "OR-SELFCOST": (50, ("allowed",)),
    "OR-SPECIALDEAD": (110, ("lost", "resolves")),
    "OR-TACASSET": (90, ("ends-ba", "continues")),
    "OR-TIE": (110, ("extra-turns", "draw")),
    "OR-UNIQINF": (30, ("any-copy", "own-copy")),
    "OR-UNIQNAME": (65, ("group-field", "leading-name")),
    "OR-VSBLOCK": (220, ("counts",)),
    "OR-XRANGE": (115, ("nonneg",)),
    "OR-ZEROKILL": (250, ("literal", "needs-1")),
}
"""By reading: how often it is played for, beside the others, and the options that its players go by."""
SHOWN = ("OR-NOCARDSATK", "OR-CMDFACE")
"""Readings whose games are written down with all that lies on the table."""


def played_for(seed: int) -> tuple[str, str] | None:
    """The reading that the game of a seed is about, and the option of it; None for three of four games."""
    if seed % 5 != 2 and seed % 13 != 6:
        return None
    rng = Random(f"reading of {seed}")
    reading = rng.choices([*SELDOM], [often for often, _ in SELDOM.values()])[0]
    return reading, rng.choice(SELDOM[reading][1])


def settings_of(seed: int) -> dict[str, Any]:
    """How the game of a seed is played and written down. A game about a reading is played to its end."""
    settings, about = generate.settings_of(seed), played_for(seed)
    if about is None:
        return settings
    reading, option = about
    settings.pop("stops_at", None)
    if reading in SHOWN:
        settings["hidden"] = "open"
    return {**settings, "readings": {reading: option}, "unread": False}


class SeldomGame(TurningGame, WatchedGame):
    """A game about a reading, which counts how near it comes to faults."""

    def begin_without_cards(self) -> None:
        super().begin_without_cards()
        # What was before it is in no record.
        self.came_near.clear()
        self.waiting.clear()
        self.modified.clear()


def legal_game(seed: int) -> tuple[Lines, Counter[str]]:
    """The legal game of a seed, and how often it came near which fault."""
    about = played_for(seed)
    if about is None:
        return generate.legal_game(seed)
    game, lines, kept = play_for(about[0], SeldomGame, seed, settings_of(seed))
    return lines, generate.came_near(game, lines, kept)
