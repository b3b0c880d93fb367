"""What the rounding of a record can explain is held against nobody."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from auditor.engine import audit_log

HERE = Path(__file__).parent


def rounded(value: Any, step: float) -> Any:
    """The same JSON with every place ([x, y], or [x, y, z]) rounded."""
    if isinstance(value, dict):
        return {key: rounded(item, step) for key, item in value.items()}
    if isinstance(value, list):
        if (
            len(value) in (2, 3)
            and all(isinstance(one, int | float) for one in value)
            and any(isinstance(one, float) for one in value)
        ):
            return [round(round(one / step) * step, 4) for one in value]
        return [rounded(item, step) for item in value]
    return value


def log_of(name: str, step: float, *, declared: bool = True, more: float = 0) -> bytes:
    header, *events = [json.loads(line) for line in (HERE / f"{name}.jsonl").read_text().splitlines()]
    header["recording_precision"] = step if declared else 0.001
    made = [rounded(event, step) for event in events]
    if more:
        moved = next(event for event in made if event["type"] == "move")
        for row in moved["models"]:
            row["path"][-1][0] += more
    return "".join(json.dumps(line) + "\n" for line in (header, *made)).encode()


@pytest.mark.parametrize("step", [0.1, 0.25, 0.5])
@pytest.mark.parametrize("name", ["short-one", "short-two", "short-three"])
def test_places_rounded_to_what_the_header_says_accuse_nobody(name, step):
    audit = audit_log(log_of(name, step))
    assert [(one["seq"], one["rule"], one["text"]) for one in audit["findings"] if one["stands"]] == []
    said = [note["text"] for note in audit["notes"] if note["kind"] == "input"]
    assert any(text.startswith(f"Places are recorded to {step:g} inches") for text in said), said


def test_what_no_rounding_explains_is_still_found():
    audit = audit_log(log_of("short-one", 0.1, more=9))
    assert [one for one in audit["findings"] if one["stands"]] != []


def test_a_record_to_two_decimals_says_nothing_of_it():
    audit = audit_log(log_of("short-one", 0.01))
    assert [note for note in audit["notes"] if note["kind"] == "input"] == []
