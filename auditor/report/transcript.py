"""A whole game as text: one line an event, findings beside it; and the lines of it that somebody looks for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from auditor.report.casebook import Casebook, bears_on_the_verdict
from auditor.report.model import Side
from auditor.report.timeline import moment_of
from auditor.report.words import label, shorten

MOST_LINES = 5_000
"""Lines of a page; a log may have more events than anybody reads at once."""
LONGEST = 300
"""Characters of an event's text."""


@dataclass(frozen=True)
class Beside:
    """A finding beside its event."""

    kind: str
    icon: str
    rule: str
    text: str
    href: str | None


@dataclass(frozen=True)
class Told:
    """An event in a line. `part`: the part of the game that begins with it, else empty."""

    seq: int
    href: str | None
    part: str
    side: Side | None
    text: str
    beside: tuple[Beside, ...]


@dataclass(frozen=True)
class TranscriptPage:
    """A game as text. `found` of `count` events have all the words of `asked`; of these `lines` are listed."""

    title: str
    heading: str
    asked: str
    lines: tuple[Told, ...]
    found: int
    count: int


def transcript(
    book: Casebook, asked: str = "", most: int | None = MOST_LINES, folded: Callable[[str], str] = str.casefold
) -> TranscriptPage:
    """The events in which all the words that are asked for occur: of the text, the player, the kind of act or a finding.

    `folded` brings a text into the form in which words are compared.
    """
    words = folded(asked).split()
    found = [told for told, searched in _told(book) if all(word in folded(searched) for word in words)]
    heading = " against ".join(side.name for side in book.sides) or str(book.header.get("title") or "A game")
    listed = found if most is None else found[:most]
    return TranscriptPage(f"Transcript: {heading}", heading, asked, tuple(listed), len(found), len(book.frames))


def transcript_text(book: Casebook) -> str:
    """The whole game in plain text."""
    page = transcript(book, most=None)
    out = [" against ".join(side.full for side in book.sides) or page.heading, ""]
    for line in page.lines:
        if line.part:
            out += ["", f"-- {line.part}"]
        who = f"{line.side.name}: " if line.side is not None else ""
        out.append(f"{line.seq:>6}  {who}{line.text}")
        out += [f"        ! {one.kind}, {one.rule}: {one.text}" for one in line.beside]
    return "\n".join(" ".join(line.splitlines()) for line in out) + "\n"


def _told(book: Casebook) -> Iterator[tuple[Told, str]]:
    """Each event in a line, and what of it is searched."""
    beside: dict[int, list[Beside]] = {}
    for finding in book.findings:
        if bears_on_the_verdict(finding) and isinstance(finding.get("seq"), int):
            case = book.case(finding, deep=False)
            beside.setdefault(finding["seq"], []).append(
                Beside(case.kind, case.icon, case.rule, case.text, book.place_of(finding["id"], here=False))
            )
    name = ""
    for frame in book.frames:
        seq, kind = frame["seq"], str(frame.get("type") or "")
        part = str(moment_of(frame).get("part") or "")
        begins = part if part and part != name else ""
        name = part or name
        side = book.side(frame.get("player"))
        text = str(frame.get("text") or label(kind))
        if side is not None:
            text = text.removeprefix(f"{side.id}: ")
        text = shorten(book.names(text), LONGEST)
        found = tuple(beside.get(seq, ()))
        told = Told(seq, book.links.replay(seq), begins, side, text, found)
        said = (text, kind.replace("_", " ").replace(".", " "), side.full if side is not None else "", name)
        yield told, " ".join((*said, *(f"{one.kind} {one.rule} {one.text}" for one in found)))
