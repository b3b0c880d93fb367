"""Critical effects of ranged weapons (CRT-03 to CRT-08)."""

from __future__ import annotations

from functools import partial
from typing import Any

from auditor.core.findings import RAN, Fault, Figure, Remark
from auditor.core.ruleset import Rule
from auditor.core.rulings import Hearing
from auditor.geometry.hexes import Hex
from auditor.systems.calth.effects import CANNON_FACES, Critical
from auditor.systems.calth.reckoning.attack import AttackView, Blamed
from auditor.systems.calth.reckoning.claims import WrongTps
from auditor.systems.calth.reckoning.licence import Warrant
from auditor.systems.calth.reckoning.views import DestructionView, LossView, RemovalView, View
from auditor.systems.calth.records import (
    Attack,
    Crit,
    Event,
    ModelRemoved,
    TpLoss,
    UnitRemoved,
    WeaponDestroyed,
    faces,
)
from auditor.systems.calth.rules.attack import restated
from auditor.systems.calth.rules.attack_roll import dice_of_weapons
from auditor.systems.calth.rules.common import (
    CLOSING,
    Seen,
    closes,
    dice_of,
    rule,
    said_of,
    tp_faults,
)
from auditor.systems.calth.state import Position, Unit
from auditor.systems.calth.words import count, names

FACE_WORDS = {"C": "criticals", "H": "hits", "S": "shields", "B": "blanks"}


@rule(
    Critical.SUPPRESS,
    "Suppress",
    section=13,
    events=("attack", "tp_loss"),
    kinds=("miscalculated", "omitted"),
    when={"attack": (Critical.SUPPRESS,)},
)
def suppress(event: Attack, view: AttackView, position: Position, hearing: Hearing) -> Seen:
    """Boltgun, bolt pistol, combi-bolter, heavy bolter: the target unit loses 1 TP if it has any.

    Log:  the TPs lost and left.
    Edge: 1, however many such weapons or criticals there are.
    """
    if view.effect is not Critical.SUPPRESS or view.target is None:
        return None
    crit = view.crits[0]
    if crit.tp_lost is None or crit.tp_after is None:
        hearing.not_claimed()
    words = partial(_suppress_words, by=event.attacker)
    return tp_faults(suppress, event, view, position, hearing, words, actor=True) or RAN


def _suppress_words(wrong: WrongTps, by: str | None = None) -> str:
    effect = f"the critical effect of {by}" if by is not None else "the critical effect"
    if wrong.kind == "omitted":
        return f"{wrong.name} was to lose 1 TP by {effect} and kept {count((wrong.due or 0) + 1, 'TP')}."
    return f"{wrong.name} loses 1 TP by {effect}, if it has one; {wrong.due} left. {said_of(wrong).capitalize()}."


@suppress.at("tp_loss")
def _loss_told(event: TpLoss, view: LossView, position: Position, hearing: Hearing) -> Seen:
    """A `tp_loss` of cause crit restates the loss of the attack before it."""
    if event.cause != "crit":
        return None
    return tp_faults(suppress, event, view, position, hearing, _suppress_words) or RAN


@rule(
    Critical.FLAMER_FOLLOW_UP,
    "Flamer follow-up",
    section=13,
    events=("attack",),
    kinds=("illegal", "miscalculated"),
    readings=("R-FLM-CHAIN", "R-FLM-GONE", "R-FLM-SIDE", "R-DST-OCC", "R-DST-OBST"),
    when={"attack": (Critical.FLAMER_FOLLOW_UP, "flamer_follow_up")},
)
def follow_up(event: Attack, view: AttackView, position: Position, hearing: Hearing) -> Seen:
    """Flamer, heavy flamer: after the attack the same unit shoots once more, free, at a unit adjacent to the first
    target; only flamers and heavy flamers give dice, and all rules of shooting hold.

    Log:  the second attack, with its target and dice.
    Edge: it need not be shot. It is an attack of its own with an effect of its own.
    """
    if view.role != "flamer_follow_up":
        return RAN if view.effect is Critical.FLAMER_FOLLOW_UP else None
    attacker, target = view.attacker, view.target
    if attacker is None:
        return None
    act = position.act
    if act is None or act.flame is None or act.hex != attacker.hex:
        return [
            follow_up.illegal(
                f"{attacker.id} followed up with flamers, and no effect of a flamer allows it.",
                attacker.id,
            )
        ]
    found: list[Remark] = []
    problems = _why_no_follow_up(event, view, *act.flame, position, hearing)
    if problems:
        found.append(
            follow_up.illegal(
                f"{attacker.id} could not follow up on {event.target}: {'; '.join(problems)}.",
                attacker.id,
                evidence=lambda: view.sight_evidence(hearing) if target is not None else {},
            )
        )
    if view.effect is Critical.FLAMER_FOLLOW_UP and hearing.ask("R-FLM-CHAIN") == "once":
        found.append(
            follow_up.illegal(
                f"{attacker.id} triggered a further follow-up with its follow-up attack.",
                attacker.id,
                "chain",
                claimed={"crit": view.crits[0].weapon},
            )
        )
    found += _others_counted(event, view, attacker, position, hearing)
    return [*found, *tp_faults(follow_up, event, view, position, hearing, _follow_up_words, actor=True)] or RAN


