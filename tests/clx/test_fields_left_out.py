"""A legal example accuses nobody where a field of it is left out, or two; half of the cases in each run (`tests/shares.py`)."""

from __future__ import annotations

import msgspec
import pytest

from tests.changed import without_fields
from tests.clx.examples import audited, examples
from tests.examples import Example
from tests.shares import is_tried


@pytest.mark.parametrize("example", examples("legal"), ids=str)
def test_a_field_left_out_of_legal_play_accuses_nobody(example: Example) -> None:
    for what, log in without_fields(str(example), example.log):
        if not is_tried(16, example, what):
            continue
        try:
            audit = audited(log)
        except msgspec.ValidationError:
            continue  # The reader names such a line and goes on without it.
        assert audit["verdict"] != "findings", what
