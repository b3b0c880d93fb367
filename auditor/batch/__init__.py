"""Many logs audited one after the other or side by side, each made into its part of a report.

The command line says what it wants in an `Order`, gives the paths, and gets one `Done` a log, in the order of the paths
whatever the number of processes.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import zlib
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from auditor import engine
from auditor.core.audit import filled
from auditor.core.canonical import encoded, json_text
from auditor.core.rulings import BadRulings
from auditor.ingest import LIMITS, Member, NotRead, Pack, open_container, packs_with
from auditor.ingest.containers import is_zip
from auditor.ingest.kinds import GZIP

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor
    from multiprocessing.process import BaseProcess

LEAST_IN_A_CHUNK, MOST_IN_A_CHUNK = 4, 16
"""Logs that a process is given at once: few enough that at the end none has much to do while the others are done."""
PATIENCE = 5.0
"""Seconds for a pool to notice that its processes were ended."""
MOST_BYTES_IN_A_CHUNK = 4 * 2**20
BYTES_OF_A_HEADER = 2**20
STDIN = "-"


@dataclass(frozen=True)
class Order:
    """What is wanted of each log.

    rulings  as `engine.audit_log` takes them; None leaves it to the log's header
    packs    data packs, beside those that come with the program
    format   text | json | jsonl | sarif | csv | html | transcript
    everything  whether to draw also what holds only under readings not in force
    many     whether more than one log may come: then the text of each is short
    read_as  another way of writing in which the logs are (`engine.conventions`)
    """

    rulings: Mapping[str, Any] | None = None
    packs: tuple[Pack, ...] = ()
    format: str = "text"
    everything: bool = False
    many: bool = False
    read_as: str | None = None
    width: int = 80
    color: bool = False


@dataclass(frozen=True)
class Done:
    """One file, done with. Of `verdict`, `skipped`, `wrong` and `fault` one is not None.

    verdict  of its audit; `part` is then the audit in the format that was ordered, `game` that of the log
    skipped  why the file was not taken for a log
    perhaps  whether there may be a log or a game in what was skipped
    wrong    why the order cannot be carried out on this log
    fault    what went wrong with us
    """

    name: str
    verdict: str | None = None
    part: str = ""
    game: str | None = None
    skipped: str | None = None
    perhaps: bool = False
    wrong: str | None = None
    fault: str | None = None


class Clerk:
    """Carries out one order, log by log. One a process."""

    def __init__(self, order: Order) -> None:
        self.order = order
        self.packs = packs_with(order.packs) if order.packs else None

    def audit(self, name: str, content: bytes | NotRead, container_sha256: str | None = None) -> Done:
        """One log audited; nothing that it holds, and no fault of ours, raises."""
        if isinstance(content, NotRead) and content.skipped:
            return Done(name, skipped=content.why, perhaps=content.perhaps)
        try:
            if isinstance(content, NotRead):
                data, value = b"", engine.not_read(content.why)
            elif other := self._of_another_game(content):
                return Done(name, wrong=other)
            else:
                data = content
                value = engine.audit_log(
                    data,
                    rulings=self._rulings(self.order.rulings, self.order.read_as),
                    packs=self.packs,
                    container_sha256=container_sha256,
                    everything=self.order.everything,
                )
            return Done(name, verdict=value["verdict"], part=self._part(name, data, value), game=value["game"])
        except BadRulings as bad:
            return Done(name, wrong=f"the rulings do not fit this game: {bad}")
        except Exception as error:
            return Done(name, fault=fault_in_words(error))

    @staticmethod
    def _rulings(rulings: Mapping[str, Any] | None, read_as: str | None) -> Mapping[str, Any] | None:
        """Rulings, and beside them how the record is to be read."""
        return rulings if read_as is None else {**(rulings or {}), "read_as": read_as}

    def _of_another_game(self, data: bytes) -> str:
        """Why the packs ordered for one log are not for it; "" where they are. Many logs may be of several games."""
        game = engine.log_header(data).get("game") if self.order.packs and not self.order.many else None
        others = [pack for pack in self.order.packs if game in engine.GAMES and pack.game != game]
        said = [f'"{pack.id}" is a {pack.kind} of {pack.game}' for pack in others]
        return f"--pack: {', '.join(said)}; this log is of {game}" if said else ""

    def _part(self, name: str, data: bytes, value: dict[str, Any]) -> str:
        """An audit in the format ordered."""
        if self.order.format not in ("json", "jsonl"):
            value = filled(value)
        match self.order.format:
            case "json":
                return json_text(orjson.dumps(value, option=orjson.OPT_INDENT_2).decode())
            case "jsonl":
                return json_text(encoded(value).decode())
            case "sarif":
                from auditor.report.sarif import sarif_part

                return json.dumps(sarif_part(value, name=name))
            case "csv":
                from auditor.report.spreadsheet import csv_rows

                return csv_rows(value, _rules(value["game"]), name=name, heading=_heading(data, value["game"]))
            case "html":
                return self._page(data, value)
            case "transcript":
                return self._transcript(data, value)
            case _:
                from auditor.report.terminal import brief_text, report_text

                write = brief_text if self.order.many else report_text
                return write(
                    value,
                    _rules(value["game"]),
                    _readings(value["game"]),
                    _heading(data, value["game"]),
                    name=name,
                    width=self.order.width,
                    color=self.order.color,
                )

    def _transcript(self, data: bytes, value: dict[str, Any]) -> str:
        """The whole game as text, one line an event, findings beside it."""
        from auditor.report.boards import Sheet
        from auditor.report.casebook import Casebook
        from auditor.report.links import Links
        from auditor.report.transcript import transcript_text

        game, chosen = value["game"], value["rulings"] if value["rulings"]["readings"] else None
        frames = engine.timeline(data, texts=True, rulings=chosen, packs=self.packs)
        book = Casebook(value, frames, _rules(game), _readings(game), _heading(data, game), Links(), Sheet())
        return transcript_text(book)

    def _page(self, data: bytes, value: dict[str, Any]) -> str:
        """An audit as one HTML file, every event in words and each round's start drawn."""
        from auditor.report.onefile import onefile_html

        rulings = value["rulings"] if value["rulings"]["readings"] else None
        how: dict[str, Any] = {"rulings": self._rulings(rulings, value.get("read_as")), "packs": self.packs}
        drawn = {frame["seq"]: frame for frame in engine.replay_frames(data, **how)}
        frames = [drawn.get(entry["seq"], entry) for entry in engine.timeline(data, texts=True, **how)]
        game = value["game"]
        return onefile_html(value, frames, _rules(game), _readings(game), _heading(data, game))


