"""From an audit to what its pages say: plain values that the templates print and decide nothing about.

Input: the audit as JSON (design 5.3), the frames of the replay, the rules and readings as `auditor rules` and
`auditor readings` give them, and a header: {title, match: {event, round, table}, players: [{id, name}], board,
scenario, recorded_by, game_title, caveat (what has to be known of the auditor of this game)}. Nothing here knows a game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from markupsafe import Markup

from auditor.report.boards import Sheet
from auditor.report.casebook import BOTH, Casebook, bears_on_the_verdict
from auditor.report.counting import follow, to_decide
from auditor.report.links import Links
from auditor.report.model import Case, Coverage, Gains, Json, NoteGroup, Option, ReportPage, Ruled, Side, Tally
from auditor.report.paging import Pager, Where, page_of
from auditor.report.timeline import timeline
from auditor.report.words import ICONS, KINDS, label, listed, plural, shorten, value_words

VERDICTS = {"clean": "Clean", "findings": "Findings", "incomplete": "Incomplete", "unreadable": "Unreadable"}


def nameless(verdict: str) -> str:
    """What a log is called that names neither players nor itself."""
    return "A log that cannot be read" if verdict == "unreadable" else "A game"


TITLES = {
    "ambiguous": "Could not be judged",
    "only_under": "Only if an open question were answered differently",
    "set_aside": "In events that do not count",
    "errors": "What could not be read",
    "unchecked": "Not checked, and why",
    "notes": "Notes (not accusations)",
    "coverage": "What was checked",
    "footer": "How to check this report",
}


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
    book = Casebook(audit, frames, rules, readings, header, links or Links(), sheet or Sheet())
    return build_report(book)


class Lists:
    """The lists of findings of a report, each in the order in which it is shown.

    only_under   those that hold under other readings only, by what would have to be read differently for them to stand
    groups       for each of these: the options that would have to be others, and how many there are with the same
    """

    def __init__(self, book: Casebook) -> None:
        self.roots = book.standing_roots()
        self.ambiguous = [f for f in book.findings if f.get("kind") == "ambiguous" and not f.get("undone")]
        self.set_aside: list[Json] = []
        groups: dict[tuple[Option, ...], list[Json]] = {}
        for f in book.findings:
            if f.get("stands") or (f.get("kind") == "ambiguous" and not f.get("undone")):
                continue
            if f.get("undone") or (f.get("scope") or {}).get("kind") != "only_under":
                self.set_aside.append(f)
                continue
            groups.setdefault(tuple(o for o in book.scope(f).nearest if not o.in_force), []).append(f)
        self.only_under = [f for found in groups.values() for f in found]
        self.groups = {str(f["id"]): (options, len(found)) for options, found in groups.items() for f in found}

    def all(self) -> dict[str, list[Json]]:
        """Each list by its name."""
        named = {"findings": self.roots, "ambiguous": self.ambiguous}
        return {**named, "only_under": self.only_under, "set_aside": self.set_aside}


def further_pages(book: Casebook) -> dict[str, Where]:
    """The page of each finding that is on none of the first pages of the lists."""
    out = {}
    for name, found in Lists(book).all().items():
        for place, finding in enumerate(found):
            if page_of(place) > 1:
                out[str(finding["id"])] = (name, page_of(place))
    for follower, root in book.roots.items():
        if root in out:
            out[follower] = out[root]
    return out


def listed_first(book: Casebook, most: int) -> set[str]:
    """The findings that a report shows of which each list has at most so many; those that follow from one with it."""
    first = {str(finding["id"]) for found in Lists(book).all().values() for finding in found[:most]}
    return first | {follower for follower, root in book.roots.items() if root in first}


def build_report(
    book: Casebook,
    *,
    pictures: bool = True,
    paged: bool = False,
    only: Where | None = None,
    most: int | None = None,
) -> ReportPage:
    """As report_page, for a casebook that is already made; without pictures where none will be printed.

    `paged`: of each list the first page; with `only`, that page of that list and nothing of the others; `most`: where
    there are no pages, so many of each list (`Pager`).
    """
    audit, links = book.audit, book.links
    book.here = only
    pager = Pager(lambda name, number: _address(links, name, number), paged, only, most)
    more = audit.get("more") or {}
    lists = Lists(book)
    roots = lists.roots
    verdict = str(audit.get("verdict"))
    columns, tally, total = _tally(book)
    header_notes = tuple(str(n.get("text")) for n in audit.get("notes") or () if _is_of_the_header(n))

    def cases(name: str, beyond: Any = 0) -> tuple[Case, ...]:
        return tuple(book.case(f, deep=pictures) for f in pager.cut(name, lists.all()[name], beyond))

    heading = " against ".join(s.name for s in book.sides) or str(book.header.get("title") or nameless(verdict))
    page_title = f"{heading}: {VERDICTS.get(verdict, verdict).lower()}"
    coverage = _coverage(book)
    unchecked = tuple(pager.cut("unchecked", coverage.unchecked, more.get("unchecked")))
    return ReportPage(
        title=shorten(page_title, 120),
        heading=heading,
        ruleset=_ruleset(book),
        under_heading=_under_heading(book),
        players=book.sides,
        verdict=verdict,
        word=VERDICTS.get(verdict, verdict),
        sentences=_sentences(book, roots),
        asides=_asides(lists.ambiguous, lists.only_under, lists.set_aside, more.get("findings")),
        columns=columns,
        tally=tally,
        gains=_gains(book, columns),
        total=total,
        follow_note=bool(book.roots),
        rulings_name=str((audit.get("rulings") or {}).get("name") or "the defaults"),
        rulings=_rulings(book),
        titles=TITLES,
        header_notes=header_notes,
        caveat=book.caveat,
        not_checked=_not_checked(book, coverage),
        strip=timeline(book.frames, book.flags(to_replay=False)) if only is None else Markup(""),
        cases=cases("findings", more.get("findings")),
        ambiguous=cases("ambiguous"),
        only_under=_by_reading(cases("only_under"), lists),
        set_aside=cases("set_aside"),
        errors=tuple(pager.cut("errors", audit.get("errors") or (), more.get("errors"))),
        notes=_notes(book, pager, more.get("notes")),
        lists=pager.parts,
        coverage=replace(coverage, unchecked=unchecked),
        footer=_footer(audit),
        verify="auditor verify AUDIT.json LOG",
        key=tuple(book.kind.key_items(book.side_ids)),
        board_template=book.kind.template,
        links=links,
        defs=book.sheet.defs,
        open_first=len(roots) == 1,
    )


def _ruleset(book: Casebook) -> str:
    """Which game it is and by which rules it was judged; empty where no game is known."""
    game = book.audit.get("game")
    title = shorten(str(book.header.get("game_title") or game), 80)
    return f"{title}, rules version {book.audit.get('ruleset_version')}" if game else ""


def _under_heading(book: Casebook) -> str:
    header = book.header
    match = header.get("match") or {}
    said = [str(match["event"])] if match.get("event") else []
    said += [f"{w} {match[w]}" for w in ("round", "table") if match.get(w) not in (None, "")]
    for key in ("scenario", "board"):
        value = header.get(key)
        value = value.get("title") or value.get("id") if isinstance(value, Mapping) else value
        if value:
            said.append(str(value))
    events = (book.audit.get("coverage") or {}).get("events")
    if isinstance(events, int) and book.audit.get("verdict") != "unreadable":
        said.append(plural(events, "event"))
    if header.get("recorded_by"):
        said.append(f"recorded by {header['recorded_by']}")
    confirmed = [side.name if (side := book.side(one)) else str(one) for one in header.get("confirmed_by") or ()]
    if confirmed:
        said.append(f"confirmed by {listed(confirmed)}")
    return " · ".join(shorten(s, 80) for s in said)


def _by_player(book: Casebook, findings: Iterable[Json]) -> str:
    counts = Counter(f.get("player") for f in findings)
    said = [f"{counts[s.id]} for {s.name}" for s in book.sides if counts[s.id]]
    rest = sum(n for player, n in counts.items() if book.side(player) is None)
    if rest:
        said.append(f"{rest} for {BOTH}")
    return listed(said)


def _sentences(book: Casebook, roots: Sequence[Json]) -> tuple[str, ...]:
    audit = book.audit
    coverage = audit.get("coverage") or {}
    errors = len(audit.get("errors") or ()) + (audit.get("more") or {}).get("errors", 0)
    if audit.get("verdict") == "unreadable":
        return (
            f"The log has no header that can be used, so nothing was audited. {plural(errors, 'error')} in the file.",
        )
    out = []
    said_first = [str(n.get("text")) for n in audit.get("notes") or () if _is_of_the_verdict(n)]
    if roots:
        by = _by_player(book, roots)
        out.append(f"{to_decide(len(roots))}: {by}.")
        if book.roots:
            out.append(f"{follow(len(book.roots))} from {'it' if len(roots) == 1 else 'them'}.")
        out += said_first
    elif audit.get("verdict") == "clean":
        checks = sum(r.get("times", 0) for r in coverage.get("rules_run") or ())
        run = len(coverage.get("rules_run") or ())
        out.append(f"No fault in {plural(coverage.get('events') or 0, 'event')}.")
        out.append(f"{plural(run, 'rule')} checked, {plural(checks, 'check')} in all.")
    else:
        out += said_first or ["No fault stands, but not everything could be checked."]
    if errors:
        out.append(f"{plural(errors, 'place')} in the file could not be read.")
    return tuple(out)


def _address(links: Links, name: str, number: int) -> str | None:
    """Where a page of a list is: the first stands in the report itself."""
    if number > 1:
        return links.part(name, number)
    return None if links.report is None else f"{links.report}#{name.replace('_', '-')}"


def _asides(
    ambiguous: Sequence[Json], only_under: Sequence[Json], set_aside: Sequence[Json], beyond: int | None
) -> tuple[str, ...]:
    out = []
    if beyond:
        out.append(f"{plural(beyond, 'further finding')} {'is' if beyond == 1 else 'are'} counted and not listed.")
    if ambiguous:
        out.append(f"{plural(len(ambiguous), 'act')} could not be judged.")
    if only_under:
        n = len(only_under)
        out.append(f"{n} more would count if this event had answered an open question differently.")
    if set_aside:
        out.append(
            f"{plural(len(set_aside), 'fault')} in events that were taken back, which "
            f"{'does' if len(set_aside) == 1 else 'do'} not count."
        )
    return tuple(out)


def _by_reading(cases: Sequence[Case], lists: Lists) -> tuple[tuple[tuple[Option, ...], tuple[Case, ...], int], ...]:
    """Findings that hold only under other readings, by what would have to be read differently for them to stand, each
    group with the number of all that are like it."""
    out = []
    for (options, count), found in groupby(cases, key=lambda case: lists.groups[case.id]):
        out.append((options, tuple(found), count))
    return tuple(out)


def _tally(book: Casebook) -> tuple[tuple[Side | None, ...], tuple[Tally, ...], tuple[tuple[int, int], ...]]:
    counted = [f for f in book.findings if bears_on_the_verdict(f)]
    columns: list[Side | None] = list(book.sides)
    if any(book.side(f.get("player")) is None for f in counted):
        columns.append(None)

    def cell(kinds: Sequence[str], column: Side | None) -> tuple[int, int]:
        here = [f for f in counted if f.get("kind") in kinds and book.side(f.get("player")) == column]
        follow = sum(str(f["id"]) in book.roots for f in here)
        return len(here) - follow, follow

    tally = tuple(Tally(kind, ICONS[kind], tuple(cell((kind,), c) for c in columns)) for kind in KINDS)
    return tuple(columns), tally, tuple(cell(KINDS[:3], c) for c in columns)


def _gains(book: Casebook, columns: Sequence[Side | None]) -> tuple[Gains, ...]:
    """How many findings that stand by themselves were to a player's own advantage, and how many to the own harm."""
    roots = [f for f in book.findings if f.get("stands") and str(f["id"]) not in book.roots]

    def count(column: Side | None, own: bool) -> int:
        here = [f for f in roots if book.side(f.get("player")) == column]
        gained = [book.side((f.get("effect") or {}).get("gain")) for f in here]
        return sum(one is not None and (one == column) == own for one in gained)

    rows = (("to their own advantage", True), ("to their own harm", False))
    found = tuple(Gains(words, tuple(0 if c is None else count(c, own) for c in columns)) for words, own in rows)
    return found if any(sum(one.cells) for one in found) else ()


