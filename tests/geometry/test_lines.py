"""What a line between two hex centres meets, and who sees whom along it."""

from __future__ import annotations

from fractions import Fraction

import pytest

from auditor.geometry.hexes import SYMMETRIES, disc, edge
from auditor.geometry.lines import before, centre_line, moved
from tests.geometry import oracle

OFFSETS = [offset for offset in disc(12) if offset != (0, 0)]


def expected(offset):
    """{hex: how}, {hexside: how} for what lies strictly between two centres, by the oracle's intervals."""
    s, p = (0, 0), oracle.centre(offset)
    around = [h for h in oracle.box(s, p) if oracle.touches_straight(h, s, p)]
    near = [h for h in around if h not in ((0, 0), offset)]
    hexes, edges = {}, {}
    for e in oracle.edges_of(around):
        a, b = oracle.ends(e)
        ca, cb = (oracle.sign(oracle.cross(p, v)) for v in (a, b))
        axis = 0 if p[0] else 1
        if ca == cb == 0:
            if 0 < min(Fraction(v[axis], p[axis]) for v in (a, b)) < 1:
                edges[e] = "along"
                hexes.update(dict.fromkeys(e, "along"))
        elif ca * cb == -1:
            side = oracle.minus(b, a)
            if 0 < Fraction(oracle.cross(a, side), oracle.cross(p, side)) < 1:
                edges[e] = "cross"
    for h in near:
        found = oracle.chord(h, s, p)
        if found and max(found[0], 0) < min(found[1], 1):
            assert h not in hexes
            hexes[h] = "through"
        elif h not in hexes and any(
            oracle.cross(p, v) == 0 and 0 < Fraction(v[0] if p[0] else v[1], p[0] or p[1]) < 1
            for v in oracle.corners(h)
        ):
            hexes[h] = "corner"
    return hexes, edges


def compiled(offset):
    hexes, edges = {}, {}
    for contact in centre_line(offset).contacts:
        for h in contact.hexes:
            assert h not in hexes
            hexes[h] = contact.how
        if contact.edge:
            edges[frozenset(contact.edge)] = contact.how
    return hexes, edges


@pytest.mark.parametrize("part", range(6))
def test_a_line_meets_what_exact_intervals_say_it_meets(part):
    for offset in OFFSETS[part::6]:
        assert compiled(offset) == expected(offset), offset


def test_a_line_meets_the_same_things_both_ways_in_opposite_order():
    for offset in OFFSETS:
        there = centre_line(offset).contacts
        back = centre_line((-offset[0], -offset[1])).contacts
        met_there = [(c.how, c.hexes, c.edge) for c in there if c.how in ("through", "along")]
        met_back = [(c.how, c.hexes, c.edge) for c in (moved(c, offset) for c in back) if c.how in ("through", "along")]
        assert met_there == met_back[::-1], offset


def test_the_twelve_symmetries_carry_lines_onto_lines():
    for offset in OFFSETS[::5]:
        hexes, edges = compiled(offset)
        for turn in SYMMETRIES:
            there, there_edges = compiled(turn(offset))
            assert there == {turn(h): how for h, how in hexes.items()}
            assert there_edges == {frozenset(map(turn, e)): how for e, how in edges.items()}


def test_contacts_come_nearest_first():
    for offset in OFFSETS:
        places = [contact.at for contact in centre_line(offset).contacts]
        assert places == sorted(places)
        assert all(0 < at < 1 for at in places)


def test_of_two_hexes_on_one_ray_the_one_entered_first_is_before_the_other():
    for offset in OFFSETS[::3]:
        passed = [c.hexes[0] for c in centre_line(offset).contacts if c.how == "through"]
        for i, near in enumerate(passed):
            assert before(near, offset)
            assert not before(offset, near)
            for far in passed[i + 1 :]:
                assert before(near, far)
                assert not before(far, near)


def test_a_line_through_a_corner_names_the_hex_that_it_only_touches_there():
    corner = next(c for c in centre_line((5, -4)).contacts if c.how == "corner")
    assert corner.hexes == ((2, -1),)
    assert dict(corner.spokes)[edge((1, -1), (2, -2))] == -dict(corner.beside)[2, -1]


def test_an_edge_is_named_alike_from_both_sides():
    assert edge((1, 0), (0, 0)) == edge((0, 0), (1, 0))
    with pytest.raises(ValueError, match="share no hexside"):
        edge((0, 0), (1, 1))


@pytest.mark.parametrize("offset", [(97, -31), (100, 0), (60, 60), (-64, 128), (1, 99), (75, -74)])
def test_long_lines_meet_what_exact_intervals_say_they_meet(offset):
    assert compiled(offset) == expected(offset)
