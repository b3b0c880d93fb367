"""Sight, barricades and distances at Calth against the catalogue's section 16, under random readings."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.geometry.hexes import SYMMETRIES, disc, side
from auditor.geometry.lines import centre_line
from auditor.systems.calth.shots import Shot
from auditor.systems.calth.sight import Sight
from tests.geometry import oracle
from tests.geometry.scenes import OPTIONS, Asked, every_combination, pairs, readings, scene, seeded, sight, state
from tests.shares import tries


def door(h, g):
    return frozenset((h, g))


def expected(a_scene, a, b, o, aim=None):
    found = oracle.classify(a, b, a_scene, o)
    return {
        "clear": oracle.clear(a, b, a_scene, o),
        "obscured": oracle.obscured(a, b, a_scene, o),
        "sight": found,
        "barricade": oracle.barricade(a, b, found, a_scene, aim, o),
        "distance": oracle.distance(a, b, a_scene, o, limit=40),
    }


def answers(eye, a_scene, a, b, ask, aim=None):
    occupied, sealed, obstructions = state(a_scene)
    found = eye.classify(a, b, occupied, sealed, obstructions, ask)
    return {
        "clear": eye.clear(a, b, occupied, sealed, obstructions, ask),
        "obscured": eye.obscured(a, b, sealed, obstructions, ask),
        "sight": found,
        "barricade": eye.barricade(a, b, found, a_scene.barricades, aim, sealed, obstructions, ask),
        "distance": eye.distance(a, b, occupied, sealed, obstructions, ask),
    }


@pytest.mark.parametrize("seed", range(60))
def test_sight_agrees_with_the_second_method_under_random_readings(seed):
    rng = seeded(seed)
    a_scene = scene(rng, bounded=seed % 3 > 0, density=0.05 + 0.3 * rng.random())
    eye = sight(a_scene)
    for a, b in pairs(rng, 12):
        o = readings(rng)
        assert answers(eye, a_scene, a, b, Asked(o)) == expected(a_scene, a, b, o), (a, b, o, a_scene)


SMALL = disc(2)
HEXES = st.sets(st.sampled_from(SMALL), max_size=7)
SIDES = st.sets(
    st.sampled_from(sorted({frozenset(side(h, k)) for h in SMALL for k in range(6)}, key=sorted)), max_size=5
)


@settings(max_examples=tries(120), derandomize=True)
@given(
    board=st.none() | st.just(set(SMALL)) | st.sets(st.sampled_from(SMALL), min_size=8),
    blocked=HEXES,
    occupied=HEXES,
    sealed=SIDES,
    obstructions=SIDES,
    ends=st.lists(st.sampled_from(SMALL), min_size=2, max_size=2, unique=True),
    chosen=st.fixed_dictionaries({reading: st.sampled_from(OPTIONS[reading]) for reading in oracle.DEFAULTS}),
)
def test_no_small_board_is_judged_differently_by_the_second_method(
    board, blocked, occupied, sealed, obstructions, ends, chosen
):
    barricades = {(ends[1], k) for k in (0, 1, 3)}
    a_scene = oracle.Scene(board, blocked, occupied - blocked, sealed, obstructions - sealed, barricades)
    assert answers(sight(a_scene), a_scene, *ends, Asked(chosen)) == expected(a_scene, *ends, chosen)


@pytest.mark.parametrize("seed", range(24))
def test_readings_not_asked_do_not_change_the_answer_and_asked_ones_can(seed):
    rng = seeded(1000 + seed)
    a_scene = scene(rng, radius=2, bounded=seed % 3 > 0, density=0.3)
    eye = sight(a_scene)
    occupied, sealed, obstructions = state(a_scene)
    questions = {
        "clear": lambda a, b, ask: eye.clear(a, b, occupied, sealed, obstructions, ask),
        "obscured": lambda a, b, ask: eye.obscured(a, b, sealed, obstructions, ask),
        "distance": lambda a, b, ask: eye.distance(a, b, occupied, sealed, obstructions, ask),
        "shot": lambda a, b, ask: (
            kind := eye.classify(a, b, occupied, sealed, obstructions, ask),
            eye.barricade(a, b, kind, a_scene.barricades, None, sealed, obstructions, ask),
        ),
    }
    for a, b in pairs(rng, 5, radius=2):
        for name, question in questions.items():
            # All readings that are asked along some branch, as a game would find them out.
            asked, known = [], -1
            while known < len(asked):
                known = len(asked)
                for options in few(rng, asked):
                    ask = Asked({**readings(rng), **options})
                    question(a, b, ask)
                    asked += [reading for reading in ask.asked if reading not in asked]
            found = {}
            for options in few(rng, asked):
                # What was not asked is set at random: it must not matter.
                o = {**readings(rng), **options}
                answer = question(a, b, Asked(o))
                assert answer == SECOND[name](a, b, a_scene, o), (name, a, b, o, a_scene)
                found[tuple(options.values())] = answer
            if len(found) < len(every_combination(asked)):
                continue  # Only a few of very many combinations were looked at.
            for i, reading in enumerate(asked):
                rest = {(key[:i], key[i + 1 :]) for key in found}
                assert any(len({found[key] for key in found if (key[:i], key[i + 1 :]) == one}) > 1 for one in rest), (
                    f"{reading} was asked and never mattered"
                )


def few(rng, asked):
    """All combinations of options of some readings, or some of them where they are many."""
    found = every_combination(asked)
    return found if len(found) <= 72 else rng.sample(found, 24)


def second_shot(a, b, a_scene, o):
    kind = oracle.classify(a, b, a_scene, o)
    return kind, oracle.barricade(a, b, kind, a_scene, None, o)


SECOND = {
    "clear": oracle.clear,
    "obscured": oracle.obscured,
    "distance": oracle.distance,
    "shot": second_shot,
}


def test_nothing_is_asked_where_a_line_is_plainly_open_or_plainly_closed():
    for blocked, answer in (((), True), (((1, 0),), False)):
        ask = Asked()
        assert Sight(disc(3), blocked).clear((0, 0), (2, 0), (), (), (), ask) is answer
        assert ask.asked == []


EXAMPLES = [
    # no, from, to, blocked, occupied, sealed, board, answer, {reading: (option, answer under it)}
    (1, (0, 0), (2, -1), [(1, 0)], [], [], None, "clear", {}),
    (2, (0, 0), (2, -1), [(1, 0), (1, -1)], [], [], None, "none", {}),
    (3, (0, 0), (2, -1), [(1, 0)], [(1, -1)], [], None, "obscured", {"R-LOS-EDGEMIX": ("same_kind", "clear")}),
    (4, (0, 0), (5, -4), [(2, -1)], [], [], None, "clear", {"R-LOS-VERTEX": ("blocks", "obscured")}),
    (5, (0, 0), (5, -4), [], [], [((1, -1), (2, -2))], None, "clear", {"R-LOS-TIP": ("touch_blocks", "obscured")}),
    (6, (0, 0), (5, -4), [(2, -1)], [], [((1, -1), (2, -2))], None, "none", {"R-LOS-TIP": ("graze_ok", "clear")}),
    (7, (0, 0), (3, 0), [], [(1, 0)], [], None, "obscured", {}),
    (8, (0, 0), (3, 0), [], [], [((1, 0), (2, 0))], None, "none", {"R-OBS-POINT": ("closed", "obscured")}),
    (9, (0, 0), (2, 1), [(1, 1)], [], [], None, "obscured", {}),
    (10, (2, 1), (0, 0), [(1, 1)], [], [], None, "none", {"R-OBS-POINT": ("closed", "obscured")}),
    (11, (0, 0), (2, 2), [(1, 0), (1, 2)], [(1, 1)], [], None, "obscured", {"R-OBS-WIDTH": ("width", "none")}),
    (
        12,
        (0, 0),
        (1, 1),
        [(1, 0)],
        [],
        [],
        [(0, 0), (1, 0), (1, 1)],
        "none",
        {"R-LOS-OFFBOARD": ("ignored", "clear")},
    ),
]


@pytest.mark.parametrize("example", EXAMPLES, ids=[f"example {row[0]}" for row in EXAMPLES])
def test_the_worked_examples_of_the_catalogue(example):
    _, a, b, blocked, occupied, sealed, board, answer, under = example
    eye = Sight(board, blocked)
    ask = Asked()
    assert eye.classify(a, b, occupied, sealed, (), ask) == answer
    for reading, (option, other) in under.items():
        assert reading in ask.asked
        assert eye.classify(a, b, occupied, sealed, (), Asked({reading: option})) == other


def test_the_worked_distances_of_the_catalogue():
    ask = Asked()
    assert Sight(None, [(1, 0)]).distance((0, 0), (2, 0), (), (), (), ask) == 3
    assert Sight(None).distance((0, 0), (2, 0), (), [((0, 0), (1, 0))], (), ask) == 3
    assert ask.asked == []


def test_a_distance_asks_only_if_the_number_changes():
    eye = Sight(disc(3))
    ask = Asked({"R-DST-OCC": "stops", "R-DST-OBST": "stops"})
    assert eye.distance((0, 0), (2, 0), [(1, 0)], (), (), ask) == 3
    assert ask.asked == ["R-DST-OCC"]
    ask = Asked({"R-DST-OCC": "stops", "R-DST-OBST": "stops"})
    assert eye.distance((0, 0), (2, -1), [(1, 0)], (), (), ask) == 2
    assert eye.distance((0, 0), (2, -1), (), (), [((0, 0), (1, 0))], ask) == 2
    assert ask.asked == []
    assert eye.distance((0, 0), (1, 0), (), (), [((0, 0), (1, 0))], ask) == 2
    assert ask.asked == ["R-DST-OBST"]
    ask = Asked()
    assert eye.within((0, 0), (2, 0), 3, [(1, 0)], (), (), ask)
    assert ask.asked == []
    assert eye.within((0, 0), (2, 0), 2, [(1, 0)], (), (), ask)
    assert ask.asked == ["R-DST-OCC"]


@pytest.mark.parametrize("seed", range(12))
def test_a_path_is_a_route_of_the_length_it_claims(seed):
    rng = seeded(2000 + seed)
    a_scene = scene(rng, density=0.3)
    eye = sight(a_scene)
    for a, b in pairs(rng, 10):
        o = readings(rng)
        path = eye.path(a, b, *state(a_scene), Asked(o))
        assert (None if path is None else len(path) - 1) == oracle.distance(a, b, a_scene, o)
        if path is not None:
            assert (path[0], path[-1]) == (a, b)
            shut = a_scene.sealed | (a_scene.obstructions if o["R-DST-OBST"] == "stops" else set())
            for here, there in pairwise(path):
                assert (there[0] - here[0], there[1] - here[1]) in oracle.AROUND
                assert frozenset((here, there)) not in shut
            for h in path[1:-1]:
                assert h in a_scene.board
                assert h not in a_scene.blocked
                assert not (o["R-DST-OCC"] == "stops" and h in a_scene.occupied)


def aim_points(rng, b):
    """Points in and around a hex: on corners, on hexsides, inside, outside, and with long numbers."""
    x, y = oracle.centre(b)
    corners = oracle.corners(b)
    one, two = corners[rng.randrange(6)], corners[rng.randrange(6)]
    share = Fraction(rng.randrange(11), 10)
    yield tuple(share * one[i] + (1 - share) * two[i] for i in (0, 1))
    yield one
    yield tuple((Fraction(p) + c) / 2 for p, c in zip(one, (x, y), strict=True))
    yield (
        x + Fraction(rng.randrange(-(10**30), 10**30), 10**30),
        y + Fraction(rng.randrange(-(10**29), 10**29), 10**29),
    )
    yield (x + 3, y)


@pytest.mark.parametrize("seed", range(30))
def test_a_declared_aim_is_judged_by_its_own_line(seed):
    rng = seeded(3000 + seed)
    a_scene = scene(rng, bounded=seed % 2 > 0, density=0.25)
    eye = sight(a_scene)
    _, sealed, obstructions = state(a_scene)
    for a, b in pairs(rng, 5):
        for point in aim_points(rng, b):
            o = readings(rng)
            aim = (Fraction(point[0]) / 3, Fraction(point[1]) / 3)
            legal = oracle.aim_is_legal(a, b, point, a_scene, o)
            assert eye.aim_is_legal(a, b, aim, sealed, obstructions, Asked(o)) == legal, (a, b, point, o, a_scene)
            kind = oracle.classify(a, b, a_scene, o)
            got = eye.barricade(a, b, kind, a_scene.barricades, aim, sealed, obstructions, Asked(o))
            assert got == oracle.barricade(a, b, kind, a_scene, point, o), (a, b, point, o, a_scene)


@pytest.mark.parametrize("seed", range(10))
def test_properties_that_sight_owes(seed):
    rng = seeded(4000 + seed)
    a_scene = scene(rng, density=0.25)
    eye, o = sight(a_scene), readings(rng)
    occupied, sealed, obstructions = state(a_scene)
    fewer = [Sight(a_scene.board, a_scene.blocked - {h}) for h in sorted(a_scene.blocked)[:3]]
    for a, b in combinations(disc(3)[::2], 2):
        clear = eye.clear(a, b, occupied, sealed, obstructions, Asked(o))
        assert clear == eye.clear(b, a, occupied, sealed, obstructions, Asked(o))
        obscured = eye.obscured(a, b, sealed, obstructions, Asked(o))
        if clear and o["R-OBS-WIDTH"] == "line":
            assert obscured
        for other in fewer:
            assert other.clear(a, b, occupied, sealed, obstructions, Asked(o)) >= clear
            assert other.obscured(a, b, sealed, obstructions, Asked(o)) >= obscured
        for i in range(0, len(sealed), 5):
            assert eye.obscured(a, b, sealed[:i] + sealed[i + 1 :], obstructions, Asked(o)) >= obscured


@pytest.mark.parametrize("number", range(12))
def test_sight_is_the_same_on_a_turned_mirrored_and_moved_board(number):
    rng = seeded(5000 + number)
    a_scene, o = scene(rng, density=0.25), readings(rng)

    def turn(h):
        q, r = SYMMETRIES[number](h)
        return (q + 17, r - 40)

    def edges(found):
        return [(turn(h), turn(g)) for h, g in found]

    occupied, sealed, obstructions = state(a_scene)
    eye = sight(a_scene)
    turned = Sight(map(turn, a_scene.board), map(turn, a_scene.blocked))
    state_there = ([turn(h) for h in occupied], edges(sealed), edges(obstructions))
    barricades = {
        (turn(h), next(k for k in range(6) if turn_side(turn, h, direction) == side(turn(h), k)))
        for h, direction in a_scene.barricades
    }
    for a, b in pairs(rng, 40):
        kind = eye.classify(a, b, occupied, sealed, obstructions, Asked(o))
        assert turned.classify(turn(a), turn(b), *state_there, Asked(o)) == kind
        assert turned.distance(turn(a), turn(b), *state_there, Asked(o)) == eye.distance(
            a, b, occupied, sealed, obstructions, Asked(o)
        )
        here = eye.barricade(a, b, kind, a_scene.barricades, None, sealed, obstructions, Asked(o))
        there = turned.barricade(turn(a), turn(b), kind, barricades, None, *state_there[1:], Asked(o))
        assert here == there


def turn_side(turn, h, direction):
    one, two = (turn(x) for x in side(h, direction))
    return (one, two) if one <= two else (two, one)


@pytest.mark.parametrize("seed", range(12))
def test_evidence_shows_what_was_decided(seed):
    rng = seeded(6000 + seed)
    a_scene = scene(rng, density=0.25)
    eye = sight(a_scene)
    occupied, sealed, obstructions = state(a_scene)
    for a, b in pairs(rng, 10):
        o = readings(rng)
        shot = Shot(eye, a, b, eye.hexes(occupied), eye.edges(sealed), eye.edges(obstructions))
        shown = shot.evidence(Asked(o), a_scene.barricades)
        assert shown["sight"] == oracle.classify(a, b, a_scene, o)
        assert (shown["stop"] is None) == (shown["sight"] == "clear")
        assert [crossing["n"] for crossing in shown["crossings"]] == list(range(1, len(shown["crossings"]) + 1))
        line = eye.obscured_line(a, b, sealed, obstructions, Asked(o), a_scene.barricades)
        assert (line is not None) == oracle.obscured(a, b, a_scene, o)
        if line is not None:
            point = tuple(3 * Fraction(part) for part in line["to"])
            assert oracle.aim_is_legal(a, b, point, a_scene, o)
            if o["R-OBS-BARR"] == "shooter_best" and shown["sight"] == "obscured":
                entry = oracle.entry_of(a, b, point)
                assert oracle.barricade_on_way(entry, b, a_scene, o) == shown["barricade"]
        for polygon in shown["seen"]:
            corners = [tuple(3 * Fraction(part) for part in point) for point in polygon]
            assert len(corners) >= 3
            assert all(oracle.inside(corner, b) == 0 for corner in corners)
            middle = tuple(sum(corner[i] for corner in corners) / len(corners) for i in (0, 1))
            assert oracle.inside(middle, b) == 1


@pytest.mark.parametrize("seed", range(12))
def test_a_legal_aim_hangs_on_what_it_asks_alone(seed):
    rng = seeded(7000 + seed)
    a_scene = scene(rng, density=0.25)
    eye = sight(a_scene)
    _, sealed, obstructions = state(a_scene)
    for a, b in pairs(rng, 10):
        o = readings(rng)
        asked = Asked(o)
        point = eye.legal_aim(a, b, sealed, obstructions, asked, a_scene.barricades)
        assert (point is not None) == oracle.obscured(a, b, a_scene, o)
        if point is not None:
            assert oracle.aim_is_legal(a, b, tuple(3 * Fraction(part) for part in point), a_scene, o)
        others = readings(rng) | {reading: o[reading] for reading in asked.asked}
        assert eye.legal_aim(a, b, sealed, obstructions, Asked(others), a_scene.barricades) == point


def test_the_two_ends_are_never_obstacles():
    eye = Sight(disc(2), [(0, 0), (2, 0)])
    ask = Asked()
    assert eye.clear((0, 0), (2, 0), [(0, 0), (2, 0)], (), (), ask)
    assert eye.obscured((0, 0), (2, 0), (), (), ask)
    assert eye.distance((0, 0), (2, 0), [(0, 0), (2, 0)], (), (), Asked({"R-DST-OCC": "stops"})) == 2


def test_a_door_named_late_counts_from_then_on():
    eye = Sight(disc(3))
    ask = Asked()
    assert eye.clear((0, 0), (2, 0), 0, 0, 0, ask)
    assert eye.obscured((0, 0), (1, 0), 0, 0, ask)
    assert eye.distance((0, 0), (1, 0), 0, 0, 0, ask) == 1
    late = eye.edges([((1, 0), (0, 0))])
    assert not eye.clear((0, 0), (2, 0), 0, late, 0, ask)
    assert eye.distance((0, 0), (1, 0), 0, late, 0, ask) == 2
    assert not eye.obscured((0, 0), (1, 0), late, 0, ask)
    assert eye.distance((0, 0), (1, 0), 0, 0, late, Asked({"R-DST-OBST": "stops"})) == 2


def test_an_end_far_off_the_board_is_simply_not_seen():
    eye = Sight(disc(2))
    ask = Asked()
    far = (10**30, -(10**29))
    assert eye.classify((0, 0), far, 0, 0, 0, ask) == "none"
    assert eye.distance((0, 0), far, 0, 0, 0, ask) is None
    assert Shot(eye, (0, 0), far, 0, 0, 0).evidence(ask)["sight"] == "none"
    assert ask.options == oracle.DEFAULTS


@pytest.mark.parametrize("part", range(4))
def test_what_is_seen_of_far_hexes_agrees_with_the_second_method(part):
    rng = seeded(8000 + part)
    offsets = [h for h in disc(12) if max(abs(h[0]), abs(h[1]), abs(h[0] + h[1])) > 6]
    for b in rng.sample(offsets, 24):
        # Obstacles near the line only: elsewhere they could not matter.
        near = sorted({(q + dq, r + dr) for q, r in nearby(b) for dq, dr in ((0, 0), *oracle.AROUND)} - {(0, 0), b})
        density = rng.choice([0.1, 0.2, 0.35])
        doors = {frozenset(side(h, rng.randrange(6))) for h in rng.sample(near, len(near) // 8)}
        a_scene = oracle.Scene(None, {h for h in near if rng.random() < density}, set(), doors)
        o = readings(rng)
        _, sealed, _ = state(a_scene)
        eye = sight(a_scene)
        assert eye.obscured((0, 0), b, sealed, (), Asked(o)) == oracle.obscured((0, 0), b, a_scene, o), (b, o, a_scene)
        assert eye.clear((0, 0), b, (), sealed, (), Asked(o)) == oracle.clear((0, 0), b, a_scene, o), (b, o, a_scene)


def nearby(b):
    """The hexes along the way to another, roughly."""
    n = oracle_steps(b)
    return [(round(Fraction(b[0] * i, n)), round(Fraction(b[1] * i, n))) for i in range(n + 1)]


def oracle_steps(b):
    return max(abs(b[0]), abs(b[1]), abs(b[0] + b[1]))


def test_an_obstruction_on_a_traced_hexside_opens_it_under_the_strict_reading():
    eye = Sight(None, [(1, 0), (1, -1)])
    obstruction = [((1, 0), (1, -1))]
    strict = Asked({"R-LOS-EDGEADJ": "strict"})
    assert not eye.clear((0, 0), (2, -1), (), (), obstruction, Asked())
    assert eye.clear((0, 0), (2, -1), (), (), obstruction, strict)
    assert strict.asked[0] == "R-LOS-EDGEADJ"
    assert eye.clear((0, 0), (2, -1), (), obstruction, (), strict)
    assert not eye.clear((0, 0), (2, -1), (), (), (), strict)


def test_aiming_at_a_sealed_door_itself_is_legal_only_where_border_points_count():
    door_between = [((0, 0), (1, 0))]
    at_the_door, behind_it = (Fraction(7, 15), Fraction(1, 15)), (Fraction(9, 10), Fraction(0))
    eye = Sight(None)
    closed = Asked({"R-OBS-POINT": "closed"})
    assert not eye.aim_is_legal((0, 0), (1, 0), at_the_door, door_between, (), Asked())
    assert eye.aim_is_legal((0, 0), (1, 0), at_the_door, door_between, (), closed)
    assert not eye.aim_is_legal((0, 0), (1, 0), behind_it, door_between, (), closed)


def test_a_line_along_the_targets_own_hexside_is_not_pinched_by_the_target():
    # The aim lies on the target's hexside towards direction 1; a door ends on the other side where the line meets it.
    aim = (Fraction(1), Fraction(-1, 2))
    door_beside = [((0, 0), (1, -1))]
    for blocked in ((), [(1, 0)], [(1, 0), (1, -1)]):
        eye = Sight(None, blocked)
        closed = {"R-OBS-POINT": "closed"}
        assert eye.aim_is_legal((0, 0), (1, 0), aim, door_beside, (), Asked(closed))
        touching = Asked({**closed, "R-LOS-TIP": "touch_blocks"})
        assert not eye.aim_is_legal((0, 0), (1, 0), aim, door_beside, (), touching)
        along = [((1, 0), (1, -1))]
        assert eye.aim_is_legal((0, 0), (1, 0), aim, along, (), Asked(closed))
        assert not eye.aim_is_legal((0, 0), (1, 0), aim, along, (), Asked({**closed, "R-LOS-ALONG": "crossing"}))


def test_a_far_hex_is_seen_along_a_long_board_and_not_across_a_gap():
    strip = [(q, r) for q in range(90) for r in (0, 1)]
    assert Sight(strip).classify((0, 0), (89, 1), 0, 0, 0, Asked()) == "clear"
    gap = [h for h in strip if h[0] != 40]
    assert Sight(gap).classify((0, 0), (89, 1), 0, 0, 0, Asked()) == "none"
    scattered = [(40 * i, -15 * i) for i in range(60)]
    assert Sight(scattered).classify(scattered[0], scattered[-1], 0, 0, 0, Asked()) == "none"


def test_the_fewest_hexes_that_a_line_passes_through():
    # What lets far hexes be given up at once: half of the way at least lies inside other hexes.
    for offset in disc(15):
        if offset != (0, 0):
            passed = sum(contact.how == "through" for contact in centre_line(offset).contacts)
            assert 2 * passed + 2 >= max(abs(offset[0]), abs(offset[1]), abs(offset[0] + offset[1]))
