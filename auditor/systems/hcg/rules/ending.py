"""How a battle step ends: passes, withdrawal, and the positions claimed at the end of a battle action (catalogue 4.7,
4.13, 4.20)."""

from __future__ import annotations

from auditor.core.findings import RAN, Remark, Unchecked
from auditor.core.naming import listed
from auditor.core.ruleset import not_auditable
from auditor.core.rulings import Hearing
from auditor.systems.hcg import records
from auditor.systems.hcg.position.parts import Victory
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.reckoning.attacks import may_have_fallen
from auditor.systems.hcg.reckoning.battles import cards_at, ends_another, is_empty
from auditor.systems.hcg.reckoning.costs import unpaid
from auditor.systems.hcg.reckoning.lacking import withdrawal
from auditor.systems.hcg.reckoning.plays import ability_of
from auditor.systems.hcg.reckoning.resolve import View
from auditor.systems.hcg.rules.attacks import ACTIONS, is_new, is_out_of_turn
from auditor.systems.hcg.rules.common import CHAPTERS, SOURCE, Seen, both, rule
from auditor.systems.hcg.rules.ships import is_ship

# -- 4.7 ----------------------------------------------------------------------------------------------------------


@rule("HCG-POS-01", "Ready, locked or charging", section="4.7", events=["ba.end"], kinds=["miscalculated"])
def positions_are_those_of_the_table(event: records.BaEnd, view: View, position: Position, hearing: Hearing) -> Seen:
    """A card in play is exactly one of ready, locked and charging. Locking a charging unit ends the charge.

    Log:  `positions` of `ba.end`, claims.
    Edge: where a text was played in the battle action that cannot be read, or that locks or rallies something of which
          nothing is recorded, that may explain a position: nothing is held against anybody.
    """
    this, action = positions_are_those_of_the_table, position.action
    if not event.positions or (action is None and not _just_over(position)) or ends_another(event, position):
        return None
    seen: list[Remark] = []
    for instance, claimed in event.positions.items():
        at = position.at.get(instance)
        if at is None:
            continue
        alive = at.zone in ("sector", "fleet") and (action is None or instance not in action.doomed)
        stance = at.stance if alive else None
        if stance == claimed:
            continue
        if action is not None and _may_have_changed(position):
            seen.append(Unchecked(this.id, f"an ability may have changed the position of {instance}"))
            continue
        unknown_unit = action is not None and action.mode == "special" and instance == action.unit
        if unknown_unit and position.card_of(instance) is None:
            seen.append(Unchecked(this.id, f"nothing tells what {instance} had to pay, and so when it was locked"))
            continue
        now = f"is {stance}" if alive else "is not in play"
        text = f"{position.named(instance)} {now} at the end of the battle action; the log says {claimed}."
        made = this.miscalculated(
            text,
            instance,
            claimed={"position": claimed},
            recomputed={"position": stance},
            player=at.player,
        )
        seen.append(made)
    return seen or RAN


def _may_have_changed(position: Position) -> bool:
    """Whether an ability that was played in a battle action may have changed positions without a word: one that cannot be
    read, or that locks or rallies something of which nothing is recorded."""
    for play in position.plays:
        ability = ability_of(position, play)
        if ability is None or ability.status != "full" or ability.effects[0].op == "table":
            return True
        owes = {cost.op for cost in unpaid(ability, play)[0]} | {effect.op for effect in ability.effects}
        if {"lock", "rally"} & (owes - {op for op, _ in play.done}) and play.passed is not False:
            return True
    return False


def _just_over(position: Position) -> bool:
    """Whether a withdrawal has ended the battle, and nothing has happened in its victory step."""
    battle = position.battle
    if battle is None or battle.step != "victory" or battle.victory is None:
        return False
    return battle.victory == Victory(due=battle.victory.due)


# -- 4.13 ---------------------------------------------------------------------------------------------------------


HCG_BA_03 = not_auditable(
    "HCG-BA-03",
    "No limit on battle actions",
    "It allows something: no log can break it.",
    "A battle has any number of battle actions; a BA ability in play may be used again and again if it can be paid.",
    chapter=CHAPTERS["4.13"],
    source=f"{SOURCE}, section 4.13",
)


