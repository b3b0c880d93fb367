"""Auditor and second referee held against each other: who is accused of what, at which event.

A referee may judge some rules only, and a record up to some event only; nothing else is compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple

from auditor.conformance.inventor import NOT_JUDGED, Inventor
from auditor.trials.audited import held_against
from auditor.trials.tally import MOST_LISTED, Json, Tally

Said = tuple[int | None, str | None, str, str | None]
"""Event, rule, kind, player."""
Judge = Callable[[Sequence[Json], Mapping[str, str] | None], Sequence[Any]]

RECORD = "record"
"""What the second referee calls a contradiction within the record, which accuses nobody."""


class Both(NamedTuple):
    """What the auditor says of a log and what the second referee says, of the events before `until`."""

    ours: Counter[Said]
    theirs: Counter[Said]
    until: int | None

    @property
    def differences(self) -> list[Json]:
        """What only one of the two says."""
        alone = (("auditor", self.ours - self.theirs), ("second referee", self.theirs - self.ours))
        return [
            {"seq": seq, "rule": rule, "kind": kind, "player": player, "said_by": who}
            for who, said in alone
            for seq, rule, kind, player in sorted(said, key=str)
        ]


def both(judge: Judge, rules: Collection[str] | None, lines: Sequence[Json], audit: Json) -> Both:
    """What both say of a log whose audit is at hand; `rules` are those that are compared, None for all."""
    found = judge(lines, None)
    until = min((one.seq for one in found if one.kind == NOT_JUDGED), default=None)

    def compared(seq: int | None, rule: str | None) -> bool:
        return (rules is None or rule in rules) and (until is None or (seq is not None and seq < until))

    ours = [(one["seq"], one["rule"], one["kind"], one["player"]) for one in held_against(audit)]
    theirs = [(one.seq, one.rule, one.kind, one.player) for one in found if one.kind not in (RECORD, NOT_JUDGED)]
    return Both(
        Counter(one for one in ours if compared(*one[:2])), Counter(one for one in theirs if compared(*one[:2])), until
    )


def compare(inventor: Inventor, lines: Sequence[Json], audit: Json, where: Json, tally: Tally) -> None:
    """Count what both say of a game of a run, where the second referee judges some rules only.

    One that judges all is held against the auditor reading by reading, and by the fuzz.
    """
    if inventor.check is None or inventor.judged is None:
        return
    said = both(inventor.check, inventor.judged, lines, audit)
    events = len(lines) - 1
    tally.compared["games"] += 1
    tally.compared["events"] += events
    tally.compared["events judged"] += events if said.until is None else max(0, said.until - 1)
    tally.compared["accusations"] += said.theirs.total()
    tally.compared["differences"] += len(said.differences)
    tally.differences_listed += [{**where, **one} for one in said.differences[:MOST_LISTED]]
