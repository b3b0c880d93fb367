"""What a roll comes to (HCG-ROLL-01, HCG-ROLL-02, HCG-MOD-04)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from auditor.core.findings import Figure
from auditor.core.rulings import Hearing
from auditor.systems.hcg import records
from auditor.systems.hcg.abilities import Ability
from auditor.systems.hcg.position.parts import Awaits, Rolling, Window
from auditor.systems.hcg.position.play import Play
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.reckoning.plays import ability_of, announced, play_by, restates


def die_of(event: records.Roll, position: Position) -> int | None:
    """The die number of the rolled card; None where the card is not known or its number is no die's."""
    card = position.card_of(event.card)
    return card.die if card is not None and card.die in range(1, 7) else None


def printed_need(ability: Ability | None) -> int | None:
    """The number that the test of a text asks for; None where it has no test, several, or an X."""
    needs = [cost.n for cost in ability.costs if cost.op == "test"] if ability is not None else []
    return needs[0] if len(needs) == 1 and isinstance(needs[0], int) else None


def named_need(play: Play | None, position: Position) -> int | None:
    """The number that a test (X+) asks for where its player names X; None where that is not so."""
    ability = ability_of(position, play)
    if play is None or ability is None or ability.x is not None or ability.status != "full":
        return None
    return play.x if [cost.n for cost in ability.costs if cost.op == "test"] == ["X"] else None


def final_of(roll: Rolling, hearing: Hearing) -> int | None:
    """The final number of a roll; None where it cannot be told."""
    if roll.die is None or roll.unsure or roll.awaits is not None:
        return None
    return _sum(roll.die, roll.changes, hearing)


def total(roll: Rolling, hearing: Hearing) -> Figure | None:
    """The final number of a roll with its parts; None where it cannot be told."""
    final = final_of(roll, hearing)
    if roll.die is None or final is None:
        return None
    parts: list[tuple[str, int]] = [("on the die", roll.die)]
    for how, n in roll.changes:
        # What is set is the number from there on, whatever it was before.
        parts = [*parts, ("by a modifier", n)] if how == "add" else [("set by a modifier", n)]
    outside = final - sum(n for _, n in parts)
    if outside:
        parts.append(("as no roll is above 6" if outside < 0 else "as no roll is below 1", outside))
    return Figure("roll", final, tuple(parts))


def _sum(die: int, changes: Sequence[tuple[str, int]], hearing: Hearing) -> int:
    value = die
    for how, n in changes:
        value = value + n if how == "add" else n
    if not 1 <= value <= 6 and hearing.ask("OR-ROLLRANGE") == "clamp-1-6":
        value = min(max(value, 1), 6)
    return value


def sums_without_a_modifier(roll: Rolling, hearing: Hearing) -> set[int]:
    """What a roll would come to without its modifiers, or without one of them."""
    if roll.die is None or not roll.changes:
        return set()
    others = [[*roll.changes[:n], *roll.changes[n + 1 :]] for n in range(len(roll.changes))]
    return {roll.die, *(_sum(roll.die, changes, hearing) for changes in others)}


def change_of(event: records.Modifier, ability: Ability | None) -> tuple[str, int] | None:
    """What a modifier does to the number, as claimed, else as its text says; None where neither says."""
    if event.set is not None:
        return ("set", event.set)
    if event.amount is not None:
        return ("add", event.amount)
    if ability is None or ability.status != "full" or len(ability.effects) != 1 or event.reroll is not None:
        return None
    (effect,) = ability.effects
    amount = effect.amount
    if amount in ("X", "-X"):
        x = ability.x.n if ability.x is not None and ability.x.what == "int" else event.x
        amount = x if x is None or amount == "X" else -x
    if isinstance(amount, int) and effect.op in ("roll_add", "roll_set"):
        return ("add" if effect.op == "roll_add" else "set", amount)
    return None


# -- rolls within the window of a roll ----------------------------------------------------------------------------


def stays_open(event: records.Event, roll: Rolling, position: Position) -> bool:
    """Whether an event belongs to what is played on a roll: a modifier or a reaction within its window, what is paid,
    rolled and done for it, a refill. Any other settles the roll."""
    if isinstance(event, (records.Modifier, records.ModifierPass)):
        return event.roll not in {one.seq for one in position.below if one.seq < roll.seq}
    if isinstance(event, records.Reshuffle):
        return True
    if isinstance(event, (records.Reaction, records.ReactionPass)):
        return event.trigger is not None and event.trigger >= roll.seq
    if isinstance(event, records.RollFinal):
        return not says_which(event, position)
    if announced(event, position) is not None:
        return False
    if restates(event, position):
        return True  # A cost that was paid in the window.
    play = play_by(event, position)
    return play is not None and play.kind in ("M", "R") and play.seq > roll.seq


