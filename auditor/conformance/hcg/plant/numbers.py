"""Numbers and claims that an event gets wrong, too high or too low, and acts that the log leaves out."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from auditor.conformance.hcg.plant.course import COURSE_NUMBERS
from auditor.conformance.hcg.plant.shown import SHOWN_NUMBERS
from auditor.conformance.hcg.plant.specials import SPECIAL_NUMBERS
from auditor.conformance.hcg.plant.table import Expected, SpoiledGame
from auditor.conformance.hcg.plant.wrongly import WRONG_NUMBERS
from auditor.conformance.hcg.table import PLAYERS, Event, Piece, other

Planter = Callable[[SpoiledGame, Event], Expected | None]
FAR = 9
"""More than any single part of a number: no part left out or put in explains it."""


def off(game: SpoiledGame, value: int, least: int = 0) -> int | None:
    """A number that is too high or too low; None where there is no lower one."""
    if game.high:
        return value + game.rng.randint(1, 2)
    return value - 1 if value > least else None


def is_plain(game: SpoiledGame, piece: Piece, stat: str) -> bool:
    """Whether a number is the printed one and nothing that could be put in or left out explains another."""
    return (
        game.value(piece, stat) == (piece.card.stats[stat] or 0)
        and not any(bonus.stat == stat for bonus in piece.bonuses)
        and not any(name == stat for name, _ in game.earlier.get(piece.id, ()))
        and not any(text.kind in ("standing", "versus") for one in game.here() for text in one.card.statics)
        and not game.sectors[game.sector].statics
    )


def reveal_die(game: SpoiledGame, event: Event) -> Expected | None:
    """A die number of the set-up."""
    if event["type"] != "setup.reveal":
        return None
    before = [one["die"] for one in game.log if one["type"] == "setup.reveal" and one is not event]
    wrong = off(game, event["die"], 1)
    if not before or wrong is None or wrong > 6:
        return None
    if (event["die"] < before[0]) != (wrong < before[0]) or wrong == before[0] or event["die"] == before[0]:
        return None
    event["die"] = wrong
    return Expected("HCG-SETUP-02", "miscalculated", event["by"], event)


def dealer(game: SpoiledGame, event: Event) -> str:
    """Whose damage it is."""
    return game.pieces[event["from"]].owner


def damage(rule: str, *, stat: str, field: str, counter: bool = False, sweep: bool = False) -> Planter:
    """The damage or the armor of a damage step."""

    def planter(game: SpoiledGame, event: Event) -> Expected | None:
        if event["type"] != "damage" or event["stat"] != stat or bool(event.get("counter")) != counter:
            return None
        if stat == "assault" and (game.damage_steps > 1) != sweep:
            return None
        one = game.pieces[event["from"] if field == "amount" else event["to"]]
        if not is_plain(game, one, "armor" if field == "armor" else stat):
            return None
        killed = event["destroyed"] and game.pieces[event["to"]].card.kind == "unit"
        if stat == "assault" and killed and (event["amount"] > event["armor"] or not game.high):
            # What is left over for a sweep hangs on these numbers.
            return None
        if game.high or sweep:
            event[field] += FAR
        elif event[field] > 0:
            event[field] -= 1
        else:
            return None
        return Expected(rule, "miscalculated", dealer(game, event), event)

    return planter


def is_swept(game: SpoiledGame, event: Event) -> bool:
    """Whether a sweep may follow, for which something is left over."""
    return event["stat"] == "assault" and event["destroyed"] and game.pieces[event["to"]].card.kind == "unit"


def static_left_out(game: SpoiledGame, event: Event, of_sector: bool = False) -> Expected | None:
    """A standing text that is not counted."""
    if event["type"] != "damage" or event["stat"] == "effect" or game.damage_steps > 1 or is_swept(game, event):
        return None
    for field, name, stat in (("amount", event["from"], event["stat"]), ("armor", event["to"], "armor")):
        piece = game.pieces[name]
        part = game.standing(piece, stat)
        sector = sum(text.kind == "standing" for text in game.sectors[game.sector].statics)
        texts = sum(text.kind == "standing" for one in game.here() for text in one.card.statics)
        alone = (
            texts + sector == 1
            and (sector == 1) == of_sector
            and not piece.bonuses
            and not game.versus(piece, stat, game.foe(piece))
        )
        if part and alone and game.value(piece, stat) == event[field] >= part and not game.earlier.get(piece.id):
            event[field] -= part
            return Expected("HCG-CARD-05" if of_sector else "HCG-STAT-01", "miscalculated", dealer(game, event), event)
    return None


def versus_left_out(game: SpoiledGame, event: Event) -> Expected | None:
    """A versus bonus that is not counted, of the unit that attacks or of the one attacked."""
    if event["type"] != "damage" or event["stat"] == "effect" or game.damage_steps > 1 or is_swept(game, event):
        return None
    for field, name, stat in (("amount", event["from"], event["stat"]), ("armor", event["to"], "armor")):
        piece = game.pieces[name]
        part = game.versus(piece, stat, game.foe(piece))
        if part and not piece.bonuses and not game.standing(piece, stat) and not game.earlier.get(piece.id):
            if against_the_target(game, piece, stat) not in (None, part):
                continue  # HCG-VS-02.
            if event[field] >= part:
                event[field] -= part
                return Expected("HCG-VS-01", "miscalculated", dealer(game, event), event)
    return None


def against_the_target(game: SpoiledGame, piece: Piece, stat: str) -> int | None:
    """The versus bonus of the attacking unit against the target of a blocked attack; None where nobody blocked."""
    attack = game.attack
    if attack is None or attack.blocker is None or attack.target is None or piece.id != attack.attacker:
        return None
    return game.versus(piece, stat, game.pieces[attack.target])


def versus_of_the_target(game: SpoiledGame, event: Event) -> Expected | None:
    """The versus bonus against the target counted in place of that against the blocker."""
    if event["type"] != "damage" or event["stat"] == "effect" or game.damage_steps > 1 or is_swept(game, event):
        return None
    piece = game.pieces[event["from"]]
    there = against_the_target(game, piece, event["stat"])
    here = game.versus(piece, event["stat"], game.foe(piece))
    if there in (None, here) or piece.bonuses or game.standing(piece, event["stat"]) or game.earlier.get(piece.id):
        return None
    assert there is not None
    event["amount"] += there - here
    return Expected("HCG-VS-02", "miscalculated", piece.owner, event)


def bonus_counted_again(game: SpoiledGame, event: Event) -> Expected | None:
    """A bonus of an earlier battle action."""
    if event["type"] != "damage" or event["stat"] == "effect" or game.damage_steps > 1 or event.get("counter"):
        return None
    piece = game.pieces[event["from"]]
    before = [amount for stat, amount in game.earlier.get(piece.id, ()) if stat == event["stat"] and amount > 0]
    texts = [text for one in game.here() for text in one.card.statics if text.kind in ("standing", "versus")]
    if len(before) != 1 or piece.bonuses or texts or game.sectors[game.sector].statics:
        return None
    event["amount"] += before[0]
    return Expected("HCG-TAC-06", "miscalculated", piece.owner, event)


def flags(rule: str, stages: tuple[str, ...]) -> Planter:
    """A total of flags, the attacker's or the defender's."""

    def planter(game: SpoiledGame, event: Event) -> Expected | None:
        if event["type"] != "victory.flags" or event["stage"] not in stages or "atk" not in event:
            return None
        role = game.rng.choice(("atk", "dfd"))
        wrong = off(game, event[role])
        if wrong is None:
            return None
        # The players go on from their total.
        player = game.atk if role == "atk" else game.dfd
        game.flag_changes.append((player, wrong - event[role], "battle"))
        event[role] = wrong
        return Expected(rule, "miscalculated", game.atk if role == "atk" else game.dfd, event)

    return planter


def deck_count(game: SpoiledGame, event: Event) -> Expected | None:
    if event["type"] != "turn.end":
        return None
    player = game.rng.choice(PLAYERS)
    wrong = off(game, event["decks"][player])
    if wrong is None:
        return None
    event["decks"][player] = wrong
    return Expected("HCG-TURN-03", "miscalculated", player, event)


def position_claimed(game: SpoiledGame, event: Event) -> Expected | None:
    if event["type"] != "ba.end" or not event.get("positions"):
        return None
    name = game.rng.choice(sorted(event["positions"]))
    kinds = ["ready", "locked"]
    wrong = game.rng.choice([kind for kind in kinds if kind != event["positions"][name]])
    event["positions"][name] = game.pieces[name].position = wrong
    return Expected("HCG-POS-01", "miscalculated", game.pieces[name].owner, event)


def left_out(rule: str, type_: str, at: tuple[str, ...] = (), died: bool = False) -> Planter:
    """A compulsory act that has no event."""

    def planter(game: SpoiledGame, event: Event) -> Expected | None:
        if event["type"] != type_ or (type_ == "end.ships" and not event["rallied"]):
            return None
        if type_ == "setup.ships" and not event["ships"]:
            return None
        if type_ in ("victory.reveal", "victory.discard") and not event["cards"]:
            return None
        if type_ == "damage":
            if not event.get("counter") or event["destroyed"] or game.log[-2]["destroyed"] != died:
                return None
        game.log.remove(event)
        who = event.get("by")
        if type_ == "damage":
            who = game.pieces[event["from"]].owner
        return Expected(rule, "omitted", who, None, at=at)

    return planter


def wrong_player(rule: str, type_: str) -> Planter:
    """An act written down as the other player's."""

    def planter(game: SpoiledGame, event: Event) -> Expected | None:
        if event["type"] != type_:
            return None
        event["by"] = other(event["by"])
        return Expected(rule, "illegal", event["by"], event)

    return planter


