"""Legal games of the card game accuse nobody, however they are written down."""

from __future__ import annotations

from dataclasses import replace

import pytest

from auditor.conformance.hcg.generate import legal_game, settings_of
from auditor.conformance.hcg.inventor import INVENTOR, unreadable
from auditor.conformance.hcg.seldom import SELDOM, played_for
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


def test_what_follows_a_special_attack_that_nobody_can_read_may_be_left_open() -> None:
    """The second text of ex-l22 cannot be read; its battle action ends at event 4."""
    header = {"players": [{"id": "p1", "instances": {"p1-01": "ex-l22"}}, {"id": "p2", "instances": {}}]}
    attack = {"seq": 2, "type": "ba.assault", "by": "p1", "unit": "p1-01", "mode": "special", "ability": 1}
    charge, after = {"seq": 1, "type": "ba.charge", "by": "p2", "unit": "p2-01"}, ("damage", "ba.end", "damage")
    events = [charge, attack, *({"seq": 3 + n, "type": kind} for n, kind in enumerate(after))]
    assert unreadable([header, *events]) == {2, 3}


@pytest.mark.parametrize("reading", SELDOM)
def test_a_game_about_a_reading_is_legal_and_its_header_says_by_which_option_it_is_played(reading: str) -> None:
    seed = next(seed for seed in range(2, 10_000, 5) if (played_for(seed) or ("",))[0] == reading)
    tally = Tally()
    try_legal(INVENTOR, seed, tally)
    assert (tally.games, tally.false, tally.broken_listed, tally.differences_listed) == (1, 0, [], [])
    lines, _ = INVENTOR.legal_game(seed)
    assert lines[0]["rulings"] == dict([played_for(seed)])
