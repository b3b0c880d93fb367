"""The victory step of a battle: flag totals, which events are due, who takes the sector (catalogue 4.26)."""

from __future__ import annotations

from typing import Any, NamedTuple

from auditor.core.rulings import Hearing
from auditor.systems.hcg import records
from auditor.systems.hcg.position.kept import of_position, unasked
from auditor.systems.hcg.position.lookahead import breaks_off
from auditor.systems.hcg.position.parts import Battle, EventDue, Victory
from auditor.systems.hcg.position.state import Position, on_board
from auditor.systems.hcg.reckoning.battles import cards_at
from auditor.systems.hcg.reckoning.values import PartOf, Value, changing, current, in_force, untold

STEPS: tuple[type[records.Event], ...] = (
    records.VictoryFlags,
    records.VictoryReveal,
    records.EventResolved,
    records.VictoryDiscard,
    records.VictoryResult,
    records.SectorTaken,
    records.SectorReset,
)
"""Event types of the victory step, in its order."""

COMPARES = (records.VictoryResult, records.SectorTaken, records.SectorReset)
AFTER_EVENTS = (records.VictoryDiscard, *COMPARES)
LEAVES = ("battle.choose", "battle.none", "phase.start", "end.ships", "end.check", "turn.end", "turn.start")
"""Events with which play goes on after a battle."""
ENDS = ("game.end", "end")
CLAIMED = "as the log has it"
"""What a change of a flag total is that only the log's count says."""


def is_left(event: records.Event, position: Position) -> bool:
    """Whether an event goes on to what comes after the battle under way, so that all that was due in it is missing."""
    if position.battle is None or breaks_off(event):
        return False
    return not isinstance(event, records.PhaseStart) or event.phase == "end"


def victory_of(position: Position) -> Victory:
    """The victory step as far as it has come; where it is about to begin, as it will."""
    battle = position.battle
    assert battle is not None
    return battle.victory if battle.victory is not None else Victory(due=supplied(position))


def supplied(position: Position) -> tuple[EventDue, ...]:
    """The events printed on cards in play, wherever they lie; which of them count, readings decide."""
    slot = position.battle.sector if position.battle is not None else None
    found = []
    for instance, at in on_board(position):
        card = position.card_of(instance)
        if card is None or at.face != "up" or (at.zone == "sector" and card.kind == "ship"):
            continue
        if at.zone == "sector" and at.sector == slot and not position.lives_at(instance, slot):
            continue
        place = "fleet" if at.zone == "fleet" else "here" if at.sector == slot else "elsewhere"
        for n, ability in enumerate(card.abilities):
            if ability.type == "E":
                found.append(EventDue(at.player, instance, n, place, card.kind))
    return tuple(found)


def in_hand(position: Position, player: str) -> list[EventDue]:
    """The events printed as command lines on the known cards of a player's command hand."""
    found = []
    for _, instance, _ in position.at.of(player, "command_hand"):
        card = position.card_of(instance)
        if card is not None and card.line is not None and card.line.type == "E":
            found.append(EventDue(player, instance, "line", "hand", card.kind))
    return found


def round_of(one: EventDue, position: Position, hearing: Hearing) -> str | None:
    """In whose round of events one counts, a role; None where it does not count."""
    role = position.roles.get(one.by)
    if one.place == "hand" or role is None:
        return role
    if one.place == "withdrawn" and hearing.ask("OR-WDEVENTS") == "gone":
        return None
    if one.place == "elsewhere":
        if hearing.ask("OR-EVENTSCOPE") == "here-and-fleet":
            return None
        if one.card in position.left and hearing.ask("OR-LEFTFACE") == "all-down":
            return None
    if one.place != "withdrawn":
        at = position.at.get(one.card)
        gone = at is None or at.zone not in ("sector", "fleet")
        if gone and hearing.ask("OR-EVENTSNAP") == "must-remain":
            return None
    if role == "defender" and one.kind != "unit":
        means = hearing.ask("OR-EVENTDEF")
        if means == "units-only":
            return None
        return "attacker" if means == "as-written" else "defender"
    return role


@of_position
def printed_events(position: Position) -> list[EventDue]:
    """The events on known cards in both hands and on those in play, carried out or not; whether they count, `round_of` tells."""
    hands = [one for player in position.table.players for one in in_hand(position, player)]
    return [*hands, *victory_of(position).due]


