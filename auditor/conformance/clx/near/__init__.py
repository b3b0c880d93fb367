"""How near a legal game came to a fault: situations in which one inch, die or point more or less would be one.

`NEAR` is the list, in words. They are seen at the table (`watched`), before each event is written; `numbers` says of
which rules an event claims a number.
"""

from __future__ import annotations

from auditor.conformance.clx.near import attacks, course, minds
from auditor.conformance.clx.near.lines import NUMBER_RULES, numbers
from auditor.conformance.clx.near.watch import Watch

NEAR = {**course.NEAR, **minds.NEAR, **attacks.NEAR}
LOOKS = {
    kind: tuple(look for part in (course, minds, attacks) for look in part.LOOKS.get(kind, ()))
    for kind in {*course.LOOKS, *minds.LOOKS, *attacks.LOOKS}
}


def watch() -> Watch:
    """Somebody who looks at every event of a table."""
    return Watch(LOOKS)


__all__ = ["NEAR", "NUMBER_RULES", "numbers", "watch"]
