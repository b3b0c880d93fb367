"""The shots and dice of one weapon in an attack, as the record goes on."""

from __future__ import annotations

from auditor.systems.clx import records
from auditor.systems.clx.packs import Unit, Weapon
from auditor.systems.clx.position.state import AttackState, Count, Group, Position
from auditor.systems.clx.position.values import replace
from auditor.systems.clx.reckoning.attacks import ANY_NUMBER, as_claimed, plus, weapon_of
from auditor.systems.clx.reckoning.dice import reaches
from auditor.systems.clx.reckoning.shots import HEIGHTS, pair_of
from auditor.systems.clx.tolerance import RND


def most_shots(weapon: Weapon | None) -> int:
    """The most shots that a model can make with a weapon, as far as that is known."""
    if weapon is None or not isinstance(weapon.shots, int):
        return ANY_NUMBER
    return {"pistol": 1, "rapid_fire": 2, "salvo": ANY_NUMBER}.get(weapon.type, weapon.shots)


def shots_allowed(
    firer: str | None, weapon: Weapon | None, unit: str | None, target: Unit | None, position: Position
) -> int:
    """The most shots that a model may make where it stands, as far as that is certain under every reading."""
    most, model = most_shots(weapon), position.setup.models.get(firer or "")
    if weapon is None or model is None:
        return most
    if isinstance(weapon.shots, tuple):
        return weapon.shots[unit not in position.units or not position.units[str(unit)].moved]
    if weapon.type != "rapid_fire" or weapon.range is None or target is None or not position.on_table(model.id):
        return most
    pairs = [pair_of(model, one, position) for one in position.living(target)]
    near = any(pair.gap <= max(pair.limit(weapon.range, one) for one in HEIGHTS) / 2 + RND for pair in pairs)
    return most if near or not pairs else 1


def shots_of(group: Group, models: set[str | None] | None = None) -> int | None:
    """The shots of a group, or of some of its models; None where the record does not say how many."""
    counts = [shots for model, shots in group.shots if models is None or model in models]
    if models is not None and any(model is None for model, _ in group.shots):
        return None  # Who is not named may be one of them.
    return None if None in counts or not counts else sum(shots or 0 for shots in counts)


def saved_by(event: records.CoverRolls) -> Count:
    """The shots that cover stopped, as claimed and as the dice show."""
    return as_claimed(event.claimed_saved, _saved_by_dice(event))


def _saved_by_dice(event: records.CoverRolls) -> Count:
    if event.waived:
        return 0, 0
    if event.dice is None:
        return 0, ANY_NUMBER
    if event.claimed_needed is None:
        return 0, sum(die != 1 for die in event.dice)
    saved = sum(reaches(die, event.claimed_needed) for die in event.dice)
    return saved, saved


def dice_left_out(event: records.Event) -> bool:
    """Whether an event with the dice of an attack does not have them, nor says that there were none."""
    if isinstance(event, records.CoverRolls):
        return event.dice is None and not event.waived and not event.reread
    if isinstance(event, records.HitRolls):
        return event.rolls is None
    return isinstance(event, records.WoundRolls) and not event.rolls and event.automatic is None


def with_dice(event: records.Event, attack: AttackState) -> AttackState:
    """An attack after an event with its dice: the dice are counted with the group of their weapon."""
    weapon = weapon_of(getattr(event, "weapon", None), attack)
    group = attack.groups.get(weapon)
    if isinstance(event, records.Allocate):
        takers = [
            str(wound.look_out_sir.to if wound.look_out_sir and wound.look_out_sir.to else wound.model)
            for wound in event.wounds or ()
        ]
        return replace(
            attack,
            order=attack.order if attack.order[-1:] == (event.pool,) else (*attack.order, event.pool),
            takers={**attack.takers, event.pool: (*attack.takers.get(event.pool, ()), *takers)},
        )
    if group is None:
        unsure = {name: replace(one, unsure=True) for name, one in attack.groups.items()} if weapon is None else {}
        return replace(attack, groups={**attack.groups, **unsure})
    if dice_left_out(event):
        group = replace(group, unsure=True)
    if isinstance(event, records.CoverRolls):
        if event.reread:
            # Dice that are read again without having been rolled on record are a hole.
            group = replace(group, saved=saved_by(event), unsure=group.unsure or not group.covered)
        else:
            group = replace(
                group,
                covered=group.covered + len(event.dice or ()),
                saved=plus(group.saved, saved_by(event)),
                waived=group.waived or bool(event.waived),
            )
    elif isinstance(event, records.HitRolls):
        faces = [roll.final for roll in event.rolls or ()]
        known = None not in faces and event.rolls is not None and group.sixes is not None
        group = replace(
            group,
            hit_dice=group.hit_dice + len(faces),
            hit_seq=event.seq if group.hit_seq is None else group.hit_seq,
            sixes=(group.sixes or 0) + faces.count(6) if known else None,
        )
    elif isinstance(event, records.WoundRolls):
        group = replace(
            group,
            wound_dice=group.wound_dice + len(event.rolls or ()),
            wound_seq=event.seq,
            automatic=group.automatic + (event.automatic or 0),
        )
    else:
        return attack
    return replace(attack, groups={**attack.groups, weapon: group})
