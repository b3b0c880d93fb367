"""What an ability has its player choose, and whether a card may be chosen (HCG-OPT-02, HCG-OPT-03, HCG-OPT-09)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from auditor.core.rulings import Hearing
from auditor.systems.hcg import records
from auditor.systems.hcg.abilities import Ability
from auditor.systems.hcg.abilities.shapes import Amount, Compare, Condition, Effect, Selector
from auditor.systems.hcg.position.kept import of_event
from auditor.systems.hcg.position.play import Play
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.reckoning.named import targets_of
from auditor.systems.hcg.reckoning.plays import ability_of, announced, misplayed, play_by
from auditor.systems.hcg.reckoning.restrictions import forbidden
from auditor.systems.hcg.reckoning.selectors import holds, keywords_of, roles_of
from auditor.systems.hcg.reckoning.values import current, now

ANNOUNCES = (
    "tactic", "reaction", "modifier", "ba.card", "ba.ability", "ba.assault", "setup.ability", "event",
)  # fmt: skip
"""Event types that may announce an ability."""
CHANGES = ("effect", "destroy", "lock", "rally", "return", "damage")
"""Event types that say to which cards an ability did something."""
MAY_CHOOSE = frozenset(records.EVENTS[name] for name in (*ANNOUNCES, *CHANGES))
_CHOSEN_ON_THE_TABLE = frozenset({"modify", "destroy", "lock", "rally", "damage", "return", "grant", "forbid"})


class Wanted(NamedTuple):
    """A choice that a text asks for: `n` cards of `selector`, or up to so many; n is None where nobody can say."""

    effect: Effect
    selector: Selector
    n: int | None

    @property
    def upto(self) -> bool:
        return self.selector.q == "upto"


class Choice(NamedTuple):
    """Cards chosen for an ability, and the part of its text that they were chosen for."""

    play: Play
    ability: Ability
    wanted: Wanted
    cards: tuple[str, ...]


def x_of(ability: Ability, play: Play) -> int | None:
    """The X of an ability, as far as it was named or the text gives the number itself."""
    if ability.x is not None and ability.x.what == "int":
        return ability.x.n
    return play.x


def _number(n: Amount | None, ability: Ability, play: Play) -> int | None:
    return n if isinstance(n, int) else x_of(ability, play)


def choices_in(ability: Ability, play: Play) -> list[Wanted] | None:
    """What a text has its player choose among cards on the table, in its order; None where it was not all read."""
    if not ability.effects_are_read:
        return None
    found = []
    for effect in ability.effects:
        if effect.op in ("raw", "table"):
            return None
        selector = effect.target
        if selector is not None and selector.q in ("exact", "upto") and effect.op in _CHOSEN_ON_THE_TABLE:
            found.append(Wanted(effect, selector, _number(selector.n, ability, play)))
    return found


def needs_choice(ability: Ability, play: Play) -> bool:
    """Whether nobody can tell what an ability does while no choice is named; so too where its text was not read."""
    wanted = choices_in(ability, play)
    if wanted is None and ability.status == "full" and all(one.op == "table" for one in ability.effects):
        rows = [effect for one in ability.effects for row in one.rows for effect in row.effects]
        return any(one.target is not None and one.target.q != "self" for one in rows)
    return wanted is None or any(one.n != 0 for one in wanted)


def unchosen(play: Play, position: Position) -> bool:
    """Whether the record names neither with the announcement nor later what was chosen."""
    if play.choices is not None:
        return False
    ability = ability_of(position, play)
    if play.kind == "M" and (ability is None or choices_in(ability, play) is None):
        return False  # What an unread modifier did is on its line; that it asks for a choice nobody knows.
    return ability is None or (
        needs_choice(ability, play) and not position.table.later.names_cards(play.seq, play.card)
    )


@of_event
def choices_made(event: Any, position: Position) -> list[Choice] | None:
    """The choices that an event makes: as it announces an ability, or, where that named none, as it says to what the
    ability was done. None where it makes none, or nobody can tell which card was chosen for what."""
    play = announced(event, position)
    if play is not None:
        ability = ability_of(position, play)
        if ability is None or play.choices is None or misplayed(play, ability, position):
            return None
        return _split(play, ability, play.choices)
    play = play_by(event, position)
    ability = ability_of(position, play)
    if play is None or ability is None or play.choices is not None:
        return None
    if play.kind in ("BA", "A") and position.action is not None and position.action.tactics:
        return None  # What has changed since the announcement may have made a card unfit.
    if getattr(event, "choices", None) is not None:
        return _split(play, ability, event.choices.cards)
    for wanted in choices_in(ability, play) or ():
        if _is_of(event, wanted.effect):
            return [Choice(play, ability, wanted, targets_of(event))]
    return None


def _is_of(event: records.Event, effect: Effect) -> bool:
    if isinstance(event, records.Effect):
        stat = "flags" if event.stat == "flag" else event.stat
        return event.op == effect.op and (
            effect.op != "modify" or stat is None or any(change.stat == stat for change in effect.changes)
        )
    return str(type(event).__struct_config__.tag) == effect.op


def _split(play: Play, ability: Ability, chosen: tuple[str, ...]) -> list[Choice] | None:
    wanted = choices_in(ability, play)
    if wanted is None:
        return None
    if len(wanted) == 1:
        return [Choice(play, ability, wanted[0], chosen)]
    found = []
    for one in wanted:
        if one.n is None or one.upto:
            return None
        found.append(Choice(play, ability, one, chosen[: one.n]))
        chosen = chosen[one.n :]
    if chosen and found:
        found[-1] = found[-1]._replace(cards=(*found[-1].cards, *chosen))
    return found


def all_fit(choices: Sequence[Choice], position: Position, hearing: Hearing) -> bool:
    """Whether what was chosen is known to be what the texts ask for: so many cards, each of which may be chosen. No reading
    is asked: where that hangs on current numbers it is not known."""
    for play, _, wanted, cards in choices:
        selector, n = wanted.selector, len(cards)
        if wanted.n is None or selector.flag is not None or selector.has is not None or len(set(cards)) < n:
            return False
        if n != wanted.n and not (wanted.upto and 0 < n < wanted.n):
            return False
        for one in cards:
            if misfits(selector, wanted.effect.op, one, position, play.by, play.card, hearing) != []:
                return False
    return any(choice.cards for choice in choices)


def are_astray(choices: Sequence[Choice], position: Position, hearing: Hearing) -> bool:
    """Whether what was chosen cannot be what the texts ask for: a card that may not be chosen, or too few where there are
    enough. No reading is asked: what hangs on current numbers may be chosen."""
    for play, _, wanted, cards in choices:
        selector, op = wanted.selector, wanted.effect.op
        if selector.flag is not None or selector.has is not None:
            continue
        wrong = (misfits(selector, op, one, position, play.by, play.card, hearing) or () for one in cards)
        if any(not {"locked", "ready"}.issuperset(one) for one in wrong):
            return True
        if wanted.n is not None and not wanted.upto and len(set(cards)) < wanted.n:
            return len(eligible(selector, op, position, play.by, play.card, hearing)[0]) >= wanted.n
    return False


# -- whether a card may be chosen ---------------------------------------------------------------------------------


def misfits(
    selector: Selector, op: str, instance: str, position: Position, by: str, bearer: str | None, hearing: Hearing
) -> list[str] | None:
    """What keeps a card from being chosen; empty where nothing does, None where that cannot be told.

    away     it is not in play
    sector   it lies at another sector than the text reaches
    ship     it is a ship, and the text names no ships
    kind, side, other, keyword, role, state   it is not of that sort
    flag     it is a flag unit or is none
    has      its number is too high or too low
    locked   it is locked already; ready: it is ready already
    """
    at, card, battle = position.at.get(instance), position.card_of(instance), position.battle
    if at is None:
        free = any(
            position.may_be(instance, one, "sector", slot) for one in position.table.players for slot in (1, 2, 3)
        )
        return None if free or position.holes else ["away"]
    if at.zone not in ("sector", "fleet") or (position.action is not None and instance in position.action.doomed):
        return ["away"]
    if battle is None:
        return None
    away = (
        at.zone == "sector"
        and selector.where != "any"
        and (at.sector == battle.sector) == (selector.where == "another")
    )
    if card is None:
        return ["sector"] if away else None
    if card.kind == "ship" and selector.kind != "ship":
        return ["ship"]
    found = ["sector"] if away else []
    if selector.kind not in ("card", card.kind):
        found.append("kind")
    if selector.side != "any" and (at.player == by) != (selector.side == "own"):
        found.append("side")
    if selector.other and instance == bearer:
        found.append("other")
    if selector.keywords and not keywords_of(position, instance, card).issuperset(selector.keywords):
        found.append("keyword")
    if selector.role is not None and selector.role not in roles_of(position, instance):
        found.append("role")
    if selector.state is not None and at.stance != selector.state:
        found.append("state")
    if op == "lock" and at.stance == "locked" and selector.state != "locked":
        found.append("locked")
    if op == "rally" and at.stance == "ready":
        found.append("ready")
    if selector.flag is not None and card.kind != "ship":
        flags = current(position, instance, "flags", None, hearing)
        if flags.tainted:
            return None
        if (flags.amount > 0) != selector.flag:
            found.append("flag")
    if selector.has is not None and card.kind != "ship":
        values = now(position, instance, selector.has.stat, hearing)
        wrong = {_has_not(selector.has, value.amount) for value in values}
        if any(value.unknown or value.tainted for value in values) or len(wrong) > 1:
            return None
        if True in wrong:
            found.append("has")
    return found


def _has_not(has: Compare, amount: int) -> bool:
    """Whether a number is none of those that a text asks for."""
    return (has.least is not None and amount < has.least) or (has.most is not None and amount > has.most)


def eligible(
    selector: Selector, op: str, position: Position, by: str, bearer: str | None, hearing: Hearing
) -> tuple[list[str], bool]:
    """The cards that may be chosen, and whether there may be more that nobody can name: whether a card that "cannot be
    targeted" may be chosen for a text the rules leave open."""
    found, unsure = [], False
    battle = position.battle
    printed = selector.flag is None and selector.has is None
    near = battle.sector if battle is not None and printed and selector.where not in ("any", "another") else None
    for instance, at in position.at.in_play():
        if near is not None and at.sector not in (None, near):
            continue  # The text does not reach it.
        wrong = misfits(selector, op, instance, position, by, bearer, hearing)
        is_chosen = bool(op) and selector.q != "all"
        if wrong is None or (not wrong and is_chosen and forbidden(position, "be targeted", instance, bearer)):
            unsure = True
        elif not wrong:
            found.append(instance)
    slots = [position.battle.sector] if position.battle is not None and selector.where == "here" else [1, 2, 3]
    pools = any(position.pool(player, "sector", slot).n for player in position.table.players for slot in slots)
    return found, unsure or pools or position.battle is None


# -- conditions ---------------------------------------------------------------------------------------------------


def met(condition: Condition, position: Position, play: Play, hearing: Hearing) -> bool | None:
    """Whether a condition of a text is met as it is announced; None where that cannot be told."""
    simple = holds(condition, position, play.by, play.card)
    if simple is not None:
        return simple
    if condition.cards is None:
        return None
    if condition.cards.where != "here" or condition.cards.kind == "card":
        return None  # "cards" may be those of a hand.
    if condition.what == "there_is":
        least: Sequence[int] = (1, -1)
        whose = None
    else:
        numbers = {"no": (0, 0), "exact": (condition.n, -1), "any": (1, -1), "a": (1, -1), "one": (1, -1)}
        least = numbers.get(condition.count or "", ())  # type: ignore[assignment]
        whose = condition.player
    if not least or not all(isinstance(n, int) for n in least) or whose == "each":
        return None
    found, unsure = eligible(condition.cards, "", position, play.by, play.card, hearing)
    if unsure:
        return None
    if whose is not None:
        mine = play.by if whose == "you" else position.other(play.by)
        found = [one for one in found if position.at[one].player == mine]
    low, high = least
    return (len(found) >= low and (high < 0 or len(found) <= high)) != condition.negated
