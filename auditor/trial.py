"""The conformance run: legal games that must be found clean, and games with planted faults that must be found.

The games and what must be found in them come from `auditor.conformance`, which shares no code with the auditor; this
module brings the two together and counts. What is counted depends on the seed and the numbers asked for, and on
nothing else: neither on the number of processes nor on the order in which they finish.
"""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
import signal
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, field, fields
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from auditor import engine
from auditor.conformance.board import Hex
from auditor.conformance.generate import as_jsonl, lay_out, play
from auditor.conformance.near import NEAR, NUMBERS, numbers
from auditor.conformance.plant import PLANTABLE, Expected, SpoiledTable, findings_of
from auditor.conformance.plant.occasions import settings_for
from auditor.conformance.plant.readings import NEVER, PLANTABLE_READINGS
from auditor.conformance.position import Unit
from auditor.conformance.sight import Sight
from auditor.conformance.tables import READINGS
from auditor.conformance.variety import legal_game, settings_of
from auditor.ingest import read_packs
from auditor.turning import try_reading

Json = dict[str, Any]

GAMES_IN_A_CHUNK, FAULTS_IN_A_CHUNK = 10, 5
ROUNDS_OF_FAULTY_GAMES = 3
TRIES = 80
"""So many games are played for one planted fault before it is given up; nearly all need fewer than five."""
MOST_LISTED = 50
"""So many false accusations, and so many faults not found, are listed; all are counted."""
MOST_ADDRESSED = 2**31
ONE_OF_A_READING = 4
"""For so many faults of each rule, one of each option of a reading is planted."""

# Faults that nearly every game gives an occasion for: the ones that stand beside another.
COMPANIONS = (
    *("CAL-INI-01", "CAL-RDY-02", "CAL-ACT-02", "CAL-ACT-04", "CAL-ADV-01", "CAL-ATK-01", "CAL-ATK-03", "CAL-ATK-04"),
    *("CAL-ATK-05", "CAL-ATK-06", "CAL-DIE-01", "CAL-CON-05"),
)
# Faults of the set-up, which no later round gives an occasion for.
ONCE = ("CAL-SET-01", "CAL-SET-02", "CAL-INI-01 illegal")


class Task(NamedTuple):
    """A chunk of work: legal games (`fault` is empty) or games with one fault, numbers `first` to `first + size - 1`.

    A fault is one of PLANTABLE or of PLANTABLE_READINGS.
    """

    fault: str
    first: int
    size: int


@dataclass
class Tally:
    """What was counted. Two tallies add up."""

    games: int = 0
    with_claims_left_out: int = 0
    under_other_readings: int = 0
    events: int = 0
    false: int = 0
    false_listed: list[Json] = field(default_factory=list)
    rules: Counter[str] = field(default_factory=Counter)
    near: Counter[str] = field(default_factory=Counter)
    asked: Counter[str] = field(default_factory=Counter)
    faults: Counter[tuple[str, str]] = field(default_factory=Counter)
    """By the fault's name and one of: planted, found, elsewhere, missed, beside, round 1, round 2, ..."""
    milliseconds: Counter[str] = field(default_factory=Counter)
    """Of processor time, by what they were spent on."""
    missed_listed: list[Json] = field(default_factory=list)

    def add(self, more: Tally) -> None:
        """Count what another tally has counted."""
        for part in fields(self):
            mine, theirs = getattr(self, part.name), getattr(more, part.name)
            if isinstance(mine, Counter):
                mine.update(theirs)
            else:
                setattr(self, part.name, mine + theirs)

    def as_json(self) -> Json:
        """As a value that a file can hold."""
        value = {part.name: getattr(self, part.name) for part in fields(self)}
        return {**value, "faults": [[*key, times] for key, times in self.faults.items()]}

    @classmethod
    def from_json(cls, value: Json) -> Tally:
        """What `as_json` made a value of."""
        counters: Json = {name: Counter(value[name]) for name in ("rules", "near", "asked", "milliseconds")}
        return cls(**{**value, **counters, "faults": Counter({(name, what): n for name, what, n in value["faults"]})})


# -- legal games ----------------------------------------------------------------------------------------------------


@cache
def _packs_of_the_auditor() -> Any:
    return read_packs([])


