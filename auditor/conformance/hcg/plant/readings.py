"""Faults of a reading: what one option allows and another does not, or what comes out otherwise.

A game is played under one option, and the second referee judges it under another. Where that finds the first thing
wrong, the fault is planted: the record ends there.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from auditor.conformance.found import Found
from auditor.conformance.hcg.generate import settings_of
from auditor.conformance.hcg.plant.turning import PLAYS, TurningGame, play_for
from auditor.conformance.hcg.readings import READINGS
from auditor.conformance.hcg.referee import check
from auditor.conformance.hcg.table import Event
from auditor.conformance.inventor import NOT_JUDGED, Turned, plantable

Json = dict[str, Any]
Options = dict[str, str]
TRIES = 150

# Faults of an option that no log can show, because whatever the other options let players do this one allows too.
NEVER: dict[str, str] = {
    "OR-COPYID=exact-title": "Cards of one title are of one name group as well.",
    "OR-SIDES=any": "It allows any two sides.",
    "OR-FWSPREAD=at-least-one": "It allows one flip to each sector, too.",
    "OR-SELFBLOCK=shooting-only": "It allows a block, and never asks for one.",
    "OR-SWEEPBLOCK=allowed": "It allows a block, and never asks for one.",
    "OR-SPECIALDEAD=resolves": "It allows an effect to be chosen, and never asks for it.",
    "OR-UPTOZERO=zero-ok": "It allows every choice that the other option allows.",
    "OR-VSBLOCK=counts": "A unit that may block without the bonus may block with it.",
    "OR-XRANGE=nonneg": "It allows every number that the other option allows.",
    "OR-SELFCOST=allowed": "It allows the card that is played to be discarded, and never asks for it.",
    "OR-CMDFACE=yes": "It allows a look at the upper face of a card, and never asks for one.",
}
# Options under which no fault is planted yet.
NOT_YET = ("OR-CHARGEWIN=window-all", "OR-FAILWIN=window")
PLANTABLE_READINGS = plantable(READINGS, NEVER, NOT_YET)
MORE = (0, 3, 9)
PLAYED_FOR = {"OR-CHARGEWIN=window": ("window-all",), "OR-FIZZLE=rechoose": ("all-or-nothing",)}
"""By which options players go for a fault under one, where not by any other."""
BESIDE = {"OR-LEFTFACE=as-they-lie": {"OR-EVENTSCOPE": "all-in-play"}}
"""Other readings that must be ruled so, in play and judgement alike, for an option to matter at all."""
HEADER_ENDS = 30
"""So many events has the record of a fault that is in the header."""


def game_of(seed: int, reading: str, played: Options) -> list[Event]:
    """The game of a seed as it is played where a reading shall matter."""
    settings = {
        **settings_of(seed),
        **{"omit_claims": 0.0, "detail": "full", "passes": "explicit", "unread": False, "hidden": "open"},
        "readings": played,
    }
    settings.pop("stops_at", None)
    return play_for(reading, TurningGame, seed, settings)[1]


def first_fault(lines: Sequence[Event], under: Options, played: Options) -> tuple[list[Event], list[Found]] | None:
    """The record up to the first event that is at fault under an option, and its faults; None where there is none.

    A few events more, where only what follows tells that it is one.
    """
    found = check(lines, under)
    if not found or found[0].kind == NOT_JUDGED:
        return None
    at = found[0].seq
    ends = max([at or HEADER_ENDS, *(one["reroll"] for one in lines[1 : at + 1] if "reroll" in one)])
    for more in MORE:
        cut = [*lines[: ends + more + 1]]
        found = check(cut, under)
        faults = [one for one in found if one.kind != NOT_JUDGED]
        stops = [one for one in found if one.kind == NOT_JUDGED and one.seq <= max(at, cut[-1]["seq"] - 1)]
        if faults and not stops and all(one.seq == at for one in faults) and not check(cut, played):
            return cut, faults
    return None


def plant_reading(name: str, number: int) -> Turned:
    """The game number `number` with a fault of a reading, such as "OR-SIDES=opposed".

    Under that option the second referee finds the faults, all of one event and nothing else; under the option in
    `played` it finds nothing. Raises LookupError where no game gives an occasion.
    """
    if name not in PLANTABLE_READINGS:
        raise LookupError(NEVER.get(name, f"no fault called {name} can be planted"))
    reading, _, chosen = name.partition("=")
    rng = Random(f"{name} {number}")
    for _ in range(TRIES):
        seed = rng.randrange(2**31)
        beside = BESIDE.get(name, {})
        under = {reading: chosen, **beside}
        others = [one for one in PLAYED_FOR.get(name, PLAYS[reading]) if one != chosen]
        played = {reading: rng.choice(others), **beside}
        turned = first_fault(game_of(seed, reading, played), under, played)
        if turned is not None:
            (header, *events), found = turned
            faults = [{"rule": one.rule, "kind": one.kind, "seq": one.seq, "player": one.player} for one in found]
            return Turned(seed, reading, under, played, [{**header, "rulings": under}, *events], faults)
    raise LookupError(f"no occasion for {name} in {TRIES} games")
