"""What is looked at in an audit: what it holds against somebody, what it notes of the record."""

from __future__ import annotations

from auditor.trials.tally import Json


def held_against(audit: Json) -> list[Json]:
    """What stands or is left open, of the game as it was played in the end."""
    return [one for one in audit["findings"] if not one["undone"] and (one["stands"] or one["kind"] == "ambiguous")]


def named(finding: Json) -> Json:
    """What is said of a finding, or of a planted fault, which need not bear a text."""
    return {**{key: finding[key] for key in ("seq", "rule", "kind", "player")}, "text": finding.get("text", "")}


def record_notes(audit: Json) -> list[Json]:
    """The contradictions of the record, which accuse nobody (CAL-AUD-06), in the shape of findings."""
    return [{**one, "player": None} for one in audit["notes"] if one["kind"] == "record"]
