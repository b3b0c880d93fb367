"""What moves a game on: who has the first turn, turns and phases, and how long it lasts."""

from __future__ import annotations

from auditor.core.holes import Hole
from auditor.systems.clx import records
from auditor.systems.clx.adopt import combat as adopt_combat
from auditor.systems.clx.position.state import (
    FRAME,
    NOBODY,
    NOTHING_DONE,
    NOW,
    OF_A_PHASE,
    PHASES,
    Position,
    flags_of,
    places_of,
    units_of,
)
from auditor.systems.clx.position.values import replace
from auditor.systems.clx.reckoning.frame import (
    ANY_TIME,
    actor,
    begins_turn,
    ends_again,
    goes_on,
    is_own,
    phase_on,
    rolled_after,
    steps_back,
    turn_of,
    winner_of,
)
from auditor.systems.clx.reckoning.throws import guess_of_a_throw
from auditor.systems.clx.reckoning.unsaid import flags_of_a_new_turn
from auditor.systems.clx.reckoning.ways import Ways


def frame(event: records.Event, position: Position) -> None:
    """Turn and phase as an event says."""
    if isinstance(event, ANY_TIME):
        return
    if begins_turn(event, position):
        known = position.holes.whole is None  # Else lines of this turn may be missing as well.
        _begin(position, event.turn, actor(event, position), known=known)
    elif (
        position.active is not None
        and is_own(event)
        and actor(event, position) not in (None, position.active)
        and not guess_of_a_throw(event, position)
    ):
        why = f"event {event.seq} is by {actor(event, position)} in what is recorded as the turn of {position.active}"
        position.holes.open(Hole(event.seq, why, frozenset(FRAME)))
    elif isinstance(event, records.PhaseStart) and event.turn is not None and actor(event, position) == position.active:
        position.holes.state(NOW)  # The record says again whose turn it is.
    elif isinstance(event, records.PhaseStart) and position.phase is None and not position.closed:
        position.rival = actor(event, position)  # Nothing has been done in this turn yet.
    position.turn = turn_of(event, position) or position.turn
    if steps_back(event, position) and phase_on(event, position) == event.phase:
        position.closed = frozenset(PHASES[: PHASES.index(event.phase)]) & position.closed
    phase = phase_on(event, position)
    if phase is not None and phase != position.phase:
        adopt_combat.leave_shooting(position)
        if position.phase is not None and not steps_back(event, position):
            position.closed |= {position.phase}
        # A position that does not say in which phase it is may be of this one: its warp charges stay.
        position.pools = position.pools if position.phase is None else {}
        position.phase = phase
        _astray_no_more(position)
        if isinstance(event, records.PhaseStart):
            position.holes.state(OF_A_PHASE)
        position.charged, position.casts = frozenset(), {}
        position.attacks, position.pin_tests, position.fired, position.flat_out = {}, (), {}, frozenset()
        for unit_id, state in position.units.items():
            if state.jinking:
                position.units[unit_id] = replace(state, jinking=False)
        position.combat.new_phase()
    if position.phase is not None and event.phase == position.phase:
        position.closed -= {position.phase}
    if is_own(event):
        position.rival = None
    if not isinstance(event, records.PhaseEnd):
        position.bare = isinstance(event, records.PhaseStart)


def _astray_no_more(position: Position) -> None:
    """What an event named by mistake is a matter of its phase."""
    if position.astray is not None:
        position.holes.fill(position.astray)
        position.astray = None


def roll_off(event: records.RollOff, resolved: Ways | None, position: Position) -> None:
    position.rolled = True
    known = event.claimed_winner in position.setup.players
    position.winner = event.claimed_winner if known else winner_of(event.rolls, position.setup.players)[1]


def deploy_choice(event: records.DeployChoice, resolved: Ways | None, position: Position) -> None:
    position.choice = (event.deploys_first, event.first_turn)
    if event.first_turn in position.setup.players:
        position.first = event.first_turn


def claimed_seize(event: records.Seize, resolved: Ways | None, position: Position) -> None:
    by_die = None if event.die is None else event.die == 6
    said = {one for one in (event.claimed_success, by_die) if one is not None}
    if len(said) == 1:
        seize(event, position, said.pop())
    else:
        position.seized, position.first = (event.player, False), None  # Play may have gone on with either.


def seize(event: records.Seize, position: Position, success: bool) -> None:
    player = event.player or position.second
    position.seized = (player, success)
    if success:
        # Where it is not a player who is named, somebody has seized it, and nobody knows who.
        position.first = player if player in position.setup.players else None


def turn_start(event: records.TurnStart, resolved: Ways | None, position: Position) -> None:
    due = None if position.begun or position.ended_turns else position.first
    again = (event.turn, event.player) in position.ended_turns
    turn = _turn_that_begins(event, position)
    first = position.active is None and not position.ended_turns
    _begin(position, turn, event.player, known=True)
    if position.turn == 1 and first and event.player in position.setup.players:
        position.first = event.player
    position.holes.state(FRAME if event.player == position.first else NOW)
    if turn is None:
        position.holes.open(Hole(event.seq, f"event {event.seq} does not say which turn begins", frozenset(FRAME)))
    if event.player is None:
        # What began in the enemy's turn holds until the end of the unit's own.
        why = f"event {event.seq} does not say whose turn begins"
        lying = [name for name, one in position.units.items() if one.pinned or one.gone_to_ground or one.prone]
        flags = [flag for name in lying for flag in flags_of(name, "pinned", "gone_to_ground", "prone")]
        position.holes.open(Hole(event.seq, why, frozenset([*units_of(lying), *flags])))
    if due is not None and event.player not in (None, due):
        why = f"event {event.seq} gives {event.player} the turn that was due to {due}"
        position.holes.open(Hole(event.seq, why, frozenset(FRAME)))
    if again:
        why = f"event {event.seq} begins turn {event.turn} of {event.player} a second time"
        position.holes.open(Hole(event.seq, why, frozenset(FRAME)))


