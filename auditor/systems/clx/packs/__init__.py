"""Data packs of Calixtus' Edition, checked once and made ready for a fast replay.

The text of changes has no profiles, weapons, powers or tables, and leans on a base game: all of these come from packs
(catalogue sections 4 and 7), by id or in full in a log's header. Whatever is wrong with a pack is listed with its
place; nothing is guessed. No file is read here but those of this package.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property
from importlib import resources
from types import MappingProxyType
from typing import Any

import msgspec

from auditor.core.nearest import nearest_id
from auditor.core.record import PackUsed
from auditor.geometry.inches.shapes import Circle, Point, Polygon, polygon
from auditor.geometry.inches.sight import Blocker, Ground
from auditor.systems.clx.packs import table
from auditor.systems.clx.packs.shapes import (
    HEADER,
    SCHEMAS,
    Header,
    Hull,
    ModelEntry,
    PowerEntry,
    Profile,
    Psyker,
    Round,
    TerrainEntry,
    UnitEntry,
    Vehicle,
    WeaponEntry,
)
from auditor.systems.clx.written import exact, exact_or_none
from auditor.systems.packs import PackFormat, Packs, Table
from auditor.systems.shapes import REFUSALS, Misfit, parse, shown

KINDS = tuple(SCHEMAS)
MOST_MODELS, MOST_CORNERS_IN_ALL = 400, 1_000
"""Models that play, and corners of all the terrain of a table: real games have less than half of it."""

UNIT_RULES = (
    "acute_senses",
    "adamantium_will",
    "counterattack",
    "fear",
    "fearless",
    "fleet",
    "frenzy",
    "hostile_environment_shielding",
    "infiltrators",
    "outflank",
    "prone_position",
    "relentless",
    "surprise_assault",
)
"""The special rules that a unit may have, beside `hatred:` and `preferred_enemy:` with a unit or a faction. A rule of
the base game that the text of changes does not touch is written `base:name`, so that a slip of the pen is noticed."""
PREFIXES = ("hatred:", "preferred_enemy:", "base:")


# -- packs as used ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Model:
    """A model of a unit. `base`: a round base at (0, 0), or a hull with its front towards +x."""

    id: str
    unit: str
    profile: Profile
    movement: Fraction | None
    base: Circle | Polygon
    height: Fraction | None
    weapons: tuple[str, ...]
    armour_class: str
    psyker: Psyker | None
    character: bool
    wargear: frozenset[str]
    wounds: int | None


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit with its models, in the order of the pack. `player`: whose it is."""

    id: str
    player: str
    name: str
    faction: str | None
    type: str
    vehicle: Vehicle | None
    models: tuple[Model, ...]
    rules: frozenset[str]
    weapons_per_model: int

    def hates(self, enemy: Unit) -> bool:
        """Whether it has Hatred of another unit."""
        return bool(self.rules & {f"hatred:{enemy.id}", f"hatred:{enemy.faction}"})

    def prefers(self, enemy: Unit | None) -> bool:
        """Whether it has Preferred Enemy against another unit."""
        return enemy is not None and bool(
            self.rules & {f"preferred_enemy:{enemy.id}", f"preferred_enemy:{enemy.faction}"}
        )


@dataclass(frozen=True, slots=True)
class Weapon:
    id: str
    name: str
    type: str
    range: Fraction | None
    guess: bool
    strength: int | str | None
    ap: int | None
    shots: int | tuple[int, int] | None
    rules: frozenset[str]


@dataclass(frozen=True, slots=True)
class Terrain:
    id: str
    name: str
    area: Polygon
    difficult: bool
    dangerous: bool
    impassable: bool
    cover: int
    blocks_los: bool
    los_height: Fraction | None
    surface: Fraction


@dataclass(frozen=True)
class BaseRules:
    """What a tournament says of the base game: hook -> value; None where nobody has said."""

    values: Mapping[str, Any]
    stated: frozenset[str]

    def __getitem__(self, hook: str) -> Any:
        return self.values[hook]


