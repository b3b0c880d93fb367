"""Rules that are taken to find nothing in an event, by its topics, would have found nothing in it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from auditor.core.ruleset import Plan, Ruleset, Topics
from auditor.engine import audit_log
from auditor.systems.calth.ruleset import RULESET
from tests.calth.examples import FIXTURES, examples
from tests.shares import WHOLE, is_tried

TAKEN_TO_FIND_NOTHING = {rule.id for rule in RULESET.rules if rule.finds}

PLAN = Ruleset.plan


def logs() -> Iterator[bytes]:
    """The whole games, and the examples of rules that are taken to find nothing somewhere."""
    for example in examples():
        if example.rule in TAKEN_TO_FIND_NOTHING and is_tried(3, example, "passed over"):
            yield example.read_bytes()
    for path in sorted(FIXTURES.glob("games/*.jsonl")):
        if is_tried(2, "games", path.stem, "passed over"):
            yield path.read_bytes()


@pytest.fixture(scope="module")
def before() -> list[str]:
    """The digests of the audits as they are made."""
    return [audit_log(log, causes=False)["digest"] for log in logs()]


def every_check(ruleset: Ruleset, kind: type, topics: Topics) -> Plan:
    """The same checks, and those of the rules that are taken to find nothing."""
    plan = PLAN(ruleset, kind, topics)
    known = {slot: check for slot, check, *_ in ruleset._looking_at(ruleset.events[kind])}
    return Plan(tuple((slot, known[slot]) for slot in sorted([*dict(plan.checks), *plan.clear])), ())


def test_an_audit_is_the_same_if_these_rules_look_after_all(before: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Ruleset, "plan", every_check)
    assert [audit_log(log, causes=False)["digest"] for log in logs()] == before
    assert len(before) > (50 if WHOLE else 15)


def every_rule_of_sight(ruleset: Ruleset, kind: type, topics: Topics) -> Plan:
    """The same checks, and those of all rules of sight, whatever an attack is about."""
    plan = PLAN(ruleset, kind, topics)
    known = {slot: check for slot, check, *_ in ruleset._looking_at(ruleset.events[kind])}
    sight = {slot for slot in known if ruleset.rules[slot].id.startswith("CAL-LOS-")}
    clear = tuple(slot for slot in plan.clear if slot not in sight)
    return Plan(tuple((slot, known[slot]) for slot in sorted({*dict(plan.checks), *sight})), clear)


def test_an_audit_is_the_same_if_the_rules_of_sight_look_at_every_attack(
    before: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Ruleset, "plan", every_rule_of_sight)
    assert [audit_log(log, causes=False)["digest"] for log in logs()] == before
