"""Boards and rosters made for one fault: who carries what, and what lies about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from auditor.conformance.calth.board import as_hex, step
from auditor.conformance.calth.boards import Pack, random_board, random_roster
from auditor.conformance.calth.tables import SIDES


@dataclass(frozen=True)
class Company:
    """What both sides bring, and onto what ground.

    Every other model, or each of them where `all_alike`, carries `weapons` and `wargear`, and is of `profile` if one is
    named. `rubble`, `barricades` and `doors` are shares of the open hexes, of their sides and of the
    hexsides between them.
    """

    weapons: Sequence[str] = ()
    wargear: Sequence[str] = ()
    profile: str | None = None
    all_alike: bool = False
    walker: bool = False
    radius: int = 3
    models: int = 10
    rubble: float = 0.0
    barricades: float = 0.0
    doors: float = 0.0


BOLTERS = Company(("boltgun",))
# Only where there is no room does anybody have to make a last stand.
CROWD = Company(radius=2, models=12, profile="line")
COMPANIES: dict[str, Company] = {
    "CAL-DST-01": Company(("boltgun",), all_alike=True),
    "CAL-DLS-01": CROWD,
    "CAL-DLS-01 dice": CROWD,
    "CAL-DLS-01 omitted": CROWD,
    "CAL-DLS-02": CROWD,
    "CAL-DLS-03": CROWD,
    "CAL-LOS-01": Company(radius=4),
    "CAL-LOS-01 clear": Company(("boltgun",)),
    "CAL-LOS-02": Company(("boltgun",), models=14),
    "CAL-LOS-03": Company(("heavy_bolter",), radius=5, models=12),
    "CAL-LOS-04": Company(("boltgun",), radius=4, models=12, doors=0.12),
    "CAL-LOS-05": Company(("boltgun",), rubble=0.3),
    "CAL-SHT-01 no dice": Company(("chainsword",), all_alike=True),
    "CAL-SHT-02 miscalculated": Company(("boltgun", "bolt_pistol")),
    "CAL-DEF-02": Company(("boltgun",), rubble=0.5),
    "CAL-DEF-03": Company(("boltgun",), barricades=0.5),
    "CAL-DEF-04": Company(("heavy_bolter",), profile="line", rubble=0.5),
    "CAL-ATK-07": Company(profile="line"),
    "CAL-MEL-01": Company(("chainsword",)),
    "CAL-WAR-01": Company(wargear=("grenade_harness",)),
    "CAL-WAR-02 ranged": Company(("boltgun",), ("legion_vexilla",)),
    "CAL-ATK-10": Company(("power_sword",), ("legion_vexilla",)),
    "CAL-CRT-01": BOLTERS,
    "CAL-OBS-03": BOLTERS,
    "CAL-CRT-02": Company(("bolt_pistol",)),
    "CAL-CRT-03": BOLTERS,
    "CAL-CRT-03 omitted": BOLTERS,
    "CAL-CRT-04": Company(("flamer",), models=14),
    "CAL-CRT-04 miscalculated": Company(("flamer", "boltgun"), models=14),
    "CAL-CRT-05": Company(("meltagun",)),
    "CAL-CRT-05 later": Company(("meltagun",), profile="line"),
    "CAL-CRT-06": Company(("assault_cannon",)),
    "CAL-CRT-06 omitted": Company(("assault_cannon",)),
    "CAL-CRT-06 miscalculated": Company(("assault_cannon",)),
    "CAL-CRT-07": Company(("missile_launcher",)),
    "CAL-CRT-08": Company(("plasma_gun",)),
    "CAL-CRT-08 miscalculated": Company(("plasma_gun",)),
    "CAL-CRT-09": Company(("power_fist",)),
    "CAL-CRT-09 later": Company(("power_fist",), profile="line"),
    "CAL-CRT-10": Company(("chainsword",)),
    "CAL-CRT-11": Company(("lightning_claw",)),
    "CAL-DIE-02": Company(("lightning_claw",), ("legion_vexilla",), all_alike=True),
    "CAL-DIE-02 miscalculated": Company(wargear=("legion_vexilla",)),
    "CAL-CRT-12": Company(("chainfist",), profile="captain", all_alike=True),
    "CAL-CRT-13": Company(("power_sword",)),
    "CAL-CRT-14": Company(("power_sword",), profile="line"),
    "CAL-CRT-14 Stamina": Company(("chainfist",), profile="captain", all_alike=True),
    "CAL-SOR-01": Company(walker=True),
    "CAL-SOR-01 omitted": Company(walker=True),
    "CAL-SOR-02": Company(walker=True, radius=2, models=7),
    "CAL-DEF-02 two": Company(("boltgun",), rubble=0.5),
    "CAL-DEF-03 one": Company(("boltgun",), barricades=0.5),
    "CAL-DEF-04 more": Company(("heavy_bolter",), profile="line", rubble=0.5),
    "CAL-ATK-01 pistol forgotten": Company(("bolt_pistol",)),
    "CAL-WAR-01 fewer": Company(wargear=("grenade_harness",), profile="line"),
    "CAL-CRT-02 of another": BOLTERS,
    "CAL-CRT-03 more left": BOLTERS,
    "CAL-CRT-07 fewer": Company(("missile_launcher",)),
    "CAL-CRT-08 another": Company(("plasma_gun",), profile="line"),
    "CAL-CRT-08 five": Company(("plasma_gun",)),
    "CAL-CRT-08 for nothing": Company(("plasma_gun",)),
    "CAL-CRT-09 some": Company(("power_fist",)),
    "CAL-CRT-10 fewer": Company(("chainsword",)),
    "CAL-CRT-11 five": Company(("two_lightning_claws",), profile="line"),
    "CAL-CRT-13 less": Company(("power_sword",)),
    "CAL-ATK-04 of another": Company(profile="line"),
    "CAL-ATK-06 more left": Company(profile="line"),
    "CAL-ATK-06 less left": Company(profile="line"),
    "CAL-DLS-01 lost": CROWD,
    "CAL-DEF-03 counted twice": Company(("boltgun",), barricades=0.5),
    "CAL-ATK-01 pistols counted twice": Company(("bolt_pistol",)),
    "CAL-MEL-01 counted twice": Company(("chainsword",)),
    "CAL-WAR-01 counted twice": Company(wargear=("grenade_harness",)),
    "CAL-CRT-07 added twice": Company(("missile_launcher",)),
    "CAL-CRT-08 added twice": Company(("plasma_gun",)),
    "CAL-CRT-10 added twice": Company(("chainsword",)),
    "CAL-CRT-03 taken again": BOLTERS,
}


def board_of(company: Company, rng: Random) -> Pack:
    """A board with more of what the company needs."""
    board = random_board(rng, radius=company.radius)
    kinds = {(h["q"], h["r"]): h for h in board["hexes"]}
    for h in board["hexes"]:
        if h["kind"] == "open" and rng.random() < company.rubble:
            h["kind"] = "rubble"
    ground = [h for h, line in kinds.items() if line["kind"] != "blocked"]
    standing = {(as_hex(b["hex"]), b["dir"]) for b in board["barricades"]}
    sides = [(h, k) for h in ground for k in range(6) if (h, k) not in standing]
    new = [{"hex": list(h), "dir": k} for h, k in sides if rng.random() < company.barricades]
    board["barricades"] = board["barricades"] + new
    taken = {frozenset((as_hex(e["a"]), as_hex(e["b"]))) for e in board["edges"]}
    between = [(h, step(h, k)) for h in ground for k in range(3) if step(h, k) in ground]
    for a, b in between:
        if frozenset((a, b)) not in taken and rng.random() < company.doors:
            board["edges"].append({"a": list(a), "b": list(b), "feature": "door", "sealed": True})
    return board


def roster_of(company: Company, rng: Random, side: str) -> Pack:
    """The models of one side."""
    roster = random_roster(rng, side, company.models, heavy=company.walker and side == "WB")
    for n, model in enumerate(roster["models"]):
        if model["profile"] == "sor_gharax":
            continue
        if company.profile is not None:
            model["profile"] = company.profile
        if company.all_alike or n % 2 == 0:
            model["weapons"] = list(company.weapons) or model["weapons"]
            model["wargear"] = [*model["wargear"], *(w for w in company.wargear if w not in model["wargear"])]
    return roster


def settings_of(company: Company, rng: Random) -> dict[str, Any]:
    """The settings of `lay_out` for a game of such companies."""
    return {
        "board": board_of(company, rng),
        "rosters": {side: roster_of(company, rng, side) for side in SIDES},
    }