@dataclass(frozen=True)
class Setup:
    """What a header's packs say. `players`: the ids of both, in the order of the header; `called`: their names."""

    players: tuple[str, str]
    width: Fraction
    depth: Fraction
    units: Mapping[str, Unit]
    models: Mapping[str, Model]
    weapons: Mapping[str, Weapon]
    powers: Mapping[str, PowerEntry]
    terrain: Mapping[str, Terrain]
    base: BaseRules
    ground: Ground
    precision: Fraction | None = None
    called: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    def player(self, player: str | None) -> str:
        """The name of a player; the id where the header has none."""
        return self.called.get(player or "") or player or "nobody"

    @cached_property
    def corners(self) -> int:
        """The corners of all pieces of terrain."""
        return sum(len(piece.area.corners) for piece in self.terrain.values())

    @cached_property
    def flyers(self) -> frozenset[str]:
        """The models that fly."""
        flying = [unit for unit in self.units.values() if unit.vehicle is not None and unit.vehicle.flyer]
        return frozenset(model.id for unit in flying for model in unit.models)

    def opponent(self, player: str) -> str:
        return self.players[1] if player == self.players[0] else self.players[0]

    def named(self, weapon: str | None) -> str:
        """The name of a weapon; its id where no pack knows it."""
        known = self.weapons.get(weapon or "")
        return known.name if known is not None else weapon or "a weapon"

    def arms_are_known(self, model: Model) -> bool:
        """Whether the packs tell of every weapon that a model has."""
        return all(name in self.weapons for name in model.weapons)


# -- the hooks of the base game -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Hook:
    """A place where the text leans on the base game. `default` None: without a value, what hangs on it is unchecked."""

    id: str
    default: Any
    kind: str
    choices: tuple[str, ...]
    about: str


@cache
def hooks() -> Mapping[str, Hook]:
    """The hooks of catalogue section 7 by id."""
    rows = msgspec.json.decode(_data("base_hooks.json"))["hooks"]
    made = (Hook(r["id"], r["default"], r["kind"], tuple(r.get("choices", ())), r["about"]) for r in rows)
    return MappingProxyType({hook.id: hook for hook in made})


def _data(*path: str) -> bytes:
    return resources.files("auditor.systems.clx").joinpath("data", *path).read_bytes()


_DICE = re.compile(r"[1-9]?D[36](\+\d{1,2})?")


def base_rules_of(values: Mapping[str, Any]) -> tuple[BaseRules, list[Misfit]]:
    """What is said of the base game, and everything that is wrong with it. null: expressly not known."""
    wrong: list[Misfit] = []
    known = {hook.id: hook.default for hook in hooks().values()}
    for name, value in values.items():
        hook = hooks().get(name)
        if hook is None:
            wrong.append(_unknown(name, name, "the id of a base rule", hooks()))
            continue
        expected = None if value is None else _hook_misfit(hook, value)
        if expected is not None:
            wrong.append(Misfit(name, shown(value), expected))
        known[name] = value
    return BaseRules(MappingProxyType(known), frozenset(values)), wrong


def _hook_misfit(hook: Hook, value: Any) -> str | None:
    """What a value of a hook should have been, if it is not that."""
    if hook.kind == "choice":
        return None if value in hook.choices else "one of " + ", ".join(f'"{c}"' for c in hook.choices)
    if hook.kind == "number":
        return None if type(value) is int and 0 <= value <= 12 else "a whole number, 0 to 12"
    if hook.kind == "dice":
        return None if isinstance(value, str) and _DICE.fullmatch(value) else 'dice, such as "2D6"'
    if hook.kind == "length":
        return None if type(value) in (int, float, str) and exact_or_none(value) is not None else "a length in inches"
    if hook.kind.startswith("map"):
        good = isinstance(value, Mapping) and all(
            type(v) in (int, float, str) and exact_or_none(v) is not None for v in value.values()
        )
        return None if good else "an object: a length in inches for each unit type"
    return None if isinstance(value, str) and len(value) <= 2_000 else "a text"


