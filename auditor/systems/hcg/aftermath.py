"""What is to be said of the effect of a fault beyond the facts that differ, and to whose advantage it was."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import msgspec

from auditor.core.effects import NOBODY, NOTHING_ASIDE, UNKNOWN, Aside, Chance, Change, results_of
from auditor.core.findings import Fault
from auditor.core.gains import advantage
from auditor.core.rulings import Hearing
from auditor.systems.hcg import records
from auditor.systems.hcg.abilities.shapes import Effect
from auditor.systems.hcg.adopt import adopt
from auditor.systems.hcg.position.places import At
from auditor.systems.hcg.position.play import Play
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.reckoning.costs import asks_for_cards, ended_by, unpaid
from auditor.systems.hcg.reckoning.plays import ability_of, play_by
from auditor.systems.hcg.reckoning.resolve import resolve

COUNTS_OF_DRAWS = {"HCG-BSET-07": "cards drawn for the command hand", "HCG-DEP-01": "cards drawn for deployment"}
NUMBERS = {
    "HCG-SETUP-02": "die number",
    "HCG-TURN-03": "cards left in the deck",
    "HCG-SETUP-06": "planet",
}
"""What a value of the log that stands without a name is, by rule."""

DIE_OF_THE_ROLES = "HCG-SETUP-02"
LABELS = frozenset({"ba", "n", "zone", "battle", "turn", "step", "stage", "counter", "cause", "reason"})
"""Values that only say where in a game an event is and how it came there, or count what stands there anyway."""
OUTCOMES = frozenset({"destroyed", "passed", "winner"})
WORKING = frozenset({"amount", "armor", "need", "final", "die", "requirement", "atk", "dfd", "x"})
"""Numbers on the way to an outcome: where that is the same, nothing came of them."""


def aftermath(event: records.Event, position: Position, hearing: Hearing, fault: Fault) -> Aside:
    """What the facts of two positions do not tell of a fault."""
    if fault.rule in COUNTS_OF_DRAWS and fault.kind == "omitted" and isinstance(fault.recomputed, int):
        drawn = Change(COUNTS_OF_DRAWS[fault.rule], fault.claimed, fault.recomputed)
        return Aside(results=(drawn,), unsure="Which cards were not drawn nobody can tell")
    if fault.rule == "HCG-OPT-06" and fault.kind == "omitted":
        return _test_left_out(event, position, fault)
    if fault.rule == "HCG-WDR-02" and fault.kind == "omitted":
        left = [Change(one, "kept", f"discard of {_owner(one, position)}") for one in _in_play(fault, position)]
        return Aside(results=tuple(left))
    if fault.rule == HANDS and fault.recomputed is None and fault.kind == "omitted":
        # Play goes on with all of them discarded.
        hand, pile = (f"{zone} of {fault.player}" for zone in ("command hand", "discard"))
        return Aside(results=tuple(Change(one, hand, pile) for one in fault.subject))
    if fault.kind == "illegal" and isinstance(event, records.Modifier) and event.reroll is not None:
        why = f"Without it the roll at event {event.reroll} would not have been made, and what would have come of it"
        return Aside(unsure=f"{why} nobody can tell")
    if fault.rule == "HCG-OPT-05":
        return Aside(results=_of_all(event, position, fault))
    if fault.rule == "HCG-INF-02":
        return Aside(settled=True)  # What a card is says where it lies: play goes on with it there.
    if fault.kind == "miscalculated" and _is_count_of_cards(fault):
        results = results_of(fault.claimed, fault.recomputed)
        return Aside(results=results, unsure="Which cards it would have been nobody can tell")
    if fault.rule == "HCG-DOC-02" and fault.kind == "illegal" and _are_cards(fault.claimed, fault.recomputed, position):
        return Aside(unsure="Which of the two cards it was nobody can tell")
    if fault.kind == "illegal" and _are_words(fault.claimed, fault.recomputed):
        if {fault.claimed, fault.recomputed} == {"up", "down"} and len(fault.subject) == 1:
            return Aside(results=(Change(f"face of {fault.subject[0]}", fault.claimed, fault.recomputed),))
    if fault.kind != "miscalculated":
        return NOTHING_ASIDE
    if fault.rule in NUMBERS:
        if fault.rule == "HCG-TURN-03":
            return Aside(settled=True)
        return Aside(results=(Change(NUMBERS[fault.rule], fault.claimed, fault.recomputed),))
    return Aside(settled=_came_to_the_same(fault) or _is_the_same_blow(event, fault))


def _is_count_of_cards(fault: Fault) -> bool:
    """Whether other cards than were due, by their number, went somewhere."""
    if not isinstance(fault.claimed, Mapping) or not isinstance(fault.recomputed, Mapping):
        return False
    both = (fault.claimed.get("cards"), fault.recomputed.get("cards"))
    return all(isinstance(n, int) for n in both)


DONE = {"lock": "locked", "rally": "made ready", "destroy": "destroyed", "return": "returned", "modify": "given it"}
"""What "all" is done to, in words."""
GOOD = {"locked": -1, "made ready": 1, "destroyed": -1, "returned": -1, "raised": 1, "lowered": -1}
"""Whether that is good for the owner of a card, or bad (-1)."""


def _of_all(event: records.Event, position: Position, fault: Fault) -> tuple[Change, ...]:
    """The cards that a text about all left out, or that it was done to and does not mean."""
    claimed = fault.claimed["cards"] if isinstance(fault.claimed, Mapping) else ()
    by = play_by(event, position)
    plays = [by] if by is not None else [play for play in position.plays if set(claimed) & _done_to(play)]
    abilities = filter(None, (ability_of(position, play) for play in plays))
    effects = [one for ability in abilities for one in ability.effects if one.target and one.target.q == "all"]
    word = _done(effects[0]) if len(effects) == 1 else "among them"
    return tuple(Change(f"{one} {word}", one in claimed, one not in claimed) for one in fault.subject)


def _done_to(play: Play) -> set[str]:
    return {one for _, cards in play.done for one in cards}


def _done(effect: Effect) -> str:
    """What an effect does to a card, in a word: a bonus raises or lowers."""
    signs = {one.amount > 0 for one in effect.changes if isinstance(one.amount, int)}
    if effect.op == "modify" and len(signs) == 1 and len(effect.changes) == 1:
        return "raised" if signs.pop() else "lowered"
    return DONE.get(effect.op, "among them")


# -- a roll that was not made -------------------------------------------------------------------------------------


def _test_left_out(event: records.Event, position: Position, fault: Fault) -> Aside:
    """A test that had to be paid and was not rolled: what the top card of the deck bears, or where nobody knows it, which
    part of the cards left there passes the test. Nothing where another cost was left out, or where the deck may hold other
    cards."""
    for play in ended_by(event, position):
        ability = ability_of(position, play)
        if ability is None or (play.card,) != fault.subject:
            continue
        costs = [cost for cost in unpaid(ability, play)[0] if cost.op != "raw" and asks_for_cards(cost, ability, play)]
        need = costs[0].n if costs and costs[0].op == "test" else None
        if not isinstance(need, int):
            return NOTHING_ASIDE
        top = position.deck_top.get(play.by)
        if top:
            card = position.card_of(top[0])
            if card is None or card.die not in range(1, 7):
                return NOTHING_ASIDE
            return Aside(told=(f"The test, {need}+, was not rolled; the top card of the deck bears {card.die}.",))
        dice = dice_in_deck(position, play.by)
        if not dice:
            return NOTHING_ASIDE
        good = sum(die >= need for die in dice)
        cards = f"{good} of the {len(dice)} cards" if len(dice) > 1 else f"{good} of the one card"
        told = f"The test, {need}+, was not rolled: {cards} left in the deck pass it, before modifiers."
        return Aside(told=(told,), chances=(Chance("the test is passed", Fraction(good, len(dice))),), open=True)
    return NOTHING_ASIDE


def dice_in_deck(position: Position, player: str) -> list[int]:
    """The die numbers of the cards left in a player's deck, in no order; none where not all of them are known."""
    listed = position.table.listed.get(player)
    cards: list[Any]
    if listed is not None:
        cards = [position.card_of(one) for one in sorted(listed) if position.may_be_drawn(one, player)]
    else:
        unseen = position.unseen(player) or {}
        cards = [position.table.cards.get(card) for card, n in unseen.items() for _ in range(n)]
    dice = [card.die for card in cards if card is not None and card.die in range(1, 7)]
    return dice if len(dice) == len(cards) == position.deck_n.get(player) else []


