"""To whose advantage a slip was, as somebody says who reads the example: by what it changed, not by who did it."""

from __future__ import annotations

from pathlib import Path

import pytest

from auditor.engine import audit_log

FIXTURES = Path(__file__).parents[2] / "fixtures"


@pytest.mark.parametrize(
    ("example", "gained"),
    [
        # Dice that nobody rolled might have kept a model, or cost one.
        ("calth/CAL-CRT-05/illegal", "WB"),
        ("calth/CAL-ATK-05/illegal", "UM"),
        ("calth/CAL-DLS-01/illegal-no-roll", "WB"),
        ("calth/CAL-DLS-01/illegal-removed-without-a-roll", "UM"),
        # A line of sight said to be better, or worse, than it is.
        ("calth/CAL-LOS-01/illegal-no-sight", "UM"),
        ("calth/CAL-LOS-05/illegal", "UM"),
        ("calth/CAL-CRT-06/illegal-destroyed", "WB"),
        # Pinned by what does not pin: no advantage, whoever wrote it down.
        ("clx/CLX-SUPP-01/illegal", "A"),
        ("clx/CLX-GAME-02/illegal-wrong-winner", "B"),
        ("clx/CLX-MOR-02/illegal-loser", "B"),
        ("clx/CLX-GEAR-03/illegal-left-out", "B"),
        ("clx/CLX-SHOOT-05/illegal-in-range", "B"),
        ("clx/CLX-SHOOT-13/illegal-save-against-ap", "B"),
        # An allowance that nobody made use of.
        ("clx/CLX-MOVE-01/illegal-allowance", "nobody"),
        # What "all" left out, or was done to and does not mean; where the log goes on as it should.
        ("hcg/HCG-OPT-05/illegal", "p2"),
        ("hcg/HCG-OPT-05/illegal-own-unit", "p2"),
        ("hcg/HCG-OPT-05/illegal-a-bonus-that-leaves-one-out", "p2"),
        ("hcg/HCG-INF-02/illegal", "nobody"),
        ("hcg/HCG-DMG-04/illegal", "nobody"),
        ("hcg/HCG-UNIQ-01/illegal-discarded", "p2"),
    ],
)
def test_who_gained_by_a_slip_is_said_as_the_log_decides_it(example: str, gained: str) -> None:
    found = audit_log((FIXTURES / f"{example}.json").read_bytes(), meant=False)["findings"]
    rule = example.split("/")[1]
    (effect,) = (one["effect"] for one in found if one["stands"] and one["rule"] == rule)
    assert effect["gain"] == gained, effect["text"]


@pytest.mark.parametrize(
    ("example", "said"),
    [
        (
            "clx/CLX-MOVE-01/illegal-allowance",
            "It changed nothing: the rest of the record is the same. Nobody went farther",
        ),
        (
            "clx/CLX-RUN-01/illegal-higher-die",
            "The farthest went 4 inches. Whether it would have gone as far as 7 inches",
        ),
        (
            "clx/CLX-RUN-01/illegal-other-die",
            "Highwatch 1 (hw.m1) went 4 inches. Where it would have stopped with 3 inches",
        ),
        # The header, and a position that is stated, are no acts that could be left out.
        ("clx/CLX-PSY-08/illegal", "No later event of the log shows a difference; what would have been done instead"),
        (
            "hcg/HCG-POS-04/illegal-stated",
            "No later event of the log shows a difference; what would have been done instead",
        ),
    ],
)
def test_what_a_slip_changed_is_said_to_the_end(example: str, said: str) -> None:
    found = audit_log((FIXTURES / f"{example}.json").read_bytes(), meant=False)["findings"]
    rule = example.split("/")[1]
    (effect,) = (one["effect"] for one in found if one["stands"] and one["rule"] == rule)
    assert effect["text"].startswith(said)
