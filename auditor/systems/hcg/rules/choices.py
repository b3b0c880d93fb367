"""What is chosen for an ability: how many cards, and whether each may be chosen (catalogue 4.7, 4.13, 4.21, 4.22,
4.25)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from auditor.core.findings import RAN, Remark, Unchecked
from auditor.core.ruleset import Rule
from auditor.core.rulings import Hearing
from auditor.systems.hcg import records
from auditor.systems.hcg.position.play import Play
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.reckoning.choices import (
    ANNOUNCES,
    CHANGES,
    Choice,
    choices_made,
    eligible,
    met,
    misfits,
    unchosen,
)
from auditor.systems.hcg.reckoning.named import targets_of
from auditor.systems.hcg.reckoning.plays import ability_of, announced, misplayed, play_by
from auditor.systems.hcg.reckoning.resolve import View
from auditor.systems.hcg.reckoning.values import now
from auditor.systems.hcg.rules.common import Seen, rule
from auditor.systems.words import count, listed

EVENTS = (*ANNOUNCES, *CHANGES)
CHOSEN = dict.fromkeys(EVENTS, ("chosen",))
"""When rules of chosen cards look: at events that tell what was chosen."""
UNFIT = dict.fromkeys(EVENTS, ("unfit",))
"""When they can find something: where not all that was chosen is known to fit."""
IN_BATTLE = ("BA", "T", "R", "M", "A")


def unfit(
    this: Rule, event: records.Event, position: Position, hearing: Hearing, tags: Collection[str], why: str
) -> Seen:
    """The chosen cards that some of these keep from being chosen. `why` goes on after "chose a card for …: "."""
    made = choices_made(event, position)
    if made is None:
        return None
    seen: list[Remark] = []
    looked = False
    for choice in made:
        selector, op = choice.wanted.selector, choice.wanted.effect.op
        for instance in choice.cards:
            wrong = misfits(selector, op, instance, position, choice.play.by, choice.play.card, hearing)
            looked = True
            if wrong is None:
                seen.append(Unchecked(this.id, f"nothing tells whether {instance} may be chosen"))
            elif not set(tags).isdisjoint(_named(wrong, choice)):
                text = f"{choice.play.by} chose {position.named(instance)} for “{words(choice)}”: "
                text += f"{_reason(why, instance, position)}."
                seen.append(this.illegal(text, instance, player=choice.play.by, claimed=instance))
    return seen or (RAN if looked else None)


def _named(wrong: list[str], choice: Choice) -> set[str]:
    """The tags, with those of a state and of a missing card told apart."""
    named = set(wrong)
    if "state" in named and choice.wanted.selector.state == "ready":
        named = (named - {"state"}) | {"not ready"}
    if "sector" in named:
        named.discard("role")  # One that is out of reach is in no attack.
    if "away" in named and choice.wanted.effect.op == "destroy":
        named = (named - {"away"}) | {"not in play"}
    return named


def words(choice: Choice) -> str:
    """The part of the text that a card was chosen for."""
    return choice.ability.words(choice.wanted.effect.at)


def _reason(why: str, instance: str, position: Position) -> str:
    at = position.at.get(instance)
    place = "nowhere in play"
    if at is not None:
        place = f"at sector {at.sector}" if at.zone == "sector" else f"in the {at.zone.replace('_', ' ')}"
        place = f"{at.player}'s, {place}"
    return why.format(stance=at.stance if at is not None else "", place=place)


# -- 4.7 ----------------------------------------------------------------------------------------------------------


@rule(
    "HCG-POS-02",
    "A locked card is not locked again",
    section="4.7",
    events=[*EVENTS, "cost"],
    kinds=["illegal", "ambiguous"],
    readings=["OR-STATFLOOR", "OR-BONUSSETUP"],
    when=dict.fromkeys((one for one in EVENTS if one != "lock"), ("chosen",)),
    finds=dict.fromkeys((one for one in EVENTS if one != "lock"), ("unfit",)),
)
def locked_cards_are_not_locked_again(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """A locked card cannot be locked again: not as a cost, nor chosen for an effect that locks.

    Log:  the cost, or what was chosen.
    Edge: "lock all" passes over what is locked. A locked unit that attacks or blocks breaks the rule of that act.
    """
    this = locked_cards_are_not_locked_again
    if isinstance(event, records.Lock) and event.cards is None:
        return [this.missing(records.lacking(event))]
    if not isinstance(event, records.Cost):
        return unfit(this, event, position, hearing, ("locked",), "it is locked already")
    if event.op != "lock":
        return None
    seen = []
    for instance in event.cards or ():
        at = position.at.get(instance)
        if at is None or at.zone not in ("sector", "fleet") or at.stance != "locked":
            continue
        text = f"{position.named(instance)} was locked as a cost; it is locked already."
        seen.append(this.illegal(text, instance, player=payer(event, position)))
    return seen or RAN


def payer(event: records.Cost, position: Position) -> str | None:
    play = play_by(event, position)
    return event.by if event.by is not None else play.by if play is not None else None


@rule(
    "HCG-POS-03",
    "Cards start ready",
    section="4.7",
    events=EVENTS,
    kinds=["illegal"],
    readings=["OR-STATFLOOR", "OR-BONUSSETUP"],
    when=CHOSEN,
    finds=UNFIT,
)
def what_asks_for_ready_gets_ready(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """Cards that were deployed or infiltrated are ready, and those that stayed after a battle; ships keep their position
    between the battles of a turn. A text that asks for a ready card does not get another.

    Log:  what was chosen.
    Edge: who may shoot, charge or block is judged by the rules of those acts, what pays a cost by HCG-OPT-08.
    """
    return unfit(what_asks_for_ready_gets_ready, event, position, hearing, ("not ready",), "it is {stance}, not ready")


@rule(
    "HCG-POS-05",
    "Rallying",
    section="4.7",
    events=[*EVENTS, "cost"],
    kinds=["illegal", "ambiguous"],
    readings=["OR-STATFLOOR", "OR-BONUSSETUP"],
    when=dict.fromkeys((one for one in EVENTS if one != "rally"), ("chosen",)),
    finds=dict.fromkeys((one for one in EVENTS if one != "rally"), ("unfit",)),
)
def ready_cards_do_not_rally(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """Rallying returns a locked or charging card to ready. A ready card cannot rally, so it cannot be chosen for it.

    Log:  the cost, or what was chosen.
    Edge: a charging unit that rallied no longer charges: without a new charge it cannot assault (HCG-ASLT-01).
    """
    this = ready_cards_do_not_rally
    if isinstance(event, records.Rally) and event.cards is None:
        return [this.missing(records.lacking(event))]
    if not isinstance(event, records.Cost):
        return unfit(this, event, position, hearing, ("ready",), "it is ready already")
    if event.op != "rally":
        return None
    seen = []
    for instance in event.cards or ():
        at = position.at.get(instance)
        if at is not None and at.zone in ("sector", "fleet") and at.stance == "ready":
            text = f"{position.named(instance)} was rallied as a cost; it is ready already."
            seen.append(this.illegal(text, instance, player=payer(event, position)))
    return seen or RAN


# -- 4.13 ---------------------------------------------------------------------------------------------------------


@rule(
    "HCG-BA-05",
    "The current sector only",
    section="4.13",
    events=EVENTS,
    kinds=["illegal"],
    readings=["OR-STATFLOOR", "OR-BONUSSETUP"],
    when=CHOSEN,
    finds=UNFIT,
)
def abilities_reach_the_current_sector(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """Cards and abilities played in a battle affect only cards at the current sector, unless their text says otherwise.

    Log:  what was chosen.
    Edge: "at any sector" and "at another sector" are such texts. Ships are reached by texts that name ships.
    """
    this = abilities_reach_the_current_sector
    return unfit(this, event, position, hearing, ("sector", "away"), "it is {place}, out of its reach")


# -- 4.21 ---------------------------------------------------------------------------------------------------------


@rule(
    "HCG-OPT-02",
    "Choices come before costs and rolls",
    section="4.21",
    events=[*EVENTS, "roll", "draw", "discard", "mill"],
    kinds=["illegal", "ambiguous"],
    readings=["OR-STATFLOOR", "OR-BONUSSETUP"],
    when=dict.fromkeys(["roll", "draw", "discard", "mill", *(one for one in EVENTS if one != "return")], ("played",)),
)
def choices_come_first(event: Any, view: View, position: Position, hearing: Hearing) -> Seen:
    """An ability is announced; its conditions must be met; all required choices are made, X included; then costs are paid,
    tests rolled, and it takes effect on what was chosen.

    Log:  `choices` of the event that announces it.
    Edge: where the announcing event names no choice and no later one has `choices`, the cards that the effect names
          were chosen in time. A condition that cannot be read is taken to be met.
    """
    this = choices_come_first
    if isinstance(event, records.Return) and event.cards is None:
        return [this.missing(records.lacking(event))]
    play = announced(event, position)
    if play is not None:
        return _announcement(event, play, position, hearing)
    play = play_by(event, position)
    if play is None or play.kind not in IN_BATTLE:
        return None
    if getattr(event, "choices", None) is not None and event.choices.cards and play.choices is None:
        named = listed(map(position.named, event.choices.cards))
        text = f"{play.by} chose {named} only after the ability had been announced."
        return [this.illegal(text, play.card, player=play.by, claimed=list(event.choices.cards))]
    if play.kind != "T" or not play.choices:
        return None
    return _on_others(event, play, play.choices, position)


def _announcement(event: records.Event, play: Play, position: Position, hearing: Hearing) -> Seen:
    this = choices_come_first
    ability = ability_of(position, play)
    if play.kind not in IN_BATTLE:
        return None
    if ability is None:
        return [this.missing(["what was chosen"], player=play.by)] if unchosen(play, position) else None
    if misplayed(play, ability, position):
        return None
    seen: list[Remark] = []
    for condition in ability.conditions:
        answer = met(condition, position, play, hearing)
        said = ability.words(condition.at)
        if answer is None:
            seen.append(Unchecked(this.id, f"nothing tells whether this is so: {said}"))
        elif not answer:
            text = f"{position.named(play.card)} was played though its condition was not met: “{said}”."
            seen.append(this.illegal(text, play.card, player=play.by))
    if play.choices is None:
        if unchosen(play, position):
            seen.append(this.missing(["what was chosen"], play.card, player=play.by))
    elif not play.choices:
        wanted = [one for choice in choices_made(event, position) or () if (one := choice.wanted).n and not one.upto]
        for one in wanted:
            found, _ = eligible(one.selector, one.effect.op, position, play.by, play.card, hearing)
            if len(found) >= (one.n or 0):
                text = f"{play.by} chose nothing for “{ability.words(one.effect.at)}” of {position.named(play.card)}."
                seen.append(this.illegal(text, play.card, player=play.by))
    return seen or RAN


def _on_others(event: records.Event, play: Play, chosen: Sequence[str], position: Position) -> Seen:
    """A tactic takes effect at once, on what was chosen for it."""
    this, ability = choices_come_first, ability_of(position, play)
    if ability is None or ability.status != "full" or not isinstance(event, (records.Effect, records.Change)):
        return None
    if any(one.target is not None and one.target.q in ("self", "all", "same") for one in ability.effects):
        return None
    if any(one.target is None for one in ability.effects):
        return None  # Cards of a hand may be meant.
    others = [one for one in targets_of(event) if one not in chosen]
    if isinstance(event, records.Destroy):
        others = [one for one in others if position.lives_in_play(one) or one not in position.at]  # Else HCG-DES-01.
    if not others:
        return RAN
    named = ", ".join(map(position.named, others))
    text = f"The tactic took effect on {named}; chosen {'was' if len(chosen) == 1 else 'were'} "
    text += f"{', '.join(map(position.named, chosen))}."
    return [this.illegal(text, *others, player=play.by, claimed=others, recomputed=list(chosen))]


@rule(
    "HCG-OPT-03",
    "Required choices must be possible",
    section="4.21",
    events=EVENTS,
    kinds=["illegal"],
    readings=["OR-UPTOZERO", "OR-STATFLOOR", "OR-BONUSSETUP"],
    when=CHOSEN,
    finds=UNFIT,
)
def required_choices_are_possible(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """An ability can be played only if every choice that it requires is possible: "lock two enemy units" needs two that can
    be locked.

    Log:  what was chosen.
    Edge: choices that somebody else makes are not required (HCG-OPT-04), nor is anything chosen for "all" (HCG-OPT-05).
    """
    this = required_choices_are_possible
    made = choices_made(event, position) or ()
    seen: list[Remark] = []
    for choice in made:
        selector, op, n = choice.wanted.selector, choice.wanted.effect.op, choice.wanted.n
        play, name = choice.play, f"“{words(choice)}”"
        found, unsure = eligible(selector, op, position, play.by, play.card, hearing)
        if play.kind in IN_BATTLE and not unsure and n is not None:
            if choice.wanted.upto:
                if not found and not choice.cards and n and hearing.ask("OR-UPTOZERO") == "at-least-one":
                    text = f"{play.by} played {name}, and there is no card that it could be done to."
                    seen.append(this.illegal(text, play.card, player=play.by, claimed=0, recomputed=1))
                    continue
            elif len(found) < n and _only_for_lack(choice, position, hearing):
                text = f"{name} of {position.named(play.card)} needs {count(n, 'card')} that it can be done to; "
                text += f"there {_are(len(found))}."
                seen.append(this.illegal(text, play.card, player=play.by, claimed=n, recomputed=len(found)))
                continue
        for instance in choice.cards:
            wrong = misfits(selector, op, instance, position, play.by, play.card, hearing)
            if wrong is not None and {"state", "has"} & _named(wrong, choice):
                why = f"it is {position.at[instance].stance}"
                if "has" in wrong and selector.has is not None:
                    why = f"its {selector.has.stat} is {now(position, instance, selector.has.stat, hearing)[0].amount}"
                text = f"{play.by} chose {position.named(instance)} for {name}, which it does not fit; {why}."
                seen.append(this.illegal(text, instance, player=play.by, claimed=instance))
    return seen or (RAN if made else None)


def _are(n: int) -> str:
    return "is none" if n == 0 else "is one" if n == 1 else f"are {n}"


def _only_for_lack(choice: Choice, position: Position, hearing: Hearing) -> bool:
    """Whether what was chosen is wrong for no other reason than that there are too few."""
    for instance in choice.cards:
        wrong = misfits(
            choice.wanted.selector,
            choice.wanted.effect.op,
            instance,
            position,
            choice.play.by,
            choice.play.card,
            hearing,
        )
        if wrong is None or not {"state", "has", "locked", "ready"}.issuperset(wrong):
            return False
    return True


@rule(
    "HCG-OPT-09",
    "Quantity words",
    section="4.21",
    events=EVENTS,
    kinds=["illegal", "ambiguous"],
    readings=["OR-STATFLOOR", "OR-BONUSSETUP"],
    when=CHOSEN,
    finds=UNFIT,
)
def quantity_words_are_kept(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """ "One", "a", "any" and a number: exactly so many are chosen. "Up to": so many at most. "Any unit" means units of both
    sides, "enemy" those that the opponent controls, "your" the player's own.

    Log:  what was chosen.
    Edge: no card is chosen twice for one text.
    """
    this = quantity_words_are_kept
    made = choices_made(event, position) or ()
    seen = list(
        unfit(this, event, position, hearing, ("kind", "side", "other"), "it is {place}, and not what the text names")
        or ()
    )
    for choice in made:
        n, chosen = choice.wanted.n, len(set(choice.cards))
        if n is None or (not chosen and choice.play.choices is not None):
            continue  # Nothing was chosen that could be counted.
        if (chosen == n and len(choice.cards) == n) or (choice.wanted.upto and len(choice.cards) == chosen <= n):
            continue
        if chosen < n and announced(event, position) is None:
            continue  # The effect may name the rest.
        if chosen < n and not choice.wanted.upto:
            found, _ = eligible(
                choice.wanted.selector, choice.wanted.effect.op, position, choice.play.by, choice.play.card, hearing
            )
            if len(found) < n:
                continue  # There are no more that could be chosen.
        text = f"{choice.play.by} chose {count(len(choice.cards), 'card')} for “{words(choice)}”."
        seen.append(
            this.illegal(
                text,
                choice.play.card,
                player=choice.play.by,
                claimed=len(choice.cards),
                recomputed=n,
            )
        )
    return seen or (RAN if made else None)


# -- 4.22, 4.25 ---------------------------------------------------------------------------------------------------


@rule(
    "HCG-TAC-08",
    "Roles in the attack",
    section="4.22",
    events=EVENTS,
    kinds=["illegal"],
    readings=["OR-STATFLOOR", "OR-BONUSSETUP"],
    when=CHOSEN,
    finds=UNFIT,
)
def roles_are_those_of_the_attack(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """A "blocking unit" exists only after a block; "attacking", "defending", "shooting" and "assaulting" are what cards are
    in the attack under way.

    Log:  what was chosen, the attack and its block.
    """
    this = roles_are_those_of_the_attack
    return unfit(this, event, position, hearing, ("role",), "it is not that in the attack under way")


@rule(
    "HCG-KEY-01",
    "Keywords",
    section="4.25",
    events=EVENTS,
    kinds=["illegal"],
    readings=["OR-STATFLOOR", "OR-BONUSSETUP"],
    when=CHOSEN,
    finds=UNFIT,
)
def keywords_are_borne(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """A keyword has no rules of its own unless it is bold; other texts refer to it, and mean only cards that bear it.

    Log:  what was chosen.
    Edge: traits of the ability box are keywords ("a counterattack unit"), and so are keywords that an ability has given.
    """
    return unfit(keywords_are_borne, event, position, hearing, ("keyword",), "it does not bear the keyword")


RULES = (
    locked_cards_are_not_locked_again,
    what_asks_for_ready_gets_ready,
    ready_cards_do_not_rally,
    abilities_reach_the_current_sector,
    choices_come_first,
    required_choices_are_possible,
    quantity_words_are_kept,
    roles_are_those_of_the_attack,
    keywords_are_borne,
)
