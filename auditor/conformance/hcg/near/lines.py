"""One step from a fault: what shows in the lines of a finished log alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from auditor.conformance.hcg.cards import MOST_COPIES, SMALLEST_DECK, Card
from auditor.conformance.hcg.near.watching import Near
from auditor.conformance.hcg.table import Event

NEAR: Near = {
    "smallest deck": ("HCG-DECK-01", "a deck of exactly 60 cards"),
    "four copies": ("HCG-DECK-02", "a deck with exactly four copies of a card"),
    "side and unaligned": ("HCG-DECK-03", "a deck of one side, with unaligned cards, against one of the other side"),
    "no planet named": ("HCG-SETUP-01", "nobody named the planet: the three sectors alone must agree"),
    "revealed alone": ("HCG-SETUP-05", "a first flip where nothing but the reveal tells the top of the deck"),
    "shown later": ("HCG-DOC-02", "cards turned up that were drawn and deployed unnamed"),
}


def near_in(lines: Sequence[Event], cards: Mapping[str, Card]) -> Iterator[str]:
    """The situations of `NEAR` in a finished log of a game with these cards."""
    header = lines[0]
    players = header["players"]
    decks = [{line["card"]: line["n"] for line in player.get("deck", ())} for player in players]
    if any(sum(deck.values()) == SMALLEST_DECK for deck in decks):
        yield "smallest deck"
    if any(max(deck.values(), default=0) == MOST_COPIES for deck in decks):
        yield "four copies"
    if players[0]["side"] != players[1]["side"]:
        if any(len({cards[name].alignment for name in deck}) == 2 for deck in decks):
            yield "side and unaligned"
    opening = lines[1:10]
    if not any(event["type"] in ("setup.planet", "position") for event in opening):
        yield "no planet named"
    if any(event["type"] == "setup.shuffle" and "order" not in event for event in opening):
        yield "revealed alone"
    if any(event["type"] == "deploy.regular" and "card" not in event for event in lines[:40]):
        yield from ("shown later" for event in lines if event["type"] == "setup.flip" and event["cards"])


NUMBERS: dict[str, tuple[tuple[str, str], ...]] = {
    "turn.end": (("decks", "HCG-TURN-03"),),
    "ba.end": (("positions", "HCG-POS-01"),),
    "setup.reveal": (("die", "HCG-SETUP-02"),),
    "roll": (("die", "HCG-ROLL-01"), ("passed", "HCG-ROLL-02")),
    "roll.final": (("final", "HCG-MOD-04"), ("passed", "HCG-ROLL-02")),
    "modifier": (("amount", "HCG-MOD-04"), ("roll", "HCG-DOC-05")),
    "modifier.pass": (("roll", "HCG-DOC-05"),),
    "reaction": (("trigger", "HCG-DOC-05"),),
    "reaction.pass": (("trigger", "HCG-DOC-05"),),
    "reshuffle": (("n", "HCG-ROLL-06"),),
    "sweep": (("leftover", "HCG-SWEEP-03"),),
    "infiltrate": (("to", "HCG-INF-02"),),
    "victory.result": (("requirement", "HCG-VIC-07"),),
    "ba.pass": (("ba", "HCG-DOC-04"),),
    "ba.shoot": (("ba", "HCG-DOC-04"),),
    "ba.charge": (("ba", "HCG-DOC-04"),),
    "ba.card": (("ba", "HCG-DOC-04"),),
    "battle.choose": (("battle", "HCG-DOC-04"),),
}
"""By event: what it claims, and the rule that the claim is about. One more or less, or another zone, is the fault."""
NUMBER_RULES = (
    *sorted({rule for claims in NUMBERS.values() for _, rule in claims}),
    *("HCG-CARD-01", "HCG-VIC-02", "HCG-VIC-05", "HCG-END-01", "HCG-WIN-02"),
)


def numbers(event: Event) -> set[str]:
    """The rules about a number for which an event, as it stands in a log, claims one."""
    kind = event["type"]
    found = {rule for key, rule in NUMBERS[kind] if key in event} if kind in NUMBERS else set()
    if "ids" in event:
        found.add("HCG-CARD-01")
    if kind == "victory.flags" and ("atk" in event or "dfd" in event):
        found.add("HCG-VIC-02" if event["stage"] == "initial" else "HCG-VIC-05")
    elif kind == "end.check" and event.get("winner") is not None:
        found.add("HCG-END-01")
    elif kind == "game.end" and event.get("reason") in ("turn4_total", "extra_turn"):
        found.add("HCG-WIN-02")
    return found