@of_position
def unresolved(position: Position) -> list[EventDue]:
    """Those that may still be due."""
    resolved = victory_of(position).resolved
    return [one for one in printed_events(position) if (one.card, one.ability) not in resolved]


def closes_late(event: records.Event, position: Position) -> bool:
    """Whether a sector is taken or reset after another battle has begun, and nobody knows yet what became of it."""
    if position.battle is None or not isinstance(event, (records.SectorTaken, records.SectorReset)):
        return False
    elsewhere = event.sector not in (None, position.battle.sector)
    return elsewhere and position.holes.doubt((("sector", event.sector),)) is not None


def battle_of(event: records.Event, position: Position) -> Battle | None:
    """The battle to which an event of a victory step belongs; None where there is none, or it closes the sector of another."""
    return None if closes_late(event, position) else position.battle


def rounds_over(event: records.Event, of: str | None) -> tuple[str, ...]:
    """The roles whose rounds of events are over when an event comes; `of`: of an event that is resolved, in whose round."""
    if isinstance(event, records.VictoryFlags):
        return {"after_atk": ("attacker",), "after_dfd": ("attacker", "defender")}.get(event.stage or "", ())
    if isinstance(event, records.EventResolved):
        return ("attacker",) if of == "defender" else ()
    if isinstance(event, records.VictoryReveal):
        return ()
    return ("attacker", "defender")


def missed_events(roles: tuple[str, ...], seq: int, position: Position, hearing: Hearing) -> list[EventDue]:
    """The events of rounds that are over which were not resolved, and will not be; each only where it is first missed.

    A line of a hand that was not shown is not among them (HCG-VIC-03), nor is one that was drawn after that.
    """
    victory = victory_of(position)
    if not roles or victory.over or victory.partial:
        return []
    found = []
    for one in unresolved(position):
        if one.ability == "line" and one.card not in victory.shown:
            continue
        if position.table.later_event(seq, one.card):
            continue
        role = round_of(one, position, hearing)
        if role in roles and (role, one.by if one.ability == "line" else "") not in victory.looked:
            found.append(one)
    return found


# -- flags --------------------------------------------------------------------------------------------------------


def flags_of(position: Position, player: str, hearing: Hearing, *, as_counted: bool = True) -> Value:
    """The flag total of a player at the sector of the battle (HCG-VIC-02): a part for each card, then the changes by
    abilities. as_counted: with what the log has counted too many or too few."""
    key = (flags_of, player, as_counted)
    found = position.kept.found if position.kept is not None else {}
    if key in found:
        told: Value = found[key]
        return told
    counted = counted_from(position, player)
    before = position.totals.get(key) if counted is not None else None
    if before is not None and before[0] == counted:
        value: Value = before[1]
        found[key] = value
        return value
    value = unasked(position, hearing, key, lambda: _flags_of(position, player, hearing, as_counted))
    if counted is not None and key in found:
        position.totals = {**position.totals, key: (counted, value)}
    return value


def counted_from(position: Position, player: str) -> tuple[Any, ...] | None:
    """All that a flag total hangs on between battle actions, where no text in force changes flags and no event shows cards:
    what lies there (not in which stance), what the cards are, what abilities changed of them or of the total, what could not be
    read. None where it may hang on more."""
    battle = position.battle
    if battle is None or position.action is not None or position.table.shows or changing(position).get("flags"):
        return None
    other = position.other(player)
    return (
        position.at.moved, len(position.card), battle.sector, battle.unread, battle.ba > 0, untold(position),
        [bonus for bonus in position.bonuses if bonus.target != other],
        position.pool(player, "sector", battle.sector).n > 0, position.sectors[battle.sector].card,
    )  # fmt: skip


