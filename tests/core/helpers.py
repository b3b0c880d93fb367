"""Records and audits of toy games, in few words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from auditor.core.audit import audit, filled, sealed
from auditor.core.record import InputError, Record
from auditor.core.ruleset import Ruleset
from auditor.core.rulings import rulings


def a_record(
    ruleset: Ruleset,
    events: Sequence[Any],
    *,
    header: Mapping[str, Any] | None = None,
    errors: Sequence[InputError] = (),
    doubtful: Mapping[int, str] | None = None,
) -> Record:
    """A record whose first event stands on line 2 of its file."""
    return Record(
        game=ruleset.key,
        header=header or {},
        events=list(events),
        lines=list(range(2, len(events) + 2)),
        errors=list(errors),
        log_sha256="0" * 64,
        doubtful=dict(doubtful or {}),
    )


def ruled(ruleset: Ruleset, given: Mapping[str, Any] | None = None) -> Any:
    return rulings(given, ruleset.readings, [rule.id for rule in ruleset.rules], settings=ruleset.settings)


def audited(
    ruleset: Ruleset,
    events: Sequence[Any],
    given: Mapping[str, Any] | None = None,
    *,
    strict: bool = True,
    everything: bool = False,
    meant: bool = False,
    **more: Any,
) -> dict[str, Any]:
    """The sealed audit of a toy game; with `everything` what was drawn beside it stands in its findings. What a line may
    have meant is sought only where that is asked for: it judges events again."""
    record = a_record(ruleset, events, **more)
    rulings = ruled(ruleset, given)
    return filled(
        sealed(audit(record, ruleset, rulings, engine="test", strict=strict, meant=meant, everything=everything))
    )


def numbered(*events: Any) -> list[Any]:
    """The events with the numbers 1, 2, 3 …"""
    for n, event in enumerate(events, 1):
        event.seq = n
    return list(events)


def brief(value: Mapping[str, Any]) -> list[tuple[str, int, str, bool]]:
    """The findings as (rule, seq, kind, stands)."""
    return [(one["rule"], one["seq"], one["kind"], one["stands"]) for one in value["findings"]]
