"""Findings as SARIF 2.1.0, the form that code review tools and editors read. Source: the OASIS standard, its sections
3.14 (run), 3.27 (result), 3.49 (reportingDescriptor), 3.58 (notification).

A log is a file and a finding lies on one of its lines. Whatever does not stand has the level "note", so that no gate
that counts errors counts an act that nobody is accused of.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from auditor.report.hostile import message
from auditor.report.model import Json
from auditor.report.words import paragraphs, tidy

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
LEVELS = {"illegal": "error", "omitted": "error", "miscalculated": "warning", "ambiguous": "note"}


def sarif_log(parts: Sequence[Json], rules: Iterable[Json], engine: str) -> dict[str, Any]:
    """The whole file, made from what `sarif_part` gave for each log, in that order."""
    listed = [_rule(rule) for rule in rules]
    places = {rule["id"]: n for n, rule in enumerate(listed)}
    results: list[dict[str, Any]] = []
    notifications: list[dict[str, Any]] = []
    artifacts: list[dict[str, Any]] = []
    for n, part in enumerate(parts):
        artifacts.append(part["artifact"])
        for found, kept in (("results", results), ("notifications", notifications)):
            for one in part[found]:
                for location in one["locations"]:
                    location["physicalLocation"]["artifactLocation"]["index"] = n
                if one.get("ruleId") in places:
                    one["ruleIndex"] = places[one["ruleId"]]
                kept.append(one)
    name, _, version = engine.partition(" ")
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": name, "version": version or "0", "rules": listed}},
                "columnKind": "unicodeCodePoints",
                "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": notifications}],
                "artifacts": artifacts,
                "results": results,
            }
        ],
    }


def sarif_part(audit: Json, *, name: str) -> dict[str, Any]:
    """What one audit brings to the file: {"artifact", "results", "notifications"}."""
    uri = quote(name.encode("utf-8", "surrogateescape") or b"stdin", safe="/")
    unchecked = (audit.get("coverage") or {}).get("unchecked") or ()
    artifact: dict[str, Any] = {
        "location": {"uri": uri},
        "properties": {
            key: tidy(audit.get(key)) for key in ("verdict", "digest", "game", "ruleset_version", "rulings", "packs")
        },
    }
    if audit.get("log_sha256"):
        artifact["hashes"] = {"sha-256": audit["log_sha256"]}
    return {
        "artifact": artifact,
        "results": [_result(finding, uri) for finding in audit.get("findings") or ()],
        "notifications": [
            *(_misread(error, uri) for error in audit.get("errors") or ()),
            *(_unchecked(one, uri) for one in unchecked),
        ],
    }


def _rule(rule: Json) -> dict[str, Any]:
    text = paragraphs(str(rule.get("text") or ""))
    kinds = [str(kind) for kind in rule.get("kinds") or ()]
    help_text = [*text, f"Source: {rule.get('source')}"]
    if rule.get("auditable") is not True:
        help_text.append(f"Not auditable from any log: {rule.get('auditable')}")
    return {
        "id": str(rule["id"]),
        "name": _pascal(str(rule.get("title") or rule["id"])),
        "shortDescription": {"text": message(rule.get("title") or rule["id"])},
        "fullDescription": {"text": message(text[0] if text else rule.get("title"))},
        "help": {"text": "\n\n".join(message(part) for part in help_text)},
        "defaultConfiguration": {"level": LEVELS.get(kinds[0], "note") if kinds else "note"},
        "properties": {"chapter": rule.get("chapter"), "kinds": kinds, "readings": list(rule.get("readings") or ())},
    }


def _pascal(title: str) -> str:
    return "".join(word[:1].upper() + word[1:] for word in re.findall(r"[A-Za-z0-9]+", title)) or "Rule"


def _result(finding: Json, uri: str) -> dict[str, Any]:
    kind = str(finding.get("kind"))
    result: dict[str, Any] = {
        "ruleId": str(finding.get("rule")),
        "level": LEVELS.get(kind, "note") if finding.get("stands") else "note",
        "message": {"text": message(_sentence(finding))},
        "locations": [_location(uri, finding.get("line"), finding.get("seq"))],
        "partialFingerprints": {
            "finding/v1": str(finding.get("id")),
            "content/v1": str(finding.get("content")),
        },
        "properties": {
            key: tidy(finding.get(key))
            for key in (
                "kind",
                "would_be",
                "stands",
                "seq",
                "seen_at",
                "player",
                "subject",
                "also",
                "meant",
                "claimed",
                "recomputed",
                "figures",
                "effect",
                "remedy",
                "scope",
                "under",
                "depends_on",
            )
        },
    }
    if finding.get("undone"):
        result["suppressions"] = [
            {"kind": "external", "status": "accepted", "justification": "Play was taken back: the act does not count."}
        ]
    return result


def _sentence(finding: Json) -> str:
    """The finding's sentence, with what keeps it from standing."""
    text = str(finding.get("text"))
    if finding.get("stands") or finding.get("undone") or finding.get("kind") == "ambiguous":
        return text
    return f"Only under a reading that is not in force: {text}"


def _location(uri: str, line: Any, seq: Any) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": {"uri": uri}}
    if isinstance(line, int) and line >= 1:
        place["region"] = {"startLine": line}
    location: dict[str, Any] = {"physicalLocation": place}
    if seq is not None:
        location["logicalLocations"] = [{"name": f"event {seq}", "kind": "element"}]
    return location


def _misread(error: Mapping[str, Any], uri: str) -> dict[str, Any]:
    path = f"{error['path']}: " if error.get("path") else ""
    near = f'; the nearest is "{error["nearest"]}"' if error.get("nearest") else ""
    return {
        "level": "error",
        "message": {"text": message(f"{path}{error.get('found')}; expected {error.get('expected')}{near}")},
        "locations": [_location(uri, error.get("line"), None)],
        "descriptor": {"id": "unread"},
    }


def _unchecked(one: Mapping[str, Any], uri: str) -> dict[str, Any]:
    notification: dict[str, Any] = {
        "level": "warning",
        "message": {"text": message(f"Event {one.get('seq')} was not checked: {one.get('why')}")},
        "locations": [_location(uri, None, one.get("seq"))],
        "descriptor": {"id": "not-checked"},
    }
    if one.get("rule"):
        notification["associatedRule"] = {"id": str(one["rule"])}
    return notification
