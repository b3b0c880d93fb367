"""The pages about rules and readings, made from what `auditor rules` and `auditor readings` print."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from auditor.report.links import Links
from auditor.report.model import Json
from auditor.report.words import label, paragraphs, slug, tidy


@dataclass(frozen=True)
class RuleLine:
    """A rule in the list of its chapter."""

    id: str
    anchor: str
    href: str | None
    title: str
    kinds: tuple[str, ...]
    auditable: bool


@dataclass(frozen=True)
class RulePage:
    """A rule on its own page. `why_not` is empty where the rule can be audited."""

    id: str
    anchor: str
    title: str
    chapter: str
    source: str
    kinds: tuple[str, ...]
    events: tuple[str, ...]
    text: tuple[str, ...]
    why_not: str
    readings: tuple[ReadingLine, ...]


@dataclass(frozen=True)
class ReadingLine:
    """A reading with its options: (id, what it means, whether the default, whether in force)."""

    id: str
    anchor: str
    href: str | None
    question: str
    options: tuple[tuple[str, str, bool, bool], ...]
    rules: tuple[tuple[str, str | None], ...]
    in_force: str


@dataclass(frozen=True)
class RulesPage:
    """All rules, a chapter at a time."""

    game: str
    chapters: tuple[tuple[str, str, tuple[RuleLine, ...]], ...]
    count: int


def reading_line(reading: Json, links: Links, in_force: str = "") -> ReadingLine:
    """A reading; `in_force` is the option of the rulings, where there are any."""
    reading = tidy(reading)
    return ReadingLine(
        id=str(reading["id"]),
        anchor=f"reading-{slug(reading['id'])}",
        href=links.reading(str(reading["id"])),
        question=str(reading.get("question") or ""),
        options=tuple(
            (str(o["id"]), str(o.get("means") or ""), o["id"] == reading.get("default"), o["id"] == in_force)
            for o in reading.get("options") or ()
        ),
        rules=tuple((str(r), links.rule(str(r))) for r in reading.get("rules") or ()),
        in_force=in_force,
    )


def rules_page(rules: Sequence[Json], links: Links, game: str = "") -> RulesPage:
    """All the rules in their own order, under their chapters."""
    chapters: dict[str, list[RuleLine]] = {}
    for rule in tidy(rules):
        chapters.setdefault(str(rule.get("chapter") or "Rules"), []).append(
            RuleLine(
                id=str(rule["id"]),
                anchor=f"rule-{slug(rule['id'])}",
                href=links.rule(str(rule["id"])),
                title=str(rule.get("title") or ""),
                kinds=tuple(str(k) for k in rule.get("kinds") or ()),
                auditable=rule.get("auditable") is True,
            )
        )
    return RulesPage(
        game, tuple((name, f"chapter-{slug(name)}", tuple(lines)) for name, lines in chapters.items()), len(rules)
    )


def rule_page(rule: Json, readings: Sequence[Json], links: Links) -> RulePage:
    """One rule, with the readings that it may ask."""
    rule, readings = tidy(rule), tidy(readings)
    asked = {str(r) for r in rule.get("readings") or ()}
    auditable = rule.get("auditable")
    why = "" if auditable is True else auditable if isinstance(auditable, str) else "No log holds what would decide it."
    return RulePage(
        id=str(rule["id"]),
        anchor=f"rule-{slug(rule['id'])}",
        title=str(rule.get("title") or ""),
        chapter=str(rule.get("chapter") or ""),
        source=str(rule.get("source") or ""),
        kinds=tuple(str(k) for k in rule.get("kinds") or ()),
        events=tuple(label(str(e)) for e in rule.get("events") or ()),
        text=tuple(paragraphs(str(rule.get("text") or ""))),
        why_not=why,
        readings=tuple(reading_line(r, links) for r in readings if str(r["id"]) in asked),
    )


def readings_page(
    readings: Sequence[Json], links: Links, in_force: dict[str, str] | None = None
) -> tuple[ReadingLine, ...]:
    """All readings; with the options in force where rulings are given."""
    return tuple(reading_line(r, links, (in_force or {}).get(str(r["id"]), "")) for r in readings)
