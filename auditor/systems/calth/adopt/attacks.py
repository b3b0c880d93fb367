"""Attacks: who is removed, which weapons are destroyed, which TPs are lost."""

from __future__ import annotations

from typing import Any

from auditor.core.findings import Fact
from auditor.core.holes import Hole
from auditor.core.rulings import Hearing
from auditor.systems.calth.adopt.common import lose_track
from auditor.systems.calth.adopt.unactivated import act_unactivated
from auditor.systems.calth.effects import Critical
from auditor.systems.calth.reckoning.attack import AttackView
from auditor.systems.calth.reckoning.claims import possible
from auditor.systems.calth.reckoning.licence import Held
from auditor.systems.calth.state import Position


def attack(event: Any, view: AttackView, position: Position, hearing: Hearing) -> None:
    attacker, target = view.attacker, view.target
    target_hex, before = view.target_hex, view.target_models
    removed, over, locations = _losses(event, view, hearing)
    doomed, unmarked = _doomed_cannons(view, hearing)
    if (
        view.effect is Critical.ASSAULT_CANNON
        and not doomed
        and (view.crits[0].model is None or (view.destruction_told() is None and view.final is None))
    ):
        why = f"event {event.seq} does not state in full what the assault cannon did"
        perhaps = frozenset(("weapon", model, "assault_cannon") for model in view.cannons())
        position.holes.open(Hole(event.seq, why, perhaps))
    suppressed = _suppression(view)
    hits_left = view.hits_left(hearing)
    had = target.tp if target is not None else 0
    act_unactivated(event, view, position)
    act = position.act
    if attacker is None or target is None or _undecided(event, view):
        lose_track(position, event, "who attacked whom, or what became of it")
    elif any(step.casualty is not False and view.is_foe(number) for number, step in enumerate(view.steps)):
        why = f"event {event.seq} removes a model that is not of the side attacked, so who fell is not known"
        fallen: set[Fact] = {("in", model) for model in before} | {("units",), ("removed",), ("losses",)}
        position.holes.open(Hole(event.seq, why, frozenset(fallen)))
    if attacker is not None and view.unrecorded is not None:
        cells: set[Fact] = {("tp", attacker.id), ("act",), ("attack",), ("losses",), ("turn",)}
        position.holes.open(Hole(event.seq, view.unrecorded, frozenset(cells)))
    opened = act is not None and attacker is not None and act.hex == attacker.hex and act.side == attacker.side
    if act is not None and attacker is not None and not opened and act.side == attacker.side:
        if view.role in ("assault", "shoot") and (act.stead is not None or not act.attacked):
            act.pass_to(attacker)  # the attack was made all the same, and what it leads to follows it (CAL-AUD-01)
            opened = True
    side = target.side if target is not None else None
    if suppressed is not None and target is not None:
        all_had = [had]
        # Nobody may know what it had; what it lost the line says, or it is 1, or it had none to lose.
        if position.holes.doubt([("tp", target.id)]):
            lost = possible(view.crits[0].tp_lost)
            all_had = [suppressed + (1 if lost is None else lost)]
            if suppressed == 0 and lost is None:
                all_had.insert(0, 0)
        target.tp = suppressed
        position.hold(*(Held("tps", "crit", target.models, had, suppressed) for had in all_had))
    position.hold(*_at_stake(view, locations))
    struck = [step.target_model for step in view.steps if step.casualty is not False]
    strangers = any(model is not None and model not in before for model in struck)
    stray = position.holes.doubt(None) if strangers else None
    if stray is not None:  # those may count of whom nobody knows where they stood
        position.holes.open(stray.of([("losses",)]))
    _take_losses(view, position, (*removed, *(() if over is None else (over,))), locations, (*doomed, *unmarked))
    position.card_waiting = None
    if act is None:
        return
    # Models of a third unit do not count, however they came to be attacked (CAL-RET-01).
    if (
        view.mode == "melee"
        and side is not None
        and (view.role == "assault" or target_hex in (*act.hexes, act.target_hex))
    ):
        act.losses[side] += sum(model in before for model in removed)
        act.locations[side] += len(locations)
    if view.role == "assault" and opened:
        act.attacked = True
        act.target, act.target_hex, act.target_models = event.target, target_hex, before
        if not act.moved:
            act.action = "assault"
    elif view.role == "counter":
        act.countered = True
    elif view.role == "shoot" and opened:
        act.other_made = act.other_made or act.action != "shoot"
        act.attacked = True
    act.owes = (*act.owes, *unmarked)
    act.hits_left = hits_left or act.hits_left
    if view.role in ("shoot", "flamer_follow_up"):
        flame = view.effect is Critical.FLAMER_FOLLOW_UP and target_hex is not None
        act.flames = act.flames + 1 if view.follow_up else int(flame)
        act.flame = (target_hex, target_hex in position.by_hex) if flame and target_hex is not None else None


def _take_losses(
    view: AttackView, position: Position, removed: tuple[str, ...], locations: list[Any], cannons: tuple[str, ...]
) -> None:
    """Models that fell, Damage cards that were drawn, assault cannons that are destroyed."""
    for model in removed:
        position.remove(model)
    position.casualties = position.casualties + removed
    for location in locations:
        if location.stays_on_model:
            _lay_on_model(position, location.id)
        if location.destroys_weapon is not None:
            owner = next((m for m in view.target_models if position.table.models[m].has_damage_deck), None)
            if owner is not None:
                position.destroyed = position.destroyed | {(owner, location.destroys_weapon)}
    for cannon in cannons:
        destroy(position, (cannon, "assault_cannon"))
        if _bears_too_many_cards(position, cannon):
            position.remove(cannon)
            position.casualties = (*position.casualties, cannon)


