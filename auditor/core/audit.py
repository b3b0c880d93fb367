"""From a replay to the audit: findings with stable ids, coverage, verdict, digest. Shape: design section 5.3."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from auditor.core import bounds
from auditor.core.canonical import digest, encoded
from auditor.core.evidence import Everything
from auditor.core.findings import ACCUSATIONS, Note
from auditor.core.following import follow, just_after
from auditor.core.meant import as_json, explain
from auditor.core.naming import NO_NAMES, Names, named_marks, with_what_the_log_has
from auditor.core.plain import Plain, plain
from auditor.core.record import Record
from auditor.core.replay import Replay
from auditor.core.ruleset import Ruleset
from auditor.core.rulings import Rulings
from auditor.core.seen import NO_EFFECT, NO_EVIDENCE, Outcome, Seen


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
    meant: bool = True,
    everything: Everything = False,
) -> dict[str, Any]:
    """The audit of a record as a JSON value, without its digest (`sealed` adds it).

    What holds only under readings not in force has neither evidence nor effect in it. With `everything` (of all events, or of those of some numbers) these stand
    beside the audit, under `drawn`: {id of the finding: {"evidence", "effect"}}. `packs` names the data packs used ({"id", "sha256"}), `notes` what is to be said of the record as a whole.
    """
    replay = Replay(ruleset, record, rulings, strict=strict, everything=everything)
    notes = [*(Note("input", remark) for remark in replay.remarks), *notes]
    outcome = replay.run()
    if not causes:
        just_after(replay)
    elif not follow(replay):
        text = "There are more findings than causes were traced for: some that only follow are not marked as such."
        notes = [*notes, Note("unverifiable", text)]
    if causes and meant and not explain(replay):
        text = (
            "There are more findings than explanations were sought for: what a line may have meant is not always said."
        )
        notes = [*notes, Note("unverifiable", text)]
    return audit_value(record, ruleset, rulings, outcome, engine=engine, packs=packs, notes=notes, names=replay.names)


def audit_value(
    record: Record,
    ruleset: Ruleset,
    rulings: Rulings,
    outcome: Outcome,
    *,
    engine: str,
    packs: Iterable[Mapping[str, str]],
    notes: Iterable[Note],
    names: Names = NO_NAMES,
) -> dict[str, Any]:
    """The audit value made from what a replay saw; what is said is told by `names`."""
    findings, drawn = _findings(record, ruleset, outcome, names)
    beyond_stands, beyond_undecided, cut = outcome.beyond_stands, outcome.beyond_undecided, 0
    kept = _as_fit(findings)
    if kept is not findings:
        ids = {finding["id"] for finding in kept}
        left_out = [finding for finding in findings if finding["id"] not in ids]
        cut = len(left_out)
        beyond_stands = beyond_stands or any(finding["stands"] for finding in left_out)
        beyond_undecided = beyond_undecided or any(_undecided(finding) for finding in left_out)
        findings = [{**one, "depends_on": [root for root in one["depends_on"] if root in ids]} for one in kept]
        drawn = {name: shown for name, shown in drawn.items() if name in ids}
    listed = [(None, note) for note in (*_cut_short(record, outcome, findings), *notes)] + list(outcome.notes)
    more = beyond(errors=len(record.errors), notes=len(listed), unchecked=len(outcome.unchecked))
    if outcome.beyond + cut:
        more["findings"] = outcome.beyond + cut
    said = [_note(note, seq, names) for seq, note in listed[: bounds.MOST_NOTES]]
    room = fitting(said, bounds.MOST_BYTES_OF_NOTES)
    if room < len(said):
        said, more["notes"] = said[:room], len(listed) - room
    said += [_note(Note("input", text), None, NO_NAMES) for text in more_in_words(more)]
    errors = [plain(error.as_json()) for error in record.errors[: bounds.MOST_ERRORS]]
    coverage = _coverage(record, ruleset, rulings, outcome, names)
    open_ = bool(coverage["unchecked"]) or bool(errors) or beyond_undecided
    open_ = open_ or not (outcome.ended and outcome.checked)
    return {
        "audit": 1,
        "engine": engine,
        "game": ruleset.key,
        "ruleset_version": ruleset.version,
        "log_sha256": record.log_sha256,
        "packs": [plain(pack) for pack in packs],
        "rulings": plain(rulings.as_json()),
        "verdict": "findings" if beyond_stands else verdict(findings, open_),
        "errors": errors,
        "findings": findings,
        "notes": said,
        "coverage": coverage,
        **({"more": more} if more else {}),
        **({"drawn": drawn} if drawn else {}),
    }


def _as_fit(findings: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The findings as far as there is room for them: those that stand first, then what is undecided, then the rest. What
    is drawn of them is counted elsewhere (`bounds.MOST_BYTES_DRAWN`). The same list where there is room for all."""
    sizes = [len(encoded({**finding, "evidence": None})) for finding in findings]
    if sum(sizes) <= bounds.MOST_BYTES_OF_FINDINGS:
        return findings
    room, kept = bounds.MOST_BYTES_OF_FINDINGS, set()
    rank = [0 if finding["stands"] else 1 if _undecided(finding) else 2 for finding in findings]
    for n in sorted(range(len(findings)), key=lambda n: rank[n]):
        if sizes[n] <= room:
            room -= sizes[n]
            kept.add(n)
    return [finding for n, finding in enumerate(findings) if n in kept]