def _why_no_follow_up(
    event: Attack, view: AttackView, first_hex: Hex, alive: bool, position: Position, hearing: Hearing
) -> list[str]:
    """What speaks against the target of a follow-up; `alive`: the first target, at `first_hex`, has a model left."""
    attacker, target = view.attacker, view.target
    problems: list[str] = []
    if not alive and hearing.ask("R-FLM-GONE") == "no_follow_up":
        problems.append("the first target is gone")
    if target is None and event.target is not None:
        problems.append(f"{event.target} is not on the board")
    if target is None or attacker is None:
        return problems
    if target.side == attacker.side and hearing.ask("R-FLM-SIDE") == "enemy_only":
        problems.append(f"{target.id} is of its own side")
    if target.hex == first_hex or target.hex not in position.adjacent(first_hex):
        problems.append(
            f"{target.id} at {position.at(target.hex)} is not adjacent to the first target at {position.at(first_hex)}"
        )
    if not view.within(3, hearing):
        distance = view.unasked_distance(hearing)
        problems.append(f"{target.id} is {'out of reach' if distance is None else f'{distance} hexes away'}, beyond 3")
    return problems


def _others_counted(
    event: Attack, view: AttackView, attacker: Unit, position: Position, hearing: Hearing
) -> list[Remark]:
    """Weapons that are counted in a follow-up and are no flamers."""
    others = [
        (model, weapon)
        for model, weapon in event.weapons or ()
        if weapon not in ("flamer", "heavy_flamer") and (model, weapon) in view.all_carried
    ]
    if not others:
        return []
    known = position.table.weapons
    return [
        follow_up.miscalculated(
            f"Only flamers give dice to a follow-up; "
            f"counted are {names(f'the {known[w].name.lower()} of {m}' for m, w in others)}.",
            attacker.id,
            "weapons",
            **dice_of_weapons(event, view, view.usable(hearing), hearing),
        )
    ]


def _follow_up_words(wrong: WrongTps) -> str:
    return f"A follow-up costs nothing; {wrong.name} keeps its {count(wrong.due or 0, 'TP')}."


def armour_effect(under: Rule, event: Attack, view: AttackView, hearing: Hearing) -> Seen:
    """The Armour that the first target model rolled with, under an effect on Armour."""
    if not event.steps or view.target is None:
        return RAN
    for number, step in enumerate(event.steps):
        due = view.armour_due(number, hearing)
        if step.armour_used is None or due is None or step.armour_used == due.value:
            continue
        if view.armour_blamed(number, hearing) is not Blamed.EFFECT:
            continue
        who = step.target_model or ("The first target" if number == 0 else f"The target of pass {number + 1}")
        return [
            under.miscalculated(
                f"{who} rolled with Armour {step.armour_used}; under the critical effect of {event.attacker} it is {due.working()}.",
                str(event.attacker),
                claimed={f"steps.{number}.armour_used": step.armour_used},
                recomputed={f"steps.{number}.armour_used": due.value},
                figures=(due,),
            )
        ]
    return RAN


@rule(
    Critical.MELT,
    "Melt",
    section=13,
    events=("attack",),
    kinds=("miscalculated",),
    readings=("R-ARM0-BONUS", "R-DST-OCC", "R-DST-OBST"),
    when={"attack": (Critical.MELT,)},
)
def melt(event: Attack, view: AttackView, position: Position, hearing: Hearing) -> Seen:
    """Meltagun within 3 hexes, multi-melta within 6: the first target model rolls as if its Armour were 0.

    Log:  the Armour used in the first pass.
    Edge: triggering it from farther away is legal and does nothing, but uses up the one effect.
    """
    return armour_effect(melt, event, view, hearing) if view.effect is Critical.MELT else None


