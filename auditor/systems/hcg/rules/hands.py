"""Command hands, flag units, infiltration (catalogue 4.12, 4.25)."""

from __future__ import annotations

from auditor.core.findings import RAN, Remark, Unchecked
from auditor.core.ruleset import Rule
from auditor.core.rulings import Hearing
from auditor.systems.hcg import records
from auditor.systems.hcg.abilities import Ability
from auditor.systems.hcg.abilities.shapes import Effect
from auditor.systems.hcg.position.play import Play
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.reckoning.effects import misplaced
from auditor.systems.hcg.reckoning.plays import ability_of, announced, play_by
from auditor.systems.hcg.reckoning.resolve import View
from auditor.systems.hcg.rules.choices import CHOSEN, EVENTS, UNFIT, unfit
from auditor.systems.hcg.rules.common import Seen, one_of, rule, went_back_to_the_hand
from auditor.systems.words import listed

PLAYED = ("tactic", "reaction", "modifier", "ba.card", "ba.ability")


# -- 4.12 ---------------------------------------------------------------------------------------------------------


@rule(
    "HCG-CMD-01",
    "Only the command line counts",
    section="4.12",
    events=[*PLAYED, "infiltrate"],
    kinds=["illegal"],
    readings=["OR-CMDFACE"],
)
def hand_cards_have_only_their_line(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """Of a card in a command hand only the command line counts: its name, numbers, keywords and ability box do not exist
    there.

    Log:  the source.
    Edge: whether an effect may look for units or keywords in a hand is OR-CMDFACE. An event is HCG-VIC-04.
    """
    this = hand_cards_have_only_their_line
    if isinstance(event, records.Infiltrate):
        return _looks_into_a_hand(this, event, position, hearing)
    play = announced(event, position)
    if play is None or play.zone != "hand":
        return None
    if play.ability == "line":
        return RAN
    text = f"{position.named(play.card)} was played from the hand with a text of its ability box."
    return [this.illegal(text, play.card, claimed=play.ability, recomputed="line")]


def _looks_into_a_hand(this: Rule, event: records.Infiltrate, position: Position, hearing: Hearing) -> Seen:
    play, effects = _infiltrates(event, position)
    looked_for = [one.target for one in effects if one.target is not None and _is_of_a_sort_in_hand(one)]
    if play is None or not effects or not event.cards or len(looked_for) < len(effects):
        return None
    if hearing.ask("OR-CMDFACE") == "yes":
        return RAN
    named = ", ".join(map(position.named, event.cards))
    text = (
        f"{named} was looked for in a command hand, where a card is neither a {looked_for[0].kind} nor anything else."
    )
    return [this.illegal(text, *event.cards, player=play.by)]


@rule("HCG-CMD-02", "Command lines of deployed cards", section="4.12", events=PLAYED, kinds=["illegal"])
def lines_of_deployed_cards_are_dead(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """The command line of a card at a sector or in a fleet cannot be used.

    Log:  the source.
    """
    this, play = lines_of_deployed_cards_are_dead, announced(event, position)
    if play is None or play.ability != "line":
        return None
    at = position.at.get(play.card)
    deployed = at is not None and at.zone in ("sector", "fleet")
    if play.zone not in ("sector", "fleet") and not deployed:
        return RAN
    where = f"sector {at.sector}" if at is not None and at.zone == "sector" else "the fleet"
    text = f"{play.by} used the command line of {position.named(play.card)}, which lies in {where}; it counts in the hand only."
    if not deployed:
        text = f"The command line of {position.named(play.card)} was used as that of a card in play."
    return [this.illegal(text, play.card, player=play.by, claimed=play.zone, recomputed="hand")]


@rule(
    "HCG-CMD-03",
    "Played cards are discarded",
    section="4.12",
    events=["reaction", "modifier", "ba.card", "return"],
    kinds=["illegal"],
    readings=["OR-FAILEDTEST"],
)
def played_cards_are_discarded(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """A hand card is discarded after it was played, whatever its type. It is not played twice.

    Log:  the discard is implied; what is said otherwise is compared.
    Edge: a BA card lies on the table until its battle action is over. For tactics this is HCG-TAC-07.
    Edge: one whose test has failed goes back to the hand under OR-FAILEDTEST = refunded.
    """
    this = played_cards_are_discarded
    if not isinstance(event, records.Return):
        play = announced(event, position)
        if play is None or play.zone != "hand":
            return None
        at = position.at.get(play.card)
        if at is None or at.zone not in ("discard", "limbo"):
            return RAN
        where = "in the discard pile" if at.zone == "discard" else "on the table, as it has been played"
        text = f"{position.named(play.card)} was played from the hand; it lies {where}."
        return [this.illegal(text, play.card, player=play.by, claimed="hand", recomputed=at.zone)]
    played = {play.card: play for play in position.plays if play.kind in ("R", "M", "BA") and play.zone == "hand"}
    back = [one for one in event.cards or () if one in played]
    if not back:
        return None
    if went_back_to_the_hand([played[one] for one in back], hearing):
        return RAN
    source = play_by(event, position)
    if source is None and event.cause == "effect":
        return [Unchecked(this.id, f"nothing tells which text took {', '.join(map(position.named, back))} back")]
    ability = ability_of(position, source)
    if source is not None and (ability is None or ability.status != "full" or _returns(ability)):
        return None
    text = f"{', '.join(map(position.named, back))} went back after it had been played; a played card is discarded."
    return [this.illegal(text, *back, player=played[back[0]].by)]


def _returns(ability: Ability) -> bool:
    return any(effect.op == "return" for effect in ability.effects)


@rule("HCG-CMD-04", "Drawn cards join the command hand", section="4.12", events=["draw"], kinds=["miscalculated"])
def drawn_cards_join_the_command_hand(event: records.Draw, view: View, position: Position, hearing: Hearing) -> Seen:
    """Cards that are drawn during a battle enter the command hand. There is no limit to it.

    Log:  `to`, a claim.
    """
    if position.battle is None or position.phase != "battle" or event.cause not in ("command", "effect"):
        return None
    if event.to is None:
        hearing.not_claimed()
        return None
    if event.to == "command_hand":
        return RAN
    text = f"{event.by} drew in a battle; the cards enter the command hand, not the {event.to.replace('_', ' ')}."
    claim, right = {"to": event.to}, {"to": "command_hand"}
    return [drawn_cards_join_the_command_hand.miscalculated(text, claimed=claim, recomputed=right)]


# -- 4.25 ---------------------------------------------------------------------------------------------------------


@rule(
    "HCG-FLAG-01",
    "Flag units",
    section="4.25",
    events=EVENTS,
    kinds=["illegal"],
    readings=["OR-STATFLOOR", "OR-BONUSSETUP"],
    when=CHOSEN,
    finds=UNFIT,
)
def flag_units_have_flags_now(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """Whether a unit is a flag unit is judged by its current flags, bonuses included, when it is chosen.

    Log:  what was chosen.
    """
    return unfit(flag_units_have_flags_now, event, position, hearing, ("flag",), "its current flags are against it")


def _is_of_a_sort_in_hand(effect: Effect) -> bool:
    """Whether a part of a text looks in a hand for a card of a sort."""
    if effect.source is None or effect.target is None or effect.source.place != "hand":
        return False
    return effect.target.kind != "card" or bool(effect.target.keywords)


def _infiltrates(event: records.Infiltrate, position: Position) -> tuple[Play | None, list[Effect]]:
    """The ability that an infiltration belongs to, and the parts of its text that say so."""
    play = play_by(event, position)
    ability = ability_of(position, play)
    found = [effect for effect in ability.effects if effect.op == "infiltrate"] if ability is not None else []
    return play, found


@rule(
    "HCG-INF-01",
    "Infiltrating",
    section="4.25",
    events=["infiltrate"],
    kinds=["illegal", "miscalculated", "ambiguous"],
)
def infiltrators_come_as_the_text_says(
    event: records.Infiltrate, view: View, position: Position, hearing: Hearing
) -> Seen:
    """A card is infiltrated to the current sector, ready and face up, from where the text takes it; only where an ability
    says so. Set-up instructions are not carried out.

    Log:  the cards, the source; `from`, `sector` and `position`, claims.
    Edge: a text that could not be read may say anything.
    """
    this, battle = infiltrators_come_as_the_text_says, position.battle
    unsaid = records.lacking(event)
    if unsaid:
        return [this.missing(unsaid)]
    if battle is None:
        return None
    cards = list(event.cards or ())
    who, named = one_of(event.by), listed(map(position.named, cards))
    seen: list[Remark] = []
    if event.sector is None or event.to == "fleet":
        hearing.not_claimed()
    elif event.sector != battle.sector:
        text = f"{who} infiltrated cards to sector {event.sector}; the battle is at sector {battle.sector}."
        seen.append(this.illegal(text, *cards, claimed=event.sector, recomputed=battle.sector))
    if event.position not in (None, "ready"):
        text = f"{who} infiltrated {named}, which came in {event.position}; infiltrated cards are ready."
        claim = {"position": event.position}
        seen.append(this.miscalculated(text, *cards, claimed=claim, recomputed={"position": "ready"}))
    play, effects = _infiltrates(event, position)
    ability = ability_of(position, play)
    if play is None:
        if event.source is not None:
            return seen or [Unchecked(this.id, "nothing tells which ability infiltrated cards")]
        text = f"{who} infiltrated {named}, and no ability says so."
        return [*seen, this.illegal(text, *cards)] if not position.plays else seen or RAN
    if ability is None or ability.status != "full" or not effects:
        if ability is None or ability.status != "full":
            return seen or [Unchecked(this.id, f"the text of {position.named(play.card)} was not read in full")]
        text = f"{play.by} infiltrated {named} by {position.named(play.card)}, which does not infiltrate."
        return [*seen, this.illegal(text, *cards, player=play.by)]
    if event.by not in (None, play.by):
        text = f"{event.by} infiltrated {named} by {position.named(play.card)}, which {play.by} played."
        seen.append(this.illegal(text, *cards, claimed=event.by, recomputed=play.by))
    said = event.from_.zone if isinstance(event.from_, records.ZoneOf) else event.from_
    for instance in cards:
        why, *others = [misplaced(instance, effect, play, position, said) for effect in effects]
        if why is not None and None not in others:
            by = f"by “{ability.words(effects[0].at)}”"
            text = f"{play.by} infiltrated {position.named(instance)} {by}; it {why}."
            seen.append(this.illegal(text, instance, player=play.by))
    return seen or RAN


@rule("HCG-INF-02", "Infiltrated ships", section="4.25", events=["infiltrate"], kinds=["miscalculated"])
def infiltrated_ships_go_to_the_fleet(
    event: records.Infiltrate, view: View, position: Position, hearing: Hearing
) -> Seen:
    """An infiltrated ship goes to the fleet at once, ready; every other card to the sector.

    Log:  `to`, a claim.
    """
    this = infiltrated_ships_go_to_the_fleet
    to = event.to.zone if isinstance(event.to, records.ZoneOf) else event.to
    if to is None:
        hearing.not_claimed()
        return None
    seen = []
    looked = False
    for instance in event.cards or ():
        card = position.card_of(instance)
        if card is None:
            continue
        looked = True
        due = "fleet" if card.kind == "ship" else "sector"
        if to == due:
            continue
        text = f"{card.title} ({instance}) is a {card.kind}; infiltrated it goes to the {due}, not to the {to}."
        seen.append(this.miscalculated(text, instance, claimed={"to": to}, recomputed={"to": due}))
    return seen or (RAN if looked else None)


RULES = (
    hand_cards_have_only_their_line,
    lines_of_deployed_cards_are_dead,
    played_cards_are_discarded,
    drawn_cards_join_the_command_hand,
    flag_units_have_flags_now,
    infiltrators_come_as_the_text_says,
    infiltrated_ships_go_to_the_fleet,
)
