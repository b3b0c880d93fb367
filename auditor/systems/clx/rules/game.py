"""The frame of the game: phases, the roll-off, seizing the initiative, how long it lasts, day and night."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from auditor.core.findings import RAN, Note, Remark
from auditor.core.ruleset import Rule
from auditor.core.rulings import Hearing
from auditor.systems.clx import records
from auditor.systems.clx.position.state import NOBODY, PHASES, Position
from auditor.systems.clx.reckoning.frame import (
    LAST_DAY_TURN,
    LAST_TURN,
    TIED,
    actor,
    begins_turn,
    ends_again,
    goes_on,
    in_battle,
    is_own,
    phase_of,
    phase_on,
    rolled_after,
    rule_of_length,
    steps_back,
    turn_of,
    winner_of,
)
from auditor.systems.clx.reckoning.lacking import lack_of_roll_off, phase_due, turn_end_due
from auditor.systems.clx.reckoning.throws import guess_of_a_throw
from auditor.systems.clx.reckoning.ways import Ways
from auditor.systems.clx.rules.common import Seen, fault, rule, unchecked, who_plays
from auditor.systems.clx.tables import goes_on_at

ACTS = tuple(
    name
    for name in records.EVENTS
    if name
    not in (
        *(
            "turn_start",
            "turn_end",
            "game_length_roll",
            "game_end",
            "end",
            "position",
            "undo",
            "judge",
            "remark",
            "note",
        ),
        *("roll_off", "deploy_choice", "deploy", "seize"),
    )
)


ENDS = ("turn_start", "turn_end", "game_length_roll", "game_end")


@rule("CLX-GAME-01", "The order of the phases", events=[*ACTS, *ENDS], kinds=["illegal"], readings=["OR-GREN-G"])
def phases_come_in_order(event: Any, resolved: Ways | None, position: Position, hearing: Hearing) -> Seen:
    """Each player's turn has four phases in this order: Movement, Psychic, Shooting, Assault. Some acts belong to one
    phase, and only the player whose turn it is acts, but for reactions.

    Log:  the phase of every event, and who acts.
    Edge: a phase in which nothing happens may be absent. A missing end of a phase is taken as read when the next begins;
          so is a missing start of the other player's turn when that player acts in a later turn or an earlier phase. The
          end of a turn that stands after the next turn has begun ends nothing of that, nor that of an earlier phase.
    Edge: where the turn of one player and then a phase of the other begins, whoever acts first shows whose turn it is. A
          phase in which nothing was done, and that ends under the name of an earlier one, was that one. An end of the other
          player's turn that has ended is that of the turn that is on. Each is a note.
    Edge: dispelling, saves, tests, falling back and throwing back are open to the other player.
    Edge: a guessed shot belongs to the Shooting Phase; that of a grenade, where grenades are guessed, to the assault.
    """
    if not in_battle(event):
        return None
    name = records_name(event)
    phase = phase_of(event, position)
    tied = TIED.get(type(event))
    # Under OR-GREN-G=GUESS whoever throws a grenade guesses first, in the Assault Phase, and in a charge both sides throw.
    thrown = guess_of_a_throw(event, position) and hearing.ask("OR-GREN-G") == "GUESS"
    if tied is not None and phase is not None and phase != tied and not thrown:
        return [
            _phase_fault(
                event,
                f"{_said(name, event, position)} in the {phase.title()} Phase; it belongs to the {tied.title()} Phase.",
                phase,
                tied,
            )
        ]
    if begins_turn(event, position):
        return RAN
    same = turn_of(event, position) == position.turn
    seen: list[Remark] = []
    player = actor(event, position)
    if event.player in position.setup.players and player != event.player and _names_its_own(event):
        text = f"Event {event.seq} is recorded for {position.setup.player(event.player)}; it is an act of {position.setup.player(player)}, whose it names."
        seen.append(Note("record", text, "CLX-GAME-01"))
    if event.player is not None and event.player not in position.setup.players:
        seen.append(Note("record", f"Event {event.seq} is by {event.player}, who does not play.", "CLX-GAME-01"))
    if same and event.turn not in (None, position.turn):
        text = f"Event {event.seq} is numbered as of turn {event.turn}; the record is in turn {position.turn}."
        seen.append(Note("record", text, "CLX-GAME-01"))
    others = position.active is not None and player in position.setup.players and player != position.active
    if isinstance(event, records.PhaseStart) and others:
        text = f"Event {event.seq} begins a phase of {position.setup.player(player)} in the turn of {position.setup.player(position.active)}."
        seen.append(Note("record", text, "CLX-GAME-01"))
    ends = isinstance(event, records.PhaseEnd)  # An end that stands too late, or under another name, is no act.
    if not ends and event.phase in position.closed and event.phase in PHASES and same:
        text = f"{_said(name, event, position)} in the {event.phase.title()} Phase, which has ended."
        seen.append(_phase_fault(event, text, event.phase, position.phase))
    elif not ends and steps_back(event, position):
        text = f"{_said(name, event, position)} in the {event.phase.title()} Phase, which comes before the {str(position.phase).title()} Phase that is on."
        seen.append(_phase_fault(event, text, event.phase, position.phase, phase_due(event.phase, position)))
    elif position.active is not None and player not in (None, position.active) and is_own(event) and not thrown:
        text = f"{_said(name, event, None)} by {position.setup.player(player)} in the turn of {position.setup.player(position.active)}."
        seen.append(fault("CLX-GAME-01", "illegal", text, claimed=player, recomputed=position.active))
    elif event.phase in PHASES and position.phase is not None and phase_on(event, position) != event.phase:
        text = f"Event {event.seq} is recorded in the {event.phase.title()} Phase; the {position.phase.title()} Phase is on."
        seen.append(Note("record", text, "CLX-GAME-01"))
    return seen


@phases_come_in_order.at(*ENDS)
def the_turn_that_begins_or_ends_is_due(
    event: Any, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    if isinstance(event, records.TurnStart):
        if (event.turn, event.player) not in position.ended_turns:
            return None
        text = f"Event {event.seq} begins turn {event.turn} of {position.setup.player(event.player)}, which has ended."
        return [Note("record", text, "CLX-GAME-01")]
    if isinstance(event, records.TurnEnd) and ends_again(event, position):
        text = f"Event {event.seq} ends turn {event.turn} of {position.setup.player(event.player)}, which has ended."
        return [Note("record", text, "CLX-GAME-01")]
    named = event.turn if isinstance(event, records.TurnEnd) else event.after_turn
    if named is None or position.turn in (None, named):
        return None
    text = f"Event {event.seq} ends turn {named}; the record is in turn {position.turn}."
    return [Note("record", text, "CLX-GAME-01")]


def _names_its_own(event: records.Event) -> bool:
    """Whether the unit or psyker that an event names is that of the player who acts."""
    return is_own(event) or isinstance(event, (records.WarpCharge, records.Dispel))


def records_name(event: records.Event) -> str:
    """The type of an event as logs write it."""
    return str(type(event).__struct_config__.tag)


CALLED = {
    "shoot": "shooting attack",
    "weapon_fire": "shot",
    "guess_shot": "guessed shot",
    "fight_step": "blow",
    "cast": "cast power",
    "morale": "Morale Check",
    "ld_test": "Leadership test",
    "char_test": "characteristic test",
}
"""Acts whose names in logs nobody says at a table."""


def _said(name: str, event: records.Event, position: Position | None) -> str:
    """An act in words: of the unit that it names, else by its player where the position is given."""
    words = CALLED.get(name) or name.replace("_", " ")
    unit = getattr(event, "unit", None)
    of = f" of {unit}" if isinstance(unit, str) else ""
    if not of and position is not None and event.player in position.setup.players:
        of = f" by {position.setup.player(event.player)}"
    return f"{'An' if words[0] in 'aeiou' else 'A'} {words}{of}"


def _phase_fault(event: records.Event, text: str, claimed: Any, recomputed: Any, due: Any = None) -> Remark:
    return fault("CLX-GAME-01", "illegal", text, claimed=claimed, recomputed=recomputed, due=due)


@rule(
    "CLX-GAME-02",
    "The roll-off",
    events=["roll_off", "deploy_choice", "deploy", "turn_start"],
    kinds=["illegal", "miscalculated", "omitted"],
    readings=["OR-FIRST"],
)
def the_higher_roll_chooses(event: records.Event, resolved: Ways | None, position: Position, hearing: Hearing) -> Seen:
    """Before the battle each player rolls a D6. The higher roll decides whether to deploy first and have the first turn.

    Log:  the dice of both, ties included; who chooses, who deploys first, who has the first turn.
    Edge: a tie is rolled again.
    Edge: a record that begins with a position owes no roll-off.
    """
    if isinstance(event, records.RollOff):
        readable, winner = winner_of(event.rolls, position.setup.players)
        if event.claimed_winner is None:
            hearing.not_claimed()
            return RAN
        if not readable:
            return [unchecked("CLX-GAME-02", "the dice of the roll-off are not all there")]
        if event.claimed_winner == winner:
            return RAN
        text = f"The log has {position.setup.player(event.claimed_winner)} win the roll-off; " + (
            f"{position.setup.player(winner)} rolled higher." if winner is not None else "every throw is a tie."
        )
        return [
            fault("CLX-GAME-02", "miscalculated", text, player=None, claimed=event.claimed_winner, recomputed=winner)
        ]
    if isinstance(event, records.TurnStart):
        return _who_begins(event, position)
    seen: list[Remark] = []
    if not position.rolled and not position.stated:
        if isinstance(event, records.DeployChoice) or (position.choice is None and not _any_deployed(position)):
            text = f"Neither {' nor '.join(map(position.setup.player, position.setup.players))} rolled off for the first turn."
            seen.append(fault("CLX-GAME-02", "omitted", text, player=None, lacks=lack_of_roll_off(event)))
    if isinstance(event, records.DeployChoice):
        seen += _choice(event, position, hearing)
    return seen


def _any_deployed(position: Position) -> bool:
    return any(standing.at is not None or standing.aboard is not None for standing in position.models.values())


def _choice(event: records.DeployChoice, position: Position, hearing: Hearing) -> Iterator[Remark]:
    if position.winner is not None and event.player not in (None, position.winner):
        yield fault(
            "CLX-GAME-02",
            "illegal",
            f"{position.setup.player(event.player)} chose who deploys first; {position.setup.player(position.winner)} won the roll-off.",
            claimed=event.player,
            recomputed=position.winner,
        )
    elif None not in (event.deploys_first, event.first_turn) and event.deploys_first != event.first_turn:
        if hearing.ask("OR-FIRST") == "COUPLED":
            yield fault(
                "CLX-GAME-02",
                "illegal",
                f"{position.setup.player(event.deploys_first)} deploys first and {position.setup.player(event.first_turn)} has "
                "the first turn: the two go together.",
                claimed={"deploys_first": event.deploys_first, "first_turn": event.first_turn},
                recomputed={"deploys_first": event.deploys_first, "first_turn": event.deploys_first},
            )


def _who_begins(event: records.TurnStart, position: Position) -> Seen:
    if not _is_first_of_all(event, position) or position.first is None or event.player is None:
        return None
    if position.seized is not None and position.seized[1]:
        return None  # Who seized the initiative begins, whoever was to.
    if event.player == position.first:
        return RAN
    return [
        fault(
            "CLX-GAME-02",
            "illegal",
            f"{position.setup.player(event.player)} took the first turn, which was to be that of {position.setup.player(position.first)}.",
            claimed=event.player,
            recomputed=position.first,
        )
    ]


def _is_first_of_all(event: records.TurnStart, position: Position) -> bool:
    """Whether this is the first turn of the battle."""
    return event.turn in (None, 1) and not position.begun and not position.ended_turns


@rule(
    "CLX-GAME-03",
    "Seizing the initiative",
    events=["seize", "deploy", "turn_start"],
    kinds=["illegal", "miscalculated"],
)
def a_six_seizes_the_initiative(
    event: records.Seize | records.Deploy | records.TurnStart,
    resolved: Ways | None,
    position: Position,
    hearing: Hearing,
) -> Seen:
    """After deployment the player who is to go second may roll one D6: on a 6 the first turn is theirs.

    Log:  the die, who rolls it, and when.
    Edge: not to try is allowed. A second try is not, nor one before deployment is over.
    """
    if isinstance(event, records.Deploy):
        if position.seized is None or position.stated:
            return RAN
        text = f"{event.unit} was deployed after the attempt to seize the initiative, which comes after deployment."
        return [fault("CLX-GAME-03", "illegal", text, str(event.unit))]
    if isinstance(event, records.TurnStart):
        seized = position.seized is not None and position.seized[1]
        if not seized or not _is_first_of_all(event, position) or position.first is None:
            return None
        if event.player in (None, position.first):
            return RAN
        text = f"{position.setup.player(event.player)} took the first turn, which {position.setup.player(position.first)} had seized."
        return [fault("CLX-GAME-03", "illegal", text, claimed=event.player, recomputed=position.first)]
    seen: list[Remark] = []
    if position.seized is not None:
        text = f"{position.setup.player(event.player)} tried to seize the initiative; that had been tried already."
        seen.append(fault("CLX-GAME-03", "illegal", text))
    elif position.first is not None and event.player == position.first:
        text = f"{position.setup.player(event.player)} tried to seize the initiative, but goes first anyway."
        seen.append(fault("CLX-GAME-03", "illegal", text, claimed=event.player, recomputed=position.second))
    elif position.begun:
        text = f"{_who(event.player, position)} tried to seize the initiative after the battle had begun."
        seen.append(fault("CLX-GAME-03", "illegal", text))
    if event.claimed_success is None:
        hearing.not_claimed()
    elif event.die is None or not 1 <= event.die <= 6:
        seen.append(unchecked("CLX-GAME-03", "the die is not given"))
    elif event.claimed_success != (event.die == 6):
        text = f"{position.setup.player(event.player) if event.player else 'A player'} rolled a {event.die}, which {'seizes' if event.die == 6 else 'does not seize'} the initiative."
        seen.append(
            fault("CLX-GAME-03", "miscalculated", text, claimed=event.claimed_success, recomputed=event.die == 6)
        )
    return seen


# -- how long the game lasts --------------------------------------------------------------------------------------

_LENGTH = ("game_length_roll", "turn_start", "game_end")


def _length_rule(rule_id: str, title: str, text: str) -> Rule:
    """The rule on the end of the game after one turn: the four are alike but for the turn."""

    def check(event: Any, resolved: Ways | None, position: Position, hearing: Hearing) -> Seen:
        after = _after(event, position)
        if after is None or rule_of_length(after) != rule_id:
            return None
        if isinstance(event, records.GameLengthRoll):
            return list(_roll(rule_id, event, after, position, hearing))
        if isinstance(event, records.GameEnd):
            return list(_end(rule_id, event, position, after))
        return list(_goes_on(rule_id, event, position, after))

    check.__doc__ = text
    kinds = ["illegal"] if rule_id == "CLX-GAME-07" else ["illegal", "miscalculated", "omitted"]
    return rule(rule_id, title, events=_LENGTH, kinds=kinds, readings=["OR-LENGTH-ROLLER"])(check)


def _after(event: records.Event, position: Position) -> int | None:
    """The game turn after which an event stands that has to do with the length of the game."""
    if isinstance(event, records.GameEnd) and position.turn is not None:
        return position.turn  # Its own number may be a slip of the pen.
    if isinstance(event, (records.GameLengthRoll, records.GameEnd)):
        return rolled_after(event, position)
    if event.turn is None or position.turn is None or event.turn != position.turn + 1:
        return None
    return int(position.turn)


def _finished(position: Position, turn: int) -> bool:
    """Whether both players have finished a turn, as far as the record says when turns end."""
    ended = {player for number, player in position.ended_turns if number == turn}
    if ended:
        return set(position.setup.players) <= ended or NOBODY in ended
    return position.turn is None or position.turn != turn or position.active in (None, position.second)


def _roll(
    rule_id: str, event: records.GameLengthRoll, after: int, position: Position, hearing: Hearing
) -> Iterator[Remark]:
    needed = goes_on_at(after)
    roller = event.roller or event.player
    if needed is None:
        text = f"{_who(roller, position)} rolled after turn {after}, where no die is rolled: " + (
            "the game is over." if after >= LAST_TURN else "the game goes on."
        )
        now = {"after_turn": position.turn} if goes_on_at(position.turn or 0) is not None else None
        claimed = {"after_turn": after} if now is not None else None
        yield fault(rule_id, "illegal", text, player=roller, claimed=claimed, recomputed=now)
        return
    if not _finished(position, after):
        text = (
            f"{_who(roller, position)} rolled whether the game goes on before both players had finished turn {after}."
        )
        yield fault(rule_id, "illegal", text, player=roller, due=turn_end_due(after, position))
    elif position.second is not None and roller is not None and roller != position.second:
        if hearing.ask("OR-LENGTH-ROLLER") == "SECOND":
            text = f"{position.setup.player(roller)} rolled whether the game goes on; the roll is that of {position.setup.player(position.second)}, who goes second."
            yield fault(rule_id, "illegal", text, player=roller, claimed=roller, recomputed=position.second)
    right = goes_on(after, event.die)
    if event.claimed_continues is None:
        hearing.not_claimed()
    elif right is None:
        yield unchecked(rule_id, "the die is not given")
    elif right != event.claimed_continues:
        text = f"{_who(roller, position)} rolled a {event.die} after turn {after}; the game goes on with {needed} or more, and the log has it {'go on' if event.claimed_continues else 'end'}."
        yield fault(
            rule_id,
            "miscalculated",
            text,
            player=roller,
            claimed=event.claimed_continues,
            recomputed=right,
        )


def _who(player: str | None, position: Position) -> str:
    """A player at the beginning of a sentence."""
    told = who_plays(player, position)
    return told[0].upper() + told[1:]


def _begun(event: records.TurnStart, position: Position) -> str:
    return (
        f"{_who(event.player, position)} began turn {event.turn}"
        if event.player
        else f"The log begins turn {event.turn}"
    )


def _not_rolled(rule_id: str, after: int, position: Position) -> Iterator[Remark]:
    """Whose roll for the length of the game is missing: the second player's."""
    if not position.stated_in(after):
        second = position.second
        who = f"{position.setup.player(second)} did not roll" if second is not None else "Nobody rolled"
        text = f"{who} after turn {after} whether the game goes on."
        due = partial(records.GameLengthRoll, seq=0, player=second, after_turn=after, roller=second)
        yield fault(rule_id, "omitted", text, player=second, due=due)


