"""The costs of an ability: which are still to be paid, and whether they can be (HCG-OPT-06 to HCG-OPT-08)."""

from __future__ import annotations

from typing import Any

from auditor.core.rulings import Hearing
from auditor.systems.hcg import records
from auditor.systems.hcg.abilities import Ability
from auditor.systems.hcg.abilities.shapes import Cost
from auditor.systems.hcg.position.play import Play
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.reckoning.choices import eligible, x_of
from auditor.systems.hcg.reckoning.plays import answers, play_by, same_source, source_of
from auditor.systems.hcg.reckoning.rolls import final_of


def cards_of(cost: Cost, ability: Ability, play: Play) -> int | None:
    """How many cards a cost takes; None where nobody can say."""
    n = cost.target.n if cost.target is not None else cost.n
    if cost.target is not None and cost.target.q == "self":
        return 1
    return n if isinstance(n, int) else x_of(ability, play) if n == "X" else None


def unpaid(ability: Ability, play: Play) -> tuple[list[Cost], int]:
    """The costs still to be paid, in printed order, and how many cards were paid towards the first of them.

    A cost that could not be read may have been paid by any that the text does not print.
    """
    left, towards, before = list(ability.costs), 0, ""
    for op, cards in play.costs:
        at = next((n for n, cost in enumerate(left) if cost.op == op), None)
        if at is None:
            at = next((n for n, cost in enumerate(left) if cost.op == "raw"), None)
            if at is not None:
                left.pop(at)
            continue
        if op != before:
            towards, before = 0, op
        n = None if op == "test" else cards_of(left[at], ability, play)
        towards += len(cards)
        if n is None or not cards or towards >= n or left[at].upto:
            left.pop(at)
            towards = 0
    return left, towards


def asks_for_cards(cost: Cost, ability: Ability, play: Play) -> bool:
    """Whether anything has to be recorded of a cost: not where it takes "up to" so many cards, or X, and X is 0."""
    return not cost.upto and (cost.op == "test" or cards_of(cost, ability, play) != 0)


def owed(ability: Ability, play: Play) -> list[Cost]:
    """The costs that have still to be paid."""
    return [cost for cost in unpaid(ability, play)[0] if asks_for_cards(cost, ability, play)]


def pays_nothing(event: records.Cost, ability: Ability | None, play: Play) -> bool:
    """Whether a cost that asks for cards is recorded with an empty list, so that it is still to be paid."""
    if ability is None or event.cards != []:
        return False
    due = next((cost for cost in unpaid(ability, play)[0] if cost.op == event.op), None)
    return due is not None and not due.upto and bool(cards_of(due, ability, play))


def could_pay(cost: Cost, ability: Ability, play: Play, position: Position, hearing: Hearing) -> bool | None:
    """Whether there is enough on the table, or in the hand, for a cost; None where that cannot be told."""
    n = cards_of(cost, ability, play)
    if n is None or cost.upto or cost.op in ("test", "raw"):
        return None
    if cost.op == "discard":
        held = position.count(play.by, "command_hand")
        if play.zone == "hand" and _in_hand(position, play):
            if held <= n and hearing.ask("OR-SELFCOST") == "allowed":
                return held >= n
            held -= 1
        return held >= n
    if cost.target is None:
        return None
    if cost.target.q == "self":
        at = position.at.get(play.card)
        if at is None:
            return None
        return not (cost.op == "lock" and at.stance == "locked") and not (cost.op == "rally" and at.stance == "ready")
    found, unsure = eligible(cost.target, cost.op, position, play.by, play.card, hearing)
    return None if unsure and len(found) < n else len(found) >= n


def _in_hand(position: Position, play: Play) -> bool:
    at = position.at.get(play.card)
    return at is None or at.zone == "command_hand"


def has_failed(play: Play, position: Position, hearing: Hearing) -> bool | None:
    """Whether the test of an ability was failed; None where there was none, or nobody can say."""
    if play.passed is not None:
        return not play.passed
    roll = position.roll
    if roll is None or roll.settled or roll.source is None or roll.need is None or roll.purpose not in (None, "test"):
        return None
    if not same_source(play, records.Source(card=roll.source[0], ability=roll.source[1])):  # type: ignore[arg-type]
        return None
    final = final_of(roll, hearing)
    return None if final is None else final < roll.need


_ENDS = records.of(
    records.Tactic, records.TacticPass, records.Block, records.BlockNone, records.BattleAction, records.BaEnd,
    records.BattleEnd, records.Sweep, records.SweepNone, records.Special, records.SpecialNone,
)  # fmt: skip


def is_next(event: Any) -> bool:
    """Whether an event leaves what was played last behind: the next say in a window, a step of the attack, its end."""
    kind = type(event)
    return kind in _ENDS or (kind is records.Damage and not event.by_ability)


def waits(event: records.Event, play: Play, position: Position) -> bool:
    """Whether the costs of a battle action need not be paid yet, if they are paid after its tactics (OR-COSTTIME): those
    of a special assault that was blocked, until its effect is chosen as the reward."""
    if play.kind not in ("BA", "A"):
        return False
    if isinstance(event, (records.Tactic, records.TacticPass, records.Block, records.BlockNone)):
        return True
    action = position.action
    blocked = action is not None and action.unit == play.card and action.blocker is not None
    return blocked and not isinstance(event, records.Special) and play_by(event, position) != play


def overtaken(event: records.Event, position: Position) -> tuple[Play, ...]:
    """The tactics that an event leaves behind because the battle action in whose window they were played takes effect: the
    passes that close a window may be implied."""
    if not position.plays or type(event) not in _TAKES_EFFECT:
        return ()
    source = source_of(event)
    play = play_by(event, position) if source is not None and source.card is not None else None
    if play is None or play.kind not in ("BA", "A"):
        return ()
    return tuple(one for one in position.plays if one.kind == "T" and not one.over and one.seq > play.seq)


_TAKES_EFFECT = records.of(records.Change, records.Effect, records.Draw, records.Damage)
_VICTORY = records.of(
    records.EventResolved, records.VictoryFlags, records.VictoryDiscard, records.VictoryResult, records.SectorTaken,
    records.SectorReset,
)  # fmt: skip


def goes_on(event: records.Event) -> bool:
    """Whether an event leaves behind what came into play before it, in the battle step or in the victory step."""
    return is_next(event) or type(event) in _VICTORY


def ended_by(event: records.Event, position: Position) -> tuple[Play, ...]:
    """The abilities whose costs must have been paid before an event."""
    if not position.plays:
        return ()
    if is_next(event):
        return position.plays
    if isinstance(event, (records.Cost, records.Roll)):
        return ()
    if (on := answers(event)) is not None:
        # The next say in a window: what was played in it has been paid.
        return tuple(one for one in position.plays if one.on == on and one.kind in ("R", "M"))
    play = play_by(event, position)
    return () if play is None else (play,)
