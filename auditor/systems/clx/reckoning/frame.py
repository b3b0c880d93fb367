"""The frame of a game: whose turn and which phase an event is in, who won the roll-off, when the game is over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from auditor.systems.clx import records
from auditor.systems.clx.position.state import PHASES, Position
from auditor.systems.clx.tables import goes_on_at, tables

ANY_TIME = (
    records.TurnStart,
    records.TurnEnd,
    records.GameLengthRoll,
    records.GameEnd,
    records.End,
    records.Position,
    records.Undo,
    records.Judge,
    records.Remark,
    records.Note,
)
"""Events whose `phase` is not looked at."""

TIED: dict[type, str] = {
    **dict.fromkeys((records.Move, records.ReserveArrival, records.TankShock), "movement"),
    **dict.fromkeys((records.WarpCharge, records.Cast, records.Dispel, records.MentalResistance), "psychic"),
    **dict.fromkeys(
        (records.Shoot, records.WeaponFire, records.GuessShot, records.Run, records.Jink, records.GoToGround),
        "shooting",
    ),
    **dict.fromkeys(
        (records.Charge, records.ChargeMove, records.Grenade, records.FightStep, records.CombatResult), "assault"
    ),
}
"""Events that belong to one phase."""

OWN = frozenset(
    {
        records.Move,
        records.Embark,
        records.Disembark,
        records.ReserveArrival,
        records.Run,
        records.TankShock,
        records.Charge,
        records.ChargeMove,
        records.Shoot,
        records.WeaponFire,
        records.GuessShot,
        records.Cast,
        records.Spot,
    }
)
"""Events of the player whose turn it is. `warp_charge` and `grenade` say by themselves on which side they are."""


def is_own(event: records.Event) -> bool:
    """Whether only the player whose turn it is may do this."""
    if isinstance(event, records.WarpCharge):
        return event.role == "attack"
    return type(event) in OWN or (isinstance(event, records.Grenade) and event.side == "attacker")


def strange_psyker(event: records.Event, position: Position) -> bool:
    """Whether an event of the Psychic Phase is recorded for the player who may do it, but names a psyker of the other one:
    another psyker was meant."""
    if not isinstance(event, (records.WarpCharge, records.Cast, records.Dispel)):
        return False
    unit = position.unit_of(event.psyker)
    if unit is None or event.player in (None, unit.player) or event.player not in position.setup.players:
        return False
    return position.active is not None and is_own(event) == (event.player == position.active)


def actor(event: records.Event, position: Position) -> str | None:
    """Whose act an event is: of the player whose models it moves, or whose unit or psyker it names; else of the one that it
    is recorded for."""
    if strange_psyker(event, position):
        return str(event.player)
    moved = {unit.player for row in _rows(event) if (unit := position.unit_of(row.id)) is not None}
    if len(moved) == 1:
        return moved.pop()
    attack = position.attacks.get(getattr(event, "attack", None))
    named = getattr(event, "unit", None) or (attack.unit if attack is not None else None)
    if isinstance(event, records.Spot):
        named = event.spotter
    elif isinstance(event, records.TankShock):
        named = event.vehicle
    unit = position.setup.units.get(named or "") or position.unit_of(getattr(event, "psyker", None))
    return event.player if unit is None else unit.player


def _rows(event: records.Event) -> Sequence[Any]:
    """The rows of the models that an event moves or places."""
    return getattr(event, "models", None) or ()


def phase_on(event: records.Event, position: Position) -> str | None:
    """The phase that is on with an event: as it says, unless it is one that begins no phase, such as a test, a save or the
    end of one."""
    said = _said_phase(event, position)
    if said not in PHASES or position.phase is None:
        return position.phase if said not in PHASES else said
    if said != position.phase == TIED.get(type(event)):
        return position.phase  # It is of the phase that is on, whatever phase it names.
    begins = type(event) in TIED or is_own(event) or isinstance(event, records.PhaseStart)
    return said if begins else position.phase


def phase_of(event: records.Event, position: Position) -> str | None:
    """The phase that an event is in: as it says, else the one that is on, or a later one to which it belongs."""
    said = _said_phase(event, position)
    return said if said is not None else position.phase


def _said_phase(event: records.Event, position: Position) -> str | None:
    """The phase that an event names; of one that names none, and belongs to a later phase than the one that is on, that:
    the phase before has ended. So does an act of the other player's own turn, in whatever phase: the turn has."""
    tied = TIED.get(type(event))
    if event.phase is not None or tied is None or position.phase not in PHASES:
        return None if event.phase is None else str(event.phase)
    return tied if PHASES.index(tied) > PHASES.index(position.phase) or _of_the_other(event, position) else None


def _of_the_other(event: records.Event, position: Position) -> bool:
    """Whether an event is an act of the own turn of the player whose turn it is not. A guessed shot may be that of a
    grenade, which both players throw."""
    if isinstance(event, records.GuessShot):
        return False
    player = actor(event, position)
    whose = (None, position.active)
    return is_own(event) and player in position.setup.players and player not in whose and event.player not in whose


