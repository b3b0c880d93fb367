"""How logs of Calth are written, for the reader."""

from __future__ import annotations

from auditor.systems.calth.names import names
from auditor.systems.calth.pack_shapes import HEADER
from auditor.systems.calth.packs import setup_of
from auditor.systems.calth.records import EVENTS, AnyEvent, GameStart
from auditor.systems.formats import Format

FORMAT = Format(
    events=EVENTS,
    event=AnyEvent,
    free=frozenset({GameStart}),
    header=HEADER,
    given=frozenset({"board", "scenario", "rosters", "rosters.UM", "rosters.WB", "command_cards"}),
    setup=setup_of,
    names=names,
    once=frozenset({"board", "rosters"}),
    most_events=20_000,
    most_bytes=16 * 2**20,
)
