"""How logs of Calixtus' Edition are written, for the reader."""

from __future__ import annotations

from auditor.systems.clx.names import names
from auditor.systems.clx.packs import KINDS, setup_of
from auditor.systems.clx.packs.shapes import HEADER
from auditor.systems.clx.records import EVENTS, AnyEvent
from auditor.systems.formats import Format

FORMAT = Format(
    events=EVENTS,
    event=AnyEvent,
    free=frozenset(),
    header=HEADER,
    given=frozenset(KINDS),
    setup=setup_of,
    names=names,
    once=frozenset({"players", "table", *KINDS}),
    most_events=20_000,
    most_bytes=16 * 2**20,
)
