"""How the structs of a game say what their fields are; `auditor.core.fields` reads it.

    by: Annotated[Id | None, fact("player", "who acted", needed=True)] = None

The description goes into the JSON Schema, with `x-role`, `x-of`, `x-unit` and `x-needed` beside it; the declaration
itself is carried past the decoder, so a line costs no more to read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Meta

from auditor.core.fields import Declared, Of, Role


def fact(of: Of, words: str, **more: Any) -> Meta:
    """What cannot be derived: faces, targets, paths, who acted. What may be said besides, `Declared` tells."""
    return _declared("fact", of, words, more)


def claim(of: Of, words: str, **more: Any) -> Meta:
    """What follows from facts and the rules: a total, a distance, what is left."""
    return _declared("claim", of, words, more)


def label(of: Of, words: str, **more: Any) -> Meta:
    """What is for reading only, or says where in the game a line stands."""
    return _declared("label", of, words, more)


def _declared(role: Role, of: Of, words: str, more: Mapping[str, Any]) -> Meta:
    what = Declared(role, of, words, **more)
    said = words[0].upper() + words[1:]
    known = {"x-role": role, "x-of": of, **({"x-unit": what.unit} if what.unit else {})}
    if what.needed:
        known["x-needed"] = "always" if what.needed is True else "sometimes"
    notes = [f"in {what.unit}"] if what.unit and what.unit not in words else []
    notes += [f"null: {what.null}"] if what.null else []
    notes += [f"left out: {what.absent}; null: not stated"] if what.absent else []
    return Meta(
        description=f"{said} ({'; '.join(notes)})." if notes else f"{said}.",
        extra_json_schema=known,
        extra={"declared": what},
    )