def _rulings(book: Casebook) -> tuple[Ruled, ...]:
    chosen = book.force
    differs = [r for r, known in book.readings.items() if chosen[r] not in (known["default"], "open")]
    opened = [r for r in book.readings if chosen[r] == "open"]
    deciding: list[str] = []
    for finding in filter(bears_on_the_verdict, book.findings):
        scope = finding.get("scope") or {}
        for row in (*(scope.get("holds") or ()), *(scope.get("clears") or ())):
            deciding += [str(r) for r in row if str(r) not in deciding]
    out = []
    if deciding:
        words = "decides" if len(deciding) == 1 else "decide"
        out.append(Ruled(f"{plural(len(deciding), 'open question')} {words} a finding here", _options(book, deciding)))
    if differs:
        words = "differs" if len(differs) == 1 else "differ"
        out.append(
            Ruled(
                f"{plural(len(differs), 'answer')} of {len(book.readings)} {words} from the default",
                _options(book, differs),
            )
        )
    elif book.readings:
        out.append(
            Ruled(
                f"All {plural(len(book.readings), 'open question')} answered by the default"
                if not opened
                else "The rest at the default",
                (),
            )
        )
    if opened:
        out.append(Ruled(f"{len(opened)} left open", _options(book, opened)))
    settings = (book.audit.get("rulings") or {}).get("settings") or {}
    for name, value in settings.items():
        out.append(Ruled(f"{label(str(name))}: {value_words(value)}", ()))
    return tuple(out)


