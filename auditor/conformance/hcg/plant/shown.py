"""Faults in what a record says of cards: which they are, where they lie, whose copy they are, and how the game ends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

from auditor.conformance.hcg.cards import example_set
from auditor.conformance.hcg.plant.course import LAST_TURN, Planter, insert
from auditor.conformance.hcg.plant.table import PLAYED_ON, Expected, SpoiledGame
from auditor.conformance.hcg.plant.wrongly import Found
from auditor.conformance.hcg.table import PLAYERS, Event, Table, other

# ---------------------------------------------------------------- set-up, copies, ships


def instruction_after_the_ships(game: SpoiledGame, event: Event) -> Expected | None:
    """A set-up instruction carried out after the ships have left."""
    if event["type"] != "setup.ships" or not event["ships"]:
        return None
    done = [one for one in game.log[-4:-1] if one["type"] == "setup.ability"]
    if not done or game.pieces[done[-1]["source"]["card"]].card.kind == "ship":
        return None
    late = done[-1]
    moved = game.log[game.log.index(late) : -1]
    if any(one["type"] == "setup.unique" for one in moved) or any(
        game.pieces[one].card.unique for one in event["ships"]
    ):
        return None  # What is owed for unique cards would come too late as well.
    del game.log[-1 - len(moved) : -1]
    game.log += moved
    for number, one in enumerate(game.log, 1):
        one["seq"] = number
    return Expected("HCG-BSET-01", "illegal", late["by"], late)


def escorted_copy_kept(game: SpoiledGame, value: list[str], player: str, stays: str) -> Found:
    """A character and the same one with an escort, who both stay."""
    same = [name for name in value if game.pieces[name].card.id == game.pieces[stays].card.id]
    group = game.pieces[stays].card.group
    if same or any(one.card.group == group for one in game.row(other(player))):
        return None
    at = ("setup.ships", "setup.skip", "draw")
    return [], Expected("HCG-UNIQ-03", "omitted", player, None, at=at)


def sent_back_for_another_sector(game: SpoiledGame, event: Event) -> Expected | None:
    """A unique card sent back for a copy at another sector."""
    if event["type"] != "setup.flip" or any(one.card.set_ups for one in game.here()):
        return None
    groups = Counter((one.owner, one.card.group) for one in game.here() if one.card.unique)
    if any(number > 1 for number in groups.values()):
        return None
    for piece in game.here():
        copies = [one for slot in game.open_sectors() if slot != game.sector for one in game.row(piece.owner, slot)]
        copies = [one for one in copies if one.face == "up" and one.card.group == piece.card.group]
        if not piece.card.unique or not copies or (other(piece.owner), piece.card.group) in groups:
            continue
        if piece.face == "down":
            continue  # It is turned up by the event just written, and must still be there.
        new = Table.write(game, "setup.unique", by=piece.owner, returned=[piece.id], to="command_hand", reason="own")
        game.move(piece.id, "command_hand", face="down")
        return Expected("HCG-UNIQ-05", "illegal", piece.owner, new)
    return None


def unit_to_the_fleet(game: SpoiledGame, event: Event) -> Expected | None:
    """A unit that infiltrates the fleet."""
    if event["type"] != "infiltrate":
        return None
    event["to"] = "fleet"
    game.stops_at, game.stop_reason = len(game.log), "stop"
    return Expected("HCG-INF-02", "miscalculated", event["by"], event)


def ship_deployed_again(game: SpoiledGame, event: Event) -> Expected | None:
    """A ship of the fleet said to be the card of the hand that is deployed."""
    if event["type"] != "deploy.regular" or not game.fleet(event["by"]):
        return None
    event["card"] = game.rng.choice(game.fleet(event["by"])).id
    return Expected("HCG-SHIP-01", "illegal", event["by"], event)


def ship_turned_up(game: SpoiledGame, event: Event) -> Expected | None:
    """The one card that was deployed unnamed at a sector is turned up as a ship of the fleet."""
    if event["type"] != "setup.flip":
        return None
    for player in game.rng.sample(PLAYERS, 2):
        deployed: list[Event] = []
        for one in game.log:
            if one is not event and one["type"] == "setup.flip" and one["sector"] == event["sector"]:
                deployed = []
            if one["type"] == "deploy.regular" and one["by"] == player and one["sector"] == event["sector"]:
                deployed.append(one)
        if len(deployed) != 1 or not game.fleet(player):
            continue
        line = next((one for one in event["cards"] if one["card"] == deployed[0]["card"]), None)
        card = game.pieces[deployed[0]["card"]].card
        if line is None or card.kind == "ship" or card.unique or card.set_ups:
            continue
        ship = game.rng.choice(game.fleet(player))
        line.update(card=ship.id, id=ship.card.id)
        game.stops_at, game.stop_reason = (
            len(game.log),
            "stop",
        )  # What the card does that really lay there is left open.
        return Expected("HCG-BSET-03", "illegal", player, deployed[0])
    return None


# ---------------------------------------------------------------- the end


def unfought_reset(game: SpoiledGame, event: Event) -> Expected | None:
    """A sector that was not fought over, reset at the end of a turn."""
    slots = [slot for slot in game.open_sectors() if slot not in game.fought]
    if event["type"] != "end.check" or not slots:
        return None
    new = insert(game, event, "sector.reset", sector=game.rng.choice(slots), readied=[])
    return Expected("HCG-END-03", "illegal", None, new)


def ends_too_soon(within: bool) -> Planter:
    """A game that ends after turn 4, or within an extra turn, though nobody has a sector."""

    def planter(game: SpoiledGame, event: Event) -> Expected | None:
        marks = ("phase.start", "battle") if within else ("turn.start", None)
        if game.taken or game.turn <= LAST_TURN or (event["type"], event.get("phase")) != marks:
            return None
        for name in ("phase", "turn"):
            event.pop(name, None)
        event.update(type="game.end", winner=None, reason="draw")
        game.stops_at, game.stop_reason = len(game.log), "stop"
        return Expected("HCG-WIN-03", "omitted", None, event)

    return planter


# ---------------------------------------------------------------- the record


def shown_as_another(game: SpoiledGame, event: Event) -> Expected | None:
    """A card that is shown as another."""
    if event["type"] != "ba.charge":
        return None
    piece = game.pieces[event["unit"]]
    event["ids"] = {piece.id: game.rng.choice(sorted(set(game.decks_listed[piece.owner]) - {piece.card.id}))}
    return Expected("HCG-DOC-02", "illegal", piece.owner, event)


def listed_twice(game: SpoiledGame, event: Event) -> Expected | None:
    """A card that is listed twice in one line."""
    if event["type"] not in ("victory.reveal", "victory.discard") or not event["cards"]:
        return None
    event["cards"] = [*event["cards"], game.rng.choice(event["cards"])]
    return Expected("HCG-DOC-02", "illegal", event["by"], event)


def no_such_roll(game: SpoiledGame, event: Event) -> Expected | None:
    """The end of a roll that there was not."""
    if event["type"] != "roll.final":
        return None
    event["roll"] = event["seq"] - 1
    return Expected("HCG-DOC-05", "ambiguous", None, event)


def later_trigger(game: SpoiledGame, event: Event) -> Expected | None:
    """A reaction that is passed on something that is not before it."""
    if event["type"] != "reaction.pass":
        return None
    event["trigger"] = event["seq"]
    return Expected("HCG-DOC-05", "ambiguous", event["by"], event)


def passed_after_the_end(game: SpoiledGame, event: Event) -> Expected | None:
    """A pass on tactics after the end of its battle action."""
    if event["type"] != "ba.end":
        return None
    new = Table.write(game, "tactic.pass", by=game.rng.choice(PLAYERS))
    return Expected("HCG-DOC-05", "ambiguous", new["by"], new)


Written = Callable[[SpoiledGame, list[Event], Random], Expected | None]


def shown_in_a_hand(game: SpoiledGame, event: Event) -> list[str]:
    """The cards of a revealed hand that are shown for the first time and are no events."""
    if event["type"] != "victory.reveal":
        return []
    lines = {name: game.pieces[name].card.line for name in event.get("ids", {})}
    return [name for name, line in lines.items() if line is not None and line.type != "E"]


def card_of_no_set(game: SpoiledGame, lines: list[Event], rng: Random) -> Expected | None:
    """A card that no set has."""
    fit = [(event, name) for event in lines[1:] for name in shown_in_a_hand(game, event)]
    if not fit:
        return None
    event, name = rng.choice(fit)
    card = f"{event['ids'][name]}-reprint"
    event["ids"][name] = card
    for later in lines[event["seq"] + 1 :]:
        for one in later.get("cards") or ():
            if isinstance(one, dict) and one["card"] == name:
                one["id"] = card
    return Expected("HCG-CARD-01", "ambiguous", None, event, seq=event["seq"])


def one_copy_too_many(game: SpoiledGame, lines: list[Event], rng: Random) -> Expected | None:
    """A card shown once more than the deck has it."""
    seen: Counter[tuple[str, str]] = Counter()
    fit = []
    for event in lines[1:]:
        for name in shown_in_a_hand(game, event):
            owner, deck = game.pieces[name].owner, game.decks_listed[game.pieces[name].owner]
            used_up = [card for card, n in deck.items() if n < 4 and seen[owner, card] == n]
            used_up = [card for card in used_up if example_set()[card].line.type != "E"]  # type: ignore[union-attr]
            fit += [(event, name, card) for card in used_up if card not in event["ids"].values()]
        shown = {**event.get("ids", {})}
        shown |= {one["card"]: one["id"] for one in event.get("cards", ()) if isinstance(one, dict)}
        seen.update((game.pieces[name].owner, card) for name, card in shown.items())
    if not fit:
        return None
    event, name, card = rng.choice(fit)
    event["ids"][name] = card
    return Expected("HCG-DOC-01", "illegal", game.pieces[name].owner, event, seq=event["seq"])


def written(
    name: str, game: SpoiledGame, lines: list[Event], rng: Random, plays_on: bool
) -> tuple[list[Event], Expected] | None:
    """The lines of a game that was played rightly with a fault in what they say; they break off soon after it."""
    expected = WRITTEN[name](game, lines, rng)
    if expected is None:
        return None
    end = len(lines) if plays_on else expected.seq + PLAYED_ON
    # A roll that is announced as the new one stands before the end.
    cut = next((one["seq"] for one in lines[expected.seq + 1 : end] if one.get("reroll", 0) >= end), end)
    return lines[:cut], expected


WRITTEN: dict[str, Written] = {"HCG-CARD-01": card_of_no_set, "HCG-DOC-01": one_copy_too_many}
"""Faults in which card an instance is said to be where nothing else tells it."""
SHOWN_NUMBERS: dict[str, Planter] = {
    "HCG-BSET-01": instruction_after_the_ships,
    "HCG-BSET-03 illegal": ship_turned_up,
    "HCG-UNIQ-05": sent_back_for_another_sector,
    "HCG-SHIP-01": ship_deployed_again,
    "HCG-INF-02": unit_to_the_fleet,
    "HCG-END-03": unfought_reset,
    "HCG-WIN-03 after turn 4": ends_too_soon(within=False),
    "HCG-WIN-03 within a turn": ends_too_soon(within=True),
    "HCG-DOC-02 another card": shown_as_another,
    "HCG-DOC-02 twice": listed_twice,
    "HCG-DOC-05 roll": no_such_roll,
    "HCG-DOC-05 trigger": later_trigger,
    "HCG-DOC-05 ended": passed_after_the_end,
}
SHOWN_TWISTS: dict[str, tuple[str, Callable[..., Found]]] = {
    "HCG-UNIQ-03 own": ("extra copies", escorted_copy_kept),
}
__all__ = ["SHOWN_NUMBERS", "SHOWN_TWISTS", "WRITTEN", "written"]
