"""Data packs from bytes, files and folders: checked, and added to those that come with the program."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from auditor import systems
from auditor.core.record import InputError
from auditor.ingest.containers import foreign_in
from auditor.ingest.kinds import PACK_KIND, TABLE_KIND, is_junk
from auditor.ingest.limits import LIMITS, Limits
from auditor.ingest.texts import text_of
from auditor.systems.packs import TABLE, BadPacks, Pack, Packs, check

__all__ = ["BadPacks", "Pack", "Packs", "check_packs", "packs_with", "read_packs"]


def check_packs(
    files: Iterable[tuple[str, bytes]],
    *,
    beside: Iterable[Pack] = (),
    together: bool = True,
    remarks: list[str] | None = None,
) -> list[Pack]:
    """The data packs of some files, (name, content) each; of any game, one pack or a list of them a file. What was not as
    usual in them goes to `remarks`, a sentence each.

    Raises BadPacks with everything that is wrong with any of them. A pack whose kind, id and version are those of
    another pack given, of one `beside` them or of one that comes with the program, and whose content is another, is
    wrong; so is, unless `together` is False, one that names what none of those has.
    """
    formats = {key: systems.game(key).packs for key in systems.game_keys()}
    there = packs_with(beside)
    said: list[str] = [] if remarks is None else remarks
    errors: list[InputError] = []
    readable = list(_readable(files, said, errors))
    found: list[Pack] = []
    try:
        found = check(
            readable,
            formats,
            lambda key: there.get(key) or systems.game(key).built_in_packs,
            together=together,
            remarks=said,
        )
    except BadPacks as bad:
        errors += bad.errors
    if errors:
        raise BadPacks(errors)
    return found


def _readable(
    files: Iterable[tuple[str, bytes]], remarks: list[str], errors: list[InputError]
) -> Iterator[tuple[str, bytes]]:
    """The files that hold text, in UTF-8, out of whatever encoding a spreadsheet chose; others are named."""
    for name, data in files:
        kind = foreign_in(data)
        if kind is not None and kind.what not in (TABLE_KIND, PACK_KIND):
            errors.append(InputError(None, name, kind.what, f"a data pack: JSON, or CSV of a sheet; {kind.do}"))
            continue
        text = text_of(data)
        remarks += [f"{name}: {remark}" for remark in text.remarks]
        errors += [InputError(error.line, name, error.found, error.expected) for error in text.errors]
        yield name, text.utf8


def packs_with(more: Iterable[Pack]) -> Mapping[str, Packs]:
    """The packs that come with the program and some more, for `read` and the engine, by game; a game left out has the
    former only."""
    by_game: dict[str, list[Pack]] = {}
    for pack in more:
        by_game.setdefault(pack.game, []).append(pack)
    return {key: systems.game(key).built_in_packs.plus(packs) for key, packs in by_game.items()}


def read_packs(
    paths: Iterable[str | os.PathLike[str]], *, limits: Limits = LIMITS, remarks: list[str] | None = None
) -> list[Pack]:
    """The data packs of some files and of the `*.json` and `*.csv` of folders, as `check_packs` gives them.

    Raises BadPacks with everything that is wrong with any of them, files that cannot be opened among it.
    """
    errors: list[InputError] = []
    files = list(_files(paths, limits, errors))
    found: list[Pack] = []
    try:
        found = check_packs(files, remarks=remarks)
    except BadPacks as bad:
        errors += bad.errors
    if errors:
        raise BadPacks(errors)
    return found


def _files(
    paths: Iterable[str | os.PathLike[str]], limits: Limits, errors: list[InputError]
) -> Iterator[tuple[str, bytes]]:
    for given in map(Path, paths):
        for path in _in_folder(given) if given.is_dir() else [given]:
            name = path.relative_to(given).as_posix() if given.is_dir() else path.name
            try:
                if path.stat().st_size > limits.decoded:
                    errors.append(InputError(None, name, "a larger file", f"at most {limits.decoded:,} bytes"))
                else:
                    yield name, path.read_bytes()
            except OSError as error:
                errors.append(InputError(None, name, str(error.strerror), "a file that can be opened"))


def _in_folder(folder: Path) -> list[Path]:
    """The files of a folder that hold packs. Tables are among them only where a game reads tables."""
    tables = any(systems.game(key).packs.table is not None for key in systems.game_keys())
    ends = (".json", TABLE)[: 1 + tables]
    paths = sorted(path for path in folder.rglob("*") if path.name.lower().endswith(ends) and path.is_file())
    return [path for path in paths if not is_junk(path.relative_to(folder).as_posix())]
