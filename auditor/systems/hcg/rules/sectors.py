"""Who takes the sector of a battle, and what becomes of the cards at it (catalogue 4.26)."""

from __future__ import annotations

from functools import partial
from typing import Any

from msgspec import UNSET

from auditor.core.findings import RAN, Remark, Unchecked
from auditor.core.ruleset import Rule
from auditor.core.rulings import Hearing
from auditor.systems.hcg import records
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.reckoning.battles import cards_at
from auditor.systems.hcg.reckoning.resolve import View
from auditor.systems.hcg.reckoning.values import not_verified
from auditor.systems.hcg.reckoning.victory import (
    ENDS,
    LEAVES,
    Tally,
    battle_of,
    claimed_winner,
    is_left,
    tally,
)
from auditor.systems.hcg.rules.common import Seen, both, one_of, rule
from auditor.systems.hcg.rules.victory import has_begun
from auditor.systems.words import listed


def _whose(player: str | None) -> str:
    return player or "nobody"


@rule(
    "HCG-VIC-07",
    "Who takes the sector",
    section="4.26",
    events=["victory.result", "sector.taken", "sector.reset"],
    kinds=["miscalculated", "ambiguous"],
    readings=["OR-FLAGUNITS", "OR-STATFLOOR", "OR-BONUSSETUP"],
)
def more_flags_and_enough_take_the_sector(
    event: records.VictoryResult | records.SectorTaken | records.SectorReset,
    view: View,
    position: Position,
    hearing: Hearing,
) -> Seen:
    """A player takes the sector who has strictly more flags there than the enemy and at least as many as it requires. With
    equal flags nobody does.

    Log:  winner, totals, requirement, claims all of them; `sector.taken` or `sector.reset`.
    Edge: once `victory.result` has said who takes it, what follows from that is no further fault, nor is what follows from
          the flags in spite of it.
    """
    this = more_flags_and_enough_take_the_sector
    if position.battle is None:
        return None
    found = tally(position, hearing)
    if found is None:
        return [Unchecked(this.id, "nobody knows who is the planet attacker")]
    if isinstance(event, records.VictoryResult):
        return _result(this, event, position, found, hearing)
    victory = position.battle.victory
    sector = event.sector if event.sector is not None else position.battle.sector
    if sector != position.battle.sector or (victory is not None and victory.closed):
        return None
    winner = event.by if isinstance(event, records.SectorTaken) else None
    if isinstance(event, records.SectorTaken) and winner is None:
        hearing.not_claimed()
        return None if claimed_winner(position, hearing)[0] else [this.missing(["who took the sector"], player=None)]
    if victory is not None and victory.told:
        right = victory.winner
    elif found.unknown is not None:
        return [Unchecked(this.id, found.unknown)]
    else:
        right = found.winner
    if winner in (right, found.winner) if found.unknown is None else winner == right:
        return RAN
    if right == found.winner and _is_right({"winner": winner}, position, hearing):
        return RAN
    return [_wrong(this, position, found, {"winner": winner}, {"winner": right})]


def _result(this: Rule, event: records.VictoryResult, position: Position, found: Tally, hearing: Hearing) -> Seen:
    if found.unknown is not None:
        return [Unchecked(this.id, found.unknown)]
    claimed: dict[str, Any] = {}
    recomputed: dict[str, Any] = {}
    for name, said, right in (
        ("atk", event.atk, found.atk.amount),
        ("dfd", event.dfd, found.dfd.amount),
        ("requirement", event.requirement, found.requirement),
    ):
        if said is None:
            hearing.not_claimed()
        elif said != right:
            claimed[name], recomputed[name] = said, right
    if event.winner is UNSET:
        hearing.not_claimed()
    elif event.winner != found.winner:
        claimed["winner"], recomputed["winner"] = event.winner, found.winner
    told: dict[str, Any] = {
        name: value for name in ("atk", "dfd", "requirement") if (value := getattr(event, name)) is not None
    }
    if event.winner is not UNSET:
        told["winner"] = event.winner
    if not claimed or _is_right(told, position, hearing):
        return RAN
    return [_wrong(this, position, found, claimed, recomputed)]


