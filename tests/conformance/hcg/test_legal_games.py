"""Legal games of the card game accuse nobody, however they are written down."""

from __future__ import annotations

import pytest

from auditor.conformance.hcg.generate import legal_game, settings_of
from tests.hcg.examples import audited

SEEDS = (100, 101, 105, 106, 109, 115)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_legal_game_is_clean(seed: int) -> None:
    lines, _ = legal_game(seed)
    audit = audited({"header": lines[0], "events": lines[1:]}, settings_of(seed)["readings"])
    assert [one["text"] for one in audit["findings"] if one["stands"]] == []
    assert audit["verdict"] == "clean"
