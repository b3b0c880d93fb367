"""The same game written otherwise: what an audit finds must not hang on how a record was written down."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from random import Random
from typing import Any

from auditor.conformance import relations
from auditor.conformance.clx.armies import pack
from auditor.conformance.clx.inches import number, stand
from auditor.conformance.clx.variants import without_claims
from auditor.conformance.logs import Lines
from auditor.conformance.relations import Related, Relation, with_claims_left_out, written

PLACES, ANGLES = ("pos", "aim", "claimed_final"), ("facing", "heading", "scatter_angle")
NAMES = ("attack", "attacks", "causes", "pool", "cast")
"""Fields that name attacks, pools of wounds and casts."""
OF_PACKS = ("weapon", "type", "power", "phase", "armour_class", "terrain", "entry", "army")


def with_other_names(lines: Lines, rng: Random) -> Related:
    """Other names for the attacks, the pools of wounds and the casts."""

    def renamed(name: Any) -> Any:
        return [renamed(one) for one in name] if isinstance(name, list) else name if name is None else f"the {name}!"

    made = [lines[0]]
    for event in lines[1:]:
        names = NAMES + {"cast": ("id",), "perils": ("cause",)}.get(event["type"], ())
        made.append({key: renamed(value) if key in names else value for key, value in event.items()})
    return written(made)


def with_other_units(lines: Lines, rng: Random) -> Related:
    """Other ids for the units and their models."""
    units = lines[0]["units"]
    units = pack(units)["units"] if isinstance(units, str) else units
    names = sorted({one["id"] for unit in units for one in (unit, *unit["models"])})
    ids = {name: f"{name[::-1]} {number}" for number, name in enumerate(names)}
    header = {**lines[0], "units": units}
    return written([_with_ids(line, ids) for line in (header, *lines[1:])])


def _with_ids(value: Any, ids: Mapping[str, str], key: str = "") -> Any:
    """A value with other ids, but for those of packs."""
    if isinstance(value, str):
        return ids.get(value, value) if key not in OF_PACKS else value
    if isinstance(value, list):
        return [_with_ids(one, ids, key) for one in value]
    if isinstance(value, dict):
        return {name: _with_ids(one, ids, name) for name, one in value.items()}
    return value


Spot = tuple[Decimal, Decimal]


def moved(
    place: Callable[[Spot, Spot], Spot], angle: Callable[[Decimal], Decimal], size: Callable[[Spot], Spot]
) -> Relation:
    """The table seen from elsewhere.

    place  a place and the size of the table -> where that place is then
    angle  a direction in degrees -> the same then
    size   the size of the table -> its size then
    """

    def relation(lines: Lines, rng: Random) -> Related:
        table = lines[0]["table"]
        was = (Decimal(str(table["W"])), Decimal(str(table["D"])))

        def placed(at: Any) -> Any:
            x, y = place((Decimal(str(at[0])), Decimal(str(at[1]))), was)
            return [float(x), float(y), *at[2:]]

        def seen(value: Any, key: str = "") -> Any:
            if key in PLACES and isinstance(value, list):
                return placed(value)
            if key in ("path", "poly"):
                return [placed(one) for one in value]
            if key in ANGLES and value is not None:
                return float(angle(Decimal(str(value))) % 360)
            if isinstance(value, list):
                return [seen(one, "heading" if key == "headings" else "") for one in value]
            if isinstance(value, dict):
                return {name: seen(one, name) for name, one in value.items()}
            return value

        ground = lines[0].get("terrain") or []
        wide, deep = size(was)
        header = {
            **lines[0],
            "table": {**table, "W": float(wide), "D": float(deep)},
            "terrain": seen(pack(ground)["terrain"] if isinstance(ground, str) else ground),
        }
        return written([header, *(seen(event) for event in lines[1:])])

    return relation


def leaves_the_table(lines: Lines) -> bool:
    """Whether a base of a record ends over an edge of the table: on a larger one it might stand on it."""
    units = lines[0]["units"]
    units = pack(units)["units"] if isinstance(units, str) else units
    bases = {model["id"]: model["base"] for unit in units for model in unit["models"]}
    wide, deep = (number(lines[0]["table"][side]) for side in "WD")
    for event in lines[1:]:
        for row in event.get("models") or ():
            at = (row.get("path") or [row.get("pos")])[-1]
            if at is None or row.get("id") not in bases:
                continue
            heading = row.get("heading", (row.get("headings") or [0])[-1])
            base = stand(bases[row["id"]], (number(at[0]), number(at[1])), float(heading))
            corners = base.corners or [(base.at[0] + d * base.r, base.at[1] + d * base.r) for d in (-1, 1)]
            if any(not (0 <= x <= wide and 0 <= y <= deep) for x, y in corners):
                return True
    return False


SHIFT = moved(lambda at, _: (at[0] + 4, at[1] + 7), lambda angle: angle, lambda size: (size[0] + 8, size[1] + 14))


def shifted(lines: Lines, rng: Random) -> Related:
    """Everything stands farther to the right and up on a larger table. A record in which a base leaves the table is left
    as it is."""
    return written(lines) if leaves_the_table(lines) else SHIFT(lines, rng)


def without_some_claims(lines: Lines, rng: Random) -> Related:
    """Some of the claims left out."""
    made = without_claims(lines, 0.4, rng)
    return with_claims_left_out(lines, made)


RELATIONS: Mapping[str, Relation] = {
    "renamed": with_other_names,
    "other units": with_other_units,
    "turned half round": moved(
        lambda at, size: (size[0] - at[0], size[1] - at[1]), lambda angle: angle + 180, lambda size: size
    ),
    "turned a quarter": moved(
        lambda at, size: (size[1] - at[1], at[0]), lambda angle: angle + 90, lambda size: (size[1], size[0])
    ),
    "mirrored": moved(lambda at, size: (size[0] - at[0], at[1]), lambda angle: 180 - angle, lambda size: size),
    "shifted": shifted,
    "with remarks": relations.with_remarks(()),
    "with unknown fields": relations.with_unknown_fields,
    "as one object": relations.as_one_object,
    "cut short": relations.cut_short(()),
    "claims left out": without_some_claims,
    "taken back and played again": relations.undone_and_replayed(()),
}
