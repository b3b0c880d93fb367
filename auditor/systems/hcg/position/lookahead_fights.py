"""What a record says later of who fought whom, on what an ability took effect, and which cards lived on."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
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


class _Lines:
    """The places in a record of the lines of each kind that are looked for.

    action_ends, battle_ends   after which a line is no longer of the same battle action, of the same battle
    blows       damage of attacks; answers: damage, and blocks
    attackers   sweeps and special assaults, done or not, that name a unit
    charges     what tells that a unit charges or assaults
    of_a_card   card -> lines that name it as their source; announced: those of them that announce an ability of it
    from_hand   card -> what came of it as it was played from a hand
    """

    def __init__(self, events: Sequence[Any]) -> None:
        self.action_ends: list[int] = []
        self.battle_ends: list[int] = []
        self.blows: list[int] = []
        self.answers: list[int] = []
        self.attackers: list[int] = []
        self.charges: list[int] = []
        self.of_a_card: dict[str, list[int]] = {}
        self.announced: dict[str, list[int]] = {}
        self.from_hand: dict[str, list[int]] = {}
        for place, event in enumerate(events):
            if isinstance(event, (records.BattleEnd, records.BattleChoose)):
                self.battle_ends.append(place)
                self.action_ends.append(place)
            elif isinstance(event, records.BattleAction):
                self.action_ends.append(place)
            if isinstance(event, (records.Damage, records.Block)):
                self.answers.append(place)
                if isinstance(event, records.Damage) and not event.by_ability:
                    self.blows.append(place)
            elif isinstance(event, _ATTACKS_AGAIN):
                if event.unit is not None:
                    self.attackers.append(place)
            elif isinstance(event, (records.BaCharge, records.BaAssault)):
                if event.unit is not None:
                    self.charges.append(place)
            elif isinstance(event, records.BaEnd) and event.positions:
                self.charges.append(place)
            source = getattr(event, "source", None)
            if isinstance(source, records.Source) and source.card is not None:
                self.of_a_card.setdefault(source.card, []).append(place)
                if isinstance(event, _ANNOUNCES):
                    self.announced.setdefault(source.card, []).append(place)
                elif isinstance(event, _OF_AN_ABILITY) and source.zone == "hand":
                    self.from_hand.setdefault(source.card, []).append(place)


_ATTACKS_AGAIN = (records.Sweep, records.SweepNone, records.Special, records.SpecialNone)


class Fights:
    """The fights of a record, looked up once."""

    def __init__(self, events: Sequence[Any]) -> None:
        self._events = events
        self._seqs = [event.seq for event in events]

    @cached_property
    def _lives(self) -> _Lives:
        return _Lives(self._events)

    @cached_property
    def _lines(self) -> _Lines:
        return _Lines(self._events)

    def _span(self, seq: int, ends: Sequence[int]) -> tuple[int, int]:
        """The places in the record after an event, up to the next of some."""
        start = bisect_right(self._seqs, seq)
        at = bisect_left(ends, start)
        return start, ends[at] if at < len(ends) else len(self._events)

    def _within(self, seq: int, places: Sequence[int], ends: Sequence[int]) -> Iterator[Any]:
        """The events at some places after one, up to the next of others."""
        start, stop = self._span(seq, ends)
        for n in range(bisect_left(places, start), bisect_left(places, stop)):
            spend(1)
            yield self._events[places[n]]

    def _action(self, seq: int, places: Sequence[int]) -> Iterator[Any]:
        """The events at some places after one, in the same battle action."""
        return self._within(seq, places, self._lines.action_ends)

    def blows(self, seq: int) -> list[records.Damage]:
        """The damage of attacks after an event, in the same battle action."""
        return list(self._action(seq, self._lines.blows))

    def attackers(self, seq: int) -> list[str]:
        """The units that sweep or whose special assault takes effect after an event, in the same battle action."""
        return [one.unit for one in self._action(seq, self._lines.attackers)]

    def is_blocked(self, seq: int) -> bool:
        """Whether an attack is blocked after the event that opens it, before any damage."""
        return isinstance(next(self._action(seq, self._lines.answers), None), records.Block)

    def assaulters(self, seq: int) -> list[str]:
        """The units that assault after an event, in the same battle, and do not charge before that."""
        found: dict[str, bool] = {}
        for event in self._within(seq, self._lines.charges, self._lines.battle_ends):
            if isinstance(event, records.BaEnd):
                for instance, stance in (event.positions or {}).items():
                    if stance == "charging":
                        found.setdefault(instance, True)
            else:
                found.setdefault(event.unit, isinstance(event, records.BaAssault))
        return [unit for unit, assaults in found.items() if assaults]

    def befell(self, seq: int, card: str) -> tuple[str, ...]:
        """The cards to which the ability that an event announces is first said to have done something."""
        for event in self._action(seq, self._lines.of_a_card.get(card, ())):
            if isinstance(event, _ANNOUNCES):
                break
            if named := _befallen(event):
                return named
        return ()

    def text(self, seq: int, card: str) -> int | str | None:
        """Which text of a card the lines after an event that announces one speak of, in the same battle action."""
        event = next(self._action(seq, self._lines.of_a_card.get(card, ())), None)
        return None if event is None or isinstance(event, _ANNOUNCES) else event.source.ability

    def played(self, seq: int, before: frozenset[str]) -> str | None:
        """The hand card whose costs, rolls or effects are recorded after an event, in the same battle action, and which
        nothing there announces, nor anything before it (`before`)."""
        lines = self._lines
        start, stop = self._span(seq, lines.action_ends)
        first, told = stop, None
        for card, places in lines.from_hand.items():
            if card in before:
                continue
            spend(1)
            at = bisect_left(places, start)
            if at < len(places) and places[at] < first:
                announced = lines.announced.get(card, ())
                then = bisect_left(announced, start)
                if then == len(announced) or announced[then] > places[at]:
                    first, told = places[at], card
        return told

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
