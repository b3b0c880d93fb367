"""Each difference between the auditor and the second referee is kept from coming back by an example that both agree on."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from auditor.conformance.calth.check import check
from auditor.trials.audited import as_the_referee_tells
from tests.calth.examples import example, examples, judged

DIFFERENCES = Path(__file__).with_name("differences.md").read_text(encoding="utf-8")
ROWS = [
    line for line in DIFFERENCES.splitlines() if line.startswith("| ") and "kept by |" not in line and "---" not in line
]
NAMED = sorted(set(re.findall(r"`((?:CAL-|readings/)[\w/-]+)`", DIFFERENCES)))


def log_of(name: str) -> dict[str, Any]:
    return example(name).log


def is_whole(name: str) -> bool:
    """Whether an example states every fact and takes nothing back: the second referee reads no others."""
    expected = example(name).expected or {"verdict": "clean"}
    return expected.get("verdict") != "incomplete" and all(event["type"] != "undo" for event in log_of(name)["events"])


WHOLE = [name for name in NAMED if is_whole(name)]
NOT_READ = {
    *("CAL-ASL-03/illegal-unit-not-stated", "CAL-AUD-04/illegal-points-not-stated-after-a-gap"),
    *("CAL-AUD-04/illegal-unit-placed-without-a-label", "CAL-INI-01/illegal-dice-not-stated"),
    *("CAL-RDY-01/illegal-late-draw-taken-back", "CAL-RET-03/illegal-moves-not-stated"),
    *("CAL-CMP-01/illegal-sixth-result-not-stated", "CAL-ATK-04/illegal-first-not-stated"),
}


def rulings_of(name: str) -> list[dict[str, str] | None]:
    """The readings under which an example is judged: each option of its reading, or the defaults."""
    folder, expected = name.split("/"), example(name).expected
    if folder[0] != "readings":
        return [None]
    return [{**expected.get("with", {}), folder[1]: option} for option in expected["under"]]


def test_every_difference_names_the_examples_that_keep_it_from_coming_back() -> None:
    assert len(ROWS) >= 20
    there = {f"{one.file}/{one.name}" for one in examples(file=None)}
    for row in ROWS:
        kept_by = re.findall(r"`((?:CAL-|readings/)[\w/-]+)`", row.split(" | ")[-1])
        assert kept_by, row
        assert set(kept_by) <= there, row
    assert set(NAMED) - set(WHOLE) == NOT_READ


@pytest.mark.parametrize("name", WHOLE)
def test_both_say_the_same_of_an_example_on_which_they_differed(name: str) -> None:
    log = log_of(name)
    for readings in rulings_of(name):
        audit = as_the_referee_tells(judged(example(name), readings))
        found = Counter((f["seq"], f["rule"], f["kind"], f["player"]) for f in audit["findings"] if f["stands"])
        found.update((note["seq"], note["rule"], "record", None) for note in audit["notes"] if note["kind"] == "record")
        others = check([log["header"], *log["events"]], readings)
        assert found == Counter((one.seq, one.rule, one.kind, one.player) for one in others), readings