@rule(
    Critical.ASSAULT_CANNON,
    "Assault cannon",
    section=13,
    events=("attack", "weapon_destroyed", *CLOSING),
    kinds=("illegal", "miscalculated", "omitted", "ambiguous"),
    readings=("R-GLY-CANNON", "R-GLY-CANNON-MAX", "R-CANNON-COUNT", "R-CANNON-WHEN"),
    when={"attack": ("ranged",), **dict.fromkeys(CLOSING, ("weapon unmarked",))},
)
def assault_cannon(event: Attack, view: AttackView, position: Position, hearing: Hearing) -> Seen:
    """Dice that show one of two faces may be rolled again, again and again, until none show them or the player stops.
    If four or more dice of the roll end on the destroying face, the weapon is destroyed once the action is over.

    Log:  every pass with dice and faces; the weapon destroyed or not.
    Edge: a die rolled into a permitted face may go again. The weapon still counts in this attack.
    """
    if view.mode != "ranged":
        return None
    triggered = view.effect is Critical.ASSAULT_CANNON
    found: list[Remark] = _of_a_cannon(event, view, hearing) if triggered else []
    again = [entry for entry in event.weapons or () if entry in position.destroyed] if position.destroyed else ()
    if again:
        found.append(
            assault_cannon.illegal(
                f"{names(f'{w} of {m}' for m, w in again)} was used although it is destroyed.",
                str(event.attacker),
                "destroyed",
                **dice_of_weapons(event, view, view.usable(hearing), hearing),
            )
        )
    return found or (RAN if triggered or view.cannons() else None)


def _of_a_cannon(event: Attack, view: AttackView, hearing: Hearing) -> list[Remark]:
    """The dice that a cannon rolled again, and whether it is marked as destroyed."""
    wrong = _wrong_passes(view.crits[0], view, hearing)
    found: list[Remark] = [wrong] if wrong is not None else []
    doomed = view.doomed(hearing)
    told = view.destruction_told()
    if doomed is None or told is None or doomed == told:
        return found
    mark = {"claimed": {"crit.weapon_destroyed": told}, "recomputed": {"crit.weapon_destroyed": doomed}}
    if doomed:
        text = (
            f"Four or more dice of {event.attacker} ended on the destroying face, and its assault cannon was not marked as "
            "destroyed."
        )
        return [*found, assault_cannon.omitted(text, str(event.attacker), **mark)]
    text = (
        f"The log marks the assault cannon of {event.attacker} as destroyed; fewer than four dice ended on the destroying "
        "face."
    )
    return [*found, assault_cannon.miscalculated(text, str(event.attacker), **mark)]


