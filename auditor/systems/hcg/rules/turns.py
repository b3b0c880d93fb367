"""Turn structure, first wave, regular deployment (catalogue 4.4 to 4.6)."""

from __future__ import annotations

from functools import partial
from typing import Any

from auditor.core.findings import RAN, Fault, Unchecked
from auditor.core.ruleset import Rule, not_auditable
from auditor.core.rulings import Hearing
from auditor.systems.hcg import records
from auditor.systems.hcg.position.parts import HAND, PHASES, SLOTS
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.reckoning.deployment import (
    begins_again,
    begins_as_foretold,
    belied,
    can_flip,
    counted,
    drew_theirs,
    is_without_a_deployment,
    is_without_a_flip,
    may_be_spent,
    next_to_deploy,
    next_to_flip,
    strays,
    waiting,
)
from auditor.systems.hcg.reckoning.lacking import deployment, first_wave_card, off_the_top
from auditor.systems.hcg.reckoning.resolve import View
from auditor.systems.hcg.reckoning.setup import other_role
from auditor.systems.hcg.rules.common import CHAPTERS, PHASE_NAMES, SOURCE, Seen, both, one_of, rule

ENDS_FIRST_WAVE = ("draw", "deploy.regular", "phase.start", "battle.choose", "battle.none", "turn.end", "turn.start")
HANDS = ("deploy_hand", "command_hand")
ENDS_DEPLOYMENT = ("phase.start", "battle.choose", "battle.none", "turn.end", "turn.start")


def _slots(slots: tuple[int, ...]) -> str:
    return ("sector " if len(slots) == 1 else "sectors ") + ", ".join(map(str, slots))


# -- 4.4 ----------------------------------------------------------------------------------------------------------


@rule(
    "HCG-TURN-01",
    "Phases in order",
    section="4.4",
    events=["phase.start", "turn.start", "deploy.first"],
    kinds=["illegal", "omitted", "ambiguous"],
    readings=["OR-FWREPEAT"],
)
def phases_come_in_order(
    event: records.PhaseStart | records.TurnStart | records.DeployFirst,
    view: View,
    position: Position,
    hearing: Hearing,
) -> Seen:
    """A turn has a deployment phase (first wave, then regular deployment), a battle phase and an end phase, in order.

    Log:  the marks `phase.start` and `turn.start`. A phase whose acts are recorded needs no mark.
    """
    if position.phase in ("setup", "over"):
        return RAN  # What comes after the end of the game is judged with how it ends (`game_end.py`).
    if begins_as_foretold(event, position):
        return RAN
    now = PHASES.index(position.phase)
    if isinstance(event, records.DeployFirst):
        if position.phase == "first_wave":
            return RAN
        flips = position.table.players if event.by is None else (event.by,)
        if position.phase == "deployment" and any(waiting(position, one, hearing) for one in flips):
            return None  # The first wave is not over; a draw came too early.
        text = f"{one_of(event.by)} flipped a first-wave card in the {PHASE_NAMES[position.phase]}."
        return [phases_come_in_order.fault("illegal", text, str(event.card))]
    if isinstance(event, records.TurnStart):
        if begins_again(event, position):
            text = f"The log has {both(position)} begin turn {event.turn} again; they were in its first wave."
            return [phases_come_in_order.fault("illegal", text, claimed=event.turn)]
        left = PHASES[now + 1 :] if position.turn else ()
        return _left_out(left, position) or RAN
    if event.phase is None:
        return [phases_come_in_order.missing(["which phase began"], player=None)]
    if event.phase not in PHASES:
        text = f"The log has {both(position)} begin the {event.phase} phase; a turn has no such phase."
        return [phases_come_in_order.fault("illegal", text, claimed=event.phase)]
    there = PHASES.index(event.phase)
    if there == now and position.marked != event.phase:
        return RAN
    if there <= now:
        again, now_in = PHASE_NAMES[event.phase], PHASE_NAMES[position.phase]
        text = f"The log has {both(position)} begin the {again} again; they were in the {now_in}."
        claim, right = event.phase, position.phase
        due = partial(records.TurnStart, seq=0, turn=position.turn + 1) if there == 0 else None
        return [phases_come_in_order.illegal(text, claimed=claim, recomputed=right, due=due)]
    told = belied(event, position)
    if told is not None:
        begun = PHASE_NAMES[event.phase]
        text = f"The log has {both(position)} begin the {begun}; what follows is of the {PHASE_NAMES[told]}."
        claim, right = event.phase, told
        return [phases_come_in_order.illegal(text, claimed=claim, recomputed=right)]
    return _left_out(PHASES[now + 1 : there], position) or RAN


