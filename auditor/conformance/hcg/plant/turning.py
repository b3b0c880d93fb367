"""A table whose players go by one option of a reading, and like to come where the options differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from random import Random
from typing import Any, TypeVar

from auditor.conformance.hcg.abilities import Plan
from auditor.conformance.hcg.cards import Card, card_of, example_data, example_set
from auditor.conformance.hcg.game import Game
from auditor.conformance.hcg.generate import Decks, Lines, lay_out, write_down
from auditor.conformance.hcg.plant.prepared import Wanted, does, either, fill
from auditor.conformance.hcg.readings import READINGS
from auditor.conformance.hcg.stated import position_of
from auditor.conformance.hcg.table import PLAYED_UNDER, PLAYERS, SLOTS, Event, Made, Piece
from auditor.conformance.hcg.texts import Effect, Text


def unit(
    name: str,
    title: str,
    numbers: Sequence[int],
    *abilities: str,
    line: str = "T: Any unit gets +1 armor.",
    **more: Any,
) -> Event:
    """A unit of no side; its numbers are firepower, assault, speed and armor."""
    firepower, assault, speed, armor = numbers
    return {
        **{"id": name, "title": title, "kind": "unit", "alignment": "unaligned", "flags": 1, "die": 3, "line": line},
        **{"firepower": firepower, "assault": assault, "speed": speed, "armor": armor},
        **{"keywords": [{"name": "infantry", "bold": False}], "abilities": list(abilities), **more},
    }  # fmt: skip


def sector(number: int, requirement: int) -> Event:
    """A sector that is hard to take."""
    return {
        **{"id": f"sec-v-{number}", "title": f"Outwork {number}", "kind": "sector", "keywords": []},
        **{"requirement": requirement, "planet": "Vesper"},
    }  # fmt: skip


PLACES = ("Toll", "Gate", "Weir", "Quay")
"""Names for units that are alike, where a deck has to have many of them."""
EXTRA: dict[str, tuple[Event, ...]] = {
    "OR-VSBLOCK": (
        unit("ex-v01", "Skiff Hunters", (2, 3, 1, 4), "+3 speed vs. units."),
    ),
    "OR-BONUSSETUP": (
        unit("ex-v02", "Banner Guard", (2, 2, 4, 3), "When you set up your army, this unit gets +2 firepower."),
    ),
    "OR-ZEROKILL": (
        unit("ex-v03", "Reed Skirmishers", (0, 0, 3, 0)), unit("ex-v04", "Marsh Levies", (0, 2, 2, 0)),
    ),
    "OR-STATFLOOR": (
        unit("ex-v05", "Quay Levies", (1, 1, 2, 1), line="T: Any infantry unit gets -2 armor."),
        unit("ex-v06", "Well Levies", (0, 1, 2, 1), line="T: Any infantry unit gets -3 firepower."),
    ),
    "OR-D6SHARE": (unit("ex-v12", "Signal Crew", (2, 2, 2, 3), line="T: All your units get +d6 armor."),),
    "OR-TACASSET": (unit("ex-v15", "Breach Team", (2, 2, 2, 3), line="T: Destroy any asset."),),
    "OR-TIE": tuple(sector(n, 22) for n in (1, 2, 3)),
    "OR-EXTRABOTH": tuple(sector(n, 34 + n) for n in (1, 2, 3)),
    "OR-UNIQNAME": (
        unit("ex-v13", "Captain Maro", (3, 2, 4, 3), unique=True, group="Tella Maro"),
        unit("ex-v14", "Tella Maro", (3, 2, 4, 4), unique=True, group="Tella Maro"),
        unit("ex-v07", "Harl Voss", (3, 2, 4, 3), unique=True),
        unit("ex-v08", "Harl Voss and Escort", (3, 2, 4, 4), unique=True),
    ),
    "OR-DMGACC": (
        *(unit(f"ex-v3{n}", f"{one} Wardens", (2, 2, 2, 2), "Counterattack.") for n, one in enumerate(PLACES)),
        *(unit(f"ex-v4{n}", f"{one} Tide", (2, 9, 2, 3)) for n, one in enumerate(PLACES)),
    ),
    "OR-CAZERO": (
        unit("ex-v09", "Toll Wardens", (2, 2, 2, 2), "Counterattack."),
        unit("ex-v03", "Reed Skirmishers", (0, 0, 3, 1)),
    ),
    "OR-CMDFACE": (unit("ex-v16", "Gate Runners", (2, 2, 2, 3), line="BA: Infiltrate a unit from your hand."),),
    "OR-FIZZLE": (
        unit("ex-v17", "Net Throwers", (2, 2, 2, 3), "BA: Lock two enemy units.", line="T: Lock any unit."),
        unit("ex-v18", "Well Breakers", (2, 2, 2, 3), "BA: Lock two enemy units.", line="T: Destroy any unit."),
    ),
    "OR-SPECIALDEAD": (
        *(unit(f"ex-v3{n}", f"{one} Wardens", (2, 3, 2, 2), "Counterattack.") for n, one in enumerate(PLACES)),
        *(unit(f"ex-v5{n}", f"{one} Vanguard", (2, 6, 2, 2), "A: Draw 1 card.") for n, one in enumerate(PLACES)),
    ),
}  # fmt: skip
"""Cards for a reading on which it hardly turns with those of the example set."""


@cache
def cards_for(reading: str) -> dict[str, Card]:
    """The example set with the cards for a reading."""
    return {**example_set(), **{data["id"]: card_of(data) for data in EXTRA.get(reading, ())}}


def set_of(reading: str, game: Game) -> Event | None:
    """The card set of a game as its header has it: the cards that are in it, and what brings in the other keywords, for
    a text is read by the keywords of its set. None for the example set."""
    if reading not in EXTRA:
        return None
    used = {piece.card.id for piece in game.pieces.values()} | {card.id for card in game.sectors.values()}
    data = example_data()
    cards = [*data["cards"], *EXTRA[reading]]
    used |= {one["reverse"] for one in cards if one["id"] in used and "reverse" in one}
    known = {name for one in cards if one["id"] in used for name in _keywords(one)}
    for one in cards:
        if one["kind"] != "sector" and not known.issuperset(_keywords(one)):
            used.add(one["id"])
            known.update(_keywords(one))
    return {**data, "cards": [one for one in cards if one["id"] in used]}


def _keywords(card: Event) -> list[str]:
    return [one["name"] for one in card.get("keywords", ())]


def costs(letter: str, op: str) -> Wanted:
    """Cards with a text of this type that has a cost of this kind."""

    def wanted(card: Card) -> bool:
        texts = [one for one in (*card.box, card.line) if isinstance(one, Text)]
        return any(one.type == letter and op in [cost.op for cost in one.costs] for one in texts)

    return wanted


def free_x(card: Card) -> bool:
    texts = [one for one in (*card.box, card.line) if isinstance(one, Text)]
    return any("(X+)" in one.text and one.x is None for one in texts)


def is_event(card: Card) -> bool:
    return bool(card.typed("E"))


WANTED: dict[str, Wanted] = {
    "OR-ROLLRANGE": does("M", "roll_add"),
    "OR-REACTPASS": lambda card: any(one.type in "RM" for one in (*card.box, card.line) if isinstance(one, Text)),
    "OR-UNIQINF": either(does("BA", "infiltrate"), lambda card: card.unique and card.kind == "unit"),
    "OR-SETUPORDER": lambda card: bool(card.set_ups),
    "OR-XRANGE": free_x,
    "OR-SELFCOST": lambda card: card.line is not None and "discard" in [cost.op for cost in card.line.costs],
    "OR-FAILWIN": costs("BA", "test"),
    "OR-SOURCEGONE": either(does("BA", "destroy", line=False), does("BA", "draw", line=False), does("T", "damage")),
    "OR-EVENTSCOPE": is_event,
    "OR-LEFTFACE": is_event,
    "OR-EVENTDEF": lambda card: is_event(card) and card.kind != "unit",
    "OR-WDEVENTS": is_event,
    "OR-EVENTSNAP": either(is_event, does("E", "destroy")),
    "OR-BOTHEMPTY": lambda card: card.kind == "ship",
    "OR-FLAGUNITS": lambda card: card.kind == "asset" or (card.kind == "unit" and not card.flags),
    "OR-TACASSET": lambda card: card.kind == "asset",
    "OR-FAILEDTEST": either(costs("BA", "test"), costs("T", "test")),
    "OR-UNIQHAND": lambda card: card.unique and card.kind == "unit",
    "OR-CHARGEWIN": does("T", "modify"),
    "OR-COSTTIME": either(costs("BA", "lock"), costs("BA", "test"), costs("BA", "discard"), costs("A", "test")),
}
MANY = {"OR-BOTHEMPTY": 15, "OR-UNIQINF": 10, "OR-FLAGUNITS": 12, "OR-UNIQHAND": 12}
RACES = ("OR-TIE", "OR-EXTRABOTH")
"""Readings about the end of long games, in which each player takes one sector."""
PLAYS: dict[str, tuple[str, ...]] = {**READINGS, **PLAYED_UNDER, "OR-CHARGEWIN": READINGS["OR-CHARGEWIN"]}
"""The options of each reading by which the players of such a game can go."""
MOST = 6
"""So many of the cards of a reading are in each deck, with as many copies as there may be."""


class TurningGame(Game):
    """A legal game under the option of `reading` that its players go by."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.reading = ""
        self.begins_in: int | None = None
        """The turn in which the record begins with a position."""
        self.harried: list[str] = []
        """What was chosen for the battle action that goes on: who plays tactics goes for it."""

    def likes(self) -> None:
        """What its players like, once it is known which reading the game is about."""
        if self.reading in ("OR-REACTPASS", "OR-ROLLRANGE"):
            self.keenness |= {"modifier": 0.9, "reaction": 0.9}
        if self.reading in ("OR-CHARGEWIN", "OR-FAILWIN", "OR-TACASSET"):
            self.keenness |= {"tactic": 0.9}
        if self.reading == "OR-XRANGE":
            self.least_x = 0
        if self.reading in ("OR-SPECIALDEAD", "OR-SWEEPBLOCK", "OR-VSBLOCK"):
            self.blocks = 1.0
        if self.reading == "OR-FIZZLE":
            self.keenness |= {"tactic": 0.7}
        if self.reading == "OR-DMGACC":
            self.blocks, self.sweeps = 0.0, 1.0
        if self.reading == "OR-NOCARDSATK":
            self.begins_in = 1
        if self.reading in RACES:
            self.sectors = {slot: self.cards[f"sec-v-{slot}"] for slot in SLOTS}
        if self.option("OR-CHARGEWIN") == "window-all":
            self.withdraws = 0.0

    def twist(self, point: str, value: Made, *facts: Any) -> Made:
        """In a race each player goes for a sector of its own; a record may begin where battles are fought."""
        if point == "battles" and self.turn == self.begins_in:
            self.begin_without_cards()
        if point == "blockers" and self.reading == "OR-SPECIALDEAD":
            return self.that_strike_back(value) or value  # type: ignore[return-value, arg-type]
        if self.reading in RACES and point in ("deployment's sector", "battle's sector"):
            (player,) = facts
            own: Any = 1 if player == self.atk else 2
            if own in self.open_sectors() and (point != "battle's sector" or own not in self.fought):
                return own if self.row(player, own) or point != "battle's sector" else value
        return super().twist(point, value, *facts)

    def that_strike_back(self, pieces: list[Piece]) -> list[Piece]:
        """Those of some cards that counterattack."""
        return [piece for piece in pieces if "counterattack" in self.keywords(piece)]

    def enemies(self, by: str, unit: Piece, units_only: bool = False) -> list[Piece]:
        """Where it turns on them, assets are attacked, or what counterattacks."""
        found = super().enemies(by, unit, units_only)
        liked: list[Piece] = []
        if self.reading == "OR-TACASSET":
            liked = [piece for piece in found if piece.card.kind == "asset"]
        elif self.reading == "OR-DMGACC":
            liked = self.that_strike_back(found)
        return liked or found

    def do_charge(self, by: str) -> str:
        """Where it turns on assaults, those charge first whose cards are there for it."""
        ready = [piece for piece in self.row(by) if piece.card.kind == "unit" and piece.position == "ready"]
        extra = {card["id"] for card in EXTRA.get(self.reading, ())}
        liked = [piece for piece in ready if piece.card.id in extra and not self.forbids(piece, "charge")]
        if self.reading == "OR-DMGACC":
            liked = [piece for piece in liked if piece not in self.that_strike_back(liked)]
        if self.reading in ("OR-DMGACC", "OR-SPECIALDEAD") and liked:
            return self.charge(by, self.rng.choice(liked))
        return super().do_charge(by)

    def standard_assault(self, by: str, unit: Piece, target: Piece) -> str:
        """Where it turns on blocks by what counterattacks, that stays charging."""
        if self.reading == "OR-SPECIALDEAD" and self.that_strike_back([unit]):
            return ""
        return super().standard_assault(by, unit, target)

    def carry_out(self, plan: Plan, name: str) -> str:
        """Where it turns on what becomes of what was chosen, that is gone for."""
        self.harried = list(plan.chosen) if self.reading == "OR-FIZZLE" else []
        done = super().carry_out(plan, name)
        self.harried = []
        return done

    def by_taste(self, plan: Plan, effect: Effect, names: list[str], amount: int) -> list[str]:
        """Where it turns on what becomes of what was chosen, that is gone for."""
        harried = [name for name in names if name in self.harried]
        if effect.op in ("lock", "destroy") and len(harried) >= amount and self.chance(0.8):
            return harried
        if self.reading == "OR-TACASSET" and self.attack is not None and self.attack.defender in names:
            return [str(self.attack.defender)] if amount == 1 else names
        return super().by_taste(plan, effect, names, amount)

    def begin_without_cards(self) -> None:
        """The record begins here, with a position by which the attacker has no card at an open sector."""
        for slot in self.open_sectors():
            self.discard_names([piece.id for piece in self.row(self.atk, slot)])
        self.log.clear()
        stated = self.write("position", **position_of(self))
        self.last_order = {player: stated["zones"][player]["deck"] for player in PLAYERS}

    def pick_act(self, by: str) -> str:
        """In a race hardly anybody fights; where it turns on sweeps they assault."""
        if self.reading == "OR-FIZZLE" and self.chance(0.7):
            done = self.do_ability(by)
            if done:
                return done
        if self.reading == "OR-TACASSET" and self.chance(0.7):
            done = self.do_shoot(by)
            if done:
                return done
        if self.reading in ("OR-DMGACC", "OR-SPECIALDEAD") and self.chance(0.8):
            done = self.do_assault(by) or self.do_charge(by)
            if done:
                return done
        return "pass" if self.reading in RACES and self.chance(0.9) else super().pick_act(by)


