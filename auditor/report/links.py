"""Where the pages point: the web fills this with its addresses, the one-file report with places in itself.

A link that is None is not shown as a link; the words stay.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup

from auditor.report.signs import page_defs


def nowhere(_: Any) -> str | None:
    """No link."""
    return None


@dataclass(frozen=True)
class Links:
    """The addresses that a page about one game, or about the rules, may need.

    `finding` gets a finding's id and gives the place of that finding in the report; `replay` and `log_line` get the
    number of an event and of a line; `finding_json` a finding's id. `files` are the other forms of the report, as
    (words, address).
    """

    rule: Callable[[str], str | None] = nowhere
    reading: Callable[[str], str | None] = nowhere
    finding: Callable[[str], str | None] = nowhere
    finding_json: Callable[[str], str | None] = nowhere
    replay: Callable[[int], str | None] = nowhere
    log_line: Callable[[int], str | None] = nowhere
    report: str | None = None
    replay_start: str | None = None
    replay_jump: str | None = None  # takes ?seq=
    crumbs: tuple[tuple[str, str | None], ...] = ()
    files: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Shell:
    """What stands round every page of the web: files of style and script, and the main menu."""

    css: str
    js: str
    home: str
    menu: tuple[tuple[str, str, bool], ...]  # words, address, whether this is where we are
    who: str = ""
    defs: Markup = field(default_factory=page_defs)


MENU = ("Games", "Upload", "Rules", "Readings", "Limits")


def shell(css: str, js: str, home: str, addresses: dict[str, str], here: str = "", who: str = "") -> Shell:
    """The shell of a page; `addresses` gives the address of each word of MENU, `here` is the word to mark."""
    menu = tuple((word, addresses[word], word == here) for word in MENU if word in addresses)
    return Shell(css=css, js=js, home=home, menu=menu, who=who)
