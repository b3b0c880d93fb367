"""Boards of inches: a table with terrain, bases and hulls, ways, gaps, ranges and lines of sight, and a ruler.

{"kind": "inches", "width", "depth", "terrain": [{"id", "name", "outline": [[x, y]…], "difficult", "dangerous",
"impassable", "cover": in words, "blocks_sight"}…], "models": [{"id", "unit", "player", "at": [x, y], "z", "radius" |
"hull": [[x, y]…] with "heading", "wounds",
"n": number in its unit}…], "units": [{"id", "name", "player", "states": [words…], "facing":
degrees}…], "acting": id of a unit, "attack": an attack as it was rolled up to the event `now`: {"id", "unit", "target",
"now": seq, "weapons": [{"name", "shots", "steps": [{"seq", "what": "cover|hits|wounds|hull|saves", "dice", "needed",
"claimed", "counted", "beside", "row": text, "faces": [die…]}…]}…]}}. Lengths and coordinates are decimals in inches, as
texts; x to the right, y up, angles in degrees against the clock from +x. All but `kind` may be absent.
Marks, each with a "label" if it has something to say, and "ok": false for what was not allowed:
{"mark": "way", "model", "path": [[x, y]…], "allowed": length}    a model's way, with the length of each leg
{"mark": "gap", "from", "to", "length", "rolled": length}         a measured gap, and what was rolled for it
{"mark": "net", "links": [[[x, y], [x, y]]…]}                     what holds a unit together
{"mark": "zone", "at", "radius"}                                  round a base: what nobody may come into
{"mark": "range", "at" | "hull": [[x, y]…], "length"}             how far something reaches, from a place or a hull
{"mark": "limit", "from", "to"}                                   a limit, such as the ray between two arcs
{"mark": "line", "from", "to", "stopped": [x, y]}                 a line of sight, and where it is stopped
{"mark": "arc", "at", "between": [degrees, degrees], "length"}    an arc of facing; with a "name", that is written in it
{"mark": "model", "model", "how": "bad|claimed|ruled|note"}       a model that is meant
{"mark": "spot", "at", "how"}                                     a place
The sight of a shot: {"from", "to", "sight": in a word, "met": [{"n", "at", "what", "how", "stops", "note"}…], "stop": n,
"line": [[x, y], [x, y]] where another line than that between the middles is free, "gap": {"from", "to", "length",
"limit", "ok"}, "others": [[[x, y], [x, y], whether it is allowed]…], "answers": [[question, answer]…], "units": [ids…]}.
"""

from __future__ import annotations

from auditor.report.boards.inches.drawing import draw, interest
from auditor.report.boards.inches.key import key_items
from auditor.report.boards.inches.marks import mark_words
from auditor.report.boards.inches.reach import further
from auditor.report.boards.inches.rows import units
from auditor.report.boards.inches.sightline import contacts
from auditor.report.boards.inches.signs import DEFS
from auditor.report.boards.inches.words import (
    answers,
    changes,
    description,
    differing,
    extra,
    named,
    state,
    value_words,
    when,
)
from auditor.report.boards.kind import Kind

INCHES = Kind(
    key="inches",
    template="boards/inches.html",
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
    further=further,
    contacts=contacts,
    answers=answers,
    named=named,
    value=value_words,
    extra=extra,
    defs=DEFS,
)
