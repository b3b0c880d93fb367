"""Packs are checked whole: everything wrong at once, each with its place; the invented examples use every rule."""

from __future__ import annotations

import json
from fractions import Fraction
from importlib import resources
from typing import Any

import pytest

from auditor import engine, systems
from auditor.ingest import check_packs
from auditor.systems.clx.packs import UNIT_RULES, hooks, setup_of
from auditor.systems.clx.packs.shapes import UnitType, WeaponRule, WeaponType
from auditor.systems.clx.written import exact
from auditor.systems.packs import BadPacks, Packs


def built_in() -> Packs:
    return systems.game("clx").built_in_packs


def header(**changed: Any) -> bytes:
    given = {
        "type": "header",
        "game": "clx",
        "format": 1,
        "players": [{"id": "A", "units": ["hw", "er"]}, {"id": "B", "units": ["sv", "fl"]}],
        "table": {"W": 72, "D": 48},
        "units": "example-armies",
        "weapons": "example-weapons",
        "powers": "example-powers",
        "terrain": "quarry",
        "base_rules": "example-base-rules",
    }
    return json.dumps({**given, **changed}).encode()


def test_a_header_that_names_the_example_packs_is_ready_for_a_replay() -> None:
    setup, wrong, used = setup_of(header(), built_in())
    assert wrong == []
    assert setup is not None
    assert setup.players == ("A", "B")
    assert set(setup.units) == {"hw", "er", "sv", "fl"}
    assert setup.units["sv"].player == "B"
    assert setup.models["hw.m1"].movement == 6
    assert [one.id for one in used] == [
        "example-armies",
        "example-base-rules",
        "example-powers",
        "example-weapons",
        "quarry",
    ]
    assert setup.base["BASE-JINK"] == 5
    assert setup.base["BASE-CHARGE"] == "2D6"


def test_hooks_left_out_have_the_customary_value_or_none() -> None:
    setup, _, _ = setup_of(header(base_rules={}), built_in())
    assert setup is not None
    assert setup.base["BASE-JINK"] is None
    assert setup.base["BASE-SNAP"] == 6
    assert len(hooks()) == 25


def test_everything_wrong_with_a_header_is_said_at_once() -> None:
    _, wrong, _ = setup_of(
        header(
            players=[{"id": "A", "units": ["hw", "hww"]}, {"id": "B", "units": ["hw"]}],
            terrain="quary",
            base_rules={"BASE-JNK": 5, "BASE-CHARGE": "two dice", "BASE-SNAP": 99},
            recording_precision="a bit",
        ),
        built_in(),
    )
    assert {(m.path, m.nearest) for m in wrong} == {
        ("players[0].units[1]", "hw"),
        ("players[1].units[0]", None),
        ("terrain", "quarry"),
        ("base_rules.BASE-JNK", "BASE-JINK"),
        ("base_rules.BASE-CHARGE", None),
        ("base_rules.BASE-SNAP", None),
        ("recording_precision", None),
    }


def test_a_header_that_does_not_fit_its_shape_is_explained_once() -> None:
    setup, _, _ = setup_of(header(players=[{"id": "A"}], table={"W": "wide"}), built_in())
    assert setup is None
    audit = engine.audit_log(header(players=[{"id": "A"}], table={"W": "wide"}, units=[{"id": "u"}], powers=7) + b"\n")
    assert (audit["verdict"], audit["game"]) == ("unreadable", "clx")
    paths = [error["path"] for error in audit["errors"]]
    assert set(paths) >= {"players", "table.D", "units[0].type", "powers"}
    assert len(paths) == len(set(paths))


HEAD = {"id": "p", "title": "Some", "source": "test", "game": "clx"}


