"""Abilities as they are carried out: condition, choices, costs in their order, X (catalogue 4.21, 4.24).

An ability is open from the event that announces it to the first event that is no part of it; others may be played in
between, so that the open ones are a stack.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from auditor.conformance.hcg.referee.board import Reader
from auditor.conformance.hcg.referee.choices import IN_PLAY, choosing, may_be_chosen, pays_for
from auditor.conformance.hcg.referee.course import Faults
from auditor.conformance.hcg.referee.found import Found, NotJudged
from auditor.conformance.hcg.referee.rolled import Rolled
from auditor.conformance.hcg.referee.sources import Sources
from auditor.conformance.hcg.table import PLAYERS, Event, Piece, other
from auditor.conformance.hcg.texts import Amount, Cost, Effect, Select, Static, Text

PARTS = (
    "cost",
    "roll",
    "effect",
    "destroy",
    "lock",
    "rally",
    "return",
    "discard",
    "mill",
    "draw",
    "infiltrate",
    "damage",
)
OF_A_ROLL = ("modifier", "modifier.pass", "roll.final")
OF_A_TRIGGER = ("reaction", "reaction.pass")
BATTLE_ACTIONS = {"ba.card": "BAC-01", "ba.ability": "BAA-01", "ba.assault": "SPEC-01"}
"""Battle actions that are abilities, each with the rule that has them paid first."""
EFFECTS = {"ba.card": "BAC-01", "ba.ability": "BAA-01", "tactic": "TAC-05"}
"""The rule that has an ability take effect, by the event that announces it."""
NO_PART = ("reshuffle", "remark", "position", "judge", "end", "game.end")
"""Events that are no part of an ability, and end none."""
TURNED = {"lock": "locked", "rally": "ready"}
"""What turns cards -> the position of one that is turned already."""
MUST_BE_DONE = ("destroy", "return", "lock", "rally", "damage", "infiltrate")
"""What is done to cards that were chosen, or to all of a kind, and must have an event."""
ZONES = ("hand", "sector", "fleet")
"""Where a card lies whose text is played."""
Key = tuple[str, Any]


@dataclass
class Ability:
    """An ability that was announced."""

    by: str
    key: Key
    piece: Piece | None
    text: Text
    kind: str
    """The type of the event that announced it."""
    zone: str | None = None
    """Where its source lay then."""
    said: str | None = None
    """Where it lay then, as the announcement says."""
    chosen: list[Piece] | None = None
    """Its targets, where the announcement names them."""
    is_chosen_wrongly: bool = False
    x: int | None = None
    paid: int = 0
    """How many of its costs are paid, from the first."""
    has_window: bool = False
    """Whether its tactics window was open, where it is paid after that."""
    is_late: bool = False
    """Whether something else of its battle action began before it was paid."""
    spent: set[str] = field(default_factory=set)
    """The cards that were destroyed to pay for it."""
    milled: int = 0
    rolls: list[Rolled] = field(default_factory=list)
    parts: set[int] = field(default_factory=set)
    """The events that are part of it."""
    passes: int = 0
    """How many had passed in a row before it."""
    did: bool = False
    """Whether anything is recorded of what it did."""
    ops: set[str] = field(default_factory=set)
    """What is recorded of it, by what it is."""
    befell: set[str] = field(default_factory=set)
    """The cards that it did something to."""
    meant: dict[str, set[str]] = field(default_factory=dict)
    """Of what it does to all cards of a kind: those to which it must still be done, by what that is."""
    taken_off: Counter[str] = field(default_factory=Counter)
    """How many cards each player has discarded off a deck."""
    given: list[tuple[str, str, int, Rolled | None]] = field(default_factory=list)
    """The bonuses that it gave: the stat, the card, the amount, and its last d6 at that time."""

    @property
    def owes(self) -> Cost | None:
        """The cost that is to be paid next."""
        test, costs = self.last("test"), self.text.costs
        is_over = self.paid >= len(costs) or (test is not None and not test.is_passed)
        return None if is_over else costs[self.paid]

    def last(self, purpose: str) -> Rolled | None:
        return next((one for one in reversed(self.rolls) if one.purpose == purpose), None)


class Abilities(Sources):
    """The table with the abilities that are being carried out, the last one announced at the end."""

    def __init__(self, header: Event, options: Mapping[str, str] | None, events: Sequence[Event] = ()) -> None:
        super().__init__(header, options, events)
        self.going: list[Ability] = []
        self.locked_in: dict[str, tuple[int, int]] = {}
        """The turn and the battle in which each ship was locked last."""
        self.type = ""
        self.by: str | None = None
        """Of the event that is judged."""
        self.failed: str | None = None
        """The card of the battle action before, whose test has failed: to play it again at once is one mistake (HCG-CMD-03)."""

    @property
    def now(self) -> Ability:
        """The ability that an event is part of. Raises NotJudged where there is none."""
        if not self.going:
            raise NotJudged("a part of no ability")
        return self.going[-1]

    def key_of(self, event: Event) -> Key | None:
        source = event.get("source")
        return (str(source.get("card")), source.get("ability")) if isinstance(source, dict) else None

    def before(self, event: Event) -> Faults:
        """What an event is part of; the abilities that are over with it must have been paid."""
        yield from super().before(event)
        type_, key = event["type"], self.key_of(event)
        self.type, self.by = type_, event.get("by")
        if type_ in NO_PART or (key is None and event.get("cause") == "unique"):
            return
        while self.going and not self.is_part(self.going[-1], event, key):
            over = self.going.pop()
            test = over.last("test")
            if test is not None and not test.is_passed:
                if self.goes_by("OR-FAILEDTEST", "refunded"):
                    self.give_back(over)
                elif over.kind == "ba.card" and over.piece is not None:
                    self.failed = over.piece.id
            if not self.pays_at_the_end(over) or over.did:
                yield from self.is_paid(over)
            yield from self.is_carried_out(over)
        if self.going:
            self.going[-1].parts.add(self.seq)
            zone = event["source"].get("zone") if type_ in PARTS and key is not None else None
            if zone not in (None, self.now.zone, self.now.said):
                if zone not in ZONES or self.now.zone not in ZONES:
                    raise NotJudged("a source that is said to have lain elsewhere")
                yield self.fault("DOC-04", "miscalculated", self.now.by)

    def is_carried_out(self, ability: Ability) -> Faults:
        """What an ability that is over should have done."""
        rule = EFFECTS.get(ability.kind)
        if ability.kind == "ba.ability" and self.is_gone(ability):
            rule = "BAA-03" if self.goes_by("OR-SOURCEGONE", "still-resolves") else None
        for _ in self.left_undone(ability) if rule is not None else ():
            yield self.fault(rule or "", "omitted", ability.by)

    def is_gone(self, ability: Ability) -> bool:
        """Whether the card that bears an ability has left play, and not to pay for it."""
        source = ability.piece
        return source is not None and source.zone not in IN_PLAY and source.id not in ability.spent

    def left_undone(self, ability: Ability) -> list[Effect]:
        """What an ability that is over should have done to cards, as far as it could be done, and of which nothing is
        recorded. What it should have given is not missed."""
        test, text = ability.last("test"), ability.text
        if not text.readable or text.rows or ability.owes is not None or (test is not None and not test.is_passed):
            return []
        if self.lost(ability) and self.goes_by("OR-FIZZLE", "all-or-nothing"):
            return []
        return [one for one in text.effects if one.op not in ability.ops and self.can_be_done(ability, one)]

    def can_be_done(self, ability: Ability, effect: Effect) -> bool:
        """Whether there is something that a part of a text must be done to."""
        players = {"you": (ability.by,), "enemy": (other(ability.by),)}.get(effect.player, PLAYERS)
        zone = {"draw": "deck", "mill": "deck", "discard": "command_hand"}.get(effect.op)
        if zone is not None:
            amount = 1 if effect.n == "all" else self.amount_of(ability, effect.n)
            if effect.op == "discard" and "draw" in ability.ops:
                return False  # The hand may have been empty before the text filled it.
            return bool(amount) and any(self.zone(player, zone) for player in players)
        if effect.op not in MUST_BE_DONE or effect.what is None:
            return False
        if effect.op == "damage" and not self.amount_of(ability, effect.n):
            return False
        if effect.what.q == "all" and effect.op != "infiltrate":
            return any(one.position != TURNED.get(effect.op) for one in self.meant_by(ability, effect.what))
        named = (
            [ability.piece] if effect.what.q == "self" else ability.chosen if effect is choosing(ability.text) else []
        )
        left = [one for one in named or () if one is not None]
        return any(not may_be_chosen(self, one, effect, ability.by, ability.piece) for one in left)

    def meant_by(self, ability: Ability, what: Select) -> list[Piece]:
        """The cards that a text about all of a kind means. Raises NotJudged where a text may keep one from it."""
        cards = self.meant(what, ability.by, ability.piece)
        if any(self.forbids(card, "be targeted", ability.piece) for card in cards):
            raise NotJudged("whether a text about all of a kind targets")
        return cards

    def lost(self, ability: Ability) -> list[Piece]:
        """What was chosen for a battle action and is gone, or no longer what may be chosen (OR-FIZZLE). What it has done
        itself to a card makes it no other."""
        wanted = choosing(ability.text) if ability.text.readable else None
        if wanted is None or wanted.op == "infiltrate" or ability.kind not in BATTLE_ACTIONS:
            return []
        left = [one for one in ability.chosen or () if one.id not in ability.befell]
        return [one for one in left if may_be_chosen(self, one, wanted, ability.by, ability.piece)]

    def is_part(self, ability: Ability, event: Event, key: Key | None) -> bool:
        """Whether an event is part of an ability. Raises NotJudged for a part of one that is not open."""
        type_ = event["type"]
        if type_ in PARTS and key is not None:
            if all(one.key != key for one in self.going):
                raise NotJudged("a part of an ability that was not announced, or is over")
            return ability.key == key
        if type_ in OF_A_ROLL:
            return event.get("roll") in ability.parts
        if type_ in OF_A_TRIGGER:
            trigger = event.get("trigger")
            return trigger in ability.parts or (type(trigger) is int and trigger >= self.seq)  # Of none: HCG-DOC-05.
        is_new = type_.startswith(("ba.", "setup.", "victory.", "battle.")) or type_ == "event" or type_ == "draw"
        return ability.kind in BATTLE_ACTIONS and not is_new

    def is_paid(self, ability: Ability) -> Faults:
        """HCG-OPT-06, when it is too late to pay."""
        owed = ability.owes
        if owed is None or not ability.text.readable or self.is_broken():
            return
        ability.paid = len(ability.text.costs)
        if owed.op == "test" and not self.has_cards_to_draw(ability.by):
            return  # Nothing is left to roll: the test is not passed.
        if not (owed.op == "discard" and owed.upto):
            yield self.fault("OPT-06", "omitted", ability.by)

    def is_broken(self) -> bool:
        """Whether an attack is over before its damage."""
        raise NotImplementedError

    def costs_are_paid(self) -> Faults:
        """Before the block and the window of a battle action."""
        if self.going and self.going[-1].kind in BATTLE_ACTIONS:
            test = self.going[-1].last("test")
            if test is not None and not test.is_passed:
                yield from self.opens_after_a_failure(self.going[-1])
                return
            ability = self.going[-1]
            if self.pays_at_the_end(ability):
                ability.has_window = ability.has_window or self.type in ("tactic", "tactic.pass")
                return
            owed = ability.owes
            if owed is not None and ability.text.readable and self.is_paid_later(ability, owed):
                ability.is_late = True
            else:
                yield from self.is_paid(ability)

    def give_back(self, ability: Ability) -> None:
        """OR-FAILEDTEST: the card goes back to the hand, and the turn is not used. Raises NotJudged where it is not known."""
        raise NotImplementedError

    def pays_at_the_end(self, ability: Ability) -> bool:
        """Whether the costs of a battle action are paid after the tactics (OR-COSTTIME)."""
        return ability.kind in BATTLE_ACTIONS and self.goes_by("OR-COSTTIME", "resolve")

    def opens_after_a_failure(self, ability: Ability) -> Faults:
        """A window after the test of a battle action was not passed (OR-FAILWIN). Raises NotJudged but for tactics."""
        spent = self.goes_by("OR-FAILEDTEST", "spent")
        if spent and self.goes_by("OR-FAILWIN", "window") and ability.kind != "ba.assault":
            return
        if self.type != "tactic":
            raise NotJudged("a window after a test that was not passed")
        yield self.fault("TAC-01", "illegal", self.by)
        self.stops = True

    # ---------------------------------------------------------------- announcing

    def opens(self, at: Reader, letter: str) -> Faults:
        """A text of this type is played."""
        yield from self.plays(at, letter)
        (card, ability), text = at.source(), self.text_of(at)
        if not self.stops and card is not None:
            yield from self.announce(at, (card.id, ability), card, text)

    def on_setup_ability(self, at: Reader) -> Faults:
        yield from super().on_setup_ability(at)
        (card, ability), text = at.source(), self.text_of(at)
        if not self.stops and card is not None:
            yield from self.announce(at, (card.id, ability), card, text)

    def announce(self, at: Reader, key: Key, piece: Piece, text: Text | Static | None) -> Faults:
        """An ability begins: its condition, its choices, its X."""
        if not isinstance(text, Text):
            raise NotJudged("a text that asks for nothing")
        said = (at.event.get("source") or {}).get("zone")
        lies = "hand" if key[1] == "line" else piece.zone if piece is not None else None
        ability = Ability(at.player(), key, piece, text, at.event["type"], lies, said, parts={self.seq})
        self.going.append(ability)
        elsewhere: list[Found] = []
        if lies not in ZONES:
            ability.zone = said  # It has left play.
        elif said not in (None, lies):
            if said not in ZONES:
                raise NotJudged("a source that is said to lie elsewhere")
            elsewhere = [self.fault("DOC-04", "miscalculated", ability.by)]
        if not text.readable:
            yield from elsewhere
            return
        condition = text.condition
        if condition is not None and not (
            condition.word == "cards" or (condition.what and condition.what.kind == "card")
        ):
            if not self.holds(condition, ability.by, piece):
                yield self.fault("OPT-02", "illegal", ability.by)
                return
        if isinstance(at.event.get("choices"), dict):
            wrong = list(self.choices_are_possible(at, ability))
            yield from wrong
            if wrong:  # Where its source lies is then no fault of its own.
                ability.x = at.number("x") if "x" in at.event else None
                return
        elif not self.to_come and choosing(text) is not None:
            raise NotJudged("the record ends before it tells what was chosen")
        yield from elsewhere
        yield from self.x_is_known(at, ability)

    def choices_are_possible(self, at: Reader, ability: Ability) -> Faults:
        wanted = choosing(ability.text)
        choices = at.event["choices"]
        named = [choices["target"]] if "target" in choices else choices.get("targets", [])
        if not isinstance(named, list):
            raise NotJudged("choices that cannot be read")
        pieces = [at.known(name) for name in named]
        if wanted is None or wanted.what is None:
            return
        barred = [(one, may_be_chosen(self, one, wanted, ability.by, ability.piece)) for one in self.pieces.values()]
        eligible = [one for one, reasons in barred if not reasons]
        if not eligible and any(
            reasons == [""] and self.forbids(one, "be targeted", ability.piece) for one, reasons in barred
        ):
            raise NotJudged("a card that cannot be targeted is the only one that might be chosen")
        if not choices or (not named and wanted.what.q == "exact"):
            if eligible and wanted.what.q == "exact" and ability.kind in ("event", "setup.ability"):
                raise NotJudged("nothing is chosen as what must be done is announced")
            if eligible and wanted.op == "infiltrate":
                raise NotJudged("no card is chosen from a pile; what is infiltrated may tell it")
            if eligible and wanted.what.q == "exact":
                yield self.fault("OPT-02", "illegal", ability.by)
            if ability.kind in ("event", "setup.ability"):
                # Where nothing can be chosen, nothing is paid or rolled.
                ability.paid = len(ability.text.costs)
            elif not eligible and (wanted.what.q == "exact" or self.option("OR-UPTOZERO") == "at-least-one"):
                yield self.fault("OPT-03", "illegal", ability.by)
            return
        if not pieces and self.option("OR-UPTOZERO") == "at-least-one":
            if eligible or self.perhaps_face_down(wanted, ability.by):
                raise NotJudged("none is chosen of some")
            if ability.kind not in ("event", "setup.ability"):
                yield self.fault("OPT-03", "illegal", ability.by)
        ability.chosen = pieces
        wrong = [may_be_chosen(self, one, wanted, ability.by, ability.piece) for one in pieces]
        rules = {rule for reasons in wrong for rule in reasons}
        if len(rules) > 1 or "" in rules:
            raise NotJudged("which rule bars a choice")
        for rule in rules:
            yield self.fault(rule, "illegal", ability.by)
            ability.is_chosen_wrongly = True
        amount = wanted.what.n
        if not rules and isinstance(amount, int):
            if len(set(named)) < len(named):
                raise NotJudged("a card is chosen twice")
            if len(named) > amount or (len(named) < amount and wanted.what.q == "exact"):
                yield self.fault("OPT-09", "illegal", ability.by)

    def perhaps_face_down(self, wanted: Effect, by: str) -> bool:
        """Whether a card that is meant may lie face down at another sector: nobody says that it could be chosen."""
        what = wanted.what
        if what is None or what.where == "here":
            return False
        kinds = (what.kind,) if what.kind != "card" else ("unit", "asset")
        down = [one for one in self.pieces.values() if one.zone == "sector" and one.face == "down"]
        return any(one.card.kind in kinds and (one.owner == by or what.side != "own") for one in down)

    def x_is_known(self, at: Reader, ability: Ability) -> Faults:
        """HCG-X-01: what the text says X is; HCG-X-02: what the player says."""
        due = self.defined_x(ability)
        said = at.number("x") if "x" in at.event else None
        if due is None:
            ability.x = said
            least = 1 if self.goes_by("OR-XRANGE", "positive") else 0
            if ability.text.x is None and said is not None and said < least:
                yield self.fault("X-02", "illegal", ability.by)
            return
        ability.x = due
        if said not in (None, due):
            yield self.fault("X-01", "miscalculated", ability.by)
            ability.x = said

    def defined_x(self, ability: Ability) -> int | None:
        x = ability.text.x
        if isinstance(x, int):
            return x
        if isinstance(x, Select):
            return len(self.meant(x, ability.by, ability.piece))
        if isinstance(x, tuple):
            of = ability.piece if x[0] == "self" else ability.chosen[0] if ability.chosen else None
            if of is None:
                return None
            return (of.card.stats[x[1]] or 0) if self.option("OR-XSTAT") == "printed" else self.value(of, x[1])
        return None

    # ---------------------------------------------------------------- paying

    def pays(self, at: Reader, op: str, cards: list[Piece]) -> Faults:
        """A cost is paid: the next one that is printed, whole, with cards that can pay it."""
        ability, by = self.now, at.player()
        if by != ability.by:
            raise NotJudged("somebody else pays")
        if not ability.text.readable:
            return
        cost = ability.owes
        if self.pays_at_the_end(ability) and not ability.has_window and not self.implied:
            yield self.fault(BATTLE_ACTIONS[ability.kind], "illegal", by)
        if ability.is_late:
            yield self.fault(BATTLE_ACTIONS[ability.kind], "illegal", by)
            rest = [one.op for one in ability.text.costs[ability.paid :]]
            ability.paid += rest.index(op) + 1 if op in rest else 0
            return
        if op == "mill" and (cost is None or cost.op != "mill") and ability.milled:
            return
        if cost is None:
            raise NotJudged("a cost that the text does not have")
        if cost.op != op:
            if op not in [one.op for one in ability.text.costs[ability.paid :]]:
                raise NotJudged("a cost that the text does not have")
            if self.is_paid_later(ability, cost):
                yield self.fault("OPT-06", "illegal", by)
                self.stops = True
                return
            yield self.fault("OPT-06", "omitted", by)
            while ability.text.costs[ability.paid].op != op:
                ability.paid += 1
            cost = ability.text.costs[ability.paid]
        ability.paid += 1
        yield from self.is_whole(ability, cost, cards)

    def is_whole(self, ability: Ability, cost: Cost, cards: list[Piece]) -> Faults:
        """Whether a cost is paid with as many cards as it asks for, and with such."""
        if cost.op == "mill":
            ability.milled += len(cards)
            return
        count: Amount = cost.n
        if cost.what is not None:
            count = 1 if cost.what.q == "self" else cost.what.n
        if isinstance(count, int) and not cost.upto:
            if len(cards) < count and not cards:
                ability.paid -= 1  # It is missed when it is too late to pay.
            elif len(cards) < count and not self.to_come:
                raise NotJudged("the record ends before a cost is whole")
            elif len(cards) < count:
                yield self.fault("OPT-06", "omitted", ability.by)
            elif len(cards) > count:
                raise NotJudged("more is paid than is asked for")
        if cost.op == "discard" and ability.piece in cards and self.goes_by("OR-SELFCOST", "excluded"):
            yield self.fault("OPT-08", "illegal", ability.by)
        if cost.op == "destroy":
            ability.spent |= {card.id for card in cards}
        if cost.what is not None:
            for card in cards:
                rule = pays_for(self, card, cost, ability.by, ability.piece, ability.kind)
                if rule == "" and card in self.fleet(ability.by) and cost.op == "lock":
                    rule = self.why_locked(card, ability)
                if rule == "":
                    raise NotJudged("which rule bars a card from paying")
                if rule is not None:
                    yield self.fault(rule, "illegal", ability.by)

    def why_locked(self, ship: Piece, ability: Ability) -> str:
        """The rule by which a ship that is locked cannot be locked to pay: it does not rally between battles."""
        locked_in = self.locked_in.get(ship.id)
        if ability.kind == "ba.ability" or locked_in is None or ship.position != "locked":
            return ""  # HCG-BAA-02 speaks of a battle action's too.
        return "POS-02" if locked_in == (self.turn, self.battle) else "SHIP-05"

    def is_paid_later(self, ability: Ability, cost: Cost) -> bool:
        """Whether a cost that is due comes after what should have come after it."""
        for event in self.to_come:
            if event["type"].startswith(("ba.", "battle.", "victory.")):
                return False
            if self.key_of(event) == ability.key and event["type"] in ("cost", "roll"):
                if event.get("op", event.get("purpose")) == cost.op:
                    return True
        return False

    def is_tested(self, made: Rolled) -> Faults:
        """A test is rolled: it is the next cost."""
        ability = self.now
        owed = ability.owes
        ability.rolls.append(made)
        if made.purpose != "test" or not ability.text.readable:
            return
        tests = [n for n, cost in enumerate(ability.text.costs) if cost.op == "test"]
        if not tests:
            raise NotJudged("a test that the text does not have")
        first = ability.paid <= tests[0]  # One rolled again was paid before.
        if first and self.pays_at_the_end(ability) and not ability.has_window and not self.implied:
            yield self.fault(BATTLE_ACTIONS[ability.kind], "illegal", ability.by)
        if ability.is_late and owed is not None:
            yield self.fault(BATTLE_ACTIONS[ability.kind], "illegal", ability.by)
            ability.paid = max(ability.paid, tests[0] + 1)
            return
        if owed is not None and owed.op != "test" and ability.paid <= tests[0]:
            if self.is_paid_later(ability, owed):
                yield self.fault("OPT-07", "illegal", ability.by)
                self.stops = True
            elif not (owed.op == "discard" and owed.upto):
                yield self.fault("OPT-06", "omitted", ability.by)
        ability.paid = max(ability.paid, tests[0] + 1)

    # ---------------------------------------------------------------- doing

    def does(self, at: Reader) -> Faults:
        """A part of what an ability does: its costs are paid, its test is passed, its choices were made before."""
        ability = self.now
        ability.did = True
        ability.ops.add(str(at.event.get("op")) if self.type == "effect" else self.type)
        test = ability.last("test")
        if not ability.text.readable:
            return
        if test is not None and not test.is_passed:
            yield self.fault("OPT-07", "illegal", ability.by)
            self.stops = True
            return
        yield from self.is_paid(ability)
        if ability.kind == "ba.ability" and self.is_gone(ability) and self.goes_by("OR-SOURCEGONE", "fizzles"):
            yield self.fault("BAA-03", "illegal", ability.by)
            self.stops = True
            return
        yield from self.is_of_the_row(at, ability)

    def is_of_the_row(self, at: Reader, ability: Ability) -> Faults:
        """HCG-ROLL-04, as far as another row does something else or draws another number of cards."""
        rows = ability.text.rows
        if not rows:
            return
        type_, here = at.event["type"], self.doing(ability)
        op = at.event.get("op") if type_ == "effect" else type_
        others = [effect for _, _, row in rows for effect in row if effect not in here]
        same = [effect for effect in here if effect.op == op]
        if not same and op in {effect.op for effect in others}:
            yield self.fault("ROLL-04", "miscalculated", ability.by)
            self.stops = True
        elif type_ == "draw" and at.number("n") > max(int(effect.n) for effect in same):
            if at.number("n") in {effect.n for effect in others if effect.op == "draw"}:
                yield self.fault("ROLL-04", "miscalculated", ability.by)

    def doing(self, ability: Ability) -> list[Effect]:
        """What an ability does; of a variable roll the row of its number."""
        text = ability.text
        if not text.rows:
            return list(text.effects)
        made = ability.last("variable")
        if made is None:
            raise NotJudged("a row of no roll")
        return [effect for low, high, row in text.rows if low <= made.value <= high for effect in row]

    def on_draw(self, at: Reader) -> Faults:
        if at.event.get("cause") == "effect":
            yield from self.does(at)
        if not self.stops:
            yield from super().on_draw(at)

    def amount_of(self, ability: Ability, said: Amount) -> int | None:
        """What an amount of a text comes to; None where nobody can tell."""
        if isinstance(said, int):
            return said
        if said == "d6":
            made = ability.last("d6")
            return made.value if made is not None else None
        return ability.x

    def shared(self, ability: Ability, stat: str, cards: Sequence[Piece]) -> int | None:
        """What other cards were given on a roll before the last one, where one roll is for all of them (OR-D6SHARE)."""
        last, names = ability.last("d6"), {card.id for card in cards}
        amounts = {
            abs(amount)
            for name, card, amount, made in ability.given
            if name == stat and card not in names and made is not last
        }
        return amounts.pop() if len(amounts) == 1 and self.goes_by("OR-D6SHARE", "one-roll") else None

    def rule_of(self, ability: Ability, said: Amount) -> str | None:
        """The rule that a wrong amount breaks; None where a plain number is printed."""
        if said == "d6":
            return "ROLL-03"
        return "X-02" if said == "x" else None
