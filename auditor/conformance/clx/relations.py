"""The same game written otherwise: what an audit finds must not hang on how a record was written down."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from random import Random
from typing import Any

from auditor.conformance import relations
from auditor.conformance.clx.armies import pack
from auditor.conformance.clx.variants import without_claims
from auditor.conformance.logs import Lines
from auditor.conformance.relations import Related, Relation, with_claims_left_out, written

PLACES, ANGLES = ("pos", "aim", "claimed_final"), ("facing", "heading", "scatter_angle")
NAMES = ("attack", "attacks", "causes", "pool", "cast")
"""Fields that name attacks, pools of wounds and casts."""


def with_other_names(lines: Lines, rng: Random) -> Related:
    """Other names for the attacks, the pools of wounds and the casts."""

    def renamed(name: Any) -> Any:
        return [renamed(one) for one in name] if isinstance(name, list) else name if name is None else f"the {name}!"

    made = [lines[0]]
    for event in lines[1:]:
        names = NAMES + {"cast": ("id",), "perils": ("cause",)}.get(event["type"], ())
        made.append({key: renamed(value) if key in names else value for key, value in event.items()})
    return written(made)


def turned_half_round(lines: Lines, rng: Random) -> Related:
    """The table seen from its other side."""
    size = (lines[0]["table"]["W"], lines[0]["table"]["D"])

    def place(at: Any) -> Any:
        return [*(float(Decimal(edge) - Decimal(str(one))) for edge, one in zip(size, at, strict=False)), *at[2:]]

    def turned(value: Any, key: str = "") -> Any:
        if key in PLACES and isinstance(value, list):
            return place(value)
        if key in ("path", "poly"):
            return [place(one) for one in value]
        if key in ANGLES and value is not None:
            return float((Decimal(str(value)) + 180) % 360)
        if isinstance(value, list):
            return [turned(one, "heading" if key == "headings" else "") for one in value]
        if isinstance(value, dict):
            return {name: turned(one, name) for name, one in value.items()}
        return value

    ground = lines[0].get("terrain") or []
    header = {**lines[0], "terrain": turned(pack(ground)["terrain"] if isinstance(ground, str) else ground)}
    return written([header, *(turned(event) for event in lines[1:])])


def without_some_claims(lines: Lines, rng: Random) -> Related:
    """Some of the claims left out."""
    made = without_claims(lines, 0.4, rng)
    return with_claims_left_out(lines, made)


RELATIONS: Mapping[str, Relation] = {
    "renamed": with_other_names,
    "turned half round": turned_half_round,
    "with remarks": relations.with_remarks(()),
    "with unknown fields": relations.with_unknown_fields,
    "as one object": relations.as_one_object,
    "cut short": relations.cut_short(()),
    "claims left out": without_some_claims,
    "taken back and played again": relations.undone_and_replayed(()),
}
