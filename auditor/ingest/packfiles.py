"""Data packs from files and folders, for `--pack`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from auditor.core.record import InputError
from auditor.ingest.formats import FORMATS
from auditor.ingest.limits import LIMITS, Limits
from auditor.systems.calth.packs import BadPacks


def read_packs(paths: Iterable[str | os.PathLike[str]], *, limits: Limits = LIMITS) -> Mapping[str, Any]:
    """For each game its built-in packs and those of some files (`*.json` of folders), for `read`.

    Raises BadPacks with everything that is wrong with any of them.
    """
    errors: list[InputError] = []
    files = list(_files(paths, limits, errors))
    found: dict[str, Any] = {}
    for key, form in FORMATS.items():
        try:
            found[key] = form.add_packs(form.built_in(), files)
        except BadPacks as bad:
            errors += bad.errors
    if errors:
        raise BadPacks(errors)
    return found


def _files(
    paths: Iterable[str | os.PathLike[str]], limits: Limits, errors: list[InputError]
) -> Iterator[tuple[str, bytes]]:
    for given in map(Path, paths):
        for path in sorted(given.rglob("*.json")) if given.is_dir() else [given]:
            name = path.relative_to(given).as_posix() if given.is_dir() else path.name
            try:
                if path.stat().st_size > limits.decoded:
                    errors.append(InputError(None, name, "a larger file", f"at most {limits.decoded:,} bytes"))
                else:
                    yield name, path.read_bytes()
            except OSError as error:
                errors.append(InputError(None, name, str(error.strerror), "a file that can be opened"))
