"""What a position does not know.

A lost line, an unknown event type, an unread text or a hidden card makes a hole: it names the facts that it may
have changed. A fault that rests on such a fact is ambiguous. A hole closes when a later event states the fact again.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from auditor.core.findings import Fact


@dataclass(frozen=True, slots=True)
class Hole:
    """Facts that may have changed unseen since event `seq`; `facts` None means every fact. `allows`: what opened it may
    besides allow anything, as a text does that nobody can read."""

    seq: int
    why: str
    facts: frozenset[Fact] | None = None
    allows: bool = False

    def of(self, facts: Iterable[Fact]) -> Hole:
        """The same doubt, of other facts."""
        return Hole(self.seq, self.why, frozenset(facts))


class Holes:
    """The open holes of a position. Cheap when there are none: `if position.holes:` is all that a game needs to ask."""

    __slots__ = ("_everything", "_facts", "_restated")

    def __init__(self) -> None:
        self._everything: Hole | None = None
        self._restated: set[Fact] = set()
        self._facts: dict[Fact, Hole] = {}

    def __bool__(self) -> bool:
        return self._everything is not None or bool(self._facts)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Holes):
            return NotImplemented
        return (
            self._everything == other._everything and self._facts == other._facts and self._restated == other._restated
        )

    __hash__ = None  # type: ignore[assignment]

    @property
    def whole(self) -> Hole | None:
        """The hole of every fact, if there is one."""
        return self._everything

    def copy(self) -> Holes:
        twin = Holes()
        twin._everything = self._everything
        twin._restated = set(self._restated)
        twin._facts = dict(self._facts)
        return twin

    def open(self, hole: Hole) -> None:
        if hole.facts is None:
            self._everything = hole
            self._restated = set()
            self._facts = {}
        else:
            for fact in hole.facts:
                self._facts[fact] = hole
                self._restated.discard(fact)

    def state(self, facts: Iterable[Fact]) -> None:
        """The log has stated these facts: they are known again."""
        if self._everything is None and not self._facts:
            return
        for fact in facts:
            self._facts.pop(fact, None)
            if self._everything is not None:
                self._restated.add(fact)

    def forget(self, facts: Iterable[Fact]) -> None:
        """What was stated of these facts is no longer of them: another thing bears the name."""
        self._restated.difference_update(facts)

    def fill(self, hole: Hole) -> None:
        """What one hole of some facts left open is known again; what another one has opened since stays open."""
        self._facts = {fact: other for fact, other in self._facts.items() if other is not hole}

    def close(self) -> None:
        """Everything has been stated."""
        self._everything = None
        self._restated = set()
        self._facts = {}

    def allow_anything(self) -> bool:
        """Whether some open hole may allow anything."""
        return any(hole.allows for hole in self._facts.values())

    def doubt(self, facts: Iterable[Fact] | None) -> Hole | None:
        """The hole in which one of `facts` lies (None: any fact at all), if there is one; the earliest if several."""
        everything = self._everything
        if everything is None and not self._facts:
            return None
        if facts is None:
            found = list(self._facts.values())
            if everything is not None:
                found.append(everything)
        else:
            found = []
            for fact in facts:
                hole = self._facts.get(fact)
                if hole is not None:
                    found.append(hole)
                elif everything is not None and fact not in self._restated:
                    found.append(everything)
        # Not the first that comes: the order of a set of facts differs from one run of Python to the next.
        return min(found, key=lambda hole: (hole.seq, hole.why), default=None)
