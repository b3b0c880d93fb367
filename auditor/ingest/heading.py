"""What a header says of itself that no shape can hold against it: fields of other names, and players it does not have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from auditor.core.nearest import nearest
from auditor.core.record import InputError
from auditor.systems.shapes import Shape, shown

OWN = "x_"
"""Fields that begin so are the recorder's own; nobody says anything of them."""
SHOWN = 3


def unknown_fields(header: Mapping[str, Any], shape: Shape[Any]) -> Iterator[str]:
    """That a header has fields which its game does not know, with those that were perhaps meant: a sentence, if any."""
    fields = shape.type.__struct_fields__
    unknown = [key for key in header if key not in fields and key != "type" and not key.startswith(OWN)]
    if unknown:
        free = [name for name in fields if name not in header]
        said = [f"{shown(key)[:60]}{nearest(key, free).replace(';', ',')}" for key in unknown[:SHOWN]]
        more = f"; and {len(unknown) - SHOWN} more" if len(unknown) > SHOWN else ""
        yield f"Fields of the header that this game does not know were passed over: {'; '.join(said)}{more}."


def strangers(header: Mapping[str, Any], line: int | None) -> Iterator[InputError]:
    """Whoever is said to have confirmed a record and is none of its players."""
    entered = header.get("players")
    players = [one for one in entered if isinstance(one, dict)] if isinstance(entered, list) else []
    known = [str(one[key]) for one in players for key in ("id", "name") if one.get(key)]
    confirmed = header.get("confirmed_by")
    for i, name in enumerate(confirmed if isinstance(confirmed, list) else ()):
        if name not in known:
            yield InputError(line, f"confirmed_by[{i}]", shown(name), f"a player: {', '.join(known[:4])[:80]}")
