"""Every place in the rules that makes a fault is reached by an example, so that none of them goes untried."""

from __future__ import annotations

from auditor.systems.calth.ruleset import RULESET
from tests.calth.examples import examples, judged
from tests.calth.places import places, watched

UNREACHED: dict[str, str] = {}
"""Places that no example reaches, each with the reason."""


def test_every_place_that_makes_a_fault_and_every_kind_is_reached_by_an_example() -> None:
    with watched() as reached:
        for example in examples():
            judged(example)
        for example in examples(file="readings/*"):
            expected = example.expected
            for option in expected["under"]:
                judged(example, {**expected.get("with", {}), example.rule: option})
    known = set(places().values())
    assert len(known) > 200
    assert sorted(known - reached.places) == sorted(UNREACHED)
    declared = {(rule.id, kind) for rule in RULESET.rules for kind in rule.kinds}
    assert sorted(declared - reached.kinds) == []
    assert sorted(reached.kinds - declared) == []


def test_a_place_goes_by_its_function_and_its_number_there() -> None:
    names = list(places().values())
    assert "ready.command_card 1" in names
    assert len({name.split(".")[0] for name in names}) > 20
