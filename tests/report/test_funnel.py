"""An attack as a funnel: each step with its number, its dice and the row of the table, the log's beside the dice's."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.report.boards import Scene, View
from auditor.report.boards.inches import INCHES
from auditor.report.boards.kind import Further
from tests.clx.examples import audited, example


def funnel(attack: Any, ruled: str = "") -> str:
    """All that is drawn and heard of an attack."""
    return "".join(
        str(one.drawn()) for one in INCHES.further(Scene({"kind": "inches", "attack": attack}), View(), ruled)
    )


def attack(*steps: dict[str, Any], shots: int | None = 4) -> dict[str, Any]:
    weapon = {"name": "Arc gun", "shots": shots, "steps": list(steps)}
    return {"id": "k1", "unit": "a", "target": "b", "now": 7, "weapons": [weapon]}


def said(drawn: str) -> list[str]:
    return re.findall(r'class="fn-(?:said|said bad|row)"[^>]*>([^<]+)<', drawn)


HITS = {"seq": 7, "what": "hits", "dice": 4, "needed": 3, "claimed": 3, "counted": 2, "row": "Ballistic Skill 4"}


def test_each_step_says_its_number_its_dice_and_its_row() -> None:
    cover = {"seq": 5, "what": "cover", "dice": 4, "needed": 5, "claimed": 1, "counted": 1, "faces": [5, 1, 2, 2]}
    saves = {
        "seq": 9,
        "what": "saves",
        "dice": 2,
        "needed": 4,
        "counted": 1,
        "beside": 1,
        "row": "armour of 4+ against AP 5",
    }
    assert said(funnel(attack(cover, {**HITS, "counted": 3}, saves))) == [
        *("shots: 4", "shots stopped by cover: 1", "4 dice on 5 or more", "rolled 5 1 2 2"),
        *("hits: 3", "4 dice on 3 or more", "Ballistic Skill 4"),
        *("not saved: 1", "2 wounds, saves on 4 or more", "armour of 4+ against AP 5", "removed: 1"),
    ]


def test_a_number_of_the_log_stands_beside_that_of_its_dice_and_of_the_rules() -> None:
    drawn = funnel(attack(HITS), "hits 2")
    assert said(drawn)[1:] == [
        "hits: 3 by the log, 2 by its dice",
        "4 dice on 3 or more",
        "Ballistic Skill 4",
        "by the rules: hits 2",
    ]
    assert drawn.count('class="fn-dice"') == 1 and drawn.count('class="fn-bar now"') == 1
    assert "fn-dice" not in funnel(attack({**HITS, "counted": 3}))


def test_bars_are_as_wide_as_their_numbers() -> None:
    drawn = funnel(attack({**HITS, "claimed": 2}, shots=8))
    wide = [float(one) for one in re.findall(r'class="fn-bar[^"]*"[^>]*width="([^"]+)"', drawn)]
    assert wide[0] == 4 * wide[1]


@pytest.mark.parametrize("name", ["illegal", "legal"])
def test_a_game_gives_the_steps_of_its_attack(name: str) -> None:
    log = example(f"CLX-SHOOT-08/{name}").log
    boards = [finding["evidence"]["before"] for finding in audited(log)["findings"] if finding["evidence"]]
    assert bool(boards) == (name == "illegal")
    attacks = [board["attack"] for board in boards if "attack" in board]
    assert len(attacks) == len(boards)
    for one in attacks:
        assert one["weapons"][0]["steps"] and "fn-said" in funnel(one)


def test_a_weapon_that_has_the_strength_of_who_strikes_has_no_row_of_the_table_to_wound() -> None:
    [finding] = audited(example("CLX-ASLT-06/illegal").log)["findings"]
    [weapon] = finding["evidence"]["before"]["attack"]["weapons"]
    assert {step["what"]: step.get("row") for step in weapon["steps"]}["wounds"] is None


def test_dice_to_wound_show_the_strength_of_the_weapon_against_the_toughness_of_most_of_the_target() -> None:
    [finding] = audited(example("CLX-ASLT-06/illegal-shots").log)["findings"]
    [weapon] = finding["evidence"]["before"]["attack"]["weapons"]
    assert {step["what"]: step["row"] for step in weapon["steps"]}["wounds"] == "Strength 4 against Toughness 4"


def test_a_board_without_an_attack_has_no_funnel() -> None:
    assert INCHES.further(Scene({"kind": "inches"}), View(), "") == ()


ANY = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=4), st.lists(st.integers()))


@given(st.dictionaries(st.sampled_from(["seq", "what", *HITS, "beside", "faces"]), ANY), ANY, ANY)
def test_whatever_an_attack_says_it_is_drawn(step: dict[str, Any], shots: Any, steps: Any) -> None:
    for weapon in ({"name": shots, "shots": shots, "steps": [step, HITS, steps]}, {"steps": steps}, steps):
        assert "<svg" in funnel({**attack(), "weapons": [weapon]}, "x")
    assert isinstance(funnel(steps), str) and "<svg" in funnel({**attack(), "weapons": steps})


def charge(length: str, **rolled: str) -> tuple[Further, ...]:
    mark = {"mark": "gap", "from": ["0", "0"], "to": ["5", "0"], "length": length, **rolled}
    return INCHES.further(Scene({"kind": "inches"}, [mark]), View(), "")


def test_a_charge_is_a_bar_of_what_it_needed_and_what_was_rolled() -> None:
    (shown,) = charge("5.695", rolled="12")
    assert shown.caption == "needed 5.695″, rolled 12″"
    drawn = str(shown.drawn())
    assert 'class="ch-rolled" x="8" y="22" width="340"' in drawn and '<path class="ch-needed" d="M169' in drawn
    assert charge("5.695") == () and charge("far", rolled="12") == ()