def _goes_on(rule_id: str, event: records.TurnStart, position: Position, after: int) -> Iterator[Remark]:
    if after >= LAST_TURN:
        yield fault(
            rule_id,
            "illegal",
            f"{_begun(event, position)}; the game ends after turn {LAST_TURN}.",
            player=None,
        )
    elif goes_on_at(after) is None:
        return
    elif after not in position.length:
        yield from _not_rolled(rule_id, after, position)
    elif position.length[after] is False and after not in position.length_open:
        text = f"{_begun(event, position)}; the roll after turn {after} had ended the game."
        yield fault(rule_id, "illegal", text, player=None)


def _end(rule_id: str, event: records.GameEnd, position: Position, after: int) -> Iterator[Remark]:
    if event.reason not in (None, "roll", "last_turn") or after >= LAST_TURN:
        return
    if event.reason is None and position.later.end_reason != "finished":
        if position.later.end_reason is None:
            yield unchecked(rule_id, "why the game ended is not recorded")
        return
    if goes_on_at(after) is None:
        text = f"The log ends the game after turn {after}; after turns 1 to 4 it always goes on."
        yield fault(rule_id, "illegal", text, player=None, claimed=event.reason)
    elif after not in position.length:
        yield from _not_rolled(rule_id, after, position)
    elif position.length[after] and after not in position.length_open:
        text = f"The log ends the game after turn {after}; by the roll it goes on."
        yield fault(rule_id, "illegal", text, player=None, claimed=event.reason)


