"""Acute Senses and outflanking: which side counts, and what the shots of those who have just arrived do."""

from __future__ import annotations

from auditor.core.findings import RAN, Remark
from auditor.core.ruleset import Rule
from auditor.core.rulings import Hearing
from auditor.systems.clx import records
from auditor.systems.clx.position.state import AttackState, Position
from auditor.systems.clx.reckoning.attacks import of_pinning, on
from auditor.systems.clx.reckoning.blows import READINGS
from auditor.systems.clx.reckoning.due import pinning_of
from auditor.systems.clx.reckoning.frame import leaves_phase
from auditor.systems.clx.reckoning.ways import Ways
from auditor.systems.clx.rules.blows import blows_seen
from auditor.systems.clx.rules.common import Seen, by_whom, fault, rule
from auditor.systems.clx.rules.hulls import flank_of_a_vehicle
from auditor.systems.clx.rules.morale import combat_morale_seen
from auditor.systems.clx.rules.suppression import EVERY_EVENT, may_owe, of_arrivals, pinned_before

SENSES, FIRST, FLANK = "CLX-USR-01", "CLX-USR-07", "CLX-USR-08"


@rule(
    SENSES,
    "Acute Senses",
    events=["fight_step", "morale"],
    kinds=["illegal", "miscalculated"],
    readings=[*READINGS, "OR-WOUNDS"],
)
def acute_senses_leave_no_rear(
    event: records.FightStep | records.Morale, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """A unit with Acute Senses that passes an Initiative Test has no rear and no side for a charge, unless it was in combat
    already.

    Log:  the test, the charge, attacks and Initiative of the chargers, morale after the combat.
    Edge: without a recorded test there is no effect. A test in combat has none either: to leave the bonuses of a charge
          from the rear out by it is illegal.
    """
    if isinstance(event, records.FightStep):
        return blows_seen(SENSES, event, position, hearing)
    return combat_morale_seen(event, position, hearing, SENSES)


@rule(
    FLANK,
    "Outflanking: the side is the rear",
    events=["fight_step", "morale", "vehicle_hit"],
    kinds=["miscalculated"],
    readings=[*READINGS, "OR-WOUNDS", "OR-VARC"],
)
def who_outflanks_attacks_the_rear(
    event: records.FightStep | records.Morale | records.VehicleHit,
    resolved: Ways | None,
    position: Position,
    hearing: Hearing,
) -> Seen:
    """In the turn in which a unit outflanks, an attack from the side of its target counts as one from the rear; so with the
    sides of vehicles. The front stays the front.

    Log:  the arrival with its method, the facing of the target, and what is claimed.
    """
    if isinstance(event, records.FightStep):
        return blows_seen(FLANK, event, position, hearing)
    if isinstance(event, records.VehicleHit):
        return flank_of_a_vehicle(event, position, hearing)
    return combat_morale_seen(event, position, hearing, FLANK)


def _by_arrivals(attack: AttackState, position: Position) -> bool:
    """Whether the hits of an attack are by a unit with Outflank that arrived this turn, with no Pinning weapon."""
    unit = position.setup.units.get(attack.unit or "")
    if unit is None or "outflank" not in unit.rules or attack.failed:
        return False
    hit = sum(count[0] for count in attack.hits.values()) > 0
    return position.units[unit.id].arrived_in(position.turn) and hit and of_pinning(attack.hits, position)[0] == 0


def _pinned_by_arrivals(event: records.PinningTest, position: Position, hearing: Hearing) -> Seen:
    """A unit that a test pinned for the hits of an outflanker alone, where these call for none."""
    unit = position.setup.units.get(event.unit or "")
    attacks = None if unit is None else of_arrivals(event, unit, position)
    if unit is None or not event.claimed_pinned or attacks is None:
        return None
    if pinned_before(unit, position) or "fearless" in unit.rules or hearing.ask("OR-OUTFLANK") == "PINS":
        return RAN
    text = f"{unit.name} is pinned by {by_whom(event.causes or (), position)}, which had just outflanked."
    return [fault(FIRST, "illegal", text, unit.id, player=unit.player, also=("CLX-SUPP-01",))]


@rule(FIRST, "Outflanking: the first turn", events=EVERY_EVENT, kinds=["illegal", "omitted"], readings=["OR-OUTFLANK"])
def shots_of_arrivals_suppress(
    event: records.Event, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """In the turn in which a unit with Outflank arrives from reserve its shots are Suppression Fire: a unit that they hit
    takes a Pinning Test.

    Log:  the arrival, the hits, the tests.
    Edge: the hits of Pinning weapons are CLX-SUPP-02. Where a crossfire is possible as well, nothing is held against
          anybody here. Hits in an assault are not looked at.
    Edge: whether they call for the test is OR-OUTFLANK. A test that was not due is nobody's fault unless it pinned.
    """
    if isinstance(event, records.PinningTest):
        return _pinned_by_arrivals(event, position, hearing)
    if position.phase != "shooting" or not position.attacks or not leaves_phase(event, position, "shooting"):
        return None
    seen: list[Remark] = []
    looked = False
    for unit_id in dict.fromkeys(attack.target for attack in position.attacks.values()):
        unit = position.setup.units.get(unit_id or "")
        if unit is None or not may_owe(unit, position):
            continue
        mine = on(unit, position)
        if len({attack.unit for attack in mine.values()}) > 1:
            continue
        tests = [test for test in position.pin_tests if test.unit == unit.id]
        if any(test.causes is None or (test.pinned is None and not test.prone) for test in tests):
            continue
        tested = {one for test in tests for one in test.causes or ()}
        by_arrivals = [str(name) for name, attack in mine.items() if _by_arrivals(attack, position)]
        looked = looked or bool(by_arrivals)
        left = [name for name in by_arrivals if name not in tested]
        if not left or tests or hearing.ask("OR-OUTFLANK") == "MODIFIER":
            continue
        text = f"{unit.name} was hit by {by_whom(left, position)}, which had just outflanked, and took no Pinning Test."
        seen.append(fault(FIRST, "omitted", text, unit.id, player=unit.player, due=pinning_of(unit, left)))
    return seen or (RAN if looked else None)


RULES: tuple[Rule, ...] = (acute_senses_leave_no_rear, shots_of_arrivals_suppress, who_outflanks_attacks_the_rear)
