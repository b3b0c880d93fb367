"""Unique copies and set-up instructions (catalogue 4.10, 4.11, and 4.28 of unique ships)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from auditor.conformance.hcg.referee.board import Reader
from auditor.conformance.hcg.referee.course import Faults
from auditor.conformance.hcg.referee.found import NotJudged
from auditor.conformance.hcg.referee.openings import FLIP, INSTRUCTIONS, Openings
from auditor.conformance.hcg.table import PLAYERS, Event, Piece, other
from auditor.conformance.hcg.texts import Text

ENDS_A_BATTLE = ("battle.choose", "battle.none", "turn.start", "turn.end", "end.check", "game.end", "end")
"""Events that do not come before a battle is over."""


@dataclass
class Replaced:
    """A copy of a unique card that must go because another one has come."""

    rule: str
    by: str
    old: set[str]
    new: str


class Copies(Openings):
    """The table where unique copies meet, and where set-up instructions are carried out."""

    def __init__(self, header: Event, options: Mapping[str, str] | None, events: Sequence[Event] = ()) -> None:
        super().__init__(header, options, events)
        self.instructed: list[tuple[Piece, int]] = []
        """Who bears a set-up instruction in this set-up, with its place in the box."""
        self.carried_out: set[tuple[str, int]] = set()
        self.last_to_set_up = ""
        """Who carried out the last instruction of this set-up."""
        self.met: dict[str, Piece] = {}
        """Groups of which both sides had a copy, with one that went to the hand."""
        self.replaced: list[Replaced] = []
        self.spared: dict[str, str] = {}
        """Copies that need not go for one that has just come (OR-UNIQINF), each with the player whose card came."""

    def before(self, event: Event) -> Faults:
        """What is over when an event begins: a copy that had to go must have gone."""
        goes = event["type"] in ("destroy", "discard", "return") and event.get("cause") == "unique"
        if not goes and event["type"] not in ("setup.ships", "reshuffle"):
            for one in self.replaced:
                yield self.fault(one.rule, "omitted", one.by)
            self.replaced, self.spared = [], {}

    # ---------------------------------------------------------------- the substep

    def enter(self, substep: int) -> Faults:
        begins = self.substep <= FLIP < substep
        ends = self.substep <= INSTRUCTIONS < substep
        yield from super().enter(substep)
        if begins:
            self.carried_out, self.last_to_set_up, self.met = set(), "", {}
            self.instructed = [(piece, place) for piece in self.here() for place, _ in piece.card.set_ups]
        if ends:
            for player in PLAYERS:
                yield from self.instructions_are_carried_out(player)
            yield from self.copies_are_gone()

    def instructions_are_carried_out(self, player: str) -> Faults:
        for name, place in self.outstanding(player):
            if not self.is_carried_out_later(name, place):
                yield self.fault("BSET-04", "omitted", player)

    def is_carried_out_later(self, name: str, place: int) -> bool:
        """Whether an instruction comes after what should have come after it, before the next battle."""
        for event in self.to_come:
            if event["type"] in ENDS_A_BATTLE:
                return False
            source = event.get("source") or {}
            if event["type"] == "setup.ability" and (source.get("card"), source.get("ability")) == (name, place):
                return True
        return False

    def outstanding(self, player: str) -> list[tuple[str, int]]:
        """The instructions that a player has not carried out, of cards that are still here."""
        return [
            (piece.id, place)
            for piece, place in self.instructed
            if piece.owner == player and self.is_here(piece.id) and (piece.id, place) not in self.carried_out
        ]

    def copies(self, player: str) -> dict[str, list[Piece]]:
        """A player's copies of unique cards here by group. Raises NotJudged where only some of a group are unique."""
        groups: dict[str, list[Piece]] = {}
        for piece in self.row(player):
            groups.setdefault(self.name_of(piece.card), []).append(piece)
        return {group: pieces for group, pieces in groups.items() if self.are_unique(pieces)}

    def are_unique(self, pieces: Iterable[Piece]) -> bool:
        """Whether cards of one group are unique. Raises NotJudged where only some are."""
        said = {piece.card.unique for piece in pieces}
        if len(said) > 1:
            raise NotJudged("only some cards of one name are unique")
        return said == {True}

    def copies_are_gone(self) -> Faults:
        """HCG-UNIQ-01, then HCG-UNIQ-02 of the groups in which each side has kept one."""
        mine = {player: self.copies(player) for player in PLAYERS}
        doubled = set()
        for player in PLAYERS:
            for group, pieces in mine[player].items():
                if len(pieces) > 1:
                    doubled.add(group)
                    yield self.fault(self.why(pieces, "UNIQ-01"), "omitted", player)
        for group in mine["p1"]:
            if group in mine["p2"] and group not in doubled:
                for player in PLAYERS:
                    rule = self.why([*mine["p1"][group], *mine["p2"][group]], "UNIQ-02")
                    yield self.fault(rule, "omitted", player)
        for player in PLAYERS:
            for group in (set(self.met) - doubled) & set(mine[player]) - set(mine[other(player)]):
                yield self.fault(self.why([*mine[player][group], self.met[group]], "UNIQ-02"), "omitted", player)

    def why(self, pieces: list[Piece], rule: str) -> str:
        """HCG-UNIQ-03 says why cards of different titles are copies of one."""
        return rule if len({piece.card.title for piece in pieces}) == 1 else "UNIQ-03"

    def on_setup_unique(self, at: Reader) -> Faults:
        self.in_step("setup")
        by, returned, to = at.player(), at.pieces("returned"), at.one_of("to", ("command_hand", "set_aside", "discard"))
        reason = at.one_of("reason", ("own", "both"))
        yield from self.enter(INSTRUCTIONS)
        if not returned or any(
            card.owner != by or not self.is_here(card.id) or not card.card.unique for card in returned
        ):
            raise NotJudged("a copy that is not here")
        (group, *more) = {self.name_of(card.card) for card in returned}
        copies = self.copies(by)[group]
        if not more and self.is_for_a_copy_elsewhere(by, group, reason):
            yield self.fault("UNIQ-05", "illegal", by)
        elif reason == "own":
            stays = at.piece("stays") if "stays" in at.event else None
            if more or len(copies) <= len(returned) or (stays is not None and stays not in copies) or stays in returned:
                raise NotJudged("copies of another card, or none that stays")
            if to == "discard":
                yield self.fault("UNIQ-01", "miscalculated", by)
        else:
            if more or len(returned) > 1 or to == "discard":
                raise NotJudged("not one copy, or it does not go to the hand")
            if group not in self.copies(other(by)) and group not in self.met:
                raise NotJudged("the other side has no copy")
            self.met[group] = returned[0]
        aside = self.goes_by("OR-UNIQHAND", "kept-for-deployment")
        if to != "discard" and to != ("set_aside" if aside else "command_hand"):
            yield self.fault("UNIQ-06", "miscalculated", by)
        for card in returned:
            self.move(card.id, to, face="up" if to == "discard" else "down")
            self.returned[by].add(card.id)

    def is_for_a_copy_elsewhere(self, by: str, group: str, reason: str) -> bool:
        """Whether a copy goes though it is the only one at this sector, and another one lies face up at another sector."""
        if len(self.copies(by)[group]) > 1 or group in self.copies(other(by)) or group in self.met:
            return False
        whose = by if reason == "own" else other(by)
        there = [piece for slot in self.open_sectors() if slot != self.sector for piece in self.row(whose, slot)]
        return any(piece.face == "up" and self.name_of(piece.card) == group for piece in there)

    def first_to_set_up(self) -> str:
        """Whose set-up instructions come first."""
        option = self.option("OR-SETUPORDER")
        if option == "chooser-first":
            return self.chooser_of(self.battle)
        return self.atk if option == "attacker-first" else self.dfd

    def on_setup_ability(self, at: Reader) -> Faults:
        by, (card, place) = at.player(), at.source()
        if card is None or card.owner != by or type(place) is not int or not 0 <= place < len(card.card.box):
            raise NotJudged("an instruction of nobody's")
        text = card.card.box[place]
        if not isinstance(text, Text):
            raise NotJudged("a text that asks for nothing")
        if self.step and self.substep > INSTRUCTIONS and (card.id, place) in self.outstanding(by):
            yield self.fault("BSET-01", "illegal", by)
            self.carried_out.add((card.id, place))
            self.stops = self.step != "setup"
            return
        self.in_step("setup")
        yield from self.enter(INSTRUCTIONS)
        if text.type == "E" or (card.id, place) in self.carried_out:
            raise NotJudged("no instruction, or one that was carried out")
        if text.type != "setup":
            yield self.fault("OPT-01", "illegal", by)
            self.stops = True
        elif not self.is_here(card.id):
            yield self.fault("BSET-04", "illegal", by)
        elif by == self.first_to_set_up() and self.last_to_set_up == other(by):
            yield self.fault("BSET-04", "illegal", other(by))
        self.carried_out.add((card.id, place))
        self.last_to_set_up = by

    # ---------------------------------------------------------------- a copy that comes

    def comes(self, card: Piece, by: str, where: list[Piece], rule: str) -> None:
        """A card joins others: the copy that lies there must go."""
        old = [piece for piece in where if piece is not card and self.name_of(piece.card) == self.name_of(card.card)]
        if self.goes_by("OR-UNIQINF", "own-copy"):
            self.spared |= {piece.id: by for piece in old if piece.owner != by}
            old = [piece for piece in old if piece.owner == by]
        if old and self.are_unique([card, *old]):
            self.replaced.append(Replaced(rule, by, {piece.id for piece in old}, card.id))

    def on_setup_ships(self, at: Reader) -> Faults:
        fleet = self.fleet(at.player())
        yield from super().on_setup_ships(at)
        for ship in at.pieces("ships"):
            self.comes(ship, at.player(), fleet, "SHIP-04")

    def copy_goes(self, at: Reader) -> Faults:
        """A bare event that takes a copy of a unique card away: in the set-up, or because another one has come."""
        cards = at.pieces()
        if self.step == "setup" and not self.replaced and self.substep <= INSTRUCTIONS:
            copies = [
                self.copies(card.owner).get(self.name_of(card.card), []) for card in cards if self.is_here(card.id)
            ]
            if not copies or len(copies) < len(cards) or any(len(pieces) < 2 for pieces in copies):
                raise NotJudged("a copy that need not go")
            yield self.fault("UNIQ-01", "miscalculated", cards[0].owner)
        for card in cards:
            if card.id in self.spared:
                yield self.fault("UNIQ-04", "illegal", self.spared[card.id])
            elif self.replaced:
                yield from self.copy_is_the_old_one(card)
            elif self.step != "setup":
                raise NotJudged("a copy that need not go")
            self.move(card.id, "discard")

    def copy_is_the_old_one(self, card: Piece) -> Faults:
        for one in self.replaced:
            if card.id in one.old:
                one.old.remove(card.id)
                break
            if card.id == one.new:
                yield self.fault(one.rule, "miscalculated", one.by)
                one.old.clear()
                break
        else:
            raise NotJudged("a copy that need not go")
        self.replaced = [one for one in self.replaced if one.old]
