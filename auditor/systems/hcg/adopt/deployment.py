"""How first waves, draws, deployments and refills change the position (catalogue 4.5, 4.6, 4.8).

Of a line that cannot be true the table went on with what the rest of the record says: a card that cannot be the one that was
drawn or deployed stays where it lies (catalogue 1.3), and one that nobody names went in its place.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from auditor.core.findings import Fact
from auditor.core.holes import Hole
from auditor.core.rulings import Hearing
from auditor.systems.hcg import records
from auditor.systems.hcg.adopt import plays as adopt_plays
from auditor.systems.hcg.adopt import victory as adopt_victory
from auditor.systems.hcg.position.parts import HAND, SLOTS, Pool, Taken
from auditor.systems.hcg.position.places import At
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.reckoning.battles import DRAWS
from auditor.systems.hcg.reckoning.deployment import (
    begins_unsaid,
    can_flip,
    cause_of,
    drawn,
    ends_first_wave,
    left_out,
    may_leave_hand,
    waiting,
    who_acted,
)
from auditor.systems.hcg.reckoning.refills import comes_late, limbo, pile_of

Lost = list[tuple[str, tuple[int, ...]]]
"""Players who have sent no first-wave card to some sectors, as far as anything is recorded."""


def lost_flips(event: records.Event, position: Position, hearing: Hearing) -> Lost:
    """The first-wave cards that are missing as the first wave ends, of decks of which nobody knows what lies on top: whether
    they were flipped nobody can say."""
    if position.phase != "first_wave" or position.table.setup.terse or not ends_first_wave(event, position):
        return []
    unknown = [one for one in position.table.players if not position.deck_top.get(one)]
    lost = [(one, waiting(position, one, hearing)) for one in unknown if can_flip(one, position, hearing)]
    return [(player, slots) for player, slots in lost if slots]


def doubt_flips(lost: Lost, position: Position) -> None:
    """Whether first-wave cards that are missing were flipped is not known, nor how many cards their players' decks have."""
    for player, slots in lost:
        facts: set[Fact] = {("deck", player), *(("zone", player, "sector", slot) for slot in slots)}
        where = f"sector{'s' * (len(slots) > 1)} {', '.join(map(str, slots))}"
        why = f"whether {player} sent a first-wave card to {where} in turn {position.turn} is not recorded"
        position.holes.open(Hole(position.seq, why, frozenset(facts)))


def begin_turn(position: Position, number: int | None) -> None:
    """A new turn stands at the top of the deployment procedure."""
    counted = position.turn + 1
    if number is not None and number > position.turn and (position.holes or not position.started):
        counted = number  # Nobody else counts them.
    position.turn, position.turn_said = counted, number if number is not None else counted
    position.phase, position.marked = "first_wave", ""
    position.last = position.missed = None
    rallied, position.rallied = position.rallied, frozenset()
    position.had, position.dealt = {}, frozenset()
    adopt_victory.leave(position)
    unfought = {slot for slot in position.open_slots() if not position.sectors[slot].fought}
    position.left |= {
        one for one, at in position.at.items() if at.zone == "sector" and at.sector in unfought and at.face == "up"
    }
    for instance, at in position.at.items():
        # That the ships were rallied in the end phase is not recorded: that is missed once (HCG-END-02).
        if at.zone == "fleet" and at.stance != "ready" and (at.player not in rallied or position.table.setup.terse):
            position.at[instance] = at._replace(stance="ready")
    for player in position.table.players:
        position.served[player] = ()
        position.drawn[player] = 0
        position.here[player] = frozenset(s for s in position.open_slots() if position.has_cards_at(player, s))
    for slot, sector in position.sectors.items():
        state = "open" if sector.state == "in_battle" else sector.state
        position.sectors[slot] = sector._replace(state=state, fought=False)


def enter(position: Position, phase: str) -> None:
    """Play has come to a phase."""
    if position.phase != phase:
        adopt_victory.leave(position)
        position.phase = phase
        position.last = position.missed = None


def took_a_turn(player: str, position: Position) -> None:
    """A player flipped or deployed a card. Who was passed over by that may do so twice in a row: two lines that changed places
    are one mistake."""
    again = position.last == player if position.last is not None else position.player_as("attacker") == player
    if player == position.missed:
        position.missed = None if again else player
    else:
        position.missed = position.other(player) if again else None
    position.last = player


def _first(event: records.DeployFirst, position: Position) -> None:
    player = who_acted(event, () if event.card is None else (event.card,), position)
    if player is None:
        return
    if position.phase == "setup" or begins_unsaid(event, position):
        begin_turn(position, event.turn)
    card = event.card if event.card is not None and _may_be_flipped(event.card, player, position) else None
    if card is not None:
        position.show(card, player, None)
    _to_sector(event, position.take(player, "deck", card), player, "up", position)
    position.flipped |= {player}
    if event.sector is not None:
        position.served[player] = (*position.served[player], event.sector)
    took_a_turn(player, position)


def _may_be_flipped(instance: str, player: str, position: Position) -> bool:
    """Whether a card can be a first-wave card, out of a hand too (HCG-FW-02)."""
    at = position.at.get(instance)
    if at is not None and at.zone in ("deploy_hand", "command_hand"):
        return at.player == player
    return position.may_be_drawn(instance, player)


