"""The names that a log of Calth may use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from auditor.systems.calth import records
from auditor.systems.calth.packs import Model, Setup, rule_ids
from auditor.systems.names import Known, Name, Names, first_spellings, shared

FACES = {"critical": "C", "crit": "C", "hit": "H", "shield": "S", "blank": "B", "miss": "B", "empty": "B"}
"""Words for the faces of a die."""


def names(setup: Setup, header: Mapping[str, Any], events: list[Any]) -> Names:
    """Models, weapons and cards are those of the packs; units bear the labels that the record first gives them."""
    models = frozenset(setup.models)
    weapons = {weapon for model in setup.models.values() for weapon in model.weapons} | records.WEAPONS
    locations = {card for roster in setup.rosters.values() for card in roster.damage_cards}
    specials = {*(setup.scenario.special_rules if setup.scenario else ()), *(setup.cards or ())}
    cards = {"hidden", *locations, *(setup.cards or ())}
    return {
        "face": Known("faces of the die: C, H, S and B", frozenset("CHSB"), aliases=FACES),
        "model": Known(
            "a model of the rosters",
            models,
            shared=shared(*(roster.models for roster in setup.rosters.values())),
            where="rosters",
        ),
        "weapon": Known("a weapon that a model here has", frozenset(weapons)),
        "card": Known("a card of the packs", frozenset(cards), whole=False),
        "printed card": Known("a card of the Damage deck", frozenset(locations), whole=bool(locations)),
        "effect": Known("a critical effect", frozenset(id for id in rule_ids() if id.startswith("CAL-CRT-"))),
        "rule": Known("a rule of the game, the scenario or a card", frozenset({*rule_ids(), *specials}), whole=False),
        "unit": Known(
            "a unit", first_spellings(_labels(events)), whole=False, shared=_borne_by_all(events, setup.models)
        ),
    }


MANY = 3
"""In so many hexes nobody places models of one side under one label by a slip of the pen."""


def _borne_by_all(events: list[Any], models: Mapping[str, Model]) -> frozenset[Name]:
    """Labels under which models of one side were placed in many hexes, or that a position gives to two units of a side: a
    word for every unit, and the name of none."""
    hexes: dict[tuple[str, str], set[Any]] = {}
    twice: set[Name] = set()
    for event in events:
        if isinstance(event, records.Position):
            borne = Counter((one.unit, one.side) for one in event.units or () if one.unit is not None)
            twice.update(label for (label, _), times in borne.items() if label is not None and times > 1)
        model = models.get(event.model or "") if isinstance(event, records.Place) else None
        if model is not None and event.unit is not None:
            hexes.setdefault((event.unit, model.side), set()).add(event.hex)
    return frozenset(label for (label, _), places in hexes.items() if len(places) >= MANY) | twice


def _labels(events: list[Any]) -> Iterator[str]:
    """The labels that units are given, those of the set-up and of positions first."""
    for event in events:
        if isinstance(event, records.Place) and event.unit is not None:
            yield event.unit
        elif isinstance(event, (records.Position, records.MoveModels)):
            for unit in event.units or ():
                if unit.unit is not None:
                    yield unit.unit
