"""The command line. What is imported late is imported late on purpose: `auditor --help` should not load the rules.

Exit status: 0 clean or the same, 1 findings or differences, 2 a wrong call or an unreadable log, 3 incomplete,
70 a fault of ours, 130 after Ctrl-C, 141 when nobody reads on.
"""

from __future__ import annotations

import functools
import json
import os
import shutil
import signal
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from types import FrameType
from typing import IO, TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from auditor import __version__

if TYPE_CHECKING:
    from auditor.batch import Done
    from auditor.trial import Tally, Task

CLEAN, FINDINGS, WRONG_CALL, INCOMPLETE, OUR_FAULT, INTERRUPTED, NOBODY_READS = 0, 1, 2, 3, 70, 130, 141
_STATUS = {"clean": CLEAN, "findings": FINDINGS, "unreadable": WRONG_CALL, "incomplete": INCOMPLETE}
_GRAVEST_FIRST = (OUR_FAULT, WRONG_CALL, FINDINGS, INCOMPLETE, CLEAN)
MANY = 20
"""From so many files on a terminal shows how far the audit has come."""
SAVED_EVERY = 20
"""Seconds after which a long run writes down how far it has come."""

app = typer.Typer(
    name="auditor",
    help="Re-simulates the recorded log of a tabletop game and names every illegal act and miscalculated number.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


class Format(StrEnum):
    """What an audit is written as."""

    text = "text"
    json = "json"
    jsonl = "jsonl"
    sarif = "sarif"
    csv = "csv"
    html = "html"


class ListFormat(StrEnum):
    """What a list of rules or readings is written as."""

    text = "text"
    json = "json"


class WrongCall(Exception):
    """The command cannot do what it was asked for; `problems` lists all of it."""

    def __init__(self, *problems: str) -> None:
        self.problems = problems
        super().__init__("; ".join(problems))


def complain(problem: str) -> None:
    """A line on standard error. Names of files come from anywhere, so they are tamed."""
    from auditor.report.hostile import one_line

    print(f"auditor: {one_line(problem)}", file=sys.stderr)


def command(work: Callable[..., int]) -> Callable[..., None]:
    """A command whose exit status is what it gives back, with our three kinds of trouble kept apart."""

    @functools.wraps(work)
    def run(*arguments: Any, **options: Any) -> None:
        try:
            status = work(*arguments, **options)
            sys.stdout.flush()
        except WrongCall as wrong:
            for problem in wrong.problems:
                complain(problem)
            status = WRONG_CALL
        except BrokenPipeError:
            # Whoever read our output has gone; what is left in the buffer must not fail once more at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            status = NOBODY_READS
        except KeyboardInterrupt:
            status = INTERRUPTED
        except Exception as error:
            from auditor.batch import fault_in_words

            complain(f"a fault of the auditor: {fault_in_words(error)}")
            status = OUR_FAULT
        raise typer.Exit(status)

    return run


def _leave(_signal: int, _frame: FrameType | None) -> NoReturn:
    """What Ctrl-C does where there is nothing to tidy up. Raised as an exception it is lost in imports of others."""
    os._exit(INTERRUPTED)


@contextmanager
def _interruptible() -> Iterator[None]:
    """Let Ctrl-C be a KeyboardInterrupt, so that what was begun is tidied up."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


# -- audit ----------------------------------------------------------------------------------------------------------


@app.command()
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
    output: Annotated[Path | None, typer.Option(metavar="PATH", help="Where to write it, if not to stdout.")] = None,
    jobs: Annotated[int, typer.Option(min=0, help="Logs audited at once; 0: one a processor.")] = 1,
) -> int:
    """Audit logs. Exit status: 0 clean, 1 findings, 2 wrong call or unreadable log, 3 incomplete, 70 our fault."""
    from auditor import batch

    given, packs = _prepared(logs, rulings, pack or [], output)
    sources = batch.Sources(logs)
    is_single = sources.is_single
    pages = format is Format.html and not is_single
    _check_output(output, pages)
    to_terminal = output is None and sys.stdout.isatty()
    order = batch.Order(
        rulings=given,
        packs=packs,
        format=format.value,
        many=not is_single,
        width=max(40, min(shutil.get_terminal_size().columns, 100)) if to_terminal else 80,
        color=to_terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb",
    )
    count = sources.expected
    jobs = jobs or os.cpu_count() or 1
    if jobs == 1:
        batch.warm(order)
    done = batch.audit_all(sources.members(), order, jobs, count)
    statuses: Counter[int] = Counter()
    with _interruptible(), _progress(count, hold=to_terminal) as (watched, release):
        parts = _audited(watched(done), statuses)
        if pages and output is not None:
            _write_pages(parts, output)
        else:
            with _writer(output, release) as write:
                for text in _joined(parts, format, is_single, statuses):
                    write(text)
    if not statuses:
        raise WrongCall(f"there is no log in {', '.join(logs)}")
    return next(status for status in _GRAVEST_FIRST if statuses[status])


def _prepared(
    logs: Sequence[str], rulings: Path | None, packs: Sequence[Path], output: Path | None
) -> tuple[dict[str, Any] | None, tuple[str, ...]]:
    """The rulings and the paths of packs. Raises WrongCall with everything that is wrong with the call."""
    from auditor.ingest import read_packs
    from auditor.systems.calth.packs import BadPacks

    problems = [f"{path}: {why}" for path in logs if path != "-" and (why := _why_unreadable(Path(path)))]
    given: dict[str, Any] | None = None
    if rulings is not None:
        try:
            given = read_rulings(rulings)
        except WrongCall as wrong:
            problems += wrong.problems
    if packs:
        try:
            read_packs(packs)
        except BadPacks as bad:
            problems += [f"--pack: {error}" for error in bad.errors]
    if output is not None and not output.parent.is_dir():
        problems.append(f"--output {output}: there is no folder {output.parent}")
    if problems:
        raise WrongCall(*problems)
    return given, tuple(map(str, packs))


def _check_output(output: Path | None, pages: bool) -> None:
    """Whether the output is a file, or a folder where there is a page for each of many logs."""
    if pages and output is None:
        raise WrongCall("many logs as html need --output FOLDER, for a page each")
    if pages and output is not None and output.exists() and not output.is_dir():
        raise WrongCall(f"--output {output}: it is no folder; many logs as html are a page each")
    if not pages and output is not None and output.is_dir():
        raise WrongCall(f"--output {output}: it is a folder")


def _why_unreadable(path: Path) -> str | None:
    """Why a file or folder cannot be opened; None where it can."""
    try:
        if path.is_dir():
            next(path.iterdir(), None)
        else:
            with path.open("rb"):
                pass
    except (OSError, ValueError) as error:
        return getattr(error, "strerror", None) or str(error)
    return None


def read_rulings(path: Path) -> dict[str, Any]:
    """The rulings of a file. Raises WrongCall with everything that is wrong with them."""
    from auditor import engine
    from auditor.core.rulings import BadRulings
    from auditor.systems.shapes import keys_twice

    given = _read_json(path, "--rulings ")
    if not isinstance(given, dict):
        raise WrongCall(f"--rulings {path}: a rulings set is an object")
    problems = [f"{key} is given twice" for key in keys_twice(given)]
    refusals: list[tuple[str, ...]] = []
    for game in engine.GAMES:
        try:
            engine.check_rulings(given, game)
        except BadRulings as bad:
            refusals.append(bad.problems)
        else:
            refusals.append(())
    # Which game is meant they do not say: the one that complains least.
    refusals.sort(key=len)
    problems += refusals[0]
    if problems:
        raise WrongCall(*(f"--rulings {path}: {problem}" for problem in problems))
    if "name" not in given and {"readings", "settings", "not_audited"} & given.keys():
        given = {"name": path.stem, **given}
    elif "name" not in given and given:
        given = {"name": path.stem, "readings": given}
    return given


def _read_json(path: Path, option: str = "") -> Any:
    """The JSON of a file. Raises WrongCall."""
    from auditor.systems.shapes import parse

    try:
        return parse(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise WrongCall(f"{option}{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise WrongCall(f"{option}{path}: it is not UTF-8") from None
    except json.JSONDecodeError as error:
        why = f"{option}{path}: line {error.lineno}, column {error.colno}: it is not JSON ({error.msg})"
        raise WrongCall(why) from None
    except (ValueError, RecursionError) as error:
        raise WrongCall(f"{option}{path}: it is not JSON ({error})") from None


def _audited(done: Iterable[Done], statuses: Counter[int]) -> Iterator[Done]:
    """The audits among what is done; all else is said on standard error. Every exit status is counted."""
    for one in done:
        if one.skipped is not None:
            complain(f"skipped {one.name}: {one.skipped}")
        elif one.fault is not None:
            statuses[OUR_FAULT] += 1
            complain(f"{one.name}: a fault of the auditor: {one.fault}")
        elif one.wrong is not None:
            statuses[WRONG_CALL] += 1
            complain(f"{one.name}: {one.wrong}")
        elif one.verdict is not None:
            statuses[_STATUS[one.verdict]] += 1
            yield one


def _joined(parts: Iterable[Done], format: Format, is_single: bool, statuses: Counter[int]) -> Iterator[str]:
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
        case Format.html:
            yield from (one.part for one in parts)
        case Format.text:
            verdicts: Counter[str] = Counter()
            for one in parts:
                verdicts[str(one.verdict)] += 1
                yield one.part if is_single else f"{one.part}\n"
            if not is_single:
                from auditor.report.text import tally_text

                yield tally_text(verdicts, faults=statuses[OUR_FAULT]) + "\n"


def _as_sarif(parts: Iterable[Done]) -> str:
    from auditor import engine
    from auditor.report.sarif import sarif_log

    brought = [json.loads(one.part) for one in parts]
    games = dict.fromkeys(part["artifact"]["properties"]["game"] for part in brought)
    rules = [rule for game in games if game for rule in engine.rules(game)]
    return json.dumps(sarif_log(brought, rules, engine.ENGINE), ensure_ascii=False, indent=2) + "\n"


def _write_pages(parts: Iterable[Done], folder: Path) -> None:
    """A page for each audit, in a folder, named for its log."""
    folder.mkdir(exist_ok=True)
    used: Counter[str] = Counter()
    for one in parts:
        plain = "".join(c if c.isascii() and (c.isalnum() or c in "._-") else "_" for c in one.name.lstrip("./"))[-180:]
        used[plain] += 1
        number = f"-{used[plain]}" if used[plain] > 1 else ""
        (folder / f"{plain}{number}.html").write_text(one.part, encoding="utf-8", newline="")


@contextmanager
def _writer(output: Path | None, to_stdout: Callable[[str], None]) -> Iterator[Callable[[str], None]]:
    """Where the output goes: stdout, or a file that appears whole or not at all."""
    if output is None:
        yield to_stdout
        return
    if output.exists() and not output.is_file():
        # A device or a pipe: it cannot be replaced.
        with output.open("w", encoding="utf-8", newline="") as device:
            yield lambda text: _write(device, text)
        return
    with tempfile.TemporaryFile("w+", encoding="utf-8", newline="") as kept:
        yield lambda text: _write(kept, text)
        kept.seek(0)
        # Written beside its place, so that it is there in one step.
        handle, name = tempfile.mkstemp(dir=output.parent, prefix=f".{output.name[:100]}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
                shutil.copyfileobj(kept, file)
            mask = os.umask(0)
            os.umask(mask)
            Path(name).chmod(0o666 & ~mask)
            Path(name).replace(output)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise


def _write(file: IO[str], text: str) -> None:
    file.write(text)


def _to_stdout(text: str) -> None:
    """Text to standard output in UTF-8, line ends as they are; a terminal may speak another tongue."""
    if sys.stdout.isatty():
        encoding = sys.stdout.encoding or "ascii"
        sys.stdout.write(text.encode(encoding, "replace").decode(encoding))
    else:
        sys.stdout.buffer.write(text.encode())


@contextmanager
def _progress(
    count: int, *, hold: bool
) -> Iterator[tuple[Callable[[Iterable[Done]], Iterator[Done]], Callable[[str], None]]]:
    """Show how far many logs have come, on a terminal. Gives (what to watch with, where to write).

    With `hold` the output would run through the bar, so it is held back until the bar is gone.
    """
    if count < MANY or not sys.stderr.isatty():
        yield iter, _to_stdout
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    held: list[str] = []
    bar = Progress(
        BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=Console(stderr=True), transient=True
    )

    def watched(done: Iterable[Done]) -> Iterator[Done]:
        task = bar.add_task("", total=count)
        for one in done:
            bar.advance(task)
            yield one

    with bar:
        yield watched, held.append if hold else _to_stdout
    for text in held:
        _to_stdout(text)


# -- what the games are made of -------------------------------------------------------------------------------------


@app.command()
@command
def rules(
    rule_id: Annotated[str | None, typer.Argument(metavar="[ID]", help="One rule, in full.")] = None,
    game: Annotated[str | None, typer.Option(help="The rules of this game only.")] = None,
    format: Annotated[ListFormat, typer.Option(help="What to write.")] = ListFormat.text,
) -> int:
    """List the rules, or show one in full."""
    from auditor import engine
    from auditor.core.text import nearest

    found = [rule for key in _games(game) for rule in engine.rules(key)]
    if rule_id is not None:
        known = [rule["id"] for rule in found]
        found = [rule for rule in found if rule["id"] == rule_id]
        if not found:
            raise WrongCall(f'there is no rule "{rule_id}"{nearest(rule_id, known)}')
    if format is ListFormat.json:
        _print_json(found)
    elif rule_id is not None:
        _to_stdout(_rule_in_full(found[0]))
    else:
        chapter = None
        for rule in found:
            if rule["chapter"] != chapter:
                chapter = rule["chapter"]
                _to_stdout(f"{chapter}\n")
            mark = "" if rule["auditable"] is True else "  (no log can show it)"
            _to_stdout(f"  {rule['id']}  {rule['title']}{mark}\n")
    return CLEAN


def _rule_in_full(rule: Mapping[str, Any]) -> str:
    rows = [f"{rule['id']}  {rule['title']}", "", rule["text"], ""]
    rows += [
        f"{name}: {', '.join(rule[key])}"
        for name, key in (("Kinds", "kinds"), ("Events", "events"), ("Readings", "readings"))
        if rule[key]
    ]
    if rule["auditable"] is not True:
        rows.append(f"Not auditable from any log: {rule['auditable']}")
    rows += [f"Chapter: {rule['chapter']}", f"Source: {rule['source']}"]
    return "\n".join(rows) + "\n"


@app.command()
@command
def readings(
    game: Annotated[str | None, typer.Option(help="The readings of this game only.")] = None,
    format: Annotated[ListFormat, typer.Option(help="What to write.")] = ListFormat.text,
) -> int:
    """List the open questions of the rules.

    A star marks the option that is in force if nobody rules.
    """
    from auditor import engine

    found = [reading for key in _games(game) for reading in engine.readings(key)]
    if format is ListFormat.json:
        _print_json(found)
        return CLEAN
    for n, reading in enumerate(found):
        _to_stdout(f"{chr(10) if n else ''}{reading['id']}  {reading['question']}\n")
        for option in reading["options"]:
            mark = "*" if option["id"] == reading["default"] else " "
            _to_stdout(f"  {mark} {option['id']}: {option['means']}\n")
        if reading["rules"]:
            _to_stdout(f"    asked by {', '.join(reading['rules'])}\n")
    return CLEAN


@app.command()
@command
def schema(game: Annotated[str, typer.Argument(help="The game: calth, …")]) -> int:
    """Print the JSON Schema of the logs of a game."""
    from auditor import engine

    _print_json(engine.schema(_games(game)[0]))
    return CLEAN


def _games(game: str | None) -> list[str]:
    from auditor.core.text import nearest
    from auditor.systems import KEYS

    if game is None:
        return list(KEYS)
    if game not in KEYS:
        raise WrongCall(f'there is no game "{game}"{nearest(game, KEYS)}; there is {", ".join(KEYS)}')
    return [game]


def _print_json(value: Any) -> None:
    _to_stdout(json.dumps(value, ensure_ascii=False, indent=2) + "\n")


# -- audits held against each other ---------------------------------------------------------------------------------


@app.command()
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
        _print_json(difference)
    else:
        _to_stdout(_difference_in_words(difference))
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


@app.command()
@command
def verify(
    audit_file: Annotated[Path, typer.Argument(metavar="AUDIT.json", help="An audit as JSON.")],
    log: Annotated[str, typer.Argument(metavar="LOG", help="The log, or a zip that holds it.")],
    pack: Annotated[list[Path] | None, typer.Option(metavar="PATH", help="A data pack, or a folder of them.")] = None,
) -> int:
    """Make an audit anew from its log. Exit status: 0 the same, 1 another."""
    from auditor import batch, engine
    from auditor.ingest import read_packs

    value = _read_audit(audit_file)
    _prepared([log], None, pack or [], None)
    packs = read_packs(pack) if pack else None
    found = [member.content for member in batch.Sources([log]).members() if isinstance(member.content, bytes)]
    if not found:
        raise WrongCall(f"there is no log in {log}")
    meant = [data for data in found if engine.log_sha256(data) == value.get("log_sha256")]
    if not meant and len(found) > 1:
        raise WrongCall(f"none of the {len(found)} logs in {log} is the one that was audited")
    differences = engine.verify(value, (meant or found)[0], packs)
    for difference in differences:
        complain(difference)
    if differences:
        return FINDINGS
    _to_stdout(f"The audit is reproduced, digest {value['digest']}.\n")
    return CLEAN


def _read_audit(path: Path) -> dict[str, Any]:
    """The audit that a file holds. Raises WrongCall."""
    value = _read_json(path)
    if isinstance(value, list):
        raise WrongCall(f"{path}: it holds {len(value)} audits; one is wanted")
    if not isinstance(value, dict) or value.get("audit") != 1 or not isinstance(value.get("findings"), list):
        raise WrongCall(f"{path}: it is not an audit")
    return value


# -- the rest -------------------------------------------------------------------------------------------------------


@app.command()
@command
def serve(
    host: Annotated[str, typer.Option(help="The address to listen on; only this machine's own.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0: any that is free.")] = 8000,
    data: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Where uploads are kept; AUDITOR_DATA, else ./auditor-data.")
    ] = None,
) -> int:
    """Start the web service on this machine."""
    from auditor.web import CannotServe
    from auditor.web import serve as start

    try:
        with _interruptible():
            start(host, port, data)
    except CannotServe as why:
        raise WrongCall(str(why)) from None
    return CLEAN


@app.command()
@command
def sight(
    batch: Annotated[str, typer.Option(metavar="FILE", help="Questions as JSON lines; - for stdin.")],
) -> int:
    """Answer questions about lines of sight.

    One JSON object a line in, one answer a line out, in order. The board is that of Calth.
    """
    from auditor.systems.calth.sight_batch import answer_lines

    if batch != "-" and (why := _why_unreadable(Path(batch))):
        raise WrongCall(f"--batch {batch}: {why}")
    with sys.stdin.buffer if batch == "-" else Path(batch).open("rb") as source:
        for answer in answer_lines(source):
            _to_stdout(f"{answer}\n")
            if batch == "-":
                sys.stdout.flush()
    return CLEAN


@app.command()
@command
def generate(
    output: Annotated[Path, typer.Option(metavar="FILE", help="Where to write the log.")],
    seed: Annotated[int, typer.Option(help="The same number gives the same game.")] = 1,
    rounds: Annotated[int, typer.Option(min=1, max=50, help="How long it is.")] = 4,
    board: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A board pack; else the board is invented.")
    ] = None,
    omit_claims: Annotated[float, typer.Option(min=0, max=1, help="The share of claims that are left out.")] = 0.0,
    fault: Annotated[
        str | None,
        typer.Option(
            metavar="RULE",
            help="Plant one fault, and say beside the log what must be found; R=OPTION: what is one under this option only.",
        ),
    ] = None,
    reading: Annotated[
        list[str] | None, typer.Option(metavar="R=OPTION", help="A reading that the game is played under.")
    ] = None,
    game: Annotated[str, typer.Option(metavar="KEY", help="calth, …")] = "calth",
) -> int:
    """Write an invented game of Calth.

    It is legal, or has the one fault asked for: the referee that plays it shares no code with the auditor.
    """
    from auditor.conformance.commands import write_faulty_game, write_game

    _games(game)
    if board is not None and (why := _why_unreadable(board)):
        raise WrongCall(f"--board {board}: {why}")
    if not output.parent.is_dir():
        raise WrongCall(f"--output {output}: there is no folder {output.parent}")
    under = _options_of(reading or [])
    if fault is None:
        events = write_game(seed, rounds, board, output, omit_claims, under)
        _to_stdout(f"{output}: {events} events\n")
        return CLEAN
    if board is not None or omit_claims or under:
        raise WrongCall("a game with a fault has an invented board, makes all its claims and names its own readings")
    try:
        beside = write_faulty_game(seed, _planter(fault), output)
    except LookupError as why_not:
        raise WrongCall(f"--fault {fault}: {why_not}; another --seed may give one") from None
    _to_stdout(f"{output}: what must be found in it is in {beside}\n")
    return CLEAN


@app.command()
@command
def mutate(
    log: Annotated[Path, typer.Argument(metavar="LOG", help="A legal log.")],
    rule: Annotated[
        str,
        typer.Option(metavar="RULE", help="The rule to be broken; R=OPTION: the option to be judged under instead."),
    ],
    output: Annotated[Path, typer.Option(metavar="FILE", help="Where to write the copy with the fault.")],
    reading: Annotated[
        list[str] | None, typer.Option(metavar="R=OPTION", help="A reading that the copy is played under.")
    ] = None,
    seed: Annotated[int, typer.Option(help="The same number gives the same fault.")] = 1,
) -> int:
    """Change one event of a legal log, or end it with an act, so that exactly one rule is broken, and say beside it what must be found."""
    from auditor.conformance.commands import write_mutated_game
    from auditor.conformance.mutate import CannotMutate

    fault = _planter(rule)
    if why := _why_unreadable(log):
        raise WrongCall(f"{log}: {why}")
    if not output.parent.is_dir():
        raise WrongCall(f"--output {output}: there is no folder {output.parent}")
    under = _options_of(reading or [])
    try:
        beside = write_mutated_game(log, fault, seed, output, under)
    except CannotMutate as why_not:
        raise WrongCall(
            f"{log}: {why_not}; a game with this fault is written by "
            f"auditor generate --fault '{fault}' --seed {seed} --output FILE"
        ) from None
    _to_stdout(f"{output}: what must be found in it is in {beside}\n")
    return CLEAN


def _options_of(given: Sequence[str]) -> dict[str, str]:
    """Readings with their options, each given as READING=OPTION. Raises WrongCall."""
    from auditor import engine
    from auditor.core.text import nearest

    known = {one["id"]: [option["id"] for option in one["options"]] for one in engine.readings("calth")}
    under: dict[str, str] = {}
    for one in given:
        name, equals, chosen = one.partition("=")
        if not equals:
            raise WrongCall(f"--reading {one}: it is not of the form READING=OPTION")
        if name not in known:
            raise WrongCall(f'--reading {one}: there is no reading "{name}"{nearest(name, known)}')
        if chosen not in known[name]:
            raise WrongCall(f"--reading {one}: {name} has the options {', '.join(known[name])}")
        under[name] = chosen
    return under


def _planter(fault: str) -> str:
    """The name of a planter. Raises WrongCall."""
    from auditor.conformance.plant import PLANTABLE
    from auditor.conformance.plant.readings import NEVER, PLANTABLE_READINGS
    from auditor.core.text import nearest

    if fault in PLANTABLE or fault in PLANTABLE_READINGS:
        return fault
    if fault in NEVER:
        raise WrongCall(f"nothing is a fault under {fault} alone: {NEVER[fault]}")
    of_the_rule = [name for name in (*PLANTABLE, *PLANTABLE_READINGS) if name.replace("=", " ").split()[0] == fault]
    if of_the_rule:
        return of_the_rule[0]
    raise WrongCall(f'no fault called "{fault}" can be planted{nearest(fault, (*PLANTABLE, *PLANTABLE_READINGS))}')


class TableFormat(StrEnum):
    """What the table of a conformance run is written as."""

    text = "text"
    json = "json"
    md = "md"


@app.command()
@command
def conformance(
    game: Annotated[str, typer.Option(metavar="KEY", help="calth, …")] = "calth",
    games: Annotated[int, typer.Option(min=0, help="So many legal games.")] = 100,
    faults: Annotated[
        int, typer.Option(min=0, help="So many faults for each rule, and a quarter of it for each option of a reading.")
    ] = 2,
    jobs: Annotated[int, typer.Option(min=0, help="Processes at once; 0: one a processor.")] = 1,
    seed: Annotated[
        int, typer.Option(min=0, help="The number of the first game: a run can go on where one ended.")
    ] = 1,
    format: Annotated[TableFormat, typer.Option(help="What to write.")] = TableFormat.text,
    output: Annotated[Path | None, typer.Option(metavar="FILE", help="Where to write it, if not to stdout.")] = None,
    date: Annotated[str | None, typer.Option(metavar="YYYY-MM-DD", help="The date of a page; else today.")] = None,
    resume: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep in this file how far the run has come, and go on there.")
    ] = None,
) -> int:
    """Audit invented games: legal ones, which must be clean, and ones with faults, which must be found.

    Exit status: 0 if nobody was accused falsely and every fault was found, else 1.
    """
    from datetime import UTC, datetime

    from auditor import trial
    from auditor.report import conformance as page

    _games(game)
    if output is not None and not output.parent.is_dir():
        raise WrongCall(f"--output {output}: there is no folder {output.parent}")
    if date is not None:
        try:
            datetime.strptime(date, "%Y-%m-%d")
        except ValueError:
            raise WrongCall(f"--date {date}: it is not a date as YYYY-MM-DD") from None
    before = output.read_text(encoding="utf-8") if output is not None and output.is_file() else ""
    tally, speed = _tried(seed, games, faults, jobs or os.cpu_count() or 1, resume)
    value = trial.report(tally, seed=seed, faults=faults)
    match format:
        case TableFormat.text:
            text = page.table_text(value)
        case TableFormat.json:
            text = json.dumps(value, ensure_ascii=False, indent=1) + "\n"
        case TableFormat.md:
            asked = f"auditor conformance --game {game} --games {games} --faults {faults} --seed {seed}"
            on = date or datetime.now(UTC).strftime("%Y-%m-%d")
            text = page.document(value, date=on, command=asked, speed=speed, before=before)
    with _writer(output, _to_stdout) as write:
        write(text)
    print(speed, file=sys.stderr)
    return CLEAN if value["passed"] else FINDINGS


def _tried(seed: int, games: int, faults: int, jobs: int, resume: Path | None) -> tuple[Tally, str]:
    """What a conformance run has counted, and how fast it went. Raises WrongCall."""
    import time

    from auditor import engine, trial

    work = trial.tasks(seed, games, faults)
    rules = engine.GAMES["calth"].version
    asked = {"seed": seed, "games": games, "faults": faults, "rules": rules, "chunks": len(work)}
    try:
        kept = trial.Kept(resume, asked) if resume is not None else None
    except (OSError, ValueError, KeyError, TypeError) as why:
        raise WrongCall(f"--resume {resume}: {why}") from None
    begun = saved = time.perf_counter()
    with _interruptible(), _bar(sum(task.size for task in work)) as advance:

        def on_done(task: Task) -> None:
            nonlocal saved
            advance(task.size)
            if kept is not None:
                kept.done += 1
                if time.perf_counter() - saved > SAVED_EVERY:
                    saved = time.perf_counter()
                    kept.save()

        if kept is not None:
            advance(sum(task.size for task in work[: kept.done]))
            try:
                tally = trial.run(work[kept.done :], jobs, kept.tally, on_done)
            finally:
                kept.save()
        else:
            tally = trial.run(work, jobs, None, on_done)
    return tally, trial.throughput(tally, time.perf_counter() - begun)


@contextmanager
def _bar(count: int) -> Iterator[Callable[[int], None]]:
    """Show how far something has come, on a terminal. Gives what to call with the size of each part done."""
    if not sys.stderr.isatty():
        yield lambda size: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    bar = Progress(
        BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=Console(stderr=True), transient=True
    )
    task = bar.add_task("", total=count)
    with bar:
        yield lambda size: bar.advance(task, size)


def _say_version(wanted: bool) -> None:
    if wanted:
        print(f"auditor {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_say_version, is_eager=True, help="Say the version and stop.")
    ] = False,
) -> None:
    """What all commands have."""


def main() -> NoReturn:
    """The `auditor` program. Whatever goes wrong with us has the exit status 70 and one line, never 1."""
    signal.signal(signal.SIGINT, _leave)
    try:
        app(prog_name="auditor")
    except Exception as error:
        complain(f"a fault of the auditor: {type(error).__name__}")
        sys.exit(OUR_FAULT)
    sys.exit(CLEAN)
