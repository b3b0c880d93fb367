"""What abilities do, held against what was chosen for them (catalogue 4.13, 4.18, 4.19, 4.21)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from auditor.conformance.hcg.referee.abilities import TURNED, Abilities, Ability
from auditor.conformance.hcg.referee.board import Reader
from auditor.conformance.hcg.referee.choices import choosing
from auditor.conformance.hcg.referee.course import Faults
from auditor.conformance.hcg.referee.found import NotJudged
from auditor.conformance.hcg.referee.sources import IN_PLAY
from auditor.conformance.hcg.table import Event, Piece
from auditor.conformance.hcg.texts import Select

OF_CHOICES = {"ba.card": "BAC-01", "ba.ability": "BAA-01", "ba.assault": "SPEC-07"}
"""Battle actions, each with the rule that has its text done to what was chosen for it."""


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
        if ability.is_chosen_wrongly and not set_of(cards) <= set_of(ability.chosen):
            raise NotJudged("an effect on another card than was wrongly chosen")
        if ability.kind in OF_CHOICES:
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
            wanted = choosing(ability.text)
            if any(one.zone == "fleet" for one in cards) and wanted and wanted.what and wanted.what.kind != "ship":
                yield self.fault("SHIP-03", "illegal", ability.by)
            elif not lost or not self.goes_by("OR-FIZZLE", "rechoose"):
                yield self.fault(OF_CHOICES[ability.kind], "illegal", ability.by)
        elif lost and cards and self.goes_by("OR-FIZZLE", "all-or-nothing"):
            yield self.fault(OF_CHOICES[ability.kind], "illegal", ability.by)
        ability.befell |= set_of(cards)

    # ---------------------------------------------------------------- all of a kind

    def is_on_all(self, op: str, key: str, cards: Sequence[Piece]) -> Faults:
        """HCG-OPT-05: "all" and "each" are every card of a kind, and no other. `key` tells one thing done from another."""
        ability, what = self.now, self.all_of(op, key)
        if what is None:
            return
        if key not in ability.meant:
            ability.meant[key] = set_of([one for one in self.meant_by(ability, what) if one.position != TURNED.get(op)])
        for card in cards:
            as_well = self.is_here(card.id) and self.is_such(card, replace(what, side="any"), ability.by, ability.piece)
            if card.id in ability.meant[key]:
                ability.meant[key].remove(card.id)
            elif not as_well:
                raise NotJudged("which rule bars a card that a text about all of a kind does not mean")
            elif not self.is_such(card, what, ability.by, ability.piece):
                yield self.fault("OPT-05", "miscalculated", ability.by)

    def all_of(self, op: str, key: str) -> Select | None:
        """What a text does something to all of; None where it is about others."""
        if not self.now.text.readable:
            return None
        asked = [
            one.what
            for one in self.doing(self.now)
            if one.op == op and one.what and (op != "modify" or key in [stat for stat, _, _ in one.mods])
        ]
        return asked[0] if len(asked) == 1 and asked[0].q == "all" and asked[0].where == "here" else None

    def is_carried_out(self, ability: Ability) -> Faults:
        yield from super().is_carried_out(ability)
        for key, names in ability.meant.items():
            left = [self.pieces[name] for name in names]
            if any(self.is_here(card.id) and card.position != TURNED.get(key) for card in left):
                yield self.fault("OPT-05", "miscalculated", ability.by)

    # ---------------------------------------------------------------- off the top of a deck

    def takes_so_many(self, at: Reader) -> Faults:
        """HCG-DISC-02: no more cards than the text says are discarded off a deck."""
        ability, by = self.now, at.player()
        asked = [one.n for one in self.doing(ability) if one.op == "mill"] if ability.text.readable else []
        due = self.amount_of(ability, asked[0]) if len(asked) == 1 else None
        before = ability.taken_off[by]
        ability.taken_off[by] += len(at.pieces())
        if due is None:
            return
        if ability.taken_off[by] > due >= before:
            yield self.fault(self.rule_of(ability, asked[0]) or "DISC-02", "miscalculated", by)
        elif ability.taken_off[by] < due and len(self.zone(by, "deck")) > len(at.pieces()):
            raise NotJudged("fewer cards off a deck than the text says, which may be all that are told")
