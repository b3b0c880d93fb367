"""A printed ability as read: cost, test, trigger, effect, limit, duration, each with its place in the text.

Source: HCG catalogue 7.3. Places (`at`) are (start, end) in characters of the text as printed, end excluded. An amount
is a whole number, "X" or "d6", with a minus sign where it is taken away ("-X").
"""

from __future__ import annotations

from functools import cached_property
from typing import Literal, TypeAlias

import msgspec

Span: TypeAlias = tuple[int, int]
Amount: TypeAlias = int | str
Type: TypeAlias = Literal["BA", "T", "R", "M", "A", "E", "setup", "static"]
Side: TypeAlias = Literal["any", "own", "enemy"]
Player: TypeAlias = Literal["you", "enemy", "each"]
Kind: TypeAlias = Literal["unit", "asset", "ship", "card"]
Until: TypeAlias = Literal["ba", "battle", "turn", "static"]


class Read(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A part of a text that was read."""

    at: Span


class Compare(Read, frozen=True, kw_only=True):
    """ "with 3 or more armor": `least` or `most` of a number."""

    stat: str
    least: int | None = None
    most: int | None = None


class Selector(Read, frozen=True, kw_only=True):
    """Which cards a text means.

    q       exact: `n` of them are chosen; upto: 0 to `n`; all: no choice; self: the card that bears the text;
            same: those that the selector before it meant ("the unit")
    where   here: the current sector; any, another: sectors; fleet: the own fleet
    kind    `card` is any of the three
    """

    q: Literal["exact", "upto", "all", "self", "same"]
    n: Amount | None = None
    side: Side = "any"
    kind: Kind = "card"
    state: str | None = None
    role: str | None = None
    flag: bool | None = None
    keywords: tuple[str, ...] = ()
    where: Literal["here", "any", "another", "fleet"] = "here"
    other: bool = False
    has: Compare | None = None


class Change(Read, frozen=True, kw_only=True):
    """ "+2 armor"."""

    stat: str
    amount: Amount


class Zone(Read, frozen=True, kw_only=True):
    """ "your discard pile". `whose`: you, enemy, owner (of the card) or each."""

    whose: Literal["you", "enemy", "owner", "each"]
    place: Literal["hand", "discard", "deck"]


class Condition(Read, frozen=True, kw_only=True):
    """What must be so: of a rider ("Only playable while …"), or of a standing bonus.

    what    has: `player` has `count` ("no", "more", "fewer", or as a selector's q with n) of `cards`, or of flags
            where `cards` is None; is: the card that bears the text is in `state` or `role`; there_is: `cards` exist;
            raw: not read, `text` is what it says
    negated the condition must not be met
    """

    what: Literal["has", "is", "there_is", "raw"]
    player: Player | None = None
    count: str | None = None
    n: Amount | None = None
    cards: Selector | None = None
    than: Player | None = None
    state: str | None = None
    role: str | None = None
    negated: bool = False
    text: str | None = None


class Cost(Read, frozen=True, kw_only=True):
    """A cost. op test: `n` is the number needed; raw: not read, `text` is what it says."""

    op: Literal["test", "lock", "discard", "mill", "destroy", "rally", "raw"]
    n: Amount | None = None
    upto: bool = False
    target: Selector | None = None
    text: str | None = None


class Trigger(Read, frozen=True, kw_only=True):
    """What a reaction answers: something befalls `cards`, or `player` does something with `n` cards.

    word    when, whenever, after, before, if
    what    destroyed, attacked, blocks, locked, charges, shoots, assaults, infiltrated; draws, discards, plays; raw
    """

    what: str
    word: str | None = None
    cards: Selector | None = None
    player: Player | None = None
    n: Amount | None = None
    text: str | None = None


class XValue(Read, frozen=True, kw_only=True):
    """What X is. what stat: `stat` of the unit `of` (the, that: the one chosen; this: the bearer of the text);
    number_of: how many `cards` there are; int: `n`; raw: not read."""

    what: Literal["stat", "number_of", "int", "raw"]
    of: str | None = None
    kind: Kind | None = None
    stat: str | None = None
    cards: Selector | None = None
    n: int | None = None
    text: str | None = None


class Row(Read, frozen=True, kw_only=True):
    """A row of a variable roll: what happens on `low` to `high`."""

    low: int
    high: int
    effects: tuple[Effect, ...]


class Effect(Read, frozen=True, kw_only=True):
    """One thing that an ability does.

    op        as catalogue 7.3; raw: not read, `text` is what it says
    player    who draws, discards, mills, gets flags; None: the controller
    n         how many cards (draw, discard, mill); `upto`: at most so many
    target    which cards
    changes   modify: the numbers that change; `versus`: against which cards only; `condition`: while what
    until     how long a modify or grant lasts
    source    infiltrate, discard: the zone that it takes from
    to        return: the zone that it goes to
    amount    damage, flags, roll_add, roll_set
    roll      which roll a modifier changes: any, the, your, enemy's
    what      grant: the trait; forbid: the act
    by        forbid: by which cards it may not be done
    ability   grant: the ability given in quotes
    rows      table
    """

    op: str
    player: Player | None = None
    n: Amount | None = None
    upto: bool = False
    target: Selector | None = None
    changes: tuple[Change, ...] = ()
    versus: Selector | None = None
    condition: Condition | None = None
    until: Until | None = None
    source: Zone | None = None
    to: Zone | None = None
    amount: Amount | None = None
    roll: str | None = None
    what: str | None = None
    by: Selector | None = None
    ability: Ability | None = None
    rows: tuple[Row, ...] = ()
    text: str | None = None

    @property
    def is_good(self) -> bool | None:
        """Whether what it does is good for those to whom it is done; None where that hangs on the game."""
        amounts = [one.amount for one in self.changes] if self.op == "modify" else [self.amount]
        if self.op in ("modify", "flags"):
            signs = {not str(amount).startswith("-") for amount in amounts}
            return signs.pop() if len(signs) == 1 else None
        return _GOOD.get(self.op)

    @property
    def whose(self) -> Literal["you", "enemy"] | None:
        """To whom it is done; None where the text leaves that to a choice, or it is done to both."""
        if self.target is not None:
            return _SIDES.get(self.target.side)
        owner = self.player or (self.source.whose if self.source is not None else "you")
        return _SIDES.get(owner)


_SIDES: dict[str, Literal["you", "enemy"]] = {"own": "you", "you": "you", "enemy": "enemy"}
_GOOD = {"draw": True, "rally": True, "infiltrate": True}
_GOOD |= dict.fromkeys(("destroy", "lock", "damage", "discard", "mill"), False)


class Unread(Read, frozen=True, kw_only=True):
    """A part that could not be read. `words`: the words in it that the language does not have; if it has them all,
    the place where reading stopped."""

    part: Literal["cost", "trigger", "effect", "condition", "x", "static"]
    words: tuple[Span, ...]


class Ability(Read, frozen=True, kw_only=True, dict=True):
    """One printed ability.

    status  full; partial: type, limits and some parts were read; none: neither a type nor anything else was
    limit   once: a T or R in play once a battle action or event, an M once a roll, an E once a victory step
    several whether the text prints more than one ability; type, costs and limit are those of the first then
    """

    type: Type
    text: str
    status: Literal["full", "partial", "none"]
    limit: Literal["once", "unlimited", "none"] = "none"
    costs: tuple[Cost, ...] = ()
    trigger: Trigger | None = None
    effects: tuple[Effect, ...] = ()
    conditions: tuple[Condition, ...] = ()
    x: XValue | None = None
    unread: tuple[Unread, ...] = ()
    several: bool = False

    def words(self, span: Span) -> str:
        """The text at a place."""
        return self.text[span[0] : span[1]]

    @property
    def effects_are_read(self) -> bool:
        """Whether all that it does was read, be its costs and conditions read or not (catalogue 8.3, 8.5)."""
        return bool(self.effects) and self.status != "none" and all(one.part != "effect" for one in self.unread)

    @cached_property
    def tests(self) -> int:
        """How many tests it asks for."""
        return sum(cost.op == "test" for cost in self.costs)

    @cached_property
    def bonuses_are_told(self) -> bool:
        """Whether the text tells which numbers it changes: what it does was read, no roll chooses what that is, and it
        gives no other text."""
        by_roll = [one for effect in self.effects for row in effect.rows for one in row.effects]
        told = self.effects_are_read and not self.gives_a_text
        return told and all(one.op not in ("modify", "grant", "flags") for one in by_roll)

    @cached_property
    def gives_a_text(self) -> bool:
        """Whether it gives a standing text in quotes that may change numbers: which ones no effect says."""
        given = [effect.ability for effect in self.effects if effect.ability is not None]
        return any(one.op in ("modify", "raw") for text in given if text.type == "static" for one in text.effects)

    @cached_property
    def has(self) -> tuple[str, ...]:
        """What stands in the text that some rules are about: costs, a test, X, rows by a roll, "all", discards."""
        named = {
            "costs": bool(self.costs),
            "a test": bool(self.tests),
            "X": self._has_x(),
            "rows": any(effect.op == "table" for effect in self.effects),
            "all": any(effect.target is not None and effect.target.q == "all" for effect in self.effects),
            "discards": any(effect.op == "discard" for effect in self.effects),
        }
        return tuple(name for name, holds in named.items() if holds)

    def _has_x(self) -> bool:
        """Whether there is an X in a cost or an effect."""
        amounts: list[Amount | None] = [cost.n for cost in self.costs]
        amounts += [cost.target.n for cost in self.costs if cost.target is not None]
        for effect in self.effects:
            amounts += [effect.n, effect.amount, *(change.amount for change in effect.changes)]
            amounts += [effect.target.n] if effect.target is not None else []
        return any(amount in ("X", "-X") for amount in amounts)
