"""Card sets and decks from files, JSON or CSV; the packs that a program knows, and those that a header names.

Source: HCG catalogue 5.1 and 6. No file is read here but those of this package; `Packs.plus` takes bytes.
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib import resources
from pathlib import PurePosixPath
from typing import Any, Generic, TypeVar

import msgspec
import rfc8785

from auditor.core.nearest import nearest_id
from auditor.core.record import InputError, PackUsed
from auditor.systems.hcg.packs.cards import NO_CARDS, CardSet, card_set
from auditor.systems.hcg.packs.decks import Deck, deck_of, rows
from auditor.systems.hcg.packs.shapes import HEADER as HEADER_SHAPE
from auditor.systems.hcg.packs.shapes import MOST_CARDS, SCHEMAS, Header, PlayerEntry
from auditor.systems.shapes import REFUSALS, Misfit, keys_twice, parse, shown

T = TypeVar("T")

LIST_COLUMNS = frozenset({"keywords", "abilities"})
NUMBER_COLUMNS = frozenset({"flags", "firepower", "assault", "speed", "armor", "die", "requirement", "n"})
NULL = "-"
"""In a CSV an empty cell is an absent field; this is null, for a number that a unit does not have."""


class BadPacks(ValueError):
    """Packs that cannot be used; `errors` lists everything that is wrong with them."""

    def __init__(self, errors: Sequence[InputError]) -> None:
        self.errors = tuple(errors)
        super().__init__("\n".join(map(str, self.errors)))


@dataclass(frozen=True)
class Kept(Generic[T]):
    """A pack made ready, and what it is known by."""

    pack: T
    used: PackUsed


@dataclass(frozen=True)
class Packs:
    """The card sets and decks that a program knows, by id."""

    sets: Mapping[str, Kept[CardSet]] = field(default_factory=dict)
    decks: Mapping[str, Kept[Deck]] = field(default_factory=dict)

    def plus(self, files: Iterable[tuple[str, bytes]]) -> Packs:
        """These packs and those of some files: (name, content). Files of sets and of decks come in any order.

        Raises BadPacks with everything that is wrong in any file.
        """
        errors: list[InputError] = []
        sets, decks = dict(self.sets), dict(self.decks)
        found = [one for name, data in files for one in _packs_in(name, data, errors)]
        for one in found:
            if one.kind == "cards":
                made, wrong = card_set(one.value["id"], one.value["title"], one.value["cards"], one.place)
                _keep(one, made, wrong, sets, errors)
        for one in found:
            if one.kind == "deck":
                counts, wrong = rows(one.value["cards"], one.place)
                there = sets.get(one.value["set"])
                if there is None:
                    near = nearest_id(one.value["set"], sets)
                    wrong.append(Misfit("set", shown(one.value["set"]), "the id of a card set known here", near))
                    _keep(one, None, wrong, decks, errors)
                else:
                    deck, unknown = deck_of(one.value, counts, there.pack, "cards")
                    _keep(one, deck, [*wrong, *unknown], decks, errors)
        if errors:
            raise BadPacks(errors)
        return Packs(sets, decks)


@dataclass(frozen=True)
class _Found:
    """A pack in a file: its kind, its value as parsed JSON, and how entries of it are placed."""

    name: str
    kind: str
    value: dict[str, Any]
    place: Callable[[int], str]


def _keep(one: _Found, made: Any, wrong: list[Misfit], kept: dict[str, Kept[Any]], errors: list[InputError]) -> None:
    errors += [InputError(None, f"{one.name}: {m.path}", m.found, m.expected, m.nearest) for m in wrong]
    if wrong or made is None:
        return
    try:
        used = PackUsed(made.id, hashlib.sha256(rfc8785.dumps(one.value)).hexdigest())
    except (rfc8785.CanonicalizationError, RecursionError) as error:
        errors.append(InputError(None, one.name, "a value without a canonical form", str(error)))
        return
    there = kept.get(made.id)
    if there is not None and there.used != used:
        expected = "an id of its own: another pack of this kind has it"
        errors.append(InputError(None, f"{one.name}: id", shown(made.id), expected))
    else:
        kept[made.id] = Kept(made, used)


def _packs_in(name: str, data: bytes, errors: list[InputError]) -> Iterator[_Found]:
    """The packs of one file. A list of cards alone is a set that bears the name of its file."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        errors.append(InputError(None, name, str(error)[:200], "text in UTF-8"))
        return
    if name.lower().endswith(".csv"):
        found = _from_csv(name, text, errors)
        if found is not None:
            yield found
        return
    try:
        content = parse(text)
        twice = list(keys_twice(content))
    except (ValueError, RecursionError) as error:
        errors.append(InputError(None, name, str(error)[:200], "JSON in UTF-8"))
        return
    errors += [InputError(None, f"{name}: {path}", "a key given twice", "each key once") for path in twice]
    if isinstance(content, list):
        stem = PurePosixPath(name).stem[:64]
        content = {"id": stem, "title": stem, "source": "", "cards": content}
    kind = kind_of(content)
    if kind is None:
        expected = "a card set (id, title, source, cards) or a deck (id, title, source, set, side, cards)"
        errors.append(InputError(None, name, shown(content)[:80], expected))
        return
    # The cards are checked one by one, so that every error of a file is found; the rest as a whole.
    around = {**content, "cards": [_STAND_IN[kind]]}
    errors += [
        InputError(None, f"{name}: {m.path}", m.found, m.expected, m.nearest) for m in SCHEMAS[kind].misfits(around)
    ]
    if not isinstance(content.get("cards"), list):
        errors.append(InputError(None, f"{name}: cards", shown(content.get("cards"))[:80], "a list"))
    elif not 1 <= len(content["cards"]) <= MOST_CARDS:
        found_n = f"{len(content['cards']):,} cards"
        errors.append(InputError(None, f"{name}: cards", found_n, f"1 to {MOST_CARDS:,} of them"))
    elif not SCHEMAS[kind].misfits(around):
        yield _Found(name, kind, content, lambda i: f"cards[{i}]")


