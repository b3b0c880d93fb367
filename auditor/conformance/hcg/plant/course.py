"""Faults in the course of a game: its set-up, turns, battles and their set-up, unique cards, ships, how it ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from auditor.conformance.hcg.plant.table import Expected, SpoiledGame
from auditor.conformance.hcg.table import PLAYERS, Event, Piece, Table, other

Found = tuple[Any, Expected] | None
Planter = Callable[[SpoiledGame, Event], Expected | None]
LAST_TURN = 4
SET_UP = ("setup.ships", "setup.skip", "draw")
"""What comes after the unique check and the set-up instructions."""


def insert(game: SpoiledGame, event: Event, type_: str, **fields: Any) -> Event:
    """An event more, before the one that was just written."""
    game.log.remove(event)
    new = Table.write(game, type_, **fields)
    event["seq"] = len(game.log) + 1
    game.log.append(event)
    return new


# ---------------------------------------------------------------- events written wrongly


def shuffled_again(game: SpoiledGame, event: Event) -> Expected | None:
    """A shuffle after the card was shown."""
    if event["type"] != "setup.role":
        return None
    player = game.rng.choice(PLAYERS)
    game.rng.shuffle(game.zone(player, "deck"))
    return Expected("HCG-SETUP-05", "illegal", player, insert(game, event, "setup.shuffle", by=player))


def other_role(game: SpoiledGame, event: Event) -> Expected | None:
    """A role taken in the middle of the game."""
    if event["type"] != "turn.start" or game.turn < 2:
        return None
    player = game.atk if game.high else game.dfd
    role = "defender" if game.high else "attacker"
    new = insert(game, event, "setup.role", by=player, role=role)
    del new["turn"]
    return Expected("HCG-SETUP-04", "illegal", player, new)


def no_role(game: SpoiledGame, event: Event) -> Expected | None:
    """Nobody has chosen a role."""
    if event["type"] != "setup.role":
        return None
    game.log.remove(event)
    return Expected("HCG-SETUP-04", "omitted", None, None, at=("turn.start",))


def other_phase(game: SpoiledGame, event: Event) -> Expected | None:
    """A mark of another phase than the one that begins."""
    if event["type"] != "phase.start" or event["phase"] != "deployment":
        return None
    event["phase"] = game.rng.choice(("battle", "end"))
    return Expected("HCG-TURN-01", "illegal", None, event)


def another_sector(game: SpoiledGame, event: Event) -> Expected | None:
    """Cards turned up at another sector than that of the battle."""
    if event["type"] != "setup.flip" or not event["cards"]:
        return None
    event["sector"] = game.rng.choice([slot for slot in (1, 2, 3) if slot != game.sector])
    return Expected("HCG-BSET-02", "miscalculated", None, event)


def refill_of(difference: int) -> Planter:
    """A refill with more or fewer cards than the discard pile has."""

    def planter(game: SpoiledGame, event: Event) -> Expected | None:
        if event["type"] != "reshuffle" or game.step == "battle":
            return None  # Some cards of the pile may lie on the table in a battle.
        event.pop("order", None)
        event["n"] += difference * game.rng.randint(1, 3)
        return Expected("HCG-ROLL-06", "illegal", event["by"], event)

    return planter


def no_refill(game: SpoiledGame, event: Event) -> Expected | None:
    """A deck that is refilled without a word."""
    if event["type"] != "reshuffle" or game.step == "battle":
        return None
    game.log.remove(event)
    return Expected("HCG-ROLL-06", "omitted", event["by"], None)


def game_ends(game: SpoiledGame, event: Event) -> Expected | None:
    """A game that ends before anybody has won it."""
    if event["type"] != "phase.start" or event["phase"] != "battle" or game.turn >= LAST_TURN:
        return None
    event.pop("phase")
    event.update(type="game.end", winner=game.rng.choice(PLAYERS), reason="turn4_total")
    game.stops_at, game.stop_reason = len(game.log), "stop"
    return Expected("HCG-WIN-04", "omitted", None, event)


def wrong_place(game: SpoiledGame, event: Event) -> Expected | None:
    """Cards that an ability draws and that join the hand for deployment."""
    if event["type"] != "draw" or event["cause"] != "effect" or game.step != "battle":
        return None
    event["to"] = "deploy_hand"
    return Expected("HCG-CMD-04", "miscalculated", event["by"], event)


def drawn_from_below(game: SpoiledGame, event: Event) -> Expected | None:
    """A card drawn from below the top of a deck whose order is written down."""
    if event["type"] != "draw" or event["cause"] == "effect" or len(event["cards"]) < 2:
        return None
    player, deck = event["by"], game.zone(event["by"], "deck")
    if len(deck) < 4:
        return None
    due, deeper = event["cards"][-1], deck[game.rng.randint(1, 3)]
    zone = game.pieces[due].zone
    game.move(deeper, zone, face="down")
    game.move(due, "deck", face="down")
    event["cards"][-1] = deeper
    return Expected("HCG-DOC-03", "illegal", player, event)


def other_number(field: str) -> Planter:
    """An event that says it stands in another turn, battle or battle action."""

    def planter(game: SpoiledGame, event: Event) -> Expected | None:
        types = {"turn": ("damage", "ba.end", "block"), "battle": ("damage", "block"), "ba": ("damage", "block")}
        if event["type"] not in types[field] or field not in event:
            return None
        event[field] = 3 - event[field] if field == "battle" else event[field] + (1 if game.high else 2)
        return Expected("HCG-DOC-04", "miscalculated", None, event)

    return planter


COURSE_NUMBERS: dict[str, Planter] = {
    "HCG-SETUP-05 shuffle": shuffled_again,
    "HCG-SETUP-04 illegal": other_role,
    "HCG-SETUP-04 omitted": no_role,
    "HCG-TURN-01": other_phase,
    "HCG-BSET-02": another_sector,
    "HCG-ROLL-06 more": refill_of(1),
    "HCG-ROLL-06 fewer": refill_of(-12),
    "HCG-ROLL-06 omitted": no_refill,
    "HCG-WIN-04": game_ends,
    "HCG-CMD-04": wrong_place,
    "HCG-DOC-03": drawn_from_below,
    "HCG-DOC-04 turn": other_number("turn"),
    "HCG-DOC-04 battle": other_number("battle"),
    "HCG-DOC-04 ba": other_number("ba"),
}


# ---------------------------------------------------------------- choices made wrongly


def not_the_revealed(game: SpoiledGame, value: str, player: str) -> Found:
    """A first flip that is not the card that was shown."""
    if game.turn > 1 or any(one["type"] == "deploy.first" and one["by"] == player for one in game.log):
        return None
    return game.zone(player, "deck")[game.rng.randint(1, 3)], Expected("HCG-SETUP-05", "illegal", player, None)


def battles(rule: str, value: tuple[int, ...], kind: str) -> Callable[..., Found]:
    """The battles of a turn in another order, or one of them left out."""

    def twist(game: SpoiledGame, _: tuple[int, ...]) -> Found:
        if len(game.open_sectors()) < 2 or (rule == "HCG-BPH-01" and game.taken):
            return None
        who = game.atk if rule == "HCG-BPH-02" else game.dfd
        game.plays_on = True  # What is left out shows at the end of the turn.
        return value, Expected(rule, kind, who, None, at=("phase.start",) if rule == "HCG-BPH-04" else ("battle.",))

    return twist


def one_kept(game: SpoiledGame, value: list[str]) -> Found:
    """A card that is not deployed."""
    player = game.atk  # The last to deploy.
    name = game.rng.choice(game.zone(player, "deploy_hand"))
    return [name], Expected("HCG-DEP-04", "omitted", player, None, at=("phase.start",))


def one_left_down(game: SpoiledGame, value: list[Piece]) -> Found:
    """A card at the sector that is not turned up, and has no part in the set-up."""
    plain = [one for one in value if one.card.kind != "ship" and not one.card.unique and not one.card.set_ups]
    if not plain or len(value) < 2:
        return None
    gone = game.rng.choice(plain)
    return [one for one in value if one is not gone], Expected(
        "HCG-BSET-03", "omitted", gone.owner, None, at=(*SET_UP, "setup.unique", "setup.ability")
    )


def not_empty(game: SpoiledGame, value: list[str]) -> Found:
    """A side called empty that has cards."""
    if value:
        return None
    return [game.rng.choice(PLAYERS)], Expected("HCG-BSET-06", "illegal", None, None)


def fought_all_the_same(game: SpoiledGame, value: list[str]) -> Found:
    """Command hands drawn for a battle that is skipped."""
    if len(value) != 1:
        return None
    return [], Expected("HCG-BSET-06", "illegal", game.atk, None)


def copy_that_stays(game: SpoiledGame, value: tuple[Piece, Piece]) -> Found:
    """Of copies on both sides one that stays."""
    gone, stays = value if game.high else value[::-1]
    if gone.card.id != stays.card.id:
        return None  # HCG-UNIQ-03.
    return (gone,), Expected("HCG-UNIQ-02", "omitted", stays.owner, None, at=SET_UP)


def not_carried_out(game: SpoiledGame, value: bool, player: str) -> Found:
    """A set-up instruction that nobody carries out."""
    return False, Expected("HCG-BSET-04", "omitted", player, None, at=SET_UP)


def old_ship_stays(game: SpoiledGame, value: list[Piece], player: str) -> Found:
    """A ship that stays though a copy of it has come."""
    if not value or not all(one.card.unique for one in value):
        return None
    return [], Expected("HCG-SHIP-04", "omitted", player, None, at=("setup.skip", "draw"))


def locked_newcomer(game: SpoiledGame, value: str, event: Event) -> Found:
    """A card that infiltrates locked."""
    event["position"] = "locked"
    return "locked", Expected("HCG-INF-01", "miscalculated", event["by"], event)


def no_victory_step(game: SpoiledGame, value: bool) -> Found:
    """A battle after which nobody counts, and of which nothing else is recorded."""
    for player in PLAYERS:
        game.discard_names(list(game.hand(player)))
    return False, Expected("HCG-VIC-01", "omitted", None, None, at=("battle.", "phase.start"))


def goes_on_after_it_is_won(game: SpoiledGame, value: bool) -> Found:
    """A game that goes on though somebody has two sectors."""
    if not value or not game.open_sectors():
        return None
    if len(game.fought) == 1:
        if not any(game.row(game.dfd, slot) for slot in game.open_sectors() if slot not in game.fought):
            return None
    elif game.turn >= LAST_TURN:
        return None
    game.plays_on, game.blind_to_victory = False, True
    at = ("battle.choose",) if len(game.fought) == 1 else ("turn.start",)
    return False, Expected("HCG-WIN-01", "illegal", None, None, at=at)


def with_a_ship(rule: str) -> Callable[..., Found]:
    """A ship that is said to be destroyed with a withdrawal, or discarded with a sector."""

    def twist(game: SpoiledGame, value: list[str], player: str) -> Found:
        if not game.fleet(player):
            return None
        return [*value, game.rng.choice(game.fleet(player)).id], Expected(rule, "illegal", player, None)

    return twist


def sent_to_the_wrong_hand(game: SpoiledGame, value: str, player: str) -> Found:
    """Extra copies of a unique card that are set aside."""
    return "set_aside", Expected("HCG-UNIQ-06", "miscalculated", player, None)


COURSE_TWISTS: dict[str, tuple[str, Callable[..., Found]]] = {
    "HCG-SETUP-05 flip": ("top card", not_the_revealed),
    "HCG-BPH-01": ("battles", battles("HCG-BPH-01", (2, 1), "illegal")),
    "HCG-BPH-02": ("battles", battles("HCG-BPH-02", (2,), "omitted")),
    "HCG-BPH-04": ("battles", battles("HCG-BPH-04", (1,), "omitted")),
    "HCG-DEP-04": ("kept back", one_kept),
    "HCG-BSET-03 omitted": ("turned up", one_left_down),
    "HCG-BSET-06 skip": ("empty sides", not_empty),
    "HCG-BSET-06 hands": ("empty sides", fought_all_the_same),
    "HCG-UNIQ-02": ("copies that go", copy_that_stays),
    "HCG-UNIQ-06": ("extra copies' way", sent_to_the_wrong_hand),
    "HCG-BSET-04": ("is carried out", not_carried_out),
    "HCG-SHIP-04": ("old ships", old_ship_stays),
    "HCG-INF-01": ("newcomer", locked_newcomer),
    "HCG-VIC-01": ("victory step", no_victory_step),
    "HCG-WIN-01 illegal": ("is won", goes_on_after_it_is_won),
    "HCG-SHIP-06": ("cleared", with_a_ship("HCG-SHIP-06")),
    "HCG-WDR-02 illegal": ("withdrawn", with_a_ship("HCG-WDR-02")),
}
__all__ = ["COURSE_NUMBERS", "COURSE_TWISTS", "insert", "other"]
