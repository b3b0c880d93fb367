"""Stated positions: the table goes on with what is stated, and what is left out is a hole (catalogue 5.3, Position)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec import UNSET

from auditor.core.findings import Fact
from auditor.core.holes import Hole
from auditor.core.rulings import Hearing
from auditor.systems.hcg import records
from auditor.systems.hcg.adopt import battle as adopt_battle
from auditor.systems.hcg.position.parts import SLOTS, Battle, Bonus, Pool, Sector, Taken, Victory
from auditor.systems.hcg.position.places import At
from auditor.systems.hcg.position.state import Position, on_board
from auditor.systems.hcg.readings import DEFAULTS
from auditor.systems.hcg.reckoning.victory import flags_of, supplied

_ZONES: tuple[records.ZoneName, ...] = ("deploy_hand", "command_hand", "discard", "limbo", "set_aside", "fleet")


def _begins_within(position: Position, stated: records.Position | records.Stated) -> bool:
    """Whether a record begins with this position, and what follows belongs to a battle action that it does not show."""
    if position.started:
        return False
    return position.table.later.within_a_battle_action(position.seq, stated.ba)


def _at_one_sector(stated: records.Position | records.Stated) -> Any:
    """The same, with the battle at the one sector that it says is in battle, or leaves to be told by its cards, where it names
    another beside that, and its cards lie there and none at the other."""
    full = {slot for zones in (stated.zones or {}).values() for slot, rows in (zones.sectors or {}).items() if rows}
    listed = {str(one.slot) for one in stated.sectors or ()}
    there = [one.slot for one in stated.sectors or () if one.state == "in_battle"]
    if stated.sectors is None:
        there, listed = [slot for slot in SLOTS if str(slot) in full], set(map(str, SLOTS))
    if len(there) != 1 or stated.sector in (None, there[0]) or listed != set(map(str, SLOTS)):
        return stated
    if str(there[0]) not in full or str(stated.sector) in full:
        return stated
    return msgspec.structs.replace(stated, sector=there[0])


def state(position: Position, stated: records.Position | records.Stated) -> None:
    """Adopt a stated position. What it leaves out is a hole (catalogue 5.3, *Position*)."""
    stated = _at_one_sector(stated)
    facts = _facts_of(position.table.players)
    within = position.action is not None or _begins_within(position, stated)
    position.left = frozenset()
    told = _state_turn(position, stated)
    told |= _state_sectors(position, stated)
    twice, placed_twice = _stated_twice(stated)
    for player, zones in (stated.zones or {}).items():
        if player in position.table.other:
            told |= _state_zones(position, player, zones, twice)
    told |= _state_battle(position, stated)
    told |= _state_turns_battles(position, stated)
    # Whether a withdrawal came before it, a position cannot say; a further battle action does.
    known = position.battle is None or position.battle.step != "battle" or position.battle.passes >= 2
    told |= {"withdrawn"} if known else set()
    for player in position.table.players:
        # How many cards were drawn and deployed before, a position does not say.
        begun = "phase" not in told or position.phase == "deployment"
        position.drawn[player] = None if begun else 0
        position.dealt = frozenset(position.table.players if begun else ())
        if position.phase != "first_wave":
            told |= {("served", player)}
        told |= {("drawn", player)}
        held = {slot for slot in position.open_slots() if position.has_cards_at(player, slot)}
        position.here[player] = frozenset(held.difference(position.served[player]))
    position.midway = within and position.battle is not None and position.battle.step == "battle"
    if position.midway:
        # Nobody else is next than whom the end of the battle action makes next, and then no roll is open.
        position.unstated = adopt_battle.OPEN - told - {"next", "roll"}
        facts |= adopt_battle.OPEN
        told -= adopt_battle.OPEN
    bare: frozenset[Fact] = frozenset(("at", card) for card in _without_a_position(stated))
    bare |= frozenset(("zone", player, "sector", slot) for player, slot in _with_cards_not_named(stated))
    _open_the_rest(position, stated, facts, told, bare | placed_twice)


def _facts_of(players: Iterable[str]) -> set[Fact]:
    """All that a position may state."""
    facts: set[Fact] = {"turn", "phase", "roles", "next", "reveals", "sectors"}
    facts |= {"battle", "bonuses", "battles", "setup", "stage", "passes", "flags", "withdrawn", "granted"}
    facts |= {("sector", slot) for slot in SLOTS}
    for player in players:
        facts |= {("served", player), ("drawn", player), ("deck", player)}
        facts |= {("zone", player, zone, None) for zone in _ZONES}
        facts |= {("zone", player, "sector", slot) for slot in SLOTS}
    return facts


def _state_turn(position: Position, stated: records.Position | records.Stated) -> set[Fact]:
    """Turn, planet, phase and roles; which of them are told."""
    told: set[Fact] = set()
    position.foretold = stated.turn is not None and stated.phase in (None, "first_wave")
    if stated.turn is not None:
        position.turn = position.turn_said = stated.turn
        told |= {"turn"}
    if stated.planet is not None:
        position.planet = stated.planet
    in_battle = stated.sector in SLOTS and stated.step is not None
    phase: Any = stated.phase or ("battle" if in_battle else None)
    if phase is not None:
        # Whether its mark came before, or comes after the position, nobody can say.
        position.marked = position.marked if position.phase == phase else ""
        position.phase = phase
        told |= {"phase"}
    elif position.phase == "setup":
        position.phase = "first_wave"
    if stated.roles is not None:
        position.roles = _both_roles(stated.roles, position)
        told |= {"roles"}
    if position.phase != "setup":
        told |= {"reveals"}
    return told


def _state_sectors(position: Position, stated: records.Position | records.Stated) -> set[Fact]:
    """The cards that it shows, sectors, who is served there and who is next; which of these are told."""
    told: set[Fact] = set()
    for instance, card in (stated.ids or {}).items():
        position.show(instance, None, card)
    for one in stated.sectors or ():
        if one.slot in position.sectors and one.state is not None:
            there = position.sectors[one.slot]
            position.sectors[one.slot] = Sector(there.card, one.state, one.by, bool(one.fought))
            told |= {("sector", one.slot)} if one.state != "taken" or one.by is not None else set()
    if told >= {("sector", slot) for slot in SLOTS}:
        told |= {"sectors"}
    for player, slots in (stated.served or {}).items():
        if player in position.table.other:
            position.served[player] = tuple(slots)
            told |= {("served", player)}
    if stated.next is not UNSET:
        position.missed = None
        position.last = position.other(stated.next) if stated.next in position.table.other else None
        told |= {"next"}
    return told


def _open_the_rest(
    position: Position,
    stated: records.Position | records.Stated,
    facts: set[Fact],
    told: set[Fact],
    bare: frozenset[Fact],
) -> None:
    """Put in doubt what is not told, and `bare`: what is told without all that belongs to it."""
    if facts <= told:
        position.holes.close()
        if bare:
            position.holes.open(Hole(position.seq, f"the position at event {position.seq} does not state it", bare))
        return
    if position.battle is None and _may_be_fought(position, stated, told):
        # What battle actions change can be followed in a battle alone.
        position.holes.open(Hole(position.seq, f"the position at event {position.seq} does not state the battle"))
        return
    if any(isinstance(fact, tuple) and fact[0] == "zone" for fact in facts - told):
        # Where cards lie that it does not name, nobody can say.
        position.holes.open(Hole(position.seq, f"the position at event {position.seq} does not state every zone"))
        told |= {("at", one) for one, at in position.at.items() if ("zone", at.player, at.zone, at.sector) in told}
    position.holes.state(told)
    position.holes.open(
        Hole(position.seq, f"the position at event {position.seq} does not state it", frozenset(facts - told) | bare)
    )
    for player in position.table.players if position.midway else ():
        on_table = position.located(player, "limbo")
        if on_table or ("zone", player, "limbo", None) not in told:
            why = f"when a card that lay on the table at event {position.seq} was discarded is not known"
            piles: set[Fact] = {("zone", player, "discard", None), ("deck", player)}
            position.holes.open(Hole(position.seq, why, frozenset({*piles, *(("at", one) for one in on_table)})))


def _may_be_fought(position: Position, stated: records.Position | records.Stated, told: set[Fact]) -> bool:
    """Whether a battle may be going on, though a position states none that can be followed."""
    if "phase" not in told and position.started and position.phase != "battle":
        return position.holes.doubt(("phase",)) is not None
    between = "sectors" in told and all(sector.state != "in_battle" for sector in position.sectors.values())
    return not between and ("phase" not in told or position.phase == "battle")


def _state_turns_battles(position: Position, stated: records.Position | records.Stated) -> set[Fact]:
    """Adopt which battles of the turn have been: that of the battle stated, else the one whose choice is due."""
    attacker, defender = position.player_as("attacker"), position.player_as("defender")
    known = position.battle is None or (stated.step is not None and stated.step != "setup")
    told: set[Fact] = {"setup", "stage"} if known else set()
    if position.battle is None or stated.passes is not None:
        told.add("passes")
    position.had = {}
    if position.phase != "battle":
        if position.phase in ("end", "over"):
            position.had = dict.fromkeys(position.table.players, "fought")
        return told | {"battles"}
    if attacker is None or defender is None:
        return told
    if position.battle is None and any(sector.state == "in_battle" for sector in position.sectors.values()):
        return told  # a battle is on, and the position does not say where
    if position.battle is not None:
        n = position.battle.n
    else:
        # Between battles: as many as there are sectors that were fought over, and those of whoever is not next.
        fought = sum(sector.fought for sector in position.sectors.values())
        due = {attacker: 0, defender: 1}.get(str(stated.next))
        if due is None and fought < 2:
            return told
        n = max(due or 0, min(fought, 2))
    position.had = dict.fromkeys((attacker, defender)[:n], "fought")
    return told | {"battles"}


def _is_withdrawn(before: Battle, stated: Battle) -> bool:
    """Whether a battle that is stated as being fought is the one that a withdrawal has ended: a position cannot say that
    one did, before the end of the battle is recorded."""
    if before.step != "victory" or before.victory is None:
        return False
    untouched = before.victory == Victory(due=before.victory.due)
    return untouched and stated.step == "battle" and (stated.n, stated.sector) == (before.n, before.sector)


def _is_set_up_still(before: Battle, stated: Battle) -> bool:
    """Whether a battle that is stated as being set up is the one whose set-up was recorded up to here."""
    return before.step == stated.step == "setup" and (before.n, before.sector) == (stated.n, stated.sector)


def _granted(before: Battle | None, now: Battle, position: Position) -> tuple[Bonus, ...]:
    """The traits given in this battle to cards that are in play still: a position lists numbers alone."""
    if before is None or (before.n, before.sector) != (now.n, now.sector):
        return ()
    in_play = {instance for instance, _ in on_board(position)}
    return tuple(one for one in position.bonuses if one.stat == "keyword" and one.target in in_play)


def _state_battle(position: Position, stated: records.Position | records.Stated) -> set[Fact]:
    """Adopt what is stated of the battle; what is open inside a battle action it cannot say. Gives back the facts."""
    before = position.battle
    # Which traits were given no position lists: they are those that were recorded.
    is_sure = not position.started or position.holes.doubt(("bonuses", "granted")) is None
    position.action, position.windows = None, ()
    position.happened, position.reacted = (), ()
    if position.phase != "battle" or stated.sector not in SLOTS:
        position.battle = None
        position.bonuses = ()
        return {"battle", "bonuses", "flags", "granted"} if position.phase != "battle" else set()
    defender = position.player_as("defender")
    # Without its number a battle is told by who chose the sector.
    numbered = stated.battle is not None or (stated.chooser is not None and defender is not None)
    told: set[Fact] = {"battle"} if stated.step is not None and numbered else set()
    told |= {"granted"} if is_sure else set()
    position.battle = Battle(
        n=stated.battle or (2 if stated.chooser is not None and stated.chooser == defender else 1),
        sector=stated.sector,
        chooser=stated.chooser,
        step=stated.step or "battle",
        next=stated.next if stated.next in position.table.other else None,
        passes=stated.passes or 0,
        ba=stated.ba or 0,
        said=stated.ba or 0,
    )
    if before is not None and _is_withdrawn(before, position.battle):
        position.battle = before
    elif before is not None and _is_set_up_still(before, position.battle):
        # What has been done of a set-up a position does not say again.
        position.battle = before._replace(chooser=position.battle.chooser, next=position.battle.next)
        told |= {cell for cell in ("setup", "stage") if position.holes.doubt((cell,)) is None}
    if stated.bonuses is not None:
        numbers = tuple(
            Bonus(one.target, "flags" if one.stat == "flag" else one.stat, one.amount, one.until or "battle", None, 0)
            for one in stated.bonuses
            if one.target is not None and one.stat is not None and one.amount is not None
        )
        position.bonuses = (*_granted(before, position.battle, position), *numbers)
        told |= {"bonuses"} if len(numbers) == len(stated.bonuses) else set()
    if position.battle is not before and position.battle.step == "victory":
        position.battle = position.battle._replace(victory=Victory(due=supplied(position), partial=True))
    if stated.flags is not None and set(stated.flags) >= set(position.table.players):
        told |= {"flags"}
        silent = Hearing(DEFAULTS)
        for player in position.table.players:
            value = flags_of(position, player, silent)
            if value.unknown is None and value.amount != stated.flags[player]:
                more = Bonus(player, "flags", stated.flags[player] - value.amount, "battle", None, 0)
                position.bonuses = (*position.bonuses, more)
    return told


def _without_a_position(stated: records.Position | records.Stated) -> Iterator[str]:
    """The cards in a sector or fleet of which it is not stated whether they are ready, locked or charging."""
    for zones in (stated.zones or {}).values():
        for rows in (*(zones.sectors or {}).values(), zones.fleet):
            for row in rows if isinstance(rows, list) else ():
                if isinstance(row, records.Row) and row.card is not None and row.position is None:
                    yield row.card


def _with_cards_not_named(stated: records.Position | records.Stated) -> Iterator[tuple[str, int]]:
    """The players and sectors of which it is stated that a card lies there face up, and not which one."""
    for player, zones in (stated.zones or {}).items():
        for slot, rows in (zones.sectors or {}).items():
            shown = (row for row in rows if isinstance(row, records.Row)) if isinstance(rows, list) else ()
            if slot in ("1", "2", "3") and any(row.card is None and row.face == "up" for row in shown):
                yield player, int(slot)


def _both_roles(stated: Mapping[str, Any], position: Position) -> dict[str, Any]:
    """The roles of the two players as stated; where that of one is left out, it is the one that is left."""
    roles = {player: role for player, role in stated.items() if player in position.table.other}
    for player in position.table.players:
        if player not in roles and (role := roles.get(position.other(player))) is not None:
            roles[player] = "attacker" if role == "defender" else "defender"
    return roles


def _card_in(row: records.Row | str | None) -> str | None:
    """The card that a row names."""
    return row.card if isinstance(row, records.Row) else row


def _stated_places(zones: records.ZonesStated) -> Iterator[tuple[records.ZoneName, int | None, Any]]:
    """(zone, sector, its rows or how many cards it has) of what is stated of a player's zones but for the deck."""
    yield from ((zone, None, value) for zone in _ZONES if (value := getattr(zones, zone)) is not None)
    for slot, value in (zones.sectors or {}).items():
        if slot in ("1", "2", "3"):
            yield "sector", int(slot), value


