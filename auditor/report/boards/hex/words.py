"""A hex board in words: what stands on it, whose turn it is, what differs between two, what a line of sight meets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from auditor.report.boards.hex import marks as marks_of
from auditor.report.boards.hex import pieces, plane
from auditor.report.boards.hex.places import NO_NAMES, Names, edge_words, hex_words, names_of, path_words
from auditor.report.boards.hex.plane import Hex
from auditor.report.boards.hex.sightline import Contact, badge, contacts
from auditor.report.boards.kind import Scene
from auditor.report.boards.pen import Board
from auditor.report.model import ContactLine, Json
from auditor.report.words import label, listed, value_words


def description(scene: Scene) -> str:
    board, marks, sight = scene.board, scene.marks, scene.sight
    names = names_of(board)
    said = [pieces.unit_words(u, names) for u in board.get("units") or ()]
    said += [marks_of.mark_words(m, names) for m in marks]
    if sight:
        stop = next((c for c in contacts(sight) if c.stops), None)
        line = f"Line of sight from {hex_words(sight['from'], names)} to {hex_words(sight['to'], names)}: {sight.get('sight')}"
        said.append(line + (f", stopped at contact {stop.n}" if stop else ""))
    return ". ".join(said) + "." if said else "No units."


def state(board: Board) -> str:
    """'Round 2, action phase, UM to act, UM has the initiative'. Empty where the board does not say."""
    said = []
    if board.get("round"):
        said.append(f"round {board['round']}")
    if board.get("phase"):
        said.append(f"{label(str(board['phase']))} phase")
    if board.get("to_act"):
        said.append(f"{board['to_act']} to act")
    if board.get("initiative"):
        said.append(f"{board['initiative']} has the initiative")
    text = ", ".join(said)
    return text[:1].upper() + text[1:]


def when(board: Board) -> str:
    """'round 2'. Empty where the board does not say."""
    return f"round {board['round']}" if board.get("round") else ""


def changes(before: Json, after: Json) -> str:
    """What differs between two boards, in words: who moved, lost a model or TPs, appeared or is gone; which doors."""
    old = {str(u["id"]): u for u in before.get("units") or ()}
    new = {str(u["id"]): u for u in after.get("units") or ()}
    said, names = [], names_of(after)
    for ident, unit in new.items():
        was = old.get(ident)
        if was is None:
            said.append(f"{ident} appears in {hex_words(unit['hex'], names)}")
            continue
        parts = []
        if list(was["hex"]) != list(unit["hex"]):
            parts.append(f"moved {path_words((was['hex'], unit['hex']), names)}")
        gone = Counter(model_of(m) for m in was.get("models") or ()) - Counter(
            model_of(m) for m in unit.get("models") or ()
        )
        come = Counter(model_of(m) for m in unit.get("models") or ()) - Counter(
            model_of(m) for m in was.get("models") or ()
        )
        if gone:
            parts.append("without " + listed([name for _, name in gone.elements()]))
        if come:
            parts.append("with " + listed([name for _, name in come.elements()]))
        if was.get("tp") != unit.get("tp"):
            parts.append(f"TP {value_words(was.get('tp'))} → {value_words(unit.get('tp'))}")
        if parts:
            said.append(f"{ident} {', '.join(parts)}")
    said += [f"{ident} is gone" for ident in old if ident not in new]
    doors = {str(e["edge"]): e for e in before.get("edges") or ()}
    for edge in after.get("edges") or ():
        was = doors.get(str(edge["edge"]))
        if was and was.get("feature") != edge.get("feature"):
            said.append(f"{edge_words(edge['edge'], names)} {label(str(edge.get('feature')))}")
    return "; ".join(said[:8]) + (f"; and {len(said) - 8} more" if len(said) > 8 else "")


MOST_RINGED = 12
"""So many things that differ are ringed; where all differs, rings say nothing."""


def differing(before: Json, after: Json) -> list[Json]:
    """Rings round the units that differ, and round where one was that is gone."""
    old = {str(u["id"]): u for u in before.get("units") or ()}
    new = {str(u["id"]): u for u in after.get("units") or ()}
    changed: list[Json] = [
        {"mark": "unit", "unit": one, "hex": unit["hex"]} for one, unit in new.items() if old.get(one) != unit
    ]
    gone = [{"mark": "unit", "unit": one, "hex": unit["hex"]} for one, unit in old.items() if one not in new]
    found = [*changed, *gone]
    return found if len(found) <= MOST_RINGED else []


def model_of(model: Json) -> tuple[str, str]:
    return str(model.get("id")), str(model.get("name") or model.get("id"))


_HOW = {
    "through": "through",
    "along": "along",
    "corner": "corner of",
    "door": "sealed door",
    "door_end": "end of the sealed door",
    "door_along": "along the sealed door",
}


def contact_line(contact: Contact, board: Json) -> ContactLine:
    """A contact as the list beside the picture says it."""
    kinds = {(h[0], h[1]): str(h[2]) for h in board.get("hexes") or ()}
    held = {(u["hex"][0], u["hex"][1]): str(u["id"]) for u in board.get("units") or ()}
    names = names_of(board)

    def ground(at: Hex) -> str:
        kind = kinds.get(at, "off the board") if kinds else ""
        return f"holds {held[at]}" if at in held else kind

    said = []
    if not contact.is_edge:
        grounds = [ground(p) for p in contact.places]
        if len(grounds) == 1:
            said.append(grounds[0])
        else:
            said += [f"{hex_words(p, names)} {g}" for p, g in zip(contact.places, grounds, strict=True) if g]
        if contact.how == "along" and contact.closed is not None:
            said.append("closed on both sides" if contact.closed else "not closed on both sides")
    if not contact.reached:
        said.append("not reached")
    place = " | ".join(hex_words(p, names) for p in contact.places)
    drawn = Markup('<svg viewBox="-15 -12 30 24" aria-hidden="true">' + badge(contact) + "</svg>")
    return ContactLine(drawn, _HOW.get(contact.how, contact.how), place, ", ".join(s for s in said if s), contact.stops)


_CORNERS = ("upper right", "upper", "upper left", "lower left", "lower", "lower right")
_SIDES = ("right", "upper right", "upper left", "left", "lower left", "lower right")


def aim_words(point: Sequence[Any], target: Sequence[int], names: Names = NO_NAMES) -> str:
    """Where in the target's hex a line ends: 'the upper left corner of 2,-1', 'a point on the left side of 2,-1'."""
    aim, at = plane.place(point), hex_words(target, names)
    if aim == plane.place(target):
        return f"the centre of {at}"
    for k, name in enumerate(_CORNERS):
        if aim == plane.corner(target, k):
            return f"the {name} corner of {at}"
    for k, name in enumerate(_SIDES):
        side = plane.corner(target, k - 1), plane.corner(target, k)
        met = plane.met_edge(plane.place(target), aim, side)
        if met is not None and met[0] == 1:
            return f"a point on the {name} side of {at}"
    return f"a point inside {at}" if plane.met_hex(aim, aim, target) else "a point off that hex"