def _try_legal(seed: int, tally: Tally) -> None:
    begun = time.process_time()
    lines, seen = legal_game(seed)
    data = as_jsonl(lines).encode()
    played = time.process_time()
    audit, asked = engine.audit_counts(data, packs=_packs_of_the_auditor())
    done = time.process_time()
    tally.milliseconds["legal games"] += round(1000 * (played - begun))
    tally.milliseconds["their audits"] += round(1000 * (done - played))
    settings = settings_of(seed)
    tally.games += 1
    tally.with_claims_left_out += bool(settings["omit_claims"])
    tally.under_other_readings += bool(settings.get("readings"))
    tally.events += audit["coverage"]["events"]
    tally.near.update(seen)
    tally.asked.update(asked)
    tally.rules.update({line["rule"]: line["times"] for line in audit["coverage"]["rules_run"]})
    for event in lines[1:]:
        tally.near.update(f"number {rule}" for rule in numbers(event))
    accused = [{"seed": seed, **_named(one)} for one in (*_held_against(audit), *_record_notes(audit))]
    if not accused and audit["verdict"] != "clean":
        accused = [{"seed": seed, "seq": None, "rule": None, "kind": audit["verdict"], "text": _why_not_clean(audit)}]
    tally.false += len(accused)
    tally.false_listed += accused[:MOST_LISTED]


def _held_against(audit: Json) -> list[Json]:
    return [one for one in audit["findings"] if one["stands"] or one["kind"] == "ambiguous"]


def _named(finding: Json) -> Json:
    return {key: finding[key] for key in ("seq", "rule", "kind", "player", "text")}


def _why_not_clean(audit: Json) -> str:
    said = [one["why"] for one in audit["coverage"]["unchecked"]] or [str(one) for one in audit["errors"]]
    return said[0] if said else ""


# -- planted faults -------------------------------------------------------------------------------------------------


class BookedTable(SpoiledTable):
    """A spoiled table that remembers which fault is which, and plays no longer than it must unless it `plays_on`."""

    booked: dict[str, Expected]
    plays_on: bool

    def is_over(self) -> bool:
        """Also when every fault has been planted."""
        if super().is_over():
            return True
        return not self.plays_on and not self.pending and all(expected.seq for expected in self.planted)

    def shots(self, unit: Unit, beside: Hex | None = None) -> list[tuple[Unit, Sight, int | None]]:
        """One target that the unit may shoot; no other is looked for."""
        return list(islice(self.all_shots(unit, beside), 1))

    def plant(self, name: str, expected: Expected | None) -> bool:
        """Book a planted fault under its name too."""
        if not super().plant(name, expected):
            return False
        assert expected is not None
        self.booked[name] = expected
        return True


class Planted(NamedTuple):
    """A game with a fault, perhaps beside another, as it must be found."""

    seed: int
    lines: list[Json]
    fault: Json
    beside: Json | None


