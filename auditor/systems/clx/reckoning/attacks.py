"""What a shooting attack did: hits and unsaved wounds by weapon, as the record goes on with them, or their bounds."""

from __future__ import annotations

from typing import Any

from auditor.systems.clx import records
from auditor.systems.clx.packs import Unit
from auditor.systems.clx.position.state import AttackState, Count, Position, flags_of, places_of
from auditor.systems.clx.position.values import replace
from auditor.systems.clx.reckoning.dice import reaches
from auditor.systems.clx.reckoning.saves import unsaved

ANY_NUMBER = 10**9
NONE: Count = (0, 0)
UNKNOWN: dict[str | None, Count] = {None: (0, ANY_NUMBER)}


def attack_of(event: Any, position: Position) -> tuple[AttackState, Unit, Unit] | None:
    """The shooting attack that an event is of, the unit that makes it and its target; None where one is not known."""
    attack = position.attacks.get(event.attack)
    if attack is None:
        return None
    unit, target = position.setup.units.get(attack.unit or ""), position.setup.units.get(attack.target or "")
    return None if unit is None or target is None else (attack, unit, target)


def plus(one: Count, other: Count) -> Count:
    return one[0] + other[0], one[1] + other[1]


def as_claimed(claimed: int | None, dice: Count) -> Count:
    """A count as the record goes on with it: as claimed. Where the dice give another one, play may have gone on with
    either: the wrong count is one fault, and nobody is accused again of what fits the dice.

    dice  what these certainly and at most give
    """
    if claimed is None:
        return dice
    return (claimed, claimed) if dice[0] <= claimed <= dice[1] else (min(claimed, dice[0]), max(claimed, dice[1]))


def hits_of(event: records.HitRolls) -> Count:
    """The hits of a weapon, as claimed and as its dice give them."""
    return as_claimed(event.claimed_hits, _hits_rolled(event))


def _hits_rolled(event: records.HitRolls) -> Count:
    if event.rolls is None:
        return 0, ANY_NUMBER
    if event.claimed_needed is None or any(roll.die is None or roll.reroll is not None for roll in event.rolls):
        return 0, sum(map(_may_succeed, event.rolls))
    hits = sum(reaches(roll.die or 0, event.claimed_needed) for roll in event.rolls)
    return hits, hits


def _may_succeed(roll: records.Roll) -> bool:
    """Whether a die may come to what it needs, whatever that is: a 1 never does, rolled again or not."""
    return any(die != 1 for die in (roll.die, *roll.again))


def wounds_rolled(event: records.WoundRolls) -> Count:
    """The wounds of dice, as claimed and as these give them."""
    return as_claimed(event.claimed_wounds, _wounds_rolled(event))


def _wounds_rolled(event: records.WoundRolls) -> Count:
    rolls, automatic = event.rolls or (), event.automatic or 0
    if not rolls and event.automatic is None:
        return 0, ANY_NUMBER  # The dice are not recorded, or the wounds without one are not.
    if event.claimed_needed is None or any(roll.die is None or roll.reroll is not None for roll in rolls):
        return automatic, automatic + sum(map(_may_succeed, rolls))
    wounds = automatic + sum(reaches(roll.die or 0, event.claimed_needed) for roll in rolls)
    return wounds, wounds


def after(event: Any, attack: AttackState, position: Position) -> AttackState:
    """An attack after an event with its dice, or one that allocates its wounds."""
    if isinstance(event, records.HitRolls):
        return _hit(attack, weapon_of(event.weapon, attack), hits_of(event))
    if isinstance(event, records.CoverRolls):
        # Cover that is rolled after the hits takes some of them away: blasts, and dice that are read again.
        hits = {
            weapon: (0 if event.weapon in (None, weapon) else low, high) for weapon, (low, high) in attack.hits.items()
        }
        return replace(attack, hits=hits)
    if isinstance(event, records.GuessShot):
        return _hit(attack, weapon_of(None, attack), (0, ANY_NUMBER))
    if isinstance(event, records.WoundRolls):
        weapon = weapon_of(event.weapon, attack)
        rolled = len(event.rolls or ()) + (event.automatic or 0)
        low, high = dict(attack.hits).get(weapon, NONE)
        hits = {**attack.hits, weapon: (max(low, min(rolled, 1)), max(high, rolled))}
        caused = wounds_rolled(event)
        left = caused[1] + max(attack.pools.get(event.pool, (weapon, 0))[1], 0)
        inflicted = {**attack.inflicted, weapon: plus(attack.inflicted.get(weapon, NONE), caused)}
        kinds = [(weapon, False)] * bool(event.rolls) + [(weapon, True)] * bool(event.automatic)
        return replace(
            attack,
            hits=hits,
            inflicted=inflicted,
            pools={**attack.pools, event.pool: (weapon, left)},
            made={**attack.made, event.pool: (*attack.made.get(event.pool, ()), *kinds)},
        )
    if isinstance(event, records.VehicleHit):
        return _hit(attack, weapon_of(event.weapon, attack), (1, 1))
    weapon = attack.pools[event.pool][0] if event.pool in attack.pools else weapon_of(None, attack)
    lost = (0, ANY_NUMBER) if event.wounds is None else unsaved(event.wounds, event.pool, attack, position)
    return replace(
        attack,
        wasted={**attack.wasted, weapon: attack.wasted.get(weapon, 0) + _not_given(event, attack)},
        unsaved={**attack.unsaved, weapon: plus(attack.unsaved.get(weapon, NONE), lost)},
        pools={**attack.pools, event.pool: (weapon, _left_over(event, attack))},
    )


