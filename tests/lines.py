"""Examples with whole lines otherwise: one left out, written twice or after the next one; and play that goes on.

An example ends where its rule has been seen. Only in what comes after it shows what an event left behind: a phase that
ends, the next turn, the other player.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any

from auditor.systems.clx.position.state import PHASES

Line = dict[str, Any]
Log = Mapping[str, Any]
LINES = 5
"""How often a line of an example is otherwise."""
NUMBERS = ("seq", "trigger", "roll", "reroll")
"""Fields that hold numbers of events."""
CLOSES = ("end", "game_end", "game.end", "turn.end", "turn_end")


def otherwise(game: str, name: str, log: Log) -> Iterator[tuple[str, Log]]:
    """The changes of an example's lines, each said in words, and the log with it."""
    events = log["events"]
    seen = set()
    for number in range(LINES):
        rng = Random(f"{name} line {number}")
        place, how = rng.randrange(1, len(events)) if len(events) > 1 else 0, rng.choice(("left out", "twice", "later"))
        if (place, how) not in seen:
            seen.add((place, how))
            parts = {"left out": [], "twice": [place, place], "later": [place + 1, place]}[how]
            order = [*range(place), *parts, *range(place + (2 if how == "later" else 1), len(events))]
            made = [events[one] for one in order if one < len(events)]
            yield f"line {events[place]['seq']} -> {how}", {**log, "events": renumbered(made)}
    ended = [event for event in events if event["type"] not in CLOSES]
    if ended:
        more = GOES_ON[game](log, ended)
        last = ended[-1]["seq"]
        added = [{"seq": last + n, **line} for n, line in enumerate(more, 1)]
        yield "play -> goes on", {**log, "events": [*ended, *added]}


def renumbered(events: list[Line]) -> list[Line]:
    """The events numbered as they stand, and what names one of them by its number with the new one."""
    now = {event["seq"]: number for number, event in enumerate(events, events[0]["seq"])} if events else {}
    made = [
        {
            key: now.get(value, value) if key in NUMBERS and isinstance(value, int) else value
            for key, value in one.items()
        }
        for one in events
    ]
    return [{**event, "seq": number} for number, event in enumerate(made, events[0]["seq"] if events else 1)]


def _last(events: list[Line], field: str, otherwise: Any) -> Any:
    return next((event[field] for event in reversed(events) if event.get(field) is not None), otherwise)


def _inches(log: Log, events: list[Line]) -> list[Line]:
    """The phases that are left, the end of the turn, and the turn of the other player up to its shooting."""
    players = [player["id"] for player in log["header"]["players"]]
    starts = [one for one in events if one["type"] in ("turn_start", "phase_start", "position")]
    active = _last([{"player": one.get("player") or one.get("active")} for one in starts], "player", players[0])
    other = next((player for player in players if player != active), active)
    turn, phase = _last(events, "turn", 1), _last(events, "phase", PHASES[0])
    if not isinstance(turn, int):
        return []
    at = PHASES.index(phase) if phase in PHASES else -1
    mine = [{"type": "phase_start", "phase": one} for one in PHASES[at + 1 :]] + [{"type": "turn_end"}]
    made = [{"turn": turn, "player": active, **line} for line in mine]
    first = _last(events, "first", players[0])
    after = turn + 1 if active != first else turn
    theirs = [{"type": "turn_start"}, *({"type": "phase_start", "phase": one} for one in PHASES[:3])]
    return made + [{"turn": after, "player": other, **line} for line in theirs]


def _cards(log: Log, events: list[Line]) -> list[Line]:
    """Two passes end the battle, its sector stays as it is, the end phase, and the next turn up to its deployment."""
    players = [player["id"] for player in log["header"]["players"]]
    turn, battle = _last(events, "turn", 1), _last(events, "battle", 1)
    if not isinstance(turn, int):
        return []
    here = {"turn": turn, "battle": battle}
    passed = [line for player in players for line in ({"type": "ba.pass", "by": player}, {"type": "ba.end"})]
    over = [
        *({"type": "victory.flags", "stage": stage} for stage in ("initial", "after_atk", "after_dfd")),
        *({"type": "victory.discard", "by": player} for player in players),
        {"type": "victory.result", "winner": None},
        {"type": "sector.reset"},
    ]
    fought = [
        {**here, **line}
        for line in ({"type": "ba.end"}, *passed, {"type": "battle.end", "cause": "double_pass"}, *over)
    ]
    end = [{"type": "phase.start", "phase": "end"}, *({"type": "end.ships", "by": player} for player in players)]
    starts = [{"type": "turn.start"}, *({"type": "phase.start", "phase": one} for one in ("first_wave", "deployment"))]
    return [
        *fought,
        *({"turn": turn, **line} for line in (*end, {"type": "turn.end"})),
        *({"turn": turn + 1, **line} for line in starts),
    ]


GOES_ON: dict[str, Callable[[Log, list[Line]], list[Line]]] = {"clx": _inches, "hcg": _cards}
