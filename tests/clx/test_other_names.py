"""What the players, the units and the models are called decides nothing: an example with other names is judged alike."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from auditor.conformance.clx.armies import pack
from tests.clx.examples import examples, judged
from tests.examples import Example
from tests.shares import is_tried

PLAYERS = {"A": "B", "B": "A"}
OF_PACKS = (
    "weapon",
    "weapons",
    "type",
    "power",
    "phase",
    "armour_class",
    "terrain",
    "entry",
    "army",
    "name",
    "faction",
)
"""Fields of which a value may be called like a unit and is none."""


def with_other_names(log: Any) -> Any:
    """Each player under the name of the other, and the units and models under names of another order."""
    units = log["header"]["units"]
    units = pack(units)["units"] if isinstance(units, str) else units
    called = sorted({one["id"] for unit in units for one in (unit, *unit["models"])}, reverse=True)
    ids = {name: f"{place:03}.{name}" for place, name in enumerate(called)}
    return _renamed({**log, "header": {**log["header"], "units": units}}, {**PLAYERS, **ids})


def _renamed(value: Any, names: Mapping[str, str], key: str = "") -> Any:
    if isinstance(value, dict):
        # The attacks of a profile are called A as well; wounds_by_A are those of the first player.
        kept = set(PLAYERS) if not set(value) <= set(PLAYERS) else set()
        return {
            name if name in kept else names.get(name, name): _renamed(one, names, name) for name, one in value.items()
        }
    if isinstance(value, list):
        return [_renamed(one, names, key) for one in value]
    if not isinstance(value, str) or key in OF_PACKS:
        return value
    rule, colon, of = value.partition(":")
    return f"{rule}:{names.get(of, of)}" if colon else names.get(value, value)


def said(audit: dict[str, Any], names: Mapping[str, str]) -> list[tuple[Any, ...]]:
    return sorted(
        (f["seq"], f["rule"], f["kind"], f["stands"], str(names.get(f["player"], f["player"])))
        for f in audit["findings"]
    )


@pytest.mark.parametrize("example", [one for one in examples() if is_tried(8, one, "names")], ids=str)
def test_who_plays_and_what_the_units_are_called_decides_nothing(example: Example) -> None:
    log = example.log
    assert said(judged(with_other_names(log)), {}) == said(judged(log), PLAYERS)
