"""What stands is drawn in the audit; what holds only under readings not in force is drawn when somebody asks."""

from __future__ import annotations

import rfc8785

from auditor.core.audit import audit, filled, sealed, sealed_json
from auditor.core.findings import Fault
from tests.core.helpers import a_record, audited, numbered, ruled
from tests.core.machines import MACHINE, Act, ask
from tests.core.test_readings import with_check

STANDING = Act(0, 0, ("is", 0), claimed=1)
ONLY_UNDER = Act(0, 0, ask("R-A", a1=1, a2=0), claimed=1)
EVENTS = (STANDING, ONLY_UNDER)


def the_audit(everything, given=None):
    record = a_record(MACHINE, numbered(*EVENTS))
    return audit(record, MACHINE, ruled(MACHINE, given), engine="test", strict=True, everything=everything)


def test_what_stands_is_drawn_and_what_does_not_is_slim():
    standing, only_under = the_audit(False)["findings"]
    assert (standing["stands"], only_under["stands"]) == (True, False)
    assert standing["evidence"]["before"]["values"] == [0, 0, 0] and standing["effect"]["text"]
    assert only_under["evidence"] is None and only_under["effect"] is None
    assert only_under["scope"]["holds"] == [{"R-A": "a2"}] and only_under["text"] == "Wrong."


def test_what_is_undecided_is_drawn():
    _, undecided = the_audit(False, {"R-A": "open"})["findings"]
    assert undecided["kind"] == "ambiguous" and undecided["evidence"]["before"]["values"] == [1, 0, 0]


def test_the_digest_is_the_same_whatever_is_drawn():
    slim, full = sealed(the_audit(False)), sealed(the_audit(True))
    assert slim["digest"] == full["digest"]
    assert {key for key in full if key not in slim} == {"drawn"}
    assert {key: part for key, part in full.items() if key != "drawn"} == slim
    only_under = slim["findings"][1]
    assert list(full["drawn"]) == [only_under["id"]]
    assert filled(full)["findings"][1] == {**only_under, **full["drawn"][only_under["id"]]}
    assert filled(full)["findings"][1]["evidence"]["before"]["values"] == [1, 0, 0]
    assert filled(slim) == slim
    value, written = sealed_json(the_audit(True))
    assert written == rfc8785.dumps(value) and value == full


def test_evidence_of_what_is_slim_is_not_asked_for():
    shown = []

    def check(event, resolved, position, hearing):
        if hearing.ask("R-B") == "b2":
            yield Fault("X-1", "illegal", "Wrong.", rests_on=(), evidence=lambda: shown.append(event.seq) or {})

    audited(with_check(MACHINE, check), numbered(Act(0, 0, ("is", 0))))
    assert shown == []
    audited(with_check(MACHINE, check), numbered(Act(0, 0, ("is", 0))), everything=True)
    assert shown == [1]


def test_a_picture_that_fails_changes_no_digest():
    def check(event, resolved, position, hearing):
        if hearing.ask("R-B") == "b2":
            yield Fault("X-1", "illegal", "Wrong.", rests_on=(), evidence=lambda: 1 / 0)

    game, act = with_check(MACHINE, check), numbered(Act(0, 0, ("is", 0)))
    slim, full = (audited(game, act, strict=False, everything=everything) for everything in (False, True))
    assert slim["digest"] == full["digest"]
