"""How rolls and modifiers change the position."""

from __future__ import annotations

from typing import Any, NamedTuple

from auditor.core.holes import Hole
from auditor.core.rulings import Hearing
from auditor.systems.hcg import records
from auditor.systems.hcg.adopt.battle import close_action, take_effect
from auditor.systems.hcg.adopt.in_doubt import from_hand
from auditor.systems.hcg.adopt.plays import replaced
from auditor.systems.hcg.position.parts import Pending, Rolling, Window
from auditor.systems.hcg.position.places import At
from auditor.systems.hcg.position.play import Play
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.reckoning.claims import modifies
from auditor.systems.hcg.reckoning.plays import ability_of, play_by, replaced_by
from auditor.systems.hcg.reckoning.rolls import (
    answered,
    die_of,
    final_of,
    made_for,
    modified,
    named_need,
    printed_need,
    replaces,
    says_which,
    stays_open,
    window_on,
)


class End(NamedTuple):
    """What a roll came to that an event settles."""

    final: int | None
    passed: bool | None
    refunded: bool


def unwind(event: records.Event, roll: Rolling, position: Position, hearing: Hearing) -> tuple[End, ...]:
    """What the open roll and those below it come to that an event settles, the innermost first. Asks before anything is
    changed."""
    below, pending = list(position.below), position.pending
    ends: list[End] = []
    while not stays_open(event, roll, position):
        if isinstance(event, records.Roll) and (not below or replaces(event, roll, position)):
            break  # The new roll takes its place.
        claims = event if isinstance(event, records.RollFinal) and event.roll in (None, roll.seq) else None
        final, passed = outcome_of(roll, claims, hearing)
        said = waits_for(pending, roll, nested=bool(below))
        ends.append(End(final, passed, said is not None and refunds(passed, hearing)))
        if said is not None:
            pending = said.outer
        if claims is not None or not below:
            break
        roll = answered(below.pop(), roll, final, passed, position)
    return tuple(ends)


def waits_for(pending: Pending | None, roll: Rolling, *, nested: bool) -> Pending | None:
    """The ability that waits for its test, if it waits for this roll."""
    if pending is None:
        return None
    mine = not nested if roll.source is None else roll.source in _texts(pending)
    return pending if mine else None


def _texts(said: Pending) -> tuple[tuple[str, int | str | None], ...]:
    """The text of an ability as the roll for it may name it: by its card alone, too."""
    return ((said.source, said.ability), (said.source, None))


def outcome_of(roll: Rolling, claims: Any, hearing: Hearing) -> tuple[int | None, bool | None]:
    """(final number, passed) of a roll: what is claimed, else what was recomputed."""
    final = getattr(claims, "final", None)
    if final is None:
        final = final_of(roll, hearing)
    passed = getattr(claims, "passed", None)
    if passed is None and final is not None and roll.need is not None:
        passed = final >= roll.need
    return final, passed


def result(event: records.Roll, position: Position, hearing: Hearing) -> End | None:
    """What stands of the result of a roll on the roll itself. None where its modifiers are still to come."""
    play = play_by(event, position)
    die = event.die if event.die is not None else die_of(event, position)
    need = _need(event, position)
    final = event.final if event.final is not None else die if event.passed is not None else None
    if final is None:
        return None
    test = event.purpose in (None, "test")
    passed = event.passed if event.passed is not None else None
    if passed is None and test and need is not None:
        passed = final >= need
    pending = position.pending
    mine = pending is not None and (play is None or (play.card, play.ability) in _texts(pending))
    return End(final, passed, mine and refunds(passed, hearing))


def _need(event: records.Roll, position: Position) -> int | None:
    """The number that a test asks for: as the log has it, else as the text prints it or its player named it."""
    play = play_by(event, position)
    printed = printed_need(ability_of(position, play or event.source))
    named = printed if printed is not None else named_need(play, position)
    return event.need if event.need is not None else named


def is_nested(event: records.Roll, position: Position) -> bool:
    """Whether a roll is made for something that was played on an open one."""
    rolls = (*position.below, *((position.roll,) if position.roll is not None else ()))
    return any(not one.settled and stays_open(event, one, position) for one in rolls)


def refunds(passed: bool | None, hearing: Hearing) -> bool:
    """Whether an ability whose test failed goes back to the hand and its player is still to act (OR-FAILEDTEST)."""
    return passed is False and hearing.ask("OR-FAILEDTEST") == "refunded"


def _refund(said: Pending, position: Position) -> None:
    if said.whole and position.action is not None and position.battle is not None:
        # The turn is not used: the same player is still to act.
        by, plays = position.action.by, position.plays
        close_action(position)
        position.plays = plays
        position.battle = position.battle._replace(next=by)
    if said.from_hand:
        position.put(position.take(said.by, "discard", said.source), At("command_hand", said.by, face="down"))
    if said.window is not None:
        same = [n for n, window in enumerate(position.windows) if window.kind == "tactics"]
        if same:
            n = same[-1]
            position.windows = (*position.windows[:n], said.window, *position.windows[n + 1 :])


