"""Values in words: the claimed beside the recomputed, and the parts of which a number is made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from auditor.report.model import Json, Row, Shown, Working
from auditor.report.words import Speech, faces_in, label, value_words


def comparison(claimed: Any, recomputed: Any, speech: Speech | None = None) -> tuple[Row, ...]:
    """The claimed and the recomputed values line by line: what differs, what agrees, what was not claimed.

    A field that only one side has is left without a sign: where nothing was claimed, nothing was compared.
    """
    if claimed is None and recomputed is None:
        return ()
    if not isinstance(claimed, Mapping) and not isinstance(recomputed, Mapping):
        sign = "" if claimed is None or recomputed is None else "=" if claimed == recomputed else "≠"
        left, right = (None if value is None else Shown(value, "", speech) for value in (claimed, recomputed))
        return (Row("", left, right, sign),)
    logged, ruled = _fields(claimed), _fields(recomputed)
    rows = []
    for key in dict.fromkeys((*logged, *ruled)):
        both = key in logged and key in ruled
        sign = "" if not both else "=" if logged[key] == ruled[key] else "≠"
        name = key[-1] if key else ""
        shown = [Shown(side[key], name, speech) if key in side else None for side in (logged, ruled)]
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


def working(figure: Json, speech: Speech | None = None) -> Working:
    name = str(figure.get("name") or "")
    faces = faces_in(name, figure.get("value"))
    parts = figure.get("parts") or ()
    said = ""
    for part in parts:
        value = part.get("value")
        minus = isinstance(value, int) and value < 0
        joint = (" − " if minus else " + ") if said else ("−" if minus else "")
        shown = value_words(-value if minus and isinstance(value, int) else value, str(part.get("what")), speech)
        said += f"{joint}{shown} {part.get('what')}"
    value = " ".join(faces) if faces else value_words(figure.get("value"), name, speech)
    return Working(label(name), value, said, tuple(faces or ()), speech)
