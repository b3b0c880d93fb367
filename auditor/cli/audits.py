"""`auditor audit`: logs in, audits out, in any of their forms."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from auditor.cli.calls import (
    CLEAN,
    FINDINGS,
    INCOMPLETE,
    OUR_FAULT,
    WRONG_CALL,
    WrongCall,
    command,
    complain,
    interruptible,
)
from auditor.cli.inputs import foreign, never_over, prepared
from auditor.cli.output import progress, writer

if TYPE_CHECKING:
    from auditor.batch import Done, Order, Sources
    from auditor.jobs.broker import Errands

STATUS = {"clean": CLEAN, "findings": FINDINGS, "unreadable": WRONG_CALL, "incomplete": INCOMPLETE}
GRAVEST_FIRST = (OUR_FAULT, WRONG_CALL, FINDINGS, INCOMPLETE, CLEAN)


class Format(StrEnum):
    """What an audit is written as."""

    text = "text"
    json = "json"
    jsonl = "jsonl"
    sarif = "sarif"
    csv = "csv"
    html = "html"
    transcript = "transcript"


class Drawn(StrEnum):
    """Of which findings boards are drawn."""

    standing = "standing"
    all = "all"


@command
def audit(
    logs: Annotated[
        list[str], typer.Argument(metavar="LOG...", help="A log, a folder or zip of logs, or - for stdin.")
    ],
    rulings: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The rulings in force, over the log's own.")
    ] = None,
    pack: Annotated[list[Path] | None, typer.Option(metavar="PATH", help="A data pack, or a folder of them.")] = None,
    format: Annotated[Format, typer.Option(help="What to write.")] = Format.text,
    evidence: Annotated[
        Drawn, typer.Option(help="Draw what stands, or also what holds only under readings not in force.")
    ] = Drawn.standing,
    output: Annotated[Path | None, typer.Option(metavar="PATH", help="Where to write it, if not to stdout.")] = None,
    jobs: Annotated[int, typer.Option(min=0, help="Logs audited at once; 0: one a processor.")] = 1,
    broker: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Have the workers that take messages from this broker do it (redis or amqp)."),
    ] = None,
    read_as: Annotated[
        str | None,
        typer.Option(
            metavar="WAY", help="Read the logs as written in another way: cm, mm, offset, from-zero and others."
        ),
    ] = None,
) -> int:
    """Audit logs. Exit status: 0 clean, 1 findings, 2 wrong call or unreadable log, 3 incomplete or a file left out, 70 our fault."""
    from auditor import batch, engine

    if read_as is not None and (problem := engine.not_a_way(read_as)):
        raise WrongCall(f"--read-as {problem}")
    given, packs = prepared(logs, rulings, pack or [], output)
    sources = batch.Sources(logs)
    is_single = sources.is_single
    pages = format is Format.html and not is_single
    _check_output(output, pages)
    read = [Path(path) for path in logs] + ([rulings] if rulings is not None else []) + (pack or [])
    never_over(output, read)
    to_terminal = output is None and sys.stdout.isatty()
    order = batch.Order(
        rulings=given,
        packs=tuple(packs),
        format=format.value,
        everything=evidence is Drawn.all,
        many=not is_single,
        read_as=read_as,
        width=max(40, min(shutil.get_terminal_size().columns, 100)) if to_terminal else 80,
        color=to_terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb",
    )
    count = sources.expected
    done = _faraway(sources, order, broker, jobs) if broker is not None else _here(sources, order, jobs, count)
    statuses: Counter[int] = Counter()
    games: set[str | None] = set()
    left_out: list[str] = []
    with interruptible(), progress(count, hold=to_terminal) as (watched, release):
        parts = _audited(watched(done), statuses, games, left_out)
        if pages and output is not None:
            _write_pages(parts, output, read)
        else:
            with writer(output, release) as write:
                for text in _joined(parts, format, is_single, statuses, left_out):
                    write(text)
    if not statuses:
        raise WrongCall(f"there is no log in {', '.join(logs)}")
    for problem in () if is_single else foreign(packs, games, "no log here is of that game"):
        statuses[WRONG_CALL] += 1
        complain(problem)
    return next(status for status in GRAVEST_FIRST if statuses[status])


def _here(sources: Sources, order: Order, jobs: int, count: int) -> Iterator[Done]:
    """The logs audited by processes of this machine."""
    from auditor import batch

    jobs = jobs or os.cpu_count() or 1
    if jobs == 1:
        batch.warm(order, sources.game)
    return batch.audit_all(sources.members(), order, jobs, count)


def _faraway(sources: Sources, order: Order, broker: str, jobs: int) -> Iterator[Done]:
    """The logs audited by the workers of an installation of several machines. Raises WrongCall."""
    from auditor.settings import BadSettings, Settings

    if jobs != 1:
        raise WrongCall("--jobs and --broker: the workers have their own number of processes; say one of both")
    try:
        Settings(broker_url=broker).check_broker()
        from auditor.jobs.broker import Errands, Unreachable
    except BadSettings as bad:
        raise WrongCall(f"--broker: {bad}") from None
    except ImportError as missing:
        raise WrongCall(f"--broker needs {missing.name}, which is not installed: `make servers`") from None
    try:
        return _same_program(sources, order, Errands(broker, complain))
    except Unreachable:
        raise WrongCall(f"--broker {Settings(broker_url=broker).broker_host}: it does not answer") from None


def _same_program(sources: Sources, order: Order, errands: Errands) -> Iterator[Done]:
    """What those who do the errands make of the logs. Raises WrongCall where they are of another version."""
    from auditor.batch import faraway

    try:
        yield from faraway.audit_all(sources.members(), order, errands)
    except faraway.OtherProgram as other:
        raise WrongCall(f"--broker: {other}") from None


def _check_output(output: Path | None, pages: bool) -> None:
    """Whether the output is a file, or a folder where there is a page for each of many logs."""
    if pages and output is None:
        raise WrongCall("many logs as html need --output FOLDER, for a page each")
    if pages and output is not None and output.exists() and not output.is_dir():
        raise WrongCall(f"--output {output}: it is no folder; many logs as html are a page each")
    if not pages and output is not None and output.is_dir():
        raise WrongCall(f"--output {output}: it is a folder")


def _audited(
    done: Iterable[Done], statuses: Counter[int], games: set[str | None], left_out: list[str]
) -> Iterator[Done]:
    """The audits among what is done; all else is said on standard error. Exit statuses are counted, games collected, and
    names of what was left out and may be a game."""
    for one in done:
        if one.skipped is not None:
            complain(f"skipped {one.name}: {one.skipped}")
            # Whoever counts on the status must not take what was left out for clean.
            if one.perhaps:
                statuses[INCOMPLETE] += 1
                left_out.append(one.name)
        elif one.fault is not None:
            statuses[OUR_FAULT] += 1
            complain(f"{one.name}: a fault of the auditor: {one.fault}")
        elif one.wrong is not None:
            statuses[WRONG_CALL] += 1
            complain(f"{one.name}: {one.wrong}")
        elif one.verdict is not None:
            statuses[STATUS[one.verdict]] += 1
            games.add(one.game)
            yield one


def _joined(
    parts: Iterable[Done], format: Format, is_single: bool, statuses: Counter[int], left_out: Sequence[str]
) -> Iterator[str]:
    """The text of the whole output, piece by piece."""
    match format:
        case Format.json if is_single:
            yield from (f"{one.part}\n" for one in parts)
        case Format.json:
            yield "["
            for n, one in enumerate(parts):
                yield f"{',' if n else ''}\n{one.part}"
            yield "\n]\n"
        case Format.jsonl:
            yield from (f"{one.part}\n" for one in parts)
        case Format.csv:
            from auditor.report.spreadsheet import csv_head

            yield csv_head()
            yield from (one.part for one in parts)
        case Format.sarif:
            yield _as_sarif(parts)
        case Format.html | Format.transcript:
            yield from (one.part for one in parts)
        case Format.text:
            verdicts: Counter[str] = Counter()
            for one in parts:
                verdicts[str(one.verdict)] += 1
                yield one.part if is_single else f"{one.part}\n"
            if not is_single:
                from auditor.report.counting import tally

                yield tally(verdicts, faults=statuses[OUR_FAULT], left_out=len(left_out)) + "\n"


def _as_sarif(parts: Iterable[Done]) -> str:
    from auditor import engine
    from auditor.core.canonical import json_text
    from auditor.report.sarif import sarif_log

    brought = [json.loads(one.part) for one in parts]
    games = dict.fromkeys(part["artifact"]["properties"]["game"] for part in brought)
    rules = [rule for game in games if game for rule in engine.rules(game)]
    return json_text(json.dumps(sarif_log(brought, rules, engine.ENGINE), ensure_ascii=False, indent=2)) + "\n"


def _write_pages(parts: Iterable[Done], folder: Path, read: Sequence[Path]) -> None:
    """A page for each audit, in a folder, named for its log."""
    folder.mkdir(exist_ok=True)
    used: Counter[str] = Counter()
    for one in parts:
        plain = "".join(c if c.isalnum() or c in "._-" else "_" for c in one.name.lstrip("./"))
        plain = plain.encode()[-180:].decode(errors="ignore")
        used[plain] += 1
        number = f"-{used[plain]}" if used[plain] > 1 else ""
        page = folder / f"{plain}{number}.html"
        never_over(page, read)
        page.write_text(one.part, encoding="utf-8", newline="")