@rule(
    "HCG-BA-04",
    "Two passes end the battle step",
    section="4.13",
    events=[*ACTIONS, "battle.end"],
    kinds=["illegal"],
)
def two_passes_end_the_battle_step(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """Two successive passes end the battle step. A pass followed by another battle action does not count any more.

    Log:  the passes, and `battle.end`.
    Edge: passes of battle actions are never implied. A withdrawal and an empty side in the set-up end it as well.
    """
    this, battle = two_passes_end_the_battle_step, position.battle
    if battle is None:
        return None
    if not isinstance(event, records.BattleEnd):
        if not is_new(event, position):
            return None
        if battle.step == "victory":
            text = f"{event.by} took a battle action after the battle had ended."
            return [this.illegal(text)]
        if battle.passes < 2 or battle.step == "setup":
            return RAN
        text = f"{event.by} took a battle action after two passes in a row, which end the battle."
        return [this.illegal(text, claimed=battle.passes, recomputed=2)]
    if battle.passes >= 2 or battle.withdrawn:
        return RAN
    bare = [is_empty(position, player) for player in position.table.players]
    if battle.step == "setup" and (battle.skipped or any(one is not False for one in bare)):
        return RAN
    passes = f"{battle.passes or 'no'} pass{'' if battle.passes == 1 else 'es'} in a row"
    text = f"The log ends the battle of {both(position)} after {passes}; it takes two."
    return [this.illegal(text, player=None, claimed=battle.passes, recomputed=2, lacks=withdrawal(event))]


def _wiped_out(position: Position) -> str | None:
    """A player who has no card left at the sector of the battle."""
    slot = position.battle.sector if position.battle is not None else None
    for player in position.table.players:
        alive = [one for _, one, _ in cards_at(position, player) if position.lives_at(one, slot)]
        if not alive and not position.pool(player, "sector", slot).n:
            return player
    return None


@rule("HCG-BA-06", "No automatic end", section="4.13", events=["battle.end"], kinds=["illegal"])
def battles_do_not_end_by_themselves(
    event: records.BattleEnd, view: View, position: Position, hearing: Hearing
) -> Seen:
    """A side with no cards left may still play cards, use ships, pass or withdraw: the battle goes on until both pass or
    one withdraws.

    Log:  `battle.end`, and the battle actions before it.
    """
    battle = position.battle
    if battle is None or battle.step == "setup":
        return None
    player = _wiped_out(position)
    if player is None:
        return None
    if battle.withdrawn or battle.passes >= 2:
        return RAN
    text = f"The battle ended when {player} had no card left at sector {battle.sector}, without two passes in a row."
    return [battles_do_not_end_by_themselves.illegal(text, player=None, claimed=battle.passes, recomputed=2)]


HCG_BA_07 = not_auditable(
    "HCG-BA-07",
    "Passing is always allowed",
    "It allows something: no log can break it.",
    "A player may always pass; one who has nothing else to do passes or, if allowed to, withdraws.",
    chapter=CHAPTERS["4.13"],
    source=f"{SOURCE}, section 4.13",
)


# -- 4.20 ---------------------------------------------------------------------------------------------------------


@rule("HCG-WDR-01", "When to withdraw", section="4.20", events=["ba.withdraw"], kinds=["illegal", "ambiguous"])
def only_the_spent_withdraw(event: records.BaWithdraw, view: View, position: Position, hearing: Hearing) -> Seen:
    """A player may withdraw who has no ready and no charging unit at the current sector.

    Log:  who withdrew.
    Edge: locked units, assets and ships do not matter; having no unit at all is enough.
    """
    this, battle = only_the_spent_withdraw, position.battle
    if event.by is None or battle is None or event.by not in position.table.other:
        return None
    doubt, found, fallen = None, [], may_have_fallen(position)
    for _, instance, at in cards_at(position, event.by):
        if at.stance == "locked" or not position.lives_at(instance, battle.sector) or instance == fallen:
            continue
        card = position.card_of(instance)
        if card is None:
            doubt = instance
        elif card.kind == "unit":
            found.append((instance, at.stance))
    if found:
        named = ", ".join(f"{position.named(one)} is {stance}" for one, stance in found)
        return [this.illegal(f"{event.by} withdrew, but {named}.", *(one for one, _ in found))]
    if doubt is not None:
        return [Unchecked(this.id, f"the card of {doubt} is not known")]
    return RAN


@rule(
    "HCG-WDR-02",
    "What a withdrawal destroys",
    section="4.20",
    events=["ba.withdraw"],
    kinds=["illegal", "omitted"],
)
def all_cards_at_the_sector_are_destroyed(
    event: records.BaWithdraw, view: View, position: Position, hearing: Hearing
) -> Seen:
    """A withdrawal ends the battle at once: all of the player's cards at the sector are destroyed, assets too. Ships in the
    fleet are not at the sector.

    Log:  `destroyed`; where it is left out, all of them were.
    Edge: one that destroys the cards of the player whose turn it was, and is said to be the other's, is HCG-BA-01 alone.
    """
    this, battle = all_cards_at_the_sector_are_destroyed, position.battle
    if event.by is None or battle is None or event.by not in position.table.other:
        return None
    if event.destroyed is None:
        hearing.not_claimed()
        return None
    seen: list[Remark] = []
    mine = [one for _, one, _ in cards_at(position, event.by) if position.lives_at(one, battle.sector)]
    theirs = {one for _, one, _ in cards_at(position, position.other(event.by))}
    if is_out_of_turn(event, position) and bool(event.destroyed) == bool(theirs) and theirs.issuperset(event.destroyed):
        return None  # The other player withdrew, whose turn it was, and these are that player's cards.
    for instance in event.destroyed:
        at = position.at.get(instance)
        if instance in mine or at is None or instance in (position.action.doomed if position.action else ()):
            continue
        where = f"sector {at.sector}" if at.zone == "sector" else f"the {at.zone.replace('_', ' ')}"
        whose = f"{at.player}'s"
        text = f"{position.named(instance)} was destroyed when {event.by} withdrew; it is {whose} and lies in {where}."
        seen.append(this.illegal(text, instance))
    kept = [one for one in mine if one not in event.destroyed and one != may_have_fallen(position)]
    left = [one for one in kept if not is_ship(position, one)]  # A ship belongs in the fleet, wherever it was left.
    if left and not position.table.setup.terse:
        text = f"{event.by} withdrew, which destroys {listed(map(position.named, left))}; the log keeps {'it' if len(left) == 1 else 'them'}."
        seen.append(this.omitted(text, *left, player=event.by))
    return seen or RAN


@rule("HCG-WDR-03", "Only as an own battle action", section="4.20", events=["ba.withdraw"], kinds=["illegal"])
def withdrawals_are_battle_actions(event: records.BaWithdraw, view: View, position: Position, hearing: Hearing) -> Seen:
    """Withdrawing is a battle action of one's own, and no reply to the enemy's.

    Log:  the number of the battle action.
    """
    action = position.action
    if action is None or event.by is None:
        return None
    if is_new(event, position):
        return RAN
    text = f"{event.by} withdrew within battle action {action.n}, which was {action.by}'s."
    return [withdrawals_are_battle_actions.illegal(text, claimed=event.ba)]


HCG_PASS_01 = not_auditable(
    "HCG-PASS-01",
    "A pass uses the turn",
    "Whose turn it is next is judged by HCG-BA-01, what two passes do by HCG-BA-04.",
    "A pass is a battle action.",
    chapter=CHAPTERS["4.20"],
    source=f"{SOURCE}, section 4.20",
)

RULES = (
    positions_are_those_of_the_table,
    HCG_BA_03,
    two_passes_end_the_battle_step,
    battles_do_not_end_by_themselves,
    HCG_BA_07,
    only_the_spent_withdraw,
    all_cards_at_the_sector_are_destroyed,
    withdrawals_are_battle_actions,
    HCG_PASS_01,
)
