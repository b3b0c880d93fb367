"""What a record says later of who fought whom, on what an ability took effect, and which cards lived on."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from auditor.core.work import spend
from auditor.systems.hcg import records

_ANNOUNCES = (
    records.BaCard, records.BaAbility, records.BaAssault, records.Tactic, records.Reaction, records.Modifier,
    records.SetupAbility, records.EventResolved,
)  # fmt: skip
_OF_AN_ABILITY = (records.Effect, records.Damage, records.Draw, records.Change, records.Cost, records.Roll)


class Listing(NamedTuple):
    """The cards at a sector that a line lists when its battle is over: taken, reset, or left by whoever withdraws.

    player  whose cards alone are listed; None: those of both
    whole   whether ready cards stand in it as well
    """

    seq: int
    sector: int | None
    player: str | None
    cards: frozenset[str]
    whole: bool


class _Lives:
    """Which cards a record shows in play, which to have left it, and what it lists when battles are over."""

    def __init__(self, events: Sequence[Any]) -> None:
        self.in_play: dict[str, list[int]] = {}
        self.gone: dict[str, list[int]] = {}
        self.listings: list[Listing] = []
        sector: int | None = None
        for event in events:
            if isinstance(event, (records.BattleChoose, records.Position)):
                sector = event.sector
            for instance in _in_play(event):
                self.in_play.setdefault(instance, []).append(event.seq)
            for instance in _out_of_play(event):
                self.gone.setdefault(instance, []).append(event.seq)
            if (listed := _listed(event, sector)) is not None:
                self.listings.append(listed)


class Fights:
    """The fights of a record, looked up once."""

    def __init__(self, events: Sequence[Any]) -> None:
        self._events = events
        self._seqs = [event.seq for event in events]

    @cached_property
    def _lives(self) -> _Lives:
        return _Lives(self._events)

    @cached_property
    def _stances(self) -> dict[str, list[tuple[int, frozenset[str]]]]:
        """How each card can stand for what the record says of it."""
        found: dict[str, list[tuple[int, frozenset[str]]]] = {}
        assaulted = False
        for event in self._events:
            if isinstance(event, (records.BaShoot, records.BaAssault, records.Sweep)):
                assaulted = not isinstance(event, records.BaShoot)
            for instance, stances in _standing(event, assaulted):
                found.setdefault(instance, []).append((event.seq, stances))
        return found

    def stands_ready(self, seq: int, instance: str, stance: str) -> bool:
        """Whether the next line after an event that tells how a card stands tells that it is ready, and not as it stood."""
        found = self._stances.get(instance, [])
        at = bisect_right(found, seq, key=lambda one: one[0])
        return at < len(found) and "ready" in found[at][1] and stance not in found[at][1]

    def _within(self, seq: int, *ends: type) -> Iterator[Any]:
        """The events after one, up to the next of some types."""
        for n in range(bisect_right(self._seqs, seq), len(self._events)):
            spend(1)
            if isinstance(self._events[n], ends):
                return
            yield self._events[n]

    def blows(self, seq: int) -> list[records.Damage]:
        """The damage of attacks after an event, in the same battle action."""
        return [one for one in self._action(seq) if isinstance(one, records.Damage) and not one.by_ability]

    def attackers(self, seq: int) -> list[str]:
        """The units that sweep or whose special assault takes effect after an event, in the same battle action."""
        kinds = (records.Sweep, records.SweepNone, records.Special, records.SpecialNone)
        return [one.unit for one in self._action(seq) if isinstance(one, kinds) and one.unit is not None]

    def is_blocked(self, seq: int) -> bool:
        """Whether an attack is blocked after the event that opens it, before any damage."""
        found = (one for one in self._action(seq) if isinstance(one, (records.Block, records.Damage)))
        return isinstance(next(found, None), records.Block)

    def _action(self, seq: int) -> Iterator[Any]:
        return self._within(seq, records.BattleAction, records.BattleEnd, records.BattleChoose)

    def assaulters(self, seq: int) -> list[str]:
        """The units that assault after an event, in the same battle, and do not charge before that."""
        found: dict[str, bool] = {}
        for event in self._within(seq, records.BattleEnd, records.BattleChoose):
            if isinstance(event, (records.BaCharge, records.BaAssault)) and event.unit is not None:
                found.setdefault(event.unit, isinstance(event, records.BaAssault))
            elif isinstance(event, records.BaEnd):
                for instance, stance in (event.positions or {}).items():
                    if stance == "charging":
                        found.setdefault(instance, True)
        return [unit for unit, assaults in found.items() if assaults]

    def befell(self, seq: int, card: str) -> tuple[str, ...]:
        """The cards to which the ability that an event announces is first said to have done something."""
        for event in self._action(seq):
            source = getattr(event, "source", None)
            if not isinstance(source, records.Source) or source.card != card:
                continue
            if isinstance(event, _ANNOUNCES):
                break
            if named := _befallen(event):
                return named
        return ()

    def text(self, seq: int, card: str) -> int | str | None:
        """Which text of a card the lines after an event that announces one speak of, in the same battle action."""
        for event in self._action(seq):
            source = getattr(event, "source", None)
            if isinstance(source, records.Source) and source.card == card:
                return None if isinstance(event, _ANNOUNCES) else source.ability
        return None

    def played(self, seq: int, before: frozenset[str]) -> str | None:
        """The hand card whose costs, rolls or effects are recorded after an event, in the same battle action, and which
        nothing there announces, nor anything before it (`before`)."""
        announced = set(before)
        for event in self._action(seq):
            source = getattr(event, "source", None)
            if not isinstance(source, records.Source) or source.card is None:
                continue
            if isinstance(event, _ANNOUNCES):
                announced.add(source.card)
            elif isinstance(event, _OF_AN_ABILITY) and source.zone == "hand" and source.card not in announced:
                return source.card
        return None

    def lives_on(self, seq: int, instance: str, player: str, sector: int | None, *, ready: bool) -> bool | None:
        """Whether a card is in play after an event, as the record goes on; None where nothing tells. `ready`: how it stands,
        because a line that tells what became ready need not list it."""
        lives = self._lives
        spend(len(lives.listings) // 8)
        shown, gone = _next(lives.in_play.get(instance, []), seq), _next(lives.gone.get(instance, []), seq)
        left_out = next(
            (
                one.seq
                for one in lives.listings
                if one.seq > seq
                and one.sector == sector
                and one.player in (None, player)
                and (one.whole or not ready)
                and instance not in one.cards
            ),
            None,
        )
        ends = [one for one in (gone, left_out) if one is not None]
        if shown is None:
            return False if ends else None
        return shown < min(ends, default=shown + 1)


def _next(found: list[int], seq: int) -> int | None:
    at = bisect_right(found, seq)
    return found[at] if at < len(found) else None


_FREE = frozenset({"ready", "charging"})
_ANY = frozenset({"ready", "locked", "charging"})


def _standing(event: Any, assaulted: bool) -> Iterator[tuple[str, frozenset[str]]]:
    """The cards of which an event tells how they stand, and how they can for it to be right. `assaulted`: the attack under
    way is no shot."""
    if isinstance(event, records.BaEnd):
        yield from ((instance, frozenset({stance})) for instance, stance in (event.positions or {}).items())
        return
    if isinstance(event, (records.BaCharge, records.BaShoot, records.BaAssault, records.Block)):
        free = frozenset({"ready"}) if isinstance(event, records.BaCharge) else _FREE
        if isinstance(event, records.BaAssault) or (isinstance(event, records.Block) and assaulted):
            free = frozenset({"charging"})
        if event.unit is not None:
            yield event.unit, free
        return
    op = event.op if isinstance(event, (records.Cost, records.Effect)) else None
    cards = (event.targets if isinstance(event, records.Effect) else getattr(event, "cards", None)) or ()
    if isinstance(event, records.Lock) or op == "lock":
        yield from ((instance, _FREE) for instance in cards)
    elif isinstance(event, records.Rally) or op == "rally":
        yield from ((instance, _ANY - {"ready"}) for instance in cards)
    elif isinstance(event, (records.Infiltrate, records.Draw)):
        yield from ((instance, _ANY) for instance in cards)  # How it stood before that it does not tell.


def _in_play(event: Any) -> Sequence[str]:
    """The cards that an event shows in play. Who strikes back may be destroyed in the same step."""
    if isinstance(event, records.BaEnd):
        return list(event.positions or ())
    if isinstance(event, (records.BaShoot, records.BaCharge, records.BaAssault, records.Block, records.Sweep)):
        return [one for one in (event.unit, getattr(event, "target", None)) if one is not None]
    if isinstance(event, records.Damage):
        return [] if event.to is None else [event.to]
    if isinstance(event, (records.Lock, records.Rally)) or (isinstance(event, records.Destroy) and event.source):
        return event.cards or []
    if isinstance(event, records.Return) and event.from_ in (None, "sector", "fleet"):
        return event.cards or []
    if isinstance(event, (records.BaAbility, records.Tactic, records.Modifier)):
        source = event.source
        return [source.card] if source is not None and source.card is not None and source.zone == "sector" else []
    if isinstance(event, records.Cost) and event.op in ("destroy", "lock"):
        return event.cards or []
    if isinstance(event, records.EventResolved):
        return list(event.choices.cards) if event.choices is not None else []
    if isinstance(event, (records.BaWithdraw, records.SectorTaken, records.SectorReset)):
        return _cards_of(event) or []
    return []


def _out_of_play(event: Any) -> Sequence[str]:
    """The cards that an event shows to have left play before it."""
    if isinstance(event, (records.Draw, records.VictoryReveal, records.Infiltrate)):
        return event.cards or []
    if isinstance(event, records.Reshuffle):
        return event.order or []
    return []


def _cards_of(event: records.BaWithdraw | records.SectorTaken | records.SectorReset) -> list[str] | None:
    if isinstance(event, records.BaWithdraw):
        return event.destroyed
    return event.discarded if isinstance(event, records.SectorTaken) else event.readied


def _listed(event: Any, sector: int | None) -> Listing | None:
    if not isinstance(event, (records.BaWithdraw, records.SectorTaken, records.SectorReset)):
        return None
    cards = _cards_of(event)
    if cards is None:
        return None
    at = sector if isinstance(event, records.BaWithdraw) or event.sector is None else event.sector
    player = event.by if isinstance(event, records.BaWithdraw) else None
    return Listing(event.seq, at, player, frozenset(cards), not isinstance(event, records.SectorReset))


def _befallen(event: Any) -> tuple[str, ...]:
    if isinstance(event, records.Effect):
        return tuple(event.targets or ())
    if isinstance(event, records.Damage):
        return () if event.to is None else (event.to,)
    return tuple(event.cards or ()) if isinstance(event, records.Change) else ()
