"""What is looked at in an audit: what it holds against somebody, what it notes of the record."""

from __future__ import annotations

from auditor import systems
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


def as_the_referee_tells(audit: Json) -> Json:
    """An audit with a finding for each rule that an act breaks, where the second referee judges all rules: it knows no
    acts, and tells each rule by itself. What is only named beside another is of the kind that its rule has, or that of
    the act where its rule has several."""
    if not any(one["also"] for one in audit["findings"]):
        return audit
    game = systems.game(audit["game"])
    if game.inventor().judged is not None:
        return audit
    kinds = {rule.id: rule.kinds for rule in game.ruleset.rules}
    told = []
    for one in audit["findings"]:
        told.append(one)
        for rule in one["also"]:
            kind = one["would_be"] or one["kind"]
            kind = kind if kind in kinds[rule] else kinds[rule][0]
            open_ = {"kind": "ambiguous", "would_be": kind} if one["kind"] == "ambiguous" else {"kind": kind}
            told.append({**one, **open_, "rule": rule, "also": []})
    return {**audit, "findings": told}