def _is_right(claimed: dict[str, Any], position: Position, hearing: Hearing) -> bool:
    """Whether claims are what the cards come to, where a total was counted wrongly before (which was said there)."""
    found = tally(position, hearing, as_counted=False)
    if found is None or found.unknown is not None:
        return False
    right = {"atk": found.atk.amount, "dfd": found.dfd.amount, "requirement": found.requirement, "winner": found.winner}
    return all(said == right[name] for name, said in claimed.items())


def _wrong(this: Rule, position: Position, found: Tally, claimed: dict[str, Any], recomputed: dict[str, Any]) -> Any:
    attacker, defender = position.player_as("attacker"), position.player_as("defender")
    figures = (found.atk.figure(f"flags of {attacker}"), found.dfd.figure(f"flags of {defender}"))
    text = (
        f"{attacker} has {figures[0].working()} flags, {defender} {figures[1].working()}, and the sector requires "
        f"{found.requirement}: {_whose(found.winner)} takes it"
    )
    text += (
        f"; the log says {_whose(claimed['winner'])}." if "winner" in claimed else f"; the log says {_said(claimed)}."
    )
    more: dict[str, Any] = {
        "player": None, "claimed": claimed, "recomputed": recomputed, "figures": figures,
    }  # fmt: skip
    if not found.tainted:
        return this.miscalculated(text, **more)
    text += not_verified(found.tainted)
    made = this.ambiguous(text, would_be="miscalculated", **more)
    return made._replace(game_fields={"tainted_by": list(found.tainted)})


def _said(claimed: dict[str, Any]) -> str:
    called = {
        "atk": "{} flags for the attacker",
        "dfd": "{} flags for the defender",
        "requirement": "the sector requires {}",
    }
    return listed(called.get(name, f"{name} {{}}").format(value) for name, value in claimed.items())


def _there(position: Position) -> list[str]:
    assert position.battle is not None
    return [
        one
        for player in position.table.players
        for _, one, _ in cards_at(position, player)
        if position.lives_at(one, position.battle.sector)
    ]


