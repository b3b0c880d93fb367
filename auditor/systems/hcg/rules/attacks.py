"""Battle actions: whose turn, shots, charges, standard assaults (catalogue 4.13 to 4.16)."""

from __future__ import annotations

from functools import partial
from typing import Any

from auditor.core.findings import RAN, Unchecked
from auditor.core.ruleset import Rule, not_auditable
from auditor.core.rulings import Hearing
from auditor.systems.hcg import records
from auditor.systems.hcg.position.parts import Action
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.reckoning.attacks import UNKNOWN, blow, cannot_act, is_counter, step_is_missing
from auditor.systems.hcg.reckoning.battles import one_is_missing
from auditor.systems.hcg.reckoning.resolve import View
from auditor.systems.hcg.reckoning.values import Value, current
from auditor.systems.hcg.rules.common import CHAPTERS, SOURCE, Seen, rule
from auditor.systems.hcg.rules.fighters import (
    compared,
    kept_from,
    misdirected,
    responder,
)

ACTIONS = ("ba.shoot", "ba.charge", "ba.assault", "ba.card", "ba.ability", "ba.withdraw", "ba.pass")
ENDS_BA = (*ACTIONS, "ba.end", "battle.end")


def is_new(event: records.Event, position: Position) -> bool:
    """Whether a `ba.*` event opens a battle action; one with the number of the open one is part of it."""
    action = position.action
    return action is None or event.ba is None or event.ba not in (action.n, action.said)


def whose_turn(position: Position) -> str | None:
    """Whose battle action is due; None where nobody knows."""
    battle, action = position.battle, position.action
    if battle is None:
        return None
    return position.other(action.by) if action is not None else battle.next


def is_out_of_turn(event: records.Event, position: Position) -> bool:
    """Whether a battle action begins that is another player's than the one whose turn it is."""
    return is_new(event, position) and whose_turn(position) not in (None, event.by)


def acts_for_the_other(event: records.Event, position: Position) -> bool:
    """Whether a battle action is said to be one player's, and its unit is the other's, whose turn it is: HCG-BA-01 says so,
    and all that the line names is right."""
    if not isinstance(event, records.BattleAction):
        return False
    unit = getattr(event, "unit", None)
    at = position.at.get(unit) if unit is not None else None
    return at is not None and is_out_of_turn(event, position) and at.player == whose_turn(position)


@rule("HCG-BA-01", "Battle actions alternate", section="4.13", events=ACTIONS, kinds=["illegal", "ambiguous"])
def battle_actions_alternate(event: Any, view: View, position: Position, hearing: Hearing) -> Seen:
    """The players alternate, one battle action each.

    Log:  who acted, in order.
    Edge: a card that is played again at once after its test has failed is HCG-CMD-03 alone: that its battle action and the
          card are spent is one mistake (OR-FAILEDTEST). Where the number of the battle action tells that one of the other
          player is missing before it, that is HCG-DOC-04.
    """
    battle, action = position.battle, position.action
    if event.by is None:
        return [battle_actions_alternate.missing(["who acted"])]
    if battle is None or not is_new(event, position):
        return None
    if not battle.ba and action is None and battle.next is not None:
        return None  # The first of a battle alternates with none.
    due = whose_turn(position)
    if due is None:
        return None
    if event.by == due or _is_played_again(event, position) or one_is_missing(event, position):
        return RAN
    text = f"{event.by} took a battle action when it was {due}'s turn."
    return [battle_actions_alternate.illegal(text, claimed=event.by, recomputed=due)]


def _is_played_again(event: records.Event, position: Position) -> bool:
    """Whether the card of the battle action before, whose test has failed, is played once more."""
    roll = position.roll
    if not isinstance(event, records.BaCard) or event.card is None or roll is None or roll.passed is not False:
        return False
    at = position.at.get(event.card)
    if at is None or at.zone not in ("discard", "limbo") or roll.source != (event.card, "line"):
        return False
    return roll.seq > position.table.opened_before(event.seq)


# -- 4.14 ---------------------------------------------------------------------------------------------------------


