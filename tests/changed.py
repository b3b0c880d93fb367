"""What is said of each example where one value of it is another: left out, one more, another name, a list cut short; where two are, or a whole line is.

Most conditions of a check ask about a record that is not quite as it should be, and a written example shows but few of
them. The changes are those of the fuzz, by the example's name alone; the rest of the record is kept. What an audit says
of each is kept in a file with a line for each example: the findings, what was left unchecked, which rules had something else to
look at than in the example itself, and a digest of the positions. `make golden` writes it anew.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from auditor.core.audit import audit as audit_of
from auditor.trials.fuzz import changed
from tests import lines, positions, words

Log = Mapping[str, Any]
Replayed = Callable[[Log], positions.Replayed]
LEFT_OUT, OTHERS = 8, 10
"""How many values are left out of an example, one at a time, and how many are changed otherwise."""
PAIRS = 6
"""How often two values of an example are changed at once."""
AND = " and "
TRIES = 400
OTHER_SETTINGS = {"clx": (("measuring_tolerance", "1/2"), ("measuring_tolerance", "2"))}
DULL = ("turn", "removed")
"""What says nothing of a rule where it is another: the number of a turn, and who is left out of an example."""
SAYS_NONE = (
    *("choices.target", "choices.targets", "lore_mastery swapped_primaris", "difficult_dice", "rending_d3"),
    *(".reroll", "char_test reroll", ".save", ".ends_only"),
)
"""Fields that say, by the catalogues, that nothing was chosen, swapped or rolled where they are left out."""


def file_of(game: str) -> Path:
    return Path(__file__).parent / game / "changed.json"


def changes(name: str, log: Log) -> Iterator[tuple[str, Log]]:
    """The changes of an example that can be read as a log, each said in words, and the log with it."""
    due = {True: LEFT_OUT, False: OTHERS}
    seen = set()
    for number in range(TRIES):
        made = _changed(log, Random(f"{name} {number}"))
        if made is None:
            continue
        what, other, left_out = made
        if due[left_out] and (where := what.partition(" -> ")[0]) not in seen:
            due[left_out] -= 1
            seen.add(where)
            yield what, other
        if not any(due.values()):
            break
    for number in range(PAIRS):
        rng = Random(f"{name} both {number}")
        first = _changed(log, rng)
        second = _changed(first[1], rng) if first is not None else None
        if first is not None and second is not None:
            yield f"{first[0]}{AND}{second[0]}", second[1]


def _changed(log: Log, rng: Random) -> tuple[str, Log, bool] | None:
    """A log with one value changed: what, in words, the log, and whether something is left out of it; None where
    nothing came of it, or nothing that matters."""
    made = changed([log["header"], *log["events"]], rng)
    if made is None or made[1].path[0] in DULL:
        return None
    (_, *events), change = made
    left_out = change.how == "dropped"
    where = f"{change.seq} {change.type} {'.'.join(map(str, change.path))}"
    to = "" if left_out else f" -> {json.dumps(change.new)}"
    return f"{where}{to}", {**log, "events": [*events, *log["events"][len(events) :]]}, left_out


def ruled_otherwise(game: str, log: Log) -> Iterator[tuple[str, Log]]:
    """An example under other settings of a tournament."""
    for name, value in OTHER_SETTINGS.get(game, ()):
        header = log["header"]
        rulings = header.get("rulings") or {}
        settings = {**rulings.get("settings", {}), name: value}
        yield f"{name} {value}", {**log, "header": {**header, "rulings": {**rulings, "settings": settings}}}


def leaves_out_a_field(change: str) -> bool:
    """Whether a change leaves out fields of events, or of parts of them, and nothing else: not one of several in a list,
    nor what is claimed by leaving it out."""
    return all(
        " -> " not in one and not one.rsplit(".", 1)[-1].isdigit() and not one.endswith(SAYS_NONE)
        for one in change.split(AND)
    )


def said(game: str, name: str, log: Log, replayed: Replayed) -> dict[str, str]:
    """What is said of an example under each of its changes, and where it leaves the game."""
    there = _times(words.kept(game, "looked_at").get(name, [""])[0])
    found = {}
    for what, other in chain(changes(name, log), lines.otherwise(game, name, log), ruled_otherwise(game, log)):
        try:
            by = replayed(other)
        except msgspec.ValidationError:
            found[what] = "cannot be read"
            continue
        found[what] = outcome(audit_of(*by, engine="test", strict=True), by, there)
    return found


def outcome(audit: Mapping[str, Any], by: positions.Replayed, there: Mapping[str, int] | None = None) -> str:
    """What an audit says, in short, where the rules had something else to look at than `there`, and the positions."""
    parts = [
        f"{one['seq']} {one['rule']} {one['kind']}{'' if one['stands'] else ', does not stand'}"
        for one in audit["findings"]
    ]
    parts += [f"note {one['seq']}" for one in audit["notes"]]
    parts += [f"unchecked {one['seq']} {one['rule']}" for one in audit["coverage"]["unchecked"]]
    if there is not None:
        now = {one["rule"]: one["times"] for one in audit["coverage"]["rules_run"]}
        parts += [f"{rule}*{now.get(rule, 0)}" for rule in {**there, **now} if now.get(rule, 0) != there.get(rule, 0)]
    parts.append(f"position {positions.digest(positions.digests(*by))}")
    return "; ".join([audit["verdict"], *parts])


def _times(line: str) -> dict[str, int]:
    return {rule: int(times) for rule, _, times in (one.partition("*") for one in line.split())}


def write(game: str, paths: Iterable[Path], read: Callable[[Path], Any], replayed: Replayed) -> None:
    """Keep what is said of the examples under their changes."""
    named = sorted((f"{path.parent.name}/{path.stem}", path) for path in paths)
    with ProcessPoolExecutor() as pool:
        kept = list(pool.map(partial(_line, game, read, replayed), *zip(*named, strict=True), chunksize=16))
    file_of(game).write_text("{\n" + ",\n".join(kept) + "\n}\n", encoding="utf-8")


def _line(game: str, read: Callable[[Path], Any], replayed: Replayed, name: str, path: Path) -> str:
    return f"{json.dumps(name)}: {json.dumps(said(game, name, read(path), replayed))}"


def main() -> None:
    from tests.clx import examples as clx
    from tests.hcg import examples as hcg
    from tests.hcg.test_other_names import PATHS

    write("clx", clx.examples(""), clx.read, clx.replayed)
    write("hcg", PATHS, hcg.read, hcg.replayed)


if __name__ == "__main__":
    main()