def _stated_twice(stated: records.Position | records.Stated) -> tuple[set[str], set[Fact]]:
    """The cards of which a position says that they lie in two places: in one of these lies another. And what nobody knows
    therefore."""
    found, where = Counter[str](), dict[Fact, set[str | None]]()
    for player, zones in (stated.zones or {}).items():
        for zone, sector, value in _stated_places(zones):
            named = [] if isinstance(value, int) else [_card_in(row) for row in value]
            found.update(one for one in named if one is not None)
            where["zone", player, zone, sector] = set(named)
        found.update(() if zones.deck is None else zones.deck.order or ())
    twice = {one for one, n in found.items() if n > 1}
    unknown: set[Fact] = {fact for fact, named in where.items() if not twice.isdisjoint(named)}
    return twice, unknown | {("at", one) for one in twice}


def _state_zones(position: Position, player: str, zones: records.ZonesStated, twice: set[str]) -> set[Fact]:
    """Adopt what is stated of a player's zones; a card that is in `twice` may be any. Gives back the facts stated."""
    told: set[Fact] = set()
    for zone, sector, value in _stated_places(zones):
        for instance in position.located(player, zone, sector):
            position.free_since[instance] = position.seq
            del position.at[instance]
        position.pools.pop((player, zone, sector), None)
        if twice and not isinstance(value, int):
            value = [None if _card_in(row) in twice else row for row in value]
        unknown = value if isinstance(value, int) else sum(_card_in(row) is None for row in value)
        if unknown > 0:
            position.pools[player, zone, sector] = Pool(unknown, position.seq)
        face: Any = "up" if zone in ("sector", "fleet", "discard", "limbo") else "down"
        for row in () if isinstance(value, int) else value:
            if isinstance(row, str):
                position.show(row, player, None)
                position.put(Taken(row, position.seq), At(zone, player, sector, face))
            elif row is not None and row.card is not None:
                position.show(row.card, row.owner or player, None)
                stance: Any = row.position or "ready"
                card = position.card_of(row.card)
                if stance == "charging" and card is not None and card.kind != "unit":
                    stance = "ready"  # Only units charge (HCG-POS-04).
                position.put(Taken(row.card, position.seq), At(zone, player, sector, row.face or face, stance))
        told.add(("zone", player, zone, sector))
    if zones.deck is not None:
        ordered = zones.deck.order is not None and twice.isdisjoint(zones.deck.order)
        position.shuffle_in(player, (), tuple(zones.deck.order or ()) if ordered else None)
        if zones.deck.n is not None:
            position.deck_n[player] = zones.deck.n
            told.add(("deck", player))
    if zones.sectors is not None:
        # A taken sector holds no cards, so that nothing need be said of it.
        told |= {("zone", player, "sector", slot) for slot in SLOTS if slot not in position.open_slots()}
    return told
