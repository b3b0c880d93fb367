"""One pass over a log: each event judged, then adopted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from auditor.conformance.hcg.referee.board import Reader
from auditor.conformance.hcg.referee.course import Faults
from auditor.conformance.hcg.referee.found import JUDGED, Found, NotJudged
from auditor.conformance.hcg.referee.positions import Positions
from auditor.conformance.hcg.table import PLAYERS, Event, other
from auditor.conformance.inventor import NOT_JUDGED

LEFT_OUT = ("HCG-VIC-06", "HCG-END-02")
"""What a terse record may leave out: hands are discarded and ships are rallied all the same."""
ENDS_TOO_EARLY = ("HCG-WIN-03", "HCG-WIN-04")
WHERE = ("turn", "battle", "ba")
SILENT = ("remark",)
STATED = ("position", "judge")
"""Events that are no part of play."""


class Referee(Positions):
    """The table, and what is said of each event."""

    def event(self, event: Event) -> Faults:
        """The faults of an event; then the table is as the event says. Raises NotJudged where it cannot be followed."""
        type_ = event.get("type")
        if type_ in SILENT:
            return
        judge = getattr(self, f"on_{str(type_).replace('.', '_')}", None)
        if judge is None:
            raise NotJudged(f"{type_} is not followed")
        holds = {player: bool(self.zone(player, "deck")) for player in PLAYERS}
        yield from self.before(event)
        yield from self.are_the_same(event)
        if (
            event["type"].startswith("ba.")
            and event["type"] != "ba.end"
            and self.is_open
            and event.get("ba") == self.ba
        ):
            yield from self.is_within(event)
        else:
            yield from judge(Reader(self, event))
        for player in PLAYERS:
            if holds[player] and not self.zone(player, "deck"):
                self.ran_out = (player, self.seq)
        if not self.stops and type_ not in STATED:
            yield from self.is_numbered(event)

    def are_the_same(self, event: Event) -> Faults:
        """HCG-DOC-02 of the cards that an event shows. One that no set has is not judged here."""
        ids = event.get("ids")
        for name, card in dict(ids if isinstance(ids, dict) else {}).items():
            piece = self.pieces.get(name)
            if piece is not None and card in self.cards and card != piece.card.id:
                yield self.fault("DOC-02", "illegal", piece.owner)

    def judge(self, event: Event, lines: Sequence[Event]) -> list[Found]:
        """The faults of a numbered event of a log."""
        self.seq, self.to_come = event["seq"], list(lines[event["seq"] + 1 :])
        return [one for one in self.event(event) if not self.is_implied(one)]

    def is_implied(self, found: Found) -> bool:
        """Whether a terse record only leaves an act out (catalogue 1.4). Raises NotJudged where nobody can tell."""
        if not self.is_terse or found.kind != "omitted" or found.rule in ENDS_TOO_EARLY:
            return False
        if found.rule not in LEFT_OUT:
            raise NotJudged("what a terse record leaves out may have been done")
        return True

    def is_within(self, event: Event) -> Faults:
        """A battle action that says it is part of the one that is open: HCG-CHG-02 or HCG-WDR-03."""
        by, self.stops = event.get("by"), True
        if event["type"] == "ba.withdraw" and by == other(self.acting):
            yield self.fault("WDR-03", "illegal", by)
        elif event["type"] == "ba.assault" and self.opened_by == "ba.charge" and by == self.acting:
            yield self.fault("CHG-02", "illegal", by)
        else:
            raise NotJudged("a battle action within another one")

    def is_numbered(self, event: Event) -> Faults:
        """HCG-DOC-04 of the turn, battle and battle action that an event says it stands in."""
        here = {"turn": self.turn, "battle": self.battle, "ba": self.ba}
        for key in WHERE:
            if key not in event or (key == "ba" and self.step != "battle"):
                continue
            if type(event[key]) is not int:
                raise NotJudged(f"{key} is {event[key]!r}")
            if event[key] != here[key]:
                yield self.fault("DOC-04", "miscalculated", None)
                # Another turn is a slip of the pen; in another battle, or battle action, an event may belong there.
                self.stops = self.stops or key != "turn"


def check(lines: Sequence[Event], options: Mapping[str, str] | None = None) -> list[Found]:
    """What is wrong with a log (header first) in the rules of JUDGED, in its order.

    An entry of the kind NOT_JUDGED says from which event on nothing is judged (0: nothing at all).
    """
    found: list[Found] = []
    played: list[Event] = []
    seq = 0
    try:
        referee = Referee(lines[0], options, lines[1:])
        found += referee.decks()
        for n, event in enumerate(lines[1:], 1):
            seq = event.get("seq", seq + 1)
            if seq != n:
                raise NotJudged("a number is missing")
            if event.get("type") == "undo":
                played = taken_back(played, event.get("to"))
                found = [one for one in found if one.seq in {0, *(kept["seq"] for kept in played)}]
                referee = Referee(lines[0], options, lines[1:])
                for kept in played:
                    list(referee.judge(kept, lines))
                continue
            if referee.stops:
                raise NotJudged("nothing can be followed from here")
            played.append({**event, "seq": seq})
            found += referee.judge(played[-1], lines)
    except NotJudged as why:
        found.append(Found(seq, str(why), NOT_JUDGED, None))
    return [one for one in found if one.kind == NOT_JUDGED or one.rule in JUDGED]


def taken_back(played: list[Event], to: object) -> list[Event]:
    """The events that still stand after an `undo`. Raises NotJudged where it goes back to none of them."""
    kept = next((n for n, event in enumerate(played, 1) if event["seq"] == to), None)
    if kept is None:
        raise NotJudged("play goes back to an event that does not stand")
    return played[:kept]
