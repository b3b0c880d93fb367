"""Assignments of readings as cubes: which answers they cover, held against every full assignment one by one."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from auditor.core.odds import at_least, die, rolled, together
from auditor.core.scopes import covers, simplified

DOMAINS = {"A": ("1", "2"), "B": ("1", "2", "3"), "C": ("1", "2")}
FULL = [dict(zip(DOMAINS, options, strict=True)) for options in product(*DOMAINS.values())]


def lies_in(full, cube):
    return all(full[reading] == option for reading, option in cube.items())


def parted(rng, cube, depth=0):
    """Cubes that do not overlap and are together `cube`."""
    left = [reading for reading in DOMAINS if reading not in cube]
    if not left or rng.random() < 0.2 + 0.2 * depth:
        return [cube]
    reading = rng.choice(left)
    return [part for option in DOMAINS[reading] for part in parted(rng, {**cube, reading: option}, depth + 1)]


@pytest.mark.parametrize("seed", range(40))
def test_cubes_cover_what_every_full_assignment_lies_in(seed):
    rng = Random(seed)
    cubes = parted(rng, {})
    for kept in (cubes, rng.sample(cubes, rng.randint(0, len(cubes)))):
        there = [full for full in FULL if any(lies_in(full, cube) for cube in kept)]
        assert covers(kept, DOMAINS, DOMAINS) == (len(there) == len(FULL)), kept
        fewer = simplified(kept, DOMAINS)
        assert len(fewer) <= len(kept)
        assert [sum(lies_in(full, cube) for cube in fewer) for full in FULL] == [int(full in there) for full in FULL]


def test_readings_that_nobody_asks_about_have_no_say_in_what_is_covered():
    assert covers([{"A": "1", "C": "1"}, {"A": "2", "C": "1"}], {"A"}, DOMAINS)
    assert not covers([{"A": "1", "C": "1"}], {"A"}, DOMAINS)
    assert covers([{"C": "1"}], {"A"}, DOMAINS)
    assert not covers([], {"A"}, DOMAINS)
    assert simplified([{"A": "1"}, {"A": "2"}], DOMAINS) == [{}]


def test_successes_of_dice_are_added_up_case_by_case():
    assert together((1, 1), (1, 1)) == (1, 2, 1)
    one = die("CHHSSB", "S")
    cases = [sum(face == "S" for face in faces) for faces in product("CHHSSB", repeat=3)]
    assert rolled(one, 3) == tuple(cases.count(number) for number in range(4))
    assert at_least(rolled(one, 2), 1) == 1 - at_least((2, 4), 1) ** 2
