"""Weapons and their critical effects. The tables are data (data/weapons.json); here is what the effects do."""

from __future__ import annotations

from typing import Any

from auditor.core.findings import RAN, Figure, Remark
from auditor.core.ruleset import Rule
from auditor.core.rulings import Hearing
from auditor.systems.calth.records import faces
from auditor.systems.calth.rules.attack import first_target_only
from auditor.systems.calth.rules.common import (
    CLOSING,
    NO_FACTS,
    at,
    closes,
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
from auditor.systems.calth.state import Position

Seen = list[Remark] | tuple[Remark, ...] | None

CANNON_FACES = {"shield_blank": "SB", "hit_blank": "HB", "hit_shield": "HS"}
DESTROYING_FACE = {"critical": "C", "hit": "H", "blank": "B"}
OVERHEAT_FACE = {"critical": "C", "blank": "B"}
FACE_WORDS = {"C": "criticals", "H": "hits", "S": "shields", "B": "blanks"}


def _table_fault(rule_id: str, event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """The sum of table values that the log claims for its weapons, and the effect that it names for one."""
    if resolved.attacker is None:
        return None
    found: list[Remark] = []
    claimed = event.dice.weapons if event.dice is not None else None
    if claimed is None:
        hearing.not_claimed()
    else:
        due = resolved.weapon_dice(hearing)
        if due is not None and claimed != due.value and not resolved.wrong_weapons(hearing):
            found.append(
                miscalculated(
                    rule_id,
                    f"The weapons of {resolved.attacker.id} are counted as {count(claimed, 'die', 'dice')}; by the table "
                    f"{due.working()}.",
                    resolved.attacker.id,
                    claimed={"dice.weapons": claimed},
                    recomputed={"dice.weapons": due.value},
                    figures=(due,),
                )
            )
    for crit in resolved.crits:
        weapon = position.table.weapons.get(crit.weapon) if crit.weapon is not None else None
        if weapon is not None and crit.effect is not None and crit.effect != weapon.crit:
            found.append(
                miscalculated(
                    rule_id,
                    f"The {weapon.name.lower()} has the effect {weapon.crit}, not {crit.effect}.",
                    resolved.attacker.id,
                    "effect",
                    claimed={"crit.effect": crit.effect},
                    recomputed={"crit.effect": weapon.crit},
                    rests_on=NO_FACTS,
                )
            )
    return found or RAN


@rule(
    "CAL-RNG-01",
    "The table of ranged weapons",
    section=13,
    events=("attack",),
    kinds=("miscalculated",),
    readings=("R-ATK-MULTI",),
    when={"attack": ("ranged",)},
)
def ranged_table(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """Each ranged weapon shoots with the dice of the table, within its limit, and has the effect that stands there.

    Log:  the dice for weapons, the effect used.
    """
    if resolved.mode != "ranged":
        return None
    return _table_fault("CAL-RNG-01", event, resolved, position, hearing)


@rule(
    "CAL-MEL-01",
    "The table of melee weapons",
    section=13,
    events=("attack",),
    kinds=("miscalculated",),
    when={"attack": ("melee",)},
)
def melee_table(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """Each melee weapon adds the Assault of the table and has the effect that stands there.

    Log:  the dice for weapons, the effect used.
    Edge: a pair of lightning claws is one entry of 3, not 1 and 1.
    """
    if resolved.mode != "melee":
        return None
    return _table_fault("CAL-MEL-01", event, resolved, position, hearing)


@rule(
    "CAL-CRT-03",
    "Suppress",
    section=13,
    events=("attack", "tp_loss"),
    kinds=("miscalculated", "omitted", "illegal"),
    when={"attack": ("CAL-CRT-03",)},
)
def suppress(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """Boltgun, bolt pistol, combi-bolter, heavy bolter: the target unit loses 1 TP if it has any.

    Log:  the TPs lost and left.
    Edge: 1, however many such weapons or criticals there are.
    """
    if type(event).__name__ == "TpLoss":
        return _loss_told(event, resolved, position)
    if resolved.effect != "CAL-CRT-03" or resolved.target is None:
        return None
    crit, target = resolved.crits[0], resolved.target
    lost = min(1, target.tp)
    after = target.tp - lost
    wrong: dict[str, tuple[Any, Any]] = {}
    for name, claimed, due in (("tp_lost", crit.tp_lost, lost), ("tp_after", crit.tp_after, after)):
        if claimed is None:
            hearing.not_claimed()
        elif claimed != due:
            wrong[f"crit.{name}"] = (claimed, due)
    if "crit.tp_lost" not in wrong and "crit.tp_after" in wrong and crit.tp_after is not None and crit.tp_lost == lost:
        pass  # the count after is wrong though the loss is right
    if not wrong:
        return RAN
    claimed = {key: said for key, (said, _) in wrong.items()}
    recomputed = {key: ruled for key, (_, ruled) in wrong.items()}
    facts = (("tp", target.id),)
    if lost and crit.tp_lost == 0 and crit.tp_after in (None, target.tp):
        return [
            omitted(
                "CAL-CRT-03",
                f"{target.id} was to lose 1 TP by the effect and kept {count(target.tp, 'TP')}.",
                target.id,
                claimed=claimed,
                recomputed=recomputed,
                rests_on=facts,
                evidence=unit_marks(position, target.id, label=f"{after} TPs"),
            )
        ]
    return [
        miscalculated(
            "CAL-CRT-03",
            f"{target.id} had {count(target.tp, 'TP')} and loses {lost} by the effect: {after} left.",
            target.id,
            claimed=claimed,
            recomputed=recomputed,
            rests_on=facts,
            evidence=unit_marks(position, target.id, label=f"{after} TPs"),
        )
    ]


def _loss_told(event: Any, resolved: Any, position: Position) -> Seen:
    """A `tp_loss` of cause crit restates the loss of the attack before it; without one it has no cause."""
    if event.cause != "crit":
        return None
    if resolved.echo:
        return RAN
    return [
        illegal(
            "CAL-CRT-03",
            f"{event.unit} lost {count(event.amount or 0, 'TP')} to an effect that no attack triggered.",
            str(event.unit),
            player=position.units[event.unit].side if event.unit in position.units else "",
        )
    ]


@rule(
    "CAL-CRT-04",
    "Flamer follow-up",
    section=13,
    events=("attack",),
    kinds=("illegal", "miscalculated"),
    readings=("R-FLM-CHAIN", "R-FLM-GONE", "R-FLM-SIDE", "R-DST-OCC", "R-DST-OBST"),
    when={"attack": ("CAL-CRT-04", "flamer_follow_up")},
)
def follow_up(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """Flamer, heavy flamer: after the attack the same unit shoots once more, free, at a unit adjacent to the first target;
    only flamers and heavy flamers give dice, and all rules of shooting hold.

    Log:  the second attack, with its target and dice.
    Edge: it need not be shot. It is an attack of its own with an effect of its own.
    """
    if resolved.role != "flamer_follow_up":
        return RAN if resolved.effect == "CAL-CRT-04" else None
    attacker, target = resolved.attacker, resolved.target
    if attacker is None:
        return None
    act = position.act
    found: list[Remark] = []
    if act is None or act.flame is None or act.hex != attacker.hex:
        return [
            illegal(
                "CAL-CRT-04",
                f"{attacker.id} followed up with flamers, and no effect of a flamer allows it.",
                attacker.id,
            )
        ]
    first_hex, alive = act.flame
    problems: list[str] = []
    if not alive and hearing.ask("R-FLM-GONE") == "no_follow_up":
        problems.append("the first target is gone")
    if target is None:
        problems.append(f"{event.target} is not on the board")
    else:
        if target.side == attacker.side and hearing.ask("R-FLM-SIDE") == "enemy_only":
            problems.append(f"{target.id} is of its own side")
        if target.hex == first_hex or target.hex not in position.adjacent(first_hex):
            problems.append(f"{target.id} at {at(target.hex)} is not adjacent to the first target at {at(first_hex)}")
        if not resolved.within(3, hearing):
            distance = resolved.unasked_distance(hearing)
            problems.append(
                f"{target.id} is {'out of reach' if distance is None else f'{distance} hexes away'}, beyond 3"
            )
    if problems:
        found.append(
            illegal(
                "CAL-CRT-04",
                f"{attacker.id} could not follow up on {event.target}: {'; '.join(problems)}.",
                attacker.id,
                evidence=lambda: resolved.sight_evidence(hearing) if target is not None else {},
            )
        )
    if resolved.effect == "CAL-CRT-04" and hearing.ask("R-FLM-CHAIN") == "once":
        found.append(
            illegal(
                "CAL-CRT-04",
                f"{attacker.id} triggered a further follow-up with its follow-up attack.",
                attacker.id,
                "chain",
                claimed={"crit": resolved.crits[0].weapon},
                rests_on=NO_FACTS,
            )
        )
    others = [
        (model, weapon)
        for model, weapon in event.weapons or ()
        if weapon not in ("flamer", "heavy_flamer") and (model, weapon) in resolved.all_carried
    ]
    if others:
        known = position.table.weapons
        found.append(
            miscalculated(
                "CAL-CRT-04",
                f"Only flamers give dice to a follow-up; counted are {names(f'the {known[w].name.lower()} of {m}' for m, w in others)}.",
                attacker.id,
                "weapons",
                claimed={"weapons": [list(entry) for entry in event.weapons]},
                recomputed={"weapons": [list(entry) for entry in resolved.usable(hearing)]},
            )
        )
    claimed = event.tp.get(attacker.id) if event.tp else None
    if claimed is not None and claimed != attacker.tp:
        found.append(
            miscalculated(
                "CAL-CRT-04",
                f"A follow-up costs nothing; {attacker.id} keeps its {count(attacker.tp, 'TP')}.",
                attacker.id,
                "tp",
                claimed={f"tp.{attacker.id}": claimed},
                recomputed={f"tp.{attacker.id}": attacker.tp},
            )
        )
    return found or RAN


def _armour_effect(rule_id: str, event: Any, resolved: Any, hearing: Hearing) -> Seen:
    """The Armour that the first target model rolled with, under an effect on Armour."""
    if resolved.effect != rule_id:
        return None
    if not event.steps or resolved.target is None:
        return RAN
    for number, step in enumerate(event.steps):
        due = resolved.armour_due(number, hearing)
        if step.armour_used is None or due is None or step.armour_used == due.value:
            continue
        if resolved.armour_rule(number, hearing) != rule_id:
            continue
        who = "The first target" if number == 0 else f"The target of pass {number + 1}"
        return [
            miscalculated(
                rule_id,
                f"{who} rolled with Armour {step.armour_used}; it is {due.working()}.",
                str(event.attacker),
                claimed={f"steps.{number}.armour_used": step.armour_used},
                recomputed={f"steps.{number}.armour_used": due.value},
                figures=(due,),
            )
        ]
    return RAN


@rule(
    "CAL-CRT-05",
    "Melt",
    section=13,
    events=("attack",),
    kinds=("miscalculated",),
    readings=("R-ARM0-BONUS", "R-DST-OCC", "R-DST-OBST"),
    when={"attack": ("CAL-CRT-05",)},
)
def melt(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """Meltagun within 3 hexes, multi-melta within 6: the first target model rolls as if its Armour were 0.

    Log:  the Armour used in the first pass.
    Edge: triggering it from farther away is legal and does nothing, but uses up the one effect.
    """
    return _armour_effect("CAL-CRT-05", event, resolved, hearing)


@rule(
    "CAL-CRT-06",
    "Assault cannon",
    section=13,
    events=("attack", "weapon_destroyed", *CLOSING),
    kinds=("illegal", "miscalculated", "omitted", "ambiguous"),
    readings=("R-GLY-CANNON", "R-GLY-CANNON-MAX", "R-CANNON-COUNT", "R-CANNON-WHEN"),
    when={"attack": ("ranged",)},
)
def assault_cannon(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """Dice that show one of two faces may be rolled again, again and again, until none show them or the player stops. If four
    or more dice of the roll end on the destroying face, the weapon is destroyed once the action is over.

    Log:  every pass with dice and faces; the weapon destroyed or not.
    Edge: a die rolled into a permitted face may go again. The weapon still counts in this attack.
    """
    kind = type(event).__name__
    if kind == "WeaponDestroyed":
        return _destroyed_told(event, resolved, position)
    if kind != "Attack":
        act = position.act
        if act is None or not act.owes or not closes(event, position):
            return None
        return [
            omitted(
                "CAL-CRT-06",
                f"Four or more dice ended on the destroying face, and the assault cannon of {model} was not marked as "
                "destroyed.",
                model,
                player=act.side,
            )
            for model in act.owes
        ]
    if resolved.mode != "ranged":
        return None
    found: list[Remark] = []
    again = [entry for entry in event.weapons or () if tuple(entry) in position.destroyed]
    if again:
        found.append(
            illegal(
                "CAL-CRT-06",
                f"{names(f'{w} of {m}' for m, w in again)} was used although it is destroyed.",
                str(event.attacker),
                "destroyed",
                claimed={"weapons": [list(e) for e in again]},
            )
        )
    cannons = resolved.cannons()
    if resolved.effect != "CAL-CRT-06" and not cannons:
        return found or None
    if resolved.effect == "CAL-CRT-06":
        crit = resolved.crits[0]
        wrong = _wrong_passes(crit, resolved, hearing)
        if wrong is not None:
            found.append(wrong)
    doomed = resolved.doomed(hearing)
    told = resolved.destruction_told()
    if doomed is None or told is None:
        return found or RAN
    if doomed and not told:
        found.append(
            omitted(
                "CAL-CRT-06",
                "Four or more dice ended on the destroying face, and the assault cannon was not marked as destroyed.",
                str(event.attacker),
                claimed={"crit.weapon_destroyed": False},
                recomputed={"crit.weapon_destroyed": True},
                rests_on=NO_FACTS,
            )
        )
    elif told and not doomed:
        found.append(
            miscalculated(
                "CAL-CRT-06",
                "The assault cannon was marked as destroyed; fewer than four dice ended on the destroying face.",
                str(event.attacker),
                claimed={"crit.weapon_destroyed": True},
                recomputed={"crit.weapon_destroyed": False},
                rests_on=NO_FACTS,
            )
        )
    return found or RAN


def _wrong_passes(crit: Any, resolved: Any, hearing: Hearing) -> Any:
    """The first die that a pass rolled again although it showed no permitted face."""
    lying = list(resolved.before_effect or "")
    for number, entry in enumerate(crit.passes or ()):
        new = faces(entry.faces)
        if entry.indices is None or new is None:
            return missing("CAL-CRT-06", [f"the dice and faces of pass {number + 1}"], str(crit.model))
        for index in entry.indices:
            if not 0 <= index < len(lying):
                continue
            face = lying[index]
            if face == "C" or face not in CANNON_FACES[hearing.ask("R-GLY-CANNON")]:
                return illegal(
                    "CAL-CRT-06",
                    f"The assault cannon rolled die {index + 1} again, which showed {'a ' + FACE_WORDS.get(face, face)[:-1]}.",
                    str(crit.model),
                    claimed={"passes": number + 1, "die": index, "face": face},
                    rests_on=NO_FACTS,
                )
        for index, face in zip(entry.indices, new, strict=False):
            if 0 <= index < len(lying):
                lying[index] = face
    return None


def _destroyed_told(event: Any, resolved: Any, position: Position) -> Seen:
    """A `weapon_destroyed` event restates an effect or a Damage card, or has no cause."""
    if event.model is None or event.weapon is None:
        return [missing("CAL-CRT-06", ["the model and the weapon"])]
    entry = (event.model, event.weapon)
    if entry in position.destroyed:
        return RAN
    # A card that an effect puts on the model is no cause of its own.
    if event.cause != "crit" and (event.card is not None or event.cause in ("damage_card", "card", "scenario")):
        location = position.table.locations.get(event.card) if event.card is not None else None
        if location is not None and location.destroys_weapon == event.weapon:
            return RAN
        if event.card is None or location is None:
            return RAN
    model = position.table.models.get(event.model)
    return [
        miscalculated(
            "CAL-CRT-06",
            f"{event.weapon} of {event.model} was destroyed, and nothing before destroys it.",
            event.model,
            player=model.side if model is not None else "",
            claimed={"weapon_destroyed": list(entry)},
            recomputed={"weapon_destroyed": None},
        )
    ]


@rule(
    "CAL-CRT-07",
    "Missile launcher",
    section=13,
    events=("attack",),
    kinds=("miscalculated", "ambiguous"),
    when={"attack": ("CAL-CRT-07",)},
)
def missile_launcher(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """One die more for each model in the target unit at that moment.

    Log:  the faces of the dice added.
    """
    if resolved.effect != "CAL-CRT-07" or resolved.target is None:
        return None
    due = len(resolved.target_models)
    return _added("CAL-CRT-07", event, resolved, due, Figure("dice added", due, (("models in the target unit", due),)))


def _added(rule_id: str, event: Any, resolved: Any, due: int, figure: Figure, **more: Any) -> Seen:
    """The number of dice that an effect added."""
    added = resolved.crits[0].added
    if added is None:
        if due == 0:
            return RAN
        return [missing(rule_id, ["the faces of the dice added"], str(event.attacker))]
    shown = faces(added)
    if shown is None or len(shown) == due:
        return RAN
    return [
        miscalculated(
            rule_id,
            f"The effect adds {count(due, 'die', 'dice')}; {len(shown)} were rolled.",
            str(event.attacker),
            claimed={"crit.added": shown},
            recomputed={"crit.added": due},
            figures=(figure,),
            **more,
        )
    ]


@rule(
    "CAL-CRT-08",
    "Plasma",
    section=13,
    events=("attack",),
    kinds=("miscalculated", "omitted", "ambiguous"),
    readings=("R-GLY-PLASMA",),
    when={"attack": ("CAL-CRT-08",)},
)
def plasma(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """Four more dice, whose hits count. If two or more of them show the overheating face, the model whose weapon was used is
    removed after the attack.

    Log:  the faces of the dice added; the firer removed or not.
    Edge: only these four dice are looked at, and the attack stands.
    """
    if resolved.effect != "CAL-CRT-08":
        return None
    crit = resolved.crits[0]
    found = list(_added("CAL-CRT-08", event, resolved, 4, Figure("dice added", 4), rests_on=NO_FACTS) or ())
    shown = faces(crit.added)
    if shown is None:
        return found or RAN
    told = resolved.overheat_told()
    if told is None:
        hearing.not_claimed()
        return found or RAN
    due = resolved.overheats(hearing)
    if due and crit.model is None:
        return found or RAN  # whose weapon it was is missing, and CAL-CRT-02 says so (CAL-AUD-04)
    if due and told == "":
        found.append(
            omitted(
                "CAL-CRT-08",
                f"The plasma weapon of {crit.model} overheated ({shown}), and the model was not removed.",
                str(crit.model),
                claimed={"crit.self_casualty": None},
                recomputed={"crit.self_casualty": crit.model},
                figures=(dice_of("the dice added", shown),),
                rests_on=NO_FACTS,
            )
        )
    elif told and not due:
        found.append(
            miscalculated(
                "CAL-CRT-08",
                f"{told} was removed for overheating; the added dice {shown} do not show it.",
                str(crit.model),
                claimed={"crit.self_casualty": told},
                recomputed={"crit.self_casualty": None},
                figures=(dice_of("the dice added", shown),),
                rests_on=NO_FACTS,
            )
        )
    elif due and told != crit.model:
        found.append(
            miscalculated(
                "CAL-CRT-08",
                f"The weapon of {crit.model} overheated; the record removes {told}.",
                str(crit.model),
                claimed={"crit.self_casualty": told},
                recomputed={"crit.self_casualty": crit.model},
                rests_on=NO_FACTS,
            )
        )
    return found or RAN


@rule(
    "CAL-CRT-09",
    "Power fist",
    section=13,
    events=("attack",),
    kinds=("miscalculated",),
    when={"attack": ("CAL-CRT-09",)},
)
def power_fist(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """Power fist, Contemptor power fist: the first target model rolls as if its Armour were 0.

    Log:  the Armour used in the first pass.
    """
    return _armour_effect("CAL-CRT-09", event, resolved, hearing)


@rule(
    "CAL-CRT-10",
    "Chainsword",
    section=13,
    events=("attack",),
    kinds=("miscalculated", "ambiguous"),
    readings=("R-GLY-CHAIN",),
    when={"attack": ("CAL-CRT-10",)},
)
def chainsword(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """One die more for each trigger face in the whole attack roll; trigger faces among the added dice add nothing.

    Log:  the faces of the dice added.
    """
    if resolved.effect != "CAL-CRT-10" or resolved.before_effect is None:
        return None
    roll = resolved.before_effect
    due = roll.count("C")
    parts: tuple[tuple[str, int], ...] = ((noun(due, "critical"), due),)
    if "H" in roll and hearing.ask("R-GLY-CHAIN") == "any_hit":
        parts = (*parts, (noun(roll.count("H"), "hit"), roll.count("H")))
        due += roll.count("H")
    return _added("CAL-CRT-10", event, resolved, due, Figure("dice added", due, parts), rests_on=NO_FACTS)


@rule(
    "CAL-CRT-11",
    "Lightning claws",
    section=13,
    events=("attack",),
    kinds=("illegal", "ambiguous"),
    when={"attack": ("CAL-CRT-11",)},
)
def lightning_claws(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """Up to 2 dice of the attack roll, whatever they show, are rolled again, once; with a pair of claws up to 4.

    Log:  the dice and their new faces.
    Edge: the critical that triggered it may go too. Two single claws on different models do not add up.
    """
    if resolved.effect != "CAL-CRT-11":
        return None
    crit = resolved.crits[0]
    weapon = position.table.weapons.get(crit.weapon)
    most = weapon.rerolls if weapon is not None else 0
    made = sum(len(entry.indices or ()) for entry in crit.passes or ())
    if made <= most:
        return RAN
    return [
        illegal(
            "CAL-CRT-11",
            f"{made} dice were rolled again by the claws of {crit.model}; {most} are allowed.",
            str(crit.model),
            claimed={"dice": made},
            recomputed={"dice": most},
            rests_on=NO_FACTS,
        )
    ]


@rule(
    "CAL-CRT-12",
    "Chainfist",
    section=13,
    events=("attack",),
    kinds=("miscalculated",),
    when={"attack": ("CAL-CRT-12",)},
)
def chainfist(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """The Stamina of the first target model is 1 when hits are allocated to it.

    Log:  the Stamina used in the first pass.
    Edge: exactly one hit is used up.
    """
    if resolved.effect != "CAL-CRT-12":
        return None
    if not event.steps or resolved.target is None:
        return RAN
    step, due = event.steps[0], resolved.stamina_due(0, hearing)
    if step.stamina_used is None or due is None or step.stamina_used == due.value:
        return RAN
    return [
        miscalculated(
            "CAL-CRT-12",
            f"The first target's Stamina counts as {due.value} with the chainfist, not {step.stamina_used}.",
            str(event.attacker),
            claimed={"steps.0.stamina_used": step.stamina_used},
            recomputed={"steps.0.stamina_used": due.value},
            figures=(due,),
        )
    ]


@rule(
    "CAL-CRT-13",
    "Power sword",
    section=13,
    events=("attack",),
    kinds=("miscalculated",),
    readings=("R-SWD-ROUND",),
    when={"attack": ("CAL-CRT-13",)},
)
def power_sword(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """The Armour of the first target model is halved for its defence roll.

    Log:  the Armour used in the first pass.
    """
    return _armour_effect("CAL-CRT-13", event, resolved, hearing)


RULES: tuple[Rule, ...] = (
    ranged_table,
    melee_table,
    suppress,
    follow_up,
    melt,
    assault_cannon,
    missile_launcher,
    plasma,
    power_fist,
    chainsword,
    lightning_claws,
    chainfist,
    power_sword,
    first_target_only,
)
