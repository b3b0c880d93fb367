"""The registry: every game that can be audited, each loaded when first asked for.

A game is a folder here and a line in `REGISTRY`. It knows the core and geometry, and no other game. Everyone else asks
the registry and knows no game by name. Games are imported by statements, in functions, so that the import rules see
them and a program that only says its name loads none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from auditor.conformance.inventor import Inventor
    from auditor.core.ruleset import Ruleset
    from auditor.systems.formats import Format
    from auditor.systems.packs import PackFormat, Packs

Answers = Callable[[Iterable[bytes]], Iterator[str]]
"""Questions as JSON lines -> an answer as JSON for each, in order."""

UNPROVED = "No second referee has proved the audits of this game yet: one may name a fault that is none, or miss one."


class NotOffered(LookupError):
    """A game has no such thing; the message says which game lacks what."""


@dataclass(frozen=True)
class Game:
    """A game as the rest of the program knows it.

    key      the `game` of its logs
    format   how its logs are written
    packs    its data packs
    load_ruleset  its rules, loaded when first asked for: reading a log does not need them
    load_sight    what answers questions about lines of sight, where the game has such lines
    load_inventor what plays and spoils its games, with its second referee where there is one
    proved   whether a second referee has judged its games by the thousand and found the same (docs/conformance.md)
    """

    key: str
    format: Format
    packs: PackFormat
    load_ruleset: Callable[[], Ruleset]
    load_sight: Callable[[], Answers] | None = None
    load_inventor: Callable[[], Inventor] | None = None
    proved: bool = False

    @cached_property
    def ruleset(self) -> Ruleset:
        return self.load_ruleset()

    @cached_property
    def built_in_packs(self) -> Packs:
        """The packs that come with the program."""
        from auditor.systems.packs import Packs, check

        return Packs(check(self.packs.built_in(), {self.key: self.packs}))

    @property
    def caveat(self) -> str:
        """What whoever reads an audit of this game has to know of the auditor; "" where nothing."""
        return "" if self.proved else UNPROVED

    def sight(self) -> Answers:
        """What answers questions about lines of sight. Raises NotOffered."""
        if self.load_sight is None:
            raise NotOffered(f"{self.key} has no lines of sight to ask about")
        return self.load_sight()

    def inventor(self) -> Inventor:
        """Its generator and planters of faults, with its second referee if it has one. Raises NotOffered."""
        if self.load_inventor is None:
            raise NotOffered(f"{self.key} has no second referee and no generator of games")
        return self.load_inventor()


@cache
def _calth() -> Game:
    from auditor.systems.calth.format import FORMAT
    from auditor.systems.calth.packs import PACKS

    def ruleset() -> Ruleset:
        from auditor.systems.calth.ruleset import RULESET

        return RULESET

    def sight() -> Answers:
        from auditor.systems.calth.sight_batch import answer_lines

        return answer_lines

    def inventor() -> Inventor:
        from auditor.conformance.calth.inventor import INVENTOR

        return INVENTOR

    return Game("calth", FORMAT, PACKS, ruleset, sight, inventor, proved=True)


@cache
def _hcg() -> Game:
    from auditor.systems.hcg.format import FORMAT
    from auditor.systems.hcg.packs import PACKS

    def ruleset() -> Ruleset:
        from auditor.systems.hcg.ruleset import RULESET

        return RULESET

    def inventor() -> Inventor:
        from auditor.conformance.hcg.inventor import INVENTOR

        return INVENTOR

    return Game("hcg", FORMAT, PACKS, ruleset, load_inventor=inventor, proved=True)


@cache
def _clx() -> Game:
    from auditor.systems.clx.format import FORMAT
    from auditor.systems.clx.packs import PACKS

    def ruleset() -> Ruleset:
        from auditor.systems.clx.ruleset import RULESET

        return RULESET

    def sight() -> Answers:
        from auditor.systems.clx.sight_batch import answer_lines

        return answer_lines

    def inventor() -> Inventor:
        from auditor.conformance.clx.inventor import INVENTOR

        return INVENTOR

    return Game("clx", FORMAT, PACKS, ruleset, sight, inventor, proved=True)


REGISTRY: dict[str, Callable[[], Game]] = {
    "calth": _calth,
    "hcg": _hcg,
    "clx": _clx,
}


def game_keys() -> tuple[str, ...]:
    """The key of every game."""
    return tuple(REGISTRY)


def game(key: str) -> Game:
    """A game by its key. Raises KeyError for an unknown one."""
    return REGISTRY[key]()
