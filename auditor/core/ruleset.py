"""What a game gives to the core: its rules, its readings, and a few functions over values. No base class."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from auditor.core.findings import Fault, Remark
from auditor.core.holes import Holes
from auditor.core.rulings import Hearing, Reading


class Event(Protocol):
    """One line of a record. `seq` is its number; the class tells its type (`Ruleset.events`)."""

    seq: int


class Position(Protocol):
    """What is on the table, and what is not known of it. Only a game's `adopt` and `correct` change it."""

    holes: Holes

    def copy(self) -> Any: ...


Check = Callable[[Any, Any, Any, Hearing], "Iterable[Remark] | None"]
"""check(event, resolved, position, hearing): None where it had nothing to look at, else what it saw; `RAN`: nothing."""

Topics = tuple[str, ...]
"""What an event is about beyond its type, in a game's own words: "ranged", "override". See `Rule.when`."""

Plan = tuple[tuple[int, Check], ...]
"""The checks that have something to look at in an event, each with its rule's place in the ruleset."""


def no_topics(event: Any, resolved: Any) -> Topics:
    """The topics of a game that has none: every rule looks at every event of its types."""
    return ()


@dataclass(frozen=True)
class Rule:
    """A rule in one place. Its text is the docstring of its check; a rule that no log can show has a reason instead.

    when   event type -> topics. Of events of that type the check looks at those only that have one of the topics; at
           others it has nothing to look at and would give back None. "*" stands for types that `events` does not name.
    """

    id: str
    title: str
    chapter: str
    source: str
    text: str
    events: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()
    check: Check | None = None
    why_not_auditable: str | None = None
    when: Mapping[str, Topics] = field(default_factory=dict)

    def looks_at(self, event_type: str, topics: Topics) -> bool:
        """Whether an event of this type and these topics may be anything to this rule."""
        if event_type not in self.events and "*" not in self.events:
            return False
        wanted = self.when.get(event_type if event_type in self.events else "*")
        return wanted is None or not set(wanted).isdisjoint(topics)


@dataclass(frozen=True)
class Ruleset:
    """A game, plugged in.

    events     event class -> its type name in logs
    opening    header of a record -> the position before its first event
    resolve    (event, position, hearing) -> what the rules make of it; pure, never refuses
    adopt      (event, resolved, position, hearing) -> None: the only place where the position changes: what the log
               claims, where it can exist, else what was recomputed. It asks readings only where it falls back on
               what was recomputed, and before it changes anything.
    correct    (event, resolved, position, hearing, fault) -> None: as adopt, but with the fault put right
    can_judge  (event, position as corrected, position as played) -> whether the event can still be judged there
    facts      position -> flat, drawable facts ({"TPs of um-1": 2}); two positions are compared by them in effects
    draw       (position, event or None) -> board as data, plain: whole numbers within ±(2^53 - 1), texts without lone
               surrogates; parts of it may be shared between boards
    describe   (event, position or None) -> one line that says what the event claims
    unfinished position -> what is still due, in sentences, at the end of a record
    moment     (event, position) -> {"round": …, "phase": …} for reports
    sift       (event, position, faults) -> the faults to report of one event, where a game reports one an act and puts
               the rest in `also`; the rules of such a game are followed through their readings together
    suspended  (event, position) -> ids of rules that something on the event takes out of force
    marks      (event, position) -> the act of an event as marks on the board before it
    sight      (event, position, hearing) -> the line of sight of a shot as data to draw, or None
    alike      fault -> what of it `correct` goes by: faults of one event that are alike in it are put right alike
    topics     (event, resolved) -> what the event is about, so that only the rules that may have to do with it look
    """

    key: str
    title: str
    version: str
    events: Mapping[type, str]
    rules: tuple[Rule, ...]
    readings: tuple[Reading, ...]
    opening: Callable[[Any], Any]
    resolve: Callable[[Any, Any, Hearing], Any]
    adopt: Callable[[Any, Any, Any, Hearing], None]
    correct: Callable[[Any, Any, Any, Hearing, Fault], None]
    can_judge: Callable[[Any, Any, Any], bool]
    facts: Callable[[Any], Mapping[str, Any]]
    draw: Callable[[Any, Any], dict[str, Any]]
    describe: Callable[[Any, Any], str]
    unfinished: Callable[[Any], Sequence[str]]
    moment: Callable[[Any, Any], dict[str, Any]]
    sift: Callable[[Any, Any, list[Fault]], list[Fault]] | None = None
    suspended: Callable[[Any, Any], frozenset[str]] | None = None
    marks: Callable[[Any, Any], list[dict[str, Any]]] | None = None
    sight: Callable[[Any, Any, Hearing], dict[str, Any] | None] | None = None
    alike: Callable[[Fault], Hashable] = id
    topics: Callable[[Any, Any], Topics] = no_topics
    _plans: dict[tuple[type, Topics], Plan] = field(init=False, repr=False, compare=False, default_factory=dict)

    def plan(self, kind: type, topics: Topics) -> Plan:
        """The checks for events of one class and some topics, worked out once."""
        plan = self._plans.get((kind, topics))
        if plan is None:
            plan = self._plans[kind, topics] = tuple(
                (slot, rule.check)
                for slot, rule in enumerate(self.rules)
                if rule.check is not None and rule.looks_at(self.events[kind], topics)
            )
        return plan

    def rule(self, rule_id: str) -> Rule:
        return next(rule for rule in self.rules if rule.id == rule_id)

    def reading(self, reading_id: str) -> Reading:
        return next(reading for reading in self.readings if reading.id == reading_id)


def rule(
    rule_id: str,
    title: str,
    *,
    chapter: str,
    source: str,
    events: Iterable[str],
    kinds: Iterable[str],
    readings: Iterable[str] = (),
    when: Mapping[str, Topics] | None = None,
) -> Callable[[Check], Rule]:
    """Declare a rule at its check; the check's docstring is the rule in our words."""

    def declare(check: Check) -> Rule:
        text = inspect.cleandoc(check.__doc__ or "")
        if not text:
            raise ValueError(f"{rule_id} has no text: its check needs a docstring")
        return Rule(
            rule_id, title, chapter, source, text, tuple(events), tuple(kinds), tuple(readings), check, when=when or {}
        )

    return declare


def not_auditable(rule_id: str, title: str, why: str, text: str, *, chapter: str, source: str) -> Rule:
    """Declare a rule that no log can show, with the reason."""
    return Rule(rule_id, title, chapter, source, inspect.cleandoc(text), why_not_auditable=why)
