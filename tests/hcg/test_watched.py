"""What a fault rests on is what its check read: a watched position tells it, and is else the position it is made of."""

from __future__ import annotations

from typing import Any

import pytest

from auditor.core.findings import ACCUSATIONS, Fault
from auditor.core.look import Looks
from auditor.systems.hcg.position.parts import Bonus
from auditor.systems.hcg.position.places import At
from auditor.systems.hcg.position.state import Position, opening
from auditor.systems.hcg.position.watched import CELLS, unlisted, watched
from tests.examples import Example
from tests.hcg.examples import example, examples, judged, record_of

DOUBTED = examples("ambiguous")


def position_of_an_example() -> Position:
    from auditor.systems.hcg.position.table import Table

    record = record_of(example("HCG-SHOOT-01/illegal").log)
    return opening(Table(record.setup, record.header, record.events))


@pytest.mark.parametrize(
    ("ask", "cells"),
    [
        (lambda position: position.at.get("c1"), {("at", "c1")}),
        (lambda position: position.count("p1", "discard"), {("zone", "p1", "discard", None), ("at", "c1")}),
        (lambda position: position.phase, {"phase"}),
        (lambda position: position.roles, {"roles"}),
        (lambda position: position.deck_n.get("p1"), {("deck", "p1")}),
        (lambda position: position.sectors[2].state, {("sector", 2)}),
        (lambda position: position.open_slots(), {"sectors", ("sector", 1), ("sector", 2), ("sector", 3)}),
        (lambda position: position.bonuses, {"bonuses", "granted"}),
        (lambda position: position.flag_changes, {"flags"}),
        (lambda position: position.copy().phase, {"phase"}),
        (lambda position: position.table.players, set()),
    ],
)
def test_a_watched_position_tells_what_is_asked_of_it(ask: Any, cells: set[Any]) -> None:
    position = position_of_an_example()
    position.at["c1"] = At("discard", "p1")
    position.bonuses = (Bonus("c1", "speed", 1, "battle", None, 1),)
    asked: set[Any] = set()
    twin = watched(position, asked)
    assert ask(twin) == ask(position)
    assert asked == cells


def test_nothing_is_asked_of_a_position_before_a_check_looks() -> None:
    asked: set[Any] = set()
    watched(position_of_an_example(), asked)
    assert asked == set()


def as_told(one: Any) -> tuple[Any, Any, Any]:
    """What a check sees, the line that is due, and before which event one may be missing; without what it is shown by."""
    if not isinstance(one, Fault):
        return one, None, None
    return one.without_evidence()._replace(due=None, lacks=None), one.due and one.due(), one.lacks and one.lacks.seq


@pytest.mark.parametrize("example", DOUBTED, ids=str)
def test_a_check_sees_the_same_on_a_watched_position(example: Example, monkeypatch: pytest.MonkeyPatch) -> None:
    """In every event of every example in which something is in doubt, whether or not it accuses."""
    watching, seen = Looks.doubted, 0

    def doubted(self: Looks, event: Any, look: Any, resolved: Any, position: Any) -> Any:
        nonlocal seen
        cells: set[Any] = set()
        twin = watched(position, cells)
        again = self._all_of(look.slot, look.check(event, resolved, twin, self.terms.hearing(look.asked)) or ())
        faults = list(map(as_told, again))
        assert faults == list(map(as_told, look.seen))
        assert unlisted(cells) == []
        seen += any(isinstance(one, Fault) and one.kind in ACCUSATIONS for one in again)
        return watching(self, event, look, resolved, position)

    monkeypatch.setattr(Looks, "doubted", doubted)
    judged(example.log)


def test_a_hole_is_made_of_cells_that_a_position_has(monkeypatch: pytest.MonkeyPatch) -> None:
    from auditor.core.holes import Hole, Holes

    opened: set[Any] = set()
    stated: set[Any] = set()
    open_, state = Holes.open, Holes.state

    def opens(self: Holes, hole: Hole) -> None:
        opened.update(hole.facts or ())
        open_(self, hole)

    def states(self: Holes, facts: Any) -> None:
        facts = list(facts)
        stated.update(facts)
        state(self, facts)

    monkeypatch.setattr(Holes, "open", opens)
    monkeypatch.setattr(Holes, "state", states)
    counted = example("HCG-X-01/legal-the-number-of-flag-units").log
    del counted["events"][0]["zones"]  # What its X is counted from is not known then.
    for log in (*(one.log for one in DOUBTED), counted):
        judged(log)
    assert unlisted(opened | stated) == []
    assert {cell if isinstance(cell, str) else cell[0] for cell in opened | stated} >= set(CELLS) - {"drawn", "reveals"}
