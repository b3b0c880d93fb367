"""The examples that the text itself gives (catalogue section 11), each with its numbers; those of plain tables are in
`test_tables`."""

from __future__ import annotations

import json
from fractions import Fraction
from importlib import resources
from typing import Any

import pytest

from auditor.systems.clx.reckoning.shots import bonus
from tests.clx.examples import example, judged

PACKS = resources.files("auditor.systems.clx").joinpath("data", "packs")


def event_of(log: Any, seq: int) -> Any:
    return next(event for event in log["events"] if event["seq"] == seq)


def standing(log: Any, **readings: str) -> list[tuple[str, Any]]:
    """The rule and the right numbers of each finding that stands."""
    return [(one["rule"], one["recomputed"]) for one in judged(log, readings)["findings"] if one["stands"]]


def test_height_gives_at_most_six_inches() -> None:
    for elev, at_4_9 in (("FLOOR", Fraction(4)), ("LINEAR", Fraction("4.9"))):
        assert bonus(Fraction("4.9"), Fraction(0), elev, "GROUND") == at_4_9
        assert bonus(Fraction(8), Fraction(0), elev, "GROUND") == 6


def test_one_die_never_causes_perils() -> None:
    log = example("CLX-PSY-09/legal-one-six").log
    assert standing(log) == []
    event_of(log, 2)["claimed_perils"] = True
    assert [rule for rule, _ in standing(log)] == ["CLX-PSY-09"]


def test_one_wound_from_the_front_and_two_from_the_rear_are_a_check_at_three_less() -> None:
    log = example("CLX-SHOOT-14/legal-one-and-two-wounds").log
    assert standing(log) == []
    event_of(log, 12)["claimed_modifier"] = -2
    assert standing(log) == [("CLX-SHOOT-14", {"modifier": -3, "passed": True})]


@pytest.mark.parametrize(
    ("total", "ap", "wounds"), [(12, 3, 1), (13, 3, 2), (15, 3, 4), (12, 1, 2), (13, 1, 3), (15, 1, 5), (11, 1, 0)]
)
def test_wounds_of_a_vehicle(total: int, ap: int, wounds: int) -> None:
    log = example("CLX-VEH-07/legal").log
    weapons = json.loads(PACKS.joinpath("example-weapons.json").read_text())["weapons"]
    gun = {"id": "gun", "name": "Gun", "type": "assault", "range": 24, "S": 9, "AP": ap, "shots": 1}
    log["header"]["weapons"] = [*weapons, gun]
    log["events"] = log["events"][:2]
    hit = event_of(log, 2)
    result = "none" if wounds == 0 else "glance" if (total, ap) == (12, 3) else "pen"
    hit |= {"weapon": "gun", "dice": [total - 9], "claimed_total": total, "claimed_result": result}
    hit["claimed_wounds"] = wounds
    assert standing(log) == []
    hit["claimed_wounds"] = wounds + 1
    [(_, right)] = standing(log)
    assert right["wounds"] == wounds


def test_grenades_have_the_profiles_of_the_text() -> None:
    weapons = {one["id"]: one for one in json.loads(PACKS.joinpath("example-weapons.json").read_text())["weapons"]}
    profiles = {name: tuple(weapons[name][key] for key in ("range", "S", "AP", "shots")) for name in GRENADES}
    assert profiles == GRENADES
    assert all({"blast", "pinning"} <= set(weapons[name]["rules"]) for name in ("frag", "photon"))
    assert "blast" in weapons["emp"]["rules"]


GRENADES = {"frag": (6, 4, 6, 1), "photon": (6, 1, None, 1), "emp": (6, None, 2, 1)}


