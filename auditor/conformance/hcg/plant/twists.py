"""Choices made wrongly: by the wrong player, at the wrong sector, too many, too few."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

from auditor.conformance.hcg.abilities import Plan
from auditor.conformance.hcg.plant.course import COURSE_TWISTS
from auditor.conformance.hcg.plant.shown import SHOWN_TWISTS
from auditor.conformance.hcg.plant.specials import SPECIAL_TWISTS, wounds
from auditor.conformance.hcg.plant.table import Expected, SpoiledGame
from auditor.conformance.hcg.plant.wrongly import WRONG_TWISTS
from auditor.conformance.hcg.table import PLAYERS, Event, Piece, other
from auditor.conformance.hcg.texts import Cost
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
    """A card to a sector that somebody has won; in the first wave by who begins, who has one card to send more."""

    def twist(game: SpoiledGame, value: int, player: str, *_: Any) -> Found:
        if not game.taken or (rule == "HCG-FW-05" and player != game.dfd):
            return None
        return game.rng.choice(sorted(game.taken)), Expected(rule, "illegal", player, None)

    return twist


def served_sector(game: SpoiledGame, value: int, player: str, left: dict[str, list[int]]) -> Found:
    """A second flip to a sector while another waits, by who begins, who has one card to send more."""
    served = [slot for slot in game.open_sectors() if slot not in left[player]]
    if not served or player != game.dfd:
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
    if passes != 1 or not game.row("p1") or not game.row("p2"):
        return None
    return 1, Expected("HCG-BA-04", "illegal", None, None)


def unpaid(game: SpoiledGame, value: bool, plan: Plan, cost: Cost) -> Found:
    """Cards that are a cost and are not discarded."""
    if cost.upto or not game.hand(plan.by) or len(plan.text.costs) > 1:
        return None
    return False, Expected("HCG-OPT-06", "omitted", plan.by, None)


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
        left_out = {sum(some) for n in range(len(amounts) + 1) for some in combinations(amounts, n)}
        if rule == "HCG-MOD-04" and made.value - wrong in left_out:
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
    """A list that leaves out one card, which stays as it was; whose fault it is, is the first of the facts."""

    def twist(game: SpoiledGame, value: list[str], player: str | None = None) -> Found:
        if len(value) < 2:
            return None
        gone = game.rng.choice(value)
        return [name for name in value if name != gone], Expected(rule, "omitted", player, None)

    return twist


def not_named(game: SpoiledGame, value: list[str], player: str) -> Found:
    """A card of the player who withdraws that is not said to be destroyed."""
    if len(value) < 2:
        return None
    gone = game.rng.choice(value)
    return [name for name in value if name != gone], Expected("HCG-WDR-02", "omitted", player, None)


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
    if not value and wounds(game, card.id):
        return None  # HCG-DMG-03.
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


def other_face(rule: str) -> Callable[..., Found]:
    """A card laid with the wrong side up."""

    def twist(game: SpoiledGame, value: str, player: str) -> Found:
        return "down" if value == "up" else "up", Expected(rule, "illegal", player, None)

    return twist


def deeper_card(game: SpoiledGame, value: str, player: str) -> Found:
    """Not the top card of a deck whose order is written down."""
    deck = game.zone(player, "deck")
    if len(deck) < 8 or game.turn < 2:
        return None
    return deck[game.rng.randint(1, 3)], Expected("HCG-FW-02", "illegal", player, None)


def discarded_copies(game: SpoiledGame, value: str, player: str) -> Found:
    """Extra copies of a unique card that are discarded instead of taken into hand."""
    return "discard", Expected("HCG-UNIQ-01", "miscalculated", player, None)


def new_copy(game: SpoiledGame, value: list[str], names: list[str], by: str) -> Found:
    """The copy that comes is destroyed instead of the one that lies there."""
    if not value or len(names) != 1 or any(game.pieces[name].owner != by for name in value):
        return None
    return list(names), Expected("HCG-UNIQ-04", "miscalculated", by, None)


def event_left_out(game: SpoiledGame, value: list[Any], player: str) -> Found:
    """A compulsory event that nobody carries out, and that moves no flags."""
    idle = [one for one in value if one[2].effects and all(effect.op == "draw" for effect in one[2].effects)]
    if not idle:
        return None
    left = [one for one in value if one is not idle[0]]
    return left, Expected("HCG-VIC-04", "omitted", player, None, at=("victory.flags",))


def out_of_turn(rule: str, type_: str) -> Callable[..., Found]:
    """In a window the player who has just played something has the say again."""

    def twist(game: SpoiledGame, value: str, passes: int) -> Found:
        if passes or game.log[-1]["type"] == "roll":
            return None
        failed = any(one["type"] == "roll" and one.get("passed") is False for one in game.log[-6:])
        if rule == "HCG-MOD-03" and (failed or game.log[-1]["type"] != "modifier"):
            return None  # After a failed test nobody can say whose say it is (OR-FAILEDTEST).
        return other(value), Expected(rule, "illegal", other(value), None, at=(type_,))

    return twist


def need_of_x(game: SpoiledGame, value: int, plan: Plan) -> Found:
    """The number that a test needs where X is defined."""
    if plan.text.x is None or "(X+)" not in plan.text.text or len(plan.text.costs) > 1 or game.step != "battle":
        return None
    if game.log[-1]["type"] not in ("ba.card", "ba.ability", "tactic"):
        return None
    game.log[-1].pop("x", None)
    wrong = value + (1 if game.high else -1)
    return wrong, Expected("HCG-X-01", "miscalculated", plan.by, None, at=("roll",))


def other_bonus(rule: str) -> Callable[..., Found]:
    """A bonus that is not the X that was named, or not the d6 that was rolled."""

    def twist(game: SpoiledGame, value: int, plan: Plan, said: Any) -> Found:
        named = plan.text.text.startswith("T (X+): Any unit gets +X")
        if game.step != "battle" or not (named if rule == "HCG-X-02" else said == "d6"):
            return None
        return value + (1 if game.high else -1), Expected(rule, "miscalculated", plan.by, None)

    return twist


def leftover(game: SpoiledGame, value: int, by: str) -> Found:
    """What is left over for a sweep; the damage follows from it."""
    wrong = value + game.rng.randint(1, 2) if game.high else value - 1
    if wrong < 1:
        return None
    return wrong, Expected("HCG-SWEEP-03", "miscalculated", by, None)


def unearned_sweep(game: SpoiledGame, value: bool, by: str, unit: Piece, killed: bool, left: int) -> Found:
    """A sweep after a kill that left nothing over."""
    if value or not killed or left or not game.is_here(unit.id) or not game.enemies(by, unit, units_only=True):
        return None
    game.sweeps = 1.0
    return True, Expected("HCG-SWEEP-01", "illegal", by, None, at=("sweep",))


def swept_asset(rule: str) -> Callable[..., Found]:
    """A sweep against an asset: any, or the very one that the blocked assault was aimed at."""

    def twist(game: SpoiledGame, value: list[Piece], by: str, unit: Piece) -> Found:
        aim = game.attack.target if game.attack else None
        assets = [piece for piece in game.enemies(by, unit) if piece.card.kind == "asset"]
        assets = [piece for piece in assets if (piece.id == aim) == (rule == "HCG-SWEEP-06")]
        if not assets:
            return None
        game.sweeps = 1.0
        return assets, Expected(rule, "illegal", by, None)

    return twist


def second_sweep(game: SpoiledGame, value: bool, by: str, unit: Piece, killed: bool, left: int) -> Found:
    """A sweep that leads to another, in which nobody has a bonus."""
    if unit.bonuses or any(text.kind in ("standing", "versus") for one in game.here() for text in one.card.statics):
        return None
    if not killed or left <= 0 or not game.is_here(unit.id) or not game.enemies(by, unit, units_only=True):
        return None
    game.sweeps = 1.0
    return True, Expected("HCG-SWEEP-05", "illegal", by, None)


def unearned_reward(game: SpoiledGame, value: bool, by: str, unit: Piece, killed: bool, left: int) -> Found:
    """A special effect after a kill that left nothing over."""
    if value or not killed or left or not game.is_here(unit.id):
        return None
    game.takes_reward = True
    return True, Expected("HCG-SPEC-05", "illegal", by, None)


TWISTS: dict[str, tuple[str, Callable[..., Found]]] = {
    "HCG-SETUP-02 illegal": ("chooser", wrong_chooser("HCG-SETUP-02")),
    "HCG-SETUP-03": ("chooser", wrong_chooser("HCG-SETUP-03")),
    "HCG-FW-01": ("first flip", by_the_other("HCG-FW-01")),
    "HCG-FW-03": ("flip's face", other_face("HCG-FW-03")),
    "HCG-FW-02": ("top card", deeper_card),
    "HCG-DEP-03": ("deployment's face", other_face("HCG-DEP-03")),
    "HCG-UNIQ-01": ("extra copies' way", discarded_copies),
    "HCG-UNIQ-04": ("old copies", new_copy),
    "HCG-TAC-02": ("next tactic", out_of_turn("HCG-TAC-02", "tactic")),
    "HCG-MOD-03": ("next modifier", out_of_turn("HCG-MOD-03", "modifier")),
    "HCG-REA-03": ("next reaction", out_of_turn("HCG-REA-03", "reaction")),
    "HCG-OPT-06": ("is paid", unpaid),
    "HCG-X-02": ("bonus", other_bonus("HCG-X-02")),
    "HCG-ROLL-03": ("bonus", other_bonus("HCG-ROLL-03")),
    "HCG-X-01": ("need", need_of_x),
    "HCG-SWEEP-01": ("sweep is earned", unearned_sweep),
    "HCG-SWEEP-02": ("sweep's targets", swept_asset("HCG-SWEEP-02")),
    "HCG-SWEEP-06": ("sweep's targets", swept_asset("HCG-SWEEP-06")),
    "HCG-SWEEP-03 leftover": ("leftover", leftover),
    "HCG-SWEEP-05": ("sweep again", second_sweep),
    "HCG-SPEC-05": ("reward is earned", unearned_reward),
    "HCG-WDR-02": ("withdrawn", not_named),
    "HCG-VIC-04": ("events that count", event_left_out),
    "HCG-VIC-08": ("cleared", one_fewer("HCG-VIC-08")),
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
    **COURSE_TWISTS,
    **WRONG_TWISTS,
    **SPECIAL_TWISTS,
    **SHOWN_TWISTS,
}
