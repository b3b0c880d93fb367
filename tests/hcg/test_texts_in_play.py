"""What texts mean on a table: which cards they let be chosen, when they may be played, and when they give their numbers."""

from __future__ import annotations

from typing import Any

import pytest

from tests.hcg.examples import judged

SORTS: dict[str, dict[str, Any]] = {
    "rifles": {"keywords": ["infantry"], "flags": 2, "armor": 3},
    "tank": {"keywords": ["vehicle"], "flags": 0, "armor": 6},
    "guard": {"keywords": ["vehicle"], "flags": 1, "armor": 4},
    "scouts": {"keywords": ["infantry"], "flags": 1, "armor": 3},
    "horse": {"keywords": ["infantry"], "flags": 0, "armor": 4},
    "relay": {"kind": "asset", "flags": 1, "armor": 2},
    "tern": {"kind": "ship"},
}
TABLE: dict[str, dict[str, list[tuple[str, str]]]] = {
    "p1": {
        "1": [("scouts", "ready")],
        "2": [("rifles", "ready"), ("tank", "locked"), ("relay", "ready")],
        "3": [],
        "fleet": [("tern", "ready")],
    },
    "p2": {
        "1": [],
        "2": [("horse", "charging"), ("guard", "ready"), ("relay", "locked")],
        "3": [("scouts", "ready")],
        "fleet": [],
    },
}
EVERY = {f"{player}-{sort}" for player, places in TABLE.items() for rows in places.values() for sort, _ in rows}


def card(name: str, *, line: str = "T: Any unit gets +1 firepower.", box: str | None = None) -> dict[str, Any]:
    """A card of a sort; `box`: the text in its ability box."""
    made = {"kind": "unit", "keywords": [], **SORTS.get(name, {"flags": 1, "armor": 3})}
    if made["kind"] == "unit":
        made |= {"firepower": 3, "assault": 3, "speed": 3}
    made["keywords"] = [{"name": one, "bold": False} for one in made["keywords"]]
    return {
        "id": name, "title": name.title(), "alignment": "unaligned", "die": 3, "line": line,
        "abilities": [box] if box is not None else [], **made,
    }  # fmt: skip


def log(*events: dict[str, Any], line: str | None = None, boxes: dict[str, str] | None = None) -> dict[str, Any]:
    """A record of these events on the table; `line` is printed on p1's hand card, `boxes` are texts of cards by name."""
    cards = [card(name, box=(boxes or {}).get(name)) for name in SORTS]
    cards.append(card("hand", line=line) if line is not None else card("hand"))
    sectors = [
        {"id": f"sec-{n}", "title": f"Sector {n}", "kind": "sector", "requirement": 4, "planet": "Meridian"}
        for n in (1, 2, 3)
    ]
    header = {
        "type": "header", "game": "hcg", "format": 1, "passes": "implied", "cards": [*cards, *sectors],
        "players": [{"id": "p1", "name": "Ada", "side": "loyalist"}, {"id": "p2", "name": "Bo", "side": "traitor"}],
        "sectors": [{"slot": n, "card": f"sec-{n}"} for n in (1, 2, 3)],
    }  # fmt: skip
    ids = {one: one.removeprefix("p1-").removeprefix("p2-") for one in EVERY} | {"p1-h": "hand"}
    zones = {player: _zones(player, places) for player, places in TABLE.items()}
    zones["p1"]["command_hand"] = ["p1-h"]
    state = {1: "open", 2: "in_battle", 3: "open"}
    position = {
        "type": "position", "turn": 2, "battle": 1, "ba": 0, "phase": "battle", "planet": "Meridian", "next": events[0]["by"],
        "roles": {"p1": "attacker", "p2": "defender"}, "sector": 2, "chooser": "p1", "step": "battle", "passes": 0,
        "sectors": [{"slot": slot, "state": name, "fought": slot == 2} for slot, name in state.items()],
        "zones": zones, "flags": {"p1": 3, "p2": 2}, "bonuses": [], "ids": ids, "served": {"p1": [], "p2": []},
    }  # fmt: skip
    numbered = enumerate((position, *events, {"type": "end", "reason": "time"}), 1)
    return {"header": header, "events": [{"seq": seq, **event} for seq, event in numbered]}


def _zones(player: str, places: dict[str, list[tuple[str, str]]]) -> dict[str, Any]:
    rows = {
        place: [{"card": f"{player}-{sort}", "face": "up", "position": stance} for sort, stance in cards]
        for place, cards in places.items()
    }
    fleet = rows.pop("fleet")
    empty: dict[str, Any] = {"deploy_hand": [], "command_hand": [], "limbo": [], "set_aside": []}
    return {"deck": {"n": 30}, "discard": 20, "sectors": rows, "fleet": fleet, **empty}


def accused(audit: dict[str, Any], seq: int) -> list[str]:
    return [one["text"] for one in audit["findings"] if one["seq"] == seq and one["kind"] == "illegal"]


