"""One slip in a generated record is one finding: what a later line says rightly is held against nobody."""

from __future__ import annotations

from random import Random

import pytest

from auditor import systems
from auditor.conformance.logs import as_jsonl
from auditor.engine import audit_log
from auditor.trials import told_once
from auditor.trials.fuzz import change_of, game_of, opponent_of

ONCE = {
    ("calth", 150): "move_models.moves.0.model: wb3 to um13",
    ("calth", 212): "attack.steps.0.target_model: um6 to wb3",
    ("calth", 233): "move_unit.player: UM to WB",
    ("calth", 242): "attack.steps.0.target_model: wb7 to um9",
    ("calth", 247): "place.hex.1: 1 to 2",
    ("calth", 396): "place",
    ("hcg", 11): "roll",
    ("hcg", 13): "modifier, roll",
    ("hcg", 17): "roll, roll",
    ("hcg", 94): "roll.source.card: p2-35 to p1-35",
    ("hcg", 225): "draw",
    ("hcg", 323): "cost",
    ("hcg", 327): "tactic",
    ("hcg", 349): "roll",
}
"""A model of the other side that is hit or moved, a line under the other player, a model put elsewhere or not recorded, a
card off a deck, a cost or a tactic that is not recorded, rolls and their modifiers exchanged."""
EXPLAINED = {
    ("calth", 18): "activate.action: run to assault",
    ("calth", 29): "attack.weapons.0.0: wb9 to wb15",
    ("calth", 104): "tp_refresh.units.3.unit: um-4 to wb-1",
    ("calth", 148): "move_models.moves.0.to.1: 4 to 5",
    ("calth", 150): "move_models.moves.0.model: wb3 to um13",
    ("calth", 258): "tp_refresh.units.15.unit: wb-8 to um-6",
    ("calth", 307): "attack.steps.0.damage_card.card: dmg-2 to dmg-6",
    ("calth", 309): "place.hex.1: 2 to 1",
    ("calth", 349): "attack",
    ("calth", 361): "place.hex.1: -1 to -2",
    ("hcg", 3): "setup.flip.cards.0.card: p2-31 to p1-42",
    ("hcg", 14): "sector.reset.readied.0: p1-06 to p2-05",
    ("hcg", 40): "tactic.choices.target: p1-37 to p1-41",
    ("hcg", 109): "deploy.regular.card: p1-07 to p2-45",
    ("hcg", 236): "ba.shoot.unit: p2-43 to p2-10",
    ("clx", 198): "shoot.claimed_failed: False to True",
    ("clx", 203): "deploy.models.1.pos.0: 26.25 to 25.25",
    ("clx", 229): "shoot.claimed_in_range: True to False",
    ("clx", 288): "deploy.models.3.pos.0: 55.6 to 54.6",
}
"""A unit named twice in place of another, models put or sent to a wrong hex, one card, model or action named for another, an
attack that is not recorded, a claim that a later line shows to be wrong."""

MISSED = {
    ("hcg", 11, 12): "modifier",
    ("hcg", 36, 94): "deploy.first.card: p2-07 to p1-38",
    ("hcg", 11, 18): "damage",
    ("hcg", 11, 127): "ba.shoot",
    ("hcg", 11, 205): "cost",
    ("hcg", 11, 271): "reaction",
    ("hcg", 11, 302): "deploy.regular.sector: 2 to 3",
    ("hcg", 12, 66): "tactic",
    ("hcg", 12, 321): "reaction.pass",
    ("hcg", 15, 48): "setup.flip",
    ("hcg", 15, 86): "ba.card",
    ("hcg", 15, 170): "modifier.by: p1 to p2",
    ("hcg", 15, 196): "cost.source.card: p1-52 to p1-15",
    ("hcg", 15, 240): "ba.assault",
    ("hcg", 16, 32): "roll",
    ("hcg", 16, 54): "roll",
    ("hcg", 16, 314): "cost",
    ("hcg", 16, 316): "discard",
    ("hcg", 17, 68): "destroy",
    ("hcg", 17, 123): "damage.to: p2-34 to p2-11",
    ("hcg", 17, 394): "ba.withdraw",
    ("hcg", 25, 44): "roll",
    ("hcg", 25, 54): "roll.source.card: p1-02 to p1-42",
    ("hcg", 25, 208): "ba.charge.unit: p2-68 to p2-46",
    ("calth", 11, 9): "place",
    ("calth", 11, 161): "activate",
    ("calth", 12, 228): "place.hex.0: -1 to 0",
    ("calth", 13, 184): "initiative",
    ("calth", 13, 209): "attack.steps.0.casualty: True to False",
    ("calth", 13, 279): "tp_refresh",
    ("calth", 14, 124): "place.hex.1: -1 to 0",
    ("calth", 15, 6): "attack",
    ("calth", 15, 228): "place",
    ("calth", 15, 250): "last_stand",
    ("calth", 15, 278): "place",
    ("calth", 15, 308): "move_unit",
    ("calth", 15, 378): "attack",
    ("calth", 16, 29): "attack",
    ("calth", 16, 114): "move_models",
    ("calth", 16, 220): "move_models",
    ("calth", 15, 160): "place.hex.0: -3 to -2",
    ("calth", 17, 236): "place.model: wb6 to wb10",
    ("calth", 18, 90): "card_play.player: WB to UM",
    ("calth", 18, 132): "place.hex.0: 0 to 1",
    ("calth", 18, 148): "move_unit",
    ("calth", 18, 320): "place.model: um5 to um15",
    ("calth", 19, 139): "place.hex.1: -2 to -1",
    ("calth", 19, 241): "place.hex.0: -1 to -2",
    ("calth", 31, 245): "activate.action: consolidate to assault",
    ("calth", 32, 153): "tp_refresh",
    ("calth", 32, 172): "activate.action: assault to run",
    ("hcg", 31, 149): "phase.start.phase: first_wave to battle",
    ("clx", 31, 21): "morale.unit: ps2 to er",
}
"""A line that is missing, and is told by what later lines are accused of; a place at which many a later line is accused."""

