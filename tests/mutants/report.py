"""docs/mutants.md: how many changes were noticed, and each that was not, with the reason."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from difflib import ndiff
from pathlib import Path
from typing import NamedTuple

from tests.mutants.changes import Change
from tests.mutants.rooms import ROOT, Room

GOAL = 0.95
"""Of the changes that change what the program does, so many are noticed."""

REASONS: dict[str, dict[str, str]] = json.loads((Path(__file__).parent / "not_noticed.json").read_text())
"""Changes that no test can notice (`same`) and those that none does yet (`open`): what the line becomes -> why."""


class Tried(NamedTuple):
    """A change and the first test that noticed it, or None."""

    room: Room
    change: Change
    noticed: str | None

    @property
    def lines(self) -> tuple[str, str]:
        """The lines before and after the change."""
        source = (ROOT / self.change.file).read_text(encoding="utf-8")
        found = list(ndiff(source.splitlines(), self.change.applied(source).splitlines()))
        old, new = ([line[2:].strip() for line in found if line.startswith(sign)] for sign in "-+")
        return "\n".join(old), "\n".join(new)

    @property
    def becomes(self) -> str:
        """By what a reason is found: the file and the lines, not their numbers."""
        return f"{self.change.file}: {' -> '.join(self.lines)}"

    @property
    def is_same(self) -> bool:
        """Whether the program does the same with this change, so that no test could notice it."""
        return self.noticed is None and self.becomes in REASONS["same"]


def share(tried: Sequence[Tried]) -> float:
    """How many of those that change what the program does were noticed."""
    differ = [one for one in tried if not one.is_same]
    return sum(one.noticed is not None for one in differ) / len(differ) if differ else 1.0


def page(tried: Sequence[Tried], seed: int, count: int) -> str:
    """The page, in Markdown."""
    rows = []
    for name in dict.fromkeys(one.room.name for one in tried):
        of = [one for one in tried if one.room.name == name]
        rows.append(_row(name, of))
    rows.append(_row("all", tried))
    left = [one for one in tried if one.noticed is None]
    return f"""# Small changes, and whether a test notices

    make mutants ARGS="--seed {seed} --count {count}"

{datetime.now(UTC):%Y-%m-%d}. A sample, by seed, of the places at which cosmic-ray can change the code that judges: a
comparison, an operator of arithmetic, a number, `and` and `or`, `not`, a loop. One change at a time is made in a copy
of the tree, as many in each room, and the tests of that room run until one fails: first those that come to the changed
place, then a few that pytest has to run. A change after which the program does the same is not
counted; why it does the same is said below. Goal: {GOAL:.0%} of the others are noticed.

| room | changes | of them the same | noticed | not noticed | share |
|---|---|---|---|---|---|
{chr(10).join(rows)}

## Not noticed

{chr(10).join(map(_survivor, left)) or "None."}
"""


def _row(name: str, tried: Sequence[Tried]) -> str:
    same = sum(one.is_same for one in tried)
    noticed = sum(one.noticed is not None for one in tried)
    return f"| {name} | {len(tried)} | {same} | {noticed} | {len(tried) - same - noticed} | {share(tried):.1%} |"


def _survivor(one: Tried) -> str:
    why = REASONS["same"].get(one.becomes) or REASONS["open"].get(one.becomes) or "not looked at yet"
    kind = "The same: " if one.is_same else ""
    old, new = (
        "\n".join(f"{sign} {line}" for line in text.split("\n")) for sign, text in zip("-+", one.lines, strict=True)
    )
    return f"`{one.change.file}`, in `{one.change.within}`. {kind}{why}\n\n```diff\n{old}\n{new}\n```\n"
