"""What a roll stands for in a text, and empty decks (catalogue 4.8)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from auditor.core.findings import RAN, Note, Remark, Unchecked
from auditor.core.ruleset import Rule
from auditor.core.rulings import Hearing
from auditor.systems.hcg import records
from auditor.systems.hcg.abilities import Ability
from auditor.systems.hcg.abilities.shapes import Effect, Row
from auditor.systems.hcg.position.play import Play
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.reckoning.amounts import rolled
from auditor.systems.hcg.reckoning.deployment import hand_due, is_said_again
from auditor.systems.hcg.reckoning.effects import is_due
from auditor.systems.hcg.reckoning.lacking import rolling
from auditor.systems.hcg.reckoning.plays import ability_of, play_by
from auditor.systems.hcg.reckoning.refills import comes_late, limbo, needs, pile_of, whose_deck
from auditor.systems.hcg.reckoning.resolve import View
from auditor.systems.hcg.rules.common import Seen, rule
from auditor.systems.hcg.rules.effects import OVER, answered, over
from auditor.systems.hcg.rules.played import tag

OUTCOMES = ("draw", "discard", "mill", "destroy", "lock", "rally", "effect")
NEEDS = ("draw", "roll", "deploy.first", "mill", "cost")


@rule(
    "HCG-ROLL-03",
    "d6 in a text",
    section="4.8",
    events=["effect", "damage"],
    kinds=["miscalculated", "omitted"],
    readings=["OR-ROLLRANGE", "OR-D6SHARE"],
    when=dict.fromkeys(["effect", "damage"], ("played",)),
)
def a_d6_is_what_was_rolled(
    event: records.Effect | records.Damage, view: View, position: Position, hearing: Hearing
) -> Seen:
    """ "d6" in a text stands for a number that is found by rolling when it is needed.

    Log:  the roll, and the amount that was used.
    Edge: one roll for several cards, or one each, is OR-D6SHARE: where there are several rolls, what a card gets is held
          against the last one of its ability, or against what the cards before it were given.
    """
    this = a_d6_is_what_was_rolled
    play = play_by(event, position)
    ability = ability_of(position, play)
    if play is None or ability is None or ability.status != "full" or not _of_d6(event, ability):
        return None
    several = isinstance(event, records.Effect) and len(event.targets or ()) > 1
    if several and not position.table.setup.terse and hearing.ask("OR-D6SHARE") == "per-card":
        text = f"{position.named(play.card)} was done to several cards on one roll; each has a roll of its own."
        return [this.omitted(text, play.card, player=play.by)]
    if event.amount is None:
        hearing.not_claimed()
        return None
    right = rolled(play, "d6", position, hearing)
    if right is None:
        return [Unchecked(this.id, f"nothing tells what was rolled for {position.named(play.card)}")]
    shared = _shared(event, play, position)
    if shared is not None and shared != abs(right) and hearing.ask("OR-D6SHARE") == "one-roll":
        right = shared
    if abs(event.amount) == abs(right):
        return RAN
    text = f"{position.named(play.card)} rolled {right}; the log goes on with {event.amount}."
    right = -right if event.amount < 0 else right
    claim, due = {"amount": event.amount}, {"amount": right}
    lacks = rolling(event.seq)
    return [this.miscalculated(text, play.card, player=play.by, claimed=claim, recomputed=due, lacks=lacks)]


def _shared(event: records.Event, play: Play, position: Position) -> int | None:
    """What an ability gave to other cards on a roll before its last one; None where it has given them nothing."""
    if not isinstance(event, records.Effect) or event.op != "modify" or position.roll is None:
        return None
    given = {
        abs(amount)
        for stat, card, amount, roll in play.given
        if stat == event.stat and card not in (event.targets or ()) and roll != position.roll.seq
    }
    return given.pop() if len(given) == 1 else None


def _of_d6(event: Any, ability: Ability) -> bool:
    """Whether an amount is a rolled one."""
    if isinstance(event, records.Damage):
        return event.stat in ("effect", None) and any(
            one.op == "damage" and _is_d6(one.amount) for one in ability.effects
        )
    stat = "flags" if event.stat == "flag" else event.stat
    return any(
        one.op == event.op
        and (_is_d6(one.amount) or any(_is_d6(change.amount) and change.stat == stat for change in one.changes))
        for one in ability.effects
    )


def _is_d6(amount: Any) -> bool:
    return amount in ("d6", "-d6")


@rule(
    "HCG-ROLL-04",
    "Variable rolls",
    section="4.8",
    events=[*OUTCOMES, *(one for one in OVER if one not in OUTCOMES)],
    kinds=["miscalculated"],
    readings=["OR-ROLLRANGE", "OR-STATFLOOR", "OR-BONUSSETUP"],
    when=dict.fromkeys([*OUTCOMES, *OVER], ("rows",)),
)
def the_row_of_the_roll_is_carried_out(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """A card may list outcomes by number: that of the final roll is carried out.

    Log:  the roll, and what was done.
    Edge: of rows that cannot be read only the roll is looked at. A row of which nothing is recorded is missed when the
          ability is over, where it could be carried out.
    """
    this = the_row_of_the_roll_is_carried_out
    if tag(event) not in OUTCOMES:
        return _left_out(this, event, position, hearing)
    if isinstance(event, records.Draw) and event.cause is None:
        return None  # It may be a hand.
    play = play_by(event, position)
    ability = ability_of(position, play)
    if play is None or ability is None or ability.status != "full":
        return None
    tables = [effect for effect in ability.effects if effect.op == "table"]
    if len(tables) != 1 or len(ability.effects) != 1:
        return None
    right = rolled(play, "variable", position, hearing)
    if right is None:
        return [Unchecked(this.id, f"nothing tells what was rolled for {position.named(play.card)}")]
    row = next((one for one in tables[0].rows if one.low <= right <= one.high), None)
    if row is None or any(_fits(effect, event) for effect in row.effects):
        return RAN if row is not None else None
    said = _what(event)
    text = f"{position.named(play.card)} rolled {right}: {_row(ability, row)}; the log says {said}."
    claim, due = {"outcome": said}, {"row": [row.low, row.high]}
    return [this.miscalculated(text, play.card, player=play.by, claimed=claim, recomputed=due)]


def _left_out(this: Rule, event: records.Event, position: Position, hearing: Hearing) -> Seen:
    """The rows of which nothing was carried out by the time that their ability is over."""
    seen: list[Remark] | None = None
    for play, ability in over(event, position):
        if len(ability.effects) != 1 or ability.effects[0].op != "table" or answered(play, position):
            continue
        seen = seen or []
        if play.done:
            continue
        right = rolled(play, "variable", position, hearing)
        row = next((one for one in ability.effects[0].rows if right is not None and one.low <= right <= one.high), None)
        if row is None or not any(is_due(effect, play, (), position, hearing) for effect in row.effects):
            continue
        text = f"{position.named(play.card)} rolled {right}: {_row(ability, row)}; the log has nothing of it."
        due = {"row": [row.low, row.high]}
        seen.append(this.miscalculated(text, play.card, player=play.by, claimed={"outcome": None}, recomputed=due))
    return seen


def _what(event: records.Event) -> str:
    op = event.op if isinstance(event, records.Effect) else str(type(event).__struct_config__.tag)
    n = _count(event)
    return f"{op} {n}" if n is not None else str(op)


def _row(ability: Ability, row: Row) -> str:
    return " and ".join(ability.words(effect.at) for effect in row.effects)


def _count(event: records.Event) -> int | None:
    if isinstance(event, records.Draw):
        return event.n if event.n is not None else len(event.cards) if event.cards is not None else None
    cards = getattr(event, "cards", None)
    return len(cards) if cards is not None else getattr(event, "amount", None)


def _fits(effect: Effect, event: records.Event) -> bool:
    """Whether an event is what a row asks for. Fewer cards than it says may be all that there were."""
    op = event.op if isinstance(event, records.Effect) else str(type(event).__struct_config__.tag)
    if op != effect.op:
        return False
    n = _count(event)
    return n is None or not isinstance(effect.n, int) or n <= effect.n


# -- empty decks --------------------------------------------------------------------------------------------------


@rule(
    "HCG-ROLL-06",
    "An empty deck",
    section="4.8",
    events=["reshuffle", *NEEDS],
    kinds=["illegal", "omitted", "ambiguous"],
    readings=["OR-DECKOUT", "OR-RESHUFFLETIME"],
)
def empty_decks_are_refilled(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """What happens when a card is needed from an empty deck the text does not say (OR-DECKOUT): the own discard pile is
    shuffled into a new deck, when a card is needed or as soon as the last has left (OR-RESHUFFLETIME); or there is none.

    Log:  `reshuffle`, with the number of cards.
    Edge: a card just being rolled and a hand card played and not yet discarded are not part of it. A refill written after
          what had needed it is missed there, and only there. Where the losing of a game hangs on it, that is HCG-WIN-01.
    """
    this, player = empty_decks_are_refilled, whose_deck(event, position)
    if isinstance(event, records.Reshuffle) and player is None:
        return [this.missing(records.lacking(event))]
    if player is None or player not in position.table.other:
        return None
    left = position.deck_n.get(player)
    if isinstance(event, records.Reshuffle):
        if comes_late(event, position):
            return None
        return _refilled(this, event, position, left, hearing)
    if isinstance(event, records.Cost) and event.op != "mill":
        return None
    n = needs(event)
    if left is None or n is None or n <= left or position.table.setup.terse:
        return RAN if left is not None and n is not None else None
    if isinstance(event, records.Draw) and is_said_again(event, player, position):
        return None  # None of them came off the deck.
    means = hearing.ask("OR-DECKOUT")
    if means == "deck-loss" or not position.count(player, "discard"):
        return None
    if means == "run-dry":
        text = f"{player} took {n} card{'s' * (n > 1)} off a deck of {left}, which is not refilled."
        return [this.illegal(text, player, claimed=n, recomputed=left)]
    text = f"{player} took {n} card{'s' * (n > 1)} off a deck of {left}; the discard pile was not shuffled into it."
    due = partial(records.Reshuffle, seq=0, by=player)
    return [this.omitted(text, player, player=player, claimed=n, recomputed=left, due=due)]


def _refilled(this: Rule, event: records.Reshuffle, position: Position, left: int | None, hearing: Hearing) -> Seen:
    player = str(event.by)
    means = hearing.ask("OR-DECKOUT")
    if means == "deck-loss":
        return None
    if means == "run-dry":
        return [this.illegal(f"{player} refilled a deck that is not refilled.", player)]
    if (owner := whose_deck(event, position)) != player:
        return [this.illegal(f"{player} refilled a deck with {owner}'s cards.", player)]
    if left:
        due = _rest_of_the_deck(player, left, position)
        hearing.apart()  # What a hand lacks is no part of it.
        left = position.deck_n[player]
        text = f"{player} refilled a deck that still had {left} card{'s' * (left != 1)}."
        return [this.illegal(text, player, claimed=0, recomputed=left, due=due)]
    seen: list[Remark] = []
    if left is None:
        # Without a list of the deck sizes are not checked (catalogue 3.6, 5.1).
        text = f"That {player}'s deck was empty: nobody knows how many cards it had."
        seen.append(Note("unverifiable", text, this.id))
    if (late := _when(event, position, left, hearing)) is not None:
        seen.append(this.illegal(f"{player} refilled the deck{late}.", player))
    pile = pile_of(position, player)
    most = len(pile) + position.pool(player, "discard").n
    known, unknown = limbo(position, player)
    least = most - len(known) - unknown
    if event.n is None:
        hearing.not_claimed()
    elif not least <= event.n <= most and not position.table.setup.terse:
        text = f"{player} shuffled {event.n} cards into the deck; the discard pile has {least}."
        seen.append(this.illegal(text, player, claimed=event.n, recomputed=least))
    for instance in event.order or ():
        at = position.at.get(instance)
        fallen = position.action is not None and instance in position.action.doomed
        if (
            at is not None
            and not fallen
            and (at.zone != "discard" or at.player != player)
            and not position.table.setup.terse
        ):
            text = f"{position.named(instance)} was shuffled into {player}'s deck; it was not in the discard pile."
            seen.append(this.illegal(text, instance))
    return seen or RAN


def _rest_of_the_deck(player: str, left: int, position: Position) -> Callable[[], Any] | None:
    """The draw of what a deck still has, where a hand is being drawn that takes it all and more."""
    due = hand_due(player, position)
    if due is None or due.n <= left:
        return None
    to: records.ZoneName = "deploy_hand" if due.cause == "deployment" else "command_hand"
    return partial(records.Draw, seq=0, by=player, n=left, to=to, cause=due.cause)


def _when(event: records.Reshuffle, position: Position, left: int | None, hearing: Hearing) -> str | None:
    """What is wrong with the time of a refill, as the end of a sentence; None where nothing is, or nobody can say."""
    if position.table.setup.terse:
        return None
    # A hand that is due needs it, also where no more of it is written: HCG-DEP-01, HCG-BSET-07.
    on_need = position.table.later.needs_next(event.seq) or hand_due(event.by, position) is not None
    on_empty = position.emptied == (event.by, position.seq)
    if on_need == on_empty and (on_need or left is not None):
        return None if on_need else ", and neither was a card needed nor had the last just left"
    when = hearing.ask("OR-RESHUFFLETIME")
    if when == "on-need" and not on_need:
        return " before a card was needed"
    if when == "on-empty" and not on_empty and left is not None:
        return " only when a card was needed, not as soon as it was empty"
    return None


RULES = (a_d6_is_what_was_rolled, the_row_of_the_roll_is_carried_out, empty_decks_are_refilled)
