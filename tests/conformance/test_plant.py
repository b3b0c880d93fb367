"""The fault planters: each plants one fault, and the second referee finds that one."""

from __future__ import annotations

from collections import Counter

import pytest

from auditor.conformance.calth.check import check
from auditor.conformance.calth.plant import PLANTABLE, faulty_game, findings_of, plant
from auditor.conformance.calth.plant.companies import COMPANIES
from tests.shares import is_tried


@pytest.mark.parametrize("name", [name for name in PLANTABLE if is_tried(4, name)])
def test_a_planted_fault_is_found_and_nothing_beside_it(name):
    # Where games are made for a fault, few of them have to be played.
    lines, expected = plant(name, 1, tries=8 if name in COMPANIES else 60)
    found = Counter((d.seq, d.rule, d.kind, d.player) for d in check(lines))
    assert found == Counter((one["seq"], one["rule"], one["kind"], one["player"]) for one in findings_of(expected))


def test_many_faults_in_one_game_are_found_each_once():
    lines, expected = faulty_game(3, ["CAL-ADV-01", "CAL-ATK-03", "CAL-ACT-02", "CAL-RDY-02"], rounds=4)
    found = [(d.seq, d.rule) for d in check(lines)]
    assert found == [(line["seq"], line["rule"]) for line in expected]
    assert len(found) >= 3


def test_an_unknown_fault_is_refused():
    with pytest.raises(ValueError, match="CAL-XXX-99"):
        faulty_game(1, ["CAL-XXX-99"])
