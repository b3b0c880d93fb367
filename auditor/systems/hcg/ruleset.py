"""The card game as the core sees it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from auditor.core.findings import Fault
from auditor.core.holes import Hole
from auditor.core.naming import Named, players_in
from auditor.core.ruleset import Ruleset
from auditor.systems.guide import remedy
from auditor.systems.hcg import records
from auditor.systems.hcg.adopt import FOLLOWED, about, adopt, right, undone
from auditor.systems.hcg.aftermath import aftermath, gain, rightly
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.position.state import opening as first_position
from auditor.systems.hcg.position.table import Table
from auditor.systems.hcg.position.watched import watched
from auditor.systems.hcg.readings import READINGS
from auditor.systems.hcg.reckoning.resolve import resolve, topics
from auditor.systems.hcg.reckoning.restated import stated
from auditor.systems.hcg.reckoning.unread import may_allow
from auditor.systems.hcg.reckoning.weight import size, weight
from auditor.systems.hcg.rules import CATALOGUE, RULES
from auditor.systems.hcg.show.draw import draw, facts, moment, unfinished
from auditor.systems.hcg.show.marks import marks
from auditor.systems.hcg.show.telling import describe

VERSION = "0.6.0"


def opening(record: Any) -> Position:
    """The position before the first event. A record that begins within a turn and states no position leaves all open."""
    position = first_position(recorded(record))
    first = next((one for one in record.events if not isinstance(one, records.Remark)), None)
    if first is not None and type(first) not in MAY_BEGIN:
        why = "the record begins within a game: neither its set-up nor a position comes first"
        position.holes.open(Hole(0, why))
    position.table.doubt_strangers(0, position.holes)
    return position


MAY_BEGIN = frozenset(
    {
        records.SetupShuffle,
        records.SetupReveal,
        records.SetupCoin,
        records.SetupRole,
        records.SetupPlanet,
        records.TurnStart,
        records.PhaseStart,
        records.DeployFirst,
        records.Position,
        records.Judge,
        records.Undo,
        records.GameEnd,
        records.End,
    }
)
"""With what a record begins that holds a game from its set-up on, or states where it stands (catalogue 5)."""


def by_act(event: records.Event, position: Position, faults: list[Fault]) -> list[list[Fault]]:
    """One act gives one finding (catalogue 1.1): the rule of the act first, the others in its `also`.

    What is left out is an act of its own each time. What an event does wrong about one thing is one act.
    """
    acts: dict[tuple[Any, ...], list[Fault]] = {}
    for n, fault in enumerate(faults):
        alone = fault.kind == "omitted" or fault.seq is not None
        player = event.by if fault.player == "" else fault.player
        acts.setdefault((n,) if alone else ("act", player), []).append(fault)
    return list(acts.values())


_ORDER = (
    "HCG-OPT-01",
    "HCG-BA-02",
    "HCG-TAC-08",
    "HCG-OPT-03",
    "HCG-SHIP-03",
    "HCG-SHIP-02",
    "HCG-SHIP-05",
    "HCG-INF-01",
    "HCG-BAA-02",
    "HCG-DES-03",
    "HCG-DMG-03",
    "HCG-POS-04",
    "HCG-CHG-02",
    "HCG-SHOOT-04",
    "HCG-VS-02",
    "HCG-VS-01",
    "HCG-VS-03",
    "HCG-STAT-01",
    "HCG-TAC-06",
    "HCG-SWEEP-05",
    "HCG-SWEEP-06",
    "HCG-SETUP-05",
    "HCG-DECK-04",
    "HCG-FW-05",
    "HCG-FW-04",
    "HCG-FW-02",
)
"""Rules that name a fault more closely than those that come before them in the catalogue."""
_AFTER = {
    "HCG-BA-05": ("HCG-POS-02", "HCG-POS-03", "HCG-POS-05"),
    "HCG-BA-06": ("HCG-BA-04",),
    "HCG-DMG-04": ("HCG-DMG-02",),
    "HCG-END-03": ("HCG-VIC-09",),
    "HCG-KEY-01": ("HCG-X-01",),
    "HCG-SWEEP-04": ("HCG-ASLT-04",),
}
"""Rules that come later than in the catalogue, by the rule that they come after: the rule of an act comes before the
general one, and both before those of a procedure (catalogue 1.1); what was chosen comes before the number it gives."""
_ELSEWHERE = {*_ORDER, *(late for those in _AFTER.values() for late in those)}
PRECEDENCE = (
    *_ORDER,
    *(one for name in CATALOGUE if name not in _ELSEWHERE for one in (name, *_AFTER.get(name, ()))),
)
"""Of the rules that one act breaks the first is the one by which it is told."""


def names(position: Position) -> Mapping[str, Named]:
    """The players by their names, the cards that the log has shown by their titles, those too that were
    shuffled into a deck since."""
    found = {player: Named(name) for player, name in players_in(position.table.header).items()}
    for instance in (*position.at, *(one for one in position.card if one not in position.at)):
        card = position.card_of(instance)
        if card is not None:
            found[instance] = Named(card.title, beside=True, of=position.owner.get(instance, ""))
    return found


def recorded(record: Any) -> Table:
    """The table, which knows what the lines of a record tell as a whole."""
    return Table(record.setup, record.header, record.events)


def retold(position: Position, table: Table) -> None:
    """The position goes on in another record of the game."""
    position.table = table
    position.kept = None


RULESET = Ruleset(
    key="hcg",
    title="Horus Heresy card game",
    version=VERSION,
    # What is not followed yet is unknown to the core: it makes an audit incomplete.
    events={
        kind: name
        for name, kind in records.EVENTS.items()
        if kind in FOLLOWED or kind in (records.Undo, records.Remark)
    },
    rules=RULES,
    readings=READINGS,
    opening=opening,
    resolve=resolve,
    adopt=adopt,
    undone=undone,
    right=right,
    about=about,
    facts=facts,
    draw=draw,
    marks=marks,
    describe=describe,
    unfinished=unfinished,
    moment=moment,
    ends=frozenset({"end", "game.end"}),
    recorded=recorded,
    retold=retold,
    topics=topics,
    aftermath=aftermath,
    rightly=rightly,
    gain=gain,
    names=names,
    remedy=partial(remedy, "auditor.systems.hcg"),
    fields={"tainted_by": "texts that could not be read and fed a number"},
    group=by_act,
    precedence=PRECEDENCE,
    watched=lambda event, resolved, position, cells, hearing: (watched(position, cells), resolved),
    stated=stated,
    unread=may_allow,
    weight=weight,
    size=size,
)
