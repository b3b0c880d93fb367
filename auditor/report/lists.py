"""Rows of the pages that list games and uploads."""

from __future__ import annotations

from dataclasses import dataclass

from auditor.report.casebook import sides_of
from auditor.report.counting import summary
from auditor.report.model import Json, Side
from auditor.report.pages import VERDICTS, nameless
from auditor.report.words import shorten, tidy


@dataclass(frozen=True)
class GameRow:
    """A game in the list of games."""

    href: str
    players: tuple[Side, ...]
    title: str
    match: str
    verdict: str
    word: str
    words: str
    when: str
    game: str = ""  # its title, where there are several games
    rulings: str = ""  # their name, where somebody chose them
    is_example: bool = False  # whether it came with the program

    @property
    def nameless(self) -> str:
        """What it is called where it names neither players nor itself."""
        return nameless(self.verdict)


@dataclass(frozen=True)
class UploadRow:
    """What became of one file of an upload. `fate` is audited, in part, refused, known, queued or in work."""

    name: str
    size: str
    fate: str
    words: str
    href: str | None
    errors: tuple[Json, ...]
    verdict: str = ""  # of a log that was audited
    players: tuple[Side, ...] = ()


def counts(audit: Json) -> str:
    """'2 to decide, 1 follows; 1 could not be judged', or what else there is to say in one line."""
    standing = {str(f["id"]): f for f in audit.get("findings") or () if f.get("stands")}
    following = sum(any(str(p) in standing for p in f.get("depends_on") or ()) for f in standing.values())
    unsure = sum(f.get("kind") == "ambiguous" and not f.get("undone") for f in audit.get("findings") or ())
    return summary(
        verdict=str(audit.get("verdict")),
        acts=len(standing) - following,
        following=following,
        ambiguous=unsure,
        errors=len(audit.get("errors") or ()),
    )


def game_row(audit: Json, header: Json, *, href: str, when: str = "") -> GameRow:
    """A line of games.html."""
    header = tidy(header)
    match = header.get("match") or {}
    where = [str(match["event"])] if match.get("event") else []
    where += [f"{w} {match[w]}" for w in ("round", "table") if match.get(w) not in (None, "")]
    verdict = str(audit.get("verdict"))
    return GameRow(
        href=href,
        players=sides_of(header, audit),
        title=shorten(str(header.get("title") or ""), 80),
        match=shorten(", ".join(where), 100),
        verdict=verdict,
        word=VERDICTS.get(verdict, verdict),
        words=counts(audit),
        when=when,
    )