def _flags_of(position: Position, player: str, hearing: Hearing, as_counted: bool) -> Value:
    battle = position.battle
    assert battle is not None
    parts: list[PartOf] = []
    tainted: list[str] = list(battle.unread)
    unknown = None
    if position.pool(player, "sector", battle.sector).n:
        unknown = f"not all cards of {player} at sector {battle.sector} are known"
    for _, instance, _ in cards_at(position, player):
        card = position.card_of(instance)
        if card is None:
            unknown = unknown or f"the card of {instance} is not known"
        elif card.kind in ("unit", "asset") and position.lives_at(instance, battle.sector):
            value = current(position, instance, "flags", None, hearing)
            parts.append(PartOf("card", position.named(instance), value.amount))
            tainted += value.tainted
    for bonus in position.flag_changes:
        if bonus.target == player and bonus.stat == "flags" and (as_counted or bonus.what != CLAIMED):
            parts.append(PartOf("bonus", position.named(bonus.source) if bonus.source else "changes", bonus.amount))
            if not bonus.verified:
                tainted.append(position.named(bonus.source))
    for _, title, _, ability in in_force(position):
        if ability.status != "full" and "flag" in ability.text.lower():
            tainted.append(f"{title}: {ability.text}")
    return Value("flags", tuple(parts), tuple(dict.fromkeys(tainted)), unknown)


class Tally(NamedTuple):
    """What a battle comes to: both totals by role, the sector's requirement, and who takes the sector (None: nobody).

    unknown says why it cannot be told.
    """

    atk: Value
    dfd: Value
    requirement: int | None
    winner: str | None
    unknown: str | None

    @property
    def tainted(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.atk.tainted, *self.dfd.tainted)))


def tally(position: Position, hearing: Hearing, *, as_counted: bool = True) -> Tally | None:
    """The comparison at the end of a battle (HCG-VIC-07); None while nobody knows the roles. as_counted: see flags_of."""
    attacker, defender = position.player_as("attacker"), position.player_as("defender")
    if attacker is None or defender is None or position.battle is None:
        return None
    atk = flags_of(position, attacker, hearing, as_counted=as_counted)
    dfd = flags_of(position, defender, hearing, as_counted=as_counted)
    card = position.table.cards.get(position.sectors[position.battle.sector].card)
    need = card.requirement if card is not None else None
    unknown = atk.unknown or dfd.unknown
    if unknown is None and need is None:
        unknown = f"the requirement of sector {position.battle.sector} is not known"
    winner = None
    if unknown is None and need is not None and atk.amount != dfd.amount:
        most, whose = max((atk.amount, attacker), (dfd.amount, defender))
        winner = whose if most >= need else None
    if winner is not None and not _has_flag_unit(position, winner, hearing):
        winner = None if hearing.ask("OR-FLAGUNITS") == "need-flag-unit" else winner
    return Tally(atk, dfd, need, winner, unknown)


def _has_flag_unit(position: Position, player: str, hearing: Hearing) -> bool:
    assert position.battle is not None
    for _, instance, _ in cards_at(position, player):
        card = position.card_of(instance)
        if card is not None and card.kind == "unit" and position.lives_at(instance, position.battle.sector):
            if current(position, instance, "flags", None, hearing).amount > 0:
                return True
    return False


def whose_hand(event: records.VictoryReveal | records.VictoryDiscard, position: Position) -> str | None:
    """Whose hand it is that a player is said to show or discard: the other's, where all its cards are of that deck and that
    player has not done so, nor shows a hand later."""
    if position.battle is None or event.by is None or event.by not in position.table.other or not event.cards:
        return event.by
    other, victory = position.other(event.by), victory_of(position)
    if isinstance(event, records.VictoryReveal):
        done = other in victory.revealed or position.table.later_reveal(event.seq, other)
    else:
        done = other in victory.discarded
    theirs = all(position.owner.get(one) == other for one in event.cards)
    return other if theirs and not done else event.by


def is_unfought(slot: int, position: Position) -> bool:
    """Whether an open sector was not fought over in this turn, so that it is left alone (HCG-END-03)."""
    sector = position.sectors.get(slot)
    return sector is not None and not sector.fought and sector.state != "taken"


def claimed_winner(position: Position, hearing: Hearing) -> tuple[bool, str | None]:
    """(whether anybody can say, who takes the sector): as the log has claimed it, else as it comes out."""
    victory = position.battle.victory if position.battle is not None else None
    if victory is not None and victory.told:
        return True, victory.winner
    found = tally(position, hearing)
    if found is None or found.unknown is not None or found.tainted:
        return False, None
    return True, found.winner
