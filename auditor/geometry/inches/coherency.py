"""Coherency: whether a unit's bases form one chain of gaps that are not too wide, and the widest gap it needs.

This is the only module of the inches that imports networkx. Source: Calixtus catalogue 2.5.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cmp_to_key
from heapq import heapify, heappop, heappush
from itertools import combinations
from math import hypot, inf, lcm

from auditor.geometry.effort import count
from auditor.geometry.inches.lengths import Length
from auditor.geometry.inches.shapes import NEAR, Box, Circle, Shape, about_gap, box_of, gap


@dataclass(frozen=True, slots=True)
class Chain:
    """The chain that holds a unit together with the smallest gaps.

    widest  the largest gap in it; None for a single base
    between the two bases on either side of that gap
    apart   the bases on its smaller side (of two equal sides, the one with the second base of `between`)
    links   all gaps of the chain, as pairs of bases
    """

    widest: Length | None
    between: tuple[Hashable, Hashable] | None
    apart: tuple[Hashable, ...]
    links: tuple[tuple[Hashable, Hashable], ...]


def chain(bases: Mapping[Hashable, Shape]) -> Chain:
    """The chain of a unit's bases. The unit is coherent exactly if `widest` is not more than the limit."""
    count(6 * len(bases) * len(bases))
    names = list(bases)
    pairs = list(combinations(range(len(names)), 2))
    if not pairs:
        return Chain(None, None, (), ())
    shapes = list(bases.values())

    import networkx  # no log but one of this game needs it, and it takes longer to load than most audits

    # The pairs from the narrowest gap on, but those whose bases hang together already.
    together = networkx.utils.UnionFind(range(len(names)))

    def hang_together(n: int) -> bool:
        a, b = pairs[n]
        return bool(together[a] == together[b])

    kept: list[tuple[int, int]] = []
    for n in _of_equal_rounds(shapes, pairs) or _by_gap(shapes, pairs, hang_together):
        if not hang_together(n):
            together.union(*pairs[n])
            kept.append(pairs[n])
            if len(kept) == len(names) - 1:
                break
    first, second = kept[-1]
    tree: networkx.Graph[int] = networkx.Graph(kept[:-1])
    tree.add_nodes_from(range(len(names)))
    smaller = min((networkx.node_connected_component(tree, end) for end in (second, first)), key=len)
    return Chain(
        gap(shapes[first], shapes[second]),
        (names[first], names[second]),
        tuple(name for n, name in enumerate(names) if n in smaller),
        tuple((names[a], names[b]) for a, b in kept),
    )


_MOST_BITS = 256


def _of_equal_rounds(shapes: Sequence[Shape], pairs: Sequence[tuple[int, int]]) -> list[int] | None:
    """The pairs by their gaps, where all bases are round and of one size: then by the squares of how far their centres are
    apart, in whole numbers. None where they are not, or where these numbers would be long."""
    rounds = [shape for shape in shapes if isinstance(shape, Circle)]
    if len(rounds) < len(shapes) or len({one.radius for one in rounds}) > 1:
        return None
    scale = lcm(*{number.denominator for one in rounds for number in one.centre})
    if scale.bit_length() > _MOST_BITS:
        return None
    at = [tuple(number.numerator * (scale // number.denominator) for number in one.centre) for one in rounds]
    apart = [(at[a][0] - at[b][0]) ** 2 + (at[a][1] - at[b][1]) ** 2 for a, b in pairs]
    return sorted(range(len(pairs)), key=apart.__getitem__)


def _by_gap(
    shapes: Sequence[Shape], pairs: Sequence[tuple[int, int]], passed_over: Callable[[int], bool]
) -> Iterator[int]:
    """The pairs by their gaps, but those that are passed over when it is their turn. A gap is measured in floats when the
    boxes round the two bases are the nearest that are left, and worked out exactly where another is nearly equal."""
    boxes = [box_of(shape) for shape in shapes]
    left = [(_least_gap(boxes[a], boxes[b]), n, False) for n, (a, b) in enumerate(pairs)]
    heapify(left)
    nearly_equal: list[int] = []
    widest = -inf
    while left:
        about, n, measured = heappop(left)
        if nearly_equal and about > widest + NEAR:
            yield from _in_order(shapes, pairs, nearly_equal)
            nearly_equal = []
        if passed_over(n):
            continue
        if measured:
            nearly_equal.append(n)
            widest = about
        else:
            heappush(left, (about_gap(shapes[pairs[n][0]], shapes[pairs[n][1]]), n, True))
    yield from _in_order(shapes, pairs, nearly_equal)


def _least_gap(one: Box, other: Box) -> float:
    """No more than the gap of two shapes in these boxes."""
    across = max(one[0] - other[2], other[0] - one[2], 0.0)
    up = max(one[1] - other[3], other[1] - one[3], 0.0)
    return hypot(across, up) - NEAR if across or up else -inf


def _in_order(shapes: Sequence[Shape], pairs: Sequence[tuple[int, int]], nearly_equal: list[int]) -> list[int]:
    """Pairs whose gaps are nearly equal, by their exact gaps; of equal ones by their numbers."""
    if len(nearly_equal) < 2:
        return nearly_equal
    count(20 * len(nearly_equal))
    return sorted(nearly_equal, key=cmp_to_key(_order({n: _gap_of(shapes, pairs[n]) for n in nearly_equal})))


def _gap_of(shapes: Sequence[Shape], pair: tuple[int, int]) -> Length:
    return gap(shapes[pair[0]], shapes[pair[1]])


def _order(gaps: Mapping[int, Length]) -> Callable[[int, int], int]:
    """How two pairs stand to each other: by their gaps, of equal ones by their numbers."""

    def compare(one: int, other: int) -> int:
        here, there = gaps[one], gaps[other]
        if here.rational == there.rational and here.roots == there.roots:
            return one - other
        return (here - there).sign() or one - other

    return compare


def coherent(bases: Mapping[Hashable, Shape], limit: int = 2) -> bool:
    """Whether the bases form one chain of gaps of at most `limit` inches."""
    widest = chain(bases).widest
    return widest is None or widest <= limit