_STAND_IN: Mapping[str, Any] = {
    "cards": {"id": "?", "title": "?", "kind": "unit"},
    "deck": {"card": "?", "n": 1},
}


def kind_of(value: Any) -> str | None:
    """The kind of a pack, told from what it holds. A pack that says it is of another game is none of ours."""
    if not isinstance(value, dict) or value.get("game", "hcg") != "hcg":
        return None
    if {"set", "side"} & value.keys():
        return "deck"
    return "cards" if "cards" in value else None


# -- CSV ----------------------------------------------------------------------------------------------------------


def _from_csv(name: str, text: str, errors: list[InputError]) -> _Found | None:
    """A set (columns of the catalogue) or a deck (columns card, n; its set and side in the columns of that name)."""
    try:
        table = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    except csv.Error as error:
        errors.append(InputError(None, name, str(error), "comma-separated values"))
        return None
    if len(table) < 2:
        errors.append(InputError(None, name, "no rows", "a line with the names of the columns, then one a card"))
        return None
    columns = [column.strip() for column in table[0]]
    deck = "card" in columns
    known = _DECK_COLUMNS if deck else _CARD_COLUMNS
    for column in columns:
        if column not in known or columns.count(column) > 1:
            expected = "one of " + ", ".join(known) + ", each once"
            errors.append(InputError(1, name, shown(column), expected, nearest_id(column, known)))
            return None
    entries: list[dict[str, Any]] = []
    lines: list[int] = []
    for i, row in enumerate(table[1:], 2):
        if not any(cell.strip() for cell in row):
            continue
        if len(row) != len(columns):
            errors.append(InputError(None, f"{name}: row {i}", f"{len(row)} cells", f"{len(columns)} cells"))
            continue
        entries.append({c: _cell(c, cell.strip()) for c, cell in zip(columns, row, strict=True) if cell.strip()})
        lines.append(i)
    if len(entries) > MOST_CARDS:
        errors.append(InputError(None, name, f"{len(entries):,} rows", f"at most {MOST_CARDS:,} of them"))
        return None
    stem = PurePosixPath(name).stem[:64]
    value: dict[str, Any] = {"id": stem, "title": stem, "source": "", "cards": entries}
    if deck:
        for column in ("set", "side"):
            found = {entry.pop(column) for entry in entries if column in entry}
            if len(found) != 1:
                errors.append(
                    InputError(None, f"{name}: {column}", shown(sorted(map(str, found))), f"one {column} for the deck")
                )
                return None
            value[column] = found.pop()
        if value["side"] not in ("loyalist", "traitor"):
            errors.append(InputError(None, f"{name}: side", shown(value["side"]), 'one of "loyalist", "traitor"'))
            return None
    return _Found(name, "deck" if deck else "cards", value, lambda i: f"row {lines[i]}")


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
        digits = cell.removeprefix("-")
        return int(cell) if digits.isascii() and digits.isdecimal() and len(digits) <= 9 else cell
    if column == "unique":
        return {"true": True, "false": False, "yes": True, "no": False}.get(cell.lower(), cell)
    if column == "keywords":
        return [_keyword(part.strip()) for part in cell.split("|") if part.strip()]
    if column == "abilities":
        return [part.strip() for part in cell.split("|") if part.strip()]
    return cell


