"""The examples of the card game's rules and readings, and what an audit of one says.

An example is read here without the reader of logs: header and events as they stand, or the test fails.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from auditor import systems
from auditor.core.audit import audit
from auditor.core.record import Record, Unknown
from auditor.core.ruleset import Ruleset
from auditor.core.rulings import Rulings, rulings
from auditor.systems.hcg import records
from auditor.systems.hcg.packs import setup_of
from auditor.systems.hcg.ruleset import RULESET
from tests import examples as files
from tests.ended import as_if_ended
from tests.examples import FIXTURES as OF_ALL
from tests.examples import Example

FIXTURES = OF_ALL / "hcg"


def record_of(log: Mapping[str, Any]) -> Record:
    """A log as a record. A card set by id is the built-in one; what does not fit its shape raises."""
    setup, wrong, used = setup_of(json.dumps(log["header"]).encode(), systems.game("hcg").built_in_packs)
    assert setup is not None and not wrong, wrong
    events = [
        msgspec.convert(event, records.EVENTS[event["type"]])
        if event["type"] in records.EVENTS
        else Unknown(event["seq"], event["type"], event)
        for event in log["events"]
    ]
    lines = list(range(2, len(events) + 2))
    return Record("hcg", log["header"], events, lines, log_sha256="0" * 64, setup=setup, packs=used)


def replayed(log: Mapping[str, Any], readings: Mapping[str, str] | None = None) -> tuple[Record, Ruleset, Rulings]:
    """What a log is replayed by: as a record, the ruleset, and rulings."""
    given = {"name": "test", "readings": dict(readings or {})}
    return record_of(log), RULESET, rulings(given, RULESET.readings, [rule.id for rule in RULESET.rules])


def audited(log: Mapping[str, Any], readings: Mapping[str, str] | None = None) -> dict[str, Any]:
    """The audit of a log as if it had its end; a fault of ours raises."""
    return as_if_ended(audit(*replayed(log, readings), engine="test", strict=True))


def judged(log: Mapping[str, Any], readings: Mapping[str, str] | None = None) -> dict[str, Any]:
    """The audit of a log without what its lines may have meant, which costs most: what the rules say."""
    return as_if_ended(audit(*replayed(log, readings), engine="test", strict=True, meant=False))


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def examples(name: str = "", file: str | None = "HCG-*") -> list[Example]:
    """Examples whose names begin so, of all rules or of other files (None: of all)."""
    return files.examples("hcg", name, file)


def example(name: str) -> Example:
    """An example by its file and its name."""
    return files.example("hcg", name)


def differences(expected: list[Any], found: list[Any]) -> list[str]:
    """Expected findings that are not there, and findings that nobody expected. Compared in all that was written down; what a
    finding follows from is written as [rule, number of its event]."""
    named = {one["id"]: [one["rule"], one["seq"]] for one in found}
    left = [{**one, "depends_on": [named[i] for i in one["depends_on"]]} for one in found]
    told: list[str] = []
    for entry in expected:
        match = next((one for one in left if all(one[key] == value for key, value in entry.items())), None)
        if match is None:
            told.append(f"missing: {json.dumps(entry)}")
        else:
            left.remove(match)
    told += [
        f"unexpected: {one['rule']} {one['kind']} at {one['seq']} of {one['player']} stands={one['stands']}"
        f" {one['claimed']} -> {one['recomputed']} also={one['also']} {one['scope']}: {one['text']}"
        for one in left
    ]
    return told
