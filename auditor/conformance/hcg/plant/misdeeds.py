"""Battle actions that nobody may take."""

from __future__ import annotations

from collections.abc import Callable

from auditor.conformance.hcg.plant.specials import SPECIAL_ACTS
from auditor.conformance.hcg.plant.table import Expected, SpoiledGame
from auditor.conformance.hcg.plant.wrongly import WRONG_ACTS
from auditor.conformance.hcg.table import Piece, other

Misdeed = Callable[[SpoiledGame, str], str]


def calm(game: SpoiledGame) -> bool:
    """Whether no text here forbids anything, so that one act breaks one rule."""
    return not any(text.kind == "cannot" for piece in game.here() for text in piece.card.statics)


def units(game: SpoiledGame, by: str, *positions: str) -> list[Piece]:
    return [
        piece
        for piece in game.row(by)
        if piece.card.kind == "unit" and piece.position in positions and None not in piece.card.stats.values()
    ]


def targets(game: SpoiledGame, by: str) -> list[Piece]:
    return [piece for piece in game.row(other(by)) if piece.card.kind in ("unit", "asset") and not game.is_odd(piece)]


def misdeed(rule: str, act: Callable[[SpoiledGame, str], str]) -> Misdeed:
    """An act that is booked as a fault of the one who takes it, at the event with which it begins."""

    def done(game: SpoiledGame, by: str) -> str:
        if not calm(game):
            return ""
        before = len(game.log)
        game.planted = Expected(rule, "illegal", by, None)
        told = act(game, by)
        if not told:
            game.planted = None
            return ""
        game.planted = None
        game.book(Expected(rule, "illegal", by, game.log[before]))
        return told

    return done


def shot(
    shooter: Callable[[SpoiledGame, str], list[Piece]], target: Callable[[SpoiledGame, str], list[Piece]]
) -> Misdeed:
    def act(game: SpoiledGame, by: str) -> str:
        pairs = [(one, two) for one in shooter(game, by) for two in target(game, by) if one is not two]
        return game.shoot(by, *game.rng.choice(pairs)) if pairs else ""

    return act


def assault(
    shooter: Callable[[SpoiledGame, str], list[Piece]], target: Callable[[SpoiledGame, str], list[Piece]]
) -> Misdeed:
    def act(game: SpoiledGame, by: str) -> str:
        pairs = [(one, two) for one in shooter(game, by) for two in target(game, by) if one is not two]
        return game.standard_assault(by, *game.rng.choice(pairs)) if pairs else ""

    return act


def locked_charge(game: SpoiledGame, by: str) -> str:
    fit = units(game, by, "charging" if game.high else "locked")
    return game.charge(by, game.rng.choice(fit)) if fit else ""


def own(game: SpoiledGame, by: str) -> list[Piece]:
    """Own cards, none of which its owner may attack."""
    return [piece for piece in game.row(by) if piece.card.kind in ("unit", "asset") and not game.is_odd(piece)]


def withdrawal(game: SpoiledGame, by: str) -> str:
    return "withdraw" if units(game, by, "ready", "charging") else ""


def withdraw_too_soon(game: SpoiledGame, by: str) -> str:
    """A withdrawal with a unit that could still fight."""
    if not units(game, by, "ready", "charging"):
        return ""
    game.book(Expected("HCG-WDR-01", "illegal", by, None))
    return "withdraw"


MISDEEDS: dict[str, Misdeed] = {
    "HCG-SHOOT-01 locked": misdeed("HCG-SHOOT-01", shot(lambda game, by: units(game, by, "locked"), targets)),
    "HCG-SHOOT-02 own": misdeed("HCG-SHOOT-02", shot(lambda game, by: units(game, by, "ready", "charging"), own)),
    "HCG-CHG-01": misdeed("HCG-CHG-01", locked_charge),
    "HCG-ASLT-01 ready": misdeed("HCG-ASLT-01", assault(lambda game, by: units(game, by, "ready"), targets)),
    "HCG-ASLT-01 locked": misdeed("HCG-ASLT-01", assault(lambda game, by: units(game, by, "locked"), targets)),
    "HCG-ASLT-03 own": misdeed("HCG-ASLT-03", assault(lambda game, by: units(game, by, "charging"), own)),
    "HCG-WDR-01": withdraw_too_soon,
    **WRONG_ACTS,
    **SPECIAL_ACTS,
}
