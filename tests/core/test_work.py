"""What a record may cost is counted, and what is left unjudged is said and accuses nobody."""

from __future__ import annotations

from dataclasses import replace

import pytest

from auditor.core import bounds, work
from auditor.core.audit import audit
from auditor.core.replay import TOO_MUCH_WORK, Replay
from auditor.core.work import Purse, Spent, paid_from, spend
from tests.core.helpers import a_record, ruled
from tests.core.inches import INCHES, Move, Shoot, Undo

AT_ZERO = {"where": {"a": "0", "b": "0"}}


def moves(count: int) -> list[Move]:
    """Moves of which each is too long."""
    return [Move(n, "A", "a", "9" if n % 2 else "0") for n in range(1, count + 1)]


def the_audit(events, monkeypatch, most):
    monkeypatch.setattr(bounds, "MOST_WORK", most)
    return audit(a_record(INCHES, events, header=AT_ZERO), INCHES, ruled(INCHES), engine="test")


def test_work_is_paid_from_the_purse_in_use_and_ends_when_that_is_spent():
    purse = Purse(10)
    with paid_from(purse):
        spend(10)
        with pytest.raises(Spent):
            spend(1)
        with pytest.raises(Spent):
            spend(0)
        with paid_from(None):
            spend(1_000)
    spend(1_000)
    assert purse.spent


def test_beyond_the_work_of_a_record_nothing_is_judged_and_the_audit_says_so(monkeypatch):
    of_ten = 10 * (bounds.WORK_OF_AN_EVENT + bounds.WORK_OF_A_FAULT)
    value = the_audit(moves(50), monkeypatch, of_ten)
    assert [one["seq"] for one in value["findings"]] == list(range(1, 11))
    assert value["coverage"]["resolved"] == 10 and value["coverage"]["events"] == 50
    assert value["coverage"]["unchecked"] == [{"seq": 11, "rule": None, "why": TOO_MUCH_WORK}]
    assert value["verdict"] == "findings"


def test_a_record_that_was_legal_so_far_is_incomplete(monkeypatch):
    events = [Move(n, "A", "a", "0") for n in range(1, 20)]
    value = the_audit(events, monkeypatch, 5 * bounds.WORK_OF_AN_EVENT)
    assert value["findings"] == [] and value["verdict"] == "incomplete"
    assert value["coverage"]["resolved"] == 5


def test_what_is_taken_back_after_the_work_is_spent_is_known_to_be_taken_back(monkeypatch):
    of_three = 3 * (bounds.WORK_OF_AN_EVENT + bounds.WORK_OF_A_FAULT) + 10
    value = the_audit([*moves(8), Undo(9, None, 0), Move(10, "A", "a", "1")], monkeypatch, of_three)
    assert [(one["stands"], one["undone"]) for one in value["findings"]] == [(False, True)] * 3
    assert value["verdict"] == "incomplete"
    assert value["coverage"]["unchecked"] == [{"seq": 4, "rule": None, "why": TOO_MUCH_WORK}]


def test_play_goes_back_and_forth_after_the_work_is_spent(monkeypatch):
    of_three = 3 * (bounds.WORK_OF_AN_EVENT + bounds.WORK_OF_A_FAULT) + 10
    events = [*moves(5), Undo(6, None, 2), Move(7, "A", "a", "1"), Undo(8, None, 5), Move(9, "A", "a", "1")]
    value = the_audit(events, monkeypatch, of_three)
    assert [(one["seq"], one["stands"]) for one in value["findings"]] == [(1, True), (2, True), (3, True)]


def test_the_same_record_costs_the_same_each_time():
    record = a_record(INCHES, moves(40), header=AT_ZERO)
    spent = []
    for _ in range(2):
        replay = Replay(INCHES, record, ruled(INCHES))
        replay.run()
        spent.append(replay.purse.left)
    assert spent[0] == spent[1] < bounds.MOST_WORK


def test_a_check_cannot_pass_over_that_the_work_is_spent(monkeypatch):
    monkeypatch.setattr(bounds, "MOST_WORK", 1_000)
    rules = tuple(
        replace(rule, check=_dear) if rule.check is not None and "move" in rule.events else rule
        for rule in INCHES.rules
    )
    record = a_record(
        INCHES, [Shoot(1, "B", "b", "a", 2), *(Move(n, "A", "a", "1") for n in range(2, 6))], header=AT_ZERO
    )
    ruleset = replace(INCHES, rules=rules)
    value = audit(record, ruleset, ruled(INCHES), engine="test")
    assert [one["why"] for one in value["coverage"]["unchecked"]] == [TOO_MUCH_WORK]
    assert not any("fault of the auditor" in one["why"] for one in value["coverage"]["unchecked"])


def _dear(event, resolved, position, hearing):
    try:
        work.spend(2_000)
    except Exception:  # as a game may do
        return ()
    return ()


def test_causes_beyond_their_work_are_left_open(monkeypatch):
    monkeypatch.setattr(bounds, "MOST_WORK_ON_CAUSES", 50)
    value = the_audit(moves(30), monkeypatch, 10**6)
    assert any("than causes were traced for" in note["text"] for note in value["notes"])


def test_drawings_beyond_their_bytes_are_left_out_and_no_finding_is_lost(monkeypatch):
    whole = the_audit(moves(30), monkeypatch, 10**6)
    monkeypatch.setattr(bounds, "MOST_BYTES_DRAWN", 2_000)
    value = the_audit(moves(30), monkeypatch, 10**6)
    drawn = [one["evidence"]["before"] is not None for one in value["findings"]]
    assert 0 < sum(drawn) < 30 and drawn == sorted(drawn, reverse=True)
    assert [one["id"] for one in value["findings"]] == [one["id"] for one in whole["findings"]]


def test_findings_beyond_their_bytes_are_counted_and_the_verdict_is_that_of_the_whole(monkeypatch):
    monkeypatch.setattr(bounds, "MOST_BYTES_OF_FINDINGS", 5_000)
    value = the_audit(moves(30), monkeypatch, 10**6)
    assert 0 < len(value["findings"]) < 30
    assert value["more"] == {"findings": 30 - len(value["findings"])}
    monkeypatch.setattr(bounds, "MOST_BYTES_OF_FINDINGS", 10)
    assert the_audit(moves(30), monkeypatch, 10**6)["verdict"] == "findings"


def test_positions_kept_for_undos_are_bounded_by_what_stands_on_them(monkeypatch):
    monkeypatch.setattr(bounds, "MOST_POSITIONS", 3)
    events = [*moves(6), *(Undo(7 + n, None, 1 + n) for n in range(5))]
    value = the_audit(events, monkeypatch, 10**6)
    assert [one["why"] for one in value["coverage"]["unchecked"]][:1] == [
        "event 10 takes play back to event 4, to which the record cannot be followed"
    ]
