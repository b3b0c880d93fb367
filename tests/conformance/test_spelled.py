"""Nobody is accused of how a value is written; a sample of what `make spellings` tries."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from auditor import engine, systems
from auditor.conformance.logs import as_jsonl
from auditor.trials import spelled
from auditor.trials.spelled import (
    ONE_IN,
    ROUNDED,
    SPELLED,
    Plan,
    accused,
    carried_out,
    everywhere,
    once,
    try_as_people_write,
)
from auditor.trials.tally import Json, Tally
from tests.shares import WHOLE


@pytest.mark.parametrize("game", systems.game_keys())
def test_a_legal_game_in_another_spelling_accuses_nobody(game: str) -> None:
    lines, _ = systems.game(game).inventor().legal_game(1)
    rng = Random(f"{game} 1")
    found = [*once(game, 1, lines, rng, 12 if WHOLE else 5), *everywhere(game, 1, lines, rng, 8 if WHOLE else 3)]
    assert len(found) >= (15 if WHOLE else 5)
    assert [(one.way, one.where, one.accused[:1]) for one in found if one.accused] == []


def test_attacks_that_do_not_state_what_they_are_accuse_nobody() -> None:
    lines, _ = systems.game("calth").inventor().legal_game(2)
    assert {line.get("role") for line in lines} >= {"assault", "counter"}
    for left_out in ({"role"}, {"mode"}, {"role", "mode"}):
        written = [{key: value for key, value in line.items() if key not in left_out} for line in lines]
        assert accused(written) == []


@pytest.mark.parametrize(
    ("seed", "plan"),
    [
        # Who fell nobody can tell: a unit that may be gone holds no hex.
        (9, Plan("null", "model", 35, ("steps", 0, "target_model"))),
        (9, Plan("in quotes", "model", 35, ("steps", 0, "target_model"))),
        (9, Plan("another name", "model", 35, ("steps", 0, "target_model"))),
        (9, Plan("null", "unit", 35, ("target",))),
        # A new unit has the TPs of the one that it came from, whatever these are.
        (14, Plan("null", "number")),
        # A position that lists doors does not say which are sealed.
        (14, Plan("null", "edge")),
        # An activation without its action: what follows may be an Assault.
        (100, Plan("null", "choice")),
        # A label of old, where a model was never placed: it may be a unit of its own.
        (105, Plan("another name", "model", 9, ("model",))),
        # A location that is not stated: Sor Gharax may be removed.
        (201, Plan("null", "card", 154, ("steps", 0, "damage_card", "card"))),
        # A card that is not stated may let its player draw.
        (216, Plan("null", "card")),
        # A follow-up shot on nobody named.
        (100, Plan("null", "unit", 48, ("target",))),
    ],
)
def test_what_may_hang_on_a_value_that_cannot_be_read_accuses_nobody(seed: int, plan: Plan) -> None:
    lines, _ = systems.game("calth").inventor().legal_game(seed)
    assert [one.accused for one in carried_out("calth", seed, lines, plan)] == [[]]


@pytest.mark.parametrize(
    "plan",
    [
        Plan("neither", "card", 27, ("card",)),
        Plan("in quotes", "card", 31, ("cards", 1, "card")),
        Plan("another name", "card", 126, ("cards", 2)),
        Plan("letters of another script", "card", 270, ("target",)),
        Plan("a word of its own", "card", 366, ("choices", "target")),
        Plan("null", "choice", 476, ("reason",)),
        # One word for every card of the set: five of them need not be one.
        Plan("a word of its own", "printed card"),
    ],
)
def test_a_card_that_is_written_as_no_other_accuses_nobody_where_none_are_listed(plan: Plan) -> None:
    lines, _ = systems.game("hcg").inventor().legal_game(11)
    assert not any(player.get("instances") for player in lines[0]["players"])
    assert [one.accused for one in carried_out("hcg", 11, lines, plan)] == [[]]


def test_a_tank_shock_of_a_vehicle_that_nobody_knows_may_be_of_any() -> None:
    lines, _ = systems.game("clx").inventor().legal_game(13)
    plan = Plan("another name", "unit", 41, ("vehicle",))
    assert lines[plan.line]["type"] == "tank_shock"
    assert [one.accused for one in carried_out("clx", 13, lines, plan)] == [[]]


def test_two_sides_that_use_like_labels_accuse_nobody() -> None:
    lines, _ = systems.game("calth").inventor().legal_game(4)
    as_one = re.sub(r'"(?:um|wb)-(\d+)"', r'"squad \1"', json.dumps(lines[1:]))
    assert '"unit_removed", "unit": "squad' in as_one, "a unit that is gone while the other bears its label"
    assert accused([lines[0], *json.loads(as_one)]) == []


def test_lore_dice_of_a_discipline_spelled_otherwise_accuse_nobody() -> None:
    lines, _ = systems.game("clx").inventor().legal_game(3)
    here = next(n for n, line in enumerate(lines) if line["type"] == "lore_mastery" and line.get("allocation"))
    for write in (str.title, "{} ".format, "{} or so".format):
        made = [
            *lines[:here],
            {**lines[here], "allocation": [*map(write, lines[here]["allocation"])]},
            *lines[here + 1 :],
        ]
        assert accused(made) == []


@pytest.mark.parametrize("game", systems.game_keys())
def test_a_conformance_run_writes_a_share_of_its_games_as_people_do(game: str) -> None:
    tally = Tally()
    lines, _ = systems.game(game).inventor().legal_game(ONE_IN)
    for seed in range(1, ONE_IN + 1):
        try_as_people_write(game, lines, seed, tally)
    names = {SPELLED, ROUNDED} if "recording_precision" in lines[0] else {SPELLED}
    assert tally.relations == {(name, "held"): 1 for name in names}, tally.broken_listed


def test_a_game_that_no_rounding_explains_breaks_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    lines, _ = systems.game("clx").inventor().legal_game(ONE_IN)
    monkeypatch.setattr(spelled, "accused", lambda lines: ["1 CLX-MOVE-01 too far"])
    tally = Tally()
    try_as_people_write("clx", lines, ONE_IN, tally)
    assert tally.relations == {(SPELLED, "broken"): 1, (ROUNDED, "broken"): 1}
    assert [one["number"] for one in tally.broken_listed] == [ONE_IN, ONE_IN]


def written(lines: list[Json], found: Callable[[Json], bool], change: Callable[[Json], Any]) -> list[Json]:
    """A game with the first line of some kind changed."""
    made = copy.deepcopy(lines)
    change(next(line for line in made if found(line)))
    return made


def tied(line: Json) -> bool:
    return line["type"] == "initiative" and len(line["attempts"]) > 1


def chosen(line: Json) -> bool:
    return line["type"] == "tactic" and "target" in (line.get("choices") or {})


def cannon(line: Json) -> bool:
    crit = line.get("crit")
    return isinstance(crit, dict) and crit["effect"] == "CAL-CRT-06"


def pressed(line: Json) -> bool:
    return line["type"] == "prone_choice" and line["choice"] == "press"


def ended(line: Json) -> bool:
    return line["type"] == "game_end"


def without_a_doom(line: Json) -> None:
    for one in line["crit"]["passes"]:
        one["faces"] = "CHSB" * 2  # never four dice on one face


@pytest.mark.parametrize(
    ("game", "found", "unsaid", "wrong", "rule"),
    [
        ("calth", tied, lambda e: e["attempts"][1].update(UM=None), lambda e: e["attempts"][1].pop("UM"), "CAL-INI-02"),
        ("calth", tied, lambda e: e["attempts"][1].update(WB="see the note"), None, ""),
        ("calth", cannon, lambda e: e["crit"].update(model=None), without_a_doom, "CAL-CRT-06"),
        ("calth", cannon, lambda e: e["crit"]["passes"][1].update(faces=None), None, ""),
        ("hcg", chosen, lambda e: e["choices"].update(target=None), lambda e: e.update(choices={}), "HCG-OPT-02"),
        ("hcg", lambda e: e["type"] == "reshuffle" and e.get("turn") == 4, lambda e: e.update(by="\u04402"), None, ""),
        ("clx", pressed, lambda e: e.update(unit=None), lambda e: e.update(choice="drop"), "CLX-USR-17"),
        ("clx", pressed, lambda e: e.update(choice="see the note"), None, ""),
        ("clx", ended, lambda e: e.update(reason=None), lambda e: e.update(reason="roll"), "CLX-GAME-04"),
    ],
)
def test_what_a_line_does_not_state_accuses_nobody_and_what_it_states_wrongly_does(
    game: str, found: Callable[[Json], bool], unsaid: Callable[[Json], Any], wrong: Callable[[Json], Any], rule: str
) -> None:
    lines, _ = systems.game(game).inventor().legal_game(3)
    lines = [{key: value for key, value in line.items() if (line["type"], key) != ("end", "reason")} for line in lines]
    assert accused(written(lines, found, unsaid)) == []
    if wrong is not None:
        assert any(f" {rule} " in f" {one} " for one in accused(written(lines, found, wrong)))


def test_one_word_for_every_unit_is_the_name_of_none() -> None:
    lines, _ = systems.game("calth").inventor().legal_game(3)
    made = re.sub(r'"(um|wb)-\d+"', '"squad"', json.dumps(lines[1:]))
    assert '"unit": "squad"' in made
    audit = engine.audit_log(as_jsonl([lines[0], *json.loads(made)]).encode(), digest=False, causes=False)
    assert [one for one in audit["findings"] if one["stands"]] == []
    assert [(error["line"], error["found"]) for error in audit["errors"]] == [(None, '"squad"')]


@pytest.mark.parametrize("plan", [
    Plan("a word of its own", "model", 1, ("units", 1, "models", 0)),
    Plan("in quotes", "model", 1, ("units", 0, "models", 1)),
    Plan("a word of its own", "unit"),
], ids=["a model that attacks", "a model that is picked", "one word for every unit"])  # fmt: skip
def test_a_position_that_cannot_be_read_whole_closes_no_doubt_of_its_own(plan: Plan) -> None:
    lines, _ = systems.game("calth").inventor().legal_game(6)
    assert lines[1]["type"] == "position"
    (one,) = carried_out("calth", 6, lines, plan)
    assert one.accused == []
    assert accused([lines[0], {**lines[1], "units": lines[1]["units"][1:]}, *lines[2:]]) != []


@pytest.mark.parametrize("path", [("units", 0, "models", 0), ("damage_deck", "in_deck", 1)], ids=["a model", "a card"])
def test_a_judge_who_states_a_position_may_write_as_people_do(path: tuple[str | int, ...]) -> None:
    lines, _ = systems.game("calth").inventor().legal_game(14)
    made = copy.deepcopy(lines)
    holder = next(line for line in made if line["type"] == "judge")["position"]
    for step in path[:-1]:
        holder = holder[step]
    holder[path[-1]] += " or so"
    assert accused(made) == []


def test_a_unit_that_a_judge_calls_otherwise_still_goes_by_its_label() -> None:
    lines, _ = systems.game("calth").inventor().legal_game(6)
    stated = {key: value for key, value in lines[1].items() if key not in ("seq", "type")}
    again = {"type": "judge", "text": "As it stands.", "position": copy.deepcopy(stated)}
    for unit in again["position"]["units"]:
        unit["unit"] += " or so"
    made = [lines[0], lines[1], again, *lines[2:]]
    assert accused([made[0], *({**line, "seq": seq} for seq, line in enumerate(made[1:], 1))]) == []


def test_faces_that_are_nowhere_stated_accuse_nobody() -> None:
    lines, _ = systems.game("calth").inventor().legal_game(3)
    found = list(carried_out("calth", 3, lines, Plan("null", "faces")))
    assert [(one.where, one.accused) for one in found] == [("every faces", [])]


def test_a_label_that_is_wrong_once_is_still_a_name() -> None:
    lines, _ = systems.game("calth").inventor().legal_game(3)
    given = next(line for line in lines if line["type"] == "tp_refresh")
    label = given["units"][0]["unit"]
    made = written(lines, lambda line: line is given or line == given, lambda line: line["units"].pop(0))
    assert any("CAL-RDY-02" in one and f"{label} was given no TPs" in one for one in accused(made))


def test_the_only_unit_of_a_side_may_go_by_another_label_than_in_the_position() -> None:
    lines, _ = systems.game("calth").inventor().legal_game(6)

    def called_otherwise(line: Json) -> None:
        line["units"][0]["unit"] += " or so"

    made = written(lines, lambda line: line["type"] == "position", called_otherwise)
    (own,) = {unit["unit"] for unit in made[1]["units"] if unit["side"] == "UM"}
    assert own.endswith(" or so") and accused(made) == []
    given = next(line for line in made if line["type"] == "tp_refresh")
    given["units"].pop(0)
    assert any("CAL-RDY-02" in one for one in accused(made)), "nobody is named in its place"


@pytest.mark.parametrize(
    ("found", "change", "wrong", "rule"),
    [
        (lambda e: e["type"] == "lock" and e["seq"] == 343, {"cards": ["see the note"]}, {"cards": ["p2-05"]}, "HCG-WDR-01"),
        (lambda e: e["type"] == "game.end", {"winner": '"p1"or so'}, {"winner": None}, "HCG-WIN-02"),
    ],
)  # fmt: skip
def test_a_name_that_nobody_knows_is_neither_no_card_nor_nobody(
    found: Callable[[Json], bool], change: Json, wrong: Json, rule: str
) -> None:
    lines, _ = systems.game("hcg").inventor().legal_game(3)
    assert accused(written(lines, found, lambda e: e.update(change))) == []
    assert any(f" {rule} " in one for one in accused(written(lines, found, lambda e: e.update(wrong))))


def test_a_shuffle_of_which_null_is_written_is_not_one_that_was_left_out() -> None:
    lines, _ = systems.game("calth").inventor().legal_game(10)
    line, step = next(
        (n, m)
        for n, line in enumerate(lines)
        for m, step in enumerate(line.get("steps") or ())
        if "shuffled" in (step.get("damage_card") or {})
    )
    said: dict[str, list[str]] = {}
    for what in ("null", "left out", "false"):
        made = copy.deepcopy(lines)
        card = made[line]["steps"][step]["damage_card"]
        card.update(shuffled=None if what == "null" else False)
        if what == "left out":
            del card["shuffled"]
        said[what] = [one.split()[1] for one in accused(made)]
    assert said == {"null": [], "left out": ["CAL-SOR-01"], "false": ["CAL-SOR-01"]}
