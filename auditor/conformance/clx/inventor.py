"""The second opinion on Calixtus' Edition, as commands and the conformance run know it.

It plays games and plants faults, and judges logs that it did not play, by some of the rules (`referee.JUDGED`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from auditor.conformance.clx.commands import write_faulty_game, write_game, write_mutated_game
from auditor.conformance.clx.generate import READINGS as PLAYED_UNDER
from auditor.conformance.clx.generate import Settings, generate
from auditor.conformance.clx.led import led_to, settings_led
from auditor.conformance.clx.near import NEAR, NUMBER_RULES, numbers, watch
from auditor.conformance.clx.near.watch import Watch
from auditor.conformance.clx.plant import PLANTABLE, planted
from auditor.conformance.clx.plant.turning.planting import NEVER, PLANTABLE_READINGS, plant_reading
from auditor.conformance.clx.readings import READINGS
from auditor.conformance.clx.referee import JUDGED, check
from auditor.conformance.clx.relations import RELATIONS
from auditor.conformance.clx.variants import jittered, without_claims
from auditor.conformance.inventor import Inventor

Json = dict[str, Any]


CLOSE: Json = {"size": 12, "deep": 22, "turns": 5, "habits": ("throws", "huddles", "tests")}
HULLS = ("tr", "wk", "bs", "cs", "jk", "sk", "wy", "br")
HABITS: tuple[tuple[int, Json], ...] = (
    (20, {}),
    (18, {"size": 8, "deep": 16, "turns": 8, "favoured": HULLS, "habits": ("jinks",), "base_rules": True}),
    (19, {"size": 6, "favoured": ("oa", "lk"), "habits": ("splits", "hides"), "plain": False}),
    (15, {"favoured": ("er", "sv"), "deep": 16, "turns": 3}),
    (17, {**CLOSE, "favoured": ("hw", "sv", "dr")}),
    (11, {**CLOSE, "favoured": ("gr", "bk", "rd", "ps")}),
)
"""(how often, settings): games that come to what others seldom do."""
SIZES = (*(5, 5, 5, 6, 6, 8, 8, 10, 12) * 2, 20, 30, 60)
"""Models a side: large games cost an audit seconds each, and show little that small ones do not."""


def settings_of(seed: int) -> Json:
    """How the legal game of a number is played: most are small, half without some claims, a quarter jittered, and a
    quarter under other readings than the defaults."""
    rng = Random(f"settings of {seed}")
    ruled = rng.sample(sorted(PLAYED_UNDER), rng.randint(2, 8)) if seed % 4 == 2 else []
    shares, habits = zip(*HABITS, strict=True)
    habit = Random(f"habit of {seed}").choices(habits, shares)[0]
    chosen: Json = {
        "size": rng.choice(SIZES),
        "turns": rng.choice((2, 3, 5, 5)),
        "plain": rng.random() < 0.3,
        "base_rules": rng.random() < 0.3,
        "omit_claims": rng.choice((0.1, 0.3, 0.6)) if seed % 2 else 0.0,
        "any_facing": rng.random() < 0.5,
        "jittered": seed % 4 == 1,
        "readings": {name: rng.choice(PLAYED_UNDER[name]) for name in ruled},
    }
    if habit:
        chosen["size"] = min(chosen["size"], 12)
    return {**chosen, **habit, **settings_led(seed)}


def legal_lines(seed: int) -> list[Json]:
    """The legal game of a number as it was played: every place where it is, no tolerance."""
    return _played(seed, watch())


def _played(seed: int, look: Watch) -> list[Json]:
    chosen = settings_of(seed)
    share, led = chosen.pop("omit_claims"), chosen.pop("led", None)
    lines = generate(seed, Settings(**chosen, steer=led_to(led, seed)), look)
    return without_claims(lines, share, Random(seed)) if share else lines


def legal_game(seed: int) -> tuple[list[Json], Counter[str]]:
    """The legal game of a number, perhaps jittered, and how often it came near which fault."""
    look = watch()
    lines = _played(seed, look)
    return (jittered(lines, Random(seed)) if settings_of(seed)["jittered"] else lines), look.seen


def findings_of(fault: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """A planted fault gives one finding."""
    return [fault]


INVENTOR = Inventor(
    readings=READINGS,
    plantable=PLANTABLE,
    plantable_readings=PLANTABLE_READINGS,
    never=NEVER,
    near=NEAR,
    number_rules=NUMBER_RULES,
    check=check,
    judged=JUDGED,
    findings_of=findings_of,
    numbers=numbers,
    legal_game=legal_game,
    legal_lines=legal_lines,
    settings_of=settings_of,
    planted=planted,
    plant_reading=plant_reading,
    relations=RELATIONS,
    write_game=write_game,
    write_faulty_game=write_faulty_game,
    write_mutated_game=write_mutated_game,
)
