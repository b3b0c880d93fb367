"""The pictures that are kept as files and compared whole. `python -m tests.report.golden` accepts them anew."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from auditor.report.boards import Scene, View, draw

FOLDER = Path(__file__).parent / "golden"

GROUND: dict[str, Any] = {
    "kind": "hex",
    "hexes": [[0, 0, "open"], [1, 0, "blocked"], [1, -1, "rubble"], [2, -1, "open"], [0, 1, "open"], [-1, 1, "open"]],
    "edges": [
        {"edge": [[0, 0], [0, 1]], "feature": "door_sealed"},
        {"edge": [[-1, 1], [0, 1]], "feature": "door_open"},
        {"edge": [[1, -1], [2, -1]], "feature": "obstruction"},
    ],
    "barricades": [{"hex": [2, -1], "dir": 3}],
    "units": [],
    "acting": None,
    "round": 1,
    "phase": "action",
    "to_act": "UM",
    "initiative": "UM",
}


def board_svg(board: Any, *, marks: Any = (), sight: Any = None, path: Any = (), **view: Any) -> str:
    """A board as it is drawn, with the choices of a `View`."""
    return draw(Scene(board or {}, marks, sight, path), View(**view))


def unit(ident: str, side: str, place: list[int], tp: int | None = 2, bulks: tuple[int, ...] = (1,)) -> dict[str, Any]:
    """A unit with a model for each bulk."""
    models = [
        {"id": f"{ident}-{n}", "name": "Line", "bulk": b, "weapons": [], "wargear": []} for n, b in enumerate(bulks)
    ]
    return {"id": ident, "side": side, "hex": place, "tp": tp, "models": models}


def board(*units: dict[str, Any], acting: str | None = None) -> dict[str, Any]:
    """The small board with units on it."""
    return {**GROUND, "units": list(units), "acting": acting}


ALONG: dict[str, Any] = {
    "from": [0, 0],
    "to": [2, -1],
    "claimed": "clear",
    "sight": "none",
    "crossings": [{"n": 1, "hexes": [[1, -1], [1, 0]], "how": "along", "closed": True, "stops": True}],
    "stop": 1,
    "line": None,
    "seen": [],
    "barricade": None,
    "distance": 2,
}

UNITS = (unit("um-1", "UM", [0, 0], 2, (2, 1)), unit("wb-1", "WB", [2, -1], 0, (1, 1, 1)))


def pictures() -> dict[str, str]:
    """Every picture that is kept, by the name of its file."""
    return {
        "ground": board_svg(GROUND),
        "units": board_svg(board(*UNITS, acting="um-1"), title="Two units"),
        "sight": board_svg(board(*UNITS, unit("wb-2", "WB", [1, -1])), sight=ALONG),
        "marks": board_svg(
            board(*UNITS),
            marks=[
                {"mark": "move", "path": [[0, 0], [-1, 1]], "ok": False, "label": "too far"},
                {"mark": "hex", "hex": [0, 1], "label": "here", "how": "ruled"},
                {"mark": "unit", "unit": "wb-1", "hex": [2, -1], "label": ""},
            ],
            path=[[0, 0], [1, -1], [2, -1]],
        ),
    }


def main() -> None:
    """Write the pictures as they are now."""
    FOLDER.mkdir(exist_ok=True)
    for name, drawn in pictures().items():
        (FOLDER / f"{name}.svg").write_text(str(drawn).replace("><", ">\n<") + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
