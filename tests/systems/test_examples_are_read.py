"""The examples of the games, which their tests read without the reader of logs, are to the reader what they are to those."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from auditor.core.record import Record, Unknown
from auditor.ingest import read
from tests.clx import examples as clx
from tests.hcg import examples as hcg

SHARE = 6
"""One example in so many is read."""

GAMES: dict[str, tuple[Path, Callable[[Any], Record]]] = {
    "hcg": (hcg.FIXTURES, hcg.record_of),
    "clx": (clx.FIXTURES, clx.record_of),
}


@pytest.mark.parametrize("game", sorted(GAMES))
def test_the_reader_makes_of_an_example_what_it_says(game: str) -> None:
    folder, record_of = GAMES[game]
    files = [path for path in sorted(folder.rglob("*.json")) if not path.name.endswith(".expected.json")]
    assert len(files) > 300
    unknown = 0
    for path in files[::SHARE]:
        data = path.read_bytes()
        record, plain = read(data), record_of(msgspec.json.decode(data))
        if any(isinstance(event, Unknown) for event in plain.events):
            continue  # The reader says so, as it has to.
        if record.errors and all(error.nearest is not None for error in record.errors):
            unknown += 1
            continue  # It names what nobody knows, on purpose, and the reader says so.
        assert (record.game, record.errors, record.doubtful) == (game, [], {}), path
        assert record.events == plain.events, path
        assert (record.header, record.packs) == (plain.header, plain.packs), path
    assert unknown < 8
