"""The scope of a finding says under which readings it holds: the same as whole audits under those readings.

An option of a reading is tried on a fixed share of the examples of the rules that ask it, and on those of its own
reading; on all of these, which takes minutes, with AUDITOR_WHOLE=1 in the environment.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from auditor.systems.clx.readings import READINGS
from auditor.systems.clx.ruleset import RULESET
from tests.clx.examples import FIXTURES, examples, judged, read
from tests.scopes import holding, is_in_the_share, standing

ASKED = {rule.id: frozenset(rule.readings) for rule in RULESET.rules}
DEFAULTS = {reading.id: reading.default for reading in READINGS}
OF_READINGS = [
    path for path in sorted((FIXTURES / "readings").glob("*/*.json")) if not path.name.endswith(".expected.json")
]


def tried(path: Path, reading: str, option: str) -> bool:
    if path.parent.name == reading:
        return True
    if reading not in ASKED.get(path.parent.name, ()):
        return False
    return is_in_the_share(path, reading, option)


@pytest.mark.parametrize("path", [*examples(""), *OF_READINGS], ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_scope_is_that_of_whole_audits_with_one_reading_changed(path: Path) -> None:
    log = read(path)
    base = judged(log)
    given = {**DEFAULTS, **(log["header"].get("rulings") or {}).get("readings", {})}
    for reading in READINGS:
        for option in reading.names:
            if option == given[reading.id] or not tried(path, reading.id, option):
                continue
            options = {**given, reading.id: option}
            there = standing(judged(log, {reading.id: option}))
            assert there == holding(base, options), (reading.id, option)