UNTOLD = {
    ("hcg", 81): "roll, modifier.pass",
    ("hcg", 99): "ba.pass",
    ("hcg", 139): "roll, modifier.pass",
    ("clx", 164): "phase_end, phase_start",
    ("clx", 259): "phase_end, phase_start",
    ("clx", 293): "phase_end, phase_start",
}
"""A pass that stands before the roll that it speaks of, and one that is written twice; the end of a phase after the start of
the next."""


def made(game: str, number: int, seed: int = 1) -> str:
    """What the slip of a number is, in words."""
    lines = systems.game(game).inventor().legal_lines(seed * 1_000_000 + number // told_once.TRIES_A_GAME)
    slip = told_once.slipped(lines, Random(f"{seed} {number}"))
    return "" if slip is None else slip.words


@pytest.mark.parametrize(("game", "number"), ONCE, ids=[f"{game}-{number}" for game, number in ONCE])
def test_a_slip_accuses_nobody_of_what_follows(game: str, number: int) -> None:
    assert made(game, number) == ONCE[game, number]
    assert told_once.legal(game, 1, [number]).several == 0


@pytest.mark.parametrize(("game", "number"), EXPLAINED, ids=[f"{game}-{number}" for game, number in EXPLAINED])
def test_all_that_a_slip_leads_to_is_explained_by_it(game: str, number: int) -> None:
    assert made(game, number) == EXPLAINED[game, number]
    done = told_once.legal(game, 1, [number])
    assert (done.accused, done.wholly, done.at_the_slip) == (1, 1, 1)


@pytest.mark.parametrize(("game", "seed", "number"), MISSED, ids=["-".join(map(str, key)) for key in MISSED])
def test_what_later_lines_are_accused_of_tells_the_slip(game: str, seed: int, number: int) -> None:
    assert made(game, number, seed) == MISSED[game, seed, number]
    done = told_once.legal(game, seed, [number])
    assert (done.accused, done.wholly, done.at_the_slip) == (1, 1, 1)


@pytest.mark.parametrize(("game", "number"), UNTOLD, ids=[f"{game}-{number}" for game, number in UNTOLD])
def test_a_slip_that_changes_nothing_accuses_nobody(game: str, number: int) -> None:
    assert made(game, number) == UNTOLD[game, number]
    assert told_once.legal(game, 1, [number]).accused == 0


def test_what_follows_may_be_of_an_act_that_is_none_where_the_slip_is_explained() -> None:
    """A unit that is put on another hex than it went to is joined there by a model that in truth moved alone: what the rules of
    joining say then has nothing to look at."""
    opponent = opponent_of("calth")
    made = change_of(opponent, 1, 58)
    assert made is not None
    lines, change = made
    assert (change.seq, change.type, change.old, change.new) == (39, "move_unit", -4, -3)
    whole = [*lines, *game_of(opponent, 1, 58)[len(lines) :]]
    findings = audit_log(as_jsonl(whole).encode(), digest=False)["findings"]
    standing = [one for one in findings if one["stands"]]
    first, *more = (one for one in standing if not one["depends_on"])
    assert not more
    assert first["meant"]["seq"] == 39
    assert len(first["meant"]["explains"]) == len(standing)
    assert "CAL-CON-04" in {one["rule"] for one in standing}


def test_a_model_that_is_placed_in_a_full_hex_by_a_slip_is_noted_where_it_stands() -> None:
    assert made("calth", 54, 13) == "place.hex.0: 3 to 4"
    lines = systems.game("calth").inventor().legal_lines(13 * 1_000_000 + 54 // told_once.TRIES_A_GAME)
    slip = told_once.slipped(lines, Random("13 54"))
    assert slip is not None
    audit = audit_log(as_jsonl(slip.lines).encode(), digest=False)
    said = [(note["rule"], note["seq"], note["text"]) for note in audit["notes"] if note["kind"] == "record"]
    assert said == [("CAL-AUD-06", 29, "By all else in the record, wb11 was placed in 3,-3.")]
    assert audit["verdict"] == "clean"
