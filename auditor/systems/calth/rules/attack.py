"""Attack resolution: dice, pool, targets, defence rolls, allocation, the loop, and triggering an effect."""

from __future__ import annotations

from typing import Any

from auditor.core.findings import RAN, Fault, Figure, Remark
from auditor.core.ruleset import not_auditable
from auditor.core.rulings import Hearing
from auditor.systems.calth.records import faces
from auditor.systems.calth.rules.common import (
    CHAPTERS,
    NO_FACTS,
    PLAYERS,
    SOURCE,
    THE,
    ambiguous,
    at,
    count,
    dice_of,
    illegal,
    miscalculated,
    missing,
    names,
    noun,
    omitted,
    rule,
    unit_marks,
)
from auditor.systems.calth.rules.dice import early, hits, late, rerolled
from auditor.systems.calth.state import Position

Seen = list[Remark] | tuple[Remark, ...] | None
PARTS = ("models", "weapons", "pistols", "harness")


def _dice_faults(rule_id: str, event: Any, resolved: Any, hearing: Hearing, own_parts: tuple[str, ...]) -> Seen:
    """The claimed number of attack dice against the number due."""
    attacker = resolved.attacker
    if attacker is None or event.dice is None:
        if attacker is not None:
            hearing.not_claimed()
            return RAN
        return None
    due = resolved.dice_due(hearing)
    if due is None:
        return None
    dice = event.dice
    if dice.total is None:
        hearing.not_claimed()
    parts = resolved.dice_parts(hearing)
    wrong = {
        f"dice.{part}": (getattr(dice, part), parts[part])
        for part in own_parts
        if getattr(dice, part) is not None and getattr(dice, part) != parts[part]
    }
    if dice.total is not None and not resolved.allows_dice(dice.total, hearing):
        others = [part for part in PARTS if part not in own_parts]
        blamed = sum(getattr(dice, part) - parts[part] for part in others if getattr(dice, part) is not None)
        # What a wrong harness or weapons part adds is told under its own rule, once.
        if dice.total - due.value != blamed or blamed == 0:
            wrong["dice.total"] = (dice.total, due.value)
    if not wrong:
        return RAN
    claimed = dice.total if dice.total is not None else next(iter(wrong.values()))[0]
    return [
        miscalculated(
            rule_id,
            f"{attacker.id} attacked with {count(claimed, 'die', 'dice')} by the record; due are {due.working()}.",
            attacker.id,
            claimed={key: said for key, (said, _) in wrong.items()},
            recomputed={key: ruled for key, (_, ruled) in wrong.items()},
            figures=(due,),
        )
    ]


