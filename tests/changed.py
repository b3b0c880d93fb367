"""An example with one value of it otherwise: left out, one more, another name, a list cut short; or with two.

Most conditions of a check ask about a record that is not quite as it should be, and a written example shows but few of
them. The changes are those of the fuzz, by the example's name alone; the rest of the record is kept.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from auditor.trials.fuzz import changed

Log = Mapping[str, Any]
LEFT_OUT, OTHERS = 8, 10
"""How many values are left out of an example, one at a time, and how many are changed otherwise."""
PAIRS = 6
"""How often two values of an example are changed at once."""
AND = " and "
TRIES, IDLE = 400, 60
"""How often a change is drawn for an example, and how often in a row without anything new."""
DULL = ("turn", "removed")
"""What says nothing of a rule where it is another: the number of a turn, and who is left out of an example."""
SAYS_NONE = (
    *("choices.target", "choices.targets", "lore_mastery swapped_primaris", "difficult_dice", "rending_d3"),
    *(".reroll", "char_test reroll", ".save", ".ends_only"),
)
"""Fields that say, by the catalogues, that nothing was chosen, swapped or rolled where they are left out."""


def changes(name: str, log: Log, others: int = OTHERS) -> Iterator[tuple[str, Log]]:
    """The changes of an example that can be read as a log, each said in words, and the log with it; so many of those
    that leave nothing out.
    """
    due = {True: LEFT_OUT, False: others}
    seen, idle = set(), 0
    for number in range(TRIES):
        made = _changed(log, Random(f"{name} {number}"), left_out=not others)
        idle += 1
        if made is not None:
            what, other, left_out = made
            if due[left_out] and (where := what.partition(" -> ")[0]) not in seen:
                due[left_out] -= 1
                seen.add(where)
                idle = 0
                yield what, other
        if idle > IDLE or not any(due.values()):
            break
    for number in range(PAIRS):
        rng = Random(f"{name} both {number}")
        first = _changed(log, rng)
        second = _changed(first[1], rng) if first is not None else None
        if first is not None and second is not None:
            yield f"{first[0]}{AND}{second[0]}", second[1]


def without_fields(name: str, log: Log) -> Iterator[tuple[str, Log]]:
    """Those of the changes of an example that leave out fields of events and nothing else."""
    return ((what, other) for what, other in changes(name, log, others=0) if _leaves_out_a_field(what))


def _changed(log: Log, rng: Random, *, left_out: bool = False) -> tuple[str, Log, bool] | None:
    """A log with one value changed: what, in words, the log, and whether something is left out of it; None where
    nothing came of it, or nothing that matters, or with `left_out` another change."""
    made = changed([log["header"], *log["events"]], rng, left_out=left_out)
    if made is None or made[1].path[0] in DULL:
        return None
    (_, *events), change = made
    dropped = change.how == "dropped"
    where = f"{change.seq} {change.type} {'.'.join(map(str, change.path))}"
    to = "" if dropped else f" -> {json.dumps(change.new)}"
    return f"{where}{to}", {**log, "events": [*events, *log["events"][len(events) :]]}, dropped


def _leaves_out_a_field(change: str) -> bool:
    """Whether a change leaves out fields of events, or of parts of them, and nothing else: not one of several in a list,
    nor what is claimed by leaving it out."""
    return all(
        " -> " not in one and not one.rsplit(".", 1)[-1].isdigit() and not one.endswith(SAYS_NONE)
        for one in change.split(AND)
    )
