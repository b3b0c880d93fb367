"""Values, boards and sights in words: the claimed beside the recomputed, what changed, what a line met."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from auditor.report.model import ContactLine, Json, Row, Working
from auditor.report.pen import Hex
from auditor.report.sightline import Contact, badge, contacts
from auditor.report.words import (
    dice,
    edge_words,
    faces_in,
    hex_words,
    label,
    listed,
    path_words,
    value_markup,
    value_words,
)


def comparison(claimed: Any, recomputed: Any) -> tuple[Row, ...]:
    """The claimed and the recomputed values line by line: what differs, what agrees, what was not claimed.

    A field that only one side has is left without a sign: where nothing was claimed, nothing was compared.
    """
    if claimed is None and recomputed is None:
        return ()
    if not isinstance(claimed, Mapping) and not isinstance(recomputed, Mapping):
        sign = "" if claimed is None or recomputed is None else "=" if claimed == recomputed else "≠"
        return (Row("", _cell(claimed), _cell(recomputed), sign),)
    left, right = _fields(claimed), _fields(recomputed)
    rows = []
    for key in [*left, *(k for k in right if k not in left)]:
        both = key in left and key in right
        sign = "" if not both else "=" if left[key] == right[key] else "≠"
        name = key[-1] if key else ""
        shown = [value_markup(side[key], name) if key in side else Markup("–") for side in (left, right)]
        rows.append(Row(", ".join(label(part) for part in key), shown[0], shown[1], sign))
    return tuple(sorted(rows, key=lambda r: r.sign != "≠"))


def _fields(value: Any) -> dict[tuple[str, ...], Any]:
    """The fields of a value by their names; blocks within it are taken apart, so that each number has its own line."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        return {(): value}
    out: dict[tuple[str, ...], Any] = {}
    for key, inner in value.items():
        if isinstance(inner, Mapping) and inner and not any(isinstance(v, Mapping | list) for v in inner.values()):
            out |= {(str(key), str(k)): v for k, v in inner.items()}
        else:
            out[(str(key),)] = inner
    return out


def _cell(value: Any) -> Markup:
    return Markup("–") if value is None else value_markup(value)


def working(figure: Json) -> Working:
    name = str(figure.get("name") or "")
    faces = faces_in(name, figure.get("value"))
    parts = figure.get("parts") or ()
    said = ""
    for part in parts:
        value = part.get("value")
        minus = isinstance(value, int) and value < 0
        joint = (" − " if minus else " + ") if said else ("−" if minus else "")
        shown = value_words(-value if minus and isinstance(value, int) else value, str(part.get("what")))
        said += f"{joint}{shown} {part.get('what')}"
    value = " ".join(faces) if faces else value_words(figure.get("value"), name)
    return Working(label(name), value, said, dice(faces) if faces else None)


def changes(before: Json, after: Json) -> str:
    """What differs between two boards, in words: who moved, lost a model or TPs, appeared or is gone; which doors."""
    old = {str(u["id"]): u for u in before.get("units") or ()}
    new = {str(u["id"]): u for u in after.get("units") or ()}
    said = []
    for ident, unit in new.items():
        was = old.get(ident)
        if was is None:
            said.append(f"{ident} appears in {hex_words(unit['hex'])}")
            continue
        parts = []
        if list(was["hex"]) != list(unit["hex"]):
            parts.append(f"moved {path_words((was['hex'], unit['hex']))}")
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
            said.append(f"{edge_words(edge['edge'])} {label(str(edge.get('feature')))}")
    return "; ".join(said[:8]) + (f"; and {len(said) - 8} more" if len(said) > 8 else "")


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

    def ground(at: Hex) -> str:
        kind = kinds.get(at, "off the board") if kinds else ""
        return f"holds {held[at]}" if at in held else kind

    said = []
    if not contact.is_edge:
        grounds = [ground(p) for p in contact.places]
        if len(grounds) == 1:
            said.append(grounds[0])
        else:
            said += [f"{hex_words(p)} {g}" for p, g in zip(contact.places, grounds, strict=True) if g]
        if contact.how == "along" and contact.closed is not None:
            said.append("closed on both sides" if contact.closed else "not closed on both sides")
    if not contact.reached:
        said.append("not reached")
    place = " | ".join(hex_words(p) for p in contact.places)
    drawn = Markup('<svg viewBox="-15 -12 30 24" aria-hidden="true">' + badge(contact) + "</svg>")
    return ContactLine(drawn, _HOW.get(contact.how, contact.how), place, ", ".join(s for s in said if s), contact.stops)


def sight_words(sight: Json | None, path: Sequence[Sequence[int]]) -> tuple[tuple[str, str], ...]:
    """What the sight and the path come to: (question, answer)."""
    said: list[tuple[str, str]] = []
    if sight:
        found = contacts(sight)
        stop = next((c for c in found if c.stops), None)
        said.append(("Line of sight", str(sight.get("sight"))))
        if sight.get("claimed") is not None:
            agrees = sight.get("claimed") == sight.get("sight")
            said.append(("The log claims", f"{sight['claimed']}, which {'agrees' if agrees else 'differs'}"))
        if stop:
            place = " | ".join(hex_words(p) for p in stop.places)
            said.append(("Centre line", f"stopped at contact {stop.n}, {_HOW.get(stop.how, stop.how)} {place}"))
        elif found:
            said.append(("Centre line", "meets nothing that stops it"))
        else:
            said.append(("Centre line", "meets nothing"))
        line = sight.get("line")
        if line:
            wide = "one of a fan of lines" if line.get("wide") else "the only such line, of no width"
            said.append(("Line used", f"to the point ({line['to'][0]}, {line['to'][1]}); {wide}"))
        if sight.get("barricade") is not None:
            said.append(("Barricade", "crossed" if sight["barricade"] else "not crossed"))
        if sight.get("distance") is not None:
            said.append(("Distance", str(sight["distance"])))
    if len(path) > 1:
        said.append(("Counted by", path_words(path)))
    return tuple(said)
