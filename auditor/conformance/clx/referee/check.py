"""One pass over a log: each event judged, then adopted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from auditor.conformance.clx.referee.board import Reader
from auditor.conformance.clx.referee.found import JUDGED, Found, NotJudged
from auditor.conformance.clx.referee.wrecks import Wrecks
from auditor.conformance.clx.table import Json
from auditor.conformance.inventor import NOT_JUDGED

SILENT = ("remark", "note")


class Referee(Wrecks):
    """The table, and what is said of each event."""

    def event(self, event: Json) -> list[Found]:
        """The faults of an event; then the table is as the event says. Raises NotJudged where it cannot be followed."""
        type_ = event.get("type")
        if type_ in SILENT:
            return []
        judge = getattr(self, f"on_{type_}", None)
        if judge is None:
            raise NotJudged(f"{type_} is not followed")
        at = Reader(self, event)
        found = [*self.perils_are_left_out(at), *self.attack_ends(at)]
        if not self.stops:
            found += self.stands_right(at)
        if not self.stops:
            found += judge(at)
        if len(found) > 1 and any(one.rule == "CLX-LOG-03" for one in found):
            raise NotJudged("dice that are wrong, and more")
        return found


def check(lines: Sequence[Json], options: Mapping[str, str] | None = None) -> list[Found]:
    """What is wrong with a log (header first) in the rules of JUDGED, in its order.

    An entry of the kind NOT_JUDGED says from which event on nothing is judged (0: nothing at all).
    """
    found: list[Found] = []
    n = 0
    try:
        referee = Referee(lines[0], options)
        found += referee.powers_are_lawful()
        for n, event in enumerate(lines[1:], 1):
            if event.get("seq", n) != n:
                raise NotJudged("a number is missing")
            if referee.stops and event.get("type") not in SILENT:
                raise NotJudged("nothing can be followed from here")
            referee.seq = n
            found += referee.event(event)
    except NotJudged as why:
        # Whether dice that are lacking come later is not known where nothing later is followed.
        n = min([n, *(one.seq for one in referee.lacking)]) if n else n
        found = [*(one for one in found if one.seq < n), Found(n, str(why), NOT_JUDGED, None)]
    judged = [one for one in found if one.kind == NOT_JUDGED or one.rule in JUDGED]
    return sorted(judged, key=lambda one: one.seq)
