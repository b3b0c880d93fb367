"""Faults of a reading: acts that one option allows and another does not, or numbers that come out otherwise.

A situation is prepared and played by people who believe one option, and the second referee judges it under another.
Where that finds the first thing wrong the fault is planted; the record ends before there is another. Under the option in the header
the players did what it forbids, and under the option that they played by they did nothing wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from auditor.conformance.clx.plant.stage import Dull, Stage
from auditor.conformance.clx.plant.turning.blows import BLOWS
from auditor.conformance.clx.plant.turning.course import COURSE
from auditor.conformance.clx.plant.turning.minds import MINDS
from auditor.conformance.clx.plant.turning.moves import MOVES
from auditor.conformance.clx.plant.turning.shots import SHOTS
from auditor.conformance.clx.plant.turning.throws import THROWS
from auditor.conformance.clx.readings import READINGS
from auditor.conformance.clx.referee import check
from auditor.conformance.inventor import NOT_JUDGED, Turned, plantable

TRIES = 400
"""So many situations are prepared for one fault before it is given up; most need fewer than ten."""
SITUATIONS: dict[str, Callable[[Stage], None]] = {**COURSE, **MOVES, **MINDS, **SHOTS, **BLOWS, **THROWS}

MORE = "It allows everything that the other option allows."
HELD = "It is held and never varied: no audit weighs one of its options against the other."
NEVER: dict[str, str] = {
    "OR-3D=PLANAR": HELD,
    "OR-3D=SPATIAL": HELD,
    "OR-FIRST=SPLIT": MORE,
    "OR-LENGTH-ROLLER=ANY": MORE,
    "OR-STOP=EXCLUDE": MORE,
    "OR-COH-WHEN=END": "The other options look at the end of the move as well.",
    "OR-DIFF-SCOPE=MODEL": "It slows nobody whom the other option does not.",
    "OR-TERRAIN-TOUCH=CENTRE": "Where the centre passes the base does; dice rolled for nothing are no fault.",
    "OR-DANGEROUS=ROLL_ONLY": "It asks for nothing that the other option does not.",
    "OR-LORE-SUM=UP_TO": MORE,
    "OR-LORE-SPLIT=BY_POINT": MORE,
    "OR-MR-AFTER=ALSO": MORE,
    "OR-RUN-AFTER-FAIL=YES": MORE,
    "OR-REROLL-ONCE=BOTH": "It allows a second reroll, and never asks for one.",
    "OR-GUESS-DIE=SCATTER_DIE": "A log has no place for the face that this die shows.",
    "OR-JINK-TIME=BEFORE_DICE": MORE,
    "OR-HEAVY-CHARGE=IF_MOVED": MORE,
    "OR-RAPID-CHARGE=MAY": MORE,
    "OR-SALVO-STAND=MAY": MORE,
    "OR-PISTOL=LOCKED_FIRE": MORE,
    "OR-GREN-G=GUESS": "Whoever keeps to the other option records no guess, and without one nothing can be judged.",
    "OR-DEF-TIME=EITHER": MORE,
    "OR-CHARGE-DIST=PATH": "How far it is round something is not worked out: no audit holds it against anybody.",
    "OR-FRONT=ENGAGED": "Models in contact are in the front line under it too.",
    "OR-WS=TWICE_MINUS_ONE": "Both options give the same table.",
    "OR-WS=TWICE_OF_A_MINUS_1": "Both options give the same table.",
    "OR-TOWOUND-SHOOT=BASE": "The chart of the base game is not known.",
    "OR-PIVOT=FLOOR": "It is the cheapest.",
    "OR-PIVOT-WHO=NON_WALKER": MORE,
    "OR-HES-AP=AP_IGNORED": "It allows a save, and never asks for one.",
    "OR-HIDE-SHOOT=REVEALS": MORE,
    "OR-PRONE=GENERAL": MORE,
    "OR-PRONE-COVER=PLUS_ONE": "It betters a save that is the target's to take or leave.",
}
"""Faults of an option that no log can show."""

PLANTABLE_READINGS = plantable(READINGS, NEVER)


def plant_reading(name: str, number: int) -> Turned:
    """The record number `number` with a fault of a reading.

    `name` is one of PLANTABLE_READINGS, such as "OR-ARC=HALVES": under that option the referee finds the faults, all of
    the last event and nothing else; under the option in `played` it finds nothing. Raises LookupError where no
    situation gives an occasion.
    """
    if name not in PLANTABLE_READINGS:
        raise LookupError(NEVER.get(name) or f"no fault called {name} can be planted")
    reading, _, chosen = name.partition("=")
    rng = Random(f"{name} {number}")
    defaults = {one: options[0] for one, options in READINGS.items()}
    for _ in range(TRIES):
        seed = rng.randrange(2**31)
        under = {reading: chosen}
        played = {reading: rng.choice([one for one in READINGS[reading] if one != chosen])}
        stage = Stage(Random(seed), defaults | played, defaults | under)
        try:
            SITUATIONS[reading](stage)
        except Dull:
            continue
        lines = [stage.t.header, *stage.t.log]
        found = check(lines, under)
        if not found or found[0].kind == NOT_JUDGED:
            continue
        # The record ends before anything else would be wrong, or could not be judged.
        others = [one.seq for one in (*found, *check(lines, played)) if one.seq > found[0].seq or one not in found]
        lines = lines[: min(others, default=len(lines))]
        faults = check(lines, under)
        if not faults or any(one.kind == NOT_JUDGED for one in faults) or check(lines, played):
            continue
        lines[0]["rulings"] = {"name": f"with {chosen}", "readings": under}
        return Turned(
            seed, reading, under, played, lines, [{**vars(one), "text": f"So under {name}."} for one in faults]
        )
    raise LookupError(f"no occasion for {name} in {TRIES} situations")
