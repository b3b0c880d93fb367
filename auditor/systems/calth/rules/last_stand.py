"""The desperate last stand (DLS)."""

from __future__ import annotations

from collections.abc import Sequence

from auditor.core.findings import RAN, Remark
from auditor.core.rulings import Hearing
from auditor.systems.calth.reckoning.claims import LAST_STAND, WrongTps
from auditor.systems.calth.reckoning.dice import rerolled
from auditor.systems.calth.reckoning.lacking import lack_of_retreat
from auditor.systems.calth.reckoning.licence import Warrant
from auditor.systems.calth.reckoning.overrides import by_vexilla
from auditor.systems.calth.reckoning.retreats import (
    LAST_STAND_ROLL,
    assaulted,
    can_leave,
    must_roll,
    open_assault,
    retreat_due,
)
from auditor.systems.calth.reckoning.views import (
    LastStandView,
    LossView,
    RemovalView,
    View,
)
from auditor.systems.calth.records import (
    Event,
    LastStand,
    ModelRemoved,
    TpLoss,
    UnitRemoved,
    faces,
)
from auditor.systems.calth.rules.attack import restated
from auditor.systems.calth.rules.common import (
    AT_CLOSING,
    CLOSING,
    Seen,
    closes,
    dice_of,
    rule,
    said_of,
    tp_faults,
    unit_marks,
)
from auditor.systems.calth.state import Position, Unit
from auditor.systems.calth.words import count, names


@rule(
    LAST_STAND_ROLL,
    "Desperate last stand",
    section=10,
    events=("last_stand", "model_removed", "unit_removed", *CLOSING),
    kinds=("illegal", "miscalculated", "omitted", "ambiguous"),
    when=AT_CLOSING,
)
def last_stand(event: LastStand, view: LastStandView, position: Position, hearing: Hearing) -> Seen:
    """Each model that could not leave rolls one die: on a shield it stays, on anything else it is removed.

    Log:  the models, one face for each in that order, the survivors.
    Edge: only a shield saves. These losses do not count for who retreats.
    """
    unit = view.actor
    if unit is None:
        return None
    shown = faces(event.faces)
    if event.models is None or shown is None:
        lacking = [what for what, value in (("the models", event.models), ("the faces", shown)) if value is None]
        return [last_stand.missing(lacking, unit.id, player=unit.side)]
    act = open_assault(position)
    due = must_roll(position, act, hearing)
    if due is None or due[0] is not unit:
        return [
            last_stand.illegal(
                f"{unit.id} made a desperate last stand that was not due.",
                unit.id,
                player=unit.side,
            )
        ]
    idle = [m for m in due[1] if m not in event.models]
    taken = sum(model in position.removed for model in event.models)  # in whose place nobody rolled: CAL-ATK-08
    if len(idle) > taken and event.models and len(shown) == len(due[1]):
        return [last_stand.missing([f"which die {names(idle)} rolled"], unit.id, player=unit.side)]
    gone = [m for m in event.models if m not in due[1] and m not in position.removed]
    found = _others_rolled(unit, gone, idle if len(idle) > taken else ())
    if found and not event.models:
        return found
    return [*found, *_survivors(event, event.models, shown, unit, hearing)] or RAN


def _others_rolled(unit: Unit, gone: Sequence[str], idle: Sequence[str]) -> list[Remark]:
    """Models that rolled and had not to, and models that had to and did not."""
    found: list[Remark] = []
    if gone:
        found.append(
            last_stand.illegal(
                f"{names(gone)} rolled in a last stand without being left behind.",
                *gone,
                player=unit.side,
            )
        )
    if idle:
        found.append(
            last_stand.omitted(
                f"{names(idle)} {'was' if len(idle) == 1 else 'were'} left behind and did not roll.",
                *idle,
                player=unit.side,
            )
        )
    return found


def _survivors(event: LastStand, models: Sequence[str], shown: str, unit: Unit, hearing: Hearing) -> list[Remark]:
    """One die for each model that rolled, and those whom the faces save."""
    if len(shown) != len(models):
        return [
            last_stand.miscalculated(
                f"{count(len(models), 'model')} of {unit.id} rolled {count(len(shown), 'die', 'dice')}; each rolls one.",
                unit.id,
                player=unit.side,
                claimed={"faces": shown},
                recomputed={"dice": len(models)},
            )
        ]
    final = rerolled(shown, event)
    if final is None:
        return [last_stand.missing(["the dice and faces of a re-roll"], unit.id, player=unit.side)]
    if event.survivors is None:
        hearing.not_claimed()
        return []
    saved = [m for m, face in zip(models, final, strict=True) if face == "S"]
    if set(saved) == set(event.survivors):
        return []
    return [
        last_stand.miscalculated(
            f"The faces {final} save {names(saved) or 'nobody'} of {unit.id}; the log keeps "
            f"{names(event.survivors) or 'nobody'}.",
            unit.id,
            "survivors",
            player=unit.side,
            claimed={"survivors": list(event.survivors)},
            recomputed={"survivors": saved},
            figures=(dice_of("the last stand", final),),
        )
    ]