def fitting(values: Sequence[Any], most: int) -> int:
    """How many of some plain values, from the first, come to at most so many bytes of JSON."""
    for n, value in enumerate(values):
        most -= len(encoded(value)) + 1
        if most < 0:
            return n
    return len(values)


def _undecided(finding: Mapping[str, Any]) -> bool:
    return finding["kind"] == "ambiguous" and not finding["undone"]


def beyond(**counts: int) -> dict[str, int]:
    """How many entries of each list of an audit are more than it may hold, where any are."""
    most = {"errors": bounds.MOST_ERRORS, "notes": bounds.MOST_NOTES, "unchecked": bounds.MOST_UNCHECKED}
    return {name: count - most[name] for name, count in counts.items() if count > most[name]}


def more_in_words(more: Mapping[str, int]) -> list[str]:
    """What is beyond the lists of an audit, a sentence each."""
    what = {
        "errors": "errors in the file",
        "findings": "findings",
        "notes": "notes",
        "unchecked": "events that could not be checked",
    }
    return [f"There are {count:,} more {what[name]} than are listed." for name, count in more.items()]


def _cut_short(record: Record, outcome: Outcome, findings: Iterable[Mapping[str, Any]]) -> Iterator[Note]:
    """Why a record without a fault is no clean game: it breaks off, or no act in it was checked."""
    last = next((event.seq for event in reversed(record.events) if event.seq is not None), None)
    if last is None:
        yield Note("unverifiable", "The record breaks off after its header: it holds no event.")
        return
    if not outcome.ended:
        where = f"{outcome.until}, after event {last}" if outcome.until else f"after event {last}"
        doubts = outcome.beyond or outcome.unchecked or any(f["stands"] or f["kind"] == "ambiguous" for f in findings)
        until = "" if doubts or not outcome.checked else "; nothing wrong until there"
        yield Note("unverifiable", f"The record breaks off {where}{until}.")
    if not outcome.checked:
        yield Note("unverifiable", "Nothing was checked: the record holds no act that a rule looks at.")


def verdict(findings: Iterable[Mapping[str, Any]], unchecked: bool) -> str:
    """findings if any stands, incomplete if anything is ambiguous or went unchecked, else clean."""
    findings = list(findings)
    if any(finding["stands"] for finding in findings):
        return "findings"
    if unchecked or any(_undecided(finding) for finding in findings):
        return "incomplete"
    return "clean"


def sealed(value: dict[str, Any]) -> dict[str, Any]:
    """The audit with its digest: SHA-256 over the canonical JSON of everything else but what stands beside it."""
    return sealed_json(value)[0]