def in_battle(event: records.Event) -> bool:
    """Whether an event is neither before the battle nor after it, as far as it says so."""
    return event.phase not in ("pre", "post") and event.turn != 0


def turn_of(event: records.Event, position: Position) -> int | None:
    """The game turn that an event is in: the one that is on, unless what it is shows that another has begun. Its number
    alone may be a slip of the pen."""
    if position.turn is None or event.turn in (None, position.turn):
        return position.turn if event.turn is None else int(event.turn)
    other = isinstance(event, records.PhaseStart) and event.player not in (None, position.active)
    if other or begins_turn(event, position):
        return int(event.turn)
    begins = isinstance(event, records.PhaseStart) or is_own(event)
    return int(event.turn) if begins and event.turn > position.turn and _earlier(event, position) else position.turn


def _earlier(event: records.Event, position: Position) -> bool:
    """Whether an event is in an earlier phase than the one that is on, of whatever turn."""
    said = _said_phase(event, position)
    if said not in PHASES or position.phase not in PHASES:
        return False
    return PHASES.index(said) < PHASES.index(position.phase)


def ends_again(event: records.TurnEnd, position: Position) -> bool:
    """Whether an event ends a turn of the other player that has ended: the one that is on ends then, if anything was done in
    it."""
    on = position.phase is not None or position.closed
    other = event.player not in (None, position.active) and position.active is not None
    return bool(on) and other and (event.turn or position.turn, event.player) in position.ended_turns


def steps_back(event: records.Event, position: Position) -> bool:
    """Whether an event is in an earlier phase of the turn than the one that is on."""
    return event.turn in (None, position.turn) and _earlier(event, position)


def begins_turn(event: records.Event, position: Position) -> bool:
    """Whether an event shows that the other player's turn has begun, although no `turn_start` says so: a phase of that
    player's, or an act of that player's own turn, in a later game turn, in an earlier phase than the one that is on,
    after the end of the turn that was on, or before all others where the turn of one and then a phase of the other began.
    Where nobody knows whose turn it is, or whose phase begins, an earlier phase shows it of any player."""
    if not (is_own(event) or isinstance(event, records.PhaseStart)):
        return False
    player = actor(event, position)
    ended = position.phase is None and position.closed == frozenset(PHASES)
    if player is None and isinstance(event, records.PhaseStart):
        return ended or steps_back(event, position)
    if position.active is None:
        return player in position.setup.players and (ended or steps_back(event, position))
    if player not in position.setup.players or player == position.active or event.player == position.active:
        return False
    later = event.turn is not None and position.turn is not None and event.turn > position.turn
    over = (position.turn, position.active) in position.ended_turns
    acts_first = player == position.rival and is_own(event)
    return later or over or acts_first or steps_back(event, position)


def leaves_phase(event: records.Event, position: Position, phase: str) -> bool:
    """Whether a phase is over with an event."""
    if position.phase != phase or phase in position.closed:
        return False
    if isinstance(event, (records.PhaseEnd, records.TurnEnd, records.TurnStart)):
        return True
    return not isinstance(event, ANY_TIME) and (
        phase_on(event, position) != phase or turn_of(event, position) != position.turn
    )


def leaves_shooting(event: records.Event, position: Position) -> bool:
    """Whether the Shooting Phase is over with an event."""
    return leaves_phase(event, position, "shooting")


def winner_of(rolls: Sequence[records.PlayerDie] | None, players: tuple[str, str]) -> tuple[bool, str | None]:
    """Whether a roll-off can be read, and who won it; None where every throw is a tie.

    The dice stand in pairs, one of each player; the first pair that is not a tie decides, so it is the last.
    """
    rolls = rolls or ()
    if not rolls or len(rolls) % 2:
        return False, None
    for first, second in zip(rolls[::2], rolls[1::2], strict=True):
        if {first.player, second.player} != set(players) or first.die is None or second.die is None:
            return False, None
        if first.die != second.die:
            return True, first.player if first.die > second.die else second.player
    return True, None


def goes_on(after_turn: int | None, die: int | None) -> bool | None:
    """Whether a die lets the game go on after a turn; None where no die decides, or it cannot be read."""
    needed = None if after_turn is None else goes_on_at(after_turn)
    if needed is None or die is None or not 1 <= die <= 6:
        return None
    return die >= needed


def rolled_after(event: Any, position: Position) -> int | None:
    """The game turn that a die for the game's length counts for: the one stated, else the one that is on."""
    return event.after_turn if event.after_turn is not None else position.turn


LAST_TURN = int(tables()["game_length"]["last_turn"])
LAST_DAY_TURN = int(tables()["game_length"]["last_day_turn"])


def rule_of_length(after_turn: int) -> str:
    """The rule on the length of the game after a turn."""
    return {6: "CLX-GAME-05", 7: "CLX-GAME-06"}.get(after_turn, "CLX-GAME-04" if after_turn < 6 else "CLX-GAME-07")


def by_day(position: Position) -> bool:
    """Whether it is day: what darkness does to shooting is not stated (BASE-NIGHT)."""
    return (position.turn or 0) <= LAST_DAY_TURN
