"""One step from a fault: set-up, deployment, the course of turns and battles, victory step and end."""

from __future__ import annotations

from collections.abc import Iterator

from auditor.conformance.hcg.near.watching import Look, Near, Watching
from auditor.conformance.hcg.table import PLAYERS, SLOTS, Event, other

NEAR: Near = {
    "one apart": ("HCG-SETUP-02", "dice of the set-up that are one apart"),
    "tie of dice": ("HCG-SETUP-03", "equal dice, and a coin"),
    "chooser defends": ("HCG-SETUP-04", "the chooser takes the role of the defender"),
    "not by the chooser": ("HCG-SETUP-06", "the planet is named by the defender, who did not choose the roles"),
    "short turn": ("HCG-TURN-01", "an end phase after fewer than two battles"),
    "first flip": ("HCG-FW-01", "the first flip of a turn, which is the defender's"),
    "last in the deck": ("HCG-FW-02", "a flip of the last card of a deck, or of the first of a new one"),
    "up among others": ("HCG-FW-03", "a flip onto own cards that lie face down"),
    "last sector to serve": ("HCG-FW-04", "a flip to the only sector that is not served yet"),
    "flip past a taken sector": ("HCG-FW-05", "a flip while a sector is taken"),
    "deployment in two parts": ("HCG-DEP-01", "a hand of six that is drawn in two parts"),
    "first deployment": ("HCG-DEP-02", "the first card of a deployment, which is the defender's"),
    "down beside its copy": ("HCG-DEP-03", "a card laid face down beside a copy of it that lies face up"),
    "last to deploy": ("HCG-DEP-04", "the last card of a hand is deployed"),
    "deployed past a taken sector": ("HCG-DEP-06", "a card deployed while a sector is taken"),
    "second battle": ("HCG-BPH-01", "the second battle of a turn"),
    "one card there": ("HCG-BPH-02", "the attacker chooses a sector with exactly one own card"),
    "only sector left": ("HCG-BPH-03", "the defender chooses the only sector left to fight at"),
    "nothing to fight for": ("HCG-BPH-04", "no second battle, though cards lie at the sector fought over"),
    "second sector": ("HCG-BSET-02", "the sector of the second battle is turned"),
    "up already": ("HCG-BSET-03", "cards turned up beside others that lay face up already"),
    "it stayed": ("HCG-BSET-04", "a set-up instruction of a card that lay face up already"),
    "after instructions": ("HCG-BSET-01", "ships leave after set-up instructions or the check of copies"),
    "two ships leave": ("HCG-BSET-05", "two ships leave at once, or the last cards of their side"),
    "ship lay face up": ("HCG-SHIP-01", "a ship leaves that came in the first wave, or one that waited a turn"),
    "copy in a fleet": ("HCG-SHIP-04", "a unique ship joins while a fleet, own or not, has a copy"),
    "empty side": ("HCG-BSET-06", "a battle that is skipped, or one with exactly one card on a side"),
    "command in two parts": (
        "HCG-BSET-07",
        "a command hand that is drawn in two parts, or comes beside returned cards",
    ),
    "seven in hand": ("HCG-UNIQ-06", "a command hand drawn beside a unique card that was returned"),
    "exactly two copies": ("HCG-UNIQ-01", "exactly two own copies at a sector: one goes back"),
    "a copy each": ("HCG-UNIQ-02", "both sides have a copy, and both go back"),
    "another title": ("HCG-UNIQ-03", "copies of one name with different titles"),
    "copy elsewhere": ("HCG-UNIQ-05", "a battle where a unique card has a copy at another sector"),
    "old copy": ("HCG-UNIQ-04", "a unique card infiltrated where a copy lies"),
    "more than six": ("HCG-CMD-04", "cards drawn in a battle that bring a hand to seven or more"),
    "last drawn": ("HCG-DOC-03", "the last card of a deck is taken"),
    "limbo stays out": ("HCG-ROLL-06", "a new deck while a card is played or rolled and not discarded yet"),
    "new deck": ("HCG-DOC-01", "a discard pile becomes a deck: a card more or less would be one too many or lost"),
    "no double pass": ("HCG-VIC-01", "a victory step after a withdrawal or a skipped battle"),
    "one to show": ("HCG-VIC-03", "a command hand of one card or none is revealed"),
    "second event": ("HCG-VIC-04", "an event of a player who has had one before it"),
    "one to discard": ("HCG-VIC-06", "a command hand of exactly one card is discarded"),
    "sector by one": ("HCG-VIC-07", "flags equal, one apart, equal to the requirement, or one below"),
    "cards of both": ("HCG-VIC-08", "a sector is taken where cards of both sides lie"),
    "readied": ("HCG-VIC-09", "cards are readied beside others that were ready"),
    "beside the sector card": ("HCG-DECK-04", "the cards at a sector are discarded, its sector card is not"),
    "fleet stays": ("HCG-SHIP-06", "cards at a sector are cleared or destroyed while their owner has ships"),
    "locked for the second": ("HCG-SHIP-05", "a ship that is locked when the first battle of a turn ends"),
    "a winner is named": (
        "HCG-END-01",
        "an end phase that names the winner, or one with sums that are equal or one apart after turn 3",
    ),
    "one was ready": ("HCG-END-02", "ships rally beside one that was ready"),
    "left alone": ("HCG-END-03", "a sector not fought over, with cards that lie face up and face down"),
    "one sector short": ("HCG-WIN-01", "a turn begins while a player has exactly one sector"),
    "sums by one": ("HCG-WIN-02", "turn 4 or a later one ends with sums that are equal, or at most two apart"),
    "extra turn": ("HCG-WIN-03", "the game ends with an extra turn, or with turn 4 when exactly one sector is taken"),
    "no earlier": ("HCG-WIN-04", "the game ends in turn 4, or while a player has exactly one sector"),
}


