"""What two very different games need of the core, which knows neither."""

from __future__ import annotations

import pytest

from tests.core.cards import CARDS, Attack, Block, Boost, Damage, Pass, Play, Reveal, State
from tests.core.helpers import audited, brief, numbered
from tests.core.inches import INCHES, End, EndPhase, Move, Shoot, Test

AT_ZERO = {"where": {"a": "0", "b": "20"}}


def test_a_window_within_a_window_is_closed_first():
    legal = numbered(
        Play(0, "A", "crow", "x"),
        Attack(0, "A", "x"),
        Boost(0, "B", "x"),
        Pass(0, "A"),
        Pass(0, "B"),
        Damage(0, "A", "x", 1),
    )
    assert audited(CARDS, legal)["verdict"] == "clean"
    one_pass_too_many = numbered(*legal[:5], Pass(0, "A"))
    assert brief(audited(CARDS, one_pass_too_many)) == [("CARD-WINDOW", 6, "illegal", True)]


def test_a_block_that_does_not_come_is_declined_by_the_next_event():
    events = numbered(
        Play(0, "A", "crow", "x"),
        Play(0, "B", "bear", "y"),
        Attack(0, "A", "x"),
        Damage(0, "A", "x", 1),
        Block(0, "B", "y"),
    )
    value = audited(CARDS, events)
    assert brief(value) == [("CARD-WINDOW", 5, "illegal", True)]


def test_a_card_played_for_too_little_is_a_fault_of_the_play_and_seen_at_its_reveal():
    events = numbered(Play(0, "A", None, "x", 1), Attack(0, "B", "y"), Reveal(0, "B", "x", "bear"))
    value = audited(CARDS, events)
    (finding,) = value["findings"]
    assert (finding["rule"], finding["seq"], finding["seen_at"]) == ("CARD-PRICE", 1, 3)
    assert (finding["line"], finding["player"]) == (2, "A")
    assert finding["stands"] and value["verdict"] == "findings"


def test_what_rests_on_an_unread_text_is_not_decided_until_the_table_states_it():
    hydra = numbered(Play(0, "A", "hydra", "x"), Play(0, "A", "crow", "y"), Damage(0, "A", "x", 6))
    value = audited(CARDS, hydra)
    (finding,) = value["findings"]
    assert (finding["kind"], finding["would_be"], finding["stands"]) == ("ambiguous", "miscalculated", False)
    assert "the text of hydra" in finding["text"]
    assert finding["scope"] == {"kind": "every_reading"}
    assert value["verdict"] == "incomplete"
    elsewhere = numbered(*hydra[:2], Damage(0, "A", "y", 6))
    assert brief(audited(CARDS, elsewhere)) == [("CARD-DAMAGE", 3, "miscalculated", True)]
    stated = numbered(*hydra[:2], State(0, None, {"x": 4}), Damage(0, "A", "x", 6))
    assert brief(audited(CARDS, stated)) == [("CARD-DAMAGE", 4, "miscalculated", True)]


def test_one_act_is_one_fault_and_names_the_other_rules_it_breaks():
    events = numbered(
        Play(0, "A", "bear", "x"),
        Play(0, "B", "crow", "y"),
        Attack(0, "A", "x"),
        Block(0, "B", "y"),
        Attack(0, "A", "x"),
        Block(0, "B", "y"),
    )
    value = audited(CARDS, events)
    assert [(one["seq"], one["rule"], one["also"]) for one in value["findings"]] == [
        (4, "CARD-BLOCK", []),
        (6, "CARD-BLOCK", ["CARD-SPENT"]),
    ]


@pytest.mark.parametrize(
    ("to", "tolerance", "kinds", "margin"),
    [
        ("6", "0", [], None),
        ("6.00001", "0", ["illegal"], None),
        ("6.2", "1/4", [], "1/5"),
        ("6.25", "1/4", [], "1/4"),
        ("6.26", "1/4", ["illegal"], None),
    ],
)
def test_a_length_within_the_tolerance_is_a_note_with_its_margin(to, tolerance, kinds, margin):
    value = audited(
        INCHES, numbered(Move(0, "A", "a", to)), {"settings": {"measuring_tolerance": tolerance}}, header=AT_ZERO
    )
    assert [one["kind"] for one in value["findings"]] == kinds
    assert [one["margin"] for one in value["notes"] if one["kind"] == "tolerance"] == ([margin] if margin else [])
    assert value["verdict"] == ("findings" if kinds else "clean")


def test_lengths_add_up_exactly_where_floats_would_not():
    events = numbered(Move(0, "A", "a", "0.4"), Move(0, "A", "a", "4.8"), Move(0, "A", "a", "6", "1.2"))
    assert audited(INCHES, events, header=AT_ZERO)["findings"] == []


def test_a_test_that_was_due_is_missed_before_the_phase_ends():
    events = numbered(Shoot(0, "B", "b", "a", 2), Move(0, "A", "a", "3"), EndPhase(0, "A"))
    value = audited(INCHES, events, header=AT_ZERO)
    (finding,) = value["findings"]
    assert (finding["rule"], finding["kind"], finding["seq"]) == ("INCH-TEST", "omitted", 3)


def test_what_depends_on_a_reading_is_carried_and_forgotten_again():
    events = numbered(
        Shoot(0, "B", "b", "a", 1),
        Test(0, "A", "a"),
        Move(0, "A", "a", "7"),
        Shoot(0, "B", "b", "a", 1),
        EndPhase(0),
        Move(0, "A", "a", "14"),
    )
    value = audited(INCHES, events, header=AT_ZERO)
    scopes = {(one["rule"], one["seq"]): one["scope"] for one in value["findings"]}
    one, two = {"R-PIN": "one_hit"}, {"R-PIN": "two_hits"}
    assert scopes == {
        ("INCH-UNDUE", 2): {"kind": "only_under", "holds": [two], "clears": [one], "partial": False},
        ("INCH-MOVE", 3): {"kind": "every_reading"},
        ("INCH-TEST", 5): {"kind": "only_under", "holds": [one], "clears": [two], "partial": False},
        ("INCH-MOVE", 6): {"kind": "every_reading"},
    }
    assert brief(value)[0] == ("INCH-UNDUE", 2, "illegal", False)


@pytest.mark.parametrize(("reason", "rules"), [("finished", ["INCH-TEST"]), ("time", [])])
def test_only_a_finished_game_owes_what_was_due(reason, rules):
    value = audited(INCHES, numbered(Shoot(0, "B", "b", "a", 2), End(0, None, reason)), header=AT_ZERO)
    assert [one["rule"] for one in value["findings"]] == rules
    unfinished = [one["text"] for one in value["notes"] if "Unfinished" in one["text"]]
    assert unfinished == ([] if rules else ["Unfinished at the end of the record: a has still to test."])


def test_the_end_of_a_record_is_not_an_omission():
    value = audited(INCHES, numbered(Move(0, "A", "a", "1"), Shoot(0, "B", "b", "a", 2)), header=AT_ZERO)
    assert value["findings"] == [] and value["verdict"] == "clean"
    assert [(one["kind"], one["seq"]) for one in value["notes"]] == [("unverifiable", 2)]
