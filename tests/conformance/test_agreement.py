"""The auditor and the second referee, which share no code, held against each other."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from copy import deepcopy
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from auditor.conformance.calth.board import Board
from auditor.conformance.calth.boards import random_board
from auditor.conformance.calth.check import check
from auditor.conformance.calth.generate import generate
from auditor.conformance.calth.plant import findings_of, plant
from auditor.conformance.calth.sight import Scene, is_clear, legal_lines, look
from auditor.conformance.calth.tables import READINGS
from auditor.conformance.logs import as_jsonl
from auditor.engine import audit_log
from auditor.ingest import packs_with
from auditor.trials.audited import as_the_referee_tells

PACKS = packs_with([])
ROOT = Path(__file__).parents[2]
OTHER_READINGS = {name: options[-1] for name, options in READINGS.items()}
SIGHT_READINGS = [name for name in READINGS if name.startswith(("R-LOS", "R-OBS", "R-BAR", "R-DST"))]


def audited(lines: list[dict]) -> dict:
    return as_the_referee_tells(audit_log(as_jsonl(lines).encode(), packs=PACKS, causes=False))


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"readings": OTHER_READINGS},
        {"omit_claims": 0.3},
        {"first_round": 2},
        {"plays_cards": True},
        {"campaign": True},
    ],
    ids=["plain", "other readings", "claims left out", "begun at a position", "cards played", "end of a campaign"],
)
@pytest.mark.parametrize("seed", (4, 5))
def test_a_generated_legal_game_is_not_accused_of_anything(seed, settings):
    audit = audited(generate(seed, rounds=3, **settings))
    assert audit["findings"] == [] or not any(f["stands"] or f["kind"] == "ambiguous" for f in audit["findings"])
    assert audit["verdict"] == "clean"


@pytest.mark.parametrize(
    ("name", "seed"),
    [
        ("CAL-INI-02", 1),
        ("CAL-RDY-02 omitted", 1),
        ("CAL-SHT-02", 2),
        ("CAL-LOS-01", 2),
        ("CAL-LOS-02", 1),
        ("CAL-LOS-05", 1),
        ("CAL-DIE-02", 10),
        ("CAL-CRT-04", 10),
        ("CAL-CRT-08", 6),
        ("CAL-ATK-07", 1),
        ("CAL-RET-01 illegal", 1),
        ("CAL-RET-03", 1),
        ("CAL-DLS-02", 15),
        ("CAL-ASL-01", 1),
        ("CAL-RND-01", 1),
        ("CAL-HEX-05", 1),
        ("CAL-CON-02", 1),
    ],
)
def test_a_planted_fault_is_the_one_finding_that_stands(name, seed):
    lines, expected = plant(name, seed)
    standing = [f for f in audited(lines)["findings"] if f["stands"]]
    found = Counter((f["seq"], f["rule"], f["kind"], f["player"]) for f in standing)
    wanted = findings_of(expected)
    assert found == Counter((one["seq"], one["rule"], one["kind"], one["player"]) for one in wanted)


@pytest.mark.parametrize("seed", (2, 3))
def test_both_name_the_same_rule_for_a_shot_of_the_wrong_class(seed):
    rng = Random(seed)
    readings = {name: rng.choice(READINGS[name]) for name in SIGHT_READINGS} if seed % 2 else {}
    lines = generate(seed, rounds=2, readings=readings)
    told = set()
    for n, event in enumerate(lines):
        if event.get("mode") != "ranged":
            continue
        wrong = deepcopy(event)
        wrong["los"]["class"] = "clear" if event["los"]["class"] == "obscured" else "obscured"
        wrong["los"].pop("aim", None)
        log = [*lines[:n], wrong]
        of_sight = {one.rule for one in check(log) if one.rule.startswith("CAL-LOS")}
        standing = [one["rule"] for one in audited(log)["findings"] if one["stands"]]
        assert of_sight == {rule for rule in standing if rule.startswith("CAL-LOS")}, event["seq"]
        told |= of_sight
    assert told > {"CAL-LOS-01"}


def questions(seed: int, count: int):
    rng = Random(seed)
    while count > 0:
        pack = random_board(rng, radius=rng.choice((2, 3, 4)))
        board = Board.read(pack)
        ground = sorted(h for h in board.kinds if not board.is_shut(h))
        for _ in range(20):
            start, end = rng.sample(ground, 2)
            occupied = set(rng.sample(ground, rng.randrange(len(ground) * 2 // 3)))
            sealed = {edge for edge in sorted(board.doors) if rng.random() < 0.7}
            readings = {name: rng.choice(READINGS[name]) for name in SIGHT_READINGS if rng.random() < 0.4}
            aim = (end[0] + Fraction(rng.randrange(-5, 6), 12), end[1] + Fraction(rng.randrange(-5, 6), 12))
            asked = {
                "from": start,
                "to": end,
                "board": sorted(board.kinds),
                "blocked": [h for h in sorted(board.kinds) if board.is_shut(h)],
                "occupied": sorted(occupied),
                "sealed": sorted(sealed),
                "obstructions": sorted(board.obstructions),
                "barricades": pack["barricades"],
                "aim": [str(x) for x in aim],
                "readings": readings,
            }
            scene = Scene(board, start, end, occupied, sealed, readings)
            seen = look(scene, aim)
            answer = {
                "sight": seen.kind,
                "clear": is_clear(scene),
                "obscured": any(legal_lines(scene)),
                "distance": board.distance(start, end, sealed, occupied, readings),
            }
            if seen.kind != "none" and seen.barricade is not None:
                answer["barricade"] = seen.barricade
            yield asked, answer
            count -= 1


def test_both_see_the_same_under_any_readings():
    asked = list(questions(seed=20, count=400))
    done = subprocess.run(
        [sys.executable, "-m", "auditor", "sight", "--batch", "-"],
        input="".join(json.dumps(question) + "\n" for question, _ in asked),
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    for (question, expected), answer in zip(asked, answers, strict=True):
        assert {name: answer[name] for name in expected} == expected, question
