"""To whose advantage a slip was, as somebody says who reads the example: by what it changed, not by who did it."""

from __future__ import annotations

import pytest

from auditor.engine import audit_log
from tests.examples import example


@pytest.mark.parametrize(
    ("name", "gained"),
    [
        # Dice that nobody rolled might have kept a model, or cost one.
        ("calth/CAL-CRT-05/illegal", "WB"),
        ("calth/CAL-ATK-05/illegal", "UM"),
        ("calth/CAL-DLS-01/illegal-no-roll", "WB"),
        ("calth/CAL-DLS-01/illegal-removed-without-a-roll", "UM"),
        # A line of sight said to be better, or worse, than it is.
        ("calth/CAL-LOS-01/illegal", "UM"),
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
        # What a card did not do, by whom its text serves and what was chosen for it.
        ("hcg/HCG-BAC-01/illegal", "p2"),
        ("hcg/HCG-BAC-01/illegal-the-enemy-does-not-draw", "p1"),
        ("hcg/HCG-BAC-01/illegal-each-draws-and-the-player-alone-does-not", "p2"),
        ("hcg/HCG-BAC-01/illegal-one-of-both-draws", "p1"),
        ("hcg/HCG-BAA-01/illegal-does-not-destroy-itself", "p1"),
        ("hcg/HCG-TAC-05/illegal-nothing-recorded-and-the-action-locks-one-after-the-other", "p2"),
        # Cards discarded that need not have been, and kept that had to go.
        ("hcg/HCG-DISC-01/illegal-too-many", "p2"),
        ("hcg/HCG-OPT-04/illegal", "p2"),
        ("hcg/HCG-OPT-04/illegal-too-many", "p1"),
        ("hcg/HCG-VIC-06/illegal-card-kept", "p1"),
        # What a failed test did not stop: a cost that was no longer due is a loss, what was done to the enemy a gain.
        ("hcg/HCG-OPT-07/illegal-cost-after-it-failed", "p2"),
        ("hcg/HCG-OPT-07/illegal", "p1"),
        ("hcg/HCG-OPT-07/illegal-rolled-first", "p1"),
        # Hits on those inside a wreck, debris, models that a grenade struck: by whose models they are.
        ("clx/CLX-VEH-01/illegal-ap-alone", "A"),
        ("clx/CLX-VEH-02/illegal", "B"),
        ("clx/CLX-VEH-03/illegal-hits", "A"),
        ("clx/CLX-VEH-03/illegal-strength", "A"),
        ("clx/CLX-GREN-08/illegal-only-the-wounded-at-initiative-one", "A"),
        ("clx/CLX-GREN-08/illegal-initiative-of-a-model-not-hit", "B"),
        ("calth/CAL-CMP-02/illegal-equal", "UM"),
        ("calth/CAL-CMP-02/illegal-not-applied", "WB"),
    ],
)
def test_who_gained_by_a_slip_is_said_as_the_log_decides_it(name: str, gained: str) -> None:
    found = audit_log(example(*name.split("/", 1)).read_bytes(), meant=False)["findings"]
    rule = name.split("/")[1]
    (effect,) = (one["effect"] for one in found if one["stands"] and one["rule"] == rule)
    assert effect["gain"] == gained, effect["text"]


@pytest.mark.parametrize(
    ("name", "said"),
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
        (
            "clx/CLX-SUPP-02/illegal",
            "The test, 8 or less on 2 dice, was not rolled: Salt Vultures is pinned, 5 of 18. From event 8 on nobody can tell",
        ),
        ("clx/CLX-USR-17/illegal-no-test", "The test, 9 or less on 2 dice, was not rolled: the test fails, 1 of 6."),
        (
            "hcg/HCG-VIC-06/illegal-card-kept",
            "Heralds (p1-h): command hand of Ada as logged, discard of Ada as it should be",
        ),
        (
            "calth/CAL-CMP-02/illegal-one-side-only",
            "Scenario 6 for the Word Bearers: minor defeat as logged, major defeat as",
        ),
        # The header, and a position that is stated, are no acts that could be left out.
        ("clx/CLX-PSY-08/illegal", "No later event of the log shows a difference; what would have been done instead"),
        (
            "hcg/HCG-POS-04/illegal-stated",
            "No later event of the log shows a difference; what would have been done instead",
        ),
    ],
)
def test_what_a_slip_changed_is_said_to_the_end(name: str, said: str) -> None:
    found = audit_log(example(*name.split("/", 1)).read_bytes(), meant=False)["findings"]
    rule = name.split("/")[1]
    (effect,) = (one["effect"] for one in found if one["stands"] and one["rule"] == rule)
    assert effect["text"].startswith(said)
