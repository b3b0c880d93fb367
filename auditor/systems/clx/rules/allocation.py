"""From wounds to casualties: pools, which model takes each wound, and its save."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

from auditor.core.findings import RAN, Figure, Note, Remark
from auditor.core.ruleset import Rule
from auditor.core.rulings import Hearing
from auditor.geometry.inches.lengths import Length, root, shown
from auditor.geometry.inches.shapes import NEAR, Circle, Point, distance, gap, squared_to_polygon
from auditor.systems.clx import records
from auditor.systems.clx.packs import Model, Unit
from auditor.systems.clx.position.state import Position
from auditor.systems.clx.reckoning.attacks import attack_of, weapon_of
from auditor.systems.clx.reckoning.cover import single_shots
from auditor.systems.clx.reckoning.dice import reaches
from auditor.systems.clx.reckoning.facing import reference
from auditor.systems.clx.reckoning.options import asked
from auditor.systems.clx.reckoning.pools import Pool, pool_of, save_against
from auditor.systems.clx.reckoning.saves import save_needs
from auditor.systems.clx.reckoning.saves import saved as was_saved
from auditor.systems.clx.reckoning.shots import (
    ELEV,
    ELEV_REF,
    HEIGHTS,
    State,
    eligible,
    eligible_surely,
    pair_of,
    spatial,
)
from auditor.systems.clx.reckoning.throws import throw_of
from auditor.systems.clx.reckoning.ways import Ways
from auditor.systems.clx.rules.armour import source_of, special
from auditor.systems.clx.rules.common import Seen, fault, inches, rule, unchecked, within_tolerance
from auditor.systems.clx.tolerance import RND, Judged, allowance
from auditor.systems.words import count

NEXT, FROM = "OR-ALLOC-NEXT", "OR-ALLOC-FROM"
_ALIKE = frozenset(["twin_linked", "blast", "two_handed"])
"""Rules of weapons that are over before a wound is allocated."""


# -- pools --------------------------------------------------------------------------------------------------------


def _profile(weapon: str | None, automatic: bool, position: Position) -> Any:
    """What makes a wound different from another; None where the weapon is not known."""
    known = position.setup.weapons.get(weapon or "")
    return None if known is None else (known.strength, 1 if automatic else known.ap, known.rules - _ALIKE, automatic)


@rule("CLX-SHOOT-12", "Pools of wounds", events=["wound_rolls", "allocate"], kinds=["illegal"])
def wounds_of_one_kind_are_pooled(
    event: records.WoundRolls | records.Allocate, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """Wounds of different rules or profiles go into pools of their own, and a pool is allocated to its end before the next.

    Log:  the pool of each roll to wound, and the order in which pools are allocated.
    Edge: the 6s of a Rending weapon are a pool of their own. The order of the pools is the shooter's choice (a base rule).
    """
    rule_id = wounds_of_one_kind_are_pooled.id
    found = attack_of(event, position)
    if found is None or event.pool is None:
        return None
    attack, unit, target = found
    if isinstance(event, records.Allocate):
        if event.pool not in attack.order[:-1] or event.pool == attack.order[-1]:
            return RAN
        text = f"Wounds of {attack.unit} on {target.name} were allocated after another group of them was begun."
        return [fault(rule_id, "illegal", text, target.id, player=target.player, claimed=event.pool)]
    name = weapon_of(event.weapon, attack)
    kinds = [*attack.made.get(event.pool, ())]
    kinds += [(name, False)] * bool(event.rolls) + [(name, True)] * bool(event.automatic)
    profiles = {_profile(weapon, automatic, position) for weapon, automatic in kinds}
    if None in profiles or len(profiles) <= 1:
        return RAN
    text = f"One group of the wounds of {attack.unit} mixes different kinds: " + " and ".join(
        dict.fromkeys(
            f"{position.setup.weapons[str(weapon)].name}{' (Rending)' if rends else ''}" for weapon, rends in kinds
        )
    )
    return [fault(rule_id, "illegal", f"{text}.", unit.id, claimed=event.pool)]


# -- who takes a wound --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Choice:
    """How the choice of a model stands: fine, near (within the tolerance), barely (a closer one is in range and sight only
    within it), wrong or unknown, and what it should have been.

    right   the closest model that may take the wound; None: nobody may
    """

    verdict: str
    right: Model | None = None
    own: Length | None = None
    least: Length | None = None
    tied: bool = False


@dataclass(slots=True)
class Fallen:
    """What the wounds of one event have done so far. `maybe`: models that may be gone; `round`: who has taken one since the
    start of the list, or since all had one; `nobody`: no model was within reach of the shots before anybody fell."""

    left: dict[str, int | None]
    gone: set[str] = field(default_factory=set)
    maybe: set[str] = field(default_factory=set)
    round: set[str] = field(default_factory=set)
    nobody: bool = False

    @property
    def told(self) -> Hashable:
        """All of it, as what is kept of a choice hangs on it."""
        return (tuple(self.left.items()), *map(frozenset, (self.gone, self.maybe, self.round)), self.nobody)

    def copy(self) -> Fallen:
        return replace(self, left={**self.left}, gone={*self.gone}, maybe={*self.maybe}, round={*self.round})


def _from(where: str, firers: list[Model], unit: Unit, model: Model, position: Position) -> Length | None:
    """How far a model is from those who shoot at it."""
    if where == "NEAREST_FIRER":
        pairs = [pair_of(one, model, position) for one in firers]
        first = min((pair.about for pair in pairs), default=0.0) + 2 * NEAR
        return min((pair.gap for pair in pairs if pair.about <= first), default=None)
    middle = position.now.once(("middle", unit.id), lambda: reference(unit, position))
    return None if middle is None else _to_point(position.shape(model), middle)


def _to_point(shape: Any, at: Point) -> Length:
    if isinstance(shape, Circle):
        return distance(shape.centre, at) - shape.radius
    return root(squared_to_polygon(at, shape))


def _choice(
    model: Model,
    pool: Pool,
    states: dict[str, State],
    distances: dict[str, Length],
    fallen: Fallen,
    nexts: str,
    allowed: Any,
    surely: Callable[[Model], bool],
) -> Choice:
    """How it stands that a wound goes to a model, under one combination of readings. `surely`: whether a model is in range
    and sight by more than the tolerance."""
    if model.id not in distances:
        return Choice("unknown")
    out = fallen.gone | (fallen.maybe - {model.id})
    may = [one for one in pool.target.models if states.get(one.id) == "fine" and one.id not in out]
    if nexts == "ROTATE":
        fresh = [one for one in may if one.id not in fallen.round]
        may = fresh or may
        if fresh and model.id in fallen.round and states[model.id] in ("fine", "tolerance"):
            certain = [one for one in fresh if surely(one)]
            first = min(certain or fresh, key=lambda one: float(distances[one.id]))
            return Choice("wrong" if certain else "barely", first, distances[model.id], distances[first.id])
    own = distances[model.id]
    right = min(may, key=lambda one: float(distances[one.id]), default=None)
    if states[model.id] == "unknown":
        return Choice("unknown", right, own)
    if states[model.id] in ("far", "unseen"):
        return Choice("wrong", right, own, None if right is None else distances[right.id])
    if right is None:  # It is itself in range and sight within the tolerance only.
        return Choice("near", right, own, own)
    least = distances[right.id]
    over = own - least
    if over.sign() <= 0:
        tied = any(one.id != model.id and distances[one.id] == own for one in may)
        return Choice("near" if states[model.id] == "tolerance" else "fine", right, own, least, tied)
    if over <= 2 * allowed:
        return Choice("near", right, own, least)
    closer = [one for one in may if (own - distances[one.id]) > 2 * allowed and surely(one)]
    right = min(closer, key=lambda one: float(distances[one.id]), default=right)
    return Choice("wrong" if closer else "barely", right, own, distances[right.id])


def _chosen(model: Model, pool: Pool, fallen: Fallen, position: Position, hearing: Hearing) -> Choice:
    """How it stands that a wound goes to a model. Readings are asked as far as that hangs on them."""
    question = ("choice", model.id, pool.weapon.id, pool.target.id, pool.unit.id, pool.names, pool.unnamed, fallen.told)
    found = position.now.once(question, lambda: _choices(model, pool, fallen, position, hearing))
    return asked(found, (NEXT, FROM, ELEV, ELEV_REF), hearing, lambda one: (one.verdict, one.tied))


def _choices(
    model: Model, pool: Pool, fallen: Fallen, position: Position, hearing: Hearing
) -> dict[tuple[str, ...], Choice]:
    """How it stands under each combination of the readings."""
    allowed = allowance(hearing.settings)
    living = [one for one in position.living(pool.target) if one.id not in fallen.gone]
    level = {position.models[one.id].z for one in (*pool.firers, *living)} == {0}
    heights = HEIGHTS[:1] if level else HEIGHTS
    states = {one: {model.id: _state(pool, model, one, position, hearing) for model in living} for one in heights}
    where = ("NEAREST_FIRER", "UNIT_CENTRE")
    distances = {
        one: {m.id: far for m in living if (far := _distance(pool, m, one, position)) is not None} for one in where
    }

    def surely(height: tuple[str, str]) -> Callable[[Model], bool]:
        return lambda one: _surely(pool, one, height, position, hearing)

    def under(nexts: str) -> dict[tuple[str, ...], Choice]:
        return {
            (one, *height): _choice(model, pool, states[height], distances[one], fallen, nexts, allowed, surely(height))
            for one, height in product(where, heights)
        }

    stick = under("STICK")
    rotate = under("ROTATE") if fallen.round else stick  # Nobody has had a turn yet.
    return {(nexts, *key): one for nexts, each in (("STICK", stick), ("ROTATE", rotate)) for key, one in each.items()}


def _state(pool: Pool, model: Model, heights: tuple[str, str], position: Position, hearing: Hearing) -> State:
    """How a model of the target stands to those who fire at it."""
    question = ("stands", pool.weapon.id, pool.names, model.id, heights)
    return position.now.once(
        question, lambda: eligible(pool.firers, pool.weapon, model, heights, position, hearing.settings)
    )


def _surely(pool: Pool, model: Model, heights: tuple[str, str], position: Position, hearing: Hearing) -> bool:
    """Whether those who fire at it reach a model of the target by more than the tolerance."""
    question = ("surely", pool.weapon.id, pool.names, model.id, heights)
    return position.now.once(
        question, lambda: eligible_surely(pool.firers, pool.weapon, model, heights, position, hearing.settings)
    )


def _distance(pool: Pool, model: Model, where: str, position: Position) -> Length | None:
    question = ("far", where, pool.unit.id, pool.names, model.id)
    return position.now.once(question, lambda: _from(where, pool.firers, pool.unit, model, position))


@rule(
    "CLX-SHOOT-13",
    "Allocating wounds",
    events=["allocate"],
    kinds=["illegal", "miscalculated", "omitted"],
    readings=[NEXT, FROM, ELEV, ELEV_REF],
)
def the_closest_model_takes_the_wound(
    event: records.Allocate, resolved: Ways | None, position: Position, hearing: Hearing
) -> Iterable[Remark] | None:
    """Each wound goes to the closest model of the target that one of those who fire has in range and sees. It takes one
    save; without wounds left it is removed, and the next closest follows. Where nobody is left the wounds are lost.

    Log:  the places, the order of the wounds, the saves, and what is claimed of them and of removals.
    Edge: a closer model that is in range and sight only within the tolerance may be passed over.
    Edge: of equally close models the owner of the target picks. A character may have another model take the wound.
    Edge: an armour save is lost to an AP that is not above it (a base rule, BASE-AS). 1+ armour is CLX-MISC-03, Hefty
          CLX-GEAR-02, NBC CLX-USR-03, Rending CLX-GEAR-03.
    Edge: in a fight, and against a grenade, the number that a save needs is looked at as well; who takes a wound in a
          fight is CLX-ASLT-04, what the saves come to CLX-LOG-04.
    """
    if event.wounds is not None and event.attack not in position.attacks:
        return _saves_in_assault(event, event.wounds, position)
    pool = pool_of(event, position)
    if pool is None or event.wounds is None:
        return None
    return _allocated(event, event.wounds, pool, position, hearing)


def _allocated(
    event: records.Allocate, wounds: list[records.Wound], pool: Pool, position: Position, hearing: Hearing
) -> Iterator[Remark]:
    """What a save needs, and who is gone, comes first: it hangs on no place of those who fired."""
    rule_id = the_closest_model_takes_the_wound.id
    own = {model.id: model for model in pool.target.models}
    fallen = Fallen({model: position.models[model].wounds for model in own})
    fallen.maybe = {model for model, left in fallen.left.items() if left == 0}
    fallen.round = _round(pool.attack.takers.get(event.pool, ()), pool, position)
    given = True  # It is recorded who took the wounds so far.
    chosen: list[tuple[Model, Fallen]] = []
    for wound in wounds:
        model = own.get(wound.model or "")
        if wound.model is None and given:
            given, fallen.left = False, dict.fromkeys(own)
            yield unchecked(rule_id, "the record does not say which model took a wound")
        if model is None or not position.on_table(model.id) or model.id in fallen.gone:
            yield from _not_of_the_target(wound, own, pool)
            continue
        if given:
            chosen.append((model, fallen.copy()))
        taker = own.get(wound.look_out_sir.to or "", model) if wound.look_out_sir is not None else model
        yield from _look_out(wound, model, pool, position)
        yield from _save(wound, taker, pool, position, hearing)
        yield from _removal(wound, taker, pool, fallen, position)
        fallen.round.add(model.id)
        if all(one.id in fallen.round for one in position.living(pool.target) if one.id not in fallen.gone):
            fallen.round = set()
    yield from _to_nobody(event, pool, position)
    pool = replace(pool, firers=[model for model in pool.firers if position.on_table(model.id)])
    why = _not_aimed(pool, position, hearing)
    if why is not None:
        yield unchecked(rule_id, why)
        return
    nobody = False
    for model, before in chosen:
        before.nobody = nobody
        yield from _judged(event, model, pool, before, position, hearing)
        nobody = before.nobody


def _not_aimed(pool: Pool, position: Position, hearing: Hearing) -> str | None:
    """Why nobody can say whom the shots of a pool may wound."""
    if not single_shots(pool.weapon):
        return "which models a blast or a guessed shot may wound is not worked out"
    if pool.weapon.range is None:
        return f"the range of {pool.weapon.name} is not known"
    if any(spatial(model, position.living(pool.target), position, hearing) for model in pool.firers):
        return "distances between different heights are measured on the plan only (OR-3D)"
    return "the record does not say which models fired" if pool.unnamed else None


def _saves_in_assault(event: records.Allocate, wounds: list[records.Wound], position: Position) -> Seen:
    """The numbers that saves in a fight or against a grenade are claimed to need, where no special rule is about them."""
    source, of = source_of(event, position), position.combat.steps.get(event.attack) or throw_of(event.attack, position)
    if source is None or of is None or of.counts is None or not of.counts.made.get(event.pool):
        return None  # It may be of another step than the one it names.
    seen: list[Remark] = []
    for wound in wounds:
        taker = wound.look_out_sir.to if wound.look_out_sir and wound.look_out_sir.to else wound.model
        model, save = position.setup.models.get(taker or ""), wound.save
        if model is None or model.unit != of.target or save is None or save.claimed_needed is None:
            continue
        if special(source, model, save):
            continue
        known, needed = save_needs(save, model, source.weapon, source.automatic, position)
        claimed = save.claimed_needed if save.claimed_needed <= 6 else None
        if not known or claimed == needed:
            continue
        text = f"{model.id} saves on {needed} or more, not on {save.claimed_needed}."
        if needed is None:
            text = f"{model.id} has no armour save against {source.weapon.name} with AP {source.weapon.ap} (base rule)."
        unit = position.setup.units[model.unit]
        seen.append(
            fault(
                the_closest_model_takes_the_wound.id,
                "miscalculated",
                text,
                model.id,
                player=unit.player,
                claimed={"needed": save.claimed_needed},
                recomputed={"needed": needed},
            )
        )
    return seen or RAN


def _to_nobody(event: records.Allocate, pool: Pool, position: Position) -> list[Remark]:
    """Wounds of which none is allocated, though somebody is left: they were lost, or are not recorded."""
    wounds = pool.attack.pools.get(event.pool, (None, 0))[1]
    if event.wounds or wounds <= 0 or not position.living(pool.target):
        return []
    text = f"None of the {wounds} wounds of {event.pool} went to a model of {pool.target.name}: lost, or not recorded."
    return [Note("unverifiable", text, the_closest_model_takes_the_wound.id)]


def _round(takers: tuple[str, ...], pool: Pool, position: Position) -> set[str]:
    """Who has taken a wound of a pool since all that stand there now had one."""
    living = {one.id for one in position.living(pool.target)}
    found: set[str] = set()
    for taker in takers:
        found.add(taker)
        if living <= found:
            found = set()
    return found


def _not_of_the_target(wound: records.Wound, own: dict[str, Model], pool: Pool) -> list[Remark]:
    if wound.model is None or wound.model in own:
        return []  # It is of the target, whether or not it is still there.
    text = f"A wound on {pool.target.name} is allocated to {wound.model}, which is no model of it."
    rule_id = the_closest_model_takes_the_wound.id
    return [fault(rule_id, "illegal", text, wound.model, player=pool.target.player, claimed=wound.model)]


def _judged(
    event: records.Allocate, model: Model, pool: Pool, fallen: Fallen, position: Position, hearing: Hearing
) -> list[Remark]:
    rule_id = the_closest_model_takes_the_wound.id
    choice = _chosen(model, pool, fallen, position, hearing)
    if choice.verdict == "fine":
        if choice.tied and event.chosen_by is not None and event.chosen_by != pool.target.player:
            text = f"{model.id} is one of several equally close models; its owner picks, not {event.chosen_by}."
            return [fault(rule_id, "illegal", text, model.id, claimed=event.chosen_by, recomputed=pool.target.player)]
        return []
    if choice.verdict == "unknown":
        why = "a height that is not known" if choice.own is not None else f"where {pool.unit.name} stands"
        return [unchecked(rule_id, f"whether {model.id} is the closest that can be seen hangs on {why}")]
    assert choice.own is not None
    if choice.verdict == "near":
        over = Length() if choice.least is None else choice.own - choice.least
        judged = Judged(over, "tolerance", 2 * allowance(hearing.settings))
        return [within_tolerance(rule_id, judged, f"{model.id} takes a wound though another model may be closer:")]
    if choice.verdict == "barely" and choice.right is not None and choice.least is not None:
        text = (
            f"{model.id}, {inches(choice.own)} away, takes a wound; {choice.right.id}, {inches(choice.least)} away, is in"
            " range and sight only within the tolerance."
        )
        return [Note("tolerance", text, rule_id)]
    if choice.right is None or choice.least is None:
        if fallen.nobody or not (fallen.gone or any(pool.attack.takers.values())):
            fallen.nobody = True
            return []  # Nobody was within reach when these shots were fired, which is where they went wrong.
        text = f"{model.id} takes a wound, but no model of {pool.target.name} is in range and sight: it is lost."
    else:
        text = (
            f"{model.id}, {inches(choice.own)} away, takes a wound; {choice.right.id}, {inches(choice.least)} away, is"
            " the closest that may."
        )
    return [
        fault(
            rule_id,
            "illegal",
            text,
            model.id,
            player=pool.target.player,
            claimed=model.id,
            recomputed=None if choice.right is None else choice.right.id,
            figures=[
                Figure("distance", shown(choice.own)),
                *([] if choice.least is None else [Figure("closest", shown(choice.least))]),
            ],
        )
    ]


def _look_out(wound: records.Wound, model: Model, pool: Pool, position: Position) -> list[Remark]:
    """A wound that another model takes for a character: one of the unit within 6 inches (base rules)."""
    looked = wound.look_out_sir
    if looked is None or looked.to is None:
        return []
    to = next((one for one in pool.target.models if one.id == looked.to), None)
    needed = position.setup.base["BASE-LOS!"]
    if not model.character:
        why = f"{model.id} is no character"
    elif to is None or not position.on_table(to.id):
        why = f"{looked.to} is no model of {pool.target.name} on the table"
    elif gap(position.shape(model), position.shape(to)) > 6 + 2 * RND:
        why = f"{to.id} is {inches(gap(position.shape(model), position.shape(to)))} away and 6 are allowed (base rule)"
    elif needed is not None and looked.die is not None and looked.die < int(needed):
        why = f"a {looked.die} is less than the {needed} that is needed (base rule)"
    else:
        return []
    text = f"{looked.to} takes a wound for {model.id}, but {why}."
    rule_id = the_closest_model_takes_the_wound.id
    return [fault(rule_id, "illegal", text, model.id, player=pool.target.player, claimed=looked.to)]


# -- saves and removals -------------------------------------------------------------------------------------------


def _save(
    wound: records.Wound,
    model: Model,
    pool: Pool,
    position: Position,
    hearing: Hearing,
) -> list[Remark]:
    """What a save needs, and what it came to where the needed number is not claimed."""
    rule_id = the_closest_model_takes_the_wound.id
    save = wound.save
    if save is None:
        if wound.claimed_saved is not True:
            return []
        text = f"The log has the wound on {model.id} saved, but no save was taken."
        return [_wrong(text, model, pool, {"saved": True}, {"saved": False})]
    if save.claimed_needed is None and wound.claimed_saved is None:
        hearing.not_claimed()
        return []
    known, needed = save_against(save, model, pool, position)
    if not known:
        return [] if needed is None else [unchecked(rule_id, str(needed))]
    assert not isinstance(needed, str)
    claimed = save.claimed_needed if save.claimed_needed is not None and save.claimed_needed <= 6 else None
    if save.claimed_needed is not None and claimed != needed:
        if needed is None:
            text = f"{model.id} has no armour save against {pool.weapon.name} with AP {pool.weapon.ap} (base rule)."
        else:
            text = f"{model.id} saves on {needed} or more, not on {save.claimed_needed}."
        return [_wrong(text, model, pool, {"needed": save.claimed_needed}, {"needed": needed})]
    if save.die is None or wound.claimed_saved in (None, reaches(save.die, needed)):
        return []
    right = reaches(save.die, needed)
    on = "" if needed is None else f" on {needed} or more"
    text = f"A {save.die} {'saves' if right else 'does not save'} {model.id}{on}."
    return [_wrong(text, model, pool, {"saved": wound.claimed_saved}, {"saved": right})]


def _wrong(text: str, model: Model, pool: Pool, claimed: Any, recomputed: Any) -> Remark:
    return fault(
        the_closest_model_takes_the_wound.id,
        "miscalculated",
        text,
        model.id,
        player=pool.target.player,
        claimed=claimed,
        recomputed=recomputed,
    )


def _removal(wound: records.Wound, model: Model, pool: Pool, fallen: Fallen, position: Position) -> list[Remark]:
    """A wound that was not saved takes one off; with none left the model is removed, and not before."""
    rule_id = the_closest_model_takes_the_wound.id
    saved = was_saved(wound, pool.name, pool.attack, position)
    before = fallen.left.get(model.id)
    if saved is None or (before is None and not saved):
        fallen.left[model.id] = None
        fallen.maybe.add(model.id)
    elif not saved and before is not None:
        fallen.left[model.id] = max(before - 1, 0)
    left = fallen.left.get(model.id)
    if wound.claimed_removed or (left == 0 and wound.claimed_removed is None):
        fallen.gone.add(model.id)
    if wound.claimed_removed is False and left == 0 and saved is False:
        fallen.maybe.add(model.id)
        text = f"{model.id} has no wounds left and is not removed."
        return [fault(rule_id, "omitted", text, model.id, player=pool.target.player)]
    if not wound.claimed_removed or saved is None or (not saved and not left):
        return []
    if not saved and _may_double(pool.weapon.strength, model):
        return [unchecked(rule_id, f"whether the base game removes {model.id} outright is not stated")]
    text = (
        f"{model.id} is removed though its wound was saved."
        if saved
        else f"{model.id} is removed with {count(left or 0, 'wound')} left."
    )
    return [_wrong(text, model, pool, {"removed": True}, {"removed": False})]


def _may_double(strength: int | str | None, model: Model) -> bool:
    """Whether a Strength is twice the Toughness of a model, or may be: one of them is not known."""
    return model.profile.T is None or not isinstance(strength, int) or strength >= 2 * model.profile.T


RULES: tuple[Rule, ...] = (wounds_of_one_kind_are_pooled, the_closest_model_takes_the_wound)
