"""The Psychic Phase: lore mastery, warp charges, casting, dispelling, Perils of the Warp, mental resistance."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from auditor.core.findings import RAN, Figure, Note, Remark, Unchecked
from auditor.core.ruleset import Rule
from auditor.core.rulings import Hearing
from auditor.systems.clx import records
from auditor.systems.clx.packs.shapes import PowerEntry
from auditor.systems.clx.position.state import CastState, Position
from auditor.systems.clx.reckoning.frame import actor, strange_psyker
from auditor.systems.clx.reckoning.psychic import (
    UNKNOWN_POOL,
    casting_total,
    charges_of,
    d3_dice,
    dispelled,
    leadership_of,
    lore_of,
    overdue,
    psyker_of,
    resistance,
    success_of,
)
from auditor.systems.clx.reckoning.ways import Ways
from auditor.systems.clx.rules.common import Seen, fault, listed, rule, unchecked
from auditor.systems.clx.tables import resists_at, tables
from auditor.systems.words import count

ABOVE = int(tables()["casting_level"]["above"])

PSYCHIC = (("game", "psychic"),)
"""The fact that is what has been rolled and cast in this Psychic Phase."""


def _name(power: PowerEntry) -> str:
    return power.name or power.id.replace("_", " ").title()


def _called(power: str | None, position: Position) -> str:
    known = position.setup.powers.get(power or "")
    return _name(known) if known is not None else str(power)


def _who(event: records.Cast | records.Dispel, position: Position) -> str:
    """Who casts or dispels, in the words of the record: the psyker, or the player where it names none."""
    return event.psyker or actor(event, position) or "nobody named"


def _told(event: records.Cast | records.Dispel, position: Position) -> str:
    """The same as it is said."""
    return event.psyker or position.setup.player(actor(event, position) or "nobody named")


# -- lore ---------------------------------------------------------------------------------------------------------


@rule("CLX-PSY-01", "The primaris power", events=["lore_mastery"], kinds=["illegal", "omitted"])
def the_primaris_power_is_known(
    event: records.LoreMastery, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """The primaris power of a discipline that a psyker has chosen is always known. It may be swapped for another power
    that costs no more.

    Log:  the disciplines to which the dice went, the known powers, the power taken in place of the primaris.
    Edge: after a swap the cost of the new power is paid.
    """
    setup = position.setup
    lore = lore_of(event, setup)
    if lore.known is None:
        return [unchecked("CLX-PSY-01", "the known powers are not recorded")]
    if not lore.primaris and event.swapped_primaris is None:
        if event.allocation:
            return RAN
        return [unchecked("CLX-PSY-01", "the disciplines to which the lore dice went are not recorded")]
    missing = {name: power for name, power in lore.primaris.items() if power.id not in lore.known}
    seen: list[Remark] = []
    if event.swapped_primaris is not None:
        swapped = setup.powers.get(event.swapped_primaris)
        if swapped is None:
            seen.append(unchecked("CLX-PSY-01", f"the power {event.swapped_primaris} is in no pack"))
            missing = {}
        else:
            given = missing.pop(swapped.discipline, None) or next(iter(missing.values()), None)
            if given is not None:
                missing.pop(given.discipline, None)
                if swapped.mastery_cost > given.mastery_cost:
                    seen.append(
                        fault(
                            "CLX-PSY-01",
                            "illegal",
                            f"{event.psyker} swapped {_name(given)}, which costs {given.mastery_cost}, for {_name(swapped)}, "
                            f"which costs {swapped.mastery_cost}; the new power may cost no more.",
                            str(event.psyker),
                            claimed={"cost": swapped.mastery_cost},
                            recomputed={"most": given.mastery_cost},
                        )
                    )
    if missing and lore.strange:
        seen.append(unchecked("CLX-PSY-01", f"which powers {event.psyker} knows: not all of them are in a pack"))
        missing = {}
    for power in missing.values():
        text = f"{event.psyker} does not know {_name(power)}, which every psyker of {power.discipline.replace('_', ' ').title()} knows (its primaris power)."
        seen.append(fault("CLX-PSY-01", "omitted", text, str(event.psyker), power.id))
    return seen


@rule(
    "CLX-PSY-02", "Lore mastery", events=["lore_mastery"], kinds=["illegal"], readings=["OR-LORE-SUM", "OR-LORE-SPLIT"]
)
def known_powers_cost_what_was_rolled(
    event: records.LoreMastery, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """A psyker rolls as many D6 as its mastery level and adds them up; the mastery costs of all its powers are paid from
    that sum.

    Log:  the dice and the known powers.
    Edge: where the sum is smaller than the cost of the primaris power alone, that power is known all the same. So
          with the dice of one discipline, where dice are split: the others may be spent to the last point.
    """
    lore = lore_of(event, position.setup)
    if lore.budget is None or lore.known is None:
        lacking = "the lore dice, as many as are due," if lore.budget is None else "the known powers"
        return [unchecked("CLX-PSY-02", f"{lacking} are not recorded")]
    if lore.strange:
        return [unchecked("CLX-PSY-02", f"{listed(lore.strange)} is in no pack")]
    cost = sum(lore.costs.values())
    if cost > lore.budget:
        alone = all(lore.only_primaris(name) for name in lore.costs)
        if alone or (not lore.overspent() and hearing.ask("OR-LORE-SPLIT") == "BY_DIE"):
            return [
                Note("reading", f"The dice of {event.psyker} do not pay for the primaris power alone.", "CLX-PSY-02")
            ]
        powers = position.setup.powers
        first = any(powers[name].primaris or name == event.swapped_primaris for name in lore.known)
        # Nor can it be told of dice that went to a discipline of no pack.
        if lore.shares is None and (event.allocation is not None or (first and len(lore.costs) > 1)):
            # The dice of one discipline may not have paid for its primaris power alone.
            return [unchecked("CLX-PSY-02", "the disciplines to which the lore dice went are not recorded")]
        return [_lore_fault("CLX-PSY-02", event, cost, lore.budget, "at most")]
    if cost < lore.budget and hearing.ask("OR-LORE-SUM") == "EXACT":
        return [_lore_fault("CLX-PSY-02", event, cost, lore.budget, "exactly")]
    return RAN


def _lore_fault(rule_id: str, event: records.LoreMastery, cost: int, budget: int, how: str, of: str = "") -> Remark:
    dice = tuple((f"die {i + 1}", die) for i, die in enumerate(event.dice or ()))
    return fault(
        rule_id,
        "illegal",
        f"The powers of {event.psyker}{of} cost {cost}; they may cost {how} {budget}.",
        str(event.psyker),
        claimed={"cost": cost},
        recomputed={"budget": budget},
        figures=[Figure("lore dice", budget, () if of else dice)],
    )


@rule("CLX-PSY-03", "Splitting lore", events=["lore_mastery"], kinds=["illegal"], readings=["OR-LORE-SPLIT"])
def each_discipline_is_paid_from_its_share(
    event: records.LoreMastery, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """A psyker of several disciplines may split the lore dice between them; the powers of each are paid from its share.

    Log:  the discipline to which each die went.
    Edge: costs that exceed the whole sum are CLX-PSY-02.
    """
    lore = lore_of(event, position.setup)
    if len({*lore.costs, *(lore.shares or ())}) < 2 or lore.strange:
        return None
    if lore.shares is None or lore.budget is None:
        return [unchecked("CLX-PSY-03", "the disciplines to which the lore dice went are not recorded")]
    if sum(lore.costs.values()) > lore.budget:
        return RAN
    over = lore.overspent()
    if not over or hearing.ask("OR-LORE-SPLIT") != "BY_DIE":
        return RAN
    return [
        _lore_fault(
            "CLX-PSY-03",
            event,
            lore.costs[name],
            lore.shares.get(name, 0),
            "at most",
            f" of {name.replace('_', ' ').title()}",
        )
        for name in over[:1]
    ]


# -- charges ------------------------------------------------------------------------------------------------------


@rule(
    "CLX-PSY-04",
    "Warp charges",
    events=["warp_charge", "cast", "dispel"],
    kinds=["illegal", "miscalculated", "omitted"],
    readings=["OR-CHARGE"],
)
def each_psyker_rolls_for_charges(
    event: records.WarpCharge | records.Cast | records.Dispel,
    resolved: Ways | None,
    position: Position,
    hearing: Hearing,
) -> Seen:
    """At the start of the Psychic Phase each psyker of the player whose turn it is gives a D3 times its mastery level of
    warp charges, each by a roll of its own; all of them go into one pool.

    Log:  the roll of each psyker and what it gave.
    Edge: a D3 recorded as a D6 counts for half of it, rounded up.
    """
    if isinstance(event, records.WarpCharge):
        if strange_psyker(event, position):
            return None
        seen = _charges("CLX-PSY-04", event, position, hearing) if event.role != "dispel" else []
        if event.psyker in position.models and (event.psyker, event.role) in position.charged:
            text = f"{event.psyker} rolled for warp charges a second time in this phase."
            seen.append(fault("CLX-PSY-04", "illegal", text, str(event.psyker)))
        return seen
    player = actor(event, position)
    if player is None or player in position.pools or not event.dice:
        return None
    text = (
        f"{event.psyker or position.setup.player(player)} rolled {len(event.dice)} dice; nobody had rolled for the warp "
        f"charges of {position.setup.player(player)}."
    )
    role: Any = "attack" if isinstance(event, records.Cast) else "dispel"
    due = partial(records.WarpCharge, seq=0, player=player, psyker=event.psyker, role=role)
    return [fault("CLX-PSY-04", "omitted", text, str(player), due=due)]


@rule("CLX-PSY-05", "The pool for dispelling", events=["warp_charge"], kinds=["miscalculated"], readings=["OR-CHARGE"])
def the_other_player_rolls_for_dispelling(
    event: records.WarpCharge, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """In the Psychic Phase of the enemy psykers give a pool in the same way, which serves for dispelling only.

    Log:  the roll of each psyker and what it gave.
    """
    own = event.role == "dispel" and not strange_psyker(event, position)
    return _charges("CLX-PSY-05", event, position, hearing) if own else None


def _charges(rule_id: str, event: records.WarpCharge, position: Position, hearing: Hearing) -> list[Remark]:
    if event.claimed_charges is None:
        hearing.not_claimed()
        return []
    options = charges_of(event, position)
    if set(options.values()) == {None}:
        return [unchecked(rule_id, f"the roll or the mastery level of {event.psyker} is not known")]
    if set(options.values()) == {event.claimed_charges}:
        return []
    right = options[hearing.ask("OR-CHARGE")]
    if right is None or right == event.claimed_charges:
        return []
    psyker = psyker_of(event.psyker, position.setup)
    assert psyker is not None  # Its mastery level went into what its roll gives.
    level = psyker.ML
    dice = " and ".join(map(str, d3_dice(event) or ()))
    text = f"{event.psyker} rolled {dice} as a D3 at mastery level {level}, which gives {count(right, 'warp charge')}, not {event.claimed_charges}."
    return [
        fault(
            rule_id,
            "miscalculated",
            text,
            str(event.psyker),
            claimed=event.claimed_charges,
            recomputed=right,
            figures=[Figure("D3", dice), Figure("mastery level", level), Figure("warp charges", right)],
        )
    ]


@rule("CLX-PSY-06", "Spending warp charges", events=["cast", "dispel"], kinds=["illegal"])
def each_die_uses_a_charge(
    event: records.Cast | records.Dispel, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """Each die rolled to cast or to dispel uses up one warp charge; at least one is rolled, of those that are left. Only
    powers that the psyker knows are cast.

    Log:  the dice, and the rolls that gave the charges.
    """
    seen: list[Remark] = []
    who, told = _who(event, position), _told(event, position)
    if event.dice is None:
        seen.append(unchecked("CLX-PSY-06", "the dice are not recorded"))
    elif not event.dice:
        seen.append(fault("CLX-PSY-06", "illegal", f"{told} used no warp charge.", who))
    else:
        left = position.pools.get(actor(event, position) or "")
        if left is not None and left != UNKNOWN_POOL and len(event.dice) > left:
            text = f"{told} rolled {count(len(event.dice), 'die', 'dice')}; {count(left, 'warp charge')} {'was' if left == 1 else 'were'} left."
            seen.append(
                fault(
                    "CLX-PSY-06",
                    "illegal",
                    text,
                    who,
                    claimed=len(event.dice),
                    recomputed=left,
                    figures=[Figure("warp charges left", left)],
                )
            )
    if strange_psyker(event, position):
        return seen
    if isinstance(event, records.Cast) and event.psyker in position.known and event.power is not None:
        known = position.known[event.psyker]
        if event.power not in known and not {event.power, *known} <= position.setup.powers.keys():
            # A power that no pack has may be one of them under another name.
            seen.append(
                unchecked("CLX-PSY-06", f"whether {event.psyker} knows {event.power}: not all names are of a pack")
            )
        elif event.power not in known:
            text = f"{event.psyker} cast {_called(event.power, position)}, which it does not know."
            seen.append(fault("CLX-PSY-06", "illegal", text, str(event.psyker), event.power))
    return seen


# -- casting ------------------------------------------------------------------------------------------------------


@rule("CLX-PSY-07", "Casting", events=["cast"], kinds=["miscalculated"], readings=["OR-PERILS"])
def dice_and_leadership_reach_the_casting_level(
    event: records.Cast, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """The casting dice and the Leadership of the psyker are added up; the power succeeds if that reaches its casting
    level.

    Log:  the dice, the total and the success claimed. The Leadership is that of the psyker's profile.
    Edge: to equal the casting level is enough.
    """
    if strange_psyker(event, position):
        return None
    total, success = casting_total(event, position), success_of(event, position)
    claims = [claim for claim in (event.claimed_total, event.claimed_success) if claim is not None]
    hearing.not_claimed(2 - len(claims))
    if not claims:
        return RAN
    if total is None or (success is None and event.claimed_success is not None):
        return [
            unchecked(
                "CLX-PSY-07", f"the dice, the Leadership of {event.psyker or 'the psyker'} or the power is not known"
            )
        ]
    if success and event.claimed_success is not None and (event.dice or []).count(6) >= 2:
        success = hearing.ask("OR-PERILS") == "STILL_CASTS"
    wrong = event.claimed_total not in (None, total) or event.claimed_success not in (None, success)
    if not wrong:
        return RAN
    power = position.setup.powers.get(event.power or "")
    level = power.casting_level if power is not None else None
    leadership = leadership_of(event.psyker, position.setup)
    who = event.psyker or position.setup.player(event.player or "a psyker")
    what = f" {_called(event.power, position)}" if event.power else " a power"
    text = f"{who} casts{what}: {sum(event.dice or ())} on the dice and a Leadership of {leadership} make {total}"
    text += f", and {level} are needed: it {'succeeds' if success else 'fails'}." if level is not None else "."
    return [
        fault(
            "CLX-PSY-07",
            "miscalculated",
            text,
            str(event.psyker),
            claimed={"total": event.claimed_total, "success": event.claimed_success},
            recomputed={"total": total, "success": success},
            figures=[
                Figure("casting total", total, (("dice", sum(event.dice or ())), ("Leadership", leadership or 0)))
            ],
        )
    ]


EVERY_EVENT = tuple(name for name in records.EVENTS if name not in ("undo", "remark", "end"))


@rule("CLX-PSY-08", "Casting levels", events=EVERY_EVENT, kinds=["illegal"])
def casting_levels_are_above_ten(
    event: records.Event, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """Every power has a casting level above 10. Looked at once, in the pack of powers.

    Log:  the pack of powers.
    """
    if position.played:
        return None
    low = [power for power in position.setup.powers.values() if power.casting_level <= ABOVE]
    found: list[Remark] = []
    for power in low:
        text = f"In the pack of powers of the log the casting level of {_name(power)} is {power.casting_level}; it must be above {ABOVE}."
        one = fault(
            "CLX-PSY-08",
            "illegal",
            text,
            power.id,
            player=None,
            claimed=power.casting_level,
            recomputed=f"above {ABOVE}",
        )
        found.append(one._replace(seq=0))
    return found


# -- perils -------------------------------------------------------------------------------------------------------


def _perils(rule_id: str, event: records.Event, position: Position, hearing: Hearing) -> Iterator[Remark]:
    """Perils that were due before this event, and what it says of its own dice."""
    for due in overdue(event, position.perils, position.phase):
        if due.rule == rule_id:
            text = f"{due.sixes} sixes of {due.psyker or position.setup.player(due.player or 'a psyker')} called for Perils of the Warp; the log has none."
            line = partial(records.Perils, seq=0, player=due.player, psyker=due.psyker, cause=due.cast)
            yield fault(rule_id, "omitted", text, *([due.psyker] if due.psyker else []), player=due.player, due=line)
    own = records.Cast if rule_id == "CLX-PSY-09" else records.Dispel
    if not isinstance(event, own):
        return
    if event.claimed_perils is None:
        hearing.not_claimed()
    elif event.dice is None:
        yield unchecked(rule_id, "the dice are not recorded")
    elif event.claimed_perils and event.dice.count(6) < 2:
        text = f"The log has Perils of the Warp for {_told(event, position)}, which need two 6s; the dice show {'one' if event.dice.count(6) == 1 else 'none'}."
        yield fault(rule_id, "miscalculated", text, _who(event, position), claimed=True, recomputed=False)


@rule("CLX-PSY-09", "Perils of casting", events=EVERY_EVENT, kinds=["miscalculated", "omitted"])
def two_sixes_bring_perils(event: records.Event, resolved: Ways | None, position: Position, hearing: Hearing) -> Seen:
    """Two or more 6s among the casting dice bring Perils of the Warp at once.

    Log:  the dice; that there were Perils, with the cast or as an event of their own.
    Edge: one die never brings them. What they do is a matter of the base game.
    """
    if not position.perils and not isinstance(event, records.Cast):
        return None
    return list(_perils("CLX-PSY-09", event, position, hearing))


@rule("CLX-PSY-11", "Perils of dispelling", events=EVERY_EVENT, kinds=["miscalculated", "omitted"])
def two_sixes_bring_perils_on_the_dispeller(
    event: records.Event, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """Two or more 6s among the dice of a dispel roll bring Perils of the Warp on the psyker who dispels.

    Log:  the dice, and which psyker dispels.
    """
    if not position.perils and not isinstance(event, records.Dispel):
        return None
    seen = list(_perils("CLX-PSY-11", event, position, hearing))
    if isinstance(event, records.Dispel) and event.psyker is None and (event.dice or []).count(6) >= 2:
        psykers = [
            model.id
            for unit in position.setup.units.values()
            if unit.player == event.player
            for model in unit.models
            if model.psyker is not None
        ]
        if len(psykers) > 1:
            seen.append(unchecked("CLX-PSY-11", "which psyker dispelled is not recorded"))
    return seen


# -- dispelling and resisting -------------------------------------------------------------------------------------


@rule("CLX-PSY-10", "Dispelling", events=["dispel"], kinds=["illegal", "miscalculated"], readings=["OR-DISPEL"])
def a_dispel_roll_beats_the_casting_roll(
    event: records.Dispel, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """After a power has been cast successfully the other player may roll dispel charges: it is dispelled if that roll is
    higher than the casting roll.

    Log:  the dice of both, and the success claimed.
    Edge: a tie leaves the power in force.
    """
    cast = position.casts.get(event.cast)
    if cast is None:
        return [unchecked("CLX-PSY-10", f"the cast {event.cast} is not in the record of this phase")]
    seen: list[Remark] = []
    if cast.succeeded is False:
        text = f"{event.psyker or position.setup.player(event.player)} dispels {_called(cast.power, position)}, which had failed."
        seen.append(fault("CLX-PSY-10", "illegal", text, str(event.cast)))
    if cast.dispels:
        seen.append(Note("reading", f"{cast.power} is dispelled against a second time.", "CLX-PSY-10"))
    if event.claimed_success is None:
        hearing.not_claimed()
        return seen
    options = dispelled(event, cast, position)
    if set(options.values()) == {None}:
        return [*seen, unchecked("CLX-PSY-10", "the dice of the cast or of the dispel roll are not recorded")]
    if set(options.values()) == {event.claimed_success}:
        return seen
    option = hearing.ask("OR-DISPEL")
    right = options[option]
    if right is None:
        why = "the Leadership of a psyker, which a dispel roll is compared with, is not known"
        if cast.total is not None:
            why = "a casting total is claimed wrongly, and a dispel roll may have been compared with it"
        return [*seen, Unchecked(None, why)]
    if right != event.claimed_success:
        roll, against = sum(event.dice or ()), sum(cast.dice or ())
        if option != "DICE_VS_DICE":
            against += leadership_of(cast.psyker, position.setup) or 0
        if option == "TOTAL_VS_TOTAL":
            roll += leadership_of(event.psyker, position.setup) or 0
        text = f"{event.psyker or position.setup.player(event.player)} rolled {roll} against {against}, which {'dispels' if right else 'does not dispel'} {_called(cast.power, position)}."
        seen.append(
            fault(
                "CLX-PSY-10",
                "miscalculated",
                text,
                str(event.cast),
                claimed=event.claimed_success,
                recomputed=right,
                figures=[Figure("dispel roll", roll), Figure("casting roll", against)],
            )
        )
    return seen


@rule(
    "CLX-PSY-12",
    "Mental resistance: when",
    events=["mental_resistance"],
    kinds=["illegal"],
    readings=["OR-MR-AFTER"],
)
def the_target_of_a_power_may_resist(
    event: records.MentalResistance, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """The unit that is the target of a power may resist, where its player has no psykers or spends no charge on
    dispelling that power.

    Log:  the cast and the unit.
    Edge: it is never owed.
    """
    cast = position.casts.get(event.cast)
    if cast is None:
        return [unchecked("CLX-PSY-12", f"the cast {event.cast} is not in the record of this phase")]
    power = position.setup.powers.get(cast.power or "")
    text = None
    if power is not None and power.target == "none":
        text = f"{event.unit} resists {_called(cast.power, position)}, which has no target."
    elif cast.target is not None and event.unit not in (None, cast.target):
        text = f"{event.unit} resists {_called(cast.power, position)}, whose target is {cast.target}."
    elif cast.succeeded is False:
        text = f"{event.unit} resists {_called(cast.power, position)}, which had failed."
    elif cast.dispels and hearing.ask("OR-MR-AFTER") == "EITHER":
        text = f"{event.unit} resists {_called(cast.power, position)} after an attempt to dispel it."
    return [fault("CLX-PSY-12", "illegal", text, str(event.unit))] if text is not None else RAN


@rule(
    "CLX-PSY-13",
    "Mental resistance: the number",
    events=["mental_resistance"],
    kinds=["miscalculated"],
    readings=["OR-MR-STACK"],
)
def a_six_resists_and_less_with_help(
    event: records.MentalResistance, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """A D6 of 6 or more resists. Each of these adds 1: Adamantium Will; a psyker, psychic pilot or brotherhood of psykers
    in the unit; a model of a mastery level above the caster's.

    Log:  the die, and what is claimed of bonus, number and success.
    Edge: an equal mastery level adds nothing. Where the conditions do not add up (OR-MR-STACK) the bonus may be claimed
    as what they give or as how many are met: the text does not say which it is.
    """
    unit = position.setup.units.get(event.unit or "")
    cast: CastState | None = position.casts.get(event.cast)
    claims = (event.claimed_bonus, event.claimed_needed, event.claimed_success)
    hearing.not_claimed(claims.count(None))
    if claims.count(None) == len(claims):
        return RAN
    if unit is None or cast is None:
        return [unchecked("CLX-PSY-13", "the unit or the cast is not known")]
    if event.die is None and event.claimed_success is not None:
        return [unchecked("CLX-PSY-13", "the die is not recorded")]
    met = resistance(unit, cast.psyker, position)
    options = {option: resists_at(len(met), option) for option in ("CUMULATIVE", "ONCE", "ALL")}

    def right(needed: int) -> tuple[int, int, bool | None]:
        return 6 - needed, needed, None if event.die is None else event.die >= needed

    def fits(needed: int) -> bool:
        bonus = event.claimed_bonus in (None, 6 - needed, len(met))
        return bonus and all(claim in (None, one) for claim, one in zip(claims[1:], right(needed)[1:], strict=True))

    fitting = {needed: fits(needed) for needed in set(options.values())}
    if all(fitting.values()):
        return RAN
    needed = options["CUMULATIVE"] if len(fitting) == 1 else options[hearing.ask("OR-MR-STACK")]
    if fitting[needed]:
        return RAN
    if cast.psyker is None:
        return [unchecked("CLX-PSY-13", "who cast the power is not recorded, whose mastery level may help")]
    bonus, _, success = right(needed)
    helped = f" with {listed(met)}" if met else ""
    shown = "" if event.die is None else f"; the die shows {event.die}"
    text = f"{unit.name} resists on {needed} or more{helped}{shown}."
    return [
        fault(
            "CLX-PSY-13",
            "miscalculated",
            text,
            unit.id,
            claimed={"bonus": claims[0], "needed": claims[1], "success": claims[2]},
            recomputed={"bonus": bonus, "needed": needed, "success": success},
            figures=[Figure("needed", needed)],
        )
    ]


RULES: tuple[Rule, ...] = (
    the_primaris_power_is_known,
    known_powers_cost_what_was_rolled,
    each_discipline_is_paid_from_its_share,
    each_psyker_rolls_for_charges,
    the_other_player_rolls_for_dispelling,
    each_die_uses_a_charge,
    dice_and_leadership_reach_the_casting_level,
    casting_levels_are_above_ten,
    two_sixes_bring_perils,
    a_dispel_roll_beats_the_casting_roll,
    two_sixes_bring_perils_on_the_dispeller,
    the_target_of_a_power_may_resist,
    a_six_resists_and_less_with_help,
)