@rule("HCG-SHOOT-01", "Who shoots", section="4.14", events=["ba.shoot"], kinds=["illegal", "ambiguous"])
def shooter_is_a_ready_or_charging_unit(
    event: records.BaShoot, view: View, position: Position, hearing: Hearing
) -> Seen:
    """A shooter is an own ready or charging unit at the current sector. It is locked first.

    Log:  the unit.
    Edge: a unit whose printed firepower is missing cannot shoot.
    """
    this = shooter_is_a_ready_or_charging_unit
    if event.unit is None:
        return [this.ambiguous("The log does not say who shot.", would_be="illegal")]
    if acts_for_the_other(event, position):
        return None
    why = cannot_act(position, event.unit, event.by, ("unit",), ("ready", "charging"))
    why = why or kept_from(position, ("shoot",), event.unit)
    if why == UNKNOWN:
        return [Unchecked(this.id, f"nothing tells whether {event.unit} can shoot")]
    card = position.card_of(event.unit)
    if why is None and card is not None and card.stats.get("firepower") is None:
        why = "has no firepower"
    if why is None:
        return RAN
    text = f"{event.by or 'Somebody'} shot with {position.named(event.unit)}, which may not shoot: it {why}."
    return [this.illegal(text, event.unit)]


@rule("HCG-SHOOT-02", "What is shot at", section="4.14", events=["ba.shoot"], kinds=["illegal", "ambiguous"])
def shots_hit_enemy_units_and_assets(event: records.BaShoot, view: View, position: Position, hearing: Hearing) -> Seen:
    """A target is any enemy unit or asset at the sector, whatever its position. Never a ship, never an own card.

    Log:  the target.
    """
    return target_of(shots_hit_enemy_units_and_assets, event, position)


def target_of(this: Rule, event: Any, position: Position, kinds: tuple[str, ...] = ("unit", "asset")) -> Seen:
    if event.target is None:
        return [this.ambiguous("The log does not say who was attacked.", would_be="illegal")]
    if event.by not in position.table.other or acts_for_the_other(event, position):
        return None
    why = cannot_act(position, event.target, position.other(event.by), kinds, ("ready", "locked", "charging"))
    why = why or kept_from(position, ("be attacked", "be targeted"), event.target, event.unit)
    if why == UNKNOWN:
        return [Unchecked(this.id, f"nothing tells whether {event.target} can be attacked")]
    if why is None:
        return RAN
    text = f"{event.by} attacked {position.named(event.target)}, which may not be attacked: it {why}."
    return [this.illegal(text, event.target)]


@rule(
    "HCG-SHOOT-03",
    "Blocking a shot",
    section="4.14",
    events=["block"],
    kinds=["illegal", "ambiguous"],
    readings=["OR-VSBLOCK", "OR-STATFLOOR", "OR-BONUSSETUP"],
)
def blocker_is_faster(event: records.Block, view: View, position: Position, hearing: Hearing) -> Seen:
    """The responder may lock one ready or charging unit at the sector to take the shot, if its current speed is strictly
    greater than the shooter's. It becomes the defending card, and may protect an asset as well as a unit.

    Log:  the block event, naming the unit.
    Edge: equal speed is too slow. A locked unit never blocks, nor do assets and ships.
    """
    this, action = blocker_is_faster, position.action
    if action is None or action.kind != "shoot":
        return None
    found = _blocker(this, event, position, action, ("ready", "charging"))
    if found is not None:
        return found
    assert event.unit is not None
    if action.unit is None or event.unit == action.target or action.tactics:
        return None
    shooter = current(position, action.unit, "speed", action.target, hearing)
    blocker = current(position, event.unit, "speed", None, hearing)
    if shooter.unknown or blocker.unknown:
        return [Unchecked(this.id, str(shooter.unknown or blocker.unknown))]
    if blocker.amount > shooter.amount:
        return RAN
    helped = current(position, event.unit, "speed", action.unit, hearing)
    if helped.amount > shooter.amount and hearing.ask("OR-VSBLOCK") == "counts":
        return RAN
    return [_too_slow(this, event, position, action, blocker, shooter)]


def _too_slow(
    this: Rule, event: records.Block, position: Position, action: Action, blocker: Value, shooter: Value
) -> Any:
    text = (
        f"{position.named(event.unit)} blocked with speed {blocker.amount}; {position.named(action.unit)} shoots with "
        f"speed {shooter.amount}, and only a faster unit can block."
    )
    tainted = (*blocker.tainted, *shooter.tainted)
    return this.fault(
        "ambiguous" if tainted else "illegal",
        text,
        str(event.unit),
        claimed=blocker.amount,
        recomputed=shooter.amount + 1,
        figures=(blocker.figure("speed of the blocker"), shooter.figure("speed of the shooter")),
        would_be="illegal" if tainted else None,
    )


