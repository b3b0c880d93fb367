"""A report as a person reads it in a terminal: it prints what the pages print, and decides nothing (`pages.ReportPage`).

Nothing that a log says reaches the terminal raw: `one_line` stands between. Colours only repeat what words say.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.cells import cell_len
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from auditor.report.boards import Sheet
from auditor.report.casebook import Casebook
from auditor.report.hostile import one_line
from auditor.report.links import Links
from auditor.report.model import Case, Changed, Json, Option, ReportPage, Row
from auditor.report.pages import build_report
from auditor.report.words import listed, shorten

WIDTH = 80
MOST_NAMED = 12
"""Readings, assignments and events that are named one by one; beyond that they are counted."""

_VERDICTS = {"clean": "green", "findings": "red", "incomplete": "yellow", "unreadable": "yellow"}
_KINDS = {"illegal": "red", "miscalculated": "magenta", "omitted": "red", "ambiguous": "yellow"}


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
    page = _Printer(audit, rules, readings, header, width, color)
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
    page = _Printer(audit, rules, readings, header, width, color)
    page.brief(name)
    return page.text()


class _Printer:
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
        book = Casebook(audit, (), rules, readings, header, Links(), Sheet())
        self.page: ReportPage = build_report(book, pictures=False)
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

    def item(self, name: str, words: Iterable[str], *, indent: int = 0, wide: int = 12, style: str = "") -> None:
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
        page = self.page
        heading = " against ".join(one_line(side.full) for side in page.players) or page.heading
        for line, style in ((shorten(name, 200), "bold"), (heading, ""), (page.ruleset, ""), (page.under_heading, "")):
            if line:
                self.say((line, style))
        self._console.print()
        word = page.word.upper()
        style = _VERDICTS.get(page.verdict, "")
        self.item(word, (*page.sentences, *page.asides), wide=max(12, len(word)), style=f"bold {style}".strip())
        if page.verdict != "unreadable":
            rulings = [page.rulings_name, *(_with_options(ruled.words, ruled.options) for ruled in page.rulings)]
            self.item("Answers", [f"{line}." for line in rulings])
            self.item("", page.header_notes, style="yellow")
            for rule, _, why in page.coverage.set_aside:
                self.item("", [f"{rule} is not audited: {why}"], style="yellow")
            if page.caveat:
                self.item("", [page.caveat], style="yellow")
            if page.not_checked:
                self.item("Not checked", page.not_checked, style="yellow")

    # -- findings

    def findings(self) -> None:
        """Every finding: those that stand, each with what follows from it; then those that do not."""
        page = self.page
        for n, case in enumerate(page.cases, 1):
            self.rule(f"{n} of {len(page.cases)}")
            self._case(case)
            for follower in case.consequences:
                self._console.print()
                self.say("Follows from it:", indent=4)
                self._case(follower, indent=4)
        for n, case in enumerate(page.ambiguous, 1):
            self.rule(f"{page.titles['ambiguous']}: {n} of {len(page.ambiguous)}")
            self._case(case)
        if page.only_under:
            self.rule(f"{page.titles['only_under']}: {sum(count for _, _, count in page.only_under)}")
        for options, cases, _ in page.only_under:
            were = (
                " and ".join(
                    f"the answer to “{o.question or o.reading}” were “{o.means or o.option}” ({o.reading}: {o.option})"
                    for o in options
                )
                or "the rules were read differently"
            )
            self.say(f"{len(cases)} if {were}:")
            for case in cases:
                self._in_short(case)
        if page.set_aside:
            self.rule(f"{page.titles['set_aside']}: {len(page.set_aside)}")
        for case in page.set_aside:
            self._in_short(case)

    def _case(self, case: Case, indent: int = 0) -> None:
        self.say(
            ("" if case.seq is None else f"Event {case.seq}", "bold"),
            f"{f' ({case.place})' if case.place else ''}, {one_line(case.who)}: ",
            (case.kind, f"bold {_KINDS.get(case.kind, '')}".strip()),
            f" (would be {case.would_be})" if case.would_be else "",
            indent=indent,
        )
        self.say(case.text, indent=indent)
        also = f"; also {listed([rule for rule, _ in case.also])}" if case.also else ""
        self.say(f"{case.rule}{f' {case.rule_title}' if case.rule_title else ''}{also}", indent=indent)
        if case.meant:
            self.say(f"What may have been meant: {case.meant}", indent=indent)
        indent += 2
        self._comparison(case.rows, indent)
        for figure in case.working:
            self.say(f"{figure.name}: {figure.value}", f" = {figure.parts}" if figure.parts else "", indent=indent)
        for name, value in case.fields:
            self.say(f"{name}: {value.words}", indent=indent)
        for question, answer in case.answers:
            self.say(f"{question}: {answer}", indent=indent)
        if case.effect:
            self.say(f"What it changed: {case.effect}", indent=indent)
        self._changed(case.changed, indent)
        if case.gain:
            self.say(case.gain, indent=indent)
        if case.remedy:
            self.say(f"Suggested: {case.remedy}", indent=indent)
        self._scope(case, indent)
        for above, _ in case.follows_from:
            self.say(f"Follows from {above}", indent=indent)
        self.say((f"id {case.id}", "dim"), indent=indent)

    def _changed(self, changed: Sequence[Changed], indent: int) -> None:
        """What differs at the end of the record: as logged, and as it should be or if the act had not been done."""
        for one in changed:
            self.say(
                f"{one_line(one.what)}: {one_line(one.logged)} as logged, {one_line(one.other)}", indent=indent + 2
            )

    def _in_short(self, case: Case) -> None:
        """A finding that nobody is accused of, in a line."""
        self.say(("" if case.seq is None else f"Event {case.seq}", "bold"), f", {case.kind}, {case.rule}: {case.text}")

    def _comparison(self, rows: Sequence[Row], indent: int) -> None:
        """What the log claims beside what the rules give; what differs first."""
        if not rows:
            return
        grid = Table.grid(padding=(0, 2, 0, 0))
        grid.add_column(width=1)
        grid.add_column(overflow="fold")
        grid.add_column(ratio=1, overflow="fold")
        grid.add_column(ratio=1, overflow="fold")
        grid.add_row("", "", Text("the log", style="dim"), Text("by the rules", style="dim"))
        for row in rows:
            style = "bold" if row.sign == "≠" else ""
            sides = ["–" if side is None else one_line(side.words) for side in (row.claimed, row.recomputed)]
            grid.add_row(Text(row.sign, style=style), Text(one_line(row.name)), *(Text(s, style=style) for s in sides))
        self._console.print(Padding(grid, (0, 0, 0, indent), expand=False))

    def _scope(self, case: Case, indent: int) -> None:
        for words, rows in (("A fault if", case.scope.holds), ("No fault if", case.scope.clears)):
            said = [" and ".join(map(_answered, row.options)) or "any" for row in rows]
            more = f"; and {len(said) - MOST_NAMED} more" if len(said) > MOST_NAMED else ""
            if said and not case.scope.every:
                self.say(f"{words} {'; or '.join(said[:MOST_NAMED])}{more}.", indent=indent)
        for said_of in (case.scope.note, *case.under):
            if said_of:
                self.say(said_of, indent=indent)

    # -- the rest

    def unread(self) -> None:
        """What could not be read in the file."""
        if not self.page.errors:
            return
        self.rule(self.page.titles["errors"])
        for error in self.page.errors:
            self.say(_misread(error))

    def unchecked(self) -> None:
        """What was called for and could not be checked, event by event."""
        if not self.page.coverage.unchecked:
            return
        self.rule(self.page.titles["unchecked"])
        for rule, _, why, events in self.page.coverage.unchecked:
            seqs = [str(seq) for seq, _ in events]
            more = " …" if len(seqs) > MOST_NAMED else ""
            named = f"{'event' if len(seqs) == 1 else 'events'} {', '.join(seqs[:MOST_NAMED])}{more}, " if seqs else ""
            self.say((named, "bold"), f"{rule or 'every rule'}: {why}")

    def notes(self) -> None:
        """Remarks that accuse nobody."""
        if not self.page.notes:
            return
        self.rule(self.page.titles["notes"])
        for group in self.page.notes:
            self.say((group.title, "bold"))
            for seq, _, rule, _, text, margin in group.notes:
                place = f"event {seq}: " if seq is not None else ""
                self.say(
                    f"{place}{text}{f' (margin {margin})' if margin else ''}{f' {rule}' if rule else ''}", indent=2
                )

    def coverage(self) -> None:
        """What was checked."""
        if self.page.verdict == "unreadable":
            return
        self.rule(self.page.titles["coverage"])
        for line in self.page.coverage.words:
            self.say(line)

    def foot(self) -> None:
        """What is needed to reproduce the audit."""
        self.rule(self.page.titles["footer"])
        for name, value in self.page.footer:
            self.item(name, [value], wide=14)
        self.item("Anybody can check it", [self.page.verify], wide=14)

    def brief(self, name: str) -> None:
        """The head of a report in a line or two, and a line for each finding."""
        page = self.page
        self.say((page.word.upper(), f"bold {_VERDICTS.get(page.verdict, '')}".strip()), f" {one_line(name)}")
        self.say(" ".join(filter(None, (*page.sentences, *page.asides, page.caveat))), indent=4)
        if page.verdict == "unreadable":
            for error in page.errors[:MOST_NAMED]:
                self.say(_misread(error), indent=4)
        for case in (*page.cases, *page.ambiguous):
            self.say(
                f"event {case.seq}, ",
                (case.kind, _KINDS.get(case.kind, "")),
                f", {case.rule}: {one_line(case.text)}",
                indent=4,
            )


def _misread(error: Mapping[str, Any]) -> str:
    """What could not be read, and where."""
    place = [f"line {error['line']}"] if error.get("line") is not None else []
    place += [str(error["path"])] if error.get("path") else []
    near = f' The nearest is "{error["nearest"]}".' if error.get("nearest") else ""
    where = f"{', '.join(place)}: " if place else ""
    return f"{where}{error.get('found')}; expected {error.get('expected')}.{near}"


def _answered(options: Sequence[Option]) -> str:
    """An open question and the answers that will do, in words, the codes in brackets."""
    means = " or ".join(f"“{o.means or o.option}”" for o in options)
    codes = f"{options[0].reading}: {', '.join(o.option for o in options)}"
    return f"“{options[0].question or options[0].reading}” is answered {means} ({codes})"


def _with_options(words: str, options: Sequence[Option]) -> str:
    named = "; ".join(
        f"{o.question or o.reading} {o.means or o.option} ({o.reading}: {o.option})" for o in options[:MOST_NAMED]
    )
    more = f" and {len(options) - MOST_NAMED} more" if len(options) > MOST_NAMED else ""
    return f"{words}: {named}{more}" if options else words


def _one_line_kept(text: str) -> str:
    """`one_line` that keeps a space at either end, for parts of a paragraph."""
    kept = one_line(text)
    before = " " if text[:1] == " " and kept else ""
    after = " " if text[-1:] == " " and kept else ""
    return before + kept + after
