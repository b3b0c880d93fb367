"""The victory step, the end phase and the end of the game (catalogue 4.26, 4.27)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from auditor.conformance.hcg.referee.board import Reader
from auditor.conformance.hcg.referee.course import BROKEN_OFF, Faults
from auditor.conformance.hcg.referee.events import Events
from auditor.conformance.hcg.referee.found import NotJudged
from auditor.conformance.hcg.table import PLAYERS, Event, other

STAGES = ("initial", "after_atk", "after_dfd")
LAST_TURN, SECTORS_TO_WIN = 4, 2
AT_ONCE = "two_sectors"
AFTER_A_BATTLE = ("battle.choose", "battle.none", "phase.start", "end.check", "end.ships", "turn.end")
"""Events that come when a battle is over and its sector is taken or reset."""
REASONS = (AT_ONCE, "turn4_total", "extra_turn", "draw", "deck_loss", *BROKEN_OFF)


class Closings(Events):
    """The table with battles and turns brought to their end."""

    def __init__(self, header: Event, options: Mapping[str, str] | None, events: Sequence[Event] = ()) -> None:
        super().__init__(header, options, events)
        self.discarded: set[str] = set()
        self.totalled: set[str] = set()
        """The stages of which the totals of this battle are told."""
        self.result: tuple[str | None] | None = None
        """Who has won the sector, once it is said."""
        self.rallied: set[str] = set()
        self.taken_in: dict[int, int] = {}
        """The turn in which each sector was taken."""

    # ---------------------------------------------------------------- victory step

    def on_battle_end(self, at: Reader) -> Faults:
        yield from super().on_battle_end(at)
        self.discarded, self.result, self.totalled = set(), None, set()

    def before(self, event: Event) -> Faults:
        """A battle that is over, and after which nobody has counted (HCG-VIC-01)."""
        yield from super().before(event)
        told = self.totalled or self.revealed or self.counted or self.discarded or self.result
        if self.step == "victory" and event["type"] in AFTER_A_BATTLE and not told:
            yield self.fault("VIC-01", "omitted", None)
            for player in PLAYERS:
                self.discard_names(list(self.hand(player)))
            self.leave_battle()
            self.stops = True  # Who has the sector is not told.

    def on_victory_flags(self, at: Reader) -> Faults:
        self.in_step("victory")
        stage = at.one_of("stage", STAGES)
        if stage in self.totalled and len(self.totalled) < len(STAGES) - 1:
            raise NotJudged("which of the totals these are")
        if stage in self.totalled:
            if stage == STAGES[-1] or STAGES[STAGES.index(stage) + 1] in self.totalled:
                raise NotJudged("totals once more")
            yield self.fault("DOC-04", "miscalculated", None)
            stage = STAGES[STAGES.index(stage) + 1]
        elif not self.totalled and stage != STAGES[0] and not self.to_come:
            raise NotJudged("whether the first totals are called later ones")
        self.totalled.add(stage)
        if stage != "initial":
            yield from self.hands_are_shown()
            yield from self.events_are_carried_out(self.atk, *([self.dfd] if stage == "after_dfd" else []))
        for role, player in (("atk", self.atk), ("dfd", self.dfd)):
            if role in at.event and (off := at.number(role) - self.flag_total(player)):
                if self.is_tainted:
                    raise NotJudged("a text that cannot be read may have changed the flags")
                yield self.fault("VIC-02" if stage == "initial" else "VIC-05", "miscalculated", player)
                # The players go on from their total.
                self.flag_changes.append((player, off, "battle"))

    def on_victory_discard(self, at: Reader) -> Faults:
        self.in_step("victory")
        by, cards = at.player(), at.pieces()
        yield from self.events_are_carried_out(self.atk, self.dfd)
        if by in self.discarded:
            raise NotJudged("a hand is discarded again")
        self.discarded.add(by)
        names, hand = {card.id for card in cards}, set(self.hand(by))
        if hand - names:
            yield self.fault("VIC-06", "omitted", by)
        if names - hand:
            raise NotJudged("cards are discarded that are not in the hand")
        self.discard_names(sorted(names & hand))

    def hands_are_discarded(self) -> Faults:
        yield from self.hands_are_shown()
        yield from self.events_are_carried_out(self.atk, self.dfd)
        for player in (self.atk, self.dfd):
            if player not in self.discarded and self.hand(player):
                yield self.fault("VIC-06", "omitted", player)
                self.discard_names(list(self.hand(player)))
            self.discarded.add(player)

    def on_victory_result(self, at: Reader) -> Faults:
        self.in_step("victory")
        winner = at.event.get("winner")
        if "winner" not in at.event or winner not in (None, *PLAYERS):
            raise NotJudged("who has won the sector is not stated")
        yield from self.hands_are_discarded()
        due = {"atk": self.flag_total(self.atk), "dfd": self.flag_total(self.dfd), "requirement": self.requirement()}
        if self.is_tainted:
            raise NotJudged("a text that cannot be read may have changed the flags")
        if winner != self.winner() or any(at.number(key) != due[key] for key in due if key in at.event):
            yield self.fault("VIC-07", "miscalculated", None)
        self.result = (winner,)

    def requirement(self) -> int:
        return self.sectors[self.sector].requirement

    def winner(self) -> str | None:
        """HCG-VIC-07."""
        total = {player: self.flag_total(player) for player in PLAYERS}
        need = self.requirement()
        won = next((who for who in PLAYERS if total[who] > total[other(who)] and total[who] >= need), None)
        if won is not None and self.option("OR-FLAGUNITS") == "need-flag-unit":
            units = [piece for piece in self.row(won) if piece.card.kind == "unit"]
            return won if any(self.flags_of(piece) > 0 for piece in units) else None
        return won

    def on_sector_taken(self, at: Reader) -> Faults:
        self.in_step("victory")
        by, slot, cards = at.player(), at.number("sector"), at.pieces("discarded")
        yield from self.hands_are_discarded()
        if slot != self.sector:
            yield self.fault("VIC-08", "illegal", by)
            self.stops = True
            return
        if self.result != (by,):
            if self.result is not None or self.is_tainted:
                raise NotJudged("a sector is taken by another than its winner")
            if self.winner() != by:
                yield self.fault("VIC-07", "miscalculated", None)
        here = {piece.id for piece in self.here()}
        listed = {card.id for card in cards}
        if here - listed:
            yield self.fault("VIC-08", "omitted", by)
        wrong = [card for card in cards if card.id not in here and card.zone != "discard"]
        if any(card.zone == "fleet" for card in wrong):
            yield self.fault("SHIP-06", "illegal", by)
        if any(card.zone != "fleet" for card in wrong):
            yield self.fault("VIC-08", "illegal", by)
        self.stops = self.stops or bool(wrong)
        self.discard_names(sorted(here & listed))
        self.taken[slot], self.taken_in[slot] = by, self.turn
        self.leave_battle()

    def on_sector_reset(self, at: Reader) -> Faults:
        slot, cards = at.number("sector"), at.pieces("readied")
        if self.phase == "end" and slot in self.open_sectors() and slot not in self.fought:
            yield self.fault("END-03", "illegal", None)
            for card in cards:
                card.position = "ready"
            return
        self.in_step("victory")
        yield from self.hands_are_discarded()
        if slot != self.sector or (self.result or (None,)) != (None,) or (self.result is None and self.winner()):
            raise NotJudged("another sector is reset, or one that was won")
        if at.event.get("face", "up") not in ("up", "down"):
            raise NotJudged("a face that is none")
        if at.event.get("face", "up") == "down":
            yield self.fault("VIC-09", "illegal", None)
            self.stops = True
        listed = {card.id for card in cards}
        if any(piece.position != "ready" and piece.id not in listed for piece in self.here()):
            yield self.fault("VIC-09", "omitted", None)
        wrong = [card for card in cards if not self.is_here(card.id)]
        if any(card.zone == "fleet" for card in wrong):
            yield self.fault("END-02", "illegal", next(card.owner for card in wrong if card.zone == "fleet"))
        if any(card.zone != "fleet" for card in wrong):
            yield self.fault("VIC-09", "illegal", next(card.owner for card in wrong if card.zone != "fleet"))
        self.stops = self.stops or bool(wrong)
        for card in cards:
            card.position = "ready"
        self.leave_battle()

    def leave_battle(self) -> None:
        self.step, self.flag_changes, self.is_tainted = "", [], False
        self.expire("ba", "battle")
        for piece in self.pieces.values():
            piece.used.clear()

    # ---------------------------------------------------------------- who has won

    def totals(self) -> dict[str, int]:
        """Sums of the requirements of the sectors taken."""
        return {
            player: sum(self.sectors[slot].requirement for slot, by in self.taken.items() if by == player)
            for player in PLAYERS
        }

    def won_at_once(self) -> str | None:
        """HCG-WIN-01."""
        taken = list(self.taken.values())
        return next((player for player in PLAYERS if taken.count(player) >= SECTORS_TO_WIN), None)

    def won_by_totals(self) -> str | None:
        """HCG-WIN-02 and HCG-WIN-03, at the end of a turn."""
        totals = self.totals()
        if self.turn < LAST_TURN or totals["p1"] == totals["p2"] or self.plays_on():
            return None
        return max(PLAYERS, key=lambda player: totals[player])

    def is_drawn(self) -> bool:
        """OR-TIE, at the end of a turn: both have taken as much."""
        ended = self.phase in ("end", "over") and self.turn >= LAST_TURN
        even = bool(self.taken) and not self.won_by_totals() and not self.plays_on()
        return ended and even and self.goes_by("OR-TIE", "draw")

    def plays_on(self) -> bool:
        """OR-EXTRABOTH: both have taken their first sector in this extra turn, and another one is played."""
        both = len(self.taken) == len(PLAYERS) and len(set(self.taken.values())) == len(PLAYERS)
        now = self.turn > LAST_TURN and all(self.taken_in.get(slot) == self.turn for slot in self.taken)
        return both and now and self.goes_by("OR-EXTRABOTH", "play-on")

    # ---------------------------------------------------------------- end phase

    def battles_are_fought(self) -> Faults:
        if not self.won_at_once() or self.goes_by("OR-WINTIME", "end-phase"):
            yield from super().battles_are_fought()

    def on_battle_choose(self, at: Reader) -> Faults:
        """A game that is won goes on: HCG-WIN-01."""
        if self.phase == "battle" and not self.step and self.won_at_once():
            if self.goes_by("OR-WINTIME", "immediate"):
                yield self.fault("WIN-01", "illegal", None)
                self.stops = True
                return
        yield from super().on_battle_choose(at)

    def in_the_end_phase(self) -> Faults:
        if self.phase == "battle" and not self.step:
            yield from self.reach("end")
        if self.phase != "end":
            raise NotJudged("an act of the end phase before it")

    def on_phase_start(self, at: Reader) -> Faults:
        if self.step and at.event.get("phase") == "end":
            raise NotJudged("the end phase within a battle")
        yield from super().on_phase_start(at)
        if self.phase == "end":
            self.rallied = set()

    def on_end_check(self, at: Reader) -> Faults:
        yield from self.in_the_end_phase()
        winner = at.event.get("winner")
        if winner is None:
            return
        if at.player("winner") not in (self.won_at_once(), self.won_by_totals()):
            yield self.fault("END-01", "miscalculated", None)

    def on_end_ships(self, at: Reader) -> Faults:
        yield from self.in_the_end_phase()
        by, ships = at.player(), at.pieces("rallied")
        if by in self.rallied:
            raise NotJudged("ships are rallied again")
        self.rallied.add(by)
        wrong = [ship for ship in ships if ship.owner != by or ship.zone != "fleet"]
        if wrong:
            yield self.fault("END-02", "illegal", by)
            self.stops = True
        if any(ship.position == "locked" and ship not in ships for ship in self.fleet(by)):
            yield self.fault("END-02", "omitted", by)
        for ship in self.fleet(by):
            ship.position = "ready"

    def on_turn_end(self, at: Reader) -> Faults:
        yield from self.in_the_end_phase()
        decks = at.event.get("decks", {})
        if not isinstance(decks, dict) or not set(decks) <= set(PLAYERS):
            raise NotJudged("decks of nobody")
        for player, count in decks.items():
            if type(count) is not int:
                raise NotJudged("no number of cards")
            if count != len(self.zone(player, "deck")):
                yield self.fault("TURN-03", "miscalculated", player)
        self.phase = "over"
        self.expire("turn")

    def on_turn_start(self, at: Reader) -> Faults:
        if self.phase == "end":
            self.phase = "over"
        if self.turn and self.phase == "over":
            if self.won_at_once():
                yield self.fault("WIN-01", "illegal", None)
                self.stops = True
            elif self.won_by_totals() or self.is_drawn():
                yield self.fault("WIN-02", "illegal", None)
                self.stops = True
            yield from self.ships_are_rallied()
        self.rallied = set()
        self.expire("turn")
        yield from super().on_turn_start(at)

    def ships_are_rallied(self) -> Faults:
        """HCG-END-02, when the next turn begins."""
        for player in PLAYERS:
            if any(ship.position == "locked" for ship in self.fleet(player)):
                yield self.fault("END-02", "omitted", player)
                for ship in self.fleet(player):
                    ship.position = "ready"

    # ---------------------------------------------------------------- the end of the game

    def on_end(self, at: Reader) -> Faults:
        reason = at.one_of("reason", ("finished", *BROKEN_OFF))
        self.stops = True
        if reason == "finished":
            yield from self.too_early(None)

    def on_game_end(self, at: Reader) -> Faults:
        self.stops = True
        reason, winner = at.event.get("reason"), at.event.get("winner")
        if (reason is not None and reason not in REASONS) or winner not in (None, *PLAYERS):
            raise NotJudged("an end that cannot be read")
        if reason == "deck_loss" and self.goes_by("OR-DECKOUT", "deck-loss"):
            if self.ran_out is not None and winner == self.ran_out[0]:
                raise NotJudged("who has lost by an empty deck")
            if "winner" in at.event and winner is None:
                yield self.fault("WIN-01", "miscalculated", None)
            return
        if reason in BROKEN_OFF:
            return
        early = list(self.too_early(reason))
        yield from early
        if early:
            return
        at_once = self.won_at_once()
        rule = "WIN-01" if at_once else "WIN-02"
        due = at_once or self.won_by_totals()
        if "winner" in at.event and winner != due:
            yield self.fault(rule, "miscalculated", None)
        totals = at.event.get("totals")
        if totals is not None and not isinstance(totals, dict):
            raise NotJudged("totals that cannot be read")
        named_totals = {player: said for player, said in (totals or {}).items() if said is not None}
        if any(self.totals().get(player) != said for player, said in named_totals.items()):
            yield self.fault(rule, "miscalculated", None)
        named = AT_ONCE if at_once else "turn4_total" if self.turn == LAST_TURN else "extra_turn"
        named = "draw" if self.is_drawn() else named
        if reason not in (None, named):
            raise NotJudged("another reason of the end")

    def too_early(self, reason: str | None) -> Faults:
        """Whether the game ends before it is won."""
        if self.won_at_once() and not self.step:
            if self.goes_by("OR-WINTIME", "end-phase") and self.phase == "battle":
                yield from self.battles_are_fought()
            return
        if self.is_drawn():
            return
        # A terse record may leave out all of the end phase.
        fought = self.is_terse and self.phase == "battle" and not self.step and self.battle == len(PLAYERS)
        ended = (self.phase in ("end", "over") or fought) and self.turn >= LAST_TURN
        if ended and self.won_by_totals():
            return
        if ended and self.taken:
            yield self.fault("WIN-02", "omitted", None)
        elif self.turn > LAST_TURN or ended:
            yield self.fault("WIN-03", "omitted", None)
        else:
            yield self.fault("WIN-04", "omitted", None)
