"""Sweeping advances, tactics windows, counterattacks (catalogue 4.17, 4.22, 4.24)."""

from __future__ import annotations

from auditor.core.findings import RAN, Unchecked
from auditor.core.ruleset import Rule, not_auditable
from auditor.core.rulings import Hearing
from auditor.systems.hcg import records
from auditor.systems.hcg.position.parts import Action, Window
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.reckoning.attacks import blow, counter_is_due, is_counter, step_is_missing, sweep_damage
from auditor.systems.hcg.reckoning.battles import is_outside_an_action
from auditor.systems.hcg.reckoning.lacking import entry, went_on
from auditor.systems.hcg.reckoning.plays import announced, may_be_anybodys, play_by
from auditor.systems.hcg.reckoning.resolve import View
from auditor.systems.hcg.reckoning.rolls import final_of
from auditor.systems.hcg.rules.attacks import ENDS_BA, is_new, no_damage, target_of
from auditor.systems.hcg.rules.common import CHAPTERS, SOURCE, Seen, of_two, rule
from auditor.systems.hcg.rules.costs import DOES
from auditor.systems.hcg.rules.effects import goes_on_without
from auditor.systems.hcg.rules.fighters import compared, misdirected
from auditor.systems.hcg.rules.played import tag

# -- 4.17 ---------------------------------------------------------------------------------------------------------


@rule("HCG-SWEEP-01", "When a sweep is allowed", section="4.17", events=["sweep"], kinds=["illegal"])
def sweeps_follow_a_kill_with_damage_to_spare(
    event: records.Sweep, view: View, position: Position, hearing: Hearing
) -> Seen:
    """A sweeping advance may follow an assault's damage step in which the attacking unit destroyed a unit with damage
    strictly greater than its current armor, and lives.

    Log:  the damage step before it.
    Edge: an exact kill leaves nothing over. A destroyed asset allows no sweep.
    """
    this, action = sweeps_follow_a_kill_with_damage_to_spare, position.action
    if action is None or action.kind != "assault" or action.sweep:
        return None
    slot = position.battle.sector if position.battle is not None else None
    unit = position.named(action.unit)
    if action.step == 0:
        if step_is_missing(position, action):
            return None  # The damage step before it is not recorded.
        why = "before any damage was dealt"
    elif action.unit is not None and not position.lives_at(action.unit, slot):
        why = "and was destroyed"
    elif action.unsure:
        return [Unchecked(this.id, "it is not known how much damage was left over")]
    elif action.leftover is None:
        why = f"and had not destroyed a unit: {position.named(action.defending)} "
        why += "is an asset" if _is_asset(position, action.defending) else "survived"
    elif action.leftover <= 0:
        why = "with nothing left over"
    elif event.unit not in (None, action.unit):
        text = f"{position.named(event.unit)} sweeps in the log; {unit} is the attacking unit."
        return [this.illegal(text, str(event.unit), claimed=event.unit, recomputed=action.unit)]
    else:
        return RAN
    text = f"{unit} made a sweeping advance {why}."
    return [this.illegal(text, str(action.unit), recomputed=action.leftover)]


def _is_asset(position: Position, instance: str | None) -> bool:
    card = position.card_of(instance)
    return card is not None and card.kind == "asset"


@rule("HCG-SWEEP-02", "What is swept", section="4.17", events=["sweep"], kinds=["illegal", "ambiguous"])
def sweeps_hit_another_enemy_unit(event: records.Sweep, view: View, position: Position, hearing: Hearing) -> Seen:
    """A sweeping advance goes against another enemy unit at the sector; never against an asset or a ship. The original
    target of a blocked assault may be chosen.

    Log:  the target.
    """
    action = position.action
    if action is None or action.kind != "assault":
        return None
    named = event if event.by is not None else records.Sweep(seq=event.seq, by=action.by, target=event.target)
    return target_of(sweeps_hit_another_enemy_unit, named, position, ("unit",))


