"""Data packs: what a game's box holds and its rules do not, as JSON with an id. Any game's; checked before they are used.

A pack is {"id", "title", "source", "game"?, "version"?} and what its kind holds; a file holds one or a list of them,
or what a game reads beside that (`PackFormat.table`, `PackFormat.listed`). A log's header names a pack by its id, which means its newest version, or by "id@version".
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import rfc8785

from auditor.core.bounds import MOST_ERRORS
from auditor.core.nearest import nearest_id
from auditor.core.record import InputError, PackUsed
from auditor.systems.shapes import Misfit, Shape, keys_twice, parse, shown
from auditor.systems.sheets import headings_known

LONGEST_VERSION = 32
TABLE = ".csv"
"""The end of the name of a file that holds a table."""


class BadPacks(ValueError):
    """Packs that cannot be used; `errors` lists everything that is wrong with them."""

    def __init__(self, errors: Sequence[InputError]) -> None:
        self.errors = tuple(errors[:MOST_ERRORS])
        if len(errors) > MOST_ERRORS:
            more = f"{len(errors) - MOST_ERRORS:,} more errors than are listed"
            self.errors += (InputError(None, "", more, "packs with which nothing is wrong"),)
        super().__init__("\n".join(map(str, self.errors)))


@dataclass(frozen=True)
class Written:
    """A pack as a file holds it.

    where  its place in words: the file, and the number where it holds several
    value  parsed JSON, or what a table says in its terms
    at     a place in `value` -> how the file names it ("cards[3].die": "row 5.die")
    remarks  what of the file was left out, a sentence each
    """

    where: str
    value: Any
    at: Callable[[str], str] = str
    remarks: tuple[str, ...] = ()

    def errors(self, misfits: Iterable[Misfit]) -> Iterator[InputError]:
        """What is wrong with it, each with its place in the file."""
        for misfit in misfits:
            place = f"{self.where}: {self.at(misfit.path)}" if misfit.path else self.where
            yield InputError(None, place, misfit.found, misfit.expected, misfit.nearest)


class Table(NamedTuple):
    """The sheets of one game.

    columns  the headings that they may have, by which they are told from those of other games
    read     (name, text of a CSV) -> the pack in it or None, and what is wrong with the table itself
    """

    columns: Collection[str]
    read: Callable[[str, str], tuple[Written | None, list[InputError]]]


@dataclass(frozen=True)
class PackFormat:
    """The data packs of one game.

    kinds    kind -> the shape of such a pack
    words    kind -> the kind in words ("a board")
    told_by  what a pack of each kind holds that no other does, for the error where a pack is of no kind
    kind_of  a pack as written -> its kind, or None
    check    (kind, pack as written) -> the pack made ready, and everything wrong with it; usable only if nothing is
    built_in the files of the packs that come with the program: (name, content)
    fits     (kind, pack as written, the game's packs) -> what is wrong with it beside those: what it names and nobody has
    table    how packs are read from sheets
    listed   (name, a JSON list) -> the one pack that the list is; None where it is a list of packs
    """

    kinds: Mapping[str, Shape[Any]]
    words: Mapping[str, str]
    told_by: str
    kind_of: Callable[[Mapping[str, Any]], str | None]
    check: Callable[[str, Mapping[str, Any]], tuple[Any, list[Misfit]]]
    built_in: Callable[[], Iterable[tuple[str, bytes]]]
    fits: Callable[[str, Mapping[str, Any], Packs], list[Misfit]] | None = None
    table: Table | None = None
    listed: Callable[[str, list[Any]], Mapping[str, Any] | None] | None = None


@dataclass(frozen=True)
class Pack:
    """A data pack with which nothing is wrong.

    version  "" where the pack has none
    sha256   of its canonical JSON: what an audit knows it by
    written  the pack as written
    made     what the game made of it
    """

    game: str
    kind: str
    id: str
    version: str
    title: str
    sha256: str
    written: Mapping[str, Any]
    made: Any

    @property
    def used(self) -> PackUsed:
        return PackUsed(self.id, self.sha256)


class Packs:
    """Packs of one game by kind, id and version."""

    def __init__(self, packs: Iterable[Pack] = ()) -> None:
        self._by_name: dict[tuple[str, str], Pack] = {}
        self._newest: dict[str, dict[str, Pack]] = {}
        for pack in packs:
            self._by_name[pack.kind, f"{pack.id}@{pack.version}"] = pack
            of_kind = self._newest.setdefault(pack.kind, {})
            there = of_kind.get(pack.id)
            if there is None or newness(there.version) <= newness(pack.version):
                of_kind[pack.id] = pack

    def __iter__(self) -> Iterator[Pack]:
        return iter(self._by_name.values())

    def of_kind(self, kind: str) -> Mapping[str, Pack]:
        """The newest version of each pack of a kind, by id."""
        return self._newest.get(kind, {})

    def find(self, kind: str, name: str) -> Pack | None:
        """The pack that "id" (its newest version) or "id@version" names."""
        return self.of_kind(kind).get(name) or self._by_name.get((kind, name))

    def rival(self, pack: Pack) -> Pack | None:
        """Another pack that bears the same kind, id and version."""
        there = self._by_name.get((pack.kind, f"{pack.id}@{pack.version}"))
        return there if there is not None and there.sha256 != pack.sha256 else None

    def plus(self, packs: Iterable[Pack]) -> Packs:
        """These packs and some more."""
        return Packs((*self, *packs))


def newness(version: str) -> tuple[tuple[int, int, str], ...]:
    """What versions are compared by: numbers as numbers, so that 1.10 is newer than 1.9; none is the oldest."""
    parts = re.findall(r"\d+|[^\d.]+", version)
    return tuple((1, int(part), "") if part.isdecimal() else (0, 0, part) for part in parts)


def check(
    files: Iterable[tuple[str, bytes]],
    formats: Mapping[str, PackFormat],
    known: Callable[[str], Packs] = lambda game: Packs(),
    *,
    together: bool = True,
    remarks: list[str] | None = None,
) -> list[Pack]:
    """The packs of some files, (name, content) each, of any of the games whose formats are given.

    `known` gives the packs that a game has already; the same again is no fault. A pack that does not name its game is
    taken for that of the one game which knows its kind; where several do, of the one that finds least wrong with it.
    With `together`, each is held against all others once they are there, in whichever order they came.
    What was left out of a file goes to `remarks`. Raises BadPacks with everything that is wrong in any file.
    """
    errors: list[InputError] = []
    kept: dict[str, Packs] = {}
    found: list[Pack] = []
    taken: list[tuple[Written, str]] = []
    for name, data in files:
        for written in _written(name, data, formats, errors):
            if remarks is not None:
                remarks += written.remarks
            game, pack, wrong = _checked(written.value, formats)
            errors += written.errors(wrong)
            if game is not None:
                taken.append((written, game))
            if pack is None or wrong:
                continue
            there = kept.get(pack.game) or known(pack.game)
            if there.rival(pack) is not None:
                what = f"version {shown(pack.version)}" if pack.version else "no version"
                expected = f"an id or a version of its own: another {pack.kind} of this id has {what}"
                errors += written.errors([Misfit("id", shown(pack.id), expected)])
                continue
            kept[pack.game] = there.plus([pack])
            found.append(pack)
    for written, game in taken:
        fits, kind = formats[game].fits, formats[game].kind_of(written.value)
        if together and fits is not None and kind is not None:
            errors += written.errors(fits(kind, written.value, kept.get(game) or known(game)))
    if errors:
        raise BadPacks(errors)
    return found


def _written(name: str, data: bytes, formats: Mapping[str, PackFormat], errors: list[InputError]) -> Iterator[Written]:
    """The packs of one file, with the words for their places."""
    tables = [form.table for form in formats.values() if form.table is not None]
    is_table = bool(tables) and not name.lower().endswith(".json")
    try:
        text = data.decode("utf-8-sig")
        is_table &= name.lower().endswith(TABLE) or not text.lstrip().startswith(("{", "["))
        if is_table:
            written, wrong = max(tables, key=lambda one: headings_known(text, one.columns)).read(name, text)
            errors += wrong
            if written is not None:
                yield written
            return
        content = parse(text)
        twice = list(keys_twice(content))
    except (ValueError, RecursionError) as error:
        errors.append(InputError(None, name, str(error)[:200], "CSV in UTF-8" if is_table else "JSON in UTF-8"))
        return
    errors += [InputError(None, f"{name}: {path}", "a key given twice", "each key once") for path in twice]
    if not isinstance(content, list):
        yield Written(name, content)
        return
    for form in formats.values():
        whole = form.listed(name, content) if form.listed is not None else None
        if whole is not None:
            yield Written(name, whole)
            return
    for i, item in enumerate(content):
        yield Written(f"{name}[{i}]", item)


def _checked(value: Any, formats: Mapping[str, PackFormat]) -> tuple[str | None, Pack | None, list[Misfit]]:
    """The game of a pack where it can be told, the pack made ready, and everything that is wrong with it."""
    if not isinstance(value, dict):
        return None, None, [_of_no_kind(value, formats)]
    if "game" in value:
        named = value["game"]
        if not isinstance(named, str) or named not in formats:
            expected = "one of " + ", ".join(f'"{key}"' for key in formats)
            return None, None, [Misfit("game", shown(named), expected, nearest_id(named, formats))]
        return named, *_of_game(named, value, formats)
    games = [key for key, form in formats.items() if form.kind_of(value) is not None]
    if not games:
        return None, None, [_of_no_kind(value, formats)]
    tried = {key: _of_game(key, value, formats) for key in games}
    least = min(len(wrong) for _, wrong in tried.values())
    fitting = [key for key in games if len(tried[key][1]) == least]
    if len(fitting) == 1:
        return fitting[0], *tried[fitting[0]]
    expected = "the game that the pack is of: it may be of " + " or ".join(fitting)
    return None, None, [Misfit("game", "nothing", expected)]


def _of_no_kind(value: Any, formats: Mapping[str, PackFormat]) -> Misfit:
    return Misfit("", shown(value)[:80], "; or ".join(f"a pack: {form.told_by}" for form in formats.values()))


def _of_game(game: str, value: dict[str, Any], formats: Mapping[str, PackFormat]) -> tuple[Pack | None, list[Misfit]]:
    """A pack of a known game made ready, and everything that is wrong with it."""
    form = formats[game]
    kind = form.kind_of(value)
    if kind is None:
        return None, [_of_no_kind(value, {game: form})]
    wrong = [Misfit(key, "nothing", "every pack carries it") for key in ("id", "title", "source") if not value.get(key)]
    version = value.get("version", "")
    if not isinstance(version, str) or len(version) > LONGEST_VERSION or "@" in version:
        wrong.append(Misfit("version", shown(version), f"a text of at most {LONGEST_VERSION} characters, without @"))
    made, misfits = form.check(kind, value)
    missing = {misfit.path for misfit in wrong if misfit.found == "nothing"}
    wrong += [misfit for misfit in misfits if misfit.path not in missing]
    try:
        sha256 = hashlib.sha256(rfc8785.dumps(value)).hexdigest()
    except (rfc8785.CanonicalizationError, RecursionError) as error:
        return None, [*wrong, Misfit("", "a value without a canonical form", str(error))]
    told = {misfit.path for misfit in wrong}
    wrong += [
        Misfit(key, shown(value[key]), "a text") for key in ("id", "title") if key not in told and not isinstance(value[key], str)
    ]  # fmt: skip
    if wrong:
        return None, wrong
    return Pack(game, kind, value["id"], version, value["title"], sha256, value, made), []