def _turn_that_begins(event: records.TurnStart, position: Position) -> int | None:
    """The number of a turn that begins: as it is said, else the next after the one that is on; None: not known."""
    if event.turn is not None or position.turn is None:
        return event.turn
    if position.turn == 0:
        return 1
    if (position.turn, event.player) in position.ended_turns or event.player == position.active:
        return position.turn + 1
    if event.player is None or position.first is None:
        return None
    return position.turn + (event.player == position.first)


def _begin(position: Position, turn: int | None, player: str | None, *, known: bool) -> None:
    """A player's turn begins: what its units did in their last turn is over, and so is what held until now. Where it is not
    said whose turn begins, nobody's units have done anything in it yet. `known`: no line of it is missing."""
    adopt_combat.leave_shooting(position)
    for unit_id, before in position.units.items():
        owner = position.setup.units[unit_id].player
        fresh = {**(NOTHING_DONE if player in (None, owner) else {}), "jinking": False}
        if owner == player:
            fresh["pinned"] = "serving" if before.pinned else None
            fresh["gone_to_ground"] = "serving" if before.gone_to_ground else None
            fresh["prone"] = None if before.prone is None else (before.prone[0], "serving")
        else:
            fresh["pinned"] = None if before.pinned == "serving" else before.pinned
            fresh["gone_to_ground"] = None if before.gone_to_ground == "serving" else before.gone_to_ground
            fresh["prone"] = None if before.prone is not None and before.prone[1] == "serving" else before.prone
        if any(getattr(before, flag) != value for flag, value in fresh.items()):
            position.units[unit_id] = replace(before, **fresh)
    if known:
        position.holes.state((*flags_of_a_new_turn(position, player), *OF_A_PHASE))
    if turn is not None:
        position.turn = turn
    position.active = player
    position.phase, position.closed, position.rival = None, frozenset(), None
    _astray_no_more(position)
    position.pools, position.charged, position.casts = {}, frozenset(), {}
    position.attacks, position.pin_tests, position.fired, position.flat_out = {}, (), {}, frozenset()
    position.combat.new_turn()
    if player is None:
        position.combat.grow_old((position.turn, None))
    # Where a model stands of which it was to be said and was not, nobody knows: it need not have been off the table.
    position.combat.started = {
        name: standing
        for name, standing in position.models.items()
        if not position.holes
        or (hole := position.holes.doubt(places_of([name]))) is None
        or (standing.at is not None and hole is not position.holes.whole)
    }
    position.begun = True


def _turn_without_an_end(position: Position) -> tuple[int, str] | None:
    """The turn before the one that is on and the player whose it was, where no end of that is recorded, and nothing has
    happened since this one began."""
    turn, first, second = position.turn, position.first, position.second
    if turn is None or first is None or second is None or position.phase is not None or position.closed:
        return None
    before = (turn, first) if position.active == second else (turn - 1, second)
    return before if position.active is not None and before[0] >= 1 and before not in position.ended_turns else None


def turn_end(event: records.TurnEnd, resolved: Ways | None, position: Position) -> None:
    if event.player is None and (before := _turn_without_an_end(position)) is not None:
        position.ended_turns |= {before, (before[0], NOBODY)}
        return
    again = ends_again(event, position)
    if position.active is None:  # It was not said whose turn began; one without a phase does not end.
        late = position.begun and position.phase is None
    else:
        late = event.player not in (None, position.active) and not again  # The next turn has begun before it.
    turn, player = position.turn or event.turn, (None if again else event.player) or position.active
    if late and event.turn is not None:
        turn = event.turn
    if turn is not None and player is not None:
        position.ended_turns |= {(turn, player), *([(turn, NOBODY)] if event.player is None else [])}
    if not late:
        position.phase, position.closed = None, frozenset(PHASES)


def phase_end(event: records.PhaseEnd, resolved: Ways | None, position: Position) -> None:
    """The end of an earlier phase, which stands after the next has begun, ends nothing. Where nothing has been done in that,
    the earlier one may have been on: its beginning names another."""
    if position.phase is None:
        return
    if not steps_back(event, position):
        position.closed |= {position.phase}
    elif position.bare and str(event.phase) not in position.closed:
        position.phase, position.bare = str(event.phase), False
        position.closed |= {position.phase}


def claimed_length(event: records.GameLengthRoll, resolved: Ways | None, position: Position) -> None:
    after, claimed = rolled_after(event, position), event.claimed_continues
    rolled = goes_on(after, event.die)
    length(event, position, rolled if claimed is None else claimed)
    if after is not None and claimed is not None and rolled not in (None, claimed):
        position.length_open |= {after}


def length(event: records.GameLengthRoll, position: Position, continues: bool | None) -> None:
    after = rolled_after(event, position)
    if after is not None:
        position.length = {**position.length, after: continues}


def game_end(event: records.GameEnd, resolved: Ways | None, position: Position) -> None:
    position.over = event.reason or "roll"
