"""Choices made wrongly: by the wrong player, at the wrong sector, too many, too few."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from auditor.conformance.hcg.plant.table import Expected, SpoiledGame
from auditor.conformance.hcg.table import PLAYERS, Event, Piece, other
from auditor.conformance.hcg.windows import Roll

Found = tuple[Any, Expected] | None


def by_the_other(rule: str) -> Callable[..., Found]:
    """The other player begins."""

    def twist(game: SpoiledGame, value: str, *_: Any) -> Found:
        return other(value), Expected(rule, "illegal", other(value), None)

    return twist


def again(rule: str) -> Callable[..., Found]:
    """The same player once more."""

    def twist(game: SpoiledGame, value: str, *_: Any) -> Found:
        if rule == "HCG-DEP-02" and not (game.zone("p1", "deploy_hand") and game.zone("p2", "deploy_hand")):
            return None
        return other(value), Expected(rule, "illegal", other(value), None)

    return twist


def taken_sector(rule: str) -> Callable[..., Found]:
    def twist(game: SpoiledGame, value: int, player: str, *_: Any) -> Found:
        if not game.taken:
            return None
        return game.rng.choice(sorted(game.taken)), Expected(rule, "illegal", player, None)

    return twist


def served_sector(game: SpoiledGame, value: int, player: str, left: dict[str, list[int]]) -> Found:
    """A second flip to a sector while another waits."""
    served = [slot for slot in game.open_sectors() if slot not in left[player] and slot != value]
    if not served:
        return None
    return game.rng.choice(served), Expected("HCG-FW-04", "illegal", player, None)


def hand_of(rule: str) -> Callable[..., Found]:
    """A hand of seven or of five."""

    def twist(game: SpoiledGame, value: int, player: str) -> Found:
        if len(game.zone(player, "deck")) <= value + 1:
            return None
        if game.high:
            return value + 1, Expected(rule, "illegal", player, None)
        return value - 1, Expected(rule, "omitted", player, None, at=("deploy.regular", "ba."))

    return twist


def same_sector(game: SpoiledGame, value: int, chooser: str) -> Found:
    """The defender's battle where the attacker's was fought."""
    if not game.fought or not [slot for slot in game.fought if slot not in game.taken and game.row(chooser, slot)]:
        return None
    slot = next(slot for slot in game.fought if slot not in game.taken and game.row(chooser, slot))
    return slot, Expected("HCG-BPH-03", "illegal", chooser, None)


def one_pass(game: SpoiledGame, value: int, passes: int) -> Found:
    if passes != 1:
        return None
    return 1, Expected("HCG-BA-04", "illegal", None, None)


def passed(game: SpoiledGame, value: bool, made: Roll, event: Event) -> Found:
    """A failed test called passed, or a passed one called failed."""
    if value == game.high or game.step != "battle" or game.depth or made.cards[1:]:
        return None
    return not value, Expected("HCG-ROLL-02", "miscalculated", made.by, event)


def final(rule: str) -> Callable[..., Found]:
    """The number that a roll comes to, where passing or failing stays what it is."""

    def twist(game: SpoiledGame, event: Event, made: Roll) -> Found:
        modifiers = [one for one in game.log if one["type"] == "modifier" and one["roll"] == made.event["seq"]]
        if event["type"] != "roll.final" or made.need is None or any("amount" not in one for one in modifiers):
            return None
        wrong = made.value + (1 if game.high else -1)
        if rule == "HCG-ROLL-05":
            wrong = made.value - modifiers[-1]["amount"]
        amounts = [one["amount"] for one in modifiers]
        if rule == "HCG-MOD-04" and made.value - wrong in amounts:
            return None
        if rule == "HCG-ROLL-05" and len(amounts) != 1:
            return None
        if (wrong >= made.need) != (made.value >= made.need) or wrong == made.value:
            return None
        event["final"] = wrong
        return event, Expected(rule, "miscalculated", made.by, event)

    return twist


def die(game: SpoiledGame, event: Event, made: Roll) -> Found:
    """A die number that is not the card's."""
    if event["type"] != "roll" or event is not made.event or made.need is None:
        return None
    wrong = event["die"] + (1 if game.high else -1)
    if not 1 <= wrong <= 6 or (wrong >= made.need) != (event["die"] >= made.need):
        return None
    event["die"] = wrong
    del event["final"]
    return event, Expected("HCG-ROLL-01", "miscalculated", made.by, event)


def sector_winner(game: SpoiledGame, value: str | None, total: dict[str, int], need: int) -> Found:
    """A sector for nobody though one has won it, or for one who has not."""
    if min(total.values()) < 0:
        return None
    if value is None:
        return game.rng.choice(PLAYERS), Expected("HCG-VIC-07", "miscalculated", None, None)
    wrong = game.rng.choice((None, other(value)))
    return wrong, Expected("HCG-VIC-07", "miscalculated", None, None)


def one_fewer(rule: str) -> Callable[..., Found]:
    """A list that leaves out one card, which stays as it was."""

    def twist(game: SpoiledGame, value: list[str], *facts: Any) -> Found:
        if len(value) < 2:
            return None
        gone = game.rng.choice(value)
        return [name for name in value if name != gone], Expected(rule, "omitted", None, None)

    return twist


