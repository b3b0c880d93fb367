"""The language of printed abilities: text → cost, test, trigger, effect, limit, duration. Source: HCG catalogue 7, 8."""

from auditor.systems.hcg.abilities.reading import read, type_of
from auditor.systems.hcg.abilities.shapes import Ability
from auditor.systems.hcg.abilities.words import TextRefused

__all__ = ["Ability", "TextRefused", "read", "type_of"]
