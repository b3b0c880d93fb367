"""One step from a fault: abilities as they are announced, paid and carried out; rolls, tactics, reactions, modifiers."""

from __future__ import annotations

from collections.abc import Iterator

from auditor.conformance.hcg.abilities import Plan
from auditor.conformance.hcg.near.watching import Look, Near, Watching
from auditor.conformance.hcg.table import PLAYERS, Event, other
from auditor.conformance.hcg.texts import Select, Text

NEAR: Near = {
    "copy of a newcomer": ("HCG-UNIQ-04", "a card infiltrated with a copy at another sector, or here but not unique"),
    "first action": ("HCG-OPT-01", "an ability in the first battle action after the set-up"),
    "exact roll": ("HCG-ROLL-02", "a test passed with exactly what it needs, or missed by one"),
    "modified by one": ("HCG-ROLL-05", "a roll whose modifiers decide its test, or change it by one"),
    "exact roll of a special": ("HCG-SPEC-01", "the test of a special assault passed exactly, or missed by one"),
    "exact X": ("HCG-X-02", "a test whose number the player named, passed exactly or missed by one"),
    "rolled amount": ("HCG-ROLL-03", "an amount that was rolled for"),
    "edge of a row": ("HCG-ROLL-04", "a roll at the edge of a row of a table"),
    "others in limbo": ("HCG-ROLL-01", "a roll while another card is played or rolled and not discarded yet"),
    "nobody else pays": ("HCG-OPT-08", "a cost paid with the only cards that can pay it"),
    "chosen before the roll": ("HCG-OPT-02", "a choice for an ability with a test, made before the roll"),
    "none to spare": ("HCG-OPT-03", "a choice of exactly as many as there are"),
    "as many as allowed": ("HCG-OPT-09", "a choice of up to N: exactly N of them, or none"),
    "two costs": ("HCG-OPT-06", "an ability with two costs or more"),
    "whole hand": ("HCG-OPT-06", "a cost that takes the last card of the hand"),
    "test among costs": ("HCG-OPT-07", "an ability with a test and another cost"),
    "locked beside it": ("HCG-POS-02", "a card chosen to be locked while another of its kind is locked"),
    "ready beside it": ("HCG-POS-05", "a card chosen to rally while another of its kind is ready"),
    "charge ends": ("HCG-POS-01", "a charging card is locked by an effect or a cost, or rallies"),
    "copy out of reach": ("HCG-BA-05", "a chosen card of which a copy lies at another sector"),
    "in its role": ("HCG-TAC-08", "a card chosen for its role in the attack while there is another role"),
    "without the keyword": ("HCG-KEY-01", "a card chosen for a keyword while one without it lies there"),
    "one flag": ("HCG-FLAG-01", "a card chosen for having flags, or none, with exactly one or none"),
    "all of none": ("HCG-OPT-05", "a text about all of a kind, or each, while there is none"),
    "same letter in its box": ("HCG-CMD-01", "a command line played whose card has an ability of the same type"),
    "same letter on its line": ("HCG-CMD-02", "an ability used of a card whose command line has the same type"),
    "other letter in its box": ("HCG-CARD-03", "a command line played whose card has an ability of another type"),
    "last card played": ("HCG-CMD-03", "the last card of a hand is played"),
    "copy discarded": ("HCG-TAC-07", "a tactic from the hand with a copy of it in the discard pile"),
    "used before": ("HCG-TAC-04", "a tactic in play used that was used one, two or three actions before"),
    "tactic in a sweep": ("HCG-TAC-01", "a tactic in the window of a sweep"),
    "passed once": ("HCG-TAC-02", "a tactic after the other player has passed"),
    "after another": ("HCG-TAC-05", "a tactic after another one in the same window"),
    "deep reaction": ("HCG-REA-01", "a reaction to what another one did, or to one of several cards of an event"),
    "reacted before": ("HCG-REA-02", "a reaction in play that has answered another event of the battle"),
    "initiator passed": ("HCG-REA-03", "a reaction after the initiator has passed"),
    "before it closes": ("HCG-MOD-01", "a modifier after one pass"),
    "modified before": ("HCG-MOD-02", "a modifier in play that has changed another roll of the battle"),
    "roller passed": ("HCG-MOD-03", "the first modifier of a roll by the player who did not roll"),
    "second modifier": ("HCG-MOD-04", "a second modifier of one roll, or a roll outside 1 to 6"),
    "X is stated": ("HCG-X-01", "an X that the text defines, stated"),
    "ship in the second": ("HCG-SHIP-02", "an ability of a ship in the second battle, or while another ship waits"),
    "no ship meant": (
        "HCG-SHIP-03",
        "a text that would lock, rally or destroy a ship in a fleet too if it named ships",
    ),
    "other kinds in the pile": ("HCG-INF-01", "an infiltration out of a pile with cards that may not come"),
    "hand is too small": ("HCG-OPT-04", "the enemy discards the whole hand, or all but one card"),
    "almost all": ("HCG-DISC-01", "a discard that leaves one card in the hand, or none"),
    "no roll": ("HCG-DISC-02", "cards are discarded off a deck while somebody could modify a roll"),
    "owner's pile": ("HCG-DES-01", "a card destroyed by an effect of its owner, or several at once"),
    "no destruction": ("HCG-DES-02", "a card is destroyed while another is played and will be discarded"),
}


