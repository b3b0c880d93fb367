"""What a record says later of an ability that was announced: looked up once for the whole record."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Sequence
from functools import cached_property
from operator import itemgetter
from typing import Any, TypeVar

from auditor.systems.hcg import records
from auditor.systems.hcg.position.lookahead_kinds import Kinds

_ANNOUNCES = (
    records.BaCard, records.BaAbility, records.BaAssault, records.Tactic, records.Reaction, records.Modifier,
    records.SetupAbility, records.EventResolved,
)  # fmt: skip


_T = TypeVar("_T")
_DOES = (records.Effect, records.Damage, records.Draw, records.Change)


def _needed_next(events: Sequence[Any]) -> frozenset[int]:
    """The refills that stand directly before an event that takes a card off the deck of the same player, or before the end
    of a record that breaks off."""
    takes = (records.Draw, records.Roll, records.DeployFirst, records.Mill)
    found: set[int] = set()
    waiting: list[Any] = []
    for event in events:
        if isinstance(event, records.Reshuffle):
            waiting.append(event)
        elif waiting and not isinstance(event, records.Remark):
            mills = isinstance(event, records.Cost) and event.op == "mill"
            if isinstance(event, takes) or mills:
                by = getattr(event, "by", None)
                found.update(one.seq for one in waiting[-2:] if by in (one.by, None))
            elif breaks_off(event):
                found.update(one.seq for one in waiting)
            waiting = []
    return frozenset({*found, *(one.seq for one in waiting)})


def breaks_off(event: records.Event) -> bool:
    """Whether a record ends here in a way that leaves nothing omitted (catalogue 5.3, *End*)."""
    if isinstance(event, records.End):
        return event.reason != "finished"
    return isinstance(event, records.GameEnd) and event.reason in ("concession", "time", "judge", "deck_loss")


class _Places:
    """What comes off which deck."""

    def __init__(self, events: Sequence[Any]) -> None:
        self.off: dict[str, list[tuple[int, frozenset[str]]]] = {}
        for event in events:
            player = getattr(event, "by", None)
            if player is not None and (off := _off_the_deck(event)) is not None:
                self.off.setdefault(player, []).append((event.seq, off))


class _Uses:
    """Where a record says something of an ability, by the card that it is of."""

    def __init__(self, kinds: Kinds) -> None:
        self.announced: dict[str, list[int]] = {}
        self.named: dict[str, list[int]] = {}
        self.costs: dict[str, list[int]] = {}
        self.tests: dict[str, list[int]] = {}
        self.by_op: dict[tuple[str, str | None], list[int]] = {}
        self.does: dict[str, list[int]] = {}
        self.xs: dict[str, list[int]] = {}
        for event in kinds.of(*_ANNOUNCES, records.Cost, records.Roll, *_DOES):
            card = _card_of(event)
            if card is not None:
                if isinstance(event, _ANNOUNCES):
                    self.announced.setdefault(card, []).append(event.seq)
                elif isinstance(event, records.Cost):
                    self.costs.setdefault(card, []).append(event.seq)
                    self.by_op.setdefault((card, event.op), []).append(event.seq)
                elif isinstance(event, records.Roll) and event.purpose in (None, "test"):
                    self.tests.setdefault(card, []).append(event.seq)
                if not isinstance(event, _ANNOUNCES) and (
                    getattr(event, "x", None) is not None or getattr(event, "need", None) is not None
                ):
                    self.xs.setdefault(card, []).append(event.seq)
                if isinstance(event, _DOES):
                    self.does.setdefault(card, []).append(event.seq)
                    if _names_cards(event):
                        self.named.setdefault(card, []).append(event.seq)


class _Goes:
    """Where cards are sent back in a set-up."""

    def __init__(self, kinds: Kinds) -> None:
        self.returned: dict[str, list[int]] = {}
        for event in kinds.of(records.SetupUnique):
            for instance in event.returned or ():
                self.returned.setdefault(instance, []).append(event.seq)


class Later:
    """The events of a record by the card whose ability they belong to. What is asked only of a line that cannot be true is
    looked up when it is asked first."""

    def __init__(self, events: Sequence[Any], kinds: Kinds) -> None:
        self._events = events
        self._kinds = kinds
        self._battles: list[int] = sorted(event.seq for event in kinds.of(records.BattleChoose))

    @cached_property
    def _of(self) -> _Uses:
        return _Uses(self._kinds)

    @cached_property
    def _goes(self) -> _Goes:
        return _Goes(self._kinds)

    @cached_property
    def _places(self) -> _Places:
        return _Places(self._events)

    @cached_property
    def _needed(self) -> frozenset[int]:
        return _needed_next(self._events)

    @cached_property
    def _deployed(self) -> list[int]:
        """Where the deployment of a turn is over at the latest: with the mark of the next phase too, where no card is sent
        after that."""
        kinds = (records.TurnStart, records.TurnEnd, records.BattleChoose, records.BattleNone)
        found = sorted(event.seq for event in self._kinds.of(*kinds))
        sent = sorted(event.seq for event in self._kinds.of(records.DeployFirst, records.DeployRegular))
        for event in self._kinds.of(records.PhaseStart):
            next_one, over = bisect_right(sent, event.seq), bisect_right(found, event.seq)
            still = next_one < len(sent) and (over == len(found) or sent[next_one] < found[over])
            if event.phase in ("battle", "end") and not still:
                insort(found, event.seq)
        return found

    @cached_property
    def _sent(self) -> dict[tuple[type, str], list[tuple[int, int | None]]]:
        """When and where each player sends first-wave cards and deploys cards."""
        found: dict[tuple[type, str], list[tuple[int, int | None]]] = {}
        for event in self._kinds.of(records.DeployFirst, records.DeployRegular):
            found.setdefault((type(event), event.by or ""), []).append((event.seq, event.sector))
        return found

    @cached_property
    def _picked(self) -> dict[tuple[str, str], list[int]]:
        """Who discards for which card."""
        found: dict[tuple[str, str], list[int]] = {}
        for event in self._events:
            if isinstance(event, (records.Discard, records.Cost)) and (card := _card_of(event)) is not None:
                found.setdefault((card, event.by or ""), []).append(event.seq)
        return found

    @cached_property
    def _marks(self) -> list[tuple[int, tuple[str, int | None] | None]]:
        """Where battle actions begin and end, and with which number; None where a battle does."""
        kinds = (records.BattleAction, records.BaEnd, records.BattleChoose, records.BattleEnd, records.Position)
        found: list[tuple[int, tuple[str, int | None] | None]] = []
        for event in self._kinds.of(*kinds):
            if isinstance(event, records.BattleAction):
                found.append((event.seq, ("begins", event.ba)))
            else:
                found.append((event.seq, ("ends", event.ba) if isinstance(event, records.BaEnd) else None))
        return found

    @cached_property
    def _phases(self) -> list[tuple[int, str | None]]:
        """Of which phase each act is."""
        found: list[tuple[int, str | None]] = []
        for event in self._kinds.of(records.TurnStart, *_PHASED):
            if isinstance(event, records.TurnStart):
                found.append((event.seq, None))
            elif (phase := _phase_of(event)) is not None:
                found.append((event.seq, phase))
        return found

    @cached_property
    def _begin_anew(self) -> list[int]:
        """Where what an ability does is over."""
        return sorted(event.seq for event in self._kinds.of(*_BEGINS_ANEW))

    @cached_property
    def _barely(self) -> dict[tuple[type, str | None, str | None], list[int]]:
        """Where bare events are, by their kind, the card whose ability they are of, and the player, or whoever it is."""
        found: dict[tuple[type, str | None, str | None], list[int]] = {}
        for event in self._kinds.of(records.Draw, records.Change):
            for by in (getattr(event, "by", None), _ANYBODY):
                found.setdefault((type(event), _card_of(event), by), []).append(event.seq)
        return {key: sorted(numbers) for key, numbers in found.items()}

    def within_a_battle_action(self, seq: int, before: int | None) -> bool:
        """Whether the next event belongs to a battle action and opens none: it bears the number of one that is being played
        when `before` of the battle were closed (None: nobody knows how many), or none and stands nowhere else."""
        silent = (records.Remark, records.Judge, records.Position, records.Reshuffle)
        event = next((one for one in self._events if one.seq > seq and not isinstance(one, silent)), None)
        if not isinstance(event, records.Event) or isinstance(event, records.BattleAction):
            return False
        if event.ba is None:
            return isinstance(event, _WITHIN) or (isinstance(event, _DOES) and _is_of_an_ability(event))
        return before is None or event.ba in (before, before + 1)

    def closed_before(self, seq: int) -> int | None:
        """The number of the battle action that is closed before the next one is opened from an event on, as the record numbers
        those that follow in the same battle; None where it does not."""
        opened = 0
        for event in self._events:
            if event.seq < seq or not isinstance(event, records.Event):
                continue
            if isinstance(event, (records.BattleChoose, records.BattleEnd, records.Position)):
                return None
            opened += isinstance(event, records.BattleAction)
            if opened and event.ba is not None:
                return event.ba - opened if event.ba > opened else None
        return None

    def says_barely(self, kind: type, card: str | None, since: int, players: Sequence[str]) -> bool:
        """Whether a bare event of a kind is recorded of the ability of a card: after an event, before another battle action,
        event or instruction begins; of one of some players, where any are named."""
        at = bisect_right(self._begin_anew, since)
        end = self._begin_anew[at] if at < len(self._begin_anew) else None
        for source in {None, card}:
            for by in (None, *players) if players else (_ANYBODY,):
                found = self._barely.get((kind, source, by), [])
                at = bisect_right(found, since)
                if at < len(found) and (end is None or found[at] < end):
                    return True
        return False

    def marks_next(self, seq: int) -> tuple[str, int | None] | None:
        """Whether a battle action "begins" or "ends" next after an event, in the same battle, and which number it bears."""
        return _after(self._marks, seq)

    def phase_next(self, seq: int) -> str | None:
        """The phase of the next act of a turn after an event that tells its phase."""
        return _after(self._phases, seq)

    def off_the_deck(self, seq: int, player: str) -> frozenset[str]:
        """The cards that come off a player's deck next after an event, as far as they are named; none after a refill."""
        found = self._places.off.get(player, [])
        at = bisect_right(found, seq, key=lambda one: one[0])
        return found[at][1] if at < len(found) else frozenset()

    def discards_more(self, event: records.Event, player: str) -> bool:
        """Whether a player discards more for the ability of an event, before the next ability of its card."""
        card = _card_of(event) or ""
        return self._before_the_next(self._picked.get((card, player), []), event.seq, card)

    def sends(self, seq: int, player: str, kind: type) -> Sequence[int | None] | None:
        """The sectors to which a player still sends first-wave cards, or deploys cards, after an event of the same turn;
        None where the record breaks off before its deployment is over."""
        over = bisect_right(self._deployed, seq)
        if over == len(self._deployed):
            if kind is not records.DeployFirst or not self._goes_on_to_deploy(seq):
                return None
            return [sector for _, sector in _between(self._sent.get((kind, player), []), seq, None)]
        return [sector for _, sector in _between(self._sent.get((kind, player), []), seq, self._deployed[over])]

    def _goes_on_to_deploy(self, seq: int) -> bool:
        """Whether the record goes on past the first wave."""
        marks = any(event.phase == "deployment" and event.seq > seq for event in self._kinds.of(records.PhaseStart))
        return marks or any(event.seq > seq for event in self._kinds.of(records.DeployRegular))

    def needs_next(self, seq: int) -> bool:
        """Whether a refill of a deck stands directly before the event that needs a card of it."""
        return seq in self._needed

    def names_cards(self, seq: int, card: str) -> bool:
        """Whether an effect or a change of the ability that an event announces names the cards it befell."""
        return self._before_the_next(self._of.named.get(card, []), seq, card)

    def pays(self, seq: int, card: str, op: str | None = None) -> bool:
        """Whether a cost of an ability of a card, or one of a kind, is paid after an event, before its next ability."""
        found = self._of.costs.get(card, []) if op is None else self._of.by_op.get((card, op), [])
        return self._before_the_next(found, seq, card)

    def tests(self, seq: int, card: str) -> bool:
        """Whether a test of an ability of a card is rolled after an event, before its next ability."""
        return self._before_the_next(self._of.tests.get(card, []), seq, card)

    def tells_x(self, seq: int, card: str) -> bool:
        """Whether a later event of an ability tells its X: by `x`, or by the number that its test needs."""
        return self._before_the_next(self._of.xs.get(card, []), seq, card)

    def returns(self, seq: int, instance: str) -> bool:
        """Whether a unique card is sent back later in the set-up of the same battle."""
        return self._in_this_battle(self._goes.returned.get(instance, []), seq)

    def does(self, seq: int, card: str) -> bool:
        """Whether something that an ability of a card did is recorded after an event, before its next ability."""
        return self._before_the_next(self._of.does.get(card, []), seq, card)

    def _in_this_battle(self, found: list[int], seq: int) -> bool:
        battle, at = bisect_right(self._battles, seq), bisect_right(found, seq)
        return at < len(found) and (battle == len(self._battles) or found[at] < self._battles[battle])

    def _before_the_next(self, found: list[int], seq: int, card: str) -> bool:
        ends = self._of.announced.get(card, [])
        at, end = bisect_right(found, seq), bisect_right(ends, seq)
        return at < len(found) and (end == len(ends) or found[at] < ends[end])


