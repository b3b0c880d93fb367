"""A legal example accuses nobody where a field of it is left out, or two; half of the cases in each run (`tests/shares.py`)."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from tests.changed import without_fields
from tests.hcg.examples import audited, examples, read
from tests.shares import is_tried


def named(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


@pytest.mark.parametrize("path", examples("HCG-*", "legal"), ids=named)
def test_a_field_left_out_of_legal_play_accuses_nobody(path: Path) -> None:
    for what, log in without_fields(named(path), read(path)):
        if not is_tried(16, named(path), what):
            continue
        try:
            audit = audited(log)
        except msgspec.ValidationError:
            continue  # The reader names such a line and goes on without it.
        assert audit["verdict"] != "findings", what
