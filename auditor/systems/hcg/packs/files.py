"""Card sets and decks as data packs: how a file of them is read, JSON or CSV, and what is wrong with one.

Source: HCG catalogue 6. No file is read here but those of this package.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from importlib import resources
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Any, get_args

from auditor.core.nearest import nearest_id
from auditor.core.record import InputError
from auditor.systems import sheets
from auditor.systems.hcg.packs.cards import card_set
from auditor.systems.hcg.packs.decks import Deck, rows
from auditor.systems.hcg.packs.shapes import KINDS, LONGEST_ID, MOST_CARDS, SCHEMAS, Alignment, Colour, PlayerSide
from auditor.systems.packs import PackFormat, Packs, Table, Written
from auditor.systems.shapes import REFUSALS, Misfit, parse, shown

NUMBER_COLUMNS = frozenset({"flags", "firepower", "assault", "speed", "armor", "die", "requirement", "n"})
NULL = "-"
"""In a CSV an empty cell is an absent field; this is null, for a number that a unit does not have."""

_STAND_IN: Mapping[str, Any] = {
    "cards": {"id": "?", "title": "?", "kind": "unit"},
    "deck": {"card": "?", "n": 1},
}
_WORDS = {"cards": "a card set", "deck": "a deck"}


def kind_of(value: Mapping[str, Any]) -> str | None:
    """The kind of a pack, told from what it holds."""
    if {"set", "side"} & value.keys():
        return "deck"
    return "cards" if "cards" in value else None


def checked(kind: str, value: Mapping[str, Any]) -> tuple[Any, list[Misfit]]:
    """A card set or a deck made ready, and everything that is wrong with it by itself.

    The cards are looked at one by one, so that every error of a file is found; the rest as a whole.
    """
    around = {**value, "cards": [_STAND_IN[kind]]}
    try:
        SCHEMAS[kind].of(around)
        wrong = []
    except REFUSALS as refusal:
        wrong = SCHEMAS[kind].misfits(around) or [Misfit("", shown(value)[:80], str(refusal))]
    entries = value.get("cards")
    if not isinstance(entries, list):
        return None, [*wrong, Misfit("cards", shown(entries)[:80], "a list")]
    if not 1 <= len(entries) <= MOST_CARDS:
        return None, [*wrong, Misfit("cards", f"{len(entries):,} cards", f"1 to {MOST_CARDS:,} of them")]
    made: Any
    if kind == "cards":
        made, more = card_set(str(value.get("id")), str(value.get("title")), entries, lambda i: f"cards[{i}]")
    else:
        counts, more = rows(entries, lambda i: f"cards[{i}]")
        id_, title, of, side = (str(value.get(key)) for key in ("id", "title", "set", "side"))
        made = Deck(id_, title, of, side, MappingProxyType(counts))
    wrong += more
    return (None if wrong else made), wrong


def fits(kind: str, value: Mapping[str, Any], packs: Packs) -> list[Misfit]:
    """Whether a deck is of a set that is known, and of cards that this set has."""
    name, entries = value.get("set"), value.get("cards")
    if kind != "deck" or not isinstance(name, str) or not isinstance(entries, list):
        return []
    of = packs.find("cards", name)
    if of is None:
        near = nearest_id(name, packs.of_kind("cards"))
        return [Misfit("set", shown(name), "the id of a card set known here", near)]
    return [
        Misfit(f"cards[{i}].card", shown(card), f'a card of the set "{name}"', nearest_id(card, of.made.cards))
        for i, entry in enumerate(entries)
        if isinstance(entry, dict) and isinstance(card := entry.get("card"), str) and card not in of.made
    ]


def example_files() -> Iterator[tuple[str, bytes]]:
    """The example set and decks that come with the program. Every one of them is invented."""
    folder = resources.files("auditor.systems.hcg").joinpath("data", "packs")
    for name in sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".json")):
        yield name, folder.joinpath(name).read_bytes()


# -- cards alone --------------------------------------------------------------------------------------------------


def _named_by_file(name: str, entries: list[Any]) -> dict[str, Any]:
    """Cards alone as a pack that bears the name of its file."""
    stem = PurePosixPath(name).stem[:LONGEST_ID] or "cards"
    return {"game": "hcg", "id": stem, "title": stem, "source": f"the file {name}", "cards": entries}


def list_of_cards(name: str, content: list[Any]) -> dict[str, Any] | None:
    """A JSON list of cards as a set."""
    if not any(isinstance(entry, dict) and entry.get("kind") in KINDS for entry in content):
        return None
    return _named_by_file(name, content)


def from_csv(name: str, text: str) -> tuple[Written | None, list[InputError]]:
    """A set (columns of the catalogue) or a deck (columns card, n; its set and side in the columns of that name), as
    spreadsheets save them."""
    table, wrong = sheets.sheet(name, text, {"card": _DECK_COLUMNS, "": _CARD_COLUMNS}, _SYNONYMS)
    if table is None:
        return None, wrong
    deck = "card" in table.headings
    wrong += sheets.dates_in(name, table, ("id", "card", "set"))
    entries: list[dict[str, Any]] = [{c: _cell(c, cell) for c, cell in cells.items()} for _, cells in table.rows]
    lines = [row for row, _ in table.rows]
    value = _named_by_file(name, entries)
    for column in ("set", "side") if deck else ():
        found = {shown(entry.pop(column)) for entry in entries if column in entry}
        if len(found) == 1:
            value[column] = parse(found.pop())
        else:
            said = ", ".join(sorted(found)[:5]) or "nothing"
            wrong.append(InputError(None, f"{name}: {column}", said, f"one {column} for the deck"))
    if deck and len(value.keys() & {"set", "side"}) < 2:
        return None, wrong
    return Written(name, value, lambda path: _in_rows(path, lines), table.remarks), wrong


def _in_rows(path: str, lines: list[int]) -> str:
    """A place among the cards of a table by the row of the file: "row 5.die" for "cards[3].die"."""
    at = _ENTRY.match(path)
    return path if at is None else f"row {lines[int(at[1])]}{path[at.end() :]}"


_SYNONYMS: Mapping[str, str] = {
    "line_color": "line_colour", "colour": "line_colour", "color": "line_colour", "count": "n",
    "number": "n", "copies": "n", "armour": "armor",
}  # fmt: skip
_WORDS_OF: Mapping[str, frozenset[str]] = {
    "kind": frozenset(KINDS),
    "alignment": frozenset(get_args(Alignment)),
    "line_colour": frozenset(get_args(Colour)),
    "side": frozenset(get_args(PlayerSide)),
}
_ENTRY = re.compile(r"cards\[(\d+)\]")
_DECK_COLUMNS = ("card", "n", "set", "side")
_CARD_COLUMNS = (
    "id", "title", "group", "kind", "alignment", "flags", "firepower", "assault", "speed", "armor", "keywords",
    "abilities", "die", "line", "line_colour", "unique", "requirement", "planet", "reverse", "source",
)  # fmt: skip


def _cell(column: str, cell: str) -> Any:
    """A cell as JSON. A bold keyword stands between asterisks: infantry|*unique*."""
    if cell == NULL and column in NUMBER_COLUMNS:
        return None
    if column in NUMBER_COLUMNS:
        whole = sheets.number(cell)
        return cell if whole is None else whole
    if column == "unique":
        said = sheets.truth(cell)
        return cell if said is None else said
    if column in _WORDS_OF:
        return cell.casefold() if cell.casefold() in _WORDS_OF[column] else cell
    if column == "keywords":
        return [_keyword(part.strip()) for part in cell.split("|") if part.strip()]
    if column == "abilities":
        return [part.strip() for part in cell.split("|") if part.strip()]
    return cell


def _keyword(word: str) -> dict[str, Any]:
    bold = len(word) > 2 and word.startswith("*") and word.endswith("*")
    return {"name": word[1:-1] if bold else word, "bold": bold}


PACKS = PackFormat(
    kinds=SCHEMAS,
    words=_WORDS,
    told_by="a card set has cards, a deck a set and a side",
    kind_of=kind_of,
    check=checked,
    built_in=example_files,
    fits=fits,
    table=Table(frozenset({*_DECK_COLUMNS, *_CARD_COLUMNS}), from_csv),
    listed=list_of_cards,
)
