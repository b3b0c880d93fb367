"""Lines that may be missing before an event: what could have been done there that its rules know of (`Fault.lacks`).

Nothing here is judged: a line that could not have been there is found so when it is tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import combinations, islice, product
from typing import Any

from auditor.core.findings import Lack
from auditor.core.rulings import Hearing
from auditor.systems.hcg import records
from auditor.systems.hcg.abilities import Ability
from auditor.systems.hcg.position.parts import Rolling, Window
from auditor.systems.hcg.position.play import Play
from auditor.systems.hcg.position.state import Position, on_board
from auditor.systems.hcg.reckoning.battles import cards_at
from auditor.systems.hcg.reckoning.choices import Wanted, choices_in, eligible
from auditor.systems.hcg.reckoning.deployment import waiting
from auditor.systems.hcg.reckoning.effects import line_of, source_of
from auditor.systems.hcg.reckoning.plays import ability_of
from auditor.systems.hcg.reckoning.plays import source_of as said_source
from auditor.systems.hcg.reckoning.reactions import answers, happenings
from auditor.systems.hcg.reckoning.rolls import made_for

MOST_WAYS = 12
"""Ways to choose cards for one text that asks for several, which are looked at."""


def battle_action(position: Position, event: records.Event) -> Lack:
    """A battle action without which nothing could be played in the window that an event stands in."""
    return Lack(position.table.begun_with(event.seq), _battle_actions)


def next_action(position: Position, event: records.Event) -> Lack:
    """The battle action that an event is of, where it stands in none, or in the one before."""
    return Lack(event.seq, _battle_actions) if position.action is not None else battle_action(position, event)


def withdrawal(event: records.Event) -> Lack:
    """The withdrawal with which a battle ended."""

    def lines(position: Position, hearing: Hearing) -> Iterator[records.BaWithdraw]:
        yield from (records.BaWithdraw(seq=0, by=by) for by in _due(position))

    return Lack(event.seq, lines)


def _due(position: Position) -> tuple[str, ...]:
    """Whose battle action is due; both players where nobody knows."""
    battle, action = position.battle, position.action
    due = position.other(action.by) if action is not None else battle.next if battle is not None else None
    return position.table.players if due is None else (due,)


def tactic(position: Position, event: records.Event) -> Lack:
    """A tactic of the battle action under way, without which what it did stands there alone."""

    def tactics(position: Position, hearing: Hearing) -> Iterator[records.Tactic]:
        for by in position.table.players:
            yield from _tactics(by, position, hearing)

    return Lack(position.table.opened_before(event.seq) + 1, tactics)


def instruction(player: str, position: Position) -> Lack:
    """A set-up instruction that a player carried out."""

    def lines(position: Position, hearing: Hearing) -> Iterator[records.SetupAbility]:
        for source, choices in _uses("setup", player, position, hearing):
            yield records.SetupAbility(seq=0, by=player, source=source, choices=choices)

    return Lack(position.table.opened_before(position.seq + 1) + 1, lines)


def went_on(position: Position, event: records.Event) -> Lack:
    """What may have been done with which a battle action that had taken effect went on: a sweeping advance, or a tactic."""
    action = position.action
    may_sweep = action is not None and action.kind == "assault" and action.step and not action.sweep
    return Lack(event.seq, _sweeps) if may_sweep else tactic(position, event)


def _sweeps(position: Position, hearing: Hearing) -> Iterator[records.Sweep]:
    """The sweeping advances of the unit that assaults."""
    if (action := position.action) is not None:
        for _, target, _ in cards_at(position, position.other(action.by)):
            yield records.Sweep(seq=0, by=action.by, unit=action.unit, target=target)


def answered(event: records.Reaction, play: Play, ability: Ability | None, position: Position) -> Lack:
    """What a reaction answers."""

    def acts(position: Position, hearing: Hearing) -> Iterator[records.Event]:
        for one in _acts(position, hearing):
            done = happenings(one, position, None) if not isinstance(one, records.Damage) else ()
            if (
                ability is None
                or ability.trigger is None
                or any(answers(ability.trigger, so, play, position) for so in done)
            ):
                yield one

    return Lack(event.seq if event.trigger is None else event.trigger, acts)


def announcement(event: records.Roll) -> Lack:
    """The line that announces the ability for which a roll is made."""
    source = event.source

    def lines(position: Position, hearing: Hearing) -> Iterator[records.Event]:
        at = position.at.get(source.card or "") if source is not None else None
        ability = ability_of(position, source)
        if at is not None and ability is not None:
            yield from (one for one in _acts(position, hearing, of=ability.type) if said_source(one) == source)

    return Lack(event.seq, lines)


def undone_effect(seq: int) -> Lack:
    """What an ability that was announced may have done, and no line says."""
    return Lack(seq, _effects)


def rolling(seq: int) -> Lack:
    """A roll for something that was played."""
    return Lack(seq, lambda position, hearing: _rolls(position))


def _acts(position: Position, hearing: Hearing, of: str | None = None) -> Iterator[records.Event]:
    """All that may be done at a position; `of`: only by texts of a type."""
    if of in (None, "BA") and position.action is None:
        yield from _battle_actions(position, hearing)
    for by in position.table.players:
        if of in (None, "T"):
            yield from _tactics(by, position, hearing)
        for on in dict.fromkeys(one.seq for one in position.happened if of in (None, "R")):
            yield from _reactions(by, on, position, hearing)
        if of in (None, "M") and position.roll is not None:
            yield from modifiers(by, position.roll.seq, position, hearing)
        for source, choices in _uses("E", by, position, hearing) if of == "E" else ():
            yield records.EventResolved(seq=0, by=by, source=source, choices=choices)
    if of is None:
        yield from _effects(position, hearing)


def _effects(position: Position, hearing: Hearing) -> Iterator[records.Event]:
    """What the abilities under way may have done."""
    for play in reversed(position.plays):
        if (ability := ability_of(position, play)) is not None:
            lines = (line_of(one, play, ability, position, hearing) for one in ability.effects)
            yield from (line() for line in lines if line is not None)


def _tactics(by: str, position: Position, hearing: Hearing) -> Iterator[records.Tactic]:
    for source, choices in _uses("T", by, position, hearing):
        yield records.Tactic(seq=0, by=by, source=source, choices=choices)


def _reactions(by: str, on: int | None, position: Position, hearing: Hearing) -> Iterator[records.Reaction]:
    for source, choices in _uses("R", by, position, hearing):
        yield records.Reaction(seq=0, by=by, source=source, choices=choices, trigger=on)


def entry(window: Window, position: Position) -> Lack:
    """What may have been played in a window since something was done in it last."""
    opened = position.table.opened_before(position.seq + 1) if window.trigger is None else window.trigger
    return Lack((window.entries[-1] if window.entries else opened) + 1, partial(_entries, window))


def hit(unit: str | None, position: Position, event: records.Event) -> Lack:
    """That by which a card that was not attacked comes to fight: its block, or once damage was dealt the sweeping advance."""
    dealt = position.action is not None and position.action.step
    return went_on(position, event) if dealt else block(unit, position)


def block(unit: str | None, position: Position) -> Lack:
    """The block of an attack by the card that fights in it: it came before the first tactic."""

    def blocks(position: Position, hearing: Hearing) -> Iterator[records.Block]:
        at = position.at.get(unit or "")
        yield records.Block(seq=0, by=at.player if at is not None else None, unit=unit)

    return Lack(position.table.first_tactic(position.seq + 1), blocks)


def off_the_top(player: str, position: Position, event: records.Event) -> Lack:
    """What may have taken a card off a deck since a line did so last."""
    return Lack(position.table.took_before(event.seq, player) + 1, partial(_off_the_top, player))


def _off_the_top(player: str, position: Position, hearing: Hearing) -> Iterator[records.Event]:
    yield from (roll for roll in _rolls(position) if roll.by == player)
    drawn = (one for one in _effects(position, hearing) if isinstance(one, (records.Draw, records.Mill)))
    yield from (one for one in drawn if one.by == player)
    if position.phase == "first_wave":
        yield from _flips_of(player, position, hearing)


def first_wave_card(player: str, seq: int) -> Lack:
    """A flip of a player, to a sector that waits for one: of the card that lies on top of the deck, where that is known."""
    return Lack(seq, partial(_flips_of, player))


def _flips_of(player: str, position: Position, hearing: Hearing) -> Iterator[records.DeployFirst]:
    card = next(iter(position.deck_top.get(player, ())), None)
    for sector in waiting(position, player, hearing):
        yield records.DeployFirst(seq=0, by=player, card=card, sector=sector, face="up")


def deployment(player: str, seq: int) -> Lack:
    """A deployment of a player out of the hand: of each of its cards that is known, or of one that is not, to each sector."""

    def deployments(position: Position, hearing: Hearing) -> Iterator[records.DeployRegular]:
        known = position.located(player, "deploy_hand")
        hidden: list[str | None] = [None] if position.pool(player, "deploy_hand").n else []
        for card in (*known, *hidden):
            for sector in position.open_slots():
                yield records.DeployRegular(seq=0, by=player, card=card, sector=sector, face="down")

    return Lack(seq, deployments)


def flips(position: Position, hearing: Hearing) -> Iterator[records.SetupFlip]:
    """All that lies face down at the sector of a battle, turned up."""
    for_each = (cards_at(position, player) for player in position.table.players)
    down = [one for cards in for_each for _, one, at in cards if at.face == "down"]
    sector = position.battle.sector if position.battle is not None else None
    cards = [records.Flip(card=one, id=position.card.get(one)) for one in down]
    yield records.SetupFlip(seq=0, sector=sector, cards=cards)


def _battle_actions(position: Position, hearing: Hearing) -> Iterator[records.Event]:
    if position.battle is None:
        return
    for by in _due(position):
        targets = [one for _, one, _ in cards_at(position, position.other(by))]
        for _, unit, at in cards_at(position, by):
            if at.stance == "ready":
                yield records.BaCharge(seq=0, by=by, unit=unit)
            for target in targets if at.stance != "locked" else ():
                yield records.BaShoot(seq=0, by=by, unit=unit, target=target)
                if at.stance == "charging":
                    yield records.BaAssault(seq=0, by=by, unit=unit, mode="standard", target=target)
        for source, choices in _uses("BA", by, position, hearing):
            if source.zone == "hand":
                yield records.BaCard(seq=0, by=by, card=source.card, choices=choices)
            else:
                yield records.BaAbility(seq=0, by=by, source=source, choices=choices)
        yield records.BaWithdraw(seq=0, by=by)


def _entries(window: Window, position: Position, hearing: Hearing) -> Iterator[records.Event]:
    """What the player who has the say may have played in a window: in that of a roll another roll may be missing as well."""
    by, on = window.next, window.trigger
    if window.kind == "modifier":
        yield from _rolls(position)
        yield from modifiers(by, on, position, hearing)
    elif window.kind == "tactics":
        yield from _tactics(by, position, hearing)
    elif window.kind == "reaction":
        yield from _reactions(by, on, position, hearing)


def modifiers(by: str, roll: int | None, position: Position, hearing: Hearing) -> Iterator[records.Modifier]:
    """The modifiers that a player may have played on a roll. A reroll is the roll that comes next."""
    for source, choices in _uses("M", by, position, hearing):
        ability = ability_of(position, source)
        rerolls = ability is not None and any(one.op == "reroll" for one in ability.effects)
        yield records.Modifier(seq=0, by=by, source=source, choices=choices or None, roll=roll)
        if rerolls:
            new = position.seq + 1
            yield records.Modifier(seq=0, by=by, source=source, choices=choices or None, roll=roll, reroll=new)


def modifier_of(roll: Rolling) -> Lack:
    """A modifier of either player on a roll."""

    def of_both(position: Position, hearing: Hearing) -> Iterator[records.Modifier]:
        for by in position.table.players:
            yield from modifiers(by, roll.seq, position, hearing)

    return Lack(roll.seq + 1, of_both)


def _rolls(position: Position) -> Iterator[records.Roll]:
    """The rolls that may have been made: again where a modifier says so, for a modifier, for the abilities under way."""
    open_ = (*position.below, *((position.roll,) if position.roll is not None else ()))
    old = position.table.rerolled.get(position.seq + 1)
    for roll in open_:
        play = made_for(roll, position)
        if roll.seq == old and play is not None:
            yield roll_of(play, roll.purpose, position.deck_top.get(play.by, ()))
    for play in reversed(position.plays):
        ability = ability_of(position, play)
        for purpose in _rolled_for(ability) if ability is not None else ():
            yield roll_of(play, purpose, position.deck_top.get(play.by, ()))


def _rolled_for(ability: Ability) -> Iterator[str]:
    if ability.tests:
        yield "test"
    amounts = [amount for one in ability.effects for amount in (one.amount, one.n, *(c.amount for c in one.changes))]
    if any(str(amount).endswith("d6") for amount in amounts):
        yield "d6"
    if any(one.rows for one in ability.effects):
        yield "variable"


def roll_of(play: Play, purpose: str | None, top: Sequence[str]) -> records.Roll:
    """The roll for an ability, with the card that lies on top of the deck."""
    what: Any = purpose
    card = next(iter(top), None)
    return records.Roll(seq=0, by=play.by, source=source_of(play), card=card, purpose=what)


def _uses(
    kind: str, by: str, position: Position, hearing: Hearing
) -> Iterator[tuple[records.Source, records.Choices | None]]:
    """The texts of a type that a player may use, each with all that may be chosen for it."""
    for source, ability in _texts(kind, by, position):
        zone: Any = source.zone
        play = Play(position.seq, kind, by, zone, str(source.card), source.ability, None)
        for choices in _choices(play, ability, position, hearing):
            yield source, choices


def _texts(kind: str, by: str, position: Position) -> Iterator[tuple[records.Source, Ability]]:
    for instance in position.located(by, "command_hand"):
        card = position.card_of(instance)
        if card is not None and card.line is not None and card.line.type == kind and not card.line.several:
            yield records.Source(zone="hand", card=instance, ability="line"), card.line
    for instance, at in on_board(position):
        card, zone = position.card_of(instance), at.zone
        if card is None or at.player != by or (zone == "sector" and not _is_here(at.sector, position)):
            continue
        for n, ability in enumerate(card.abilities):
            if ability.type == kind and not ability.several and (zone == "sector" or zone == "fleet"):
                yield records.Source(zone=zone, card=instance, ability=n), ability


def _is_here(sector: int | None, position: Position) -> bool:
    return position.battle is not None and sector == position.battle.sector


def _choices(play: Play, ability: Ability, position: Position, hearing: Hearing) -> Iterable[records.Choices | None]:
    """What may be chosen for a text; None where it was not all read."""
    wanted = choices_in(ability, play)
    if wanted is None:
        return [None]
    if not wanted:
        return [records.Choices()]
    each: list[Callable[[], Iterator[tuple[str, ...]]]] = [
        partial(_picked, one, play, position, hearing) for one in wanted
    ]
    if len(each) == 1:
        found = list(each[0]())
    else:
        found = [sum(cards, ()) for cards in islice(product(*(one() for one in each)), MOST_WAYS)]
    return [
        records.Choices(target=cards[0]) if len(cards) == 1 else records.Choices(targets=list(cards)) for cards in found
    ]


def _picked(one: Wanted, play: Play, position: Position, hearing: Hearing) -> Iterator[tuple[str, ...]]:
    cards, _ = eligible(one.selector, one.effect.op, position, play.by, play.card, hearing)
    if one.n == 1:
        yield from ((card,) for card in cards)
    elif one.n is not None:
        yield from islice(combinations(cards, min(one.n, len(cards))), MOST_WAYS)
