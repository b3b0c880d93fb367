"""What the second referee of the card game says of a legal game in which one event is left out or changed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache
from typing import Any

import pytest

from auditor.conformance.hcg.cards import Card, example_set
from auditor.conformance.hcg.inventor import INVENTOR
from auditor.conformance.hcg.referee import JUDGED, check
from auditor.trials.fuzz import change_of, judged, opponent_of

Event = dict[str, Any]
Spoiled = tuple[list[Event], int, str | None]
"""The events as they are now, the place of the fault among them, and who is accused."""
SEEDS = range(0, 24, 2)
SHOWS = ("setup.ships", "setup.skip", "victory.flags", "ba.end")
"""Events at which something before them shows to be left out."""
PLAYED = {"tactic": "T", "reaction": "R", "modifier": "M"}


@cache
def game(seed: int) -> list[Event]:
    return INVENTOR.legal_lines(seed)


def cards_of(header: Event) -> dict[str, Card]:
    """The card of each instance."""
    return {name: example_set()[card] for one in header["players"] for name, card in one["instances"].items()}


def left_out(type_: str, **fields: Any) -> Callable[[Event, list[Event]], Iterator[Spoiled]]:
    """An event and what it brought about are not there, nor the totals that it moved."""

    def spoil(header: Event, events: list[Event]) -> Iterator[Spoiled]:
        for n, event in enumerate(events):
            if event["type"] == type_ and all(event.get(key) == value for key, value in fields.items()):
                source = event.get("source", ())
                then = (one for one in events[n + 1 :] if one.get("source") != source)
                after = {key: value for key, value in next(then).items() if key not in ("atk", "dfd")}
                if after["type"] in SHOWS:
                    yield [*events[:n], after], n, event["by"]

    return spoil


def with_another_text(
    types: tuple[str, ...], wanted: Callable[[Card, str], list[Any]], zone: str
) -> Callable[[Event, list[Event]], Iterator[Spoiled]]:
    """Another text of the player's is played: of a card that lies in this zone, at this place of it."""

    def spoil(header: Event, events: list[Event]) -> Iterator[Spoiled]:
        cards, lies = cards_of(header), dict[str, str]()
        for n, event in enumerate(events):
            if event["type"] in types:
                for name, where in lies.items():
                    places = wanted(cards[name], PLAYED[event["type"]])
                    if where == zone and name.startswith(event["by"]) and places:
                        now = {**event, "source": {"zone": "hand", "card": name, "ability": places[0]}}
                        yield [*events[:n], now], n, event["by"]
            if event["type"] == "draw":
                lies.update(dict.fromkeys(event["cards"], event["to"]))
            elif event["type"] == "deploy.first":
                lies[event["card"]] = "table"
            elif event["type"] == "battle.end":
                lies = {}
            else:
                lies = {name: where for name, where in lies.items() if f'"{name}"' not in json.dumps(event)}

    return spoil


def typed(card: Card, letter: str) -> list[int]:
    return [place for place, _ in card.typed(letter)]


def of_its_line(card: Card, letter: str) -> list[str]:
    return ["line"] if card.line is not None and card.line.type == letter else []


def of_another_line(card: Card, letter: str) -> list[str]:
    return ["line"] if card.line is not None and card.line.type != letter else []


def again(header: Event, events: list[Event]) -> Iterator[Spoiled]:
    """A hand card that has just been played is played once more."""
    for n, event in enumerate(events):
        if event["type"] == "tactic" and event["source"]["ability"] == "line":
            after = next((m for m in range(n + 1, len(events)) if events[m]["type"].startswith("tactic")), None)
            if after is not None and events[after]["by"] != event["by"]:
                other = {**events[after + 1], "seq": events[after]["seq"] + 1}
                if other["type"].startswith("tactic") and other["by"] == event["by"]:
                    now = {**deepcopy(event), "seq": other["seq"], "turn": other["turn"]}
                    yield [*events[: after + 1], now], after + 1, event["by"]