def test_everything_wrong_with_packs_is_said_at_once() -> None:
    model = {"id": "m", "profile": {"M": "far", "WS": 11}, "base": {"shape": "circle", "r": 0}}
    units = {"id": "u", "units": [{"id": "x", "type": "infantry", "models": [model]}]}
    bent = {"shape": "poly", "pts": [[0, 0], [4, 0], [4, 4], [2, 1], [0, 4]]}
    unit = {
        "id": "x",
        "type": "vehicle",
        "rules": ["fleat", "base:stubborn"],
        "models": [{**model, "profile": {}}, {"id": "m", "profile": {"M": "far"}, "base": bent}],
    }
    weapons = [
        {"id": "w", "type": "salvo", "shots": 2},
        {"id": "w", "type": "heavy", "range": -1, "shots": {"low": 3, "high": 2}},
    ]
    crossed = {"id": "t", "poly": [[0, 0], [2, 2], [2, 0], [0, 2]]}
    power = {"discipline": "d", "casting_level": 12, "mastery_cost": 1, "primaris": True}
    files = {
        "shape.json": units,
        "units.json": {"id": "v", "units": [unit]},
        "weapons.json": {"id": "w", "weapons": weapons},
        "terrain.json": {"id": "t", "terrain": [crossed]},
        "powers.json": {
            "id": "p",
            "powers": [{**power, "id": i} for i in "ab"],
        },
        "other.json": {"id": "o", "hexes": []},
        "broken.json": {},
    }
    with pytest.raises(BadPacks) as refused:
        check_packs(
            (name, b"{" if name == "broken.json" else json.dumps({**HEAD, **value}).encode())
            for name, value in files.items()
        )
    paths = [error.path for error in refused.value.errors]
    for expected in (
        "shape.json: units[0].models[0].profile.WS",
        "units.json: units[0].vehicle",
        "units.json: units[0].rules[0]",
        "units.json: units[0].models[0].base.r",
        "units.json: units[0].models[1].id",
        "units.json: units[0].models[1].base.pts",
        "units.json: units[0].models[1].profile.M",
        "weapons.json: weapons[0].shots",
        "weapons.json: weapons[1].id",
        "weapons.json: weapons[1].range",
        "weapons.json: weapons[1].shots",
        "terrain.json: terrain[0].poly",
        "powers.json: powers[1].primaris",
        "other.json",
        "broken.json",
    ):
        assert expected in paths, expected
    assert next(e for e in refused.value.errors if e.path.endswith("rules[0]")).nearest == "fleet"


def test_the_example_armies_use_every_type_and_rule_of_the_catalogue() -> None:
    packs = built_in()
    units = packs.of_kind("units")["example-armies"].made
    weapons = packs.of_kind("weapons")["example-weapons"].made
    rules = {rule.split(":")[0] for unit in units for rule in unit.rules}
    assert rules >= set(UNIT_RULES) - {"relentless"}
    assert rules >= {"hatred", "preferred_enemy"}
    assert {unit.type for unit in units} == set(UnitType.__args__)
    assert {weapon.type for weapon in weapons} == set(WeaponType.__args__)
    assert {rule for weapon in weapons for rule in weapon.rules} == set(WeaponRule.__args__)
    assert any(weapon.guess for weapon in weapons)
    models = [model for unit in units for model in unit.models]
    assert {model.armour_class for model in models} == {"power", "artificer", "terminator", "eldar", "other"}
    assert {model.psyker.kind for model in models if model.psyker} == {"psyker", "psychic_pilot", "brotherhood"}
    assert any("auspex" in model.wargear for model in models)
    vehicles = [unit.vehicle for unit in units if unit.vehicle]
    for kind in ("heavy", "fast", "skimmer", "flyer", "transport", "open_topped", "squadron", "has_ws"):
        assert any(getattr(vehicle, kind) for vehicle in vehicles), kind
    for table in ("quarry", "delta"):
        setup, wrong, _ = setup_of(header(terrain=table), packs)
        assert setup is not None and wrong == []
        assert {t.cover for t in setup.terrain.values()} == {0, 1, 2}


def test_every_example_pack_says_that_it_is_invented() -> None:
    files = sorted((resources.files("auditor.systems.clx") / "data" / "packs").iterdir(), key=lambda one: one.name)
    assert len(files) == 6
    for file in files:
        assert json.loads(file.read_text())["source"].startswith("Invented"), file.name


@pytest.mark.parametrize(
    ("written", "number"),
    [(0.1, "1/10"), (6, "6"), ("6.708", "6708/1000"), ("21/4", "21/4"), ("-1.5", "-3/2"), (1e-05, "1/100000")],
)
def test_numbers_are_the_decimals_that_were_written(written: Any, number: str) -> None:
    assert exact(written) == Fraction(number)
