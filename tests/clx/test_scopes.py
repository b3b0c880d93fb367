"""The scope of a finding says under which readings it holds: the same as whole audits under those readings.

An option of a reading is tried on a fixed share of the examples of the rules that ask it, and on those of its own
reading; on all of these, which takes minutes, with AUDITOR_WHOLE=1 in the environment.
"""

from __future__ import annotations

import pytest

from auditor.systems.clx.readings import READINGS
from auditor.systems.clx.ruleset import RULESET
from tests.clx.examples import examples, judged
from tests.examples import Example
from tests.scopes import holding, is_in_the_share, standing

ASKED = {rule.id: frozenset(rule.readings) for rule in RULESET.rules}
DEFAULTS = {reading.id: reading.default for reading in READINGS}


def tried(example: Example, reading: str, option: str) -> bool:
    if example.rule == reading:
        return True
    if reading not in ASKED.get(example.rule, ()):
        return False
    return is_in_the_share(example, reading, option)


@pytest.mark.parametrize("example", [*examples(), *examples(file="readings/*")], ids=str)
def test_a_scope_is_that_of_whole_audits_with_one_reading_changed(example: Example) -> None:
    log = example.log
    base = judged(log)
    given = {**DEFAULTS, **(log["header"].get("rulings") or {}).get("readings", {})}
    for reading in READINGS:
        for option in reading.names:
            if option == given[reading.id] or not tried(example, reading.id, option):
                continue
            options = {**given, reading.id: option}
            there = standing(judged(log, {reading.id: option}))
            assert there == holding(base, options), (reading.id, option)