def _role(game: Watching, event: Event) -> Iterator[str]:
    dice = [one["die"] for one in game.log if one["type"] == "setup.reveal"]
    if len(dice) == 2 and abs(dice[0] - dice[1]) == 1:
        yield "one apart"
    if event["role"] == "defender":
        yield "chooser defends"


def _coin(game: Watching, event: Event) -> Iterator[str]:
    yield "tie of dice"


def _planet(game: Watching, event: Event) -> Iterator[str]:
    if any(one["type"] == "setup.role" and one["role"] == "attacker" for one in game.log):
        yield "not by the chooser"


def _turn_start(game: Watching, event: Event) -> Iterator[str]:
    game.of_turn = game.turn
    game.flips = {"p1": 0, "p2": 0}
    if len(game.taken) == 1:
        yield "one sector short"
    if game.turn > 4:
        yield "sums by one"


def _phase(game: Watching, event: Event) -> Iterator[str]:
    if event["phase"] == "end" and len(game.fought) < 2:
        yield "short turn"


def _flip(game: Watching, event: Event) -> Iterator[str]:
    by, slot = event["by"], event["sector"]
    before = game.log[-2]["type"]
    if not (game.flips["p1"] or game.flips["p2"]):
        yield "first flip"
    if before == "reshuffle" or len(game.zones[by]["deck"]) == 1:
        yield "last in the deck"
    if any(game.pieces[name].face == "down" for name in game.rows[slot, by]):
        yield "up among others"
    if len(SLOTS) - len(game.taken) - game.flips[by] == 1:
        yield "last sector to serve"
    if game.taken:
        yield "flip past a taken sector"
    game.flips[by] += 1


def _draw(game: Watching, event: Event) -> Iterator[str]:
    by, cause = event["by"], event["cause"]
    zones = game.zones[by]
    if not zones["deck"]:
        yield "last drawn"
    if cause == "effect":
        if len(zones["command_hand"]) > 6:
            yield "more than six"
        return
    if cause == "deployment":
        if event["n"] < 6:
            yield "deployment in two parts"
        return
    beside = len(zones["command_hand"]) > 6
    if event["n"] < 6 or beside:
        yield "command in two parts"
    if beside:
        yield "seven in hand"
    if len(game.rows[game.sector, by]) == 1:
        yield "empty side"


def _deploy(game: Watching, event: Event) -> Iterator[str]:
    by = event["by"]
    if game.log[-2]["type"] != "deploy.regular":
        yield "first deployment"
    if len(game.zones[by]["deploy_hand"]) == 1:
        yield "last to deploy"
    card = game.pieces[event["card"]].card
    for name in game.rows[event["sector"], by]:
        piece = game.pieces[name]
        if piece.card is card and piece.face == "up":
            yield "down beside its copy"
    if game.taken:
        yield "deployed past a taken sector"


def _reshuffle(game: Watching, event: Event) -> Iterator[str]:
    yield "new deck"
    if game.zones["p1"]["limbo"] or game.zones["p2"]["limbo"]:
        yield "limbo stays out"


def _choose(game: Watching, event: Event) -> Iterator[str]:
    by, slot = event["by"], game.sector
    game.has_instructed, game.began, game.before = False, event["seq"], ""
    game.hurt.clear()
    game.newcomers = set()
    if game.battle == 2:
        yield "second battle"
        if not any(s not in game.fought and game.rows[s, by] for s in game.open_sectors()):
            yield "only sector left"
    elif len(game.rows[slot, by]) == 1:
        yield "one card there"
    elsewhere = {
        game.pieces[name].card.group
        for place, names in game.rows.items()
        if place[0] != slot
        for name in names
        if game.pieces[name].card.unique
    }
    if elsewhere and any(p.card.unique and p.card.group in elsewhere for p in game.here()):
        yield "copy elsewhere"


def _no_battle(game: Watching, event: Event) -> Iterator[str]:
    if any(game.rows[slot, event["by"]] for slot in game.fought):
        yield "nothing to fight for"


def _turned(game: Watching, event: Event) -> Iterator[str]:
    if game.battle == 2:
        yield "second sector"
    game.turned_up = {line["card"] for line in event["cards"]}
    if 0 < len(game.turned_up) < len(game.here()):
        yield "up already"


