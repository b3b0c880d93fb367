"""The property that everything else rests on: judging event by event, in lanes and branches, says of every fault what
replaying the whole record under every combination of all readings says."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from auditor.core.replay import Replay
from auditor.core.ruleset import Ruleset
from tests.core import cards, inches
from tests.core.cards import CARDS
from tests.core.helpers import a_record, audited, numbered, ruled
from tests.core.inches import INCHES
from tests.core.machines import MACHINE, READINGS, Act
from tests.core.whole import every_assignment, expected_findings
from tests.shares import WHOLE

QUICK = settings(max_examples=150 if WHOLE else 40, suppress_health_check=[HealthCheck.too_slow])


def programs() -> st.SearchStrategy[Any]:
    ends = st.one_of(
        st.tuples(st.just("is"), st.integers(0, 2)),
        st.tuples(st.just("in"), st.integers(0, 2)),
    )
    return st.recursive(
        ends,
        lambda inner: st.one_of(
            st.tuples(st.just("sum"), inner, inner),
            st.tuples(st.just("settle"), inner),
            st.sampled_from(sorted(READINGS)).flatmap(
                lambda reading: st.tuples(
                    st.just("ask"), st.just(reading), st.fixed_dictionaries(dict.fromkeys(READINGS[reading], inner))
                )
            ),
        ),
        max_leaves=4,
    )


ACTS = st.builds(
    Act,
    seq=st.just(0),
    register=st.integers(0, 2),
    result=programs(),
    claimed=st.one_of(st.none(), st.none(), st.integers(0, 2)),
    instead=st.one_of(st.none(), programs()),
    limit=st.one_of(st.just(("is", 0)), programs()),
)
UNITS = st.sampled_from(["a", "b"])
MOVES = st.one_of(
    st.builds(inches.Move, st.just(0), st.just("A"), UNITS, st.sampled_from(["0", "6", "13/2", "8", "27/2"])),
    st.builds(inches.Shoot, st.just(0), st.just("B"), UNITS, UNITS, st.integers(0, 2)),
    st.builds(inches.Test, st.just(0), st.just("A"), UNITS),
    st.builds(inches.EndPhase, st.just(0)),
)
SLOTS = st.sampled_from(["x", "y"])
PLAYS = st.one_of(
    st.builds(cards.Play, st.just(0), st.just("A"), st.sampled_from([None, "crow", "boar", "bear"]), SLOTS),
    st.builds(cards.Reveal, st.just(0), st.just("A"), SLOTS, st.sampled_from(["crow", "bear"])),
    st.builds(cards.Attack, st.just(0), st.just("A"), SLOTS),
    st.builds(cards.Block, st.just(0), st.just("B"), SLOTS),
    st.builds(cards.Boost, st.just(0), st.just("A"), SLOTS),
    st.builds(cards.Pass, st.just(0), st.just("A")),
    st.builds(cards.Damage, st.just(0), st.just("A"), SLOTS, st.one_of(st.none(), st.integers(0, 4))),
)


def some_rulings(ruleset: Ruleset) -> st.SearchStrategy[dict[str, str]]:
    return st.fixed_dictionaries({}, optional={r.id: st.sampled_from([*r.names, "open"]) for r in ruleset.readings})


def agrees_with_whole_replays(ruleset: Ruleset, events: list[Any], given_rulings: dict[str, str]) -> None:
    events = numbered(*[replace(event) for event in events])
    rulings = ruled(ruleset, given_rulings)
    record = a_record(ruleset, events)
    expected = expected_findings(ruleset, record, rulings)
    replay = Replay(ruleset, record, rulings, strict=True)
    outcome = replay.run()
    keys = [((seen.index, key[0], key[2], key[3]), seen) for seen in outcome.seen for key in seen.keys]
    found = dict(keys)
    assert len(found) == len(keys)
    assert found.keys() == expected.keys()
    for key, seen in found.items():
        said = expected[key]
        assert seen.scope.as_json() == said["scope"], key
        assert seen.stands == said["stands"], key
        if key[1] != seen.fault.rule:
            assert key[1] in seen.fault.also, "it belongs to the act of another fault"
            continue
        if said["kind"] is not None:
            assert seen.fault.kind == said["kind"], key
        if said["shown"] is not None:
            assert seen.fault.recomputed == said["shown"].recomputed, key
        otherwise = {}
        shown = said["values"][tuple(sorted({**rulings.selected, **seen.options}.items()))]
        for cube, fault in seen.under:
            for options in every_assignment(rulings.domains):
                if all(options[reading] == option for reading, option in cube.items()):
                    assert tuple(sorted(options.items())) not in otherwise
                    otherwise[tuple(sorted(options.items()))] = (fault.kind, fault.recomputed)
        assert otherwise == {options: value for options, value in said["values"].items() if value != shown}, key
    # One lane for each position that some reading leads to, and each assignment in one lane.
    ends: dict[int, list[dict[str, str]]] = {}
    for options in every_assignment(rulings.domains):
        lanes = [
            n
            for n, lane in enumerate(replay.lanes)
            for cube in lane.cubes
            if all(options[reading] == option for reading, option in cube.items())
        ]
        assert len(lanes) == 1
        ends.setdefault(lanes[0], []).append(options)
    assert len(ends) == len(replay.lanes)


@QUICK
@given(st.lists(ACTS, min_size=1, max_size=7), some_rulings(MACHINE))
def test_whatever_a_game_asks(events: list[Any], given_rulings: dict[str, str]) -> None:
    agrees_with_whole_replays(MACHINE, events, given_rulings)


def registers_read(program: Any) -> set[int]:
    match program:
        case ("in", register):
            return {register}
        case ("sum", a, b):
            return registers_read(a) | registers_read(b)
        case ("settle", settled):
            return registers_read(settled)
        case ("ask", _, answers):
            return set().union(*map(registers_read, answers.values()))
    return set()


def same_registers(event: Act, resolved: int, position: Any, other: Any) -> bool:
    read = registers_read(event.result) | registers_read(event.limit)
    return all(position.values[n] == other.values[n] for n in read)


@QUICK
@given(st.lists(ACTS, min_size=1, max_size=7), some_rulings(MACHINE))
def test_lanes_in_which_an_event_is_judged_the_same_may_be_judged_as_one(
    events: list[Any], given_rulings: dict[str, str]
) -> None:
    agrees_with_whole_replays(replace(MACHINE, same_for=same_registers), events, given_rulings)


@QUICK
@given(st.lists(MOVES, min_size=1, max_size=12), some_rulings(INCHES))
def test_moves_and_tests_on_a_line(events: list[Any], given_rulings: dict[str, str]) -> None:
    agrees_with_whole_replays(INCHES, events, given_rulings)


@QUICK
@given(st.lists(PLAYS, min_size=1, max_size=12), some_rulings(CARDS))
def test_cards_in_windows(events: list[Any], given_rulings: dict[str, str]) -> None:
    agrees_with_whole_replays(CARDS, events, given_rulings)


@QUICK
@given(st.lists(ACTS, min_size=1, max_size=6), some_rulings(MACHINE))
def test_an_audit_is_the_same_every_time(events: list[Any], given_rulings: dict[str, str]) -> None:
    events = numbered(*[replace(event) for event in events])
    assert audited(MACHINE, events, given_rulings) == audited(MACHINE, events, given_rulings)
