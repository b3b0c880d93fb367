"""From which side something comes: what rules have to show of it, as marks of a board of inches."""

from __future__ import annotations

from fractions import Fraction
from math import atan2, degrees, hypot

from auditor.geometry.inches.lengths import shown
from auditor.geometry.inches.shapes import Point
from auditor.systems.clx.marks import Marks, place
from auditor.systems.clx.reckoning.facing import Seen


def arcs(seen: Seen, at: Point, of: Point, claimed: str) -> Marks:
    """The line from an attacker at `of` to a unit at `at`, the arc that is claimed and the arc that the attacker is in."""
    faces = degrees(atan2(*map(float, reversed(seen.look.direction))))
    reach = shown(Fraction(min(max(hypot(float(of.x - at.x), float(of.y - at.y)), 3.0), 9.0)))
    found: Marks = []
    for arc, label, ok in ((claimed, "as claimed", False), (seen.bearing.arc, "as it faces", True)):
        for first, last in _spans(arc, halves=seen.halves):
            between = [shown(Fraction(round(faces + end, 3))) for end in (first, last)]
            found.append({"mark": "arc", "at": place(at), "between": between, "length": reach, "ok": ok})
            found[-1]["label"] = f"the {arc}, {label}"
    return [*found, {"mark": "line", "from": place(of), "to": place(at)}]


def _spans(arc: str, *, halves: bool) -> list[tuple[int, int]]:
    """The angles between which an arc lies, from the front on."""
    if halves:
        return [(-90, 90)] if arc == "front" else [(90, 270)]
    return {"front": [(-45, 45)], "rear": [(135, 225)]}.get(arc, [(45, 135), (225, 315)])