def sealed_json(value: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
    """The audit with its digest, and its canonical JSON; both from one encoding."""
    body = {key: part for key, part in value.items() if key not in BESIDE}
    beside = {key: part for key, part in value.items() if key in BESIDE and key != "digest"}
    parts = {key: encoded(part) for key, part in body.items()}
    beside["digest"] = hashlib.sha256(_object(parts)).hexdigest()
    return {**body, **beside}, _object({**parts, **{key: encoded(part) for key, part in beside.items()}})


BESIDE = frozenset({"digest", "drawn"})
"""Parts of an audit that its digest is not taken of."""


def filled(value: dict[str, Any]) -> dict[str, Any]:
    """The audit with the evidence and the effects that stand beside it in their findings, for reports."""
    drawn = value.get("drawn")
    if not drawn:
        return value
    findings = [{**finding, **drawn.get(finding["id"], {})} for finding in value["findings"]]
    return {**{key: part for key, part in value.items() if key != "drawn"}, "findings": findings}


def _object(parts: Mapping[str, bytes]) -> bytes:
    """The object of parts that are encoded already; their keys are those of an audit, plain ASCII."""
    return b"{" + b",".join(b'"%b":%b' % (key.encode(), parts[key]) for key in sorted(parts)) + b"}"


def _findings(
    record: Record, ruleset: Ruleset, outcome: Outcome, names: Names
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """All findings with their ids, sorted by (seq, rule, subject, id); and what was drawn of slim ones, by id."""
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
    clean = Plain()
    scopes = {id(seen.scope): seen.scope for seen in outcome.seen}
    scopes_as_json = {key: scope.as_json() for key, scope in scopes.items()}
    findings: list[dict[str, Any]] = []
    drawn: dict[str, Any] = {}
    for i in order:
        seen = outcome.seen[i]
        shown = {"evidence": _evidence(seen.evidence, clean, names), "effect": _effect(seen.effect)}
        if seen.slim and seen.evidence is not None:
            drawn[ids[i]] = shown
        scope = scopes_as_json[id(seen.scope)]
        finding = _finding(record, ruleset, names, seen, ids[i], ids, scope, NOT_DRAWN if seen.slim else shown)
        if seen.meant is not None:
            finding["meant"] = plain(as_json(seen.meant, ids, record.header, ruleset, names))
        findings.append(finding)
    return findings, drawn


NOT_DRAWN: Mapping[str, None] = {"evidence": None, "effect": None}


def _player(record: Record, seen: Seen) -> str | None:
    player = seen.player(record.events)
    return None if player is None else str(plain(player))


def _finding(
    record: Record,
    ruleset: Ruleset,
    names: Names,
    seen: Seen,
    finding_id: str,
    ids: Sequence[str],
    scope: dict[str, Any],
    shown: Mapping[str, Any],
) -> dict[str, Any]:
    fault = seen.fault
    remedy = ruleset.remedy(fault) if ruleset.remedy is not None and fault.kind in ACCUSATIONS else None
    said = fault.text
    if fault.kind == "miscalculated":
        said = with_what_the_log_has(said, fault.claimed, fault.recomputed, names.players)
    text = names.heading(said)
    if seen.undone_by is not None:
        text = f"{text} Play was taken back at event {seen.undone_by}."
    claimed, recomputed = plain(fault.claimed), plain(fault.recomputed)
    more = {"game_fields": plain(fault.game_fields)} if fault.game_fields else {}
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
        **shown,
        "remedy": plain(remedy),
        "meant": None,
        "scope": scope,
        "under": [
            {"readings": dict(sorted(cube.items())), "kind": other.kind, "recomputed": plain(other.recomputed)}
            for cube, other in seen.under
        ],
        "stands": seen.stands,
        "undone": seen.undone_by is not None,
        "depends_on": sorted(ids[i] for i in seen.depends_on),
        "text": plain(text),
        **more,
    }


def _evidence(shown: dict[str, Any] | None, clean: Plain, names: Names) -> dict[str, Any] | None:
    """What a finding shows, as an audit may hold it; what its marks say is told by names."""
    if shown is None or shown is NO_EVIDENCE:
        return shown
    return {key: named_marks(clean(part), names) if key == "marks" else clean(part) for key, part in shown.items()}


def _effect(effect: dict[str, Any] | None) -> dict[str, Any] | None:
    return effect if effect is None or effect is NO_EFFECT else plain(effect)


def _note(note: Note, seq: int | None, names: Names) -> dict[str, Any]:
    return {
        "kind": note.kind,
        "rule": note.rule,
        "seq": plain(seq),
        "margin": plain(note.margin),
        "text": plain(names(note.text)),
    }


def _coverage(record: Record, ruleset: Ruleset, rulings: Rulings, outcome: Outcome, names: Names) -> dict[str, Any]:
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
        "ended": outcome.ended,
        "resolved": outcome.resolved,
        "not_claimed": outcome.silent,
        "unchecked": [
            {"seq": plain(seq), "rule": u.rule, "why": plain(names(u.why))}
            for seq, u in outcome.unchecked[: bounds.MOST_UNCHECKED]
        ],
        "rules_run": [{"rule": rule, "times": n} for rule, n in counts if n],
        "rules_idle": [rule for rule, n in counts if not n],
        "rules_not_auditable": not_auditable,
    }
