"""Which battles may be fought where, and what is due in the set-up of one (HCG-BPH, HCG-BSET)."""

from __future__ import annotations

from collections.abc import Sequence

from auditor.systems.hcg import records
from auditor.systems.hcg.position.places import At, Lying
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.reckoning.plays import ability_of

FLIPS, INSTRUCTIONS, SHIPS, EMPTY, DRAWS, FIGHT = 2, 3, 4, 5, 6, 7
"""The substeps of a battle's set-up (HCG-BSET-01), and the battle step after them."""

_STAGES: dict[type, int] = {
    records.SetupFlip: FLIPS,
    records.SetupUnique: INSTRUCTIONS,
    records.SetupAbility: INSTRUCTIONS,
    records.SetupShips: SHIPS,
    records.SetupSkip: EMPTY,
}


def stage_of(event: records.Event) -> int | None:
    """The substep of the set-up that an event belongs to; None for an event of none."""
    if isinstance(event, records.BattleAction):
        return FIGHT
    if isinstance(event, records.Draw):
        return DRAWS if event.cause == "command" else None
    return _STAGES.get(type(event))


def just_left_behind(event: records.Event, at: At, position: Position) -> bool:
    """Whether a card at the sector of the battle was still there as the first battle action came: of a ship HCG-BSET-05 has
    said so then, and it goes on in the fleet."""
    battle = position.battle
    if battle is None or battle.step != "setup" or stage_of(event) != FIGHT:
        return False
    return at.sector == battle.sector


def stands_for(event: records.SetupFlip, player: str | None, position: Position) -> tuple[int, ...]:
    """The events by which the unnamed cards of a player came to the sector, one of which a card turned up that cannot be there
    stands for; empty where all of them are turned up beside it."""
    slot = position.battle.sector if position.battle is not None else None
    if player is None or slot is None:
        return ()
    pool = position.pool(player, "sector", slot)
    shown = [one.card for one in event.cards or () if one.card is not None]
    mine = sum(one not in position.at and position.may_be(one, player, "sector", slot) for one in shown)
    return pool.came if pool.n > mine else ()


def may_fight_at(position: Position, player: str) -> tuple[int, ...]:
    """The sectors that a player can choose for a battle: open, not fought over this turn, with a card of the player's."""
    return tuple(
        slot
        for slot in position.open_slots()
        if not position.sectors[slot].fought and position.has_cards_at(player, slot)
    )


def won(position: Position) -> bool:
    """Whether somebody has two sectors."""
    taken = [sector.by for sector in position.sectors.values() if sector.state == "taken"]
    return any(taken.count(player) > 1 for player in position.table.players)


def is_chosen_again(event: records.BattleChoose, position: Position) -> bool:
    """Whether a choice is that of the battle which is being set up: no other battle begins."""
    battle = position.told_battle
    return battle is not None and battle.step == "setup" and (battle.chooser, battle.sector) == (event.by, event.sector)


def comes_late(event: records.BattleChoose, position: Position) -> bool:
    """Whether a choice is that of the battle whose set-up has begun before it, which was said there."""
    return (
        is_chosen_again(event, position)
        and position.told_battle is not None
        and position.told_battle.chosen == "unsaid"
    )


def one_is_missing(event: records.BattleAction, position: Position) -> bool:
    """Whether a battle action of the other player is missing before one: its player has had the last, and its number is that
    of the next but one."""
    battle, action = position.battle, position.action
    if battle is None or event.ba is None or event.by not in position.table.other:
        return False
    last = action.by if action is not None else position.table.other.get(battle.next or "")
    return last == event.by and event.ba == (action.said if action is not None else battle.said) + 2


def optional_text(event: records.SetupAbility, position: Position) -> str | None:
    """The type of an optional ability of a card that is named as a set-up instruction; None of any other text."""
    source = event.source
    card = position.card_of(source.card) if source is not None and source.card is not None else None
    if source is None or card is None or position.battle is None or not isinstance(source.ability, int):
        return None
    text = ability_of(position, source)
    kind = text.type if text is not None else None
    return kind if kind in ("BA", "T", "R", "M", "A") else None


def ends_another(event: records.BaEnd, position: Position) -> bool:
    """Whether the end of a battle action stands after the beginning of the next one, or before its own beginning,
    which follows."""
    battle, action = position.battle, position.action
    if battle is None or event.ba is None or position.midway:
        return False
    if action is None:
        return event.ba == battle.said + 1 and position.table.later.marks_next(event.seq) == ("begins", event.ba)
    return event.ba not in (action.n, action.said) and event.ba in (battle.ba, battle.said) and not battle.ended


def is_outside_an_action(position: Position) -> bool:
    """Whether a battle goes on, and no battle action in it: before the first, between two or after the last. Where a position
    alone tells that a battle is fought, nobody knows whether there has been one."""
    battle = position.battle
    return position.action is None and battle is not None and (battle.step != "battle" or battle.ba > 0)


def cards_at(position: Position, player: str) -> Sequence[Lying]:
    """The known cards that a player has at the sector of the battle."""
    return position.at.of(player, "sector", position.battle.sector if position.battle is not None else None)


def is_empty(position: Position, player: str) -> bool | None:
    """Whether a player has no card but ships at the sector of the battle; None where that cannot be told."""
    assert position.battle is not None
    sure = True
    for _, instance, _ in cards_at(position, player):
        card = position.card_of(instance)
        if card is None:
            sure = False
        elif card.kind != "ship":
            return False
    if position.pool(player, "sector", position.battle.sector).n:
        sure = False
    return True if sure else None


def owner_of_flipped(position: Position, instance: str, card: str | None) -> str | None:
    """Whose a card is that was turned up at a sector; None where the record does not tell.

    It is told by where the card lay, by the lists of instances or of decks, by the side of the card, and by who has
    unknown cards there.
    """
    players = position.table.players
    at = position.at.get(instance)
    if at is not None:
        return at.player
    if instance in position.owner:
        return position.owner[instance]
    left = [one for one in players if one not in position.table.listed]
    if card is not None:
        decks = position.table.decks
        left = [one for one in left if one not in decks or card in decks[one]]
        known = position.table.cards.get(card)
        if known is not None and known.alignment not in (None, "unaligned"):
            left = [one for one in left if position.table.sides.get(one) in (None, known.alignment)]
    slot = position.battle.sector if position.battle is not None else None
    there = [one for one in left if position.pool(one, "sector", slot).n]
    return there[0] if len(there) == 1 else None


def instructions(position: Position, player: str) -> list[tuple[str, int]]:
    """The set-up instructions of a player's cards at the sector of the battle that are still to be carried out."""
    battle = position.battle
    if battle is None:
        return []
    due = []
    for _, instance, at in cards_at(position, player):
        card = position.card_of(instance)
        if card is None or at.face != "up":
            continue
        done = [ability for one, ability in battle.carried if one == instance]
        printed = [n for n, ability in enumerate(card.abilities) if ability.type == "setup"]
        # An event that does not name the text stands for any of the card's.
        left = [n for n in printed if n not in done]
        due += [(instance, n) for n in left[sum(1 for one in done if one is None) :]]
    return due
