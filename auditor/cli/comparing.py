"""`auditor compare` and `verify`: audits held against each other and against their logs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from auditor.cli.calls import CLEAN, FINDINGS, WrongCall, command, complain
from auditor.cli.inputs import foreign, prepared, read_json
from auditor.cli.output import ListFormat, print_json, to_stdout


@command
def compare(
    old: Annotated[Path, typer.Argument(metavar="OLD.json", help="An audit as JSON.")],
    new: Annotated[Path, typer.Argument(metavar="NEW.json", help="Another one.")],
    format: Annotated[ListFormat, typer.Option(help="What to write.")] = ListFormat.text,
) -> int:
    """Say which findings are gone, new or changed. Exit status: 0 none, 1 some."""
    from auditor import engine

    difference = engine.compare(_read_audit(old), _read_audit(new))
    if format is ListFormat.json:
        print_json(difference)
    else:
        to_stdout(_difference_in_words(difference))
    return FINDINGS if difference["gone"] or difference["new"] or difference["changed"] else CLEAN


def _difference_in_words(difference: Mapping[str, Any]) -> str:
    from auditor.report.hostile import one_line

    said = []
    for key, words in (
        ("log_sha256", "log"),
        ("ruleset_version", "ruleset version"),
        ("rulings", "rulings"),
        ("verdict", "verdict"),
    ):
        before, after = (difference["audits"][side][key] for side in ("old", "new"))
        said.append(f"{words}: {before}" if before == after else f"{words}: {before} before, {after} now")
    for key in ("gone", "new"):
        said += [f"{key}: {_finding_in_words(finding)}" for finding in difference[key]]
    for change in difference["changed"]:
        said.append(f"changed in {', '.join(change['differs'])}: {_finding_in_words(change['new'])}")
    said.append(f"unchanged: {difference['unchanged']}")
    return "".join(f"{one_line(line)}\n" for line in said)


def _finding_in_words(finding: Mapping[str, Any]) -> str:
    place = f"event {finding.get('seq')}, {finding.get('rule')}, {finding.get('kind')}"
    return f"{place}{'' if finding.get('stands') else ' (does not stand)'}: {finding.get('text')}"


@command
def verify(
    audit_file: Annotated[Path, typer.Argument(metavar="AUDIT.json", help="An audit as JSON.")],
    log: Annotated[str, typer.Argument(metavar="LOG", help="The log, or a zip that holds it.")],
    pack: Annotated[list[Path] | None, typer.Option(metavar="PATH", help="A data pack, or a folder of them.")] = None,
) -> int:
    """Make an audit anew from its log. Exit status: 0 the same, 1 another."""
    from auditor import batch, engine
    from auditor.ingest import packs_with

    value = _read_audit(audit_file)
    given = prepared([log], None, pack or [], None)[1]
    problems = foreign(given, [value.get("game")], f"the audit is of {value.get('game')}")
    if problems:
        raise WrongCall(*problems)
    packs = packs_with(given) if given else None
    found = [member.content for member in batch.Sources([log]).members() if isinstance(member.content, bytes)]
    if not found:
        raise WrongCall(f"there is no log in {log}")
    meant = [data for data in found if engine.log_sha256(data) == value.get("log_sha256")]
    if not meant and len(found) > 1:
        raise WrongCall(f"none of the {len(found)} logs in {log} is the one that was audited")
    same_lines = None if meant else _with_other_line_ends(found[0], str(value.get("log_sha256")))
    if same_lines is not None:
        complain(
            "the log has the same lines, other line ends: mail, Git or an editor may have changed them, and its hash is"
            " another. Of the lines as they were the audit is"
            f" {'not ' if engine.verify(value, same_lines, packs) else ''}reproduced."
        )
        return FINDINGS
    differences = engine.verify(value, (meant or found)[0], packs)
    for difference in differences:
        complain(difference)
    if differences:
        return FINDINGS
    to_stdout(f"The audit is reproduced, digest {value['digest']}.\n")
    return CLEAN


def _with_other_line_ends(data: bytes, sha256: str) -> bytes | None:
    """The log of a hash where it differs from the one given in line ends or in a mark at the beginning alone."""
    from auditor import engine
    from auditor.ingest.containers import gunzip
    from auditor.ingest.kinds import GZIP, UTF8_BOM
    from auditor.ingest.limits import LIMITS

    plain = gunzip(data, LIMITS)[0] if data.startswith(GZIP) else data
    lines = plain.removeprefix(UTF8_BOM).replace(b"\r\n", b"\n").rstrip(b"\n")
    for mark in (b"", UTF8_BOM):
        for last in (b"\n", b"", b"\n\n"):
            for end in (b"\n", b"\r\n"):
                written = mark + (lines + last).replace(b"\n", end)
                if engine.log_sha256(written) == sha256:
                    return written
    return None


def _read_audit(path: Path) -> dict[str, Any]:
    """The audit that a file holds. Raises WrongCall."""
    value = read_json(path)
    if isinstance(value, list):
        raise WrongCall(f"{path}: it holds {len(value)} audits; one is wanted")
    if not isinstance(value, dict) or value.get("audit") != 1 or not isinstance(value.get("findings"), list):
        raise WrongCall(f"{path}: it is not an audit")
    return value
