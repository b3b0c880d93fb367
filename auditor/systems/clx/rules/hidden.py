"""Hidden infiltrators, and how they are spotted."""

from __future__ import annotations

from auditor.core.findings import RAN, Figure, Note
from auditor.core.ruleset import Rule
from auditor.core.rulings import Hearing
from auditor.systems.clx import records
from auditor.systems.clx.packs import Unit
from auditor.systems.clx.position.state import Position
from auditor.systems.clx.reckoning.fights import gap_between, majority
from auditor.systems.clx.reckoning.ways import Ways
from auditor.systems.clx.rules.common import Seen, fault, rule, unchecked
from auditor.systems.clx.tolerance import judge
from auditor.systems.clx.written import exact_or_none

HIDDEN, AUSPEX = "CLX-USR-04", "CLX-USR-06"


def _has_auspex(unit: Unit, position: Position) -> bool:
    return any("auspex" in model.wargear for model in position.living(unit))


@rule(HIDDEN, "Hidden infiltrators", events=["shoot", "charge"], kinds=["illegal"], readings=["OR-HIDE-SHOOT"])
def hidden_units_are_not_attacked(
    event: records.Shoot | records.Charge, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """Infiltrators that are hidden are neither shot at nor charged while they do not leave their cover.

    Log:  that the unit is hidden, its moves, the attempts to spot it, the attacks.
    Edge: it is revealed when a base of it no longer lies in the cover, and when it is spotted. Within the tolerance of
          that it counts as revealed.
    Edge: a unit with an auspex within spotting distance (BASE-SPOT) may take it that it may shoot all the same.
    """
    unit, target = position.setup.units.get(event.unit or ""), position.setup.units.get(event.target or "")
    if unit is None or target is None or "infiltrators" not in target.rules:
        return None
    state = position.units[target.id]
    if not state.hidden:
        return RAN
    if state.shot_hidden and hearing.ask("OR-HIDE-SHOOT") == "REVEALS":
        return RAN
    if isinstance(event, records.Shoot) and _has_auspex(unit, position):
        reach, far = exact_or_none(position.setup.base["BASE-SPOT"]), gap_between(unit, target, position)
        if reach is None or far is None:
            return [unchecked(HIDDEN, "the spotting distance (BASE-SPOT)")]
        if judge(far - reach, hearing.settings).verdict != "beyond":
            return [Note("reading", f"{unit.name} shoots at {target.name}, hidden, by its auspex.", HIDDEN)]
    did, what = ("shot at", "shot at") if isinstance(event, records.Shoot) else ("charged", "charged")
    text = f"{unit.name} {did} {target.name}, which is hidden and may not be {what}."
    return [fault(HIDDEN, "illegal", text, unit.id, claimed={"target": target.id})]


def _initiative(unit: Unit, position: Position) -> int | None:
    return majority(model.profile.I for model in position.living(unit))


@rule("CLX-USR-05", "Spotting", events=["spot"], kinds=["miscalculated"])
def who_rolls_higher_spots(event: records.Spot, resolved: Ways | None, position: Position, hearing: Hearing) -> Seen:
    """A hidden unit is spotted if a D6 and the Initiative of the spotter are higher than a D6 and its own Initiative.

    Log:  both dice, rerolls, and the result that is claimed.
    Edge: an equal number does not reveal it. A mixed unit has the Initiative of most of its models (base rule).
    """
    if event.claimed_revealed is None:
        hearing.not_claimed()
        return RAN
    unit, target = position.setup.units.get(event.spotter or ""), position.setup.units.get(event.target or "")
    if unit is None or target is None:
        return [unchecked("CLX-USR-05", "who spots whom is not recorded")]
    if _rerolled(event) and not _has_auspex(unit, position):
        return None  # Which dice count where nobody may roll again is not known.
    own, theirs = _initiative(unit, position), _initiative(target, position)
    die = event.die_spotter if event.reroll_spotter is None else event.reroll_spotter
    against = event.die_target if event.reroll_target is None else event.reroll_target
    if own is None or theirs is None or die is None or against is None:
        return [unchecked("CLX-USR-05", "the dice or the Initiative of both units are not known")]
    revealed = die + own > against + theirs
    if revealed == event.claimed_revealed:
        return RAN
    text = (
        f"{die} + {own} of {unit.name} against {against} + {theirs} of {target.name}: it is "
        f"{'' if revealed else 'not '}revealed."
    )
    return [
        fault(
            "CLX-USR-05",
            "miscalculated",
            text,
            target.id,
            claimed={"revealed": event.claimed_revealed},
            recomputed={"revealed": revealed},
            figures=[
                Figure("spotter", die + own, (("die", die), ("Initiative", own))),
                Figure("hidden", against + theirs, (("die", against), ("Initiative", theirs))),
            ],
        )
    ]


def _rerolled(event: records.Spot) -> bool:
    return event.reroll_spotter is not None or event.reroll_target is not None


@rule(AUSPEX, "Auspex", events=["spot"], kinds=["illegal"])
def an_auspex_rolls_again(event: records.Spot, resolved: Ways | None, position: Position, hearing: Hearing) -> Seen:
    """A unit with an auspex may roll again when it spots; others may not.

    Log:  the rerolls. Who carries an auspex is in the pack of units.
    Edge: what the auspex does within spotting distance is looked at with the shot (CLX-USR-04); that distance is a base
          rule.
    """
    unit = position.setup.units.get(event.spotter or "")
    if unit is None or not _rerolled(event):
        return None
    if _has_auspex(unit, position):
        return RAN
    text = f"{unit.name} has no auspex and does not roll again when it spots."
    rerolls = [one for one in (event.reroll_spotter, event.reroll_target) if one is not None]
    return [fault(AUSPEX, "illegal", text, unit.id, claimed={"rerolls": rerolls})]


RULES: tuple[Rule, ...] = (hidden_units_are_not_attacked, who_rolls_higher_spots, an_auspex_rolls_again)
