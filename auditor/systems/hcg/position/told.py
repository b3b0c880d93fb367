"""What the lines of a record tell as a whole. It changes with nothing that is played, and is asked anew of a record that is
told otherwise."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import compress
from operator import attrgetter, is_not
from typing import Any

from auditor.core.holes import Hole, Holes
from auditor.core.lazily import cached_property
from auditor.systems.hcg import records
from auditor.systems.hcg.position.lookahead import Later
from auditor.systems.hcg.position.lookahead_kinds import Kinds
from auditor.systems.hcg.position.parts import Action
from auditor.systems.hcg.records import (
    OF_A_PLAYER,
    BaEnd,
    BattleAction,
    BattleChoose,
    Cost,
    DeployFirst,
    Draw,
    End,
    Event,
    EventResolved,
    GameEnd,
    Mill,
    Modifier,
    Remark,
    Roll,
    SetupAbility,
    SetupFlip,
    SetupShips,
    SetupUnique,
    Tactic,
    TacticPass,
    TurnStart,
    Undo,
    VictoryReveal,
)

APART = (BattleAction, BaEnd, BattleChoose, SetupFlip, SetupUnique, SetupAbility, SetupShips)
"""Events that begin or end a battle action, or are of a set-up: what is played within one comes after them."""


class InRecord:
    """What the lines of one record tell as a whole, each worked out when it is asked for first: what is said later, where
    battle actions begin, which rolls take the place of others."""

    def __init__(self, events: Sequence[Any], players: Sequence[str]) -> None:
        self._lines = events
        self.players = (players[0], players[1])

    @cached_property
    def _kinds(self) -> Kinds:
        return Kinds(self._lines)

    @cached_property
    def _flips(self) -> list[int]:
        return sorted(event.seq for event in self._kinds.of(DeployFirst))

    @cached_property
    def _turns(self) -> list[int]:
        return sorted(event.seq for event in self._kinds.of(TurnStart))

    @cached_property
    def _choices(self) -> list[tuple[int, str]]:
        return sorted((event.seq, event.by or "") for event in self._kinds.of(BattleChoose))

    @cached_property
    def _instructions(self) -> dict[str, list[int]]:
        return _by_name(
            (event.source.card or "", event.seq) for event in self._kinds.of(SetupAbility) if event.source is not None
        )

    @cached_property
    def _turned_up(self) -> dict[str, list[int]]:
        return _by_name(
            (name, event.seq)
            for event in self._kinds.of(SetupFlip)
            for name in {"", *(one.card or "" for one in event.cards or ())}
        )

    @cached_property
    def _events(self) -> dict[str, list[int]]:
        return _by_name(
            (event.source.card or "", event.seq) for event in self._kinds.of(EventResolved) if event.source is not None
        )

    @cached_property
    def _reveals(self) -> dict[str, list[int]]:
        return _by_name((event.by or "", event.seq) for event in self._kinds.of(VictoryReveal))

    @cached_property
    def _took(self) -> dict[str, list[int]]:
        mills = (event for event in self._kinds.of(Cost) if event.op == "mill")
        took = (*self._kinds.of(Draw, Roll, Mill, DeployFirst), *mills)
        return _by_name((event.by or "", event.seq) for event in took)

    @cached_property
    def _tactics(self) -> list[int]:
        return sorted(event.seq for event in self._kinds.of(Tactic, TacticPass))

    @cached_property
    def rolls(self) -> frozenset[int]:
        """The numbers of the events that are rolls."""
        return frozenset(event.seq for event in self._kinds.of(Roll))

    @cached_property
    def rerolled(self) -> dict[int, int]:
        """That of a roll which a modifier names as the reroll of another -> that other."""
        named = ((event.reroll, event.roll) for event in self._kinds.of(Modifier))
        return {new: old for new, old in named if new is not None and old is not None}

    @cached_property
    def later(self) -> Later:
        return Later(self._lines, self._kinds)

    @cached_property
    def _played(self) -> list[Any]:
        return sorted(compress(self._lines, map(partial(is_not, Remark), map(type, self._lines))), key=_SEQ)

    @cached_property
    def _seqs(self) -> list[int]:
        return list(map(_SEQ, self._played))

    @cached_property
    def _ends(self) -> bool:
        return bool(self._kinds.of(GameEnd, End))

    @cached_property
    def _takes_back(self) -> bool:
        return Undo in set(map(type, self._lines))

    @cached_property
    def _shown(self) -> dict[int, Mapping[str, str]]:
        return {event.seq: event.ids for event in self._lines if isinstance(event, Event) and event.ids}

    @cached_property
    def shows(self) -> bool:
        """Whether lines tell of instances which cards they are."""
        return bool(self._shown)

    @cached_property
    def _actions(self) -> dict[int, int | None]:
        return {event.seq: event.ba for event in self._kinds.of(BattleAction)}

    @cached_property
    def _opens(self) -> list[int]:
        return sorted(self._actions)

    @cached_property
    def strangers(self) -> dict[int, str]:
        """The events in which somebody acts who is no player of this game -> who."""
        lines = list(compress(self._lines, map(OF_A_PLAYER.__contains__, map(type, self._lines))))
        strange = set(map(_BY, lines)).difference(self.players, (None,))  # mostly there is none
        return {event.seq: event.by for event in lines if event.by in strange} if strange else {}

    def shown_next(self, seq: int) -> Mapping[str, str]:
        """The cards of instances that the event after an event shows (`ids`): known as that event is judged."""
        at = bisect_right(self._seqs, seq)
        return self._shown.get(self._seqs[at], {}) if at < len(self._seqs) else {}

    def breaks_off_before(self, seq: int) -> bool:
        """Whether the record simply stops before an event of this number."""
        return not self._ends and self._seqs[-1] < seq

    def opens_next(self, seq: int, action: Action) -> bool:
        """Whether the event after an event opens another battle action; one of the same number is part of the open one."""
        at = bisect_right(self._seqs, seq)
        if at == len(self._seqs) or self._seqs[at] not in self._actions:
            return False
        return self._actions[self._seqs[at]] not in (action.n, action.said)

    def next_to(self, seq: int) -> Any:
        """The event after an event; None after the last."""
        at = bisect_right(self._seqs, seq)
        return self._played[at] if at < len(self._played) else None

    def sets_up_next(self, seq: int) -> SetupFlip | None:
        """The flip of a set-up that comes after an event; None of a record in which play was taken back."""
        event = self.next_to(seq) if not self._takes_back else None
        return event if isinstance(event, SetupFlip) else None

    def doubt_strangers(self, seq: int, holes: Holes) -> None:
        """Whoever acts in the event after an event and is no player: who it was, nobody knows."""
        if self.strangers and (event := self.next_to(seq)) is not None and event.seq in self.strangers:
            why = f"event {event.seq} is of {self.strangers[event.seq]}, who is no player of this game"
            holes.open(Hole(event.seq, why))

    def opened_before(self, seq: int) -> int:
        """The event before one that opens a battle action last; 0 where none does."""
        at = bisect_left(self._opens, seq)
        return self._opens[at - 1] if at else 0

    def took_before(self, seq: int, player: str) -> int:
        """The event before one with which a player took cards off the deck last; 0 where there is none."""
        took = self._took.get(player, [])
        at = bisect_left(took, seq)
        return took[at - 1] if at else 0

    def first_tactic(self, seq: int) -> int:
        """The first tactic, or pass, of the battle action that an event is of, before that event; else that event."""
        first = bisect_left(self._tactics, self.opened_before(seq))
        return min(self._tactics[first], seq) if first < len(self._tactics) else seq

    def begun_with(self, seq: int) -> int:
        """The first of the events before one, or that one, that stand in no battle action or within the same."""
        at = bisect_left(self._seqs, seq)
        while at and not _is_apart(self._played[at - 1]):
            at -= 1
        return self._seqs[at] if at < len(self._seqs) else seq

    def later_flip(self, seq: int) -> bool:
        """Whether the record goes on with a first-wave flip in the same turn after an event.

        What is recorded late is one fault, at the act that came too early, and not missed before.
        """
        at = bisect_right(self._flips, seq)
        if at == len(self._flips):
            return False
        turn = bisect_right(self._turns, seq)
        return turn == len(self._turns) or self._flips[at] < self._turns[turn]

    def later_choice(self, seq: int, player: str) -> bool:
        """Whether the record has a player choose a sector later in the same turn."""
        turn = bisect_right(self._turns, seq)
        end = self._turns[turn] if turn < len(self._turns) else None
        later = self._choices[bisect_right(self._choices, (seq, "\uffff")) :]
        return any(by == player for number, by in later if end is None or number < end)

    def later_instruction(self, seq: int, card: str) -> bool:
        """Whether the record has a card carry out its set-up instruction later, before the next battle."""
        return self._later(self._instructions, seq, card)

    def turned_up_later(self, seq: int, card: str = "") -> bool:
        """Whether the record turns up a card, or any at all, later and before the next battle."""
        return self._later(self._turned_up, seq, card)

    def later_event(self, seq: int, card: str) -> bool:
        """Whether the record has an event of a card carried out later, before the next battle."""
        return self._later(self._events, seq, card)

    def later_reveal(self, seq: int, player: str) -> bool:
        """Whether the record has a player show the command hand later, before the next battle."""
        return self._later(self._reveals, seq, player)

    def _later(self, found: Mapping[str, list[int]], seq: int, what: str) -> bool:
        numbers = found.get(what)
        if numbers is None or numbers[-1] <= seq:
            return False
        after = bisect_right(self._choices, (seq, "\uffff"))
        first = numbers[bisect_right(numbers, seq)]
        return after == len(self._choices) or first < self._choices[after][0]


_SEQ, _BY = attrgetter("seq"), attrgetter("by")


def _is_apart(event: records.Event) -> bool:
    return isinstance(event, APART) or (isinstance(event, Draw) and event.cause != "effect")


def _by_name(found: Iterable[tuple[str, int]]) -> dict[str, list[int]]:
    """Name -> its numbers, in order."""
    names: dict[str, list[int]] = {}
    for name, number in sorted(found):
        names.setdefault(name, []).append(number)
    return names
