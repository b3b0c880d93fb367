"""The wounds that an event allocates as one pool, and what saves against them need."""

from __future__ import annotations

from dataclasses import dataclass

from auditor.systems.clx import records
from auditor.systems.clx.packs import Model, Unit, Weapon
from auditor.systems.clx.position.state import AttackState, Position
from auditor.systems.clx.reckoning.attacks import attack_of, weapon_of
from auditor.systems.clx.reckoning.cover import firers_of, single_shots
from auditor.systems.clx.reckoning.groups import shots_of


@dataclass(frozen=True, slots=True)
class Pool:
    """The wounds that an event allocates: of which weapon, fired by whom at whom. `names`: the ids of who fired; `unnamed`:
    the record does not name all of them, or they rolled more dice than it tells shots of."""

    attack: AttackState
    unit: Unit
    target: Unit
    weapon: Weapon
    automatic: bool
    firers: list[Model]
    names: tuple[str, ...]
    name: str | None
    unnamed: bool


def pool_of(event: records.Allocate, position: Position) -> Pool | None:
    found = attack_of(event, position)
    if found is None or found[0].failed or found[2].vehicle is not None:
        return None
    attack, unit, target = found
    made = attack.made.get(event.pool, ())
    names = {weapon for weapon, _ in made} or {weapon_of(None, attack)}
    weapons = [known for name in names if (known := position.setup.weapons.get(name or "")) is not None]
    groups = [group for name in names if (group := attack.groups.get(name)) is not None]
    if len(weapons) != len(names) or len(groups) != len(names) or len({(w.range, w.ap) for w in weapons}) != 1:
        return None
    firers = [model for group in groups for model in firers_of(group, position)]
    automatic = bool(made) and all(one for _, one in made)
    names_of = tuple(model.id for model in firers)
    unnamed = any(name is None for group in groups for name, _ in group.shots) or (
        all(map(single_shots, weapons))
        and any(group.hit_dice > (shots_of(group) or group.hit_dice) for group in groups)
    )
    return Pool(attack, unit, target, weapons[0], automatic, firers, names_of, event.pool, unnamed) if firers else None


def save_against(save: records.Save, model: Model, pool: Pool, position: Position) -> tuple[bool, int | str | None]:
    """Whether it is known what a save needs, and what: None where there is no such save. Where it is not known: why, or
    None where another rule is about it."""
    if save.kind is None:
        return False, f"which save {model.id} takes is not recorded"
    if save.kind == "inv":
        inv = model.profile.inv
        return (
            (True, inv) if inv is not None else (False, f"no invulnerable save of {model.id} is in the pack of units")
        )
    if pool.automatic or pool.weapon.rules & {"nbc", "hefty", "power"} or model.profile.AS == 1:
        return False, None
    if position.setup.base["BASE-AS"] is None:
        return False, "what AP does to armour saves is not stated (BASE-AS)"
    if model.profile.AS is None:
        return False, f"no armour save of {model.id} is in the pack of units"
    lost = pool.weapon.ap is not None and pool.weapon.ap <= model.profile.AS
    return True, None if lost else model.profile.AS


def save_of_shots(event: records.Allocate, wound: records.Wound, save: records.Save, position: Position) -> bool:
    """Whether it is known what the save against a wound of shots needs."""
    pool = pool_of(event, position)
    taker = wound.look_out_sir.to if wound.look_out_sir is not None and wound.look_out_sir.to else wound.model
    model = next((one for one in pool.target.models if one.id == taker), None) if pool is not None else None
    return pool is not None and model is not None and save_against(save, model, pool, position)[0]
