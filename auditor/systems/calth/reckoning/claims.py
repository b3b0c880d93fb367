"""What a line claims: the numbers that follow from its facts. Here they are told apart and set against those due; the
rule that owns a claim judges it, and `adopt` goes on with it where it can exist.

Claims of TPs: catalogue section 5, "Claims of TPs". A number below 0 cannot exist.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import structs

from auditor.core import fields
from auditor.core.findings import Kind
from auditor.core.rulings import Hearing
from auditor.systems.calth import records
from auditor.systems.calth.effects import Critical
from auditor.systems.calth.reckoning.labels import units_called, units_listed
from auditor.systems.calth.reckoning.licence import TpsChanged, Warrant, change_told, tps_after_card
from auditor.systems.calth.reckoning.overrides import tps_given
from auditor.systems.calth.reckoning.refresh import REFRESH
from auditor.systems.calth.reckoning.views import View
from auditor.systems.calth.state import READY_TPS, Position, Unit
from auditor.systems.calth.words import at

BOOKKEEPING = "CAL-ACT-05"
"""The rule of every count of TPs that no other rule owns."""
COST = "CAL-ACT-02"
JOINING = "CAL-CON-04"
NEW_UNITS = "CAL-CON-05"
COUNTER = "CAL-ASL-03"
MOVE_IN = "CAL-ASL-04"
LAST_STAND = "CAL-DLS-02"
END_OF_ROUND = "CAL-RND-01"


class Claim(NamedTuple):
    """A number of TPs that an event claims for a unit.

    rule       that compares it
    unit       the unit meant; None where it is one that the event makes, or none at all
    name       the unit's label, or the hex of one that has none yet
    field      where it stands in the event, as findings name it
    due        None: no unit is there to have TPs
    untouched  what it would be if a loss or gain that is due had not been applied
    """

    rule: str
    unit: Unit | None
    name: str
    field: str
    claimed: int
    due: int | None
    untouched: int | None = None


class WrongTps(NamedTuple):
    """What one event claims wrongly of one unit's TPs, under one rule. `due`: the TPs that it has."""

    unit: Unit | None
    name: str
    kind: Kind
    claimed: dict[str, int]
    recomputed: dict[str, int | None]
    due: int | None


def tps_before(event: records.Event, position: Position, unit: Unit) -> int:
    """The TPs of a unit when an event begins, with those that its override gives."""
    if event.override is None:
        return unit.tp
    given, n = tps_given(position, event)
    return unit.tp if given is not unit else max(0, unit.tp + n)


def tps_of_new(cause: str | None, position: Position, unit: Unit, hearing: Hearing) -> int:
    """The TPs that a unit copies which a Consolidate or retreat of `unit` creates (R-CON-TP)."""
    act = position.act
    if cause != "consolidate" or act is None or act.unit != unit.id or act.tp_before == unit.tp:
        return unit.tp
    return unit.tp if hearing.ask("R-CON-TP") == "current" else act.tp_before


def possible(tps: int | None) -> int | None:
    """A claimed count of TPs, if it can exist."""
    return tps if tps is not None and tps >= 0 else None


def wrong_tps(claimed: Sequence[Claim]) -> list[WrongTps]:
    """Which of the claims of TPs that a rule compares in an event are wrong, one entry a unit."""
    for claim in claimed:
        if claim.claimed != claim.due:
            break
    else:
        return []
    by_unit: dict[str, list[Claim]] = {}
    for claim in claimed:
        by_unit.setdefault(claim.name, []).append(claim)
    found: list[WrongTps] = []
    for name, claims in by_unit.items():
        wrong = [claim for claim in claims if claim.claimed != claim.due]
        if not wrong:
            continue
        changed = [claim for claim in claims if claim.untouched is not None]
        left_out = all(c.untouched is not None for c in wrong) and all(
            claim.claimed == claim.untouched for claim in changed
        )
        found.append(
            WrongTps(
                wrong[0].unit,
                name,
                "omitted" if left_out else "miscalculated",
                {claim.field: claim.claimed for claim in wrong},
                {claim.field: claim.due for claim in wrong},
                claims[-1].due,
            )
        )
    return found


