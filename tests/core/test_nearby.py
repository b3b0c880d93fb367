"""Which like values stand nearby is looked up; it comes to the same as going through them one after the other."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from auditor.core import bounds
from auditor.core.suppose import Supposing, _Like


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
    like = _Like()
    for at, value in there:
        like.add(at, value)
    supposing: Any = Supposing([], {}, (), lambda place: True, frozenset())
    supposing._like = lambda leaf: like
    assert list(supposing._nearby(place, None, within, 2)) == one_after_the_other(there, place, within, 2)
