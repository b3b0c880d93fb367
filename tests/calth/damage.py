"""Records that met with an accident, and what an audit must not do about it.

Nothing raises, whatever is missing, doubled or absurd. An accident that leaves a hole (a number of an event missing,
doubled or out of order, a line that cannot be read, a fact that is not stated) accuses nobody whom the whole record
clears: the audit of the whole record decides.

    python -m tests.calth.damage [GAMES [TIMES]]

does each kind of damage TIMES times (default 3) to every example and to GAMES generated games (default 50), half of
them with faults planted in them, and prints how often, and every accusation that the whole record does not make.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from auditor.conformance.calth.plant import PLANTABLE, faulty_game
from auditor.conformance.logs import as_jsonl
from auditor.engine import audit_log
from auditor.trials.audited import as_the_referee_tells
from tests.calth import examples as written_down
from tests.calth.examples import FIXTURES

Lines = list[dict[str, Any]]
ABSURD = (-1, 0, 7, 10**6, 2**53, 10**30, -(10**400), 0.5, True, None, "", "9" * 40, [], {}, "\ud800")


def event_at(lines: Lines, rng: Random) -> int:
    """Where some event stands; the header is line 0. Never one that changes what stood before it."""
    places = [n for n, line in enumerate(lines) if n and line["type"] not in ("undo", "judge")]
    return rng.choice(places or [1])


def dropped(lines: Lines, rng: Random) -> bytes:
    """One event is lost; the numbers of the others stay."""
    place = event_at(lines, rng)
    return written([*lines[:place], *lines[place + 1 :]])


def several_dropped(lines: Lines, rng: Random) -> bytes:
    """Two stretches of events are lost."""
    left = list(lines)
    for _ in range(2):
        if len(left) > 1:
            place = event_at(left, rng)
            del left[place : place + rng.randint(1, 5)]
    return written(left)


def doubled(lines: Lines, rng: Random) -> bytes:
    """An event is written down twice, at once or some events later."""
    place = event_at(lines, rng)
    later = min(len(lines), place + rng.choice((1, 1, 4)))
    return written([*lines[:later], lines[place], *lines[later:]])


def swapped(lines: Lines, rng: Random) -> bytes:
    """Two events change places, neighbours or not."""
    left = list(lines)
    one = event_at(left, rng)
    two = rng.choice((max(1, one - 1), event_at(left, rng)))
    left[one], left[two] = left[two], left[one]
    return written(left)


def cut_off(lines: Lines, rng: Random) -> bytes:
    """The record ends too early, in the middle of a line or after one."""
    data = written(lines[: event_at(lines, rng) + 1])
    return data[: -rng.randint(1, 40)] if rng.random() < 0.5 else data


SAYS_NONE = {
    "position": ("weapons_destroyed", "doors", "decks", "damage_deck", "removed", "reserve"),
    "attack": ("shuffled", "damage_card"),
    "initiative": ("UM", "WB"),
    "move_unit": ("override", "source", "rule_ids"),
    "move_models": ("override", "source", "rule_ids"),
}
"""Fields that say something by not being there: nothing is destroyed, nobody shuffled or drew (CAL-SOR-01), one player
did not roll again, no card allows it."""


def fields_removed(lines: Lines, rng: Random) -> bytes:
    """Fields of some events are not written down, at any depth."""
    left = copied(lines)
    for _ in range(rng.randint(1, 3)):
        event = left[event_at(left, rng)]
        kept = {"seq", "type", *SAYS_NONE.get(event["type"], ())}
        holders = [one for one in inside(event) if set(one) - kept]
        if holders:
            holder = rng.choice(holders)
            del holder[rng.choice(sorted(set(holder) - kept))]
    return written(left)


def unknown(lines: Lines, rng: Random) -> bytes:
    """An event is of a type that nobody knows."""
    left = list(lines)
    place = event_at(left, rng)
    left[place] = {"seq": left[place]["seq"], "type": "teleport"}
    return written(left)


def torn(lines: Lines, rng: Random) -> bytes:
    """Half a line is lost, and the next begins where it should."""
    rows = written(lines).split(b"\n")
    place = event_at(lines, rng)
    rows[place] = rows[place][: len(rows[place]) // 2]
    return b"\n".join(rows)


def absurd(lines: Lines, rng: Random) -> bytes:
    """Some values are such as no table has ever seen."""
    left = copied(lines)
    for _ in range(rng.randint(1, 4)):
        holder = rng.choice(list(inside(left[rng.randrange(len(left))])))
        if holder:
            name = rng.choice(list(holder))
            value = holder[name]
            if isinstance(value, list) and value and rng.random() < 0.6:
                value[rng.randrange(len(value))] = rng.choice(ABSURD)
            else:
                holder[name] = rng.choice(ABSURD)
    return written(left)


HOLES: tuple[Callable[[Lines, Random], bytes], ...] = (
    dropped, several_dropped, doubled, swapped, cut_off, fields_removed, unknown, torn,
)  # fmt: skip
DAMAGES = (*HOLES, absurd)


def written(lines: Lines) -> bytes:
    """The lines of a log as its bytes."""
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


def copied(lines: Lines) -> Lines:
    """A copy that shares nothing."""
    return json.loads(json.dumps(lines))


def inside(value: Any) -> Iterator[dict[str, Any]]:
    """Every object in a value, itself included."""
    if isinstance(value, dict):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from inside(inner)


def accused(data: bytes, **settings: Any) -> set[tuple[int, str]]:
    """Which events are accused under which rule, also one that is named beside another. A fault of ours raises."""
    audit = as_the_referee_tells(audit_log(data, strict=True, meant=False, **settings))
    return {(finding["seq"], finding["rule"]) for finding in audit["findings"] if finding["stands"]}


def whole(lines: Lines) -> set[tuple[int, str]]:
    """What the undamaged record is accused of."""
    return accused(written(lines), digest=False, causes=False)


def falsely(lines: Lines, how: Callable[[Lines, Random], bytes], rng: Random, due: set[tuple[int, str]]) -> list[str]:
    """Accusations of a damaged record that its whole does not make, where the damage is a hole."""
    data = how(lines, rng)
    found = accused(data, digest=how is absurd, causes=how is absurd)
    left = set(data.split(b"\n"))
    hurt = {
        line["seq"]
        for line, row in zip(lines, written(lines).split(b"\n"), strict=False)
        if row not in left and line is not lines[0]
    }
    if how not in HOLES or any(seq in hurt for seq, _ in due):
        return []  # where the event that was at fault is itself damaged, its fault may be seen by another
    if lines[-1]["type"] == "end" and lines[-1]["seq"] in hurt:
        return []  # nothing says any more that play broke off there
    return [f"{rule} at {seq}" for seq, rule in sorted(found - due)]


def examples() -> dict[str, Lines]:
    """The lines of every example of a rule, a reading and a cause, and of the recorded games, by name."""
    found = {}
    for one in written_down.examples(file=None):
        log = one.log
        found[f"{one.file}/{one.name}.json"] = [log["header"], *log["events"]]
    for path in sorted(FIXTURES.glob("games/*.jsonl")):
        found[path.name] = [json.loads(line) for line in path.read_text().splitlines()]
    return found


def game(seed: int) -> Lines:
    """A generated game, every other one with three planted faults."""
    lines, _ = faulty_game(seed, Random(seed).sample(PLANTABLE, 3 * (seed % 2)), rounds=3)
    return [json.loads(line) for line in as_jsonl(lines).splitlines()]


def main(games: int = 50, times: int = 3) -> int:
    """Do all damage to everything, and say what came of it."""
    done: Counter[str] = Counter()
    false: list[str] = []
    records = [*examples().items(), *((f"game {seed}", None) for seed in range(1000, 1000 + games))]
    for number, (name, lines) in enumerate(records):
        lines = lines if lines is not None else game(int(name.split()[1]))
        due = whole(lines)
        for how in DAMAGES:
            for again in range(times):
                rng = Random(f"{name} {how.__name__} {again}")
                done[how.__name__] += 1
                try:
                    found = falsely(lines, how, rng, due)
                except Exception as error:
                    found = [f"raised {type(error).__name__}: {error}"]
                false += [f"{name}: {how.__name__} {again}: {what}" for what in found]
        if sys.stderr.isatty():
            print(f"\r{number + 1} of {len(records)} records, {len(false)} false", end="", file=sys.stderr)
    print("\n".join(false))
    print(f"{len(records)} records, {sum(done.values())} times damaged: {dict(done)}; false or raised: {len(false)}")
    return 1 if false else 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
