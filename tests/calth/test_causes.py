"""Which findings only follow: each log in fixtures/calth/causes.json has its roots, and nothing remains without them."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest

from auditor.engine import audit_log
from tests.calth.examples import audited, examples, five_roots
from tests.ended import as_if_ended
from tests.examples import Example

LOGS = examples(file="causes")


def standing(audit: dict[str, Any]) -> list[dict[str, Any]]:
    """The findings that accuse somebody or leave something open."""
    return [finding for finding in audit["findings"] if finding["stands"] or finding["kind"] == "ambiguous"]


def put_right(log: dict[str, Any], changes: list[dict[str, Any]]) -> bytes:
    """The log with some events replaced by others or by none, numbered anew."""
    instead = {change["seq"]: change["events"] for change in changes}
    events = [event for old in log["events"] for event in instead.get(old["seq"], [old])]
    numbered = [{**event, "seq": n} for n, event in enumerate(events, 1)]
    return json.dumps({"header": log["header"], "events": numbered}).encode()


@pytest.mark.parametrize("example", LOGS, ids=lambda example: example.name)
def test_each_finding_names_exactly_its_roots(example: Example) -> None:
    found = standing(audited(example))
    names = {finding["id"]: [finding["rule"], finding["seq"]] for finding in found}
    told = [
        {
            **{key: finding[key] for key in ("rule", "seq", "kind", "player")},
            "depends_on": sorted(names[root] for root in finding["depends_on"]),
        }
        for finding in found
    ]
    assert told == example.expected["findings"]


@pytest.mark.parametrize("example", LOGS, ids=lambda example: example.name)
def test_nothing_remains_when_the_roots_are_put_right_in_the_record(example: Example) -> None:
    right = put_right(example.log, example.expected["put_right"])
    audit = as_if_ended(audit_log(right, strict=True))
    assert [finding["text"] for finding in standing(audit)] == []
    assert audit["verdict"] == "clean"


def test_consequences_independent_offences_and_shared_ones_are_among_the_logs() -> None:
    findings = [example.expected["findings"] for example in LOGS]
    roots = [sum(not finding["depends_on"] for finding in log) for log in findings]
    assert sum(roots) < sum(map(len, findings))
    assert sum(n == len(log) > 1 for n, log in zip(roots, findings, strict=True)) >= 2
    assert any(len(finding["depends_on"]) > 1 for log in findings for finding in log)


def test_causes_take_at_most_three_times_the_calls_on_a_game_with_five_roots() -> None:
    data = five_roots()
    audit = audit_log(data, strict=True, digest=False)
    assert sum(not finding["depends_on"] for finding in standing(audit)) == 5

    def calls(causes: bool) -> int:
        """How many functions an audit calls: what it costs, whatever else the machine does."""
        count = 0

        def note(frame: Any, event: str, arg: Any) -> None:
            nonlocal count
            count += event == "call"

        sys.setprofile(note)
        try:
            audit_log(data, digest=False, causes=causes, meant=False)
        finally:
            sys.setprofile(None)
        return count

    assert calls(False) < calls(True) <= 3 * calls(False)
