"""Rolling and modifiers (catalogue 4.8, 4.23)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from auditor.core.findings import RAN, Fault, Unchecked
from auditor.core.rulings import Hearing
from auditor.systems.hcg import records
from auditor.systems.hcg.position.parts import Rolling, Window
from auditor.systems.hcg.position.play import Play
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.reckoning.amounts import defined_x
from auditor.systems.hcg.reckoning.lacking import announcement, entry, modifier_of, rolling
from auditor.systems.hcg.reckoning.plays import ability_of, need_before, play_by, text_of
from auditor.systems.hcg.reckoning.resolve import View
from auditor.systems.hcg.reckoning.rolls import (
    die_of,
    final_of,
    meant,
    named_need,
    open_roll,
    printed_need,
    says_which,
    stays_open,
    sums_without_a_modifier,
    total,
    window_on,
)
from auditor.systems.hcg.rules.common import Seen, of_two, rule

SETTLES = ("roll.final", "tactic", "tactic.pass", "effect", "damage", "ba.end", "block")
"""Events that leave no doubt that the roll before them was final."""


@rule("HCG-ROLL-01", "A roll", section="4.8", events=["roll"], kinds=["illegal", "miscalculated", "ambiguous"])
def a_roll_is_the_top_card(event: records.Roll, view: View, position: Position, hearing: Hearing) -> Seen:
    """The roller turns up the top card of the deck and discards it; its die number is the roll. The roller is the
    controller of the ability that asks for the roll.

    Log:  the instance, the die number.
    Edge: where real dice were used (a number and no card) the test is judged by the number.
    """
    this = a_roll_is_the_top_card
    if event.by is None:
        return [this.missing(["who rolled"])]
    if event.card is None:
        text = "The log does not say which card was turned up" + (
            "." if event.die is None else "; a die may have been."
        )
        return [this.ambiguous(text, would_be="illegal")]
    seen: list[Fault] = []
    at = position.at.get(event.card)
    if at is not None and at.zone in ("command_hand", "deploy_hand"):
        text = f"{position.named(event.card)} was rolled out of {at.player}'s hand, not off the deck."
        seen.append(this.illegal(text, event.card, claimed=at.zone, recomputed="deck"))
    play, pending = play_by(event, position), position.pending
    whose = play.by if play is not None else pending.by if pending is not None else event.by
    if event.by != whose:
        text = f"{event.by} rolled for an ability of {whose}."
        seen.append(this.illegal(text, claimed=event.by, recomputed=whose, lacks=announcement(event)))
    die = die_of(event, position)
    if event.die is None:
        hearing.not_claimed()
    elif die is not None and die != event.die:
        text = f"{position.named(event.card)} bears the die number {die}, not {event.die}."
        seen.append(this.miscalculated(text, event.card, claimed={"die": event.die}, recomputed={"die": die}))
    return seen or RAN


@rule(
    "HCG-ROLL-02",
    "A test",
    section="4.8",
    events=["roll", "roll.final"],
    kinds=["miscalculated"],
    readings=["OR-ROLLRANGE", "OR-XSTAT", "OR-STATFLOOR", "OR-BONUSSETUP"],
)
def a_test_is_passed_at_its_number(
    event: records.Roll | records.RollFinal, view: View, position: Position, hearing: Hearing
) -> Seen:
    """A test (N+) is passed when the final roll is at least N. Equal passes.

    Log:  `need`, `final`, `passed`, claims all of them.
    Edge: where the number of the roll, or that of the test, is wrong itself, `passed` may be as either of the two has it.
    """
    this = a_test_is_passed_at_its_number
    claimed: dict[str, Any] = {}
    recomputed: dict[str, Any] = {}
    if isinstance(event, records.Roll):
        play = play_by(event, position)
        printed = printed_need(text_of(position, event.source))
        if event.need is not None and printed is not None and event.need not in (printed, need_before(event, position)):
            claimed["need"], recomputed["need"] = event.need, printed
        needs = [event.need, printed, named_need(play, position)]
        roller, finals = event.by, [event.final, event.die, die_of(event, position)]
        if event.final is None and event.passed is None and not claimed:
            return RAN if any(one is not None for one in needs) else None
    else:
        roll = meant(event, position, hearing)
        if roll is None:
            return None
        play = _play_of(roll, position)
        roller, needs, finals = roll.by, [roll.need, named_need(play, position)], [event.final]
        if event.passed is not None:
            finals.append(final_of(roll, hearing))
    need, final = (next((one for one in found if one is not None), None) for found in (needs, finals))
    if event.passed is None:
        hearing.not_claimed()
    elif not _agrees(event.passed, finals, needs):
        x = _defined_need(play, position, hearing)
        if x is None or not _agrees(event.passed, finals, [x]):
            claimed["passed"], recomputed["passed"] = event.passed, not event.passed
    if not claimed:
        return RAN if need is not None else None
    whose = f" of {position.named(play.card)}" if play is not None else f" of {roller}" if roller is not None else ""
    outcome = "passed" if (final or 0) >= (need or 0) else "failed"
    text = f"The test{whose} needs {need}+; with a final roll of {final} it is {outcome}."
    if "need" in claimed:
        text = f"The text{whose} asks for {recomputed['need']}+, not {claimed['need']}+."
    return [this.miscalculated(text, player=roller, claimed=claimed, recomputed=recomputed)]


def _agrees(passed: bool, finals: Sequence[int | None], needs: Sequence[int | None]) -> bool:
    """Whether a test comes out so by one of these numbers of the roll and of the test, or nobody knows any."""
    known = [final >= need for final in finals for need in needs if final is not None and need is not None]
    return not known or passed in known


def _defined_need(play: Play | None, position: Position, hearing: Hearing) -> int | None:
    """The number that a test (X+) asks for where its text defines X."""
    ability = ability_of(position, play)
    if play is None or ability is None or [cost.n for cost in ability.costs if cost.op == "test"] != ["X"]:
        return None
    found = defined_x(ability, play, position, hearing)
    return found.value if found is not None else None


def _play_of(roll: Rolling, position: Position) -> Play | None:
    return next((one for one in position.plays if one.seq == roll.play), None)


def _off_by(event: Any, position: Position, hearing: Hearing) -> tuple[Rolling, Any, int] | None:
    """(roll, its recomputed number, what the log claims) where they differ."""
    roll = meant(event, position, hearing)
    if event.final is None or roll is None:
        return None
    figure = total(roll, hearing)
    return None if figure is None or figure.value == event.final else (roll, figure, event.final)


@rule(
    "HCG-ROLL-05",
    "Modifiers come first",
    section="4.8",
    events=["roll.final"],
    kinds=["miscalculated"],
    readings=["OR-ROLLRANGE"],
)
def modifiers_count(event: records.RollFinal, view: View, position: Position, hearing: Hearing) -> Seen:
    """The number of a roll takes effect only after the modifier window has closed, modifiers included.

    Log:  the modifiers in order, the final number.
    """
    off = _off_by(event, position, hearing)
    if off is None:
        return RAN if position.roll is not None and position.roll.changes else None
    roll, figure, claimed = off
    if claimed not in sums_without_a_modifier(roll, hearing):
        return None
    left_out = "the modifiers" if claimed == roll.die else "one of the modifiers"
    text = f"{_whose(roll.by)} roll is {figure.working()}; the log goes on with {claimed}, without {left_out}."
    return [
        modifiers_count.miscalculated(
            text,
            str(roll.card),
            player=roll.by,
            claimed={"final": claimed},
            recomputed={"final": figure.value},
            figures=(figure,),
            lacks=modifier_of(roll),
        )._replace(also=("HCG-MOD-04",))
    ]


@rule("HCG-MOD-01", "When modifiers are played", section="4.23", events=["modifier"], kinds=["illegal", "ambiguous"])
def modifiers_answer_a_roll(event: records.Modifier, view: View, position: Position, hearing: Hearing) -> Seen:
    """Modifiers are playable only after a roll by either player, before it is applied.

    Log:  the roll, the order of events.
    """
    roll, by = open_roll(event.roll, position), event.by or "Somebody"
    if event.source is None or event.source.card is None:
        return [modifiers_answer_a_roll.missing(["where the modifier came from"])]
    if roll is None:
        lacks = rolling(event.seq if event.roll is None else event.roll)
        return [modifiers_answer_a_roll.illegal(f"{by} played a modifier, and there was no roll.", lacks=lacks)]
    if not roll.settled:
        return RAN
    text = f"{by} played a modifier after the roll at event {roll.seq} had been applied."
    return [modifiers_answer_a_roll.illegal(text, lacks=modifier_of(roll))]


@rule(
    "HCG-MOD-03",
    "Order of the modifier window",
    section="4.23",
    events=["modifier", "modifier.pass", *SETTLES],
    kinds=["illegal", "ambiguous"],
    readings=["OR-REACTPASS"],
    when=dict.fromkeys((one for one in SETTLES if one != "roll.final"), ("modifier window",)),
)
def modifiers_alternate(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """The rolling player has the first say; then one at a time, alternating. The roll applies when both are done.

    Log:  the modifiers and passes in order; with implied passes none of it can be told.
    Edge: a window with no entry was passed by both. Once something is played in it, its passes are demanded. Once somebody
          has acted who had not the say, what follows in that window is no further fault.
    """
    this = modifiers_alternate
    roll = position.roll
    if isinstance(event, (records.Modifier, records.ModifierPass)) and event.by is None and roll is not None:
        return [this.missing(["who acted"])]
    if isinstance(event, (records.Modifier, records.ModifierPass, records.RollFinal)):
        window = window_on(event, position)
        if not says_which(event, position):
            return None
    else:
        window = next((one for one in reversed(position.windows) if one.kind == "modifier"), None)
        if roll is not None and stays_open(event, roll, position):
            return None
    if position.table.setup.passes_implied or position.table.setup.terse:
        return None
    if window is None:
        return None
    if not isinstance(event, (records.Modifier, records.ModifierPass)):
        played = len(window.entries) > len(window.out)
        if not window.entries or window.passes >= 2 or window.astray:
            return RAN
        if _over_for_good(window) and hearing.ask("OR-REACTPASS") == "final":
            return RAN
        whose = _whose(roll.by if roll is not None else None)
        text = f"{whose} roll was applied after {of_two(window.passes)} that close its window."
        if not played:
            return RAN
        return [this.illegal(text, player=None, claimed=window.passes, recomputed=2)]
    if window.astray:
        return RAN
    if event.by == window.next and window.passes < 2:
        if event.by not in window.out or isinstance(event, records.ModifierPass):
            return RAN
        if hearing.ask("OR-REACTPASS") == "two-in-a-row":
            return RAN
        text = f"{event.by} went on in a modifier window after passing in it."
        return [this.illegal(text, str(event.by))]
    other = position.other(event.by) if event.by in position.table.other else event.by
    if event.by not in window.out and other in window.out and hearing.ask("OR-REACTPASS") == "final":
        return RAN  # The other has passed for good: this player goes on alone.
    if window.passes >= 2:
        text = f"{event.by} went on in a modifier window that two passes had closed."
        return [this.illegal(text, str(event.by))]
    text = f"{event.by} acted out of turn: it was {window.next}'s turn to change the roll or pass."
    return [this.illegal(text, str(event.by), claimed=event.by, recomputed=window.next, lacks=entry(window, position))]


def _whose(player: str | None) -> str:
    return f"{player}'s" if player is not None else "The"


def _over_for_good(window: Window) -> bool:
    """Whether both players have passed in it at some time."""
    return len(window.out) >= 2


@rule(
    "HCG-MOD-04",
    "The sum of a roll",
    section="4.23",
    events=["roll", "roll.final"],
    kinds=["miscalculated"],
    readings=["OR-ROLLRANGE"],
)
def the_final_roll_is_a_sum(
    event: records.Roll | records.RollFinal, view: View, position: Position, hearing: Hearing
) -> Seen:
    """The final number is the die and the modifiers in play order. A reroll is a new roll with a window of its own.

    Log:  `final`, a claim.
    """
    this = the_final_roll_is_a_sum
    if isinstance(event, records.Roll):
        die = event.die if event.die is not None else die_of(event, position)
        if event.final is None or die is None:
            return None
        if event.final == die:
            return RAN
        text = f"{_whose(event.by)} roll is {die} and no modifier was played; the log says {event.final}."
        return [this.miscalculated(text, str(event.card), claimed={"final": event.final}, recomputed={"final": die})]
    roll = meant(event, position, hearing)
    if roll is None:
        return None
    if event.final is None:
        hearing.not_claimed()
        return RAN
    if roll.die is None or roll.unsure:
        return [Unchecked(this.id, "nothing tells what the roll and its modifiers come to")]
    off = _off_by(event, position, hearing)
    if off is None or off[2] in sums_without_a_modifier(roll, hearing):
        return RAN  # It is the sum without a modifier that was left out.
    _, figure, claimed = off
    text = f"{_whose(roll.by)} roll is {figure.working()}; the log says {claimed}."
    return [
        this.miscalculated(
            text,
            str(roll.card),
            player=roll.by,
            claimed={"final": claimed},
            recomputed={"final": figure.value},
            figures=(figure,),
            lacks=modifier_of(roll),
        )
    ]


RULES = (
    a_roll_is_the_top_card,
    a_test_is_passed_at_its_number,
    modifiers_count,
    modifiers_answer_a_roll,
    modifiers_alternate,
    the_final_roll_is_a_sum,
)
