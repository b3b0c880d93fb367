"""What is known of hidden cards: pools, candidates, decks whose top is known."""

from __future__ import annotations

import json

import pytest

from auditor import systems
from auditor.systems.hcg.packs import setup_of
from auditor.systems.hcg.position.parts import Bonus, Taken, Window
from auditor.systems.hcg.position.places import At
from auditor.systems.hcg.position.state import MOST_EXPIRED, Position, opening
from auditor.systems.hcg.position.table import Table

NAMES = [f"p1-{n:02}" for n in range(1, 11)]


@pytest.fixture
def position() -> Position:
    """p1's deck is ten listed instances, four of one card; of p2's nothing is known."""
    instances = {name: "ex-l01" if n < 4 else f"ex-l{n:02}" for n, name in enumerate(NAMES)}
    header = {
        "type": "header", "game": "hcg", "format": 1, "cards": "hcg-example",
        "players": [{"id": "p1", "instances": instances}, {"id": "p2"}],
    }  # fmt: skip
    setup, wrong, _ = setup_of(json.dumps(header).encode(), systems.game("hcg").built_in_packs)
    assert setup is not None and not wrong
    return opening(Table(setup, header))


def draw(position: Position, seq: int, *instances: str | None) -> None:
    position.seq = seq
    for instance in instances:
        position.put(position.take("p1", "deck", instance), At("command_hand", "p1", face="down"))


def test_an_unnamed_card_may_be_any_that_nobody_has_seen_elsewhere(position: Position) -> None:
    draw(position, 5, "p1-01", None, None)
    assert position.count("p1", "command_hand") == 3
    assert position.deck_n == {"p1": 7, "p2": None}
    assert all(position.may_be(name, "p1", "command_hand") for name in NAMES[1:])
    assert not position.may_be("p1-01", "p1", "command_hand")
    assert not position.may_be("p2-01", "p1", "command_hand"), "no such instance is in the deck"
    assert not position.may_be("p1-02", "p1", "deploy_hand"), "there is no unknown card"


def test_a_card_that_leaves_its_sector_is_no_longer_one_that_was_left_there(position: Position) -> None:
    position.put(position.take("p1", "deck", "p1-01"), At("sector", "p1", 2, "up"))
    position.left = frozenset({"p1-01", "p1-02"})
    position.put(position.take("p1", "sector", "p1-01", 2), At("discard", "p1"))
    draw(position, 5, "p1-02")
    assert position.left == frozenset(), "deployed anew it lies as it is deployed (OR-LEFTFACE)"


def test_the_last_bonuses_that_ended_are_kept(position: Position) -> None:
    bonuses = [
        Bonus("p1-01", "armor", 1, "ba" if seq % 2 else "battle", None, seq) for seq in range(2 * MOST_EXPIRED + 6)
    ]
    position.bonuses = tuple(bonuses)
    position.end_bonuses("ba")
    assert position.bonuses == tuple(bonuses[::2])
    assert position.expired == tuple(bonuses[1::2])[-50:]
    position.end_bonuses()
    assert (position.bonuses, position.expired) == ((), tuple(bonuses[::2])[-50:])


def test_a_card_shuffled_in_later_cannot_have_been_drawn_before(position: Position) -> None:
    draw(position, 5, None)
    position.seq = 6
    position.put(position.take("p1", "deck", "p1-09"), At("discard", "p1"))
    position.seq = 7
    position.shuffle_in("p1", ["p1-09"], None)
    assert position.may_be_drawn("p1-09", "p1")
    assert not position.may_be("p1-09", "p1", "command_hand")
    assert position.may_be("p1-08", "p1", "command_hand")
    draw(position, 8, None)
    # Which of the two was drawn when, nobody can say of one that is shown: the widest reading holds.
    assert position.may_be("p1-09", "p1", "command_hand")


def test_an_unnamed_card_off_a_deck_whose_order_is_known_is_that_card(position: Position) -> None:
    position.order_deck("p1", ("p1-03", "p1-02"))
    draw(position, 5, None, None, None)
    assert sorted(position.located("p1", "command_hand")) == ["p1-02", "p1-03"]
    assert position.pool("p1", "command_hand").n == 1
    assert position.deck_top["p1"] == () and position.deck_n["p1"] == 7


def test_a_deployed_unknown_card_keeps_what_it_can_be(position: Position) -> None:
    draw(position, 5, None, None)
    position.seq = 6
    position.put(position.take("p1", "command_hand", None), At("sector", "p1", 2, "down"))
    assert position.count("p1", "sector", 2) == 1 and position.count("p1", "command_hand") == 1
    assert position.pool("p1", "sector", 2).since == 5
    position.put(position.take("p1", "sector", "p1-04", 2), At("sector", "p1", 2, "up"))
    assert position.located("p1", "sector", 2) == ["p1-04"] and position.pool("p1", "sector", 2).n == 0


def test_how_many_of_a_card_are_still_unseen(position: Position) -> None:
    assert position.unseen("p1") == {**{"ex-l01": 0}, **{f"ex-l{n:02}": 0 for n in range(4, 10)}}
    position.card.clear()
    for name in NAMES[:3]:
        position.show(name, "p1", "ex-l01")
    assert position.unseen("p1")["ex-l01"] == 1  # type: ignore[index]
    assert position.copies("p1", "ex-l01") == NAMES[:3]
    assert position.unseen("p2") is None


def test_a_copy_is_equal_and_independent(position: Position) -> None:
    draw(position, 5, "p1-01", None)
    twin = position.copy()
    assert twin == position
    draw(twin, 6, None)
    twin.sectors[1] = twin.sectors[1]._replace(state="taken")
    twin.windows = (Window("tactics", "p1", "p1"),)
    assert twin != position
    assert position.count("p1", "command_hand") == 2 and not position.windows
    assert position.sectors[1].state == "open" and position.window is None


def test_a_window_gives_the_say_to_the_other_after_each_entry() -> None:
    window = Window("tactics", "p1", "p1", ba=3)
    for seq, by, other, passed in ((10, "p1", "p2", True), (11, "p2", "p1", False), (12, "p1", "p2", True)):
        window = window.entered(seq, by, other, passed=passed)
    window = window.entered(13, "p2", "p1", passed=True)
    assert (window.next, window.passes, window.entries, window.astray) == ("p1", 2, (10, 11, 12, 13), False)


@pytest.mark.parametrize(("kind", "astray"), [("tactics", True), ("reaction", False), ("modifier", False)])
def test_who_goes_on_alone_after_the_other_has_passed_may_have_the_say(kind: str, astray: bool) -> None:
    window = Window(kind, "p1", "p1").entered(10, "p1", "p2", passed=True).entered(11, "p2", "p1", passed=False)
    assert window.entered(12, "p2", "p1", passed=False).astray == astray
    assert window.entered(12, "p1", "p2", passed=False).entered(13, "p1", "p2", passed=False).astray


def test_a_card_is_taken_from_where_it_lies_not_from_where_it_is_said_to(position: Position) -> None:
    position.put(Taken("p1-05", 1), At("sector", "p1", 1))
    position.put(position.take("p1", "command_hand", "p1-05"), At("discard", "p1"))
    assert position.at["p1-05"].zone == "discard" and position.deck_n["p1"] == 10