def _keyword(word: str) -> dict[str, Any]:
    bold = len(word) > 2 and word.startswith("*") and word.endswith("*")
    return {"name": word[1:-1] if bold else word, "bold": bold}


# -- packs that come with the program, and those of a header ------------------------------------------------------


@cache
def built_in() -> Packs:
    """The example set and decks that come with the program. Every one of them is invented."""
    folder = resources.files("auditor.systems.hcg").joinpath("data", "packs")
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".json"))
    return Packs().plus((name, folder.joinpath(name).read_bytes()) for name in names)


@dataclass(frozen=True)
class Player:
    """What a header says of a player. `deck` and `instances` None: not given."""

    id: str
    name: str
    side: str | None
    deck: Mapping[str, int] | None
    instances: Mapping[str, str] | None


@dataclass(frozen=True)
class Setup:
    """What a header says. `cards` is empty where no card set is known; `sectors` maps slots to cards, as written."""

    cards: CardSet
    players: tuple[Player, Player]
    sectors: tuple[tuple[int, str], ...]
    terse: bool
    passes_implied: bool


def setup_of(header: bytes, packs: Packs) -> tuple[Setup | None, list[Misfit], tuple[PackUsed, ...]]:
    """What a header's line says, everything that is wrong with it, and the card set that it names by id.

    None where there are not two players to speak of. A log without a card set is audited as far as that goes.
    """
    try:
        written = HEADER_SHAPE.read(header)
    except REFUSALS:
        try:
            written = HEADER_SHAPE.of(parse(header.decode()))
        except (*REFUSALS, ValueError):
            return None, [], ()  # What does not fit the header's shape has been listed by whoever read the header.
    cards, wrong, used = _cards_of(written, packs)
    first, second = map(_player, written.players)
    if first.id == second.id:
        wrong.append(Misfit("players[1].id", shown(second.id), "another id than the first player's"))
        return None, wrong, used
    sectors = tuple((entry.slot, entry.card) for entry in written.sectors or ())
    return Setup(cards, (first, second), sectors, written.detail == "terse", written.passes == "implied"), wrong, used


def _player(entry: PlayerEntry) -> Player:
    deck: dict[str, int] | None = None
    if entry.deck is not None:
        deck = {}
        for row in entry.deck:
            deck[row.card] = deck.get(row.card, 0) + row.n
    return Player(entry.id, entry.name, entry.side, deck, entry.instances)


def _cards_of(written: Header, packs: Packs) -> tuple[CardSet, list[Misfit], tuple[PackUsed, ...]]:
    given = written.cards
    if given is None:
        return NO_CARDS, [], ()
    if isinstance(given, str):
        kept = packs.sets.get(given)
        if kept is None:
            near = nearest_id(given, packs.sets)
            return (
                NO_CARDS,
                [Misfit("cards", shown(given), "the id of a card set known here, or one in full", near)],
                (),
            )
        return kept.pack, [], (kept.used,)
    entries = given.get("cards") if isinstance(given, dict) else given
    if not isinstance(entries, list) or len(entries) > MOST_CARDS:
        return NO_CARDS, [Misfit("cards", shown(given)[:80], f"a card set, at most {MOST_CARDS:,} cards")], ()
    made, wrong = _inline(msgspec.json.encode(entries), "cards.cards" if isinstance(given, dict) else "cards")
    return made, list(wrong), ()


@lru_cache(maxsize=16)
def _inline(entries: bytes, path: str) -> tuple[CardSet, tuple[Misfit, ...]]:
    """A set given in full in a header. The same one is read once."""
    made, wrong = card_set("", "", parse(entries.decode()), lambda i: f"{path}[{i}]")
    return made, tuple(wrong)