def _instruction(game: Watching, event: Event) -> Iterator[str]:
    game.has_instructed = True
    if event["source"]["card"] not in game.turned_up:
        yield "it stayed"


def _copies(game: Watching, event: Event) -> Iterator[str]:
    game.has_instructed = True
    piece = game.pieces[event["returned"][0]]
    if event["reason"] == "own":
        if len(event["returned"]) == 1:
            yield "exactly two copies"
        others = [game.pieces[event["stays"]], *map(game.pieces.__getitem__, event["returned"][1:])]
    else:
        yield "a copy each"
        others = [one for one in game.row(other(piece.owner)) if one.card.group == piece.card.group]
    if any(one.card is not piece.card for one in others):
        yield "another title"


def _ships(game: Watching, event: Event) -> Iterator[str]:
    names = event["ships"]
    if not names:
        return
    if game.has_instructed:
        yield "after instructions"
    if len(names) > 1 or len(names) == len(game.rows[game.sector, event["by"]]):
        yield "two ships leave"
    if any(name not in game.turned_up for name in names):
        yield "ship lay face up"
    groups = {game.pieces[name].card.group for name in names if game.pieces[name].card.unique}
    if groups and any(one.card.group in groups for who in PLAYERS for one in game.fleet(who)):
        yield "copy in a fleet"


def _skip(game: Watching, event: Event) -> Iterator[str]:
    yield "empty side"


def _battle_end(game: Watching, event: Event) -> Iterator[str]:
    game.last_event_by = ""
    if event["cause"] != "double_pass":
        yield "no double pass"
    if game.battle == 1 and any(ship.position == "locked" for who in PLAYERS for ship in game.fleet(who)):
        yield "locked for the second"


def _reveal(game: Watching, event: Event) -> Iterator[str]:
    if len(event["cards"]) <= 1:
        yield "one to show"


def _event(game: Watching, event: Event) -> Iterator[str]:
    if game.last_event_by == event["by"]:
        yield "second event"
    game.last_event_by = event["by"]


def _discarded(game: Watching, event: Event) -> Iterator[str]:
    if len(event["cards"]) == 1:
        yield "one to discard"


def _result(game: Watching, event: Event) -> Iterator[str]:
    atk, dfd = game.flag_total(game.atk), game.flag_total(game.dfd)
    if abs(atk - dfd) <= 1 or max(atk, dfd) - event["requirement"] in (0, -1):
        yield "sector by one"


def _taken(game: Watching, event: Event) -> Iterator[str]:
    if game.rows[game.sector, "p1"] and game.rows[game.sector, "p2"]:
        yield "cards of both"
    if event["discarded"]:
        yield "beside the sector card"
        if game.zones["p1"]["fleet"] or game.zones["p2"]["fleet"]:
            yield "fleet stays"


def _reset(game: Watching, event: Event) -> Iterator[str]:
    game.readied.update(event["readied"])
    if 0 < len(event["readied"]) < len(game.here()):
        yield "readied"


def _check(game: Watching, event: Event) -> Iterator[str]:
    for slot in game.open_sectors():
        faces = {game.pieces[name].face for who in PLAYERS for name in game.rows[slot, who]}
        if slot not in game.fought and len(faces) == 2:
            yield "left alone"
    if game.turn >= 4:
        totals = game.totals()
        if event["winner"] is not None or abs(totals["p1"] - totals["p2"]) <= 1:
            yield "a winner is named"


def _rallied(game: Watching, event: Event) -> Iterator[str]:
    if 0 < len(event["rallied"]) < len(game.zones[event["by"]]["fleet"]):
        yield "one was ready"


def _end(game: Watching, event: Event) -> Iterator[str]:
    totals = game.totals()
    whole = event["reason"] in ("turn4_total", "extra_turn")
    if whole:
        if event["reason"] == "extra_turn" or len(game.taken) == 1:
            yield "extra turn"
        if abs(totals["p1"] - totals["p2"]) <= 2:
            yield "sums by one"
    if game.of_turn == 4 or any(game.sectors_of(player) == 1 for player in PLAYERS):
        yield "no earlier"


LOOKS: dict[str, Look] = {
    "setup.role": _role,
    "setup.coin": _coin,
    "setup.planet": _planet,
    "turn.start": _turn_start,
    "phase.start": _phase,
    "deploy.first": _flip,
    "draw": _draw,
    "deploy.regular": _deploy,
    "reshuffle": _reshuffle,
    "battle.choose": _choose,
    "battle.none": _no_battle,
    "setup.flip": _turned,
    "setup.ability": _instruction,
    "setup.unique": _copies,
    "setup.ships": _ships,
    "setup.skip": _skip,
    "battle.end": _battle_end,
    "victory.reveal": _reveal,
    "event": _event,
    "victory.discard": _discarded,
    "victory.result": _result,
    "sector.taken": _taken,
    "sector.reset": _reset,
    "end.check": _check,
    "end.ships": _rallied,
    "game.end": _end,
    "end": _end,
}
