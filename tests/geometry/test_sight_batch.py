"""The batch of questions about sight, as another program would ask them."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from auditor.geometry.hexes import disc
from auditor.systems.calth.sight_batch import answer, answer_lines
from tests.geometry import oracle
from tests.geometry.scenes import pairs, readings, scene, seeded
from tests.geometry.test_sight import EXAMPLES


def query(a, b, a_scene, o, aim=None):
    def edges(found):
        return [sorted(map(list, e)) for e in found]

    return {
        "from": list(a),
        "to": list(b),
        "board": None if a_scene.board is None else sorted(map(list, a_scene.board)),
        "blocked": sorted(map(list, a_scene.blocked)),
        "occupied": sorted(map(list, a_scene.occupied)),
        "sealed": edges(a_scene.sealed),
        "obstructions": edges(a_scene.obstructions),
        "barricades": [{"hex": list(h), "dir": k} for h, k in sorted(a_scene.barricades)],
        **({"aim": [str(Fraction(part) / 3) for part in aim]} if aim else {}),
        "readings": o,
    }


def crossings(a, b, a_scene, o):
    """What the centre line meets, by the oracle: hexes as (hexes, how, closed), doors as (edge, how, stops)."""
    s, d = oracle.centre(a), oracle.minus(oracle.centre(b), oracle.centre(a))
    near = [h for h in oracle.box(s, oracle.centre(b)) if oracle.touches_straight(h, s, d)]
    closed = oracle.closed_hexes(a_scene, near, (a, b), True)
    doors = a_scene.sealed | (a_scene.obstructions if o["R-LOS-OBST"] == "stops" else set())

    def place(v):
        return Fraction(v[0] - s[0], d[0]) if d[0] else Fraction(v[1] - s[1], d[1])

    hexes, edges, traced = {}, {}, set()
    for e in oracle.edges_of(near):
        one, two = oracle.ends(e)
        turns = [oracle.sign(oracle.cross(d, oracle.minus(v, s))) for v in (one, two)]
        key = tuple(sorted(e))
        if turns == [0, 0] and 0 < min(place(one), place(two)) < 1:
            traced.update((one, two))
            hexes[key] = ("along", oracle.both_closed(*e, closed, a_scene, o))
            if e in doors:
                edges[key, "door_along"] = o["R-LOS-ALONG"] == "crossing"
        elif (
            turns[0] * turns[1] == -1
            and e in doors
            and oracle.stopped(
                s, oracle.centre(b), oracle.Scene(sealed={e}), (a, b), True, {**o, "R-LOS-TIP": "graze_ok"}
            )
        ):
            edges[key, "door"] = True
        elif turns != [0, 0] and 0 in turns and e in doors:
            v = (one, two)[turns.index(0)]
            if 0 < place(v) < 1:
                # Only what stands at this corner can pinch it: look at the doors and closed hexes there alone.
                there = {h for h in oracle.box(v, v) if v in oracle.corners(h)}
                ends_here = {x for x in doors if v in oracle.ends(x)}
                tips = {
                    oracle.sign(oracle.cross(d, oracle.minus(far, v)))
                    for x in ends_here
                    for far in oracle.ends(x)
                    if far != v
                } - {0}
                shut = set(tips)
                for h in there & closed:
                    around = [
                        oracle.sign(oracle.cross(d, oracle.minus(far, v)))
                        for g in there - {h}
                        for far in oracle.ends(frozenset((h, g)))
                        if far != v
                    ]
                    if len(set(around) - {0}) == 1:
                        shut |= set(around) - {0}
                edges[key, "door_end"] = {
                    "graze_ok": False,
                    "touch_blocks": True,
                    "pinch": shut == {-1, 1},
                }[o["R-LOS-TIP"]]
    for h in near:
        if h in (a, b):
            continue
        chord = oracle.chord(h, s, d)
        if chord and max(chord[0], 0) < min(chord[1], 1):
            hexes[h,] = ("through", h in closed)
        elif not any(h in key for key in hexes) and any(
            oracle.cross(d, oracle.minus(v, s)) == 0 and 0 < place(v) < 1 and v not in traced for v in oracle.corners(h)
        ):
            hexes[h,] = ("corner", h in closed)
    return hexes, edges


@pytest.mark.parametrize("seed", range(40))
def test_answers_agree_with_the_second_method(seed):
    rng = seeded(7000 + seed)
    a_scene = scene(rng, bounded=seed % 3 > 0, density=0.05 + 0.3 * rng.random(), doors=0.2)
    for a, b in pairs(rng, 6):
        o = readings(rng)
        aim = rng.choice([None, oracle.centre(b), rng.choice(oracle.corners(b))])
        found = answer(query(a, b, a_scene, o, aim))
        kind = oracle.classify(a, b, a_scene, o)
        assert found["sight"] == kind
        assert found["clear"] == oracle.clear(a, b, a_scene, o)
        assert found["obscured"] == oracle.obscured(a, b, a_scene, o)
        assert found["distance"] == oracle.distance(a, b, a_scene, o)
        assert found["barricade"] == oracle.barricade(a, b, kind, a_scene, aim, o)
        lines = oracle.obscured_lines(a, b, a_scene, o)
        assert (found["line"] is None) == (not lines)
        if lines:
            point = tuple(3 * Fraction(part) for part in found["line"]["to"])
            assert oracle.aim_is_legal(a, b, point, a_scene, o)
            assert found["line"]["wide"] <= any(wide for _, wide, _ in lines)
        hexes, edges = crossings(a, b, a_scene, o)
        told = [c for c in found["crossings"] if "hexes" in c]
        assert {tuple(map(tuple, c["hexes"])): (c["how"], c["closed"]) for c in told} == hexes
        doors = [c for c in found["crossings"] if "edge" in c]
        assert {(tuple(map(tuple, c["edge"])), c["how"]): c["stops"] for c in doors} == edges
        assert len(told) == len(hexes)
        assert len(doors) == len(edges)


@pytest.mark.parametrize("example", EXAMPLES, ids=[f"example {row[0]}" for row in EXAMPLES])
def test_the_worked_examples_through_the_batch(example):
    _, a, b, blocked, occupied, sealed, board, expected, under = example
    asked = {"from": a, "to": b, "board": board, "blocked": blocked, "occupied": occupied, "sealed": sealed}
    asked = json.loads(json.dumps(asked))
    assert answer(asked)["sight"] == expected
    for reading, (option, other) in under.items():
        assert answer({**asked, "readings": {reading: option}})["sight"] == other


def test_the_shape_of_an_answer():
    found = answer(
        {
            "from": [0, 0],
            "to": [2, -1],
            "board": None,
            "blocked": [[1, 0]],
            "occupied": [[1, -1], [2, -1]],
            "sealed": [[[2, -1], [1, 0]]],
            "obstructions": [],
            "barricades": [{"hex": [2, -1], "dir": 3}, {"hex": [2, -1], "dir": 4}],
            "readings": {},
        }
    )
    assert found == {
        "sight": "obscured",
        "clear": False,
        "obscured": True,
        "distance": 2,
        "barricade": True,
        "crossings": [
            {"hexes": [[1, -1], [1, 0]], "how": "along", "closed": True},
            {"edge": [[1, 0], [2, -1]], "how": "door_end", "stops": True},
        ],
        "line": {"to": found["line"]["to"], "wide": True},
    }


def test_crossings_come_nearest_first():
    met = answer({"from": [0, 0], "to": [5, -4], "sealed": [[[1, -1], [2, -2]], [[3, -2], [2, -2]]]})["crossings"]
    assert [(c["how"], c.get("hexes") or c.get("edge")) for c in met] == [
        ("through", [[1, -1]]),
        ("corner", [[2, -1]]),
        ("door_end", [[1, -1], [2, -2]]),
        ("through", [[2, -2]]),
        ("door", [[2, -2], [3, -2]]),
        ("through", [[3, -2]]),
        ("corner", [[3, -3]]),
        ("through", [[4, -3]]),
    ]


def test_a_distance_without_a_route_is_null():
    ring = [list(h) for h in disc(1) if h != (0, 0)]
    assert answer({"from": [0, 0], "to": [4, 0], "blocked": ring})["distance"] is None
    assert answer({"from": [0, 0], "to": [2, 0], "board": [[0, 0], [2, 0]]})["distance"] is None
    # Around the near end of a long wall on a plane without end, by way of [2, 8].
    wall = [[2, r] for r in range(-9, 8)]
    assert answer({"from": [0, 0], "to": [4, -1], "blocked": wall})["distance"] == 19


GOOD = {"from": [0, 0], "to": [2, 0]}


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"to": [0, 0]}, "same hex"),
        ({"to": [10**6, 0]}, "hexes apart"),
        ({"to": None}, "to:"),
        ({"from": [0, 0, 0]}, "from:"),
        ({"from": [0.0, 0]}, "from:"),
        ({"from": [True, 0]}, "from:"),
        ({"from": [10**5000, 0]}, "from:"),
        ({"board": 5}, "board"),
        ({"blocked": [[0, "1"]]}, "blocked"),
        ({"blocked": [[10**8, 0], [0, 10**8]]}, "far apart"),
        ({"occupied": {"q": 1}}, "occupied"),
        ({"sealed": [[[0, 0], [2, 0]]]}, "share no hexside"),
        ({"sealed": [[0, 0]]}, "sealed"),
        ({"obstructions": ["x"]}, "obstructions"),
        ({"barricades": [{"hex": [0, 0], "dir": 6}]}, "barricade"),
        ({"barricades": [{"hex": [0, 0]}]}, "barricade"),
        ({"barricades": [[0, 0]]}, "barricade"),
        ({"aim": ["1/0", "0"]}, "aim"),
        ({"aim": ["1e5", "0"]}, "aim"),
        ({"aim": [0.5, 0]}, "aim"),
        ({"aim": "00"}, "aim"),
        ({"readings": {"R-LOS-VERTICES": "clear"}}, "no reading"),
        ({"readings": {"R-LOS-VERTEX": "open"}}, "no option"),
        ({"readings": {"R-LOS-VERTEX": ["clear"]}}, "no option"),
        ({"readings": []}, "readings"),
    ],
)
def test_a_bad_query_is_answered_with_what_is_wrong(change, word):
    found = answer({**GOOD, **change})
    assert list(found) == ["error"]
    assert word in found["error"]


def test_every_line_gets_one_answer_in_order():
    lines = [
        json.dumps(GOOD),
        b'{"from":[0,0],"to":[1,0]}\n',
        "[" * 100_000,
        b"\xff",
        "",
        "[1]",
        '{"from":[0,0],"to":[' + "9" * 5000 + ",0]}",
        '{"from":[0,0],"to":[NaN,0]}',
    ]
    found = [json.loads(text) for text in answer_lines(lines)]
    assert [one.get("distance") for one in found] == [2, 1, None, None, None, None, None, None]
    assert all("error" in one for one in found[2:])


def test_an_aim_with_long_numbers_is_judged_exactly():
    asked = {**GOOD, "barricades": [{"hex": [2, 0], "dir": 3}], "occupied": [[1, 0]]}
    asked["readings"] = {"R-OBS-BARR": "declared_line"}
    # Just this side of the line to the corner between hexsides 3 and 4 of the target, just that side, and on it.
    for r, expected in ((-1, True), (1, False), (0, False)):
        found = answer({**asked, "aim": ["8/5", str(Fraction(2, 5) + Fraction(r, 10**36))]})
        assert found["sight"] == "obscured"
        assert found["barricade"] is expected
    asked["readings"]["R-BAR-TIP"] = "touch_blocks"
    assert answer({**asked, "aim": ["8/5", "2/5"]})["barricade"] is True
