"""What a game gives to the core: its rules, its readings, and a few functions over values. No base class."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, TypedDict, TypeVar

from auditor.core import bounds
from auditor.core.effects import Aside, Change
from auditor.core.fields import unclaimed
from auditor.core.findings import Evidence, Fact, Fault, Figure, Kind, Lack, Remark, Value
from auditor.core.holes import Holes
from auditor.core.naming import Named
from auditor.core.restated import Compared
from auditor.core.rulings import Hearing, Reading, Setting


class Event(Protocol):
    """One line of a record. `seq` is its number; the class tells its type (`Ruleset.events`)."""

    seq: int


class Position(Protocol):
    """What is on the table, and what is not known of it. Only a game's `adopt` and `undone` change it."""

    holes: Holes

    def copy(self) -> Any: ...


Check = Callable[[Any, Any, Any, Hearing], "Iterable[Remark] | None"]
"""check(event, resolved, position, hearing): None where it had nothing to look at, else what it saw; `RAN`: nothing."""

AnyCheck = TypeVar("AnyCheck", bound=Callable[..., Any])

Topics = tuple[str, ...]
"""What an event is about beyond its type, in a game's own words: "ranged", "override". See `Rule.when`."""


class Plan(NamedTuple):
    """The checks that have something to look at in an event, each with its rule's place in the ruleset; `clear`: the
    places of the rules that look at it too, and can find nothing there."""

    checks: tuple[tuple[int, Check], ...]
    clear: tuple[int, ...]


def no_topics(event: Any, resolved: Any) -> Topics:
    """The topics of a game that has none: every rule looks at every event of its types."""
    return ()


class Moment(TypedDict, total=False):
    """When in a game an event is, in a game's own words. What is not said is taken from the event before.

    part    the part of the game by which events are listed: "Set-up", "Round 2", "Battle 3, sector 2"
    short   the same for a column or a strip: "R2", "B3.2"; may be empty
    text    as exactly as a reader wants it: "Round 2, action phase"
    """

    part: str
    short: str
    text: str


@dataclass(frozen=True)
class Rule:
    """A rule in one place. Its text is the docstring of its check; a rule that no log can show has a reason instead.

    checks  event type -> the check of it, where a rule that looks at events of several types has one for each: see `at`
    when    event type -> topics. Of events of that type the check looks at those only that have one of the topics; at
            others it has nothing to look at and would give back None. "*" stands for types that `events` does not name.
    finds   event type -> topics. In events of that type without any of them there is nothing for the check to find, and
            no reading or missing claim to count: it would give back `RAN`, and is taken to have done so
    beside  the rule that looks at the same claim where it is for this one to look at nothing

    A check makes its faults through its rule (`pinned.illegal("…")`), so that a rule's id is written once.
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
    finds: Mapping[str, Topics] = field(default_factory=dict)
    beside: str | None = None
    checks: dict[str, Check] = field(default_factory=dict, repr=False, compare=False)

    def at(self, *event_types: str) -> Callable[[AnyCheck], AnyCheck]:
        """Declare the check of some of the rule's event types, beside its first one."""

        def declare(check: AnyCheck) -> AnyCheck:
            for event_type in event_types:
                if event_type not in self.events or event_type in self.checks:
                    raise ValueError(f"{self.id} looks at no event of type {event_type}, or has a check of it already")
                self.checks[event_type] = check
            return check

        return declare

    def check_of(self, event_type: str) -> Check | None:
        """The check of events of one type; None for a rule that no log can show."""
        return self.checks.get(event_type if event_type in self.events else "*", self.check)

    # -- what its checks see ----------------------------------------------------------------------------------

    def fault(
        self,
        kind: Kind,
        text: str,
        *subject: str,
        player: str | None = "",
        claimed: Value = None,
        recomputed: Value = None,
        figures: Sequence[Figure] = (),
        rests_on: tuple[Fact, ...] | None = None,
        evidence: Callable[[], Evidence] | None = None,
        seq: int | None = None,
        would_be: Kind | None = None,
        due: Callable[[], Any] | None = None,
        lacks: Lack | None = None,
    ) -> Fault:
        """A fault under this rule; what the fields mean, `Fault` says."""
        return Fault(
            self.id,
            kind,
            text,
            subject,
            player,
            claimed,
            recomputed,
            tuple(figures),
            rests_on,
            seq,
            (),
            evidence,
            would_be,
            due=due,
            lacks=lacks,
        )

    def illegal(self, text: str, *subject: str, **more: Any) -> Fault:
        return self.fault("illegal", text, *subject, **more)

    def miscalculated(
        self, text: str, *subject: str, claimed: Mapping[str, Any], recomputed: Mapping[str, Any], **more: Any
    ) -> Fault:
        return self.fault("miscalculated", text, *subject, claimed=dict(claimed), recomputed=dict(recomputed), **more)

    def omitted(self, text: str, *subject: str, **more: Any) -> Fault:
        return self.fault("omitted", text, *subject, **more)

    def ambiguous(self, text: str, *subject: str, **more: Any) -> Fault:
        return self.fault("ambiguous", text, *subject, **more)

    def missing(self, facts: Iterable[str], *subject: str, player: str | None = "") -> Fault:
        """The log lacks facts that the rule needs."""
        what = " and ".join(facts)
        return self.ambiguous(f"The record does not state {what}, so this cannot be judged.", *subject, player=player)


