"""Cards and decks as data: the example set and decks made up from it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from random import Random
from typing import Any

from auditor.conformance.hcg.texts import Static, Text, read_text

PACKS = Path(__file__).parents[2] / "systems" / "hcg" / "data" / "packs"
SET = "hcg-example"
STATS = ("firepower", "assault", "speed", "armor")
SIDES = ("loyalist", "traitor")
TRAITS = frozenset(("counterattack", "unique"))
SMALLEST_DECK, MOST_COPIES = 60, 4


@dataclass(frozen=True)
class Card:
    """A card of section 6 with its texts read. `box` is the ability box, `line` the command line."""

    id: str
    title: str
    group: str
    kind: str
    alignment: str | None
    flags: int
    stats: dict[str, int | None] = field(hash=False, compare=False)
    keywords: frozenset[str]
    box: tuple[Text | Static, ...]
    line: Text | None
    die: int
    requirement: int
    planet: str | None

    @property
    def unique(self) -> bool:
        """Whether the card bears the unique keyword, printed or as a trait in its box."""
        return "unique" in self.keywords

    @cached_property
    def statics(self) -> tuple[Static, ...]:
        """The texts of the box that are always on."""
        return tuple(one for one in self.box if isinstance(one, Static))

    @property
    def set_ups(self) -> list[tuple[int, Text]]:
        """The set-up instructions of the box, with their place in it."""
        return [(n, one) for n, one in enumerate(self.box) if isinstance(one, Text) and one.type == "setup"]

    def typed(self, letter: str) -> list[tuple[int, Text]]:
        """The abilities of the box of one type, with their place in it."""
        return [(n, one) for n, one in enumerate(self.box) if isinstance(one, Text) and one.type == letter]


def card_of(data: dict[str, Any]) -> Card:
    """A card from its record."""
    box = tuple(read_text(text) for text in data.get("abilities") or ())
    keywords = {one["name"].lower() for one in data.get("keywords") or ()}
    for one in box:
        if isinstance(one, Static) and one.kind == "trait":
            keywords |= {name for name in one.traits if name in TRAITS}
    if data.get("unique"):
        keywords.add("unique")
    line = read_text(data["line"]) if data.get("line") else None
    assert line is None or isinstance(line, Text)
    return Card(
        id=data["id"],
        title=data["title"],
        group=data.get("group") or data["title"],
        kind=data["kind"],
        alignment=data.get("alignment"),
        flags=data.get("flags") or 0,
        stats={stat: data.get(stat) for stat in STATS},
        keywords=frozenset(keywords),
        box=box,
        line=line,
        die=data.get("die") or 0,
        requirement=data.get("requirement") or 0,
        planet=data.get("planet"),
    )


@cache
def example_data() -> dict[str, Any]:
    """The example set as it stands in its file."""
    data: dict[str, Any] = json.loads((PACKS / "example-cards.json").read_text(encoding="utf-8"))
    return data


@cache
def example_set() -> dict[str, Card]:
    """The cards of the example set by id."""
    return {data["id"]: card_of(data) for data in example_data()["cards"]}


@cache
def example_decks() -> dict[str, list[tuple[str, str, int]]]:
    """The example decks by side: (deck's id, card, copies)."""
    decks: dict[str, list[tuple[str, str, int]]] = {side: [] for side in SIDES}
    for path in sorted(PACKS.glob("deck-*.json")):
        data = json.loads(path.read_text(encoding="utf-8"))
        decks[data["side"]] += [(data["id"], line["card"], line["n"]) for line in data["cards"]]
    return decks


def random_deck(rng: Random, side: str, size: int, avoided: frozenset[str], liked: list[str]) -> dict[str, int]:
    """A legal deck of one side: card -> copies. `liked` cards come in first, `avoided` ones not at all."""
    allowed = [c for c in example_set().values() if c.alignment in (side, "unaligned") and c.id not in avoided]
    count: dict[str, int] = {}
    for name in liked:
        if name in {c.id for c in allowed}:
            count[name] = rng.randint(2, MOST_COPIES)
    while sum(count.values()) < size:
        card = rng.choice(allowed)
        count[card.id] = min(MOST_COPIES, count.get(card.id, 0) + rng.randint(1, 3))
    return count
