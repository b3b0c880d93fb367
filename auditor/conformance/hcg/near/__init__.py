"""How near a legal game came to a fault: situations in which one card, point, die or moment more or other would be one.

`NEAR` is the list, in words. Most are seen at the table (`WatchedGame`), by event; `near_in` sees those that show in the
lines of a log, and `numbers` of which rules an event claims a number.
"""

from __future__ import annotations

from auditor.conformance.hcg.near import actions, course, lines, played
from auditor.conformance.hcg.near.lines import NUMBER_RULES, near_in, numbers
from auditor.conformance.hcg.near.watched import WatchedGame

NEAR = {**course.NEAR, **actions.NEAR, **played.NEAR, **lines.NEAR}

__all__ = ["NEAR", "NUMBER_RULES", "WatchedGame", "near_in", "numbers"]