def prepare(reading: str, played: Mapping[str, str], rng: Random, sides: dict[str, str], decks: Decks) -> None:
    """Let the cards on which a reading turns come often."""
    if reading in ("OR-UNIQINF", "OR-UNIQHAND"):
        sides["p2"] = sides["p1"]
        decks["p2"] = dict(decks["p1"])
    if reading in WANTED:
        fill(rng, sides, decks, WANTED[reading], MANY.get(reading, MOST))
    if reading in EXTRA:
        extra = {data["id"] for data in EXTRA[reading] if data["kind"] != "sector"}
        if reading == "OR-UNIQNAME":
            # Copies under the other option only.
            extra = {"ex-v07", "ex-v08"} if played[reading] == "group-field" else {"ex-v13", "ex-v14"}
        fill(rng, sides, decks, lambda card: card.id in extra, len(extra), cards_for(reading))


Turning = TypeVar("Turning", bound=TurningGame)


def play_for(
    reading: str, kind: type[Turning], seed: int, settings: dict[str, Any]
) -> tuple[Turning, Lines, dict[int, int]]:
    """The game of a seed about a reading, by the option in `settings`: its table, its record and, for each event
    that is in it, the number that it has there."""
    rng = Random(f"{reading} of {seed}")
    played = settings["readings"]
    game = lay_out(kind, seed, settings, lambda *decks: prepare(reading, played, rng, *decks), cards_for(reading))
    game.reading = reading
    game.likes()
    game.play()
    (header, *events), numbers = write_down(game, seed, settings)
    used = set_of(reading, game)
    return game, [header if used is None else {**header, "cards": used}, *events], numbers
