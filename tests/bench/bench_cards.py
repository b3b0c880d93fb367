"""The card game: what an event costs beside one of Calth, and what the printed texts of a set cost.

Audits of both games run in turn in the same process, so that what else the machine does falls on both.
"""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path

from auditor import systems
from auditor.engine import audit_log
from auditor.systems.hcg.abilities import parts, read
from auditor.systems.hcg.packs import CardSet
from tests.bench.measure import ROOT, in_a_child, middle, seconds, steady
from tests.bench.table import Row, at_most

FOUR_TURNS = ROOT / "fixtures" / "hcg" / "games" / "four-turns.json"
OF_CALTH = tuple(ROOT / "fixtures" / "calth" / "games" / f"clean-{n}.jsonl" for n in (1, 2))
EVENT, TEXTS = 1.0, 0.3
"""Goals: in multiples of an event of Calth's; in seconds for the abilities of 150 cards."""
CARDS = 150


def bench(rounds: int) -> list[Row]:
    return [*bench_events(rounds), *bench_texts(rounds)]


def bench_events(rounds: int) -> list[Row]:
    """An event of a whole game of four turns against one of each clean game of Calth's."""
    cards, calth = FOUR_TURNS.read_bytes(), {path: path.read_bytes() for path in OF_CALTH}
    events = len(json.loads(cards)["events"])
    ours: list[float] = []
    theirs: dict[Path, list[float]] = {path: [] for path in calth}
    for data in (cards, *calth.values()):
        audit_log(data)
    for _ in range(rounds):
        ours.append(seconds(lambda: audit_log(cards)) / events)
        for path, data in calth.items():
            theirs[path].append(seconds(lambda data=data: audit_log(data)) / (data.count(b"\n") - 1))

    def row(path: Path) -> Row:
        ratio = middle(one / two for one, two in zip(ours, theirs[path], strict=True))
        return Row(
            f"an event of the card game, audit and digest, warm ({FOUR_TURNS.stem}, {events} events)",
            f"{middle(ours) * 1e6:.1f} us",
            f"an event of Calth ({path.stem}): {middle(theirs[path]) * 1e6:.1f} us",
            f"{ratio:.2f} x",
            *at_most(EVENT, ratio),
        )

    return [row(path) for path in calth]


def bench_texts(rounds: int) -> list[Row]:
    """The texts of the first 150 cards of the example set: read for the first time, again, and as a pack that is kept."""
    told = [in_a_child("bench_cards.first_texts") for _ in range(rounds)]
    first = middle(one["first"] for one in told)
    again = middle(one["again"] for one in told)
    loads = f"json.loads of the set: {middle(one['loads'] for one in told) * 1e3:.2f} ms"
    what = f"{told[0]['texts']} abilities of {CARDS} cards"

    def row(which: str, found: float, goal: float | None) -> Row:
        ratio = middle(one[which] / one["loads"] for one in told)
        return Row(
            f"{what}, {SAID[which]}", f"{found * 1e3:.3g} ms", loads, f"{ratio:.3g} x", *at_most(goal, found, "s")
        )

    return [
        row("first", first, TEXTS),
        row("again", again, TEXTS),
        row("kept", middle(one["kept"] for one in told), None),
    ]


SAID = {"first": "read, the grammar made first", "again": "read", "kept": "asked for again"}


def first_texts() -> dict[str, float]:
    """In a process of its own: what the texts cost at first, with the grammar, then without, then as a pack that is kept."""
    written = resources.files("auditor.systems.hcg").joinpath("data", "packs", "example-cards.json").read_bytes()
    cards = json.loads(written)["cards"][:CARDS]
    assert len(cards) == CARDS
    keywords = {word["name"].lower() for card in cards for word in card.get("keywords", ())}
    texts = [text for card in cards for text in (*card.get("abilities", ()), *filter(None, [card.get("line")]))]

    def all_of_them() -> None:
        for text in texts:
            read(text, keywords)

    return {
        "texts": len(texts),
        "first": seconds(lambda: (parts.language(), all_of_them())),
        "again": seconds(all_of_them),
        "loads": steady(lambda: json.loads(written)),
        "kept": steady(kept) if kept() is kept() else 0.0,
    }


def kept() -> CardSet:
    """The example set as whoever audits a log gets it."""
    made: CardSet = systems.game("hcg").built_in_packs.of_kind("cards")["hcg-example"].made
    return made
