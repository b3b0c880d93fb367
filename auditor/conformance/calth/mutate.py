"""A finished, legal log changed so that exactly one rule is broken.

A finished log allows less than a game that is being played: nothing else in it may follow from the change. So each
occasion that a planter sees is tried, what the event itself says after the change is set right, and the referee's
own replay decides whether the fault is then the only one. Where no event can be changed like that, the log ends with
the changed one; and where the fault is a whole act, the game is played on from some event of the log to the fault.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from random import Random
from typing import Any

from auditor.conformance.calth import referee as rules
from auditor.conformance.calth.adoption import apply
from auditor.conformance.calth.check import check
from auditor.conformance.calth.packs import Packs
from auditor.conformance.calth.plant import PLANTABLE, SPOILERS, Expected, Moment, SpoiledTable
from auditor.conformance.calth.position import Event, opening
from auditor.conformance.calth.tables import READINGS, SIDES, Readings
from auditor.conformance.inventor import CannotInvent

MOST_TRIED = 60
MOST_PLAYED_ON = 25
IN_STEPS = ("armour", "shields", "stamina", "casualty")
NUMBERS_OF_A_STEP = (
    "armour_used",
    "bonus_dice",
    "shields",
    "pool_after_shields",
    "stamina_used",
    "casualty",
    "pool_left",
)


class CannotMutate(CannotInvent):
    """Why this fault cannot be planted in this log, in a sentence."""


def mutate(
    lines: Sequence[Event], fault: str, seed: int, readings: Mapping[str, str] | None = None, packs: Packs | None = None
) -> tuple[list[Event], dict[str, Any]]:
    """A copy of a log (header first) with one fault, and what an audit must find in it.

    `fault` is one of PLANTABLE. `readings` are put into the header, over its own: the fault is one under them. The
    same seed gives the same copy. Raises CannotMutate.
    """
    if fault not in PLANTABLE:
        raise CannotMutate(f"there is no planter for {fault}")
    known = packs or Packs()
    header = deepcopy(lines[0])
    own = header.get("rulings", {})
    if readings:
        check_readings(readings)
        asked = {**own.get("readings", {}), **readings}
        header["rulings"] = {**own, "name": "as mutated", "readings": asked}
    ask: Readings = header.get("rulings", {}).get("readings", {})
    legal = [header, *lines[1:]]
    already = check(legal, packs=known)
    if already:
        raise CannotMutate(
            f"the log is not legal under these readings: event {already[0].seq}, {already[0].rule}: {already[0].text}"
        )
    full = known.inlined(header)
    found = list(_occasions(full, lines[1:], fault, ask, Random(seed))) if fault in SPOILERS else []
    Random(seed).shuffle(found)
    for n, event, expected in found[:MOST_TRIED]:
        changed = [*legal[: n + 1], event, *legal[n + 2 :]]
        if _is_the_only_fault(expected, changed, known) and _echoes_fit(full, changed[1:], ask):
            return changed, expected.as_json()
    for n, event, expected in found[:MOST_TRIED]:
        if not expected.at_next and _is_the_only_fault(expected, [*legal[: n + 1], event], known):
            return [*legal[: n + 1], event], expected.as_json()
    for events, expected in _played_on(full, lines[1:], fault, ask, Random(seed)):
        if _is_the_only_fault(expected, [header, *events], known):
            return [header, *events], expected.as_json()
    raise CannotMutate(f"this log gives no occasion for {fault} that would break no other rule")


def _is_the_only_fault(expected: Expected, log: Sequence[Event], known: Packs) -> bool:
    wanted = [(one.seq or expected.seq, one.rule, one.kind, one.player) for one in (expected, *expected.also)]
    found = [(one.seq, one.rule, one.kind, one.player) for one in check(log, packs=known)]
    # What a finished log says later of the position before the change is now a contradiction, which accuses nobody.
    accused = [one for one in found if one[2] != "record" or expected.kind == "record"]
    return sorted(accused, key=repr) == sorted(wanted, key=repr)


class _TableOfALog(SpoiledTable):
    """A table on which a log has been played so far, and at which the fault is to happen next."""

    def take_up(self, events: Sequence[Event], fault: str) -> None:
        """Carry out what the log says; the rest of its decks is not known."""
        self.prepare([fault], 1)
        self.decks = {side: [] for side in SIDES}
        self.names: set[Any] = set()
        for event in events:
            apply(self.position, event, self.readings)
            self.names.update(self.position.units)
        self.log = list(events)
        self.seq_before = int(events[-1]["seq"]) - len(events) if events else 0

    def mint(self, side: str) -> str:
        """A unit id that is new to the log too."""
        while (name := super().mint(side)) in self.names:
            pass
        return name


def _played_on(
    header: Event, events: Sequence[Event], fault: str, ask: Readings, rng: Random
) -> Iterator[tuple[list[Event], Expected]]:
    """The log cut before a round, an activation or the end, and played on until the fault has happened."""
    rounds = [n for n, event in enumerate(events) if event["type"] in ("initiative", "scenario_end")]
    acts = [n for n, event in enumerate(events) if event["type"] == "activate"]
    for n in (*rng.sample(rounds, len(rounds)), *rng.sample(acts, min(MOST_PLAYED_ON, len(acts)))):
        table = _TableOfALog(header, Random(rng.random()), ask, 0.0)
        table.take_up(events[:n], fault)
        if events[n]["type"] == "initiative":
            table.play_round()
        elif events[n]["type"] == "activate":
            table.play_actions()
        table.finish()
        if not table.planted or not table.planted[0].seq or len(table.log) < n:
            continue  # no occasion, or a fault of a record that begins anew
        expected = table.planted[0]
        last = max(one.seq for one in (expected, *expected.also))
        played = table.log[:last]
        for number in range(n, last):
            played[number] = {**played[number], "seq": number + 1 + table.seq_before}
        for one in (expected, *expected.also):
            one.seq += table.seq_before if one.seq else 0
        yield played, expected


def _echoes_fit(header: Event, events: Sequence[Event], ask: Readings) -> bool:
    """Whether the lines that only say once more what fell still say what the attacks before them do."""
    position = opening(header)
    for event in events:
        if event["type"] == "model_removed" and event["model"] not in position.removed:
            return False
        if event["type"] == "unit_removed" and event["unit"] in position.units:
            return False
        if event["type"] == "tp_loss" and event["cause"] == "crit":
            unit = position.units.get(event["unit"])
            if unit is not None and event.get("tp_after", unit.tp) != unit.tp:
                return False
        apply(position, event, ask)
    return True


def check_readings(readings: Mapping[str, str]) -> None:
    """Raise CannotMutate for a reading or an option that there is not."""
    for name, chosen in readings.items():
        if name not in READINGS:
            raise CannotMutate(f"there is no reading {name}")
        if chosen not in READINGS[name]:
            raise CannotMutate(f"{name} has no option {chosen}; it has {', '.join(READINGS[name])}")


def _occasions(
    header: Event, events: Sequence[Event], fault: str, ask: Readings, rng: Random
) -> Iterator[tuple[int, Event, Expected]]:
    """Every event that the planter can spoil: its place, the event as spoiled, and what must be found."""
    stage, spoil = SPOILERS[fault]
    table = SpoiledTable(header, rng, ask, 0.0)
    table.prepare((), 1)
    position = table.position
    for n, event in enumerate(events):
        if (event["type"] == "attack") == (stage != "write"):
            steps = event.get("steps", ())
            for length in range(1, len(steps) + 1) if stage in IN_STEPS else (len(steps),):
                spoiled = deepcopy(event)
                view = {**spoiled, "steps": spoiled["steps"][:length]} if stage in IN_STEPS else spoiled
                try:
                    units = [position.units[event[key]] for key in ("attacker", "target") if key in event]
                    expected = spoil(Moment(table, view, *units))
                except (KeyError, IndexError, TypeError, AttributeError):
                    # A claim that the planter would spoil, or a fact that it asks for, is not in this log.
                    continue
                if expected is None or (stage == "write" and spoiled == event):
                    continue
                if stage != "write":
                    _restate(table, spoiled, stage, length - 1, expected)
                expected.seq = _seq_of(expected, events, n)
                if expected.seq:
                    yield n, spoiled, expected
        apply(position, event, ask)
        table.log.append(event)


def _seq_of(expected: Expected, events: Sequence[Event], n: int) -> int:
    """The event at which the fault must be found; 0 where the one that would show it never comes."""
    if not expected.at_next:
        return int(events[n]["seq"])
    return next((int(event["seq"]) for event in events[n + 1 :] if event["type"] in expected.at_next), 0)


def _restate(table: SpoiledTable, event: Event, stage: str, at_step: int, expected: Expected) -> None:
    """Let the later numbers of an attack follow from the spoiled one, without another hit or shield than before."""
    position, ask = table.position, table.readings
    if stage == "dice":
        total = event.get("dice", {}).get("total")
        rolled = list(event["roll"])
        passes = (rules.the_crit(event) or {}).get("passes", ())
        again = max((i for entry in (*rules.rerolls_of(event), *passes) for i in entry["indices"]), default=-1)
        if total is not None:
            event["roll"] = _as_before(event["roll"], _of_length(rolled, total, "HC", again))
    if "pool" in event and stage in ("dice", "roll", "vexilla", "crit"):
        event["pool"] = rules.hits(rules.faces_after_crit(event))
    spoiled = next(iter(expected.claimed or {}), "").rsplit(".", 1)[-1] if stage in IN_STEPS else ""
    for n, step in enumerate(event.get("steps", ())):
        if stage in IN_STEPS and n < at_step:
            continue
        names: Sequence[str] = NUMBERS_OF_A_STEP
        if stage in IN_STEPS and n == at_step:
            names = names[names.index(spoiled) + 1 :] if spoiled in names else ()
        if "bonus_dice" in names and "bonus_dice" in step:
            step["bonus_dice"] = rules.judged_steps(position, event, ask)[n]["bonus_dice"]
        if stage in ("dice", "armour"):
            due = rules.judged_steps(position, event, ask)[n]["dice"]
            step["faces"] = _as_before(step["faces"], _of_length(list(step["faces"]), due, "S", -1))
        for name in names:
            if name in step and name != "bonus_dice":
                step[name] = rules.judged_steps(position, event, ask)[n][name]


def _of_length(faces: list[str], length: int, kept: str, kept_up_to: int) -> list[str]:
    """Faces with blanks added, or faces that count for nothing taken off the end, until there are so many."""
    faces = faces + ["B"] * (length - len(faces))
    for i in range(len(faces) - 1, kept_up_to, -1):
        if len(faces) <= length:
            break
        if faces[i] not in kept:
            del faces[i]
    return faces


def _as_before(given: Any, faces: list[str]) -> Any:
    return "".join(faces) if isinstance(given, str) else faces
