"""Evidence: the boards before and after a fault, and what its rule has to show."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple, TypeVar

from auditor.core import bounds
from auditor.core.canonical import encoded
from auditor.core.effects import NOTHING_ASIDE, Aside
from auditor.core.findings import Note
from auditor.core.look import Terms, our_words
from auditor.core.plain import plain
from auditor.core.scopes import Cube
from auditor.core.seen import NO_EFFECT, NO_EVIDENCE, Judged, Ledger, Seen
from auditor.core.work import Purse, Spent, paid_from, spend

Shown = TypeVar("Shown")
Everything = bool | frozenset[int]


class Evidence:
    """Draws what faults have to show, before and after their event is adopted.

    A fault that holds only under readings not in force (`Seen.slim`) is drawn only where `everything` is wanted, or, if
    that is a set, what belongs to the events of these numbers. Nothing is drawn where `draws` is false.
    """

    def __init__(self, terms: Terms, ledger: Ledger, *, everything: Everything = False, draws: bool = True) -> None:
        self.terms = terms
        self.ruleset = terms.ruleset
        self.strict = terms.strict
        self.ledger = ledger
        self.everything = everything
        # Counted apart, so that what is drawn of the others is the same whatever is wanted of the slim ones.
        self._room = dict.fromkeys((True, False), bounds.MOST_DRAWN if draws else 0)
        self._purses = {slim: Purse(bounds.MOST_WORK_ON_DRAWINGS) for slim in (True, False)}
        self._bytes = dict.fromkeys((True, False), bounds.MOST_BYTES_DRAWN)

    def before(self, event: Any, fresh: list[tuple[Seen, Judged]]) -> None:
        """Give faults the position that they were judged on and what their rules have to show; before adopt."""
        positions: dict[int, Any] = {}
        boards: dict[int, Board] = {}
        for seen, cell in fresh:
            if seen.slim and not self._wanted(seen):
                _forget(seen)
                continue
            seen.evidence, seen.effect = NO_EVIDENCE, NO_EFFECT
            if self._room[seen.slim] <= 0:
                _forget(seen)
                continue
            self._room[seen.slim] -= 1
            try:
                with paid_from(self._purses[seen.slim]):
                    self._shown_before(event, seen, cell, positions, boards)
            except Spent:
                self._room[seen.slim] = 0
                seen.evidence, seen.before = NO_EVIDENCE, None
                _forget(seen)

    def _shown_before(
        self, event: Any, seen: Seen, cell: Judged, positions: dict[int, Any], boards: dict[int, Board]
    ) -> None:
        lane = id(cell.lane)
        if lane not in positions:
            spend(self.ruleset.size(cell.lane.position))
            positions[lane] = cell.lane.position.copy()
        if lane not in boards or boards[lane].drawn is None:
            boards[lane] = self._board(seen, positions[lane], event)
        board = boards[lane]
        shown: dict[str, Any] = {**NO_EVIDENCE, "before": board.drawn}
        if seen.fault.evidence is not None:
            shown.update(self.try_to_show(seen, seen.fault.evidence) or {})
        if not shown["marks"] and self.ruleset.marks is not None:
            # The rule has nothing of its own to show: then the act itself is drawn.
            shown["marks"] = self.try_to_show(seen, partial(self.ruleset.marks, event, positions[lane])) or []
        if shown["sight"] is None and self.ruleset.sight is not None:
            hearing = self.terms.hearing(seen.options)
            shown["sight"] = self.try_to_show(seen, partial(self.ruleset.sight, event, positions[lane], hearing))
        marks = {key: part for key, part in shown.items() if key != "before"}
        self._pay_for(seen, board.bytes + _bytes_of(marks))
        seen.before = positions[lane]
        seen.evidence = shown

    def _board(self, seen: Seen, position: Any, event: Any) -> Board:
        """A board, drawn and measured."""
        spend(4 * self.ruleset.size(position))
        drawn = self.try_to_show(seen, partial(self.ruleset.draw, position, event))
        return Board(drawn, _bytes_of(drawn))

    def _pay_for(self, seen: Seen, size: int) -> None:
        """An audit has room for so many bytes of boards."""
        self._bytes[seen.slim] -= size
        if self._bytes[seen.slim] < 0:
            raise Spent

    def _wanted(self, seen: Seen) -> bool:
        wanted = self.everything
        return wanted if isinstance(wanted, bool) else seen.seq in wanted

    def after(self, event: Any, fresh: list[tuple[Seen, Judged]], parted: Mapping[int, Cube]) -> None:
        """Give faults what can be shown only after the event: the board as played on.

        `parted`: id of each lane in which readings leave different positions, with the assignment of the one that the
        lane's own position now is.
        """
        boards: dict[int, Board] = {}
        for seen, cell in fresh:
            if seen.before is None or seen.evidence is None:
                continue
            try:
                with paid_from(self._purses[seen.slim]):
                    self._shown_after(event, seen, cell, parted, boards)
            except Spent:
                self._room[seen.slim] = 0

    def _shown_after(
        self, event: Any, seen: Seen, cell: Judged, parted: Mapping[int, Cube], boards: dict[int, Board]
    ) -> None:
        assert seen.evidence is not None
        lane = id(cell.lane)
        if lane not in parted or self._same(parted[lane], cell.cube):
            played = cell.lane.position
        else:
            played = self.try_to_show(seen, partial(self.played, event, seen))
            lane = id(cell)
            if played is None:
                return
        if lane not in boards:
            boards[lane] = self._board(seen, played, event)
        self._pay_for(seen, boards[lane].bytes)
        seen.evidence["after"] = boards[lane].drawn

    def put_right(self, event: Any, seen: Seen, position: Any) -> None:
        """Give a fault the board as it should be, where that is another than the one played on."""
        if seen.evidence is None or seen.evidence is NO_EVIDENCE or self._room[seen.slim] <= 0:
            return
        try:
            with paid_from(self._purses[seen.slim]):
                board = self._board(seen, position, event)
                if board.drawn is not None and board.drawn != seen.evidence["after"]:
                    self._pay_for(seen, board.bytes)
                    seen.evidence["right"] = board.drawn
        except Spent:
            self._room[seen.slim] = 0

    def _same(self, a: Cube, b: Cube) -> bool:
        """Whether two assignments come to the same, the rest being as in force."""
        selected = self.terms.rulings.selected
        return {**selected, **a} == {**selected, **b}

    def played(self, event: Any, seen: Seen) -> Any:
        """The position after an event as play goes on under the readings that a fault is shown under."""
        spend(self.ruleset.size(seen.before) + self.ruleset.weight(event, seen.before) // 2)
        position = seen.before.copy()
        hearing = self.terms.hearing(seen.options)
        self.ruleset.adopt(event, self.ruleset.resolve(event, position, hearing), position, hearing)
        return position

    def corrected(self, event: Any, seen: Seen) -> tuple[Any, bool]:
        """The position after an event with one fault put right; and whether an act was done rightly that was not, or left
        out."""
        ruleset, fault = self.ruleset, seen.fault
        spend(ruleset.size(seen.before) + ruleset.weight(event, seen.before) // 2)
        position, hearing = seen.before.copy(), self.terms.hearing(seen.options)
        if ruleset.rightly is not None and fault.kind != "miscalculated":
            if ruleset.rightly(event, position, hearing, fault):
                return position, True
        ruleset.correct(event, position, hearing, fault)
        return position, False

    def aside(self, event: Any, seen: Seen) -> Aside:
        """What the game has to say of a fault's effect beyond the facts that differ."""
        if self.ruleset.aftermath is None:
            return NOTHING_ASIDE
        return self.ruleset.aftermath(event, seen.before, self.terms.hearing(seen.options), seen.fault)

    def try_to_show(self, seen: Seen, show: Callable[[], Shown]) -> Shown | None:
        """What `show` gives back; a fault must not be lost because its picture failed."""
        try:
            return show()
        except Exception as error:
            if self.strict:
                raise
            if seen.slim:
                return None  # The audit is the same whether it is drawn or not.
            text = f"What {seen.fault.rule} has to show is missing: {our_words(error)}."
            self.ledger.note(seen.index, seen.seen_at, Note("unverifiable", text, seen.fault.rule))
            return None


class Board(NamedTuple):
    """A board as it was drawn, and its bytes as JSON."""

    drawn: Any
    bytes: int


def _bytes_of(drawn: Any) -> int:
    """How many bytes something drawn takes in an audit."""
    try:
        return len(encoded(drawn))
    except (TypeError, ValueError):
        return len(encoded(plain(drawn)))


def _forget(seen: Seen) -> None:
    """Let go of what could show a fault: it holds on to the whole event as it was resolved."""
    seen.fault = seen.fault.without_evidence()
    if seen.under:
        seen.under = tuple((cube, other.without_evidence()) for cube, other in seen.under)
