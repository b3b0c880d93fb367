"""What keeps the promise of `bench_heavy`, looked at in small."""

from __future__ import annotations

import pytest

from auditor.engine import audit_log, conventions
from tests.bench import heavy_cards


@pytest.mark.parametrize(("longest", "ways"), [(50, 0), (1000, 1)])
def test_a_record_longer_than_any_game_is_not_read_in_other_ways(monkeypatch, longest, ways):
    asked: list[object] = []
    read = conventions.read

    def noted(*args, **how):
        asked.append(how["read_as"])
        return read(*args, **how)

    monkeypatch.setattr(conventions, "read", noted)
    monkeypatch.setattr(conventions, "LONGEST", longest)
    audit_log(heavy_cards.SHAPES["results of one battle"][0](100), causes=False, digest=False)
    assert min(len(asked), 1) == ways
