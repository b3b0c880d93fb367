"""The same game written otherwise: what an audit finds must not hang on how a record was written down."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from auditor.conformance import relations
from auditor.conformance.hcg.record import CLAIMS, REFERENCES
from auditor.conformance.hcg.table import Event
from auditor.conformance.logs import Lines
from auditor.conformance.relations import Related, Relation, with_claims_left_out, written


def with_other_instances(lines: Lines, rng: Random) -> Related:
    """Other names for the instances of both decks."""

    def renamed(value: Any) -> Any:
        if isinstance(value, str):
            return f"{value[:2]}/card {value[3:]}" if value[:3] in ("p1-", "p2-") else value
        if isinstance(value, list):
            return [renamed(one) for one in value]
        if isinstance(value, dict):
            return {renamed(name): renamed(one) for name, one in value.items()}
        return value

    return written([renamed(line) for line in lines])


def without_some_claims(lines: Lines, rng: Random) -> Related:
    """Some of the claims left out."""
    made: list[Event] = [lines[0]]
    for event in lines[1:]:
        names = CLAIMS.get(event["type"], ()) if event.get("op") != "grant" else ()
        made.append({key: value for key, value in event.items() if key not in names or rng.random() < 0.6})
    return with_claims_left_out(lines, made)


RELATIONS: Mapping[str, Relation] = {
    "renamed": with_other_instances,
    "with remarks": relations.with_remarks(REFERENCES),
    "with unknown fields": relations.with_unknown_fields,
    "as one object": relations.as_one_object,
    "cut short": relations.cut_short(REFERENCES),
    "claims left out": without_some_claims,
    "taken back and played again": relations.undone_and_replayed(REFERENCES),
}