def slow_blocker(game: SpoiledGame, value: list[Piece], by: str) -> Found:
    """A blocker that is no faster than the shooter; of equal speed, or slower."""
    assert game.attack is not None
    if game.attack.kind != "shot":
        return None
    unit = game.pieces[game.attack.attacker]
    if game.forbids(unit, "be blocked"):
        return None
    speed = game.value(unit, "speed")
    slow = [
        piece
        for piece in game.row(other(by))
        if piece.card.kind == "unit"
        and piece.position != "locked"
        and piece.id != game.attack.target
        and (game.value(piece, "speed") == speed if game.high else game.value(piece, "speed") < speed)
        and not game.is_odd(piece)
        and not any(text.kind == "cannot" for one in game.here() for text in one.card.statics)
    ]
    if not slow:
        return None
    game.blocks = 1.0
    return slow[:1], Expected("HCG-SHOOT-03", "illegal", other(by), None)


def other_blocker(rule: str, kind: str) -> Callable[..., Found]:
    """A locked unit that blocks a shot, the target itself, a ready unit in an assault."""

    def twist(game: SpoiledGame, value: list[Piece], by: str) -> Found:
        assert game.attack is not None
        if game.attack.kind != kind or game.sweep_going:
            return None
        unit = game.pieces[game.attack.attacker]
        if any(text.kind == "cannot" for one in game.here() for text in one.card.statics):
            return None
        units = [piece for piece in game.row(other(by)) if piece.card.kind == "unit" and not game.is_odd(piece)]
        if rule == "HCG-SHOOT-04":
            speed = game.value(unit, "speed")
            units = [p for p in units if p.id == game.attack.target and p.position != "locked"]
            units = [p for p in units if game.value(p, "speed") > speed]
        elif kind == "shot":
            units = [p for p in units if p.id != game.attack.target and p.position == "locked"]
            units = [p for p in units if game.value(p, "speed") > game.value(unit, "speed")]
        else:
            units = [p for p in units if p.id != game.attack.target and p.position == "ready"]
        if not units:
            return None
        game.blocks = 1.0
        return units[:1], Expected(rule, "illegal", other(by), None)

    return twist


def no_counterattack_due(game: SpoiledGame, value: bool, card: Piece, dies: bool) -> Found:
    """A counterattack by a unit that has none."""
    if value or card.card.kind != "unit" or "counterattack" in game.keywords(card):
        return None
    if None in (card.card.stats["firepower"], card.card.stats["assault"]):
        return None
    return True, Expected("HCG-CA-01", "illegal", card.owner, None, sign="counter")


def destroyed(game: SpoiledGame, value: bool, card: Piece, amount: int, armor: int) -> Found:
    """A card that survives what kills it, or dies of what does not."""
    if value == game.high or game.attack is None or game.attack.kind != "shot":
        return None
    return not value, Expected("HCG-SHOOT-07", "miscalculated", game.pieces[game.attack.attacker].owner, None)


def too_few(game: SpoiledGame, value: int, who: str, by: str) -> Found:
    """Fewer cards discarded than the enemy asks for and the hand has."""
    if value < 2 or game.step != "battle" or who == by:
        return None
    return value - 1, Expected("HCG-OPT-04", "miscalculated", who, None)


def wrong_chooser(rule: str) -> Callable[..., Found]:
    """The role chosen by the player who may not."""

    def twist(game: SpoiledGame, value: str, dice: dict[str, int]) -> Found:
        if (dice["p1"] == dice["p2"]) != (rule == "HCG-SETUP-03"):
            return None
        return other(value), Expected(rule, "illegal", other(value), None)

    return twist


TWISTS: dict[str, tuple[str, Callable[..., Found]]] = {
    "HCG-SETUP-02 illegal": ("chooser", wrong_chooser("HCG-SETUP-02")),
    "HCG-SETUP-03": ("chooser", wrong_chooser("HCG-SETUP-03")),
    "HCG-FW-01": ("first flip", by_the_other("HCG-FW-01")),
    "HCG-FW-04": ("flip's sector", served_sector),
    "HCG-FW-05": ("flip's sector", taken_sector("HCG-FW-05")),
    "HCG-DEP-01": ("deployment hand", hand_of("HCG-DEP-01")),
    "HCG-DEP-02 first": ("first deployment", by_the_other("HCG-DEP-02")),
    "HCG-DEP-02 again": ("next deployment", again("HCG-DEP-02")),
    "HCG-DEP-06": ("deployment's sector", taken_sector("HCG-DEP-06")),
    "HCG-BPH-03": ("battle's sector", same_sector),
    "HCG-BPH-05": ("first actor", by_the_other("HCG-BPH-05")),
    "HCG-BSET-07": ("command hand", hand_of("HCG-BSET-07")),
    "HCG-BA-01": ("next actor", again("HCG-BA-01")),
    "HCG-BA-04": ("closing passes", one_pass),
    "HCG-ROLL-01": ("final", die),
    "HCG-ROLL-02": ("passed", passed),
    "HCG-MOD-04": ("final", final("HCG-MOD-04")),
    "HCG-ROLL-05": ("final", final("HCG-ROLL-05")),
    "HCG-SHOOT-03 speed": ("blockers", slow_blocker),
    "HCG-SHOOT-03 locked": ("blockers", other_blocker("HCG-SHOOT-03", "shot")),
    "HCG-SHOOT-04": ("blockers", other_blocker("HCG-SHOOT-04", "shot")),
    "HCG-ASLT-04": ("blockers", other_blocker("HCG-ASLT-04", "assault")),
    "HCG-SHOOT-07 destroyed": ("destroyed", destroyed),
    "HCG-CA-01 illegal": ("counterattack", no_counterattack_due),
    "HCG-OPT-04": ("discarded count", too_few),
    "HCG-VIC-07": ("sector's winner", sector_winner),
    "HCG-VIC-09": ("readied", one_fewer("HCG-VIC-09")),
}
