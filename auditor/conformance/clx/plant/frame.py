"""Faults of the frame of a game: who begins, how long it lasts, night, and marks of the record (CLX-GAME, CLX-LOG)."""

from __future__ import annotations

from copy import deepcopy
from decimal import Decimal

from auditor.conformance.clx.inches import connected, gap, written
from auditor.conformance.clx.plant.spoiling import DROP, UNTIL, Expected, Occasion, Planter, found


def chosen_by_the_loser(o: Occasion) -> Expected | None:
    """Who lost the roll-off chooses."""
    if o.event["type"] != "deploy_choice":
        return None
    o.event["player"] = o.t.other(o.event["player"])
    return found("CLX-GAME-02", "illegal")


def no_roll_off(o: Occasion) -> Expected | None:
    """Nobody rolled for the first turn."""
    if o.event["type"] != "roll_off":
        return None
    return found("CLX-GAME-02", "omitted", **{DROP: True, UNTIL: ("deploy_choice", lambda t: True)}, player=None)


def seized_by_the_first(o: Occasion) -> Expected | None:
    """Who goes first tries to seize the Initiative."""
    if o.event["type"] != "seize" or o.event["claimed_success"]:
        return None
    o.event["player"] = o.t.first
    return found("CLX-GAME-03", "illegal")


def night(o: Occasion) -> Expected | None:
    """Night is taken for day, or day for night."""
    if o.event["type"] != "turn_start":
        return None
    o.event["claimed_night"] = not o.event["claimed_night"]
    return found("CLX-GAME-08", "miscalculated", player=None)


def no_length_roll(o: Occasion) -> Expected | None:
    """The game ends after its fifth turn and nobody rolled."""
    if o.event["type"] != "game_length_roll" or o.event["after_turn"] != 5 or o.event["claimed_continues"]:
        return None
    return found("CLX-GAME-04", "omitted", **{DROP: True, UNTIL: ("game_end", lambda t: True)})


def length_rolled_by_the_first(turn: int, rule: str) -> Planter:
    """The planter of a roll for the length of the game by the wrong player."""

    def planter(o: Occasion) -> Expected | None:
        """The first player rolls for the length of the game."""
        if o.event["type"] != "game_length_roll" or o.event["after_turn"] != turn:
            return None
        o.event["player"] = o.event["roller"] = o.t.first
        return found(rule, "illegal")

    return planter


def length_misread(turn: int, rule: str) -> Planter:
    """The planter of a roll for the length of the game of which the last is told wrongly, and which is not heeded."""

    def planter(o: Occasion) -> Expected | None:
        """A roll that ends the game is said to let it go on, or the other way round."""
        if o.event["type"] != "game_length_roll" or o.event["after_turn"] != turn:
            return None
        o.event["claimed_continues"] = not o.event["claimed_continues"]
        return found(rule, "miscalculated")

    return planter


def rolled_after_the_last(o: Occasion) -> Expected | None:
    """After the eighth game turn somebody rolls for another one."""
    if o.event["type"] != "game_end" or o.event["after_turn"] != 8:
        return None
    second = o.t.other(o.t.first)
    envelope = {key: o.event[key] for key in ("seq", "turn", "phase")}
    o.t.log.append(
        {**envelope, "player": second, "type": "game_length_roll", "after_turn": 8, "roller": second, "die": 1}
    )
    o.event["seq"] += 1
    return found("CLX-GAME-07", "illegal", seq=envelope["seq"], player=second)


def off_the_table(o: Occasion) -> Expected | None:
    """A base is put down over the edge of the table."""
    if o.event["type"] != "deploy" or "heading" in o.event["models"][0]:
        return None
    unit = o.t.units[o.event["unit"]]
    edge = Decimal(0) if unit.owner == "A" else o.t.depth
    for row in o.event["models"]:
        model = next(m for m in unit.models if m.id == row["id"])
        over = model.base.r - Decimal("0.3")
        spot = (model.at[0], over if unit.owner == "A" else edge - over)
        kept, model.at = model.at, spot
        others = [m.base for m in unit.models if m is not model]
        apart_from = all(gap(m.base, model.base) > 0 for m in o.t.standing() if m is not model)
        if connected([model.base, *others]) and apart_from and not model.z and not o.t.surface(spot):
            row["pos"] = [written(v) for v in spot]
            return found("CLX-LOG-05", "illegal", subject=[row["id"]])
        model.at = kept
    return None


