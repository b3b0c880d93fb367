"""An audit as a person reads it in a terminal: the verdict first, then finding by finding, then what was not looked at.

Nothing that a log says reaches the terminal raw: `one_line` stands between. Colours only repeat what words say.
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rich.cells import cell_len
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from auditor.report.compare import sight_words, working
from auditor.report.desk import Desk
from auditor.report.hostile import one_line
from auditor.report.links import Links
from auditor.report.model import Json
from auditor.report.pen import Sheet
from auditor.report.words import faces_in, label, listed, plural, shorten, value_words

WIDTH = 80
MOST_NAMED = 12
"""Readings, assignments and events that are named one by one; beyond that they are counted."""

_VERDICTS = {
    "clean": ("CLEAN", "green"),
    "findings": ("FINDINGS", "red"),
    "incomplete": ("INCOMPLETE", "yellow"),
    "unreadable": ("UNREADABLE", "yellow"),
}
_KINDS = {"illegal": "red", "miscalculated": "magenta", "omitted": "red", "ambiguous": "yellow"}
_NOTES = {
    "tolerance": "within the tolerance",
    "reading": "reading",
    "unverifiable": "cannot be verified",
    "unknown_event": "unknown event",
    "record": "record",
    "input": "file",
    "hole": "left open",
    "by_judge": "settled by a judge",
}


def report_text(
    audit: Json,
    rules: Sequence[Json],
    readings: Sequence[Json],
    header: Json,
    *,
    name: str = "",
    width: int = WIDTH,
    color: bool = False,
) -> str:
    """The whole report of one audit. `header` as for the pages; `name` is that of the log, if it has one."""
    page = _Page(audit, rules, readings, header, width, color)
    page.head(name)
    page.findings()
    page.unread()
    page.unchecked()
    page.notes()
    page.coverage()
    page.foot()
    return page.text()


def brief_text(
    audit: Json,
    rules: Sequence[Json],
    readings: Sequence[Json],
    header: Json,
    *,
    name: str = "",
    width: int = WIDTH,
    color: bool = False,
) -> str:
    """One audit of many: its verdict, and a line for each finding that stands or could not be judged."""
    page = _Page(audit, rules, readings, header, width, color)
    page.brief(name)
    return page.text()


def tally_text(verdicts: Mapping[str, int], *, faults: int = 0) -> str:
    """How many audits came to which verdict, in one line."""
    said = [
        f"{verdicts[verdict]:,} {words}"
        for verdict, words in (
            ("clean", "clean"),
            ("findings", "with findings"),
            ("incomplete", "incomplete"),
            ("unreadable", "unreadable"),
        )
        if verdicts.get(verdict)
    ]
    if faults:
        said.append(f"{faults:,} not audited because of a fault of the auditor")
    return f"{plural(sum(verdicts.values()) + faults, 'log')}: {listed(said) or 'none'}."


class _Page:
    """One report being written."""

    def __init__(
        self,
        audit: Json,
        rules: Sequence[Json],
        readings: Sequence[Json],
        header: Json,
        width: int,
        color: bool,
    ) -> None:
        self.desk = Desk(audit, (), rules, readings, header, Links(), Sheet())
        self.audit = self.desk.audit
        self.width = width
        self._sink = io.StringIO()
        self._console = Console(
            file=self._sink,
            width=width,
            force_terminal=color,
            no_color=not color,
            color_system="standard" if color else None,
            highlight=False,
            markup=False,
            emoji=False,
            legacy_windows=False,
            _environ={},
        )

    def text(self) -> str:
        """What has been written, without spaces at the ends of lines."""
        return "\n".join(line.rstrip() for line in self._sink.getvalue().split("\n"))

    # -- writing

    def say(self, *parts: str | tuple[str, str], indent: int = 0) -> None:
        """A paragraph of (text, style) parts, wrapped and indented."""
        line = Text()
        for part in parts:
            words, style = (part, "") if isinstance(part, str) else part
            line.append(_one_line_kept(words), style=style)
        self._console.print(Padding(line, (0, 0, 0, indent), expand=False), soft_wrap=False)

    def item(self, name: str, words: Iterable[str], *, indent: int = 0, wide: int = 11, style: str = "") -> None:
        """Words beside a name, wrapped under each other."""
        grid = Table.grid(padding=(0, 1, 0, 0))
        grid.add_column(width=wide, no_wrap=False)
        grid.add_column(ratio=1, overflow="fold")
        for n, said in enumerate(words):
            grid.add_row(Text(one_line(name) if n == 0 else "", style="bold"), Text(one_line(said), style=style))
        self._console.print(Padding(grid, (0, 0, 0, indent), expand=False))

    def rule(self, title: str) -> None:
        """A line across the page with a title."""
        self._console.print()
        said = f"── {one_line(title)} "
        self._console.print(Text(said + "─" * max(0, self.width - cell_len(said)), style="dim"))

    # -- the head

    def head(self, name: str) -> None:
        """Whose game it is, the verdict and the rulings in force."""
        where = self._heading()
        for line, style in ((shorten(name, 200), "bold"), (where, "")):
            if line:
                self.say((line, style))
        if name or where:
            self._console.print()
        verdict = str(self.audit.get("verdict"))
        word, style = _VERDICTS.get(verdict, (verdict, ""))
        self.item(word, self._sentences(), wide=max(11, len(word)), style=f"bold {style}" if style else "bold")
        self._rulings()
        for note in self._header_notes():
            self.item("", [str(note.get("text"))], style="yellow")

    def _heading(self) -> str:
        header = self.desk.header
        said = [" against ".join(f"{s.name} ({s.id})" if s.name != s.id else s.id for s in self.desk.sides)]
        match = header.get("match") if isinstance(header.get("match"), Mapping) else {}
        said += [str(match["event"])] if match and match.get("event") else []
        said += [f"{word} {match[word]}" for word in ("round", "table") if match and match.get(word) not in (None, "")]
        title = str(header.get("title") or "")
        if title != " against ".join(side.name for side in self.desk.sides):
            said.append(title)
        return ", ".join(shorten(one_line(part), 80) for part in said if part)

    def _sentences(self) -> Iterator[str]:
        audit, desk = self.audit, self.desk
        errors = len(audit.get("errors") or ())
        if audit.get("verdict") == "unreadable":
            yield "The log has no header that can be used, so nothing was audited."
            return
        coverage = audit.get("coverage") or {}
        roots = desk.standing_roots()
        if roots:
            counts = Counter(finding.get("player") for finding in roots)
            by = [f"{counts[side.id]} for {side.name}" for side in desk.sides if counts[side.id]]
            rest = sum(n for player, n in counts.items() if desk.side(player) is None)
            by += [f"{rest} for nobody alone"] if rest else []
            yield f"{plural(len(roots), 'act')} to rule on: {listed(by)}."
            if desk.roots:
                follow = "follows" if len(desk.roots) == 1 else "follow"
                yield f"{len(desk.roots)} more {follow} from {'it' if len(roots) == 1 else 'them'}."
        elif audit.get("verdict") == "clean":
            run = coverage.get("rules_run") or ()
            checks = sum(rule.get("times", 0) for rule in run)
            yield (
                f"No fault in {plural(coverage.get('events') or 0, 'event')}: "
                f"{plural(len(run), 'rule')} looked, {plural(checks, 'check')} in all."
            )
        else:
            yield "No fault stands, but not everything could be checked."
        ambiguous, only_under, set_aside = self._apart()
        if ambiguous:
            yield f"{plural(len(ambiguous), 'act')} could not be judged."
        if only_under:
            what = "a fault" if len(only_under) == 1 else "faults"
            yield f"{len(only_under)} would be {what} only under a reading that is not in force."
        if set_aside:
            yield f"{plural(len(set_aside), 'fault')} in events that were taken back; that does not count."
        unchecked = len(coverage.get("unchecked") or ())
        if unchecked:
            yield f"{plural(unchecked, 'check')} called for could not be made."
        if errors:
            yield f"{plural(errors, 'place')} in the file could not be read."

    def _apart(self) -> tuple[list[Json], list[Json], list[Json]]:
        """The findings that do not stand: could not be judged, only under other readings, taken back."""
        apart = [f for f in self.desk.findings if not f.get("stands")]
        ambiguous = [f for f in apart if f.get("kind") == "ambiguous" and not f.get("undone")]
        rest = [f for f in apart if f not in ambiguous]
        set_aside = [f for f in rest if f.get("undone") or (f.get("scope") or {}).get("kind") != "only_under"]
        return ambiguous, [f for f in rest if f not in set_aside], set_aside

    def _rulings(self) -> None:
        desk = self.desk
        rulings = self.audit.get("rulings") or {}
        if not desk.readings or self.audit.get("verdict") == "unreadable":
            return
        differs = [r for r, known in desk.readings.items() if desk.force[r] not in (known["default"], "open")]
        opened = [r for r in desk.readings if desk.force[r] == "open"]
        said = [str(rulings.get("name") or "defaults")]
        if differs:
            named = [f"{reading} {desk.force[reading]}" for reading in differs[:MOST_NAMED]]
            more = f" and {len(differs) - MOST_NAMED} more" if len(differs) > MOST_NAMED else ""
            said.append(f"other than by default: {', '.join(named)}{more}")
        if opened:
            said.append(f"left open: {', '.join(opened[:MOST_NAMED])}{' …' if len(opened) > MOST_NAMED else ''}")
        if not differs and not opened and said[0] != "defaults":
            said.append(f"all {plural(len(desk.readings), 'reading')} as by default")
        said += [f"{label(str(name))} {value}" for name, value in (rulings.get("settings") or {}).items()]
        self.item("Rulings", ["; ".join(said) + "."])
        for rule, why in (rulings.get("not_audited") or {}).items():
            self.item("", [f"{rule} is not audited: {why}"], style="yellow")

    def _header_notes(self) -> list[Json]:
        return [n for n in self.audit.get("notes") or () if n.get("kind") == "reading" and n.get("seq") is None]

    # -- findings

    def findings(self) -> None:
        """Every finding: those that stand, each with what follows from it; then those that do not."""
        roots = self.desk.standing_roots()
        for n, finding in enumerate(roots, 1):
            self.rule(f"{n} of {len(roots)}")
            self._finding(finding)
            for follower in self.desk.consequences(str(finding["id"])):
                self._console.print()
                self.say("Follows from it:", indent=4)
                self._finding(follower, indent=4)
        ambiguous, only_under, set_aside = self._apart()
        for n, finding in enumerate(ambiguous, 1):
            self.rule(f"could not be judged: {n} of {len(ambiguous)}")
            self._finding(finding)
        for title, group in (
            ("only under a reading that is not in force", only_under),
            ("taken back, and of no account", set_aside),
        ):
            if group:
                self.rule(f"{title}: {len(group)}")
            for finding in group:
                self._in_short(finding)

    def _finding(self, finding: Json, indent: int = 0) -> None:
        desk = self.desk
        kind = str(finding.get("kind"))
        side = desk.side(finding.get("player"))
        who = (f"{side.name} ({side.id})" if side.name != side.id else side.id) if side else finding.get("player")
        self.say(
            (f"Event {finding.get('seq')}", "bold"),
            f"{self._at(finding)}, {one_line(who) if who else 'both players'}: ",
            (kind, f"bold {_KINDS.get(kind, '')}".strip()),
            f" (would be {finding['would_be']})" if finding.get("would_be") else "",
            indent=indent,
        )
        self.say(str(finding.get("text")), indent=indent)
        self.say(self._ruled_by(finding), indent=indent)
        indent += 2
        self._comparison(finding, indent)
        for figure in finding.get("figures") or ():
            parts = working(figure)
            self.say(f"{parts.name}: {parts.value}", f" = {parts.parts}" if parts.parts else "", indent=indent)
        evidence = finding.get("evidence") or {}
        for question, answer in sight_words(evidence.get("sight"), evidence.get("path") or ()):
            self.say(f"{question}: {answer}", indent=indent)
        self._scope(finding, indent)
        effect = finding.get("effect") or {}
        if effect.get("text"):
            self.say(f"Knock-on: {effect['text']}", indent=indent)
        above = [
            f"event {desk.by_id[i].get('seq')}" for i in map(str, finding.get("depends_on") or ()) if i in desk.by_id
        ]
        if above:
            self.say(f"Not so if these were put right: {listed(above)}.", indent=indent)
        self.say((f"id {finding.get('id')}", "dim"), indent=indent)

    def _in_short(self, finding: Json) -> None:
        """A finding that nobody is accused of: its sentence, and where it would hold."""
        self.say(
            (f"Event {finding.get('seq')}", "bold"),
            f", {finding.get('kind')}, {finding.get('rule')}: {finding.get('text')}",
        )
        holds = [_assignment(row) for row in (finding.get("scope") or {}).get("holds") or ()]
        if holds:
            more = f"; or {len(holds) - 1} more" if len(holds) > 1 else ""
            self.say(f"Holds under {holds[0]}{more}.", indent=4)

    def _at(self, finding: Json) -> str:
        """Round and line of a finding, and where it was seen if elsewhere."""
        board = (finding.get("evidence") or {}).get("before") or {}
        said = [f"round {board['round']}"] if board.get("round") else []
        if finding.get("line") is not None:
            said.append(f"line {finding['line']}")
        if finding.get("seen_at") not in (None, finding.get("seq")):
            said.append(f"seen at event {finding['seen_at']}")
        return f" ({', '.join(said)})" if said else ""

    def _ruled_by(self, finding: Json) -> str:
        rule_id = str(finding.get("rule"))
        title = self.desk.rule(rule_id)[0]
        also = [str(other) for other in finding.get("also") or ()]
        return f"{rule_id}{f' {title}' if title else ''}{f'; also {listed(also)}' if also else ''}"

    def _comparison(self, finding: Json, indent: int) -> None:
        """What the log claims beside what the rules give; what differs first."""
        rows = compared(finding.get("claimed"), finding.get("recomputed"))
        if not rows:
            return
        grid = Table.grid(padding=(0, 2, 0, 0))
        grid.add_column(width=1)
        grid.add_column(overflow="fold")
        grid.add_column(ratio=1, overflow="fold")
        grid.add_column(ratio=1, overflow="fold")
        grid.add_row("", "", Text("the log", style="dim"), Text("by the rules", style="dim"))
        for name, claimed, recomputed, sign in rows:
            style = "bold" if sign == "≠" else ""
            grid.add_row(Text(sign, style=style), Text(name), Text(claimed, style=style), Text(recomputed, style=style))
        self._console.print(Padding(grid, (0, 0, 0, indent), expand=False))

    def _scope(self, finding: Json, indent: int) -> None:
        scope = finding.get("scope") or {}
        if scope.get("kind") != "only_under":
            if finding.get("kind") != "ambiguous":
                self.say("Under every reading.", indent=indent)
        else:
            for words, key in (("Holds under", "holds"), ("Not a fault under", "clears")):
                said = [_assignment(row) for row in scope.get(key) or ()]
                more = len(said) - MOST_NAMED
                if said:
                    ends = f"; and {more} more" if more > 0 else ""
                    self.say(f"{words} {'; or '.join(said[:MOST_NAMED])}{ends}.", indent=indent)
            if scope.get("partial"):
                self.say("Not every combination of readings was tried.", indent=indent)
        for other in finding.get("under") or ():
            what = "" if other.get("recomputed") is None else f", by the rules {value_words(other['recomputed'])}"
            self.say(f"Under {_assignment(other.get('readings') or {})}: {other.get('kind')}{what}.", indent=indent)

    # -- the rest

    def unread(self) -> None:
        """What could not be read in the file."""
        errors = self.audit.get("errors") or ()
        if not errors:
            return
        self.rule("what the file should say")
        for error in errors:
            place = [f"line {error['line']}"] if error.get("line") is not None else []
            place += [str(error["path"])] if error.get("path") else []
            near = f' The nearest is "{error["nearest"]}".' if error.get("nearest") else ""
            where = f"{', '.join(place)}: " if place else ""
            self.say(f"{where}{error.get('found')}; expected {error.get('expected')}.{near}")

    def unchecked(self) -> None:
        """What was called for and could not be checked, event by event."""
        grouped: dict[tuple[str, str], list[str]] = {}
        for one in (self.audit.get("coverage") or {}).get("unchecked") or ():
            grouped.setdefault((str(one.get("rule") or "every rule"), str(one.get("why"))), []).append(
                str(one.get("seq"))
            )
        if not grouped:
            return
        self.rule("not checked")
        for (rule, why), seqs in grouped.items():
            more = " …" if len(seqs) > MOST_NAMED else ""
            events = "event" if len(seqs) == 1 else "events"
            self.say((f"{events} {', '.join(seqs[:MOST_NAMED])}{more}", "bold"), f", {rule}: {why}")

    def notes(self) -> None:
        """Remarks that accuse nobody."""
        first = {id(note) for note in self._header_notes()}
        notes = [note for note in self.audit.get("notes") or () if id(note) not in first]
        if not notes:
            return
        self.rule("notes, which accuse nobody")
        for note in notes:
            place = f"event {note['seq']}, " if note.get("seq") is not None else ""
            margin = f" (margin {value_words(note['margin'])})" if note.get("margin") is not None else ""
            rule = f"{note['rule']}, " if note.get("rule") else ""
            kind = _NOTES.get(str(note.get("kind")), label(str(note.get("kind"))))
            self.say(f"{place}{rule}{kind}: {note.get('text')}{margin}")

    def coverage(self) -> None:
        """What was looked at."""
        coverage = self.audit.get("coverage") or {}
        if self.audit.get("verdict") == "unreadable" or not coverage:
            return
        self.rule("what was looked at")
        run, idle = coverage.get("rules_run") or (), coverage.get("rules_idle") or ()
        cannot = coverage.get("rules_not_auditable") or ()
        checks = sum(rule.get("times", 0) for rule in run)
        self.say(
            f"{plural(coverage.get('events') or 0, 'event')}, {coverage.get('resolved') or 0:,} replayed. "
            f"{plural(len(run), 'rule')} ran ({plural(checks, 'check')}), {len(idle):,} had nothing to look at, "
            f"{len(cannot):,} cannot be audited from any log."
        )
        silent = coverage.get("not_claimed")
        if isinstance(silent, int) and silent:
            self.say(f"{plural(silent, 'number')} that the log could have claimed and did not: nothing compared there.")

    def foot(self) -> None:
        """What it takes to make the audit anew."""
        audit = self.audit
        self.rule("to make it anew")
        rows = [
            ("ruleset", f"{audit['game']} {audit.get('ruleset_version')}" if audit.get("game") else ""),
            ("engine", audit.get("engine")),
            ("log", audit.get("log_sha256")),
            *((f"pack {pack.get('id')}", pack.get("sha256")) for pack in audit.get("packs") or ()),
            ("digest", audit.get("digest")),
        ]
        for name, value in rows:
            if value:
                self.item(str(name), [str(value)])

    def brief(self, name: str) -> None:
        """The head of a report in a line or two, and a line for each finding."""
        verdict = str(self.audit.get("verdict"))
        word, style = _VERDICTS.get(verdict, (verdict, ""))
        self.say((word, f"bold {style}".strip()), f" {one_line(name)}")
        self.say(" ".join(self._sentences()), indent=4)
        shown = [*self.desk.standing_roots(), *self._apart()[0]]
        for finding in shown:
            kind = str(finding.get("kind"))
            self.say(
                f"event {finding.get('seq')}, ",
                (kind, _KINDS.get(kind, "")),
                f", {finding.get('rule')}: {one_line(finding.get('text'))}",
                indent=4,
            )


def compared(claimed: Any, recomputed: Any) -> list[tuple[str, str, str, str]]:
    """The claimed beside the recomputed, field by field: (field, claimed, recomputed, sign), what differs first.

    The sign is "=" or "≠", and empty where only one side says anything.
    """
    if claimed is None and recomputed is None:
        return []
    left, right = _fields(claimed), _fields(recomputed)
    rows = []
    for key in dict.fromkeys((*left, *right)):
        sign = ("=" if left[key] == right[key] else "≠") if key in left and key in right else ""
        words = [_value(side[key], key) if key in side else "–" for side in (left, right)]
        rows.append((one_line(label(key)) if key else "", words[0], words[1], sign))
    return sorted(rows, key=lambda row: row[3] != "≠")


def _fields(value: Any) -> dict[str, Any]:
    if value is None:
        return {}
    return {str(key): part for key, part in value.items()} if isinstance(value, Mapping) else {"": value}


def _value(value: Any, key: str) -> str:
    faces = faces_in(key, value)
    return one_line(" ".join(faces) if faces else value_words(value, key))


def _assignment(options: Mapping[str, Any]) -> str:
    return " and ".join(f"{one_line(reading)} {one_line(option)}" for reading, option in options.items()) or "any"


def _one_line_kept(text: str) -> str:
    """`one_line` that keeps a space at either end, for parts of a paragraph."""
    kept = one_line(text)
    before = " " if text[:1] == " " and kept else ""
    after = " " if text[-1:] == " " and kept else ""
    return before + kept + after
