"""Replays: the events of an audited log, and drawings of them."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Sequence
from typing import Any

from sqlmodel import Session

from auditor.jobs import drawings
from auditor.jobs.child import ChildFailed
from auditor.jobs.identity import Made, NotOfThis, of_terms
from auditor.jobs.packed import whole
from auditor.service.audits import Audits
from auditor.service.games import Games
from auditor.service.making import Making
from auditor.service.packs import Packs
from auditor.service.shared import Shared, checked_hex, row_id
from auditor.service.values import AuditLine, NotDrawn, NotFound, NotYet
from auditor.store import queries
from auditor.store.archive import Altered
from auditor.store.kept import Kept
from auditor.store.tables import KEY

log = logging.getLogger("auditor.service")

BLOCK = 64
"""How many events are drawn and kept together."""
EVENTS_A_BLOCK_AHEAD = 4096
MOST_AHEAD = 15
"""Of a long log one more block for every so many events, and at most so many: that costs about as much as replaying it."""

HEAVY_BYTES = 200_000
HEAVY_EVENTS = 1500
"""Of a log with more than that, things are made in the lane of what is heavy."""


def is_heavy(line: AuditLine) -> bool:
    """Whether it may take long to draw something of an audit."""
    return line.log_size > HEAVY_BYTES or line.counts.get("events", 0) > HEAVY_EVENTS


class Replays:
    """Drawn by a child, one at a time, and kept on disk within bounds."""

    def __init__(self, shared: Shared, games: Games, audits: Audits, packs: Packs, making: Making, kept: Kept) -> None:
        self._shared = shared
        self._games = games
        self._audits = audits
        self._packs = packs
        self._making = making
        self._kept = kept

    def packed_timeline(self, key: str) -> bytes:
        """The events of an audited log as JSON, packed: its frames without the drawings."""
        return self._of_value(key, queries.timeline)

    def timeline(self, key: str) -> list[dict[str, Any]]:
        """The events of an audited log, all at once."""
        events: list[dict[str, Any]] = json.loads(whole(self.packed_timeline(key)))
        return events

    def numbers(self, key: str) -> list[int]:
        """The numbers of the events of an audited log, in their order."""
        numbers: list[int] = json.loads(whole(self._of_value(key, queries.numbers)))
        return numbers

    def _of_value(self, key: str, part: Callable[[Session, int], bytes | None]) -> bytes:
        with self._shared.database.read() as session:
            row = queries.audit(session, checked_hex(key, KEY))
            if row is None:
                raise NotFound("audit")
            found = part(session, row_id(row[0]))
        if found is None:
            raise NotYet(row[2].state)
        return found

    def frame(self, key: str, seq: int) -> dict[str, Any]:
        """An event of this number under the audit's rulings, with its drawing. Raises NotFound and NotDrawn.

        Frames are drawn a block at a time and kept, so going from event to event does not replay the log each time.
        """
        frame = drawings.frame_of(self.block(key, seq), seq)
        if frame is None:
            raise NotFound("event")
        return frame

    def block(self, key: str, seq: int) -> bytes:
        """The block of drawings that has the event of this number (`jobs.drawings`). Raises NotFound and NotDrawn."""
        numbers = self.numbers(key)
        if seq not in numbers:
            raise NotFound("event")
        return self._block(key, (len(numbers) - 1 - numbers[::-1].index(seq)) // BLOCK, numbers)

    def packed_rounds(self, key: str) -> bytes:
        """The first event of each round, with its drawing, as a block. Raises NotDrawn."""
        heavy = is_heavy(self._audits.line(key))
        return self._making.ask(f"{key} rounds", lambda: self._draw(key, "draw_rounds"), heavy=heavy)

    def drawn(self, key: str, *finding: Any) -> bytes | None:
        """What `jobs.work.draw_finding` makes of an audit's log. Raises NotDrawn."""
        line_digest = self._audits.line(key).digest
        made: bytes | None = self._draw(key, "draw_finding", *finding, also=f" {line_digest}")
        return made

    def rounds(self, key: str) -> list[dict[str, Any]]:
        """The same, unpacked."""
        return list(drawings.unpack(self.packed_rounds(key)))

    def _block(self, key: str, number: int, numbers: Sequence[int]) -> bytes:
        """A block of frames, and with it some of those that follow: the longer the log, the more."""

        def make() -> bytes:
            count = 1 + min(MOST_AHEAD, len(numbers) // EVENTS_A_BLOCK_AHEAD)
            begins = range(number * BLOCK, len(numbers), BLOCK)[:count]
            drawn: list[bytes] = self._draw(key, "draw_blocks", [numbers[begin : begin + BLOCK] for begin in begins])
            for place, block in enumerate(drawn[1:], number + 1):
                self._kept.put(f"{key} {place}", block)
            return drawn[0]

        return self._making.ask(f"{key} {number}", make, heavy=is_heavy(self._audits.line(key)))

    def _draw(self, key: str, function: str, *more: Any, also: str = "") -> Any:
        """What the child draws of an audit's log, `also` of something else."""
        (audit, row, job), _places = self._audits.row(key)
        if audit.verdict is None:
            raise NotYet(job.state)
        of = of_terms(row.sha256, audit.rulings_digest) + also
        log_there, packs = self._shared.archived(row.sha256), self._packs.files(audit.packs)
        return self.ask_child(of, function, log_there, audit.rulings, packs, *more)

    def ask_child(self, of: str, function: str, *args: Any) -> Any:
        """What a function of `jobs.work` makes of this (`jobs.identity.Made`), done by the child with the engine.

        Raises NotDrawn; what was made of anything else is never given back.
        """
        settings = self._shared.settings
        try:
            made: Made = self._making.call(
                function, self._games.engine_name, *args, seconds=settings.draw_seconds, patience=settings.patience
            )
            return made.checked(of)
        except ChildFailed as failure:
            if "Altered" in str(failure):
                raise Altered("a log in the archive is not what it was") from failure
            log.warning("nothing could be drawn: %s %s", failure, failure.detail)
            raise NotDrawn(str(failure)) from failure
        except NotOfThis as wrong:
            self._making.throw_away()
            log.critical("what was drawn was thrown away: %s", wrong)
            raise NotDrawn("What was drawn was of another audit and was thrown away.") from wrong
