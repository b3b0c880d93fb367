"""Data packs: what the loader takes, what it refuses and in which words, and the example packs that come with it."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
import rfc8785
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor import systems
from auditor.core.record import UnreadableLog
from auditor.geometry.hexes import DIRECTIONS, edge
from auditor.ingest import BadPacks, Packs, check_packs, packs_with, read, read_packs
from auditor.systems.calth import packs as packs_module
from auditor.systems.calth.pack_shapes import SCHEMAS
from auditor.systems.calth.packs import setup_of, wargear, weapons
from tests.ingest.example import BOARD, HEADER, ROSTER, line, log
from tests.shares import tries

DATA = Path(packs_module.__file__).parent / "data"
BUILT_IN = systems.game("calth").built_in_packs

SCENARIO: dict[str, Any] = {
    "id": "s",
    "title": "S",
    "source": "invented",
    "board": "small",
    "deployments": [{"side": "UM", "models": ["m1"], "zone": [[0, 0]]}, {"side": "WB", "models": "all"}],
    "first_initiative": None,
    "doors": [{"edge": [[1, 0], [0, 0]], "state": "sealed"}],
    "special_rules": [
        {
            "id": "r",
            "name": "R",
            "text": "The door opens.",
            "rule_ids": ["CAL-SET-03"],
            "effect": {"door": {"edge": [[0, 0], [1, 0]], "state": "open"}, "round": 2},
        }
    ],
    "rounds": 5,
}
CARDS: dict[str, Any] = {
    "id": "c",
    "title": "C",
    "source": "invented",
    "cards": [{"id": "k", "side": "UM", "name": "K", "timing": "any", "rule_ids": [], "effect": {"tp": 1}}],
}
EXAMPLES = {"board": BOARD, "roster": ROSTER, "scenario": SCENARIO, "command_cards": CARDS}


def taken(files: Iterable[tuple[str, bytes]]) -> Packs:
    return Packs(check_packs(files))


def wrong_with(pack: dict[str, Any]) -> dict[str, str | None]:
    """The places of a pack that the loader refuses, each with the nearest known id."""
    with pytest.raises(BadPacks) as bad:
        taken([("f", line(pack))])
    return {error.path.removeprefix("f: "): error.nearest for error in bad.value.errors}


def changed(kind: str, **changes: Any) -> dict[str, Any]:
    """An example pack with places set: `models__0__weapons=[…]`."""
    pack = copy.deepcopy(EXAMPLES[kind])
    for place, value in changes.items():
        *path, last = [int(part) if part.isdigit() else part for part in place.split("__")]
        inner: Any = pack
        for part in path:
            inner = inner[part]
        if isinstance(inner, list) and last == len(inner):
            inner.append(value)
        else:
            inner[last] = value
    return pack


def test_the_examples_are_taken():
    kept = taken((kind, line(pack)) for kind, pack in EXAMPLES.items())
    assert [pack.id for pack in kept] == ["small", "few", "s", "c"]
    assert [pack.kind for pack in kept] == ["board", "roster", "scenario", "command_cards"]


def test_packs_may_stand_in_one_list():
    kept = taken([("all.json", line(list(EXAMPLES.values())))])
    assert list(kept.of_kind("board")) == ["small"] and list(kept.of_kind("command_cards")) == ["c"]


@pytest.mark.parametrize(
    ("kind", "changes", "places"),
    [
        ("board", {"hexes__4": {"q": 0, "r": 0}}, {"hexes[4]": None}),
        ("board", {"hexes__0__kind": "rubbel"}, {"hexes[0].kind": "rubble"}),
        ("board", {"hexes__0__q": 0.5}, {"hexes[0].q": None}),
        ("board", {"hexes__0__q": 501}, {"hexes[0].q": None}),
        ("board", {"hexes": []}, {"hexes": None}),
        ("board", {"edges__0__b": [2, 0]}, {"edges[0]": None}),
        ("board", {"edges__0__b": [0, 0]}, {"edges[0]": None}),
        ("board", {"edges__1": {"a": [5, 5], "b": [5, 6], "feature": "door"}}, {"edges[1]": None}),
        ("board", {"edges__1": {"a": [1, 0], "b": [0, 0], "feature": "door"}}, {"edges[1].sealed": None}),
        ("board", {"edges__0__feature": "dor"}, {"edges[0].feature": "door"}),
        ("board", {"barricades__0__hex": [1, 1]}, {"barricades[0].hex": None}),
        ("board", {"barricades__0__hex": [9, 9]}, {"barricades[0].hex": None}),
        ("board", {"barricades__0__dir": 6}, {"barricades[0].dir": None}),
        ("board", {"title": ""}, {"title": None}),
        ("board", {"source": "", "id": ""}, {"source": None, "id": None}),
        ("roster", {"profiles__0__bulk": 4}, {"profiles[0].bulk": None}),
        ("roster", {"profiles__0__bulk": 0}, {"profiles[0].bulk": None}),
        ("roster", {"profiles__0__stamina": 0}, {"profiles[0].stamina": None}),
        ("roster", {"profiles__0__armour": -1}, {"profiles[0].armour": None}),
        ("roster", {"profiles__0__assault": -1}, {"profiles[0].assault": None}),
        ("roster", {"profiles__0__assault": "2"}, {"profiles[0].assault": None}),
        ("roster", {"profiles__0__assault": True}, {"profiles[0].assault": None}),
        ("roster", {"models__0__profile": "lien"}, {"models[0].profile": "line"}),
        ("roster", {"models__0__weapons": ["boltgnu"]}, {"models[0].weapons[0]": "boltgun"}),
        ("roster", {"models__0__wargear": ["vexilla"]}, {"models[0].wargear[0]": "legion_vexilla"}),
        (
            "roster",
            {"models__0__weapons": ["lightning_claw", "lightning_claw"]},
            {"models[0].weapons": "two_lightning_claws"},
        ),
        ("roster", {"models__1": {"id": "m1", "profile": "line"}}, {"models[1].id": None}),
        ("roster", {"profiles__1": ROSTER["profiles"][0]}, {"profiles[1].id": None}),
        (
            "roster",
            {
                "damage_cards": [
                    {"id": "d", "location": "Arm", "armour": 1, "stamina": 1, "destroys_weapon": "asault_cannon"}
                ]
            },
            {"damage_cards[0].destroys_weapon": "assault_cannon"},
        ),
        ("scenario", {"doors__0__edge": [[0, 0], [2, 0]]}, {"doors[0].edge": None}),
        ("scenario", {"doors__0__state": "closed"}, {"doors[0].state": None}),
        ("scenario", {"first_initiative": "XX"}, {"first_initiative": None}),
        ("scenario", {"rounds": 0}, {"rounds": None}),
        ("scenario", {"special_rules__0__effect": {"tp": "x"}}, {"special_rules[0].effect.tp": None}),
        ("scenario", {"special_rules__0__effect": {"dise": 1}}, {"special_rules[0].effect.dise": "dice"}),
        ("scenario", {"special_rules__0__rule_ids": ["CAL-RUN-33"]}, {"special_rules[0].rule_ids[0]": "CAL-RUN-03"}),
        (
            "command_cards",
            {"cards__0__effect": {"suspends": ["CAL-RDY-1"]}},
            {"cards[0].effect.suspends[0]": "CAL-RDY-01"},
        ),
        ("command_cards", {"cards__0__rule_ids": ["RUN-03"]}, {"cards[0].rule_ids[0]": "CAL-RUN-03"}),
        ("command_cards", {"cards__1": CARDS["cards"][0]}, {"cards[1].id": None}),
        ("command_cards", {"cards__0__side": "UN"}, {"cards[0].side": None}),
    ],
    ids=lambda value: str(value)[:50],
)
def test_the_loader_names_what_it_refuses_and_the_nearest_known_id(kind, changes, places):
    assert wrong_with(changed(kind, **changes)) == places


def test_a_hex_too_far_away_is_refused_in_those_words():
    with pytest.raises(BadPacks) as bad:
        taken([("f", line(changed("board", hexes__0__q=501)))])
    assert [(one.found, one.expected) for one in bad.value.errors] == [("501", "a whole number within ±500")]


def test_everything_wrong_with_a_pack_is_listed_at_once():
    roster = changed(
        "roster",
        profiles__0__bulk=4,
        profiles__0__stamina=0,
        models__0__weapons=["boltgnu", 7],
        models__1={"id": "m2", "profile": "lien", "weapons": ["chainsord"]},
        models__2={"id": "m2"},
        damage_cards="none",
    )
    assert wrong_with(roster) == {
        "profiles[0].bulk": None,
        "profiles[0].stamina": None,
        "models[0].weapons[1]": None,
        "models[1].profile": "line",
        "models[1].weapons[0]": "chainsword",
        "models[2].profile": None,
        "models[2].id": None,
        "damage_cards": None,
    }


def test_everything_wrong_in_several_files_is_listed_at_once():
    with pytest.raises(BadPacks) as bad:
        taken(
            [
                ("a", b"{"),
                ("b", b"\xff"),
                ("c", b'{"id":"x"}'),
                ("d", b"[3]"),
                ("e", line(BOARD)),
                ("f", line({**BOARD, "title": "Another"})),
                ("g", line(BOARD).replace(b'"id"', b'"id":"y","id"', 1)),
                ("h", line({**BOARD, "id": "huge", "x": 2**60})),
                ("i", b"[" * 90_000),
            ]
        )
    found = [error.path for error in bad.value.errors]
    assert found == ["a", "b", "c", "d[0]", "f: id", "g: id", "h", "i"]


def test_the_same_pack_twice_is_no_fault():
    assert taken([("a", line(BOARD)), ("b", json.dumps(BOARD, indent=2).encode())]).of_kind("board")


def test_a_pack_is_known_by_the_hash_of_its_canonical_form():
    import hashlib

    kept = taken([("a", json.dumps(BOARD, indent=2).encode())]).of_kind("board")["small"]
    assert kept.used.sha256 == hashlib.sha256(rfc8785.dumps(BOARD)).hexdigest()


def test_defaults_are_those_of_the_catalogue():
    pack = {**BOARD, "edges": [{"a": [1, 0], "b": [0, 0], "feature": "door"}]}
    board = taken([("a", line(pack))]).of_kind("board")["small"].made
    assert board.kinds[(0, 0)] == "open"
    assert board.doors == {((0, 0), (1, 0)): True}
    assert board.sections == {}
    assert board.passable == {(0, 0), (1, 0), (0, 1)} and board.blocked == {(1, 1)} and board.rubble == {(0, 1)}
    assert board.barricades == {((0, 1), 2)}


def header(**changes: Any) -> bytes:
    inline = {
        "board": BOARD,
        "rosters": {"UM": ROSTER, "WB": {**ROSTER, "models": [{"id": "w1", "profile": "line"}]}},
        "scenario": SCENARIO,
        "command_cards": CARDS["cards"],
    }
    return line({**HEADER, **inline, **changes})


def test_inline_packs_are_made_ready():
    setup, wrong, used = setup_of(header(), BUILT_IN)
    assert wrong == [] and used == ()
    assert setup is not None and setup.scenario is not None and setup.cards is not None
    assert set(setup.models) == {"m1", "w1"}
    assert setup.models["m1"].weapons == ("boltgun",) and setup.models["w1"].side == "WB"
    assert setup.doors == {((0, 0), (1, 0)): True}
    effect = setup.scenario.special_rules["r"].effect
    assert effect is not None and (effect.door, effect.round) == ((((0, 0), (1, 0)), "open"), 2)
    assert setup.cards["k"].effect is not None and setup.cards["k"].effect.tp == 1


def test_an_inline_pack_needs_neither_title_nor_source_nor_id():
    bare = {key: value for key, value in BOARD.items() if key not in ("id", "title", "source")}
    setup, wrong, _ = setup_of(header(board=bare, scenario={**SCENARIO, "board": None}), BUILT_IN)
    assert setup is not None and wrong == []


def test_whole_numbers_of_an_inline_pack_may_be_decimals():
    text = header().replace(b'"bulk":1', b'"bulk":1.0').replace(b'"q":1,', b'"q":1.0,')
    setup, wrong, _ = setup_of(text, BUILT_IN)
    assert wrong == [] and setup is not None and setup.models["m1"].bulk == 1


@pytest.mark.parametrize(
    ("changes", "place", "usable"),
    [
        ({"rosters": {"UM": ROSTER, "WB": ROSTER}}, "rosters.WB.models[0].id", False),
        ({"scenario": {**SCENARIO, "board": "smal"}}, "scenario.board", True),
        ({"scenario": changed("scenario", deployments__0__models=["m2"])}, "scenario.deployments[0].models", True),
        ({"scenario": changed("scenario", deployments__0__zone=[[1, 1]])}, "scenario.deployments[0].zone", True),
        ({"scenario": changed("scenario", deployments__0__zone=[[7, 7]])}, "scenario.deployments[0].zone", True),
        ({"scenario": changed("scenario", doors__0__edge=[[0, 0], [0, 1]])}, "scenario.doors", True),
        ({"scenario": "nowhere"}, "scenario", True),
        ({"command_cards": "nothing"}, "command_cards", True),
        ({"command_cards": [{"side": "UM"}]}, "command_cards[0].id", True),
        ({"command_cards": [{"id": "k"}, {"id": "k"}]}, "command_cards[1].id", True),
        ({"board": "ossuary_gate"}, "board", False),
    ],
    ids=lambda value: str(value)[:50],
)
def test_packs_that_do_not_fit_together_are_named(changes, place, usable):
    setup, wrong, _ = setup_of(header(**changes), BUILT_IN)
    assert place in [misfit.path for misfit in wrong]
    assert (setup is not None) == usable


def test_a_board_left_out_is_that_of_the_scenario():
    short = {key: value for key, value in HEADER.items() if key != "board"}
    setup, wrong, used = setup_of(line(short), BUILT_IN)
    assert wrong == [] and setup is not None
    assert setup.board.id == "ossuary-gate" and "ossuary-gate" in {pack.id for pack in used}


def test_a_model_or_profile_named_sor_gharax_has_the_damage_deck():
    roster = changed("roster", profiles__0__name="Sor Gharax")
    setup, _, _ = setup_of(header(rosters={"UM": roster, "WB": "example-wb"}), BUILT_IN)
    assert setup is not None
    assert [m.id for m in setup.models.values() if m.has_damage_deck] == ["m1", "wb-sor-gharax"]


# -- what comes with the program ------------------------------------------------------------------------------------


def test_the_weapon_tables_are_those_of_the_catalogue():
    rows = {
        "assault_cannon": (6, 0, None, "CAL-CRT-06", None),
        "boltgun": (2, 0, None, "CAL-CRT-03", None),
        "bolt_pistol": (2, 1, 3, "CAL-CRT-03", None),
        "combi_bolter": (4, 0, None, "CAL-CRT-03", None),
        "flamer": (4, 0, 3, "CAL-CRT-04", None),
        "heavy_bolter": (6, 0, None, "CAL-CRT-03", None),
        "heavy_flamer": (6, 0, 3, "CAL-CRT-04", None),
        "meltagun": (3, 0, None, "CAL-CRT-05", 3),
        "missile_launcher": (5, 0, None, "CAL-CRT-07", None),
        "multi_melta": (4, 0, None, "CAL-CRT-05", 6),
        "plasma_gun": (3, 0, None, "CAL-CRT-08", None),
        "plasma_pistol": (3, 1, 3, "CAL-CRT-08", None),
        "chainfist": (0, 1, None, "CAL-CRT-12", None),
        "chainsword": (0, 1, None, "CAL-CRT-10", None),
        "contemptor_power_fist": (0, 2, None, "CAL-CRT-09", None),
        "lightning_claw": (0, 1, None, "CAL-CRT-11", None),
        "two_lightning_claws": (0, 3, None, "CAL-CRT-11", None),
        "power_fist": (0, 0, None, "CAL-CRT-09", None),
        "power_sword": (0, 1, None, "CAL-CRT-13", None),
    }
    assert {w.id: (w.shoot, w.assault_bonus, w.range_limit, w.crit, w.crit_range) for w in weapons().values()} == rows
    assert {w.id for w in weapons().values() if w.pistol} == {"bolt_pistol", "plasma_pistol"}
    assert {w.id for w in weapons().values() if not w.ranged} == set(list(rows)[12:])
    assert {w.id: w.rerolls for w in weapons().values() if w.rerolls} == {"lightning_claw": 2, "two_lightning_claws": 4}
    assert set(wargear()) == {"grenade_harness", "legion_vexilla", "damage_deck"}


@pytest.mark.parametrize("kind", list(SCHEMAS))
def test_the_published_schemas_are_those_that_the_loader_uses(kind):
    assert json.loads((DATA / "schemas" / f"{kind}.json").read_text()) == SCHEMAS[kind].schema


@pytest.mark.parametrize("path", sorted((DATA / "packs").glob("*.json")), ids=lambda path: path.stem)
def test_an_example_pack_says_that_it_is_invented(path):
    pack = json.loads(path.read_text())
    assert "nvented" in pack["title"] and "nvented" in pack["source"]
    assert pack["id"] == path.stem
    kind = packs_module.kind_of(pack)
    assert kind is not None and SCHEMAS[kind].misfits(pack) == []


def test_the_example_forces_carry_every_weapon_and_all_wargear():
    rosters = [kept.made for kept in BUILT_IN.of_kind("roster").values()]
    carried = {weapon for roster in rosters for model in roster.models for weapon in model.weapons}
    worn = {gear for roster in rosters for model in roster.models for gear in model.wargear}
    assert carried == set(weapons()) and worn == set(wargear())
    assert all(14 <= len(roster.models) <= 18 for roster in rosters)
    assert {profile.bulk for roster in rosters for profile in roster.profiles} == {1, 2, 3}


@pytest.mark.parametrize(
    ("board", "scenario"), [("ossuary-gate", "gate-skirmish"), ("cistern-nine", "flooded-cistern")]
)
def test_the_example_games_can_be_set_up(board, scenario):
    setup, wrong, used = setup_of(line({**HEADER, "board": board, "scenario": scenario}), BUILT_IN)
    assert wrong == [] and setup is not None and setup.scenario is not None and setup.cards is not None
    assert len(used) == 5
    assert 60 <= len(setup.board.kinds) <= 100
    assert setup.board.blocked and setup.board.rubble and setup.board.obstructions and setup.board.barricades
    # Every hex can be walked to, doors apart, and every side has room in its zone.
    closed = setup.board.obstructions
    reached, waiting = set(), [min(setup.board.passable)]
    while waiting:
        here = waiting.pop()
        if here not in reached:
            reached.add(here)
            around = [(here[0] + dq, here[1] + dr) for dq, dr in DIRECTIONS]
            waiting += [h for h in around if h in setup.board.passable and edge(here, h) not in closed]
    assert reached == setup.board.passable
    for deployment in setup.scenario.deployments or ():
        bulk = sum(model.bulk for model in setup.rosters[deployment.side].models.values())
        assert deployment.zone is not None and bulk <= 2 * len(deployment.zone)


def test_the_second_board_has_doors_that_fall_by_themselves():
    setup, _, _ = setup_of(line({**HEADER, "board": "cistern-nine", "scenario": "flooded-cistern"}), BUILT_IN)
    assert setup is not None and setup.scenario is not None
    effects = [rule.effect for rule in setup.scenario.special_rules.values() if rule.effect and rule.effect.door]
    assert len(setup.board.doors) >= 6 and len(effects) >= 2
    assert all(effect.round and effect.door and effect.door[0] in setup.board.doors for effect in effects)
    assert any(effect.door and effect.door[1] == "sealed" and not setup.doors[effect.door[0]] for effect in effects)


def test_sor_gharax_stands_for_its_damage_deck():
    setup, _, _ = setup_of(line(HEADER), BUILT_IN)
    assert setup is not None
    roster = setup.rosters["WB"]
    arm = next(card for card in roster.damage_cards.values() if card.location == "Heavy Weapon Arm")
    assert len(roster.damage_cards) == 8 and arm.destroys_weapon == "assault_cannon" and roster.removed_at == 4
    (walker,) = [model for model in roster.models.values() if model.has_damage_deck]
    assert "assault_cannon" in walker.weapons


def test_each_side_has_a_deck_with_and_without_machine_readable_effects():
    setup, _, _ = setup_of(line(HEADER), BUILT_IN)
    assert setup is not None and setup.cards is not None
    for side in ("UM", "WB"):
        deck = [card for card in setup.cards.values() if card.side == side]
        assert len(deck) == 8
        assert 0 < sum(card.effect is None for card in deck) < 8


def test_packs_of_files_and_folders_are_added(tmp_path: Path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "board.json").write_bytes(line(BOARD))
    (tmp_path / "in" / "read.me").write_bytes(b"no pack")
    (tmp_path / "roster.json").write_bytes(line([ROSTER]))
    packs = packs_with(read_packs([tmp_path / "in", tmp_path / "roster.json"]))
    record = read(
        log(header={**HEADER, "board": "small", "rosters": {"UM": "few", "WB": "example-wb"}, "scenario": SCENARIO}),
        packs=packs,
    )
    assert record.errors == []
    assert [pack.id for pack in record.packs] == ["example-cards", "example-wb", "few", "small"]
    with pytest.raises(UnreadableLog):
        read(log(header={**HEADER, "board": "small"}))
    with pytest.raises(BadPacks):
        read_packs([tmp_path / "nowhere.json"])


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


@given(st.data())
@settings(max_examples=tries(300))
def test_any_pack_is_taken_or_refused_with_reasons(data):
    kind = data.draw(st.sampled_from(sorted(EXAMPLES)))
    pack = copy.deepcopy(EXAMPLES[kind])
    for _ in range(data.draw(st.integers(1, 3))):
        inner: Any = pack
        while True:
            keys = list(inner) if isinstance(inner, dict) else list(range(len(inner)))
            if not keys:
                break
            key = data.draw(st.sampled_from(keys))
            if isinstance(inner[key], (dict, list)) and data.draw(st.booleans()):
                inner = inner[key]
                continue
            inner[key] = data.draw(JSON)
            break
    try:
        taken([("f", line(pack))])
    except BadPacks as bad:
        assert bad.errors and all(error.expected for error in bad.errors)
    part = {"roster": "rosters"}.get(kind, kind)
    value = (
        {"UM": pack, "WB": "example-wb"} if kind == "roster" else pack.get("cards") if part == "command_cards" else pack
    )
    setup, wrong, _ = setup_of(header(**{part: value}), BUILT_IN)
    assert setup is not None or wrong


def test_what_a_header_comes_to_is_kept_for_the_next_game_unless_it_is_very_long() -> None:
    header = line(HEADER)
    once, again = setup_of(header, BUILT_IN)[0], setup_of(header, BUILT_IN)[0]
    assert once is not None and once is again
    long = line({**HEADER, "board": BOARD}).replace(b'"board":{', b'"board":{' + packs_module.KEPT_PARTS * b" ")
    kept = packs_module._setup.cache_info().currsize
    assert setup_of(long, BUILT_IN)[0] is not None
    assert packs_module._setup.cache_info().currsize == kept
