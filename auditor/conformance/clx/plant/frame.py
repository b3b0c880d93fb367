"""Faults of the frame of a game: who begins, how long it lasts, night, and marks of the record (CLX-GAME, CLX-LOG)."""

from __future__ import annotations

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


def length_rolled_by_the_first(o: Occasion) -> Expected | None:
    """The first player rolls for the length of the game."""
    if o.event["type"] != "game_length_roll" or o.event["after_turn"] != 5:
        return None
    o.event["player"] = o.event["roller"] = o.t.first
    return found("CLX-GAME-04", "illegal")


def die_of_none(o: Occasion) -> Expected | None:
    """A die shows 0."""
    if o.event["type"] != "hit_rolls":
        return None
    for roll in o.event["rolls"]:
        if roll == {"die": 1}:
            roll["die"] = 0
            return found("CLX-LOG-03", "illegal")
    return None


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
    "CLX-GAME-04": length_rolled_by_the_first,
    "CLX-GAME-04 omitted": no_length_roll,
    "CLX-GAME-08": night,
    "CLX-LOG-01": from_somewhere_else,
    "CLX-LOG-02": wound_on_the_dead,
    "CLX-LOG-03": die_of_none,
    "CLX-LOG-04": one_wound_more,
}
