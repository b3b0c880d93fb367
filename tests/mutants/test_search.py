"""The changes of a search can be made, are other than what they were made of, and say all that is needed to make them again."""

from __future__ import annotations

import json
from random import Random

import pytest

from tests import sought
from tests.mutants.patches import Changes, Donors, ids_of, pointer_to
from tests.sought import patched

LOG = {
    "header": {"players": [{"id": "A"}, {"id": "B"}], "units": [{"id": "u/1"}]},
    "events": [
        {"seq": 1, "type": "a", "list": [1, 2]},
        {"seq": 2, "type": "b", "trigger": 1, "unit": "u/1"},
    ],
}
OTHER = {
    "header": {"players": [{"id": "C", "name": "Cy"}]},
    "events": [{"seq": 1, "type": "b", "unit": "C", "dice": [6]}],
}


def test_a_patch_is_applied_as_rfc_6902_says_and_events_are_numbered_anew() -> None:
    patch = [
        {"op": "replace", "path": "/events/0/list/1", "value": 5},
        {"op": "add", "path": "/events/0/list/-", "value": 6},
        {"op": "add", "path": "/header/players/0/na~1me~0", "value": "x"},
        {"op": "move", "from": "/events/1", "path": "/events/0"},
        {"op": "add", "path": "/events/0", "value": {"seq": 1, "type": "c"}},
        {"op": "remove", "path": "/events/1/unit"},
    ]
    made = patched(LOG, patch)
    assert made["header"]["players"][0] == {"id": "A", "na/me~": "x"}
    assert [(one["seq"], one["type"]) for one in made["events"]] == [(1, "c"), (2, "b"), (3, "a")]
    assert made["events"][1] == {"seq": 2, "type": "b", "trigger": 3}
    assert made["events"][2]["list"] == [1, 5, 6]
    assert LOG["events"][0] == {"seq": 1, "type": "a", "list": [1, 2]}


@pytest.mark.parametrize("path", ["/events/7/unit", "/header/none/0", "/events/0/type/x"])
def test_a_patch_that_does_not_fit_raises(path: str) -> None:
    with pytest.raises(sought.DOES_NOT_FIT):
        patched(LOG, [{"op": "remove", "path": path}])


def test_a_pointer_names_a_place() -> None:
    assert pointer_to(("header", "a/b~", 0)) == "/header/a~1b~0/0"
    assert list(ids_of(LOG)) == ["A", "B", "u/1"]


def test_each_change_can_be_made_and_each_kind_is() -> None:
    changes = Changes(Donors([LOG, OTHER]), {"OR-X": ["ONE", "TWO"]}, Random(1))
    made = [patch for _ in range(400) if (patch := changes.one(LOG))]
    kept = [json.loads(json.dumps(patch)) for patch in made]
    assert all(patched(LOG, again) == patched(LOG, patch) for again, patch in zip(kept, made, strict=True))
    told = {one["op"] + (" event" if one["path"].count("/") == 2 else "") for patch in made for one in patch}
    assert {"add", "remove", "replace", "add event", "remove event", "move event"} <= told
    assert any(one["path"] == "/header/rulings" for patch in made for one in patch)
    assert {"op": "add", "path": "/events/1/dice", "value": [6]} in [one for patch in made for one in patch]
