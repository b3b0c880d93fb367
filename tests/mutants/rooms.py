"""Where the code that judges lies, and which tests hold each part of it to what it does."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Room:
    """A part of the code.

    share   how many of a hundred changes are made here
    code    files and folders, as patterns below `auditor/`
    first   tests that are quick and notice most changes, tried in this order
    then    all other tests that should notice a change here
    """

    name: str
    share: int
    code: tuple[str, ...]
    first: tuple[str, ...]
    then: tuple[str, ...]

    def files(self, root: Path = ROOT) -> list[Path]:
        """Its Python files, relative to the root, in the order of their names."""
        found = [path for pattern in self.code for path in (root / "auditor").glob(pattern)]
        files = {file for path in found for file in (path.rglob("*.py") if path.is_dir() else [path])}
        return sorted(file.relative_to(root) for file in files)


def _game(key: str, *more: str) -> tuple[str, ...]:
    return tuple(f"systems/{key}/{one}" for one in ("rules", "reckoning", "state.py", "adopt*", *more))


ROOMS = (
    Room(
        "core",
        15,
        ("core",),
        ("tests/core", "tests/calth/test_examples.py"),
        ("tests/calth", "tests/conformance", "tests/report/test_every_game.py", "tests/hcg", "tests/clx"),
    ),
    Room(
        "geometry of hexes",
        10,
        tuple(f"geometry/{one}.py" for one in ("compiled", "fans", "hexes", "lines", "paths")),
        ("tests/geometry/test_lines.py", "tests/geometry/test_paths.py", "tests/calth/test_examples.py"),
        ("tests/geometry", "tests/conformance", "tests/calth"),
    ),
    Room("geometry of inches", 10, ("geometry/inches",), ("tests/geometry/inches",), ("tests/clx",)),
    Room(
        "Betrayal at Calth",
        35,
        _game("calth", "sight.py", "effects.py"),
        ("tests/calth/test_examples.py", "tests/calth/test_golden.py"),
        ("tests/conformance", "tests/calth"),
    ),
    Room("the card game", 15, _game("hcg", "abilities"), ("tests/hcg/test_examples.py",), ("tests/hcg",)),
    Room(
        "Calixtus' Edition",
        15,
        _game("clx", "tables.py", "tolerance.py"),
        ("tests/clx/test_examples.py",),
        ("tests/clx",),
    ),
)
