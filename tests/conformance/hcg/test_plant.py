"""Faults planted in games of the card game: each is found under its rule, kind, event and player."""

from __future__ import annotations

import pytest

from auditor import engine
from auditor.conformance.hcg.plant import planted
from auditor.conformance.hcg.table import Event
from auditor.conformance.inventor import Planted
from auditor.conformance.logs import as_jsonl
from auditor.trials.audited import held_against
from auditor.trials.run import do
from auditor.trials.tally import Task
from tests.hcg.examples import judged
from tests.shares import is_tried

NUMBER = 6
"""A game that ends soon after its fault, which is a number too high and comes in the first turn."""
FEW = (
    *("HCG-SETUP-02 illegal", "HCG-FW-01", "HCG-FW-03", "HCG-DEP-01", "HCG-DEP-02 again", "HCG-BPH-05", "HCG-BSET-07"),
    *("HCG-BA-01", "HCG-CHG-01", "HCG-SHOOT-01 locked", "HCG-SHOOT-03 speed", "HCG-VIC-02", "HCG-VIC-08", "HCG-FW-02"),
    *("HCG-TAC-02", "HCG-REA-01", "HCG-REA-02", "HCG-REA-03", "HCG-MOD-02", "HCG-MOD-03", "HCG-OPT-02", "HCG-SWEEP-01"),
    *("HCG-WDR-02", "HCG-END-01", "HCG-DECK-03", "HCG-SETUP-01", "HCG-BPH-01", "HCG-BSET-06 hands", "HCG-UNIQ-02"),
    *("HCG-DOC-03", "HCG-OPT-09 side", "HCG-OPT-07", "HCG-SHOOT-05", "HCG-CHG-02", "HCG-CARD-03", "HCG-DES-03"),
    *("HCG-POS-03", "HCG-BSET-01", "HCG-UNIQ-05", "HCG-CMD-01", "HCG-CMD-03 card", "HCG-SHOOT-09"),
    *("HCG-SPEC-01", "HCG-SPEC-03", "HCG-SPEC-04 damage", "HCG-SPEC-07", "HCG-BAA-03", "HCG-OPT-05 fewer"),
    *("HCG-DMG-02", "HCG-DMG-03", "HCG-DMG-04", "HCG-DES-02", "HCG-DISC-02 illegal", "HCG-INF-02", "HCG-END-03"),
    *("HCG-SHIP-01", "HCG-SHIP-02", "HCG-SHIP-05", "HCG-DOC-01", "HCG-DOC-02 twice", "HCG-WIN-03 after turn 4"),
    *("HCG-UNIQ-03 own", "HCG-OPT-01 victory", "HCG-WIN-01 illegal", "HCG-SPEC-06", "HCG-OPT-03", "HCG-VS-02"),
)


def faults_of(game: Planted) -> list[Event]:
    """What must be found of a game, in the log's order."""
    return sorted((one for one in (game.fault, game.beside) if one is not None), key=lambda one: one["seq"])


@pytest.mark.parametrize("name", [name for name in FEW if is_tried(4, name)])
def test_a_planted_fault_is_found(name: str) -> None:
    game = planted(name, NUMBER)
    assert game is not None and game.fault["rule"] == name.split()[0]
    audit = judged({"header": game.lines[0], "events": game.lines[1:]})
    found = [{key: one[key] for key in game.fault} for one in audit["findings"] if one["stands"]]
    assert found == faults_of(game)


@pytest.mark.parametrize("name", ["HCG-CARD-01", "HCG-DOC-05 roll", "HCG-SWEEP-04"])
def test_what_a_record_leaves_open_and_the_rulings_of_its_header_are_judged(name: str) -> None:
    game = planted(name, NUMBER)
    assert game is not None
    held = held_against(engine.audit_counts(as_jsonl(game.lines).encode())[0])
    assert [{key: one[key] for key in game.fault} for one in held] == faults_of(game)


@pytest.mark.parametrize("name", ["HCG-SETUP-04 omitted", "HCG-BPH-02", "HCG-END-02", "HCG-ROLL-06 omitted"])
def test_of_a_game_that_is_played_to_its_end_nothing_else_is_said(name: str) -> None:
    game = planted(name, 0)
    assert game is not None and game.lines[-1]["type"] in ("game.end", "end")
    audit = judged({"header": game.lines[0], "events": game.lines[1:]})
    assert [{key: one[key] for key in game.fault} for one in audit["findings"] if one["stands"]] == faults_of(game)


@pytest.mark.parametrize("number", range(7300, 7304))
def test_a_refill_after_a_battle_is_the_whole_pile(number: int) -> None:
    """What was played or rolled in the battle lies in the pile by then; the number that is due counts it."""
    game = planted("HCG-ROLL-06 fewer", number)
    assert game is not None
    audit = judged({"header": game.lines[0], "events": game.lines[1:]})
    assert [{key: one[key] for key in game.fault} for one in audit["findings"] if one["stands"]] == faults_of(game)


def test_the_same_number_gives_the_same_game() -> None:
    assert planted("HCG-VIC-02", NUMBER) == planted("HCG-VIC-02", NUMBER)


@pytest.mark.parametrize(
    ("fault", "number"),
    [
        # A ship that was left at the sector from which its player withdrew.
        ("HCG-BSET-05", 810004),
        # Shown later in the hand, and drawn in between: by name, or as a card that nobody names.
        ("HCG-BSET-07", 85),
        ("HCG-BSET-07", 175),
        # A first-wave card that was revealed, left out by the look at what the fault changed; nobody names other cards.
        ("HCG-FW-01", 30),
        ("HCG-FW-03", 90),
        # A refill before the next first-wave card, in a game that ends before any hand is drawn.
        ("OR-RESHUFFLETIME=on-need", 24),
        ("OR-RESHUFFLETIME=on-need", 49),
        # A card that was rallied in the same battle action already, so that nothing is left out.
        ("HCG-BAA-01", 800002),
    ],
)
def test_faults_that_long_runs_showed_to_be_judged_wrongly(fault: str, number: int) -> None:
    tally = do(Task("hcg", fault, number, 1))
    assert (tally.raised, tally.missed_listed, tally.differences_listed) == ([], [], [])
    assert tally.faults[fault, "found"] == 1
