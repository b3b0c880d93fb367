"""What the second referee says of a log, which rules it judges, and how it says that it cannot go on."""

from __future__ import annotations

from dataclasses import dataclass

JUDGED = (
    *("HCG-DECK-01", "HCG-DECK-02", "HCG-DECK-03", "HCG-DECK-04"),
    *("HCG-SETUP-01", "HCG-SETUP-02", "HCG-SETUP-03", "HCG-SETUP-04", "HCG-SETUP-05", "HCG-SETUP-06"),
    *("HCG-TURN-01", "HCG-TURN-03", "HCG-FW-01", "HCG-FW-02", "HCG-FW-03", "HCG-FW-04", "HCG-FW-05"),
    *("HCG-DEP-01", "HCG-DEP-02", "HCG-DEP-03", "HCG-DEP-04", "HCG-DEP-06"),
    *("HCG-BPH-01", "HCG-BPH-02", "HCG-BPH-03", "HCG-BPH-04", "HCG-BPH-05"),
    *("HCG-BSET-02", "HCG-BSET-03", "HCG-BSET-05", "HCG-BSET-06", "HCG-BSET-07"),
    *("HCG-BA-01", "HCG-BA-04", "HCG-BA-06"),
    *("HCG-VIC-03", "HCG-VIC-06", "HCG-VIC-08", "HCG-VIC-09", "HCG-SHIP-06"),
    *("HCG-END-01", "HCG-END-02", "HCG-WIN-01", "HCG-WIN-02", "HCG-WIN-03", "HCG-WIN-04"),
)
"""The rules that are judged."""


@dataclass(frozen=True)
class Found:
    """A rule that is broken: at which event (0: the header), how (catalogue 1.1), by whom (None: by nobody alone)."""

    seq: int
    rule: str
    kind: str
    player: str | None


class NotJudged(Exception):
    """The record cannot be followed from this event on; the message says why."""
