"""Setting up the game (catalogue 4.3)."""

from __future__ import annotations

from functools import partial
from typing import Any

from auditor.core.findings import RAN, Fault, Note, Unchecked
from auditor.core.rulings import Hearing
from auditor.systems.hcg import records
from auditor.systems.hcg.position.parts import SLOTS
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.reckoning.lacking import first_wave_card
from auditor.systems.hcg.reckoning.resolve import View
from auditor.systems.hcg.reckoning.setup import chooser, other_role, roles_of
from auditor.systems.hcg.rules.common import Seen, both, rule
from auditor.systems.hcg.rules.decks import FIRST, HEADER
from auditor.systems.words import listed

BEGINS = {"turn.start": ("begins",), "phase.start": ("begins",), "deploy.first": ("begins",)}


@rule("HCG-SETUP-01", "The board", section="4.3", events=["*"], kinds=["illegal", "ambiguous"], when=FIRST)
def three_sectors_of_one_planet(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """The board is three sector cards in a line, one set for both players, all of the same planet.

    Log:  the three sector cards in the header.
    Edge: a sector card that the card set does not have tells no planet.
    """
    setup = position.table.setup
    if not setup.sectors:
        text = "The header does not name the three sector cards."
        return [three_sectors_of_one_planet.fault("ambiguous", text, player=None, seq=HEADER)]
    slots = [slot for slot, _ in setup.sectors]
    if sorted(slots) != list(SLOTS):
        board = f"The log gives {both(position)} a board of {len(slots)} sectors, in the slots {_listed(slots)}"
        text = f"{board}; a board has three, in the slots 1, 2, 3."
        made = three_sectors_of_one_planet.fault(
            "illegal",
            text,
            player=None,
            claimed=len(slots),
            recomputed=len(SLOTS),
            seq=HEADER,
        )
        return [made]
    cards = {card_id: position.table.cards.get(card_id) for _, card_id in setup.sectors}
    wrong = sorted(card_id for card_id, card in cards.items() if card is not None and card.kind != "sector")
    if wrong:
        named = listed(f"{card.title} ({one})" for one, card in cards.items() if card is not None and one in wrong)
        are = "it is no sector card" if len(wrong) == 1 else "they are no sector cards"
        text = f"The log has {named} among the sector cards of {both(position)}; {are}."
        return [three_sectors_of_one_planet.fault("illegal", text, *wrong, player=None, seq=HEADER)]
    planets = sorted({str(card.planet) for card in cards.values() if card is not None})
    if len(planets) > 1:
        text = (
            f"The sector cards of {both(position)} are of the planets {listed(planets)}; all three have to be of one."
        )
        return [
            three_sectors_of_one_planet.fault(
                "illegal",
                text,
                *sorted(cards),
                player=None,
                claimed=planets,
                seq=HEADER,
            )
        ]
    unknown = sorted(card_id for card_id, card in cards.items() if card is None)
    if unknown:
        text = f"No card set tells the planet of {_listed(unknown)}."
        return [three_sectors_of_one_planet.fault("ambiguous", text, *unknown, player=None, seq=HEADER)]
    return RAN


def _listed(values: Any) -> str:
    return ", ".join(map(str, values))


@rule(
    "HCG-SETUP-02",
    "Comparing dice",
    section="4.3",
    events=["setup.reveal", "setup.role", "turn.start", "phase.start", "deploy.first"],
    kinds=["illegal", "miscalculated", "omitted", "ambiguous"],
    when=BEGINS,
)
def the_lower_die_chooses(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """Each player reveals the top card of the deck; the lower die number chooses a role.

    Log:  both revealed instances or their die numbers, and who chose.
    Edge: the die number is that of the card. A card that is known not to lie on top cannot be the one revealed.
    """
    if isinstance(event, records.SetupReveal):
        if event.by is None:
            return [the_lower_die_chooses.missing(["who revealed a card"])]
        return _revealed(event, position)
    if isinstance(event, records.SetupRole):
        if position.roles:
            return None
        missing = _not_revealed(position)
        if missing:
            return missing
        if event.by is not None and event.by not in position.table.players:
            return [the_lower_die_chooses.missing(["which of the players chose a role"])]
        choice = chooser(position)
        if choice.how == "unknown":
            if position.table.setup.terse and len(position.reveals) < len(position.table.players):
                return RAN
            text = "A die number of the revealed cards is not known, so nobody can tell who chooses."
            return [the_lower_die_chooses.fault("ambiguous", text, would_be="illegal")]
        if choice.how != "die" or event.by == choice.player or event.by is None:
            return RAN
        dice = {player: reveal.die for player, reveal in position.reveals.items()}
        text = f"{event.by} chose a role with the die number {dice[event.by]}; {choice.player} has the lower one."
        made = the_lower_die_chooses.fault(
            "illegal",
            text,
            event.by,
            claimed=event.by,
            recomputed=choice.player,
        )
        return [made]
    if position.roles:
        return None
    return _not_revealed(position) or RAN


def _revealed(event: records.SetupReveal, position: Position) -> Seen:
    seen: list[Fault | Unchecked] = []
    card = position.card_of(event.card)
    top = position.deck_top.get(event.by or "", ())
    on_top = not top or top[0] == event.card
    if event.card is not None and not on_top and event.by not in position.reveals:
        text = f"{event.by} revealed {event.card}; {top[0]} lay on top of {event.by}'s deck."
        seen.append(the_lower_die_chooses.fault("illegal", text, event.card, claimed=event.card, recomputed=top[0]))
    if event.by in position.reveals and chooser(position).how != "tie":  # After a tie it is HCG-SETUP-03's business.
        text = f"{event.by} revealed a second card."
        seen.append(the_lower_die_chooses.illegal(text))
    if on_top and event.die is not None and card is not None and card.die is not None and event.die != card.die:
        text = f"{position.named(event.card)} bears the die number {card.die}, not {event.die}."
        seen.append(
            the_lower_die_chooses.fault(
                "miscalculated",
                text,
                str(event.card),
                claimed=event.die,
                recomputed=card.die,
            )
        )
    return seen or RAN


def _not_revealed(position: Position) -> list[Fault]:
    """The players who were to reveal a card before this event and did not; nobody in a terse record."""
    if position.table.setup.terse:
        return []
    seen = []
    for player in position.table.players:
        if player not in position.reveals:
            text, top = f"{player} did not reveal a card.", next(iter(position.deck_top.get(player, ())), None)
            due = partial(records.SetupReveal, seq=0, by=player, card=top)
            seen.append(the_lower_die_chooses.omitted(text, player, player=player, due=due))
    return seen


@rule(
    "HCG-SETUP-03",
    "A tie",
    section="4.3",
    events=["setup.coin", "setup.reveal", "setup.role"],
    kinds=["illegal", "omitted", "ambiguous"],
)
def a_tie_is_broken_by_a_coin(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """Equal die numbers: a coin is flipped and its winner chooses. Nobody reveals again.

    Log:  the coin's winner.
    """
    choice = chooser(position)
    if isinstance(event, records.SetupCoin):
        if event.winner is None:
            return [a_tie_is_broken_by_a_coin.missing(["who won the coin"])]
        if choice.how == "unknown":
            return None
        if choice.how == "die":
            dice = (f"{player}'s is {reveal.die}" for player, reveal in position.reveals.items())
            text = f"A coin was flipped, though the die numbers differ: {listed(dice)}."
            return [a_tie_is_broken_by_a_coin.fault("illegal", text, recomputed=choice.player)]
        return RAN
    if isinstance(event, records.SetupReveal):
        if choice.how != "tie" or event.by not in position.reveals:
            return None
        text = f"{event.by} revealed a second card after a tie; a coin decides it."
        return [a_tie_is_broken_by_a_coin.fault("illegal", text)]
    if position.roles or choice.how not in ("tie", "coin"):
        return None
    if choice.how == "tie":
        if position.table.setup.terse:
            return RAN
        text = f"{both(position)} have equal die numbers and flipped no coin before a role was chosen."
        due = partial(records.SetupCoin, seq=0, winner=event.by)
        return [a_tie_is_broken_by_a_coin.omitted(text, player=None, due=due)]
    if event.by is None or event.by == choice.player:
        return RAN
    text = f"{event.by} chose a role; {choice.player} won the coin."
    return [a_tie_is_broken_by_a_coin.fault("illegal", text, claimed=event.by, recomputed=choice.player)]


@rule(
    "HCG-SETUP-04",
    "The choice of a role",
    section="4.3",
    events=["setup.role", "turn.start", "phase.start", "deploy.first"],
    kinds=["illegal", "omitted", "ambiguous"],
    when=BEGINS,
)
def roles_are_chosen_once(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """The chooser takes attacker or defender; the other player has the other role, for the whole game.

    Log:  who chose, and what.
    Edge: who acts with the other role breaks HCG-SETUP-06, HCG-FW-01 or HCG-DEP-02: that the other role was meant, the
          audit names beside it.
    """
    if not isinstance(event, records.SetupRole):
        if position.roles:
            return RAN
        text = f"{both(position)} began the game, and neither had chosen a role."
        return [roles_are_chosen_once.omitted(text, player=None, due=partial(roles_of, chooser(position).player))]
    unsaid = [words for said, words in ((event.by, "who chose"), (event.role, "which role")) if said is None]
    if unsaid:
        return [roles_are_chosen_once.missing(unsaid)]
    if not position.roles:
        return RAN
    has = position.roles.get(event.by or "")
    text = f"A role was chosen again: {event.by} is the planet {has} for the whole game."
    return [roles_are_chosen_once.fault("illegal", text, claimed=event.role, recomputed=has)]


@rule(
    "HCG-SETUP-05",
    "Revealed cards go back on top",
    section="4.3",
    events=["setup.shuffle", "deploy.first"],
    kinds=["illegal"],
)
def the_revealed_card_is_flipped_first(event: Any, view: View, position: Position, hearing: Hearing) -> Seen:
    """The cards revealed for the die comparison go back on top: each player's first flip of the first wave is that very
    card. Nothing calls for a shuffle in between.

    Log:  the instances.
    Edge: where a shuffle is recorded in between, it is the fault, and the flip may be any card.
    """
    reveal = position.reveals.get(event.by or "")
    if reveal is None:
        return None
    if isinstance(event, records.SetupShuffle):
        text = f"{event.by} shuffled the deck after revealing its top card."
        return [the_revealed_card_is_flipped_first.fault("illegal", text, str(event.by))]
    if event.by in position.flipped or event.by in position.shuffled or None in (event.card, reveal.card):
        return None
    if event.card == reveal.card:
        return RAN
    flipped = f"{event.by} flipped {position.named(event.card)} first"
    text = f"{flipped}; {position.named(reveal.card)} was revealed and lies on top."
    made = the_revealed_card_is_flipped_first.fault(
        "illegal",
        text,
        event.card,
        claimed=event.card,
        recomputed=reveal.card,
        lacks=first_wave_card(str(event.by), event.seq),
    )
    return [made]


@rule(
    "HCG-SETUP-06",
    "The planet",
    section="4.3",
    events=["setup.planet", "turn.start", "phase.start", "deploy.first"],
    kinds=["illegal", "miscalculated"],
    when=BEGINS,
)
def the_defender_chooses_the_planet(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """The planet defender decides which planet is fought over: which side of the sector cards is up.

    Log:  who chose which planet; the sector cards of the header show it.
    Edge: the defender may choose, so that silence is no fault: the sector cards tell the planet.
    """
    if not isinstance(event, records.SetupPlanet):
        if position.planet is not None:
            return RAN
        text = "Nobody recorded who chose the planet; the sector cards of the header tell which it is."
        return [Note("unverifiable", text, the_defender_chooses_the_planet.id)]
    seen: list[Fault | Note] = []
    defender = position.player_as("defender")
    if defender is not None and event.by is not None and event.by != defender:
        text = f"{event.by} chose the planet; the planet defender, {defender}, does."
        due = other_role(position)
        this = the_defender_chooses_the_planet
        seen.append(this.illegal(text, claimed=event.by, recomputed=defender, due=due))
    cards = [position.table.cards.get(sector.card) for sector in position.sectors.values()]
    planets = sorted({card.planet for card in cards if card is not None and card.planet is not None})
    if event.planet is not None and len(planets) == 1 and event.planet != planets[0]:
        text = f"The log has {event.by or 'somebody'} choose the planet {event.planet}; the sector cards are of {planets[0]}."
        seen.append(
            the_defender_chooses_the_planet.fault(
                "miscalculated",
                text,
                claimed=event.planet,
                recomputed=planets[0],
            )
        )
    return seen or RAN


RULES = (
    three_sectors_of_one_planet,
    the_lower_die_chooses,
    a_tie_is_broken_by_a_coin,
    roles_are_chosen_once,
    the_revealed_card_is_flipped_first,
    the_defender_chooses_the_planet,
)