def warm(order: Order, game: str | None = None) -> None:
    """Load what audits in this process will need: the rules of a game, or of all of them where it is not known
    whose logs will come, and whatever writes the format."""
    for key in engine.GAMES if game is None else (game,):
        _rules(key)
    match order.format:
        case "text":
            import auditor.report.terminal
        case "html":
            import auditor.report.onefile  # noqa: F401


@cache
def _rules(game: str | None) -> list[dict[str, Any]]:
    return engine.rules(game) if game else []


@cache
def _readings(game: str | None) -> list[dict[str, Any]]:
    return engine.readings(game) if game else []


def _heading(data: bytes, game: str | None) -> dict[str, Any]:
    """What a report says before the events: of the log, and of the auditor of its game."""
    return {**engine.log_heading(data), "caveat": engine.caveat(game), "game_title": engine.title(game)}


def fault_in_words(error: BaseException) -> str:
    """A fault of ours in one line: what it was and in which line of which module."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = f" in {trace.tb_frame.f_globals.get('__name__')}, line {trace.tb_lineno}" if trace is not None else ""
    return f"{type(error).__name__}{where}"


# -- which logs -----------------------------------------------------------------------------------------------------


class Sources:
    """The logs of some paths: files, folders, zips, and `-` for standard input. That and pipes are read at once, because
    they can be read but once."""

    def __init__(self, paths: Iterable[str]) -> None:
        self.paths = sorted(set(paths))
        self._read = {path: data for path in self.paths if (data := _read_once(path)) is not None}

    def members(self) -> Iterator[Member]:
        """Their files, named by their path, in the order of the paths. What a system leaves beside them is left out."""
        for path in self.paths:
            is_folder = path not in self._read and Path(path).is_dir()
            base = "stdin" if path == STDIN else path.rstrip("/") or path
            for member in open_container(self._read.get(path, path)):
                if isinstance(member.content, NotRead) and member.content.junk:
                    continue
                is_the_file = isinstance(member.content, NotRead) and member.name in ("", Path(base).name)
                within = is_folder or (member.container_sha256 is not None and not is_the_file)
                yield member._replace(name=f"{base}/{member.name}" if within else base)

    @property
    def is_single(self) -> bool:
        """Whether they name one log, and not a folder or zip of them."""
        return len(self.paths) == 1 and not Path(self.paths[0]).is_dir() and not is_zip(self._begin(4))

    def _begin(self, size: int) -> bytes:
        """The first bytes of the first path."""
        if self.paths[0] in self._read:
            return self._read[self.paths[0]][:size]
        with Path(self.paths[0]).open("rb") as file:
            return file.read(size)

    @property
    def game(self) -> str | None:
        """The game of a single log, where that can be told from its first bytes."""
        if not self.is_single:
            return None
        start = self._begin(BYTES_OF_A_HEADER)
        if start.startswith(GZIP):
            with contextlib.suppress(zlib.error):
                start = zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(start, BYTES_OF_A_HEADER)
        game = engine.log_header(start[: start.find(b"\n") + 1] or start).get("game")
        return game if isinstance(game, str) and game in engine.GAMES else None

    @property
    def expected(self) -> int:
        """About how many files will come: those of folders are counted, a zip counts for one."""
        return sum(
            sum(len(names) for _, _, names in os.walk(path)) if path not in self._read and Path(path).is_dir() else 1
            for path in self.paths
        )


def _read_once(path: str) -> bytes | None:
    """The bytes of standard input, a pipe or a device; None of what can be read again."""
    if path == STDIN:
        return sys.stdin.buffer.read(LIMITS.stored + 1)
    if Path(path).is_file() or Path(path).is_dir():
        return None
    with Path(path).open("rb") as file:
        return file.read(LIMITS.stored + 1)


# -- side by side ---------------------------------------------------------------------------------------------------

_clerk: Clerk | None = None


def _start(order: Order) -> None:
    """What a process does before its first chunk. Ctrl-C is for the process that asked."""
    global _clerk
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    warm(order)
    _clerk = Clerk(order)


def _audit_chunk(chunk: list[Member]) -> list[Done]:
    assert _clerk is not None, "a process starts with its order"
    return [_clerk.audit(*member) for member in chunk]


def audit_all(files: Iterable[Member], order: Order, jobs: int, files_expected: int = 0) -> Iterator[Done]:
    """Every file done with, in order, by so many processes at once."""
    if jobs <= 1:
        clerk = Clerk(order)
        for member in files:
            yield clerk.audit(*member)
        return
    import multiprocessing  # these and the pool are not for one log, which should be answered at once
    from concurrent.futures import ProcessPoolExecutor

    size = max(LEAST_IN_A_CHUNK, min(MOST_IN_A_CHUNK, files_expected // (jobs * 4)))
    pool = ProcessPoolExecutor(
        jobs, mp_context=multiprocessing.get_context("spawn"), initializer=_start, initargs=(order,)
    )
    running: deque[Future[list[Done]]] = deque()
    others = set(multiprocessing.active_children())
    try:
        # Only so many chunks are read ahead: a folder may hold more than the memory.
        for chunk in chunks(files, size):
            running.append(pool.submit(_audit_chunk, chunk))
            if len(running) > jobs * 3:
                yield from running.popleft().result()
        while running:
            yield from running.popleft().result()
    except BaseException:
        give_up(pool, set(multiprocessing.active_children()) - others, running)
        raise
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def give_up(pool: ProcessPoolExecutor, children: Iterable[BaseProcess], running: Iterable[Future[Any]]) -> None:
    """End a pool at once: whoever asked has gone, and nobody waits for what its processes are still doing.

    children  its processes
    running   what was asked of it and has not been read
    """
    from concurrent.futures import wait

    for child in children:
        child.terminate()
    # Shut down before it has noticed, the pool would wait at exit for a pipe that nobody reads any more; left to itself
    # once it has, it may be closing that pipe when the program ends, which would be told as an error.
    _, unnoticed = wait(running, timeout=PATIENCE)
    pool.shutdown(wait=not unnoticed, cancel_futures=True)


def chunks(files: Iterable[Member], size: int) -> Iterator[list[Member]]:
    chunk: list[Member] = []
    weight = 0
    for member in files:
        chunk.append(member)
        weight += len(member.content) if isinstance(member.content, bytes) else 0
        if len(chunk) >= size or weight >= MOST_BYTES_IN_A_CHUNK:
            yield chunk
            chunk, weight = [], 0
    if chunk:
        yield chunk
