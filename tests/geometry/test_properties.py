"""What sight and distance owe to anybody, on small boards of any kind: hypothesis looks for one where they fail."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.geometry.hexes import SYMMETRIES, disc, edge, mirrored, side, turned
from auditor.geometry.lines import centre_line, moved
from auditor.systems.calth.sight import Sight
from tests.geometry import oracle
from tests.geometry.scenes import OPTIONS, Asked
from tests.shares import tries

SMALL = disc(3)
SIDES = sorted({side(h, k) for h in disc(2) for k in range(6)})
A_HEX = st.sampled_from(SMALL)
READINGS = st.fixed_dictionaries({reading: st.sampled_from(OPTIONS[reading]) for reading in oracle.DEFAULTS})
OFFSETS = st.tuples(st.integers(-40, 40), st.integers(-40, 40)).filter(lambda offset: offset != (0, 0))
MANY = settings(max_examples=tries(150), derandomize=True)


class Scene:
    """A board with all that may stand on it, and two hexes."""

    def __init__(self, board, blocked, occupied, doors, barricades, ends):
        self.board, self.blocked, self.occupied = board, frozenset(blocked), frozenset(occupied - blocked)
        self.sealed = frozenset(one for one, kind in doors.items() if kind == "sealed")
        self.obstructions = frozenset(doors) - self.sealed
        self.barricades = frozenset(barricades) | {(ends[1], 0), (ends[1], 1)}
        self.a, self.b = ends

    def __repr__(self):
        return f"Scene({vars(self)})"

    def carried(self, carry):
        """The scene with every hex where `carry` takes it."""
        there = object.__new__(Scene)
        there.board = None if self.board is None else {carry(h) for h in self.board}
        there.blocked, there.occupied = (frozenset(map(carry, hexes)) for hexes in (self.blocked, self.occupied))
        there.sealed, there.obstructions = (
            frozenset(edge(carry(h), carry(g)) for h, g in edges) for edges in (self.sealed, self.obstructions)
        )
        there.barricades = frozenset(
            next((carry(h), j) for j in range(6) if edge(*map(carry, side(h, k))) == side(carry(h), j))
            for h, k in self.barricades
        )
        there.a, there.b = carry(self.a), carry(self.b)
        return there

    def but(self, **changed):
        """The scene with something else in it."""
        other = object.__new__(Scene)
        vars(other).update({**vars(self), **changed})
        return other

    def seen(self, options, back=False):
        """All that is asked about the two hexes: clear, obscured, over a barricade, distance."""
        eye, (a, b), ask = (
            Sight(self.board, self.blocked),
            (self.b, self.a) if back else (self.a, self.b),
            Asked(options),
        )
        doors = (self.sealed, self.obstructions, ask)
        kind = eye.classify(a, b, self.occupied, *doors)
        return {
            "clear": eye.clear(a, b, self.occupied, *doors),
            "obscured": eye.obscured(a, b, *doors),
            "barricade": eye.barricade(a, b, kind, self.barricades, None, *doors),
            "distance": eye.distance(a, b, self.occupied, *doors),
        }


SCENES = st.builds(
    Scene,
    st.none() | st.just(set(SMALL)) | st.sets(A_HEX, min_size=12),
    st.sets(A_HEX, max_size=8),
    st.sets(A_HEX, max_size=8),
    st.dictionaries(st.sampled_from(SIDES), st.sampled_from(("sealed", "obstruction")), max_size=8),
    st.sets(st.tuples(A_HEX, st.integers(0, 5)), max_size=4),
    st.lists(A_HEX, min_size=2, max_size=2, unique=True),
)


@MANY
@given(SCENES, READINGS)
def test_clear_sight_and_distance_are_the_same_both_ways(scene, options):
    there, back = scene.seen(options), scene.seen(options, back=True)
    assert (there["clear"], there["distance"]) == (back["clear"], back["distance"])


@MANY
@given(SCENES, READINGS, st.tuples(st.integers(-(10**6), 10**6), st.integers(-(10**6), 10**6)))
def test_a_board_laid_elsewhere_is_seen_alike(scene, options, by):
    assert scene.carried(lambda h: (h[0] + by[0], h[1] + by[1])).seen(options) == scene.seen(options)


@MANY
@given(SCENES, READINGS, st.integers(1, 5))
def test_a_turned_board_is_seen_alike(scene, options, sixths):
    assert scene.carried(lambda h: turned(h, sixths)).seen(options) == scene.seen(options)


@MANY
@given(SCENES, READINGS, st.integers(0, 5))
def test_a_mirrored_board_is_seen_alike(scene, options, sixths):
    assert scene.carried(lambda h: turned(mirrored(h), sixths)).seen(options) == scene.seen(options)


@MANY
@given(SCENES, READINGS, st.data())
def test_taking_an_obstacle_away_never_hides_anything_nor_makes_the_way_longer(scene, options, data):
    # Under R-LOS-EDGEADJ `strict` a door is what opens the hexside that it stands on, so there doors must stay.
    parts = ["blocked", "occupied"]
    if options["R-LOS-EDGEADJ"] == "geometric":
        parts += ["sealed", "obstructions"]
    there = [(part, one) for part in parts for one in sorted(getattr(scene, part))]
    if not there:
        return
    part, one = data.draw(st.sampled_from(there))
    before, after = scene.seen(options), scene.but(**{part: getattr(scene, part) - {one}}).seen(options)
    assert after["clear"] >= before["clear"]
    assert after["obscured"] >= before["obscured"]
    if before["distance"] is not None:
        assert after["distance"] is not None
        assert after["distance"] <= before["distance"]


@MANY
@given(SCENES, READINGS)
def test_who_is_seen_clear_could_be_seen_obscured(scene, options):
    seen = scene.seen({**options, "R-OBS-WIDTH": "line"})
    assert seen["obscured"] >= seen["clear"]


def met(offset):
    """What the line to an offset meets: each hex and hexside, and how."""
    return {(c.how, frozenset(c.hexes), c.edge and frozenset(c.edge)) for c in centre_line(offset).contacts}


def carried(found, carry):
    return {(how, frozenset(map(carry, hexes)), e and frozenset(map(carry, e))) for how, hexes, e in found}


@MANY
@given(OFFSETS)
def test_a_line_read_backwards_meets_the_same_things(offset):
    back = [moved(contact, offset) for contact in centre_line((-offset[0], -offset[1])).contacts]
    assert {(c.how, frozenset(c.hexes), c.edge and frozenset(c.edge)) for c in back} == met(offset)


@MANY
@given(OFFSETS, st.sampled_from(SYMMETRIES))
def test_a_line_on_a_turned_or_mirrored_grid_meets_what_it_met(offset, turn):
    assert met(turn(offset)) == carried(met(offset), turn)
