"""Boards of hexes: ground, doors and barricades, units with models and points, moves, shots and lines of sight.

{"kind": "hex", "hexes": [[q, r, "open|blocked|rubble"]…], "edges": [{"edge": [[q, r], [q, r]], "feature"}…],
"barricades": [{"hex", "dir"}…], "units": [{"id", "side", "hex", "tp", "models": [{"id", "name", "bulk", …}]}…],
"acting": id|null, "round", "phase", "to_act", "initiative"}; all but `kind` may be absent.
Marks: {"mark": "move", "path", "ok"}, {"mark": "hex", "hex", "how"}, {"mark": "unit", "unit", "hex"},
{"mark": "edge", "edge", "how"}, {"mark": "shot", "from", "to", "ok"}, each with a "label".
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from auditor.report.boards.hex.drawing import draw, interest
from auditor.report.boards.hex.key import key_items
from auditor.report.boards.hex.marks import mark_words
from auditor.report.boards.hex.places import names_of, value_words
from auditor.report.boards.hex.rows import units
from auditor.report.boards.hex.signs import DEFS
from auditor.report.boards.hex.words import answers, changes, description, differing, met, state, when
from auditor.report.boards.kind import Kind
from auditor.report.boards.pen import Board


def _of(board: Board) -> Kind:
    names = names_of(board)
    if not names:
        return HEX
    return replace(HEX, mark_words=partial(mark_words, names=names), value=partial(value_words, names=names))


HEX = Kind(
    key="hex",
    template="boards/hex.html",
    draw=draw,
    interest=interest,
    description=description,
    state=state,
    when=when,
    changes=changes,
    differing=differing,
    beside=units,
    key_items=key_items,
    mark_words=mark_words,
    contacts=met,
    answers=answers,
    value=value_words,
    of=_of,
    faces={"C": ("critical", "d-C"), "H": ("hit", "d-H"), "S": ("shield", "d-S"), "B": ("blank", "d-B")},
    defs=DEFS,
)
