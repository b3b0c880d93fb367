"""Data packs: boards, rosters, scenarios and Command cards, checked once and made ready for a fast replay.

The summary of the rules has no model profiles, maps, scenarios or card texts, so these come from packs (catalogue
section 4), by id or inline in a log's header. Whatever is wrong with a pack is listed with its place;
nothing is guessed. The weapon and wargear tables (sections 13 and 14) are built in.

No file is read here but those of this package.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from importlib import resources
from types import MappingProxyType
from typing import Any, TypeAlias

import msgspec
from msgspec import UNSET, Raw, UnsetType

from auditor.core.nearest import nearest_id
from auditor.core.record import PackUsed
from auditor.geometry.hexes import edge
from auditor.systems.calth.effects import Critical
from auditor.systems.calth.pack_shapes import (
    FARTHEST,
    SCHEMAS,
    BoardPack,
    CardEntry,
    CardsPack,
    EffectEntry,
    ProfileEntry,
    RosterPack,
    ScenarioPack,
)
from auditor.systems.calth.records import DoorState, Edge, Hex, Side
from auditor.systems.packs import PackFormat, Packs
from auditor.systems.shapes import REFUSALS, Misfit, Shape, parse, shown

SIDES: tuple[Side, Side] = ("UM", "WB")

# -- packs as used ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Weapon:
    """A row of the weapon tables. `rerolls`: how many dice the effect rolls again, where the table says so."""

    id: str
    name: str
    ranged: bool
    shoot: int
    assault_bonus: int
    range_limit: int | None
    crit: Critical
    crit_range: int | None
    rerolls: int = 0

    @property
    def pistol(self) -> bool:
        """Whether it is a ranged weapon that also gives Assault dice."""
        return self.ranged and self.assault_bonus > 0


@dataclass(frozen=True, slots=True)
class Wargear:
    id: str
    name: str
    text: str


@dataclass(frozen=True)
class Board:
    """A board. Edges are pairs of hexes, the lesser first (`geometry.hexes.edge`); every other place is off-board.

    passable    hexes that models may stand in: open and rubble
    doors       each door's edge, and whether it is sealed before the scenario says anything
    barricades  (hex, direction 0 to 5): drawn inside that hex
    names       what is printed on hexes of the board ("C7"), where its pack says so
    """

    id: str
    title: str
    kinds: Mapping[Hex, str]
    passable: frozenset[Hex]
    blocked: frozenset[Hex]
    rubble: frozenset[Hex]
    doors: Mapping[Edge, bool]
    obstructions: frozenset[Edge]
    barricades: frozenset[tuple[Hex, int]]
    sections: Mapping[Hex, str]
    names: Mapping[Hex, str]


@dataclass(frozen=True, slots=True)
class Model:
    """A model with the numbers of its profile."""

    id: str
    side: Side
    profile: str
    name: str
    assault: int
    armour: int
    stamina: int
    bulk: int
    weapons: tuple[str, ...]
    wargear: frozenset[str]
    has_damage_deck: bool


@dataclass(frozen=True, slots=True)
class DamageCard:
    """A location of Sor Gharax."""

    id: str
    location: str
    armour: int
    stamina: int
    effect: str | None
    stays_on_model: bool
    destroys_weapon: str | None


@dataclass(frozen=True)
class Roster:
    """The models of one side. `removed_at`: so many cards on Sor Gharax remove it; None: only the log says."""

    id: str
    title: str
    side: Side
    models: Mapping[str, Model]
    damage_cards: Mapping[str, DamageCard]
    removed_at: int | None


@dataclass(frozen=True, slots=True)
class Effect:
    """The machine-readable effect of a card or special rule."""

    suspends: frozenset[str] = frozenset()
    tp: int | None = None
    dice: int | None = None
    defence_dice: int | None = None
    door: tuple[Edge, DoorState] | None = None
    round: int | None = None
    draw: int | None = None


@dataclass(frozen=True, slots=True)
class SpecialRule:
    """A special rule of a scenario, or a Command card of the deck of `side`. `effect` None: text only."""

    id: str
    name: str
    text: str
    rule_ids: frozenset[str]
    effect: Effect | None
    side: Side | None = None
    timing: str = ""


@dataclass(frozen=True, slots=True)
class Deployment:
    """Where models start. `models` None: all of the side; `zone` None: anywhere that the map rules allow."""

    side: Side
    models: tuple[str, ...] | None
    zone: frozenset[Hex] | None


@dataclass(frozen=True)
class Scenario:
    """A scenario. `deployments` None: it does not say where models start."""

    id: str
    title: str
    board: str | None
    deployments: tuple[Deployment, ...] | None
    first_initiative: Side | None
    doors: Mapping[Edge, DoorState]
    special_rules: Mapping[str, SpecialRule]
    rounds: int | None
    end: str | None


Cards: TypeAlias = Mapping[str, SpecialRule]


@dataclass(frozen=True)
class Setup:
    """What a header's packs say. `scenario` or `cards` None: not known, or unusable.

    `arms` is room for the reckoning to keep what models carry.
    """

    board: Board
    rosters: Mapping[Side, Roster]
    scenario: Scenario | None
    cards: Cards | None
    arms: dict[Any, Any] = field(init=False, repr=False, compare=False, default_factory=dict)

    @cached_property
    def models(self) -> Mapping[str, Model]:
        """Every model of both sides by id."""
        return MappingProxyType({m.id: m for side in SIDES for m in self.rosters[side].models.values()})

    @cached_property
    def doors(self) -> Mapping[Edge, bool]:
        """Each door of the board, and whether it is sealed as the scenario begins."""
        stated = self.scenario.doors if self.scenario else {}
        return MappingProxyType(
            {
                door: (stated[door] == "sealed") if door in stated else sealed
                for door, sealed in self.board.doors.items()
            }
        )


# -- the built-in tables ------------------------------------------------------------------------------------------


def _data(*path: str) -> bytes:
    return resources.files(__package__).joinpath("data", *path).read_bytes()


@cache
def weapons() -> Mapping[str, Weapon]:
    """The weapon tables of catalogue section 13, by id."""
    rows = msgspec.json.decode(_data("weapons.json"))["weapons"]
    return MappingProxyType(
        {
            row["id"]: Weapon(
                id=row["id"],
                name=row["name"],
                ranged=row["class"] == "ranged",
                shoot=row["shoot"],
                assault_bonus=row["assault_bonus"],
                range_limit=row["range_limit"],
                crit=Critical(row["crit"]),
                crit_range=row["crit_range"],
                rerolls=row.get("rerolls", 0),
            )
            for row in rows
        }
    )


@cache
def rule_ids() -> frozenset[str]:
    """The ids of the rules of the catalogue, which cards and special rules may name."""
    return frozenset(msgspec.json.decode(_data("rule_ids.json"), type=list[str]))


@cache
def wargear() -> Mapping[str, Wargear]:
    """The wargear of catalogue section 14, and the mark of the model that the Damage deck stands for."""
    rows = msgspec.json.decode(_data("wargear.json"))["wargear"]
    return MappingProxyType({row["id"]: Wargear(row["id"], row["name"], row["text"]) for row in rows})


@cache
def die_faces() -> str:
    """The sides of a die, a letter each. No verdict hangs on them: the rules do not state them (see data/die.json)."""
    return str(msgspec.json.decode(_data("die.json"))["faces"])


# -- from written to used -----------------------------------------------------------------------------------------


def board_of(pack: BoardPack) -> tuple[Board, list[Misfit]]:
    """The board that a pack describes, and everything that is wrong with it; usable only if nothing is."""
    wrong: list[Misfit] = []
    kinds: dict[Hex, str] = {}
    names: dict[Hex, str] = {}
    for i, hex_ in enumerate(pack.hexes):
        place = (hex_.q, hex_.r)
        if hex_.name is not None:
            if hex_.name in names.values():
                wrong.append(Misfit(f"hexes[{i}].name", f"{shown(hex_.name)} again", "a name for one hex"))
            names[place] = hex_.name
        if place in kinds:
            wrong.append(Misfit(f"hexes[{i}]", f"the hex {list(place)} again", "each hex once"))
        kinds.setdefault(place, hex_.kind)
    doors: dict[Edge, bool] = {}
    obstructions: set[Edge] = set()
    for i, entry in enumerate(pack.edges):
        where = f"edges[{i}]"
        try:
            side = edge(entry.a, entry.b)
        except ValueError:
            wrong.append(Misfit(where, f"{list(entry.a)} and {list(entry.b)}", "two neighbouring hexes"))
            continue
        if entry.a not in kinds and entry.b not in kinds:
            wrong.append(Misfit(where, f"{list(entry.a)} and {list(entry.b)}", "an edge of a hex of this board"))
        if entry.feature == "obstruction":
            obstructions.add(side)
        else:
            sealed = entry.sealed is not False
            if doors.setdefault(side, sealed) != sealed:
                wrong.append(Misfit(f"{where}.sealed", shown(sealed), "what the same door says above"))
    barricades: set[tuple[Hex, int]] = set()
    for i, barricade in enumerate(pack.barricades):
        kind = kinds.get(barricade.hex, "off the board")
        if kind not in ("open", "rubble"):
            found = f"the hex {list(barricade.hex)}, which is {kind}"
            wrong.append(Misfit(f"barricades[{i}].hex", found, "an open or rubble hex"))
        barricades.add((barricade.hex, barricade.dir))
    return Board(
        id=pack.id,
        title=pack.title,
        kinds=MappingProxyType(kinds),
        passable=frozenset(place for place, kind in kinds.items() if kind != "blocked"),
        blocked=frozenset(place for place, kind in kinds.items() if kind == "blocked"),
        rubble=frozenset(place for place, kind in kinds.items() if kind == "rubble"),
        doors=MappingProxyType(doors),
        obstructions=frozenset(obstructions),
        barricades=frozenset(barricades),
        sections=MappingProxyType({(h.q, h.r): h.section for h in pack.hexes if h.section is not None}),
        names=MappingProxyType(names),
    ), wrong


def _unknown(path: str, found: str, what: str, known: Iterable[str]) -> Misfit:
    return Misfit(path, shown(found), what, nearest_id(found, known))


def _is_sor_gharax(name: str) -> bool:
    return "".join(c for c in name.casefold() if c.isalnum()) == "sorgharax"


def roster_of(pack: RosterPack, side: Side) -> tuple[Roster, list[Misfit]]:
    """The roster that a pack describes for one side, and everything that is wrong with it."""
    wrong: list[Misfit] = []
    if pack.side is not None and pack.side != side:
        wrong.append(Misfit("side", shown(pack.side), f"a roster of {side}"))
    models = _models_of(pack, side, _profiles_of(pack, wrong), wrong)
    cards = _damage_cards_of(pack, wrong)
    removed_at = pack.removed_when.cards_on_model if pack.removed_when else None
    return Roster(pack.id, pack.title, side, MappingProxyType(models), MappingProxyType(cards), removed_at), wrong


def _profiles_of(pack: RosterPack, wrong: list[Misfit]) -> dict[str, ProfileEntry]:
    profiles: dict[str, ProfileEntry] = {}
    for i, profile in enumerate(pack.profiles):
        if profile.id in profiles:
            wrong.append(Misfit(f"profiles[{i}].id", f"{shown(profile.id)} again", "each profile once"))
        profiles.setdefault(profile.id, profile)
    return profiles


def _models_of(
    pack: RosterPack, side: Side, profiles: Mapping[str, ProfileEntry], wrong: list[Misfit]
) -> dict[str, Model]:
    models: dict[str, Model] = {}
    seen: set[str] = set()
    for i, entry in enumerate(pack.models):
        where = f"models[{i}]"
        if entry.id in seen:
            wrong.append(Misfit(f"{where}.id", f"{shown(entry.id)} again", "each model id once in a game"))
        for j, weapon in enumerate(entry.weapons):
            if weapon not in weapons():
                wrong.append(_unknown(f"{where}.weapons[{j}]", weapon, "the id of a weapon", weapons()))
        seen.add(entry.id)
        if entry.weapons.count("lightning_claw") > 1:
            wrong.append(
                Misfit(f"{where}.weapons", "two single claws", "one entry for the pair", "two_lightning_claws")
            )
        for j, gear in enumerate(entry.wargear):
            if gear not in wargear():
                wrong.append(_unknown(f"{where}.wargear[{j}]", gear, "the id of a piece of wargear", wargear()))
        found = profiles.get(entry.profile)
        if found is None:
            wrong.append(_unknown(f"{where}.profile", entry.profile, "a profile of this roster", profiles))
            continue
        models.setdefault(
            entry.id,
            Model(
                id=entry.id,
                side=side,
                profile=found.id,
                name=found.name or found.id,
                assault=found.assault,
                armour=found.armour,
                stamina=found.stamina,
                bulk=found.bulk,
                weapons=tuple(entry.weapons),
                wargear=frozenset(entry.wargear),
                has_damage_deck="damage_deck" in entry.wargear
                or any(map(_is_sor_gharax, (entry.id, found.id, found.name or ""))),
            ),
        )
    return models


def _damage_cards_of(pack: RosterPack, wrong: list[Misfit]) -> dict[str, DamageCard]:
    cards: dict[str, DamageCard] = {}
    for i, card in enumerate(pack.damage_cards or ()):
        where = f"damage_cards[{i}]"
        if card.id in cards:
            wrong.append(Misfit(f"{where}.id", f"{shown(card.id)} again", "each card once"))
        if card.destroys_weapon is not None and card.destroys_weapon not in weapons():
            wrong.append(_unknown(f"{where}.destroys_weapon", card.destroys_weapon, "the id of a weapon", weapons()))
        cards.setdefault(
            card.id,
            DamageCard(
                card.id,
                card.location,
                card.armour,
                card.stamina,
                card.effect,
                card.stays_on_model,
                card.destroys_weapon,
            ),
        )
    return cards


def _rules_named(ids: Iterable[str], path: str, wrong: list[Misfit]) -> frozenset[str]:
    """The rules that a card or special rule names; there are no others."""
    named = list(ids)
    for i, rule_id in enumerate(named):
        if rule_id not in rule_ids():
            wrong.append(_unknown(f"{path}[{i}]", rule_id, "the id of a rule", rule_ids()))
    return frozenset(named)


def _effect_of(entry: EffectEntry | None, path: str, wrong: list[Misfit]) -> Effect | None:
    if entry is None:
        return None
    suspends = _rules_named(entry.suspends or (), f"{path}.suspends", wrong)
    door: tuple[Edge, DoorState] | None = None
    round_ = entry.round
    if entry.door is not None:
        side = _edge_of(entry.door.edge, f"{path}.door.edge", wrong)
        if side is not None:
            door = (side, entry.door.state)
        round_ = round_ if round_ is not None else entry.door.round
    return Effect(suspends, entry.tp, entry.dice, entry.defence_dice, door, round_, entry.draw)


def _edge_of(ends: tuple[Hex, Hex], path: str, wrong: list[Misfit]) -> Edge | None:
    try:
        return edge(*ends)
    except ValueError:
        wrong.append(Misfit(path, f"{list(ends[0])} and {list(ends[1])}", "two neighbouring hexes"))
        return None


def scenario_of(pack: ScenarioPack) -> tuple[Scenario, list[Misfit]]:
    """The scenario that a pack describes, and everything that is wrong with it by itself."""
    wrong: list[Misfit] = []
    doors: dict[Edge, DoorState] = {}
    for i, door in enumerate(pack.doors or ()):
        side = _edge_of(door.edge, f"doors[{i}].edge", wrong)
        if side is not None and doors.setdefault(side, door.state) != door.state:
            wrong.append(Misfit(f"doors[{i}].state", shown(door.state), "what the same door says above"))
    rules: dict[str, SpecialRule] = {}
    for i, rule in enumerate(pack.special_rules):
        where = f"special_rules[{i}]"
        if rule.id in rules:
            wrong.append(Misfit(f"{where}.id", f"{shown(rule.id)} again", "each special rule once"))
        effect = _effect_of(rule.effect, f"{where}.effect", wrong)
        named = _rules_named(rule.rule_ids, f"{where}.rule_ids", wrong)
        rules.setdefault(rule.id, SpecialRule(rule.id, rule.name, rule.text, named, effect))
    deployments = None
    if pack.deployments is not None:
        deployments = tuple(
            Deployment(
                d.side,
                None if isinstance(d.models, str) else tuple(d.models),
                None if d.zone is None else frozenset(d.zone),
            )
            for d in pack.deployments
        )
    return Scenario(
        pack.id,
        pack.title,
        pack.board,
        deployments,
        pack.first_initiative,
        MappingProxyType(doors),
        MappingProxyType(rules),
        pack.rounds,
        pack.end,
    ), wrong


def cards_of(entries: Iterable[CardEntry]) -> tuple[Cards, list[Misfit]]:
    """Command cards by id, and everything that is wrong with them."""
    wrong: list[Misfit] = []
    cards: dict[str, SpecialRule] = {}
    for i, card in enumerate(entries):
        if card.id in cards:
            wrong.append(Misfit(f"cards[{i}].id", f"{shown(card.id)} again", "each card once"))
        effect = _effect_of(card.effect, f"cards[{i}].effect", wrong)
        named = _rules_named(card.rule_ids, f"cards[{i}].rule_ids", wrong)
        cards.setdefault(
            card.id,
            SpecialRule(card.id, card.name, card.text, named, effect, card.side, card.timing),
        )
    return MappingProxyType(cards), wrong


def fits_together(
    board: Board, rosters: Mapping[Side, Roster], scenario: Scenario | None
) -> Iterator[tuple[bool, Misfit]]:
    """What is wrong between packs that are each right: (whether the rosters are at fault, the misfit)."""
    for i, model in enumerate(rosters["WB"].models):
        if model in rosters["UM"].models:
            yield True, Misfit(f"rosters.WB.models[{i}].id", f"{shown(model)} again", "each model id once in a game")
    if scenario is None:
        return
    if scenario.board not in (None, "", board.id):
        expected = f"the board of the game, {shown(board.id)}"
        yield False, Misfit("scenario.board", shown(scenario.board), expected, board.id)
        return
    for door in scenario.doors:
        if door not in board.doors:
            yield False, Misfit("scenario.doors", f"{list(map(list, door))}", "an edge of the board that has a door")
    for rule in scenario.special_rules.values():
        if rule.effect and rule.effect.door and rule.effect.door[0] not in board.doors:
            found = f"{shown(rule.id)} on {list(map(list, rule.effect.door[0]))}"
            yield False, Misfit("scenario.special_rules", found, "an edge of the board that has a door")
    for i, deployment in enumerate(scenario.deployments or ()):
        known = rosters[deployment.side].models
        for model in deployment.models or ():
            if model not in known:
                yield (
                    False,
                    _unknown(
                        f"scenario.deployments[{i}].models", model, f"a model of the roster of {deployment.side}", known
                    ),
                )
        for hex_ in sorted((deployment.zone or frozenset()) - board.passable):
            kind = board.kinds.get(hex_, "off the board")
            yield (
                False,
                Misfit(f"scenario.deployments[{i}].zone", f"{list(hex_)}, which is {kind}", "open or rubble hexes"),
            )


def kind_of(value: Mapping[str, Any]) -> str | None:
    """The kind of a pack, told from what it holds."""
    for key, kind in (("hexes", "board"), ("models", "roster"), ("profiles", "roster"), ("cards", "command_cards")):
        if key in value:
            return kind
    return "scenario" if {"board", "deployments", "special_rules", "first_initiative"} & value.keys() else None


def _made(kind: str, written: Any, side: Side) -> tuple[Any, list[Misfit]]:
    """A pack made ready from what was written, and everything that its shape could not say."""
    if kind == "board":
        return board_of(written)
    if kind == "roster":
        return roster_of(written, side)
    if kind == "scenario":
        return scenario_of(written)
    return cards_of(written.cards)


_STAND_INS: Mapping[str, Mapping[str, Any]] = {
    "hexes": {"q": FARTHEST, "r": FARTHEST},
    "edges": {"a": [0, 0], "b": [1, 0], "feature": "obstruction"},
    "barricades": {"hex": [0, 0], "dir": 0},
    "profiles": {"id": "?", "assault": 0, "armour": 0, "stamina": 1, "bulk": 1},
    "models": {"id": "?", "profile": "?"},
    "damage_cards": {"id": "?", "location": "", "armour": 0, "stamina": 1},
    "deployments": {"side": "UM"},
    "doors": {"edge": [[0, 0], [1, 0]], "state": "open"},
    "special_rules": {"id": "?"},
    "cards": {"id": "?"},
}
_ENTRY = re.compile(r"(\w+)\[(\d+)\](?:\.(\w+))?")


def _everything_wrong(kind: str, value: Any, side: Side) -> list[Misfit]:
    """What is wrong with a pack, both with its shape and with what it says.

    A misfit would hide what is wrong elsewhere, so each place that does not fit is filled with something harmless, and
    what is then said of that place is dropped.
    """
    wrong = SCHEMAS[kind].misfits(value)
    if not wrong or not isinstance(value, dict):
        return wrong
    bad: dict[str, dict[int, set[str | None]]] = {}
    tops: set[str] = set()
    for misfit in wrong:
        entry = _ENTRY.match(misfit.path)
        if entry:
            bad.setdefault(entry[1], {}).setdefault(int(entry[2]), set()).add(entry[3])
        else:
            tops.add(misfit.path.split(".")[0])
    filled = {key: item for key, item in value.items() if key not in tops}
    for key, entries in bad.items():
        stand_in = _STAND_INS.get(key, {})
        items = list(filled.get(key, ()))
        for i, fields in entries.items():
            kept = items[i] if isinstance(items[i], dict) and None not in fields else {}
            items[i] = {**stand_in, **{name: item for name, item in kept.items() if name not in fields}}
        filled[key] = items
    needed = {"board": ("hexes",), "roster": ("profiles", "models"), "command_cards": ("cards",)}.get(kind, ())
    filled = {**{key: [_STAND_INS[key]] for key in needed}, **filled}
    try:
        _, more = _made(kind, SCHEMAS[kind].of(filled), side)
    except REFUSALS:
        return wrong
    unsure = {
        name
        for name, key_fields in (("hexes", {"q", "r"}), ("profiles", {"id"}))
        if name in tops or any(None in fields or fields & key_fields for fields in bad.get(name, {}).values())
    }
    for misfit in more:
        entry = _ENTRY.match(misfit.path)
        if entry is not None:
            name, number, part = entry[1], int(entry[2]), entry[3]
            filled_in = bad.get(name, {}).get(number, set())
            if filled_in and (part is None or part in filled_in or None in filled_in):
                continue
            if name in ("edges", "barricades") and "hexes" in unsure:
                continue
            if part == "profile" and "profiles" in unsure:
                continue
        wrong.append(misfit)
    return wrong


# -- files -----------------------------------------------------------------------------------------------------


def checked(kind: str, value: Mapping[str, Any]) -> tuple[Any, list[Misfit]]:
    """A pack of a file made ready, and everything that is wrong with it.

    A roster is kept as written, since a header says whose it is.
    """
    side: Side = "WB" if value.get("side") == "WB" else "UM"
    try:
        written = SCHEMAS[kind].of(value)
    except REFUSALS as error:
        return None, _everything_wrong(kind, value, side) or [Misfit("", shown(value)[:80], str(error))]
    pack, wrong = _made(kind, written, side)
    return (written if kind == "roster" else pack), wrong


def example_files() -> Iterator[tuple[str, bytes]]:
    """The example packs that come with the program. Every one of them is invented."""
    folder = resources.files(__package__).joinpath("data", "packs")
    for name in sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".json")):
        yield name, _data("packs", name)


_WORDS = {
    "board": "a board",
    "roster": "a roster",
    "scenario": "a scenario",
    "command_cards": "a deck of Command cards",
}

PACKS = PackFormat(
    kinds=SCHEMAS,
    words=_WORDS,
    told_by="a board has hexes, a roster models, a deck cards, a scenario a board",
    kind_of=kind_of,
    check=checked,
    built_in=example_files,
)


# -- headers ------------------------------------------------------------------------------------------------------


class _HeaderPacks(msgspec.Struct, gc=False):
    """The part of a header that names packs, not yet read."""

    board: Raw | UnsetType = UNSET
    rosters: Raw | UnsetType = UNSET
    scenario: Raw | UnsetType = UNSET
    command_cards: Raw | UnsetType = UNSET
    players: Any = None


class _RostersRaw(msgspec.Struct, gc=False):
    UM: Raw | UnsetType = UNSET
    WB: Raw | UnsetType = UNSET


_header_packs = msgspec.json.Decoder(_HeaderPacks)
_rosters_raw = msgspec.json.Decoder(_RostersRaw)
_INLINE_CARDS: Shape[list[CardEntry]] = Shape(list[CardEntry])


@lru_cache(maxsize=64)
def _inline(kind: str, raw: bytes, side: Side) -> tuple[Any, tuple[Misfit, ...]]:
    """An inline pack made ready; None where it is unusable. The same bytes are checked once."""
    in_list = kind == "command_cards"
    try:
        written = CardsPack(cards=_INLINE_CARDS.read(raw)) if in_list else SCHEMAS[kind].read(raw)
    except REFUSALS as error:
        try:
            value = parse(raw.decode())
            value = {"cards": value} if in_list else value
            wrong = _everything_wrong(kind, value, side)
            if wrong:
                return None, tuple(_without_cards(wrong) if in_list else wrong)
            written = SCHEMAS[kind].of(value)
        except (*REFUSALS, ValueError):
            return None, (Misfit("", shown(raw.decode("utf-8", "replace"))[:80], str(error)),)
    pack, found = _made(kind, written, side)
    return (None if found else pack), tuple(_without_cards(found) if in_list else found)


def _without_cards(misfits: Iterable[Misfit]) -> list[Misfit]:
    """The same places in the list of cards itself."""
    return [Misfit(m.path.removeprefix("cards"), m.found, m.expected, m.nearest) for m in misfits]


def setup_of(header: bytes, packs: Packs) -> tuple[Setup | None, list[Misfit], tuple[PackUsed, ...]]:
    """What the packs of a header's line say, everything that is wrong with them, and the packs that it names by id.

    None where board or rosters are unusable: no log can be replayed without them.
    """
    named = _header_packs.decode(header)
    parts = [_written(part) for part in (named.board, named.rosters, named.scenario, named.command_cards)]
    # What is far longer than a pack of a played game is not kept: a hostile header would stay in memory.
    made = _setup if sum(len(part or b"") for part in parts) <= KEPT_PARTS else _setup.__wrapped__
    setup, wrong, used = made(packs, *parts)
    return setup, [*players_named_again(named.players), *wrong], used


def players_named_again(players: Any) -> Iterator[Misfit]:
    """Entries of players under an id that an entry before them has."""
    seen: list[Any] = []
    for i, one in enumerate(players if isinstance(players, list) else ()):
        name = one.get("id") if isinstance(one, dict) else None
        if name is not None and name in seen:
            yield Misfit(f"players[{i}].id", f"{shown(name)} again", "another id for each player")
        seen.append(name)


def _written(part: Raw | UnsetType) -> bytes | None:
    return None if isinstance(part, UnsetType) else bytes(part)


KEPT_PARTS = 100_000
"""Bytes of a header's packs, as written there, up to which what they come to is kept for the next game."""


