"""A whole game: set-up, first wave, deployment, two battles a turn, victory steps, the end (catalogue 4.3 to 4.10, 4.26, 4.27)."""

from __future__ import annotations

from typing import Any

from auditor.conformance.hcg.abilities import Plan
from auditor.conformance.hcg.battle import Battles
from auditor.conformance.hcg.table import PLAYERS, Event, GameOver, Piece, other
from auditor.conformance.hcg.texts import Text

HAND, LAST_TURN, NEED_TO_WIN, MOST_TURNS = 6, 4, 2, 7


class Game(Battles):
    """The table with the whole course of a game; `stops_at` is an event after which the players break off."""

    names_winner = 0.5

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.stops_at: int | None = None
        self.stop_reason = "concession"
        self.taken_in: dict[int, int] = {}
        """The turn in which each sector was taken."""
        self.returned: dict[str, set[str]] = {player: set() for player in PLAYERS}
        """Copies of unique cards that went back to the hand in this set-up."""
        self.phase_marks = True
        self.crowds = 0.3
        self.sides: dict[str, str] = {}
        self.decks_listed: dict[str, dict[str, int]] = {}

    def write(self, type_: str, **fields: Any) -> Event:
        if self.stops_at is not None and len(self.log) >= self.stops_at and self.depth == 0:
            self.stops_at = None
            raise GameOver(None, self.stop_reason)
        return super().write(type_, **fields)

    # ---------------------------------------------------------------- the course of the game

    def play(self) -> None:
        """The game from the set-up to the end."""
        try:
            self.set_up()
            while self.turn < MOST_TURNS:
                self.play_turn()
            raise GameOver(None, "time")
        except GameOver as end:
            self.finish_game(end)

    def finish_game(self, end: GameOver) -> None:
        self.stops_at = None
        turn, battle, ba, step = self.turn, self.battle, self.ba, self.step
        self.turn = self.battle = self.ba = 0
        self.step = ""
        if end.reason == "stop":
            return
        if end.winner is None and end.reason in ("concession", "time", "judge") and self.chance(0.4):
            self.write("end", reason=end.reason)
            return
        winner = end.winner
        if end.reason == "concession" and self.chance(0.5):
            winner = self.rng.choice(PLAYERS)
        self.write("game.end", winner=winner, reason=end.reason, totals=self.totals())
        self.turn, self.battle, self.ba, self.step = turn, battle, ba, step

    def totals(self) -> dict[str, int]:
        """Sums of the requirements of the sectors taken."""
        return {
            player: sum(self.sectors[slot].requirement for slot, by in self.taken.items() if by == player)
            for player in PLAYERS
        }

    def set_up(self) -> None:
        for player in self.rng.sample(PLAYERS, 2):
            self.shuffle(player)
        dice: dict[str, int] = {}
        for player in self.rng.sample(PLAYERS, 2):
            if dice and self.chance(0.3):
                self.arrange(player, lambda piece: piece.card.die in dice.values())
            card = self.pieces[self.zone(player, "deck")[0]]
            dice[player] = card.card.die
            self.write("setup.reveal", by=player, card=card.id, die=card.card.die)
        if dice["p1"] == dice["p2"]:
            chooser = self.rng.choice(PLAYERS)
            self.write("setup.coin", winner=chooser)
            self.seen["coin"] += 1
        else:
            chooser = min(PLAYERS, key=lambda player: dice[player])
        chooser = self.twist("chooser", chooser, dice)
        role = self.rng.choice(("attacker", "defender"))
        self.atk = chooser if role == "attacker" else other(chooser)
        self.dfd = other(self.atk)
        self.write("setup.role", by=chooser, role=role)
        if self.chance(0.9):
            self.write("setup.planet", by=self.dfd, planet=self.sectors[1].planet)

    def play_turn(self) -> None:
        self.turn += 1
        self.fought = set()
        self.write("turn.start", turn=self.turn)
        self.first_wave()
        self.deployment()
        self.mark("battle")
        for number in self.twist("battles", (1, 2)):
            self.fight_battle(number)
            if not self.fought and self.goes_by("OR-NOCARDSATK", "turn-ends"):
                break
        self.end_phase()

    def mark(self, phase: str) -> None:
        if self.phase_marks:
            self.write("phase.start", phase=phase)

    # ---------------------------------------------------------------- deployment

    def first_wave(self) -> None:
        self.mark("first_wave")
        left = {player: self.open_sectors() for player in PLAYERS}
        if self.goes_by("OR-FWREPEAT", "empty-only"):
            left = {player: [slot for slot in left[player] if not self.row(player, slot)] for player in PLAYERS}
        player = self.twist("first flip", self.dfd)
        while left["p1"] or left["p2"]:
            if not left[player]:
                player = other(player)
            crowds = self.goes_by("OR-FWSPREAD", "at-least-one") and self.chance(0.3)
            fit = self.open_sectors() if crowds else left[player]
            slot = self.twist("flip's sector", self.rng.choice(fit), player, left)
            if slot in left[player]:
                left[player].remove(slot)
            if self.refill(player):
                name = self.twist("top card", self.zone(player, "deck")[0], player)
                face = self.twist("flip's face", "up", player)
                self.write("deploy.first", by=player, card=name, sector=slot, face=face)
                self.move(name, "sector", slot, face=face)
                self.emptied(player)
            player = other(player)

    def deployment(self) -> None:
        self.mark("deployment")
        for player in (self.dfd, self.atk) if self.chance(0.7) else (self.atk, self.dfd):
            self.draw(player, self.twist("deployment hand", HAND, player), "deploy_hand", "deployment")
            for name in list(self.zone(player, "set_aside")):
                self.move(name, "deploy_hand", face="down")
        player = self.twist("first deployment", self.dfd)
        crowded = {who: self.rng.choice(self.open_sectors()) for who in PLAYERS}
        kept = self.twist("kept back", list[str]())
        while any(name not in kept for who in PLAYERS for name in self.zone(who, "deploy_hand")):
            hand = [name for name in self.zone(player, "deploy_hand") if name not in kept]
            if hand:
                name = self.rng.choice(hand)
                slot = crowded[player] if self.chance(self.crowds) else self.rng.choice(self.open_sectors())
                slot = self.twist("deployment's sector", slot, player)
                face = self.twist("deployment's face", "down", player)
                self.write("deploy.regular", by=player, card=name, sector=slot, face=face)
                self.move(name, "sector", slot, face=face)
            player = self.twist("next deployment", other(player))

    # ---------------------------------------------------------------- battles

    def fight_battle(self, number: int) -> None:
        chooser = self.atk if number == 1 else self.dfd
        legal = [slot for slot in self.open_sectors() if slot not in self.fought and self.row(chooser, slot)]
        if not legal:
            self.battle = number
            elsewhere = [slot for slot in self.open_sectors() if slot not in self.fought]
            self.write("battle.none", by=chooser, reason="no_cards" if elsewhere else "no_sector")
            self.battle = 0
            self.seen["no battle"] += 1
            return
        self.battle, self.sector = number, self.twist("battle's sector", self.rng.choice(legal), chooser)
        self.fought.add(self.sector)
        self.write("battle.choose", by=chooser, sector=self.sector)
        self.step = "setup"
        if self.set_up_battle():
            cause = self.battle_step()
        else:
            cause = "skip"
        self.ba = 0
        self.step = "victory"
        self.write("battle.end", cause=cause)
        if self.twist("victory step", True):
            self.victory()
        self.step, self.battle = "", 0
        self.flag_changes = []
        self.expire("battle")
        if self.twist("is won", self.winner_by_sectors() is not None and self.goes_by("OR-WINTIME", "immediate")):
            raise GameOver(self.winner_by_sectors(), "two_sectors")

    def winner_by_sectors(self) -> str | None:
        return next((player for player in PLAYERS if self.sectors_of(player) >= NEED_TO_WIN), None)

    def sectors_of(self, player: str) -> int:
        return sum(by == player for by in self.taken.values())

    def set_up_battle(self) -> bool:
        """The substeps of the set-up; false where a side is empty and there is no battle step."""
        down = self.twist("turned up", [piece for piece in self.here() if piece.face == "down"])
        if down or self.chance(0.3):
            lines = [{"card": piece.id, "id": piece.card.id} for piece in down]
            self.write("setup.flip", sector=self.sector, cards=lines)
        for piece in down:
            piece.face = "up"
        self.returned = {player: set() for player in PLAYERS}
        for player in self.set_up_order():
            if self.chance(0.5):
                self.own_copies(player)
                self.instructions(player)
            else:
                self.instructions(player)
                self.own_copies(player)
        self.copies_on_both_sides()
        for player in (self.atk, self.dfd):
            self.ships_leave(player)
        empty = self.twist("empty sides", [player for player in (self.atk, self.dfd) if not self.row(player)])
        if empty and (len(empty) < len(PLAYERS) or self.goes_by("OR-BOTHEMPTY", "skip")):
            self.write("setup.skip", empty=empty)
            self.seen["skip"] += 1
            return False
        for player in (self.atk, self.dfd):
            self.draw(player, self.twist("command hand", self.to_draw(player), player), "command_hand", "command")
        return True

    def set_up_order(self) -> tuple[str, str]:
        """Whose set-up instructions are carried out first, then whose; by a reading."""
        chooser = self.atk if self.battle == 1 else self.dfd
        by_option = {"attacker-first": self.atk, "defender-first": self.dfd, "chooser-first": chooser}
        first = by_option[self.option("OR-SETUPORDER")]
        return first, other(first)

    def way_back(self) -> str:
        """Where a copy goes that is sent back; by a reading."""
        return "set_aside" if self.goes_by("OR-UNIQHAND", "kept-for-deployment") else "command_hand"

    def to_draw(self, player: str) -> int:
        """How many cards are drawn for the command hand; copies that came back may count among them, by a reading."""
        if not self.goes_by("OR-UNIQHAND", "fills-to-six"):
            return HAND
        return max(0, HAND - len(self.returned[player] & set(self.hand(player))))

    def own_copies(self, player: str) -> None:
        """HCG-UNIQ-01: one copy stays, the others go to the hand."""
        groups: dict[str, list[str]] = {}
        for piece in self.row(player):
            if piece.card.unique:
                groups.setdefault(self.name_of(piece.card), []).append(piece.id)
        for names in groups.values():
            if len(names) < 2:
                continue
            stays = self.rng.choice(names)
            returned = self.twist("extra copies", [name for name in names if name != stays], player, stays)
            if not returned:
                continue
            to = self.twist("extra copies' way", self.way_back(), player)
            self.write("setup.unique", by=player, stays=stays, returned=returned, to=to, reason="own")
            for name in returned:
                self.move(name, to, face="up" if to == "discard" else "down")
                self.returned[player].add(name)
            self.seen["own copies"] += 1

    def copies_on_both_sides(self) -> None:
        """HCG-UNIQ-02: where both have a copy, both go."""
        for mine in [piece for piece in self.row(self.atk) if piece.card.unique]:
            for theirs in [piece for piece in self.row(self.dfd) if piece.card.unique]:
                if self.name_of(mine.card) != self.name_of(theirs.card):
                    continue
                for piece in self.twist("copies that go", (mine, theirs)):
                    to = self.way_back()
                    self.write("setup.unique", by=piece.owner, returned=[piece.id], to=to, reason="both")
                    self.move(piece.id, to, face="down")
                    self.returned[piece.owner].add(piece.id)
                self.seen["copies on both sides"] += 1

    def instructions(self, player: str) -> None:
        """The set-up texts of a player's cards here."""
        for piece in list(self.row(player)):
            for index, text in piece.card.set_ups:
                if self.is_here(piece.id) and self.twist("is carried out", True, player):
                    self.carry_out_at_once("setup.ability", player, piece, index, text)

    def carry_out_at_once(
        self, type_: str, player: str, piece: Piece, index: int | str, text: Text, source: Event | None = None
    ) -> None:
        """A set-up instruction or an event: opened, its test rolled, done."""
        plan = self.plan(player, piece, index, text, forced=True)
        if plan is None:
            plan = Plan(player, piece, index, text, self.source_of(piece, index))
        if source is not None:
            plan.source = source
        self.write(type_, by=player, source=plan.source, choices=plan.choices)
        if plan.choosing is not None and not plan.chosen and plan.choosing.what and plan.choosing.what.q == "exact":
            return
        if self.pay(plan):
            self.resolve_or_state(plan)

    def ships_leave(self, player: str) -> None:
        ships = [piece for piece in self.row(player) if piece.card.kind == "ship"]
        if ships:
            self.write("setup.ships", by=player, ships=[piece.id for piece in ships])
        elif self.chance(0.1):
            self.write("setup.ships", by=player, ships=[])
        for ship in ships:
            old = [
                piece
                for piece in self.fleet(player)
                if ship.card.unique and self.name_of(piece.card) == self.name_of(ship.card)
            ]
            self.move(ship.id, "fleet")
            for piece in self.twist("old ships", old, player):
                if piece.card.unique:
                    self.write("destroy", cards=[piece.id], cause="unique")
                    self.move(piece.id, "discard")
                    self.seen["unique ship"] += 1

    # ---------------------------------------------------------------- victory

    def flags(self, stage: str) -> None:
        atk, dfd = self.flag_total(self.atk), self.flag_total(self.dfd)
        # Whether a total can fall below nothing is not said: such a one is not claimed.
        if min(atk, dfd) >= 0:
            self.write("victory.flags", atk=atk, dfd=dfd, stage=stage)
        else:
            self.write("victory.flags", stage=stage)

    def victory(self) -> None:
        """The victory step at the current sector."""
        self.flags("initial")
        for player in (self.atk, self.dfd):
            self.write("victory.reveal", by=player, cards=list(self.hand(player)))
        # The text fixes the moment "at the end of the battle": what counts is what lay there then.
        counting = {player: self.events_of(player) for player in PLAYERS}
        if self.goes_by("OR-EVENTDEF", "as-written"):
            early = [one for one in counting[self.dfd] if one[1] != "line" and one[0].card.kind != "unit"]
            counting[self.atk] += early
            counting[self.dfd] = [one for one in counting[self.dfd] if one not in early]
        for player, stage in ((self.atk, "after_atk"), (self.dfd, "after_dfd")):
            self.rng.shuffle(counting[player])
            for piece, index, text, source in self.twist("events that count", counting[player], player):
                if self.goes_by("OR-EVENTSNAP", "must-remain") and index != "line":
                    if piece.zone not in ("sector", "fleet"):
                        continue
                self.carry_out_at_once("event", piece.owner, piece, index, text, source)
            self.flags(stage)
        for player in (self.atk, self.dfd):
            names = list(self.hand(player))
            self.write("victory.discard", by=player, cards=names)
            self.discard_names(names)
        self.compare()

    def events_of(self, player: str) -> list[tuple[Piece, int | str, Text, Event]]:
        """All events of a player that count: command lines in hand, boxes of cards here and of ships."""
        found: list[tuple[Piece, int | str, Text, Event]] = []
        for name in self.hand(player):
            piece = self.pieces[name]
            if piece.card.line is not None and piece.card.line.type == "E":
                found.append((piece, "line", piece.card.line, self.source_of(piece, "line")))
        for piece in self.supplying(player):
            found += [(piece, index, text, self.source_of(piece, index)) for index, text in piece.card.typed("E")]
        return found

    def supplying(self, player: str) -> list[Piece]:
        """The cards whose events count for a player; by readings not only those in play here."""
        cards = self.in_play(player)
        if self.goes_by("OR-EVENTSCOPE", "all-in-play"):
            elsewhere = [
                piece for slot in self.open_sectors() if slot != self.sector for piece in self.row(player, slot)
            ]
            cards += [piece for piece in elsewhere if piece.face == "up" and piece.card.kind != "ship"]
        if self.goes_by("OR-WDEVENTS", "count"):
            cards += [piece for piece in self.withdrawn if piece.owner == player]
        if player == self.dfd and self.goes_by("OR-EVENTDEF", "units-only"):
            cards = [piece for piece in cards if piece.card.kind == "unit"]
        return cards

    def compare(self) -> None:
        total = {player: self.flag_total(player) for player in PLAYERS}
        need = self.sectors[self.sector].requirement
        winner = next((who for who in PLAYERS if total[who] > total[other(who)] and total[who] >= need), None)
        if winner is not None and self.goes_by("OR-FLAGUNITS", "need-flag-unit"):
            units = [piece for piece in self.row(winner) if piece.card.kind == "unit"]
            winner = winner if any(self.flags_of(piece) > 0 for piece in units) else None
        winner = self.twist("sector's winner", winner, total, need)
        fields: Event = {"atk": total[self.atk], "dfd": total[self.dfd]} if min(total.values()) >= 0 else {}
        self.write("victory.result", winner=winner, **fields, requirement=need)
        here = [piece.id for piece in self.here()]
        if winner is not None:
            here = self.twist("cleared", here, winner)
        if winner is not None:
            self.write("sector.taken", by=winner, sector=self.sector, discarded=here)
            self.discard_names(here)
            self.taken[self.sector], self.taken_in[self.sector] = winner, self.turn
            return
        readied = [piece.id for piece in self.here() if piece.position != "ready"]
        readied = self.twist("readied", readied)
        self.write("sector.reset", sector=self.sector, readied=readied, face="up")
        for name in readied:
            self.pieces[name].position = "ready"

    # ---------------------------------------------------------------- the end of a turn

    def end_phase(self) -> None:
        self.mark("end")
        totals = self.totals()
        over = self.turn >= LAST_TURN and totals["p1"] != totals["p2"]
        if self.turn > LAST_TURN and len(set(self.taken.values())) == len(self.taken) == len(PLAYERS):
            both_now = set(self.taken_in.values()) == {self.turn}
            over = over and not (both_now and self.goes_by("OR-EXTRABOTH", "play-on"))
        leader = max(PLAYERS, key=lambda player: totals[player])
        if self.winner_by_sectors() is not None:
            over, leader = True, self.winner_by_sectors() or ""
        is_drawn = self.turn >= LAST_TURN and not over and bool(self.taken) and self.goes_by("OR-TIE", "draw")
        self.write("end.check", winner=leader if over and self.chance(self.names_winner) else None)
        if not over and not is_drawn:
            for player in self.rng.sample(PLAYERS, 2):
                locked = [piece.id for piece in self.fleet(player) if piece.position == "locked"]
                locked = self.twist("rallied ships", locked, player)
                if locked or self.chance(0.1):
                    self.write("end.ships", by=player, rallied=locked)
                for name in locked:
                    self.pieces[name].position = "ready"
        self.write("turn.end", turn=self.turn, decks={player: len(self.zone(player, "deck")) for player in PLAYERS})
        self.expire("turn")
        if self.goes_by("OR-LEFTFACE", "all-down"):
            for slot in self.open_sectors():
                for piece in [*self.row("p1", slot), *self.row("p2", slot)] if slot not in self.fought else ():
                    piece.face = "down"
        if is_drawn:
            raise GameOver(None, "draw")
        if self.winner_by_sectors() is not None:
            raise GameOver(leader, "two_sectors")
        if over:
            raise GameOver(leader, "turn4_total" if self.turn == LAST_TURN else "extra_turn")