@rule(
    "HCG-VIC-08",
    "A sector that is won",
    section="4.26",
    events=["sector.taken", *LEAVES, *ENDS],
    kinds=["illegal", "omitted"],
    readings=["OR-FLAGUNITS", "OR-STATFLOOR", "OR-BONUSSETUP"],
)
def won_sectors_are_cleared(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """Every card at a sector that was won, of both sides, goes to its owner's discard pile; the sector card goes to the
    winner, and nothing is deployed there again.

    Log:  `discarded`; where it is left out, all of them.
    Edge: what is written only after play has gone on is missed there, and the game goes on with it.
    """
    this, battle = won_sectors_are_cleared, battle_of(event, position)
    if battle is None:
        return None
    if not isinstance(event, records.SectorTaken):
        known, winner = _not_closed(event, position, hearing)
        if not known or winner is None:
            return None
        text = f"{winner} won sector {battle.sector}; the log does not say that it was taken."
        due = partial(records.SectorTaken, seq=0, by=winner, sector=battle.sector)
        return [this.omitted(text, str(battle.sector), player=winner, due=due)]
    if event.sector not in (None, battle.sector):
        text = f"{one_of(event.by)} took sector {event.sector}; the battle was at sector {battle.sector}."
        return [this.illegal(text, claimed=event.sector, recomputed=battle.sector)]
    if event.discarded is None:
        hearing.not_claimed()
        return None
    seen: list[Remark] = []
    there = _there(position)
    for instance in event.discarded:
        at = position.at.get(instance)
        if instance in there or at is None or at.zone in ("discard", "fleet"):
            continue
        where = f"sector {at.sector}" if at.zone == "sector" else f"the {at.zone.replace('_', ' ')}"
        text = f"{position.named(instance)} was discarded with sector {battle.sector}; it lies in {where}."
        seen.append(this.illegal(text, instance))
    left = [one for one in there if one not in event.discarded]
    if left and not position.table.setup.terse:
        stayed = listed(map(position.named, left))
        text = f"{one_of(event.by)} took sector {battle.sector}, and {stayed} stayed there."
        seen.append(this.omitted(text, *left, player=event.by))
    return seen or RAN


def _not_closed(event: records.Event, position: Position, hearing: Hearing) -> tuple[bool, str | None]:
    """(whether it is known that the sector of the battle that is left was not taken or reset, who had won it)."""
    battle = position.battle
    assert battle is not None
    if not is_left(event, position) or position.table.setup.terse or not has_begun(battle):
        return False, None
    if battle.victory is None or battle.victory.closed:
        return False, None
    return claimed_winner(position, hearing)


@rule(
    "HCG-VIC-09",
    "A sector that is not won",
    section="4.26",
    events=["sector.reset", *LEAVES, *ENDS],
    kinds=["illegal", "omitted"],
    readings=["OR-FLAGUNITS", "OR-STATFLOOR", "OR-BONUSSETUP"],
)
def unwon_sectors_are_reset(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """Where nobody won, every card at the sector becomes ready and stays, face up; the sector card is turned back.

    Log:  `readied`; where it is left out, all of them. `face`, a claim.
    Edge: a card that was ready before may be listed. Ships in the fleets do not rally now (HCG-END-02). What is written only
          after play has gone on is missed there, and the game goes on with it.
    """
    this, battle = unwon_sectors_are_reset, battle_of(event, position)
    if battle is None:
        return None
    if not isinstance(event, records.SectorReset):
        known, winner = _not_closed(event, position, hearing)
        if not known or winner is not None:
            return None
        neither = f"Neither {' nor '.join(position.table.players)}"
        text = f"{neither} won sector {battle.sector}; the log does not say that it was reset."
        due = partial(records.SectorReset, seq=0, sector=battle.sector)
        return [this.omitted(text, str(battle.sector), player=None, due=due)]
    if event.sector is not None and event.sector != battle.sector:
        reset = f"The log has {both(position)} reset sector {event.sector}"
        text = f"{reset}; their battle was at sector {battle.sector}."
        return [this.illegal(text, player=None, claimed=event.sector, recomputed=battle.sector)]
    seen: list[Remark] = []
    if event.face is None:
        hearing.not_claimed()
    elif event.face == "down":
        turned = f"The log has {both(position)} turn the cards at sector {battle.sector} face down"
        text = f"{turned} after the battle; they stay face up."
        seen.append(this.illegal(text, player=None, claimed="down", recomputed="up"))
    there = _there(position)
    if event.readied is None:
        hearing.not_claimed()
        return seen or RAN
    for instance in event.readied:
        at = position.at.get(instance)
        if instance in there or at is None or at.zone == "fleet":
            continue
        where = f"sector {at.sector}" if at.zone == "sector" else f"the {at.zone.replace('_', ' ')}"
        text = f"{position.named(instance)} was made ready at sector {battle.sector}; it lies in {where}."
        seen.append(this.illegal(text, instance, player=at.player))
    left = [one for one in there if one not in event.readied and position.at[one].stance != "ready"]
    if left and not position.table.setup.terse:
        named = ", ".join(f"{position.named(one)} stays {position.at[one].stance}" for one in left)
        text = f"Sector {battle.sector} was reset, and {named}."
        seen.append(this.omitted(text, *left, player=None))
    return seen or RAN


RULES = (more_flags_and_enough_take_the_sector, won_sectors_are_cleared, unwon_sectors_are_reset)
