"""What an ability must have done by the time it is over (HCG-BAC-01, HCG-TAC-05)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from auditor.core.rulings import Hearing
from auditor.systems.hcg import records
from auditor.systems.hcg.abilities import Ability
from auditor.systems.hcg.abilities.shapes import Effect
from auditor.systems.hcg.position.play import Play
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.reckoning.choices import choices_in, eligible, misfits, x_of
from auditor.systems.hcg.reckoning.costs import has_failed
from auditor.systems.hcg.reckoning.plays import a_text_is_not_known, ability_of, play_by, players_of
from auditor.systems.hcg.reckoning.selectors import keywords_of

_ON_CARDS = ("destroy", "lock", "rally", "return", "damage")
PLACES = {"hand": "command_hand", "discard": "discard", "deck": "deck"}
"""Zones as texts name them -> as logs do."""


def undone(play: Play, ability: Ability, position: Position, hearing: Hearing) -> list[Effect]:
    """The parts of a text that change where cards lie or how they stand, that could be carried out, and of which nothing
    is recorded. Nothing is missed of a text that was not all read, of an ability whose test was not passed, or beside a text
    that nobody knows."""
    if ability.status != "full" or ability.type != play.kind or position.table.setup.terse:
        return []
    if ability.tests and has_failed(play, position, hearing) is not False:
        return []
    if a_text_is_not_known(position):
        return []
    chosen = _chosen(play, ability)
    done = {op for op, _ in play.done}
    return [
        effect
        for effect in ability.effects
        if effect.op not in done
        and is_due(effect, play, chosen.get(effect, ()), position, hearing, x_of(ability, play))
    ]


def undrawn(effect: Effect, play: Play, position: Position) -> tuple[str, ...]:
    """The players who have to draw by a part of a text, and of whom no draw is recorded; none where it does not tell."""
    drawn = [cards for op, cards in play.done if op == "draw"]
    drew = {position.owner.get(one) for cards in drawn for one in cards}
    if effect.op != "draw" or () in drawn:
        return ()
    return tuple(one for one in players_of(effect.player, play.by, position) if one not in drew)


def one_alone(play: Play, ability: Ability, position: Position, hearing: Hearing) -> list[tuple[str, Effect]]:
    """(player, part of a text) by which that player draws, where both do and the draw of the other alone is recorded."""
    if not any(op == "draw" for op, _ in play.done) or play.kind not in ("BA", "T"):
        return []
    if undone(play._replace(done=()), ability, position, hearing) == []:
        return []
    draws = [one for one in ability.effects if one.op == "draw"]
    if len({player for one in draws for player in players_of(one.player, play.by, position)}) < 2:
        return []
    found: dict[str, Effect] = {}
    for one in draws:
        n = x_of(ability, play) if one.n == "X" else one.n
        if isinstance(n, int) and n > 0 and not one.upto:
            found |= {player: one for player in undrawn(one, play, position) if position.deck_n.get(player)}
    return list(found.items())


def _chosen(play: Play, ability: Ability) -> dict[Effect, tuple[str, ...]]:
    """The cards chosen for each part of a text, as far as that can be told."""
    wanted = choices_in(ability, play)
    left = play.choices or ()
    if not wanted:
        return {one: left for one in ability.effects if one.op == "infiltrate"}
    if len(wanted) == 1:
        return {wanted[0].effect: left}
    found = {}
    for one in wanted:
        if one.n is None or one.upto:
            return {}
        found[one.effect], left = left[: one.n], left[one.n :]
    return found


def lost(play: Play, ability: Ability, position: Position, hearing: Hearing) -> tuple[bool, bool]:
    """Whether of the cards chosen for a battle action one has surely left play since, or is no longer what its text names
    (OR-FIZZLE), and whether one may have. What the battle action itself has done to a card makes it no other."""
    befell = {one for _, cards in play.costs for one in cards}
    befell |= {
        one
        for other in position.plays
        if other.seq != play.seq
        for _, cards in (*other.costs, *other.done)
        for one in cards
    }
    mine = {one for _, cards in play.done for one in cards}
    surely = maybe = False
    named = {one: effect for effect, cards in _chosen(play, ability).items() for one in cards}
    for one in play.choices or ():
        effect, why = named.get(one), None
        if one in mine or (effect is not None and effect.op == "infiltrate"):
            continue  # What is infiltrated is not in play yet.
        if not position.lives_in_play(one):
            why = ["away"]
        elif effect is not None and effect.target is not None:
            why = misfits(effect.target, effect.op, one, position, play.by, play.card, hearing)
        else:
            continue
        maybe = maybe or why != []
        surely = surely or (bool(why) and one in befell)
    return surely, maybe


def is_due(
    effect: Effect, play: Play, chosen: tuple[str, ...], position: Position, hearing: Hearing, x: int | None = None
) -> bool:
    """Whether a part of a text changes where cards lie or how they stand, and could be carried out now."""
    if effect.op in ("draw", "mill"):
        player = position.other(play.by) if effect.player == "enemy" else play.by
        n = x if effect.n == "X" else effect.n
        return isinstance(n, int) and n > 0 and not effect.upto and bool(position.deck_n.get(player))
    if effect.op == "discard":
        player = position.other(play.by) if effect.player == "enemy" else play.by
        acts = [one for one in position.plays if one.kind in ("BA", "A") and one.seq != play.seq]
        if any(op == "draw" for one in (play, *acts) for op, _ in one.done):
            return False  # What is in the hand now may have come after it.
        return not effect.upto and effect.n != 0 and position.count(player, "command_hand") > 0
    if effect.op == "infiltrate":
        return any(_may_come(effect, play, one, position) for one in chosen)
    if effect.op not in _ON_CARDS or effect.target is None:
        return False
    if effect.target.q == "all":
        cards = eligible(effect.target, effect.op, position, play.by, play.card, hearing)[0]
        return any(_can_be(effect.op, one, position) for one in cards)
    if effect.target.q == "self":
        return _can_be(effect.op, play.card, position)
    # A chosen card that is no longer what the text names is left alone (OR-FIZZLE).
    return any(
        _can_be(effect.op, one, position)
        and misfits(effect.target, effect.op, one, position, play.by, play.card, hearing) == []
        for one in chosen
    )


_LINES: Mapping[str, type[records.Change]] = {
    "destroy": records.Destroy,
    "lock": records.Lock,
    "rally": records.Rally,
    "return": records.Return,
}


def line_of(
    effect: Effect, play: Play, ability: Ability, position: Position, hearing: Hearing
) -> Callable[[], records.Event] | None:
    """What makes the line of a part of a text that was not carried out; None where it takes more than one line, or where
    a player chooses what it says."""
    cards: tuple[str, ...] = _chosen(play, ability).get(effect, ())
    if effect.target is not None and effect.target.q == "all":
        cards = tuple(eligible(effect.target, effect.op, position, play.by, play.card, hearing)[0])
    elif effect.target is not None and effect.target.q == "self":
        cards = (play.card,)
    source = source_of(play)
    if effect.op == "damage" and len(cards) == 1:
        return partial(records.Damage, seq=0, to=cards[0], stat="effect", source=source)
    if effect.op == "infiltrate":
        cards = tuple(one for one in cards if _may_come(effect, play, one, position))
        return partial(records.Infiltrate, seq=0, by=play.by, cards=list(cards), cause="effect", source=source)
    done = [one for one in cards if _can_be(effect.op, one, position)]
    if effect.op in _LINES and done:
        return partial(_LINES[effect.op], seq=0, cards=done, cause="effect", source=source)
    return _of_a_hand(effect, play, ability, position)


def _of_a_hand(effect: Effect, play: Play, ability: Ability, position: Position) -> Callable[[], records.Event] | None:
    """What makes the line of what one player draws or discards by a text; which cards that player picks is left open."""
    players = players_of(effect.player, play.by, position)
    if len(players) != 1 or effect.op not in ("draw", "mill", "discard"):
        return None
    why: Any = {"seq": 0, "by": players[0], "cause": "effect", "source": source_of(play)}
    if effect.op == "discard":
        return partial(records.Discard, **why)
    n = x_of(ability, play) if effect.n == "X" else effect.n
    if not isinstance(n, int):
        return None
    cards = list(position.deck_top.get(players[0], ())[:n]) or None
    if effect.op == "mill":
        return partial(records.Mill, **why, cards=cards)
    return partial(records.Draw, **why, n=n, cards=cards, to="command_hand")


def source_of(play: Play) -> records.Source:
    """Where an ability came from, as a line of what it did says it."""
    zone: Any = play.zone
    ability: Any = play.ability
    return records.Source(zone=zone, card=play.card, ability=ability)


def _can_be(op: str, instance: str, position: Position) -> bool:
    at = position.at.get(instance)
    if at is None or at.zone not in ("sector", "fleet"):
        return False
    return not (op == "lock" and at.stance == "locked") and not (op == "rally" and at.stance == "ready")


def _may_come(effect: Effect, play: Play, instance: str, position: Position) -> bool:
    """Whether a card lies in the discard pile out of which a text infiltrates one, and is of its sort."""
    if effect.source is None or effect.source.place != "discard" or position.card_of(instance) is None:
        return False
    return instance in position.at and misplaced(instance, effect, play, position) is None


def misplaced(instance: str, effect: Effect, play: Play, position: Position, said: str | None = None) -> str | None:
    """Why a card is not one that a text infiltrates, as the end of a sentence; None where nothing tells that. `said`: the
    zone that it is said to come from."""
    at, card = position.at.get(instance), position.card_of(instance)
    zone = at.zone if at is not None else said
    if effect.source is not None:
        due = PLACES[effect.source.place]
        if zone is not None and zone != due:
            return f"was taken from the {zone.replace('_', ' ')}"
        whose = {"you": play.by, "enemy": position.other(play.by)}.get(effect.source.whose)
        if whose is not None and at is not None and at.player != whose:
            return f"was taken from {at.player}'s {zone}"
    target = effect.target
    if target is None or card is None:
        return None
    if target.kind not in ("card", card.kind):
        return f"is {'an' if card.kind == 'asset' else 'a'} {card.kind}"
    if not keywords_of(position, instance, card).issuperset(target.keywords):
        return f"is not {', '.join(target.keywords)}"
    return None


def left_out(event: records.Change, position: Position) -> tuple[str, ...]:
    """The chosen cards that an empty list of what an ability did leaves out, and to which that could be done."""
    play = play_by(event, position) if event.cards == [] else None
    ability = ability_of(position, play)
    if play is None or ability is None or ability.status != "full" or not play.choices:
        return ()
    op = str(type(event).__struct_config__.tag)
    asking = [(one.op, one.target.q) for one in ability.effects if one.target is not None]
    if asking not in ([(op, "exact")], [(op, "upto")]):
        return ()
    return tuple(one for one in play.choices if position.lives_in_play(one) and _can_be(op, one, position))
