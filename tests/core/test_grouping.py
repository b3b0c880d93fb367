"""Games that report one fault an act: each rule keeps its own readings, and what belongs together is grouped after."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from auditor.core.findings import Fault
from auditor.core.ruleset import Ruleset, rule
from auditor.core.rulings import Option, Reading
from tests.core.cards import CARDS, Attack, Block, Play
from tests.core.helpers import audited, brief, numbered
from tests.core.machines import MACHINE, Act

EVENTS = 300


def by_act(event: Any, position: Any, faults: list[Fault]) -> list[list[Fault]]:
    return [faults]


def each_asks_its_own(count: int, calls: Counter[str], **more: Any) -> Ruleset:
    """A game of `count` rules; each asks one reading of its own, of two options, and sees a fault under one of them."""

    def one(n: int) -> Any:
        @rule(f"X-{n}", "X", chapter="X", source="toy", events=["act"], kinds=["illegal"], readings=[f"R-{n:02}"])
        def check(event: Any, resolved: Any, position: Any, hearing: Any) -> Any:
            """A rule."""
            calls[f"X-{n}"] += 1
            if hearing.ask(f"R-{n:02}") == "strict":
                return [Fault(f"X-{n}", "illegal", "Wrong.", rests_on=())]
            return ()

        return check

    options = (Option("strict", "strict"), Option("lenient", "lenient"))
    return replace(
        MACHINE,
        rules=tuple(one(n) for n in range(count)),
        readings=tuple(Reading(f"R-{n:02}", "?", options, "strict") for n in range(count)),
        **more,
    )


@pytest.mark.parametrize("count", [1, 2, 4, 8, 16])
def test_grouping_costs_no_call_and_loses_no_fault(count: int) -> None:
    calls: Counter[str] = Counter()
    game = each_asks_its_own(count, calls, group=by_act)
    value = audited(game, numbered(*(Act(0, 0, ("is", 0)) for _ in range(EVENTS))))
    assert sum(calls.values()) == 2 * count * EVENTS, "one call for each option of each rule's own reading"
    assert sum(1 + len(finding["also"]) for finding in value["findings"]) == count * EVENTS


def test_faults_of_one_act_that_hold_alike_are_one_finding() -> None:
    def always(rule_id: str) -> Any:
        def check(event: Any, resolved: Any, position: Any, hearing: Any) -> Any:
            """A rule."""
            return [Fault(rule_id, "illegal", "Wrong.", rests_on=())]

        return rule(rule_id, "X", chapter="X", source="toy", events=["act"], kinds=["illegal"])(check)

    game = each_asks_its_own(2, Counter(), group=by_act)
    game = replace(game, rules=(*game.rules, *map(always, ("Y-1", "Y-2", "Y-3"))))
    value = audited(game, numbered(Act(0, 0, ("is", 0))))
    found = {finding["rule"]: (finding["also"], finding["scope"]["kind"]) for finding in value["findings"]}
    assert found == {
        "X-0": ([], "only_under"),
        "X-1": ([], "only_under"),
        "Y-1": (["Y-2", "Y-3"], "every_reading"),
    }


def test_an_accusation_is_not_hidden_behind_what_is_undecided() -> None:
    def check(rule_id: str, kind: Any) -> Any:
        def look(event: Any, resolved: Any, position: Any, hearing: Any) -> Any:
            """A rule."""
            return [Fault(rule_id, kind, "Wrong.", rests_on=())]

        return rule(rule_id, "X", chapter="X", source="toy", events=["act"], kinds=[kind])(look)

    game = replace(MACHINE, rules=(check("X-1", "ambiguous"), check("X-2", "illegal")), group=by_act)
    assert brief(audited(game, numbered(Act(0, 0, ("is", 0))))) == [
        ("X-1", 1, "ambiguous", False),
        ("X-2", 1, "illegal", True),
    ]


def told(*faults: Fault, **more: Any) -> list[tuple[str, list[str]]]:
    """What a game says whose rules see these faults in one event, each with what it is named beside."""

    def sees(rule_id: str) -> Any:
        def look(event: Any, resolved: Any, position: Any, hearing: Any) -> Any:
            """A rule."""
            return [fault for fault in faults if fault.rule == rule_id]

        kinds = {fault.kind for fault in faults}
        return rule(rule_id, "X", chapter="X", source="toy", events=["act"], kinds=kinds)(look)

    rules = tuple(map(sees, dict.fromkeys(fault.rule for fault in faults)))
    value = audited(replace(MACHINE, rules=rules, **more), numbered(Act(0, 0, ("is", 0))))
    return [(finding["rule"], finding["also"]) for finding in value["findings"]]


def fault(rule_id: str, kind: Any = "illegal", *subject: str, player: str = "A", **claimed: int) -> Fault:
    return Fault(rule_id, kind, "Wrong.", subject, player, claimed or None, rests_on=())


CHAIN = {"STEP": ("TURN",), "WALL": ("STEP",), "SEEN": ("STEP",)}
"""Whose turn it is comes before how far a step goes, and that before what stands in its way."""


@pytest.mark.parametrize(
    ("faults", "found"),
    [
        ([fault("WALL"), fault("STEP")], [("STEP", ["WALL"])]),
        ([fault("WALL"), fault("STEP"), fault("TURN")], [("TURN", ["WALL", "STEP"])]),
        ([fault("WALL"), fault("TURN")], [("TURN", ["WALL"])]),
        ([fault("WALL"), fault("OTHER")], [("OTHER", []), ("WALL", [])]),
        ([fault("WALL"), fault("STEP", player="B")], [("STEP", []), ("WALL", [])]),
        ([fault("WALL"), fault("STEP", "omitted")], [("STEP", []), ("WALL", [])]),
        ([fault("WALL", "illegal", "one"), fault("WALL", "illegal", "two"), fault("STEP")], [("STEP", ["WALL"])]),
        # One claim that is wrong, and what it allowed, are one act also where they are of two kinds.
        ([fault("SEEN", "miscalculated", sight=1), fault("STEP", sight=1)], [("STEP", ["SEEN"])]),
        ([fault("SEEN", "miscalculated", sight=1), fault("STEP", dice=1)], [("SEEN", []), ("STEP", [])]),
        (
            [fault("SEEN", "miscalculated", sight=1), fault("STEP", sight=1), fault("TURN")],
            [("TURN", ["SEEN", "STEP"])],
        ),
    ],
    ids=lambda value: " ".join(one.rule for one in value) if value and isinstance(value[0], Fault) else "",
)
def test_a_rule_that_gives_way_is_named_beside_the_one_that_speaks(faults: list[Fault], found: Any) -> None:
    assert told(*faults, gives_way=CHAIN) == found
    assert told(*reversed(faults), gives_way=CHAIN) == [(rule, sorted(also, key=order(faults))) for rule, also in found]


def order(faults: list[Fault]) -> Any:
    return [fault.rule for fault in reversed(faults)].index


def test_a_group_is_told_by_the_rule_that_comes_first() -> None:
    found = told(fault("X-1"), fault("Y-1"), fault("Y-2"), group=by_act, precedence=("Y-2", "Y"))
    assert found == [("Y-2", ["Y-1", "X-1"])]


def test_no_rule_gives_way_to_itself() -> None:
    with pytest.raises(ValueError, match="WALL gives way to itself"):
        replace(MACHINE, gives_way={"WALL": ("STEP",), "STEP": ("WALL",)})


def test_a_group_is_gone_only_where_all_of_it_is() -> None:
    """A second block that is also too weak: to put the first block right takes one of its two faults away."""
    events = numbered(
        Play(0, "A", "bear", "x"),
        Play(0, "B", "crow", "y"),
        Attack(0, "A", "x"),
        Block(0, "B", "y"),
        Attack(0, "A", "x"),
        Block(0, "B", "y"),
    )
    first, second = audited(CARDS, events)["findings"]
    assert (first["rule"], first["also"]) == ("CARD-BLOCK", [])
    assert (second["rule"], second["also"], second["depends_on"]) == ("CARD-BLOCK", ["CARD-SPENT"], [])


@pytest.mark.parametrize(
    "group",
    [lambda event, position, faults: [], lambda event, position, faults: [faults[:1]], lambda *_: 1 / 0],
    ids=["forgets all", "forgets some", "breaks"],
)
def test_no_fault_is_lost_where_a_game_groups_badly(group: Any) -> None:
    def check(event: Any, resolved: Any, position: Any, hearing: Any) -> Any:
        """A rule."""
        return [Fault("X-1", "illegal", "Wrong.", (str(n),), rests_on=()) for n in range(3)]

    game = replace(
        MACHINE,
        rules=(rule("X-1", "X", chapter="X", source="toy", events=["act"], kinds=["illegal"])(check),),
        group=group,
    )
    events = numbered(Act(0, 0, ("is", 0)))
    assert len(audited(game, events, strict=False)["findings"]) == 3
    with pytest.raises((ValueError, ZeroDivisionError)):
        audited(game, events)