def _is_the_same_blow(event: records.Event, fault: Fault) -> bool:
    """Whether the unit hit is destroyed, or not, as the log has it, also with the right number."""
    right = fault.recomputed
    if not isinstance(event, records.Damage) or not isinstance(right, Mapping) or event.destroyed is None:
        return False
    amount, armor = right.get("amount", event.amount), right.get("armor", event.armor)
    if not right.keys() <= {"amount", "armor"} or not isinstance(amount, int) or not isinstance(armor, int):
        return False
    return event.destroyed == (amount >= armor)


def _came_to_the_same(fault: Fault) -> bool:
    claimed, right = fault.claimed, fault.recomputed
    if not isinstance(claimed, Mapping) or not isinstance(right, Mapping):
        return False
    differing = {key for key in claimed if claimed[key] != right.get(key)}
    if differing <= LABELS:
        return True
    return differing <= WORKING and any(key in right and claimed[key] == right[key] for key in OUTCOMES & set(claimed))


# -- acts done rightly --------------------------------------------------------------------------------------------


def _are_cards(claimed: Any, due: Any, position: Position) -> bool:
    """Whether a card was shown as another than it was before."""
    return _are_words(claimed, due) and all(position.table.cards.get(one) is not None for one in (claimed, due))


def rightly(event: records.Event, position: Position, hearing: Hearing, fault: Fault) -> bool:
    """Adopt an event as it should have been: with the cards that were due and no more, facing as they should, the card
    that was due instead of another, a card that had to go gone."""
    if fault.seq is not None:
        return False
    if fault.kind == "omitted":
        return _left_play(event, position, hearing, fault)
    if fault.rule == "HCG-WDR-02" and isinstance(event, records.BaWithdraw) and event.destroyed:
        left = [one for one in event.destroyed if one not in fault.subject]
        event = msgspec.structs.replace(event, destroyed=left)
        adopt(event, resolve(event, position, hearing), position, hearing)
        return True
    shown = fault.rule == "HCG-DOC-02" and _are_cards(fault.claimed, fault.recomputed, position)
    right = event if shown else _rightly(event, fault)  # Only what it was shown as was wrong, not what it did.
    if right is None:
        return False
    adopt(right, resolve(right, position, hearing), position, hearing)
    return True


