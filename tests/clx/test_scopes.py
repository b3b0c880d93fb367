"""The scope of a finding says under which readings it holds: the same as whole audits under those readings.

An option of a reading is tried on a fixed eighth of the examples of the rules that ask it, and on those of its own
reading; on all of these, which takes minutes, with AUDITOR_WHOLE=1 in the environment.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

from auditor.core.findings import ACCUSATIONS
from auditor.systems.clx.readings import READINGS
from auditor.systems.clx.ruleset import RULESET
from tests.clx.examples import FIXTURES, audited, examples, read

ASKED = {rule.id: frozenset(rule.readings) for rule in RULESET.rules}
DEFAULTS = {reading.id: reading.default for reading in READINGS}
WHOLE = "AUDITOR_WHOLE" in os.environ
OF_READINGS = [
    path for path in sorted((FIXTURES / "readings").glob("*/*.json")) if not path.name.endswith(".expected.json")
]


def keys(audit: dict[str, Any]) -> dict[tuple[Any, ...], dict[str, Any]]:
    return {(f["rule"], f["seq"], f["player"], *f["subject"]): f for f in audit["findings"]}


def holds_under(finding: dict[str, Any], options: dict[str, str]) -> bool:
    if finding["kind"] not in ACCUSATIONS:
        return False
    if finding["scope"]["kind"] == "every_reading":
        return True
    return any(all(options[r] == option for r, option in cube.items()) for cube in finding["scope"]["holds"])


def tried(path: Path, reading: str, option: str) -> bool:
    if path.parent.name == reading:
        return True
    if reading not in ASKED.get(path.parent.name, ()):
        return False
    return WHOLE or crc32(f"{path.parent.name}/{path.stem}/{reading}/{option}".encode()) % 8 == 0


@pytest.mark.parametrize("path", [*examples(""), *OF_READINGS], ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_scope_is_that_of_whole_audits_with_one_reading_changed(path: Path) -> None:
    log = read(path)
    base = keys(audited(log))
    given = {**DEFAULTS, **(log["header"].get("rulings") or {}).get("readings", {})}
    for reading in READINGS:
        for option in reading.names:
            if option == given[reading.id] or not tried(path, reading.id, option):
                continue
            options = {**given, reading.id: option}
            standing = {key for key, f in keys(audited(log, {reading.id: option})).items() if f["stands"]}
            said = {key for key, finding in base.items() if holds_under(finding, options)}
            assert standing == said, (reading.id, option)