def _card_of(event: records.Event) -> str | None:
    if isinstance(event, records.BaCard):
        return event.card
    if isinstance(event, records.BaAssault):
        return event.unit
    source = getattr(event, "source", None)
    return source.card if isinstance(source, records.Source) else None


_ANYBODY = ""


def _after(found: list[tuple[int, _T]], seq: int) -> _T | None:
    """What stands first after an event."""
    at = bisect_right(found, seq, key=lambda one: one[0])
    return found[at][1] if at < len(found) else None


def _between(found: list[tuple[int, _T]], seq: int, end: int | None) -> list[tuple[int, _T]]:
    """What stands after an event and before another (None: the end of the record)."""
    to = len(found) if end is None else bisect_left(found, end, key=_NUMBER)
    return found[bisect_right(found, seq, key=_NUMBER) : to]


_NUMBER = itemgetter(0)


_PHASED = (
    records.DeployFirst, records.DeployRegular, records.Draw, records.BattleChoose, records.BattleNone,
    records.BattleAction, records.EndShips, records.EndCheck, records.TurnEnd,
)  # fmt: skip


def _phase_of(event: records.Event) -> str | None:
    """The phase that an act belongs to; None where it tells none."""
    if isinstance(event, records.DeployFirst):
        return "first_wave"
    if isinstance(event, records.DeployRegular) or (isinstance(event, records.Draw) and event.cause == "deployment"):
        return "deployment"
    if isinstance(event, (records.BattleChoose, records.BattleNone, records.BattleAction)):
        return "battle"
    return "end" if isinstance(event, (records.EndShips, records.EndCheck, records.TurnEnd)) else None


