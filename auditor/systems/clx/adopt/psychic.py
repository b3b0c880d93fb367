"""The Psychic Phase as the replay goes on with it: charges, powers, and the perils that are due."""

from __future__ import annotations

from auditor.systems.clx import records
from auditor.systems.clx.position.state import CastState, PerilsDue, Position
from auditor.systems.clx.position.values import replace
from auditor.systems.clx.reckoning.frame import actor
from auditor.systems.clx.reckoning.psychic import (
    UNKNOWN_POOL,
    UNSAID_POOL,
    casting_total,
    charges_of,
    lore_of,
    settles,
    success_of,
)
from auditor.systems.clx.reckoning.ways import Ways


def lore(event: records.LoreMastery, resolved: Ways | None, position: Position) -> None:
    """A psyker has the powers that the log says it knows."""
    if event.psyker in position.setup.models and event.known is not None:
        found = lore_of(event, position.setup)
        # A primaris power is known whatever the log says, unless another was taken in its place.
        always = {power.id for power in found.primaris.values()} if found.swapped is None else set()
        position.known[str(event.psyker)] = frozenset(event.known) | always
        position.holes.state([("known", str(event.psyker))])


def warp_charge(event: records.WarpCharge, resolved: Ways | None, position: Position) -> None:
    """A pool grows by the charges that the log claims, else by what the dice give under every reading."""
    position.charged |= {(event.psyker, event.role)}
    gained = event.claimed_charges
    if gained is None:
        options = set(charges_of(event, position).values())
        gained = next(iter(options)) if len(options) == 1 else None
    player = actor(event, position)
    if player is None:
        # Whose roll it is nobody knows: either may have charges by it.
        position.pools = dict.fromkeys(position.setup.players, UNKNOWN_POOL)
        return
    left = position.pools.get(player, 0)
    left = 0 if left == UNSAID_POOL else left
    # A roll that cannot be read leaves the pool unknown: it is never run out of.
    position.pools[player] = UNKNOWN_POOL if gained is None or left == UNKNOWN_POOL else left + gained


def _spend(position: Position, player: str | None, dice: list[int] | None) -> None:
    """Charges are used up. Who had rolled for none, has an unknown number from there on."""
    if player is None:
        return
    left = position.pools.get(player, UNKNOWN_POOL)
    position.pools[player] = left if left == UNKNOWN_POOL else max(left - len(dice or ()), 0)


def cast_power(event: records.Cast, resolved: Ways | None, position: Position) -> None:
    """A power is cast: its dice are spent, and whether it succeeded is as claimed, else as the dice say."""
    _spend(position, actor(event, position), event.dice)
    by_dice = success_of(event, position) if event.dice is not None and event.dice.count(6) < 2 else None
    succeeded = by_dice if event.claimed_success is None else event.claimed_success
    if by_dice is not None and succeeded != by_dice:
        succeeded = None  # The wrong claim is one fault; play may have gone on with either.
    position.casts[event.id] = CastState(
        actor(event, position),
        event.psyker,
        event.power,
        event.target,
        None if event.dice is None else tuple(event.dice),
        succeeded,
        total=None if event.claimed_total == casting_total(event, position) else event.claimed_total,
    )
    _perils_due(position, "CLX-PSY-09", event, event.id)


def dispel(event: records.Dispel, resolved: Ways | None, position: Position) -> None:
    """An attempt to dispel a power is made, and its dice are spent."""
    _spend(position, actor(event, position), event.dice)
    cast = position.casts.get(event.cast)
    if cast is not None:
        position.casts[event.cast] = replace(cast, dispels=cast.dispels + 1)
    _perils_due(position, "CLX-PSY-11", event, event.cast)


def _perils_due(position: Position, rule: str, event: records.Cast | records.Dispel, cast: str | None) -> None:
    sixes = (event.dice or []).count(6)
    if sixes >= 2 and event.claimed_perils is not True:
        position.perils = (
            *position.perils,
            PerilsDue(rule, actor(event, position), event.psyker, cast, sixes, event.seq),
        )


def settle_perils(event: records.Event, position: Position) -> None:
    """Perils that are due are over once the event has come before which they were."""
    if position.perils:
        position.perils = tuple(due for due in position.perils if not settles(event, due, position.phase))