def _blocker(this: Rule, event: records.Block, position: Position, action: Action, stances: tuple[str, ...]) -> Seen:
    """What is wrong with a blocker beside its speed; None where nothing is."""
    owner = responder(position, action)
    if event.unit is None:
        return [this.ambiguous("The log does not say which unit blocked.", would_be="illegal")]
    if event.by in position.table.other and event.by != owner:
        text = f"{event.by} blocked an attack of their own."
        return [this.illegal(text, event.unit, claimed=event.by, recomputed=owner)]
    if action.blocker is not None:
        text = f"{position.named(event.unit)} blocked as well; one unit may."
        return [this.illegal(text, event.unit)]
    why = cannot_act(position, event.unit, owner, ("unit",), stances) or kept_from(position, ("block",), event.unit)
    if (
        why is None
        and action.unit is not None
        and (kept := kept_from(position, ("be blocked",), action.unit, event.unit))
    ):
        why = kept if kept == UNKNOWN else f"cannot block {position.named(action.unit)}, which {kept}"
    if why == UNKNOWN:
        return [Unchecked(this.id, f"nothing tells whether {event.unit} can block")]
    if why is None:
        return None
    text = f"{event.by or 'Somebody'} blocked with {position.named(event.unit)}, which may not block: it {why}."
    return [this.illegal(text, event.unit)]


@rule("HCG-SHOOT-04", "The target does not block", section="4.14", events=["block"], kinds=["illegal"])
def targets_do_not_block_shots(event: records.Block, view: View, position: Position, hearing: Hearing) -> Seen:
    """The original target of a shot cannot block it.

    Log:  the block event, naming the unit.
    """
    action = position.action
    if action is None or action.kind != "shoot" or event.unit is None:
        return None
    if event.unit != action.target:
        return RAN
    text = f"{position.named(event.unit)} blocked the shot that was aimed at it."
    return [targets_do_not_block_shots.illegal(text, event.unit)]


@rule("HCG-SHOOT-05", "Block comes before tactics", section="4.14", events=["block"], kinds=["illegal"])
def shots_are_blocked_before_tactics(event: records.Block, view: View, position: Position, hearing: Hearing) -> Seen:
    """A block is declared before any tactic of the battle action, so that speed from tactics neither allows it nor undoes
    it.

    Log:  the order of events.
    """
    action = position.action
    if action is None or action.kind != "shoot":
        return None
    if not action.tactics:
        return RAN
    text = f"{position.named(event.unit)} blocked after a tactic had been played."
    return [shots_are_blocked_before_tactics.illegal(text, str(event.unit))]


HCG_SHOOT_06 = not_auditable(
    "HCG-SHOOT-06",
    "The tactics window of a shot",
    "Who has the first say in it, and that it is closed, is judged by HCG-TAC-02.",
    "After the block a tactics window opens; the controller of the attacking unit has the first say.",
    chapter=CHAPTERS["4.14"],
    source=f"{SOURCE}, section 4.14",
)