def final_winner(rule: str, reasons: tuple[str, ...]) -> Planter:
    """The game given to the other player."""

    def planter(game: SpoiledGame, event: Event) -> Expected | None:
        if event["type"] != "game.end" or event.get("reason") not in reasons:
            return None
        event["winner"] = other(event["winner"])
        return Expected(rule, "miscalculated", None, event)

    return planter


def another_planet(game: SpoiledGame, event: Event) -> Expected | None:
    if event["type"] != "setup.planet":
        return None
    event["planet"] = "Cinderhall" if event["planet"] != "Cinderhall" else "Vesper"
    return Expected("HCG-SETUP-06", "miscalculated", event["by"], event)


def early_winner(game: SpoiledGame, event: Event) -> Expected | None:
    """A player called the winner who has not won."""
    if event["type"] != "end.check" or event["winner"] is not None or game.turn >= 4:
        return None
    event["winner"] = game.rng.choice(PLAYERS)
    return Expected("HCG-END-01", "miscalculated", None, event)


def keeps_dealing(planter: Planter) -> Planter:
    """A planter but for damage that was none, or becomes none: whether it calls for a counterattack would change."""

    def keeping(game: SpoiledGame, event: Event) -> Expected | None:
        before = dict(event)
        expected = planter(game, event)
        if expected is None or event["type"] != "damage" or (before["amount"] > 0) == (event["amount"] > 0):
            return expected
        event.clear()
        event.update(before)
        return None

    return keeping


