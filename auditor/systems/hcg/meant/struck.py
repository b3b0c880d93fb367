"""Damage of an attack that no line deals.

That a damage step or a counterattack is missing is said by the rules (HCG-SHOOT-07, HCG-ASLT-06, HCG-SWEEP-03, HCG-CA-01,
HCG-CA-02). The table went on with what it came to: as the record goes on, else as the rules have it (catalogue 1.3). Where
neither tells, or they differ, whether it destroyed the card is in doubt.
"""

from __future__ import annotations

from auditor.core.findings import Fact
from auditor.core.holes import Hole
from auditor.core.rulings import Hearing
from auditor.systems.hcg import records
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.readings import READINGS
from auditor.systems.hcg.reckoning.attacks import Outcome, blow, counter_is_due, destroys, step_is_missing

_SILENT = {reading.id: reading.default for reading in READINGS}


def unsaid_step(position: Position) -> tuple[records.Damage, Outcome] | None:
    """The damage of the attack under way, where its step is missing, with what it came to."""
    action = position.action
    if action is None or not step_is_missing(position, action):
        return None
    return _dealt(records.Damage(seq=position.seq, from_=action.unit, to=action.defending, counter=False), position)


def unsaid_counter(position: Position) -> tuple[records.Damage, Outcome] | None:
    """The counterattack to the damage of the step under way, where it is due and missing, with what it came to."""
    action = position.action
    if action is None or action.dealt != (action.unit,) or not action.amount or action.ended is not None:
        return None
    if position.table.setup.terse or not counter_is_due(position, action, action.amount, Hearing(_SILENT)):
        return None
    at = position.at.get(action.defending or "")
    if at is None or at.zone != "sector":
        return None
    return _dealt(records.Damage(seq=position.seq, from_=action.defending, to=action.unit, counter=True), position)


def _dealt(event: records.Damage, position: Position) -> tuple[records.Damage, Outcome]:
    hearing = Hearing(_SILENT)
    due, at = blow(event, position, hearing), position.at.get(event.to or "")
    amount = armor = falls = lives = None
    if due is not None and due.unknown is None and not due.tainted:
        falls = destroys(due.amount.amount, due.armor.amount, hearing, due.before)
        if hearing.asked:
            falls = None  # It hangs on a reading.
        else:
            amount, armor = due.amount.amount, due.armor.amount
    if event.to is not None and at is not None:
        # The very event that ends the step may tell.
        lives = position.table.later.fights.lives_on(
            position.seq - 1, event.to, at.player, at.sector, ready=at.stance == "ready"
        )
    if lives is not True and (falls is None or (lives is False and not falls)):
        _doubt(event, position)
    destroyed = bool(falls) if lives is None or falls is False else not lives
    return event, Outcome(amount, armor, destroyed)


def _doubt(event: records.Damage, position: Position) -> None:
    at = position.at.get(event.to or "")
    facts: set[Fact] = {("at", event.to)}
    if at is not None:
        owner = position.owner.get(event.to or "", at.player)
        facts |= {("zone", at.player, at.zone, at.sector), ("zone", owner, "discard", None)}
    why = f"whether {position.named(event.to)} was destroyed before event {position.seq} is not recorded"
    position.holes.open(Hole(position.seq, why, frozenset(facts)))
