"""The examples of all games' rules and readings: one file a rule, as `fixtures/README.md` says.

    python -m tests.examples CAL-SOR-01/illegal-no-card > log.jsonl    # an example as a log that can be audited
    python -m tests.examples CAL-SOR-01/illegal-new --of log.jsonl     # a log becomes an example; its header is shortened
    python -m tests.examples --layout                                  # every file is written as it has to stand

A file is read once, checked as a whole, and kept. What an example hands out is made anew each time, so a test may
change it.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any

from tests import layout

FIXTURES = Path(__file__).parents[1] / "fixtures"
HEADERS = "headers.json"
"""The file with the headers that all examples of a game may name."""
READINGS = "readings"
PLACES = ("*", f"{READINGS}/*")
"""Where files of examples stand in the folder of a game."""
OF_A_FILE = ("headers", "not_auditable", "examples")
OF_AN_EXAMPLE = ("header", "events", "expected")
OF_EXPECTED = ("verdict", "findings", "notes", "put_right", "under", "with")


class WronglyWritten(ValueError):
    """All that is wrong with files of examples: the file, the example, what stands there, what may."""

    def __init__(self, told: Sequence[str]) -> None:
        super().__init__("\n".join(told))
        self.told = tuple(told)


@dataclass(frozen=True)
class Example:
    """An example of a rule, of a reading, or of whatever else its file is named for."""

    game: str
    file: str
    """Its file in the folder of the game, without its ending: `CAL-SOR-01`, `readings/R-SOR-CAS`."""
    name: str
    _header: Any = field(repr=False, compare=False)
    _events: str = field(repr=False, compare=False)
    _expected: str = field(repr=False, compare=False)

    def __str__(self) -> str:
        return f"{self.rule}/{self.name}"

    @property
    def rule(self) -> str:
        """The rule or the reading that it is an example of."""
        return self.file.rpartition("/")[2]

    @property
    def log(self) -> Any:
        """Its header and its events."""
        return json.loads(self.read_bytes())

    @property
    def expected(self) -> Any:
        """What must be found in it; None where nothing is said of it."""
        return json.loads(self._expected)

    def read_bytes(self) -> bytes:
        """Its log as a file of one JSON object, as which it is audited."""
        return f'{{"header": {json.dumps(self._header)}, "events": {self._events}}}'.encode()

    def lines(self) -> str:
        """Its log in lines."""
        return "".join(
            json.dumps(line, ensure_ascii=False) + "\n" for line in (self._header, *json.loads(self._events))
        )


def examples(game: str, name: str = "", file: str | None = None) -> list[Example]:
    """The examples of a game whose names begin so, in the files that a pattern names; without one in all of them."""
    patterns = PLACES if file is None else (file,)
    return [one for pattern in patterns for one in _of(FIXTURES / game, pattern) if one.name.startswith(name)]


def example(game: str, name: str) -> Example:
    """An example by its file and its name: `CAL-SOR-01/illegal`, `readings/R-SOR-CAS/example`."""
    file, _, short = name.rpartition("/")
    for one in examples(game, short, file):
        if one.name == short:
            return one
    raise LookupError(f"{game} has no example {name}")


def not_auditable(game: str, rule: str) -> str | None:
    """Why no finding ever bears the number of a rule; None where one may."""
    path = FIXTURES / game / f"{rule}.json"
    return parsed(path).get("not_auditable") if path.exists() else None


@cache
def _of(game: Path, pattern: str) -> tuple[Example, ...]:
    """The examples in all files that a pattern names. Raises WronglyWritten with all that is wrong in them."""
    found: list[Example] = []
    told: dict[str, None] = {}
    for path in sorted(game.glob(f"{pattern}.json")):
        if path.name != HEADERS:
            try:
                found += read(path)
            except WronglyWritten as wrong:
                told |= dict.fromkeys(wrong.told)
    if told:
        raise WronglyWritten(list(told))
    return tuple(found)


# -- reading -------------------------------------------------------------------------------------------------------


@cache
def read(path: Path) -> tuple[Example, ...]:
    """The examples of a file, by name. Raises WronglyWritten."""
    where, game = _where(path), _game_of(path)
    file = path.relative_to(game).with_suffix("").as_posix()
    written = parsed(path)
    told = [f"{where}: has {key!r}, and may have {_listed(OF_A_FILE)}" for key in written if key not in OF_A_FILE]
    reason = written.get("not_auditable", "-")
    if not isinstance(reason, str) or not reason:
        told.append(f"{where}: not_auditable is {_short(reason)}, not a sentence")
    headers, wrong = headers_of(path, written)
    told += wrong
    found = []
    for name, value in _named(written, "examples", where, told):
        at = f"{where}: {name}"
        if not isinstance(value, dict):
            told.append(f"{at} is {_short(value)}, not an object with {_listed(OF_AN_EXAMPLE)}")
            continue
        told += [
            f"{at}: has {key!r}, and may have {_listed(OF_AN_EXAMPLE)}" for key in value if key not in OF_AN_EXAMPLE
        ]
        told += [f"{at}: has no {key!r}" for key in ("header", "events") if key not in value]
        header = _header(value["header"], headers, f"{at}: header", told) if "header" in value else None
        events, expected = value.get("events", []), value.get("expected")
        if not _are_objects(events):
            told.append(f"{at}: events is {_short(events)}, not a list of objects")
        if "expected" in value:
            told += [f"{at}: expected {one}" for one in _wrongly_expected(expected)]
        found.append(Example(game.name, file, name, header, json.dumps(events), json.dumps(expected)))
    named = {value if isinstance(value, str) else next(iter(value), "") for value in _written_headers(written)}
    told += [
        f"{where}: header {name}: nothing names it"
        for name, _ in _named(written, "headers", where, [])
        if name not in named
    ]
    if told:
        raise WronglyWritten(told)
    return tuple(sorted(found, key=lambda one: one.name))


def _written_headers(written: Mapping[str, Any]) -> Iterator[Any]:
    """Every header of a file as it is written."""
    for part in ("headers", "examples"):
        for value in written[part].values() if isinstance(written.get(part), dict) else ():
            header = value if part == "headers" else value.get("header") if isinstance(value, dict) else None
            if isinstance(header, dict | str):
                yield header


def headers_of(path: Path, written: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The headers that examples of a file may name, and what is wrong with those of the file. Raises WronglyWritten for
    those of the game."""
    told: list[str] = []
    known = dict(_of_the_game(_game_of(path)))
    for name, value in _named(written, "headers", _where(path), told):
        at = f"{_where(path)}: header {name}"
        if name in known:
            told.append(f"{at}: is in {HEADERS} already")
        known[name] = _header(value, known, at, told)
    return known, told