# -- from written to used -----------------------------------------------------------------------------------------


def _unknown(path: str, found: str, what: str, known: Iterable[str]) -> Misfit:
    return Misfit(path, shown(found), what, nearest_id(found, known))


def _twice(path: str, found: str, seen: set[str], wrong: list[Misfit]) -> bool:
    """Whether an id stands again, which is put on the list."""
    if found in seen:
        wrong.append(Misfit(path, f"{shown(found)} again", "each id once"))
        return True
    seen.add(found)
    return False


def _number(path: str, written: int | float | str | None, wrong: list[Misfit], *, least: int = 0) -> Fraction | None:
    """A length of a pack; what is none, or is less than `least`, is put on the list."""
    if written is None:
        return None
    number = exact_or_none(written)
    if number is None or number < least:
        wrong.append(Misfit(path, shown(written), 'a length in inches, such as 6, 5.25 or "7 1/2"'))
        return None
    return number


def _polygon(path: str, corners: Sequence[tuple[Any, Any]], wrong: list[Misfit]) -> Polygon | None:
    points: list[Point] = []
    for i, (x, y) in enumerate(corners):
        for axis, value in (("0", x), ("1", y)):
            if exact_or_none(value) is None:
                wrong.append(Misfit(f"{path}[{i}][{axis}]", shown(value), "a number of inches"))
        if exact_or_none(x) is not None and exact_or_none(y) is not None:
            points.append(Point(exact(x), exact(y)))
    if len(points) < len(corners):
        return None
    try:
        return polygon(points)
    except ValueError as error:
        wrong.append(Misfit(path, str(error), "a simple polygon"))
        return None


def _base(path: str, written: Round | Hull, wrong: list[Misfit]) -> Circle | Polygon | None:
    if isinstance(written, Round):
        radius = _number(f"{path}.r", written.r, wrong)
        if radius is not None and radius == 0:
            wrong.append(Misfit(f"{path}.r", shown(written.r), "a radius of more than 0 inches"))
            return None
        return None if radius is None else Circle(Point(Fraction(0), Fraction(0)), radius)
    hull = _polygon(f"{path}.pts", written.pts, wrong)
    if hull is not None and not hull.convex:
        wrong.append(Misfit(f"{path}.pts", "a hull that points inwards", "a convex hull"))
        return None
    return hull


def units_of(entries: Sequence[UnitEntry]) -> tuple[Mapping[str, Unit], list[Misfit]]:
    """Units by id, of no player yet, and everything that is wrong with them by themselves."""
    wrong: list[Misfit] = []
    units: dict[str, Unit] = {}
    seen: set[str] = set()
    seen_models: set[str] = set()
    for i, entry in enumerate(entries):
        path = f"units[{i}]"
        _twice(f"{path}.id", entry.id, seen, wrong)
        if entry.vehicle is None and entry.type == "vehicle":
            wrong.append(Misfit(f"{path}.vehicle", "nothing", "the armour and kind of the vehicle"))
        if entry.vehicle is not None and entry.type not in ("vehicle", "walker"):
            wrong.append(Misfit(f"{path}.vehicle", "an object", f"null for a unit of type {entry.type}"))
        for j, name in enumerate(entry.rules):
            if name not in UNIT_RULES and not (name.startswith(PREFIXES) and name.split(":", 1)[1]):
                wrong.append(_unknown(f"{path}.rules[{j}]", name, "a special rule", [*UNIT_RULES, *PREFIXES]))
        models = [
            model
            for j, written in enumerate(entry.models)
            if (model := _model(f"{path}.models[{j}]", entry, written, seen_models, wrong)) is not None
        ]
        units.setdefault(
            entry.id,
            Unit(
                id=entry.id,
                player="",
                name=entry.name or entry.id,
                faction=entry.faction,
                type=entry.type,
                vehicle=entry.vehicle,
                models=tuple(models),
                rules=frozenset(entry.rules),
                weapons_per_model=entry.weapons_per_model,
            ),
        )
    return MappingProxyType(units), wrong


