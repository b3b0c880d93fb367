"""Where each known card instance lies, and which lie in a zone."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple, NoReturn

from auditor.systems.hcg.records import Face, Stance, ZoneName


class At(NamedTuple):
    """Where an instance lies. `player` controls it; `sector` for those at one; `stance` is ready, locked, charging."""

    zone: ZoneName
    player: str
    sector: int | None = None
    face: Face = "up"
    stance: Stance = "ready"


Lying = tuple[int, str, At]
"""The place of an instance among all, the instance, and where it lies."""


class Places(dict[str, At]):
    """Instance -> where it lies. What lies in a zone, in the order of all instances, is made anew with each change there, so
    that it can be gone through while cards move. `moved` counts what came to a sector or a fleet, left one, or was turned there:
    as long as it is the same, the same cards lie there in the same order, with the same face, whatever their stances."""

    __slots__ = ("_next", "_players", "_ranks", "_zones", "moved")

    def __init__(self) -> None:
        super().__init__()
        self._ranks: dict[str, int] = {}
        self._next = self.moved = 0
        self._players: tuple[str, ...] = ()
        self._zones: dict[tuple[ZoneName, int | None, str], tuple[Lying, ...]] = {}

    def of(self, player: str, zone: ZoneName, sector: int | None = None) -> Sequence[Lying]:
        """What lies in a zone of a player, in the order of all instances."""
        return self._zones.get((zone, sector, player), ())

    def lying(self, zone: ZoneName, sector: int | None = None) -> list[Lying]:
        """What lies in a zone of either player, in the order of all instances."""
        return sorted(chain.from_iterable(self.of(player, zone, sector) for player in self._players))

    def in_play(self) -> Iterator[tuple[str, At]]:
        """What lies at a sector or in a fleet, in the order of all instances."""
        there = [part for (zone, _, _), part in self._zones.items() if zone in _IN_PLAY]
        return ((instance, at) for _, instance, at in sorted(chain.from_iterable(there)))

    def copy(self) -> Places:
        twin = Places.__new__(Places)
        dict.update(twin, self)
        twin._ranks, twin._next, twin.moved = self._ranks.copy(), self._next, self.moved
        twin._zones, twin._players = self._zones.copy(), self._players
        return twin

    def __setitem__(self, instance: str, at: At) -> None:
        before = self.get(instance)
        if before is None:
            rank = self._ranks[instance] = self._next
            self._next += 1
        else:
            rank = self._ranks[instance]
            if before[:3] == at[:3]:
                self._stay(rank, instance, before, at)
                return
            self._leave(rank, before)
        super().__setitem__(instance, at)
        zones, key = self._zones, (at.zone, at.sector, at.player)
        lying = zones.get(key)
        if lying is None:
            lying = ()
            if at.player not in self._players:
                self._players = (*self._players, at.player)
        n = bisect_left(lying, (rank,))
        zones[key] = (*lying[:n], (rank, instance, at), *lying[n:])
        if at.zone in _IN_PLAY:
            self.moved += 1

    def __delitem__(self, instance: str) -> None:
        at = self[instance]
        super().__delitem__(instance)
        self._leave(self._ranks.pop(instance), at)

    def pop(self, instance: str, *otherwise: Any) -> Any:
        if instance in self:
            self._leave(self._ranks.pop(instance), self[instance])
        return super().pop(instance, *otherwise)

    def _stay(self, rank: int, instance: str, before: At, at: At) -> None:
        """What lies in a zone goes on to lie there, in another stance or turned over."""
        super().__setitem__(instance, at)
        zones, key = self._zones, (at.zone, at.sector, at.player)
        lying = zones[key]
        n = bisect_left(lying, (rank,))
        zones[key] = (*lying[:n], (rank, instance, at), *lying[n + 1 :])
        if before.face != at.face:
            self.moved += 1

    def _leave(self, rank: int, at: At) -> None:
        """Nothing of this rank lies any more where it lay."""
        zones, key = self._zones, (at.zone, at.sector, at.player)
        lying = zones[key]
        n = bisect_left(lying, (rank,))
        zones[key] = (*lying[:n], *lying[n + 1 :])
        if at.zone in _IN_PLAY:
            self.moved += 1

    def _other(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("places change one by one")

    update = setdefault = clear = popitem = __ior__ = _other


_IN_PLAY = ("sector", "fleet")
