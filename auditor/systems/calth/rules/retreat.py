"""Retreat (RET)."""

from __future__ import annotations

from collections.abc import Mapping

from auditor.core.findings import RAN, Figure, Remark
from auditor.core.rulings import Hearing
from auditor.geometry.hexes import Hex
from auditor.systems.calth.reckoning.lacking import lack_of_attack, lack_of_counter, lack_of_retreat
from auditor.systems.calth.reckoning.moves import filling
from auditor.systems.calth.reckoning.retreats import (
    assault_losses,
    assaulted,
    can_leave,
    open_assault,
    retreat_due,
    retreat_room,
)
from auditor.systems.calth.reckoning.views import ActView, LastStandView, MovesView, View
from auditor.systems.calth.records import Event, LastStand, MoveModels, Retreat
from auditor.systems.calth.rules.common import (
    AT_CLOSING,
    CLOSING,
    Seen,
    closes,
    hex_marks,
    move_marks,
    rule,
    unit_marks,
)
from auditor.systems.calth.state import OTHER, Activation, Position, Unit
from auditor.systems.calth.words import at, count, names


def _loss_figures(act: Activation, hearing: Hearing) -> tuple[Figure, ...]:
    return tuple(Figure(f"models lost by {side}", assault_losses(act, side, hearing)) for side in ("UM", "WB"))


@rule(
    "CAL-RET-01",
    "Who retreats",
    section=10,
    events=("retreat", "move_models", *CLOSING),
    kinds=("illegal", "miscalculated", "omitted"),
    readings=("R-SOR-CAS",),
    when={"move_models": ("retreat",), **AT_CLOSING},
)
def who_retreats(event: Retreat, view: ActView, position: Position, hearing: Hearing) -> Seen:
    """After all melee attacks of an Assault the unit assaulted retreats if it lost strictly more models in them than
    the activated unit, and has a model left. The activated unit never retreats.

    Log:  the models that each side lost; a retreat made or not.
    Edge: it retreats also if its counter-attack wiped out the attacker, as long as it lost more. Models of other units
          never count.
    """
    return _retreat_claimed(event, view, position, open_assault(position), hearing)


@who_retreats.at("move_models")
def _retreat_was_due(event: MoveModels, view: MovesView, position: Position, hearing: Hearing) -> Seen:
    """A retreat that was not said to be due before; one that was is judged where that was said (CAL-AUD-02)."""
    act = open_assault(position)
    if view.cause != "retreat" or (act is not None and act.retreated):
        return None
    if act is not None and (act.said or (act.attacked and retreat_due(act, position, hearing))):
        return RAN
    who = view.actor.id if view.actor is not None else str(event.unit)
    losses = _loss_figures(act, hearing) if act is not None and act.attacked else ()
    lacks = lack_of_attack(event, position)
    return [who_retreats.illegal(f"{who} retreated although no retreat was due.", who, figures=losses, lacks=lacks)]