def thrown(*, cover: bool, pinned: bool, initiative: int) -> Any:
    """A charge with a frag grenade that kills two models of Post Six (Leadership 8, Initiative 4), and their first blow."""
    log = example("CLX-GREN-06/legal").log
    header, places = log["header"], {"ps.m1": [26, 20], "ps.m2": [26, 22], "ps.m3": [26, 24]}
    header["players"] = [{"id": "A", "units": ["hw"]}, {"id": "B", "units": ["ps"]}]
    brush = {"id": "brush", "poly": [[24, 18], [30, 18], [30, 26], [24, 26]], "cover": "soft"}
    header["terrain"] = [brush] if cover else []
    frame = {"turn": 3, "phase": "assault"}
    log["events"] = log["events"][:3]
    start, charge, grenade = log["events"]
    start["removed"] = [*(f"hw.m{n}" for n in range(2, 7)), "ps.m4", "ps.m5", "ps.m6"]
    stands = [{"id": name, "pos": at} for name, at in places.items()]
    start["units"][1] = {"unit": "ps", "models": stands, "pinned": False, "gone_to_ground": False, "prone": "none"}
    charge |= {"target": "ps", "claimed_success": True}
    grenade |= {"target": "ps", "hit_models": ["ps.m1", "ps.m2"]}
    rest: list[dict[str, Any]] = []
    if cover:
        rest.append({"player": "B", "type": "cover_rolls", "attack": "g1", "weapon": "frag", "dice": [1, 1]})
    lost = [{"save": {"kind": "AS", "die": 1, "claimed_needed": 5}, "claimed_saved": False, "claimed_removed": True}]
    test = {"unit": "ps", "causes": ["g1"], "dice": [3, 4] if pinned else [3, 3]}
    rest += [
        {
            "player": "A",
            "type": "wound_rolls",
            "attack": "g1",
            "weapon": "frag",
            "rolls": [{"die": 6}] * 2,
            "pool": "g",
        },
        {
            "player": "B",
            "type": "allocate",
            "attack": "g1",
            "pool": "g",
            "list": [{"model": name, **lost[0]} for name in ("ps.m1", "ps.m2")],
        },
        {"player": "B", "type": "pinning_test", **test, "claimed_modifier": -2, "claimed_pinned": pinned},
        {
            "player": "A",
            "type": "charge_move",
            "unit": "hw",
            "target": "ps",
            "models": [{"id": "hw.m1", "path": [[20, 20], [25.168, 23.445]]}],
            "failed": False,
        },
        {
            "player": "B",
            "type": "fight_step",
            "attack": "d1",
            "initiative": initiative,
            "attackers": [{"model": "ps.m3", "claimed_initiative": initiative, "target": "hw", "weapon": "glaive"}],
        },
    ]
    log["events"] += [{"seq": seq, **frame, **event} for seq, event in enumerate(rest, 4)]
    return log


@pytest.mark.parametrize(
    ("cover", "pinned", "option", "initiative"),
    [
        (False, False, "INIT1", 2),
        (False, True, "INIT1", 1),
        (True, True, "INIT1", 1),
        (True, True, "NORMAL", 4),
    ],
)
def test_a_frag_grenade_and_two_wounds(cover: bool, pinned: bool, option: str, initiative: int) -> None:
    assert standing(thrown(cover=cover, pinned=pinned, initiative=initiative), **{"OR-FRAG-INIT": option}) == []
    wrong = thrown(cover=cover, pinned=pinned, initiative=3)
    [(_, right)] = standing(wrong, **{"OR-FRAG-INIT": option})
    assert right["initiative"] == initiative


def test_a_frag_grenade_lowers_the_leadership_by_its_wounds() -> None:
    log = thrown(cover=False, pinned=False, initiative=2)
    event_of(log, 6)["claimed_modifier"] = 0
    assert [right for _, right in standing(log)] == [{"modifier": -2, "pinned": False}]


@pytest.mark.parametrize(("name", "strength"), [("CLX-VEH-03/legal", 5), ("CLX-VEH-01/legal", 3)])
def test_passengers_of_an_explosion(name: str, strength: int) -> None:
    log = example(name).log
    assert standing(log) == []
    event_of(log, 2)["passenger_S"] = 4
    [(_, right)] = standing(log)
    assert right["S"] == strength
