"""Fields are declared once; what a line lacks, its values and a line with one of them replaced come from that."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

import pytest

from auditor.core import fields
from auditor.core.fields import Declared, lacking, leaves, place, replaced, value_at


class Says(NamedTuple):
    """What a declaration is carried by: anything with `extra`."""

    extra: dict[str, Any]


def fact(of: Any, words: str, **more: Any) -> Says:
    return Says({"declared": Declared("fact", of, words, **more)})


@dataclass
class Shot:
    by: Annotated[str | None, fact("unit", "who of them shot")] = None
    weapons: Annotated[list[tuple[str, str]] | None, fact("model", "with what", each=("model", "weapon"))] = None


@dataclass
class Line:
    seq: int
    player: Annotated[str | None, fact("player", "who acted", needed=True)] = None
    path: Annotated[list[tuple[int, int]] | None, fact("hex", "the way")] = None
    edge: Annotated[tuple[tuple[int, int], tuple[int, int]] | None, fact("edge", "through which door")] = None
    left: Annotated[dict[str, int] | None, fact("number", "what is left", keys="unit", unit="TPs")] = None
    shots: Annotated[list[Shot] | None, fact("part", "the shots", parts={"by": "who of them shot"})] = None
    cards: Annotated[list[str | None] | int | None, fact("card", "the cards", number="cards")] = None
    winner: Annotated[str | None, fact("player", "who won", null="nobody")] = None
    target: Annotated[str | None, fact("unit", "at whom", needed=lambda line: bool(line.shots))] = None


def told(line: Line) -> list[tuple[str, Any, str, bool]]:
    return [(place(line, leaf.path), leaf.value, leaf.of, leaf.key) for leaf in leaves(line) if leaf.value is not None]


def test_an_undeclared_field_is_none_of_ours() -> None:
    assert "seq" not in fields.declared(Line)
    assert fields.declared(int) == {}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (Line(1, player="a"), [("player", "a", "player", False)]),
        (Line(1, path=[(0, 1), (0, 2)]), [("path[0]", (0, 1), "hex", False), ("path[1]", (0, 2), "hex", False)]),
        (Line(1, edge=((0, 1), (0, 2))), [("edge", ((0, 1), (0, 2)), "edge", False)]),
        (Line(1, left={"u1": 2}), [("left.u1", "u1", "unit", True), ("left.u1", 2, "number", False)]),
        (Line(1, shots=[Shot("u2")]), [("shots[0].by", "u2", "unit", False)]),
        (Line(1, cards=["c1", None]), [("cards[0]", "c1", "card", False)]),
        (Line(1, cards=3), [("cards", 3, "number", False)]),
        (Line(1, path=[]), []),
    ],
)
def test_the_values_of_a_line_are_told_one_by_one(line: Line, expected: Any) -> None:
    assert told(line) == expected


def test_each_part_of_a_pair_is_what_it_is() -> None:
    line = Line(1, shots=[Shot(weapons=[("m1", "bolter")])])
    assert [(leaf.value, leaf.of) for leaf in leaves(line) if leaf.value] == [("m1", "model"), ("bolter", "weapon")]


def test_a_null_is_a_value_only_where_it_says_something() -> None:
    assert [place(Line(1), leaf.path) for leaf in leaves(Line(1))] == ["winner"]


def test_a_line_lacks_what_it_needs_and_does_not_state() -> None:
    assert lacking(Line(1)) == ["who acted"]
    assert lacking(Line(1, player="a")) == []
    assert lacking(Line(1, player="a", shots=[Shot()])) == ["who of them shot", "at whom"]
    assert lacking(Line(1, player="a", shots=[Shot("u1")], target="u2")) == []


def test_one_value_is_replaced_and_the_line_stays_as_it_was() -> None:
    line = Line(1, player="a", path=[(0, 1)], left={"u1": 2, "u2": 1}, shots=[Shot("u1", [("m1", "bolter")])])
    for leaf in leaves(line):
        if leaf.value is None:
            continue
        other = replaced(line, leaf, "other")
        if leaf.key:
            assert other.left == {("other" if unit == leaf.value else unit): n for unit, n in (line.left or {}).items()}
        else:
            assert value_at(other, leaf.path) == "other"
            assert value_at(line, leaf.path) == leaf.value
        assert sum(a != b for a, b in zip(told(line), told(other), strict=True)) in (1, 2)