@last_stand.at(*CLOSING)
def _last_stand_was_made(event: Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """Whoever could not leave has rolled when the activation is over."""
    if not closes(event, view):
        return None
    act = open_assault(position)
    if act is None or act.rolled or act.target_hex is None or not (act.retreated or act.said):
        return None
    unit = assaulted(position, act)
    if unit is None or (act.kept and not set(unit.models) & set(act.staying)):
        return None  # whoever stands there now has come back since
    if not act.retreated and (not retreat_due(act, position, hearing) or can_leave(position, unit)):
        return None  # nobody had to roll: CAL-RET-01 names a retreat that was due and not made
    return [
        last_stand.omitted(
            f"{names(unit.models)} could not leave {position.at(unit.hex)} and made no desperate last stand.",
            unit.id,
            player=unit.side,
            lacks=lack_of_retreat(event),
            evidence=unit_marks(position, unit.id, label="no last stand"),
        )
    ]


@last_stand.at("model_removed", "unit_removed")
def _removed_by_last_stand(
    event: ModelRemoved | UnitRemoved, view: RemovalView, position: Position, hearing: Hearing
) -> Seen:
    """A removal that restates a last stand is of a model that it did not save, and a roll that was due was made."""
    told = view.removal
    if told.cause == "last_stand" and told.warrant is Warrant.NONE:
        due = must_roll(position, position.act, hearing)
        if due is not None and set(told.models) <= set(due[1]):
            text = f"{names(told.models)} could not leave and made no desperate last stand."
            return [last_stand.omitted(text, due[0].id, player=due[0].side)]
    return restated(last_stand, "last_stand", event, view)


@rule(
    LAST_STAND,
    "TPs after a last stand",
    section=10,
    events=("last_stand", "tp_loss"),
    kinds=("miscalculated",),
)
def last_stand_tps(event: LastStand, view: LastStandView, position: Position, hearing: Hearing) -> Seen:
    """The unit of the models that survive a last stand drops to 0 TPs.

    Edge: models that got away keep what they have by CAL-CON-04 and CAL-CON-05.
    """
    if event.tp_after is None and event.survivors:
        hearing.not_claimed()
    return tp_faults(last_stand_tps, event, view, position, hearing, _stand_words) or RAN


def _stand_words(wrong: WrongTps) -> str:
    if wrong.due:
        return f"{wrong.name} got away and keeps its {count(wrong.due, 'TP')}; {said_of(wrong)}."
    return f"{wrong.name} survived a last stand and has 0 TPs; {said_of(wrong)}."


@last_stand_tps.at("tp_loss")
def _drop_told(event: TpLoss, view: LossView, position: Position, hearing: Hearing) -> Seen:
    """A `tp_loss` of cause last_stand restates the drop to 0."""
    if event.cause != "last_stand":
        return None
    return tp_faults(last_stand_tps, event, view, position, hearing, _stand_words) or RAN


@rule(
    "CAL-DLS-03",
    "The Legion Vexilla in a last stand",
    section=10,
    events=("last_stand",),
    kinds=("illegal",),
    readings=("R-DLS-VEX",),
)
def last_stand_vexilla(event: LastStand, view: LastStandView, position: Position, hearing: Hearing) -> Seen:
    """With a Legion Vexilla any of the dice of a last stand may be rolled again, once each.

    Log:  the bearer, the dice, the new faces.
    Edge: all dice of the unit count as rolled together, so a bearer whose own die failed can still use it.
    """
    rerolls = by_vexilla(position, event)
    if not rerolls:
        return None
    unit = view.actor
    if unit is None:
        return None
    known, act = position.table.models, position.act
    if any("legion_vexilla" in known[one].wargear for one in unit.models if one in known):
        return RAN  # a bearer is there; who is named is a label
    before = act.target_models if act is not None else ()
    left = [m for m in before if m in known and "legion_vexilla" in known[m].wargear and m not in position.removed]
    if left and hearing.ask("R-DLS-VEX") == "unit_before_retreat":
        return RAN
    bearer = rerolls[0].model
    if bearer is None:
        problem = "nobody in the unit bears one"
    elif bearer in known and "legion_vexilla" in known[bearer].wargear:
        problem = f"{bearer} is not among the models that roll"
    else:
        problem = f"{bearer} bears no Legion Vexilla"
    return [
        last_stand_vexilla.illegal(
            f"{unit.id} rolled dice of its last stand again with a Legion Vexilla: {problem}.",
            unit.id,
            player=unit.side,
        )
    ]