def claims_of_tps(rule: str, event: records.Event, view: View, position: Position, hearing: Hearing) -> list[Claim]:
    """The claims of TPs of an event that one rule compares."""
    found: list[Claim] = []
    of_type = _CLAIMS.get(type(event))
    if of_type is not None:
        for claim in of_type(rule, event, view, position, hearing):
            if claim.rule == rule:
                found.append(claim)
    if event.tp:
        for label, claimed in event.tp.items():
            unit = next(iter(units_called(position, label)), None)
            if _owner(event, view, position, label, unit) != rule:
                continue
            if not _true_of_other(event, view, position, hearing, label, claimed):
                claim_of_tp = _after(rule, event, view, position, hearing, label, unit, claimed)
                if claim_of_tp is not None:
                    found.append(claim_of_tp)
    if found and getattr(view, "licence", None) == "none":
        # A unit that acts without being activated may have paid for it: that its line is missing is one fault.
        found = [
            one for one in found if one.due is None or one.claimed != one.due - 1 or one.unit not in (view.actor, None)
        ]
    return found


def _true_of_other(
    event: records.Event, view: View, position: Position, hearing: Hearing, label: str, claimed: int
) -> bool:
    """Whether the other side has a unit of that label too, of which the claim is true: then that is the one meant."""
    for unit in units_called(position, label)[1:]:
        owner = _owner(event, view, position, label, unit)
        claim = _after(owner, event, view, position, hearing, label, unit, claimed) if owner is not None else None
        if claim is None or claim.claimed == claim.due:
            return True
    return False


def _owner(event: Any, view: View, position: Position, label: str, unit: Unit | None) -> str | None:
    """The rule that compares `tp` of a unit; None where no rule can: a card of which only the text is known."""
    kind = type(event)
    if kind is records.Position or kind is records.Judge:
        return None
    if kind is records.MoveModels:
        return _owner_in_moves(event, view, position, label, unit)
    if unit is None:
        return None
    if kind is records.TpRefresh:
        if view.late is not None:
            return None
        return REFRESH if any(entry.unit == label for entry in event.units or ()) else BOOKKEEPING
    if kind is records.LastStand:
        return LAST_STAND
    if kind is records.RoundEnd:
        return END_OF_ROUND
    if kind is records.Attack:
        if unit is view.target and view.effect is Critical.SUPPRESS:
            return Critical.SUPPRESS
        if unit is view.attacker:
            return {"flamer_follow_up": Critical.FLAMER_FOLLOW_UP, "counter": COUNTER}.get(view.role, BOOKKEEPING)
        return BOOKKEEPING
    if kind is records.TpLoss:
        return rule_of_loss(event.cause) if event.unit == label else BOOKKEEPING
    if unit is not view.actor:
        return BOOKKEEPING
    if kind is records.MoveUnit:
        return MOVE_IN if view.cause == "move_in" else BOOKKEEPING
    return _OF_THE_ACTOR.get(kind, BOOKKEEPING)


_OF_THE_ACTOR: Mapping[type, str] = {
    records.Activate: COST,
    records.Counter: COUNTER,
    records.Retreat: NEW_UNITS,
}


def rule_of_loss(cause: str | None) -> str:
    """The rule that compares the amount of a `tp_loss`."""
    return {"crit": str(Critical.SUPPRESS), "last_stand": LAST_STAND, "activation": COST}.get(cause or "", BOOKKEEPING)


def _after(
    rule: str,
    event: Any,
    view: View,
    position: Position,
    hearing: Hearing,
    label: str,
    unit: Unit | None,
    claimed: int,
) -> Claim | None:
    """The claim that `tp` makes for a unit: its TPs after the event."""
    kind, field = type(event), f"tp.{label}"
    if kind is records.MoveModels:
        entry = next((e for e in event.units or () if e.unit == label and e.hex is not None), None)
        if entry is not None:
            return next(_of_entry(rule, event, view, position, hearing, entry, claimed, field), None)
    if unit is None or _may_be_gone(event, view, unit, claimed):
        return None
    has = tps_before(event, position, unit)
    due, untouched = has, None
    if kind is records.Activate and unit is view.actor:
        before = possible(event.tp_before)
        due = max(0, (has if before is None else before) - 1)
    elif kind is records.TpRefresh and rule == REFRESH:
        before = next((possible(e.tp_before) for e in event.units if e.unit == label), None)
        untouched = unit.tp if before is None else before
        due = untouched + READY_TPS
    elif kind is records.LastStand and unit is view.actor:
        due = 0
    elif rule == Critical.SUPPRESS and kind is records.Attack:
        due, untouched = max(0, has - 1), has if has else None
    elif kind is records.TpLoss and event.unit == label:
        change = change_told(event, position)
        if change.due is None:
            return None
        due = change.due
    elif kind is records.CardPlay:
        after = tps_after_card(event, position, unit)
        if after is None:
            return None
        due = after
    return Claim(rule, unit, unit.id, field, claimed, due, untouched)


