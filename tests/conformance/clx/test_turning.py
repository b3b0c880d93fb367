"""What turns on a reading of Calixtus' Edition: under one option a fault, under another none, left open neither."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from auditor.conformance.clx.inventor import INVENTOR
from auditor.conformance.clx.plant.turning.planting import NEVER, PLANTABLE_READINGS, plant_reading
from auditor.conformance.clx.readings import READINGS
from auditor.conformance.clx.referee import check
from auditor.systems.clx import readings as of_the_auditor
from auditor.trials.readings import tried_reading
from tests.shares import is_tried

OPTIONS = [f"{one.id}={chosen}" for one in of_the_auditor.READINGS for chosen in one.names]


def test_the_table_of_readings_is_that_of_the_ruleset() -> None:
    named = {one.id: tuple(one.names) for one in of_the_auditor.READINGS if one.id not in of_the_auditor.HELD}
    assert {name: (options[0], set(options)) for name, options in READINGS.items()} == {
        name: (options[0], set(options)) for name, options in named.items()
    }


def test_every_option_has_a_planter_or_a_reason() -> None:
    assert sorted([*PLANTABLE_READINGS, *NEVER]) == sorted(OPTIONS)


def places(found: Sequence[object]) -> list[tuple[object, ...]]:
    return [tuple(vars(one).values()) for one in found]


@pytest.mark.parametrize("name", [name for name in PLANTABLE_READINGS if is_tried(4, name)])
def test_a_fault_of_every_option_is_found_and_only_there_and_open_where_nobody_ruled(name: str) -> None:
    tried = tried_reading(INVENTOR, name, 1)
    assert tried.wrong == []
    right = ("planted", "found", "clean under the other", "ambiguous when open", "right scope")
    assert [what for what in right if not tried.counts[what]] == []


@pytest.mark.parametrize("name", PLANTABLE_READINGS[::7])
def test_the_header_rules_as_the_fault_wants_it(name: str) -> None:
    game = plant_reading(name, 2)
    faults = [(one["seq"], one["rule"], one["kind"], one["player"]) for one in game.faults]
    assert places(check(game.lines)) == places(check(game.lines, game.under)) == faults
    assert check(game.lines, game.played) == []
    assert plant_reading(name, 2) == game


def test_what_is_never_a_fault_is_refused_with_its_reason() -> None:
    with pytest.raises(LookupError, match="same table"):
        plant_reading("OR-WS=TWICE_MINUS_ONE", 1)
