"""What some players like to do, so that games come to what is rare without it.

A habit is a liking for cards, which goes into the decks, and for acts; nothing that it makes players do is against a rule.
"""

from __future__ import annotations

from random import Random

from auditor.conformance.hcg.abilities import Plan
from auditor.conformance.hcg.battle import TIRING
from auditor.conformance.hcg.cards import MOST_COPIES, example_set
from auditor.conformance.hcg.game import Game
from auditor.conformance.hcg.table import Piece
from auditor.conformance.hcg.texts import Effect

LIKED: dict[str, tuple[str, ...]] = {
    "specials": ("ex-l04", "ex-l05", "ex-l18", "ex-t13", "ex-t14", "ex-t27", "ex-u22", "ex-u23", "rb-07", "ex-u34"),
    "versus": (
        "ex-l01",
        "ex-l12",
        "ex-l06",
        "ex-t10",
        "ex-t21",
        "ex-u01",
        "ex-u19",
        "rb-07",
        "ex-u37",
        "ex-t30",
        "ex-t45",
    ),
    "spite": ("ex-l06", "ex-l34", "ex-t11", "ex-t15", "ex-t36", "ex-t40", "ex-u34", "ex-t30", "ex-t44"),
    "long": (
        *("ex-l05", "ex-l12", "ex-l14", "ex-l21", "ex-l23", "ex-l24", "ex-l39", "ex-l41", "ex-l42", "ex-l44"),
        *("ex-t14", "ex-t30", "ex-t31", "ex-t37", "ex-t42", "ex-t44", "ex-t46", "ex-u16", "ex-u25", "ex-u29", "ex-u41"),
    ),
}
"""By habit: the cards that are in as many decks as may hold them, in four copies.

specials  charges and special assaults, assaults on assets, blocks
versus    shots and charges by units with a versus bonus, blocks
spite     abilities in play, and tactics that strike their source down
long      cards without flags and high requirements, so that the game goes on
"""


def habit_of(seed: int) -> str:
    """The habit of the players of a seed; none in two of five."""
    rng = Random(f"habit of {seed}")
    return "" if rng.random() < 0.4 else rng.choice(("specials", "specials", "versus", "versus", "spite", "long"))


def prepare(habit: str, rng: Random, sides: dict[str, str], decks: dict[str, dict[str, int]]) -> None:
    """Put the cards that are liked into the decks, in place of as many others; the decks stay legal."""
    cards = example_set()
    for player, side in sides.items():
        liked = [name for name in LIKED[habit] if cards[name].alignment in (side, "unaligned")]
        deck = decks[player]
        size = sum(deck.values())
        deck.update(dict.fromkeys(liked, MOST_COPIES))
        others = [name for name in deck if name not in liked]
        while sum(deck.values()) > size:
            name = rng.choice(others)
            deck[name] -= 1
            if not deck[name]:
                del deck[name]
                others.remove(name)


class GameWithHabits(Game):
    """A game whose players may have a habit; without one it is as any game."""

    habit = ""
    names_winner = 0.9

    def take_up(self, habit: str) -> None:
        """From now on the players have this habit."""
        self.habit = habit
        if habit in ("specials", "versus"):
            self.blocks = 0.95
            self.keenness["tactic"] = min(self.keenness["tactic"], 0.5)
        elif habit == "spite":
            self.keenness["tactic"] = 0.9
        elif habit == "long":
            self.stops_at = None
            planet = self.sectors[1].planet
            same = [card for card in self.cards.values() if card.planet == planet and not card.typed("E")]
            highest = sorted(same, key=lambda card: -card.requirement)[: len(self.sectors)]
            self.sectors = dict(zip(self.sectors, self.rng.sample(highest, len(self.sectors)), strict=True))

    def pick_act(self, by: str) -> str:
        """Most of the time what is liked, where it can be done."""
        if self.habit in ("specials", "versus", "spite") and self.ba <= TIRING and self.chance(0.7):
            acts = {
                "specials": (self.do_assault, self.do_charge),
                "versus": (self.shoot_well, self.do_assault, self.do_charge),
                "spite": (self.do_ability,),
            }
            for act in acts[self.habit]:
                done = act(by)
                if done:
                    return done
        return super().pick_act(by)

    def shoot_well(self, by: str) -> str:
        """A shot of a unit with a versus bonus."""
        fit = [
            (piece, target)
            for piece in self.row(by)
            if piece.position != "locked"
            and piece.card.stats["firepower"] is not None
            and any(text.kind == "versus" for text in piece.card.statics)
            and not self.forbids(piece, "shoot")
            for target in self.enemies(by, piece)
        ]
        return self.shoot(by, *self.rng.choice(fit)) if fit else ""

    def standard_assault(self, by: str, unit: Piece, target: Piece) -> str:
        """Those who like to block are tempted with assets."""
        if self.habit == "specials":
            assets = [piece for piece in self.enemies(by, unit) if piece.card.kind == "asset"]
            target = self.rng.choice(assets) if assets else target
        return super().standard_assault(by, unit, target)

    def pick_tactic(self, by: str) -> Plan | None:
        """Out of spite the source of an ability is struck down, where that can be done."""
        if self.habit == "spite" and self.attack is None:
            for piece, index, text in self.abilities_of(by, "T"):
                strikes = any(effect.op == "damage" for effect in text.effects)
                if strikes and self.unused(piece, index, text, ("ba", self.battle, self.turn, self.ba)):
                    plan = self.plan(by, piece, index, text)
                    if plan is not None:
                        return plan
        return super().pick_tactic(by)

    def by_taste(self, plan: Plan, effect: Effect, names: list[str], amount: int) -> list[str]:
        """Out of spite damage goes to what can be struck down."""
        if self.habit == "spite" and effect.op == "damage" and amount == 1:
            weak = [name for name in names if self.pieces[name].owner != plan.by]
            weak = [name for name in weak if self.value(self.pieces[name], "armor") <= int(effect.n)]
            sources = [name for name in weak if self.pieces[name].card.typed("BA")]
            if weak:
                return sources or weak
        return super().by_taste(plan, effect, names, amount)
