"""How logs of the card game are written, for the reader."""

from __future__ import annotations

from auditor.systems.formats import Format
from auditor.systems.hcg.names import names
from auditor.systems.hcg.packs import setup_of
from auditor.systems.hcg.packs.shapes import HEADER
from auditor.systems.hcg.records import EVENTS, AnyEvent

FORMAT = Format(
    events=EVENTS,
    event=AnyEvent,
    free=frozenset(EVENTS.values()),  # each may bear a note of any form
    header=HEADER,
    given=frozenset({"cards"}),
    setup=setup_of,
    names=names,
    once=frozenset({"cards", "players", "sectors"}),
    most_events=20_000,
    most_bytes=16 * 2**20,
)
