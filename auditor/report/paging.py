"""Long lists of a report in pages: how many entries a page has, which are on it, and where the others are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

ON_A_PAGE = 100
"""Entries of a list that one page of a report shows; what nearly every record has is on one page."""

LISTS = ("errors", "findings", "ambiguous", "only_under", "set_aside", "notes", "unchecked")
"""The lists of a report that may be long."""

Entry = TypeVar("Entry")
Where = tuple[str, int]
"""A list of the report by its name, and the number of one of its pages."""


@dataclass(frozen=True)
class Part:
    """A page of a list.

    number   1 is the page that stands in the report itself
    first    the number of its first entry in the list, from 1
    shown    entries on this page
    count    entries of the whole list
    beyond   what was counted and is in no list of the audit
    pages    (number, address, whether it is this one) of the first, the last and those around; empty where there is one
    """

    number: int = 1
    first: int = 1
    shown: int = 0
    count: int = 0
    beyond: int = 0
    pages: tuple[tuple[int, str | None, bool], ...] = ()


class Pager:
    """Cuts the lists of one page of a report: all of each list, or its first page, or one page of one list alone.

    `only` None with `paged` False: everything, or the first `most` of each list. With `paged`: the first page of each list, or, with `only`, that page of
    that list and nothing of the others.
    """

    def __init__(
        self,
        address: Callable[[str, int], str | None],
        paged: bool,
        only: Where | None = None,
        most: int | None = None,
    ) -> None:
        self.address, self.paged, self.only, self.most = address, paged, only, most
        self.parts: dict[str, Part] = {}

    def cut(self, name: str, entries: Sequence[Entry], beyond: Any = 0) -> Sequence[Entry]:
        """The entries of a list that are on this page; `parts` says afterwards which they are."""
        beyond = beyond if isinstance(beyond, int) else 0
        if not self.paged:
            shown = entries[: self.most]
            beyond += len(entries) - len(shown)
            self.parts[name] = Part(shown=len(shown), count=len(entries), beyond=beyond)
            return shown
        number = 1
        if self.only is not None:
            if self.only[0] != name:
                self.parts[name] = Part(count=len(entries), beyond=beyond)
                return entries[:0]
            number = self.only[1]
        last = -(-len(entries) // ON_A_PAGE)
        shown = entries[(number - 1) * ON_A_PAGE : number * ON_A_PAGE]
        near = sorted(n for n in {1, last, *range(number - 2, number + 3)} if 1 <= n <= last)
        pages = tuple((n, self.address(name, n), n == number) for n in near) if last > 1 else ()
        first = (number - 1) * ON_A_PAGE + 1
        self.parts[name] = Part(number, first, len(shown), len(entries), beyond, pages)
        return shown


def page_of(place: int) -> int:
    """The number of the page that has the entry at this place of its list, counted from 0."""
    return place // ON_A_PAGE + 1
