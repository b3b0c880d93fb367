"""Which findings only follow from others."""

from __future__ import annotations

from dataclasses import replace

from auditor.core import bounds
from auditor.core.findings import Fault
from tests.core.cards import CARDS, Attack, Boost, Damage, Play, Undo
from tests.core.helpers import audited, numbered
from tests.core.inches import INCHES, EndPhase, Move, Shoot, Test

AT_ZERO = {"where": {"a": "0", "b": "0"}}


def dependences(value):
    """(rule, seq) -> the (rule, seq) of what it depends on."""
    names = {one["id"]: (one["rule"], one["seq"]) for one in value["findings"]}
    return {names[one["id"]]: sorted(names[root] for root in one["depends_on"]) for one in value["findings"]}


def roots(value):
    return [one["seq"] for one in value["findings"] if not one["depends_on"]]


def test_a_fault_that_is_gone_without_an_earlier_one_depends_on_it():
    # 3 claimed where 1 is dealt; with 2 more the game is over only because of it.
    events = numbered(
        Play(0, "A", "crow", "x"),
        Play(0, "A", "boar", "y"),
        Damage(0, "A", "x", 3),
        Damage(0, "A", "y", 2),
        Attack(0, "A", "x"),
        Attack(0, "A", "y"),
    )
    value = audited(CARDS, events)
    root = [("CARD-DAMAGE", 3)]
    assert dependences(value) == {("CARD-DAMAGE", 3): [], ("CARD-LIMIT", 5): root, ("CARD-LIMIT", 6): root}
    assert roots(value) == [3]
    assert value["verdict"] == "findings"


def test_when_the_root_is_put_right_in_the_record_nothing_remains():
    events = numbered(
        Play(0, "A", "crow", "x"),
        Play(0, "A", "boar", "y"),
        Damage(0, "A", "x", 1),
        Damage(0, "A", "y", 2),
        Attack(0, "A", "x"),
        Attack(0, "A", "y"),
    )
    assert audited(CARDS, events)["verdict"] == "clean"


def test_a_consequence_of_two_roots_names_both():
    # 1 + 1 too much: without either the loser would stand at 4.
    events = numbered(
        Play(0, "A", "crow", "x"),
        Damage(0, "A", "x", 2),
        Damage(0, "A", "x", 2),
        Damage(0, "A", "x", 1),
        Attack(0, "A", "x"),
    )
    assert dependences(audited(CARDS, events)) == {
        ("CARD-DAMAGE", 2): [],
        ("CARD-DAMAGE", 3): [],
        ("CARD-LIMIT", 5): [("CARD-DAMAGE", 2), ("CARD-DAMAGE", 3)],
    }


def test_a_fault_that_remains_without_the_earlier_one_is_independent():
    events = numbered(Play(0, "A", "bear", "x"), Damage(0, "A", "x", 4), Damage(0, "A", "x", 3), Attack(0, "A", "x"))
    assert dependences(audited(CARDS, events)) == {("CARD-DAMAGE", 2): [], ("CARD-LIMIT", 4): []}


def test_an_event_that_cannot_be_judged_any_more_stays_independent():
    # Without the first move, a would stand at 0 and the second move would be legal; but is it the same move?
    events = numbered(Move(0, "A", "a", "9"), Move(0, "A", "a", "2"))
    moved_back = audited(INCHES, events, header=AT_ZERO)
    assert dependences(moved_back) == {("INCH-MOVE", 1): [], ("INCH-MOVE", 2): [("INCH-MOVE", 1)]}
    elsewhere = replace(INCHES, about=lambda event, position: sorted(position.where.items()))
    assert dependences(audited(elsewhere, events, header=AT_ZERO)) == {("INCH-MOVE", 1): [], ("INCH-MOVE", 2): []}


def test_nothing_depends_across_a_position_that_is_the_same_again():
    events = numbered(Move(0, "A", "a", "9"), Move(0, "A", "a", "5"), Move(0, "A", "a", "12"))
    assert dependences(audited(INCHES, events, header=AT_ZERO)) == {("INCH-MOVE", 1): [], ("INCH-MOVE", 3): []}


def test_causes_reach_across_play_that_was_taken_back():
    events = numbered(
        Play(0, "A", "crow", "x"),
        Damage(0, "A", "x", 5),
        Damage(0, "A", "x", 9),
        Undo(0, None, 2),
        Attack(0, "A", "x"),
    )
    value = audited(CARDS, events)
    assert dependences(value) == {
        ("CARD-DAMAGE", 2): [],
        ("CARD-DAMAGE", 3): [],
        ("CARD-LIMIT", 5): [("CARD-DAMAGE", 2)],
    }


