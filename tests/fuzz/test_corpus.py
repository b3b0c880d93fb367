"""The inputs that the fuzz run begins with, and those that once broke something, go through all that it feeds."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz.targets import TARGETS, one

CORPUS = sorted((Path(__file__).parent / "corpus").iterdir())


def test_there_is_a_corpus_for_each_target() -> None:
    first = {path.read_bytes()[0] % len(TARGETS) for path in CORPUS}
    assert first == set(range(len(TARGETS))) - {1}
    assert sum(path.stat().st_size for path in CORPUS) < 100_000


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.name)
def test_an_input_of_the_corpus_is_read_or_refused(path: Path) -> None:
    data = path.read_bytes()
    one(data)
    for target in TARGETS:
        target(data[1:])
        target(data)
