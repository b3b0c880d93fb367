"""What abilities do: discards, "all", destruction, damage by an effect, numbers against the text (catalogue 4.1, 4.21,
4.24, 4.25, 4.29)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from auditor.core.findings import RAN, Fact, Remark, Unchecked
from auditor.core.ruleset import Rule, not_auditable
from auditor.core.rulings import Hearing
from auditor.systems.hcg import records
from auditor.systems.hcg.abilities import Ability
from auditor.systems.hcg.abilities.shapes import Effect, Selector
from auditor.systems.hcg.position.kept import of_event
from auditor.systems.hcg.position.play import Play
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.reckoning.attacks import blow, destroys, is_counter
from auditor.systems.hcg.reckoning.choices import ANNOUNCES, eligible, misfits
from auditor.systems.hcg.reckoning.costs import is_next
from auditor.systems.hcg.reckoning.discards import discarded, discards_of, done
from auditor.systems.hcg.reckoning.lacking import block
from auditor.systems.hcg.reckoning.named import targets_of
from auditor.systems.hcg.reckoning.plays import ability_of, play_by
from auditor.systems.hcg.reckoning.resolve import View
from auditor.systems.hcg.reckoning.values import Value, cannot_tell, current, now
from auditor.systems.hcg.rules.attacks import is_new
from auditor.systems.hcg.rules.choices import unfit
from auditor.systems.hcg.rules.common import CHAPTERS, SOURCE, Seen, rule
from auditor.systems.hcg.rules.played import NEXT, tag
from auditor.systems.words import count

ON_CARDS = ("effect", "destroy", "lock", "rally", "return", "damage")
NOT_IN_PLAY = ("command_hand", "deploy_hand", "deck", "set_aside")
OVER = tuple(dict.fromkeys(("damage", *NEXT)))
"""Event types that leave an ability behind, so that what it did can be counted."""


@of_event
def over(event: records.Event, position: Position) -> Sequence[tuple[Play, Ability]]:
    """The abilities that are over with an event, and whose text was read."""
    found: list[tuple[Play, Ability]] = []
    if not position.plays or not is_next(event) or position.table.setup.terse:
        return found
    ends = isinstance(event, (records.BaEnd, records.BattleEnd))
    ends = ends or (isinstance(event, records.BattleAction) and is_new(event, position))
    for play in position.plays:
        ability = ability_of(position, play)
        if ability is None or ability.status != "full" or ability.type != play.kind:
            continue
        if (ends if play.kind in ("BA", "A") else not play.over) and play.passed is not False:
            found.append((play, ability))
    return found


# -- 4.21 ---------------------------------------------------------------------------------------------------------


@rule(
    "HCG-OPT-04",
    "Someone else's choices",
    section="4.21",
    events=["discard", *OVER],
    kinds=["miscalculated"],
    when=dict.fromkeys(["discard", *OVER], ("discards",)),
)
def enemies_discard_what_they_can(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """Where the enemy has to discard, an ability can be played whatever the enemy holds. The enemy picks the cards, and
    discards as many as the text says, or the whole hand if that is less.

    Log:  the cards discarded.
    """
    this = enemies_discard_what_they_can
    seen: list[Remark] | None = None
    if isinstance(event, records.Discard):
        play = play_by(event, position)
        effect = discards_of(play, ability_of(position, play), "enemy", "each")
        if play is None or effect is None or event.cards is None or (effect.player == "each" and event.by == play.by):
            return None
        if effect.player == "enemy" and play.by in {event.by, *(one for one, *_ in play.picked)}:
            return None  # Whose discard it was is told wrongly, or it was a cost.
        n = discarded(effect, play, position.other(play.by)) + len(event.cards)
        return _too_many(this, n, effect, play, event.by, position) or RAN
    for play, ability in over(event, position):
        effect, player = discards_of(play, ability, "enemy", "each"), position.other(play.by)
        if effect is not None:
            seen = [*(seen or ()), *_too_few(this, effect, play, player, position)]
    return seen


def _too_few(this: Rule, effect: Effect, play: Play, player: str, position: Position) -> list[Remark]:
    """That a player discarded fewer cards for an ability than were due, pinned to the last of these discards."""
    n, due = discarded(effect, play, player), _discards_due(effect, play, player, position)
    if due is None:
        return []
    if n >= due:
        return list(RAN)
    text = f"{player} discarded {count(n, 'card')} for {position.named(play.card)}; {due} {'was' if due == 1 else 'were'} due."
    at = next(seq for one, seq, _, _ in reversed(play.picked) if one == player)
    facts: tuple[Fact, ...] = ("battle", ("zone", player, "command_hand", None))
    hole = position.holes.doubt(facts)
    if hole is not None and hole.seq == at:
        facts = ("battle",)  # How many cards there were was known; which of them went is in doubt since.
    claim, right = {"cards": n}, {"cards": due}
    return [this.miscalculated(text, player=player, claimed=claim, recomputed=right, seq=at)]


def _discards_due(effect: Effect, play: Play, player: str, position: Position) -> int | None:
    """How many cards a text has a player discard; None where nobody can say."""
    left = next((left for one, _, _, left in reversed(play.picked) if one == player), None)
    if left is None or effect.upto:
        return None
    n = discarded(effect, play, player)
    if isinstance(effect.n, int):
        return min(effect.n, n + left)
    drew = any(op == "draw" for op, _ in play.done[: _last(play, "discard")])
    if effect.n is not None or drew or answered(play, position):
        return None  # What is in the hand may have come since.
    return n + left


def _last(play: Play, op: str) -> int:
    """The place of the last thing of a kind that an ability has done."""
    return max((at for at, (one, _) in enumerate(play.done) if one == op), default=0)


def answered(play: Play, position: Position) -> bool:
    """Whether a reaction was played since an ability was announced: what is there now may have come in answer to it."""
    return any(other.kind == "R" and other.seq > play.seq for other in position.plays)


def _too_many(this: Rule, n: int, effect: Effect, play: Play, by: str | None, position: Position) -> list[Remark]:
    if not isinstance(effect.n, int) or n <= effect.n:
        return []
    what = f"{n} cards were discarded" if by is None else f"{by} discarded {n} cards"
    text = f"{what} for {position.named(play.card)}; its text says {effect.n}."
    claim, right = {"cards": n}, {"cards": effect.n}
    return [this.miscalculated(text, claimed=claim, recomputed=right)]


@rule(
    "HCG-OPT-05",
    "All and each",
    section="4.21",
    events=[*ON_CARDS, *(one for one in OVER if one not in ON_CARDS)],
    kinds=["miscalculated"],
    readings=["OR-STATFLOOR", "OR-BONUSSETUP"],
    when=dict.fromkeys([*ON_CARDS, *OVER], ("all",)),
)
def all_means_all(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """ "All" and "each" choose nothing: such an ability is playable with no card to be done to, and does nothing then. What is
    there it is done to, and to nothing else.

    Log:  the cards that it was done to.
    Edge: what is locked already is passed over by "lock all", what is ready by "rally all".
    """
    this = all_means_all
    if tag(event) in ON_CARDS and not is_next(event):
        play, ability = play_by(event, position), ability_of(position, play_by(event, position))
        op = event.op if isinstance(event, records.Effect) else tag(event)
        target = _all(ability, op)
        if play is None or target is None:
            return None
        wrong = []
        for instance in targets_of(event):
            found = misfits(target, "", instance, position, play.by, play.card, hearing)
            if found is None:
                return [Unchecked(this.id, f"nothing tells whether {instance} is meant")]
            if found:
                wrong.append(instance)
        if not wrong:
            return RAN
        named = ", ".join(map(position.named, wrong))
        text = f"{position.named(play.card)} was done to {named}, which its text does not mean."
        right = [one for one in targets_of(event) if one not in wrong]
        return [
            this.miscalculated(
                text, *wrong, player=play.by, claimed={"cards": list(targets_of(event))}, recomputed={"cards": right},
            )
        ]  # fmt: skip
    seen: list[Remark] | None = None
    for play, ability in over(event, position):
        for effect in ability.effects:
            done = {one for op, cards in play.done if op == effect.op for one in cards}
            target = _all(ability, effect.op)
            if target is None or not done:
                continue
            if effect.op not in ("destroy", "lock", "rally", "return") and not _stays_the_same(effect.op, target, play):
                continue
            if answered(play, position):
                continue
            cards, _ = eligible(target, effect.op, position, play.by, play.card, hearing)
            left = [one for one in cards if one not in done]
            seen = seen or []
            if not left:
                continue
            named = ", ".join(map(position.named, left))
            text = f"“{ability.words(effect.at)}” of {position.named(play.card)} left out {named}."
            claim, due = {"cards": sorted(done)}, {"cards": sorted({*done, *left})}
            seen.append(this.miscalculated(text, *left, player=play.by, claimed=claim, recomputed=due))
    return seen


def _stays_the_same(op: str, target: Selector, play: Play) -> bool:
    """Whether a bonus, or a trait, is for cards that are the same when the ability is over as when they were given it."""
    if op not in ("modify", "grant") or target.has is not None or target.flag is not None:
        return False
    return not any(one in ("infiltrate", "rally", "lock") for one, _ in play.done)


def _all(ability: Ability | None, op: str | None) -> Selector | None:
    """The cards to all of which a text does something; None where there are none, or more than one part with this op."""
    found = [one.target for one in ability.effects if one.op == op] if ability is not None else []
    if ability is None or ability.status != "full" or len(found) != 1:
        return None
    return found[0] if found[0] is not None and found[0].q == "all" else None


# -- 4.24 ---------------------------------------------------------------------------------------------------------

HCG_DMG_01 = not_auditable(
    "HCG-DMG-01",
    "What an attack is",
    "It defines a word; a counterattack that answers no attack is HCG-CA-01.",
    "An attack is shooting or assaulting, a sweep included. Effects that destroy or deal damage are no attacks.",
    chapter=CHAPTERS["4.24"],
    source=f"{SOURCE}, section 4.24",
)
HCG_CA_04 = not_auditable(
    "HCG-CA-04",
    "What follows from a counterattack",
    "A sweep by a unit that was destroyed is HCG-SWEEP-01, the reward of one that was HCG-SPEC-05.",
    "An attacking unit that a counterattack destroyed makes no sweep.",
    chapter=CHAPTERS["4.24"],
    source=f"{SOURCE}, section 4.24",
)


@rule(
    "HCG-DMG-02",
    "Damage against armor",
    section="4.24",
    events=["damage"],
    kinds=["miscalculated", "ambiguous"],
    readings=["OR-ZEROKILL", "OR-STATFLOOR", "OR-BONUSSETUP"],
)
def damage_of_effects_is_compared(event: records.Damage, view: View, position: Position, hearing: Hearing) -> Seen:
    """In each damage step the damage is compared with the current armor; at least as much destroys.

    Log:  `destroyed`, a claim.
    Edge: the damage of attacks is compared by the rules of their damage steps.
    """
    this = damage_of_effects_is_compared
    if event.by_ability and (unsaid := records.lacking(event)):
        return [Unchecked(this.id, f"the record does not state {' and '.join(unsaid)}")]
    if not event.by_ability or event.to is None or event.amount is None:
        return None
    if event.destroyed is None:
        hearing.not_claimed()
        return None
    armor, *others = now(position, event.to, "armor", hearing)
    if (why := cannot_tell((armor, *others))) is not None:
        return [Unchecked(this.id, why)]
    right = destroys(event.amount, armor.amount, hearing)
    if right == event.destroyed or any(destroys(event.amount, one.amount, hearing) != right for one in others):
        return RAN
    figure = armor.figure("armor")
    text = f"{event.amount} damage against armor {figure.working()} {'destroys' if right else 'does not destroy'} "
    text += f"{position.named(event.to)}."
    return [
        this.miscalculated(
            text, event.to, player=None, claimed={"destroyed": event.destroyed}, recomputed={"destroyed": right},
            figures=(figure,),
        )
    ]  # fmt: skip


@rule(
    "HCG-DMG-03",
    "No wounds",
    section="4.24",
    events=["damage"],
    kinds=["miscalculated"],
    readings=["OR-ZEROKILL", "OR-STATFLOOR", "OR-BONUSSETUP", "OR-DMGACC"],
)
def cards_keep_no_wounds(event: records.Damage, view: View, position: Position, hearing: Hearing) -> Seen:
    """A card that survives carries nothing on: damage that did not destroy it is erased after the damage step.

    Log:  the numbers of the damage steps.
    Edge: whether the two counterattacks of an assault and its sweep add up is OR-DMGACC.
    """
    this, action = cards_keep_no_wounds, position.action
    if event.to is None or event.amount is None:
        return None
    earlier = position.wounds.get(event.to)
    if not earlier:
        return None
    if action is not None and not event.by_ability and not is_counter(event, action) and event.to != action.defending:
        return None  # It is dealt to another card than defends: the rule of the damage step.
    if action is not None and not event.by_ability:
        against = action.defending if is_counter(event, action) else action.unit
        armors: tuple[Value, ...] = (current(position, event.to, "armor", against, hearing),)
    else:
        armors = now(position, event.to, "armor", hearing)
    armor = min(armors, key=lambda one: one.amount)
    if (why := cannot_tell((armor,))) is not None:
        return [Unchecked(this.id, why)]
    before = action.suffered if action is not None and is_counter(event, action) else 0
    if not event.destroyed or destroys(event.amount, armor.amount, hearing, before):
        return RAN
    if event.amount + sum(earlier) < armor.amount or (event.armor not in (None, armor.amount)):
        return None
    due = blow(event, position, hearing)
    if due is not None and due.unknown is None and destroys(due.amount.amount, armor.amount, hearing, before):
        return None  # It is rightly destroyed, and the amount wrong: the rule of the damage step.
    figure = armor.figure("armor")
    dealer = event.from_ if event.from_ is not None else due.source if due is not None else None
    dealt = f"{event.amount} by {position.named(dealer)}" if dealer is not None else f"{event.amount}"
    text = f"{position.named(event.to)} was dealt {dealt} against armor {figure.working()} and lives; damage that it "
    text += f"had survived before ({', '.join(map(str, earlier))}) was added."
    source = position.at.get(dealer) if dealer is not None else None
    return [
        this.miscalculated(
            text, event.to, player=source.player if source is not None else None, claimed={"destroyed": True},
            recomputed={"destroyed": False}, figures=(figure,),
        )
    ]  # fmt: skip


@rule(
    "HCG-DMG-04",
    "Current numbers",
    section="4.24",
    events=["damage"],
    kinds=["miscalculated", "ambiguous"],
    readings=["OR-STATFLOOR", "OR-BONUSSETUP"],
)
def numbers_are_current(event: records.Damage, view: View, position: Position, hearing: Hearing) -> Seen:
    """A current number is the printed one with static bonuses, versus bonuses that apply now and bonuses that are alive. It is
    worked out anew when the defending card changes. Bonuses add.

    Log:  `armor` of damage by an effect, a claim. Numbers of attacks are compared by the rules of their damage steps.
    """
    this = numbers_are_current
    if not event.by_ability or event.to is None:
        return None
    if event.armor is None:
        hearing.not_claimed()
        return None
    armor, *others = now(position, event.to, "armor", hearing)
    if (why := cannot_tell((armor, *others))) is not None:
        return [Unchecked(this.id, why)]
    if event.armor in [one.amount for one in (armor, *others)]:
        return RAN
    figure = armor.figure("armor")
    text = f"The armor of {position.named(event.to)} is {figure.working()}, not {event.armor}."
    return [
        this.miscalculated(
            text, event.to, player=None, claimed={"armor": event.armor}, recomputed={"armor": armor.amount},
            figures=(figure,),
        )
    ]  # fmt: skip


# -- 4.25 ---------------------------------------------------------------------------------------------------------


@rule(
    "HCG-DES-01",
    "Destroying",
    section="4.25",
    events=["destroy", *(one for one in (*ANNOUNCES, *ON_CARDS) if one != "destroy")],
    kinds=["illegal", "miscalculated", "ambiguous"],
    readings=["OR-STATFLOOR", "OR-BONUSSETUP"],
    when=dict.fromkeys([*ANNOUNCES, *(one for one in ON_CARDS if one != "destroy")], ("chosen",)),
)
def only_cards_in_play_are_destroyed(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """Only cards in play are destroyed. A destroyed card goes to its owner's discard pile.

    Log:  the cards; `to`, a claim.
    Edge: one that lies in a discard pile may be said once more to be destroyed, but not in place of what was chosen.
    """
    this = only_cards_in_play_are_destroyed
    chosen = unfit(this, event, position, hearing, ("not in play",), "it is {place}, not in play")
    if not isinstance(event, records.Destroy):
        return chosen
    seen = list(chosen or ())
    if event.cards is None:
        return [this.missing(records.lacking(event), player=None)]
    to = event.to.zone if isinstance(event.to, records.ZoneOf) else event.to
    whose = event.to.player if isinstance(event.to, records.ZoneOf) else None
    for instance in event.cards:
        at = position.at.get(instance)
        if at is None or (at.zone == "limbo" and _played(instance, position)):
            continue
        if (at.zone in NOT_IN_PLAY or (at.zone == "discard" and _is_another(instance, event, position))) and not seen:
            place = "discard pile" if at.zone == "discard" else at.zone.replace("_", " ")
            text = f"{position.named(instance)} was destroyed; it lies in the {place}."
            seen.append(this.illegal(text, instance, player=None, claimed=at.zone))
        owner = position.owner.get(instance, at.player)
        if to not in (None, "discard") or whose not in (None, owner):
            claim = f"{to}{f' of {whose}' if whose is not None else ''}"
            text = f"{position.named(instance)} was destroyed; it goes to {owner}'s discard pile, not to the {claim}."
            seen.append(
                this.miscalculated(
                    text, instance, player=None, claimed={"to": claim}, recomputed={"to": f"discard of {owner}"},
                )
            )  # fmt: skip
    return seen or RAN


def _is_another(instance: str, event: records.Destroy, position: Position) -> bool:
    """Whether a card is said to be destroyed in place of the one that was chosen to be."""
    play = play_by(event, position)
    ability = ability_of(position, play)
    if play is None or not play.choices or ability is None or ability.status != "full":
        return False
    paid = {one for _, cards in play.costs for one in cards}
    done = {one for _, cards in play.done for one in cards}
    return [one.op for one in ability.effects] == ["destroy"] and instance not in paid | done | set(play.choices)


def _played(instance: str, position: Position) -> bool:
    """Whether a card was played from a hand in this battle action, or is that of the last roll."""
    rolled = position.roll is not None and position.roll.card == instance
    return rolled or any(play.card == instance and play.zone == "hand" for play in position.plays)


@rule("HCG-DES-02", "Discarding is not destroying", section="4.25", events=["destroy"], kinds=["illegal"])
def discarding_is_not_destroying(event: records.Destroy, view: View, position: Position, hearing: Hearing) -> Seen:
    """A card that is discarded is not destroyed: nothing that answers a destruction is triggered.

    Log:  a bare `destroy`.
    """
    this = discarding_is_not_destroying
    seen = []
    for instance in event.cards or ():
        at = position.at.get(instance)
        if at is None or at.zone not in ("discard", "limbo") or not _played(instance, position):
            continue
        text = f"{position.named(instance)} was called destroyed; it was played or rolled, and is discarded."
        seen.append(this.illegal(text, instance, player=None))
    return seen or RAN


@rule(
    "HCG-DES-03",
    "The attack ends with its cards",
    section="4.25",
    events=["tactic", "damage", "sweep"],
    kinds=["illegal"],
    readings=["OR-TACASSET"],
)
def attacks_end_with_their_cards(event: Any, view: View, position: Position, hearing: Hearing) -> Seen:
    """If the attacking or the defending unit is destroyed in the tactics window of an attack, the battle action ends at once:
    no damage step, no further tactics, no sweep, no special effect.

    Log:  what destroyed it, and what follows in the battle action.
    Edge: the original target of a blocked attack is no longer the defending card. For assets, and for what leaves play
          otherwise, OR-TACASSET. A special effect that is carried out all the same is HCG-SPEC-06.
    """
    this, action = attacks_end_with_their_cards, position.action
    if action is None or (isinstance(event, records.Damage) and event.by_ability):
        return None
    if action.ended is None:
        return RAN if action.kind in ("shoot", "assault") else None
    goes_on = goes_on_without(action.ended, position, hearing)
    if goes_on is None:
        return [Unchecked(this.id, f"the card of {action.ended} is not known")]
    if goes_on:
        return RAN
    player = event.by if event.by is not None else action.by
    did = {
        "tactic": f"{player} played a tactic",
        "damage": f"Damage was dealt in {action.by}'s attack",
        "sweep": f"{player} made a sweeping advance",
    }
    left = f"{position.named(action.ended)} had left play in the tactics window"
    text = f"{did[tag(event)]} after {left}, which ends the attack."
    hits = isinstance(event, records.Damage) and action.blocker is None
    lacks = block(event.to, position) if hits and event.to not in (None, action.unit, action.ended) else None
    return [this.illegal(text, action.ended, player=player, lacks=lacks)]


def goes_on_without(lost: str, position: Position, hearing: Hearing) -> bool | None:
    """Whether an attack goes on that has lost a card in its tactics window (OR-TACASSET); never where that was a unit, and
    was destroyed. None where the card is not known."""
    card, at = position.card_of(lost), position.at.get(lost)
    if card is None:
        return None
    destroyed = at is not None and at.zone == "discard"
    return (card.kind != "unit" or not destroyed) and hearing.ask("OR-TACASSET") == "continues"


@rule(
    "HCG-DISC-01",
    "Discarding",
    section="4.25",
    events=["discard", *OVER],
    kinds=["illegal", "miscalculated", "ambiguous"],
    when=dict.fromkeys(OVER, ("discards",)),
)
def cards_are_discarded_from_the_hand(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """ "Discard" means from the hand, unless another source is named. The discarding player picks the cards.

    Log:  the cards, and who picked them.
    """
    this = cards_are_discarded_from_the_hand
    if isinstance(event, records.Discard):
        return _discarded(event, position)
    seen: list[Remark] | None = None
    for play, ability in over(event, position):
        effect = discards_of(play, ability, None, "you", "each")
        if effect is not None:
            seen = [*(seen or ()), *_too_few(this, effect, play, play.by, position)]
    return seen


def _discarded(event: records.Discard, position: Position) -> Seen:
    this = cards_are_discarded_from_the_hand
    lacking = records.lacking(event)
    if lacking:
        return [this.missing(lacking)]
    play = play_by(event, position)
    ability = ability_of(position, play)
    if ability is not None and ability.status != "full":
        return [Unchecked(this.id, "the text that the discard is for was not all read")]
    if event.cause == "unique":
        return None  # A copy of a unique card goes there from the table.
    seen: list[Remark] = []
    rows = [row for one in ability.effects for row in one.rows] if ability is not None else []
    effects = [one for one in ability.effects if one.op == "discard"] if ability is not None else []
    effects += [one for row in rows for one in row.effects if one.op == "discard"]
    if any(one.source is not None and one.source.place != "hand" for one in effects):
        return None
    for instance in event.cards or ():
        at = position.at.get(instance)
        if at is None or at.zone in ("command_hand", "deploy_hand", "discard", "limbo"):
            continue
        doomed = position.action is not None and instance in position.action.doomed
        if doomed or position.table.setup.terse:
            continue
        place = f"sector {at.sector}" if at.zone == "sector" else f"the {at.zone.replace('_', ' ')}"
        text = f"{position.named(instance)} was discarded out of {place}; cards are discarded from the hand."
        seen.append(this.illegal(text, instance, claimed=at.zone))
    if play is not None and len(effects) == 1:
        effect = effects[0]
        due = position.other(play.by) if effect.player == "enemy" else play.by
        if effect.player == "each":
            due = event.by if event.by is not None else due
        lies = {one: at.player for one in event.cards or () if (at := position.at.get(one)) is not None}
        theirs = [one for one, player in lies.items() if player != due]
        if event.by is not None and (event.by != due or theirs):
            text = f"{event.by} picked cards to discard for {position.named(play.card)}; {due} discards, and picks."
            if event.by == due:
                text = f"{due} discarded {', '.join(map(position.named, theirs))}, which {position.other(due)} has."
            seen.append(this.illegal(text, claimed=event.by, recomputed=due))
        elif rows:
            return seen or RAN  # How many they are a roll tells.
        elif effect.player in (None, "you") or (effect.player == "each" and event.by == play.by):
            n = discarded(effect, play, play.by) + len(event.cards or ())
            seen += _too_many(this, n, effect, play, event.by, position)
    return seen or RAN


@rule(
    "HCG-DISC-02",
    "Off the top of the deck",
    section="4.25",
    events=["mill", "roll"],
    kinds=["illegal", "miscalculated", "ambiguous"],
)
def discarding_off_the_deck_is_no_roll(
    event: records.Mill | records.Roll, view: View, position: Position, hearing: Hearing
) -> Seen:
    """ "Discard the top cards of your deck" is no roll: it opens no modifier window.

    Log:  the cards; a roll for such a text.
    """
    this = discarding_off_the_deck_is_no_roll
    if isinstance(event, records.Mill) and (unsaid := records.lacking(event)):
        return [this.missing(unsaid)]
    play = play_by(event, position)
    ability = ability_of(position, play)
    if play is None or ability is None or ability.status != "full":
        return None
    mills = [one for one in ability.effects if one.op == "mill"]
    if isinstance(event, records.Roll):
        if not mills or _asks_for_a_roll(ability):
            return None
        only = len(mills) == len(ability.effects)
        what = "only discards off the deck" if only else "discards off the deck and asks for no roll"
        text = f"A roll was made for {position.named(play.card)}, which {what}."
        return [this.illegal(text, play.card)]
    if len(mills) != 1 or not isinstance(mills[0].n, int):
        return None
    n = done(play, "mill") + len(event.cards or ())
    return _too_many(this, n, mills[0], play, event.by, position) or RAN


def _asks_for_a_roll(ability: Ability) -> bool:
    """Whether a text has a test, rows by a roll, or a number that is rolled for."""
    amounts = [cost.n for cost in ability.costs]
    for effect in ability.effects:
        amounts += [effect.n, effect.amount, *(change.amount for change in effect.changes)]
    return bool({"a test", "rows"} & {*ability.has}) or any(amount in ("d6", "-d6") for amount in amounts)


RULES = (
    enemies_discard_what_they_can,
    all_means_all,
    HCG_DMG_01,
    damage_of_effects_is_compared,
    cards_keep_no_wounds,
    numbers_are_current,
    HCG_CA_04,
    only_cards_in_play_are_destroyed,
    discarding_is_not_destroying,
    attacks_end_with_their_cards,
    cards_are_discarded_from_the_hand,
    discarding_off_the_deck_is_no_roll,
)
