"""The tables are those of the text: each against its formula, and the text's own examples."""

from __future__ import annotations

import pytest

from auditor.systems.clx.tables import (
    goes_on_at,
    highest_passing,
    resists_at,
    tables,
    to_hit,
    to_hit_in_combat,
    to_wound,
)


@pytest.mark.parametrize("bs", range(1, 21))
def test_to_hit_is_seven_less_the_ballistic_skill(bs: int) -> None:
    assert to_hit(bs) == (max(2, 7 - bs), max(2, 12 - bs) if bs > 5 else None)


def test_nobody_hits_with_a_ballistic_skill_of_0() -> None:
    assert to_hit(0) == (None, None)


@pytest.mark.parametrize("a", range(1, 11))
def test_to_hit_in_combat(a: int) -> None:
    for d in range(1, 11):
        assert to_hit_in_combat(a, d) == (3 if d < a else 4 if d <= 2 * a - 1 else 5)


@pytest.mark.parametrize("s", range(1, 11))
def test_to_wound(s: int) -> None:
    for t in range(1, 11):
        needed = 2 if s >= 2 * t else 3 if s > t else 4 if s == t else 6 if 2 * s <= t else 5
        assert to_wound(s, t) == needed
        exact = 2 if s == 2 * t else 6 if 2 * s == t else 4 if s == t else 3 if s > t else 5
        assert to_wound(s, t, "EXACT") == exact


@pytest.mark.parametrize(("bs", "first", "again"), [(1, 6, None), (2, 5, None), (6, 2, 6), (7, 2, 5), (10, 2, 2)])
def test_the_texts_examples_of_shooting(bs: int, first: int, again: int | None) -> None:
    assert to_hit(bs) == (first, again)


def test_the_texts_examples_of_game_length_and_night() -> None:
    assert [goes_on_at(turn) for turn in range(1, 9)] == [None, None, None, None, 4, 3, 2, None]
    assert tables()["game_length"]["last_turn"] == 8
    assert tables()["game_length"]["last_day_turn"] == 4


def test_the_texts_examples_of_characteristic_tests_and_cover() -> None:
    assert [highest_passing(v) for v in (5, 6, 7, 10)] == [(5, None), (5, 1), (5, 2), (5, 5)]
    assert [7 - save for save in (6, 5, 2)] == [1, 2, 5]
    assert (tables()["cover"]["soft"], tables()["cover"]["hard"]) == (6, 5)


def test_mental_resistance() -> None:
    for n in range(4):
        assert resists_at(n, "CUMULATIVE") == 6 - n
        assert resists_at(n, "ONCE") == (5 if n else 6)
        assert resists_at(n, "ALL") == (5 if n == 3 else 6)


def test_every_table_names_its_source() -> None:
    for name, table in tables().items():
        if isinstance(table, dict):
            assert "seed L" in table["source"], name
