"""The rules of Betrayal at Calth, a module for each family of ids."""

from __future__ import annotations

from auditor.core.ruleset import Rule
from auditor.systems.calth.rules import (
    activation,
    assault,
    attack,
    attack_roll,
    board,
    campaign,
    consolidate,
    defence,
    dice,
    effects_melee,
    effects_ranged,
    initiative,
    last_stand,
    movement,
    obscured,
    ready,
    record,
    retreat,
    rounds,
    setup,
    shooting,
    sight,
    sor_gharax,
    triggers,
    wargear,
    weapons,
)

_FAMILIES = [
    "AUD",
    "DIE",
    "SET",
    "CMP",
    "INI",
    "RDY",
    "ACT",
    "RND",
    "HEX",
    "DST",
    "ADV",
    "PIN",
    "RUN",
    "CON",
    "ASL",
    "RET",
    "DLS",
    "SHT",
    "LOS",
    "OBS",
    "DEF",
    "ATK",
    "CRT",
    "RNG",
    "MEL",
    "WAR",
    "SOR",
]
"""The families in the order of the catalogue."""

_MODULES = (
    activation,
    assault,
    attack,
    attack_roll,
    board,
    campaign,
    consolidate,
    defence,
    dice,
    effects_melee,
    effects_ranged,
    initiative,
    last_stand,
    movement,
    obscured,
    ready,
    record,
    retreat,
    rounds,
    setup,
    shooting,
    sight,
    sor_gharax,
    triggers,
    wargear,
    weapons,
)


def _place(rule: Rule) -> tuple[int, str]:
    return _FAMILIES.index(rule.id.split("-")[1]), rule.id


RULES: tuple[Rule, ...] = tuple(
    sorted(
        {rule.id: rule for module in _MODULES for rule in vars(module).values() if isinstance(rule, Rule)}.values(),
        key=_place,
    )
)
"""Every rule, in the order of the catalogue."""
