"""Events at the end of a battle: which count, in which order, and that none is left out (catalogue 4.26, HCG-VIC-04)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from auditor.conformance.hcg.referee.board import Reader
from auditor.conformance.hcg.referee.course import Faults
from auditor.conformance.hcg.referee.found import NotJudged
from auditor.conformance.hcg.referee.sources import IN_PLAY
from auditor.conformance.hcg.referee.windows import Windows
from auditor.conformance.hcg.table import PLAYERS, SLOTS, Event
from auditor.conformance.hcg.texts import Text

ENDS_THE_STEP = ("victory.discard", "victory.result", "sector.taken", "sector.reset", "battle.choose", "turn.end")


class Events(Windows):
    """The table with the hands shown and the events carried out."""

    def __init__(self, header: Event, options: Mapping[str, str] | None, events: Sequence[Event] = ()) -> None:
        super().__init__(header, options, events)
        self.revealed: set[str] = set()
        self.counting: dict[str, list[tuple[str, Any]]] = {player: [] for player in PLAYERS}
        """Events that are still to be carried out in each player's round: the instance, and which of its texts."""
        self.counted: set[tuple[str, Any]] = set()

    def on_battle_end(self, at: Reader) -> Faults:
        if self.came_back:
            raise NotJudged("whether a card that came back is in the hand")
        yield from super().on_battle_end(at)
        self.revealed, self.counted = set(), set()
        self.counting = {player: self.events_of(player) for player in PLAYERS}
        if self.goes_by("OR-EVENTDEF", "as-written"):
            early = [one for one in self.counting[self.dfd] if self.is_of_both_rounds(*one)]
            self.counting[self.atk] += early
            self.counting[self.dfd] = [one for one in self.counting[self.dfd] if one not in early]

    def is_of_both_rounds(self, name: str, place: Any) -> bool:
        """Whether the text of HCG-VIC-04, as it is written, has the attacker's round take in such a card's event."""
        return place != "line" and self.pieces[name].card.kind in ("asset", "ship")

    def has_left(self, key: tuple[str, Any]) -> bool:
        """Whether an event's card has left play since the battle ended, and must not have (OR-EVENTSNAP)."""
        card, place = self.pieces[key[0]], key[1]
        if place == "line" or card in self.withdrawn or self.goes_by("OR-EVENTSNAP", "snapshot"):
            return False
        return card.zone not in IN_PLAY

    def events_of(self, player: str) -> list[tuple[str, Any]]:
        """What counts now: command lines in the hand, boxes of cards here and of ships."""
        lines = [(name, self.pieces[name].card.line) for name in self.hand(player)]
        found: list[tuple[str, Any]] = [(name, "line") for name, line in lines if line is not None and line.type == "E"]
        cards = self.in_play(player)
        if self.option("OR-EVENTSCOPE") == "all-in-play":
            # A ship that waits at a sector uses none of its abilities (HCG-FW-06).
            others = [piece for slot in SLOTS if slot != self.sector for piece in self.row(player, slot)]
            cards += [piece for piece in others if piece.face == "up" and piece.card.kind != "ship"]
        if self.option("OR-WDEVENTS") == "count" and self.withdrew == player and not self.skipped:
            cards += self.withdrawn
        if self.option("OR-EVENTDEF") == "units-only" and player == self.dfd:
            cards = [piece for piece in cards if piece.card.kind == "unit"]
        return found + [(piece.id, place) for piece in cards for place, _ in piece.card.typed("E")]

    def hands_are_shown(self) -> Faults:
        """HCG-VIC-03, before the first event and the totals after it."""
        for player in (self.atk, self.dfd):
            if player not in self.revealed and self.hand(player):
                yield self.fault("VIC-03", "omitted", player)
            self.revealed.add(player)

    def on_victory_reveal(self, at: Reader) -> Faults:
        self.in_step("victory")
        by, cards = at.player(), at.pieces()
        if by in self.revealed:
            raise NotJudged("a hand is shown again")
        self.revealed.add(by)
        if {card.id for card in cards} != set(self.hand(by)):
            yield self.fault("VIC-03", "illegal", by)

    def on_event(self, at: Reader) -> Faults:
        self.in_step("victory")
        by, (card, ability) = at.player(), at.source()
        text = self.text_of(at)
        if card is None or not isinstance(text, Text):
            raise NotJudged("an event of nobody's, or none")
        yield from self.hands_are_shown()
        key = (card.id, ability)
        within = next((player for player in PLAYERS if key in self.counting[player] and card.owner == by), None)
        if within is not None:
            self.counting[within].remove(key)
            self.counted.add(key)
            if self.has_left(key):
                yield self.fault("VIC-04", "illegal", by)
            if within == self.dfd and self.counting[self.atk]:
                if self.comes_later(self.atk):
                    yield self.fault("VIC-04", "illegal", by)
                    self.stops = True
                else:
                    yield from self.events_are_carried_out(self.atk)
            if not self.stops:
                yield from self.announce(at, key, card, text)
            return
        if key in self.counted or (card.zone == "command_hand" and text.type == "E" and ability == "line"):
            raise NotJudged("an event once more, or of a card that has just been drawn")
        if text.type != "E":
            raise NotJudged("a text of another type")
        yield self.fault("VIC-04", "illegal", by)
        if card.owner == by and card.zone in IN_PLAY:
            yield from self.announce(at, key, card, text)
        else:
            self.stops = True

    def comes_later(self, player: str) -> bool:
        """Whether one of the events that a player still has to carry out comes later in this step."""
        for event in self.to_come:
            if event["type"] in ENDS_THE_STEP:
                return False
            source = event.get("source") or {}
            if event["type"] == "event" and (source.get("card"), source.get("ability")) in self.counting[player]:
                return True
        return False

    def events_are_carried_out(self, *players: str) -> Faults:
        """What is left out when the events of these players are over."""
        for player in players:
            if self.comes_later(player):
                raise NotJudged("events after the totals that follow them")
            for key in self.counting[player]:
                if not self.has_left(key):
                    yield self.fault("VIC-04", "omitted", self.pieces[key[0]].owner)
            self.counting[player] = []
