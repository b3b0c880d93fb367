"""Records with positions, judges and events taken back: the second referee of the card game judges them to their end."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any

import pytest

from auditor.conformance.hcg.inventor import INVENTOR
from auditor.conformance.hcg.plant import planted
from auditor.conformance.hcg.record import REFERENCES
from auditor.conformance.hcg.referee import check
from auditor.conformance.hcg.referee.check import Referee
from auditor.conformance.hcg.relations import RELATIONS
from auditor.conformance.hcg.table import PLAYERS, SLOTS, Piece
from auditor.conformance.inventor import NOT_JUDGED
from auditor.conformance.logs import read_jsonl

Event = dict[str, Any]
SEED = 4


def row(piece: Piece) -> Event | str:
    if (piece.face, piece.position) == ("up", "ready"):
        return piece.id
    return {"card": piece.id, "face": piece.face, "position": piece.position}


def zones(table: Referee, player: str) -> Event:
    lists = {zone: list(table.zone(player, zone)) for zone in ("deploy_hand", "command_hand", "discard", "limbo")}
    sectors = {str(slot): [row(piece) for piece in table.row(player, slot)] for slot in SLOTS}
    deck = {"n": len(table.zone(player, "deck")), "order": list(table.zone(player, "deck"))}
    return {
        "deck": deck,
        **lists,
        "set_aside": [],
        "sectors": sectors,
        "fleet": [row(one) for one in table.fleet(player)],
    }


def position_of(table: Referee) -> Event:
    """What lies where, and where play stands."""
    phase = "end" if table.phase == "over" else table.phase
    said: Event = {"type": "position", "turn": table.turn, "phase": phase, "next": table.next or None}
    said["roles"] = {table.atk: "attacker", table.dfd: "defender"}
    said["zones"] = {player: zones(table, player) for player in PLAYERS}
    said["sectors"] = [
        {
            "slot": slot,
            "state": "taken" if slot in table.taken else "in_battle" if table.step and slot == table.sector else "open",
            "fought": slot in table.fought,
            **({"by": table.taken[slot]} if slot in table.taken else {}),
        }
        for slot in SLOTS
    ]
    said["served"] = {player: sorted(table.served[player]) for player in PLAYERS}
    if table.step:
        said |= {"battle": table.battle, "ba": table.ba, "sector": table.sector, "step": table.step}
        said |= {"chooser": table.chooser_of(table.battle), "passes": table.passes}
        said["flags"] = {player: table.flag_total(player) for player in PLAYERS}
        said["bonuses"] = [
            {"target": piece.id, "stat": bonus.stat, "amount": bonus.amount, "until": bonus.until}
            for piece in table.pieces.values()
            for bonus in piece.bonuses
        ]
    return said


def tables(lines: list[Event]) -> Iterator[tuple[Event, Referee]]:
    """Each event with the table after it."""
    table = Referee(lines[0], None)
    for event in lines[1:]:
        list(table.judge(event, lines))
        yield event, table


def said(lines: list[Event]) -> list[tuple[int, str, str]]:
    return [(one.seq, one.rule, one.kind) for one in check(lines)]


@pytest.fixture(scope="module")
def game() -> list[Event]:
    return INVENTOR.legal_lines(SEED)


def with_positions(lines: list[Event], types: tuple[str, ...]) -> list[Event]:
    """A record in which positions stand after events of some types."""
    events: list[Event] = []
    number: dict[int, int] = {}
    for event, table in tables(lines):
        events.append(deepcopy(event))
        number[event["seq"]] = len(events)
        if event["type"] in types and not any(bonus.gained for one in table.pieces.values() for bonus in one.bonuses):
            events.append(position_of(table))
    for seq, event in enumerate(events, 1):
        event["seq"] = seq
        event |= {key: number[event[key]] for key in REFERENCES if isinstance(event.get(key), int)}
    return [lines[0], *events]


def from_the_middle(lines: list[Event], type_: str, nth: int) -> list[Event]:
    """A record that begins with the position after the nth event of a type."""
    after = [(event["seq"], position_of(table)) for event, table in tables(lines) if event["type"] == type_]
    cut, position = after[nth]
    rest = deepcopy([position, *lines[cut + 1 :]])
    for seq, event in enumerate(rest, 1):
        event["seq"] = seq
        event |= {key: event[key] - cut + 1 for key in REFERENCES if isinstance(event.get(key), int)}
    return [lines[0], *rest]


def test_a_record_with_positions_is_followed_to_its_end(game: list[Event]) -> None:
    types = (
        "deploy.first",
        "deploy.regular",
        "setup.ships",
        "ba.end",
        "event",
        "victory.reveal",
        "end.ships",
        "turn.end",
    )
    lines = with_positions(game, types)
    assert len(lines) > len(game) + 30
    assert said(lines) == []


@pytest.mark.parametrize(("type_", "nth"), [("ba.end", 3), ("ba.end", 9), ("sector.reset", 0), ("turn.end", 0)])
def test_a_record_that_begins_with_a_position_is_followed_to_its_end(game: list[Event], type_: str, nth: int) -> None:
    assert said(from_the_middle(game, type_, nth)) == []


def test_play_goes_on_from_what_a_judge_says(game: list[Event]) -> None:
    lines = from_the_middle(game, "ba.end", 3)
    here = lines[1]
    assert said([lines[0], {"seq": 1, "type": "judge", "text": "So be it.", "position": here}, *lines[2:]]) == []
    ((seq, _, kind),) = said([lines[0], {"seq": 1, "type": "judge", "text": "Play on."}, *lines[2:]])
    assert (seq, kind) == (1, NOT_JUDGED)


def test_a_position_that_says_otherwise_is_adopted(game: list[Event]) -> None:
    lines = from_the_middle(game, "ba.end", 3)
    position = deepcopy(lines[1])
    player = position["next"]
    (card, *_) = position["zones"][player]["command_hand"]
    position["zones"][player]["discard"] += position["zones"][player]["command_hand"]
    position["zones"][player]["command_hand"] = []
    spoiled = [lines[0], position, {**lines[2], "type": "ba.card", "by": player, "card": card, "choices": {}}]
    assert said([lines[0], lines[1], {**position, "seq": 2}]) == []
    assert [kind for _, _, kind in said(spoiled)] == [NOT_JUDGED]


def test_what_no_table_can_look_like_is_a_fault(game: list[Event]) -> None:
    lines = from_the_middle(game, "ba.end", 3)
    twice, charging = deepcopy(lines[1]), deepcopy(lines[1])
    twice["zones"]["p1"]["discard"].append(twice["zones"]["p1"]["command_hand"][0])
    assert said([lines[0], twice]) == [(1, "HCG-DOC-02", "illegal")]
    (asset, *_) = [one for _, table in tables(game) for one in table.pieces.values() if one.card.kind == "asset"]
    at = charging["zones"][asset.owner]
    for zone in ("deploy_hand", "command_hand", "discard", "limbo"):
        at[zone] = [name for name in at[zone] if name != asset.id]
    at["deck"] = {"n": at["deck"]["n"] - (asset.id in at["deck"]["order"])}
    at["sectors"] = {
        slot: [one for one in listed if asset.id not in (one, one["card"] if isinstance(one, dict) else one)]
        for slot, listed in at["sectors"].items()
    }
    at["sectors"][str(charging["sector"])].append({"card": asset.id, "position": "charging"})
    assert said([lines[0], charging]) == [(1, "HCG-POS-04", "illegal")]


@pytest.mark.parametrize("turn", [1, 2, 3])
def test_what_is_taken_back_and_played_again_is_judged(game: list[Event], turn: int) -> None:
    written = RELATIONS["taken back and played again"](game, Random(turn)).data
    assert said(read_jsonl(written.decode())) == []


def test_a_fault_that_is_taken_back_is_none() -> None:
    fault = planted("HCG-BA-01", 6, alone=True)
    assert fault is not None
    seq = fault.fault["seq"]
    back = [*fault.lines[: seq + 1], {"seq": seq + 1, "type": "undo", "to": seq - 1}]
    assert said(fault.lines[: seq + 1]) == [(seq, "HCG-BA-01", "illegal")]
    assert said(back) == []
    again = {**fault.lines[seq], "seq": seq + 2}
    assert said([*back, again]) == [(seq + 2, "HCG-BA-01", "illegal")]


def test_play_cannot_go_back_to_what_was_taken_back(game: list[Event]) -> None:
    lines = [*game[:20], {"seq": 20, "type": "undo", "to": 10}, {"seq": 21, "type": "undo", "to": 15}]
    assert [(seq, kind) for seq, _, kind in said(lines)] == [(21, NOT_JUDGED)]
