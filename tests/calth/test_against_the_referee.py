"""The auditor says what the second referee says, under any readings, and leaves open what hangs on an open one."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from auditor.conformance.calth.check import check
from auditor.conformance.calth.generate import generate
from auditor.conformance.calth.plant import PLANTABLE, faulty_game, findings_of
from auditor.conformance.logs import as_jsonl
from auditor.engine import audit_log
from auditor.systems.calth.readings import READINGS
from auditor.trials.audited import as_the_referee_tells
from tests.calth.examples import examples
from tests.examples import Example

Said = tuple[int, str, str, str | None]
ATTACKS = ("SHT", "LOS", "OBS", "DEF", "DST", "ATK", "CRT", "RNG", "MEL", "WAR", "SOR", "DIE")
# Where facts are missing, the referee keeps quiet.
OF_ATTACKS = [
    one for one in examples() if one.rule[4:7] in ATTACKS and (one.expected or {}).get("verdict") != "incomplete"
]
ACCUSATIONS = ("illegal", "miscalculated", "omitted")
CUTS = ("drop", "cut", "strip", "unknown", "bad line")


def audited(data: bytes, readings: dict[str, str] | None = None) -> dict[str, Any]:
    rulings = {"name": "test", "readings": readings} if readings is not None else None
    return as_the_referee_tells(audit_log(data, rulings=rulings, strict=True, digest=False, causes=False))


def accused(audit: dict[str, Any]) -> Counter[Said]:
    return Counter((f["seq"], f["rule"], f["kind"], f["player"]) for f in audit["findings"] if f["stands"])


def by_referee(lines: list[Any], readings: dict[str, str] | None) -> Counter[Said]:
    return Counter((d.seq, d.rule, d.kind, d.player) for d in check(lines, readings) if d.kind in ACCUSATIONS)


def some_readings(rng: Random, share: float) -> dict[str, str]:
    return {reading.id: rng.choice(reading.names) for reading in READINGS if rng.random() < share}


@pytest.mark.parametrize("seed", range(40, 52))
def test_a_game_played_under_other_readings_is_judged_alike(seed: int) -> None:
    rng = Random(seed)
    lines = generate(seed, rounds=3, readings=some_readings(rng, 0.3))
    data = as_jsonl(lines).encode()
    for share in (0.0, 0.05, 0.3, 1.0):
        readings = some_readings(rng, share)
        assert accused(audited(data, readings)) == by_referee(lines, readings), readings


@pytest.mark.parametrize("example", examples(file="readings/*"), ids=str)
def test_an_example_of_a_reading_is_judged_alike_under_each_option(example: Example) -> None:
    log, expected = example.log, example.expected
    for option in expected["under"]:
        readings = {**expected.get("with", {}), example.rule: option}
        found = accused(audited(example.read_bytes(), readings))
        assert found == by_referee([log["header"], *log["events"]], readings), option


@pytest.mark.parametrize("example", OF_ATTACKS, ids=str)
def test_an_example_of_an_attack_is_judged_alike(example: Example) -> None:
    log = example.log
    found = accused(audited(example.read_bytes()))
    certain = Counter({one: times for one, times in found.items() if one[2] in ACCUSATIONS})
    assert certain == by_referee([log["header"], *log["events"]], None)


@pytest.mark.parametrize("seed", range(5))
def test_what_hangs_on_an_open_reading_is_left_open_and_nothing_else(seed: int) -> None:
    rng = Random(seed)
    played = some_readings(rng, 0.5)
    data = as_jsonl(generate(seed, rounds=2, readings=played)).encode()
    for reading in rng.sample(READINGS, 4):
        under = [set(accused(audited(data, {**played, reading.id: option}))) for option in reading.names]
        audit = audited(data, {**played, reading.id: "open"})
        left_open = {
            (f["seq"], f["rule"], f["would_be"], f["player"]) for f in audit["findings"] if f["kind"] == "ambiguous"
        }
        assert set(accused(audit)) == set.intersection(*under), reading.id
        assert left_open == set.union(*under) - set.intersection(*under), reading.id


@pytest.mark.parametrize("seed", range(60, 72))
def test_faults_planted_together_are_found_and_nothing_else(seed: int) -> None:
    lines, planted = faulty_game(seed, Random(seed).sample(PLANTABLE, 4), rounds=3)
    parts = [part for fault in planted for part in findings_of(fault) if part["kind"] in ACCUSATIONS]
    wanted = Counter((f["seq"], f["rule"], f["kind"], f["player"]) for f in parts)
    audit = audited(as_jsonl(lines).encode())
    assert accused(audit) == wanted
    assert by_referee(lines, None) == wanted


def damaged(lines: list[Any], how: str, rng: Random) -> bytes:
    """The log after one accident that makes it say less, but nothing else."""
    left = [dict(line) for line in lines]
    place = rng.randrange(1, len(left) - 1)
    if how == "drop":
        del left[place]
    elif how == "cut":
        del left[place + 1 :]
    elif how == "strip":
        fields = [name for name in left[place] if name not in ("seq", "type")]
        for name in rng.sample(fields, min(2, len(fields))):
            del left[place][name]
    elif how == "unknown":
        left[place] = {"seq": left[place]["seq"], "type": "teleport"}
    written = as_jsonl(left).encode().split(b"\n")
    if how == "bad line":
        written[place] = written[place][: len(written[place]) // 2]
    return b"\n".join(written)


@pytest.mark.parametrize("seed", range(80, 90))
def test_a_log_that_says_less_accuses_nobody_whom_the_whole_log_does_not(seed: int) -> None:
    rng = Random(seed)
    lines, _ = faulty_game(seed, rng.sample(PLANTABLE, 3 * (seed % 2)), rounds=3)
    whole = {(f["seq"], f["rule"]) for f in audited(as_jsonl(lines).encode())["findings"] if f["stands"]}
    for how in CUTS:
        audit = audited(damaged(lines, how, rng))
        assert {(f["seq"], f["rule"]) for f in audit["findings"] if f["stands"]} <= whole, how
