"""What is played in a window where it may not be: once too often, at the wrong trigger, under a condition that is not met."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from auditor.conformance.hcg.abilities import Plan
from auditor.conformance.hcg.plant.specials import SPECIAL_PLAYED
from auditor.conformance.hcg.plant.table import Expected, SpoiledGame
from auditor.conformance.hcg.plant.wrongly import WRONG_PLAYED
from auditor.conformance.hcg.table import Happening, Piece
from auditor.conformance.hcg.texts import Text

Picked = Callable[[SpoiledGame, str, str, tuple[Any, ...], Sequence[Happening]], Plan | None]
"""(game, who plays, letter of the window, its scope, what happened) -> what is played against the rule."""


def once_too_often(
    game: SpoiledGame, by: str, letter: str, scope: tuple[Any, ...], acts: Sequence[Happening]
) -> Plan | None:
    """A text of a card in play that was used in this window already."""
    for piece, index, text in game.abilities_of(by, letter):
        if index == "line" or text.unlimited or (index, *scope) not in piece.used:
            continue
        if letter == "R" and not answered(game, by, piece, text, acts):
            continue
        plan = game.plan(by, piece, index, text)
        if plan is not None:
            return plan
    return None


def answered(game: SpoiledGame, by: str, piece: Piece, text: Text, acts: Sequence[Happening]) -> bool:
    """Whether something that a reaction waits for has happened."""
    return text.trigger is not None and any(game.answers(text.trigger, act, by, piece) for act in acts)


def without_trigger(
    game: SpoiledGame, by: str, letter: str, scope: tuple[Any, ...], acts: Sequence[Happening]
) -> Plan | None:
    """A reaction to something that has not happened."""
    for piece, index, text in game.abilities_of(by, letter):
        if (
            text.trigger is None
            or answered(game, by, piece, text, acts)
            or any(act.act == text.trigger.act for act in acts)
        ):
            continue
        plan = game.plan(by, piece, index, text)
        if plan is not None and game.unused(piece, index, text, scope):
            return plan
    return None


def condition_not_met(
    game: SpoiledGame, by: str, letter: str, scope: tuple[Any, ...], acts: Sequence[Happening]
) -> Plan | None:
    """A text that may be played under a condition only, which is not met."""
    for piece, index, text in game.abilities_of(by, letter):
        if text.condition is None or game.holds(text.condition, by, piece):
            continue
        if not game.unused(piece, index, text, scope):
            continue
        plan = game.plan(by, piece, index, replace(text, condition=None, text=text.text))
        if plan is not None:
            return plan
    return None


PLAYED: dict[str, tuple[str, Picked]] = {
    "HCG-TAC-04": ("T", once_too_often),
    "HCG-REA-01": ("R", without_trigger),
    "HCG-REA-02": ("R", once_too_often),
    "HCG-MOD-02": ("M", once_too_often),
    "HCG-OPT-02": ("T", condition_not_met),
    **WRONG_PLAYED,
    **SPECIAL_PLAYED,
}
"""Name -> the letter of the window, and what is played in it."""
SHOWS_AT = {"HCG-SHIP-05": "cost"}
"""Faults that do not show where the text is announced."""


def picked(
    game: SpoiledGame, name: str, by: str, letter: str, scope: tuple[Any, ...], acts: Sequence[Happening] = ()
) -> Plan | None:
    """What is played against a rule in a window of this letter, booked; None where there is no occasion."""
    if not game.waiting or PLAYED.get(name, ("",))[0] != letter:
        return None
    plan = PLAYED[name][1](game, by, letter, scope, acts)
    if plan is not None:
        game.pending = name
        type_ = {"T": "tactic", "R": "reaction", "M": "modifier"}[letter]
        type_ = SHOWS_AT.get(name, type_)
        game.book(Expected(name.split()[0], "illegal", by, None, sign="source", at=(type_,)))
    return plan