def _rightly(event: records.Event, fault: Fault) -> Any:
    claimed, due = fault.claimed, fault.recomputed
    if isinstance(event, records.Draw) and isinstance(claimed, int) and isinstance(due, int) and due < claimed:
        return msgspec.structs.replace(event, n=due, cards=(event.cards or [])[:due] or None)
    if _are_words(claimed, due) and {claimed, due} == {"up", "down"}:
        return msgspec.structs.replace(event, face=due) if getattr(event, "face", None) == claimed else None
    if fault.rule == "HCG-FW-02" and _are_words(claimed, due) and getattr(event, "card", None) == claimed:
        return msgspec.structs.replace(event, card=due)
    return None


def _are_words(*values: Any) -> bool:
    return all(isinstance(value, str) for value in values)


def _left_play(event: records.Event, position: Position, hearing: Hearing, fault: Fault) -> bool:
    """Cards that a withdrawal destroys, or that are discarded with the hand, and that were kept, go to their owners' discard
    piles."""
    if fault.rule == HANDS and fault.recomputed is not None:
        whole = records.VictoryDiscard(seq=event.seq, by=fault.player)
        adopt(whole, resolve(whole, position, hearing), position, hearing)
        adopt(event, resolve(event, position, hearing), position, hearing)
        return True
    cards = list(fault.subject) if fault.rule == HANDS else _in_play(fault, position)
    if fault.rule not in (HANDS, "HCG-WDR-02") or not cards:
        return False
    adopt(event, resolve(event, position, hearing), position, hearing)
    for instance in cards:
        position.at[instance] = At("discard", _owner(instance, position))
    return True


HANDS = "HCG-VIC-06"
"""The rule that hands are discarded after a battle."""


def _in_play(fault: Fault, position: Position) -> list[str]:
    return [one for one in fault.subject if (at := position.at.get(one)) is not None and at.zone == "sector"]


def _owner(instance: str, position: Position) -> str:
    return position.owner.get(instance, position.at[instance].player)


# -- to whose advantage -------------------------------------------------------------------------------------------

BETTER = {
    **dict.fromkeys(("atk", "dfd", "passed", "destroyed", "leftover", "amount", "to", "position", "final", "die"), 1),
    **dict.fromkeys(("armor", "need"), -1),
    "cards": -1,  # A number of cards that had to be discarded.
}
"""Values of which more is better for the player whose they are."""
OWN_HARM = frozenset({"HCG-BSET-07", "HCG-DEP-01", "HCG-DEP-04", "HCG-CA-01", "HCG-CA-02", "HCG-BSET-04"})
"""Rules of which what is left out is the player's own loss: cards not drawn, a counterattack not made."""
DONE_BY_A_CARD = frozenset({"HCG-BAC-01", "HCG-BAA-01", "HCG-TAC-05"})
"""Rules of which what is left out is what a card does."""


