"""The names that a log may use: what its header, its packs and its rules know, by what they are names of.

A game says them of its setup (`Format.names`); whoever reads a log writes them as they are known (`ingest.spelling`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from auditor.core.fields import Of
from auditor.systems.spelling import folded

Name = str | int


@dataclass(frozen=True)
class Known:
    """The names of one kind.

    words   what such a name is, for an error: "a model of the rosters"
    names   all that are known
    whole   whether there can be no others, so that one which fits none is an error of the record
    aliases other words for some of them, folded -> the name
    shared  names that two things bear, so that nobody can say which is meant
    where   the place in the header that gives them; "" where it is the events that do
    """

    words: str
    names: frozenset[Name]
    whole: bool = True
    aliases: Mapping[str, str] = field(default_factory=dict)
    shared: frozenset[Name] = frozenset()
    where: str = ""

    @cached_property
    def _by_fold(self) -> Mapping[str, frozenset[str]]:
        found: dict[str, set[str]] = {word: {name} for word, name in self.aliases.items()}
        for name in self.names:
            if isinstance(name, str):
                found.setdefault(folded(name), set()).add(name)
        return {fold: frozenset(names) for fold, names in found.items()}

    def meant(self, written: str) -> str | None:
        """The one known name that a text can only mean; None where none or several fit."""
        fits = self._by_fold.get(folded(written), frozenset())
        return next(iter(fits)) if len(fits) == 1 else None


def shared(*groups: Iterable[str]) -> frozenset[Name]:
    """The names that stand in more than one of some groups."""
    seen = Counter(name for group in groups for name in set(group))
    return frozenset(name for name, times in seen.items() if times > 1)


Names = Mapping[Of, Known]
"""What values are of -> the names known of that kind."""


def first_spellings(*groups: Iterable[str]) -> frozenset[Name]:
    """Names that a record gives itself, each in the spelling that it was first given; a spelling counts that nothing
    before it means."""
    known: dict[str, str] = {}
    for group in groups:
        for name in group:
            known.setdefault(folded(name), name)
    return frozenset(known.values())


LEAST_WRITTEN, MOST_WAYS, MOST_STRAYS = 20, 2, 20
"""Names of a record from which on it is asked how it writes names; in how many ways it may; and one in so many that is written
in none of them."""


def without_strays(names: frozenset[Name]) -> tuple[frozenset[Name], bool]:
    """The names that a record gives itself without those that are written as no other is ("p133" and "see the note" among
    forty like "p1-33"), and whether it is plain how it writes names: what is written otherwise then is no name."""
    ways: dict[str, set[Name]] = {}
    for name in names:
        ways.setdefault(_DIGITS.sub("0", _LETTERS.sub("a", str(name))), set()).add(name)
    usual = [alike for alike in ways.values() if len(alike) > 1]
    written = frozenset[Name]().union(*usual)
    is_plain = len(names) >= LEAST_WRITTEN and len(usual) <= MOST_WAYS
    if not is_plain or MOST_STRAYS * (len(names) - len(written)) > len(names):
        return names, False
    return written, True


_LETTERS, _DIGITS = re.compile("[A-Za-z]+"), re.compile("[0-9]+")
