"""In which fields events name the cards that they are about, and which types of event may name one wrongly."""

from __future__ import annotations

from auditor.systems.hcg import records

LISTS = ("cards", "returned", "ships", "destroyed", "discarded", "readied", "rallied")
"""Fields that list instances."""
NAMES = ("card", "unit", "target", "stays")
"""Fields that name one."""
LISTS_OF = {kind: [one for one in LISTS if one in kind.__struct_fields__] for kind in records.EVENTS.values()}
NAMES_OF = {kind: [one for one in NAMES if one in kind.__struct_fields__] for kind in records.EVENTS.values()}
"""Event type -> which of them it has."""

TAKING = records.of(records.Draw, records.Mill, records.Roll, records.DeployFirst, records.DeployRegular)
"""Event types that take cards from where they lay."""
MAY_ANSWER = records.of(records.Reaction, records.Modifier)
MAY_NAME = frozenset(
    {
        *TAKING, *MAY_ANSWER, records.SetupReveal, records.SetupShuffle,
        *(kind for kind, names in LISTS_OF.items() if names),
    }
)  # fmt: skip
"""Event types that may name a card that cannot be there, or one twice."""


def targets_of(event: records.Event) -> tuple[str, ...]:
    """The cards to which an event says that something was done."""
    if isinstance(event, records.Effect):
        return tuple(event.targets or ())
    if isinstance(event, records.Damage):
        return () if event.to is None else (event.to,)
    return tuple(getattr(event, "cards", None) or ())
