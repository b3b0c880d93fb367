"""Logs that might cost most: seconds and megabytes of each, in a process with limits of both."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from subprocess import CalledProcessError
from typing import Any

from auditor.conformance.calth.generate import generate
from auditor.conformance.hcg.generate import play_game, settings_of
from auditor.conformance.hcg.plant.many import FULL
from auditor.conformance.logs import as_jsonl
from auditor.engine import audit_log
from auditor.engine import readings as engine_readings
from tests.bench.measure import ROOT, in_a_child, largest_resident, least_of, seconds
from tests.bench.table import Row

WORST = 10.0, 300.0, 20_000
"""The promise for whatever a log may hold: so many seconds and megabytes for so many events."""
MEGABYTES, SECONDS = 2048, 300
"""Of the process in which each log is audited; the service gives its own no more memory and less time."""

Event = dict[str, Any]


def _game(rounds: int = 5) -> tuple[Event, list[Event]]:
    header, *events = generate(3, rounds=rounds, first_round=2)
    over = ("scenario_end", "campaign_end", "end", "game_start")
    return header, [event for event in events if event["type"] not in over]


def _numbered(events: Iterable[Event]) -> Iterator[Event]:
    for seq, event in enumerate(events, 1):
        yield {**event, "seq": seq}


def _again_and_again(events: list[Event], count: int) -> Iterator[Event]:
    return (events[n % len(events)] for n in range(count))


def legal(count: int) -> bytes:
    """One generated game over and over, each time from the position that it states at first."""
    header, events = _game()
    return as_jsonl([header, *_numbered(_again_and_again(events, count))]).encode()


def broken(count: int) -> bytes:
    """A header, and lines that end in the middle."""
    return as_jsonl([_game()[0]]).encode() + b'{"seq":1,"type":"move_unit","path":[[0,\n' * count


def unknown(count: int) -> bytes:
    """Events of types that no game has."""
    header, _ = _game()
    return as_jsonl([header, *_numbered({"type": f"dance-{n}", "player": "UM"} for n in range(count))]).encode()


def attacks(count: int) -> bytes:
    """The attacks of a game over and over, after its position was stated once."""
    header, events = _game()
    first = next(n for n, event in enumerate(events) if event["type"] == "attack")
    fights = [event for event in events if event["type"] == "attack"]
    return as_jsonl([header, *_numbered([*events[:first], *_again_and_again(fights, count)])]).encode()


def faulty(count: int) -> bytes:
    """A legal game over and over in which every number that is claimed is one too large."""
    header, events = _game()

    def worse(value: Any, key: str = "") -> Any:
        if type(value) is int and key not in ("seq", "round"):
            return value + 1
        if isinstance(value, dict):
            return {name: inner if name in ("hex", "path") else worse(inner, name) for name, inner in value.items()}
        return value

    harmed = [event if event["type"] in ("position", "place") else worse(event) for event in events]
    return as_jsonl([header, *_numbered(_again_and_again(harmed, count))]).encode()


def undone(count: int) -> bytes:
    """A game that is taken back to its start again and again, one event further each time, and back from there."""
    header, events = _game()
    told: list[Event] = []
    depth = 1
    while len(told) < count:
        told += [*events[:depth], {"type": "undo", "to": len(told)}]
        depth = min(depth + 1, len(events))
    return as_jsonl([header, *_numbered(told[:count])]).encode()


CLAIMS = frozenset(
    [
        "pool",
        "shields",
        "pool_after_shields",
        "pool_left",
        "casualty",
        "stamina_used",
        "armour_used",
        "bonus_dice",
        "winner",
        "survivors",
        "tp",
        "tp_after",
        "tp_before",
        "tp_lost",
        "los",
        "distance",
        "weapon_destroyed",
        "self_casualty",
    ]
)
"""What a log claims beyond its facts, as far as lanes may come of it when it is left out."""


def lanes(count: int) -> bytes:
    """A game that claims nothing, under rulings that leave every reading open, over and over."""
    header, events = _game()
    readings = {reading["id"]: "open" for reading in engine_readings("calth")}

    def bare(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: bare(inner) for key, inner in value.items() if key not in CLAIMS}
        return [bare(inner) for inner in value] if isinstance(value, list) else value

    told = [event if event["type"] in ("position", "place") else bare(event) for event in events]
    ruled = {**header, "rulings": {"name": "all open", "readings": readings}}
    return as_jsonl([ruled, *_numbered(_again_and_again(told, count))]).encode()


def long_names(count: int) -> bytes:
    """A game whose units and models have ids as long as they may be, and texts too."""
    header, events = _game()
    text = json.dumps([header, *events])
    ids = {unit["unit"] for event in events for unit in event.get("units") or () if isinstance(unit, dict)}
    ids |= {model for event in events for unit in event.get("units") or () for model in unit.get("models") or ()}
    for name in sorted(ids, key=len, reverse=True):
        text = text.replace(f'"{name}"', f'"{name}{"x" * (64 - len(name))}"')
    header, *events = json.loads(text)
    told = [{**event, "remark": "y" * 200} for event in events]
    return as_jsonl([{**header, "title": "z" * 2000}, *_numbered(_again_and_again(told, count))]).encode()


def remarks(count: int) -> bytes:
    """Texts as long as they may be, as far as a log may be so large."""
    header, _ = _game()
    text = "".join(chr(0x4E00 + n % 20_000) for n in range(300))
    return as_jsonl([header, *_numbered({"type": "remark", "text": text} for _ in range(count))]).encode()


HOSTILE = (
    b'{"seq":%d,"type":"remark","text":"\\ud800\\u0000","type":"remark"}',
    b'{"seq":%d,"type":"attack","roll":' + b"[" * 60 + b"]" * 60 + b"}",
    b'{"seq":%d,"type":"move_unit","path":[[1e400,-0.0],[99999999999999999999,1]]}',
    b'{"seq":%d,"type":"position","units":[{"unit":"\\u202e","side":"UM","hex":[0,0],"models":['
    + b"1," * 30
    + b"1]}]}",
    b'{"seq":%d,"type":"attack","steps":[{"faces":12345678901234567890}],"attacker":null,"target":{}}',
    b'\xff\xfe{"seq":%d}',
)


def cards(count: int) -> bytes:
    """One generated card game over and over, each time from the position before its first wave."""
    header, *events = play_game(3, {**settings_of(3), **IN_FULL})[0]
    begun = next(n for n, event in enumerate(events) if event["type"] == "turn.start")
    orders = {event["by"]: event["order"] for event in events[:begun] if event["type"] == "setup.shuffle"}
    (chosen,) = [event for event in events[:begun] if event["type"] == "setup.role"]
    (planet,) = [event["planet"] for event in events[:begun] if event["type"] == "setup.planet"]
    other = "defender" if chosen["role"] == "attacker" else "attacker"
    roles = {player: chosen["role"] if player == chosen["by"] else other for player in orders}
    sectors = [one["slot"] for one in header["sectors"]]
    nothing = {zone: [] for zone in ("deploy_hand", "command_hand", "discard", "limbo", "set_aside", "fleet")}
    rows = {"sectors": {str(slot): [] for slot in sectors}}
    start = {
        "type": "position",
        "turn": 1,
        "phase": "first_wave",
        "roles": roles,
        "planet": planet,
        "next": next(player for player, role in roles.items() if role == "defender"),
        "served": {player: [] for player in orders},
        "sectors": [{"slot": slot, "state": "open", "fought": False} for slot in sectors],
        "zones": {
            player: {"deck": {"n": len(order), "order": order}, **nothing, **rows} for player, order in orders.items()
        },
    }
    played = [event for event in events[begun:] if event["type"] != "game.end"]
    told = [{**start, "seq": begun}, *played]
    again = enumerate(_again_and_again(told, count), 1)
    return as_jsonl([header, *(_numbered_anew(event, seq) for seq, event in again)]).encode()


IN_FULL = {**FULL, "stops_at": None}
"""A game is played to its end and written down with everything."""


def _numbered_anew(event: Event, seq: int) -> Event:
    """An event of a card game with another number, and with it those of the events that it speaks of."""
    later = seq - event["seq"]
    spoken_of = {key: event[key] + later for key in ("trigger", "roll", "reroll") if type(event.get(key)) is int}
    return {**event, "seq": seq, **spoken_of}


def hostile(count: int) -> bytes:
    """Lines that a reader stumbles over: doubled keys, depth, numbers too large, foreign types, no UTF-8."""
    header = as_jsonl([_game()[0]]).encode()
    return header + b"".join(HOSTILE[n % len(HOSTILE)] % n + b"\n" for n in range(1, count + 1))


LOGS: Mapping[str, tuple[Callable[[int], bytes], int]] = {
    "events, legal": (legal, 20_000),
    "broken lines": (broken, 100_000),
    "lines of hostile JSON": (hostile, 100_000),
    "events of unknown types": (unknown, 20_000),
    "attacks": (attacks, 19_900),
    "events with faults everywhere": (faulty, 20_000),
    "events, taken back again and again": (undone, 20_000),
    "events that claim nothing, all readings open": (lanes, 20_000),
    "events with long names": (long_names, 20_000),
    "long remarks": (remarks, 17_000),
    "events of a card game": (cards, 20_000),
}
GOALS: Mapping[Callable[[int], bytes], tuple[float, float, int]] = {
    legal: (4.0, 200.0, 100_000),
    cards: (10.0, 300.0, 20_000),
}
"""Where the promise is another one than WORST."""


def bench(divided_by: int = 1) -> list[Row]:
    rows: list[Row] = []
    for name, (make, count) in LOGS.items():
        rows += bench_one(name, make, count // divided_by)
    return rows


def bench_one(name: str, make: Callable[[int], bytes], count: int) -> list[Row]:
    data = make(count)
    what = f"{count:,} {name}, {len(data) / 1e6:.1f} MB"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "worst.jsonl"
        path.write_bytes(data)
        try:
            found = in_a_child("bench_worst.measure", str(path), megabytes=MEGABYTES, most_seconds=SECONDS)
        except CalledProcessError as ended:
            limits = f"more than {SECONDS} s or {MEGABYTES} MB (status {ended.returncode})"
            return [Row(what, limits, "", "", f"within {SECONDS} s and {MEGABYTES} MB", False)]
    megabytes = found["most"] / 1e6
    most_seconds, most_megabytes, of = GOALS.get(make, WORST)
    most = most_seconds * min(1.0, count / of)
    goal = (
        f"at most {most:g} s, {most_megabytes:.0f} MB",
        found["seconds"] <= most and megabytes <= most_megabytes,
    )
    return [
        Row(
            what,
            f"{found['seconds']:.1f} s, {megabytes:.0f} MB (before it {found['before'] / 1e6:.0f} MB)",
            f"json.loads: {found['loads']:.2f} s",
            f"{found['seconds'] / max(found['loads'], 1e-6):.1f} x",
            *goal,
        )
    ]


def measure(path: str) -> dict[str, Any]:
    """In a process of its own: audit a file and say how long that took and how much memory the process used."""
    audit_log((ROOT / "fixtures" / "calth" / "games" / "clean-1.jsonl").read_bytes(), digest=False)
    before = largest_resident()
    data = Path(path).read_bytes()
    verdict = ""

    def work() -> None:
        nonlocal verdict
        verdict = audit_log(data, digest=False)["verdict"]

    took = seconds(work)
    most = largest_resident()  # before the yardstick, which keeps nothing
    yardstick = least_of(lambda: tried(data), 1)
    return {"seconds": took, "before": before, "most": most, "loads": yardstick, "verdict": verdict}


def tried(data: bytes) -> None:
    """json.loads line by line; what it refuses (no JSON, no UTF-8, too deep, too long a number) costs what that takes."""
    for line in data.splitlines():
        try:
            json.loads(line)
        except (ValueError, RecursionError):
            continue
