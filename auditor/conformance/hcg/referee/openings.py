"""The choice of a sector and the set-up of a battle (catalogue 4.9 to 4.11)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from auditor.conformance.hcg.referee.board import Reader
from auditor.conformance.hcg.referee.course import HAND, Course, Faults
from auditor.conformance.hcg.referee.found import NotJudged
from auditor.conformance.hcg.table import PLAYERS, Event, Piece

FLIP, INSTRUCTIONS, SHIPS, SKIP, HANDS, FOUGHT = range(2, 8)
"""The substeps of HCG-BSET-01, and the battle step after them."""


class Openings(Course):
    """The table with battles chosen and set up."""

    def __init__(self, header: Event, options: Mapping[str, str] | None, events: Sequence[Event] = ()) -> None:
        super().__init__(header, options, events)
        self.substep = FLIP
        self.skipped = False
        self.command = dict.fromkeys(PLAYERS, 0)
        self.returned: dict[str, set[str]] = {player: set() for player in PLAYERS}
        """Copies of unique cards that went back in this set-up."""
        self.said_empty = False

    # ---------------------------------------------------------------- the choice

    def legal_sectors(self, player: str) -> list[int]:
        return [slot for slot in self.open_sectors() if slot not in self.fought and self.row(player, slot)]

    def chooser_of(self, battle: int) -> str:
        return self.atk if battle == 1 else self.dfd

    def on_battle_choose(self, at: Reader) -> Faults:
        by, slot = at.player(), at.number("sector")
        yield from self.next_battle_begins()
        number = self.next_battle(by)
        if number > len(PLAYERS):
            yield self.fault("BPH-01", "illegal", by)
            self.stops = True
            return
        if by != self.chooser_of(number):
            yield from self.other_one_chose(by, number)
            self.stops = True
            return
        if number > 1 and not self.has_attacked and not self.legal_sectors(self.atk):
            if self.goes_by("OR-NOCARDSATK", "turn-ends"):
                yield self.fault("BPH-02", "illegal", by)
        rule = "BPH-02" if number == 1 else "BPH-03"
        if slot not in self.sectors:
            raise NotJudged("no such sector")
        if slot not in self.legal_sectors(by):
            yield self.fault(rule, "illegal", by)
            if slot in self.taken:
                self.stops = True
                return
        self.open_battle(number, slot)

    def next_battle(self, by: str) -> int:
        """Which battle is the next one: the attacker's is none where the attacker cannot fight, be that said or not."""
        number = self.battle + 1
        return number + 1 if number == 1 and by == self.dfd and not self.legal_sectors(self.atk) else number

    def other_one_chose(self, by: str, number: int) -> Faults:
        """The defender chose first, or the attacker again: the wrong order, or a battle that is left out."""
        due = self.chooser_of(number)
        comes = any(
            event.get("type") == "battle.choose" and event.get("by") == due
            for event in self.to_come
            if event.get("turn", self.turn) == self.turn
        )
        if number == 1 and self.legal_sectors(due) and not comes:
            yield self.fault("BPH-02", "omitted", due)
        elif number == 2 and self.legal_sectors(due) and not comes:
            raise NotJudged("the attacker chose twice")
        else:
            yield self.fault("BPH-01", "illegal", by)

    def next_battle_begins(self) -> Faults:
        """A battle is chosen, or said not to be fought."""
        if self.phase == "deployment":
            yield from self.reach("battle")
        if self.phase != "battle" or self.step:
            raise NotJudged("a battle out of place")

    def open_battle(self, number: int, slot: int) -> None:
        self.battle, self.sector, self.step, self.ba = number, slot, "setup", 0
        self.has_attacked = self.has_attacked or number == 1
        self.fought.add(slot)
        self.substep, self.skipped, self.said_empty = FLIP, False, False
        self.command = dict.fromkeys(PLAYERS, 0)
        self.returned = {player: set() for player in PLAYERS}
        self.next = self.chooser_of(number)

    def on_battle_none(self, at: Reader) -> Faults:
        by = at.player()
        yield from self.next_battle_begins()
        number = self.next_battle(by)
        if number > len(PLAYERS) or by != self.chooser_of(number):
            raise NotJudged("a battle that was not due is said not to be fought")
        if self.legal_sectors(by):
            yield self.fault("BPH-02" if number == 1 else "BPH-04", "omitted", by)
        self.battle = number

    def battles_are_fought(self) -> Faults:
        if self.step:
            raise NotJudged("the end phase within a battle")
        for number in range(self.battle + 1, len(PLAYERS) + 1):
            player = self.chooser_of(number)
            if self.legal_sectors(player):
                if self.battle == 0 and number == 1:
                    yield self.fault("BPH-02", "omitted", player)
                elif self.battle == 1 or not self.legal_sectors(self.atk):
                    if self.has_attacked or self.goes_by("OR-NOCARDSATK", "skip-to-defender"):
                        yield self.fault("BPH-04", "omitted", player)

    # ---------------------------------------------------------------- the set-up

    def enter(self, substep: int) -> Faults:
        """Go over to a substep: what the ones before still owe is left out."""
        if substep < self.substep:
            raise NotJudged("a substep out of order")
        if self.substep <= FLIP < substep:
            down = [piece for piece in self.here() if piece.face == "down"]
            for player in PLAYERS:
                if any(piece.owner == player for piece in down):
                    yield self.fault("BSET-03", "omitted", player)
            for piece in down:
                piece.face = "up"
        if self.substep <= HANDS and substep in (SKIP, FOUGHT):
            ships = [piece for piece in self.here() if piece.card.kind == "ship"]
            for player in PLAYERS:
                if any(piece.owner == player for piece in ships):
                    yield self.fault("BSET-05", "omitted", player)
            for piece in ships:
                self.move(piece.id, "fleet")
        if substep == FOUGHT and self.substep <= HANDS and not self.skipped:
            for player in PLAYERS:
                if self.command[player] < self.to_draw(player) and self.has_cards_to_draw(player):
                    yield self.fault("BSET-07", "omitted", player)
        self.substep = substep

    def on_setup_flip(self, at: Reader) -> Faults:
        self.in_step("setup")
        listed = at.event.get("cards")
        if at.number("sector") != self.sector:
            yield self.fault("BSET-02", "miscalculated", None)
        if not isinstance(listed, list) or not all(isinstance(line, dict) for line in listed):
            raise NotJudged("the flipped cards are not listed")
        yield from self.enter(FLIP)
        for line in listed:
            card = at.known(line.get("card"))
            if line.get("id") != card.card.id:
                raise NotJudged("another card than the header says")
            if card.zone != "sector" or card.sector != self.sector:
                yield self.fault("BSET-03", "illegal", card.owner)
            elif card.face == "up":
                raise NotJudged("a card that was face up is flipped")
            else:
                card.face = "up"

    def on_setup_ships(self, at: Reader) -> Faults:
        self.in_step("setup")
        by, ships = at.player(), at.pieces("ships")
        yield from self.enter(SHIPS)
        if any(ship.owner != by for ship in ships):
            raise NotJudged("somebody else's ship")
        wrong = [ship for ship in ships if not self.is_here(ship.id) or ship.card.kind != "ship"]
        if wrong:
            yield self.fault("BSET-05", "illegal", by)
        for ship in ships:
            if ship not in wrong:
                self.move(ship.id, "fleet")

    def empty_sides(self) -> list[str]:
        return [player for player in PLAYERS if not any(p.card.kind != "ship" for p in self.row(player))]

    def to_draw(self, player: str) -> int:
        """How many cards are drawn for the command hand; copies that went back may count among the six (OR-UNIQHAND)."""
        if not self.goes_by("OR-UNIQHAND", "fills-to-six"):
            return HAND
        return max(0, HAND - len(self.returned[player] & set(self.hand(player))))

    def is_skipped(self) -> bool:
        """Whether the battle goes straight to its victory step."""
        empty = self.empty_sides()
        return bool(empty) and (len(empty) < len(PLAYERS) or self.goes_by("OR-BOTHEMPTY", "skip"))

    def on_setup_skip(self, at: Reader) -> Faults:
        self.in_step("setup")
        said = at.event.get("empty")
        if not isinstance(said, list) or not set(said) <= set(PLAYERS) or not said:
            raise NotJudged("who is empty is not stated")
        yield from self.enter(SKIP)
        empty = self.empty_sides()
        if not empty or (len(empty) == len(PLAYERS) and self.goes_by("OR-BOTHEMPTY", "fight")):
            yield self.fault("BSET-06", "illegal", None)
        elif sorted(said) != sorted(empty):
            yield self.fault("BSET-06", "miscalculated", None)
        self.skipped = True

    def draw_for_command(self, by: str, cards: list[Piece]) -> Faults:
        if self.step == "battle":
            yield self.fault("BSET-07", "illegal", by)
            self.stops = True
            return
        self.in_step("setup")
        yield from self.enter(HANDS)
        if (self.skipped or self.is_skipped()) and not self.said_empty:
            yield self.fault("BSET-06", "illegal", by)
            self.said_empty = True
        before, self.command[by] = self.command[by], self.command[by] + len(cards)
        if HAND >= self.command[by] > self.to_draw(by):
            raise NotJudged("more than six with the copies that went back")
        if self.command[by] > HAND >= before:
            yield self.fault("BSET-07", "illegal", by)