@assault_cannon.at(*CLOSING)
def _cannons_were_marked(event: Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """A cannon that is destroyed has been marked so when the activation is over."""
    act = position.act
    if act is None or not act.owes or not closes(event, view):
        return None
    return [
        assault_cannon.omitted(
            f"Four or more dice ended on the destroying face, and the assault cannon of {model} was not marked as "
            "destroyed.",
            model,
            player=act.side,
        )
        for model in act.owes
    ]


def _wrong_passes(crit: Crit, view: AttackView, hearing: Hearing) -> Fault | None:
    """The first die that a pass rolled again although it showed no permitted face."""
    lying = list(view.before_effect or "")
    for number, entry in enumerate(crit.passes or ()):
        new = faces(entry.faces)
        if entry.indices is None or new is None:
            return None
        for index in entry.indices:
            if not 0 <= index < len(lying):
                continue
            face = lying[index]
            allowed = CANNON_FACES[hearing.ask("R-GLY-CANNON")]
            if face == "C" or face not in allowed:
                return assault_cannon.illegal(
                    f"The assault cannon of {view.event.attacker} rolled die {index + 1} again, which showed "
                    f"{'a ' + FACE_WORDS.get(face, face)[:-1]}; it rolls {names(FACE_WORDS[one] for one in allowed)} again.",
                    str(crit.model),
                    claimed={"passes": number + 1, "die": index, "face": face},
                )
        for index, face in zip(entry.indices, new, strict=False):
            if 0 <= index < len(lying):
                lying[index] = face
    return None


@assault_cannon.at("weapon_destroyed")
def _destroyed_told(event: WeaponDestroyed, view: DestructionView, position: Position, hearing: Hearing) -> Seen:
    """A `weapon_destroyed` event restates an effect, or rests on a card or the scenario."""
    if event.model is None or event.weapon is None:
        return [assault_cannon.missing(["the model and the weapon"])]
    told, model = view.destruction, position.table.models.get(event.model)
    side = model.side if model is not None else ""
    if event.cause == "damage_card":
        return None  # CAL-SOR-01
    if told.warrant is Warrant.UNSTATED:
        return [assault_cannon.missing(["what destroyed it"], event.model, player=side)]
    if told.warrant is not Warrant.NONE:
        return RAN
    said: dict[str, Any] = {
        "claimed": {"weapon_destroyed": [event.model, event.weapon]},
        "recomputed": {"weapon_destroyed": None},
    }
    if not told.carried:
        text = f"{event.model} carries no {event.weapon}; the log has it destroyed."
        return [assault_cannon.illegal(text, event.model, player=side, **said)]
    text = f"The {event.weapon} of {event.model} was destroyed, and nothing before destroys it."
    if event.cause == "crit":
        return [assault_cannon.miscalculated(text, event.model, player=side, **said)]
    return [assault_cannon.illegal(text, event.model, player=side, **said)]


@rule(
    Critical.MISSILE_LAUNCHER,
    "Missile launcher",
    section=13,
    events=("attack",),
    kinds=("miscalculated", "ambiguous"),
    when={"attack": (Critical.MISSILE_LAUNCHER,)},
)
def missile_launcher(event: Attack, view: AttackView, position: Position, hearing: Hearing) -> Seen:
    """One die more for each model in the target unit at that moment.

    Log:  the faces of the dice added.
    """
    if view.effect is not Critical.MISSILE_LAUNCHER or view.target is None:
        return None
    due = len(view.target_models)
    return dice_added(
        missile_launcher, event, view, due, Figure("dice added", due, (("models in the target unit", due),))
    )


def dice_added(under: Rule, event: Attack, view: AttackView, due: int, figure: Figure) -> Seen:
    """The number of dice that an effect added."""
    added = view.crits[0].added
    if added is None:
        if due == 0:
            return RAN
        return [under.missing(["the faces of the dice added"], str(event.attacker))]
    shown = faces(added)
    if shown is None or len(shown) == due:
        return RAN
    return [
        under.miscalculated(
            f"The critical effect of {event.attacker} adds {count(due, 'die', 'dice')}; {len(shown)} {'was' if len(shown) == 1 else 'were'} rolled.",
            str(event.attacker),
            claimed={"crit.added": shown},
            recomputed={"crit.added": due},
            figures=(figure,),
        )
    ]


@rule(
    Critical.PLASMA,
    "Plasma",
    section=13,
    events=("attack", "model_removed", "unit_removed"),
    kinds=("miscalculated", "omitted", "ambiguous"),
    readings=("R-GLY-PLASMA",),
    when={"attack": (Critical.PLASMA,)},
)
def plasma(event: Attack, view: AttackView, position: Position, hearing: Hearing) -> Seen:
    """Four more dice, whose hits count. If two or more of them show the overheating face, the model whose weapon was
    used is removed after the attack.

    Log:  the faces of the dice added; the firer removed or not.
    Edge: only these four dice are looked at, and the attack stands.
    """
    if view.effect is not Critical.PLASMA:
        return None
    crit = view.crits[0]
    found = list(dice_added(plasma, event, view, 4, Figure("dice added", 4)) or ())
    shown = faces(crit.added)
    if shown is None:
        return found or RAN
    told = view.overheat_told()
    if told is None:
        hearing.not_claimed()
        return found or RAN
    due = view.overheats(hearing)
    if due and crit.model is None:
        return found or RAN  # whose weapon it was is missing, and CAL-CRT-02 says so (CAL-AUD-04)
    if due and told == "":
        found.append(
            plasma.omitted(
                f"The plasma weapon of {crit.model} overheated ({shown}), and the model was not removed.",
                str(crit.model),
                claimed={"crit.self_casualty": None},
                recomputed={"crit.self_casualty": crit.model},
                figures=(dice_of("the dice added", shown),),
            )
        )
    elif told and not due:
        found.append(
            plasma.miscalculated(
                f"{told} was removed for overheating; the added dice {shown} do not show it.",
                str(crit.model),
                claimed={"crit.self_casualty": told},
                recomputed={"crit.self_casualty": None},
                figures=(dice_of("the dice added", shown),),
            )
        )
    elif due and told != crit.model:
        found.append(
            plasma.miscalculated(
                f"The weapon of {crit.model} overheated; the log removes {told}.",
                str(crit.model),
                claimed={"crit.self_casualty": told},
                recomputed={"crit.self_casualty": crit.model},
            )
        )
    return found or RAN


@plasma.at("model_removed", "unit_removed")
def _removed_by_overheating(
    event: ModelRemoved | UnitRemoved, view: RemovalView, position: Position, hearing: Hearing
) -> Seen:
    """A removal that restates an overheating is of the firer."""
    return restated(plasma, "overheat", event, view)