def _options(book: Casebook, ids: Sequence[str]) -> tuple[Option, ...]:
    return tuple(book.option(r, book.force.get(r, "")) for r in ids)


def _not_checked(book: Casebook, coverage: Coverage) -> tuple[str, ...]:
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


def _is_of_the_header(note: Json) -> bool:
    """Whether a note is of the record as a whole, which stands on the first screen: that the log's own rulings are not
    those in force, or how the log was read."""
    return note.get("kind") in ("reading", "input") and note.get("seq") is None


def _is_of_the_verdict(note: Json) -> bool:
    """Whether a note says why the verdict is no better: the record breaks off, or nothing in it was checked."""
    return note.get("kind") == "unverifiable" and note.get("seq") is None


_NOTES = {
    "tolerance": "Within the tolerance",
    "reading": "Open questions",
    "unverifiable": "Cannot be verified from a log",
    "unknown_event": "Events of an unknown type",
    "record": "The record against itself",
    "input": "The file",
    "hole": "What the log leaves open",
    "by_judge": "Settled by a judge at the table",
}


def _notes(book: Casebook, pager: Pager, beyond: Any) -> tuple[NoteGroup, ...]:
    groups: dict[str, list[tuple[int | None, str | None, str | None, str | None, str, str]]] = {}
    said = [n for n in book.audit.get("notes") or () if not _is_of_the_header(n) and not _is_of_the_verdict(n)]
    kinds = {kind: place for place, kind in enumerate(_NOTES)}
    said.sort(key=lambda n: (kinds.get(str(n.get("kind")), len(kinds)), str(n.get("kind"))))
    for n in pager.cut("notes", said, beyond):
        seq = n.get("seq") if isinstance(n.get("seq"), int) else None
        rule = n.get("rule")
        margin = n.get("margin")
        groups.setdefault(str(n.get("kind")), []).append(
            (
                seq,
                book.links.replay(seq) if seq is not None else None,
                str(rule) if rule else None,
                book.links.rule(str(rule)) if rule else None,
                shorten(str(n.get("text") or ""), 600),
                "" if margin is None else value_words(margin, "", book.kind),
            )
        )
    return tuple(NoteGroup(_NOTES.get(kind, label(kind)), tuple(notes)) for kind, notes in groups.items())


