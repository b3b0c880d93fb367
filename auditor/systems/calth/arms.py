"""What the models of a unit carry, and the dice that it gives them.

That hangs only on which models there are and which of their weapons are destroyed, so a table keeps it between events.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from auditor.core.findings import Figure, total
from auditor.systems.calth.packs import Model, Weapon

FLAMERS = ("flamer", "heavy_flamer")

Carried = tuple[str, str]
"""A model and a weapon of it, by their ids."""


class Arms:
    """The weapons of some models, those destroyed left out.

    carried     every weapon
    ranged      the ranged ones; `flamers` those of them that can be used in a follow-up
    """

    __slots__ = ("_dues", "_melee", "_shots", "_wargear", "carried", "flamers", "models", "ranged", "weapons")

    def __init__(
        self,
        ids: Iterable[str],
        destroyed: frozenset[Carried],
        models: Mapping[str, Model],
        weapons: Mapping[str, Weapon],
    ) -> None:
        self.weapons = weapons
        self.models = [models[m] for m in ids if m in models]
        self.carried = [(m.id, w) for m in self.models for w in m.weapons if (m.id, w) not in destroyed]
        self.ranged = [(m, w) for m, w in self.carried if w in weapons and weapons[w].ranged]
        self.flamers = [(m, w) for m, w in self.ranged if w in FLAMERS]
        self._melee: Figure | None = None
        self._shots: dict[tuple[Carried, ...], Figure] = {}
        self._dues: dict[tuple[int, int, int], Figure] = {}
        self._wargear: dict[str, list[str]] = {}

    @property
    def melee(self) -> Figure:
        """The dice of the melee weapons."""
        if self._melee is None:
            known = self.weapons
            carried = [known[w] for _, w in self.carried if w in known and not known[w].ranged]
            self._melee = total("dice of weapons", _grouped((w.name.lower(), w.assault_bonus) for w in carried))
        return self._melee

    @property
    def pistols(self) -> list[int]:
        """For each model that is armed the number of its pistols."""
        known, found = self.weapons, dict.fromkeys((m for m, _ in self.carried), 0)
        for m, w in self.carried:
            if w in known and known[w].pistol:
                found[m] += 1
        return list(found.values())

    def bearers(self, wargear: str) -> list[str]:
        """The models that carry a piece of wargear."""
        found = self._wargear.get(wargear)
        if found is None:
            found = self._wargear[wargear] = [m.id for m in self.models if wargear in m.wargear]
        return found

    @property
    def assault(self) -> int:
        """The Assault of all models."""
        return sum(m.assault for m in self.models)

    def shooting(self, counted: Iterable[Carried]) -> Figure:
        """The dice of the ranged weapons counted."""
        key = tuple(counted)
        found = self._shots.get(key)
        if found is None:
            if len(self._shots) >= 64:
                self._shots.clear()
            known = self.weapons
            parts = _grouped((known[w].name.lower(), known[w].shoot) for _, w in key if w in known)
            found = self._shots[key] = total("dice of weapons", parts)
        return found

    def in_melee(self, pistols: int, harness: int, card: int) -> Figure:
        """The dice of a melee attack, with those of pistols, of a grenade harness, and of a card."""
        found = self._dues.get((pistols, harness, card))
        if found is None:
            parts = [
                *_grouped((f"Assault of {m.name}", m.assault) for m in self.models),
                *self.melee.parts,
                ("pistols", pistols),
                ("grenade harness", harness),
                ("card", card),
            ]
            found = total("attack dice", [(what, int(n)) for what, n in parts if n])
            self._dues[pistols, harness, card] = found
        return found


def _grouped(entries: Iterable[tuple[str, int]]) -> tuple[tuple[str, int], ...]:
    """Equal parts one after another, as they are counted on the table."""
    return tuple((what, int(n)) for what, n in entries if n)