def _off_the_deck(event: records.Event) -> frozenset[str] | None:
    """The cards that an event names as taken off a deck, none for a refill; None for other events."""
    if isinstance(event, records.Reshuffle):
        return frozenset()
    if isinstance(event, (records.Draw, records.Mill)) or (isinstance(event, records.Cost) and event.op == "mill"):
        return frozenset(event.cards or ())
    if isinstance(event, (records.Roll, records.DeployFirst)):
        return frozenset(() if event.card is None else (event.card,))
    return None


_BEGINS_ANEW = (
    records.BattleAction, records.BaEnd, records.BattleEnd, records.BattleChoose, records.SetupAbility,
    records.EventResolved, records.VictoryDiscard,
)  # fmt: skip
"""Events before which what an ability does is over."""

_WITHIN = (
    records.Block, records.BlockNone, records.Cost, records.Roll, records.RollFinal, records.Tactic, records.TacticPass,
    records.Reaction, records.ReactionPass, records.Modifier, records.ModifierPass, records.Effect, records.Damage,
    records.Sweep, records.SweepNone, records.Special, records.SpecialNone, records.BaEnd,
)  # fmt: skip
"""Events that stand in battle actions alone, while a battle is being fought."""


def _is_of_an_ability(event: Any) -> bool:
    """Whether a draw or a change says that an ability did it."""
    return event.cause == "effect" or event.source is not None


def _names_cards(event: records.Event) -> bool:
    if isinstance(event, records.Effect):
        return bool(event.targets)
    if isinstance(event, records.Damage):
        return event.to is not None
    if getattr(event, "choices", None) is not None:
        return True
    return isinstance(event, records.Change) and bool(event.cards)