def test_causes_reach_across_a_break_in_the_record():
    events = [Play(1, "A", "crow", "x"), Damage(2, "A", "x", 5), Attack(4, "A", "x")]
    assert dependences(audited(CARDS, events))[("CARD-LIMIT", 4)] == [("CARD-DAMAGE", 2)]


def test_causes_follow_the_lane_in_force():
    events = numbered(Shoot(0, "B", "b", "a", 1), Move(0, "A", "a", "9"), Move(0, "A", "a", "2"), EndPhase(0))
    value = audited(INCHES, events, {"R-PIN": "two_hits"}, header=AT_ZERO)
    assert dependences(value)[("INCH-MOVE", 3)] == [("INCH-MOVE", 2)]


def test_a_finding_that_does_not_stand_is_neither_cause_nor_consequence():
    events = numbered(Shoot(0, "B", "b", "a", 1), EndPhase(0), Move(0, "A", "a", "9"))
    value = audited(INCHES, events, {"R-PIN": "two_hits"}, header=AT_ZERO)
    assert dependences(value) == {("INCH-TEST", 2): [], ("INCH-MOVE", 3): []}


def test_what_a_fault_changed_is_said():
    value = audited(CARDS, numbered(Play(0, "A", "crow", "x"), Damage(0, "A", "x", 3)))
    assert value["findings"][0]["effect"] == {
        "changed": [{"what": "damage", "as_logged": 3, "as_it_should_be": 1, "as_if_not_done": None}],
        "followed_to": 2,
        "unknown_from": None,
        "odds": [],
        "gain": "unknown",
        "text": "At the end of the record: damage: 3 as logged, 1 as it should be.",
    }


def test_the_effect_is_seen_in_the_lane_where_the_fault_is():
    events = numbered(Play(0, "A", "bear", "x"), Attack(0, "A", "x"), Boost(0, "A", "x"), Damage(0, "A", "x", 3))
    value = audited(CARDS, events, everything=True)
    (finding,) = value["findings"]
    assert finding["scope"]["holds"] == [{"R-BOOST": "damage_too"}] and not finding["stands"]
    assert finding["effect"]["changed"] == [
        {"what": "damage", "as_logged": 3, "as_it_should_be": 4, "as_if_not_done": None}
    ]


def test_the_search_for_causes_is_bounded_and_says_so(monkeypatch):
    monkeypatch.setattr(bounds, "LEAST_STEPS", 50)
    monkeypatch.setattr(bounds, "STEPS_PER_EVENT", 0)
    events = numbered(*(Move(0, "A", "a", str(9 * n)) for n in range(1, 60)))
    value = audited(INCHES, events, header=AT_ZERO)
    assert any("causes" in one["text"] for one in value["notes"])
    assert value["findings"][1]["depends_on"] == []


def test_so_many_events_are_replayed_once_more_for_causes_and_no_more(monkeypatch):
    monkeypatch.setattr(bounds, "LEAST_STEPS", 0)
    monkeypatch.setattr(bounds, "STEPS_PER_EVENT", 10**6)
    events = numbered(*(Move(0, "A", "a", str(9 * n)) for n in range(1, 7)))
    for most, is_bounded in ((9, False), (8, True)):
        # Six moves too long, each followed beside all later ones: 1 + 2 + ... are more than 2 x 8.
        monkeypatch.setattr(bounds, "MOST_STEPS", most)
        notes = audited(INCHES, events, header=AT_ZERO)["notes"]
        assert any("than causes were traced for" in one["text"] for one in notes) is is_bounded


def test_what_is_not_known_is_not_known_in_the_corrected_game_either():
    def check(event, resolved, position, hearing):
        return [Fault("INCH-UNDUE", "illegal", "Too bold.", rests_on=())] if position.holes else ()

    game = replace(INCHES, rules=(*INCHES.rules[:3], replace(INCHES.rules[3], check=check)))
    events = [Move(1, "A", "a", "9"), Test(3, "A", "b")]
    assert dependences(audited(game, events, header=AT_ZERO)) == {("INCH-MOVE", 1): [], ("INCH-UNDUE", 3): []}


def test_a_fault_that_becomes_undecided_without_the_root_depends_on_it():
    def check(event, resolved, position, hearing):
        kind = "illegal" if position.where["a"] else "ambiguous"
        return [Fault("INCH-UNDUE", kind, "Perhaps.", rests_on=())]

    game = replace(INCHES, rules=(*INCHES.rules[:3], replace(INCHES.rules[3], check=check)), about=lambda *_: None)
    events = numbered(Move(0, "A", "a", "9"), Test(0, "A", "b"))
    assert dependences(audited(game, events, header=AT_ZERO))[("INCH-UNDUE", 2)] == [("INCH-MOVE", 1)]
