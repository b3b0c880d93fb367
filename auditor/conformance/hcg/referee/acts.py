"""Battle actions as far as the course of a battle and the zones of cards hang on them (catalogue 4.13, 4.20)."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence

from auditor.conformance.hcg.referee.board import Reader
from auditor.conformance.hcg.referee.course import Faults
from auditor.conformance.hcg.referee.doings import OF_CHOICES, Doings, set_of
from auditor.conformance.hcg.referee.found import Found, NotJudged
from auditor.conformance.hcg.referee.openings import FOUGHT
from auditor.conformance.hcg.referee.sources import IN_PLAY
from auditor.conformance.hcg.table import PLAYERS, Bonus, Event, Piece, other
from auditor.conformance.hcg.texts import Effect, Text

PASSES_TO_CLOSE = 2
FIRST_BA = "first ba"
"""Until when a bonus of a set-up instruction may last; one that is counted later was not gained in a battle action."""
STATS = ("firepower", "assault", "speed", "armor", "flags")
POSITIONS = ("ready", "locked", "charging")


def effects_of(text: Text) -> list[Effect]:
    """All that a text does, in whatever row of a variable roll."""
    return [*text.effects, *(effect for _, _, row in text.rows for effect in row)]


class Acts(Doings):
    """The table with battle actions: who acts, what moves, what is gained."""

    def __init__(self, header: Event, options: Mapping[str, str] | None, events: Sequence[Event] = ()) -> None:
        super().__init__(header, options, events)
        self.acting = ""
        """Who acts in the battle action that is open."""
        self.passes = 0
        self.is_repeated = False
        """Whether a battle action was not used, and its player acts again (OR-FAILEDTEST)."""
        self.passed_before = 0
        """How many had passed in a row before the battle action that is open."""
        self.withdrew: str | None = None
        self.withdrawn: list[Piece] = []
        """What was destroyed by withdrawing."""
        self.is_open = False
        """Whether a battle action goes on that nothing has closed yet."""
        self.ended: dict[str, list[tuple[str, int]]] = {}
        """Bonuses that have ended, by card: (stat, amount)."""
        self.is_tainted = False
        """Whether a text that cannot be read has done something in this battle."""

    # ---------------------------------------------------------------- one action after the other

    def open_ba(self, at: Reader, is_pass: bool = False, unit: Piece | None = None) -> Faults:
        """A battle action begins: whose turn it is, and whether there may be another one at all.

        Who acts out of turn with a unit of the other player's breaks one rule, not two: nothing else is judged.
        """
        by = at.player()
        if by != self.next and unit is not None and unit.owner == self.next:
            self.stops = True
        if self.step == "setup":
            yield from self.enter(FOUGHT)
            if self.skipped:
                yield self.fault("BSET-06", "illegal", by)
                self.stops = True
            self.step, self.passes, self.withdrew = "battle", 0, None
            if by != self.next:
                yield self.fault("BPH-05", "illegal", by)
        else:
            self.in_step("battle")
            yield from self.ba_is_over()
            self.close_ba()
            if self.passes >= PASSES_TO_CLOSE or self.withdrew is not None:
                yield self.fault("BA-04", "illegal", by)
                self.stops = True
            elif by != self.next and (self.failed is None or at.event.get("card") != self.failed):
                yield self.fault("BA-01", "illegal", by)
                self.stops = self.stops or self.is_repeated
        self.is_repeated, self.failed = False, None
        self.ba, self.is_open, self.passed_before = self.ba + 1, True, self.passes
        self.befallen = set()
        self.acting, self.next = by, other(by)
        self.passes = self.passes + 1 if is_pass else 0

    def ba_is_over(self) -> Faults:
        """What the battle action that was open still owes."""
        raise NotImplementedError

    def close_ba(self) -> None:
        """What ends with a battle action: bonuses, and cards that were played in it go to the discard pile."""
        for player in PLAYERS:
            self.discard_names(list(self.zone(player, "limbo")))
        self.attack, self.damage_steps, self.is_open = None, 0, False
        self.expire("ba")

    def is_until(self, at: Reader) -> str:
        """How long what is gained lasts; of what a set-up instruction gives that is a reading (OR-BONUSSETUP)."""
        until = str(at.event.get("until", "ba"))
        if self.step == "setup" and until == "ba":
            return "battle" if self.goes_by("OR-BONUSSETUP", "battle") else FIRST_BA
        return until

    def expire(self, *ends: str) -> None:
        over = (*ends, FIRST_BA) if "ba" in ends else ends
        for piece in self.pieces.values():
            if not piece.bonuses:
                continue
            gone = [(bonus.stat, bonus.amount) for bonus in piece.bonuses if bonus.until in over]
            if gone:
                self.ended.setdefault(piece.id, []).extend(gone)
            piece.bonuses = [bonus for bonus in piece.bonuses if bonus.until not in over]
        self.flag_changes = [change for change in self.flag_changes if change[2] not in ends]

    def on_ba_pass(self, at: Reader) -> Faults:
        yield from self.open_ba(at, is_pass=True)

    def on_ba_card(self, at: Reader) -> Faults:
        card = at.piece()
        yield from self.open_ba(at)
        if not self.stops:
            yield from self.plays_from_the_hand(at.player(), card, "BA")
        if not self.stops:
            yield from self.announce(at, (card.id, "line"), card, card.card.line)

    def on_ba_ability(self, at: Reader) -> Faults:
        yield from self.open_ba(at)
        if not self.stops:
            yield from self.opens(at, "BA")

    # ---------------------------------------------------------------- what is played

    def on_tactic(self, at: Reader) -> Faults:
        yield from self.opens(at, "T")

    def on_reaction(self, at: Reader) -> Faults:
        yield from self.opens(at, "R")

    def on_modifier(self, at: Reader) -> Faults:
        yield from self.opens(at, "M")

    def said(self, at: Reader) -> Faults:
        """A mark of the battle step that moves nothing."""
        self.in_step("battle")
        yield from ()

    on_sweep_none = on_special_none = said

    # ---------------------------------------------------------------- what changes

    def on_cost(self, at: Reader) -> Faults:
        op, cards = at.one_of("op", ("lock", "discard", "mill", "destroy", "rally", "other")), at.pieces()
        unpaid = list(self.pays(at, op, cards))
        yield from unpaid
        if unpaid and op == "destroy" and any(card.zone not in IN_PLAY for card in cards):
            self.stops = True  # It cannot be destroyed, and that it cannot pay is said.
        if not self.stops:
            yield from self.change(at.player(), op, cards)

    def change(self, by: str, op: str, cards: list[Piece]) -> Faults:
        """What `by` does to some cards. Where it cannot be done, nothing after it can be followed."""
        self.befallen |= set_of(cards)
        for card in cards:
            if op in ("lock", "rally"):
                self.here_or_in_a_fleet(card)
                card.position = "locked" if op == "lock" else "ready"
                if op == "lock" and card.zone == "fleet":
                    self.locked_in[card.id] = (self.turn, self.battle)
                continue
            if op == "destroy" and card.zone not in IN_PLAY:
                rule = (
                    "DES-02" if card.zone == "limbo" else "DES-01"
                )  # One that is to be discarded is called destroyed.
                yield self.fault(rule, "illegal", None if self.type == "destroy" else by)
                self.stops = True
            elif op == "discard" and card.zone == "limbo" and card is self.now.piece:
                pass  # The card that is being played pays for itself: OR-SELFCOST.
            elif op == "discard" and self.type == "cost" and card.owner != by:
                yield self.fault("OPT-08", "illegal", by)
                self.stops = True
            elif op == "discard" and card.zone != "command_hand":
                if card.zone not in ("deck", *IN_PLAY):
                    raise NotJudged("a discard from elsewhere")
                yield self.fault("OPT-08" if self.type == "cost" else "DISC-01", "illegal", by)
                self.stops = True
            elif op == "mill" and card.owner != by:
                yield self.fault("DOC-02", "illegal", by)
                self.stops = True
            elif op == "mill" and card.zone != "deck":
                raise NotJudged("a discard that is not from the deck")
            elif op == "mill" and self.top(card.owner) not in (None, card.id):
                yield self.fault("DOC-03", "illegal", by)
                self.stops = True
            if self.stops:
                return
            if op != "other":
                self.move(card.id, "discard")

    def here_or_in_a_fleet(self, card: Piece) -> None:
        if card.zone not in IN_PLAY:
            raise NotJudged("a card that is not in play")

    def bare(self, at: Reader, op: str) -> Faults:
        """A bare change; one that restates what was implied is none."""
        text = self.text_of(at) if at.event.get("cause") == "effect" else None
        if not isinstance(text, Text) or (text.readable and op not in {effect.op for effect in effects_of(text)}):
            raise NotJudged("a change without an ability that makes it")
        yield from self.does(at)
        if self.stops:
            return
        if op == "discard":
            by_another = list(self.is_picked_by_the_right_one(at))
            yield from by_another
            if by_another:
                return
            yield from self.discards_enough(at)
        else:
            yield from self.is_on_chosen(op, [card for card in at.pieces() if card.zone in IN_PLAY])
            yield from self.is_on_all(op, op, at.pieces())
        if op == "mill":
            yield from self.takes_so_many(at)
        yield from self.does_nothing(at, op)
        yield from self.change(at.player() if "by" in at.event else self.controller(at), op, at.pieces())

    def is_picked_by_the_right_one(self, at: Reader) -> Faults:
        """HCG-DISC-01: who discards picks the cards."""
        asked = [one.player for one in self.doing(self.now) if one.op == "discard"]
        due = {"enemy": other(self.now.by), "you": self.now.by}.get(str(asked[0])) if len(asked) == 1 else None
        anothers = any(card.zone == "command_hand" and card.owner != at.player() for card in at.pieces())
        if anothers or (due is not None and self.now.text.readable and at.player() != due):
            yield self.fault("DISC-01", "illegal", at.player())
            self.stops = True

    def discards_enough(self, at: Reader) -> Faults:
        """HCG-OPT-04: who must discard at another's word discards as many as there are."""
        ability, by = self.now, at.player()
        asked = [one.n for one in self.doing(ability) if one.op == "discard" and one.player in ("enemy", "each")]
        if by == ability.by or len(asked) != 1 or not ability.text.readable:
            return
        hand = len(self.hand(by))
        amount = hand if asked[0] == "all" else self.amount_of(ability, asked[0])
        if amount is not None and len(at.pieces()) < min(amount, hand) and not self.to_come:
            raise NotJudged("the record ends before all is discarded")
        if amount is not None and len(at.pieces()) != min(amount, hand):
            yield self.fault("OPT-04", "miscalculated", by)

    def on_lock(self, at: Reader) -> Faults:
        yield from self.bare(at, "lock")

    def on_rally(self, at: Reader) -> Faults:
        yield from self.bare(at, "rally")

    def on_discard(self, at: Reader) -> Faults:
        yield from self.copy_goes(at) if at.event.get("cause") == "unique" else self.bare(at, "discard")

    def on_mill(self, at: Reader) -> Faults:
        yield from self.bare(at, "mill")

    def on_destroy(self, at: Reader) -> Faults:
        to = at.event.get("to")
        if isinstance(to, dict) and any(to.get("player", card.owner) != card.owner for card in at.pieces()):
            yield self.fault("DES-01", "miscalculated", None)
        if at.event.get("cause") not in ("effect", "unique") and at.pieces():
            if all(card.zone == "limbo" for card in at.pieces()):
                # It was played or rolled, and goes to the discard pile.
                yield self.fault("DES-02", "illegal", None)
                return
        yield from self.copy_goes(at) if at.event.get("cause") == "unique" else self.bare(at, "destroy")

    def on_return(self, at: Reader) -> Faults:
        cards = at.pieces()
        at.one_of("to", ("command_hand",))
        yield from self.does(at)
        if self.now.kind in OF_CHOICES:
            yield from self.is_on_chosen("return", cards)
        yield from self.is_on_all("return", "return", cards)
        yield from self.does_nothing(at, "return")
        self.befallen |= set_of(cards)
        for card in cards:
            self.here_or_in_a_fleet(card)
            self.move(card.id, "command_hand", face="down")

    def on_infiltrate(self, at: Reader) -> Faults:
        by, cards, to = at.player(), at.pieces(), at.one_of("to", ("sector", "fleet"))
        self.in_step("battle", "setup", "victory")
        yield from self.does(at)
        from_hand = [one for one in self.doing(self.now) if one.op == "infiltrate" and one.zone == "hand"]
        if from_hand and cards and self.goes_by("OR-CMDFACE", "no"):
            if any(one.what and (one.what.kind != "card" or one.what.keywords) for one in from_hand):
                yield self.fault("CMD-01", "illegal", self.now.by)
        piles = ("command_hand",) if from_hand else ("discard", "limbo")
        if any(card.owner != by or card.zone not in piles for card in cards):
            raise NotJudged("an infiltration from elsewhere")
        position = at.one_of("position", POSITIONS) if "position" in at.event else "ready"
        if position == "charging" and any(card.card.kind != "unit" for card in cards):
            raise NotJudged("a charge by what cannot charge")
        wanted = [one.what.kind for one in self.doing(self.now) if one.op == "infiltrate" and one.what is not None]
        if any(kind not in ("card", card.card.kind) for kind in wanted for card in cards if card.card.kind == "ship"):
            yield self.fault("INF-01", "illegal", by)
            self.stops = True
            return
        if any((to == "fleet") != (card.card.kind == "ship") for card in cards):
            yield self.fault("INF-02", "miscalculated", by)
            self.stops = True
            return
        if to == "sector" and "sector" in at.event and at.number("sector") != self.sector:
            yield self.fault("INF-01", "illegal", by)
            self.stops = True
            return
        if position != "ready":
            yield self.fault("INF-01", "miscalculated", by)
        for card in cards:
            joined, rule = (self.fleet(by), "SHIP-04") if to == "fleet" else (self.here(), "UNIQ-04")
            self.move(card.id, to, self.sector if to == "sector" else None)
            card.position = position
            self.comes(card, by, joined, rule)

    def amount_given(self, at: Reader, op: str, stat: str) -> Generator[Found, None, int]:
        """The amount of a bonus, with what is wrong with it. Raises NotJudged where the text gives none, or another."""
        ability, said = self.now, at.number("amount") if "amount" in at.event else None
        if not ability.text.readable and said is not None:
            return said
        until = at.event.get("until")
        given = [
            (sign, amount)
            for effect in self.doing(ability)
            if effect.op == op and (op == "flags" or until in (None, effect.until))
            for name, sign, amount in effect.mods
            if name == stat
        ]
        if len(set(given)) != 1:
            raise NotJudged("a bonus that the text does not give, or not alone")
        ((sign, amount),) = set(given)
        due = self.amount_of(ability, amount)
        if amount == "d6" and op == "modify" and said is not None:
            shared = self.shared(ability, stat, at.pieces("targets"))
            due = due if shared is None else shared
        if said is None and due is not None:
            return sign * due
        if said is None or (due is not None and said != sign * due and self.rule_of(ability, amount) is None):
            raise NotJudged("a bonus that the text does not give")
        rule = self.rule_of(ability, amount)
        if due is not None and said != sign * due and rule is not None:
            yield self.fault(rule, "miscalculated", ability.by)
        return said

    def lasts_so_long(self, at: Reader) -> Faults:
        """Until when a trait is said to last, against the text."""
        ability, said = self.now, at.event.get("until")
        if said is None or not ability.text.readable:
            return
        printed = {one.until for one in self.doing(ability) if one.op == "grant"}
        if printed == {said}:
            return
        if len(printed) != 1 or self.step != "battle":
            raise NotJudged("how long what is gained lasts")
        yield self.fault("DOC-04", "miscalculated", ability.by)

    def on_effect(self, at: Reader) -> Faults:
        op, targets, text = at.event.get("op"), at.event.get("targets"), self.text_of(at)
        self.is_tainted = self.is_tainted or not (isinstance(text, Text) and text.readable)
        yield from self.does(at)
        if self.stops:
            return
        if op == "flags":
            if not isinstance(targets, list) or not set(targets) <= set(PLAYERS):
                raise NotJudged("flags of nobody")
            until = "ba" if self.step == "battle" else "battle"
            amount = yield from self.amount_given(at, "flags", "flags")
            for player in targets:
                self.flag_changes.append((player, amount, until))
        elif op == "modify":
            stat = at.one_of("stat", STATS)
            amount = yield from self.amount_given(at, "modify", stat)
            if self.goes_by("OR-D6SHARE", "per-card") and len(at.pieces("targets")) > 1:
                if "d6" in [said for one in self.doing(self.now) for name, _, said in one.mods if name == stat]:
                    yield self.fault("ROLL-03", "omitted", self.now.by)
            yield from self.is_on_chosen(op, at.pieces("targets"))
            yield from self.is_on_all(op, stat, at.pieces("targets"))
            for card in at.pieces("targets"):
                card.bonuses.append(Bonus(stat, amount, self.is_until(at), born=self.damage_steps))
                self.befallen.add(card.id)
                self.now.given.append((stat, card.id, amount, self.now.last("d6")))
        elif op == "grant":
            yield from self.is_on_chosen(op, at.pieces("targets"))
            yield from self.is_on_all(op, op, at.pieces("targets"))
            yield from self.lasts_so_long(at)
            for card in at.pieces("targets"):
                gained = str(at.event.get("what", ""))
                card.bonuses.append(Bonus("", 0, self.is_until(at), gained, self.damage_steps))
                self.befallen.add(card.id)
        else:
            raise NotJudged("an effect that is not followed")

    # ---------------------------------------------------------------- the end of the battle

    def on_battle_end(self, at: Reader) -> Faults:
        cause = at.one_of("cause", ("double_pass", "withdraw", "skip"))
        if self.step == "setup":
            yield from self.enter(FOUGHT)
            if not self.skipped and self.empty_sides():
                raise NotJudged("a skip that is not recorded")
        else:
            self.in_step("battle")
            yield from self.ba_is_over()
            self.close_ba()
        ended = "skip" if self.skipped else "withdraw" if self.withdrew else ""
        if self.step == "battle" and self.passes >= PASSES_TO_CLOSE:
            ended = "double_pass"
        if not ended:
            gone = not all(self.row(player) for player in PLAYERS)
            yield self.fault("BA-06" if gone or cause != "double_pass" else "BA-04", "illegal", None)
        elif cause != ended:
            raise NotJudged("another cause of the end of a battle")
        self.step, self.ba = "victory", 0
