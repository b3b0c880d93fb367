"""From a replay to the audit: findings with stable ids, coverage, verdict, digest. Shape: design section 5.3."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from auditor.core.canonical import LARGEST, digest
from auditor.core.causes import trace
from auditor.core.findings import Note
from auditor.core.record import Record
from auditor.core.replay import NO_EFFECT, NO_EVIDENCE, Outcome, Replay, Seen
from auditor.core.ruleset import Ruleset
from auditor.core.rulings import Rulings

LONGEST_TEXT = 200


def audit(
    record: Record,
    ruleset: Ruleset,
    rulings: Rulings,
    *,
    engine: str,
    packs: Iterable[Mapping[str, str]] = (),
    notes: Iterable[Note] = (),
    strict: bool = False,
    causes: bool = True,
) -> dict[str, Any]:
    """The audit of a record as a JSON value, without its digest (`sealed` adds it).

    `packs` names the data packs used ({"id", "sha256"}), `notes` what is to be said of the record as a whole.
    """
    replay = Replay(ruleset, record, rulings, strict=strict)
    outcome = replay.run()
    if causes and not trace(replay):
        text = "There are more findings than causes were traced for: some that only follow are not marked as such."
        notes = [*notes, Note("unverifiable", text)]
    return audit_value(record, ruleset, rulings, outcome, engine=engine, packs=packs, notes=notes)


def audit_value(
    record: Record,
    ruleset: Ruleset,
    rulings: Rulings,
    outcome: Outcome,
    *,
    engine: str,
    packs: Iterable[Mapping[str, str]],
    notes: Iterable[Note],
) -> dict[str, Any]:
    """The audit value made from what a replay saw."""
    findings = _findings(record, ruleset, outcome)
    said = [_note(note, None) for note in notes] + [_note(note, seq) for seq, note in outcome.notes]
    errors = [plain(error.as_json()) for error in record.errors]
    coverage = _coverage(record, ruleset, rulings, outcome)
    return {
        "audit": 1,
        "engine": engine,
        "game": ruleset.key,
        "ruleset_version": ruleset.version,
        "log_sha256": record.log_sha256,
        "packs": [plain(pack) for pack in packs],
        "rulings": plain(rulings.as_json()),
        "verdict": verdict(findings, bool(coverage["unchecked"]) or bool(errors)),
        "errors": errors,
        "findings": findings,
        "notes": said,
        "coverage": coverage,
    }


def verdict(findings: Iterable[Mapping[str, Any]], unchecked: bool) -> str:
    """findings if any stands, incomplete if anything is ambiguous or went unchecked, else clean."""
    findings = list(findings)
    if any(finding["stands"] for finding in findings):
        return "findings"
    if unchecked or any(f["kind"] == "ambiguous" and not f["undone"] for f in findings):
        return "incomplete"
    return "clean"


def sealed(value: dict[str, Any]) -> dict[str, Any]:
    """The audit with its digest: SHA-256 over the canonical JSON of everything else."""
    body = {key: part for key, part in value.items() if key != "digest"}
    return {**body, "digest": digest(body)}


def _findings(record: Record, ruleset: Ruleset, outcome: Outcome) -> list[dict[str, Any]]:
    """All findings with their ids, sorted by (seq, rule, subject, id)."""
    counted: dict[Any, int] = {}
    ids: list[str] = []
    # Numbered in the order in which they were seen, which more events at the end of a log do not change.
    for seen in outcome.seen:
        name = {
            "game": ruleset.key,
            "rule": seen.fault.rule,
            "seq": plain(seen.seq),
            "player": _player(record, seen),
            "subject": [plain(one) for one in seen.fault.subject],
        }
        equal = (name["rule"], name["seq"], name["player"], *name["subject"])
        counted[equal] = counted.get(equal, 0) + 1
        ids.append(digest({**name, "n": counted[equal]})[:20])
    order = sorted(
        range(len(ids)),
        key=lambda i: (outcome.seen[i].seq, outcome.seen[i].fault.rule, outcome.seen[i].fault.subject, ids[i]),
    )
    return [_finding(record, outcome.seen[i], ids[i], ids) for i in order]


def _player(record: Record, seen: Seen) -> str | None:
    """Whose act or number it is; where the fault does not say, the player of the event that it is pinned to."""
    player = seen.fault.player
    if player == "":
        event = record.events[seen.pinned]
        player = getattr(event, "player", None) or getattr(event, "by", None)
    return None if player is None else str(plain(player))


def _finding(record: Record, seen: Seen, finding_id: str, ids: Sequence[str]) -> dict[str, Any]:
    fault = seen.fault
    scope = seen.scope.as_json()
    text = fault.text
    if seen.undone_by is not None:
        text = f"{text} Play was taken back at event {seen.undone_by}."
    claimed, recomputed = plain(fault.claimed), plain(fault.recomputed)
    return {
        "id": finding_id,
        "content": digest({"kind": fault.kind, "claimed": claimed, "recomputed": recomputed, "scope": scope})[:20],
        "rule": fault.rule,
        "kind": fault.kind,
        "would_be": fault.would_be if fault.kind == "ambiguous" else None,
        "seq": plain(seen.seq),
        "seen_at": plain(seen.seen_at),
        "line": record.lines[seen.pinned],
        "player": _player(record, seen),
        "subject": [plain(one) for one in fault.subject],
        "also": list(fault.also),
        "claimed": claimed,
        "recomputed": recomputed,
        "figures": [plain(figure.as_json()) for figure in fault.figures],
        "evidence": _evidence(seen.evidence),
        "effect": plain(seen.effect) if seen.effect is not NO_EFFECT else NO_EFFECT,
        "scope": scope,
        "under": [
            {"readings": dict(sorted(cube.items())), "kind": other.kind, "recomputed": plain(other.recomputed)}
            for cube, other in seen.under
        ],
        "stands": seen.stands,
        "undone": seen.undone_by is not None,
        "depends_on": sorted(ids[i] for i in seen.depends_on),
        "text": plain(text),
    }


def _evidence(shown: dict[str, Any]) -> dict[str, Any]:
    """What a finding shows. Boards, sight and paths are large, and plain as they are drawn (`Ruleset.draw`, `Fault`)."""
    if shown is NO_EVIDENCE:
        return shown
    return {key: part if key in _DRAWN else plain(part) for key, part in shown.items()}


_DRAWN = frozenset({"before", "after", "sight", "path"})


def _note(note: Note, seq: int | None) -> dict[str, Any]:
    return {
        "kind": note.kind,
        "rule": note.rule,
        "seq": plain(seq),
        "margin": plain(note.margin),
        "text": plain(note.text),
    }


def _coverage(record: Record, ruleset: Ruleset, rulings: Rulings, outcome: Outcome) -> dict[str, Any]:
    # Every rule is in one list only: what no log can show is not also left out by a tournament.
    not_auditable = [
        {"rule": rule.id, "why": plain(rule.why_not_auditable if rule.check is None else rulings.not_audited[rule.id])}
        for rule in ruleset.rules
        if rule.check is None or rule.id in rulings.not_audited
    ]
    passed_by = {entry["rule"] for entry in not_auditable}
    counts = [(rule.id, n) for rule, n in zip(ruleset.rules, outcome.runs, strict=True) if rule.id not in passed_by]
    return {
        "events": len(record.events),
        "resolved": outcome.resolved,
        "not_claimed": outcome.silent,
        "unchecked": [{"seq": plain(seq), "rule": u.rule, "why": plain(u.why)} for seq, u in outcome.unchecked],
        "rules_run": [{"rule": rule, "times": n} for rule, n in counts if n],
        "rules_idle": [rule for rule, n in counts if not n],
        "rules_not_auditable": not_auditable,
    }


def plain(value: Any) -> Any:
    """A value as an audit may hold it: no floats, no large integers, no lone surrogates.

    What is neither JSON nor such a number is given as its text, at most `LONGEST_TEXT` characters.
    """
    kind = type(value)
    if kind is str:
        return value if value.isascii() else value.encode("utf-8", "backslashreplace").decode()
    if kind is int:
        return value if -LARGEST <= value <= LARGEST else _quoted(str(value))
    if value is None or kind is bool:
        return value
    if kind is list or kind is tuple:
        return [plain(item) for item in value]
    if kind is dict or isinstance(value, Mapping):
        return {plain(key) if type(key) is str else str(plain(str(key))): plain(item) for key, item in value.items()}
    if isinstance(value, (int, str)):
        return plain(int(value) if isinstance(value, int) else str(value))
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, (set, frozenset)):
        return sorted((plain(item) for item in value), key=str)
    return _quoted(str(value))


def _quoted(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()[:LONGEST_TEXT]
