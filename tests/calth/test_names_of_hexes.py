"""Where a board has names for its hexes, every sentence calls them so, and nothing else of an audit changes."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from auditor.engine import audit_log, timeline
from auditor.systems.calth.words import at
from tests.calth.examples import example, examples
from tests.examples import Example

NAMED = re.compile(r"X\d+ \((-?\d+,-?\d+)\)")


def with_names(log: dict[str, Any]) -> dict[str, Any]:
    """The log on a board that is the same and has a name for each hex."""
    board = log["header"]["board"]
    hexes = [{**hex_, "name": f"X{n}"} for n, hex_ in enumerate(board["hexes"], 1)]
    return {**log, "header": {**log["header"], "board": {**board, "hexes": hexes}}}


def audited(log: dict[str, Any]) -> dict[str, Any]:
    return audit_log(json.dumps(log).encode(), strict=True)


def sentences(audit: dict[str, Any]) -> list[str]:
    """All that an audit says of its findings and beside them, in order."""
    said = [note["text"] for note in audit["notes"]]
    for finding in audit["findings"]:
        effect = finding["effect"] or {"text": "", "changed": []}
        said += [finding["text"], effect["text"], *(one["what"] for one in effect["changed"])]
    return said


SHOWN = [one for one in examples("illegal") if one.name == "illegal" or one.rule.startswith("CAL-LOS")]
"""One example of each rule, and all about lines of sight, which have most to say of places."""


@pytest.mark.parametrize("shown", SHOWN, ids=str)
def test_every_sentence_calls_a_hex_by_the_name_that_its_board_gives_it(shown: Example) -> None:
    log = shown.log
    places = [at((hex_["q"], hex_["r"])) for hex_ in log["header"]["board"]["hexes"]]
    bare = re.compile(r"(?<![\d,(@-])(" + "|".join(places) + r")(?![\d,)])")
    plain, named = audited(log), audited(with_names(log))
    assert [one["id"] for one in named["findings"]] == [one["id"] for one in plain["findings"]]
    for without, text in zip(sentences(plain), sentences(named), strict=True):
        assert NAMED.sub(r"\1", text) == without
        assert not bare.search(text), text


def test_events_are_told_with_the_names_too() -> None:
    log = with_names(example("CAL-RUN-02/illegal").log)
    told = [frame["text"] for frame in timeline(json.dumps(log).encode(), texts=True)]
    assert any(NAMED.search(text) for text in told), told
