"""One slip in a legal record: a wrong name, number or label is said where it stands, and nobody is accused of what follows.

The records `short-….jsonl` are games of the generator (two turns); each case changes one value of one line.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from auditor.engine import audit_log
from tests.clx.examples import FIXTURES, example

GAMES = {path.stem.removeprefix("short-"): path for path in Path(__file__).parent.glob("short-*.jsonl")}

SAID = [
    # game, line, field, what stands there instead, what is said of that line
    ("one", 71, "cover_rolls", "attack", "k9", []),
    ("one", 71, "cover_rolls", "weapon", "none", []),
    ("one", 71, "cover_rolls", "claimed_saved", 1, ["CLX-LOG-04"]),
    ("one", 6, "deploy", "unit", "lk", []),
    ("one", 57, "move", "unit", "mt", []),
    ("one", 36, "run", "unit", "lk", []),
    ("one", 12, "move", "models.1.id", "hw.m1", []),
    ("one", 12, "move", "models.1.id", "mt.m1", []),
    ("one", 75, "morale", "unit", "none", []),
    ("one", 75, "morale", "claimed_passed", False, ["CLX-MOR-01"]),
    ("one", 75, "morale", "turn", 4, []),
    ("one", 72, "hit_rolls", "claimed_hits", 4, ["CLX-LOG-04"]),
    ("one", 70, "weapon_fire", "firers.1.model", "lk.m1", []),
    ("one", 74, "allocate", "list", [], []),
    ("one", 74, "allocate", "list.0.claimed_saved", True, ["CLX-SHOOT-13"]),
    ("one", 74, "allocate", "list.0.claimed_removed", False, ["CLX-SHOOT-13"]),
    ("one", 8, "seize", "claimed_success", True, ["CLX-GAME-03"]),
    ("one", 60, "removed", "model", "lk.m3", []),
    ("two", 33, "allocate", "turn", 3, []),
    ("two", 34, "shoot", "target", "none", []),
    ("two", 36, "shoot", "attack", "k99", []),
    ("two", 111, "cast", "player", "B", []),
    ("two", 111, "cast", "claimed_success", False, ["CLX-PSY-07"]),
    ("two", 78, "warp_charge", "player", "A", []),
    ("two", 127, "fall_back", "unit", "none", []),
    ("two", 127, "fall_back", "phase", "assault", []),
    ("three", 78, "weapon_fire", "firers.2.shots", 4, ["CLX-WPN-01"]),
    ("three", 79, "cover_rolls", "claimed_needed", 4, ["CLX-SHOOT-07c"]),
    ("three", 79, "cover_rolls", "claimed_level", 1, ["CLX-MISC-02"]),
    ("two", 118, "wound_rolls", "claimed_needed", 5, ["CLX-ASLT-06"]),
    ("three", 96, "hit_rolls", "claimed_needed", 3, ["CLX-ASLT-05"]),
    ("three", 82, "allocate", "list.0.save.claimed_needed", 3, ["CLX-SHOOT-13"]),
    ("two", 98, "morale", "dice", [6, 1, 2], ["CLX-LOG-03"]),
    ("two", 127, "fall_back", "dice", [6], ["CLX-LOG-03"]),
    ("one", 20, "run", "dice", [5, 2], ["CLX-LOG-03"]),
    ("three", 99, "combat_result", "wounds_by_B", 3, ["CLX-MOR-02"]),
    ("two", 60, "run", "dice", [1], ["CLX-RUN-01"]),
    ("one", 12, "move", "difficult_dice", [1, 3], ["CLX-MOVE-04"]),
    ("three", 91, "fight_step", "attackers.0.model", "lk.m1", []),
    ("three", 95, "fight_step", "attackers.2.model", "cs.m1", []),
    ("two", 78, "warp_charge", "psyker", "oa.m1", []),
    ("two", 23, "warp_charge", "psyker", "jk.m1", []),
    ("two", 80, "cast", "psyker", "oa.m1", []),
    ("two", 81, "dispel", "psyker", "jk.m1", []),
    ("three", 88, "ld_test", "versus", "lk", []),
    ("one", 80, "game_end", "after_turn", 1, []),
    ("one", 24, "turn_end", "turn", 2, []),
    ("one", 55, "turn_start", "player", "A", []),
    ("two", 35, "weapon_fire", "firers.0.model", "cs.m1", []),
    ("one", 15, "phase_end", "phase", "assault", []),
    ("one", 21, "phase_end", "phase", "movement", []),
]


@pytest.mark.parametrize("case", SAID, ids=lambda case: f"{case[0]}-{case[1]}-{case[3]}-{json.dumps(case[4])}")
def test_a_slip_accuses_nobody_of_what_follows(case: tuple[str, int, str, str, Any, list[str]]) -> None:
    game, seq, kind, field, wrong, rules = case
    audit = audited(GAMES[game], seq, kind, field, wrong)
    assert said(audit) == [(seq, rule) for rule in rules], audit["findings"]
    noted = [*audit["notes"], *audit["coverage"]["unchecked"]]
    assert rules or any(one["seq"] in (seq, seq + 1) for one in noted)


@pytest.mark.parametrize(
    ("game", "seq", "row", "rule"),
    [("one", 12, 1, "CLX-MOVE-03"), ("three", 18, 2, "CLX-LOG-05"), ("three", 90, 2, "CLX-ASLT-01")],
)
def test_a_row_left_out_of_a_move_is_one_fault_there(game: str, seq: int, row: int, rule: str) -> None:
    events = [json.loads(line) for line in GAMES[game].read_text().splitlines()]
    event = next(event for event in events if event.get("seq") == seq)
    del event["models"][row]
    assert said(audit_log("\n".join(map(json.dumps, events)).encode(), digest=False)) == [(seq, rule)]


JUMPS = [
    # game, line, row of the model; its path is written from its end, or its start is off by 3 inches
    ("one", 12, 1, "start"),
    ("one", 45, 2, "reversed"),
    ("one", 58, 0, "reversed"),
    ("two", 19, 0, "start"),
    ("three", 40, 1, "reversed"),
    ("three", 90, 3, "start"),
    ("three", 90, 0, "reversed"),
]


@pytest.mark.parametrize(("game", "seq", "row", "slip"), JUMPS)
def test_a_path_that_begins_elsewhere_is_one_fault_there(game: str, seq: int, row: int, slip: str) -> None:
    events = [json.loads(line) for line in GAMES[game].read_text().splitlines()]
    path = next(event for event in events if event.get("seq") == seq)["models"][row]["path"]
    path[:] = path[::-1] if slip == "reversed" else [[path[0][0] + 3, *path[0][1:]], *path[1:]]
    assert said(audit_log("\n".join(map(json.dumps, events)).encode(), digest=False)) == [(seq, "CLX-LOG-01")]


PUT_DOWN = [
    # game, line of the deployment, row of the model, how far its place is off, where what is said
    ("one", 7, 0, (2, 0), (7, "CLX-LOG-05")),
    ("two", 5, 0, (0, 10), (5, "CLX-LOG-05")),
    ("two", 8, 1, (2, 0), (8, "CLX-LOG-05")),
    ("two", 10, 0, (0, 10), (49, "CLX-LOG-01")),
]


@pytest.mark.parametrize(("game", "seq", "row", "off", "found"), PUT_DOWN)
def test_a_place_typed_wrongly_at_deployment_is_one_fault(
    game: str, seq: int, row: int, off: tuple[int, int], found: tuple[int, str]
) -> None:
    """Where it is over another base, or else where the next path of the model begins at the right one."""
    events = [json.loads(line) for line in GAMES[game].read_text().splitlines()]
    place = next(event for event in events if event.get("seq") == seq)["models"][row]["pos"]
    place[:] = [place[0] + off[0], place[1] + off[1], *place[2:]]
    assert said(audit_log("\n".join(map(json.dumps, events)).encode(), digest=False)) == [found]


def test_a_die_too_many_in_a_fight_is_one_fault_and_so_are_too_few_attacks() -> None:
    """The count of hits is right by the dice without the one too many, and the dice by the attacks that are due."""
    events = [json.loads(line) for line in GAMES["three"].read_text().splitlines()]
    step, dice = (next(event for event in events if event.get("seq") == seq) for seq in (95, 96))
    dice["rolls"].append({"die": 6})
    assert said(audit_log("\n".join(map(json.dumps, events)).encode(), digest=False, meant=False)) == [
        (96, "CLX-LOG-03")
    ]
    dice["rolls"].pop()
    step["attackers"][0]["claimed_attacks"] -= 1
    assert said(audit_log("\n".join(map(json.dumps, events)).encode(), digest=False, meant=False)) == [
        (95, "CLX-ASLT-09")
    ]


@pytest.mark.parametrize("game", sorted(GAMES))
def test_the_records_themselves_accuse_nobody(game: str) -> None:
    assert said(audit_log(GAMES[game].read_bytes(), digest=False)) == []


def test_a_wrong_name_at_a_start_of_a_turn_accuses_nobody() -> None:
    """The phase after it names the other player: whoever acts first shows whose turn it is."""
    audit = audited(GAMES["two"], 72, "turn_start", "player", "A")
    assert said(audit) == []
    assert (73, "CLX-GAME-01") in [(note["seq"], note["rule"]) for note in audit["notes"]]
    assert said(audited(GAMES["two"], 73, "phase_start", "player", "A")) == []


def test_a_start_that_names_a_later_phase_than_its_end_accuses_nobody() -> None:
    """Nothing was done between them: the phase is what the end says, and the next one comes in its turn."""
    header, *events = [json.loads(line) for line in GAMES["one"].read_text().splitlines()]
    kept = [event for event in events if event["seq"] != 17]
    kept[15]["phase"] = "assault"
    lines = [header, *({**event, "seq": seq} for seq, event in enumerate(kept, 1))]
    audit = audit_log("\n".join(map(json.dumps, lines)).encode(), digest=False)
    assert [event["type"] for event in kept[15:17]] == ["phase_start", "phase_end"]
    assert said(audit) == []
    assert any(note["seq"] == 17 for note in audit["notes"])


def test_an_end_that_names_the_player_whose_turn_has_ended_ends_the_turn_that_is_on() -> None:
    audit = audited(GAMES["one"], 79, "turn_end", "player", "A")
    assert said(audit) == []
    assert any(note["seq"] == 79 for note in audit["notes"])


def test_a_hull_that_a_line_names_under_another_unit_may_have_turned_in_it() -> None:
    log = example("CLX-VEH-05/legal-headings-not-recorded").log
    turned, *_, moved = [event for event in log["events"] if event["type"] == "move"]
    turned |= {"unit": "sv", "models": [{"id": "tr.m1", "path": [[20, 20], [20, 20]], "headings": [0, 90]}]}
    moved["models"] = [{"id": "tr.m1", "path": [[20, 20], [20, 31.5]], "headings": [90, 90]}]
    assert [one["text"] for one in audit_log(json.dumps(log).encode())["findings"] if one["stands"]] == []


def test_a_wrong_phase_is_said_once() -> None:
    audit = audited(GAMES["one"], 56, "phase_start", "phase", "assault")
    assert said(audit) == [(57, "CLX-GAME-01")]


def test_a_model_that_is_removed_with_a_wound_left_may_go_on() -> None:
    """Of its line one fault is said; that it moves, as the rules have it, is none."""
    record = example("CLX-SHOOT-13/illegal-removed-with-a-wound-left").log
    rows = next(entry["models"] for entry in record["events"][0]["units"] if entry["unit"] == "bk")
    place = next(row["pos"] for row in rows if row["id"] == "bk.m1")
    frame = {"turn": 2, "phase": "assault", "player": "A", "type": "pile_in", "unit": "bk"}
    record["events"].append({"seq": 7, **frame, "models": [{"id": "bk.m1", "path": [place, place]}]})
    assert said(audit_log(json.dumps(record).encode(), digest=False))[:1] == [(6, "CLX-SHOOT-13")]
    assert (7, "CLX-LOG-02") not in said(audit_log(json.dumps(record).encode(), digest=False))


@pytest.mark.parametrize("initiative", [1, 4])
@pytest.mark.parametrize("grenade", ["frag", "photon"])
def test_that_a_grenade_is_said_to_pin_by_itself_which_does_not_is_held_against_nobody_after_it(
    grenade: str, initiative: int
) -> None:
    """Only an EMP grenade does: the others pin by a test, and none is recorded."""
    record = example("CLX-ASLT-10/legal-pinned-by-the-die-of-an-emp-grenade").log
    position, charge, throw, _, move, blows = record["events"]
    for emp_only in ("effect_dice", "claimed_needed"):
        del throw[emp_only]
    throw |= {"grenade": grenade, "hit_models": [], "claimed_effects": {"pinned": True}}
    move["models"][0]["path"][-1] = [25, 20]
    blows["initiative"] = blows["attackers"][0]["claimed_initiative"] = initiative
    turn = {"turn": 4, "phase": "movement", "player": "A"}
    after = [
        {"turn": 3, "phase": "assault", "player": "B", "type": "turn_end"},
        {**turn, "type": "turn_start"},
        {**turn, "type": "move", "unit": "hw", "models": [{"id": "hw.m2", "path": [[26, 22], [28, 22]]}]},
    ]
    fought = [position, charge, throw, move, blows]
    moved = [position, throw, *after]
    back = {"player": "A", "unit": "hw", "model": "hw.m1", "side": "defender", "target": "rd"}
    charged = [position, charge, {**throw, **back}, move]
    for events in (fought, moved, charged):
        record["events"] = [{**event, "seq": n} for n, event in enumerate(events, 1)]
        assert said(audit_log(json.dumps(record).encode(), digest=False)) == []


@pytest.mark.parametrize("initiative", [1, 4])
@pytest.mark.parametrize(("die", "pinned"), [(5, False), (3, True)])
def test_what_an_emp_grenade_is_said_to_do_against_its_dice_is_one_fault(
    die: int, pinned: bool, initiative: int
) -> None:
    """Whoever strikes then may do so as the dice have it, or as it was said."""
    record = example("CLX-ASLT-10/legal-pinned-by-the-die-of-an-emp-grenade").log
    events = record["events"]
    events[2]["effect_dice"][0]["die"] = die
    events[2]["claimed_effects"] = {"pinned": pinned}
    events[5]["initiative"] = events[5]["attackers"][0]["claimed_initiative"] = initiative
    if die < 4:
        del events[3]
        events[3]["models"][0]["path"][-1] = [25, 20]
    assert said(audit_log(json.dumps(record).encode(), digest=False)) == [(3, "CLX-GREN-08")]


def test_a_line_that_says_again_who_fell_by_wounds_says_nothing_new() -> None:
    lines = GAMES["one"].read_text().splitlines()
    events = [json.loads(line) for line in lines]
    at = next(n for n, event in enumerate(events) if event.get("seq") == 74)
    fallen = next(wound["model"] for wound in events[at]["list"] if wound["claimed_removed"])
    frame = {key: events[at][key] for key in ("turn", "phase", "player")}
    events.insert(at + 1, {**frame, "type": "removed", "model": fallen, "reason": "wounds"})
    for seq, event in enumerate(events[1:], 1):
        event["seq"] = seq
    audit = audit_log("\n".join(map(json.dumps, events)).encode(), digest=False)
    assert (audit["verdict"], audit["coverage"]["unchecked"]) == ("clean", [])


def audited(path: Path, seq: int, kind: str, field: str, wrong: Any) -> dict[str, Any]:
    """The audit of a record with one value changed."""
    events = [json.loads(line) for line in path.read_text().splitlines()]
    event = next(event for event in events if event.get("seq") == seq)
    assert event["type"] == kind
    *way, last = [int(step) if step.isdigit() else step for step in field.split(".")]
    there = event
    for step in way:
        there = there[step]
    assert there[last] != wrong
    there[last] = wrong
    return audit_log("\n".join(map(json.dumps, events)).encode(), digest=False, meant=False)


def said(audit: dict[str, Any]) -> list[tuple[int, str]]:
    return [(finding["seq"], finding["rule"]) for finding in audit["findings"] if finding["stands"]]


LEFT_OUT = [
    # game, a line that says who took wounds: of one of two pools of a fight, and of all that were in combat with a unit
    ("no-base-rules", 252),
    ("no-base-rules", 261),
]


@pytest.mark.parametrize(("game", "seq"), LEFT_OUT)
def test_who_took_wounds_in_a_fight_left_out_accuses_nobody(game: str, seq: int) -> None:
    """The numbers of the lines show no gap: who is left of the unit is in doubt, and whom its enemy faces after that."""
    lines = (FIXTURES / "games" / f"{game}.jsonl").read_text().splitlines()
    events = [json.loads(line) for line in lines if json.loads(line).get("seq") != seq]
    for number, event in enumerate(events[1:], 1):
        event["seq"] = number
    assert said(audit_log("\n".join(map(json.dumps, events)).encode(), digest=False)) == []


STARTS = [("five-turns", 238), ("no-base-rules", 146), ("close-quarters", 66), ("close-quarters", 250)]


@pytest.mark.parametrize(("game", "seq"), STARTS)
def test_a_turn_that_begins_without_a_player_accuses_nobody(game: str, seq: int) -> None:
    header, *events = [json.loads(line) for line in (FIXTURES / "games" / f"{game}.jsonl").read_text().splitlines()]
    event = next(event for event in events if event["seq"] == seq)
    assert event["type"] == "turn_start" and event.pop("player")
    audit = audit_log("\n".join(json.dumps(line) for line in (header, *events)).encode())
    assert said(audit) == []