def _left_out(phases: tuple[str, ...], position: Position) -> list[Fault]:
    """The phases that a turn has not; in short records marks and acts of a phase may be left out."""
    if position.table.setup.terse:
        return []
    return [
        phases_come_in_order.fault(
            "omitted",
            f"The log has {both(position)} play turn {position.turn} without its {PHASE_NAMES[phase]}.",
            phase,
            player=None,
        )
        for phase in phases
    ]


HCG_TURN_02 = not_auditable(
    "HCG-TURN-02",
    "Each new turn repeats all of it",
    "What a turn repeats is judged by the rules of its phases (HCG-TURN-01, HCG-FW-04, HCG-DEP-01).",
    """Each new turn repeats all phases, the first wave included.""",
    chapter=CHAPTERS["4.4"],
    source=f"{SOURCE}, section 4.4",
)


@rule("HCG-TURN-03", "Cards left in the decks", section="4.4", events=["turn.end"], kinds=["miscalculated"])
def decks_hold_what_is_left(event: records.TurnEnd, view: View, position: Position, hearing: Hearing) -> Seen:
    """A full turn takes a card for each open sector, six for deployment and six for each battle from each deck.

    Log:  `decks` of `turn.end`, a claim.
    Edge: compared only where the number of cards in the deck is known; in a terse record draws may be left out.
    """
    if not event.decks:
        hearing.not_claimed()
        return None
    if position.table.setup.terse:
        return None
    seen = []
    for player, claimed in event.decks.items():
        left = position.deck_n.get(player)
        if left is not None and left != claimed:
            text = f"{player}'s deck has {left} cards left, not {claimed}."
            seen.append(
                decks_hold_what_is_left.fault(
                    "miscalculated",
                    text,
                    player,
                    player=player,
                    claimed=claimed,
                    recomputed=left,
                    lacks=off_the_top(player, position, event),
                )
            )
    return seen or RAN


# -- 4.5 ----------------------------------------------------------------------------------------------------------


@rule(
    "HCG-FW-01",
    "Defender first, one flip at a time",
    section="4.5",
    events=["deploy.first"],
    kinds=["illegal", "ambiguous"],
    readings=["OR-FWREPEAT", "OR-DECKOUT"],
)
def flips_alternate(event: records.DeployFirst, view: View, position: Position, hearing: Hearing) -> Seen:
    """In the first wave the planet defender flips first; then the players alternate, one card each.

    Log:  who flipped, in order.
    Edge: a player whose open sectors all have a card has done; the other goes on alone. Who was passed over may
          catch up with two in a row. Where it is one of the other player's flips that is missing, who goes on has
          flipped in turn.
    """
    if event.by is None:
        return [flips_alternate.missing(["who flipped"], player=None)]
    if view.begins:
        return _first_flip(event, position, hearing)
    if not position.roles:
        return [Unchecked(flips_alternate.id, "nobody knows who is the planet defender")]
    if not _may_be_the_top(event, position):
        return None  # It is no card that could be flipped, in turn or not.
    due = next_to_flip(position, hearing)
    if due is None or due == event.by or position.missed == event.by:
        return RAN
    if is_without_a_flip(due, event, position, hearing):
        return RAN  # The flip of the other player is missing: it was this one's turn.
    return [_out_of_turn(flips_alternate, "flipped", event, due, position)]


