"""Heavy and hostile records of each game, drawn by chance: what they cost is counted, in calls of functions, and is in step
with their length and with the work that a record may cost."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from auditor.core import bounds
from auditor.engine import audit_log
from tests.bench import bench_heavy, heavy_cards, heavy_inches

WORK, OF_THE_REST = 30_000, 10_000
"""Steps that judging may cost here, and each of what comes after it."""
CALLS_OF_A_STEP, CALLS_OF_A_BYTE, CALLS_AT_LEAST = 4, 4, 1_000_000

VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**60), 2**60),
    st.sampled_from(["", "p1", "p2", "A", "a0.1", "um-1", "x" * 65, "\u202e", "1/3", "7 1/2", "Plasma Pistol"]),
    st.lists(st.sampled_from(["p1-01", "p1-20", "a0.1", "um-1", "q", 1, None]), max_size=30),
    st.dictionaries(st.sampled_from(["p1-01", "a0.1", "um-1", "q"]), st.sampled_from(["u0", 1, None]), max_size=4),
)
CHANGES = st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 30), VALUES), max_size=12)


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Little work, and small lists, so that a short record is a heavy one."""
    monkeypatch.setattr(bounds, "MOST_NEAREST", 10)
    monkeypatch.setattr(bounds, "MOST_WORK", WORK)
    for name in ("OTHERWISE", "ON_CAUSES", "ON_MEANING", "ON_DRAWINGS"):
        monkeypatch.setattr(bounds, f"MOST_WORK_{name}", OF_THE_REST)
    for name in ("LISTED", "NAMED"):
        monkeypatch.setattr(heavy_cards, name, 30)
    for name, most in (("PIECES", 4), ("CORNERS", 8), ("MODELS", 40), ("OF_A_UNIT", 10), ("POINTS", 8)):
        monkeypatch.setattr(heavy_inches, name, most)


def changed(data: bytes, changes: list[tuple[int, int, Any]]) -> bytes:
    """A log in which some fields of its events hold something else."""
    lines = data.splitlines()
    for place, which, value in changes:
        at = 1 + place % (len(lines) - 1)
        try:
            event = json.loads(lines[at])
        except ValueError:
            continue
        if isinstance(event, dict) and event:
            event[sorted(event)[which % len(event)]] = value
            lines[at] = json.dumps(event).encode()
    return b"\n".join(lines) + b"\n"


@contextmanager
def counting() -> Iterator[list[int]]:
    """How many functions are called meanwhile."""
    calls = [0]

    def count(_frame: Any, what: str, _of: Any) -> None:
        if what == "call":
            calls[0] += 1

    sys.setprofile(count)
    try:
        yield calls
    finally:
        sys.setprofile(None)


def cost(data: bytes) -> tuple[dict[str, Any], int, int]:
    """An audit, the functions that it called, and how many it may call."""
    with counting() as calls:
        value = audit_log(data)
    most = CALLS_AT_LEAST + CALLS_OF_A_STEP * (WORK + 4 * OF_THE_REST) + CALLS_OF_A_BYTE * len(data)
    return value, calls[0], most


@pytest.mark.parametrize("game", bench_heavy.SHAPES)
@settings(
    max_examples=3,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(data=st.data())
def test_a_heavy_and_hostile_record_costs_no_more_than_it_may(game: str, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(bench_heavy.SHAPES[game])))
    make, _ = bench_heavy.SHAPES[game][name]
    value, calls, most = cost(changed(make(data.draw(st.integers(2, 20))), data.draw(CHANGES)))
    assert calls <= most
    assert value["verdict"] in ("clean", "findings", "incomplete", "unreadable")
    assert not any("fault of the auditor" in one["why"] for one in value["coverage"]["unchecked"])