def answers(scene: Scene) -> tuple[tuple[str, str], ...]:
    """What the sight and the path come to: (question, answer)."""
    sight, path, names = scene.sight, scene.path, names_of(scene.board)
    said: list[tuple[str, str]] = []
    if sight:
        found = contacts(sight)
        stop = next((c for c in found if c.stops), None)
        said.append(("Line of sight", str(sight.get("sight"))))
        if sight.get("claimed") is not None:
            same = "same as computed" if sight["claimed"] == sight.get("sight") else "not as computed"
            said.append(("The log claims", f"{sight['claimed']} ({same})"))
        if stop:
            place = " | ".join(hex_words(p, names) for p in stop.places)
            said.append(("Centre line", f"stopped at contact {stop.n}, {_HOW.get(stop.how, stop.how)} {place}"))
        elif found:
            said.append(("Centre line", "meets nothing that stops it"))
        else:
            said.append(("Centre line", "meets nothing"))
        line = sight.get("line")
        if line:
            wide = (
                "one of many lines, with room on both sides"
                if line.get("wide")
                else "a single line with no room on either side"
            )
            said.append(("Line used", f"to {aim_words(line['to'], sight['to'], names)}; {wide}"))
        if sight.get("barricade") is not None:
            said.append(("Barricade", "crossed" if sight["barricade"] else "not crossed"))
        if sight.get("distance") is not None:
            said.append(("Distance", str(sight["distance"])))
    if len(path) > 1:
        said.append(("Counted along", path_words(path, names)))
    return tuple(said)


def met(scene: Scene) -> tuple[ContactLine, ...]:
    """What the centre line meets, as the list beside the picture says it."""
    return tuple(contact_line(c, scene.board) for c in contacts(scene.sight)) if scene.sight else ()