def settle_roll(position: Position, end: End) -> None:
    """The roll is final: its window is closed, and the ability that hung on it takes effect or does not. One within the
    window of another gives way to that."""
    inner = position.roll
    if inner is None:
        return
    said = waits_for(position.pending, inner, nested=bool(position.below))
    if said is not None and end.refunded:
        _refund(said, position)
    position.roll = inner._replace(final=end.final, passed=end.passed, settled=True)
    play = made_for(inner, position)
    if play is not None and end.passed is not None:
        replaced(position, play._replace(passed=end.passed))
    position.windows = _without(position.windows, inner.seq)
    if said is not None and not (end.passed and _goes_on_to_another_test(play, position)):
        if end.passed:
            take_effect(said, position)
        if end.passed is not None:
            position.pending = said.outer
    if not position.below:
        return
    below = position.below[-1]
    position.below = position.below[:-1]
    position.roll = answered(below, inner, end.final, end.passed, position)
    if play is not None and play.kind == "M" and end.passed is False:
        # Whether its player is still to act, or has acted, hangs on OR-FAILEDTEST: no order is judged after it.
        position.windows = _without(position.windows, below.seq)


def _goes_on_to_another_test(play: Play | None, position: Position) -> bool:
    """Whether an ability has one more test."""
    ability = ability_of(position, play)
    return play is not None and ability is not None and play.costs.count(("test", ())) < ability.tests


def _without(windows: tuple[Window, ...], seq: int) -> tuple[Window, ...]:
    """The windows less that of a roll."""
    return tuple(one for one in windows if one.kind != "modifier" or one.trigger != seq)


def _left_open(player: str, position: Position) -> None:
    """A number without a card: a die was rolled, or a card left the deck that is not named. A die it was where the card on
    top comes off the deck next."""
    top = position.deck_top.get(player, ())
    if top and top[0] in position.table.later.off_the_deck(position.seq, player):
        return
    position.forget_order(player)
    why = f"whether a card of {player}'s deck was turned up at event {position.seq} is not known"
    position.holes.open(Hole(position.seq, why, frozenset({("deck", player), ("zone", player, "discard", None)})))


def roll(event: records.Roll, end: End | None, position: Position) -> None:
    """A card is turned up from the deck and discarded; its modifier window opens, unless its result stands on it."""
    player = event.by
    if player not in position.table.other:
        return
    known = event.card is not None and event.card in position.table.owner_of
    card = event.card if not known or position.may_be_drawn(str(event.card), player) else None
    if card is not None:
        position.show(card, player, None)
    die = event.die if event.die is not None else die_of(event, position)
    need = _need(event, position)
    if event.card is not None or event.die is None:
        position.put(position.take(player, "deck", card), At("discard", player))
    else:
        _left_open(player, position)
    last = position.roll
    if last is not None and is_nested(event, position) and not replaces(event, last, position):
        position.below = (*position.below, last._replace(nested=True))
    elif last is not None:
        position.windows = _without(position.windows, last.seq)
    before: tuple[str, ...] = ()
    if last is not None and not last.settled and replaces(event, last, position):
        before = (*last.before, *((last.card,) if last.card is not None else ()))
    play = play_by(event, position)
    source = records.Source(card=play.card, ability=play.ability) if play is not None else event.source  # type: ignore[arg-type]
    position.roll = Rolling(
        event.seq,
        player,
        event.card,
        die,
        event.purpose,
        need,
        source=None if source is None or source.card is None else (source.card, source.ability),
        before=before,
        play=play.seq if play is not None else None,
    )
    if play is not None and event.purpose in (None, "test"):
        rolled, ability = play.costs.count(("test", ())), ability_of(position, play)
        tests = ability.tests if ability is not None else 1
        # A roll that no modifier names as a reroll may be the next of several tests.
        if not rolled or (rolled < tests and replaced_by(event, position) is None):
            replaced(position, play._replace(costs=(*play.costs, ("test", ()))))
    if end is not None:
        if position.below and event.card is not None:
            position.settled = (event.card, *before)
        settle_roll(position, end)
    else:
        # Where somebody rolled for the other player's ability (HCG-ROLL-01), or a line before it speaks of this roll
        # (HCG-DOC-05), nobody knows who had the first say.
        astray = (play is not None and play.by != player) or event.seq in position.said_early
        ba = position.action.n if position.action else None
        window = Window("modifier", player, player, ba=ba, trigger=event.seq, astray=astray)
        position.windows = (*position.windows, window)


def modifier(event: records.Modifier, position: Position) -> None:
    """A modifier is played on the open roll; a hand card is discarded."""
    said, right = event.set if event.set is not None else event.amount, modifies(event, position)
    source = event.source
    if source is not None and source.zone == "hand" and source.card is not None and event.by in position.table.other:
        from_hand(source.card, event.by, At("discard", event.by), position)
    if position.roll is not None and not position.roll.settled:
        position.roll = modified(event, position.roll, position)
        if right is not None and said not in (None, right[1]):
            position.roll = position.roll._replace(unsure=True)  # With which number play went on nobody knows.
    _entry(event, position, passed=False)


def modifier_pass(event: records.ModifierPass, position: Position) -> None:
    _entry(event, position, passed=True)


def _entry(event: Any, position: Position, *, passed: bool) -> None:
    if event.roll is not None and event.roll > event.seq:
        position.said_early |= {event.roll}
    if not says_which(event, position):
        # Whose window is meant nobody can say.
        position.windows = tuple(one for one in position.windows if one.kind != "modifier")
    window = window_on(event, position)
    if window is None or event.by not in position.table.other:
        return
    other = position.other(event.by)
    changed = window.entered(event.seq, event.by, other, passed=passed)
    # What was opened within it is closed.
    position.windows = (*position.windows[: position.windows.index(window)], changed)
