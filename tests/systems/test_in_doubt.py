"""What a record does not show, an event that nobody knows or a line that is lost, may leave in doubt; it accuses nobody."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from auditor.core.findings import ACCUSATIONS
from auditor.engine import audit_log
from tests.calth import examples as calth
from tests.clx import examples as clx
from tests.examples import Example
from tests.hcg import examples as hcg
from tests.shares import is_tried

Audited = Callable[[Mapping[str, Any]], dict[str, Any]]

EVERY: list[tuple[Example, Audited]] = [
    *((example, clx.judged) for example in clx.examples("illegal")),
    *((example, hcg.judged) for example in hcg.examples("illegal")),
]
STILL_ACCUSED = {
    "HCG-DOC-02/illegal-a-card-just-rolled-drawn-off-the-refilled-deck": [(6, "p1", "HCG-ROLL-06")],
}
"""A defect: the unknown event after a refill is not taken for one that needed a card."""
EXAMPLES = [
    (example, audited) for example, audited in EVERY if is_tried(8, example, "lost") or str(example) in STILL_ACCUSED
]


def accused(audit: Mapping[str, Any]) -> list[tuple[int, str, str]]:
    """Who is accused at which event, under which rule; rules that are told beside another among them."""
    return [
        (finding["seq"], finding["player"], rule)
        for finding in audit["findings"]
        if finding["stands"] and finding["kind"] in ACCUSATIONS
        for rule in (finding["rule"], *finding["also"])
    ]


def with_one_lost(log: Mapping[str, Any], place: int) -> dict[str, Any]:
    """A log with an event of a type that nobody knows before one of its events, of the same number."""
    events = log["events"]
    lost = {"seq": events[place]["seq"], "type": "lost"}
    return {**log, "events": [*events[:place], lost, *events[place:]]}


@pytest.mark.parametrize(("example", "audited"), EXAMPLES, ids=lambda v: str(v) if isinstance(v, Example) else "")
def test_an_unknown_event_adds_no_accusation(example: Example, audited: Audited) -> None:
    log = example.log
    before = audited(log)
    there, found = accused(before), set()
    for place in range(1, len(log["events"])):
        if any(finding["seq"] == log["events"][place]["seq"] for finding in before["findings"]):
            found.update(one for one in accused(audited(with_one_lost(log, place))) if one not in there)
    assert sorted(found) == STILL_ACCUSED.get(str(example), [])


LEGAL = [
    one
    for one in (*calth.examples("legal"), *hcg.examples("legal"), *clx.examples("legal"))
    if is_tried(48, one, "legal") or one.name == "legal-another-card-named"
]


@pytest.mark.parametrize("example", LEGAL, ids=str)
def test_a_line_lost_out_of_a_legal_record_accuses_nobody(example: Example) -> None:
    log = example.log
    events = log["events"]
    for place in range(len(events) - 1):
        if events[place]["type"] not in ("undo", "position"):
            lines = {**log, "events": [*events[:place], *events[place + 1 :]]}
            audit = audit_log(json.dumps(lines).encode(), digest=False, causes=False, meant=False, strict=True)
            assert accused(audit) == [], f"without event {events[place]['seq']}"
