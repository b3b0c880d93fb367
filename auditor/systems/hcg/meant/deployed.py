"""Cards that came to a sector, and no line says so.

That a first-wave card or a deployment is missing is said by the rules (HCG-FW-04, HCG-DEP-04). Where the record goes on with the
cards that lay below it, or shows it at a sector, the table goes on with it there (catalogue 1.3); where nothing tells, what it
would have changed is in doubt.
"""

from __future__ import annotations

from typing import Any

from auditor.core.findings import Fact
from auditor.core.holes import Hole
from auditor.core.rulings import Hearing
from auditor.systems.hcg import records
from auditor.systems.hcg.position.state import At, Position
from auditor.systems.hcg.reckoning.deployment import can_flip, ends_first_wave, goes_on_without, player_due, waiting

Lost = list[tuple[str, tuple[int, ...]]]
"""Players who have sent no first-wave card to some sectors, as far as anything is recorded."""


def flip(position: Position) -> None:
    """Flip the card of which the record says nothing, before the first event that goes on without it: the other player's
    flip, or the end of the first wave."""
    event, player = position.table.next_to(position.seq), player_due(position)
    flips = isinstance(event, records.DeployFirst)
    if player is None or (flips and event.by == player) or position.table.setup.terse:
        return
    slots = position.open_slots()
    if player in position.came_unsaid or len(position.served[player]) >= len(slots):
        return
    left = {one: [slot for slot in slots if slot not in served] for one, served in position.served.items()}
    later = position.table.later
    sent = later.sends(position.seq, player, records.DeployFirst)
    if flips:
        card = () if event.card is None else (event.card,)
        missing = goes_on_without(player, event, {one: len(left[one]) for one in left}, card, position)
    else:
        missing = sent is not None and len(left[player]) > len(sent) and ends_first_wave(event, position)
    if not missing or sent is None:
        return
    top, after = position.deck_top.get(player, ()), later.off_the_deck(position.seq, player)
    # What comes off the deck next lay below it, and itself it never does.
    if not top or not after or top[0] in after or (len(top) > 1 and top[1] not in after):
        return
    if later.comes_off(position.seq, player, top[0]):
        return
    to = [slot for slot in left[player] if slot not in sent]
    _to_sector(player, top[0], to[0] if len(to) == 1 else later.lies_at(position.seq, top[0]), to, "up", position)
    position.flipped |= {player}
    position.came_unsaid |= {player}
    position.last, position.missed = player, None


def lost_flips(event: Any, position: Position, hearing: Hearing) -> Lost:
    """The first-wave cards that are missing as the first wave ends, and of which nobody can say whether they were flipped."""
    if position.phase != "first_wave" or position.table.setup.terse or not ends_first_wave(event, position):
        return []
    lost: Lost = []
    for player in position.table.players:
        if player in position.came_unsaid or len(position.served[player]) >= len(position.open_slots()):
            continue
        if not can_flip(player, position, hearing):
            continue
        top, after = position.deck_top.get(player, ()), position.table.later.off_the_deck(position.seq, player)
        if not top or top[0] not in after:
            lost.append((player, waiting(position, player, hearing)))
    return [(player, slots) for player, slots in lost if slots]


def doubt_flips(lost: Lost, position: Position) -> None:
    """Whether first-wave cards that are missing were flipped is not known, nor how many cards their players' decks have."""
    for player, slots in lost:
        facts: set[Fact] = {("deck", player), *(("zone", player, "sector", slot) for slot in slots)}
        facts |= {("at", one) for one in position.deck_top.get(player, ())[: len(slots)]}
        where = f"sector{'s' * (len(slots) > 1)} {', '.join(map(str, slots))}"
        why = f"whether {player} sent a first-wave card to {where} in turn {position.turn} is not recorded"
        position.holes.open(Hole(position.seq, why, frozenset(facts)))


def count_anew(event: records.TurnEnd, position: Position) -> None:
    """How many cards a deck has is known again, where nobody could say."""
    for player, n in (event.decks or {}).items():
        count: Fact = ("deck", player)
        if player in position.table.other and not position.deck_top.get(player) and position.holes.doubt((count,)):
            position.deck_n[player] = n
            position.holes.state((count,))


def deploy(position: Position) -> None:
    """The deployment is over: what is left in a hand was deployed, and nobody wrote it down, unless it is deployed later."""
    later = position.table.later
    for player in position.table.players:
        for instance in position.located(player, "deploy_hand"):
            if not later.deploys_card(position.seq, instance):
                slot = later.lies_at(position.seq, instance)
                _to_sector(player, instance, slot, list(position.open_slots()), "down", position)
        n = position.pool(player, "deploy_hand").n
        if n:
            for _ in range(n):
                position.lose(player, "deploy_hand")
            facts: set[Fact] = {("zone", player, "sector", slot) for slot in position.open_slots()}
            why = f"where {n} card{'s' * (n > 1)} of {player} lie{'s' * (n == 1)} that no line deploys is not known"
            position.holes.open(Hole(position.seq, why, frozenset(facts)))


def _to_sector(
    player: str, instance: str, slot: int | None, slots: list[int], face: records.Face, position: Position
) -> None:
    """A card went to a sector, or to one of some."""
    taken = position.take(player, "deck", instance)  # Or out of the hand, if it lies there.
    if slot in position.open_slots():
        position.put(taken, At("sector", player, slot, face))
        return
    position.free_since[instance] = position.seq
    facts: set[Fact] = {("at", instance), *(("zone", player, "sector", one) for one in slots)}
    why = f"at which sector {position.named(instance)} was deployed is not recorded"
    position.holes.open(Hole(position.seq, why, frozenset(facts)))
