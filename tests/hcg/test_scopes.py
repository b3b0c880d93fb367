"""The scope of a finding says under which readings it holds: the same as whole audits under those readings.

An option of a reading is tried on a fixed share of the examples in each run, and on those of its own reading; on all of
them, which takes minutes, with AUDITOR_WHOLE=1 in the environment.
"""

from __future__ import annotations

import pytest

from auditor.systems.hcg.readings import READINGS
from auditor.systems.hcg.rules import RULES
from tests.examples import Example
from tests.hcg.examples import examples, judged
from tests.scopes import holding, is_in_the_share, standing

ASKED = sorted({reading for rule in RULES for reading in rule.readings})
DEFAULTS = {reading.id: reading.default for reading in READINGS}
EXAMPLES = [*examples(), *examples("example", "readings/*"), *examples(file="fights")]


def tried(example: Example, reading: str, option: str) -> bool:
    return example.rule == reading or is_in_the_share(example, reading, option)


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_a_scope_is_that_of_whole_audits_with_one_reading_changed(example: Example) -> None:
    log = example.log
    base = judged(log)
    for reading in READINGS:
        if reading.id not in ASKED:
            continue
        for option in reading.names:
            if option == reading.default or not tried(example, reading.id, option):
                continue
            options = {**DEFAULTS, reading.id: option}
            there = standing(judged(log, {reading.id: option}))
            assert there == holding(base, options), (reading.id, option)
