"""What a child does: audits and drawings, values in and values out. The engine is a module, named by the caller."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

import rfc8785


def warm(engine: str) -> bool:
    """Load the engine and its games, so that the first audit need not."""
    return bool(list(importlib.import_module(engine).GAMES.values()))


Audited = tuple[bytes, dict[str, Any], list[dict[str, Any]]]


def audit(engine: str, data: bytes, rulings: dict[str, Any] | None) -> Audited:
    """The audit as canonical JSON, the counts that lists show, and the events for the replay's timeline."""
    module = importlib.import_module(engine)
    value = module.audit_log(data, rulings=rulings)
    events = list(module.timeline(data, rulings=rulings, texts=True))
    return rfc8785.dumps(value), counts(value, len(events)), events


def frames(
    engine: str, data: bytes, rulings: dict[str, Any] | None, seqs: Sequence[int] | None
) -> list[dict[str, Any]]:
    """The drawings of some events, or of each round's start."""
    module = importlib.import_module(engine)
    drawn: list[dict[str, Any]] = module.replay_frames(data, rulings=rulings, seqs=seqs)
    return drawn


def counts(value: dict[str, Any], events: int) -> dict[str, Any]:
    """The numbers of an audit that lists and summaries show; what follows from another finding is counted apart."""
    findings = value.get("findings", [])
    standing = [finding for finding in findings if finding["stands"]]
    ids = {finding["id"] for finding in standing}
    roots = [finding for finding in standing if ids.isdisjoint(finding["depends_on"])]
    return {
        "verdict": value["verdict"],
        "digest": value["digest"],
        "events": events,
        "standing": len(roots),
        "following": len(standing) - len(roots),
        "kinds": {kind: sum(f["kind"] == kind for f in roots) for kind in ("illegal", "miscalculated", "omitted")},
        "ambiguous": sum(finding["kind"] == "ambiguous" for finding in findings),
        "only_under": sum(not f["stands"] and f["kind"] != "ambiguous" for f in findings),
        "notes": len(value.get("notes", [])),
        "errors": len(value.get("errors", [])),
        "unchecked": len(value.get("coverage", {}).get("unchecked", [])),
    }
