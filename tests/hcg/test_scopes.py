"""The scope of a finding says under which readings it holds: the same as whole audits under those readings.

An option of a reading is tried on a fixed share of the examples in each run, and on those of its own reading; on all of
them, which takes minutes, with AUDITOR_WHOLE=1 in the environment.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from auditor.systems.hcg.readings import READINGS
from auditor.systems.hcg.rules import RULES
from tests.hcg.examples import examples, judged, read
from tests.scopes import holding, is_in_the_share, standing

ASKED = sorted({reading for rule in RULES for reading in rule.readings})
DEFAULTS = {reading.id: reading.default for reading in READINGS}
PATHS = [*examples("HCG-*", ""), *examples("readings/*", "example"), *examples("fights", "")]


def tried(path: Path, reading: str, option: str) -> bool:
    return path.parent.name == reading or is_in_the_share(path, reading, option)


@pytest.mark.parametrize("path", PATHS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_scope_is_that_of_whole_audits_with_one_reading_changed(path: Path) -> None:
    log = read(path)
    base = judged(log)
    for reading in READINGS:
        if reading.id not in ASKED:
            continue
        for option in reading.names:
            if option == reading.default or not tried(path, reading.id, option):
                continue
            options = {**DEFAULTS, reading.id: option}
            there = standing(judged(log, {reading.id: option}))
            assert there == holding(base, options), (reading.id, option)