def _to_sector(event: Any, taken: Taken, player: str, face: Any, position: Position) -> None:
    """A card comes to a sector. Where one lies that is said to have gone to none that is there, nobody knows."""
    if event.sector in (None, *SLOTS):
        position.put(taken, At("sector", player, event.sector, face))
        return
    why = f"to which sector the card of event {position.seq} went is not known"
    facts: set[Fact] = {("zone", player, "sector", slot) for slot in SLOTS}
    if taken.instance is not None:
        position.free_since[taken.instance] = position.seq
        facts.add(("at", taken.instance))
    position.holes.open(Hole(position.seq, why, frozenset(facts)))


def _draw(event: records.Draw, position: Position) -> None:
    player = who_acted(event, event.cards or (), position)
    if player is None:
        return
    cause = cause_of(event, position)
    zone: Any = "deploy_hand" if cause == "deployment" else "command_hand"
    if event.to is not None and position.battle is None and cause != "deployment":
        zone = event.to
    unsaid = left_out(event, player, position)
    cards, in_doubt = drawn(event, player, position)
    for one in unsaid:
        position.put(position.take(player, "deck", one), At(zone, player, face="down"))
    for instance in cards:
        if instance is not None:
            position.show(instance, player, None)
        position.put(position.take(player, "deck", instance), At(zone, player, face="down"))
    n = len(cards)
    if in_doubt:
        n = max(n, min(event.n or 0, HAND))
        why = f"event {position.seq} draws {event.n} cards and names {len(set(event.cards or ()))}"
        facts: set[Fact] = {("zone", player, zone, None), ("deck", player)}
        facts |= {("at", one) for one in position.located(player, zone)}
        position.forget_order(player)
        position.holes.open(Hole(position.seq, why, frozenset(facts)))
    if cause == "deployment":
        enter(position, "deployment")
        before = position.drawn[player]
        position.drawn[player] = None if before is None else before + n
    elif cause != "command":
        adopt_plays.note_done(position, event, "draw", tuple(one for one in cards if one is not None))
    elif position.battle is not None:
        hands = (*position.battle.drawn, (player, n))
        position.battle = position.battle._replace(drawn=hands, stage=max(position.battle.stage, DRAWS))


def _regular(event: records.DeployRegular, position: Position) -> None:
    player = who_acted(event, () if event.card is None else (event.card,), position)
    if player is None:
        return
    enter(position, "deployment")
    position.dealt |= {player}
    instance = event.card if event.card is not None and may_leave_hand(event.card, player, position) else None
    if instance is not None:
        position.show(instance, player, None)
    else:
        _join(player, position)
    _to_sector(event, position.take(player, "deploy_hand", instance), player, event.face or "down", position)
    took_a_turn(player, position)


def _join(player: str, position: Position) -> None:
    """Cards that were set aside are deployed with the hand: which of them an unnamed card is nobody knows."""
    for instance in position.located(player, "set_aside"):
        position.at[instance] = At("deploy_hand", player, face="down")


def _reshuffle(event: records.Reshuffle, position: Position) -> None:
    player = event.by
    if player not in position.table.other:
        return
    if comes_late(event, position):
        if event.order is not None:
            position.order_deck(player, tuple(one for one in event.order if one not in position.at))
        return
    pile, (apart, others) = pile_of(position, player), limbo(position, player)
    most = len(pile) + position.pool(player, "discard").n
    # Of the cards that may lie on the table, as many stay there as the number leaves out.
    stay = len(apart) + others if event.n is None else max(0, min(len(apart) + others, most - event.n))
    kept = [one for one in apart if event.order is None or one not in event.order]
    told = not stay or (len(kept) == stay and (event.order is not None or not others))
    if stay and told:
        pile = [one for one in pile if one not in kept]
    position.pools.pop((player, "discard", None), None)
    order, top = tuple(event.order) if event.order is not None else None, position.deck_top.get(player, ())
    if order is not None and top and top[0] in position.table.later.off_the_deck(position.seq, player):
        order = (*top, *order)  # It came too early: what the deck still had comes off it first.
    position.shuffle_in(player, pile, order)
    gone = set(pile) if told else set(pile) - set(apart)
    position.plays = tuple(one._replace(refilled=one.refilled or one.card in gone) for one in position.plays)
    if not told:
        position.pools[player, "discard", None] = Pool(stay, position.seq)  # Nobody can say which of them.
    left = position.deck_n.get(player)
    if left is not None:
        doubt = position.holes.doubt((("zone", player, "discard", None),))
        position.deck_n[player] = left + (event.n if event.n is not None and doubt is not None else most - stay)


def refill_unsaid(event: records.Event, player: str, position: Position) -> None:
    """More cards come off a deck than it has: the discard pile was shuffled in, and nobody has written it down, or does so
    only after what had needed it."""
    if isinstance(event, records.Reshuffle) or not position.count(player, "discard"):
        return
    _reshuffle(records.Reshuffle(seq=event.seq, by=player), position)
    position.refilled = {**position.refilled, player: event.seq}


FOLLOWED: dict[type, Callable[[Any, Position], None]] = {
    records.DeployFirst: _first,
    records.Draw: _draw,
    records.DeployRegular: _regular,
    records.Reshuffle: _reshuffle,
}
"""Event types of the first wave and the deployment, and refills."""