def _may_be_gone(event: records.Event, view: View, unit: Unit, claimed: int) -> bool:
    """Whether 0 TPs are claimed for a unit that has, by the event itself, no model left."""
    if claimed != 0:
        return False
    if isinstance(event, records.Attack):
        if unit is view.target:
            return sum(step.casualty is not False for step in event.steps or ()) >= len(unit.models)
        return unit is view.attacker and len(unit.models) == 1 and view.effect is Critical.PLASMA
    return isinstance(event, records.LastStand) and unit is view.actor


# -- claims with fields of their own --------------------------------------------------------------------------


def _of_activation(
    rule: str, event: records.Activate, view: View, position: Position, hearing: Hearing
) -> Iterator[Claim]:
    unit, stated, after = view.actor, event.tp_before, event.tp_after
    if unit is None:
        return
    # Both rules look at every activation, so what each asks for is all that is worked out for it. A claim that is right
    # is left out: no other claim of the event is weighed by it.
    if rule == BOOKKEEPING and stated is not None and stated != unit.tp and not view.disputed:
        # A unit without TPs may not be activated at all, and what the log says that it had is no fault beside that;
        # where nobody knows what it had, the log states it.
        has = tps_before(event, position, unit)
        if has > 0 and not position.holes.doubt([("tp", unit.id)]):
            yield Claim(BOOKKEEPING, unit, unit.id, "tp_before", stated, has)
    elif rule == COST and after is not None:
        if not position.holes.doubt([("tp", unit.id)]) and after == tps_before(event, position, unit) - 1:
            return  # right by the replay: only what it is said to have had may be wrong
        before = possible(stated)
        due = max(0, (tps_before(event, position, unit) if before is None else before) - 1)
        yield Claim(COST, unit, unit.id, "tp_after", after, due)


def _of_refresh(
    rule: str, event: records.TpRefresh, view: View, position: Position, hearing: Hearing
) -> Iterator[Claim]:
    if view.late is not None:
        return  # that it comes late is the fault, and what a unit has spent by then is not in the line
    given = set(position.refreshed or ())
    for entry, unit in zip(event.units or (), view.listed, strict=True):
        if unit is None or unit.id in given:
            continue  # given TPs twice: that is the fault
        given.add(unit.id)
        before = possible(entry.tp_before)
        if not position.holes.doubt([("tp", unit.id)]) and entry.tp_before != unit.tp and entry.tp_before is not None:
            had = unit.tp
            yield Claim(REFRESH, unit, unit.id, f"units.{entry.unit}.tp_before", entry.tp_before, had)
        own = unit.tp if before is None else before
        if entry.tp_after is not None:
            field = f"units.{entry.unit}.tp_after"
            yield Claim(REFRESH, unit, unit.id, field, entry.tp_after, own + READY_TPS, own)


def _of_moves(
    rule: str, event: records.MoveModels, view: View, position: Position, hearing: Hearing
) -> Iterator[Claim]:
    for entry in event.units or ():
        if entry.tp is not None and entry.hex is not None:
            field = f"units.{entry.unit}.tp"
            yield from _of_entry(rule, event, view, position, hearing, entry, entry.tp, field)


def _of_entry(
    rule: str,
    event: records.MoveModels,
    view: View,
    position: Position,
    hearing: Hearing,
    entry: records.UnitAfter,
    claimed: int,
    field: str,
) -> Iterator[Claim]:
    """A claim for the unit that stands in one hex after models have moved."""
    parent: Unit | None = view.actor
    if parent is None or entry.hex is None:
        return
    owner, host = _owner_of_hex(view, position, entry.hex), position.by_hex.get(entry.hex)
    if owner != rule:
        return
    name = str(entry.unit or at(entry.hex))
    elsewhere = entry.hex not in view.arriving and host is not parent
    if elsewhere and not view.arriving.keys() <= {one.hex for one in event.units or ()}:
        return  # the hex of a unit that is made, wrongly written
    if len(view.going) < len(event.moves or ()):
        return  # nobody knows who went where
    if owner == NEW_UNITS and host is not parent:
        if entry.hex in view.arriving:
            due = tps_of_new(view.cause, position, parent, hearing)
            yield Claim(owner, None, name, field, claimed, due)
    elif host is parent and parent is not None and not _stays(view, parent):
        yield Claim(owner, parent, name, field, claimed, None)
    elif host is not None:
        yield Claim(owner, host, name, field, claimed, host.tp)