@rule(
    "HCG-SHOOT-07",
    "Damage of a shot",
    section="4.14",
    events=["damage", *ENDS_BA],
    kinds=["miscalculated", "omitted", "ambiguous"],
    readings=["OR-ZEROKILL", "OR-STATFLOOR", "OR-BONUSSETUP"],
    when=dict.fromkeys(["damage", *ENDS_BA], ("shoot",)),
)
def a_shot_deals_its_firepower(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """The shooter deals damage equal to its current firepower to the defending card. Damage of at least the current armor
    destroys it; otherwise the damage vanishes.

    Log:  the numbers, claims all of them.
    Edge: firepower counts, never assault; speed plays no part.
    """
    this, action = a_shot_deals_its_firepower, position.action
    if action is None or action.kind != "shoot":
        return None
    if not isinstance(event, records.Damage):
        return no_damage(this, event, position, action)
    if (astray := misdirected(this, event, position, action)) is not None:
        return astray
    due = blow(event, position, hearing)
    if due is None or due.kind != "shot" or event.to not in (None, due.to):
        return None  # It went to another card: its numbers are those of that card.
    if due.unknown:
        return [Unchecked(this.id, due.unknown)]
    return compared(this, event, due, position, hearing) or RAN


def no_damage(this: Rule, event: records.Event, position: Position, action: Action) -> Seen:
    """A damage step that is missing when the battle action is over, or goes on with a sweep."""
    if isinstance(event, records.BattleAction) and not is_new(event, position):
        return None
    if not step_is_missing(position, action):
        return RAN
    attack = "sweep" if action.sweep else "attack"
    text = f"The {attack} of {position.named(action.unit)} on {position.named(action.defending)} has no damage step."
    return [this.omitted(text, str(action.unit), str(action.defending), player=action.by)]


@rule("HCG-SHOOT-08", "A shot never sweeps", section="4.14", events=["sweep"], kinds=["illegal"])
def shots_leave_nothing_over(event: records.Sweep, view: View, position: Position, hearing: Hearing) -> Seen:
    """Nothing is left over from a shot: it never leads to a sweeping advance.

    Log:  the sweep.
    """
    action = position.action
    if action is None:
        return None
    if action.kind != "shoot":
        return RAN
    text = f"{position.named(action.unit)} made a sweeping advance after a shot; one follows an assault only."
    return [shots_leave_nothing_over.illegal(text, str(action.unit))]


@rule("HCG-SHOOT-09", "A blocked shot", section="4.14", events=["damage"], kinds=["illegal"])
def blocked_shots_miss_their_target(event: records.Damage, view: View, position: Position, hearing: Hearing) -> Seen:
    """A blocked shot leaves the original target untouched.

    Log:  whom the damage went to.
    Edge: damage of an ability is none of the shot's.
    """
    action = position.action
    if action is None or action.kind != "shoot" or action.blocker is None or event.by_ability:
        return None
    if is_counter(event, action):
        return None
    if event.to is None or event.to != action.target or event.to == action.defending:
        return RAN
    dealt = f"{action.by} dealt {position.named(event.to)} the damage of a shot"
    text = f"{dealt} that {position.named(action.blocker)} blocked."
    return [
        blocked_shots_miss_their_target.illegal(
            text, event.to, claimed=event.to, recomputed=action.defending, player=action.by
        )
    ]


# -- 4.15 ---------------------------------------------------------------------------------------------------------


@rule("HCG-CHG-01", "Who charges", section="4.15", events=["ba.charge"], kinds=["illegal", "ambiguous"])
def ready_units_charge(event: records.BaCharge, view: View, position: Position, hearing: Hearing) -> Seen:
    """An own ready unit at the current sector turns to charging.

    Log:  the unit.
    """
    this = ready_units_charge
    if event.unit is None:
        return [this.ambiguous("The log does not say who charged.", would_be="illegal")]
    if acts_for_the_other(event, position):
        return None
    why = cannot_act(position, event.unit, event.by, ("unit",), ("ready",)) or kept_from(
        position, ("charge",), event.unit
    )
    if why == UNKNOWN:
        return [Unchecked(this.id, f"nothing tells whether {event.unit} can charge")]
    if why is None:
        return RAN
    text = f"{event.by or 'Somebody'} charged with {position.named(event.unit)}, which may not charge: it {why}."
    return [this.illegal(text, event.unit)]


@rule(
    "HCG-CHG-02",
    "A charge is the whole battle action",
    section="4.15",
    events=[*ACTIONS, "tactic"],
    kinds=["illegal"],
    readings=["OR-CHARGEWIN"],
    when=dict.fromkeys([*ACTIONS, "tactic"], ("charge",)),
)
def a_charge_is_all(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """Charging is a whole battle action: nobody charges and assaults in one.

    Log:  the number of the battle action.
    """
    this, action = a_charge_is_all, position.action
    if action is None or action.kind != "charge":
        return None
    if isinstance(event, records.Tactic):
        if hearing.ask("OR-CHARGEWIN") != "none":
            return RAN
        text = f"{event.by or 'Somebody'} played a tactic on a charge, which opens no tactics window."
        return [this.illegal(text, str(action.unit))]
    if is_new(event, position):
        return RAN
    if isinstance(event, records.BaWithdraw) and event.by not in (None, action.by):
        return None  # The other player did it, who did not charge.
    text = f"{position.named(action.unit)} charged, and something else was done in the same battle action."
    return [this.illegal(text, str(action.unit))]


# -- 4.16 ---------------------------------------------------------------------------------------------------------


@rule("HCG-ASLT-01", "Who assaults", section="4.16", events=["ba.assault"], kinds=["illegal", "ambiguous"])
def charging_units_assault(event: records.BaAssault, view: View, position: Position, hearing: Hearing) -> Seen:
    """An assaulter is an own charging unit at the sector. It is locked first.

    Log:  the unit.
    """
    return None if event.special else who_assaults(charging_units_assault, event, position)


def who_assaults(this: Rule, event: records.BaAssault, position: Position) -> Seen:
    """What keeps a unit from assaulting."""
    if event.unit is None:
        return [this.ambiguous("The log does not say who assaulted.", would_be="illegal")]
    if acts_for_the_other(event, position):
        return None
    why = cannot_act(position, event.unit, event.by, ("unit",), ("charging",))
    why = why or kept_from(position, ("assault",), event.unit)
    if why == UNKNOWN:
        return [Unchecked(this.id, f"nothing tells whether {event.unit} can assault")]
    card = position.card_of(event.unit)
    if why is None and card is not None and card.stats.get("assault") is None:
        why = "has no assault"
    if why is None:
        return RAN
    text = f"{event.by or 'Somebody'} assaulted with {position.named(event.unit)}, which may not assault: it {why}."
    due = partial(records.BaCharge, seq=0, by=event.by, unit=event.unit)
    return [this.illegal(text, event.unit, due=due)]


@rule("HCG-ASLT-03", "What is assaulted", section="4.16", events=["ba.assault"], kinds=["illegal", "ambiguous"])
def assaults_hit_enemy_units_and_assets(
    event: records.BaAssault, view: View, position: Position, hearing: Hearing
) -> Seen:
    """A target is any enemy unit or asset at the sector, whatever its position; no ship, no own card.

    Log:  the target of a standard assault.
    """
    if event.special:
        return None
    return target_of(assaults_hit_enemy_units_and_assets, event, position)


@rule(
    "HCG-ASLT-04",
    "Blocking an assault",
    section="4.16",
    events=["block"],
    kinds=["illegal", "ambiguous"],
    readings=["OR-SELFBLOCK", "OR-SWEEPBLOCK"],
)
def charging_units_block_assaults(event: records.Block, view: View, position: Position, hearing: Hearing) -> Seen:
    """The responder may lock one own charging unit at the sector; it becomes the defending card. Speed does not matter.

    Log:  the block event, naming the unit.
    Edge: in a sweeping advance the ban on blocking falls on the sweep's target.
    """
    this, action = charging_units_block_assaults, position.action
    if action is None or action.kind != "assault":
        return None
    found = _blocker(this, event, position, action, ("charging",))
    if found is None:
        if event.unit != action.target or hearing.ask("OR-SELFBLOCK") == "shooting-only":
            return RAN
        text = f"{position.named(event.unit)} blocked the assault that was aimed at it."
        found = [this.illegal(text, str(event.unit))]
    return found


HCG_ASLT_05 = not_auditable(
    "HCG-ASLT-05",
    "The tactics window of an assault",
    "Who has the first say in it, and that it is closed, is judged by HCG-TAC-02.",
    "After the block a tactics window opens; the controller of the attacking unit has the first say.",
    chapter=CHAPTERS["4.16"],
    source=f"{SOURCE}, section 4.16",
)


@rule(
    "HCG-ASLT-06",
    "Damage of an assault",
    section="4.16",
    events=["damage", "sweep", *ENDS_BA],
    kinds=["miscalculated", "omitted", "ambiguous"],
    readings=["OR-ZEROKILL", "OR-STATFLOOR", "OR-BONUSSETUP"],
    when=dict.fromkeys(["damage", "sweep", *ENDS_BA], ("assault",)),
)
def an_assault_deals_its_assault(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """Current assault against the current armor of the defending card; at least as much destroys it.

    Log:  the numbers, claims all of them.
    Edge: a sweep shows that an assault had its damage step, if no line deals it.
    """
    this, action = an_assault_deals_its_assault, position.action
    if action is None or action.kind != "assault":
        return None
    if not isinstance(event, records.Damage):
        return (
            no_damage(this, event, position, action) if not action.sweep else None
        )  # A sweep deals what is left over.
    if not action.sweep and (astray := misdirected(this, event, position, action)) is not None:
        return astray
    due = blow(event, position, hearing)
    if due is None or due.kind != "assault":
        return None
    if due.unknown:
        return [Unchecked(this.id, due.unknown)]
    return compared(this, event, due, position, hearing) or RAN


RULES = (
    battle_actions_alternate,
    shooter_is_a_ready_or_charging_unit,
    shots_hit_enemy_units_and_assets,
    blocker_is_faster,
    targets_do_not_block_shots,
    shots_are_blocked_before_tactics,
    HCG_SHOOT_06,
    a_shot_deals_its_firepower,
    shots_leave_nothing_over,
    blocked_shots_miss_their_target,
    ready_units_charge,
    a_charge_is_all,
    charging_units_assault,
    assaults_hit_enemy_units_and_assets,
    charging_units_block_assaults,
    HCG_ASLT_05,
    an_assault_deals_its_assault,
)
