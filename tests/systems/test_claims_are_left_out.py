"""An event without its claims states its facts and labels as before, and nothing that follows from them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from auditor.core.fields import leaves, unclaimed
from tests.systems.test_nothing_changed import GAMES_WITH_FAULTS, replayed


def stated(event: Any, *, claims: bool) -> list[Any]:
    return [(one.path, one.value) for one in leaves(event) if (one.declared.role == "claim") is claims]


@pytest.mark.parametrize("path", GAMES_WITH_FAULTS, ids=lambda path: f"{path.parent.parent.name}-{path.stem}")
def test_an_event_without_its_claims_has_its_facts(path: Path) -> None:
    claimed = 0
    for event in replayed(path).record.events:
        claimed += len(stated(event, claims=True))
        before = repr(event)
        right = unclaimed(event)
        assert stated(right, claims=False) == stated(event, claims=False)
        assert stated(right, claims=True) == []
        assert unclaimed(right) == right and repr(event) == before
    assert claimed > 100
