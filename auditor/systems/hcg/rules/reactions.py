"""Reactions, and how often a modifier is used (catalogue 4.23)."""

from __future__ import annotations

from auditor.core.findings import RAN, Remark, Unchecked
from auditor.core.rulings import Hearing
from auditor.systems.hcg import records
from auditor.systems.hcg.position.parts import Happening, Window
from auditor.systems.hcg.position.play import Play
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.reckoning.lacking import answered, entry
from auditor.systems.hcg.reckoning.plays import ability_of, announced, misplayed
from auditor.systems.hcg.reckoning.reactions import answers, goes_on, window_of
from auditor.systems.hcg.reckoning.resolve import View
from auditor.systems.hcg.reckoning.rolls import open_roll, says_which
from auditor.systems.hcg.rules.common import TYPES, Seen, both, of_two, rule
from auditor.systems.hcg.rules.played import NEXT, in_play


@rule(
    "HCG-REA-01",
    "What a reaction answers",
    section="4.23",
    events=["reaction"],
    kinds=["illegal", "ambiguous"],
)
def reactions_answer_their_trigger(event: records.Reaction, view: View, position: Position, hearing: Hearing) -> Seen:
    """A reaction names its trigger. It is optional, and playable only when that happens, in the battle step.

    Log:  `trigger`, the event that did it; the reaction stands directly after it.
    Edge: a trigger that cannot be read is taken to have happened where the log names an event for it.
    """
    this = reactions_answer_their_trigger
    unsaid = records.lacking(event)
    play = announced(event, position)
    if unsaid or play is None:
        return [this.missing(unsaid or ["which reaction was played"])]
    if event.trigger is not None and not 1 <= event.trigger < event.seq:
        return None  # What it answers is not known.
    ability = ability_of(position, play)
    if ability is None:
        return [Unchecked(this.id, f"the text of {play.card} is not known")]
    if ability.type != "R":
        as_reaction = f"{play.by} used {position.named(play.card)} as a reaction"
        text = f"{as_reaction}; its text is {TYPES.get(ability.type, ability.type)}."
        return [this.illegal(text, play.card, claimed="R", recomputed=ability.type)]
    if misplayed(play, ability, position):
        return None  # It is in no hand: which card was played is not known.
    given = [one for one in position.happened if event.trigger == one.seq]
    trigger = ability.trigger
    told = [None if trigger is None else answers(trigger, one, play, position) for one in given]
    if not any(told) and (trigger is None or trigger.what != "raw"):
        if trigger is None or None in told:
            return [Unchecked(this.id, f"nothing tells whether {position.named(play.card)} answers what happened")]
        said = ability.words(trigger.at)
        what = "which is something else" if given else "of which nothing came just now that it could answer"
        text = f"{position.named(play.card)} answers “{said}”, and was played on event {event.trigger}, {what}."
        return [this.illegal(text, play.card, claimed=event.trigger, lacks=answered(event, play, ability, position))]
    return _source(event, play, given, position)


def _source(event: records.Reaction, play: Play, given: list[Happening], position: Position) -> Seen:
    """Where it may be used from. A card that has just been destroyed may answer what befell it."""
    just = {one.card for one in given} | set(position.action.doomed if position.action is not None else ())
    return RAN if play.card in just else (in_play(reactions_answer_their_trigger, event, position) or RAN)


@rule(
    "HCG-REA-02",
    "Once an event",
    section="4.23",
    events=["reaction"],
    kinds=["illegal"],
    readings=["OR-FAILEDTEST"],
)
def reactions_in_play_are_used_once(event: records.Reaction, view: View, position: Position, hearing: Hearing) -> Seen:
    """A reaction printed on a card in play is used once for an event by each instance, unless it is Unlimited.

    Log:  the source, the trigger.
    Edge: two instances of one card have one use each.
    """
    this, play = reactions_in_play_are_used_once, announced(event, position)
    ability = ability_of(position, play)
    if play is None or play.zone == "hand" or event.trigger is None:
        return None
    same = [seq for *use, seq in position.reacted if use == [play.card, play.ability, event.trigger]]
    if not same:
        return RAN
    if ability is None:
        return [Unchecked(this.id, f"nothing tells which text of {play.card} was used")]
    if ability.limit != "once":
        return RAN
    before = [one for one in position.plays if one.seq in same]
    failed = bool(before) and all(one.passed is False for one in before)
    if failed and hearing.ask("OR-FAILEDTEST") == "refunded":
        return RAN
    text = f"{position.named(play.card)} used “{ability.text}” again on event {event.trigger}; once is allowed."
    n = len(same) + 1
    return [this.illegal(text, play.card, claimed=n, recomputed=1)]


