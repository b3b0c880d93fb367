"""To whose advantage a slip was: by what it changed, else by which way a number was wrong, else by who did it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction

from auditor.core.effects import UNKNOWN, Change
from auditor.core.findings import Fault

Worth = Callable[[Change], tuple[str, int] | None]
"""A change -> a player, and 1 where what is logged is better for that player than what should be, -1 where it is worse."""


def advantage(
    fault: Fault,
    player: str | None,
    players: Sequence[str],
    changed: Sequence[Change],
    worth: Worth,
    better: Mapping[str, int],
    own_harm: Collection[str] = (),
) -> str:
    """The player to whose advantage a fault was, or that nobody can tell.

    player    whose act or number it was
    better    last words of claimed values -> 1 where more is better for that player, -1 where less is
    own_harm  rules of which what is left out, or done wrongly, is the player's own loss
    """
    if fault.kind != "illegal" or player not in players:
        # An act that was not allowed is to the advantage of who did it, whatever it cost.
        sides = {_side(found, players) for one in changed if (found := worth(one)) is not None}
        if sides:
            return sides.pop() if len(sides) == 1 else UNKNOWN
    if player not in players:
        return UNKNOWN
    assert player is not None
    if fault.kind == "miscalculated":
        signs = _signs(fault, better)
        return UNKNOWN if len(signs) != 1 else _side((player, signs.pop()), players)
    return _side((player, -1 if fault.rule in own_harm else 1), players)


def _side(found: tuple[str, int], players: Sequence[str]) -> str:
    player, sign = found
    if sign > 0:
        return player
    others = [one for one in players if one != player]
    return others[0] if len(others) == 1 else UNKNOWN


def _signs(fault: Fault, better: Mapping[str, int]) -> set[int]:
    """Which ways the numbers of a fault are wrong, for the player whose they are."""
    claimed, right = fault.claimed, fault.recomputed
    if not isinstance(claimed, Mapping) or not isinstance(right, Mapping):
        claimed, right = {"": claimed}, {"": right}
    signs: set[int] = set()
    for key, value in claimed.items():
        sign = better.get(str(key).rsplit(".", 1)[-1])
        mine, due = _number(value), _number(right.get(key))
        if sign and mine is not None and due is not None and mine != due:
            signs.add(sign if mine > due else -sign)
    return signs


def _number(value: object) -> Fraction | None:
    """A number, a length as text, or 0 and 1 for no and yes."""
    try:
        return Fraction(value) if isinstance(value, (int, str)) else None
    except (ValueError, ZeroDivisionError):
        return None