def meant(event: records.RollFinal, position: Position, hearing: Hearing) -> Rolling | None:
    """The roll whose final number an event gives, once those within its window are final too; None where it is over, or
    nobody can say which it is."""
    roll, below = position.roll, list(position.below)
    while roll is not None and not roll.settled and event.roll not in (None, roll.seq) and below:
        final = final_of(roll, hearing)
        passed = final >= roll.need if final is not None and roll.need is not None else None
        roll = answered(below.pop(), roll, final, passed, position)
    if roll is None or roll.settled or event.roll not in (None, roll.seq) or not says_which(event, position):
        return None
    return roll


def says_which(event: Any, position: Position) -> bool:
    """Whether an event names the roll that it is about, or there is only one."""
    roll = position.roll
    return event.roll in position.table.rolls or roll is None or not (position.below or roll.nested)


def replaces(event: records.Roll, roll: Rolling, position: Position) -> bool:
    """Whether a roll is made for the same ability as another: a reroll."""
    play = play_by(event, position)
    return play is not None and play.seq == roll.play


def modified(event: records.Modifier, roll: Rolling, position: Position) -> Rolling:
    """A roll once a modifier was played on it."""
    ability = ability_of(position, event.source) if event.source is not None else None
    play = announced(event, position)
    if play is not None and play.zone != "hand":
        roll = roll._replace(used=(*roll.used, (play.card, play.ability)))
    change = change_of(event, ability)
    tests = ability is not None and ability.tests
    d6 = 0
    if ability is not None and ability.status == "full" and change is None and len(ability.effects) == 1:
        d6 = {"d6": 1, "-d6": -1}.get(str(ability.effects[0].amount), 0)
    if play is not None and (tests or d6):
        return roll._replace(awaits=Awaits((play.card, play.ability), change, d6))
    if change is None:
        return roll._replace(unsure=event.reroll is None or roll.unsure)
    # A text that nobody knows may ask for a test, which failed.
    unknown = event.source is not None and event.source.card is not None and ability is None
    return roll._replace(changes=(*roll.changes, change), unsure=roll.unsure or unknown)


def answered(outer: Rolling, inner: Rolling, final: int | None, passed: bool | None, position: Position) -> Rolling:
    """A roll once another, made for what was played on it, is final."""
    awaits = outer.awaits
    if awaits is None or inner.source != awaits.source:
        return outer
    d6 = inner.purpose == "d6" or (inner.purpose is None and not _tested(awaits.source, position))
    if d6:
        if final is None or not awaits.d6:
            return outer._replace(awaits=None, unsure=True)
        return outer._replace(awaits=None, changes=(*outer.changes, ("add", awaits.d6 * final)))
    if passed is None:
        return outer._replace(awaits=None, unsure=True)
    if not passed:
        return outer._replace(awaits=None)
    if awaits.change is not None:
        return outer._replace(awaits=None, changes=(*outer.changes, awaits.change))
    return outer if awaits.d6 else outer._replace(awaits=None)


def _tested(source: tuple[str, int | str | None], position: Position) -> bool:
    card, ability = source
    text = ability_of(position, records.Source(card=card, ability=ability))  # type: ignore[arg-type]
    return text is not None and text.tests > 0


def made_for(roll: Rolling, position: Position) -> Play | None:
    """The ability that a roll was made for."""
    return next((play for play in position.plays if play.seq == roll.play), None)


def window_on(event: records.Modifier | records.ModifierPass | records.RollFinal, position: Position) -> Window | None:
    """The modifier window that an event belongs to: that of the roll it names, else the innermost."""
    found = [one for one in position.windows if one.kind == "modifier"]
    named = [one for one in found if event.roll is not None and one.trigger == event.roll]
    if named or event.roll in position.table.rolls:
        return named[-1] if named else None  # The window of a roll that is final is closed.
    return found[-1] if found else None


def open_roll(seq: int | None, position: Position) -> Rolling | None:
    """The roll that an event names, else the innermost."""
    return next((one for one in position.below if one.seq == seq), position.roll)