def _model(path: str, unit: UnitEntry, written: ModelEntry, seen: set[str], wrong: list[Misfit]) -> Model | None:
    again = _twice(f"{path}.id", written.id, seen, wrong)
    base = _base(f"{path}.base", written.base, wrong)
    movement = _number(f"{path}.profile.M", written.profile.M, wrong)
    height = _number(f"{path}.height", written.height, wrong)
    if again or base is None:
        return None
    return Model(
        id=written.id,
        unit=unit.id,
        profile=written.profile,
        movement=movement,
        base=base,
        height=height,
        weapons=tuple(written.weapons),
        armour_class=written.armour_class,
        psyker=written.psyker,
        character=written.character,
        wargear=frozenset(written.wargear),
        wounds=unit.vehicle.W if unit.vehicle is not None else written.profile.W,
    )


def weapons_of(entries: Sequence[WeaponEntry]) -> tuple[Mapping[str, Weapon], list[Misfit]]:
    """Weapons by id, and everything that is wrong with them."""
    wrong: list[Misfit] = []
    weapons: dict[str, Weapon] = {}
    seen: set[str] = set()
    for i, entry in enumerate(entries):
        path = f"weapons[{i}]"
        _twice(f"{path}.id", entry.id, seen, wrong)
        reach = _number(f"{path}.range", entry.range, wrong)
        shots: int | tuple[int, int] | None = None
        if isinstance(entry.shots, int) or entry.shots is None:
            shots = entry.shots
            if entry.type == "salvo" and shots is not None:
                wrong.append(Misfit(f"{path}.shots", shown(shots), 'both numbers of a salvo: {"low": …, "high": …}'))
        else:
            shots = (entry.shots.low, entry.shots.high)
            if entry.type != "salvo" or entry.shots.low > entry.shots.high:
                wrong.append(
                    Misfit(f"{path}.shots", f"low {shots[0]}, high {shots[1]}", "two numbers of a salvo, low first")
                )
        weapons.setdefault(
            entry.id,
            Weapon(
                entry.id,
                entry.name or entry.id.replace("_", " "),
                entry.type,
                reach,
                entry.guess,
                entry.S,
                entry.AP,
                shots,
                frozenset(entry.rules),
            ),
        )
    return MappingProxyType(weapons), wrong


def powers_of(entries: Sequence[PowerEntry]) -> tuple[Mapping[str, PowerEntry], list[Misfit]]:
    """Powers by id, and everything that is wrong with them."""
    wrong: list[Misfit] = []
    powers: dict[str, PowerEntry] = {}
    primaris: dict[str, str] = {}
    seen: set[str] = set()
    for i, entry in enumerate(entries):
        _twice(f"powers[{i}].id", entry.id, seen, wrong)
        if entry.primaris and primaris.setdefault(entry.discipline, entry.id) != entry.id:
            found = f"a second primaris power of {shown(entry.discipline)}"
            wrong.append(Misfit(f"powers[{i}].primaris", found, "one for each discipline"))
        powers.setdefault(entry.id, entry)
    return MappingProxyType(powers), wrong


_COVER = {"none": 0, "soft": 1, "hard": 2}


