"""A conformance run: all of its work in chunks, side by side in processes, and a file to go on from after a stop."""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
import signal
import threading
import traceback
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from pathlib import Path

from auditor import systems
from auditor.batch import give_up
from auditor.trials.legal_games import try_legal
from auditor.trials.planted_faults import try_fault
from auditor.trials.readings import try_reading
from auditor.trials.tally import Json, Tally, Task

GAMES_IN_A_CHUNK, FAULTS_IN_A_CHUNK = 10, 5
ONE_OF_A_READING = 4
"""For so many faults of each rule, one of each option of a reading is planted."""


def tasks(game: str, seed: int, games: int, faults: int) -> list[Task]:
    """All the work in chunks: so many plantings for each rule, fewer of each option, and games from number `seed` on.

    What is planted for a rule is shared by all kinds of faults that break it.
    """
    inventor = systems.game(game).inventor()
    kinds, options = inventor.plantable, inventor.plantable_readings
    of_a_rule = Counter(name.split()[0] for name in kinds)
    each = {name: -(-faults // of_a_rule[name.split()[0]]) for name in kinds}
    return [
        *(task for name in kinds for task in _chunks(game, name, seed, each[name], FAULTS_IN_A_CHUNK)),
        *(
            task
            for name in options
            for task in _chunks(game, name, seed, -(-faults // ONE_OF_A_READING), FAULTS_IN_A_CHUNK)
        ),
        *_chunks(game, "", seed, games, GAMES_IN_A_CHUNK),
    ]


def _chunks(game: str, fault: str, first: int, count: int, size: int) -> Iterator[Task]:
    for at in range(first, first + count, size):
        yield Task(game, fault, at, min(size, first + count - at))


def do(task: Task) -> Tally:
    """Play and audit a chunk; a game in which this program fails is told, and the others go on."""
    tally = Tally()
    inventor = systems.game(task.game).inventor()
    for number in range(task.first, task.first + task.size):
        counted = Tally()
        try:
            if task.fault in inventor.plantable_readings:
                try_reading(inventor, task.fault, number, counted)
            elif task.fault:
                try_fault(inventor, task.fault, number, counted)
            else:
                try_legal(inventor, number, counted)
        except Exception as error:
            at = traceback.extract_tb(error.__traceback__)[-1]
            words = f"{type(error).__name__}: {error} ({Path(at.filename).name}, line {at.lineno})"
            counted = Tally(raised=[{"fault": task.fault, "number": number, "text": words}])
        tally.add(counted)
    return tally


def _start() -> None:
    # Ctrl-C is for the process that asked.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_leave_with_who_asked, daemon=True).start()


def _leave_with_who_asked() -> None:
    """End this process when the one that asked is gone, however it went."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def run(
    work: Iterable[Task], jobs: int, total: Tally | None = None, on_done: Callable[[Task], None] = lambda task: None
) -> Tally:
    """Everything counted, by so many processes at once, on top of what `total` says; `on_done` comes after each."""
    total = total or Tally()
    for task, tally in _done(work, jobs):
        total.add(tally)
        on_done(task)
    return total


def code() -> str:
    """The SHA-256 of the program as it runs, data included: a run goes on only with the program that began it."""
    folder = Path(__file__).parents[1]
    whole = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".py", ".json", ".toml"):
            whole.update(f"{path.relative_to(folder).as_posix()}\n{path.stat().st_size}\n".encode() + path.read_bytes())
    return whole.hexdigest()


class Kept:
    """A file that says how far a run has come, so that it can go on after it was stopped.

    Raises ValueError where the file is that of another run, or was written by another state of the program.
    """

    def __init__(self, path: Path, asked: Json) -> None:
        self.path, self.asked, self.done, self.tally = path, {**asked, "version": 1, "code": code()}, 0, Tally()
        if path.exists():
            value = json.loads(path.read_text(encoding="utf-8"))
            if not isinstance(value, dict) or value.get("asked") != self.asked:
                raise ValueError(f"{path} is of another run, or of another version of the program")
            self.done, self.tally = value["done"], Tally.from_json(value["tally"])

    def save(self) -> None:
        """Write down how far the run has come; the file is whole at every moment."""
        value = {"asked": self.asked, "done": self.done, "tally": self.tally.as_json()}
        beside = self.path.with_name(f".{self.path.name}.new")
        beside.write_text(json.dumps(value), encoding="utf-8")
        beside.replace(self.path)


def _done(work: Iterable[Task], jobs: int) -> Iterator[tuple[Task, Tally]]:
    """Each chunk with what was counted in it, in the order given."""
    if jobs <= 1:
        for task in work:
            yield task, do(task)
        return
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn"), initializer=_start)
    running: deque[tuple[Task, Future[Tally]]] = deque()
    try:
        for task in work:
            running.append((task, pool.submit(do, task)))
            if len(running) > jobs * 4:
                first, future = running.popleft()
                yield first, future.result()
        while running:
            first, future = running.popleft()
            yield first, future.result()
    except BaseException:
        give_up(pool, set(multiprocessing.active_children()) - others, [future for _, future in running])
        raise
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
