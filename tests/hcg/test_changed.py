"""An example with one value changed gets the findings that are kept, and nobody is accused for a field left out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests import changed
from tests.hcg.examples import read, replayed
from tests.hcg.test_other_names import PATHS, named

KEPT = json.loads(changed.file_of("hcg").read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", PATHS, ids=named)
def test_what_is_said_of_an_example_with_one_value_changed_is_what_is_kept(path: Path) -> None:
    now = changed.said("hcg", named(path), read(path), replayed)
    assert now == KEPT.get(named(path)), "make golden"
    if path.stem.startswith("legal"):
        left_out = [what for what in now if changed.leaves_out_a_field(what)]
        accused = [what for what in left_out if now[what].startswith("findings")]
        assert accused == []
