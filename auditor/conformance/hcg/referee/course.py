"""The set-up of the game, its turns and phases, first wave and deployment (catalogue 4.3 to 4.6)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from auditor.conformance.hcg.referee.board import Board, Reader
from auditor.conformance.hcg.referee.found import Found, NotJudged
from auditor.conformance.hcg.table import PLAYERS, Event, Piece, other

PHASES = ("first_wave", "deployment", "battle", "end")
ACTS = {"deployment": ("draw", "deploy.regular"), "battle": ("battle.choose", "battle.none")}
"""With what a phase begins."""
HAND = 6
FACES = ("up", "down")
TAKES = ("setup.reveal", "deploy.first", "draw", "roll", "mill")
"""Events that take cards off a deck."""
BROKEN_OFF = ("concession", "time", "judge")
"""Why players break off anywhere: nothing is left out then."""
Faults = Iterator[Found]


class Course(Board):
    """The table with the course of the game up to the battles of a turn."""

    def __init__(self, header: Event, options: Mapping[str, str] | None, events: Sequence[Event] = ()) -> None:
        super().__init__(header, options, events)
        self.seq = 0
        self.to_come: list[Event] = []
        """The events after this one."""
        self.phase = "setup"
        self.shown: dict[str, Piece] = {}
        """Revealed for the roles."""
        self.shuffled: set[str] = set()
        """Whose deck was shuffled after that."""
        self.claimed_dice: dict[str, int] = {}
        self.coin: str | None = None
        self.has_roles = False
        self.has_attacked = False
        """Whether the attacker's battle of this turn was fought."""
        self.flipped: set[str] = set()
        """Who has made a first flip."""
        self.served: dict[str, set[int]] = {player: set() for player in PLAYERS}
        self.next = ""
        """Whose flip, deployment or battle action is due."""
        self.drawn = dict.fromkeys(PLAYERS, 0)
        self.hands_judged: set[str] = set()
        self.ran_out: tuple[str, int] | None = None
        """Whose deck has become empty last, and by which event."""
        self.marked: tuple[int, str] | None = None
        """The turn and the phase of which the beginning was marked last."""
        self.stops = False
        """Nothing after this event is judged."""

    def fault(self, rule: str, kind: str, player: str | None) -> Found:
        """A fault at this event."""
        return Found(self.seq, f"HCG-{rule}", kind, player)

    # ---------------------------------------------------------------- set-up of the game

    def on_setup_shuffle(self, at: Reader) -> Faults:
        by = at.player()
        if by in self.shown:
            self.shuffled.add(by)
            yield self.fault("SETUP-05", "illegal", by)
        if self.phase != "setup":
            raise NotJudged("a shuffle in the game")
        if "order" in at.event:
            self.set_order(by, [piece.id for piece in at.pieces("order")])
        else:
            self.ordered[by] = False

    def on_setup_reveal(self, at: Reader) -> Faults:
        by, card = at.player(), at.piece()
        if by in self.shown or self.phase != "setup":
            own = card.owner == by and self.top(by) in (None, card.id)
            yield self.fault("SETUP-03" if own else "SETUP-02", "illegal", by)
            self.stops = True
            return
        if card.owner != by or self.top(by) not in (None, card.id):
            yield self.fault("SETUP-02", "illegal", by)
        elif at.event.get("die") is not None and at.number("die") != card.card.die:
            yield self.fault("SETUP-02", "miscalculated", by)
        self.shown[by] = card
        self.claimed_dice[by] = at.event.get("die", card.card.die)

    def on_setup_coin(self, at: Reader) -> Faults:
        winner = at.player("winner")
        if len(self.shown) < len(PLAYERS) or self.coin is not None or self.phase != "setup":
            raise NotJudged("a coin out of place")
        if not self.is_tie():
            yield self.fault("SETUP-03", "illegal", None)
        self.coin = winner

    def is_tie(self) -> bool:
        """Whether both revealed numbers are equal. Raises NotJudged where the claimed numbers say something else."""
        real = {player: card.card.die for player, card in self.shown.items()}

        def order(dice: dict[str, int]) -> int:
            return (dice["p1"] > dice["p2"]) - (dice["p1"] < dice["p2"])

        if order(real) != order(self.claimed_dice):
            raise NotJudged("the claimed numbers lead to another chooser")
        return order(real) == 0

    def on_setup_role(self, at: Reader) -> Faults:
        by, role = at.player(), at.one_of("role", ("attacker", "defender"))
        if self.has_roles or self.phase != "setup":
            yield self.fault("SETUP-04", "illegal", by)
            self.stops = True
            return
        missing = [player for player in PLAYERS if player not in self.shown]
        for player in missing:
            yield self.fault("SETUP-02", "omitted", player)
        if not missing:
            yield from self.chooser_is_right(by)
        self.atk = by if role == "attacker" else other(by)
        self.dfd = other(self.atk)
        self.has_roles = True

    def chooser_is_right(self, by: str) -> Faults:
        if not self.is_tie():
            if self.coin is None and self.shown[by].card.die > self.shown[other(by)].card.die:
                yield self.fault("SETUP-02", "illegal", by)
        elif self.coin is None:
            yield self.fault("SETUP-03", "omitted", None)
        elif self.coin != by:
            yield self.fault("SETUP-03", "illegal", by)

    def on_setup_planet(self, at: Reader) -> Faults:
        by, planet = at.player(), at.event.get("planet")
        if not isinstance(planet, str) or not self.has_roles or self.phase != "setup":
            raise NotJudged("no planet, or not its time")
        if by != self.dfd:
            yield self.fault("SETUP-06", "illegal", by)
        if planet != self.sectors[1].planet:
            yield self.fault("SETUP-06", "miscalculated", by)

    # ---------------------------------------------------------------- turns and phases

    def on_turn_start(self, at: Reader) -> Faults:
        if self.phase not in ("setup", "over"):
            raise NotJudged("a turn out of place")
        if not self.has_roles:
            yield self.fault("SETUP-04", "omitted", None)
            self.stops = True
            return
        self.turn += 1
        self.cards_left_lie_down()
        self.fought, self.battle, self.has_attacked = set(), 0, False
        self.phase, self.next = "first_wave", self.dfd
        self.served = {player: set() for player in PLAYERS}
        self.drawn = dict.fromkeys(PLAYERS, 0)
        self.hands_judged = set()

    def cards_left_lie_down(self) -> None:
        """OR-LEFTFACE, when the next turn begins: cards at the sectors that were not fought over."""
        if self.goes_by("OR-LEFTFACE", "all-down"):
            for slot in self.open_sectors():
                for piece in [*self.row("p1", slot), *self.row("p2", slot)] if slot not in self.fought else ():
                    piece.face = "down"

    def on_phase_start(self, at: Reader) -> Faults:
        to = at.one_of("phase", PHASES)
        if self.phase not in PHASES:
            raise NotJudged("a phase outside a turn")
        here, there = PHASES.index(self.phase), PHASES.index(to)
        if there < here:
            yield self.fault("TURN-01", "illegal", None)
            self.stops = True
            return
        if there > here + 1:
            for player in PLAYERS if self.phase == "first_wave" else ():
                if self.unserved(player):
                    yield self.fault("FW-04", "omitted", player)
            acts = {type_ for phase in PHASES[here + 1 : there] for type_ in ACTS.get(phase, ())}
            if self.to_come and self.to_come[0]["type"] in acts:
                # The phase is there, and the mark is wrong.
                yield self.fault("TURN-01", "illegal", None)
            else:
                for _ in PHASES[here + 1 : there]:
                    yield self.fault("TURN-01", "omitted", None)
            self.stops = True
            return
        if here == there and self.marked == (self.turn, to):
            yield self.fault("TURN-01", "illegal", None)
            return
        self.marked = (self.turn, to)
        yield from self.reach(to)

    def reach(self, phase: str) -> Faults:
        """Go over to a phase: what the ones before still owe is left out."""
        here, there = PHASES.index(self.phase), PHASES.index(phase)
        if there > here + 1:
            raise NotJudged("a phase is missing")
        if here == there:
            return
        if phase == "deployment":
            for player in PLAYERS:
                if self.unserved(player):
                    yield self.fault("FW-04", "omitted", player)
            self.next = self.dfd
        elif phase == "battle":
            yield from self.hands_are_full(*PLAYERS)
            for player in PLAYERS:
                if self.zone(player, "deploy_hand"):
                    yield self.fault("DEP-04", "omitted", player)
                    self.stops = True
        elif phase == "end":
            yield from self.battles_are_fought()
        self.phase = phase

    def battles_are_fought(self) -> Faults:
        """What is left out of the battle phase when it ends."""
        raise NotImplementedError

    def unserved(self, player: str) -> list[int]:
        """The sectors to which a player still has to send a first-wave card."""
        empty_only = self.goes_by("OR-FWREPEAT", "empty-only")
        waiting = [slot for slot in self.open_sectors() if slot not in self.served[player]]
        return [slot for slot in waiting if not (empty_only and self.row(player, slot))]

    # ---------------------------------------------------------------- first wave

    def on_deploy_first(self, at: Reader) -> Faults:
        by, card, slot = at.player(), at.piece(), at.number("sector")
        face = at.one_of("face", FACES)
        if self.phase == "deployment" and not any(self.drawn.values()):
            yield self.fault("FW-04", "illegal", by)
            self.stops = True
            return
        if self.phase != "first_wave":
            raise NotJudged("a flip out of place")
        due = self.next if self.unserved(self.next) or not self.unserved(other(self.next)) else other(self.next)
        of_the_card = list(self.flip_is_from_the_top(by, card))
        yield from of_the_card
        is_other = any(one.kind == "illegal" for one in of_the_card)
        if by != due and self.unserved(by) and not is_other:
            yield self.fault("FW-01", "illegal", by)
        if slot not in self.open_sectors():
            yield self.fault("FW-05", "illegal", by)
        elif slot not in self.unserved(by) and not is_other:
            if self.goes_by("OR-FWSPREAD", "one-each") or not self.unserved(by):
                yield self.fault("FW-04", "illegal", by)
        if face != "up":
            yield self.fault("FW-03", "illegal", by)
        if slot not in (1, 2, 3) or card.owner != by or card.zone not in ("deck", "deploy_hand", "command_hand"):
            self.stops = True
            return
        self.flipped.add(by)
        self.served[by].add(slot)
        self.next = other(by)
        self.move(card.id, "sector", slot, face)

    def flip_is_from_the_top(self, by: str, card: Piece) -> Faults:
        """HCG-SETUP-05 of the first flip of all, HCG-FW-02 of every other."""
        if self.turn == 1 and by not in self.flipped and by in self.shown:
            if card is not self.shown[by] and by not in self.shuffled:
                yield self.fault("SETUP-05", "illegal", by)
        elif card.owner == by and card.zone == "discard" and not self.zone(by, "deck"):
            if self.is_terse or not self.goes_by("OR-DECKOUT", "reshuffle"):
                raise NotJudged("a card from an empty deck")
            yield self.fault("ROLL-06", "omitted", by)
        elif card.owner != by or card.zone != "deck" or self.top(by) not in (None, card.id):
            yield self.fault("FW-02", "illegal", by)

    # ---------------------------------------------------------------- deployment

    def draw_for_deployment(self, by: str, cards: list[Piece]) -> Faults:
        if self.phase == "first_wave" and not any(self.unserved(player) for player in PLAYERS):
            yield from self.reach("deployment")
        if self.phase == "first_wave":
            yield self.fault("DEP-01", "illegal", by)
            self.stops = True
            return
        if self.phase != "deployment":
            raise NotJudged("a hand is drawn out of place")
        before, self.drawn[by] = self.drawn[by], self.drawn[by] + len(cards)
        if self.drawn[by] > HAND >= before:
            yield self.fault("DEP-01", "illegal", by)

    def hands_are_full(self, *players: str) -> Faults:
        """HCG-DEP-01, when the first card of a hand is deployed, at the latest when the deployment is over."""
        for player in players:
            if player in self.hands_judged:
                continue
            self.hands_judged.add(player)
            if self.drawn[player] < HAND and self.has_cards_to_draw(player):
                yield self.fault("DEP-01", "omitted", player)

    def has_cards_to_draw(self, player: str) -> bool:
        """Whether there is a deck, or a discard pile to make one of; else a player draws what there is."""
        return bool(self.zone(player, "deck") or self.zone(player, "discard"))

    def on_deploy_regular(self, at: Reader) -> Faults:
        by, card, slot = at.player(), at.piece(), at.number("sector")
        face = at.one_of("face", FACES)
        if self.step == "battle":
            yield self.fault("BA-02", "illegal", by)
            self.stops = True
            return
        if self.phase == "deployment" and card.owner == by and card.zone == "fleet":
            yield self.fault("SHIP-01", "illegal", by)
            self.stops = True  # Which card has left the hand is not told.
            return
        if self.phase != "deployment" or card.owner != by or card.zone != "deploy_hand":
            raise NotJudged("a deployment out of place")
        yield from self.hands_are_full(by)
        due = self.next if self.zone(self.next, "deploy_hand") else other(self.next)
        if by != due:
            yield self.fault("DEP-02", "illegal", by)
        if face != "down":
            yield self.fault("DEP-03", "illegal", by)
        if slot not in self.open_sectors():
            yield self.fault("DEP-06", "illegal", by)
        if slot not in (1, 2, 3):
            self.stops = True
            return
        self.move(card.id, "sector", slot, face)
        self.next = other(by)

    # ---------------------------------------------------------------- draws

    def on_draw(self, at: Reader) -> Faults:
        by, cards = at.player(), at.pieces()
        cause = at.one_of("cause", ("deployment", "command", "effect"))
        to = at.one_of("to", ("deploy_hand", "command_hand"))
        if at.number("n") != len(cards):
            raise NotJudged("a number of cards drawn that is not that of the cards")
        is_elsewhere = to == "deploy_hand" and cause == "effect" and bool(self.step)
        if (to == "deploy_hand") != (cause == "deployment") and not is_elsewhere:
            raise NotJudged("a draw to another hand")
        deck = self.zone(by, "deck")
        if any(card.owner != by or card.zone != "deck" for card in cards):
            raise NotJudged("a draw from elsewhere")
        if self.ordered[by] and {card.id for card in cards} != set(deck[: len(cards)]):
            yield self.fault("DOC-03", "illegal", by)
            self.stops = True
            return
        if cause == "deployment":
            yield from self.draw_for_deployment(by, cards)
            for name in list(self.zone(by, "set_aside")):
                self.move(name, "deploy_hand", face="down")
        elif cause == "command":
            yield from self.draw_for_command(by, cards)
        if is_elsewhere:
            # In a battle a player holds one hand, whatever it is called.
            yield self.fault("CMD-04", "miscalculated", by)
            to = "command_hand"
        for card in cards:
            self.move(card.id, to, face="down")

    def draw_for_command(self, by: str, cards: list[Piece]) -> Faults:
        """HCG-BSET-07."""
        raise NotImplementedError

    def on_reshuffle(self, at: Reader) -> Faults:
        """The refill of a deck, of the whole discard pile; a card in limbo may be in it, which is not judged."""
        by, pile = at.player(), self.zone(at.player(), "discard")
        if self.zone(by, "deck"):
            yield self.fault("ROLL-06", "illegal", by)
            self.stops = True
            return
        if self.goes_by("OR-DECKOUT", "deck-loss"):
            # A card was needed from an empty deck, and the game went on.
            yield self.fault("WIN-01", "illegal", None)
            self.stops = True
            return
        if self.goes_by("OR-DECKOUT", "run-dry") or (not self.is_terse and not self.is_due(by)):
            yield self.fault("ROLL-06", "illegal", by)
        if "order" in at.event:
            order = [piece.id for piece in at.pieces("order")]
            if set(order) - {*pile, *self.zone(by, "limbo")}:
                yield self.fault("ROLL-06", "illegal", by)
                self.stops = True
                return
            if at.number("n") != len(order) or not set(pile) <= set(order):
                raise NotJudged("a refill of fewer cards, or of another number")
        elif at.number("n") == len(pile):
            order = list(pile)
        else:
            raise NotJudged("a refill of other cards")
        for name in reversed(order):
            self.move(name, "deck", face="down")
        self.ordered[by] = "order" in at.event

    def is_due(self, by: str) -> bool:
        """Whether an empty deck is refilled when it must be. Raises NotJudged at the end of a record."""
        after = next((one for one in self.to_come if one["type"] != "remark"), None)
        if after is None or after["type"] in ("end", "game.end"):
            raise NotJudged("when a deck was to be refilled")
        if self.goes_by("OR-RESHUFFLETIME", "on-empty"):
            return self.ran_out == (by, self.seq - 1)
        takes = after["type"] in TAKES or (after["type"] == "cost" and after.get("op") == "mill")
        if takes and after.get("by") not in PLAYERS:
            raise NotJudged("who takes a card off a deck")
        return takes and after.get("by") == by

    def in_step(self, *steps: str) -> None:
        """Raises NotJudged where a battle is not in one of these steps."""
        if self.step not in steps:
            raise NotJudged("an act outside its step")
