"""The loop of an attack: targets, defence rolls, hits, casualties (ATK-04 to ATK-09)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from auditor.core.findings import RAN, Figure, Remark
from auditor.core.ruleset import Rule, not_auditable
from auditor.core.rulings import Hearing
from auditor.systems.calth.reckoning.attack import AttackView, Blamed
from auditor.systems.calth.reckoning.dice import rerolled
from auditor.systems.calth.reckoning.lacking import lack_of_attack, lack_of_place
from auditor.systems.calth.reckoning.licence import Removal, Warrant
from auditor.systems.calth.reckoning.retreats import must_roll
from auditor.systems.calth.reckoning.views import (
    ActivationView,
    ActView,
    FloatingView,
    LastStandView,
    MovesView,
    MoveView,
    RemovalView,
    View,
)
from auditor.systems.calth.records import (
    Activate,
    Attack,
    Event,
    LastStand,
    ModelRemoved,
    MoveModels,
    MoveUnit,
    Place,
    Retreat,
    Step,
    UnitRemoved,
    faces,
)
from auditor.systems.calth.rules.common import (
    CHAPTERS,
    CLOSING,
    SOURCE,
    Seen,
    closes,
    dice_of,
    rule,
    unit_marks,
)
from auditor.systems.calth.state import Position
from auditor.systems.calth.words import count, names


@rule(
    "CAL-ATK-04",
    "The target model",
    section=12,
    events=("attack",),
    kinds=("illegal", "ambiguous"),
    finds={"attack": ("passes in doubt",)},
)
def target_model(event: Attack, view: AttackView, position: Position, hearing: Hearing) -> Seen:
    """The player of the unit attacked picks one of its living models, for each pass of the loop anew.

    Log:  the model, and who picked it.
    Edge: Sor Gharax: CAL-SOR-01.
    """
    target = view.target
    if target is None or not event.steps or view.target_is_sor:
        return None  # nobody picks a model of Sor Gharax: CAL-SOR-01
    found: list[Remark] = []
    looked = False
    left = list(view.target_models)
    for number, step in enumerate(event.steps):
        if view.location(number) is not None or step.damage_card is not None:
            continue
        looked = True
        place = str(number)
        model = step.target_model
        if step.chosen_by is not None and step.chosen_by != target.side:
            found.append(
                target_model.illegal(
                    f"{step.chosen_by} picked the target {model}; it was for {target.side} to pick.",
                    place,
                    player=target.side,
                )
            )
        if model is None:
            continue
        if model not in left:
            why = (
                "has already been removed"
                if model in position.removed or model in view.target_models
                else f"is not of {target.id}"
            )
            if view.either is not None:
                text = f"{target.id} is named as the target, and {model} of {view.either.id} is picked; nothing tells which is meant."
                found.append(target_model.ambiguous(text, place, player=target.side))
                continue
            lacks = lack_of_place(target.id, event, position)
            text = f"{model} was picked as a target and {why}."
            found.append(target_model.illegal(text, place, player=target.side, lacks=lacks))
        elif view.casualty(number, hearing):
            left.remove(model)
    return found or (RAN if looked else None)


@dataclass(slots=True)
class _Wrong:
    """What is wrong with one pass: field -> (claimed, recomputed), the words for it, and the figures."""

    fields: dict[str, tuple[Any, Any]] = field(default_factory=dict)
    told: list[str] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)

    def add(self, key: str, claimed: Any, recomputed: Any, told: str, *figures: Figure) -> None:
        self.fields[key] = claimed, recomputed
        self.told.append(told)
        self.figures += figures

    def remark(self, under: Rule, head: str, number: int, player: str) -> Remark:
        return under.miscalculated(
            f"{head}: {'; '.join(self.told)}.",
            str(number),
            player=player,
            claimed={f"steps.{number}.{key}": said for key, (said, _) in self.fields.items()},
            recomputed={f"steps.{number}.{key}": ruled for key, (_, ruled) in self.fields.items()},
            figures=self.figures,
        )


@rule(
    "CAL-ATK-05",
    "Defence roll",
    section=12,
    events=("attack",),
    kinds=("miscalculated", "ambiguous"),
    finds={"attack": ("passes in doubt",)},
)
def defence_roll(event: Attack, view: AttackView, position: Position, hearing: Hearing) -> Seen:
    """The target model rolls as many dice as its Armour and the bonuses; each shield takes one hit out of the pool.

    Log:  Armour and bonus used, the faces, the shields, the pool after them.
    Edge: no dice, no roll. The pool never falls below 0.
    """
    target = view.target
    if target is None or not event.steps:
        return None
    found: list[Remark] = []
    for number, step in enumerate(event.steps):
        wrong = _Wrong()
        shown = faces(step.faces)
        _compare_defence_dice(wrong, step, shown, view, number, hearing)
        if shown is not None:
            shown = rerolled(shown, step)  # what may not be rolled again is CAL-WAR-02's business
        shields = _shields_compared(wrong, step, shown, hearing)
        pool = view.pool_before(number, hearing)
        if step.pool_after_shields is None:
            hearing.not_claimed()
        elif shields is not None and pool is not None:
            due = max(0, pool - shields)
            if step.pool_after_shields != due:
                told = f"{count(shields, 'shield')} of {count(pool, 'hit')} leave{'s' * (shields == 1)} {due}, not {step.pool_after_shields}"
                wrong.add("pool_after_shields", step.pool_after_shields, due, told)
        if wrong.fields:
            who = step.target_model or "the target"
            if shown:
                wrong.figures.insert(0, dice_of("the defence roll", shown))
            found.append(wrong.remark(defence_roll, f"Defence roll {number + 1}, {who}", number, target.side))
    return found or RAN


def _compare_defence_dice(
    wrong: _Wrong, step: Step, shown: str | None, view: AttackView, number: int, hearing: Hearing
) -> None:
    """The Armour used, and whether as many dice were rolled as it and the bonuses give."""
    armour = view.armour_due(number, hearing)
    if step.armour_used is None:
        hearing.not_claimed()
    elif armour is not None and step.armour_used != armour.value and view.armour_blamed(number, hearing) is Blamed.ROLL:
        told = f"the Armour is {armour.value}, not {step.armour_used}"
        wrong.add("armour_used", step.armour_used, armour.value, told, armour)
    used = step.armour_used if step.armour_used is not None else (int(armour.value) if armour is not None else None)
    bonus = step.bonus_dice
    if bonus is None:
        ruled = view.bonus_due(number, hearing)
        bonus = int(ruled.value) if ruled is not None else None
    if shown is None or used is None or bonus is None or "armour_used" in wrong.fields:
        return
    due = max(0, int(used)) + int(bonus)
    # Where the dice are right, the part that is wrong is told under its own rule.
    ruled = view.bonus_due(number, hearing) if len(shown) != due and armour is not None else None
    if len(shown) != due and (armour is None or ruled is None or len(shown) != int(armour.value) + int(ruled.value)):
        told = f"{count(due, 'die', 'dice')} are due, {len(shown)} recorded"
        wrong.add("faces", shown, due, told, Figure("defence dice", due, (("Armour", used), ("bonus", bonus))))


def _shields_compared(wrong: _Wrong, step: Step, shown: str | None, hearing: Hearing) -> int | None:
    """The shields that a pass claims, which its faces have to show, or else those of its faces."""
    shields = step.shields
    if shown is None:
        return shields
    if shields is None:
        hearing.not_claimed()
        return shown.count("S")
    if shields != shown.count("S"):
        told = f"{shown} shows {count(shown.count('S'), 'shield')}, not {shields}"
        wrong.add("shields", shields, shown.count("S"), told)
    return shields


@rule(
    "CAL-ATK-06",
    "Allocating hits",
    section=12,
    events=("attack", "model_removed", "unit_removed"),
    kinds=("miscalculated",),
    finds={"attack": ("passes in doubt",)},
)
def allocation(event: Attack, view: AttackView, position: Position, hearing: Hearing) -> Seen:
    """With at least as many hits as its Stamina the target model is removed and uses up that many; with fewer it stays,
    the hits are lost and the attack is over.

    Log:  Stamina used, casualty or not, the pool left.
    """
    target = view.target
    if target is None or not event.steps:
        return None
    found: list[Remark] = []
    for number, step in enumerate(event.steps):
        wrong = _Wrong()
        stamina = view.stamina_due(number)
        used = step.stamina_used
        if used is None:
            hearing.not_claimed()
            used = int(stamina.value) if stamina is not None else None
        elif stamina is not None and used != stamina.value:
            if view.stamina_blamed(number) is Blamed.ROLL:
                told = f"the Stamina is {stamina.value}, not {used}"
                wrong.add("stamina_used", used, stamina.value, told, stamina)
        pool = view.pool_shielded(number, hearing)
        if pool is not None and used is not None and "stamina_used" not in wrong.fields:
            _compare_casualty(wrong, step, pool, used, view, number, hearing)
        if wrong.fields:
            who = step.target_model or "the target"
            found.append(wrong.remark(allocation, f"Pass {number + 1}, {who}", number, target.side))
    return found or RAN


def _compare_casualty(
    wrong: _Wrong, step: Step, pool: int, used: int, view: AttackView, number: int, hearing: Hearing
) -> None:
    """Whether the target model falls to the pool, and what is left of it."""
    dies = pool >= used and pool > 0
    if step.casualty is None:
        hearing.not_claimed()
    elif step.casualty != dies and not any(
        step.casualty == (n >= used and n > 0) for n in _other_pools(step, view, number, hearing)
    ):
        enough = "are enough" if dies else "are not enough"
        kept = "keeps it alive" if dies else "removes it"
        told = f"{count(pool, 'hit')} {enough} for a Stamina of {used}, and the log {kept}"
        wrong.add("casualty", step.casualty, dies, told)
    played = step.casualty if step.casualty is not None else dies
    left = max(0, pool - int(used)) if played else 0
    if step.pool_left is None:
        hearing.not_claimed()
    elif (
        step.pool_left != left
        and "casualty" not in wrong.fields
        and step.pool_left
        not in [max(0, n - int(used)) if played else 0 for n in _other_pools(step, view, number, hearing)]
    ):
        told = f"{count(left, 'hit')} {'is' if left == 1 else 'are'} left, not {step.pool_left}"
        wrong.add("pool_left", step.pool_left, left, told)


def _other_pools(step: Step, view: AttackView, number: int, hearing: Hearing) -> list[int]:
    """The pools that a pass may go on with beside the one that it states after its shields: a wrong pool is a fault of
    its own; what follows from it, and what follows from the right one, is none."""
    others = [view.pool_unclaimed(number, hearing)] if step.pool_after_shields is not None else []
    if step.shields is not None:
        others.append(view.pool_by_the_faces(number, hearing))
    return [other for other in others if other is not None]


@rule(
    "CAL-ATK-07",
    "The loop of an attack",
    section=12,
    events=("attack", *CLOSING),
    kinds=("illegal", "omitted", "ambiguous"),
    readings=("R-SOR-DECK",),
    when=dict.fromkeys(CLOSING, ("hits left",)),
    finds={"attack": ("passes in doubt",)},
)
def loop(event: Attack, view: AttackView, position: Position, hearing: Hearing) -> Seen:
    """While hits are in the pool and models are left, the next model is picked and rolls anew; the attack is over with
    no hits or no models.

    Log:  one entry for each pass.
    Edge: nobody is picked twice; hits left over vanish.
    """
    target = view.target
    if target is None or event.steps is None or (view.final is None and event.pool is None):
        return None
    fallen = 0
    pool = view.pool_played()
    for number, _step in enumerate(event.steps):
        if pool is None:
            return RAN
        if pool <= 0:
            return [
                loop.illegal(
                    f"The attack of {event.attacker or 'a unit'} on {target.id} went on with pass {number + 1} although no hits "
                    "were left.",
                    str(number),
                    player=target.side,
                    claimed={"steps": len(event.steps)},
                    recomputed={"steps": number},
                )
            ]
        if view.casualty(number, hearing) and not view.is_location(number):
            fallen += 1
        pool = view.pool_after(number, hearing)
    left = len(view.target_models) - fallen
    if pool is not None and pool > 0 and left > 0 and not view.target_gone(hearing):
        if view.hits_left(hearing):
            return RAN  # Sor Gharax may be removed by a line of its own, before the activation is over
        if _no_location_is_left(view, position) and hearing.ask("R-SOR-DECK") == "no_repeat_in_attack":
            return RAN
        return [
            loop.omitted(
                f"The attack stopped with {count(pool, 'hit')} in the pool and {count(left, 'model')} left in "
                f"{target.id}.",
                str(len(event.steps)),
                player=target.side,
                claimed={"steps": len(event.steps)},
                recomputed={"steps": len(event.steps) + 1},
                figures=(Figure("pool left", pool), Figure("models left", left)),
            )
        ]
    return RAN


@loop.at(*CLOSING)
def _loop_was_ended(event: Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """An attack that stopped with hits left after a location of Sor Gharax: no line has removed him since."""
    act = position.act
    if act is None or act.hits_left is None or not closes(event, view):
        return None
    model, pool = act.hits_left
    unit = position.unit_of.get(model)
    if unit is None:
        return RAN
    return [
        loop.omitted(
            f"The attack on {unit.id} stopped with {count(pool, 'hit')} in the pool, and nothing says that {model} was "
            "removed.",
            model,
            player=unit.side,
            figures=(Figure("pool left", pool),),
            evidence=unit_marks(position, unit.id, label="another card was due"),
        )
    ]


def _no_location_is_left(view: AttackView, position: Position) -> bool:
    """Whether every card of the Damage deck was drawn in this attack, so that without repeats there is no next
    target.
    """
    deck = position.damage_in_deck
    if not view.target_is_sor or deck is None:
        return False
    cards = (step.damage_card for step in view.steps)
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
    kinds=("illegal", "ambiguous"),
    finds={"activate": ("in doubt",), "move_unit": ("in doubt", "models named")},
)
def removal(event: Activate | Retreat, view: ActivationView | ActView, position: Position, hearing: Hearing) -> Seen:
    """Removed models leave at once; a unit without models leaves the board with its TPs and plays no further part.

    Log:  who acts, moves, is picked or placed.
    """
    return _acting_unit_is_left(event.unit, view) if isinstance(event, Activate) else RAN


@removal.at("attack")
def _attackers_are_left(event: Attack, view: AttackView, position: Position, hearing: Hearing) -> Seen:
    removed = position.removed
    if removed and event.weapons:
        known, side = position.table.models, view.attacker.side if view.attacker is not None else None
        gone = sorted({m for m, _ in event.weapons if m in removed and side in (None, known[m].side)})
        if gone:
            return _took_part(gone)
    if view.nobody_left and view.role != "assault" and view.attacker is not None:  # there: CAL-ASL-01
        did = "struck back" if view.role == "counter" else "shot"
        text = f"{view.attacker.id} {did} at {event.target}, which has no model left on the board."
        return [removal.illegal(text, view.attacker.id)]
    return _acting_unit_is_left(event.attacker, view)


@removal.at("move_unit")
def _movers_are_left(event: MoveUnit, view: MoveView, position: Position, hearing: Hearing) -> Seen:
    gone = [m for m in event.models if m in position.removed] if event.models else ()
    return _took_part(gone) if gone else _acting_unit_is_left(event.unit, view)


@removal.at("move_models")
def _moving_models_are_left(event: MoveModels, view: MovesView, position: Position, hearing: Hearing) -> Seen:
    removed = position.removed
    gone = [m.model for m in event.moves or () if m.model is not None and m.model in removed] if removed else ()
    return _took_part(gone) if gone else _acting_unit_is_left(event.unit, view)


@removal.at("place")
def _placed_model_is_left(event: Place, view: FloatingView, position: Position, hearing: Hearing) -> Seen:
    return _took_part([event.model]) if event.model is not None and event.model in position.removed else RAN


@removal.at("last_stand")
def _those_who_roll_are_left(event: LastStand, view: LastStandView, position: Position, hearing: Hearing) -> Seen:
    gone = [m for m in event.models or () if m in position.removed]
    return _took_part(gone) if gone else RAN


@removal.at("model_removed", "unit_removed")
def _was_removed(event: ModelRemoved | UnitRemoved, view: RemovalView, position: Position, hearing: Hearing) -> Seen:
    """What the line restates was said by another; without that it takes a licence."""
    named = event.model if isinstance(event, ModelRemoved) else event.unit
    told = view.removal
    if named is None:
        return [removal.missing([f"which {'model' if isinstance(event, ModelRemoved) else 'unit'} was removed"])]
    if told.warrant is Warrant.UNSTATED:
        return [removal.missing(["what removed it"], named, player=told.side)]
    if told.warrant is not Warrant.NONE or _last_stand_left_out(told, position, hearing):
        return RAN
    return [
        removal.illegal(
            f"The log has {named}{f' of {told.side}' if told.side else ''} removed "
            f'("{(told.cause or "")[:40]}"), and nothing before removes it.',
            named,
            player=told.side,
            claimed={"cause": told.cause},
            recomputed={"cause": None},
            lacks=lack_of_attack(event, position),
            evidence=unit_marks(position, named, label="still there"),
        )
    ]


def _last_stand_left_out(told: Removal, position: Position, hearing: Hearing) -> bool:
    """Whether models were removed by a last stand that was due and that nobody rolled: CAL-DLS-01 names it."""
    if told.cause != "last_stand":
        return False
    due = must_roll(position, position.act, hearing)
    return due is not None and set(told.models) <= set(due[1])


@allocation.at("model_removed", "unit_removed")
def _removed_by_attack(
    event: ModelRemoved | UnitRemoved, view: RemovalView, position: Position, hearing: Hearing
) -> Seen:
    """A removal that restates an attack is of a model that the attack removed."""
    return restated(allocation, "attack", event, view)


def restated(under: Rule, cause: str, event: ModelRemoved | UnitRemoved, view: RemovalView) -> Seen:
    """A removal that restates an event and names models that it left standing."""
    told = view.removal
    if (event.cause if told.warrant is Warrant.ECHO else told.cause) != cause:
        return None
    if told.warrant is not Warrant.DIFFERS:
        return RAN
    named = event.model if isinstance(event, ModelRemoved) else event.unit
    key = "model" if isinstance(event, ModelRemoved) else "unit"
    return [
        under.miscalculated(
            f"The log removes {named}; what came before leaves it standing.",
            str(named),
            player=told.side,
            claimed={key: named},
            recomputed={key: None},
        )
    ]


def _took_part(gone: Sequence[str]) -> Seen:
    return [
        removal.illegal(
            f"{names(gone)} {'was' if len(gone) == 1 else 'were'} removed and took part again.",
            *gone,
        )
    ]


def _acting_unit_is_left(label: str | None, view: View) -> Seen:
    if label is None or view.actor is not None or not view.destroyed(label):
        return RAN
    return [removal.illegal(f"{label} has no model left on the board and acted.", label)]


no_dice = not_auditable(
    "CAL-ATK-09",
    "An attack without dice",
    "A Shoot without dice bears the number CAL-SHT-01, and a melee attack without dice is legal.",
    """An attack that would roll no dice cannot be made by a Shoot; a melee attack with no dice is legal and does
    nothing.""",
    chapter=CHAPTERS[12],
    source=f"{SOURCE}, section 12",
)
