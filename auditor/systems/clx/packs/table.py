"""Units of an army as a sheet: a row for each model, or for some that are alike. What is not in the sheet is not known.

Vehicles, hulls and psykers have parts that one row cannot hold: they are written as JSON.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

from auditor.core.record import InputError
from auditor.systems import sheets
from auditor.systems.clx.packs.shapes import MOST_IN_A_UNIT
from auditor.systems.packs import Written
from auditor.systems.shapes import parse, shown

MOST_IN_A_SHEET = 2_000
"""Models of all units of a sheet: five times as many as may play."""
NOTHING = "-"
"""A characteristic that a model does not have; an empty cell says the same."""

_OF_UNIT = ("name", "faction", "type", "rules", "weapons_per_model")
_PROFILE = {
    heading.casefold(): heading for heading in ("M", "WS", "BS", "S", "T", "W", "I", "A", "Ld", "AS", "inv", "CS")
}
_OF_MODEL = ("radius", "height", "weapons", "armour_class", "character", "wargear")
COLUMNS = ("unit", "model", "n", *_OF_UNIT, *_PROFILE, *_OF_MODEL)
_SYNONYMS: Mapping[str, str] = {
    "unit_id": "unit", "model_id": "model", "number": "n", "count": "n", "models": "n", "special_rules": "rules",
    "save": "as", "sv": "as", "armour_save": "as", "invulnerable": "inv", "cover_save": "cs", "leadership": "ld",
    "base_radius": "radius", "armor_class": "armour_class", "unit_type": "type",
}  # fmt: skip
_LISTS = frozenset({"rules", "weapons", "wargear"})
_LOWER = frozenset({"type", "armour_class"})
_NUMBER = re.compile(r"[+-]?\d{1,6}(?:[.,]\d{1,6})?")
_MARKS = re.compile(r"""(?<=\d)\s*(?:\+|"|''|\u2033)$""")
"""What stands behind a number on a sheet of an army: 3+ of a save, 6" of inches."""
_PLACE = re.compile(r"units\[(\d+)\](?:\.models\[(\d+)\])?(?:\.profile|\.base)?")


def from_csv(name: str, text: str) -> tuple[Written | None, list[InputError]]:
    """The units that a sheet tells, and what is wrong with the sheet itself."""
    table, wrong = sheets.sheet(name, text, {"": COLUMNS}, _SYNONYMS, of="a model")
    if table is None:
        return None, wrong
    wrong += sheets.dates_in(name, table, ("unit", "model", *_LISTS))
    units: dict[str, dict[str, Any]] = {}
    rows: dict[str, list[int]] = {}
    told_so_far = 0
    for row, cells in table.rows:
        told = {heading: _cell(heading, cell) for heading, cell in cells.items()}
        called = told.get("unit")
        if called is None:
            wrong.append(InputError(None, f"{name}: row {row}.unit", "nothing", "the id of the unit of this model"))
            continue
        unit = units.setdefault(called, {"id": called, "models": []})
        for heading in _OF_UNIT:
            if heading in told and unit.setdefault(heading, told[heading]) != told[heading]:
                found, expected = shown(told[heading]), f"one {heading} for the unit: it has {shown(unit[heading])}"
                wrong.append(InputError(None, f"{name}: row {row}.{heading}", found, expected))
        many = told.get("n", 1)
        if not isinstance(many, int) or not 1 <= many <= MOST_IN_A_UNIT or (many > 1 and "model" in told):
            expected = f"how many models are alike, 1 to {MOST_IN_A_UNIT}; 1 where the model has an id"
            wrong.append(InputError(None, f"{name}: row {row}.n", shown(many), expected))
            many = 1
        unit["models"] += _models(told, called, len(unit["models"]), many)
        rows.setdefault(called, []).extend([row] * many)
        told_so_far += many
        if told_so_far > MOST_IN_A_SHEET:
            found, expected = f"more than {MOST_IN_A_SHEET:,} models", f"at most {MOST_IN_A_SHEET:,} in a sheet"
            return None, [*wrong, InputError(None, f"{name}: row {row}", found, expected)]
    stem = PurePosixPath(name).stem[:64] or "units"
    value = {"game": "clx", "id": stem, "title": stem, "source": f"the file {name}", "units": list(units.values())}
    return Written(name, value, lambda path: _in_rows(path, [*rows.values()]), table.remarks), wrong


def _models(told: Mapping[str, Any], unit: str, before: int, many: int) -> list[dict[str, Any]]:
    """The models of a row: one by its id, or so many alike, called by the unit's id and a number."""
    profile = {heading: told[small] for small, heading in _PROFILE.items() if small in told}
    rest = {heading: told[heading] for heading in _OF_MODEL if heading in told and heading != "radius"}
    base = {"shape": "circle", **({"r": told["radius"]} if "radius" in told else {})}
    names = [told["model"]] if "model" in told else [f"{unit}.m{before + k}" for k in range(1, many + 1)]
    return [{"id": one, "profile": profile, "base": base, **rest} for one in names]


def _cell(heading: str, cell: str) -> Any:
    """A cell as JSON. The members of a list stand between bars, commas or semicolons."""
    if heading in _LISTS:
        return [part.strip() for part in re.split(r"[|,;]", cell) if part.strip()]
    if heading == "character":
        said = sheets.truth(cell)
        return cell if said is None else said
    if heading in _LOWER:
        return cell.casefold().replace(" ", "_")
    if heading in _PROFILE or heading in ("n", "weapons_per_model", "radius", "height"):
        return _number(cell)
    return cell


def _number(cell: str) -> Any:
    """A number as a sheet of an army has it: 4, 4.0, 4,0, 3+, 6"; as it stands where it is none."""
    if cell == NOTHING:
        return None
    plain = _MARKS.sub("", unicodedata.normalize("NFKC", cell).replace("\u2212", "-").strip())
    whole = sheets.number(plain)
    if whole is not None:
        return whole
    return parse(plain.replace(",", ".").removeprefix("+")) if _NUMBER.fullmatch(plain) else cell


def _in_rows(path: str, rows: list[list[int]]) -> str:
    """A place among the units by the row of the file: "row 5.WS" for "units[0].models[3].profile.WS"."""
    at = _PLACE.match(path)
    if at is None:
        return path
    return f"row {rows[int(at[1])][int(at[2] or 0)]}{path[at.end() :]}"