def weak_power(o: Occasion) -> Expected | None:
    """The pack of powers has one with a casting level of 10 or less, which nobody ever casts."""
    if o.event["type"] != "roll_off":
        return None
    powers = deepcopy(list(o.t.powers.values()))
    least = max(powers, key=lambda power: (power["mastery_cost"], power["id"]))
    if least.get("primaris"):
        return None
    least["casting_level"] = 10
    o.t.header["powers"] = powers
    del o.t.powers[least["id"]]
    return found("CLX-PSY-08", "illegal", seq=0, player=None)


def two_dice_of_a_run(o: Occasion) -> Expected | None:
    """Two dice are rolled for a run that takes one."""
    if o.event["type"] != "run" or len(o.event.get("dice", ())) != 1 or o.t.units[o.event["unit"]].kind == "fmc":
        return None  # A monster with wings takes one or two, as it goes.
    o.event["dice"].append(o.rng.randint(1, 6))
    return found("CLX-LOG-03", "illegal")


def one_wound_more(o: Occasion) -> Expected | None:
    """More wounds are counted than the dice gave."""
    if o.event["type"] != "wound_rolls" or o.event["claimed_wounds"] or not o.event["rolls"]:
        return None
    o.event["claimed_wounds"] = 1
    return found("CLX-LOG-04", "miscalculated")


def from_somewhere_else(o: Occasion) -> Expected | None:
    """A model's way begins half an inch from where it stood."""
    if o.event["type"] != "move" or o.tag.get("border", True) or o.tag.get("hull"):
        return None
    for row in o.event["models"]:
        path = row["path"]
        if len(path) == 2:
            dx, dy = path[1][0] - path[0][0], path[1][1] - path[0][1]
            far = (dx * dx + dy * dy) ** 0.5
            if far > 1:
                path[0] = [round(path[0][0] + dx / far / 2, 3), round(path[0][1] + dy / far / 2, 3), *path[0][2:]]
                return found("CLX-LOG-01", "illegal", subject=[row["id"]])
    return None


def wound_on_the_dead(o: Occasion) -> Expected | None:
    """A wound is given to a model that is no longer there."""
    if o.event["type"] != "allocate":
        return None
    for row in o.event["list"]:
        unit = next(m.unit for u in o.t.units.values() for m in u.models if m.id == row["model"])
        named = {one["model"] for one in o.event["list"]}
        dead = [m.id for m in unit.models if not m.alive and m.id not in named]
        if row["claimed_saved"] and dead:
            row["model"] = o.rng.choice(dead)
            return found("CLX-LOG-02", "illegal", subject=[row["model"]])
    return None


FRAME: dict[str, Planter] = {
    "CLX-GAME-02": chosen_by_the_loser,
    "CLX-GAME-02 omitted": no_roll_off,
    "CLX-GAME-03": seized_by_the_first,
    "CLX-GAME-04": length_rolled_by_the_first(5, "CLX-GAME-04"),
    "CLX-GAME-04 misread": length_misread(5, "CLX-GAME-04"),
    "CLX-GAME-05": length_rolled_by_the_first(6, "CLX-GAME-05"),
    "CLX-GAME-05 misread": length_misread(6, "CLX-GAME-05"),
    "CLX-GAME-06": length_rolled_by_the_first(7, "CLX-GAME-06"),
    "CLX-GAME-06 misread": length_misread(7, "CLX-GAME-06"),
    "CLX-GAME-07": rolled_after_the_last,
    "CLX-GAME-04 omitted": no_length_roll,
    "CLX-GAME-08": night,
    "CLX-LOG-01": from_somewhere_else,
    "CLX-LOG-02": wound_on_the_dead,
    "CLX-LOG-03": two_dice_of_a_run,
    "CLX-LOG-04": one_wound_more,
    "CLX-LOG-05": off_the_table,
    "CLX-PSY-08": weak_power,
}