@rule(
    "HCG-REA-03",
    "Order of the reaction window",
    section="4.23",
    events=["reaction", "reaction.pass", *NEXT],
    kinds=["illegal", "ambiguous"],
    readings=["OR-REACTPASS"],
    when=dict.fromkeys(NEXT, ("reaction window",)),
)
def reactions_alternate(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """The player who started the event has the first say; then one at a time, alternating.

    Log:  the reactions and passes in order; with implied passes none of it can be told.
    Edge: a window with no entry was passed by both. Once something is played in it, its passes are demanded. Who started
          it is the player of an attack, for the counterattack to it too, else the controller of the ability. Once somebody
          has acted who had not the say, what follows in that window is no further fault.
    """
    this = reactions_alternate
    implied = position.table.setup.passes_implied or position.table.setup.terse
    if not isinstance(event, (records.Reaction, records.ReactionPass)):
        if implied or not goes_on(event, position):
            return None
        windows = [window for window in position.windows if window.kind == "reaction"]
        seen = [one for window in windows for one in _left(window, position, hearing)]
        return seen or (RAN if windows else None)
    if isinstance(event, records.ReactionPass) and records.lacking(event):
        return [this.missing(records.lacking(event))]
    if implied or records.lacking(event):
        return None
    window = window_of(event, position)
    if window is None or event.by not in position.table.other:
        return None
    seen = []
    if window in position.windows:
        inner = position.windows[position.windows.index(window) + 1 :]
        seen = [one for other in inner if other.kind == "reaction" for one in _left(other, position, hearing)]
    if window.astray:
        return seen or RAN
    if event.by == window.next and window.passes < 2:
        if event.by not in window.out or isinstance(event, records.ReactionPass):
            return seen or RAN
        if hearing.ask("OR-REACTPASS") == "two-in-a-row":
            return seen or RAN
        text = f"{event.by} went on in a reaction window after passing in it."
        return [*seen, this.illegal(text, str(event.by))]
    other = position.other(event.by)
    if event.by not in window.out and other in window.out and hearing.ask("OR-REACTPASS") == "final":
        return seen or RAN  # The other has passed for good: this player goes on alone.
    if window.passes >= 2:
        text = f"{event.by} went on in a reaction window that two passes had closed."
        return [*seen, this.illegal(text, str(event.by))]
    text = f"{event.by} acted out of turn: it was {window.next}'s turn to react or pass."
    return [
        *seen,
        this.illegal(text, str(event.by), claimed=event.by, recomputed=window.next, lacks=entry(window, position)),
    ]


def _left(window: Window, position: Position, hearing: Hearing) -> list[Remark]:
    """A window that was left open though something had been played in it."""
    if window.passes >= 2 or len(window.entries) == window.passes or window.astray:
        return []  # Closed, nothing was played in it, or nobody knows whose turn it is.
    if len(window.out) >= 2 and hearing.ask("OR-REACTPASS") == "final":
        return []
    left = f"{both(position)} left the reaction window on event {window.trigger}"
    text = f"{left} after {of_two(window.passes)} that close it."
    return [reactions_alternate.illegal(text, str(window.trigger), player=None, claimed=window.passes, recomputed=2)]


@rule("HCG-MOD-02", "Once a roll", section="4.23", events=["modifier"], kinds=["illegal"])
def modifiers_in_play_are_used_once(event: records.Modifier, view: View, position: Position, hearing: Hearing) -> Seen:
    """A modifier printed on a card in play is used once for a roll by each instance, unless it is Unlimited.

    Log:  the source, the roll.
    Edge: a reroll is a new roll, with new limits. Two instances of one card have one use each.
    """
    this, play, roll = modifiers_in_play_are_used_once, announced(event, position), open_roll(event.roll, position)
    ability = ability_of(position, play)
    if play is None or play.zone == "hand" or roll is None or roll.settled or event.roll not in (None, roll.seq):
        return None
    used = roll.used.count((play.card, play.ability))
    if not used:
        return RAN
    if ability is None:
        return [Unchecked(this.id, f"nothing tells which text of {play.card} was used")]
    if ability.limit != "once":
        return RAN
    if not says_which(event, position):
        return [Unchecked(this.id, "nothing tells which of several rolls it was played on")]
    text = f"{position.named(play.card)} used “{ability.text}” again on the roll at event {roll.seq}."
    return [this.illegal(text, play.card, claimed=used + 1, recomputed=1)]


RULES = (
    reactions_answer_their_trigger,
    reactions_in_play_are_used_once,
    reactions_alternate,
    modifiers_in_play_are_used_once,
)
