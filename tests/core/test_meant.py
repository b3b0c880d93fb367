"""What a line may have meant, where accusations follow from it."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from auditor.core import bounds
from auditor.core.holes import Hole
from tests.core.helpers import audited, numbered
from tests.core.inches import INCHES, Line, Move

AT_ZERO = {"where": {"a": "0", "b": "0"}}


def test_two_lines_told_in_the_wrong_order_are_one_finding():
    events = numbered(Move(0, "A", "a", "9"), Move(0, "A", "a", "5"), Move(0, "A", "a", "12"))
    first, last = audited(INCHES, events, header=AT_ZERO, meant=True)["findings"]
    assert first["meant"]["exchanged"] == 2 and first["meant"]["seq"] == 1
    assert first["meant"]["explains"] == sorted([first["id"], last["id"]])
    assert first["meant"]["text"] == "If event 2 came before event 1, these 2 findings are gone."
    assert last["depends_on"] == [first["id"]] and last["meant"] is None
    assert (first["player"], first["kind"]) == ("A", "illegal")


def test_without_an_explanation_everything_stays():
    events = numbered(Move(0, "A", "a", "9"), Move(0, "A", "b", "30"))
    found = audited(INCHES, events, header=AT_ZERO, meant=True)["findings"]
    assert [(one["seq"], one["depends_on"], one["meant"]) for one in found] == [(1, [], None), (2, [], None)]


def test_a_lone_accusation_stays_with_its_player():
    # Moves of a to 5 and to 9, in this order, are legal; that of b is not.
    events = numbered(Move(0, "A", "a", "9"), Move(0, "A", "a", "5"), Move(0, "B", "b", "30"))
    first, other = audited(INCHES, events, header=AT_ZERO, meant=True)["findings"]
    assert (first["meant"]["exchanged"], first["meant"]["explains"], first["player"]) == (2, [first["id"]], "A")
    assert (other["depends_on"], other["player"]) == ([], "B")


def test_what_was_explained_does_not_hang_on_what_is_asked_of_the_audit():
    events = numbered(Move(0, "A", "a", "9"), Move(0, "A", "a", "5"), Move(0, "A", "a", "12"))
    told, again = (audited(INCHES, events, header=AT_ZERO, meant=True, everything=every) for every in (False, True))
    assert told["digest"] == again["digest"]


def _jostles(event: Any, length: Fraction | None, position: Line, hearing: Any) -> None:
    """Whoever goes too far throws c back, nobody knows how far."""
    if type(event) is Move and length is not None and length > 6 and event.unit != "c":
        position.where["c"] = Fraction(0)
        position.holes.open(Hole(event.seq, "where c was thrown is not known", frozenset({"c"})))
    INCHES.adopt(event, length, position, hearing)


def test_what_could_not_be_judged_is_settled_by_what_was_meant():
    events = numbered(Move(0, "A", "a", "9"), Move(0, "A", "a", "5"), Move(0, "A", "a", "12"), Move(0, "B", "c", "10"))
    at = {"where": {"a": "0", "c": "8"}}
    value = audited(replace(INCHES, adopt=_jostles), events, header=at, meant=True)
    first, last, open_ = value["findings"]
    assert (open_["seq"], open_["kind"], open_["depends_on"]) == (4, "ambiguous", [])
    assert first["meant"]["explains"] == sorted([first["id"], last["id"]])
    assert first["meant"]["settles"] == [open_["id"]]
    assert first["meant"]["text"] == (
        "If event 2 came before event 1, these 2 findings are gone, and one act that could not be judged is as it should be."
    )


def test_the_search_is_bounded_and_says_so(monkeypatch):
    monkeypatch.setattr(bounds, "MOST_EXPLAINED", 1)
    events = numbered(Move(0, "A", "a", "9"), Move(0, "A", "b", "30"))
    value = audited(INCHES, events, header=AT_ZERO, meant=True)
    assert any("explanations" in one["text"] for one in value["notes"])


@pytest.mark.parametrize(("name", "needed"), [("MOST_SUPPOSED", 1), ("MOST_RETOLD", 2)])
def test_so_much_is_tried_and_no_more(name, needed, monkeypatch):
    monkeypatch.setattr(bounds, "LEAST_RETOLD", 0)
    monkeypatch.setattr(bounds, "RETOLD_PER_EVENT", 10**6)
    events = numbered(Move(0, "A", "a", "9"), Move(0, "A", "a", "5"), Move(0, "A", "a", "12"))
    for most, is_explained in ((needed, True), (needed - 1, False)):
        monkeypatch.setattr(bounds, name, most)
        findings = audited(INCHES, events, header=AT_ZERO, meant=True)["findings"]
        assert [one["meant"] is not None for one in findings] == [is_explained, False]
        assert [one["depends_on"] == [] for one in findings] == [True, not is_explained]
