"""Where a number is wrong or a sum too great, a finding says the number due, or a figure works it out."""

from __future__ import annotations

import pytest

from tests.calth.examples import examples, judged
from tests.shares import is_tried


@pytest.mark.parametrize("start", ["CAL-A", "CAL-C", "CAL-D", "CAL-[HIMLOR]", "CAL-[SW]"])
def test_what_is_due_stands_beside_what_was_claimed(start: str) -> None:
    silent = []
    for example in examples(file=f"{start}*"):
        if not is_tried(3, example, "due"):
            continue
        for one in judged(example)["findings"]:
            if one["kind"] in ("ambiguous", "record"):
                continue
            claimed, figures = one["claimed"] or {}, {figure["name"] for figure in one["figures"]}
            a_number = one["kind"] == "miscalculated" or any(key.startswith(("dice", "tp", "units")) for key in claimed)
            wants = a_number and not one["recomputed"] and not figures
            wants = wants or ("weapons" in claimed and "attack dice" not in figures)
            wants = wants or (" a bulk of " in one["text"] and not figures & {"bulk"})
            if wants:
                silent.append((str(example), one["rule"], one["text"]))
    assert silent == []
