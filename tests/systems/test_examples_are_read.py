"""The examples of the games, which their tests read without the reader of logs, are to the reader what they are to those."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from auditor.core.record import Record, Unknown
from auditor.ingest import read
from tests.clx import examples as clx
from tests.examples import FIXTURES, examples
from tests.hcg import examples as hcg
from tests.shares import WHOLE

SHARE = 6 if WHOLE else 15
"""One example in so many is read."""

GAMES: dict[str, Callable[[Any], Record]] = {"hcg": hcg.record_of, "clx": clx.record_of}

NOT_THERE = {
    *("CLX-GAME-01/legal-by-somebody-who-does-not-play", "CLX-LOG-03/illegal", "HCG-BPH-02/illegal-no-such-sector"),
    *("HCG-DEP-06/illegal-no-such-sector", "HCG-FW-05/illegal-no-such-sector"),
    "HCG-SETUP-02/illegal-die-and-the-right-player-chooses",
}
"""Examples with a player, a sector or a face of a die that there is not, on purpose: the reader says so."""


@pytest.mark.parametrize("game", sorted(GAMES))
def test_the_reader_makes_of_an_example_what_it_says(game: str) -> None:
    whole = [path for path in sorted((FIXTURES / game / "games").glob("*.json")) if ".expected" not in path.suffixes]
    logs = [*examples(game), *whole]
    assert len(logs) > 300
    unknown = 0
    for log in logs[::SHARE]:
        data = log.read_bytes()
        record, plain = read(data), GAMES[game](msgspec.json.decode(data))
        if str(log) in NOT_THERE:
            assert record.errors, log
            continue
        if any(isinstance(event, Unknown) for event in plain.events):
            continue  # The reader says so, as it has to.
        if record.errors and all(error.nearest is not None for error in record.errors):
            unknown += 1
            continue  # It names what nobody knows, on purpose, and the reader says so.
        assert (record.game, record.errors, record.doubtful) == (game, [], {}), log
        assert record.events == plain.events, log
        assert (record.header, record.packs) == (plain.header, plain.packs), log
    assert unknown < 8
