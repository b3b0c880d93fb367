"""`python -m tests.mutants.search --room ROOM --minutes 20`: records in which a condition comes out as in no other test.

The examples of a game are changed at random, again and again. A changed record that shows something new is kept: a
condition that comes out the other way, or two numbers that are for once equal, less or more. What is kept is changed
further. All that was kept by the end, or by an interrupt, is added to the game's `sought.json` (`tests/sought.py`). A
record whose audit raises is printed.
"""

from __future__ import annotations

import argparse
import json
import signal
import subprocess
import sys
import time
import traceback
from collections import Counter, defaultdict
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib import import_module
from random import Random
from typing import Any

from tests import sought
from tests.mutants.conditions import Shown, outcomes_of
from tests.mutants.patches import Changes, Donors
from tests.mutants.rooms import ROOMS
from tests.sought import DOES_NOT_FIT, Log, Patch, patched

GAMES = {"the card game": "hcg", "Calixtus' Edition": "clx"}
ENOUGH = 5
"""Seconds for one record."""
TIMES = 2
"""How many records are kept that show the same."""
MOST = 12
"""How many operations a patch may have."""


def _late(*_: Any) -> None:
    raise TimeoutError


class Search:
    """A search in the code of one room, which is marked in this process from then on."""

    def __init__(self, room_name: str, seed: int, say: Callable[[str], object]) -> None:
        self.game, self.say, self.began = GAMES[room_name], say, time.monotonic()
        self.outcomes = outcomes_of(next(room for room in ROOMS if room.name == room_name))
        self.examples = import_module(f"tests.{self.game}.examples")
        self.audit = import_module("auditor.core.audit").audit
        self.rng = Random(seed)
        self.named = sought.logs(self.game)
        ruleset = import_module(f"auditor.systems.{self.game}.ruleset").RULESET
        readings = {one.id: one.names for one in ruleset.readings}
        self.changes = Changes(Donors(list(self.named.values())), readings, self.rng)
        self.kept: list[tuple[str, Patch]] = []
        self.all: list[tuple[str, Patch, Log]] = []
        self.there: dict[int, list[int]] = defaultdict(list)
        self.targets: list[int] = []
        self.shown: Counter[Shown] = Counter()
        self.asked: Counter[Shown] = Counter()
        self.tries = self.unread = 0
        self.raised: Counter[str] = Counter()
        signal.signal(signal.SIGALRM, _late)
        for name, log in self.named.items():
            self._add(name, [], log)
        for name, patch, _ in sought.kept(self.game):
            self._add(name, patch, patched(self.named[name], patch))
        self.tell()

    def tell(self) -> None:
        one_way, never = list(self.outcomes.one_way()), list(self.outcomes.never())
        self.say(
            f"{time.monotonic() - self.began:.0f} s: {self.tries} tries, {self.unread} not read, {len(self.kept)} kept, "
            f"{sum(self.raised.values())} raised; {len(one_way)} conditions one way, {len(never)} never so"
        )

    def run(self, minutes: float) -> None:
        until = time.monotonic() + minutes * 60
        told = time.monotonic()
        while time.monotonic() < until:
            self._try()
            if time.monotonic() - told > 60:
                told = time.monotonic()
                self.tell()

    def write(self) -> None:
        """Keep what was found; what is said of it is not known to code that is marked."""
        sought.add(self.game, self.kept)

    def _try(self) -> None:
        name, patch, now = self._start()
        more: Patch = []
        with suppress(*DOES_NOT_FIT):
            for _ in range(self.rng.choice((1, 1, 2, 3))):
                ops = self.changes.one(now)
                now = patched(now, ops)
                more += ops
        whole = [*patch, *more]
        if not more or len(whole) > MOST:
            return
        self.tries += 1
        shown = self._shown(name, whole)
        if shown:
            whole = self._shorter(name, whole, shown)
            if (name, whole) not in self.kept:
                self.kept.append((name, whole))
                self._add(name, whole, patched(self.named[name], whole))
                self.shown.update(shown)
            self.asked.update(shown)
            self.outcomes.forget(one for one in shown if self.shown[one] < TIMES and self.asked[one] < 3 * TIMES)

    def _start(self) -> tuple[str, Patch, Log]:
        """What is changed next: mostly something that comes to a condition which did not come out in every way."""
        if self.rng.random() < 0.75:
            if self.tries % 500 == 0 or not self.targets:
                missing = self.outcomes.missing()
                self.targets = [number for number in self.there if number in missing]
            number = self.rng.choice(self.there[self.rng.choice(self.targets)])
        else:
            number = self.rng.randrange(len(self.all))
        return self.all[number]

    def _add(self, name: str, patch: Patch, log: Log) -> None:
        """One more that can be changed."""
        shown: set[Shown] = set()
        with suppress(Exception):
            by = self.examples.replayed(log)
            shown = self.outcomes.all_of(lambda: self.audit(*by, engine="test", strict=True))
        for number in {number for number, _ in shown}:
            self.there[number].append(len(self.all))
        self.all.append((name, patch, log))

    def _shown(self, name: str, patch: Patch) -> set[Shown]:
        """What the audit of a record shows that was not seen before; nothing where the record cannot be read, the audit
        takes long or raises.
        """
        shown: set[Shown] = set()
        log = patched(self.named[name], patch)
        signal.alarm(ENOUGH)
        try:
            by = self._read(log)
            if by is not None:
                shown = self.outcomes.newly(lambda: self.audit(*by, engine="test", strict=True))
        except Exception as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            told = f"{type(error).__name__} {error} {where.name}"
            self.raised[told] += 1
            if self.raised[told] == 1:
                print(json.dumps({"raised": told, "example": name, "patch": patch}), file=sys.stderr, flush=True)
        finally:
            signal.alarm(0)
        return shown

    def _read(self, log: Log) -> Any:
        try:
            return self.examples.replayed(log)
        except TimeoutError:
            raise
        except Exception:  # The header or an event is not of its shape.
            self.unread += 1
            return None

    def _shorter(self, name: str, patch: Patch, shown: set[Shown]) -> Patch:
        """The patch without what it does not need to show this."""
        for at in range(len(patch) - 1, -1, -1):
            less = [*patch[:at], *patch[at + 1 :]]
            self.outcomes.forget(shown)
            with suppress(*DOES_NOT_FIT):
                if less and self._shown(name, less) >= shown:
                    patch = less
        for number, how in shown:
            self.outcomes.note(number, how)
        return patch


def main() -> None:
    asked = argparse.ArgumentParser(prog="python -m tests.mutants.search", description=__doc__.split("\n")[0])
    asked.add_argument("--room", required=True, choices=list(GAMES))
    asked.add_argument("--minutes", type=float, default=20)
    asked.add_argument("--seed", type=int, default=1)
    how = asked.parse_args()
    found = Search(how.room, how.seed, partial(print, flush=True))
    with suppress(KeyboardInterrupt):
        found.run(how.minutes)
    found.tell()
    found.write()
    subprocess.run([sys.executable, "-m", "tests.sought"], check=False)
    for condition, outcome in (*found.outcomes.one_way(), *found.outcomes.never()):
        print(f"{condition.file}:{condition.line}: {outcome}: {condition.text}")


if __name__ == "__main__":
    main()
