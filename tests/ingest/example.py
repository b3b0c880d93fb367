"""A log in which every event type of Calth stands once with all its fields. It is no game: nothing here is judged."""

from __future__ import annotations

import copy
import json
from typing import Any

HEADER: dict[str, Any] = {
    "type": "header",
    "game": "calth",
    "format": 1,
    "players": [{"id": "UM", "name": "Ada"}, {"id": "WB", "name": "Bén"}],
    "scenario": "gate-skirmish",
    "board": "ossuary-gate",
    "rosters": {"UM": "example-um", "WB": "example-wb"},
    "command_cards": "example-cards",
}

BOARD: dict[str, Any] = {
    "id": "small",
    "title": "Small",
    "source": "invented",
    "hexes": [
        {"q": 0, "r": 0},
        {"q": 1, "r": 0},
        {"q": 0, "r": 1, "kind": "rubble"},
        {"q": 1, "r": 1, "kind": "blocked"},
    ],
    "edges": [{"a": [0, 0], "b": [1, 0], "feature": "door", "sealed": False}],
    "barricades": [{"hex": [0, 1], "dir": 2}],
}
ROSTER: dict[str, Any] = {
    "id": "few",
    "title": "Few",
    "source": "invented",
    "profiles": [{"id": "line", "name": "Line", "assault": 2, "armour": 2, "stamina": 1, "bulk": 1}],
    "models": [{"id": "m1", "profile": "line", "weapons": ["boltgun"], "wargear": []}],
}

_REROLL = {
    "source": "vexilla",
    "player": "UM",
    "model": "um-line-1",
    "indices": [0, 2],
    "faces": "CH",
    "when": "before_crit",
}
_OVERRIDE = {"source": "um-steady", "rule_ids": ["CAL-RET-01"], "text": "They stand."}
_UNITS = [{"unit": "u1", "side": "UM", "hex": [0, 0], "models": ["um-line-1", "um-line-2"], "tp": 2}]
_STATED: dict[str, Any] = {
    "round": 2,
    "phase": "action",
    "initiative": "UM",
    "to_act": "WB",
    "units": _UNITS,
    "removed": ["um-line-3"],
    "reserve": [],
    "doors": [{"edge": [[0, 0], [1, 0]], "state": "open"}],
    "weapons_destroyed": [["um-line-1", "boltgun"]],
    "decks": {"UM": {"left": 3, "hand": ["hidden"]}},
    "damage_deck": {"in_deck": ["dc-head"], "on_model": []},
}
_LEVELS = {"UM": "minor_victory", "WB": "minor_defeat"}