def too_early(header: Event, events: list[Event]) -> Iterator[Spoiled]:
    """A tactic out of a hand that has just been drawn, before the first battle action."""
    cards = cards_of(header)
    for n, event in enumerate(events):
        if event["type"] == "draw" and event["cause"] == "command":
            for name in event["cards"]:
                if of_its_line(cards[name], "T"):
                    source = {"zone": "hand", "card": name, "ability": "line"}
                    tactic = {"type": "tactic", "by": event["by"], "source": source, "choices": {}}
                    yield [*events[: n + 1], tactic], n + 1, event["by"]


def as_the_die_fell(header: Event, events: list[Event]) -> Iterator[Spoiled]:
    """The number of the die in place of the sum, where no one modifier alone makes the difference."""
    for n, event in enumerate(events):
        if event["type"] == "roll.final":
            roll = events[event["roll"] - 1]
            added = [one.get("amount", 0) for one in events[:n] if one.get("roll") == event["roll"]]
            if event["final"] != roll["die"] and event["final"] - roll["die"] not in added:
                yield [*events[:n], {**event, "final": roll["die"]}], n, roll["by"]


def of_itself(header: Event, events: list[Event]) -> Iterator[Spoiled]:
    """A pass on the event that it is."""
    for n, event in enumerate(events):
        if event["type"] == "reaction.pass":
            yield [*events[:n], {**event, "trigger": n + 1}], n, event["by"]


SPOILED = {
    ("HCG-BSET-04", "omitted"): left_out("setup.ability"),
    ("HCG-UNIQ-01", "omitted"): left_out("setup.unique", reason="own"),
    ("HCG-UNIQ-02", "omitted"): left_out("setup.unique", reason="both"),
    ("HCG-SPEC-04", "omitted"): left_out("special"),
    ("HCG-VIC-04", "omitted"): left_out("event", choices={}),
    ("HCG-CMD-01", "illegal"): with_another_text(("tactic",), typed, "command_hand"),
    ("HCG-CMD-02", "illegal"): with_another_text(("tactic",), of_its_line, "table"),
    ("HCG-TAC-07", "illegal"): again,
    ("HCG-CARD-03", "illegal"): with_another_text(("tactic", "reaction"), of_another_line, "command_hand"),
    ("HCG-OPT-01", "illegal"): too_early,
    ("HCG-ROLL-05", "miscalculated"): as_the_die_fell,
    ("HCG-DOC-05", "ambiguous"): of_itself,
}

ALSO = {"HCG-UNIQ-01": "HCG-UNIQ-03", "HCG-UNIQ-02": "HCG-UNIQ-03"}
"""The rule that is named where the copies bear different titles."""


def occasions(rule: str, kind: str) -> Iterator[tuple[Event, Spoiled]]:
    for seed in SEEDS:
        header, *events = game(seed)
        for spoiled in SPOILED[rule, kind](header, events):
            yield header, spoiled
            break


@pytest.mark.parametrize(("rule", "kind"), SPOILED)
def test_what_was_spoiled_is_found(rule: str, kind: str) -> None:
    found = []
    for header, (events, place, by) in occasions(rule, kind):
        lines = [header, *({**event, "seq": n} for n, event in enumerate(events, 1))]
        said = [(one.seq, one.rule, one.kind, one.player) for one in check(lines)]
        found.append(said == [(place + 1, rule, kind, by)] or said == [(place + 1, ALSO.get(rule), kind, by)])
    assert rule in JUDGED
    assert found and all(found)


@pytest.mark.parametrize("number", [399, 469, 676, 934])
def test_both_say_the_same_of_a_value_over_which_they_differed(number: int) -> None:
    opponent = opponent_of("hcg")
    made = change_of(opponent, 50001, number)
    assert made is not None
    ours, theirs, _ = judged(opponent, made[0])
    assert ours == theirs
