"""Which cards a text means (catalogue 7.3), on the table as it lies."""

from __future__ import annotations

from auditor.systems.hcg.abilities.shapes import Condition, Selector
from auditor.systems.hcg.packs import Card
from auditor.systems.hcg.position.places import At
from auditor.systems.hcg.position.state import Position


def keywords_of(position: Position, instance: str, card: Card) -> frozenset[str]:
    """The printed keywords of a card and those that it was given."""
    given = {bonus.what for bonus in position.alive if bonus.target == instance and bonus.stat == "keyword"}
    return card.keywords | {what for what in given if what is not None} if given else card.keywords


def roles_of(position: Position, instance: str) -> frozenset[str]:
    """What a card is in the attack that is under way."""
    action = position.going
    if action is None or action.kind not in ("shoot", "assault"):
        return frozenset()
    roles: set[str] = set()
    if instance == action.unit:
        roles |= {"attacking", "shooting" if action.kind == "shoot" else "assaulting"}
    if instance == action.defending:
        roles.add("defending")
    if instance == action.blocker:
        roles.add("blocking")
    return frozenset(roles)


def matches(
    selector: Selector, instance: str, position: Position, controller: str | None, bearer: str | None = None
) -> bool | None:
    """Whether a card is one that a selector means; None where that cannot be told.

    `controller` is the player whose "your" it is, `bearer` the card that prints the text. The quantifier is not
    looked at, except that a card's own text ("this unit") means that card alone.
    """
    if selector.q == "self":
        return instance == bearer
    if selector.q == "same":
        return None
    card, at = position.card_of(instance), position.at.get(instance)
    if card is None or at is None:
        return None
    if card.kind == "ship" and selector.kind != "ship":
        return False  # A ship is meant only by texts that name ships (HCG-SHIP-03).
    return fits(selector, instance, card, at, position, controller, bearer)


def fits(
    selector: Selector,
    instance: str,
    card: Card,
    at: At,
    position: Position,
    controller: str | None,
    bearer: str | None = None,
) -> bool | None:
    """The same for a card that is known, at a place that is known; of ships too where "a card" may mean one."""
    if selector.kind != "card" and card.kind != selector.kind:
        return False
    if selector.other and instance == bearer:
        return False
    if selector.state is not None and at.stance != selector.state:
        return False
    if selector.role is not None and selector.role not in roles_of(position, instance):
        return False
    if selector.keywords and not keywords_of(position, instance, card).issuperset(selector.keywords):
        return False
    if selector.side != "any":
        if controller is None:
            return None
        if (at.player == controller) != (selector.side == "own"):
            return False
    if selector.flag is not None or selector.has is not None:
        return None  # Current numbers would be needed, which may hang on this very question.
    return True


def holds(condition: Condition, position: Position, controller: str | None, bearer: str | None) -> bool | None:
    """Whether a condition of a text is met; None where that cannot be told. Of flags nothing is told here."""
    met: bool | None = None
    if condition.what == "is" and bearer is not None:
        at = position.at.get(bearer)
        if condition.state is not None and at is not None:
            met = at.stance == condition.state
        elif condition.role is not None:
            met = condition.role in roles_of(position, bearer)
    elif condition.what == "there_is" and condition.cards is not None:
        least, most = _counted(condition.cards, position, controller, bearer, position.table.players)
        met = True if least else False if most == 0 else None
    elif condition.what == "has" and condition.cards is not None:
        met = _has(condition, position, controller, bearer)
    if met is None:
        return None
    return met != condition.negated


def whose(player: str | None, position: Position, controller: str | None) -> str | None:
    """Whom a condition means by "you" or "your enemy"; None where nobody can tell."""
    if controller is None or player not in ("you", "enemy"):
        return None
    return controller if player == "you" else position.other(controller)


def _has(condition: Condition, position: Position, controller: str | None, bearer: str | None) -> bool | None:
    """Whether a player has so many cards of a sort at the sector of the battle."""
    assert condition.cards is not None
    one = whose(condition.player, position, controller)
    mine = None if one is None else _number(condition.cards, position, controller, bearer, (one,))
    if mine is None:
        return None
    if condition.count in ("more", "fewer"):
        other = whose(condition.than, position, controller)
        theirs = None if other is None else _number(condition.cards, position, controller, bearer, (other,))
        if theirs is None:
            return None
        return mine > theirs if condition.count == "more" else mine < theirs
    if condition.count == "no":
        return mine == 0
    return mine >= condition.n if condition.count == "exact" and isinstance(condition.n, int) else None


def _number(
    selector: Selector, position: Position, controller: str | None, bearer: str | None, players: tuple[str, ...]
) -> int | None:
    """How many cards at the sector of the battle a selector means; None where that cannot be told."""
    least, most = _counted(selector, position, controller, bearer, players)
    return least if least == most else None


def _counted(
    selector: Selector, position: Position, controller: str | None, bearer: str | None, players: tuple[str, ...]
) -> tuple[int, int | None]:
    """At least and at most how many cards at the sector of the battle a selector means; None: nobody knows how many."""
    battle = position.battle
    if battle is None or selector.where != "here" or selector.kind not in ("unit", "asset"):
        return 0, None
    least = 0
    most = sum(position.pool(player, "sector", battle.sector).n for player in players)
    for _, instance, at in position.at.lying("sector", battle.sector):
        if at.player not in players:
            continue
        card = position.card_of(instance)
        means = fits(selector, instance, card, at, position, controller, bearer) if card is not None else None
        if means is False:
            continue
        most += 1
        # One that is meant may have been destroyed in the damage step under way.
        least += means is True and position.lives_at(instance, battle.sector)
    return least, most