@cache
def _of_the_game(game: Path) -> Mapping[str, Any]:
    written, told, found = parsed(game / HEADERS), list[str](), dict[str, Any]()
    for name, value in written.items():
        found[name] = _header(value, found, f"{_where(game / HEADERS)}: header {name}", told)
    if told:
        raise WronglyWritten(told)
    return found


def parsed(path: Path) -> dict[str, Any]:
    """The object of a file. Raises WronglyWritten where there is none."""
    try:
        value = json.loads(path.read_bytes())
    except ValueError as error:
        raise WronglyWritten([f"{_where(path)}: is not JSON: {error}"]) from None
    if not isinstance(value, dict):
        raise WronglyWritten([f"{_where(path)}: is {_short(value)}, not an object"])
    return value


def twice(path: Path) -> list[str]:
    """The keys that stand twice in an object of a file, and would hide what stands there first."""
    told: list[str] = []

    def look(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        for key, number in Counter(key for key, _ in pairs).items():
            if number > 1:
                told.append(f"{_where(path)}: {key!r} stands {number} times in one object")
        return dict(pairs)

    json.loads(path.read_bytes(), object_pairs_hook=look)
    return told


def _game_of(path: Path) -> Path:
    """The folder of the game whose file this is."""
    return path.parents[1] if path.parent.name == READINGS else path.parent


def _where(path: Path) -> str:
    return path.relative_to(_game_of(path).parent).as_posix()


def _named(written: Mapping[str, Any], key: str, where: str, told: list[str]) -> Iterator[tuple[str, Any]]:
    value = written.get(key, {})
    if isinstance(value, dict):
        yield from value.items()
    else:
        told.append(f"{where}: {key} is {_short(value)}, not an object with a name for each")


def _header(value: Any, known: Mapping[str, Any], at: str, told: list[str]) -> Any:
    """A header as it is written: a name, a patch on one that has a name, or the whole."""
    if isinstance(value, str) and value in known:
        return known[value]
    if isinstance(value, dict):
        if "type" in value:
            return value
        name, *more = value or ("",)
        if name in known and not more and isinstance(value[name], dict):
            return layout.patched(known[name], value[name])
    told.append(
        f'{at} is {_short(value)}, not a name, {{name: patch}}, or a header with its "type"; names: {_listed(known)}'
    )
    return None


def _wrongly_expected(value: Any) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"is {_short(value)}, not an object with {_listed(OF_EXPECTED)}"
        return
    for key in value:
        if key not in OF_EXPECTED:
            yield f"has {key!r}, and may have {_listed(OF_EXPECTED)}"
    if ("findings" in value) == ("under" in value):
        yield 'has "findings" and "under", or neither; it has one of them'
    lists = {key: value[key] for key in ("findings", "notes", "put_right") if key in value}
    under = value.get("under", {})
    if isinstance(under, dict):
        lists |= {f"under {option}": found for option, found in under.items()}
    else:
        yield f"under is {_short(under)}, not an object with a list for each option"
    for key, found in lists.items():
        if not _are_objects(found):
            yield f"{key} is {_short(found)}, not a list of objects"


def _are_objects(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, dict) for one in value)


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _listed(names: Iterator[str] | Sequence[str] | Mapping[str, Any]) -> str:
    return ", ".join(f'"{name}"' for name in names)


