"""The example files of the rules and readings, and what an audit of one says."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from auditor.conformance.calth.plant import faulty_game
from auditor.conformance.logs import as_jsonl
from auditor.engine import audit_log
from tests.ended import as_if_ended

FIXTURES = Path(__file__).parents[2] / "fixtures" / "calth"


def audited(path: Path, readings: Mapping[str, str] | None = None) -> dict[str, Any]:
    """The audit of an example file as if it had its end; a fault of ours raises."""
    rulings = {"name": "test", "readings": dict(readings)} if readings is not None else None
    return as_if_ended(audit_log(path.read_bytes(), rulings=rulings, strict=True))


def judged(path: Path, readings: Mapping[str, str] | None = None) -> dict[str, Any]:
    """The same without what its lines may have meant, which costs most: what the rules say."""
    rulings = {"name": "test", "readings": dict(readings)} if readings is not None else None
    return as_if_ended(audit_log(path.read_bytes(), rulings=rulings, meant=False, digest=False, strict=True))


def expected_of(path: Path) -> Any:
    """What must be found in an example file; None where nothing is said of it."""
    file = path.with_name(f"{path.stem}.expected.json")
    return json.loads(file.read_text()) if file.exists() else None


def examples(name: str, rules: str = "CAL-") -> list[Path]:
    """Example files whose name begins so, of all rules whose number begins so (as a pattern)."""
    found = sorted(FIXTURES.glob(f"{rules}*/{name}*.json"))
    return [path for path in found if not path.name.endswith(".expected.json")]


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
