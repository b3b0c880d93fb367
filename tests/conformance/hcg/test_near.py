"""How often a rule of the card game was looked at, and how near a legal game came to a fault of it."""

from __future__ import annotations

from auditor import engine
from auditor.conformance.hcg.generate import legal_game
from auditor.conformance.logs import as_jsonl

LOOKED_AT = (
    *("HCG-BA-06", "HCG-SHOOT-08", "HCG-CHG-02", "HCG-BAC-01", "HCG-BAA-01", "HCG-INF-02", "HCG-DES-03"),
    *("HCG-WIN-03", "HCG-WIN-04"),
)


def test_a_rule_that_finds_nothing_to_say_was_looked_at():
    ran: set[str] = set()
    for seed in (3, 5, 11, 14, 16):
        audit, _ = engine.audit_counts(as_jsonl(legal_game(seed)[0]).encode())
        ran |= {one["rule"] for one in audit["coverage"]["rules_run"]}
    assert [rule for rule in LOOKED_AT if rule not in ran] == []
