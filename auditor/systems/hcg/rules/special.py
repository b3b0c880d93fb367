"""Special assaults (catalogue 4.16, 4.18)."""

from __future__ import annotations

from auditor.core.findings import RAN, Unchecked
from auditor.core.ruleset import Rule
from auditor.core.rulings import Hearing
from auditor.systems.hcg import records
from auditor.systems.hcg.abilities import Ability
from auditor.systems.hcg.position.parts import Action
from auditor.systems.hcg.position.play import Play
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.reckoning.attacks import is_counter
from auditor.systems.hcg.reckoning.costs import has_failed
from auditor.systems.hcg.reckoning.plays import ability_of
from auditor.systems.hcg.reckoning.resolve import View
from auditor.systems.hcg.rules.attacks import ENDS_BA, is_new, who_assaults
from auditor.systems.hcg.rules.common import Seen, rule
from auditor.systems.hcg.rules.costs import DOES
from auditor.systems.hcg.rules.played import cost_time, on_chosen


def special_of(position: Position) -> tuple[Action, Play | None, Ability | None] | None:
    """The special assault under way with its ability, as far as that is known; None where there is none."""
    action = position.action
    if action is None or action.kind != "assault" or action.mode != "special":
        return None
    play = next((one for one in position.plays if one.kind == "A"), None)
    return action, play, ability_of(position, play)


def _in_play(position: Position, instance: str | None) -> bool:
    slot = position.battle.sector if position.battle is not None else None
    return position.lives_at(instance, slot)


# -- 4.16 ---------------------------------------------------------------------------------------------------------


@rule(
    "HCG-ASLT-02",
    "Standard or special",
    section="4.16",
    events=["ba.assault", "special"],
    kinds=["illegal"],
)
def assaults_are_standard_or_special(
    event: records.BaAssault | records.Special, view: View, position: Position, hearing: Hearing
) -> Seen:
    """An assault is standard or special, as named when it is declared. A special one needs an A ability on that unit.

    Log:  `mode`, `ability`; the `special` event.
    Edge: the effect as a reward after a block belongs to a special assault (HCG-SPEC-05).
    """
    this, action = assaults_are_standard_or_special, position.action
    if isinstance(event, records.Special):
        if action is None or action.kind != "assault":
            return None
        if action.mode == "special":
            return RAN
        text = f"{position.named(action.unit)} used a special effect in a standard assault."
        return [this.illegal(text, str(action.unit), claimed="special", recomputed="standard")]
    if not event.special or event.unit is None:
        return None
    card = position.card_of(event.unit)
    if card is None:
        return [Unchecked(this.id, f"the card of {event.unit} is not known")]
    if any(ability.several for ability in card.abilities):
        return [Unchecked(this.id, f"which abilities the text of {position.named(event.unit)} prints")]
    printed = [ability.type for ability in card.abilities]
    if "A" in printed and (event.ability is None or printed[event.ability : event.ability + 1] == ["A"]):
        return RAN
    which = "no A ability" if "A" not in printed else f"no A ability with the index {event.ability}"
    text = f"{position.named(event.unit)} made a special assault; it prints {which}."
    return [this.illegal(text, event.unit, claimed=event.ability)]


# -- 4.18 ---------------------------------------------------------------------------------------------------------