def _first_flip(event: records.DeployFirst, position: Position, hearing: Hearing) -> Seen:
    defender = position.player_as("defender")
    if defender is None:
        return [Unchecked(flips_alternate.id, "nobody knows who is the planet defender")]
    if event.by == defender or is_without_a_flip(defender, event, position, hearing):
        return RAN
    return [_out_of_turn(flips_alternate, "flipped", event, defender, position)]


def _out_of_turn(this: Rule, did: str, event: records.Event, due: str, position: Position) -> Fault:
    text = f"{event.by} {did} a card when it was {due}'s turn."
    lacks = (first_wave_card if isinstance(event, records.DeployFirst) else deployment)(due, event.seq)
    # Who begins with the other role may have chosen that.
    role = other_role(position) if position.last is None else None
    return this.illegal(text, claimed=event.by, recomputed=due, due=role, lacks=lacks)


@rule("HCG-FW-02", "The top card", section="4.5", events=["deploy.first"], kinds=["illegal", "ambiguous"])
def the_flipped_card_was_on_top(event: records.DeployFirst, view: View, position: Position, hearing: Hearing) -> Seen:
    """A first-wave card is the top card of the player's own deck, turned up and then placed.

    Log:  the instance, and the order of the deck where it is known.
    Edge: the player sees it before naming the sector. Where nothing of the order is known, any card that can lie in
          the deck is taken for the top one.
    """
    if event.card is None:
        text = "The log does not say which card was flipped."
        return [the_flipped_card_was_on_top.fault("ambiguous", text, would_be="illegal")]
    if event.by is None:
        return None
    if _may_be_the_top(event, position):
        return RAN
    at = position.at.get(event.card)
    if at is not None and at.zone in HANDS:
        text = (
            f"{event.by} flipped {position.named(event.card)}, which was in {at.player}'s hand, not on top of the deck."
        )
        return [the_flipped_card_was_on_top.fault("illegal", text, event.card, claimed=at.zone, recomputed="deck")]
    top = position.deck_top[event.by][0]
    text = f"{event.by} flipped {position.named(event.card)}; {position.named(top)} lay on top of {event.by}'s deck."
    lacks = off_the_top(event.by, position, event)
    return [
        the_flipped_card_was_on_top.fault("illegal", text, event.card, claimed=event.card, recomputed=top, lacks=lacks)
    ]


def _may_be_the_top(event: records.DeployFirst, position: Position) -> bool:
    """Whether nothing tells that a flipped card was another than the top one of its player's deck."""
    at, top = position.at.get(event.card or ""), position.deck_top.get(event.by or "", ())
    if event.card is None or (at is not None and at.zone in HANDS):
        return event.card is None
    return not top or top[0] == event.card or event.card in position.passed_over


@rule("HCG-FW-03", "Face up", section="4.5", events=["deploy.first"], kinds=["illegal"])
def first_wave_cards_lie_face_up(event: records.DeployFirst, view: View, position: Position, hearing: Hearing) -> Seen:
    """First-wave cards are placed face up and ready.

    Log:  `face`, a claim.
    """
    if event.face is None:
        hearing.not_claimed()
    if event.face != "down":
        return RAN
    placed = f"{one_of(event.by)} placed {position.named(event.card)}"
    text = f"{placed} face down in the first wave, in which cards lie face up."
    return [first_wave_cards_lie_face_up.fault("illegal", text, str(event.card), claimed="down", recomputed="up")]


