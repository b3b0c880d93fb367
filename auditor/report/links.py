"""Where the pages point: the web fills this with its addresses, the one-file report with places in itself.

A link that is None is not shown as a link; the words stay.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from markupsafe import Markup

from auditor.report.signs import page_defs
from auditor.report.words import slug


def nowhere(_: Any) -> str | None:
    """No link."""
    return None


@dataclass(frozen=True)
class Links:
    """The addresses that a page about one game, or about the rules, may need.

    `finding` gets a finding's id and gives its place in the report, where it is on the first page of its list; `part` gets
    the name of a list of the report and the number of one of its pages, from 2; `replay` and `log_line` get the
    number of an event and of a line; `finding_json` and `sheet` a finding's id, and so does `drawn`, for one that the
    report does not draw. `files` are the other forms of the report, as
    (words, address).
    """

    rule: Callable[[str], str | None] = nowhere
    reading: Callable[[str], str | None] = nowhere
    finding: Callable[[str], str | None] = nowhere
    part: Callable[[str, int], str | None] = lambda name, number: None
    finding_json: Callable[[str], str | None] = nowhere
    drawn: Callable[[str], str | None] = nowhere
    sheet: Callable[[str], str | None] = nowhere
    replay: Callable[[int], str | None] = nowhere
    log_line: Callable[[int], str | None] = nowhere
    report: str | None = None
    replay_start: str | None = None
    replay_jump: str | None = None  # takes ?seq=
    transcript: str | None = None  # takes ?q=
    crumbs: tuple[tuple[str, str | None], ...] = ()
    files: tuple[tuple[str, str], ...] = ()


def rule_address(rule: str, prefix: str = "") -> str:
    """The page of a rule in the web."""
    return f"{prefix}/rules/{_quoted(rule)}"


def reading_address(reading: str, game: str | None, prefix: str = "") -> str:
    """The place of a reading on the page of its game in the web; its own page where the game is not known."""
    if game is None:
        return f"{prefix}/readings/{_quoted(reading)}"
    return f"{prefix}/readings/{_quoted(game)}#reading-{slug(reading)}"


def links_of_audit(key: str, *, game: str | None, log_sha256: str, readable: bool, prefix: str = "") -> Links:
    """The addresses of the web that pages about one audit need. `prefix` stands before all of them.

    They are written out here, because pages are made where there is no web; a test holds them against its routes.
    """
    report, log = f"{prefix}/audits/{key}", f"{prefix}/logs/{log_sha256}"
    files = (
        ("One-file report", f"{report}.html"),
        ("JSON", f"{report}.json"),
        ("CSV", f"{report}.csv"),
        ("SARIF", f"{report}.sarif"),
        ("The log as audited", f"{log}/bytes"),
        ("All audits of this log", log),
    )
    return Links(
        rule=lambda rule: rule_address(rule, prefix),
        reading=lambda reading: reading_address(reading, game, prefix),
        finding=lambda ident: f"{report}#f-{slug(ident)}",
        part=lambda name, number: f"{report}/lists/{name}/{number}",
        finding_json=lambda ident: f"{prefix}/api/v1/audits/{key}/findings/{_quoted(ident)}",
        drawn=lambda ident: f"{report}/findings/{_quoted(ident)}/drawn",
        sheet=lambda ident: f"{report}/findings/{_quoted(ident)}/sheet",
        replay=lambda seq: f"{report}/events/{seq}" if seq >= 0 else None,
        log_line=lambda number: f"{log}/lines/{number}#here",
        report=report,
        replay_start=f"{report}/events" if readable else None,
        replay_jump=f"{report}/events" if readable else None,
        transcript=f"{report}/transcript" if readable else None,
        crumbs=(("Games", f"{prefix}/audits"),),
        files=files,
    )


def _quoted(text: str) -> str:
    return quote(text, safe="!$&'()*+,:;=@")


@dataclass(frozen=True)
class Shell:
    """What stands round every page of the web: files of style and script, and the main menu."""

    css: str
    js: str
    home: str
    menu: tuple[tuple[str, str, bool], ...]  # words, address, whether this is where we are
    who: str = ""
    defs: Markup = field(default_factory=page_defs)


MENU = ("Games", "Upload", "Rules", "Open questions", "Answers", "Packs", "Limits")


def shell(css: str, js: str, home: str, addresses: dict[str, str], here: str = "", who: str = "") -> Shell:
    """The shell of a page; `addresses` gives the address of each word of MENU, `here` is the word to mark."""
    menu = tuple((word, addresses[word], word == here) for word in MENU if word in addresses)
    return Shell(css=css, js=js, home=home, menu=menu, who=who)