@rule(
    "HCG-SPEC-01",
    "Playability comes first",
    section="4.18",
    events=["cost", "roll"],
    kinds=["illegal"],
    readings=["OR-COSTTIME", "OR-ROLLRANGE"],
)
def specials_are_paid_first(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """A special assault is announced, its conditions checked, its choices made and its costs paid before the unit is locked,
    and so before block and tactics.

    Log:  the costs, directly after the event that announces it.
    Edge: how the choices and costs have to be is judged by their own rules. If its test fails the unit stays charging.
    """
    found = special_of(position)
    if found is None:
        return None
    action, play, ability = found
    if play is None or ability is None:
        return None
    return cost_time(specials_are_paid_first, event, play, ability, action, position, hearing)


@rule("HCG-SPEC-02", "Who assaults", section="4.18", events=["ba.assault"], kinds=["illegal", "ambiguous"])
def charging_units_make_specials(event: records.BaAssault, view: View, position: Position, hearing: Hearing) -> Seen:
    """A special assault is made by an own charging unit at the sector, which is locked. A unit with several A abilities
    names one.

    Log:  the unit; `ability`, where it has several.
    """
    this = charging_units_make_specials
    if not event.special:
        return None
    seen = list(who_assaults(this, event, position) or ())
    card = position.card_of(event.unit)
    if event.ability is None and card is not None and sum(one.type == "A" for one in card.abilities) > 1:
        seen.append(this.missing(["which of its special assaults was made"], str(event.unit)))
    return seen or RAN


@rule("HCG-SPEC-03", "A block switches it", section="4.18", events=["special"], kinds=["illegal"])
def blocked_specials_are_fought(event: records.Special, view: View, position: Position, hearing: Hearing) -> Seen:
    """A special assault that a charging unit blocks becomes a standard assault on the blocker; its effect is only a
    possible reward then. Costs stay paid.

    Log:  the block, and that the fight comes before the effect.
    """
    found = special_of(position)
    if found is None or found[0].blocker is None:
        return None
    action = found[0]
    if action.step or not (_in_play(position, action.unit) and _in_play(position, action.blocker)):
        return RAN
    text = f"{position.named(action.unit)} used its special effect though {position.named(action.blocker)} blocked."
    return [blocked_specials_are_fought.illegal(text, str(action.unit), player=action.by)]


@rule(
    "HCG-SPEC-04",
    "An unblocked special assault",
    section="4.18",
    events=["damage", *ENDS_BA],
    kinds=["illegal", "omitted"],
    readings=["OR-ROLLRANGE"],
    when=dict.fromkeys(["damage", *ENDS_BA], ("assault",)),
)
def unblocked_specials_deal_no_damage(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """A special assault that nobody blocks has no damage step: after the tactics its effect takes place, and the unit's
    assault is not used. No damage was dealt, so nothing counterattacks.

    Log:  the `special` event, and what it did.
    Edge: damage that its text deals is part of the effect. After a failed test there is none.
    """
    this, found = unblocked_specials_deal_no_damage, special_of(position)
    if found is None or found[0].blocker is not None or found[0].sweep:
        return None
    action, play, ability = found
    if isinstance(event, records.Damage):
        if event.by_ability:
            return None
        who = event.from_ if event.from_ is not None else action.unit
        how = "counterattacked" if is_counter(event, action) else "dealt damage"
        text = f"{position.named(who)} {how} in {action.by}'s special assault, which nobody blocked."
        return [this.illegal(text, str(who), player=action.by)]
    if isinstance(event, records.BattleAction) and not is_new(event, position):
        return None
    if play is None or action.rewarded or position.table.setup.terse or not _in_play(position, action.unit):
        return RAN
    if ability is None:
        return [Unchecked(this.id, f"the text of {action.unit} is not known")]
    tested = any(cost.op in ("test", "raw") for cost in ability.costs)
    if play.done or (tested and has_failed(play, position, hearing) is not False):
        return RAN
    text = f"The special assault of {position.named(action.unit)} was not blocked, and its effect was left out."
    return [this.omitted(text, str(action.unit), player=action.by)]


@rule(
    "HCG-SPEC-05",
    "The reward of a blocked one",
    section="4.18",
    events=["special", "sweep"],
    kinds=["illegal"],
    readings=["OR-SPECIALDEAD"],
)
def blocked_specials_give_one_reward(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """Where a blocked special assault destroyed its blocker with damage greater than its armor, one of two may be chosen: a
    sweeping advance, or the special effect. After an exact kill, or none, there is neither.

    Log:  the damage step before it; `special` or `sweep`.
    Edge: after a sweep there is no effect any more. Whether a unit that died has one is OR-SPECIALDEAD.
    """
    this, found = blocked_specials_give_one_reward, special_of(position)
    if found is None or not found[0].step:
        return None
    action = found[0]
    unit = position.named(action.unit)
    if isinstance(event, records.Sweep):
        if not action.rewarded:
            return RAN
        text = f"{unit} made a sweeping advance after its special effect."
        return [this.illegal(text, str(action.unit), player=action.by)]
    if action.blocker is None and not action.sweep:
        return None
    why = None
    if action.rewarded:
        why = "a second time"
    elif action.sweep:
        why = "after a sweeping advance"
    elif action.unsure:
        return [Unchecked(this.id, "it is not known how much damage was left over")]
    elif action.leftover is None:
        why = f"though {position.named(action.blocker)} survived"
    elif action.leftover <= 0:
        why = f"after an exact kill of {position.named(action.blocker)}"
    elif not _in_play(position, action.unit) and hearing.ask("OR-SPECIALDEAD") == "lost":
        why = "though it was destroyed"
    if why is None:
        return RAN
    text = f"{unit} used its special effect {why}."
    return [this.illegal(text, str(action.unit), player=action.by, recomputed=action.leftover)]


@rule("HCG-SPEC-06", "Destroyed in the tactics window", section="4.18", events=["special"], kinds=["illegal"])
def specials_end_with_their_fighters(event: records.Special, view: View, position: Position, hearing: Hearing) -> Seen:
    """If the attacking unit, or the blocker, is destroyed in the tactics window, the battle action ends at once: no damage,
    no sweep, no special effect.

    Log:  what was destroyed in the window; the `special` event.
    """
    this, found = specials_end_with_their_fighters, special_of(position)
    if found is None or found[0].step:
        return None
    action = found[0]
    for instance in (action.unit, action.blocker):
        at = position.at.get(instance) if instance is not None else None
        if instance is None or at is None or _in_play(position, instance):
            continue
        text = f"{position.named(action.unit)} used its special effect after {position.named(instance)} was destroyed."
        return [this.illegal(text, instance, player=action.by)]
    return RAN


@rule(
    "HCG-SPEC-07",
    "Resolving the text",
    section="4.18",
    events=DOES,
    kinds=["illegal"],
    readings=["OR-FIZZLE", "OR-STATFLOOR", "OR-BONUSSETUP"],
    when=dict.fromkeys(DOES, ("assault",)),
)
def specials_take_effect_on_what_was_chosen(
    event: records.Event, view: View, position: Position, hearing: Hearing
) -> Seen:
    """The effect of a special assault takes place on what was chosen when it was announced.

    Log:  the choices; what it was done to.
    Edge: what happens when a chosen card is gone is OR-FIZZLE.
    """
    found = special_of(position)
    if found is None:
        return None
    _, play, ability = found
    if play is None or ability is None:
        return None
    return on_chosen(specials_take_effect_on_what_was_chosen, event, play, ability, position, hearing)


RULES: tuple[Rule, ...] = (
    assaults_are_standard_or_special,
    specials_are_paid_first,
    charging_units_make_specials,
    blocked_specials_are_fought,
    unblocked_specials_deal_no_damage,
    blocked_specials_give_one_reward,
    specials_end_with_their_fighters,
    specials_take_effect_on_what_was_chosen,
)