def terrain_of(entries: Sequence[TerrainEntry]) -> tuple[Mapping[str, Terrain], list[Misfit]]:
    """Pieces of terrain by id, and everything that is wrong with them."""
    wrong: list[Misfit] = []
    terrain: dict[str, Terrain] = {}
    seen: set[str] = set()
    for i, entry in enumerate(entries):
        path = f"terrain[{i}]"
        again = _twice(f"{path}.id", entry.id, seen, wrong)
        area = _polygon(f"{path}.poly", entry.poly, wrong)
        height = _number(f"{path}.los_height", entry.los_height, wrong)
        surface = _number(f"{path}.surface_z", entry.surface_z, wrong)
        if area is not None and surface is not None and not again:
            terrain[entry.id] = Terrain(
                entry.id,
                entry.name or entry.id,
                area,
                entry.difficult,
                entry.dangerous,
                entry.impassable,
                _COVER[entry.cover],
                entry.blocks_los,
                height,
                surface,
            )
    return MappingProxyType(terrain), wrong


# -- files --------------------------------------------------------------------------------------------------------


CHECKED: Mapping[str, Callable[[Any], tuple[Any, list[Misfit]]]] = {
    "units": units_of,
    "weapons": weapons_of,
    "powers": powers_of,
    "terrain": terrain_of,
    "base_rules": base_rules_of,
}


def kind_of(value: Mapping[str, Any]) -> str | None:
    """The kind of a pack, by the one key that says what it is about."""
    found = [kind for kind in KINDS if kind in value]
    return found[0] if len(found) == 1 else None


def checked(kind: str, value: Mapping[str, Any]) -> tuple[Any, list[Misfit]]:
    """What a pack is about, as written, and everything that is wrong with it; a header makes it ready for its table."""
    try:
        written = getattr(SCHEMAS[kind].of(value), kind)
    except REFUSALS as refusal:
        return None, SCHEMAS[kind].misfits(value) or [Misfit("", shown(value)[:80], str(refusal))]
    _, wrong = CHECKED[kind](written)
    return written, wrong


def example_files() -> Iterator[tuple[str, bytes]]:
    """The example packs that come with the program. All of them are invented."""
    folder = resources.files("auditor.systems.clx").joinpath("data", "packs")
    for name in sorted(one.name for one in folder.iterdir() if one.name.endswith(".json")):
        yield name, folder.joinpath(name).read_bytes()


PACKS = PackFormat(
    kinds=SCHEMAS,
    words={
        "units": "the units of an army",
        "weapons": "weapons",
        "powers": "psychic powers",
        "terrain": "the terrain of a table",
        "base_rules": "rules of the base game",
    },
    told_by="one of " + ", ".join(KINDS),
    kind_of=kind_of,
    check=checked,
    built_in=example_files,
    table=Table(table.COLUMNS, table.from_csv),
)


# -- the header ---------------------------------------------------------------------------------------------------


def setup_of(header: bytes, packs: Packs) -> tuple[Setup | None, list[Misfit], tuple[PackUsed, ...]]:
    """What a header's line says, everything that is wrong with it, and the packs that it names by id.

    None where players, table or units are unusable: no log can be replayed without them.
    """
    try:
        written = HEADER.read(header)
    except REFUSALS:
        try:
            value = parse(header.decode())
            # What is missing, and what does not fit elsewhere, has been listed by whoever read the header.
            misfits = [m for m in HEADER.misfits(value) if not (m.path in KINDS and m.found == "nothing")]
            wrong = [m for m in misfits if top_of(m.path) in KINDS]
            if wrong:
                return None, wrong, ()
            written = HEADER.of(value)
        except (*REFUSALS, ValueError):
            return None, [], ()
    return _setup(written, packs)


def top_of(path: str) -> str:
    """The field of a header in which a place lies."""
    return re.split(r"[.\[]", path)[0]


