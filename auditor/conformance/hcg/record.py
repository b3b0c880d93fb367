"""How a game that was played is written down: what is left out, what is hidden, what the numbers of the events are then."""

from __future__ import annotations

import json
from dataclasses import dataclass
from random import Random
from typing import Any

from auditor.conformance.hcg.cards import SET
from auditor.conformance.hcg.game import Game
from auditor.conformance.hcg.table import PLAYERS, Event

CLAIMS = {
    "roll": ("die", "need", "final", "passed"),
    "roll.final": ("final", "passed"),
    "modifier": ("amount",),
    "effect": ("amount",),
    "damage": ("amount", "armor", "destroyed", "step", "stat"),
    "sweep": ("leftover",),
    "ba.end": ("positions", "cause"),
    "turn.end": ("decks",),
    "victory.flags": ("atk", "dfd"),
    "victory.result": ("atk", "dfd", "requirement"),
    "game.end": ("totals",),
    "battle.none": ("reason",),
    "setup.reveal": ("die",),
    "sector.reset": ("face",),
}
"""Fields that may be left out (catalogue 5.4), by event."""
MARKS = ("setup.shuffle", "ba.end", "victory.flags", "victory.result", "end.check", "turn.end")
OPTIONAL = ("block.none", "sweep.none", "special.none", "roll.final")
PASSES = ("tactic.pass", "reaction.pass", "modifier.pass")
TERSE = ("phase.start", "victory.discard", "end.ships")
REFERENCES = ("trigger", "roll", "reroll")
WHERE = ("turn", "battle", "ba")
OPENS = ("position", "turn.start", "turn.end", "battle.choose", "battle.none")
NAMED = ("card", "unit", "target", "from", "to", "stays")
NAMED_LISTS = ("cards", "destroyed", "returned", "ships", "discarded", "targets", "readied", "rallied")
UNSHOWN = ("draw", "deploy.regular", "setup.shuffle", "reshuffle", "setup.flip")


@dataclass(frozen=True)
class Style:
    """How a game is written down. hidden: open, no order, no instances, hands or all."""

    omit_claims: float
    terse: bool
    implied: bool
    hidden: str

    @property
    def orders(self) -> bool:
        return self.hidden in ("open", "no instances")

    @property
    def instances(self) -> bool:
        return self.hidden in ("open", "no order", "hands")


def header_of(game: Game, style: Style, rng: Random) -> Event:
    """The header: decks, or what is known of them."""
    players = []
    for player in PLAYERS:
        entry: Event = {"id": player, "name": {"p1": "Ada", "p2": "Bo"}[player], "side": game.sides[player]}
        if style.hidden != "all":
            entry["deck"] = [{"card": card, "n": n} for card, n in game.decks_listed[player].items()]
        if style.instances:
            entry["instances"] = {p.id: p.card.id for p in game.pieces.values() if p.owner == player}
        players.append(entry)
    header: Event = {"type": "header", "game": "hcg", "format": 1, "players": players}
    if style.terse or rng.random() < 0.5:
        header["detail"] = "terse" if style.terse else "full"
    if style.implied or rng.random() < 0.5:
        header["passes"] = "implied" if style.implied else "explicit"
    header["sectors"] = [{"slot": slot, "card": card.id} for slot, card in game.sectors.items()]
    header["cards"] = SET
    if game.readings:
        header["rulings"] = dict(game.readings)
    return header


def dress(game: Game, style: Style, rng: Random) -> tuple[list[Event], dict[int, int]]:
    """Header and events as they are written down, and the new number of each event that is still there."""
    kept = [event for event in game.log if not is_dropped(event, game.log, style, rng)]
    kept = json.loads(json.dumps(kept))  # A copy of all of it, which `deepcopy` takes longer to make.
    number = {event["seq"]: n for n, event in enumerate(kept, 1)}
    shown: set[str] = set()
    for event in kept:
        for key in REFERENCES:
            if isinstance(event.get(key), int):
                event[key] = number[event[key]]
        event["seq"] = number[event["seq"]]
        leave_out(event, game, style, rng)
        hide(event, style, rng)
        if not style.instances:
            show(event, game, shown)
    return [header_of(game, style, rng), *kept], number


def is_dropped(event: Event, log: list[Event], style: Style, rng: Random) -> bool:
    type_ = event["type"]
    if style.implied and type_ in PASSES:
        return rng.random() < 0.6
    if style.omit_claims and (type_ in MARKS[1:] or type_ in OPTIONAL):
        return rng.random() < style.omit_claims / 2
    return style.terse and type_ in TERSE and rng.random() < 0.4


def leave_out(event: Event, game: Game, style: Style, rng: Random) -> None:
    """Leave out claims, each with the same chance, and where the event stands."""
    names = CLAIMS.get(event["type"], ())
    if event["type"] == "effect" and event["op"] == "grant":
        names = ()
    for name in names:
        if name in event and rng.random() < style.omit_claims:
            del event[name]
    if style.omit_claims and event["type"] not in OPENS and not event["type"].startswith("ba."):
        if rng.random() < style.omit_claims / 3:
            for name in WHERE:
                event.pop(name, None)


def hide(event: Event, style: Style, rng: Random) -> None:
    """Leave out what nobody at the table saw."""
    if event["type"] in ("setup.shuffle", "reshuffle") and not style.orders:
        event.pop("order", None)
    if style.hidden == "hands":
        # Only where the header says whose each instance is: nothing else would tell whose a card is that is turned up.
        if event["type"] == "draw":
            event.pop("cards", None)
        if event["type"] == "deploy.regular":
            event.pop("card", None)


def show(event: Event, game: Game, shown: set[str]) -> None:
    """Say which cards the instances are that an event shows for the first time."""
    if event["type"] in UNSHOWN:
        shown.update(line["card"] for line in event.get("cards", ()) if isinstance(line, dict))
        return
    names: list[Any] = [event.get(key) for key in NAMED if isinstance(event.get(key), str)]
    for key in NAMED_LISTS:
        listed = event.get(key)
        names += listed if isinstance(listed, list) else ()
    source = event.get("source")
    if source:
        names.append(source["card"])
    choices = event.get("choices") or {}
    names += [choices.get("target"), *choices.get("targets", ())]
    new = {name: game.pieces[name].card.id for name in names if name in game.pieces and name not in shown}
    if new:
        shown.update(new)
        event["ids"] = new
