"""Which like values stand nearby is looked up, and tellings are begun when their turn comes; it comes to the same as going
through all of them one after the other."""

from __future__ import annotations

from heapq import merge
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from auditor.core import bounds
from auditor.core.fields import Declared, Leaf
from auditor.core.suppose import _merged, _Way
from auditor.core.supposed import Like, Lines, Supposed


def one_after_the_other(there: list[tuple[int, Any]], place: int, within: int, size: int) -> list[tuple[int, Any]]:
    """The nearest first, those after a line before those before it, each value once."""
    after = [(at - place, False, n) for n, (at, _) in enumerate(there) if at >= place]
    before = [(place - at, True, -n) for n, (at, _) in enumerate(there) if at < place]
    found: dict[str, Any] = {}
    for distance, _, n in sorted(after + before):
        if distance <= within and len(found) < bounds.MOST_VALUES:
            found.setdefault(repr(there[abs(n)][1]), there[abs(n)][1])
    return [(size + n, value) for n, value in enumerate(found.values())]


@given(
    st.lists(st.tuples(st.integers(0, 60), st.integers(0, 70)), max_size=120).map(lambda all_: sorted(all_, key=lambda one: one[0])),
    st.integers(0, 60),
    st.sampled_from([3, 30, 1000]),
)  # fmt: skip
def test_the_nearest_values_are_those_found_one_after_the_other(there, place, within):
    like = Like()
    for at, value in there:
        like.add(at, value)
    lines: Any = Lines([], {}, (), lambda place: True, frozenset())
    lines.like = lambda leaf: like
    assert list(lines.nearby(place, None, within, 2)) == one_after_the_other(there, place, within, 2)


@given(st.lists(st.tuples(st.integers(0, 3), st.lists(st.integers(0, 6)), st.integers(0, 3)), max_size=8))
def test_tellings_of_many_ways_come_in_the_order_of_all_of_them_together(kinds):
    """A way may say that it begins nearer than it does."""

    def told(n: int, sizes: list[int]) -> Any:
        yield from (Supposed("change", n, n + 1, (), n, size, None) for size in sizes)

    ways = [
        _Way(told(n, sorted(sizes)), max(0, min(sizes, default=0) - less), far)
        for n, (far, sizes, less) in enumerate(kinds)
    ]
    together = merge(
        *([(way.rank(size), n) for size in sorted(kinds[n][1])] for n, way in enumerate(ways)),
        key=lambda one: one[0],
    )
    assert [(rank, one.start) for rank, one in _merged(ways)] == list(together)


def test_a_way_is_begun_when_its_turn_has_come():
    def never() -> Any:
        raise AssertionError("it is farther away than what was asked for")
        yield

    one = Supposed("change", 0, 1, (), 1, 1, None)
    assert next(_merged([_Way(iter([one]), 1, 0), _Way(never(), 0, 1)])) == ((1, 0), one)


@given(st.lists(st.sets(st.sampled_from("abc"), max_size=2), max_size=40), st.sets(st.sampled_from("abcd"), max_size=3), st.integers(0, 45))  # fmt: skip
def test_the_last_lines_that_name_a_thing_are_found_however_far_back(named, names, before):
    lines: Any = Lines([None] * len(named), {}, (), lambda place: True, frozenset())
    unit = Declared("fact", "unit", "the unit")
    lines.leaves_of = lambda place: tuple(Leaf(("unit",), name, unit) for name in sorted(named[place]))
    found = set()
    for name in names:
        found |= set([at for at in range(min(before, len(named))) if name in named[at]][-bounds.MOST_OF_IT :])
    assert lines.last_that_name(names, before) == sorted(found, reverse=True)