def _stays(view: View, parent: Unit) -> bool:
    """Whether somebody is left in the hex of the unit whose models move, or comes to it."""
    leaving = {model for model, to in view.going if to != parent.hex}
    return any(model not in leaving for model in parent.models) or parent.hex in view.arriving


def _owner_of_hex(view: Any, position: Position, hex_: Any) -> str | None:
    """The rule that compares the TPs of the unit in a hex after models have moved."""
    parent, host = view.actor, position.by_hex.get(hex_)
    if host is None or host is parent:
        return NEW_UNITS
    if hex_ in view.arriving:
        return JOINING if host.side == parent.side else None
    return BOOKKEEPING


def _owner_in_moves(event: Any, view: View, position: Position, label: str, unit: Unit | None) -> str | None:
    parent = view.actor
    if parent is None:
        return None
    entry = next((e for e in event.units or () if e.unit == label and e.hex is not None), None)
    if entry is not None:
        return _owner_of_hex(view, position, entry.hex)
    return None if unit is None else _owner_of_hex(view, position, unit.hex)


def _of_attack(rule: str, event: records.Attack, view: View, position: Position, hearing: Hearing) -> Iterator[Claim]:
    target = view.target
    if view.effect is not Critical.SUPPRESS or target is None:
        return
    has = tps_before(event, position, target)
    crit, lost = view.crits[0], min(1, has)
    if crit.tp_lost is not None:
        untouched = 0 if lost else None
        yield Claim(Critical.SUPPRESS, target, target.id, "crit.tp_lost", crit.tp_lost, lost, untouched)
    if crit.tp_after is not None:
        untouched = has if lost else None
        after = has - lost
        yield Claim(Critical.SUPPRESS, target, target.id, "crit.tp_after", crit.tp_after, after, untouched)


def _of_last_stand(
    rule: str, event: records.LastStand, view: View, position: Position, hearing: Hearing
) -> Iterator[Claim]:
    if event.tp_after is None or (event.tp_after == 0 and not event.survivors):
        return
    unit = view.actor
    due = 0 if event.survivors is None or event.survivors else None
    name = unit.id if unit is not None else str(event.unit)
    yield Claim(LAST_STAND, unit, name, "tp_after", event.tp_after, due)


def _of_loss(rule: str, event: records.TpLoss, view: View, position: Position, hearing: Hearing) -> Iterator[Claim]:
    change: TpsChanged = change_told(event, position)
    unit = change.unit
    if unit is None:
        return
    owner = rule_of_loss(event.cause)
    before_of = Critical.SUPPRESS if event.cause == "crit" else BOOKKEEPING
    if (change.warrant is Warrant.NONE and event.amount != 0) or (
        event.amount is not None and event.amount < 0 and change.amount != event.amount
    ):
        return  # it is not licensed at all
    if event.tp_before is not None and not position.holes.doubt([("tp", unit.id)]):
        yield Claim(before_of, unit, unit.id, "tp_before", event.tp_before, change.before)
    if event.amount is not None and change.amount is not None:
        yield Claim(owner, unit, unit.id, "amount", event.amount, change.amount)
    if event.tp_after is not None and change.due is not None:
        yield Claim(owner, unit, unit.id, "tp_after", event.tp_after, change.due)


def _of_round_end(
    rule: str, event: records.RoundEnd, view: View, position: Position, hearing: Hearing
) -> Iterator[Claim]:
    left = list((event.tp_left or {}).items())
    for (label, claimed), unit in zip(left, units_listed(position, left), strict=True):
        # A unit that has TPs should not: that is the fault, whatever number is claimed.
        if unit is not None and unit.tp == 0:
            yield Claim(END_OF_ROUND, unit, unit.id, f"tp_left.{label}", claimed, 0)


_CLAIMS: Mapping[type, Any] = {
    records.Activate: _of_activation,
    records.TpRefresh: _of_refresh,
    records.MoveModels: _of_moves,
    records.Attack: _of_attack,
    records.LastStand: _of_last_stand,
    records.TpLoss: _of_loss,
    records.RoundEnd: _of_round_end,
}


# -- without claims -------------------------------------------------------------------------------------------


def unclaimed(event: records.Event) -> Any:
    """The event with its facts only; who survived a last stand stays where that does not follow from its dice, and why a
    retreat was due or not: it is asked of the Assault."""
    right = fields.unclaimed(event)
    if isinstance(event, records.Retreat):
        return structs.replace(right, due=event.due, casualties=event.casualties)
    if isinstance(event, records.LastStand) and event.models is not None:
        fits = len(records.faces(event.faces) or "") == len(event.models)
        return right if fits else structs.replace(right, survivors=event.survivors)
    return right