@rule(
    "HCG-SWEEP-03",
    "Damage of a sweep",
    section="4.17",
    events=["damage", "sweep", *ENDS_BA],
    kinds=["miscalculated", "omitted", "ambiguous"],
    readings=["OR-SWEEPPOOL", "OR-ZEROKILL", "OR-STATFLOOR", "OR-BONUSSETUP"],
    when=dict.fromkeys(["damage", "sweep", *ENDS_BA], ("assault",)),
)
def a_sweep_deals_what_was_left_over(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """What is left over is the damage dealt less the current armor of the destroyed unit. A sweep deals that, and the
    assault bonuses that count (OR-SWEEPPOOL).

    Log:  `leftover`, and the numbers of the damage step, claims all of them.
    Edge: a versus bonus that did not apply to the first defending unit but applies to the sweep's target counts as
          new; one that no longer applies is not taken out.
    """
    this, action = a_sweep_deals_what_was_left_over, position.action
    if action is None or action.kind != "assault":
        return None
    if not isinstance(event, (records.Damage, records.Sweep)):
        return no_damage(this, event, position, action) if action.sweep else None
    if isinstance(event, records.Sweep):
        if event.leftover is None:
            hearing.not_claimed()
            return None
        if action.leftover is None or action.unsure or event.leftover == action.leftover:
            return RAN
        text = (
            f"{position.named(action.unit)} has {action.leftover} damage left over to sweep with, not {event.leftover}."
        )
        return [
            this.miscalculated(
                text,
                str(action.unit),
                claimed={"leftover": event.leftover},
                recomputed={"leftover": action.leftover},
            )
        ]
    if action.sweep and (astray := misdirected(this, event, position, action)) is not None:
        return astray
    due = blow(event, position, hearing)
    if due is None or due.kind != "sweep":
        return None
    if due.unknown:
        return [Unchecked(this.id, due.unknown)]
    wrong = compared(this, event, due, position, hearing)
    if wrong and action.over != action.leftover:
        # What was left over was written wrongly, which was said there; the right number is no second fault.
        right = due._replace(amount=sweep_damage(position, action._replace(leftover=action.over), hearing))
        if not right.unknown and not compared(this, event, right, position, hearing):
            return RAN
    return wrong or RAN


@rule(
    "HCG-SWEEP-04",
    "A sweep counts as an assault",
    section="4.17",
    events=["block"],
    kinds=["illegal"],
    readings=["OR-SWEEPBLOCK"],
)
def sweeps_may_be_blocked(event: records.Block, view: View, position: Position, hearing: Hearing) -> Seen:
    """A sweeping advance counts as an assault: it may be blocked (OR-SWEEPBLOCK), has a tactics window of its own in the
    same battle action, a damage step and a counterattack.

    Log:  the block.
    """
    action = position.action
    if action is None or not action.sweep:
        return None
    if hearing.ask("OR-SWEEPBLOCK") == "allowed":
        return RAN
    text = f"{position.named(event.unit)} blocked a sweeping advance."
    return [sweeps_may_be_blocked.illegal(text, str(event.unit))]


@rule("HCG-SWEEP-05", "One sweep a battle action", section="4.17", events=["sweep"], kinds=["illegal"])
def a_sweep_leads_to_no_other(event: records.Sweep, view: View, position: Position, hearing: Hearing) -> Seen:
    """There is one sweeping advance in a battle action at most.

    Log:  the sweeps.
    """
    action = position.action
    if action is None or action.kind != "assault":
        return None
    if not action.sweep:
        return RAN
    text = f"{position.named(action.unit)} made a second sweeping advance in one battle action."
    return [a_sweep_leads_to_no_other.illegal(text, str(action.unit))]


@rule("HCG-SWEEP-06", "Blocked assault on an asset", section="4.17", events=["sweep"], kinds=["illegal"])
def assets_stay_out_of_the_sweep(event: records.Sweep, view: View, position: Position, hearing: Hearing) -> Seen:
    """Where an assault on an asset was blocked and the blocker died with damage to spare, a sweep is legal, for a unit was
    destroyed; but the asset cannot be its target.

    Log:  the target of the assault, the block, the target of the sweep.
    """
    action = position.action
    if action is None or action.kind != "assault" or action.sweep or action.blocker is None:
        return None
    if not _is_asset(position, action.target) or event.target is None:
        return None
    if event.target != action.target:
        return RAN
    text = f"{action.by} swept {position.named(event.target)}, which may not be swept: the assault on this asset was blocked."
    return [assets_stay_out_of_the_sweep.illegal(text, event.target)]


# -- 4.22 ---------------------------------------------------------------------------------------------------------

WITH_DAMAGE = ("shoot", "assault")
WITH_A_WINDOW = ("shoot", "assault", "card", "ability")
HCG_TAC_03 = not_auditable(
    "HCG-TAC-03",
    "No limit on tactics",
    "It allows something: no log can break it. How often one text may be used is HCG-TAC-04.",
    "A battle action has any number of tactics.",
    chapter=CHAPTERS["4.22"],
    source=f"{SOURCE}, section 4.22",
)


@rule(
    "HCG-TAC-02",
    "Order of the tactics window",
    section="4.22",
    events=["tactic", "tactic.pass", "special", *DOES, *ENDS_BA],
    kinds=["illegal", "ambiguous"],
    readings=["OR-FAILEDTEST", "OR-TACASSET"],
    when=dict.fromkeys(ENDS_BA, WITH_DAMAGE),
)
def tactics_alternate(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """The controller of the attacking unit has the first say; then single tactics or passes, alternating. Two passes in
    succession close the window. Who passed may act again if the other acted in between.

    Log:  the tactics and passes in order; with implied passes none of it can be told.
    Edge: the passes after the last tactic are part of it: damage before them comes too early. They are due as well where
          an attack goes on that has lost a card in the window, and has nothing left to do (OR-TACASSET). Where the window
          was left open, or something was played in it when it was over, the passes that follow are no further fault. Once
          somebody has acted who had not the say, a line is missing or two changed places: what follows in that window is
          no further fault.
    """
    this, action = tactics_alternate, position.action
    if tag(event) in ENDS_BA:
        return _left_open(this, event, position, hearing)
    unsaid = records.lacking(event)
    if unsaid and isinstance(event, (records.Tactic, records.TacticPass)):
        return [this.missing(unsaid)]
    # A roll's window may still lie on top of it: what follows settles the roll.
    window = next((one for one in reversed(position.windows) if one.kind == "tactics"), None)
    if action is None or action.kind not in WITH_A_WINDOW:
        return None
    if position.table.setup.passes_implied or position.table.setup.terse:
        return None
    does = not isinstance(event, (records.Tactic, records.TacticPass))
    if does and not isinstance(event, records.Special) and not _ends_window(event, position):
        return None
    if window is None or window.ba != action.n:
        if does or not (action.step or any(play.done for play in position.plays if play.kind == "BA")):
            return None
        if action.overran and isinstance(event, records.TacticPass):
            return RAN
        text = f"{event.by} went on in a tactics window that was over: the battle action had taken effect."
        return [this.illegal(text, str(event.by), lacks=went_on(position, event))]
    if window.astray:
        return RAN
    if position.pending is not None and position.roll is not None and not position.roll.settled:
        final, need = final_of(position.roll, hearing), position.roll.need
        if final is None or need is None or final < need:
            return None  # Whose say it is hangs on a test that this very event settles (OR-FAILEDTEST).
    if does:
        if window.passes >= 2 or action.overran:
            return RAN
        if isinstance(event, records.Damage) and is_counter(event, action):
            return None
        text = f"{action.by}'s battle action went on after {of_two(window.passes)} that close its tactics window."
        return [this.illegal(text, player=action.by, claimed=window.passes, recomputed=2)]
    if action.ended is not None and not goes_on_without(action.ended, position, hearing):
        return RAN  # There is no window any more.
    if window.passes >= 2:
        if action.overran and isinstance(event, records.TacticPass):
            return RAN
        text = f"{event.by} went on in a tactics window that two passes had closed."
        return [this.illegal(text, str(event.by))]
    if event.by == window.next or (isinstance(event, records.Tactic) and _is_told(event, position, window)):
        return RAN
    text = f"{event.by} acted out of turn: it was {window.next}'s turn to play a tactic or pass."
    return [this.illegal(text, str(event.by), claimed=event.by, recomputed=window.next, lacks=entry(window, position))]


def _is_told(event: records.Tactic, position: Position, window: Window) -> bool:
    """Whether another rule tells why its player has not the say. The card is that of the other player, whose say it is
    (HCG-TAC-01), or its test has failed, so that its turn and its card are spent (HCG-TAC-07)."""
    play = announced(event, position)
    if play is not None and position.owner.get(play.card) == window.next:
        return True
    at = position.at.get(play.card) if play is not None and play.zone == "hand" else None
    if play is None or at is None or at.zone != "discard":
        return False
    before = [one for one in position.plays if one.kind == "T" and one.card == play.card]
    return bool(before) and before[-1].passed is False


def _left_open(this: Rule, event: records.Event, position: Position, hearing: Hearing) -> Seen:
    """The window of an attack that is over without a damage step, because it had lost a card, and goes on all the same."""
    action = position.action
    if action is None or action.ended is None or position.table.setup.passes_implied or position.table.setup.terse:
        return None
    if isinstance(event, records.BattleAction) and not is_new(event, position):
        return None
    window = next((one for one in reversed(position.windows) if one.kind == "tactics"), None)
    if window is None or window.ba != action.n:
        return None
    if window.passes >= 2 or window.astray:
        return RAN
    goes_on = goes_on_without(action.ended, position, hearing)
    if goes_on is None:
        return [Unchecked(this.id, f"the card of {action.ended} is not known")]
    if not goes_on:
        return RAN
    went_on = f"{action.by}'s battle action went on after {of_two(window.passes)} that close its tactics window"
    text = f"{went_on}; {position.named(action.ended)} had left play."
    return [this.illegal(text, player=action.by, claimed=window.passes, recomputed=2)]


def _ends_window(event: records.Event, position: Position) -> bool:
    """Whether an event is damage of the attack, or something that the card or ability of the battle action did."""
    if isinstance(event, records.Damage) and not event.by_ability:
        return True
    play = play_by(event, position)
    return play is not None and play.kind == "BA" and not may_be_anybodys(event)


# -- 4.24 ---------------------------------------------------------------------------------------------------------


@rule(
    "HCG-CA-01",
    "Counterattack",
    section="4.24",
    events=["damage", *ENDS_BA, "sweep", "sweep.none"],
    kinds=["illegal", "miscalculated", "omitted", "ambiguous"],
    readings=["OR-CAZERO", "OR-ZEROKILL", "OR-STATFLOOR", "OR-BONUSSETUP", "OR-DMGACC"],
    when=dict.fromkeys([*ENDS_BA, "sweep", "sweep.none"], WITH_DAMAGE),
)
def counterattacks_are_dealt(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """A defending unit with this trait that is dealt damage in an attack deals damage to the attacking unit: its firepower
    if it was shot, its assault if it was assaulted, with the bonuses that apply. It is compulsory.

    Log:  the damage step, both directions.
    Edge: damage by an effect is no attack.
    """
    this, action = counterattacks_are_dealt, position.action
    attacked = action is not None and action.kind in WITH_DAMAGE
    if isinstance(event, records.Damage) and is_outside_an_action(position):
        return None  # It stands in no battle action: of which attack it is nobody knows.
    if isinstance(event, records.Damage) and event.counter and position.battle is not None and not attacked:
        text = f"{position.named(event.from_)} counterattacked, and there was no attack."
        at = position.at.get(event.from_) if event.from_ is not None else None
        who = at.player if at is not None else None
        return [this.illegal(text, str(event.from_), player=who)]
    if action is None or action.kind not in WITH_DAMAGE or action.defending is None:
        return None
    if isinstance(event, records.Damage) and is_counter(event, action):
        if event.from_ not in (None, action.defending):
            return None  # Its numbers are those of another card.
        due = blow(event, position, hearing)
        if due is None or not action.dealt:
            return None
        amount = _dealt(position, action)
        owed = None if amount is None else counter_is_due(position, action, amount, hearing)
        if owed is None or due.unknown:
            return [Unchecked(this.id, due.unknown or f"the card of {action.defending} is not known")]
        if not owed:
            text = f"{position.named(action.defending)} dealt damage back and had no counterattack to make."
            return [this.illegal(text, action.defending, player=position.other(action.by))]
        return compared(this, event, due, position, hearing) or RAN
    return _missing(this, event, position, action, hearing, died=False)


def _missing(
    this: Rule, event: records.Event, position: Position, action: Action, hearing: Hearing, *, died: bool
) -> Seen:
    """A counterattack that was due in the damage step that is now over."""
    if action.unit not in action.dealt or len(action.dealt) > 1 or position.table.setup.terse:
        return None
    if action.ended is not None:
        return None  # There was no damage step.
    if isinstance(event, records.BattleAction) and not is_new(event, position):
        return None
    if isinstance(event, records.Damage) and event.from_ not in action.dealt:
        return None
    fell = action.defending in (*action.doomed, *action.fell)
    if fell != died:
        return None
    at = position.at.get(str(action.defending))
    if not fell and at is not None and at.zone != "sector":
        return None  # It had left play before.
    amount = _dealt(position, action)
    if amount is None or not counter_is_due(position, action, amount, hearing):
        return RAN
    because = ", destroyed in the same step," if died else ""
    text = f"{position.named(action.defending)}{because} did not counterattack."
    return [this.omitted(text, str(action.defending), player=position.other(action.by))]


def _dealt(position: Position, action: Action) -> int | None:
    """The damage of the step under way, as the table went on with it; None where nobody knows."""
    return action.amount


@rule(
    "HCG-CA-02",
    "Simultaneous damage",
    section="4.24",
    events=["damage", *ENDS_BA, "sweep", "sweep.none"],
    kinds=["omitted"],
    readings=["OR-CAZERO"],
    when=dict.fromkeys(["damage", *ENDS_BA, "sweep", "sweep.none"], WITH_DAMAGE),
)
def both_deal_at_once(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """Both amounts are dealt at once: a counterattacker that dies still deals its damage, and both can die.

    Log:  the damage step, both directions.
    """
    action = position.action
    if action is None or action.kind not in ("shoot", "assault") or action.defending is None:
        return None
    if isinstance(event, records.Damage) and is_counter(event, action):
        return RAN if action.defending in action.doomed else None
    return _missing(both_deal_at_once, event, position, action, hearing, died=True)


@rule("HCG-CA-03", "Only the defending card counterattacks", section="4.24", events=["damage"], kinds=["illegal"])
def only_the_defending_card_counterattacks(
    event: records.Damage, view: View, position: Position, hearing: Hearing
) -> Seen:
    """Only the defending card counterattacks: not the attacking unit, not the original target of a blocked attack.

    Log:  who dealt the damage.
    """
    action = position.action
    if action is None or action.kind not in ("shoot", "assault") or not event.counter or event.from_ is None:
        return None
    if event.from_ == action.defending or not is_counter(event, action):
        return RAN
    if action.defending is None:
        return None  # Nobody defends in a special assault that nobody blocked.
    text = f"{position.named(event.from_)} counterattacked; the defending card is {position.named(action.defending)}."
    made = only_the_defending_card_counterattacks.illegal(
        text, event.from_, claimed=event.from_, recomputed=action.defending
    )
    return [made]


RULES = (
    sweeps_follow_a_kill_with_damage_to_spare,
    sweeps_hit_another_enemy_unit,
    a_sweep_deals_what_was_left_over,
    sweeps_may_be_blocked,
    a_sweep_leads_to_no_other,
    assets_stay_out_of_the_sweep,
    HCG_TAC_03,
    tactics_alternate,
    counterattacks_are_dealt,
    both_deal_at_once,
    only_the_defending_card_counterattacks,
)
