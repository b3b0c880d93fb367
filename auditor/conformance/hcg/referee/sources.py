"""Where a text stands that somebody plays, and whether it may be played from there (catalogue 4.12, 4.13, 4.19, 4.21)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from auditor.conformance.hcg.referee.board import Reader
from auditor.conformance.hcg.referee.copies import Copies
from auditor.conformance.hcg.referee.course import Faults
from auditor.conformance.hcg.referee.found import NotJudged
from auditor.conformance.hcg.table import Event, Piece
from auditor.conformance.hcg.texts import Static, Text

IN_PLAY = ("sector", "fleet")


class Sources(Copies):
    """The table where texts are played out of the hand and off the table."""

    def __init__(self, header: Event, options: Mapping[str, str] | None, events: Sequence[Event] = ()) -> None:
        super().__init__(header, options, events)
        self.used_up: set[str] = set()
        """Hand cards that were played in this battle."""

    def text_of(self, at: Reader) -> Text | Static | None:
        """The text that the source of an event names; None where the card has none there."""
        card, ability = at.source()
        if ability == "line":
            return card.card.line if card is not None else None
        box = (card.card if card is not None else self.sectors[self.sector]).box
        return box[ability] if type(ability) is int and 0 <= ability < len(box) else None

    def controller(self, at: Reader) -> str:
        """Whose ability an event is part of. Raises NotJudged for the text of a sector."""
        card, _ = at.source()
        if card is None:
            raise NotJudged("nobody controls the text of a sector")
        return card.owner

    def plays(self, at: Reader, letter: str) -> Faults:
        """A text of this type is announced; a hand card is laid on the table. A fault ends what can be followed."""
        by, (card, ability) = at.player(), at.source()
        if card is None:
            raise NotJudged("nobody controls the text of a sector")
        if card.zone == "command_hand" and at.event["source"].get("zone", "hand") != "hand":
            raise NotJudged("a card in the hand that is said to lie elsewhere")
        if self.step != "battle":
            yield self.fault("OPT-01", "illegal", by)
            self.stops = True
        elif ability == "line":
            yield from self.plays_from_the_hand(by, card, letter)
        else:
            yield from self.plays_off_the_table(by, card, self.text_of(at), letter)

    def plays_from_the_hand(self, by: str, card: Piece, letter: str) -> Faults:
        line = card.card.line
        is_other = line is None or line.type != letter
        if letter == "BA" and is_other and (card.zone != "command_hand" or card.owner != by):
            raise NotJudged("which rule bars a card that is no battle action and is not in the hand")
        if card.zone in IN_PLAY:
            # What is played as another type is that fault, wherever it lies.
            yield self.fault("CARD-03" if is_other and line is not None else "CMD-02", "illegal", by)
        elif card.owner != by or line is None:
            raise NotJudged("a card of somebody else's is played")
        elif card.zone in ("limbo", "discard") and card.id in self.used_up and not is_other:
            yield self.fault("TAC-07" if letter == "T" else "CMD-03", "illegal", by)
        elif card.zone != "command_hand" and card.id not in self.used_up:
            raise NotJudged("a card is played that is not in the hand")
        elif line.type != letter:
            yield self.fault("BA-02" if letter == "BA" else "CARD-03", "illegal", by)
        else:
            self.used_up.add(card.id)
            self.move(card.id, "limbo")
            return
        self.stops = True

    def plays_off_the_table(self, by: str, card: Piece, text: Text | Static | None, letter: str) -> Faults:
        if card.zone == "command_hand" and card.owner == by:
            yield self.fault("CMD-01", "illegal", by)
        elif card.zone not in IN_PLAY:
            raise NotJudged("a source that is not in play")
        elif card.zone == "sector" and card.card.kind == "ship" and card.owner == by:
            yield self.fault("SHIP-02", "illegal", by)
        elif card.owner != by or not (self.is_here(card.id) or card.zone == "fleet"):
            if letter != "BA" or not isinstance(text, Text) or text.type != letter:
                raise NotJudged("a source that is not one's own, or elsewhere")
            yield self.fault("BAA-01", "illegal", by)
        elif not isinstance(text, Text):
            raise NotJudged("a text that asks for nothing")
        elif text.type != letter:
            if letter != "BA":
                raise NotJudged("a text of another type")
            yield self.fault("BA-02", "illegal", by)
        else:
            return
        self.stops = True
