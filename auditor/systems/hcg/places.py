"""Where each known card instance lies, and which lie in a zone."""

from __future__ import annotations

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
    """Instance -> where it lies. What lies in each zone is found once, and again after a change."""

    __slots__ = ("_zones",)

    def __init__(self, *places: Any) -> None:
        super().__init__(*places)
        self._zones: dict[tuple[ZoneName, int | None], list[Lying]] | None = None

    @property
    def zones(self) -> dict[tuple[ZoneName, int | None], list[Lying]]:
        """(zone, sector) -> what lies there, in the order of all instances; another one after each change."""
        if self._zones is None:
            self._zones = {}
            for rank, (instance, at) in enumerate(self.items()):
                self._zones.setdefault((at.zone, at.sector), []).append((rank, instance, at))
        return self._zones

    def lying(self, zone: ZoneName, sector: int | None = None) -> list[Lying]:
        """What lies in a zone of either player, in the order of all instances."""
        return self.zones.get((zone, sector), [])

    def copy(self) -> Places:
        twin = Places(self)
        twin._zones = self._zones  # Never changed, only made anew.
        return twin

    def __setitem__(self, instance: str, at: At) -> None:
        self._zones = None
        super().__setitem__(instance, at)

    def __delitem__(self, instance: str) -> None:
        self._zones = None
        super().__delitem__(instance)

    def pop(self, instance: str, *otherwise: Any) -> Any:
        self._zones = None
        return super().pop(instance, *otherwise)

    def _other(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("places change one by one")

    update = setdefault = clear = popitem = __ior__ = _other
