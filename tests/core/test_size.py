"""What a record may cost: long, and long and full of faults."""

from __future__ import annotations

import tracemalloc

from auditor.core.audit import audit
from auditor.core.replay import MOST_DRAWN, MOST_SEEN, Replay
from tests.core.helpers import a_record, audited, ruled
from tests.core.inches import INCHES, Move, Shoot, Test

AT_ZERO = {"where": {"a": "0", "b": "0"}}


def test_a_hundred_thousand_events_are_all_resolved():
    events = [Test(n, "A", "a") if n % 2 else Shoot(n, "B", "b", "a", 2) for n in range(2, 100_002)]
    record = a_record(INCHES, [Shoot(1, "B", "b", "a", 2), *events[1:]], header=AT_ZERO)
    outcome = Replay(INCHES, record, ruled(INCHES), strict=True).run()
    assert outcome.resolved == 100_000


def test_beyond_a_bound_faults_are_counted_and_the_audit_says_so():
    record = a_record(INCHES, [Move(n, "A", "a", "9" if n % 2 else "0") for n in range(1, 50_001)], header=AT_ZERO)
    rulings = ruled(INCHES)
    value = audit(record, INCHES, rulings, engine="test")
    assert len(value["findings"]) == MOST_SEEN
    (unchecked,) = value["coverage"]["unchecked"]
    assert unchecked["why"].startswith(f"{50_000 - MOST_SEEN} more faults")
    assert sum(one["evidence"]["before"] is not None for one in value["findings"]) == MOST_DRAWN


def test_faults_in_bulk_cost_little_memory_each():
    record = a_record(INCHES, [Move(n, "A", "a", "9" if n % 2 else "0") for n in range(1, 5_001)], header=AT_ZERO)
    tracemalloc.start()
    value = audit(record, INCHES, ruled(INCHES), engine="test", causes=False)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak / len(value["findings"]) < 6_000


def test_every_lane_on_every_event_is_bounded():
    events = []
    for n in range(1, 3_001, 3):
        events += [Shoot(n, "B", "b", "a", 1), Move(n + 1, "A", "a", "0"), Move(n + 2, "A", "b", "0")]
    assert audited(INCHES, events, header=AT_ZERO)["coverage"]["resolved"] == 3_000