_BODIES: list[dict[str, Any]] = [
    {"type": "game_start", "game": "calth", "format": 1, "board": "ossuary-gate"},
    {"type": "position", **_STATED},
    {"type": "place", "model": "um-line-1", "hex": [0, 0], "unit": "u1"},
    {
        "type": "initiative",
        "source": "roll",
        "attempts": [{"UM": "CHSB", "WB": ["C", "H"], "rerolls": [_REROLL], "vexilla": _REROLL}],
        "winner": "UM",
    },
    {"type": "card_draw", "player": "UM", "deck": "WB", "card": "hidden", "count": 1, "deck_left": 7},
    {"type": "card_play", "player": "UM", "card": "um-steady", "target": "u1", "override": _OVERRIDE},
    {"type": "tp_refresh", "units": [{"unit": "u1", "tp_before": 0, "tp_after": 2}]},
    {"type": "activate", "player": "UM", "unit": "u1", "tp_before": 2, "tp_after": 1, "action": "advance"},
    {"type": "pass", "player": "WB", "reason": "no unit with TPs"},
    {
        "type": "move_unit",
        "player": "UM",
        "unit": "u1",
        "path": [[0, 0], [-1, 1]],
        "cause": "advance",
        "models": ["um-line-1"],
    },
    {
        "type": "move_models",
        "unit": "u1",
        "moves": [{"model": "um-line-1", "to": [1, 0]}],
        "units": [{"unit": "u2", "hex": [1, 0], "tp": 1}],
        "cause": "consolidate",
    },
    {
        "type": "attack",
        "player": "UM",
        "attacker": "u1",
        "target": "w1",
        "mode": "ranged",
        "role": "shoot",
        "los": {
            "class": "obscured",
            "aim": ["1/3", -2],
            "distance": 2,
            "bonuses": {"obscured": 2, "rubble": 0, "barricade": 0},
        },
        "weapons": [["um-line-1", "boltgun"]],
        "dice": {"models": 0, "weapons": 2, "pistols": 0, "harness": 0, "total": 2},
        "roll": "CH",
        "vexilla": _REROLL,
        "rerolls": [_REROLL],
        "crit": {
            "model": "um-line-1",
            "weapon": "boltgun",
            "effect": "CAL-CRT-03",
            "passes": [{"indices": [0], "faces": "H"}],
            "added": "BBBB",
            "tp_lost": 1,
            "tp_after": 0,
            "self_casualty": "um-line-1",
            "weapon_destroyed": False,
        },
        "pool": 2,
        "steps": [
            {
                "target_model": "um-line-4",
                "damage_card": {"card": "dc-head", "by": "UM", "shuffled": True, "selection": "drawn"},
                "chosen_by": "WB",
                "armour_used": 2,
                "bonus_dice": 0,
                "faces": "SB",
                "rerolls": [],
                "vexilla": _REROLL,
                "shields": 1,
                "pool_after_shields": 1,
                "stamina_used": 1,
                "casualty": True,
                "pool_left": 0,
            },
            {"damage_card": "dc-head"},
        ],
    },
    {"type": "counter", "unit": "u1", "choice": "declined"},
    {"type": "retreat", "unit": "u1", "due": True, "casualties": {"UM": 1, "WB": 0}},
    {
        "type": "last_stand",
        "unit": "u1",
        "models": ["um-line-1", "um-line-2"],
        "faces": "SB",
        "vexilla": _REROLL,
        "rerolls": [_REROLL],
        "survivors": ["um-line-1"],
        "tp_after": 1,
    },
    {"type": "tp_loss", "unit": "u1", "amount": 1, "cause": "crit", "tp_before": 1, "tp_after": 0},
    {"type": "door", "edge": [[0, 0], [1, 0]], "state": "sealed", "cause": {"source": "scenario", "id": "x"}},
    {"type": "weapon_destroyed", "model": "um-line-1", "weapon": "boltgun", "cause": "crit", "card": "dc-head"},
    {"type": "damage_card", "card": "dc-head", "by": "UM", "shuffled": True, "selection": "drawn"},
    {"type": "unit_removed", "unit": "u1", "cause": "attack"},
    {"type": "model_removed", "model": "um-line-1", "cause": "attack"},
    {"type": "round_end", "round": 2, "phase": "action", "tp_left": {"u1": 0}, "tp": {"u1": 0}},
    {"type": "scenario_end", "results": _LEVELS},
    {
        "type": "campaign_end",
        "results": [{"scenario": 1, **_LEVELS}],
        "tally": {"UM": 1, "WB": 0},
        "scenario_6": {"before": _LEVELS, "after": _LEVELS},
    },
    {"type": "undo", "to": 3},
    {"type": "judge", "text": "Go on.", "position": _STATED},
    {"type": "remark", "text": "Été"},
    {"type": "end", "reason": "finished"},
]


def events() -> list[dict[str, Any]]:
    """One event of each type, numbered."""
    return [{"seq": number, **copy.deepcopy(body)} for number, body in enumerate(_BODIES, 1)]


def line(value: Any) -> bytes:
    """A value as a line of a log."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def log(*lines: Any, header: Any = HEADER) -> bytes:
    """A log as bytes; lines that are bytes stand as they are."""
    return b"\n".join(one if isinstance(one, bytes) else line(one) for one in (header, *lines)) + b"\n"
