"""A damaged record raises nothing, and what it no longer says accuses nobody whom the whole record clears.

A sample of what `python -m tests.calth.damage` does to every example and to fifty generated games; a share of the sample
in each run (`tests/shares.py`).
"""

from __future__ import annotations

from random import Random

import pytest

from tests.calth import damage
from tests.shares import is_tried

EXAMPLES = damage.examples()
PARTS = 12


@pytest.mark.parametrize("part", range(PARTS))
def test_a_damaged_example_accuses_nobody_whom_the_whole_one_clears(part: int) -> None:
    for name in list(EXAMPLES)[part::PARTS]:
        due = damage.whole(EXAMPLES[name])
        for how in damage.DAMAGES:
            if not is_tried(6, name, how.__name__):
                continue
            rng = Random(f"{name} {how.__name__} 0")
            assert damage.falsely(EXAMPLES[name], how, rng, due) == [], (name, how.__name__)


@pytest.mark.parametrize("how", [damage.several_dropped, damage.cut_off])
def test_who_finds_no_room_may_belong_to_a_unit_whose_lines_are_missing(how) -> None:
    name = "CAL-AUD-06/legal-placed-in-a-full-hex.json"
    due = damage.whole(EXAMPLES[name])
    assert damage.falsely(EXAMPLES[name], how, Random(f"{name} {how.__name__} 0"), due) == []


@pytest.mark.parametrize("seed", range(1000, 1008))
def test_a_damaged_game_accuses_nobody_whom_the_whole_one_clears(seed: int) -> None:
    lines = damage.game(seed)
    due = damage.whole(lines)
    for how in damage.DAMAGES:
        for again in range(2):
            if not is_tried(4, seed, how.__name__, again):
                continue
            rng = Random(f"game {seed} {how.__name__} {again}")
            assert damage.falsely(lines, how, rng, due) == [], (how.__name__, again)


@pytest.mark.parametrize("how", damage.DAMAGES, ids=lambda how: how.__name__)
def test_every_damage_changes_the_record(how) -> None:
    lines = EXAMPLES["clean-1.jsonl"]
    damaged = {how(lines, Random(n)) for n in range(8)}
    assert len(damaged - {damage.written(lines)}) >= 4


def test_an_accusation_that_the_whole_record_does_not_make_would_be_seen() -> None:
    lines = EXAMPLES["CAL-ADV-01/illegal.json"]
    assert damage.whole(lines)
    found = {what for n in range(40) for how in damage.HOLES for what in damage.falsely(lines, how, Random(n), set())}
    assert any(what.startswith("CAL-ADV-01") for what in found)
