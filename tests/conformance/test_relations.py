"""A game written otherwise is judged the same; on some games here, on all of a conformance run."""

from random import Random

import pytest

from auditor.conformance.calth.inventor import INVENTOR
from auditor.conformance.calth.plant import PLANTABLE, faulty_game
from auditor.conformance.calth.relations import RELATIONS
from auditor.conformance.calth.variety import legal_game
from auditor.conformance.logs import as_jsonl
from auditor.engine import audit_log
from auditor.trials.relations import broken, judged
from tests.shares import in_turn


@pytest.mark.parametrize("name", RELATIONS)
def test_a_game_written_otherwise_is_judged_the_same(name: str) -> None:
    for seed in in_turn(list(RELATIONS).index(name), (5, 12, 30)):
        rng = Random(seed)
        lines = faulty_game(seed, rng.sample(PLANTABLE, 6), rounds=3)[0] if seed % 2 else legal_game(seed)[0]
        findings = audit_log(as_jsonl(lines).encode(), digest=False, causes=False, strict=True)["findings"]
        assert broken(INVENTOR, lines, findings, name, seed) == []


def test_a_log_that_is_judged_otherwise_breaks_its_relation() -> None:
    lines, _ = faulty_game(3, ["CAL-ADV-01", "CAL-ATK-03", "CAL-ACT-02", "CAL-RDY-02"], rounds=4)
    findings = audit_log(as_jsonl(lines).encode(), digest=False, causes=False)["findings"]
    assert judged(findings)
    assert broken(INVENTOR, lines, findings[1:], "turned", 5)
    assert broken(INVENTOR, lines, [{**findings[0], "kind": "omitted"}, *findings[1:]], "with remarks", 5)


def test_a_wrong_claim_that_is_left_out_shows_in_what_followed_from_it() -> None:
    """The counter-attack of event 129 was paid for with a TP; without that claim the round ends at 140 with the TP left."""
    number = 20261128
    lines = INVENTOR.planted("CAL-ASL-03 miscalculated", number).lines
    findings = audit_log(as_jsonl(lines).encode(), digest=False, causes=False)["findings"]
    assert [(one["rule"], one["seq"]) for one in findings if one["stands"]] == [("CAL-ASL-03", 129)]
    left_out = RELATIONS["claims left out"](lines, Random(f"claims left out {number}"))
    found = audit_log(left_out.data, digest=False, causes=False)["findings"]
    assert [(one["rule"], one["seq"]) for one in found if one["stands"]] == [("CAL-RND-01", 140)]
    assert 129 in left_out.without
    assert broken(INVENTOR, lines, findings, "claims left out", number) == []
    assert broken(INVENTOR, lines, [], "claims left out", number) != []
