"""Armour saves that a special rule changes: Hefty blows, 1+ armour, power weapons, attacks by NBC weapons."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from auditor.core.findings import RAN, Figure, Remark
from auditor.core.ruleset import Rule
from auditor.core.rulings import Hearing
from auditor.systems.clx import records
from auditor.systems.clx.packs import Model, Unit, Weapon
from auditor.systems.clx.position.state import Position
from auditor.systems.clx.reckoning.attacks import weapon_of
from auditor.systems.clx.reckoning.dice import reaches
from auditor.systems.clx.reckoning.saves import save_by_ap, shielded, strength_of
from auditor.systems.clx.reckoning.throws import throw_of
from auditor.systems.clx.reckoning.ways import Ways
from auditor.systems.clx.rules.common import Seen, fault, rule, unchecked
from auditor.systems.clx.tables import tables

HEFTY, ONE_PLUS, SHIELDED = "CLX-GEAR-02", "CLX-MISC-03", "CLX-USR-03"
FROM = int(tables()["hefty"]["above"])


@dataclass(frozen=True, slots=True)
class Source:
    """What wounds are by: the weapon, the Strengths of the attack and of those who use it (None: not known, or not one
    for all), and whether they came without a die, by Rending."""

    weapon: Weapon
    strength: int | None
    user: int | None
    automatic: bool


def _one(values: list[int | None]) -> int | None:
    return values[0] if values and len(set(values)) == 1 else None


def source_of(event: records.Allocate, position: Position) -> Source | None:
    """What the wounds of an allocation are by; None where that is not known, or not one weapon."""
    attack, step = position.attacks.get(event.attack), position.combat.steps.get(event.attack)
    if attack is not None:
        made = attack.made.get(event.pool, ())
        names = {name for name, _ in made} or {weapon_of(None, attack)}
        users = [position.setup.models.get(str(name)) for name in attack.firers.get(next(iter(names)), ())]
        automatic = bool(made) and all(without for _, without in made)
    elif step is not None:
        names = {step.weapon}
        users = [position.setup.models.get(name) for name, _ in step.attackers]
        automatic = any(without for _, without in step.counts.made.get(event.pool, ()))
    elif (throw := throw_of(event.attack, position)) is not None:
        names, users, automatic = {throw.weapon}, [position.setup.models.get(throw.model or "")], False
    else:
        return None
    weapon = position.setup.weapons.get(next(iter(names)) or "") if len(names) == 1 else None
    if weapon is None:
        return None
    own = [None if user is None else user.profile.S for user in users]
    return Source(weapon, _one([strength_of(weapon, one) for one in own]), _one(own), automatic)


def _rule_for(source: Source, model: Model) -> str | None:
    """The rule that an armour save is about; None: none of these."""
    if source.automatic:
        return None  # There is no armour save against AP 1.
    if "nbc" in source.weapon.rules:
        return SHIELDED
    if "power" in source.weapon.rules:
        return ONE_PLUS
    if "hefty" in source.weapon.rules:
        return HEFTY
    return ONE_PLUS if model.profile.AS == 1 else None


def special(source: Source, model: Model, save: records.Save) -> bool:
    """Whether a special rule says what a save needs."""
    return save.kind == "AS" and (source.automatic or _rule_for(source, model) is not None)


def _save_by_ap(armour: int, ap: int | None, position: Position) -> int | str | None:
    """What an armour save needs against an AP, without any other rule: None where there is no such save (base rule)."""
    known, needed = save_by_ap(armour, ap, position)
    return needed if known else "what AP does to armour saves (BASE-AS)"


def _needed(
    rule_id: str, source: Source, model: Model, unit: Unit, position: Position, hearing: Hearing
) -> int | str | None:
    """What an armour save needs; None where there is none, a text where it is not known."""
    armour = model.profile.AS
    if armour is None:
        return f"the armour save of {model.id}"
    if rule_id == SHIELDED:
        if not shielded(model, unit):
            return None
        by_ap = _save_by_ap(armour, source.weapon.ap, position)
        plain = 2 if armour == 1 else armour
        if by_ap == plain or hearing.ask("OR-HES-AP") == "AP_IGNORED":
            return plain
        return by_ap
    if "power" in source.weapon.rules:
        return None
    by_ap = _save_by_ap(armour, source.weapon.ap, position)
    if rule_id == ONE_PLUS or not isinstance(by_ap, int):
        return by_ap
    if source.strength is None:
        return "the Strength of the blow"
    by = {"ATTACK": source.strength, "USER": source.user}
    strength = source.strength if by["USER"] == by["ATTACK"] else by[hearing.ask("OR-HEFTY-S")]
    if strength is None:
        return "the Strength of who struck"
    worse = max(0, strength - FROM)
    base = armour
    if armour == 1 and worse:
        base = 2 if hearing.ask("OR-1PLUS") == "TWO" else 1
    return None if max(base + worse, 2) > 6 else max(base + worse, 2)


def _seen(rule_id: str, event: records.Allocate, position: Position, hearing: Hearing) -> Seen:
    """What a rule sees of the armour saves against wounds."""
    source = source_of(event, position)
    if source is None:
        return None
    seen: list[Remark] = []
    looked = False
    for wound in event.wounds or ():
        taker = wound.look_out_sir.to if wound.look_out_sir and wound.look_out_sir.to else wound.model
        model = position.setup.models.get(taker or "")
        save = wound.save
        if model is None or save is None or save.kind != "AS" or _rule_for(source, model) != rule_id:
            continue
        looked = True
        unit = position.setup.units[model.unit]
        needed = _needed(rule_id, source, model, unit, position, hearing)
        if isinstance(needed, str):
            seen.append(unchecked(rule_id, f"{needed} is not known"))
        else:
            seen += _judged(rule_id, wound, save, model, unit, source, needed, hearing)
    return (seen or RAN) if looked else None


def _judged(
    rule_id: str,
    wound: records.Wound,
    save: records.Save,
    model: Model,
    unit: Unit,
    source: Source,
    needed: int | None,
    hearing: Hearing,
) -> list[Remark]:
    claimed = save.claimed_needed
    impossible = claimed is not None and claimed > 6
    kind: Any = "miscalculated"
    if claimed is None:
        hearing.not_claimed()
        if wound.claimed_saved is None or save.die is None or wound.claimed_saved == reaches(save.die, needed):
            return []
    elif claimed == needed or (needed is None and impossible):
        if save.die != 1 or wound.claimed_saved is not True or rule_id != ONE_PLUS:
            return []
    elif needed is None and rule_id != HEFTY:
        kind = "illegal"
    if needed is None and claimed is None and rule_id != HEFTY:
        kind = "illegal"
    if needed is None:
        text = f"{model.id} has no armour save against {source.weapon.name}"
    elif save.die == 1 and claimed == needed:
        text = f"A 1 does not save {model.id}"
    else:
        text = (
            f"{model.id} saves on {needed} or more against {source.weapon.name}, not on {claimed or 'what was rolled'}"
        )
    result = None if save.die is None else reaches(save.die, needed)
    return [
        fault(
            rule_id,
            kind,
            f"{text}.",
            model.id,
            player=unit.player,
            claimed={"needed": claimed, "saved": wound.claimed_saved},
            recomputed={"needed": needed, "saved": result},
            figures=[Figure("armour save", model.profile.AS or 0)],
        )
    ]


@rule(HEFTY, "Hefty", events=["allocate"], kinds=["miscalculated"], readings=["OR-HEFTY-S", "OR-1PLUS"])
def hefty_blows_pierce_armour(
    event: records.Allocate, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """Against a Hefty weapon an armour save needs one more for each point of Strength above 3; above 6 there is none.

    Log:  the saves with their dice, the weapon and who used it, and what is claimed.
    Edge: an AP that is not above the armour takes the save away altogether (a base rule). Invulnerable saves stay as
          they are, and a 1 always fails.
    """
    return _seen(HEFTY, event, position, hearing)


@rule(ONE_PLUS, "1+ armour", events=["allocate"], kinds=["illegal", "miscalculated"])
def one_plus_armour_fails_on_a_one(
    event: records.Allocate, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """Armour of 1+ saves on 2, for a 1 fails, and only AP 1 goes through it. Power weapons negate every armour save.

    Log:  the saves with their dice, and what is claimed.
    Edge: a save that was not taken is nobody's fault. Against a Hefty weapon it is CLX-GEAR-02.
    """
    return _seen(ONE_PLUS, event, position, hearing)


@rule(
    SHIELDED,
    "Hostile Environment Shielding",
    events=["allocate"],
    kinds=["illegal", "miscalculated"],
    readings=["OR-HES-AP"],
)
def shielded_armour_saves_against_nbc(
    event: records.Allocate, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """Shielded armour (power, artificer and terminator armour, and all of the Eldar) takes its save against an NBC attack
    unmodified. Other armour has no save against it.

    Log:  the saves with their dice, and what is claimed. Which armour a model wears is in the pack of units.
    Edge: a unit with the special rule is shielded, whatever armour it wears.
    """
    return _seen(SHIELDED, event, position, hearing)


RULES: tuple[Rule, ...] = (
    hefty_blows_pierce_armour,
    shielded_armour_saves_against_nbc,
    one_plus_armour_fails_on_a_one,
)