@pytest.mark.parametrize(
    ("text", "may_be_chosen"),
    [
        ("Destroy any unit", "p1-rifles p1-tank p2-horse p2-guard"),
        ("Destroy one enemy unit", "p2-horse p2-guard"),
        ("Destroy one friendly unit", "p1-rifles p1-tank"),
        ("Destroy any asset", "p1-relay p2-relay"),
        ("Destroy any card", "p1-rifles p1-tank p1-relay p2-horse p2-guard p2-relay"),
        ("Destroy any ready unit", "p1-rifles p2-guard"),
        ("Destroy any locked unit", "p1-tank"),
        ("Destroy any locked card", "p1-tank p2-relay"),
        ("Destroy any charging unit", "p2-horse"),
        ("Destroy any infantry unit", "p1-rifles p2-horse"),
        ("Destroy one enemy vehicle unit", "p2-guard"),
        ("Destroy any flag unit", "p1-rifles p2-guard"),
        ("Destroy any non-flag unit", "p1-tank p2-horse"),
        ("Destroy any unit with 4 or less armor", "p1-rifles p2-horse p2-guard"),
        ("Destroy any unit with 4 or more armor", "p1-tank p2-horse p2-guard"),
        ("Destroy any unit with 5 or more armor", "p1-tank"),
        ("Destroy any unit with 3 or less armor", "p1-rifles"),
        ("Destroy one enemy unit at any sector", "p2-horse p2-guard p2-scouts"),
        ("Destroy one enemy unit at another sector", "p2-scouts"),
        ("Destroy any infantry unit at another sector", "p1-scouts p2-scouts"),
        ("Lock any unit", "p1-rifles p2-horse p2-guard"),
        ("Lock any ship", "p1-tern"),
        ("Rally any unit", "p1-tank p2-horse"),
        ("Rally any asset", "p2-relay"),
    ],
)
def test_what_a_text_lets_be_chosen(text: str, may_be_chosen: str) -> None:
    chosen = set()
    for one in EVERY:
        played = {"type": "ba.card", "by": "p1", "card": "p1-h", "choices": {"target": one}, "ba": 1}
        if not accused(judged(log(played, line=f"BA: {text}.")), 2):
            chosen.add(one)
    assert chosen == set(may_be_chosen.split())


CONDITIONS = [
    ("you have a charging unit", False),
    ("your enemy has a charging unit", True),
    ("you have a locked unit", True),
    ("your enemy has a locked asset", True),
    ("you have 2 units", True),
    ("you have 3 units", False),
    ("you have 1 asset", True),
    ("you have 2 assets", False),
    ("you have more units than your enemy", False),
    ("you have fewer units than your enemy", False),
    ("you have more infantry units than your enemy", False),
    ("you have more ready assets than your enemy", True),
    ("your enemy has fewer ready assets than you", True),
    ("you have fewer charging units than your enemy", True),
    ("you have no charging units", True),
    ("you have no infantry units", False),
    ("there is a locked vehicle unit", True),
    ("there is a locked infantry unit", False),
    ("there is an enemy infantry unit", True),
    ("you have any charging units", False),
]
OF_SHIPS_AND_FLAG_UNITS = [
    ("you have a ship", True),
    ("your enemy has a ship", False),
    ("your enemy has no ships", True),
    ("you have no ships", False),
    ("you have 1 ship", True),
    ("you have 2 ships", False),
    ("there is a ship", True),
    ("there is a locked ship", False),
    ("you have a flag unit", True),
    ("your enemy has 2 flag units", False),
]


@pytest.mark.parametrize(("only", "so"), [("Only", True), ("Not", False)])
@pytest.mark.parametrize(
    ("condition", "met"), [*CONDITIONS, *OF_SHIPS_AND_FLAG_UNITS, ("your enemy has a locked unit", False)]
)
def test_when_a_text_may_be_played(condition: str, met: bool, only: str, so: bool) -> None:
    text = f"BA: Draw 1 card. {only} playable if {condition}."
    audit = judged(log({"type": "ba.card", "by": "p1", "card": "p1-h", "choices": {}, "ba": 1}, line=text))
    assert audit["coverage"]["unchecked"] == []
    assert (accused(audit, 2) == []) is (met is so), audit["findings"]


OF_FLAGS = [
    ("you have more flags than your enemy", True),
    ("you have fewer flags than your enemy", False),
    ("your enemy has fewer flags than you", True),
    ("your enemy has more flags than you", False),
    ("you have 3 flags", True),
    ("you have 4 flags", False),
    ("your enemy has 2 flags", True),
    ("your enemy has 3 flags", False),
    ("you have no flags", False),
]