@rule(
    "CAL-ATK-01",
    "Dice of a melee attack",
    section=12,
    events=("attack",),
    kinds=("miscalculated",),
    readings=("R-PIS-TWO", "R-HAR-STACK", "R-ASL-HARNESS"),
    when={"attack": ("melee",)},
)
def melee_dice(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """The Assault of every model of the attacking unit, the Assault bonus of each melee weapon carried, 1 for each model
    with a bolt or plasma pistol, and the dice of a grenade harness.

    Log:  the dice with their parts.
    Edge: a pistol's die has no range. A counter-attack is made with the models that are left.
    """
    if resolved.mode != "melee":
        return None
    return _dice_faults("CAL-ATK-01", event, resolved, hearing, ("models", "pistols"))


@rule(
    "CAL-ATK-02",
    "Dice of a ranged attack",
    section=12,
    events=("attack",),
    kinds=("miscalculated", "illegal"),
    readings=("R-ATK-MULTI", "R-DST-OCC", "R-DST-OBST"),
    when={"attack": ("ranged",)},
)
def ranged_dice(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """The Shoot values of all usable ranged weapons that the models of the unit carry.

    Log:  the weapons counted, the dice.
    Edge: destroyed weapons, and short ones out of range, give nothing; Assault plays no part.
    """
    if resolved.mode != "ranged" or resolved.attacker is None:
        return None
    found: list[Remark] = []
    if event.weapons is not None:
        fault = _weapons_counted(event, resolved, position, hearing)
        if fault is not None:
            found.append(fault)
    if not found:
        return _dice_faults("CAL-ATK-02", event, resolved, hearing, ("models", "pistols", "harness"))
    return found


def _weapons_counted(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Fault | None:
    """Weapons that the list counts and the unit does not have, and such that it has and the list leaves out."""
    attacker = resolved.attacker
    known = position.table.weapons
    counted = [(model, weapon) for model, weapon in event.weapons]
    if resolved.one_weapon_each and len(set(counted)) == len(counted):
        carried, short = resolved.carried_ranged, resolved.restricted()
        if all(e in carried for e in counted) and all(e in counted for e in carried if e not in short):
            return None  # whatever reaches, this is no wrong list; what is too short is CAL-SHT-02's business
    usable = resolved.usable(hearing)
    strange = [
        entry
        for entry in dict.fromkeys(counted)
        if entry not in resolved.carried_ranged or (counted.count(entry) > resolved.carried_ranged.count(entry))
    ]
    short = set(resolved.restricted())
    strange = [e for e in strange if e not in position.destroyed]
    missing_ = [e for e in usable if counted.count(e) < usable.count(e) and e not in short]
    second = [e for e in dict.fromkeys(counted) if e not in usable and e in resolved.in_reach(hearing)]
    if resolved.follow_up:
        strange = [e for e in strange if e in resolved.carried_ranged or e not in resolved.all_carried]
    if not strange and not missing_ and not second:
        return None  # a destroyed one is named by CAL-CRT-06
    told = []
    if second:
        told.append(
            f"counted is {names(f'{_name(known, w)} of {m}' for m, w in second)} beside another of the same model"
        )
    if strange:
        told.append(f"counted are {names(f'{_name(known, w)} of {m}' for m, w in strange)}, not there to shoot")
    if missing_:
        told.append(f"left out {names(f'{_name(known, w)} of {m}' for m, w in dict.fromkeys(missing_))}")
    return miscalculated(
        "CAL-ATK-02",
        f"{attacker.id} shot with the wrong weapons: {'; '.join(told)}.",
        attacker.id,
        claimed={"weapons": [list(e) for e in counted]},
        recomputed={"weapons": [list(e) for e in usable]},
        figures=(resolved.dice_due(hearing),) if resolved.dice_due(hearing) is not None else (),
    )


def _name(known: Any, weapon: str) -> str:
    return f"the {known[weapon].name.lower()}" if weapon in known else f'"{weapon}"'


@rule(
    "CAL-ATK-03",
    "The damage pool",
    section=12,
    events=("attack",),
    kinds=("miscalculated",),
)
def damage_pool(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """The pool is the number of hits and criticals in the attack roll as it finally lies.

    Log:  the faces, what was rolled again or added, the pool.
    """
    final = resolved.final
    if final is None:
        return None
    if event.pool is None:
        hearing.not_claimed()
        return RAN
    due = hits(final)
    if event.pool == due:
        return RAN
    first = resolved.first_with_added
    if first != final and event.pool == hits(first):
        return RAN  # the old faces were counted: CAL-DIE-02
    criticals, plain_hits = final.count("C"), final.count("H")
    figure = Figure("pool", due, ((noun(criticals, "critical"), criticals), (noun(plain_hits, "hit"), plain_hits)))
    return [
        miscalculated(
            "CAL-ATK-03",
            f"The faces {final} make a pool of {figure.working()}; the record has {event.pool}.",
            str(event.attacker),
            claimed={"pool": event.pool},
            recomputed={"pool": due},
            figures=(dice_of("the attack roll", final), figure),
            rests_on=NO_FACTS,
        )
    ]


@rule(
    "CAL-ATK-04",
    "The target model",
    section=12,
    events=("attack",),
    kinds=("illegal", "ambiguous"),
)
def target_model(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """The player of the unit attacked picks one of its living models, for each pass of the loop anew.

    Log:  the model, and who picked it.
    Edge: Sor Gharax: CAL-SOR-01.
    """
    target = resolved.target
    if target is None or not event.steps:
        return None
    found: list[Remark] = []
    looked = False
    left = list(resolved.target_models)
    for number, step in enumerate(event.steps):
        if resolved.location(number) is not None or step.damage_card is not None:
            continue
        looked = True
        place = str(number)
        model = step.target_model
        if step.chosen_by is not None and step.chosen_by != target.side:
            found.append(
                illegal(
                    "CAL-ATK-04",
                    f"{THE[step.chosen_by]} picked the target {model}; {PLAYERS[target.side]} pick it.",
                    place,
                    player=target.side,
                    rests_on=NO_FACTS,
                )
            )
        if model is None:
            continue
        if model not in left:
            why = (
                "has already been removed"
                if model in position.removed or model in resolved.target_models
                else f"is not of {target.id}"
            )
            found.append(illegal("CAL-ATK-04", f"{model} was picked as a target and {why}.", place, player=target.side))
        elif resolved.casualty(number, hearing):
            left.remove(model)
    return found or (RAN if looked else None)


@rule(
    "CAL-ATK-05",
    "Defence roll",
    section=12,
    events=("attack",),
    kinds=("miscalculated", "illegal"),
)
def defence_roll(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """The target model rolls as many dice as its Armour and the bonuses; each shield takes one hit out of the pool.

    Log:  Armour and bonus used, the faces, the shields, the pool after them.
    Edge: no dice, no roll. The pool never falls below 0.
    """
    target = resolved.target
    if target is None or not event.steps:
        return None
    found: list[Remark] = []
    for number, step in enumerate(event.steps):
        wrong: dict[str, tuple[Any, Any]] = {}
        told: list[str] = []
        figures: list[Figure] = []
        shown = faces(step.faces)
        armour = resolved.armour_due(number, hearing)
        intrinsic = True
        if step.armour_used is None:
            hearing.not_claimed()
        elif armour is not None and step.armour_used != armour.value and resolved.armour_rule(number, hearing) is None:
            wrong["armour_used"] = (step.armour_used, armour.value)
            told.append(f"the Armour is {armour.value}, not {step.armour_used}")
            figures.append(armour)
            intrinsic = False
        used = step.armour_used if step.armour_used is not None else (armour.value if armour is not None else None)
        bonus = step.bonus_dice
        if bonus is None:
            ruled = resolved.bonus_due(number, hearing)
            bonus = ruled.value if ruled is not None else None
            intrinsic = False
        if shown is not None and used is not None and bonus is not None and "armour_used" not in wrong:
            due = max(0, int(used)) + int(bonus)
            if len(shown) != due:
                wrong["faces"] = (shown, due)
                figures.append(Figure("defence dice", due, (("Armour", used), ("bonus", bonus))))
                told.append(f"{count(due, 'die', 'dice')} are due, {len(shown)} recorded")
                intrinsic = intrinsic and step.armour_used is not None
        shields = step.shields
        if shown is not None:
            shown = rerolled(shown, step)  # what may not be rolled again is CAL-WAR-02's business
        if shown is not None:
            if shields is None:
                hearing.not_claimed()
                shields = shown.count("S")
            elif shields != shown.count("S"):
                wrong["shields"] = (shields, shown.count("S"))
                told.append(f"{shown} shows {count(shown.count('S'), 'shield')}, not {shields}")
        pool = resolved.pool_before(number, hearing)
        if step.pool_after_shields is None:
            hearing.not_claimed()
        elif shields is not None and pool is not None:
            due = max(0, pool - shields)
            if step.pool_after_shields != due:
                wrong["pool_after_shields"] = (step.pool_after_shields, due)
                told.append(f"{count(shields, 'shield')} leave {due} of {pool} hits, not {step.pool_after_shields}")
        if wrong:
            who = step.target_model or "the target"
            if shown:
                figures.insert(0, dice_of("the defence roll", shown))
            found.append(
                miscalculated(
                    "CAL-ATK-05",
                    f"Defence roll {number + 1}, {who}: {'; '.join(told)}.",
                    str(number),
                    player=target.side,
                    claimed={f"steps.{number}.{key}": said for key, (said, _) in wrong.items()},
                    recomputed={f"steps.{number}.{key}": ruled for key, (_, ruled) in wrong.items()},
                    figures=figures,
                    rests_on=NO_FACTS if intrinsic else None,
                )
            )
    return found or RAN


@rule(
    "CAL-ATK-06",
    "Allocating hits",
    section=12,
    events=("attack",),
    kinds=("miscalculated",),
)
def allocation(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """With at least as many hits as its Stamina the target model is removed and uses up that many; with fewer it stays, the
    hits are lost and the attack is over.

    Log:  Stamina used, casualty or not, the pool left.
    """
    target = resolved.target
    if target is None or not event.steps:
        return None
    found: list[Remark] = []
    for number, step in enumerate(event.steps):
        wrong: dict[str, tuple[Any, Any]] = {}
        told: list[str] = []
        figures: list[Figure] = []
        intrinsic = True
        stamina = resolved.stamina_due(number, hearing)
        used = step.stamina_used
        if used is None:
            hearing.not_claimed()
            used = stamina.value if stamina is not None else None
            intrinsic = False
        elif stamina is not None and used != stamina.value:
            if resolved.stamina_rule(number, hearing) is None:
                wrong["stamina_used"] = (used, stamina.value)
                told.append(f"the Stamina is {stamina.value}, not {used}")
                figures.append(stamina)
                intrinsic = False
        pool = resolved.pool_shielded(number, hearing)
        if pool is not None and used is not None and "stamina_used" not in wrong:
            dies = pool >= used and pool > 0
            if step.casualty is None:
                hearing.not_claimed()
            elif step.casualty != dies:
                wrong["casualty"] = (step.casualty, dies)
                enough = "are enough" if dies else "are not enough"
                told.append(f"{count(pool, 'hit')} {enough} for a Stamina of {used}")
            played = step.casualty if step.casualty is not None else dies
            left = max(0, pool - int(used)) if played else 0
            if step.pool_left is None:
                hearing.not_claimed()
            elif step.pool_left != left and "casualty" not in wrong:
                wrong["pool_left"] = (step.pool_left, left)
                told.append(f"{count(left, 'hit')} {'is' if left == 1 else 'are'} left, not {step.pool_left}")
        if wrong:
            who = step.target_model or "the target"
            found.append(
                miscalculated(
                    "CAL-ATK-06",
                    f"Pass {number + 1}, {who}: {'; '.join(told)}.",
                    str(number),
                    player=target.side,
                    claimed={f"steps.{number}.{key}": said for key, (said, _) in wrong.items()},
                    recomputed={f"steps.{number}.{key}": ruled for key, (_, ruled) in wrong.items()},
                    figures=figures,
                    rests_on=NO_FACTS if intrinsic else None,
                )
            )
    return found or RAN


@rule(
    "CAL-ATK-07",
    "The loop of an attack",
    section=12,
    events=("attack",),
    kinds=("illegal", "omitted", "ambiguous"),
    readings=("R-SOR-DECK",),
)
def loop(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """While hits are in the pool and models are left, the next model is picked and rolls anew; the attack is over with no
    hits or no models.

    Log:  one entry for each pass.
    Edge: nobody is picked twice; hits left over vanish.
    """
    target = resolved.target
    if target is None or event.steps is None or (resolved.final is None and event.pool is None):
        return None
    left = len(resolved.target_models)
    pool = resolved.pool_played()
    for number, _step in enumerate(event.steps):
        if pool is None:
            return RAN
        if pool <= 0:
            return [
                illegal(
                    "CAL-ATK-07",
                    f"The attack went on with pass {number + 1} although no hits were left.",
                    str(number),
                    player=target.side,
                    claimed={"steps": len(event.steps)},
                    recomputed={"steps": number},
                    rests_on=NO_FACTS,
                )
            ]
        if resolved.casualty(number, hearing) and not resolved.is_location(number):
            left -= 1
        pool = resolved.pool_after(number, hearing)
    if pool is not None and pool > 0 and left > 0 and not resolved.target_gone(hearing):
        if _no_location_is_left(event, resolved, position) and hearing.ask("R-SOR-DECK") == "no_repeat_in_attack":
            return RAN
        return [
            omitted(
                "CAL-ATK-07",
                f"The attack stopped with {count(pool, 'hit')} in the pool and {count(left, 'model')} left in {target.id}.",
                str(len(event.steps)),
                player=target.side,
                claimed={"steps": len(event.steps)},
                recomputed={"steps": len(event.steps) + 1},
                figures=(Figure("pool left", pool), Figure("models left", left)),
            )
        ]
    return RAN


def _no_location_is_left(event: Any, resolved: Any, position: Position) -> bool:
    """Whether every card of the Damage deck was drawn in this attack, so that without repeats there is no next target."""
    deck = position.damage_in_deck
    if not resolved.target_is_sor or deck is None:
        return False
    cards = (step.damage_card for step in event.steps)
    return deck <= {card if isinstance(card, str) else card.card for card in cards if card is not None}


@rule(
    "CAL-ATK-08",
    "Removed models are gone",
    section=12,
    events=(
        "activate",
        "attack",
        "move_unit",
        "move_models",
        "place",
        "last_stand",
        "retreat",
        "model_removed",
        "unit_removed",
    ),
    kinds=("illegal", "miscalculated"),
)
def removal(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """Removed models leave at once; a unit without models leaves the board with its TPs and plays no further part.

    Log:  who acts, moves, is picked or placed.
    """
    kind = type(event).__name__
    removed = position.removed
    if kind in ("ModelRemoved", "UnitRemoved"):
        return _removal_told(event, resolved, position)
    acting: list[str] = []
    if kind == "Place" and event.model in removed:
        acting = [event.model]
    elif kind == "MoveModels":
        acting = [m.model for m in event.moves or () if m.model in removed]
    elif kind == "MoveUnit":
        acting = [m for m in event.models or () if m in removed]
    elif kind == "Attack" and event.weapons:
        acting = sorted({m for m, _ in event.weapons if m in removed})
    elif kind == "LastStand":
        acting = [m for m in event.models or () if m in removed]
    if acting:
        return [
            illegal(
                "CAL-ATK-08",
                f"{names(acting)} {'was' if len(acting) == 1 else 'were'} removed and took part again.",
                *acting,
            )
        ]
    who = getattr(event, "unit", None) if kind != "Attack" else event.attacker
    if who is not None and kind in ("Activate", "Attack", "MoveUnit", "MoveModels") and resolved.destroyed(who):
        return [illegal("CAL-ATK-08", f"{who} has no model left on the board and acted.", who)]
    return RAN


def _removal_told(event: Any, resolved: Any, position: Position) -> Seen:
    """`model_removed` and `unit_removed` restate what another event said; one without any cause is illegal."""
    cause = event.cause
    if type(event).__name__ == "ModelRemoved":
        model = event.model
        if model is None or model in position.removed or cause is None:
            return RAN
        if cause in ("attack", "overheat", "last_stand"):
            if resolved.explains(model):
                return RAN
            return [
                illegal(
                    "CAL-ATK-08",
                    f"{model} was removed ({cause}), and nothing before removes it.",
                    model,
                    player=position.table.models[model].side if model in position.table.models else None,
                )
            ]
        return RAN
    unit = position.units.get(event.unit) if event.unit is not None else None
    if unit is None or cause not in ("attack", "overheat", "last_stand"):
        return RAN
    return [
        illegal(
            "CAL-ATK-08",
            f"{unit.id} was removed ({cause}) although {names(unit.models)} of it {'is' if len(unit.models) == 1 else 'are'} left.",
            unit.id,
            player=unit.side,
            evidence=unit_marks(position, unit.id, label="still there"),
        )
    ]


no_dice = not_auditable(
    "CAL-ATK-09",
    "An attack without dice",
    "A Shoot without dice bears the number CAL-SHT-01, and a melee attack without dice is legal.",
    """An attack that would roll no dice cannot be made by a Shoot; a melee attack with no dice is legal and does nothing.""",
    chapter=CHAPTERS[12],
    source=f"{SOURCE}, section 12",
)


@rule(
    "CAL-ATK-10",
    "The order of an attack roll",
    section=12,
    events=("attack",),
    kinds=("illegal",),
    readings=("R-VEX-TIMING",),
)
def order_of_roll(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """First the dice with those of the harness; then the Legion Vexilla; then, if a critical shows, one effect or none, which
    is carried out; then the pool.

    Log:  when each re-roll was made.
    """
    after = late(event)
    before = early(event)
    roll = faces(event.roll)
    beyond = (
        [entry for entry in before if roll is not None and any(i >= len(roll) for i in entry.indices or ())]
        if before and resolved.added
        else []
    )
    if not after and not beyond:
        return RAN
    if resolved.mode != "melee":
        return RAN  # the vexilla has no place in shooting at all: CAL-WAR-02
    if hearing.ask("R-VEX-TIMING") == "any_time":
        return RAN
    return [
        illegal(
            "CAL-ATK-10",
            "Dice were rolled again with the Legion Vexilla after an effect had been carried out; it comes before.",
            str(event.attacker),
            rests_on=NO_FACTS,
        )
    ]


@rule(
    "CAL-CRT-01",
    "Triggering a critical effect",
    section=13,
    events=("attack",),
    kinds=("illegal", "ambiguous"),
    readings=("R-RRL-FINAL",),
    when={"attack": ("crit", "critical shown")},
)
def trigger(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """With at least one critical in the attack roll its player may use the effect of one weapon of one model of the unit.

    Log:  the effect, or that none was used.
    Edge: more criticals give no more effects, and criticals on dice that an effect adds give none.
    """
    crits = resolved.crits
    roll = faces(event.roll)
    if not crits:
        return RAN if roll is not None and "C" in roll else None
    if len(crits) > 1:
        return [
            illegal(
                "CAL-CRT-01",
                f"{len(crits)} critical effects were triggered in one attack; one is allowed.",
                str(event.attacker),
                claimed={"crit": [crit.weapon for crit in crits]},
                rests_on=NO_FACTS,
            )
        ]
    if roll is None:
        return None
    first, final = roll, resolved.before_effect
    if final is None:
        return None  # what was rolled again is not stated
    shows = "C" in final
    if ("C" in first) != shows:
        shows = "C" in (final if hearing.ask("R-RRL-FINAL") == "final_faces" else first)
    if shows:
        return RAN
    return [
        illegal(
            "CAL-CRT-01",
            f"A critical effect was triggered, and the roll {final} shows no critical.",
            str(event.attacker),
            claimed={"crit": crits[0].weapon},
            recomputed={"crit": "none"},
            rests_on=NO_FACTS,
        )
    ]


@rule(
    "CAL-CRT-02",
    "An effect of the right weapon",
    section=13,
    events=("attack",),
    kinds=("illegal", "ambiguous"),
    readings=("R-CRT-UNUSED",),
    when={"attack": ("crit",)},
)
def right_weapon(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """A ranged attack triggers the effect of a ranged weapon, a melee attack that of a melee weapon, carried by a living
    model of the unit.

    Log:  the model and the weapon.
    Edge: a pistol's effect cannot be used in melee although it adds a die there.
    """
    crits = resolved.crits
    attacker = resolved.attacker
    if not crits or attacker is None:
        return None
    found: list[Remark] = []
    for crit in crits:
        weapon = position.table.weapons.get(crit.weapon) if crit.weapon is not None else None
        model = position.table.models.get(crit.model) if crit.model is not None else None
        if crit.weapon is None or crit.model is None:
            found.append(missing("CAL-CRT-02", ["the model and the weapon of the effect"], attacker.id))
            continue
        problem = None
        if weapon is None:
            problem = f'"{crit.weapon}" is no weapon of the tables'
        elif crit.model not in resolved.attacker_models:
            problem = f"{crit.model} is not among the models of {attacker.id}"
        elif model is not None and crit.weapon not in model.weapons:
            problem = f"{crit.model} carries no {weapon.name.lower()}"
        elif (crit.model, crit.weapon) in position.destroyed:
            problem = f"the {weapon.name.lower()} of {crit.model} is destroyed"
        elif weapon.ranged != (resolved.mode == "ranged"):
            sort = "ranged" if weapon.ranged else "melee"
            problem = f"the {weapon.name.lower()} is a {sort} weapon and this is a {resolved.mode} attack"
        elif weapon.ranged and not resolved.took_part((crit.model, crit.weapon), hearing):
            if hearing.ask("R-CRT-UNUSED") == "any_carried":
                continue
            problem = f"the {weapon.name.lower()} of {crit.model} took no part in the attack"
        if problem is not None:
            found.append(
                illegal(
                    "CAL-CRT-02",
                    f"{attacker.id} triggered an effect it could not: {problem}.",
                    attacker.id,
                    claimed={"crit": crit.weapon},
                )
            )
    return found[:1] or RAN


@rule(
    "CAL-CRT-14",
    "The first target model",
    section=13,
    events=("attack",),
    kinds=("miscalculated",),
    readings=("R-SWD-ROUND", "R-DST-OCC", "R-DST-OBST"),
    when={"attack": ("CAL-CRT-05", "CAL-CRT-09", "CAL-CRT-12", "CAL-CRT-13")},
)
def first_target_only(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """Effects on Armour or Stamina touch only the first model (or location) picked in the attack; the next use full values.

    Log:  Armour and Stamina used in each pass.
    """
    if resolved.effect not in ("CAL-CRT-05", "CAL-CRT-09", "CAL-CRT-12", "CAL-CRT-13") or not event.steps:
        return None
    found: list[Remark] = []
    for number, step in enumerate(event.steps[1:], 1):
        for name, claimed, due, blamed in (
            (
                "armour_used",
                step.armour_used,
                resolved.armour_due(number, hearing),
                resolved.armour_rule(number, hearing),
            ),
            (
                "stamina_used",
                step.stamina_used,
                resolved.stamina_due(number, hearing),
                resolved.stamina_rule(number, hearing),
            ),
        ):
            if blamed != "CAL-CRT-14" or claimed is None or due is None or claimed == due.value:
                continue
            what = "Armour" if name == "armour_used" else "Stamina"
            found.append(
                miscalculated(
                    "CAL-CRT-14",
                    f"Pass {number + 1} uses {what} {claimed}; the effect touched the first target only, so it is {due.value}.",
                    str(number),
                    name,
                    claimed={f"steps.{number}.{name}": claimed},
                    recomputed={f"steps.{number}.{name}": due.value},
                    figures=(due,),
                )
            )
    return found or RAN


RULES = (
    melee_dice,
    ranged_dice,
    damage_pool,
    target_model,
    defence_roll,
    allocation,
    loop,
    removal,
    no_dice,
    order_of_roll,
    trigger,
    right_weapon,
)

__all__ = ["RULES", "ambiguous", "at", "first_target_only"]
