"""What is said of each example where one value of it is another: left out, one more, another name, a list cut short.

Most conditions of a check ask about a record that is not quite as it should be, and a written example shows but few of
them. The changes are those of the fuzz, by the example's name alone; the rest of the record is kept. What an audit says
of each is kept in a file with a line for each example: the findings, what was left unchecked, and which rules had
something else to look at than in the example itself. `make golden` writes it anew.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from auditor.trials.fuzz import changed
from tests import words

Audited = Callable[[Mapping[str, Any]], Mapping[str, Any]]
LEFT_OUT, OTHERS = 8, 10
"""How many values are left out of an example, one at a time, and how many are changed otherwise."""
TRIES = 400
DULL = ("turn", "removed")
"""What says nothing of a rule where it is another: the number of a turn, and who is left out of an example."""
SAYS_NONE = (
    *("choices.target", "choices.targets", "lore_mastery swapped_primaris", "difficult_dice", "rending_d3"),
    *(".reroll", ".save"),
)
"""Fields that say, by the catalogues, that nothing was chosen, swapped or rolled where they are left out."""


def file_of(game: str) -> Path:
    return Path(__file__).parent / game / "changed.json"


def changes(name: str, log: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The changes of an example that can be read as a log, each said in words, and the log with it."""
    due = {True: LEFT_OUT, False: OTHERS}
    lines = [log["header"], *log["events"]]
    seen = set()
    for number in range(TRIES):
        made = changed(lines, Random(f"{name} {number}"))
        if made is None or made[1].path[0] in DULL:
            continue
        (_, *events), change = made
        left_out = change.how == "dropped"
        where = f"{change.seq} {change.type} {'.'.join(map(str, change.path))}"
        to = "" if left_out else f" -> {json.dumps(change.new)}"
        if due[left_out] and where not in seen:
            due[left_out] -= 1
            seen.add(where)
            yield f"{where}{to}", {**log, "events": [*events, *log["events"][len(events) :]]}
        if not any(due.values()):
            return


def leaves_out_a_field(change: str) -> bool:
    """Whether a change leaves out a field of an event, or of a part of one, and not one of several in a list, nor what
    is claimed by leaving it out."""
    return " -> " not in change and not change.rsplit(".", 1)[-1].isdigit() and not change.endswith(SAYS_NONE)


def said(game: str, name: str, log: Mapping[str, Any], audited: Audited) -> dict[str, str]:
    """What is said of an example under each of its changes."""
    there = _times(words.kept(game, "looked_at").get(name, [""])[0])
    found = {}
    for what, other in changes(name, log):
        try:
            audit = audited(other)
        except msgspec.ValidationError:
            found[what] = "cannot be read"
            continue
        now = {one["rule"]: one["times"] for one in audit["coverage"]["rules_run"]}
        parts = [
            f"{one['seq']} {one['rule']} {one['kind']}{'' if one['stands'] else ', does not stand'}"
            for one in audit["findings"]
        ]
        parts += [f"note {one['seq']}" for one in audit["notes"]]
        parts += [f"unchecked {one['seq']} {one['rule']}" for one in audit["coverage"]["unchecked"]]
        parts += [f"{rule}*{now.get(rule, 0)}" for rule in {**there, **now} if now.get(rule, 0) != there.get(rule, 0)]
        found[what] = "; ".join([audit["verdict"], *parts])
    return found


def _times(line: str) -> dict[str, int]:
    return {rule: int(times) for rule, _, times in (one.partition("*") for one in line.split())}


def write(game: str, paths: Iterable[Path], read: Callable[[Path], Any], audited: Audited) -> None:
    """Keep what is said of the examples under their changes."""
    named = sorted((f"{path.parent.name}/{path.stem}", path) for path in paths)
    with ProcessPoolExecutor() as pool:
        lines = list(pool.map(partial(_line, game, read, audited), *zip(*named, strict=True), chunksize=16))
    file_of(game).write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def _line(game: str, read: Callable[[Path], Any], audited: Audited, name: str, path: Path) -> str:
    return f"{json.dumps(name)}: {json.dumps(said(game, name, read(path), audited))}"


def main() -> None:
    from tests.clx import examples as clx
    from tests.hcg import test_other_names as hcg

    write("clx", clx.examples(""), clx.read, clx.audited)
    write("hcg", hcg.PATHS, hcg.read, hcg.audited)


if __name__ == "__main__":
    main()
