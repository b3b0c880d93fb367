"""What the models of a unit carry, and the dice that it gives them.

That hangs only on which models there are and which of their weapons are destroyed, so a table keeps it between events.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from auditor.core.findings import Figure, total
from auditor.core.lazily import cached_property
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
    pistols     for each model with pistols their number
    assault     the Assault of all models; bonus: the dice of the melee weapons
    """

    def __init__(
        self,
        ids: Iterable[str],
        destroyed: frozenset[Carried],
        models: Mapping[str, Model],
        weapons: Mapping[str, Weapon],
    ) -> None:
        self.weapons = weapons
        self.models = [models[m] for m in ids if m in models]
        self._destroyed = destroyed
        self._shots: dict[tuple[Carried, ...], Figure] = {}
        self._dues: dict[tuple[int, int, int], Figure] = {}
        self._wargear: dict[str, list[str]] = {}

    def _carried(self, counts: Callable[[Weapon], bool]) -> list[Carried]:
        """The weapons of some kind; of others nobody asks whether they are destroyed."""
        known = self.weapons
        armed = [(m.id, w) for m in self.models for w in m.weapons if w in known and counts(known[w])]
        return [entry for entry in armed if entry not in self._destroyed]

    @cached_property
    def carried(self) -> list[Carried]:
        return [(m.id, w) for m in self.models for w in m.weapons if (m.id, w) not in self._destroyed]

    @cached_property
    def assault(self) -> int:
        return sum([m.assault for m in self.models])

    @cached_property
    def bonus(self) -> int:
        return sum([self.weapons[w].assault_bonus for _, w in self.in_hand])

    @cached_property
    def in_hand(self) -> list[Carried]:
        """The melee weapons."""
        return self._carried(lambda weapon: not weapon.ranged)

    @cached_property
    def ranged(self) -> Shooters:
        return Shooters(self._carried(lambda weapon: weapon.ranged), self.weapons)

    @cached_property
    def flamers(self) -> Shooters:
        return Shooters([(m, w) for m, w in self.ranged.carried if w in FLAMERS], self.weapons)

    @cached_property
    def melee(self) -> Figure:
        """The dice of the melee weapons."""
        carried = [self.weapons[w] for _, w in self.in_hand]
        return total("dice of weapons", _grouped((w.name.lower(), w.assault_bonus) for w in carried))

    @cached_property
    def pistols(self) -> list[int]:
        return list(Counter(m for m, _ in self._carried(lambda weapon: weapon.pistol)).values())

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
                ("pistol" if pistols == 1 else "pistols", pistols),
                ("grenade harness", harness),
                ("card", card),
            ]
            found = total("attack dice", [(what, int(n)) for what, n in parts if n])
            self._dues[pistols, harness, card] = found
        return found


def arms_of(table: Table, models: tuple[str, ...], destroyed: frozenset[Carried]) -> Arms:
    """What some models carry, these weapons being destroyed; kept with the table."""
    if type(destroyed) is not frozenset:  # one that tells what is asked of it
        return Arms(models, destroyed, table.models, table.weapons)
    found: Arms | None = table.arms.get((models, destroyed))
    if found is None:
        if len(table.arms) >= 1_000:
            table.arms.clear()
        found = table.arms[models, destroyed] = Arms(models, destroyed, table.models, table.weapons)
    return found


def _grouped(entries: Iterable[tuple[str, int]]) -> tuple[tuple[str, int], ...]:
    """Equal parts one after another, as they are counted on the table."""
    return tuple((what, int(n)) for what, n in entries if n)
