"""The games, a folder each. A game knows the core and geometry, and no other game."""

from __future__ import annotations

import importlib
from functools import cache
from typing import cast

from auditor.core.ruleset import Ruleset

KEYS: tuple[str, ...] = ("calth",)
"""Every game that can be audited: the name of its folder and the `game` of its logs."""


@cache
def ruleset(key: str) -> Ruleset:
    """The ruleset of a game; its rules are loaded when first asked for. Raises KeyError for an unknown game."""
    if key not in KEYS:
        raise KeyError(key)
    return cast(Ruleset, importlib.import_module(f"auditor.systems.{key}").RULESET)
