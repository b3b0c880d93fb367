"""What a fault changed, in words."""

from __future__ import annotations

from auditor.core.effects import Aside, difference, effect


def test_what_differs_is_told_as_played_and_by_the_rules():
    changed = difference({"a": 1, "b": 2, "c": 3}, {"a": 1, "b": 5, "d": None, "e": 6})
    assert [(one["what"], one["as_played"], one["by_the_rules"]) for one in changed] == [
        ("b", 2, 5),
        ("c", 3, None),
        ("e", None, 6),
    ]
    text = effect(changed[:1])["text"]
    assert text == "b: 2 as played, 5 by the rules."


def test_six_differences_are_told_and_more_are_said_to_be_there():
    six = difference(dict.fromkeys("abcdef", 1), dict.fromkeys("abcdef", 2))
    seven = difference(dict.fromkeys("abcdefg", 1), dict.fromkeys("abcdefg", 2))
    assert effect(six)["text"].endswith("f: 1 as played, 2 by the rules.")
    assert effect(seven)["text"] == effect(six)["text"][:-1] + " and more."
    assert len(effect(seven)["changed"]) == 7


def test_where_other_dice_were_due_the_rolled_ones_are_named_and_what_is_told_follows():
    assert effect([]) == {"changed": [], "text": "It changed nothing on the board."}
    open_ = Aside(told=("One die was not rolled.",), open=True)
    assert effect([], open_)["text"] == (
        "With the dice as they were rolled, it changed nothing on the board. One die was not rolled."
    )
    changed = difference({"Pool": 1}, {"Pool": 2})
    assert effect(changed, open_)["text"] == (
        "With the dice as they were rolled, Pool: 1 as played, 2 by the rules. One die was not rolled."
    )
    assert effect([], open_)["told"] == ["One die was not rolled."]


def test_of_two_things_told_aside_one_that_is_open_leaves_both_open():
    shut, open_ = Aside(told=("One.",)), Aside(told=("Two.",), open=True)
    assert (shut + open_).open and (open_ + shut).open and not (shut + shut).open
    assert (shut + open_).told == ("One.", "Two.")
