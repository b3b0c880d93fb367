"""What abilities do, held against what was chosen for them (catalogue 4.13, 4.18, 4.19, 4.21)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from auditor.conformance.hcg.referee.abilities import Abilities, Ability
from auditor.conformance.hcg.referee.board import Reader
from auditor.conformance.hcg.referee.choices import choosing
from auditor.conformance.hcg.referee.course import Faults
from auditor.conformance.hcg.referee.found import NotJudged
from auditor.conformance.hcg.referee.sources import IN_PLAY
from auditor.conformance.hcg.table import Event, Piece


def set_of(cards: Sequence[Piece]) -> set[str]:
    return {card.id for card in cards}


class Doings(Abilities):
    """The table with what abilities do to cards."""

    def __init__(self, header: Event, options: Mapping[str, str] | None, events: Sequence[Event] = ()) -> None:
        super().__init__(header, options, events)
        self.befallen: set[str] = set()
        """The cards to which abilities have done something in the battle action that is open."""

    def does_nothing(self, at: Reader, op: str) -> Faults:
        """A change of no card where one was chosen for it."""
        ability = self.now
        wanted = choosing(ability.text) if ability.text.readable else None
        if at.pieces() or wanted is None or wanted.op != op or not ability.chosen:
            return
        if any(card.zone not in IN_PLAY for card in ability.chosen):
            raise NotJudged("nothing is done to what has left play")
        yield self.fault("DOC-04", "miscalculated", ability.by)

    def is_on_chosen(self, op: str, cards: list[Piece]) -> Faults:
        """What a tactic does, it does to what was chosen. Raises NotJudged of other abilities."""
        ability = self.now
        wanted = choosing(ability.text) if ability.text.readable else None
        if wanted is None or wanted.op != op or ability.chosen is None:
            return
        if ability.kind == "ba.ability":
            yield from self.is_on_what_is_left(ability, cards)
            return
        if set_of(cards) <= set_of(ability.chosen):
            return
        if ability.kind != "tactic" or len(ability.text.effects) > 1:
            raise NotJudged("an effect on what was not chosen")
        yield self.fault("OPT-02", "illegal", ability.by)

    def is_on_what_is_left(self, ability: Ability, cards: Sequence[Piece]) -> Faults:
        """OR-FIZZLE: what a battle action does, it does to what was chosen and is left, or to others in its place."""
        lost = [] if self.goes_by("OR-FIZZLE", "partial") else self.lost(ability)
        if lost and (len(ability.text.effects) > 1 or any(one.id not in self.befallen for one in lost)):
            raise NotJudged("what has become of what was chosen")
        if not set_of(cards) <= set_of(ability.chosen or ()) and len(ability.text.effects) > 1:
            raise NotJudged("an effect on what was not chosen")
        if not set_of(cards) <= set_of(ability.chosen or ()):
            if not lost or not self.goes_by("OR-FIZZLE", "rechoose"):
                yield self.fault("BAA-01", "illegal", ability.by)
        elif lost and cards and self.goes_by("OR-FIZZLE", "all-or-nothing"):
            yield self.fault("BAA-01", "illegal", ability.by)
        ability.befell |= set_of(cards)
