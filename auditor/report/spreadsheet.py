"""Findings as CSV, a row each, for a spreadsheet. No cell is ever a formula (`hostile.cell`).

The file begins with the mark by which Excel knows UTF-8; without it, it takes letters for those of its own code page.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping
from typing import Any

from auditor.report.boards import kind_of
from auditor.report.hostile import cell, file_name
from auditor.report.model import Json

COLUMNS = (
    "log",
    "event",
    "round",
    "table",
    "players",
    "verdict",
    "seq",
    "line",
    "when",
    "player",
    "kind",
    "would_be",
    "stands",
    "rule",
    "rule_title",
    "text",
    "claimed",
    "recomputed",
    "figures",
    "scope",
    "effect",
    "gain",
    "remedy",
    "follows_from",
    "finding",
    "content",
    "log_sha256",
    "ruleset_version",
    "rulings",
    "digest",
)


def csv_head() -> str:
    """The first line of the file, behind the mark."""
    return "\ufeff" + _lines([COLUMNS])


def csv_rows(audit: Json, rules: Iterable[Json], *, name: str = "", heading: Json | None = None) -> str:
    """The lines of one audit: one a finding, what stands first, or a single one with the verdict where there is none.

    heading  what the header of the log says of the match and its players
    """
    said = heading or {}
    match = said.get("match") or {}
    titles = {str(rule["id"]): str(rule.get("title") or "") for rule in rules}
    whole = {
        "log": file_name(name),
        **{column: match.get(column) for column in ("event", "round", "table")},
        "players": " / ".join(str(one.get("name") or one.get("id") or "") for one in said.get("players") or ()),
        "verdict": audit.get("verdict"),
        "log_sha256": audit.get("log_sha256"),
        "ruleset_version": audit.get("ruleset_version"),
        "rulings": (audit.get("rulings") or {}).get("name"),
        "digest": audit.get("digest"),
    }
    listed = sorted(audit.get("findings") or (), key=lambda finding: not finding.get("stands"))
    rows = [{**whole, **_finding(finding, titles)} for finding in listed]
    return _lines([cell(row.get(column)) for column in COLUMNS] for row in rows or [whole])


def _finding(finding: Json, titles: Mapping[str, str]) -> dict[str, Any]:
    rule = str(finding.get("rule"))
    board = (finding.get("evidence") or {}).get("before") or {}
    return {
        "seq": finding.get("seq"),
        "line": finding.get("line"),
        "when": kind_of(board).when(board),
        "player": finding.get("player"),
        "kind": finding.get("kind"),
        "would_be": finding.get("would_be"),
        "stands": "yes" if finding.get("stands") else "no",
        "rule": rule,
        "rule_title": titles.get(rule),
        "text": finding.get("text"),
        "claimed": _as_json(finding.get("claimed")),
        "recomputed": _as_json(finding.get("recomputed")),
        "figures": "; ".join(map(_working, finding.get("figures") or ())),
        "scope": _scope(finding.get("scope") or {}),
        "effect": (finding.get("effect") or {}).get("text"),
        "gain": (finding.get("effect") or {}).get("gain"),
        "remedy": (finding.get("remedy") or {}).get("text"),
        "follows_from": " ".join(map(str, finding.get("depends_on") or ())),
        "finding": finding.get("id"),
        "content": finding.get("content"),
    }


def _as_json(value: Any) -> str:
    return "" if value is None else json.dumps(value, ensure_ascii=False, separators=(", ", ": "))


def _working(figure: Json) -> str:
    parts = " + ".join(f"{part.get('value')} {part.get('what')}" for part in figure.get("parts") or ())
    return f"{figure.get('name')}: {figure.get('value')}{f' = {parts}' if parts else ''}"


def _scope(scope: Json) -> str:
    if scope.get("kind") != "only_under":
        return "every reading"
    holds = (" and ".join(f"{reading} {option}" for reading, option in row.items()) for row in scope.get("holds") or ())
    return f"only under {'; or '.join(holds)}{' (not every combination was tried)' if scope.get('partial') else ''}"


def _lines(rows: Iterable[Iterable[str]]) -> str:
    sink = io.StringIO()
    csv.writer(sink).writerows(rows)
    return sink.getvalue()
