"""What lines meet comes from a file with the program: it is what shapely says, and a file that is not is not used."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from auditor.geometry import compiled, lines
from auditor.geometry.fans import fan
from auditor.geometry.hexes import Hex, Point, centre, disc, steps
from auditor.geometry.lines import Line

FAR = [(16, 0), (16, -5), (-11, 16), (0, -16), (-3, -13), (9, 7)]


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the file, which a test may damage."""
    copy = tmp_path / "compiled.json"
    copy.write_bytes(compiled.FILE.read_bytes())
    monkeypatch.setattr(compiled, "FILE", copy)
    compiled._directions.cache_clear()
    yield copy
    monkeypatch.undo()
    compiled._directions.cache_clear()


def drawn(targets: list[Hex]) -> dict[tuple[Point, Hex], Line]:
    """The lines to the centre and every ray of the fan of each target, worked out now."""
    directions = {target: [centre(target), *fan(target).rays] for target in targets}
    return {(d, target): lines._met(d, target) for target, rays in directions.items() for d in rays}


def test_the_file_is_what_shapely_says() -> None:
    assert compiled.compile_all() == compiled.FILE.read_bytes(), "make it anew: python -m auditor.geometry.compiled"


def test_a_line_from_the_file_is_the_line_that_shapely_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    targets = [hex_ for hex_ in disc(5) if hex_ != (0, 0)] + FAR
    with_file = drawn(targets)
    asked = 0

    def not_compiled(direction: Point, target: Hex) -> None:
        nonlocal asked
        asked += 1

    monkeypatch.setattr(lines, "met_by", not_compiled)
    by_shapely = drawn(targets)
    assert asked == len(with_file) > 700
    for key, line in with_file.items():
        assert line == by_shapely[key], key


def test_every_line_within_reach_was_compiled() -> None:
    for target in [*disc(6), *FAR]:
        if target != (0, 0):
            for direction in (centre(target), *fan(target).rays):
                assert compiled.met_by(direction, target) is not None, (direction, target)


def test_beyond_its_reach_shapely_is_asked() -> None:
    target = (compiled.REACH + 1, 0)
    assert steps((0, 0), target) > compiled.REACH
    assert compiled.met_by(centre(target), target) is None
    assert len(lines._met(centre(target), target).contacts) == 2 * compiled.REACH + 1


@pytest.mark.parametrize("harm", ["cut short", "one hex changed", "of another version", "no JSON", "empty", "gone"])
def test_a_file_that_cannot_be_trusted_is_not_used(file: Path, harm: str) -> None:
    whole = file.read_bytes()
    head, body = whole.split(b"\n", 1)
    changed = {
        "cut short": whole[:-40],
        "one hex changed": head + b"\n" + body.replace(b"[1,0,2,0", b"[1,1,2,0", 1),
        "of another version": head.replace(compiled.MADE_BY.encode(), b"auditor.geometry 0") + b"\n" + body,
        "no JSON": b"\x00\n\x00",
        "empty": b"",
    }.get(harm)
    assert changed != whole
    if changed is None:
        file.unlink()
    else:
        file.write_bytes(changed)
    assert compiled.met_by((3, 0), (1, 0)) is None
    assert [contact.hexes for contact in lines._met((9, 0), (3, 0)).contacts if contact.how == "through"] == [
        ((1, 0),),
        ((2, 0),),
    ]
