"""The examples of Calth's rules and readings, and what an audit of one says."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from auditor.conformance.calth.plant import faulty_game
from auditor.conformance.logs import as_jsonl
from auditor.engine import audit_log
from tests import examples as files
from tests.ended import as_if_ended
from tests.examples import FIXTURES as OF_ALL
from tests.examples import Example

FIXTURES = OF_ALL / "calth"


def audited(log: Path | Example, readings: Mapping[str, str] | None = None) -> dict[str, Any]:
    """The audit of an example or a file as if it had its end; a fault of ours raises."""
    rulings = {"name": "test", "readings": dict(readings)} if readings is not None else None
    return as_if_ended(audit_log(log.read_bytes(), rulings=rulings, strict=True))


def judged(log: Path | Example, readings: Mapping[str, str] | None = None) -> dict[str, Any]:
    """The same without what its lines may have meant, which costs most: what the rules say."""
    rulings = {"name": "test", "readings": dict(readings)} if readings is not None else None
    return as_if_ended(audit_log(log.read_bytes(), rulings=rulings, meant=False, digest=False, strict=True))


def examples(name: str = "", file: str | None = "CAL-*") -> list[Example]:
    """Examples whose names begin so, of all rules or of other files (None: of all)."""
    return files.examples("calth", name, file)


def example(name: str) -> Example:
    """An example by its file and its name."""
    return files.example("calth", name)


def matches(expected: Mapping[str, Any], finding: Mapping[str, Any]) -> bool:
    """Whether a finding is what was expected, in all that was written down."""
    for key, value in expected.items():
        if key == "text":
            continue
        found = finding[key]
        if key == "scope":
            if found["kind"] != value["kind"]:
                return False
            if value["kind"] == "only_under" and any(
                sorted(map(str, found[part])) != sorted(map(str, value[part]))
                for part in ("holds", "clears")
                if part in value
            ):
                return False
        elif found != value:
            return False
    return True


def differences(expected: list[Any], found: list[Any]) -> list[str]:
    """Expected findings that are not there, and findings that nobody expected."""
    left = list(found)
    told: list[str] = []
    for entry in expected:
        match = next((f for f in left if matches(entry, f)), None)
        if match is None:
            told.append(f"missing: {json.dumps({k: v for k, v in entry.items() if k != 'text'})}")
        else:
            left.remove(match)
    for f in left:
        told.append(
            f"unexpected: {f['rule']} {f['kind']} at {f['seq']} of {f['player']} stands={f['stands']}"
            f" {f['claimed']} -> {f['recomputed']} {f['scope']['kind']}: {f['text']}"
        )
    return told


def five_roots() -> bytes:
    """A generated game with five faults that nothing else led to."""
    faults = ("CAL-INI-01", "CAL-RDY-02", "CAL-RUN-03", "CAL-ATK-03", "CAL-ATK-05")
    for seed in range(3, 40):
        lines, planted = faulty_game(seed, faults, rounds=4)
        if len(planted) == len(faults):
            return as_jsonl(lines).encode()
    raise AssertionError("no game gave an occasion for all five")