def _announced(game: Watching, event: Event) -> Iterator[str]:
    """What is asked of every optional ability as it is announced."""
    plan = game.announced
    if plan is None:
        return
    text, card = plan.text, plan.piece.card
    if game.ba == 1:
        yield "first action"
    if plan.index == "line":
        for one in card.box:
            if isinstance(one, Text):
                yield "same letter in its box" if one.type == text.type else "other letter in its box"
        if len(game.zones[plan.by]["command_hand"]) == 1:
            yield "last card played"
    else:
        if card.line is not None and card.line.type == text.type:
            yield "same letter on its line"
        if card.kind == "ship" and (game.battle == 2 or _ship_waits(game, plan.by)):
            yield "ship in the second"
    if text.costs:
        tests = sum(cost.op == "test" for cost in text.costs)
        if len(text.costs) > 1:
            yield "two costs"
            if tests:
                yield "test among costs"
        if tests and plan.chosen:
            yield "chosen before the roll"
    if "x" in event and not plan.free_x:
        yield "X is stated"
    yield from _choice(game, plan)


def _ship_waits(game: Watching, by: str) -> bool:
    return any(
        game.pieces[name].card.kind == "ship"
        for (slot, who), names in game.rows.items()
        if who == by and slot != game.sector
        for name in names
    )


def _choice(game: Watching, plan: Plan) -> Iterator[str]:
    """What was chosen, and out of what."""
    effect = plan.choosing
    if effect is None or effect.what is None:
        for one in plan.text.effects:
            if one.what is not None and one.what.q == "all":
                yield from _no_ship(game, plan.by, one.op, one.what)
                if not game.meant(one.what, plan.by, plan.piece):
                    yield "all of none"
        return
    what = effect.what
    yield from _no_ship(game, plan.by, effect.op, what)
    whose, found = game.last_found
    if whose is not plan:
        return
    if what.q == "exact" and len(found) == len(plan.chosen):
        yield "none to spare"
    elif what.q == "upto" and len(plan.chosen) in (0, plan.x if what.n == "x" else what.n):
        yield "as many as allowed"
    if effect.op == "infiltrate":
        if len(found) < len(game.zones[plan.by]["discard"]):
            yield "other kinds in the pile"
        return
    if effect.op in ("lock", "rally") and len(found) < len(game.meant(what, plan.by, plan.piece)):
        yield "locked beside it" if effect.op == "lock" else "ready beside it"
    if what.role is not None:
        yield "in its role"
    if what.keywords and any(
        piece.card.kind == what.kind and not set(what.keywords) <= game.keywords(piece) for piece in game.here()
    ):
        yield "without the keyword"
    if what.flag is not None and any(game.flags_of(game.pieces[name]) <= 1 for name in plan.chosen):
        yield "one flag"
    if plan.chosen and _lies_elsewhere(game, plan.chosen[0]):
        yield "copy out of reach"


def _lies_elsewhere(game: Watching, name: str) -> bool:
    """Whether a copy of a card lies at another sector."""
    pieces, card = game.pieces, game.pieces[name].card
    for (slot, _), names in game.rows.items():
        if slot != game.sector:
            for there in names:
                if pieces[there].card is card:
                    return True
    return False


def _no_ship(game: Watching, by: str, op: str, what: Select) -> Iterator[str]:
    """A text about units, or any cards, that would do the same to a ship if it named ships."""
    if op not in ("lock", "rally", "destroy") or what.kind == "asset":
        return
    for player in PLAYERS:
        if what.side == "any" or (what.side == "own") == (player == by):
            for ship in game.fleet(player):
                if op == "destroy" or ship.position == ("ready" if op == "lock" else "locked"):
                    yield "no ship meant"


def _tactic(game: Watching, event: Event) -> Iterator[str]:
    plan = game.announced
    assert plan is not None
    if game.log[-2]["type"] == "tactic.pass":
        yield "passed once"
    if game.tactics:
        yield "after another"
    game.tactics += 1
    if game.sweep_going:
        yield from ("tactic in a sweep", "blocked sweep")
    if plan.index == "line":
        for name in game.zones[plan.by]["discard"]:
            if game.pieces[name].card is plan.piece.card:
                yield "copy discarded"
                break
    elif plan.piece.used:
        for n in (1, 2, 3):
            if (plan.index, "ba", game.battle, game.turn, game.ba - n) in plan.piece.used:
                yield "used before"
    yield from _announced(game, event)