_NUMBERS: dict[str, Planter] = {
    "HCG-SETUP-02 miscalculated": reveal_die,
    "HCG-SETUP-06 miscalculated": another_planet,
    "HCG-SETUP-06 illegal": wrong_player("HCG-SETUP-06", "setup.planet"),
    "HCG-BSET-05": left_out("HCG-BSET-05", "setup.ships", ("setup.skip", "ba.")),
    "HCG-SHOOT-07 damage": damage("HCG-SHOOT-07", stat="firepower", field="amount"),
    "HCG-SHOOT-07 armor": damage("HCG-SHOOT-07", stat="firepower", field="armor"),
    "HCG-ASLT-06 damage": damage("HCG-ASLT-06", stat="assault", field="amount"),
    "HCG-ASLT-06 armor": damage("HCG-ASLT-06", stat="assault", field="armor"),
    "HCG-SWEEP-03 damage": damage("HCG-SWEEP-03", stat="assault", field="amount", sweep=True),
    "HCG-CA-01 miscalculated": damage("HCG-CA-01", stat="firepower", field="amount", counter=True),
    "HCG-CA-01 omitted": left_out("HCG-CA-01", "damage"),
    "HCG-CA-02": left_out("HCG-CA-02", "damage", ("ba.end", "sweep"), died=True),
    "HCG-STAT-01": static_left_out,
    "HCG-CARD-05": partial(static_left_out, of_sector=True),
    "HCG-VS-01": versus_left_out,
    "HCG-VS-02": versus_of_the_target,
    "HCG-TAC-06": bonus_counted_again,
    "HCG-POS-01": position_claimed,
    "HCG-VIC-02": flags("HCG-VIC-02", ("initial",)),
    "HCG-VIC-05": flags("HCG-VIC-05", ("after_atk", "after_dfd")),
    "HCG-VIC-03": left_out("HCG-VIC-03", "victory.reveal", ("event", "victory.flags")),
    "HCG-VIC-06": left_out("HCG-VIC-06", "victory.discard", ("victory.result",)),
    "HCG-TURN-03": deck_count,
    "HCG-END-01": early_winner,
    "HCG-END-02": left_out("HCG-END-02", "end.ships", ("turn.start",)),
    "HCG-WIN-01": final_winner("HCG-WIN-01", ("two_sectors",)),
    "HCG-WIN-02": final_winner("HCG-WIN-02", ("turn4_total",)),
    **COURSE_NUMBERS,
    **WRONG_NUMBERS,
    **SPECIAL_NUMBERS,
    **SHOWN_NUMBERS,
}
NUMBERS: dict[str, Planter] = {name: keeps_dealing(planter) for name, planter in _NUMBERS.items()}
