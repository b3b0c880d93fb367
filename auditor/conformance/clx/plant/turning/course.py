"""Situations in which readings on the course of a game matter (catalogue 6.1)."""

from __future__ import annotations

from collections.abc import Callable

from auditor.conformance.clx.chart import goes_on
from auditor.conformance.clx.plant.stage import Stage, unit


def who_begins(s: Stage) -> None:
    """The winner has one player deploy first, and the other go first."""
    s.lay(unit("a", s.rng.randint(1, 4)), unit("b", s.rng.randint(1, 4)))
    s.choose(*s.rng.sample("AB", 2))
    s.row("a", s.about(4, 40), s.about(1, 8))
    s.row("b", s.about(4, 40), s.about(40, 47), 270)


def who_rolls_for_the_end(s: Stage) -> None:
    """The player who goes first rolls after a game turn."""
    s.lay(unit("a", 1), unit("b", 1))
    s.choose("A", s.rng.choice("AB"))
    s.row("a", s.about(4, 40), 5)
    s.row("b", s.about(4, 40), 43, 270)
    first, second = s.t.first, s.t.other(s.t.first)
    after = s.rng.choice((5, 6, 7))
    for turn in range(1, after + 1):
        for player in (first, second):
            with s.turn(player):
                pass
        if turn < 5:
            continue
        s.t.phase = "post"
        die = s.rng.choice([die for die in range(1, 7) if turn == after or goes_on(turn, die)])
        roller = first if turn == after else second
        s.t.write("game_length_roll", roller, after_turn=turn, roller=roller, die=die,
                  claimed_continues=goes_on(turn, die))  # fmt: skip


COURSE: dict[str, Callable[[Stage], None]] = {"OR-FIRST": who_begins, "OR-LENGTH-ROLLER": who_rolls_for_the_end}
