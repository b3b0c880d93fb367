"""Rules that do not look at an event, by its topics, would have had nothing to look at in it, or found nothing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from auditor.core.ruleset import Plan, Ruleset, Topics
from auditor.engine import audit_log
from auditor.systems.hcg.ruleset import RULESET
from tests.hcg.examples import FIXTURES, examples
from tests.shares import WHOLE, is_tried

THEIR_OWN = {"first", "begins", "shows"}
"""Topics that these rules do not look for themselves."""
PASSING_OVER = {
    rule.id
    for rule in RULESET.rules
    for topics in (*rule.when.values(), *rule.finds.values())
    if THEIR_OWN.isdisjoint(topics)
}

PLAN = Ruleset.plan


def logs() -> Iterator[bytes]:
    """The whole games, and the examples of rules that pass over some events of their types."""
    for example in examples():
        if example.rule in PASSING_OVER and is_tried(3, example, "passed over"):
            yield example.read_bytes()
    for path in sorted(FIXTURES.glob("games/*.json*")):
        if not path.name.endswith(".expected.json") and is_tried(3, "games", path.stem, "passed over"):
            yield path.read_bytes()


def every_check(ruleset: Ruleset, kind: type, topics: Topics) -> Plan:
    """The same checks, and those of the rules that pass over the event."""
    known = dict(PLAN(ruleset, kind, topics).checks)
    for slot, check, *_ in ruleset._looking_at(ruleset.events[kind]):
        if ruleset.rules[slot].id in PASSING_OVER:
            known[slot] = check
    return Plan(tuple(sorted(known.items())), ())


def test_an_audit_is_the_same_if_these_rules_look_after_all(monkeypatch: pytest.MonkeyPatch) -> None:
    before = [audit_log(log, causes=False)["digest"] for log in logs()]
    monkeypatch.setattr(Ruleset, "plan", every_check)
    assert [audit_log(log, causes=False)["digest"] for log in logs()] == before
    assert len(before) > (50 if WHOLE else 15)
