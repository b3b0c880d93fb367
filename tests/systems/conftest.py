"""A second game beside the ones that come with the program."""

from __future__ import annotations

import pytest

from auditor import systems
from tests.systems.pebbles import PEBBLES


@pytest.fixture
def pebbles(monkeypatch: pytest.MonkeyPatch) -> systems.Game:
    """The toy game, registered for one test."""
    monkeypatch.setitem(systems.REGISTRY, "pebbles", lambda: PEBBLES)
    return PEBBLES
