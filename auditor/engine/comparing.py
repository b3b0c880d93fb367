"""Audits held against each other, and an audit against the one made anew."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any

from auditor.core.audit import BESIDE
from auditor.core.canonical import canonical
from auditor.core.rulings import BadRulings
from auditor.engine.audits import audit_log
from auditor.engine.games import Json, PacksOfGames
from auditor.engine.headers import log_sha256


def verify(audit_value: Mapping[str, Any], data: bytes, packs: PacksOfGames | None = None) -> list[str]:
    """How an audit differs from the one made anew from a log; nothing where it is reproduced.

    The digest is the audit's own; the rulings are those that it names. The version of the program may differ: an audit is a function of the
    log, the ruleset version, the rulings and the data packs.
    """
    body = {key: value for key, value in audit_value.items() if key not in BESIDE}
    found: list[str] = []
    try:
        if audit_value.get("digest") != hashlib.sha256(canonical(body)).hexdigest():
            found.append("the digest is not the one of the audit's own content")
    except (TypeError, ValueError) as error:
        return [f"it is no audit: {error}"]
    if audit_value.get("log_sha256") != log_sha256(data):
        return [*found, f"it is the audit of another log, {str(audit_value.get('log_sha256'))[:64]}"]
    given, read_as = audit_value.get("rulings"), audit_value.get("read_as")
    rulings = given if isinstance(given, Mapping) else None
    if isinstance(read_as, str):
        rulings = {**(rulings or {}), "read_as": read_as}
    try:
        anew = audit_log(
            data,
            rulings=rulings,
            packs=packs,
            digest=False,
        )
    except BadRulings as bad:
        return [*found, *(f"its rulings are not of this game: {problem}" for problem in bad.problems)]
    return found + [
        sentence
        for key in dict.fromkeys((*anew, *body))
        if key != "engine" and anew.get(key, _ABSENT) != body.get(key, _ABSENT)
        for sentence in _departures(key, body.get(key, _ABSENT), anew.get(key, _ABSENT))
    ]


_ABSENT = object()
_WORDS = {
    "ruleset_version": "the ruleset version",
    "game": "the game",
    "packs": "the data packs",
    "rulings": "the rulings in force",
    "verdict": "the verdict",
    "audit": "the version of the audit's form",
}


def _departures(key: str, given: Any, anew: Any) -> Iterator[str]:
    """How one part of an audit differs from the same part made anew, in sentences."""
    if given is _ABSENT or anew is _ABSENT:
        yield f'"{str(key)[:64]}" is {"missing from" if given is _ABSENT else "unknown in"} the audit'
    elif key == "findings" and isinstance(given, list):
        difference = compare({"findings": given}, {"findings": anew})
        for finding in difference["gone"]:
            yield f"the finding {_named(finding)} is not made anew"
        for finding in difference["new"]:
            yield f"the finding {_named(finding)} is missing from the audit"
        for change in difference["changed"]:
            yield f"the finding {_named(change['new'])} differs in {', '.join(change['differs'])}"
        if not (difference["gone"] or difference["new"] or difference["changed"]):
            yield "the findings stand in another order or come twice"
    elif key in _WORDS and isinstance(given, str | int) and isinstance(anew, str | int):
        yield f"{_WORDS[key]} is {str(given)[:80]} in the audit and {anew} made anew"
    else:
        yield f"{_WORDS.get(key, f'its {str(key)[:64]}')}: not the same as made anew"


def _named(finding: Mapping[str, Any]) -> str:
    return f"{str(finding.get('id'))[:20]} ({str(finding.get('rule'))[:64]} at event {str(finding.get('seq'))[:20]})"


def compare(old: Mapping[str, Any], new: Mapping[str, Any]) -> Json:
    """What changed from one audit to another, findings matched by id:

    {"audits": {"old": head, "new": head}, "gone": [finding], "new": [finding],
     "changed": [{"id", "differs": [key], "old": finding, "new": finding}], "unchanged": count}
    A head is {"game", "log_sha256", "ruleset_version", "rulings", "verdict", "digest"}.
    """
    before, after = _by_id(old), _by_id(new)
    both = [key for key in after if key in before]
    return {
        "audits": {"old": _head(old), "new": _head(new)},
        "gone": [finding for key, finding in before.items() if key not in after],
        "new": [finding for key, finding in after.items() if key not in before],
        "changed": [
            {"id": key, "differs": _parts_that_differ(before[key], after[key]), "old": before[key], "new": after[key]}
            for key in both
            if before[key] != after[key]
        ],
        "unchanged": sum(before[key] == after[key] for key in both),
    }


def _parts_that_differ(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    return [part for part in dict.fromkeys((*old, *new)) if old.get(part, _ABSENT) != new.get(part, _ABSENT)]


def _by_id(audit_value: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    findings = audit_value.get("findings")
    listed = findings if isinstance(findings, list) else []
    return {str(finding.get("id")): finding for finding in listed if isinstance(finding, Mapping)}


def _head(audit_value: Mapping[str, Any]) -> Json:
    rulings = audit_value.get("rulings")
    return {
        "game": audit_value.get("game"),
        "log_sha256": audit_value.get("log_sha256"),
        "ruleset_version": audit_value.get("ruleset_version"),
        "rulings": rulings.get("name") if isinstance(rulings, Mapping) else None,
        "verdict": audit_value.get("verdict"),
        "digest": audit_value.get("digest"),
    }
