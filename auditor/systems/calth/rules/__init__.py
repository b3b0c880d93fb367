"""The rules of Betrayal at Calth, a module per chapter of the catalogue."""

from __future__ import annotations

from auditor.core.ruleset import Rule
from auditor.systems.calth.rules import assault, attack, dice, moves, rounds, setup, shooting, wargear, weapons

_EVERY = (
    *setup.RULES,
    *dice.RULES,
    *rounds.RULES,
    *moves.RULES,
    *assault.RULES,
    *shooting.RULES,
    *attack.RULES,
    *weapons.RULES,
    *wargear.RULES,
)

_ORDER = (
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
)
_LATER = ("SHT", "LOS", "OBS", "DEF", "ATK", "CRT", "RNG", "MEL", "WAR", "SOR")
_FAMILIES = {family: place for place, family in enumerate((*_ORDER, *_LATER))}


def _place(rule: Rule) -> tuple[int, str]:
    return _FAMILIES[rule.id.split("-")[1]], rule.id


RULES: tuple[Rule, ...] = tuple(sorted(_EVERY, key=_place))
"""Every rule, in the order of the catalogue."""
