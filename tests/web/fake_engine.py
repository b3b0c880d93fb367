"""A game small enough to see through, in the shapes of the real engine: every event with "bad" is a finding.

Some event types do what a hostile log might do to an auditor: hang, die, eat memory, hit a fault of ours.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from types import SimpleNamespace
from typing import Any

import rfc8785

from auditor.core.rulings import Option, Reading
from auditor.core.rulings import rulings as complete
from auditor.engine import compare as compare
from auditor.engine import not_a_way as not_a_way

GAMES = {"calth": SimpleNamespace(key="calth", title="A small game", version="fake-1")}

BOARD: dict[str, Any] = {
    "kind": "hex",
    "hexes": [[0, 0, "open"], [1, 0, "open"], [2, 0, "blocked"]],
    "edges": [],
    "barricades": [],
    "units": [],
    "acting": None,
    "round": 1,
    "phase": "action",
    "to_act": None,
    "initiative": None,
}


def rules(game: str) -> list[dict[str, Any]]:
    return [
        {
            "id": "CAL-FAKE-01",
            "title": "No event is bad",
            "chapter": "Conduct",
            "source": "Invented for the tests",
            "kinds": ["illegal"],
            "events": ["act"],
            "readings": ["R-FAKE"],
            "auditable": True,
            "text": "An act that is bad is a fault.\n\nLog: the act.",
        },
        {
            "id": "CAL-FAKE-02",
            "title": "Play kindly",
            "chapter": "Conduct",
            "source": "Invented for the tests",
            "kinds": [],
            "events": [],
            "readings": [],
            "auditable": "A log holds no manners.",
            "text": "Be kind.",
        },
    ]


def readings(game: str) -> list[dict[str, Any]]:
    return [
        {
            "id": "R-FAKE",
            "question": "Is a bad act bad?",
            "options": [{"id": "yes", "means": "It is"}, {"id": "no", "means": "It is not"}],
            "default": "yes",
            "rules": ["CAL-FAKE-01"],
        }
    ]


def title(game: str | None) -> str:
    return GAMES[game].title if game is not None and game in GAMES else ""


def caveat(game: str | None) -> str:
    return ""


def game_of_rulings(given: dict[str, Any]) -> str:
    check_rulings(given, "calth")
    return "calth"


def log_header(data: bytes) -> dict[str, Any]:
    header: dict[str, Any] = json.loads(data.split(b"\n", 1)[0])
    return header


def _events(data: bytes) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    events, errors = [], []
    for number, line in enumerate(data.split(b"\n")[1:], 2):
        if line.strip():
            try:
                events.append({**json.loads(line), "line": number})
            except ValueError:
                found = line.decode("utf-8", "backslashreplace")[:200]
                errors.append(
                    {"line": number, "path": "", "found": found, "expected": "a JSON object", "nearest": None}
                )
    return events, errors


def _misbehave(event: dict[str, Any]) -> None:
    match event["type"]:
        case "hang":
            time.sleep(1000)
        case "spin":
            while True:
                pass
        case "die":
            os._exit(9)
        case "eat":
            bytearray(64 * 1024**3)
        case "fault":
            raise KeyError("a secret of the log")
        case "work":
            until = time.process_time() + event["seconds"]
            while time.process_time() < until:
                pass
        case "slow":
            time.sleep(event["seconds"])


def audit_log(data: bytes, *, rulings: dict[str, Any] | None = None, packs: Any = None, **_how: Any) -> dict[str, Any]:
    errors: list[dict[str, Any]] = []
    try:
        header = log_header(data)
        if header.get("game") not in GAMES:
            raise ValueError("game")
    except (ValueError, AttributeError):
        header = {}
        error = {"line": 1, "path": "game", "found": data[:20].hex(), "expected": "a game", "nearest": "calth"}
        errors.append(error)
    findings: list[dict[str, Any]] = []
    events: list[dict[str, Any]] = []
    own = header.get("rulings") or {}
    chosen = {"R-FAKE": "yes", **own, **((rulings or {}).get("readings") or {})}
    if header:
        events, bad_lines = _events(data)
        errors += bad_lines
        for event in events:
            _misbehave(event)
            if event.get("bad"):
                finding = {
                    "rule": "CAL-FAKE-01",
                    "kind": "illegal",
                    "would_be": None,
                    "seq": event["seq"],
                    "seen_at": event["seq"],
                    "line": event["line"],
                    "player": event.get("player"),
                    "subject": [],
                    "also": [],
                    "claimed": event.get("claimed"),
                    "recomputed": None,
                    "figures": [],
                    "evidence": {"before": BOARD, "after": None, "marks": [], "sight": None, "path": []},
                    "effect": {"changed": [], "text": ""},
                    "scope": {"kind": "every_reading"},
                    "under": [],
                    "stands": chosen["R-FAKE"] == "yes",
                    "depends_on": [],
                    "text": str(event["bad"]).encode("utf-8", "backslashreplace").decode(),
                }
                ident = hashlib.sha256(rfc8785.dumps(finding)).hexdigest()
                findings.append({"id": ident[:20], "content": ident[20:40], **finding})
    standing = any(finding["stands"] for finding in findings)
    value: dict[str, Any] = {
        "audit": 1,
        "engine": "fake",
        "game": header.get("game") or None,
        "ruleset_version": "fake-1",
        "log_sha256": hashlib.sha256(data).hexdigest(),
        "packs": [],
        "rulings": {
            "name": (rulings or {}).get("name", "defaults"),
            "readings": chosen,
            "settings": {},
            "not_audited": {},
        },
        "verdict": "unreadable" if not header else "findings" if standing else "incomplete" if errors else "clean",
        "errors": errors,
        "findings": findings,
        "notes": [],
        "coverage": {
            "events": len(events),
            "resolved": len(events),
            "not_claimed": 0,
            "unchecked": [],
            "rules_run": [{"rule": "CAL-FAKE-01", "times": len(events)}],
            "rules_idle": [],
            "rules_not_auditable": [{"rule": "CAL-FAKE-02", "why": "A log holds no manners."}],
        },
    }
    value["digest"] = hashlib.sha256(rfc8785.dumps(value)).hexdigest()
    return value


def audit_json(data: bytes, *, rulings: Any = None, packs: Any = None) -> tuple[dict[str, Any], bytes]:
    value = audit_log(data, rulings=rulings, packs=packs)
    return value, rfc8785.dumps(value)


def timeline(data: bytes, *, rulings: Any = None, packs: Any = None, texts: bool = False) -> list[dict[str, Any]]:
    drawing = ("board", "marks", "sight")
    frames = replay_frames(data, seqs=range(10**6)) if log_header_or_none(data) else []
    return [{key: value for key, value in frame.items() if key not in drawing} for frame in frames]


def log_header_or_none(data: bytes) -> dict[str, Any] | None:
    try:
        header = log_header(data)
    except ValueError:
        return None
    return header if isinstance(header, dict) and header.get("game") in GAMES else None


def check_rulings(given: Any, game: str) -> Any:
    known = [
        Reading(
            each["id"], each["question"], tuple(Option(o["id"], o["means"]) for o in each["options"]), each["default"]
        )
        for each in readings(game)
    ]
    return complete(given, known, [rule["id"] for rule in rules(game)], name="unnamed")


def replay_frames(
    data: bytes, *, rulings: dict[str, Any] | None = None, packs: Any = None, seqs: Any = None
) -> list[dict[str, Any]]:
    frames = []
    rounds: set[int] = set()
    for event in _events(data)[0]:
        number = event.get("round", 1)
        if (seqs is None and number not in rounds) or (seqs is not None and event["seq"] in seqs):
            rounds.add(number)
            frames.append(
                {
                    "seq": event["seq"],
                    "line": event["line"],
                    "type": event["type"],
                    "player": event.get("player"),
                    "moment": {
                        "part": f"Round {number}",
                        "short": f"R{number}",
                        "text": f"Round {number}, action phase",
                    },
                    "text": f"{event['type']} by {event.get('player')}",
                    "board": BOARD,
                    "marks": [],
                    "sight": None,
                }
            )
    return frames
