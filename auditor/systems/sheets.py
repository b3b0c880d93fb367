"""Tables of cells as spreadsheets save them: which sign stands between cells, headings in any spelling, what a
spreadsheet makes of numbers, of yes and no, and of ids that look like dates.

The headings are known, so the sign between cells is the one by which most of them are found. That is sure where a
guess from the text of the cells is not, and it is the same on every machine, as the hash of a pack has to be.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache

from auditor.core.nearest import nearest_id
from auditor.core.record import InputError
from auditor.systems.shapes import shown

SIGNS = (",", ";", "\t", "|")
LONGEST_CELL = 2**17

_MONTHS = (
    "jan ene gen janv feb fév fev mar mär mrz mars apr abr avr may mai mei mag jun juin giu jul juil lug aug aoû ago"
    " sep set oct okt ott out nov dec déc dez dic des"
)
_DAY = r"\d{1,4}"
_MONTH = rf"(?:{'|'.join(_MONTHS.split())})[^\W\d_]{{0,7}}\.?"
_DATE = re.compile(
    rf"{_DAY}(?:\.|\.?[-/ ]){_MONTH}(?:[-/ .]\d{{2,4}})?"
    rf"|{_MONTH}[-/ ]{_DAY}"
    r"|\d{4}-\d{2}-\d{2}(?:[ T]00:00(?::00)?)?"
    r"|\d{1,2}([./])\d{1,2}\1(?:\d{2}|\d{4})"
    r"|\d{1,2}[.,]\d{1,6}E[+-]\d{1,3}",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"([+-]?)(\d{1,9})(?:[.,]0{1,6})?")
_YES = frozenset(
    [
        "true",
        "yes",
        "y",
        "x",
        "1",
        "wahr",
        "ja",
        "vrai",
        "oui",
        "verdadero",
        "si",
        "sí",
        "vero",
        "verdadeiro",
        "sim",
        "waar",
        "prawda",
    ]
)
_NO = frozenset(
    ["false", "no", "n", "0", "falsch", "nein", "faux", "non", "falso", "falso", "não", "nao", "onwaar", "nee", "fałsz"]
)


@dataclass(frozen=True)
class Sheet:
    """A table whose headings are known.

    rows     (number of the row in the file, heading -> what its cell says), without empty cells and empty rows
    remarks  what was left out, a sentence each
    """

    headings: tuple[str, ...]
    rows: tuple[tuple[int, Mapping[str, str]], ...]
    remarks: tuple[str, ...] = ()


def sheet(
    name: str, text: str, known: Mapping[str, Collection[str]], synonyms: Mapping[str, str], of: str = "a card"
) -> tuple[Sheet | None, list[InputError]]:
    """The table that a text holds, or None, and what is wrong with it; `of`: what a row is about.

    `known` are the headings that a table may have, by the heading that tells such a table from others ("" for the one
    that is told by none); `synonyms` are other words for them.
    """
    every = {heading for headings in known.values() for heading in headings}
    sign, begin = _sign(text, every | synonyms.keys())
    try:
        table = list(csv.reader(io.StringIO(text[begin:], newline=""), delimiter=sign, strict=True))
    except csv.Error as error:
        return None, [InputError(None, name, str(error), "comma-separated values")]
    before = text.count("\n", 0, begin)
    rows = [(before + i, row) for i, row in enumerate(table, 1) if any(cell.strip() for cell in row)]
    if len(rows) < 2:
        return None, [InputError(None, name, "no rows", f"a line with the names of the columns, then one for {of}")]
    (first, written), *rest = rows
    headings = [_heading(cell) for cell in written]
    allowed = next((those for key, those in known.items() if key in headings), None) or known[""]
    headings = [synonyms[h] if h not in allowed and synonyms.get(h) in allowed else h for h in headings]
    wrong, remarks = _strange(name, first, written, headings, allowed, rest, of)
    if wrong:
        return None, wrong
    kept: list[tuple[int, Mapping[str, str]]] = []
    for number, row in rest:
        if len(row) > len(headings) and any(cell.strip() for cell in row[len(headings) :]):
            wrong.append(InputError(None, f"{name}: row {number}", f"{len(row)} cells", f"{len(headings)} cells"))
            continue
        cells = {h: cell.strip() for h, cell in zip(headings, row, strict=False) if h in allowed and cell.strip()}
        if cells:
            kept.append((number, cells))
    return Sheet(tuple(h for h in headings if h in allowed), tuple(kept), tuple(remarks)), wrong


def _sign(text: str, known: Collection[str]) -> tuple[str, int]:
    """The sign between cells, and where the table begins: behind a line that names the sign, if there is one."""
    named = re.match(r"\s*\"?sep=(.)\"?[^\n]{0,100}\n", text, re.IGNORECASE)
    if named:
        return named[1], named.end()
    return max(SIGNS, key=lambda sign: _headings_by(sign, text, known)), 0


def _headings_by(sign: str, text: str, known: Collection[str]) -> int:
    first = text.lstrip("\ufeff \r\n,;|").partition("\n")[0][:LONGEST_CELL]
    return sum(_heading(cell.strip().strip('"')) in known for cell in first.split(sign))


def headings_known(text: str, known: Collection[str]) -> int:
    """How many of the headings of a table are known ones."""
    sign, begin = _sign(text, known)
    return _headings_by(sign, text[begin:], known)


_WORDS = re.compile(r"[^\s_-]+")


@lru_cache(maxsize=64)
def _heading(cell: str) -> str:
    """A heading in the spelling that it is known by: small letters, words joined by "_"."""
    plain = cell.lower() if cell.isascii() else unicodedata.normalize("NFKC", cell).casefold().replace("\ufeff", "")
    return "_".join(_WORDS.findall(plain))


def _strange(
    name: str,
    line: int,
    written: list[str],
    headings: list[str],
    allowed: Collection[str],
    rest: list[tuple[int, list[str]]],
    of: str,
) -> tuple[list[InputError], list[str]]:
    """What is wrong with the headings, and which columns are left out because no heading is like theirs."""
    wrong: list[InputError] = []
    remarks: list[str] = []
    missing = [heading for heading in allowed if heading not in headings]
    for n, (cell, heading) in enumerate(zip(written, headings, strict=True)):
        expected = f"one of {', '.join(allowed)}, each once"
        if heading in allowed:
            if headings.index(heading) != n:
                wrong.append(InputError(line, name, shown(cell), expected))
        elif not heading:
            if any(len(row) > n and row[n].strip() for _, row in rest):
                wrong.append(InputError(line, name, f"no heading over column {n + 1}", expected))
        elif near := nearest_id(heading, missing):
            wrong.append(InputError(line, name, shown(cell), expected, near))
        elif headings.index(heading) == n:
            remarks.append(f"{name}: the column {shown(cell)} is none of {of} and was left out.")
    if not wrong and not any(heading in allowed for heading in headings):
        wrong.append(InputError(line, name, shown(written)[:200], f"columns: {', '.join(allowed)}"))
    return wrong, remarks


def number(cell: str) -> int | None:
    """A whole number as a spreadsheet writes it: "4", "4.0", "4,0", "+4"; None where a cell is none."""
    plain = unicodedata.normalize("NFKC", cell).replace("\u2212", "-").strip()
    found = _NUMBER.fullmatch(plain)
    return int(found[1] + found[2]) if found else None


def truth(cell: str) -> bool | None:
    """Yes or no in the words of spreadsheets; None where a cell says neither."""
    word = unicodedata.normalize("NFKC", cell).casefold().strip()
    return True if word in _YES else False if word in _NO else None


def dates_in(name: str, table: Sheet, columns: Collection[str]) -> list[InputError]:
    """The ids of which a spreadsheet has made a date."""
    expected = "the id as it was: a spreadsheet made a date of it; give the column the format Text"
    return [
        InputError(None, f"{name}: row {row}.{column}", shown(cell), expected)
        for row, cells in table.rows
        for column, cell in cells.items()
        if column in columns and is_date(cell)
    ]


def is_date(cell: str) -> bool:
    """Whether a spreadsheet has made a date, or a number with an exponent, of what was an id."""
    return len(cell) <= 40 and _DATE.fullmatch(cell.strip()) is not None
