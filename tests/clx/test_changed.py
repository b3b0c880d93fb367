"""An example with one value changed gets the findings that are kept, and nobody is accused for a field left out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests import changed
from tests.clx.examples import examples, read, replayed

KEPT = json.loads(changed.file_of("clx").read_text(encoding="utf-8"))


def named(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


@pytest.mark.parametrize("path", examples(""), ids=named)
def test_what_is_said_of_an_example_with_one_value_changed_is_what_is_kept(path: Path) -> None:
    now = changed.said("clx", named(path), read(path), replayed)
    assert now == KEPT.get(named(path)), "make golden"
    if path.stem.startswith("legal"):
        accused = [
            what for what, says in now.items() if changed.leaves_out_a_field(what) and says.startswith("findings")
        ]
        assert accused == []
