"""The events that belong together round one of them, as a strip that fits a screen: `boards.kind.Passages` tells them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from auditor.report.boards.kind import Line, Passages
from auditor.report.boards.pen import Mark
from auditor.report.model import Json, Passage, PassageLine, Row, Said, Side
from auditor.report.words import ICONS, plural, shorten

AROUND = 30
"""So many events before and after the one looked at are told; what a log claims to belong together may be endless."""
IN_SIGHT = 16
"""So many lines are in sight: as many as a phone shows, with the words of most on two rows."""
AT_THE_START, AT_THE_END = 2, 3
"""Of a longer passage so many lines at its ends stay in sight, the others round the one looked at."""
LONGEST = 160
"""Letters of a line."""


class PassagesOf:
    """The passages of one game. `signs`: the kind of a finding at an event; `marks`: what the audit drew there."""

    def __init__(
        self,
        told: Passages | None,
        events: Sequence[Json],
        signs: Mapping[int, str],
        marks: Mapping[int, Sequence[Mark]],
        side: Callable[[Any], Side | None],
        href: Callable[[int], str | None],
        names: Callable[[str], str] = str,
    ) -> None:
        self._told, self._events = told, events
        self._signs, self._marks = signs, marks
        self._side, self._href, self._names = side, href, names

    @cached_property
    def _places(self) -> dict[Any, int]:
        return {event["seq"]: place for place, event in enumerate(self._events)}

    @cached_property
    def _spans(self) -> Sequence[tuple[int, int]]:
        return self._told.spans(self._events) if self._told is not None else ()

    def around(self, seq: Any, rows: Iterable[tuple[str, Row]] = (), marks: Sequence[Mark] = ()) -> Passage | None:
        """The passage that an event belongs to; None where it belongs to none. `rows`: what the log claims at it beside what
        the rules give, each with a name for a value that has none of its own; `marks`: what was reckoned for it."""
        place = self._places.get(seq)
        if place is None or self._told is None:
            return None
        n = bisect_right(self._spans, place, key=lambda span: span[0]) - 1
        if n < 0 or place > self._spans[n][1]:
            return None
        first, last = self._spans[n]
        start = max(first, place - AROUND)
        events = self._events[start : min(last, place + AROUND) + 1]
        seqs = [event["seq"] for event in events]
        apart = {at for at, one in enumerate(seqs) if one in self._signs or one == seq}
        drawn = {at: self._marks[one] for at, one in enumerate(seqs) if one in self._marks}
        lines = self._told.lines(events, apart, drawn | ({place - start: marks} if marks else {}))
        differing = tuple(replace(row, name=row.name or name) for name, row in rows if row.sign == "≠")
        shown = [self._line(line, events, place - start, differing) for line in lines]
        here = next((n for n, line in enumerate(shown) if line.is_here), 0)
        return Passage(self._told.title, _folded(shown, [line.is_quiet for line in lines], here))

    def _line(self, line: Line, events: Sequence[Json], here: int, rows: tuple[Row, ...]) -> PassageLine:
        is_here = here in line.places
        return PassageLine(
            tuple(self._said(events[place]) for place in line.places),
            line.depth,
            shorten(self._names(line.text), LONGEST),
            tuple(shorten(one, LONGEST) for one in line.reckoned),
            rows if is_here else (),
            is_here,
        )

    def _said(self, event: Json) -> Said:
        seq, kind = event["seq"], self._signs.get(event["seq"], "")
        return Said(seq, self._href(seq), self._side(event.get("player")), kind, ICONS.get(kind, "amb"))


def _folded(
    lines: Sequence[PassageLine], quiet: Sequence[bool], here: int
) -> tuple[tuple[str, tuple[PassageLine, ...]], ...]:
    """The lines with those far from the one at `here` folded, where there are more than go on a screen."""
    n = len(lines)
    near = (IN_SIGHT - AT_THE_START - AT_THE_END - 3) // 2  # one is looked at, two say what is folded
    ends = {*range(AT_THE_START), *range(n - AT_THE_END, n)}
    # A line with a finding stays in sight, and a fold of one line would save nothing.
    seen = [
        n <= IN_SIGHT or at in ends or abs(at - here) <= near or any(said.kind for said in line.events)
        for at, line in enumerate(lines)
    ]
    parts: list[tuple[str, tuple[PassageLine, ...]]] = []
    at = 0
    while at < n:
        until = next((k for k in range(at, n) if seen[k] != seen[at]), n)
        is_open = seen[at] or until - at == 1
        part = tuple(lines[at:until])
        if is_open and parts and not parts[-1][0]:
            parts[-1] = ("", (*parts[-1][1], *part))
        else:
            parts.append(("" if is_open else _summary(part, quiet[at:until]), part))
        at = until
    return tuple(parts)


def _summary(lines: Sequence[PassageLine], quiet: Sequence[bool]) -> str:
    """'12 more events, 4 of them passes'."""
    events = sum(len(line.events) for line in lines)
    passes = sum(len(line.events) for line, is_quiet in zip(lines, quiet, strict=True) if is_quiet)
    if passes == events:
        return plural(passes, "pass", "passes")
    return f"{plural(events, 'more event')}" + (
        f", {passes} of them {'a pass' if passes == 1 else 'passes'}" if passes else ""
    )
