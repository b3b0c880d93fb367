"""From an audit to what its pages say: plain values that the templates print and decide nothing about.

Input: the audit as JSON (design 5.3), the frames of the replay, the rules and readings as `auditor rules` and
`auditor readings` give them, and a header: {title, match: {event, round, table}, players: [{id, name}], board,
scenario, recorded_by}. Nothing here knows a game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from auditor.report import svg
from auditor.report.desk import Desk, counts_for_much
from auditor.report.links import Links
from auditor.report.model import Case, Coverage, Json, NoteGroup, Option, ReportPage, Ruled, Side, Tally
from auditor.report.pen import Sheet
from auditor.report.timeline import timeline
from auditor.report.words import ICONS, KINDS, label, listed, plural, shorten, value_words

VERDICTS = {"clean": "Clean", "findings": "Findings", "incomplete": "Incomplete", "unreadable": "Unreadable"}


def report_page(
    audit: Json,
    frames: Sequence[Json],
    rules: Sequence[Json],
    readings: Sequence[Json],
    header: Json,
    links: Links | None = None,
    *,
    sheet: Sheet | None = None,
) -> ReportPage:
    """The report of one audit. `frames` may be empty: then there is no strip."""
    desk = Desk(audit, frames, rules, readings, header, links or Links(), sheet or Sheet())
    return build_report(desk)


def build_report(desk: Desk) -> ReportPage:
    """As report_page, for a desk that is already laid."""
    audit, links = desk.audit, desk.links
    roots = desk.standing_roots()
    ambiguous = [f for f in desk.findings if f.get("kind") == "ambiguous" and not f.get("undone")]
    apart = [f for f in desk.findings if not f.get("stands") and (f.get("kind") != "ambiguous" or f.get("undone"))]
    only_under = [f for f in apart if (f.get("scope") or {}).get("kind") == "only_under" and not f.get("undone")]
    set_aside = [f for f in apart if f not in only_under]
    verdict = str(audit.get("verdict"))
    columns, tally, total = _tally(desk)
    header_notes = tuple(
        str(n.get("text")) for n in audit.get("notes") or () if n.get("kind") == "reading" and not n.get("seq")
    )
    cases = tuple(desk.case(f) for f in roots)
    heading = " against ".join(s.name for s in desk.sides) or str(desk.header.get("title") or "A game")
    page_title = f"{heading}: {VERDICTS.get(verdict, verdict).lower()}"
    coverage = _coverage(desk)
    return ReportPage(
        title=shorten(page_title, 120),
        heading=heading,
        under_heading=_under_heading(desk),
        players=desk.sides,
        verdict=verdict,
        word=VERDICTS.get(verdict, verdict),
        sentences=_sentences(desk, roots),
        asides=_asides(ambiguous, only_under, set_aside),
        columns=columns,
        tally=tally,
        total=total,
        follow_note=bool(desk.roots),
        rulings_name=str((audit.get("rulings") or {}).get("name") or "the defaults"),
        rulings=_rulings(desk),
        header_notes=header_notes,
        not_checked=_not_checked(desk, coverage),
        strip=timeline(desk.frames, desk.flags(to_replay=False)),
        cases=cases,
        ambiguous=tuple(desk.case(f) for f in ambiguous),
        only_under=_by_reading([desk.case(f) for f in only_under]),
        set_aside=tuple(desk.case(f) for f in set_aside),
        errors=tuple(audit.get("errors") or ()),
        notes=_notes(desk),
        coverage=coverage,
        footer=_footer(audit),
        verify="auditor verify AUDIT.json LOG",
        key=tuple(svg.key_items(desk.side_ids)),
        links=links,
        defs=desk.sheet.defs(),
        open_first=len(roots) == 1,
    )


def _under_heading(desk: Desk) -> str:
    header = desk.header
    match = header.get("match") or {}
    said = [str(match["event"])] if match.get("event") else []
    said += [f"{w} {match[w]}" for w in ("round", "table") if match.get(w) not in (None, "")]
    for key in ("scenario", "board"):
        value = header.get(key)
        value = value.get("title") or value.get("id") if isinstance(value, Mapping) else value
        if value:
            said.append(str(value))
    events = (desk.audit.get("coverage") or {}).get("events")
    if isinstance(events, int):
        said.append(plural(events, "event"))
    if header.get("recorded_by"):
        said.append(f"recorded by {header['recorded_by']}")
    return " · ".join(shorten(s, 80) for s in said)


def _by_player(desk: Desk, findings: Iterable[Json]) -> str:
    counts = Counter(f.get("player") for f in findings)
    said = [f"{counts[s.id]} for {s.name}" for s in desk.sides if counts[s.id]]
    rest = sum(n for player, n in counts.items() if desk.side(player) is None)
    if rest:
        said.append(f"{rest} for nobody alone")
    return listed(said)


def _sentences(desk: Desk, roots: Sequence[Json]) -> tuple[str, ...]:
    audit = desk.audit
    coverage = audit.get("coverage") or {}
    errors = len(audit.get("errors") or ())
    if audit.get("verdict") == "unreadable":
        return (
            f"The log has no header that can be used, so nothing was audited. {plural(errors, 'error')} in the file.",
        )
    out = []
    if roots:
        by = _by_player(desk, roots)
        out.append(f"{plural(len(roots), 'act')} to rule on: {by}.")
        if desk.roots:
            n = len(desk.roots)
            out.append(f"{n} more {'follows' if n == 1 else 'follow'} from {'it' if len(roots) == 1 else 'them'}.")
    elif audit.get("verdict") == "clean":
        checks = sum(r.get("times", 0) for r in coverage.get("rules_run") or ())
        run = len(coverage.get("rules_run") or ())
        out.append(f"No fault in {plural(coverage.get('events') or 0, 'event')}.")
        out.append(f"{plural(run, 'rule')} looked, {plural(checks, 'check')} in all.")
    else:
        out.append("No fault stands, but not everything could be checked.")
    if errors:
        out.append(f"{plural(errors, 'place')} in the file could not be read.")
    return tuple(out)


def _asides(ambiguous: Sequence[Json], only_under: Sequence[Json], set_aside: Sequence[Json]) -> tuple[str, ...]:
    out = []
    if ambiguous:
        out.append(f"{plural(len(ambiguous), 'act')} could not be judged.")
    if only_under:
        n = len(only_under)
        out.append(f"{n} would be {'a fault' if n == 1 else 'faults'} only under a reading that is not in force.")
    if set_aside:
        out.append(
            f"{plural(len(set_aside), 'fault')} in events that were taken back, which "
            f"{'does' if len(set_aside) == 1 else 'do'} not count."
        )
    return tuple(out)


def _by_reading(cases: Sequence[Case]) -> tuple[tuple[tuple[Option, ...], tuple[Case, ...]], ...]:
    """Findings that hold only under other readings, by what would have to be read differently for them to stand."""
    groups: dict[tuple[Option, ...], list[Case]] = {}
    for case in cases:
        nearest = case.scope.holds[0] if case.scope.holds else ()
        groups.setdefault(tuple(o for o in nearest if not o.in_force), []).append(case)
    return tuple((options, tuple(found)) for options, found in groups.items())


def _tally(desk: Desk) -> tuple[tuple[Side | None, ...], tuple[Tally, ...], tuple[tuple[int, int], ...]]:
    counted = [f for f in desk.findings if counts_for_much(f)]
    columns: list[Side | None] = list(desk.sides)
    if any(desk.side(f.get("player")) is None for f in counted):
        columns.append(None)

    def cell(kinds: Sequence[str], column: Side | None) -> tuple[int, int]:
        here = [f for f in counted if f.get("kind") in kinds and desk.side(f.get("player")) == column]
        follow = sum(str(f["id"]) in desk.roots for f in here)
        return len(here) - follow, follow

    tally = tuple(Tally(kind, ICONS[kind], tuple(cell((kind,), c) for c in columns)) for kind in KINDS)
    return tuple(columns), tally, tuple(cell(KINDS[:3], c) for c in columns)


def _rulings(desk: Desk) -> tuple[Ruled, ...]:
    chosen = desk.force
    differs = [r for r, known in desk.readings.items() if chosen[r] not in (known["default"], "open")]
    opened = [r for r in desk.readings if chosen[r] == "open"]
    deciding: list[str] = []
    for finding in filter(counts_for_much, desk.findings):
        scope = finding.get("scope") or {}
        for row in (*(scope.get("holds") or ()), *(scope.get("clears") or ())):
            deciding += [str(r) for r in row if str(r) not in deciding]
    out = []
    if deciding:
        words = "decides" if len(deciding) == 1 else "decide"
        out.append(Ruled(f"{plural(len(deciding), 'reading')} {words} a finding here", _options(desk, deciding)))
    if differs:
        words = "differs" if len(differs) == 1 else "differ"
        out.append(
            Ruled(
                f"{len(differs)} of {plural(len(desk.readings), 'reading')} {words} from the default",
                _options(desk, differs),
            )
        )
    elif desk.readings:
        out.append(
            Ruled(
                f"All {plural(len(desk.readings), 'reading')} as by default"
                if not opened
                else "The rest as by default",
                (),
            )
        )
    if opened:
        out.append(Ruled(f"{len(opened)} left open, ruled on by nobody", _options(desk, opened)))
    settings = (desk.audit.get("rulings") or {}).get("settings") or {}
    for name, value in settings.items():
        out.append(Ruled(f"{label(str(name))}: {value_words(value)}", ()))
    return tuple(out)


def _options(desk: Desk, ids: Sequence[str]) -> tuple[Option, ...]:
    return tuple(desk.option(r, desk.force.get(r, "")) for r in ids)


def _not_checked(desk: Desk, coverage: Coverage) -> tuple[str, ...]:
    out = []
    for rule, _, why, events in coverage.unchecked[:3]:
        seqs = [str(seq) for seq, _ in events]
        where = (
            f"{'event' if len(seqs) == 1 else 'events'} {', '.join(seqs[:4])}{' …' if len(seqs) > 4 else ''}: "
            if seqs
            else ""
        )
        out.append(f"{where}{why}{f' ({rule})' if rule else ''}")
    if len(coverage.unchecked) > 3:
        out.append(f"and {len(coverage.unchecked) - 3} more")
    return tuple(out)


_NOTES = {
    "tolerance": "Within the tolerance",
    "reading": "Readings and rulings",
    "unverifiable": "Cannot be verified from a log",
    "unknown_event": "Events of an unknown type",
    "record": "The record against itself",
    "input": "The file",
    "hole": "What the log leaves open",
    "by_judge": "Settled by a judge at the table",
}


def _notes(desk: Desk) -> tuple[NoteGroup, ...]:
    groups: dict[str, list[tuple[int | None, str | None, str | None, str | None, str, str]]] = {}
    for n in desk.audit.get("notes") or ():
        seq = n.get("seq") if isinstance(n.get("seq"), int) else None
        rule = n.get("rule")
        margin = n.get("margin")
        groups.setdefault(str(n.get("kind")), []).append(
            (
                seq,
                desk.links.replay(seq) if seq is not None else None,
                str(rule) if rule else None,
                desk.links.rule(str(rule)) if rule else None,
                shorten(str(n.get("text") or ""), 600),
                "" if margin is None else value_words(margin),
            )
        )
    order = [*_NOTES, *sorted(k for k in groups if k not in _NOTES)]
    return tuple(NoteGroup(_NOTES.get(k, label(k)), tuple(groups[k])) for k in order if k in groups)


def _coverage(desk: Desk) -> Coverage:
    coverage = desk.audit.get("coverage") or {}
    run, idle = coverage.get("rules_run") or (), coverage.get("rules_idle") or ()
    cannot = coverage.get("rules_not_auditable") or ()
    checks = sum(r.get("times", 0) for r in run)
    declared = len(run) + len(idle) + len(cannot)
    words = []
    if coverage.get("events") is not None:
        events, resolved = coverage.get("events"), coverage.get("resolved")
        words.append(
            f"{plural(events or 0, 'event')}"
            + (f", {resolved:,} of them replayed" if isinstance(resolved, int) else "")
            + "."
        )
    words.append(
        f"{plural(declared, 'rule')} declared: {len(run)} ran ({plural(checks, 'check')}), "
        f"{len(idle)} had nothing to look at, {len(cannot)} cannot be audited from any log."
    )
    claims = coverage.get("not_claimed")
    if isinstance(claims, Mapping):
        claims = sum(v for v in claims.values() if isinstance(v, int))
    elif isinstance(claims, list):
        claims = len(claims)
    if isinstance(claims, int) and claims:
        words.append(
            f"{plural(claims, 'number')} that the log could have claimed and did not: nothing was compared there."
        )
    grouped: dict[tuple[str, str], list[int]] = {}
    for u in coverage.get("unchecked") or ():
        seqs = grouped.setdefault((str(u.get("rule") or ""), str(u.get("why"))), [])
        if isinstance(u.get("seq"), int):
            seqs.append(u["seq"])
    unchecked = tuple(
        (
            rule,
            desk.links.rule(rule) if rule else None,
            shorten(why, 300),
            tuple((s, desk.links.replay(s)) for s in seqs),
        )
        for (rule, why), seqs in grouped.items()
    )

    def named(items: Iterable[Any]) -> tuple[tuple[str, str | None, str], ...]:
        out = []
        for item in items:
            rule = str(item.get("rule")) if isinstance(item, Mapping) else str(item)
            why = str(item.get("why") or "") if isinstance(item, Mapping) else desk.rule(rule)[0]
            out.append((rule, desk.links.rule(rule), why))
        return tuple(out)

    aside = (desk.audit.get("rulings") or {}).get("not_audited") or {}
    return Coverage(
        tuple(words),
        unchecked,
        named(idle),
        named(cannot),
        tuple((str(r), desk.links.rule(str(r)), str(why)) for r, why in aside.items()),
    )


def _footer(audit: Json) -> tuple[tuple[str, str], ...]:
    rows = [
        ("Ruleset", f"{audit.get('game')} {audit.get('ruleset_version')}"),
        ("Engine", audit.get("engine")),
        ("Log, SHA-256", audit.get("log_sha256")),
        *((f"Data pack {p.get('id')}", p.get("sha256")) for p in audit.get("packs") or ()),
        ("Digest of this audit", audit.get("digest")),
    ]
    return tuple((name, str(value)) for name, value in rows if value)