def _setup(header: Header, packs: Packs) -> tuple[Setup | None, list[Misfit], tuple[PackUsed, ...]]:
    wrong: list[Misfit] = []
    used: dict[tuple[str, str], PackUsed] = {}
    ready: dict[str, Any] = {}
    for kind in KINDS:
        given = getattr(header, kind)
        if isinstance(given, str):
            kept = packs.find(kind, given)
            if kept is None:
                known = packs.of_kind(kind)
                wrong.append(_unknown(kind, given, f"the id of a pack of {kind} known here, or one in full", known))
                given = {} if kind == "base_rules" else []
            else:
                used[kind, given] = kept.used
                given = kept.made
        made, misfits = CHECKED[kind](given)
        prefix = f"{kind}." if kind == "base_rules" else ""
        wrong += [Misfit(prefix + m.path, m.found, m.expected, m.nearest) for m in misfits]
        ready[kind] = made
    owners = _owners(header, ready["units"], wrong)
    _known_everywhere(header, ready, wrong)
    width, depth = _number("table.W", header.table.W, wrong), _number("table.D", header.table.D, wrong)
    precision = _number("recording_precision", header.recording_precision, wrong)
    named = tuple(sorted(used.values(), key=lambda one: (one.id, one.sha256)))
    if owners is None or not width or not depth:
        return None, wrong, named
    units = {
        id: Unit(u.id, owners[id], u.name, u.faction, u.type, u.vehicle, u.models, u.rules, u.weapons_per_model)
        for id, u in ready["units"].items()
        if id in owners
    }
    models = sum(len(unit.models) for unit in units.values())
    if models > MOST_MODELS:
        wrong.append(Misfit("players", f"{models:,} models", f"at most {MOST_MODELS:,} of both players together"))
        return None, wrong, named
    terrain: Mapping[str, Terrain] = ready["terrain"]
    corners = sum(len(piece.area.corners) for piece in terrain.values())
    if corners > MOST_CORNERS_IN_ALL:
        wrong.append(
            Misfit("terrain", f"{corners:,} corners", f"at most {MOST_CORNERS_IN_ALL:,} of all pieces together")
        )
        return None, wrong, named
    setup = Setup(
        players=(header.players[0].id, header.players[1].id),
        width=width,
        depth=depth,
        units=MappingProxyType(units),
        models=MappingProxyType({m.id: m for u in units.values() for m in u.models}),
        weapons=ready["weapons"],
        powers=ready["powers"],
        terrain=terrain,
        base=ready["base_rules"],
        ground=Ground(Blocker(t.area, t.los_height) for t in terrain.values() if t.blocks_los),
        precision=precision,
        called=MappingProxyType({one.id: one.name for one in header.players if one.name}),
    )
    return setup, wrong, named


def _owners(header: Header, units: Mapping[str, Unit], wrong: list[Misfit]) -> dict[str, str] | None:
    """Whose each unit is; None where the players cannot be told apart."""
    if header.players[0].id == header.players[1].id:
        wrong.append(Misfit("players[1].id", f"{shown(header.players[1].id)} again", "another id for each player"))
        return None
    owners: dict[str, str] = {}
    for i, player in enumerate(header.players):
        for j, unit in enumerate(player.units):
            path = f"players[{i}].units[{j}]"
            if unit not in units:
                wrong.append(_unknown(path, unit, "a unit of the pack of units", units))
            elif owners.setdefault(unit, player.id) != player.id:
                wrong.append(Misfit(path, f"{shown(unit)} again", "each unit with one player"))
    return owners


def _known_everywhere(header: Header, ready: Mapping[str, Any], wrong: list[Misfit]) -> None:
    """Weapons and disciplines that units name and no pack has. A unit that nobody plays is not looked at."""
    played = {unit for player in header.players for unit in player.units}
    disciplines = {power.discipline for power in ready["powers"].values()}
    for unit in ready["units"].values():
        if unit.id not in played:
            continue
        for model in unit.models:
            for weapon in model.weapons:
                if weapon not in ready["weapons"]:
                    path = f"units {unit.id} {model.id}.weapons"
                    wrong.append(_unknown(path, weapon, "a weapon of the pack of weapons", ready["weapons"]))
            for name in model.psyker.disciplines if model.psyker else ():
                if name not in disciplines:
                    path = f"units {unit.id} {model.id}.psyker.disciplines"
                    wrong.append(_unknown(path, name, "a discipline of the pack of powers", disciplines))
