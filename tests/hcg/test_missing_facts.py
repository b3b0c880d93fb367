"""What a log leaves out is nobody's fault: fields of events of each legal example are left out, one at a time.

A fixed eighth of them is tried in each run; all of them, which takes minutes, with AUDITOR_WHOLE=1 in the environment.
"""

from __future__ import annotations

import os
from pathlib import Path
from zlib import crc32

import msgspec
import pytest

from auditor.systems.hcg import records
from tests.hcg.examples import FIXTURES, audited, examples, read

PATHS = [*examples("HCG-*", "legal"), *examples("fights", "")]
WHOLE = "AUDITOR_WHOLE" in os.environ


def tried(path: Path, seq: int, name: str) -> bool:
    return WHOLE or crc32(f"{path.parent.name}/{path.stem}/{seq}/{name}".encode()) % 8 == 0


@pytest.mark.parametrize("path", PATHS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_missing_field_accuses_nobody_and_a_missing_fact_is_said(path: Path) -> None:
    log = read(path)
    for number, event in enumerate(log["events"]):
        for name in (*event, *(["source.card"] if isinstance(event.get("source"), dict) else [])):
            if name in ("seq", "type") or not tried(path, event["seq"], name):
                continue
            bare = {key: value for key, value in event.items() if key != name}
            if name == "source.card":
                bare["source"] = {key: value for key, value in event["source"].items() if key != "card"}
            events = [*log["events"][:number], bare, *log["events"][number + 1 :]]
            audit = audited({**log, "events": events})
            where = (event["seq"], event["type"], name)
            assert not [f["text"] for f in audit["findings"] if f["stands"]], where
            kind = records.EVENTS[event["type"]]
            if records.lacking(msgspec.convert(bare, kind)) and name != "choices":
                assert audit["verdict"] == "incomplete", where


def test_a_modifier_that_nobody_knows_may_have_asked_for_a_test_that_failed() -> None:
    log = read(FIXTURES / "HCG-MOD-04/legal-a-test-of-a-modifier-fails-and-comes-after.json")
    known = [card for card in log["header"]["cards"] if card["id"] != "l-x3"]
    assert len(known) == len(log["header"]["cards"]) - 1
    audit = audited({**log, "header": {**log["header"], "cards": known}})
    assert [finding["text"] for finding in audit["findings"] if finding["stands"]] == []
