"""Costs of abilities, tests among them (catalogue 4.19, 4.21)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from auditor.core.findings import RAN, Remark, Unchecked
from auditor.core.rulings import Hearing
from auditor.systems.hcg import records
from auditor.systems.hcg.abilities import Ability
from auditor.systems.hcg.abilities.shapes import Cost
from auditor.systems.hcg.position.play import Play
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.reckoning.choices import ANNOUNCES, misfits
from auditor.systems.hcg.reckoning.costs import (
    asks_for_cards,
    cards_of,
    could_pay,
    ended_by,
    has_failed,
    owed,
    unpaid,
    waits,
)
from auditor.systems.hcg.reckoning.effects import source_of
from auditor.systems.hcg.reckoning.lacking import roll_of
from auditor.systems.hcg.reckoning.plays import ability_of, announced, misplayed, play_by
from auditor.systems.hcg.reckoning.resolve import View
from auditor.systems.hcg.rules.choices import IN_BATTLE, payer
from auditor.systems.hcg.rules.common import Seen, rule

DOES = ("effect", "destroy", "lock", "rally", "return", "damage", "draw", "discard", "mill", "infiltrate")
"""Event types of what an ability does."""
ENDS_COSTS = (
    *DOES, *ANNOUNCES, "tactic.pass", "block", "block.none", "ba.shoot", "ba.charge", "ba.withdraw", "ba.pass",
    "modifier.pass", "reaction.pass", "roll.final", "ba.end", "battle.end", "sweep", "sweep.none", "special", "special.none",
)  # fmt: skip


def said(ability: Ability, cost: Cost) -> str:
    return f"“{ability.words(cost.at)}”"


@rule(
    "HCG-OPT-06",
    "Costs",
    section="4.21",
    events=["cost", *dict.fromkeys(ENDS_COSTS)],
    kinds=["illegal", "omitted", "ambiguous"],
    readings=["OR-COSTTIME", "OR-SELFCOST", "OR-STATFLOOR", "OR-BONUSSETUP", "OR-ROLLRANGE"],
    when=dict.fromkeys(ENDS_COSTS, ("costs",)),
)
def costs_are_paid_in_order(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """What stands between the type letters and the colon are costs. They are paid completely, in printed order, before the
    ability takes effect.

    Log:  one `cost` for each, a roll for a test.
    Edge: a cost that plainly cannot be paid makes the ability unplayable as it is announced. A cost that cannot be read
          is not checked. Of one of "up to" nothing need be paid, and nothing be recorded.
    """
    this = costs_are_paid_in_order
    if isinstance(event, records.Cost):
        return _paid(event, position)
    seen: list[Remark] = []
    looked = False
    play = announced(event, position)
    ability = ability_of(position, play)
    if (
        play is not None
        and ability is not None
        and play.kind in IN_BATTLE
        and ability.costs
        and not misplayed(play, ability, position)
    ):
        seen += _not_payable(event, play, ability, position, hearing)
        looked = True
    for play in ended_by(event, position):
        ability = ability_of(position, play)
        if ability is None or play.kind not in IN_BATTLE or not ability.costs or position.table.setup.terse:
            continue
        if ability.type != play.kind:
            continue  # Nobody knows what a text costs that was played as what it is not.
        due, towards = unpaid(ability, play)
        left = [cost for cost in due if cost.op != "raw" and asks_for_cards(cost, ability, play)]
        if not left or has_failed(play, position, hearing) or not _is_missed(event, play, position, hearing):
            continue
        # One that was paid in part, though it could not be paid whole, was not found as it was announced.
        if any(could_pay(cost, ability, play, position, hearing) is False for cost in left[1 if towards else 0 :]):
            continue  # Found as it was announced.
        if left[0].op == "test" and not position.deck_n.get(play.by) and position.deck_n.get(play.by) is not None:
            continue  # No card to roll with.
        text = f"{play.by} played {position.named(play.card)} and did not pay its cost {said(ability, left[0])}."
        n = cards_of(left[0], ability, play) if towards else None
        if n is not None:
            text = (
                f"Of the cost {said(ability, left[0])} of {position.named(play.card)} {towards} of {n} cards were paid."
            )
        paid = towards if towards else None
        line = _line_of(left[0], play, position)
        seen.append(this.omitted(text, play.card, player=play.by, claimed=paid, recomputed=n, due=line))
    return seen or (RAN if looked else None)


def _line_of(cost: Cost, play: Play, position: Position) -> Callable[[], records.Cost | records.Roll]:
    """What makes the line of a cost that was not paid; with which cards is left open, save where it is the card itself or
    what lies on top of the deck. A test is a roll."""
    top = position.deck_top.get(play.by, ()) if cost.op in ("test", "mill") else ()
    if cost.op == "test":
        return partial(roll_of, play, "test", top)
    cards = [play.card] if cost.target is not None and cost.target.q == "self" else None
    if top and isinstance(cost.n, int):
        cards = list(top[: cost.n])
    op: Any = cost.op
    return partial(records.Cost, seq=0, by=play.by, source=source_of(play), op=op, cards=cards)


def _is_missed(event: records.Event, play: Play, position: Position, hearing: Hearing) -> bool:
    """Whether a cost that is not paid by now is missing, and was not missed before. One that is paid later is not
    missing, but late (HCG-BAC-01, HCG-BAA-01, HCG-SPEC-01)."""
    later = position.table.later
    if play.kind in ("BA", "A") and later.tests(event.seq, play.card):
        return False
    if later.pays(event.seq, play.card):
        return False
    at_end = play.kind in ("BA", "A") and hearing.ask("OR-COSTTIME") == "resolve"
    if at_end and waits(event, play, position):
        return False
    return len(play.costs) != (play.late_end if at_end else play.late)


def _not_payable(
    event: records.Event, play: Play, ability: Ability, position: Position, hearing: Hearing
) -> list[Remark]:
    for cost in ability.costs:
        if position.table.later.pays(event.seq, play.card, cost.op):
            continue  # It is paid, rightly or not.
        if could_pay(cost, ability, play, position, hearing) is False:
            text = f"{position.named(play.card)} was played; its cost {said(ability, cost)} could not be paid."
            return [costs_are_paid_in_order.illegal(text, play.card, player=play.by)]
    return []


def _paid(event: records.Cost, position: Position) -> Seen:
    this = costs_are_paid_in_order
    lacking = records.lacking(event)
    if lacking:
        return [this.missing(lacking)]
    play = play_by(event, position)
    ability = ability_of(position, play)
    if play is None or ability is None:
        return [Unchecked(this.id, "nothing tells for which ability this cost was paid")]
    left, towards = unpaid(ability, play)
    who = payer(event, position)
    if any(cost.op == "raw" for cost in left) and not any(cost.op == event.op for cost in left):
        return [Unchecked(this.id, f"a cost of {position.named(play.card)} could not be read")]
    if not any(cost.op == event.op for cost in left):
        text = f"{position.named(play.card)} prints no such cost that was still to be paid: {event.op}."
        return [this.illegal(text, play.card, player=who, claimed=event.op)]
    due = next(cost for cost in left if cost.op == event.op)
    first = next((cost for cost in owed(ability, play) if cost.op != "raw"), due)
    after = [cost for cost in ability.costs if cost.at > due.at and cost not in left]
    # One of "up to" may be nothing: it comes too late after one that is printed behind it.
    if first.at < due.at or (due.upto and after):
        early, late = (due, first) if first.at < due.at else (after[0], due)
        text = f"The cost {said(ability, early)} of {position.named(play.card)} was paid before {said(ability, late)}."
        return [this.illegal(text, play.card, player=who, claimed=early.op, recomputed=late.op)]
    n, paid = cards_of(due, ability, play), towards + len(event.cards or ())
    if n is None or paid <= n:
        return RAN
    text = f"For the cost {said(ability, due)} of {position.named(play.card)} {paid} cards were taken."
    return [this.illegal(text, play.card, player=who, claimed=paid, recomputed=n)]


@rule(
    "HCG-OPT-07",
    "A test is a cost",
    section="4.21",
    events=["roll", "cost", *DOES],
    kinds=["illegal"],
    readings=["OR-ROLLRANGE"],
    when=dict.fromkeys(["roll", "cost", *DOES], ("a test",)),
)
def a_test_is_a_cost(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """A test is paid by passing it. If it fails there is no effect; costs printed before it have been paid and stay paid,
    costs printed after it are not paid.

    Log:  the costs, the roll and what the ability did, in order.
    """
    this = a_test_is_a_cost
    play = play_by(event, position)
    ability = ability_of(position, play)
    if play is None or ability is None or not ability.tests:
        return None
    if isinstance(event, records.Roll):
        if event.purpose not in (None, "test") or ("test", ()) in play.costs:
            return None
        first = next((cost for cost in owed(ability, play) if cost.op != "raw"), None)
        if first is None or first.op == "test" or position.table.setup.terse:
            return RAN
        text = f"The test of {position.named(play.card)} was rolled before {said(ability, first)} had been paid."
        return [this.illegal(text, play.card, player=play.by, due=_line_of(first, play, position))]
    failed = has_failed(play, position, hearing)
    if failed is None:
        return None
    if not failed:
        return RAN
    if isinstance(event, records.Cost):
        after = f"a cost was paid ({event.op})"
    else:
        after = "it took effect"
    text = f"{position.named(play.card)} failed its test, and {after} all the same."
    return [this.illegal(text, play.card, player=play.by)]


@rule(
    "HCG-OPT-08",
    "Which cards pay",
    section="4.21",
    events=["cost"],
    kinds=["illegal"],
    readings=["OR-SELFCOST", "OR-STATFLOOR", "OR-BONUSSETUP"],
)
def players_pay_with_their_own(event: records.Cost, view: View, position: Position, hearing: Hearing) -> Seen:
    """Cards that pay a cost are the player's own, at the current sector (a ship in the fleet), in the state named, each of
    them once.

    Log:  the cards of the cost.
    Edge: a text that has a card of the enemy pay says so, and is followed.
    """
    this = players_pay_with_their_own
    play = play_by(event, position)
    ability = ability_of(position, play)
    if play is None or ability is None or event.op is None:
        return None
    cost = next((one for one in unpaid(ability, play)[0] if one.op == event.op), None)
    if cost is None:
        return None
    seen: list[Remark] = []
    cards = event.cards or []
    earlier = [one for op, paid in play.costs if op == event.op for one in paid]
    for n, instance in enumerate(cards):
        why = _cannot_pay(instance, cost, event, play, position, hearing)
        if why is None and (instance in cards[:n] or instance in earlier):
            why = "paid it already"
        if why is None:
            continue
        if why == "?":
            seen.append(Unchecked(this.id, f"nothing tells whether {instance} may pay"))
            continue
        text = f"{position.named(instance)} was to pay {said(ability, cost)} of {position.named(play.card)}; it {why}."
        seen.append(this.illegal(text, instance, player=play.by, claimed=instance))
    return seen or RAN


def _cannot_pay(
    instance: str, cost: Cost, event: records.Cost, play: Play, position: Position, hearing: Hearing
) -> str | None:
    """Why a card cannot pay, as the end of a sentence; None where it can, "?" where nobody can tell."""
    at = position.at.get(instance)
    if cost.op == "discard":
        if instance == play.card and play.zone == "hand":
            return "is the card that was played" if hearing.ask("OR-SELFCOST") == "excluded" else None
        if at is None:
            return (
                None if position.may_be(instance, play.by, "command_hand") or position.holes else "is not in the hand"
            )
        if at.player != play.by:
            return f"is {at.player}'s"
        return None if at.zone == "command_hand" else f"lies in the {at.zone.replace('_', ' ')}, not in the hand"
    if cost.target is None:
        return None
    if cost.target.q == "self":
        return None if instance == play.card else "is not the card that prints the cost"
    wrong = misfits(cost.target, "", instance, position, play.by, play.card, hearing)
    if wrong is None or (at is None and position.may_be(instance, play.by, "fleet")):
        return "?"
    if at is not None and at.player != play.by and cost.target.side != "enemy":
        return f"is {at.player}'s"
    if "away" in wrong or "sector" in wrong:
        return "is not at the current sector"
    if "state" in wrong and at is not None:
        return f"is {at.stance}"
    return "is not what the text names" if wrong else None


@rule("HCG-BAA-02", "A locked source", section="4.19", events=["cost"], kinds=["illegal"])
def a_locked_card_cannot_lock_itself(event: records.Cost, view: View, position: Position, hearing: Hearing) -> Seen:
    """A locked card may use its BA ability, unless a cost of it locks that very card.

    Log:  the cost.
    """
    this = a_locked_card_cannot_lock_itself
    play = play_by(event, position)
    if play is None or play.kind != "BA" or play.zone == "hand" or event.op != "lock":
        return None
    if play.card not in (event.cards or ()):
        return None
    at = position.at.get(play.card)
    if at is None or at.stance != "locked":
        return RAN
    text = f"{position.named(play.card)} was locked to pay for its own ability; it is locked already."
    return [this.illegal(text, play.card, player=play.by)]


RULES = (costs_are_paid_in_order, a_test_is_a_cost, players_pay_with_their_own, a_locked_card_cannot_lock_itself)
