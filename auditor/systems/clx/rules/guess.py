"""Guessed range: where such a shot is placed, and where it comes down."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import Any

from auditor.core.findings import Figure, Remark, Unchecked
from auditor.core.ruleset import Rule
from auditor.core.rulings import Hearing
from auditor.geometry.inches.lengths import Length, shown
from auditor.geometry.inches.shapes import Point, distance, gap, rotation
from auditor.systems.clx import records
from auditor.systems.clx.packs import Model, Unit, Weapon
from auditor.systems.clx.position.state import Position
from auditor.systems.clx.reckoning.attacks import attack_of
from auditor.systems.clx.reckoning.dice import reaches
from auditor.systems.clx.reckoning.due import charges_of_now
from auditor.systems.clx.reckoning.options import asked
from auditor.systems.clx.reckoning.shots import ELEV, ELEV_REF, HEIGHTS, pair_of, spatial
from auditor.systems.clx.reckoning.throws import grenades_of, guess_of_a_throw
from auditor.systems.clx.reckoning.ways import Ways
from auditor.systems.clx.rules.common import Seen, fault, inches, rule, unchecked, within_tolerance
from auditor.systems.clx.tables import to_hit
from auditor.systems.clx.tolerance import HALF_A_DEGREE, Judged, judge, judge_met
from auditor.systems.clx.written import exact_or_none, place_of

_RULE = "CLX-SHOOT-06g"
HOW, DIE, GRENADES = "OR-GUESS-BS", "OR-GUESS-DIE", "OR-GREN-G"
_FINE = 10**12
_BLUR = Fraction(1, 10**9)
"""Inches by which a point worked out along a direction may be off: directions are rational to 1e-12."""


def _along(start: Point, towards: Point, far: Fraction) -> Point | None:
    """The point at a distance from another in a direction, right to within 1e-9 of an inch."""
    dx, dy = towards.x - start.x, towards.y - start.y
    square = dx * dx + dy * dy
    if square == 0:
        return None
    size = Fraction(isqrt(square.numerator * square.denominator * _FINE**2), square.denominator * _FINE)
    return Point(start.x + far * dx / size, start.y + far * dy / size)


def _shot(event: records.GuessShot, position: Position) -> tuple[Unit, Unit, Model, Weapon] | None:
    """Who guesses at whom, and with what; None where that is not known."""
    found = attack_of(event, position)
    model = position.setup.models.get(event.model or "")
    if found is None or found[0].failed or model is None or not position.on_table(model.id):
        return None
    attack, unit, target = found
    weapons = {
        known.id: known
        for name in attack.weapons
        if (known := position.setup.weapons.get(name or "")) is not None
        and known.guess
        and model.id in attack.firers.get(name, ())
    }
    return (unit, target, model, next(iter(weapons.values()))) if len(weapons) == 1 else None


def _throw(event: records.GuessShot, position: Position) -> tuple[Unit, Unit, Model, Weapon] | None:
    """Who guesses where to throw a grenade, at whom, and with what; None for shots, and where that is not known."""
    model = position.setup.models.get(event.model or "")
    if model is None or not guess_of_a_throw(event, position) or not position.on_table(model.id):
        return None
    pairs = [(charge.unit, charge.target) for charge in charges_of_now(position)]
    met = {one for pair in pairs if model.unit in pair for one in pair if one != model.unit}
    across = [unit for one in sorted(map(str, met)) if (unit := position.setup.units.get(one)) is not None]
    held = grenades_of(model, position)
    if len(across) != 1 or len({weapon.range for weapon in held}) != 1:
        return None
    return position.setup.units[model.unit], across[0], model, held[0]


@rule(
    _RULE,
    "Guessed range",
    events=["guess_shot"],
    kinds=["illegal", "miscalculated", "omitted"],
    readings=[GRENADES, HOW, DIE, ELEV, ELEV_REF],
)
def a_guessed_shot_comes_down_where_it_was_placed(
    event: records.GuessShot, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """The firer guesses the distance before it is measured, and may place the shot nearer or farther by up to its
    Ballistic Skill in inches, within the range of the weapon. One die decides: a hit comes down there, anything else
    scatters by 2D6 inches, from which nothing is taken off.

    Log:  the guess, the distance at which the shot is placed, the point aimed at, the die, the scatter, the final point.
    Edge: exactly the Ballistic Skill is allowed, and so is exactly the range with what height adds.
    Edge: the angle of the scatter may be rounded to the whole degree.
    Edge: grenades are guessed under OR-GREN-G=GUESS only.
    """
    found = _throw(event, position) or _shot(event, position)
    if found is None or (guess_of_a_throw(event, position) and hearing.ask(GRENADES) == "PLAIN"):
        return None
    unit, target, model, weapon = found
    skill = model.profile.BS
    seen: list[Remark] = list(_too_far(event, target, model, weapon, position, hearing))
    if not skill:
        return [*seen, unchecked(_RULE, f"the Ballistic Skill of {model.id} is not known, or 0")]
    placed = _placed(event, unit, model, skill, hearing)
    window = _window(event, unit, target, model, skill, position, hearing)
    landed = _comes_down(event, unit, model, skill, position)
    comes = _judged(landed, unit, model, hearing)
    if not placed and not window and not comes:
        return seen
    if hearing.ask(HOW) == "WINDOW":
        return [*seen, *window]
    seen += placed
    if comes and hearing.ask(DIE) == "SCATTER_DIE":
        return [*seen, Unchecked(None, "what the scatter die shows where a guessed shot hits is not stated")]
    return [*seen, *comes]


def _fault(kind: Any, text: str, unit: Unit, model: Model, **more: Any) -> Remark:
    return fault(_RULE, kind, text, model.id, player=unit.player, **more)


def _too_far(
    event: records.GuessShot, target: Unit, model: Model, weapon: Weapon, position: Position, hearing: Hearing
) -> list[Remark]:
    """A shot placed beyond the range of the weapon."""
    placed, living = exact_or_none(event.placed_distance), position.living(target)
    if placed is None or not living:
        return []
    if weapon.type == "grenade" and position.models[model.id].z >= 1 and weapon.range is not None:
        high = placed > weapon.range
        return [Unchecked(None, f"whether its height adds to the range of a grenade of {model.id}")] if high else []
    if weapon.range is None or spatial(model, living, position, hearing):
        return [unchecked(_RULE, f"the range of {weapon.name} is not known, or not measured between heights (OR-3D)")]
    pairs = [pair_of(model, one, position) for one in living]
    found: dict[tuple[str, ...], Judged] = {
        heights: judge(Length(placed - max(p.limit(weapon.range, heights) for p in pairs)), hearing.settings)
        for heights in HEIGHTS
    }
    judged = asked(found, (ELEV, ELEV_REF), hearing, lambda one: one.verdict)
    if judged.verdict == "fine":
        return []
    text = f"{model.id} places the shot {inches(placed)} away; {inches(placed - judged.over)} are in range"
    if judged.verdict == "tolerance":
        return [within_tolerance(_RULE, judged, f"{text}.")]
    figures = [Figure("placed", shown(placed)), Figure("range", shown(placed - judged.over))]
    unit = position.setup.units[model.unit]
    return [_fault("illegal", f"{text}.", unit, model, claimed=shown(placed), figures=figures, judged=judged)]


def _placed(event: records.GuessShot, unit: Unit, model: Model, skill: int, hearing: Hearing) -> list[Remark]:
    """A shot placed further from the guess than the Ballistic Skill allows."""
    guess, placed = exact_or_none(event.guess), exact_or_none(event.placed_distance)
    if guess is None or placed is None:
        return []
    judged = judge(Length(abs(placed - guess) - skill), hearing.settings)
    if judged.verdict == "fine":
        return []
    text = f"{model.id} guesses {inches(guess)} and places the shot at {inches(placed)}; {skill} either way are allowed"
    if judged.verdict == "tolerance":
        return [within_tolerance(_RULE, judged, f"{text}.")]
    return [_fault("illegal", f"{text}.", unit, model, claimed=shown(placed), recomputed=shown(guess), judged=judged)]


def _window(
    event: records.GuessShot,
    unit: Unit,
    target: Unit,
    model: Model,
    skill: int,
    position: Position,
    hearing: Hearing,
) -> list[Remark]:
    """A guess that is further off than the Ballistic Skill, and a shot that was made all the same."""
    guess, living = exact_or_none(event.guess), position.living(target)
    if guess is None or not living or (event.to_hit_die is None and not event.hit_models):
        return []
    far = min((gap(position.shape(model), position.shape(one)) for one in living), key=float)
    judged = judge(abs(far - guess) - skill, hearing.settings)
    if judged.verdict == "fine":
        return []
    text = f"{model.id} guesses {inches(guess)}; {target.name} is {inches(far)} away, so the shot is lost"
    if judged.verdict == "tolerance":
        return [within_tolerance(_RULE, judged, f"{text}.")]
    return [_fault("illegal", f"{text}.", unit, model, claimed=shown(guess), recomputed=shown(far), judged=judged)]


@dataclass(frozen=True, slots=True)
class Landing:
    """Where a shot is said to come down, and where it does, give or take what its angle may be rounded by."""

    said: Point
    spot: Point
    rounded: Fraction


def _comes_down(
    event: records.GuessShot, unit: Unit, model: Model, skill: int, position: Position
) -> list[Remark | Landing]:
    """What is wrong with where a shot comes down: faults, or points that differ."""
    die, at = event.to_hit_die, position.models[model.id].at
    needed, again = to_hit(skill)
    placed, aim = exact_or_none(event.placed_distance), place_of(event.aim)
    if die is None or at is None:
        return []
    hit = reaches(die, needed)
    scatters = bool(event.scatter_dice) or event.scatter_angle is not None
    if hit and scatters:
        text = f"The shot of {model.id} hits with a {die} and scatters all the same."
        return [_fault("illegal", text, unit, model, claimed=event.scatter_dice)]
    if not hit and not scatters:
        if again is not None:
            return []  # The reroll of a miss has no place in the record.
        text = f"The shot of {model.id} misses with a {die} and does not scatter."
        return [_fault("omitted", text, unit, model)]
    final = place_of(event.claimed_final)
    spot = None if placed is None or aim is None else _along(at, aim, placed)
    if final is None or spot is None:
        return []
    raised = Fraction(0)
    if not hit:
        angle, dice = exact_or_none(event.scatter_angle), event.scatter_dice
        if angle is None or dice is None or len(dice) != 2:
            return []
        c, s, _ = rotation(angle)
        spot = Point(spot.x + sum(dice) * c, spot.y + sum(dice) * s)
        raised = sum(dice) * HALF_A_DEGREE
    if distance(final, spot) <= _BLUR:
        return []
    return [Landing(final, spot, raised)]


def _judged(comes: list[Remark | Landing], unit: Unit, model: Model, hearing: Hearing) -> list[Remark]:
    seen: list[Remark] = []
    for one in comes:
        if not isinstance(one, Landing):
            seen.append(one)
            continue
        judged = judge_met(distance(one.said, one.spot), hearing.settings, blur=one.rounded + _BLUR)
        if judged.verdict == "fine":
            continue
        text = f"The shot of {model.id} comes down at ({shown(one.spot.x)}, {shown(one.spot.y)})"
        if judged.verdict == "tolerance":
            seen.append(within_tolerance(_RULE, judged, f"{text}."))
            continue
        seen.append(
            _fault(
                "miscalculated",
                f"{text}, {inches(judged.over)} from where the log has it.",
                unit,
                model,
                claimed=[shown(one.said.x), shown(one.said.y)],
                recomputed=[shown(one.spot.x), shown(one.spot.y)],
                figures=[Figure("off", shown(judged.over))],
                judged=judged,
            )
        )
    return seen


RULES: tuple[Rule, ...] = (a_guessed_shot_comes_down_where_it_was_placed,)
