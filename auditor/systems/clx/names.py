"""The names that a log of Calixtus' Edition may use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from auditor.systems.clx.packs import Setup
from auditor.systems.names import Known, Names, shared


def names(setup: Setup, header: Mapping[str, Any], events: list[Any]) -> Names:
    """All but the names of attacks, pools and casts are those of the header and its packs. A unit that both players
    list is nobody's, nor are its models."""
    weapons = {*setup.weapons, *(weapon for model in setup.models.values() for weapon in model.weapons)}
    of_both = shared(*(player.get("units") or () for player in header["players"]))
    models = (model.id for unit in of_both if unit in setup.units for model in setup.units[str(unit)].models)
    return {
        "face": Known("a face of the die, 1 to 6", frozenset(range(1, 7))),
        "player": Known("a player of the header", frozenset(setup.players)),
        "unit": Known("a unit of the header", frozenset(setup.units), shared=of_both, where="players"),
        "model": Known("a model of the units", frozenset(setup.models), shared=frozenset(models), where="units"),
        "weapon": Known("a weapon of the packs", frozenset(weapons), whole=False),
        "power": Known("a power of the packs", frozenset(setup.powers), whole=False),
    }
