"""The victory step of a battle: flag totals, hands, events (catalogue 4.26). Who takes the sector: `sectors`."""

from __future__ import annotations

from functools import partial
from typing import Any

from auditor.core.findings import RAN, Remark, Unchecked
from auditor.core.ruleset import Rule
from auditor.core.rulings import Hearing
from auditor.systems.hcg import records
from auditor.systems.hcg.position.parts import Battle, EventDue, Victory
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.reckoning.battles import won
from auditor.systems.hcg.reckoning.lacking import undone_effect
from auditor.systems.hcg.reckoning.resolve import View
from auditor.systems.hcg.reckoning.values import Value, not_verified
from auditor.systems.hcg.reckoning.victory import (
    AFTER_EVENTS,
    COMPARES,
    ENDS,
    LEAVES,
    battle_of,
    flags_of,
    is_left,
    missed_events,
    printed_events,
    round_of,
    rounds_over,
    unresolved,
    victory_of,
    whose_hand,
)
from auditor.systems.hcg.rules.common import Seen, both, one_of, rule
from auditor.systems.words import count

ROLES = (("attacker", "atk"), ("defender", "dfd"))
BEFORE_EVENTS = ("event", "victory.discard", "victory.result", "sector.taken", "sector.reset")
LATER_TOTALS = ("after_atk", "after_dfd")
AFTER = ("victory.discard", "victory.result", "sector.taken", "sector.reset")


def has_begun(battle: Battle) -> bool:
    """Whether anything of the victory step of a battle was recorded."""
    victory = battle.victory
    return victory is not None and bool(victory.revealed or victory.resolved or victory.discarded or victory.over)


# -- order --------------------------------------------------------------------------------------------------------


