"""What a record may cost: long, and long and full of faults."""

from __future__ import annotations

import tracemalloc

import pytest

from auditor.core import bounds
from auditor.core.audit import audit
from auditor.core.bounds import MOST_DRAWN, MOST_SEEN
from auditor.core.record import InputError, Unknown
from auditor.core.replay import Replay
from tests.core.helpers import a_record, audited, numbered, ruled
from tests.core.inches import INCHES, Move, Shoot, Test, Undo
from tests.core.machines import MACHINE, Act, ask

AT_ZERO = {"where": {"a": "0", "b": "0"}}


def test_fifty_thousand_events_are_all_resolved():
    events = [Test(n, "A", "a") if n % 2 else Shoot(n, "B", "b", "a", 2) for n in range(2, 50_002)]
    record = a_record(INCHES, [Shoot(1, "B", "b", "a", 2), *events[1:]], header=AT_ZERO)
    outcome = Replay(INCHES, record, ruled(INCHES), strict=True).run()
    assert outcome.resolved == 50_000


def test_beyond_a_bound_faults_are_counted_and_the_audit_says_so():
    record = a_record(INCHES, [Move(n, "A", "a", "9" if n % 2 else "0") for n in range(1, 12_001)], header=AT_ZERO)
    rulings = ruled(INCHES)
    value = audit(record, INCHES, rulings, engine="test")
    assert len(value["findings"]) == MOST_SEEN
    assert value["more"] == {"findings": 12_000 - MOST_SEEN}
    assert value["notes"][-1]["text"] == "There are 2,000 more findings than are listed."
    assert value["verdict"] == "findings" and not value["coverage"]["unchecked"]
    assert sum(one["evidence"]["before"] is not None for one in value["findings"]) == MOST_DRAWN


@pytest.mark.parametrize("standing", [2, 40])
def test_a_fault_that_stands_is_listed_before_those_that_do_not(standing, monkeypatch):
    monkeypatch.setattr(bounds, "MOST_SEEN", 10)
    doubtful = [Act(0, 0, ask("R-A", a1=0, a2=1), claimed=0) for _ in range(60)]
    sure = [Act(0, 0, ("is", 1), claimed=0) for _ in range(standing)]
    value = audited(MACHINE, numbered(*doubtful, *sure))
    stands = [finding["stands"] for finding in value["findings"]]
    assert stands.count(True) == min(standing, 10) and len(stands) == 10
    assert value["more"]["findings"] == 60 + standing - 10 and value["verdict"] == "findings"


def test_a_fault_that_was_taken_back_makes_room_for_one_that_stands(monkeypatch):
    monkeypatch.setattr(bounds, "MOST_SEEN", 10)
    moves = [Move(n, "A", "a", "9" if n % 2 else "0") for n in range(1, 31)]
    again = [Move(n, "A", "a", "0" if n % 2 else "9") for n in range(32, 36)]
    value = audited(INCHES, [*moves, Undo(31, None, 0), *again], header=AT_ZERO)
    assert [one["undone"] for one in value["findings"]].count(False) == 4 and len(value["findings"]) == 10


def test_what_is_beyond_a_bound_and_holds_under_another_reading_only_leaves_a_record_clean(monkeypatch):
    monkeypatch.setattr(bounds, "MOST_SEEN", 10)
    value = audited(MACHINE, numbered(*[Act(0, 0, ask("R-A", a1=0, a2=1), claimed=0) for _ in range(60)]))
    assert value["more"]["findings"] == 50 and value["verdict"] == "clean"


def test_faults_in_bulk_cost_little_memory_each():
    record = a_record(INCHES, [Move(n, "A", "a", "9" if n % 2 else "0") for n in range(1, 2_501)], header=AT_ZERO)
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


def test_long_lists_of_an_audit_are_cut_and_counted_and_the_verdict_is_that_of_the_whole(monkeypatch):
    for name in ("MOST_ERRORS", "MOST_NOTES", "MOST_UNCHECKED"):
        monkeypatch.setattr(bounds, name, 10)
    events = [Unknown(n, "nothing", {}) for n in range(1, 31)]
    errors = [InputError(n, "", "x", "an event") for n in range(40)]
    record = a_record(INCHES, [*events, Move(31, "A", "a", "9")], header=AT_ZERO, errors=errors)
    value = audit(record, INCHES, ruled(INCHES), engine="test")
    assert value["more"] == {"errors": 30, "notes": 20, "unchecked": 20}
    assert len(value["errors"]) == len(value["coverage"]["unchecked"]) == 10
    told = [note["text"] for note in value["notes"]]
    assert len(told) == 13
    assert told[10:] == [
        "There are 30 more errors in the file than are listed.",
        "There are 20 more notes than are listed.",
        "There are 20 more events that could not be checked than are listed.",
    ]
    assert value["verdict"] == "incomplete" and value["findings"][0]["kind"] == "ambiguous"


def test_an_audit_within_the_bounds_has_nothing_more():
    record = a_record(INCHES, [Move(1, "A", "a", "9")], header=AT_ZERO)
    assert "more" not in audit(record, INCHES, ruled(INCHES), engine="test")
