"""Which cases of a property are tried in each run: a fixed share, drawn by their names.

A property that holds of every field, line or option of every example has some ten thousand cases, and what breaks it
breaks it in many. All of them are tried with AUDITOR_WHOLE=1 in the environment (`make test-whole`).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar
from zlib import crc32

WHOLE = "AUDITOR_WHOLE" in os.environ


def is_tried(share: int, *name: object) -> bool:
    """Whether a case is among the one in `share` that are tried."""
    return WHOLE or crc32("/".join(map(str, name)).encode()) % share == 0


Case = TypeVar("Case")


def in_turn(turn: int, cases: Sequence[Case]) -> Sequence[Case]:
    """One of the sizes, schemes or games in which a page is looked at, another for each turn; all of them in whole runs."""
    return cases if WHOLE else [cases[turn % len(cases)]]
