"""On the boards of the example games, those of findings and those of the replay, no word or sign lies over another, over a
unit or over a line that is not its own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from auditor.engine import audit_log
from auditor.engine.replays import replay_frames
from auditor.report.boards import Scene, View, draw
from tests.report.overlaps import overlaps, overlaps_of_hexes, signs_of_hexes, written
from tests.shares import in_turn, is_tried

ROOT = Path(__file__).parents[2] / "fixtures"
HEXES = sorted((ROOT / "calth" / "games").glob("*.jsonl"))
INCHES = sorted((ROOT / "clx" / "games").glob("*.jsonl"))
MEASURES = {"calth": (overlaps_of_hexes, signs_of_hexes), "clx": (overlaps, written)}


def replayed(path: Path) -> Iterator[tuple[int, Scene]]:
    """Events of a game, a share of them, each with the board that its page shows."""
    data = path.read_bytes()
    seqs = [event["seq"] for event in map(json.loads, data.splitlines()[1:])]
    for frame in replay_frames(data, seqs=[seq for seq in seqs if is_tried(20, path.stem, seq)]):
        yield frame["seq"], Scene(frame["board"], frame["marks"], frame["sight"])


@pytest.mark.parametrize(
    "path", [*HEXES, *in_turn(5, INCHES)], ids=lambda path: f"{path.parent.parent.name}-{path.stem}"
)
def test_no_words_and_no_signs_of_a_replay_lie_over_others_over_a_unit_or_over_a_line(path: Path) -> None:
    measured, listed = MEASURES[path.parent.parent.name]
    looked = 0
    for seq, scene in replayed(path):
        for size in ("near", "whole"):
            drawn = str(draw(scene, View(size=size)))
            assert not measured(drawn), (seq, size)
            looked += len(listed(drawn))
    assert looked > 10


@pytest.mark.parametrize("path", [path for path in HEXES if "faulty" in path.stem], ids=lambda path: path.stem)
def test_no_signs_of_a_finding_lie_over_others_over_a_unit_or_over_a_line(path: Path) -> None:
    looked = 0
    for one in audit_log(path.read_bytes(), digest=False, causes=False)["findings"]:
        shown = one["evidence"] or {}
        if shown.get("before"):
            scene = Scene(shown["before"], shown["marks"], shown["sight"], shown["path"] or ())
            for size in ("near", "whole"):
                drawn = str(draw(scene, View(size=size)))
                assert not overlaps_of_hexes(drawn), (one["rule"], one["seq"], size)
                looked += len(signs_of_hexes(drawn))
    assert looked > 30
