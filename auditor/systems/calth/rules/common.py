"""What the rules share: how one is declared, marks for its evidence, and when an activation is over."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from auditor.core.findings import Evidence, Figure, Remark
from auditor.core.ruleset import Check, Rule, Topics
from auditor.core.ruleset import rule as core_rule
from auditor.core.rulings import Hearing
from auditor.geometry.hexes import Hex
from auditor.systems.calth.reckoning.claims import WrongTps, claims_of_tps, wrong_tps
from auditor.systems.calth.reckoning.views import View
from auditor.systems.calth.records import End, Event
from auditor.systems.calth.state import Position
from auditor.systems.calth.words import names

SOURCE = "Betrayal at Calth rules summary, as restated in the Calth catalogue"

Seen = Sequence[Remark] | None
"""What a check sees: None where it had nothing to look at."""


def rule(
    rule_id: str,
    title: str,
    *,
    section: int,
    events: Iterable[str],
    kinds: Iterable[str],
    readings: Iterable[str] = (),
    when: Mapping[str, Topics] | None = None,
    finds: Mapping[str, Topics] | None = None,
    beside: str | None = None,
) -> Callable[[Check], Rule]:
    """Declare a rule of this game; `section` is that of the catalogue, `when`, `finds` and `beside` as in the core (see
    `resolve.topics`)."""
    return core_rule(
        str(rule_id),
        title,
        chapter=CHAPTERS[section],
        source=f"{SOURCE}, section {section}",
        events=events,
        kinds=kinds,
        readings=readings,
        when=when,
        finds=finds,
        beside=beside,
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


def tp_faults(
    under: Rule,
    event: Event,
    view: View,
    position: Position,
    hearing: Hearing,
    words: Callable[[WrongTps], str],
    *,
    actor: bool = False,
) -> list[Remark]:
    """The claims of TPs that a rule compares and that are wrong. The numbers are those of the unit's side; with `actor`
    those of the player of the event.
    """
    claimed = claims_of_tps(under.id, event, view, position, hearing)
    if not claimed:
        return []
    return [
        under.fault(
            wrong.kind,
            words(wrong),
            wrong.name,
            "tp",
            player="" if actor else wrong.unit.side if wrong.unit is not None else side_of(view, event),
            claimed=wrong.claimed,
            recomputed=wrong.recomputed,
            evidence=unit_marks(position, wrong.name, label=f"{wrong.due} TPs"),
        )
        for wrong in wrong_tps(claimed)
    ]


def side_of(view: View, event: Event) -> str | None:
    """The side of the unit that acts, else the player of the event."""
    return view.actor.side if view.actor is not None else event.player


def said_of(wrong: WrongTps) -> str:
    """What the log claims of a unit's TPs, in words: `the log gives 2`."""
    values = list(dict.fromkeys(wrong.claimed.values()))
    return f"the log gives {names(str(value) for value in values)}"


def dice_of(what: str, shown: str) -> Figure:
    """Faces as they lie, to be drawn as dice."""
    return Figure(f"faces of {what}", shown)


def bulk_of(position: Position, models: Iterable[str]) -> Figure:
    """The bulk of models in one hex, as a sum."""
    known = position.table.models
    parts = tuple((f"bulk of {model}", known[model].bulk) for model in models if model in known)
    return Figure("bulk", sum(bulk for _, bulk in parts), parts)


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


CLOSING = ("activate", "pass", "round_end", "scenario_end", "initiative", "end")
"""Events at which an open activation may be over, so that what it owed and did not do is omitted."""

AT_CLOSING: Mapping[str, Topics] = dict.fromkeys(CLOSING, ("during an Assault",))
"""For rules to which such an event matters only if the activation is an Assault."""


def closes(event: Event, view: View) -> bool:
    """Whether this event ends the open activation: an `end` may cut play short, an initiative may be recorded late."""
    if isinstance(event, End):
        return event.reason == "finished"
    return view.late is None