def _left_over(event: records.Allocate, attack: AttackState) -> int:
    """How many wounds of its pool an event leaves open: all where it allocates none, for they may not be recorded; else
    none, since what it does not allocate was lost; below 0: so many more than the pool has."""
    if event.wounds is None or event.pool not in attack.pools or attack.pools[event.pool][1] >= ANY_NUMBER:
        return 0
    left = attack.pools[event.pool][1]
    return min(left - len(event.wounds), 0) if event.wounds else left


def _not_given(event: records.Allocate, attack: AttackState) -> int:
    """How many wounds of its pool an event gives to nobody, of those that it might have given: nobody is left to take
    them. Whether these were inflicted the text does not say (OR-WOUNDS)."""
    left = attack.pools.get(event.pool, (None, 0))[1]
    return max(left - len(event.wounds), 0) if event.wounds and left < ANY_NUMBER else 0


def weapon_of(named: str | None, attack: AttackState) -> str | None:
    """The weapon of an event: the one it names, or the only one that was fired; None where that is not known."""
    return named if named is not None else attack.weapons[0] if len(set(attack.weapons)) == 1 else None


def _hit(attack: AttackState, weapon: str | None, hits: Count) -> AttackState:
    return replace(attack, hits={**attack.hits, weapon: plus(attack.hits.get(weapon, NONE), hits)})


def unsaved_by(attack: AttackState) -> dict[str | None, Count]:
    """Weapon -> wounds that were not saved; those that the record has not allocated may be among them."""
    found = dict(attack.unsaved)
    for weapon, left in attack.pools.values():
        found[weapon] = plus(found.get(weapon, NONE), (0, max(left, 0)))
    return found


def allocated(attack: AttackState) -> Count:
    """The wounds of an attack that the record gives to models, not saved: what a pool has left over was lost then."""
    found = NONE
    for count in attack.unsaved.values():
        found = plus(found, count)
    return found


def wounds_of(attack: AttackState, *, inflicted: bool = False) -> Count:
    """The wounds that an attack caused: those not saved, or all before saves, without or with those that were given to
    nobody."""
    found = NONE
    for count in unsaved_by(attack).values():
        found = plus(found, count)
    if not inflicted:
        return found
    caused = NONE
    for weapon, (low, high) in attack.inflicted.items():
        nobody = attack.wasted.get(weapon, 0) + sum(max(left, 0) for of, left in attack.pools.values() if of == weapon)
        caused = plus(caused, (max(low - nobody, 0), high))
    return max(found[0], caused[0]), max(found[1], caused[1])


# -- Suppression Fire ---------------------------------------------------------------------------------------------


def pins(weapon: str | None, position: Position) -> bool | None:
    """Whether a weapon has Pinning; None where the weapon is not known."""
    known = position.setup.weapons.get(weapon or "")
    return None if known is None else "pinning" in known.rules


def of_pinning(counts: dict[str | None, Count], position: Position) -> Count:
    """What of hits or wounds is of Pinning weapons; of weapons that are not known it may be."""
    found = NONE
    for weapon, count in counts.items():
        pinning = pins(weapon, position)
        if pinning or pinning is None:
            found = plus(found, count if pinning else (0, count[1]))
    return found


def on(unit: Unit, position: Position) -> dict[str | None, AttackState]:
    """The attacks of this phase on a unit."""
    return {name: attack for name, attack in position.attacks.items() if attack.target == unit.id}


def arrivals_of(unit: Unit, position: Position) -> tuple[tuple[str, str], ...]:
    """The flags that say which of several units that shot at a unit arrived in this turn: on these a crossfire may hang."""
    shooters = sorted({str(attack.unit) for attack in on(unit, position).values()})
    return tuple(fact for one in shooters for fact in flags_of(one, "arrived")) if len(shooters) > 1 else ()


def otherwise_suppressing(unit: Unit, position: Position) -> bool:
    """Whether shots at a unit may be Suppression Fire though their weapons are not Pinning: a possible crossfire
    (CLX-SHOOT-14), or a unit that arrived this turn (CLX-USR-07)."""
    shooters = {attack.unit for attack in on(unit, position).values() if not attack.failed}
    arrived = any(position.units[one].arrived_in(position.turn) for one in shooters if one in position.units)
    return len(shooters) > 1 or arrived or any(position.is_open("arrived", str(one)) for one in shooters)


def leadership(unit: Unit, position: Position) -> int | None:
    """The highest Leadership among the living models of a unit; None where the base rules do not say so, or it is not
    known: of a model without wounds left the record may have kept back that it was removed, or where it stands
    (BASE-LD). Where all models have the same it does not matter who lives."""
    if position.setup.base["BASE-LD"] != "highest":
        return None
    living = [model for model in unit.models if position.on_table(model.id) or position.nowhere(model.id)]
    surely = [
        model.profile.Ld
        for model in position.living(unit)
        if position.models[model.id].wounds != 0 and position.holes.doubt(places_of([model.id])) is None
    ]
    known = [model.profile.Ld for model in living]
    if living and None not in known and len(set(known)) == 1:
        return known[0]
    if not surely or None in known:
        return None
    best = max(value for value in known if value is not None)
    return best if best in surely else None
