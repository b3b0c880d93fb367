"""The table of a conformance run as text and as Markdown. The value is that of `auditor.trials.table.report`."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

WIDTH = 120
"""Of a line of the page, tables apart."""
BEGIN, END = "<!-- written by hand: begin -->", "<!-- written by hand: end -->"

Value = Mapping[str, Any]


def summary(value: Value) -> list[str]:
    """What came out, in a few sentences."""
    rules = value["rules"]
    planted = sum(line["planted"] for line in rules)
    found = sum(line["found"] for line in rules)
    kinds = sum(1 for line in rules if line["planted"])
    said = []
    if value["games"]:
        said.append(
            f"Legal games: {value['games']:,}, of them {value['with_claims_left_out']:,} with claims left out and "
            f"{value['under_other_readings']:,} under other readings than the defaults; {value['events']:,} events; "
            f"false accusations: {value['false_accusations']:,}."
            + _left_open(value["left_open"])
            + _broken_off(value["broken_off"])
        )
    if planted or any(line["no_occasion"] for line in rules):
        said.append(
            f"Planted faults: {planted:,} under {kinds} rules; found under the right rule, kind, event and player: "
            f"{found:,}; found under another rule: {sum(line['elsewhere'] for line in rules):,}; "
            f"missed: {sum(line['missed'] for line in rules):,}; "
            f"with findings beside them that were not planted: {sum(line['with_others'] for line in rules):,}; "
            f"without an occasion: {sum(line['no_occasion'] for line in rules):,}."
        )
        second = value["second_faults"]
        said.append(
            f"{sum(line['beside_another'] for line in rules):,} of them stood beside a second fault; "
            f"of those, found: {second.get('found', 0):,}, not found: "
            f"{second.get('missed', 0) + second.get('elsewhere', 0):,}."
        )
    options = [option for one in value["readings"] for option in one["options"]]
    if any(option["planted"] or option["no_occasion"] for option in options):
        said.append(
            f"Faults that are faults under one option of a reading only: {_sum(options, 'planted'):,} under "
            f"{sum(1 for option in options if option['planted'])} options; found: {_sum(options, 'found'):,}; not held "
            f"against anybody under the option that the players went by: {_sum(options, 'clean_under_the_other'):,}; "
            f"ambiguous with the reading open, and nothing else: {_sum(options, 'ambiguous_when_open'):,}; with the "
            f"right scope: {_sum(options, 'right_scope'):,}; without an occasion: {_sum(options, 'no_occasion'):,}."
        )
    written = sum(one["held"] + one["broken"] for one in value["relations"])
    if written:
        how = ", ".join(f"{one['relation']} {one['held'] + one['broken']:,}" for one in value["relations"])
        said.append(
            f"Games written otherwise and audited again: {written:,} ({how}); judged otherwise: "
            f"{_sum(value['relations'], 'broken'):,}."
        )
    if not value["second_referee"]:
        said.append(
            "This game has no second referee yet. Compared was: that an audit of a legal game holds nothing against "
            "anybody and looks at everything, and that a planted fault is found as its planter wrote it down, with "
            "nothing beside it. Not compared: what each option of a reading makes of an event, the scopes of findings, "
            "and logs with one value changed at random. Legal is what the generator plays by the rules catalogue; it "
            "shares no code with the auditor."
        )
    if value["compared"] is not None:
        said.append(_compared(value["compared"], any(option["planted"] for option in options)))
    said.append("Passed." if value["passed"] else "NOT passed.")
    return said


def _compared(value: Value, with_readings: bool) -> str:
    others = (
        "all other rules" if with_readings else "all other rules, and what each option of a reading makes of an event"
    )
    return (
        f"The second referee of this game judges {len(value['rules'])} rules so far: {_listed(value['rules'])}. Within "
        f"these the audits of {value['games']:,} games were held against it; it could follow "
        f"{value['events_judged']:,} of their {value['events']:,} events and found {value['accusations']:,} faults; "
        f"differences: {value['differences']:,}. Not compared: {others}."
    )


def _left_open(games: int) -> str:
    if not games:
        return ""
    return f" In {games:,} of them the audit is incomplete, for a printed text that nobody can read and nothing else."


def _broken_off(games: int) -> str:
    return (
        f" In {games:,} of them the record breaks off before its end, and so the audit is incomplete." if games else ""
    )


def _sum(lines: Sequence[Value], what: str) -> int:
    return sum(line[what] for line in lines)


def goals(value: Value) -> list[str]:
    """Which of the numbers that are wanted are not reached by this run, each with what falls short."""
    said = []
    can_run = [line for line in value["rules"] if line["auditable"] is True]
    if value["games"]:
        few = [f"{line['rule']} {line['times']:,}" for line in can_run if line["times"] < 1000]
        far = [f"{line['rule']} {line['near']:,}" for line in can_run if line["near"] < 100]
        # Where no option can be broken, no log need ever ask which one holds.
        open_ones = [one for one in value["readings"] if any(option["never"] is None for option in one["options"])]
        idle = [f"{one['id']} {one['asked']:,}" for one in open_ones if one["asked"] < 100]
        said += [
            f"Rules run fewer than 1,000 times: {_listed(few)}.",
            f"Rules fewer than 100 times one step from the fault: {_listed(far)}.",
            f"Readings asked fewer than 100 times: {_listed(idle)}.",
        ]
    if value["faults_each"]:
        rare = [f"{line['rule']} {line['planted']:,}" for line in can_run if 0 < line["planted"] < 200]
        none = [line["rule"] for line in can_run if not line["planted"]]
        said += [
            f"Rules with fewer than 200 planted faults: {_listed(rare)}.",
            f"Rules for which no fault was planted: {_listed(none)}.",
        ]
        without = [
            f"{one['id']}={option['option']}"
            for one in value["readings"]
            for option in one["options"]
            if not option["planted"] and option["never"] is None
        ]
        said.append(f"Options of readings for which no fault was planted: {_listed(without)}.")
    return said


def _listed(parts: Sequence[str]) -> str:
    return ", ".join(parts) if parts else "none"


def troubles(value: Value) -> Iterator[str]:
    """Every false accusation and every fault not found, a line each."""
    for one in value["false"]:
        yield f"false accusation: game {one['seed']}, event {one['seq']}, {one['rule']} {one['kind']}: {one['text']}"
    if value["false_accusations"] > len(value["false"]):
        yield f"and {value['false_accusations'] - len(value['false']):,} more false accusations"
    for one in value["not_found"]:
        what = one["text"]
        if "how" in one:
            what = f"{one['how']}: event {one['seq']}, {one['rule']} {one['kind']} of {one['player']}: {what}"
        yield f"{one['fault']} number {one['number']}, game {one['seed']}: {what}"
    if value["not_found_in_all"] > len(value["not_found"]):
        yield f"and {value['not_found_in_all'] - len(value['not_found']):,} more"
    for one in value["differences"]:
        where = f"{one['fault']} number {one['number']}, " if "fault" in one else ""
        said = f"{one['rule']} {one['kind']} of {one['player']}"
        yield f"{where}game {one['seed']}, event {one['seq']}: {said}, says the {one['said_by']} alone"
    for one in value["broken"]:
        yield f"{one['relation']}, game {one['number']}: {one['text']}"
    for one in value["raised"]:
        yield f"not played or not audited to the end: {one['fault'] or 'legal game'} number {one['number']}: {one['text']}"


_HEAD = (
    "rule",
    "ran",
    "one step from the fault",
    "planted",
    "found",
    "other rule",
    "missed",
    "beside another",
    "rounds",
)


_OF_AN_OPTION = (
    ("planted", "planted"),
    ("found", "found"),
    ("missed", "missed"),
    ("clean under the other", "clean_under_the_other"),
    ("ambiguous when open", "ambiguous_when_open"),
    ("right scope", "right_scope"),
)


def _rows_of_readings(value: Value) -> list[tuple[str, ...]]:
    rows = []
    for one in value["readings"]:
        for n, option in enumerate(one["options"]):
            counts = [f"{option[key]:,}" if option["never"] is None else "-" for _, key in _OF_AN_OPTION]
            asked = ("", "") if n else (one["id"], f"{one['asked']:,}")
            rows.append((*asked, option["option"], *counts, option["never"] or ""))
    return rows


def _row(line: Value) -> tuple[str, ...]:
    if line["auditable"] is not True:
        return (line["rule"], "-", "-", "-", "-", "-", "-", "-", line["auditable"])
    counts = ("times", "near", "planted", "found", "elsewhere", "missed", "beside_another")
    rounds = " ".join(f"{number}: {times:,}" for number, times in line["rounds"].items())
    return (line["rule"], *(f"{line[key]:,}" for key in counts), rounds)


def table_text(value: Value) -> str:
    """The table for a terminal."""
    rows = [_HEAD, *(_row(line) for line in value["rules"] if line["auditable"] is True)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(_HEAD))]
    lines = [
        "  ".join(cell.ljust(width) if i in (0, 8) else cell.rjust(width) for i, (cell, width) in enumerate(zip(row, widths, strict=True))).rstrip()
        for row in rows
    ]  # fmt: skip
    lines += ["", "reading asked: " + ", ".join(f"{one['id']} {one['asked']:,}" for one in value["readings"])]
    planted = [
        f"{one['id']}={option['option']} {option['planted']:,} ({option['found']:,})"
        for one in value["readings"]
        for option in one["options"]
        if option["planted"]
    ]
    if planted:
        lines.append("planted (found) by option: " + ", ".join(planted))
    lines += ["", *summary(value), *goals(value), *troubles(value)]
    return "\n".join(lines) + "\n"


def document(
    value: Value, *, date: str, command: str, speed: str, before: str = "", tables_at: str | None = None
) -> str:
    """The page for `docs/`: what was run and when, what is written by hand (kept from `before`), and the tables, or
    where they are.
    """
    parts = [
        f"# Conformance of the rules of {value['title']}",
        "",
        f"Run on {date} with {value['engine']}, ruleset {value['ruleset_version']}:",
        "",
        f"    {command}",
        "",
        *_bulleted(summary(value)),
        "",
        *_folded(f"On the machine that ran it: {speed}"),
        "",
        BEGIN,
        _by_hand(before),
        END,
        "",
        "## What this run falls short of",
        "",
        *_bulleted(goals(value)),
        "",
    ]
    found = list(troubles(value))
    if found:
        parts += ["## What went wrong", "", *_bulleted(found), ""]
    if tables_at is None:
        parts += tables(value)
    else:
        parts += [f"Rule by rule, reading by reading, and how near legal play came: [{tables_at}]({tables_at})."]
    return "\n".join(parts) + "\n"


def tables_alone(value: Value, *, date: str) -> str:
    """The tables as a page of their own."""
    title = f"# Conformance of the rules of {value['title']}: the tables of the run of {date}"
    return "\n".join([title, "", *tables(value)]) + "\n"


def tables(value: Value) -> list[str]:
    """What was counted of each rule, each option of a reading, and each situation one step from a fault."""
    return [
        "## Rule by rule",
        "",
        "*Ran*: how many events of the legal games the rule looked at. *One step from the fault*: how many events were",
        "one of the situations listed below, or claimed a number that the rule is about, so that one hex, die or point",
        "more would have been a fault. The last column says in which rounds the faults were planted, or why no log can",
        "show a fault of this rule.",
        "",
        *_markdown(_HEAD, [_row(line) for line in value["rules"]]),
        "",
        "## Readings",
        "",
        "*Asked*: how many events of the legal games asked each open reading, whatever the answer. *Planted*: faults that",
        "are faults under this option and not under another one, by which the players went. *Found*: under the option, and",
        "nothing else. *Clean under the other*: nothing is held against anybody under the option that the players went by.",
        "*Ambiguous when open*: exactly where the second referee finds that the options disagree. *Right scope*: what the",
        "audit says of all other options agrees with the second referee, as far as some of them were tried.",
        "",
        *_markdown(
            (
                "reading",
                "asked",
                "option",
                *(words for words, _ in _OF_AN_OPTION),
                "why nothing is a fault under it alone",
            ),
            _rows_of_readings(value),
        ),
        "",
        "## One step from the fault",
        "",
        *_markdown(
            ("rule", "situation", "times"),
            [(one["rule"], one["situation"], f"{one['times']:,}") for one in value["near"]],
        ),
    ]


def _bulleted(lines: Sequence[str]) -> list[str]:
    return [row for line in lines for row in _folded(f"- {_tame(line)}", "  ")]


def _folded(line: str, indent: str = "") -> list[str]:
    """A line of the page as lines that are not too long."""
    return textwrap.wrap(line, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def _markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    return [
        f"| {' | '.join(head)} |",
        f"|{'|'.join(' --- ' for _ in head)}|",
        *(f"| {' | '.join(_tame(cell) for cell in row)} |" for row in rows),
    ]


def _tame(text: str) -> str:
    return text.replace("\n", " ").replace("|", "\\|")


def _by_hand(before: str) -> str:
    """What stands between the marks of an earlier page."""
    if BEGIN in before and END in before:
        return before.split(BEGIN, 1)[1].split(END, 1)[0].strip("\n")
    return ""