_Looking = tuple[int, Check, Topics | None, Topics | None]
"""The place of a rule, its check of some event type, and `Rule.when` and `Rule.finds` of that type."""


def nothing_measured(record: Any, settings: Mapping[str, str]) -> tuple[Mapping[str, str], tuple[str, ...]]:
    """Of a game whose records are exact."""
    return {}, ()


@dataclass(frozen=True)
class Ruleset:
    """A game, plugged in.

    events     event class -> its type name in logs
    opening    header of a record -> the position before its first event
    resolve    (event, position, hearing) -> what the rules make of it; pure, never refuses
    adopt      (event, resolved, position, hearing) -> None: the only place where the position changes: what the log
               claims, where it can exist, else what was recomputed. It asks readings only where it falls back on
               what was recomputed, and before it changes anything.
    undone     (event, resolved, position, hearing, fault) -> None: goes on as if what was not allowed in an event had not
               been done; what stays of it, dice and TPs that are spent, the game knows
    right      (event, fault) -> the event with its claims as the rules have them, for `adopt`; without it those that
               follow from its facts are left out
    about      (event, position) -> what of the position an event is about, as where those stand that it names: in a corrected
               game it can be judged only where that is as it was played
    facts      position -> flat, drawable facts ({"TPs of um-1": 2}); two positions are compared by them in effects
    draw       (position, event or None) -> board as data, plain: whole numbers within ±(2^53 - 1), texts without lone
               surrogates; parts of it may be shared between boards
    describe   (event, position or None) -> one line that says what the event claims
    unfinished position -> what is still due, in sentences, at the end of a record
    moment     (event, position) -> when it is, as a reader says it; see Moment
    gives_way  rule -> the rules to which it gives way: where faults of both are of one kind, or about one claim, that of
               the other speaks for the act, and this rule is named in its `also`
    group      (event, position, faults) -> the same faults by act, where a game tells acts apart otherwise. It gets faults
               of one event that hold under the same readings, in the order of `precedence`, and gives each of them back
               once; the first of a group, by that order, speaks for it
    precedence rules, or families of rules ("CLX-USR"), in the order in which they speak for an act; those that are not
               named come after them, as they stand in `rules`
    suspended  (event, position) -> ids of rules that something on the event takes out of force
    marks      (event, position) -> the act of an event as marks on the board before it
    sight      (event, position, hearing) -> the line of sight of a shot as data to draw, or None
    same_for   (event, resolved, position, other position) -> whether an event is judged the same in both, since nothing
               that tells them apart is read by any rule that looks at it (`resolved` is of the first). Lanes are then
               judged as one. A game that does not say is judged in each; one that says so wrongly is wrong
    watched    (event, resolved, position, cells, hearing) -> a twin of the position that adds to `cells` every cell that is
               asked of it, and what the event is resolved to there. A check that accuses while something is in doubt
               looks once more, on such a twin: what it read until it told a fault is what that rests on, where
               nothing is written (`Fault.rests_on`). A game without it says by hand what its faults rest on
    stated     (event, position) -> what the event states again of the position before it (`restated.Compared`)
    otherwise  (position, cells in doubt) -> those of them that may be few things, and a position for each way in which they
               may be: a fault that its check sees in all of these does not rest on them
    unstated   (event, resolved) -> what is not stated of it, as it stands after "cannot be told": nothing in it accuses
               anybody then
    unread     (event, position, fault) -> the words of a text that nobody could read and that may allow what is accused
    recorded   record -> what its lines tell as a whole; retold: (position, what a record tells) -> None: the position goes
               on in that record
    aftermath  (event, position before it, hearing, fault) -> what is to be said of the effect of a fault beyond the facts
               that differ: what dice not rolled might have brought, why the corrected position is what it is
    rightly    (event, position, hearing, fault) -> whether it could: adopt an event of which something was not allowed, or
               was left out, as it should have been done, where the rules leave no choice of that. The position is
               changed only then
    gain       (position before its event, fault with its player, what it changed) -> the player to whose advantage it
               was, or "unknown"
    names      position at the end -> the names of ids, by which findings are told (`naming`)
    remedy     fault -> what is suggested to be done now: {"code", "text"}
    settings   the numbers that a tournament may set; `hearing.settings[name]` has each, as text
    measured   (record, settings in force) -> settings that a replay of it has beside these, and what is to be said of that
    ends       names of the events that end a record; one without any of them breaks off. Empty: its records need none
    fields     what the game adds to a finding under `game_fields` (`Fault.game_fields`): name -> what it means
    topics     (event, resolved) -> what the event is about, so that only the rules that may have to do with it look
    weight     (event, position) -> how much work (`core/work.py`) it is to judge an event once: found out in no time, and
               more where the event or what is open in the position is long
    size       position -> how many things are on its board, by which copies and drawings are counted
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
    undone: Callable[[Any, Any, Any, Hearing, Fault], None]
    about: Callable[[Any, Any], Hashable]
    facts: Callable[[Any], Mapping[str, Any]]
    draw: Callable[[Any, Any], dict[str, Any]]
    describe: Callable[[Any, Any], str]
    unfinished: Callable[[Any], Sequence[str]]
    moment: Callable[[Any, Any], Moment]
    group: Callable[[Any, Any, list[Fault]], Iterable[Sequence[Fault]]] | None = None
    gives_way: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    precedence: tuple[str, ...] = ()
    suspended: Callable[[Any, Any], frozenset[str]] | None = None
    marks: Callable[[Any, Any], list[dict[str, Any]]] | None = None
    sight: Callable[[Any, Any, Hearing], dict[str, Any] | None] | None = None
    topics: Callable[[Any, Any], Topics] = no_topics
    same_for: Callable[[Any, Any, Any, Any], bool] | None = None
    watched: Callable[[Any, Any, Any, set[Fact], Hearing], tuple[Any, Any]] | None = None
    stated: Callable[[Any, Any], Compared] | None = None
    otherwise: Callable[[Any, set[Fact]], tuple[set[Fact], Iterable[Any]]] | None = None
    unstated: Callable[[Any, Any], str | None] | None = None
    unread: Callable[[Any, Any, Fault], str | None] | None = None
    weight: Callable[[Any, Any], int] = lambda event, position: bounds.WORK_OF_AN_EVENT
    size: Callable[[Any], int] = lambda position: 1
    aftermath: Callable[[Any, Any, Hearing, Fault], Aside] | None = None
    right: Callable[[Any, Fault], Any] = lambda event, fault: unclaimed(event)
    rightly: Callable[[Any, Any, Hearing, Fault], bool] | None = None
    gain: Callable[[Any, Fault, Sequence[Change]], str] | None = None
    names: Callable[[Any], Mapping[str, Named]] | None = None
    remedy: Callable[[Fault], Mapping[str, str]] | None = None
    recorded: Callable[[Any], Any] | None = None
    retold: Callable[[Any, Any], None] | None = None
    settings: tuple[Setting, ...] = ()
    measured: Callable[[Any, Mapping[str, str]], tuple[Mapping[str, str], tuple[str, ...]]] = nothing_measured
    ends: frozenset[str] = frozenset({"end"})
    fields: Mapping[str, str] = field(default_factory=dict)
    _plans: dict[tuple[type, Topics], Plan] = field(init=False, repr=False, compare=False, default_factory=dict)
    _of_type: dict[type, tuple[_Looking, ...]] = field(init=False, repr=False, compare=False, default_factory=dict)
    _places: dict[str, int] = field(init=False, repr=False, compare=False, default_factory=dict)
    _before: dict[str, frozenset[str]] = field(init=False, repr=False, compare=False, default_factory=dict)

    def __post_init__(self) -> None:
        named = {name: place for place, name in enumerate(self.precedence)}
        for place, one in enumerate(self.rules, len(named)):
            family = one.id.rpartition("-")[0]
            self._places[one.id] = named.get(one.id, named.get(family, place))
        for rule_id, others in self.gives_way.items():
            before = list(others)
            for other in before:
                before += [one for one in self.gives_way.get(other, ()) if one not in before]
            if rule_id in before:
                raise ValueError(f"{rule_id} gives way to itself")
            self._before[rule_id] = frozenset(before)

    def place(self, fault: Fault) -> int:
        """Where the rule of a fault stands among those that one act breaks: the first speaks for it (`precedence`)."""
        return self._places[fault.rule]

    def may_be_one_act(self, rules: Collection[str]) -> bool:
        """Whether faults of these rules can belong to one act."""
        before = self._before
        return self.group is not None or any(not before[one].isdisjoint(rules) for one in rules if one in before)

    def acts(self, event: Any, position: Any, faults: Iterable[Fault]) -> list[list[Fault]]:
        """Faults of one event that hold under the same readings, by act: the first of each speaks for it."""
        faults = sorted(faults, key=self.place)
        if self.group is not None:
            return [sorted(act, key=self.place) for act in self.group(event, position, faults)]
        acts: dict[int, list[Fault]] = {}
        for one in faults:
            head = one
            while (other := next((other for other in faults if self._gives_way(head, other)), None)) is not None:
                head = other
            act = acts.setdefault(id(head), [head])
            if one is not head:
                act.append(one)
        return list(acts.values())

    def _gives_way(self, fault: Fault, other: Fault) -> bool:
        """Whether another fault speaks for a fault: of one act is what is of one kind, or about one claim."""
        if other.rule not in self._before.get(fault.rule, ()) or fault.player != other.player:
            return False
        return _kind(fault) == _kind(other) or bool(_claims(fault) & _claims(other))

    def plan(self, kind: type, topics: Topics) -> Plan:
        """The checks for events of one class and some topics, worked out once."""
        plan = self._plans.get((kind, topics))
        if plan is None:
            mine = self._of_type.get(kind)
            if mine is None:
                mine = self._of_type[kind] = self._looking_at(self.events[kind])
            said = frozenset(topics)
            checks: list[tuple[int, Check]] = []
            clear: list[int] = []
            for slot, check, when, finds in mine:
                if when is not None and said.isdisjoint(when):
                    continue
                if finds is not None and said.isdisjoint(finds):
                    clear.append(slot)
                else:
                    checks.append((slot, check))
            plan = self._plans[kind, topics] = Plan(tuple(checks), tuple(clear))
        return plan

    def _looking_at(self, name: str) -> tuple[_Looking, ...]:
        """The checks of one event type, each with its rule's place, the topics that it is for, None for any, and those
        with which it can find something, None for any."""
        return tuple(
            (slot, check, rule.when.get(key := name if name in rule.events else "*"), rule.finds.get(key))
            for slot, rule in enumerate(self.rules)
            if (name in rule.events or "*" in rule.events) and (check := rule.check_of(name)) is not None
        )

    def correct(self, event: Any, position: Any, hearing: Hearing, fault: Fault) -> None:
        """Adopt an event with one fault put right: an act that was not allowed is not done, and a wrong or a missing result
        is what the rules make of the event. Readings are asked before anything is changed."""
        if fault.kind == "illegal":
            self.undone(event, self.resolve(event, position, hearing), position, hearing, fault)
        else:
            right = self.right(event, fault)
            self.adopt(right, self.resolve(right, position, hearing), position, hearing)

    def rule(self, rule_id: str) -> Rule:
        return next(rule for rule in self.rules if rule.id == rule_id)

    def reading(self, reading_id: str) -> Reading:
        return next(reading for reading in self.readings if reading.id == reading_id)


def _kind(fault: Fault) -> Kind:
    return fault.would_be or fault.kind


def _claims(fault: Fault) -> frozenset[str]:
    """The fields whose claims a fault is about."""
    return frozenset(fault.claimed) if isinstance(fault.claimed, Mapping) else frozenset()


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
    finds: Mapping[str, Topics] | None = None,
    beside: str | None = None,
) -> Callable[[Check], Rule]:
    """Declare a rule at its check; the check's docstring is the rule in our words."""

    def declare(check: Check) -> Rule:
        text = inspect.cleandoc(check.__doc__ or "")
        if not text:
            raise ValueError(f"{rule_id} has no text: its check needs a docstring")
        return Rule(
            rule_id,
            title,
            chapter,
            source,
            text,
            tuple(events),
            tuple(kinds),
            tuple(readings),
            check,
            when=when or {},
            finds=finds or {},
            beside=beside,
        )

    return declare


def not_auditable(rule_id: str, title: str, why: str, text: str, *, chapter: str, source: str) -> Rule:
    """Declare a rule that no log can show, with the reason."""
    return Rule(rule_id, title, chapter, source, inspect.cleandoc(text), why_not_auditable=why)
