"""A second fault in a finished log, far from the first: a claim that nobody goes on from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from auditor.conformance.hcg.plant.table import Expected
from auditor.conformance.hcg.table import PLAYERS, Event

FAR = 12
"""So many events lie between two faults, at least."""
LABELLED = ("tactic.pass", "ba.charge", "effect", "battle.end")
"""Events whose labels nothing hangs on."""
Second = Callable[[Event, Sequence[Event], Random], Expected | None]


def wrong_turn(event: Event, lines: Sequence[Event], rng: Random) -> Expected | None:
    """An event that bears the number of another turn."""
    if event["type"] not in LABELLED or "turn" not in event:
        return None
    event["turn"] += rng.choice((1, 2))
    return Expected("HCG-DOC-04", "miscalculated", None, event)


def wrong_deck(event: Event, lines: Sequence[Event], rng: Random) -> Expected | None:
    """The number of cards of a deck at the end of a turn."""
    if event["type"] != "turn.end" or "deck" not in lines[0]["players"][0]:
        return None
    player = rng.choice(PLAYERS)
    event["decks"] = {**event["decks"], player: event["decks"][player] + rng.randint(1, 3)}
    return Expected("HCG-TURN-03", "miscalculated", player, event)


SECONDS: tuple[Second, ...] = (wrong_turn, wrong_deck)


def with_a_second(lines: list[Event], fault: Event, rng: Random) -> Event | None:
    """Spoil one more event of a log, and say what must be found there; None where none fits."""
    fit = [one for one in lines[1:] if abs(one["seq"] - fault["seq"]) > FAR and not _same_act(one, lines, fault)]
    rng.shuffle(fit)
    for event in sorted(fit, key=lambda one: one["type"] != "turn.end" or rng.random() < 0.5):
        for second in SECONDS:
            expected = second(event, lines, rng)
            if expected is not None:
                expected.seq = event["seq"]
                return expected.as_json()
    return None


def _same_act(event: Event, lines: Sequence[Event], fault: Event) -> bool:
    """Whether an event lies in the turn, the battle and the battle action of the fault."""
    if not 0 < fault["seq"] < len(lines):
        return False
    there = lines[fault["seq"]]
    return all(event.get(key) == there.get(key) for key in ("turn", "battle", "ba"))
