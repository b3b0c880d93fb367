"""What is said of the records that a search found is what is kept."""

from __future__ import annotations

import pytest

from tests import sought


@pytest.mark.parametrize("number", range(len(sought.kept("clx"))))
def test_what_is_said_of_a_record_that_was_sought_is_what_is_kept(number: int) -> None:
    name, patch, there = sought.kept("clx")[number]
    assert (name, sought.said("clx", name, patch)) == (name, there), "make golden"
