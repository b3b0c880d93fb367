"""How rolls and modifiers change the position."""

from __future__ import annotations

from typing import Any

from auditor.core.rulings import Hearing
from auditor.systems.hcg import records
from auditor.systems.hcg.adopt_battle import close_action, take_effect
from auditor.systems.hcg.adopt_plays import replaced
from auditor.systems.hcg.reckoning.plays import ability_of, announced, play_by, play_of
from auditor.systems.hcg.reckoning.rolls import change_of, die_of, printed_need, total
from auditor.systems.hcg.state import At, Position, Rolling, Window


def result(event: Any, position: Position, hearing: Hearing) -> tuple[int | None, bool | None]:
    """(final number, passed) of the roll that an event settles: what it claims, else what was recomputed. Asks before
    anything is changed."""
    roll = position.roll
    if isinstance(event, records.Roll):
        ability = ability_of(position, event.source) if event.source is not None else None
        die = event.die if event.die is not None else die_of(event, position)
        need = event.need if event.need is not None else printed_need(ability)
        final = event.final if event.final is not None else die if event.passed is not None else None
        if final is None:
            return None, None
        return final, event.passed if event.passed is not None else None if need is None else final >= need
    if roll is None:
        return None, None
    final = getattr(event, "final", None)
    if final is None:
        figure = total(roll, hearing)
        final = figure.value if figure is not None and isinstance(figure.value, int) else None
    passed = getattr(event, "passed", None)
    if passed is None and final is not None and roll.need is not None:
        passed = final >= roll.need
    return final, passed


def is_open(position: Position) -> bool:
    """Whether a roll waits for its modifiers."""
    return position.roll is not None and not position.roll.settled


def refunds(passed: bool | None, position: Position, hearing: Hearing) -> bool:
    """Whether a tactic whose test failed goes back to the hand and its player is still to act (OR-FAILEDTEST)."""
    return passed is False and position.pending is not None and hearing.ask("OR-FAILEDTEST") == "refunded"


def _refund(position: Position) -> None:
    said = position.pending
    if said is None:
        return
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


def settle_roll(position: Position, final: int | None, passed: bool | None, refunded: bool) -> None:
    """The roll is final: its window is closed, and the ability that hung on it takes effect or does not."""
    if refunded:
        _refund(position)
    if position.roll is not None:
        position.roll = position.roll._replace(final=final, settled=True)
        play = play_of(position, _source_of(position.roll))
        if play is not None and passed is not None:
            replaced(position, play._replace(passed=passed))
    position.windows = tuple(window for window in position.windows if window.kind != "modifier")
    if passed:
        take_effect(position)
    elif passed is False:
        position.pending = None


def _source_of(rolled: Rolling) -> records.Source | None:
    if rolled.source is None:
        return None
    card, ability = rolled.source
    return records.Source(card=card, ability=ability)  # type: ignore[arg-type]


def roll(event: records.Roll, final: int | None, passed: bool | None, refunded: bool, position: Position) -> None:
    """A card is turned up from the deck and discarded; its modifier window opens, unless its result stands on it."""
    player = event.by
    if player not in position.table.other:
        return
    if event.card is not None:
        position.show(event.card, player, None)
    die = event.die if event.die is not None else die_of(event, position)
    ability = ability_of(position, play_by(event, position) or event.source)
    need = event.need if event.need is not None else printed_need(ability)
    if event.card is not None or event.die is None:
        position.put(position.take(player, "deck", event.card), At("discard", player))
    position.windows = tuple(window for window in position.windows if window.kind != "modifier")
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
    )
    if play is not None and event.purpose in (None, "test") and ("test", ()) not in play.costs:
        replaced(position, play._replace(costs=(*play.costs, ("test", ()))))
    if event.final is not None or event.passed is not None:
        settle_roll(position, final, passed, refunded)
    else:
        window = Window(
            "modifier", player, player, ba=position.action.n if position.action else None, trigger=event.seq
        )
        position.windows = (*position.windows, window)


def modifier(event: records.Modifier, position: Position) -> None:
    """A modifier is played on the open roll; a hand card is discarded."""
    source = event.source
    if source is not None and source.zone == "hand" and source.card is not None and event.by in position.table.other:
        position.show(source.card, event.by, None)
        position.put(position.take(event.by, "command_hand", source.card), At("discard", event.by))
    open_roll = position.roll
    play = announced(event, position)
    if open_roll is not None and not open_roll.settled:
        if play is not None and play.zone != "hand":
            open_roll = open_roll._replace(used=(*open_roll.used, (play.card, play.ability)))
            position.roll = open_roll
        change = change_of(event, ability_of(position, source) if source is not None else None)
        if change is None:
            position.roll = open_roll._replace(unsure=event.reroll is None or open_roll.unsure)
        else:
            position.roll = open_roll._replace(changes=(*open_roll.changes, change))
    _entry(event, position, passed=False)


def modifier_pass(event: records.ModifierPass, position: Position) -> None:
    _entry(event, position, passed=True)


def _entry(event: Any, position: Position, *, passed: bool) -> None:
    window = position.window
    if window is None or window.kind != "modifier" or event.by not in position.table.other:
        return
    other = position.other(event.by)
    changed = window.passed(event.seq, other) if passed else window.played(event.seq, other)
    position.windows = (*position.windows[:-1], changed)
