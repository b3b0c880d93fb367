"""Positions that a record states, and what a judge settles with one (catalogue 5.3, Position; design 5.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from auditor.conformance.hcg.referee.board import Reader
from auditor.conformance.hcg.referee.closings import Closings
from auditor.conformance.hcg.referee.course import Faults
from auditor.conformance.hcg.referee.found import NotJudged
from auditor.conformance.hcg.table import PLAYERS, SLOTS, Bonus, Event, Piece, other

LISTS = ("deploy_hand", "command_hand", "discard", "limbo")
STATES = ("open", "in_battle", "taken")
NOT_TOLD = (
    "phase",
    "battle",
    "has_attacked",
    "ba",
    "served",
    "flipped",
    "next",
    "flag_changes",
    "is_tainted",
    "skipped",
    "withdrew",
    "ended",
)
"""What a position says nothing of, or less than is known."""
POSITIONS = ("ready", "locked", "charging")
STATS = ("firepower", "assault", "speed", "armor", "flags")
Row = tuple[str, str, int | None, str, str]
"""Instance, zone, sector, face, position."""


class Positions(Closings):
    """The table that goes on from a position which tells everything; one with a hole is not followed."""

    def __init__(self, header: Event, options: Mapping[str, str] | None, events: Sequence[Event] = ()) -> None:
        super().__init__(header, options, events)
        self.is_resumed = False
        """Whether the battle goes on from a position, and no battle action has begun since."""

    def open_ba(self, at: Reader, is_pass: bool = False, unit: Piece | None = None) -> Faults:
        self.is_resumed = False
        yield from super().open_ba(at, is_pass, unit)

    def on_battle_end(self, at: Reader) -> Faults:
        if self.is_resumed and at.event.get("cause") == "withdraw":
            raise NotJudged("no position tells of a withdrawal")
        self.is_resumed = False
        yield from super().on_battle_end(at)

    def on_judge(self, at: Reader) -> Faults:
        """What a judge settled accuses nobody."""
        stated = at.event.get("position")
        if not isinstance(stated, dict):
            raise NotJudged("what a judge settled is not told")
        if list(self.state(Reader(self, stated))):
            raise NotJudged("a judge's position that cannot be")
        yield from ()

    def on_position(self, at: Reader) -> Faults:
        yield from self.state(at)

    def state(self, at: Reader) -> Faults:
        """Go on from a position. Raises NotJudged where it leaves something out, or tells too little of where play is."""
        if self.is_open:
            raise NotJudged("a position within a battle action")
        rows = [row for player in PLAYERS for row in self.rows_of(at.event, player)]
        taken, fought = self.sectors_of(at.event)
        faults = list(self.is_impossible(at.event, rows, taken))
        yield from faults
        if faults:
            self.stops = True
            return
        before, kept = self.summary(), {name: getattr(self, name) for name in NOT_TOLD}
        bonuses = {piece.id: list(piece.bonuses) for piece in self.pieces.values()}
        self.lay(rows, at.event)
        self.taken, self.fought = taken, fought
        self.play_stands(at)
        if before == self.summary():
            # It says what is so: nothing changes, nor what no position can tell.
            for name, value in kept.items():
                setattr(self, name, value)
            for piece in self.pieces.values():
                piece.bonuses = bonuses[piece.id]
        elif not self.can_begin():
            raise NotJudged("where in a step play stands is not told")
        else:
            self.is_resumed = True

    # ---------------------------------------------------------------- where everything lies

    def zones_of(self, event: Event, player: str) -> dict[str, Any]:
        zones = event.get("zones")
        stated = zones.get(player) if isinstance(zones, dict) else None
        if not isinstance(stated, dict) or not {"deck", "sectors", "fleet", *LISTS} <= set(stated):
            raise NotJudged("a position leaves out a zone")
        if stated.get("set_aside"):
            raise NotJudged("cards are set aside")
        return stated

    def rows_of(self, event: Event, player: str) -> list[Row]:
        """The cards that a position names under a player. Raises NotJudged for cards that it does not name."""
        stated, at, rows = self.zones_of(event, player), Reader(self, event), list[Row]()
        places: list[tuple[str, int | None, Any]] = [(zone, None, stated[zone]) for zone in (*LISTS, "fleet")]
        places += [("sector", int(slot), listed) for slot, listed in dict(stated["sectors"]).items()]
        for zone, slot, listed in places:
            if not isinstance(listed, list) or slot not in (None, *SLOTS):
                raise NotJudged("unknown cards in a position")
            for one in listed:
                row = one if isinstance(one, dict) else {"card": one}
                card = at.known(row.get("card"))
                if card.owner != player or row.get("owner", player) != player:
                    raise NotJudged("a card under another controller")
                face, position = row.get("face", "up"), row.get("position", "ready")
                if zone in LISTS:
                    face = "up" if zone in ("discard", "limbo") else "down"
                if face not in ("up", "down") or position not in POSITIONS:
                    raise NotJudged("a row that cannot be read")
                rows.append((card.id, zone, slot, face, position))
        return rows

    def sectors_of(self, event: Event) -> tuple[dict[int, str], set[int]]:
        """Which sectors are taken by whom, and which were fought over this turn."""
        stated = event.get("sectors")
        if not isinstance(stated, list) or sorted(one.get("slot", 0) for one in stated) != list(SLOTS):
            raise NotJudged("a position leaves out a sector")
        if any(one.get("state") not in STATES or not isinstance(one.get("fought"), bool) for one in stated):
            raise NotJudged("the state of a sector is not told")
        taken = {one["slot"]: one.get("by") for one in stated if one["state"] == "taken"}
        if not set(taken.values()) <= set(PLAYERS):
            raise NotJudged("a sector taken by nobody")
        return taken, {one["slot"] for one in stated if one["fought"]}

    def is_impossible(self, event: Event, rows: list[Row], taken: dict[int, str]) -> Faults:
        """What no table can look like."""
        count = Counter(name for name, *_ in rows)
        for name, zone, slot, _, position in rows:
            owner = self.pieces[name].owner
            if count[name] > 1:
                count[name] = 0
                yield self.fault("DOC-02", "illegal", owner)
            if position == "charging" and self.pieces[name].card.kind != "unit":
                yield self.fault("POS-04", "illegal", owner)
            if zone == "sector" and slot in taken:
                yield self.fault("DEP-06", "illegal", owner)
        for player in PLAYERS:
            left = [one.id for one in self.pieces.values() if one.owner == player and one.id not in count]
            deck = self.zones_of(event, player)["deck"]
            if not isinstance(deck, dict) or type(deck.get("n")) is not int:
                raise NotJudged("the number of cards of a deck is not told")
            if deck["n"] > len(left):
                yield self.fault("DOC-01", "illegal", player)
            elif deck["n"] < len(left) or sorted(deck.get("order", left)) != sorted(left):
                raise NotJudged("cards are nowhere")

    def lay(self, rows: list[Row], event: Event) -> None:
        """Lay all cards as they are stated; the rest is the deck."""
        known = {piece.id: piece for piece in self.pieces.values()}
        for piece in known.values():
            self.move(piece.id, "deck", face="down")
        for name, zone, slot, face, position in rows:
            self.move(name, zone, slot, face)
            known[name].position = position
        for player in PLAYERS:
            deck = self.zones_of(event, player)["deck"]
            self.ordered[player] = "order" in deck
            if "order" in deck:
                self.set_order(player, list(deck["order"]))

    # ---------------------------------------------------------------- where play stands

    def play_stands(self, at: Reader) -> None:
        """Turn, phase, roles and, in a battle, what goes on there."""
        roles = at.event.get("roles")
        if not isinstance(roles, dict) or sorted(map(str, roles.values())) != ["attacker", "defender"]:
            raise NotJudged("the roles are not told")
        self.atk = next(player for player in PLAYERS if roles.get(player) == "attacker")
        self.dfd, self.has_roles = other(self.atk), True
        self.phase = at.one_of("phase", ("first_wave", "deployment", "battle", "end"))
        self.turn, self.ba = at.number("turn"), at.number("ba") if "ba" in at.event else 0
        self.battle = at.number("battle") if "battle" in at.event else len(self.fought)
        self.has_attacked = bool(self.fought)
        self.next = at.player("next") if at.event.get("next") is not None else ""
        served = at.event.get("served", {})
        if self.phase == "first_wave":
            if set(served) != set(PLAYERS):
                raise NotJudged("who has sent a card where is not told")
            self.served = {player: set(served[player]) for player in PLAYERS}
            self.flipped = set(PLAYERS)
        self.step = ""
        if self.phase == "battle" and at.event.get("step") is not None:
            self.battle_stands(at)

    def battle_stands(self, at: Reader) -> None:
        self.step = at.one_of("step", ("setup", "battle", "victory"))
        self.sector, self.passes = at.number("sector"), at.number("passes")
        if at.player("chooser") != self.chooser_of(self.battle):
            raise NotJudged("another player has chosen the sector")
        flags, bonuses = at.event.get("flags"), at.event.get("bonuses")
        if not isinstance(flags, dict) or set(flags) != set(PLAYERS) or not isinstance(bonuses, list):
            raise NotJudged("flags or bonuses are not told")
        for bonus in bonuses:
            if bonus.get("stat") not in STATS or type(bonus.get("amount")) is not int or "until" not in bonus:
                raise NotJudged("a bonus that cannot be read")
            card = at.known(bonus.get("target"))
            card.bonuses.append(Bonus(bonus["stat"], bonus["amount"], bonus["until"]))
        self.flag_changes, self.is_tainted = [], False
        self.flag_changes = [(player, flags[player] - self.flag_total(player), "battle") for player in PLAYERS]
        if self.step == "battle":
            self.skipped, self.withdrew = False, None

    def can_begin(self) -> bool:
        """Whether play can be followed from here without what went before in the same step."""
        if self.phase == "battle":
            return self.step == "battle" or (self.step == "" and not self.limbo())
        return self.phase in ("first_wave", "end") and not self.limbo()

    def limbo(self) -> list[str]:
        return [name for player in PLAYERS for name in self.zone(player, "limbo")]

    def summary(self) -> tuple[Any, ...]:
        """All that a position tells, as it is now."""

        def lies(piece: Piece) -> tuple[Any, ...]:
            table = (piece.face, piece.position) if piece.zone in ("sector", "fleet") else ()
            gained = sorted((bonus.stat, bonus.amount) for bonus in piece.bonuses if bonus.stat)
            return piece.id, piece.zone, piece.sector, table, gained

        where = (self.turn, "end" if self.phase == "over" else self.phase, self.step, self.atk)
        battle: tuple[Any, ...] = ()
        if self.step:
            totals = [self.flag_total(player) for player in PLAYERS]
            battle = (self.battle, self.ba, self.sector, self.passes, totals)
        due = self.next if self.phase in ("first_wave", "deployment") or self.step == "battle" else ""
        cards = tuple(lies(piece) for piece in self.pieces.values())
        return (*where, due, battle, cards, sorted(self.taken.items()), sorted(self.fought))