length_after_five = _length_rule(
    "CLX-GAME-04",
    "The end of turn 5",
    """When both players have finished turn 5, the second player rolls a D6: the game goes on with 4 or more, else it ends.
    Turns 1 to 4 always go on, without a roll.

    Log:  the die, who rolled it, after which turn; the end of the game.
    Edge: a concession, or time being called, is no matter of this rule; where the end of the game gives no reason, that of
          the record counts.
    """,
)
length_after_six = _length_rule(
    "CLX-GAME-05",
    "The end of turn 6",
    """When both players have finished turn 6, the second player rolls a D6: the game goes on with 3 or more, else it ends.

    Log:  the die, who rolled it, after which turn; the end of the game.
    """,
)
length_after_seven = _length_rule(
    "CLX-GAME-06",
    "The end of turn 7",
    """When both players have finished turn 7, the second player rolls a D6: the game goes on with 2 or more, else it ends.

    Log:  the die, who rolled it, after which turn; the end of the game.
    """,
)
length_after_eight = _length_rule(
    "CLX-GAME-07",
    "The last turn",
    """The game ends after turn 8, without a roll.

    Log:  the start of every turn; rolls for the length of the game.
    """,
)


@rule("CLX-GAME-08", "Day and night", events=["turn_start", "turn_end"], kinds=["miscalculated"])
def night_falls_with_turn_five(
    event: records.TurnStart | records.TurnEnd, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """Turns 1 to 4 are fought by day, turns 5 to 8 by night, however many are played.

    Log:  what is claimed at the start or end of a turn. What darkness does to shooting is a matter of the base game.
    """
    begins = isinstance(event, records.TurnStart)  # Which turn is on says nothing of one that begins.
    turn = event.turn if event.turn is not None or begins else position.turn
    if event.claimed_night is None:
        hearing.not_claimed()
        return RAN
    if turn is None:
        return [unchecked("CLX-GAME-08", "the number of the turn is not given")]
    night = turn > LAST_DAY_TURN
    if event.claimed_night == night:
        return RAN
    text = f"Turn {turn} is a {'night' if night else 'day'} turn; the log says {'day' if night else 'night'}."
    return [fault("CLX-GAME-08", "miscalculated", text, player=None, claimed=event.claimed_night, recomputed=night)]


RULES: tuple[Rule, ...] = (
    phases_come_in_order,
    the_higher_roll_chooses,
    a_six_seizes_the_initiative,
    length_after_five,
    length_after_six,
    length_after_seven,
    length_after_eight,
    night_falls_with_turn_five,
)
