"""A fair table that counts how near a legal game comes to faults."""

from __future__ import annotations

from typing import Any

from auditor.conformance.hcg.near import actions, course, played
from auditor.conformance.hcg.near.watching import Watching
from auditor.conformance.hcg.table import Event

LOOKS = {
    kind: tuple(part.LOOKS[kind] for part in (actions, course, played) if kind in part.LOOKS)
    for kind in {*actions.LOOKS, *course.LOOKS, *played.LOOKS}
}


class WatchedGame(Watching):
    """A game that looks at each of its events as it is written down, before it is carried out."""

    def write(self, type_: str, **fields: Any) -> Event:
        event = super().write(type_, **fields)
        seq, near = event["seq"], self.came_near
        if self.waiting:
            near += [(seq, key) for key in self.waiting]
            self.waiting.clear()
        if type_ in LOOKS:
            for look in LOOKS[type_]:
                for key in look(self, event):
                    near.append((seq, key))
        return event