@lru_cache(maxsize=16)
def _setup(
    packs: Packs,
    board_named: bytes | None,
    rosters_named: bytes | None,
    scenario_named: bytes | None,
    cards_named: bytes | None,
) -> tuple[Setup | None, tuple[Misfit, ...], tuple[PackUsed, ...]]:
    """The same of the parts of a header as written, None where one is not there. The games of a tournament share it."""
    wrong: list[Misfit] = []
    used: dict[str, PackUsed] = {}

    def take(data: bytes | None, kind: str, path: str, side: Side = "UM") -> Any:
        if data is None:
            return None
        if data.startswith(b'"'):
            pack_id = parse(data.decode())
            kept = packs.find(kind, pack_id)
            if kept is None:
                known = packs.of_kind(kind)
                wrong.append(_unknown(path, pack_id, f"the id of {_WORDS[kind]} known here, or one in full", known))
                return None
            used[f"{kind} {pack_id}"] = kept.used
            if kind != "roster":
                return kept.made
            pack, misfits = roster_of(kept.made, side)
            wrong.extend(_below(path, misfits))
            return None if misfits else pack
        pack, found = _inline(kind, data, side)
        wrong.extend(_below(path, found))
        return pack

    scenario = take(scenario_named, "scenario", "scenario")
    board = take(board_named, "board", "board")
    if board_named is None and scenario is not None and scenario.board is not None:
        its_own = packs.find("board", scenario.board)
        if its_own is not None:
            board = its_own.made
            used[f"board {scenario.board}"] = its_own.used
    rosters: dict[Side, Roster] = {}
    if rosters_named is not None and rosters_named.startswith(b"{"):
        of = _rosters_raw.decode(rosters_named)
        for side, raw in (("UM", of.UM), ("WB", of.WB)):
            roster = take(_written(raw), "roster", f"rosters.{side}", side)  # type: ignore[arg-type]
            if roster is not None:
                rosters[side] = roster  # type: ignore[index]
    elif rosters_named is not None:
        wrong.append(Misfit("rosters", shown(parse(rosters_named.decode())), 'an object {"UM": …, "WB": …}'))
    cards = None
    if cards_named is not None and cards_named != b"null":
        cards = take(cards_named, "command_cards", "command_cards")
    together = True
    if board is not None and len(rosters) == 2:
        for fatal, misfit in fits_together(board, rosters, scenario):
            wrong.append(misfit)
            together = together and not fatal
    usable = board is not None and len(rosters) == 2 and together
    named_by_id = tuple(sorted(used.values(), key=lambda one: (one.id, one.sha256)))
    return (Setup(board, rosters, scenario, cards) if usable else None), tuple(wrong), named_by_id


def _below(path: str, misfits: Iterable[Misfit]) -> Iterator[Misfit]:
    """The misfits of an inline pack with their place in the header."""
    for m in misfits:
        where = path + (m.path if not m.path or m.path.startswith("[") else f".{m.path}")
        yield Misfit(where, m.found, m.expected, m.nearest)
