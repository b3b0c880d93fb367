"""What a fault changed: two positions compared by their facts, as played and by the rules, and what a game adds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any


@dataclass(frozen=True, slots=True)
class Chance:
    """What dice that were not rolled might have brought: `Chance("um-3 stays", Fraction(11, 36))`."""

    what: str
    odds: Fraction

    def as_json(self) -> dict[str, str]:
        return {"what": self.what, "odds": f"{self.odds.numerator}/{self.odds.denominator}"}


@dataclass(frozen=True, slots=True)
class Aside:
    """What a game has to say of a fault's effect beyond the facts that differ.

    told     sentences
    chances  what they say of dice, as exact odds
    open     whether dice that were not rolled leave open what would have come of it, so that the positions compared are
             those with the dice as they were rolled
    """

    told: tuple[str, ...] = ()
    chances: tuple[Chance, ...] = ()
    open: bool = False

    def __add__(self, other: Aside) -> Aside:
        return replace(
            self,
            told=self.told + other.told,
            chances=self.chances + other.chances,
            open=self.open or other.open,
        )


NOTHING_ASIDE = Aside()


def difference(played: Mapping[str, Any], ruled: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The facts that differ: as played and by the rules."""
    differing = [what for what, value in played.items() if ruled.get(what) != value]
    differing += [what for what, value in ruled.items() if what not in played and value is not None]
    return [
        {"what": what, "as_played": played.get(what), "by_the_rules": ruled.get(what)} for what in sorted(differing)
    ]


def effect(changed: Sequence[dict[str, Any]], aside: Aside = NOTHING_ASIDE) -> dict[str, Any]:
    """The effect of a fault as an audit gives it: {"changed", "told"?, "odds"?, "text"}; `text` says all of it."""
    lines = [
        f"{one['what']}: {_said(one['as_played'])} as played, {_said(one['by_the_rules'])} by the rules"
        for one in changed
    ]
    if lines:
        text = "; ".join(lines[:6]) + (" and more" if len(lines) > 6 else "") + "."
    else:
        text = "It changed nothing on the board."
    if aside.open:
        text = f"With the dice as they were rolled, {text if lines else text[0].lower() + text[1:]}"
    found: dict[str, Any] = {"changed": list(changed)}
    if aside.told:
        found["told"] = list(aside.told)
    if aside.chances:
        found["odds"] = [chance.as_json() for chance in aside.chances]
    return {**found, "text": " ".join((text, *aside.told))}


def _said(value: Any) -> str:
    return "none" if value is None else "yes" if value is True else "no" if value is False else str(value)