def gain(position: Position, fault: Fault, changed: Sequence[Change]) -> str:
    if fault.rule == DIE_OF_THE_ROLES and fault.kind == "miscalculated":
        return _by_the_die(position, fault)
    own_harm = OWN_HARM if fault.kind == "omitted" else ()
    if fault.rule == "HCG-WDR-02" and fault.kind == "illegal" and fault.subject and fault.subject[0] in position.owner:
        return position.other(position.owner[fault.subject[0]])  # It was lost, and should not have been.
    if fault.rule == "HCG-OPT-07" and "failed its test" in fault.text:
        # A cost that was no longer due is its player's loss, and so is what a text does to the own side.
        sides = {found for one in changed if (found := _worth(one, position)) is not None}
        if len(gained := {player if sign > 0 else position.other(player) for player, sign in sides}) == 1:
            return gained.pop()
    players, better = tuple(position.table.players), BETTER
    if fault.rule in DONE_BY_A_CARD and fault.kind == "omitted":
        fault, own_harm = fault._replace(player=_whom_it_serves(position, fault)), DONE_BY_A_CARD
    elif fault.player not in players and fault.subject and fault.subject[0] in position.owner:
        # A number of a card, written down by nobody in particular: its armor is good for its owner.
        fault, better = fault._replace(player=position.owner[fault.subject[0]]), {**BETTER, "armor": 1}
    fault = fault._replace(claimed=_ranked(fault.claimed), recomputed=_ranked(fault.recomputed))
    if fault.kind == "miscalculated":
        # Who wins a sector, or the game, weighs more than what cards were lost for it.
        changed = [one for one in changed if _is_won(one) and _worth(one, position)] or changed
    return advantage(fault, fault.player, players, changed, lambda one: _worth(one, position), better, own_harm)


def _whom_it_serves(position: Position, fault: Fault) -> str | None:
    """Who would have been better off by what a card did not do, as its text and what was chosen for it have it; None where
    that does not say so."""
    instance = fault.subject[0] if fault.subject else ""
    plays = [play for play in position.plays if play.card == instance]
    card, by = position.card_of(instance), plays[-1].by if plays else position.owner.get(instance)
    if card is None or by is None or fault.player != by:
        return fault.player  # Of what both draw, the other did not.
    drawn = any(op == "draw" for play in plays for op, _ in play.done)
    chosen = {position.owner.get(one) for play in plays for one in play.choices or ()}
    served: set[str] = set()
    for text in card.texts:
        for one in text.effects:
            if f"“{text.words(one.at)}”" not in fault.text:
                continue
            is_mine = one.whose == "you" or (drawn and one.player == "each")  # The other drew alone.
            whose = by if is_mine else position.other(by) if one.whose == "enemy" else None
            if one.target is not None and whose is None and len(chosen) == 1:
                (whose,) = chosen
            if whose is None or one.is_good is None:
                return None
            served.add(whose if one.is_good else position.other(whose))
    return served.pop() if len(served) == 1 else None


RANKS = {
    "discard": 0,
    **dict.fromkeys(("set_aside", "deck"), 1),
    **dict.fromkeys(("command_hand", "deploy_hand", "hand"), 2),
    **dict.fromkeys(("sector", "fleet"), 3),
    "locked": 0,
    "charging": 1,
    "ready": 2,
}
"""Where a card goes, and how it stands: the best for its owner the highest."""


def _ranked(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _ranked(one) for key, one in value.items()}
    return RANKS.get(value, value) if isinstance(value, str) else value


def _by_the_die(position: Position, fault: Fault) -> str:
    """Who gained by a wrong die number of a revealed card: who has the lower one chooses a role."""
    other = next((one.die for player, one in position.reveals.items() if player != fault.player), None)
    if other is None or fault.player not in position.table.players:
        return UNKNOWN
    as_logged, right = ((n > other) - (n < other) for n in (fault.claimed, fault.recomputed))
    if as_logged == right:
        return NOBODY
    return fault.player if as_logged < right else position.other(fault.player)


def _is_won(change: Change) -> bool:
    return change.what == "winner" or change.what.startswith("sector ")


def _worth(change: Change, position: Position) -> tuple[str, int] | None:
    other = change.undone if change.right is None else change.right
    players = position.table.players
    if _is_won(change):
        # Won by a player as logged, or, where nobody won it, by one who should have.
        return next(
            (
                (player, sign)
                for value, sign in ((change.logged, 1), (other, -1))
                for player in players
                if str(value) in (player, f"taken by {player}")
            ),
            None,
        )
    card, _, done = change.what.partition(" ")
    if done in GOOD and isinstance(change.logged, bool) and position.owner.get(card) in players:
        return (position.owner[card], GOOD[done] if change.logged else -GOOD[done])
    owner = position.owner.get(change.what)
    logged, right = (_rank(str(value)) for value in (change.logged, other))
    if owner not in players or logged == right:
        return None
    return (owner, 1 if logged > right else -1)


def _rank(place: str) -> tuple[int, int]:
    """How good it is for its owner where a card is: in play, in hand, elsewhere, discarded; and how it stands."""
    zone = 3 if place.startswith(("sector", "fleet")) else 2 if "hand" in place else 0 if "discard" in place else 1
    stance = next((n for n, word in enumerate(("locked", "charging", "ready")) if place.endswith(word)), 0)
    return (zone, stance)