def _coverage(book: Casebook) -> Coverage:
    coverage = book.audit.get("coverage") or {}
    if book.audit.get("verdict") == "unreadable":
        return Coverage(
            ("Nothing: of a log whose header cannot be used no event is replayed and no rule is asked.",),
            (),
            (),
            (),
            (),
        )
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
        f"{len(idle)} did not apply, {len(cannot)} cannot be audited from any log."
    )
    claims = coverage.get("not_claimed")
    if isinstance(claims, Mapping):
        claims = sum(v for v in claims.values() if isinstance(v, int))
    elif isinstance(claims, list):
        claims = len(claims)
    if isinstance(claims, int) and claims:
        words.append(f"{plural(claims, 'result')} {'is' if claims == 1 else 'are'} not in the log, so not compared.")
    grouped: dict[tuple[str, str], list[int]] = {}
    for u in coverage.get("unchecked") or ():
        seqs = grouped.setdefault((str(u.get("rule") or ""), str(u.get("why"))), [])
        if isinstance(u.get("seq"), int):
            seqs.append(u["seq"])
    unchecked = tuple(
        (
            rule,
            book.links.rule(rule) if rule else None,
            shorten(why, 300),
            tuple((s, book.links.replay(s)) for s in seqs),
        )
        for (rule, why), seqs in grouped.items()
    )

    def named(items: Iterable[Any]) -> tuple[tuple[str, str | None, str], ...]:
        out = []
        for item in items:
            rule = str(item.get("rule")) if isinstance(item, Mapping) else str(item)
            why = str(item.get("why") or "") if isinstance(item, Mapping) else book.rule(rule)[0]
            out.append((rule, book.links.rule(rule), why))
        return tuple(out)

    aside = (book.audit.get("rulings") or {}).get("not_audited") or {}
    return Coverage(
        tuple(words),
        unchecked,
        named(idle),
        named(cannot),
        tuple((str(r), book.links.rule(str(r)), str(why)) for r, why in aside.items()),
    )


def _footer(audit: Json) -> tuple[tuple[str, str], ...]:
    game = audit.get("game")
    rows = [
        ("Ruleset", f"{game} {audit.get('ruleset_version')}" if game else "none: the log names no game known here"),
        ("Engine", audit.get("engine")),
        ("Log, SHA-256", audit.get("log_sha256")),
        *((f"Data pack {p.get('id')}", p.get("sha256")) for p in audit.get("packs") or ()),
        ("Digest of this audit", audit.get("digest")),
    ]
    return tuple((name, str(value)) for name, value in rows if value)
