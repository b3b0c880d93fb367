"""Coherency: whether a unit's bases form one chain of gaps that are not too wide, and the widest gap it needs.

This is the only module of the inches that imports networkx. Source: Calixtus catalogue 2.5.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cmp_to_key
from itertools import combinations
from math import lcm

from auditor.geometry.effort import count
from auditor.geometry.inches.lengths import Length
from auditor.geometry.inches.shapes import NEAR, Circle, Shape, about_gap, gap


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
    order = _of_equal_rounds(shapes, pairs) or _by_gap(shapes, pairs)

    import networkx  # no log but one of this game needs it, and it takes longer to load than most audits

    # The pairs from the narrowest gap on, but those whose bases hang together already.
    together = networkx.utils.UnionFind(range(len(names)))
    kept: list[tuple[int, int]] = []
    for n in order:
        a, b = pairs[n]
        if together[a] != together[b]:
            together.union(a, b)
            kept.append((a, b))
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


def _by_gap(shapes: Sequence[Shape], pairs: Sequence[tuple[int, int]]) -> list[int]:
    """The pairs by their gaps. Floats tell apart what is not nearly equal."""
    about = [about_gap(shapes[a], shapes[b]) for a, b in pairs]
    exact: dict[int, Length] = {}

    def gap_of(n: int) -> Length:
        if n not in exact:
            exact[n] = gap(shapes[pairs[n][0]], shapes[pairs[n][1]])
        return exact[n]

    def compare(one: int, other: int) -> int:
        apart = about[one] - about[other]
        if abs(apart) > NEAR:
            return 1 if apart > 0 else -1
        count(20)
        return (gap_of(one) - gap_of(other)).sign() or one - other

    return sorted(range(len(pairs)), key=cmp_to_key(compare))


def coherent(bases: Mapping[Hashable, Shape], limit: int = 2) -> bool:
    """Whether the bases form one chain of gaps of at most `limit` inches."""
    widest = chain(bases).widest
    return widest is None or widest <= limit
