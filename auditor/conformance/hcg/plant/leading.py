"""How the players of a game with a fault come to its occasion: what they like to do, and what they have in hand.

Nothing of it is against a rule.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from auditor.conformance.hcg.battle import TIRING
from auditor.conformance.hcg.cards import Card
from auditor.conformance.hcg.plant.prepared import limited, plays, strikes
from auditor.conformance.hcg.table import Piece

if TYPE_CHECKING:
    from auditor.conformance.hcg.plant.table import SpoiledGame

Liked = Callable[["SpoiledGame", Piece, Piece, str], bool]
"""Whether an attack is liked: the unit, the target, and the stat that it is made with."""


def may_block(game: SpoiledGame, unit: Piece, target: Piece, stat: str) -> list[Piece]:
    """Units that could take the attack on themselves; roughly: no text is asked."""
    others = [one for one in game.row(target.owner) if one is not target and one.card.kind == "unit"]
    if stat == "assault":
        return [one for one in others if one.position == "charging"]
    speed = game.value(unit, "speed")
    return [one for one in others if one.position != "locked" and game.value(one, "speed") > speed]


def has_a_bonus(game: SpoiledGame, unit: Piece, target: Piece, stat: str) -> bool:
    return bool(game.versus(unit, stat, target) or game.versus(target, "armor", unit))


def has_another_bonus(game: SpoiledGame, unit: Piece, target: Piece, stat: str) -> bool:
    """Against the target another bonus than against who may block."""
    there = game.versus(unit, stat, target)
    return any(game.versus(unit, stat, one) != there for one in may_block(game, unit, target, stat))


def has_no_bonus(game: SpoiledGame, unit: Piece, target: Piece, stat: str) -> bool:
    """A versus bonus that does not mean the target, which survives."""
    texts = [text for text in unit.card.statics if text.kind == "versus" and stat in [mod[0] for mod in text.mods]]
    survives = game.value(unit, stat) < game.value(target, "armor")
    return bool(texts) and survives and not game.versus(unit, stat, target)


def hides_a_counterattack(game: SpoiledGame, unit: Piece, target: Piece, stat: str) -> bool:
    fit = [one for one in may_block(game, unit, target, stat) if game.value(one, "armor") > game.value(unit, stat)]
    return "counterattack" in game.keywords(target) and bool(fit)


def shot_that_may_be_blocked(game: SpoiledGame, unit: Piece, target: Piece, stat: str) -> bool:
    return stat == "firepower" and bool(may_block(game, unit, target, stat))


def assault_on_an_asset(game: SpoiledGame, unit: Piece, target: Piece, stat: str) -> bool:
    weak = [one for one in may_block(game, unit, target, stat) if game.value(one, "armor") < game.value(unit, stat)]
    return stat == "assault" and target.card.kind == "asset" and bool(weak)


def assault_with_a_sweep(game: SpoiledGame, unit: Piece, target: Piece, stat: str) -> bool:
    foes = [one for one in game.row(target.owner) if one.card.kind == "unit"]
    return (
        stat == "assault" and target in foes and len(foes) > 1 and game.value(unit, stat) > game.value(target, "armor")
    )


def fragile(game: SpoiledGame, unit: Piece, target: Piece, stat: str) -> bool:
    """An attack whose unit, or whose target, little damage destroys."""
    return any(one.card.kind == "unit" and game.value(one, "armor") <= WEAK for one in (unit, target))


WEAK = 2
ATTACKS: dict[str, Liked] = {
    "HCG-VS-01": has_a_bonus,
    "HCG-VS-02": has_another_bonus,
    "HCG-VS-03": has_no_bonus,
    "HCG-CA-03": hides_a_counterattack,
    "HCG-SHOOT-05": shot_that_may_be_blocked,
    "HCG-SWEEP-03": assault_with_a_sweep,
    "HCG-SWEEP-05": assault_with_a_sweep,
    "HCG-SWEEP-06": assault_on_an_asset,
    "HCG-DES-03": fragile,
}
"""Rule -> the attacks that are liked."""
STATS = {"HCG-SHOOT-05": ("firepower",), **{f"HCG-SWEEP-0{n}": ("assault",) for n in (3, 5, 6)}}
"""Rule -> the stats that its attacks are made with, where that is not either."""
SPECIALS = ("HCG-SPEC-05", "HCG-SPEC-06")
"""Rules whose players like special assaults."""
BLOCKS = {
    **{"HCG-VS-02": 1.0, "HCG-CA-03": 1.0, "HCG-SWEEP-06": 1.0, "HCG-SPEC-05": 1.0},
    **{"HCG-VS-01": 0.1, "HCG-VS-03": 0.0, "HCG-SHOOT-05": 0.0},
}
"""Rule -> how much its players like to block, where that is not left to chance."""
TACTICS = {
    **{"HCG-VS-01": 0.1, "HCG-VS-02": 0.1, "HCG-VS-03": 0.1, "HCG-CA-03": 0.1, "HCG-SWEEP-03": 0.1},
    **{"HCG-SHOOT-05": 0.9, "HCG-OPT-03": 0.9, "HCG-FLAG-01": 0.9, "HCG-KEY-01": 0.9},
}
"""Rule -> how much its players like tactics, where that is not left to chance."""
CROWDS = {"HCG-BSET-06": 0.9}
"""Rule -> how much its players like to deploy at one sector."""
AT_HAND: dict[str, Callable[[Card], bool]] = {
    "HCG-SPEC-06": strikes,
    "HCG-DES-03": strikes,
    "HCG-OPT-03": strikes,
    "HCG-FLAG-01": limited("flag", line=True),
    "HCG-KEY-01": limited("keywords", line=True),
    "HCG-ROLL-04": plays,
}
"""Rule -> the cards of which each command hand holds one, where the deck has any."""
EAGER = 0.8


def temper(game: SpoiledGame, rule: str) -> None:
    """Let the players of a game be such that the occasion comes often."""
    game.blocks = BLOCKS.get(rule, game.blocks)
    game.crowds = CROWDS.get(rule, game.crowds)
    if rule in TACTICS:
        game.keenness["tactic"] = TACTICS[rule]


def led(game: SpoiledGame, rule: str, by: str) -> str:
    """An act that is liked, done; "" where there is none, or where players have other things in mind."""
    if rule not in (*SPECIALS, *ATTACKS) or game.ba > TIRING or not game.chance(EAGER):
        return ""
    if rule in SPECIALS:
        return game.do_assault(by) or game.do_charge(by)
    shots = _attacks(game, rule, by, "firepower")
    assaults = _attacks(game, rule, by, "assault")
    if shots and (not assaults or game.chance(0.5)):
        return game.shoot(by, *game.rng.choice(shots))
    if assaults:
        return game.standard_assault(by, *game.rng.choice(assaults))
    return game.do_charge(by) if game.chance(0.5) else ""


def _attacks(game: SpoiledGame, rule: str, by: str, stat: str) -> list[tuple[Piece, Piece]]:
    """The attacks that are liked: unit and target."""
    if stat not in STATS.get(rule, (stat,)):
        return []
    verb, positions = ("shoot", ("ready", "charging")) if stat == "firepower" else ("assault", ("charging",))
    return [
        (unit, target)
        for unit in game.row(by)
        if unit.card.kind == "unit" and unit.position in positions and unit.card.stats[stat] is not None
        if not game.forbids(unit, verb)
        for target in game.enemies(by, unit)
        if ATTACKS[rule](game, unit, target, stat)
    ]


def lay_at_hand(game: SpoiledGame, rule: str, player: str) -> None:
    """Let the next card of a deck be one that makes the occasion."""
    wanted = AT_HAND.get(rule)
    if wanted is not None and game.zone(player, "deck"):
        game.arrange(player, lambda piece: wanted(piece.card))


__all__ = ["lay_at_hand", "led", "temper"]
