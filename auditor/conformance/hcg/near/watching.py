"""A fair table that remembers what is asked when an event is looked at for how near it comes to a fault."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from auditor.conformance.hcg.abilities import Plan
from auditor.conformance.hcg.habits import GameWithHabits
from auditor.conformance.hcg.table import Event, Made
from auditor.conformance.hcg.texts import Cost, Effect


class Watching(GameWithHabits):
    """The table with its memory. Nothing of it says what the players do."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.of_turn = 0
        self.came_near: list[tuple[int, str]] = []
        """(number of the event, situation)."""
        self.waiting: list[str] = []
        """Situations of the event that comes next."""
        self.announced: Plan | None = None
        self.last_found: tuple[Plan | None, list[str]] = (None, [])
        self.last_payers: list[str] = []
        self.flips: dict[str, int] = {"p1": 0, "p2": 0}
        self.turned_up: set[str] = set()
        self.has_instructed = False
        self.began = 0
        """The number of the event that began the battle."""
        self.before = ""
        """The battle action before this one."""
        self.acting = ""
        self.special_plan: Plan | None = None
        self.ability_plan: Plan | None = None
        self.charged: dict[str, str | None] = {"p1": None, "p2": None}
        self.tactics = 0
        """How many tactics the window has seen."""
        self.modified: set[int] = set()
        self.hurt: set[str] = set()
        self.given: set[str] = set()
        self.given_before: set[str] = set()
        self.newcomers: set[str] = set()
        self.readied: set[str] = set()
        self.last_event_by = ""

    def candidates(self, plan: Plan, effect: Effect) -> list[str]:
        """As at any table; the answer is remembered."""
        names = super().candidates(plan, effect)
        self.last_found = (plan, names)
        return names

    def payers(self, plan: Plan, cost: Cost, taken: set[str]) -> list[str]:
        """As at any table; the answer is remembered."""
        self.last_payers = super().payers(plan, cost, taken)
        return self.last_payers

    def twist(self, point: str, value: Made, *about: Any) -> Made:
        """As at any table: what should be done is done. Some points are looked at."""
        if point in POINTS:
            POINTS[point](self, value, *about)
        return value


def _announced(game: Watching, plan: Plan) -> None:
    game.announced = plan


def _passed(game: Watching, value: bool, made: Any, event: Event) -> None:
    """A test that was passed or missed by one."""
    over = made.value - made.need
    plan = game.announced
    if over in (0, -1):
        game.came_near.append((event["seq"], "exact roll"))
        if game.special_plan is not None and plan is game.special_plan:
            game.came_near.append((event["seq"], "exact roll of a special"))
        if plan is not None and plan.free_x:
            game.came_near.append((event["seq"], "exact X"))
    die = made.event["die"]
    if made.value != die and ((die >= made.need) != value or abs(made.value - die) == 1):
        game.came_near.append((event["seq"], "modified by one"))


def _bonus(game: Watching, value: int, plan: Plan, said: Any) -> None:
    if said == "d6":
        game.waiting.append("rolled amount")


def _row(game: Watching, value: Any, plan: Plan, final: int) -> None:
    low, high = next((low, high) for low, high, _ in plan.text.rows if low <= final <= high)
    if (final == low > 1) or (final == high < 6):
        game.waiting.append("edge of a row")


def _payer(game: Watching, value: list[str], plan: Plan, cost: Cost) -> None:
    if len(game.last_payers) == len(value):
        game.waiting.append("nobody else pays")


POINTS: dict[str, Callable[..., None]] = {
    "announced": _announced,
    "passed": _passed,
    "bonus": _bonus,
    "row": _row,
    "who pays": _payer,
}
Look = Callable[[Watching, Event], Iterator[str]]
Near = dict[str, tuple[str, str]]