def planted(name: str, number: int) -> Planted | None:
    """The game number `number` with a fault: every other time beside a second one, and in round 1, 2 or 3 by turns.

    One in four goes on to its last round, the others end with the round of the fault.
    None where no game gives an occasion for it.
    """
    rng = Random(f"{name} {number}")
    turn = 1 if name in ONCE or name.split()[0] in ONCE else 1 + number // 2 % ROUNDS_OF_FAULTY_GAMES
    other = number % 2 == 1
    companions = [one for one in COMPANIONS if one.split()[0] != name.split()[0]]
    for attempt in range(TRIES):
        seed = rng.randrange(MOST_ADDRESSED)
        # The longer it takes, the less is asked for: an early second fault, an early fault, no second one.
        companion = rng.choice(companions) if other and attempt < TRIES * 3 // 4 else None
        its_turn = rng.choice((1, turn, ROUNDS_OF_FAULTY_GAMES)) if attempt < TRIES // 4 else 1
        if attempt >= TRIES // 2:
            turn = 1
        found = _planted_in(seed, name, turn, companion, its_turn, plays_on=number // 6 % 4 == 0)
        if found is not None and (companion is None or found.beside is not None):
            return found
    return None


def _planted_in(
    seed: int, name: str, turn: int, companion: str | None, its_turn: int, plays_on: bool
) -> Planted | None:
    rounds = ROUNDS_OF_FAULTY_GAMES
    header, table = lay_out(BookedTable, seed, rounds=rounds, **settings_for(name, Random(seed)))
    table.booked, table.plays_on = {}, plays_on
    table.prepare([name] if companion is None else [name, companion], rounds)
    table.pending[name] = turn
    if companion is not None:
        table.pending[companion] = its_turn
    play(table, rounds)
    booked = {key: expected.as_json() for key, expected in table.booked.items() if expected.seq}
    if name not in booked:
        return None
    fault, beside = booked[name], booked.get(companion) if companion else None
    if beside is not None and fault["kind"] == "ambiguous" and beside["seq"] > fault["seq"]:
        return None  # what the record does not state may leave all that comes after it undecided (CAL-AUD-04)
    return Planted(seed, [header, *table.log], fault, beside)


def _try_fault(name: str, number: int, tally: Tally) -> None:
    begun = time.process_time()
    game = planted(name, number)
    tally.milliseconds["games with faults"] += round(1000 * (time.process_time() - begun))
    if game is None:
        tally.faults[name, "no occasion"] += 1
        return
    begun = time.process_time()
    audit, _ = engine.audit_counts(as_jsonl(game.lines).encode(), packs=_packs_of_the_auditor())
    tally.milliseconds["their audits, with causes"] += round(1000 * (time.process_time() - begun))
    held = _held_against(audit)
    held += _record_notes(audit)
    how = _how_found(game.fault, held)
    tally.faults[name, "planted"] += 1
    tally.faults[name, how] += 1
    tally.faults[name, f"round {_round_of(game.lines, game.fault['seq'])}"] += 1
    left = [one for one in held if not _is_part_of(game.fault, one)]
    problems = [] if how == "found" else [{**_named(game.fault), "how": how}]
    if how == "elsewhere":
        left = [one for one in left if one["seq"] != game.fault["seq"]]
    if game.beside is not None:
        tally.faults[name, "beside another"] += 1
        how = _how_found(game.beside, held)
        tally.faults["", f"second {how}"] += 1
        left = [one for one in left if not _is_part_of(game.beside, one)]
        if how != "found":
            problems.append({**_named(game.beside), "how": how})
    if left:
        tally.faults[name, "with others"] += 1
        problems += [{**_named(one), "how": "not planted"} for one in left]
    tally.missed_listed += [{"fault": name, "number": number, "seed": game.seed, **one} for one in problems[:5]]


def _is(expected: Mapping[str, Any], finding: Json) -> bool:
    return all(expected[key] == finding[key] for key in ("rule", "seq", "kind", "player"))


def _is_part_of(expected: Json, finding: Json) -> bool:
    return any(_is(one, finding) for one in findings_of(expected))


def _record_notes(audit: Json) -> list[Json]:
    """The contradictions of the record, which accuse nobody (CAL-AUD-06), in the shape of findings."""
    return [{**one, "player": None} for one in audit["notes"] if one["kind"] == "record"]


def _how_found(expected: Json, held: list[Json]) -> str:
    if all(any(_is(part, one) for one in held) for part in findings_of(expected)):
        return "found"
    return "elsewhere" if any(one["seq"] == expected["seq"] for one in held) else "missed"


def _round_of(lines: list[Json], seq: int) -> int:
    """The round of an event; of one that bears none, that of the event before."""
    return next((line["round"] for line in reversed(lines[1 : seq + 1]) if "round" in line), 1)


# -- readings -------------------------------------------------------------------------------------------------------


def _try_reading(name: str, number: int, tally: Tally) -> None:
    begun = time.process_time()
    tried = try_reading(name, number, _packs_of_the_auditor())
    tally.milliseconds["readings"] += round(1000 * (time.process_time() - begun))
    tally.faults.update({(name, what): times for what, times in tried.counts.items()})
    if tried.game is not None:
        where = {"fault": name, "number": number, "seed": tried.game.seed}
        tally.missed_listed += [{**where, "text": one} for one in tried.wrong[:5]]


# -- side by side ---------------------------------------------------------------------------------------------------


def tasks(
    seed: int, games: int, faults: int, names: Iterable[str] = PLANTABLE, options: Iterable[str] = PLANTABLE_READINGS
) -> list[Task]:
    """All the work in chunks: so many plantings for each rule, fewer of each option, and games from number `seed` on.

    What is planted for a rule is shared by all kinds of faults that break it.
    """
    kinds = list(names)
    of_a_rule = Counter(name.split()[0] for name in kinds)
    each = {name: -(-faults // of_a_rule[name.split()[0]]) for name in kinds}
    return [
        *(task for name in kinds for task in _chunks(name, seed, each[name], FAULTS_IN_A_CHUNK)),
        *(task for name in options for task in _chunks(name, seed, -(-faults // ONE_OF_A_READING), FAULTS_IN_A_CHUNK)),
        *_chunks("", seed, games, GAMES_IN_A_CHUNK),
    ]


def _chunks(fault: str, first: int, count: int, size: int) -> Iterator[Task]:
    for at in range(first, first + count, size):
        yield Task(fault, at, min(size, first + count - at))


def do(task: Task) -> Tally:
    """Play and audit a chunk."""
    tally = Tally()
    for number in range(task.first, task.first + task.size):
        if task.fault in PLANTABLE_READINGS:
            _try_reading(task.fault, number, tally)
        elif task.fault:
            _try_fault(task.fault, number, tally)
        else:
            _try_legal(number, tally)
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
    folder = Path(__file__).parent
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
        for child in set(multiprocessing.active_children()) - others:
            child.terminate()
        raise
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


# -- the table ------------------------------------------------------------------------------------------------------


def report(tally: Tally, *, seed: int, faults: int) -> Json:
    """What was counted, as a value that is the same whenever the same was asked for.

    {"game", "engine", "ruleset_version", "seed", "games", "faults_each", "with_claims_left_out", "events",
     "false_accusations", "false": [...], "rules": [{"rule", "title", "auditable", "times", "near", "planted", "found",
     "elsewhere", "missed", "no_occasion", "beside_another", "with_others", "rounds": {round: n}}], "readings":
     [{"id", "asked", "options": [{"option", "planted", "found", "missed", "clean_under_the_other",
     "ambiguous_when_open", "right_scope", "no_occasion", "never": reason or None}]}], "near": [{"rule", "situation", "times"}], "not_found": [...], "passed"}
    """
    planted_ones: dict[str, Counter[str]] = {}
    for (name, what), times in tally.faults.items():
        if name:
            planted_ones.setdefault(name.split()[0], Counter())[what] += times
    close: Counter[str] = Counter()
    for key, (rule, _) in NEAR.items():
        close[rule] += tally.near[key]
    for rule in NUMBERS:
        close[rule] = max(close[rule], tally.near[f"number {rule}"])
    lines = []
    for known in engine.rules("calth"):
        counted = planted_ones.get(known["id"], Counter())
        lines.append(
            {
                "rule": known["id"],
                "title": known["title"],
                "auditable": known["auditable"],
                "times": tally.rules[known["id"]],
                "near": min(close[known["id"]], tally.rules[known["id"]]),
                "planted": counted["planted"],
                "found": counted["found"],
                "elsewhere": counted["elsewhere"],
                "missed": counted["missed"],
                "no_occasion": counted["no occasion"],
                "beside_another": counted["beside another"],
                "with_others": counted["with others"],
                "rounds": {what[6:]: n for what, n in sorted(counted.items()) if what.startswith("round ")},
            }
        )
    second = {what[7:]: n for (name, what), n in sorted(tally.faults.items()) if not name}
    return {
        "game": "calth",
        "engine": engine.ENGINE,
        "ruleset_version": engine.GAMES["calth"].version,
        "seed": seed,
        "games": tally.games,
        "faults_each": faults,
        "with_claims_left_out": tally.with_claims_left_out,
        "under_other_readings": tally.under_other_readings,
        "events": tally.events,
        "false_accusations": tally.false,
        "false": tally.false_listed[:MOST_LISTED],
        "rules": lines,
        "second_faults": second,
        "readings": [
            {
                "id": one["id"],
                "asked": tally.asked[one["id"]],
                "options": [_of_an_option(one["id"], option, tally) for option in READINGS[one["id"]]],
            }
            for one in engine.readings("calth")
        ],
        "near": [{"rule": rule, "situation": words, "times": tally.near[key]} for key, (rule, words) in NEAR.items()],
        "not_found": tally.missed_listed[:MOST_LISTED],
        "not_found_in_all": len(tally.missed_listed),
        "passed": is_passed(tally),
    }


def _of_an_option(reading: str, option: str, tally: Tally) -> Json:
    """What came of the faults that are faults under this option of a reading."""
    name = f"{reading}={option}"
    what = ("planted", "found", "missed", "clean under the other", "ambiguous when open", "right scope", "no occasion")
    counts = {one.replace(" ", "_"): tally.faults[name, one] for one in what}
    return {"option": option, **counts, "never": NEVER.get(name)}


def is_passed(tally: Tally) -> bool:
    """No false accusation, every planted fault found where and as it was planted and nothing beside it."""
    given_up = any(
        tally.faults[name, "no occasion"] and not tally.faults[name, "planted"] for name, _ in list(tally.faults)
    )
    return not tally.false and not tally.missed_listed and not given_up


def throughput(tally: Tally, wall: float) -> str:
    """How fast it went, over so many seconds by the clock. Of the machine, not of the games: no part of the table."""
    spent = {what: milliseconds / 1000 for what, milliseconds in sorted(tally.milliseconds.items())}
    said = f"{wall:.0f} s by the clock"
    if audits := spent.get("their audits"):
        said += (
            f"; legal games audited at {tally.events / audits:,.0f} events/s and {tally.games / audits:,.1f} games/s"
        )
        said += " a process"
    return f"{said}. Processor time: {', '.join(f'{what} {seconds:.0f} s' for what, seconds in spent.items())}."
