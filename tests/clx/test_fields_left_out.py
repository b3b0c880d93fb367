"""A legal example accuses nobody where a field of it is left out, or two; half of the cases in each run (`tests/shares.py`)."""

from __future__ import annotations

import msgspec
import pytest

from tests.changed import without_fields
from tests.clx.examples import audited, example, examples
from tests.examples import Example
from tests.shares import is_tried

WRONG_WITHOUT = {"CLX-ASLT-09/legal-struck-with-a-weapon-in-no-pack": "4 fight_step attackers.0.weapon"}
"""Example -> what its line cannot be without: with every weapon that the model has its attacks are others than it says."""


@pytest.mark.parametrize("example", examples("legal"), ids=str)
def test_a_field_left_out_of_legal_play_accuses_nobody(example: Example) -> None:
    for what, log in without_fields(str(example), example.log):
        if not is_tried(16, example, what) or WRONG_WITHOUT.get(str(example)) == what:
            continue
        try:
            audit = audited(log)
        except msgspec.ValidationError:
            continue  # The reader names such a line and goes on without it.
        assert audit["verdict"] != "findings", what


def test_a_judge_who_is_said_to_state_a_position_and_states_nothing_may_have_settled_anything() -> None:
    stays = example("CLX-MOR-02/legal-a-judge-states-that-it-stays")
    (log,) = [log for what, log in without_fields(str(stays), stays.log) if what == "8 judge position.units"]
    assert audited(log)["verdict"] == "incomplete"


def test_who_leaves_cover_is_hidden_no_more_though_the_line_names_no_unit() -> None:
    left = example("CLX-USR-04/legal-left-its-cover")
    (log,) = [log for what, log in without_fields(str(left), left.log) if what == "2 move unit"]
    assert audited(log)["verdict"] != "findings"
