"""A wrong number of one wound is put right in that wound, and in no other of the same model."""

from __future__ import annotations

from typing import Any

import pytest

from auditor.core.findings import Fault
from auditor.systems.clx import records
from auditor.systems.clx.reckoning.put_right import put_right

THREE = records.Allocate(
    seq=1,
    wounds=[
        records.Wound(model="m1", save=records.Save(die=4, claimed_needed=5), claimed_saved=False),
        records.Wound(model="m1", save=records.Save(die=4, claimed_needed=4), claimed_saved=True),
        records.Wound(model="m2", save=records.Save(die=4, claimed_needed=5), claimed_saved=False),
    ],
)


def fault(claimed: Any, recomputed: Any) -> Fault:
    return Fault("CLX-SHOOT-13", "miscalculated", "", ("m1",), claimed=claimed, recomputed=recomputed)


@pytest.mark.parametrize(
    ("claimed", "recomputed", "saved"),
    [
        ({"needed": 5, "saved": False}, {"needed": 4, "saved": True}, [True, True, False]),
        ({"needed": 6, "saved": False}, {"needed": 4, "saved": True}, [False, True, False]),  # no wound says so
        (True, False, [False, True, False]),  # the die of the one that was saved reaches what it needed
    ],
)
def test_the_wound_that_a_fault_is_about_is_put_right_alone(claimed: Any, recomputed: Any, saved: list[bool]) -> None:
    right = put_right(THREE, fault(claimed, recomputed))
    assert [wound.claimed_saved for wound in right.wounds] == saved
    assert [wound.save.claimed_needed for wound in right.wounds][1:] == [4, 5]
