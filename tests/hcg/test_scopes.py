"""The scope of a finding says under which readings it holds: the same as whole audits under those readings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from auditor.core.findings import ACCUSATIONS
from auditor.systems.hcg.readings import READINGS
from auditor.systems.hcg.rules import RULES
from tests.hcg.examples import audited, examples, read

ASKED = sorted({reading for rule in RULES for reading in rule.readings})
DEFAULTS = {reading.id: reading.default for reading in READINGS}
PATHS = [*examples("HCG-*", ""), *examples("readings/*", "example"), *examples("fights", "")]


def keys(audit: dict[str, Any]) -> dict[tuple[Any, ...], dict[str, Any]]:
    return {(f["rule"], f["seq"], f["player"], *f["subject"]): f for f in audit["findings"]}


def holds_under(finding: dict[str, Any], options: dict[str, str]) -> bool:
    if finding["kind"] not in ACCUSATIONS:
        return False
    if finding["scope"]["kind"] == "every_reading":
        return True
    return any(all(options[r] == option for r, option in cube.items()) for cube in finding["scope"]["holds"])


@pytest.mark.parametrize("path", PATHS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_scope_is_that_of_whole_audits_with_one_reading_changed(path: Path) -> None:
    log = read(path)
    base = keys(audited(log))
    for reading in READINGS:
        if reading.id not in ASKED:
            continue
        for option in reading.names:
            if option == reading.default:
                continue
            options = {**DEFAULTS, reading.id: option}
            standing = {key for key, f in keys(audited(log, {reading.id: option})).items() if f["stands"]}
            said = {key for key, finding in base.items() if holds_under(finding, options)}
            assert standing == said, (reading.id, option)