def _used_in_this_battle(game: Watching, plan: Plan, what: str) -> bool:
    return any(used[:2] == (plan.index, what) and used[2] > game.began for used in plan.piece.used)


def _reaction(game: Watching, event: Event) -> Iterator[str]:
    plan, before = game.announced, game.log[-2]
    assert plan is not None
    trigger = game.log[event["trigger"] - 1]
    if game.depth > 1 or len(trigger.get("cards", ())) > 1:
        yield "deep reaction"
    if before["type"] == "reaction.pass":
        yield "initiator passed"
    if plan.index != "line" and _used_in_this_battle(game, plan, "trigger"):
        yield "reacted before"
    yield from _announced(game, event)


def _modifier(game: Watching, event: Event) -> Iterator[str]:
    plan, roll = game.announced, event["roll"]
    assert plan is not None
    if game.log[-2]["type"] == "modifier.pass":
        yield "before it closes"
    if roll in game.modified:
        yield "second modifier"
    elif game.log[roll - 1]["by"] != event["by"]:
        yield "roller passed"
    game.modified.add(roll)
    if plan.index != "line" and _used_in_this_battle(game, plan, "roll"):
        yield "modified before"
    yield from _announced(game, event)


def _roll(game: Watching, event: Event) -> Iterator[str]:
    zones = game.zones
    if len(zones["p1"]["limbo"]) + len(zones["p2"]["limbo"]) > 1:
        yield "others in limbo"
    if not zones[event["by"]]["deck"]:
        yield "last drawn"


def _cost(game: Watching, event: Event) -> Iterator[str]:
    names = event["cards"]
    if event["op"] == "discard":
        if names and len(names) == len(game.zones[event["by"]]["command_hand"]):
            yield "whole hand"
    elif event["op"] in ("lock", "rally"):
        if any(game.pieces[name].position == "charging" for name in names):
            yield "charge ends"


def _moved(game: Watching, event: Event) -> Iterator[str]:
    if any(game.pieces[name].position == "charging" for name in event["cards"]):
        yield "charge ends"


def _effect(game: Watching, event: Event) -> Iterator[str]:
    if event["op"] == "flags":
        return
    game.given.update(event["targets"])
    if event.get("stat") == "speed" and game.attack is not None and game.attack.kind == "shot":
        yield "speed too late"


def _discard(game: Watching, event: Event) -> Iterator[str]:
    left = len(game.zones[event["by"]]["command_hand"]) - len(event["cards"])
    if left <= 1:
        yield "almost all"
        if event.get("source") and game.pieces[event["source"]["card"]].owner != event["by"]:
            yield "hand is too small"


def _mill(game: Watching, event: Event) -> Iterator[str]:
    for player in PLAYERS:
        for name in game.zones[player]["command_hand"]:
            line = game.pieces[name].card.line
            if line is not None and line.type == "M":
                yield "no roll"
                return


def _destroy(game: Watching, event: Event) -> Iterator[str]:
    names = event["cards"]
    if event["cause"] == "unique":
        yield "old copy" if game.pieces[names[0]].zone == "sector" else "copy in a fleet"
        return
    owner = game.pieces[event["source"]["card"]].owner if "source" in event else other(game.pieces[names[0]].owner)
    if len(names) > 1 or game.pieces[names[0]].owner == owner:
        yield "owner's pile"
    if game.zones["p1"]["limbo"] or game.zones["p2"]["limbo"]:
        yield "no destruction"


def _infiltrate(game: Watching, event: Event) -> Iterator[str]:
    game.newcomers.update(event["cards"])
    for name in event["cards"]:
        card = game.pieces[name].card
        for (slot, _), names in game.rows.items():
            for there in names:
                one = game.pieces[there].card
                if one.group == card.group and (slot != game.sector or not card.unique):
                    yield "copy of a newcomer"


def _assault(game: Watching, event: Event) -> Iterator[str]:
    if event["mode"] == "special":
        yield from _announced(game, event)


LOOKS: dict[str, Look] = {
    "ba.assault": _assault,
    "ba.card": _announced,
    "ba.ability": _announced,
    "tactic": _tactic,
    "reaction": _reaction,
    "modifier": _modifier,
    "roll": _roll,
    "cost": _cost,
    "lock": _moved,
    "rally": _moved,
    "effect": _effect,
    "discard": _discard,
    "mill": _mill,
    "destroy": _destroy,
    "infiltrate": _infiltrate,
}
