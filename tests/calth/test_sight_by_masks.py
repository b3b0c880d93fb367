"""A clear line that is asked for by masks, as a replay asks, is judged as the whole table of its readings says."""

from __future__ import annotations

import pytest

from auditor.systems.calth.sight import LINE
from tests.geometry.scenes import Asked, pairs, readings, scene, seeded, sight, state


@pytest.mark.parametrize("seed", range(40))
def test_a_line_asked_for_again_by_masks_is_as_clear_as_its_table_says(seed):
    rng = seeded(seed)
    a_scene = scene(rng, bounded=seed % 3 > 0, density=0.05 + 0.3 * rng.random())
    eye, (occupied, sealed, obstructions) = sight(a_scene), state(a_scene)
    masks = eye.hexes(occupied), eye.edges(sealed), eye.edges(obstructions)
    for a, b in pairs(rng, 12):
        asked = Asked(readings(rng))
        table = eye.stopped(a, b, *masks)
        assert eye.clear(a, b, *masks, asked) == (not LINE.decide(table, asked)), (a, b)
