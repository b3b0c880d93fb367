"""What the chapters share: making faults, words for hexes and units, moves of one step, and what is owed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from auditor.core.findings import Evidence, Fact, Fault, Figure, Kind
from auditor.core.ruleset import Check, Rule, Topics
from auditor.core.ruleset import rule as core_rule
from auditor.geometry.hexes import DIRECTIONS, Hex
from auditor.systems.calth.state import OTHER, Activation, Position, Unit, side_key

SOURCE = "Betrayal at Calth rules summary, as restated in the Calth catalogue"

NO_FACTS: tuple[Fact, ...] = ()
"""For faults that can be told from the event alone."""


def rule(
    rule_id: str,
    title: str,
    *,
    section: int,
    events: Iterable[str],
    kinds: Iterable[str],
    readings: Iterable[str] = (),
    when: Mapping[str, Topics] | None = None,
) -> Callable[[Check], Rule]:
    """Declare a rule of this game; `section` is that of the catalogue, `when` as in the core (see `resolve.topics`)."""
    return core_rule(
        rule_id,
        title,
        chapter=CHAPTERS[section],
        source=f"{SOURCE}, section {section}",
        events=events,
        kinds=kinds,
        readings=readings,
        when=when,
    )


CHAPTERS = {
    1: "Findings and the record",
    6: "Dice, set-up, campaign",
    7: "Round structure",
    8: "Map",
    9: "Movement actions",
    10: "Assault",
    11: "Shooting and line of sight",
    12: "Attack resolution",
    13: "Weapons and critical effects",
    14: "Wargear",
    15: "Sor Gharax",
}


def fault(
    rule_id: str,
    kind: Kind,
    text: str,
    *subject: str,
    player: str | None = "",
    claimed: Any = None,
    recomputed: Any = None,
    figures: Sequence[Figure] = (),
    rests_on: tuple[Fact, ...] | None = None,
    evidence: Callable[[], Evidence] | None = None,
    seq: int | None = None,
    would_be: Kind | None = None,
) -> Fault:
    return Fault(
        rule_id,
        kind,
        text,
        subject,
        player,
        claimed,
        recomputed,
        tuple(figures),
        rests_on,
        seq,
        (),
        evidence,
        would_be,
    )


def illegal(rule_id: str, text: str, *subject: str, **more: Any) -> Fault:
    return fault(rule_id, "illegal", text, *subject, **more)


def miscalculated(
    rule_id: str, text: str, *subject: str, claimed: Mapping[str, Any], recomputed: Mapping[str, Any], **more: Any
) -> Fault:
    return fault(rule_id, "miscalculated", text, *subject, claimed=dict(claimed), recomputed=dict(recomputed), **more)


def omitted(rule_id: str, text: str, *subject: str, **more: Any) -> Fault:
    return fault(rule_id, "omitted", text, *subject, **more)


def ambiguous(rule_id: str, text: str, *subject: str, **more: Any) -> Fault:
    return fault(rule_id, "ambiguous", text, *subject, **more)


def missing(rule_id: str, fields: Iterable[str], *subject: str, player: str | None = "") -> Fault:
    """The log lacks facts that the rule needs (CAL-AUD-04)."""
    named = list(fields)
    what = " and ".join(named)
    return ambiguous(rule_id, f"The record does not state {what}, so this cannot be judged.", *subject, player=player)


def at(hex_: Hex | None) -> str:
    """A hex in words: `7,5`."""
    return "an unknown hex" if hex_ is None else f"{hex_[0]},{hex_[1]}"


def count(n: int, one: str, many: str | None = None) -> str:
    """`1 die`, `3 dice`."""
    return f"{n} {one if n == 1 else many or one + 's'}"


def noun(n: int, one: str) -> str:
    """`die` or `dice`, as the number of them asks."""
    return one if n == 1 else {"die": "dice"}.get(one, f"{one}s")


def dice_of(what: str, shown: str) -> Figure:
    """Faces as they lie, to be drawn as dice."""
    return Figure(f"faces of {what}", shown)


def names(ids: Iterable[str]) -> str:
    """Ids in a sentence: `a1, a2 and a3`."""
    listed = list(ids)
    if len(listed) < 2:
        return "".join(listed)
    return ", ".join(listed[:-1]) + " and " + listed[-1]


PLAYERS = {"UM": "the Ultramarines", "WB": "the Word Bearers"}
THE = {"UM": "The Ultramarines", "WB": "The Word Bearers"}


def are_neighbours(a: Hex, b: Hex) -> bool:
    """Whether two hexes share a hexside, whatever stands on it."""
    return (b[0] - a[0], b[1] - a[1]) in DIRECTIONS


def step_problems(position: Position, start: Hex, end: Hex) -> list[tuple[str | None, str]]:
    """Why one step from hex to hex cannot be made by any model, as (map rule that it breaks or None, words).

    Occupied hexes are not looked at here: what they mean differs between the actions.
    """
    if end in position.adjacent(start):
        return []
    table = position.table
    problems: list[tuple[str | None, str]] = []
    zone = table.zone_of(end)
    if zone == "blocked":
        problems.append(("CAL-HEX-01", f"{at(end)} is blocked"))
    elif zone == "off":
        problems.append(("CAL-HEX-02", f"{at(end)} is no hex of the board"))
    if not are_neighbours(start, end):
        problems.append((None, f"{at(end)} is not adjacent to {at(start)}"))
    else:
        side = side_key(start, end)
        if side in position.sealed:
            problems.append(("CAL-HEX-05", f"a sealed door stands between {at(start)} and {at(end)}"))
        elif side in table.obstructions:
            problems.append((None, f"an obstruction stands between {at(start)} and {at(end)}"))
    return problems


def unit_at_start(position: Position, event: Any) -> Unit | None:
    """The unit that a move is about: by its label, else by the hex where the path starts."""
    unit = position.units.get(event.unit) if event.unit is not None else None
    if unit is None and getattr(event, "path", None):
        found = position.by_hex.get(event.path[0])
        if found is not None and (event.player is None or found.side == event.player):
            return found
    return unit


def move_marks(path: Sequence[Hex] | None, ok: bool, label: str) -> Callable[[], Evidence]:
    """A move drawn as an arrow."""
    return lambda: {
        "marks": [{"mark": "move", "path": [list(h) for h in path or ()], "ok": ok, "label": label}],
    }


def hex_marks(*hexes: Hex, how: str = "bad", label: str = "") -> Callable[[], Evidence]:
    return lambda: {"marks": [{"mark": "hex", "hex": list(h), "label": label, "how": how} for h in hexes]}


def unit_marks(position: Position, *ids: str | None, label: str = "") -> Callable[[], Evidence]:
    def draw() -> Evidence:
        units = [position.units[i] for i in ids if i in position.units]
        return {"marks": [{"mark": "unit", "unit": u.id, "hex": list(u.hex), "label": label} for u in units]}

    return draw


def retreat_due(act: Activation, position: Position, hearing: Any) -> bool:
    """Whether the target of an Assault has to retreat (CAL-RET-01)."""
    if act.target_hex is None or not act.attacked:
        return False
    unit = position.by_hex.get(act.target_hex)
    if unit is None or unit.side == act.side:
        return False
    lost, other = assault_losses(act, OTHER[act.side], hearing), assault_losses(act, act.side, hearing)
    return lost > other


def assault_losses(act: Activation, side: str, hearing: Any) -> int:
    """Models that a side's unit lost in the melee attacks of this action."""
    locations = act.locations[side]
    if locations and hearing.ask("R-SOR-CAS") == "locations_count":
        return act.losses[side] + locations
    return act.losses[side]


def retreat_room(position: Position, start: Hex, side: str, bulk: int) -> list[Hex]:
    """Hexes that a retreating model may enter now: adjacent, not beside an enemy, with room (CAL-RET-02)."""
    found: list[Hex] = []
    for hex_ in sorted(position.adjacent(start)):
        there = position.by_hex.get(hex_)
        if there is not None and there.side != side:
            continue
        if position.next_to_enemy(hex_, side) or position.room(hex_) < bulk:
            continue
        found.append(hex_)
    return found


CLOSING = ("activate", "pass", "round_end", "scenario_end", "initiative", "card_draw", "tp_refresh", "end")
"""Events at which an open activation is over, so that what it owed and did not do is omitted."""

AT_CLOSING: Mapping[str, Topics] = dict.fromkeys(CLOSING, ("during an Assault",))
"""For rules to which such an event matters only if the activation is an Assault."""


def closes(event: Any, position: Position) -> bool:
    """Whether this event ends the open activation: a card may be drawn by an effect, and an `end` may cut play short."""
    kind = type(event).__name__
    if kind == "End":
        return bool(event.reason == "finished")
    return kind != "CardDraw"
