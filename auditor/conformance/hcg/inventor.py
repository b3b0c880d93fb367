"""The second opinion on the card game, as commands and the conformance run know it.

It plays games and plants faults, and judges logs that it did not play, by some of the rules (`referee.JUDGED`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from auditor.conformance.hcg import generate
from auditor.conformance.hcg.cards import example_data, example_set
from auditor.conformance.hcg.generate import play_game
from auditor.conformance.hcg.near import NEAR, NUMBER_RULES, numbers
from auditor.conformance.hcg.plant import PLANTABLE, planted
from auditor.conformance.hcg.plant.readings import NEVER, PLANTABLE_READINGS, plant_reading
from auditor.conformance.hcg.readings import READINGS
from auditor.conformance.hcg.referee import JUDGED, check
from auditor.conformance.hcg.relations import RELATIONS
from auditor.conformance.hcg.seldom import legal_game, settings_of
from auditor.conformance.hcg.table import PLAYED_UNDER
from auditor.conformance.hcg.texts import Text
from auditor.conformance.inventor import CannotInvent, Inventor, Options
from auditor.conformance.logs import Json, as_jsonl

PLAIN: Json = {"detail": "full", "passes": "explicit", "hidden": "open", "unread": False}


def legal_lines(seed: int) -> list[Json]:
    """The legal game of a seed with its card set in full, written down with all that the second referee needs."""
    header, *events = play_game(seed, {**generate.settings_of(seed), **PLAIN})[0]
    return [{**header, "cards": example_data()}, *events]


def unreadable(lines: Sequence[Json]) -> set[int]:
    """The events that come from a printed text that cannot be read, and what follows in the same battle action."""
    known: dict[str, str] = {}
    for player in lines[0]["players"]:
        known |= player.get("instances", {})
    for event in lines[1:]:
        known |= event.get("ids", {})
        known |= {one["card"]: one["id"] for one in event.get("cards", ()) if isinstance(one, dict)}
    found, played = set(), False
    for event in lines[1:]:
        begins = event["type"].startswith("ba.")
        comes = _unread(event, known) or (begins and _unread({"source": {**event, "card": event.get("unit")}}, known))
        played = comes or (played and not begins)
        if played:
            found.add(event["seq"])
    return found


def _unread(event: Json, known: Mapping[str, str]) -> bool:
    """Whether the ability that an event names as its source cannot be read."""
    source = event.get("source", {})
    card = example_set().get(known.get(source.get("card"), ""))
    if card is None or source.get("ability") is None:
        return False
    text = card.line if source["ability"] == "line" else card.box[source["ability"]]
    return isinstance(text, Text) and not text.readable


def findings_of(fault: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    return [fault, *fault.get("also", ())]


def write_game(
    seed: int, rounds: int, board: Path | None, out: Path, omit_claims: float = 0.0, readings: Options | None = None
) -> int:
    """Write a legal game as JSONL and give back the number of its events; it is as long as its play makes it.

    Raises CannotInvent for a board, and for readings by which nobody here plays.
    """
    if board is not None:
        raise CannotInvent("the card game has no boards")
    for name, option in (readings or {}).items():
        if option not in PLAYED_UNDER.get(name, ()):
            raise CannotInvent(f"nobody here plays under {name}={option}")
    settings = {**generate.settings_of(seed), **PLAIN, "omit_claims": omit_claims, "readings": dict(readings or {})}
    settings.pop("stops_at", None)
    lines, _ = play_game(seed, settings)
    _write(out, as_jsonl(lines))
    return len(lines) - 1


def write_faulty_game(seed: int, fault: str, out: Path) -> Path:
    """Write a game with one planted fault, and beside it what an audit must find. Raises CannotInvent."""
    if fault in PLANTABLE_READINGS:
        try:
            turned = plant_reading(fault, seed)
        except LookupError as why:
            raise CannotInvent(str(why)) from None
        return _write_both(out, turned.lines, turned.faults)
    game = planted(fault, Random(seed).randrange(10**6), alone=True)
    if game is None:
        raise CannotInvent(f"no game of this seed gives an occasion for {fault}")
    return _write_both(out, game.lines, findings_of(game.fault))


def _write_both(out: Path, lines: Sequence[Json], findings: Sequence[Mapping[str, Any]]) -> Path:
    _write(out, as_jsonl(lines))
    beside = out.with_suffix(".expected.json")
    _write(beside, json.dumps({"findings": findings}, indent=1) + "\n")
    return beside


def write_mutated_game(log: Path, fault: str, seed: int, out: Path, readings: Options | None = None) -> Path:
    """A fault in a finished log. Raises CannotInvent: faults are planted while a game is played."""
    raise CannotInvent("faults of the card game are planted while it is played, not into a finished log")


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")


INVENTOR = Inventor(
    readings=READINGS,
    plantable=PLANTABLE,
    plantable_readings=PLANTABLE_READINGS,
    never=NEVER,
    near=NEAR,
    number_rules=NUMBER_RULES,
    check=check,
    judged=JUDGED,
    findings_of=findings_of,
    numbers=numbers,
    unreadable=unreadable,
    legal_game=legal_game,
    legal_lines=legal_lines,
    settings_of=settings_of,
    planted=planted,
    plant_reading=plant_reading,
    relations=RELATIONS,
    write_game=write_game,
    write_faulty_game=write_faulty_game,
    write_mutated_game=write_mutated_game,
)
