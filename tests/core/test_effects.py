"""What a fault changed, in words."""

from __future__ import annotations

from fractions import Fraction

from auditor.core.effects import NOTHING, Aside, Chance, Change, Followed, difference, effect, results_of

SAME = Followed(same_from=8, to=90)


def test_what_differs_is_told_as_logged_and_as_it_should_be_or_as_if_it_had_not_been_done():
    logged, other = {"a": 1, "b": 2, "c": 3}, {"a": 1, "b": 5, "d": None, "e": 6}
    assert difference(logged, other) == [Change("b", 2, 5), Change("c", 3, "none"), Change("e", "none", 6)]
    assert difference(logged, other, "undone")[0] == Change("b", 2, None, 5)
    assert effect(Followed([Change("b", 2, 5)], same_from=8, to=90))["text"] == (
        "B: 2 as logged, 5 as it should be. From event 8 on the record is the same again."
    )
    told = effect(Followed([Change("b", True, None, False)], end=True, to=90))
    assert told["text"] == "At the end of the record: b: yes as logged, no if it had not been done."
    assert told["changed"] == [{"what": "b", "as_logged": True, "as_it_should_be": None, "as_if_not_done": False}]


def test_six_differences_are_told_and_how_many_more_there_are():
    seven = difference(dict.fromkeys("abcdefg", 1), dict.fromkeys("abcdefg", 2))
    assert effect(Followed(seven[:6], end=True))["text"].endswith("f: 1 as logged, 2 as it should be.")
    assert effect(Followed(seven, end=True))["text"].endswith("f: 1 as logged, 2 as it should be; and 1 more.")
    assert len(effect(Followed(seven, end=True))["changed"]) == 7


def test_nothing_is_said_to_have_changed_only_where_the_whole_rest_of_the_record_is_the_same():
    assert effect(SAME)["text"] == effect(Followed(end=True, to=90))["text"] == NOTHING
    otherwise = [
        effect(Followed(to=3)),
        effect(Followed(to=3, unknown_from=4, why="it rests on this")),
        effect(Followed(end=True, carried=(5,))),
        effect(SAME, Aside(results=(Change("who won", "A", "B"),))),
        effect(SAME, Aside(unsure="Which dice were too many nobody can tell")),
        effect(SAME, Aside(told=("One die was not rolled.",), open=True)),
        effect(Followed([Change("b", 2, 5)], end=True)),
    ]
    assert not any("changed nothing" in one["text"] for one in otherwise)


def test_what_cannot_be_followed_is_said_with_the_place():
    lost = effect(Followed([Change("Wounds", 2, 1)], to=3, unknown_from=4, why="it rests on this"))
    assert lost["text"] == (
        "Wounds: 2 as logged, 1 as it should be. From event 4 on nobody can tell: it rests on this."
    )
    assert (lost["followed_to"], lost["unknown_from"]) == (3, 4)


def test_later_events_that_rest_on_it_are_named():
    other = [Change("b", 2, 5)]
    assert "Event 7 rests on it." in effect(Followed(other, end=True, carried=(7,)))["text"]
    assert "Events 7 and 9 rest on it." in effect(Followed(other, end=True, carried=(7, 9)))["text"]
    many = effect(Followed(other, end=True, carried=tuple(range(1, 8))))["text"]
    alone = effect(Followed(end=True, carried=(7,)))["text"]
    assert alone == "Event 7 rests on it and would bear other numbers; what is on the table stays the same."
    assert "Events 1, 2, 3, 4, 5 and 2 more rest on it." in many


def test_where_other_dice_were_due_the_rolled_ones_are_named_and_the_odds_are_given():
    open_ = Aside(told=("One die was not rolled.",), chances=(Chance("b stays", Fraction(1, 3)),), open=True)
    told = effect(Followed([Change("Pool", 1, 2)], to=3, unknown_from=3), open_)
    assert told["text"] == (
        "With the dice as they were rolled: Pool: 1 as logged, 2 as it should be. One die was not rolled. "
        "From event 3 on nobody can tell."
    )
    assert told["odds"] == [{"of": "b stays", "chance": "1/3", "text": "b stays: 1 of 3"}]


def test_of_two_things_told_aside_one_that_is_open_leaves_both_open():
    shut, open_ = Aside(told=("One.",)), Aside(told=("Two.",), open=True)
    assert (shut + open_).open and (open_ + shut).open and not (shut + shut).open
    assert (shut + open_).told == ("One.", "Two.")


def test_what_no_position_holds_is_told_with_what_came_of_it_or_that_nobody_can_tell():
    attacks = Aside(results=(Change("attacks", 3, 2),))
    assert effect(SAME, attacks)["text"] == (
        "Attacks: 3 as logged, 2 as it should be. What else came of it nobody can tell."
    )
    assert effect(Followed(end=True, to=90), attacks)["text"] == (
        "Attacks: 3 as logged, 2 as it should be. No later event of the log shows a difference."
    )


def test_a_fact_that_is_not_there_is_no_beside_one_that_is_yes():
    pinned = difference({"a pinned": True}, {}, "undone")
    assert pinned == [Change("a pinned", True, None, False)]
    assert difference({}, {"a pinned": True}) == [Change("a pinned", False, True)]


def test_what_a_log_leaves_out_does_not_differ_from_nothing():
    assert results_of({"result": None, "wounds": None, "total": 11}, {"result": "none", "wounds": 0, "total": 10}) == (
        Change("total", 11, 10),
    )
    assert results_of({"winner": None}, {"winner": "A"}) == (Change("winner", "none", "A"),)