# -- the command ---------------------------------------------------------------------------------------------------


def files() -> Iterator[tuple[Path, str]]:
    """Every file of examples and of headers, and the text that it has to have. Raises WronglyWritten for all of them."""
    paths = [path for place in PLACES for path in sorted(FIXTURES.glob(f"*/{place}.json")) if _is_ours(path)]
    told: dict[str, None] = {}
    for path in paths:
        try:
            parsed(path) if path.name == HEADERS else read(path)
            told |= dict.fromkeys(twice(path))
        except WronglyWritten as wrong:
            told |= dict.fromkeys(wrong.told)
    if told:
        raise WronglyWritten(list(told))
    for path in paths:
        yield path, (layout.headers if path.name == HEADERS else layout.file)(parsed(path))


def _is_ours(path: Path) -> bool:
    return (_game_of(path) / HEADERS).exists()


def lines_of(path: Path) -> tuple[Any, list[Any]]:
    """The header and the events of a log, in lines or in one object."""
    text = path.read_text(encoding="utf-8")
    try:
        log = json.loads(text)
    except ValueError:
        header, *events = map(json.loads, text.splitlines())
        return header, events
    return log["header"], log["events"]


def put(game: str, name: str, header: Any, events: Any, expected: Any = None) -> Path:
    """Write an example into its file, in the place of the one that bears its name. Keeps what is expected of that one
    where nothing is given."""
    file, _, short = name.rpartition("/")
    path = FIXTURES / game / f"{file}.json"
    written = parsed(path) if path.exists() else {}
    there = written.get("examples", {})
    value = {"header": layout.shortest(header, headers_of(path, written)[0]), "events": events}
    if expected is None:
        expected = there.get(short, {}).get("expected")
    value |= {} if expected is None else {"expected": expected}
    path.write_text(layout.file({**written, "examples": {**there, short: value}}), encoding="utf-8")
    return path


def found(name: str) -> Example:
    """An example by its name, with the folder of its file and the game before it or without."""
    every = [one for path in sorted(FIXTURES.glob(f"*/{HEADERS}")) for one in examples(path.parent.name)]
    full = {f"{one.game}/{one.file}/{one.name}": one for one in every}
    fits = [key for key, one in full.items() if name in (str(one), f"{one.file}/{one.name}", key)]
    if len(fits) > 1:
        raise LookupError(f"{name} may be {' or '.join(fits)}")
    if not fits:
        near = get_close_matches(name, map(str, every), cutoff=0.8)
        raise LookupError(f"there is no example {name}" + (f"; there is {', '.join(near)}" if near else ""))
    return full[fits[0]]


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.examples", description="Examples of rules, as files and as logs."
    )
    parser.add_argument("name", nargs="?", help="an example, as CAL-SOR-01/illegal or readings/R-SOR-CAS/example")
    parser.add_argument(
        "--of", type=Path, metavar="LOG", help="write this log into the file of examples under that name"
    )
    parser.add_argument("--layout", action="store_true", help="write every file of examples as it has to stand")
    asked = parser.parse_args(given)
    try:
        if asked.layout:
            for path, text in files():
                if text != path.read_text(encoding="utf-8"):
                    path.write_text(text, encoding="utf-8")
                    print(_where(path))
        elif asked.name is None:
            parser.error("name an example")
        elif asked.of:
            header, events = lines_of(asked.of)
            print(_where(put(header["game"], asked.name, header, events)))
        else:
            sys.stdout.write(found(asked.name).lines())
    except (WronglyWritten, LookupError) as wrong:
        print(wrong.args[0], file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