@rule(
    "HCG-VIC-01",
    "The victory step and its order",
    section="4.26",
    events=["victory.reveal", "event", "victory.discard", "victory.result", *LEAVES, *ENDS],
    kinds=["illegal", "omitted"],
)
def the_victory_step_has_its_order(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """After two passes, a withdrawal or the skip of a battle comes its victory step: flag totals, both hands revealed, the
    attacker's events, the defender's events, both hands discarded, the comparison, the sector cleared or reset.

    Log:  the order of events.
    Edge: totals are claims and may stand anywhere. A battle without any of it is one fault.
    """
    this, battle = the_victory_step_has_its_order, position.battle
    if battle is None:
        return None
    if not isinstance(event, (records.VictoryReveal, records.EventResolved, *AFTER_EVENTS)):
        return _no_victory_step(this, event, battle, position)
    victory = victory_of(position)
    late = None
    if isinstance(event, records.VictoryReveal):
        if event.by in victory.revealed:
            return None
        late = "the events" if victory.rounds else "the hands were discarded" if victory.discarded else None
        late = late or ("the comparison" if victory.over else None)
        did = f"{one_of(event.by)} showed the hand"
    elif isinstance(event, records.EventResolved):
        late = "the hands were discarded" if victory.discarded else "the comparison" if victory.over else None
        did = f"{one_of(event.by)} resolved an event"
    else:
        late = "the sector was cleared or reset" if victory.closed else None
        did = f"{one_of(event.by)} discarded the hand"
        if not isinstance(event, records.VictoryDiscard):
            did = f"The log compares the flags of {both(position)} at sector {battle.sector}"
    if late is None or victory.partial:
        return RAN
    text = f"{did} after {late}."
    return [this.illegal(text, claimed=event.by, player=event.by)]


def _no_victory_step(this: Rule, event: records.Event, battle: Battle, position: Position) -> Seen:
    if not is_left(event, position) or has_begun(battle):
        return None
    if battle.step == "setup" or position.table.setup.terse:
        return None
    if battle.victory is not None and battle.victory.partial:
        return None
    if isinstance(event, (records.GameEnd, records.End)) and not won(position):
        return None  # A game that is over before anybody has won goes no further.
    text = f"The battle of {both(position)} at sector {battle.sector} has no victory step in the log."
    return [this.omitted(text, str(battle.sector), player=None)]


# -- flag totals --------------------------------------------------------------------------------------------------


@rule(
    "HCG-VIC-02",
    "Flag totals",
    section="4.26",
    events=["victory.flags"],
    kinds=["miscalculated", "ambiguous"],
    readings=["OR-STATFLOOR", "OR-BONUSSETUP"],
)
def totals_count_units_and_assets(
    event: records.VictoryFlags, view: View, position: Position, hearing: Hearing
) -> Seen:
    """When the battle has ended, the current flags of each player's units and assets at the sector are added up. Ships
    never count.

    Log:  both totals, by role, claims.
    Edge: after a skipped battle step they are counted too.
    """
    if event.stage != "initial":
        return None
    if position.battle is not None and victory_of(position).resolved:
        return [Unchecked(None, "the first flag totals stand after an event was resolved")]
    return _totals(totals_count_units_and_assets, event, position, hearing)


@rule(
    "HCG-VIC-05",
    "Running totals",
    section="4.26",
    events=["victory.flags"],
    kinds=["miscalculated", "ambiguous"],
    readings=["OR-STATFLOOR", "OR-BONUSSETUP"],
)
def totals_are_counted_again(event: records.VictoryFlags, view: View, position: Position, hearing: Hearing) -> Seen:
    """After the attacker's events and after the defender's the flags are counted again: what was destroyed, infiltrated or
    changed moves the totals.

    Log:  both totals, by role, claims.
    """
    if event.stage not in LATER_TOTALS:
        return None
    if event.stage == "after_atk" and position.battle is not None and "defender" in victory_of(position).rounds:
        return [Unchecked(None, "the flag totals after the attacker's events stand after one of the defender's")]
    return _totals(totals_are_counted_again, event, position, hearing)


def _totals(this: Rule, event: records.VictoryFlags, position: Position, hearing: Hearing) -> Seen:
    if position.battle is None:
        return None
    seen: list[Remark] = []
    for role, name in ROLES:
        claimed = getattr(event, name)
        player = position.player_as(role)  # type: ignore[arg-type]
        if claimed is None:
            hearing.not_claimed()
            continue
        if player is None:
            return [Unchecked(this.id, "nobody knows who is the planet attacker")]
        value = flags_of(position, player, hearing)
        if value.unknown is not None:
            seen.append(Unchecked(this.id, value.unknown))
        elif claimed != value.amount and claimed != flags_of(position, player, hearing, as_counted=False).amount:
            # A total that was counted wrongly before was said there; the right one is no second fault.
            seen.append(wrong_total(this, position, value, name, claimed, player))
    return seen or RAN


def wrong_total(this: Rule, position: Position, value: Value, name: str, claimed: int, player: str) -> Any:
    """A claimed flag total that is not what the cards come to."""
    figure = value.figure(f"flags of {player}")
    text = f"{player} has {figure.working()} flags at the sector, not {claimed}."
    more: dict[str, Any] = {
        "player": player, "claimed": {name: claimed}, "recomputed": {name: value.amount}, "figures": (figure,),
    }  # fmt: skip
    if not value.tainted:
        return this.miscalculated(text, player, **more, lacks=undone_effect(position.seq + 1))
    text += not_verified(value.tainted)
    made = this.ambiguous(text, player, would_be="miscalculated", **more)
    return made._replace(game_fields={"tainted_by": list(value.tainted)})


# -- hands --------------------------------------------------------------------------------------------------------


@rule(
    "HCG-VIC-03",
    "Hands are revealed",
    section="4.26",
    events=["victory.reveal", "victory.flags", *BEFORE_EVENTS],
    kinds=["illegal", "omitted", "ambiguous"],
)
def hands_are_revealed(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """Both players show their command hands, whole.

    Log:  the cards of each hand.
    Edge: a hand of nobody knows how many cards is not counted. An empty hand need not be shown. It is due before the first
          event and before the totals after the attacker's events.
    """
    this = hands_are_revealed
    if isinstance(event, records.VictoryReveal):
        return _shown(this, event, position)
    battle = battle_of(event, position)
    if battle is None or position.table.setup.terse:
        return None
    victory = victory_of(position)
    if isinstance(event, records.VictoryFlags) and event.stage not in LATER_TOTALS:
        return None
    if victory.partial or victory.resolved or victory.over or not set(LATER_TOTALS).isdisjoint(victory.counted):
        return None
    seen = []
    for player in position.table.players:
        n = position.count(player, "command_hand")
        if n and player not in victory.revealed and not position.table.later_reveal(event.seq, player):
            text = f"{player} did not show the command hand of {n}."
            due = partial(records.VictoryReveal, seq=0, by=player, cards=position.located(player, "command_hand"))
            seen.append(this.omitted(text, player, player=player, recomputed=n, due=due))
    return seen or RAN


def _shown(this: Rule, event: records.VictoryReveal, position: Position) -> Seen:
    unsaid = records.lacking(event)
    if unsaid:
        return [this.missing(unsaid)]
    player = str(event.by)
    if position.battle is None or player not in position.table.other or event.cards is None:
        return None
    whose = whose_hand(event, position)
    if whose != player:
        text = f"The log has {player} show a hand that is {whose}'s."
        return [this.illegal(text, *event.cards, claimed=player, recomputed=whose)]
    held = set(position.located(player, "command_hand"))
    unknown = position.pool(player, "command_hand").n
    seen: list[Remark] = []
    new = [one for one in dict.fromkeys(event.cards) if one not in held]
    for instance in list(new):
        at = position.at.get(instance)
        may_be_drawn = unknown or position.table.setup.terse
        if at is None or (at.zone == "deck" and at.player == player and may_be_drawn):
            continue
        new.remove(instance)
        where = f"sector {at.sector}" if at.zone == "sector" else f"the {at.zone.replace('_', ' ')} of {at.player}"
        text = f"{player} showed {position.named(instance)} in a command hand; it lies in {where}."
        seen.append(this.illegal(text, instance, claimed="command_hand", recomputed=at.zone))
    missing = sorted(held.difference(event.cards))
    if len(missing) > len(seen) and not position.table.setup.terse:  # Else each is one that another was shown for.
        text = f"{', '.join(map(position.named, missing))} {'is' if len(missing) == 1 else 'are'} in {player}'s hand."
        seen.append(this.illegal(f"{text} The cards shown do not have it.", *missing))
    if len(new) != unknown and not position.table.setup.terse and not seen:
        n = len(held) + unknown
        text = f"{player} showed {count(len(event.cards), 'card')}; the command hand has {n}."
        seen.append(this.illegal(text, player, claimed=len(event.cards), recomputed=n))
    return seen or RAN


@rule(
    "HCG-VIC-06",
    "Hands are discarded",
    section="4.26",
    events=["victory.discard", "victory.result", "sector.taken", "sector.reset", *LEAVES, *ENDS],
    kinds=["illegal", "omitted", "ambiguous"],
)
def hands_are_discarded(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """After the events both players discard their command hands, whole.

    Log:  the cards; where they are left out, all of them.
    Edge: they are due before the flags are compared.
    """
    this, battle = hands_are_discarded, battle_of(event, position)
    if isinstance(event, records.VictoryDiscard):
        unsaid = records.lacking(event)
        if unsaid:
            return [this.missing(unsaid)]
        return _thrown(this, event, position, hearing)
    if battle is None or position.table.setup.terse:
        return None
    victory = victory_of(position)
    compares = isinstance(event, COMPARES)
    if victory.compared or victory.partial or (not compares and not (is_left(event, position) and has_begun(battle))):
        return None
    seen = []
    for player in position.table.players:
        n = position.count(player, "command_hand")
        if n and player not in victory.discarded:
            text = f"{player} did not discard the command hand of {count(n, 'card')}."
            due = partial(records.VictoryDiscard, seq=0, by=player)
            seen.append(this.omitted(text, player, player=player, recomputed=n, due=due))
    return seen or RAN


def _thrown(this: Rule, event: records.VictoryDiscard, position: Position, hearing: Hearing) -> Seen:
    player = str(event.by)
    if position.battle is None or player not in position.table.other:
        return None
    if event.cards is None:
        hearing.not_claimed()
        return None
    held = position.located(player, "command_hand")
    seen: list[Remark] = []
    for instance in event.cards:
        at = position.at.get(instance)
        if instance in held or at is None or at.zone in ("discard", "deck"):
            continue
        where = f"sector {at.sector}" if at.zone == "sector" else f"the {at.zone.replace('_', ' ')} of {at.player}"
        text = f"{position.named(instance)} was discarded with {player}'s hand; it lies in {where}."
        seen.append(this.illegal(text, instance, claimed="command_hand", recomputed=at.zone))
    left = [one for one in held if one not in event.cards]
    if left and not position.table.setup.terse:
        text = f"{player} kept {', '.join(map(position.named, left))} in hand; the whole hand is discarded."
        seen.append(this.omitted(text, *left, player=player))
    return seen or RAN


# -- events -------------------------------------------------------------------------------------------------------


@rule(
    "HCG-VIC-04",
    "Events",
    section="4.26",
    events=["event", "victory.flags", *AFTER, *LEAVES, *ENDS],
    kinds=["illegal", "omitted", "ambiguous"],
    readings=["OR-EVENTSCOPE", "OR-LEFTFACE", "OR-EVENTDEF", "OR-EVENTSNAP", "OR-WDEVENTS"],
)
def events_are_compulsory(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """The planet attacker carries out all own events in an order of choice: command lines of type E in the hand, and E
    abilities of own cards in play when the battle ended. Then the planet defender likewise. The attacker is first in both
    battles.

    Log:  each event, with its source.
    Edge: the command line of a deployed card and the ability box of a hand card do not count. Two copies are two events.
          One whose test fails or whose choices are impossible is carried out without effect.
    """
    this, battle = events_are_compulsory, battle_of(event, position)
    if isinstance(event, records.EventResolved):
        unsaid = records.lacking(event)
        if unsaid or event.source is None:
            return [this.missing(unsaid)]
        if battle is None:
            return None
        judged = _resolved(this, event, event.source, position, hearing) or ()
        return [*_missed(this, event, position, hearing), *judged] or RAN
    if battle is None or position.table.setup.terse:
        return None
    if not isinstance(event, (records.VictoryFlags, *AFTER_EVENTS)):
        if not is_left(event, position) or not has_begun(battle):
            return None
    return _missed(this, event, position, hearing) or RAN


def _missed(this: Rule, event: records.Event, position: Position, hearing: Hearing) -> list[Remark]:
    """The events that should have been carried out before this one."""
    if position.table.setup.terse:
        return []
    of = None
    if isinstance(event, records.EventResolved) and event.source is not None:
        one = _meant(event.source, position, victory_of(position))
        if isinstance(one, EventDue) and one.by == event.by:
            of = round_of(one, position, hearing)
    seen: list[Remark] = []
    for one in missed_events(rounds_over(event, of), event.seq, position, hearing):
        text = f"The event of {position.named(one.card)} was not carried out."
        seen.append(this.omitted(text, one.card, str(one.ability), player=one.by, due=partial(_line_of, one)))
    return seen


def _line_of(one: EventDue) -> records.EventResolved:
    """The line of an event that was not carried out."""
    zone: Any = one.place if one.place in ("hand", "fleet") else "sector"
    ability: Any = one.ability
    return records.EventResolved(seq=0, by=one.by, source=records.Source(zone=zone, card=one.card, ability=ability))


def _resolved(
    this: Rule, event: records.EventResolved, source: records.Source, position: Position, hearing: Hearing
) -> Seen:
    card, victory = str(source.card), victory_of(position)
    one = _meant(source, position, victory)
    if isinstance(one, str):
        text = f"{position.named(card)} was resolved as an event; {one}."
        return [this.illegal(text, card)]
    if one is None:
        return [Unchecked(this.id, f"nothing tells whether {position.named(card)} has an event that counts")]
    if one.by != event.by:
        text = f"{event.by} resolved the event of {position.named(card)}, which is {one.by}'s."
        return [this.illegal(text, card, claimed=event.by, recomputed=one.by)]
    if not position.roles:
        return [Unchecked(this.id, "nobody knows who is the planet attacker")]
    role = round_of(one, position, hearing)
    if role is None:
        text = f"The event of {position.named(card)} was resolved, and does not count here."
        return [this.illegal(text, card)]
    if role == "attacker" or victory.partial:
        return RAN
    early = [
        other
        for other in unresolved(position)
        if other.card != card
        and position.table.later_event(event.seq, other.card)
        and round_of(other, position, hearing) == "attacker"
    ]
    if not early:
        return RAN
    text = f"{position.named(card)} was resolved before the attacker's event of {position.named(early[0].card)}."
    return [this.illegal(text, card)]


def _meant(source: records.Source, position: Position, victory: Victory) -> EventDue | str | None:
    """The event that a source means; why it is none, as the end of a sentence; None where nobody can say."""
    card = str(source.card)
    numbered = source.ability
    of_card = [one for one in printed_events(position) if one.card == card and numbered in (None, one.ability)]
    left = [one for one in of_card if (one.card, one.ability) not in victory.resolved]
    if left:
        return left[0]
    if of_card:
        return "it had been resolved before"
    printed, at = position.card_of(card), position.at.get(card)
    if printed is None or at is None or victory.partial:
        return None
    if at.zone in ("command_hand", "deck") and numbered != "line":
        return "the ability box of a hand card does not count"
    if at.zone in ("sector", "fleet") and numbered == "line":
        return "the command line of a card in play does not count"
    texts = [printed.line] if numbered == "line" else list(printed.abilities)
    if isinstance(numbered, int):
        texts = texts[numbered : numbered + 1] if numbered >= 0 else []
    if not any(text is not None and (text.type == "E" or text.several) for text in texts):
        return "it has no such event"
    if at.zone in ("sector", "fleet"):
        return None
    return f"it lies in the {at.zone.replace('_', ' ')}"


RULES = (
    the_victory_step_has_its_order,
    totals_count_units_and_assets,
    hands_are_revealed,
    events_are_compulsory,
    totals_are_counted_again,
    hands_are_discarded,
)