@pytest.mark.parametrize(("condition", "met"), [*CONDITIONS, *OF_FLAGS, ("your enemy has a locked unit", True)])
def test_when_a_text_gives_its_number(condition: str, met: bool) -> None:
    """The rifles, of speed 3, block a shooter of speed 3, who is locked by then, where they get 2 more."""
    shot = {"type": "ba.shoot", "by": "p2", "ba": 1, "unit": "p2-guard", "target": "p1-tank"}
    block = {"type": "block", "by": "p1", "ba": 1, "unit": "p1-rifles"}
    audit = judged(log(shot, block, boxes={"rifles": f"This unit gets +2 speed while {condition}."}))
    assert audit["coverage"]["unchecked"] == []
    assert (accused(audit, 3) == []) is met, audit["findings"]


@pytest.mark.parametrize(
    ("bearer", "text", "chosen", "firepower", "armor"),
    [
        ("rifles", "All charging units get +1 firepower.", None, 3, 4),
        ("rifles", "All locked units get +1 firepower.", None, 4, 4),
        ("rifles", "This unit gets +1 firepower while this unit is locked.", None, 4, 4),
        ("rifles", "This unit gets +1 firepower while this unit is not locked.", None, 3, 4),
        ("rifles", "This unit gets +1 firepower as long as there is an attacking unit.", None, 4, 4),
        ("rifles", "This unit gets +1 firepower as long as there is a blocking unit.", None, 3, 4),
        ("rifles", "This unit gets +1 firepower and +1 armor while this unit is locked.", None, 4, 4),
        ("rifles", "Each of your other units gets +1 firepower.", None, 3, 4),
        ("tank", "Each of your other units gets +1 firepower.", None, 4, 4),
        ("tank", "Each of your other vehicle units gets +1 firepower.", None, 3, 4),
        ("relay", "All your infantry units get +1 firepower.", None, 4, 4),
        ("relay", "All your vehicle units get +1 firepower.", None, 3, 4),
        ("relay", "All your units get +1 armor.", None, 3, 5),
        ("relay", "All units get +1 armor.", None, 3, 6),
        ("relay", "All enemy units get -1 armor.", None, 3, 3),
        ("relay", "Each enemy vehicle unit gets -1 armor.", None, 3, 3),
        ("relay", "Each enemy infantry unit gets -1 armor.", None, 3, 4),
        ("rifles", "+2 firepower vs. vehicle units.", None, 5, 4),
        ("rifles", "+2 firepower vs. infantry units.", None, 3, 4),
        ("guard", "+2 armor vs. infantry units.", None, 3, 6),
        ("guard", "+2 armor vs. vehicle units.", None, 3, 4),
        ("tern", "All your units get +1 firepower.", None, 4, 4),
        ("tern", "All enemy units get +1 armor.", None, 3, 5),
        ("scouts", "All your units get +1 firepower.", None, 3, 4),
        ("guard", "This unit gets +1 armor while this unit is defending.", None, 3, 5),
        ("guard", "This unit gets +1 armor while this unit is blocking.", None, 3, 4),
        ("guard", "All attacking units get -1 firepower.", None, 2, 4),
        ("hand", "T: Any unit gets +1 firepower.", "p1-rifles", 4, 4),
        ("hand", "T: Any unit gets +1 firepower.", "p1-tank", 3, 4),
        ("hand", "T: Any unit gets +1 assault.", "p1-rifles", 3, 4),
        ("hand", "T: Any unit gets +1 firepower and -1 armor.", "p2-guard", 3, 3),
        ("hand", "T: All your units get +1 firepower.", "", 4, 4),
        ("hand", "T: All enemy units get +2 armor.", "", 3, 6),
        ("hand", "T: All locked units get +1 firepower.", "", 4, 4),
        ("hand", "T: Any shooting unit gets -1 firepower.", "p1-rifles", 2, 4),
    ],
)
def test_what_a_text_makes_of_a_shot(bearer: str, text: str, chosen: str | None, firepower: int, armor: int) -> None:
    """The rifles, with firepower 3, shoot at the guard, with armor 4."""
    events: list[dict[str, Any]] = [
        {"type": "ba.shoot", "by": "p1", "ba": 1, "unit": "p1-rifles", "target": "p2-guard"}
    ]
    if chosen is not None:
        choices = {"target": chosen} if chosen else {}
        hand = {"zone": "hand", "card": "p1-h", "ability": "line"}
        events.append({"type": "tactic", "by": "p1", "ba": 1, "source": hand, "choices": choices})
    boxes, line = ({}, text) if bearer == "hand" else ({bearer: text}, None)
    for more, less in ((0, 0), (1, 0), (0, 1)):
        damage = {
            "type": "damage", "ba": 1, "from": "p1-rifles", "to": "p2-guard", "stat": "firepower", "step": 1,
            "amount": firepower + more, "armor": armor - less, "destroyed": firepower >= armor,
        }  # fmt: skip
        audit = judged(log(*events, damage, line=line, boxes=boxes))
        assert audit["coverage"]["unchecked"] == []
        told = [one["claimed"] for one in audit["findings"] if one["kind"] == "miscalculated"]
        assert len(told) == len(audit["findings"])
        assert told == ([{"amount": firepower + 1}] if more else [{"armor": armor - 1}] if less else []), audit[
            "findings"
        ]
