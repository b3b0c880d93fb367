"""A finished log judged under another option of a reading than it was played under."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from auditor.conformance.calth.check import check
from auditor.conformance.calth.mutate import CannotMutate, check_readings
from auditor.conformance.calth.packs import Packs
from auditor.conformance.calth.plant.readings import NEVER, PLANTABLE_READINGS, as_expected
from auditor.conformance.calth.position import Event
from auditor.conformance.calth.tables import Readings, option


def turn(
    lines: Sequence[Event], name: str, readings: Mapping[str, str] | None = None, packs: Packs | None = None
) -> tuple[list[Event], list[dict[str, Any]]]:
    """A log whose header says another option than it was played under, and the faults of one event that make of it.

    `name` is one of PLANTABLE_READINGS and says the option; `readings` are put into the header before, over its own.
    Nothing of the events is changed; the log ends before anything more would be wrong. Raises CannotMutate, also where
    the log is not legal as it was played, or is legal under the option as well.
    """
    if name not in PLANTABLE_READINGS:
        raise CannotMutate(NEVER.get(name, f"there is no planter for {name}"))
    check_readings(readings or {})
    reading, _, chosen = name.partition("=")
    own = lines[0].get("rulings", {})
    played: Readings = {**own.get("readings", {}), **(readings or {})}
    if already := check(lines, played, packs):
        raise CannotMutate(
            f"the log is not legal as it was played: event {already[0].seq}, {already[0].rule}: {already[0].text}"
        )
    if option(played, reading) == chosen:
        raise CannotMutate(f"the log was played under {name}")
    header = {**lines[0], "rulings": {**own, "name": "as mutated", "readings": {**played, reading: chosen}}}
    found = check([header, *lines[1:]], packs=packs)
    if not found:
        raise CannotMutate(f"what was played is legal under {name} too")
    seq = found[0].seq
    beyond = min((one.seq for one in found if one.seq != seq), default=None)
    kept = [event for event in lines[1:] if beyond is None or event["seq"] < beyond]
    return [header, *kept], [as_expected(one) for one in found if one.seq == seq]
