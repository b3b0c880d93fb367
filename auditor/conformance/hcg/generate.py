"""Complete, legal, varied games of the card game: the same seed gives the same bytes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any, TypeVar

from auditor.conformance.hcg.abilities import WARY_CARDS
from auditor.conformance.hcg.cards import SET, SIDES, SMALLEST_DECK, Card, example_decks, example_set, random_deck
from auditor.conformance.hcg.game import Game
from auditor.conformance.hcg.habits import habit_of, prepare
from auditor.conformance.hcg.near import WatchedGame, near_in
from auditor.conformance.hcg.record import Style, dress
from auditor.conformance.hcg.table import PLANETS, PLAYERS, Event
from auditor.conformance.hcg.texts import Text

Lines = list[Event]
Played = TypeVar("Played", bound=Game)


def unread(card: Card) -> bool:
    """Whether a card bears an event or set-up text that cannot be read, and must yet be carried out."""
    texts = [one for one in (*card.box, card.line) if isinstance(one, Text)]
    return any(not text.readable and text.type in ("E", "setup") for text in texts)


def settings_of(seed: int) -> dict[str, Any]:
    """How the game of a seed is played and written down: a mixture."""
    rng = Random(f"settings of {seed}")
    settings: dict[str, Any] = {
        "omit_claims": rng.choice((0.1, 0.3, 0.6)) if seed % 2 else 0.0,
        "detail": "terse" if seed % 3 == 0 else "full",
        "passes": "implied" if rng.random() < 0.3 else "explicit",
        "hidden": rng.choice(("open", "open", "no order", "no instances", "hands", "all")),
        "decks": rng.choice(("random", "random", "random", "mirror", "unique", "example")),
        "unread": rng.random() < 0.15,
        "readings": {},
    }
    if rng.random() < 0.2:
        settings["readings"]["OR-DECKOUT"] = rng.choice(("deck-loss", "reshuffle"))
    if rng.random() < 0.2:
        settings["readings"]["OR-RESHUFFLETIME"] = "on-empty"
    if rng.random() < 0.25:
        settings["stops_at"] = rng.randrange(30, 700)
        settings["stop_reason"] = rng.choice(("concession", "time", "judge", "stop"))
    return settings


def decks_for(rng: Random, settings: dict[str, Any]) -> tuple[dict[str, str], dict[str, dict[str, int]]]:
    """Sides and decks: (player -> side, player -> card -> copies)."""
    cards = example_set()
    avoided = frozenset(WARY_CARDS) | {c.id for c in cards.values() if unread(c) and not settings["unread"]}
    kind = settings["decks"]
    sides = {player: rng.choice(SIDES) for player in PLAYERS}
    if kind == "example":
        lines = {player: rng.choice(sorted({line[0] for line in example_decks()[sides[player]]})) for player in PLAYERS}
        found = {
            player: {card: n for deck, card, n in example_decks()[sides[player]] if deck == lines[player]}
            for player in PLAYERS
        }
        if not any(set(deck) & avoided for deck in found.values()):
            return sides, found
    if kind == "mirror":
        sides["p2"] = sides["p1"]
    liked: list[str] = []
    if kind in ("mirror", "unique"):
        liked = rng.sample(sorted(c.id for c in cards.values() if c.unique), 8)
    else:
        liked = rng.sample(sorted(c.id for c in cards.values() if c.die), 6)
    size = rng.choice((SMALLEST_DECK, SMALLEST_DECK, 70))
    return sides, {player: random_deck(rng, sides[player], size, avoided, liked) for player in PLAYERS}


Decks = dict[str, dict[str, int]]


def lay_out(
    kind: type[Played],
    seed: int,
    settings: dict[str, Any],
    spoil: Callable[[dict[str, str], Decks], None] = lambda sides, decks: None,
    cards: dict[str, Card] | None = None,
) -> Played:
    """The table for the game of a seed; `spoil` may change the decks before they are shuffled, to any of `cards`."""
    rng = Random(seed)
    sides, decks = decks_for(rng, settings)
    spoil(sides, decks)
    planet = rng.choice(PLANETS)
    # An event or a tactic printed on a sector has no stated controller.
    slots = [
        c.id for c in example_set().values() if c.planet == planet and not any(isinstance(one, Text) for one in c.box)
    ]
    slots += [c.id for c in example_set().values() if c.planet == planet and c.typed("T")]
    game = kind(rng, decks, cards or example_set(), rng.sample(slots, 3))
    game.sides, game.decks_listed = sides, decks
    game.readings = dict(settings["readings"])
    game.plays_unread = settings["unread"]
    game.stops_at = settings.get("stops_at")
    game.stop_reason = settings.get("stop_reason", "concession")
    game.keenness = {kind: rng.choice((0.2, 0.5, 0.9)) for kind in game.keenness}
    game.blocks = rng.choice((0.5, 0.9))
    game.crowds = rng.choice((0.1, 0.4, 0.7))
    return game


def write_down(game: Game, seed: int, settings: dict[str, Any]) -> tuple[Lines, dict[int, int]]:
    """Header and events of a game that was played, and the new number of each event that is still there."""
    style = Style(
        settings["omit_claims"], settings["detail"] == "terse", settings["passes"] == "implied", settings["hidden"]
    )
    return dress(game, style, Random(f"dress {seed}"))


def play_game(seed: int, settings: dict[str, Any]) -> tuple[Lines, Counter[str]]:
    """The legal game of a seed with these settings: header and events, and what happened in it how often."""
    game = lay_out(Game, seed, settings)
    game.play()
    return write_down(game, seed, settings)[0], game.seen


def with_habit(seed: int, settings: dict[str, Any]) -> WatchedGame:
    """The table for the game of a seed whose players have the habit of the seed."""
    habit, rng = habit_of(seed), Random(f"decks of habit {seed}")
    game = lay_out(
        WatchedGame, seed, settings, lambda sides, decks: prepare(habit, rng, sides, decks) if habit else None
    )
    if habit:
        game.take_up(habit)
    return game


def legal_game(seed: int) -> tuple[Lines, Counter[str]]:
    """The legal game of a seed, and how often it came near which fault."""
    settings = settings_of(seed)
    game = with_habit(seed, settings)
    game.play()
    lines, kept = write_down(game, seed, settings)
    return lines, came_near(game, lines, kept)


def came_near(game: WatchedGame, lines: Lines, kept: dict[int, int]) -> Counter[str]:
    """How often a game came near which fault, in those of its events that are in its record."""
    near = Counter(key for seq, key in set(game.came_near) if seq in kept)
    near.update(near_in(lines, game.cards))
    return near


__all__ = ["SET", "legal_game", "play_game", "settings_of"]
