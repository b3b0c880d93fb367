"""Records of games, with lines lost and values made absurd: nobody is accused for a lost
line of a legal record, and nothing raises."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from auditor.engine import audit_log
from tests.clx import examples as clx
from tests.examples import FIXTURES, examples
from tests.hcg import examples as hcg
from tests.shares import WHOLE, in_turn, is_tried

SHARE = 8 if WHOLE else 24
"""One line in so many is lost or changed, another one in each example; which ones hangs on its name alone."""


GAMES: Mapping[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {"hcg": hcg.audited, "clx": clx.audited}
WITHOUT_MEANT = {"hcg": hcg.judged, "clx": clx.judged}
"""What lines may have meant costs most, and is sought in a share of the records."""


def logs(game: str, name: str = "", share: int = 1) -> Iterator[tuple[str, Any]]:
    """The examples of a game that are no readings, and its whole games in one object, by their names."""
    for example in examples(game, name, "*"):
        if is_tried(share, example):
            yield str(example), example.log
    for path in sorted((FIXTURES / game / "games").glob(f"{name}*.json")):
        if not path.name.endswith(".expected.json") and is_tried(share, "games", path.stem):
            yield f"games/{path.stem}", hcg.read(path)


GAMES_AS_FILES = sorted(FIXTURES.glob("*/games/faulty-1.jsonl"))
"""A faulty game of each kind, as players upload it."""
ABSURD: Sequence[Any] = (None, -1, 0, 999_999, "zzz", "", [], {}, True, "7/0", "1e9", [["1", "2"]])


@pytest.mark.parametrize("game", ["clx"])
def test_a_line_lost_from_a_legal_record_accuses_nobody(game: str) -> None:
    """Of cards every line of each example is lost in turn (`tests/hcg/test_examples.py`)."""
    tried = 0
    for name, log in logs(game, "legal"):
        events = log["events"]
        for lost in range(Random(name).randrange(SHARE), len(events), SHARE):
            kept = [event for i, event in enumerate(events) if i != lost]
            found = GAMES[game]({**log, "events": kept})["findings"]
            assert [f for f in found if f["kind"] != "ambiguous" and f["stands"]] == [], (name, events[lost])
            tried += 1
    assert tried > (100 if WHOLE else 30)


UNREADABLE = (
    b'{"seq": 51, "ty',
    b"[1]",
    b'{"seq":51,"type":"no such"}',
    b'{"seq":51,"type":"undo","of":"x","back_to":[]}',
)


@pytest.mark.parametrize("path", GAMES_AS_FILES, ids=lambda path: f"{path.parent.parent.name}-{path.stem}")
def test_a_line_that_cannot_be_read_is_named_and_the_rest_is_audited(path: Path) -> None:
    """Whole files, as they are uploaded: other examples reach the rules without the reader of logs."""
    lines = path.read_bytes().splitlines()
    whole = audit_log(path.read_bytes(), meant=False)
    for line in chain(*in_turn(GAMES_AS_FILES.index(path), (UNREADABLE[:2], UNREADABLE[2:]))):
        said = audit_log(b"\n".join([*lines[:51], line, *lines[52:]]), meant=False)
        assert said["verdict"] in ("findings", "incomplete"), line
        assert len(said["errors"]) > len(whole["errors"]) or said["coverage"] != whole["coverage"], line
        assert said["coverage"]["events"] > 100


@pytest.mark.parametrize("game", sorted(GAMES))
def test_absurd_values_are_refused_or_audited_and_never_raise(game: str) -> None:
    audited = 0
    for name, log in logs(game, share=15):
        random = Random(name)
        places = [
            (i, place)
            for i, event in enumerate(log["events"])
            for place in _places(event)
            if place[0] not in ("seq", "type")
        ]
        for i, place in random.sample(places, min(2, len(places))):
            events = list(log["events"])
            events[i] = _with(events[i], place, random.choice(ABSURD))
            try:
                (GAMES if is_tried(4, name, i, "meant") else WITHOUT_MEANT)[game]({**log, "events": events})
                audited += 1
            except msgspec.ValidationError:
                pass  # The reader names such a line and goes on without it.
    assert audited > (100 if WHOLE else 25)


def _places(value: Any, at: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    if at:
        yield at
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        yield from _places(part, (*at, key))


def _with(value: Any, place: tuple[str | int, ...], new: Any) -> Any:
    if not place:
        return new
    changed = dict(value) if isinstance(value, dict) else list(value)
    changed[place[0]] = _with(changed[place[0]], place[1:], new)
    return changed