def _at_stake(view: AttackView, locations: list[Any]) -> list[Held]:
    """What later lines may restate of an attack: models at stake, Damage cards drawn."""
    aimed_at = [step.target_model for step in view.steps if step.target_model is not None]
    found = [Held("attack", "attack", tuple(aimed_at))]
    if locations:
        found.append(Held("location", "attack", view.target_models))
    if view.effect is Critical.PLASMA and view.crits[0].model is not None:
        found.append(Held("overheat", "overheat", (view.crits[0].model,)))
    drawn = [view.location(number) for number in range(len(view.steps)) if view.is_location(number)]
    found += [Held("card", "damage_card", (), weapon=one.id) for one in (*drawn, *locations) if one is not None]
    return found


def _undecided(event: Any, view: AttackView) -> bool:
    """Whether the models that an attack removed cannot be told."""
    pool = view.pool_played()
    if event.steps is None:
        return pool is None or pool > 0
    return (
        view.vague
        or any(
            step.casualty is not False
            and step.target_model is None
            and (
                view.nobody_knows_where(number)
                or (step.damage_card is None and (len(view.target_models) > 1 or _may_be_more(view)))
            )
            for number, step in enumerate(event.steps)
        )
        or any(step.casualty is None and (step.faces is None or pool is None) for step in event.steps)
    )


def _may_be_more(view: AttackView) -> bool:
    """Whether somebody of whom nobody knows may be in the unit attacked."""
    return view.target is not None and view.position.holes.doubt([("count", view.target.id)]) is not None


def _losses(event: Any, view: AttackView, hearing: Hearing) -> tuple[list[str], str | None, list[Any]]:
    """Models of the target that are removed, the firer that overheats, the locations of Sor Gharax destroyed."""
    removed: list[str] = []
    locations: list[Any] = []
    left = list(view.target_models)
    for number, step in enumerate(event.steps or ()):
        if not view.casualty(number, hearing):
            continue
        if view.is_location(number):
            location = view.location(number)
            if location is not None:
                locations.append(location)
            continue
        model = step.target_model
        if model is None and len(left) == 1:
            model = left[0]
        if model in left:
            left.remove(model)
            removed.append(model)
        elif model is not None and model not in removed and view.target is not None:
            # Whoever fell in place of a model that could be picked has fallen (CAL-AUD-01).
            other = view.position.unit_of.get(model)
            if other is not None and other.side == view.target.side:
                removed.append(model)
    if locations and view.target_is_only_sor:
        most = view.position.table.removed_at
        if most is not None and view.cards_after(hearing) >= most:
            removed.extend(left)
    over = None
    if view.effect is Critical.PLASMA:
        told = view.overheat_told()
        if told is None:
            over = view.crits[0].model if view.overheats(hearing) else None
        else:
            over = told or None
        if over not in view.attacker_models:
            over = None
    return removed, over, locations


def _doomed_cannons(view: AttackView, hearing: Hearing) -> tuple[list[str], list[str]]:
    """Models whose assault cannon this attack destroys: by its own effect, as told or else as recomputed, and
    without.
    """
    by_effect: list[str] = []
    model = view.crits[0].model if view.effect is Critical.ASSAULT_CANNON else None
    if model is not None:
        told = view.destruction_told()
        if told if told is not None else view.doomed(hearing):
            by_effect.append(model)
    others = [one for one in view.cannons() if one != model]
    return by_effect, others if others and view.doomed(hearing, without_effect=True) else []


def destroy(position: Position, weapon: tuple[str, str]) -> None:
    """A weapon is destroyed; one of Sor Gharax puts the card of its location on the model (CAL-CRT-06)."""
    if weapon in position.destroyed:
        return
    position.destroyed = position.destroyed | {weapon}
    model = position.table.models.get(weapon[0])
    if model is None or not model.has_damage_deck:
        return
    for location in position.table.locations.values():
        if location.destroys_weapon == weapon[1] and location.stays_on_model:
            _lay_on_model(position, location.id)


def _lay_on_model(position: Position, card: str) -> None:
    """A Damage card lies on Sor Gharax, and no longer in the deck."""
    position.damage_on_model = position.damage_on_model | {card}
    if position.damage_in_deck is not None:
        position.damage_in_deck = position.damage_in_deck - {card}


def _bears_too_many_cards(position: Position, model: str) -> bool:
    """Whether so many Damage cards lie on a model that it is removed, as its roster says."""
    most, known = position.table.removed_at, position.table.models.get(model)
    if most is None or known is None or not known.has_damage_deck or model not in position.unit_of:
        return False
    return len(position.damage_on_model) >= most


def _suppression(view: AttackView) -> int | None:
    """TPs of the target after a suppressing effect; None where there was none."""
    if view.effect is not Critical.SUPPRESS or view.target is None:
        return None
    crit = view.crits[0]
    after = possible(crit.tp_after)
    if after is not None:
        return after
    lost = possible(crit.tp_lost)
    after = view.target.tp - lost if lost is not None else -1
    return after if after >= 0 else max(0, view.target.tp - 1)
