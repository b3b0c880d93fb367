"""A toy card game: windows within windows, cards face down, texts that nobody can read.

A card attacks a player; the other may block, which is a window that the next event closes if it is no block. In it a
card may be strengthened, which opens a window of its own. Cards may be played face down for any price and are judged
when they are revealed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from auditor.core.findings import RAN, Fault, Note, total
from auditor.core.holes import Hole, Holes
from auditor.core.ruleset import Moment, Ruleset, rule
from auditor.core.rulings import Option, Reading

STRENGTH: dict[str, int] = {"crow": 1, "boar": 2, "bear": 3, "hydra": 4}
UNREAD = {"hydra"}  # What its text adds to its strength, nobody could read.


@dataclass(slots=True)
class Event:
    seq: int
    player: str | None = None


@dataclass(slots=True)
class Play(Event):
    card: str | None = "crow"  # None: face down
    slot: str = ""
    paid: int = 0


@dataclass(slots=True)
class Reveal(Event):
    slot: str = ""
    card: str = "crow"


@dataclass(slots=True)
class Attack(Event):
    slot: str = ""


@dataclass(slots=True)
class Block(Event):
    slot: str = ""


@dataclass(slots=True)
class Boost(Event):
    slot: str = ""
    by: int = 1


@dataclass(slots=True)
class Pass(Event):
    pass


@dataclass(slots=True)
class Damage(Event):
    slot: str = ""
    claimed: int | None = None


@dataclass(slots=True)
class State(Event):
    strength: Mapping[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class Undo(Event):
    to: int = 0


@dataclass(slots=True)
class Table:
    cards: dict[str, str] = field(default_factory=dict)
    hidden: dict[str, tuple[int, int]] = field(default_factory=dict)  # slot -> (seq, paid)
    bonus: dict[str, int] = field(default_factory=dict)
    dealt: int = 0
    spent: frozenset[str] = frozenset()
    windows: tuple[str, ...] = ()
    attacker: str | None = None
    holes: Holes = field(default_factory=Holes)

    def copy(self) -> Table:
        return replace(
            self, cards=dict(self.cards), hidden=dict(self.hidden), bonus=dict(self.bonus), holes=self.holes.copy()
        )

    def strength(self, slot: str) -> int | None:
        return None if slot not in self.cards else STRENGTH[self.cards[slot]]


def resolve(event: Any, table: Table, hearing: Any) -> Any:
    if type(event) is Damage:
        parts = [("printed", table.strength(event.slot) or 0)]
        if table.bonus.get(event.slot) and hearing.ask("R-BOOST") == "damage_too":
            parts.append(("boost", table.bonus[event.slot]))
        return total("damage", parts)
    return None


def adopt(event: Any, resolved: Any, table: Table, hearing: Any) -> None:
    kind = type(event)
    if kind is Damage:
        # What was resolved is used without asking again: the core sees for itself that it differs.
        table.dealt += resolved.value if event.claimed is None else event.claimed
    if kind not in (Block, Boost, Pass) and table.windows[-1:] == ("block",):
        table.windows = table.windows[:-1]  # No block came: it was declined.
    if kind is Play:
        if event.card is None:
            table.hidden[event.slot] = (event.seq, event.paid)
        else:
            table.cards[event.slot] = event.card
            if event.card in UNREAD:
                table.holes.open(Hole(event.seq, f"the text of {event.card}", frozenset({event.slot})))
    elif kind is Reveal:
        table.hidden.pop(event.slot, None)
        table.cards[event.slot] = event.card
    elif kind is Attack:
        table.attacker = event.slot
        table.windows = (*table.windows, "block")
    elif kind is Block:
        table.spent |= {event.slot}
        table.windows = table.windows[:-1]
    elif kind is Boost:
        table.bonus[event.slot] = table.bonus.get(event.slot, 0) + event.by
        table.windows = (*table.windows, "boost")
    elif kind is Pass:
        table.windows = table.windows[:-1]
    elif kind is State:
        table.holes.state(event.strength)


def undone(event: Any, resolved: Any, table: Table, hearing: Any, fault: Fault) -> None:
    if type(event) is Reveal:
        table.hidden.pop(event.slot, None)
    elif type(event) is Block:
        table.windows = table.windows[:-1]


@rule("CARD-PRICE", "A hidden card", chapter="Cards", source="toy", events=["reveal"], kinds=["illegal"])
def a_hidden_card_was_paid_for(event: Reveal, resolved: Any, table: Table, hearing: Any) -> Any:
    """A card played face down costs its strength, to be shown when it is revealed."""
    if event.slot not in table.hidden:
        return None
    seq, paid = table.hidden[event.slot]
    if paid >= STRENGTH[event.card]:
        return RAN
    said = f"{event.card} was played for {paid}."
    return [Fault("CARD-PRICE", "illegal", said, (event.slot,), claimed=paid, rests_on=(), seq=seq)]


@rule(
    "CARD-BLOCK", "A blocker", chapter="Fights", source="toy", events=["block"], kinds=["illegal"], readings=["R-EQUAL"]
)
def a_blocker_is_stronger(event: Block, resolved: Any, table: Table, hearing: Any) -> Any:
    """A card blocks only one that is weaker."""
    mine, theirs = table.strength(event.slot), table.strength(table.attacker or "")
    if mine is None or theirs is None:
        return [Note("unverifiable", "Nobody knows what blocks what.", "CARD-BLOCK")]
    if mine > theirs or (mine == theirs and hearing.ask("R-EQUAL") == "equal_blocks"):
        return RAN
    said = f"{event.slot} is too weak to block."
    return [Fault("CARD-BLOCK", "illegal", said, (event.slot,), rests_on=(event.slot, table.attacker))]


@rule("CARD-SPENT", "A blocker blocks once", chapter="Fights", source="toy", events=["block"], kinds=["illegal"])
def a_blocker_blocks_once(event: Block, resolved: Any, table: Table, hearing: Any) -> Any:
    """A card that has blocked does not block again."""
    if event.slot in table.spent:
        return [Fault("CARD-SPENT", "illegal", f"{event.slot} blocked before.", (event.slot,), rests_on=())]
    return RAN


@rule("CARD-WINDOW", "A window", chapter="Fights", source="toy", events=["block", "boost", "pass"], kinds=["illegal"])
def the_innermost_window_comes_first(event: Any, resolved: Any, table: Table, hearing: Any) -> Any:
    """A block answers an attack; a boost answers an attack or another boost; the inner window is closed first."""
    fits = {Block: ("block",), Boost: ("block", "boost"), Pass: ("block", "boost")}[type(event)]
    if table.windows and table.windows[-1] in fits:
        return RAN
    said = f"Nothing is open for a {type(event).__name__.lower()}."
    return [Fault("CARD-WINDOW", "illegal", said, rests_on=())]


@rule(
    "CARD-DAMAGE",
    "Damage",
    chapter="Fights",
    source="toy",
    events=["damage"],
    kinds=["miscalculated"],
    readings=["R-BOOST"],
)
def damage_is_strength(event: Damage, resolved: Any, table: Table, hearing: Any) -> Any:
    """A card deals its strength."""
    if event.claimed is None:
        hearing.not_claimed()
        return RAN
    if event.claimed == resolved.value:
        return RAN
    said = f"{event.slot} deals {resolved.value}, not {event.claimed}."
    return [
        Fault(
            "CARD-DAMAGE",
            "miscalculated",
            said,
            (event.slot,),
            claimed=event.claimed,
            recomputed=resolved.value,
            figures=(resolved,),
            rests_on=(event.slot,),
        )
    ]


@rule("CARD-LIMIT", "The end of a player", chapter="Fights", source="toy", events=["attack"], kinds=["illegal"])
def nobody_attacks_a_loser(event: Attack, resolved: Any, table: Table, hearing: Any) -> Any:
    """Who has taken 5 damage has lost, and is not attacked."""
    if table.dealt < 5:
        return RAN
    return [Fault("CARD-LIMIT", "illegal", "The game was over.", rests_on=(), recomputed=table.dealt)]


def one_fault_a_block(event: Any, position: Any, faults: list[Fault]) -> list[list[Fault]]:
    """One act gives one fault; the other rules that it breaks are named with it."""
    return [faults]


def draw(table: Table, event: Any) -> dict[str, Any]:
    """The cards on the table as data, without a text: a report that does not know the kind lists the fields."""
    return {"kind": "toy-cards", "cards": sorted(table.cards.items()), "windows": list(table.windows)}


def marks(event: Any, table: Table) -> list[dict[str, Any]]:
    slot = getattr(event, "slot", "")
    return [{"mark": "card", "slot": slot, "label": type(event).__name__.lower()}] if slot else []


def moment(event: Any, table: Table) -> Moment:
    told = "Battle 3, sector 2"
    return {"part": told, "short": "B3.2", "text": f"{told}, {len(table.windows)} windows open"}


CARDS = Ruleset(
    key="cards",
    title="Cards",
    version="1",
    events={
        Play: "play",
        Reveal: "reveal",
        Attack: "attack",
        Block: "block",
        Boost: "boost",
        Pass: "pass",
        Damage: "damage",
        State: "position",
        Undo: "undo",
    },
    rules=(
        a_hidden_card_was_paid_for,
        a_blocker_is_stronger,
        a_blocker_blocks_once,
        the_innermost_window_comes_first,
        damage_is_strength,
        nobody_attacks_a_loser,
    ),
    readings=(
        Reading("R-EQUAL", "Equal?", (Option("stronger", "no"), Option("equal_blocks", "yes")), "stronger"),
        Reading("R-BOOST", "Boosts?", (Option("block_only", "no"), Option("damage_too", "yes")), "block_only"),
    ),
    opening=lambda record: Table(),
    resolve=resolve,
    adopt=adopt,
    undone=undone,
    right=lambda event, fault: replace(event, claimed=None) if fault.kind == "miscalculated" else event,
    about=lambda event, position: position.strength(event.slot) if type(event) is Damage else None,
    facts=lambda table: {"damage": table.dealt, "windows": list(table.windows)},
    draw=draw,
    describe=lambda event, table: type(event).__name__,
    unfinished=lambda table: ["a window is open."] if table.windows else [],
    moment=moment,
    ends=frozenset(),
    marks=marks,
    group=one_fault_a_block,
)
