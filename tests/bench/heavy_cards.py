"""Records of the card game that keep every limit and might cost most: what grows stands in one window, one action, one
list. Each is made of an example game that was played up to some moment, and of so many lines after it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

from auditor.conformance.logs import as_jsonl
from tests.bench.measure import ROOT

Event = dict[str, Any]
OF_A_TACTIC = {"zone": "hand", "card": "p2-35", "ability": "line"}
NOW = {"turn": 1, "battle": 1, "ba": 3}


@cache
def _game() -> str:
    return (ROOT / "fixtures" / "hcg" / "games" / "four-turns.json").read_text()


def _until(seq: int) -> tuple[Event, list[Event]]:
    """The header and the first events of the example."""
    game = json.loads(_game())
    return game["header"], game["events"][:seq]


def _log(header: Event, played: Iterable[Event], more: Iterable[Event]) -> bytes:
    lines = ({**event, "seq": seq} for seq, event in enumerate([*played, *more], 1))
    return as_jsonl([header, *lines]).encode()


def _over_and_over(until: int, *lines: Event) -> Callable[[int], bytes]:
    def make(count: int) -> bytes:
        return _log(*_until(until), (lines[n % len(lines)] for n in range(count)))

    return make


def window(count: int) -> bytes:
    """Rolls and modifiers in one window."""
    lines: list[Event] = []
    while len(lines) < count:
        roll = 39 + len(lines) + 1
        source = {"zone": "hand", "card": "p2-50", "ability": "line"}
        lines += [
            {"type": "roll", "by": "p2", "source": source, "card": "p2-11", "die": 1, "purpose": "test", "need": 5},
            {"type": "modifier", "by": "p1", "source": source, "roll": roll, "amount": 2},
            {"type": "modifier", "by": "p2", "source": source, "roll": roll, "amount": 1},
        ]
    return _log(*_until(39), ({**line, **NOW} for line in lines[:count]))


def one_roll(count: int) -> bytes:
    """One roll, and modifiers of it."""
    source = {"zone": "hand", "card": "p2-50", "ability": "line"}
    lines: list[Event] = [{"type": "roll", "by": "p2", "source": source, "card": "p2-11", "die": 1, "purpose": "test"}]
    lines += [
        {"type": "modifier", "by": f"p{n % 2 + 1}", "source": source, "roll": 40, "amount": 1} for n in range(count - 1)
    ]
    return _log(*_until(39), ({**line, **NOW} for line in lines))


tactics = _over_and_over(
    40,
    {"type": "tactic", "by": "p2", "source": OF_A_TACTIC, "choices": {"target": "p2-12"}, **NOW},
    {"type": "effect", "source": OF_A_TACTIC, "op": "modify", "targets": ["p2-12"], "stat": "firepower", "amount": 1,
     "until": "ba", **NOW},
)  # fmt: skip
effects = _over_and_over(
    42,
    {"type": "effect", "source": OF_A_TACTIC, "op": "modify", "targets": ["p2-12"], "stat": "firepower", "amount": 1,
     "until": "static", **NOW},
)  # fmt: skip
damages = _over_and_over(
    46,
    {"type": "damage", "from": "p2-12", "to": "p1-06", "stat": "firepower", "amount": 4, "armor": 2, "destroyed": False,
     "step": 1, **NOW},
)  # fmt: skip
flags = _over_and_over(63, {"type": "victory.flags", "atk": 5, "dfd": 2, "stage": "initial", "turn": 1, "battle": 1})
shown = _over_and_over(
    64, {"type": "victory.reveal", "by": "p2", "cards": ["p2-19", "p2-16", "p2-37", "p2-44"], "turn": 1, "battle": 1}
)
results = _over_and_over(
    70, {"type": "victory.result", "winner": "p1", "atk": 5, "dfd": 2, "requirement": 8, "turn": 1, "battle": 1}
)
resolved = _over_and_over(
    99,
    {"type": "event", "by": "p1", "source": {"zone": "sector", "card": "p1-42", "ability": 0}, "choices": {}, "turn": 1,
     "battle": 2},
)  # fmt: skip
passes = _over_and_over(40, {"type": "tactic.pass", "by": "p2", **NOW}, {"type": "tactic.pass", "by": "p1", **NOW})
actions = _over_and_over(
    36,
    {"type": "ba.charge", "by": "p1", "unit": "p1-20", "turn": 1, "battle": 1, "ba": 2},
    {"type": "ba.end", "turn": 1, "battle": 1, "ba": 2},
)
draws = _over_and_over(
    39, {"type": "draw", "by": "p2", "n": 1, "cards": ["p2-41"], "to": "command_hand", "cause": "effect", "turn": 1}
)
costs = _over_and_over(
    39, {"type": "cost", "by": "p1", "source": OF_A_TACTIC, "op": "discard", "cards": ["p1-48"], **NOW}
)
changes = _over_and_over(
    39,
    {"type": "lock", "by": "p1", "cards": ["p1-20"], "cause": "effect", **NOW},
    {"type": "rally", "by": "p1", "cards": ["p1-20"], "cause": "effect", **NOW},
    {"type": "destroy", "by": "p1", "cards": ["p1-20"], "cause": "effect", **NOW},
    {"type": "return", "by": "p1", "cards": ["p1-20"], "cause": "effect", "to": "sector", **NOW},
)
flips = _over_and_over(
    31, {"type": "setup.flip", "sector": 2, "cards": [{"card": "p1-20", "id": "u4"}], "turn": 1, "battle": 1}
)
deployed = _over_and_over(
    17, {"type": "deploy.regular", "by": "p1", "card": "p1-39", "sector": 1, "face": "down", "turn": 1}
)
turns = _over_and_over(110, {"type": "end.check", "winner": "p1", "turn": 1}, {"type": "turn.end", "turn": 1})
judged = _over_and_over(39, {"type": "judge", "text": "A judge ruled.", "position": {"flags": {"p1": 3}}})


def reactions(count: int) -> bytes:
    """Reactions, each to the reaction before."""
    source = {"zone": "hand", "card": "p1-48", "ability": "line"}
    lines = (
        {"type": "reaction", "by": f"p{n % 2 + 1}", "source": source, "trigger": 46 + n + 1, **NOW}
        for n in range(count)
    )
    return _log(*_until(47), lines)


def to_one(count: int) -> bytes:
    """Reactions to one event, passed in between."""
    source = {"zone": "hand", "card": "p1-48", "ability": "line"}
    lines = (
        {
            "type": "reaction.pass" if n % 2 else "reaction",
            "by": f"p{n % 2 + 1}",
            "source": source,
            "trigger": 47,
            **NOW,
        }
        for n in range(count)
    )
    return _log(*_until(47), lines)


def whole(count: int) -> bytes:
    """A whole game over and over, without a word of how it begins anew."""
    header, events = _until(466)
    return _log(header, [], (events[n % len(events)] for n in range(count)))


def undone(count: int) -> bytes:
    """An action that is taken back again and again."""
    header, events = _until(39)
    more = events[36:39]
    lines: list[Event] = []
    while len(lines) < count:
        lines += [*more, {"type": "undo", "to": 36}]
    return _log(header, events[:36], lines[:count])


def _big(instances: int) -> tuple[Event, list[Event]]:
    """The example, with so many more instances of each player."""
    header, events = _until(63)
    for player in header["players"]:
        player["instances"] |= {f"{player['id']}x{n}": "u0" for n in range(instances)}
    return header, events


def listed(count: int) -> bytes:
    """Events that list as many cards as they may."""
    header, events = _until(46)
    cards = [f"p{n % 2 + 1}-{n % 60 + 1:02}" for n in range(LISTED)]
    lines: list[Event] = [
        {"type": "destroy", "by": "p1", "cards": cards, "cause": "effect", **NOW},
        {"type": "lock", "by": "p1", "cards": cards, "cause": "effect", **NOW},
        {"type": "discard", "by": "p1", "cards": cards, "cause": "effect", **NOW},
        {
            "type": "effect",
            "source": OF_A_TACTIC,
            "op": "modify",
            "targets": cards,
            "stat": "speed",
            "amount": 1,
            **NOW,
        },
    ]
    return _log(header, events, (lines[n % len(lines)] for n in range(count)))


LISTED = 250


def strangers(count: int) -> bytes:
    """Events that list as many cards as they may, none of which the header knows."""
    header, events = _until(46)
    lines = (
        {"type": "destroy", "by": "p1", "cards": [f"c{n}-{i}" for i in range(LISTED)], "cause": "effect", **NOW}
        for n in range(count)
    )
    return _log(header, events, lines)


def named(count: int) -> bytes:
    """Events whose `ids` tell many cards."""
    header, events = _until(46)
    ids = {f"c{n}": "u0" for n in range(NAMED)}
    return _log(header, events, ({"type": "tactic.pass", "by": "p1", "ids": ids, **NOW} for _ in range(count)))


NAMED = 250


def instances(count: int) -> bytes:
    """A header with many cards, and a game up to its first battle action."""
    header, events = _big(count // 2)
    for event in events[:2]:
        event["order"] += [f"{event['by']}x{n}" for n in range(min(count // 2, 900))]
    return _log(header, events, [])


def positions(count: int) -> bytes:
    """Whole positions, one after the other."""
    header, events = _until(39)
    orders = {event["by"]: event["order"] for event in events[:2]}
    rows = {"deploy_hand": [], "command_hand": [], "discard": [], "limbo": [], "set_aside": [], "fleet": []}
    stated = {
        "type": "position",
        "turn": 1,
        "phase": "first_wave",
        "roles": {"p1": "defender", "p2": "attacker"},
        "planet": "Meridian",
        "next": "p1",
        "served": {"p1": [], "p2": []},
        "sectors": [{"slot": one["slot"], "state": "open", "fought": False} for one in header["sectors"]],
        "zones": {
            player: {
                "deck": {"n": 0, "order": []},
                **rows,
                "sectors": {str(one["slot"]): order if one["slot"] == 1 else [] for one in header["sectors"]},
            }
            for player, order in orders.items()
        },
    }
    return _log(header, events, (stated for _ in range(count)))


def faults(count: int) -> bytes:
    """Acts of cards that stand elsewhere, with long claims."""
    header, events = _until(39)
    lines = (
        {"type": "ba.shoot", "by": "p1", "unit": f"p{n % 2 + 1}-{n % 60 + 1:02}", "target": f"p1-{n % 59 + 1:02}",
         "turn": 1, "battle": 1, "ba": 3 + n}
        for n in range(count)
    )  # fmt: skip
    return _log(header, events, lines)


SHAPES: Mapping[str, tuple[Callable[[int], bytes], int]] = {
    "rolls and modifiers in one window": (window, 19_800),
    "modifiers of one roll": (one_roll, 19_800),
    "tactics in one battle action": (tactics, 19_800),
    "effects that last": (effects, 19_800),
    "damage in one battle action": (damages, 19_800),
    "reactions in reactions": (reactions, 19_800),
    "reactions to one event": (to_one, 19_800),
    "totals of flags": (flags, 19_800),
    "hands shown in one victory step": (shown, 19_800),
    "results of one battle": (results, 19_800),
    "events resolved in one victory step": (resolved, 19_800),
    "passes": (passes, 19_800),
    "battle actions": (actions, 19_800),
    "draws": (draws, 19_800),
    "costs of one ability": (costs, 19_800),
    "cards that come and go": (changes, 19_800),
    "cards turned up again": (flips, 19_800),
    "cards deployed again": (deployed, 19_800),
    "ends of one turn": (turns, 19_800),
    "rulings of a judge": (judged, 19_800),
    "a game over and over": (whole, 19_800),
    "an action taken back again and again": (undone, 19_800),
    "cards where they are not": (faults, 19_800),
    "events that list many cards": (listed, 7_000),
    "events that list cards nobody knows": (strangers, 6_000),
    "events that tell many cards": (named, 4_000),
    "cards in the header": (instances, 380),
    "whole positions": (positions, 8_000),
}
