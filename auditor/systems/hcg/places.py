"""Where each known card instance lies, and which lie in a zone."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
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
Zones = Mapping[tuple[ZoneName, int | None], Mapping[str, Sequence[Lying]]]


class Places(dict[str, At]):
    """Instance -> where it lies. `zones`: (zone, sector) -> player -> what lies there, in the order of all instances; never
    changed, only made anew, so that it is another one after each change."""

    __slots__ = ("_next", "_ranks", "zones")

    def __init__(self) -> None:
        super().__init__()
        self._ranks: dict[str, int] = {}
        self._next = 0
        self.zones: Zones = {}

    def of(self, player: str, zone: ZoneName, sector: int | None = None) -> Sequence[Lying]:
        """What lies in a zone of a player, in the order of all instances."""
        return self.zones.get((zone, sector), _NOTHING).get(player, ())

    def lying(self, zone: ZoneName, sector: int | None = None) -> list[Lying]:
        """What lies in a zone of either player, in the order of all instances."""
        return sorted(chain.from_iterable(self.zones.get((zone, sector), _NOTHING).values()))

    def in_play(self) -> Iterator[tuple[str, At]]:
        """What lies at a sector or in a fleet, in the order of all instances."""
        there = [part for (zone, _), parts in self.zones.items() if zone in _IN_PLAY for part in parts.values()]
        return ((instance, at) for _, instance, at in sorted(chain.from_iterable(there)))

    def copy(self) -> Places:
        twin = Places()
        dict.update(twin, self)
        twin._ranks, twin._next, twin.zones = self._ranks.copy(), self._next, self.zones
        return twin

    def __setitem__(self, instance: str, at: At) -> None:
        before = self.get(instance)
        if before is None:
            rank = self._ranks[instance] = self._next
            self._next += 1
        else:
            rank = self._ranks[instance]
            self._leave(rank, before)
        super().__setitem__(instance, at)
        there = self.zones.get((at.zone, at.sector), _NOTHING)
        lying = there.get(at.player, ())
        n = bisect_left(lying, (rank,))
        lying = (*lying[:n], (rank, instance, at), *lying[n:])
        self.zones = {**self.zones, (at.zone, at.sector): {**there, at.player: lying}}

    def __delitem__(self, instance: str) -> None:
        at = self[instance]
        super().__delitem__(instance)
        self._leave(self._ranks.pop(instance), at)

    def pop(self, instance: str, *otherwise: Any) -> Any:
        if instance in self:
            self._leave(self._ranks.pop(instance), self[instance])
        return super().pop(instance, *otherwise)

    def _leave(self, rank: int, at: At) -> None:
        """Nothing of this rank lies any more where it lay."""
        there = self.zones[at.zone, at.sector]
        lying = there[at.player]
        n = bisect_left(lying, (rank,))
        self.zones = {**self.zones, (at.zone, at.sector): {**there, at.player: (*lying[:n], *lying[n + 1 :])}}

    def _other(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("places change one by one")

    update = setdefault = clear = popitem = __ior__ = _other


_NOTHING: Mapping[str, Sequence[Lying]] = {}
_IN_PLAY = ("sector", "fleet")
