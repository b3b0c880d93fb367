"""Legal games of the card game accuse nobody, however they are written down."""

from __future__ import annotations

from dataclasses import replace

import pytest

from auditor.conformance.hcg.generate import legal_game, settings_of
from auditor.conformance.hcg.inventor import INVENTOR
from auditor.report import conformance as page
from auditor.trials.legal_games import try_legal
from auditor.trials.table import report
from auditor.trials.tally import Tally
from tests.hcg.examples import audited

SEEDS = (100, 101, 105, 106, 109, 115)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_legal_game_is_clean(seed: int) -> None:
    lines, _ = legal_game(seed)
    audit = audited({"header": lines[0], "events": lines[1:]}, settings_of(seed)["readings"])
    assert [one["text"] for one in audit["findings"] if one["stands"]] == []
    assert audit["verdict"] == "clean"


def test_what_hangs_on_a_text_that_nobody_can_read_may_be_left_open() -> None:
    """In game 108 a text is played that nobody can read."""
    tally = Tally()
    try_legal(INVENTOR, 108, tally)
    assert (tally.games, tally.left_open, tally.false) == (1, 1, 0)
    strict = Tally()
    try_legal(replace(INVENTOR, unreadable=lambda lines: ()), 108, strict)
    assert (strict.left_open, strict.false) == (0, 1)
    told = [" ".join(page.summary(report("hcg", one, seed=108, faults=0))) for one in (tally, strict)]
    assert ["In 1 of them the audit is incomplete" in one for one in told] == [True, False]
