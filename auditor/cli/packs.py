"""`auditor packs`: data packs, checked before anybody plays by them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from auditor.cli.calls import CLEAN, FINDINGS, WrongCall, command, complain
from auditor.cli.inputs import why_unreadable
from auditor.cli.output import ListFormat, print_json, to_stdout


@command
def check(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="A data pack, or a folder of them.")],
    format: Annotated[ListFormat, typer.Option(help="What to write.")] = ListFormat.text,
) -> int:
    """Check data packs. Exit status: 0 nothing is wrong with any, 1 something is."""
    from auditor.ingest import BadPacks, read_packs
    from auditor.report.hostile import one_line

    problems = [f"{path}: {why}" for path in paths if (why := why_unreadable(path))]
    if problems:
        raise WrongCall(*problems)
    remarks: list[str] = []
    try:
        found = read_packs(paths, remarks=remarks)
    except BadPacks as bad:
        for error in bad.errors:
            complain(str(error))
        return FINDINGS
    for remark in remarks:
        complain(remark)
    if not found:
        raise WrongCall(f"there is no data pack in {', '.join(map(str, paths))}")
    names = ("game", "kind", "id", "version", "title", "sha256")
    if format is ListFormat.json:
        print_json([{name: getattr(pack, name) for name in names} for pack in found])
        return CLEAN
    for pack in found:
        version = f"@{pack.version}" if pack.version else ""
        to_stdout(f"{one_line(f'{pack.game} {pack.kind} {pack.id}{version}: {pack.title}')}\n  sha256 {pack.sha256}\n")
    return CLEAN