@who_retreats.at(*CLOSING)
def _retreat_was_made(event: Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """A retreat that is due has been made when the activation is over."""
    act = open_assault(position)
    if act is None or not act.attacked or act.retreated or act.said is False:
        return None
    if not closes(event, view):
        return None
    if not retreat_due(act, position, hearing):
        return RAN
    unit = assaulted(position, act)
    assert unit is not None
    if act.said and not can_leave(position, unit):
        return RAN  # CAL-DLS-01 names the last stand that was not rolled
    lost = assault_losses(act, unit.side, hearing)
    return [
        who_retreats.omitted(
            f"{unit.id} lost more models than {act.unit} ({lost} against {assault_losses(act, act.side, hearing)}) "
            "and did not retreat.",
            unit.id,
            player=unit.side,
            figures=_loss_figures(act, hearing),
            lacks=lack_of_retreat(event),
            evidence=unit_marks(position, unit.id, label="had to retreat"),
        )
    ]


def _retreat_claimed(
    event: Retreat, view: ActView, position: Position, act: Activation | None, hearing: Hearing
) -> Seen:
    if act is None or not act.attacked:
        return [
            who_retreats.illegal(
                f"{event.unit} retreated, and no Assault was made on it.",
                str(event.unit),
                lacks=lack_of_attack(event, position),
            )
        ]
    unit = view.actor if event.unit else assaulted(position, act)
    owner = OTHER[act.side]
    if unit is not None and unit.side == act.side and event.due:
        return [
            who_retreats.illegal(f"{unit.id} made the Assault and never retreats from it.", unit.id, player=unit.side)
        ]
    if unit is not None and unit is not assaulted(position, act) and unit.side != act.side and event.due:
        text = f"{unit.id} retreated; the Assault was made on {act.target}."
        return [who_retreats.illegal(text, unit.id, player=unit.side)]
    due = retreat_due(act, position, hearing)
    lost = {side: assault_losses(act, side, hearing) for side in ("UM", "WB")}
    followed = due
    found = _casualties_claimed(event, act, lost, hearing)
    if found:
        stated = lost | dict(event.casualties or {})
        followed = unit is not None and stated[owner] > stated[act.side]
    if event.due is None:
        hearing.not_claimed()
        return found or RAN
    if event.due != due and event.due != followed:
        who = unit.id if unit is not None else str(event.unit)
        found.append(_wrongly_due(event, who, act, lost, hearing))
    return found or RAN


def _casualties_claimed(event: Retreat, act: Activation, lost: Mapping[str, int], hearing: Hearing) -> list[Remark]:
    """The models that each side is said to have lost, against those that it `lost`."""
    if not event.casualties:
        hearing.not_claimed()
        return []
    # Where the last location took the model with it, either may have been counted alone.
    either = {side: {n, act.locations[side]} if n > act.losses[side] else {n} for side, n in lost.items()}
    wrong = {side: n for side, n in event.casualties.items() if n not in either[side]}
    if not wrong:
        return []
    return [
        who_retreats.miscalculated(
            "In this Assault "
            + names(f"{side} lost {count(lost[side], 'model')}, not {n}" for side, n in wrong.items())
            + ".",
            str(event.unit),
            player=OTHER[act.side],
            claimed={f"casualties.{side}": n for side, n in wrong.items()},
            recomputed={f"casualties.{side}": lost[side] for side in wrong},
            figures=_loss_figures(act, hearing),
            lacks=lack_of_counter(event, wrong[act.side] - lost[act.side]) if act.side in wrong else None,
        )
    ]


def _wrongly_due(event: Retreat, who: str, act: Activation, lost: Mapping[str, int], hearing: Hearing) -> Remark:
    """A retreat that is said to be due and is not, or the other way round."""
    owner = OTHER[act.side]
    if event.due:
        return who_retreats.illegal(
            f"{who} retreated although it lost no more models than {act.unit} ({lost[owner]} against {lost[act.side]}).",
            who,
            "due",
            player=owner,
            claimed={"due": True},
            recomputed={"due": False},
            figures=_loss_figures(act, hearing),
        )
    return who_retreats.omitted(
        f"{who} lost more models than {act.unit} ({lost[owner]} against {lost[act.side]}) and had to retreat.",
        who,
        "due",
        player=owner,
        claimed={"due": False},
        recomputed={"due": True},
        figures=_loss_figures(act, hearing),
    )


@rule(
    "CAL-RET-02",
    "Where a retreat may go",
    section=10,
    events=("move_models",),
    kinds=("illegal",),
    when={"move_models": ("retreat",)},
)
def retreat_move(event: MoveModels, view: MovesView, position: Position, hearing: Hearing) -> Seen:
    """The retreating unit at once makes a Consolidate without activation or TP; hexes next to an enemy are closed to
    it.

    Log:  every model's destination.
    Edge: an enemy behind a sealed door does not count; the attacker does. Models may go different ways.
    """
    unit = view.actor
    if view.cause != "retreat" or unit is None or not event.moves:
        return None
    problems: list[tuple[str, Hex]] = []
    sums: list[int] = []
    for number, (_, to) in enumerate(view.going):
        there = position.by_hex.get(to)
        if there is not None and there.side != unit.side:
            problems.append((f"{there.id} of the other side holds {position.at(to)}", to))
        problems += [(why, to) for _, why in view.problems[number]] if view.problems else ()
        if position.next_to_enemy(to, unit.side):
            enemies = position.enemies_beside(to, unit.side)
            problems.append((f"{position.at(to)} is next to {names(sorted(e.id for e in enemies))}", to))
    for hex_, models in view.arriving.items():
        full = filling(position, hex_, unit.side, models)
        if full.held_by is None and not full.fits:
            bulk = position.bulk(models)
            problems.append((f"{position.at(hex_)} has room for a bulk of {position.room(hex_)}, not {bulk}", hex_))
            sums.append(full.bulk)
    if not problems:
        return RAN
    told = "; ".join(dict.fromkeys(why for why, _ in problems))
    return [
        retreat_move.illegal(
            f"{unit.id} cannot retreat so: {told}.",
            unit.id,
            player=unit.side,
            figures=[Figure("bulk in a hex entered", bulk) for bulk in sums],
            evidence=move_marks([unit.hex, problems[0][1]], False, problems[0][0]),
        )
    ]


def _stayed_needlessly(position: Position, unit: Unit, staying: tuple[str, ...]) -> Seen:
    """A model that stays although a hex had room for it after the others had gone."""
    found: list[Remark] = []
    for model in staying:
        if model not in position.table.models:
            continue
        room = retreat_room(position, unit.hex, unit.side, position.table.models[model].bulk)
        if room:
            found.append(
                must_leave.illegal(
                    f"{model} stayed although it could retreat to {names(position.at(h) for h in room)}.",
                    model,
                    player=unit.side,
                    evidence=hex_marks(*room, how="ruled", label="room"),
                )
            )
            break  # the room left is for one of them; which, is the player's choice
    return found or RAN


@rule(
    "CAL-RET-03",
    "Models leave if they can",
    section=10,
    events=("move_models", "last_stand"),
    kinds=("illegal",),
    when={"move_models": ("retreat",)},
)
def must_leave(event: MoveModels, view: MovesView, position: Position, hearing: Hearing) -> Seen:
    """A model of a retreating unit may stay only if it cannot leave.

    Log:  which models left, which stayed.
    Edge: which of two models takes a single free place is its player's choice.
    """
    unit = view.actor
    if view.cause != "retreat" or unit is None:
        return None
    if event.moves is None or len(view.going) < len(event.moves):
        return None  # CAL-CON-01 says that they are not stated
    if event.seq in position.recorded.moves.continued:
        return None  # the next event goes on with it
    leaving = [model for model, _ in view.going]
    staying = tuple(m for m in unit.models if m not in leaving)
    if not staying:
        return RAN
    after = position.copy()
    gone = after.units[unit.id]
    for model, to in view.going:
        if model in gone.models:
            _arrive(after, gone, model, to)
    return _stayed_needlessly(after, unit, staying)


@must_leave.at("last_stand")
def _nobody_left(event: LastStand, view: LastStandView, position: Position, hearing: Hearing) -> Seen:
    """A last stand of a unit of which no model has left: none could."""
    act = open_assault(position)
    if act is None or not act.attacked or act.staying or act.kept:
        return None
    if not (act.retreated or act.said or retreat_due(act, position, hearing)):
        return None
    unit = assaulted(position, act)
    return None if unit is None else _stayed_needlessly(position, unit, unit.models)


def _arrive(position: Position, parent: Unit, model: str, to: Hex) -> None:
    """Move one model on a copy of the position, for looking only."""
    position.take(model)
    host = position.by_hex.get(to)
    if host is None:
        position.put(Unit(f"{parent.id} at {at(to)}", parent.side, to, (model,), parent.tp))
    else:
        position.join(host, (model,))