@rule(
    "HCG-FW-04",
    "One card for each open sector",
    section="4.5",
    events=["deploy.first", *ENDS_FIRST_WAVE],
    kinds=["illegal", "omitted"],
    readings=["OR-FWSPREAD", "OR-FWREPEAT", "OR-DECKOUT"],
)
def each_open_sector_gets_one(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """Each player sends exactly one first-wave card to each open sector, in an order of the player's choosing.

    Log:  who, which sector.
    Edge: three open sectors mean three flips each, two mean two, one means one.
    Edge: where a deck is not refilled (OR-DECKOUT), who has no card left to flip owes none.
    """
    if isinstance(event, records.DeployFirst):
        return _flip_to(event, position, hearing)
    if begins_as_foretold(event, position) or begins_again(event, position):
        return None
    if position.phase != "first_wave" or _still_first_wave(event) or position.table.later_flip(event.seq):
        return None
    if position.table.setup.terse:
        return RAN
    seen = []
    for player in position.table.players:
        left = waiting(position, player, hearing)
        left = left[_said(player, position, hearing) if left else 0 :]
        if left and can_flip(player, position, hearing):
            text = f"The first wave ended, and {player} had sent no card to {_slots(left)}."
            card = next(iter(position.deck_top.get(player, ())), None)
            line = partial(records.DeployFirst, seq=0, by=player, card=card, sector=left[0])
            seen.append(each_open_sector_gets_one.omitted(text, player, player=player, recomputed=list(left), due=line))
    return seen or RAN


def _said(player: str, position: Position, hearing: Hearing) -> int:
    """How many first-wave cards went astray, which was said as each of them did."""
    nowhere = sum(1 for slot in position.served.get(player, ()) if slot not in position.open_slots())
    astray = strays(position, player)
    return astray if astray > nowhere and hearing.ask("OR-FWSPREAD") == "one-each" else nowhere


def _still_first_wave(event: records.Event) -> bool:
    return (isinstance(event, records.PhaseStart) and event.phase in (None, "first_wave")) or (
        isinstance(event, records.Draw) and event.cause != "deployment"
    )


def _flip_to(event: records.DeployFirst, position: Position, hearing: Hearing) -> Seen:
    if (
        event.by not in position.table.other
        or event.sector is None
        or position.phase not in ("first_wave", "deployment")
        or not _may_be_the_top(event, position)  # HCG-FW-02.
    ):
        return None
    left = waiting(position, event.by, hearing)
    if not left:
        text = f"{event.by} flipped one card more than there are open sectors."
        return [each_open_sector_gets_one.fault("illegal", text, str(event.card))]
    if event.sector in left or event.sector not in position.open_slots():
        return RAN
    if hearing.ask("OR-FWSPREAD") == "at-least-one":
        return RAN
    text = f"{event.by} sent a second card to sector {event.sector}, while none had gone to {_slots(left)}."
    return [
        each_open_sector_gets_one.fault("illegal", text, str(event.card), claimed=event.sector, recomputed=list(left))
    ]


@rule("HCG-FW-05", "Never to a taken sector", section="4.5", events=["deploy.first"], kinds=["illegal", "ambiguous"])
def no_first_wave_to_a_taken_sector(
    event: records.DeployFirst, view: View, position: Position, hearing: Hearing
) -> Seen:
    """First-wave cards go to open sectors only.

    Log:  the sector.
    """
    return _to_an_open_sector(no_first_wave_to_a_taken_sector, event, position)


def _to_an_open_sector(this: Rule, event: Any, position: Position) -> Seen:
    if event.sector is None:
        text = "The log does not say to which sector the card went."
        return [this.fault("ambiguous", text, would_be="illegal")]
    if event.sector not in SLOTS:
        text = f"{one_of(event.by)} sent a card to sector {event.sector}; the board has sectors 1 to 3."
        return [this.fault("illegal", text, claimed=event.sector)]
    sector = position.sectors[event.sector]
    if sector.state != "taken":
        return RAN
    text = f"{one_of(event.by)} sent a card to sector {event.sector}, which {sector.by or 'somebody'} has taken."
    made = this.fault(
        "illegal",
        text,
        str(event.card),
        claimed=event.sector,
        recomputed=list(position.open_slots()),
    )
    return [made]


HCG_FW_06 = not_auditable(
    "HCG-FW-06",
    "Any card may be first wave",
    "It allows something: no log can break it. That a waiting ship uses no ability is HCG-SHIP-02.",
    """Any kind of card can be a first-wave card, ships too; a ship waits at the sector until the set-up of a battle
    there. It cannot use its abilities while it waits.""",
    chapter=CHAPTERS["4.5"],
    source=f"{SOURCE}, section 4.5",
)


# -- 4.6 ----------------------------------------------------------------------------------------------------------


@rule(
    "HCG-DEP-01",
    "Six cards are drawn",
    section="4.6",
    events=["draw", "deploy.regular", *ENDS_DEPLOYMENT],
    kinds=["illegal", "omitted", "ambiguous"],
    readings=["OR-DECKOUT", "OR-FWREPEAT"],
)
def six_are_drawn_for_deployment(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """After the first wave each player draws a hand of six.

    Log:  how many were drawn.
    Edge: what counts are drawn cards; a draw that a refill interrupts is written as two. Cards set aside come on top.
    """
    if isinstance(event, records.Draw):
        return _drawn(event, position, hearing)
    if position.phase != "deployment" or position.table.setup.terse:
        return None
    if isinstance(event, records.PhaseStart) and event.phase not in ("battle", "end"):
        return None
    # A hand is due before its first card is deployed.
    due = (event.by,) if isinstance(event, records.DeployRegular) else position.table.players
    players = [one for one in position.table.players if one in due and one not in position.dealt]
    seen = [one for player in players for one in _too_few(player, position, hearing)]
    return seen or RAN


def _drawn(event: records.Draw, position: Position, hearing: Hearing) -> Seen:
    player = event.by
    unsaid = [words for said, words in ((player, "who drew"), (event.cause, "why cards were drawn")) if said is None]
    if unsaid:
        return [six_are_drawn_for_deployment.missing(unsaid)]
    if event.cause not in ("deployment", "command") and event.n is None and event.cards is None:
        return [Unchecked(None, "nobody knows how many cards an effect drew")]
    if event.cause != "deployment" or player not in position.table.other:
        return None
    n = counted(event)
    if n is None:
        text = "The log does not say how many cards were drawn."
        return [six_are_drawn_for_deployment.fault("ambiguous", text, would_be="illegal")]
    seen: list[Fault] = []
    if position.phase in ("first_wave", "deployment") and position.table.later_flip(event.seq):
        if any(waiting(position, one, hearing) and can_flip(one, position, hearing) for one in position.table.players):
            text = f"{player} drew for deployment before the first wave had ended."
            seen.append(six_are_drawn_for_deployment.fault("illegal", text, player))
    before = position.drawn[player]
    if drew_theirs(event, position):
        before = None  # The cards are the other player's: HCG-DOC-02.
    if before is not None and before + n > HAND:
        text = f"{player} has drawn {before + n} cards for deployment; {HAND} are drawn."
        right = max(0, HAND - before)
        seen.append(six_are_drawn_for_deployment.fault("illegal", text, player, claimed=n, recomputed=right))
    return seen or RAN


def _too_few(player: str, position: Position, hearing: Hearing) -> list[Fault]:
    drawn = position.drawn[player]
    if drawn is None or drawn >= HAND:
        return []
    if may_be_spent(player, position, hearing):
        return []
    text = f"{player} drew {drawn} cards for deployment; {HAND} are drawn."
    return [
        six_are_drawn_for_deployment.omitted(
            text,
            player,
            player=player,
            claimed=drawn,
            recomputed=HAND,
            due=partial(records.Draw, seq=0, by=player, n=HAND - drawn, to="deploy_hand", cause="deployment"),
        )
    ]


@rule(
    "HCG-DEP-02",
    "Defender first, one card at a time",
    section="4.6",
    events=["deploy.regular"],
    kinds=["illegal", "ambiguous"],
)
def deployments_alternate(event: records.DeployRegular, view: View, position: Position, hearing: Hearing) -> Seen:
    """The planet defender deploys first; then the players alternate, one card each. A player with no card left is skipped.

    Log:  who deployed, in order.
    Edge: who was passed over may catch up with two in a row: the fault is that of the one who came too early. Where it is
          one of the other player's deployments that is missing, who goes on has deployed in turn (HCG-DEP-04).
    """
    if event.by is None:
        return [deployments_alternate.missing(["who deployed"], player=None)]
    if event.by not in position.table.other:
        return None
    if not position.roles:
        return [Unchecked(deployments_alternate.id, "nobody knows who is the planet defender")]
    due = next_to_deploy(position)
    if due is None or due == event.by or not position.count(event.by, "deploy_hand"):
        return RAN if due == event.by else None
    if position.missed == event.by or is_without_a_deployment(due, event, position):
        return RAN  # The deployment of the other player is missing: it was this one's turn.
    return [_out_of_turn(deployments_alternate, "deployed", event, due, position)]


@rule("HCG-DEP-03", "Face down", section="4.6", events=["deploy.regular"], kinds=["illegal"])
def regular_cards_lie_face_down(event: records.DeployRegular, view: View, position: Position, hearing: Hearing) -> Seen:
    """Cards of the regular deployment are placed face down. Which they are need not be recorded.

    Log:  `face`, a claim.
    """
    if event.face is None:
        hearing.not_claimed()
    if event.face != "up":
        return RAN
    text = f"{one_of(event.by)} deployed {position.named(event.card)} face up; cards are deployed face down."
    return [regular_cards_lie_face_down.fault("illegal", text, str(event.card), claimed="up", recomputed="down")]


@rule("HCG-DEP-04", "All cards are deployed", section="4.6", events=ENDS_DEPLOYMENT, kinds=["omitted"])
def hands_are_empty_before_the_battles(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """Deployment lasts until both hands are empty. No card is kept, and nobody passes.

    Log:  the deployments.
    """
    if position.phase != "deployment":
        return None
    if isinstance(event, records.PhaseStart) and event.phase not in ("battle", "end"):
        return None
    if position.table.setup.terse:
        return RAN
    seen = []
    for player in position.table.players:
        n = position.count(player, "deploy_hand")
        if n:
            text = f"{player} still had {n} card{'s' * (n > 1)} to deploy when the deployment ended."
            due = partial(records.DeployRegular, seq=0, by=player, face="down")
            this = hands_are_empty_before_the_battles
            seen.append(this.omitted(text, player, player=player, claimed=n, recomputed=0, due=due))
    return seen or RAN


HCG_DEP_05 = not_auditable(
    "HCG-DEP-05",
    "No limit for a sector",
    "It allows something: no log can break it.",
    "Any number of cards may be deployed at one sector.",
    chapter=CHAPTERS["4.6"],
    source=f"{SOURCE}, section 4.6",
)


@rule("HCG-DEP-06", "Not to a taken sector", section="4.6", events=["deploy.regular"], kinds=["illegal", "ambiguous"])
def no_deployment_to_a_taken_sector(
    event: records.DeployRegular, view: View, position: Position, hearing: Hearing
) -> Seen:
    """Cards are deployed at open sectors only.

    Log:  the sector.
    """
    return _to_an_open_sector(no_deployment_to_a_taken_sector, event, position)


RULES = (
    phases_come_in_order,
    HCG_TURN_02,
    decks_hold_what_is_left,
    flips_alternate,
    the_flipped_card_was_on_top,
    first_wave_cards_lie_face_up,
    each_open_sector_gets_one,
    no_first_wave_to_a_taken_sector,
    HCG_FW_06,
    six_are_drawn_for_deployment,
    deployments_alternate,
    regular_cards_lie_face_down,
    hands_are_empty_before_the_battles,
    HCG_DEP_05,
    no_deployment_to_a_taken_sector,
)
