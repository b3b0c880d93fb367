"""What the models of a unit carry, and the dice that it gives them.

That hangs only on which models there are and which of their weapons are destroyed, so a table keeps it between events.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from auditor.core.findings import Figure, total
from auditor.systems.calth.packs import Model, Weapon
from auditor.systems.calth.state import Table

FLAMERS = ("flamer", "heavy_flamer")

Carried = tuple[str, str]
"""A model and a weapon of it, by their ids."""


class Shooters:
    """Ranged weapons that could shoot together.

    one_each    no model carries two of them
    restricted  those that do not reach everything; limits: how far these reach, the shortest first
    free_dice   whether one that reaches everything gives a die
    """

    __slots__ = ("carried", "free_dice", "limits", "one_each", "restricted")

    def __init__(self, carried: list[Carried], weapons: Mapping[str, Weapon]) -> None:
        self.carried = carried
        self.one_each = len({m for m, _ in carried}) == len(carried)
        self.restricted = [(m, w) for m, w in carried if weapons[w].range_limit is not None]
        self.limits = sorted({limit for _, w in carried if (limit := weapons[w].range_limit) is not None})
        self.free_dice = any(weapons[w].range_limit is None and weapons[w].shoot for _, w in carried)


class Arms:
    """The weapons of some models, those destroyed left out.

    carried     every weapon
    ranged      the ranged ones; `flamers` those of them that can be used in a follow-up
    pistols     for each model that is armed the number of its pistols
    assault     the Assault of all models; bonus: the dice of the melee weapons
    """

    __slots__ = (
        "_dues",
        "_flamers",
        "_melee",
        "_pistols",
        "_ranged",
        "_shots",
        "_wargear",
        "assault",
        "bonus",
        "carried",
        "models",
        "weapons",
    )

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
        self._ranged: Shooters | None = None
        self._flamers: Shooters | None = None
        self._pistols: list[int] | None = None
        self.assault = sum([m.assault for m in self.models])
        self.bonus = sum([weapons[w].assault_bonus for _, w in self.carried if w in weapons and not weapons[w].ranged])
        self._melee: Figure | None = None
        self._shots: dict[tuple[Carried, ...], Figure] = {}
        self._dues: dict[tuple[int, int, int], Figure] = {}
        self._wargear: dict[str, list[str]] = {}

    @property
    def ranged(self) -> Shooters:
        if self._ranged is None:
            known = self.weapons
            self._ranged = Shooters([(m, w) for m, w in self.carried if w in known and known[w].ranged], known)
        return self._ranged

    @property
    def flamers(self) -> Shooters:
        if self._flamers is None:
            self._flamers = Shooters([(m, w) for m, w in self.ranged.carried if w in FLAMERS], self.weapons)
        return self._flamers

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
        if self._pistols is not None:
            return self._pistols
        known, found = self.weapons, dict.fromkeys((m for m, _ in self.carried), 0)
        for m, w in self.carried:
            if w in known and known[w].pistol:
                found[m] += 1
        self._pistols = list(found.values())
        return self._pistols

    def bearers(self, wargear: str) -> list[str]:
        """The models that carry a piece of wargear."""
        found = self._wargear.get(wargear)
        if found is None:
            found = self._wargear[wargear] = [m.id for m in self.models if wargear in m.wargear]
        return found

    def shots(self, counted: Iterable[Carried]) -> int:
        """The number of dice of the ranged weapons counted."""
        known, found = self.weapons, 0
        for _, w in counted:
            if w in known:
                found += known[w].shoot
        return found

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


def arms_of(table: Table, models: tuple[str, ...], destroyed: frozenset[Carried]) -> Arms:
    """What some models carry, these weapons being destroyed; kept with the table."""
    found: Arms | None = table.arms.get((models, destroyed))
    if found is None:
        if len(table.arms) >= 1_000:
            table.arms.clear()
        found = table.arms[models, destroyed] = Arms(models, destroyed, table.models, table.weapons)
    return found


def _grouped(entries: Iterable[tuple[str, int]]) -> tuple[tuple[str, int], ...]:
    """Equal parts one after another, as they are counted on the table."""
    return tuple((what, int(n)) for what, n in entries if n)
